"""Tours with given cells at given steps, or with given coils, where no search knows both: all are listed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.verdict import Undecided
from cavalcade.counting.listing import list_tours
from cavalcade.find.numbered import UNPROVED
from cavalcade.ground.budget import Budget
from cavalcade.question.question import Question

WORK = 1_000  # inner steps for each cell of a tour that is listed


def first_listed(question: Question, budget: Budget, *, seed: int = 0) -> NDArray[np.int32] | Undecided:
    """The first tour of the list that has the given steps and coils.

    Args:
        question: the question, with steps or coils.
        budget: of the work.
        seed: of nothing: the order of the list is fixed.

    Returns:
        The cells of a tour, in order, or why there is none.
    """
    start = None if question.closed else question.start
    for found in list_tours(replace(question, start=start, steps=(), coils=None)):
        if question.numbered(found.cells) is not None and question.coiled(found.cells[None])[0]:
            return found.cells
        if not budget.spend(WORK * question.board.size):
            return Undecided("none of the first tours listed has what is asked", "numbered", seed)
    return Undecided(UNPROVED, "numbered", seed)
