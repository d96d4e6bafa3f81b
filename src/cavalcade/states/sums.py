"""Add up the counts of all choices that lead to a pattern: the inner loop of a count."""

from __future__ import annotations

from typing import NamedTuple

from cavalcade.ground.kernels import Vector
from cavalcade.states.patterns import WORD, StateColumns, number
from cavalcade.states.ranks import changed


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


def bytes_of(top: Vector, limbs: int) -> int:
    """Number of bytes of the largest count, from the bits that are set in any of them."""
    for i in range(limbs - 1, -1, -1):
        if top[i] > 0:
            width, rest = WORD // 8 * i, top[i]
            while rest > 0:
                width += 1
                rest >>= 8
            return width
    return 1


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

    Returns:
        The number of bytes of the encoded states.
    """
    vector, used, ranks, words, order, top, factors = sums[:7]
    data, out, moduli = table.data, result.data, weighing.moduli
    weighed = len(moduli) > 0
    end = 0
    for t in range(first, until):
        size, m = choices.matchings[t], 0
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
            for offset in range(table.starts[s], table.starts[s + 1], gap + count):
                if gap == 1:
                    old += data[offset]
                else:
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
                    elif count > 2:
                        add_count(data, offset + gap, count, limbs, vector, rank * limbs)
                    else:
                        vector[rank * limbs] += data[offset + gap]
                        if count > 1:
                            vector[rank * limbs] += 256 * data[offset + gap + 1]
                else:
                    ranks[m] = rank
                    for i in range(limbs):
                        words[m * limbs + i] = 0
                    if weighed:
                        add_weighed(data, offset + gap, factors, limbs, words, m * limbs)
                    else:
                        add_count(data, offset + gap, count, limbs, words, m * limbs)
                    m += 1
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
        gap, count = 0, WORD // 8 * limbs if weighed else bytes_of(top, limbs)
        while widest > 0:
            gap += 1
            widest >>= 8
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
