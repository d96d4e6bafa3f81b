"""Budgets: counted work for engines, and one time limit and one memory limit around a whole question.

Counted work controls the search: which engine runs next, for how long, and when a try is abandoned. It is
counted in inner steps of kernels (moves examined, states created, literals propagated), so that the same
question with the same seed has the same answer on any machine, busy or idle. The time and memory limits only
end the whole search, which is then undecided. Long work raises TimeoutError at the time limit, TooLargeError
if it does not fit into memory, and BudgetOverError inside an engine whose budget is spent. Only docstrings of
the public interface mention these errors.
"""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, TypeVar

from cavalcade.ground.errors import TooLargeError, bytes_of, seconds_of

Item = TypeVar("Item")

SECOND = 100_000_000  # inner steps of compiled kernels per second, about
# Seconds after the time limit until an alarm interrupts the process: code that reads the clock ends earlier.
GRACE = 0.4
# Bytes of the interpreter, the libraries and the compiler, allowed besides the memory limit.
LIBRARIES = 400_000_000
LIMIT_FILES = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


class BudgetOverError(Exception):
    """The budget of an engine is spent; the engine that owns the budget catches it."""


class Budget:
    """Counted work that engines spend.

    Args:
        work: inner steps; by default unlimited.
        whole: the budget of which this one is a part, and which is charged as well.
    """

    def __init__(self, work: float = math.inf, whole: Budget | None = None) -> None:
        self.work, self.spent, self.whole = work, 0.0, whole

    def __repr__(self) -> str:
        return f"<Budget {self.spent:,.0f} of {self.work:,.0f} spent>"

    @property
    def left(self) -> float:
        """The remaining work."""
        return self.work - self.spent

    @property
    def over(self) -> bool:
        """Whether all work is spent."""
        return self.spent >= self.work

    def spend(self, work: float) -> bool:
        """Spend work that was done or is about to be done; returns whether any remains.

        Raises:
            TimeoutError: the time limit is reached.
        """
        left = self.left
        self.spent += work
        if self.whole is not None:
            self.whole.spend(min(work, max(left, 0)))  # work that does not fit is not started
        else:
            assert_time("the time limit is reached")
        return not self.over

    def charge(self, work: float) -> None:
        """Spend work in code that must stop when the budget is spent.

        Raises:
            BudgetOverError: the budget is spent.
            TimeoutError: the time limit is reached.
        """
        if not self.spend(work):
            raise BudgetOverError

    def part(self, work: float) -> Budget:
        """A budget of at most this much work, charged to this budget."""
        return Budget(min(work, self.left), self)

    def refill(self, work: float) -> None:
        """Allow this much work from now on, at most what the whole budget has left."""
        self.work = self.spent + (work if self.whole is None else min(work, self.whole.left))


class Limits(NamedTuple):
    """Time on the clock by which the current work must end, in seconds; and its memory limit in bytes."""

    until: float = math.inf
    memory: int | None = None


_limits: ContextVar[Limits] = ContextVar("_limits", default=Limits())  # noqa: B039 - it is frozen
_stopped_seconds = [0.0]  # total time for which the clock was stopped
_stopped_since: list[float] = []  # when it was stopped, if it is; nested stops append


def _now() -> float:
    """The clock in seconds, without the time for which it was stopped."""
    return (_stopped_since or [time.perf_counter()])[0] - _stopped_seconds[0]


@contextmanager
def limits(seconds: float = math.inf, memory: int | str | None = None) -> Iterator[None]:
    """Limit the time and the memory of a block, within the limits of the code around it."""
    outer = _limits.get()
    wanted = None if memory is None else bytes_of(memory)
    bounds = [bound for bound in (wanted, outer.memory) if bound is not None]
    token = _limits.set(Limits(min(_now() + seconds, outer.until), min(bounds) if bounds else None))
    try:
        yield
    finally:
        _limits.reset(token)


class _AlarmError(TimeoutError):
    """The alarm of a guard."""


@contextmanager
def guard(seconds: float = math.inf, memory: int | None = None) -> Iterator[None]:
    """`limits` for a whole process, enforced by the system for code that does not read the clock.

    `GRACE` seconds after the time limit an alarm raises TimeoutError in the main thread. It is repeated if
    Python swallows the exception, in finalizers and callbacks of the garbage collector. Memory beyond the
    limit, besides the memory in use already and that of libraries and compiled code, is refused by the
    system with MemoryError.
    Outside the main thread, and on systems without alarms, this is `limits` alone. A nested guard restores
    the alarm of the outer one.
    """
    outer = _limits.get().until
    with limits(seconds, memory):
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            yield
            return
        import resource

        until = _limits.get().until

        seconds_until_retry = 0.001  # a finalizer that swallows the exception is short

        def ring(_: int, frame: FrameType | None) -> None:
            if (seconds := until + GRACE - _now()) > 0:  # the clock was stopped in between
                signal.setitimer(signal.ITIMER_REAL, seconds)
                return
            while frame is not None:
                if frame.f_code is swallowed.__code__:  # an exception raised in this hook would be lost
                    signal.setitimer(signal.ITIMER_REAL, seconds_until_retry)
                    return
                frame = frame.f_back
            raise _AlarmError("the time limit is reached")

        def swallowed(unraisable: Any) -> None:
            if isinstance(unraisable.exc_value, _AlarmError):
                signal.setitimer(signal.ITIMER_REAL, seconds_until_retry)
            else:
                hook(unraisable)

        hook, sys.unraisablehook = sys.unraisablehook, swallowed
        before, data = signal.signal(signal.SIGALRM, ring), resource.getrlimit(resource.RLIMIT_DATA)
        if math.isfinite(until):
            signal.setitimer(signal.ITIMER_REAL, max(until + GRACE - _now(), GRACE))
        if memory is not None and data[0] == resource.RLIM_INFINITY:
            resource.setrlimit(resource.RLIMIT_DATA, (_held() + memory + LIBRARIES, data[1]))
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            sys.unraisablehook = hook
            if math.isfinite(outer):
                signal.setitimer(signal.ITIMER_REAL, max(outer + GRACE - _now(), GRACE))
            resource.setrlimit(resource.RLIMIT_DATA, data)


