"""Untie 2-cycles of a cycle cover by alternating paths.

A 2-cycle a=b uses the edge a-b twice, so that exchanges can hardly join it. A breadth-first search finds the
shortest *alternating path* from a to b, whose edges are alternately outside and inside the cover. The edges
outside are added, the edges inside and one copy of a-b are removed: the 2-cycle becomes part of a longer
cycle. This closes boards on which many cells have two moves (holes, zebra, antelope).

a, b, u, v, w are cells, n is the number of cells.
"""

from __future__ import annotations

from typing import NamedTuple

from cavalcade.cycles.walking import Links, replace_link
from cavalcade.find.tiers import steps_per_call
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Tier, Vector, next_random
from cavalcade.question.parts import Rows


class PathSearch(NamedTuple):
    """Scratch space for the search of one alternating path.

    A search is identified by the cell it starts at. On a path, *waiting* cells gain an edge and *giving*
    cells lose one; they alternate, and any cell can be reached in both roles.

    Args:
        seen: the last search that reached cell a as waiting (entry 2a) and as giving (entry 2a + 1).
        giver_from: the waiting cell before each giving cell.
        waiter_from: the giving cell before each waiting cell.
        queue: waiting cells in breadth-first order.
    """

    seen: Vector
    giver_from: Vector
    waiter_from: Vector
    queue: Vector


class UntieProgress(NamedTuple):
    """Where a call of `untie` broke off.

    Args:
        cell: the next cell to examine; n when all have been.
        state: state of the random numbers.
        skipped: number of 2-cycles left as they were since cell 0.
        untied: number of 2-cycles untied in the last call.
        work: neighbours examined in the last call.
    """

    cell: int
    state: int
    skipped: int = 0
    untied: int = 0
    work: int = 0


def untied(tier: Tier, rows: Rows, links: Links, search: PathSearch, state: int, budget: Budget) -> int:
    """Untie 2-cycles in rounds, with ever longer searches; returns the number of untied 2-cycles."""
    n, entries = len(links.p), len(rows.indices)
    # The number of neighbours to examine in all rounds, 100 per entry of the graph and at most 40 million:
    # on graphs without paths the time is bounded to half a second compiled.
    allowance = min(40_000_000, 100 * entries)
    # The number of neighbours to examine for one 2-cycle: 2,000 in the first round, multiplied by `growth`
    # from round to round. Most paths are short; a few 2-cycles need a search of the whole graph.
    reach, growth, count, skipped = min(2_000, entries), 10, 0, 1
    # One search examines each neighbour once, so that a greater reach than all entries changes nothing.
    while skipped > 0 and reach < growth * entries:
        progress = UntieProgress(0, state)
        while progress.cell < n:
            if allowance < 0:
                return count
            most = min(steps_per_call(tier), allowance)
            progress = tier(untie)(rows, links, search, progress, reach, most)
            count += progress.untied
            allowance -= progress.work
            budget.spend(progress.work)
        state, skipped = progress.state, progress.skipped
        budget.spend(3 * n)
        reach *= growth
    return count


def untie(
    graph: Rows, links: Links, search: PathSearch, progress: UntieProgress, reach: int, budget: int
) -> UntieProgress:
    """Make 2-cycles parts of longer cycles, from a cell on, until more than `budget` neighbours are examined.

    At most about `reach` neighbours are examined for each 2-cycle.
    """
    p, q = links
    seen, giver_from, waiter_from, _ = search
    state, skipped, untied, work = progress.state, progress.skipped, 0, 0
    if progress.cell == 0:
        for i in range(len(seen)):
            seen[i] = -1
    for a in range(progress.cell, len(p)):
        b = p[a]
        if b != q[a]:
            continue
        if work > budget:
            return UntieProgress(a, state, skipped, untied, work)
        last, state, looks = _alternating_path(graph, links, search, a, state, reach)
        work += looks
        if last < 0 or not _is_simple(search, a, last):
            skipped += 1
            continue
        # Walk back along the path a … v=w … last, b: at each cell one link is replaced by another.
        replace_link(p, q, b, a, last)
        w, after = last, b
        while w != a:
            v = waiter_from[w]
            before = giver_from[v]
            replace_link(p, q, w, v, after)
            replace_link(p, q, v, w, before)
            w, after = before, v
        replace_link(p, q, a, b, after)
        untied += 1
    return UntieProgress(len(p), state, skipped, untied, work)


def _alternating_path(
    graph: Rows, links: Links, search: PathSearch, a: int, state: int, reach: int
) -> tuple[int, int, int]:
    """The shortest alternating path from a to its partner b, found breadth first.

    Returns the last cell before b, or -1 if there is no path within reach; the state of the random numbers;
    and the number of neighbours examined.
    """
    indptr, indices = graph
    p, q = links
    seen, giver_from, waiter_from, queue = search
    b = p[a]
    seen[2 * a] = a
    queue[0] = a
    head, tail, work = 0, 1, 0
    while head < tail and work < reach:
        u = queue[head]
        head += 1
        degree = indptr[u + 1] - indptr[u]
        state = next_random(state)
        work += degree
        # Search the row of the waiting cell u cyclically, from a random place: otherwise all paths would
        # prefer the same cells.
        e = indptr[u] + state % degree
        for _ in range(degree):
            v = indices[e]
            e += 1
            if e == indptr[u + 1]:
                e = indptr[u]
            if v == b and u != a:
                return u, state, work
            # u-v must be outside the cover, and v must not be giving already.
            if v == p[u] or v == q[u] or v == a or seen[2 * v + 1] == a:
                continue
            seen[2 * v + 1] = a
            giver_from[v] = u
            # v gives up one of its two edges, to either neighbour, which waits for another one then.
            for side in range(2):
                w = p[v] if side == 0 else q[v]
                if seen[2 * w] != a and w != b:
                    seen[2 * w] = a
                    waiter_from[w] = v
                    queue[tail] = w
                    tail += 1
    return -1, state, work


def _is_simple(search: PathSearch, a: int, last: int) -> bool:
    """Whether no cell of a path is both waiting and giving; this can happen if the graph is not bipartite."""
    seen, giver_from, waiter_from, _ = search
    mark = -2 - a
    w = last
    while w != a:
        seen[2 * w] = mark
        w = giver_from[waiter_from[w]]
    w = last
    while w != a:
        if seen[2 * waiter_from[w]] == mark:
            return False
        w = giver_from[waiter_from[w]]
    return True
