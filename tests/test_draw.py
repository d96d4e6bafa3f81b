"""Pictures: each cell and each move is drawn, on all shapes, and the files are valid."""

from __future__ import annotations

import io
import re
import sys
from base64 import b64decode
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ImageColor

from cavalcade import formats
from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.draw.board import FINE
from cavalcade.draw.png import png
from cavalcade.draw.styles import named_colours, rgb, style_of, wheel
from cavalcade.draw.svg import svg as drawn
from cavalcade.ground.errors import CavalcadeError, MissingExtraError, TooLargeError
from cavalcade.question.graph import MoveGraph
from strategies import CLOSED_5X6, claims

if TYPE_CHECKING:
    from pathlib import Path


PNG = b"\x89PNG\r\n\x1a\n"


class Picture:
    """A parsed SVG: its elements by class, and the points of its paths."""

    def __init__(self, svg: str) -> None:
        self.root = ET.fromstring(svg)  # noqa: S314 - our own picture
        self.box = [float(x) for x in self.root.attrib["viewBox"].split()]
        self.parts: dict[str, list[ET.Element]] = {}
        for element in self.root.iter():
            self.parts.setdefault(element.get("class", ""), []).append(element)

    def count(self, name: str, command: str | None = None) -> int:
        """The number of elements of a class, or of a command in their paths."""
        elements = self.parts.get(name, [])
        return len(elements) if command is None else sum(e.attrib["d"].count(command) for e in elements)

    def lines(self, name: str) -> list[list[float]]:
        """The straight lines of a class, as x, y, x, y."""
        paths = "".join(e.attrib["d"] for e in self.parts.get(name, []))
        return [[float(x) for x in line.split()] for line in re.findall(r"M([^M]*)", paths)]


@settings(max_examples=60)
@given(claims(), st.booleans())
def test_every_cell_and_every_move_is_drawn(tour: Tour, numbers: bool) -> None:  # noqa: FBT001
    svg = drawn(tour, numbers=numbers)
    picture = Picture(svg)
    moves = max(len(tour) - 1, 0) + (tour.closed and len(tour) > 1)
    assert picture.count("cells", "z") == tour.board.size
    assert picture.count("move") == moves
    assert picture.count("step" if numbers else "cell") == len(tour)
    halves = picture.lines("move")
    assert moves <= len(halves) <= 2 * moves
    width, height = picture.box[2:]
    assert all(0 <= x <= width and 0 <= y <= height for line in halves for x, y in (line[:2], line[2:]))
    assert svg == drawn(tour, numbers=numbers)
    assert picture.root.attrib["role"] == "img"
    described = picture.root.attrib["aria-labelledby"].split()
    texts = {e.get("id"): e.text for e in picture.root if e.tag.endswith(("title", "desc"))}
    assert list(texts) == described
    assert all(texts.values())


def test_a_closed_tour_is_closed_and_an_open_one_has_two_ends() -> None:
    closed = Picture(drawn(formats.parse(CLOSED_5X6)))
    lines = closed.lines("move")
    assert (closed.count("move"), closed.count("start"), closed.count("end")) == (30, 1, 0)
    assert [line[2:] for line in lines] == [line[:2] for line in [*lines[1:], lines[0]]]
    sizes = {(abs(x - u), abs(y - v)) for x, y, u, v in lines}
    assert sizes == {(20, 40), (40, 20)}
    opened = Picture(drawn(formats.parse(CLOSED_5X6).opened()))
    assert (opened.count("move"), opened.count("start"), opened.count("end")) == (29, 1, 1)


