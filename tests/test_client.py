"""What a project that uses cavalcade sees: its types, and its log."""

from __future__ import annotations

import logging
import re
import shutil
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


# settings for each type checker: an installed package is checked by its types, not line by line
SETTINGS = {
    "mypy": ("mypy.ini", "[mypy]\nstrict = True\n[mypy-cavalcade.*]\nfollow_imports = silent\n"),
    "pyright": ("pyrightconfig.json", '{"typeCheckingMode": "strict"}'),
    "basedpyright": ("pyrightconfig.json", '{"typeCheckingMode": "strict"}'),
}


@pytest.mark.slow
@pytest.mark.parametrize("checker", SETTINGS)
def test_type_checkers_find_the_planted_errors(checker: str, tmp_path: Path) -> None:
    lines = CLIENT.read_text(encoding="utf-8").splitlines()
    planted = {number for number, line in enumerate(lines, 1) if "# error" in line}
    assert len(planted) == 12
    name, settings = SETTINGS[checker]
    (tmp_path / name).write_text(settings, encoding="utf-8")
    (tmp_path / "client.py").write_text("\n".join(lines), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), "client.py"]
    if checker != "mypy":
        if (program := shutil.which(checker)) is None:
            pytest.skip(f"{checker} is not installed")
        command = [program, "--pythonpath", sys.executable, "client.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    found = {int(number) for number in re.findall(r"client\.py:(\d+)(?::\d+)?(?: -|:) error", done.stdout)}
    assert found == planted, done.stdout
