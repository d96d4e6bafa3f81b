"""Heavy modules are imported only when needed; the tests read `sys.modules`, not a clock."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import cavalcade

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = {"numpy", "numba", "scipy", "networkx", "resvg_py"}


def loaded_by(statement: str) -> set[str]:
    """Return the modules that a new interpreter has imported after a statement."""
    script = f"import sys\n{statement}\nprint('\\n' + ' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_import_loads_nothing() -> None:
    assert loaded_by("import cavalcade").isdisjoint({*HEAVY, "click", "ast"})


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["--version"], ["tour", "--help"], ["reproduce", "--help"], ["studio", "--help"]],
)
def test_help_loads_only_click(arguments: list[str]) -> None:
    loaded = loaded_by(f"from cavalcade.cli import main\nassert main({arguments}) == 0")
    assert "click" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_a_small_tour_compiles_nothing() -> None:
    loaded = loaded_by("from cavalcade.cli import main\nassert main(['tour', '8x8']) == 0")
    assert loaded.isdisjoint(HEAVY - {"numpy"})


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_the_command_starts_no_threads_for_matrices() -> None:
    tour = "sys.argv = ['cavalcade', 'tour', '8x8']\nfrom cavalcade.__main__ import main\nassert main() == 0"
    script = (
        f"import os, sys\n{tour}\nassert 'numpy' in sys.modules\nprint(len(os.listdir('/proc/self/task')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "1"


def test_a_small_proof_loads_no_scipy() -> None:
    loaded = loaded_by("from cavalcade.cli import main\nassert main(['prove', '3x6']) == 1")
    assert loaded.isdisjoint(HEAVY - {"numpy", "rich"})


SMALL = (
    "tour 8x8", "tour 5x6 --open", "tour 3x4", "tour hex:6", "tour coxeter", "tour 20x20x4",
    "tour 6x6 --symmetry quarter-turn", "prove 3x6", "prove 5x5", "prove 3x3 --open", "prove 8x8-a1,b3",
    "count 6x6", "count 6x6 --symmetry", "count 3x10", "list 5x6", "sample 5x6", "fewest turns 6x6",
    "puzzle 6x6", "warnsdorff 8x8", "symmetries 8x8", "draw 8x8-d4 -o board.svg", "theorem glinski",
)  # fmt: skip
WITHOUT = """
import sys
sys.modules |= dict.fromkeys(("numba", "llvmlite", "scipy"))
from cavalcade.cli import main
from cavalcade.ground.kernels import Tier
for words in {}:
    Tier.interpreted = 0  # as in a new process
    assert main(words.split()) in {{0, 1}}, words
"""


def test_small_work_needs_neither_numba_nor_scipy(tmp_path: Path) -> None:
    """Small commands succeed in a process that cannot import them."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT.format(SMALL)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_nothing_is_loaded_after_the_time_limit() -> None:
    statement = "import cavalcade\nfound = cavalcade.tour('200x200-c3,j7', time_limit=0.05)\n"
    loaded = loaded_by(f"{statement}assert found.status == 'undecided'")
    assert "numba" not in loaded
    assert "numba" in loaded_by(statement.replace("0.05", "60"))


MULTIPLIED = """
import numba, numpy
two = numpy.array([[1.0, 2.0], [3.0, 4.0]])
assert numba.njit(lambda a, b: a @ b)(two, two).tolist() == (two @ two).tolist()
"""


def test_kernels_do_not_load_linear_algebra() -> None:
    """Importing it takes a quarter of the load time; other kernels can still compile it afterwards."""
    statement = "import cavalcade\nassert cavalcade.tour('200x200-c3,j7').status == 'found'\n"
    assert "numba" in (loaded := loaded_by(statement))
    assert "scipy.linalg" not in loaded
    assert "scipy.linalg" in loaded_by(statement + MULTIPLIED)


def test_graph_libraries_are_not_imported() -> None:
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
from cavalcade.ground.kernels import compiled

Path("kernel.py").write_text("from helper import scaled\\ndef plain(x):\\n    return scaled(x)\\n")
for factor in (2, 3, 2):
    Path("helper.py").write_text(f"def scaled(x):\\n    return {factor} * x\\n")
    import helper, kernel
    for module in (helper, kernel):  # as in a new process
        importlib.reload(module)
    linecache.clearcache()
    print(compiled(kernel.plain)(7))
"""


def test_a_kernel_is_recompiled_if_a_helper_changes(tmp_path: Path) -> None:
    """The cache of numba checks only the file of the kernel, not of its helpers."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-B", "-c", CHANGED]
    done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True, env=environment)
    assert done.stdout.split() == ["14", "21", "14"]
    assert len(list(tmp_path.rglob("*.nbi"))) == 2, "both versions are cached"


BARE = """
import sys
sys.modules.update(dict.fromkeys({names!r}, None))  # simulate missing packages
from cavalcade import *
import cavalcade, inspect, pydoc
assert {{*cavalcade.__all__}} <= {{name for name, _ in inspect.getmembers(cavalcade)}}
assert "widget" in pydoc.render_doc(cavalcade)
try:
    widget("8x8")
except CavalcadeError as error:
    print(error)
"""


def test_introspection_without_any_extra() -> None:
    names = [
        "anywidget",
        "networkx",
        "pyarrow",
        "pandas",
        "fpdf",
        "resvg_py",
        "PIL",
        "starlette",
        "pyphen",
        "segno",
    ]
    done = subprocess.run(
        [sys.executable, "-c", BARE.format(names=names)], capture_output=True, text=True, check=True
    )
    command = f"{shlex.quote(sys.executable)} -m pip install anywidget"
    assert done.stdout == f"anywidget (extra notebook) is not installed: {command}\n"


def test_words_that_programmers_try() -> None:
    assert cavalcade.Piece("giraffe") == cavalcade.GIRAFFE  # type: ignore[arg-type]
    corner = cavalcade.tour("5x5", open=True, start=(0, 0), end=(4, 4))
    assert isinstance(corner, cavalcade.Found)
    assert (corner.tour.names[0], corner.tour.names[-1]) == ("a5", "e1")
    with pytest.raises(cavalcade.CavalcadeError, match=r"\(8, 0\).*coordinates"):
        cavalcade.tour("8x8", open=True, start=(8, 0))
