"""Adding up the counts of all choices that lead to a pattern: the inner loop of a count."""

from __future__ import annotations

from typing import NamedTuple

from cavalcade.ground.kernels import Vector
from cavalcade.states.patterns import WORD, StateColumns, number
from cavalcade.states.ranks import changed


class Sums(NamedTuple):
    """Scratch space to add up the counts of one pattern.

    Args:
        vector: accumulators, `limbs` words of 48 bits for each matching, lowest first, carried later; or
            `limbs` remainders. Zero between two patterns.
        used: for each block of 64 matchings, whether one of its accumulators is in use.
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


def add_count(data: Vector, at: int, width: int, limbs: int, into: Vector, to: int) -> None:
    """Add a little-endian count to a multi-word accumulator."""
    found, shift, limb = 0, 0, 0
    for i in range(width):
        found |= data[at + i] << shift
        shift += 8
        if shift == WORD and limb + 1 < limbs:
            into[to + limb] += found
            found, shift, limb = 0, 0, limb + 1
    into[to + limb] += found


def add_weighed(data: Vector, at: int, factors: Vector, limbs: int, into: Vector, to: int) -> None:
    """Add remainders, each multiplied by its factor, to an accumulator."""
    for i in range(limbs):
        word = at + WORD // 8 * i
        found = data[word] | data[word + 1] << 8 | data[word + 2] << 16
        found |= data[word + 3] << 24 | data[word + 4] << 32 | data[word + 5] << 40
        into[to + i] += found * factors[i]


def remainder(number: int, modulus: int) -> int:
    """Fast modular reduction by floating-point division."""
    left = number - int(number / modulus) * modulus
    if left < 0:
        return left + modulus
    return left - modulus if left >= modulus else left


def sift(keys: Vector, order: Vector, at: int, n: int) -> None:
    """Move the entry at an index down to its place in a heap of n entries."""
    one = order[at]
    while True:
        child = 2 * at + 1
        if child >= n:
            break
        if child + 1 < n and keys[order[child + 1]] > keys[order[child]]:
            child += 1
        if keys[order[child]] <= keys[one]:
            break
        order[at] = order[child]
        at = child
    order[at] = one


def sort_order(keys: Vector, order: Vector, n: int) -> None:
    """Sort the indices of n keys by heapsort (J. W. J. Williams, Algorithm 232, 1964)."""
    for i in range(n):
        order[i] = i
    for at in range(n // 2 - 1, -1, -1):
        sift(keys, order, at, n)
    for until in range(n - 1, 0, -1):
        order[0], order[until] = order[until], order[0]
        sift(keys, order, 0, until)


def carry(words: Vector, at: int, limbs: int, moduli: Vector, top: Vector) -> None:
    """Normalize a count: carry from word to word, or reduce remainders by their moduli."""
    for i in range(len(moduli)):
        words[at + i] = remainder(words[at + i], moduli[i])
    if len(moduli) > 0:
        return
    for i in range(limbs - 1):
        words[at + i + 1] += words[at + i] >> WORD
        words[at + i] &= (1 << WORD) - 1
    for i in range(limbs):
        top[i] |= words[at + i]


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
    found: StateColumns,
) -> int:
    """Add up the states of patterns `first` to `until`, and encode them; returns the number of bytes."""
    vector, used, ranks, words, order, top, factors = sums[:7]
    data, out, moduli = table.data, found.data, weighing.moduli
    weighed = len(moduli) > 0
    end = 0
    for t in range(first, until):
        size, m = choices.matchings[t], 0
        # Add the counts of all choices that lead to the pattern, by the rank after the change.
        for c in range(choices.starts[t], choices.starts[t + 1]):
            code, s = choices.code[c], choices.source[c]
            start = int(tables[code]) if code >= 0 else -1
            if weighed:
                one, two = choices.edges[c] >> 5, choices.edges[c] & 31
                for i in range(limbs):
                    factors[i] = weighing.factors[one * limbs + i] * weighing.factors[two * limbs + i]
            gap, count = table.shape[s] >> 8, table.shape[s] & 255
            old = -1
            for at in range(table.starts[s], table.starts[s + 1], gap + count):
                if gap == 1:
                    old += data[at]
                else:
                    old += number(data, at, gap)
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
                        add_weighed(data, at + gap, factors, limbs, vector, rank * limbs)
                    elif count > 2:
                        add_count(data, at + gap, count, limbs, vector, rank * limbs)
                    else:
                        vector[rank * limbs] += data[at + gap]
                        if count > 1:
                            vector[rank * limbs] += 256 * data[at + gap + 1]
                else:
                    ranks[m] = rank
                    for i in range(limbs):
                        words[m * limbs + i] = 0
                    if weighed:
                        add_weighed(data, at + gap, factors, limbs, words, m * limbs)
                    else:
                        add_count(data, at + gap, count, limbs, words, m * limbs)
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
                    some = 0
                    while some < limbs and vector[rank * limbs + some] == 0:
                        some += 1
                    if some == limbs:
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
            many, m = m, 0
            for i in range(many):
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
            left = count
            for limb in range(limbs):
                word = words[k * limbs + limb]
                for _ in range(left if limb == limbs - 1 else min(left, WORD // 8)):
                    out[end] = word & 255
                    end += 1
                    word >>= 8
                    left -= 1
        found.shape[t - first] = gap << 8 | count
        found.starts[t - first] = end
    return end
