"""NumPy's .npy files, for tours too large for any other format: step numbers, or one byte per move.

*Steps*: a signed integer per place, the step from 1 that visits it, 0 where the board has no cell; 4 bytes up
to 2^31 - 1 cells, 8 beyond. *Moves*: an unsigned byte per place, the move that leaves it, as its index in
`piece.vectors(board)` (for the knight (-2, -1), (-2, 1), (-1, -2), … in lexicographic order), 255 where there
is none: at the end of an open tour, and where the board has no cell. A hexagon of side n fills an array of
2n-1 x 2n-1, as in `Board`. Files are mapped into memory, so only the parts in use take room.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards import Board
from cavalcade.formats.files import replacing, unwritable
from cavalcade.ground.errors import FormatError, TooLargeError
from cavalcade.question.pieces import KNIGHT

if TYPE_CHECKING:
    from cavalcade.answers.tours import Tour
    from cavalcade.construction.plan import Construction
    from cavalcade.formats.header import Claim
    from cavalcade.ground.threads import ProgressCallback

MAGIC = b"\x93NUMPY"
NO_MOVE = 255
HOLDINGS = ("steps", "moves")
MOST_SIDES = 30  # of an array; NumPy has at most 32 or 64


def step_type(size: int) -> type[np.signedinteger[Any]]:
    """The type for the step numbers of so many cells."""
    return np.int32 if size < 2**31 else np.int64


def is_npy(path: str | os.PathLike[str]) -> bool:
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
    name = os.fspath(path)
    try:
        array: NDArray[Any] = np.lib.format.open_memmap(path, mode="r")
    except OSError as error:
        raise FormatError(f"cannot read {name}: {error.strerror}") from None
    except Exception as error:  # noqa: BLE001 - a damaged header can raise anything when NumPy reads it
        raise FormatError(f"{name} is not a whole .npy file: {str(error)[:100]}") from None
    if array.ndim > MOST_SIDES or not array.size:
        raise FormatError(f"{name} is not an array of numbers: shape {str(array.shape)[:60]}")
    return np.asarray(array)


def assert_disk(path: str | os.PathLike[str], needed: int) -> None:
    """Refuse a file of so many bytes if its disk has less room.

    Raises:
        TooLargeError: the disk has no room for it.
        FormatError: it cannot be written.
    """
    try:
        free = shutil.disk_usage(Path(path).resolve().parent).free
    except OSError as error:
        raise unwritable(path, error) from None
    if needed > free:
        room = f"{needed / 1e6:,.0f} MB, its disk has {free / 1e6:,.0f} MB free"
        raise TooLargeError(f"{os.fspath(path)} needs {room}")


@contextmanager
def new_array(
    path: str | os.PathLike[str], shape: tuple[int, ...], dtype: type[np.generic]
) -> Iterator[NDArray[Any]]:
    """A .npy file of zeros to be written into, mapped into memory; written atomically.

    All of its room on the disk is allocated first: writing through a memory map to a full disk would end
    the process.

    Raises:
        TooLargeError: the disk has no room for it.
        FormatError: it cannot be written.
    """
    needed = int(np.prod(shape, dtype=object)) * np.dtype(dtype).itemsize
    assert_disk(path, needed)
    with replacing(path) as part:
        array = np.lib.format.open_memmap(part, mode="w+", dtype=dtype, shape=shape)
        with part.open("rb+") as file:
            begin = part.stat().st_size - needed
            file.seek(begin)
            _take_room(file.fileno(), begin, needed)
            yield array.view(np.ndarray)
            array.flush()
            os.fsync(file.fileno())


def _take_room(file: int, begin: int, needed: int) -> None:
    """Allocate so many zero bytes of a file on the disk."""
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


# ---- tours, written and read


def save(tour: Tour, path: str | os.PathLike[str], holding: str = "steps") -> None:
    """Write the `steps` or the `moves` of a tour, atomically.

    Raises:
        TooLargeError: the disk has no room for it.
        FormatError: it cannot be written.
    """
    board, steps = tour.board, holding == "steps"
    if board.plain:
        raise FormatError(
            f"cannot write {os.fspath(path)}: {board.title} is a graph: an array holds a tour of a board"
        )
    with new_array(path, board.shape, step_type(len(tour)) if steps else np.uint8) as array:
        array[...] = tour.numbering if steps else moves_of(tour, board)


def save_construction(
    made: Construction,
    path: str | os.PathLike[str],
    holding: str = "steps",
    *,
    threads: int | None = None,
    progress: ProgressCallback | None = None,
) -> None:
    """Write the `steps` or the `moves` of a construction; `Construction.save` says how."""
    from cavalcade.checking.arrays import check_array

    if holding not in HOLDINGS:
        raise FormatError(f"a file holds {' or '.join(HOLDINGS)}, not {holding!r}")

    def half(base: float) -> ProgressCallback | None:
        return progress and (lambda done: progress(base + done / 2))

    write, kind = (made.numbering, step_type(len(made))) if holding == "steps" else (made.moves, np.uint8)
    with new_array(path, made.chain.shape, kind) as array:
        write(array, threads=threads, progress=half(0))
        checked = check_array(array, made.board, threads=threads, progress=half(0.5))
        if not checked:
            raise AssertionError(f"the construction is wrong: {checked.message}")


def moves_of(tour: Tour, board: Board) -> NDArray[np.uint8]:
    """The move from each place of a tour, an array of the board's shape."""
    here = tour.cells if tour.closed else tour.cells[:-1]
    there = np.roll(tour.cells, -1)[: len(here)]
    codes = np.full(board.size, NO_MOVE, dtype=np.uint8)
    for i, cells in enumerate(board.reached(tour.piece.vectors(board), here)):
        codes[here[cells == there]] = i
    if board.mask is None:
        return codes.reshape(board.shape)
    array = np.full(board.shape, NO_MOVE, dtype=np.uint8)
    array[board.mask] = codes
    return array


