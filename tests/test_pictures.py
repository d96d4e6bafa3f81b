"""Styles, palettes, and pictures as animated SVG, GIF, PDF and TikZ, read by other programs."""

from __future__ import annotations

import io
import math
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import cavalcade
from cavalcade import formats
from cavalcade.answers.certificate import Step, StepProof
from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.checking.rules import RULES
from cavalcade.cli import main
from cavalcade.draw import pen
from cavalcade.draw.pictures import picture
from cavalcade.draw.proof import proof_picture
from cavalcade.draw.shapes import Disc, Letters, Plate, Polyline
from cavalcade.draw.styles import BLUE, PARTS, STYLES, VERMILION, rgb, wheel
from cavalcade.draw.svg import svg
from cavalcade.explaining.rules import SIGNS, meanings
from cavalcade.ground.errors import CavalcadeError, FormatError, TooLargeError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question
from gallery import FOLDER, PAGE, README, SHOWN, commands
from verdicts import proof_of, tour_of

if TYPE_CHECKING:
    from pathlib import Path

    from cavalcade.draw.shapes import Picture

SHAPES = (
    "5x6",
    "6x6-c3,d4",
    "2x3x4",
    "2x2x3x4",
    "hex:4",
    "triangle:7",
    "parallelogram:4x5",
    "hexagon:2,3,4",
    "cylinder:4x5",
    "torus:4x5",
    "mobius:4x5",
    "klein:4x5",
    "cube:2",
    "surface:2x3x4",
)
SIX = ("8x8", "2x4x5", "hex:4", "klein:5x6", "cube:3", "8x8-d4,e4")


def numbered_cells(spec: str, *, closed: bool = True) -> Tour:
    """Return the cells of a board in their order as a walk, since a picture needs no tour."""
    board = parse_board(spec)
    return Tour(board, np.arange(board.size, dtype=np.int32), closed)


def lines(drawn: Picture, role: str) -> list[Polyline]:
    """Return the lines of a role."""
    return [shape for shape in drawn.shapes if isinstance(shape, Polyline) and shape.role == role]


def tiles(drawn: Picture, role: str) -> list[Polyline]:
    """Return the lines of a role that repeat at given places."""
    return [line for line in lines(drawn, role) if line.at]


# ---- colours


def oklab(colour: str, matrix: list[list[float]] | None = None) -> np.ndarray:
    """Convert a colour to Oklab (Ottosson 2020), after an optional matrix over linear RGB."""
    line = np.array(
        [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in np.array(rgb(colour)) / 255]
    )
    if matrix is not None:
        line = np.clip(np.array(matrix) @ line, 0, 1)
    lms = np.cbrt(
        np.array(
            [
                [0.4122214708, 0.5363325363, 0.0514459929],
                [0.2119034982, 0.6806995451, 0.1073969566],
                [0.0883024619, 0.2817188376, 0.6299787005],
            ]
        )
        @ line
    )
    return np.asarray(
        np.array(
            [
                [0.2104542553, 0.7936177850, -0.0040720468],
                [1.9779984951, -2.4285922050, 0.4505937099],
                [0.0259040371, 0.7827717662, -0.8086757660],
            ]
        )
        @ lms
    )


# Matrices over linear RGB, severity 1.0: G. M. Machado, M. M. Oliveira & L. A. F. Fernandes, A
# physiologically-based model for simulation of color vision deficiency, IEEE TVCG 15 (2009).
EYES = {
    "all": None,
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
}


