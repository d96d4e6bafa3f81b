"""Numbers on a board as text, and pictures of empty boards, which `boards.notation` explains.

A level is a block of lines, one per row. Levels are separated by empty lines, or by bars if they are side
by side. `.` is an unvisited cell, `#` a hole. Labels are the files above and the ranks to the left. The
corner of a level shows the prefix of its cells' names:

    ; closed tour of 2x3x7, piece knight
    1:  a  b  c  d  e  f  g | 2:  a  b  c  d  e  f  g
    3   1 24 39 18  9 12 37 | 3  22 31 42 25 36  7 14
    2  40 17  2 27 38 19 10 | 2   3 26 33 20  5 28 35
    1  23 30 41 16 11  8 13 | 1  32 21  4 29 34 15  6

A hexagon keeps its shape: its files are upright, each half a cell below its inner neighbour, so the line of
a cell (q, r) is 2r + q. A tour of a plain graph is a list of names, one per line.

A text that is read may also separate its numbers by commas, semicolons or tabs, and start at 0. A list of
cells, `a1 c2 e3`, or of moves, `a1c2 c2e3`, is read if the board is given.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby, product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cavalcade.answers.puzzles import Puzzle, Roesselsprung
from cavalcade.answers.tours import Tour, Tours
from cavalcade.boards import Board
from cavalcade.boards.notation import format_mask
from cavalcade.formats.header import (
    ZERO,
    Claim,
    TextLine,
    assert_visits_once,
    describe,
    misnamed,
    separator,
    split_comments,
)
from cavalcade.formats.letters import of_texts
from cavalcade.formats.walks import UCI, cells_of_moves
from cavalcade.ground.errors import CellError, FormatError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.words import validated

HOLE, UNVISITED = "#", "."
SOLUTION = "solution"  # the comment above the solution of a puzzle
STEP = re.compile("[0-9]{1,9}|[.#]")
# between the cells of a list: signs, the numbers of moves, and the letter of the knight
BETWEEN = re.compile(
    r"(?:[\s,;>\N{RIGHTWARDS ARROW}\N{EN DASH}]|-(?=[A-Za-z>])"
    r"|(?<!\S)[0-9]+\.+(?=[\sN])|(?<![^\s.-])N(?=[a-z][0-9]))+"
)
CELL = re.compile("([0-9]+:)*[A-Za-z]+[1-9][0-9]*")


# ---- writing


@validated
def write(
    tour: Tour | Board | Puzzle | Roesselsprung,
    *,
    header: bool = True,
    labels: bool = True,
    beside: bool = False,
) -> str:
    """Write a tour as numbers on its board, or the picture of an empty board, which has no options.

    Args:
        tour: a tour, complete or not; a board; or a puzzle, whose text `formats.puzzle` explains.
        header: whether to begin with the line of board, piece and kind.
        labels: whether to write files and ranks.
        beside: whether to write levels side by side instead of below one another.
    """
    if isinstance(tour, Board):
        return format_mask(tour)
    first = f"; {describe(tour, holes=False)}\n" if header else ""
    if tour.board.plain:
        if not isinstance(tour, Tour):
            raise FormatError(f"{tour.board.title} has no rows and columns: its puzzles cannot be written")
        return first + "".join(f"{_plain(name)}\n" for name in tour.names)
    if isinstance(tour, Roesselsprung):
        _assert_plain(tour.parts)
        first += _on_board(tour.board, tour.on_cells, labels=False, beside=False) + f"\n; {SOLUTION}\n"
        tour = tour.tour
    if isinstance(tour, Tour):
        assert_visits_once(tour)
    elif tour.words and not header:
        raise FormatError("a puzzle with links, walls or an order cannot be written without its header")
    else:
        first += "".join(f"; {word}\n" for word in tour.words)
    return first + numbers_text(tour.board, tour.steps, labels=labels, beside=beside, zero=UNVISITED)


def write_rows(tours: Tours, number: int) -> str:
    """Write a part of a list of tours, separated by empty lines.

    Args:
        tours: the tours of the part.
        number: the number of the first of them in the whole list, from 1.
    """
    board, size = tours.board, tours.board.size
    between = "\n" * (number > 1)
    if board.plain or tours.cells.shape[1] < size:
        return between + "\n".join(map(write, tours))
    # All tours have the same page except for the numbers. Write the page once with a placeholder character
    # for each cell, from the last private-use plane, find the placeholders, and fill them in for every tour.
    width, first_placeholder = len(str(size)), 0xF0000
    placeholders = [chr(first_placeholder + cell) * width for cell in range(size)]
    text = f"; {describe(next(iter(tours)), holes=False)}\n"
    text += _on_board(board, placeholders, labels=True, beside=False) + "\n"
    page = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    offsets = np.flatnonzero(page >= first_placeholder).reshape(-1, width)
    offsets = offsets[np.argsort(page[offsets[:, 0]])]  # in the order of the cells
    pages = np.tile(np.where(page < first_placeholder, page, 0).astype(np.uint8), (len(tours), 1))
    numbers = of_texts(np.array([f"{step:>{width}}" for step in range(size + 1)], dtype=bytes))
    pages[:, offsets] = numbers[tours.steps]
    return between + str(pages.tobytes(), "ascii")[:-1]


def numbers_text(
    board: Board | MoveGraph,
    numbers: ArrayLike,
    *,
    labels: bool = True,
    beside: bool = False,
    zero: str = "0",
) -> str:
    """Write integers, one per cell, on a board; on a plain graph, a list of names and numbers.

    Args:
        board: the board.
        numbers: the integers, one per cell.
        labels: whether to write files and ranks.
        beside: whether to write levels side by side instead of below one another.
        zero: the text for 0.
    """
    texts = [str(number) if number else zero for number in np.asarray(numbers).tolist()]
    if len(texts) != board.size:
        raise FormatError(f"{len(texts):,} numbers do not fit {board.title}, which has {board.size:,} cells")
    if board.plain:
        width = max(map(len, board.names), default=0)
        return "".join(f"{name:<{width}} {text}\n" for name, text in zip(board.names, texts, strict=True))
    return _on_board(board, texts, labels=labels, beside=beside)


def _on_board(board: Board, texts: list[str], *, labels: bool, beside: bool) -> str:
    """Write one text per cell on a board."""
    if board.family.hexagonal:
        return _hexagon(board, texts, labels=labels)
    area, entries = math.prod(board.shape[-2:]), _with_holes(board, texts)
    levels = (entries[i : i + area] for i in range(0, len(entries), area))
    group = board.shape[-3] if beside and board.dimensions > 2 else 1
    return "".join(_levels(board, levels, max(map(len, texts), default=0), labels=labels, group=group))


def _with_holes(board: Board, texts: Iterable[str]) -> list[str]:
    """The texts of the cells, and `#` in the holes, in the order of the whole board."""
    if board.mask is None:
        return list(texts)
    on_cells = iter(texts)
    return [next(on_cells) if cell else HOLE for cell in board.mask.ravel().tolist()]


def _levels(
    board: Board, levels: Iterable[list[str]], width: int, *, labels: bool = True, group: int = 1
) -> Iterator[str]:
    """Write the levels of a board, `group` levels side by side.

    Args:
        board: the board.
        levels: one list of entries per level, row by row.
        width: the greatest width of an entry.
        labels: whether to write files and ranks.
        group: the number of levels side by side.
    """
    *outer, m, n = board.shape
    files = board.files if labels else []
    width = 1 + max(width, *map(len, files or ["."]))
    ranks = [str(m - i) for i in range(m)]
    margin = max(len(ranks[0]), sum(len(f"{side}:") for side in outer)) if labels else 0
    blocks = []
    for index, entries in zip(product(*map(range, outer)), levels, strict=False):
        lines = ["".join([entry.rjust(width) for entry in entries[i : i + n]]) for i in range(0, m * n, n)]
        if labels:
            lines = [rank.ljust(margin) + line for rank, line in zip(ranks, lines, strict=True)]
            prefix = "".join(f"{i + 1}:" for i in index)
            blocks.append([prefix.ljust(margin) + "".join(file.rjust(width) for file in files), *lines])
        else:
            blocks.append([line[1:] for line in lines])
        if len(blocks) == group:
            yield "\n" * any(index[: len(outer) - (group > 1)]) + "".join(
                " | ".join(parts) + "\n" for parts in zip(*blocks, strict=True)
            )
            blocks = []


def write_levels(levels: Iterable[Tour], stack: Board, *, header: str = "") -> Iterator[str]:
    """Write the tour of a stack level by level, with the same text as `write`.

    Args:
        levels: the walks on the levels, from the lowest.
        stack: the whole board.
        header: the header line, without a semicolon; empty for none.
    """
    if header:
        yield f"; {header}\n"

    def entries() -> Iterator[list[str]]:
        previous = 0  # steps on the levels below
        for walk in levels:
            assert isinstance(walk.board, Board)  # noqa: S101 - for the type checker
            steps = walk.steps.tolist()
            yield _with_holes(walk.board, (str(step + previous) if step else UNVISITED for step in steps))
            previous += len(walk)

    yield from _levels(stack, entries(), len(str(stack.size)))


def _hexagon(board: Board, texts: list[str], *, labels: bool) -> str:
    """Write one text per cell on a board of hexagonal cells."""
    files = board.files if labels else []
    whole = board.whole
    entries = [HOLE] * whole.size
    for cell, text in zip(whole.locate(board.coords).tolist(), texts, strict=True):
        entries[cell] = text
    width = max(map(len, [*texts, *files])) + 1
    lines = ["".join(file.rjust(width) for file in files)] if labels else []
    for row in _lines(whole):
        start = int(whole.coords[row[0], 0]) + board.family.origin
        tokens = [entries[cell] for cell in row]
        lines.append(
            " " * (start * width) + tokens[0].rjust(width) + "".join(t.rjust(2 * width) for t in tokens[1:])
        )
    return "".join(f"{line[1:]}\n" for line in lines)


def _lines(whole: Board) -> list[list[int]]:
    """The cells on each line of the text of a board of hexagonal cells, left to right."""
    q, r = whole.coords.T
    line = 2 * r + q
    order = np.lexsort((q, line))
    ends = np.cumsum(np.bincount(line - line.min()))
    return [row.tolist() for row in np.split(order, ends[:-1]) if row.size]


def places(board: Board) -> list[tuple[int, ...]]:
    """The array indices of a whole board, in the order of its text."""
    if board.family.hexagonal:
        indices = (board.whole.coords + board.family.origin).tolist()
        return [tuple(indices[cell]) for row in _lines(board.whole) for cell in row]
    return list(product(*map(range, board.shape)))


def _assert_plain(parts: Iterable[str]) -> None:
    """Check that each part of a text for a board is read back as one part."""
    for part in parts:
        if len(part.split()) != 1 or part == HOLE or part.startswith(";"):
            raise FormatError(
                f"the part {part!r} cannot be written in text: it would not be read as one part"
            )


def _plain(name: str) -> str:
    """A name that is read back from a line of its own; another name is an error."""
    if not name or name != name.strip() or name.startswith(";") or len(name.splitlines()) != 1:
        raise FormatError(f"the name {name!r} cannot be written on a line of its own: use csv or json")
    return name


# ---- reading


def parse(text: str, claim: Claim) -> Tour:
    """Read a tour."""
    claim, lines = split_comments(text, claim)
    if claim.names_allowed:
        labels = [line.text.strip() for line in lines if line.text.strip()]
        on_line = re.split(r"[\s,;]+", labels[0]) if len(labels) == 1 else []
        if len(on_line) > 1 and {*on_line} <= {*claim.needs_board().names}:
            labels = on_line[:-1] if on_line[0] == on_line[-1] else on_line
        return claim.tour_of_names(labels)
    lines = list(lines)
    words = ((line, word) for line in lines for word in BETWEEN.split(line.text) if word)
    first = next(words, None)
    if first and UCI.fullmatch(first[1]):
        cells = cells_of_moves([first[1], *(word for _, word in words)])
        if cells is None:
            raise first[0].error("expected moves such as a1b3, each from the cell where the one before ends")
        closed = len(cells) > 2 and cells[0] == cells[-1]
        return (replace(claim, closed=True) if closed else claim).tour_of_names(
            cells[: -1 if closed else None]
        )
    if first and CELL.fullmatch(first[1]):
        named = [first, *words]
        names = [name for _, name in named]
        if len(names) > 2 and names[0] == names[-1]:  # a closed tour that repeats its first cell
            claim, names = replace(claim, closed=True), names[:-1]
        try:
            return claim.tour_of_names(names)
        except CellError:
            raise misnamed(claim.needs_board(), named) or AssertionError("every word is a cell") from None
    claim, steps = numbers_in(lines, claim)
    return claim.tour_of_steps(steps)


def numbers_in(lines: Iterable[TextLine], claim: Claim) -> tuple[Claim, NDArray[np.int64]]:
    """Read numbers on a board.

    Args:
        lines: the lines of the text, without comments.
        claim: the board, piece and kind, if they are known.

    Returns:
        The claim, which now has the board if the shape of the text is a hexagon; and the numbers, in the form
        that `Claim.tour_of_steps` expects.

    Raises:
        FormatError: the numbers do not make a board, or a different board from that of the claim.
    """
    board = claim.drawn_board()
    blocks = [list(block) for filled, block in groupby(lines, lambda line: bool(line.text.strip())) if filled]
    levels = [level for block in blocks for level in _parts(block)]
    if not levels:
        raise FormatError("there is nothing in it, expected numbers on a board")
    if board is not None and board.family.hexagonal:
        return claim, _hexagon_steps(levels, board.whole)
    if board is None and len(levels) == 1 and (side := _hexagon_side(levels[0])):
        return claim.filled(f"hex:{side}"), _hexagon_steps(levels, Board.hexagon(side))
    arrays = [level.array() for level in levels]
    if len({array.shape for array in arrays}) > 1:
        odd = next(i for i, array in enumerate(arrays) if array.shape != arrays[0].shape)
        raise levels[odd].rows[0].error(f"level {odd + 1} and level 1 have different sizes")
    if board is None and len(levels) > 1 and levels[0].files is None and 1 in arrays[0].shape:
        why = "one row or column per level: bars and empty lines separate levels"
        raise levels[0].rows[0].error(f"{why}, unless the board is given")
    outer = _outer(levels, board)
    return claim, np.array(arrays).reshape(*outer, *arrays[0].shape)


class _Level:
    """A level of a text.

    Attributes:
        rows: the lines of numbers, cut into words.
        label: the line of files above the numbers, or None.
        prefix: the prefix of the level, such as `2:`; empty if there is none.
        files: the files, or None without labels.
    """

    def __init__(self, rows: list[TextLine], label: TextLine | None) -> None:
        self.rows, self.label = rows, label
        words = label.words if label else []
        self.prefix = words[0] if words and ":" in words[0] else ""
        self.files = words[bool(self.prefix) :] if label else None

    def check_files(self, files: list[str]) -> None:
        """Check that the labels above the numbers are the files of the board, in order.

        Raises:
            FormatError: the labels differ.
        """
        if self.label and self.files != files:
            raise self.label.error(f"expected the files {' '.join(files)[:40]}")

    def array(self) -> NDArray[np.int64]:
        """The numbers, without ranks."""
        rows = self.rows
        m, n = len(rows), len(self.files or rows[0].words)
        if self.files is not None:
            self.check_files(Board.box(1, max(n, 1)).files)
            for i, row in enumerate(rows):
                if not row.words or row.words[0] != str(m - i):
                    raise row.error(f"expected rank {m - i} first")
            rows = [row._replace(words=row.words[1:]) for row in rows]
        for row in rows:
            if len(row.words) != n:
                raise row.error(f"{len(row.words)} numbers in a row, expected {n}")
        return np.array([_steps(row) for row in rows], dtype=np.int64).reshape(m, n)


def _parts(block: list[TextLine]) -> list[_Level]:
    """The levels of a block: one level, or several between bars."""
    parts = [line.text.split("|") for line in block]
    for line, part in zip(block, parts, strict=True):
        if len(part) != len(parts[0]):
            raise line.error(f"{len(part)} levels side by side, expected {len(parts[0])}")
    levels = []
    for texts in zip(*parts, strict=True):
        rows = [line._replace(words=_tokens(line, text)) for line, text in zip(block, texts, strict=True)]
        labelled = any(character.isalpha() for character in texts[0])
        if labelled and len(rows) == 1:
            raise block[0].error("there is nothing below it, expected rows of numbers")
        levels.append(_Level(rows[labelled:], rows[0] if labelled else None))
    return levels


def _tokens(line: TextLine, part: str) -> list[str]:
    """The words in a part of a line, separated by spaces, commas, semicolons or tabs."""
    part = part.replace('"', " ")  # some spreadsheets quote every field
    mark = separator(part)
    if mark and re.search(rf"{mark}[ ]*{mark}", part):
        raise line.error("an empty field, expected a number, '.' or '#'")
    return (part.replace(mark, " ") if mark else part).split()


def _steps(row: TextLine) -> list[int]:
    """The numbers in a row: 0 for unvisited cells, -1 for holes, `ZERO` for a 0."""
    for token in row.words:
        if not STEP.fullmatch(token):
            raise row.error(f"{token[:40]!r} is not a step, expected a number, '.' or '#'", token)
    return [0 if t == UNVISITED else -1 if t == HOLE else int(t) or ZERO for t in row.words]


def _outer(levels: list[_Level], board: Board | None) -> tuple[int, ...]:
    """The shape of the array of levels: from the board, else from the prefixes, else one row of levels."""
    outer: tuple[int, ...] = (len(levels),) if len(levels) > 1 else ()
    if board is not None and math.prod(board.shape[:-2]) == len(levels):
        outer = board.shape[:-2]
    elif levels[0].prefix:
        sides = levels[-1].prefix.rstrip(":").split(":")
        if all(side.isdigit() and len(side) < 10 for side in sides):
            outer = tuple(map(int, sides))
        if math.prod(outer) != len(levels):
            raise levels[-1].rows[0].error(f"{len(levels)} levels end with {levels[-1].prefix}")
    for level, index in zip(levels, product(*map(range, outer)), strict=False):
        prefix = "".join(f"{i + 1}:" for i in index)
        if level.label and levels[0].prefix and level.prefix != prefix:
            raise level.label.error(f"expected level {prefix} here")
    return outer


def _hexagon_side(level: _Level) -> int:
    """The side of the regular hexagon that a level looks like, from its first two lines; 0 if it does not."""
    side, remainder = divmod(len(level.rows) + 3, 4)
    counts = [len(row.words) for row in level.rows]
    begins = counts[1:2] == [2] if side > 1 else level.files is not None
    return side if not remainder and counts[0] == 1 and begins else 0


def _hexagon_steps(levels: list[_Level], whole: Board) -> NDArray[np.int64]:
    """The numbers in the text of a board of hexagonal cells, as an array."""
    order = _lines(whole)
    if len(levels) > 1 or len(levels[0].rows) != len(order):
        count = sum(len(level.rows) for level in levels)
        raise FormatError(f"{count} lines do not make {whole.title}, expected {len(order)}")
    levels[0].check_files(whole.files)
    steps = np.full(whole.shape, -1, dtype=np.int64)
    for row, cells in zip(levels[0].rows, order, strict=True):
        if len(row.words) != len(cells):
            raise row.error(f"{len(row.words)} numbers, expected {len(cells)} on {whole.title}")
        steps[tuple((whole.coords[cells] + whole.family.origin).T)] = _steps(row)
    return steps
