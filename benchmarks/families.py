"""More than 260 named graphs from 36 families, beside other tools: docs/benchmarks.md.

    python benchmarks/families.py [--limit SECONDS] [--shard K/N] [PART OF A NAME ...] > rows.csv
    python benchmarks/families.py --tables rows.csv [MORE.csv ...]

Each tool gets each graph in its own process, as in `sparse.py`, with vertices in random order. A ratio is the
time of the quickest peer that decides the graph divided by ours; below 1 the peer is quicker. The SAT
loop, which takes seconds to state a large graph, gets graphs of at most 5,000 vertices. A run prints a row of
CSV per graph, so that it can be divided into shards; `--tables` prints the tables. The rows of the page are
in `families.csv`.
"""

from __future__ import annotations

import argparse
import csv
import gc
import random
import statistics
import sys
from collections import Counter, defaultdict
from functools import partial
from itertools import combinations, islice, pairwise, permutations, product
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx

import sparse
from hard_graphs import flower, planar_cubic, xor_chain
from peers import PEERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SEEDS = range(3)
LOOP_SIZE = 5_000
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


def kneser(n: int, k: int) -> nx.Graph:
    """The k-subsets of n elements, joined if they are disjoint."""
    subsets = map(frozenset, combinations(range(n), k))
    return nx.Graph((s, t) for s, t in combinations(subsets, 2) if not s & t)


def paley(q: int) -> nx.Graph:
    """The numbers modulo a prime, joined if they differ by a square."""
    squares = {x * x % q for x in range(1, q)}
    return nx.Graph((a, b) for a, b in combinations(range(q), 2) if (a - b) % q in squares)


