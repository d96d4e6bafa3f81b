"""Least: a tour of least total weight, by CP-SAT (OR-tools, an extra).

The travelling salesman's question, as a circuit constraint: one Boolean a direction of an edge, and the
chosen ones are one circuit through all vertices. Exponential time: with random weights from 1 to 100, 8x8 is
decided in two seconds, and of 10x10 a minute leaves a gap of a sixth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.ground.budget import assert_time, seconds_left
from cavalcade.ground.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cavalcade.question.question import Question

BLOCK = 1_000  # edges stated between looks at the clock
LONGEST = 1e9  # seconds: the solver knows no infinite time


@dataclass(frozen=True)
class Circuit:
    """What the solver found.

    Args:
        cells: the tour, in order.
        bound: no tour has less weight, says the solver.
    """

    cells: NDArray[np.int32]
    bound: int


def least(
    question: Question,
    weights: Sequence[int],
    hint: NDArray[np.int32],
    *,
    seed: int = 0,
) -> Circuit:
    """A tour of little weight, at best of the least.

    Args:
        question: which tours.
        weights: whole numbers, one for each of `question.graph.edges()`.
        hint: the cells of some tour, to begin with.
        seed: of the solver's choices.

    Raises:
        MissingExtraError: OR-tools is not installed.
        TimeoutError: the clock ends the whole before the solver is asked, which then keeps to it.
    """
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise MissingExtraError("OR-tools", "tsp") from None
    graph, whole = question.graph, question.as_cycle
    weight = {tuple(edge): w for edge, w in zip(graph.edges().tolist(), weights, strict=True)}
    model = cp_model.CpModel()
    used = _steps(question, hint)
    arcs = []
    for number, (a, b) in enumerate(whole.edges().tolist()):
        if number % BLOCK == 0:
            assert_time("the time limit is reached while the circuit is stated")
        for tail, head in ((a, b), (b, a)):
            arc = model.new_bool_var(f"{tail} {head}")
            model.add_hint(arc, (tail, head) in used)
            arcs.append((tail, head, arc, weight.get((a, b), 0)))
    model.add_circuit([(tail, head, arc) for tail, head, arc, _ in arcs])
    model.minimize(sum(w * arc for *_, arc, w in arcs))
    solver = cp_model.CpSolver()
    solver.parameters.random_seed = seed
    solver.parameters.max_time_in_seconds = max(min(seconds_left(), LONGEST), 0.1)
    solver.parameters.num_workers = 1  # more workers give other tours each time
    status = solver.solve(model)
    bound = int(np.ceil(solver.best_objective_bound - 1e-6))
    if status not in {cp_model.OPTIMAL, cp_model.FEASIBLE}:
        return Circuit(hint, bound)
    after = {tail: head for tail, head, arc, _ in arcs if solver.boolean_value(arc)}
    cycle = [0]
    while (head := after[cycle[-1]]) != 0:
        cycle.append(head)
    return Circuit(question.cut(np.array(cycle, dtype=np.int32)), bound)


def _steps(question: Question, hint: NDArray[np.int32]) -> set[tuple[int, int]]:
    """The steps of a tour as a circuit of `question.as_cycle`, where that is one vertex more at most."""
    cells = hint.tolist()
    n = question.graph.size
    circuit = cells if question.closed else [*cells, *range(n, question.as_cycle.size)]
    return set(zip(circuit, [*circuit[1:], circuit[0]], strict=True))
