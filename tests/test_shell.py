"""The command in a shell: closed streams, old encodings, signals, a damaged or full cache."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import click
import pytest

from cavalcade.cli import COMMANDS, group, main, status
from cavalcade.ground.budget import start_clock, stop_clock
from conftest import Ran

sys.path.append(str(Path(__file__).parent.parent / "tools"))

import reference

COMMAND = [sys.executable, "-m", "cavalcade"]
CLOSED = "error: standard input or output is closed\n"


def shell(script: str, **environment: str) -> Ran:
    """Run a line of sh in which `$@` stands for the command."""
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


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGHUP])
def test_signals_clean_up_as_control_c_does(sent: signal.Signals, tmp_path: Path) -> None:
    target = tmp_path / "tours.txt"
    running = subprocess.Popen(
        [*COMMAND, "list", "6x6", "--open", "-o", target], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    until = time.monotonic() + 60
    while not list(tmp_path.iterdir()) and time.monotonic() < until:
        time.sleep(0.01)
    assert [path.suffix for path in tmp_path.iterdir()] == [".part"]
    running.send_signal(sent)
    assert running.communicate(timeout=60) == (b"", b"error: terminated\n")
    assert running.returncode == 128 + sent
    assert not list(tmp_path.iterdir())


def test_control_c_while_importing() -> None:
    for module in ("cavalcade.cli", "cavalcade.ask.policy", "numpy"):
        stopped = (
            "import builtins, sys\nbefore = builtins.__import__\n"
            f"def stopped(name, *rest):\n    if name == {module!r}:\n        raise KeyboardInterrupt\n"
            "    return before(name, *rest)\n"
            "from cavalcade.__main__ import main\nbuiltins.__import__ = stopped\n"
            "sys.argv[1:] = ['tour', '5x6']\nsys.exit(main())\n"
        )
        done = subprocess.run([sys.executable, "-c", stopped], capture_output=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"error: interrupted\n"), module


# ---- internal errors


def test_an_internal_error_is_not_a_proof(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("nothing to divide by")

    monkeypatch.setattr("cavalcade.tour", broken)
    assert main(["tour", "8x8"]) == 70
    seen = capsys.readouterr()
    assert seen.out == ""
    assert seen.err.startswith(
        "error: ZeroDivisionError: nothing to divide by: an internal error in cavalcade"
    )
    assert seen.err.count("\n") == 1
    assert main(["--debug", "tour", "8x8"]) == 70
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_version_and_help_are_printed() -> None:
    ran = shell('"$@" -V && "$@" --help')
    assert ran.code == 0
    assert ran.out.startswith("cavalcade ")
    assert all(name in ran.out for name in COMMANDS)


# ---- the cache of compiled kernels

KERNEL = """
import resource
from pathlib import Path
from cavalcade.ground.kernels import compiled
from plain import plain

def run():
    print(compiled.__wrapped__(plain)(7))  # without the cache in memory

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
    assert len(next(Path().rglob(f"*.{ending}")).read_bytes()) >= len(data) - 10, "the cache file is rebuilt"
