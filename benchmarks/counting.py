"""What counting costs, against Graphillion in the same run: time and memory of whole processes.

Each count is a process of its own, start-up included; kernels are compiled beforehand. Graphillion (a
Python library on a C++ engine) builds a decision diagram of all tours, so that it could do more than count.
It comes with the extra `bench` and is skipped with a word where it is missing. Ratios are its numbers over
ours: above 1 means cavalcade is faster, or takes less memory. 6x7 takes Graphillion 6 GB and a minute;
with more than 12 GB it is stopped.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import time

from rich.console import Console
from rich.table import Table

BOARDS = ("3x20", "5x10", "6x6", "6x7")
PEAK = """
from pathlib import Path
print([line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line][0])
"""
OURS = "import sys, cavalcade; print(cavalcade.count(sys.argv[1]).count)" + PEAK
THEIRS = (
    """
import resource, sys, cavalcade
resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))
from graphillion import GraphSet
board = cavalcade.board(sys.argv[1])
names, edges = board.names, cavalcade.move_graph(board).edges().tolist()
GraphSet.set_universe([(names[a], names[b]) for a, b in edges])
print(GraphSet.cycles(is_hamilton=True).len())
"""
    + PEAK
)


def measure(program: str, spec: str) -> tuple[int, float, float]:
    """The count, the seconds and the MB of one process."""
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", program, spec], check=True, capture_output=True, text=True)
    seconds = time.perf_counter() - began
    count, kilobytes = done.stdout.split()
    return int(count), seconds, int(kilobytes) * 1024 / 1e6


def main() -> None:
    """One table."""
    console = Console(width=110)
    measure(OURS, BOARDS[-1])
    peer = importlib.util.find_spec("graphillion") is not None
    table = Table(
        "board", "closed tours", "cavalcade", "memory", "Graphillion", "memory", "time ratio", "memory ratio",
        title="Counting (whole processes)",
    )  # fmt: skip
    for spec in BOARDS:
        count, seconds, memory = measure(OURS, spec)
        cells = [f"{count:,}", f"{seconds:.2f} s", f"{memory:,.0f} MB"]
        if peer:
            theirs, time_, space = measure(THEIRS, spec)
            if theirs != count:
                raise SystemExit(f"{spec}: {count} tours by cavalcade, {theirs} by Graphillion")
            cells += [f"{time_:.2f} s", f"{space:,.0f} MB", f"{time_ / seconds:.1f}", f"{space / memory:.1f}"]
        table.add_row(spec, *cells)
    console.print(table)
    if not peer:
        console.print("Graphillion is not installed: pip install 'cavalcade[bench]'")


if __name__ == "__main__":
    main()
