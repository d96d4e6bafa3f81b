"""A tour of least total weight, by CP-SAT (OR-tools, an extra).

The travelling salesman problem as a circuit constraint: one Boolean for each direction of an edge, and the
chosen arcs form one circuit through all vertices. Exponential time: with random weights from 1 to 100, 8x8 is
solved in two seconds; for 10x10, a gap of a sixth remains after a minute.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from cavalcade.ground.budget import assert_time, seconds_left
from cavalcade.ground.errors import optional
from cavalcade.ground.kernels import Cells
from cavalcade.question.question import Question


def least(
    question: Question,
    weights: Sequence[int],
    hint: Cells,
    *,
    seed: int = 0,
) -> tuple[Cells, int]:
    """A tour of low weight, the least if time allows; and the solver's lower bound for all tours.

    Args:
        question: the question.
        weights: integers, one for each of `question.graph.edges()`.
        hint: the cells of any tour, where the solver starts.
        seed: seed of the solver.

    Raises:
        MissingExtraError: OR-tools is not installed.
        TimeoutError: the time limit is reached before the solver starts. The solver itself observes it.
    """
    cp_model = optional("ortools.sat.python.cp_model", "tsp", "OR-tools")
    graph, encoded = question.graph, question.as_cycle
    weight = dict(zip(graph.pairs(), weights, strict=True))
    model = cp_model.CpModel()
    cycle = question.encoding.cycle(hint).tolist()
    used = set(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
    arcs = []
    for a, b in encoded.pairs():
        assert_time("the time limit is reached while the model is built")
        for tail, head in ((a, b), (b, a)):
            arc = model.new_bool_var(f"{tail} {head}")
            model.add_hint(arc, (tail, head) in used)
            arcs.append((tail, head, arc, weight.get((a, b), 0)))
    model.add_circuit([(tail, head, arc) for tail, head, arc, _ in arcs])
    model.minimize(sum(w * arc for *_, arc, w in arcs))
    solver = cp_model.CpSolver()
    solver.parameters.random_seed = seed
    if math.isfinite(seconds := seconds_left()):
        solver.parameters.max_time_in_seconds = max(seconds, 0.1)
    solver.parameters.num_workers = 1  # with more workers, each run gives another tour
    status = solver.solve(model)
    bound = int(np.ceil(solver.best_objective_bound - 1e-6))
    if status not in {cp_model.OPTIMAL, cp_model.FEASIBLE}:
        return hint, bound
    after = {tail: head for tail, head, arc, _ in arcs if solver.boolean_value(arc)}
    cycle = [0]
    while (head := after[cycle[-1]]) != 0:
        cycle.append(head)
    return question.cut(np.array(cycle, dtype=np.int32)), bound
