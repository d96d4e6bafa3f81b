"""What depends on the platform; limits that hold in every thread; hosts that keep what is theirs."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import io
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cavalcade
from cavalcade.cli import main
from cavalcade.ground import system, watchdog
from cavalcade.ground.budget import guard, start_clock, stop_clock
from cavalcade.ground.errors import TooLargeError
from cavalcade.refute.cadical import Cadical

SOURCE = Path(cavalcade.__file__).parent
MODULES = r"^\s*(import|from) (resource|fcntl|msvcrt|winreg|pwd|ctypes)\b"
CALLS = r"\bos\.(name|kill|sysconf|cpu_count|sched_\w+)\b"
NAMES = r"/proc\b|\b(sys\.platform|ru_maxrss|setitimer|SIGALRM|SIGKILL)\b"


def test_one_module_knows_platforms() -> None:
    """No other module uses what some platforms lack."""
    users = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if re.search(f"{MODULES}|{CALLS}|{NAMES}", path.read_text("utf-8"), re.MULTILINE)
    }
    assert users == {"ground/system.py", "ground/folders.py"}  # the second one knows users and groups


# ---- answers of this machine, and of others that are faked


def test_the_memory_of_this_process_is_what_it_has_allocated() -> None:
    before, peak = system.memory_in_use(), system.peak_memory()
    held = bytearray(os.urandom(1) * 60_000_000)
    assert 50_000_000 < system.memory_in_use() - before < 90_000_000
    assert system.peak_memory() >= max(peak, before + 50_000_000)
    assert system.data_in_use() > len(held)
    assert system.memory_in_use() < system.total_memory()


def test_a_container_has_less_memory_than_its_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = system.total_memory()
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(system, "LIMIT_FILES", (str(limit), "/nowhere"))
    for text, expected in (("1000000\n", 1_000_000), ("max\n", whole), (f"{2**63}\n", whole)):
        limit.write_text(text)
        assert min(system.total_memory(), whole) == expected


def test_macos_counts_the_peak_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """macOS: `getrusage` counts bytes, and `proc_pidinfo` fills in the sizes of the task."""
    kibibytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert system.peak_memory() > 0
    monkeypatch.setattr(sys, "platform", "darwin")
    assert kibibytes <= system.peak_memory() < 2 * kibibytes

    def proc_pidinfo(pid: int, flavor: int, _: object, buffer: Any, length: int) -> int:
        assert (pid, flavor, length) == (os.getpid(), 4, 96)
        ctypes.cast(buffer, ctypes.POINTER(ctypes.c_uint64))[1] = 123_456_789
        return length

    monkeypatch.setattr(ctypes, "CDLL", lambda _: types.SimpleNamespace(proc_pidinfo=proc_pidinfo))
    assert system.memory_in_use() == 123_456_789
    monkeypatch.setattr(ctypes, "CDLL", lambda _: types.SimpleNamespace(proc_pidinfo=lambda *_: -1))
    assert system.memory_in_use() == 0
    before = resource.getrlimit(resource.RLIMIT_DATA)
    system.limit_data(10)  # macOS has no such limit
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


class Kernel32:
    """`kernel32` of a Windows machine with 8 GiB of memory, in a process that has 300 MB and had 400 MB."""

    @staticmethod
    def fill(buffer: Any, words: dict[int, int]) -> int:
        """Write 64-bit words into a structure, by their offsets."""
        for k, word in words.items():
            ctypes.cast(buffer, ctypes.POINTER(ctypes.c_uint64))[k] = word
        return 1

    def GlobalMemoryStatusEx(self, buffer: Any) -> int:  # noqa: N802 - of Windows
        """Fill in MEMORYSTATUSEX."""
        assert ctypes.cast(buffer, ctypes.POINTER(ctypes.c_uint32))[0] == 64  # the length comes first
        return self.fill(buffer, {1: 2**33})

    def K32GetProcessMemoryInfo(self, process: Any, buffer: Any, length: Any) -> int:  # noqa: N802
        """Fill in PROCESS_MEMORY_COUNTERS."""
        assert process.value == ctypes.c_void_p(-1).value
        assert ctypes.cast(buffer, ctypes.POINTER(ctypes.c_uint32))[0] == length.value == 72
        return self.fill(buffer, {1: 400_000_000, 2: 300_000_000})


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A machine that answers like Windows."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(system, "LIMIT_FILES", ())
    monkeypatch.setattr(ctypes, "WinDLL", lambda _: Kernel32(), raising=False)
    monkeypatch.delattr(os, "sysconf")
    monkeypatch.delattr(os, "sched_getaffinity")
    for name in ("resource", "fcntl"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delattr(signal, "pthread_kill")
    return monkeypatch


def test_windows_answers_through_kernel32(windows: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert system.total_memory() == 2**33
    assert (system.memory_in_use(), system.peak_memory()) == (300_000_000, 400_000_000)
    assert (system.data_in_use(), system.data_limit()) == (0, None)
    system.limit_data(1)
    system.limit_address_space(1)
    assert system.cores() == os.cpu_count()
    assert system.make_wakeable() is False
    assert not system.can_replace_mapped()
    assert system.is_private(tmp_path)
    system.close_c_stream(object())
    windows.delattr(ctypes, "WinDLL")
    assert system.total_memory() == 2**32  # no terabyte
    assert system.memory_in_use() == 0


def test_windows_locks_a_byte_beyond_the_end(windows: pytest.MonkeyPatch, tmp_path: Path) -> None:
    taken: set[int] = set()

    def locking(descriptor: int, mode: int, count: int) -> None:
        assert (mode, count) == (2, 1)
        position = os.lseek(descriptor, 0, os.SEEK_CUR)
        if position in taken:
            raise PermissionError
        taken.add(position)

    windows.setitem(sys.modules, "msvcrt", types.SimpleNamespace(LK_NBLCK=2, locking=locking))
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    with path.open("rb") as first, path.open("rb") as second:
        assert system.lock(first)
        assert not system.lock(second)
        assert first.read() == second.read() == b"abc"


def test_a_lock_is_for_one_process(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    with path.open() as first, path.open() as second:
        assert system.lock(first)
        assert not system.lock(second)
    with path.open() as third:
        assert system.lock(third)


# ---- the watchdog


def busy(seconds: float = 20) -> None:
    """Python code that never looks at a limit."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def ended(work: Callable[[], object], seconds: float = 0.05) -> tuple[str, float]:
    """How work ends under a time limit: the name of its exception, and the seconds that it took."""
    began = time.perf_counter()
    try:
        with guard(seconds):
            work()
    except TimeoutError as error:
        return str(error), time.perf_counter() - began
    return "", time.perf_counter() - began


