"""TSPLIB `.tour` files: the numbers of the cells in order, from 1, then -1.

A COMMENT carries the sentence about board, piece and kind. Without it the board must be given, and the
tour is closed, as in TSPLIB. DIMENSION counts the cells of the tour.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.formats.header import describe, line_error
from cavalcade.formats.tsplib import numbers_after, split_sections
from cavalcade.ground.errors import CavalcadeError, FormatError

if TYPE_CHECKING:
    from cavalcade.answers.tours import Tour
    from cavalcade.formats.header import Claim, Look


def write(tour: Tour) -> str:
    """The tour as a TSPLIB file."""
    cells = "\n".join(map(str, [*(tour.cells + 1).tolist(), -1]))
    return (
        f"NAME : {tour.board.title}\nCOMMENT : {describe(tour)}\nTYPE : TOUR\nDIMENSION : {len(tour)}\n"
        f"TOUR_SECTION\n{cells}\nEOF\n"
    )


def sniff(look: Look) -> bool:
    """Whether it has the section, or begins with a field of such a file."""
    if re.search(r"^\s*TOUR_SECTION", look.text, re.MULTILINE):
        return True
    return not look.names and re.match(r"(NAME|TYPE|COMMENT|DIMENSION)\s*:", look.first) is not None


def parse(text: str, claim: Claim) -> Tour:
    """The tour in a TSPLIB file.

    Raises:
        FormatError: there is none in it.
    """
    fields, sections, ended = split_sections(text)
    for key, value, number, line in fields:
        if key == "COMMENT":
            try:
                claim = claim.with_comment(value)
            except CavalcadeError as error:
                raise line_error(number, line, str(error)) from None
        elif key == "TYPE" and value.upper() != "TOUR":
            raise line_error(number, line, "expected a file of TYPE TOUR")
    if "TOUR_SECTION" not in sections:
        raise FormatError("there is no TOUR_SECTION in it, expected one with the numbers of the cells")
    board = claim.needs_board()
    lines = sections["TOUR_SECTION"]
    cells, where = numbers_after(lines)
    ends = np.flatnonzero(cells == -1)
    if ends.size:
        if (cells[ends[0] :] != -1).any():
            after = int(ends[0] + np.argmax(cells[ends[0] :] != -1))
            raise line_error(*where(after), "a second tour begins here, expected one per file")
        cells = cells[: ends[0]]
    for key, value, number, line in fields:
        if key == "DIMENSION" and value != str(len(cells)):
            raise line_error(number, line, f"the tour has {len(cells):,} cells")
    if not ends.size and not ended:
        raise FormatError("the file ends in the middle of the tour, expected -1 or EOF")
    wrong = np.flatnonzero((cells < 1) | (cells > board.size))
    if wrong.size:
        raise line_error(*where(int(wrong[0])), f"not a cell of {board.title}, expected 1 to {board.size}")
    return (claim if claim.closed is not None else replace(claim, closed=True)).tour(cells - 1)
