"""Tours as a Parquet file, a table for pandas, Arrow, polars, DuckDB and R: one row per step, as in CSV.

Several tours have their number in the first column. The last columns, `kind`, `board` and `piece` (or
`digest`, on plain graphs), say in every row what the tours are of; in the file each is stored once. `frames`
reads such a file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from cavalcade.answers.tours import Tour, Tours
from cavalcade.formats.header import describe, facts
from cavalcade.ground.errors import FormatError, optional
from cavalcade.ground.storage import new_file

Write = Callable[[Mapping[str, ArrayLike], Tour], None]


def save(tours: Tour | Tours, path: str | os.PathLike[str]) -> None:
    """Write a tour or several tours.

    Raises:
        FormatError: there is no step, so that no row can say what the tour is of.
        MissingExtraError: pyarrow is not installed.
    """
    block = Tours.of(tours)
    if not block.cells.size:
        raise FormatError("a walk without cells has no rows: use text or json")
    columns = block.columns
    if isinstance(tours, Tour):
        del columns["tour"]
    with new_table(path) as write:
        write(columns, block[0])


@contextmanager
def new_table(path: str | os.PathLike[str]) -> Iterator[Write]:
    """Open a file for a table about tours; it appears when the table is complete.

    Yields:
        A function that writes rows: it takes their columns, and a tour that has the board, piece and kind of
        all tours.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    pa, parquet = (
        optional(module, "tables", "pyarrow", "; or choose .csv") for module in ("pyarrow", "pyarrow.parquet")
    )
    writers: list[Any] = []
    with new_file(path) as file:

        def write(columns: Mapping[str, ArrayLike], tour: Tour) -> None:
            length = len(np.asarray(next(iter(columns.values()))))
            first = pa.array(np.zeros(length, dtype=np.int32))
            about = {
                name: pa.DictionaryArray.from_arrays(first, [text])
                for name, text in facts(describe(tour)).items()
            }
            rows = pa.table(dict(columns) | about)
            if not writers:
                writers.append(parquet.ParquetWriter(file, rows.schema))
            writers[0].write_table(rows)

        yield write
        for writer in writers:
            writer.close()
