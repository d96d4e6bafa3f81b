"""The choices of a step in a table of degree patterns: from which pattern to which, by what change of a rank.

They are those of `transition.expand`, for a whole pattern at a time: all that a choice depends on is how many
edges each vertex has.
"""

from __future__ import annotations

from typing import NamedTuple

from cavalcade.ground.kernels import Vector
from cavalcade.states.transition import Geometry, lacks_neighbours

UNTOUCHED, END, DONE = 1, 2, 4  # what a vertex may be after a stage, see `Degrees`


class Choices(NamedTuple):
    """Choices of the edges of v, each for all states of a pattern.

    Args:
        target: pattern that the choice leads to.
        source: index of the pattern that it comes from.
        code: code of the change of the matching, see `ranks.code_of`; -1 for no change.
        edges: 32 times the place of one new edge of v, plus the place of the other; v's own place for none.
    """

    target: Vector
    source: Vector
    code: Vector
    edges: Vector


class Degrees(NamedTuple):
    """How patterns change in a step.

    Args:
        opens: places that are new on the frontier before v is taken, ascending.
        more: increment of the new pattern by one more edge, for each place; 0 for v.
        ends: scratch space for the number of ends before each place.
        optional: 1 if the states before the step also stay as they are, else 0.
        place: places whose degree after the step is restricted.
        what: allowed degrees of these places, as a mask of `UNTOUCHED`, `END` and `DONE`.
    """

    opens: Vector
    more: Vector
    ends: Vector
    optional: int
    place: Vector
    what: Vector


def fits(key: int, degrees: Degrees) -> bool:
    """Whether every restricted place of a pattern has an allowed degree."""
    for i in range(len(degrees.place)):
        if (degrees.what[i] >> ((key >> (2 * degrees.place[i])) & 3)) & 1 == 0:
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
    found: Choices,
) -> tuple[int, int]:
    """Write the choices in patterns `first` to `until` that lead to patterns from `low` to below `high`.

    Returns the pattern where it stopped because the room was full, and the number of choices.
    """
    place, width, last = geometry.place, geometry.width, geometry.last
    later, opens, more, before = geometry.later, degrees.opens, degrees.more, degrees.ends
    everything = (1 << width) - 1
    reach = 0
    for p in range(len(later)):
        reach = max(reach, 2 * more[later[p]])
    count = 0
    for s in range(first, until):
        if count + geometry.most + 1 > len(found.target):
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
            x = (key >> (2 * i)) & 3
            n += x & 1
            ends |= (x & 1) << i
            done |= (x >> 1) << i
        untouched = everything & ~ends & ~done
        if degrees.optional and low <= base and base < high and fits(base, degrees):
            found.target[count], found.source[count], found.code[count] = base, s, -1
            found.edges[count] = place * 32 + place
            count += 1
        v_untouched, v_done = (untouched >> place) & 1, (done >> place) & 1
        for p in range(len(later) if v_untouched else 1):
            one = later[p] if v_untouched else place
            if v_untouched and (done >> one) & 1:
                continue
            for q in range(p + 1 if v_untouched else 0, 1 if v_done else len(later)):
                two = place if v_done else later[q]
                if not v_done and (done >> two) & 1:
                    continue
                target, code = base, -1
                now_untouched, now_done = untouched, done
                if not v_done:
                    target += more[one] + more[two]
                    for k in (one, two):
                        if (untouched >> k) & 1:
                            now_untouched ^= 1 << k
                        else:
                            now_done |= 1 << k
                    # Both new edges meet ends: they join; one: it moves to the other place; none: a new pair.
                    a, b = min(one, two), max(one, two)
                    a_end, b_end = (ends >> a) & 1, (ends >> b) & 1
                    if a_end and b_end:
                        if n > 2:
                            code = (n // 2 * 32 + before[a]) * 32 + before[b]
                        elif not last or now_done | 1 << place != everything:
                            continue
                    elif a_end:
                        if before[a] != before[b] - 1:
                            code = ((17 + n // 2) * 32 + before[a]) * 32 + before[b] - 1
                    elif b_end:
                        if before[a] != before[b]:
                            code = ((17 + n // 2) * 32 + before[b]) * 32 + before[a]
                    else:
                        code = ((34 + n // 2) * 32 + before[a]) * 32 + before[b] + 1
                if target < low or target >= high:
                    continue
                if lacks_neighbours(now_untouched, now_done, geometry) or not fits(target, degrees):
                    continue
                found.target[count], found.source[count], found.code[count] = target, s, code
                found.edges[count] = one * 32 + two
                count += 1
    return until, count
