"""The replay of a DRUP proof: clauses come and go, and each that matters follows by unit propagation.

Forwards (eager), every clause is checked before it is added. Backwards, the check begins at the contradiction
and looks only at clauses that it needs; clauses known to be needed propagate first (Heule, Hunt & Wetzler
2013; Wetzler, Heule & Hunt 2014).

c is a clause, e an event (a clause comes or goes); a literal is 2v or, negated, 2v + 1, for variable v from
0. A clause watches its first two literals (Moskewicz et al. 2001) by two nodes, 2c and 2c + 1, in the linked
lists of those literals: each literal has one for the clauses known to be needed and one for the others.

Time: what the propagation takes; about half a second for a million literals on boards of 50 to 400 cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.ground.kernels import Tier, Vector

# inner steps of a replay, for the choice of the tier: for each literal of the formula, and of the proof
STEPS_PER_LITERAL, STEPS_PER_LEARNT = 40, 150
HINTS = 50  # for each clause: there is room for so many, until a replay needs more
WATCHED, DELETED = 1, 2  # states of a clause; 0 when it has no two literals left that are not false


class Clauses(NamedTuple):
    """All clauses, and what is known of each."""

    lits: Vector  # the literals of clause c, from
    starts: Vector  # starts[c] to starts[c + 1]
    state: Vector
    needed: Vector  # 0, or the stamp of the last clause that needs it


class Watches(NamedTuple):
    """The lists of watching nodes, doubly linked."""

    heads: Vector  # the first node of list 2 * literal + (whether its clauses are needed)
    links: Vector  # the next node
    back: Vector  # the node before, or -1 - list


class Hints(NamedTuple):
    """Which clauses each needed clause follows from, one of them after the other by unit propagation."""

    clauses: Vector  # for one clause after the other; a single place if nobody asks
    spans: Vector  # those of clause c from spans[2c] to spans[2c + 1], those of the contradiction at the end
    free: Vector  # one number: where the next one goes, beyond the end if there is no room


class Trail(NamedTuple):
    """The literals that are true, in the order in which they became so."""

    value: Vector  # of a literal: above 0 true, below 0 false; its size tells when it was set
    reason: Vector  # of a variable: the clause that forced it, or -1
    order: Vector


def replay(
    lits: NDArray[np.int32],
    starts: NDArray[np.int32],
    events: NDArray[np.int32],
    given: int,
    variables: int,
    *,
    eager: bool,
    hinted: bool = False,
    compiled: bool | None = None,
) -> tuple[int, list[int], list[list[int]]]:
    """Add clauses one by one until they contradict each other, and check the clauses of the proof.

    Args:
        lits: the literals of all clauses, one after the other.
        starts: where each clause begins, and the end.
        events: c where clause c comes, -1 - c where it goes.
        given: how many clauses are the formula's; the others are checked.
        variables: how many there are.
        eager: check every clause on the way; otherwise only needed clauses, backwards from the contradiction.
        hinted: collect the hints, backwards only.
        compiled: the kernel's tier; None lets the size decide.

    Returns:
        The clause that completed the contradiction, the number of clauses if none did, or -1 - c when clause
        c does not follow; and for every clause a stamp if the contradiction needs it (backwards only): d + 1
        when clause d is the last one to need it, the number of clauses + 1 when that is the contradiction. At
        last the hints of every clause, and of the contradiction: clauses that are unit one after the other
        once its literals are false, and a false one.
    """
    count, room = len(starts) - 1, HINTS * len(starts) if hinted else 1
    learnt = len(lits) - int(starts[given])
    work = STEPS_PER_LITERAL * (len(lits) - learnt) + STEPS_PER_LEARNT * learnt
    tier = Tier(work, compiled=compiled)
    while True:
        clauses = Clauses(tier.vector(lits.copy()), tier.vector(starts), tier.full(count), tier.full(count))
        watches = Watches(tier.full(4 * variables, -1), tier.full(2 * count, -1), tier.full(2 * count, -1))
        trail = Trail(tier.full(2 * variables), tier.full(variables, -1), tier.full(variables + 1))
        hints = Hints(tier.full(room), tier.full(2 * count + 2), tier.full(1))
        begins, seen, stack = tier.full(count), tier.full(variables), tier.full(variables + 1)
        at = tier(_replay)(
            clauses, watches, trail, hints, tier.vector(events), given, eager, begins, seen, stack
        )
        if not (hinted and int(hints.free[0]) > room):
            break
        room = int(hints.free[0])
    written, spans = (np.asarray(some).tolist() for some in (hints.clauses, hints.spans))
    found = [written[i:j] for i, j in zip(spans[::2], spans[1::2], strict=True)] if hinted else []
    return int(at), np.asarray(clauses.needed).tolist(), found


# ---- the kernel


def _link(node: int, place: int, watches: Watches) -> None:
    """Put a node first in the list at this place."""
    heads, links, back = watches
    links[node] = heads[place]
    back[node] = -1 - place
    if heads[place] >= 0:
        back[heads[place]] = node
    heads[place] = node


def _unlink(node: int, watches: Watches) -> None:
    """Take a node out of its list."""
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
        place = 2 * clauses.lits[clauses.starts[c] + k] + (1 if clauses.needed[c] > 0 else 0)
        _link(2 * c + k, place, watches)
    clauses.state[c] = WATCHED


def _unwatch(c: int, clauses: Clauses, watches: Watches) -> None:
    """Let a clause watch nothing, if it does."""
    if clauses.state[c] == WATCHED:
        _unlink(2 * c, watches)
        _unlink(2 * c + 1, watches)


def _set(literal: int, cause: int, trail: Trail, top: int) -> int:
    """Make a literal true; returns the new end of the trail."""
    value, reason, order = trail
    value[literal] = top + 1
    value[literal ^ 1] = -top - 1
    reason[literal >> 1] = cause
    order[top] = literal
    return top + 1


def _take_back(trail: Trail, top: int, base: int) -> None:
    """Unset what stands on the trail from `base` on."""
    value, _, order = trail
    for i in range(base, top):
        value[order[i]] = 0
        value[order[i] ^ 1] = 0


def _propagate(clauses: Clauses, watches: Watches, trail: Trail, done: int, top: int) -> tuple[int, int]:
    """Unit propagation of the trail from `done` on; clauses known to be needed come first.

    Returns a clause that is false, -1 if none is, and the end of the trail.
    """
    lits, starts = clauses.lits, clauses.starts
    heads, links, value, order = watches.heads, watches.links, trail.value, trail.order
    ahead = done
    while done < top:
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
            here = starts[c] + (node & 1)
            other = lits[starts[c] + 1 - (node & 1)]
            if value[other] <= 0:
                moved = False
                for i in range(starts[c] + 2, starts[c + 1]):
                    if value[lits[i]] >= 0:
                        lits[here], lits[i] = lits[i], false
                        _unlink(node, watches)
                        _link(node, 2 * lits[here] + kind, watches)
                        moved = True
                        break
                if not moved:
                    if value[other] < 0:
                        return c, top
                    top = _set(other, c, trail, top)
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
    """Mark a false clause, and the clauses that made it false, as needed (with a stamp, if not before).

    The stamp also says for which clause this is done: its own literals are false by assumption.
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
            if state[c] == WATCHED:
                _watch(c, clauses, watches)
        for i in range(starts[c], starts[c + 1]):
            v = lits[i] >> 1
            if abs(seen[v]) != stamp:
                seen[v] = stamp
                if reason[v] >= 0:
                    stack[depth] = reason[v]
                    depth += 1
    if len(hints.clauses) > 1:
        hints.spans[2 * stamp - 2] = hints.free[0]
        for i in range(top):
            v = trail.order[i] >> 1
            if seen[v] == stamp and reason[v] >= 0:
                _hint(reason[v], hints)
        _hint(false, hints)
        hints.spans[2 * stamp - 1] = hints.free[0]


