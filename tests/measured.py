"""A second, slow implementation of the measures of tours, with independent formulas.

A tour is given by the coordinates of its cells. Crossings are found by comparing all pairs of moves, angles
and windings by arc tangents, the enclosed area by cutting the plane into strips, symmetries by comparing sets
of moves.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, pairwise, permutations, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

Place = tuple[int, ...]
Flat = tuple[float, float]
Segment = tuple[Flat, Flat]


def moves_of(places: list[Place], *, closed: bool) -> list[tuple[Place, Place]]:
    """Return the moves of a tour, each as a pair of cells."""
    return list(pairwise([*places, places[0]] if closed else places))


def pairs_of(places: list[Place], *, closed: bool) -> list[tuple[Place, Place, Place]]:
    """Return all triples of consecutive cells, cyclically for a closed tour."""
    row = [places[-1], *places, places[0]] if closed else places
    return list(zip(row, row[1:], row[2:], strict=False))


def in_plane(place: Place, *, hexagonal: bool) -> tuple[float, ...]:
    """Return the position of a cell in the plane or in space."""
    if not hexagonal:
        return tuple(map(float, place))
    q, r = place
    return q + r / 2, r * math.sqrt(3) / 2


def angles(places: list[Place], *, closed: bool, hexagonal: bool) -> Counter[float]:
    """Count the angles in degrees, to six decimals."""
    counts: Counter[float] = Counter()
    for triple in pairs_of(places, closed=closed):
        a, b, c = (in_plane(place, hexagonal=hexagonal) for place in triple)
        counts[round(math.degrees(_angle(a, b, c)), 6)] += 1
    return counts


def _angle(a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...]) -> float:
    """Return the angle at b by the law of cosines."""
    x, y, z = math.dist(a, b), math.dist(b, c), math.dist(a, c)
    return math.acos(max(-1.0, min(1.0, (x * x + y * y - z * z) / (2 * x * y))))


def longest_run(places: list[Place], *, closed: bool, hexagonal: bool) -> int:
    """Return the largest number of consecutive moves in one direction, by trying every start."""
    moves = moves_of(places, closed=closed)
    straight = [round(angle, 6) == 180 for angle in _in_order(places, closed=closed, hexagonal=hexagonal)]
    best = 1 if moves else 0
    for i in range(len(moves)):
        run = 1
        while (
            run < len(moves) and (closed or i + run < len(moves)) and straight[(i + run - 1) % len(straight)]
        ):
            run += 1
        best = max(best, run)
    return best


def _in_order(places: list[Place], *, closed: bool, hexagonal: bool) -> list[float]:
    """Return the angle after each move, in degrees."""
    threes = pairs_of(places, closed=closed)
    if closed:
        threes = [*threes[1:], threes[0]]
    positions = [[in_plane(place, hexagonal=hexagonal) for place in triple] for triple in threes]
    return [math.degrees(_angle(*triple)) for triple in positions]


def lines(places: list[Place], *, closed: bool) -> Counter[Place]:
    """Count the moves by direction, given as the smallest vector."""
    counts: Counter[Place] = Counter()
    for a, b in moves_of(places, closed=closed):
        vector = tuple(y - x for x, y in zip(a, b, strict=True))
        common = math.gcd(*vector)
        small = tuple(x // common for x in vector)
        counts[max(small, tuple(-x for x in small))] += 1
    return counts


def cross(first: tuple[Place, Place], second: tuple[Place, Place]) -> bool:
    """Whether two moves cross: each line separates the ends of the other move."""

    def side(a: Place, b: Place, c: Place) -> int:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    return (
        side(*first, second[0]) * side(*first, second[1]) < 0
        and side(*second, first[0]) * side(*second, first[1]) < 0
    )


def crossings(places: list[Place], *, closed: bool) -> int:
    """Count the pairs of moves that cross."""
    return sum(cross(first, second) for first, second in combinations(moves_of(places, closed=closed), 2))


def uncrossed_run(places: list[Place], *, closed: bool) -> int:
    """The length of the longest run of moves without a crossing, by extending a run from each move."""
    moves = moves_of(places, closed=closed)
    best = 0
    for first in range(len(moves)):
        run: list[tuple[Place, Place]] = []
        for move in [*moves[first:], *moves[: first * closed]]:
            if any(cross(move, earlier) for earlier in run):
                break
            run.append(move)
        best = max(best, len(run))
    return best


def swept_area(places: list[Place]) -> float:
    """Return the area between the tour and the axis, by trapezoids."""
    return abs(sum((b[1] - a[1]) * (a[0] + b[0]) / 2 for a, b in moves_of(places, closed=True)))


def enclosed_area(places: list[Place]) -> float:
    """Return the area inside by the even-odd rule, in strips in which no two moves cross."""
    segments: list[Segment] = []
    for a, b in moves_of(places, closed=True):
        low, high = sorted([(float(a[0]), float(a[1])), (float(b[0]), float(b[1]))])
        if low[0] < high[0]:
            segments.append((low, high))
    heights = {end[0] for segment in segments for end in segment}
    for first, second in combinations(segments, 2):
        if first[0][0] < second[1][0] and second[0][0] < first[1][0]:
            slopes = [(s[1][1] - s[0][1]) / (s[1][0] - s[0][0]) for s in (first, second)]
            if slopes[0] != slopes[1]:
                y = (second[0][1] - slopes[1] * second[0][0] - first[0][1] + slopes[0] * first[0][0]) / (
                    slopes[0] - slopes[1]
                )
                if max(first[0][0], second[0][0]) < y < min(first[1][0], second[1][0]):
                    heights.add(round(y, 9))
    total = 0.0
    for low_y, high_y in pairwise(sorted(heights)):
        y = (low_y + high_y) / 2
        crossings_at = sorted(
            a[1] + (b[1] - a[1]) * (y - a[0]) / (b[0] - a[0]) for a, b in segments if a[0] < y < b[0]
        )
        total += (high_y - low_y) * sum(
            right - left for left, right in zip(crossings_at[::2], crossings_at[1::2], strict=True)
        )
    return total


def turning(places: list[Place]) -> int:
    """Return the sum of all turns, in full turns."""
    total = 0.0
    for a, b, c in pairs_of(places, closed=True):
        before, after = (math.atan2(y[1] - x[1], y[0] - x[0]) for x, y in ((a, b), (b, c)))
        total += math.remainder(after - before, math.tau)
    return abs(round(total / math.tau))


def winding(places: list[Place], centre: Flat) -> int | None:
    """Return the sum of angles seen from the centre, in full turns; None if the tour passes through it."""
    total = 0.0
    for a, b in moves_of(places, closed=True):
        (p, q), (r, s) = ((x[0] - centre[0], x[1] - centre[1]) for x in (a, b))
        if abs(math.hypot(p, q) + math.hypot(r, s) - math.dist((p, q), (r, s))) < 1e-9:
            return None
        total += math.remainder(math.atan2(s, r) - math.atan2(q, p), math.tau)
    return abs(round(total / math.tau))


def whirl(places: list[Place], centre: Flat, *, closed: bool, hexagonal: bool) -> int:
    """Return the moves to the left of the centre minus those to its right, by the sign of triangles."""
    difference = 0
    for move in moves_of(places, closed=closed):
        (p, q), (r, s) = (
            [x - y for x, y in zip(in_plane(place, hexagonal=hexagonal), centre, strict=True)]
            for place in move
        )
        area = p * s - q * r
        difference += (area > 1e-9) - (area < -1e-9)
    return abs(difference)


def box_maps(sides: Place) -> list[Callable[[Place], Place]]:
    """Return the isometries that map a box to itself."""

    def make(order: Place, flips: tuple[bool, ...]) -> Callable[[Place], Place]:
        return lambda place: tuple(
            sides[i] - 1 - place[k] if flip else place[k]
            for i, (k, flip) in enumerate(zip(order, flips, strict=True))
        )

    choices = product(permutations(range(len(sides))), product((False, True), repeat=len(sides)))
    return [
        make(order, flips)
        for order, flips in choices
        if all(sides[i] == sides[k] for i, k in enumerate(order))
    ]


def kept(places: list[Place], maps: list[Callable[[Place], Place]], *, closed: bool) -> int:
    """Count the maps that preserve the tour as a set of moves."""
    edges = {frozenset(move) for move in moves_of(places, closed=closed)}
    return sum({frozenset(map(image_of, edge)) for edge in edges} == edges for image_of in maps)


def right_sums(places: list[Place], sides: Place) -> list[bool]:
    """Return whether the sums of all lines along an axis are equal, for each axis, the last axis first."""
    answers = []
    for axis in reversed(range(len(sides))):
        sums: Counter[Place] = Counter()
        for step, place in enumerate(places, 1):
            sums[place[:axis] + place[axis + 1 :]] += step
        answers.append(len(set(sums.values())) == 1)
    return answers
