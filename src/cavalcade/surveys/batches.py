"""The files of a survey: its description, and the rows in batches. Each file is written atomically.

    DIR/survey.json        the family and the options; `questions` after all questions are answered
    DIR/rows/000017.csv    the rows of batch 17, or .parquet
    DIR/kept/000017.jsonl  with `keep`, its tours and certificates, one line per row, possibly empty

The rows of a batch are written last, so a batch is complete if its rows exist.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from cavalcade.formats.files import read_file
from cavalcade.formats.labels import field_of, label_of, texts_of
from cavalcade.ground.errors import FormatError, optional
from cavalcade.ground.storage import new_file, remove_file, write_file
from cavalcade.surveys.families import COLUMNS, QuestionFamily
from cavalcade.surveys.rows import Asking, Row

VERSION = 2  # of survey.json; version 1 had no column `statement`
ENDINGS = ("csv", "parquet")
ARROW = ("survey", "pyarrow", "; or choose csv")  # arguments of `optional` for Parquet
# columns that a notebook omits
ASIDE = {"statement", "reason", "certificate", "bytes", "version", "measures"}


@dataclasses.dataclass(frozen=True)
class Survey:
    """A survey in a directory.

    Args:
        directory: directory of its files.
        family: the family of questions.
        asking: options for each question.
        batch: questions per file.
        ending: `csv` or `parquet`.
        questions: number of questions; None until all are answered.

    Examples:
        >>> made = survey("5x{n} for n in 5..6", "fives", workers=1)
        >>> made.export("fives.csv")
    """

    directory: Path
    family: QuestionFamily
    asking: Asking = dataclasses.field(default_factory=Asking)
    batch: int = 1000
    ending: str = "csv"
    questions: int | None = None

    @property
    def columns(self) -> list[str]:
        """Columns of the table: the names of the family, then `COLUMNS`."""
        return [*self.family.names, *COLUMNS]

    @property
    def done(self) -> list[int]:
        """Numbers of the complete batches, in order."""
        return sorted(int(path.stem) for path in (self.directory / "rows").glob(f"[0-9]*.{self.ending}"))

    @property
    def missing(self) -> list[int]:
        """Numbers of the batches whose files are lost, if all questions were answered."""
        done = set(self.done)
        return [i for i in range(-(-(self.questions or 0) // self.batch)) if i not in done]

    def rows(self) -> Iterator[Row]:
        """Yield the rows, batch after batch.

        Raises:
            FormatError: a file is damaged.
        """
        for number in self.done:
            yield from self.read(number)

    def read(self, number: int) -> list[Row]:
        """Return the rows of a batch.

        Raises:
            FormatError: the file is damaged.
        """
        path = self._rows_of(number)
        rows: list[dict[str, Any]]
        if self.ending == "parquet":
            rows = optional("pyarrow.parquet", *ARROW).read_table(path).to_pylist()
        else:
            rows = list(csv.DictReader(io.StringIO(read_file(path))))
            rows = [texts_of(row, label_of) for row in rows]
        if rows and list(rows[0]) != self.columns:
            raise FormatError(f"{path} has other columns, expected {', '.join(self.columns)}")
        for row in rows:
            row["seconds"] = float(row["seconds"])
            for name in self.family.names:
                if isinstance(text := row[name], str) and text.removeprefix("-").isdigit():
                    row[name] = int(text)
        return rows

    def kept(self, number: int) -> list[str]:
        """Return the tours and certificates of a batch as JSON, one per row; [] if the survey keeps none."""
        path = self._kept_of(number)
        return read_file(path).splitlines() if path.exists() else []

    def export(self, path: str | os.PathLike[str]) -> None:
        """Write the rows as one table, .csv, .jsonl or .parquet, see `surveys.exporting`.

        Raises:
            FormatError: the ending is not supported, or the file cannot be written.
        """
        from cavalcade.surveys.exporting import export

        export(self.rows, path)

    def to_pandas(self) -> Any:
        """Return the rows as a DataFrame of pandas with typed columns; counts keep all digits."""
        from cavalcade.surveys.exporting import to_pandas

        return to_pandas(self.rows)

    def _repr_html_(self) -> str:
        """Return HTML for a notebook: the family, the verdicts, and the first rows."""
        from cavalcade.draw.html import paragraph, table

        batches = f"{len(self.done):,} batches so far"
        state = batches if self.questions is None else f"{self.questions:,} boards"
        html = paragraph(f"Survey: {self.asking.verb}, {self.family.title}: {state}.")
        counted = 20_000  # rows up to which the verdicts are counted, so that a display stays quick
        rows = list(islice(self.rows(), counted + 1))
        if len(rows) <= counted:
            verdicts = Counter(str(row["verdict"]) for row in rows).most_common()
            html += paragraph(", ".join(f"{number:,} {verdict}" for verdict, number in verdicts))
        heads = [key for key in self.columns if key not in ASIDE and any(row[key] != "" for row in rows)]
        shown = 20  # rows that are displayed
        first = [[row[key] for key in heads] for row in rows[:shown]]
        note = paragraph(f"The first {shown} rows; rows() has all of them.") if len(rows) > shown else ""
        return f'<div class="cavalcade">{html}{table(heads, first, shown)}{note}</div>'

    def write(self, number: int, rows: Sequence[Row], kept: Sequence[str]) -> None:
        """Write the files of a batch.

        Raises:
            FormatError: a file cannot be written.
        """
        path = self._rows_of(number)
        for folder in (path.parent, self._kept_of(number).parent)[: 1 + self.asking.keep]:
            with suppress(OSError):
                folder.mkdir(exist_ok=True)
        if self.asking.keep:
            write_file(self._kept_of(number), "".join(f"{line}\n" for line in kept))
        if self.ending == "parquet":
            table = optional("pyarrow", *ARROW).table(
                {name: [row[name] for row in rows] for name in self.columns}
            )
            with new_file(path) as file:
                optional("pyarrow.parquet", *ARROW).write_table(table, file)
            return
        out = io.StringIO()
        writer = csv.DictWriter(out, self.columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(texts_of(row, field_of) for row in rows)
        write_file(path, out.getvalue())

    def forget(self, number: int) -> None:
        """Remove the rows of a batch, so that its questions are answered again."""
        remove_file(self._rows_of(number))

    def save(self) -> None:
        """Write the description of the survey.

        Raises:
            FormatError: the file cannot be written.
        """
        keys = {"survey": VERSION, "family": dict(self.family.keys), **dataclasses.asdict(self.asking)}
        keys |= {"batch": self.batch, "rows": self.ending, "questions": self.questions}
        write_file(self.directory / "survey.json", json.dumps(keys, indent=1, ensure_ascii=False) + "\n")

    def _rows_of(self, number: int) -> Path:
        return self.directory / "rows" / f"{number:06}.{self.ending}"

    def _kept_of(self, number: int) -> Path:
        return self.directory / "kept" / f"{number:06}.jsonl"


def read_survey(directory: str | os.PathLike[str]) -> Survey:
    """Open the survey in a directory, finished or not.

    Args:
        directory: the directory that was passed to `survey`.

    Raises:
        FormatError: the directory has no survey, or a survey of another version.

    Examples:
        >>> made = survey("5x{n} for n in 5..6", "fives", workers=1)
        >>> read_survey("fives").questions
        2
    """
    path = Path(directory) / "survey.json"
    if not path.is_file():
        raise FormatError(f"there is no survey in {directory}, expected a directory with a survey.json")
    try:
        keys = json.loads(read_file(path))
        if keys.pop("survey") != VERSION or keys["rows"] not in ENDINGS:
            raise FormatError(f"{path} is a survey by another version of cavalcade")
        family = QuestionFamily(keys.pop("family"))
        batch, ending, questions = (keys.pop(key) for key in ("batch", "rows", "questions"))
        return Survey(Path(directory), family, Asking(**keys), batch, ending, questions)
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"{path} does not describe a survey: {error}") from None
