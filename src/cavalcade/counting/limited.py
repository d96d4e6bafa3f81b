"""The time limit of a count: its steps look whether the deadline has come, and it ends as one too large."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from cavalcade.ground.budget import assert_time, limits
from cavalcade.ground.errors import TooLargeError, seconds_of

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def limited(time_limit: float | None) -> Iterator[None]:
    """What is counted in here takes no more than so many seconds; None is no limit.

    Raises:
        CavalcadeError: the limit is no number of seconds.
        TooLargeError: it takes longer; the message says how far it came, or why it did not begin.
    """
    if time_limit is None:
        yield
        return
    seconds = seconds_of(time_limit)
    try:
        with limits(seconds):
            yield
    except TimeoutError as error:
        raise TooLargeError(f"not counted in {seconds:g} s: {error}") from None


def in_time(done: float) -> None:
    """Go on with a step of which this part is done, from 0 to 1.

    Raises:
        TimeoutError: the deadline has come.
    """
    assert_time(f"{done:.0%} of the last step were done")
