"""Test a bare installation: introspection, and the commands of the documentation that need no extra.

`make test-wheel` runs it with cavalcade and its requirements alone, without pytest. Arguments select pages. A
command whose output names a missing extra is counted and skipped.
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
    "index", "ten-minutes", "theorems", "find", "prove", "count", "sample", "draw", "puzzles", "families",
    "graphs",
)  # fmt: skip
NEEDS = " -m pip install "


def inspect_package() -> None:
    """Do what an editor, `help` and `import *` do with the package."""
    namespace: dict[str, object] = {}
    exec("from cavalcade import *", namespace)  # noqa: S102 - our own
    assert {*cavalcade.__all__} <= {*namespace}
    members = dict(inspect.getmembers(cavalcade))
    assert {*cavalcade.__all__} <= {*members}
    for name in cavalcade.__all__:
        assert members[name].__doc__, name
    assert "hamiltonian_cycle" in pydoc.render_doc(cavalcade)


def commands(page: str) -> list[tuple[str, str]]:
    """Return the commands of a page with their output."""
    parts = [COMMAND.split(block)[1:] for block in BLOCK.findall(timeless(page))]
    return [pair for part in parts for pair in zip(part[::2], part[1::2], strict=True)]


def main(pages: tuple[str, ...]) -> None:
    """Run the commands of pages; exit with the first difference."""
    inspect_package()
    plain = extra = 0
    for name in pages:
        page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            run = commands(renewed(page, Path(folder)))
        for (command, before), (_, after) in zip(commands(page), run, strict=True):
            if NEEDS in after:
                extra += 1
            elif before != after:
                sys.exit(f"{name}.md: $ {command}\n{after}\ninstead of\n{before}")
            else:
                plain += 1
    assert issubclass(CavalcadeError, ValueError)
    required = importlib.metadata.requires("cavalcade") or []
    optional = {re.split(r"[^\w-]", line)[0] for line in required if "extra ==" in line}
    installed = {package.metadata["Name"].lower() for package in importlib.metadata.distributions()}
    sys.stdout.write(
        f"{plain} commands as on the pages, {extra} that need an extra; "
        f"optional packages: {sorted(optional & installed) or 'none'}\n"
    )


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or PAGES)
