"""Formats: what is written is read back, what is damaged says so in one line."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cavalcade import formats
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible, Undecided
from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.errors import CavalcadeError, FormatError
from cavalcade.graph import MoveGraph, move_graph
from cavalcade.pieces import KNIGHT
from strategies import edge_lists, positions

if TYPE_CHECKING:
    from pathlib import Path

    from hypothesis.strategies import DrawFn

# the first tour of Gerlach 2015, row by row from the top: open, from a8 to b2
PAPER = """
 1 16 31 34  3 18 21 50
30 35  2 17 32 49  4 19
15 44 33 60 41 20 51 22
36 29 42 45 54 59 48  5
43 14 61 40 47 52 23 58
28 37 46 53 62 55  6  9
13 64 39 26 11  8 57 24
38 27 12 63 56 25 10  7
"""
CLOSED_5X6 = """
 1 14 25 10 29 16
24  5 30 15 20  9
13  2 11 26 17 28
 6 23  4 19  8 21
 3 12  7 22 27 18
"""


@st.composite
def claims(draw: DrawFn) -> Tour:
    """Some cells of some board in some order, called closed or open."""
    board, piece = draw(positions())
    cells = draw(st.permutations(range(board.size)))[: draw(st.integers(0, board.size))]
    return Tour(board, np.array(cells, dtype=np.int32), draw(st.booleans()), piece)


@st.composite
def graphs(draw: DrawFn) -> MoveGraph:
    """A plain graph, its vertices named or not."""
    n, edges = draw(edge_lists())
    labels = st.text(
        st.characters(codec="ascii", categories=["L", "N", "P"], exclude_characters="#;"), min_size=1
    )
    names = draw(st.none() | st.lists(labels, min_size=n, max_size=n, unique=True))
    return MoveGraph.from_edges(edges, n, names, draw(st.sampled_from(["graph", "graph:petersen"])))


# ---- tours there and back


@settings(max_examples=40)
@given(claims(), st.sampled_from(formats.READABLE))
def test_every_format_gives_back_what_it_was_given(tour: Tour, name: str) -> None:
    text = formats.write(tour, name)
    assert formats.parse(text) == tour
    assert formats.parse(text, board=tour.board, piece=tour.piece) == tour
    assert formats.write(formats.parse(text), name) == text


@pytest.mark.parametrize("closed", [False, True])
def test_a_partial_walk_is_not_called_a_tour(closed: bool) -> None:  # noqa: FBT001
    whole = Tour(Board.box(8, 8).without(["a8"]), np.arange(63, dtype=np.int32), closed)
    walk = Tour(whole.board, whole.cells[:60], closed)
    kind, name = ("closed", "closed walk") if closed else ("open", "walk")
    for format_ in ("text", "csv", "wide", "tour"):
        board = "8x8" if format_ in {"text", "wide"} else "8x8-a8"  # where the file itself shows the hole
        said = f"{name} of {board}, 60 of 63 cells, piece knight"
        assert said in formats.write(walk, format_)
        assert formats.parse(formats.write(walk, format_)) == walk
        assert f"{kind} tour of {board}, piece knight" in formats.write(whole, format_)
    assert f"<title>{name} of 8x8-a8, 60 of 63 cells, knight</title>" in walk.svg()
    assert f"<title>{kind} tour of 8x8-a8, knight</title>" in whole.svg()


@settings(max_examples=40)
@given(claims(), st.booleans(), st.booleans(), st.booleans())
def test_every_way_to_write_text_reads_back(tour: Tour, header: bool, labels: bool, beside: bool) -> None:  # noqa: FBT001
    text = formats.write(tour, header=header, labels=labels, beside=beside)
    told = formats.parse(text) if header else formats.parse(text, board=tour.board, piece=tour.piece)
    assert np.array_equal(told.cells, tour.cells)
    assert told.board == tour.board


@settings(max_examples=20)
@given(graphs(), st.data(), st.sampled_from(["text", "csv", "json", "tour"]))
def test_tours_of_plain_graphs_read_back_with_the_graph(
    graph: MoveGraph, data: st.DataObject, name: str
) -> None:
    cells = data.draw(st.permutations(range(graph.size)))
    tour = Tour(graph, np.array(cells, dtype=np.int32), closed=data.draw(st.booleans()))
    text = formats.write(tour, name)
    assert formats.parse(text, board=graph) == tour
    with pytest.raises(FormatError):
        formats.parse(text)


@pytest.mark.parametrize("name", formats.READABLE)
def test_a_tour_of_the_paper_survives_every_file(name: str, tmp_path: Path) -> None:
    tour = formats.parse(PAPER)
    assert (tour.kind, tour.board, tour.piece) == ("open", Board.box(8, 8), KNIGHT)
    assert (tour.names[0], tour.names[-1], len(tour)) == ("a8", "b2", 64)
    formats.save(tour, tmp_path / "tour", name)
    assert formats.read(tmp_path / "tour") == tour


def test_without_a_header_board_and_kind_are_inferred() -> None:
    closed = formats.parse(CLOSED_5X6)
    assert (closed.board, closed.closed) == (Board.box(5, 6), True)
    for name in ("text", "csv", "wide"):
        assert formats.parse(formats.write(closed, name, header=False)) == closed
    hexagon = Tour(Board.hexagon(3), np.arange(19, dtype=np.int32), closed=False)
    for name in ("text", "csv"):
        assert formats.parse(formats.write(hexagon, name, header=False)).board == Board.hexagon(3)
    torus = formats.parse(CLOSED_5X6, board="torus:5x6", piece="camel")
    assert (torus.board.spec, torus.piece.spec, torus.closed) == ("torus:5x6", "camel", False)


def test_text_looks_as_in_the_papers() -> None:
    board = Board.box(2, 2, 3).without(["2:b1"])
    text = formats.write(Tour(board, np.array([0, 10, 3], dtype=np.int32), closed=False), beside=True)
    assert text == (
        "; walk of 2x2x3, 3 of 11 cells, piece knight\n"
        "1: a b c | 2: a b c\n2  1 . . | 2  . . .\n1  3 . . | 1  . # 2\n"
    )
    assert formats.numbers(Board.hexagon(3).without(["c3"]), range(18)).splitlines() == [
        " a  b  c  d  e",
        "       7",
        "    3    11",
        " 0     8    15",
        "    4    12",
        " 1     #    16",
        "    5    13",
        " 2     9    17",
        "    6    14",
        "      10",
    ]


def test_wide_variables_are_those_of_the_papers() -> None:
    names, values = formats.write(formats.parse(PAPER), "wide", header=False).splitlines()
    assert names.split()[:9] == ["s11", "s12", "s13", "s14", "s15", "s16", "s17", "s18", "s21"]
    assert dict(zip(names.split(), values.split(), strict=True))["s72"] == "64"
    stack = Board.box(3, 8, 8)
    names, values = formats.numbers(stack, move_graph(stack).degrees, "wide", letter="m").splitlines()
    assert dict(zip(names.split(), values.split(), strict=True))["m238"] == "10"
    assert formats.numbers(Board.box(2, 10), range(20), "wide").split()[9:11] == ["s1_10", "s2_1"]


def test_verdicts_as_json() -> None:
    tour = formats.parse(CLOSED_5X6)
    board = Board.box(5, 6)
    keys = ["board", "piece", "kind", "status", "cells", "coords", "method", "seed", "seconds", "effort"]
    found = json.loads(formats.verdict_json(Found(tour, "join", 7, 0.5), board, KNIGHT, "closed"))
    assert list(found) == keys
    assert (found["board"], found["piece"], found["kind"], found["status"]) == (
        "5x6",
        "knight",
        "closed",
        "found",
    )
    assert (found["cells"][:2], found["coords"][:2]) == (["a5", "b3"], [[0, 0], [2, 1]])
    assert (found["method"], found["seed"], found["seconds"]) == ("join", 7, 0.5)
    assert formats.parse(json.dumps(found, indent=1)) == tour
    for verdict in (Impossible("odd", "parity"), Undecided("gave up", "join", partial=tour)):
        text = formats.verdict_json(verdict, board, KNIGHT, "closed")
        said = json.loads(text)
        assert list(said) == [*keys, "reason"]
        assert (said["status"], said["cells"], said["reason"]) == (verdict.status, None, verdict.reason)
        with pytest.raises(FormatError, match=f"no tour in it, its status is '{verdict.status}'"):
            formats.parse(text)


def test_plain_tsplib_tours_need_a_board() -> None:
    text = "NAME: x\nTYPE: TOUR\nDIMENSION: 4\nTOUR_SECTION\n1 3\n2\n4\n-1\n"
    tour = formats.parse(text, board=MoveGraph.from_edges([(0, 1), (1, 2), (2, 3)]))
    assert (list(tour), tour.closed) == ([0, 2, 1, 3], True)
    assert formats.parse(text, board="2x2").names == ["a2", "a1", "b2", "b1"]
    with pytest.raises(FormatError, match="does not name its board"):
        formats.parse(text)


# ---- graphs there and back


@settings(max_examples=30)
@given(graphs(), st.sampled_from([("hcp", {}), ("hcp", {"adjacency": True}), ("edges", {})]))
def test_graphs_read_back(graph: MoveGraph, how: tuple[str, dict[str, bool]]) -> None:
    name, options = how
    again = formats.parse_graph(formats.write_graph(graph, name, **options))
    assert np.array_equal(again.indptr, graph.indptr)
    assert np.array_equal(again.indices, graph.indices)
    if name == "edges":
        assert again.names == graph.names


def test_graph_files_as_others_write_them(tmp_path: Path) -> None:
    square = [[0, 1], [0, 3], [1, 2], [2, 3]]
    for text in (
        "NAME: c4\nDIMENSION: 4\nEDGE_DATA_FORMAT: EDGE_LIST\nEDGE_DATA_SECTION\n1 2 2 3\n3 4\n4 1\nEOF\n",
        "DIMENSION : 4\nEDGE_DATA_FORMAT : ADJ_LIST\nEDGE_DATA_SECTION\n1 2 4 -1\n3 2\n4 -1\n-1\n",
        "# a square\n1 2\n2 3 # side\n\n3 4 {}\n4 1\n",
    ):
        (tmp_path / "c4").write_text(text)
        graph = formats.read_graph(tmp_path / "c4")
        assert (graph.edges().tolist(), graph.labels, graph.spec) == (square, None, "graph:c4")
    assert formats.parse_graph("b a\na c\n").labels == ("b", "a", "c")


# ---- damage

HCP = "TYPE : HCP\nDIMENSION : 3\nEDGE_DATA_FORMAT : {}\nEDGE_DATA_SECTION\n{}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HCP.format("EDGE_LIST", "1 2\n2 3"), "ends in the middle"),
        (HCP.format("EDGE_LIST", "1 2\n2 4\n-1\n"), "line 6, '2 4': not a vertex, expected 1 to 3"),
        (HCP.format("EDGE_LIST", "1 2\n2\n-1\n"), "line 6, '2': the last edge has one end"),
        (HCP.format("EDGE_LIST", "1 2\n-1\n2 3\n"), "line 7, '2 3': the list of edges ended"),
        (HCP.format("EDGE_LIST", "1 2\n2 2\n-1\n"), "line 6, '2 2': a vertex is joined to itself"),
        (HCP.format("EDGE_LIST", "1 2\n2 x\n-1\n"), "line 6, '2 x': expected whole numbers"),
        (HCP.format("EDGE_LIST", "1 2\nx y\n-1\n"), "line 6, 'x y': expected a number, a field"),
        (HCP.format("MATRIX", "1 2\n-1\n"), "line 3, 'EDGE_DATA_FORMAT : MATRIX': expected EDGE_LIST or ADJ"),
        (HCP.format("ADJ_LIST", "1 2 -1\n2 3"), "ends in the middle"),
        (HCP.format("ADJ_LIST", "1 2 -1\n-1\n3 1 -1\n"), "line 7, '3 1 -1': the list of edges ended"),
        ("DIMENSION : 99999999999\nEDGE_DATA_SECTION\n-1\n", "line 1, .* too many vertices"),
        ("DIMENSION : many\nEDGE_DATA_SECTION\n-1\n", "line 1, 'DIMENSION : many': expected a number"),
        ("TYPE : TOUR\nTOUR_SECTION\n1\n-1\n", "line 1, 'TYPE : TOUR': expected a file of TYPE HCP"),
        ("a b\nb c d\n", "line 2, 'b c d': 3 labels, expected two"),
        ("a b\nb b\n", "line 2, 'b b': an edge from a vertex to itself"),
        ("# nothing\n", "there is no edge in it"),
    ],
)
def test_damaged_graphs_say_where(text: str, message: str) -> None:
    with pytest.raises(CavalcadeError, match=f"^the text: .*{message}"):
        formats.parse_graph(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "nothing in it"),
        ("1 2 3\n4 5\n", "line 2, '4 5': 2 numbers in a row, expected 3"),
        ("1 2 3\n4 5 x\n", "line 2, '4 5 x': 'x' is no step"),
        ("1 2 3\n4 5 5\n", "step 5 stands on two cells"),
        ("1 2 3\n4 5 7\n", "step 6 is missing"),
        ("  a b\n3 1 2\n1 3 4\n", "line 2, '3 1 2': expected rank 2 first"),
        ("1 2\n3 4\n\n5 6\n", "line 4, '5 6': level 2 has another size"),
        ("1 2 | 3 4\n5 6\n", "line 2, '5 6': 1 levels side by side, expected 2"),
        ("1\n2 3\n4\n5 6\n8 7\n", "line 5, '8 7': 2 numbers, on hex:2 1"),
        ("1\n2 3\n4 5 6\n", "line 2, '2 3': 2 numbers in a row, expected 1"),
        ("; closed tour of 8q8, piece knight\n1 2\n", "line 1, '; closed .*: '8q8' is no board"),
        ("; closed tour of 8x8, piece rook\n1 2\n", "line 1, '; closed .*: 'rook' is no piece"),
        ("; closed tour of 8x8, piece knight\n1 2\n3 4\n", "numbers of shape 2x2 do not fit 8x8"),
        ("# # #\n# # #\n", "needs at least one cell"),
        ("step,name,row,column\n1,a1,0\n", "line 2, '1,a1,0': 3 values, expected 4"),
        ("step,name,row,column\n1,a1,0,0\n3,b1,0,1\n", "line 3, '3,b1,0,1': expected the step after"),
        ("step,name,row,column\n1,a1,0,0\n2,b1,0,z\n", "line 3, '2,b1,0,z': 'z' is no number"),
        ("step,name,row,column\n1,a1,0,0\n2,c1,0,1\n", "line 3, '2,c1,0,1': 'c1' is no cell of 1x2"),
        ("step,name,row,column\n1,b1,0,0\n2,a1,0,1\n", "line 2, '1,b1,0,0': b1 lies at 0,1"),
        ("step,row,column\n1,0,0\n2,7,9\n", "fill no box and no hexagon"),
        ("x,y\n1,2\n", "line 1, 'x,y': expected the names of the columns"),
        ("s11 s12\n1\n", "line 2, '1': 1 values for 2 variables"),
        ("s11 s12\n1 x\n", "line 2: s12 is 'x', expected a step"),
        ("s11 s11\n1 2\n", "line 1, 's11 s11': 's11' stands twice"),
        ("s11 s123\n1 2\n", "'s123' is no variable like 's11'"),
        ("s1_1 s99999_99999\n1 2\n", "fill no board"),
        ("s11 s12\n", "1 lines, expected two"),
        ('{"board": "8x8", "cells": ["a1",', "line 1, near .*: no JSON"),
        ('{"board": "8x8", "cells": [1]}', "'cells' is no list of names"),
        ('{"board": "8x8", "cells": ["a9"]}', "'a9' is no cell of 8x8"),
        ('{"board": "8x8", "cells": ["a8"], "coords": [[7, 7]]}', "'coords' and 'cells' disagree"),
        ('{"board": 8, "cells": ["a8"]}', "'board' is '8', expected text"),
        ('{"cells": ["a8"]}', "does not name its board"),
        ('{"a":' + "[" * 100_000, "no JSON"),
        ("TYPE : TOUR\nDIMENSION : 3\nTOUR_SECTION\n1\n2\n-1\n", "line 2, 'DIMENSION : 3': the tour has 2"),
        ("TYPE : TOUR\nTOUR_SECTION\n1\n2\n", "ends in the middle of the tour"),
        ("TYPE : TOUR\nTOUR_SECTION\n1\n9\n-1\n", "line 4, '9': no cell of 1x2, expected 1 to 2"),
        ("TYPE : HCP\nTOUR_SECTION\n-1\n", "line 1, 'TYPE : HCP': expected a file of TYPE TOUR"),
        ("<svg/>", "a picture"),
        (HCP.format("EDGE_LIST", "1 2\n-1\n"), "it is a graph"),
    ],
)
def test_damaged_tours_say_where(text: str, message: str) -> None:
    board = "1x2" if "TOUR_SECTION" in text else None
    with pytest.raises(FormatError, match=f"^the text: .*{message}") as error:
        formats.parse(text, board=board)
    assert "\n" not in str(error.value)


@settings(max_examples=100)
@given(claims(), st.sampled_from(formats.READABLE), st.data())
def test_any_damage_is_a_tour_or_one_clear_line(tour: Tour, name: str, data: st.DataObject) -> None:
    text = formats.write(tour, name)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(start + 12, len(text))))
    new = data.draw(st.text('0123456789.#-,;:|x_ \n\t"{[abs\x00é', max_size=4))
    try:
        formats.parse(text[:start] + new + text[end:])
    except FormatError as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017 - either outcome is right


def test_what_cannot_be_read_or_written_says_so(tmp_path: Path) -> None:
    tour = formats.parse(CLOSED_5X6)
    graph = Tour(
        MoveGraph.from_edges([(0, 1)], labels=["a b", " c"]), np.arange(2, dtype=np.int32), closed=False
    )
    with pytest.raises(FormatError, match=r"cannot read .*nowhere: No such file"):
        formats.read(tmp_path / "nowhere")
    with pytest.raises(FormatError, match=r"cannot read .*: Is a directory"):
        formats.read(tmp_path)
    (tmp_path / "binary").write_bytes(b"\x89PNG\xff")
    with pytest.raises(FormatError, match="binary is no text: byte 0"):
        formats.read(tmp_path / "binary")
    with pytest.raises(FormatError, match=r"cannot write .*: No such file"):
        formats.save(tour, tmp_path / "no" / "where.txt")
    with pytest.raises(FormatError, match="unknown format 'docx'"):
        formats.save(tour, tmp_path / "tour.docx")
    with pytest.raises(FormatError, match="cannot stand on a line"):
        formats.write(graph)
    with pytest.raises(FormatError, match="no rows and columns"):
        formats.write(graph, "wide")
    with pytest.raises(FormatError, match="cannot stand in an edge list"):
        formats.write_graph(graph.board, "edges")  # type: ignore[arg-type]


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_nothing_is_left_half_written(
    failure: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise failure

    path = tmp_path / "tour.txt"
    path.write_text("old")
    path.chmod(0o640)
    tour = formats.parse(CLOSED_5X6)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises((KeyboardInterrupt, FormatError)):
            formats.save(tour, path)
    assert (path.read_text(), list(tmp_path.iterdir())) == ("old", [path])
    formats.save(tour, path)
    assert (formats.read(path), list(tmp_path.iterdir())) == (tour, [path])
    assert path.stat().st_mode & 0o777 == 0o640
    formats.save(tour, os.devnull, "text")


def test_a_board_of_the_file_far_too_large_is_not_built() -> None:
    with pytest.raises(FormatError, match="too many to name"):
        formats.parse(json.dumps({"board": "40000x40000", "cells": ["a1"] * 2_000_000}))
    assert formats.parse(json.dumps({"board": "40000x40000", "cells": ["a1"]})).board == parse_board(
        "40000x40000"
    )
