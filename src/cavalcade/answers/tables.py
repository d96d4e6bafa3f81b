"""Tables of named columns, as the libraries for data frames take them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cavalcade.ground.errors import optional

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


class ColumnTable:
    """A table: a subclass has its columns."""

    @property
    def columns(self) -> dict[str, Any]:
        """Arrays of equal length by the names of columns."""
        raise NotImplementedError

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame of pandas with these columns, see `columns`.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        return optional("pandas", "pandas").DataFrame(self.columns)

    def to_arrow(self) -> Any:
        """Return a table of Arrow with these columns, see `columns`.

        Raises:
            MissingExtraError: pyarrow is not installed.
        """
        return optional("pyarrow", "survey").table(self.columns)

    def to_polars(self) -> pl.DataFrame:
        """Return a DataFrame of polars with these columns, see `columns`.

        Raises:
            MissingExtraError: polars is not installed.
        """
        frame: pl.DataFrame = optional("polars", "polars").DataFrame(self.columns)
        return frame
