"""Compute the numbers of `polyomino_tours.py` with the package: free polyominoes, counts, symmetries.

Polyominoes with an isolated cell, or with more than two cells of one move (for closed tours, any such cell),
have no tour and are skipped. The package counts the tours of the others up to symmetry.

    python tools/polyomino_counts.py 10
    10 cells: 577 open tours inside 194 polyominoes, 19 closed inside 18
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

import cavalcade
from cavalcade.boards import Board
from cavalcade.surveys.polyominoes import SIDE, forms

if TYPE_CHECKING:
    from numpy.typing import NDArray


def degrees(polyominoes: NDArray[np.int16]) -> NDArray[np.int64]:
    """Return the number of knight moves inside each polyomino from each of its cells."""
    rows, columns = np.divmod(polyominoes.astype(np.int16), SIDE)
    across = np.abs(rows[:, :, None] - rows[:, None, :]), np.abs(columns[:, :, None] - columns[:, None, :])
    return np.asarray((across[0] * across[1] == 2).sum(axis=2))


def numbers(size: int, *, open_: bool) -> tuple[int, int]:
    """Count the tours up to symmetry, and the polyominoes that contain them."""
    polyominoes = forms(size)
    blocks = [degrees(polyominoes[i : i + 50_000]) for i in range(0, len(polyominoes), 50_000)]
    obstacles = np.concatenate(
        [(block_degrees < 2).sum(axis=1) + 99 * (block_degrees < 1).any(axis=1) for block_degrees in blocks]
    )
    tours = inside = 0
    for form in polyominoes[obstacles <= (2 if open_ else 0)]:
        rows, columns = np.divmod(form, SIDE)
        mask = np.zeros((int(rows.max()) + 1, int(columns.max()) + 1), dtype=np.bool_)
        mask[rows, columns] = True
        board = Board("box", mask.shape, mask)
        if cavalcade.count(board, open=open_).count:
            tours += cavalcade.classes(board, open=open_).classes
            inside += 1
    return tours, inside


if __name__ == "__main__":
    for word in sys.argv[1:]:
        (paths, inside), (cycles, within) = (numbers(int(word), open_=open_) for open_ in (True, False))
        counts = f"{paths} open tours inside {inside} polyominoes, {cycles} closed inside {within}"
        sys.stdout.write(f"{word} cells: {counts}\n")
