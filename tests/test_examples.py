"""The scripts in `examples` run, and commands and Python sessions on the site print what the pages show."""

from __future__ import annotations

import doctest
import re
import runpy
from pathlib import Path

import pytest

from examples import renewed, timeless

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
STARTS = ("index", "ten-minutes", "theorems", "bibliography", "proofs/lines")
TASKS = (
    "find",
    "no-tour",
    "prove",
    "count",
    "sample",
    "draw",
    "puzzles",
    "families",
    "warnsdorff",
    "wrong-turn",
    "closed-by-rule",
    "shards",
    "sas",
    "limits",
    "embedding",
)


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda path: path.stem)
def test_it_runs(
    script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if "networkx" in script.read_text(encoding="utf-8"):
        pytest.importorskip("networkx")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script), run_name="__main__")
    assert capsys.readouterr().out


@pytest.mark.parametrize("name", [*STARTS, *TASKS])
def test_a_page_prints_its_output(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of a page, then its Python session, which reads their files."""
    page = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    assert timeless(renewed(page, tmp_path)) == timeless(page)
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```pycon\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    session = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, None, 0)
    assert doctest.DocTestRunner(verbose=False).run(session).failed == 0
