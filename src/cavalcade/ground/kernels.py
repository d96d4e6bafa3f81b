"""Kernels: plain Python functions that numba compiles when the work is large enough to pay for it.

Importing numba takes about 0.3 s, loading a cached kernel another 0.3 s, compiling one for the first time
some seconds. So every kernel has two tiers with one source. Small work is interpreted over Python lists,
which are faster to index than arrays; large work is compiled over NumPy arrays. `Tier` decides once per call
and makes the matching containers. Once numba is loaded, a process compiles everything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from types import FunctionType
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from cavalcade.ground import __version__
from cavalcade.ground.budget import assert_time, start_clock, stop_clock

# what a kernel gets in either tier; arrays of cells (and other 32-bit numbers), of 64-bit ones, of yes and no
Vector: TypeAlias = NDArray[Any] | list[int]
Cells: TypeAlias = NDArray[np.int32]
Ints: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]
COMPILE_FROM = 1_500_000  # inner steps; interpreted they take about 0.3 s
LOADING = 0.6  # seconds to import numba and to load the first kernel from the disk
_watch: list[Any] = []  # what sees numba compile, once it is loaded


@cache
def compiled(plain: Callable[..., Any]) -> Callable[..., Any]:
    """A function and all that it calls, compiled on the first call and cached on disk.

    The key of the cache is the file and the name of the function, so the name contains a digest of the
    helpers, which may come from other files, and of the version.

    Raises:
        TimeoutError: it could not be loaded by the deadline.
    """
    if not Tier.warm:
        assert_time(f"to load the compiled code takes about {LOADING} s, and less is left", LOADING)
    import hashlib

    import numba

    if not _watch:
        _watch.append(_stop_the_clock(numba.core.event))
    every: list[Any] = [*_helpers(plain), plain]
    for helper in every[:-1]:
        numba.extending.register_jitable(helper)
    Tier.warm = True
    codes = [function.__code__ for function in every]
    text = repr([__version__, *((code.co_code, code.co_consts, code.co_names) for code in codes)])
    named = FunctionType(plain.__code__, plain.__globals__, plain.__name__, plain.__defaults__)
    named.__qualname__ = f"{plain.__qualname__}_{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    try:
        return _forgiving(numba.njit(cache=True, nogil=True)(named))
    except RuntimeError:  # no directory for the cache, as in a read-only container
        return numba.njit(cache=False, nogil=True)(named)


def _helpers(plain: Callable[..., Any]) -> list[FunctionType]:
    """The functions in Python that a function calls, and those that they call, callees before callers."""
    import dis

    found: dict[FunctionType, None] = {}
    for one in dis.get_instructions(plain):
        called = plain.__globals__.get(one.argval) if one.opname == "LOAD_GLOBAL" else None
        if isinstance(called, FunctionType) and called not in found:
            found |= dict.fromkeys([*_helpers(called), called])
    return list(found)


def _stop_the_clock(events: Any) -> Any:
    """Let the clock stand still while numba compiles a kernel that is not on the disk."""

    def compiling(event: Any) -> None:  # one kernel within another, too
        if event.is_start:
            stop_clock()
        else:
            start_clock()

    watch = events.TimingListener()
    watch.notify = compiling
    events.register("numba:compile", watch)
    return watch


def _forgiving(compiled: Any) -> Callable[..., Any]:
    """The same function, which works without its cache where that is damaged, or the disk is full."""
    cache = compiled._cache  # noqa: SLF001 - numba has no other way to it
    load, save = cache.load_overload, cache.save_overload

    def load_overload(*wanted: Any) -> Any:
        try:
            return load(*wanted)
        except Exception:  # noqa: BLE001 - a damaged file can raise anything when it is unpickled
            with suppress(OSError):
                cache.flush()
            return None

    def save_overload(*made: Any) -> None:
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

    def __call__(self, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """The function in this tier."""
        return compiled(kernel) if self.compiled else kernel

    def vector(self, array: NDArray[Any]) -> Vector:
        """An array for a kernel to use: itself, or as a list."""
        return array if self.compiled else array.tolist()

    def read_only(self, array: NDArray[Any]) -> Vector:
        """An array for a kernel to read only: for numba that is another type, compiled apart."""
        view = array.view()
        view.setflags(write=False)
        return self.vector(view)

    def full(self, size: int, fill: int = 0, dtype: type[np.signedinteger[Any]] = np.int32) -> Vector:
        """`size` integers, all of them `fill`: of 32 bits, unless the type says otherwise."""
        if not self.compiled:
            return [fill] * size
        return np.full(size, fill, dtype=dtype) if fill else np.zeros(size, dtype=dtype)

    def column(self, size: int, fill: int = 0) -> Vector:
        """The same of 64 bits."""
        return self.full(size, fill, np.int64)

    def words(self, numbers: Vector | Sequence[int]) -> Vector:
        """Numbers of 64 bits for a kernel to use."""
        return np.array(numbers, dtype=np.int64) if self.compiled else list(numbers)


def next_random(state: int) -> int:
    """The minimal standard generator (Park & Miller 1988, with the multiplier of 1993).

    Between 1 and 2**31 - 2; the product stays within 47 bits, so both tiers draw the same numbers.
    """
    return state * 48271 % 2147483647


def seed_state(seed: int) -> int:
    """A generator state from any seed: nearby seeds give unlike states."""
    return int(np.random.SeedSequence(abs(seed)).generate_state(1)[0]) % 2147483646 + 1
