"""Messages as data: a code and values, with a text for each audience and language.

`data/words/LANGUAGE.json` maps each code to one text, or to a `simple` and an `exact` text. In a text,
`{name}` stands for a value, and `{n|cell|cells}` for a word that depends on a number. Python uses the exact
English text; the studio also receives the codes and values, and its page words them for its audience and
language.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

LANGUAGES = {"en": "English", "de": "Deutsch", "es": "Español"}
PLACEHOLDER = re.compile(r"\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}")


class Said(str):  # noqa: SLOT000 - the attribute needs a dictionary, which pickle handles
    """A message that keeps the codes and values that it was made of.

    Attributes:
        parts: the code and the values of each sentence. A value may be a message.
    """

    parts: tuple[tuple[str, dict[str, Any]], ...]

    def then(self, sentence: str) -> Said:
        """Append a sentence; an empty one changes nothing."""
        return _said(f"{self} {sentence}", self.parts + parts_of(sentence)) if sentence else self


def say(code: str, **values: Any) -> Said:
    """Return the message of a code in exact English."""
    text = catalogue("en")[code]
    exact = text if isinstance(text, str) else text["exact"]

    def filled(match: re.Match[str]) -> str:
        name, single, plural = match.groups()
        if single is not None:
            return str(single if values[name] == 1 else plural)
        return _shown(values[name])

    return _said(PLACEHOLDER.sub(filled, exact), ((code, values),))


def parts_of(message: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    """Return the codes and values of a message; a text without a code is a value of `plain`."""
    return message.parts if isinstance(message, Said) else (("plain", {"text": message}),)


def plain_data(message: str) -> list[Any]:
    """Return the codes and values of a message for JSON."""
    return [
        [code, {name: {"said": plain_data(v)} if isinstance(v, Said) else v for name, v in values.items()}]
        for code, values in parts_of(message)
    ]


@cache
def catalogue(language: str) -> dict[str, Any]:
    """Return the texts of a language by code."""
    from importlib import resources

    path = resources.files("cavalcade").joinpath("data", "words", f"{language}.json")
    texts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return texts


def _said(text: str, parts: tuple[tuple[str, dict[str, Any]], ...]) -> Said:
    message = Said(text)
    message.parts = parts
    return message


def _shown(value: object) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return " or ".join(map(str, value)) if isinstance(value, list) else str(value)
