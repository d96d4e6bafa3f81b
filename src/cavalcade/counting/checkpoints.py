"""Checkpoints: files with the states of a count, from which an interrupted count resumes.

The file is an .npz of the columns of a `Patterns` table, and of `about`: version, statement, digest of the
graph and the order of its vertices, number of completed stages, seal (see `ground.container`).
"""

from __future__ import annotations

import hashlib
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from cavalcade.ground.container import CHECKPOINT
from cavalcade.ground.errors import FormatError
from cavalcade.ground.kernels import Tier, Vector
from cavalcade.ground.storage import OwnFile
from cavalcade.question.graph import MoveGraph
from cavalcade.states.pattern_search import PatternSearch
from cavalcade.states.patterns import Patterns, StateColumns, ends_of, number
from cavalcade.states.ranks import MATCHINGS

TYPES = {"keys": np.int64, "starts": np.int64, "shape": np.int16, "data": np.uint8}  # columns of a `Patterns`
SAVE_EVERY = 5.0  # seconds between two checkpoints: work lost by a crash against time spent on writing


class Checkpoints:
    """The checkpoint file of one count.

    The file is written after a vertex if `SAVE_EVERY` seconds have passed since the last checkpoint, and if
    writing takes at most a tenth of the time. It is removed after the count. If it cannot be written, a
    RuntimeWarning is issued and the count continues.

    Args:
        path: the file; None for no checkpoints.
        statement: what is counted (see `question.statement`); files with another statement are refused.
    """

    def __init__(self, path: Path | None = None, statement: str = "") -> None:
        self.path, self.statement = path, statement
        self.saved, self.saving = time.perf_counter(), 0.0
        self._file: OwnFile | None = None
        self._loaded: tuple[int, Patterns] | None = None  # completed stages, states

    @property
    def directory(self) -> Path | None:
        """Directory of the file; tables that exceed the memory are stored there too."""
        return None if self.path is None else self.path.absolute().parent

    @contextmanager
    def opened(self, graph: MoveGraph, order: Sequence[int]) -> Iterator[None]:
        """Lock the file and read it if it exists; remove it after the count, but not after an exception.

        Args:
            graph: graph whose cycles are counted.
            order: order in which its vertices are taken.

        Raises:
            CavalcadeError: another process uses the file.
            FormatError: the file belongs to another count or is damaged, or no checkpoint can be written.
        """
        if self.path is None:
            yield
            return
        numbers = [np.asarray(column, dtype=np.int64) for column in (graph.indptr, graph.indices, order)]
        self.digest = hashlib.sha256(b"".join(column.tobytes() for column in numbers)).hexdigest()
        self._file = OwnFile(self.path)
        try:
            file = self._file.open()
            if file.seek(0, 2):
                file.seek(0)
                self._loaded = self._read(file)
            yield
            self._file.remove()
        finally:
            self._file.close()
            self._file = None

    def _read(self, file: BinaryIO) -> tuple[int, Patterns]:
        """Read the number of completed stages, and the states after them."""
        name = str(self.path)
        try:
            with np.load(file) as members:
                about = members["about"].tolist()
                columns = [np.ascontiguousarray(members[column]) for column in TYPES]
        except Exception:  # noqa: BLE001 - NumPy raises errors of any type for other files
            expected = "expected one that a count has saved, or no file"
            raise FormatError(f"{name} is not a checkpoint of a count, {expected}") from None
        if not isinstance(about, list) or len(about) != 5 or not str(about[0]).isdigit():
            CHECKPOINT.assert_version(name, "6 or less")
        version, statement, digest, taken, seal = map(str, about)
        CHECKPOINT.assert_version(name, int(version))
        if (statement, digest) != (self.statement, self.digest):
            subject = "in another order" if statement == self.statement else f"of another count, {statement}"
            raise FormatError(f"{name} is a checkpoint {subject}: {CHECKPOINT.advice}")
        if any(column.ndim != 1 for column in columns) or [column.dtype for column in columns] != list(
            map(np.dtype, TYPES.values())
        ):
            raise _damaged(name, "its columns have other types")
        CHECKPOINT.assert_sealed(name, seal, statement, digest, taken, *(column.data for column in columns))
        keys, starts, shape, data = columns
        return int(taken) if taken.isdigit() else -1, Patterns(keys, starts, shape, data)

    def resume(self, search: PatternSearch) -> None:
        """Continue a fresh search from the checkpoint, if one was read.

        Raises:
            FormatError: the checkpoint does not have states of this search.
        """
        if self._loaded is None:
            return
        taken, table = self._loaded
        self._loaded = None
        if not 0 < taken <= len(search.stages):
            raise _damaged(str(self.path), f"it is after {taken} of {len(search.stages)} stages")
        if wrong := fault(table, len(search.stages[taken - 1].frontier)):
            raise _damaged(str(self.path), wrong)
        search.taken, search.table = taken, table
        search.record.taken += taken
        search.record.peak_states = table.states

    def save_if_due(self, search: PatternSearch, *, now: bool = False) -> None:
        """Write the states of a search if a checkpoint is due.

        Args:
            search: the search.
            now: write after `SAVE_EVERY` seconds even if the last checkpoint took long to write.
        """
        began = time.perf_counter()
        waiting = SAVE_EVERY if now else max(SAVE_EVERY, 10 * self.saving)
        if self._file is None or began - self.saved <= waiting:
            return
        columns: dict[str, Any] = {
            name: np.ascontiguousarray(getattr(search.table, name), dtype) for name, dtype in TYPES.items()
        }
        parts = [self.statement, self.digest, str(search.taken)]
        seal = CHECKPOINT.seal(*parts, *(column.data for column in columns.values()))
        about = np.array([str(CHECKPOINT.version), *parts, seal])
        try:
            self._file.write(lambda file: np.savez(file, about=about, **columns))
        except FormatError as error:
            why = f"{error}; the count continues, and the previous checkpoint is kept"
            warnings.warn(why, RuntimeWarning, stacklevel=2)
        self.saved = time.perf_counter()
        self.saving = self.saved - began


