"""Print the oldest versions that `pyproject.toml` allows, as constraints for pip, for `make oldest`.

Each requirement of the package and of the group `dev` becomes one line, such as `numpy==2.0`. The packages
that these need in turn have the versions of `constraints.txt`, so that pip has nothing to choose.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from packaging.utils import canonicalize_name

import groups

ROOT = Path(__file__).resolve().parent.parent
#: Packages without a constraint: the oldest distributed and numba require an old version of them.
CHOSEN_BY_OTHERS = {"dask", "llvmlite"}


def oldest(requirements: Iterable[str], pins: Iterable[str]) -> list[str]:
    """Return a constraint for each requirement and for each other package, in alphabetical order.

    Args:
        requirements: requirements with lower bounds, such as `numpy>=2.0`.
        pins: the versions of packages that are usually installed, such as `numpy==2.4`.

    Raises:
        SystemExit: a requirement has no lower bound.
    """
    constraints = {canonicalize_name(pin.partition("==")[0]): pin for pin in pins}
    for requirement in requirements:
        bounded = re.fullmatch(r"([\w.-]+)(?:\[.*\])?>=([\w.]+)", requirement)
        if not bounded:
            sys.exit(f"{requirement} has no lower bound, expected NAME>=VERSION")
        constraints[canonicalize_name(bounded[1])] = f"{bounded[1]}=={bounded[2]}"
    return [pin for name, pin in sorted(constraints.items()) if name not in CHOSEN_BY_OTHERS]


if __name__ == "__main__":
    needed = [*groups.PROJECT["project"]["dependencies"], *groups.requirements(["dev"])]
    pins = re.findall(r"^[\w.-]+==\S+", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    sys.stdout.write("\n".join(oldest(needed, pins)) + "\n")
