"""Tours, and the checker on printed tours, on their mutations, and compared with an oracle."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cavalcade
from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.checking.arrays import check_array
from cavalcade.checking.tours import check, check_all
from cavalcade.ground.errors import CellError
from cavalcade.ground.kernels import Tier
from cavalcade.question.graph import MoveGraph
from cavalcade.question.moves import move_graph
from cavalcade.question.pieces import KNIGHT, parse_piece
from strategies import is_tour, reach, walks, ways_of

# Gerlach & Gerlach 2019, Table 4, left: a closed tour from c1 to b3
TABLE_4_CLOSED = """
20  5 38 47 22  7 26 45
37 50 21  6 39 46 23  8
 4 19 56 51 48 25 44 27
55 36 49 32 57 40  9 24
18  3 54 61 52 43 28 41
35 64 33 58 31 60 13 10
 2 17 62 53 12 15 42 29
63 34  1 16 59 30 11 14
"""
# the same table, right: an open tour from e1 to h1
TABLE_4_OPEN = """
42 25 22  7 48 35 20  5
23  8 41 36 21  6 47 34
26 43 24 49 46 57  4 19
 9 40 45 56 37 50 33 58
44 27 52 39 62 59 18  3
13 10 55 60 51 38 63 32
28 53 12 15 30 61  2 17
11 14 29 54  1 16 31 64
"""
CHESSBOARD = Board.box(8, 8)


def printed(table: str, *, closed: bool) -> Tour:
    numbering = np.array(table.split(), dtype=int).reshape(8, 8)
    return Tour.from_numbering(CHESSBOARD, numbering, closed=closed)


CLOSED = printed(TABLE_4_CLOSED, closed=True)
OPEN = printed(TABLE_4_OPEN, closed=False)
WAYS = reach(CHESSBOARD, KNIGHT)


# ---- tours


def test_a_printed_tour() -> None:
    assert CLOSED.names[:3] == ["c1", "a2", "b4"]
    assert (CLOSED.board.name(CLOSED.start), CLOSED.board.name(CLOSED.end)) == ("c1", "b3")
    assert (len(CLOSED), CLOSED.kind, OPEN.kind) == (64, "closed", "open")
    assert CLOSED.numbering.tolist() == np.array(TABLE_4_CLOSED.split(), dtype=int).reshape(8, 8).tolist()
    assert CLOSED.steps[CLOSED.board.cell("a8")] == 20
    assert CLOSED.coords[0].tolist() == [7, 2]
    assert Tour.from_names(CHESSBOARD, CLOSED.names, closed=True) == CLOSED
    assert Tour.from_numbering(CHESSBOARD, CLOSED.numbering + 64, closed=True) == CLOSED
    assert {CLOSED: 1}[Tour(CHESSBOARD, CLOSED.cells, closed=True)] == 1


@given(st.integers(0, 63))
def test_rotations_and_reversals(cell: int) -> None:
    turned = CLOSED.rotated(cell)
    assert turned.start == cell
    assert turned == CLOSED.rotated(CHESSBOARD.name(cell))
    assert check(turned)
    assert check(turned.opened())
    assert turned.rotated(CLOSED.start) == CLOSED
    assert turned.reversed().start == cell
    assert turned.reversed().reversed() == turned
    assert check(turned.reversed())
    assert OPEN.reversed().start == OPEN.end
    assert OPEN.reversed().reversed() == OPEN
    assert check(OPEN.reversed())


def test_tours_do_not_change() -> None:
    with pytest.raises(ValueError, match="read-only"):
        CLOSED.cells[0] = 5
    with pytest.raises(AttributeError):
        CLOSED.closed = False  # type: ignore[misc]


def test_malformed_tours_are_refused() -> None:
    with pytest.raises(CellError, match="64 is not a cell"):
        Tour(CHESSBOARD, np.array([0, 64]), closed=False)
    with pytest.raises(CellError, match="'z9'"):
        Tour.from_names(CHESSBOARD, ["a1", "z9"], closed=False)
    with pytest.raises(CellError, match="open tour begins where it begins"):
        OPEN.rotated("a1")
    with pytest.raises(CellError, match="does not visit"):
        Tour(CHESSBOARD, np.array([0]), closed=True).rotated("a1")
    three = Board.box(1, 3)
    for numbering, message in (
        ([[1, 1, 2]], "step 1 stands on two cells"),
        ([[1, 0, 3]], "step 2 is missing"),
        ([[1, 2]], r"shape \(1, 2\)"),
    ):
        with pytest.raises(CellError, match=message):
            Tour.from_numbering(three, numbering, closed=False)
    with pytest.raises(CellError, match="a hole"):
        Tour.from_numbering(three.without(["b1"]), [[1, 2, 3]], closed=False)


# ---- messages of the checker


def names(spec: str, cells: str, *, closed: bool = False, piece: str = "knight") -> Tour:
    return Tour.from_names(parse_board(spec), cells.split(), closed=closed, piece=parse_piece(piece))


RING = "a1 b3 c1 a2 c3 b1 a3 c2"
MESSAGES: list[tuple[Tour, str, int | None]] = [
    (CLOSED, "a closed tour of 8x8: 64 cells, each visited once", None),
    (OPEN, "an open tour of 8x8: 64 cells, each visited once", None),
    (
        Tour(CHESSBOARD, OPEN.cells, closed=True),
        "not closed: the last step, h1, is not a knight move from the first, e1",
        64,
    ),
    (names("3x3-b2", RING, closed=True), "a closed tour of 3x3-b2: 8 cells, each visited once", None),
    (names("3x3-b2", RING[:18] + "c2"), "step 6 to step 7, b1 to c2, is not a knight move", 7),
    (names("3x3-b2", "a1 b3 c1 b3"), "step 4 visits b3 again, after step 2", 4),
    (names("3x3-b2", "a1 b3"), "visits 2 of 8 cells; a3 is missing", None),
    (names("8x8", ""), "no open tour of 8x8: it visits no cell", None),
    (names("1x1", "a1", closed=True), "a closed tour of 1x1: one cell", None),
    (
        names("1x2", "a1 b1", piece="0,1"),
        "an open tour of 1x2 by the piece 0,1: 2 cells, each visited once",
        None,
    ),
    (
        names("1x2", "a1 b1", piece="0,1", closed=True),
        "not closed: two cells make no cycle: the way back is the way there",
        2,
    ),
]


@pytest.mark.parametrize(("tour", "message", "step"), MESSAGES)
def test_messages(tour: Tour, message: str, step: int | None) -> None:
    verdict = check(tour)
    assert (verdict.message, verdict.step) == (message, step)
    assert verdict.ok == bool(verdict) == message.endswith(("each visited once", "one cell"))


def mutations(cells: list[int], i: int, j: int, new: int) -> dict[str, list[int]]:
    """Return damaged copies of a sequence; some may equal the original or be other tours."""
    swapped = cells.copy()
    swapped[i], swapped[j] = swapped[j], swapped[i]
    moved = cells[:i] + cells[i + 1 :]
    moved.insert(j, cells[i])
    return {
        "swap": swapped,
        "move": moved,
        "repeat": [*cells[: i + 1], *cells[i:]],
        "drop": cells[:i] + cells[i + 1 :],
        "replace": [*cells[:i], new, *cells[i + 1 :]],
        "shift": [(cell + 1) % len(cells) for cell in cells],
        "turn a part": cells[: min(i, j)] + cells[min(i, j) : max(i, j)][::-1] + cells[max(i, j) :],
        "go round twice": cells * 2,
        "truncate": cells[: max(i, 1)],
    }


@settings(max_examples=100, deadline=None)
@given(st.sampled_from([CLOSED, OPEN]), st.integers(0, 63), st.integers(0, 63), st.integers(0, 63))
def test_a_damaged_tour_is_never_accepted(tour: Tour, i: int, j: int, new: int) -> None:
    ways = WAYS
    for kind, cells in mutations(tour.cells.tolist(), i, j, new).items():
        damaged = Tour(CHESSBOARD, np.array(cells), closed=tour.closed)
        assert bool(check(damaged)) == is_tour(damaged, ways), kind
        if cells != tour.cells.tolist() and kind in {
            "repeat",
            "drop",
            "replace",
            "shift",
            "go round twice",
        }:
            assert not check(damaged), kind


@settings(max_examples=220, deadline=None)
@given(walks())
def test_the_checker_agrees_with_the_oracle(tour: Tour) -> None:
    assert check(tour).ok == is_tour(tour, ways_of(tour))


SMALL = ["torus:2x3", "cylinder:3x2", "mobius:2x3", "klein:3x2", "mobius:1x6", "torus:1x6"]


@pytest.mark.parametrize(
    ("kind", "piece"),
    [*product(SMALL, ["knight", "1,3", "moves:1,1", "moves:0,1;1,2"]), ("hex:2", "moves:0,1;1,2")],
)
def test_every_sequence_of_a_small_board(kind: str, piece: str) -> None:
    board = parse_board(kind)
    leaper = parse_piece(piece)
    ways = reach(board, leaper)
    for cells in permutations(range(board.size), board.size):
        if cells[0] == 0:
            for closed in (True, False):
                tour = Tour(board, np.array(cells), closed, leaper)
                assert check(tour).ok == is_tour(tour, ways)


def test_plain_graphs() -> None:
    ring = MoveGraph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)], labels=["n", "e", "s", "w"])
    assert check(Tour.from_names(ring, ["s", "w", "n", "e"], closed=True))
    verdict = check(Tour.from_names(ring, ["n", "s", "e", "w"], closed=True))
    assert verdict.message == "step 1 to step 2, n to s, is not a graph move"
    assert not check(Tour(MoveGraph.from_edges([], 2), np.array([0, 1]), closed=False))


def test_a_million_cells() -> None:
    board = Board.box(1, 1_000_000)
    line = Tour(board, np.arange(board.size, dtype=np.int32), closed=False, piece=parse_piece("0,1"))
    assert check(line)
    assert not check(Tour(board, line.cells, closed=True, piece=line.piece))


def test_no_array_of_a_tour_a_board_or_a_graph_can_be_written_to() -> None:
    """Read-only arrays guarantee that `write` writes the cells that `check` accepted."""
    for board in (Board.box(5, 6), Board.box(5, 6).without(["a1"]), Board.hexagon(3)):
        graph = move_graph(board)
        tour = Tour(board, np.arange(board.size, dtype=np.int32), closed=True)
        arrays = [tour.cells, tour.steps, tour.numbering, board.coords, graph.indptr, graph.indices]
        for array in [*arrays, graph.neighbours(0), *([] if board.mask is None else [board.mask])]:
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0
    arrays_of_caller = np.array([0, 1, 2], dtype=np.int32), np.array([1, 0], dtype=np.int32)
    assert MoveGraph(*arrays_of_caller).size == 2
    arrays_of_caller[0][0] = 0  # the arrays of the caller stay writable


def test_moves_that_never_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """All moves lead to the left, except from the first two cells: b1 and c1 form a cycle."""
    monkeypatch.setattr(Tier, "warm", False)
    steps: list[float] = []
    moves = np.full((1, 256), 1, dtype=np.uint8)  # 1 is to the left, 2 to the right
    moves[0, :2] = 2
    checked = check_array(moves, piece="0,1", progress=steps.append)
    assert checked.message == "a walk from a1 never comes back"
    round_trip = np.array([[2, 3], [1, 0]], dtype=np.uint8)
    for codes in permutations(range(4)):
        square = np.array(codes, dtype=np.uint8).reshape(2, 2)
        if check_array(square, piece="0,1", progress=steps.append):
            round_trip = square
    assert (
        check_array(round_trip, piece="0,1").message
        == "a closed tour of 2x2 by the piece 0,1: 4 cells, each visited once"
    )
    assert max(steps) == 1


def test_a_wrong_tour_in_a_block_is_detected() -> None:
    blocks = list(cavalcade.list_arrays("5x6"))
    block = replace(blocks[0], cells=np.concatenate([part.cells for part in blocks]))
    assert check_all(block)
    for row, cells in ((0, [3, 4]), (1, [7, 8, 9]), (2, [1])):
        damaged = block.cells.copy()
        damaged[row, cells] = np.roll(damaged[row, cells], 1) if len(cells) > 1 else damaged[row, 5]
        verdict = check_all(replace(block, cells=damaged))
        assert not verdict
        assert verdict.message.startswith(f"number {row + 1} is not a tour")
    assert not check_all(replace(block, cells=block.cells[:, :-1]))
    prefix = np.array([0, 1, 2, 3])
    assert not check_all(replace(block, cells=block.cells[:, [*prefix, *range(29, 3, -1)]]))
    graph = cavalcade.move_graph("5x6")
    assert check_all(replace(block, board=graph))
    assert not check_all(replace(block, board=graph.where(np.arange(len(graph.indices)) > 20)))
    one_cell = cavalcade.Tours(parse_board("1x1"), np.zeros((3, 1), dtype=np.int32), closed=True)
    assert check_all(one_cell)
    single = replace(block, cells=block.cells[:1])
    assert check_all(single)
    assert not check_all(replace(single, cells=single.cells[:, ::-1] * 0 + 29))