@contextmanager
def bounded(time_limit: float | None, memory: int | str | None) -> Iterator[None]:
    """Apply the two limits of a public function to a block, after validation.

    Args:
        time_limit: seconds; None for no limit besides that of the code around it.
        memory: bytes; None for half of the machine's memory.

    Raises:
        CavalcadeError: a limit is not a number.
        TooLargeError: a limit is reached; the message says how far the work came.
    """
    seconds = math.inf if time_limit is None else seconds_of(time_limit)
    allowed = machine_memory() // 2 if memory is None else bytes_of(memory)
    with limits(seconds, allowed), _reported(time_limit):
        yield


@contextmanager
def _reported(time_limit: float | None) -> Iterator[None]:
    """Turn TimeoutError into TooLargeError if the caller has set a time limit."""
    try:
        yield
    except TimeoutError as error:
        if time_limit is None:
            raise
        raise TooLargeError(f"the time limit of {time_limit:g} s is reached: {error}") from None


def bounded_items(
    items: Callable[[], Iterable[Item]], *, time_limit: float | None, memory: int | str | None
) -> Iterator[Item]:
    """The items of an iterator, each made within the limits of `bounded`, which count from now.

    The caller's work between two items counts towards the time limit, but not towards the memory limit.

    Args:
        items: makes the iterator, also within the limits.
        time_limit: seconds, as for `bounded`.
        memory: bytes, as for `bounded`.
    """
    with bounded(time_limit, memory):
        iterator, context = iter(items()), copy_context()
    return _items(iterator, context, time_limit)


def _items(iterator: Iterator[Item], context: Context, time_limit: float | None) -> Iterator[Item]:
    with _reported(time_limit):
        while True:
            try:
                item = context.run(next, iterator)
            except StopIteration:
                return
            yield item


def stop_clock() -> None:
    """Stop the clock for work that is done once per machine, such as compiling a kernel."""
    _stopped_since.append(time.perf_counter())


def start_clock() -> None:
    """Undo one `stop_clock`; the clock runs again when all of them are undone."""
    began = _stopped_since.pop()
    if not _stopped_since:
        _stopped_seconds[0] += time.perf_counter() - began


def clock_stands() -> bool:
    """Whether the clock is stopped."""
    return bool(_stopped_since)


def seconds_left() -> float:
    """Seconds until the time limit of the current work; negative afterwards."""
    return _limits.get().until - _now()


def assert_time(what: str, needed: float = 0.0) -> None:
    """Stop if less than `needed` seconds are left.

    Raises:
        TimeoutError: the time does not suffice; `what` is the message.
    """
    if seconds_left() < needed:
        raise TimeoutError(what)


@cache
def machine_memory() -> int:
    """Bytes of memory of this machine, or of its container if that is less; 1 TiB if neither is known."""
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        memory = 2**40
    for name in LIMIT_FILES:
        try:
            text = Path(name).read_text(encoding="ascii").strip()
        except OSError:
            continue
        if text.isdigit():
            memory = min(memory, int(text))
    return memory


def _held() -> int:
    """Bytes of data of this process, as RLIMIT_DATA counts them; 0 if unknown."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def memory_limit() -> int:
    """Bytes that the current work may use: its limit, or the memory of the machine if that is less."""
    limit = _limits.get().memory
    return machine_memory() if limit is None else min(limit, machine_memory())


def assert_room(needed: int, what: str) -> None:
    """Refuse work that needs more memory than allowed.

    Args:
        needed: estimated bytes.
        what: the subject of the sentence, such as "the move graph of 9x9".

    Raises:
        TooLargeError: it does not fit.
    """
    allowed = memory_limit()
    if needed > allowed:
        bound = "the memory limit is" if allowed < machine_memory() else "this machine has"
        raise TooLargeError(f"{what} needs about {data_size(needed)}, {bound} {data_size(allowed)}")


def data_size(count: float) -> str:
    """Bytes as text in gigabytes, or in megabytes if there are few."""
    return f"{count / 1e9:,.1f} GB" if count >= 1e9 else f"{count / 1e6:,.1f} MB"
