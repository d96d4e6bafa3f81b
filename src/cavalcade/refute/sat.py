"""SAT with cut sets: a tour, or a refutation that anyone can check.

The formula (`formula`) knows edges, two at a vertex, and a few cuts. Its solutions are cycle covers. Each
one found is handed to the exchanges of `find.join.join_cycles`, unless the graph is too sparse for them; if
these join all its cycles, that is the tour. Else every cycle, as found and as joined, becomes a *cut*: some
edge leaves its vertices. Unlike a clause that forbids just this cycle, a cut forbids every solution in which
these vertices keep to themselves (Dantzig, Fulkerson & Johnson 1954 for linear programs; Ohashi, Soh, Le
Berre, Banbara & Tamura, SAT 2025, for SAT, who decide 937 of the 1,001 graphs of the Hamiltonian cycle
challenge so). The solver is incremental: it keeps what it has learnt, and a round adds a cut for every
cycle. When no solution is left, the cuts and the clauses learnt are the proof.

The solver is CaDiCaL 1.9.5 through python-sat. Of those there that write proofs (CaDiCaL 1.5.3, Glucose 4,
MiniSat 2.2 and MapleChrono were measured) it refuted 4x16 to 4x60 fastest, and unlike Glucose it was not
lost on 100x100. Its inprocessing is off: it did not help, and without it the proof is the clauses learnt.
To start the solver from a matching was measured, too, and left out: with the exchanges, its own first
solutions close as well, and held to a joined cover it took fourteen times as long to refute 4x60.

n is the number of vertices; p and q are the two neighbours of each along its cycle.

Time: a tour of 100x100, hex:50 or 20x20x20 in half a second to a second, most of it to hand over the clauses;
refutations from milliseconds to for ever (parity, as on 7x7, is not for SAT). About 3 kB an edge.
"""

from __future__ import annotations

import time
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from cavalcade.answers.certificate import SatProof
from cavalcade.answers.verdict import Undecided
from cavalcade.find.join import join_cycles
from cavalcade.ground.budget import machine_memory
from cavalcade.refute.formula import Formula, edges_of
from cavalcade.refute.parts import components

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cavalcade.question.graph import MoveGraph
    from cavalcade.question.question import Question
    from cavalcade.refute.formula import Edges

    Cycle: TypeAlias = list[int]

BYTES_PER_EDGE = 3000  # of the solver and what we hand it, measured
SECONDS_PER_EDGE = 1e-5  # to hand it over
CLAUSES = 20_000  # handed over between looks at the clock
ALONE = 500  # conflicts between looks at the clock, for a part of a graph
CROWDED = 2  # edges a vertex from which cycles are joined: cubic graphs have hardly any exchange of two edges
CHUNK = 2_000_000  # conflicts times edges between looks at the clock, and at most 500 conflicts