def _hint(c: int, hints: Hints) -> None:
    """Add a hint, if there is room."""
    if hints.free[0] < len(hints.clauses):
        hints.clauses[hints.free[0]] = c
    hints.free[0] += 1


def _follows(c: int, clauses: Clauses, watches: Watches, trail: Trail, top: int) -> tuple[int, int]:
    """Assume a clause's literals false and propagate.

    Returns a clause that this contradicts, -2 if the clause holds already (nothing ever needs such a clause),
    -1 if it does not follow; and the end of the trail, for the caller to take back.
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
    """Add a clause: returns a clause that is false then, -1 if none is, and the end of the trail."""
    lits, first, value = clauses.lits, clauses.starts[c], trail.value
    free = first
    for i in range(first, clauses.starts[c + 1]):  # literals that are not false, two at most, go first
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
    given: int,
    eager: bool,  # noqa: FBT001 - kernels take plain arguments
    begins: Vector,
    seen: Vector,
    stack: Vector,
) -> int:
    """The first result of `replay`.

    Going back, the trail is what it was before the clause came (`begins`), or when it went, so that watched
    literals stay right.
    """
    count = len(clauses.starts) - 1
    state = clauses.state
    false, top, last = -1, 0, -1
    for e in range(len(events)):
        c = events[e]
        if c < 0:
            c = -1 - c
            if state[c] == WATCHED:
                _unwatch(c, clauses, watches)
                state[c] = DELETED
            continue
        if eager and c >= given:
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
    for e in range(last, -1, -1):
        c = events[e]
        if c < 0:
            c = -1 - c
            if state[c] == DELETED:
                _watch(c, clauses, watches)
            continue
        if c < given:
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
