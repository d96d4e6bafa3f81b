"""Gliński's boards of every side: the builder, the check of the theorem, and damaged proofs."""

from __future__ import annotations

import json
import re
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Undecided
from cavalcade.boards import Board
from cavalcade.boards.hexagonal import hex_leap
from cavalcade.boards.notation import parse_board
from cavalcade.checking.arrays import check_array
from cavalcade.checking.tours import check
from cavalcade.cli.commands import theorem
from cavalcade.construction import hexagons as hexagon
from cavalcade.construction.plan import construct
from cavalcade.construction.writing import write_moves, write_steps
from cavalcade.draw.blocks import JOINS
from cavalcade.ground.errors import BoardError, CellError, FormatError
from cavalcade.question.pieces import KNIGHT
from cavalcade.theorems import glinski as proof
from cavalcade.theorems.facts import packaged

DATA = json.loads(packaged("glinski"))
PIECES = proof.read(packaged("glinski"))
DOCS = Path(__file__).parent.parent / "docs"
EDGES = ("entrance", "along", "inward", "corner")


@pytest.mark.parametrize("closed", [True, False])
def test_hexagons_of_side_4_to_60_and_of_120_have_tours(*, closed: bool) -> None:
    for side in (*range(4, 61), 119, 120):
        chain = hexagon.chain(side, closed=closed)
        tour = Tour.from_numbering(Board.hexagon(side), write_steps(chain), closed=closed)
        assert len(chain) == len(tour) == 3 * side * (side - 1) + 1
        assert (checked := check(tour)), checked.message


@settings(deadline=None, max_examples=40)
@given(st.integers(4, 3_000), st.data())
def test_steps_and_places_of_any_hexagon(side: int, data: st.DataObject) -> None:
    chain = hexagon.chain(side)
    size = 3 * side * (side - 1) + 1
    step = data.draw(st.integers(1, size))
    (q, r), (p, t) = chain.places([step, step % size + 1]).tolist()
    assert sorted((p - q, t - r, q - p + r - t)) in ([-3, 1, 2], [-2, -1, 3])
    assert chain.steps([(q, r)]) == step
    assert abs(q + r - 2 * (side - 1)) < side
    place = tuple(data.draw(st.tuples(st.integers(-3, 2 * side), st.integers(-3, 2 * side))))
    if min(place) >= 0 and max(place) < 2 * side - 1 and abs(sum(place) - 2 * (side - 1)) < side:
        assert tuple(chain.places(chain.steps([place]))[0].tolist()) == place
    else:
        with pytest.raises(CellError, match="is not a cell"):
            chain.steps([place])


@pytest.mark.parametrize("side", [8, 9, 60, pytest.param(5000, marks=pytest.mark.slow)])
def test_hexagons_as_arrays(side: int) -> None:
    chain, board = hexagon.chain(side), Board.hexagon(side)
    for array in (write_steps(chain), write_moves(chain, KNIGHT.vectors(board))):
        assert (checked := check_array(array, board)), checked.message
        assert "closed" in checked.message


def test_boards_without_a_template() -> None:
    for side in (0, 1, 2, 3):
        with pytest.raises(BoardError, match="at least 4"):
            hexagon.chain(side)
    assert len(hexagon.chain(4)) == 37
    for board, start in (
        (Board.hexagon(3), None),
        (parse_board("triangle:9"), None),
        (Board.hexagon(6), 0),
        (Board.hexagon(6).without(["f6"]), None),
    ):
        verdict = construct(board, start=start)
        assert isinstance(verdict, Undecided)
        assert board.title in verdict.reason
    assert not isinstance(construct(Board.hexagon(6), open=True), Undecided)


def test_theorem_glinski() -> None:
    done = CliRunner().invoke(theorem.command, ["glinski"], standalone_mode=False)
    assert done.return_value == 0
    assert proof.STATEMENT in " ".join(done.stdout.split())
    assert done.stdout.count("has a closed tour") == 11
    as_json = CliRunner().invoke(theorem.command, ["glinski", "--json"], standalone_mode=False)
    answer = json.loads(as_json.stdout)
    assert (answer["status"], answer["fault"]) == ("proved", None)
    assert answer["facts"] == list(proof.glinski().facts)


def faulty(data: Any) -> str:
    checked = proof.glinski(json.dumps(data))
    assert not checked
    assert checked.fault
    return checked.fault


def copy() -> Any:
    return json.loads(json.dumps(DATA))


