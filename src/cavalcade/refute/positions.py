"""Tours with given cells at given steps, by SAT: a second method beside `find.numbered`, with a proof.

The formula's models are the tours; `answers.certificate` says what its clauses are, n³ + O(n (m + n)) of them
for n cells and m moves: 265,000 for 8x8. The encoding is the direct one of Prestwich (2003) for Hamiltonian
cycles, with the next and the previous step of each cell.

Every solution found is forbidden by a clause; when no other is left, what the solver has learnt refutes the
formula with these clauses: the solutions found are all.

Time: a puzzle of 8x8 half a second, of 12x12 four, most of it to hand over the clauses. Memory: 120 bytes a
clause, of which there are n³.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import combinations

import numpy as np

from cavalcade.answers.certificate import PositionProof
from cavalcade.answers.puzzles import Solutions
from cavalcade.answers.verdict import Undecided
from cavalcade.ground.budget import Budget, assert_room
from cavalcade.ground.kernels import Cells
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question

BYTES_A_CLAUSE = 120
STATED = 100  # work for each clause to state it


def sat_by_positions(
    question: Question, budget: Budget, *, seed: int = 0
) -> Cells | PositionProof | Undecided:
    """Decide whether there is a tour with its cells at their steps, on moves that go both ways: an engine."""
    n = question.board.size
    if not budget.spend(STATED * n**3):
        return Undecided(f"the position formula of {n:,} cells is beyond the budget", "sat", seed)
    found = positions(
        question.allowed, question.given, closed=question.closed, most=1, budget=budget, seed=seed,
        required=question.required,
    )  # fmt: skip
    if len(found.tours):
        cells: Cells = found.tours[0]
        return cells
    return PositionProof(found.proof) if found.complete else Undecided("SAT found no answer", "sat", seed)


def positions(
    graph: MoveGraph,
    given: Mapping[int, int],
    *,
    closed: bool,
    most: int | None = None,
    budget: Budget | None = None,
    seed: int = 0,
    required: Iterable[tuple[int, int]] = (),
) -> Solutions:
    """All tours with these cells at these steps: `find.numbered.numbered` has the same arguments.

    What was found before the budget or the clock ended the search is kept.
    """
    from cavalcade.refute.cadical import Cadical

    n = graph.size
    assert_room(BYTES_A_CLAUSE * n**3, f"the position formula of {n:,} cells")
    found: list[list[int]] = []
    if closed and n == 2:  # a closed tour does not walk an edge to and fro
        return Solutions(np.zeros((0, 2), dtype=np.int32), complete=True)
    budget = Budget() if budget is None else budget
    with Cadical(seed=seed) as solver:
        solver.state(position_clauses(graph, given, closed=closed, required=required))
        with suppress(TimeoutError):  # what was found is kept
            while len(found) != most and (chosen := solver.solution(budget, n * n)) is not None:
                cells, steps = np.divmod(np.flatnonzero(chosen), n)
                found.append(cells[np.argsort(steps)].tolist())
                solver.add_clause(forbidding(n, found[-1]))
        complete = solver.status is False
        proof = solver.proof() if complete else ()
        decisions = int((solver.accum_stats() or {}).get("decisions", 0))
    return Solutions(np.array(found, dtype=np.int32).reshape(-1, n), complete, decisions, 0, proof)


def position_clauses(
    graph: MoveGraph, given: Mapping[int, int], *, closed: bool, required: Iterable[tuple[int, int]] = ()
) -> Iterator[list[int]]:
    """The clauses of the formula, in their order.

    Args:
        graph: the move graph.
        given: step, from 1, to cell.
        closed: the cell of step n is next to that of step 1.
        required: moves that must be made.
    """
    n = graph.size
    cells, steps = range(n), range(1, n + 1)
    of_cell = [list(range(c * n + 1, c * n + n + 1)) for c in cells]
    of_step = [[row[t - 1] for row in of_cell] for t in steps]
    near = [sorted(graph.neighbours(c).tolist()) for c in cells]
    yield from of_cell
    yield from of_step
    for row in (*of_cell, *of_step):
        yield from ([-a, -b] for a, b in combinations(row, 2))
    for first, last, step in ((0, n - 1, 1), (1, n, -1)):
        for c in cells:
            for t in range(first, last):
                yield [-of_cell[c][t], *(of_cell[d][t + step] for d in near[c])]
    if closed and n > 2:
        for here, there in ((n - 1, 0), (0, n - 1)):
            yield from ([-of_cell[c][here], *(of_cell[d][there] for d in near[c])] for c in cells)
    for t, c in sorted(given.items()):
        yield [of_cell[c][t - 1]]
    for a, b in sorted(required):
        for t in range(n):
            beside = [t - 1, t + 1]
            beside = [i % n for i in beside] if closed and n > 2 else [i for i in beside if 0 <= i < n]
            yield [-of_cell[a][t], *(of_cell[b][i] for i in beside)]


def forbidding(n: int, tour: Iterable[int]) -> list[int]:
    """The clause that forbids one solution, the cells of n steps in order."""
    return [-(1 + c * n + t) for t, c in enumerate(tour)]
