"""Families of graphs that are hard for programs that look for Hamiltonian cycles; made here, from seeds.

The families are those of the FHCP challenge set (M. Haythorpe, FHCP challenge set: the first set of
structurally difficult instances of the Hamiltonian cycle question, 2019), as far as their construction is
published, and families of graphs without a Hamiltonian cycle. The docstring of each generator gives the
source of its graphs and states whether they are Hamiltonian. Most graphs are cubic. `sample` numbers the
vertices at random, so that no program benefits from their order.

A graph is made as a list of edges between vertices 0, 1, …; n is the number of vertices.
"""

from __future__ import annotations

import random
from itertools import chain, combinations, pairwise
from typing import TYPE_CHECKING, NamedTuple

import cavalcade
from cavalcade.question.graph import MoveGraph

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    Edges = list[tuple[int, int]]


class Hard(NamedTuple):
    """A graph of a family.

    Args:
        family: the family's name.
        name: the graph's name.
        graph: the graph itself.
        hamiltonian: whether it has a Hamiltonian cycle; None if no theorem or construction decides it.
    """

    family: str
    name: str
    graph: MoveGraph
    hamiltonian: bool | None


class Fragment(NamedTuple):
    """A graph that replaces a vertex of degree 3.

    Args:
        size: number of vertices.
        edges: edges within the fragment.
        ends: the three vertices that are joined to the rest of the graph.
    """

    size: int
    edges: Edges
    ends: tuple[int, int, int]


def ring(n: int) -> Edges:
    """A cycle through 0, 1, …, n - 1."""
    return [(i, (i + 1) % n) for i in range(n)]


def rows_of(edges: Edges) -> list[list[int]]:
    """The neighbours of every vertex."""
    rows: list[list[int]] = [[] for _ in range(1 + max(map(max, edges)))]
    for a, b in edges:
        rows[a].append(b)
        rows[b].append(a)
    return rows


# ---- named graphs


def petersen(n: int, k: int) -> Edges:
    """The generalized Petersen graph GP(n, k) of 2n vertices (Watkins 1969).

    It is Hamiltonian but for GP(n, 2) with n = 5 modulo 6 and, isomorphic to these, GP(n, n / 2) with n
    divisible by 4 is not either (Alspach 1983). GP(n, 2) has three Hamiltonian cycles if n = 3 modulo 6
    (Schwenk 1989).
    """
    inner = {tuple(sorted((n + i, n + (i + k) % n))) for i in range(n)}
    return [*ring(n), *((i, n + i) for i in range(n)), *((a, b) for a, b in sorted(inner))]


def flower(k: int) -> Edges:
    """The flower snark J_k of 4k vertices for odd k, its Hamiltonian sister for even k (Isaacs 1975).

    For odd k >= 5 it has no Hamiltonian cycle, but removing any vertex gives a graph that has one (Fiorini
    1983).
    """
    star = [(4 * i, 4 * i + j) for i in range(k) for j in (1, 2, 3)]
    around = [(4 * i + 1, 4 * ((i + 1) % k) + 1) for i in range(k)]
    long = [4 * i + 2 for i in range(k)] + [4 * i + 3 for i in range(k)]
    return star + around + [*pairwise(long), (long[-1], long[0])]


def prism(k: int) -> Edges:
    """The prism over a k-gon, 2k vertices; bipartite for even k."""
    return petersen(k, 1)


def sheehan(n: int) -> Edges:
    """The graph with exactly one Hamiltonian cycle and the largest number of edges (Sheehan 1977).

    It has n² / 4 + 1 edges, rounded down. Half of the vertices, x_1, x_2, …, are not joined to each other;
    the others, c_0, c_1, …, all are. x_i is joined to c_1, …, c_i, but x_1 to c_0 and c_1, and the last one
    to c_0, too, if n is even.
    """
    k = n // 2
    joined = [(i, k + j) for i in range(2, k + 1) for j in range(1, i + 1) if k + j < n]
    edges = [(a - 1, b) for a, b in joined] + [(0, k), (0, k + 1)]
    edges += [(k - 1, k)] if n % 2 == 0 else []
    return edges + list(combinations(range(k, n), 2))


# ---- random graphs


