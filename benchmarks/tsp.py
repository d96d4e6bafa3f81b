"""Tours of least weight: instances of TSPLIB, and knight's moves with random weights.

    python benchmarks/tsp.py FOLDER [NAME ...]     instances of TSPLIB in a folder, by default all it has
    python benchmarks/tsp.py --knights             n x n with weights from 1 to 100, n from 8 to 50

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
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import cavalcade
from cavalcade.question.graph import MoveGraph

EARTH = 6378.388  # radius of the earth in km, as TSPLIB defines it
PI = 3.141592  # pi, as TSPLIB defines it


def distances(path: Path) -> NDArray[np.int64]:
    """Return the matrix of the distances of an instance of TSPLIB."""
    head: dict[str, str] = {}
    numbers: dict[str, list[float]] = {}
    section = ""
    for line in path.read_text().splitlines():
        if ":" in line:
            key, _, value = line.partition(":")
            head[key.strip()] = value.strip()
        elif line.strip() and line.split()[0][0].isalpha():
            section = line.split()[0]
        elif line.strip():
            numbers.setdefault(section, []).extend(map(float, line.split()))
    n, kind = int(head["DIMENSION"]), head["EDGE_WEIGHT_TYPE"]
    if kind == "EXPLICIT":
        return _matrix(n, head["EDGE_WEIGHT_FORMAT"], np.array(numbers["EDGE_WEIGHT_SECTION"]))
    points = np.array(numbers["NODE_COORD_SECTION"]).reshape(n, 3)[:, 1:]
    if kind == "GEO":
        return _geographical(points)
    apart = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
    if kind == "ATT":
        apart /= math.sqrt(10)
        near = np.rint(apart)
        return np.asarray(np.where(near < apart, near + 1, near), dtype=np.int64)
    return np.asarray(np.ceil(apart) if kind == "CEIL_2D" else np.floor(apart + 0.5), dtype=np.int64)


def _matrix(n: int, form: str, numbers: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return a symmetric matrix from the numbers of a section."""
    if form == "FULL_MATRIX":
        return numbers.reshape(n, n).astype(np.int64)
    matrix = np.zeros((n, n), dtype=np.int64)
    diagonal = 0 if form.endswith("DIAG_ROW") else 1
    rows, columns = (
        np.triu_indices(n, diagonal) if form.startswith("UPPER") else np.tril_indices(n, -diagonal)
    )
    matrix[rows, columns] = numbers
    return np.maximum(matrix, matrix.T)


def _geographical(points: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the distances in km between points of degrees and minutes, as TSPLIB defines them."""
    degrees = np.trunc(points)
    latitude, longitude = (PI * (degrees + 5 * (points - degrees) / 3) / 180).T
    q1 = np.cos(longitude[:, None] - longitude[None])
    q2 = np.cos(latitude[:, None] - latitude[None])
    q3 = np.cos(latitude[:, None] + latitude[None])
    angle = np.arccos(np.clip(0.5 * ((1 + q1) * q2 - (1 - q1) * q3), -1, 1))
    return np.asarray(EARTH * angle + 1, dtype=np.int64)


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


def main() -> None:
    """Read the command line, and print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--knights", action="store_true")
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    print(f"{'instance':12}{'weight':>10}{'bound':>10}{'gap':>10}{'elapsed':>8}{'processor':>10}{'sums':>6}")
    if options.knights:
        for n in (8, 10, 12, 16, 20, 30, 40, 50):
            rng = random.Random(n)
            board = f"{n}x{n}"
            moves = cavalcade.Question.of(board).graph.edge_count
            run(board, board, [rng.randint(1, 100) for _ in range(moves)], options.seconds)
        return
    for name in options.names or sorted(path.stem for path in options.folder.glob("*.tsp")):
        matrix = distances(options.folder / f"{name}.tsp")
        graph = MoveGraph.from_edges(list(zip(*np.triu_indices(len(matrix), 1), strict=True)), len(matrix))
        run(name, graph, [int(matrix[a, b]) for a, b in graph.pairs()], options.seconds)


if __name__ == "__main__":
    main()