def sat(
    question: Question, *, seed: int = 0, time_limit: float = 10.0
) -> NDArray[np.int32] | SatProof | Undecided:
    """Decide whether there is a tour.

    Args:
        question: the question; steps are not looked at.
        seed: of the solver's random choices.
        time_limit: seconds of the search, looked at a few times a second: no call of the solver begins that
            is expected to take longer. Ctrl-C works at any time.

    Returns:
        The cells of a tour, in order; or a proof that there is none, with all that the solver learnt on the
        way; or neither in time.
    """
    from cavalcade.refute.cadical import Cadical

    began = time.perf_counter()
    graph = question.as_cycle

    def undecided(reason: str) -> Undecided:
        return Undecided(reason, "sat", seed, time.perf_counter() - began)

    if graph.size == 1:
        return np.zeros(1, dtype=np.int32)
    if graph.edge_count * BYTES_PER_EDGE > machine_memory():
        return undecided(f"a formula with {graph.edge_count:,} variables does not fit into memory")
    too_long = f"to state a formula with {graph.edge_count:,} variables takes more than {time_limit:.3g} s"
    if graph.edge_count * SECONDS_PER_EDGE > time_limit:
        return undecided(too_long)
    edges = edges_of(graph)
    formula = Formula(graph.size, edges)
    cuts: dict[frozenset[int], None] = {}  # in the order in which they were found
    rounds = 0
    joining = question.symmetry is None and graph.edge_count >= CROWDED * graph.size
    with Cadical(seed=seed) as solver:
        clauses = iter(formula.degrees())
        while some := list(islice(clauses, CLAUSES)):
            if time.perf_counter() - began > time_limit:
                return undecided(too_long)
            solver.append_formula(some)
        if question.symmetry is not None:
            solver.append_formula(formula.kept(question.encoding.image(question.symmetry.cells)))
        longest = (time.perf_counter() - began) / 8  # of the next call, by experience
        budget = max(20, min(500, CHUNK // max(len(edges), 1)))
        while True:
            now = time.perf_counter()
            if now + longest - began > time_limit:
                many = f"{rounds:,} covers by cycles, {len(cuts):,} cuts"
                return undecided(f"SAT found no answer in {time_limit:g} s ({many})")
            answer = solver.look(budget)
            longest = max(longest, time.perf_counter() - now)
            if answer is None:
                continue
            if not answer:
                return SatProof(tuple(tuple(sorted(cut)) for cut in cuts), tuple(solver.get_proof()))
            rounds += 1
            used = np.array(solver.get_model()[: len(edges)]) > 0
            cycles = _cover(graph, edges[used], join=joining)
            if len(cycles[-1]) == graph.size:
                return question.cut(np.array(cycles[-1], dtype=np.int32))
            for cycle in cycles:
                cells = frozenset(cycle)
                if 2 * len(cells) > graph.size:
                    cells = frozenset(range(graph.size)) - cells
                if cells not in cuts:
                    cuts[cells] = None
                    solver.add_clause(formula.cut(cells))


def sat_alone(
    graph: MoveGraph, cells: Sequence[int], *, seed: int = 0, time_limit: float = 1.0
) -> SatProof | None:
    """A proof that no Hamiltonian cycle passes some vertices, whatever it does elsewhere.

    Args:
        graph: the graph.
        cells: the vertices, not all of the graph.
        seed: of the solver's random choices.
        time_limit: seconds after which no call of the solver begins.

    Returns:
        A proof about these vertices; None if they can be passed, or if time is up.

    Time: does not depend on the size of the graph.
    """
    from cavalcade.refute.cadical import Cadical

    began = time.perf_counter()
    here = np.unique(np.asarray(cells, dtype=np.int64))
    n = len(here)
    rows = [graph.indices[graph.indptr[a] : graph.indptr[a + 1]] for a in here.tolist()]
    pairs = np.stack([np.repeat(here, [len(row) for row in rows]), np.concatenate(rows)], axis=1)
    edges = np.unique(np.sort(pairs, axis=1), axis=0)
    number = np.minimum(np.searchsorted(here, edges), n - 1)
    number[here[number] != edges] = n  # whatever is outside
    formula = Formula(n, number)
    cuts: dict[frozenset[int], None] = {}
    with Cadical(seed=seed) as solver:
        solver.append_formula(list(formula.degrees()))
        while time.perf_counter() - began < time_limit:
            answer = solver.look(ALONE)
            if answer is None:
                continue
            if not answer:
                sets = tuple(tuple(here[sorted(cut)].tolist()) for cut in cuts)
                return SatProof(sets, tuple(solver.get_proof()), cells=tuple(here.tolist()))
            used = np.array(solver.get_model()[: len(edges)]) > 0
            _, part = components(n + 1, *number[used].T)
            closed = np.flatnonzero(part[:n] != part[n]).tolist()
            parts: dict[int, list[int]] = {}
            for cell in closed:
                parts.setdefault(int(part[cell]), []).append(cell)
            if not parts:
                return None
            for cycle in parts.values():
                cuts[frozenset(cycle)] = None
                solver.add_clause(formula.cut(cycle))
    return None


def _cover(graph: MoveGraph, edges: Edges, *, join: bool) -> list[Cycle]:
    """The cycles that these edges make, and then those that are left after joining them, if that is asked."""
    found = cycles_of(edges)
    if len(found) == 1 or not join:
        return found
    joined = _cycles(join_cycles(graph, _pairs(edges)))
    return found if len(joined) == len(found) else found + joined


def cycles_of(edges: Edges) -> list[Cycle]:
    """The cycles that these edges make, two at each vertex."""
    return _cycles(_pairs(edges))


def _pairs(edges: Edges) -> NDArray[np.int32]:
    """The two neighbours of each vertex, (n, 2)."""
    both = np.concatenate([edges, edges[:, ::-1]])
    return np.asarray(both[np.argsort(both[:, 0], kind="stable"), 1].reshape(-1, 2), dtype=np.int32)


def _cycles(pairs: NDArray[np.int32]) -> list[Cycle]:
    """The cycles of a cover, from the two neighbours of each vertex."""
    found = []
    links: list[list[int]] = pairs.tolist()
    seen = [False] * len(links)
    for first in range(len(links)):
        cycle = []
        a, before = first, links[first][1]
        while not seen[a]:
            seen[a] = True
            cycle.append(a)
            p, q = links[a]
            a, before = (q if p == before else p), a
        if cycle:
            found.append(cycle)
    return found
