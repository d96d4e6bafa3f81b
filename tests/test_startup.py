"""Nothing heavy is loaded before it is needed: what has been imported says more than a stopwatch."""

from __future__ import annotations

import subprocess
import sys

import pytest

import cavalcade

HEAVY = {"numpy", "numba", "scipy", "networkx", "rich", "resvg_py"}


def loaded_by(statement: str) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded after a statement."""
    script = f"import sys\n{statement}\nprint('\\n' + ' '.join({{m.partition('.')[0] for m in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_import_loads_nothing() -> None:
    assert loaded_by("import cavalcade").isdisjoint({*HEAVY, "click"})


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["tour", "--help"], ["reproduce", "--help"]]
)
def test_help_loads_click_alone(arguments: list[str]) -> None:
    loaded = loaded_by(f"from cavalcade.cli import main\nassert main({arguments}) == 0")
    assert "click" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_a_small_tour_compiles_nothing() -> None:
    loaded = loaded_by("from cavalcade.cli import main\nassert main(['tour', '8x8']) == 0")
    assert loaded.isdisjoint(HEAVY - {"numpy"})


def test_every_public_name_is_there() -> None:
    assert all(getattr(cavalcade, name) is not None for name in cavalcade.__all__)
    assert set(cavalcade.__all__) <= set(dir(cavalcade))
    with pytest.raises(AttributeError, match="'horse'"):
        _ = cavalcade.horse
