"""Count the pairs of states of two halves that form a single cycle: perfect matchings, contracted.

Both halves have states on the same vertices, the middle; a state is stored with the number of ways to reach
it (see `meeting`). A state fits a state of the other half if every vertex of the middle gets two edges in
all, and if the paths of both halves form a single cycle. Each degree pattern is a separate problem. The 2k
vertices with one edge from each half are the ends of paths in both halves. A state matches them in pairs, in
one of (2k - 1)!! ways. Testing all pairs of matchings takes too long (40 thousand million pairs for 8x8).
Instead, vertices are contracted one at a time: if a vertex has the partner b in our matching and c in the
matching of the other half, then b and c become partners in the other half. For all matchings of the other
half this takes 2k - 2 additions each, and leaves a smaller problem for every b that occurs.
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
from cavalcade.ground.kernels import Ints, Mask, Vector, compiled
from cavalcade.ground.threads import cores, spread
from cavalcade.states.pattern_search import TABLES
from cavalcade.states.patterns import WORD, Patterns, StateColumns, ends_of, number
from cavalcade.states.ranks import MATCHINGS, Change, number_of, read_digits, reversal, table, unrank
from cavalcade.states.weights import AT_ONCE

# Vertices of a middle: the ranks of its matchings, and so the tables of contractions, need 31 bits.
WIDEST_MIDDLE = 2 * int(np.searchsorted(MATCHINGS, 1 << 31) - 1)
PAIRS_PER_TASK = 1e7  # pairs of states that one task tests; the clock is checked between tasks, about 0.1 s
BATCH = 1 << 11  # our states that are decoded together, so that each state of the other half is decoded once
WRAP = 1 << np.iinfo(np.uint64).bits  # modulus of sums that wrap around in a word; kernels denote it by 0
LARGEST = np.iinfo(np.int64).max

Moduli = tuple[int, ...]  # moduli of sums that are computed together; each length has its own kernel


class StateGroup(NamedTuple):
    """The encoded states of one degree pattern, in the order of their ranks.

    Args:
        data: bytes of the table, see `states.patterns.Patterns`.
        start: offset of the first state in `data`.
        end: offset after the last state.
        gap: bytes of a rank increment.
        width: bytes of a payload.
    """

    data: Vector
    start: int
    end: int
    gap: int
    width: int


class Tables(NamedTuple):
    """Tables of contractions; the part for n ends begins at the offset with index n / 2.

    Args:
        joined: rank after the contraction of end 0, for each partner of our end 0 and each rank.
        joined_start: offsets in `joined`.
        turned: rank of each matching of the other half in terms of our ends; then the same ranks if the last
            end is its own image.
        turned_start: offsets in `turned`.
        sums: sums of the counts of the matchings of the other half, one entry per modulus.
        sums_start: offsets in `sums`, in matchings.
    """

    joined: Vector
    joined_start: Vector
    turned: Vector
    turned_start: Vector
    sums: Vector
    sums_start: Vector


class Scratch(NamedTuple):
    """Scratch space of one task.

    Args:
        partner: a matching of 0, …, n - 1, decoded by `unrank`.
        mate: a matching of the other half in terms of our ends.
        digits: digits of the rank of one of our states.
        last_digits: digits of the previous rank.
        cycles: number of cycles of two groups, one entry per modulus.
        fitting: sum of the counts of our states that fit one state, one entry per modulus.
        partners: partners in a batch of our states, n entries per state.
        counts: counts of a batch of our states, one entry per state and modulus.
    """

    partner: Vector
    mate: Vector
    digits: Vector
    last_digits: Vector
    cycles: Vector
    fitting: Vector
    partners: Vector
    counts: Vector


class GroupPairs(NamedTuple):
    """Pairs of degree patterns that fit each other.

    Args:
        ours: index of the pattern in our half.
        theirs: index of the pattern in the other half.
        ends: number of ends of paths.
        total: index of the total that receives the cycles.
        mirrored: index of the total that receives the cycles of the reversed pair, or -1.
        share: index of the share of our states to test; a pair with many states has one entry per share.
        shares: number of shares.
    """

    ours: Vector
    theirs: Vector
    ends: Vector
    total: Vector
    mirrored: Vector
    share: Vector
    shares: Vector


def add_product(total: int, a: int, b: int, modulus: int) -> int:
    """Return total + a * b modulo a number; 0 stands for 2**64."""
    return (total + product(a % modulus, b, modulus)) % modulus if modulus > 0 else total + a * b


def product(a: int, b: int, modulus: int) -> int:
    """Multiply two residues modulo a number below 2**46."""
    # The quotient is off by at most 1. Both products may wrap around, but their difference does not.
    difference = a * b - int(a * (b / modulus)) * modulus
    if difference < 0:
        return difference + modulus
    return difference - modulus if difference >= modulus else difference


def read_residue(states: StateGroup, offset: int, first_word: int, k: int, modulus: int) -> int:
    """Return one residue of the count stored in a state record.

    A record is a rank increment (`states.gap` bytes) followed by a payload: residue words that are ready for
    use, or one little-endian integer of `states.width` bytes.

    Args:
        states: the encoded states of one degree pattern.
        offset: byte offset of the record in `states.data`.
        first_word: index of the first residue word, or -1 if the payload is an integer.
        k: index of the residue to return, relative to `first_word`.
        modulus: modulus of that residue; 0 stands for 2**64.
    """
    payload = offset + states.gap
    if first_word >= 0:
        return number(states.data, payload + WORD // 8 * (first_word + k), WORD // 8)
    if modulus == 0:
        return number(states.data, payload, min(8, states.width))
    # Horner's rule from the most significant byte keeps intermediate values below 256 * modulus.
    residue = 0
    for i in range(payload + states.width - 1, payload - 1, -1):
        residue = (residue * 256 + states.data[i]) % modulus
    return residue


def _contract(n: int, partner: int, moduli: Moduli, reduce: bool, tables: Tables) -> None:  # noqa: FBT001 - a kernel
    """Contract end 0 in all matchings of n ends of the other half.

    Args:
        n: number of ends.
        partner: partner of end 0 in our matching.
        moduli: moduli of the sums.
        reduce: whether the new sums must be reduced, because the next contraction could overflow.
        tables: the tables; the sums for n - 2 ends are overwritten.
    """
    joined, sums, width = tables.joined, tables.sums, len(moduli)
    smaller, matchings = number_of(n - 2), number_of(n)
    old, new = tables.sums_start[n // 2], tables.sums_start[n // 2 - 1]
    for i in range(new * width, (new + smaller) * width):
        sums[i] = 0
    row = tables.joined_start[n // 2] + (partner - 1) * matchings
    # Skip the ranks in which end 0 has the same partner in both halves: these close a cycle too early.
    for first, until in ((0, (partner - 1) * smaller), (partner * smaller, matchings)):
        for rank in range(first, until):
            target, source = (new + joined[row + rank]) * width, (old + rank) * width
            for i in range(width):
                sums[target + i] += sums[source + i]
    if reduce:
        for target in range(new * width, (new + smaller) * width, width):
            for i in range(width):
                sums[target + i] %= moduli[i]


def _count_by_contraction(
    ours: StateGroup,
    theirs: StateGroup,
    n: int,
    fixed: int,
    first_word: int,
    moduli: Moduli,
    tables: Tables,
    scratch: Scratch,
) -> None:
    """Count the cycles of two groups of states by contraction.

    Our matchings are sorted by rank. Two consecutive ones have the same first digits, and share the
    contractions for these digits.
    """
    pairs, matchings, width = n // 2, number_of(n), len(moduli)
    sums, digits, last_digits, cycles = tables.sums, scratch.digits, scratch.last_digits, scratch.cycles
    base, turned = tables.sums_start[pairs], tables.turned_start[pairs] + fixed * matchings
    # Store the counts of the other half by rank, in terms of our ends.
    for i in range(base * width, (base + matchings) * width):
        sums[i] = 0
    rank = -1
    for offset in range(theirs.start, theirs.end, theirs.gap + theirs.width):
        rank += number(theirs.data, offset, theirs.gap)
        for i in range(width):
            target = (base + tables.turned[turned + rank]) * width + i
            sums[target] = read_residue(theirs, offset, first_word, i, moduli[i])
    for level in range(pairs):
        last_digits[level] = -1
    highest = 0
    for i in range(width):
        cycles[i] = 0
        highest = max(highest, moduli[i])
    rank, result = -1, tables.sums_start[1] * width
    for offset in range(ours.start, ours.end, ours.gap + ours.width):
        rank += number(ours.data, offset, ours.gap)
        read_digits(rank, n, digits)
        # `bound` exceeds all sums. A contraction adds up n - 2 of them; reduce before that could overflow.
        unchanged, bound = True, highest
        for level in range(pairs - 1):
            ends = n - 2 * level
            bound *= ends - 2
            reduce = bound > LARGEST // ends
            if reduce:
                bound = highest
            unchanged = unchanged and last_digits[level] == digits[level]
            if not unchanged:
                last_digits[level] = digits[level]
                _contract(ends, digits[level] + 1, moduli, reduce, tables)
        # One pair of ends is left, which closes the cycle.
        for i in range(width):
            count = read_residue(ours, offset, first_word, i, moduli[i])
            cycles[i] = add_product(cycles[i], sums[result + i], count, moduli[i])


def _image_end(end: int, n: int, fixed: int) -> int:
    """Map an end of the other half to our end at the same vertex; the last one may be its own image."""
    return end if fixed > 0 and end == n - 1 else n - 1 - fixed - end


def _count_by_pairs(
    ours: StateGroup,
    theirs: StateGroup,
    n: int,
    fixed: int,
    first_word: int,
    moduli: Moduli,
    scratch: Scratch,
    share: int,
    shares: int,
) -> None:
    """Count the cycles of a share of our states and all states of the other half, pair by pair."""
    partners, counts, mate, cycles, fitting, width = (
        scratch.partners, scratch.counts, scratch.mate, scratch.cycles, scratch.fitting, len(moduli),
    )  # fmt: skip
    for k in range(width):
        cycles[k] = 0
    offset, rank, batch = ours.start, -1, -1
    while offset < ours.end:
        # Decode a batch of our states. Ranks are stored as increments, so other shares are decoded, too.
        batch += 1
        size = 0
        while offset < ours.end and size < BATCH:
            rank += number(ours.data, offset, ours.gap)
            unrank(rank, n, scratch.partner, scratch.digits)
            for j in range(n):
                partners[size * n + j] = scratch.partner[j]
            for k in range(width):
                counts[size * width + k] = read_residue(ours, offset, first_word, k, moduli[k])
            size += 1
            offset += ours.gap + ours.width
        if batch % shares != share:
            continue
        their_rank = -1
        for their_offset in range(theirs.start, theirs.end, theirs.gap + theirs.width):
            their_rank += number(theirs.data, their_offset, theirs.gap)
            unrank(their_rank, n, scratch.partner, scratch.digits)
            for i in range(n):
                mate[_image_end(i, n, fixed)] = _image_end(scratch.partner[i], n, fixed)
            for k in range(width):
                fitting[k] = 0
            for i in range(size):
                # Follow both matchings alternately from end 0; a single cycle visits all n / 2 pairs.
                end, steps = mate[partners[i * n]], 1
                while end != 0:
                    end = mate[partners[i * n + end]]
                    steps += 1
                if 2 * steps == n:
                    for k in range(width):
                        fitting[k] += counts[i * width + k]
            for k in range(width):
                count = read_residue(theirs, their_offset, first_word, k, moduli[k])
                cycles[k] = add_product(cycles[k], fitting[k], count, moduli[k])


def group(side: StateColumns, p: int) -> StateGroup:
    """Return the states of a pattern, given by its index."""
    return StateGroup(side.data, side.starts[p], side.starts[p + 1], side.shape[p] >> 8, side.shape[p] & 255)


def _meet(
    first: int,
    until: int,
    group_pairs: GroupPairs,
    keys: Vector,
    ours: StateColumns,
    theirs: StateColumns,
    fixed_place: int,
    first_word: int,
    moduli: Moduli,
    tables: Tables,
    scratch: Scratch,
    totals: Ints,
) -> None:
    """Count the cycles of some pairs of patterns.

    Args:
        first: index of the first pair.
        until: index after the last pair.
        group_pairs: the pairs.
        keys: degree patterns of our half.
        ours: states of our half.
        theirs: states of the other half.
        fixed_place: place that is its own image, or the number of places if there is none.
        first_word: index of the first residue word of the payloads, or -1 if these are integers.
        moduli: moduli of the totals; 0 stands for 2**64.
        tables: tables of contractions.
        scratch: scratch space.
        totals: receives the cycles, one entry per total and modulus.
    """
    width = len(moduli)
    for t in range(first, until):
        our_group, their_group = group(ours, group_pairs.ours[t]), group(theirs, group_pairs.theirs[t])
        pairs = (our_group.end - our_group.start) // (our_group.gap + our_group.width)
        pairs *= (their_group.end - their_group.start) // (their_group.gap + their_group.width)
        n, fixed = group_pairs.ends[t], (keys[group_pairs.ours[t]] >> (2 * fixed_place)) & 1
        if n // 2 <= len(tables.joined_start) - 1 and pairs > 2 * n * number_of(n):
            _count_by_contraction(our_group, their_group, n, fixed, first_word, moduli, tables, scratch)
        else:
            share, shares = group_pairs.share[t], group_pairs.shares[t]
            _count_by_pairs(our_group, their_group, n, fixed, first_word, moduli, scratch, share, shares)
        for index in (group_pairs.total[t], group_pairs.mirrored[t]):
            for i in range(width if index >= 0 else 0):
                total = totals[index * width + i] + scratch.cycles[i]
                totals[index * width + i] = total % moduli[i] if moduli[i] > 0 else total


def _add_counts(side: StateColumns, first: int, until: int, scale: float, sums: NDArray[np.float64]) -> None:
    """Write the sum of the counts of each of some patterns to `sums`, times `scale`."""
    for p in range(first, until):
        states = group(side, p)
        total = 0.0
        for offset in range(states.start, states.end, states.gap + states.width):
            # A count may exceed 64 bits, so it is read as a floating-point number.
            count = 0.0
            for i in range(states.width - 1, -1, -1):
                count = count * 256.0 + states.data[offset + states.gap + i]
            total += count * scale
        sums[p] = total


@functools.cache
def _tables(most_pairs: int) -> Tables:
    """Build the tables of contractions for up to `most_pairs` pairs of ends, without the sums."""
    matchings = MATCHINGS[: most_pairs + 1]
    joined_sizes = np.maximum(0, 2 * np.arange(most_pairs + 1) - 1) * matchings
    joined_start, turned_start, sums_start = (
        np.cumsum(sizes) - sizes for sizes in (joined_sizes, 2 * matchings, matchings)
    )
    joined = np.empty(joined_sizes.sum(), dtype=np.int32)
    turned = np.zeros(2 * matchings.sum(), dtype=np.int32)
    for k in range(1, most_pairs + 1):
        n, size, reversed_ranks = 2 * k, matchings[k], reversal(2 * k)
        assert_time("matchings were put into tables")
        for b in range(1, n):
            joined[joined_start[k] + (b - 1) * size :][:size] = table(Change.JOIN, n, 0, b)
        with_fixed_end = table(Change.MOVE, n, 0, n - 1)[reversed_ranks]
        turned[turned_start[k] :][: 2 * size] = np.concatenate([reversed_ranks, with_fixed_end])
    return Tables(joined, joined_start, turned, turned_start, np.empty(0, dtype=np.int64), sums_start)


def _most_contracted(ends: Ints, worthwhile: Mask) -> int:
    """Return the largest number of pairs of ends that are contracted.

    The tables must fit in the memory that is not reserved for the tables of the searches.
    """
    most = int(np.max(ends, where=worthwhile, initial=0)) // 2
    while most and 4 * (2 * most + 1) * number_of(2 * most) > (1 - TABLES) * memory_limit():
        most -= 1
    return most


def _fitting_patterns(first: Patterns, second: Patterns, width: int, *, apex: bool) -> tuple[Ints, Ints]:
    """Return the indices of the patterns of both halves that fit each other and have ends of paths."""
    required = np.zeros_like(first.keys)
    for i in range(width):
        j = i if apex and i == width - 1 else width - 1 - apex - i
        required += (2 - (first.keys >> 2 * i & 3)) << 2 * j
    index = np.minimum(np.searchsorted(second.keys, required), max(0, len(second.keys) - 1))
    fits = (second.keys[index] == required) & (ends_of(first.keys) > 0) if len(second.keys) else required < 0
    return np.flatnonzero(fits), index[fits]


def met(
    first: Patterns,
    second: Patterns,
    width: int,
    *,
    apex: bool = False,
    cells: Sequence[int] = (),
    moduli: Sequence[int] = (),
) -> list[int]:
    """Count the cycles that the states of both halves form.

    Args:
        first: states of one half.
        second: states of the other half, before they are mapped to their images. If both are the same object,
            half of the work is enough.
        width: number of places of the middle. The image of a place has the same distance from the other end.
        apex: whether the last place is its own image, and only the others are reversed.
        cells: places whose degrees in the first half divide the cycles into classes. The class is a number in
            base 3; its least significant digit is the degree of the first place.
        moduli: moduli of the words of the states; empty if the states have counts.

    Returns:
        The number of cycles of each class; or the sum of each word over all cycles, modulo its modulus.
    """
    ours, theirs = _fitting_patterns(first, second, width, apex=apex)
    same = first is second
    if same:
        once = ours <= theirs
        ours, theirs = ours[once], theirs[once]
    if not len(ours):
        return [0] * (len(moduli) or 3 ** len(cells))
    total, mirrored = (
        sum(((keys >> 2 * place & 3) * 3**i for i, place in enumerate(cells)), np.zeros_like(keys))
        for keys in (first.keys[ours], second.keys[theirs])
    )
    mirrored = np.where(same & (ours < theirs), mirrored, -1)
    ends = ends_of(first.keys[ours])
    matchings = MATCHINGS[ends // 2]
    pairs = first.sizes(ours) * second.sizes(theirs).astype(float)
    worthwhile = pairs > 2.0 * ends * matchings
    tables = _tables(most_pairs := _most_contracted(ends, worthwhile))
    by_pairs = (ends // 2 > most_pairs) | ~worthwhile
    # A contraction takes about as long as testing 50 pairs for each matching.
    work = np.where(by_pairs, pairs, np.minimum(pairs, 50.0 * matchings))
    # Divide large pairs of groups into shares of whole batches, and put them last.
    batches = np.minimum(pairs / PAIRS_PER_TASK, first.sizes(ours) / BATCH)
    shares = np.where(by_pairs, np.maximum(1, np.ceil(batches)), 1).astype(np.int64)
    order = np.argsort(shares > 1, kind="stable")
    index = np.repeat(order, shares[order])
    starts = np.cumsum(shares[order]) - shares[order]
    share = np.arange(len(index)) - np.repeat(starts, shares[order])
    group_pairs = GroupPairs(
        ours[index], theirs[index], ends[index], total[index], mirrored[index], share, shares[index]
    )
    # Cut the list into tasks of equal work, many for each core.
    work = np.cumsum((work / shares)[index])
    tasks = min(len(index), max(64 * cores(), int(work[-1] / PAIRS_PER_TASK)))
    cuts = np.searchsorted(work, np.linspace(0, work[-1], tasks + 1)[1:-1])
    bounds = sorted({0, len(index), *cuts.tolist()})
    kernel, fixed_place = compiled(_meet), width - 1 if apex else width

    def meet(*moduli: int, first_word: int = -1) -> list[int]:
        size = len(moduli)

        def run_task(i: int) -> Ints:
            assert_time(f"{i / (len(bounds) - 1):.0%} of the states of one half met those of the other")
            sums = (int(tables.sums_start[-1]) + number_of(2 * most_pairs)) * size
            sizes = (*4 * [WIDEST_MIDDLE], size, size, BATCH * WIDEST_MIDDLE, BATCH * size, sums)
            *scratch, sums_of_task = (np.zeros(entries, dtype=np.int64) for entries in sizes)
            totals = np.zeros(3 ** len(cells) * size, dtype=np.int64)
            kernel(
                bounds[i],
                bounds[i + 1],
                group_pairs,
                first.keys,
                first.columns,
                second.columns,
                fixed_place,
                first_word,
                moduli,
                tables._replace(sums=sums_of_task),
                Scratch(*scratch),
                totals,
            )
            return totals

        totals = spread(run_task, range(len(bounds) - 1))
        return [sum(map(int, column)) for column in zip(*totals, strict=True)]

    if moduli:
        words = (meet(*moduli[i : i + AT_ONCE], first_word=i) for i in range(0, len(moduli), AT_ONCE))
        return [value % modulus for value, modulus in zip(chain(*words), moduli, strict=True)]
    bits = bits_of(first, second, ours, theirs, 2 if same else 1)
    primes = primes_for(bits - math.log2(WRAP)) if bits >= math.log2(WRAP) else []
    return combined(zip(meet(0), *map(meet, primes), strict=True), [WRAP, *primes])


def bits_of(first: Patterns, second: Patterns, ours: Ints, theirs: Ints, times: int) -> float:
    """Bound the bits of the number of cycles: every state forms a cycle with every state that fits it.

    Args:
        first: states of one half.
        second: states of the other half.
        ours: indices of patterns of the first half.
        theirs: index of the pattern of the other half that fits, for each of them.
        times: number of cycles that a pair of states stands for.
    """

    def count_sums(side: Patterns) -> NDArray[np.float64]:
        """Sum the counts of each pattern, in units of the largest count that the width allows."""
        sums = np.zeros(len(side.keys))
        bounds = np.linspace(0, len(sums), 8 * cores() + 1).astype(np.int64).tolist()
        columns, scale = side.columns, 256.0**-side.widest

        def run_task(i: int) -> None:
            compiled(_add_counts)(columns, bounds[i], bounds[i + 1], scale, sums)

        spread(run_task, range(len(bounds) - 1))
        return sums

    our_sums = count_sums(first)
    their_sums = our_sums if first is second else count_sums(second)
    bound = float(np.sum(our_sums[ours] * their_sums[theirs] * times))
    return math.log2(bound) + 8 * (first.widest + second.widest) + 0.01  # allows for rounding
