"""The theorems proved here, by name: statements, finite checks and proofs."""

from __future__ import annotations

from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from cavalcade.ground.errors import CavalcadeError

if TYPE_CHECKING:
    from cavalcade.theorems.facts import Proved

# By the name of the check: its module, the constant with the statement, and the page with the proof.
THEOREMS = {
    "glinski": ("glinski", "STATEMENT", "glinski"),
    "rectangles": ("rectangles", "STATEMENT", "rectangles"),
    "triangles": ("hexagonal", "TRIANGLES", "glinski"),
    "parallelograms": ("hexagonal", "PARALLELOGRAMS", "glinski"),
    "hexagons": ("hexagonal", "HEXAGONS", "glinski"),
    "boxes": ("boxes", "STATEMENT", "open-boxes"),
    "petersen": ("petersen", "STATEMENT", "petersen"),
    "lines": ("lines", "STATEMENT", "lines"),
}


def theorem(name: str, *, tours: str | None = None) -> Proved:
    """Check the finitely many facts on which the proof of a theorem rests.

    Args:
        name: a name in `THEOREMS`.
        tours: the list of tours to check, as JSON; by default the packaged one.

    Returns:
        The facts that hold, as sentences, and the first one that does not; true if all hold.

    Raises:
        CavalcadeError: unknown name.

    Time: a second or two.

    Examples:
        >>> bool(theorem("triangles"))
        True
    """
    module, _, _ = _row(name)
    result: Proved = getattr(import_module(f"cavalcade.theorems.{module}"), name)(tours)
    return result


def statement(name: str) -> str:
    """The statement of a theorem."""
    module, constant, _ = _row(name)
    return str(getattr(import_module(f"cavalcade.theorems.{module}"), constant))


def proof(name: str) -> str:
    """The page with the proof, as Markdown."""
    return documented(f"{_row(name)[2]}.md")


def documented(page: str) -> str:
    """A page of the documentation as Markdown; the wheel contains it in `cavalcade/docs`."""
    inside = files("cavalcade") / "docs" / page
    docs = Path(__file__).parents[3] / "docs"  # in a source tree
    places = (inside, docs / "proofs" / page, docs / page)
    return next(place for place in places if place.is_file()).read_text(encoding="utf-8")


def _row(name: str) -> tuple[str, str, str]:
    if name not in THEOREMS:
        raise CavalcadeError(f"unknown theorem {name!r}, expected one of {', '.join(THEOREMS)}")
    return THEOREMS[name]
