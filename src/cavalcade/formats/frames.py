"""Binary tables: Excel workbooks, Parquet files and SAS data sets, converted to comma-separated values.

`files.read_file` converts them when it reads a file, so every reader of tables accepts them. pandas reads
them; the extra `tables` installs pandas and the libraries that it needs.
"""

from __future__ import annotations

import contextlib
import csv
import io
from typing import Any

from cavalcade.ground.budget import assert_room
from cavalcade.ground.errors import FormatError, TooLargeError, optional

# First bytes of a binary table, and the kind of table. A .sas7bdat file begins with this number since 1995.
MAGIC = {
    b"PK\x03\x04": "Excel",
    b"PAR1": "Parquet",
    b"HEADER RECORD*******LIBRARY HEADER RECORD": "xport",
    bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011"): "sas7bdat",
}


def kind_of(raw: bytes) -> str | None:
    """Return the kind of a binary table, or None for other data."""
    return next((kind for magic, kind in MAGIC.items() if raw.startswith(magic)), None)


def as_csv(raw: bytes, kind: str) -> str:
    """Convert a binary table to comma-separated values, with the titles in the first row if it has any.

    Args:
        raw: contents of the file.
        kind: kind of table, a value of `MAGIC`.

    Raises:
        FormatError: the file is damaged, is no table, or has several sheets.
        MissingExtraError: a library of the extra `tables` is not installed.
        TooLargeError: the table does not fit into memory.
    """
    pandas = optional("pandas", "tables")
    if kind == "Excel":
        optional("openpyxl", "tables")
        _assert_workbook(raw)
    if kind == "Parquet":
        optional("pyarrow", "tables")
        _assert_parquet_fits(raw)
    try:
        frame = _frame(pandas, raw, kind)
    except FormatError:
        raise
    except MemoryError:
        raise TooLargeError(f"the table of {kind} does not fit into memory, or is damaged") from None
    except Exception as error:  # noqa: BLE001 - pandas and its libraries have no common class of errors
        why = " ".join(str(error).split())[:200] or type(error).__name__
        raise FormatError(f"it begins like a table of {kind}, which pandas cannot read: {why}") from None
    columns = [_texts(frame.iloc[:, k]) for k in range(frame.shape[1])]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if kind != "Excel":  # the rows of a sheet include the titles
        writer.writerow(map(str, frame.columns))
    writer.writerows(zip(*columns, strict=True))
    return out.getvalue()


def _frame(pandas: Any, raw: bytes, kind: str) -> Any:
    """Return the data frame of a binary table."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl warns of styles and extensions, which hold no data
        if kind == "Parquet":
            return pandas.read_parquet(io.BytesIO(raw), engine="pyarrow")
        if kind != "Excel":
            with contextlib.redirect_stdout(None):  # pandas prints warnings about damaged data sets
                return pandas.read_sas(io.BytesIO(raw), format=kind, encoding="utf-8")
        sheets = pandas.read_excel(io.BytesIO(raw), sheet_name=None, header=None, dtype=object)
    filled = {name: sheet for name, sheet in sheets.items() if sheet.size}
    if len(filled) != 1:
        names = ", ".join(map(repr, filled)) or "none"
        raise FormatError(f"a workbook whose sheets with data are {names}: expected one; save one as CSV")
    return filled.popitem()[1]


def _assert_workbook(raw: bytes) -> None:
    """Check that a zip archive is a workbook, and that its decompressed parts fit into memory."""
    import zipfile

    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise FormatError(
            f"it begins like an Excel workbook or a zip archive, and is damaged: {error}"
        ) from None
    if not any(part.filename == "xl/workbook.xml" for part in parts):
        raise FormatError("it is a zip archive without a workbook, expected .xlsx or an unpacked file")
    assert_room(8 * sum(part.file_size for part in parts), "the workbook")


def _assert_parquet_fits(raw: bytes, bytes_per_field: int = 100) -> None:
    """Check that the fields of a Parquet file fit into memory: a small file may hold many equal values.

    Args:
        raw: contents of the file.
        bytes_per_field: bytes of a value of a data frame and its text, as Python objects.

    Raises:
        FormatError: the file is damaged.
        TooLargeError: the fields do not fit.
    """
    parquet = optional("pyarrow.parquet", "tables")
    try:
        metadata = parquet.ParquetFile(io.BytesIO(raw)).metadata
    except Exception as error:  # noqa: BLE001 - as above
        why = " ".join(str(error).split())[:200]
        raise FormatError(f"it begins like a Parquet file, and is damaged: {why}") from None
    assert_room(bytes_per_field * metadata.num_rows * metadata.num_columns, "the table")


def _texts(column: Any) -> list[str]:
    """Return the values of a column as text: empty if missing, whole numbers without a point."""
    return [
        "" if missing else str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
        for value, missing in zip(column.tolist(), column.isna().tolist(), strict=True)
    ]
