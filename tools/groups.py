"""Print the requirements of dependency groups: `python tools/groups.py dev site`, one line each.

`pip install --group` needs pip 25.1, and Python 3.11 brings an older one. The Makefile passes these lines to
any pip.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).resolve().parent.parent / "pyproject.toml").read_text("utf-8"))


def requirements(names: Iterable[str]) -> list[str]:
    """Return the requirements of groups, deduplicated.

    Raises:
        SystemExit: there is no such group.
    """
    groups = PROJECT["dependency-groups"]
    lines: dict[str, None] = {}
    for name in names:
        if name not in groups:
            sys.exit(f"there is no group {name!r}, only {', '.join(groups)}")
        lines |= dict.fromkeys(groups[name])
    return list(lines)


if __name__ == "__main__":
    sys.stdout.write("\n".join(requirements(sys.argv[1:])) + "\n")
