"""How many knight's tours polyominoes have inside, up to symmetry, with nothing of the package.

`polyomino_counts.py` grows free polyominoes and asks the package. Here fixed ones are grown (D. H. Redelmeier
1981) and every tour of each is listed by plain backtracking. Of the eight images of a tour under symmetries
of the square each is listed once. So those up to symmetry are an eighth of the sum, over all tours, of the
symmetries that keep them.

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

SIDE = 64  # a cell is y * SIDE + x; the first one is in the middle
MOVES = np.array([y * SIDE + x for y in (-2, -1, 1, 2) for x in (-2, -1, 1, 2) if abs(x) != abs(y)])
STEPS = np.array([1, SIDE, -1, -SIDE])


@njit(cache=True)
def listed(near, cells, closed, found, number):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201 - compiled
    """Add all tours of a graph, each vertex with the set of its neighbours as bits, in one direction each."""
    size = len(cells)
    everything = (1 << size) - 1
    path = np.zeros(size, np.int64)
    left = np.zeros(size, np.int64)
    for start in range(1 if closed else size):
        depth, seen = 0, 1 << start
        path[0], left[0] = start, near[start]
        while depth >= 0:
            last = path[depth]
            if seen == everything:
                second = path[1] if closed else start
                if second < last and (not closed or (near[last] >> start) & 1):
                    if number == len(found):
                        more = np.zeros((2 * number, size), np.int64)
                        more[:number] = found
                        found = more
                    for i in range(size):
                        found[number, i] = cells[path[i]]
                    number += 1
            elif left[depth] & ~seen:
                options = left[depth] & ~seen
                one = options & -options
                left[depth] ^= one
                v = 0
                while (one >> v) & 1 == 0:
                    v += 1
                depth += 1
                path[depth], left[depth] = v, near[v]
                seen |= one
                continue
            seen ^= 1 << last
            depth -= 1
    return found, number


@njit(cache=True)
def tours(size, closed, moves, steps, side):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201 - compiled
    """All tours inside fixed polyominoes, a row of cells each, in their order."""
    found, number = np.zeros((1 << 16, size), np.int64), 0
    middle = side // 2 * side + side // 2
    seen = np.zeros(side * side, np.bool_)
    place = np.full(side * side, -1)
    untried = np.zeros(4 * size, np.int64)
    cells = np.zeros(size, np.int64)
    at = np.zeros(size + 1, np.int64)  # of each depth the place in `untried` to go on from, and its end
    end = np.zeros(size + 1, np.int64)
    near = np.zeros(size, np.int64)
    untried[0], end[0], seen[middle] = middle, 1, True
    depth = 0
    while depth >= 0:
        if depth < size and at[depth] < end[depth]:
            cell = untried[at[depth]]
            at[depth] += 1
            cells[depth] = cell
            depth += 1
            at[depth], end[depth] = at[depth - 1], end[depth - 1]
            if depth < size:
                for step in steps:
                    other = cell + step
                    before = other < middle and other // side <= middle // side
                    if not before and not seen[other]:
                        seen[other] = True
                        untried[end[depth]] = other
                        end[depth] += 1
                continue
            for i in range(size):
                place[cells[i]] = i
            loose, lone = 0, 0  # vertices with one neighbour, and without
            for i in range(size):
                near[i] = 0
                for move in moves:
                    other = place[cells[i] + move]
                    if other >= 0:
                        near[i] |= 1 << other
                loose += near[i] & (near[i] - 1) == 0
                lone += near[i] == 0
            for i in range(size):
                place[cells[i]] = -1
            if lone == 0 and loose <= (0 if closed else 2):
                found, number = listed(near, cells, closed, found, number)
        depth -= 1
        if depth >= 0 and depth + 1 < size:
            for k in range(end[depth], end[depth + 1]):
                seen[untried[k]] = False
    return found[:number]


def written(rows: Cells, columns: Cells, *, closed: bool) -> Cells:
    """Tours moved to the corner and written in one way only, whatever their direction and beginning."""
    rows, columns = (one - one.min(axis=1, keepdims=True) for one in (rows, columns))
    codes = SIDE * rows + columns
    if closed:
        first = codes.argmin(axis=1)[:, None]
        codes = np.take_along_axis(codes, (np.arange(codes.shape[1]) + first) % codes.shape[1], axis=1)
        back = np.roll(codes[:, ::-1], 1, axis=1)
        turned = codes[:, 1:2] > codes[:, -1:]
    else:
        back = codes[:, ::-1]
        turned = codes[:, :1] > codes[:, -1:]
    return np.where(turned, back, codes)


def numbers(size: int, *, closed: bool) -> tuple[int, int]:
    """How many tours there are up to symmetry, and inside how many polyominoes."""
    found = tours(size, closed, MOVES, STEPS, SIDE)
    rows, columns = np.divmod(found, SIDE)
    own = written(rows, columns, closed=closed)
    shapes = np.sort(own, axis=1)
    kept, least = 0, shapes
    for _ in range(4):
        rows, columns = columns, -rows
        for across in (columns, -columns):
            image = written(rows, across, closed=closed)
            kept += int((image == own).all(axis=1).sum())
            shape = np.sort(image, axis=1)
            differs = shape != least
            first = differs.argmax(axis=1)[:, None]
            before = np.take_along_axis(shape, first, axis=1) < np.take_along_axis(least, first, axis=1)
            least = np.where(before, shape, least)
    return kept // 8, len(np.unique(least, axis=0)) if len(least) else 0


if __name__ == "__main__":
    for word in sys.argv[1:]:
        (many, inside), (cycles, within) = (numbers(int(word), closed=closed) for closed in (False, True))
        found = f"{many} open tours inside {inside} polyominoes, {cycles} closed inside {within}"
        sys.stdout.write(f"{word} cells: {found}\n")
