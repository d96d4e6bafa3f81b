"""Count the knight's tours inside polyominoes up to symmetry, independently of the package.

`polyomino_counts.py` grows free polyominoes and counts with the package. This program grows fixed polyominoes
(D. H. Redelmeier 1981) and lists all tours of each by plain backtracking. It lists each of the eight images
of a tour under the symmetries of the square. By Burnside's lemma, the number of tours up to symmetry is an
eighth of the sum, over all listed tours, of the number of symmetries that fix the tour.

    python tools/polyomino_tours.py 10
    10 cells: 577 open tours inside 194 polyominoes, 19 closed inside 18
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Cells = NDArray[np.int64]

SIDE = 64  # width of the grid: cell (x, y) is y * SIDE + x; growth begins in the middle
MOVES = np.array([y * SIDE + x for y in (-2, -1, 1, 2) for x in (-2, -1, 1, 2) if abs(x) != abs(y)])
STEPS = np.array([1, SIDE, -1, -SIDE])


@njit(cache=True)
def listed(neighbours, cells, closed, walks, number):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201 - compiled
    """Append all tours of a graph to a list, each in one direction, by backtracking.

    Args:
        neighbours: neighbours of each vertex as a bit set.
        cells: cell of each vertex.
        closed: whether tours are closed.
        walks: rows of cells; replaced by a longer array when full.
        number: number of rows in use.
    """
    size = len(cells)
    everything = (1 << size) - 1
    path = np.zeros(size, np.int64)
    remaining = np.zeros(size, np.int64)
    for start in range(1 if closed else size):
        depth, seen = 0, 1 << start
        path[0], remaining[0] = start, neighbours[start]
        while depth >= 0:
            last = path[depth]
            if seen == everything:
                second = path[1] if closed else start
                if second < last and (not closed or (neighbours[last] >> start) & 1):
                    if number == len(walks):
                        larger = np.zeros((2 * number, size), np.int64)
                        larger[:number] = walks
                        walks = larger
                    for i in range(size):
                        walks[number, i] = cells[path[i]]
                    number += 1
            elif remaining[depth] & ~seen:
                options = remaining[depth] & ~seen
                bit = options & -options
                remaining[depth] ^= bit
                v = 0
                while (bit >> v) & 1 == 0:
                    v += 1
                depth += 1
                path[depth], remaining[depth] = v, neighbours[v]
                seen |= bit
                continue
            seen ^= 1 << last
            depth -= 1
    return walks, number


@njit(cache=True)
def tours(size, closed, moves, steps, side):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201 - compiled
    """Return all tours inside fixed polyominoes of a size, as rows of cells in their order."""
    walks, number = np.zeros((1 << 16, size), np.int64), 0
    middle = side // 2 * side + side // 2
    seen = np.zeros(side * side, np.bool_)
    place = np.full(side * side, -1)
    untried = np.zeros(4 * size, np.int64)
    cells = np.zeros(size, np.int64)
    untried_from = np.zeros(size + 1, np.int64)  # range of `untried` at each depth
    end = np.zeros(size + 1, np.int64)
    neighbours = np.zeros(size, np.int64)
    untried[0], end[0], seen[middle] = middle, 1, True
    depth = 0
    while depth >= 0:
        if depth < size and untried_from[depth] < end[depth]:
            cell = untried[untried_from[depth]]
            untried_from[depth] += 1
            cells[depth] = cell
            depth += 1
            untried_from[depth], end[depth] = untried_from[depth - 1], end[depth - 1]
            if depth < size:
                for step in steps:
                    target = cell + step
                    is_excluded = target < middle and target // side <= middle // side
                    if not is_excluded and not seen[target]:
                        seen[target] = True
                        untried[end[depth]] = target
                        end[depth] += 1
                continue
            for i in range(size):
                place[cells[i]] = i
            low_degree, isolated = 0, 0  # number of vertices of degree at most 1, and of degree 0
            for i in range(size):
                neighbours[i] = 0
                for move in moves:
                    target = place[cells[i] + move]
                    if target >= 0:
                        neighbours[i] |= 1 << target
                low_degree += neighbours[i] & (neighbours[i] - 1) == 0
                isolated += neighbours[i] == 0
            for i in range(size):
                place[cells[i]] = -1
            if isolated == 0 and low_degree <= (0 if closed else 2):
                walks, number = listed(neighbours, cells, closed, walks, number)
        depth -= 1
        if depth >= 0 and depth + 1 < size:
            for k in range(end[depth], end[depth + 1]):
                seen[untried[k]] = False
    return walks[:number]


def written(rows: Cells, columns: Cells, *, closed: bool) -> Cells:
    """Normalise tours: move them to the corner, and choose one direction and one start."""
    rows, columns = (coordinate - coordinate.min(axis=1, keepdims=True) for coordinate in (rows, columns))
    codes = SIDE * rows + columns
    if closed:
        first = codes.argmin(axis=1)[:, None]
        codes = np.take_along_axis(codes, (np.arange(codes.shape[1]) + first) % codes.shape[1], axis=1)
        reverse = np.roll(codes[:, ::-1], 1, axis=1)
        is_reversed = codes[:, 1:2] > codes[:, -1:]
    else:
        reverse = codes[:, ::-1]
        is_reversed = codes[:, :1] > codes[:, -1:]
    return np.where(is_reversed, reverse, codes)


def numbers(size: int, *, closed: bool) -> tuple[int, int]:
    """Count the tours up to symmetry, and the polyominoes that contain them."""
    walks = tours(size, closed, MOVES, STEPS, SIDE)
    rows, columns = np.divmod(walks, SIDE)
    own = written(rows, columns, closed=closed)
    shapes = np.sort(own, axis=1)
    fixed, smallest = 0, shapes
    for _ in range(4):
        rows, columns = columns, -rows
        for across in (columns, -columns):
            image = written(rows, across, closed=closed)
            fixed += int((image == own).all(axis=1).sum())
            shape = np.sort(image, axis=1)
            differs = shape != smallest
            first = differs.argmax(axis=1)[:, None]
            is_smaller = np.take_along_axis(shape, first, axis=1) < np.take_along_axis(
                smallest, first, axis=1
            )
            smallest = np.where(is_smaller, shape, smallest)
    return fixed // 8, len(np.unique(smallest, axis=0)) if len(smallest) else 0


if __name__ == "__main__":
    for word in sys.argv[1:]:
        (paths, inside), (cycles, within) = (numbers(int(word), closed=closed) for closed in (False, True))
        counts = f"{paths} open tours inside {inside} polyominoes, {cycles} closed inside {within}"
        sys.stdout.write(f"{word} cells: {counts}\n")
