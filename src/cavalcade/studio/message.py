"""A question of the page, read strictly: JSON becomes a `Question`, a name or a number, or is refused.

A message is an object. `ask` is what to do; `question` describes the tours in words like those of the command
line, or by the statement in the page's address:

    board       a spec; never the path of a file
    piece       a spec
    open        true or false
    start, end  names of cells, or empty
    with        moves to use, as ["a1-b3"]
    avoid       moves not to use
    at          steps and the cells on them, as ["17=d5"]
    symmetry    the name of a symmetry, or empty
    moves       the direction of every move round the centre, or empty
    coils       how often such a closed tour goes round the centre, or 0

    statement   alone: the whole question as `question.statement` writes it

These are the words of the vocabulary, `question.words`; a word that is missing or empty asks for nothing.
"""

from __future__ import annotations

import base64
import math
import shlex
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.ground.errors import BoardError, CavalcadeError, TooLargeError
from cavalcade.question import words
from cavalcade.question.constraints import without_cells
from cavalcade.question.graph import MoveGraph, is_path
from cavalcade.question.pieces import Piece, parse_piece
from cavalcade.question.question import Question
from cavalcade.question.statement import read_statement

Item = TypeVar("Item")

MOST_CELLS = 1_000_000
# what errors call a type of JSON, and how many characters or texts a value may have
KINDS: dict[type, tuple[str, int]] = {
    str: ("a text", 200_000), bool: ("true or false", 1), list: ("a list of texts", 10_000),
    int: ("a whole number", 1),
}  # fmt: skip


def _empty(row: words.Row) -> Any:
    """Return the value of a word that asks for nothing: true or false, a list, a number or a text."""
    if row.kind.repeated:
        return []
    return {words.BOOLEAN: False, words.POSITIVE: 0}.get(row.kind, row.default or "")


# the words of a question with values that ask for nothing, and their keywords in Python
EMPTY: dict[str, Any] = {"board": ""} | {words.key_of(name): _empty(row) for name, row in words.ROWS.items()}
KEYWORDS = {words.key_of(name): name for name in words.ROWS}


