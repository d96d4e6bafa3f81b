"""The second count in halves: which states of the two halves make a single cycle where they meet.

This shares no code with `counting`. States are grouped by the degrees of the vertices in the middle. The
matchings of a group are tried pair by pair; if there are many, points are contracted one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cavalcade.checking.geometry import Ints
from cavalcade.checking.recount import DONE, Bytes, Recounted
from cavalcade.ground.budget import assert_time
from cavalcade.ground.kernels import compiled

PAIRS = 1 << 16  # pairs of matchings up to which they are tried one by one


@dataclass(frozen=True)
class OnMiddle:
    """States on the middle: the degree of each vertex, the other end of its path, and the ways to each."""

    degrees: Bytes
    partners: Bytes
    ways: Ints

    @classmethod
    def of(cls, states: Recounted, middle: Sequence[int], image: Sequence[int], prime: int) -> OnMiddle:
        """States with a column for each vertex of the middle, which is the image of one in `states`."""
        at = {image[v]: place for v, place in states.places.items()}
        column = np.zeros(256, dtype=np.uint8)  # of each place
        for i, v in enumerate(middle):
            column[at.get(v, DONE)] = i
        shape = (len(states.rows), len(middle))
        degrees, partners = np.zeros(shape, dtype=np.uint8), np.zeros(shape, dtype=np.uint8)
        for i, v in enumerate(middle):
            if v in at:
                held = states.rows[:, at[v]]
                degrees[:, i] = np.where(held == DONE, 2, held != at[v])
                partners[:, i] = column[held]
        return cls(degrees, partners, states.ways % prime)

    def matchings(self, some: Ints, ends: Ints) -> tuple[Bytes, Ints]:
        """The partners of the ends of some states, as positions among the ends, and the ways."""
        number = np.zeros(256, dtype=np.uint8)
        number[ends] = np.arange(len(ends))
        return number[self.partners[some][:, ends]], self.ways[some]


def met(ours: OnMiddle, theirs: OnMiddle, places: Sequence[int], prime: int) -> dict[int, int]:
    """The number of cycles that the states of both parts make together, by class, modulo a prime.

    Args:
        ours: states of our part.
        theirs: states of the other part, on the same middle.
        places: of the middle; their degrees in our part are the digits of a class, the first one last.
        prime: below 2**31.
    """
    width = ours.degrees.shape[1]
    powers = 3 ** np.arange(width, dtype=np.int64)
    codes, fitting = ours.degrees @ powers, (2 - theirs.degrees.astype(np.int64)) @ powers
    found: dict[int, int] = {}
    for code, here, there in _groups(codes, fitting):
        degrees = [code // 3**i % 3 for i in range(width)]
        ends = np.array([i for i in range(width) if degrees[i] == 1], dtype=np.int64)
        assert_time("the halves were put together again")
        again = _cycles(*ours.matchings(here, ends), *theirs.matchings(there, ends), prime)
        number = sum(degrees[place] * 3**i for i, place in enumerate(places))
        found[number] = (found.get(number, 0) + again) % prime
    return found


def _groups(codes: Ints, fitting: Ints) -> Iterator[tuple[int, Ints, Ints]]:
    """Each number that occurs in both lists, and where it occurs in each."""
    order, other = np.argsort(codes, kind="stable"), np.argsort(fitting, kind="stable")
    ours, theirs = codes[order], fitting[other]
    for code in np.intersect1d(ours, theirs).tolist():
        here, there = (slice(*np.searchsorted(some, [code, code + 1]).tolist()) for some in (ours, theirs))
        yield code, order[here], other[there]


def _cycles(ours: Bytes, ways: Ints, theirs: Bytes, other_ways: Ints, prime: int) -> int:
    """The number of ways in which a matching of each kind make a single cycle, modulo a prime.

    Args:
        ours: matchings of n points, (k, n): the partner of each.
        ways: the number of ways to each, below the prime.
        theirs: matchings of the same points, (k', n).
        other_ways: the number of ways to each of `theirs`, below the prime.
        prime: below 2**31.

    Many matchings are not tried pair by pair: the partner k of point 0 in theirs and its partner in ours
    become partners in ours, for each k by itself; then there are two points less, and many become the same.
    """
    n = ours.shape[1]
    if n == 0:
        return 0
    if len(ours) * len(theirs) <= PAIRS or n == 2:
        return int(compiled(_tried)(ours, ways, theirs, other_ways, prime))
    total = 0
    for k in range(1, n):
        some = np.flatnonzero(ours[:, 0] != k)
        rest = np.array([i for i in range(n) if i not in {0, k}])
        joined, rows = ours[some], np.arange(len(some))
        a, b = joined[:, 0].copy(), joined[:, k].copy()
        joined[rows, a], joined[rows, b] = b, a
        fits = theirs[:, 0] == k
        number = np.zeros(n, dtype=np.uint8)
        number[rest] = np.arange(n - 2)
        if len(some) and fits.any():
            one = _merged(number[joined[:, rest]], ways[some], prime)
            total += _cycles(*one, number[theirs[fits][:, rest]], other_ways[fits], prime)
    return total % prime


def _merged(rows: Bytes, ways: Ints, prime: int) -> tuple[Bytes, Ints]:
    """Deduplicate rows, and add up their numbers of ways."""
    order = np.lexsort(rows.T)
    rows, ways = rows[order], ways[order]
    first = np.flatnonzero(np.append(True, (rows[1:] != rows[:-1]).any(axis=1)))
    return rows[first], np.add.reduceat(ways, first) % prime


def _tried(ours: Bytes, ways: Ints, theirs: Bytes, other_ways: Ints, prime: int) -> int:
    """The result of `_cycles`, by trying every pair of matchings."""
    n = ours.shape[1]
    total = 0
    for i in range(len(ours)):
        for j in range(len(theirs)):
            at, steps = 0, 0
            while True:
                at = theirs[j, ours[i, at]]
                steps += 2
                if at == 0:
                    break
            if steps == n:
                total = (total + ways[i] * other_ways[j]) % prime
    return total
