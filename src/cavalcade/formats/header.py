"""The header of a file that holds a tour: `closed tour of 4x8x8, piece knight`.

A walk that does not visit every cell is a `walk of 8x8, 60 of 64 cells, piece knight`; a puzzle is an
`open puzzle of 8x8`, and one with syllables an `open roesselsprung of 8x8`. The header follows a semicolon
at the top of a text, csv or wide file, or COMMENT in a .tour file. It is optional, and so is the piece;
other comments are skipped. On a plain graph the digest of the graph takes the place of the piece:
`open tour of graph:roads, digest 0f343b09…`, and the reader compares it. Without a header the board has the
shape of the numbers, the piece is the knight, and the tour is closed if its last cell is a move from its
first. The board and piece of the caller override the header.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cavalcade.answers.puzzles import Puzzle, Roesselsprung
from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.boards.family import file_index
from cavalcade.boards.notation import parse_board
from cavalcade.ground.budget import machine_memory
from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.question.graph import BoardLike, MoveGraph, board_or_graph
from cavalcade.question.moves import are_moves
from cavalcade.question.named import GRAPHS
from cavalcade.question.pieces import KNIGHT, Piece, PieceLike, piece_of, stated_piece
from cavalcade.question.statement import graph_digest

SENTENCE = re.compile(
    r"(?:(?P<kind>closed|open) (?:tour|puzzle|roesselsprung)|(?P<closed>closed )?walk) of (?P<board>\S+?)"
    r"(?(kind)|, [\d,]+ of [\d,]+ cells)(?:, piece (?P<piece>\S+)|, digest (?P<digest>[0-9a-f]{32}))?"
)
NAME = re.compile("([a-z]{1,2})([1-9][0-9]{0,3})")  # of a cell of a box of two dimensions
ZERO = np.iinfo(np.int64).min  # stands for a 0 in an array of steps that was read from a text


def describe(tour: Tour | Puzzle | Roesselsprung, *, holes: bool = True) -> str:
    """The header of a tour or a puzzle; `holes=False` if the file itself shows the board's holes."""
    board = tour.board
    if board.plain:
        return f"{tour.title(graph_spec(board))}, digest {graph_digest(board)}"
    return f"{tour.title((board if holes else board.whole).spec)}, piece {tour.piece.spec}"


def graph_spec(graph: MoveGraph) -> str:
    """The name of a plain graph in a file: a name such as `petersen`, or one that no board has."""
    spec = "_".join(graph.spec.split())
    return spec if spec.startswith("graph") or spec.partition(":")[0] in GRAPHS else f"graph:{spec}"


def facts(header: str) -> dict[str, str]:
    """The kind, board, and piece or digest that a header gives; empty if the text is no header.

    The kind is `closed` or `open`, and of a walk that is not a tour `closed walk` or `walk`.
    """
    match = SENTENCE.fullmatch(header)
    if match is None:
        return {}
    kind = match["kind"] or f"{match['closed'] or ''}walk"
    subject = {name: match[name] for name in ("board", "piece", "digest") if match[name]}
    return {"kind": kind} | subject


def stated_kind(tour: Tour) -> str:
    """The kind in the header of a tour or a walk, see `facts`."""
    return facts(tour.title("board"))["kind"]


def has_digest(text: str) -> bool:
    """Whether a text begins with the header of a tour of a plain graph."""
    return "digest" in facts(text.lstrip("; \n")[:1000].partition("\n")[0].rstrip())


def graph_name(name: str) -> str:
    """The spec of a graph from its name in a file."""
    return f"graph:{name}" if (name := "_".join(name.split())) else "graph"


