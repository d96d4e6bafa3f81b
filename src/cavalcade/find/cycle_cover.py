"""Cycle covers: a successor for every cell, no two cells with the same one.

In a *cycle cover* (a 2-factor in which 2-cycles are also allowed) every cell has one successor among its
neighbours and one predecessor. That is a perfect matching of cells to successors in the bipartite graph that
has every cell on both sides.

- Without a random start, `_pair` makes neighbours each other's successor, in order. If a cell remains single,
  `_link` begins anew: it gives each cell up to two edges, in order, and directs the paths and cycles that
  result. So few 2-cycles are made, and only the last cell of each path needs a successor.
- Those are matched by push-relabel (Goldberg & Tarjan 1988; for matchings Kaya, Langguth, Manne & Uçar 2013):
  a cell without successor takes that of another cell, which then needs a new one, and labels lead to free
  cells. `_push` takes successors; `_relabel` sets the labels by breadth-first search, no farther than the
  last cell that needs a successor. Time: nearly linear on boards, with holes too: a second for a million
  cells with a tenth removed at random.
- `untie` makes a 2-cycle a=b, which walks the edge a-b to and fro, a part of a longer cycle: breadth first it
  finds the shortest *alternating path* from a to b, whose edges are by turns not in the cover, and in it. It
  takes those that are not, and gives up the others and one copy of a-b. So boards with many cells of two
  moves are closed (holes, zebra, antelope).

Other engines use one function of this module, `cycle_cover`; `find.join` is the same method.

a, b, u, v, … are cells, n is their number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.cycles.walking import Links, direct, replace_link
from cavalcade.find.tiers import steps_per_call
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Cells, Tier, Vector, next_random
from cavalcade.question.parts import Rows

STATE, BUDGET, REACH, FROM, SKIPPED, RANDOM = range(6)  # indices of `random`, and its length; see `untie`
# indices of `turn`, and its length; see `Pushing`
FIRST, ACTIVE, PUSHES, ROUND, HEAD, TAIL, UNSEEN, MATCH_WORK, TURN = range(9)
PUSHES_PER_ROUND = 100  # and a quarter of the cells, before all labels are set anew
# steps to untie 2-cycles in one round of a try: for each entry of the graph, besides, and at most
UNTIE_PER_ENTRY, UNTIE_BESIDES, UNTIE_MOST = 100, 1_000_000, 40_000_000
FIRST_UNTIE_REACH = 2_000  # steps for one 2-cycle, at first; then ten times as many, and so on
STEPS_PER_CELL = 60  # of matching and joining, for the choice of the tier


def adjacency(tier: Tier, indptr: NDArray[Any], indices: NDArray[Any]) -> Rows:
    """Rows of neighbours for kernels to read."""
    parts: Any = (tier.read_only(np.asarray(part, dtype=np.int32)) for part in (indptr, indices))
    return Rows(*parts)


def is_arc(out_rows: Rows, in_rows: Rows, a: int, b: int) -> bool:
    """Whether an arc leads from a to b; looks through the shorter row. Both rows of a graph are the same."""
    indptr, indices = out_rows
    into, tails = in_rows
    if indptr[a + 1] - indptr[a] <= into[b + 1] - into[b]:
        for e in range(indptr[a], indptr[a + 1]):
            if indices[e] == b:
                return True
    else:
        for e in range(into[b], into[b + 1]):
            if tails[e] == a:
                return True
    return False


class Pushing(NamedTuple):
    """What the push-relabel search for a matching knows.

    Args:
        label: of a cell v, at least how many cells must change their successors before a cell can
            take v and no other cell loses it; n if that is impossible. 0 if v is free: nobody's successor.
        active: the cells that look for a successor, in a ring.
        seen: the round of labels in which a cell was last reached, as one that would take a successor.
        queue: the cells that have got a label in this round.
        turn: where the ring begins, and how many are `ACTIVE`; how many `PUSHES` remain before the next
            `ROUND` of labels, and where that broke off: how much of the queue has been worked off, how long
            it is, and how many active cells have not been reached; and the steps of the last call.
    """

    label: Vector
    active: Vector
    seen: Vector
    queue: Vector
    turn: Vector


class Search(NamedTuple):
    """Room for a search: `seen` of 2n numbers, the others of n."""

    seen: Vector
    one: Vector
    two: Vector
    queue: Vector


def cycle_cover(
    indptr: Cells,
    indices: Cells,
    *,
    directed: bool = False,
) -> Cells:
    """A maximum matching of cells to successors: each cell's successor, (n,), and -1 where it has none.

    The neighbours are given row after row; `directed` says that they are those of a directed graph. Then what
    only one cell leads to, which leads nowhere else, follows it, and the others are matched among themselves.
    """
    if not directed:
        return _matched(indptr, indices)
    n, counts = len(indptr) - 1, np.diff(indptr)
    cells = np.flatnonzero(counts == 1)
    heads = indices[indptr[cells]]
    lone = np.bincount(indices, minlength=n)[heads] == 1
    successor = np.full(n, -1, dtype=np.int32)
    successor[cells[lone]] = heads[lone]
    left, led = successor < 0, np.ones(n, dtype=np.bool_)
    led[heads[lone]] = False
    cells, heads = np.flatnonzero(left), np.flatnonzero(led).astype(np.int32)
    number = np.cumsum(led, dtype=np.int32) - 1
    rows = np.append(0, np.cumsum(counts[cells])).astype(np.int32)
    found = _matched(rows, number[indices[np.repeat(left, counts)]], directed=True)
    successor[cells] = np.where(found < 0, -1, heads[found])
    return successor


def _matched(indptr: Cells, indices: Cells, *, directed: bool = False) -> Cells:
    """The same, of all cells."""
    n = len(indptr) - 1
    tier = Tier(STEPS_PER_CELL * n)
    graph = adjacency(tier, indptr, indices)
    links = Links(tier.full(n, -1), tier.full(n, -1))
    order = tier.vector(np.arange(n, dtype=np.int32))
    back = None
    if directed:
        rows = Rows(indptr, indices).T
        back = adjacency(tier, rows.indptr, rows.indices)
    match(tier, graph, order, 0, links, Budget(), back=back)
    return np.asarray(links.p, dtype=np.int32)


# ---- matching


def match(
    tier: Tier,
    graph: Rows,
    order: Vector,
    state: int,
    links: Links,
    budget: Budget,
    *,
    back: Rows | None = None,
    paired: bool = False,
) -> int:
    """Match cells to successors as far as they go; returns how many.

    From here on `links` holds the successor and the predecessor of each cell, -1 where it has none. `order`
    is the order in which cells choose; `state` draws where in its row each begins to look, 0 for the
    beginning; `back` is the reversed graph, if it is directed: cells choose nothing beforehand there;
    `paired` begins with pairs of cells even if a cell is left over. The budget pays, but does not end it.
    """
    n = len(order)
    matched = 0
    if back is None:
        if state == 0 or paired:
            matched = tier(_pair)(graph, order, links)
        if matched < n and not paired:
            matched = tier(_link)(graph, order, state, links)
        budget.spend(n + len(graph.indices))
    if matched == n:
        return n
    pushing = Pushing(tier.full(n), tier.full(n), tier.full(n), tier.full(n), tier.full(TURN))
    turn, steps = pushing.turn, steps_per_call(tier)
    while turn[ROUND] == 0 or turn[ACTIVE] > 0:
        if turn[PUSHES] > 0:
            matched += tier(_push)(graph, links, pushing, steps)
        else:
            tier(_relabel)(graph if back is None else back, order, links, pushing, steps)
        budget.spend(int(turn[MATCH_WORK]))
    return matched


def _pair(graph: Rows, order: Vector, links: Links) -> int:
    """Make neighbours each other's successor, as they come; returns how many cells have one now."""
    indptr, indices = graph
    nxt, prv = links
    matched = 0
    for i in range(len(order)):
        u = order[i]
        if nxt[u] >= 0:
            continue
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            if nxt[v] < 0:
                nxt[u] = v
                nxt[v] = u
                prv[u] = v
                prv[v] = u
                matched += 2
                break
    return matched


