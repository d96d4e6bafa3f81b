"""Kernels for `matchings` that pair the states of two halves: by contraction of vertices, or one by one.

The states of a half come from `states.patterns`, grouped by degree pattern. All sums are taken modulo some
moduli at once; the modulus 0 stands for 2**64.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.ground.kernels import Ints, Vector
from cavalcade.states.patterns import WORD, StateColumns, number
from cavalcade.states.ranks import number_of, read_digits, unrank

BATCH = 1 << 11  # our states that are decoded together, so that each state of the other half is decoded once
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
        turned: ranks of the matchings of the other half in terms of our ends; then the same ranks if the last
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


class PairingScratch(NamedTuple):
    """PairingScratch space of one task.

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
    scratch: PairingScratch,
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
    scratch: PairingScratch,
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


def pair_up(
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
    scratch: PairingScratch,
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


def add_counts(side: StateColumns, first: int, until: int, scale: float, sums: NDArray[np.float64]) -> None:
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
