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
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import Context, ContextVar, copy_context
from functools import cache, partial
from typing import Any, NamedTuple, Self, TypeVar

from cavalcade.ground import system
from cavalcade.ground.errors import TooLargeError, bytes_of, seconds_of
from cavalcade.ground.watchdog import TIMING, undisturbed, watched

Item = TypeVar("Item")

CANCELLED = "cancelled"  # the reason of work that a scope ended
REACHED = "the time limit is reached"  # the message of an error without a reason of its own
SECOND = 100_000_000  # inner steps of compiled kernels per second, about


class Allowance(NamedTuple):
    """Memory granted beside a memory limit, in bytes.

    Attributes:
        modules: physical memory of modules that are imported within the limit. NumPy, SciPy and our modules
            take 60 MB.
        reserved: private memory, which counts allocations whether they are used or not. The libraries
            allocate 300 MB for the stacks of threads and the buffers of BLAS.
    """

    modules: int = 64_000_000
    reserved: int = 400_000_000


ALLOWANCE = Allowance()


class BudgetOverError(Exception):
    """The budget of an engine is spent; the engine that owns the budget catches it."""


class Budget:
    """Counted work that engines spend.

    Args:
        work: inner steps; by default unlimited.
        whole: the budget of which this one is a part, and which is charged as well.
        on_spend: called with all work that is spent, whenever some is; only for a budget that is no part.
    """

    def __init__(
        self,
        work: float = math.inf,
        whole: Budget | None = None,
        on_spend: Callable[[float], object] | None = None,
    ) -> None:
        self.work, self.spent, self.whole, self.on_spend = work, 0.0, whole, on_spend

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
        remaining = self.left
        self.spent += work
        if self.whole is not None:
            self.whole.spend(min(work, max(remaining, 0)))  # work that does not fit is not started
        else:
            assert_time()
            if self.on_spend is not None:
                self.on_spend(self.spent)
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


class CancelScope:
    """A block of calls of cavalcade that another thread or a callback can cancel.

    `cancel()` ends the work in the block as a time limit does: within half a second, and what was found until
    then is kept. A verdict is undecided, an iterator has yielded the tours found so far, a survey or a count
    with a checkpoint can be resumed. A function that has nothing to return raises TooLargeError.

    Attributes:
        cancelled: whether `cancel()` was called.

    Examples:
        >>> with CancelScope() as scope:
        ...     scope.cancel()  # for example in a thread of a user interface
        ...     print(tour("30x30").status)
        undecided
    """

    def __init__(self) -> None:
        self._since = math.inf  # time on the clock
        self._stack = ExitStack()

    @property
    def cancelled(self) -> bool:
        """Whether `cancel()` was called."""
        return self._since < math.inf

    def cancel(self) -> None:
        """End the work in the block."""
        self._since = min(self._since, _now())

    def __enter__(self) -> Self:
        outer = _limits.get()
        self._stack.callback(_limits.reset, _limits.set(outer._replace(scopes=(*outer.scopes, self))))
        # work that does not read the clock is interrupted
        self._stack.enter_context(watched(lambda: _late_at(self._since), lambda: TIMING.period))
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()


class Limits(NamedTuple):
    """The limits of the current work.

    Attributes:
        until: time on the clock by which it must end, in seconds.
        memory: memory limit in bytes.
        scopes: scopes that can cancel it.
        progress: called with an `Effort` after every run of an engine, see `report`.
    """

    until: float = math.inf
    memory: int | None = None
    scopes: tuple[CancelScope, ...] = ()
    progress: Callable[[Any], object] | None = None

    @property
    def end(self) -> float:
        """Time on the clock by which the work must end, or at which it was cancelled."""
        return min([self.until, *(scope._since for scope in self.scopes)])  # noqa: SLF001 - the same module


_limits: ContextVar[Limits] = ContextVar("_limits", default=Limits())  # noqa: B039 - it is frozen
_stopped_seconds = [0.0]  # total time for which the clock was stopped
_stopped_since: list[float] = []  # when it was stopped, if it is; nested stops append


def _now() -> float:
    """The clock in seconds, without the time for which it was stopped."""
    return (_stopped_since or [time.perf_counter()])[0] - _stopped_seconds[0]


