"""More than 250 named graphs from 30 families, beside other tools: docs/benchmarks.md.

    python benchmarks/families.py [--limit SECONDS] [PART OF A NAME ...]

Each tool gets each graph in its own process, as in `sparse.py`, with vertices in random order. A ratio is the
time of the quickest peer that decides the graph divided by ours; below 1 the peer is quicker.
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
from functools import partial
from itertools import combinations, pairwise, permutations, product
from typing import TYPE_CHECKING

import networkx as nx

import sparse
from hard_graphs import flower, planar_cubic, xor_chain
from peers import PEERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SEEDS = range(3)
SHOWN = {"found", "impossible"}


def cayley(n: int, moves: Callable[[tuple[int, ...]], Iterator[tuple[int, ...]]]) -> nx.Graph:
    """The graph on the permutations of 0 to n - 1 with an edge from each to its images."""
    return nx.Graph((p, q) for p in permutations(range(n)) for q in moves(p))


def stars(p: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """A permutation with its first entry and another one exchanged."""
    for i in range(1, len(p)):
        yield (p[i], *p[1:i], p[0], *p[i + 1 :])


def pancakes(p: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """A permutation with a beginning of it reversed."""
    for i in range(2, len(p) + 1):
        yield p[:i][::-1] + p[i:]


def petersen(n: int, k: int) -> nx.Graph:
    """The generalized Petersen graph GP(n, k)."""
    rows = (((0, i, 0, i + 1), (0, i, 1, i), (1, i, 1, i + k)) for i in range(n))
    return nx.Graph(((a, i % n), (b, j % n)) for row in rows for a, i, b, j in row)


def cliques(count: int, size: int) -> nx.Graph:
    """A ring of complete graphs with one edge from each to the next."""
    graph = nx.Graph(((c, a), (c, b)) for c in range(count) for a, b in combinations(range(size), 2))
    graph.add_edges_from(((c, 0), ((c + 1) % count, 1)) for c in range(count))
    return graph


def planted(n: int, degree: float, seed: int) -> nx.Graph:
    """A cycle through n vertices and random edges up to an average degree."""
    rng = random.Random(seed)
    cycle = rng.sample(range(n), n)
    graph = nx.Graph(pairwise([*cycle, cycle[0]]))
    while graph.number_of_edges() < n * degree / 2:
        graph.add_edge(*rng.sample(range(n), 2))
    return graph


def tough(n: int, seed: int) -> nx.Graph:
    """A cycle whose odd vertices are independent, and n random edges at its even vertices."""
    rng = random.Random(seed)
    graph = nx.cycle_graph(n)
    for _ in range(n):
        graph.add_edge(rng.randrange(0, n, 2), rng.randrange(n))
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return graph


def middle_levels(k: int) -> nx.Graph:
    """Subsets of 2k + 1 elements with k and k + 1 elements, joined by inclusion."""
    subsets = map(frozenset, combinations(range(2 * k + 1), k))
    return nx.Graph((s, s | {x}) for s in subsets for x in range(2 * k + 1) if x not in s)


def line_graph(n: int, seed: int) -> nx.Graph:
    """The line graph of a random graph with four edges at each of n vertices."""
    return nx.line_graph(nx.random_regular_graph(4, n, seed=seed))


def holed(whole: Callable[[], nx.Graph], share: float, seed: int) -> nx.Graph:
    """The largest part of a graph without some of its vertices."""
    graph, rng = whole(), random.Random(seed)
    graph.remove_nodes_from([v for v in sorted(graph) if rng.random() < share])
    return graph.subgraph(max(nx.connected_components(graph), key=len)).copy()


def apollonian(n: int, seed: int) -> nx.Graph:
    """Triangles, each new vertex in a random one of them."""
    rng = random.Random(seed)
    graph, triangles = nx.complete_graph(3), [(0, 1, 2)]
    for v in range(3, n):
        a, b, c = triangles.pop(rng.randrange(len(triangles)))
        graph.add_edges_from((v, w) for w in (a, b, c))
        triangles += [(a, b, v), (a, c, v), (b, c, v)]
    return graph


def nearest(n: int, k: int, seed: int) -> nx.Graph:
    """Random points of the square, each joined to the k nearest others."""
    import numpy as np
    from scipy.spatial import KDTree

    points = np.random.default_rng(seed).random((n, 2))
    rows = KDTree(points).query(points, k + 1)[1][:, 1:]
    return nx.Graph((i, int(j)) for i, row in enumerate(rows) for j in row)


def knights(*shape: int) -> nx.Graph:
    """The moves of the knight on a box, made here."""
    cells = set(product(*map(range, shape)))
    jumps = [
        d
        for d in product(range(-2, 3), repeat=len(shape))
        if sorted(map(abs, d)) == [0] * (len(shape) - 2) + [1, 2]
    ]
    return nx.Graph(
        (c, e) for c in cells for d in jumps if (e := tuple(map(sum, zip(c, d, strict=True)))) in cells
    )


def coxeter() -> nx.Graph:
    """The triples of seven points that are no lines of Fano's plane, joined if they are disjoint."""
    lines = {frozenset((i, (i + 1) % 7, (i + 3) % 7)) for i in range(7)}
    triples = [t for t in map(frozenset, combinations(range(7), 3)) if t not in lines]
    return nx.Graph((s, t) for s, t in combinations(triples, 2) if not s & t)


