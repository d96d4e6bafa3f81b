"""The formula of a SAT proof, as the checker builds it: from the words of the certificate format alone.

`answers.certificate` has these words. What finds proofs has an encoder of its own; the two share nothing, so
that an error in either makes the other refuse.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.checking.geometry import ascending
from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cavalcade.answers.certificate import SatProof
    from cavalcade.checking.geometry import Ints

    Clause = tuple[int, ...]
    Formula = tuple[int, list[Clause]]  # how many variables, and the clauses
    Events = Sequence[Sequence[Clause]]  # of each event the clauses that hold unless it happens

FEW = 9  # up to so many edges a vertex needs no further variables


def of_proof(
    size: int, edges: Ints, proof: SatProof, image: Ints | None = None, events: Events = ()
) -> Formula:
    """The formula that a proof refutes: that a graph has a closed tour.

    Args:
        size: the number of vertices.
        edges: all edges (a, b), a < b, in ascending order.
        proof: the cuts, the bound, and the vertices that it speaks of; its lines are not looked at.
        image: where a symmetry that keeps the tours takes each vertex.
        events: what a proof with a bound counts, of `events.events_of`.

    Raises:
        FormatError: these do not fit the graph, or one another.
    """
    for k, cells in enumerate(proof.cuts, 1):
        if not 0 < len(set(cells)) < size or not all(0 <= cell < size for cell in cells):
            raise FormatError(f"cut {k} is not a set of some of its {size} cells, but not of all")
    if image is not None and not np.array_equal(ascending(image[edges], size), edges):
        raise FormatError("its symmetry does not map the graph to itself")
    if proof.cells is None:
        most = None if proof.at_most is None else proof.at_most.most
        return formula(size, edges, proof.cuts, image, events, most)
    if len(set(proof.cells)) < len(proof.cells) or not all(0 <= cell < size for cell in proof.cells):
        raise FormatError(f"it does not speak of a set of its {size} cells")
    if image is not None or proof.at_most is not None:
        raise FormatError("a proof about some cells alone supports no symmetry and no bound")
    for k, cells in enumerate(proof.cuts, 1):
        if not set(cells) <= set(proof.cells):
            raise FormatError(f"cut {k} has cells of which the proof does not speak")
    inside = np.zeros(size, dtype=np.bool_)
    inside[list(proof.cells)] = True
    return formula(size, edges[inside[edges].any(axis=1)], proof.cuts, alone=sorted(proof.cells))


def formula(
    size: int,
    edges: Ints,
    cuts: Iterable[Iterable[int]],
    image: Ints | None = None,
    events: Events = (),
    most: int | None = None,
    alone: Iterable[int] | None = None,
) -> Formula:
    """How many variables there are, and all clauses, those of the cuts last.

    Args:
        size: the number of vertices.
        edges: all edges (a, b), a < b, in ascending order.
        cuts: sets of vertices.
        image: where a symmetry that keeps the tours takes each vertex.
        events: what is counted: of each event the clauses that hold unless it happens.
        most: how many of the events may happen, if they are counted.
        alone: the only vertices that have two edges, in ascending order; None for all. Each edge has an end
            among them.
    """
    clauses: list[Clause] = []
    variables = len(edges)
    at = np.argsort(edges.ravel(), kind="stable")
    ends, vertices = edges.ravel()[at], np.arange(size) if alone is None else np.array(list(alone), dtype=int)
    first, last = (np.searchsorted(ends, vertices, side=side).tolist() for side in ("left", "right"))
    for i, j in zip(first, last, strict=True):
        used = (at[i:j] // 2 + 1).tolist()
        if len(used) <= FEW:
            clauses += combinations(used, max(len(used) - 1, 0))
            clauses += combinations([-variable for variable in used], 3)
        else:
            clauses += _counter(used, variables)
            variables += 2 * len(used) - 3
    if image is not None:
        ends = np.sort(image[edges], axis=1)
        other = np.searchsorted(edges[:, 0] * size + edges[:, 1], ends[:, 0] * size + ends[:, 1]) + 1
        for used, kept in enumerate(other.tolist(), 1):
            clauses += [(-used, kept), (used, -kept)] if used != kept else []
    if most is not None:
        for event, unless in enumerate(events, variables + 1):
            clauses += [(*clause, event) for clause in unless]
        happened = list(range(variables + 1, variables + len(events) + 1))
        outputs, variables = _totalizer(happened, most + 1, variables + len(events), clauses)
        clauses += [(-output,) for output in outputs[most : most + 1]]
    inside = np.zeros(size, dtype=np.bool_)
    for cut in cuts:
        inside[list(cut)] = True
        clauses.append(tuple((np.flatnonzero(inside[edges[:, 0]] != inside[edges[:, 1]]) + 1).tolist()))
        inside[list(cut)] = False
    return variables, clauses


def _counter(used: list[int], last: int) -> Iterator[Clause]:
    """Exactly two of a vertex's edges; `last` is the last variable that is taken already."""
    d = len(used)
    one = {1: used[0]} | {i: last + i - 1 for i in range(2, d)}
    two = {i: last + d - 3 + i for i in range(2, d + 1)}
    for i in range(2, d + 1):
        edge = used[i - 1]
        if i < d:  # one[i] is one[i - 1] or the edge
            yield from ((-one[i - 1], one[i]), (-edge, one[i]), (-one[i], one[i - 1], edge))
        two_before = (two[i - 1],) if i > 2 else ()
        for before in two_before:  # two[i] follows from two[i - 1], which rules the edge out
            yield from ((-before, two[i]), (-before, -edge))
        yield -one[i - 1], -edge, two[i]
        yield -two[i], *two_before, one[i - 1]
        yield -two[i], *two_before, edge
    yield (two[d],)


def _totalizer(counted: list[int], enough: int, last: int, clauses: list[Clause]) -> tuple[list[int], int]:
    """Outputs, of which i are true if i of these are, up to `enough`; and the last variable taken."""
    if len(counted) < 2:
        return counted, last
    half = len(counted) // 2
    low, last = _totalizer(counted[:half], enough, last, clauses)
    high, last = _totalizer(counted[half:], enough, last, clauses)
    outputs = [last + i for i in range(1, min(len(counted), enough) + 1)]
    for i in range(len(low) + 1):
        for j in range(len(high) + 1):
            if i + j:
                given = [-low[i - 1]] * (i > 0) + [-high[j - 1]] * (j > 0)
                clauses.append((*given, outputs[min(i + j, len(outputs)) - 1]))
    return outputs, last + len(outputs)
