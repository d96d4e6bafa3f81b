"""SAT with cut sets: a tour, or a refutation that anyone can check.

The formula (`formula`) has a variable per edge, two edges at each vertex, and a few cuts. Its solutions are
cycle covers. Each one found is handed to the exchanges of `find.join.join_cycles`, unless the graph is too
sparse for them; if these join all its cycles, that is the tour. Else every cycle, as found and as joined,
becomes a *cut*: some edge leaves its vertices. Unlike a clause that forbids just this cycle, a cut forbids
every solution in which these vertices keep to themselves (Dantzig, Fulkerson & Johnson 1954 for linear
programs; Ohashi, Soh, Le Berre, Banbara & Tamura, SAT 2025, for SAT, who decide 937 of the 1,001 graphs of
the Hamiltonian cycle challenge so). The solver is incremental: it keeps what it has learnt, and a round adds
a cut for every cycle. When no solution is left, the cuts and the clauses learnt are the proof.

The solver is CaDiCaL 1.9.5 through python-sat. Of those there that write proofs (CaDiCaL 1.5.3, Glucose 4,
MiniSat 2.2 and MapleChrono were measured) it refuted 4x16 to 4x60 fastest, and unlike Glucose it solved
100x100. Its inprocessing is on: it halves the time of balanced xor graphs of 360 to 540 vertices, takes a
fifth off that of 4x60, and costs 100x100 nothing. The solver does not start from a matching: that was
measured, and it took fourteen times as long to refute 4x60.

On sparse graphs a second solver with the same cuts begins in stable mode, with few restarts, if the first
takes long. It refutes xor9 graphs of 630 and 720 vertices in two fifths to two thirds of the time. Stable
mode from the beginning takes up to ten times as long for random cubic graphs, and three to eight times as
long for 4x50 and 4x60.

Time: a tour of 100x100, hex:50 or 20x20x20 in half a second to a second, most of it to hand over the clauses;
refutations take milliseconds or do not end (SAT cannot show parity, as on 7x7). About 3 kB an edge.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from cavalcade.answers.certificate import SatProof
from cavalcade.answers.verdict import Undecided
from cavalcade.cycles.walking import cycles_of, neighbours_of
from cavalcade.find.join import join_cycles
from cavalcade.ground.arrays import distinct
from cavalcade.ground.budget import Budget, assert_room
from cavalcade.ground.kernels import Cells
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import components, rows_from
from cavalcade.question.question import Question
from cavalcade.refute.formula import Edges, Formula, edges_of

STATED = 1000  # work for each edge to state the formula, 10 µs


def sat(
    question: Question, budget: Budget, *, seed: int = 0, patience: int = 40_000
) -> Iterator[Cells | SatProof | Undecided]:
    """Decide whether there is a tour: an engine that resumes with everything that the solver has learnt.

    A proof contains everything that the solver learnt on the way. Ctrl-C works at any time.

    Args:
        question: the question.
        budget: counted work.
        seed: seed of the solver.
        patience: work per edge after which a second solver begins in stable mode, on sparse graphs.

    Raises:
        TooLargeError: the formula does not fit into memory.
    """
    graph = question.as_cycle
    m = graph.edge_count
    # The solver and its clauses take 3,000 bytes of memory per edge, measured.
    assert_room(3_000 * m, f"a formula with {m:,} variables")
    sparse = is_sparse(graph)
    joining = question.symmetry is None and not sparse
    if not budget.spend(STATED * m):
        yield Undecided(f"a formula with {m:,} variables is beyond the budget", "sat", seed)
    edges = edges_of(graph)
    formula = Formula(graph.size, edges)
    rounds = 0
    for limit in (patience * m, math.inf) if sparse else (math.inf,):
        with formula.stated(question, seed=seed, stable=sparse and limit == math.inf) as solver:
            formula.state_cuts(solver, tuple(formula.cuts))
            while solver.work_done < limit:
                used = solver.solution(budget, m, most=limit)
                if solver.status is False:
                    yield formula.refutation(solver)
                    return
                if used is not None:
                    rounds += 1
                    cycles = _cover(graph, edges[used], join=joining)
                    if len(cycles[-1]) == graph.size:
                        yield question.cut(np.array(cycles[-1], dtype=np.int32))
                        return
                    formula.cut_off(solver, cycles, graph.size)
                elif budget.over:
                    effort = f"{rounds:,} covers by cycles, {len(formula.cuts):,} cuts"
                    yield Undecided(f"SAT found no answer ({effort})", "sat", seed)


def sat_alone(graph: MoveGraph, cells: Sequence[int], budget: Budget, *, seed: int = 0) -> SatProof | None:
    """Prove that no Hamiltonian cycle can visit some vertices, whatever it does elsewhere.

    Returns:
        The proof; None if the vertices can be visited, or if the budget is over.

    Time: does not depend on the size of the graph.
    """
    vertices = distinct(np.asarray(cells, dtype=np.int64))
    n = len(vertices)
    rows = [graph.indices[graph.indptr[a] : graph.indptr[a + 1]] for a in vertices.tolist()]
    inner, outer = np.repeat(vertices, [len(row) for row in rows]), np.concatenate(rows)
    keys = distinct(np.minimum(inner, outer) * graph.size + np.maximum(inner, outer))
    edges = np.stack(np.divmod(keys, graph.size), axis=1)
    number = np.minimum(np.searchsorted(vertices, edges), n - 1)
    number[vertices[number] != edges] = n  # one vertex stands for everything outside
    formula = Formula(n, number)
    if not budget.spend(STATED * len(edges)):
        return None
    with formula.stated(seed=seed) as solver:
        while (used := solver.solution(budget, len(edges))) is not None:
            _, part = components(rows_from(n + 1, *number[used].T))
            # Cycles inside the set are cut off; paths that lead outside are allowed.
            parts: dict[int, list[int]] = {}
            for cell in np.flatnonzero(part[:n] != part[n]).tolist():
                parts.setdefault(int(part[cell]), []).append(cell)
            if not parts:
                return None
            formula.cut_off(solver, parts.values())
        if solver.status is False:
            proof = formula.refutation(solver, cells=tuple(vertices.tolist()))
            return replace(proof, cuts=tuple(tuple(vertices[list(cut)].tolist()) for cut in proof.cuts))
    return None


def is_sparse(graph: MoveGraph) -> bool:
    """Whether exchanges of two edges join few cycles."""
    # The limit is 2 edges per vertex. Cubic graphs have 1.5, and few exchanges of two edges.
    return graph.edge_count < 2 * graph.size


def _cover(graph: MoveGraph, edges: Edges, *, join: bool) -> list[list[int]]:
    """The cycles that these edges make; with `join` also the cycles that remain after joining them."""
    neighbours = neighbours_of(edges.astype(np.int32))
    cycles = cycles_of(neighbours)
    if len(cycles) == 1 or not join:
        return cycles
    joined = cycles_of(join_cycles(graph, neighbours))
    return cycles if len(joined) == len(cycles) else cycles + joined
