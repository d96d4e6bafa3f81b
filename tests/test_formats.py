"""Formats: round trips, and one-line errors for damaged files."""

from __future__ import annotations

import csv
import io
import json
import os
import struct
from itertools import islice, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cavalcade
from cavalcade import formats
from cavalcade.answers.tours import Tour, Tours
from cavalcade.answers.verdict import Found, Impossible, Undecided
from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.boards.space import corners_of, paths_of
from cavalcade.cli import main
from cavalcade.formats import npy
from cavalcade.formats.header import Claim
from cavalcade.formats.json import verdict_json, verdict_text
from cavalcade.formats.table import DRAWN, FORMATS, Format
from cavalcade.formats.text import numbers_text
from cavalcade.ground.budget import limits
from cavalcade.ground.errors import BoardError, CavalcadeError, FormatError, TooLargeError
from cavalcade.ground.storage import new_file
from cavalcade.papers.wide import numbers_wide
from cavalcade.question.graph import MoveGraph
from cavalcade.question.moves import move_graph
from cavalcade.question.pieces import KNIGHT, parse_piece
from cavalcade.question.question import Question
from strategies import CLOSED_5X6, claims, edge_lists, walks
from verdicts import tour_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import DrawFn

    from cavalcade.answers.certificate import Certificate
    from conftest import Ran

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

READABLE = ("text", "csv", "json", "tour", "wide", "out")


@st.composite
def graphs(draw: DrawFn) -> MoveGraph:
    """A random graph, with or without labels."""
    n, edges = draw(edge_lists())
    labels = st.text(
        st.characters(codec="ascii", categories=["L", "N", "P"], exclude_characters="#;"), min_size=1
    )
    names = draw(st.none() | st.lists(labels, min_size=n, max_size=n, unique=True))
    return MoveGraph.from_edges(edges, n, names, draw(st.sampled_from(["graph", "graph:petersen"])))


# ---- round trips of tours


@settings(max_examples=40)
@given(claims(), st.sampled_from(READABLE))
def test_every_format_round_trips(tour: Tour, name: str) -> None:
    assume(len(tour) > {"out": 1, "csv": 0}.get(name, -1))  # one cell has no links, none has no rows
    text = formats.write(tour, name)
    assert formats.parse(text) == tour
    assert formats.parse(text, board=tour.board, piece=tour.piece) == tour
    assert formats.write(formats.parse(text), name) == text


@pytest.mark.parametrize("closed", [False, True])
def test_a_partial_walk_is_not_called_a_tour(closed: bool) -> None:  # noqa: FBT001
    whole = Tour(Board.box(8, 8).without(["a8"]), np.arange(63, dtype=np.int32), closed)
    walk = Tour(whole.board, whole.cells[:60], closed)
    kind, name = ("closed", "closed walk") if closed else ("open", "walk")
    for format_ in ("text", "wide", "tour"):
        board = (
            "8x8" if format_ in {"text", "wide"} else "8x8-a8"
        )  # in these formats the numbers show the hole
        title = f"{name} of {board}, 60 of 63 cells, piece knight"
        assert title in formats.write(walk, format_)
        assert formats.parse(formats.write(walk, format_)) == walk
        assert f"{kind} tour of {board}, piece knight" in formats.write(whole, format_)
    assert f">{name} of 8x8-a8, 60 of 63 cells, knight" in walk.svg()
    assert f">{kind} tour of 8x8-a8, knight</title>" in whole.svg()


@settings(max_examples=40)
@given(claims(), st.booleans(), st.booleans(), st.booleans())
def test_every_way_to_write_text_reads_back(tour: Tour, header: bool, labels: bool, beside: bool) -> None:  # noqa: FBT001
    text = formats.write(tour, header=header, labels=labels, beside=beside)
    parsed = formats.parse(text) if header else formats.parse(text, board=tour.board, piece=tour.piece)
    assert np.array_equal(parsed.cells, tour.cells)
    assert parsed.board == tour.board


@settings(max_examples=20)
@given(graphs(), st.data(), st.sampled_from(["text", "csv", "json", "tour"]))
def test_tours_of_plain_graphs_read_back_with_the_graph(
    graph: MoveGraph, data: st.DataObject, name: str
) -> None:
    cells = data.draw(st.permutations(range(graph.size)))
    tour = Tour(graph, np.array(cells, dtype=np.int32), closed=data.draw(st.booleans()))
    text = formats.write(tour, name)
    assert formats.parse(text, board=graph) == tour
    if name == "json":  # it holds the edges
        again = formats.parse(text)
        assert again.names == tour.names
        assert isinstance(again.board, MoveGraph)
        assert sorted(again.board.pairs()) == sorted(graph.pairs())
    else:
        with pytest.raises(FormatError, match=r"\(--board\)"):
            formats.parse(text)


# Parquet, which takes longer than all of these, has a test of its own.
HOLD_TOURS = tuple(
    row.name for row in FORMATS if "Tour" in row.holds and not row.is_picture and row.name != "parquet"
)


@settings(max_examples=690)
@given(walks())
def test_a_file_has_the_same_verdict_as_the_tour(tour: Tour) -> None:
    """More than 5,000 files: every family, kind of piece and format, or the format refuses the walk."""
    verdict = cavalcade.check(tour)
    board = tour.board if tour.board.plain else None
    for name in HOLD_TOURS:
        try:
            if name == "npy":
                with TemporaryDirectory() as folder:
                    formats.save(tour, path := Path(folder, "tour.npy"))
                    again = formats.read(path)
            else:
                text = formats.write(tour, name)
                again = formats.parse(text, board=None if name == "json" else board)
        except FormatError as error:
            assert "use csv or json" in str(error) or "cannot write" in str(error), name  # noqa: PT017
            continue
        checked = cavalcade.check(again)
        assert (checked.ok, checked.message) == (verdict.ok, verdict.message), name
        assert (again.names, again.kind) == (tour.names, tour.kind), name


def test_a_tour_of_a_named_graph_needs_no_other_file(tmp_path: Path) -> None:
    verdict = cavalcade.tour("petersen", open=True)
    assert isinstance(verdict, Found)
    tour = verdict.tour
    for name in ("text", "csv", "json", "tour", "out"):
        formats.save(tour, path := tmp_path / f"t.{name}", name)
        assert cavalcade.check(formats.read(path)), name
        with pytest.raises(FormatError, match="a tour of another graph: gp:7,2 has different edges"):
            formats.read(path, board="gp:7,2")
        with pytest.raises(FormatError, match="a tour of petersen, not of 2x5"):
            formats.read(path, board="2x5")


def test_tables_that_others_write_are_read() -> None:
    """A title `col`, and rows and columns from 1, of a tour and of a walk to the last row and column."""
    tour = tour_of("5x6", open=True)
    for first, title in product((0, 1), ("column", "col", "COL")):
        coords = (tour.coords + first).tolist()
        rows = [f"step,row,{title}", *(f"{k},{i},{j}" for k, (i, j) in enumerate(coords, 1))]
        read = formats.parse("\n".join(rows))
        assert (read.board.title, read.names) == ("5x6", tour.names)
        part = formats.parse("\n".join(rows[:26]), board="5x6")
        assert part.names == tour.names[:25]


def test_numbers_under_variables_are_read() -> None:
    """Numbers on a board as SAS prints them, with and without a column Obs, and exports them."""
    tour = tour_of("5x6", open=True)
    grid = tour.numbering.tolist()
    exported = ["c1,c2,c3,c4,c5,c6", *(",".join(map(str, row)) for row in grid)]
    listed = ["Obs  x1  x2  x3  x4  x5  x6", "", *(f"{k:3d}  {row}" for k, row in enumerate(grid, 1))]
    for lines in (exported, listed, [listed[0].removeprefix("Obs"), *map(str, grid)]):
        read = formats.parse("\n".join(lines).replace("[", " ").replace("]", " ").replace(", ", "  "))
        assert (read.board.title, read.names) == ("5x6", tour.names)


def test_a_table_has_titles_and_rows_and_nothing_else() -> None:
    """The csv module and its peers read every line of a table, with the same columns."""
    cells = np.arange(14, dtype=np.int32)
    tour = Tour(parse_board("4x4-a1,b1"), cells, closed=False, piece=parse_piece("camel"))
    rows = list(csv.DictReader(io.StringIO(formats.write(tour, "csv"))))
    assert len(rows) == 14
    assert [rows[0][title] for title in ("kind", "board", "piece")] == ["open", "4x4-a1,b1", "camel"]
    assert {rows[i][title] for i in range(1, 14) for title in ("kind", "board", "piece")} == {""}
    lines = formats.write(tour, "csv").splitlines()
    for damaged, why in ((lines[2] + "torus:4x4,", "a second board"), (lines[2], "")):
        text = "\n".join([*lines[:2], damaged.replace(",,torus", ",torus"), *lines[3:]])
        if why:
            with pytest.raises(FormatError, match=why):
                formats.parse(text)
        else:
            assert formats.parse(text) == tour


