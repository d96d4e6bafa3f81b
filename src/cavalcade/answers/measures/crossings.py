"""Crossings and areas of tours in the plane, in whole numbers.

Two moves cross at a point inside both, not parallel. So moves that share a cell do not cross there, moves of
long leapers that lie on one another do not, and a move that passes through a cell's centre crosses none of
the moves that end there. A knight's move passes through no cell's centre, and no two lie on one another.

A move is near the few moves that may cross it: for a pair of vectors the places from which the second crosses
the first lie in a parallelogram. Each is looked up for all moves at once.

*Swept area*: the area between the tour and a fixed point, swept by the line between them, counted as often as
it is swept and backwards negative: the shoelace formula, without its sign. So a region counts as often as the
tour winds round it. *Enclosed area*: the regions round which the tour winds an odd number of times, by the
even-odd rule, each once. On the way along a tour the side on which it has such a region changes at each
crossing; so the shoelace formula, with its sign turned at each crossing, adds these regions up. Crossings of
short moves divide them in few ratios, so that a common denominator makes all whole. Areas are in cells.

Time: for a leaper (a, b) proportional to the moves and to (a + b)^2.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.measures.moves import Walk

Vector = tuple[int, ...]
Way = tuple[int, int, tuple[int, int]]  # how far along, which other vector, where that one begins


@lru_cache(maxsize=16)
def _ways(vectors: tuple[Vector, ...]) -> tuple[int, list[list[Way]]]:
    """For each vector where others cross it, in order, as parts of a common denominator."""
    found: list[list[tuple[int, int, int, tuple[int, int]]]] = []
    for u in vectors:
        row = []
        for j, w in enumerate(vectors):
            across = u[0] * w[1] - u[1] * w[0]
            if across == 0:
                continue
            sides = [range(-abs(a) - abs(b), abs(a) + abs(b) + 1) for a, b in zip(u, w, strict=True)]
            sign = 1 if across > 0 else -1
            for o in product(*sides):
                along = sign * (o[0] * w[1] - o[1] * w[0])
                other = sign * (o[0] * u[1] - o[1] * u[0])
                if 0 < along < abs(across) and 0 < other < abs(across):
                    row.append((along, abs(across), j, (o[0], o[1])))
        found.append(row)
    whole = math.lcm(1, *(across for row in found for _, across, _, _ in row))
    return whole, [sorted((along * (whole // across), j, o) for along, across, j, o in row) for row in found]


def moves_cross(
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    other_starts: NDArray[np.int64],
    other_stops: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Which of k moves cross which of l others, (k, l): the ends of each lie on both sides of the other.

    Args:
        starts: where the moves begin, (k, 2),
        stops: and where they end.
        other_starts: the same of the others, (l, 2).
        other_stops: likewise.
    """

    def sides(
        begin: NDArray[np.int64], end: NDArray[np.int64], points: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Of each move on which side each point lies."""
        (x, y), (u, v) = (end - begin).T[:, :, None], np.moveaxis(points[None] - begin[:, None], 2, 0)
        return np.asarray(np.sign(x * v - y * u))

    ours = sides(starts, stops, other_starts) * sides(starts, stops, other_stops)
    theirs = sides(other_starts, other_stops, starts) * sides(other_starts, other_stops, stops)
    return np.asarray((ours < 0) & (theirs < 0).T)


def crossings(walk: Walk) -> int | None:
    """How many pairs of moves cross, at a point inside both."""
    return _crossings_and_area(walk)[0]


def enclosed_area(walk: Walk) -> Fraction | None:
    """The regions round which a closed tour winds an odd number of times, in cells."""
    return _crossings_and_area(walk)[1]


@lru_cache(maxsize=1)
def _crossings_and_area(walk: Walk) -> tuple[int | None, Fraction | None]:
    """The number of crossings, and the enclosed area of a closed tour in cells.

    The area is None of an open tour, and where moves may pass through the centres of cells.
    """
    if not walk.in_plane or walk.table is None:
        return None, None
    vectors, kinds = walk.table.vectors, walk.kinds
    forward = (vectors[:, 0] > 0) | ((vectors[:, 0] == 0) & (vectors[:, 1] > 0))
    lines = tuple(tuple(vector) for vector in vectors[forward].tolist())
    line_of = np.array(
        [lines.index(tuple((v if f else -v).tolist())) for v, f in zip(vectors, forward, strict=True)]
    )
    whole, ways = _ways(lines)
    reach = 2 * int(np.abs(vectors).max(initial=0))
    coords = walk.board.coords.astype(np.int64)
    starts, stops = walk.starts, walk.stops
    ahead = forward[kinds]
    low = coords[np.where(ahead, starts, stops)] - coords.min(axis=0) + reach
    width = int(np.ptp(coords[:, 1])) + 2 * reach + 1
    height = int(np.ptp(coords[:, 0])) + 2 * reach + 1
    flat, lined = low[:, 0] * width + low[:, 1], line_of[kinds]
    there = np.zeros((len(lines), height * width), dtype=np.bool_)
    there[lined, flat] = True

    crossed = np.zeros(len(kinds), dtype=np.int64)
    length = np.zeros(len(kinds), dtype=np.int64)  # of the parts, by turns with and against the sign
    for i, row in enumerate(ways):
        mine = np.flatnonzero(lined == i)
        count, length_, last = (np.zeros(len(mine), dtype=np.int64) for _ in range(3))
        for along, j, (down, right) in row:
            hit = there[j, flat[mine] + (down * width + right)]
            length_[hit] += np.where(count[hit] % 2, last[hit] - along, along - last[hit])
            last[hit] = along
            count += hit
        length[mine] = length_ + np.where(count % 2, last - whole, whole - last)
        crossed[mine] = count
    if not walk.tour.closed or (np.gcd(vectors[:, 0], vectors[:, 1]) > 1).any():
        return int(crossed.sum()) // 2, None
    odd = crossed % 2 == 1
    before = np.cumsum(crossed) - crossed
    length[~ahead & odd] *= -1  # the parts of a move that leads back are counted from its other end
    length[before % 2 == 1] *= -1
    area = int((_shoelaces(coords[starts], coords[stops]) * length).sum())
    return int(crossed.sum()) // 2, Fraction(abs(area), 2 * whole)


def swept_area(walk: Walk) -> Fraction | None:
    """The swept area of a closed tour in cells: a region counts as often as the tour winds round it."""
    if not walk.encloses:
        return None
    coords = walk.board.coords.astype(np.int64)
    return Fraction(abs(int(_shoelaces(coords[walk.starts], coords[walk.stops]).sum())), 2)


def _shoelaces(here: NDArray[np.int64], there: NDArray[np.int64]) -> NDArray[np.int64]:
    """Twice the triangles between the origin and each move."""
    return np.asarray(here[:, 0] * there[:, 1] - here[:, 1] * there[:, 0], dtype=np.int64)
