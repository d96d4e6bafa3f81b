"""NumPy's .npy files, for tours too large for any other format: step numbers, or one byte per move.

*Steps*: a signed integer per place of the board's array, the step from 1 that visits it; 0 in holes and on
cells that are not visited. 4 bytes up to 2^31 - 1 cells, 8 beyond. *Moves*: an unsigned byte per place, the
index in `piece.vectors(board)` of the move that leaves it (for the knight (-2, -1), (-2, 1), (-1, -2), … in
lexicographic order); 255 at the end of an open tour and in holes. A hexagon of side n fills an array of shape
(2n - 1, 2n - 1), as in `Board`.

The file holds two arrays, as two calls of `np.save` on one open file write them: the tour, then a byte string
with the header line of all formats, `closed tour of torus:3x4, piece knight`. `np.load(path)` and memory maps
see the tour alone; `header_of` reads the line. `docs/decisions/0016-npy-header.md` says why it comes last.
A file without that line, as `np.save` writes an array, is read as a knight's tour of a box if every
step is a knight move; otherwise the caller must name board and piece.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards import Board
from cavalcade.formats.files import about
from cavalcade.formats.header import Claim, assert_visits_once, describe, with_rows
from cavalcade.ground.arrays import ArrayOnDisk
from cavalcade.ground.budget import assert_room
from cavalcade.ground.errors import FormatError, TooLargeError
from cavalcade.ground.storage import new_file, unwritable
from cavalcade.ground.system import can_replace_mapped
from cavalcade.question.moves import are_moves
from cavalcade.question.pieces import KNIGHT

if TYPE_CHECKING:
    from cavalcade.answers.tours import Tour
    from cavalcade.checking.tours import Checked
    from cavalcade.construction.plan import Construction
    from cavalcade.ground.threads import ProgressCallback
    from cavalcade.question.graph import MoveGraph

MAGIC = b"\x93NUMPY"
NO_MOVE = np.iinfo(np.uint8).max  # the code of holes and of the end of an open tour
HOLDINGS = ("steps", "moves")
MAX_DIMENSIONS = 30  # a tour's array; NumPy 2 supports 64, other readers 32


def step_type(size: int) -> type[np.signedinteger[Any]]:
    """The integer type of the step numbers on a board of `size` cells."""
    return np.int32 if size < 2**31 else np.int64


# ---- files


def is_npy(path: str | os.PathLike[str]) -> bool:
    """Whether a regular file begins like a .npy file; pipes and devices are not opened."""
    if not Path(path).is_file():
        return False
    try:
        with Path(path).open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def open_array(path: str | os.PathLike[str]) -> NDArray[Any]:
    """The first array of a .npy file.

    Raises:
        FormatError: the file has no array of numbers, or ends too early.
        TooLargeError: the array does not fit into memory.
    """
    return array_on_disk(path).whole()


def array_on_disk(path: str | os.PathLike[str]) -> ArrayOnDisk:
    """The first array of a .npy file, to be read in blocks.

    Raises:
        FormatError: as for `open_array`.
    """
    name = os.fspath(path)
    try:
        with Path(path).open("rb") as file:
            shape, transposed, dtype = _array_header(file)
            offset, size = file.tell(), os.fstat(file.fileno()).st_size
            array = ArrayOnDisk(
                path, offset, shape[::-1] if transposed else shape, dtype, transposed=transposed
            )
    except OSError as error:
        raise FormatError(f"cannot read {name}: {error.strerror}") from None
    except Exception as error:  # noqa: BLE001 - NumPy raises errors of any type on a damaged header
        raise FormatError(f"{name} is not a whole .npy file: {str(error)[:100]}") from None
    # Python counts True as a whole number, so NumPy accepts it in a shape.
    if not 1 <= array.ndim <= MAX_DIMENSIONS or any(side < 1 or side is True for side in shape):
        raise FormatError(f"{name} is not an array of numbers: shape {str(array.shape)[:60]}")
    if offset + array.nbytes > size:
        raise FormatError(f"{name} is not a whole .npy file: it ends before its last number")
    return array


def _array_header(file: BinaryIO) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Read the header of an array: its shape, whether it is in Fortran order, and the type of its numbers."""
    version = np.lib.format.read_magic(file)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, transposed, dtype = read(file)
    if dtype.hasobject or not dtype.itemsize:
        raise ValueError("it holds no numbers")
    return shape, transposed, dtype


