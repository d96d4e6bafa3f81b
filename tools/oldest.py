"""Print the oldest versions that `pyproject.toml` allows, as constraints for pip, for `make oldest`.

Each requirement of the package and of its extra `dev` becomes one line, such as `numpy==2.0`. The packages
that these need in turn are not constrained.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def oldest(requirements: Iterable[str]) -> list[str]:
    """Return a constraint for each requirement, in alphabetical order.

    Raises:
        SystemExit: a requirement has no lower bound.
    """
    constraints = set()
    for requirement in requirements:
        bounded = re.fullmatch(r"([\w.-]+)(?:\[.*\])?>=([\w.]+)", requirement)
        if not bounded:
            sys.exit(f"{requirement} has no lower bound, expected NAME>=VERSION")
        constraints.add(f"{bounded[1]}=={bounded[2]}")
    return sorted(constraints)


if __name__ == "__main__":
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    requirements = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    sys.stdout.write("\n".join(oldest(requirements)) + "\n")
