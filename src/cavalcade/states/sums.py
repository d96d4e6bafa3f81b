"""Add up the counts of all choices that lead to a pattern: the inner loop of a count."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cavalcade.ground.kernels import INTERPRETED, Vector
from cavalcade.states.patterns import WORD, StateColumns, number
from cavalcade.states.ranks import changed

WIDE = np.dtype(np.int64)  # what a compiled kernel reads or writes at once, wherever it starts


def eight_bytes(data: Vector) -> Vector:
    """Return the 64-bit integer at each byte offset of the data, as an overlapping, unaligned view.

    Interpreted code reads single bytes, so a list, the container of that tier, is returned unchanged.
    """
    if isinstance(data, list):
        return data
    if len(data) <= WIDE.itemsize:  # a view of one number counts as aligned, which numba compiles separately
        data = np.concatenate([data, np.zeros(WIDE.itemsize, np.uint8)])
    return np.ndarray(len(data) - WIDE.itemsize + 1, WIDE, data, strides=(1,))


class Sums(NamedTuple):
    """Scratch space to add up the counts of one pattern.

    Args:
        vector: accumulators, `limbs` words of 48 bits for each matching, lowest first and not yet carried; or
            `limbs` remainders. All are zero between two patterns.
        used: whether an accumulator is in use, for each block of 64 matchings.
        ranks: ranks of the matchings with a count.
        words: the words of these counts.
        order: permutation that sorts `ranks`.
        top: bitwise or of the words of all counts, one for each word.
        factors: weight of a choice, one for each word.
        partner: scratch space for `ranks.changed`.
        places: scratch space for `ranks.changed`.
        taken: scratch space for `ranks.changed`.
    """

    vector: Vector
    used: Vector
    ranks: Vector
    words: Vector
    order: Vector
    top: Vector
    factors: Vector
    partner: Vector
    places: Vector
    taken: Vector


class Grouped(NamedTuple):
    """Choices, sorted by the patterns that they lead to.

    Args:
        starts: offsets of the choices of each pattern, shape (patterns + 1,).
        matchings: number of matchings of each pattern; 0 if there are too many for the accumulators.
        source: index of the predecessor pattern, one per choice.
        code: encoded change of the matching, one per choice, see `ranks.code_of`.
        edges: encoded edges, one per choice, see `choices.Choices`.
    """

    starts: Vector
    matchings: Vector
    source: Vector
    code: Vector
    edges: Vector


class Weighing(NamedTuple):
    """The weights of edges, see `weights`; both vectors are empty if counts are added.

    Args:
        factors: weights of the edge from v to each place, one for each word.
        moduli: modulus of each word.
    """

    factors: Vector
    moduli: Vector


def add_count(data: Vector, offset: int, width: int, limbs: int, total: Vector, first: int) -> None:
    """Add a little-endian count to a multi-word accumulator.

    Args:
        data: encoded states.
        offset: byte offset of the count in `data`.
        width: bytes of the count.
        limbs: words of the accumulator.
        total: the accumulators.
        first: index of the first word of the accumulator in `total`.
    """
    word, shift, limb = 0, 0, 0
    for i in range(width):
        word |= data[offset + i] << shift
        shift += 8
        if shift == WORD and limb + 1 < limbs:
            total[first + limb] += word
            word, shift, limb = 0, 0, limb + 1
    total[first + limb] += word


def add_weighed(data: Vector, offset: int, factors: Vector, limbs: int, total: Vector, first: int) -> None:
    """Add remainders, each multiplied by its factor, to an accumulator; see `add_count`."""
    for i in range(limbs):
        word = number(data, offset + WORD // 8 * i, WORD // 8)
        total[first + i] += word * factors[i]


def add_records(
    offset: int,
    until: int,
    gap: int,
    width: int,
    old: int,
    table_start: int,
    wide: Vector,
    pool: Vector,
    vector: Vector,
    used: Vector,
) -> tuple[int, int]:
    """Add the counts of records to accumulators of one word, with one or two loads for each record.

    Args:
        offset: byte offset of the first record.
        until: byte offset after the last record.
        gap: bytes of a gap.
        width: bytes of a count, at most 6.
        old: rank of the state before the first record, or -1.
        table_start: offset in `pool` of the table of changes, or -1 if the ranks do not change.
        wide: the eight bytes from each byte offset on, see `eight_bytes`.
        pool: tables of changes.
        vector: receives the counts.
        used: receives the blocks of `vector` that are in use.

    Returns:
        The byte offset of the first record that is not added, because `wide` ends before it, and the rank of
        the state before it.
    """
    gap_mask, count_mask = (1 << 8 * gap) - 1, (1 << 8 * width) - 1
    until = min(until, len(wide) - gap)
    while offset < until:
        record = wide[offset]
        old += record & gap_mask
        rank = pool[table_start + old] if table_start >= 0 else old
        if rank >= 0:
            used[rank >> 6] = 1
            # Eight bytes may end within the count.
            count = record >> 8 * gap if gap + width <= 8 else wide[offset + gap]
            vector[rank] += count & count_mask
        offset += gap + width
    return offset, old


def remainder(number: int, modulus: int) -> int:
    """Fast modular reduction by floating-point division."""
    rest = number - int(number / modulus) * modulus
    if rest < 0:
        return rest + modulus
    return rest - modulus if rest >= modulus else rest


def sift(keys: Vector, order: Vector, index: int, n: int) -> None:
    """Move the entry at an index down to its position in a heap of n entries."""
    moving = order[index]
    while True:
        child = 2 * index + 1
        if child >= n:
            break
        if child + 1 < n and keys[order[child + 1]] > keys[order[child]]:
            child += 1
        if keys[order[child]] <= keys[moving]:
            break
        order[index] = order[child]
        index = child
    order[index] = moving


def sort_order(keys: Vector, order: Vector, n: int) -> None:
    """Sort the indices of n keys by heapsort (J. W. J. Williams, Algorithm 232, 1964)."""
    for i in range(n):
        order[i] = i
    for root in range(n // 2 - 1, -1, -1):
        sift(keys, order, root, n)
    for until in range(n - 1, 0, -1):
        order[0], order[until] = order[until], order[0]
        sift(keys, order, 0, until)


def carry(words: Vector, first: int, limbs: int, moduli: Vector, top: Vector) -> None:
    """Normalize a count: carry from word to word, or reduce remainders by their moduli."""
    for i in range(len(moduli)):
        words[first + i] = remainder(words[first + i], moduli[i])
    if len(moduli) > 0:
        return
    for i in range(limbs - 1):
        words[first + i + 1] += words[first + i] >> WORD
        words[first + i] &= (1 << WORD) - 1
    for i in range(limbs):
        top[i] |= words[first + i]


def byte_length(number: int) -> int:
    """Number of bytes of a positive number; 0 for 0."""
    length = 0
    while number > 0:
        length += 1
        number >>= 8
    return length


def bytes_of(top: Vector, limbs: int) -> int:
    """Number of bytes of the largest count, from the bits that are set in any of them."""
    for i in range(limbs - 1, -1, -1):
        if top[i] > 0:
            return WORD // 8 * i + byte_length(top[i])
    return 1


def collect(size: int, vector: Vector, used: Vector, steps: Vector, counts: Vector) -> tuple[int, int, int]:
    """Move the nonzero counts out of accumulators of one word, in the order of their ranks.

    Args:
        size: number of accumulators.
        vector: the accumulators; they are cleared.
        used: blocks of accumulators that are in use; they are cleared.
        steps: receives each rank minus the previous one; the first rank is compared with -1.
        counts: receives the counts.

    Returns:
        The number of counts, the bytes of the largest step, and the bytes of the largest count.
    """
    m, old, widest, largest = 0, -1, 1, 1
    for part in range((size + 63) >> 6):
        if not used[part]:
            continue
        used[part] = 0
        for rank in range(part << 6, min(size, (part + 1) << 6)):
            count = vector[rank]
            if count == 0:
                continue
            vector[rank] = 0
            steps[m], counts[m] = rank - old, count
            widest, largest = widest | (rank - old), largest | count
            old = rank
            m += 1
    return m, byte_length(widest), byte_length(largest)


def write_records(m: int, gap: int, width: int, steps: Vector, counts: Vector, end: int, wide: Vector) -> int:
    """Write records by eight bytes at a time, the later ones over the superfluous bytes of the earlier ones.

    Args:
        m: number of records.
        gap: bytes of a step.
        width: bytes of a count.
        steps: the steps, see `collect`.
        counts: the counts.
        end: byte offset of the first record.
        wide: `eight_bytes` of the data; there is room for eight bytes after the last record.

    Returns:
        The byte offset after the last record.
    """
    for i in range(m):
        wide[end] = steps[i] | counts[i] << 8 * gap
        if gap + width > 8:
            wide[end + gap] = counts[i]
        end += gap + width
    return end


def add_up(
    first: int,
    until: int,
    choices: Grouped,
    table: StateColumns,
    limbs: int,
    weighing: Weighing,
    pool: Vector,
    tables: Vector,
    sums: Sums,
    result: StateColumns,
    wide: Vector,
    wide_result: Vector,
) -> int:
    """Add up the states of some new patterns, and encode them.

    Args:
        first: index of the first new pattern.
        until: index after the last new pattern.
        choices: choices that lead to the new patterns.
        table: states before the stage.
        limbs: words of a count.
        weighing: weights of edges.
        pool: tables of changes, see `ranks.Changes`.
        tables: offset of the table of each code in `pool`, or -1.
        sums: scratch space.
        result: receives the states; `starts` receives the end of the states of each pattern.
        wide: `eight_bytes` of the data of `table`, for compiled code.
        wide_result: `eight_bytes` of the data of `result`, for compiled code.

    Returns:
        The number of bytes of the encoded states.
    """
    vector, used, ranks, words, order, top, factors = sums[:7]
    data, out, moduli = table.data, result.data, weighing.moduli
    weighed = len(moduli) > 0
    end = 0
    for t in range(first, until):
        size, m = choices.matchings[t], 0
        is_plain = not INTERPRETED and size > 0 and limbs == 1 and not weighed
        # Add the counts of the choices that lead to the pattern, by the rank after the change.
        for c in range(choices.starts[t], choices.starts[t + 1]):
            code, s = choices.code[c], choices.source[c]
            start = int(tables[code]) if code >= 0 else -1
            if weighed:
                u, w = choices.edges[c] >> 5, choices.edges[c] & 31
                for i in range(limbs):
                    factors[i] = weighing.factors[u * limbs + i] * weighing.factors[w * limbs + i]
            gap, count = table.shape[s] >> 8, table.shape[s] & 255
            old = -1
            begin, last = table.starts[s], table.starts[s + 1]
            if is_plain and (code < 0 or start >= 0):
                begin, old = add_records(begin, last, gap, count, old, start, wide, pool, vector, used)
            for offset in range(begin, last, gap + count):
                old += number(data, offset, gap)
                if code < 0:
                    rank = old
                elif start >= 0:
                    rank = pool[start + old]
                else:
                    rank = changed(old, code, sums.partner, sums.places, sums.taken)
                if rank < 0:
                    continue
                if size > 0:
                    used[rank >> 6] = 1
                    if weighed:
                        add_weighed(data, offset + gap, factors, limbs, vector, rank * limbs)
                    else:
                        add_count(data, offset + gap, count, limbs, vector, rank * limbs)
                else:
                    ranks[m] = rank
                    for i in range(limbs):
                        words[m * limbs + i] = 0
                    if weighed:
                        add_weighed(data, offset + gap, factors, limbs, words, m * limbs)
                    else:
                        add_count(data, offset + gap, count, limbs, words, m * limbs)
                    m += 1
        if is_plain:
            m, gap, count = collect(size, vector, used, ranks, words)
            end = write_records(m, gap, count, ranks, words, end, wide_result)
            result.shape[t - first], result.starts[t - first] = gap << 8 | count, end
            continue
        for i in range(limbs):
            top[i] = 0
        # Collect the nonzero counts in the order of their ranks, and clear the accumulators.
        if size > 0:
            for part in range((size + 63) >> 6):
                if not used[part]:
                    continue
                used[part] = 0
                for rank in range(part << 6, min(size, (part + 1) << 6)):
                    limb = 0
                    while limb < limbs and vector[rank * limbs + limb] == 0:
                        limb += 1
                    if limb == limbs:
                        continue
                    ranks[m], order[m] = rank, m
                    for i in range(limbs):
                        words[m * limbs + i] = vector[rank * limbs + i]
                        vector[rank * limbs + i] = 0
                    carry(words, m * limbs, limbs, moduli, top)
                    m += 1
        else:
            # Without accumulators: sort the ranks, and add up the counts of equal ones.
            sort_order(ranks, order, m)
            unmerged, m = m, 0
            for i in range(unmerged):
                k = order[i]
                if m > 0 and ranks[order[m - 1]] == ranks[k]:
                    for j in range(limbs):
                        words[order[m - 1] * limbs + j] += words[k * limbs + j]
                else:
                    order[m] = k
                    m += 1
            for i in range(m):
                carry(words, order[i] * limbs, limbs, moduli, top)
        # The widest gap and the largest count decide how many bytes each state takes.
        widest, old = 1, -1
        for i in range(m):
            widest |= ranks[order[i]] - old
            old = ranks[order[i]]
        gap, count = byte_length(widest), WORD // 8 * limbs if weighed else bytes_of(top, limbs)
        # Write each state: the gap to the rank before, then the count, lowest byte first.
        old = -1
        for i in range(m):
            k = order[i]
            step, old = ranks[k] - old, ranks[k]
            out[end] = step & 255
            end += 1
            for j in range(1, gap):
                out[end] = (step >> (8 * j)) & 255
                end += 1
            for j in range(count):
                limb = min(j // (WORD // 8), limbs - 1)
                out[end] = (words[k * limbs + limb] >> (8 * (j - WORD // 8 * limb))) & 255
                end += 1
        result.shape[t - first] = gap << 8 | count
        result.starts[t - first] = end
    return end