def test_a_vertex_may_have_the_name_of_a_section() -> None:
    graph = MoveGraph.from_edges([(0, 1), (1, 2)], labels=["TOUR_SECTION", "NAME :", "c"])
    tour = Tour(graph, np.arange(3, dtype=np.int32), closed=False)
    assert formats.parse(formats.write(tour), board=graph) == tour


@pytest.mark.parametrize("name", READABLE)
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
    assert numbers_text(Board.hexagon(3).without(["c3"]), range(18)).splitlines() == [
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
    names, values = numbers_wide(stack, move_graph(stack).degrees, letter="m").splitlines()
    assert dict(zip(names.split(), values.split(), strict=True))["m238"] == "10"
    assert numbers_wide(Board.box(2, 10), range(20)).split()[9:11] == ["s1_10", "s2_1"]


def test_verdicts_as_json() -> None:
    tour = formats.parse(CLOSED_5X6)
    question = Question.of("5x6")
    keys = ["board", "piece", "kind", "status", "cells", "coords", "method", "seed", "seconds", "effort"]
    written = verdict_json(Found(tour, "join", 7, 0.5), question)
    assert list(written) == keys
    assert (written["board"], written["piece"], written["kind"], written["status"]) == (
        "5x6",
        "knight",
        "closed",
        "found",
    )
    assert (written["cells"][:2], written["coords"][:2]) == (["a5", "b3"], [[0, 0], [2, 1]])
    assert (written["method"], written["seed"], written["seconds"]) == ("join", 7, 0.5)
    assert formats.parse(json.dumps(written, indent=1)) == tour
    for verdict in (Impossible("odd", "parity"), Undecided("gave up", "join", partial=tour)):
        unsolved = verdict_json(verdict, question)
        assert list(unsolved) == [*keys, "reason"]
        assert (unsolved["status"], unsolved["cells"], unsolved["reason"]) == (
            verdict.status,
            None,
            verdict.reason,
        )
        with pytest.raises(FormatError, match=f"no tour in it, its status is '{verdict.status}'"):
            formats.parse(json.dumps(unsolved))


def test_plain_tsplib_tours_need_a_board() -> None:
    text = "NAME: x\nTYPE: TOUR\nDIMENSION: 4\nTOUR_SECTION\n1 3\n2\n4\n-1\n"
    tour = formats.parse(text, board=MoveGraph.from_edges([(0, 1), (1, 2), (2, 3)]))
    assert (tour.cells.tolist(), tour.closed) == ([0, 2, 1, 3], True)
    assert formats.parse(text, board="2x2").names == ["a2", "a1", "b2", "b1"]
    with pytest.raises(FormatError, match="does not name its board"):
        formats.parse(text)


# ---- round trips of graphs


@settings(max_examples=30)
@given(graphs(), st.sampled_from(["hcp", "edges", "adjacency"]))
def test_graphs_read_back(graph: MoveGraph, name: str) -> None:
    if name == "adjacency":  # as other programs write it
        rows = [
            " ".join(map(str, [i + 1, *(graph.neighbours(i) + 1).tolist(), -1])) for i in range(graph.size)
        ]
        head = f"TYPE : HCP\nDIMENSION : {graph.size}\nEDGE_DATA_FORMAT : ADJ_LIST\nEDGE_DATA_SECTION\n"
        text = head + "\n".join([*rows, "-1", "EOF"])
    else:
        text = formats.write(graph, name)
    parsed = formats.parse_graph(text)
    assert np.array_equal(parsed.indptr, graph.indptr)
    assert np.array_equal(parsed.indices, graph.indices)
    if name == "edges":
        assert parsed.names == graph.names


def test_graph_files_as_other_programs_write_them(tmp_path: Path) -> None:
    square = [[0, 1], [0, 3], [1, 2], [2, 3]]
    for text, labels in (
        (
            "NAME: c4\nDIMENSION: 4\nEDGE_DATA_SECTION\n1 2 2 3\n3 4\n4 1\nEOF\n",
            (1, 2, 3, 4),
        ),
        (
            "DIMENSION : 4\nEDGE_DATA_FORMAT : ADJ_LIST\nEDGE_DATA_SECTION\n1 2 4 -1\n3 2\n4 -1\n-1\n",
            (1, 2, 3, 4),
        ),
        ("# a square\n1 2\n2 3 # side\n\n3 4 {}\n4 1\n", ("1", "2", "3", "4")),
        ("c a square\np edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n", (1, 2, 3, 4)),
        (">>graph6<<Cl\n", (0, 1, 2, 3)),
        (":Cda\n", (0, 1, 2, 3)),
    ):
        (tmp_path / "c4").write_text(text)
        graph = formats.read_graph(tmp_path / "c4")
        assert (graph.edges().tolist(), graph.labels, graph.spec) == (square, labels, "graph:c4")
    assert formats.parse_graph("b a\na c\n").labels == ("b", "a", "c")


# ---- damage

HCP = "TYPE : HCP\nDIMENSION : 3\nEDGE_DATA_FORMAT : {}\nEDGE_DATA_SECTION\n{}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HCP.format("EDGE_LIST", "1 2\n2 3"), "ends in the middle"),
        (
            HCP.format("EDGE_LIST", "1 2\n2 4\n-1\n"),
            "line 6, '2 4': a number that is not a vertex, expected 1 to 3",
        ),
        (HCP.format("EDGE_LIST", "1 2\n2\n-1\n"), "line 6, '2': an edge with one end"),
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
        ("a b\nb c d\n", "line 2, 'b c d': 3 columns, expected 2 as in line 1"),
        ("a b\nb b\n", "line 2, 'b b': an edge from a vertex to itself"),
        ("# nothing\n", "there is no edge in it"),
        ("1 2\n" + HCP.format("EDGE_LIST", "-1\n"), "line 1, '1 2': expected a field like TYPE : TOUR"),
        (
            HCP.format("EDGE_LIST", "1 2\n-1\nFIXED_EDGES_SECTION\n1 2\n1 3\n-1\n"),
            "'1 3': 1 3 is fixed, but not",
        ),
        (HCP.format("EDGE_LIST", "1 2\n-1\nFIXED_EDGES_SECTION\n1 4\n-1\n"), "'1 4': a number that is not"),
        (HCP.format("EDGE_LIST", "1 99999999999\n-1\n"), "line 5, '1 99999999999': expected whole numbers"),
    ],
)
def test_damaged_graphs_say_where(text: str, message: str) -> None:
    with pytest.raises(CavalcadeError, match=f"^the text: .*{message}"):
        formats.parse_graph(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "nothing in it"),
        ("  a b c\n", "line 1, '  a b c': there is nothing below it"),
        ("1 2 3\n4 5\n", "line 2, '4 5': 2 numbers in a row, expected 3"),
        ("1 2 3\n4 5 x\n", "line 2, column 5, '4 5 x': 'x' is not a step"),
        ("1 2 3\n4 5 5\n", "step 5 stands on two cells"),
        ("1 2 3\n4 5 7\n", "step 6 is missing"),
        ("  a b\n3 1 2\n1 3 4\n", "line 2, '3 1 2': expected rank 2 first"),
        ("1 2\n3 4\n\n5 6\n", "line 4, '5 6': level 2 and level 1 have different sizes"),
        ("1 2 | 3 4\n5 6\n", "line 2, '5 6': 1 levels side by side, expected 2"),
        ("1\n2 3\n4\n5 6\n8 7\n", "line 5, '8 7': 2 numbers, expected 1 on hex:2"),
        ("1\n2 3\n4 5 6\n", "line 2, '2 3': 2 numbers in a row, expected 1"),
        ("; closed tour of 8q8, piece knight\n1 2\n", "line 1, '; closed .*: '8q8' is not a board"),
        ("; closed tour of 8x8, piece rook\n1 2\n", "line 1, '; closed .*: 'rook' slides"),
        ("; closed tour of 8x8, piece knight\n1 2\n3 4\n", "numbers of shape 2x2 do not fit 8x8"),
        ("# # #\n# # #\n", "has no cell, expected at least one"),
        ("step,name,row,column\n1,a1,0\n", "line 2, '1,a1,0': 3 values, expected 4"),
        ("step,name,row,column\n1,a1,0,0\n3,b1,0,1\n", "line 3, '3,b1,0,1': expected the step after"),
        ("step,name,row,column\n1,a1,0,0\n2,b1,0,z\n", "line 3, '2,b1,0,z': 'z' is not a number"),
        (
            "step,name,row,column\n1,a1,0,0\n2,c1,0,1\n",
            "line 3, column 3, '2,c1,0,1': 'c1' is not a cell of 1x2",
        ),
        ("step,name,row,column\n1,b1,0,0\n2,a1,0,1\n", "line 2, '1,b1,0,0': b1 lies at 0,1"),
        ("step,row,column\n1,0,0\n2,7,9\n", "do not fill a box or a hexagon"),
        ("x,z\n1,2\n", "line 1, 'x,z': expected the names of the columns"),
        ("s11 s12\n1\n", "line 2, '1': 1 values for 2 variables"),
        ("s11 s12\n1 x\n", "line 2: s12 is 'x', expected a step"),
        ("s11 s11\n1 2\n", "line 1, 's11 s11': 's11' occurs twice"),
        ("s11 s123\n1 2\n", "'s123' is not a variable like 's11'"),
        ("s1_1 s99999_99999\n1 2\n", "do not fill a board"),
        ("s11 s12\n", "does not name its board"),
        ('{"board": "8x8", "cells": ["a1",', "line 1, near .*: not JSON"),
        ('{"board": "8x8", "cells": [1]}', "'cells' is not a list of names"),
        ('{"board": "8x8", "cells": ["a9"]}', "'a9' is not a cell of 8x8"),
        ('{"board": "8x8", "cells": ["a8"], "coords": [[7, 7]]}', "'coords' and 'cells' disagree"),
        ('{"board": 8, "cells": ["a8"]}', "'board' is '8', expected text"),
        ('{"cells": ["a8"]}', "does not name its board"),
        ('{"a":' + "[" * 100_000, "not JSON"),
        ("TYPE : TOUR\nDIMENSION : 3\nTOUR_SECTION\n1\n2\n-1\n", "line 2, 'DIMENSION : 3': the tour has 2"),
        ("TYPE : TOUR\nTOUR_SECTION\n1\n2\n", "ends in the middle of the tour"),
        ("TYPE : TOUR\nTOUR_SECTION\n1\n9\n-1\n", "line 4, '9': not a cell of 1x2, expected 1 to 2"),
        ("TYPE : HCP\nTOUR_SECTION\n-1\n", "line 1, 'TYPE : HCP': expected a file of TYPE TOUR"),
        ("TYPE : TOUR\nDIMENSION : 2\nEOF\n", "there is no TOUR_SECTION in it"),
        ("COMMENT : open tour of 1x2, piece rook\nTOUR_SECTION\n-1\n", "line 1, 'COMMENT .*: 'rook' slides"),
        ("<svg/>", "a picture"),
        (HCP.format("EDGE_LIST", "1 2\n-1\n"), "it is a graph"),
    ],
)
def test_damaged_tours_say_where(text: str, message: str) -> None:
    board = "1x2" if "TOUR_SECTION" in text else None
    with pytest.raises(FormatError, match=f"^the text: .*{message}") as error:
        formats.parse(text, board=board)
    assert "\n" not in str(error.value)