@pytest.mark.parametrize("eyes", EYES)
def test_the_marks_of_proofs_look_different_to_all_eyes(eyes: str) -> None:
    marks = [oklab(colour, EYES[eyes]) for colour in (VERMILION, BLUE, *PARTS)]
    assert min(float(np.hypot.reduce(a - b)) for a, b in combinations(marks, 2)) > 0.07


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("style", ["colour", "dark"])
def test_the_wheel_of_a_tour_is_a_circle_to_all_eyes(style: str, eyes: str) -> None:
    """Steps at least a quarter of the tour apart differ in colour."""
    look = STYLES[style]
    seen = [oklab(wheel(k / 24, look, closed=True), EYES[eyes]) for k in range(24)]
    apart = [
        float(np.hypot.reduce(seen[i] - seen[j]))
        for i, j in combinations(range(24), 2)
        if min(j - i, 24 - j + i) >= 6
    ]
    assert min(apart) > 0.12
    opened = [oklab(wheel(k / 12, look, closed=False), EYES[eyes]) for k in range(13)]
    assert min(float(np.hypot.reduce(a - b)) for a, b in combinations(opened[::3], 2)) > 0.07


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2."""
    line = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (x / 255 for x in rgb(colour))
    ]
    return 0.2126 * line[0] + 0.7152 * line[1] + 0.0722 * line[2]


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of WCAG 2."""
    dark, bright = sorted((luminance(first), luminance(second)))
    return (bright + 0.05) / (dark + 0.05)


def test_text_is_legible_and_holes_are_visible() -> None:
    for name, look in STYLES.items():
        for paper in [look.paper] if look.paper else ["#ffffff", "#0d1117"]:
            assert contrast(look.text, paper) > (4.5 if look.paper or paper == "#ffffff" else 3.5), name
        assert contrast(look.digits, look.disc) > 7
        if look.board:
            assert all(contrast(look.hole, shade) > 1.5 for shade in look.shades[:2]), name


# ---- styles


@pytest.mark.parametrize("spec", SHAPES)
def test_every_style_draws_every_shape(spec: str) -> None:
    for closed in (True, False):
        tour = numbered_cells(spec, closed=closed)
        for style, look in STYLES.items():
            drawn = picture(tour, style=style)
            shapes = drawn.shapes
            roles = {shape.role for shape in shapes}
            assert ("cells" in roles) is look.board
            assert ("move" in roles) is look.line
            assert ("number" in roles) is look.numbers
            steps = [shape for shape in shapes if shape.role == "move"]
            assert len(steps) == (tour.board.size - (not closed)) * look.line
            for shape in shapes:
                assert inside(shape, drawn.width, drawn.height), (spec, style, shape)


def inside(shape: object, width: float, height: float) -> bool:
    """Return whether a shape lies on the sheet."""
    if isinstance(shape, Polyline):
        corners = [place for run in shape.drawn() for place in run]
    elif isinstance(shape, Disc):
        corners = [(shape.x - shape.r, shape.y - shape.r), (shape.x + shape.r, shape.y + shape.r)]
    elif isinstance(shape, Plate):
        corners = [(shape.x, shape.y), (shape.x + shape.wide, shape.y + shape.high)]
    else:
        assert isinstance(shape, Letters)
        wide = pen.text_width(shape.text, shape.size)
        start = shape.x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor]
        corners = [(start, shape.y - 0.36 * shape.size), (start + wide, shape.y + 0.36 * shape.size)]
    slack = 1.0
    return all(-slack <= x <= width + slack and -slack <= y <= height + slack for x, y in corners)


@pytest.mark.parametrize("spec", ["3x4x4x4", "2x2x3x4", "4x8x8"])
@pytest.mark.parametrize("numbers", [False, True])
def test_badges_do_not_overlap(spec: str, *, numbers: bool) -> None:
    badges = [badge for badge in picture(tour_of(spec), numbers=numbers).shapes if badge.role == "badge"]
    plates = np.array(
        [
            (badge.x, badge.y, badge.x + badge.wide, badge.y + badge.high)
            for badge in badges
            if isinstance(badge, Plate)
        ]
    )
    assert len(plates) > 10
    overlap = np.minimum(plates[:, None, 2:], plates[None, :, 2:]) - np.maximum(
        plates[:, None, :2], plates[None, :, :2]
    )
    overlaps = (overlap.clip(0).prod(axis=2) > 0.15 * (plates[0, 2:] - plates[0, :2]).prod()).sum() - len(
        plates
    )
    assert overlaps / len(plates) < 0.01


