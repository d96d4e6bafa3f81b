"""Other tools on a graph or digraph; each returns `found`, `impossible`, `undecided` or `too large`.

They need the group `bench`, `pip install elkai`, and nauty, and raise ImportError if a tool is missing.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

Edges = list[tuple[int, int]]
MATRIX = 1500  # largest graph for LKH, in nodes: it takes a full matrix


def sat_loop(n: int, edges: Edges, *, directed: bool = False) -> str:
    """Find cycle covers with CaDiCaL, and add a clause for each cycle that some edge must leave it."""
    from pysat.card import CardEnc, EncType
    from pysat.solvers import Cadical195

    rows: list[list[list[int]]] = [[[] for _ in range(n)] for _ in range(1 + directed)]
    for k, (a, b) in enumerate(edges, 1):
        rows[0][a].append(k)
        rows[-1][b].append(k)
    solver, free, degree = Cadical195(), len(edges), 1 if directed else 2
    for row in (row for side in rows for row in side):
        if len(row) < degree:
            return "impossible"
        if len(row) < 10:
            clauses = [
                *combinations(row, len(row) - degree + 1),
                *combinations([-k for k in row], degree + 1),
            ]
        else:
            counter = CardEnc.equals(row, degree, top_id=free, encoding=EncType.seqcounter)
            clauses, free = counter.clauses, max(free, counter.nv)
        solver.append_formula(clauses)
    while solver.solve():
        neighbours: list[list[int]] = [[] for _ in range(n)]
        for (a, b), value in zip(edges, solver.get_model(), strict=False):
            if value > 0:
                neighbours[a].append(b)
                neighbours[b].append(a)
        part = [-1] * n
        cycles: list[list[int]] = []
        for first in range(n):
            if part[first] < 0:
                part[first], cycle = first, [first]
                for a in cycle:
                    new = [b for b in neighbours[a] if part[b] < 0]
                    for b in new:
                        part[b] = first
                    cycle += new
                cycles.append(cycle)
        if len(cycles) == 1:
            return "found"
        for cycle in cycles:
            solver.add_clause(
                [k for a in cycle for k in rows[0][a] if part[sum(edges[k - 1]) - a] != part[a]]
            )
    return "impossible"


def cp_sat(n: int, edges: Edges, *, directed: bool = False) -> str:
    """Run CP-SAT of OR-Tools with a circuit constraint and one worker."""
    from ortools.sat.python import cp_model

    if {end for edge in edges for end in edge} != set(range(n)):
        return "impossible"  # a circuit may leave such a node out
    model = cp_model.CpModel()
    arcs = edges if directed else [(a, b) for edge in edges for a, b in (edge, edge[::-1])]
    model.add_circuit([(a, b, model.new_bool_var("")) for a, b in arcs])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    words = {cp_model.OPTIMAL: "found", cp_model.FEASIBLE: "found", cp_model.INFEASIBLE: "impossible"}
    return words.get(solver.solve(model), "undecided")


def lkh(n: int, edges: Edges, *, directed: bool = False) -> str:
    """Run LKH through elkai: edges have length 0 and other pairs 1, so a cycle has length 0."""
    import elkai
    import numpy as np

    if n > MATRIX:
        return "too large"
    matrix = np.ones((n, n), dtype=int)
    for a, b in edges:
        matrix[a, b] = 0
        if not directed:
            matrix[b, a] = 0
    tour = elkai.DistanceMatrix(matrix.tolist()).solve_tsp()
    return "undecided" if sum(matrix[a, b] for a, b in pairwise(tour)) else "found"


def hamheuristic(n: int, edges: Edges, *, directed: bool = False) -> str:
    """Run the heuristic of nauty with ten tries; it has no digraphs."""
    import networkx as nx

    program = shutil.which("nauty-hamheuristic") or shutil.which("hamheuristic")
    if program is None:
        raise ImportError("hamheuristic")
    if directed:
        return "too large"
    graph = nx.empty_graph(n)
    graph.add_edges_from(edges)
    line = nx.to_sparse6_bytes(graph, header=False)
    done = subprocess.run([program, "-qt10"], input=line, capture_output=True, check=False)
    # It prints the graphs on which it fails, and fails itself at a limit of processor time.
    return "undecided" if done.returncode or done.stdout.strip() else "found"


@cache
def _posa_program() -> str:
    """Build `posa.c`; returns the path of the program."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise ImportError("cc")
    program = str(Path(tempfile.mkdtemp(), "posa"))
    subprocess.run([compiler, "-O2", "-o", program, str(Path(__file__).with_name("posa.c"))], check=True)
    return program


def posa(n: int, edges: Edges, *, directed: bool = False) -> str:
    """Run the baseline of path rotations in `posa.c`; it has no digraphs."""
    if directed:
        return "too large"
    lines = "".join(f"{a} {b}\n" for a, b in [(n, len(edges)), *edges])
    done = subprocess.run([_posa_program()], input=lines, capture_output=True, text=True, check=False)
    return "found" if done.returncode == 0 else "undecided"


#: Peers that run as programs: their processor time is that of child processes.
PROGRAMS = (hamheuristic, posa)
PEERS: dict[str, Callable[..., str]] = {
    "CP-SAT": cp_sat, "SAT loop": sat_loop, "LKH": lkh, "hamheuristic": hamheuristic,
    "posa": posa,
}  # fmt: skip
