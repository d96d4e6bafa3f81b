"""The numbers that `polyomino_tours.py` prints, by the package: free polyominoes, a search, symmetries.

Those with a cell without a move, or with more than two cells of one move (for closed tours any), have no tour
and are left out. Of the others all tours are counted, and, by the tours that each symmetry keeps, those up to
symmetry.

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


def degrees(found: NDArray[np.int16]) -> NDArray[np.int64]:
    """How many knight's moves each cell of each polyomino has inside it."""
    rows, columns = np.divmod(found.astype(np.int16), SIDE)
    across = np.abs(rows[:, :, None] - rows[:, None, :]), np.abs(columns[:, :, None] - columns[:, None, :])
    return np.asarray((across[0] * across[1] == 2).sum(axis=2))


def numbers(size: int, *, open_: bool) -> tuple[int, int]:
    """How many tours there are up to symmetry, and inside how many polyominoes."""
    found = forms(size)
    blocks = [degrees(found[i : i + 50_000]) for i in range(0, len(found), 50_000)]
    poor = np.concatenate([(one < 2).sum(axis=1) + 99 * (one < 1).any(axis=1) for one in blocks])
    tours = inside = 0
    for form in found[poor <= (2 if open_ else 0)]:
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
        (many, inside), (cycles, within) = (numbers(int(word), open_=open_) for open_ in (True, False))
        found = f"{many} open tours inside {inside} polyominoes, {cycles} closed inside {within}"
        sys.stdout.write(f"{word} cells: {found}\n")
