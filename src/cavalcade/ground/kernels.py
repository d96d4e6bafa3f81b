"""Kernels: plain Python functions that numba compiles when the work is large enough to pay for it.

Every kernel has one source and two tiers:

- *interpreted*: the function itself, over Python lists, which are faster to index than arrays. It needs no
  import, and serves small work.
- *compiled*: the same function, compiled by numba, over NumPy arrays. To import numba and load the first
  kernel from the disk takes 0.2 to 0.4 s; to compile one for the first time takes 0.1 to 1 s.

`Tier` chooses one of the two for each piece of work and makes the matching containers:

- work of at least `COMPILE_FROM` inner steps is compiled;
- small calls add up: after `COMPILE_AFTER` interpreted steps, the process compiles;
- once numba is loaded, everything is compiled.

The tier never changes an answer. Kernels use only what lists and arrays share (indexing, `len`, slices to
read), in numba's subset of Python, and keep state between calls in a `NamedTuple` that they return. See
`docs/decisions/0002-two-tiers.md`.
"""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, lru_cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from cavalcade import ground
from cavalcade.ground.budget import assert_time, seconds_left, start_clock, stop_clock, uncounted
from cavalcade.ground.folders import is_private
from cavalcade.ground.watchdog import undisturbed

Vector: TypeAlias = NDArray[Any] | list[int]  # a container of a kernel in either tier
Cells: TypeAlias = NDArray[np.int32]  # cells, and other 32-bit integers
Ints: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]

# Inner steps from which a piece of work is compiled: interpreted they take about 0.3 s, as long as
# numba takes to load.
COMPILE_FROM = 1_500_000
# Inner steps interpreted in a process, over all calls, from which it compiles: less than a second of them.
COMPILE_AFTER = 4_000_000
# Seconds to import numba and load the first kernel from the disk. With less time left, nothing is compiled.
LOADING = 0.5
INTERPRETED = True  # False in compiled code: a kernel may take another way to the same result
OPTIONS = {"nogil": True, "no_cfunc_wrapper": True}  # no kernel is called from C
PERIOD = 2**31 - 1  # modulus of the random numbers, a prime
_refused: list[str] = []  # the first folder that other users can write; it is reported once
_listeners: list[Any] = []  # the listener to numba's events, once numba is loaded


@cache
def compiled(plain: Callable[..., Any]) -> Callable[..., Any]:
    """A compiled version of a function and of its helpers; it is cached on disk.

    numba's cache is keyed by the file and the name of the function, and does not notice changed helpers in
    other files. So a digest of the helpers and the package version is appended to the name.

    Raises:
        TimeoutError: numba could not be loaded by the deadline.
    """
    if not Tier.warm:
        assert_time(f"to load the compiled code takes about {LOADING} s, and less is left", LOADING)
    import hashlib

    with without_collecting():
        numba = _numba()
    if not _listeners:
        _listeners.append(_stop_the_clock(numba.core.event))
    Tier.warm = True
    functions: list[Any] = [*_helpers(plain), plain]
    codes = [function.__code__ for function in functions]
    text = repr([ground.__version__, *((code.co_code, code.co_consts, code.co_names) for code in codes)])
    named = _with_helpers(plain)
    named.__qualname__ = f"{plain.__qualname__}_{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    function = numba.njit(**OPTIONS)(named)
    _enable_cache(numba, function)
    return _with_fallback(function)


