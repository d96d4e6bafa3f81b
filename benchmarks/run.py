"""Costs of cavalcade beside lower bounds and peers in the same run: `make bench`.

Times are medians of several runs. Whole commands and public functions are measured in new processes, as users
run them: *cold* without a compiled kernel on the disk, as on a fresh machine, and *warm* with all of them.
The compiled kernels of `join` are measured separately. The time of a peer is its own solving time if it
reports it. Peers that are not installed are skipped with a message: `hamheuristic` of nauty is a system
package (Debian: nauty), OR-Tools and python-sat come with the group `bench`. Ratios are times of peers over
ours: above 1 cavalcade is faster.
"""

from __future__ import annotations

import importlib.util
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

import cavalcade
from cavalcade.boards.notation import parse_board
from cavalcade.find.join import join
from cavalcade.find.warnsdorff import walks
from cavalcade.ground.budget import Budget
from cavalcade.question.moves import move_graph
from cavalcade.question.question import Question
from ratios import keep

if TYPE_CHECKING:
    from collections.abc import Callable

    from cavalcade.ask.best import Wanted
    from cavalcade.question.graph import MoveGraph

console = Console(width=120)
run_ratios: dict[str, float] = {}  # ratios of this run, by name of the comparison
PEER_LIMIT = 60.0  # time limit of a peer, in seconds


def processor_time() -> float:
    """Return the processor time of this process and its children, in seconds; a busy machine adds little."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def median(run: Callable[[], object], times: int = 7) -> float:
    """Return the median processor time of a call, in seconds, after one call that is not measured."""
    run()
    taken = []
    for _ in range(times):
        began = processor_time()
        run()
        taken.append(processor_time() - began)
    return statistics.median(taken)


def graph_of(spec: str) -> MoveGraph:
    """The knight's move graph of a board."""
    return move_graph(parse_board(spec))


def show(seconds: float | None) -> str:
    """Format a time."""
    if seconds is None:
        return "-"
    return f"{seconds * 1000:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def spent(command: str, folder: str, kernels: str) -> float:
    """Return the processor time of a shell command and its children; kernels are cached in a folder."""
    paths = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = os.environ | {"NUMBA_CACHE_DIR": kernels, "PATH": paths}
    before = processor_time()
    subprocess.run(["bash", "-c", command], check=False, capture_output=True, cwd=folder, env=env)  # noqa: S607
    return processor_time() - before


def cold_and_warm(commands: list[str], title: str) -> None:
    """Run shell commands twice, each in its own folder; nothing is compiled the first time."""
    table = Table("command", "cold", "warm", "compiling", title=f"{title} (processor time)")
    for command in commands:
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as kernels:
            cold = spent(command, folder, kernels)
            warm = min(spent(command, folder, kernels) for _ in range(2))
        table.add_row(command, show(cold), show(warm), show(max(cold - warm, 0.0)))
    console.print(table)


LARGE = """cavalcade tour 300x300-a1,b1 -o x.npy
cavalcade uncrossed 7x7
cavalcade count 6x6 --by turns
cavalcade count 6x8
cavalcade list 6x6 -n 9"""
FILTERS = {  # programs that read a graph per line: whether they need cubic graphs
    "cavalcade tour -": False,
    "cavalcade tour - --pick found": False,
    "cavalcade prove -": False,
    "nauty-hamheuristic -u": False,
    "nauty-cubhamg": True,
}


def first_use() -> None:
    """Measure the commands of the README and some that compile more, on a fresh machine and later."""
    page = Path(__file__).parent.parent.joinpath("README.md").read_text(encoding="utf-8")
    cold_and_warm([*re.findall(r"^\$ (.*)", page, re.MULTILINE), *LARGE.splitlines()], "First use")


