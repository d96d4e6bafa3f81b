"""A table that grows at its end: in memory, or in files where memory is short.

The files are temporary and have no name, so nothing is left of them whatever happens. They are read as memory
is, by contiguous pieces in the order of the patterns.
"""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from cavalcade.ground.errors import TooLargeError
from cavalcade.ground.kernels import Ints
from cavalcade.states.patterns import Patterns, StateColumns


class Column:
    """Numbers that are added at the end.

    Args:
        dtype: of the numbers.
        directory: where a file is, if there is one; None is the system's own.
    """

    def __init__(self, dtype: DTypeLike, directory: Path | None) -> None:
        self.directory = directory
        self.memory: NDArray[Any] = np.empty(0, dtype)
        self.file: IO[bytes] | None = None
        self.written = 0

    def add(self, numbers: NDArray[Any]) -> None:
        """Some more."""
        if self.file is not None:
            self._write(self.file, numbers)
            return
        if at := len(self.memory):
            self.memory.resize(at + len(numbers), refcheck=False)
            self.memory[at:] = numbers
        else:
            self.memory = numbers.astype(self.memory.dtype)

    def spill(self) -> None:
        """From here on in a file."""
        if self.file is None:
            import tempfile

            try:
                self.file = tempfile.TemporaryFile(dir=self.directory)  # noqa: SIM115 - for later
            except OSError as error:
                raise self._full(error) from None
            self._write(self.file, self.memory)
            self.memory = self.memory[:0].copy()

    def _write(self, file: IO[bytes], numbers: NDArray[Any]) -> None:
        some = numbers.astype(self.memory.dtype, copy=False)
        try:
            file.write(some.data)
            file.flush()
        except OSError as error:
            raise self._full(error) from None
        self.written += some.nbytes

    def _full(self, error: OSError) -> TooLargeError:
        import tempfile

        where = self.directory or tempfile.gettempdir()
        why = error.strerror or str(error)
        return TooLargeError(f"the tables do not fit into memory, and {where} cannot hold them: {why}")

    def read(self) -> tuple[NDArray[Any], *tuple[mmap.mmap, ...]]:
        """The numbers, and of a file what is mapped into memory."""
        if self.file is None or not self.written:
            return (self.memory,)
        mapped = mmap.mmap(self.file.fileno(), self.written)
        self.file.close()
        return np.frombuffer(mapped, self.memory.dtype), mapped


class Growing:
    """A table to which states are added, pattern by pattern.

    Args:
        directory: where its files are, if it needs some; None is the system's own.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self.keys, self.starts = Column(np.int64, directory), Column(np.int64, directory)
        self.shape, self.data = Column(np.int16, directory), Column(np.uint8, directory)
        self.starts.add(np.zeros(1, np.int64))
        self.size = self.states = 0

    @property
    def _columns(self) -> tuple[Column, ...]:
        return self.keys, self.starts, self.shape, self.data

    def add(self, keys: Ints, found: StateColumns) -> None:
        """More patterns, and their states; `starts` has of each pattern where its states end."""
        ends, shape = np.asarray(found.starts, np.int64), np.asarray(found.shape, np.int64)
        sizes = ends.copy()
        sizes[1:] -= ends[:-1]
        some = sizes > 0
        self.states += int((sizes // np.maximum(1, (shape >> 8) + (shape & 255))).sum())
        self.keys.add(keys[some])
        self.starts.add(ends[some] + self.size)
        self.shape.add(shape[some])
        self.data.add(np.asarray(found.data))
        self.size += len(found.data)

    def spill(self) -> None:
        """From here on in files."""
        for column in self._columns:
            column.spill()

    @property
    def bytes(self) -> int:
        """What it takes in memory."""
        return sum(column.memory.nbytes for column in self._columns)

    @property
    def disk(self) -> int:
        """What it takes on the disk."""
        return sum(column.written for column in self._columns)

    def table(self) -> Patterns:
        """The table."""
        (keys, *a), (starts, *b), (shape, *c), (data, *d) = (column.read() for column in self._columns)
        return Patterns(keys, starts, shape, data, [*a, *b, *c, *d], self.states)


def spilled(table: Patterns, directory: Path | None) -> Patterns:
    """A table in files."""
    grown = Growing(directory)
    grown.spill()
    grown.states = table.states
    grown.keys.add(table.keys)
    grown.starts.add(table.starts[1:])
    grown.shape.add(table.shape)
    grown.data.add(table.data)
    return grown.table()
