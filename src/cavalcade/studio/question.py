"""What the page asks, read strictly: JSON becomes a `Question`, a name or a number; anything else is refused.

A question is an object. `ask` says what is wanted, `question` describes the tours in the words of the command
line, the same that stand in the page's address:

    board       a spec; never the path of a file
    piece       a spec
    open        true or false
    start, end  names of cells, or empty
    with        moves to make, as ["a1-b3"]
    avoid       moves not to make
    symmetry    the name of a symmetry, or empty
"""

from __future__ import annotations

import base64
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from cavalcade.boards.notation import parse_board
from cavalcade.ground.errors import BoardError, CavalcadeError, TooLargeError
from cavalcade.question.graph import MoveGraph, is_path
from cavalcade.question.pieces import parse_piece
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from cavalcade.boards import Board
    from cavalcade.question.pieces import Piece

MOST_CELLS = 1_000_000
MOST_WORDS = 200_000  # characters of a text
WORDS = ("board", "piece", "open", "start", "end", "with", "avoid", "symmetry")


class Asked:
    """One question.

    Args:
        words: the JSON object.
        more: called with what is known before the end, as plain data.

    Raises:
        CavalcadeError: by every method, if what it reads is missing or not what it has to be.
    """

    def __init__(self, words: dict[str, Any], more: Callable[[dict[str, Any]], None]) -> None:
        self.words, self.more = words, more

    def text(self, key: str, default: str | None = None) -> str:
        """A text."""
        return _text(self.words.get(key, default), key)

    def whole(self, key: str, default: int, least: int = 0, most: int = 10**9) -> int:
        """A whole number."""
        value = self.words.get(key, default)
        if type(value) is not int or not least <= value <= most:
            raise CavalcadeError(
                f"{key} is {str(value)[:40]!r}, expected a whole number from {least} to {most}"
            )
        return value

    def yes(self, key: str) -> bool:
        """True or false."""
        return _yes(self.words.get(key, False), key)

    def seconds(self, default: float, most: float = 3600.0) -> float:
        """The limit on the time."""
        value = self.words.get("seconds", default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= most:
            raise CavalcadeError(f"seconds is {str(value)[:40]!r}, expected a number up to {most:g}")
        return float(value)

    # ---- the tours

    @property
    def question(self) -> dict[str, Any]:
        """The description of the tours."""
        found = self.words.get("question")
        if not isinstance(found, dict) or not set(found) <= set(WORDS):
            raise CavalcadeError(f"a question has the words {', '.join(WORDS)}")
        return found

    @property
    def board(self) -> Board:
        """The board."""
        return board_of(_text(self.question.get("board"), "board"))

    @property
    def piece(self) -> Piece:
        """The piece."""
        return parse_piece(_text(self.question.get("piece", "knight"), "piece"))

    @property
    def open(self) -> bool:
        """Whether open tours are wanted."""
        return _yes(self.question.get("open", False), "open")

    def parsed(self, *, start: str | None = None, more: list[str] | None = None) -> Question:
        """The tours; `start` and more moves to make besides those of the question."""
        question = self.question
        first = start or _text(question.get("start", ""), "start") or None
        last = _text(question.get("end", ""), "end") or None
        return Question.of(
            self.board,
            piece=self.piece,
            open=self.open,
            start=first,
            end=last,
            with_=[*texts(question.get("with", []), "with"), *(more or [])] or None,
            avoid=texts(question.get("avoid", []), "avoid") or None,
            symmetry=_text(question.get("symmetry", ""), "symmetry") or None,
        )

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


def board_of(spec: str) -> Board:
    """The board of a spec that is not too large.

    Raises:
        CavalcadeError: a path, no spec, or a board that is too large for the page.
    """
    if is_path(spec):
        raise BoardError(f"{spec[:60]!r} names a file, and the studio reads none: draw the board instead")
    board = parse_board(spec)
    if math.prod(board.shape) > 4 * MOST_CELLS or board.size > MOST_CELLS:
        raise TooLargeError(f"{board.title[:60]} has more than {MOST_CELLS:,} cells: too many for the page")
    return board


def places_of(board: Board | MoveGraph) -> NDArray[np.int32]:
    """The place of every cell: its number on the whole board, where no cell is taken out."""
    if isinstance(board, MoveGraph) or board.mask is None:
        return np.arange(board.size, dtype=np.int32)
    whole = board.whole
    inside = board.mask if whole.mask is None else board.mask[whole.mask]
    return np.flatnonzero(inside).astype(np.int32)


def numbers_of(board: Board) -> NDArray[np.int32]:
    """The cell at every place, -1 where it is taken out."""
    found = np.full(board.whole.size, -1, dtype=np.int32)
    found[places_of(board)] = np.arange(board.size, dtype=np.int32)
    return found


def cells_of(array: dict[str, str]) -> NDArray[np.int32]:
    """The numbers of an array as the page gets it."""
    return np.frombuffer(base64.b64decode(array["int32"]), dtype="<i4").astype(np.int32)


def texts(given: object, key: str) -> list[str]:
    """A list of texts.

    Raises:
        CavalcadeError: it is none.
    """
    if not isinstance(given, list) or len(given) > 10_000:
        raise CavalcadeError(f"{key} is not a list of texts")
    return [_text(one, key) for one in given]


def _text(given: object, key: str) -> str:
    if not isinstance(given, str) or len(given) > MOST_WORDS:
        raise CavalcadeError(f"{key} is {str(given)[:40]!r}, expected a text")
    return given


def _yes(given: object, key: str) -> bool:
    if not isinstance(given, bool):
        raise CavalcadeError(f"{key} is {str(given)[:40]!r}, expected true or false")
    return given
