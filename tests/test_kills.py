"""Commands that write are killed at random moments: no file is half-written, lost, or left behind."""

from __future__ import annotations

import csv
import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

KILLS = [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL, signal.SIGPIPE]
# Command, and what it writes. A command that resumes continues from what a killed one left.
WRITERS = {
    "tour": ("tour 60x60 -o out.csv", "out.csv"),
    "array": ("tour 1500x1500 -o out.npy", "out.npy"),
    "list": ("list 3x12 --format csv -o out.csv", "out.csv"),
    "sample": ("sample 5x6 -n 50 -o out.json --format json", "out.json"),
    "draw": ("draw 30x30 -o out.svg", "out.svg"),
    "proof": ("prove 4x6 -o out.proof", "out.proof"),
    "convert": ("convert given.csv -o out.txt", "out.txt"),
    "links": ("links 60x60 -o out.hcp", "out.hcp"),
    "puzzle": ("puzzle 6x6 -o out.txt", "out.txt"),
    "receipt": ("count 6x6 --receipt out.json", "out.json"),
    "checkpoint": ("count 6x7 --open --checkpoint out.npz", ""),
    "shards": ("count 6x6 --shards 4 -o out", "out"),
    "survey": ("survey 4x{n} for n in 3..20 --batch 3 -o out", "out"),
    "oeis": ("count 4xn --upto 6 -o out", "out"),
}
# Fields of a result that differ between two runs of a command: run times, the seals over them, and the memory
# that was used, because one run may interpret kernels that another one compiles.
VARYING = {"seconds", "seal", "effort", "created", "peak_bytes", "bytes"}
# Seconds after which a command is called stuck, and its own time limit. The longest takes a few seconds, on a
# busy machine ten times as long.
SECONDS = 600.0


def started(line: str, directory: Path) -> subprocess.Popen[bytes]:
    """Start a command in a directory; braces and spaces of a family stay together."""
    words = line.split()
    if words[0] == "survey":
        words = ["survey", line[len("survey ") : line.index(" --")], *words[-4:]]
    command = [sys.executable, "-m", "cavalcade", *words, "--time-limit", str(SECONDS)]
    return subprocess.Popen(command, cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def contents(path: Path) -> object:
    """Return what a file or a directory says, without the fields that differ between runs."""
    if path.is_dir():
        return {str(file.relative_to(path)): contents(file) for file in path.rglob("*") if file.is_file()}
    if path.parent.name == "rows":
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        return [{title: row[title] for title in row.keys() - VARYING} for row in rows]
    text = path.read_bytes()
    if path.suffix == ".json" and text.count(b"\n") <= 1:
        fields = json.loads(text)
        return {key: fields[key] for key in fields.keys() - VARYING}
    return text


def wait(running: subprocess.Popen[bytes], directory: Path, seconds: float, *, until_written: bool) -> None:
    """Wait for some seconds, or until a command has begun to write and then for that long."""
    end = time.monotonic() + seconds
    if until_written:
        before = len(list(directory.rglob("*")))
        while running.poll() is None and len(list(directory.rglob("*"))) == before:
            time.sleep(0.001)
        end = time.monotonic() + seconds
    while running.poll() is None and time.monotonic() < end:
        time.sleep(0.001)


@pytest.mark.parametrize(
    ("name", "kills"),
    [("tour", 2), ("receipt", 1)] + [pytest.param(name, 36, marks=pytest.mark.slow) for name in WRITERS],
)
def test_killed_commands(name: str, kills: int, tmp_path: Path) -> None:
    """504 kills in the slow cases: after each the file is absent or whole, and the next run tidies up.

    Half of the kills come at any time of the run, and half soon after the command has begun to write.
    """
    line, target = WRITERS[name]
    given = subprocess.run(
        [sys.executable, "-m", "cavalcade", "tour", "40x40", "-o", "given.csv"], cwd=tmp_path, check=True
    )
    assert given.returncode == 0
    chance = random.Random(name)
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    (fresh / "given.csv").write_bytes((tmp_path / "given.csv").read_bytes())
    start = time.monotonic()
    whole = started(line, fresh)
    whole.communicate(timeout=SECONDS)
    duration = time.monotonic() - start
    assert whole.returncode in {0, 1}
    expected = contents(fresh / target) if target else None
    interrupted = 0
    for number in range(kills):
        directory = tmp_path / str(number)
        directory.mkdir()
        (directory / "given.csv").write_bytes((tmp_path / "given.csv").read_bytes())
        running = started(line, directory)
        until_written = number % 2 == 1
        fraction = 10 ** chance.uniform(-4, -1) if until_written else chance.uniform(0.1, 1)
        wait(running, directory, fraction * duration, until_written=until_written)
        interrupted += running.poll() is None
        running.send_signal(chance.choice(KILLS))
        running.communicate(timeout=SECONDS)
        if target and (directory / target).is_file():
            assert contents(directory / target) == expected, number
        again = started(line, directory)
        errors = again.communicate(timeout=SECONDS)[1].decode()
        assert again.returncode == whole.returncode, errors
        if target:
            assert contents(directory / target) == expected, number
        assert sorted(path.name for path in directory.iterdir()) == sorted(
            {path.name for path in fresh.iterdir()}
        ), number
    sys.stdout.write(f"{name}: {interrupted} of {kills} signals met a running command\n")
