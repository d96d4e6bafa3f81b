"""The trace of a walk: BOARD and MOVES, compared with the paper, with SAS code and with plain counting."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

import cavalcade
from cavalcade import Tour, board, trace
from cavalcade.draw.layout import lay_out
from cavalcade.draw.shapes import Letters
from cavalcade.find.warnsdorff import walks
from cavalcade.papers import gerlach2015, tables
from cavalcade.question.moves import move_graph
from test_sas import boards, knight

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Ran


def walk_from(spec: str, start: str | int, *, count_start: bool = True) -> Tour:
    """The walk by Warnsdorff's rule, whole or stuck."""
    verdict = cavalcade.warnsdorff(spec, start, count_start=count_start)
    walk = verdict.tour if verdict.status == "found" else verdict.partial
    assert walk is not None
    return walk


def test_the_printed_board_and_moves() -> None:
    """BOARD and MOVES of the paper after the move from a8 to c7."""
    printed = tables.printed("gerlach2015")
    traced = trace(walk_from("8x8", "a8", count_start=False), count_start=False)
    assert traced.walk.names[:2] == ["a8", "c7"]
    assert np.array_equal(traced.board(2).reshape(8, 8), printed["board a8 c7"].numbers)
    assert np.array_equal(traced.moves(1).reshape(8, 8), printed["moves before"].numbers)
    assert np.array_equal(traced.moves(2).reshape(8, 8), printed["moves after"].numbers)


@pytest.mark.parametrize("start", ["g6", "g3"])
@pytest.mark.parametrize("counted", [False, True])
def test_solution_by_sas(start: str, counted: bool) -> None:  # noqa: FBT001
    """%ktour leaves the same s- and m-variables where the walk gets stuck."""
    path = next(iter(walks(move_graph("8x8"), [board("8x8").cell(start)], ties="first", count_start=False)))
    row, column = (gerlach2015.CHESS.coords[path[0]] + 1).tolist()
    shown = "%ShowBoard(dsn=board1) %ShowBoard(dsn=board1, elements=%gen_vars(m))"
    ran = knight(f"%knightmoves %ktour(1, {row}, {column}, show=0) {shown}", rows=8, columns=8)
    traced = trace(Tour(board("8x8"), path, closed=False), count_start=counted)
    solution = [
        numbers.reshape(8, 8).tolist() for numbers in (traced.board(len(path)), traced.moves(len(path)))
    ]
    assert (boards(ran) == solution) == (not counted)


@pytest.mark.parametrize("spec", ["8x8", "3x4x5", "hex:4", "torus:4x5", "6x6-c3,d4"])
def test_remaining_moves_by_counting(spec: str) -> None:
    walk, place = walk_from(spec, 0), board(spec)
    near = [set(move_graph(spec).neighbours(cell).tolist()) for cell in range(place.size)]
    for counted in (True, False):
        traced = trace(walk, count_start=counted)
        assert len(traced) == len(walk)
        for step in (1, 2, len(walk) // 2, len(walk)):
            visited = walk.cells[0 if counted else 1 : step].tolist()
            assert traced.moves(step).tolist() == [len(cells - {*visited}) for cells in near]
            numbers = traced.board(step)
            assert numbers.max() == step == np.count_nonzero(numbers)
            assert place.name(int(numbers.argmax())) == walk.cell_at(step)


def test_the_formats(cli: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    walk = walk_from("8x8", "g6", count_start=False)
    cavalcade.save(walk, "walk.txt")
    traced = trace(walk, count_start=False)
    for format in ("wide", "sas"):  # the data set SOLUTION is read back as the walk
        code, out, err = cli("trace", "walk.txt", "--no-count-start", "--format", format)
        assert (code, err) == (0, "")
        assert out == traced.write(format)
        assert "m11" in out
        (tmp_path / "solution").write_text(out)
        assert cavalcade.read_tour("solution").names == walk.names
    code, out, err = cli("trace", "walk.txt", "--all", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 60 * 64
    assert rows[64 + walk.board.cell("h8")] == {"step": "2", "name": "h8", "board": "2", "moves": "1"}
    code, out, err = cli("trace", "walk.txt", "--step", "2", "--json")
    fields = json.loads(out)
    assert (fields["step"], fields["cell"], fields["moves"]) == (2, "h8", trace(walk).moves(2).tolist())
    code, out, err = cli("trace", "walk.txt", "--all", "--format", "wide", "-o", "all.wide")
    names, *lines = (tmp_path / "all.wide").read_text().splitlines()
    assert (names.split()[:2], len(names.split())) == (["position", "s11"], 129)
    assert [line.split()[0] for line in lines] == [str(step) for step in range(1, 61)]
    code, out, err = cli("trace", "walk.txt", "--all", "--format", "sas")
    assert out.splitlines()[2].startswith("  input position s11-s18 ")
    assert out.splitlines()[2].endswith(" m81-m88;")
    code, out, err = cli("trace", "walk.txt", "--step", "61")
    assert (code, out) == (2, "")
    assert "61 is not a step of this walk, expected 1 to 60" in err
    graph = Tour(cavalcade.MoveGraph.from_edges([(0, 1), (1, 2)]), np.array([0, 1]), closed=False)
    assert trace(graph).write("csv").splitlines()[1:] == ["2,1,1,0", "2,2,2,1", "2,3,,0"]
    with pytest.raises(cavalcade.CavalcadeError, match="has no rows and columns: use csv or json"):
        trace(graph).write("wide")
    with pytest.raises(cavalcade.CavalcadeError, match="unknown format 'gif'"):
        traced.write("gif")


def test_a_moving_picture_shows_the_moves_of_each_step() -> None:
    """The number painted last on a free cell is its remaining moves."""
    walk = walk_from("5x6", "a5")
    traced = cavalcade.trace(walk, count_start=False)
    centres = lay_out(walk.board).centres
    picture = traced.picture()
    for step in (1, 2, 17, len(walk)):
        painted = {
            (shape.x, shape.y): shape.text
            for shape in picture.until(step - 1).shapes
            if isinstance(shape, Letters) and shape.role in {"moves", "number"}
        }
        board, moves = traced.board(step), traced.moves(step)
        wanted = {
            tuple(centres[cell].tolist()): str(board[cell] or moves[cell]) for cell in range(walk.board.size)
        }
        assert painted == wanted


def test_the_command_writes_moving_pictures(cli: Callable[..., Ran], tmp_path: Path) -> None:
    walk = str(tmp_path / "walk.txt")
    assert cli("tour", "5x6", "-o", walk).code == 0
    assert cli("trace", walk, "-o", str(tmp_path / "moves.svg")).code == 0
    assert "@keyframes" in (tmp_path / "moves.svg").read_text()
    assert cli("trace", walk, "--step", "3", "-o", str(tmp_path / "moves.svg")).code == 2
    assert cli("trace", walk, "-o", str(tmp_path / "moves.csv")).code == 0
    assert (tmp_path / "moves.csv").read_text().startswith("step,name,board,moves")
