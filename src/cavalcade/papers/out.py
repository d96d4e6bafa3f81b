"""The data set that PROC OPTGRAPH writes with `tsp out=`, as PROC PRINT shows it: the links of a tour.

    ; closed tour of 5x6, piece knight
    Obs origin destination
    1 1_1 2_3
    2 2_3 4_2
    ...

A label is that of `links --labels i_j`: the coordinates of a cell, counted from 1; r and q, from 0, on boards
of hexagons; the name of a vertex on a graph without a board. The reader accepts links in either direction, as
OPTGRAPH writes them, blanks between the numbers, as in the paper of 2020, and any titles of the two columns.
It also reads the data set as a table, as PROC EXPORT writes it: `origin,destination`, then `1_1,2_3`.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.formats.csv import cells_at
from cavalcade.formats.header import assert_visits_once, describe, separator, split_comments
from cavalcade.formats.tables import Columns, rows_of
from cavalcade.ground.errors import FormatError
from cavalcade.question.moves import coords_of, places

if TYPE_CHECKING:
    from cavalcade.answers.tours import Tour
    from cavalcade.formats.header import Claim, Look, TextLine

TITLES = "Obs origin destination"
NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")


def write(tour: Tour, *, header: bool = True) -> str:
    """Return the links of a tour, one per line; `header` adds the sentence about the tour.

    Raises:
        FormatError: the tour has one cell or visits one twice, or a name contains a blank.
    """
    if len(tour) < 2:
        raise FormatError("a tour of one cell has no links: use csv or json")
    assert_visits_once(tour)
    if tour.board.plain:
        labels = tour.names
        if bad := next((name for name in labels if len(name.split()) != 1), None):
            raise FormatError(f"the name {bad!r} cannot stand between blanks: use csv or json")
    else:
        labels = ["_".join(map(str, place)) for place in places(tour.board, tour.coords).tolist()]
    links = pairwise([*labels, *labels[: tour.closed]])
    rows = [f"{k} {origin} {destination}" for k, (origin, destination) in enumerate(links, 1)]
    return "\n".join([*[f"; {describe(tour)}"] * header, TITLES, *rows, ""])


def sniff(look: Look) -> bool:
    """Return whether the first line has the titles of PROC PRINT for links, or of a table of links."""
    words = look.first.lower().split()
    return (words[:1] == ["obs"] and (len(words) == 3 or _has_weights(words))) or is_table(look.first)


def _has_weights(titles: list[str]) -> bool:
    """Return whether PROC PRINT has printed the weights of links."""
    return len(titles) == 4 and titles[3].lower() == "weight"


def is_table(first: str) -> bool:
    """Return whether a line has the titles of links between separators."""
    mark = separator(first)
    return mark is not None and Columns.of(first.split(mark)) is not None


def parse(text: str, claim: Claim) -> Tour:
    """Return the tour along the links, from the first origin if it is an end or the links are closed."""
    claim, lines_ = split_comments(text, claim)
    lines = [line for line in lines_ if line.text.strip()]
    if lines and is_table(lines[0].text):
        top, *lines = rows_of("\n".join(line.text for line in lines))
        columns = Columns.of(top.words)
        assert columns is not None  # noqa: S101 - for the type checker
        links = [_cells(columns.of_row(line)[:2], line, plain=claim.names_allowed) for line in lines]
    else:
        titles, lines = lines[0].text.split(), lines[1:]
        if _has_weights(titles):
            lines = [line._replace(text=" ".join(line.text.split()[:-1])) for line in lines]
        links = [_ends(line, plain=claim.names_allowed) for line in lines]
    if not links or len({len(end) for link in links for end in link}) > 1:
        raise FormatError(f"expected links below {TITLES!r}, all with labels such as 1_1")
    start, target = links[0]
    if len(links) > 1 and target not in links[1]:
        start, target = target, start
    path = [start, target]
    for line, link in zip(lines[1:], links[1:], strict=True):
        if path[-1] not in link:
            raise line.error("this link does not go on from the one above")
        path.append(link[link[0] == path[-1]])
    closed = len(path) > 2 and path[0] == path[-1]
    cells = path[: len(path) - closed]
    if claim.closed is None:
        claim = replace(claim, closed=closed)
    if claim.names_allowed:
        return claim.tour_of_names([name for (name,) in cells])
    ends = np.array([[int(word) for word in cell] for cell in cells], dtype=np.int64)
    if claim.board is None:
        sides = ends.max(axis=0).tolist()
        if math.prod(sides) != len(ends):
            raise FormatError("the links do not visit every cell of a box: give the board (--board)")
        claim = claim.filled("x".join(map(str, sides)))
    board = claim.needs_board()
    if board.plain or ends.shape[1] != board.dimensions:
        raise FormatError(f"the labels have {ends.shape[1]} numbers, which does not fit {board.title}")
    return claim.tour(cells_at(board, coords_of(board, ends)))


def _cells(labels: list[str], line: TextLine, *, plain: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the two labels of a row, each as the numbers of a cell or the name of a vertex."""
    ends = [(label,) if plain else tuple(re.split(r"[\s_]+", label)) for label in labels]
    if not plain and not all(len(end) > 1 and all(map(NUMBER.fullmatch, end)) for end in ends):
        raise line.error("expected two labels such as 1_1")
    return ends[0], ends[1]


def _ends(line: TextLine, *, plain: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return origin and destination of a line, each the numbers of a cell or the name of a vertex."""
    words = line.text.split()[1:] if plain else re.split(r"[\s_]+", line.text.strip())[1:]
    half = len(words) // 2
    good = half == 1 if plain else half > 1 and all(map(NUMBER.fullmatch, words))
    if len(words) % 2 or not good:
        raise line.error(f"expected a number and two {'names' if plain else 'labels such as 1_1'}")
    return tuple(words[:half]), tuple(words[half:])
