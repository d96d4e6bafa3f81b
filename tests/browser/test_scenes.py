"""Twelve scenes in four targets: Python's SVG and PDF, the page on the screen, and the printed page.

Each target is cut out at the cells of its board and reduced to a small image, in which letters of different
fonts look alike, while a missing move, sign, number or wall does not.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cavalcade
from cavalcade.draw.board import puzzle_picture
from cavalcade.draw.pdf import pdf
from cavalcade.draw.proof import proof_picture
from cavalcade.draw.styles import STYLES, rgb
from cavalcade.draw.svg import written
from cavalcade.draw.tour import tour_picture
from cavalcade.draw.worksheet import link
from visiting import WIDE, visiting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from cavalcade.draw.shapes import Picture
    from cavalcade.puzzles.kinds import KindName
    from visiting import Page

pytestmark = pytest.mark.browser
playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install --group browser"
)
image = pytest.importorskip("PIL.Image", reason="Pillow is not installed: pip install 'cavalcade[gif]'")
pdfium = pytest.importorskip("pypdfium2", reason="pypdfium2 is not installed: pip install --group browser")

SIDE = 40  # pixels of the reduced images: about five to a cell
# Largest difference of a pixel from that of the SVG, of 255; without one number of an 8x8 board it is 78.
# The PDF has another font, with other digits.
MOST = {"screen": 50, "paper": 50, "pdf": 60}

TOURS = {
    "8x8": "closed tour of 8x8",
    "open": "open tour of 6x6",
    "holes": "closed tour of 8x8-d4,d5,e4,e5",
    "hexagon": "closed tour of hex:5",
    "levels": "closed tour of 3x4x6",
    "cube": "closed tour of cube:3",
    "torus": "closed tour of torus:6x6",
}
PROOFS = {"colours": "5x5", "cut": "4x10", "forced": "3x8"}
PUZZLES: dict[str, tuple[str, KindName | None]] = {"numbers": ("5x6", None), "zip": ("5x5", "zip")}


@pytest.fixture
def visit(chromium: Any, folder: Path) -> Iterator[Any]:
    with visiting(chromium, (*WIDE, "light"), f"{folder.as_uri()}/index.html", offline=True) as opened:
        yield opened


@pytest.mark.parametrize("scene", TOURS)
def test_a_tour_looks_alike_everywhere(visit: Any, scene: str) -> None:
    spec = TOURS[scene]
    page = visit(f"#ask={spec.replace(' ', '+')}")
    page.page.click("#ask-tour")
    page.verdict("found")
    page.open("watch")
    board = cavalcade.board(spec.rpartition(" ")[2])
    closed = spec.startswith("closed")
    assert cavalcade.check(page.tour(), board, open=not closed)
    tour = cavalcade.Tour.from_names(board, page.tour(), closed=closed)
    compare(page, tour_picture(tour, numbers=True))


@pytest.mark.parametrize("scene", PROOFS)
def test_a_proof_looks_alike_everywhere(visit: Any, scene: str) -> None:
    page = visit(f"#board={PROOFS[scene]}")
    page.open("ask")
    page.page.click("#ask-prove")
    page.page.wait_for_selector("#part-why:not([hidden]) .story li")
    page.page.locator(".story li button").last.click()
    certificate = cavalcade.prove(PROOFS[scene]).certificate  # type: ignore[union-attr]
    assert certificate is not None
    compare(page, proof_picture(certificate, legend=False))


@pytest.mark.parametrize("scene", PUZZLES)
def test_a_puzzle_looks_alike_everywhere(visit: Any, scene: str) -> None:
    board, kind = PUZZLES[scene]
    puzzle = cavalcade.puzzle(board, kind=kind, seed=3)
    assert isinstance(puzzle, cavalcade.Puzzle)
    page = visit("#" + link(puzzle, "https://example.org/").partition("#")[2])
    page.open("walk")
    page.page.get_by_label("Show legal moves and their onward moves").uncheck()
    compare(page, puzzle_picture(puzzle))


def compare(page: Page, drawn: Picture) -> None:
    """Assert that the page, on the screen and on paper, and the PDF show the picture as its SVG does."""
    page.page.evaluate("() => { document.querySelector('#knight').style.visibility = 'hidden'; }")
    targets = {
        "screen": image.open(io.BytesIO(page.page.locator("#board").screenshot())),
        "paper": rendered(page.page.pdf()),
        "pdf": rendered(pdf(drawn)),
    }
    blank = page.page.context.new_page()
    blank.set_content(written(drawn, 2))
    expected = reduced(image.open(io.BytesIO(blank.locator("svg").screenshot())))
    blank.close()
    differences = {
        target: np.abs(reduced(picture, expected.shape[0]) - expected).max()
        for target, picture in targets.items()
    }
    assert all(differences[target] <= most for target, most in MOST.items()), differences


def rendered(document: bytes) -> Any:
    """The first page of a PDF, 1.4 pixels to a point."""
    return pdfium.PdfDocument(document)[0].render(scale=1.4).to_pil()


def reduced(picture: Any, height: int = 0) -> NDArray[np.int64]:
    """The rows and columns of a picture that show the cells of a board, as a small image.

    Args:
        picture: an image with one board.
        height: of the small image; by default it has the proportions of the board.
    """
    pixels = np.asarray(picture.convert("RGB")).astype(np.int64) @ [1 << 16, 1 << 8, 1]
    shades = [int.from_bytes(bytes(rgb(shade)), "big") for shade in STYLES["colour"].shades]
    cells = np.isin(pixels, shades)
    sides = []
    for axis in (1, 0):
        counts = cells.sum(axis=axis)
        sides.append(np.flatnonzero(counts > 0.15 * counts.max())[[0, -1]])
    (top, bottom), (left, right) = sides
    box = (int(left), int(top), int(right) + 1, int(bottom) + 1)
    height = height or round(SIDE * (box[3] - box[1]) / (box[2] - box[0]))
    small = picture.convert("RGB").resize((SIDE, height), image.Resampling.BOX, box)
    return np.asarray(small).astype(np.int64)