def small_graphs() -> None:
    """Measure filters on many small graphs, one per line, beside the programs of nauty."""
    table = Table("graphs", "command", "processor time", "a second", title="Many small graphs")
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as kernels:
        for words in ("-c 9", "-c -d3 -D3 16", "-c -d3 -D3 18 0/4"):
            spent(f"nauty-geng -q {words} > some.g6", folder, kernels)
            count = len(Path(folder, "some.g6").read_bytes().splitlines())
            for program, cubic in FILTERS.items():
                if (cubic and "-d3" not in words) or not (
                    shutil.which(program.split()[0]) or "cavalcade" in program
                ):
                    continue
                spent(f"head -4000 some.g6 | {program}", folder, kernels)
                taken = min(spent(f"{program} < some.g6 > /dev/null", folder, kernels) for _ in range(3))
                table.add_row(f"{count:,}, geng {words}", program, show(taken), f"{count / taken:,.0f}")
    console.print(table)


def writing() -> None:
    """Measure writing a tour of a million cells in several formats, by whole commands."""
    table = Table("file", "bytes", "processor time", title="cavalcade tour 1000x1000 -o FILE")
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as kernels:
        for name in ("x.npy", "x.txt", "x.csv", "x.json", "x.png", "x.svg"):
            command = f"cavalcade tour 1000x1000 -o {name}"
            taken = min(spent(command, folder, kernels) for _ in range(4))
            table.add_row(name, f"{Path(folder, name).stat().st_size:,}", show(taken))
    console.print(table)


LOOP = """
import statistics, sys, time, cavalcade
taken = []
while sum(taken) < 2 or len(taken) < 24:
    began = time.process_time()
    assert cavalcade.tour(sys.argv[1], seed=len(taken)).status == "found"
    taken.append(time.process_time() - began)
print(taken[0], statistics.median(taken[1:12]), statistics.median(taken[-12:]))
"""


def looped(spec: str) -> list[float]:
    """Return seconds of `cavalcade.tour` in a new process: first call, median of 11, and after 2 s."""
    command = [sys.executable, "-c", LOOP, spec]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [float(word) for word in out.split()]


def start_up() -> None:
    """Measure whole processes."""
    cavalcade = shutil.which("cavalcade", path=str(Path(sys.executable).parent)) or "cavalcade"
    table = Table("command", "processor time", title="Start-up (whole process, warm, median of 7)")
    for name, command in {
        "python -c pass (the floor)": [sys.executable, "-c", "pass"],
        "cavalcade --help": [cavalcade, "--help"],
        "cavalcade tour 8x8": [cavalcade, "tour", "8x8"],
        "cavalcade tour 4x8x8 --json": [cavalcade, "tour", "4x8x8", "--json"],
    }.items():
        table.add_row(name, show(median(partial(subprocess.run, command, check=True, capture_output=True))))
    console.print(table)


MEMORY = """
import resource, time, cavalcade, numba, scipy
from cavalcade.find.join import join
from cavalcade.ground.budget import Budget
from cavalcade.question.question import Question
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
for spec in ("8x8", "hex:12"):
    join(Question(cavalcade.board(spec)), Budget(), compiled=True)
cavalcade.tour("100x100")
before, began = peak(), time.perf_counter()
verdict = cavalcade.tour("1000x1000")
print(time.perf_counter() - began, (peak() - before) / 10**6, verdict.status)
"""


def large() -> None:
    """Measure a tour of a million cells in Python: graph, tour, check."""
    out = subprocess.run([sys.executable, "-c", MEMORY], check=True, capture_output=True, text=True).stdout
    seconds, per_cell, status = out.split()
    console.print(
        f"cavalcade.tour('1000x1000'), kernels compiled: {status} in {show(float(seconds))}, "
        f"{float(per_cell):.0f} bytes a cell at the peak (aims: 2 s, 300 bytes)\n"
    )


def finding() -> None:
    """Measure `join` with its cycle cover, kernels compiled."""
    table = Table("board", "cells", "join", "a cell", title="The join engine (median of 7)")
    for spec in ("8x8", "20x20", "50x50", "100x100", "200x200", "1000x1000", "2000x2000"):
        joined(table, spec)
    for spec in ("20x20x20", "100x100x100", "hex:50", "hex:200", "hex:600"):
        joined(table, spec)
    console.print(table)


