"""Exit codes: no failure of Python or of the installation looks like a verdict; see record 0020."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cavalcade.cli import ExitCode, main

COMMAND = [sys.executable, "-m", "cavalcade"]
VERDICT = "impossible: "


def exit_code(*words: str, python: tuple[str, ...] = (), **environment: str) -> int:
    """Run a command with distinct exit codes."""
    command = [COMMAND[0], *python, *COMMAND[1:], *words]
    settings = os.environ | {"CAVALCADE_EXIT_CODES": "distinct"} | environment
    return subprocess.run(command, capture_output=True, check=False, env=settings).returncode


def test_verdicts_have_codes_of_their_own(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("1 2\n3 4\n", encoding="ascii")
    assert exit_code("tour", "3x3") == exit_code("check", str(wrong)) == ExitCode.REFUTED
    assert exit_code("tour", "3x3", CAVALCADE_EXIT_CODES="0.2") == ExitCode.IMPOSSIBLE
    assert exit_code("tour", "3x3", CAVALCADE_EXIT_CODES="new") == ExitCode.BAD_INPUT


def test_a_broken_installation_is_no_verdict(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise ImportError('no click')\n", encoding="ascii")
    (tmp_path / "numpy.py").write_text("raise RuntimeError('no numpy')\n", encoding="ascii")
    assert exit_code("tour", "3x3", PYTHONPATH=str(tmp_path)) == ExitCode.INTERNAL
    (tmp_path / "click.py").unlink()
    assert exit_code("tour", "6x6", "--json", PYTHONPATH=str(tmp_path)) == ExitCode.INTERNAL
    # Python exits with 1 in these cases, before the first line of cavalcade.
    assert exit_code("tour", "3x3", python=("-S",)) == 1
    assert exit_code("tour", "3x3", PYTHONHOME=str(tmp_path)) == 1


def interrupted_codes(runs: int) -> set[int]:
    """Interrupt a command at `runs` times within its first 0.25 seconds; return the exit codes.

    A run that ends with the code of a verdict must have printed one, because `tour 8x8` has none.
    """
    codes = set()
    environment = os.environ | {"CAVALCADE_EXIT_CODES": "distinct"}
    for run in range(runs):
        with subprocess.Popen(
            [*COMMAND, "tour", "8x8", "--seed", "1"], env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            time.sleep(0.25 * run / runs)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate()
        assert VERDICT not in errors
        codes.add(process.returncode)
    return codes


def test_an_interrupt_that_a_library_turns_into_an_error(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text(
        "import os, signal\n"
        "try:\n    os.kill(os.getpid(), signal.SIGINT)\n    while True: pass\n"
        "except KeyboardInterrupt:\n    raise SystemError('error without an exception') from None\n",
        encoding="ascii",
    )
    assert exit_code("tour", "3x3", PYTHONPATH=str(tmp_path)) == ExitCode.INTERRUPTED


@pytest.mark.parametrize("runs", [12, pytest.param(240, marks=pytest.mark.slow)])
def test_early_interrupts_are_no_verdict(runs: int) -> None:
    # Python ends with 1 in `site`, and by the signal itself between that and the first line of cavalcade.
    assert interrupted_codes(runs) <= {0, 1, ExitCode.INTERRUPTED, -signal.SIGINT}


@pytest.mark.parametrize(
    ("words", "code", "status", "reason"),
    [
        (["tour", "8x"], 2, "error", "'8x' is not a board"),
        (["tour", "6x6", "--horses"], 2, "error", "--horses"),
        (["check", "nowhere.txt"], 2, "error", "cannot read nowhere.txt"),
        (["count", "40x40"], 3, "undecided", "the board is too wide"),
    ],
)
def test_errors_are_objects_with_json(
    words: list[str], code: int, status: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--json"]) == code
    printed = capsys.readouterr()
    answer = json.loads(printed.out)
    assert answer.keys() == {"status", "reason"}
    assert answer["status"] == status
    assert reason in answer["reason"]
    if code == ExitCode.BAD_INPUT:
        assert printed.err == f"error: {answer['reason']}\n"
