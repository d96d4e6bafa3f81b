"""Which states of two sides make a single cycle: pairings, contracted vertex by vertex.

Both sides have states on the same vertices, as many for each as there are ways to have its degrees and paths
(see `halves`). A state fits another where every vertex gets two edges from both together, and where the paths
of both together make a single cycle. For each pattern of degrees this is asked by itself. The 2k vertices
with one edge from each side are paired by both; there are (2k - 1)!! pairings, and of all pairs of pairings
a fair share makes a single cycle, so it would not do to try them one by one (40 thousand million for 8x8).
Instead one vertex is contracted at a time: where it goes to b in the one pairing and to c in the other, b's
partner in the other goes to c's place. For all pairings of the other side at once this takes 2k - 2 additions
each, and leaves a smaller problem for every b that occurs.

x is a state of the first side, y one of the second; a pairing is known by its *rank*: the partner of the
smallest vertex first, then the rank of the rest.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.counting.tables import LIMB, WIDEST, Table, column, given, word_layout
from cavalcade.kernels import Kernel
from cavalcade.threads import cores, spread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cavalcade.kernels import Vector

WIDEST_MIDDLE = 20  # vertices: a pattern and a rank together fit into one word
CONTRACTED = 7  # pairs; beyond that pairings are too many to have a number each, and are tried one by one
PARTS = 8  # of the states, for each core to rank and sort


def _rank(mate: Vector, places: Vector, n: int, taken: Vector) -> int:
    """The rank of a pairing of the first n of some places."""
    rank = 0
    left = n
    for i in range(n):
        taken[places[i]] = 0
    for i in range(n):
        here = places[i]
        if taken[here]:
            continue
        partner = mate[here]
        taken[here] = 1
        before = 0
        for j in range(i + 1, n):
            other = places[j]
            if other == partner:
                break
            if not taken[other]:
                before += 1
        taken[partner] = 1
        rank = rank * (left - 1) + before
        left -= 2
    return rank


def _unrank(rank: int, n: int, partner: Vector, digits: Vector) -> None:
    """The pairing of 0, …, n - 1 that has a rank."""
    for level in range(n // 2 - 1, -1, -1):
        choices = n - 1 - 2 * level
        digits[level] = rank % choices
        rank //= choices
    for i in range(n):
        partner[i] = -1
    level = 0
    for i in range(n):
        if partner[i] >= 0:
            continue
        skip = digits[level]
        level += 1
        for j in range(i + 1, n):
            if partner[j] < 0:
                if skip == 0:
                    partner[i] = j
                    partner[j] = i
                    break
                skip -= 1


def _sortable(
    keys_low: Vector,
    keys_high: Vector,
    width: int,
    ranks: int,
    shift: Vector,
    bits: Vector,
    mate: Vector,
    seen: Vector,
    single: Vector,
    taken: Vector,
) -> None:
    """Write over the keys: pattern of degrees * ranks + rank of the pairing. `seen` holds -1."""
    for s in range(len(keys_low)):
        low = keys_low[s]
        high = keys_high[s] if len(keys_high) > 0 else 0
        pattern, n = 0, 0
        for i in range(width):
            x = ((low if i < 17 else high) >> shift[i]) & bits[i]
            pattern *= 3
            if x == 1:
                pattern += 2
            elif x > 1:
                pattern += 1
                single[n] = i
                n += 1
                if seen[x] < 0:
                    seen[x] = i
                else:
                    j = seen[x]
                    mate[i] = j
                    mate[j] = i
                    seen[x] = -1
        keys_low[s] = pattern * ranks + _rank(mate, single, n, taken)


def _contractions(
    n: int, into: Vector, partner: Vector, small: Vector, places: Vector, scratch: Vector
) -> None:
    """Where the pairings of n places go when place 0 is contracted.

    into[((b - 1) * (n - 2) + c') * R + r], with R the number of pairings of n - 2 places: the new rank of
    the pairing in which 0 goes to c, and the others are paired by rank r, if 0 goes to b in the other
    pairing. c' counts the places but 0 and b.
    """
    many = 1
    for i in range(n - 3, 1, -2):
        many *= i
    at = 0
    for b in range(1, n):
        for c in range(1, n):
            if c == b:
                continue
            for r in range(many):
                _unrank(r, n - 2, small, scratch)
                for i in range(n - 2):  # the places but 0 and c
                    k = i + 1 if i + 1 < c else i + 2
                    j = small[i]
                    partner[k] = j + 1 if j + 1 < c else j + 2
                d = partner[b]
                partner[c] = d
                partner[d] = c
                m = 0
                for i in range(1, n):
                    if i != b:
                        places[m] = i
                        m += 1
                into[at] = _rank(partner, places, m, scratch)
                at += 1


def _meet(
    first: int,
    until: int,
    keys: Vector,
    counts: Vector,
    other_keys: Vector,
    other_counts: Vector,
    width: int,
    ranks: int,
    image: Vector,
    tables: Vector,
    table_start: Vector,
    vectors: Vector,
    vector_start: Vector,
    modulus: int,
    scratch: Vector,
    room: Vector,
) -> int:
    """The number of cycles that the states from `first` up to `until` make with those of the other side.

    Both lists are sorted. `image[i]` is the place on the other side of place i here. With a modulus the
    result is a remainder; without, it is right if it is less than 2**63. `scratch` is nine times 40 places,
    `room` for the pairings of states that are tried one by one.
    """
    powers, digits = scratch[0:40], scratch[40:80]
    single, other_single = scratch[80:120], scratch[120:160]
    partner, mate, taken = scratch[160:200], scratch[200:240], scratch[240:280]
    turned, last = scratch[280:320], scratch[320:360]
    powers[width] = 1
    for i in range(width, 0, -1):
        powers[i - 1] = powers[i] * 3  # powers[i + 1] goes with place i
    total = 0
    s = first
    while s < until:
        pattern = keys[s] // ranks
        end = s
        while end < len(keys) and keys[end] // ranks == pattern:
            end += 1
        want, n, m = 0, 0, 0
        for i in range(width):
            x = pattern // powers[i + 1] % 3
            want += (2 - x) * powers[image[i] + 1]
            if x == 1:
                single[n] = i
                n += 1
        # the group of states on the other side that fits
        a, b = 0, len(other_keys)
        while a < b:
            middle = (a + b) // 2
            if other_keys[middle] < want * ranks:
                a = middle + 1
            else:
                b = middle
        stop = a
        while stop < len(other_keys) and other_keys[stop] // ranks == want:
            stop += 1
        if stop == a or n == 0:
            s = end
            continue
        for i in range(n):
            taken[image[single[i]]] = i
        for i in range(width):
            if want // powers[i + 1] % 3 == 1:
                other_single[m] = taken[i]  # the m-th of theirs is which of ours
                m += 1
        pairs = n // 2
        many = 1
        for i in range(n - 1, 1, -2):
            many *= i
        contract = pairs <= CONTRACTED and (end - s) * (stop - a) > 4 * pairs * many
        for i in range(n):
            turned[i] = i
        if contract:
            start = vector_start[pairs]
            for i in range(many):
                vectors[start + i] = 0
            for t in range(a, stop):
                _unrank(other_keys[t] % ranks, n, partner, digits)
                for i in range(n):
                    mate[other_single[i]] = other_single[partner[i]]
                vectors[start + _rank(mate, turned, n, taken)] = other_counts[t]
            for i in range(40):
                last[i] = -1
            for t in range(s, end):
                rank = keys[t] % ranks
                for level in range(pairs - 1, -1, -1):
                    digits[level] = rank % (n - 1 - 2 * level)
                    rank //= n - 1 - 2 * level
                same = True
                for level in range(pairs - 1):
                    if same and last[level] == digits[level]:
                        continue
                    same = False
                    last[level] = digits[level]
                    size = n - 2 * level  # places before this contraction
                    below = 1
                    for i in range(size - 3, 1, -2):
                        below *= i
                    old, new = vector_start[size // 2], vector_start[size // 2 - 1]
                    for i in range(below):
                        vectors[new + i] = 0
                    at = table_start[size // 2] + digits[level] * (size - 2) * below
                    for c in range(size - 1):
                        if c == digits[level]:
                            continue
                        source = old + c * below
                        for i in range(below):
                            vectors[new + tables[at + i]] += vectors[source + i]
                        at += below
                    if modulus > 0:
                        for i in range(below):
                            vectors[new + i] %= modulus
                total += counts[t] * vectors[vector_start[1]]
                if modulus > 0:
                    total %= modulus
        else:
            u = s
            while u < end:
                few = min(end - u, len(room) // n)
                for i in range(few):
                    _unrank(keys[u + i] % ranks, n, partner, digits)
                    for j in range(n):
                        room[i * n + j] = partner[j]
                for t in range(a, stop):
                    _unrank(other_keys[t] % ranks, n, partner, digits)
                    for i in range(n):
                        mate[other_single[i]] = other_single[partner[i]]
                    part = 0
                    for i in range(few):
                        here, steps = mate[room[i * n]], 1
                        while here != 0:
                            here = mate[room[i * n + here]]
                            steps += 1
                        if steps == pairs:
                            part += counts[u + i]
                    if modulus > 0:
                        part %= modulus
                    total += part * other_counts[t]
                    if modulus > 0:
                        total %= modulus
                u += few
        s = end
    return total


sortable_kernel = Kernel(_sortable, uses=[_rank])
contractions_kernel = Kernel(_contractions, uses=[_rank, _unrank])
meet_kernel = Kernel(_meet, uses=[_rank, _unrank])


@dataclass(frozen=True)
class Side:
    """The states of one side on the middle, sorted: keys (see `_sortable`), counts in two words."""

    keys: NDArray[np.int64]
    counts: NDArray[np.int64]
    counts_high: NDArray[np.int64]

    @classmethod
    def of(cls, table: Table, width: int) -> Side:
        """The states of a table on `width` places."""
        keys, high, counts, counts_high = (np.asarray(one, dtype=np.int64) for one in table.compact())
        bits = [given(table.tier, x) for x in word_layout()]
        kernel = table.tier(sortable_kernel)
        bounds = np.linspace(0, len(keys), PARTS * cores() + 1).astype(np.int64).tolist()

        def rank(i: int) -> None:
            a, b = bounds[i], bounds[i + 1]
            scratch = [column(table.tier, WIDEST, fill) for fill in (0, -1, 0, 0)]
            kernel(keys[a:b], high[a:b], width, _ranks(width), *bits, *scratch)

        def sort(i: int) -> NDArray[np.int64]:
            some = np.flatnonzero((keys >= cuts[i]) & (keys < cuts[i + 1]))
            return np.asarray(some[np.argsort(keys[some])], dtype=np.int64)

        if not len(keys):
            return cls(keys, counts, counts_high)
        spread(rank, range(len(bounds) - 1))
        sample = np.sort(keys[:: max(1, len(keys) // 4096)])
        inner = sample[np.linspace(0, len(sample), PARTS * cores() + 1).astype(np.int64)[1:-1]]
        cuts = [0, *np.unique(inner).tolist(), np.iinfo(np.int64).max]
        by_key = np.concatenate(spread(sort, range(len(cuts) - 1)))
        return cls(keys[by_key], counts[by_key], counts_high[by_key] if len(counts_high) else counts_high)

    @property
    def bytes(self) -> int:
        """What they take."""
        return self.keys.nbytes + self.counts.nbytes + self.counts_high.nbytes

    def reduced(self, modulus: int) -> NDArray[np.int64]:
        """The counts, or their remainders."""
        if not modulus:
            return self.counts
        low = self.counts % modulus
        if not len(self.counts_high):
            return low
        return (low + self.counts_high % modulus * (LIMB % modulus)) % modulus

    def sums(self, ranks: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The patterns, and the sum of the counts of each."""
        patterns = self.keys // ranks
        starts = np.flatnonzero(np.diff(patterns, prepend=-1))
        counts = self.counts + float(LIMB) * self.counts_high if len(self.counts_high) else self.counts
        return patterns[starts], np.add.reduceat(counts.astype(np.float64), starts)


def _ranks(width: int) -> int:
    """How many pairings there are of as many of `width` places as can be paired."""
    return math.prod(range(width // 2 * 2 - 1, 1, -2))


@functools.cache
def _tables(most: int) -> tuple[list[int], NDArray[np.int32], list[int]]:
    """Of each number of pairs where its contractions begin, these, and where its vector begins."""
    starts, vectors = [0, 0], [0, 0]
    parts = [np.zeros(0, dtype=np.int32)]
    scratch = [np.zeros(40, dtype=np.int64) for _ in range(4)]
    for pairs in range(2, most + 1):
        n = 2 * pairs
        into = np.zeros((n - 2) * _ranks(n), dtype=np.int32)
        contractions_kernel.compiled(n, into, *scratch)
        vectors.append(vectors[-1] + _ranks(n - 2))
        starts.append(sum(len(part) for part in parts))
        parts.append(into)
    return starts, np.concatenate(parts), vectors


def met(first: Side, other: Side, image: list[int]) -> int:
    """How many cycles the states of both sides make."""
    if not len(first.keys):
        return 0
    width = len(image)
    ranks = _ranks(width)
    most_pairs = min(CONTRACTED, width // 2)
    starts, tables, vectors = _tables(most_pairs)
    size = vectors[-1] + _ranks(2 * most_pairs)
    edges = np.linspace(0, len(first.keys), 64 * cores() + 1).astype(np.int64)
    inner = first.keys[edges[1:-1]] // ranks * ranks
    bounds = sorted({0, len(first.keys), *np.searchsorted(first.keys, inner).tolist()})
    kernel = meet_kernel.compiled

    def meet(modulus: int) -> int:
        mine, theirs = first.reduced(modulus), other.reduced(modulus)

        def part(i: int) -> int:
            room = (size, 360, 1 << 16)
            vector, scratch, partners = (np.zeros(many, dtype=np.int64) for many in room)
            given_tables = (tables, np.array(starts), vector, np.array(vectors))
            found = kernel(
                bounds[i], bounds[i + 1], first.keys, mine, other.keys, theirs, width, ranks,
                np.array(image), *given_tables, modulus, scratch, partners,
            )  # fmt: skip
            return int(found)

        return sum(spread(part, range(len(bounds) - 1)))

    most = bound(first, other, image, ranks)
    if most < 2.0**62:
        return meet(0)
    found, product = 0, 1
    for prime in _primes():
        found += product * ((meet(prime) - found) * pow(product, -1, prime) % prime)
        product *= prime
        if product > 2 * most:
            return found
    raise AssertionError  # there is always another prime


def _primes() -> Iterator[int]:
    """Primes below 2**31, the largest first: products of two remainders fit into a word."""
    for n in range(2**31 - 1, 0, -2):
        if all(n % d for d in range(3, math.isqrt(n) + 1, 2)):
            yield n


def bound(first: Side, other: Side, image: list[int], ranks: int) -> float:
    """No fewer than there are cycles: every state with every one on the other side that fits its degrees."""
    patterns, sums = first.sums(ranks)
    others, other_sums = (patterns, sums) if first is other else other.sums(ranks)
    width = len(image)
    want = np.zeros_like(patterns)
    for i, j in enumerate(image):
        want += (2 - patterns // 3 ** (width - 1 - i) % 3) * 3 ** (width - 1 - j)
    at = np.minimum(np.searchsorted(others, want), len(others) - 1)
    return float(np.sum(sums * np.where(others[at] == want, other_sums[at], 0.0)))
