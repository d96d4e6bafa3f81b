"""The tool that damages the package, `tools/mutation.py`: each mutant is one changed expression."""

from __future__ import annotations

import ast
import sys
import tomllib
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent / "tools"))

import mutation
from quick import STRONG


@pytest.mark.parametrize("name", ["ground/system.py", "surveys/showing.py", "cycles/walking.py"])
def test_each_mutant_is_another_program(name: str) -> None:
    source = (mutation.SOURCE / name).read_text("utf-8")
    tree = ast.dump(ast.parse(source))
    made = list(mutation.mutants(Path(name)))
    assert len(made) > 10
    for mutant in made:
        changed = mutant.applied(source)
        assert ast.dump(ast.parse(changed)) != tree
        different = [a != b for a, b in zip(source.splitlines(), changed.splitlines(), strict=True)]
        assert sum(different) == 1
        assert different[mutant.line - 1]


def test_the_changes_are_small() -> None:
    changes = {
        "a < b": "a <= b", "a == b": "a != b", "a // 10": "a * 10", "not a": "a", "3": "4",
        "a and b": "a or b", "True": "False", "sorted(a, key=b)": "list(a)", "a << 2": "a >> 2",
        "min(a, key=b)": "max(a, key=b)",
    }  # fmt: skip
    for text, expected in changes.items():
        made = mutation.changed(ast.parse(text, mode="eval").body)
        assert made is not None
        assert ast.unparse(made) == expected
    for text in ("a", "'text'", "f(a)", "2.5"):
        assert mutation.changed(ast.parse(text, mode="eval").body) is None


def test_floors_are_of_rooms_and_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A score below its floor fails; `--record` raises a floor, and never lowers one."""
    floors = tomllib.loads(mutation.FLOORS.read_text("utf-8"))["floors"]
    assert floors.keys() <= STRONG.keys()
    assert all(0 <= floor <= 1 for floor in floors.values())
    file = tmp_path / "floors.toml"
    file.write_text("# head\n\n[floors]\nboards = 0.90\nground = 0.50\n", "utf-8")
    monkeypatch.setattr(mutation, "FLOORS", file)
    mutant = next(mutation.mutants(Path("ground/system.py")))
    monkeypatch.setattr(mutation, "survivors", lambda *_: (10, [mutant, mutant]))
    monkeypatch.setattr(sys, "argv", ["mutation.py", "boards", "ground", "--record"])
    assert mutation.main()
    assert file.read_text("utf-8") == "# head\n\n[floors]\nboards = 0.90\nground = 0.80\n"
