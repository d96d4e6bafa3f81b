"""Whether the times on the pages are true: `benchmarks/claims.py [PART OF A PAGE OR A COMMAND]`.

`claims.csv` has a row for each time of a command that a page states: the page, a part of its sentence, the
command and the seconds. The command runs three times, or once if it takes more than `LONG` seconds; its least
processor time is compared. The exit code is 1 if a command took more than `FACTOR` times as long as stated.
"""

from __future__ import annotations

import csv
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
FACTOR = 1.5
LONG = 30.0  # seconds; a shorter command runs again, because its first run may compile


class Claim(NamedTuple):
    """A time that a page states.

    Args:
        page: path of the page in the repository.
        text: part of a sentence on the page, with the time.
        command: words after `cavalcade`; a second command follows `&&`, and only the last one is measured.
        seconds: the stated time.
    """

    page: str
    text: str
    command: str
    seconds: float


def claims() -> list[Claim]:
    """Return the rows of the table."""
    with (ROOT / "benchmarks" / "claims.csv").open(newline="", encoding="utf-8") as lines:
        return [
            Claim(page, text, command, float(seconds))
            for page, text, command, seconds in list(csv.reader(lines))[1:]
        ]


def ran(command: str, folder: str) -> tuple[float, float, int]:
    """Run a command in a folder; returns its processor seconds, its peak memory in MB and its exit code."""
    program = shutil.which("cavalcade", path=str(Path(sys.executable).parent)) or "cavalcade"
    *before, last = (shlex.split(words) for words in command.split(" && "))
    for words in before:
        subprocess.run([program, *words], cwd=folder, check=True, capture_output=True)
    process = subprocess.Popen(
        [program, *last], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000, process.returncode


def main(part: str = "") -> int:
    """Print each claim beside its measurement; returns the exit code."""
    slower = 0
    print(f"{'page':28} {'command':40} {'claim':>8} {'measured':>9} {'ratio':>6} {'memory':>9}")
    for claim in claims():
        if part not in claim.page and part not in claim.command:
            continue
        with tempfile.TemporaryDirectory() as folder:
            runs = [ran(claim.command, folder)]
            while runs[0][0] < LONG and len(runs) < 3:
                runs.append(ran(claim.command, folder))
        seconds, memory, code = min(runs)
        ratio = seconds / claim.seconds
        slower += ratio > FACTOR
        print(
            f"{claim.page.removeprefix('docs/'):28} {claim.command[-40:]:40} {claim.seconds:7g}s "
            f"{seconds:8.3g}s {ratio:6.2f} {memory:6.0f} MB, code {code}{'  SLOWER' * (ratio > FACTOR)}",
            flush=True,
        )
    print(f"{slower} claims are false by more than {FACTOR:g}")
    return int(slower > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
