"""Exchanges of edges between cycles, until one cycle remains.

An *exchange* of two edges, a-b and c-d, is that of `cycles.exchange`. An exchange of three edges consists of
two in a row, a-b with c-d and then b-d with f-e: the edge b-d is added and removed again, and need not be a
move.

- `join_all` joins all pairs of cycles that allow it, in the order of the cells: memory traffic stays
  local. A union-find records which cells share a cycle; cycles have no direction. Nearly linear time.
- `patch` deals with the few cycles that remain, which now have directions, labels and sizes. It scans the
  cells of a cycle x for an edge c-d of another cycle, where a-b is an edge of x and a is next to c. If b is
  next to d, the exchange joins the cycles. Otherwise a third edge e-f is searched, with d next to e and f
  next to b. If no exchange joins x to another cycle, one that *moves* x is drawn at random: x is joined to
  the other cycle, and a piece of that cycle is split off as the new x. Small cycles therefore wander until
  two of them meet. Time: linear in the scanned cells, and in the shorter of the two pieces or cycles of each
  exchange.

Karp (1979) patches the cycles of an assignment in this way. Local search for the travelling salesman (Lin
1965) uses the same exchanges within a tour instead of between cycles. `docs/architecture-search.md`
has examples.

a, b, c, … are cells, n is the number of cells; `nxt` and `prv` are the neighbours along a cycle.
"""

from __future__ import annotations

from typing import NamedTuple

from cavalcade.cycles.exchange import Cycles, exchange, reconnect, root
from cavalcade.cycles.walking import Links, mark, orient
from cavalcade.find.adjacency import is_arc
from cavalcade.find.tiers import steps_per_call
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Tier, Vector, next_random
from cavalcade.question.parts import Rows

# ---- joining


class JoinProgress(NamedTuple):
    """Where a call of `join_all` broke off.

    Args:
        cell: the next cell to examine; 0 before the first call, n + 1 when nothing is left to do.
        cycles: number of cycles.
        changed: 1 if any two cycles have been joined since cell 0.
        largest: representative of a cycle with more than half of the cells, -1 if there is none. Its cells
            are skipped, because cells of other cycles look for exchanges with it.
        work: inner steps of the last call.
    """

    cell: int = 0
    cycles: int = 0
    changed: int = 0
    largest: int = -1
    work: int = 0


def joined(tier: Tier, graph: Rows, links: Links, parent: Vector, budget: Budget) -> int:
    """Join cycles by exchanges of two edges as long as any joins; returns the number of remaining cycles.

    `parent` is scratch space for a union-find, n entries.
    """
    progress = JoinProgress()
    while progress.cell <= len(parent):
        progress = tier(join_all)(graph, links, parent, progress, steps_per_call(tier))
        budget.spend(progress.work)
    return progress.cycles