@contextmanager
def limits(
    seconds: float = math.inf,
    memory: int | str | None = None,
    progress: Callable[[Any], object] | None = None,
) -> Iterator[None]:
    """Limit the time and the memory of a block, within the limits of the code around it.

    Args:
        seconds: time limit.
        memory: memory limit in bytes.
        progress: called with every `report` of the block; without it the block reports nothing.
    """
    outer = _limits.get()
    requested = None if memory is None else bytes_of(memory)
    bounds = [bound for bound in (requested, outer.memory) if bound is not None]
    until, least = min(_now() + seconds, outer.until), min(bounds) if bounds else None
    token = _limits.set(outer._replace(until=until, memory=least, progress=progress))
    try:
        yield
    finally:
        _limits.reset(token)


def report(event: object) -> None:
    """Call the `progress` of the current limits, if there is one."""
    if (progress := _limits.get().progress) is not None:
        progress(event)


def is_cancelled() -> bool:
    """Whether a scope of the current work was cancelled."""
    return any(scope.cancelled for scope in _limits.get().scopes)


def because(reason: str = "", seconds: float | None = None) -> str:
    """Why work ended before it was done.

    Args:
        reason: what was not reached; by default the time limit.
        seconds: the time limit, which completes the sentence.

    Returns:
        The reason, or that the work was cancelled, and the reason.
    """
    if is_cancelled():
        is_said = not reason or reason.startswith(CANCELLED)
        return (reason or CANCELLED) if is_said else f"{CANCELLED}: {reason}"
    if seconds is not None:
        return f"{reason} in {f'{seconds:g} s' if math.isfinite(seconds) else 'time'}"
    return reason or REACHED


class _CancelledError(TooLargeError, TimeoutError):
    """Cancelled work that has nothing to return."""


class LateError(TimeoutError):
    """The watchdog's exception in a thread that is late."""

    def __init__(self) -> None:
        super().__init__(because())


class _TooMuchMemoryError(MemoryError):
    """The watchdog's exception in a process that has more memory than its limit."""

    def __init__(self) -> None:
        super().__init__("the memory limit is reached")


def _late_at(until: float) -> type[LateError] | None:
    """The exception of a thread that has to end at a time on the clock, if it is due."""
    return LateError if _now() > until + TIMING.grace and not _stopped_since else None


@contextmanager
def guard(seconds: float = math.inf, memory: int | None = None) -> Iterator[None]:
    """`limits` for a whole process, enforced for code that checks neither the clock nor its memory.

    `TIMING.grace` seconds after the time limit, the watchdog raises TimeoutError in this thread. The system
    refuses memory beyond the limit with MemoryError if it can do so. On other systems, and for memory that
    the system does not count, the watchdog raises MemoryError. The limit does not include the memory that is
    in use at the beginning, and the memory of code that is loaded or compiled within `uncounted`.
    """
    with limits(seconds, memory):
        until = _limits.get().until
        bound = None
        if memory is not None:
            bound = system.memory_in_use() + memory + ALLOWANCE.modules - _uncounted_bytes[0]

        def error() -> type[BaseException] | None:
            if bound is not None and not _uncounted and system.memory_in_use() > bound + _uncounted_bytes[0]:
                return _TooMuchMemoryError
            return _late_at(until)

        def wait() -> float:
            return TIMING.period if bound is not None else until + TIMING.grace - _now()

        data = system.data_limit()
        wakeable = system.make_wakeable()
        try:
            if memory is not None and data is None:
                system.limit_data(system.data_in_use() + memory + ALLOWANCE.reserved)
            with watched(error, wait):
                yield
        finally:
            if wakeable:
                system.end_wakeable()
            if memory is not None and data is None:
                system.limit_data(None)


_uncounted: list[int] = []  # physical memory at the beginning of each `uncounted` block that is under way
_uncounted_bytes = [0]  # bytes that such blocks have added