def test_a_limit_holds_in_every_thread() -> None:
    """Code that never checks a limit ends in six threads at once, none of them the main thread."""
    ends: list[tuple[str, float]] = []
    threads = [threading.Thread(target=lambda: ends.append(ended(busy))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [message for message, _ in ends] == ["the time limit is reached"] * 6
    assert max(seconds for _, seconds in ends) < 20


def test_only_the_late_block_ends() -> None:
    """Nested blocks each have their own limit, and none leaves an exception behind."""
    with guard(60):
        assert ended(busy)[0]
        busy(0.6)
        assert not ended(lambda: busy(0.01))[0]
    busy(0.1)


def test_a_pipe_does_not_outlast_the_limit() -> None:
    """In the main thread a system call is interrupted, too."""
    reading, writing = os.pipe()
    try:
        assert ended(lambda: os.read(reading, 1))[0]
    finally:
        os.close(reading)
        os.close(writing)


def test_a_public_function_ends_although_a_callback_is_slow() -> None:
    with pytest.raises(TooLargeError, match=r"the time limit of 0\.05 s is reached"):
        cavalcade.count("6x6", time_limit=0.05, progress=lambda _: busy())


def test_an_import_is_not_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that is being imported is not left half imported."""
    (tmp_path / "slow_module.py").write_text(f"from {__name__} import busy\nbusy(0.8)\nend = 1\n")
    monkeypatch.syspath_prepend(tmp_path)

    def work() -> None:
        import slow_module  # type: ignore[import-not-found]  # made above

        assert slow_module.end
        busy()

    message, seconds = ended(work)
    assert message
    assert "slow_module" in sys.modules
    assert 0.8 < seconds < 20


def test_the_clock_stands_for_the_watchdog() -> None:
    with guard(0.01):
        stop_clock()
        busy(0.6)
        start_clock()


def test_memory_beyond_the_limit_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system does not refuse memory, the watchdog does."""
    monkeypatch.setattr(system, "limit_data", lambda _: None)
    blocks: list[bytes] = []

    def work() -> None:
        for _ in range(200):
            blocks.append(b"a" * 5_000_000)
            time.sleep(0.01)

    with pytest.raises(MemoryError, match="the memory limit is reached"), guard(memory=20_000_000):
        work()
    assert 15 < len(blocks) < 200
    assert system.data_limit() is None


def test_the_watchdog_starts_again_in_a_forked_process() -> None:
    assert ended(busy)[0]
    script = (
        "import os, sys; sys.path.append('tests'); import test_system as t; t.ended(t.busy)\n"
        "child = os.fork()\n"
        "if not child: os._exit(0 if t.ended(t.busy)[0] else 1)\n"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], cwd=SOURCE.parent.parent, check=False
    )
    assert done.returncode == 0


def test_a_debugger_goes_on_after_a_limit() -> None:
    """No exception is left pending: CPython 3.11 waits forever for it in the next function that it traces."""
    script = (
        "import sys; sys.path.append('tests'); import test_system as t; print(t.ended(t.busy)[0])\n"
        "sys.settrace(lambda *_: None); t.busy(0)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        cwd=SOURCE.parent.parent, timeout=60, capture_output=True, check=True,
    )  # fmt: skip
    assert done.stdout == b"the time limit is reached\n"


def test_ctrl_c_while_an_exception_is_withdrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is withdrawn again, and nothing arrives later."""
    withdraw, calls = system.withdraw_raised, list[int]()

    def interrupted() -> None:
        calls.append(len(calls))
        if len(calls) == 1:
            raise KeyboardInterrupt
        withdraw()

    monkeypatch.setattr(system, "withdraw_raised", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ended(busy)
    assert calls == [0, 1]
    busy(0.1)


def test_no_thread_stays_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "TIMING", watchdog.Timing(idle=0.05))
    with guard(0.2):
        assert "cavalcade-watchdog" in {thread.name for thread in threading.enumerate()}
    for _ in range(100):
        if "cavalcade-watchdog" not in {thread.name for thread in threading.enumerate()}:
            return
        time.sleep(0.05)
    pytest.fail("the watchdog runs without work")


# ---- a library in other people's programs


def test_a_host_keeps_its_timer_and_its_handler() -> None:
    """`cli.main` in a program that uses SIGALRM."""
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, _: rung.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 60)
        with contextlib.redirect_stdout(io.StringIO()):
            assert main(["tour", "8x8", "--time-limit", "5"]) == 0
        assert 50 < signal.getitimer(signal.ITIMER_REAL)[0] <= 60
        assert ended(busy)[0]
        signal.raise_signal(signal.SIGALRM)
        assert rung == [signal.SIGALRM]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_the_command_writes_to_a_redirected_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    """`contextlib.redirect_stdout` with a stream of characters, and standard input from one."""
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        assert main(["tour", "5x6", "--json"]) == 0
        monkeypatch.setattr(sys, "stdin", io.StringIO(output.getvalue()))
        assert main(["check", "-"]) == 0
        assert main(["draw", "5x6", "--format", "png"]) == 2
    assert "a closed tour of 5x6: 30 cells, each visited once" in output.getvalue()
    assert "add -o FILE" in errors.getvalue()


def descriptors_open() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_the_solver_leaves_nothing_behind() -> None:
    """python-sat leaks the C stream of each proof, 4.5 kB: a program that proves a million times runs out."""

    def refute() -> None:
        solver = Cadical()
        solver.state([[1, 2], [-1, 2], [1, -2], [-1, -2]])
        solver.delete()

    for _ in range(100):
        refute()
    gc.collect()
    before, descriptors = system.memory_in_use(), descriptors_open()
    for _ in range(1000):
        refute()
    gc.collect()
    assert system.memory_in_use() - before < 1_000 * 1000
    assert descriptors_open() == descriptors