def header_of(path: str | os.PathLike[str]) -> str:
    """The header line of a tour in a .npy file: the byte string in its second array.

    Returns:
        The line, such as `closed tour of 8x8, piece knight`; empty if the file has no second array or one
        of another kind.

    Raises:
        FormatError: as for `open_array`, or the second array is cut off.
    """
    array = array_on_disk(path)
    with Path(path).open("rb") as file:
        file.seek(array.offset + array.nbytes)
        if not (begin := file.read(len(MAGIC))) or not MAGIC.startswith(begin):
            return ""
        try:
            file.seek(-len(begin), os.SEEK_CUR)
            shape, _, dtype = _array_header(file)
            line = file.read(dtype.itemsize)
            if shape != () or dtype.kind != "S":
                return ""
            if len(line) == dtype.itemsize:
                return line.rstrip(b"\0").decode()
        except Exception:  # noqa: BLE001, S110 - NumPy raises errors of any type on a damaged header
            pass
    raise FormatError(f"{os.fspath(path)} is not a whole .npy file: its second array is damaged")


def assert_disk(path: str | os.PathLike[str], needed: int) -> None:
    """Check that the disk of a file has `needed` bytes free.

    Raises:
        TooLargeError: the disk has less free space.
        FormatError: the directory cannot be written to.
    """
    try:
        free = shutil.disk_usage(Path(path).resolve().parent).free
    except OSError as error:
        raise unwritable(path, error) from None
    if needed > free:
        sizes = f"needs {needed / 1e6:,.0f} MB, and its disk has {free / 1e6:,.0f} MB free"
        raise TooLargeError(f"{os.fspath(path)} {sizes}: choose a file on another disk")


@contextmanager
def new_array(
    path: str | os.PathLike[str], shape: tuple[int, ...], dtype: type[np.generic], header: str
) -> Iterator[NDArray[Any]]:
    """Create a .npy file atomically and yield its array of zeros, mapped into memory, to be filled.

    All disk blocks are allocated first: writing through a memory map to a full disk kills the process.

    Args:
        path: the file.
        shape: shape of the array.
        dtype: type of its numbers.
        header: the line that `header_of` reads back.

    Raises:
        TooLargeError: the disk has too little free space.
        FormatError: the file cannot be written.
    """
    needed = int(np.prod(shape, dtype=object)) * np.dtype(dtype).itemsize
    assert_disk(path, needed)
    if Path(path).exists() and not Path(path).is_file():
        raise FormatError(f"cannot write {os.fspath(path)}: it is not a file")
    with new_file(path) as file:
        kind = np.lib.format.dtype_to_descr(np.dtype(dtype))
        np.lib.format.write_array_header_1_0(
            file, {"descr": kind, "fortran_order": False, "shape": tuple(map(int, shape))}
        )
        file.flush()
        begin = file.tell()
        _allocate(file.fileno(), begin, needed)
        file.seek(begin + needed)
        file.write(_saved(header))
        file.flush()
        if can_replace_mapped():
            array = np.memmap(file, dtype, "r+", begin, shape)
            yield array.view(np.ndarray)
            array.flush()
        else:
            assert_room(needed, f"the array for {os.fspath(path)}")
            in_memory = np.zeros(shape, dtype)
            yield in_memory
            file.seek(begin)
            file.write(in_memory.data)


def _saved(header: str) -> bytes:
    """A header line as `np.save` writes a byte string, padded to a multiple of 8 bytes.

    The padding lets a reader that views the rest of the file as 4- or 8-byte integers load it.
    """
    line = header.encode()
    out = BytesIO()
    np.lib.format.write_array(out, np.array(line, dtype=f"S{-(-len(line) // 8) * 8}"), version=(1, 0))
    return out.getvalue()