def tours(data: Any) -> list[list[list[int]]]:
    return [data["rhombus"], *data["trapezoids"].values(), *data["boards"].values()]


def legal(tour: list[list[int]], *, board: bool) -> bool:
    """Return whether all steps are moves; on a piece, q and r are i - j and j."""
    cells = [(a, b) if board else (a - b, b) for a, b in [*tour, tour[0]]]
    return {(c - a, d - b) for (a, b), (c, d) in pairwise(cells)} <= hex_leap(1, 2)


@pytest.mark.parametrize("share", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_every_damaged_tour_is_detected(share: int) -> None:
    """Damage the cells of each tour in three ways; every `share`-th cell is damaged."""
    for number, tour in enumerate(tours(DATA)):
        for index in range(0, len(tour), share):
            data = copy()
            damaged_tour = tours(data)[number]
            damaged_tour[index], damaged_tour[index - 1] = (
                damaged_tour[index - 1],
                damaged_tour[index],
            )  # exchange two cells
            assert legal(damaged_tour, board=number > 5) or "no knight's move" in faulty(data)
            data = copy()
            tours(data)[number][index][index % 2] += 1  # move a cell
            assert "the tour of" in faulty(data)
            data = copy()
            del tours(data)[number][index]  # remove a cell
            assert "leaves out" in faulty(data)


@pytest.mark.parametrize("share", [2, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("side", proof.RESIDUES)
def test_boards_without_the_entrance_are_detected(side: int, share: int) -> None:
    """A rotated tour is a tour, but it seldom contains the entrance."""
    entrance = {(side - 5, 2), (side - 2, 0)}
    lacking = 0
    tour = DATA["boards"][str(side)]
    for turn in range(5):  # the sixth rotation restores the stored tour
        tour = [[-r, q + r] for q, r in tour]
        if (side + turn + 1) % share:
            continue
        data = copy()
        data["boards"][str(side)] = tour
        if entrance in [{tuple(a), tuple(b)} for a, b in pairwise([*tour, tour[0]])]:
            assert proof.glinski(json.dumps(data))
        else:
            lacking += 1
            assert f"the board of side {side} has no edge" in faulty(data)
    assert lacking


@pytest.mark.parametrize("name", EDGES)
def test_every_damaged_join_is_detected(name: str) -> None:
    for end in (0, 1):
        for coordinate in (0, 1):
            for shift in (-1, 1):
                data = copy()
                data["edges"][name][end][coordinate] += shift
                assert "has no " in faulty(data)  # followed by "move" or "edge"
    data = copy()
    data["edges"][name].reverse()
    assert "has no move" in faulty(data)


def test_pieces_at_wrong_places_are_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    data = copy()
    five, six = data["trapezoids"]["5"], data["trapezoids"]["6"]
    data["trapezoids"]["5"], data["trapezoids"]["6"] = six, five
    assert "the trapezoid 5 visits" in faulty(data)
    data = copy()
    del data["boards"]["7"]
    assert "it has no '7'" in faulty(data)
    lay = proof.lay

    def shifted(cell: proof.Cell, *, arm: int = 0, start: proof.Cell = (0, 0), place: int = 0) -> proof.Cell:
        return lay(cell, arm=arm, start=start, place=place + (arm == 3 and min(start) < -8))

    monkeypatch.setattr(proof, "lay", shifted)
    assert "the tour of the board of side 14" in faulty(DATA)


def test_every_hexagon_grows_by_bands() -> None:
    """Bands extend every stored hexagon whose tour, rotated or reflected, has an entrance."""
    stored = json.loads(packaged("hexagonal"))["hexagons"]
    grown = set()
    for name, turns, mirrored in product(stored, range(6), (False, True)):
        tour = [proof.turned((r, q) if mirrored else (q, r), turns) for q, r in stored[name]]
        sides = outline(tour)
        corner = first_corner(tour)
        edges = {frozenset(edge) for edge in pairwise([*tour, tour[0]])}
        if frozenset(proof.inward(corner, PIECES)[1]) not in edges:
            continue
        tours, joins, cells = [tour], list[proof.Join](), set(tour)
        for _ in range(4):
            band_tours, along = proof.band(sides, corner, PIECES)
            tours += band_tours
            joins += [proof.inward(corner, PIECES), *along]
            for _ in range(proof.DEPTH):  # add the cells next to the board
                cells |= {(q + x, r + y) for q, r in cells for x, y in NEIGHBOURS}
            proof.assert_whole(f"{name} with bands", tours, joins, sorted(cells))
            sides, corner = [side + proof.DEPTH for side in sides], (corner[0] + proof.DEPTH, corner[1])
        grown.add(tuple(sides))
    assert any(len(set(sides)) > 1 for sides in grown)


NEIGHBOURS = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


def first_corner(cells: list[proof.Cell]) -> proof.Cell:
    """Return the cell outside the corner where arm 0 begins, next to the last cell of the largest q."""
    q, r = max(cells)
    return q + 1, r


def outline(cells: list[proof.Cell]) -> list[int]:
    """Return the numbers of cells of the sides, starting at that corner."""
    cell, sides, board_cells = max(cells), [], set(cells)
    for arm in range(6):
        x, y = proof.turned((-1, 1), arm)
        side = 1
        while (cell[0] + x, cell[1] + y) in board_cells:
            cell, side = (cell[0] + x, cell[1] + y), side + 1
        sides.append(side)
    return sides


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "7", "[" * 100_000, '{"edges": 5}', packaged("glinski").replace("[2, 2]", "[2, 2.0]")],
)
def test_malformed_lists_are_refused(text: str, tmp_path: Any) -> None:
    assert "cannot be read" in proof.glinski(text).fault
    file = tmp_path / "tours.json"
    file.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(theorem.command, ["glinski", "--tours", str(file)], standalone_mode=False)
    assert done.return_value == 1
    assert "fault: the list of tours cannot be read" in done.stderr


def test_the_fault_is_named_on_the_command_line(tmp_path: Any) -> None:
    data = copy()
    data["trapezoids"]["7"].pop()
    file = tmp_path / "tours.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    done = CliRunner().invoke(
        theorem.command, ["glinski", "--json", "--tours", str(file)], standalone_mode=False
    )
    answer = json.loads(done.stdout)
    assert (done.return_value, answer["status"]) == (1, "faulty")
    assert answer["fault"].startswith("the tour of the trapezoid 7 leaves out")
    assert len(answer["facts"]) == 4