class TextLine(NamedTuple):
    """A line of a file.

    Args:
        number: the number of the line, from 1.
        text: the whole line.
        words: the words of the line, if a format has cut it up.
    """

    number: int
    text: str
    words: Sequence[str] = ()

    def error(self, why: str, token: str = "") -> FormatError:
        """The error about this line, which quotes the beginning of the line.

        Args:
            why: the reason.
            token: a word of the line whose column the error gives.
        """
        line, shown = self.text, self.text if len(self.text) <= 60 else self.text[:57] + "..."
        match = re.search(rf"(?<![^\s,;|]){re.escape(token)}(?![^\s,;|])", line) if token else None
        column = f", column {match.start() + 1}" if match else ""
        return FormatError(f"line {self.number}{column}, {shown!r}: {why}")

    def vertices(self, words: Sequence[str], n: int) -> list[int]:
        """Read vertices, which a file numbers from 1 to n, as numbers from 0.

        Raises:
            FormatError: a word is not a vertex.
        """
        if not all(word.isascii() and word.isdigit() and 1 <= int(word[:20]) <= n for word in words):
            raise self.error(f"a number that is not a vertex, expected 1 to {n}")
        return [int(word) - 1 for word in words]


def assert_writable(graph: MoveGraph, fits: Callable[[str], object], why: str) -> None:
    """Check that a format can express all labels of a graph.

    Args:
        graph: the graph.
        fits: whether the format can express a label.
        why: the end of the error's sentence.

    Raises:
        FormatError: a label does not fit.
    """
    if bad := next((name for name in graph.names if not fits(name)), None):
        raise FormatError(f"the label {bad!r} cannot be written {why}")


def assert_visits_once(tour: Tour) -> None:
    """Check that one number or link per cell can express a walk.

    Raises:
        FormatError: the walk visits a cell twice.
    """
    if np.count_nonzero(tour.steps) < len(tour):  # a step was overwritten
        raise FormatError("the walk visits a cell twice, which this format cannot express: use csv or json")


def with_rows(place: Board | MoveGraph, refusal: str) -> Board:
    """Return a board, which has rows and columns, and refuse a graph.

    Args:
        place: a board or a graph.
        refusal: the sentence of the error.

    Raises:
        FormatError: it is a graph.
    """
    if place.plain:
        raise FormatError(refusal)
    return place


def numbered(text: str) -> Iterator[TextLine]:
    """The lines of a text, with their numbers from 1."""
    return map(TextLine, count(1), text.splitlines())


def separator(text: str) -> str | None:
    """The sign between the values in a text: a tab, a semicolon or a comma; None for spaces."""
    return next((sign for sign in "\t;," if sign in text), None)


def integers(words: Iterable[str]) -> NDArray[np.int64] | None:
    """Words as integers; None if a word is not an integer, or has more than 64 bits."""
    try:  # int() accepts 1_0, which is no number in any format, but not 1?0
        return np.array([int(word.replace("_", "?")) for word in words], dtype=np.int64)
    except (ValueError, OverflowError):
        return None


def misnamed(board: Board | MoveGraph, names: Iterable[tuple[TextLine, str]]) -> FormatError | None:
    """The error about the first name that is not a cell of the board; None if all are."""
    for line, name in names:
        try:
            board.cell(name)
        except CavalcadeError as error:
            return line.error(str(error), name)
    return None


class Look(NamedTuple):
    """The features by which a format recognizes a text.

    Args:
        text: the whole text.
        first: the first line that is neither empty nor a comment.
        second: the second such line.
        names: whether the text may be a list of labels of a plain graph, which can look like any format.
    """

    text: str
    first: str
    second: str
    names: bool

    @classmethod
    def at(cls, text: str, *, names: bool = False) -> Look:
        """The features of a text."""
        lines = (line[0].strip() for line in re.finditer(r"^(?!\s*;)[^\n]*\S[^\n]*$", text, re.MULTILINE))
        return cls(text, next(lines, ""), next(lines, ""), names)

    @property
    def words(self) -> list[str]:
        """The first two words."""
        return re.split(r"[\s,;]+", self.first[:200])[:2]


