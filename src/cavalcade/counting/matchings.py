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
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.counting.residues import combined, primes_for
from cavalcade.ground.budget import assert_time, memory_limit
from cavalcade.ground.kernels import Cells, Ints, Mask, Vector, compiled
from cavalcade.ground.threads import cores, spread
from cavalcade.states.patterns import WORD, Patterns, StateColumns, ends_of, number
from cavalcade.states.ranks import JOIN, MOVE, number_of, read_digits, reversal, table, unrank
from cavalcade.states.weights import AT_ONCE

WIDEST_MIDDLE = 20  # vertices: the rank of a matching fits into 31 bits
PIECE = 1e7  # pairs of states that are tried in one step, in a fraction of a second
MOST_PARTS = 100_000  # between which the clock is looked at
TABLES = 4  # of memory, one in so many bytes may go to the tables of contractions
WORD_BITS = 64  # numbers are modulo 2**64, as words are, unless they have another modulus
ROOM = 40  # places in each list of scratch
SOME = 1 << 11  # of our states that are tried at a time
LARGEST = 1 << 62  # a sum of remainders

Moduli = tuple[int, ...]  # of the numbers that are found at a time: it is compiled once for each length


class SamePattern(NamedTuple):
    """The states of a side with one pattern, in the order of their ranks.

    Args:
        data: that of the table, see `states.patterns.Patterns`.
        start: where they begin;
        end: and where they end.
        gap: the bytes of a gap;
        width: and those of a count.
    """

    data: Vector
    start: int
    end: int
    gap: int
    width: int


class Tables(NamedTuple):
    """For each number n of ends, at n / 2, where its part of each table begins.

    Args:
        into: for each partner b of our end 0 what joining ends 0 and b makes of each of their ranks.
        start: where that of n ends begins.
        turned: of each of their ranks the rank in terms of our ends; then the same where the last end of both
            is the same one.
        turned_start: where these of n ends begin.
        sums: for each matching what it counts on the other side, a number for each modulus.
        sums_start: where those of n ends begin, in matchings.
    """

    into: Vector
    start: Vector
    turned: Vector
    turned_start: Vector
    sums: Vector
    sums_start: Vector


class Room(NamedTuple):
    """What a meeting needs to work.

    Args:
        partner: a matching of 0, …, n - 1, as `unrank` reads it.
        mate: one of theirs, in terms of ours.
        digits: those of the rank of one of ours.
        last: those of the one before it.
        found: the cycles, a number for each modulus;
        part: and those of one of their states.
        few: the partners in some of ours, one matching after the other;
        counts: and their counts, a number for each modulus.
    """

    partner: Vector
    mate: Vector
    digits: Vector
    last: Vector
    found: Vector
    part: Vector
    few: Vector
    counts: Vector


def added(total: int, a: int, b: int, modulus: int) -> int:
    """A total and the product of a sum and a remainder: modulo a number, or with 0 modulo 2**64."""
    return (total + product(a % modulus, b, modulus)) % modulus if modulus > 0 else total + a * b


def product(a: int, b: int, modulus: int) -> int:
    """The product of remainders modulo a number below 2**46."""
    left = a * b - int(a * (b / modulus)) * modulus  # what is lost beyond a word is lost in both
    if left < 0:
        return left + modulus
    return left - modulus if left >= modulus else left


