"""Adding up the counts of all choices that lead to a pattern: the inner loop of a count."""

from __future__ import annotations

from typing import NamedTuple

from cavalcade.frontier.patterns import StateColumns, number
from cavalcade.frontier.ranks import changed
from cavalcade.ground.kernels import Vector


class Sums(NamedTuple):
    """Room to add up in.

    Args:
        vector: a number for each matching, in words of 32 bits each, from the lowest, that carry later; zero
            before and after.
        used: of each 64 of these numbers whether one is in use.
        ranks: the ranks that were found for a pattern;
        words: and the words of their counts.
        order: for sorting, which of them stands where.
        top: for each word all bits that are set in one of these.
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
    partner: Vector
    places: Vector
    taken: Vector


class Grouped(NamedTuple):
    """Choices in the order of the patterns they lead to.

    Args:
        starts: of each of these patterns where its choices begin, and where those of the last one end.
        matchings: how many matchings it has, or 0 if there are too many for the vector.
        source: of each choice the pattern it comes of;
        code: and its change.
    """

    starts: Vector
    matchings: Vector
    source: Vector
    code: Vector


def add_count(data: Vector, at: int, width: int, limbs: int, into: Vector, to: int) -> None:
    """Add a count to a number in so many words."""
    found, shift, limb = 0, 0, 0
    for i in range(width):
        found |= data[at + i] << shift
        shift += 8
        if shift == 32 and limb + 1 < limbs:
            into[to + limb] += found
            found, shift, limb = 0, 0, limb + 1
    into[to + limb] += found


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


def carry(words: Vector, at: int, limbs: int, top: Vector) -> None:
    """Carry from word to word of a number; the highest takes what is left."""
    for i in range(limbs - 1):
        words[at + i + 1] += words[at + i] >> 32
        words[at + i] &= 0xFFFFFFFF
    for i in range(limbs):
        top[i] |= words[at + i]


def bytes_of(top: Vector, limbs: int) -> int:
    """How many bytes the largest of some numbers takes, from the bits that are set in their words."""
    for i in range(limbs - 1, -1, -1):
        if top[i] > 0:
            width, rest = 4 * i, top[i]
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
    pool: Vector,
    tables: Vector,
    sums: Sums,
    found: StateColumns,
) -> int:
    """Add up the states of patterns `first` to `until`; returns the bytes that these take."""
    vector, used, ranks, words, order, top = sums[:6]
    data, out = table.data, found.data
    end = 0
    for t in range(first, until):
        size, m = choices.matchings[t], 0
        for c in range(choices.starts[t], choices.starts[t + 1]):
            code, s = choices.code[c], choices.source[c]
            start = tables[code] if code >= 0 else -1
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
                    if count > 2:
                        add_count(data, at + gap, count, limbs, vector, rank * limbs)
                    else:
                        vector[rank * limbs] += data[at + gap]
                        if count > 1:
                            vector[rank * limbs] += 256 * data[at + gap + 1]
                else:
                    ranks[m] = rank
                    for i in range(limbs):
                        words[m * limbs + i] = 0
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
                    for i in range(limbs):
                        some |= vector[rank * limbs + i]
                    if some == 0:
                        continue
                    ranks[m], order[m] = rank, m
                    for i in range(limbs):
                        words[m * limbs + i] = vector[rank * limbs + i]
                        vector[rank * limbs + i] = 0
                    carry(words, m * limbs, limbs, top)
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
                carry(words, order[i] * limbs, limbs, top)
        widest, old = 1, -1
        for i in range(m):
            widest |= ranks[order[i]] - old
            old = ranks[order[i]]
        gap, count = 0, bytes_of(top, limbs)
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
            out[end] = words[k * limbs] & 255
            end += 1
            for j in range(1, count):
                limb = min(j >> 2, limbs - 1)
                out[end] = (words[k * limbs + limb] >> (8 * j - 32 * limb)) & 255
                end += 1
        found.shape[t - first] = gap << 8 | count
        found.starts[t - first] = end
    return end