def filled_sides(names: Iterable[str]) -> str:
    """The sides, such as `8x8`, of the box of two dimensions that cells with these names fill; or nothing."""
    cells = {*names}
    matches = [NAME.fullmatch(name) for name in cells]
    if len(cells) < 2 or not all(matches):
        return ""
    files = max(file_index(match[1], ascii_lowercase) for match in matches if match) + 1
    ranks = max(int(match[2]) for match in matches if match)
    return f"{ranks}x{files}" if files * ranks == len(cells) else ""


@dataclass(frozen=True)
class Claim:
    """The facts about a tour that are known before its cells are read.

    Args:
        board: the board or graph; None if unknown.
        piece: the piece; None if unknown.
        closed: whether the tour is closed; None if unknown.
        given: whether the board comes from the caller, not from the file.
    """

    board: Board | MoveGraph | None = None
    piece: Piece | None = None
    closed: bool | None = None
    given: bool = False

    @classmethod
    def of(cls, board: BoardLike | None, piece: PieceLike | None) -> Claim:
        """The claim of a caller, from objects or specs."""
        return cls(
            None if board is None else board_or_graph(board),
            None if piece is None else piece_of(piece),
            given=board is not None,
        )

    def filled(
        self,
        board: str | None = None,
        piece: str | None = None,
        kind: str | None = None,
        digest: str | None = None,
    ) -> Claim:
        """The claim with the facts of a file filled in.

        Args:
            board: the spec of the board, used if the board is unknown.
            piece: the spec of the piece, used if the piece is unknown.
            kind: `closed`, `open`, `closed walk` or `walk`, which overrides the claim.
            digest: the digest of the graph, which is compared with the graph of the claim.

        Raises:
            FormatError: a spec is wrong, or the digest is that of another graph.
        """
        if kind not in {"closed", "open", "closed walk", "walk", None}:
            raise FormatError(f"the kind is {kind!r}, expected 'closed', 'open', 'closed walk' or 'walk'")
        claim = self
        if self.board is None and board is not None:
            claim = replace(claim, board=_board_called(board))
        if digest is not None and claim.board is not None:
            if not claim.board.plain:
                raise FormatError(f"it is a tour of {board or 'a graph'}, not of {claim.board.title}")
            if graph_digest(claim.board) != digest:
                raise FormatError(
                    f"it is a tour of another graph: {claim.board.title} has different edges or labels"
                )
        if self.piece is None and piece is not None:
            claim = replace(claim, piece=stated_piece(piece))
        return claim if kind is None else replace(claim, closed=kind.startswith("closed"))

    def with_comment(self, comment: str) -> Claim:
        """The claim filled in from a comment, if the comment is a header."""
        return self.filled(**facts(comment.strip()))

    @property
    def names_allowed(self) -> bool:
        """Whether the board is a graph, whose names can look like any format."""
        return self.board is not None and self.board.plain

    def drawn_board(self, what: str = "numbers") -> Board | None:
        """The board, if it is known, for a text of rows and columns.

        Raises:
            FormatError: the board is a plain graph.
        """
        board = self.board
        if board is not None and board.plain:
            raise FormatError(f"{what} on a board are not a tour of {board.title}, which is a graph")
        return board

    def needs_board(self) -> Board | MoveGraph:
        """The board.

        Raises:
            FormatError: the board is unknown.
        """
        if self.board is None:
            raise FormatError("the file does not name its board: give the board (--board)")
        return self.board

    def tour(self, cells: ArrayLike) -> Tour:
        """The tour through cells in order."""
        board, piece = self.needs_board(), self.piece or KNIGHT
        order = np.asarray(cells, dtype=np.int32)
        closed = closes(board, piece, order) if self.closed is None else self.closed
        return Tour(board, order, closed, piece)

    def tour_of_names(self, names: Sequence[str]) -> Tour:
        """The tour through named cells in order; without a board, on the box that they fill."""
        if self.board is None and (sides := filled_sides(names)):
            return replace(self, board=_board_called(sides)).tour_of_names(names)
        board, piece = self.needs_board(), self.piece or KNIGHT
        if board.size > 1000 * (len(names) + 1000):  # naming all cells would take longer than few look-ups
            return self.tour([board.cell(name) for name in names])
        bytes_per_name = 120  # a cell's name as a Python string, and its entry in a dict
        if board.size * bytes_per_name > machine_memory():
            raise FormatError(f"{board.title} has {board.size:,} cells: too many to name in memory")
        return self.tour(Tour.from_names(board, names, closed=False, piece=piece).cells)

    def board_under(self, steps: NDArray[np.int64]) -> Board:
        """The board of an array of steps for `tour_of_steps`, with the holes of the array."""
        holes = (steps < 0) & (steps != ZERO)
        board = self.drawn_board()
        if board is None:
            return Board("box", steps.shape, ~holes)
        if board.shape != steps.shape:
            raise FormatError(f"numbers of shape {'x'.join(map(str, steps.shape))} do not fit {board.title}")
        mask = np.ones(steps.shape, dtype=np.bool_) if board.mask is None else board.mask
        removed = holes & mask
        if not removed.any():
            return board
        if self.given:
            hole = replace(board, mask=removed).name(0)
            raise FormatError(f"the file has a hole at {hole}, a cell of {board.title}")
        return replace(board, mask=mask & ~holes)

    def tour_of_steps(self, steps: NDArray[np.int64]) -> Tour:
        """The tour of an array of steps.

        Args:
            steps: the steps from 1; 0 on unvisited cells, below 0 in holes, `ZERO` for a 0 in the file. A
                single `ZERO` is the first step if there are unvisited cells or step 1 is a move away;
                otherwise its cell is unvisited.
        """
        zero = steps == ZERO
        board = self.board_under(steps)
        piece = self.piece or KNIGHT
        if np.count_nonzero(zero) == 1 and ((steps == 0).any() or _leads(board, piece, zero, steps == 1)):
            steps = np.where(zero, 1, np.where(steps > 0, steps + 1, steps))
        tour = Tour.from_numbering(board, np.where(zero & (steps < 0), 0, steps), closed=False, piece=piece)
        return replace(self, board=board).tour(tour.cells)


