"""One strong test file per room: `make quick` runs them in less than a minute.

A file is strong if it compares the room with an independent method: plain enumeration, a second program, or
published numbers. `tests/test_architecture.py` holds that every room of the package has a file here.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

#: The test file of each room, without `test_` and `.py`.
STRONG = {
    "ground": "ground",
    "boards": "boards",
    "question": "statement",
    "answers": "tours",
    "checking": "proofs",
    "explaining": "linear",
    "cycles": "growing_path",
    "states": "patterns",
    "find": "find",
    "construction": "tile",
    "refute": "linear",
    "counting": "counting_examples",
    "ask": "engines",
    "theorems": "refusals",
    "draw": "draw",
    "formats": "formats",
    "papers": "demaio2020",
    "puzzles": "puzzles",
    "surveys": "exporting",
    "studio": "widget",
    "__init__": "public",
    "cli": "words",
    "__main__": "startup",
}


#: Tests of these files that only `make test` runs: they compile kernels that the others do not need.
COMPILING = (
    "test_find.py::test_a_large_board_with_holes",
    "test_tours.py::test_a_wrong_tour_in_a_block_is_noticed",
)


def files() -> list[str]:
    """Return the paths of the test files."""
    return [str(Path(__file__).with_name(f"test_{name}.py")) for name in STRONG.values()]


if __name__ == "__main__":
    skipped = [f"--deselect=tests/{test}" for test in COMPILING]
    sys.exit(pytest.main(["-n", "auto", "--dist", "worksteal", *files(), *skipped, *sys.argv[1:]]))
