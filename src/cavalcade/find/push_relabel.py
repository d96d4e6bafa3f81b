"""Push-relabel: a maximum assignment of left vertices to neighbours on the right, one or two for each.

With capacity 1 this is a bipartite matching, as `cycle_cover` needs for successors. With capacity 2 every
vertex on either side has up to two edges, and no edge twice, as `two_factor` needs (Goldberg & Tarjan 1988;
for matchings Kaya, Langguth, Manne & Uçar 2013).

The *label* of a right vertex is a lower bound for the number of assignments that must change before it can
take one more; 0 if it has a free slot, n if it can never take one. An *active* left vertex lacks an edge. It
takes the neighbour with the lowest label, which may evict one of its owners; that one becomes active. The new
label of the right vertex follows from the labels that its owners can turn to instead. Labels tend to lag
behind the true distances, so that now and then all of them are set anew by breadth-first search from the free
right vertices, only as far as the farthest active vertex.

Time: nearly linear on boards, with holes too: a second for a million cells with a tenth removed at random.

u, w, x are left vertices, v is a right one, n is the number of vertices on each side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cavalcade.find.tiers import steps_per_call
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Cells, Tier, Vector
from cavalcade.question.parts import Rows

# Pushes between two breadth-first searches, besides a quarter of the vertices. Fewer pushes mean more
# searches of linear time; more pushes mean detours along labels that are too low.
PUSHES_PER_ROUND = 100


class Assignment(NamedTuple):
    """Which left and right vertices are assigned to each other; -1 for a free slot.

    Args:
        right_of: the right vertices of each left vertex, slots `capacity * u` and following.
        left_of: the owners of each right vertex, slots `capacity * v` and following.
    """

    right_of: Vector
    left_of: Vector


class Search(NamedTuple):
    """Labels, and scratch space for the two kernels, n entries each.

    Args:
        label: lower bound of each right vertex, see the module.
        ring: active left vertices, a ring buffer.
        seen: number of the last round of labels that reached each left vertex.
        queue: right vertices that got a label in this round, in breadth-first order.
    """

    label: Vector
    ring: Vector
    seen: Vector
    queue: Vector


class PushProgress(NamedTuple):
    """Where a call of a kernel broke off.

    Args:
        start: index of the first active vertex in the ring.
        active: number of active vertices in the ring.
        missing: number of free slots on the left; more than `active` if some can never be filled.
        pushes: number of pushes before the next round of labels.
        round: number of the current round of labels.
        head: index of the next vertex in the queue of the breadth-first search.
        tail: length of that queue; 0 if no search is under way.
        unreached: number of active vertices that the search has not reached.
        work: inner steps of the last call.
    """

    start: int
    active: int
    missing: int
    pushes: int = 0
    round: int = 0
    head: int = 0
    tail: int = 0
    unreached: int = 0
    work: int = 0


def complete(
    tier: Tier,
    rows: Rows,
    back: Rows,
    assignment: Assignment,
    active: Cells,
    capacity: int,
    budget: Budget,
) -> int:
    """Extend an assignment to a maximum one; returns the number of slots on the left that remain free.

    Args:
        tier: interpreted or compiled.
        rows: the right neighbours of each left vertex.
        back: the left neighbours of each right vertex.
        assignment: a partial assignment, changed in place.
        active: left vertices with a free slot, each as often as it has one, in the order of their turns.
        capacity: slots of each vertex, 1 or 2.
        budget: counted work; it pays, but does not end the search.
    """
    n = len(rows.indptr) - 1
    ring = tier.vector(np.concatenate([active, np.zeros(n - len(active), dtype=np.int32)]))
    search = Search(tier.full(n), ring, tier.full(n), tier.full(n))
    progress = PushProgress(0, len(active), len(active))
    while progress.active > 0:
        kernel, adjacent = (_push, rows) if progress.pushes > 0 else (_relabel, back)
        progress = tier(kernel)(adjacent, assignment, search, progress, capacity, steps_per_call(tier))
        budget.spend(progress.work)
    return progress.missing


def _push(
    rows: Rows, assignment: Assignment, search: Search, progress: PushProgress, capacity: int, budget: int
) -> PushProgress:
    """Let active vertices take neighbours until none is active, labels are due, or the budget is spent."""
    indptr = rows.indptr
    right_of, left_of = assignment
    label, ring = search.label, search.ring
    n = len(label)
    start, active, missing, pushes = progress.start, progress.active, progress.missing, progress.pushes
    work = 0
    while active > 0 and pushes > 0 and work < budget:
        u = ring[start]
        start = (start + 1) % n
        active -= 1
        pushes -= 1
        work += 1 + indptr[u + 1] - indptr[u]
        v, _, second = _two_lowest(rows, right_of, label, capacity, u)
        if v < 0:
            continue  # no free right vertex can be reached from u, now or later
        # Choose the slot of v: a free one (-1), or else the owner with the nearest alternative.
        slot, keeper = capacity * v, n
        if capacity == 2:
            kept = slot + 1
            nearest = keeper = -1
            w, x = left_of[slot], left_of[kept]
            if w >= 0:
                work += 1 + indptr[w + 1] - indptr[w]
                nearest = _two_lowest(rows, right_of, label, capacity, w)[1]
            if x >= 0:
                work += 1 + indptr[x + 1] - indptr[x]
                keeper = _two_lowest(rows, right_of, label, capacity, x)[1]
            if keeper < nearest:
                slot, nearest, keeper = kept, keeper, nearest
            if label[v] <= nearest:
                # The label is too low: raise it, and let u choose again when its turn comes.
                label[v] = min(nearest + 1, n)
                ring[(start + active) % n] = u
                active += 1
                continue
        # From here on v can pass an assignment on by u, to its second choice, or by the owner that it keeps.
        # If a slot stays free (-1), the label stays 0.
        label[v] = min(second, keeper, n - 1) + 1
        w = left_of[slot]
        left_of[slot] = u
        right_of[_slot_of(right_of, capacity, u, -1)] = v
        if w < 0:
            missing -= 1
        else:
            right_of[_slot_of(right_of, capacity, w, v)] = -1
            ring[(start + active) % n] = w
            active += 1
    return PushProgress(start, active, missing, pushes, progress.round, 0, 0, 0, work)


def _slot_of(right_of: Vector, capacity: int, u: int, v: int) -> int:
    """The slot in which u holds v; one of them does."""
    return capacity * u if right_of[capacity * u] == v else capacity * u + capacity - 1


def _two_lowest(rows: Rows, right_of: Vector, label: Vector, capacity: int, u: int) -> tuple[int, int, int]:
    """The neighbour of u with the lowest label, that label and the second lowest.

    Neighbours that u holds are skipped. The vertex is -1 and a label n if there is none below n.
    """
    indptr, indices = rows
    held, also_held = right_of[capacity * u], right_of[capacity * u + capacity - 1]
    best = -1
    lowest = second = len(label)
    for e in range(indptr[u], indptr[u + 1]):
        v = indices[e]
        if v == held or v == also_held:
            continue
        if label[v] < lowest:
            best, lowest, second = v, label[v], lowest
        elif label[v] < second:
            second = label[v]
    return best, lowest, second


def _relabel(
    back: Rows, assignment: Assignment, search: Search, progress: PushProgress, capacity: int, budget: int
) -> PushProgress:
    """Set all labels to true distances by breadth-first search, or go on with that until the budget is spent.

    The search stops once it has reached all active vertices: labels beyond them only need to be at least as
    large.
    """
    indptr, indices = back
    right_of, left_of = assignment
    label, _, seen, queue = search
    n = len(label)
    number, head, tail, unreached = progress.round, progress.head, progress.tail, progress.unreached
    setup = work = 0
    if tail == 0:
        # A new round begins at the right vertices with a free slot. Label n: not reached so far.
        setup = 2 * n
        number += 1
        unreached = progress.active
        for v in range(n):
            label[v] = n
            if left_of[capacity * v] < 0 or left_of[capacity * v + capacity - 1] < 0:
                label[v] = 0
                queue[tail] = v
                tail += 1
    while head < tail and unreached > 0 and work < budget:
        v = queue[head]
        head += 1
        work += 1 + indptr[v + 1] - indptr[v]
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            # An edge that u holds cannot be added; a vertex reached before has nothing nearer.
            if seen[u] == number or (capacity == 2 and (right_of[2 * u] == v or right_of[2 * u + 1] == v)):
                continue
            seen[u] = number
            # u could take v: then each vertex that it holds could take one more.
            for slot in range(capacity * u, capacity * u + capacity):
                held = right_of[slot]
                if held < 0:
                    unreached -= 1
                elif label[held] == n:
                    label[held] = label[v] + 1
                    queue[tail] = held
                    tail += 1
    if head < tail and unreached > 0:
        return PushProgress(
            progress.start, progress.active, progress.missing, 0, number, head, tail, unreached, setup + work
        )
    if head < tail:
        farthest = label[queue[head - 1]] + 1
        for v in range(n):
            label[v] = min(label[v], farthest)
    pushes = PUSHES_PER_ROUND + n // 4
    return PushProgress(
        progress.start, progress.active, progress.missing, pushes, number, 0, 0, 0, setup + work
    )