# ---- files of users: read as intended, or refused with the location and the expectation

TRIANGLE = ["a b", "a c", "b c"]
CYCLE = "DIMENSION : {}\nEDGE_DATA_FORMAT : {}\nEDGE_DATA_SECTION\n{}"
RING = ["a3", "b1", "c3", "a2", "c1", "b3", "a1", "c2"]


def read_board_or_error(text: str) -> str | list[str]:
    """The spec of a board, the edges of a graph, or the error message."""
    try:
        board = formats.board_in(text)
    except CavalcadeError as error:
        return str(error).removeprefix("the text")
    if isinstance(board, Board):
        return board.spec
    return sorted(f"{board.name(a)} {board.name(b)}" for a, b in board.edges().tolist())


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        # links from a spreadsheet
        ("a,b\nb,c\nc,a\n", TRIANGLE),
        ("a, b\r\nb, c\r\n\r\nc, a\r\n", TRIANGLE),
        ("a;b;1,5\nb;c;2\nc;a;0,25\n", TRIANGLE),
        ("a\tb\nb\tc\nc\ta\n", TRIANGLE),
        ("a b 1.5\nb c 2e3\nc a -1\n", TRIANGLE),
        ("a b {'weight': 3}\nb c {}\nc a # the last\n", TRIANGLE),
        ('"a","b"\n"b","c"\n"c","a"\n', TRIANGLE),
        ("a,b,\nb,c,\n,,\nc,a,\n", TRIANGLE),
        ("Source;Target\na;b\nb;c\nc;a\n", TRIANGLE),
        ("from to\na b\nb c\nc a\n", TRIANGLE),
        ("x,y,cost\na,b,1\nb,c,2\nc,a,3\n", TRIANGLE),
        ("Punkt A,Punkt B\n1,2\n2,3\n3,1\n", ["1 2", "1 3", "2 3"]),
        ("u,v\nv,w\nw,u\n", ["u v", "u w", "v w"]),
        ('"New York","Paris, TX"\n"Paris, TX",Rome\n', ["New York Paris, TX", "Paris, TX Rome"]),
        ("1 2 1\n2 3 1\n3 1 1\n", ["1 2", "1 3", "2 3"]),
        ("a b\n", ["a b"]),
        ("# all vertices: c a b\nc b\n", ["c b"]),
        ("a\nb\nc\na b\na c\nb c\n", TRIANGLE),
        ("a,b\nb,c\nd\n", ": line 3, 'd': 1 column, expected 2 as in line 1"),
        ("a,b\nb,\n", ": line 2, 'b,': 1 column, expected 2"),
        ("a b\nb c\nd\n", ": line 3, 'd': 1 column, expected 2"),
        ("a\nb\na c\n", ": line 1, 'a': one label, expected two"),
        ("a,b\nb c\n", ": line 2, 'b c': 1 column, expected 2"),
        ("a b 1\nb c\n", ": line 2, 'b c': 2 columns, expected 3"),
        ("a b 1\nb c x\n", ": line 2, 'b c x': 'x' is not a weight"),
        ("a b 1,5\nb c 2,5\n", ": line 1, 'a b 1,5': both spaces and ','"),
        ("0,0 1,2\n1,2 2,0\n", ": line 1, '0,0 1,2': both spaces and ','"),
        ("(0, 1)\n(1, 2)\n", ": line 1, '(0, 1)': expected two labels per line, without brackets"),
        (",source,target\n0,a,b\n1,b,c\n", ["a b", "b c"]),  # as pandas writes a frame with its index
        (
            ",source,target\n0,a,b\n1,,c\n",
            ": line 3, '1,,c': column 2 is empty, expected two labels per line",
        ),
        (",a,b\n,b,c\n", ": line 1, ',a,b': column 1 is empty, expected two labels per line"),
        ("from,to,weight\nNew York,Boston,215\nBoston,New York,1\n", ["New York Boston"]),
        ("from,to,note\na,b,x\nb,c,\n", ["a b", "b c"]),
        ("City A\tCity B\tMiles\nNew York\tBoston\t215\n", ["New York Boston"]),
        ("a b 3 b c 4\nc a 5\n", TRIANGLE),
        ("1 2 3 2 3 4\n", ": line 1, '1 2 3 2 3 4': 6 columns may be 2 links with weights"),
        ("a b 3 b c\n", ": line 1, 'a b 3 b c': 5 columns, expected two labels and perhaps a weight"),
        ("from,to,miles,km\na,b,1,2\n", ": the weight may be 'miles' or 'km': name them with --columns"),
        ("x,y\na,b\nb,c\n", ": line 1, 'x,y': neither label is on another line"),
        ("1 4\n5 2\n3 6\n", ": line 1, '1 4': no label is on two lines"),
        ("1 2 4\n2 1 3\n3 2 4\n4 3 1\n", ": line 1, '1 2 4': three labels or two and a weight?"),
        ("A C#\nC# D\n", ": line 1, 'A C#': a '#' inside a label"),
        ('a,"b\nb,c\n', ": line 1, 'a,\"b': expected labels between ','"),
        ("a,b,1,red\n", ": line 1, 'a,b,1,red': 4 columns"),
        ("source,target\n", ": there is no edge in it"),
        ("# all vertices: a b\na c\n", ": line 2, 'a c': expected two labels of the list"),
        ("# all vertices: a a\n", ": the label 'a' occurs twice"),
        # TSPLIB graphs
        (
            CYCLE.format(0, "EDGE_LIST", "-1\nEOF\n"),
            ": line 1, 'DIMENSION : 0': expected a number of vertices",
        ),
        ("TYPE : HCP\nEDGE_DATA_SECTION\n1 2\n-1\n", ": there is no DIMENSION in it"),
        (CYCLE.format(4, "EDGE_LIST", "1 2 1\n2 3 4\n-1\n"), ": line 4, '1 2 1': an edge with one end"),
        (CYCLE.format(4, "EDGE_LIST", "0 1\n1 2\n-1\n"), ": line 4, '0 1': a number that is not a vertex"),
        (CYCLE.format(40, "EDGE_LIST", "1 2_0\n-1\n"), ": line 4, '1 2_0': expected whole numbers"),
        (
            CYCLE.format(4, "ADJ_LIST", "1 2 4\n3 2 4 -1\n-1\n"),
            ": line 5, '3 2 4 -1': a neighbour occurs twice",
        ),
        (
            "DIMENSION : 3\n" + CYCLE.format(4, "EDGE_LIST", "1 2\n-1\n"),
            ": line 2, 'DIMENSION : 4': DIMENSION occurs",
        ),
        # pictures of boards
        ("...\n.#.\n...\n", "3x3-b2"),
        ("...\n. .\n...\n", "3x3-b2"),
        ("; drawn wide\n. . .\n. # .\n. . .\n", "3x3-b2"),
        ("  . .\n. . .\n", "2x3-a2"),
        ("..z\n...\n", ", line 1, column 3: 'z' is neither '.' (a cell) nor '#' (a hole)"),
        ("z..\n...\n", ", line 1, column 1: 'z' is neither"),
        # pictures with the signs of web pages
        ("..x\n...\n", "2x3-c2"),
        ("111\n101\n111\n", "3x3-b2"),
        ("1 1 1\n1 0 1\n1 1 1\n", "3x3-b2"),
        ("0110\n1111\n0110\n", "3x4-a3,d3,a1,d1"),
        ("__ __ __\n__    __\n__ __ __\n", "3x3-b2"),
        ("_ _ _\n_ x _\n_ _ _\n", "3x3-b2"),
        ("__ __\n __ __\n", ", line 2, ' __ __': the cells '__' do not line up"),
        ("0101\n1010\n0101\n1010\n", ": it may be a board of squares (1) and holes (0), or an adjacency"),
        # matrices
        ("0 1 1 0\n1 0 0 1\n1 0 0 1\n0 1 1 0\n", ["0 1", "0 2", "1 3", "2 3"]),
        (",a,b,c\na,0,1,1\nb,1,0,1\nc,1,1,0\n", TRIANGLE),
        ("a b c d\n0 1 1 0\n1 0 0 1\n1 0 0 1\n0 1 1 0\n", ["a b", "a c", "b d", "c d"]),
        ("0 1 1 0\n1 0 0 1\n1 0 0 1\n0 1 0 0\n", ": it may be the matrix of a digraph, or a board"),
        (".1.\n...\n", ", line 1, column 2: '1' is neither"),
        ("..\t.\n....\n", ", line 1, column 3: '\\t' is neither"),
        (
            "  . .\n . . .\n. . . .\n",
            ", line 2, ' . . .': the cells do not line up, expected them below one another",
        ),
        ("..\n..\n\n..\n", ", line 4: level 2 has 1 lines, expected 2 as in level 1"),
        ("...\n\n...\n\n...\n", ": each line is a level"),
        ("", " has no cell, expected at least one '.'"),
        ("111\n121\n111\n", ": line 1, '111': one label, expected two (in a picture of a board"),
        ("1 1 1\n1 2 1\n1 1 1\n", ": line 1, '1 1 1': an edge from a vertex to itself"),
        # tours instead of boards
        (formats.write(formats.parse(CLOSED_5X6)), ": it is a tour, expected a board or a graph"),
        (PAPER, ": line 2, ' 1 16 31 34  3 18 21 50': 8 columns, expected two labels"),
        ("1 4 7\n6 . 2\n3 8 5\n", ": line 1, '1 4 7': no label is on two lines"),
        ("3x4\n3x5\n", ": line 1, '3x4': a list of boards, expected one; for each: try xargs -n1"),
        ("a1 c2 e3\n", ": line 1, column 7, 'a1 c2 e3': a list of cells is a tour"),
        (
            formats.write(formats.parse(CLOSED_5X6), "tour"),
            ": line 3, 'TYPE : TOUR': expected a file of TYPE HCP",
        ),
        (formats.write(formats.parse(CLOSED_5X6), "json"), ": it is JSON, as tours and certificates are"),
        (
            formats.write(formats.parse(CLOSED_5X6), "csv", header=False),
            ": line 1, 'step,name,row,column': 4 col",
        ),
    ],
)
def test_boards_and_graphs_as_users_write_them(text: str, outcome: str | list[str]) -> None:
    result = read_board_or_error(text)
    assert result == outcome or (
        isinstance(result, str) and outcome[0] in ":, " and result.startswith(str(outcome))
    )
    assert isinstance(result, list) or "\n" not in result


