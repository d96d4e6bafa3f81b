"""Everything that depends on the platform: memory, cores, locks, signals, replacing files, C streams.

No other module but `folders`, which handles users and groups, names a platform, `/proc`, or a module of the
standard library that some platforms lack (`resource`, `fcntl`, `msvcrt`); `tests/test_system.py` enforces
that. Linux answers through `/proc` and control groups, macOS through its C library, Windows through
`kernel32`. A question that a platform cannot answer has a stated answer (0, or a number of bytes), never an
exception.

The tests run on Linux. The branches for macOS and Windows were written from the manuals; tests run them
against fakes that answer as these systems are documented to (see `docs/policy.md`).
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

LIMIT_FILES = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # ends a process at once; on Windows SIGTERM does
_replaced_handlers: list[Any] = []  # the handler of SIGALRM that `make_wakeable` has replaced, if it has


# ---- memory


def total_memory(fallback: int = 2**32) -> int:
    """Bytes of memory of this machine, or of its container if that is less.

    Args:
        fallback: result if the system does not report its memory, in bytes. The default is cautious, because
            a process with too high a limit is killed.
    """
    memory = _physical_memory() or fallback
    for name in LIMIT_FILES:
        with suppress(OSError):
            text = Path(name).read_text(encoding="ascii").strip()
            if text.isdigit():
                memory = min(memory, int(text))
    return memory


def _physical_memory() -> int:
    if sys.platform == "win32":
        # MEMORYSTATUSEX: its length and a percentage in 32 bits each, then the physical memory and six more.
        return _filled_by_windows("GlobalMemoryStatusEx", 8)[1]
    with suppress(AttributeError, ValueError, OSError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return 0


def memory_in_use() -> int:
    """Bytes of physical memory of this process; 0 if unknown."""
    if sys.platform == "win32":
        return _process_memory_counters()[2]
    if sys.platform == "darwin":
        return _task_size()
    return _statm(1)


def peak_memory() -> int:
    """The most bytes of physical memory that this process has had so far; 0 if unknown."""
    if sys.platform == "win32":
        return _process_memory_counters()[1]
    if sys.platform == "linux":  # where ru_maxrss begins with the peak of the parent
        with suppress(OSError, ValueError, IndexError):
            status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
            return int(status.partition("VmHWM:")[2].split()[0]) * 1024
    with suppress(ImportError, OSError):
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024  # bytes on macOS, kibibytes elsewhere
    return 0


def data_in_use() -> int:
    """Bytes of private memory of this process, as `limit_data` counts them; 0 if unknown."""
    return _statm(5)


def data_limit() -> int | None:
    """The limit that `limit_data` has set, in bytes; None if there is none."""
    with suppress(ImportError, AttributeError, OSError):
        import resource

        limit = resource.getrlimit(resource.RLIMIT_DATA)[0]
        return None if limit == resource.RLIM_INFINITY else limit
    return None


def limit_data(limit: int | None) -> None:
    """Have the system refuse private memory beyond a number of bytes; None removes the limit.

    Only Linux counts all private memory: elsewhere this does nothing.
    """
    _limit("RLIMIT_DATA", limit)


def limit_address_space(limit: int) -> None:
    """Have the system refuse addresses beyond a number of bytes: on Linux alone."""
    _limit("RLIMIT_AS", limit)


def _limit(name: str, limit: int | None) -> None:
    if sys.platform == "linux":
        import resource

        kind = getattr(resource, name)
        most = resource.getrlimit(kind)[1]
        # above a hard limit that someone has lowered meanwhile, or beyond the numbers of the system
        with suppress(ValueError, OSError, OverflowError):
            resource.setrlimit(kind, (most if limit is None else limit, most))


def _statm(field: int) -> int:
    """A field of `/proc/self/statm` in bytes; 0 if there is no such file."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[field])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError, IndexError):
        return 0


def _task_size() -> int:
    """Bytes of physical memory of this process on macOS, from `proc_pidinfo` in libproc.h; 0 if unknown."""
    import ctypes

    flavor = 4  # PROC_PIDTASKINFO
    sizes = (ctypes.c_uint64 * 12)()  # struct proc_taskinfo: virtual size, resident size, ten words more
    length = ctypes.sizeof(sizes)
    with suppress(AttributeError, OSError):
        query = ctypes.CDLL(None).proc_pidinfo
        if query(os.getpid(), flavor, ctypes.c_uint64(0), ctypes.byref(sizes), length) == length:
            return sizes[1]
    return 0


def _process_memory_counters() -> list[int]:
    """PROCESS_MEMORY_COUNTERS of Windows: length and faults, peak, physical memory, and six more words."""
    import ctypes

    this_process = ctypes.c_void_p(-1)  # what GetCurrentProcess returns
    return _filled_by_windows("K32GetProcessMemoryInfo", 9, this_process)


