"""Files on the disk: the only module that opens a file for writing, locks a file, or makes a temporary one.

A file is written under a temporary name in the same directory, and then renamed, so its readers see the old
contents or the new ones. A temporary file is created exclusively and locked as long as its process lives. A
killed process leaves it behind without a lock; the next process that writes to the directory removes it.

On Windows directories are not locked, and what a killed process leaves behind stays.
"""

from __future__ import annotations

import errno
import io
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, BinaryIO, TypeAlias

from cavalcade.ground import system
from cavalcade.ground.errors import CavalcadeError, FormatError

PathLike: TypeAlias = "str | os.PathLike[str]"

# Temporary names. No other program's files match by chance.
TEMPORARY = re.compile(r"(.*\.)?cavalcade-[0-9a-f]{16}\.part", re.DOTALL)
NEW = os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}
_swept: set[str] = set()  # directories without leftovers of dead processes


# ---- whole files


def write_file(path: PathLike, data: str | bytes, *, private: bool = False) -> None:
    """Write a file atomically.

    Args:
        path: the file; a device or a pipe is written directly.
        data: its contents; text is encoded as UTF-8.
        private: only the user may read the file.

    Raises:
        FormatError: the file cannot be written. It is as it was before.
    """
    with new_file(path, private=private) as file:
        file.write(data.encode() if isinstance(data, str) else data)


@contextmanager
def new_file(path: PathLike, *, private: bool = False) -> Iterator[BinaryIO]:
    """Open a new file that replaces `path` at the end; after an error, `path` is as it was before.

    Args:
        path: the file; a device or a pipe is opened directly.
        private: only the user may read the file.

    Raises:
        FormatError: the file cannot be written.
    """
    with _writing(path):
        target, mode = _target(path)
        if mode is not None and not stat.S_ISREG(mode):
            with target.open("wb") as device:
                yield device
            return
        with _temporary(target, mode, private=private) as (part, file):
            yield file
            _rename(part, file, target)


