"""Cost of building a tour beside a lower bound and peers in the same run; part of `make bench`.

The lower bound is filling a fresh array of the same size with one number, on all cores. Most of it is the
system's work for fresh pages, and varies; so both are measured in turn and medians are compared. The peer is
Ian Parberry's Tourney (C++, 2019): set TOURNEY=…/Code to the folder of its sources, and they are compiled
with a main function that times only the construction. A billion squares need 4 GB of memory, and as much disk
for the last part.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.table import Table

import cavalcade
from cavalcade.construction.plan import Construction
from cavalcade.find.join import join
from cavalcade.ground.budget import Budget
from cavalcade.ground.system import cores
from cavalcade.ground.threads import spread
from cavalcade.question.question import Question
from ratios import keep

if TYPE_CHECKING:
    from collections.abc import Callable

console = Console(width=110)
BILLION = "31622x31622"
DRIVER = """
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include "Board.h"
#include "DivideAndConquer.h"
int main(int, char** argv) {
  const int n = atoi(argv[1]);
  const auto began = std::chrono::steady_clock::now();
  CBoard board(n, n);
  CDivideAndConquer().Generate(board, CycleType::Tour);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
  printf("%.6f\\n", taken.count());
}
"""


def plan(spec: str) -> Construction:
    """Return the construction of a closed tour."""
    result = cavalcade.construct(spec)
    if not isinstance(result, Construction):
        raise SystemExit(result.reason)
    return result


def seconds(run: Callable[[], object]) -> float:
    """Return the wall time of a call, in seconds; its result is freed before the next call."""
    began = time.perf_counter()
    result = run()
    taken = time.perf_counter() - began
    del result
    return taken


def fill(shape: tuple[int, ...], dtype: type[np.generic]) -> object:
    """Return a fresh array, filled by all cores."""
    array = np.empty(shape, dtype)
    spread(lambda part: part.fill(1), np.array_split(array.reshape(-1), cores()))
    return array


def floor() -> None:
    """Compare step numbers and moves with filling a fresh array."""
    table = Table(
        "board", "array", "filled", "built", "a cell", "ratio", title="Built against filled (median of 5)"
    )
    for spec in ("1000x1000", "10000x10000", "400x500x600", "hex:5000", BILLION):
        for what, dtype in (("steps", np.int32), ("moves", np.uint8)):

            def build(spec: str = spec, what: str = what) -> object:
                made = plan(spec)  # planning is included
                return made.numbering() if what == "steps" else made.moves()

            shape = plan(spec).chain.shape
            build()
            rounds = [(seconds(partial(fill, shape, dtype)), seconds(build)) for _ in range(5)]
            filled, built = (statistics.median(times) for times in zip(*rounds, strict=True))
            size = len(plan(spec))
            kind = f"{what}, {dtype().itemsize} bytes a cell"
            ratio, per_cell = f"{built / filled:.1f}", f"{built / size * 1e9:.2f} ns"
            table.add_row(f"{spec}, {size:,} cells", kind, show(filled), show(built), per_cell, ratio)
    console.print(table)


def show(taken: float) -> str:
    """Format a time."""
    return f"{taken * 1000:.3g} ms" if taken < 1 else f"{taken:.3g} s"


def tourney(folder: str, sides: list[int]) -> list[float]:
    """Return the seconds of the peer for squares, medians of three processes."""
    sources = [str(path) for path in Path(folder).resolve().glob("*.cpp") if path.name != "Main.cpp"]
    with tempfile.TemporaryDirectory() as place:
        main, program = Path(place) / "driver.cpp", str(Path(place) / "driver")
        main.write_text(DRIVER, encoding="ascii")
        command = ["g++", "-std=c++11", "-O3", "-march=native", "-pthread", f"-I{folder}", "-o", program]
        subprocess.run([*command, str(main), *sources], check=True)
        run = [
            subprocess.run([program, str(n)], check=True, capture_output=True, text=True) for n in sides * 3
        ]
        times = [float(done.stdout) for done in run]
    return [statistics.median(times[i :: len(sides)]) for i in range(len(sides))]


def peers() -> None:
    """Compare with Tourney and with our own search."""
    sides = [1000, 4000, 10000]
    folder = os.environ.get("TOURNEY")
    theirs = [f"{t:.6f}" for t in tourney(folder, sides)] if folder and shutil.which("g++") else ["-"] * 3
    columns = ("board", "steps", "moves", "Tourney, successors", "ratio", "join, its graph given", "ratio")
    table = Table(*columns, title="Squares: step numbers against successors and cells in order (medians)")
    for side, peer in zip(sides, theirs, strict=True):
        spec = f"{side}x{side}"
        steps, moves = (
            statistics.median(seconds(run) for _ in range(5))
            for run in (lambda spec=spec: plan(spec).numbering(), lambda spec=spec: plan(spec).moves())
        )
        row = [spec, show(steps), show(moves)]
        if peer != "-":
            keep({f"tourney {spec}": float(peer) / steps})
        row += ["-", "-"] if peer == "-" else [show(float(peer)), f"{float(peer) / steps:.1f}"]
        if side <= 4000:
            graph = cavalcade.move_graph(cavalcade.board(spec))
            join(Question(graph), Budget(), compiled=True)
            joined = statistics.median(
                seconds(partial(join, Question(graph), Budget(), compiled=True)) for _ in range(3)
            )
            row += [show(joined), f"{joined / steps:.0f}"]
        table.add_row(*row)
    console.print(table)


FILE = """
import sys, threading, time, cavalcade
def anonymous():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("RssAnon")) * 1024
path, spec, what = sys.argv[1:]
small = cavalcade.construct("1200x1200")
cavalcade.check_array(small.numbering()), cavalcade.check_array(small.moves())
before, peak, done, marks = anonymous(), [0], threading.Event(), {}
def watch():
    while not done.wait(0.01):
        peak[0] = max(peak[0], anonymous())