def test_in_space_levels_stand_one_above_another() -> None:
    tour = tour_of("3x4x4", open=True)
    drawn = picture(tour, view="space")
    assert "badge" not in {shape.role for shape in drawn.shapes}
    heights = np.array([y for _, y in drawn.route])
    levels = tour.coords[:, 0]
    assert heights[levels == 2].max() < heights[levels == 1].min()
    assert heights[levels == 1].max() < heights[levels == 0].min()
    assert sorted(shape.step for shape in lines(drawn, "move")) == list(range(1, 48))
    for spec in ("8x8", "hex:3", "torus:4x4", "cube:2"):
        with pytest.raises(CavalcadeError, match="the view in space is for boxes of 3 or more dimensions"):
            svg(numbered_cells(spec), view="space")
    with pytest.raises(CavalcadeError, match="unknown view 'side', expected one of flat, space"):
        svg(tour, view="side")


def test_a_stuck_walk_shows_its_end_and_the_unvisited_cells() -> None:
    walk = Tour.from_names(Board.box(5, 5), ["a1", "b3", "c1", "a2", "b4"], closed=False)
    assert "stuck" not in walk.svg()
    board = Board.box(3, 3)
    stuck = Tour.from_names(board, ["a1", "b3", "c1", "a2", "c3", "b1", "a3", "c2"], closed=False)
    text = stuck.svg(legend=True)
    assert ">walk of 3x3, 8 of 9 cells, knight, stuck on c2</title>" in text
    assert text.count('class="stuck"') == 2
    assert text.count('class="unvisited"') == 1
    assert "One cell is not visited." in text
    assert 'class="end"' not in text
    for closed in (True, False):
        assert "unvisited" not in numbered_cells("4x4", closed=closed).svg()


def test_arrows_show_the_direction() -> None:
    tour = tour_of("5x6")
    assert [svg(tour, arrows=arrows).count('class="arrow"') for arrows in (None, True, False)] == [1, 30, 0]
    assert 'class="arrow"' not in svg(tour, style="lines")
    (head,) = lines(picture(tour), "arrow")
    (tip, back, _, other), (start, after) = head.runs[0], picture(tour).route[:2]
    assert math.dist(tip, after) < math.dist(back, after)
    assert math.dist(tip, start) > math.dist(back, start)
    assert math.dist(tip, back) > 1.5 * math.dist(back, other)  # no side looks like the tip


def test_giraffe_lines_are_thinner_than_knights() -> None:
    wide = []
    for cells, name in (([0, 13], "knight"), ([0, 15], "giraffe")):
        walk = np.array(cells, dtype=np.int32)
        tour = Tour(Board.box(11, 11), walk, closed=False, piece=cavalcade.piece(name))
        wide.append(lines(picture(tour), "move")[0].width)
    assert wide[1] < 0.65 * wide[0]


def test_a_proof_has_its_sentences_and_a_legend() -> None:
    certificate = proof_of("4x10")
    text = certificate.svg()
    words = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", text))
    assert "removed" in words
    assert "So there is no closed tour of 4x10." in words
    assert "Remove b3, d3, f3" in re.sub(
        r"\s+", " ", re.findall(r"<desc[^>]*>(.*?)</desc>", text, re.DOTALL)[0]
    )
    assert "removed" not in "".join(re.findall(r"<text[^>]*>([^<]*)</text>", certificate.svg(legend=False)))
    assert 'fill="#d55e00"' in text
    assert 'fill="#d55e00"' not in certificate.svg(style="plain")
    assert lines(proof_picture(certificate), "cross")  # removed cells are crossed out, others are not
    assert not lines(proof_picture(proof_of("5x5")), "cross")


def test_holes_inside_are_pits_and_the_frame_follows_the_rest() -> None:
    whole = picture(parse_board("8x8-d4,a8,a7,h1"))
    (holes,), (frame,) = tiles(whole, "hole"), lines(whole, "frame")
    assert len(holes.at) == 1
    length = sum(math.dist(*run) for run in frame.runs)
    assert length == pytest.approx(
        20 * (4 * 8 + 4)
    )  # removed corners keep the length of the frame, a hole adds its four sides
    assert not tiles(picture(parse_board("hex:4-d1")), "hole")
    assert tiles(picture(parse_board("hex:4-d4")), "hole")


