"""The choices that the page starts with, and files in every format that is written as data."""

from __future__ import annotations

import base64
import json
from importlib import resources
from typing import Any

from cavalcade.answers.certificate import Certificate, from_json
from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.boards.families import FAMILIES
from cavalcade.checking.tours import check
from cavalcade.formats import rendered
from cavalcade.formats.table import BY_NAME, names_of
from cavalcade.ground.errors import CavalcadeError
from cavalcade.ground.wording import LANGUAGES, catalogue
from cavalcade.question.pieces import NAMED
from cavalcade.question.words import POSITIVE, ROWS, TIES, spelling_of
from cavalcade.studio.message import KEYWORDS, Message

THINGS = {"tour": "Tour", "board": "Board", "certificate": "Certificate"}
BOXES = (
    ("box", "flat board", 2, 2, "8x8"),
    ("box", "stack of levels", 3, 3, "3x4x6"),
    ("box", "box of four dimensions", 4, 4, "2x3x4x4"),
)


def start(message: Message) -> dict[str, Any]:
    """Return the choices that the page offers, and its texts in the first of its languages that there is."""
    tags = [str(language)[:2] for language in message.texts("languages")]
    language = next((name for name in tags if name in LANGUAGES), "en")
    families = [
        (name, name, *family.side_count, family.separator, family.example)
        for name, family in FAMILIES.items()
        if name != "box"
    ]
    boxes = [(*row[:4], "x", row[4]) for row in BOXES]
    return {
        "speech": {"language": language, "texts": catalogue(language)},
        "languages": [*LANGUAGES.items()],
        "families": [*boxes, *families],
        "pieces": [(name, f"{a},{b}") for name, (a, b) in NAMED.items()],
        "ties": TIES,
        "formats": {thing: _formats(name) for thing, name in THINGS.items()},
        "options": [(key, spelling_of(name), name) for key, name in KEYWORDS.items()],
        "fields": _fields(),
        "lessons": json.loads(resources.files("cavalcade.data").joinpath("lessons.json").read_text("utf-8")),
    }


def _fields() -> list[dict[str, Any]]:
    """Return the words whose values do not depend on the board: their choices, or none for a number from 1.

    A field may need another word.
    """
    return [
        {
            "key": key,
            "values": row.kind.choices,
            "needs": next((needed for needed in KEYWORDS if f"--{needed}" in row.needs), ""),
        }
        for key, row in ((key, ROWS[name]) for key, name in KEYWORDS.items())
        if row.kind.choices or row.kind is POSITIVE
    ]


def _formats(kind: str) -> list[str]:
    """Return the formats of a kind that are data; npy and cnf are written to files only."""
    return list(names_of(kind))


def file(message: Message) -> dict[str, Any]:
    """Return a tour, a board or a certificate in a format: its bytes, and a name for the file."""
    name, kind = message.text("format"), message.text("thing")
    if kind not in THINGS or name not in _formats(THINGS[kind]):
        raise CavalcadeError(
            f"no {kind[:40]} as {name[:40]!r}, expected one of {', '.join(_formats('Tour'))}"
        )
    thing = _thing(message, kind)
    data, ending = rendered(thing, name), BY_NAME[name].endings[0]
    raw = data if isinstance(data, bytes) else data.encode()
    return {"name": f"cavalcade-{kind}.{ending}", "data": base64.b64encode(raw).decode()}


def _thing(message: Message, kind: str) -> Tour | Board | Certificate:
    """Return the object that a message names, after a check."""
    if kind == "certificate":
        return from_json(message.text("certificate"))
    board = message.board
    if kind == "board":
        return board
    tour = Tour(board, message.cells("walk", board), message.flag("closed"), message.piece)
    checked = check(tour)
    if checked.step is not None or (not checked and len(tour) in {0, board.size}):
        raise CavalcadeError(f"this is not a tour: {checked.message}")
    return tour