def _enable_cache(numba: Any, function: Any) -> None:
    """Keep compiled code in a folder that no other user can write, if there is one.

    numba unpickles what it finds in the cache, so whoever can write there can run code as this user. The
    candidates are the folder of `NUMBA_CACHE_DIR`, the user's cache if the package is installed, numba's own
    choice, and a private folder for temporary files.
    """
    import tempfile

    from numba.misc.appdirs import user_cache_dir

    private = Path(tempfile.gettempdir(), f"cavalcade-{os.geteuid()}") if hasattr(os, "geteuid") else ""
    configured, refused = numba.config.CACHE_DIR, ""
    # pip removes only what it installed: a cache beside the modules would outlive them as an empty package.
    is_installed = not {"site-packages", "dist-packages"}.isdisjoint(Path(__file__).parts)
    user_cache = user_cache_dir("cavalcade", appauthor=False) if is_installed else ""  # type: ignore[no-untyped-call]
    for candidate in dict.fromkeys((configured or user_cache, "", str(private))):
        numba.config.CACHE_DIR = candidate
        try:
            if candidate == str(private):
                Path(private).mkdir(mode=0o700, exist_ok=True)
            function.enable_caching()
        except (RuntimeError, OSError):  # no such folder can be made, as in a read-only container
            continue
        finally:
            numba.config.CACHE_DIR = configured
        folder = Path(function._cache.cache_path)  # noqa: SLF001 - numba has no public access to it
        if is_private(folder):
            break
        refused = refused or str(folder)
    else:
        function._cache = numba.core.caching.NullCache()  # noqa: SLF001 - as above
    if refused and not _refused:
        _refused.append(refused)
        kept = getattr(function._cache, "cache_path", "")  # noqa: SLF001 - as above
        instead = f"is kept in {kept}" if kept else "is not kept"
        message = f"other users can write to {refused}, so compiled code {instead}"
        warnings.warn(message, RuntimeWarning, stacklevel=2)


