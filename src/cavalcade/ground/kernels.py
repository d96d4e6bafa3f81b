"""Kernels: plain Python functions that numba compiles when the work is large enough to pay for it.

Importing numba takes about 0.3 s, loading a cached kernel another 0.3 s, compiling one for the first time
some seconds. So every kernel has two tiers with one source. Small work is interpreted over Python lists,
which are faster to index than arrays; large work is compiled over NumPy arrays. `Tier` decides once per call
and makes the matching containers. Once numba is loaded, a process compiles everything.
"""

from __future__ import annotations

import hashlib
import time
from contextlib import suppress
from functools import cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cavalcade.ground import __version__
from cavalcade.ground.budget import assert_time, extend

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Vector = NDArray[Any] | list[int]

COMPILE_FROM = 1_500_000  # inner steps; interpreted they take about 0.3 s
LOADING = 0.6  # seconds to import numba and to load the first kernel from the disk
_watch: list[Any] = []  # what sees numba compile, once it is loaded


class Kernel:
    """A function in both tiers.

    Args:
        plain: the function; it may call only functions that numba supports and those in `uses`.
        uses: the helpers it calls, callees before callers.
    """

    def __init__(self, plain: Callable[..., Any], uses: Sequence[Callable[..., Any]] = ()) -> None:
        self.plain = plain
        self.uses = uses

    @cached_property
    def compiled(self) -> Callable[..., Any]:
        """The function, compiled on its first call and cached on disk.

        The key of the cache is the file and the name of the function, so the name contains a digest of the
        helpers, which may come from other files, and of the version.

        Raises:
            TimeoutError: it could not be loaded by the deadline.
        """
        if not Tier.warm:
            assert_time(f"to load the compiled code takes about {LOADING} s, and less is left", LOADING)
        import numba

        if not _watch:
            _watch.append(_stop_the_clock(numba.core.event))
        for helper in self.uses:
            numba.extending.register_jitable(helper)
        Tier.warm = True
        plain = self.plain
        named = FunctionType(plain.__code__, plain.__globals__, plain.__name__, plain.__defaults__)
        named.__qualname__ = f"{plain.__qualname__}_{self.digest}"
        try:
            return _forgiving(numba.njit(cache=True, nogil=True)(named))
        except RuntimeError:  # no directory for the cache, as in a read-only container
            return numba.njit(cache=False, nogil=True)(named)

    @property
    def digest(self) -> str:
        """Distinguishes this kernel from one with other helpers, or of another version."""
        codes = [function.__code__ for function in (self.plain, *self.uses)]
        text = repr([__version__, *((code.co_code, code.co_consts, code.co_names) for code in codes)])
        return hashlib.sha256(text.encode()).hexdigest()[:12]


def _stop_the_clock(events: Any) -> Any:  # noqa: ANN401 - numba has no types
    """Let the clock stand still while numba compiles a kernel that is not on the disk."""
    begun: list[float] = []  # one in another

    def compiling(event: Any) -> None:  # noqa: ANN401 - as above
        if event.is_start:
            begun.append(time.perf_counter())
        elif len(begun) > 1:
            begun.pop()
        else:
            extend(time.perf_counter() - begun.pop())

    watch = events.TimingListener()
    watch.notify = compiling
    events.register("numba:compile", watch)
    return watch


def _forgiving(compiled: Any) -> Callable[..., Any]:  # noqa: ANN401 - numba has no types
    """The same function, which works without its cache where that is damaged, or the disk is full."""
    cache = compiled._cache  # noqa: SLF001 - numba has no other way to it
    load, save = cache.load_overload, cache.save_overload

    def load_overload(*wanted: Any) -> Any:  # noqa: ANN401 - as above
        try:
            return load(*wanted)
        except Exception:  # noqa: BLE001 - a damaged file can raise anything when it is unpickled
            with suppress(OSError):
                cache.flush()
            return None

    def save_overload(*made: Any) -> None:  # noqa: ANN401 - as above
        with suppress(OSError):
            save(*made)

    cache.load_overload, cache.save_overload = load_overload, save_overload
    return cast("Callable[..., Any]", compiled)


class Tier:
    """Interpreted or compiled, for one piece of work.

    Args:
        work: an estimate of its inner steps.
        compiled: True or False to choose the tier, None to let the estimate decide.
    """

    warm = False  # numba is loaded: from here on it costs nothing

    def __init__(self, work: float, *, compiled: bool | None = None) -> None:
        self.compiled = (Tier.warm or work >= COMPILE_FROM) if compiled is None else compiled

    def __call__(self, kernel: Kernel) -> Callable[..., Any]:
        """The kernel's function in this tier."""
        return kernel.compiled if self.compiled else kernel.plain

    def vector(self, array: NDArray[Any]) -> Vector:
        """An array for a kernel to use: itself, or as a list."""
        return array if self.compiled else array.tolist()

    def read_only(self, array: NDArray[Any]) -> Vector:
        """An array for a kernel to read only: for numba that is another type, compiled apart."""
        view = array.view()
        view.setflags(write=False)
        return self.vector(view)

    def full(self, size: int, fill: int = 0) -> Vector:
        """`size` 32-bit integers, all of them `fill`."""
        if not self.compiled:
            return [fill] * size
        return np.full(size, fill, dtype=np.int32) if fill else np.zeros(size, dtype=np.int32)


def next_random(state: int) -> int:
    """The minimal standard generator (Park & Miller 1988, with the multiplier of 1993).

    Between 1 and 2**31 - 2; the product stays within 47 bits, so both tiers draw the same numbers.
    """
    return state * 48271 % 2147483647


def seed_state(seed: int) -> int:
    """A generator state from any seed: nearby seeds give unlike states."""
    return int(np.random.SeedSequence(abs(seed)).generate_state(1)[0]) % 2147483646 + 1
