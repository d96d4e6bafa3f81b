"""Tours with given cells at given steps, where moves go one way or a symmetry is asked: all are listed."""

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
    """The first tour of the list that has the given steps.

    Args:
        question: the question, with steps.
        budget: of the work.
        seed: of nothing: the order of the list is fixed.

    Returns:
        The cells of a tour, in order, or why there is none.
    """
    for found in list_tours(replace(question, start=None if question.closed else question.start, steps=())):
        if question.numbered(found.cells) is not None:
            return found.cells
        if not budget.spend(WORK * question.board.size):
            return Undecided("none of the first tours listed has the steps", "numbered", seed)
    return Undecided(UNPROVED, "numbered", seed)
