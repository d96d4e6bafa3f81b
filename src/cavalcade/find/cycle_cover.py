"""Cycle covers: a successor for every cell, no two cells with the same one.

In a *cycle cover* (a 2-factor, but that 2-cycles count as cycles too) every cell has one successor among its
neighbours and one predecessor. That is a perfect matching of cells to successors in the bipartite graph with
every cell on either side. Two kernels, each on *alternating paths*, whose edges are by turns not in the
matching or cover, and in it:

- `MATCH` pairs neighbours first, both with each other, and then augments (Pothen & Fan 1990: depth first,
  looking ahead for a free successor, each cell entered once a phase). Time: nearly linear on boards.
- `UNTIE` makes a 2-cycle a=b, which walks the edge a-b to and fro, a part of a longer cycle: breadth first it
  finds the shortest alternating path from a to b, takes the edges that are not in the cover, and gives up
  the others and one copy of a-b. So boards with many cells of two moves are closed (holes, zebra, antelope).

Other engines use one function of this module, `cycle_cover`; `find.join` is the same method.

a, b, u, v, … are cells, n is their number.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cavalcade.kernels import Kernel, Tier, next_random

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cavalcade.kernels import Vector

LEFT, BREAK, FROM, RANDOM = range(1, 5)  # what the numbers of `random` are after the state; see `_untie`
STEPS_PER_CELL = 60  # inner steps of matching and joining, for the choice of the tier


class Adjacency(NamedTuple):
    """A graph: the neighbours of a are `indices[indptr[a]:indptr[a + 1]]`."""

    indptr: Vector
    indices: Vector


class Matching(NamedTuple):
    """The successor and the predecessor of each cell, -1 where it has none."""

    nxt: Vector
    prv: Vector


class Links(NamedTuple):
    """The two neighbours of each cell along its cycle, in no order."""

    p: Vector
    q: Vector


class Search(NamedTuple):
    """Room for a search: `seen` of 2n numbers in `UNTIE` and of n in `MATCH`, the others of n."""

    seen: Vector
    one: Vector
    two: Vector
    queue: Vector


def cycle_cover(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    *,
    directed: bool = False,
    until: float = math.inf,
) -> NDArray[np.int32]:
    """A maximum matching of cells to successors: each cell's successor, (n,), and -1 where it has none.

    Args:
        indptr: (n + 1,) where the rows begin.
        indices: the neighbours, row after row.
        directed: the rows are those of a directed graph.
        until: the moment, of `time.perf_counter`, when to give up.

    Raises:
        TimeoutError: it has come.
    """
    n = len(indptr) - 1
    tier = Tier(STEPS_PER_CELL * n)
    graph = Adjacency(tier.give(indptr.astype(np.int32)), tier.give(indices.astype(np.int32)))
    matching = Matching(tier.new(n, -1), tier.new(n, -1))
    order = tier.give(np.arange(n, dtype=np.int32))
    search = Search(*(tier.new(n) for _ in range(4)))
    match(tier, graph, order, 0, matching, search, until, directed=directed)
    return np.asarray(matching.nxt, dtype=np.int32)


# ---- matching


def match(
    tier: Tier,
    graph: Adjacency,
    order: Vector,
    state: int,
    matching: Matching,
    search: Search,
    until: float = math.inf,
    *,
    directed: bool = False,
) -> int:
    """Match cells to successors as far as they go; returns how many.

    `order` is the order in which cells choose; `state` draws where in its row each begins to look, 0 for
    the beginning. In a directed graph no two cells are paired with each other first.

    Raises:
        TimeoutError: the moment `until` has come.
    """
    matched = gained = tier(MATCH)(graph, order, state, -1 if directed else 0, matching, search)
    phase = 0
    while matched < len(order) and (gained > 0 or phase == 0):
        if time.perf_counter() > until:
            raise TimeoutError
        phase += 1
        gained = tier(MATCH)(graph, order, state, phase, matching, search)
        matched += gained
    return int(matched)


def _match(
    graph: Adjacency, order: Vector, state: int, phase: int, matching: Matching, search: Search
) -> int:
    """One phase: in phase 0 cells are paired, in later ones augmented; returns how many are matched by it.

    Phase -1, of a directed graph, instead of phase 0, makes ready for the others.
    """
    nxt, _ = matching
    seen, _, ahead, _ = search
    if phase < 1:
        for u in range(len(order)):
            ahead[u] = graph.indptr[u]
            seen[u] = 0
        return _pair(graph, order, state, matching) if phase == 0 else 0
    gained = 0
    for i in range(len(order)):
        if nxt[order[i]] < 0 and _augment(graph, order[i], phase, matching, search):
            gained += 1
    return gained


def _pair(graph: Adjacency, order: Vector, state: int, matching: Matching) -> int:
    """Make neighbours each other's successor, as they come; returns how many cells have one now."""
    indptr, indices = graph
    nxt, prv = matching
    matched = 0
    for i in range(len(order)):
        u = order[i]
        low = indptr[u]
        degree = indptr[u + 1] - low
        if nxt[u] >= 0 or degree == 0:
            continue
        shift = 0
        if state > 0:
            state = next_random(state)
            shift = state % degree
        for k in range(degree):
            v = indices[low + (k + shift) % degree]
            if nxt[v] < 0:
                nxt[u] = v
                nxt[v] = u
                prv[u] = v
                prv[v] = u
                matched += 2
                break
    return matched