@contextmanager
def new_text_file(path: PathLike) -> Iterator[IO[str]]:
    """Open a new text file as `new_file` does, in UTF-8 and without a translation of line ends."""
    with new_file(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        try:
            yield text
            text.flush()
        finally:
            with suppress(OSError):  # the buffer of a failed write cannot be flushed
                text.detach()


def remove_file(path: PathLike) -> None:
    """Remove a file, if it exists.

    Raises:
        FormatError: the file cannot be removed.
    """
    with _writing(path):
        Path(path).unlink(missing_ok=True)


def assert_writable(path: PathLike) -> None:
    """Check that a file can be written, to fail before hours of work and not after them.

    Raises:
        FormatError: the file cannot be written.
    """
    with _writing(path):
        target, mode = _target(path)
        if mode is None or stat.S_ISREG(mode):
            with _temporary(target, None, private=True):
                pass


def unwritable(path: PathLike, error: OSError | ValueError) -> FormatError | TimeoutError:
    """Return the exception to raise for an error of the system; the end of the time remains what it is."""
    if isinstance(error, TimeoutError) and error.errno is None:
        return error
    if isinstance(error, OSError):
        advice = "; make room on this disk, or choose another" if error.errno in FULL else ""
        return FormatError(f"cannot write {os.fspath(path)}: {error.strerror or error}{advice}")
    return FormatError(f"cannot write {os.fspath(path)!r}: {error}")


@contextmanager
def _writing(path: PathLike) -> Iterator[None]:
    """Report errors of the system as errors about a file."""
    try:
        yield
    except OSError as error:
        raise unwritable(path, error) from None


def _target(path: PathLike) -> tuple[Path, int | None]:
    """Return the file that a path leads to, and its mode if it exists."""
    try:
        target = Path(path).resolve()
        return target, target.stat().st_mode
    except FileNotFoundError:
        return target, None
    except (ValueError, RuntimeError) as error:  # a zero byte, or links in a circle
        raise unwritable(path, ValueError(error)) from None


@contextmanager
def _temporary(target: Path, mode: int | None, *, private: bool) -> Iterator[tuple[Path, BinaryIO]]:
    """Create a temporary file beside a target, open and locked; it is removed unless it is renamed."""
    remove_leftovers(target.parent)
    while True:
        part = target.with_name(_temporary_name(target.name))
        file: BinaryIO | None = None
        is_refused = False
        try:
            # A signal may arrive as soon as the file exists, so the file is made where it is removed, too.
            try:
                file = os.fdopen(os.open(part, os.O_RDWR | NEW, 0o600 if private else 0o666), "w+b")
            except OSError:
                is_refused = True  # what has this name is not ours
                raise
            # Another process may take the new file for a leftover before it is locked, and remove it.
            if system.lock(file) is not False and _is_at(file.fileno(), part):
                if mode is not None and not private:
                    part.chmod(stat.S_IMODE(mode))
                yield part, file
                return
        finally:
            if file is not None:
                with suppress(OSError):  # closing may fail as the last write did
                    file.close()
            if not is_refused:
                with suppress(OSError):
                    part.unlink(missing_ok=True)


def _temporary_name(name: str = "") -> str:
    """Return a random temporary name that begins with another name."""
    return f"{name[:100]}.cavalcade-{os.urandom(8).hex()}.part".removeprefix(".")


def _rename(part: Path, file: BinaryIO, target: Path) -> None:
    """Rename a temporary file after all its bytes are on the disk."""
    file.flush()
    os.fsync(file.fileno())
    if not system.can_replace_mapped():
        file.close()
    part.replace(target)
    with suppress(OSError, AttributeError):  # some file systems do not synchronize directories
        directory = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def remove_leftovers(directory: Path) -> None:
    """Remove the temporary files that dead processes have left in a directory, once in each process."""
    if os.fspath(directory) in _swept or not system.can_replace_mapped():
        return
    _swept.add(os.fspath(directory))
    with suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            if TEMPORARY.fullmatch(entry.name):
                with suppress(OSError):
                    _remove_if_dead(entry)


def _remove_if_dead(entry: os.DirEntry[str]) -> None:
    """Remove a temporary file or directory of this user that no process has locked."""
    file = os.open(entry.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        status = os.fstat(file)
        if status.st_uid != os.getuid() or not system.lock(file):
            return
        if stat.S_ISDIR(status.st_mode):
            shutil.rmtree(entry.path)
        elif stat.S_ISREG(status.st_mode):
            Path(entry.path).unlink()
    finally:
        os.close(file)


# ---- temporary files


@contextmanager
def temporary_directory() -> Iterator[Path]:
    """Create a private directory for temporary files, and remove it at the end."""
    import tempfile

    parent = Path(tempfile.gettempdir())
    remove_leftovers(parent)
    directory = parent / _temporary_name()
    file: int | None = None
    try:  # as for a file, a signal may arrive as soon as the directory exists
        directory.mkdir(0o700)
        if system.can_replace_mapped():
            file = os.open(directory, os.O_RDONLY)
            system.lock(file)
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)
        if file is not None:
            os.close(file)


def nameless_file(directory: Path | None = None) -> IO[bytes]:
    """Open a temporary file without a name, which the system removes however the process ends.

    Args:
        directory: the directory on whose disk it is; None is the default of the system.
    """
    import tempfile

    return tempfile.TemporaryFile(dir=directory)


# ---- locks


def _is_at(file: int, path: Path) -> bool:
    """Tell whether an open file is the file at a path."""
    try:
        return os.path.samestat(os.fstat(file), path.lstat())
    except OSError:
        return False


@contextmanager
def locked(directory: Path, what: str) -> Iterator[None]:
    """Lock a directory against other processes.

    Args:
        directory: the directory.
        what: what another process does if it holds the lock, for the error message.

    Raises:
        CavalcadeError: another process holds the lock.
    """
    if not system.can_replace_mapped():  # a directory cannot be opened
        yield
        return
    with _writing(directory):
        file = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if system.lock(file) is False:
            raise CavalcadeError(f"another process {what} {directory}: wait until it ends")
        yield
    finally:
        os.close(file)


class OwnFile:
    """A file that one process reads and rewrites, and that no other process opens in the meantime.

    The file exists from `open` on, so that it can be locked. If nothing was written, `close` removes it.

    Args:
        path: the file.
    """

    def __init__(self, path: PathLike) -> None:
        self.path = path
        self._file: BinaryIO | None = None

    def open(self) -> BinaryIO:
        """Lock the file, and return it to be read; it is empty if it did not exist.

        Raises:
            CavalcadeError: another process has opened it.
            FormatError: it cannot be opened or written.
        """
        with _writing(self.path):
            self._target, mode = _target(self.path)
            if mode is not None and not stat.S_ISREG(mode):
                why = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
                raise OSError(why, os.strerror(why))
            remove_leftovers(self._target.parent)
            flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
            while self._file is None:
                file: BinaryIO = os.fdopen(os.open(self._target, flags, 0o666), "r+b")
                if system.lock(file) is False:
                    file.close()
                    busy = f"another process is using {os.fspath(self.path)}"
                    raise CavalcadeError(f"{busy}: wait until it ends, or name another file")
                if _is_at(file.fileno(), self._target):
                    self._file = file
                else:  # the process that held the lock has replaced or removed the file
                    file.close()
            assert_writable(self._target)
        return self._file

    def write(self, write: Callable[[BinaryIO], None]) -> None:
        """Replace the contents atomically by what a function writes; the file remains locked.

        Raises:
            FormatError: the file cannot be written. It is as it was before.
        """
        assert self._file is not None  # noqa: S101 - the caller has opened it
        with _writing(self.path):
            mode = os.fstat(self._file.fileno()).st_mode
            with _temporary(self._target, mode, private=False) as (part, file):
                write(file)
                if not system.can_replace_mapped():
                    self._file.close()
                _rename(part, file, self._target)
                # `_temporary` closes only its own descriptor, so the new file remains locked.
                copy = (
                    os.dup(file.fileno()) if system.can_replace_mapped() else os.open(self._target, os.O_RDWR)
                )
            self._file.close()
            self._file = os.fdopen(copy, "r+b")

    def remove(self) -> None:
        """Remove the file."""
        if self._file is not None and _is_at(self._file.fileno(), self._target):
            if not system.can_replace_mapped():
                self._file.close()
            with _writing(self.path):
                self._target.unlink()

    def close(self) -> None:
        """Unlock the file, and remove it if it is empty."""
        if self._file is not None:
            with suppress(OSError):
                if not self._file.closed and not os.fstat(self._file.fileno()).st_size:
                    self.remove()
            self._file.close()
            self._file = None
