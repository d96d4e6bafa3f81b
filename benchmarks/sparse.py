"""500 random sparse graphs and digraphs, with and without a cycle, beside other tools: docs/benchmarks.md.

    python benchmarks/sparse.py [COUNT]

They have 20 to 20,000 vertices and on average 2 to 6 edges or arcs each. Every other one has a cycle, hidden
among random edges. Of the rest every other one has random edges alone, and the others also more, where a
vertex has fewer than a cycle needs: few of all these have a cycle.

Every tool gets every graph in a process of its own, with ten seconds of processor time. The modules are
loaded, the kernels are not: that is *cold*. Then it is asked again: *warm*. What is measured is processor
time, from a list of edges to the answer, of `hamheuristic` that of its own process alone. A ratio is the
peer's median time by ours, over the graphs that the peer decides; below 1 the peer is faster.
"""

from __future__ import annotations

import gc
import random
import resource
import statistics
import sys
import time
from collections import Counter, defaultdict
from multiprocessing import get_context
from typing import TYPE_CHECKING, NamedTuple

import elkai  # noqa: F401 - imports are not measured
import networkx as nx  # noqa: F401
from ortools.sat.python import cp_model  # noqa: F401
from pysat import card  # noqa: F401

from cavalcade.ask import hamiltonian, judging, portfolio
from cavalcade.checking import certificates
from cavalcade.explaining import sentences
from cavalcade.find import directed, join
from cavalcade.question.graph import MoveGraph
from cavalcade.refute import cadical, local, reasons, sat
from peers import PEERS, hamheuristic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

    from peers import Edges

LOADED = (
    hamiltonian,
    judging,
    portfolio,
    certificates,
    sentences,
    directed,
    join,
    cadical,
    local,
    reasons,
    sat,
)
LIMIT = 10  # seconds of processor time
LKH_SIZE = 200  # vertices up to which LKH is asked: with 1,000 it takes longer than that
MISSES = 2  # a peer that has not decided so many graphs of one sort is not asked about larger ones
SIZES = (20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000)
DEGREES = (2, 3, 4, 5, 6)
CLASSES = {"20 to 100": 100, "200 to 1,000": 1000, "2,000 to 20,000": 20_000}
PLANTED, BARE, ENOUGH = "with a cycle", "edges alone", "enough edges"


class Asked(NamedTuple):
    """What a tool said of a graph, and the seconds that it took, cold and warm."""

    said: str
    cold: float
    warm: float


def random_graph(n: int, degree: int, rng: random.Random, *, one_way: bool, kind: str) -> Edges:
    """Edges, in random order: a cycle or not, then so many at random, then perhaps those that are lacking."""
    found: set[tuple[int, int]] = set()

    def add(a: int, b: int) -> None:
        if a != b:
            found.add((a, b) if one_way else (min(a, b), max(a, b)))

    if kind == PLANTED:
        order = rng.sample(range(n), n)
        for a, b in zip(order, order[1:] + order[:1], strict=True):
            add(a, b)
    wanted = n * degree // (1 if one_way else 2)
    while len(found) < wanted:
        add(rng.randrange(n), rng.randrange(n))
    few = 1 if one_way else 2
    while kind == ENOUGH:
        rows: list[list[int]] = [[0] * n for _ in range(1 + one_way)]
        for a, b in found:
            rows[0][a] += 1
            rows[-1][b] += 1
        lacking = [(side, a) for side, row in enumerate(rows) for a in range(n) if row[a] < few]
        if not lacking:
            break
        for side, a in lacking:
            add(*(a, rng.randrange(n))[:: -1 if side else 1])
    return rng.sample(sorted(found), len(found))