@pytest.mark.parametrize(
    ("text", "board", "outcome"),
    [
        # a list of cells
        ("a1 c2 e3\n", "3x5", ["a1", "c2", "e3"]),
        ("a1,c2,e3", "3x5", ["a1", "c2", "e3"]),
        ("a1\nc2\ne3\n", "3x5", ["a1", "c2", "e3"]),
        ("1:a1; 2:c1", "2x3x3", ["1:a1", "2:c1"]),
        ("a12 b10", "12x12", ["a12", "b10"]),
        ("a3 b1 c3 a2 c1 b3 a1 c2 a3", "3x3", RING),
        ("s11;s12;s13\n1;.;2\n", None, ["a1", "c1"]),
        ("s11 m12\n1 2\n", None, "line 1, 's11 m12': 'm12' is not a variable like 's11'"),
        ("a1 c2 e3\n", None, "the file does not name its board"),
        ("a1 c2 z9\n", "3x5", "line 1, column 7, 'a1 c2 z9': 'z9' is n.* cell of 3x5"),
        # a grid of numbers: from 0, between commas, semicolons or tabs
        ("0 5 2\n3 # 7\n6 1 4\n", None, RING),
        ("1 6 3\n4 . 8\n7 2 5\n", None, RING),
        ("1 6 3\n4 0 8\n7 2 5\n", None, RING),
        ("0 . .\n. . 1\n. . .\n", None, ["a3", "c2"]),
        ("1,6,3\n4,.,8\n7,2,5\n", None, RING),
        ("1;6;3\n4;.;8\n7;2;5\n", None, RING),
        ("\ta\tb\tc\n3\t1\t6\t3\n2\t4\t.\t8\n1\t7\t2\t5\n", None, RING),
        ("1,6,3\n4,,8\n7,2,5\n", None, "line 2, '4,,8': an empty field, expected a number"),
        ("1\t6\t3\n4\t\t8\n7\t2\t5\n", None, "line 2, .*: an empty field"),
        ("1 6 3\n4 l 8\n7 2 5\n", None, "line 2, column 3, '4 l 8': 'l' is not a step"),
        ("1 | 6 | 3\n4 | . | 8\n", None, "line 1, '1 | 6 | 3': one row or column per level"),
        ("1 6 3\n\n4 . 8\n\n7 2 5\n", None, "line 1, '1 6 3': one row or column per level"),
        ("  c b a\n2 1 2 3\n1 . . .\n", None, "line 1, '  c b a': expected the files a b c"),
        ("  a b c\n1 1 2 3\n2 . . .\n", None, "line 2, '1 1 2 3': expected rank 2 first"),
        ("1: a\n1  1\n\n3: a\n1  2\n\n2: a\n1  3\n", "3x1x1", "line 4, '3: a': expected level 2: here"),
        ("1: a\n1  1\n\n3: a\n1  2\n", None, "line 5, '1  2': 2 levels end with 3:"),
        ("1\n2 3\n", "hex:2", "2 lines do not make hex:2, expected 5"),
        ("s11 s12\n1 2\n3 4\n", None, "3 lines, expected two"),
        ("s11 s14\n1 2\n", "3x3", "line 1, 's11 s14': the variables do not fit 3x3"),
        # values from a spreadsheet
        ("step;name\n1;a3\n2;c2\n", "3x3", ["a3", "c2"]),
        ("column,row\n0,0\n2,1\n", "3x3", ["a3", "c2"]),
        ("row\tcolumn\n0\t0\n1\t2\n", "3x3", ["a3", "c2"]),
        ("row,row\n0,0\n1,2\n", "3x3", "line 1, 'row,row': two columns are called 'row'"),
        ("q,r\n0,0\n1,2\n", "3x3", "line 1, 'q,r': expected the coordinates row,column"),
        ("row\n0\n", "3x3", "line 1, 'row': expected the coordinates row,column"),
        ("row,column\n0,0\n1,1_0\n", "3x30", "line 3, '1,1_0': '1_0' is not a number"),
        ("row,column\n0,0\n1,3\n", "3x3", "the coordinates .1, 3. are off 3x3"),
        ('step,name\n1,"a3\n', "3x3", "line 2, .*: the line cannot be split into values"),
        # other files
        ("a,b\nb,c\nc,a\n", "3x3", "line 1, 'a,b': expected the names of the columns"),
        ("a b\nb c\nc a\n", None, "line 2, 'b c': expected rank 2 first"),
        ("1 2\n2 3\n3 1\n", None, "step 1 stands on two cells"),
        ("...\n.#.\n", None, "line 1, column 1, '...': '...' is not a step"),
        ("[1, 2]", "3x5", "expected a list of names, rows of steps, or coordinates of cells"),
        ("[[1, 2], [3]]", "3x5", "its lists have different lengths"),
        ("[[1, 2], [3, 3]]", None, "its numbers are not the steps 0, 1, 2"),
        ("[[0, 0], [1, -2], [2, 0]]", "3x5", "a coordinate is negative"),
        ("[[0, 0], [1, 2], [2, 0]]", None, "the cells do not fill a box"),
        ('{"board": "3x3", "certificate": 1}', None, "it is a certificate"),
        ("TYPE : TOUR\nTOUR_SECTION\n1 6 -1\n6 1\n-1\n", "3x3", "line 4, '6 1': a second tour begins here"),
        (2 * "TYPE : TOUR\nTOUR_SECTION\n1 6\n-1\n", "3x3", "line 5, 'TYPE : TOUR': TYPE occurs twice"),
        (
            "TYPE : TOUR\nTOUR_SECTION\n1 64\n-1\n",
            "3x3",
            "line 3, '1 64': not a cell of 3x3, expected 1 to 9",
        ),
    ],
)
def test_tours_as_users_write_them(text: str, board: str | None, outcome: str | list[str]) -> None:
    if isinstance(outcome, list):
        assert formats.parse(text, board=board).names == outcome
        return
    with pytest.raises(FormatError, match="^the text: " + outcome.replace("|", r"\|")) as error:
        formats.parse(text, board=board)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "is_picture"),
    [
        ("...\n.x.\n", True),
        ("; a comment with words\n##.\n...\n", True),
        ("; open tour of 3x3, piece knight\n...\n", False),
        (". . 1\n. . .\n", False),
        ("# a square\n1 2\n2 3\n", False),
        ("a.1 b.2\n", False),
    ],
)
def test_a_picture_is_distinguished_from_a_tour_and_a_graph(text: str, is_picture: bool) -> None:  # noqa: FBT001
    assert formats.is_picture(text) is is_picture


