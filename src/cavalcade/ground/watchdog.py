"""A thread that ends work in other threads that is late or too large, on every platform of CPython.

Code of ours checks its limits at counted work (`ground.budget`). The watchdog is for everything else: NumPy,
SciPy, other libraries, callbacks of the user, reading from a pipe. It raises an exception in the thread that
is late, at its next bytecode. Native code thus runs to its end, and the exception follows it; in the main
thread a system call is interrupted, too, if `system.make_wakeable` was called.

An exception may arrive anywhere, so it waits while the thread imports a module, runs a finalizer or a
callback of the garbage collector, or is in a function marked with `undisturbed`. If it is swallowed
nevertheless, it is raised again.
"""

from __future__ import annotations

import gc
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import NamedTuple, TypeVar

from cavalcade.ground import system

Function = TypeVar("Function", bound=Callable[..., object])


class Timing(NamedTuple):
    """The schedule of the watchdog, in seconds.

    Attributes:
        period: time between two looks at the memory of the process, or at a thread that cannot be interrupted
            now. A look takes 20 microseconds; a process fills about 50 MB per period.
        grace: time from the time limit to the interruption of a thread; code that reads the clock ends first.
        retry: time after which a swallowed exception is raised again; code that handles it takes less.
        idle: time without watches after which the thread ends, so that small calls do not start it each time.
    """

    period: float = 0.02
    grace: float = 0.4
    retry: float = 0.3
    idle: float = 1.0


TIMING = Timing()


class _Watch:
    """A block of code that a thread executes.

    Attributes:
        error: returns the class of the exception to raise now, or None.
        wait: returns the seconds until `error` has to be called.
        thread: identifier of the thread.
        raised: time on the clock at which the exception was raised last.
    """

    def __init__(self, error: Callable[[], type[BaseException] | None], wait: Callable[[], float]) -> None:
        self.error, self.wait = error, wait
        self.thread, self.raised = threading.get_ident(), -math.inf

    def end(self) -> None:
        """Remove the watch; an exception that the thread has not reached yet is taken back."""
        with _guarded.changed:
            if self in _guarded.watches:
                if self.raised > -math.inf:
                    system.withdraw_raised()
                _guarded.watches.remove(self)  # last, so that a second call repeats what Ctrl-C interrupts


class _Guarded:
    """The watches of all threads, and the thread that enforces them, while it runs."""

    def __init__(self) -> None:
        self.changed = threading.Condition(threading.RLock())
        self.watches: list[_Watch] = []
        self.patrol: threading.Thread | None = None
        self.wakes = -math.inf  # time on the clock at which the thread looks again

    def add(self, watch: _Watch) -> None:
        """Add a watch; start the thread if it does not run, or wake it if it would look too late."""
        with self.changed:
            self.watches.append(watch)
            if self.patrol is not None:
                if time.monotonic() + watch.wait() < self.wakes:
                    self.changed.notify()
                return
            self.patrol = threading.Thread(target=_patrol, name="cavalcade-watchdog", daemon=True)
            try:
                self.patrol.start()
            except RuntimeError:  # an isolated subinterpreter has no such threads, nor a process that ends
                self.patrol = None

    forked = __init__  # in a forked process neither the thread nor the owner of the lock exists


_guarded = _Guarded()
_undisturbed: set[CodeType] = {_Watch.end.__code__, _Guarded.add.__code__}
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_guarded.forked)


def undisturbed(function: Function) -> Function:
    """Decorate a function that the watchdog does not interrupt."""
    _undisturbed.add(function.__code__)
    return function


@contextmanager
@undisturbed
def watched(error: Callable[[], type[BaseException] | None], wait: Callable[[], float]) -> Iterator[None]:
    """Let the watchdog raise an exception in this thread while a block runs.

    Args:
        error: returns the class of the exception that is to be raised now, or None. It is called in the
            thread of the watchdog.
        wait: returns the seconds until the next call of `error`; infinite if there is nothing to watch.
    """
    if math.isinf(wait()):
        yield
        return
    watch = _Watch(error, wait)
    try:
        try:
            _guarded.add(watch)
            yield
        finally:
            watch.end()
    finally:  # again, because the exception may have arrived just before the first call
        watch.end()


def _patrol() -> None:
    """Enforce all watches until there is none for a while."""
    guarded = _guarded
    with guarded.changed:
        while True:
            guarded.wakes = math.inf
            if not guarded.watches and not guarded.changed.wait(TIMING.idle) and not guarded.watches:
                guarded.patrol = None
                return
            for watch in guarded.watches:
                _enforce(watch)
            seconds = max(
                min((watch.wait() for watch in guarded.watches), default=TIMING.idle), TIMING.period
            )
            guarded.wakes = time.monotonic() + seconds
            guarded.changed.wait(min(seconds, threading.TIMEOUT_MAX))


def _enforce(watch: _Watch) -> None:
    """Raise the exception of a watch if it is due and if its thread can be interrupted now."""
    error = watch.error()
    if error is None or time.monotonic() < watch.raised + TIMING.retry or _is_undisturbed(watch.thread):
        return
    watch.raised = time.monotonic()
    system.raise_in_thread(watch.thread, error)
    if watch.thread == threading.main_thread().ident:
        system.wake(watch.thread)


def _is_undisturbed(thread: int) -> bool:
    """Whether an exception would be lost in a thread, or disturb an import or the handling of another."""
    handled: object = sys._current_exceptions().get(thread)  # noqa: SLF001 - documented
    if isinstance(handled, tuple):  # before Python 3.12
        handled = handled[1]
    if isinstance(handled, TimeoutError | MemoryError):
        return True
    frame = sys._current_frames().get(thread)  # noqa: SLF001 - documented
    callbacks = {getattr(callback, "__code__", None) for callback in gc.callbacks}
    while frame is not None:
        code = frame.f_code
        if code in _undisturbed or code in callbacks or code.co_name == "__del__":
            return True
        if code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
