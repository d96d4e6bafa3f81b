"""Statements: a question in canonical words, one line that states everything that is asked.

    closed tour of 8x8
    open tour of 6x6 by the camel from a1 to c3, with b1-c3, d4-e6, without a2-b4, c5 at step 5
    open tour of 6x6 by the piece 0,1 from a6 to a1, through f6, c4, d3, f1
    closed tour of 6x6, symmetric under the half turn, all moves counterclockwise
    closed tour of 8x8, all moves clockwise in 7 coils
    closed tour of 5x6, with at most 20 turns
    closed tour of 5x6, of weight at most 29.5 by weights:5f1d9f2b8f1b7b1a5c0c1f9f2b8f1b7b
    closed tour of graph:0f343b0931126a20f133d67c2b018a3b

The form, in which every part marked ( )? is optional and nothing is abbreviated:

    (closed | open) tour of BOARD (by the PIECE)? (from CELL)? (to CELL)?
    (, with MOVE, MOVE, …)? (, without MOVE, MOVE, …)? (, CELL at step STEP, CELL at step STEP, …)?
    (, through CELL, CELL, …)? (, symmetric under the NAME)? (, all moves DIRECTION)? (in NUMBER coils)?
    (, with at most NUMBER EVENTS | , of weight at most DECIMAL by WEIGHTS)?

The clauses between the piece and the bound come from the vocabulary, `question.words`, in its order. BOARD
is `Board.spec`, which has no spaces, or `graph:` and a digest. PIECE is `camel` or another name, or the word
`piece` and a spec: `by the piece 1,2+1,3`. The knight is not named. `moves:1,2;2,1+-` has these moves and
their opposites, and so has `moves:1,2;2,1`, the older form; `exactly:0,1;1,0` has only these moves. A CELL is
its name; the name of a vertex with signs other than letters, digits, `_`, `.` and `:` is JSON text. A MOVE is
two cells and a hyphen. In a closed tour `from` is step 1. One coil is `in 1 coil`.

The digest of a graph is the first 32 digits of the SHA-256 of the JSON text, without spaces, of a list of
three: whether the graph is directed; the names of its vertices in ascending order; and its edges as pairs of
positions in that list, from 0, in ascending order, each with the smaller one first unless it is directed.

WEIGHTS is `weights:` and a digest in the same manner: of the list of all moves in ascending order. Each move
is a list of the names of its two cells, in ascending order unless the graph is directed, and its weight as
text.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question import words
from cavalcade.question.graph import MoveGraph
from cavalcade.question.pieces import KNIGHT, NAMED, Piece, both_ways, stated_piece
from cavalcade.question.question import PLAIN_NAME, Question

Minimized: TypeAlias = Literal["turns", "crossings", "acute angles", "right angles", "obtuse angles"]
MEASURES: tuple[Minimized, ...] = get_args(Minimized)
CELL = rf'(?:"(?:[^"\\]|\\.)*"|{PLAIN_NAME.pattern})'
MOVE = f"{CELL}-{CELL}"
STEP = f"{CELL} at step [1-9][0-9]{{0,9}}"
# pattern of the value in a clause, by the kind of its word; the only number counts coils
VALUES = {
    words.CELL: CELL,
    words.MOVES: f"{MOVE}(?:, {MOVE})*",
    words.STEPS: f"{STEP}(?:, {STEP})*",
    words.PATH: f"{CELL}(?:, {CELL})+",
    words.NAME: ".+?",
    words.DIRECTION: "[a-z]+",
    words.POSITIVE: "[1-9][0-9]{0,9} coils?",
}
CLAUSES = "".join(
    f"(?:{row.clause.format(f'(?P<{name}>{VALUES[row.kind]})')})?"
    for name, row in words.ROWS.items()
    if row.clause
)
FORM = re.compile(
    r"(?P<kind>closed|open) tour of (?P<board>\S+?)"
    r"(?: by the (?:piece )?(?P<piece>\S+?)|, (?P<mover>\S+?)(?=,? from |,? to |, |$))?"
    rf"{CLAUSES}(?:, with at most (?P<most>0|[1-9][0-9]{{0,17}}) (?P<what>{'|'.join(MEASURES)})"
    r"|, of weight at most (?P<weight>-?[0-9]{1,18}(?:\.[0-9]{1,18})?) by (?P<weights>weights:[0-9a-f]{32}))?"
)


@dataclass(frozen=True)
class AtMost:
    """A bound: tours with at most `most` events of a kind.

    Args:
        what: the kind of the events, one of `MEASURES`.
        most: the largest number of events.
    """

    what: str
    most: int

    def __str__(self) -> str:
        return f"with at most {self.most} {self.what}"


@dataclass(frozen=True)
class WeightLimit:
    """A bound: tours whose moves have a total weight of at most `most`.

    Args:
        most: the largest total weight.
        weights: weight of each move (a, b), in ascending order of the moves; a < b unless the graph is
            directed.
    """

    most: Decimal
    weights: tuple[Decimal, ...]


Bound: TypeAlias = AtMost | WeightLimit


def statement(question: Question, at_most: Bound | None = None) -> str:
    """Write a question in canonical words, which `read_statement` reads.

    Args:
        question: any question.
        at_most: a bound on the turns, crossings, angles or the weight of the tours.

    Time: linear; a graph of a million edges takes 2 s.
    """
    board = question.board
    text = f"{question.kind} tour of {graph_name(board) if board.plain else board.spec}"
    if not board.plain and (piece := canonical_piece(question.piece)) != KNIGHT:
        text += f" by the {'' if piece.spec in NAMED else 'piece '}{piece.spec}"
    text = f"{text}{question.from_to}{question.constraints}"
    if isinstance(at_most, WeightLimit):
        most, name = decimal_text(at_most.most), weights_name(question, at_most.weights)
        return f"{text}, of weight at most {most} by {name}"
    return f"{text}, {at_most}" if at_most else text


def decimal_text(number: Decimal) -> str:
    """Write a decimal number without an exponent and without zeros at the end of a fraction: `29.5`."""
    text = f"{number:f}"
    return text.rstrip("0").removesuffix(".") if "." in text else text


def digest(question: Question, at_most: Bound | None = None) -> str:
    """Return the SHA-256 of the statement in hexadecimal digits."""
    return _sha256(statement(question, at_most))


def read_statement(
    text: str, graph: MoveGraph | None = None, weights: tuple[Decimal, ...] | None = None
) -> tuple[Question, Bound | None]:
    """Read a statement, which need not be canonical, and return its question and its bound.

    Boards and pieces may have other spellings, `by the knight` or `, knight` may be present, and moves may be
    in any order.

    Args:
        text: the statement.
        graph: the graph, if the statement names one; its digest is compared.
        weights: weight of each move in ascending order, if the statement limits the weight; their digest is
            compared.

    Raises:
        CavalcadeError: the text is no statement, is about another graph or other weights, or states what
            `Question.of` refuses.
    """
    match = FORM.fullmatch(text)
    if match is None:
        expected = "expected one like 'closed tour of 8x8' or 'open tour of 6x6 by the camel from a1'"
        raise CavalcadeError(f"{text[:80]!r} is not a statement, {expected}")
    board = _board_named(match["board"], graph)
    if graph is not None and len(set(graph.names)) < graph.size:
        raise CavalcadeError(f"two vertices of {graph.title} have the same name")
    vertices = {} if graph is None else {name: vertex for vertex, name in enumerate(graph.names)}

    def cell(name: str) -> int:
        try:
            label = json.loads(name) if name[0] == '"' else name
        except ValueError:
            raise CavalcadeError(f"{name[:60]} is not text as JSON has it") from None
        return vertices[label] if label in vertices else board.cell(label)

    def value(kind: words.Kind, written: str) -> object:
        if kind is words.CELL:
            return cell(written)
        if kind is words.MOVES:
            return [(cell(a), cell(b)) for a, b in re.findall(f"({CELL})-({CELL})", written)]
        if kind is words.PATH:
            return [cell(name) for name in re.findall(CELL, written)]
        if kind is words.STEPS:
            pairs = re.findall(f"({CELL}) at step ([0-9]+)", written)
            steps = {int(step): cell(name) for name, step in pairs}
            if len(steps) < len(pairs):
                raise CavalcadeError("the statement has two cells at one step")
            return steps
        return int(written.split(maxsplit=1)[0]) if kind is words.POSITIVE else written

    given: dict[str, Any] = {
        name: value(row.kind, match[name])
        for name, row in words.ROWS.items()
        if row.clause and match[name] is not None
    }
    spec = match["piece"] or match["mover"]
    piece = None if spec is None else stated_piece(spec)
    question = Question.of(board, piece=piece, open=match["kind"] == "open", **given)
    if match["weights"]:
        return question, _weight_limit(question, match, weights)
    return question, AtMost(match["what"], int(match["most"])) if match["most"] else None


def _weight_limit(
    question: Question, match: re.Match[str], weights: tuple[Decimal, ...] | None
) -> WeightLimit:
    """Return the bound of a statement about weights."""
    if weights is None:
        raise CavalcadeError(f"the statement is about {match['weights']}, and the weights are not given")
    if len(weights) != question.graph.edge_count:
        moves = question.graph.edge_count
        raise CavalcadeError(f"{len(weights):,} weights for {moves:,} moves, expected one per move")
    if match["weights"] != (name := weights_name(question, weights)):
        raise CavalcadeError(f"the statement is about {match['weights']}, not about {name}")
    return WeightLimit(Decimal(match["weight"]), weights)


def _board_named(name: str, graph: MoveGraph | None) -> Board | MoveGraph:
    """Return the board of a spec, or the graph if the statement names it."""
    if graph is None:
        if name.startswith("graph:"):
            raise CavalcadeError(f"the statement is about {name[:60]}, and its graph is not given")
        return parse_board(name)
    if name != graph_name(graph):
        raise CavalcadeError(f"the statement is about {name[:60]}, not about {graph_name(graph)}")
    return graph


def graph_name(graph: MoveGraph) -> str:
    """Return the name of a graph in statements: `graph:` and its digest."""
    return f"graph:{graph_digest(graph)}"


def graph_digest(graph: MoveGraph) -> str:
    """Return 32 hexadecimal digits that identify the names and edges of a graph.

    Time: O(n log n + m).
    """
    names = graph.names
    order = sorted(range(len(names)), key=names.__getitem__)
    rank = np.empty(len(names), dtype=np.int64)
    rank[order] = np.arange(len(names))
    edges = rank[graph.edges()]
    if not graph.directed:
        edges.sort(axis=1)
    edges = edges[np.lexsort(edges.T[::-1])]
    labels = json.dumps([names[i] for i in order], separators=(",", ":"))
    pairs = ",".join(["[%d,%d]"] * len(edges)) % (*edges.ravel().tolist(),)  # in a third of json's time
    return _sha256(f"[{str(graph.directed).lower()},{labels},[{pairs}]]")[:32]


def weights_name(question: Question, weights: tuple[Decimal, ...]) -> str:
    """Return how statements name weights: `weights:` and a digest of the moves and their weights.

    Time: O(m log m).
    """
    names, moves = question.board.names, sorted(question.graph.pairs())
    order = list if question.graph.directed else sorted
    rows = sorted(
        [*order((names[a], names[b])), decimal_text(weight)]
        for (a, b), weight in zip(moves, weights, strict=True)
    )
    return f"weights:{_sha256(json.dumps(rows, separators=(',', ':')))[:32]}"


def canonical_piece(piece: Piece) -> Piece:
    """Return the piece with the same moves whose spec lists each of them once, in ascending order."""
    if piece.leaps:
        return Piece(leaps=tuple(sorted({(min(leap), max(leap)) for leap in piece.leaps})))
    if {*both_ways(piece.moves)} != {*piece.moves}:
        return Piece(moves=tuple(sorted({*piece.moves})))
    half = sorted({max(move, tuple(-x for x in move)) for move in piece.moves})
    return Piece(moves=both_ways(tuple(half)))


def _sha256(text: str) -> str:
    """Return the SHA-256 of a text in hexadecimal digits."""
    from hashlib import sha256  # loads OpenSSL, which few commands need

    return sha256(text.encode()).hexdigest()
