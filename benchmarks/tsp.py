"""Tours of least weight: instances of TSPLIB, and knight's moves with random weights.

    python benchmarks/tsp.py FOLDER [NAME ...]     instances of TSPLIB in a folder, by default all it has
    python benchmarks/tsp.py --knights             n x n with weights from 1 to 100, n from 8 to 50
    python benchmarks/tsp.py --peers               knight's moves and points in the plane, with other solvers

The other solvers are cuts of Dantzig, Fulkerson and Johnson around `scipy.optimize.milp`, CP-SAT of OR-tools,
and LKH through elkai. The last two are optional: without them their rows are missing. CP-SAT and HiGHS state
bounds without a proof, and LKH states none.

The files of TSPLIB (G. Reinelt, TSPLIB - a traveling salesman problem library, ORSA Journal on Computing 3,
1991) are not part of this project. Each row has the weight, the bound, the processor time, and the number of
sums in the proof. A proof is checked before it counts.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import cavalcade
from cavalcade import formats
from cavalcade.question.graph import MoveGraph

Edges = list[tuple[int, int]]


def complete(matrix: NDArray[np.int64]) -> tuple[MoveGraph, list[int]]:
    """Return the complete graph of a matrix, and its weights."""
    graph = MoveGraph.from_edges(list(zip(*np.triu_indices(len(matrix), 1), strict=True)), len(matrix))
    return graph, [int(matrix[a, b]) for a, b in graph.pairs()]


def run(name: str, board: MoveGraph | str, weights: list[int], seconds: float) -> None:
    """Find a tour of least weight, and print a row."""
    began, processor = time.perf_counter(), time.process_time()
    answer = cavalcade.tsp(board, weights, time_limit=seconds)
    if not isinstance(answer, cavalcade.LeastTour):
        raise TypeError(f"{name} is {answer.status}")
    wall, processor = time.perf_counter() - began, time.process_time() - processor
    leaves = "-"
    if answer.certificate is not None:
        if not (checked := cavalcade.verify(answer.certificate)):
            raise ValueError(checked.message)
        steps = answer.certificate.to_dict()["steps"]
        leaves = str(json.dumps(steps).count('"linear"'))
    gap = (answer.weight - answer.bound) / answer.bound * 100
    values = f"{answer.weight:>10}{answer.bound:>10}{gap:8.2f} %"
    print(f"{name:12}{values}{wall:8.1f}{processor:8.1f} s{leaves:>6}", flush=True)


def by_integer_programs(size: int, edges: Edges, weights: list[int]) -> tuple[int, int | None]:
    """Return the least weight by integer programs, each with cuts for the cycles of the last optimum."""
    from scipy.optimize import LinearConstraint, milp
    from scipy.sparse import csr_matrix, vstack
    from scipy.sparse.csgraph import connected_components

    count = len(edges)
    ends = np.array(edges)
    rows = [csr_matrix((np.ones(2 * count), (ends.ravel(), np.repeat(np.arange(count), 2))), (size, count))]
    lower, upper = [2.0] * size, [2.0] * size
    while True:
        limits = LinearConstraint(vstack(rows, format="csr"), lower, upper)
        optimum = milp(weights, constraints=limits, integrality=np.ones(count), bounds=(0, 1))
        used = ends[optimum.x > 0.5]
        adjacency = csr_matrix((np.ones(len(used)), used.T), (size, size))
        parts, label = connected_components(adjacency, directed=False)
        if parts == 1:
            return round(optimum.fun), math.ceil(optimum.mip_dual_bound - 1e-6)
        leaving = [(label[ends] == part).sum(axis=1) == 1 for part in range(parts)]
        rows.append(csr_matrix(np.array(leaving, dtype=np.float64)))
        lower += [2.0] * parts
        upper += [math.inf] * parts


def by_constraints(size: int, edges: Edges, weights: list[int], seconds: float) -> tuple[int, int | None]:
    """Return the weight and the bound that CP-SAT of OR-tools finds with two workers."""
    from ortools.sat.python import cp_model

    del size
    model = cp_model.CpModel()
    arcs, cost = [], []
    for (a, b), weight in zip(edges, weights, strict=True):
        for tail, head in ((a, b), (b, a)):
            used = model.new_bool_var("")
            arcs.append((tail, head, used))
            cost.append(weight * used)
    model.add_circuit(arcs)
    model.minimize(sum(cost))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds, solver.parameters.num_workers = seconds, 2
    solver.solve(model)
    return round(solver.objective_value), math.ceil(solver.best_objective_bound - 1e-6)


def by_lkh(size: int, edges: Edges, weights: list[int]) -> tuple[int, int | None]:
    """Return the weight of the tour that LKH finds, without a bound; missing edges weigh too much."""
    import elkai

    missing = sum(map(abs, weights)) // max(size // 8, 1) + 1
    matrix = np.full((size, size), missing)
    for (a, b), weight in zip(edges, weights, strict=True):
        matrix[a, b] = matrix[b, a] = weight
    tour = elkai.DistanceMatrix(matrix.tolist()).solve_tsp()
    return int(sum(matrix[a, b] for a, b in pairwise(tour))), None


def compare(name: str, board: MoveGraph | str, weights: list[int], seconds: float) -> None:
    """Print a row for this package and for each other solver."""
    run(name, board, weights, seconds)
    graph = cavalcade.Question.of(board).graph
    problem = graph.size, list(graph.pairs()), weights
    solvers: dict[str, Callable[[], tuple[int, int | None]]] = {
        "milp": lambda: by_integer_programs(*problem),
        "CP-SAT": lambda: by_constraints(*problem, seconds),
        "LKH": lambda: by_lkh(*problem),
    }
    for solver, solve in solvers.items():
        began, processor = time.perf_counter(), time.process_time()
        try:
            weight, bound = solve()
        except ImportError:
            continue
        wall, processor = time.perf_counter() - began, time.process_time() - processor
        gap = "" if bound is None else f"{(weight - bound) / bound * 100:.2f} %"
        values = f"{weight:>10}{'' if bound is None else bound:>10}{gap:>10}"
        print(f"  {solver:10}{values}{wall:8.1f}{processor:8.1f} s", flush=True)


def main() -> None:
    """Read the command line, and print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--knights", action="store_true")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--peers", action="store_true")
    options = parser.parse_args()
    print(f"{'instance':12}{'weight':>10}{'bound':>10}{'gap':>10}{'elapsed':>8}{'processor':>10}{'sums':>6}")
    if options.knights or options.peers:
        for n in (10, 12, 16, 20, 30) if options.peers else (8, 10, 12, 16, 20, 30, 40, 50):
            rng = random.Random(n)
            board = f"{n}x{n}"
            moves = cavalcade.Question.of(board).graph.edge_count
            weights = [rng.randint(1, 100) for _ in range(moves)]
            (compare if options.peers else run)(board, board, weights, options.seconds)
        if options.peers:
            for n in (48, 100):
                points = np.random.default_rng(n).integers(0, 1000, (n, 2))
                apart = np.rint(np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1)))
                compare(f"{n} points", *complete(apart.astype(np.int64)), options.seconds)
        return
    for name in options.names or sorted(path.stem for path in options.folder.glob("*.tsp")):
        path = options.folder / f"{name}.tsp"
        graph = cavalcade.read_graph(path)
        run(name, graph, list(map(int, formats.read_weights(path, graph) or [])), options.seconds)


if __name__ == "__main__":
    main()
