"""The parts of a report: items, each with its outcome, boards to show, and corrections of the print.

A paper has two data files. NAME.txt has its printed tables. NAME.toml has its claims by section, in the
paper's order, each an `ItemEntry`; so in the modules of the papers there is only what is recomputed.
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

Outcome: TypeAlias = "str | bool"  # one of `SAME`, or whether it is the same
#: The possible outcomes of an item.
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


class ItemEntry(TypedDict, total=False):
    """What a data file has about an item; in its texts the names in braces are values that were recomputed.

    How it is recomputed: by a function of the paper's module (`by`, with the arguments `given`); as a printed
    `table`, `tour` or `summary` of the other data file; by what the command must print (`expect`); or it was
    only read, and has an outcome (`same`).
    """

    name: str
    line: int  # of the transcription that `obstacles` name
    printed: str
    recomputed: str
    why: str
    command: str  # lines to type, one below the other
    shows: str  # which lines of the output to show: those where this is found
    expect: list[str]
    same: str
    by: str
    given: list[str | int]
    table: str  # its numbers are to be those of the command's output
    board: int  # of the output, counted from 1; by default as many as the table has, from the first
    fitted: bool  # the command's program was made to fit the table
    tour: str  # to be checked move by move
    steps: int  # of this tour, where it is not every cell
    closed: bool  # this tour is to be closed
    summary: str  # its lines are to be in the command's output
    ours: str  # a board whose closed tour, ours, is shown


class Stated(TypedDict):
    """A data file: what came out in short, what stands in the way, and the entries by section."""

    story: str
    obstacles: list[str]
    transcriptions: dict[str, str]  # the SHA-256 of each, by the letter in corrections.txt
    pages: list[int]  # the first line of each page, where pages are known, and the first line after them
    sections: dict[str, list[ItemEntry]]


@dataclass(frozen=True)
class Figure:
    """A board to show: its numbers, with marks, or a drawing. The cells of a table are counted from 0."""

    title: str
    rows: Sequence[Sequence[str]] = ()  # the words to show; none for a drawing
    first: int = 0  # the cell at the upper left, as a table may have several boards
    wanted: Mapping[int, str] = field(default_factory=dict)  # what should stand on a cell
    marks: Mapping[str, Collection[int]] = field(default_factory=dict)  # cells that are first, last or wrong
    svg: Callable[[], str] | None = None  # draws it; called for pages only


@dataclass(frozen=True)
class Item:
    """One thing that a paper prints; what is not given here is in its `ItemEntry`."""

    same: Outcome
    printed: str = ""  # what the paper has
    recomputed: str = ""  # what this package finds
    why: str = ""  # why not the same, or on what grounds
    name: str = ""
    place: str = ""  # the line of the transcription, and the page
    command: str = ""  # what to type to see it again
    output: str = ""  # what that prints
    shown: bool = False  # the output is the board of numbers in the first figures
    figures: tuple[Figure, ...] = ()
    values: Mapping[str, object] = field(default_factory=dict)  # for the names in braces
    table: Sequence[Sequence[str]] = ()  # evidence in rows of words, first the heads of the columns

    def __post_init__(self) -> None:
        if self.outcome not in SAME:
            raise CavalcadeError(f"{self.same!r} is not an outcome, expected one of {', '.join(SAME)}")

    @property
    def outcome(self) -> str:
        """One of `SAME`."""
        return self.same if isinstance(self.same, str) else "yes" if self.same else "no"


def item(same: Outcome, figures: tuple[Figure, ...] = (), **values: object) -> Item:
    """An item whose texts are in the data file of its paper, with these values in them."""
    return Item(same, figures=figures, values=values)


def data(name: str) -> str:
    """The text of a data file."""
    return files("cavalcade.papers").joinpath("data", name).read_text(encoding="utf-8")


@cache
def stated(paper: str) -> Stated:
    """What a paper states, section by section, in its order."""
    found = tomllib.loads(data(f"{paper}.toml"))
    heads = {key: found.pop(key) for key in ("story", "obstacles", "transcriptions", "pages")}
    return {**heads, "sections": found}  # type: ignore[typeddict-item]


def entries(paper: str) -> dict[str, ItemEntry]:
    """What a paper states, by name."""
    return {one["name"]: one for section in stated(paper)["sections"].values() for one in section}


@dataclass(frozen=True)
class Correction:
    """One printed number (or word) that cannot stand."""

    item: str  # the section of the data file, or the place in the text
    cell: str  # the square, or what is meant
    printed: str
    wanted: str  # "-" where nothing legal would do
    read: str  # the letters of the transcriptions that have it; after a comma, what else decides whose it is
    why: str

    @property
    def whose(self) -> str:
        """`author`, `scan`, or `either` where that is not known, by the rule in the data file."""
        letters, _, more = self.read.partition(", ")
        if more == "damage" or more.startswith("right "):
            return "scan"
        return "author" if more == "words" or len(letters) > 1 else "either"

    def __str__(self) -> str:
        wanted = "" if self.wanted == "-" else f", should be {self.wanted}"
        return f"{self.item}, {self.cell}: printed {self.printed}{wanted}. {self.why}."


def figures(
    title: str,
    boards: Sequence[Sequence[Sequence[str]]],
    wanted: Mapping[int, str] | None = None,
    marks: Mapping[str, Collection[int]] | None = None,
) -> tuple[Figure, ...]:
    """One figure a board of a table."""
    names = [title] if len(boards) == 1 else [f"{title}, board {k}" for k in range(1, len(boards) + 1)]
    firsts = accumulate((sum(map(len, board)) for board in boards), initial=0)
    shown = zip(names, boards, firsts, strict=False)
    return tuple(Figure(name, board, first, wanted or {}, marks or {}) for name, board, first in shown)
