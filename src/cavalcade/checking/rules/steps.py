"""`steps`: two cells that are given at steps, with too few moves between them: a contradiction.

Between the two cells the tour makes exactly as many moves as their steps differ. If every walk between them
has more moves, or every walk has an odd number of moves where an even one is needed, or the other way round,
there is no tour. In a closed tour the same holds from the second cell on to the first.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.constraints import moves_left
from cavalcade.checking.present import Ints, PresentGraph, WrongError, counted


def check(present: PresentGraph, cells: Ints) -> None:
    """Walk from the first cell."""
    moves, least = _moves(present, cells)
    if least is not None and least <= moves:
        raise WrongError(f"{present.called(cells)} can be walked in {moves} moves")


def sentence(present: PresentGraph, cells: Ints) -> str:
    """The steps, and what a walk takes."""
    moves, least = _moves(present, cells)
    a, b = (present.name(cell) for cell in cells.tolist())
    parity = "even" if moves % 2 == 0 else "odd"
    walks = f"no walk from {a} to {b} has an {parity} number of moves"
    if least is not None:
        walks = f"a walk from {a} to {b} with an {parity} number of moves has at least {least}"
    return f"From {a} to {b} the tour would have to make {counted(moves, 'move')}, but {walks}."


def _moves(present: PresentGraph, cells: Ints) -> tuple[int, int | None]:
    """The moves from the first cell on to the second, and the fewest of a walk of the same parity, if any.

    Raises:
        WrongError: these are no two cells with given steps, or the tour does not go from one to the other.
    """
    question = present.question
    if present.one_way or len(cells) != 2:
        raise WrongError("it is not about two cells with given steps")
    n, (a, b) = question.board.size, cells.tolist()
    step = {cell: step for step, cell in question.given.items()}
    if a not in step or b not in step or (step[b] < step[a] and not question.closed):
        raise WrongError(f"{present.called(cells)} are not given at steps, one after the other")
    moves = (step[b] - step[a]) % n
    left = moves_left(question)
    tails, heads = np.concatenate([left, left[:, ::-1]]).T
    reached = np.zeros((2, n), dtype=np.bool_)
    front, count = np.zeros(n, dtype=np.bool_), 0
    front[a] = reached[0, a] = True
    while front.any():
        if front[b] and count % 2 == moves % 2:
            return moves, count
        count += 1
        after = np.zeros(n, dtype=np.bool_)
        after[heads[front[tails]]] = True
        front = after & ~reached[count % 2]
        reached[count % 2] |= front
    return moves, None