@settings(max_examples=150)
@given(claims() | walks(), st.sampled_from(["steps", "moves"]))
def test_an_array_is_the_tour_that_was_saved(tour: Tour, holding: str) -> None:
    """The file stores board, piece and kind, so the verdict on the loaded tour is that on the saved tour."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tour.npy"
        try:
            formats.save(tour, path, holding=holding)
        except FormatError:
            is_wrong = not cavalcade.check(tour)
            assert tour.board.plain or is_wrong
            return
        loaded = formats.read(path)
        assert (loaded.board, loaded.piece, loaded.kind) == (tour.board, tour.piece, tour.kind)
        steps = (
            np.roll(loaded.cells, -loaded.cells.tolist().index(tour.cells[0])) if len(tour) else loaded.cells
        )
        assert steps.tolist() == tour.cells.tolist()
        verdict, checked = npy.check_file(path, Claim.of(None, None), None), cavalcade.check(tour)
        assert (verdict.ok, cavalcade.check(loaded).ok) == (checked.ok, checked.ok)
        if checked:
            assert verdict.message == checked.message
        assert np.array_equal(np.load(path), np.load(path, mmap_mode="r"))
        with path.open("rb") as file:
            np.load(file)
            assert np.load(file).item().decode() == npy.header_of(path)


@pytest.mark.parametrize("spec", ["torus:3x4", "cylinder:5x6", "klein:4x6", "cube:3", "hex:4", "8x8-a1,b1"])
def test_an_array_without_a_header_is_never_relabelled(
    cli: Callable[..., Ran], tmp_path: Path, spec: str
) -> None:
    verdict = cavalcade.tour(spec, open=True)
    assert isinstance(verdict, Found)
    for holding in ("steps", "moves"):
        formats.save(verdict.tour, tmp_path / "whole.npy", holding=holding)
        np.save(tmp_path / "bare.npy", np.load(tmp_path / "whole.npy"))
        assert formats.read(tmp_path / "bare.npy", board=spec).board.spec == spec
        assert cli("check", tmp_path / "bare.npy", "--board", spec).code == 0
        assert cli("check", tmp_path / "bare.npy").code == 1
        if spec == "8x8-a1,b1" and holding == "steps":
            assert formats.read(tmp_path / "bare.npy").title("it") == "walk of it, 62 of 64 cells"
            continue
        with pytest.raises(FormatError, match=r"states no board and no piece|a byte is"):
            formats.read(tmp_path / "bare.npy")
    whole = (tmp_path / "whole.npy").read_bytes()
    (tmp_path / "other.npy").write_bytes(whole[: whole.rindex(npy.MAGIC)] + b"anything else")
    assert npy.header_of(tmp_path / "other.npy") == ""
    for cut in (3, 40, 70):
        (tmp_path / "cut.npy").write_bytes(whole[: whole.rindex(npy.MAGIC) + cut])
        with pytest.raises(FormatError, match="file: its second array is damaged"):
            formats.read(tmp_path / "cut.npy")


def test_arrays_that_are_not_tours(tmp_path: Path) -> None:
    steps = formats.parse(CLOSED_5X6).numbering
    for array, message in (
        (steps.astype(np.uint8), "a byte is 14, expected a move, 0 to 7, or 255"),
        (steps.ravel(), "of shape .30,. is not a board"),
        (steps.astype(float), "an array of float64 is not a tour"),
    ):
        np.save(tmp_path / "array.npy", array)
        with pytest.raises(FormatError, match=message):
            formats.read(tmp_path / "array.npy")
    (tmp_path / "cut.npy").write_bytes((tmp_path / "array.npy").read_bytes()[:-1])
    with pytest.raises(FormatError, match=r"cut.npy is not a whole \.npy file"):
        formats.read(tmp_path / "cut.npy")


@settings(max_examples=100)
@given(claims(), st.sampled_from(READABLE), st.data())
def test_any_damage_is_a_tour_or_one_clear_line(tour: Tour, name: str, data: st.DataObject) -> None:
    assume(len(tour) > {"out": 1, "csv": 0}.get(name, -1))
    text = formats.write(tour, name)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(start + 12, len(text))))
    new = data.draw(st.text('0123456789.#-,;:|x_ \n\t"{[abs\x00é', max_size=4))
    try:
        formats.parse(text[:start] + new + text[end:])
    except FormatError as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017 - either outcome is right


def test_everything_is_written_and_read_as_a_pair(tmp_path: Path) -> None:
    tour = formats.parse(CLOSED_5X6)
    board = parse_board("4x5-b2")
    graph = MoveGraph.from_edges([(0, 1), (1, 2)], 4, ["a", "b", "c", "d"])
    verdict = cavalcade.prove("3x5")
    assert isinstance(verdict, Impossible)
    proof = verdict.certificate
    assert proof
    for ending in (".txt", ".csv", ".json", ".tour", ".wide", ".npy", ""):
        cavalcade.save(tour, tmp_path / f"tour{ending}")
        assert cavalcade.read(tmp_path / f"tour{ending}") == tour, ending
    cavalcade.save(board, tmp_path / "board.txt")
    assert cavalcade.read_board(tmp_path / "board.txt") == board
    cavalcade.save(proof, tmp_path / "proof.json")
    assert cavalcade.read_certificate(tmp_path / "proof.json") == proof
    for ending, names in ((".hcp", ["1", "2", "3", "4"]), (".edges", graph.names)):
        cavalcade.save(graph, tmp_path / f"file{ending}")
        for reader in (cavalcade.read_graph, cavalcade.read_board):
            loaded = reader(tmp_path / f"file{ending}")
            assert isinstance(loaded, MoveGraph)
            assert (loaded.edges().tolist(), loaded.names) == (graph.edges().tolist(), names)
    values: tuple[Tour | Board | MoveGraph | Certificate, ...] = (tour, board, graph, proof)
    for value in values:
        for ending, begins in ((".svg", b"<svg"), (".png", b"\x89PNG")):
            cavalcade.save(value, tmp_path / f"file{ending}")
            assert (tmp_path / f"file{ending}").read_bytes().startswith(begins)
    assert cavalcade.write(tour) == cavalcade.write(tour, "text")
    assert (cavalcade.write(board), cavalcade.write(proof)) == (
        ".....\n.....\n.#...\n.....\n",
        proof.to_json(),
    )
    tour_verdict = cavalcade.tour(cavalcade.read_board(tmp_path / "board.txt"), open=True)
    assert tour_verdict.status == cavalcade.tour(board, open=True).status
    for value, name in zip(values, ("hcp", "csv", "text", "tour"), strict=True):
        with pytest.raises(
            FormatError, match=f"cannot write a {type(value).__name__} as '{name}'. Pictures: svg"
        ):
            cavalcade.write(value, name)
    for name in ("png", "npy"):
        with pytest.raises(FormatError, match=f"{name} is not text"):
            cavalcade.write(tour, name)
    with pytest.raises(FormatError, match="cannot write this int, expected a Tour"):
        cavalcade.write(7)  # type: ignore[arg-type]
    with pytest.raises(FormatError, match=r"tour\.csv: not a certificate"):
        cavalcade.read_certificate(tmp_path / "tour.csv")


HELPERS = {
    "labels",
    "other_tables",
    "frames",
    "link",
    "recognizing",
    "tables",
    "oeis",
    "__init__",
    "table",
    "files",
    "header",
    "integers",
    "constraints",
    "letters",
    "puzzle",
}


@pytest.mark.parametrize("format_", FORMATS, ids=lambda format_: format_.name)
def test_a_format_has_all_that_it_needs(format_: Format) -> None:
    """The failure names the parts that a new format lacks."""
    missing = []
    try:
        module = format_.module
    except ModuleNotFoundError as error:
        pytest.fail(f"{format_.name}: the table names {format_.writer}, but {error}")
    function = format_.writer.partition(":")[2]
    missing += [f"a function {function}"] * (not hasattr(module, function))
    needed = (
        []
        if format_.name in {"npy", "text", "edges"} or hasattr(module, "FIRST")
        else ["sniff"] * bool(format_.reads)
    )  # formats without a signature need no `sniff`
    needed += ["parse"] * ("Tour" in format_.reads) + ["parse_graph"] * ("MoveGraph" in format_.reads)
    missing += [f"a function {name}" for name in needed if not callable(getattr(module, name, None))]
    missing += [f"a known class in {format_.holds}"] * (not {*format_.holds} <= {*DRAWN, "Tours"})
    assert not missing, f"the format {format_.name} lacks {', '.join(missing)}"


@settings(max_examples=15)
@given(walks())
def test_a_parquet_file_has_the_same_tour(tour: Tour) -> None:
    pytest.importorskip("pyarrow")
    with TemporaryDirectory() as folder:
        path = Path(folder, "tour.parquet")
        if not len(tour):
            with pytest.raises(FormatError, match="a walk without cells has no rows"):
                formats.save(tour, path)
            return
        formats.save(tour, path)
        again = formats.read(path, board=tour.board if tour.board.plain else None)
    assert again == tour


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_table_of_tours_is_read_whole(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each kind of board; what the tours are of stands in the file."""
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    for spec, number in (("3x10", 16), ("torus:3x5-a1", 9), ("4x5", 4)):
        path = tmp_path / f"tours.{ending}"
        assert main(["list", spec, "--open", "-n", str(number), "-o", str(path)]) == 0
        tours = cavalcade.read_tours(path)
        expected = Tours.of(islice(cavalcade.list_tours(spec, open=True), number))
        assert (tours.board, tours.closed, tours.cells.tolist()) == (
            expected.board,
            False,
            expected.cells.tolist(),
        )
        assert main(["check", str(path)]) == 0
        assert f"the same holds for all {number} tours in the table" in capsys.readouterr().out
        expected.save(path)
        assert cavalcade.read_tours(path).cells.tolist() == expected.cells.tolist()
    with pytest.raises(FormatError, match="several tours, expected one: `check` and read_tours read all"):
        formats.read(path)
    swapped = expected.cells.copy()
    swapped[1, :2] = swapped[1, 1::-1]
    Tours(expected.board, swapped, closed=False).save(path)
    assert main(["check", str(path)]) == 1
    assert "number 2 is not a tour: step 2 to step 3" in capsys.readouterr().out