def test_builder_and_proof_place_the_same_pieces() -> None:
    """The tour of `construction.hexagons` has the same moves as the proof."""
    for side in (4, 9, 14, 31):
        tours, joins = proof.built(side, PIECES)
        edges = {frozenset(edge) for tour in tours for edge in pairwise([*tour, tour[0]])}
        for (a, b), (d, c) in joins:
            edges -= {frozenset({a, b}), frozenset({c, d})}
            edges |= {frozenset({a, c}), frozenset({b, d})}
        chain = hexagon.chain(side)
        walk = [(q - side + 1, r - side + 1) for q, r in chain.places(range(1, len(chain) + 1)).tolist()]
        assert {frozenset(move) for move in pairwise([*walk, walk[0]])} == edges


@pytest.mark.parametrize("side", [14, 21])
def test_the_pictures_are_current(side: int, tmp_path: Path) -> None:
    file = tmp_path / "picture.svg"
    arguments = ["glinski", "-o", str(file), "--side", str(side)]
    done = CliRunner().invoke(theorem.command, arguments, standalone_mode=False)
    assert done.return_value == 0
    picture = file.read_text(encoding="utf-8")
    assert picture == (DOCS / "pictures" / f"glinski-{side}.svg").read_text(encoding="utf-8")
    # each piece is drawn, and two moves for each join of two pieces
    pieces = {14: 1 + 6 + 12, 21: 1 + 6 + 12 + 18}[side]
    assert picture.count('class="block"') == pieces
    (joins,) = re.findall(rf'class="joins"[^>]* stroke="{JOINS}".*? d="(.*?)"', picture)
    assert joins.count("M") == 2 * (pieces - 1)


def test_pictures_of_other_lists_and_names(tmp_path: Path) -> None:
    data = copy()
    data["boards"]["4"].reverse()
    (tmp_path / "tours.json").write_text(json.dumps(data), encoding="utf-8")
    arguments = [
        "glinski",
        "--tours",
        str(tmp_path / "tours.json"),
        "-o",
        str(tmp_path / "a.svg"),
        "--side",
        "4",
    ]
    assert CliRunner().invoke(theorem.command, arguments, standalone_mode=False).return_value == 0
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").count('class="block"') == 1
    with pytest.raises(FormatError, match=r"cannot write 'a\.txt'\. Pictures: "):
        CliRunner().invoke(
            theorem.command, ["glinski", "-o", "a.txt"], standalone_mode=False, catch_exceptions=False
        )
