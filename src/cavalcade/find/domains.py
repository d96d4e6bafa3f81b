"""The rules of tours with given steps: what follows from the steps that cells may still have.

The model is that of constraint programming: a variable a cell, whose *domain* is the set of steps it may
still have. These rules run until nothing changes:

- *Neighbours.* A cell may have step t only if one neighbour may have t - 1 and another one t + 1. Run to
  the end, this is arc consistency (Mackworth 1977): between two given numbers only those cells stay that
  can be reached from both in exactly so many moves, and the colours of the board fall out of it.
- *Edges.* A move no two steps of whose cells follow one another is out. A cell with two moves left, that is
  no end, makes both, and one that makes two makes no other.
- *All different.* A step that a cell has is nobody else's, and a step that one cell only may have is that
  cell's (naked and hidden singles).

A domain is a row of machine words. Interpreted, a single Python integer holds all steps; compiled, words
hold `BITS` each.

Time: a few operations on words for each move of a cell whose domain, or whose neighbour's, has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from cavalcade.ground.budget import assert_room
from cavalcade.ground.kernels import Ints, Tier, Vector
from cavalcade.question.graph import MoveGraph

BITS = 62  # of a word of 64, so that a shift to the left never meets the sign
LEVELS = 9  # sets in `spare`: steps with up to 8 cells are distinguished
LOOK_STEPS = 5  # for each word and neighbour of a cell whose rules are looked at
GUESS_STEPS = 40  # for each word of all domains, to choose, save and restore
OPEN, IN, OUT = 0, 1, 2  # what is known of a move
# indices of `marks`, and its length
DEPTH, HEAD, WAITING, GUESSES, DEEPEST, DONE, WORK, PER_LOOK, PER_GUESS, MARKS = range(10)


class Domains(NamedTuple):
    """What the kernels get."""

    indptr: Vector  # the graph's rows
    indices: Vector  # the neighbours
    back: Vector  # the place in `indices` of the same edge, seen from the other cell
    sets: Vector  # the steps of cell c: words from c * len(full) on
    edges: Vector  # OPEN, IN or OUT, for every place in `indices`
    full: Vector  # all steps; as many words as a domain has
    queue: Vector  # the cells whose rules must be checked again, a ring of n
    queued: Vector  # whether a cell is in it
    spare: Vector  # LEVELS sets for computations
    saved: Vector  # of every guess: the sets and the edges before it
    guessed: Vector  # of every guess: cell * n + step
    marks: Vector  # DEPTH … DONE, the steps so far, and the steps for a look at a cell and for a guess
    bits: int  # steps in a word
    last: int  # steps in the last word
    closed: int  # whether step 1 follows step n


def _later(sets: Vector, at: int, w: int, full: Vector, bits: int, last: int, closed: int) -> int:
    """Word w of the set at `at`, every step one later."""
    word = (sets[at + w] << 1) & full[w]
    if w > 0:
        word |= sets[at + w - 1] >> (bits - 1)
    elif closed:
        word |= sets[at + len(full) - 1] >> (last - 1)
    return word


def _earlier(sets: Vector, at: int, w: int, full: Vector, bits: int, last: int, closed: int) -> int:
    """Word w of the set at `at`, every step one earlier."""
    word = sets[at + w] >> 1
    if w + 1 < len(full):
        word |= (sets[at + w + 1] & 1) << (bits - 1)
    elif closed:
        word |= (sets[at] & 1) << (last - 1)
    return word


def _push(known: Domains, c: int) -> None:
    """Look at this cell again."""
    if not known.queued[c]:
        n = len(known.queued)
        known.queued[c] = 1
        known.queue[(known.marks[HEAD] + known.marks[WAITING]) % n] = c
        known.marks[WAITING] += 1


def push_around(known: Domains, c: int) -> None:
    """Look at this cell and its neighbours again: its domain has changed."""
    _push(known, c)
    for e in range(known.indptr[c], known.indptr[c + 1]):
        if known.edges[e] != OUT:
            _push(known, known.indices[e])


def _decide(known: Domains, e: int, state: int) -> None:
    """Put an edge in or out, seen from both ends."""
    known.edges[e] = state
    known.edges[known.back[e]] = state
    _push(known, known.indices[e])
    _push(known, known.indices[known.back[e]])


def single(known: Domains, c: int) -> bool:
    """Whether the cell has one step left."""
    words = len(known.full)
    some = 0
    for w in range(c * words, c * words + words):
        word = known.sets[w]
        if word:
            if some or word & (word - 1):
                return False
            some = 1
    return some == 1


def _degrees(known: Domains, c: int) -> bool:
    """The rule of edges at a cell whose domain has just been looked at. False if it has too few left."""
    full, sets, bits, last, closed = known.full, known.sets, known.bits, known.last, known.closed
    words = len(full)
    base = c * words
    left = made = 0
    for e in range(known.indptr[c], known.indptr[c + 1]):
        if known.edges[e] == OUT:
            continue
        d = known.indices[e] * words
        meet = 0
        for w in range(words):
            near = _later(sets, d, w, full, bits, last, closed)
            near |= _earlier(sets, d, w, full, bits, last, closed)
            meet |= sets[base + w] & near
        if meet:
            left += 1
            made += known.edges[e] == IN
        else:
            _decide(known, e, OUT)
    may_end = not closed and (sets[base] & 1 or sets[base + words - 1] >> (last - 1))
    least = 1 if may_end else 2
    if left < least or made > 2:
        return False
    if (left == least and made < left) or (made == 2 and left > made):
        for e in range(known.indptr[c], known.indptr[c + 1]):
            if known.edges[e] == OPEN:
                _decide(known, e, OUT if made == 2 else IN)
    return True


def _support(known: Domains, c: int) -> bool:
    """The rule of neighbours at a cell. False if no step is left."""
    full, sets, spare = known.full, known.sets, known.spare
    bits, last, closed = known.bits, known.last, known.closed
    words = len(full)
    base = c * words
    once, own = 0, words  # two sets in `spare`: those of one neighbour or more, then of this one alone
    for w in range(words):
        one = two = 0
        for e in range(known.indptr[c], known.indptr[c + 1]):
            if known.edges[e] != OUT:
                word = sets[known.indices[e] * words + w]
                two |= one & word
                one |= word
        spare[once + w] = one
        spare[2 * words + w] = one & ~two
    changed = False
    for w in range(words):
        before = _later(spare, once, w, full, bits, last, closed)
        after = _earlier(spare, once, w, full, bits, last, closed)
        if not closed and w == 0:
            before |= 1
        if not closed and w == words - 1:
            after |= 1 << (last - 1)
        word = sets[base + w] & before & after
        if word != sets[base + w]:
            sets[base + w] = word
            changed = True
    for e in range(known.indptr[c], known.indptr[c + 1]):
        if known.edges[e] == OUT:
            continue
        d = known.indices[e] * words
        for w in range(words):
            spare[own + w] = sets[d + w] & spare[2 * words + w]
        for w in range(words):
            word = sets[base + w] & ~(
                _later(spare, own, w, full, bits, last, closed)
                & _earlier(spare, own, w, full, bits, last, closed)
            )
            if known.edges[e] == IN:
                word &= _later(sets, d, w, full, bits, last, closed) | _earlier(
                    sets, d, w, full, bits, last, closed
                )
            if word != sets[base + w]:
                sets[base + w] = word
                changed = True
    some = 0
    for w in range(words):
        some |= sets[base + w]
    if changed and some:
        push_around(known, c)
    return some != 0


def _all_different(known: Domains) -> bool:
    """The rule of singles, over all cells. False if a step has no cell, or a cell no step of its own."""
    full, sets, spare = known.full, known.sets, known.spare
    words = len(full)
    fixed, one, two = 0, words, 2 * words
    for w in range(3 * words):
        spare[w] = 0
    for c in range(len(known.queued)):
        sure = single(known, c)
        for w in range(words):
            word = sets[c * words + w]
            spare[two + w] |= spare[one + w] & word
            spare[one + w] |= word
            if sure:
                if spare[fixed + w] & word:
                    return False
                spare[fixed + w] |= word
    for w in range(words):
        if spare[one + w] != full[w]:
            return False
        spare[two + w] = spare[one + w] & ~spare[two + w]
    for c in range(len(known.queued)):
        if single(known, c):
            continue
        changed = hidden = False
        some = 0
        for w in range(words):
            if sets[c * words + w] & spare[two + w]:
                hidden = True
        for w in range(words):
            word = sets[c * words + w] & (spare[two + w] if hidden else ~spare[fixed + w])
            if word != sets[c * words + w]:
                sets[c * words + w] = word
                changed = True
            some |= word
        if not some or (hidden and not single(known, c)):
            return False
        if changed:
            push_around(known, c)
    return True


def propagate(known: Domains) -> bool:
    """All rules, until nothing changes. False if there is no solution."""
    n = len(known.queued)
    while True:
        while known.marks[WAITING]:
            c = known.queue[known.marks[HEAD]]
            known.marks[HEAD] = (known.marks[HEAD] + 1) % n
            known.marks[WAITING] -= 1
            known.queued[c] = 0
            known.marks[WORK] += known.marks[PER_LOOK]
            if not _support(known, c) or not _degrees(known, c):
                return False
        if not _all_different(known):
            return False
        if known.marks[WAITING] == 0:
            return True


def domains(
    graph: MoveGraph,
    given: Mapping[int, int],
    tier: Tier,
    order: Ints,
    *,
    closed: bool,
    required: Iterable[tuple[int, int]] = (),
) -> Domains:
    """The domains before the search: the given steps, and all other steps for every other cell."""
    n = graph.size
    bits = BITS if tier.compiled else n
    words = -(-n // bits)
    last = n - bits * (words - 1)
    size = n * words + len(graph.indices)
    assert_room(8 * n * size, f"the search for tours of {n:,} cells")
    number = np.argsort(order)
    rows = [number[graph.neighbours(int(c))] for c in order]
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    indices = np.concatenate(rows)
    tails = np.repeat(np.arange(n), np.diff(indptr))
    back = np.lexsort((tails, indices))[np.argsort(np.lexsort((indices, tails)))]
    edges = np.zeros(len(indices), dtype=np.int32)
    for a, b in required:
        for here, there in ((number[a], number[b]), (number[b], number[a])):
            edges[(tails == here) & (indices == there)] = IN
    full = [(1 << bits) - 1] * (words - 1) + [(1 << last) - 1]
    sets = full * n
    for step, cell in given.items():
        c, t = int(number[cell]), step - 1
        sets[c * words : (c + 1) * words] = [1 << t % bits if w == t // bits else 0 for w in range(words)]

    marks = [0] * MARKS
    marks[WAITING] = n
    counted = -(-n // BITS)  # words, in either tier
    marks[PER_LOOK] = LOOK_STEPS * counted * (1 + len(indices) // n)
    marks[PER_GUESS] = GUESS_STEPS * counted * n + 2 * len(indices)

    return Domains(
        indptr=tier.vector(indptr.astype(np.int32)),
        indices=tier.vector(indices.astype(np.int32)),
        back=tier.vector(back.astype(np.int32)),
        sets=tier.words(sets),
        edges=tier.vector(edges),
        full=tier.words(full),
        queue=tier.vector(np.arange(n, dtype=np.int32)),
        queued=tier.full(n, 1),
        spare=tier.words([0] * (LEVELS * words)),
        saved=tier.column(n * size),
        guessed=tier.words([0] * n),
        marks=tier.words(marks),
        bits=bits,
        last=last,
        closed=int(closed),
    )
