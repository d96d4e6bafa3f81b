"""Triangles, parallelograms and other hexagons: theorems and portfolio agree, damaged proofs are refused."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from cavalcade.answers.verdict import Found
from cavalcade.ask.portfolio import tour
from cavalcade.boards import Board
from cavalcade.checking.tours import check
from cavalcade.cli.commands import theorem
from cavalcade.question.pieces import CAMEL, KNIGHT
from cavalcade.theorems import hexagonal as proof
from cavalcade.theorems import literature, narrow
from cavalcade.theorems.facts import Fault, packaged, read_cells, reading
from cavalcade.theorems.glinski import read
from oracles import has_tour_from

if TYPE_CHECKING:
    from cavalcade.theorems.glinski import Cell

DATA = json.loads(packaged("hexagonal"))


def board(cells: list[Cell]) -> Board:
    """Return a board of the given cells: a hexagon around them without all other cells."""
    side = 1 + max(max(abs(q), abs(r), abs(q + r)) for q, r in cells)
    whole = Board.hexagon(side)
    kept = set(cells)
    return whole.without([i for i, place in enumerate(whole.coords.tolist()) if tuple(place) not in kept])


def has_tour(cells: list[Cell], *, closed: bool = True) -> bool:
    verdict = tour(board(cells), open=not closed)
    assert not isinstance(verdict, Found) or check(verdict.tour)
    assert verdict.status != "undecided"
    return verdict.status == "found"


def triangle(side: int) -> list[Cell]:
    return [(i, j) for i in range(side) for j in range(side - i)]


def parallelogram(m: int, n: int) -> list[Cell]:
    return [(i, j) for i in range(m) for j in range(n)]


@pytest.mark.parametrize("side", range(2, 16))
def test_triangles_agree_with_the_portfolio(side: int) -> None:
    assert has_tour(triangle(side)) == (side >= 8) == (not literature.triangle(side))


@pytest.mark.parametrize("m", range(1, 8))
def test_parallelograms_agree_with_the_portfolio(m: int) -> None:
    for n in range(max(m, 2), 12):
        assert has_tour(parallelogram(m, n)) == (not literature.parallelogram(m, n)), (m, n)
        assert literature.parallelogram(m, n) == literature.parallelogram(n, m)
        assert (not literature.parallelogram(m, n)) == (m >= 4 and (m, n) != (4, 4))


def test_small_boards_without_open_tours() -> None:
    for n in range(2, 9):
        assert (
            has_tour(triangle(n), closed=False) == (n in {6, 8}) == (not literature.triangle(n, closed=False))
        )
    for m, n in [(1, 5), (2, 2), (2, 7), (4, 4), (4, 5)]:
        assert has_tour(parallelogram(m, n), closed=False) == (
            not literature.parallelogram(m, n, closed=False)
        )
    assert literature.parallelogram(3, 7, closed=False) is None


def test_theorems_of_families_by_their_sides() -> None:
    """Theorems cover boards of hexagonal cells for knights only, and none with holes."""
    expected = {
        ("triangle", (7,)): False,
        ("triangle", (8,)): True,
        ("parallelogram", (4, 4)): False,
        ("parallelogram", (9, 4)): True,
        ("hexagon", (4, 6, 5)): True,
        ("hexagon", (2, 2, 2)): False,
        ("hexagon", (2, 3, 4)): True,
        ("hexagon", (3, 5, 2)): False,
        ("hexagon", (9, 3, 1)): False,
    }
    for (kind, sides), exists in expected.items():
        board = Board(kind, sides)
        law = literature.theorem(board, KNIGHT, closed=True)
        assert (law and law.exists) == exists
        assert literature.theorem(board, CAMEL, closed=True) is None
        assert literature.theorem(board.without([0]), KNIGHT, closed=True) is None


@pytest.mark.slow
def test_open_tours_of_boards_without_closed_tours() -> None:
    """docs/proofs/glinski.md lists these widths."""
    widths = [n for n in range(3, 41) if has_tour(parallelogram(3, n), closed=False)]
    assert widths == [5, 10, 15, 19, 20, 21, *range(23, 41)]


@pytest.mark.slow
@pytest.mark.parametrize("a", range(2, 13))
def test_hexagons_with_unequal_sides_agree_with_the_portfolio(a: int) -> None:
    """The portfolio confirms the table of docs/proofs/glinski.md up to side 12."""
    without = {(2, 3, 3), (2, 3, 5), (2, 3, 6), (3, 3, 3)}
    for b in range(a, 13):
        for c in range(b, 13):
            expected = b > 2 and (a, b, c) not in without
            has_open = b > 2 and (a, b, c) not in {(2, 3, 3), (3, 3, 3)}
            assert has_tour(hexagon(a, b, c), closed=False) == has_open, (a, b, c)
            assert has_open == (not literature.unequal_hexagon(c, b, a, closed=False))
            assert has_tour(hexagon(a, b, c)) == expected == (not literature.unequal_hexagon(c, a, b)), (
                a,
                b,
                c,
            )


def hexagon(a: int, b: int, c: int) -> list[Cell]:
    return sorted({(x - y, y - z) for x in range(a) for y in range(b) for z in range(c)})


def test_small_hexagons_by_brute_force() -> None:
    """A plain search over sets of visited cells decides all hexagons of 2 to 22 cells but 2, 3, 5."""
    decided = 0
    for a in range(1, 5):
        for b in range(a, 9):
            for c in range(b, 12):
                cells = hexagon(a, b, c)
                if 1 < len(cells) <= 22 and (a, b, c) != (2, 3, 5):
                    assert searched(cells) == (literature.unequal_hexagon(a, b, c) == ""), (a, b, c)
                    decided += 1
    assert decided > 20


def searched(cells: list[Cell]) -> bool:
    """Whether there is a closed tour; the search begins where the fewest moves lead away."""
    shifts = [(1, 2), (2, 1), (-3, 1), (-3, 2), (1, -3), (2, -3)]
    shifts += [(-q, -r) for q, r in shifts]
    number = {cell: i for i, cell in enumerate(cells)}
    moves = [[number[q + x, r + y] for x, y in shifts if (q + x, r + y) in number] for q, r in cells]
    start = min(range(len(cells)), key=lambda i: len(moves[i]))
    return has_tour_from(start, moves, closed=True)


def test_narrow_hexagons_beyond_the_check() -> None:
    """The parts of hexagons with a side from 21 on, judged without the code of the check."""
    pieces, tours = read(packaged("glinski")), read_cells(packaged("hexagonal"))["narrow"]
    for sides in ((2, 3, 41), (2, 29, 33), (3, 37, 22), (3, 3, 30)):
        laid, joins = narrow.parts_of(*sides, pieces, tours)
        assert sorted(cell for tour in laid for cell in tour) == hexagon(*sides)
        edges = {frozenset(edge) for tour in laid for edge in pairwise([*tour, tour[0]])}
        for (a, b), (d, c) in joins:
            edges -= {frozenset((a, b)), frozenset((c, d))}
            edges |= {frozenset((a, c)), frozenset((b, d))}
        neighbours = dict[Any, list[Any]]()
        for x, y in edges:
            neighbours.setdefault(x, []).append(y)
            neighbours.setdefault(y, []).append(x)
        walk = [hexagon(*sides)[0]]
        while (after := [cell for cell in neighbours[walk[-1]] if cell not in walk[-2:]]) and after[
            0
        ] != walk[0]:
            walk.append(after[0])
        assert len(walk) == len(hexagon(*sides))


@pytest.mark.parametrize("part", ["layers", "hexagons"])
def test_damaged_narrow_tours_are_detected(part: str) -> None:
    for number, key in enumerate(DATA["narrow"][part]):
        data = json.loads(json.dumps(DATA))
        tour = data["narrow"][part][key]
        if number % 4 == 0:
            tour[2], tour[7] = tour[7], tour[2]
        elif number % 4 == 1:
            tour.pop(3)
        elif number % 4 == 2:
            tour[5][0] += 20
        else:
            del data["narrow"][part][key]
        assert narrow_fault(data)


@pytest.mark.parametrize(
    ("seam", "cells"),
    [
        ("enter", [[-2, 2], [-1, 0]]),
        ("leave", [[-1, -1], [1, -4]]),
        ("leave", [[-2, -1], [0, -4]]),
    ],
)
def test_wrong_seams_of_layers_are_detected(seam: str, cells: list[list[int]]) -> None:
    data = json.loads(json.dumps(DATA))
    data["narrow"][seam] = cells
    assert "the join of a layer has no two moves" in narrow_fault(data)


@pytest.mark.parametrize("kind", ["layers", "hexagons"])
def test_reflected_narrow_tours_are_detected(kind: str) -> None:
    """A reflected tour is a tour of the reflected shape only."""
    data = json.loads(json.dumps(DATA))
    key = next(iter(data["narrow"][kind]))
    data["narrow"][kind][key] = [[q + r, -r] for q, r in data["narrow"][kind][key]]
    assert "leaves out" in narrow_fault(data) or "visits" in narrow_fault(data)


def narrow_fault(data: Any) -> str:
    """The fault that the part on narrow hexagons finds; the rest of the check is slower."""
    try:
        with reading():
            list(narrow.narrow(read(packaged("glinski")), read_cells(json.dumps(data))["narrow"]))
    except Fault as fault:
        return str(fault)
    return ""


@pytest.mark.parametrize("name", ["triangles", "parallelograms", "hexagons"])
def test_the_theorems_hold(name: str) -> None:
    done = CliRunner().invoke(theorem.command, [name], standalone_mode=False)
    assert done.return_value == 0
    assert " ".join(done.stdout.split()).endswith(getattr(proof, name.upper()))


def fault(name: str, data: Any) -> str:
    checked = getattr(proof, name)(json.dumps(data))
    assert not checked
    return str(checked.fault)


@pytest.mark.parametrize("share", [3, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("name", "part"), [("triangles", "triangles"), ("parallelograms", "blocks")])
def test_every_damaged_piece_is_detected(name: str, part: str, share: int) -> None:
    """Damage each piece in four ways; the ordinary run alternates one or two of them."""
    for number, key in enumerate(DATA[part]):
        for damage in ("move", "leave out", "elsewhere", "gone")[number % share :: share]:
            data = json.loads(json.dumps(DATA))
            piece = data[part][key]
            if damage == "move":
                piece[2], piece[7] = piece[7], piece[2]
            elif damage == "leave out":
                piece.pop(3)
            elif damage == "elsewhere":
                piece[5][0] += 20
            else:
                del data[part][key]
            assert fault(name, data)


@pytest.mark.parametrize("share", [2, pytest.param(1, marks=pytest.mark.slow)])
def test_blocks_without_their_edges_are_detected(share: int) -> None:
    """A tour rotated by a half turn visits the same cells, but it seldom contains the edges for joins."""
    noticed = []
    for key, cells in list(DATA["blocks"].items())[::share]:
        data = json.loads(json.dumps(DATA))
        rows, places = ([cell[axis] for cell in cells] for axis in (0, 1))
        data["blocks"][key] = [[min(rows) + max(rows) - i, max(places) - j] for i, j in cells]
        if not (checked := proof.parallelograms(json.dumps(data))):
            assert f"the tour of the block {key.replace('x', ' x ')} has no edge" in checked.fault
            noticed.append(key)
    assert len(noticed) > 15 // share


def test_other_damage_is_detected() -> None:
    for name in ("entrance", "along"):
        data = json.loads(json.dumps(DATA))
        data["four"][name][0][1] += 1
        assert "has no" in fault("parallelograms", data)
    edges = [*(("centre", key) for key in ("left", "entered")), *(("four", key) for key in range(5))]
    edges += [("bent", key) for key in ("entrance", "inward")]
    for part, key in edges:
        data = json.loads(json.dumps(DATA))
        (data["four"]["corner"] if part == "four" else data[part])[key][1][0] += 1
        assert "has no" in fault("hexagons", data)
    for cells in (DATA["bent"]["tour"], *DATA["hexagons"].values()):
        cells[3], cells[9] = cells[9], cells[3]
        assert "no knight's move" in fault("hexagons", DATA)
        cells[3], cells[9] = cells[9], cells[3]
    assert "cannot be read" in fault("triangles", {})
    for side, cut in [("6", [[3, 1]]), ("7", [[20, 20], *DATA["cuts"]["7"]]), ("5", [[9, 9]])]:
        data = json.loads(json.dumps(DATA))
        data["cuts"][side] = cut
        assert "falls into" in fault("triangles", data)
    data = json.loads(json.dumps(DATA))
    data["three"]["apart"] = [[2, 1], [1, 0], [1, 1]]
    assert "a move leads from" in fault("parallelograms", data)
    data["three"] = {"apart": [[0, 0]], "cut": [[0, 2], [2, 2]]}
    assert "on 3 x n" in fault("parallelograms", data)
    data = json.loads(json.dumps(DATA))
    data["open"]["6"].reverse()
    assert proof.triangles(json.dumps(data))
    data["open"]["6"][4:6] = data["open"]["6"][5:3:-1]
    assert "no knight's move" in fault("triangles", data)


def test_hexagons_2_2_c_have_no_tour(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other sets of cells do not show it; an open tour in place of another one is refused."""
    for sets, words in (
        ([narrow.TIGHT[0], [(0, 1, 0), (1, 1, 0), (0, 1, 1)]], "lead to"),
        ([narrow.TIGHT[0], narrow.TIGHT[0]], "overlap"),
        ([[(0, 0, 0), (0, 1, 1), (2, 0, 1)], narrow.TIGHT[1]], "is not on 2, 2, 2"),
    ):
        monkeypatch.setattr(narrow, "TIGHT", sets)
        assert words in narrow_fault(DATA)
        monkeypatch.undo()
    data = json.loads(json.dumps(DATA))
    data["narrow"]["open"]["2,3,5"] = data["narrow"]["open"]["2,3,6"]
    assert "the tour of the hexagon 2,3,5 visits" in narrow_fault(data)
    monkeypatch.setattr(narrow, "ONLY_OPEN", [(2, 3, 5)])
    assert narrow_fault(DATA) == "the hexagon (2, 3, 6) has no cell without moves"
