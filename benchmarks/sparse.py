"""500 random sparse graphs and digraphs, with and without a cycle, beside other tools: docs/benchmarks.md.

    python benchmarks/sparse.py [COUNT [DEGREE...]]

The graphs have 20 to 20,000 vertices and an average degree of 2 to 6. Half of them have a cycle hidden among
random edges. A quarter has random edges alone. The last quarter also has additional edges at vertices with
fewer edges than a cycle needs. Few of the graphs without a hidden cycle are Hamiltonian.

Each tool gets each graph in its own process, with ten seconds of processor time. The modules are loaded
before, the kernels are not: the first time is *cold*. The least of up to five more, or of as many as fit into
half the limit, is *warm*. Before these, cavalcade is told that its process has worked for a second, so that
the next call loads numba and the others use compiled kernels. Processor time is measured from a list of edges
to the answer; for `hamheuristic` it is the time of its own process. A ratio is the median time of the peer
divided by ours, over the graphs that the peer decides. Below 1 the peer is faster.
"""

from __future__ import annotations

import gc
import math
import random
import resource
import statistics
import sys
import time
from collections import Counter, defaultdict
from contextlib import suppress
from multiprocessing import get_context
from typing import TYPE_CHECKING, NamedTuple

import networkx as nx  # noqa: F401 - imports are not measured
from pysat import card  # noqa: F401

from cavalcade.ask import hamiltonian, judging, portfolio
from cavalcade.checking import certificates, verification
from cavalcade.explaining import sentences
from cavalcade.find import directed, join, rotations
from cavalcade.ground import kernels
from cavalcade.question.graph import MoveGraph
from cavalcade.refute import cadical, local, reasons, sat
from peers import PEERS, PROGRAMS

with suppress(ImportError):
    import elkai  # noqa: F401
    from ortools.sat.python import cp_model  # noqa: F401

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection

    from peers import Edges

LOADED = (
    hamiltonian,
    judging,
    portfolio,
    certificates,
    verification,
    sentences,
    directed,
    join,
    rotations,
    cadical,
    local,
    reasons,
    sat,
)
LIMIT = 10  # seconds of processor time
REPEATS = 5  # calls after the first: the second loads numba
LKH_SIZE = 200  # largest graph for LKH, in vertices: with 1,000 it exceeds the limit
MISSES = 2  # undecided graphs of one kind after which a peer skips the larger ones
SIZES = (20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000)
DEGREES = (2, 3, 4, 5, 6)
CLASSES = {"20 to 100": 100, "200 to 1,000": 1000, "2,000 to 20,000": 20_000}
PLANTED, BARE, ENOUGH = "with a cycle", "edges alone", "enough edges"


class Measurement(NamedTuple):
    """The status that a tool reported for a graph, and its seconds, cold and warm."""

    status: str
    cold: float
    warm: float


def random_graph(n: int, degree: int, rng: random.Random, *, one_way: bool, kind: str) -> Edges:
    """Return a hidden cycle (or none), random edges, and perhaps the missing ones, in random order."""
    edges: set[tuple[int, int]] = set()

    def add(a: int, b: int) -> None:
        if a != b:
            edges.add((a, b) if one_way else (min(a, b), max(a, b)))

    if kind == PLANTED:
        order = rng.sample(range(n), n)
        for a, b in zip(order, order[1:] + order[:1], strict=True):
            add(a, b)
    size = n * degree // (1 if one_way else 2)
    while len(edges) < size:
        add(rng.randrange(n), rng.randrange(n))
    least = 1 if one_way else 2
    while kind == ENOUGH:
        rows: list[list[int]] = [[0] * n for _ in range(1 + one_way)]
        for a, b in edges:
            rows[0][a] += 1
            rows[-1][b] += 1
        lacking = [(side, a) for side, row in enumerate(rows) for a in range(n) if row[a] < least]
        if not lacking:
            break
        for side, a in lacking:
            add(*(a, rng.randrange(n))[:: -1 if side else 1])
    return rng.sample(sorted(edges), len(edges))


