"""`colours`: around a cell, the present graph has two colours of different sizes: a contradiction.

Every edge in the connected component of the cell joins cells of different colours. The colours alternate
along a tour, so a tour has equally many cells of each.
"""

from __future__ import annotations

import numpy as np

from cavalcade.answers.certificate import Certificate, Step, StepProof
from cavalcade.checking.geometry import vectors
from cavalcade.checking.present import Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Colour the component, and compare the sizes."""
    same, opposite = colours(present, present.only(cells))
    if len(same) == len(opposite):
        raise WrongError(f"both colours have {len(same)} cells")


def board_colours(certificate: Certificate) -> tuple[int, int] | None:
    """The sizes of the first cell's colour and of the other, if the spec of the board proves the step.

    On a box without holes whose piece changes the parity of the sum of the coordinates in each move, the
    colours are the two parities. Only a box with an odd number of cells has one more cell of the parity of
    its first cell than of the other. No graph is built, so the board may have any size.

    Returns:
        None if the proof is another one, or if its check needs the graph.
    """
    question, proof = certificate.question, certificate.proof
    board, size = question.board, question.board.size
    if not isinstance(proof, StepProof) or proof.steps != (Step("colours", (0,)),):
        return None
    if board.plain or board.kind != "box" or board.mask is not None or not question.closed or size % 2 == 0:
        return None
    if any(sum(vector) % 2 == 0 for vector in vectors(board, question.piece)):
        return None
    return size // 2 + 1, size // 2


def colours(present: PresentGraph, cell: int) -> tuple[Ints, Ints]:
    """The cells in the component of a cell: the cells of its colour, and the cells of the other colour.

    Raises:
        WrongError: an edge joins two cells of one colour.
    """
    even, odd = present.walks()
    same, opposite = even == even[cell], odd == even[cell]
    if (same & opposite).any():
        raise WrongError("the cells cannot be coloured with two colours")
    return np.flatnonzero(same), np.flatnonzero(opposite)
