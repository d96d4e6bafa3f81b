"""Exchanges of edges between cycles, and how they make one cycle of many.

An *exchange* of two edges, a-b and c-d, is that of `cycles.exchange`. One of three edges is two of two in a
row, a-b with c-d and then b-d with f-e: the edge b-d comes and goes, and need not be a move.

- `join_all` joins all pairs of cycles that allow it, in the order of the cells: memory traffic stays
  local. A union-find knows which cells share a cycle; no cycle has a direction. Nearly linear time.
- `mend` deals with the few cycles that are left, which now have directions, labels and sizes. It looks around
  the cells of a small cycle x for an edge c-d beside an edge a-b of x, a next to c. If b is next to d, it
  joins. If not, a third edge e-f, d next to e and f next to b, may do. Where no exchange joins, one of those
  that *move* x is drawn: x is joined to the other cycle, and a piece of that is split off as the new x. So
  small cycles wander until two of them meet. Time: what is scanned, and the shorter of the two pieces or
  cycles of each exchange.

Patching the cycles of an assignment is Karp's (1979); the exchanges are those of local search for the
travelling salesman (Lin 1965), here between cycles instead of within a tour. `docs/architecture.md` has
examples.

a, b, c, … are cells, n their number; `nxt` and `prv` are the neighbours along a cycle.
"""

from __future__ import annotations

from cavalcade.cycles.exchange import Cycles, exchange, reconnect, root
from cavalcade.cycles.walking import Links, mark, orient
from cavalcade.find.cycle_cover import is_arc
from cavalcade.find.tiers import steps_per_call
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Tier, Vector, next_random
from cavalcade.question.parts import Rows

AT, CYCLES, CHANGED, MAIN_CYCLE, JOIN_WORK, TURN = range(6)  # indices of `turn`, and its length
# indices of `pick` after the six cells of an exchange, and its length; see `mend` and `_scan`
SEEN, DRAWN, MEND_STATE, REACH, TOO_LONG, WALKED, NOW, MAIN, IDLE, MEND_WORK, PICK = range(6, 17)
JOIN_STEPS = 10  # for each cell whose neighbours are looked at
SCAN_STEPS = 1_000  # for each cell scanned: two edges of it, the neighbours of three cells
LONG_ROW = 64  # neighbours from which it pays to look through the row of the other cell: on random graphs
SCANNED_AT_ONCE = 256  # cells of a cycle before the next cycle's turn, so a long one keeps none waiting
FIRST_REACH = 1_000  # cells of the shorter path in an exchange within a cycle, at first
REACH_GROWTH = 8  # where an exchange was out of reach and nothing else helps
# cells scanned without any two cycles joined before mending gives up: for each cycle left, and in all
IDLE_PER_CYCLE, IDLE_IN_ALL = 100, 30_000


# ---- joining


def joined(tier: Tier, graph: Rows, links: Links, room: Vector, budget: Budget) -> int:
    """Join what exchanges of two edges join; returns how many cycles are left."""
    turn = tier.full(TURN)
    while turn[AT] <= len(room):
        tier(join_all)(graph, links, room, turn, steps_per_call(tier))
        budget.spend(int(turn[JOIN_WORK]))
    return int(turn[CYCLES])


