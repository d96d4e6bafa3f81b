"""Hard graphs, decided or not: `benchmarks/hard.py [--limit SECONDS] [--family WORD] [--solver WORD]`.

cavalcade against LKH (elkai), OR-Tools' CP-SAT, nauty's hamheuristic and a plain SAT loop (python-sat) on
the families of `hard_graphs`, one graph and one program at a time. Each runs in its own process, which the
system ends when its processor time is used up. Times are processor time, so that other work on the machine
does not count. Every cycle is checked here; cavalcade checks its refutations itself. LKH and hamheuristic
cannot refute, and skip the graphs without a Hamiltonian cycle.

With `--misses K` a program skips the larger graphs of a family after K undecided ones; skipped graphs count
as undecided. With `--log FILE` each result is appended to the file, and results in the file are not run
again.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import defaultdict
from itertools import combinations, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from hard_graphs import FAMILIES, Hard, sample

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from cavalcade.question.graph import MoveGraph

    Answer = list[int] | bool | None  # a cycle; False: there is none; None: undecided

WALL = 30  # wall time of a process, as a multiple of the limit
MOST_MEMORY = 4 * 2**30  # bytes of address space of a process


def cavalcade(graph: MoveGraph, limit: float) -> Answer:
    """Run cavalcade with graph and check; its clock is replaced by processor time."""
    time.perf_counter = time.process_time
    import cavalcade as ours

    verdict = ours.tour(graph, time_limit=limit - time.process_time())
    if isinstance(verdict, ours.Found):
        return list(verdict.tour.cells.tolist())
    return False if isinstance(verdict, ours.Impossible) else None


def lkh(graph: MoveGraph, limit: float) -> Answer:
    """Run LKH as a TSP solver: edges cost 0, other pairs 1. Its HCP mode crashes in elkai 2.0.2."""
    import numpy as np
    from elkai import _elkai

    del limit
    costs = np.full((graph.size, 2 * graph.size), ord(" "), dtype=np.uint8)
    costs[:, ::2] = ord("1")
    a, b = graph.edges().T
    costs[a, 2 * b] = costs[b, 2 * a] = ord("0")
    costs[:, -1] = ord("\n")
    head = f"TYPE : TSP\nDIMENSION : {graph.size}\nEDGE_WEIGHT_TYPE : EXPLICIT\n"
    question = head + "EDGE_WEIGHT_FORMAT : FULL_MATRIX\nEDGE_WEIGHT_SECTION\n" + costs.tobytes().decode()
    for seed in count(1):  # one run at a time: the optimum ends a run, not the runs
        options = f"RUNS = 1\nSEED = {seed}\nOPTIMUM = 0\nSTOP_AT_OPTIMUM = YES\nPROBLEM_FILE = :stdin:\n"
        tour = [vertex - 1 for vertex in _elkai.solve_problem(options, question)]
        if is_cycle(graph, tour):
            return tour
    return None


def cp_sat(graph: MoveGraph, limit: float) -> Answer:
    """Run CP-SAT of OR-Tools with a circuit constraint and one worker, because processor time counts."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    arcs: list[Any] = []
    for a, b in graph.edges().tolist():
        arcs += [(a, b, model.new_bool_var("")), (b, a, model.new_bool_var(""))]
    model.add_circuit(arcs)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = WALL * limit
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return False
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    after = {a: b for a, b, used in arcs if solver.value(used)}
    cycle = [0]
    while after[cycle[-1]]:
        cycle.append(after[cycle[-1]])
    return cycle


def hamheuristic(graph: MoveGraph, limit: float) -> Answer:
    """Run the heuristic of nauty repeatedly."""
    import networkx as nx

    del limit
    program = shutil.which("nauty-hamheuristic") or shutil.which("hamheuristic")
    if program is None:
        return None
    plain = nx.Graph()
    plain.add_nodes_from(range(graph.size))
    plain.add_edges_from(graph.edges().tolist())
    line = nx.to_graph6_bytes(plain, header=False)
    done = subprocess.run([program, "-v", "-t1000000"], check=False, capture_output=True, input=line)
    output = done.stdout.decode() + done.stderr.decode()
    cycle = re.search(r">H \d+:([\s\d]+)", output)
    return None if cycle is None else [int(word) for word in cycle[1].split()]


