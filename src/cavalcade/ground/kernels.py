"""Kernels: plain Python functions that numba compiles when the work is large enough to pay for it.

Importing numba and loading the first kernel from the disk takes 0.2 to 0.4 s, compiling one for the first
time 0.1 to 1 s. So every kernel has two tiers with one source. Small work is interpreted over Python lists,
which are faster to index than arrays; large work is compiled over NumPy arrays. `Tier` decides once per call
and makes the matching containers. Much small work is large: its steps are added up. Once numba is loaded, a
process compiles everything.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from cavalcade import ground
from cavalcade.ground.budget import assert_time, seconds_left, start_clock, stop_clock

# what a kernel gets in either tier; arrays of cells (and other 32-bit numbers), of 64-bit ones, of yes and no
Vector: TypeAlias = NDArray[Any] | list[int]
Cells: TypeAlias = NDArray[np.int32]
Ints: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]
COMPILE_FROM = 1_500_000  # inner steps of one piece of work; interpreted they take about 0.3 s
COMPILE_AFTER = 4_000_000  # of all pieces that a process has interpreted
LOADING = 0.5  # seconds to import numba and to load the first kernel from the disk
OPTIONS = {"nogil": True, "no_cfunc_wrapper": True}  # no kernel is called from C
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

    with without_collecting():
        numba = _numba()
    if not _watch:
        _watch.append(_stop_the_clock(numba.core.event))
    Tier.warm = True
    every: list[Any] = [*_helpers(plain), plain]
    codes = [function.__code__ for function in every]
    text = repr([ground.__version__, *((code.co_code, code.co_consts, code.co_names) for code in codes)])
    named = _with_helpers(plain)
    named.__qualname__ = f"{plain.__qualname__}_{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    try:
        made = _forgiving(numba.njit(cache=True, **OPTIONS)(named))
    except RuntimeError:  # no directory for the cache, as in a read-only container
        made = numba.njit(**OPTIONS)(named)
    return made


@contextmanager
def without_collecting() -> Iterator[None]:
    """Suspend the collector of garbage: a tenth of the time to compile, most of that to make many lists."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _numba() -> Any:
    """The compiler, without the BLAS of SciPy: a tenth of a second to load, and no kernel needs it.

    Numba only asks whether there is one. It imports it itself when somebody else's kernel needs it.
    """
    import numba

    blas = "scipy.linalg.cython_blas"
    stands_for = ModuleType(blas)
    if sys.modules.setdefault(blas, stands_for) is stands_for:
        try:
            import numba.np.arraymath
        finally:
            del sys.modules[blas]
    return numba


def _called(plain: Callable[..., Any]) -> dict[str, FunctionType]:
    """The functions in Python that a function calls, by the names that it has for them."""
    import dis

    names = dict.fromkeys(one.argval for one in dis.get_instructions(plain) if one.opname == "LOAD_GLOBAL")
    found = ((name, plain.__globals__.get(name)) for name in names)
    return {name: called for name, called in found if isinstance(called, FunctionType)}


def _helpers(plain: Callable[..., Any]) -> list[FunctionType]:
    """The functions that a function calls, and those that they call, callees before callers."""
    found: dict[FunctionType, None] = {}
    for called in _called(plain).values():
        found |= dict.fromkeys([*_helpers(called), called])
    return list(found)


def _with_helpers(plain: Callable[..., Any]) -> FunctionType:
    """A copy of a function that calls compiled ones."""
    inner = {name: _helper(called) for name, called in _called(plain).items()}
    return FunctionType(plain.__code__, plain.__globals__ | inner, plain.__name__, plain.__defaults__)


@cache
def _helper(plain: FunctionType) -> Any:
    """A function for compiled ones to call, itself compiled when it is.

    Integers that it is given have 64 bits, also where they are read from arrays of 32: else numba would
    compile it once for each mixture of both that occurs.
    """
    numba = _numba()

    made = numba.njit(no_cpython_wrapper=True, **OPTIONS)(_with_helpers(plain))
    template = made.get_call_template

    def widened(given: Any, named: Any) -> Any:
        kinds = [numba.types.unliteral(one) for one in given]
        short = [isinstance(kind, numba.types.Integer) and kind.signed for kind in kinds]
        wide = zip(given, short, strict=True)
        return template(tuple(numba.types.int64 if is_short else one for one, is_short in wide), named)

    made.get_call_template = widened
    return made


def _stop_the_clock(events: Any) -> Any:
    """Let the clock stand still while numba compiles a kernel that is not on the disk."""
    under_way = []  # one kernel within another, too

    def compiling(event: Any) -> None:
        if event.is_start:
            stop_clock()
            under_way.append(suspended := without_collecting())
            suspended.__enter__()
        else:
            under_way.pop().__exit__(None, None, None)
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
            with without_collecting():
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
        compiled: True or False to choose the tier, None to let the estimate decide, with all that this
            process has interpreted before.
    """

    warm = False  # numba is loaded: from here on it costs nothing
    interpreted = 0.0  # inner steps of this process so far, about

    def __init__(self, work: float, *, compiled: bool | None = None) -> None:
        if compiled is None:
            enough = Tier.interpreted + work >= COMPILE_AFTER and seconds_left() >= LOADING
            compiled = Tier.warm or work >= COMPILE_FROM or enough
            Tier.interpreted += 0 if compiled else work
        self.compiled = compiled

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

    def full(self, size: int, fill: int = 0, dtype: type[np.integer[Any]] = np.int32) -> Vector:
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
