"""Tours with given cells at given steps, by SAT: a second method besides `find.numbered`, with a proof.

The models of the formula are the tours. `answers.certificate` defines its clauses: n³ + O(n (m + n)) of them
for n cells and m moves, 265,000 for 8x8. The encoding is the direct one of Prestwich (2003) for Hamiltonian
cycles, with the next and the previous step of each cell.

Each solution is forbidden by a clause. When no other solution is left, the clauses that the solver has learnt
refute the formula with these clauses, so the solutions are complete.

Time: a puzzle of 8x8 half a second, of 12x12 four seconds, most of it to state the clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations, pairwise

import numpy as np

from cavalcade.answers.certificate import PositionProof
from cavalcade.answers.puzzles import Solutions
from cavalcade.answers.verdict import Undecided
from cavalcade.ground.budget import Budget, assert_room
from cavalcade.ground.kernels import Cells
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question


def sat_by_positions(
    question: Question, budget: Budget, *, seed: int = 0
) -> Cells | PositionProof | Undecided:
    """Decide whether a tour has the given cells at their steps: an engine, for moves in both directions."""
    n = question.board.size
    if not budget.spend(100 * n**3):  # 1 µs to state each of about n³ clauses
        return Undecided(f"the position formula of {n:,} cells is beyond the budget", "sat", seed)
    solutions = positions(
        question.allowed, question.given, closed=question.closed, most=1, budget=budget, seed=seed,
        required=question.required, through=question.through,
    )  # fmt: skip
    if len(solutions.tours):
        tour: Cells = solutions.tours[0]
        return tour
    if solutions.complete:
        return PositionProof(solutions.proof, solutions.hints)
    return Undecided("SAT found no answer", "sat", seed)


def positions(
    graph: MoveGraph,
    given: Mapping[int, int],
    *,
    closed: bool,
    most: int | None = None,
    budget: Budget | None = None,
    seed: int = 0,
    required: Iterable[tuple[int, int]] = (),
    through: Sequence[int] = (),
) -> Solutions:
    """Find all tours with given cells at given steps; `find.numbered.numbered` has the same arguments.

    Returns:
        The tours found before the budget or the time limit ended the search.
    """
    from cavalcade.refute.cadical import Cadical

    n = graph.size
    # The solver takes 120 bytes of memory for each of about n³ clauses.
    assert_room(120 * n**3, f"the position formula of {n:,} cells")
    if closed and n == 2:  # a closed tour does not use an edge twice
        return Solutions(np.zeros((0, 2), dtype=np.int32), complete=True)
    tours: list[list[int]] = []
    budget = Budget() if budget is None else budget
    with Cadical(seed=seed) as solver:
        solver.state(position_clauses(graph, given, closed=closed, required=required, through=through))
        with suppress(TimeoutError):
            while len(tours) != most and (chosen := solver.solution(budget, n * n)) is not None:
                cells, steps = np.divmod(np.flatnonzero(chosen), n)
                tours.append(cells[np.argsort(steps)].tolist())
                solver.state([forbidding(n, tours[-1])])
        complete = solver.status is False
        proof = solver.proof() if complete else None
        decisions = int((solver.accum_stats() or {}).get("decisions", 0))
        hints = None if proof is None else proof.hints_in(proof.stated, solver.stated)
    all_tours = np.array(tours, dtype=np.int32).reshape(-1, n)
    return Solutions(all_tours, complete, decisions, 0, () if proof is None else proof.lines, hints)


def position_clauses(
    graph: MoveGraph,
    given: Mapping[int, int],
    *,
    closed: bool,
    required: Iterable[tuple[int, int]] = (),
    through: Sequence[int] = (),
) -> Iterator[list[int]]:
    """Yield the clauses of the formula, in the order of the certificate.

    Args:
        graph: the move graph.
        given: cell at each given step; steps count from 1.
        closed: whether a move leads from the last step to the first one.
        required: edges that every tour uses.
        through: cells whose steps rise in this order.
    """
    n = graph.size
    cells, steps = range(n), range(n)
    of_cell = [list(range(c * n + 1, c * n + n + 1)) for c in cells]
    of_step = [[row[t] for row in of_cell] for t in steps]
    neighbours = [sorted(graph.neighbours(c).tolist()) for c in cells]
    wraps = closed and n > 2
    yield from of_cell
    yield from of_step
    for row in (*of_cell, *of_step):
        yield from ([-a, -b] for a, b in combinations(row, 2))
    # The next and the previous step of a cell are at neighbours.
    for way, inner in ((1, steps[:-1]), (-1, steps[1:])):
        for c in cells:
            for t in inner:
                yield [-of_cell[c][t], *(of_cell[d][t + way] for d in neighbours[c])]
    if wraps:
        for t, after in ((n - 1, 0), (0, n - 1)):
            yield from ([-of_cell[c][t], *(of_cell[d][after] for d in neighbours[c])] for c in cells)
    for step, c in sorted(given.items()):
        yield [of_cell[c][step - 1]]
    for a, b in sorted(required):
        for t in steps:
            adjacent = [i % n for i in (t - 1, t + 1) if wraps or 0 <= i < n]
            yield [-of_cell[a][t], *(of_cell[b][i] for i in adjacent)]
    for a, b in pairwise(through):
        yield from ([-of_cell[a][t], -of_cell[b][earlier]] for t in steps for earlier in range(t))


def forbidding(n: int, tour: Iterable[int]) -> list[int]:
    """The clause that forbids a solution, given as its n cells in order."""
    return [-(1 + c * n + t) for t, c in enumerate(tour)]
