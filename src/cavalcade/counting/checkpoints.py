"""Checkpoints: the states of a count in a file, from which the count goes on after an interruption."""

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
COLUMNS = ("keys", "starts", "shape", "data")  # of a table, see `Patterns`
SAVE_EVERY = 5.0  # seconds


class Checkpoints:
    """The checkpoint file of one count, or none.

    It is written after a vertex, when `SAVE_EVERY` seconds have passed and writing takes less than a tenth of
    the time; when the count is done the file is removed. If it cannot be written, a RuntimeWarning says so,
    and the count goes on.

    Args:
        path: the file; None is none.
        statement: what is counted (see `question.statement`); a file about anything else is refused.
    """

    def __init__(self, path: Path | None = None, statement: str = "") -> None:
        self.path, self.statement = path, statement
        self.saved, self.saving = time.perf_counter(), 0.0
        self._left: tuple[int, Patterns] | None = None  # steps, states

    @property
    def directory(self) -> Path | None:
        """Where the file is, for the files of tables that memory cannot hold."""
        return None if self.path is None else self.path.absolute().parent

    def open(self, graph: MoveGraph, order: list[int]) -> None:
        """Read the file, if it is there.

        Args:
            graph: whose cycles are counted.
            order: in which its vertices are taken.

        Raises:
            FormatError: it is of another count or damaged, or no checkpoint can be written there.
        """
        if self.path is None:
            return
        import hashlib

        numbers = (np.asarray(some, dtype=np.int64) for some in (graph.indptr, graph.indices, order))
        every = VERSION.encode() + b"".join(some.tobytes() for some in numbers)
        self.digest = hashlib.sha256(every).hexdigest()
        try:
            part = _part(self.path)
            part.write_bytes(b"")  # now, not after an hour
            part.unlink()
            if not self.path.exists():
                return
            with np.load(self.path) as file:
                statement, digest, steps = file["about"].tolist()
                table = Patterns(*(file[name] for name in COLUMNS))
        except OSError as error:
            why = error.strerror or error
            raise FormatError(f"cannot keep a checkpoint in {self.path}: {why}") from None
        except Exception:  # noqa: BLE001 - another file can raise anything when NumPy reads it
            expected = "expected one that a count has saved, or no file"
            raise FormatError(f"{self.path} is not a checkpoint of a count, {expected}") from None
        if (statement, digest) != (self.statement, self.digest):
            other = "of another version" if statement == self.statement else f"of another count, {statement}"
            raise FormatError(f"{self.path} is a checkpoint {other}: remove it, or name another file")
        self._left = int(steps), table

    def resume(self, search: PatternSearch) -> None:
        """Put a fresh search where the checkpoint was."""
        if self._left is None:
            return
        search.taken, search.table = self._left
        self._left = None
        search.record.taken += search.taken
        search.record.peak_states = search.table.states

    def save_if_due(self, search: PatternSearch, *, now: bool = False) -> None:
        """Write a search if it is time to; or now, if any time has passed."""
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
            why = f"{error.strerror or error}; the count goes on, and what was there before stays"
            warnings.warn(f"{self.path} could not be saved: {why}", RuntimeWarning, stacklevel=2)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        self.saved = time.perf_counter()
        self.saving = self.saved - began

    def remove(self) -> None:
        """Remove the file: the count is done."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def _part(path: Path) -> Path:
    """Where a checkpoint is written before it takes its name."""
    return path.with_name(path.name + ".part")