watcher = threading.Thread(target=watch)
watcher.start()
began = time.perf_counter()
def progress(share):
    marks[share > 0.5] = time.perf_counter() - began
cavalcade.construct(spec).save(path, what, progress=progress)
taken = time.perf_counter() - began
done.set(); watcher.join()
print(marks[False], marks[True] - marks[False], taken - marks[True], (peak[0] - before) / 10**6)
"""


def files() -> None:
    """Measure a file of a billion squares: written, checked, flushed to the disk; and its memory."""
    table = Table("file", "planned and written", "checked", "brought to the disk", "memory besides its pages",
                  title=f"cavalcade tour {BILLION} -o tour.npy")  # fmt: skip
    for what in ("steps", "moves"):
        with tempfile.TemporaryDirectory() as place:
            command = [sys.executable, "-c", FILE, str(Path(place) / "tour.npy"), BILLION, what]
            out = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        *times, memory = map(float, out)
        table.add_row(what, *map(show, times), f"{memory:.0f} MB")
    console.print(table)


def questions() -> None:
    """Measure single questions: the cell of a step, and the step of a cell."""
    table = Table("board", "planned", "cell_at", "step_of", title="Questions (mean of 1,000)")
    for spec in ("1000x1000", "30000x30000", "hex:5000"):
        began = time.perf_counter()
        made = plan(spec)
        planned = time.perf_counter() - began
        steps = np.random.default_rng(0).integers(1, len(made) + 1, 1000).tolist()
        began = time.perf_counter()
        names = [made.cell_at(step) for step in steps]
        per_cell_at = time.perf_counter() - began
        began = time.perf_counter()
        steps_again = [made.step_of(name) for name in names]
        when = time.perf_counter() - began
        if steps_again != steps:
            raise SystemExit("the answers contradict each other")
        table.add_row(spec, show(planned), show(per_cell_at / 1000), show(when / 1000))
    console.print(table)


def main() -> None:
    """Run all parts, or the parts named on the command line."""
    parts = {"floor": floor, "peers": peers, "files": files, "questions": questions}
    for name in sys.argv[1:] or parts:
        parts[name]()


if __name__ == "__main__":
    main()