def _link(graph: Rows, order: Vector, state: int, links: Links) -> int:
    """Give each cell up to two edges, as they come, and each path and cycle of them a direction.

    Returns how many cells have a successor now: all but the last of each path.
    """
    indptr, indices = graph
    p, q = links
    for u in range(len(p)):
        p[u] = q[u] = -1
    for i in range(len(order)):
        u = order[i]
        degree = indptr[u + 1] - indptr[u]
        if q[u] >= 0 or degree == 0:
            continue
        at = indptr[u]
        if state > 0:
            state = next_random(state)
            at += state % degree
        for _ in range(degree):
            v = indices[at]
            at += 1
            if at == indptr[u + 1]:
                at = indptr[u]
            if q[v] < 0 and p[u] != v:
                if p[v] < 0:
                    p[v] = u
                else:
                    q[v] = u
                if p[u] >= 0:
                    q[u] = v
                    break
                p[u] = v
    matched = 0
    for u in range(len(p)):
        if p[u] >= 0 and q[u] < 0:
            direct(p, q, u)
    for u in range(len(p)):
        if p[u] >= 0:
            matched += 1
            if q[p[u]] != u:
                direct(p, q, u)
    return matched


def _push(graph: Rows, links: Links, pushing: Pushing, budget: int) -> int:
    """Active cells take successors, until so many neighbours have been looked at or it is time to relabel.

    Each takes the neighbour with the lowest label, and who had that becomes active. Returns how many cells
    more are matched.
    """
    indptr, indices = graph
    nxt, prv = links
    label, active, turn = pushing.label, pushing.active, pushing.turn
    n = len(nxt)
    first, count, pushes, gained, before = turn[FIRST], turn[ACTIVE], turn[PUSHES], 0, budget
    while count > 0 and pushes > 0 and budget > 0:
        u = active[first]
        first = (first + 1) % n
        count -= 1
        pushes -= 1
        budget -= 1 + indptr[u + 1] - indptr[u]
        one, two, best = n, n, -1  # the two lowest labels, and whose the lowest is
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            if label[v] < one:
                one, two, best = label[v], one, v
            elif label[v] < two:
                two = label[v]
        if best < 0:
            continue  # no free cell can be reached: u stays without successor
        w = prv[best]
        nxt[u] = best
        prv[best] = u
        label[best] = min(two + 1, n)  # from here on it leads to the second best
        if w < 0:
            gained += 1
        else:
            nxt[w] = -1
            active[(first + count) % n] = w
            count += 1
    turn[FIRST], turn[ACTIVE], turn[PUSHES], turn[MATCH_WORK] = first, count, pushes, before - budget
    return gained


