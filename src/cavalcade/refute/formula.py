"""The formula whose solutions are cycle covers, and what bounds their turns and the like, for a SAT solver.

A bound has a variable for each event that may happen, and a totalizer that counts them in unary (Bailleux &
Boufkhad 2003). `answers.certificate` says what the clauses are. The checker builds them anew, by code of its
own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, combinations, pairwise
from math import comb, gcd
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cavalcade.ground.arrays import distinct
from cavalcade.ground.kernels import Cells, without_collecting
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from cavalcade.refute.cadical import Cadical

    Clause: TypeAlias = list[int]
    Event: TypeAlias = list[Clause]  # clauses, one of which is false only if the event happens

Edges: TypeAlias = "NDArray[np.integer[Any]]"
FEW, PASS = 8, 500  # vertices looked at one by one as fast as all edges at once, and one for so many edges
BLOCK = 2_000  # vertices whose clauses are made at a time
PLAIN = 9  # degrees up to which `exactly two` needs no further variables


class Formula:
    """What a proof is about: exactly two edges at every vertex, and some edge out of every cut.

    Args:
        size: the number of vertices; if the proof is about some alone, of those, which come first.
        edges: all edges (a, b), a < b, in ascending order; those with an end among the first `size`.
    """

    @without_collecting()
    def __init__(self, size: int, edges: Edges) -> None:
        self.size = size
        self.cuts: dict[tuple[int, ...], None] = {}  # in the order in which they were found
        self.edges: list[list[int]] = edges.tolist()
        self.ends = np.ascontiguousarray(edges.T, dtype=np.intp)
        self.vertices = max(size, int(self.ends.max(initial=0)) + 1)
        order = np.argsort(edges, axis=None, kind="stable")
        self.begins = np.searchsorted(edges.ravel()[order], np.arange(size + 1))
        self.at = order[: self.begins[-1]] // 2 + 1  # the edges of every vertex, one after the other
        at = self.at.tolist()
        self.rows: list[list[int]] = [at[i:j] for i, j in pairwise(self.begins.tolist())]
        degrees = np.diff(self.begins)
        self.variables = len(self.edges) + int((2 * degrees - 3)[degrees > PLAIN].sum())

    def degrees(self, *, simplified: bool = False) -> Iterator[Sequence[int]]:
        """The clauses that give every vertex exactly two edges.

        Simplified, the edges of vertices with two are stated to be used, and the clauses of other vertices
        are about the rest. What follows from these by unit propagation also follows from the others.
        """
        degrees, used = np.diff(self.begins), np.zeros(len(self.edges) + 1, dtype=np.bool_)
        few = degrees <= PLAIN
        if simplified:
            twos = self.begins[:-1][degrees == 2]
            used[self.at[[twos, twos + 1]]] = True
            few &= degrees != 2
        yield from ([k] for k in np.flatnonzero(used).tolist())
        free = len(self.edges) + 1
        for first in range(0, self.size, BLOCK):
            here = degrees[first : first + BLOCK]
            clauses: list[Iterable[Sequence[int]]] = [()] * len(here)
            for degree in distinct(here[few[first : first + BLOCK]]).tolist():
                which = np.flatnonzero(here == degree)
                rows = self.at[self.begins[first + which][:, None] + np.arange(degree)]
                known = used[rows]
                one = known.sum(axis=1) == 1
                rest = rows[one][~known[one]].reshape(np.count_nonzero(one), max(degree - 1, 0))
                for some, left, many in ((which[one], rest, 1), (which[~one], rows[~one], 2)):
                    for i, stated in zip(some.tolist(), _exactly(many, left), strict=True):
                        clauses[i] = stated
            for i in np.flatnonzero(here > PLAIN).tolist():
                clauses[i] = _counter(self.rows[first + i], free)
                free += 2 * int(here[i]) - 3
            yield from chain.from_iterable(clauses)

    def symmetric(self, image: Cells) -> Iterator[Sequence[int]]:
        """The clauses of a symmetry of the tours: an edge is used if its image is."""
        number = {(a, b): k for k, (a, b) in enumerate(self.edges, 1)}
        for k, (a, b) in enumerate(self.edges, 1):
            c, d = int(image[a]), int(image[b])
            other = number[min(c, d), max(c, d)]
            if other != k:
                yield from ((-k, other), (k, -other))

    @without_collecting()
    def stated(self, question: Question | None = None, *, seed: int = 0, with_proof: bool = True) -> Cadical:
        """A solver that has the formula, with the symmetry of a question."""
        from cavalcade.refute.cadical import Cadical

        solver = Cadical(seed=seed, with_proof=with_proof)
        solver.state(self.degrees(simplified=True))
        if question is not None and question.symmetry is not None:
            solver.state(self.symmetric(question.encoding.image(question.symmetry.cells)))
        return solver

    def cut_off(
        self, solver: Cadical, cycle: Collection[int], size: int | None = None, *, again: bool = False
    ) -> None:
        """Forbid a cycle: some edge leaves its vertices.

        Args:
            solver: of the formula.
            cycle: the vertices.
            size: of the graph, if the same edges leave all others: they are the cut where they are fewer.
            again: state a cut that is known, to another solver.
        """
        if size is not None and 2 * len(cycle) > size:
            outside = np.ones(size, dtype=np.bool_)
            outside[list(cycle)] = False
            cut = tuple(np.flatnonzero(outside).tolist())
        else:
            cut = tuple(sorted(cycle))
        if again or cut not in self.cuts:
            self.cuts[cut] = None
            solver.add_clause(self.cut(cut))

    def cut(self, cells: Iterable[int]) -> list[int]:
        """The clause of a cut: some edge leaves these vertices."""
        cells = list(cells)
        if len(cells) <= FEW + len(self.edges) // PASS:
            inside = set(cells)
            return [k for cell in inside for k in self.rows[cell] if not inside.issuperset(self.edges[k - 1])]
        among = np.zeros(self.vertices, dtype=np.bool_)
        among[cells] = True
        one, other = among[self.ends]
        return (np.flatnonzero(one != other) + 1).tolist()


def _exactly(many: int, rows: Edges) -> list[list[list[int]]]:
    """Of each row of edges the clauses that so many are used."""
    degree = rows.shape[1]
    least, most = (_subsets(degree, k) for k in (max(degree - many + 1, 0), many + 1))
    both = zip(rows[:, least].tolist(), (-rows[:, most]).tolist(), strict=True)
    return [one + other for one, other in both]


@cache
def _subsets(n: int, k: int) -> NDArray[np.int64]:
    """All choices of k of n places, in order: an array of shape (count, k)."""
    return np.array([*combinations(range(n), k)], dtype=np.int64).reshape(comb(n, k), k)


def _counter(row: list[int], free: int) -> Iterator[list[int]]:
    """Exactly two of a vertex's edges, by a sequential counter; its variables are numbered from `free`."""
    one = [row[0], *range(free, free + len(row) - 2)]
    two = [0, *range(free + len(row) - 2, free + 2 * len(row) - 3)]
    for i, k in enumerate(row[1:], 1):
        if i < len(one):
            yield from ([-one[i - 1], one[i]], [-k, one[i]], [-one[i], one[i - 1], k])
        before = [two[i - 1]] if i > 1 else []
        yield from ([-k, -other] for other in before)
        yield from ([-other, two[i]] for other in before)
        yield from ([-one[i - 1], -k, two[i]], [-two[i], *before, one[i - 1]], [-two[i], *before, k])
    yield [two[-1]]


