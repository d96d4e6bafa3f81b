"""The second count in halves: which states of the two halves make a single cycle together.

It shares no code with `counting`. States are grouped by the degrees of the vertices in the middle. The
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

PAIRS = 1 << 16  # pairs of matchings up to which all pairs are tried: a few milliseconds


@dataclass(frozen=True)
class OnMiddle:
    """States restricted to the middle.

    Attributes:
        degrees: degrees of the vertices of the middle, shape (states, middle).
        partners: the other end of the path that ends at each vertex, shape (states, middle).
        ways: the number of ways to each state, modulo a prime.
    """

    degrees: Bytes
    partners: Bytes
    ways: Ints

    @classmethod
    def of(cls, states: Recounted, middle: Sequence[int], image: Sequence[int], prime: int) -> OnMiddle:
        """Restrict states to the middle, whose vertices are the images of the vertices in `states`."""
        places = {image[v]: place for v, place in states.places.items()}
        column = np.zeros(DONE + 1, dtype=np.uint8)  # the position in the middle, for each place
        for i, v in enumerate(middle):
            column[places.get(v, DONE)] = i
        shape = (len(states.rows), len(middle))
        degrees, partners = np.zeros(shape, dtype=np.uint8), np.zeros(shape, dtype=np.uint8)
        for i, v in enumerate(middle):
            if v in places:
                held = states.rows[:, places[v]]
                degrees[:, i] = np.where(held == DONE, 2, held != places[v])
                partners[:, i] = column[held]
        return cls(degrees, partners, states.ways % prime)

    def matchings(self, states: Ints, ends: Ints) -> tuple[Bytes, Ints]:
        """The partners of the ends of paths in some states, as positions in `ends`, and the ways."""
        number = np.zeros(self.partners.shape[1], dtype=np.uint8)
        number[ends] = np.arange(len(ends))
        return number[self.partners[states][:, ends]], self.ways[states]


def met(ours: OnMiddle, theirs: OnMiddle, places: Sequence[int], prime: int) -> dict[int, int]:
    """The number of cycles that the states of both parts make together, by class, modulo a prime.

    Args:
        ours: states of our part.
        theirs: states of the other part, on the same middle.
        places: positions in the middle of the cells of classes. The degrees of these cells in our part are
            the ternary digits of a class, the first cell is the least significant digit.
        prime: the modulus, below 2**31.
    """
    width = ours.degrees.shape[1]
    powers = 3 ** np.arange(width, dtype=np.int64)
    codes, fitting = ours.degrees @ powers, (2 - theirs.degrees.astype(np.int64)) @ powers
    by_class: dict[int, int] = {}
    for code, our_states, their_states in _groups(codes, fitting):
        degrees = [code // 3**i % 3 for i in range(width)]
        ends = np.array([i for i in range(width) if degrees[i] == 1], dtype=np.int64)
        assert_time("the halves were put together again")
        cycles = _cycles(*ours.matchings(our_states, ends), *theirs.matchings(their_states, ends), prime)
        number = sum(degrees[place] * 3**i for i, place in enumerate(places))
        by_class[number] = (by_class.get(number, 0) + cycles) % prime
    return by_class


def _groups(codes: Ints, fitting: Ints) -> Iterator[tuple[int, Ints, Ints]]:
    """Yield each code that occurs in both arrays, and its indices in each array."""
    orders = [np.argsort(array, kind="stable") for array in (codes, fitting)]
    arrays = [codes[orders[0]], fitting[orders[1]]]
    for code in np.intersect1d(arrays[0], arrays[1]).tolist():
        ours, theirs = (slice(*np.searchsorted(array, [code, code + 1]).tolist()) for array in arrays)
        yield code, orders[0][ours], orders[1][theirs]


def _cycles(ours: Bytes, ways: Ints, theirs: Bytes, other_ways: Ints, prime: int) -> int:
    """Add up the ways of all pairs of matchings that form a single cycle, modulo a prime.

    If there are many pairs, matchings are grouped by the partner k of point 0 in `theirs`. Points 0 and k are
    then contracted: their partners in `ours` become partners of each other. That leaves n - 2 points, and
    many matchings become equal.

    Args:
        ours: the partner of each of n points in each matching, shape (matchings, n).
        ways: the number of ways to each matching of `ours`, below the prime.
        theirs: other matchings of the same points, shape (matchings, n).
        other_ways: the number of ways to each matching of `theirs`, below the prime.
        prime: the modulus, below 2**31.
    """
    n = ours.shape[1]
    if n == 0:
        return 0
    if len(ours) * len(theirs) <= PAIRS or n == 2:
        return int(compiled(_tried)(ours, ways, theirs, other_ways, prime))
    total = 0
    for k in range(1, n):
        # A matching that joins 0 and k, too, would close a cycle through these two points alone.
        open_rows = np.flatnonzero(ours[:, 0] != k)
        rest = np.array([i for i in range(n) if i not in {0, k}])
        joined, rows = ours[open_rows], np.arange(len(open_rows))
        a, b = joined[:, 0].copy(), joined[:, k].copy()
        joined[rows, a], joined[rows, b] = b, a
        fits = theirs[:, 0] == k
        number = np.zeros(n, dtype=np.uint8)
        number[rest] = np.arange(n - 2)
        if len(open_rows) and fits.any():
            merged = _merged(number[joined[:, rest]], ways[open_rows], prime)
            total += _cycles(*merged, number[theirs[fits][:, rest]], other_ways[fits], prime)
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
            # Follow the cycle through point 0; it is the only cycle if it visits all points.
            point, steps = 0, 0
            while True:
                point = theirs[j, ours[i, point]]
                steps += 2
                if point == 0:
                    break
            if steps == n:
                total = (total + ways[i] * other_ways[j]) % prime
    return total