def _allocate(file: int, begin: int, needed: int) -> None:
    """Allocate `needed` zero bytes on the disk from the current offset, `begin`, of a file descriptor."""
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


# ---- writing tours


def assert_fits(board: Board | MoveGraph, _: object = None) -> Board:
    """Return the board, and refuse a graph.

    Raises:
        FormatError: it is a graph.
    """
    needed = "an array needs a board with rows and columns"
    return with_rows(board, f"cannot write {board.title} as .npy: {needed}")


def save(tour: Tour, path: str | os.PathLike[str], holding: str = "steps") -> None:
    """Write the `steps` or the `moves` of a tour, atomically.

    Raises:
        TooLargeError: the disk has too little free space.
        FormatError: the file cannot be written, or such an array cannot express this tour.
    """
    board = assert_fits(tour.board)
    assert_visits_once(tour)
    values = tour.numbering if holding == "steps" else moves_of(tour, board)
    dtype = step_type(len(tour)) if holding == "steps" else np.uint8
    with new_array(path, board.shape, dtype, describe(tour)) as array:
        array[...] = values


def save_construction(
    made: Construction,
    path: str | os.PathLike[str],
    holding: str = "steps",
    *,
    threads: int | None = None,
    progress: ProgressCallback | None = None,
) -> None:
    """Write the `steps` or the `moves` of a construction; `Construction.save` documents the arguments."""
    from cavalcade.checking.arrays import check_array

    if holding not in HOLDINGS:
        raise FormatError(f"a file holds {' or '.join(HOLDINGS)}, not {holding!r}")

    def half(base: float) -> ProgressCallback | None:
        return progress and (lambda done: progress(base + done / 2))

    write, kind = (made.numbering, step_type(len(made))) if holding == "steps" else (made.moves, np.uint8)
    header = f"{'closed' if made.closed else 'open'} tour of {made.board.spec}, piece {KNIGHT.spec}"
    with new_array(path, made.chain.shape, kind, header) as array:
        write(array, threads=threads, progress=half(0))
        checked = check_array(array, made.board, threads=threads, progress=half(0.5))
        if not checked:
            raise AssertionError(f"the construction is wrong: {checked.message}")


def moves_of(tour: Tour, board: Board) -> NDArray[np.uint8]:
    """The move from each place of a tour, an array of the board's shape.

    Raises:
        FormatError: a step is not a move of the piece, or the walk has no move.
    """
    vectors = tour.piece.vectors(board)
    if len(vectors) > NO_MOVE:
        raise FormatError(f"a byte cannot hold the {len(vectors)} moves of {tour.piece.spec}: write steps")
    if len(tour) < min(2, board.size):
        raise FormatError("a walk of one cell has no move: write steps")
    starts = tour.cells if tour.closed else tour.cells[:-1]
    ends = np.roll(tour.cells, -1)[: len(starts)]
    codes = np.full(board.size, NO_MOVE, dtype=np.uint8)
    for i, targets in enumerate(board.reached(vectors, starts)):
        codes[starts[targets == ends]] = i
    if board.size > 1 and (illegal := np.flatnonzero(codes[starts] == NO_MOVE)).size:
        a, b = (board.name(int(cells[illegal[0]])) for cells in (starts, ends))
        raise FormatError(f"{a} to {b} is not a {tour.piece.spec} move: write steps")
    if board.mask is None:
        return codes.reshape(board.shape)
    array = np.full(board.shape, NO_MOVE, dtype=np.uint8)
    array[board.mask] = codes
    return array


# ---- reading tours


def read(path: str | os.PathLike[str], claim: Claim) -> Tour:
    """The tour in a .npy file; the caller's claim overrides the header of the file.

    Raises:
        FormatError: as for `parse`, or the file is damaged.
    """
    array, header = open_array(path), header_of(path)
    with about(os.fspath(path)):
        return parse(array, claim.with_comment(header))


