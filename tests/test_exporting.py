"""Exported surveys: pandas, polars and DuckDB read all digits."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cavalcade.ground.errors import FormatError
from cavalcade.surveys.exporting import export, to_pandas, values
from examples import renewed_notebook

if TYPE_CHECKING:
    from collections.abc import Iterator

COUNTS = (2**53 + 1, 13267364410532, 2**64 + 3, 10**37 + 1)


def rows() -> Iterator[dict[str, Any]]:
    """Rows as a survey stores them: numbers as text, missing values as empty text."""
    for n, count in enumerate(COUNTS):
        yield {
            "n": n,
            "board": f"8x{n}",
            "count": str(count),
            "bytes": "10",
            "seconds": 0.5,
            "measures": '{"turns": 4}',
        }
    yield {"n": 9, "board": "8x9", "count": "", "bytes": "", "seconds": 0.5, "measures": ""}


def test_each_ending_has_every_digit(tmp_path: Path) -> None:
    expected = [*COUNTS, None]
    for name in ("t.csv", "t.jsonl"):
        export(rows, tmp_path / name)
    with (tmp_path / "t.csv").open() as file:
        table = list(csv.DictReader(file))
    assert [int(row["count"]) if row["count"] else None for row in table] == expected
    assert [row["turns"] for row in table] == ["4"] * 4 + [""]
    lines = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    assert [row["count"] for row in lines] == expected
    assert [row["count"] for row in values(rows)] == expected
    with pytest.raises(FormatError, match="xlsx"):
        export(rows, tmp_path / "t.xlsx")


def test_parquet_has_every_digit(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    export(rows, tmp_path / "t.parquet")
    read = parquet.read_table(tmp_path / "t.parquet").to_pydict()
    assert [value if value is None else int(value) for value in read["count"]] == [*COUNTS, None]
    assert read["bytes"] == [10] * 4 + [None]


def test_pandas_polars_and_duckdb_read_every_digit(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    polars = pytest.importorskip("polars", reason="polars is not installed")
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    export(rows, tmp_path / "t.parquet")
    export(rows, tmp_path / "t.csv")
    assert to_pandas(rows)["count"].tolist() == [*COUNTS, None]
    for table in (pandas.read_parquet(tmp_path / "t.parquet"), polars.read_parquet(tmp_path / "t.parquet")):
        assert [int(value) for value in table["count"] if value is not None] == [*COUNTS]
    selected = duckdb.sql(f"select count from '{tmp_path}/t.parquet'").fetchall()  # noqa: S608 - our own path
    assert [int(value) for (value,) in selected if value is not None] == [*COUNTS]
    text = pandas.read_csv(tmp_path / "t.csv", dtype={"count": str})["count"].dropna()
    assert [int(value) for value in text] == [*COUNTS]


@pytest.mark.parametrize(
    ("notebook", "libraries"),
    [("data.ipynb", ("pandas", "polars", "duckdb", "pyarrow")), ("ten-cells.ipynb", ("pandas",))],
)
def test_the_notebook_is_current(notebook: str, libraries: tuple[str, ...], tmp_path: Path) -> None:
    for library in libraries:
        pytest.importorskip(library, reason=f"{library} is not installed")
    shown = (Path(__file__).parent.parent / "docs" / notebook).read_text(encoding="utf-8")
    assert renewed_notebook(shown, tmp_path) == shown