def joined(table: Table, spec: str) -> None:
    """Add a row for a board."""
    graph = graph_of(spec)
    ours = median(partial(join, Question(graph), Budget(), compiled=True), 7 if graph.size < 10**6 else 3)
    table.add_row(spec, f"{graph.size:,}", show(ours), f"{ours / graph.size * 1e9:.0f} ns")


def hamheuristic(graph: MoveGraph) -> tuple[float, int, int] | str:
    """Return seconds, successes and tries of the peer's own search, or a message without any.

    It prints hundredths of a second, so small graphs are repeated many times.
    """
    import networkx as nx

    program = shutil.which("nauty-hamheuristic") or shutil.which("hamheuristic")
    if program is None:
        return "not installed"
    plain = nx.Graph()
    plain.add_nodes_from(range(graph.size))
    plain.add_edges_from(graph.edges().tolist())
    tries = max(5, 100_000 // graph.size)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "graph.s6"
        file.write_bytes(nx.to_sparse6_bytes(plain, header=False) * tries)
        try:
            done = subprocess.run(
                [program, "-u", str(file)], check=False, capture_output=True, text=True, timeout=PEER_LIMIT
            )
        except subprocess.TimeoutExpired:
            return f"nothing in {PEER_LIMIT:g} s"
    summary = re.search(r"(\d+) hamiltonian.* ([\d.]+) sec", done.stderr)
    return (float(summary[2]), int(summary[1]), tries) if summary else "unreadable"


def against_hamheuristic() -> None:
    """Compare with the heuristic of nauty, also on boards where it begins to fail."""
    table = Table(
        "board", "cells", "tour: first", "next", "after 2 s", "join", "hamheuristic, a try",
        "that succeed", "ratio of tour", "of join",
        title="Against hamheuristic (nauty): `cavalcade.tour` in a loop over seeds, `join` compiled",
    )  # fmt: skip
    for spec in ("30x34", "50x50", "hex:50", "20x20x20", "80x80", "100x100", "200x200", "5x200", "hex:100"):
        graph = graph_of(spec)
        ours = median(partial(join, Question(graph), Budget(), compiled=True))
        peer = hamheuristic(graph)
        loop = looped(spec)
        row = [spec, f"{graph.size:,}", *map(show, loop), show(ours)]
        if isinstance(peer, str):
            table.add_row(*row, peer, "-", "-", "-")
            continue
        seconds, good, tries = peer
        times = [f"{'> ' * (not good)}{seconds / max(good, 1) / one:.3g}" for one in (loop[-1], ours)]
        table.add_row(*row, show(seconds / tries), f"{good} of {tries}", *times)
        if good:
            run_ratios[f"hamheuristic {spec}"] = seconds / good / ours
    console.print(table)


def cp_sat(graph: MoveGraph) -> tuple[float, str]:
    """Model and solve with CP-SAT of OR-Tools and a circuit constraint; return seconds and status."""
    from ortools.sat.python import cp_model

    began = time.perf_counter()
    model = cp_model.CpModel()
    arcs: list[Any] = []
    for a, b in graph.edges().tolist():
        arcs += [(a, b, model.new_bool_var("")), (b, a, model.new_bool_var(""))]
    model.add_circuit(arcs)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = PEER_LIMIT
    solver.parameters.num_workers = 2
    status = solver.solve(model)
    words = {cp_model.OPTIMAL: "found", cp_model.FEASIBLE: "found", cp_model.INFEASIBLE: "refuted"}
    return time.perf_counter() - began, words.get(status, "no answer")


def sat_with_cuts(graph: MoveGraph) -> tuple[float, str]:
    """Solve with a plain SAT loop: two edges per cell, and an edge that leaves each short cycle found."""
    from pysat.solvers import Solver

    began = time.perf_counter()
    edges = graph.edges().tolist()
    edges_at: list[list[int]] = [[] for _ in range(graph.size)]
    for number, (a, b) in enumerate(edges, 1):
        edges_at[a].append(number)
        edges_at[b].append(number)
    with Solver(name="glucose4") as solver:
        for row in edges_at:
            for i, x in enumerate(row):  # at least one of any d - 1 edges; at most two of any three
                solver.add_clause(row[:i] + row[i + 1 :])
                for j in range(i + 1, len(row)):
                    for k in range(j + 1, len(row)):
                        solver.add_clause([-x, -row[j], -row[k]])
        status = "no answer"
        while time.perf_counter() - began < PEER_LIMIT:
            solver.conf_budget(20_000)
            answer = solver.solve_limited()
            if answer is None:
                continue
            if not answer:
                status = "refuted"
                break
            chosen = {x for x in solver.get_model() or [] if 0 < x <= len(edges)}
            parts = _cycles([edges[x - 1] for x in chosen], graph.size)
            if len(parts) == 1:
                status = "found"
                break
            for part in parts:
                inside = set(part)
                solver.add_clause(
                    [x for a in part for x in edges_at[a] if not inside.issuperset(edges[x - 1])]
                )
    return time.perf_counter() - began, status


def _cycles(links: list[list[int]], size: int) -> list[list[int]]:
    neighbours: list[list[int]] = [[] for _ in range(size)]
    for a, b in links:
        neighbours[a].append(b)
        neighbours[b].append(a)
    seen = [False] * size
    parts = []
    for first in range(size):
        part, stack = [], [first]
        while stack:
            a = stack.pop()
            if not seen[a]:
                seen[a] = True
                part.append(a)
                stack += neighbours[a]
        if part:
            parts.append(part)
    return parts


def against_solvers() -> None:
    """Compare with general solvers: finding tours, and proving that there is none.

    Our time is the whole of `cavalcade.tour` or `cavalcade.prove`, graph and check included, in this process.
    """
    table = Table(
        "board", "cavalcade", "it", "CP-SAT add_circuit", "ratio", "SAT with cuts", "ratio", title="Solvers"
    )
    for spec in ("50x50", "hex:20", "hex:50", "100x100", "20x20x20", "4x16", "4x20", "7x7", "9x9", "5x9"):
        graph = graph_of(spec)
        ask = cavalcade.prove if graph.size < 100 else cavalcade.tour
        ours = median(partial(ask, spec))
        row = [spec, show(ours), ask(spec).status]
        for module, run in (("ortools", cp_sat), ("pysat", sat_with_cuts)):
            if importlib.util.find_spec(module) is None:
                row += ["not installed", "-"]
                continue
            theirs, status = run(graph)
            row += [f"{show(theirs)}, {status}", f"{'> ' * (status == 'no answer')}{theirs / ours:.0f}"]
            if status != "no answer":
                run_ratios[f"{module} {spec}"] = theirs / ours
        table.add_row(*row)
    console.print(table)


def cp_sat_best(graph: MoveGraph, what: str) -> tuple[float, str]:
    """Find a longest walk or fewest paths with CP-SAT: a circuit with optional nodes, or through a depot."""
    from ortools.sat.python import cp_model

    began = processor_time()
    model = cp_model.CpModel()
    cells = range(graph.size)

    def arcs(*pairs: tuple[int, int]) -> list[tuple[int, int, Any]]:
        return [(a, b, model.new_bool_var("")) for a, b in pairs]

    # A depot, the first node of a circuit through several paths, has an arc to and from each cell.
    moves = arcs(*((a + 1, b + 1) for a, b in graph.arcs().tolist()))
    begins, ends = arcs(*((0, cell + 1) for cell in cells)), arcs(*((cell + 1, 0) for cell in cells))
    skips = arcs(*((cell + 1, cell + 1) for cell in cells))
    if what == "fewest paths":
        model.add_multiple_circuit([*moves, *begins, *ends])
    elif what == "longest path":
        model.add_circuit([*moves, *begins, *ends, *skips])
    else:
        model.add_circuit([(a - 1, b - 1, used) for a, b, used in (*moves, *skips)])
    counted = begins if what == "fewest paths" else skips
    model.minimize(sum(used for _, _, used in counted))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = PEER_LIMIT
    solver.parameters.num_workers = 2
    status = solver.solve(model)
    seconds = processor_time() - began
    if status != cp_model.OPTIMAL:
        return seconds, "no answer"
    number = round(solver.objective_value)
    values = {"fewest paths": number, "longest path": graph.size - number - 1}
    return seconds, str(values.get(what, graph.size - number))


def closest() -> None:
    """Compare longest walks and fewest paths, each with a proof, with CP-SAT.

    Both times are processor time in this process. Ours is the whole of `cavalcade.best`, graph and check
    included. CP-SAT has two workers.
    """
    table = Table("board", "wanted", "cavalcade", "it", "CP-SAT", "ratio", title="Closest to a tour")
    boards = {
        "longest cycle": ("4x8", "4x20", "7x7", "11x11", "3x8"),
        "longest path": ("4x4", "3x6", "6x6-a1,c1,e1", "8x8-a1,c1,e1"),
        "fewest paths": ("4x4", "3x6", "6x6-a1,c1,e1", "7x8-a1,a2,a3"),
    }
    for what, spec in ((what, spec) for what, specs in boards.items() for spec in specs):
        wanted: Wanted = "fewest paths" if what == "fewest paths" else "longest"
        ask = partial(cavalcade.best, spec, wanted, open=what == "longest path")
        ours, best = median(ask, times=3), ask()
        if not isinstance(best, cavalcade.BestWalks):
            raise TypeError(f"{spec}: {best.reason}")
        row = [spec, what, show(ours), f"{best.value}{'' if best.exact else ', not proved'}"]
        if importlib.util.find_spec("ortools") is None:
            table.add_row(*row, "not installed", "-")
            continue
        theirs, answer = cp_sat_best(graph_of(spec), what)
        no_answer = answer == "no answer"
        table.add_row(*row, f"{show(theirs)}, {answer}", f"{'> ' * no_answer}{theirs / ours:.3g}")
        if not no_answer:
            run_ratios[f"ortools {what} {spec}"] = theirs / ours
    console.print(table)


def plain_walk(neighbours: list[list[int]], start: int) -> int:
    """Walk by Warnsdorff's rule in plain Python; return the number of cells visited."""
    free = [len(row) for row in neighbours]
    seen = [False] * len(neighbours)
    vertex: int | None = start
    steps = 0
    while vertex is not None:
        seen[vertex] = True
        steps += 1
        for v in neighbours[vertex]:
            free[v] -= 1
        vertex = min((v for v in neighbours[vertex] if not seen[v]), key=free.__getitem__, default=None)
    return steps


def warnsdorff() -> None:
    """Compare moves per second, compiled and interpreted, with a plain Python program."""
    table = Table(
        "board", "plain Python", "interpreted", "compiled", "ratio", title="Warnsdorff, moves a second"
    )
    for spec in ("8x8", "100x100", "500x500"):
        graph = graph_of(spec)
        rows = [graph.neighbours(i).tolist() for i in range(graph.size)]
        starts = list(range(min(graph.size, 64, 640_000 // graph.size)))
        rates = []
        began = time.perf_counter()
        moves = sum(plain_walk(rows, start) for start in starts[:8])
        rates.append(moves / (time.perf_counter() - began))
        for compiled in (False, True):
            chosen = starts if compiled else starts[:8]
            list(walks(graph, chosen[:1], compiled=compiled))
            began = time.perf_counter()
            moves = sum(len(path) for path in walks(graph, chosen, compiled=compiled))
            rates.append(moves / (time.perf_counter() - began))
        table.add_row(spec, *(f"{rate:,.0f}" for rate in rates), f"{rates[2] / rates[0]:.0f}")
        run_ratios[f"warnsdorff {spec}"] = rates[2] / rates[0]
    console.print(table)


def main() -> None:
    """Run all parts, or the parts named on the command line."""
    parts = {
        "start-up": start_up,
        "first-use": first_use,
        "small-graphs": small_graphs,
        "writing": writing,
        "large": large,
        "finding": finding,
        "hamheuristic": against_hamheuristic,
        "solvers": against_solvers,
        "closest": closest,
        "warnsdorff": warnsdorff,
    }
    for name in sys.argv[1:] or parts:
        parts[name]()
    keep(run_ratios)


if __name__ == "__main__":
    main()
