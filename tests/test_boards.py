"""Boards, their names and specs, and pieces."""

from __future__ import annotations

from contextlib import suppress
from itertools import product
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cavalcade.boards import Board
from cavalcade.boards.notation import format_mask, parse_board, parse_mask, split_names
from cavalcade.ground.errors import BoardError, CavalcadeError, CellError, PieceError, TooLargeError
from cavalcade.question.pieces import ANTELOPE, CAMEL, GIRAFFE, KNIGHT, ZEBRA, Piece, leaper, parse_piece
from strategies import boards, pieces

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

# ---- round trips


@given(boards())
def test_specs_round_trip(board: Board) -> None:
    parsed = parse_board(board.spec)
    assert parsed == board
    assert hash(parsed) == hash(board)
    assert parse_board(f" {board.spec.upper()} ") == board


@given(boards())
def test_names_and_coordinates_round_trip(board: Board) -> None:
    assert len(set(board.names)) == len(board) == board.size
    assert board.names == [board.name(i) for i in range(board.size)]
    assert [board.cell(name) for name in board.names] == list(range(board.size))
    assert board.locate(board.coords).tolist() == list(range(board.size))


@given(boards())
def test_holes_and_cells_partition_the_board(board: Board) -> None:
    whole = board.whole
    assert sorted([*board.names, *board.holes]) == sorted(whole.names)
    assert whole.without(board.holes) == board
    for hole in board.holes:
        with pytest.raises(CellError, match=hole):
            board.cell(hole)


@given(boards(kinds=("box",)).filter(lambda board: board.dimensions < 4))
def test_board_files_round_trip(board: Board) -> None:
    if board.dimensions == 3 and 1 in board.shape[:2]:
        with pytest.raises(BoardError, match="cannot show"):
            format_mask(board)
    else:
        assert parse_mask(format_mask(board)) == board


@given(st.integers(2, 4).flatmap(pieces))
def test_pieces_round_trip(piece: Piece) -> None:
    parsed = parse_piece(piece.spec)
    assert (parsed.leaps, parsed.moves) == (piece.leaps, piece.moves)


# ---- conventions


def test_squares_are_named_as_in_chess() -> None:
    board = Board.box(8, 8)
    assert (board.name(0), board.name(7), board.name(56), board.name(63)) == ("a8", "h8", "a1", "h1")
    assert board.coords[board.cell("h6")].tolist() == [2, 7]  # the papers' {3,8}
    assert parse_board("3x30").names[24:31] == ["y3", "z3", "aa3", "ab3", "ac3", "ad3", "a2"]
    assert parse_board("1x703").names[-2:] == ["zz1", "aaa1"]


def test_levels_come_first() -> None:
    board = parse_board("4x8x8")
    assert board.coords[board.cell("2:h6")].tolist() == [1, 2, 7]  # the papers' m238
    assert board.name(0) == "1:a8"
    assert parse_board("3x3x3x4").cell("3:2:d1") == 3 * 3 * 3 * 4 - 1 - 12
    assert parse_board("3x3x3x4").names[-1] == "3:3:d1"


def test_glinski_names() -> None:
    board = parse_board("hex:6")
    ranks = {"a": 6, "b": 7, "c": 8, "d": 9, "e": 10, "f": 11, "g": 10, "h": 9, "i": 8, "k": 7, "l": 6}
    assert sorted(board.names) == sorted(
        f"{f}{rank}" for f, top in ranks.items() for rank in range(1, top + 1)
    )
    assert board.size == 91
    assert board.coords[board.cell("f6")].tolist() == [0, 0]
    # files run straight up; a rank bends at the middle file, so that a1, f1, l1 are corners and so is f11
    corners = {
        board.name(i)
        for i, coords in enumerate(board.coords)
        if sorted(map(abs, (*coords, -sum(coords)))) == [0, 5, 5]
    }
    assert corners == {"a1", "a6", "f1", "f11", "l1", "l6"}
    assert board.coords[board.cell("f1")].tolist() == [0, 5]
    with pytest.raises(CellError, match="'j1'"):
        board.cell("j1")


def test_knights_move_in_the_papers_order() -> None:
    steps = [(a, b) for a, b in product((-2, -1, 1, 2), repeat=2) if abs(a) != abs(b)]
    assert [tuple(v) for v in KNIGHT.vectors(Board.box(8, 8)).tolist()] == steps
    assert len(KNIGHT.vectors(Board.box(2, 2, 2))) == 24
    on_hexagons = {tuple(v) for v in KNIGHT.vectors(Board.hexagon(6)).tolist()}
    cubes = [(1, 2, -3), (1, -3, 2), (2, 1, -3), (2, -3, 1), (-3, 1, 2), (-3, 2, 1)]
    assert on_hexagons == {(s * q, s * r) for q, r, _ in cubes for s in (1, -1)}


def test_surfaces_wrap_and_names_do_not() -> None:
    ends = np.array([[-1, 0], [0, -1], [0, 7], [5, 0]])
    wrapped = {
        kind: Board.surface(kind, 5, 7).locate(ends).tolist()
        for kind in ("cylinder", "torus", "mobius", "klein")
    }
    assert wrapped == {
        "cylinder": [-1, 6, 0, -1],
        "torus": [28, 6, 0, 0],
        "mobius": [-1, 34, 28, -1],  # the seam turns the top row into the bottom row
        "klein": [28, 34, 28, 0],
    }
    with pytest.raises(CellError, match="'h1'"):
        parse_board("torus:5x7").cell("h1")


