"""A table that grows at its end: in memory, or in files if memory is short.

The files are temporary and have no name, so the system removes them however the process ends. Like memory,
they are read in contiguous pieces, in the order of the patterns.
"""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from cavalcade.ground.errors import TooLargeError
from cavalcade.ground.kernels import Ints
from cavalcade.ground.storage import nameless_file
from cavalcade.states.patterns import Patterns, StateColumns


class Column:
    """A column of numbers that grows at its end.

    Args:
        dtype: type of the numbers.
        directory: directory of the file, if the column needs one; None is the default of the system.
    """

    def __init__(self, dtype: DTypeLike, directory: Path | None) -> None:
        self.directory = directory
        self.memory: NDArray[Any] = np.empty(0, dtype)
        self.file: IO[bytes] | None = None
        self.written = 0

    def append(self, numbers: NDArray[Any]) -> None:
        """Append numbers."""
        if self.file is not None:
            self._write(self.file, numbers)
            return
        if length := len(self.memory):
            self.memory.resize(length + len(numbers), refcheck=False)
            self.memory[length:] = numbers
        else:
            self.memory = numbers.astype(self.memory.dtype)

    def spill(self) -> None:
        """Move the column to a file."""
        if self.file is None:
            try:
                self.file = nameless_file(self.directory)
            except OSError as error:
                raise self._full(error) from None
            self._write(self.file, self.memory)
            self.memory = self.memory[:0].copy()

    def _write(self, file: IO[bytes], numbers: NDArray[Any]) -> None:
        converted = numbers.astype(self.memory.dtype, copy=False)
        try:
            file.write(converted.data)
            file.flush()
        except OSError as error:
            raise self._full(error) from None
        self.written += converted.nbytes

    def _full(self, error: OSError) -> TooLargeError:
        import tempfile

        where = self.directory or tempfile.gettempdir()
        why = error.strerror or str(error)
        return TooLargeError(f"the tables do not fit into memory, nor on the disk of {where}: {why}")

    def read(self) -> tuple[NDArray[Any], *tuple[mmap.mmap, ...]]:
        """Return the numbers, followed by the memory map of the file if there is one."""
        if self.file is None or not self.written:
            return (self.memory,)
        mapped = mmap.mmap(self.file.fileno(), self.written)
        self.file.close()
        return np.frombuffer(mapped, self.memory.dtype), mapped


class Growing:
    """A table to which states are appended, pattern by pattern.

    Args:
        directory: directory of its files, if the table needs some; None is the default of the system.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self.keys, self.starts = Column(np.int64, directory), Column(np.int64, directory)
        self.shape, self.data = Column(np.int16, directory), Column(np.uint8, directory)
        self._columns = self.keys, self.starts, self.shape, self.data
        self.starts.append(np.zeros(1, np.int64))
        self.size = self.states = 0

    def append(self, keys: Ints, columns: StateColumns) -> None:
        """Append patterns and their states; patterns without a state are discarded.

        Args:
            keys: the patterns, ascending.
            columns: their states; `starts` holds the end of the states of each pattern.
        """
        ends, shape = np.asarray(columns.starts, np.int64), np.asarray(columns.shape, np.int64)
        sizes = np.diff(ends, prepend=0)
        reached = sizes > 0
        self.states += int((sizes // np.maximum(1, (shape >> 8) + (shape & 255))).sum())
        self.keys.append(keys[reached])
        self.starts.append(ends[reached] + self.size)
        self.shape.append(shape[reached])
        self.data.append(np.asarray(columns.data))
        self.size += len(columns.data)

    def spill(self) -> None:
        """Move the table to files."""
        for column in self._columns:
            column.spill()

    @property
    def bytes(self) -> int:
        """Bytes in memory."""
        return sum(column.memory.nbytes for column in self._columns)

    @property
    def disk(self) -> int:
        """Bytes in files."""
        return sum(column.written for column in self._columns)

    def table(self) -> Patterns:
        """Return the finished table."""
        (keys, *a), (starts, *b), (shape, *c), (data, *d) = (column.read() for column in self._columns)
        return Patterns(keys, starts, shape, data, [*a, *b, *c, *d], self.states)


def spilled(table: Patterns, directory: Path | None) -> Patterns:
    """Return a copy of a table in files."""
    copy = Growing(directory)
    copy.spill()
    copy.append(table.keys, StateColumns(table.starts[1:], table.shape, table.data))
    return copy.table()
