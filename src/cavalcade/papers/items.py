"""Data model of a report: items with outcomes, figures, and corrections of the print.

Each paper has two data files. `NAME.txt` contains the printed tables. `NAME.toml` contains the claims of the
paper in its order, one `ItemEntry` per claim. The modules of the papers contain only the recomputations.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from cavalcade.ground.errors import CavalcadeError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

Outcome: TypeAlias = "str | bool"  # a key of `SAME`; True stands for "yes" and False for "no"
#: Outcomes of an item, with their explanation in a report.
SAME = {
    "yes": "recomputed as far as stated, and the same",
    "no": "recomputed, and not the same",
    "verified": "checked move by move, and right",
    "refuted": "checked move by move, and wrong",
    "fitted": "the same, but by a program that was made to fit it",
    "lost": "not legible",
    "answered": "nothing is printed to compare with",
    "slip": "read, and it contradicts itself or cannot run as printed: the paper's own slip",
    "unclear": "read, and one transcription, or what is not printed, leaves it open",
    "skipped": "printed, and not compared",
}
#: The second verdict: the claim as its authors must have meant it.
MEANT = {
    "yes": "holds once slips are corrected and the changes that the paper itself names are made",
    "no": "does not hold even then",
    "open": "nothing to judge: not printed, not legible, or fitted to the print",
}
#: The second verdict where a slip, or a change that the paper names, makes no difference.
AS_PRINTED = {"yes": "yes", "verified": "yes", "no": "no", "refuted": "no", "slip": "yes"}


class ItemEntry(TypedDict, total=False):
    """One claim of a paper, as stored in the TOML file.

    Names in braces in the texts are placeholders for recomputed values. One key selects the method: `by`
    names a function of the paper's module (with the arguments `given`); `table`, `tour` or `summary` names a
    printed table; `expect` lists text that the command must print; `same` states the outcome of a claim that
    was only read.
    """

    name: str
    line: int  # line of the transcription that `obstacles` names
    printed: str
    recomputed: str
    why: str
    command: str  # commands, one per line
    shows: str  # regular expression that selects the output lines to show
    expect: list[str]  # strings that the output must contain
    same: str
    meant: str  # a key of `MEANT`, where the verdict as printed does not imply it
    by: str
    given: list[str | int]
    table: str  # printed table that must equal the numbers in the output
    board: int  # first board of the output to compare, counted from 1
    fitted: bool  # the program of the command was fitted to this table
    tour: str  # printed tour to check move by move
    steps: int  # number of steps of the tour, if it does not visit every cell
    closed: bool  # whether the tour must be closed
    summary: str  # printed summary whose lines must occur in the output
    ours: str  # spec of a board whose closed tour is shown with the item


class PaperData(TypedDict):
    """Contents of a TOML file."""

    story: str  # summary of the results
    obstacles: list[str]  # limits of the reproduction
    transcriptions: dict[str, str]  # SHA-256 digests by the names used in corrections.txt
    pages: list[int]  # first line of each page, if known, and the line after the last page
    sections: dict[str, list[ItemEntry]]


@dataclass(frozen=True)
class Figure:
    """A board of numbers with marks, or a drawing. Cells of a table are counted from 0."""

    title: str
    rows: Sequence[Sequence[str]] = ()  # words to show; empty for a drawing
    first: int = 0  # index of the upper left cell, because a table can have several boards
    corrected: Mapping[int, str] = field(default_factory=dict)  # corrected words by cell
    marks: Mapping[str, Collection[int]] = field(default_factory=dict)  # cells marked first, last or wrong
    svg: Callable[[], str] | None = None  # renders the drawing; called for HTML only


@dataclass(frozen=True)
class Item:
    """Result for one claim. Fields that a recomputation leaves empty are filled from the `ItemEntry`."""

    same: Outcome
    printed: str = ""  # claim of the paper
    recomputed: str = ""  # result of this package
    why: str = ""  # reason for a difference, or grounds of the verdict
    name: str = ""
    place: str = ""  # line of the transcription, and page if known
    command: str = ""  # commands that repeat the computation
    output: str = ""  # selected output of these commands
    shown: bool = False  # the first figures show the same numbers as the output
    figures: tuple[Figure, ...] = ()
    values: Mapping[str, object] = field(default_factory=dict)  # values of the placeholders
    table: Sequence[Sequence[str]] = ()  # rows of words, the first with the column heads
    judged: str = ""  # a key of `MEANT`; empty if `same` implies it

    def __post_init__(self) -> None:
        if self.outcome not in SAME:
            raise CavalcadeError(f"{self.same!r} is not an outcome, expected one of {', '.join(SAME)}")
        if self.meant not in MEANT:
            raise CavalcadeError(f"{self.judged!r} is not a verdict, expected one of {', '.join(MEANT)}")

    @property
    def outcome(self) -> str:
        """The verdict on the claim as printed, a key of `SAME`."""
        return self.same if isinstance(self.same, str) else "yes" if self.same else "no"

    @property
    def meant(self) -> str:
        """The verdict on the claim as meant, a key of `MEANT`."""
        return self.judged or AS_PRINTED.get(self.outcome, "open")

    @property
    def verdicts(self) -> str:
        """Both verdicts in words."""
        return f"printed {self.outcome}, meant {self.meant}"


def item(same: Outcome, figures: tuple[Figure, ...] = (), *, judged: str = "", **values: object) -> Item:
    """Return an item whose texts are in the data file, with values for their placeholders."""
    return Item(same, figures=figures, values=values, judged=judged)


def data(name: str) -> str:
    """Return the text of a data file."""
    return files("cavalcade.papers").joinpath("data", name).read_text(encoding="utf-8")


@cache
def paper_data(paper: str) -> PaperData:
    """Return the claims of a paper by section, in its order."""
    content = tomllib.loads(data(f"{paper}.toml"))
    head = {key: content.pop(key) for key in ("story", "obstacles", "transcriptions", "pages")}
    return {**head, "sections": content}  # type: ignore[typeddict-item]


def entries(paper: str) -> dict[str, ItemEntry]:
    """Return the claims of a paper by name."""
    return {entry["name"]: entry for section in paper_data(paper)["sections"].values() for entry in section}


@dataclass(frozen=True)
class Correction:
    """A printed number or word that must be wrong."""

    item: str  # section of the data file, or place in the text
    cell: str  # square, or another description of the position
    printed: str
    wanted: str  # corrected value, a key of the JSON report; "-" if no legal value exists
    read: str  # transcriptions that contain it; after a comma, other evidence of its origin
    why: str

    @property
    def whose(self) -> str:
        """Origin by the rule in the data file: `author`, `scan`, or `either` if unknown."""
        names, _, evidence = self.read.partition(", ")
        if evidence == "damage" or evidence.startswith("right "):
            return "scan"
        return "author" if evidence == "words" or len(names.split()) > 1 else "either"

    def __str__(self) -> str:
        correction = "" if self.wanted == "-" else f", should be {self.wanted}"
        return f"{self.item}, {self.cell}: printed {self.printed}{correction}. {self.why}."


def figures(
    title: str,
    boards: Sequence[Sequence[Sequence[str]]],
    corrected: Mapping[int, str] | None = None,
    marks: Mapping[str, Collection[int]] | None = None,
) -> tuple[Figure, ...]:
    """Return one figure per board of a table."""
    titles = [title] if len(boards) == 1 else [f"{title}, board {k}" for k in range(1, len(boards) + 1)]
    first_cells = accumulate((sum(map(len, board)) for board in boards), initial=0)
    return tuple(
        Figure(board_title, board, first, corrected or {}, marks or {})
        for board_title, board, first in zip(titles, boards, first_cells, strict=False)
    )
