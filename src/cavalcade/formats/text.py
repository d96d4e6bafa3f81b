"""Numbers on a board, as text.

A level is a block of lines, a row a line; empty lines stand between levels, or bars where the levels lie
side by side. `.` is a cell not visited, `#` a hole. Labels are the files above and the ranks to the
left; in the corner stands what the names of a level begin with:

    ; closed tour of 2x3x7, piece knight
    1:  a  b  c  d  e  f  g | 2:  a  b  c  d  e  f  g
    3   1 24 39 18  9 12 37 | 3  22 31 42 25 36  7 14
    2  40 17  2 27 38 19 10 | 2   3 26 33 20  5 28 35
    1  23 30 41 16 11  8 13 | 1  32 21  4 29 34 15  6

A hexagon is drawn as one: its files stand upright, each half a cell below its inner neighbour, so that
the line of a cell (q, r) is 2r + q. A tour of a plain graph is a list of names, one a line.
"""

from __future__ import annotations

import math
import re
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.boards import Board
from cavalcade.errors import FormatError
from cavalcade.formats.header import describe, line_error, split_comments
from cavalcade.graph import MoveGraph

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import ArrayLike, NDArray

    from cavalcade.answers.tours import Tour
    from cavalcade.formats.header import Claim

HOLE, UNVISITED = "#", "."
STEP = re.compile("[0-9]{1,9}|[.#]")


# ---- writing


def write(tour: Tour, *, header: bool = True, labels: bool = True, beside: bool = False) -> str:
    """The tour as numbers on its board.

    Args:
        tour: complete or not.
        header: begin with the sentence that lets `read` know board, piece and kind.
        labels: files and ranks.
        beside: levels side by side instead of below one another.
    """
    first = f"; {describe(tour, holes=False)}\n" if header else ""
    if isinstance(tour.board, MoveGraph):
        return first + "".join(f"{_plain(name)}\n" for name in tour.names)
    return first + numbers_text(tour.board, tour.steps, labels=labels, beside=beside, zero=UNVISITED)


def numbers_text(
    board: Board | MoveGraph,
    numbers: ArrayLike,
    *,
    labels: bool = True,
    beside: bool = False,
    zero: str = "0",
) -> str:
    """Any integers, one a cell, on their board; on a plain graph a list of names and numbers.

    Args:
        board: the board.
        numbers: one integer a cell.
        labels: files and ranks.
        beside: levels side by side instead of below one another.
        zero: what stands for 0.
    """
    texts = [str(number) if number else zero for number in np.asarray(numbers).tolist()]
    if len(texts) != board.size:
        raise FormatError(f"{len(texts):,} numbers do not fit {board.title}, which has {board.size:,} cells")
    if isinstance(board, MoveGraph):
        width = max(map(len, board.names), default=0)
        return "".join(f"{name:<{width}} {text}\n" for name, text in zip(board.names, texts, strict=True))
    if board.family.hexagonal:
        return _hexagon(board, texts, labels=labels)
    if board.mask is not None:
        numbered = iter(texts)
        texts = [next(numbered) if cell else HOLE for cell in board.mask.ravel().tolist()]
    return _levels(board, texts, labels=labels, beside=beside)


def _levels(board: Board, texts: list[str], *, labels: bool, beside: bool) -> str:
    *levels, m, n = board.shape
    files = board.files if labels else []
    ranks = [str(m - i) for i in range(m)]
    width = 1 + max(map(len, [*texts, *files]))
    prefixes = ["".join(f"{i + 1}:" for i in at) for at in product(*map(range, levels))]
    margin = max(len(ranks[0]), len(prefixes[-1]))
    blocks = []
    for k, prefix in enumerate(prefixes):
        rows = [texts[i : i + n] for i in range(k * m * n, (k + 1) * m * n, n)]
        lines = ["".join([text.rjust(width) for text in row]) for row in rows]
        if labels:
            lines = [rank.ljust(margin) + line for rank, line in zip(ranks, lines, strict=True)]
            lines.insert(0, prefix.ljust(margin) + "".join(file.rjust(width) for file in files))
        else:
            lines = [line[1:] for line in lines]
        blocks.append(lines)
    group = levels[-1] if beside and levels else 1
    return "\n".join(
        "".join(" | ".join(lines) + "\n" for lines in zip(*blocks[i : i + group], strict=True))
        for i in range(0, len(blocks), group)
    )


def _hexagon(board: Board, texts: list[str], *, labels: bool) -> str:
    files = board.files if labels else []
    whole = board.whole
    places = [HOLE] * whole.size
    for place, text in zip(whole.locate(board.coords).tolist(), texts, strict=True):
        places[place] = text
    width = max(map(len, [*texts, *files])) + 1
    lines = ["".join(file.rjust(width) for file in files)] if labels else []
    for row in _lines(whole):
        start = int(whole.coords[row[0], 0]) + board.family.origin
        tokens = [places[cell] for cell in row]
        lines.append(
            " " * (start * width) + tokens[0].rjust(width) + "".join(t.rjust(2 * width) for t in tokens[1:])
        )
    return "".join(f"{line[1:]}\n" for line in lines)


def _lines(whole: Board) -> list[list[int]]:
    """The cells of each line of a drawn board of hexagonal cells, left to right."""
    q, r = whole.coords.T
    line = 2 * r + q
    order = np.lexsort((q, line))
    ends = np.cumsum(np.bincount(line - line.min()))
    return [row.tolist() for row in np.split(order, ends[:-1]) if row.size]


def _plain(name: str) -> str:
    if not name or name != name.strip() or name.startswith(";") or len(name.splitlines()) != 1:
        raise FormatError(f"the name {name!r} cannot stand on a line of its own: use csv or json")
    return name