def parse(array: NDArray[Any], claim: Claim) -> Tour:
    """The tour, or the walk, in an array of steps or moves, not checked; see `check_array`.

    Raises:
        FormatError: it is not a tour, or does not fit the board.
    """
    if array.dtype.kind not in "iu":
        raise FormatError(f"an array of {array.dtype} is not a tour, expected integers")
    if array.ndim < 2:
        raise FormatError(f"an array of shape {array.shape} is not a board, expected two or more sides")
    if array.dtype != np.uint8:
        if (far := array[(array < -(2**31)) | (array >= 2**31)]).size:
            raise FormatError(f"{far[0]} is not a step")
        return claim.tour_of_steps(array.astype(np.int64))
    place = Board.box(*array.shape) if claim.board is None else claim.board
    if place.plain or place.shape != array.shape:
        raise FormatError(f"an array of shape {array.shape} does not fit {place.title}")
    codes = array.reshape(-1) if place.mask is None else array[place.mask]
    after = np.full(place.size, -1, dtype=np.int32)
    vectors = (claim.piece or KNIGHT).vectors(place)
    if (wrong := codes[(codes >= len(vectors)) & (codes != NO_MOVE)]).size:
        expected = f"expected a move, 0 to {len(vectors) - 1}, or 255 (steps need 2 bytes or more)"
        raise FormatError(f"a byte is {wrong[0]}, {expected}")
    for i, there in enumerate(place.reached(vectors)):
        after = np.where(codes == i, there, after)
    reached = np.zeros(place.size, dtype=np.bool_)
    reached[after[after >= 0]] = True
    cell, ahead, cells = int(np.argmin(reached)), after.tolist(), []  # where no move leads, or the first cell
    while cell >= 0:
        cells.append(cell)
        ahead[cell], cell = -1, ahead[cell]
    if len(cells) > 1 and cells[-1] == cells[0]:  # a cycle
        cells.pop()
    return replace(claim, board=place).tour(cells)
