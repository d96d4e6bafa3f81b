"""Crossings, areas and uncrossed runs of tours in the plane, computed in integers.

Two moves cross at a point inside both if they are not parallel. Moves that share a cell do not cross there,
and overlapping moves of long leapers do not cross. A knight's move never passes through the centre of a cell,
and two knight's moves never overlap.

Only nearby moves can cross. For two given vectors, the starts from which the second move crosses the first
lie in a parallelogram. The table of these relative positions is computed once per piece; then each entry is
looked up for all moves of the tour at once.

*Swept area* is the area that the segment from a fixed point to the piece sweeps, counted with sign: the
shoelace formula. A region counts once for each time that the tour winds round it. *Enclosed area* counts each
region of odd winding number once (the even-odd rule). Along a tour, the side with such a region changes at
each crossing. So the shoelace formula gives the enclosed area if its sign changes at each crossing. Crossings
divide short moves in few ratios, and a common denominator keeps all terms integers. Areas are in cells.

Time: for an (a, b) leaper proportional to the moves and to (a + b)^2.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np

from cavalcade.answers.measures.moves import Walk
from cavalcade.ground.kernels import Ints, Mask

Vector = tuple[int, ...]


class Way(NamedTuple):
    """One way in which a move can be crossed.

    Args:
        along: distance of the crossing from the start of the move, as a fraction of the move.
        line: index of the vector of the crossing move.
        offset: start of the crossing move relative to the start of the crossed move, as (rows, columns).
    """

    along: Fraction
    line: int
    offset: tuple[int, int]


@lru_cache(maxsize=16)
def _ways(vectors: tuple[Vector, ...]) -> tuple[int, list[list[Way]]]:
    """Enumerate the ways to cross a move of each vector, sorted by the distance from its start.

    Returns:
        A common denominator of all distances, and the ways, one list per vector.
    """
    table: list[list[Way]] = []
    for u in vectors:
        row = []
        for line, w in enumerate(vectors):
            determinant = u[0] * w[1] - u[1] * w[0]
            if determinant == 0:
                continue
            ranges = [range(-abs(a) - abs(b), abs(a) + abs(b) + 1) for a, b in zip(u, w, strict=True)]
            for rows, columns in product(*ranges):
                # Cramer's rule: the segments meet at start + s u = start + offset + t w
                s = Fraction(rows * w[1] - columns * w[0], determinant)
                t = Fraction(rows * u[1] - columns * u[0], determinant)
                if 0 < s < 1 and 0 < t < 1:
                    row.append(Way(s, line, (rows, columns)))
        table.append(sorted(row))
    return math.lcm(1, *(way.along.denominator for row in table for way in row)), table


def moves_cross(starts: Ints, stops: Ints, other_starts: Ints, other_stops: Ints) -> Mask:
    """Determine which of k moves cross which of l other moves.

    Two moves cross if either separates the ends of the other.

    Args:
        starts: coordinates of the starts of the k moves, shape (k, 2).
        stops: coordinates of their ends, shape (k, 2).
        other_starts: coordinates of the starts of the l other moves, shape (l, 2).
        other_stops: coordinates of their ends, shape (l, 2).

    Returns:
        A matrix of shape (k, l).
    """

    def sides(begin: Ints, end: Ints, points: Ints) -> Ints:
        """Signs of the sides of moves on which points lie; shape (moves, points)."""
        (x, y), (u, v) = (end - begin).T[:, :, None], np.moveaxis(points[None] - begin[:, None], 2, 0)
        return np.asarray(np.sign(x * v - y * u))

    opposite = sides(starts, stops, other_starts) * sides(starts, stops, other_stops) < 0
    other_opposite = sides(other_starts, other_stops, starts) * sides(other_starts, other_stops, stops) < 0
    return np.asarray(opposite & other_opposite.T)


class Crossings(NamedTuple):
    """The crossings of a tour.

    Args:
        number: pairs of moves that cross.
        uncrossed_run: the largest number of consecutive moves no two of which cross.
        area: the enclosed area of a closed tour in cells; None if the tour is open or if moves can pass
            through the centres of cells.
    """

    number: int
    uncrossed_run: int
    area: Fraction | None


def crossings(walk: Walk) -> int | None:
    """Pairs of moves that cross at a point inside both."""
    return None if (crossed := _crossed(walk)) is None else crossed.number


def uncrossed_run(walk: Walk) -> int | None:
    """The largest number of consecutive moves no two of which cross."""
    return None if (crossed := _crossed(walk)) is None else crossed.uncrossed_run


def enclosed_area(walk: Walk) -> Fraction | None:
    """The area of the regions round which a closed tour winds an odd number of times, in cells."""
    return None if (crossed := _crossed(walk)) is None else crossed.area


@lru_cache(maxsize=1)
def _crossed(walk: Walk) -> Crossings | None:
    """Find all crossings of a tour in the plane; None elsewhere."""
    if not walk.in_plane or walk.table is None:
        return None
    vectors, kinds = walk.table.vectors, walk.kinds
    # A move and its reverse are the same line: the lines are the vectors that point down, or right.
    forward = (vectors[:, 0] > 0) | ((vectors[:, 0] == 0) & (vectors[:, 1] > 0))
    lines = tuple(tuple(vector) for vector in vectors[forward].tolist())
    line_of = np.array(
        [lines.index(tuple((v if f else -v).tolist())) for v, f in zip(vectors, forward, strict=True)]
    )
    denominator, ways = _ways(lines)
    coords = walk.board.coords.astype(np.int64)
    starts, stops = walk.starts, walk.stops
    ahead, line = forward[kinds], line_of[kinds]
    # `move_at` holds the move of each line that begins in each cell, in an array with a margin so that no
    # offset leads out of it.
    margin = 2 * int(np.abs(vectors).max(initial=0))
    first = coords[np.where(ahead, starts, stops)] - coords.min(axis=0) + margin
    height, width = (np.ptp(coords, axis=0) + 2 * margin + 1).tolist()
    position = first[:, 0] * width + first[:, 1]
    number = len(kinds)
    move_at = np.full((len(lines), height * width), -1, dtype=np.int32)
    move_at[line, position] = np.arange(number, dtype=np.int32)

    crossed, odd_length = np.zeros((2, number), dtype=np.int64)
    earlier, later = np.full((2, number), -1, dtype=np.int64)
    for i, row in enumerate(ways):
        mine = np.flatnonzero(line == i)
        # For each move of this line: crossings so far, the position of the last crossing, and the length of
        # its parts, which count alternately positive and negative.
        count, last, length = np.zeros((3, len(mine)), dtype=np.int64)
        before, after = np.full((2, len(mine)), -1, dtype=np.int64)
        for way in row:
            along = int(way.along * denominator)
            crossing = move_at[way.line, position[mine] + (way.offset[0] * width + way.offset[1])]
            hit = np.flatnonzero(crossing >= 0)
            length[hit] += np.where(count[hit] % 2, last[hit] - along, along - last[hit])
            last[hit] = along
            count[hit] += 1
            partner = crossing[hit]
            past = partner < mine[hit]
            before[hit] = np.maximum(before[hit], np.where(past, partner, -1))
            after[hit] = np.maximum(after[hit], np.where(past, -1, partner))
        odd_length[mine] = length + np.where(count % 2, last - denominator, denominator - last)
        crossed[mine], earlier[mine], later[mine] = count, before, after

    run = _longest_run(earlier, later, closed=walk.tour.closed)
    pairs = int(crossed.sum()) // 2
    if not walk.tour.closed or (np.gcd(vectors[:, 0], vectors[:, 1]) > 1).any():
        return Crossings(pairs, run, None)
    # The sign of a move is that of its first part along the tour. A reversed move was measured from its other
    # end, whose sign differs if the number of crossings is odd.
    odd_length[~ahead & (crossed % 2 == 1)] *= -1
    odd_length[(np.cumsum(crossed) - crossed) % 2 == 1] *= -1
    area = int((_shoelaces(coords[starts], coords[stops]) * odd_length).sum())
    return Crossings(pairs, run, Fraction(abs(area), 2 * denominator))


def _longest_run(earlier: Ints, later: Ints, *, closed: bool) -> int:
    """Return the length of the longest run of moves without a crossing.

    Args:
        earlier: index of the last move before each move that crosses it, or -1; shape (moves,).
        later: index of the last move after each move that crosses it, or -1; shape (moves,).
        closed: whether a run may continue from the last move to the first.
    """
    number = len(earlier)
    latest = earlier
    if closed:  # walk round twice; then each run is an interval
        latest = np.concatenate([earlier, np.where(earlier >= 0, earlier + number, later)])
    # The longest run that ends with a move begins after the latest crossing partner of any move so far in it.
    begins = np.maximum.accumulate(latest + 1)
    return min(number, int((np.arange(1, len(latest) + 1) - begins).max(initial=0)))


def swept_area(walk: Walk) -> Fraction | None:
    """The swept area of a closed tour in cells: a region counts once for each winding round it."""
    if not walk.encloses:
        return None
    coords = walk.board.coords.astype(np.int64)
    return Fraction(abs(int(_shoelaces(coords[walk.starts], coords[walk.stops]).sum())), 2)


def _shoelaces(starts: Ints, stops: Ints) -> Ints:
    """Return twice the signed area of the triangle between the origin and each move, shape (moves,)."""
    return np.asarray(starts[:, 0] * stops[:, 1] - starts[:, 1] * stops[:, 0], dtype=np.int64)
