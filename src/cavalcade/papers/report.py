"""Reports: what is printed, what was recomputed, the same or not, and why not, in the paper's order.

A `Report` is rendered as text, as markdown, or by `papers.page` as one page of HTML with the boards.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cavalcade.errors import CavalcadeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

FORMATS = ("text", "markdown", "html")
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
        printed: what stands there.
        recomputed: what this package finds.
        same: one of `SAME`.
        why: why not the same, or on what grounds.
        figures: boards to show.
        section: where in the paper it stands.
    """

    name: str
    printed: str
    recomputed: str
    same: str
    why: str = ""
    figures: tuple[Figure, ...] = ()
    section: str = ""

    def __post_init__(self) -> None:
        if self.same not in SAME:
            raise CavalcadeError(f"{self.same!r} is not an outcome, expected one of {', '.join(SAME)}")


def claim(name: str, printed: str, recomputed: str, *, same: bool, why: str = "") -> Item:
    """An item whose outcome is yes or no."""
    return Item(name, printed, recomputed, "yes" if same else "no", why)


def section(name: str, *items: Item) -> list[Item]:
    """The items of a section of the paper."""
    return [replace(item, section=name) for item in items]


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


@dataclass(frozen=True)
class Report:
    """All items of a paper, in its order, and the slips found in it."""

    title: str
    items: tuple[Item, ...]
    slips: tuple[Correction, ...]

    def __getitem__(self, name: str) -> Item:
        """The item of this name."""
        return {item.name: item for item in self.items}[name]

    @property
    def outcomes(self) -> dict[str, int]:
        """How many items came to what."""
        every = [item.same for item in self.items]
        return {same: every.count(same) for same in SAME if same in every}

    @property
    def sections(self) -> dict[str, list[Item]]:
        """The items by section, in the paper's order."""
        found: dict[str, list[Item]] = {}
        for item in self.items:
            found.setdefault(item.section, []).append(item)
        return found

    @property
    def summary(self) -> str:
        """What was checked and what came out, in three sentences."""

        def many(*outcomes: str) -> int:
            return sum(self.outcomes.get(one, 0) for one in outcomes)

        rest = [f"{n} cannot be read in the transcription" for n in (many("lost"),) if n]
        rest += [f"for {n} the paper prints nothing to compare with" for n in (many("answered"),) if n]
        last = ", and ".join(rest)
        return (
            f"{len(self.items)} tables, figures and statements of the paper were recomputed or checked, each "
            f"in its place below. {many('yes', 'verified')} came out as printed or are right move by move, "
            f"{many('no', 'refuted', 'slip')} did not, and each of these says why. "
            f"{last[:1].upper()}{last[1:]}."
        )

    def render(self, format: str = "text") -> str:  # noqa: A002 - the option's name
        """The report as `text`, `markdown` or `html`.

        Raises:
            CavalcadeError: another format.
        """
        if format not in FORMATS:
            raise CavalcadeError(f"unknown format {format!r}, expected one of {', '.join(FORMATS)}")
        if format == "html":
            from cavalcade.papers.page import page

            return page(self)
        return self.text() if format == "text" else self.markdown()

    @property
    def _counts(self) -> str:
        return "; ".join(f"{n} {same} ({SAME[same]})" for same, n in self.outcomes.items())

    def text(self, width: int = 118) -> str:
        """For a terminal: every item with its details, the slips, then a table of a line an item."""
        lines = [*textwrap.wrap(self.title, width), "", *textwrap.wrap(self.summary, width)]
        for name, items in self.sections.items():
            lines += ["", name, "-" * len(name)]
            for item in items:
                lines += [f"[{item.same}] {item.name}"]
                for label, words in (
                    ("printed", item.printed),
                    ("recomputed", item.recomputed),
                    ("why", item.why),
                ):
                    if words:
                        lines += textwrap.wrap(
                            words, width, initial_indent=f"    {label:<12}", subsequent_indent=" " * 16
                        )
        lines += ["", "Slips and scan damage"]
        for slip in self.slips:
            lines += textwrap.wrap(sentence(slip), width, initial_indent="  - ", subsequent_indent="    ")
        line = "-" * width
        rows = [("item", "same"), *((item.name, item.same) for item in self.items)]
        table = [f"{name:<{width - 10}}{same}" for name, same in rows]
        lines += ["", table[0], line, *table[1:], line, *textwrap.wrap(self._counts, width)]
        return "\n".join(lines) + "\n"

    def markdown(self) -> str:
        """Section by section, an item a paragraph, and a list of the slips."""
        lines = [f"# {self.title}", "", self.summary, ""]
        lines += [
            f"- **{same}**: {SAME[same]}; {count} of {len(self.items)}"
            for same, count in self.outcomes.items()
        ]
        for name, items in self.sections.items():
            lines += ["", f"## {name}"]
            for item in items:
                lines += ["", f"### {item.name}: {item.same}", "", f"The paper: {item.printed}.", ""]
                lines += [f"Here: {item.recomputed}."]
                lines += ["", f"Why: {item.why}."] if item.why else []
        lines += ["", "## Slips and scan damage", ""]
        return "\n".join([*lines, *(f"- {sentence(slip)}" for slip in self.slips)]) + "\n"


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
