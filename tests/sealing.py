"""What a forger can do: compute the seals of changed files anew."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np

import cavalcade as cv
from cavalcade.formats.labels import label_of, texts_of
from cavalcade.ground.container import CHECKPOINT
from cavalcade.surveys.batches import _seal


def reseal_rows(directory: Path) -> None:
    """Seal the rows of a survey as they are now, a damaged description included."""
    description = directory / "survey.json"
    keys: dict[str, Any] = json.loads(description.read_text(encoding="utf-8"))
    keys.pop("seal", None)
    description.write_text(json.dumps(keys | {"seal": _seal(keys)}), encoding="utf-8")
    survey = cv.read_survey(directory)
    for path in sorted((directory / "rows").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            rows: list[Any] = [texts_of(row, label_of) for row in csv.DictReader(file)]
        number = int(path.stem)
        survey.write(number, rows, survey.kept(number))


def reseal_checkpoint(path: Path, **changes: Any) -> None:
    """Write a checkpoint with changed members, and seal it."""
    with np.load(path) as file:
        members = {name: file[name] for name in file.files} | changes
    version, *parts, _ = members.pop("about").tolist()
    parts[-1] = str(changes.get("taken", parts[-1]))
    members.pop("taken", None)
    columns = [np.ascontiguousarray(members[name]).data for name in ("keys", "starts", "shape", "data")]
    about = np.array([version, *parts, CHECKPOINT.seal(*parts, *columns)])
    with path.open("wb") as out:
        np.savez(out, about=about, **members)