class Message:
    """One question of the page.

    Args:
        words: the JSON object.
        more: called with what is known before the end, as plain data.

    Raises:
        CavalcadeError: by every method, if what it reads is missing or not what it must be.
    """

    def __init__(self, words: dict[str, Any], more: Callable[[dict[str, Any]], None]) -> None:
        self.words, self.more = words, more

    def text(self, key: str, default: str | None = None) -> str:
        """A text."""
        return _read(self.words.get(key, default), "", key)

    def whole(self, key: str, default: int, least: int = 0, most: int = 10**9) -> int:
        """A whole number."""
        value = self.words.get(key, default)
        if type(value) is not int or not least <= value <= most:
            raise CavalcadeError(
                f"{key} is {str(value)[:40]!r}, expected a whole number from {least} to {most}"
            )
        return value

    def flag(self, key: str) -> bool:
        """True or false."""
        return _read(self.words.get(key, False), False, key)  # noqa: FBT003 - a value like it

    def seconds(self, default: float, most: float = 3600.0) -> float:
        """The time limit."""
        value = self.words.get("seconds", default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= most:
            raise CavalcadeError(f"seconds is {str(value)[:40]!r}, expected a number up to {most:g}")
        return float(value)

    # ---- the tours

    @cached_property
    def question(self) -> dict[str, Any]:
        """The words of the question, all of them."""
        found = self.words.get("question")
        if not isinstance(found, dict) or not set(found) <= {*EMPTY, "statement"}:
            raise CavalcadeError(f"a question has the words {', '.join(EMPTY)}")
        if "statement" not in found:
            given = {key: _read(found.get(key, usual), usual, key) for key, usual in EMPTY.items()}
            # the page numbers the cells of the board that it shows, so these cells become its holes
            place = without_cells(board_of(given["board"]), given["avoid_cells"])
            return given | {"board": place.spec, "avoid_cells": []} if given["avoid_cells"] else given
        question, at_most = read_statement(_read(found["statement"], "", "statement"))
        if at_most is not None:
            raise CavalcadeError(f"the page does not support tours {at_most}: use `cavalcade tour --fewest`")
        return words_of(question)

    @cached_property
    def board(self) -> Board:
        """The board."""
        return board_of(self.question["board"])

    @property
    def piece(self) -> Piece:
        """The piece."""
        return parse_piece(self.question["piece"])

    def parsed(self, *, start: str = "", more: list[str] | None = None) -> Question:
        """The tours; `start` and more moves to make in addition to those of the question."""
        given = self.question
        words = given | {"start": start or given["start"], "with": [*given["with"], *(more or [])]}
        return question_of(self.board, words)

    def numbers(self, key: str) -> NDArray[np.int64]:
        """A list of whole numbers."""
        given = self.words.get(key, [])
        if not isinstance(given, list) or not all(type(one) is int for one in given):
            raise CavalcadeError(f"{key} is not a list of cells, expected their numbers")
        if len(given) > MOST_CELLS:
            raise TooLargeError(f"{key} has {len(given):,} cells, expected {MOST_CELLS:,} at most")
        return np.array([min(max(one, -1), 2**31) for one in given], dtype=np.int64)

    def cells(self, key: str, board: Board) -> NDArray[np.int32]:
        """Cells of a board, given by their places on the whole one."""
        numbers, at = numbers_of(board), self.numbers(key)
        if at.size and (at.min() < 0 or at.max() >= len(numbers) or numbers[at].min() < 0):
            raise CavalcadeError(f"{key} has a number that is not a cell of {board.title}")
        return np.asarray(numbers[at], dtype=np.int32)


def question_of(board: Board, given: dict[str, Any]) -> Question:
    """The question about a board in these words; those that are missing or empty ask for nothing.

    Raises:
        CavalcadeError: as `Question.of`.
    """
    asked = {KEYWORDS[key]: value for key, value in given.items() if value and key in KEYWORDS}
    return Question.of(board, **asked)


def words_of(question: Question) -> dict[str, Any]:
    """A question in the words of the page.

    Raises:
        CavalcadeError: the page does not show it: a graph, or a board that is too large.
    """
    board = question.board
    if board.plain:
        raise CavalcadeError(f"{board.title} is a graph, and the studio shows boards")

    def moves(pairs: tuple[tuple[int, int], ...]) -> list[str]:
        return [f"{board.name(a)}-{board.name(b)}" for a, b in pairs]

    return EMPTY | {
        "board": board_of(board.spec).spec,
        "piece": question.piece.spec,
        "open": not question.closed,
        "start": "" if question.start is None else board.name(question.start),
        "end": "" if question.end is None else board.name(question.end),
        "with": moves(question.required),
        "avoid": moves(question.forbidden),
        "at": [f"{step}={board.name(cell)}" for step, cell in question.steps],
        "symmetry": "" if question.symmetry is None else question.symmetry.name,
        "moves": question.direction or "",
        "coils": question.coils or 0,
    }


def board_of(spec: str) -> Board:
    """The board of a spec that is not too large.

    Raises:
        CavalcadeError: a path, no spec, or a board that is too large for the page.
    """
    if is_path(spec):
        raise BoardError(
            f"{spec[:60]!r} names a file, which the studio does not read: draw the board instead"
        )
    board = parse_board(spec)
    if math.prod(board.shape) > 4 * MOST_CELLS or board.size > MOST_CELLS:
        raise TooLargeError(f"{board.title[:60]} has more than {MOST_CELLS:,} cells: too many for the page")
    return board


def places_of(board: Board | MoveGraph) -> NDArray[np.int32]:
    """The place of every cell: its number on the whole board, where no cell is removed."""
    if board.mask is None:
        return np.arange(board.size, dtype=np.int32)
    whole = board.whole
    inside = board.mask if whole.mask is None else board.mask[whole.mask]
    return np.flatnonzero(inside).astype(np.int32)


def numbers_of(board: Board) -> NDArray[np.int32]:
    """The cell at every place, -1 where it is removed."""
    found = np.full(board.whole.size, -1, dtype=np.int32)
    found[places_of(board)] = np.arange(board.size, dtype=np.int32)
    return found


def cells_of(array: dict[str, str]) -> NDArray[np.int32]:
    """The numbers of an array as the page receives it."""
    return np.frombuffer(base64.b64decode(array["int32"]), dtype="<i4").astype(np.int32)


def lines(given: dict[str, Any]) -> dict[str, dict[str, str]]:
    """Return the same question for `tour`, `prove` and `count`, as a command and as a call of Python."""
    shell, call = [given["board"]], [repr(given["board"])]
    for key, keyword in KEYWORDS.items():
        value = given[key]
        if value == EMPTY[key]:
            continue
        option = words.spelling_of(keyword)
        if value is True:
            shell.append(option)
        else:
            for part in value if isinstance(value, list) else [value]:
                shell += [option, str(part)]
        call.append(f"{keyword}={value!r}")
    return {
        name: {
            "shell": shlex.join(["cavalcade", name, *shell]),
            "python": f"cavalcade.{name}({', '.join(call)})",
        }
        for name in ("tour", "prove", "count")
    }


def _read(given: Any, like: Item, key: str) -> Item:
    """A text, true or false, or a list of texts, whichever `like` is.

    Raises:
        CavalcadeError: it is something else, or too long.
    """
    what, most = KINDS[type(like)]
    size = len(given) if isinstance(given, str | list) else 0
    if type(given) is not type(like) or size > most:
        raise CavalcadeError(f"{key} is {str(given)[:40]!r}, expected {what}")
    if isinstance(given, list):
        for one in given:
            _read(one, "", key)
    found: Item = given
    return found
