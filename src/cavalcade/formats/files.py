"""Files, read and written whole: what cannot be read says why, nothing is ever left half-written."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from cavalcade.errors import FormatError


def read_file(path: str | os.PathLike[str]) -> str:
    """The text of a file.

    Raises:
        FormatError: there is none, or it is no text.
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FormatError(f"cannot read {os.fspath(path)}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise FormatError(f"{os.fspath(path)} is no text: byte {error.start} is not UTF-8") from None
    except ValueError as error:
        raise FormatError(f"cannot read {os.fspath(path)!r}: {error}") from None


def write_file(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Write a file at once: under another name in the same directory, which is then renamed.

    Whatever goes wrong, also an interrupt, the path holds what it held before, or all of the new.
    Devices and pipes, which have nothing to rename, are written directly.

    Raises:
        FormatError: it cannot be written.
    """
    raw = data.encode() if isinstance(data, str) else data
    try:
        target = Path(path).resolve()
        mode = target.stat().st_mode if target.exists() else None
        if mode is not None and not stat.S_ISREG(mode):
            target.write_bytes(raw)
            return
        _replace(target, raw, mode)
    except OSError as error:
        raise FormatError(f"cannot write {os.fspath(path)}: {error.strerror}") from None
    except ValueError as error:
        raise FormatError(f"cannot write {os.fspath(path)!r}: {error}") from None


def _replace(target: Path, raw: bytes, mode: int | None) -> None:
    new = target.with_name(f".{target.name[:100]}.{os.getpid()}.new")
    try:
        with new.open("xb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            new.chmod(stat.S_IMODE(mode))
        new.replace(target)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
