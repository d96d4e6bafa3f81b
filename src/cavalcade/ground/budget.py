"""What a question may cost: counted work, and around it one clock and one memory.

Work decides everything that happens: which engine is asked next, for how long, and when a try is given up.
It is counted in inner steps of kernels (moves looked at, states made, literals propagated), so that the same
question with the same seed has the same answer on any machine, busy or idle. The clock and the memory do one
thing: they end the whole, which is then undecided. So whatever works for long raises TimeoutError when the
clock ends it, TooLargeError when it does not fit, and BudgetOverError inside the engine whose budget is over;
docstrings say so only of functions of the public interface.
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
from typing import Any, NamedTuple, TypeVar

from cavalcade.ground.errors import TooLargeError, seconds_of, whole

Item = TypeVar("Item")

SECOND = 100_000_000  # inner steps of compiled kernels in a second, about
GRACE = 0.4  # seconds after the time limit until an alarm rings, and
AGAIN = 0.001  # until it rings once more where it was swallowed
LIBRARIES = 400_000_000  # bytes of the interpreter, the libraries and the compiler, besides the work's own
LIMIT_FILES = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


class BudgetOverError(Exception):
    """The work that an engine may do is done: it is caught by the engine that got the budget."""


class Budget:
    """Counted work that engines spend.

    Args:
        work: inner steps; by default without end.
        whole: the budget of which this is a part, and which also pays.
    """

    def __init__(self, work: float = math.inf, whole: Budget | None = None) -> None:
        self.work, self.spent, self.whole = work, 0.0, whole

    def __repr__(self) -> str:
        return f"<Budget {self.spent:,.0f} of {self.work:,.0f} spent>"

    @property
    def left(self) -> float:
        """The work that may still be done."""
        return self.work - self.spent

    @property
    def over(self) -> bool:
        """Whether nothing is left."""
        return self.spent >= self.work

    def spend(self, work: float) -> bool:
        """Pay for work that was done or is about to be; whether anything is left.

        Raises:
            TimeoutError: the clock has ended the whole.
        """
        left = self.left
        self.spent += work
        if self.whole is not None:
            self.whole.spend(min(work, max(left, 0)))  # what does not fit is not begun
        else:
            assert_time("the time limit is reached")
        return not self.over

    def charge(self, work: float) -> None:
        """The same, for code that cannot go on without.

        Raises:
            BudgetOverError: nothing is left.
            TimeoutError: the clock has ended the whole.
        """
        if not self.spend(work):
            raise BudgetOverError

    def part(self, work: float) -> Budget:
        """A budget of so much work at most, paid by this one."""
        return Budget(min(work, self.left), self)

    def refill(self, work: float) -> None:
        """So much more work from here on, at most what the whole has left."""
        self.work = self.spent + (work if self.whole is None else min(work, self.whole.left))


class Limits(NamedTuple):
    """The moment, of the clock, by which the work under way must end, and its bytes of memory."""

    until: float = math.inf
    memory: int | None = None


_limits: ContextVar[Limits] = ContextVar("_limits", default=Limits())  # noqa: B039 - it is frozen
_stood_still = [0.0]  # the seconds for which the clock stood still
_standing: list[float] = []  # the moment since which it does, if it does


def _now() -> float:
    """The clock: seconds, without those for which it stood still."""
    return (_standing or [time.perf_counter()])[0] - _stood_still[0]


@contextmanager
def limits(seconds: float = math.inf, memory: int | None = None) -> Iterator[None]:
    """Work in here must end within so many seconds and bytes, and within the limits of the work around it."""
    around = _limits.get()
    known = [one for one in (memory, around.memory) if one is not None]
    token = _limits.set(Limits(min(_now() + seconds, around.until), min(known) if known else None))
    try:
        yield
    finally:
        _limits.reset(token)


class _AlarmError(TimeoutError):
    """The alarm of a guard."""


@contextmanager
def guard(seconds: float = math.inf, memory: int | None = None) -> Iterator[None]:
    """`limits` for a whole process, and a last resort against work that heeds none of them.

    Four tenths of a second after the time limit an alarm raises TimeoutError in the main thread, once; and
    again where Python swallows it, in finalizers and callbacks of the garbage collector. Memory beyond the
    limit, besides what the process holds already and what libraries and compiled code take, is refused by the
    system: MemoryError.
    Outside the main thread, and where the system has no alarms, it is `limits` alone. A guard within another
    one sets the alarm of that one again when it ends.
    """
    around = _limits.get().until
    with limits(seconds, memory):
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            yield
            return
        import resource

        until = _limits.get().until

        def ring(*_: object) -> None:
            if (left := until + GRACE - _now()) > 0:  # the clock stood still, or still does
                signal.setitimer(signal.ITIMER_REAL, left)
            else:
                raise _AlarmError("the time limit is reached")

        def unheard(what: Any) -> None:
            if isinstance(what.exc_value, _AlarmError):
                signal.setitimer(signal.ITIMER_REAL, AGAIN)
            else:
                others(what)

        others, sys.unraisablehook = sys.unraisablehook, unheard
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
            sys.unraisablehook = others
            if math.isfinite(around):
                signal.setitimer(signal.ITIMER_REAL, max(around + GRACE - _now(), GRACE))
            resource.setrlimit(resource.RLIMIT_DATA, data)


@contextmanager
def bounded(time_limit: float | None, memory: int | None) -> Iterator[None]:
    """The door of a public function with both limits: the work in here must end within them.

    Args:
        time_limit: seconds; None is no limit besides that of the work around it.
        memory: bytes; None is half of the machine's memory.

    Raises:
        CavalcadeError: a limit is no number.
        TooLargeError: a limit is reached; the message says how far the work came.
    """
    seconds = math.inf if time_limit is None else seconds_of(time_limit)
    room = machine_memory() // 2 if memory is None else whole(memory, "memory")
    with limits(seconds, room), _reported(time_limit):
        yield


@contextmanager
def _reported(time_limit: float | None) -> Iterator[None]:
    """A time limit that is reached in here ends as what is too large for it."""
    try:
        yield
    except TimeoutError as error:
        if time_limit is None:
            raise
        raise TooLargeError(f"the time limit of {time_limit:g} s is reached: {error}") from None


def bounded_items(
    items: Callable[[], Iterable[Item]], *, time_limit: float | None, memory: int | None
) -> Iterator[Item]:
    """The items of an iterator, each made within the limits of `bounded`, which count from now.

    What is done between the items with them is not limited in memory, but the clock goes on.

    Args:
        items: makes the iterator, also within the limits.
        time_limit: as for `bounded`.
        memory: as for `bounded`.
    """
    with bounded(time_limit, memory):
        made, context = iter(items()), copy_context()
    return _each(made, context, time_limit)


def _each(made: Iterator[Item], context: Context, time_limit: float | None) -> Iterator[Item]:
    with _reported(time_limit):
        while True:
            try:
                item = context.run(next, made)
            except StopIteration:
                return
            yield item


def stop_clock() -> None:
    """Let the clock stand still for what is done once on a machine, such as compiling a kernel."""
    _standing.append(time.perf_counter())


def start_clock() -> None:
    """Let it go on, once for each time that it was stopped."""
    began = _standing.pop()
    if not _standing:
        _stood_still[0] += time.perf_counter() - began


def clock_stands() -> bool:
    """Whether such a thing is being done."""
    return bool(_standing)


def seconds_left() -> float:
    """The seconds until the clock ends the work under way; below 0 when it is over."""
    return _limits.get().until - _now()


def assert_time(what: str, needed: float = 0.0) -> None:
    """Give up what needs so many seconds if they are not left; it may be a step of longer work.

    Raises:
        TimeoutError: the clock comes before; `what` is the message.
    """
    if seconds_left() < needed:
        raise TimeoutError(what)


@cache
def machine_memory() -> int:
    """The bytes of memory of this machine, or of its container if that is less.

    A terabyte if neither is known.
    """
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
    """The bytes of data that this process holds, as its limit counts them, or 0 if that is not known."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def memory_limit() -> int:
    """The bytes that the work under way may take: its limit, or what the machine has."""
    given = _limits.get().memory
    return machine_memory() if given is None else min(given, machine_memory())


def assert_room(needed: int, what: str) -> None:
    """Refuse work that needs more memory than it may take.

    Args:
        needed: bytes.
        what: the subject of the sentence, such as "the move graph of 9x9".

    Raises:
        TooLargeError: it does not fit.
    """
    most = memory_limit()
    if needed > most:
        has = "the memory limit is" if most < machine_memory() else "this machine has"
        raise TooLargeError(f"{what} needs about {data_size(needed)}, {has} {data_size(most)}")


def data_size(count: float) -> str:
    """Bytes in gigabytes, or where they are few in megabytes."""
    return f"{count / 1e9:,.1f} GB" if count >= 1e9 else f"{count / 1e6:,.1f} MB"
