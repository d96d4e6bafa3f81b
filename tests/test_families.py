"""Families of boards other than boxes: tours, proofs, counts by two methods, pictures and checks."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import cavalcade
from cavalcade import Board, Found, Impossible, MoveGraph, Tour
from cavalcade.boards.families import FAMILIES
from cavalcade.checking import geometry
from cavalcade.counting.classes import classes
from cavalcade.ground.errors import BoardError
from cavalcade.question.question import symmetries
from cavalcade.theorems.literature import theorems
from oracles import edges_of, every_tour, held_karp

EXAMPLES = {name: f"{name}:{family.example}" for name, family in FAMILIES.items() if name != "box"}
BOARDS = (*EXAMPLES.values(), "cube:1", "cube:3-c5", "frame:9x9x3")
LINES = (Path(__file__).parent.parent / "docs" / "command-line.md").read_text(encoding="utf-8")
# boards with their numbers of closed tours
COUNTS = (
    ("triangle:8", 1082),
    ("triangle:7", 0),
    ("parallelogram:4x5", 3),
    ("parallelogram:4x7", 305),
    pytest.param("parallelogram:5x6", 23_106, marks=pytest.mark.slow),
    ("hexagon:2,3,4", 25),
    pytest.param("hexagon:3,3,4", 49_998, marks=pytest.mark.slow),
    ("cube:1", 16),
    ("plus:2", 2),
    ("frame:6x6x3", 9862),
    ("frame:6x6x2", 0),
    ("surface:1x1x2", 19_072),
    ("surface:1x2x2", 1_081_775_104),
)


@pytest.mark.parametrize("spec", BOARDS)
def test_a_tour_or_a_proof_is_found_checked_drawn_and_read_back(spec: str) -> None:
    """The `example` of a family may be a board without a tour."""
    board = cavalcade.board(spec)
    assert board.spec == spec
    verdict = cavalcade.prove(board)
    if isinstance(verdict, Impossible):
        assert verdict.certificate is not None
        assert cavalcade.verify(verdict.certificate)
        assert len(ET.fromstring(verdict.certificate.svg())) > 2  # noqa: S314 - our own picture
        return
    assert isinstance(verdict, Found)
    tour = verdict.tour
    assert cavalcade.check(tour)
    swapped = np.array(tour.cells)
    swapped[[1, 3]] = swapped[[3, 1]]
    assert board.size < 7 or not cavalcade.check(Tour(board, swapped, closed=True))
    picture = ET.fromstring(tour.svg())  # noqa: S314 - our own picture
    assert len(picture) > 2
    for format_ in ("text", "csv", "json", "tour", "wide"):
        from cavalcade.formats import parse

        parsed = parse(cavalcade.write(tour, format_))
        assert parsed.board == board
        assert parsed.names == tour.names


@pytest.mark.parametrize(
    ("spec", "open_"),
    [
        ("triangle:7", True), ("triangle:6", False), ("parallelogram:3x5", False), ("hexagon:3,3,3", False),
        ("plus:1", False), ("plus:3", False), ("plus:3", True), ("plus:5", True), ("frame:7x7x2", False),
    ],
)  # fmt: skip
def test_boards_without_tours_are_refuted(spec: str, open_: bool) -> None:  # noqa: FBT001 - a parameter
    verdict = cavalcade.prove(spec, open=open_)
    assert isinstance(verdict, Impossible)
    assert verdict.certificate is not None
    assert cavalcade.verify(verdict.certificate)
    assert "<svg" in verdict.certificate.svg()


@pytest.mark.parametrize(("spec", "count"), COUNTS)
def test_counts_agree_by_two_methods(spec: str, count: int) -> None:
    """Counts by the frontier, by sets or by listing; classes by Burnside's lemma and by listing."""
    assert cavalcade.count(spec).count == count
    graph = cavalcade.move_graph(spec)
    if graph.size <= 16:
        assert held_karp([graph.neighbours(v).tolist() for v in range(graph.size)]) == count
    if graph.size > 16 and count < 50_000:
        assert len({tour.cells.tobytes() for tour in cavalcade.list_tours(spec)}) == count
    if count < 2_000:
        firsts = sum(1 for _ in cavalcade.list_tours(spec, up_to_symmetry=True))
        assert classes(spec).classes == firsts


