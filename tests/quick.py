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


#: Beginnings of the names of tests that only `make test` runs: each takes 3 to 8 s of processor time, or
#: compiles kernels that the other tests do not need.
SLOW = (
    "test_engines.py::test_no_engine_returns_a_tour_that_ignores_a_constraint[10x10-words3",
    "test_engines.py::test_no_engine_returns_a_tour_that_ignores_a_constraint[24x24-words1",
    "test_exporting.py::test_the_notebook_is_current",
    "test_find.py::test_a_large_board_with_holes",
    "test_linear.py::test_a_graph_that_is_refuted_has_no_tour",
    "test_proofs.py::test_damaged_proofs_are_rejected",
    "test_startup.py::test_kernels_do_not_load_linear_algebra",
    "test_tours.py::test_a_wrong_tour_in_a_block_is_detected",
)


def files() -> list[str]:
    """Return the paths of the test files."""
    return [str(Path(__file__).with_name(f"test_{name}.py")) for name in STRONG.values()]


def is_quick(test: str) -> bool:
    """Return whether `make quick` runs a test.

    Args:
        test: pytest's name of the test, such as `tests/test_find.py::test_a_large_board_with_holes`.
    """
    file, _, _ = test.partition("::")
    return Path(file).name.removeprefix("test_").removesuffix(".py") in STRONG.values() and not any(
        test.startswith(f"tests/{slow}") for slow in SLOW
    )


if __name__ == "__main__":
    skipped = [f"--deselect=tests/{test}" for test in SLOW]
    sys.exit(pytest.main(["-n", "auto", "--dist", "worksteal", *files(), *skipped, *sys.argv[1:]]))