def graphs(count: int) -> Iterator[tuple[bool, int, int, str, Edges]]:
    """Whether edges go one way, the vertices, the degree, the kind, and the edges; smaller graphs first."""
    cells = [(one_way, n, degree) for n in SIZES for degree in DEGREES for one_way in (False, True)]
    for i in range(count):
        one_way, n, degree = cells[i * len(cells) // count]
        kind = (PLANTED, BARE, PLANTED, ENOUGH)[(i + i // 4) % 4]
        yield one_way, n, degree, kind, random_graph(n, degree, random.Random(i), one_way=one_way, kind=kind)


def ours(n: int, edges: Edges, *, directed: bool = False) -> str:
    """What cavalcade answers."""
    graph = MoveGraph.from_edges(edges, n, directed=directed)
    return hamiltonian.hamiltonian_cycle(graph, time_limit=20 * LIMIT).status


def _used(*, children: bool) -> float:
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) if children else time.process_time()


def _child(tool: Callable[..., str], n: int, edges: Edges, told: Connection, *, directed: bool) -> None:
    """Ask twice."""
    children, times = tool is hamheuristic, []
    for _ in range(2):
        began = _used(children=children)
        said = tool(n, edges, directed=directed)
        times.append(_used(children=children) - began)
        if times[0] > LIMIT / 2:
            times *= 2
            break
    told.send(Asked(said if times[0] <= LIMIT else "undecided", times[0], times[1]))


def asked(tool: Callable[..., str], n: int, edges: Edges, *, directed: bool) -> Asked:
    """What a tool says in a process of its own."""
    context = get_context("fork")
    here, there = context.Pipe()
    child = context.Process(target=_child, args=(tool, n, edges, there), kwargs={"directed": directed})
    child.start()
    there.close()
    assert child.pid is not None  # noqa: S101 - it has been started
    clock = (~child.pid << 3) | 2  # of the processor time of that process
    while not here.poll(0.5):
        if time.clock_gettime(clock) > 2 * LIMIT:
            child.kill()  # and `recv` ends
    try:
        found: Asked = here.recv()
    except EOFError:
        found = Asked("undecided", LIMIT, LIMIT)
    child.join()
    return found


def main(count: int) -> None:
    """Ask all about all, and print the tables."""
    gc.freeze()  # what is loaded is no garbage: to look for some in it would take 60 ms, of whoever is asked
    tools = {"cavalcade": ours, **PEERS}
    rows: dict[tuple[bool, str, int], list[dict[str, Asked]]] = defaultdict(list)
    misses: Counter[tuple[object, ...]] = Counter()
    for one_way, n, degree, kind, edges in graphs(count):
        size = next(name for name, most in CLASSES.items() if n <= most)
        said = {}
        for name, tool in tools.items():
            sort = name, one_way, degree, kind
            if misses[sort] < MISSES and (name != "LKH" or n <= LKH_SIZE):
                said[name] = asked(tool, n, edges, directed=one_way)
                misses[sort] += name in PEERS and said[name].said not in {"found", "impossible"}
        rows[one_way, size, degree].append(said)
        words = " ".join(f"{name} {one.said} {one.cold:.4f} {one.warm:.4f}" for name, one in said.items())
        print(one_way, n, degree, kind, words, file=sys.stderr, flush=True)
        known = {one.said for one in said.values()} & {"found", "impossible"}
        assert len(known) <= 1, f"they contradict each other: {words}"  # noqa: S101
    print("| | vertices | degree | graphs | without | undecided | cold, warm |", end="")
    print(*(f" {name} |" for name in PEERS), "\n|---|---|---|---|---|---|---|" + "---|" * len(PEERS))
    for (one_way, size, degree), some in rows.items():
        without, unknown = (
            sum(one["cavalcade"].said == what for one in some) for what in ("impossible", "undecided")
        )
        times = [median([one["cavalcade"] for one in some], warm) for warm in (False, True)]
        line = f"| {'di' * one_way}graphs | {size} | {degree} | {len(some)} | {without} | {unknown} "
        print(line + f"| {show(times[0] * 1000)}, {show(times[1] * 1000)} ms |", end="")
        for name in PEERS:
            both = [one for one in some if name in one and one[name].said in {"found", "impossible"}]
            if not both:
                print(" - |", end="")
                continue
            ratios = [
                median([one[name] for one in both], warm) / median([one["cavalcade"] for one in both], warm)
                for warm in (False, True)
            ]
            print(f" {show(ratios[0])}, {show(ratios[1])} ({len(both)}) |", end="")
        print()


def show(number: float) -> str:
    """Two digits, or all before the point."""
    return f"{number:.0f}" if number >= 100 else f"{number:.2g}"


def median(some: list[Asked], warm: bool) -> float:  # noqa: FBT001
    """The median of their times."""
    return statistics.median(one.warm if warm else one.cold for one in some)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 500)
