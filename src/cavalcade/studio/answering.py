"""The table of requests, and the conversion of answers to JSON.

An answer is plain data. An array of numbers becomes `{"int32": ...}` with its bytes in base 64, which the
page reads a hundred times faster than digits.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from cavalcade.ground.errors import CavalcadeError
from cavalcade.ground.wording import Said, plain_data, say
from cavalcade.studio import files, places, tours, walking
from cavalcade.studio.message import Message

ASKS: dict[str, Callable[[Message], dict[str, Any]]] = {
    "start": files.start,
    "board": places.board,
    "mask": places.mask,
    "tour": tours.tour,
    "prove": tours.prove,
    "count": tours.count,
    "puzzle": tours.puzzle,
    "warnsdorff": walking.warnsdorff,
    "finish": walking.finish,
    "check": walking.check,
    "file": files.file,
}


def answered(question: bytes, send: Callable[[bytes], None]) -> bytes:
    """Return the last answer to a question as JSON; `send` receives earlier ones. No exception escapes."""
    try:
        words = json.loads(question)
        name = words.get("ask") if isinstance(words, dict) else None
        if not isinstance(name, str) or name not in ASKS:
            raise CavalcadeError(f"a question is an object whose 'ask' is one of {', '.join(ASKS)}")  # noqa: TRY301
        answer = ASKS[name](Message(words, lambda data: send(_written(data))))
        return _written({"type": "answer", **answer})
    except CavalcadeError as error:
        return _written({"type": "error", "message": error.args[0] if error.args else ""})
    except MemoryError:
        return _written({"type": "error", "message": say("ask.memory")})
    except (ValueError, RecursionError):
        return _written({"type": "error", "message": say("ask.unreadable")})
    except Exception as error:  # noqa: BLE001 - an internal error is one line on the page
        return _written({"type": "error", "message": say("ask.internal", error=type(error).__name__)})


def _written(data: dict[str, Any]) -> bytes:
    _add_codes(data, "message")
    for sentence in data.get("story", ()):
        _add_codes(sentence, "text")
    return json.dumps(data, default=_plain, ensure_ascii=False, allow_nan=False).encode()


def _add_codes(data: dict[str, Any], key: str) -> None:
    """Add the codes and values of a message, by which the page words it."""
    if isinstance(data.get(key), Said):
        data["said"] = plain_data(data[key])


def _plain(value: object) -> object:
    """Convert an array or a NumPy integer for `json`."""
    if isinstance(value, np.ndarray):
        name = {"i": "int32", "f": "float32", "u": "uint8"}[value.dtype.kind]
        return {name: base64.b64encode(np.ascontiguousarray(value, dtype=name).tobytes()).decode()}
    if isinstance(value, np.integer):
        return int(value)
    raise TypeError(f"{type(value).__name__} is not plain data")


def _load(question: dict[str, Any]) -> Callable[[], object]:
    """Return work for an idle worker: answer a question and discard the answer."""
    return lambda: answered(json.dumps(question).encode(), lambda _: None)


LOADS = tuple(
    _load({"ask": ask, "question": {"board": board}})
    for ask, board in (
        ("board", "8x8"),
        ("tour", "8x8"),
        ("prove", "4x4"),
        ("tour", "80x80"),
        ("count", "6x6"),
    )
)