def _relabel(graph: Rows, order: Vector, links: Links, pushing: Pushing, budget: int) -> None:
    """Set all labels anew, breadth first from the free cells, until all active cells have been reached.

    `graph` has the cells that can take each cell. Breaks off when so many neighbours have been looked at, to
    be called again.
    """
    indptr, indices = graph
    nxt, prv = links
    label, active, seen, queue, turn = pushing
    n, before = len(nxt), budget
    if turn[TAIL] == 0:
        before += 2 * n
        if turn[ROUND] == 0:
            for i in range(n):
                if nxt[order[i]] < 0:
                    active[turn[ACTIVE]] = order[i]
                    turn[ACTIVE] += 1
        turn[ROUND] += 1
        turn[UNSEEN] = turn[ACTIVE]
        for v in range(n):
            if prv[v] < 0:
                label[v] = 0
                queue[turn[TAIL]] = v
                turn[TAIL] += 1
    head, tail, now, unseen, far = turn[HEAD], turn[TAIL], turn[ROUND], turn[UNSEEN], n
    while head < tail and unseen > 0 and budget > 0:
        v = queue[head]
        head += 1
        far = label[v] + 1
        budget -= 1 + indptr[v + 1] - indptr[v]
        for k in range(indptr[v], indptr[v + 1]):
            u = indices[k]
            if seen[u] == now:
                continue
            seen[u] = now
            if nxt[u] < 0:
                unseen -= 1
            else:
                label[nxt[u]] = far
                queue[tail] = nxt[u]
                tail += 1
    turn[HEAD], turn[TAIL], turn[UNSEEN], turn[MATCH_WORK] = head, tail, unseen, before - budget
    if head < tail and unseen > 0:
        return
    for u in range(n):
        if nxt[u] >= 0 and seen[u] != now:
            label[nxt[u]] = far if head < tail else n
    turn[HEAD] = turn[TAIL] = 0
    turn[PUSHES] = PUSHES_PER_ROUND + n // 4