def test_equal_boards() -> None:
    board = Board.box(3, 3)
    assert board.without(["b2"]) == parse_board("3x3-b2") != board
    assert Board("box", (3, 3), np.ones((3, 3), dtype=np.bool_)) == board
    assert board != Board.surface("torus", 3, 3)
    assert len({board, Board.box(3, 3), board.without([4]), board.without(["b2"])}) == 2


def test_named_pieces() -> None:
    assert [p.spec for p in (KNIGHT, CAMEL, ZEBRA, GIRAFFE, ANTELOPE)] == [
        "knight",
        "camel",
        "zebra",
        "giraffe",
        "antelope",
    ]
    assert parse_piece("4,1") == parse_piece("Giraffe") == GIRAFFE == leaper(4, 1)
    assert parse_piece("knight+1,3").spec == "1,2+1,3"


def test_board_files() -> None:
    board = parse_mask("; a ring, then a row\n...\n.#.\n...\n\n..\n#\n#\n")
    assert board.shape == (2, 3, 3)
    assert board.size == 10
    assert board.names[-2:] == ["2:a3", "2:b3"]
    assert parse_mask("..\n..\n") == Board.box(2, 2)


# ---- errors quote the input


BAD_BOARDS = [
    "", "8", "8x", "x8", "8x8x", "0x8", "8x-1", "8.5x8", "8 x 8 8", "²x3", "99999999999x3",
    "hex:", "hex:5x5", "hex:0", "torus:5", "torus:2x3x4", "moon:8x8", "box:8x8", ":8x8",
    "8x8-", "8x8-,", "8x8-z9", "8x8-a1,,b1", "8x8-a0", "8x8-1:a1", "1x1-a1", "8x8-" + "a" * 200 + "1",
]  # fmt: skip


@pytest.mark.parametrize("spec", BAD_BOARDS)
def test_a_bad_spec_is_one_clear_line(spec: str) -> None:
    with pytest.raises(CavalcadeError) as caught:
        parse_board(spec)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 300
    if spec != "1x1-a1":
        assert repr(spec)[1:20] in message


def attempt(parse: Callable[[str], T], text: str) -> tuple[T | None, str]:
    """The parsed value of a text, or the error message."""
    try:
        return parse(text), ""
    except CavalcadeError as error:
        return None, str(error)


@given(st.text(alphabet="0123456789xab:-,.hexklintorus ²", max_size=12))
def test_any_text_is_a_board_or_a_board_error(text: str) -> None:
    board, message = attempt(parse_board, text)
    assert "\n" not in message
    if board:
        with suppress(TooLargeError):
            assert parse_board(board.spec) == board


@given(st.text(max_size=12) | st.text(alphabet="0123456789,+;:moves-", max_size=12))
def test_any_text_is_a_piece_or_a_piece_error(text: str) -> None:
    piece, message = attempt(parse_piece, text)
    assert "\n" not in message
    assert parse_piece(piece.spec) == piece if piece else repr(text)[:20] in message


@given(boards(), st.text(max_size=8) | st.text(alphabet="abjkl0123456789:", max_size=8))
def test_any_text_is_a_cell_or_a_cell_error(board: Board, text: str) -> None:
    cell, message = attempt(board.cell, text)
    assert "\n" not in message
    assert repr(text)[:20] in message if cell is None else 0 <= cell < board.size


def test_other_bad_input() -> None:
    board = Board.box(3, 3)
    for wrong in (9, -1):
        with pytest.raises(CellError, match=str(wrong)):
            board.name(wrong)
        with pytest.raises(CellError, match=str(wrong)):
            board.without([wrong])
    with pytest.raises(BoardError, match="no cell"):
        parse_mask("##\n##\n")
    with pytest.raises(BoardError, match="line 2, column 3: 'z'"):
        parse_mask("...\n..z\n")
    with pytest.raises(BoardError, match="no cell"):
        parse_mask("")
    with pytest.raises(CellError, match="between commas"):
        split_names("a1,,b1")
    with pytest.raises(PieceError, match="3x3"):
        parse_piece("moves:1,2,3").vectors(board)
    for shape, kind in (
        ((3,), "box"),
        ((0, 3), "box"),
        ((2, 2, 2), "torus"),
        ((4, 4), "hex"),
        ((3, 5), "hex"),
    ):
        with pytest.raises(BoardError):
            Board(kind, shape)
    with pytest.raises(BoardError, match="shape"):
        Board("box", (3, 3), np.ones((2, 2), dtype=np.bool_))
    with pytest.raises(BoardError, match="outside hex:2"):
        Board("hex", (2,), np.ones((3, 3), dtype=np.bool_))


@pytest.mark.parametrize(
    "spec", ["100000x100000", "999999999x999999999x999999999", "hex:999999999", "torus:90000x90000"]
)
def test_a_board_too_large_to_number(spec: str) -> None:
    with pytest.raises(TooLargeError, match="too many"):
        _ = parse_board(spec).coords
