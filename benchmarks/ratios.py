"""The history of ratios: `make bench` appends the ratios of a run to ratios.csv, and prints all.

A ratio is the time (or memory) of a peer divided by ours in one run, so a slow machine hardly changes it. A
peer without an answer has no ratio, because its time would be a bound and not a measurement. The file has a
line per row and commit; `python benchmarks/ratios.py` draws it without a run. A row is slower if its ratio is
below two thirds of the median of the previous five.
"""

from __future__ import annotations

import csv
import datetime as dt
import statistics
import subprocess
from pathlib import Path

from rich.console import Console
from rich.table import Table

FILE = Path(__file__).with_name("ratios.csv")
TITLES = ("date", "commit", "row", "ratio")
BARS = "▁▂▃▄▅▆▇█"
SLOWER = 2 / 3


def keep(ratios: dict[str, float], file: Path = FILE) -> None:
    """Append the ratios of a run, under the commit that is checked out."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=9"]
    done = subprocess.run(command, cwd=FILE.parent, capture_output=True, text=True, check=False)
    commit = done.stdout.strip() or "unknown"
    day = dt.datetime.now(dt.UTC).date().isoformat()
    new = not file.exists()
    with file.open("a", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([TITLES] * new)
        writer.writerows((day, commit, row, f"{ratio:.3g}") for row, ratio in ratios.items())


def kept(file: Path = FILE) -> dict[str, list[float]]:
    """The ratios of each row, the oldest first."""
    ratios: dict[str, list[float]] = {}
    if file.exists():
        with file.open(newline="", encoding="utf-8") as lines:
            for line in csv.DictReader(lines):
                ratios.setdefault(line["row"], []).append(float(line["ratio"]))
    return ratios


def slower(ratios: list[float]) -> bool:
    """Whether the last ratio is well below those before it."""
    return len(ratios) > 1 and ratios[-1] < SLOWER * statistics.median(ratios[-6:-1])


def bars(ratios: list[float]) -> str:
    """A bar for each ratio, the highest for the largest."""
    return "".join(BARS[min(7, int(8 * ratio / max(ratios)))] for ratio in ratios)


def drawn(file: Path = FILE) -> Table:
    """All rows, each with its bars."""
    table = Table(
        "row", "ratio over the commits", "last", "", title="Ratios that are kept: a peer's time over ours"
    )
    for row, ratios in kept(file).items():
        table.add_row(row, bars(ratios[-40:]), f"{ratios[-1]:,.1f}", "slower" if slower(ratios) else "")
    return table


if __name__ == "__main__":
    Console(width=110).print(drawn())