@contextmanager
@undisturbed
def uncounted() -> Iterator[None]:
    """Load or compile code: the memory for that is not part of a memory limit."""
    began, data, limit = system.memory_in_use(), system.data_in_use(), system.data_limit()
    _uncounted.append(began)
    system.limit_data(None)
    try:
        yield
    finally:
        _uncounted.pop()
        if not _uncounted:
            _uncounted_bytes[0] += max(system.memory_in_use() - began, 0)
        if limit is not None:
            system.limit_data(limit + max(system.data_in_use() - data, 0))


@contextmanager
def bounded(
    time_limit: float | None,
    memory: int | str | None,
    progress: Callable[[Any], object] | None = None,
) -> Iterator[None]:
    """Apply the two limits of a public function to a block, after validation.

    Args:
        time_limit: seconds; None for no limit besides that of the code around it.
        memory: bytes; None for half of the machine's memory.
        progress: called with every `report` of the block.

    Raises:
        CavalcadeError: a limit is not a number.
        TooLargeError: a limit is reached; the message says how far the work came.
    """
    seconds = math.inf if time_limit is None else seconds_of(time_limit)
    allowed = machine_memory() // 2 if memory is None else bytes_of(memory)
    earlier = _limits.get().until
    with limits(seconds, allowed, progress), _reported(time_limit):
        until = _limits.get().until
        if until < earlier:  # the watchdog of the code around this block would be too late
            with watched(partial(_late_at, until), lambda: until + TIMING.grace - _now()):
                yield
        else:
            yield


@contextmanager
def _reported(time_limit: float | None) -> Iterator[None]:
    """Turn TimeoutError into TooLargeError if the caller has set a time limit or has cancelled."""
    try:
        yield
    except TimeoutError as error:
        if str(error).startswith(CANCELLED):
            raise _CancelledError(str(error)) from None
        if time_limit is None:
            raise
        detail = "" if str(error) == REACHED else f": {error}"
        raise TooLargeError(f"the time limit of {time_limit:g} s is reached{detail}") from None


def bounded_items(
    items: Callable[[], Iterable[Item]],
    *,
    time_limit: float | None,
    memory: int | str | None,
    progress: Callable[[Any], object] | None = None,
) -> Iterator[Item]:
    """The items of an iterator, each made within the limits of `bounded`, which count from now.

    The caller's work between two items counts towards the time limit, but not towards the memory limit.

    Args:
        items: makes the iterator, also within the limits.
        time_limit: seconds, as for `bounded`.
        memory: bytes, as for `bounded`.
        progress: called with every `report` of the iterator.
    """
    with bounded(time_limit, memory, progress):
        iterator, context = iter(items()), copy_context()
    return _items(iterator, context, time_limit)


def _items(iterator: Iterator[Item], context: Context, time_limit: float | None) -> Iterator[Item]:
    while True:
        with _reported(time_limit):
            try:
                item = context.run(next, iterator)
            except StopIteration:
                return
        yield item  # nothing is left to do here when the caller drops the iterator


@undisturbed
def stop_clock() -> None:
    """Stop the clock for work that is done once per machine, such as compiling a kernel."""
    _stopped_since.append(time.perf_counter())


@undisturbed
def start_clock() -> None:
    """Undo one `stop_clock`; the clock runs again when all of them are undone."""
    began = _stopped_since.pop()
    if not _stopped_since:
        _stopped_seconds[0] += time.perf_counter() - began


def stopped_seconds() -> float:
    """The total time for which the clock was stopped."""
    return _stopped_seconds[0]


def clock_stands() -> bool:
    """Whether the clock is stopped."""
    return bool(_stopped_since)


def seconds_left() -> float:
    """Seconds until the time limit of the current work; negative afterwards."""
    return _limits.get().end - _now()


def assert_time(what: str = "", needed: float = 0.0) -> None:
    """Stop if less than `needed` seconds are left.

    Raises:
        TimeoutError: the time does not suffice; `what` is the message, by default the time limit. If the work
            was cancelled, the message says so, and what was done until then.
    """
    if seconds_left() < needed:
        raise TimeoutError(because("" if needed and is_cancelled() else what))


machine_memory = cache(system.total_memory)


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
    """Bytes as text, in the unit that leaves one digit or more before the point."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:,.1f} {unit}"
    return f"{count:,.0f} bytes"
