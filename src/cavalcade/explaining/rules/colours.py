"""Words and signs of `colours`."""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import Ints, PresentGraph
from cavalcade.checking.rules.colours import colours
from cavalcade.explaining.wording import Wording, capitalized, nouns_of, piece_name
from cavalcade.question.question import Question

LEGEND = {"named": "the larger colour", "beside": "the smaller colour"}


def sentence(words: Wording, cells: Ints) -> str:
    """Why colours alternate, and how many cells have each."""
    present, nouns = words.present, words.nouns
    same, other = colours(present, int(cells[0]))
    name, piece = present.name(int(cells[0])), piece_name(present.question)
    if present.question.board.plain:
        changes = f"every {nouns.move} joins two {nouns.cells} of different colours"
    else:
        changes = f"every {f'{piece} ' * bool(piece)}move changes the colour of the {nouns.cell}"
    if len(same) + len(other) < present.count:
        reached = f"The {nouns.cells} that can be reached from {name}"
        text = f"{reached} can be coloured with two colours so that {changes}."
        subject = f"Of these, {len(same):,}"
    elif is_chequered(present, same):
        text = f"{capitalized(changes)}."
        subject = f"{words.count_cells(len(same))}"
    else:
        text = f"The {nouns.cells} can be coloured with two colours so that {changes}."
        subject = f"{words.count_cells(len(same))}"
    return (
        f"{text} {subject} {'has' if len(same) == 1 else 'have'} the colour of {name} and {len(other):,} "
        f"{'has' if len(other) == 1 else 'have'} the other, so {words.no_tour} can alternate between the two "
        "colours."
    )


def board_sentence(question: Question, same: int, other: int) -> str:
    """The sentence without a graph: the numbers of cells of the first cell's colour and of the other."""
    nouns, name, piece = nouns_of(question), question.board.name(0), piece_name(question)
    return (
        f"Every {f'{piece} ' * bool(piece)}move changes the colour of the {nouns.cell}. {same:,} "
        f"{nouns.cells} have the colour of {name} and {other:,} {'has' if other == 1 else 'have'} the "
        f"other, so no {nouns.tour} can alternate between the two colours."
    )


def is_chequered(present: PresentGraph, same: Ints) -> bool:
    """Whether a colour class has the squares of one colour on a chessboard."""
    board = present.question.board
    if board.plain or present.size > board.size:
        return False
    colour = np.zeros(board.size, dtype=np.bool_)
    colour[same] = True
    parity = board.coords.sum(axis=1) % 2 == 0
    return bool((colour == parity).all() or (colour != parity).all())


def roles(present: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The smaller colour and the larger one."""
    smaller, larger = sorted(colours(present, int(cells[0])), key=len)
    return {"beside": [smaller], "named": [larger]}
