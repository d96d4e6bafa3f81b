"""Statements: a question in canonical words, one line that says all that is asked and nothing else.

    closed tour of 8x8
    open tour of 6x6 by the camel from a1 to c3, with b1-c3, d4-e6, without a2-b4, c5 at step 5
    closed tour of 6x6, symmetric under the half turn, all moves counterclockwise
    closed tour of 8x8, all moves clockwise in 7 coils
    closed tour of 5x6, with at most 20 turns
    closed tour of graph:0f343b0931126a20f133d67c2b018a3b

The form, in which ( )? may be missing; nothing is ever abbreviated:

    (closed | open) tour of BOARD (by the PIECE)? (from CELL)? (to CELL)?
    (, with MOVE, MOVE, …)? (, without MOVE, MOVE, …)? (, CELL at step STEP, CELL at step STEP, …)?
    (, symmetric under the NAME)? (, all moves WAY (in NUMBER coils)?)? (, with at most NUMBER WHAT)?

BOARD is `Board.spec`, which has no spaces, or `graph:` and a digest. PIECE is `camel` or another name, or the
word `piece` and a spec: `by the piece 1,2+1,3`. The knight is not named. A CELL is its name, in a graph in
quotation marks, as JSON has them, unless it has only letters, digits, `_`, `.` and `:`. A MOVE is two cells
and a hyphen. In a closed tour `from` is step 1. One coil is `in 1 coil`.

The digest of a graph is the first 32 digits of the SHA-256 of the JSON text, without spaces, of a list of
three: whether it is directed; the names of its vertices in ascending order; and its edges as pairs of
positions in that list, from 0, in ascending order, each with the smaller one first unless it is directed.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

import numpy as np

from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.pieces import KNIGHT, NAMED, Piece
from cavalcade.question.question import BARE, Question

MEASURES = ("turns", "crossings", "acute angles", "right angles", "obtuse angles")
CELL = rf'(?:"(?:[^"\\]|\\.)*"|{BARE.pattern})'
MOVE = f"{CELL}-{CELL}"
STEP = f"{CELL} at step [1-9][0-9]{{0,9}}"
FORM = re.compile(
    r"(?P<kind>closed|open) tour of (?P<board>\S+?)"
    r"(?: by the (?:piece )?(?P<piece>\S+?)|, (?P<mover>\S+?)(?=,? from |,? to |, |$))?"
    rf"(?: from (?P<start>{CELL}))?(?: to (?P<end>{CELL}))?"
    rf"(?:, with (?P<required>{MOVE}(?:, {MOVE})*))?(?:, without (?P<forbidden>{MOVE}(?:, {MOVE})*))?"
    rf"(?:, (?P<steps>{STEP}(?:, {STEP})*))?(?:, symmetric under the (?P<symmetry>.+?))?"
    rf"(?:, all moves (?P<direction>[a-z]+)(?: in (?P<coils>[1-9][0-9]{{0,9}}) coils?)?)?"
    rf"(?:, with at most (?P<most>0|[1-9][0-9]{{0,17}}) (?P<what>{'|'.join(MEASURES)}))?"
)


@dataclass(frozen=True)
class AtMost:
    """A bound: tours with at most `most` events of a kind, one of `MEASURES`."""

    what: str
    most: int

    def __str__(self) -> str:
        return f"with at most {self.most} {self.what}"


def statement(question: Question, at_most: AtMost | None = None) -> str:
    """The words of a question, which `read_statement` reads back.

    Args:
        question: any question.
        at_most: a bound on the turns, crossings or angles of the tours.

    Time: linear; a graph of a million edges takes 2 s.
    """
    board = question.board
    said = f"{question.kind} tour of {graph_name(board) if board.plain else board.spec}"
    if not board.plain and (piece := canonical_piece(question.piece)) != KNIGHT:
        said += f" by the {'' if piece.spec in NAMED else 'piece '}{piece.spec}"
    return f"{said}{question.from_to}{question.constraints}" + (f", {at_most}" if at_most else "")


def digest(question: Question, at_most: AtMost | None = None) -> str:
    """The SHA-256 of the statement, in hexadecimal digits."""
    return _sha256(statement(question, at_most))


def read_statement(text: str, graph: MoveGraph | None = None) -> tuple[Question, AtMost | None]:
    """The question that a statement says, and its bound.

    It need not be canonical: boards and pieces may be spelled otherwise, `by the knight` or `, knight` may be
    there, moves may be in any order.

    Args:
        text: the statement.
        graph: the graph, if the statement names one; its digest is compared.

    Raises:
        CavalcadeError: the text is no statement, is about another graph, or says what `Question.of` refuses.
    """
    found = FORM.fullmatch(text)
    if found is None:
        expected = "expected one like 'closed tour of 8x8' or 'open tour of 6x6 by the camel from a1'"
        raise CavalcadeError(f"{text[:80]!r} is not a statement, {expected}")
    board = _place(found["board"], graph)
    if graph is not None and len(set(graph.names)) < graph.size:
        raise CavalcadeError(f"two vertices of {graph.title} have the same name")
    vertices = {} if graph is None else {one: vertex for vertex, one in enumerate(graph.names)}

    def cell(name: str) -> int:
        try:
            one = json.loads(name) if name[0] == '"' else name
        except ValueError:
            raise CavalcadeError(f"{name[:60]} is not text as JSON has it") from None
        return vertices[one] if one in vertices else board.cell(one)

    def moves(key: str) -> list[tuple[int, int]]:
        pairs = re.findall(f"({CELL})-({CELL})", found[key] or "")
        return [(cell(a), cell(b)) for a, b in pairs]

    steps = re.findall(f"({CELL}) at step ([0-9]+)", found["steps"] or "")
    at = {int(step): cell(name) for name, step in steps}
    if len(at) < len(steps):
        raise CavalcadeError("the statement has two cells at one step")
    start, end = (None if found[key] is None else cell(found[key]) for key in ("start", "end"))
    question = Question.of(
        board, piece=found["piece"] or found["mover"], open=found["kind"] == "open", start=start, end=end,
        with_=moves("required"), avoid=moves("forbidden"), at=at, symmetry=found["symmetry"],
        moves=found["direction"], coils=int(found["coils"]) if found["coils"] else None,
    )  # fmt: skip
    return question, AtMost(found["what"], int(found["most"])) if found["most"] else None


def _place(name: str, graph: MoveGraph | None) -> Board | MoveGraph:
    """The board of a spec, or the graph if it has that name."""
    if graph is None:
        if name.startswith("graph:"):
            raise CavalcadeError(f"the statement is about {name[:60]}, and its graph is not given")
        return parse_board(name)
    if name != graph_name(graph):
        raise CavalcadeError(f"the statement is about {name[:60]}, not about {graph_name(graph)}")
    return graph


def graph_name(graph: MoveGraph) -> str:
    """What a statement calls a graph: `graph:` and the digest of its names and edges. Time: n log n."""
    names = graph.names
    order = sorted(range(len(names)), key=names.__getitem__)
    place = np.empty(len(names), dtype=np.int64)
    place[order] = np.arange(len(names))
    edges = place[graph.edges()]
    if not graph.directed:
        edges.sort(axis=1)
    edges = edges[np.lexsort(edges.T[::-1])]
    said, named = (
        json.dumps(one, separators=(",", ":")) for one in (graph.directed, [names[i] for i in order])
    )
    pairs = ",".join(map("[{},{}]".format, *edges.T.tolist()))  # as JSON has them, in half the time
    return f"graph:{_sha256(f'[{said},{named},[{pairs}]]')[:32]}"


def canonical_piece(piece: Piece) -> Piece:
    """The piece with the same moves whose spec says each of them once, in ascending order."""
    if piece.leaps:
        return Piece(leaps=tuple(sorted({(min(leap), max(leap)) for leap in piece.leaps})))
    return Piece(moves=tuple(sorted({max(move, tuple(-x for x in move)) for move in piece.moves})))


def _sha256(text: str) -> str:
    """The digest of a text."""
    from hashlib import sha256  # loads OpenSSL: few statements need it

    return sha256(text.encode()).hexdigest()
