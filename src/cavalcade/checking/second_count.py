"""The second program for small counts: Hamiltonian cycles by states in a dictionary, in plain Python.

`recount` repeats large counts in compiled code. While that code loads, this module counts ten thousand
states. It also counts the cycles that a symmetry maps to themselves. The searches of `states` share no code
with it.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

from cavalcade.ground.budget import assert_time

Edge = tuple[int, int]


class _Stage(NamedTuple):
    """A vertex to take, and the orbits of edges that are decided with it.

    Attributes:
        place: place of the vertex in a row.
        entering: places of the vertices that enter the frontier.
        orbits: sets of edges, as pairs of places, and the number of edges at the vertex in each set; a cycle
            contains all edges of an orbit or none.
        later: for each vertex with decided edges and at most one undecided edge beyond the frontier: its
            place, the places of the vertices on the frontier to which undecided edges lead, and the number of
            undecided edges beyond the frontier.
        complete: whether all vertices have entered, so that a cycle may close.
    """

    place: int
    entering: list[int]
    orbits: list[tuple[list[Edge], int]]
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
            successors, closed = _successors(row, stage, done)
            cycles += closed * ways
            for successor in successors:
                if _has_options(successor, stage, done):
                    new_key = successor.tobytes()
                    new[new_key] = new.get(new_key, 0) + ways
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
            if (beyond := len(ahead) - len(on_frontier)) < 2:
                later.append((places[v], on_frontier, beyond))
        stages.append(
            _Stage(
                places[vertex],
                [places[v] for v in entering],
                [
                    ([(places[a], places[b]) for a, b in orbit], sum(vertex in edge for edge in orbit))
                    for orbit in orbits
                ],
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


def _successors(row: array[int], stage: _Stage, done: int) -> tuple[list[array[int]], int]:
    """Return the rows after each possible choice of orbits, and how many choices complete a cycle."""
    missing = 0 if row[stage.place] == done else 2 if row[stage.place] == stage.place else 1
    if not missing:  # the vertex has two edges: none of the orbits
        return [row], 0
    successors, cycles = [], 0
    for i, (orbit, edges) in enumerate(stage.orbits):
        linked = row[:]
        closed = _link(linked, orbit, done)
        if closed == 0 and edges == missing:
            successors.append(linked)
        elif closed == 0:  # the vertex needs one more edge
            for second_orbit, second_edges in stage.orbits[i + 1 :]:
                with_two = linked[:]
                if second_edges == 1 and (closed := _link(with_two, second_orbit, done)) == 0:
                    successors.append(with_two)
                elif second_edges == 1 and closed == 1:
                    cycles += stage.complete and all(entry == done for entry in with_two)
        elif closed == 1:
            cycles += stage.complete and all(entry == done for entry in linked)
    return successors, cycles


def _link(row: array[int], orbit: list[Edge], done: int) -> int:
    """Add the edges of an orbit to a row, in place.

    Returns:
        0 if all edges extend or join paths, 1 if the last edge closes a cycle, -1 if that is impossible.
    """
    closed = 0
    for a, b in orbit:
        x, y = row[a], row[b]
        if closed or x == done or y == done:
            return -1
        if x == b:  # the edge joins the two ends of one path
            row[a] = row[b] = done
            closed = 1
            continue
        # An end of the edge becomes an inner vertex of the joined path, unless it had no edge.
        if x != a:
            row[a] = done
        if y != b:
            row[b] = done
        row[x], row[y] = y, x
    return closed


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
