"""The moment by which the work under way has to end, for whatever might not be done by then."""

from __future__ import annotations

import math
import time
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_until: ContextVar[float] = ContextVar("_until", default=math.inf)


@contextmanager
def deadline(until: float) -> Iterator[None]:
    """Work in here has to end by this moment, of `time.perf_counter`, or by that of the work around it."""
    token = _until.set(min(until, _until.get()))
    try:
        yield
    finally:
        _until.reset(token)


def assert_time(what: str, needed: float = 0.0) -> None:
    """Give up what needs so many seconds if they are not left; it may be a step of longer work.

    Raises:
        TimeoutError: the deadline comes before; `what` is the message.
    """
    if time.perf_counter() + needed > _until.get():
        raise TimeoutError(what)
