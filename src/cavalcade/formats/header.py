"""The header of a file that holds a tour: `closed tour of 4x8x8, piece knight`.

A walk that does not visit every cell is a `walk of 8x8, 60 of 64 cells, piece knight`; a puzzle is an
`open puzzle of 8x8`, and one with syllables an `open roesselsprung of 8x8`. The header follows a semicolon
at the top of a text, csv or wide file, or COMMENT in a .tour file. It is optional, and so is the piece;
other comments are skipped. Without it the board has the shape of the numbers, the piece is the knight, and
the tour is closed if its last cell is a move from its first. The caller's board and piece override it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cavalcade.answers.puzzles import Puzzle, Roesselsprung
from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.ground.budget import machine_memory
from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.question.graph import BoardLike, MoveGraph, board_or_graph
from cavalcade.question.moves import are_moves
from cavalcade.question.pieces import KNIGHT, Piece, PieceLike, parse_piece, piece_of

SENTENCE = re.compile(
    r"(?:(?P<kind>closed|open) (?:tour|puzzle|roesselsprung)|(?P<closed>closed )?walk) of (?P<board>\S+?)"
    r"(?(kind)|, [\d,]+ of [\d,]+ cells)(?:, piece (?P<piece>\S+))?"
)
ZERO = np.iinfo(np.int64).min  # a 0 in an array of steps that was read from a text
BYTES_A_NAME = 120  # the names of a board's cells, and a table of them


def describe(tour: Tour | Puzzle | Roesselsprung, *, holes: bool = True) -> str:
    """The header of a tour or a puzzle; `holes=False` if the file itself shows the board's holes."""
    board = tour.board
    if board.plain:
        return tour.title(graph_spec(board))
    return f"{tour.title((board if holes else board.whole).spec)}, piece {tour.piece.spec}"


def graph_spec(graph: MoveGraph) -> str:
    """The name of a plain graph in a file, which is never that of a board."""
    spec = "_".join(graph.spec.split())
    return spec if spec.startswith("graph") else f"graph:{spec}"


def graph_name(name: str) -> str:
    """The spec of a graph that a file gives this name."""
    return f"graph:{name}" if (name := "_".join(name.split())) else "graph"


class TextLine(NamedTuple):
    """A line of a file: its number, from 1, its text, and its words where a format has cut it up."""

    number: int
    text: str
    words: Sequence[str] = ()

    def error(self, why: str, token: str = "") -> FormatError:
        """The error about this line: its number, its beginning, what is wrong with it.

        `token` is a word of the line; with it the error also gives the column.
        """
        line, shown = self.text, self.text if len(self.text) <= 60 else self.text[:57] + "..."
        found = re.search(rf"(?<![^\s,;|]){re.escape(token)}(?![^\s,;|])", line) if token else None
        column = f", column {found.start() + 1}" if found else ""
        return FormatError(f"line {self.number}{column}, {shown!r}: {why}")

    def vertices(self, words: Sequence[str], n: int) -> list[int]:
        """These words as vertices, which a file numbers from 1 to n; from 0.

        Raises:
            FormatError: one of them is none.
        """
        if not all(word.isascii() and word.isdigit() and 1 <= int(word[:20]) <= n for word in words):
            raise self.error(f"a number that is not a vertex, expected 1 to {n}")
        return [int(word) - 1 for word in words]


def assert_writable(graph: MoveGraph, fits: Callable[[str], object], why: str) -> None:
    """Refuse to write a graph with a label that its format cannot hold.

    Raises:
        FormatError: there is one.
    """
    if bad := next((name for name in graph.names if not fits(name)), None):
        raise FormatError(f"the label {bad!r} cannot be written {why}")


def numbered(text: str) -> Iterator[TextLine]:
    """The lines of a text."""
    return map(TextLine, count(1), text.splitlines())


def separator(text: str) -> str | None:
    """The sign between the values in a text: a tab, a semicolon or a comma; None for spaces."""
    return next((sign for sign in "\t;," if sign in text), None)


def integers(words: Iterable[str]) -> NDArray[np.int64] | None:
    """These words as integers; None if one of them is none, or has more than 64 bits."""
    try:  # int() would read 1_0 as 10, but not 1?0
        return np.array([int(word.replace("_", "?")) for word in words], dtype=np.int64)
    except (ValueError, OverflowError):
        return None


def misnamed(board: Board | MoveGraph, names: Iterable[tuple[TextLine, str]]) -> FormatError | None:
    """The error about the first of these names that no cell of the board has."""
    for line, name in names:
        try:
            board.cell(name)
        except CavalcadeError as error:
            return line.error(str(error), name)
    return None


class Look(NamedTuple):
    """What a format looks at to recognize a text.

    Args:
        text: all of it.
        first: its first line that is neither empty nor a comment.
        second: the next such line.
        names: it may be a list of labels of a plain graph, which can look like anything.
    """

    text: str
    first: str
    second: str
    names: bool

    @classmethod
    def at(cls, text: str, *, names: bool = False) -> Look:
        """A look at a text."""
        lines = (line[0].strip() for line in re.finditer(r"^(?!\s*;)[^\n]*\S[^\n]*$", text, re.MULTILINE))
        return cls(text, next(lines, ""), next(lines, ""), names)

    @property
    def words(self) -> list[str]:
        """The first two words."""
        return re.split(r"[\s,;]+", self.first[:200])[:2]