def _board_called(spec: str) -> Board | MoveGraph:
    """The board or the named graph of a spec in a file.

    Raises:
        FormatError: it is neither, or a graph whose edges the file does not hold.
    """
    if spec.startswith("graph"):
        why = "the file has the cells of the tour, not the edges: give the file of the graph (--board)"
        raise FormatError(f"it is a tour of {spec}, {why}")
    try:
        return board_or_graph(spec) if spec.partition(":")[0] in GRAPHS else parse_board(spec)
    except CavalcadeError as error:
        raise FormatError(f"{error}; or give the board of the tour (--board)") from None


def _leads(board: Board, piece: Piece, zero: NDArray[np.bool_], first: NDArray[np.bool_]) -> bool:
    """Whether a move leads from the cell of step 0 to the first cell of step 1, both given as masks."""
    tail, head = (board.locate(np.argwhere(step)[:1] - board.family.origin) for step in (zero, first))
    on_board = head.size and min(tail[0], head[0]) >= 0
    return bool(on_board and are_moves(board, piece, tail, head)[0])


def closes(board: Board | MoveGraph, piece: Piece, cells: NDArray[np.int32]) -> bool:
    """Whether a tour of unknown kind is closed: it visits all cells, and its last move leads to its first."""
    return len(cells) >= max(3, board.size) and bool(are_moves(board, piece, cells[-1:], cells[:1])[0])


def split_comments(text: str, claim: Claim) -> tuple[Claim, list[TextLine]]:
    """The claim filled in from the comments of a text, and the lines that are not comments."""
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