def random_cubic(n: int, rng: random.Random) -> Edges:
    """A cycle and a random perfect matching.

    Asymptotically the same as a random cubic graph (Robinson & Wormald 1994).
    """
    while True:
        order = rng.sample(range(n), n)
        pairs = list(zip(order[::2], order[1::2], strict=True))
        if all((a - b) % n not in (1, n - 1) for a, b in pairs):
            return ring(n) + pairs


def random_bipartite_cubic(n: int, rng: random.Random) -> Edges:
    """A cycle and a random perfect matching between its even and odd vertices; n is even."""
    while True:
        pairs = list(zip(range(0, n, 2), rng.sample(range(1, n, 2), n // 2), strict=True))
        if all((a - b) % n not in (1, n - 1) for a, b in pairs):
            return ring(n) + pairs


def triangulation(n: int, rng: random.Random) -> dict[tuple[int, int], int]:
    """A random triangulation of the sphere with n vertices: a stacked triangulation after 20n random flips.

    Returns:
        The third corner of the triangle to the left of each directed edge.
    """
    third: dict[tuple[int, int], int] = {}

    def add(*corners: int) -> None:
        a, b, c = corners
        third.update({(a, b): c, (b, c): a, (c, a): b})

    add(0, 1, 2)
    add(2, 1, 0)
    sides = [(0, 1), (1, 2), (2, 0)]
    for new in range(3, n):
        a, b = rng.choice(sides)
        c = third[a, b]
        for x, y in ((a, b), (b, c), (c, a)):
            add(x, y, new)
            sides.append((x, new))
    for _ in range(20 * n):
        index = rng.randrange(len(sides))
        a, b = sides[index]
        c, d = third[a, b], third[b, a]
        if c != d and (c, d) not in third:
            del third[a, b], third[b, a]
            add(c, a, d)
            add(d, b, c)
            sides[index] = (c, d)
    return third


def planar_cubic(n: int, rng: random.Random) -> Edges:
    """The dual of a random triangulation: a planar cubic graph of n vertices, 3-connected; n is even."""
    third = triangulation(n // 2 + 2, rng)
    number: dict[frozenset[int], int] = {}
    face = {
        (a, b): number.setdefault(frozenset((a, b, c)), len(number)) for (a, b), c in sorted(third.items())
    }
    return [(face[a, b], face[b, a]) for a, b in face if a < b]


def barnette(n: int, rng: random.Random) -> Edges:
    """The flags of a random triangulation: planar, cubic, bipartite, 3-connected; 12 * (n // 12) vertices.

    Every vertex, edge and face is cut off, as in the truncated cuboctahedron. Barnette's conjecture of 1969
    says that all such graphs are Hamiltonian.
    """
    third = triangulation(n // 12 + 2, rng)
    number = {side: i for i, side in enumerate(sorted(third))}
    edges: Edges = []
    for (a, b), i in number.items():
        before = number[third[a, b], a]
        edges += [(2 * i, 2 * i + 1), (2 * i, 2 * before + 1), (2 * i, 2 * number[b, a] + 1)]
    return edges


# ---- graphs from graphs


def subdivided(edges: Edges, chosen: Collection[tuple[int, int]]) -> Edges:
    """The graph with a new vertex on each chosen edge, so that a cycle has to use these edges."""
    fresh = 1 + max(map(max, edges))
    result = [edge for edge in edges if edge not in chosen]
    for new, (a, b) in enumerate((edge for edge in edges if edge in chosen), fresh):
        result += [(a, new), (new, b)]
    return result


def without(edges: Edges, vertex: int) -> Edges:
    """The graph without a vertex; the last vertex gets its number."""
    last = max(map(max, edges))
    kept = [edge for edge in edges if vertex not in edge]
    return [tuple(vertex if a == last else a for a in edge) for edge in kept]  # type: ignore[misc]


def cartesian(first: Edges, second: Edges) -> Edges:
    """The Cartesian product."""
    n, m = 1 + max(map(max, first)), 1 + max(map(max, second))
    across = [(a * m + i, b * m + i) for a, b in first for i in range(m)]
    return across + [(i * m + a, i * m + b) for a, b in second for i in range(n)]


def dot_product(first: Edges, second: Edges, rng: random.Random) -> Edges:
    """The dot product of two graphs: a snark if both graphs are snarks (Isaacs 1975).

    Two edges a-b and c-d of the first graph and two adjacent vertices x and y of the second are removed; a
    and b are joined to the remaining neighbours of x, c and d to the remaining neighbours of y.
    """
    while True:
        first_edge, second_edge = rng.sample(first, 2)
        if not set(first_edge) & set(second_edge):
            break
    x, y = rng.choice(second)
    fresh = 1 + max(map(max, first))
    rows = rows_of(second)
    kept = [vertex for vertex in range(len(rows)) if vertex not in (x, y)]
    number = {vertex: i for i, vertex in enumerate(kept, fresh)}
    edges = [edge for edge in first if edge not in (first_edge, second_edge)]
    edges += [(number[a], number[b]) for a, b in second if a in number and b in number]
    for ends, gone in ((first_edge, x), (second_edge, y)):
        neighbours = [number[vertex] for vertex in rows[gone] if vertex in number]
        edges += zip(ends, rng.sample(neighbours, 2), strict=True)
    return edges


def replaced(edges: Edges, fragments: Mapping[int, tuple[Fragment, Sequence[int]]]) -> Edges:
    """The graph with fragments instead of some vertices of degree 3.

    Args:
        edges: the graph.
        fragments: for each replaced vertex, its fragment and the neighbours of the three ends.
    """
    fresh = 1 + max(map(max, edges))
    port: dict[tuple[int, int], int] = {}
    result: Edges = []
    for vertex, (fragment, neighbours) in fragments.items():
        number = [vertex, *range(fresh, fresh + fragment.size - 1)]
        fresh += fragment.size - 1
        result += [(number[a], number[b]) for a, b in fragment.edges]
        port |= {
            (vertex, neighbour): number[end] for end, neighbour in zip(fragment.ends, neighbours, strict=True)
        }
    return result + [(port.get((a, b), a), port.get((b, a), b)) for a, b in edges]


TRIANGLE = Fragment(3, [(0, 1), (1, 2), (2, 0)], (0, 1, 2))
TUTTE = Fragment(  # every Hamiltonian path between two ends begins at the first (Tutte 1946)
    15,
    [
        (0, 1), (0, 7), (1, 2), (2, 3), (2, 10), (3, 8), (4, 5), (4, 8), (5, 6), (6, 7), (6, 12), (8, 9),
        (9, 10), (10, 11), (11, 12), (5, 13), (9, 13), (12, 13), (1, 14), (7, 14), (11, 14),
    ],
    (0, 3, 4),
)  # fmt: skip


def horton() -> Fragment:
    """The fragment of Horton's graph, bipartite, with the same property as Tutte's (Bondy & Murty 1976).

    Two copies of the Möbius-Kantor graph without two of its edges; the second also lacks a vertex.
    """
    edges = {frozenset((i, (i + (5 if i % 2 == 0 else -5)) % 16)) for i in range(16)}
    edges |= {frozenset(edge) for edge in ring(16)} - {frozenset((15, 0)), frozenset((7, 8))}
    half = sorted((min(edge), max(edge)) for edge in edges)
    both = half + [(16 + a, 16 + b) for a, b in half if b != 15]
    return Fragment(31, [*both, (0, 23), (7, 24), (15, 16)], (8, 26, 30))


def forced(edges: Edges, vertices: Iterable[int], fragment: Fragment, toward: Callable[[int], int]) -> Edges:
    """The graph with forcing fragments instead of some vertices.

    Args:
        edges: a cubic graph.
        vertices: the vertices to replace; no two adjacent.
        fragment: a fragment whose Hamiltonian paths from end to end all begin or end at its first end.
        toward: function from a vertex to the neighbour at the first end; every cycle uses this edge.
    """
    rows = rows_of(edges)
    put = {}
    for vertex in vertices:
        first = toward(vertex)
        put[vertex] = (fragment, [first, *(neighbour for neighbour in rows[vertex] if neighbour != first)])
    return replaced(edges, put)


def starred(edges: Edges, middle: int, fragment: Fragment) -> Edges:
    """A cubic graph with forcing fragments around one vertex: a cycle would use all three edges there.

    It has no Hamiltonian cycle. Horton's graph is `starred` applied to K3,3; Tutte's graph is `starred`
    applied to K4, except for the sides on which the other two ends lie.
    """
    return forced(edges, rows_of(edges)[middle], fragment, lambda _: middle)


def spread(edges: Edges, among: Iterable[int], count: int, rng: random.Random) -> list[int]:
    """At most `count` random vertices, no two adjacent."""
    rows, chosen = rows_of(edges), set[int]()
    candidates = list(among)
    for vertex in rng.sample(candidates, len(candidates)):
        if len(chosen) < count and chosen.isdisjoint(rows[vertex]):
            chosen.add(vertex)
    return sorted(chosen)


# ---- gadgets


class Parallels:
    """A ring of sections, each of two or three parallel edges, of which a Hamiltonian cycle uses one.

    `differ` connects two of these edges by twelve vertices so that a cycle uses exactly one of the two
    (Garey, Johnson & Tarjan 1976; Papadimitriou & Steiglitz 1976).

    Args:
        sections: number of parallel edges of each section.
    """

    def __init__(self, sections: Sequence[int]) -> None:
        self.sections = sections
        self.chains: dict[tuple[int, int], list[list[int]]] = {
            (i, j): [] for i, count in enumerate(sections) for j in range(count)
        }
        self.edges: Edges = []
        self.size = len(sections)

    def differ(self, first: tuple[int, int], second: tuple[int, int]) -> None:
        """Let a cycle use exactly one of two edges, each a pair (section, number)."""
        upper, lower = (list(range(self.size + 4 * i, self.size + 4 * i + 4)) for i in range(2))
        self.edges += [*pairwise(upper), *pairwise(lower)]
        for i in range(4):
            middle = self.size + 8 + i
            self.edges += [(upper[i], middle), (middle, lower[i])]
        self.chains[first].append(upper)
        self.chains[second].append(lower)
        self.size += 12

    def graph(self) -> Edges:
        """The edges of the graph; at most one edge of each section may be without a gadget."""
        edges = list(self.edges)
        for (section, _), rows in self.chains.items():
            stops = [section, *chain.from_iterable((row[0], row[-1]) for row in rows)]
            stops.append((section + 1) % len(self.sections))
            edges += zip(stops[::2], stops[1::2], strict=True)
        return edges


def xor_chain(n: int, *, odd: bool) -> Edges:
    """A ring of n switches, each different from the next: about 13n vertices.

    If `odd`, n is rounded up to an odd number, and there is no Hamiltonian cycle. Otherwise n is rounded up
    to an even number, and there are two.
    """
    n += (n + odd) % 2  # an odd number of switches cannot alternate around a ring
    ring_ = Parallels([2] * n)
    for i in range(n):
        ring_.differ((i, 0), ((i + 1) % n, 0))
    return ring_.graph()


def one_in_three(switches: int, clauses: int, rng: random.Random) -> Edges:
    """Satisfiable 1-in-3 formulas: exactly one of three literals is true; about 37 vertices per clause.

    There is a section for each clause and for each variable that occurs.
    """
    value = [rng.random() < 0.5 for _ in range(switches)]
    literals = []
    for _ in range(clauses):
        variables = rng.sample(range(switches), 3)
        truth = rng.sample([True, False, False], 3)
        literals.append([(i, value[i] == true) for i, true in zip(variables, truth, strict=True)])
    used = sorted({i for clause in literals for i, _ in clause})
    section = {i: clauses + index for index, i in enumerate(used)}
    ring_ = Parallels([3] * clauses + [2] * len(used))
    for index, clause in enumerate(literals):
        for j, (i, positive) in enumerate(clause):
            ring_.differ((index, j), (section[i], int(positive)))
    return ring_.graph()


# ---- the sample


def unbalanced(half: int, rng: random.Random, *, both: bool) -> Edges:
    """Non-Hamiltonian: bipartite with sides of half - 1 and half vertices, hidden by triangles.

    One vertex of a random bipartite cubic graph is removed and its neighbours are joined to three other
    vertices. Triangles then replace a third of the larger side and, if `both` is set, a third of the cubic
    vertices of the smaller side. With `both`, no cut proves it until the triangles are contracted.
    """
    edges = random_bipartite_cubic(2 * half, rng)
    rows = rows_of(edges)
    last = 2 * half - 2  # of the even side; the odd vertex after it takes its number
    result = [edge for edge in edges if last not in edge]
    apart = [a for a in range(0, last, 2) if not set(rows[a]) & set(rows[last])]
    result += zip(rows[last], rng.sample(apart, 3), strict=True)
    result = [tuple(last if a == last + 1 else a for a in edge) for edge in result]  # type: ignore[misc]
    rows = rows_of(result)
    contracted = rng.sample([*range(1, last, 2), last], half // 3)
    if both:
        contracted += rng.sample([a for a in range(0, last, 2) if len(rows[a]) == 3], half // 3)
    return replaced(result, {vertex: (TRIANGLE, rows[vertex]) for vertex in contracted})


def inflated(edges: Edges, size: int, rng: random.Random) -> Edges:
    """A cubic graph whose vertices are replaced by random cubic graphs of `size` vertices, less a vertex.

    Each replacement is connected by three edges, so there is no Hamiltonian cycle if the graph has none.
    """
    rows, put = rows_of(edges), {}
    for vertex, row in enumerate(rows):
        inside = random_cubic(size + 1, rng)
        gone = rng.randrange(size + 1)
        a, b, c = (gone if end == size else end for end in rows_of(inside)[gone])
        put[vertex] = (Fragment(size, without(inside, gone), (a, b, c)), row)
    return replaced(edges, put)


def along(n: int) -> Callable[[int], int]:
    """A function from a vertex to the next vertex of the planted cycle."""
    return lambda vertex: (vertex + 1) % n


def knights(side: int, share: float, rng: random.Random) -> Edges:
    """The knight's graph of a square board in which a share of the moves of one tour is required."""
    verdict = cavalcade.tour(f"{side}x{side}", engine="join", seed=rng.randrange(10**6))
    if not isinstance(verdict, cavalcade.Found):
        raise TypeError(f"no tour of {side}x{side}: {verdict.reason}")
    cells = verdict.tour.cells.tolist()
    moves = [(min(a, b), max(a, b)) for a, b in zip(cells, cells[1:] + cells[:1], strict=True)]
    edges = [(a, b) for a, b in cavalcade.move_graph(f"{side}x{side}").edges().tolist()]
    return subdivided(edges, set(rng.sample(moves, int(share * len(moves)))))


Made = tuple[str, "Edges", "bool | None"]  # a name, the edges, whether Hamiltonian


def _petersen(rng: random.Random) -> Iterator[Made]:
    del rng
    for n, k in ((33, 2), (201, 2), (500, 7), (1251, 3), (4731, 11)):
        yield f"GP({n}, {k})", petersen(n, k), True


def _petersen_none(rng: random.Random) -> Iterator[Made]:
    del rng
    for n in (35, 125, 401, 1253, 4505):
        yield f"GP({n}, 2)", petersen(n, 2), False


def _flowers(rng: random.Random) -> Iterator[Made]:
    yield "J18", flower(18), True
    yield "J61 less a vertex", without(flower(61), rng.randrange(244)), True
    yield "J9 x J5", cartesian(flower(9), flower(5)), None
    yield "J625 less a vertex", without(flower(625), rng.randrange(2500)), True
    yield "J2250", flower(2250), True


def _snarks(rng: random.Random) -> Iterator[Made]:
    for k in (17, 61):
        yield f"J{k}", flower(k), False
    chain_ = petersen(5, 2)
    for _ in range(40):
        chain_ = dot_product(chain_, flower(rng.choice((5, 7))), rng)
    yield "a chain of 41 snarks", chain_, False
    for k in (625, 2251):
        yield f"J{k}", flower(k), False


def _cubic(rng: random.Random) -> Iterator[Made]:
    for n in (66, 250, 800, 2500, 9500):
        yield f"random {n}", random_cubic(n, rng), True


def _few(rng: random.Random) -> Iterator[Made]:
    for n, count in ((40, 2), (100, 8), (300, 25), (1000, 80), (4000, 300)):
        edges = random_cubic(n, rng)
        vertices = spread(edges, range(n), count, rng)
        yield f"random {n}, {count} Tutte", forced(edges, vertices, TUTTE, along(n)), True


def _sheehan(rng: random.Random) -> Iterator[Made]:
    del rng
    for n in (66, 121, 250, 401, 600):
        yield f"Sheehan {n}", sheehan(n), True


def _planar(rng: random.Random) -> Iterator[Made]:
    for n in (66, 250, 800, 2500, 9000):
        yield f"planar {n}", planar_cubic(n, rng), None


def _barnette(rng: random.Random) -> Iterator[Made]:
    yield "prism 34", prism(34), True
    for n in (250, 800, 2500, 9000):
        yield f"flags {n}", barnette(n, rng), None


def _subdivided(rng: random.Random) -> Iterator[Made]:
    for n in (50, 180, 600, 1800, 7000):
        edges = random_cubic(n, rng)
        yield f"random {n}, a third", subdivided(edges, set(rng.sample(ring(n), n // 3))), True


def _xor(rng: random.Random) -> Iterator[Made]:
    yield "chain of 6", xor_chain(6, odd=False), True
    yield "1-in-3, 6 clauses", one_in_three(10, 6, rng), True
    yield "chain of 64", xor_chain(64, odd=False), True
    yield "1-in-3, 60 clauses", one_in_three(96, 60, rng), True
    yield "1-in-3, 240 clauses", one_in_three(384, 240, rng), True


def _xor_none(rng: random.Random) -> Iterator[Made]:
    del rng
    for n in (5, 19, 61, 191, 701):
        yield f"chain of {n}", xor_chain(n, odd=True), False


def _knights(rng: random.Random) -> Iterator[Made]:
    for side, share in ((8, 0.4), (16, 0.5), (26, 0.4), (44, 0.3), (80, 0.4)):
        yield f"{side}x{side}, {share:.0%}", knights(side, share, rng), True


def _starred(rng: random.Random) -> Iterator[Made]:
    bipartite = horton()
    for n, fragment in ((30, TUTTE), (160, bipartite), (750, TUTTE), (2400, bipartite), (9000, TUTTE)):
        edges = planar_cubic(n, rng) if fragment is TUTTE else random_bipartite_cubic(n, rng)
        word = "Tutte" if fragment is TUTTE else "Horton"
        rows = rows_of(edges)
        vertices = rng.sample(range(n), n)
        apart = next(v for v in vertices if not any(set(rows[a]) & set(rows[v]) for a in rows[v]))
        yield f"{word} {n}", starred(edges, apart, fragment), False


def _inflated(rng: random.Random) -> Iterator[Made]:
    for size in (7, 25, 81, 251, 901):
        yield f"Petersen of {size}s", inflated(petersen(5, 2), size, rng), False


def _unbalanced(rng: random.Random) -> Iterator[Made]:
    for half, both in ((24, False), (80, True), (240, False), (800, True), (3000, False)):
        yield f"{half - 1} : {half}{', both' * both}", unbalanced(half, rng, both=both), False


FAMILIES: dict[str, Callable[[random.Random], Iterator[Made]]] = {
    "generalized Petersen": _petersen,
    "flower": _flowers,
    "cubic": _cubic,
    "cubic, forced": _few,
    "Sheehan": _sheehan,
    "planar cubic": _planar,
    "Barnette": _barnette,
    "subdivided": _subdivided,
    "xor": _xor,
    "knight, required": _knights,
    "GP(6k + 5, 2)": _petersen_none,
    "snarks": _snarks,
    "Tutte and Horton": _starred,
    "inflated Petersen": _inflated,
    "unbalanced": _unbalanced,
    "odd xor": _xor_none,
}


def sample(family: str, seed: int = 0) -> Iterator[Hard]:
    """Five graphs of a family, from about 66 to about 9,500 vertices, numbered at random."""
    rng = random.Random(f"{family} {seed}")
    for name, edges, hamiltonian in FAMILIES[family](rng):
        n = 1 + max(map(max, edges))
        number = rng.sample(range(n), n)
        graph = MoveGraph.from_edges([(number[a], number[b]) for a, b in edges], n)
        yield Hard(family, name, graph, hamiltonian)
