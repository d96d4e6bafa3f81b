"""Tables that pandas, SAS, R and spreadsheets write: of tours, of puzzles and of boards."""

from __future__ import annotations

import json
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

from cavalcade import formats
from cavalcade.formats.header import Look
from cavalcade.formats.recognizing import graph_format
from cavalcade.formats.table import FORMATS
from cavalcade.ground.errors import CavalcadeError, FormatError
from verdicts import tour_of

if TYPE_CHECKING:
    from collections.abc import Iterator

TOUR = tour_of("5x6", open=True)
GRID = TOUR.numbering
COORDS = TOUR.coords


def of_steps() -> Iterator[tuple[str, str]]:
    """Yield the tour in tables of steps, with what makes them different from ours."""
    frame = pd.DataFrame({"step": range(1, 31), "row": COORDS[:, 0], "col": COORDS[:, 1]})
    yield "a frame with its index", frame.to_csv()
    for orient in ("records", "split", "columns", "list"):
        kept = frame.to_dict(orient) if orient == "list" else json.loads(frame.to_json(orient=orient))
        yield f"JSON of a frame by {orient}", json.dumps(kept)
    yield "lines of JSON", frame.to_json(orient="records", lines=True)
    yield (
        "numbers with decimals",
        frame.astype(float).to_csv(index=False).replace(".0\n", "\n").replace(".0,", ","),
    )
    places = list(enumerate(zip(COORDS[:, 1] + 1, 5 - COORDS[:, 0], strict=True), 1))
    yield "x and y from 1", "\n".join(["MOVE,X,Y", *(f"{k},{x},{y}" for k, (x, y) in places)])
    yield "x and y from 0", "\n".join(["x;y", *(f"{x - 1};{y - 1}" for _, (x, y) in places)])
    yield (
        "files and ranks",
        "\n".join(["move\tfile\trank", *(f"{k}\t{'abcdef'[x - 1]}\t{y}" for k, (x, y) in places)]),
    )
    ranks = [f"{k},{y},{x},{'abcdef'[x - 1]}{y}" for k, (x, y) in places]
    yield "rows from the bottom", "\n".join(["step,row,col,square", *ranks])
    coords = [f"{k:3d} {i} {j}" for k, (i, j) in enumerate(COORDS.tolist(), 1)]
    yield "columns without titles", "\n".join(coords)
    yield "names under another key", json.dumps({"id": 1, "tour": TOUR.names, "board": "5x6"})
    yield "i and j", "\n".join(["i,j", *(f"{i},{j}" for i, j in COORDS.tolist())])
    yield "squares", "\n".join(["n,position", *(f"{k},{name}" for k, name in enumerate(TOUR.names, 1))])


def of_numbers() -> Iterator[tuple[str, str]]:
    """Yield the tour as numbers on a board, under variables or beside numbers of rows."""
    files = pd.DataFrame(GRID, columns=[*"abcdef"])
    yield "files and an index", files.to_csv()
    yield "files", files.to_csv(index=False)
    yield "no titles and an index", pd.DataFrame(GRID).to_csv()
    yield "ranks", files.set_axis([5, 4, 3, 2, 1]).to_csv(index_label="rank")
    yield (
        "variables and a row",
        pd.DataFrame(GRID, range(1, 6), [f"C{k}" for k in range(1, 7)]).to_csv(index_label="ROW"),
    )
    yield "R", pd.DataFrame(GRID, range(1, 6), [f"V{k}" for k in range(1, 7)]).to_string()
    listing = pd.DataFrame(GRID, range(1, 6), [f"x{k}" for k in range(1, 7)]).to_string().splitlines()
    titled = [
        "   The SAS System   09:14 Monday, March 4, 2024   1",
        "",
        f"Obs {listing[0]}",
        "",
        *listing[1:],
    ]
    yield "a listing of SAS", "\n".join(titled)
    yield "decimals", pd.DataFrame(GRID.astype(float)).to_csv(index=False, header=False)
    yield "an object of JSON", json.dumps({"title": "Saturday", "rows": 5, "grid": GRID.tolist()})


def of_cells() -> Iterator[tuple[str, str]]:
    """Yield the tour as lists of cells between other signs."""
    names = TOUR.names
    yield "dashes", "-".join(names)
    yield "arrows", " -> ".join(names)
    yield "other arrows", "\N{RIGHTWARDS ARROW}".join(names)
    yield "moves of a knight", " ".join(f"N{name}" for name in names)
    pairs = zip(names[::2], names[1::2], strict=True)
    yield "moves with numbers", " ".join(f"{k}. N{a} N{b}" for k, (a, b) in enumerate(pairs, 1))


@pytest.mark.parametrize(("form", "text"), [*of_steps(), *of_numbers(), *of_cells()])
def test_tours_of_other_programs(form: str, text: str) -> None:
    read = formats.parse(text)
    assert (read.board.title, read.names) == ("5x6", TOUR.names), form


