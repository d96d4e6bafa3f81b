"""The second program for small counts: Hamiltonian cycles by states in a dictionary, in plain Python.

`recount` repeats large counts in compiled code. While that code loads, this module counts ten thousand
states. It also counts the cycles that a symmetry maps to themselves. The searches of `states` share no code
with it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cavalcade.ground.budget import assert_time

Edge = tuple[int, int]


class _Stage(NamedTuple):
    """A vertex to take, and the orbits of edges that are decided with it.

    Attributes:
        place: place of the vertex in a row.
        entering: places of the vertices that enter the frontier.
        orbits: sets of edges, as pairs of places; a cycle contains all edges of an orbit or none.
        supply: number of edges at the vertex in each orbit and all later ones, and 0 at the end.
        later: for each vertex with decided and undecided edges: its place, the places of the vertices on the
            frontier to which undecided edges lead, and the number of undecided edges beyond the frontier.
        complete: whether all vertices have entered, so that a cycle may close.
    """

    place: int
    entering: list[int]
    orbits: list[list[Edge]]
    supply: list[int]
    later: list[tuple[int, list[int], int]]
    complete: bool


def cycles_again(neighbours: Sequence[set[int]], order: Sequence[int], image: Sequence[int]) -> int:
    """Count the Hamiltonian cycles that a symmetry maps to themselves.

    A state is a row with one entry per place. The entry of a vertex on the frontier is the place of the other
    end of its path, its own place if it has no edge, or `done` if it has two. Free places are `done`.

    Args:
        neighbours: the neighbours of each vertex.
        order: all vertices, in the order in which they are taken. Any order gives the same number.
        image: images of all vertices under the symmetry, by vertex. The identity counts all cycles.

    Raises:
        AssertionError: a vertex is missing in the order, or the symmetry does not map edges to edges.
    """
    stages, width = _stages(neighbours, order, image)
    code, done = ("B", 255) if width < 255 else ("L", 2**32 - 1)
    states, cycles = {array(code, [done] * width).tobytes(): 1}, 0
    for stage in stages:
        assert_time("tours were counted again")
        new: dict[bytes, int] = {}
        for key, ways in states.items():
            row = array(code, key)
            for place in stage.entering:
                row[place] = place
            for chosen in _choices(row, stage, done):
                if chosen is None:
                    cycles += ways
                else:
                    chosen_key = chosen.tobytes()
                    new[chosen_key] = new.get(chosen_key, 0) + ways
        states = new
    return cycles


def _stages(
    neighbours: Sequence[set[int]], order: Sequence[int], image: Sequence[int]
) -> tuple[list[_Stage], int]:
    """Return the stages, and the number of places of a row."""
    if sorted(order) != list(range(len(neighbours))):
        raise AssertionError("the order does not contain every vertex once")
    remaining, entered = set(order), set[int]()
    places: dict[int, int] = {}
    free: list[int] = []
    width, stages = 0, []
    for vertex in order:
        if vertex not in remaining:
            continue
        # Every edge at an image of the vertex belongs to the orbit of an edge at the vertex.
        leaving = {vertex}
        while (next_image := {image[v] for v in leaving}) - leaving:
            leaving |= next_image
        orbits = dict.fromkeys(
            _orbit(neighbours, image, vertex, w) for w in sorted(neighbours[vertex] & remaining)
        )
        touched = leaving.union(*(edge for orbit in orbits for edge in orbit))
        entering = sorted(touched - places.keys())
        for v in entering:
            if not free:
                free.append(width)
                width += 1
            places[v] = free.pop()
        entered |= touched
        remaining -= leaving
        later = []
        for v in sorted(touched & remaining):
            ahead = neighbours[v] & remaining
            on_frontier = [places[w] for w in ahead if w in places]
            later.append((places[v], on_frontier, len(ahead) - len(on_frontier)))
        at_vertex = [sum(vertex in edge for edge in orbit) for orbit in orbits]
        stages.append(
            _Stage(
                places[vertex],
                [places[v] for v in entering],
                [[(places[a], places[b]) for a, b in orbit] for orbit in orbits],
                [sum(at_vertex[i:]) for i in range(len(orbits) + 1)],
                later,
                len(entered) == len(neighbours),
            )
        )
        free += [places.pop(v) for v in leaving]
    return stages, width


def _orbit(neighbours: Sequence[set[int]], image: Sequence[int], a: int, b: int) -> tuple[Edge, ...]:
    """Return the images of an edge under all powers of the symmetry, in ascending order."""
    orbit: set[Edge] = set()
    while (edge := (min(a, b), max(a, b))) not in orbit:
        if b not in neighbours[a]:
            raise AssertionError(f"the symmetry maps an edge to {a}-{b}, which is not an edge")
        orbit.add(edge)
        a, b = image[a], image[b]
    return tuple(sorted(orbit))


def _choices(row: array[int], stage: _Stage, done: int) -> Iterator[array[int] | None]:
    """Yield the row after each possible choice of orbits; None if the choice completes a cycle."""
    vertex, supply = stage.place, stage.supply
    stack = [(row, 0)]
    while stack:
        row, i = stack.pop()
        missing = 0 if row[vertex] == done else 2 if row[vertex] == vertex else 1
        if not missing:  # the vertex has two edges: none of the other orbits
            if _has_options(row, stage, done):
                yield row
            continue
        if missing <= supply[i]:  # with the next orbit, and without it
            linked = row[:]
            closed = _link(linked, stage.orbits[i], done)
            if closed == 0:
                stack.append((linked, i + 1))
            elif closed > 0 and stage.complete and all(entry == done for entry in linked):
                yield None
            if missing <= supply[i + 1]:
                stack.append((row, i + 1))


def _link(row: array[int], orbit: list[Edge], done: int) -> int:
    """Add the edges of an orbit to a row, in place.

    Returns:
        0 if all edges extend or join paths, 1 if the last edge closes a cycle, -1 if that is impossible.
    """
    for i, (a, b) in enumerate(orbit, 1):
        x, y = row[a], row[b]
        if x == done or y == done:
            return -1
        if x == b:  # the edge joins the two ends of one path
            row[a] = row[b] = done
            return 1 if i == len(orbit) else -1
        # An end of the edge becomes an inner vertex of the joined path, unless it had no edge.
        if x != a:
            row[a] = done
        if y != b:
            row[b] = done
        row[x], row[y] = y, x
    return 0


def _has_options(row: array[int], stage: _Stage, done: int) -> bool:
    """Whether every vertex can still get its missing edges, from neighbours that have fewer than two."""
    for place, on_frontier, beyond in stage.later:
        if (entry := row[place]) == done:
            continue
        missing = (2 if entry == place else 1) - beyond
        for neighbour in on_frontier:
            if missing <= 0:
                break
            missing -= row[neighbour] != done
        if missing > 0:
            return False
    return True
