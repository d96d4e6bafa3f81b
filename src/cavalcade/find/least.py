"""Least: a tour of least total weight, by CP-SAT (OR-tools, an extra).

The travelling salesman's question, as a circuit constraint: one Boolean a direction of an edge, and the
chosen ones are one circuit through all vertices. Exponential time: with random weights from 1 to 100, 8x8 is
decided in two seconds, and of 10x10 a minute leaves a gap of a sixth.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cavalcade.ground.budget import assert_time, seconds_left
from cavalcade.ground.errors import optional
from cavalcade.ground.kernels import Cells
from cavalcade.question.question import Question

BLOCK = 1_000  # edges stated between looks at the clock
LONGEST = 1e9  # seconds: the solver knows no infinite time


def least(
    question: Question,
    weights: Sequence[int],
    hint: Cells,
    *,
    seed: int = 0,
) -> tuple[Cells, int]:
    """A tour of little weight, at best of the least; and a bound: none has less weight, says the solver.

    Args:
        question: which tours.
        weights: whole numbers, one for each of `question.graph.edges()`.
        hint: the cells of some tour, to begin with.
        seed: of the solver's choices.

    Raises:
        MissingExtraError: OR-tools is not installed.
        TimeoutError: the clock ends the whole before the solver is asked, which then keeps to it.
    """
    cp_model = optional("ortools.sat.python.cp_model", "tsp", "OR-tools")
    graph, whole = question.graph, question.as_cycle
    weight = dict(zip(graph.pairs(), weights, strict=True))
    model = cp_model.CpModel()
    around = question.encoding.cycle(hint).tolist()
    used = set(zip(around, [*around[1:], around[0]], strict=True))
    arcs = []
    for number, (a, b) in enumerate(whole.pairs()):
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
        return hint, bound
    after = {tail: head for tail, head, arc, _ in arcs if solver.boolean_value(arc)}
    cycle = [0]
    while (head := after[cycle[-1]]) != 0:
        cycle.append(head)
    return question.cut(np.array(cycle, dtype=np.int32)), bound