def test_measures_go_into_a_parquet_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "measures.parquet"
    assert main(["list", "3x10", "--measure", "-o", str(path)]) == 0
    frame = pandas.read_parquet(path)
    expected = cavalcade.measure(cavalcade.list_tours("3x10")).to_pandas()
    assert frame[list(expected)].equals(expected)
    assert frame["tour"].tolist() == [*range(1, 17)]
    assert {*frame["board"]} == {"3x10"}
    assert main(["list", "3x10", "--format", "parquet"]) == 2
    assert "parquet is not text: add -o FILE.parquet" in capsys.readouterr().err


def test_every_module_of_formats_is_in_the_table() -> None:
    named = {format_.writer.partition(":")[0] for format_ in FORMATS}
    modules = {path.stem for path in Path(formats.__file__).parent.glob("*.py")}
    unlisted = sorted(modules - named - HELPERS)
    assert not unlisted, f"formats/{unlisted[0]}.py has no line in formats/table.py"
    endings = [ending for format_ in FORMATS for ending in format_.endings]
    assert len(endings) == len(set(endings)), "two formats have the same ending"


def test_links_go_into_the_format_of_their_file(cli: Callable[..., Ran], tmp_path: Path) -> None:
    begins = {"hcp": "NAME", "graph6": "S", "dimacs": "p edge 20", "csv": "from,to", "sas": "data"}
    for format_ in FORMATS:
        if "MoveGraph" in format_.holds and not format_.sheet and format_.name != "tikz":
            file = tmp_path / f"z.{format_.endings[0]}"
            assert cli("links", "4x5", "-o", file).code == 0
            assert file.read_text().startswith(begins.get(format_.name, "")), format_.name
            if "MoveGraph" in format_.reads:
                named = (
                    format_.name if format_.name == "adjlist" else None
                )  # indistinguishable from a list of edges
                assert formats.read_graph(file, named).edge_count == 34, format_.name
    refused = cli("links", "4x5", "-o", tmp_path / "z.foo")
    assert refused.code == 2
    assert ".foo'. Pictures: .svg .png .pdf .tikz. Data: .json .sas" in refused.err
    assert not (tmp_path / "z.foo").exists()


def test_reading_stops_at_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if Path("/dev/zero").exists():
        with pytest.raises(FormatError, match="/dev/zero is not text: there are zero bytes in it"):
            formats.read("/dev/zero")
    file = tmp_path / "long.txt"
    file.write_text("1 2 3\n" * 400_000)
    with limits(memory=8_000_000), pytest.raises(TooLargeError, match=r"the text of .*long.txt needs about"):
        formats.read(file)
    with limits(0.0), pytest.raises(TimeoutError, match=r"long.txt was not read to its end"):
        formats.read(file)
    line = tmp_path / "line.g6"
    line.write_text(">>graph6<<" + "~" * 2_000_000)
    with limits(memory=8_000_000), pytest.raises(TooLargeError, match=r"a line of .*line.g6 needs about"):
        list(cavalcade.read_graphs(line))
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(formats.write(formats.parse(CLOSED_5X6)).encode()))
    )
    assert formats.read("-") == formats.parse(CLOSED_5X6)


