"""The formula whose solutions are cycle covers, and bounds on their turns, crossings or angles.

A bound has a variable for each event that can happen, and a totalizer that counts the events in unary
(Bailleux & Boufkhad 2003). `answers.certificate` specifies the clauses. The checker has separate code to
build them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, combinations, compress, pairwise
from math import comb
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.certificate import SatProof
from cavalcade.answers.measures.crossings import moves_cross
from cavalcade.ground.arrays import distinct
from cavalcade.ground.kernels import Cells, Ints, without_collecting
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from cavalcade.refute.cadical import Cadical

    Clause: TypeAlias = list[int]
    Event: TypeAlias = list[Clause]  # clauses, one of which is false only if the event happens

Edges: TypeAlias = "NDArray[np.integer[Any]]"
BLOCK = 2_000  # vertices whose clauses are made at a time: bounds the memory for clauses as lists, to 20 MB
PLAIN = 9  # largest degree whose clauses need no extra variables: part of the format of proofs


class Formula:
    """The clauses of a proof: exactly two edges at every vertex, and at least one edge out of every cut.

    Args:
        size: number of vertices with two edges. If the proof is about a part of the graph, the vertices of
            the part are numbered first.
        edges: the edges (a, b), a < b, with an end among the first `size` vertices, in ascending order.

    Attributes:
        cuts: the sets of vertices whose cuts have been stated, in the order in which they were found.
        begins: offsets of the edges of each vertex in `incident`.
        incident: numbers of the edges of all vertices, from 1.
        rows: numbers of the edges of each vertex, as lists.
        variables: number of variables of the formula.
    """

    @without_collecting()
    def __init__(self, size: int, edges: Edges) -> None:
        self.size = size
        self.cuts: dict[tuple[int, ...], None] = {}
        self.edges: list[list[int]] = edges.tolist()
        order = np.argsort(edges, axis=None, kind="stable")
        self.begins = np.searchsorted(edges.ravel()[order], np.arange(size + 1))
        self.incident = order[: self.begins[-1]] // 2 + 1
        numbers = self.incident.tolist()
        self.rows: list[list[int]] = [numbers[i:j] for i, j in pairwise(self.begins.tolist())]
        degrees = np.diff(self.begins)
        self.variables = len(self.edges) + int((2 * degrees - 3)[degrees > PLAIN].sum())

    def degrees(self) -> Iterator[Sequence[int]]:
        """The clauses that give every vertex exactly two edges, in the order of the certificate."""
        degrees = np.diff(self.begins)
        next_variable = len(self.edges) + 1
        for first in range(0, self.size, BLOCK):
            block = degrees[first : first + BLOCK]
            clauses: list[Iterable[Sequence[int]]] = [()] * len(block)
            # Build the clauses of all vertices of one degree at a time.
            for degree in distinct(block[block <= PLAIN]).tolist():
                vertices = np.flatnonzero(block == degree)
                rows = self.incident[self.begins[first + vertices][:, None] + np.arange(degree)]
                for i, vertex_clauses in zip(vertices.tolist(), _exactly_two(rows), strict=True):
                    clauses[i] = vertex_clauses
            for i in np.flatnonzero(block > PLAIN).tolist():
                clauses[i] = counter(self.rows[first + i], next_variable)
                next_variable += 2 * int(block[i]) - 3
            yield from chain.from_iterable(clauses)

    def symmetric(self, image: Cells) -> Iterator[Sequence[int]]:
        """The clauses of a symmetry of the tours: an edge is used if and only if its image is used."""
        number = {(a, b): k for k, (a, b) in enumerate(self.edges, 1)}
        for k, (a, b) in enumerate(self.edges, 1):
            c, d = int(image[a]), int(image[b])
            other = number[min(c, d), max(c, d)]
            if other != k:
                yield from ((-k, other), (k, -other))

    @without_collecting()
    def stated(
        self,
        question: Question | None = None,
        *,
        seed: int = 0,
        with_proof: bool = True,
        stable: bool = False,
    ) -> Cadical:
        """A solver with the formula, and with the symmetry of a question."""
        from cavalcade.refute.cadical import Cadical

        solver = Cadical(seed=seed, with_proof=with_proof, stable=stable)
        solver.state(self.degrees())
        if question is not None and question.symmetry is not None:
            solver.state(self.symmetric(question.encoding.image(question.symmetry.cells)))
        return solver

    def cut_off(
        self,
        solver: Cadical,
        cycles: Iterable[Collection[int]],
        size: int | None = None,
        *,
        again: bool = False,
    ) -> None:
        """Forbid cycles: at least one edge leaves the vertices of each.

        Args:
            solver: the solver to which the clauses are added.
            cycles: the vertices of each cycle.
            size: number of vertices of the graph, if the formula is about all of them. Then the cut of a
                cycle with more than half of the vertices is stated for the other vertices.
            again: whether to add a clause even if its cut has been stated before, to another solver.
        """
        cuts = []
        for cycle in cycles:
            if size is not None and 2 * len(cycle) > size:
                outside = np.ones(size, dtype=np.bool_)
                outside[list(cycle)] = False
                cut = tuple(np.flatnonzero(outside).tolist())
            else:
                cut = tuple(sorted(cycle))
            if again or cut not in self.cuts:
                self.cuts[cut] = None
                cuts.append(cut)
        self.state_cuts(solver, cuts)

    def state_cuts(self, solver: Cadical, cuts: Sequence[tuple[int, ...]]) -> None:
        """Add the clauses of cuts to a solver, after all other clauses."""
        solver.cuts += cuts
        solver.state(map(self.cut, cuts))

    @staticmethod
    def refutation(solver: Cadical, **about: Any) -> SatProof:
        """The proof that a solver has found, with the cuts on which it depends.

        Args:
            solver: the solver.
            about: other fields of the proof.
        """
        proof = solver.proof()
        others = solver.stated - len(solver.cuts)  # clauses before the cuts
        used = proof.stated[proof.stated >= others]
        cuts = [solver.cuts[k - others] for k in used.tolist()]
        number = {cut: k for k, cut in enumerate(dict.fromkeys(cuts), others)}
        numbers = np.append(proof.stated[: len(proof.stated) - len(used)], [number[cut] for cut in cuts])
        hints = proof.hints_in(numbers.astype(np.int64), others + len(number))
        return SatProof(tuple(number), proof.lines, hints=hints, **about)

    def cut(self, cells: Iterable[int]) -> list[int]:
        """The clause of a cut: some edge leaves these vertices."""
        leaving: set[int] = set()
        for cell in cells:  # an edge with both ends inside is added by one end and removed by the other
            leaving.symmetric_difference_update(self.rows[cell])
        return sorted(leaving)


def _exactly_two(rows: Edges) -> list[list[list[int]]]:
    """The clauses that exactly two edges of each row are used.

    They are: among any edges but one, an edge is used; among any three edges, one is not used.
    """
    degree = rows.shape[1]
    at_least, at_most = _subsets(degree, max(degree - 1, 0)), _subsets(degree, 3)
    pairs = zip(rows[:, at_least].tolist(), (-rows[:, at_most]).tolist(), strict=True)
    return [lower + upper for lower, upper in pairs]


@cache
def _subsets(n: int, k: int) -> NDArray[np.int64]:
    """All choices of k of n places, in order: an array of shape (count, k)."""
    return np.array([*combinations(range(n), k)], dtype=np.int64).reshape(comb(n, k), k)


def counter(row: list[int], free: int) -> Iterator[list[int]]:
    """Exactly two edges of a vertex, by a sequential counter.

    Args:
        row: the edges of the vertex; a variable that occurs twice counts as two edges.
        free: first of the 2 * len(row) - 3 extra variables. They mean: at least one edge up to an index is
            used; at least two are.
    """
    any_used = [row[0], *range(free, free + len(row) - 2)]
    two_used = [0, *range(free + len(row) - 2, free + 2 * len(row) - 3)]
    for i, k in enumerate(row[1:], 1):
        if i < len(any_used):
            yield from (
                [-any_used[i - 1], any_used[i]],
                [-k, any_used[i]],
                [-any_used[i], any_used[i - 1], k],
            )
        before = [two_used[i - 1]] if i > 1 else []
        for variable in before:
            yield from ([-variable, two_used[i]], [-k, -variable])
        yield [-any_used[i - 1], -k, two_used[i]]
        yield from ([-two_used[i], *before, any_used[i - 1]], [-two_used[i], *before, k])
    yield [two_used[-1]]


def edges_of(graph: MoveGraph) -> Edges:
    """The edges of a graph in the order that numbers the variables."""
    edges = graph.edges()
    return np.asarray(edges[np.lexsort((edges[:, 1], edges[:, 0]))])


# ---- turns and crossings


def events(question: Question, formula: Formula, what: str) -> list[Event]:
    """The events of a measure. An event is a list of clauses; it happens if one of them is false.

    Args:
        question: the question.
        formula: the formula of the graph of the question.
        what: one of `question.statement.MEASURES`.
    """
    coords = question.board.coords.astype(np.int64)
    if what == "crossings":
        return list(_crossings(coords, formula))
    measured = []
    for cell, row in enumerate(formula.rows[: len(coords)]):
        ends = np.array([sum(formula.edges[k - 1]) - cell for k in row], dtype=np.int64)
        inner = np.flatnonzero(ends < len(coords))
        edges, steps = [row[i] for i in inner.tolist()], coords[ends[inner]] - coords[cell]
        dots = 2 * steps @ steps.T
        if question.board.family.hexagonal:  # the axes meet at 60 degrees
            dots += steps @ steps[:, ::-1].T
        if what == "turns":
            # An edge is used, but no edge in the opposite direction, and none to an extra vertex.
            extra = [row[i] for i in np.flatnonzero(ends >= len(coords)).tolist()]
            squares = np.diagonal(dots)
            opposite = (dots < 0) & (dots**2 == squares * squares[:, None])
            measured.append(
                [[-k, *compress(edges, back), *extra] for k, back in zip(edges, opposite, strict=True)]
            )
        else:
            # Two edges at an angle of this kind are used.
            kind = {"acute angles": dots > 0, "right angles": dots == 0, "obtuse angles": dots < 0}[what]
            pairs = np.argwhere(np.triu(kind, 1)).tolist()
            measured.append([[-edges[i], -edges[j]] for i, j in pairs])
    return measured


def _crossings(coords: Ints, formula: Formula) -> Iterator[Event]:
    """A crossing for each two edges that cross: both are used."""
    inner = [k for k, edge in enumerate(formula.edges, 1) if edge[1] < len(coords)]
    p, q = coords[[formula.edges[k - 1] for k in inner]].reshape(-1, 2, 2).swapaxes(0, 1)
    block = 32  # edges that are compared with all later edges at a time: bounds the memory
    for begin in range(0, len(inner), block):
        first, later = slice(begin, begin + block), slice(begin, None)
        crossed = np.triu(moves_cross(p[first], q[first], p[later], q[later]), 1)
        yield from ([[-inner[begin + i], -inner[begin + j]]] for i, j in np.argwhere(crossed).tolist())


def happened(measured: list[Event], used: set[int]) -> int:
    """The number of events that happen if exactly these edges are used."""
    return sum(
        any(not any((x > 0) == (abs(x) in used) for x in clause) for clause in event) for event in measured
    )


def counted(measured: list[Event], most: int, free: int) -> tuple[list[Clause], range]:
    """The totalizer of some events.

    Args:
        measured: the events.
        most: the count is exact up to this number.
        free: number of the first new variable.

    Returns:
        The clauses, and the outputs, at most `most` + 1 variables: the first i are true if i events happen.
    """
    clauses = [[*clause, variable] for variable, event in enumerate(measured, free) for clause in event]
    next_variable = free + len(measured)

    def outputs(inputs: range) -> range:
        """Sort the inputs: the first i outputs are true if i inputs are."""
        nonlocal next_variable
        if len(inputs) < 2:
            return inputs
        half = len(inputs) // 2
        low, high = outputs(inputs[:half]), outputs(inputs[half:])
        total = range(next_variable, next_variable + min(len(inputs), most + 1))
        next_variable = total.stop
        for i, x in enumerate([0, *low]):
            for j, y in enumerate([0, *high]):
                if x or y:
                    output = total[min(i + j, len(total)) - 1]
                    clauses.append([output, *(-variable for variable in (x, y) if variable)])
        return total

    return clauses, outputs(range(free, next_variable))
