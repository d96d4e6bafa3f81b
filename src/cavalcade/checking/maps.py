"""The checker's own symmetries: what a name means on each family of boards.

Names are those that statements have. On flat rectangles and hexagonal cells they are words, elsewhere
formulas: where the cell with these coordinates goes, as `(-row, column + 2)`. Several symmetries can share
words; then `taking a8 to a8` tells one from the others.

Nothing here is shared with what finds symmetries (`boards`, `question.symmetry`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.checking.geometry import FAMILIES, all_moves, ascending, places_of, squares_of_the_net
from cavalcade.ground.errors import CavalcadeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.boards import Board
    from cavalcade.checking.geometry import Ints
    from cavalcade.question.pieces import Piece

    Formula = list[tuple[int, int, int]]  # of each coordinate of the image: its axis, its sign, what is added

WORDS = {  # on a flat rectangle, with rows from the top
    "half turn": ["(-row, -column)"],
    "quarter turn": ["(column, -row)", "(-column, row)"],
    "reflection, top to bottom": ["(-row, column)"],
    "reflection, left to right": ["(row, -column)"],
    "reflection in a diagonal": ["(column, row)", "(-column, -row)"],
}
TURNS, SWAPS = ((1, 2, 0), (2, 0, 1)), ((0, 2, 1), (2, 1, 0), (1, 0, 2))
SIGNED = {  # on hexagonal cells: permutations of the three coordinates whose sum is 0, and a sign for all
    "turn by 60°": (TURNS, -1),
    "turn by 120°": (TURNS, 1),
    "half turn": (((0, 1, 2),), -1),
    "reflection, axis through sides": (SWAPS, 1),
    "reflection, axis through corners": (SWAPS, -1),
}


def maps_called(board: Board, piece: Piece, name: str) -> list[Ints]:
    """Where the symmetries of this name take each cell: maps of the cells that map moves to moves.

    None for a name that is not known. Time: linear in the moves for each map.
    """
    words, taking, images = name.partition(" taking ")
    places, moves = places_of(board), ascending(all_moves(board, piece), board.size)
    number = np.full(board.shape, -1)
    number[tuple(places.T)] = np.arange(len(places))
    try:
        wanted = [[board.cell(cell) for cell in pair.split(" to ")] for pair in images.split(" and ")]
    except CavalcadeError:
        wanted = []
    found = []
    for there in _images(board, places, words):
        if ((there < 0) | (there >= board.shape)).any():
            continue
        cells = number[tuple(there.T)]
        if (np.sort(cells) != np.arange(len(cells))).any():
            continue
        if not np.array_equal(ascending(cells[moves], len(cells)), moves):
            continue
        if not taking or (wanted and all([int(cells[pair[0]])] == pair[1:] for pair in wanted)):
            found.append(cells)
    return found


def _images(board: Board, places: Ints, name: str) -> Iterator[Ints]:
    """Where the places of the cells go, perhaps beyond the board."""
    family, d = FAMILIES[board.kind], len(board.shape)
    if family.walk is not None:
        yield from _in_space(board, places, name)
    elif family.fold is not None:
        for formula in _formulas([name], ["row", "column"]):
            yield family.fold(board, _moved(places, formula).T).T
    elif family.hexagonal:
        cube = np.stack([*places.T, -places.sum(axis=1)], axis=1)
        orders, sign = SIGNED.get(name, ((), 1))
        for order in orders:
            yield _brought_back(sign * cube[:, order][:, :2], places)
    else:
        axes = ["level", "row", "column"][-d:] if d <= 3 else [f"axis {i + 1}" for i in range(d)]
        for formula in _formulas(WORDS.get(name, []) if d == 2 else [name], axes):
            yield _brought_back(_moved(places, formula), places)


def _formulas(texts: list[str], axes: list[str]) -> Iterator[Formula]:
    """The formulas in these texts; none for a text that is no formula in which each axis occurs once."""
    part = re.compile(rf"(-?)({'|'.join(axes)})(?: \+ (-?[1-9][0-9]{{0,9}}))?")
    for text in texts:
        found = [part.fullmatch(one) for one in text[1:-1].split(", ")]
        read = [(axes.index(one[2]), -1 if one[1] else 1, int(one[3] or 0)) for one in found if one]
        if text == f"({text[1:-1]})" and sorted(axis for axis, _, _ in read) == list(range(len(found))):
            yield read


def _moved(places: Ints, formula: Formula) -> Ints:
    return np.stack([sign * places[:, axis] + shift for axis, sign, shift in formula], axis=1)


def _brought_back(there: Ints, places: Ints) -> Ints:
    """Images shifted so that they fill the same box as the cells."""
    return np.asarray(there - there.min(axis=0) + places.min(axis=0))


def _in_space(board: Board, places: Ints, name: str) -> Iterator[Ints]:
    """On the surface of a box: each square by the sum of its four corners."""
    sides = board.sides if len(board.sides) == 3 else board.sides * 3
    squares, corners = squares_of_the_net(board.sides)
    middle = corners.sum(axis=1)
    square = {tuple(place): i for i, place in enumerate(squares.tolist())}
    at = {tuple(point): place for point, place in zip(middle.tolist(), squares.tolist(), strict=True)}
    middle = middle[[square[tuple(place)] for place in places.tolist()]]
    for formula in _formulas([name], ["level", "row", "column"]):
        if all(
            sides[axis] == side and not shift for (axis, _, shift), side in zip(formula, sides, strict=True)
        ):
            there = [
                middle[:, axis] if sign > 0 else 4 * sides[axis] - middle[:, axis]
                for axis, sign, _ in formula
            ]
            yield np.array([at[tuple(point)] for point in np.stack(there, axis=1).tolist()])