def _filled_by_windows(function: str, count: int, process: Any = None) -> list[int]:
    """The 64-bit words of a structure, the first of which contains its length; zeros if the call fails."""
    import ctypes

    words = (ctypes.c_uint64 * count)(8 * count)
    with suppress(AttributeError, OSError):
        call = getattr(ctypes.WinDLL("kernel32"), function)  # type: ignore[attr-defined]  # on Windows alone
        reference = ctypes.byref(words)
        if call(reference) if process is None else call(process, reference, ctypes.c_uint32(8 * count)):
            return list(words)
    return [0] * count


# ---- cores, files, processes and sockets


def cores() -> int:
    """The number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows
        return os.cpu_count() or 1


def lock(file: IO[Any] | int) -> bool | None:
    """Lock an open file against other processes until it is closed, without waiting.

    On Windows one byte is locked, far beyond the end, so that others can read the file.

    Args:
        file: the file, or on systems other than Windows the descriptor of a file or a directory.

    Returns:
        Whether the file was not locked; None if its file system has no locks.
    """
    if sys.platform == "win32":
        import msvcrt

        assert not isinstance(file, int)  # noqa: S101 - see above
        position = file.tell()
        try:
            file.seek(2**30)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            file.seek(position)
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def can_replace_mapped() -> bool:
    """Whether a file can be renamed, replaced or removed while it is open or mapped into memory."""
    return sys.platform != "win32"


def is_private(path: Path) -> bool:
    """Whether no other user can read a file, which on Windows the folder of a user sees to."""
    return sys.platform == "win32" or not path.stat().st_mode & 0o077


def kill(process: int) -> None:
    """End a process at once, unless it has ended."""
    with suppress(ProcessLookupError):
        os.kill(process, KILL)


def listens_alone(port: int) -> bool:
    """Whether processes of this user, and of no other, listen at a TCP port of this machine.

    Linux lists all sockets in /proc. On other systems the answer is no, so that only TLS is accepted.
    """
    users = set()
    for table in ("tcp", "tcp6"):
        try:
            rows = Path("/proc/net", table).read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        for row in rows:
            _, address, _, state, _, _, _, user, *_ = row.split()
            if state == "0A" and int(address.rpartition(":")[2], 16) == port:
                users.add(int(user))  # 0A is a socket that listens
    return bool(users) and users == {os.getuid()}


def close_c_stream(capsule: object) -> None:
    """Close a C `FILE *` that an extension module returned in a capsule, with its descriptor.

    On Windows the stream belongs to the C runtime of the module, which Python cannot call: it stays open.
    """
    if sys.platform != "win32":
        import ctypes

        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
        ctypes.CDLL(None).fclose(ctypes.c_void_p(pointer(capsule, None)))


# ---- ending work in a thread


def raise_in_thread(thread: int, error: type[BaseException]) -> None:
    """Have CPython raise an exception in a thread before its next bytecode.

    Args:
        thread: identifier of the thread.
        error: class of the exception. It replaces one that the thread has not reached yet.
    """
    import ctypes

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


class _Replacement(BaseException):
    """Raised in place of an exception that is no longer wanted."""


def withdraw_raised() -> None:
    """Take back an exception that `raise_in_thread` raised in this thread and that has not arrived yet.

    CPython can be told to forget the exception. CPython 3.11 then still notes one as pending, and the
    next function that a debugger or coverage traces waits for it forever. A replacement that arrives here
    leaves no such note.
    """
    with suppress(_Replacement):
        raise_in_thread(threading.get_ident(), _Replacement)
        for _ in range(100):  # it arrives at the first jump back at the latest
            pass


def make_wakeable() -> bool:
    """Let `wake` interrupt system calls of the main thread, such as reading from a pipe.

    The wake-up is SIGALRM, whose handler does nothing. A program that uses SIGALRM or its timer itself keeps
    both, and Windows has neither: system calls are not interrupted then.

    Returns:
        Whether `end_wakeable` has to be called.
    """
    if not hasattr(signal, "pthread_kill") or signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL:
        return False
    if signal.getitimer(signal.ITIMER_REAL)[0]:
        return False
    try:
        _replaced_handlers.append(signal.signal(signal.SIGALRM, _do_nothing))
    except ValueError:  # not in the main thread
        return False
    return True


def wake(thread: int) -> None:
    """Interrupt a system call of the main thread, if `make_wakeable` has made that possible."""
    if _replaced_handlers:
        signal.pthread_kill(thread, signal.SIGALRM)


def end_wakeable() -> None:
    """Undo `make_wakeable`."""
    signal.signal(signal.SIGALRM, _replaced_handlers.pop())


def _do_nothing(*_: object) -> None:
    """Handle the wake-up; Python raises the exception of `raise_in_thread` here, out of the system call."""