def join_all(graph: Rows, links: Links, parent: Vector, progress: JoinProgress, budget: int) -> JoinProgress:
    """Join cycles by exchanges until none joins, or for `budget` inner steps."""
    indptr, indices = graph
    p, q = links
    n = len(parent)
    a, cycles, changed, largest = progress.cell, progress.cycles, progress.changed, progress.largest
    work = setup = 0
    if a == 0:
        # Label all cycles by their least cells, which become the representatives of the union-find.
        setup = 2 * n
        for first in range(n):
            parent[first] = -1
        for first in range(n):
            if parent[first] < 0:
                cycles += 1
                if 2 * mark(p, q, first, parent, first) > n:
                    largest = first
    while cycles > 1 and work < budget:
        if a == n:
            if changed == 0:
                break
            # Start another round over all cells outside the cycle that has become the largest.
            a, changed, largest = 0, 0, _majority(parent)
            setup += n
        # Inner steps to look for an exchange at a cell: its row, and a row per neighbour on another cycle.
        work += 10
        r = root(parent, a)
        for e in range(indptr[a] if r != largest else indptr[a + 1], indptr[a + 1]):
            c = indices[e]
            if parent[c] == r:
                continue  # the usual case, without a call
            s = root(parent, c)
            if s == r:
                continue
            sides = _parallel_sides(graph, links, a, c)
            if sides < 0:
                continue
            reconnect(p, q, a, sides % 2, c, sides // 2)
            # The lesser representative stays, as if the joined cycle had been labelled anew.
            parent[max(r, s)] = min(r, s)
            if largest == max(r, s):
                largest = min(r, s)
            r = min(r, s)
            cycles -= 1
            changed = 1
        a += 1
    if cycles == 1 or (a == n and changed == 0):
        a = n + 1
    return JoinProgress(a, cycles, changed, largest, setup + work)


def _majority(parent: Vector) -> int:
    """The cycle with more than half of the cells, or any cycle if there is none (Boyer & Moore's vote)."""
    candidate, lead = 0, 0
    for a in range(len(parent)):
        r = root(parent, a)
        parent[a] = r
        if lead == 0:
            candidate = r
        lead += 1 if r == candidate else -1
    return candidate


def _parallel_sides(graph: Rows, links: Links, a: int, c: int) -> int:
    """The sides on which the neighbours of a and c along their cycles are adjacent; -1 if there are none.

    The result is the side of a (0 for p, 1 for q) plus twice the side of c. The row of a neighbour of c is
    searched for both neighbours of a at once, which is faster than two searches, unless their rows are
    shorter together.
    """
    indptr, indices = graph
    p, q = links
    by_p, by_q = p[a], q[a]
    length = indptr[by_p + 1] - indptr[by_p] + indptr[by_q + 1] - indptr[by_q]
    for side in range(2):
        d = p[c] if side == 0 else q[c]
        if length < indptr[d + 1] - indptr[d]:
            if is_arc(graph, graph, by_p, d):
                return 2 * side
            if is_arc(graph, graph, by_q, d):
                return 2 * side + 1
        else:
            for e in range(indptr[d], indptr[d + 1]):
                if indices[e] == by_p:
                    return 2 * side
                if indices[e] == by_q:
                    return 2 * side + 1
        if q[c] == d:
            break  # a 2-cycle has only one edge
    return -1


# ---- patching


class PatchProgress(NamedTuple):
    """Where a call of `patch` broke off.

    Args:
        state: state of the random numbers.
        remaining: number of remaining cycles.
        current: label of the cycle scanned last.
        largest: label of the largest cycle, which is not scanned.
        idle: cells scanned since two cycles were joined; -1 if patching has given up.
        work: inner steps of the last call.
    """

    state: int
    remaining: int
    current: int = -1
    largest: int = 0
    idle: int = 0
    work: int = 0


def patched(tier: Tier, graph: Rows, cycles: Cycles, state: int, budget: Budget) -> int:
    """Join the remaining cycles by local exchanges; returns the number of cycles that remain then."""
    count = int(tier(orient)(*cycles))
    edges = tier.full(6)
    progress = PatchProgress(state, count)
    while progress.remaining > 1 and progress.idle >= 0:
        progress = tier(patch)(graph, cycles, count, edges, progress, steps_per_call(tier))
        budget.spend(progress.work)
    return progress.remaining


def patch(
    graph: Rows, cycles: Cycles, labels: int, edges: Vector, progress: PatchProgress, budget: int
) -> PatchProgress:
    """Join the remaining cycles by local exchanges, for `budget` inner steps.

    Args:
        graph: rows of neighbours.
        cycles: directed and labelled cycles.
        labels: number of labels, some of which may no longer be in use.
        edges: scratch space for the cells a, b, c, d, e, f of an exchange.
        progress: where the last call broke off.
        budget: inner steps of this call.
    """
    nxt, _, label, size, _ = cycles
    state, remaining, x, largest = progress.state, progress.remaining, progress.current, progress.largest
    idle, work = progress.idle, 0
    if x < 0:
        for y in range(labels):
            if size[y] > size[largest]:
                largest = y
    while remaining > 1 and work < budget:
        # Scan all cells outside the largest cycle at least twice without a join before giving up. Cycles need
        # time to wander until they meet: 100 more cells for each cycle. The bound of 30,000 cells matters for
        # large random graphs with many cycles.
        if idle > 2 * (len(nxt) - size[largest]) + min(100 * (remaining - 1), 30_000):
            idle = -1
            break
        # Scan the next cycle but the largest.
        x = (x + 1) % labels
        while size[x] == 0 or x == largest:
            x = (x + 1) % labels
        idle += size[x]
        work += 1_000 * size[x]  # inner steps to scan a cell: two edges, and the neighbours of three cells
        count, state = _scan(graph, cycles, x, edges, state)
        if count == 0:
            continue
        # A split-off cycle gets the label that the join before has set free.
        a, b, c, d, e, f = edges[0], edges[1], edges[2], edges[3], edges[4], edges[5]
        joined_label = label[c]
        change, length = exchange(cycles, -1, a, b, c, d)
        work += length
        if count == 3:
            more, length = exchange(cycles, x if size[x] == 0 else joined_label, b, d, f, e)
            change += more
            work += length
        if change < 0:
            idle = 0
        remaining += change
        for cell in (a, b, d):
            if size[label[cell]] > size[largest]:
                largest = label[cell]
    return PatchProgress(state, remaining, x, largest, idle, work)


def _scan(graph: Rows, cycles: Cycles, x: int, edges: Vector, state: int) -> tuple[int, int]:
    """Scan the cells of x for an exchange that joins x, or else draw one that moves it.

    Writes the cells a, b, c, d, e, f of the exchange into `edges`. Returns the number of edges exchanged, 2
    or 3, or 0 if there is no exchange; and the state of the random numbers.
    """
    indptr, indices = graph
    nxt, prv, label, size, head = cycles
    movers = 0  # exchanges seen that move x; each is drawn with the same probability
    a = head[x]
    for _ in range(size[x]):
        for b in (nxt[a], prv[a]):
            for g in range(indptr[a], indptr[a + 1]):
                c = indices[g]
                if label[c] == x:
                    continue
                for d in (nxt[c], prv[c]):
                    if is_arc(graph, graph, b, d):
                        _store(edges, a, b, c, d, -1, -1)
                        return 2, state
                    joins, state, movers = _third_edge(graph, cycles, edges, a, b, c, d, state, movers)
                    if joins:
                        return 3, state
        a = nxt[a]
    return 3 if movers > 0 else 0, state


def _store(edges: Vector, a: int, b: int, c: int, d: int, e: int, f: int) -> None:
    """Store the cells of an exchange."""
    edges[0], edges[1], edges[2], edges[3], edges[4], edges[5] = a, b, c, d, e, f


def _third_edge(
    graph: Rows, cycles: Cycles, edges: Vector, a: int, b: int, c: int, d: int, state: int, movers: int
) -> tuple[bool, int, int]:
    """Look for an edge e-f, d next to e and f next to b, such that a-c, d-e and b-f can replace three edges.

    Returns whether an exchange joins, the state of the random numbers, and the number of exchanges seen that
    only move x, one of which is drawn. The exchange goes into `edges`.
    """
    indptr, indices = graph
    nxt, prv, label, _, _ = cycles
    x, z = label[a], label[c]
    for g in range(indptr[d], indptr[d + 1]):
        e = indices[g]
        if e == c or e == a or e == b:
            continue
        w = label[e]
        for f in (nxt[e], prv[e]):
            if f == d or f == a or f == b or not is_arc(graph, graph, f, b):
                continue
            is_forward = nxt[e] == f
            if w == x and is_forward != (nxt[a] == b):
                continue  # the exchange would split x
            if w == z and is_forward == (nxt[c] == d):
                # The exchange joins x to z and splits z: x moves. Reservoir sampling draws one of them.
                movers += 1
                state = next_random(state)
                if state % movers == 0:
                    _store(edges, a, b, c, d, e, f)
                continue
            _store(edges, a, b, c, d, e, f)
            return True, state, movers
    return False, state, movers