# ---- reading


def parse(text: str, claim: Claim) -> Tour:
    """The tour that a text shows.

    Raises:
        FormatError: it shows none.
    """
    claim, lines = split_comments(text, claim)
    if isinstance(claim.board, MoveGraph):
        return claim.tour_of_names([line.strip() for _, line in lines if line.strip()])
    levels = [level for block in _blocks(lines) for level in _parts(block)]
    if not levels:
        raise FormatError("there is nothing in it, expected numbers on a board")
    board = claim.board
    if board is not None and board.family.hexagonal:
        return claim.tour_of_steps(_hexagon_steps(levels, board.whole))
    if board is None and len(levels) == 1 and (side := _hexagon_side(levels[0])):
        return claim.told(f"hex:{side}").tour_of_steps(_hexagon_steps(levels, Board.hexagon(side)))
    arrays = [level.array() for level in levels]
    if len({array.shape for array in arrays}) > 1:
        odd = next(i for i, array in enumerate(arrays) if array.shape != arrays[0].shape)
        number, line = levels[odd].rows[0][:2]
        raise line_error(number, line, f"level {odd + 1} has another size than level 1")
    outer = _outer(levels, board)
    return claim.tour_of_steps(np.array(arrays).reshape(*outer, *arrays[0].shape))


class _Level:
    """The lines of a level: their numbers, texts and tokens; its files and prefix, if it has labels."""

    def __init__(self, rows: list[tuple[int, str, list[str]]], label: list[str] | None) -> None:
        self.rows = rows
        self.prefix = label[0] if label and ":" in label[0] else ""
        self.files = label[1:] if self.prefix and label else label

    def array(self) -> NDArray[np.int64]:
        """The rows as numbers, without their ranks."""
        rows = self.rows
        m, n = len(rows), len(self.files or rows[0][2])
        if self.files is not None:
            for i, (number, line, tokens) in enumerate(rows):
                if not tokens or tokens[0] != str(m - i):
                    raise line_error(number, line, f"expected rank {m - i} first")
            rows = [(number, line, tokens[1:]) for number, line, tokens in rows]
        for number, line, tokens in rows:
            if len(tokens) != n:
                raise line_error(number, line, f"{len(tokens)} numbers in a row, expected {n}")
        return np.array([_steps(*row) for row in rows], dtype=np.int64).reshape(m, n)


def _blocks(lines: Iterable[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    block: list[tuple[int, str]] = []
    for number, line in lines:
        if line.strip():
            block.append((number, line))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _parts(block: list[tuple[int, str]]) -> list[_Level]:
    """The levels of a block: one, or several between bars."""
    parts = [line.split("|") for _, line in block]
    for (number, line), part in zip(block, parts, strict=True):
        if len(part) != len(parts[0]):
            raise line_error(number, line, f"{len(part)} levels side by side, expected {len(parts[0])}")
    levels = []
    for k in range(len(parts[0])):
        rows = [(number, line, part[k].split()) for (number, line), part in zip(block, parts, strict=True)]
        labelled = any(character.isalpha() for character in parts[0][k])
        if labelled and len(rows) == 1:
            raise line_error(*block[0], "there is nothing below it, expected rows of numbers")
        levels.append(_Level(rows[labelled:], rows[0][2] if labelled else None))
    return levels


def _steps(number: int, line: str, tokens: list[str]) -> list[int]:
    """A row of tokens as numbers: 0 where the tour did not come, -1 in holes."""
    for token in tokens:
        if not STEP.fullmatch(token):
            raise line_error(number, line, f"{token[:40]!r} is no step, expected a number, '.' or '#'")
    return [0 if t == UNVISITED else -1 if t == HOLE else int(t) for t in tokens]


def _outer(levels: list[_Level], board: Board | None) -> tuple[int, ...]:
    """The sides of the array of levels: the board's, or what the prefixes tell, or one row of them."""
    if board is not None and math.prod(board.shape[:-2]) == len(levels):
        return board.shape[:-2]
    if levels[0].prefix:
        last = levels[-1].prefix.rstrip(":").split(":")
        if all(side.isdigit() and len(side) < 10 for side in last):
            outer = tuple(map(int, last))
            if math.prod(outer) == len(levels):
                return outer
        number, line = levels[-1].rows[0][:2]
        raise line_error(number, line, f"{len(levels)} levels end with {levels[-1].prefix}")
    return (len(levels),) if len(levels) > 1 else ()


def _hexagon_side(level: _Level) -> int:
    """The side of the regular hexagon that has as many numbers in its first lines; 0 if there is none."""
    side, rest = divmod(len(level.rows) + 3, 4)
    counts = [len(tokens) for _, _, tokens in level.rows]
    looks = not rest and counts[0] == 1 and (counts[1] == 2 if side > 1 else level.files is not None)
    return side if looks else 0


def _hexagon_steps(levels: list[_Level], whole: Board) -> NDArray[np.int64]:
    """The numbers of a drawn board of hexagonal cells, as an array."""
    order = _lines(whole)
    if len(levels) > 1 or len(levels[0].rows) != len(order):
        count = sum(len(level.rows) for level in levels)
        raise FormatError(f"{count} lines do not make {whole.title}, expected {len(order)}")
    steps = np.full(whole.shape, -1, dtype=np.int64)
    for (number, line, tokens), cells in zip(levels[0].rows, order, strict=True):
        if len(tokens) != len(cells):
            raise line_error(number, line, f"{len(tokens)} numbers, on {whole.title} {len(cells)}")
        steps[tuple((whole.coords[cells] + whole.family.origin).T)] = _steps(number, line, tokens)
    return steps
