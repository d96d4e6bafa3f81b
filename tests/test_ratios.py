"""Recorded benchmark ratios: slower rows are reported."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.append(str(Path(__file__).parent.parent / "benchmarks"))

from rich.table import Table

import claims
import ratios
import run

if TYPE_CHECKING:
    import pytest


def test_ratios_are_drawn_and_slower_rows_are_named(tmp_path: Path) -> None:
    file = tmp_path / "ratios.csv"
    for ratio in (8.0, 8.5, 7.5, 8.0):
        ratios.keep({"a": ratio, "b": ratio}, file)
    ratios.keep({"a": 5.0, "b": 5.5}, file)
    kept = ratios.kept(file)
    assert kept == {"a": [8.0, 8.5, 7.5, 8.0, 5.0], "b": [8.0, 8.5, 7.5, 8.0, 5.5]}
    assert [ratios.slower(row) for row in kept.values()] == [True, False]
    assert ratios.bars(kept["a"]) == "████▅"
    assert ratios.drawn(file).row_count == 2
    assert not ratios.slower([1.0])


def test_the_kept_file_is_read() -> None:
    assert all(ratio > 0 for row in ratios.kept().values() for ratio in row)


def test_each_stated_time_is_on_its_page() -> None:
    """`benchmarks/claims.py` measures the rows; each time on the front page has one."""
    rows = claims.claims()
    pages = {row.page: (claims.ROOT / row.page).read_text(encoding="utf-8") for row in rows}
    assert [row for row in rows if row.text not in pages[row.page]] == []
    front = (claims.ROOT / "README.md").read_text(encoding="utf-8")
    stated = re.findall(r"\d[\d.,]* (?:m?s|seconds|minutes)\b", front)
    measured = " ".join(row.text for row in rows if row.page == "README.md")
    assert [time for time in stated if time not in measured] == []


def test_the_join_engine_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """The benchmarks run with the current API."""
    table = Table("board", "cells", "join", "a cell")
    run.joined(table, "8x8")
    assert table.row_count == 1
    run.large()
    assert "found in" in capsys.readouterr().out