def test_lines_of_json_are_several_tours() -> None:
    lines = "".join(formats.write(TOUR, "json").strip() + "\n" for _ in range(3))
    assert [tour.names for tour in formats.read_tours(formats.Text(lines))] == [TOUR.names] * 3


def test_vertices_on_one_line() -> None:
    cycle = formats.parse("1 2 3 1\n", board="complete:3")
    assert (cycle.names, cycle.closed) == (["1", "2", "3"], True)
    assert formats.parse("1,2,3", board="complete:3").names == ["1", "2", "3"]


def test_a_walk_needs_its_board() -> None:
    """The cells of a part of a tour fill no box."""
    for text in ("-".join(TOUR.names[:20]), "x,y\n1,1\n2,3\n", "i,j\n0,0\n1,2\n"):
        with pytest.raises(FormatError, match="board"):
            formats.parse(text)
        assert len(formats.parse(text, board="5x6")) in {2, 20}


def test_puzzles_of_other_programs() -> None:
    given = np.where(GRID % 4 == 0, GRID, 0)
    frame = pd.DataFrame(given, columns=[f"C{k}" for k in range(1, 7)])
    missing = frame.mask(frame == 0)
    nulls = [[step or None for step in row] for row in given.tolist()]
    texts = {
        "NaN": missing.to_csv(index=False, header=False, na_rep="NaN"),
        "dots under variables": missing.to_csv(index=False, na_rep="."),
        "semicolons": missing.astype("Int64").to_csv(sep=";", index=False, header=False),
        "null": json.dumps(nulls),
        "an object": json.dumps({"width": 6, "givens": given.tolist()}),
        "cells by name": json.dumps(
            {
                "width": 6,
                "height": 5,
                "givens": {
                    TOUR.board.name(int(cell)): step
                    for step, cell in enumerate(TOUR.cells, 1)
                    if step % 4 == 0
                },
            }
        ),
        "wide dots": "\n".join(
            " ".join(f"{step:2d}" if step else ".." for step in row) for row in given.tolist()
        ),
    }
    for form, text in texts.items():
        puzzle = formats.read_puzzle(formats.Text(text))
        assert puzzle.board.title == "5x6", form
        assert dict(puzzle.given) == {
            int(given[tuple(place)]): int(cell)
            for cell, place in enumerate(puzzle.board.coords.tolist())
            if given[tuple(place)]
        }, form


def test_boards_of_other_programs() -> None:
    """Lists of cells, and pictures with a single sign or with missing values."""
    plus = [(i, j) for i, j in product(range(4), repeat=2) if (i, j) not in {(0, 0), (0, 3), (3, 0)}]
    pictures = {
        "cells": json.dumps({"cells": plus}),
        "rows and columns": "\n".join(["row,col", *(f"{i},{j}" for i, j in plus)]),
        "x and y": "\n".join(["x\ty", *(f"{j}\t{3 - i}" for i, j in plus)]),
        "holes": json.dumps({"width": 4, "height": 4, "holes": ["a4", "d4", [3, 0]], "piece": [[1, 2]]}),
        "records": json.dumps([{"x": j + 7, "y": -i} for i, j in plus]),
        "a bitmap": "P1\n# GIMP\n4 4\n0110\n1111\n1111\n0111\n",
        "one sign": " oo \noooo\noooo\n ooo",
        "one sign, spaced": "  # #\n# # # #\n# # # #\n  # # #",
        "missing values": ". 1 1 .\n1 1 1 1\n1 1 1 1\n. 1 1 1",
    }
    for form, text in pictures.items():
        assert formats.board_in(text).title == "4x4-a4,d4,a1", form
    with pytest.raises(CavalcadeError):  # a walk
        formats.board_in("x,y\n1,1\n2,3\n4,4\n")
    with pytest.raises(CavalcadeError):
        formats.board_in("x,y\n0,0\n1000000,1000000\n")


BLANKS = (
    "a 1\n\n",
    'a "x"  \n  \n',
    "c x\n\n",
    "% z\n \n",
    "/* */ \n",
    "// x\n\n",
    "<!-- -->\n\n",
    "   1 2  \n",
)


@pytest.mark.parametrize("first", BLANKS)
@pytest.mark.parametrize("second", BLANKS)
def test_a_format_is_recognized_at_once(first: str, second: str) -> None:
    """Blanks that a pattern could divide in many ways."""
    text = (first + second) * 40 + "!"
    look = Look.at(text)
    for row in FORMATS:
        if (
            {"Tour", "MoveGraph"} & {*row.reads}
            and row.name != "edges"
            and hasattr(row.module, "sniff") | hasattr(row.module, "FIRST")
        ):
            assert not row.claims(look) or row.name in {"csv", "matrix", "adjlist", "tgf", "metis"}
    assert graph_format(text)
