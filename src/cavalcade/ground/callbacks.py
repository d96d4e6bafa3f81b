"""The caller's `progress`, whose exceptions must not be taken for the end of our own limits."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from cavalcade.ground.budget import LateError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Item = TypeVar("Item")


class Callback:
    """The caller's `progress`; what it raises passes code that handles our own limits, until `deliver`.

    A search that catches TimeoutError to return what it has would otherwise take an error of the caller for
    the end of its time.

    Args:
        function: the function to call.
    """

    def __init__(self, function: Callable[..., object]) -> None:
        self.function = function

    def __call__(self, *event: object) -> None:
        """Call the function.

        Raises:
            CallbackError: the function raised an exception, which is its `__cause__`.
        """
        try:
            self.function(*event)
        except (CallbackError, LateError):  # the former of another callback, which this function calls
            raise
        except Exception as error:
            raise CallbackError(self) from error

    @contextmanager
    def deliver(self) -> Iterator[None]:
        """A block that raises what the function raised in it."""
        try:
            yield
        except CallbackError as error:
            if error.callback is not self or error.__cause__ is None:
                raise
            raise error.__cause__ from None

    def delivered(self, items: Iterator[Item]) -> Iterator[Item]:
        """The items of an iterator, which raises what the function raised."""
        with self.deliver():
            yield from items


class CallbackError(Exception):
    """Carries an exception of the caller's `progress`.

    Args:
        callback: the callback that raised it.
    """

    def __init__(self, callback: Callback) -> None:
        self.callback = callback
