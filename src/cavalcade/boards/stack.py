"""Stacks: boards piled up into one box of one more dimension.

A move to another level lands on the square with the same name and continues from there (J. R. Gerlach and
S. M. Gerlach, The Knight's Tour in 3-Dimensional Chess, 2019). Therefore boards of different sizes are
aligned at their squares a1; cells that a smaller board lacks become holes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cavalcade.boards.board import Board
from cavalcade.ground.errors import BoardError


def stacked(boards: Sequence[Board]) -> Board:
    """Return the stack of some boxes.

    Args:
        boards: boxes with the same number of dimensions, with or without holes; the first becomes level 1,
            the lowest.

    Raises:
        BoardError: there is no board, a board is not a box, or the numbers of dimensions differ.
    """
    if not boards:
        raise BoardError("there is no board to stack, expected one or more")
    for board in boards:
        if not board.is_box or board.dimensions != boards[0].dimensions:
            raise BoardError(
                f"{board.title} cannot be stacked, expected a box of {boards[0].dimensions} dimensions"
            )
    shape = tuple(max(sides) for sides in zip(*(board.shape for board in boards), strict=True))
    mask = np.zeros((len(boards), *shape), dtype=np.bool_)
    for level, board in zip(mask, boards, strict=True):
        level[corner(board, shape)] = True if board.mask is None else board.mask
    return Board("box", mask.shape, mask)


def corner(board: Board, shape: tuple[int, ...]) -> tuple[slice, ...]:
    """Return the slices of a larger array that a box fills if its a1 is the a1 of the array.

    Args:
        board: the box.
        shape: shape of the larger array.
    """
    slices = [slice(side) for side in board.shape]
    slices[-2] = slice(shape[-2] - board.shape[-2], None)  # a1 is in the last row
    return tuple(slices)
