"""The page without a server, for the site: its files, and what Python answers beforehand.

The page finds tours of boxes itself. From here it has boards of other shapes, proofs that there is no tour,
and numbers of tours: the answers of `studio/answering.py`, by what was asked.
"""

from __future__ import annotations

import json
import re
import shlex
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cavalcade.boards.notation import parse_board
from cavalcade.question.question import Question
from cavalcade.question.statement import statement
from cavalcade.studio.answering import answered
from cavalcade.studio.bundle import folder
from cavalcade.theorems.literature import citations, known_counts

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent.parent
LONGEST = 12  # the sides of rectangles whose proofs are there
SURFACES = ("cylinder", "torus", "mobius", "klein")
KEPT = (  # of what Python says of a board; the rest follows from the question
    "width", "height", "x", "y", "shade", "level", "outline", "labels", "label_size", "panels", "names",
    "edges", "over", "beyond", "grid", "space",
)  # fmt: skip
ROW = re.compile(
    r"^\| `cavalcade count ([^`]+)` \| ([\d,]+) \| ([^|]+) \|[^|]*\|[^|]*\| (.*) \|$", re.MULTILINE
)


def files() -> dict[str, str]:
    """The files of the folder."""
    data = json.dumps(_data(), separators=(",", ":"), ensure_ascii=False)
    return {**folder({"start": _start()}), "data.js": f"globalThis.cavalcade = {data};\n"}


def _ask(ask: str, **words: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answered(json.dumps({"ask": ask, **words}).encode(), lambda _: None))
    if found["type"] == "error":
        raise ValueError(f"{ask} {words}: {found['message']}")
    return found


def _start() -> dict[str, Any]:
    """What the page offers: no boxes of four dimensions, ties it can break itself, text."""
    found = _ask("start")
    found["families"] = [one for one in found["families"] if one[2] < 4]
    return found | {
        "ties": ["first", "last"],
        "formats": {"board": ["text"], "tour": ["text"], "certificate": ["json"]},
    }


def _boards() -> Iterator[str]:
    """The boards of other shapes than boxes."""
    for side in range(2, 13):
        yield f"hex:{side}"
        yield f"triangle:{side + 2}"
    for side in range(1, 9):
        yield f"cube:{side}"
    for kind, m, n in product(SURFACES, range(3, 9), range(3, 9)):
        yield f"{kind}:{m}x{n}"
    for m, n in product(range(3, 9), repeat=2):
        yield f"parallelogram:{m}x{n}"
    for one in _ask("start")["families"]:
        if one[0] != "box" and one[0] not in {"hex", "triangle", "cube", "parallelogram", *SURFACES}:
            yield f"{one[0]}:{one[5]}"
    yield from (
        "hexagon:4,5,6",
        "hexagon:3,4,5",
        "hexagon:5,5,6",
        "surface:1x2x3",
        "surface:2x3x4",
        "surface:3x4x5",
    )


def _refuted() -> Iterator[Question]:
    """Questions whose answer is a theorem's no."""
    rectangles = [f"{m}x{n}" for m, n in product(range(1, LONGEST + 1), repeat=2)]
    boxes = ["x".join(map(str, sides)) for sides in product(range(2, 5), repeat=3)]
    for spec, is_open in product([*rectangles, *boxes, *dict.fromkeys(_boards())], (False, True)):
        if any(not one.exists for one in citations(spec, open=is_open)):
            yield Question.of(spec, open=is_open)


def _data() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for spec in _boards():
        board = _ask("board", question={"board": spec})
        found[f"board {parse_board(spec).spec}"] = {key: board[key] for key in KEPT}
    for question in _refuted():
        said = statement(question)
        proof = _ask("prove", question={"statement": said}, seconds=60)
        if proof["status"] == "impossible":
            found[f"prove {said}"] = proof | {"seconds": 0}
    for line, number, ways, source in ROW.findall((ROOT / "docs" / "counts.md").read_text("utf-8")):
        spec, *more = shlex.split(line)
        piece = more[more.index("--piece") + 1] if "--piece" in more else None
        question = Question.of(spec, piece=piece, open="--open" in more)
        by = f"counted by two methods ({ways})" + (f"; {source}" if source.startswith("OEIS") else "")
        found[f"count {statement(question)}"] = _counted(number, question.kind, by)
    for said, (count, source) in known_counts().items():
        found[f"count {said}"] = _counted(f"{count:,}", said.partition(" ")[0], source)
    return found


def _counted(number: str, kind: str, source: str) -> dict[str, Any]:
    return {
        "status": "counted",
        "message": f"{number} {kind} tours: {source}.",
        "count": number.replace(",", ""),
    }
