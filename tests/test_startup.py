"""Nothing heavy is loaded before it is needed: what has been imported says more than a stopwatch."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import cavalcade

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = {"numpy", "numba", "scipy", "networkx", "rich", "resvg_py"}


def loaded_by(statement: str) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded after a statement."""
    script = f"import sys\n{statement}\nprint('\\n' + ' '.join({{m.partition('.')[0] for m in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_import_loads_nothing() -> None:
    assert loaded_by("import cavalcade").isdisjoint({*HEAVY, "click", "ast"})


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["--version"], ["tour", "--help"], ["reproduce", "--help"], ["studio", "--help"]],
)
def test_help_loads_click_alone(arguments: list[str]) -> None:
    loaded = loaded_by(f"from cavalcade.cli import main\nassert main({arguments}) == 0")
    assert "click" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_a_small_tour_compiles_nothing() -> None:
    loaded = loaded_by("from cavalcade.cli import main\nassert main(['tour', '8x8']) == 0")
    assert loaded.isdisjoint(HEAVY - {"numpy"})


def test_what_would_be_loaded_too_late_is_not_loaded() -> None:
    asked = "import cavalcade\nfound = cavalcade.tour('200x200-c3,j7', time_limit=0.05)\n"
    loaded = loaded_by(f"{asked}assert found.status == 'undecided'")
    assert "numba" not in loaded
    assert "numba" in loaded_by(asked.replace("0.05", "60"))


def test_no_graph_library_is_imported_that_the_caller_has_not() -> None:
    loaded = loaded_by(
        "import numpy, cavalcade\n"
        "ring = numpy.array([(0, 1), (1, 2), (2, 0)])\n"
        "assert cavalcade.hamiltonian_cycle(ring).status == 'found'"
    )
    assert loaded.isdisjoint({"networkx", "rustworkx", "igraph", "scipy", "numba"})


def test_every_public_name_is_there() -> None:
    assert all(getattr(cavalcade, name) is not None for name in cavalcade.__all__)
    assert {name for name in dir(cavalcade) if not name.startswith("__")} == set(cavalcade.__all__)
    with pytest.raises(AttributeError, match="'horse'"):
        _ = cavalcade.horse  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="did you mean 'count'"):
        _ = cavalcade.cuont  # type: ignore[attr-defined]


CHANGED = """
import importlib, linecache
from pathlib import Path
from cavalcade.ground.kernels import Kernel

Path("kernel.py").write_text("from helper import scaled\\ndef plain(x):\\n    return scaled(x)\\n")
for factor in (2, 3, 2):
    Path("helper.py").write_text(f"def scaled(x):\\n    return {factor} * x\\n")
    import helper, kernel
    for module in (helper, kernel):  # as a new process reads them
        importlib.reload(module)
    linecache.clearcache()
    print(Kernel(kernel.plain, uses=[kernel.scaled]).compiled(7))
"""


def test_a_kernel_is_compiled_anew_when_a_helper_changes(tmp_path: Path) -> None:
    """The cache on disk looks at the kernel's own file only."""
    done = subprocess.run(
        [sys.executable, "-B", "-c", CHANGED], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert done.stdout.split() == ["14", "21", "14"]
    assert len(list(tmp_path.rglob("*.nbi"))) == 2, "and it is cached"