# ---- sizes


def pixels(data: bytes) -> tuple[int, int]:
    """Return the width and the height of a PNG."""
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def test_the_size_of_png_follows_the_board() -> None:
    pytest.importorskip("resvg_py")
    from cavalcade.draw.png import png

    assert max(pixels(png(Board.box(3, 3)))) < 800
    assert max(pixels(png(Board.box(8, 8)))) in range(1400, 1601)
    assert max(pixels(png(numbered_cells("50x50")))) == 1600
    numbered = picture(numbered_cells("60x60"), numbers=True)  # digits need 7 pixels
    assert numbered.width * numbered.scale(None, full=1600, nice=8, tall=7) > 2400
    tour = numbered_cells("40x40", closed=False)
    forward, backward = (png(way, style="numbers", size=200) for way in (tour, tour.reversed()))
    assert forward == backward  # at 5 pixels a cell numbers are omitted
    assert max(pixels(png(numbered_cells("5x5"), size=77))) == 77


# ---- sheets


def test_a_list_is_a_sheet(tmp_path: Path) -> None:
    tours = [numbered_cells("5x6", closed=bool(k % 2)) for k in range(7)]
    text = formats.write(tours, "svg")
    root = ET.fromstring(text)  # noqa: S314 - ours
    assert text.count('class="start"') == 7
    assert [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")][-1] == "7"
    formats.save(tours, tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text() == text
    assert formats.write(tours[:1], "svg") == formats.write(tours[0], "svg")
    for pictures, format_ in ((tours, "text"), ([], "svg"), (tours, "gif")):
        with pytest.raises(
            FormatError, match=f"a list of {len(pictures)} makes a sheet of pictures. Pictures: svg png pdf"
        ):
            formats.save(pictures, tmp_path / "b", format_)
    with pytest.raises(TooLargeError, match="90 pictures have 324,000 cells"):
        formats.write([numbered_cells("60x60")] * 90, "svg")


def test_pictures_of_a_sheet_lie_beside_one_another() -> None:
    from cavalcade.draw.sheet import grid

    small = picture(Board.box(8, 8))
    (frame,) = lines(small, "frame")
    sheet = grid([small] * 9, "nine")
    places = np.array([shape.runs[0] for shape in lines(sheet, "frame")])
    corners = places[:, 0]
    assert np.allclose(places - corners[:, None], np.array(frame.runs[0]) - frame.runs[0][0])
    apart = np.abs(corners[:, None] - corners).max(axis=2)
    assert (apart + small.width * np.eye(9) >= small.width).all()
    assert inside(lines(sheet, "frame")[-1], sheet.width, sheet.height)


# ---- moving pictures


def test_animated_svg_shows_each_move_in_its_step() -> None:
    tour = tour_of("5x6")
    text = svg(tour, animate=True)
    assert "<script" not in text
    root = ET.fromstring(text)  # noqa: S314 - ours
    delays = [float(e.get("style", "")[4:]) for e in root.iter() if e.get("class") == "move"]
    assert delays == list(range(1, 31))
    assert "@media (prefers-reduced-motion:no-preference){" in text
    style = text[text.index("<style>") : text.index("</style>")]
    assert style.index("prefers-reduced-motion") < style.index("animation:go")
    assert len(text) < 30_000
    still_paths = [e.get("d") for e in ET.fromstring(svg(tour)).iter() if e.get("class") == "move"]  # noqa: S314
    assert [e.get("d") for e in root.iter() if e.get("class") == "move"] == still_paths
    with pytest.raises(CavalcadeError, match="5x6 does not move: only tours can be animated"):
        svg(Board.box(5, 6), animate=True)


def test_gif_has_a_frame_per_step() -> None:
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    from cavalcade.draw.png import gif

    data = gif(numbered_cells("4x5"), size=160)
    with image.open(io.BytesIO(data)) as moving:
        assert moving.format == "GIF"
        assert max(moving.size) == 160
        assert moving.n_frames == 21
        assert moving.info["loop"] == 0
        shown = []
        for k in (0, 10, 20):
            moving.seek(k)
            shown.append(np.array(moving.convert("L"), dtype=np.int64))
    assert (shown[0] != shown[1]).sum() < (shown[0] != shown[2]).sum()
    with pytest.raises(CavalcadeError, match="does not move"):
        gif(Tour(Board.box(3, 3), np.array([0], dtype=np.int32), closed=False))


# ---- paper


def pages(data: bytes) -> int:
    """Count the pages of a PDF."""
    return len(re.findall(rb"/Type /Page\b", data))


def test_pdf_has_its_pages() -> None:
    pytest.importorskip("fpdf")
    from cavalcade.draw.pdf import pdf

    tours = [numbered_cells("4x5") for _ in range(13)]
    assert pages(pdf(tours)) == 2
    assert pages(pdf(tours, per_page=1)) == 13
    assert pages(pdf(Board.box(5, 5), per_page=6)) == 1
    box = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf(numbered_cells("12x4"), paper="a3"))[0]
    assert {round(float(x)) for x in box} == {842, 1191}
    assert pdf(tours[0]) == pdf(tours[0])
    with pytest.raises(CavalcadeError, match="unknown paper 'b5', expected one of a0, a1"):
        pdf(tours[0], paper="b5")
    with pytest.raises(CavalcadeError, match="0 pictures on a page are too few"):
        pdf(tours[0], per_page=0)
    graph = MoveGraph.from_edges([(0, 1), (1, 2), (2, 0)], labels=["\u03b1", "<b>", "(c"])
    assert pages(pdf(graph)) == 1


def test_tikz_escapes_what_tex_would_read() -> None:
    graph = MoveGraph.from_edges([(0, 1), (1, 2), (2, 0)], labels=["a_b", "50%", "{c}\\d"])
    text = formats.write(graph, "tikz")
    assert all(escaped in text for escaped in (r"{a\_b}", r"{50\%}", r"{\{c\}\textbackslash{}d}"))
    assert text.count("{") == text.count("}")


# ---- other programs


def run_command(*command: object, cwd: Path | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, cwd=cwd, timeout=120
    )
    assert done.returncode == 0, done.stdout[-1500:] + done.stderr[-1500:]
    return done.stdout


def ink(data: bytes) -> float:
    """Return the fraction of a picture that is not white."""
    image = pytest.importorskip("PIL.Image")
    with image.open(io.BytesIO(data)) as opened:
        return float((np.array(opened.convert("L")) < 250).mean())


@pytest.mark.slow
@pytest.mark.parametrize("spec", SIX)
def test_poppler_reads_the_pdf(spec: str, tmp_path: Path) -> None:
    pytest.importorskip("fpdf")
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm is not there")
    tour = tour_of(spec, open=True)
    formats.save(tour, tmp_path / "a.pdf", numbers=True, legend=True)
    run_command("pdftoppm", "-r", "50", "-png", "-singlefile", tmp_path / "a.pdf", tmp_path / "a")
    assert ink((tmp_path / "a.png").read_bytes()) > 0.03
    image = pytest.importorskip("PIL.Image").open(tmp_path / "a.png").convert("L")
    left_edge, top_edge, right_edge, bottom_edge = image.point(lambda grey: 255 * (grey < 250)).getbbox()
    filled = max((right_edge - left_edge) / image.width, (bottom_edge - top_edge) / image.height)
    assert 0.75 < filled < 0.95, "the picture fills its paper but for the margins"
    text = run_command("pdftotext", tmp_path / "a.pdf", "-")
    assert f"open tour of {spec}, knight" in text
    assert {str(k + 1) for k in range(len(tour))} <= set(text.split())


@pytest.mark.slow
@pytest.mark.parametrize("spec", SIX)
def test_latex_reads_tikz(spec: str, tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not there")
    tour = tour_of(spec, open=True)
    formats.save(tour, tmp_path / "tour.tikz", numbers=True)
    (tmp_path / "a.tex").write_text(
        "\\documentclass{article}\\usepackage{tikz}\\pagestyle{empty}\\begin{document}\\noindent\n"
        "\\input{tour.tikz}\n\\end{document}\n"
    )
    run_command("pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex", cwd=tmp_path)
    assert "Overfull" not in (tmp_path / "a.log").read_text(errors="replace")
    run_command("pdftoppm", "-r", "50", "-png", "-singlefile", tmp_path / "a.pdf", tmp_path / "a")
    assert ink((tmp_path / "a.png").read_bytes()) > 0.01


@pytest.mark.slow
@pytest.mark.parametrize("spec", SIX)
def test_chromium_plays_the_animated_svg(spec: str, tmp_path: Path) -> None:
    """The moves appear one after another; with reduced motion they are all visible at once."""
    driver = pytest.importorskip("playwright.sync_api")
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("chromium is not there")
    tour = tour_of(spec, open=True)
    file = tmp_path / "a.svg"
    file.write_text(svg(tour, animate=True, labels=False))
    flags = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
    ]
    with driver.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=flags)
        seen = {}
        for motion in ("no-preference", "reduce"):
            page = browser.new_page(reduced_motion=motion, viewport={"width": 700, "height": 700})
            page.goto(f"file://{file}")
            if motion == "reduce":
                assert page.evaluate("document.getAnimations().length") == 0
                seen["whole"] = visible(page)
                continue
            whole = page.evaluate("document.getAnimations()[0].effect.getTiming().duration")
            for share in (0.0, 0.4, 0.99):
                page.evaluate(
                    f"document.getAnimations().forEach(a => {{a.pause(); a.currentTime = {share * whole}}})"
                )
                seen[str(share)] = visible(page)
        browser.close()
    assert seen["whole"] == seen["0.99"] == len(tour) - 1
    assert seen["0.0"] == 0
    assert 0.3 * len(tour) < seen["0.4"] < 0.6 * len(tour)