# ---- 2-cycles


def untied(tier: Tier, rows: Rows, links: Links, search: Search, state: int, budget: Budget) -> int:
    """Untie 2-cycles, looking ever farther for the few that remain; returns how many were untied."""
    n, entries, untied, part, random = (
        len(links.p),
        len(rows.indices),
        0,
        steps_per_call(tier),
        tier.full(RANDOM),
    )
    left = min(UNTIE_MOST, UNTIE_BESIDES + UNTIE_PER_ENTRY * entries)
    reach = min(FIRST_UNTIE_REACH, entries)
    random[STATE], random[SKIPPED] = state, 1
    while random[SKIPPED] > 0 and reach < 10 * entries:  # a search looks at each neighbour once
        random[FROM], random[REACH] = 0, reach
        while random[FROM] < n:
            if left < 0:
                return untied
            random[BUDGET] = min(part, left)
            untied += tier(untie)(rows, links, random, search)
            done = min(part, left) - int(random[BUDGET])
            left -= done
            budget.spend(done)
        budget.spend(3 * n)
        reach *= 10
    return untied


def untie(graph: Rows, links: Links, random: Vector, search: Search) -> int:
    """Make 2-cycles parts of longer ones, until so many neighbours have been looked at; returns how many.

    `random` holds the state of the random numbers, how many neighbours may be looked at in this call, and how
    many for one 2-cycle, the cell to go on from, n when there is nothing left to do, and how many 2-cycles
    were left as they are. `seen` holds, for 2a and 2a + 1, the search that last reached a as a cell that
    waits for an edge, and as one that gives an edge up; a search is named by the cell it begins at.
    """
    p, q = links
    seen, via, came, _ = search
    untied = 0
    if random[FROM] == 0:
        random[SKIPPED] = 0
        for i in range(len(seen)):
            seen[i] = -1
    for a in range(random[FROM], len(p)):
        b = p[a]
        if b != q[a]:
            continue
        if random[BUDGET] < 0:
            random[FROM] = a
            return untied
        last = _alternating_path(graph, links, a, random, search)
        if last < 0 or not _is_simple(a, last, search):
            random[SKIPPED] += 1
            continue
        replace_link(p, q, b, a, last)
        w, x = last, b
        while w != a:
            v = came[w]
            replace_link(p, q, w, v, x)
            replace_link(p, q, v, w, via[v])
            w, x = via[v], v
        replace_link(p, q, a, b, x)
        untied += 1
    random[FROM] = len(p)
    return untied


def _alternating_path(graph: Rows, links: Links, a: int, random: Vector, search: Search) -> int:
    """Breadth first, the shortest alternating path from a to its partner b; returns the last cell before b.

    Cells u, w on the path wait for an edge, cells v between them give one up: `via[v]` is the u before v,
    `came[w]` the v before w. -1 if there is no path, or none so near.
    """
    indptr, indices = graph
    p, q = links
    seen, via, came, queue = search
    b = p[a]
    seen[2 * a] = a
    queue[0] = a
    head, tail = 0, 1
    end = random[BUDGET] - random[REACH]
    while head < tail and random[BUDGET] > end:
        u = queue[head]
        head += 1
        degree = indptr[u + 1] - indptr[u]
        random[STATE] = next_random(random[STATE])
        random[BUDGET] -= degree
        at = indptr[u] + random[STATE] % degree
        for _ in range(degree):
            v = indices[at]
            at += 1
            if at == indptr[u + 1]:
                at = indptr[u]
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
