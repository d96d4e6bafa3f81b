"""Stacks: flat boards one above another, as one box of a dimension more.

A move to another level lands on the square of the same name and goes on from there, as J. R. Gerlach and S.
M. Gerlach have it (The Knight's Tour in 3-Dimensional Chess, 2019). So boards of different sizes lie with
their squares a1 one above another; cells that a smaller board lacks become holes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cavalcade.boards.board import Board
from cavalcade.ground.errors import BoardError


def stacked(boards: Sequence[Board]) -> Board:
    """The stack of these boxes, the first lowest: level 1.

    Args:
        boards: boxes of the same number of dimensions, with or without holes.

    Raises:
        BoardError: there is none, or one of them is no box or has another number of dimensions.
    """
    if not boards:
        raise BoardError("there is no board to stack, expected one or more")
    for board in boards:
        if not board.is_box or board.dimensions != boards[0].dimensions:
            raise BoardError(
                f"{board.title} cannot be stacked, expected a box of {boards[0].dimensions} dimensions"
            )
    shape = tuple(max(sides) for sides in zip(*(board.shape for board in boards), strict=True))
    if all(board.shape == shape and board.mask is None for board in boards):
        return Board.box(len(boards), *shape)
    mask = np.zeros((len(boards), *shape), dtype=np.bool_)
    for level, board in zip(mask, boards, strict=True):
        level[corner(board, shape)] = True if board.mask is None else board.mask
    return Board("box", mask.shape, mask)


def corner(board: Board, shape: tuple[int, ...]) -> tuple[slice, ...]:
    """Where a box lies in a larger array: with its a1 in the array's."""
    inside = [slice(side) for side in board.shape]
    inside[-2] = slice(shape[-2] - board.shape[-2], None)
    return tuple(inside)