def visible(page: object) -> int:
    """Count the visible moves."""
    count: int = page.evaluate(  # type: ignore[attr-defined]
        "[...document.querySelectorAll('.move')].filter(e => +getComputedStyle(e).opacity > 0.5).length"
    )
    return count


# ---- the command line


def test_draw_has_the_options_of_python(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    tour = tour_of("2x4x5", open=True)
    file = tmp_path / "t.json"
    formats.save(tour, file)
    for words, options in (
        ("--style plain --thin", {"style": "plain", "thin": True}),
        ("--view space --legend", {"view": "space", "legend": True}),
        ("--numbers --no-labels --colour #123456", {"numbers": True, "labels": False, "colour": "#123456"}),
        ("--arrows --size 333", {"arrows": True, "size": 333}),
        ("--animate --no-arrows", {"animate": True, "arrows": False}),
    ):
        assert main(["draw", str(file), *words.split()]) == 0
        assert capsysbinary.readouterr().out.decode() == tour.svg(**options)
    certificate = proof_of("4x4")
    formats.save(certificate, tmp_path / "p.proof")
    assert main(["draw", str(tmp_path / "p.proof"), "--style", "dark"]) == 0
    assert capsysbinary.readouterr().out.decode() == certificate.svg(style="dark")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("8x8 --arrows", "not with a board: try cavalcade tour 8x8 --arrows -o tour.svg"),
        ("T --view space", "the view in space is for boxes of 3 or more dimensions, not for 5x6"),
        ("T --colour mauve-ish", "unknown colour 'mauve-ish', expected a colour such as #0072b2, or black"),
        ("T --per-page 3", "--per-page 3 works only with pdf, not with svg: leave it out"),
        ("T --size 30 -o x.pdf", "--size 30 works only with svg, png, gif, not with pdf: leave it out"),
        ("T --animate -o x.png", "--animate works only with svg, gif, not with png: leave it out"),
        ("8x8 -o x.gif", "only tours move: 8x8 cannot be drawn as gif"),
        ("8x8 -o x.bmp", "cannot write 'x.bmp'. Pictures: .svg .png .gif .pdf .tikz"),
        ("8x8 --style lines", "--style lines works only with a tour, not with a board"),
    ],
)
def test_draw_refuses_invalid_options(
    words: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    formats.save(numbered_cells("5x6"), tmp_path / "T")
    assert main(["draw", *words.replace("T ", "./T ").split()]) == 2
    assert message in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["T"]


@pytest.mark.parametrize(
    ("rule", "board", "message"),
    [("nope", "4x4", "there is no rule 'nope'"), ("cut", "6x6", "without 2 cells there are 2 parts")],
)
def test_a_wrong_proof_is_not_drawn(
    rule: str, board: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, picture = tmp_path / "p.proof", tmp_path / "p.svg"
    text = proof_of("4x4").to_json().replace('"cut"', f'"{rule}"').replace("4x4", board)
    file.write_text(text, encoding="utf-8")
    assert main(["draw", str(file), "-o", str(picture)]) == 2
    assert message in capsys.readouterr().err
    assert not picture.exists()


def test_a_step_without_a_meaning_is_not_drawn() -> None:
    certificate = proof_of("4x4")
    wrong = replace(certificate, proof=StepProof((Step("nope", (6, 9)),)))
    with pytest.raises(CavalcadeError, match="there is no rule 'nope'"):
        wrong.svg()


def test_the_gallery_is_current(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Each picture is the output of its command, is small, and is shown once."""
    monkeypatch.chdir(tmp_path)
    for words, into in commands():
        assert main(words) in {0, 1, 3}
        if into:
            (tmp_path / into).write_bytes(capsysbinary.readouterr().out)
    shown = SHOWN.findall(PAGE.read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(path.name for path in FOLDER.iterdir())
    for name in shown:
        picture_ = (FOLDER / name).read_bytes()
        assert picture_ == (tmp_path / name).read_bytes(), f"{name} is not of today: python tests/gallery.py"
        assert len(picture_) < 30_000
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 400_000


@pytest.mark.parametrize(("name", "words"), README.items())
def test_the_pictures_of_the_readme_are_current(name: str, words: str, tmp_path: Path) -> None:
    """All pictures except the board of side 14, which `tests/test_glinski.py` covers."""
    main([*words.split(), "-o", str(tmp_path / "now.svg")])
    assert (tmp_path / "now.svg").read_bytes() == FOLDER.parent.joinpath(f"{name}.svg").read_bytes()


def test_list_makes_a_contact_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "5x6", "-o", str(tmp_path / "all.svg"), "--style", "numbers"]) == 0
    assert (tmp_path / "all.svg").read_text().count(">30</text>") == 8
    pytest.importorskip("fpdf")
    assert main(["list", "5x6", "-o", str(tmp_path / "all.pdf"), "--per-page", "4"]) == 0
    assert pages((tmp_path / "all.pdf").read_bytes()) == 2
    assert main(["list", "5x6", "--per-page", "4"]) == 2
    assert "--per-page 4 is for pictures, and the output is text: try -o FILE.pdf" in capsys.readouterr().err


def test_help_of_draw_loads_nothing_heavy() -> None:
    script = "import sys; from cavalcade.cli import main; main(['draw', '--help']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert {"numpy", "fpdf", "PIL", "resvg_py"}.isdisjoint(done.stdout.split("\n")[-2].split())


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_gives_the_meaning_of_signs(rule: str) -> None:
    assert meanings(rule, Question.of("5x5")).keys() == SIGNS.keys()


def test_the_pen_has_all_letters() -> None:
    text = "ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz 0123456789 .,;:'()-+/=±"
    assert all(pen.strokes(0, 0, letter, 5) for letter in set(text) - {" "})
    assert pen.strokes(0, 0, "ß", 5) == ""
    assert pen.text_width("ab", 10) < pen.text_width("abc", 10)