def edges_of(graph: MoveGraph) -> Edges:
    """The edges of a graph in the order that numbers the variables."""
    edges = graph.edges()
    return np.asarray(edges[np.lexsort((edges[:, 1], edges[:, 0]))])


# ---- turns and crossings


def events(question: Question, formula: Formula, what: str) -> list[Event]:
    """What a tour may do and should do rarely.

    Args:
        question: the question.
        formula: the formula of its graph.
        what: one of `question.statement.MEASURES`.
    """
    coords: list[list[int]] = question.board.coords.tolist()
    if what == "turns":
        return _turns(coords, formula)
    if what == "crossings":
        return list(_crossings(coords, formula))
    return _angles(coords, formula, what, hexagonal=question.board.family.hexagonal)


def _turns(coords: list[list[int]], formula: Formula) -> list[Event]:
    """Every cell: an edge is used, and none that goes straight on."""
    found = []
    for cell, row in enumerate(formula.rows[: len(coords)]):
        towards = defaultdict(list)  # the edges in each direction; those to no cell in direction ()
        for k in row:
            other = sum(formula.edges[k - 1]) - cell
            step = (
                [b - a for a, b in zip(coords[cell], coords[other], strict=True)]
                if other < len(coords)
                else []
            )
            towards[tuple(x // gcd(*step) for x in step)].append(k)
        ends = towards.pop((), [])
        ahead = {k: towards.get(tuple(-x for x in way), []) for way, some in towards.items() for k in some}
        found.append([[-k, *ahead[k], *ends] for k in sorted(ahead)])
    return found


def _angles(coords: list[list[int]], formula: Formula, what: str, *, hexagonal: bool) -> list[Event]:
    """Every cell: two edges are used whose angle is of the kind; on hexagons axes meet at 60 degrees."""
    found = []
    for cell, row in enumerate(formula.rows[: len(coords)]):
        others = {k: sum(formula.edges[k - 1]) - cell for k in row}
        inner = [k for k in row if others[k] < len(coords)]
        away = np.array([coords[others[k]] for k in inner]).reshape(-1, len(coords[0])) - coords[cell]
        dots = 2 * away @ away.T
        if hexagonal:
            dots += away @ away[:, ::-1].T
        kind = {"acute angles": dots > 0, "right angles": dots == 0, "obtuse angles": dots < 0}
        pairs = np.argwhere(np.triu(kind[what], 1)).tolist()
        found.append([[-inner[i], -inner[j]] for i, j in pairs])
    return found


def _crossings(coords: list[list[int]], formula: Formula) -> Iterator[Event]:
    """Every two edges p + s u and q + t v with 0 < s < 1 and 0 < t < 1 at one point."""
    inner = [k for k, edge in enumerate(formula.edges, 1) if edge[1] < len(coords)]
    if not inner:
        return
    at = np.array([[coords[end] for end in formula.edges[k - 1]] for k in inner])
    p, u = at[:, 0], at[:, 1] - at[:, 0]
    for i, k in enumerate(inner):
        away, v = p[i + 1 :] - p[i], u[i + 1 :]
        whole = u[i, 0] * v[:, 1] - u[i, 1] * v[:, 0]
        s = (away[:, 0] * v[:, 1] - away[:, 1] * v[:, 0]) * np.sign(whole)
        t = (away[:, 0] * u[i, 1] - away[:, 1] * u[i, 0]) * np.sign(whole)
        inside = (s > 0) & (s < abs(whole)) & (t > 0) & (t < abs(whole))
        yield from ([[-k, -inner[i + 1 + j]]] for j in np.flatnonzero(inside).tolist())


def happened(found: list[Event], used: set[int]) -> int:
    """How many of the events happen when these edges are used and no others."""
    return sum(
        any(not any((x > 0) == (abs(x) in used) for x in clause) for clause in event) for event in found
    )


def counted(found: list[Event], most: int, free: int) -> tuple[list[Clause], range]:
    """Clauses that count the events up to `most` + 1, and the outputs: the first i are true if i happen.

    New variables begin with `free`.
    """
    clauses = [[*clause, one] for one, event in enumerate(found, free) for clause in event]
    last = free + len(found)

    def outputs(given: range) -> range:
        """The variables of which as many are true, from the first on, as of the given ones."""
        nonlocal last
        if len(given) < 2:
            return given
        one, other = outputs(given[: len(given) // 2]), outputs(given[len(given) // 2 :])
        total = range(last, last + min(len(given), most + 1))
        last = total.stop
        for i, x in enumerate([0, *one]):
            for j, y in enumerate([0, *other]):
                if x or y:
                    reached = total[min(i + j, len(total)) - 1]
                    clauses.append([reached, *(-variable for variable in (x, y) if variable)])
        return total

    return clauses, outputs(range(free, last))
