"""A message of the page, validated strictly: JSON becomes a `Question`, a name or a number, or is refused.

A message is an object. `ask` is the name of the request; `question` describes the tours in the words of the
vocabulary, `question.words`, or by the statement in the address of the page:

    board       a spec; never the path of a file
    piece       a spec
    open        true or false
    start, end  names of cells, or empty
    with        moves to use, as ["a1-b3"]
    avoid       moves not to use
    at          steps and the cells on them, as ["17=d5"]
    through     cells that the tours visit in this order
    symmetry    the name of a symmetry, or empty
    moves       direction of the moves round the centre, or empty
    coils       how often such a closed tour goes round the centre, or 0
    avoid_cells cells that become holes of the board

    statement   alone: the whole question as `question.statement` writes it

A word that is missing or empty does not restrict the tours.
"""

from __future__ import annotations

import base64
import math
import shlex
from collections.abc import Callable, Sequence
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
from cavalcade.studio.workers import LIMITS

Item = TypeVar("Item")

MOST_CELLS = 1_000_000  # cells of a board: the page receives and draws it in about a second
# Cells or moves up to which the page does work for each of them: larger boards are not turned in space, their
# symmetries are not compared, and further moves of a proof are not drawn.
DRAWN = 5_000
# the name of a type of JSON in errors, and the most characters or texts of a value
KINDS: dict[type, tuple[str, int]] = {
    str: ("a text", 200_000), bool: ("true or false", 1), list: ("a list of texts", 10_000),
    int: ("a whole number", 1),
}  # fmt: skip


def _empty(row: words.Row) -> Any:
    """Return the value of a word that does not restrict the tours."""
    if row.kind.repeated:
        return []
    return {words.BOOLEAN: False, words.POSITIVE: 0}.get(row.kind, row.default or "")


# every word with the value that does not restrict the tours, and the keyword of each word in Python
EMPTY: dict[str, Any] = {"board": ""} | {words.key_of(name): _empty(row) for name, row in words.ROWS.items()}
KEYWORDS = {words.key_of(name): name for name in words.ROWS}


