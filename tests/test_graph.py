"""Move graphs: comparison with an oracle, with the degree tables of the papers, and with networkx."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings

from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.checking.tours import check
from cavalcade.ground.errors import CellError, GraphError, TooLargeError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.moves import are_moves, graph_of, move_graph
from cavalcade.question.pieces import KNIGHT, Piece, leaper
from strategies import edge_lists, positions, reach


@settings(max_examples=120)
@given(positions())
def test_a_move_graph_equals_the_oracle(position: tuple[Board, Piece]) -> None:
    board, piece = position
    graph = move_graph(board, piece)
    ways = reach(board, piece)
    rows = [graph.neighbours(i).tolist() for i in range(graph.size)]
    assert [set(row) for row in rows] == ways
    assert graph.degrees.tolist() == [len(row) for row in rows] == [len(ends) for ends in ways]  # no doubles
    assert all(i not in row for i, row in enumerate(rows))  # no loops
    assert graph.directed or all(i in ways[j] for i, row in enumerate(rows) for j in row)
    arcs = sum(map(len, ways))
    assert graph.edge_count == len(graph.edges()) == (arcs if graph.directed else arcs // 2)


@settings(max_examples=60)
@given(positions())
def test_neighbours_have_the_order_of_the_moves(position: tuple[Board, Piece]) -> None:
    board, piece = position
    assume(board.kind not in {"surface", "cube"})  # their moves go around corners
    graph = move_graph(board, piece)
    for cell, place in enumerate(board.coords):
        ends = [int(board.locate(place + vector)) for vector in piece.vectors(board)]
        assert graph.neighbours(cell).tolist() == [e for e in dict.fromkeys(ends) if e >= 0 and e != cell]


# ---- a plain graph in place of a board

ONLY_BOARDS = {"box", "hexagon", "surface", "without", "kind", "sides", "side", "name_at", "files", "place"}
ONLY_BOARDS |= {"block", "reached", "svg"}  # used only if `plain` is False


def test_a_graph_has_the_attributes_of_a_board() -> None:
    board, graph = Board.box(3, 4), move_graph(Board.box(3, 4))
    words = {word for word in dir(board) if not word.startswith("_")} - ONLY_BOARDS
    assert [word for word in sorted(words) if not hasattr(graph, word)] == []
    assert (graph.plain, board.plain) == (True, False)
    assert (graph.coords.shape, graph.shape) == ((graph.size, graph.dimensions), (12,))
    assert graph.locate([[3], [12], [-1]]).tolist() == [3, -1, -1]
    assert (graph.family.flat, graph.family.centre, graph.family.noun) == (False, None, "vertex")
    assert graph_of(graph, KNIGHT) is graph


@settings(max_examples=60)
@given(positions())
def test_a_pair_of_cells_is_a_move_or_not(position: tuple[Board, Piece]) -> None:
    board, piece = position
    graph, n = move_graph(board, piece), board.size
    starts, stops = (ends.ravel() for ends in np.indices((n, n)))
    expected = [b in graph.neighbours(a) for a, b in zip(starts.tolist(), stops.tolist(), strict=True)]
    for place in (board, graph):
        assert are_moves(place, piece, starts, stops).tolist() == expected


@pytest.mark.parametrize(
    ("spec", "answers"),
    [
        ("3x5", (True, (2, 4), True)),
        ("8x8-a1", (True, (7, 7), True)),
        ("2x3x4", (True, None, False)),
        ("hex:3", (True, (0, 0), False)),
        ("triangle:4", (True, None, False)),
        ("torus:3x4", (False, None, False)),
        ("cube:2", (False, None, False)),
    ],
)
def test_properties_of_boards(spec: str, answers: tuple[object, ...]) -> None:
    board = parse_board(spec)
    assert (board.family.flat, board.family.centre, board.is_rectangle) == answers


# ---- the papers' KNIGHTMOVES

TABLE_1 = """
2 3 4 4 4 4 3 2
3 4 6 6 6 6 4 3
4 6 8 8 8 8 6 4
4 6 8 8 8 8 6 4
4 6 8 8 8 8 6 4
4 6 8 8 8 8 6 4
3 4 6 6 6 6 4 3
2 3 4 4 4 4 3 2
"""

TABLE_9_BOARDS_1_AND_3 = """
6  8 10 10 10 10  8  6
8 10 13 13 13 13 10  8
10 13 16 16 16 16 13 10
10 13 16 16 16 16 13 10
10 13 16 16 16 16 13 10
10 13 16 16 16 16 13 10
8 10 13 13 13 13 10  8
6  8 10 10 10 10  8  6
"""

TABLE_9_BOARD_2 = """
6  7 10 10 10 10  7  6
7  8 12 12 12 12  8  7
10 12 16 16 16 16 12 10
10 12 16 16 16 16 12 10
10 12 16 16 16 16 12 10
10 12 16 16 16 16 12 10
7  8 12 12 12 12  8  7
6  7 10 10 10 10  7  6
"""


def test_the_degrees_that_the_papers_print() -> None:
    flat = np.array(TABLE_1.split(), dtype=int)
    assert move_graph(Board.box(8, 8)).degrees.tolist() == flat.tolist()
    outer, inner = (np.array(t.split(), dtype=int) for t in (TABLE_9_BOARDS_1_AND_3, TABLE_9_BOARD_2))
    stacked = move_graph(Board.box(3, 8, 8)).degrees.reshape(3, 64).tolist()
    assert stacked == [outer.tolist(), inner.tolist(), outer.tolist()]


def test_published_degrees() -> None:
    four = move_graph(Board.box(4, 8, 8))
    assert int(four.degrees.max()) == 20  # on levels 2 and 3; Table 11 of the paper says 16
    assert set(move_graph(parse_board("torus:5x7")).degrees.tolist()) == {8}
    centre = parse_board("hex:6").cell("f6")
    assert len(move_graph(parse_board("hex:6")).neighbours(centre)) == 12
    assert move_graph(parse_board("3x3")).degrees.tolist() == [2, 2, 2, 2, 0, 2, 2, 2, 2]
    # m x n: 4 (m-1)(n-2) + 4 (m-2)(n-1) directed moves on one board
    for m, n in ((5, 6), (1, 9), (2, 7), (20, 20)):
        moves = 2 * ((m - 1) * max(n - 2, 0) + max(m - 2, 0) * (n - 1))
        assert move_graph(Board.box(m, n)).edge_count == moves


def test_a_small_torus_has_no_loops_and_no_doubles() -> None:
    for kind in ("cylinder", "torus", "mobius", "klein"):
        for sides in ((1, 1), (1, 2), (2, 2), (2, 4), (1, 5), (4, 1)):
            board = Board.surface(kind, *sides)
            assert [set(move_graph(board).neighbours(i).tolist()) for i in range(board.size)] == reach(
                board, KNIGHT
            )


# ---- plain graphs


@given(edge_lists())
def test_networkx_round_trip(given_edges: tuple[int, list[tuple[int, int]]]) -> None:
    n, edges = given_edges
    names = [f"v{i}" for i in range(n)]
    theirs = nx.Graph()
    theirs.add_nodes_from(names)
    theirs.add_edges_from((names[a], names[b]) for a, b in edges)
    ours = MoveGraph.from_networkx(theirs)
    assert ours.names == names
    assert {frozenset(e) for e in ours.edges().tolist()} == {frozenset(e) for e in edges}
    back = ours.to_networkx()
    assert nx.utils.graphs_equal(back, theirs)
    assert MoveGraph.from_edges([*edges, *edges, *[(b, a) for a, b in edges]], n).edge_count == len(edges)


def test_bad_graphs() -> None:
    with pytest.raises(GraphError, match="without vertices"):
        MoveGraph.from_edges([])
    with pytest.raises(GraphError, match="float64"):
        MoveGraph.from_edges(np.zeros((2, 2)))
    with pytest.raises(GraphError, match="outside 0 to 1"):
        MoveGraph.from_edges([(0, 1), (1, 2)], 2)
    with pytest.raises(GraphError, match="pairs"):
        MoveGraph.from_edges(np.zeros((2, 3), dtype=int))
    with pytest.raises(CellError, match="'4'"):
        MoveGraph.from_edges([(0, 1), (1, 2)]).cell("4")


def test_a_board_larger_than_the_memory_is_refused_before_it_is_built() -> None:
    with pytest.raises(
        TooLargeError, match=r"40000x40000, 1,600,000,000 cells, needs about .* GB, this machine has"
    ):
        move_graph(Board.box(40000, 40000), leaper(3, 4))


def test_a_million_cells_without_a_loop_over_them() -> None:
    graph = move_graph(Board.box(1000, 1000))
    assert graph.edge_count == 2 * 2 * 999 * 998
    assert graph.indices.dtype == graph.indptr.dtype == np.int32


def test_tour_of_a_graph_whose_rows_are_in_any_order_is_checked() -> None:
    ordered = MoveGraph.from_edges([(i, (i + 1) % 7) for i in range(7)] + [(0, 3), (2, 6)], 7)
    rows = [ordered.indices[a:b][::-1] for a, b in pairwise(ordered.indptr)]
    graph = MoveGraph(ordered.indptr, np.concatenate(rows))
    assert check(list(range(7)), graph)
    assert not check([0, 1, 2, 4, 3, 5, 6], graph)  # 2 and 4 are no neighbours


@pytest.mark.parametrize("last", [(0, 1.5), (0, "1"), (0,), (0, 1, 2), {0, 1}])
def test_wrong_edge_after_many_right_ones_is_refused(last: Any) -> None:
    with pytest.raises((GraphError, ValueError)):
        MoveGraph.from_edges([*[(0, 1)] * 100_001, last])
