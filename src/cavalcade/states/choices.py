"""Enumerate the choices of a stage in a table of degree patterns.

A choice selects the new edges of the vertex v that a stage takes. It leads from one degree pattern to another
and changes the rank of the matching. Which choices a state has depends only on its degree pattern, so this
module makes the choices of `transition.expand` once for a whole pattern.
"""

from __future__ import annotations

from enum import IntFlag
from typing import NamedTuple

from cavalcade.ground.kernels import Vector
from cavalcade.states.ranks import Change, code_of
from cavalcade.states.transition import Geometry, lacks_neighbours


class Allowed(IntFlag):
    """Set of the degrees that a vertex may have after a stage: bit d stands for d edges."""

    UNTOUCHED = 1
    END = 2
    DONE = 4


class Choices(NamedTuple):
    """Choices of the new edges of v, each for all states of a pattern.

    Args:
        target: degree pattern that the choice leads to.
        source: index of the degree pattern that the choice comes from.
        code: encoded change of the matching, see `ranks.code_of`; -1 for no change.
        edges: 32 times the place of the first new neighbour of v, plus the place of the second. The place of
            v itself stands for a missing edge.
    """

    target: Vector
    source: Vector
    code: Vector
    edges: Vector


class Degrees(NamedTuple):
    """How a stage changes degree patterns.

    Args:
        opens: places that are new on the frontier before v is taken, ascending.
        increment: increase of the new pattern by an edge to each place; 0 at the place of v.
        ends_before: scratch space for the number of ends before each place.
        optional: 1 if the states before the stage also stay as they are, else 0.
        restricted: places of the new frontier with a restricted degree.
        allowed: allowed degrees of each restricted place, see `Allowed`.
    """

    opens: Vector
    increment: Vector
    ends_before: Vector
    optional: int
    restricted: Vector
    allowed: Vector


def is_allowed(key: int, degrees: Degrees) -> bool:
    """Return whether every restricted place of a pattern has an allowed degree."""
    for i in range(len(degrees.restricted)):
        degree = (key >> (2 * degrees.restricted[i])) & 3
        if (degrees.allowed[i] >> degree) & 1 == 0:
            return False
    return True


def choose(
    first: int,
    until: int,
    keys: Vector,
    low: int,
    high: int,
    geometry: Geometry,
    degrees: Degrees,
    choices: Choices,
) -> tuple[int, int]:
    """Write the choices in some patterns that lead to a range of new patterns.

    Args:
        first: index of the first pattern.
        until: index after the last pattern.
        keys: degree patterns before the stage.
        low: least new pattern.
        high: limit of new patterns, exclusive.
        geometry: geometry of the stage.
        degrees: changes of degree patterns in the stage.
        choices: receives the choices, from entry 0 on.

    Returns:
        The index of the pattern where it stopped because `choices` was full, and the number of choices.
    """
    place, width, last = geometry.place, geometry.width, geometry.last
    later, opens, increment, before = geometry.later, degrees.opens, degrees.increment, degrees.ends_before
    all_places = (1 << width) - 1
    # No choice adds more than `reach` to a pattern, so patterns far below `low` are skipped.
    reach = 0
    for p in range(len(later)):
        reach = max(reach, 2 * increment[later[p]])
    count = 0
    for s in range(first, until):
        if count + geometry.most + 1 > len(choices.target):
            return s, count
        key = keys[s]
        # Insert untouched vertices at the new places, and remove v.
        for i in range(len(opens)):
            below = key & ((1 << (2 * opens[i])) - 1)
            key = below + ((key - below) << 2)
        below = key & ((1 << (2 * place)) - 1)
        base = below + ((key >> (2 * place + 2)) << (2 * place))
        if base >= high or base + reach < low:
            continue
        # Number the ends, and collect the places that are ends or done.
        n, ends, done = 0, 0, 0
        for i in range(width):
            before[i] = n
            degree = (key >> (2 * i)) & 3
            n += degree & 1
            ends |= (degree & 1) << i
            done |= (degree >> 1) << i
        untouched = all_places & ~ends & ~done
        if degrees.optional and low <= base and base < high and is_allowed(base, degrees):
            choices.target[count], choices.source[count], choices.code[count] = base, s, -1
            choices.edges[count] = place * 32 + place
            count += 1
        v_untouched, v_done = (untouched >> place) & 1, (done >> place) & 1
        # Choose the new neighbours u and w of v. The place of v stands for a missing neighbour: both are
        # missing if v is done, and u is missing if v is the end of a path.
        for p in range(len(later) if v_untouched else 1):
            u = later[p] if v_untouched else place
            if v_untouched and (done >> u) & 1:
                continue
            for q in range(p + 1 if v_untouched else 0, 1 if v_done else len(later)):
                w = place if v_done else later[q]
                if not v_done and (done >> w) & 1:
                    continue
                target, code = base, -1
                now_untouched, now_done = untouched, done
                if not v_done:
                    target += increment[u] + increment[w]
                    # A new edge makes an untouched vertex an end, and an end done.
                    for k in (u, w):
                        if (untouched >> k) & 1:
                            now_untouched ^= 1 << k
                        else:
                            now_done |= 1 << k
                    # If both new edges meet ends, these are joined. If only one of them does, that end moves
                    # to the other place. If neither does, a new pair of ends is inserted.
                    a, b = min(u, w), max(u, w)
                    a_end, b_end = (ends >> a) & 1, (ends >> b) & 1
                    if a_end and b_end:
                        if n > 2:
                            code = code_of(Change.JOIN, n, before[a], before[b])
                        elif not last or now_done | 1 << place != all_places:
                            continue
                    elif a_end:
                        if before[a] != before[b] - 1:
                            code = code_of(Change.MOVE, n, before[a], before[b] - 1)
                    elif b_end:
                        if before[a] != before[b]:
                            code = code_of(Change.MOVE, n, before[b], before[a])
                    else:
                        code = code_of(Change.INSERT, n, before[a], before[b] + 1)
                if target < low or target >= high:
                    continue
                if lacks_neighbours(now_untouched, now_done, geometry) or not is_allowed(target, degrees):
                    continue
                choices.target[count], choices.source[count], choices.code[count] = target, s, code
                choices.edges[count] = u * 32 + w
                count += 1
    return until, count