def check_file(path: str | os.PathLike[str], claim: Claim, progress: ProgressCallback | None) -> Checked:
    """Check the tour in a .npy file against its header and the caller's claim.

    Time and memory are as for `check_array`; on surfaces, as for `check`.
    """
    array, header = array_on_disk(path), header_of(path)
    with about(os.fspath(path)):
        return _check(array, claim.with_comment(header), progress)


def _check(array: ArrayOnDisk, claim: Claim, progress: ProgressCallback | None) -> Checked:
    from cavalcade.checking.arrays import check_array
    from cavalcade.checking.geometry import is_flat
    from cavalcade.checking.tours import check

    board = claim.board
    if array.dtype == np.uint8 and isinstance(board, Board) and not is_flat(board):
        return check(parse(array.whole(), claim))
    is_open = None if claim.closed is None else not claim.closed
    checked = check_array(array, board, piece=claim.piece, open=is_open, progress=progress)
    if checked or (board and claim.piece):
        return checked
    assumed = f"the file states no {_unstated(claim)}: {(claim.piece or KNIGHT).spec} on a box was assumed"
    return replace(checked, message=f"{checked.message} ({assumed}; see --board and --piece)")


def _unstated(claim: Claim) -> str:
    return " and no ".join(["board"] * (claim.board is None) + ["piece"] * (claim.piece is None))


def parse(array: NDArray[Any], claim: Claim) -> Tour:
    """The tour or the walk in an array of steps or moves; see `check_array` to check one.

    Raises:
        FormatError: the array is not a tour, does not fit the board, or its board or piece is unknown and it
            is not a knight's tour of a box.
    """
    if array.dtype.kind not in "iu":
        raise FormatError(f"an array of {array.dtype} is not a tour, expected integers")
    if array.ndim < 2:
        raise FormatError(f"an array of shape {array.shape} is not a board, expected two or more sides")
    if array.dtype == np.uint8:
        tour = _tour_of_moves(array, claim)
        fits = len(tour) == tour.board.size  # moves of another piece seldom make a tour
    else:
        if (beyond := array[(array < -(2**31)) | (array >= 2**31)]).size:
            raise FormatError(f"{beyond[0]} is not a step")
        tour = claim.tour_of_steps(array.astype(np.int64))
        fits = bool(are_moves(tour.board, tour.piece, tour.cells[:-1], tour.cells[1:]).all())
    if not fits and not (claim.board and claim.piece):
        what = f"this is not a tour of {tour.board.title} by a {tour.piece.spec}"
        raise FormatError(f"the file states no {_unstated(claim)}, and {what}: set --board and --piece")
    return tour


def _tour_of_moves(array: NDArray[np.uint8], claim: Claim) -> Tour:
    """The tour or the walk whose moves an array holds."""
    board = Board.box(*array.shape) if claim.board is None else claim.board
    if board.plain or board.shape != array.shape:
        raise FormatError(f"an array of shape {array.shape} does not fit {board.title}")
    codes = array.reshape(-1) if board.mask is None else array[board.mask]
    vectors = (claim.piece or KNIGHT).vectors(board)
    if (unknown := codes[(codes >= len(vectors)) & (codes != NO_MOVE)]).size:
        expected = f"expected a move, 0 to {len(vectors) - 1}, or 255 (steps need 2 bytes or more)"
        raise FormatError(f"a byte is {unknown[0]}, {expected}")
    successor = np.full(board.size, -1, dtype=np.int32)
    for i, targets in enumerate(board.reached(vectors)):
        successor = np.where(codes == i, targets, successor)
    # An open walk starts at the cell that has a move and that no move leads to, a cycle at its first cell.
    has_move = successor >= 0
    is_start = has_move.copy()
    is_start[successor[has_move]] = False
    cell = int(np.argmax(is_start if is_start.any() else has_move))
    cells, remaining = [], successor.tolist()
    while cell >= 0:
        cells.append(cell)
        remaining[cell], cell = -1, remaining[cell]
    if len(cells) > 1 and cells[-1] == cells[0]:  # back at the first cell of a cycle
        cells.pop()
    return replace(claim, board=board).tour(cells)
