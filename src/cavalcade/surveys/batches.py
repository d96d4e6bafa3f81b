"""The files of a survey: its description, and the rows in batches. Each file is written atomically.

    DIR/survey.json        the family and the options; `questions` after all questions are answered
    DIR/rows/000017.csv    the rows of batch 17, or .parquet
    DIR/kept/000017.jsonl  with `keep`, its tours and certificates, one line per row, possibly empty

The rows of a batch are written last, so a batch is complete if its rows exist. Each row has a seal (see
`ground.container`) of its values, its place and the survey, so that rows of other surveys or places, damaged
and edited rows are refused by whatever reads them.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import math
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cavalcade.formats.files import read_file
from cavalcade.formats.labels import field_of, label_of, texts_of
from cavalcade.ground.above import above
from cavalcade.ground.container import SURVEY
from cavalcade.ground.errors import CavalcadeError, FormatError, optional
from cavalcade.ground.storage import new_file, remove_file, write_file
from cavalcade.surveys.families import COLUMNS, QuestionFamily
from cavalcade.surveys.rows import DECIDED, VERBS, VERDICTS, Asking, Row

if TYPE_CHECKING:
    import pandas as pd

ENDINGS = ("csv", "parquet")
ARROW = ("survey", "pyarrow", "; or choose csv")  # arguments of `optional` for Parquet
# columns that a notebook omits
ASIDE = {"statement", "reason", "certificate", "bytes", "version", "measures"}


@dataclasses.dataclass(frozen=True)
class Survey:
    """A survey whose answers are files in a directory.

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

    @cached_property
    def _identity(self) -> str:
        """Digest of the family and of the options that decide about answers."""
        options = {"verb": self.asking.verb, "seed": self.asking.seed, "batch": self.batch}
        return SURVEY.seal(json.dumps([dict(self.family.keys), options], sort_keys=True, default=list))

    def _sealed(self, index: int, row: Mapping[str, Any]) -> list[str]:
        """Return what the seal of a row is about.

        Args:
            index: number of the row in the survey, from 0.
            row: its values, as they are written.
        """
        return [
            self._identity,
            str(index),
            *(str(row.get(name, "")) for name in self.columns if name != "seal"),
        ]

    @property
    def done(self) -> list[int]:
        """Numbers of the complete batches, in order."""
        stems = [path.stem for path in (self.directory / "rows").glob(f"[0-9]*.{self.ending}")]
        most = -(-(self.family.most if self.questions is None else self.questions) // self.batch)
        if wrong := [stem for stem in stems if not stem.isdecimal() or f"{int(stem):06}" != stem]:
            raise FormatError(f"{self.directory} has rows of another survey, {wrong[0]}: remove that file")
        numbers = sorted(map(int, stems))
        if numbers and numbers[-1] >= most:
            excess = self._rows_of(numbers[-1])
            raise FormatError(f"{excess} is not a part of this survey, which has {most:,}: remove it")
        return numbers

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
        """Return the rows of a batch, after comparing their seals, number and values.

        Raises:
            FormatError: the file is damaged, was edited, or belongs to another survey or another place.
        """
        path = self._rows_of(number)
        rows: list[dict[str, Any]]
        if self.ending == "parquet":
            parquet = optional("pyarrow.parquet", *ARROW)
            try:
                rows = parquet.read_table(path).to_pylist()
            except Exception as error:  # noqa: BLE001 - pyarrow raises errors of any type for other files
                why = " ".join(str(error).split())[:80]
                raise FormatError(f"{path} is damaged, {why}: {SURVEY.advice}") from None
        else:
            try:
                table = csv.DictReader(io.StringIO(read_file(path)), strict=True)
                rows = [texts_of(row, label_of) for row in table]
            except csv.Error as error:
                raise FormatError(f"{path} is damaged, {error}: {SURVEY.advice}") from None
        last = None if self.questions is None else self.questions - number * self.batch
        if not 0 < len(rows) <= self.batch or (last is not None and len(rows) != min(last, self.batch)):
            raise FormatError(f"{path} has {len(rows):,} rows, and not those of its batch: {SURVEY.advice}")
        for i, row in enumerate(rows):
            where = f"{path}, row {i + 1},"
            if list(row) != self.columns or None in row.values():
                raise FormatError(f"{where} has other columns, expected {', '.join(self.columns)}")
            SURVEY.assert_sealed(where, row["seal"], *self._sealed(number * self.batch + i, row))
            self._convert(where, row)
        return rows

    def _convert(self, where: str, row: dict[str, Any]) -> None:
        """Validate the values of a row, and convert its numbers."""
        try:
            row["seconds"] = float(row["seconds"])
            numbers = [str(row[name]) for name in ("count", "bytes") if row[name] != ""]
            measures = json.loads(row["measures"] or "{}")
        except (TypeError, ValueError) as error:
            raise FormatError(f"{where} has a wrong value, {str(error)[:80]}: {SURVEY.advice}") from None
        if row["verdict"] not in VERDICTS or not all(map(str.isdecimal, numbers)):
            wrong = row["verdict"] if row["verdict"] not in VERDICTS else numbers[0]
            raise FormatError(f"{where} has a wrong value, {wrong[:40]!r}: {SURVEY.advice}")
        if not isinstance(measures, dict) or not 0 <= row["seconds"] < math.inf:
            raise FormatError(f"{where} has wrong measures or seconds: {SURVEY.advice}")
        counted = row["verdict"] in DECIDED and self.asking.verb == "count"
        if row["count"] == "" and counted:
            raise FormatError(f"{where} has no count: {SURVEY.advice}")
        for name in self.family.names:
            if isinstance(text := row[name], str) and text.removeprefix("-").isdigit():
                row[name] = int(text)

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

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows as a DataFrame of pandas with typed columns; counts keep all digits."""
        from cavalcade.surveys.exporting import to_pandas

        return to_pandas(self.rows)

    def exceptions(self, rule: str) -> list[Row]:
        """Return the rows that contradict a rule, see `surveys.showing.exceptions`."""
        contradicting: list[Row] = above("exceptions")(self, rule)
        return contradicting

    def heat_maps(self, by: str = "verdict") -> list[str]:
        """Draw each table of the survey as SVG, see `surveys.showing.heat_maps`."""
        pictures: list[str] = above("heat_maps")(self, by)
        return pictures

    def __repr__(self) -> str:
        state = "unfinished" if self.questions is None else f"{self.questions:,} boards"  # reads no file
        return f"<Survey: {self.asking.verb}, {self.family.title}: {state}, in {self.directory}>"

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
        first = number * self.batch
        rows = [row | {"seal": SURVEY.seal(*self._sealed(first + i, row))} for i, row in enumerate(rows)]
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
        keys: dict[str, Any] = {
            "survey": SURVEY.version,
            "family": dict(self.family.keys),
            **dataclasses.asdict(self.asking),
        }
        keys |= {"batch": self.batch, "rows": self.ending, "questions": self.questions}
        keys["seal"] = _seal(keys)
        write_file(self.directory / "survey.json", json.dumps(keys, indent=1, ensure_ascii=False) + "\n")

    def _rows_of(self, number: int) -> Path:
        return self.directory / "rows" / f"{number:06}.{self.ending}"

    def _kept_of(self, number: int) -> Path:
        return self.directory / "kept" / f"{number:06}.jsonl"


def read_survey(directory: str | os.PathLike[str]) -> Survey:
    """Open a finished or unfinished survey in a directory.

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
        if keys.get("survey") != SURVEY.version or keys["rows"] not in ENDINGS:
            raise FormatError(f"{path} is a survey by another version of cavalcade: answer it again")
        if keys.pop("seal") != _seal(keys):
            why = "is damaged or was edited, its seal does not fit its contents"
            raise FormatError(f"{path} {why}: remove it, and repeat the survey to write it again")
        del keys["survey"]
        family = QuestionFamily(keys.pop("family"))
        batch, ending, questions = (keys.pop(key) for key in ("batch", "rows", "questions"))
        if type(batch) is not int or batch < 1 or type(questions) not in {int, type(None)}:
            raise FormatError(f"{path} does not describe a survey: its numbers are not whole")
        asking = Asking(**keys)
        if asking.verb not in VERBS:
            raise FormatError(f"{path} does not describe a survey: {str(asking.verb)[:40]!r} is no verb")
        return Survey(Path(directory), family, asking, batch, ending, questions)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, CavalcadeError):
            raise
        raise FormatError(f"{path} does not describe a survey: {str(error)[:80]}") from None


def _seal(keys: Mapping[str, Any]) -> str:
    """Return the seal of the description of a survey."""
    return SURVEY.seal(json.dumps(keys, sort_keys=True))