def test_moves_between_levels_have_a_badge_at_both_ends() -> None:
    board = Board.box(2, 3, 4)
    names = ["1:a3", "2:c3", "2:d1", "1:b1"]  # up, along, down
    picture = Picture(drawn(Tour.from_names(board, names, closed=False), font=True))
    assert (picture.count("badge"), picture.count("move"), len(picture.lines("move"))) == (4, 3, 5)
    texts = [element.text for element in picture.root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[-4:] == ["2", "1", "1", "2"]


def test_moves_around_a_surface_go_over_its_edges() -> None:
    torus = parse_board("torus:5x7")
    picture = Picture(drawn(Tour.from_names(torus, ["a5", "f4", "g2"], closed=False)))
    leaves, arrives, inside = picture.lines("move")
    assert leaves[2] < leaves[0]  # a5 to f4 leaves to the left
    assert arrives[2] > arrives[0]  # and arrives from the right
    assert (leaves[3] - leaves[1]) == pytest.approx((leaves[0] - leaves[2]) / 2, abs=0.1)
    assert (abs(inside[0] - inside[2]), abs(inside[1] - inside[3])) == (20, 40)
    boards = [Picture(drawn(parse_board(f"{kind}:4x4"))) for kind in ("torus", "mobius", "klein", "cylinder")]
    dashed = [sum("stroke-dasharray" in edge.attrib for edge in board.parts["frame"]) for board in boards]
    assert dashed == [4, 2, 4, 2]


@pytest.mark.parametrize(
    ("kind", "twisted"), [("torus", False), ("mobius", True), ("klein", True), ("cylinder", False)]
)
def test_arrows_show_how_edges_are_glued(kind: str, *, twisted: bool) -> None:
    """Arrows on the left and right edges agree, or are opposite if the surface has a twist."""
    (heads,) = Picture(drawn(parse_board(f"{kind}:4x6"))).parts["glue"]
    paths = re.findall(r"M([\d.]+) ([\d.]+)l([-\d.]+) ([-\d.]+)", heads.attrib["d"])
    assert len(paths) == (6 if kind in {"torus", "klein"} else 2)
    left_slope, right_slope = (
        float(paths[k][3]) for k in (0, 1)
    )  # slopes of lines from a rear corner to the tip
    assert left_slope < 0
    assert (right_slope > 0) is twisted


def test_plain_graphs_are_circles_or_use_given_positions() -> None:
    graph = MoveGraph.from_edges(
        [(0, 1), (1, 2), (2, 3), (3, 0)], labels=["north", "<east>", "south", "west"]
    )
    tour = Tour(graph, np.arange(4, dtype=np.int32), closed=True)
    circle = Picture(drawn(tour))
    assert (circle.count("move"), circle.count("edges", "M")) == (4, 4)
    assert "&lt;east&gt;" in drawn(tour)
    square = Picture(drawn(tour, positions=[(0, 1), (1, 1), (1, 0), (0, 0)]))
    assert square.lines("move")[0][1] < square.lines("move")[1][3]  # y runs upwards
    assert drawn(graph, numbers=graph.degrees).count(">2</text>") == 4
    with pytest.raises(CavalcadeError, match=r"positions of shape \(1, 2\) do not fit 4 vertices"):
        drawn(tour, positions=[(0, 1)])
    with pytest.raises(CavalcadeError, match="positions are for plain graphs"):
        drawn(Board.box(2, 2), positions=[(0, 1)])


def test_options_of_pictures() -> None:
    tour = formats.parse(CLOSED_5X6)
    bare = drawn(tour, labels=False, colour="red", size=300)
    assert "<text" not in bare
    assert bare.count('stroke="#ff0000"') == 31
    assert drawn(tour, colour="#0AF").count('stroke="#00aaff"') == 31
    with pytest.raises(
        CavalcadeError, match="unknown colour 'reddish', expected a colour such as #0072b2, or black"
    ):
        drawn(tour, colour="reddish")
    assert named_colours() == ImageColor.colormap
    assert drawn(tour, colour="Dark Orange") == drawn(tour, colour="#ff8c00")
    assert drawn(tour, colour="rainbow") == drawn(tour)
    assert 'width="300"' in bare or 'height="300"' in bare
    assert "<text" not in drawn(tour, numbers=True, font=False)
    assert drawn(tour, numbers=True).count("<text") == 30 + 11
    degrees = drawn(Board.hexagon(3), numbers=range(19), labels=False)
    assert degrees.count("<text") == 19
    with pytest.raises(CavalcadeError, match="4 numbers do not fit 5x6, which has 30 cells"):
        drawn(tour.board, numbers=range(4))


def test_pictures_of_large_boards_are_compact_and_of_huge_boards_refused() -> None:
    board = Board.box(120, 120)
    assert board.size > FINE
    svg = drawn(Tour(board, np.arange(board.size, dtype=np.int32), closed=True))
    picture = Picture(svg)
    assert picture.count("cells", "z") == board.size
    moves = re.findall(r"([lhv])", "".join(e.attrib["d"] for e in picture.parts["moves"]))
    assert len(moves) == board.size
    assert len(svg) < 60 * board.size
    with pytest.raises(TooLargeError, match="600x600 has 360,000 cells, and pictures show at most 250,000"):
        drawn(Board.box(600, 600))


def test_a_tour_of_too_many_cells_for_lines_has_a_pixel_for_each() -> None:
    image = pytest.importorskip("PIL.Image")
    random = np.random.default_rng(3)
    board = Board.box(500, 503).without(["c7", "e498"])
    tour = Tour(board, random.permutation(board.size)[:-9].astype(np.int32), closed=True)
    made = image.open(io.BytesIO(png(tour))).convert("RGBA")
    assert made.size == (503, 500)
    (source,) = re.findall(r'href="data:image/png;base64,([^"]*)"', drawn(tour))
    assert b64decode(source) == png(tour)
    for cell in ("c7", "e498"):
        assert made.getpixel((ord(cell[0]) - ord("a"), 500 - int(cell[1:])))[3] == 0
    look, steps = style_of("colour"), random.permutation(len(tour))[:500].tolist()
    for step in [0, len(tour) - 1, *steps]:
        row, column = board.coords[tour.cells[step]].tolist()
        ink = wheel((step * 240 // len(tour) + 0.5) / 240, look, closed=True)
        assert made.getpixel((column, row)) == (*rgb(ink), 255), step
    half = image.open(io.BytesIO(png(tour, size=300))).convert("RGBA")
    assert half.size == (252, 250)
    assert half.getpixel((100, 30)) == made.getpixel((200, 60))
    levels = Tour(Board.box(2, 300, 420), np.arange(252_000, dtype=np.int32), closed=True)
    side_by_side = image.open(io.BytesIO(png(levels, style="plain"))).convert("RGBA")
    assert (side_by_side.size, side_by_side.getpixel((420, 7))[3], side_by_side.getpixel((421, 7))[3]) == (
        (841, 300),
        0,
        255,
    )
    with pytest.raises(CavalcadeError, match="each of one pixel: leave out numbers"):
        drawn(tour, numbers=True)


def test_pictures_save_as_svg_and_png(tmp_path: Path) -> None:
    tour = formats.parse(CLOSED_5X6)
    formats.save(tour, tmp_path / "tour.svg", numbers=True)
    assert (tmp_path / "tour.svg").read_text() == drawn(tour, numbers=True) == tour.svg(numbers=True)
    assert Board.box(5, 6).svg() == drawn(tour.board)
    pytest.importorskip("resvg_py")
    formats.save(tour, tmp_path / "tour.PNG", size=100)
    assert (tmp_path / "tour.PNG").read_bytes().startswith(PNG)
    with_numbers, without = (png(tour, numbers=numbers, size=200) for numbers in (True, False))
    assert with_numbers != without  # also without a font
    assert png(tour.board, size=50).startswith(PNG)
    image = pytest.importorskip("PIL.Image")
    white, clear = (
        image.open(io.BytesIO(png(tour, ground=ground))).convert("RGBA") for ground in (True, False)
    )
    assert (white.getpixel((0, 0)), clear.getpixel((0, 0))[3]) == ((255, 255, 255, 255), 0)
    formats.save(tour, tmp_path / "tour.tex")
    assert (tmp_path / "tour.tex").read_text() == formats.write(tour, "tikz")


def test_without_resvg_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtraError, match=r"pip install resvg-py"):
        png(formats.parse(CLOSED_5X6))