def _damaged(name: str, why: str) -> FormatError:
    return FormatError(f"{name} is a damaged checkpoint, {why}: {CHECKPOINT.advice}")


def fault(table: Patterns, width: int) -> str:
    """Return why no search can have a table on a frontier of `width` vertices, or "".

    Kernels index with the columns of a table, and check no bounds.
    """
    keys, starts, shape, data = table.keys, table.starts, table.shape.astype(np.int64), table.data
    if len(starts) != len(keys) + 1 or len(shape) != len(keys) or not len(keys):
        return "its columns have lengths that do not fit"
    if keys[0] < 0 or (width < 31 and keys[-1] >> 2 * width) or (np.diff(keys) <= 0).any():
        return "its patterns do not ascend, or do not fit the frontier"
    if (keys & keys >> 1 & (2**64 - 1) // 3).any() or (ends_of(keys) % 2).any():
        return "a vertex has three edges, or a path one end"
    sizes, gaps, counts = np.diff(starts), shape >> 8, shape & 255
    if starts[0] != 0 or starts[-1] != len(data) or (sizes <= 0).any() or (starts < 0).any():
        return "its patterns do not divide its states"
    # Ranks are 64-bit integers, and the gap between two of them is not longer.
    longest = np.dtype(np.int64).itemsize
    if ((gaps < 1) | (gaps > longest) | (counts < 1)).any() or (sizes % (gaps + counts)).any():
        return "its records have no such lengths"
    ends = ends_of(keys) // 2
    if ends.max() >= len(MATCHINGS):
        return "a pattern has too many ends"
    tier = Tier(len(data))
    columns = StateColumns(*(tier.vector(np.asarray(column)) for column in table.columns))
    wrong = tier(_wrong_rank)(columns, tier.vector(np.asarray(MATCHINGS[ends], np.int64)))
    return "" if wrong < 0 else "its states do not ascend, or a state has no matching"


def _wrong_rank(columns: StateColumns, matchings: Vector) -> int:
    """Return the first pattern with a rank that does not ascend or has no matching; -1 if there is none.

    Args:
        columns: the states, whose offsets and lengths fit.
        matchings: number of matchings of each pattern.
    """
    for p in range(len(matchings)):
        gap = columns.shape[p] >> 8
        length = gap + (columns.shape[p] & 255)
        rank = -1
        for offset in range(columns.starts[p], columns.starts[p + 1], length):
            increment = number(columns.data, offset, gap)
            # Each increment is compared before it is added, so that no sum exceeds 63 bits.
            if increment < 1 or increment > matchings[p] or rank + increment >= matchings[p]:
                return p
            rank += increment
    return -1
