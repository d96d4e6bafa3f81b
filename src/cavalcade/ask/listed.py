"""Tours with given cells at given steps or in order, or with given coils, found by listing all tours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.verdict import Undecided
from cavalcade.counting.listing import list_tours
from cavalcade.find.numbered import UNPROVED
from cavalcade.ground.budget import Budget
from cavalcade.question.question import Question


def first_listed(question: Question, budget: Budget, *, seed: int = 0) -> NDArray[np.int32] | Undecided:
    """Return the first listed tour with the given steps and coils.

    Args:
        question: the question, with steps or coils.
        budget: work for the list.
        seed: unused, because the order of the list is fixed.

    Returns:
        The cells of a tour, in order, or the reason why none was found.
    """
    start = None if question.closed else question.start
    for tour in list_tours(replace(question, start=start, steps=(), through=(), coils=None)):
        if question.numbered(tour.cells) is not None and question.coiled(tour.cells[None])[0]:
            return tour.cells
        steps_per_cell = 1_000  # each listed tour of 6x6 takes about 0.5 ms
        if not budget.spend(steps_per_cell * question.board.size):
            return Undecided("none of the first tours listed has what is asked", "numbered", seed)
    return Undecided(UNPROVED, "numbered", seed)
