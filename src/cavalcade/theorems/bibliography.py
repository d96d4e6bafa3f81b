"""The literature on the existence of tours, and the status of each theorem.

`bibliography.toml` lists the publications and says for each what was read. `literature.toml` lists the
theorems: what each states, which publications it cites, and on what its truth rests. A status begins with

- `cited`: the statement is taken from a publication;
- `verified for` a range: the package has decided every board in the range;
- `proved here`: `theorems.proved_here` has a finite check and a proof;
- `proved in Coq`: `formal/` has a proof that Coq checks.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from cavalcade.ground.errors import CavalcadeError

UNPUBLISHED = "we know of no publication of this theorem"


@dataclass(frozen=True)
class Source:
    """A publication.

    Args:
        key: its name in `bibliography.toml`.
        citation: authors, title, where and when.
        read: what was read: `text`, `first pages`, `abstract`, `report` or `title`.
        source: where that was read, and what it says.
    """

    key: str
    citation: str
    read: str
    source: str


@dataclass(frozen=True)
class CitedTheorem:
    """A theorem with its literature.

    Args:
        key: its name in `literature.toml`.
        name: what the theorem is called in a sentence.
        statement: what it states.
        sources: the publications that it cites.
        status: on what its truth rests.
        partly: what the publications are known to settle, if they may not have the whole statement.
        check: the theorem of `theorems.proved_here` whose finite check covers it; "" if none does.
    """

    key: str
    name: str
    statement: str
    sources: tuple[Source, ...]
    status: str
    partly: str = ""
    check: str = ""

    @property
    def citation(self) -> str:
        """The publications in one phrase, with what they settle."""
        cited = "; ".join(source.citation for source in self.sources)
        return f"{cited}: {self.partly}" if self.partly else cited or UNPUBLISHED

    @property
    def basis(self) -> str:
        """The first phrase of the status."""
        return re.split("[;:]", self.status)[0]

    @property
    def as_json(self) -> dict[str, Any]:
        """The entry as JSON data."""
        sources = [vars(source) for source in self.sources]
        return vars(self) | {"sources": sources, "partly": self.partly or None, "check": self.check or None}


@cache
def bibliography() -> Mapping[str, Source]:
    """The publications by key, in the order of their citations."""
    rows = _table("bibliography.toml").items()
    sources = (Source(key, **row) for key, row in rows)
    return {source.key: source for source in sorted(sources, key=_from_surname)}


@cache
def catalogue() -> Mapping[str, CitedTheorem]:
    """The theorems by key."""
    return {
        key: CitedTheorem(key, sources=tuple(bibliography()[cited] for cited in row.pop("cites")), **row)
        for key, row in _table("literature.toml").items()
    }


def matching(text: str) -> list[CitedTheorem]:
    """The theorems with a text in their key, name or check, or in a publication that they cite, in any case.

    Raises:
        CavalcadeError: no theorem matches.

    Examples:
        >>> [entry.key for entry in matching("Schwenk")]
        ['schwenk']
    """
    words = text.casefold().replace("-", "_")
    exact = [entry for entry in catalogue().values() if words in {entry.key, entry.check}]
    entries = exact or [
        entry
        for entry in catalogue().values()
        if any(
            text.casefold() in part.casefold()
            for part in (entry.key, entry.name, entry.check, *(source.citation for source in entry.sources))
        )
    ]
    if not entries or not words.strip():
        raise CavalcadeError(f"no theorem matches {text[:60]!r}: `cavalcade theorem --list` lists them")
    return entries


def _table(name: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads(files("cavalcade.theorems").joinpath(name).read_text(encoding="utf-8"))


def _from_surname(source: Source) -> str:
    """The citation from the surname of its first author on, to sort by."""
    words = source.citation.casefold().split()
    return " ".join(words[next(i for i, word in enumerate(words) if not word.endswith(".")) :])
