"""Crossings, areas and uncrossed runs of tours in the plane, computed in integers.

Two moves cross at a point inside both if they are not parallel. Moves that share a cell do not cross there,
and overlapping moves of long leapers do not cross. A knight's move never passes through the centre of a cell,
and two knight's moves never overlap.

Only nearby moves can cross. For two given vectors, the starts from which the second move crosses the first
lie in a parallelogram. The table of these relative positions is computed once per piece; then a kernel looks
up each entry for each move of each tour.

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

from cavalcade.answers.measures import Areas
from cavalcade.answers.measures.moves import WalkArrays
from cavalcade.ground.kernels import Ints, Mask, Tier, Vector


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
def _ways(vectors: tuple[tuple[int, ...], ...]) -> tuple[int, list[list[Way]]]:
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
    """The crossings of several tours.

    Args:
        numbers: pairs of moves that cross, shape (tours,).
        uncrossed_runs: the largest number of consecutive moves no two of which cross, shape (tours,).
        areas: the enclosed areas of closed tours; None if the tours are open or if moves can pass through the
            centres of cells.
    """

    numbers: Ints
    uncrossed_runs: Ints
    areas: Areas | None


def crossings(walks: WalkArrays) -> Ints | None:
    """Pairs of moves that cross at a point inside both."""
    return None if (crossed := _crossed(walks)) is None else crossed.numbers


def uncrossed_run(walks: WalkArrays) -> Ints | None:
    """The largest number of consecutive moves no two of which cross."""
    return None if (crossed := _crossed(walks)) is None else crossed.uncrossed_runs


def enclosed_area(walks: WalkArrays) -> Areas | None:
    """The area of the regions round which a closed tour winds an odd number of times, in cells."""
    return None if (crossed := _crossed(walks)) is None else crossed.areas


@lru_cache(maxsize=1)
def _crossed(walks: WalkArrays) -> Crossings | None:
    """Find all crossings of tours in the plane; None elsewhere."""
    if not walks.in_plane or walks.table is None:
        return None
    vectors, closed = walks.table.vectors, walks.tours.closed
    # A move and its reverse are the same line: the lines are the vectors that point down, or right.
    forward = (vectors[:, 0] > 0) | ((vectors[:, 0] == 0) & (vectors[:, 1] > 0))
    lines = tuple(tuple(vector) for vector in vectors[forward].tolist())
    line_of = [lines.index(tuple((v if f else -v).tolist())) for v, f in zip(vectors, forward, strict=True)]
    denominator, ways = _ways(lines)
    # The grid has a margin so that no offset leads out of it, and a place for each line in every cell.
    margin = 2 * int(np.abs(vectors).max(initial=0))
    corner = np.array([int(axis.min(initial=0)) - margin for axis in walks.coords])
    height, width = (
        int(axis.max(initial=0)) - low + margin + 1 for axis, low in zip(walks.coords, corner, strict=True)
    )
    flat_ways = [(i, way) for i, row in enumerate(ways) for way in row]
    offset = [(way.offset[0] * width + way.offset[1]) * len(lines) + way.line - i for i, way in flat_ways]
    along = [int(way.along * denominator) for _, way in flat_ways]
    # Position of the first end of the line of each move: a move that goes backwards ends there.
    (row, _), (column, _) = walks.ends
    flat_vectors = vectors @ [width, 1]
    shift = np.where(forward, 0, flat_vectors) * len(lines) + line_of - (corner @ [width, 1]) * len(lines)
    positions = (row * width + column) * len(lines) + shift[walks.kinds]

    number, moves = walks.starts.shape
    tier = Tier(positions.size * (1 + len(flat_ways) / max(1, len(lines))))
    of_moves = (positions, walks.kinds, walks.shoelaces)
    of_ways = (
        np.array(line_of, dtype=np.int64),
        (~forward).astype(np.int64),
        np.cumsum([0, *map(len, ways)]),
        np.array(offset, dtype=np.int64),
        np.array(along, dtype=np.int64),
    )
    tables = [tier.vector(np.ascontiguousarray(array).reshape(-1)) for array in (*of_moves, *of_ways)]
    scratch = [tier.full(size, -1) for size in (len(lines) * height * width, moves, moves)]
    results = tier.column(3 * number)
    tier(find_crossings)(number, moves, 1 + closed, *tables, denominator, *scratch, results)
    pairs, runs, areas = np.array(results, dtype=np.int64).reshape(number, 3).T
    through_centres = (np.gcd(vectors[:, 0], vectors[:, 1]) > 1).any()
    whole = None if not closed or through_centres else Areas(np.abs(areas), 2 * denominator)
    return Crossings(pairs, runs, whole)


def find_crossings(
    number: int,
    moves: int,
    rounds: int,
    positions: Vector,
    kinds: Vector,
    shoelaces: Vector,
    line_of: Vector,
    back_of: Vector,
    first_way: Vector,
    offset: Vector,
    along: Vector,
    denominator: int,
    grid: Vector,
    earlier: Vector,
    later: Vector,
    results: Vector,
) -> None:
    """Count the crossings of tours, find their longest uncrossed runs, and compute their enclosed areas.

    Args:
        number: number of tours.
        moves: number of moves of a tour.
        rounds: 2 if a run may continue from the last move to the first, otherwise 1.
        positions: index in `grid` of each move, shape (number * moves,), as all arrays of moves.
        kinds: index of the vector of each move.
        shoelaces: twice the signed area of the triangle between the origin and each move.
        line_of: line of each vector.
        back_of: 1 if a vector goes against the direction of its line, otherwise 0.
        first_way: offset of the ways to cross each line, shape (lines + 1,).
        offset: index in `grid` of the crossing move relative to the crossed one, one per way.
        along: distance of the crossing from the first end of the crossed line, one per way, ascending for a
            line; the unit is 1 / denominator of the line.
        denominator: common denominator of all distances.
        grid: scratch space for the index of the move on each line and place, all -1.
        earlier: scratch space for the last earlier move that crosses each move, shape (moves,).
        later: scratch space for the last later move that crosses each move, shape (moves,).
        results: receives the pairs of moves that cross, the longest run, and the signed area in units of
            1 / (2 * denominator) cells, for each tour; shape (3 * number,).
    """
    for tour in range(number):
        first_move = tour * moves
        for move in range(moves):
            grid[positions[first_move + move]] = move
        crossed, area = 0, 0
        for move in range(moves):
            index = first_move + move
            position, kind = positions[index], kinds[index]
            line = line_of[kind]
            count, last, length, before, after = 0, 0, 0, -1, -1
            # The parts of a move between its crossings count alternately positive and negative.
            for way in range(first_way[line], first_way[line + 1]):
                partner = grid[position + offset[way]]
                if partner >= 0:
                    length += last - along[way] if count % 2 else along[way] - last
                    last = along[way]
                    count += 1
                    if partner < move:
                        before = max(before, partner)
                    else:
                        after = max(after, partner)
            length += last - denominator if count % 2 else denominator - last
            # The sign of a move is that of its first part along the tour. A move back was measured from its
            # other end, whose sign differs if the number of crossings is odd.
            area += shoelaces[index] * (-length if (crossed + back_of[kind] * count) % 2 else length)
            crossed += count
            earlier[move], later[move] = before, after
        # The longest run that ends with a move begins after the latest partner of any move so far in it. A
        # closed tour is walked twice; then each run is an interval.
        begin, longest = 0, 0
        for step in range(rounds * moves):
            latest = earlier[step % moves]
            if step >= moves:
                latest = latest + moves if latest >= 0 else later[step - moves]
            begin = max(begin, latest + 1)
            longest = max(longest, step + 1 - begin)
        results[3 * tour] = crossed // 2
        results[3 * tour + 1] = min(moves, longest)
        results[3 * tour + 2] = area
        for move in range(moves):
            grid[positions[first_move + move]] = -1


def swept_area(walks: WalkArrays) -> Areas | None:
    """The swept area of a closed tour in cells: a region counts once for each winding round it."""
    return Areas(np.abs(walks.shoelaces.sum(axis=1)), 2) if walks.encloses else None
