"""Adding up the counts of all choices that lead to a pattern: the inner loop of a count."""

from __future__ import annotations

from typing import NamedTuple

from cavalcade.ground.kernels import Vector
from cavalcade.states.patterns import WORD, StateColumns, number
from cavalcade.states.ranks import changed


class Sums(NamedTuple):
    """Room to add up in.

    Args:
        vector: a number for each matching, in words of 48 bits each, from the lowest, that carry later; or as
            many remainders; zero before and after.
        used: of each 64 of these numbers whether one is in use.
        ranks: the ranks that were found for a pattern;
        words: and the words of their counts.
        order: for sorting, which of them stands where.
        top: for each word all bits that are set in one of these;
        factors: and what the weights of a choice multiply it by.
        partner: three lists of places for `ranks.changed`.
        places: the second;
        taken: and the third.
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
    """Choices in the order of the patterns they lead to.

    Args:
        starts: of each of these patterns where its choices begin, and where those of the last one end.
        matchings: how many matchings it has, or 0 if there are too many for the vector.
        source: of each choice the pattern it comes of;
        code: its change;
        edges: and its edges, see `choices.Choices`.
    """

    starts: Vector
    matchings: Vector
    source: Vector
    code: Vector
    edges: Vector


class Weighing(NamedTuple):
    """What edges multiply remainders by, see `weights`; both empty where numbers are added up.

    Args:
        factors: for each place the factors of v's edge to it, one for each word.
        moduli: of each word.
    """

    factors: Vector
    moduli: Vector


def add_count(data: Vector, at: int, width: int, limbs: int, into: Vector, to: int) -> None:
    """Add a count to a number in so many words."""
    found, shift, limb = 0, 0, 0
    for i in range(width):
        found |= data[at + i] << shift
        shift += 8
        if shift == WORD and limb + 1 < limbs:
            into[to + limb] += found
            found, shift, limb = 0, 0, limb + 1
    into[to + limb] += found


def add_weighed(data: Vector, at: int, factors: Vector, limbs: int, into: Vector, to: int) -> None:
    """Add remainders, each times its factor."""
    for i in range(limbs):
        word = at + WORD // 8 * i
        found = data[word] | data[word + 1] << 8 | data[word + 2] << 16
        found |= data[word + 3] << 24 | data[word + 4] << 32 | data[word + 5] << 40
        into[to + i] += found * factors[i]


def remainder(number: int, modulus: int) -> int:
    """A number modulo another, several times as fast as by a division of integers."""
    left = number - int(number / modulus) * modulus
    if left < 0:
        return left + modulus
    return left - modulus if left >= modulus else left


def sift(keys: Vector, order: Vector, at: int, n: int) -> None:
    """Let the entry at a place sink in a heap of n."""
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
    """The order in which n keys ascend (J. W. J. Williams, Algorithm 232: Heapsort, 1964)."""
    for i in range(n):
        order[i] = i
    for at in range(n // 2 - 1, -1, -1):
        sift(keys, order, at, n)
    for until in range(n - 1, 0, -1):
        order[0], order[until] = order[until], order[0]
        sift(keys, order, 0, until)


def carry(words: Vector, at: int, limbs: int, moduli: Vector, top: Vector) -> None:
    """Carry from word to word of a number; the highest takes what is left. Of remainders none carries."""
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
    """How many bytes the largest of some numbers takes, from the bits that are set in their words."""
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
    """Add up the states of patterns `first` to `until`; returns the bytes that these take."""
    vector, used, ranks, words, order, top, factors = sums[:7]
    data, out, moduli = table.data, found.data, weighing.moduli
    weighed = len(moduli) > 0
    end = 0
    for t in range(first, until):
        size, m = choices.matchings[t], 0
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
        widest, old = 1, -1
        for i in range(m):
            widest |= ranks[order[i]] - old
            old = ranks[order[i]]
        gap, count = 0, WORD // 8 * limbs if weighed else bytes_of(top, limbs)
        while widest > 0:
            gap += 1
            widest >>= 8
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