def behind(cells: int, parts: int, size: int, chords: int) -> nx.Graph:
    """Cycles with chords, each joined to three of a few vertices: more parts than vertices between them."""
    rng = random.Random(1)
    graph = nx.Graph()
    for p in range(parts):
        graph.add_edges_from(((p, a), (p, (a + 1) % size)) for a in range(size))
        graph.add_edges_from([((p, a), (p, b)) for a, b in combinations(range(size), 2)][:: size // chords])
        ends = [p % cells, *rng.sample(range(cells), 2)]
        graph.add_edges_from((a, (p, rng.randrange(size))) for a in ends for _ in range(2))
    return graph


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
    for n, k in ((6, 2), (7, 2), (7, 3), (9, 4), (11, 3)):
        yield f"Kneser {n} {k}", partial(kneser, n, k)
    for q in (13, 101, 401):
        yield f"Paley {q}", partial(paley, q)
    for side in (5, 10, 30):
        torus = partial(nx.grid_2d_graph, side, side + 1, periodic=True)
        yield f"torus {side}", torus
        yield f"rook {side}", partial(nx.line_graph, nx.complete_bipartite_graph(side, side))
        yield f"prism {side}", partial(nx.circular_ladder_graph, side * side)
    for cells, parts, size in ((5, 6, 5), (20, 21, 8), (40, 41, 18)):
        yield f"parts behind cells {cells} {parts} 1", partial(behind, cells, parts, size, 1)
        yield f"parts behind cells {cells} {parts} {size}", partial(behind, cells, parts, size, size)
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


def tables(files: list[str]) -> None:
    """Print a line per family in Markdown, and the graphs with the lowest ratios.

    Several rows of a graph are from runs with other peers: the first has our times, the quickest peer counts.
    """
    by_graph: dict[str, list[str]] = {}
    for file in files:
        for row in csv.reader(Path(file).read_text(encoding="utf-8").splitlines()):
            known = by_graph.setdefault(row[0], row)
            if row[6] in SHOWN and (known[6] not in SHOWN or float(row[7]) < float(known[7])):
                by_graph[row[0]] = known[:5] + row[5:]
    rows = [*by_graph.values()]
    counts: Counter[str] = Counter()
    ratios: list[tuple[float, list[str]]] = []
    print("| family | graphs | decided | by a peer alone | ours | peer | lowest ratio | median |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    grouped = defaultdict(list)
    for row in rows:
        grouped[" ".join(word for word in row[0].split() if not word[0].isdigit())].append(row)
    for family, group in grouped.items():
        ours = sum(row[2] in SHOWN for row in group)
        lost = sum(row[2] not in SHOWN and row[6] in SHOWN for row in group)
        own = [(float(row[7]) / float(row[4]), row) for row in group if {row[2], row[6]} <= SHOWN]
        ratios += own
        counts += Counter({"graphs": len(group), "decided": ours, "decided by a peer alone": lost})
        counts["decided by cavalcade alone"] += sum(row[2] in SHOWN and row[6] not in SHOWN for row in group)
        values = sorted(ratio for ratio, _ in own)
        middle = f"{statistics.median(values):.2g}" if values else "-"
        lowest = f"{values[0]:.2g}" if values else "-"
        times = [statistics.median(float(row[k]) for _, row in own) * 1000 if own else 0 for k in (4, 7)]
        times_text = " | ".join(f"{sparse.show(time)} ms" if time else "-" for time in times)
        print(f"| {family} | {len(group)} | {ours} | {lost} | {times_text} | {lowest} | {middle} |")
    print(", ".join(f"{what}: {number}" for what, number in counts.items()))
    quickest = Counter(row[5] for row in rows if row[5])
    print("quickest peer:", ", ".join(f"{peer} {number}" for peer, number in quickest.most_common()))
    low = sorted((ratio, row[0]) for ratio, row in ratios if ratio < 1 / 3)
    cold = statistics.median(float(row[7]) / float(row[3]) for _, row in ratios)
    print(f"median ratio {statistics.median(ratio for ratio, _ in ratios):.2f}; below 1/3: {len(low)}")
    print(f"median ratio of the peer's time and our first call: {cold:.2f}")
    print("; ".join(f"{name} {ratio:.2g}" for ratio, name in low))


def main() -> None:
    """Measure the tools on all graphs, and print a row of CSV for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=float, default=6.0, help="processor seconds per graph and tool")
    parser.add_argument("--tools", default="SAT loop,hamheuristic,posa", help="peers, separated by commas")
    parser.add_argument("--tables", action="store_true", help="read rows of earlier runs and print tables")
    parser.add_argument("--shard", default="1/1", help="every Nth graph from the Kth on")
    parser.add_argument("parts", nargs="*", help="only graphs with one of these in their names, or files")
    options = parser.parse_args()
    if options.tables:
        tables(options.parts)
        return
    sparse.LIMIT = options.limit
    gc.freeze()
    tools = {name: PEERS[name] for name in options.tools.split(",") if name}
    writer = csv.writer(sys.stdout, lineterminator="\n")
    k, number = map(int, options.shard.split("/"))
    for name, make in islice(families(), k - 1, None, number):
        if options.parts and not any(part in name for part in options.parts):
            continue
        n, edges = shuffled(make())
        ours = sparse.measured(sparse.ours, n, edges, directed=False)
        peers = {
            tool: sparse.measured(run, n, edges, directed=False)
            for tool, run in tools.items()
            if tool != "SAT loop" or n <= LOOP_SIZE
        }
        decided = {tool: row for tool, row in peers.items() if row.status in SHOWN}
        if len({row.status for row in (ours, *decided.values())} & SHOWN) > 1:
            raise AssertionError(f"contradicting answers for {name}")
        best = min(decided, key=lambda tool: decided[tool].warm, default="")
        peer = [best, decided[best].status, f"{decided[best].warm:.5f}"] if best else ["", "", ""]
        writer.writerow([name, n, ours.status, f"{ours.cold:.5f}", f"{ours.warm:.5f}", *peer])
        sys.stdout.flush()


if __name__ == "__main__":
    main()
