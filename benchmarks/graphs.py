"""Cost of `hamiltonian_cycle` on graphs that are not boards, beside other tools: docs/graphs.md.

Each question runs in its own process with 20 seconds of processor time. The time is measured from the edges
to the answer, without imports and with compiled kernels. The benchmark needs the group `bench`, `pip install
elkai`, and nauty; missing tools are skipped.
"""

from __future__ import annotations

import math
import resource
import signal
import sys
import time
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

import networkx as nx
from rich.console import Console
from rich.table import Table

import cavalcade
from peers import cp_sat, hamheuristic, lkh

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT = 20  # seconds of processor time
WALL = 15 * LIMIT  # seconds of wall time, generous because the machine may be busy


def sparse(n: int, extra: float, seed: int = 1) -> Any:
    """A random graph of n nodes whose average degree is ln n + extra."""
    return nx.fast_gnp_random_graph(n, (math.log(n) + extra) / n, seed=seed)


def pendant(n: int) -> Any:
    """A random graph with one additional node of degree 1."""
    graph = sparse(n, 6)
    graph.add_edge(n, 0)
    return graph


def bridged(n: int) -> Any:
    """Two random cubic graphs of n / 2 nodes with one edge between them."""
    graph = nx.disjoint_union(*(nx.random_regular_graph(3, n // 2, seed=seed) for seed in (1, 2)))
    graph.add_edge(0, n - 1)
    return graph


def petersen(k: int) -> Any:
    """The generalized Petersen graph GP(k, 2), which has no Hamiltonian cycle if k is 5 modulo 6."""
    outer = [(i, (i + 1) % k) for i in range(k)]
    return nx.Graph([*outer, *((i, k + i) for i in range(k)), *((k + i, k + (i + 2) % k) for i in range(k))])


GRAPHS: dict[str, Callable[[], Any]] = {
    "random cubic, 100": lambda: nx.random_regular_graph(3, 100, seed=1),
    "random cubic, 1,000": lambda: nx.random_regular_graph(3, 1000, seed=1),
    "random cubic, 10,000": lambda: nx.random_regular_graph(3, 10_000, seed=1),
    "random, degree ln n + 6, 1,000": lambda: sparse(1000, 6),
    "random, degree ln n + 6, 10,000": lambda: sparse(10_000, 6),
    "random, degree ln n + 6, 100,000": lambda: sparse(100_000, 6),
    "random with a leaf, 10,001": lambda: pendant(10_000),
    "cubic with a bridge, 10,000": lambda: bridged(10_000),
    "grid 51x51": lambda: nx.grid_2d_graph(51, 51),
    "grid 50x50": lambda: nx.grid_2d_graph(50, 50),
    "hypercube, 1,024": lambda: nx.hypercube_graph(10),
    "GP(29, 2), 58": lambda: petersen(29),
    "GP(101, 2), 202": lambda: petersen(101),
}


def ours(n: int, edges: list[tuple[int, int]]) -> str:
    """Return the status of cavalcade's answer."""
    graph = cavalcade.MoveGraph.from_edges(edges, n)
    return cavalcade.hamiltonian_cycle(graph, time_limit=WALL).status


def _child(tool: Callable[..., str], n: int, edges: list[tuple[int, int]], out: Any) -> None:
    ring = [(i, (i + 1) % 6) for i in range(6)]
    try:
        tool(6, ring)
        if tool is ours:  # compiles the kernels
            cavalcade.hamiltonian_cycle(
                cavalcade.MoveGraph.from_networkx(nx.random_regular_graph(4, 20_000, seed=1))
            )
    except ImportError:
        out.send(("not installed", 0.0))
        return
    before = _used()
    resource.setrlimit(resource.RLIMIT_CPU, (int(before) + LIMIT + 2, resource.RLIM_INFINITY))
    status, times = tool(n, edges), 1
    while times < 100 and _used() - before < 0.3:  # short times are averaged
        tool(n, edges)
        times += 1
    out.send((status, (_used() - before) / times))


def _used() -> float:
    """Return the processor time of this process and its finished children, in seconds."""
    return time.process_time() + sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def measured(tool: Callable[..., str], graph: Any) -> str:
    """Return the status that a tool reports, and its time."""
    plain = nx.convert_node_labels_to_integers(graph)
    receiver, sender = get_context("spawn").Pipe()
    child = get_context("spawn").Process(target=_child, args=(tool, len(plain), list(plain.edges), sender))
    child.start()
    sender.close()
    child.join(WALL)
    if child.is_alive() or child.exitcode in {-signal.SIGXCPU, -signal.SIGKILL}:
        child.kill()
        return f"nothing in {LIMIT} s"
    if not receiver.poll():
        return "failed"
    status, seconds = receiver.recv()
    return status if status in {"not installed", "too large"} else f"{status}, {show(seconds)}"


def show(seconds: float) -> str:
    """Format a time."""
    return f"{seconds * 1000:.2g} ms" if seconds < 1 else f"{seconds:.2g} s"


def main(names: list[str]) -> None:
    """Measure every tool on every graph, or on the graphs whose names contain one of these words."""
    tools = {"cavalcade": ours, "LKH (elkai)": lkh, "CP-SAT": cp_sat, "hamheuristic": hamheuristic}
    graphs = {
        name: made() for name, made in GRAPHS.items() if not names or any(word in name for word in names)
    }
    rows = {name: [name, f"{len(graph):,}", f"{graph.number_of_edges():,}"] for name, graph in graphs.items()}
    console = Console(width=140)
    for title, tool in tools.items():
        for name, graph in graphs.items():
            rows[name].append(measured(tool, graph))
            console.print(f"{name}, {title}: {rows[name][-1]}")
    table = Table("graph", "nodes", "edges", *tools)
    for row in rows.values():
        table.add_row(*row)
    console.print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