@dataclass(frozen=True)
class Claim:
    """What is known about a tour before its cells are read; None for what is not.

    `given`: the board came from the caller.
    """

    board: Board | MoveGraph | None = None
    piece: Piece | None = None
    closed: bool | None = None
    given: bool = False

    @classmethod
    def of(cls, board: BoardLike | None, piece: PieceLike | None) -> Claim:
        """What the caller gives, objects or specs."""
        return cls(
            None if board is None else board_or_graph(board),
            None if piece is None else piece_of(piece),
            given=board is not None,
        )

    def filled(self, board: str | None = None, piece: str | None = None, kind: str | None = None) -> Claim:
        """The same, with what the file names filled in where the caller gave nothing."""
        claim = self
        if self.board is None and board is not None:
            try:
                claim = replace(claim, board=parse_board(board))
            except CavalcadeError as error:
                raise FormatError(f"{error}; or give the board of the tour (--board)") from None
        if self.piece is None and piece is not None:
            claim = replace(claim, piece=parse_piece(piece))
        return claim if kind is None else replace(claim, closed=kind == "closed")

    def with_comment(self, comment: str) -> Claim:
        """The same, filled in from a comment, if it is the header."""
        match = SENTENCE.fullmatch(comment.strip())
        if not match:
            return self
        kind = match["kind"] or (match["closed"] or "open").strip()
        return self.filled(match["board"], match["piece"], kind)

    @property
    def names_allowed(self) -> bool:
        """Whether the board is a graph, whose names can look like anything."""
        return self.board is not None and self.board.plain

    def drawn_board(self, what: str = "numbers") -> Board | None:
        """The board, which has rows and columns.

        Raises:
            FormatError: it is a graph.
        """
        board = self.board
        if board is not None and board.plain:
            raise FormatError(f"{what} on a board are not a tour of {board.title}, which is a graph")
        return board

    def needs_board(self) -> Board | MoveGraph:
        """The board.

        Raises:
            FormatError: it is not known.
        """
        if self.board is None:
            raise FormatError("the file does not name its board: give the board (--board)")
        return self.board

    def tour(self, cells: ArrayLike) -> Tour:
        """The tour through these cells."""
        board, piece = self.needs_board(), self.piece or KNIGHT
        order = np.asarray(cells, dtype=np.int32)
        closed = closes(board, piece, order) if self.closed is None else self.closed
        return Tour(board, order, closed, piece)

    def tour_of_names(self, names: Sequence[str]) -> Tour:
        """The tour through the cells of these names."""
        board, piece = self.needs_board(), self.piece or KNIGHT
        if board.size > 1000 * (len(names) + 1000):  # a long list of names for a few
            return self.tour([board.cell(name) for name in names])
        if board.size * BYTES_A_NAME > machine_memory():
            raise FormatError(f"{board.title} has {board.size:,} cells: too many to name in memory")
        return self.tour(Tour.from_names(board, names, closed=False, piece=piece).cells)

    def board_under(self, steps: NDArray[np.int64]) -> Board:
        """The board of an array of steps, as for `tour_of_steps`: without the array's holes."""
        holes = (steps < 0) & (steps != ZERO)
        board = self.drawn_board()
        if board is None:
            return Board("box", steps.shape, ~holes)
        if board.shape != steps.shape:
            raise FormatError(f"numbers of shape {'x'.join(map(str, steps.shape))} do not fit {board.title}")
        gone = holes if board.mask is None else holes & board.mask
        if gone.any() and self.given:
            hole = replace(board, mask=gone).name(0)
            raise FormatError(f"the file has a hole at {hole}, a cell of {board.title}")
        return (
            replace(board, mask=~holes if board.mask is None else board.mask & ~holes)
            if gone.any()
            else board
        )

    def tour_of_steps(self, steps: NDArray[np.int64]) -> Tour:
        """The tour that an array of steps shows.

        Args:
            steps: 0 on cells not visited, below 0 in holes, ZERO where the file has a 0. A single ZERO is the
                first step if other cells have none or 1 is adjacent to it; else it is not visited.
        """
        zero = steps == ZERO
        board = self.board_under(steps)
        piece = self.piece or KNIGHT
        if np.count_nonzero(zero) == 1 and ((steps == 0).any() or _leads(board, piece, zero, steps == 1)):
            steps = np.where(zero, 1, np.where(steps > 0, steps + 1, steps))
        tour = Tour.from_numbering(board, np.where(zero & (steps < 0), 0, steps), closed=False, piece=piece)
        return replace(self, board=board).tour(tour.cells)


def _leads(board: Board, piece: Piece, zero: NDArray[np.bool_], one: NDArray[np.bool_]) -> bool:
    """Whether a move leads from the only place in one array to the first one in the other."""
    here, there = (board.locate(np.argwhere(at)[:1] - board.family.origin) for at in (zero, one))
    on_board = there.size and min(here[0], there[0]) >= 0
    return bool(on_board and are_moves(board, piece, here, there)[0])


def closes(board: Board | MoveGraph, piece: Piece, cells: NDArray[np.int32]) -> bool:
    """Whether cells of a tour of unknown kind make a cycle: all of the board, and a move back."""
    return len(cells) >= max(3, board.size) and bool(are_moves(board, piece, cells[-1:], cells[:1])[0])


def split_comments(text: str, claim: Claim) -> tuple[Claim, list[TextLine]]:
    """The header in the lines after semicolons, and the other lines."""
    rest = []
    for line in numbered(text):
        if line.text.lstrip().startswith(";"):
            try:
                claim = claim.with_comment(line.text.lstrip()[1:])
            except CavalcadeError as error:
                raise line.error(str(error)) from None
        else:
            rest.append(line)
    return claim, rest
