"""The formulas of SAT proofs, as the checker builds them: from the words of the certificate format alone.

`answers.certificate` has these words. What finds proofs has an encoder of its own; the two share nothing, so
that an error in either makes the other refuse.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np

from cavalcade.answers.certificate import SatProof
from cavalcade.checking.constraints import moves_left
from cavalcade.checking.geometry import Ints, ascending
from cavalcade.ground.errors import FormatError
from cavalcade.question.question import Question

Clause = tuple[int, ...]
Formula = tuple[int, list[Clause]]  # how many variables, and the clauses
Events = Sequence[Sequence[Clause]]  # the clauses of each event, which hold unless it happens

FEW = 9  # edges; a vertex with at most 9 needs no counter. Part of the certificate format


def formula(
    size: int, edges: Ints, proof: SatProof, image: Ints | None = None, events: Events = ()
) -> Formula:
    """The formula that a SAT proof refutes: that a graph has a closed tour; its cuts come last.

    Args:
        size: the number of vertices.
        edges: all edges (a, b), a < b, in ascending order.
        proof: the cuts, the bound, and the vertices that it speaks of; its lines are not looked at.
        image: where a symmetry that keeps the tours takes each vertex.
        events: what a proof with a bound counts, of `events.events_of`.

    Raises:
        FormatError: these do not fit the graph, or one another.
    """
    alone, most = proof.cells, None if proof.at_most is None else proof.at_most.most
    for k, cells in enumerate(proof.cuts, 1):
        if not 0 < len(set(cells)) < size or min(cells) < 0 or max(cells) >= size:
            raise FormatError(f"cut {k} is not a set of some of its {size} cells, but not of all")
        if alone is not None and not set(cells) <= set(alone):
            raise FormatError(f"cut {k} has cells of which the proof does not speak")
    if image is not None and not np.array_equal(ascending(image[edges], size), edges):
        raise FormatError("its symmetry does not map the graph to itself")
    vertices, inside = np.arange(size), np.zeros(size, dtype=np.bool_)
    if alone is not None:
        if len(set(alone)) < len(alone) or not all(0 <= cell < size for cell in alone):
            raise FormatError(f"it does not speak of a set of its {size} cells")
        if image is not None or most is not None:
            raise FormatError("a proof about some cells alone supports no symmetry and no bound")
        vertices = np.array(sorted(alone), dtype=np.int64)
        edges = edges[np.isin(edges, vertices).any(axis=1)]
    clauses: list[Clause] = []
    variables = len(edges)
    at = np.argsort(edges.ravel(), kind="stable")
    ends = edges.ravel()[at]
    first, last = (np.searchsorted(ends, vertices, side=side).tolist() for side in ("left", "right"))
    numbers = (at // 2 + 1).tolist()
    for i, j in zip(first, last, strict=True):
        used = numbers[i:j]
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
    for cut in proof.cuts:
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


# ---- cells at steps


def positions(question: Question) -> Formula:
    """The formula that a proof by positions refutes."""
    n = question.board.size
    cells, steps = range(n), range(1, n + 1)
    near: list[set[int]] = [set() for _ in cells]
    for a, b in moves_left(question).tolist():
        near[a].add(b)
        near[b].add(a)
    around = question.closed and n >= 3

    def at(cell: int, step: int) -> int:
        return cell * n + step

    def goes_on(steps: Iterable[int], by: int) -> Iterator[Clause]:
        """Clauses: `by` steps after each of these steps, the tour is a move away."""
        return ((-at(c, t), *(at(d, t + by) for d in sorted(near[c]))) for c in cells for t in steps)

    def beside(step: int) -> list[int]:
        """The steps before and after one."""
        if around:
            return [step - 1 or n, step + 1 if step < n else 1]
        return [other for other in (step - 1, step + 1) if other in steps]

    return n * n, [
        *(tuple(at(c, t) for t in steps) for c in cells),
        *(tuple(at(c, t) for c in cells) for t in steps),
        *((-at(c, s), -at(c, t)) for c in cells for s, t in combinations(steps, 2)),
        *((-at(c, t), -at(d, t)) for t in steps for c, d in combinations(cells, 2)),
        *goes_on(steps[:-1], 1),
        *goes_on(steps[1:], -1),
        *(goes_on([n], 1 - n) if around else ()),
        *(goes_on([1], n - 1) if around else ()),
        *((at(c, t),) for t, c in question.given.items()),
        *((-at(a, t), *(at(b, s) for s in beside(t))) for a, b in question.required for t in steps),
    ]