def plain_sat(graph: MoveGraph, limit: float) -> Answer:
    """Run CaDiCaL: two edges per vertex, and at least one edge that leaves each short cycle found."""
    from pysat.card import CardEnc, EncType
    from pysat.solvers import Solver

    del limit
    edges = graph.edges().tolist()
    edges_at: list[list[int]] = [[] for _ in range(graph.size)]
    for number, (a, b) in enumerate(edges, 1):
        edges_at[a].append(number)
        edges_at[b].append(number)
    top = len(edges)
    with Solver("cadical195") as solver:
        for row in edges_at:
            if len(row) <= 9:
                clauses = [*combinations(row, len(row) - 1), *combinations([-x for x in row], 3)]
            else:
                coded = CardEnc.equals(row, bound=2, top_id=top, encoding=EncType.seqcounter)
                top, clauses = coded.nv, coded.clauses
            solver.append_formula(clauses)
        while solver.solve():
            neighbours: list[list[int]] = [[] for _ in range(graph.size)]
            for x in solver.get_model()[: len(edges)]:
                if x > 0:
                    a, b = edges[x - 1]
                    neighbours[a].append(b)
                    neighbours[b].append(a)
            seen = [False] * graph.size
            for first in range(graph.size):
                cycle, vertex = [], first
                while not seen[vertex]:
                    seen[vertex] = True
                    cycle.append(vertex)
                    vertex = next((v for v in neighbours[vertex] if not seen[v]), vertex)
                if len(cycle) == graph.size:
                    return cycle
                inside = set(cycle)
                if cycle:
                    leaving = [x for v in cycle for x in edges_at[v] if not inside.issuperset(edges[x - 1])]
                    solver.add_clause(leaving)
    return False


SOLVERS: dict[str, Callable[[MoveGraph, float], Answer]] = {
    "cavalcade": cavalcade, "LKH": lkh, "CP-SAT": cp_sat, "hamheuristic": hamheuristic, "SAT loop": plain_sat,
}  # fmt: skip
REFUTE = ("cavalcade", "CP-SAT", "SAT loop")


def is_cycle(graph: MoveGraph, cycle: list[int]) -> bool:
    """Return whether a list has all vertices, each adjacent to its predecessor."""
    neighbours = [set(graph.neighbours(v).tolist()) for v in range(graph.size)]
    whole = sorted(cycle) == list(range(graph.size))
    return whole and all(a in neighbours[b] for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True))


def decided(solver: str, hard: Hard, limit: float) -> tuple[str, float]:
    """Return the result of a program within a limit, and its seconds of processor time."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_run, args=(solver, hard.graph, limit, sender))
    child.start()
    sender.close()
    answer: Answer = None
    seconds = limit
    try:
        if receiver.poll(WALL * limit):
            answer, seconds = receiver.recv()
    except EOFError:
        pass  # the process was killed, or crashed
    child.kill()
    child.join()
    if answer is False:
        if hard.hamiltonian:
            raise AssertionError(f"{solver} refutes {hard.family} {hard.name}")
        return "refuted", seconds
    if answer is None or answer is True or seconds > 1.05 * limit:
        return "-", seconds
    if hard.hamiltonian is False or not is_cycle(hard.graph, answer):
        raise AssertionError(f"{solver} gives a wrong cycle of {hard.family} {hard.name}")
    return "found", seconds


def _run(solver: str, graph: MoveGraph, limit: float, results: Connection) -> None:
    began = int(time.process_time()) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (int(began + limit), int(began + limit) + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    answer = SOLVERS[solver](graph, limit)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    results.send((answer, sum(usage.ru_utime + usage.ru_stime for usage in used)))


def main() -> None:
    """Run the selected programs and families, and print how many graphs are decided."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--limit", type=float, default=10.0)
    parser.add_argument("--family", default="")
    parser.add_argument("--solver", default="")
    parser.add_argument("--most", type=int, default=10_000, help="vertices")
    parser.add_argument("--misses", type=int, default=10)
    parser.add_argument("--log", type=Path)
    options = parser.parse_args()
    before: dict[tuple[str, str, str], tuple[str, float]] = {}
    if options.log and options.log.exists():
        for line in options.log.read_text().splitlines():
            solver, family, name, limit, status, seconds = json.loads(line)
            if status != "-" or limit >= options.limit:
                before[solver, family, name] = (status if seconds <= options.limit else "-", seconds)
    console = Console(width=110)
    share: defaultdict[tuple[str, str], list[bool]] = defaultdict(list)
    families = [family for family in FAMILIES if options.family in family]
    solvers = [solver for solver in SOLVERS if options.solver in solver]
    for family in families:
        for hard in sample(family):
            if hard.graph.size > options.most:
                continue
            row = []
            for solver in solvers:
                if hard.hamiltonian is False and solver not in REFUTE:
                    continue
                if share[family, solver].count(False) >= options.misses:
                    share[family, solver].append(False)
                    row.append(f"{solver} not asked")
                    continue
                key = solver, family, hard.name
                if key not in before:
                    before[key] = status, seconds = decided(solver, hard, options.limit)
                    if options.log:
                        with options.log.open("a") as log:
                            log.write(json.dumps([*key, options.limit, status, round(seconds, 2)]) + "\n")
                status, seconds = before[key]
                share[family, solver].append(status != "-")
                row.append(f"{solver} {status} {seconds:.2f} s")
            line = f"{family}: {hard.name}, {hard.graph.size:,}: {'; '.join(row)}"
            print(line, file=sys.stderr, flush=True)
    table = Table("family", *solvers, title=f"Decided within {options.limit:g} s of processor time")
    for family in families:
        cells = [share[family, solver] for solver in solvers]
        table.add_row(family, *(f"{sum(cell)} of {len(cell)}" if cell else "cannot" for cell in cells))
    console.print(table)


if __name__ == "__main__":
    main()
