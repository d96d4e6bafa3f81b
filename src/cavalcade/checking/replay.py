"""The replay of a DRUP proof: clauses are added and deleted, and checked by unit propagation.

Forwards (eager), every clause of the proof is checked before it is added. Backwards, the check begins at the
contradiction and visits only the clauses that it needs; clauses already known to be needed propagate first
(Heule, Hunt & Wetzler 2013; Wetzler, Heule & Hunt 2014).

Conventions: c is a clause, e an event (a clause is added or deleted). A literal is 2v or, negated, 2v + 1,
for a variable v from 0. A clause watches its first two literals (Moskewicz et al. 2001) by two nodes, 2c and
2c + 1, in linked lists. Each literal has two lists: one for needed clauses, and one for all other clauses.

Time: the time of the propagation; about half a second for a million literals on boards of 50 to 400 cells.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.ground.kernels import Tier, Vector


class State(IntEnum):
    """The state of a clause."""

    UNWATCHED = 0  # at most one of its literals was not false when it was added
    WATCHED = 1
    DELETED = 2  # deleted while it watched its literals


class Clauses(NamedTuple):
    """All clauses.

    Attributes:
        lits: the literals of all clauses, one clause after the other.
        starts: the offset of each clause in `lits`, with the end as last entry.
        state: the `State` of each clause.
        needed: the stamp of the last clause that needs each clause, 0 if none does.
    """

    lits: Vector
    starts: Vector
    state: Vector
    needed: Vector


class Watches(NamedTuple):
    """Doubly linked lists of watching nodes.

    Attributes:
        heads: the first node of each list, -1 if it is empty; list 2 * literal is for clauses that are not
            needed, and the list after it for needed clauses.
        links: the next node after each node, -1 at the end.
        back: the node before each node, or -1 - list for the first node.
    """

    heads: Vector
    links: Vector
    back: Vector


class Hints(NamedTuple):
    """The clauses from which each needed clause follows by unit propagation, in order.

    Attributes:
        clauses: the hints of all needed clauses; a single entry if no hints are collected.
        spans: begin and end of the hints of each clause in `clauses`; the last two entries are for the
            contradiction.
        free: one number, the number of hints so far; more than fit if `clauses` is too short.
    """

    clauses: Vector
    spans: Vector
    free: Vector


class Trail(NamedTuple):
    """The true literals, in the order of their assignment.

    Attributes:
        value: positive for a true literal, negative for a false one, else 0; the size is the position on the
            trail, from 1.
        reason: the clause that forced each variable; -1 if it was assumed.
        order: the true literals.
    """

    value: Vector
    reason: Vector
    order: Vector


def first_capacity(literals: int) -> int:
    """Return the number of hints for which there is space in the first replay.

    If a proof needs more space, it is replayed again. The capacity is at least 2, because a capacity of 1
    collects no hints.
    """
    return literals + 2


def replay(
    lits: NDArray[np.int32],
    starts: NDArray[np.int32],
    events: NDArray[np.int32],
    formula_size: int,
    variables: int,
    *,
    eager: bool,
    hinted: bool = False,
    compiled: bool | None = None,
) -> tuple[int, list[int], list[list[int]]]:
    """Add clauses one by one until they contradict each other, and check the clauses of the proof.

    Args:
        lits: the literals of all clauses, one clause after the other.
        starts: the offset of each clause in `lits`, with the end as last entry.
        events: c if clause c is added, -1 - c if it is deleted.
        formula_size: the number of clauses of the formula; all later clauses are checked.
        variables: the number of variables.
        eager: whether to check every clause; otherwise only needed clauses, backwards from the contradiction.
        hinted: whether to collect hints, backwards only.
        compiled: the tier of the kernel; None to decide by the size.

    Returns:
        - The clause that completed the contradiction; the number of clauses if none did; or -1 - c if clause
          c does not follow.
        - A stamp for every clause, backwards only: d + 1 if clause d is the last clause that needs it; the
          number of clauses + 1 if the contradiction needs it; 0 if it is not needed.
        - The hints of every clause, and of the contradiction: clauses that become unit one after the other
          when the literals of the clause are false, and at the end a false clause.
    """
    count, capacity = len(starts) - 1, first_capacity(len(lits)) if hinted else 1
    # Inner steps: a literal of the formula takes about 40, a literal of a checked clause about 150.
    tier = Tier(100 * len(lits), compiled=compiled)
    while True:
        clauses = Clauses(tier.vector(lits.copy()), tier.vector(starts), tier.full(count), tier.full(count))
        watches = Watches(tier.full(4 * variables, -1), tier.full(2 * count, -1), tier.full(2 * count, -1))
        trail = Trail(tier.full(2 * variables), tier.full(variables, -1), tier.full(variables + 1))
        hints = Hints(tier.full(capacity), tier.full(2 * count + 2), tier.full(1))
        begins, seen, stack = tier.full(count), tier.full(variables), tier.full(variables + 1)
        result = tier(_replay)(
            clauses, watches, trail, hints, tier.vector(events), formula_size, eager, begins, seen, stack
        )
        if not (hinted and int(hints.free[0]) > capacity):
            break
        capacity = int(hints.free[0])  # repeat with enough space for all hints
    written, spans = (np.asarray(column).tolist() for column in (hints.clauses, hints.spans))
    by_clause = [written[i:j] for i, j in zip(spans[::2], spans[1::2], strict=True)] if hinted else []
    return int(result), np.asarray(clauses.needed).tolist(), by_clause


# ---- the kernel


def _link(node: int, row: int, watches: Watches) -> None:
    """Insert a node at the front of a list."""
    heads, links, back = watches
    links[node] = heads[row]
    back[node] = -1 - row
    if heads[row] >= 0:
        back[heads[row]] = node
    heads[row] = node


def _unlink(node: int, watches: Watches) -> None:
    """Remove a node from its list."""
    heads, links, back = watches
    if back[node] < 0:
        heads[-1 - back[node]] = links[node]
    else:
        links[back[node]] = links[node]
    if links[node] >= 0:
        back[links[node]] = back[node]


def _watch(c: int, clauses: Clauses, watches: Watches) -> None:
    """Let a clause watch its first two literals."""
    for k in range(2):
        row = 2 * clauses.lits[clauses.starts[c] + k] + (1 if clauses.needed[c] > 0 else 0)
        _link(2 * c + k, row, watches)
    clauses.state[c] = State.WATCHED


def _unwatch(c: int, clauses: Clauses, watches: Watches) -> None:
    """Remove the watches of a clause, if it has any."""
    if clauses.state[c] == State.WATCHED:
        _unlink(2 * c, watches)
        _unlink(2 * c + 1, watches)


def _set(literal: int, cause: int, trail: Trail, top: int) -> int:
    """Make a literal true; return the new end of the trail."""
    value, reason, order = trail
    value[literal] = top + 1
    value[literal ^ 1] = -top - 1
    reason[literal >> 1] = cause
    order[top] = literal
    return top + 1


def _take_back(trail: Trail, top: int, base: int) -> None:
    """Unset the literals on the trail from `base` on."""
    value, _, order = trail
    for i in range(base, top):
        value[order[i]] = 0
        value[order[i] ^ 1] = 0


def _propagate(clauses: Clauses, watches: Watches, trail: Trail, done: int, top: int) -> tuple[int, int]:
    """Propagate the literals on the trail from `done` on; clauses known to be needed come first.

    Returns a false clause, -1 if there is none, and the end of the trail.
    """
    lits, starts = clauses.lits, clauses.starts
    heads, links, value, order = watches.heads, watches.links, trail.value, trail.order
    ahead = done
    while done < top:
        # Propagate all literals through the needed clauses before any through the other clauses.
        if ahead < top:
            false, kind = order[ahead] ^ 1, 1
            ahead += 1
        else:
            false, kind = order[done] ^ 1, 0
            done += 1
        node = heads[2 * false + kind]
        while node >= 0:
            after = links[node]
            c = node >> 1
            watch = starts[c] + (node & 1)
            second = lits[starts[c] + 1 - (node & 1)]
            if value[second] <= 0:
                # Watch another literal that is not false instead, if there is one.
                moved = False
                for i in range(starts[c] + 2, starts[c + 1]):
                    if value[lits[i]] >= 0:
                        lits[watch], lits[i] = lits[i], false
                        _unlink(node, watches)
                        _link(node, 2 * lits[watch] + kind, watches)
                        moved = True
                        break
                if not moved:
                    if value[second] < 0:
                        return c, top
                    top = _set(second, c, trail, top)
            node = after
    return -1, top


def _blame(
    c: int,
    stamp: int,
    top: int,
    clauses: Clauses,
    watches: Watches,
    trail: Trail,
    hints: Hints,
    seen: Vector,
    stack: Vector,
) -> None:
    """Mark a false clause, and the clauses that made it false, as needed, and collect hints.

    Args:
        c: the false clause.
        stamp: d + 1 if the propagation began with the literals of clause d, which are false by assumption;
            the number of clauses + 1 for the contradiction.
        top: the end of the trail.
        clauses: all clauses; a clause keeps the first stamp that it gets.
        watches: a clause that becomes needed moves to the lists of needed clauses.
        trail: the trail.
        hints: the hints.
        seen: for each variable, the last stamp with which it was visited; negative if it was assumed.
        stack: scratch space for clauses.
    """
    lits, starts, state, needed = clauses
    reason = trail.reason
    false = c
    if stamp < len(starts):
        for i in range(starts[stamp - 1], starts[stamp]):
            seen[lits[i] >> 1] = -stamp
    stack[0] = c
    depth = 1
    while depth > 0:
        depth -= 1
        c = stack[depth]
        if needed[c] == 0:
            _unwatch(c, clauses, watches)
            needed[c] = stamp
            if state[c] == State.WATCHED:
                _watch(c, clauses, watches)
        for i in range(starts[c], starts[c + 1]):
            v = lits[i] >> 1
            if abs(seen[v]) != stamp:
                seen[v] = stamp
                if reason[v] >= 0:
                    stack[depth] = reason[v]
                    depth += 1
    # The hints are the reasons of the visited variables in the order of the trail, then the false clause.
    if len(hints.clauses) > 1:
        hints.spans[2 * stamp - 2] = hints.free[0]
        for i in range(top):
            v = trail.order[i] >> 1
            if seen[v] == stamp and reason[v] >= 0:
                _hint(reason[v], hints)
        _hint(false, hints)
        hints.spans[2 * stamp - 1] = hints.free[0]


def _hint(c: int, hints: Hints) -> None:
    """Append a hint, or only count it if there is no space left."""
    if hints.free[0] < len(hints.clauses):
        hints.clauses[hints.free[0]] = c
    hints.free[0] += 1


def _follows(c: int, clauses: Clauses, watches: Watches, trail: Trail, top: int) -> tuple[int, int]:
    """Assume that the literals of a clause are false, and propagate.

    Returns a clause that becomes false, -2 if the clause is already true (no clause needs it then), or -1 if
    the clause does not follow; and the end of the trail, which the caller takes back.
    """
    base = top
    lits, value = clauses.lits, trail.value
    for i in range(clauses.starts[c], clauses.starts[c + 1]):
        literal = lits[i]
        if value[literal] > 0:
            return -2, top
        if value[literal] == 0:
            top = _set(literal ^ 1, -1, trail, top)
    return _propagate(clauses, watches, trail, base, top)


def _add(c: int, clauses: Clauses, watches: Watches, trail: Trail, top: int) -> tuple[int, int]:
    """Add a clause; return a clause that is false then, -1 if there is none, and the end of the trail."""
    lits, first, value = clauses.lits, clauses.starts[c], trail.value
    # Move at most two literals that are not false to the front.
    free = first
    for i in range(first, clauses.starts[c + 1]):
        if value[lits[i]] >= 0 and free < first + 2:
            lits[free], lits[i] = lits[i], lits[free]
            free += 1
    if free == first + 2:
        _watch(c, clauses, watches)
    elif free == first:
        return c, top
    elif value[lits[first]] == 0:
        top = _set(lits[first], c, trail, top)
        return _propagate(clauses, watches, trail, top - 1, top)
    return -1, top


def _replay(
    clauses: Clauses,
    watches: Watches,
    trail: Trail,
    hints: Hints,
    events: Vector,
    formula_size: int,
    eager: bool,  # noqa: FBT001 - kernels take plain arguments
    begins: Vector,
    seen: Vector,
    stack: Vector,
) -> int:
    """The first result of `replay`.

    On the way back, the trail is cut to its end before each clause was added (`begins`), so that the watched
    literals are the same as on the way forth.
    """
    count = len(clauses.starts) - 1
    state = clauses.state
    # Forwards, until a clause is false.
    false, top, last = -1, 0, -1
    for e in range(len(events)):
        c = events[e]
        if c < 0:
            c = -1 - c
            if state[c] == State.WATCHED:
                _unwatch(c, clauses, watches)
                state[c] = State.DELETED
            continue
        if eager and c >= formula_size:
            false, end = _follows(c, clauses, watches, trail, top)
            _take_back(trail, end, top)
            if false == -1:
                return -1 - c
        begins[c] = top
        false, top = _add(c, clauses, watches, trail, top)
        if false >= 0:
            last = e
            break
    if last < 0:
        return count
    if eager:
        return events[last]
    _blame(false, count + 1, top, clauses, watches, trail, hints, seen, stack)
    # Backwards: undo each event, and check each needed clause of the proof when it has been removed.
    for e in range(last, -1, -1):
        c = events[e]
        if c < 0:
            c = -1 - c
            if state[c] == State.DELETED:
                _watch(c, clauses, watches)
            continue
        if c < formula_size:
            break
        _unwatch(c, clauses, watches)
        _take_back(trail, top, begins[c])
        top = begins[c]
        if clauses.needed[c] > 0:
            false, end = _follows(c, clauses, watches, trail, top)
            if false >= 0:
                _blame(false, c + 1, end, clauses, watches, trail, hints, seen, stack)
            _take_back(trail, end, top)
            if false == -1:
                return -1 - c
    return events[last]
