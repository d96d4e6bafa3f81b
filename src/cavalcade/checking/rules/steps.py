"""`steps`: two cells at given steps, with too few moves between them: a contradiction.

The number of moves that the tour makes between the two cells is the difference of their steps. There is no
tour if every walk of the same parity is longer, or if there is no walk of that parity. In a closed tour the
same holds from the second cell on to the first.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.constraints import moves_left
from cavalcade.checking.present import Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Compare the number of moves with the shortest walk."""
    moves, least = shortest_walk(present, cells)
    if least is not None and least <= moves:
        raise WrongError(f"{present.called(cells)} can be walked in {moves} moves")


def shortest_walk(present: PresentGraph, cells: Ints) -> tuple[int, int | None]:
    """Find the shortest walk from the first cell to the second, of the parity that their steps require.

    Returns:
        The number of moves that the tour makes between the cells, and the length of the shortest walk of the
        same parity; None if there is no such walk.

    Raises:
        WrongError: the cells are not two cells at given steps, or the tour does not go from the first to the
            second.
    """
    question = present.question
    if present.one_way or len(cells) != 2:
        raise WrongError("it is not about two cells with given steps")
    n, (a, b) = question.board.size, cells.tolist()
    step = {cell: step for step, cell in question.given.items()}
    if a not in step or b not in step or (step[b] < step[a] and not question.closed):
        raise WrongError(f"{present.called(cells)} are not given at steps, one after the other")
    moves = (step[b] - step[a]) % n
    edges = moves_left(question)
    tails, heads = np.concatenate([edges, edges[:, ::-1]]).T
    # Breadth-first search over pairs of a cell and the parity of the walk that reaches it.
    reached = np.zeros((2, n), dtype=np.bool_)
    front, length = np.zeros(n, dtype=np.bool_), 0
    front[a] = reached[0, a] = True
    while front.any():
        if front[b] and length % 2 == moves % 2:
            return moves, length
        length += 1
        after = np.zeros(n, dtype=np.bool_)
        after[heads[front[tails]]] = True
        front = after & ~reached[length % 2]
        reached[length % 2] |= front
    return moves, None
