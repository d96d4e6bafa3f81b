"""What counting costs, against Graphillion in the same run: time and memory.

Each count is a process of its own. *Alone* is the counting in a process that has loaded all it needs (for
cavalcade, whose kernels come from a cache, not the first count; for Graphillion, from the list of edges on);
*whole* is the whole process, start-up included. Graphillion (a Python library on a C++ engine) builds a
decision diagram of all tours, so that it could do more than count. It comes with the group `bench` and is
skipped with a word where it is missing. Ratios are its numbers over ours: above 1 means cavalcade is faster,
or takes less memory. With more than 12 GB it is stopped.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import time

from rich.console import Console
from rich.table import Table

from ratios import keep

BOARDS = ("3x20", "5x10", "6x6", "6x7")
PEAK = """
print(count, time.perf_counter() - began)
from pathlib import Path
print([line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line][0])
"""
OURS = (
    """
import sys, time, cavalcade
cavalcade.count("6x7"), cavalcade.count(sys.argv[1])  # warm
began = time.perf_counter()
count = cavalcade.count(sys.argv[1]).count
"""
    + PEAK
)
THEIRS = (
    """
import resource, sys, time, cavalcade
resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))
from graphillion import GraphSet
board = cavalcade.board(sys.argv[1])
names, edges = board.names, cavalcade.move_graph(board).edges().tolist()
began = time.perf_counter()
GraphSet.set_universe([(names[a], names[b]) for a, b in edges])
count = GraphSet.cycles(is_hamilton=True).len()
"""
    + PEAK
)
ONCE = OURS.replace('cavalcade.count("6x7"), cavalcade.count(sys.argv[1])  # warm\n', "")


def measure(program: str, spec: str) -> tuple[int, float, float, float]:
    """The count, its seconds alone, those of the whole process, and its MB."""
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", program, spec], check=True, capture_output=True, text=True)
    seconds = time.perf_counter() - began
    count, alone, kilobytes = done.stdout.split()
    return int(count), float(alone), seconds, int(kilobytes) * 1024 / 1e6


def main() -> None:
    """One table."""
    console = Console(width=110)
    measure(OURS, BOARDS[-1])  # compiles
    peer = importlib.util.find_spec("graphillion") is not None
    table = Table("board", "closed tours", "counted by", "alone", "whole", "memory", title="Counting")
    for spec in BOARDS:
        count, alone, _, _ = measure(OURS, spec)
        _, _, whole, memory = measure(ONCE, spec)
        table.add_row(
            spec, f"{count:,}", "cavalcade", f"{alone:.3f} s", f"{whole:.2f} s", f"{memory:,.0f} MB"
        )
        if peer:
            theirs, *figures = measure(THEIRS, spec)
            if theirs != count:
                raise SystemExit(f"{spec}: {count} tours by cavalcade, {theirs} by Graphillion")
            table.add_row(
                "", "", "Graphillion", f"{figures[0]:.3f} s", f"{figures[1]:.2f} s", f"{figures[2]:,.0f} MB"
            )
            ratios = [a / b for a, b in zip(figures, (alone, whole, memory), strict=True)]
            keep({f"graphillion {spec}": ratios[0], f"graphillion {spec}, memory": ratios[2]})
            table.add_row("", "", "ratio", *(f"{ratio:.1f}" for ratio in ratios), end_section=True)
    console.print(table)
    if not peer:
        console.print("Graphillion is not installed: pip install --group bench")


if __name__ == "__main__":
    main()
