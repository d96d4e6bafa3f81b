"""Reports: what is printed, what was recomputed, the same or not, and why not, in the paper's order.

A `Report` is rendered as text, as markdown, or by `papers.page` as one page of HTML with the boards.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cavalcade.ground.errors import CavalcadeError
from cavalcade.papers.items import SAME, section, sentence
from cavalcade.papers.tables import corrections

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cavalcade.papers.items import Correction, Item

FORMATS = ("text", "markdown", "html")


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
        every = [item.outcome for item in self.items]
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

            return page(self.title, self.summary, self.outcomes, self.sections, self.slips)
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
                lines += [f"[{item.outcome}] {item.name}"]
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
        rows = [("item", "same"), *((item.name, item.outcome) for item in self.items)]
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
                lines += ["", f"### {item.name}: {item.outcome}", "", f"The paper: {item.printed}.", ""]
                lines += [f"Here: {item.recomputed}."]
                lines += ["", f"Why: {item.why}."] if item.why else []
        lines += ["", "## Slips and scan damage", ""]
        return "\n".join([*lines, *(f"- {sentence(slip)}" for slip in self.slips)]) + "\n"


def report(paper: str, title: str, sections: Mapping[str, Iterable[Item]]) -> Report:
    """The report of a paper: the items of each section, and the slips of the print."""
    items = [one for name, some in sections.items() for one in section(paper, name, some)]
    return Report(title, tuple(items), tuple(corrections(paper)))
