"""What works without any extra: introspection, and the plain commands on the pages.

`make test-wheel` runs it. It needs nothing but cavalcade itself, no pytest either. A command that says which
extra it needs is not plain.
"""

from __future__ import annotations

import importlib.metadata
import inspect
import pydoc
import re
import sys
import tempfile
from pathlib import Path

import cavalcade
from cavalcade.ground.errors import CavalcadeError
from examples import BLOCK, COMMAND, renewed, timeless

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES = (
    "index",
    "ten-minutes",
    "theorems",
    "find",
    "prove",
    "count",
    "sample",
    "draw",
    "puzzles",
    "families",
    "graphs",
)
NEEDS = "is not installed: pip install "


def introspected() -> None:
    """What an editor, `help` and `import *` do with the package."""
    space: dict[str, object] = {}
    exec("from cavalcade import *", space)  # noqa: S102 - our own
    assert {*cavalcade.__all__} <= {*space}
    found = dict(inspect.getmembers(cavalcade))
    assert {*cavalcade.__all__} <= {*found}
    for name in cavalcade.__all__:
        assert found[name].__doc__, name
    assert "hamiltonian_cycle" in pydoc.render_doc(cavalcade)


def said(page: str) -> list[tuple[str, str]]:
    """The commands of a page, each with what it prints."""
    parts = [COMMAND.split(block)[1:] for block in BLOCK.findall(timeless(page))]
    return [pair for part in parts for pair in zip(part[::2], part[1::2], strict=True)]


def main() -> None:
    """Run all; the first difference is shown."""
    introspected()
    plain = extra = 0
    for name in PAGES:
        page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            now = said(renewed(page, Path(folder)))
        for (command, before), (_, after) in zip(said(page), now, strict=True):
            if NEEDS in after:
                extra += 1
            elif before != after:
                sys.exit(f"{name}.md: $ {command}\n{after}\ninstead of\n{before}")
            else:
                plain += 1
    assert issubclass(CavalcadeError, ValueError)
    needed = importlib.metadata.requires("cavalcade") or []
    others = [re.split(r"[^\w-]", one)[0] for one in needed if "extra ==" in one]
    here = sorted({one.metadata["Name"].lower() for one in importlib.metadata.distributions()} & {*others})
    sys.stdout.write(
        f"{plain} commands as on the pages, {extra} that need an extra; beside: {here or 'none'}\n"
    )


if __name__ == "__main__":
    main()