def test_a_family_has_its_line_and_the_checkers_own_geometry() -> None:
    """The failure names the part that a new family lacks."""
    assert [name for name in FAMILIES if name not in geometry.FAMILIES] == [], (
        "no geometry in checking/geometry.py"
    )
    assert [name for name in geometry.FAMILIES if name not in FAMILIES] == [], "no line in boards/families.py"
    named = {name: family.name for name, family in FAMILIES.items()}
    assert named == {name: name for name in FAMILIES}, "a line in boards/families.py has another name"
    assert [name for name, family in FAMILIES.items() if "__doc__" not in vars(family)] == [], "no docstring"
    assert [name for name in EXAMPLES if f"`{name}:" not in LINES] == [], "no words in docs/command-line.md"


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_family_has_its_example_and_the_checkers_own_symmetries(name: str) -> None:
    try:
        board = cavalcade.board(EXAMPLES[name])
    except BoardError as error:
        pytest.fail(f"`example` of {FAMILIES[name].__name__} in boards/: {error}")
    for symmetry in symmetries(board)[1:]:
        maps = [cells.tolist() for cells in geometry.maps_called(board, cavalcade.KNIGHT, symmetry.name)]
        assert symmetry.cells.tolist() in maps, (
            f"checking/geometry.py does not have the {symmetry.name} of {board.spec}"
        )


def test_rooks_on_the_surface_of_a_box() -> None:
    """Few tours exist: they are listed, with and without symmetry, and counted by sets."""
    question = cavalcade.Question.of("surface:1x1x2", piece="0,1")
    graph = question.graph
    total = held_karp([graph.neighbours(v).tolist() for v in range(graph.size)])
    assert len({tour.cells.tobytes() for tour in cavalcade.list_tours(question)}) == total == 52
    firsts = sum(1 for _ in cavalcade.list_tours(question, up_to_symmetry=True))
    assert classes(question).classes == firsts == 7


def test_symmetries_of_the_new_shapes() -> None:
    orders = {
        spec: len(symmetries(cavalcade.board(spec))) for spec in ("cube:3", "surface:2x3x3", "surface:2x3x4")
    }
    assert orders == {"cube:3": 48, "surface:2x3x3": 16, "surface:2x3x4": 8}
    orders = {
        spec: len(symmetries(cavalcade.board(spec)))
        for spec in ("triangle:5", "parallelogram:3x4", "hexagon:2,3,4", "plus:2")
    }
    assert orders == {"triangle:5": 6, "parallelogram:3x4": 2, "hexagon:2,3,4": 2, "plus:2": 8}


@pytest.mark.parametrize(
    ("n", "closed", "count"), [(1, True, 0), (1, False, 0), (2, True, 2), (2, False, 184)]
)
def test_greek_crosses_by_walking_every_path(n: int, count: int, *, closed: bool) -> None:
    """The tours of five blocks of squares in a cross, by plain enumeration."""
    squares = [(0, n), (n, 0), (n, n), (n, 2 * n), (2 * n, n)]
    cells = sorted((y + i, x + j) for y, x in squares for i in range(n) for j in range(n))
    steps = [(a, b) for a in range(len(cells)) for b in range(a) if is_knights(cells[a], cells[b])]
    graph = MoveGraph.from_edges(steps, len(cells))
    plain = {edges_of(tour, closed=closed) for tour in every_tour(graph, closed=closed)}
    board = cavalcade.board(f"plus:{n}")
    assert [tuple(coords) for coords in board.coords.tolist()] == cells
    listed = cavalcade.list_tours(board, open=not closed)
    assert {edges_of(tour.cells.tolist(), closed=closed) for tour in listed} == plain
    assert len(plain) == cavalcade.count(board, open=not closed).count == count


