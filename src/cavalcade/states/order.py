"""In which order a frontier search takes the vertices: the frontier should stay narrow.

The *frontier* after some vertices have been taken are the others that are next to one of them. The work
grows exponentially with its width, so an order is judged by the sum of 3 to the power of its widths.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from cavalcade.ground.budget import assert_time
from cavalcade.ground.errors import TooLargeError
from cavalcade.question.graph import MoveGraph

Path = tuple["Path", int] | None  # the beginning before it, and a vertex

BEAM = 64  # orders kept at a time: 40 find an order of 7x8 with twice the work, 2,000 find no better
SMALL, FEWER = 36, 32  # of graphs with at most so many vertices so many orders: on every rectangle the same
BASE = 3.0
WIDEST_POWER = 600  # 3**647 is no float any more
POWERS = [BASE**width for width in range(WIDEST_POWER + 1)]
SEARCHED = 5_000  # vertices of a graph up to which an order is looked for
MANY = 500  # vertices of a graph from which the clock is looked at for each beginning
LOOKED = "a narrow order of the cells was looked for"
TOO_WIDE = "the board is too wide: at most {} vertices can be on the frontier"
FIRST = 1_000  # vertices of an order that tell whether the frontier is too wide


def frontier_widths(graph: MoveGraph, order: list[int]) -> list[int]:
    """The width of the frontier after each vertex of an order. Linear time."""
    touched, done, width = [False] * graph.size, [False] * graph.size, 0
    widths = []
    for v in order:
        assert_time("the widths of the frontier were looked at")
        width -= touched[v]
        done[v] = True
        for w in graph.neighbours(v).tolist():
            if not done[w] and not touched[w]:
                touched[w] = True
                width += 1
        widths.append(width)
    return widths


def cost_of(graph: MoveGraph, order: list[int]) -> float:
    """What a search in an order costs: the sum of powers of the widths of its frontiers."""
    return sum(POWERS[min(width, WIDEST_POWER)] for width in frontier_widths(graph, order))


def narrow_order(
    graph: MoveGraph, last: int | None = None, *, widest: int | None = None, beam: int | None = None
) -> list[int]:
    """A good order of the vertices, by beam search: of all beginnings of a length the best are kept.

    A beginning is a set of vertices taken, as the bits of a number; of two orders of one set the better
    is kept. The next vertex comes from the frontier, so that one part of the graph is finished before
    the next begins. `last` is taken at the end whatever happens (the vertex that joins the ends of open
    tours). About 4 µs a vertex and order kept, and better than rows on every board tried: on 6x6 the
    states at the peak fall from 43,192 to 1,700. In graphs of more than 5,000 vertices they are taken as a
    breadth-first search from a far end meets them (as by Cuthill & McKee 1969), in linear time.

    Raises:
        TooLargeError: every beginning that is kept has a frontier of more than `widest` vertices, or that
            search one of half as many again.
    """
    most = graph.size if widest is None else min(graph.size, 3 * widest // 2)
    if graph.size > min(most, SEARCHED):
        order = _from_far_end(graph, last)
        if widest is not None and 2 * max(frontier_widths(graph, order[:FIRST])) > 3 * widest:
            raise TooLargeError(TOO_WIDE.format(widest))
        if graph.size > SEARCHED:
            return order
    beam = beam or (BEAM if graph.size > SMALL else FEWER)
    free = (1 << graph.size) - 1 - (0 if last is None else 1 << last)
    path = None
    for beginning in _beams(graph, free, [0] * graph.size, widest, beam):
        path = beginning[0]
    return _listed(path) + ([] if last is None else [last])


def _from_far_end(graph: MoveGraph, last: int | None) -> list[int]:
    """The vertices of a breadth-first search, part by part, each from the vertex last met from another."""
    met = [v == last for v in range(graph.size)]
    order: list[int] = []
    for start in range(graph.size):
        if not met[start]:
            order += _breadth_first(graph, _breadth_first(graph, start, met.copy())[-1], met)
    return order + ([] if last is None else [last])


def _breadth_first(graph: MoveGraph, start: int, met: list[bool]) -> list[int]:
    """The vertices that a breadth-first search meets; those in `met` are not entered, and it grows."""
    order, met[start] = [start], True
    for v in order:
        assert_time("the cells were put into an order")
        for w in graph.neighbours(v).tolist():
            if not met[w]:
                met[w] = True
                order.append(w)
    return order


def half_order(graph: MoveGraph, image: list[int]) -> list[tuple[list[int], float]]:
    """Good orders of vertices that are neither next to nor among the images of one another.

    Args:
        graph: any graph.
        image: of each vertex the one to which an involution of the graph maps it.

    Returns the best order that the beam search of `narrow_order` finds of each length, and its cost.
    """
    near = _sets(graph)
    free = sum(1 << v for v in range(graph.size) if image[v] != v and not near[v] >> image[v] & 1)
    found = _beams(graph, free, [near[turned] | 1 << turned for turned in image])
    return [(_listed(path), cost) for path, cost in found]


def _sets(graph: MoveGraph) -> list[int]:
    """Of each vertex the set of its neighbours."""
    found = []
    for v in range(graph.size):
        assert_time("the neighbours of the cells were put into sets")
        found.append(sum(1 << w for w in graph.neighbours(v).tolist()))
    return found


def _beams(
    graph: MoveGraph, free: int, bars: list[int], widest: int | None = None, beam: int = BEAM
) -> Iterator[tuple[Path, float]]:
    """The best order found of each length, and its cost, of vertices in a set.

    Once v is taken, those in `bars[v]` may not be. No frontier is wider than `widest`.
    """
    near = _sets(graph)
    powers = [POWERS[min(WIDEST_POWER, width)] for width in range(graph.size + 1)]
    layer: list[tuple[float, int, int, int, Path]] = [(0.0, 0, 0, 0, None)]
    while True:
        assert_time(LOOKED)
        best: dict[int, tuple[float, int, int, int, Path]] = {}
        most, looked = inf, 2 * beam  # what is above `most` is not kept; and when that is looked at again
        for cost, taken, frontier, barred, path in layer:
            if cost >= most:
                break
            if graph.size > MANY:  # else all of a layer take some milliseconds
                assert_time(LOOKED)
            if len(best) >= looked:
                most, looked = sorted([entry[0] for entry in best.values()])[beam - 1], 2 * looked
            choice = free & ~taken & ~barred
            choice = choice & frontier or choice
            while choice:
                bit = choice & -choice
                choice ^= bit
                now = taken | bit
                if now in best:  # with the same frontier, from a beginning that cost no more
                    continue
                v = bit.bit_length() - 1
                wide = (frontier | near[v]) & ~now
                total = cost + powers[wide.bit_count()]
                if total <= most:
                    best[now] = (total, now, wide, barred | bars[v], (path, v))
        if not best:
            return
        layer = sorted(best.values())[:beam]  # each has another `now`, so no more is compared
        if widest is not None and min(entry[2].bit_count() for entry in layer) > widest:
            raise TooLargeError(TOO_WIDE.format(widest))
        yield layer[0][4], layer[0][0]


def _listed(path: Path) -> list[int]:
    """The vertices of a beginning, first to last."""
    order = []
    while path is not None:
        path, v = path
        order.append(v)
    return order[::-1]
