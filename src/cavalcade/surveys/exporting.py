"""Export of a survey as one table with typed values and explicit missing values.

A count can exceed the precision of a float and the range of 64 bits. In .csv and .jsonl all digits are
written; in .parquet the column is a decimal of up to 38 digits, or text if a count is longer; in pandas it
has Python integers. Each measure of tours is a column.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cavalcade.formats.labels import field_of, texts_of
from cavalcade.ground.errors import FormatError, optional
from cavalcade.ground.storage import new_file, new_text_file
from cavalcade.surveys.rows import Row

Rows = Callable[[], Iterator[Row]]  # iterates over the rows of a survey anew with each call

ENDINGS = (".csv", ".jsonl", ".parquet")


def values(rows: Rows) -> Iterator[dict[str, Any]]:
    """Yield the rows with typed values: None for missing values, and one value per measure."""
    for row in rows():
        typed: dict[str, Any] = {name: None if value == "" else value for name, value in row.items()}
        for name in ("count", "bytes"):
            typed[name] = None if typed[name] is None else int(typed[name])
        yield typed | json.loads(typed.pop("measures") or "{}")


def export(rows: Rows, path: str | os.PathLike[str]) -> None:
    """Write the rows as one table.

    Args:
        rows: the rows of a survey.
        path: a .csv, .jsonl or .parquet file.

    Raises:
        FormatError: the ending is not supported, or the file cannot be written.
        MissingExtraError: pyarrow is not installed, for .parquet.
    """
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise FormatError(f"the ending of {str(path)!r} does not name a table, expected {', '.join(ENDINGS)}")
    if ending == ".parquet":
        _parquet(rows, path)
        return
    names = dict.fromkeys(name for row in values(rows) for name in row) if ending == ".csv" else {}
    with new_text_file(path) as file:
        if ending == ".csv":
            table = csv.DictWriter(file, list(names), lineterminator="\n")
            table.writeheader()
            table.writerows(texts_of(row, field_of) for row in values(rows))
        else:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in values(rows))


def _parquet(rows: Rows, path: str | os.PathLike[str]) -> None:
    pa, parquet = (
        optional(module, "survey", "pyarrow", "; or choose .csv") for module in ("pyarrow", "pyarrow.parquet")
    )
    table = list(values(rows))
    names = dict.fromkeys(name for row in table for name in row)
    columns: dict[str, Any] = {name: [row.get(name) for row in table] for name in names}
    longest = max((len(str(count)) for count in columns["count"] if count is not None), default=0)
    precision = 38  # decimal digits, the largest precision of decimal128 in Parquet
    if longest <= precision:
        columns["count"] = pa.array(columns["count"], pa.decimal128(precision, 0))
    else:
        columns["count"] = [None if count is None else str(count) for count in columns["count"]]
    with new_file(path) as file:
        parquet.write_table(pa.table(columns), file)


def to_pandas(rows: Rows) -> Any:
    """Return the rows as a DataFrame; counts are Python integers.

    Raises:
        MissingExtraError: pandas is not installed.
    """
    pd = optional("pandas", "pandas")
    table = pd.DataFrame(list(values(rows)))
    if "count" in table:
        table["count"] = pd.Series([row["count"] for row in values(rows)], dtype=object)
    return table
