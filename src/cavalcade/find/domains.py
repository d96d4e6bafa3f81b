"""Domains and propagation rules for tours with given steps.

This is a model of constraint programming with one variable for each cell. The *domain* of a cell is the set
of steps that it may still have. The rules run until no domain changes:

- *Neighbours.* A cell can have step t only if one neighbour can have t - 1 and another one t + 1. At the
  fixed point this is arc consistency (Mackworth 1977): a cell keeps a step between two given numbers only if
  it can be reached from both in exactly the moves between them. The colours of the board follow from it.
- *Edges.* A move is excluded if no two consecutive steps remain for its cells. A cell that is no end of the
  tour and has only two moves uses both. A cell that uses two moves uses no other.
- *All different.* A step that is fixed for one cell is removed from all other cells. A step that only one
  cell can have is fixed for that cell (naked and hidden singles).
- *Order.* A cell of a given order keeps only steps after the first possible step of the cell before it, and
  before the last possible step of the cell after it.

A domain is a bit set in a row of machine words. Interpreted, one Python integer holds all steps; compiled,
each word holds `BITS` steps.

Time: a few operations on words for each move of a cell whose domain, or whose neighbour's domain, has
changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from cavalcade.ground.budget import assert_room
from cavalcade.ground.kernels import Ints, Tier, Vector
from cavalcade.question.graph import MoveGraph

# Steps per word: all bits of an int64 but two, so that a shift to the left by one leaves the sign bit clear.
BITS = np.iinfo(np.int64).bits - 2
# Sets of steps in `scratch`. Branching tells steps with 2, 3, … 7 cells apart; with three or four sets, it
# needs 1.4 to 15 times the guesses on 5x5 and 5x6.
LEVELS = 9


class EdgeState(NamedTuple):
    """What is known of a move. Interpreted, a field of a tuple is read faster than a member of an enum."""

    OPEN: int = 0
    REQUIRED: int = 1
    EXCLUDED: int = 2


class Counter(NamedTuple):
    """Indices of `Domains.counters`.

    Args:
        DEPTH: number of guesses in force.
        QUEUE_HEAD: index in the ring buffer of the next cell to examine.
        QUEUE_LENGTH: number of cells in the queue.
        GUESSES: number of guesses so far.
        DEEPEST: greatest depth so far.
        DONE: 1 once the search is complete.
        WORK: inner steps so far.
    """

    DEPTH: int = 0
    QUEUE_HEAD: int = 1
    QUEUE_LENGTH: int = 2
    GUESSES: int = 3
    DEEPEST: int = 4
    DONE: int = 5
    WORK: int = 6


EDGE, COUNTER = EdgeState(), Counter()


class Steps(NamedTuple):
    """How sets of steps are stored.

    Args:
        bits: steps in each word but the last.
        last_bits: steps in the last word.
        closed: whether step 1 follows step n.
    """

    bits: int
    last_bits: int
    closed: bool


class Domains(NamedTuple):
    """The state of a search, in the containers of a tier.

    Args:
        indptr: offsets of the rows of neighbours, shape (n + 1,).
        indices: neighbours, row after row.
        reverse: index in `indices` of the opposite of each entry.
        sets: domain of each cell, one row of `len(full)` words per cell.
        edges: `EdgeState` of each entry of `indices`.
        full: the set of all steps.
        queue: ring buffer of the cells to examine, n entries.
        is_queued: 1 for each cell in the queue.
        path: cells whose steps rise in this order.
        scratch: scratch space, `LEVELS` sets.
        saved: copies of `sets` and `edges` before each guess.
        guessed: cell * n + step of each guess.
        counters: see `Counter`.
        steps: layout of the sets.
        look_work: inner steps to examine one cell.
    """

    indptr: Vector
    indices: Vector
    reverse: Vector
    sets: Vector
    edges: Vector
    full: Vector
    queue: Vector
    is_queued: Vector
    path: Vector
    scratch: Vector
    saved: Vector
    guessed: Vector
    counters: Vector
    steps: Steps
    look_work: int


def look_work(graph: MoveGraph) -> int:
    """Inner steps to examine one cell, the same in both tiers."""
    words = -(-graph.size // BITS) * (1 + len(graph.indices) // graph.size)  # in the domains that rules read
    return 5 * words  # 5 inner steps per word


def initial_domains(
    graph: MoveGraph,
    given: Mapping[int, int],
    tier: Tier,
    order: Ints,
    *,
    closed: bool,
    required: Iterable[tuple[int, int]] = (),
    through: Iterable[int] = (),
) -> Domains:
    """The domains before the search: one step for each given cell, all steps for the other cells.

    Args:
        graph: the move graph.
        given: cell of each given step, from 1.
        tier: interpreted or compiled.
        order: permutation of the cells: the search calls cell order[i] by the number i.
        closed: whether step 1 follows step n.
        required: moves that the tours must use, in either direction.
        through: cells whose steps must rise in this order.

    Raises:
        TooLargeError: the copies for n guesses do not fit into memory.
    """
    n = graph.size
    bits = BITS if tier.compiled else n
    words = -(-n // bits)
    last_bits = n - bits * (words - 1)
    size = n * words + len(graph.indices)
    assert_room(8 * n * size, f"the search for tours of {n:,} cells")
    number = np.argsort(order)
    rows = [number[graph.neighbours(int(cell))] for cell in order]
    indptr = np.cumsum([0, *map(len, rows)])
    indices = np.concatenate(rows)
    tails = np.repeat(np.arange(n), np.diff(indptr))
    # The k-th arc by (head, tail) is the opposite of the k-th arc by (tail, head).
    reverse = np.lexsort((tails, indices))[np.argsort(np.lexsort((indices, tails)))]
    edges = np.full(len(indices), EDGE.OPEN, dtype=np.int32)
    for move in required:
        for tail, head in (number[[*move]], number[[*move[::-1]]]):
            edges[(tails == tail) & (indices == head)] = EDGE.REQUIRED
    full = [(1 << bits) - 1] * (words - 1) + [(1 << last_bits) - 1]
    sets = full * n
    for step, cell in given.items():
        c, t = int(number[cell]), step - 1
        sets[c * words : (c + 1) * words] = [1 << t % bits if w == t // bits else 0 for w in range(words)]
    counters = [0] * len(COUNTER)
    counters[COUNTER.QUEUE_LENGTH] = n
    return Domains(
        indptr=tier.vector(indptr.astype(np.int32)),
        indices=tier.vector(indices.astype(np.int32)),
        reverse=tier.vector(reverse.astype(np.int32)),
        sets=tier.words(sets),
        edges=tier.vector(edges),
        full=tier.words(full),
        queue=tier.vector(np.arange(n, dtype=np.int32)),
        is_queued=tier.full(n, 1),
        path=tier.vector(number[list(through)].astype(np.int32)),
        scratch=tier.words([0] * (LEVELS * words)),
        saved=tier.column(n * size),
        guessed=tier.words([0] * n),
        counters=tier.words(counters),
        steps=Steps(bits, last_bits, closed),
        look_work=look_work(graph),
    )


# ---- kernels


def _later(sets: Vector, begin: int, w: int, full: Vector, steps: Steps) -> int:
    """Word w of the set that begins at an index, with each step moved one later."""
    word = (sets[begin + w] << 1) & full[w]
    if w > 0:
        word |= sets[begin + w - 1] >> (steps.bits - 1)
    elif steps.closed:
        word |= sets[begin + len(full) - 1] >> (steps.last_bits - 1)
    return word


def _earlier(sets: Vector, begin: int, w: int, full: Vector, steps: Steps) -> int:
    """Word w of the set that begins at an index, with each step moved one earlier."""
    word = sets[begin + w] >> 1
    if w + 1 < len(full):
        word |= (sets[begin + w + 1] & 1) << (steps.bits - 1)
    elif steps.closed:
        word |= (sets[begin] & 1) << (steps.last_bits - 1)
    return word


def _push(domains: Domains, cell: int) -> None:
    """Queue a cell, unless it is queued."""
    if not domains.is_queued[cell]:
        domains.is_queued[cell] = 1
        end = domains.counters[COUNTER.QUEUE_HEAD] + domains.counters[COUNTER.QUEUE_LENGTH]
        domains.queue[end % len(domains.queue)] = cell
        domains.counters[COUNTER.QUEUE_LENGTH] += 1


def push_around(domains: Domains, cell: int) -> None:
    """Queue a cell whose domain has changed, and its neighbours."""
    _push(domains, cell)
    for e in range(domains.indptr[cell], domains.indptr[cell + 1]):
        if domains.edges[e] != EDGE.EXCLUDED:
            _push(domains, domains.indices[e])


def _set_edge(domains: Domains, e: int, state: int) -> None:
    """Set the state of both entries of an edge, and queue its cells."""
    opposite = domains.reverse[e]
    domains.edges[e] = state
    domains.edges[opposite] = state
    _push(domains, domains.indices[e])
    _push(domains, domains.indices[opposite])


def is_fixed(domains: Domains, cell: int) -> bool:
    """Whether exactly one step remains for a cell."""
    words = len(domains.full)
    has_step = False
    for w in range(cell * words, cell * words + words):
        word = domains.sets[w]
        if word:
            if has_step or word & (word - 1):
                return False
            has_step = True
    return has_step


def _filter_by_neighbours(domains: Domains, cell: int) -> bool:
    """Apply the rule of neighbours to a cell; returns whether any step remains."""
    edges, sets, scratch, indices = domains.edges, domains.sets, domains.scratch, domains.indices
    full, steps, excluded = domains.full, domains.steps, EDGE.EXCLUDED
    words = len(full)
    begin = cell * words
    # Three sets in `scratch`: the steps that any neighbour can have, the steps that only the neighbour in
    # question can have, and the steps that exactly one neighbour can have.
    union, own, unique = 0, words, 2 * words
    for w in range(words):
        once = twice = 0
        for e in range(domains.indptr[cell], domains.indptr[cell + 1]):
            if edges[e] != excluded:
                word = sets[indices[e] * words + w]
                twice |= once & word
                once |= word
        scratch[union + w] = once
        scratch[unique + w] = once & ~twice
    # Keep steps with a predecessor and a successor at some neighbour; an open tour has two ends.
    changed = False
    for w in range(words):
        before, after = _later(scratch, union, w, full, steps), _earlier(scratch, union, w, full, steps)
        if not steps.closed and w == 0:
            before |= 1
        if not steps.closed and w == words - 1:
            after |= 1 << (steps.last_bits - 1)
        word = sets[begin + w] & before & after
        if word != sets[begin + w]:
            sets[begin + w] = word
            changed = True
    for e in range(domains.indptr[cell], domains.indptr[cell + 1]):
        if edges[e] == excluded:
            continue
        neighbour = indices[e] * words
        for w in range(words):
            scratch[own + w] = sets[neighbour + w] & scratch[unique + w]
        for w in range(words):
            # The same neighbour cannot be both predecessor and successor.
            word = sets[begin + w] & ~(
                _later(scratch, own, w, full, steps) & _earlier(scratch, own, w, full, steps)
            )
            if edges[e] == EDGE.REQUIRED:
                word &= _later(sets, neighbour, w, full, steps) | _earlier(sets, neighbour, w, full, steps)
            if word != sets[begin + w]:
                sets[begin + w] = word
                changed = True
    remaining = 0
    for w in range(words):
        remaining |= sets[begin + w]
    if changed and remaining:
        push_around(domains, cell)
    return remaining != 0


def _filter_edges(domains: Domains, cell: int) -> bool:
    """Apply the rule of edges to a cell; returns whether it keeps enough moves and not too many."""
    edges, sets, full, steps = domains.edges, domains.sets, domains.full, domains.steps
    words = len(full)
    begin = cell * words
    usable = required = 0
    for e in range(domains.indptr[cell], domains.indptr[cell + 1]):
        if edges[e] == EDGE.EXCLUDED:
            continue
        # Exclude the move if no step of the neighbour is next to a step of the cell.
        neighbour = domains.indices[e] * words
        common = 0
        for w in range(words):
            adjacent = _later(sets, neighbour, w, full, steps) | _earlier(sets, neighbour, w, full, steps)
            common |= sets[begin + w] & adjacent
        if common:
            usable += 1
            required += edges[e] == EDGE.REQUIRED
        else:
            _set_edge(domains, e, EDGE.EXCLUDED)
    ends = sets[begin] & 1 or sets[begin + words - 1] >> (steps.last_bits - 1)
    least = 1 if ends and not steps.closed else 2
    if usable < least or required > 2:
        return False
    # Settle the open moves if all of them are needed, or if two others are used.
    if (usable == least and required < usable) or (required == 2 and usable > required):
        for e in range(domains.indptr[cell], domains.indptr[cell + 1]):
            if edges[e] == EDGE.OPEN:
                _set_edge(domains, e, EDGE.EXCLUDED if required == 2 else EDGE.REQUIRED)
    return True


def _filter_singles(domains: Domains) -> bool:
    """Apply the rule of all different; returns whether each step has a cell and each cell a step."""
    full, sets, scratch = domains.full, domains.sets, domains.scratch
    words, n = len(full), len(domains.is_queued)
    # Three sets in `scratch`: the steps of fixed cells, the steps of at least one cell, and the steps of
    # exactly one cell (of two cells or more, during the loop).
    fixed, union, unique = 0, words, 2 * words
    for w in range(3 * words):
        scratch[w] = 0
    for cell in range(n):
        is_single = is_fixed(domains, cell)
        for w in range(words):
            word = sets[cell * words + w]
            scratch[unique + w] |= scratch[union + w] & word
            scratch[union + w] |= word
            if is_single:
                if scratch[fixed + w] & word:
                    return False  # two cells are fixed to the same step
                scratch[fixed + w] |= word
    for w in range(words):
        if scratch[union + w] != full[w]:
            return False  # no cell can have this step
        scratch[unique + w] = scratch[union + w] & ~scratch[unique + w]
    for cell in range(n):
        if is_fixed(domains, cell):
            continue
        is_hidden = changed = False
        remaining = 0
        for w in range(words):
            if sets[cell * words + w] & scratch[unique + w]:
                is_hidden = True
        for w in range(words):
            word = sets[cell * words + w] & (scratch[unique + w] if is_hidden else ~scratch[fixed + w])
            if word != sets[cell * words + w]:
                sets[cell * words + w] = word
                changed = True
            remaining |= word
        if not remaining or (is_hidden and not is_fixed(domains, cell)):
            return False
        if changed:
            push_around(domains, cell)
    return True


def _filter_order(domains: Domains) -> bool:
    """Apply the rule of order; returns whether each cell of the path keeps a step.

    The first pass goes along the path: a cell keeps the steps after the first step of the previous cell. The
    second pass goes back: a cell keeps the steps before the last step of the next cell.
    """
    sets, path, bits = domains.sets, domains.path, domains.steps.bits
    words, n = len(domains.full), len(domains.is_queued)
    for backwards in range(2):
        # Invariant: `bound` is the first (in the second pass the last) step of the previous cell in the pass.
        bound = n if backwards else -1
        for i in range(len(path)):
            cell = path[len(path) - 1 - i] if backwards else path[i]
            begin, changed, first, last = cell * words, False, n, -1
            for w in range(words):
                # Bits of this word that stand for steps before `limit`.
                limit = min(max(bound + 1 - backwards - w * bits, 0), bits)
                before = (1 << limit) - 1
                word = sets[begin + w] & before if backwards else sets[begin + w] & ~before
                if word != sets[begin + w]:
                    sets[begin + w] = word
                    changed = True
                if word:
                    bit = 0
                    while not word >> bit & 1:
                        bit += 1
                    first = min(first, w * bits + bit)
                    while word >> bit > 1:
                        bit += 1
                    last = w * bits + bit
            if last < 0:
                return False
            bound = last if backwards else first
            if changed:
                push_around(domains, cell)
    return True


def propagate(domains: Domains, stop: int) -> bool:
    """Apply all rules until nothing changes; returns False if they find a contradiction.

    If the counted work reaches `stop` before, cells remain in the queue, and the next call continues.
    """
    counters = domains.counters
    while True:
        while counters[COUNTER.QUEUE_LENGTH] > 0:
            if counters[COUNTER.WORK] >= stop:
                return True
            cell = domains.queue[counters[COUNTER.QUEUE_HEAD]]
            counters[COUNTER.QUEUE_HEAD] = (counters[COUNTER.QUEUE_HEAD] + 1) % len(domains.queue)
            counters[COUNTER.QUEUE_LENGTH] -= 1
            domains.is_queued[cell] = 0
            counters[COUNTER.WORK] += domains.look_work
            if not _filter_by_neighbours(domains, cell) or not _filter_edges(domains, cell):
                return False
        if not _filter_singles(domains) or not _filter_order(domains):
            return False
        if counters[COUNTER.QUEUE_LENGTH] == 0:
            return True