def test_a_limit_during_writing_is_not_a_file_error(tmp_path: Path) -> None:
    def writes_half() -> None:
        with new_file(tmp_path / "tour.csv") as file:
            file.write(b"half")
            raise TimeoutError("the time limit is reached")

    with pytest.raises(TimeoutError, match="the time limit"):
        writes_half()
    assert list(tmp_path.iterdir()) == []


def test_unreadable_and_unwritable_files(tmp_path: Path) -> None:
    tour = formats.parse(CLOSED_5X6)
    graph = Tour(
        MoveGraph.from_edges([(0, 1)], labels=["a b", " c"]), np.arange(2, dtype=np.int32), closed=False
    )
    with pytest.raises(FormatError, match=r"cannot read .*nowhere: No such file"):
        formats.read(tmp_path / "nowhere")
    with pytest.raises(FormatError, match=r"cannot read .*: Is a directory"):
        formats.read(tmp_path)
    (tmp_path / "binary").write_bytes(b"\x89PNG\xff")
    with pytest.raises(FormatError, match="binary is not text: byte 0"):
        formats.read(tmp_path / "binary")
    with pytest.raises(FormatError, match=r"cannot write .*: No such file"):
        formats.save(tour, tmp_path / "no" / "where.txt")
    with pytest.raises(FormatError, match="unknown format 'docx'"):
        formats.save(tour, tmp_path / "tour.docx")
    with pytest.raises(FormatError, match="cannot be written on a line"):
        formats.write(graph)
    with pytest.raises(FormatError, match="3 numbers do not fit 2x2, which has 4 cells"):
        numbers_text(Board.box(2, 2), [1, 2, 3])
    with pytest.raises(BoardError, match="two or three dimensions, not hex:3"):
        formats.write(Board.hexagon(3))
    with pytest.raises(FormatError, match="an array needs a board with rows and columns"):
        formats.save(graph, tmp_path / "graph.npy")
    formats.save(tour, tmp_path / "moves.npy", holding="moves")
    assert formats.read(tmp_path / "moves.npy") == tour
    with pytest.raises(FormatError, match=r"an array of shape \(5, 6\) does not fit 6x6"):
        formats.read(tmp_path / "moves.npy", board="6x6")
    with pytest.raises(FormatError, match="no rows and columns"):
        formats.write(graph, "wide")
    with pytest.raises(FormatError, match="cannot be written in a list of edges"):
        formats.write(graph.board, "edges")


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


def test_a_huge_board_named_in_a_file_is_not_built() -> None:
    with pytest.raises(FormatError, match="too many to name"):
        formats.parse(json.dumps({"board": "40000x40000", "cells": ["a1"] * 2_000_000}))
    assert formats.parse(json.dumps({"board": "40000x40000", "cells": ["a1"]})).board == parse_board(
        "40000x40000"
    )


def test_tables_in_blocks_are_those_of_the_libraries() -> None:
    """Equal to the output of `csv` and `json`: tours of several blocks, negative numbers and odd labels."""
    for spec, options in (("260x260", {}), ("hex:6", {}), ("3x4x2", {"open": True})):
        tour = cavalcade.tour(spec, **options).tour  # type: ignore[arg-type, union-attr]
        out = io.StringIO()
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["step", "name", *tour.board.family.axes])
        rows.writerows(zip(range(1, len(tour) + 1), tour.names, *tour.coords.T.tolist(), strict=True))
        assert formats.write(tour, "csv", header=False) == out.getvalue()
        text = formats.write(tour, "json")
        assert json.dumps(json.loads(text), ensure_ascii=False) + "\n" == text
        assert json.loads(text)["coords"] == tour.coords.tolist()
        assert json.loads(text)["cells"] == tour.names
    relabelled = nx.relabel_nodes(nx.cycle_graph(5), {1: '"cells": null, "coords": null', 2: "é\\", 3: "x y"})
    least_turns = cavalcade.tour("5x6", fewest="turns", time_limit=1)
    for board, verdict in (
        ("2x3x4", cavalcade.tour("2x3x4")),
        ("5x6", least_turns),
        ("3x4", cavalcade.tour("3x4")),
        (MoveGraph.from_networkx(relabelled), cavalcade.hamiltonian_cycle(relabelled)),
        ("torus:4x5-b2", cavalcade.tour("torus:4x5-b2", open=True)),
    ):
        question = Question.of(board, open=isinstance(board, str) and board.startswith("torus"))
        whole = json.dumps(verdict_json(verdict, question), ensure_ascii=False)
        assert verdict_text(verdict, question) == f"{whole}\n"


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("6/2**2/2**2/6\n", "4x6-c2,d2,c3,d3"),
        ("8/8/3xx3/3XX3/8/8/8/8 w - - 0 1\n", "8x8-d5,e5,d6,e6"),
        ("12/#10#", "2x12-a1,l1"),
        ("4/1-2", "2x4-b1"),
    ],
)
def test_boards_in_ranks_of_forsyth_and_edwards(text: str, spec: str, tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text(text, encoding="utf-8")
    assert formats.read_board(tmp_path / "board.txt") == parse_board(spec)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("3/4/3", "rank 2, '4': 4 squares, expected 3"),
        ("99999/1", "numbers below 10,000"),
        ("0/0", "no cell"),
    ],
)
def test_wrong_ranks_are_refused(text: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text(text, encoding="utf-8")
    with pytest.raises(BoardError, match=why):
        formats.read_board(tmp_path / "board.txt")


def test_walks_on_one_line() -> None:
    """Names of cells and moves of UCI are read back, with their header or with the board."""
    for spec, closed in (("5x6", True), ("5x5", False), ("hex:5", False), ("2x3x4", False)):
        verdict = cavalcade.tour(spec, open=not closed)
        assert isinstance(verdict, Found), spec
        for name in ("names", "uci"):
            if name == "uci" and spec == "2x3x4":
                with pytest.raises(FormatError, match=r"cannot write .* in moves such as a1b3: use names"):
                    formats.write(verdict.tour, name)
                continue
            text = formats.write(verdict.tour, name)
            assert len(text.splitlines()) == 2
            assert formats.parse(text) == verdict.tour
            assert formats.parse(formats.write(verdict.tour, name, header=False), board=spec) == verdict.tour
    with pytest.raises(FormatError, match=r"cannot write .* in PGN, which holds knights and kings"):
        formats.write(Tour(parse_board("2x3x4"), np.arange(24, dtype=np.int32), closed=False), "pgn")
    line = formats.write(Tour(parse_board("1x3"), np.array([0, 2, 1]), False), "uci", header=False)  # noqa: FBT003
    assert line == "a1c1 c1b1\n"
    with pytest.raises(FormatError, match="each from the cell where the one before ends"):
        formats.parse("a1b3 c5d3", board="5x5")


KING = """[Event "closed tour of 2x2, piece 0,1+1,1"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "*"]
[SetUp "1"]
[FEN "8/8/8/8/8/8/1K6/8 w - - 0 1"]

1. Kb1 -- 2. Ka1 -- 3. Ka2 -- 4. Kb2 *
"""


def test_a_tour_is_a_game_in_which_black_passes() -> None:
    """python-chess 1.11.2 reads such games without errors, and so the game after it."""
    king = Tour.from_names(
        parse_board("2x2"), ["b2", "b1", "a1", "a2"], closed=True, piece=parse_piece("king")
    )
    assert formats.write(king, "pgn") == KING
    for spec, closed in (("8x8", True), ("5x6", True), ("3x4", False), ("8x8-a1,b1", False)):
        verdict = cavalcade.tour(spec, open=not closed)
        assert isinstance(verdict, Found), spec
        text = formats.write(verdict.tour, "pgn")
        assert max(map(len, text.splitlines())) < 80
        assert formats.parse(text) == verdict.tour
    chessboard = formats.write(formats.parse(PAPER), "pgn").partition("]\n[Site")[2]
    annotated = chessboard.replace("1. N", "1. {from the paper} Na8").replace(
        " 3. Nb4 --", " 3. Nb4+! $1 Z0 ; good\n"
    )
    assert formats.parse(f'[Event "?"]\n[Site{annotated}') == formats.parse(PAPER)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("Kb1", "Qb1", "'Qb1' is not a move of a piece alone"),
        ("1. Kb1", "1. (1. Ka1) Kb1", "is not a move of a piece alone"),
        ("1K6", "1K4r1", "expected one piece alone"),
        ("[FEN", "[Opening", "expected one piece alone"),
        ("8/8/1K6", "8/1K6", "expected one piece alone"),
        ("Kb1", "Kh1", "'h1' is not a cell of 2x2"),
        ('[Site "?"]', '[Event "?"]', "several games"),
    ],
)
def test_other_games_are_refused(old: str, new: str, why: str) -> None:
    with pytest.raises(FormatError, match=why):
        formats.parse(KING.replace(old, new))


