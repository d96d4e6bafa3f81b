"""Random sparse graphs and digraphs, with and without a cycle: processor time of processes that begin cold.

    python benchmarks/sparse.py

Every graph is asked about in a process of its own, in which the modules are loaded and no kernel is. Random
graphs and digraphs have on average 2 to 6 edges or arcs per vertex; in half of them every vertex then gets
the fewest that a cycle needs. The digraphs called k-in k-out are unions of k random permutations.
"""

from __future__ import annotations

import statistics
import time
from multiprocessing import get_context
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np

import cavalcade
from cavalcade.ask import judging, portfolio
from cavalcade.checking import certificates, sentences
from cavalcade.find import directed, join
from cavalcade.question.graph import MoveGraph
from cavalcade.refute import cadical, local, reasons, sat

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection

LOADED = (judging, portfolio, certificates, sentences, directed, join, cadical, local, reasons, sat)
LIMIT = 20  # seconds
SIZES = (20, 60, 200, 500, 1000, 2000, 5000)


def random_graph(n: int, degree: int, *, one_way: bool, enough: bool) -> MoveGraph:
    """Edges at random; with `enough` then more, where a vertex has fewer than a cycle needs."""
    rng = np.random.default_rng([n, degree, one_way, enough])
    wanted = n * degree // (1 if one_way else 2)
    edges: set[tuple[int, int]] = set()

    def add(a: int, b: int) -> None:
        if a != b:
            edges.add((a, b) if one_way else (min(a, b), max(a, b)))

    while len(edges) < wanted:
        add(*rng.integers(0, n, 2).tolist())
    while enough:
        ends = np.array(sorted(edges)).T
        both = [np.bincount(side, minlength=n) for side in ends]
        out, into = both if one_way else [both[0] + both[1]] * 2
        few = 1 if one_way else 2
        if min(out.min(), into.min()) >= few:
            break
        for a in np.flatnonzero(out < few).tolist():
            add(a, int(rng.integers(0, n)))
        for b in np.flatnonzero(into < few).tolist() if one_way else ():
            add(int(rng.integers(0, n)), b)
    return MoveGraph.from_edges(sorted(edges), n, directed=one_way)


def permutations(n: int, k: int, seed: int) -> MoveGraph:
    """The arcs of k random permutations."""
    rng = np.random.default_rng([n, k, seed])
    arcs = {(a, int(b)) for _ in range(k) for a, b in enumerate(rng.permutation(n)) if a != b}
    return MoveGraph.from_edges(sorted(arcs), n, directed=True)


def regular(n: int, k: int, seed: int) -> MoveGraph:
    """A random graph all of whose vertices have k edges."""
    return MoveGraph.from_edges(list(nx.random_regular_graph(k, n, seed=seed).edges), n)


def graphs() -> Iterator[tuple[str, MoveGraph]]:
    """The families' names, and the graphs."""
    for n in SIZES:
        for degree in (2, 3, 4, 5, 6):
            for enough in (False, True):
                yield "random graphs", random_graph(n, degree, one_way=False, enough=enough)
                yield "random digraphs", random_graph(n, degree, one_way=True, enough=enough)
    for n in (*SIZES, 10_000, 20_000):
        for seed in (0, 1, 2):
            yield "2-in 2-out digraphs", permutations(n, 2, seed)
            yield "3-in 3-out digraphs", permutations(n, 3, seed)
            yield "cubic graphs", regular(n, 3, seed)
            yield "4-regular graphs", regular(n, 4, seed)


def _ask(graph: MoveGraph, told: Connection) -> None:
    began = time.process_time()
    status = cavalcade.hamiltonian_cycle(graph, time_limit=LIMIT).status
    told.send((status, time.process_time() - began))


def main() -> None:
    """Ask about all of them, and print the table."""
    context = get_context("fork")
    rows: dict[tuple[str, str], list[tuple[str, float]]] = {}
    for family, graph in graphs():
        n = graph.size
        size = "20 to 200" if n <= 200 else "500 to 2,000" if n <= 2000 else f"{n:,}"
        here, there = context.Pipe()
        child = context.Process(target=_ask, args=(graph, there))
        child.start()
        rows.setdefault((family, size), []).append(here.recv())
        child.join()
    print(
        "| | vertices | graphs | without a cycle | undecided | median | most |\n|---|---|---|---|---|---|---|"
    )
    for (family, size), found in rows.items():
        none, unknown = (sum(one[0] == what for one in found) for what in ("impossible", "undecided"))
        times = [one[1] for one in found]
        median, most = (f"{some:.2g} s" for some in (statistics.median(times), max(times)))
        print(f"| {family} | {size} | {len(found)} | {none} | {unknown} | {median} | {most} |")


if __name__ == "__main__":
    main()
