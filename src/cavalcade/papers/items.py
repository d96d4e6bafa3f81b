"""The parts of a report: items, each with its outcome, boards to show, and corrections of the print.

What a paper states beside its tables is in a file of its own in `data`, item by item, so that here and in the
modules of the papers there is only what is recomputed.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, TypeAlias

from cavalcade.ground.errors import CavalcadeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

Outcome: TypeAlias = "str | bool"  # one of `SAME`, or whether it is the same
#: The possible outcomes of an item.
SAME = {
    "yes": "recomputed as far as stated, and the same",
    "no": "recomputed, and not the same",
    "verified": "checked move by move, and right",
    "refuted": "checked move by move, and wrong",
    "lost": "not legible",
    "answered": "nothing is printed to compare with",
    "slip": "read, and it contradicts itself or cannot run as printed",
}


@dataclass(frozen=True)
class Figure:
    """A board to show: its numbers, with marks, or a drawing.

    Args:
        title: what it is.
        rows: the words to show, row by row; none for a drawing.
        marked: (row, column) and what should stand there.
        ends: (row, column) of the first and the last step, as far as they are on this board.
        wrong: (row, column) of the steps to which no move leads.
        svg: draws it; called for pages only.
    """

    title: str
    rows: list[list[str]]
    marked: Mapping[tuple[int, int], str] = field(default_factory=dict)
    ends: Mapping[tuple[int, int], str] = field(default_factory=dict)
    wrong: frozenset[tuple[int, int]] = frozenset()
    svg: Callable[[], str] | None = None


@dataclass(frozen=True)
class Item:
    """One thing that a paper prints.

    Args:
        name: which table or sentence.
        recomputed: what this package finds.
        same: one of `SAME`, or whether it is the same.
        printed: what the paper has; where it is empty, `section` adds what the paper's data file has.
        why: why not the same, or on what grounds; likewise.
        figures: boards to show.
        section: where in the paper it is.
        values: what stands in the texts of the data file for the names in braces.
    """

    name: str
    recomputed: str = ""
    same: Outcome = "slip"
    printed: str = ""
    why: str = ""
    figures: tuple[Figure, ...] = ()
    section: str = ""
    values: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.outcome not in SAME:
            raise CavalcadeError(f"{self.same!r} is not an outcome, expected one of {', '.join(SAME)}")

    @property
    def outcome(self) -> str:
        """One of `SAME`."""
        return self.same if isinstance(self.same, str) else "yes" if self.same else "no"


def data(name: str) -> str:
    """The text of a data file."""
    return files("cavalcade.papers").joinpath("data", name).read_text(encoding="utf-8")


@cache
def stated(paper: str) -> Mapping[str, Mapping[str, str]]:
    """What a paper states, by item: `printed`, `why` ours differs, `recomputed` for what was only read."""
    return tomllib.loads(data(f"{paper}.toml"))


def item(name: str, same: Outcome = "slip", *, figures: tuple[Figure, ...] = (), **values: object) -> Item:
    """An item whose texts are in the data file of its paper, with these values in them."""
    return Item(name, same=same, figures=figures, values=values)


def section(paper: str, name: str, items: Iterable[Item]) -> list[Item]:
    """The items of a section of a paper, with what its data file has of each."""
    found = []
    for one in items:
        known = stated(paper).get(one.name, {})
        keys = ("printed", "recomputed", "why")
        printed, recomputed, why = (
            getattr(one, key) or known.get(key, "").format(**one.values) for key in keys
        )
        found.append(replace(one, section=name, printed=printed, recomputed=recomputed, why=why))
    return found


@dataclass(frozen=True)
class Correction:
    """One printed number (or word) that cannot stand.

    Args:
        item: the section of the data file, or the place in the text.
        cell: the square, or what is meant.
        printed: what stands there.
        wanted: what should; "-" where nothing legal would do.
        whose: `author`, `scan`, or `either` where that is not known.
        why: the evidence.
    """

    item: str
    cell: str
    printed: str
    wanted: str
    whose: str
    why: str


def sentence(slip: Correction) -> str:
    """A correction in words."""
    whose = {"author": "slip", "scan": "scan", "either": "slip or scan"}[slip.whose]
    wanted = "" if slip.wanted == "-" else f", should be {slip.wanted}"
    return f"({whose}) {slip.item}, {slip.cell}: printed {slip.printed}{wanted}. {slip.why}."


def figures(
    title: str,
    table: Iterable[Iterable[Iterable[str]]],
    marked: Mapping[tuple[int, int, int], str] | None = None,
    *,
    ends: Mapping[tuple[int, int, int], str] | None = None,
    wrong: Iterable[tuple[int, int, int]] = (),
) -> tuple[Figure, ...]:
    """One figure a board of a table; marks are keyed by board, row, column."""
    boards = [[list(row) for row in board] for board in table]
    bad = set(wrong)
    return tuple(
        Figure(
            title if len(boards) == 1 else f"{title}, board {k + 1}",
            board,
            {(r, c): word for (b, r, c), word in (marked or {}).items() if b == k},
            {(r, c): word for (b, r, c), word in (ends or {}).items() if b == k},
            frozenset((r, c) for b, r, c in bad if b == k),
        )
        for k, board in enumerate(boards)
    )