@contextmanager
def without_collecting() -> Iterator[None]:
    """Suspend garbage collection, which takes a tenth of the time to compile."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _numba() -> Any:
    """Import numba without SciPy's BLAS, which takes a tenth of a second to load and which no kernel needs.

    numba only tests whether BLAS can be imported. If a kernel of another package needs BLAS, numba imports
    BLAS then.
    """
    with uncounted():
        import numba

    blas = "scipy.linalg.cython_blas"
    placeholder = ModuleType(blas)
    if sys.modules.setdefault(blas, placeholder) is placeholder:
        try:
            import numba.np.arraymath
        finally:
            del sys.modules[blas]
    return numba


def _called(plain: Callable[..., Any]) -> dict[str, FunctionType]:
    """The Python functions that a function calls, by the global names under which it calls them."""
    import dis

    loads = (load for load in dis.get_instructions(plain) if load.opname == "LOAD_GLOBAL")
    values = {load.argval: plain.__globals__.get(load.argval) for load in loads}
    return {name: value for name, value in values.items() if isinstance(value, FunctionType)}


def _helpers(plain: Callable[..., Any]) -> list[FunctionType]:
    """All functions that a function calls, directly or not; callees before callers."""
    helpers: dict[FunctionType, None] = {}
    for called in _called(plain).values():
        helpers |= dict.fromkeys([*_helpers(called), called])
    return list(helpers)


def _with_helpers(plain: Callable[..., Any]) -> FunctionType:
    """A copy of a function that calls compiled helpers."""
    names = {name: _helper(called) for name, called in _called(plain).items()} | {"INTERPRETED": False}
    return FunctionType(plain.__code__, plain.__globals__ | names, plain.__name__, plain.__defaults__)


@cache
def _helper(plain: FunctionType) -> Any:
    """A helper for compiled functions to call, compiled on its first use.

    Its signed integer arguments are widened to 64 bits, even if they are read from arrays of 32 bits.
    Otherwise numba would compile it for each combination of widths that occurs.
    """
    types, helper = _numba().types, _numba().njit(no_cpython_wrapper=True, **OPTIONS)(_with_helpers(plain))
    call_template = helper.get_call_template

    def widened(arguments: Any, keywords: Any) -> Any:
        def widen(kind: Any) -> Any:
            plain_kind = types.unliteral(kind)
            return types.int64 if isinstance(plain_kind, types.Integer) and plain_kind.signed else kind

        return call_template(tuple(map(widen, arguments)), keywords)

    helper.get_call_template = widened
    return helper


def _stop_the_clock(events: Any) -> Any:
    """Stop the clock of time limits while numba compiles a kernel that is not on the disk."""
    under_way = []  # nested, because compiling a kernel compiles its helpers

    @undisturbed
    def compiling(event: Any) -> None:
        if event.is_start:
            stop_clock()
            under_way.append(suspended := ExitStack())
            suspended.enter_context(without_collecting())
            suspended.enter_context(uncounted())
        else:
            under_way.pop().close()
            start_clock()

    listener = events.TimingListener()
    listener.notify = compiling
    events.register("numba:compile", listener)
    return listener


def _with_fallback(compiled: Any) -> Callable[..., Any]:
    """Make a compiled function work without its cache if that is damaged or the disk is full."""
    cache = compiled._cache  # noqa: SLF001 - numba has no public access to it
    load, save = cache.load_overload, cache.save_overload

    @undisturbed  # an exception here would be taken for a damaged file
    def load_overload(*signature: Any) -> Any:
        try:
            with without_collecting(), uncounted():
                return load(*signature)
        except Exception:  # noqa: BLE001 - a damaged file can raise anything when it is unpickled
            with suppress(OSError):
                cache.flush()
            return None

    def save_overload(*overload: Any) -> None:
        with suppress(OSError):
            save(*overload)

    cache.load_overload, cache.save_overload = load_overload, save_overload
    return cast("Callable[..., Any]", compiled)


class Tier:
    """The tier of one piece of work, and the containers of its kernels.

    Args:
        work: estimated number of inner steps.
        compiled: True or False to choose the tier; None to decide by the estimate and by the interpreted work
            of this process so far.

    Attributes:
        warm: whether numba is loaded, so that compiled code costs nothing more.
        interpreted: inner steps that this process has interpreted, estimated.
    """

    warm = False
    interpreted = 0.0

    def __init__(self, work: float, *, compiled: bool | None = None) -> None:
        if compiled is None:
            enough = Tier.interpreted + work >= COMPILE_AFTER and seconds_left() >= LOADING
            compiled = Tier.warm or work >= COMPILE_FROM or enough
            Tier.interpreted += 0 if compiled else work
        self.compiled = compiled

    def __call__(self, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """The kernel in this tier."""
        return compiled(kernel) if self.compiled else kernel

    def vector(self, array: NDArray[Any]) -> Vector:
        """An array as a container of this tier: itself, or a list."""
        return array if self.compiled else array.tolist()

    def read_only(self, array: NDArray[Any]) -> Vector:
        """The same for reading only. numba compiles a kernel separately for read-only arrays."""
        view = array.view()
        view.setflags(write=False)
        return self.vector(view)

    def full(self, size: int, fill: int = 0, dtype: type[np.integer[Any]] = np.int32) -> Vector:
        """A container of `size` integers, all equal to `fill`."""
        if not self.compiled:
            return [fill] * size
        return np.full(size, fill, dtype=dtype) if fill else np.zeros(size, dtype=dtype)

    def column(self, size: int, fill: int = 0) -> Vector:
        """A container of `size` integers of 64 bits, all equal to `fill`."""
        return self.full(size, fill, np.int64)

    def words(self, numbers: Vector | Sequence[int]) -> Vector:
        """Numbers as a container of 64-bit integers."""
        return np.array(numbers, dtype=np.int64) if self.compiled else list(numbers)


def next_random(state: int) -> int:
    """The next state of the minimal standard generator (Park & Miller 1988, with the multiplier of 1993).

    States are between 1 and 2**31 - 2. The product fits into 47 bits, so that both tiers draw the same
    numbers.
    """
    return state * 48271 % PERIOD


@lru_cache
def seed_state(seed: int) -> int:
    """A state of the generator from any seed; nearby seeds give unrelated states.

    The seed is hashed as `numpy.random.SeedSequence` does it (O'Neill 2015, `seed_seq_fe128`), and the state
    is its first number. numpy.random itself takes longer to load than most graphs take to answer. The
    constants are NumPy's.
    """
    seed, word, multiplier = abs(seed), 2**32 - 1, 0x43B0D7E5

    def scrambled(number: int) -> int:
        number &= word
        return number ^ number >> 16

    def hashed(number: int) -> int:
        nonlocal multiplier
        number ^= multiplier
        multiplier = multiplier * 0x931E8875 & word
        return scrambled(number * multiplier)

    words = [seed >> bit & word for bit in range(0, max(seed.bit_length(), 4 * 32), 32)]
    pool = [hashed(number) for number in words[:4]]
    # Each word of the pool is mixed into the three others, then each further word of the seed into all four.
    for i in range(max(4, len(words))):
        for j in range(4):
            if i != j:
                pool[j] = scrambled(
                    0xCA01F9DD * pool[j] - 0x4973F715 * hashed(pool[i] if i < 4 else words[i])
                )
    first = scrambled((pool[0] ^ 0x8B51F9DD) * 0x8B51F9DD * 0x58F38DED)
    return first % (PERIOD - 1) + 1
