"""The command as a shell runs it: closed streams, old encodings, signals, a damaged or full cache."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from cavalcade.cli import COMMANDS, group, main
from conftest import Ran

COMMAND = [sys.executable, "-m", "cavalcade"]
CLOSED = "error: standard input or output is closed\n"


def shell(script: str, **environment: str) -> Ran:
    """Run a line of sh in which `$@` is the command."""
    done = subprocess.run(
        ["/bin/sh", "-c", script, "sh", *COMMAND],
        capture_output=True, check=False, env=os.environ | environment,
    )  # fmt: skip
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.mark.parametrize(
    ("script", "answer"),
    [
        ('"$@" count 5x6 2>&-', (0, "8\n", "")),
        ('"$@" count 5x6 <&- 2>&-', (0, "8\n", "")),
        ('"$@" count 5x6 >&-', (2, "", CLOSED)),
        ('"$@" --help >&-', (2, "", CLOSED)),
        ('"$@" tour 5x6 -o /dev/null --format svg >&-', (0, "", "")),
        ('"$@" tour 5x6 >&- 2>&-', (2, "", "")),
        ('"$@" check - <&-', (2, "", CLOSED)),
        ('"$@" tour 3x3 <&- >&- 2>&-', (1, "", "")),
    ],
)
def test_closed_streams(script: str, answer: tuple[int, str, str]) -> None:
    assert shell(script) == answer


@pytest.mark.parametrize("encoding", ["cp437", "cp437:strict"])
def test_encodings_without_our_letters(encoding: str) -> None:
    ran = shell('"$@" theorem --help && "$@" tour hex:6 --verbose', PYTHONIOENCODING=encoding)
    assert ran.code == 0
    assert "Gli?ski" in ran.out
    assert "Gli\\u0144ski" in ran.err


def test_sigterm_cleans_up_as_control_c_does(tmp_path: Path) -> None:
    target = tmp_path / "tours.txt"
    running = subprocess.Popen(
        [*COMMAND, "list", "6x6", "--open", "-o", target], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    until = time.monotonic() + 60
    while not list(tmp_path.iterdir()) and time.monotonic() < until:
        time.sleep(0.01)
    assert [path.suffix for path in tmp_path.iterdir()] == [".part"]
    running.send_signal(signal.SIGTERM)
    assert running.communicate(timeout=60) == (b"", b"error: terminated\n")
    assert running.returncode == 143
    assert not list(tmp_path.iterdir())


def test_control_c_while_importing() -> None:
    for module in ("cavalcade.cli", "cavalcade.ask.portfolio", "numpy"):
        stopped = (
            "import builtins, sys\nbefore = builtins.__import__\n"
            f"def stopped(name, *rest):\n    if name == {module!r}:\n        raise KeyboardInterrupt\n"
            "    return before(name, *rest)\n"
            "from cavalcade.__main__ import main\nbuiltins.__import__ = stopped\n"
            "sys.argv[1:] = ['tour', '5x6']\nsys.exit(main())\n"
        )
        done = subprocess.run([sys.executable, "-c", stopped], capture_output=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"error: interrupted\n"), module


# ---- a fault of our own


def test_a_fault_is_not_taken_for_a_proof(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("nothing to divide by")

    monkeypatch.setattr("cavalcade.ask.portfolio.tour", broken)
    assert main(["tour", "8x8"]) == 70
    seen = capsys.readouterr()
    assert seen.out == ""
    assert seen.err.startswith(
        "error: ZeroDivisionError: nothing to divide by: an internal error in cavalcade"
    )
    assert seen.err.count("\n") == 1
    assert main(["--debug", "tour", "8x8"]) == 70
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_the_version_and_the_module_are_there() -> None:
    ran = shell('"$@" -V && "$@" --help')
    assert ran.code == 0
    assert ran.out.startswith("cavalcade ")
    assert all(name in ran.out for name in COMMANDS)


# ---- the cache of compiled kernels

KERNEL = """
import resource
from pathlib import Path
from cavalcade.ground.kernels import Kernel
from plain import plain

def run():
    print(Kernel(plain).compiled(7))  # each kernel looks on the disk anew

whole = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, whole[1]))
run()
assert not list(Path().rglob("*.nbc"))
resource.setrlimit(resource.RLIMIT_FSIZE, whole)
run()
for ending in ("nbi", "nbc"):
    (file,) = Path().rglob(f"*.{ending}")
    data = file.read_bytes()
    file.write_bytes(data[:-100])
    run()
    assert len(next(Path().rglob(f"*.{ending}")).read_bytes()) >= len(data) - 10, "and it is made anew"
"""


def test_a_damaged_or_full_cache_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("def plain(x):\n    return 2 * x\n")
    command = [sys.executable, "-B", "-c", KERNEL]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "14\n" * 4, "")


# ---- completion, and the man page


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_completion(name: str) -> None:
    script = shell('"$@"', _CAVALCADE_COMPLETE=f"{name}_source")
    assert script.code == 0
    assert "_CAVALCADE_COMPLETE" in script.out
    words = {"COMP_WORDS": "cavalcade war", "COMP_CWORD": "war" if name == "fish" else "1"}
    assert "warnsdorff" in shell('"$@"', _CAVALCADE_COMPLETE=f"{name}_complete", **words).out


def test_the_man_page_has_every_option() -> None:
    tool = Path(__file__).parent.parent / "tools" / "man_page.py"
    done = subprocess.run([sys.executable, tool], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(".TH CAVALCADE 1 ")
    plain = done.stdout.replace("\\-", "-")
    for name in COMMANDS:
        assert f".SS {name}\n" in plain
        command = group.get_command(click.Context(group), name)
        assert command
        for one in command.params:
            assert not isinstance(one, click.Option) or max(one.opts, key=len) in plain