@pytest.mark.parametrize(("m", "n", "width"), [(5, 7, 1), (8, 6, 2), (7, 7, 3), (4, 4, 2), (3, 5, 9)])
def test_a_frame_lacks_the_cells_that_lie_deeper_than_its_width(m: int, n: int, width: int) -> None:
    cells = [[i, j] for i in range(m) for j in range(n) if min(i, j, m - 1 - i, n - 1 - j) < width]
    assert cavalcade.board(f"frame:{m}x{n}x{width}").coords.tolist() == cells


def is_knights(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return {abs(a[0] - b[0]), abs(a[1] - b[1])} == {1, 2}


def test_a_regular_hexagon_is_glinskis() -> None:
    hexagon, glinski = (
        cavalcade.move_graph(Board("hexagon", (4, 4, 4))),
        cavalcade.move_graph(Board.hexagon(4)),
    )
    assert np.array_equal(hexagon.indptr, glinski.indptr)
    assert np.array_equal(hexagon.indices, glinski.indices)


def test_a_knight_goes_two_ways_around_a_corner_of_the_box() -> None:
    """An (a, b) leaper has eight moves on a face, and nine or ten near a corner of a cube of side 4."""
    cube = cavalcade.board("cube:4")
    graph = cavalcade.move_graph(cube)
    assert sorted(set(graph.degrees.tolist())) == [8, 9, 10]
    corner = cube.cell("e12")  # the corner of the top that also touches the left and the back face
    assert graph.degrees[corner] == 10


@pytest.mark.parametrize(
    "spec",
    [
        "triangle:0",
        "triangle:3x3",
        "parallelogram:5",
        "cube:2x2",
        "plus:2x2",
        "frame:8x8",
        "surface:3x4",
        "hexagon:4,5",
    ],
)
def test_wrong_sides_are_refused(spec: str) -> None:
    with pytest.raises(BoardError, match=spec.split(":", maxsplit=1)[0]):
        cavalcade.board(spec)


def test_moves_have_no_direction_on_a_box() -> None:
    with pytest.raises(cavalcade.CavalcadeError, match="no direction"):
        cavalcade.tour("cube:3", piece="moves:1,2")


@pytest.mark.parametrize(
    "spec",
    [
        *(f"triangle:{n}" for n in range(1, 13)),
        *(f"parallelogram:{m}x{n}" for m in range(1, 7) for n in range(m, 8)),
        *("hexagon:4,4,4", "hexagon:4,5,6", "hexagon:4,4,7", "hexagon:5,4,6"),
    ],
)
def test_theorems_agree_with_the_engines(spec: str) -> None:
    board = cavalcade.board(spec)
    cited = list(theorems(board, cavalcade.KNIGHT, closed=True))
    if board.size > 1:
        assert [theorem.exists for theorem in cited[:1]] == [cavalcade.prove(board).status == "found"]


@pytest.mark.parametrize("spec", ["triangle:40", "parallelogram:9x31", "hexagon:5,8,13"])
def test_boards_of_hexagonal_cells_are_built_from_blocks(spec: str) -> None:
    board = cavalcade.board(spec)
    first, last = board.names[7], board.names[11]
    closed = cavalcade.tour(board, start=first, construct=True)
    open_ = cavalcade.tour(board, open=True, end=last, construct=True)
    for verdict in (closed, open_):
        assert isinstance(verdict, Found)
        assert verdict.method == "template"
    assert isinstance(closed, Found)
    assert closed.tour.names[0] == first
    assert isinstance(open_, Found)
    assert open_.tour.names[-1] == last


def test_boards_outside_the_theorems_are_not_built() -> None:
    verdict = cavalcade.tour("triangle:7", construct=True)
    assert isinstance(verdict, cavalcade.Undecided)
    assert "no closed tour of triangle:7" in verdict.reason