def _reduced(states: SamePattern, at: int, word: int, k: int, modulus: int) -> int:
    """Of the state at a place the word that is k after one; or if that is -1 its count, modulo a number."""
    if word >= 0:
        return number(states.data, at + states.gap + WORD // 8 * (word + k), WORD // 8)
    if modulus == 0:
        return number(states.data, at + states.gap, min(8, states.width))
    found = 0
    for i in range(at + states.gap + states.width - 1, at + states.gap - 1, -1):
        found = (found * 256 + states.data[i]) % modulus
    return found


def _contract(n: int, b: int, moduli: Moduli, reduce: bool, tables: Tables) -> None:  # noqa: FBT001 - a kernel
    """Contract end 0, whose partner is b with us, in all matchings of n ends on their side."""
    into, sums, many = tables.into, tables.sums, len(moduli)
    below, every = number_of(n - 2), number_of(n)
    old, new = tables.sums_start[n // 2], tables.sums_start[n // 2 - 1]
    for i in range(new * many, (new + below) * many):
        sums[i] = 0
    at = tables.start[n // 2] + (b - 1) * every
    for first, until in ((0, (b - 1) * below), (b * below, every)):  # those between close a cycle with b
        for r in range(first, until):
            to, of = (new + into[at + r]) * many, (old + r) * many
            for i in range(many):
                sums[to + i] += sums[of + i]
    if reduce:
        for r in range(new * many, (new + below) * many, many):
            for i in range(many):
                sums[r + i] %= moduli[i]


def _contracted(
    ours: SamePattern,
    theirs: SamePattern,
    n: int,
    fixed: int,
    word: int,
    moduli: Moduli,
    tables: Tables,
    room: Room,
) -> None:
    """Find the cycles that two groups of states make, by contraction.

    Our matchings come sorted by rank, so one begins as the one before it, and so do its contractions.
    """
    pairs, every, many = n // 2, number_of(n), len(moduli)
    sums, digits, last, found = tables.sums, room.digits, room.last, room.found
    at, turn = tables.sums_start[pairs], tables.turned_start[pairs] + fixed * every
    for i in range(at * many, (at + every) * many):
        sums[i] = 0
    rank = -1
    for t in range(theirs.start, theirs.end, theirs.gap + theirs.width):
        rank += number(theirs.data, t, theirs.gap)
        for i in range(many):
            to = (at + tables.turned[turn + rank]) * many + i
            sums[to] = _reduced(theirs, t, word, i, moduli[i])
    for level in range(pairs):
        last[level] = -1
    highest = 0
    for i in range(many):
        found[i] = 0
        highest = max(highest, moduli[i])
    rank, end = -1, tables.sums_start[1] * many
    for s in range(ours.start, ours.end, ours.gap + ours.width):
        rank += number(ours.data, s, ours.gap)
        read_digits(rank, n, digits)
        as_before, most = True, highest
        for level in range(pairs - 1):
            left = n - 2 * level
            most *= left - 2
            reduce = most > LARGEST // left
            if reduce:
                most = highest
            as_before = as_before and last[level] == digits[level]
            if not as_before:
                last[level] = digits[level]
                _contract(left, digits[level] + 1, moduli, reduce, tables)
        for i in range(many):
            count = _reduced(ours, s, word, i, moduli[i])
            found[i] = added(found[i], sums[end + i], count, moduli[i])


def _turned(end: int, n: int, fixed: int) -> int:
    """Which of our n ends one of theirs is."""
    return end if fixed > 0 and end == n - 1 else n - 1 - fixed - end


def _tried(
    ours: SamePattern,
    theirs: SamePattern,
    n: int,
    fixed: int,
    word: int,
    moduli: Moduli,
    room: Room,
    share: int,
    shares: int,
) -> None:
    """Find the cycles that two groups of states make, each with each, by walking around: a share of ours."""
    few, counts, mate, found, part, words = (
        room.few, room.counts, room.mate, room.found, room.part, len(moduli),
    )  # fmt: skip
    for k in range(words):
        found[k] = 0
    s, rank, batch = ours.start, -1, -1
    while s < ours.end:
        batch += 1
        many = 0
        while s < ours.end and many < SOME:
            rank += number(ours.data, s, ours.gap)
            unrank(rank, n, room.partner, room.digits)
            for j in range(n):
                few[many * n + j] = room.partner[j]
            for k in range(words):
                counts[many * words + k] = _reduced(ours, s, word, k, moduli[k])
            many += 1
            s += ours.gap + ours.width
        if batch % shares != share:
            continue
        other = -1
        for t in range(theirs.start, theirs.end, theirs.gap + theirs.width):
            other += number(theirs.data, t, theirs.gap)
            unrank(other, n, room.partner, room.digits)
            for i in range(n):
                j = room.partner[i]
                mate[_turned(i, n, fixed)] = _turned(j, n, fixed)
            for k in range(words):
                part[k] = 0
            for i in range(many):
                at, steps = mate[few[i * n]], 1
                while at != 0:
                    at = mate[few[i * n + at]]
                    steps += 1
                if 2 * steps == n:
                    for k in range(words):
                        part[k] += counts[i * words + k]
            for k in range(words):
                count = _reduced(theirs, t, word, k, moduli[k])
                found[k] = added(found[k], part[k], count, moduli[k])


class Meetings(NamedTuple):
    """Pairs of patterns that fit each other: where both are, how many ends, the class of their cycles.

    `also` is the class of as many more cycles, of theirs with ours, or -1. If many states are tried one by
    one, a pair of patterns stands there once for each `share` of the states, so that no step takes long.
    """

    ours: Vector
    theirs: Vector
    ends: Vector
    into: Vector
    also: Vector
    share: Vector
    shares: Vector


def group(side: StateColumns, p: int) -> SamePattern:
    """The states of a side with its pattern at a place."""
    return SamePattern(side.data, side.starts[p], side.starts[p + 1], side.shape[p] >> 8, side.shape[p] & 255)


def _meet(
    first: int,
    until: int,
    meetings: Meetings,
    keys: Vector,
    ours: StateColumns,
    theirs: StateColumns,
    last: int,
    word: int,
    moduli: Moduli,
    tables: Tables,
    room: Room,
    totals: Ints,
) -> None:
    """Count the cycles that our states make with theirs, in some pairs of patterns, class by class.

    `last` is the place that is its own image, or beyond all. What is counted are the words from one on, or if
    that is -1 the states' counts. The totals are remainders, with 0 as a modulus those of 2**64.
    """
    many = len(moduli)
    for t in range(first, until):
        here, there = group(ours, meetings.ours[t]), group(theirs, meetings.theirs[t])
        pairs = (here.end - here.start) // (here.gap + here.width)
        pairs *= (there.end - there.start) // (there.gap + there.width)
        n, fixed = meetings.ends[t], (keys[meetings.ours[t]] >> (2 * last)) & 1
        if n // 2 <= len(tables.start) - 1 and pairs > 2 * n * number_of(n):
            _contracted(here, there, n, fixed, word, moduli, tables, room)
        else:
            _tried(here, there, n, fixed, word, moduli, room, meetings.share[t], meetings.shares[t])
        for one in (meetings.into[t], meetings.also[t]):
            for i in range(many if one >= 0 else 0):
                total = totals[one * many + i] + room.found[i]
                totals[one * many + i] = total % moduli[i] if moduli[i] > 0 else total


def _weigh(side: StateColumns, first: int, until: int, scale: float, sums: NDArray[np.float64]) -> None:
    """The sums of the counts of some patterns, times a scale."""
    for p in range(first, until):
        states = group(side, p)
        total = 0.0
        for at in range(states.start, states.end, states.gap + states.width):
            count = 0.0
            for i in range(states.width - 1, -1, -1):
                count = count * 256.0 + states.data[at + states.gap + i]
            total += count * scale
        sums[p] = total


@functools.cache
def _tables(most: int) -> tuple[Cells, list[int], Cells, list[int], list[int]]:
    """The tables for up to so many pairs, and where each begins: without `sums`, but with their starts."""
    every = [number_of(n) for n in range(0, 2 * most + 1, 2)]
    sizes = [(2 * k - 1) * every[k] for k in range(1, most + 1)]
    starts, turned_starts, sums = (
        np.cumsum([0, *some]).tolist()[: most + 1]
        for some in ([0, *sizes], [0, *(2 * one for one in every[1:])], every)
    )
    into = np.empty(sum(sizes), dtype=np.int32)
    turned = np.empty(2 * sum(every[1:]), dtype=np.int32)
    for k in range(1, most + 1):
        n, size, back = 2 * k, every[k], reversal(2 * k)
        assert_time("matchings were put into tables")
        for b in range(1, n):
            into[starts[k] + (b - 1) * size :][:size] = table(JOIN, n, 0, b)
        turned[turned_starts[k] :][: 2 * size] = np.concatenate([back, table(MOVE, n, 0, n - 1)[back]])
    return into, starts, turned, turned_starts, sums


def _pairs_contracted(ends: Ints, worth: Mask) -> int:
    """Up to how many pairs matchings are contracted: as many as is worth it, and have room for tables."""
    most = int(np.max(ends, where=worth, initial=0)) // 2
    while most and 4 * (2 * most + 1) * number_of(2 * most) > memory_limit() // TABLES:
        most -= 1
    return most


def _fitting(first: Patterns, other: Patterns, width: int, *, apex: bool) -> tuple[Ints, Ints]:
    """The places of patterns that fit one another: ours, with one edge or more from each side, and theirs."""
    want = np.zeros_like(first.keys)
    for i in range(width):
        j = i if apex and i == width - 1 else width - 1 - apex - i
        want += (2 - (first.keys >> 2 * i & 3)) << 2 * j
    at = np.minimum(np.searchsorted(other.keys, want), max(0, len(other.keys) - 1))
    fits = (other.keys[at] == want) & (ends_of(first.keys) > 0) if len(other.keys) else want < 0
    return np.flatnonzero(fits), at[fits]


def met(
    first: Patterns,
    other: Patterns,
    width: int,
    *,
    apex: bool = False,
    cells: Sequence[int] = (),
    moduli: Sequence[int] = (),
) -> list[int]:
    """How many cycles the states of both sides make, class by class; without cells in one class.

    Or, given a modulus for each word of the states, what the words of all cycles sum up to.

    Args:
        first: the states of one side.
        other: the images of those of the other side; if they are the same ones, half of the work is enough.
        width: the places of the middle. Each is mapped to that which is as far from the other end.
        apex: whether the last place is its own image, and the others are mapped among themselves.
        cells: places whose degrees on the first side are the digits of a class to the base of 3, the first
            one last.
        moduli: of the words; none where states have counts.
    """
    here, there = _fitting(first, other, width, apex=apex)
    both = first is other
    if both:
        some = here <= there
        here, there = here[some], there[some]
    if not len(here):
        return [0] * (len(moduli) or 3 ** len(cells))
    into, also = (
        sum(((keys >> 2 * place & 3) * 3**i for i, place in enumerate(cells)), np.zeros_like(keys))
        for keys in (first.keys[here], other.keys[there])
    )
    ends = ends_of(first.keys[here])
    matchings = np.array([number_of(n) for n in range(0, width + 2, 2)])[ends // 2]
    pairs = first.sizes(here) * other.sizes(there).astype(float)
    worth = pairs > 2.0 * ends * matchings
    most_pairs = _pairs_contracted(ends, worth)
    joined, starts, turned, turned_starts, sums_starts = _tables(most_pairs)
    tried = (ends // 2 > most_pairs) | ~worth
    work = np.where(tried, pairs, np.minimum(pairs, 50.0 * matchings))
    shares = np.where(tried, np.ceil(np.minimum(pairs / PIECE, first.sizes(here) / SOME)), 1.0)
    shares = np.maximum(1, shares).astype(np.int64)
    also = np.where(both & (here < there), also, -1)
    share = np.concatenate([np.zeros(0, np.int64), *map(np.arange, shares[shares > 1])])
    order = np.argsort(shares > 1, kind="stable")  # whole ones first
    share = np.concatenate([np.zeros(int((shares == 1).sum()), np.int64), share])
    again = np.repeat(order, shares[order])
    meetings = Meetings(
        here[again], there[again], ends[again], into[again], also[again], share, shares[again]
    )
    work = np.cumsum((work / shares)[again])
    parts = int(min(MOST_PARTS, max(64 * cores(), work[-1] / PIECE)))
    cuts = np.searchsorted(work, np.linspace(0, work[-1], parts + 1)[1:-1])
    bounds = sorted({0, len(again), *cuts.tolist()})
    kernel, last = compiled(_meet), width - 1 if apex else width

    def meet(*moduli: int, word: int = -1) -> list[int]:
        many = len(moduli)

        def part(i: int) -> Ints:
            assert_time(f"{i / (len(bounds) - 1):.0%} of the states of one half met those of the other")
            scratch = [np.zeros(size, dtype=np.int64) for size in (*6 * [ROOM], SOME * ROOM, SOME * many)]
            sums = np.zeros((sums_starts[-1] + number_of(2 * most_pairs)) * many, dtype=np.int64)
            tables = Tables(
                joined, np.array(starts), turned, np.array(turned_starts), sums, np.array(sums_starts)
            )
            sides, totals = (
                (first.keys, first.columns, other.columns),
                np.zeros(3 ** len(cells) * many, dtype=np.int64),
            )
            where = bounds[i], bounds[i + 1]
            kernel(*where, meetings, *sides, last, word, moduli, tables, Room(*scratch), totals)
            return totals

        return [sum(map(int, one)) for one in zip(*spread(part, range(len(bounds) - 1)), strict=True)]

    if moduli:
        words = (meet(*moduli[i : i + AT_ONCE], word=i) for i in range(0, len(moduli), AT_ONCE))
        return [value % modulus for value, modulus in zip(chain(*words), moduli, strict=True)]
    bits = bits_of(first, other, here, there, 2 if both else 1)
    more = primes_for(bits - WORD_BITS) if bits >= WORD_BITS else []
    return combined(zip(meet(0), *map(meet, more), strict=True), [1 << WORD_BITS, *more])


def bits_of(first: Patterns, other: Patterns, here: Ints, there: Ints, times: int) -> float:
    """The bits of a number that is no less than that of the cycles: all states with all that fit them."""

    def weighed(side: Patterns) -> NDArray[np.float64]:
        """The sums of the counts of the patterns, in units of the largest count that there may be."""
        sums = np.zeros(len(side.keys))
        bounds = np.linspace(0, len(sums), 8 * cores() + 1).astype(np.int64).tolist()
        states = side.columns

        def weigh(i: int) -> None:
            compiled(_weigh)(states, bounds[i], bounds[i + 1], 256.0**-side.widest, sums)

        spread(weigh, range(len(bounds) - 1))
        return sums

    ours = weighed(first)
    theirs = ours if first is other else weighed(other)
    most = float(np.sum(ours[here] * theirs[there] * times))
    return math.log2(most) + 8 * (first.widest + other.widest) + 0.01
