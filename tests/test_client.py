"""What a project that uses cavalcade sees: its types, and its log."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from pathlib import Path

import pytest

import cavalcade
from cavalcade.ask.engines import ENGINES, NAMES

CLIENT = Path(__file__).parent / "data" / "client.txt"  # no .py, so that no other check reads its errors


def test_type_checkers_know_the_engines() -> None:
    assert tuple(dict.fromkeys(engine.name for engine in ENGINES)) == NAMES


def test_the_logger_tells_what_engines_do(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="cavalcade"):
        verdict = cavalcade.tour("6x6", seed=2)
    *turns, decided = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert decided == ("INFO", f"found: 6x6, by {verdict.method}, seed 2")
    assert [(level, text.partition(",")[0]) for level, text in turns] == [
        ("DEBUG", turn.engine) for turn in verdict.effort
    ]


@pytest.mark.slow
def test_mypy_finds_the_planted_errors(tmp_path: Path) -> None:
    lines = CLIENT.read_text(encoding="utf-8").splitlines()
    planted = {number for number, line in enumerate(lines, 1) if "# error" in line}
    assert len(planted) == 12
    config = tmp_path / "mypy.ini"  # an installed package is checked by its types, not line by line
    config.write_text(
        "[mypy]\nstrict = True\n[mypy-cavalcade.*]\nfollow_imports = silent\n", encoding="utf-8"
    )
    client = tmp_path / "client.py"
    client.write_text("\n".join(lines), encoding="utf-8")
    words = ["--config-file", str(config), "--cache-dir", str(tmp_path / "cache"), str(client)]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *words], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    found = {int(number) for number in re.findall(r"client\.py:(\d+): error", done.stdout)}
    assert found == planted, done.stdout
