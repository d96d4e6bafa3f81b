"""Files, read and written whole: errors say why, and nothing is ever left half-written."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator


def read_file(path: str | os.PathLike[str]) -> str:
    """The text of a file.

    Raises:
        FormatError: there is none, or it is not text.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FormatError(f"cannot read {os.fspath(path)}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise FormatError(f"{os.fspath(path)} is not text: byte {error.start} is not UTF-8") from None
    except ValueError as error:
        raise FormatError(f"cannot read {os.fspath(path)!r}: {error}") from None
    if "\0" in text:
        raise FormatError(f"{os.fspath(path)} is not text: there are zero bytes in it")
    return text


def write_file(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Write a file at once: under another name in the same directory, which is then renamed.

    Whatever goes wrong, also an interrupt, the path holds what it held before, or all of the new.
    Devices and pipes, which have nothing to rename, are written directly.

    Raises:
        FormatError: it cannot be written.
    """
    raw = data.encode() if isinstance(data, str) else data
    try:
        if not Path(path).is_file() and Path(path).exists():
            Path(path).write_bytes(raw)
            return
    except (OSError, ValueError) as error:
        raise FormatError(_cannot(path, error)) from None
    with replacing(path) as part, part.open("xb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A path beside this one, to be written, which then takes its name; nothing of it stays if that fails.

    Raises:
        FormatError: it cannot be written.
    """
    try:
        target = Path(path).resolve()
        mode = target.stat().st_mode if target.exists() else None
    except (OSError, ValueError) as error:
        raise FormatError(_cannot(path, error)) from None
    if mode is not None and not stat.S_ISREG(mode):
        raise FormatError(f"cannot write {os.fspath(path)}: it is not a file")
    part = target.with_name(f"{target.name[:100]}.{os.getpid()}.part")
    try:
        yield part
        if mode is not None:
            part.chmod(stat.S_IMODE(mode))
        part.replace(target)
    except OSError as error:
        raise FormatError(_cannot(path, error)) from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _cannot(path: str | os.PathLike[str], error: OSError | ValueError) -> str:
    if isinstance(error, OSError):
        return f"cannot write {os.fspath(path)}: {error.strerror}"
    return f"cannot write {os.fspath(path)!r}: {error}"