class Message:
    """One message of the page.

    Args:
        words: the JSON object.
        send: a function that sends partial results to the page, as plain data.

    Raises:
        CavalcadeError: by every method, if the value is missing or invalid.
    """

    def __init__(self, words: dict[str, Any], send: Callable[[dict[str, Any]], None]) -> None:
        self.words, self.send = words, send

    def text(self, key: str, default: str | None = None) -> str:
        """Read a text."""
        return _read(self.words.get(key, default), "", key)

    def whole(self, key: str, default: int, least: int = 0, most: int = 10**9) -> int:
        """Read a whole number."""
        value = self.words.get(key, default)
        if type(value) is not int or not least <= value <= most:
            raise CavalcadeError(
                f"{key} is {str(value)[:40]!r}, expected a whole number from {least} to {most}"
            )
        return value

    def flag(self, key: str) -> bool:
        """Read true or false."""
        return _read(self.words.get(key, False), False, key)  # noqa: FBT003 - a value like it

    def texts(self, key: str) -> list[str]:
        """Read a list of texts."""
        return _read(self.words.get(key, []), [""], key)

    def seconds(self, default: float) -> float:
        """Read the time limit."""
        value = self.words.get("seconds", default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= LIMITS.seconds:
            raise CavalcadeError(
                f"seconds is {str(value)[:40]!r}, expected a number up to {LIMITS.seconds:g}"
            )
        return float(value)

    # ---- the tours

    @cached_property
    def question(self) -> dict[str, Any]:
        """All words of the question, with their values."""
        received = self.words.get("question")
        if not isinstance(received, dict) or not set(received) <= {*EMPTY, "statement"}:
            raise CavalcadeError(f"a question has the words {', '.join(EMPTY)}")
        if "statement" not in received:
            question = {key: _read(received.get(key, empty), empty, key) for key, empty in EMPTY.items()}
            if question["avoid_cells"]:  # the page numbers the cells of its board, so these become holes
                board = without_cells(board_of(question["board"]), question["avoid_cells"])
                question |= {"board": board.spec, "avoid_cells": []}
            return question
        stated, at_most = read_statement(_read(received["statement"], "", "statement"))
        if at_most is not None:
            raise CavalcadeError(f"the page does not support tours {at_most}: use `cavalcade tour --fewest`")
        return words_of(stated)

    @cached_property
    def board(self) -> Board:
        """The board."""
        return board_of(self.question["board"])

    @property
    def piece(self) -> Piece:
        """The piece, which must be able to take its moves back: the page draws moves without arrows."""
        piece = parse_piece(self.question["piece"])
        piece.assert_both_ways(self.board, "the studio")
        return piece

    def parsed(self, *, start: str = "", moves: Sequence[str] = ()) -> Question:
        """Return the question with another start and with further moves to use."""
        question = self.question
        changed = {"start": start or question["start"], "with": [*question["with"], *moves]}
        return question_of(self.board, question | changed)

    def numbers(self, key: str) -> NDArray[np.int64]:
        """Read a list of whole numbers, clipped to -1 and 2**31."""
        numbers = self.words.get(key, [])
        if not isinstance(numbers, list) or not all(type(number) is int for number in numbers):
            raise CavalcadeError(f"{key} is not a list of cells, expected their numbers")
        if len(numbers) > MOST_CELLS:
            raise TooLargeError(f"{key} has {len(numbers):,} cells, expected {MOST_CELLS:,} at most")
        return np.array([min(max(number, -1), 2**31) for number in numbers], dtype=np.int64)

    def cells(self, key: str, board: Board) -> NDArray[np.int32]:
        """Read cells of a board, given by their places on the whole board."""
        numbers, places = numbers_of(board), self.numbers(key)
        if places.size and (places.min() < 0 or places.max() >= len(numbers) or numbers[places].min() < 0):
            raise CavalcadeError(f"{key} has a number that is not a cell of {board.title}")
        return np.asarray(numbers[places], dtype=np.int32)


def question_of(board: Board, question: dict[str, Any]) -> Question:
    """Return the question about a board in the words of the page, some of which may be missing.

    Raises:
        CavalcadeError: as `Question.of`.
    """
    keywords = {KEYWORDS[key]: value for key, value in question.items() if value and key in KEYWORDS}
    return Question.of(board, **keywords)


def words_of(question: Question) -> dict[str, Any]:
    """Return a question in the words of the page.

    Raises:
        CavalcadeError: the board is a graph, or too large for the page.
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
        "through": [board.name(cell) for cell in question.through],
        "symmetry": "" if question.symmetry is None else question.symmetry.name,
        "moves": question.direction or "",
        "coils": question.coils or 0,
    }


def board_of(spec: str) -> Board:
    """Read the spec of a board that is not too large.

    Raises:
        CavalcadeError: a path, an invalid spec, or a board that is too large for the page.
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
    """Return the place of every cell: its number on the whole board, without holes."""
    if board.mask is None:
        return np.arange(board.size, dtype=np.int32)
    whole = board.whole
    inside = board.mask if whole.mask is None else board.mask[whole.mask]
    return np.flatnonzero(inside).astype(np.int32)


def numbers_of(board: Board) -> NDArray[np.int32]:
    """Return the cell at every place of the whole board; -1 for a hole."""
    numbers = np.full(board.whole.size, -1, dtype=np.int32)
    numbers[places_of(board)] = np.arange(board.size, dtype=np.int32)
    return numbers


def cells_of(array: dict[str, str]) -> NDArray[np.int32]:
    """Decode an array as the page receives it."""
    return np.frombuffer(base64.b64decode(array["int32"]), dtype="<i4").astype(np.int32)


def lines(question: dict[str, Any]) -> dict[str, dict[str, str]]:
    """Return the same question for `tour`, `prove` and `count`, as a command and as a call of Python."""
    shell, call = [question["board"]], [repr(question["board"])]
    for key, keyword in KEYWORDS.items():
        value = question[key]
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


def _read(value: Any, like: Item, key: str) -> Item:
    """Validate a value of the type of `like`: a text, true or false, a number, or a list of texts.

    Raises:
        CavalcadeError: the value has another type, or is too long.
    """
    what, most = KINDS[type(like)]
    size = len(value) if isinstance(value, str | list) else 0
    if type(value) is not type(like) or size > most:
        raise CavalcadeError(f"{key} is {str(value)[:40]!r}, expected {what}")
    if isinstance(value, list):
        for text in value:
            _read(text, "", key)
    valid: Item = value
    return valid
