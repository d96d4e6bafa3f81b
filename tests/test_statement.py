"""Statements: one line states a question completely, and is read back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.pieces import KNIGHT, Piece
from cavalcade.question.question import Question, symmetries
from cavalcade.question.statement import AtMost, digest, graph_name, read_statement, statement
from strategies import boards, pieces

LABELS = ["a", "b c", "with", "d-e", 'f"g', "h\\", "ä", ", without ", " to x", "1"]
SQUARE = MoveGraph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)], labels=["d", "c", "b", "a"])
READ: dict[str, dict[str, Any]] = {
    "closed tour of 8x8": {},
    "open tour of 6x6 by the camel from a1 to c3, with a2-b5, b1-c4, without a1-b4, e1-f4, c5 at step 5": {
        "piece": "camel", "open": True, "start": "a1", "end": "c3", "with_": "c4-b1,a2-b5",
        "avoid": "e1-f4,a1-b4", "at": "5=c5",
    },
    "closed tour of 6x6, symmetric under the half turn, all moves counterclockwise": {
        "symmetry": "half-turn", "moves": "counterclockwise",
    },
    "closed tour of 8x8 from a1, all moves clockwise in 7 coils": {
        "start": "a1", "moves": "clockwise", "coils": 7,
    },
    "closed tour of 4x4, all moves counterclockwise in 1 coil": {"moves": "counterclockwise", "coils": 1},
    "closed tour of 5x6 from a1, c3 at step 7": {"at": "1=a1,7=c3"},
    "open tour of 5x6 from a5 to f1, symmetric under the half turn": {
        "open": True, "start": "a5", "symmetry": "half turn",
    },
    "closed tour of hexagon:2,3,4-a1,b2": {},
    "closed tour of 8x8-a1,b1 by the piece 1,2+1,3": {"piece": "1,3+1,2"},
    "closed tour of 5x5 by the piece moves:1,2;2,1+-": {"piece": "moves:-2,-1;1,2;2,1±"},
    "closed tour of 5x5 by the piece exactly:-2,-1;1,2;2,1": {"piece": "moves:1,2;-2,-1;2,1"},
    "closed tour of 2x3x4, symmetric under the (-level, row, column)": {"symmetry": "(-level, row, column)"},
    "closed tour of 6x6, symmetric under the reflection, left to right": {"symmetry": "horizontal"},
    "closed tour of 5x5, symmetric under the reflection in a diagonal taking a5 to a5": {
        "symmetry": "reflection in a diagonal",
    },
    "closed tour of 5x5, symmetric under the reflection in a diagonal taking a5 to e1": {
        "symmetry": "reflection in a diagonal taking a5 to e1",
    },
}  # fmt: skip


@pytest.mark.parametrize("text", READ)
def test_a_question_has_one_statement(text: str) -> None:
    spec = text.split(" ")[3].rstrip(",")
    question = Question.of(spec, **READ[text])
    assert statement(question) == text
    read_back, bound = read_statement(text)
    assert (read_back, bound) == (replace(question, piece=read_back.piece), None)
    assert statement(read_back) == text
    assert digest(read_back) == digest(question)
    assert len(digest(read_back)) == 64


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """Draw a question about a random board or graph, with random constraints."""
    plain = draw(st.booleans())
    if plain:
        n = draw(st.integers(2, len(LABELS)))
        ends = st.integers(0, n - 1)
        edges = draw(st.lists(st.tuples(ends, ends), min_size=1, max_size=20))
        board: Board | MoveGraph = MoveGraph.from_edges(
            edges, n, labels=draw(st.permutations(LABELS))[:n], directed=draw(st.booleans())
        )
        question = Question.of(board, open=draw(st.booleans()))
    else:
        board = draw(boards(most=40).filter(lambda board: board.size > 1))
        piece = draw(pieces(board.dimensions))
        try:
            piece.assert_fits(board)
        except CavalcadeError:
            piece = KNIGHT
        question = Question.of(board, piece=piece, open=draw(st.booleans()))
    cells, moves = st.integers(0, board.size - 1), question.graph.edges().tolist()
    move_lists = st.lists(st.sampled_from(moves), max_size=3) if moves else st.just([])
    words: dict[str, Any] = {
        "with_": draw(move_lists), "avoid": draw(move_lists),
        "at": draw(st.dictionaries(st.integers(1, board.size), cells, max_size=3)),
        "start": draw(st.none() | cells), "end": draw(st.none() | cells) if not question.closed else None,
    }  # fmt: skip
    if isinstance(board, Board) and draw(st.booleans()):
        words["symmetry"] = draw(
            st.sampled_from([symmetry.name for symmetry in symmetries(board, question.piece)])
        )
    if isinstance(board, Board) and board.kind in {"box", "hex"} and board.dimensions == 2:
        words["moves"] = draw(st.sampled_from([None, "clockwise", "counterclockwise"]))
    mover = question.piece if isinstance(board, Board) else None
    for left_out in ((), ("symmetry",), ("symmetry", "moves"), tuple(words)):
        subset = {key: value for key, value in words.items() if key not in left_out}
        try:
            return Question.of(board, piece=mover, open=not question.closed, **subset)
        except CavalcadeError:
            continue
    return question


@settings(deadline=None)
@given(
    questions(), st.none() | st.builds(AtMost, st.sampled_from(["turns", "crossings"]), st.integers(0, 99))
)
def test_statements_are_read_back(question: Question, bound: AtMost | None) -> None:
    text = statement(question, bound)
    graph = question.board if isinstance(question.board, MoveGraph) else None
    read_back, read = read_statement(text, graph)
    assert read == bound
    assert statement(read_back, read) == text
    for name in ("board", "closed", "start", "end", "required", "forbidden", "steps", "direction"):
        assert getattr(read_back, name) == getattr(question, name), name
    assert (read_back.symmetry is None) == (question.symmetry is None)
    if question.symmetry is not None and read_back.symmetry is not None:
        asked_cells, read_cells = question.symmetry.cells, read_back.symmetry.cells
        assert np.array_equal(asked_cells, read_cells) or np.array_equal(
            asked_cells[read_cells], np.arange(len(asked_cells))
        )
    if isinstance(question.board, Board):
        assert {tuple(sorted(edge)) for edge in read_back.graph.edges().tolist()} == {
            tuple(sorted(edge)) for edge in question.graph.edges().tolist()
        }


def test_other_spellings_are_understood() -> None:
    for text in (
        "closed tour of 8X8, knight",
        "closed tour of 8x8 by the knight",
        "closed tour of 8x8 by the piece 2,1",
    ):
        assert statement(read_statement(text)[0]) == "closed tour of 8x8"
    question, bound = read_statement(
        "open tour of 6x6, camel from a1, with c4-b1, without f4-e1, with at most 7 turns"
    )
    expected = "open tour of 6x6 by the camel from a1, with b1-c4, without e1-f4, with at most 7 turns"
    assert statement(question, bound) == expected


@pytest.mark.parametrize("text", [
    "", "tour of 8x8", "closed tour", "closed tour of 8x8 ", "closed tour of 9", "closed tour of 8x8, queen",
    "closed tour of 8x8 by the queen", "closed tour of 8x8 to a1", "open tour of 8x8 from a9",
    "closed tour of 8x8, with a1-a2", "closed tour of 8x8, with a1-b3, …",
    "closed tour of 8x8, c3 at step 007", "closed tour of 8x8, c3 at step 99",
    "closed tour of 8x8, c3 at step 2, c4 at step 2",
    "closed tour of 8x8, symmetric under the quarter moon", "closed tour of 8x8, all moves widdershins",
    "closed tour of 8x8, with at most 044 turns", "closed tour of 8x8, with at most 4 moves",
    "closed tour of 5x6, without a1-b3, with a1-b3", "closed tour of graph:8x8",
    "closed tour of 8x8, symmetric under the reflection in a diagonal taking a1 to a1 and b1 to b2",
    "closed tour of 8x8, with a1-b3, without a1-b3", "no closed tour of 8x8",
])  # fmt: skip
def test_malformed_statements_are_refused(text: str) -> None:
    with pytest.raises(CavalcadeError):
        read_statement(text)


def test_a_graph_is_named_by_its_edges_and_labels() -> None:
    name = graph_name(SQUARE)
    relabelled = MoveGraph.from_edges(
        [(3, 2), (0, 3), (1, 0), (2, 1)], labels=["a", "b", "c", "d"], spec="8x8"
    )
    assert name == graph_name(relabelled) == graph_name(replace(SQUARE, spec="other"))
    assert len(name) == len("graph:") + 32
    for unlike in (
        MoveGraph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)], labels=["a", "c", "b", "d"]),
        MoveGraph.from_edges([(0, 1), (1, 2), (2, 3)], labels=["d", "c", "b", "a"]),
        MoveGraph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)], labels=["d", "c", "b", "a"], directed=True),
    ):
        assert graph_name(unlike) != name
        with pytest.raises(CavalcadeError, match="the statement is about"):
            read_statement(f"closed tour of {name}", unlike)
    with pytest.raises(CavalcadeError, match="its graph is not given"):
        read_statement(f"closed tour of {name}")
    twins = MoveGraph.from_edges([(0, 1)], labels=["a", "a", "'a'"])
    with pytest.raises(CavalcadeError, match="the same name"):
        read_statement(f"open tour of {graph_name(twins)}", twins)


def test_the_name_of_a_graph_is_as_documented() -> None:
    from hashlib import sha256

    graph = MoveGraph.from_edges([(0, 1), (2, 0)], labels=["z", 'x"', "y"])
    text = '[false,["x\\"","y","z"],[[0,2],[1,2]]]'
    assert graph_name(graph) == "graph:" + sha256(text.encode()).hexdigest()[:32]
    assert (
        statement(Question.of(graph, open=True, start='x"'))
        == f'open tour of {graph_name(graph)} from "x\\""'
    )


def test_a_board_of_many_holes_is_named_in_full() -> None:
    board = parse_board("9x9").without([cell for cell in range(0, 81, 2) if cell])
    text = statement(Question.of(board))
    assert text.count(",") == len(board.holes) - 1
    assert read_statement(text)[0].board == board
    assert statement(Question.of("4x4", piece=Piece(leaps=((2, 1), (1, 2))))) == "closed tour of 4x4"
