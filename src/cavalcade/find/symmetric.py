"""Symmetric tours, found by joining cycles in the graph folded by the symmetry.

`question.folding` states which cycles of a folded graph unfold into one tour. The cycle that `join` finds
depends on the seed, so that other seeds are tried until a cycle unfolds.
"""

from __future__ import annotations

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.find.cycle_cover import STEPS_PER_CELL
from cavalcade.find.join import join
from cavalcade.find.tiers import Tries
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Cells
from cavalcade.question.folding import folded
from cavalcade.question.question import Question


def join_symmetric(question: Question, budget: Budget, *, seed: int = 0) -> Cells | Undecided:
    """Search for a tour with the required symmetry: an engine. Each folded graph gets at least one try.

    Time: that of `join` on a board of half or a quarter of the size, mostly once.
    """
    graph = question.as_cycle
    assert question.symmetry is not None  # noqa: S101 - for the type checker
    # Folding and unfolding an edge takes about as long as matching and joining a cell.
    if not budget.spend(STEPS_PER_CELL * graph.edge_count):
        return Undecided(f"folding a graph of {graph.edge_count:,} edges exceeds the budget", "join", seed)
    foldings = folded(graph, question.encoding.image(question.symmetry.cells))
    tries = Tries(budget, len(foldings))
    for number in tries if foldings else ():
        folding = foldings[number % len(foldings)]
        part = tries.part(len(foldings))
        cycle: Cells | Undecided
        if folding.size > 2:
            cycle = join(Question(folding.graph), part, seed=seed + number + 1)
        else:
            cycle = np.arange(folding.size, dtype=np.int32)
            budget.spend(STEPS_PER_CELL)
        whole = None if isinstance(cycle, Undecided) else next(folding.unfolded(cycle), None)
        cells = None if whole is None else question.numbered(question.cut(whole))
        if cells is not None:
            return cells
    symmetric = f"{question.kind} tour symmetric under the {question.symmetry.name}"
    return Undecided(f"no {symmetric} found in {tries}", "join", seed)
