"""Which states of two sides make a single cycle: perfect matchings, contracted vertex by vertex.

Both sides have states on the same vertices, the middle, as many for each as there are ways to have its
degrees and paths (see `meeting`). A state fits another where every vertex gets two edges from both together,
and where the paths of both together make a single cycle. Each pattern of degrees is a question by itself. The
2k vertices with one edge from each side are the ends of paths in both: each state matches them in pairs, in
one of (2k - 1)!! ways. Many pairs of matchings make a single cycle, so trying them one by one takes too long
(40 thousand million pairs for 8x8). Instead one vertex is contracted at a time: if its partner is b in our
matching and c in the matching of the other side, then b and c become partners there. For all matchings of the
other side this takes 2k - 2 additions each, and leaves a smaller problem for every b that occurs.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cavalcade.counting.residues import combined, primes_for
from cavalcade.counting.sides import Side, number_of, rank_of, read_digits, unrank
from cavalcade.ground.budget import assert_time
from cavalcade.ground.kernels import Cells, Vector, compiled
from cavalcade.ground.threads import cores, spread

WIDEST_MIDDLE = 20  # vertices: a pattern and a rank together fit into one word
CONTRACTED = 7  # pairs; beyond that matchings are too many to have a number each, and are tried one by one
ROOM = 40  # places in each list of scratch


def _contractions(
    n: int, into: Vector, partner: Vector, small: Vector, places: Vector, scratch: Vector
) -> None:
    """Where the matchings of n places go when place 0 is contracted.

    into[((b - 1) * (n - 2) + c') * R + r], with R the number of matchings of n - 2 places: the new rank of
    the matching in which 0 goes to c, and the others are paired by rank r, if 0 goes to b in the other
    matching. c' counts the places but 0 and b.
    """
    many = number_of(n - 2)
    at = 0
    for b in range(1, n):
        for c in range(1, n):
            if c == b:
                continue
            for r in range(many):
                unrank(r, n - 2, small, scratch)
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
                into[at] = rank_of(partner, places, m, scratch)
                at += 1


class Sorted(NamedTuple):
    """The states of one side, sorted by their keys, and their counts."""

    keys: Vector
    counts: Vector


class Contractions(NamedTuple):
    """For each number of pairs where its part of `into` begins (see `_contractions`) and that of `sums`.

    `sums` has a number for each matching of so many pairs: what it counts on the other side.
    """

    into: Vector
    start: Vector
    sums: Vector
    sums_start: Vector


class Room(NamedTuple):
    """What a meeting needs to work.

    Args:
        powers: `powers[i]` is the power of 3 of place i in a pattern.
        ours: the places with one edge, of which there are n.
        theirs: for the m-th of these places on their side, which of ours it is.
        partner: a matching of 0, …, n - 1, as `unrank` reads it.
        mate: one of theirs, in terms of ours.
        digits: those of the rank of one of ours.
        last: those of the one before it.
        taken: for `rank_of`.
        same: 0, 1, 2, …
        few: the partners in some of ours, one matching after the other.
    """

    powers: Vector
    ours: Vector
    theirs: Vector
    partner: Vector
    mate: Vector
    digits: Vector
    last: Vector
    taken: Vector
    same: Vector
    few: Vector


def _fitting(pattern: int, width: int, image: Vector, room: Room) -> tuple[int, int]:
    """The pattern of degrees that fits one on the other side, and n; fills `ours` and `theirs`."""
    powers, ours, theirs, taken = room.powers, room.ours, room.theirs, room.taken
    fits, n, m = 0, 0, 0
    for i in range(width):
        x = pattern // powers[i] % 3
        fits += (2 - x) * powers[image[i]]
        if x == 1:
            ours[n] = i
            n += 1
    for i in range(n):
        taken[image[ours[i]]] = i
    for i in range(width):
        if fits // powers[i] % 3 == 1:
            theirs[m] = taken[i]
            m += 1
    return fits, n


def _group(states: Sorted, pattern: int, ranks: int) -> Sorted:
    """The states with a pattern."""
    first = np.searchsorted(states.keys, pattern * ranks)
    until = np.searchsorted(states.keys, (pattern + 1) * ranks)
    return Sorted(states.keys[first:until], states.counts[first:until])


def _read_theirs(rank: int, n: int, room: Room) -> None:
    """Put one of their matchings into `mate`, in terms of ours."""
    partner, mate, theirs = room.partner, room.mate, room.theirs
    unrank(rank, n, partner, room.digits)
    for i in range(n):
        mate[theirs[i]] = theirs[partner[i]]


def _contract(size: int, b: int, modulus: int, tables: Contractions) -> None:
    """Contract place 0, which goes to b + 1 with us, in all matchings of `size` places on their side."""
    into, sums = tables.into, tables.sums
    below = number_of(size - 2)
    old, new = tables.sums_start[size // 2], tables.sums_start[size // 2 - 1]
    for i in range(below):
        sums[new + i] = 0
    at = tables.start[size // 2] + b * (size - 2) * below
    for c in range(size - 1):  # where it goes with them
        if c == b:
            continue
        source = old + c * below
        for i in range(below):
            sums[new + into[at + i]] += sums[source + i]
        at += below
    if modulus > 0:
        for i in range(below):
            sums[new + i] %= modulus


def _contracted(
    ours: Sorted, theirs: Sorted, n: int, ranks: int, modulus: int, tables: Contractions, room: Room
) -> int:
    """The cycles that two groups of states make, by contraction.

    Our matchings come sorted by rank, so one begins as the one before it, and so do its contractions.
    """
    pairs = n // 2
    sums, digits, last = tables.sums, room.digits, room.last
    at = tables.sums_start[pairs]
    for i in range(number_of(n)):
        sums[at + i] = 0
    for t in range(len(theirs.keys)):
        _read_theirs(theirs.keys[t] % ranks, n, room)
        sums[at + rank_of(room.mate, room.same, n, room.taken)] = theirs.counts[t]
    for level in range(pairs):
        last[level] = -1
    total = 0
    for s in range(len(ours.keys)):
        read_digits(ours.keys[s] % ranks, n, digits)
        as_before = True
        for level in range(pairs - 1):
            as_before = as_before and last[level] == digits[level]
            if not as_before:
                last[level] = digits[level]
                _contract(n - 2 * level, digits[level], modulus, tables)
        total += ours.counts[s] * sums[tables.sums_start[1]]
        if modulus > 0:
            total %= modulus
    return total


def _tried(ours: Sorted, theirs: Sorted, n: int, ranks: int, modulus: int, room: Room) -> int:
    """The cycles that two groups of states make, each with each, by walking around."""
    few, mate = room.few, room.mate
    total = 0
    s = 0
    while s < len(ours.keys):
        many = min(len(ours.keys) - s, len(few) // n)
        for i in range(many):
            unrank(ours.keys[s + i] % ranks, n, room.partner, room.digits)
            for j in range(n):
                few[i * n + j] = room.partner[j]
        for t in range(len(theirs.keys)):
            _read_theirs(theirs.keys[t] % ranks, n, room)
            part = 0
            for i in range(many):
                at, steps = mate[few[i * n]], 1
                while at != 0:
                    at = mate[few[i * n + at]]
                    steps += 1
                if 2 * steps == n:
                    part += ours.counts[s + i]
            if modulus > 0:
                part %= modulus
            total += part * theirs.counts[t]
            if modulus > 0:
                total %= modulus
        s += many
    return total


def _meet(
    ours: Sorted,
    theirs: Sorted,
    image: Vector,
    ranks: int,
    modulus: int,
    tables: Contractions,
    room: Room,
) -> int:
    """The number of cycles that our states make with theirs, pattern by pattern.

    `image[i]` is the place on the other side of place i here. With a modulus the result is a remainder;
    without, it is right if it is less than 2**63.
    """
    width = len(image)
    total = 0
    s = 0
    while s < len(ours.keys):
        pattern = ours.keys[s] // ranks
        here = _group(ours, pattern, ranks)
        fits, n = _fitting(pattern, width, image, room)
        there = _group(theirs, fits, ranks)
        pairs = len(here.keys) * len(there.keys)
        if pairs > 0 and n > 0:
            if n // 2 <= CONTRACTED and pairs > 2 * n * number_of(n):
                total += _contracted(here, there, n, ranks, modulus, tables, room)
            else:
                total += _tried(here, there, n, ranks, modulus, room)
            if modulus > 0:
                total %= modulus
        s += len(here.keys)
    return total


@functools.cache
def _tables(most: int) -> tuple[Cells, list[int], list[int]]:
    """All contractions of up to so many pairs; of each number of pairs where they begin, and its sums."""
    starts, sums = [0, 0], [0, 0]
    parts = [np.zeros(0, dtype=np.int32)]
    scratch = [np.zeros(ROOM, dtype=np.int64) for _ in range(4)]
    for pairs in range(2, most + 1):
        n = 2 * pairs
        into = np.zeros((n - 2) * number_of(n), dtype=np.int32)
        compiled(_contractions)(n, into, *scratch)
        sums.append(sums[-1] + number_of(n - 2))
        starts.append(sum(map(len, parts)))
        parts.append(into)
    return np.concatenate(parts), starts, sums


def met(first: Side, other: Side, image: list[int], remainders: Sequence[int] = ()) -> int:
    """How many cycles the states of both sides make; given primes below 2**31, modulo their product."""
    if not len(first.keys):
        return 0
    width = len(image)
    ranks = number_of(width // 2 * 2)
    most_pairs = min(CONTRACTED, width // 2)
    into, starts, sums_starts = _tables(most_pairs)
    size = sums_starts[-1] + number_of(2 * most_pairs)
    edges = np.linspace(0, len(first.keys), 64 * cores() + 1).astype(np.int64)
    inner = first.keys[edges[1:-1]] // ranks * ranks
    bounds = sorted({0, len(first.keys), *np.searchsorted(first.keys, inner).tolist()})
    powers = np.array([3**i for i in range(width)])
    kernel = compiled(_meet)

    def meet(modulus: int) -> int:
        ours, theirs = (Sorted(side.keys, side.reduced(modulus)) for side in (first, other))

        def part(i: int) -> int:
            assert_time(f"{i / (len(bounds) - 1):.0%} of the states of one half met those of the other")
            scratch = [np.zeros(ROOM, dtype=np.int64) for _ in range(7)]
            room = Room(*[powers, *scratch, np.arange(ROOM), np.zeros(1 << 16, dtype=np.int64)])
            sums = np.zeros(size, dtype=np.int64)
            tables = Contractions(into, np.array(starts), sums, np.array(sums_starts))
            some = Sorted(*(column[bounds[i] : bounds[i + 1]] for column in ours))
            return int(kernel(some, theirs, np.array(image), ranks, modulus, tables, room))

        return sum(spread(part, range(len(bounds) - 1)))

    if not remainders:
        most = bound(first, other, image)
        if most < 2.0**62:
            return meet(0)
        remainders = primes_for(math.log2(most))
    return combined([[meet(prime) for prime in remainders]], remainders)[0]


def bound(first: Side, other: Side, image: list[int]) -> float:
    """No fewer than there are cycles: every state with every one on the other side that fits its degrees."""
    ranks = number_of(len(image) // 2 * 2)
    patterns, sums = first.sums(ranks)
    others, other_sums = (patterns, sums) if first is other else other.sums(ranks)
    want = np.zeros_like(patterns)
    for i, j in enumerate(image):
        want += (2 - patterns // 3**i % 3) * 3**j
    at = np.minimum(np.searchsorted(others, want), len(others) - 1)
    return float(np.sum(sums * np.where(others[at] == want, other_sums[at], 0.0)))