def families() -> Iterator[tuple[str, Callable[[], nx.Graph]]]:
    """Iterate over the names of the graphs and how to make them."""
    for n, k in ((11, 2), (17, 2), (41, 2), (101, 3), (315, 7), (500, 11), (1001, 4), (2003, 2), (3000, 7)):
        yield f"Petersen {n} {k}", partial(petersen, n, k)
    for n in range(4, 9):
        yield f"star graph {n}", partial(cayley, n, stars)
        yield f"pancake {n}", partial(cayley, n, pancakes)
    for n in range(3, 15):
        yield f"hypercube {n}", partial(nx.hypercube_graph, n)
    for k in range(2, 8):
        yield f"middle levels {k}", partial(middle_levels, k)
    for count, size in ((5, 5), (10, 10), (20, 5), (20, 20), (40, 20), (60, 8)):
        yield f"ring of cliques {count} {size}", partial(cliques, count, size)
    for n, jumps in ((101, (2, 5)), (1009, (3, 31)), (10007, (17, 230)), (5003, (2, 71)), (20011, (7, 1000))):
        yield f"circulant {n}", partial(nx.circulant_graph, n, jumps)
    for k in (3, 5, 7, 9, 15, 31):
        yield f"flower snark {k}", partial(nx.Graph, flower(k))
    for k in (5, 10, 20, 40):
        yield f"xor chain {k} odd", partial(nx.Graph, xor_chain(k, odd=True))
        yield f"xor chain {k} even", partial(nx.Graph, xor_chain(k, odd=False))
    yield from (
        ("Tutte", nx.tutte_graph),
        ("Coxeter", coxeter),
        ("Petersen graph", nx.petersen_graph),
        ("Desargues", nx.desargues_graph),
        ("dodecahedron", nx.dodecahedral_graph),
        ("Pappus", nx.pappus_graph),
        ("Hoffman-Singleton", nx.hoffman_singleton_graph),
    )
    boards = "6x6 8x8 5x20 20x20 50x50 100x100 4x4x4 8x8x8 4x16 3x10 7x7"
    for spec in boards.split():
        yield f"knight's moves {spec}", partial(knights, *map(int, spec.split("x")))
    for side in (10, 30, 60, 100):
        yield f"grid {side}", partial(nx.grid_2d_graph, side, side)
        yield f"triangular grid {side}", partial(nx.triangular_lattice_graph, side, side)
        yield f"honeycomb {side}", partial(nx.hexagonal_lattice_graph, side, side)
    for seed in SEEDS:
        for n in (100, 1000, 5000):
            yield f"random cubic {n} {seed}", partial(nx.random_regular_graph, 3, n, seed=seed)
            yield f"random 4-regular {n} {seed}", partial(nx.random_regular_graph, 4, n, seed=seed)
            yield f"Watts-Strogatz {n} {seed}", partial(nx.watts_strogatz_graph, n, 4, 0.2, seed=seed)
            yield f"geometric {n} {seed}", partial(nx.random_geometric_graph, n, 1.7 * n**-0.5, seed=seed)
            yield f"nearest 10 {n} {seed}", partial(nearest, n, 10, seed)
            yield f"planted 5 {n} {seed}", partial(planted, n, 5, seed)
            yield f"planted 3 {n} {seed}", partial(planted, n, 3, seed)
            yield f"tough {n} {seed}", partial(tough, n, seed)
            yield f"Apollonian {n} {seed}", partial(apollonian, n, seed)
        for n in (50, 200, 500):
            yield f"G(n, 1/2) {n} {seed}", partial(nx.gnp_random_graph, n, 0.5, seed=seed)
            yield f"line graph {n} {seed}", partial(line_graph, n, seed)
            yield f"preferential {n} {seed}", partial(nx.barabasi_albert_graph, n, 3, seed=seed)
            yield f"planar cubic {n} {seed}", partial(nx.Graph, planar_cubic(n, random.Random(seed)))
        for side, share in product((10, 30, 60), (2, 5)):
            for name, lattice in (
                ("triangular", nx.triangular_lattice_graph),
                ("honeycomb", nx.hexagonal_lattice_graph),
            ):
                whole = partial(lattice, side, side)
                yield f"{name} with {share} % holes {side} {seed}", partial(holed, whole, share / 100, seed)


