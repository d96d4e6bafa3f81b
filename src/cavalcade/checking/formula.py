"""The formulas of SAT proofs, built by the checker from the description of the certificate format alone.

`answers.certificate` has the description. The engines that find proofs have their own encoder. The encoders
share no code, so the checker rejects a proof if either has an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np

from cavalcade.answers.certificate import SatProof
from cavalcade.checking.constraints import moves_left
from cavalcade.checking.geometry import Ints, ascending
from cavalcade.ground.errors import FormatError
from cavalcade.question.question import Question

Clause = tuple[int, ...]
Formula = tuple[int, list[Clause]]  # the number of variables, and the clauses
Events = Sequence[Sequence[Clause]]  # the clauses of each event; they hold unless it happens

FEW = 9  # edges of a vertex up to which no counter is used, a part of the certificate format


def formula(
    size: int, edges: Ints, proof: SatProof, image: Ints | None = None, events: Events = ()
) -> Formula:
    """The formula that a SAT proof refutes: a graph has a closed tour. The clauses of cuts come last.

    Args:
        size: the number of vertices.
        edges: all edges (a, b), a < b, in ascending order.
        proof: the cuts, the bound, and the vertices of the proof; its lines are not used.
        image: the image of each vertex under a required symmetry.
        events: the clauses of each event that a bound counts, from `events.events_of`.

    Raises:
        FormatError: the arguments do not fit the graph or each other.
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
    # Exactly two edges at every vertex.
    half_edges = np.argsort(edges.ravel(), kind="stable")
    ends = edges.ravel()[half_edges]
    first, last = (np.searchsorted(ends, vertices, side=side).tolist() for side in ("left", "right"))
    numbers = (half_edges // 2 + 1).tolist()
    for i, j in zip(first, last, strict=True):
        used = numbers[i:j]
        if len(used) <= FEW:
            clauses += combinations(used, max(len(used) - 1, 0))
            clauses += combinations([-variable for variable in used], 3)
        else:
            clauses += counter(used, variables)
            variables += 2 * len(used) - 3
    if image is not None:
        # An edge is used if and only if its image is.
        ends = np.sort(image[edges], axis=1)
        images = np.searchsorted(edges[:, 0] * size + edges[:, 1], ends[:, 0] * size + ends[:, 1]) + 1
        for edge, edge_image in enumerate(images.tolist(), 1):
            clauses += [(-edge, edge_image), (edge, -edge_image)] if edge != edge_image else []
    if most is not None:
        # At most `most` events happen.
        for event, unless in enumerate(events, variables + 1):
            clauses += [(*clause, event) for clause in unless]
        happened = list(range(variables + 1, variables + len(events) + 1))
        outputs, variables = totalizer(happened, most + 1, variables + len(events), clauses)
        clauses += [(-output,) for output in outputs[most : most + 1]]
    for cut in proof.cuts:
        inside[list(cut)] = True
        clauses.append(tuple((np.flatnonzero(inside[edges[:, 0]] != inside[edges[:, 1]]) + 1).tolist()))
        inside[list(cut)] = False
    return variables, clauses


def counter(used: list[int], last: int) -> Iterator[Clause]:
    """Yield the clauses of a sequential counter: exactly two of the edges of a vertex are used.

    Args:
        used: the variables of the edges, in ascending order.
        last: the largest variable in use; the counter adds 2d - 3 variables for d edges.
    """
    d = len(used)
    # once[i]: at least one of the first i edges is used; twice[i]: at least two are.
    once = {1: used[0]} | {i: last + i - 1 for i in range(2, d)}
    twice = {i: last + d - 3 + i for i in range(2, d + 1)}
    for i in range(2, d + 1):
        edge = used[i - 1]
        if i < d:
            yield from ((-once[i - 1], once[i]), (-edge, once[i]), (-once[i], once[i - 1], edge))
        twice_before = (twice[i - 1],) if i > 2 else ()
        for before in twice_before:  # two earlier edges rule this edge out
            yield from ((-before, twice[i]), (-before, -edge))
        yield -once[i - 1], -edge, twice[i]
        yield -twice[i], *twice_before, once[i - 1]
        yield -twice[i], *twice_before, edge
    yield (twice[d],)


def totalizer(counted: list[int], enough: int, last: int, clauses: list[Clause]) -> tuple[list[int], int]:
    """Append the clauses of a totalizer to `clauses`.

    Args:
        counted: the variables to count.
        enough: the largest number of outputs.
        last: the largest variable in use.
        clauses: the clauses of the formula.

    Returns:
        The outputs, and the largest variable in use. The first i outputs are true if i of `counted` are.
    """
    if len(counted) < 2:
        return counted, last
    half = len(counted) // 2
    low, last = totalizer(counted[:half], enough, last, clauses)
    high, last = totalizer(counted[half:], enough, last, clauses)
    outputs = [last + i for i in range(1, min(len(counted), enough) + 1)]
    for i in range(len(low) + 1):
        for j in range(len(high) + 1):
            if i + j:
                premises = [-low[i - 1]] * (i > 0) + [-high[j - 1]] * (j > 0)
                clauses.append((*premises, outputs[min(i + j, len(outputs)) - 1]))
    return outputs, last + len(outputs)


# ---- cells at steps


def positions(question: Question) -> Formula:
    """The formula that a proof by positions refutes: every cell has a step."""
    n = question.board.size
    cells, steps = range(n), range(1, n + 1)
    neighbours: list[set[int]] = [set() for _ in cells]
    for a, b in moves_left(question).tolist():
        neighbours[a].add(b)
        neighbours[b].add(a)
    cyclic = question.closed and n >= 3

    def variable(cell: int, step: int) -> int:
        return cell * n + step

    def moves(steps: Iterable[int], shift: int) -> Iterator[Clause]:
        """Clauses: `shift` steps after each of the given steps, the tour is a move away."""
        for c in cells:
            for t in steps:
                yield -variable(c, t), *(variable(d, t + shift) for d in sorted(neighbours[c]))

    def adjacent(step: int) -> list[int]:
        """The steps before and after a step."""
        if cyclic:
            return [step - 1 or n, step + 1 if step < n else 1]
        return [t for t in (step - 1, step + 1) if t in steps]

    return n * n, [
        *(tuple(variable(c, t) for t in steps) for c in cells),
        *(tuple(variable(c, t) for c in cells) for t in steps),
        *((-variable(c, s), -variable(c, t)) for c in cells for s, t in combinations(steps, 2)),
        *((-variable(c, t), -variable(d, t)) for t in steps for c, d in combinations(cells, 2)),
        *moves(steps[:-1], 1),
        *moves(steps[1:], -1),
        *(moves([n], 1 - n) if cyclic else ()),
        *(moves([1], n - 1) if cyclic else ()),
        *((variable(c, t),) for t, c in question.given.items()),
        *(
            (-variable(a, t), *(variable(b, s) for s in adjacent(t)))
            for a, b in question.required
            for t in steps
        ),
        *(
            (-variable(a, t), -variable(b, s))
            for a, b in pairwise(question.through)
            for t in steps
            for s in range(1, t)
        ),
    ]