"""


def test_a_damaged_or_full_cache_is_tolerated(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("def plain(x):\n    return 2 * x\n")
    command = [sys.executable, "-B", "-c", KERNEL]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "14\n" * 4, "")


# ---- completion, and the man page


SHARE = Path(__file__).parent.parent / "share"
SHELLS = {  # command without user files, line that loads the completion, its path in share/
    "bash": (["bash", "--norc", "--noprofile", "-i"], ". {}\n", "bash-completion/completions/cavalcade"),
    "zsh": (
        ["zsh", "-f", "-i"],
        "autoload -U compinit; compinit -u -D; setopt no_beep; . {}\n",
        "zsh/site-functions/_cavalcade",
    ),
    "fish": (["fish", "--private", "--no-config"], "source {}\n", "fish/vendor_completions.d/cavalcade.fish"),
}


class Typist:
    """A shell in a new pseudo-terminal."""

    def __init__(self, name: str, home: Path) -> None:
        bin_ = home / "bin"
        bin_.mkdir()
        (bin_ / "cavalcade").write_text(f'#!/bin/sh\nexec {sys.executable} -m cavalcade "$@"\n')
        (bin_ / "cavalcade").chmod(0o755)
        environment = {
            "PATH": f"{bin_}:{os.environ['PATH']}",
            "HOME": str(home),
            "TERM": "xterm",
            "COLUMNS": "100",
        }
        self.master, inner = pty.openpty()
        self.running = subprocess.Popen(
            ["setsid", "--ctty", *SHELLS[name][0]], stdin=inner, stdout=inner, stderr=inner, cwd=home,
            env=os.environ | environment,
        )  # fmt: skip
        os.close(inner)
        self.seen = ""

    def type(self, text: str, expected: str) -> bool:
        """Type a text and wait until the screen shows another, for at most a minute."""
        self.seen, until = "", time.monotonic() + 60
        os.write(self.master, text.encode())
        while expected not in self.seen and time.monotonic() < until:
            if select.select([self.master], [], [], 1)[0]:
                with contextlib.suppress(OSError):
                    self.seen += os.read(self.master, 65536).decode(errors="replace")
        return expected in self.seen

    def end(self) -> None:
        """Kill the shell and close its terminal."""
        self.running.kill()
        self.running.wait()
        os.close(self.master)


@pytest.mark.parametrize("name", SHELLS)
def test_completion_in_a_terminal(name: str, tmp_path: Path) -> None:
    for needed in (name, "setsid"):
        if shutil.which(needed) is None:
            pytest.skip(f"{needed} is not installed: apt install {needed}")
    (tmp_path / "my-own-tour.txt").touch()
    shell_ = Typist(name, tmp_path)
    try:
        script = SHARE / SHELLS[name][2]
        assert shell_.type(f"{SHELLS[name][1].format(script)}echo rea''dy\n", "ready\r\n"), shell_.seen
        for typed, expected in (
            ("cavalcade warns\t", "dorff"),
            ("cavalcade check my-o\t", "wn-tour.txt"),
            ("cavalcade tour 8x8 --piece gir\t", "affe"),
            ("cavalcade tour tor\t", "us"),
            ("cavalcade tour 6x6 --symmetry quarter\t", "-turn"),
            ("cavalcade tour 6x6 -o my-\t", "own-tour.txt"),
        ):
            assert shell_.type(typed, expected), f"{typed!r}: {shell_.seen!r}"
            assert shell_.type("\x15echo clea''r\n", "clear\r\n"), "the line is cleared"
    finally:
        shell_.end()


@pytest.mark.skipif(not reference.HAS_PINNED_CLICK, reason="other versions of click write other help")
@pytest.mark.parametrize("name", reference.shell_files())
def test_files_for_shells_are_current(name: str) -> None:
    written = (reference.DOCS / name).read_text(encoding="utf-8")
    assert written == reference.shell_files()[name], "run python tools/reference.py"


def test_the_man_page_has_every_option() -> None:
    tool = Path(__file__).parent.parent / "tools" / "man_page.py"
    done = subprocess.run([sys.executable, tool], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(".TH CAVALCADE 1 ")
    plain = done.stdout.replace("\\-", "-")
    for name in COMMANDS:
        assert f".SS {name}\n" in plain
        command = group.get_command(click.Context(group), name)
        assert command
        for option in command.params:
            assert not isinstance(option, click.Option) or max(option.opts, key=len) in plain


# ---- a terminal of sixty columns


def on_a_terminal(*arguments: str, columns: int = 60, rows: int = 20) -> tuple[int, list[str]]:
    """Run a command in a terminal; return its exit code and its lines without the progress line."""
    master, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    plain = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
    running = subprocess.Popen([*COMMAND, *arguments], stdin=inner, stdout=inner, stderr=inner, env=plain)
    os.close(inner)
    shown = b""
    with contextlib.suppress(OSError):  # the terminal is closed
        while block := os.read(master, 65536):
            shown += block
    os.close(master)
    text = re.sub(r"\r\x1b\[K[^\r\n]*(?=\r\x1b\[K)", "", shown.decode()).replace("\r\x1b[K", "")
    return running.wait(), text.replace("\r\n", "\n").splitlines()


@pytest.mark.parametrize(
    "arguments", ["tour 4x4", "prove 4x4", "tour 100x100", "count 40x40", "tour 8x8 --nonsense"]
)
def test_text_has_the_width_of_the_terminal(arguments: str) -> None:
    code, lines = on_a_terminal(*arguments.split())
    assert code in {0, 1, 2, 3}
    assert 1 < len(lines) < 25
    assert max(map(len, lines)) <= 60
    if arguments == "tour 100x100":
        assert sum(line.endswith("…") for line in lines) > 10
        assert "add -o FILE" in " ".join(lines)


def test_a_picture_is_not_printed_on_a_terminal() -> None:
    code, lines = on_a_terminal("draw", "8x8")
    assert (code, " ".join(lines)) == (2, "error: a picture cannot be shown on a terminal: add -o 8x8.svg")


def test_progress_appears_after_two_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr(status, "EVERY", 0.01)
    assert status.AFTER == 2
    monkeypatch.setattr(status, "AFTER", 0.01)
    until, printed = time.monotonic() + 60, ""
    with status.line(10):
        status.say("counting", 0.5)
        while "counting 50%" not in printed and time.monotonic() < until:
            time.sleep(0.01)
            printed += capsys.readouterr().err
        stop_clock()  # as while a kernel is compiled
        try:
            while "compiling" not in printed and time.monotonic() < until:
                time.sleep(0.01)
                printed += capsys.readouterr().err
        finally:
            start_clock()
        status.remark("a remark")
    printed += capsys.readouterr().err
    assert "counting 50%, 0 of 10 s (Ctrl-C ends it)" in printed
    assert "compiling, once on this machine, 0 of 10 s (Ctrl-C ends it)" in printed
    assert f"{status.ERASED}a remark\n" in printed


def test_a_word_on_a_long_wait_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(status, "AFTER", 0.02)
    until, printed = time.monotonic() + 60, ""
    with status.line(None):
        assert not status.watched()
        status.say("counting")
        while not printed and time.monotonic() < until:
            time.sleep(0.01)
            printed += capsys.readouterr().err
        time.sleep(2 * status.EVERY)
        status.remark("a remark")
    assert printed + capsys.readouterr().err == "counting, 0 s (Ctrl-C ends it)\na remark\n"