@pytest.mark.parametrize(("spec", "closed"), [("4x4x4", True), ("5x6", True), ("3x4", False)])
def test_an_stl_file_has_closed_surfaces(spec: str, closed: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """Each edge borders two triangles in opposite directions; the volume is that of bars and octahedra."""
    verdict = cavalcade.tour(spec, open=not closed)
    assert isinstance(verdict, Found)
    formats.save(verdict.tour, tmp_path / "x.stl", radius=2.0, spacing=20.0, sides=4)
    data = (tmp_path / "x.stl").read_bytes()
    facets = np.frombuffer(data, np.dtype([("f", "<f4", 12), ("attribute", "<u2")]), offset=84)["f"]
    assert int.from_bytes(data[80:84], "little") == len(facets)
    assert not data.startswith(b"solid")
    corners = facets[:, 3:].reshape(-1, 3, 3).astype(np.float64)
    volume = np.linalg.det(corners).sum() / 6
    n, moves = len(verdict.tour), len(verdict.tour) - (not closed)
    # a bar of four sides has a square of diagonal 4 across; an octahedron of radius r has 4/3 r**3
    assert volume == pytest.approx(moves * 8 * 20 * 5**0.5 + 4 / 3 * ((n - 1) * 4**3 + 6**3), rel=1e-4)
    edges = [
        (a.tobytes(), b.tobytes())
        for t in facets[:, 3:].reshape(-1, 3, 3)
        for a, b in zip(t, np.roll(t, -1, 0), strict=True)
    ]
    assert sorted(edges) == sorted((b, a) for a, b in edges)
    with pytest.raises(FormatError, match="cannot write a tour of hex:5 as STL"):
        formats.rendered(Tour(Board.hexagon(5), np.arange(61, dtype=np.int32), closed=False), "stl")


SURFACES = ("cube:3", "surface:2x3x4", "cylinder:5x6", "torus:6x6", "mobius:4x6", "klein:6x6")


@pytest.mark.parametrize(
    ("spec", "closed"),
    [("4x4x4", True), ("5x6", True), ("3x4", False), ("2x3x4x4", True), ("8x8-a1,b1", False)]
    + [(spec, True) for spec in SURFACES],
)
def test_a_glb_file_follows_the_specification(spec: str, closed: bool) -> None:  # noqa: FBT001
    """The rules of glTF 2.0 on containers, accessors and bounds, read here by `struct` and `json` alone."""
    verdict = cavalcade.tour(spec, open=not closed)
    assert isinstance(verdict, Found)
    data = formats.rendered(verdict.tour, "glb")
    assert isinstance(data, bytes)
    assert struct.unpack_from("<4sII", data) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert (kind, size % 4) == (b"JSON", 0)
    document = json.loads(data[20 : 20 + size])
    length, kind = struct.unpack_from("<I4s", data, 20 + size)
    binary = data[28 + size :]
    assert (kind, length % 4, len(binary)) == (b"BIN\0", 0, length)
    assert document["asset"]["version"] == "2.0"
    assert document["buffers"] == [{"byteLength": length}]
    used = np.zeros(length, dtype=np.int8)
    arrays = []
    for accessor in document["accessors"]:
        view = document["bufferViews"][accessor["bufferView"]]
        assert (accessor["componentType"], accessor["type"], view["target"]) == (5126, "VEC3", 34962)
        assert view["byteLength"] == 12 * accessor["count"]
        assert view["byteOffset"] % 4 == 0
        used[view["byteOffset"] : view["byteOffset"] + view["byteLength"]] += 1
        rows = np.frombuffer(binary, "<f4", 3 * accessor["count"], view["byteOffset"]).reshape(-1, 3)
        assert np.isfinite(rows).all()
        arrays.append(rows)
    assert (used == 1).all(), "each byte belongs to one accessor"
    (mesh,) = document["meshes"]
    for primitive in mesh["primitives"]:
        assert primitive["material"] < len(document["materials"])
        bounds = document["accessors"][primitive["attributes"]["POSITION"]]
        points = arrays[primitive["attributes"]["POSITION"]]
        assert bounds["min"] == points.min(axis=0).tolist()
        assert bounds["max"] == points.max(axis=0).tolist()
        assert len(points) % 3 == 0
        if "COLOR_0" in primitive["attributes"]:
            colours = arrays[primitive["attributes"]["COLOR_0"]]
            assert len(colours) == len(points)
            assert 0 <= colours.min() <= colours.max() <= 1
    *cells, _ = mesh["primitives"]
    corners = sum(len(arrays[primitive["attributes"]["POSITION"]]) for primitive in cells)
    assert corners == 6 * verdict.tour.board.size, "two triangles for each cell"
    assert [scene["nodes"] for scene in document["scenes"]] == [[0]]
    assert document["nodes"][0]["scale"] == [0.01] * 3


@pytest.mark.parametrize("spec", SURFACES)
def test_moves_lie_on_the_surface(spec: str) -> None:
    """All moves: their ends are cells, and those of a box stay on its faces, also over edges."""
    graph = cavalcade.move_graph(spec)
    board = parse_board(spec)
    solid = corners_of(board)
    assert solid is not None
    corners, _ = solid
    a, b = graph.edges().astype(np.int64).T
    paths = paths_of(board, a, b, corners)
    middles = corners.mean(axis=1)
    assert np.abs(paths[:, 0] - middles[a]).max() < 0.2
    assert np.abs(paths[:, -1] - middles[b]).max() < 0.2
    lengths = np.linalg.norm(np.diff(paths, axis=1), axis=2).sum(axis=1)
    if board.kind in {"cube", "surface"}:
        low, high = corners.reshape(-1, 3).min(axis=0), corners.reshape(-1, 3).max(axis=0)
        assert ((paths > low - 1e-9) & (paths < high + 1e-9)).all(), "a line leaves the box"
        on_face = (np.isclose(paths, low) | np.isclose(paths, high)).any(axis=2)
        opposite = (np.isclose(paths[:, 0], low) & np.isclose(paths[:, -1], high)).any(axis=1)
        opposite |= (np.isclose(paths[:, 0], high) & np.isclose(paths[:, -1], low)).any(axis=1)
        assert on_face[~opposite].all()
        # A knight's move has a length of the square root of 5, unfolded; around a corner it may be shorter.
        assert lengths.max() < 5**0.5 + 1e-6


def test_boards_that_are_no_solids_are_refused() -> None:
    walk = Tour(Board.hexagon(5), np.arange(61, dtype=np.int32), closed=False)
    with pytest.raises(FormatError, match="cannot write a tour of hex:5 as glTF: its cells are not squares"):
        formats.rendered(walk, "glb")


@pytest.mark.parametrize("spec", ["6x6", "3x4x6", "hex:4", "8x8-a1,b1", "torus:5x6", "2x2x3x10"])
@pytest.mark.parametrize("name", ["csv", "json"])
def test_files_as_written_are_read_as_arrays(spec: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text as written and another layout of it hold the same tour; only the other is read name by name."""
    found = cavalcade.tour(spec)
    assert isinstance(found, Found)
    text = formats.write(found.tour, name)
    other = text.replace('"coords": [', '"coords":  [') if name == "json" else text.replace("step", " step")
    swapped = text.replace(found.tour.names[1], "#").replace(found.tour.names[2], found.tour.names[1])
    assert formats.parse(other) == found.tour
    with pytest.raises(FormatError):
        formats.parse(swapped.replace("#", found.tour.names[2]))
    monkeypatch.delattr(Tour, "from_names")
    assert formats.parse(text) == found.tour
    with pytest.raises(AttributeError):
        formats.parse(other)


def test_only_the_last_cells_of_the_object_count() -> None:
    text = formats.write(formats.parse(CLOSED_5X6), "json").replace(', "status": "found"', "")
    begin = text.index('"cells"')
    assert len(formats.parse(text)) == 30
    nested = f'{text[:begin]}"a": {{{text[begin:-2]}}}, "cells": [], "coords": []}}'
    assert len(formats.parse(nested)) == 0
    with pytest.raises(FormatError, match="disagree"):
        formats.parse(f'{text[:-2]}, "cells": []}}')