def shuffled(graph: nx.Graph) -> tuple[int, list[tuple[int, int]]]:
    """The number of vertices, and the edges with vertices numbered at random, in random order."""
    rng = random.Random(1)
    nodes = list(graph)
    number = dict(zip(nodes, rng.sample(range(len(nodes)), len(nodes)), strict=True))
    edges = [(number[a], number[b]) for a, b in graph.edges() if a != b]
    return len(nodes), rng.sample(edges, len(edges))


def main() -> None:
    """Measure the tools on all graphs, and print a line for each graph and a summary."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=float, default=6.0, help="processor seconds per graph and tool")
    parser.add_argument("--tools", default="SAT loop,hamheuristic,posa", help="peers, separated by commas")
    parser.add_argument("parts", nargs="*", help="only graphs with one of these in their names")
    options = parser.parse_args()
    sparse.LIMIT = options.limit
    gc.freeze()
    tools = {name: PEERS[name] for name in options.tools.split(",") if name}
    ratios: list[tuple[float, str]] = []
    tally = {"decided by us": 0, "decided by a peer alone": 0, "decided by us alone": 0}
    count = 0
    for name, make in families():
        if options.parts and not any(part in name for part in options.parts):
            continue
        count += 1
        n, edges = shuffled(make())
        ours = sparse.measured(sparse.ours, n, edges, directed=False)
        peers = {tool: sparse.measured(run, n, edges, directed=False) for tool, run in tools.items()}
        decided = {tool: row for tool, row in peers.items() if row.status in SHOWN}
        statuses = {row.status for row in (ours, *decided.values())} & SHOWN
        if len(statuses) > 1:
            raise AssertionError(f"contradicting answers for {name}")
        tally["decided by us"] += ours.status in SHOWN
        tally["decided by a peer alone"] += bool(decided) and ours.status not in SHOWN
        tally["decided by us alone"] += bool(tools) and not decided and ours.status in SHOWN
        best = min(decided, key=lambda tool: decided[tool].warm, default=None)
        line = f"{name}: {n} vertices, {ours.status} {ours.cold:.4f} {ours.warm:.4f}"
        if best:
            ratio = decided[best].warm / ours.warm if ours.status in SHOWN else 0.0
            ratios.append((ratio, name))
            line += f"; {best} {decided[best].status} {decided[best].warm:.4f}, ratio {ratio:.3g}"
        print(line, flush=True)
    print(f"{count} graphs; " + ", ".join(f"{what}: {number}" for what, number in tally.items()))
    if ratios:
        values = [ratio for ratio, _ in ratios]
        print(f"ratio: median {statistics.median(values):.2f}, below 1/3: {sum(v < 1 / 3 for v in values)}")
        print("the lowest:", ", ".join(f"{name} {ratio:.2g}" for ratio, name in sorted(ratios)[:20]))


if __name__ == "__main__":
    main()
