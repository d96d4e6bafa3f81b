"""Symmetric tours: tours of the graph folded by the symmetry, found by joining cycles.

`question.folding` says which cycles of a folded graph unfold into one tour. Which cycle the engine `join`
finds there depends on its random choices; so it is asked again, with other seeds, until one unfolds.
"""

from __future__ import annotations

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.find.join import join
from cavalcade.find.tiers import Tries
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Cells
from cavalcade.question.folding import folded
from cavalcade.question.question import Question

FOLD_STEPS = 80  # for each edge, to fold a graph and to unfold a tour: 0.8 µs
FIRST_TRY = 25_000_000  # steps of the first try in each folded graph; then twice as many, and so on


def join_symmetric(question: Question, budget: Budget, *, seed: int = 0) -> Cells | Undecided:
    """Look for a tour with the question's symmetry: an engine. It tries once at least in each folded graph.

    Time: that of `join` on a board of a half or a quarter of the size, mostly once.
    """
    graph = question.as_cycle
    if graph.size == 1:
        return np.zeros(1, dtype=np.int32)
    assert question.symmetry is not None  # noqa: S101 - for the type checker
    if not budget.spend(FOLD_STEPS * graph.edge_count):
        return Undecided(f"to fold a graph of {graph.edge_count:,} edges takes more work", "join", seed)
    foldings = folded(graph, question.encoding.image(question.symmetry.cells)) if graph.size > 2 else []
    tries = Tries(budget, len(foldings))
    for number in tries if foldings else ():
        folding = foldings[number % len(foldings)]
        part = budget.part(FIRST_TRY * 2 ** min(number // len(foldings), 20))
        cycle: Cells | Undecided
        if folding.size > 2:
            cycle = join(Question(folding.graph), part, seed=seed + number + 1)
        else:
            cycle = np.arange(folding.size, dtype=np.int32)
            budget.spend(FOLD_STEPS)
        whole = None if isinstance(cycle, Undecided) else next(folding.unfolded(cycle), None)
        cells = None if whole is None else question.numbered(question.cut(whole))
        if cells is not None:
            return cells
    wanted = f"{question.kind} tour symmetric under the {question.symmetry.name}"
    return Undecided(f"no {wanted} found in {tries}", "join", seed)
