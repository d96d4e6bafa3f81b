"""What to write in place of an attribute that a class does not have, such as `.value` of a count."""

from __future__ import annotations

from difflib import get_close_matches
from typing import NoReturn

# names that other libraries use, and the expression that is meant; each class has some of them
MEANT = {
    "value": "count", "total": "count", "number": "count", "result": "count",
    "verify": "certificate", "proof": "certificate", "explanation": "reason", "why": "reason",
    "path": "names", "squares": "names", "moves_list": "moves", "to_numpy": "cells", "array": "cells",
    "draw": "save", "plot": "save", "show": "svg", "picture": "svg", "to_svg": "svg", "write": "save",
    "crossings": "measure", "turns": "measure", "angles": "measure", "length": "measure",
    "symmetry": "measure", "is_closed": "closed", "board_size": "board",
}  # fmt: skip
CALLED = {"save": "save('tour.svg')", "svg": "svg()", "measure": "measure()"}


def no_attribute(item: object, name: str) -> NoReturn:
    """Refuse an attribute, and name a similar attribute of the object or of its tour.

    Raises:
        AttributeError: always.
    """
    kind = type(item).__name__
    if name.startswith("_"):  # of the protocols of Python, as of copies and of Jupyter
        raise AttributeError(f"{kind} has no attribute {name!r}")
    tour = vars(item).get("tour")  # missing while the object is copied
    for place, owner in (("", item), (".tour", tour)):
        names = [key for key in dir(owner) if not key.startswith("_")] if owner is not None else []
        for meant in (name, MEANT.get(name), *get_close_matches(name, names, 1)):
            if meant in names:
                raise AttributeError(
                    f"{kind} has no attribute {name!r}: try {place}.{CALLED.get(meant, meant)}"
                )
    raise AttributeError(f"{kind} has no attribute {name!r}: it has {', '.join(sorted(vars(item)))}")
