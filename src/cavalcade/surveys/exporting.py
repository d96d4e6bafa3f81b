"""A survey as one table that other programs read: numbers as numbers, no value where there is none.

A count may have more digits than a floating-point number or 64 bits hold. In .csv and .jsonl it has all of
them; in .parquet it is a decimal of up to 38 digits, and text if one is longer; in pandas a Python integer.
The measures of tours are columns of their own.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cavalcade.formats.files import replacing
from cavalcade.ground.errors import FormatError, optional
from cavalcade.surveys.rows import Row

Rows = Callable[[], Iterator[Row]]  # the rows of a survey, once more with each call

ENDINGS = (".csv", ".jsonl", ".parquet")
DIGITS = 38  # of a decimal in Parquet


def values(rows: Rows) -> Iterator[dict[str, Any]]:
    """The rows with typed values: None for what a row lacks, the measures of a tour one by one."""
    for row in rows():
        found: dict[str, Any] = {name: None if value == "" else value for name, value in row.items()}
        found["count"] = None if row["count"] in {"", None} else int(row["count"])
        found["bytes"] = None if row["bytes"] in {"", None} else int(row["bytes"])
        yield found | json.loads(found.pop("measures") or "{}")


def export(rows: Rows, path: str | os.PathLike[str]) -> None:
    """Write the rows as one table.

    Args:
        rows: of a survey.
        path: a file, .csv, .jsonl or .parquet.

    Raises:
        FormatError: another ending, or the file cannot be written.
        MissingExtraError: pyarrow is not installed, for .parquet.
    """
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise FormatError(f"the ending of {str(path)!r} does not name a table, expected {', '.join(ENDINGS)}")
    if ending == ".parquet":
        _parquet(rows, path)
        return
    names = dict.fromkeys(name for row in values(rows) for name in row) if ending == ".csv" else {}
    with replacing(path) as part, part.open("x", encoding="utf-8", newline="") as file:
        if ending == ".csv":
            table = csv.DictWriter(file, list(names), lineterminator="\n")
            table.writeheader()
            table.writerows(values(rows))
        else:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in values(rows))


def _parquet(rows: Rows, path: str | os.PathLike[str]) -> None:
    pa, parquet = (
        optional(one, "survey", "pyarrow", "; or choose .csv") for one in ("pyarrow", "pyarrow.parquet")
    )
    every = list(values(rows))
    names = dict.fromkeys(name for row in every for name in row)
    columns: dict[str, Any] = {name: [row.get(name) for row in every] for name in names}
    longest = max((len(str(one)) for one in columns["count"] if one is not None), default=0)
    if longest <= DIGITS:
        columns["count"] = pa.array(columns["count"], pa.decimal128(DIGITS, 0))
    else:
        columns["count"] = [None if one is None else str(one) for one in columns["count"]]
    with replacing(path) as part:
        parquet.write_table(pa.table(columns), part)


def to_pandas(rows: Rows) -> Any:
    """The rows as a DataFrame; counts are Python integers, without loss.

    Raises:
        MissingExtraError: pandas is not installed.
    """
    pd = optional("pandas", "pandas")
    table = pd.DataFrame(list(values(rows)))
    if "count" in table:
        table["count"] = pd.Series([row["count"] for row in values(rows)], dtype=object)
    return table