def _augment(graph: Adjacency, root: int, phase: int, matching: Matching, search: Search) -> bool:
    """Look, depth first, for an alternating path from the root to a cell without predecessor; flip it.

    The stack holds the cells that would each take the successor of the next one. `here` and `ahead` are
    how far the rows have been read, `seen` the phase in which a cell was last somebody's next successor.
    """
    indptr, indices = graph
    nxt, prv = matching
    seen, here, ahead, stack = search
    depth = 0
    stack[0] = root
    here[root] = indptr[root]
    while depth >= 0:
        u = stack[depth]
        end = indptr[u + 1]
        while ahead[u] < end:
            v = indices[ahead[u]]
            ahead[u] += 1
            if prv[v] < 0:
                while depth >= 0:  # flip the path: each takes what the one above it gives up
                    u = stack[depth]
                    given = nxt[u]
                    nxt[u] = v
                    prv[v] = u
                    v = given
                    depth -= 1
                return True
        depth -= 1
        while here[u] < end:
            v = indices[here[u]]
            here[u] += 1
            if seen[v] != phase:
                seen[v] = phase
                depth += 2
                stack[depth] = prv[v]
                here[prv[v]] = indptr[prv[v]]
                break
    return False


# ---- 2-cycles


def _untie(graph: Adjacency, links: Links, random: Vector, search: Search) -> int:
    """Make 2-cycles parts of longer ones, as long as the budget lasts; returns how many.

    `random` holds the state of the random numbers, the budget, a number of neighbours to look at, at which
    part of it to break off, and the cell to go on from, n when there is nothing left to do. `seen` holds,
    for 2a and 2a + 1, the search that last reached a as a cell that waits for an edge, and as one that gives
    an edge up; a search is named by the cell it begins at.
    """
    p, q = links
    seen, via, came, _ = search
    untied = 0
    if random[FROM] == 0:
        for i in range(len(seen)):
            seen[i] = -1
    for a in range(random[FROM], len(p)):
        b = p[a]
        if b != q[a]:
            continue
        if random[LEFT] < 0:
            break
        if random[LEFT] < random[BREAK]:
            random[FROM] = a
            return untied
        last = _alternating_path(graph, links, a, random, search)
        if last < 0 or not _is_simple(a, last, search):
            continue
        _swap(p, q, b, a, last)
        w, x = last, b
        while w != a:
            v = came[w]
            _swap(p, q, w, v, x)
            _swap(p, q, v, w, via[v])
            w, x = via[v], v
        _swap(p, q, a, b, x)
        untied += 1
    random[FROM] = len(p)
    return untied


def _alternating_path(graph: Adjacency, links: Links, a: int, random: Vector, search: Search) -> int:
    """Breadth first, the shortest alternating path from a to its partner b; returns the last cell before b.

    Cells u, w on the path wait for an edge, cells v between them give one up: `via[v]` is the u before v,
    `came[w]` the v before w. -1 if there is no path, or the budget is spent.
    """
    indptr, indices = graph
    p, q = links
    seen, via, came, queue = search
    b = p[a]
    seen[2 * a] = a
    queue[0] = a
    head, tail = 0, 1
    while head < tail:
        u = queue[head]
        head += 1
        low = indptr[u]
        degree = indptr[u + 1] - low
        random[0] = next_random(random[0])
        random[LEFT] -= degree
        if random[LEFT] < 0:
            break
        for k in range(degree):
            v = indices[low + (k + random[0]) % degree]
            if v == b and u != a:
                return u
            if v == p[u] or v == q[u] or v == a or seen[2 * v + 1] == a:
                continue
            seen[2 * v + 1] = a
            via[v] = u
            for t in range(2):
                w = p[v] if t == 0 else q[v]
                if seen[2 * w] != a and w != b:
                    seen[2 * w] = a
                    came[w] = v
                    queue[tail] = w
                    tail += 1
    return -1


def _is_simple(a: int, last: int, search: Search) -> bool:
    """Whether no cell of the path both waits and gives up; where the graph is not bipartite, one may."""
    seen, via, came, _ = search
    w = last
    while w != a:
        seen[2 * w] = -2 - a
        w = via[came[w]]
    w = last
    while w != a:
        if seen[2 * came[w]] == -2 - a:
            return False
        w = via[came[w]]
    return True


def _swap(p: Vector, q: Vector, a: int, old: int, new: int) -> None:
    """In a's two links, put new where old was."""
    if p[a] == old:
        p[a] = new
    else:
        q[a] = new


MATCH = Kernel(_match, uses=[next_random, _pair, _augment])
UNTIE = Kernel(_untie, uses=[next_random, _swap, _alternating_path, _is_simple])