def join_all(graph: Rows, links: Links, parent: Vector, turn: Vector, budget: int) -> int:
    """Join cycles by exchanges until none is left that joins; returns how many cycles are left.

    It breaks off after `budget` steps. `turn` holds where: the cell, `AT`, which is 0 before the first call
    and n + 1 when nothing is left to do; how many `CYCLES` there are; whether any two have been joined since
    cell 0, `CHANGED`; the `MAIN_CYCLE`, the one with most of the cells, -1 if there is none, which is left
    out, as others look for exchanges with it; and the steps of this call, `JOIN_WORK`.
    """
    indptr, indices = graph
    p, q = links
    n = len(parent)
    a, cycles, changed, main = turn[AT], turn[CYCLES], turn[CHANGED], turn[MAIN_CYCLE]
    before = budget
    if a == 0:
        before += 2 * n
        cycles = changed = 0
        main = -1
        for first in range(n):
            parent[first] = -1
        for first in range(n):
            if parent[first] < 0:
                cycles += 1
                if 2 * mark(p, q, first, parent, first) > n:
                    main = first
    while cycles > 1 and budget > 0:
        if a == n:
            if changed == 0:
                a = n + 1
                break
            a, changed, main = 0, 0, _most(parent)
            before += n
        budget -= JOIN_STEPS
        r = root(parent, a)
        first = indptr[a] if r != main else indptr[a + 1]
        for e in range(first, indptr[a + 1]):
            c = indices[e]
            if parent[c] == r:
                continue  # most often; it saves a call
            s = root(parent, c)
            if s == r:
                continue
            sides = _sides(graph, links, a, c)
            if sides < 0:
                continue
            reconnect(p, q, a, sides % 2, c, sides // 2)
            parent[max(r, s)] = min(r, s)
            if main == max(r, s):
                main = min(r, s)
            r = min(r, s)
            cycles -= 1
            changed = 1
        a += 1
    turn[AT] = a if cycles > 1 else n + 1
    turn[CYCLES], turn[CHANGED], turn[MAIN_CYCLE], turn[JOIN_WORK] = cycles, changed, main, before - budget
    return cycles


def _most(parent: Vector) -> int:
    """The cycle with more than half of the cells, if there is one; else any (Boyer & Moore's vote)."""
    most, lead = 0, 0
    for a in range(len(parent)):
        r = root(parent, a)
        parent[a] = r
        if lead == 0:
            most = r
        lead += 1 if r == most else -1
    return most


def _sides(graph: Rows, links: Links, a: int, c: int) -> int:
    """On which sides of a and c their neighbours along the cycles are next to each other: -1 for none.

    0 to 3: the first or second neighbour of a, and 2 more for the second one of c. One look through a row
    for both sides of a is a good deal faster than two.
    """
    indptr, indices = graph
    p, q = links
    b, other = p[a], q[a]
    for t in range(2):
        d = p[c] if t == 0 else q[c]
        if indptr[d + 1] - indptr[d] > LONG_ROW:
            if is_arc(graph, graph, b, d):
                return 2 * t
            if is_arc(graph, graph, other, d):
                return 2 * t + 1
        else:
            for e in range(indptr[d], indptr[d + 1]):
                if indices[e] == b:
                    return 2 * t
                if indices[e] == other:
                    return 2 * t + 1
        if q[c] == d:
            break  # a 2-cycle has but one edge
    return -1


# ---- mending


def mended(tier: Tier, graph: Rows, cycles: Cycles, state: int, budget: Budget) -> int:
    """Join the cycles that remain, as long as it helps; returns how many are left."""
    left = count = tier(orient)(*cycles)
    pick = tier.full(PICK)
    pick[MEND_STATE] = state
    while left > 1 and pick[IDLE] >= 0:
        left = tier(mend)(graph, cycles, count, steps_per_call(tier), pick)
        budget.spend(int(pick[MEND_WORK]))
    return int(left)


def mend(graph: Rows, cycles: Cycles, count: int, budget: int, pick: Vector) -> int:
    """Join the cycles that are left by local exchanges; returns how many remain.

    `count` is how many labels there are. It breaks off after `budget` steps. `pick` is as in `_scan`; it also
    holds where the last call broke off: at which cycle, `NOW`, which is the largest, `MAIN`, and how many
    cells have been scanned since two cycles were joined, `IDLE`, -1 if nothing helps any more; and the steps
    of this call, `MEND_WORK`. At first its `REACH` is 0.
    """
    nxt, _, label, size, _ = cycles
    left = 0
    for x in range(count):
        if size[x] > 0:
            left += 1
    if pick[REACH] == 0:
        pick[REACH] = FIRST_REACH
        pick[NOW] = -1
        pick[MAIN] = pick[IDLE] = pick[TOO_LONG] = 0
        for x in range(count):
            if size[x] > size[pick[MAIN]]:
                pick[MAIN] = x
    x, main, idle, before = pick[NOW], pick[MAIN], pick[IDLE], budget
    while left > 1 and budget > 0:
        if idle > 2 * (len(nxt) - size[main]) + min(IDLE_PER_CYCLE * (left - 1), IDLE_IN_ALL):
            if pick[TOO_LONG] == 0:
                idle = -1
                break
            pick[REACH] *= REACH_GROWTH
            idle = pick[TOO_LONG] = 0
        x = (x + 1) % count
        while size[x] == 0 or x == main:
            x = (x + 1) % count
        scanned = min(size[x], SCANNED_AT_ONCE)
        idle += scanned
        edges = _scan(graph, cycles, x, pick)
        budget -= SCAN_STEPS * scanned + pick[WALKED]
        if edges == 0:
            continue
        a, b, c, d, e, f = pick[0], pick[1], pick[2], pick[3], pick[4], pick[5]
        other = label[c]
        more = exchange(cycles, -1, a, b, c, d)
        if edges == 3:
            more += exchange(cycles, x if size[x] == 0 else other, b, d, f, e)
        if more < 0:
            idle = 0
        left += more
        for cell in (a, b, d):
            if size[label[cell]] > size[main]:
                main = label[cell]
    pick[NOW], pick[MAIN], pick[IDLE], pick[MEND_WORK] = x, main, idle, before - budget
    return left


def _scan(graph: Rows, cycles: Cycles, x: int, pick: Vector) -> int:
    """Look around the cells of x for an exchange that joins x, or else draw one that moves it.

    Returns how many edges it exchanges, 0 if there is none. `pick` gets them: a, b, c, d, e, f. It also
    holds, of exchanges that move x, how many have been `SEEN` and whether one was `DRAWN`; the state of the
    random numbers, `MEND_STATE`; the `REACH`, which limits the shorter path in an exchange within a cycle,
    whether one that joins was `TOO_LONG`, and how many cells were `WALKED` along cycles to see it.
    """
    indptr, indices = graph
    nxt, prv, label, size, head = cycles
    pick[SEEN] = pick[DRAWN] = pick[WALKED] = 0
    a = head[x]
    for _ in range(min(size[x], SCANNED_AT_ONCE)):
        for b in (nxt[a], prv[a]):
            for g in range(indptr[a], indptr[a + 1]):
                c = indices[g]
                if label[c] == x:
                    continue
                for d in (nxt[c], prv[c]):
                    if is_arc(graph, graph, b, d):
                        pick[0], pick[1], pick[2], pick[3] = a, b, c, d
                        return 2
                    if _third_edge(graph, cycles, a, b, c, d, pick):
                        return 3
        a = nxt[a]
    head[x] = a  # a long cycle is scanned a part at a time
    return 3 if pick[DRAWN] > 0 else 0


def _third_edge(graph: Rows, cycles: Cycles, a: int, b: int, c: int, d: int, pick: Vector) -> bool:
    """Look for an edge e-f, d next to e and f to b, so that a-b, c-d and e-f give way to a-c, d-e and b-f.

    Returns whether one joins. Those that move x are counted, and one of them is drawn.
    """
    indptr, indices = graph
    nxt, prv, label, _, _ = cycles
    x, z = label[a], label[c]
    along = nxt[c] == d
    for g in range(indptr[d], indptr[d + 1]):
        e = indices[g]
        if e == c or e == a or e == b:
            continue
        w = label[e]
        for f in (nxt[e], prv[e]):
            if f == d or f == a or f == b or not is_arc(graph, graph, f, b):
                continue
            onward = nxt[e] == f
            if w == x and onward != (nxt[a] == b):
                continue  # it would split x
            if w == z and onward == along:
                pick[SEEN] += 1
                pick[MEND_STATE] = next_random(pick[MEND_STATE])
                if pick[MEND_STATE] % pick[SEEN] > 0:
                    continue
                if _is_near(nxt if along else prv, d, e, f, c, FIRST_REACH, pick):
                    pick[0], pick[1], pick[2], pick[3], pick[4], pick[5] = a, b, c, d, e, f
                    pick[DRAWN] = 1
            elif w == z and (
                pick[WALKED] > 4 * pick[REACH]
                or not _is_near(nxt if along else prv, d, f, e, c, pick[REACH], pick)
            ):
                pick[TOO_LONG] = 1
            else:
                pick[0], pick[1], pick[2], pick[3], pick[4], pick[5] = a, b, c, d, e, f
                return True
    return False


def _is_near(nxt: Vector, a: int, b: int, c: int, d: int, reach: int, pick: Vector) -> bool:
    """Whether one of the pieces a … b and c … d, along `nxt`, has at most `reach` cells."""
    for length in range(reach):
        if a == b or c == d:
            pick[WALKED] += length
            return True
        a = nxt[a]
        c = nxt[c]
    pick[WALKED] += reach
    return False
