"""The state of a session: macro variables, data sets, the listing and the log."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from cavalcade.papers.interpreter.source import Located, SasError
from cavalcade.papers.interpreter.values import Row

Link: TypeAlias = tuple[str, str, float]
#: Maps weighted links to a solution status and the links of the tour.
Solver: TypeAlias = Callable[[list[Link]], tuple[str, list[tuple[str, str]]]]

VARIABLE = re.compile(r"&(\w+)\.?")


@dataclass
class SessionState:
    """The state that statements change.

    Attributes:
        solver: the solver behind PROC OPTGRAPH, OPTNET and OPTNETWORK.
        short_circuit: skip the second side of AND and OR if the first decides.
        variables: macro variables, one mapping for each scope from the global one inwards.
        data: rows of each data set.
        columns: variables of each data set, in order, with the length of a text or 0 for a number.
        listing: lines that the program prints.
        log: lines of the log.
        titles: titles in force, by number.
        pages: pairs of a number of lines in the listing and the titles that are printed there.
    """

    solver: Solver | None = None
    short_circuit: bool = True
    variables: list[dict[str, str]] = field(default_factory=lambda: [{}])
    data: dict[str, list[Row]] = field(default_factory=dict)
    columns: dict[str, dict[str, int]] = field(default_factory=dict)
    listing: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    titles: dict[int, str] = field(default_factory=dict)
    pages: list[tuple[int, list[str]]] = field(default_factory=list)

    def value(self, name: str) -> str:
        """Return the value of a macro variable."""
        for scope in reversed(self.variables):
            if name.lower() in scope:
                return scope[name.lower()]
        raise SasError(f"there is no macro variable {name.upper()}")

    def put(self, name: str, value: str) -> None:
        """Set a macro variable in the innermost scope that has it, or that has any variable."""
        scopes = [scope for scope in self.variables if name.lower() in scope]
        inner = [scope for scope in self.variables[1:] if scope]
        (scopes or inner or self.variables[:1])[-1][name.lower()] = value

    def resolved(self, text: str) -> str:
        """Replace the macro variables in a text by their values."""
        while VARIABLE.search(text):
            text = VARIABLE.sub(lambda match: self.value(match[1]), text)
        return text

    def set_title(self, statement: Located) -> None:
        """Execute TITLE or TITLEn: it replaces the title of its number and removes those below it."""
        match = re.fullmatch(r"title(\d*)\s*(.*)", statement, re.IGNORECASE | re.DOTALL)
        if match is None:
            raise SasError("TITLE is followed by a text", statement)
        level, text = int(match[1] or 1), match[2].strip()
        if text[:1] in {"'", '"'}:
            text = text[1:-1]
        self.titles = {k: title for k, title in self.titles.items() if k < level}
        self.titles |= {level: text} if text else {}

    def new_page(self) -> None:
        """Begin a page of the listing with the titles in force."""
        self.pages.append((len(self.listing), [self.titles[k] for k in sorted(self.titles)]))

    def rows(self, name: str, statement: Located) -> list[Row]:
        """Return the rows of a data set."""
        if name not in self.data:
            raise SasError(f"there is no data set {name.upper()}", statement)
        return self.data[name]

    def columns_of(self, name: str) -> dict[str, int]:
        """Return the variables of a data set, with the length of a text or 0 for a number."""
        rows = self.data[name]
        lengths = {
            key: len(value) if isinstance(value, str) else 0 for key, value in (rows or [{}])[0].items()
        }
        return self.columns.get(name, lengths)

    @property
    def output(self) -> str:
        """The listing with its titles."""
        lines, begin = list[str](), 0
        for end, titles in [*self.pages, (len(self.listing), [])]:
            lines += self.listing[begin:end]
            if titles:
                # an empty line separates a title from the page above it
                lines += [""] * bool(lines and lines[-1]) + titles
            begin = end
        return "".join(f"{line}\n" for line in lines)


def dataset_name(word: str) -> str:
    """Return the key of a data set: in lower case, without the library WORK."""
    return word.lower().removeprefix("work.")
