"""NumPy's .npy files, for tours too large for any other format: step numbers, or one byte a move.

*Steps*: a signed integer a place, the step from 1 on which it is visited, 0 where the board has no cell; 4
bytes up to 2^31 - 1 cells, 8 beyond. *Moves*: an unsigned byte a place, the move that leaves it, as its index
in `piece.vectors(board)` (for the knight (-2, -1), (-2, 1), (-1, -2), … in lexicographic order), 255 where
there is none: at the end of an open tour, and where the board has no cell. A hexagon of side n lies in an
array of 2n-1 x 2n-1, as in `Board`. Files are mapped into memory, so that only what is used takes room.
"""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cavalcade.errors import FormatError, TooLargeError
from cavalcade.formats.files import replacing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

MAGIC = b"\x93NUMPY"
NO_MOVE = 255


def step_type(size: int) -> type[np.signedinteger[Any]]:
    """What holds the step numbers of so many cells."""
    return np.int32 if size < 2**31 else np.int64


def is_npy(path: str) -> bool:
    """Whether a file begins as .npy files do. Pipes and devices are not looked into."""
    if not Path(path).is_file():
        return False
    try:
        with Path(path).open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def open_array(path: str | os.PathLike[str]) -> NDArray[Any]:
    """The array in a .npy file, mapped into memory, to be read only.

    Raises:
        FormatError: there is none, or it ends too early.
    """
    try:
        return np.asarray(np.lib.format.open_memmap(os.fspath(path), mode="r"))
    except OSError as error:
        raise FormatError(f"cannot read {os.fspath(path)}: {error.strerror}") from None
    except (ValueError, EOFError) as error:
        raise FormatError(f"{os.fspath(path)} is no whole .npy file: {error}") from None


@contextmanager
def new_array(
    path: str | os.PathLike[str], shape: tuple[int, ...], dtype: type[np.generic]
) -> Iterator[NDArray[Any]]:
    """A .npy file of zeros to be written into, mapped into memory; whole in the end, or not there at all.

    All of its room on the disk is taken before it is given away: writing through a map of memory to a disk
    that has become full would end the process.

    Raises:
        TooLargeError: the disk has no room for it.
        FormatError: it cannot be written.
    """
    kind = np.dtype(dtype)
    needed = int(np.prod(shape, dtype=object)) * kind.itemsize
    free = shutil.disk_usage(Path(path).resolve().parent).free
    if needed > free:
        raise TooLargeError(
            f"{os.fspath(path)} needs {needed / 1e9:,.1f} GB, its disk has {free / 1e9:,.1f} GB free"
        )
    with replacing(path) as part, part.open("xb+") as file:
        header = {"descr": np.lib.format.dtype_to_descr(kind), "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(file, header)
        begin = file.tell()
        file.flush()
        _take_room(file.fileno(), begin, needed)
        array = np.memmap(file, dtype=kind, mode="r+", offset=begin, shape=shape)
        yield array.view(np.ndarray)
        array.flush()
        os.fsync(file.fileno())


def _take_room(file: int, begin: int, needed: int) -> None:
    """Let a file grow by so many zero bytes that really have their place on the disk."""
    if hasattr(os, "posix_fallocate"):
        try:
            os.posix_fallocate(file, begin, needed)
        except OSError as error:
            if error.errno not in {errno.EOPNOTSUPP, errno.EINVAL}:
                raise
        else:
            return
    zeros = bytes(2**24)
    while needed:
        needed -= os.write(file, zeros[:needed])