def graphs(count: int) -> Iterator[tuple[bool, int, int, str, Edges]]:
    """Iterate over (directed, vertices, degree, kind, edges), smaller graphs first."""
    cells = [(one_way, n, degree) for n in SIZES for degree in DEGREES for one_way in (False, True)]
    for i in range(count):
        one_way, n, degree = cells[i * len(cells) // count]
        kind = (PLANTED, BARE, PLANTED, ENOUGH)[(i + i // 4) % 4]
        yield one_way, n, degree, kind, random_graph(n, degree, random.Random(i), one_way=one_way, kind=kind)


def ours(n: int, edges: Edges, *, directed: bool = False) -> str:
    """Return the status of cavalcade's answer."""
    graph = MoveGraph.from_edges(edges, n, directed=directed)
    return hamiltonian.hamiltonian_cycle(graph, time_limit=20 * LIMIT).status


def _used(*, children: bool) -> float:
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) if children else time.process_time()


def _child(tool: Callable[..., str], n: int, edges: Edges, results: Connection, *, directed: bool) -> None:
    """Measure a tool up to six times in this process, and send the result."""
    children, times = tool in PROGRAMS, list[float]()
    if children:  # programs inherit the limit
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(LIMIT), resource.RLIM_INFINITY))
    while len(times) <= REPEATS and sum(times) <= LIMIT / 2:
        began = _used(children=children)
        status = tool(n, edges, directed=directed)
        times.append(_used(children=children) - began)
        kernels.Tier.interpreted = kernels.COMPILE_AFTER
    warm = min(times[1:] or times)
    results.send(Measurement(status if times[0] <= LIMIT else "undecided", times[0], warm))


def measured(tool: Callable[..., str], n: int, edges: Edges, *, directed: bool) -> Measurement:
    """Measure a tool in a process of its own."""
    context = get_context("fork")
    receiver, sender = context.Pipe()
    child = context.Process(target=_child, args=(tool, n, edges, sender), kwargs={"directed": directed})
    child.start()
    sender.close()
    assert child.pid is not None  # noqa: S101 - it has been started
    clock = (~child.pid << 3) | 2  # of the processor time of that process
    while not receiver.poll(0.5):
        if time.clock_gettime(clock) > 2 * LIMIT:
            child.kill()  # and `recv` ends
    try:
        result: Measurement = receiver.recv()
    except EOFError:
        result = Measurement("undecided", LIMIT, LIMIT)
    child.join()
    return result


def main(count: int, degrees: Sequence[int]) -> None:
    """Measure every tool on every graph of these average degrees, and print the tables."""
    gc.freeze()  # collecting garbage among the loaded modules would add 60 ms to a measurement
    tools = {"cavalcade": ours, **PEERS}
    rows: dict[tuple[bool, str, int], list[dict[str, Measurement]]] = defaultdict(list)
    misses: Counter[tuple[object, ...]] = Counter()
    for one_way, n, degree, kind, edges in graphs(count):
        if degree not in degrees:
            continue
        size = next(name for name, largest in CLASSES.items() if n <= largest)
        measurements = {}
        for name, tool in tools.items():
            sort = name, one_way, degree, kind
            if misses[sort] < MISSES and (name != "LKH" or n <= LKH_SIZE):
                measurements[name] = measured(tool, n, edges, directed=one_way)
                misses[sort] += name in PEERS and measurements[name].status not in {"found", "impossible"}
        rows[one_way, size, degree].append(measurements)
        words = " ".join(
            f"{name} {row.status} {row.cold:.4f} {row.warm:.4f}" for name, row in measurements.items()
        )
        print(one_way, n, degree, kind, words, file=sys.stderr, flush=True)
        decided = {row.status for row in measurements.values()} & {"found", "impossible"}
        assert len(decided) <= 1, f"contradicting answers: {words}"  # noqa: S101
    print("| | vertices | degree | graphs | without | undecided | cold, warm |", end="")
    print(*(f" {name} |" for name in PEERS), "\n|---|---|---|---|---|---|---|" + "---|" * len(PEERS))
    for (one_way, size, degree), group in rows.items():
        without, unknown = (
            sum(row["cavalcade"].status == what for row in group) for what in ("impossible", "undecided")
        )
        times = [median([row["cavalcade"] for row in group], warm) for warm in (False, True)]
        line = f"| {'di' * one_way}graphs | {size} | {degree} | {len(group)} | {without} | {unknown} "
        print(line + f"| {show(times[0] * 1000)}, {show(times[1] * 1000)} ms |", end="")
        for name in PEERS:
            comparable = [row for row in group if name in row and row[name].status in {"found", "impossible"}]
            if not comparable:
                print(" - |", end="")
                continue
            ratios = [
                median([row[name] for row in comparable], warm)
                / median([row["cavalcade"] for row in comparable], warm)
                for warm in (False, True)
            ]
            print(f" {show(ratios[0])}, {show(ratios[1])} ({len(comparable)}) |", end="")
        print()


def show(number: float) -> str:
    """Format a number with two digits, or without decimals from 100 on."""
    return f"{number:.0f}" if number >= 100 else f"{number:.2g}"


def median(measurements: list[Measurement], warm: bool) -> float:  # noqa: FBT001
    """Return the median time, in seconds."""
    return statistics.median(measurement.warm if warm else measurement.cold for measurement in measurements)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 500, [*map(int, sys.argv[2:])] or DEGREES)
