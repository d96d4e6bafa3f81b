"""Checkpoints: files with the states of a count, from which an interrupted count resumes."""

from __future__ import annotations

import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import MoveGraph
from cavalcade.states.pattern_search import PatternSearch
from cavalcade.states.patterns import Patterns

VERSION = "6"
COLUMNS = ("keys", "starts", "shape", "data")  # columns of a `Patterns` table
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
        self._loaded: tuple[int, Patterns] | None = None  # completed stages, states

    @property
    def directory(self) -> Path | None:
        """Directory of the file; tables that exceed the memory are stored there too."""
        return None if self.path is None else self.path.absolute().parent

    def open(self, graph: MoveGraph, order: list[int]) -> None:
        """Read the file if it exists.

        Args:
            graph: graph whose cycles are counted.
            order: order in which its vertices are taken.

        Raises:
            FormatError: the file belongs to another count or is damaged, or no checkpoint can be written.
        """
        if self.path is None:
            return
        import hashlib

        numbers = [np.asarray(column, dtype=np.int64) for column in (graph.indptr, graph.indices, order)]
        contents = VERSION.encode() + b"".join(column.tobytes() for column in numbers)
        self.digest = hashlib.sha256(contents).hexdigest()
        try:
            part = _part(self.path)
            part.write_bytes(b"")  # fail before the count, and not after an hour
            part.unlink()
            if not self.path.exists():
                return
            with np.load(self.path) as file:
                statement, digest, steps = file["about"].tolist()
                table = Patterns(*(file[name] for name in COLUMNS))
        except OSError as error:
            why = error.strerror or error
            raise FormatError(f"cannot keep a checkpoint in {self.path}: {why}") from None
        except Exception:  # noqa: BLE001 - NumPy raises errors of any type for other files
            expected = "expected one that a count has saved, or no file"
            raise FormatError(f"{self.path} is not a checkpoint of a count, {expected}") from None
        if (statement, digest) != (self.statement, self.digest):
            other = "of another version" if statement == self.statement else f"of another count, {statement}"
            raise FormatError(f"{self.path} is a checkpoint {other}: remove it, or name another file")
        self._loaded = int(steps), table

    def resume(self, search: PatternSearch) -> None:
        """Continue a fresh search from the checkpoint, if one was read."""
        if self._loaded is None:
            return
        search.taken, search.table = self._loaded
        self._loaded = None
        search.record.taken += search.taken
        search.record.peak_states = search.table.states

    def save_if_due(self, search: PatternSearch, *, now: bool = False) -> None:
        """Write the states of a search if a checkpoint is due.

        Args:
            search: the search.
            now: write after `SAVE_EVERY` seconds even if the last checkpoint took long to write.
        """
        began = time.perf_counter()
        waiting = SAVE_EVERY if now else max(SAVE_EVERY, 10 * self.saving)
        if self.path is None or began - self.saved <= waiting:
            return
        columns: dict[str, Any] = {name: getattr(search.table, name) for name in COLUMNS}
        part = _part(self.path)
        try:
            with part.open("wb") as file:
                np.savez(file, about=np.array([self.statement, self.digest, str(search.taken)]), **columns)
            part.replace(self.path)
        except OSError as error:
            part.unlink(missing_ok=True)
            why = f"{error.strerror or error}; the count continues, and the previous checkpoint is kept"
            warnings.warn(f"{self.path} could not be saved: {why}", RuntimeWarning, stacklevel=2)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        self.saved = time.perf_counter()
        self.saving = self.saved - began

    def remove(self) -> None:
        """Remove the file after the count."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def _part(path: Path) -> Path:
    """Return the temporary name under which a checkpoint is written."""
    return path.with_name(path.name + ".part")
