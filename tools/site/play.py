"""The page without a server, for the site: its files, and answers that Python computes at build time.

The page finds tours of boxes by itself. This module provides boards of other shapes, proofs that a board has
no tour, and numbers of tours: the answers of `studio/answering.py`, by question.
"""

from __future__ import annotations

import json
import re
import shlex
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cavalcade.boards.notation import parse_board
from cavalcade.ground.wording import LANGUAGES, catalogue, plain_data, say
from cavalcade.question.question import Question
from cavalcade.question.statement import statement
from cavalcade.studio.answering import answered
from cavalcade.studio.bundle import folder
from cavalcade.theorems.literature import citations, known_counts

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent.parent
LONGEST = 12  # largest side of the rectangles whose proofs are included; more proofs enlarge data.js
SURFACES = ("cylinder", "torus", "mobius", "klein")
KEPT = (  # entries of the description of a board; the page derives the others from the question
    "width", "height", "x", "y", "shade", "level", "outline", "labels", "label_size", "panels", "names",
    "edges", "over", "frame", "beyond", "grid", "space",
)  # fmt: skip
ROW = re.compile(
    r"^\| `(?:cavalcade count )?([^`]+)` \| ([\d,]+) \| (A[^|]*) \|(?:[^|\n]*\|){0,2} ?(.*) \|$", re.MULTILINE
)


def files() -> dict[str, str]:
    """Return the files of the folder by name."""
    data = json.dumps(_data(), separators=(",", ":"), ensure_ascii=False)
    return {**folder({"start": _start()}), "data.js": f"globalThis.cavalcade = {data};\n"}


def _ask(ask: str, **words: object) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(answered(json.dumps({"ask": ask, **words}).encode(), lambda _: None))
    if answer["type"] == "error":
        raise ValueError(f"{ask} {words}: {answer['message']}")
    return answer


def _start() -> dict[str, Any]:
    """Return the options of the page: boxes up to three dimensions, two tie rules, formats of text."""
    offer = _ask("start")
    offer["families"] = [family for family in offer["families"] if family[2] < 4]
    return offer | {
        "ties": ["first", "last"],
        "formats": {"board": ["text"], "tour": ["text"], "certificate": ["json"]},
    }


def _boards() -> Iterator[str]:
    """Yield the boards of other shapes than boxes."""
    for side in range(2, 13):
        yield f"hex:{side}"
        yield f"triangle:{side + 2}"
    for side in range(1, 9):
        yield f"cube:{side}"
    for kind, m, n in product(SURFACES, range(3, 9), range(3, 9)):
        yield f"{kind}:{m}x{n}"
    for m, n in product(range(3, 9), repeat=2):
        yield f"parallelogram:{m}x{n}"
    for family in _ask("start")["families"]:
        if family[0] != "box" and family[0] not in {"hex", "triangle", "cube", "parallelogram", *SURFACES}:
            yield f"{family[0]}:{family[5]}"
    yield from (
        "hexagon:4,5,6",
        "hexagon:3,4,5",
        "hexagon:5,5,6",
        "surface:1x2x3",
        "surface:2x3x4",
        "surface:3x4x5",
    )


def _refuted() -> Iterator[Question]:
    """Yield questions without a tour by a theorem."""
    rectangles = [f"{m}x{n}" for m, n in product(range(1, LONGEST + 1), repeat=2)]
    boxes = ["x".join(map(str, sides)) for sides in product(range(2, 5), repeat=3)]
    for spec, is_open in product([*rectangles, *boxes, *dict.fromkeys(_boards())], (False, True)):
        if any(not theorem.exists for theorem in citations(spec, open=is_open)):
            yield Question.of(spec, open=is_open)


def _data() -> dict[str, Any]:
    records: dict[str, Any] = {
        f"speech {language}": {"language": language, "texts": catalogue(language)}
        for language in LANGUAGES
        if language != "en"
    }
    for spec in _boards():
        board = _ask("board", question={"board": spec})
        records[f"board {parse_board(spec).spec}"] = {key: board[key] for key in KEPT}
    for question in _refuted():
        text = statement(question)
        proof = _ask("prove", question={"statement": text}, seconds=60)
        if proof["status"] == "impossible":
            records[f"prove {text}"] = proof | {"seconds": 0}
    for line, number, ways, source in ROW.findall((ROOT / "docs" / "counts.md").read_text("utf-8")):
        spec, *options = shlex.split(line)
        piece = options[options.index("--piece") + 1] if "--piece" in options else None
        question = Question.of(spec, piece=piece, open="--open" in options)
        origin = f"counted by two methods ({ways})" + (f"; {source}" if source.startswith("OEIS") else "")
        records[f"count {statement(question)}"] = _counted(number, question.kind, origin)
    for text, (count, source) in known_counts().items():
        records[f"count {text}"] = _counted(f"{count:,}", text.partition(" ")[0], source)
    return records


def _counted(number: str, kind: str, source: str) -> dict[str, Any]:
    message = say(f"count.known.{kind}", number=number, source=source)
    return {
        "status": "counted",
        "message": message,
        "said": plain_data(message),
        "count": number.replace(",", ""),
    }
