"""Graphs by name: comparison with networkx, with plain loops and with the literature."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations, product

import pytest

import cavalcade
from cavalcade.boards.families import FAMILIES
from cavalcade.cli import main
from cavalcade.question.named import GRAPHS

nx = pytest.importorskip("networkx")

SAME = {
    "petersen": nx.petersen_graph(),
    "heawood": nx.heawood_graph(),
    "pappus": nx.pappus_graph(),
    "desargues": nx.desargues_graph(),
    "dodecahedron": nx.dodecahedral_graph(),
    "gp:8,3": nx.moebius_kantor_graph(),
    "gp:5,2": nx.petersen_graph(),
    "cycle:7": nx.cycle_graph(7),
    "circulant:13,1,5": nx.circulant_graph(13, [1, 5]),
    "complete:1": nx.complete_graph(1),
    "complete:6": nx.complete_graph(6),
    "bipartite:3,4": nx.complete_bipartite_graph(3, 4),
    "johnson:5,2": nx.line_graph(nx.complete_graph(5)),
    "kneser:7,3": nx.kneser_graph(7, 3),
    "kneser:6,2": nx.kneser_graph(6, 2),
    "hypercube:4": nx.hypercube_graph(4),
    "grid:3x4": nx.grid_2d_graph(3, 4),
    "grid:2x3x4": nx.grid_graph((2, 3, 4)),
    "grid:1x5": nx.path_graph(5),
    "bull": nx.bull_graph(),
    "chvatal": nx.chvatal_graph(),
    "cubical": nx.cubical_graph(),
    "diamond": nx.diamond_graph(),
    "frucht": nx.frucht_graph(),
    "hoffman-singleton": nx.hoffman_singleton_graph(),
    "house": nx.house_graph(),
    "housex": nx.house_x_graph(),
    "icosahedron": nx.icosahedral_graph(),
    "kite": nx.krackhardt_kite_graph(),
    "moebius-kantor": nx.moebius_kantor_graph(),
    "octahedron": nx.octahedral_graph(),
    "sedgewick": nx.sedgewick_maze_graph(),
    "tetrahedron": nx.tetrahedral_graph(),
    "truncated-cube": nx.truncated_cube_graph(),
    "truncated-tetrahedron": nx.truncated_tetrahedron_graph(),
    "tutte": nx.tutte_graph(),
    "honeycomb:1,1": nx.cycle_graph(6),
    "honeycomb:3,4": nx.hexagonal_lattice_graph(3, 4),
    "honeycomb:2,5": nx.hexagonal_lattice_graph(2, 5),
    "triangular:1": nx.complete_graph(3),
    "triangular:5": nx.triangular_lattice_graph(5, 11).subgraph(
        [(i, j) for i in range(6) for j in range(6) if j // 2 <= i <= j // 2 + 5 - j]
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_graphs_equal_the_graphs_of_networkx(name: str) -> None:
    assert nx.is_isomorphic(cavalcade.MoveGraph.of(name).to_networkx(), SAME[name])


@pytest.mark.parametrize(
    "name",
    ["folkman", "franklin", "grotzsch", "herschel", "levi", "mcgee", "robertson", "thomassen", "walther"],
)
def test_graphs_equal_the_graphs_of_igraph(name: str) -> None:
    igraph = pytest.importorskip("igraph")
    expected = nx.Graph(igraph.Graph.Famous(name).get_edgelist())
    assert nx.is_isomorphic(cavalcade.MoveGraph.of(name).to_networkx(), expected)


@pytest.mark.parametrize(
    ("name", "girth", "diameter", "automorphisms"),
    [
        ("dyck", 6, 5, 192),
        ("f26a", 6, 5, 78),
        ("foster", 10, 8, 4320),
        ("gray", 8, 6, 1296),
        ("nauru", 6, 4, 144),
        ("truncated-octahedron", 4, 6, 48),
        ("bidiakis", 4, 3, 8),
    ],
)
def test_cubic_graphs_have_the_properties_in_the_census(
    name: str, girth: int, diameter: int, automorphisms: int
) -> None:
    """Conder and Dobcsanyi, Trivalent symmetric graphs on up to 768 vertices, 2002, for those of Foster."""
    igraph = pytest.importorskip("igraph")
    graph = cavalcade.MoveGraph.of(name)
    ours = igraph.Graph([*graph.pairs()])
    assert set(ours.degree()) == {3}
    assert (ours.girth(), ours.diameter(), ours.count_automorphisms()) == (girth, diameter, automorphisms)


@pytest.mark.parametrize(("letters", "length"), [(2, 1), (2, 4), (3, 2), (4, 3), (11, 2)])
def test_de_bruijn_graphs(letters: int, length: int) -> None:
    """Each word is followed by its last letters and one more; igraph has the same edges."""
    igraph = pytest.importorskip("igraph")
    graph = cavalcade.MoveGraph.of(f"debruijn:{letters},{length}")
    assert graph.directed
    assert set(graph.pairs()) == {
        (a, b) for a, b in igraph.Graph.De_Bruijn(letters, length).get_edgelist() if a != b
    }
    words = [name.split(".") if letters > 10 else list(name) for name in graph.names]
    assert all(words[a][1:] == words[b][:-1] for a, b in graph.pairs())


def test_the_tours_of_de_bruijn_graphs_are_de_bruijn_sequences() -> None:
    """2^(2^(n-1) - n) binary sequences of order n: de Bruijn 1946, Flye Sainte-Marie 1894; OEIS A016031."""
    counts = [cavalcade.count(f"debruijn:2,{n}").count for n in (2, 3, 4, 5)]
    assert counts == [1, 2, 16, 2048]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_middle_levels(k: int) -> None:
    graph = cavalcade.MoveGraph.of(f"middle:{k}")
    sets = [*combinations(range(2 * k + 1), k), *combinations(range(2 * k + 1), k + 1)]
    assert set(graph.pairs()) == {
        (i, j) for (i, a), (j, b) in combinations(enumerate(sets), 2) if len(a) < len(b) and {*a} < {*b}
    }
    assert cavalcade.hamiltonian_cycle(graph).status == "found"  # Muetze 2016


def test_the_coxeter_graph_has_its_intersection_array() -> None:
    """Brouwer, Cohen and Neumaier, Distance-regular graphs, 12.3: only one graph has this array."""
    coxeter = cavalcade.MoveGraph.of("coxeter").to_networkx()
    assert nx.intersection_array(coxeter) == ([3, 2, 2, 1], [1, 1, 1, 2])
    assert cavalcade.hamiltonian_cycle("coxeter").status == "impossible"


def attacked(piece: str, a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Return whether a chess piece moves between two cells of an empty board."""
    far = [abs(x - y) for x, y in zip(a, b, strict=True)]
    return {"king": max(far) == 1, "rook": 0 in far, "queen": 0 in far or far[0] == far[1]}[piece]


@pytest.mark.parametrize("piece", ["king", "rook", "queen"])
@pytest.mark.parametrize("sides", [(4, 4), (3, 5), (1, 4), (2, 2)])
def test_pieces_of_chess(piece: str, sides: tuple[int, int]) -> None:
    spec = f"{piece}:{sides[0]}" if sides[0] == sides[1] else f"{piece}:{sides[0]}x{sides[1]}"
    graph, board = cavalcade.MoveGraph.of(spec), cavalcade.Board.box(*sides)
    cells = [(row, column) for row in range(sides[0]) for column in range(sides[1])]
    expected = {
        frozenset((board.names[i], board.names[j]))
        for (i, a), (j, b) in combinations(enumerate(cells), 2)
        if attacked(piece, a, b)
    }
    assert {frozenset((graph.nodes[a], graph.nodes[b])) for a, b in graph.pairs()} == expected


def test_generalized_petersen_graphs_satisfy_alspachs_theorem() -> None:
    """B. Alspach, The classification of Hamiltonian generalized Petersen graphs, 1983."""
    for n in range(3, 18):
        for k in range(1, (n + 1) // 2):
            non_hamiltonian = n % 6 == 5 and k in {2, (n - 1) // 2}
            assert cavalcade.hamiltonian_cycle(f"gp:{n},{k}").status == (
                "impossible" if non_hamiltonian else "found"
            )


def test_commands_take_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "hypercube:4"]) == 0
    assert capsys.readouterr().out == "1344\n", "OEIS A066037"
    assert main(["tour", "Queen:5", "--open", "--from", "c3"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "c3"


@pytest.mark.parametrize(
    "name", ["gp:7", "gp:7,2,1", "cycle:2", "hypercube:x", "grid:5", "petersen:3", "queen:0"]
)
def test_invalid_parameters_are_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    kind = name.partition(":")[0]
    assert main(["tour", name]) == 2
    assert f"{name!r} is no graph of the kind {kind}: try {GRAPHS[kind].example}" in capsys.readouterr().err


@pytest.mark.parametrize("kind", GRAPHS)
def test_every_example_is_a_graph_of_its_size(kind: str) -> None:
    kind_of_graph = GRAPHS[kind]
    graph = cavalcade.MoveGraph.of(kind_of_graph.example)
    numbers = [
        int(part) for part in kind_of_graph.example.partition(":")[2].replace("x", ",").split(",") if part
    ]
    size, degree = kind_of_graph.size(*numbers)
    assert graph.size == size
    assert graph.degrees.max() <= degree


def swapped(a: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the permutations in which the first number and another have changed places."""
    return [(a[i], *a[1:i], a[0], *a[i + 1 :]) for i in range(1, len(a))]


def reversed_beginnings(a: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the permutations in which the first two or more numbers are reversed."""
    return [(*reversed(a[:i]), *a[i:]) for i in range(2, len(a) + 1)]


@pytest.mark.parametrize(("kind", "neighbours"), [("star", swapped), ("pancake", reversed_beginnings)])
def test_graphs_of_permutations(kind: str, neighbours: Callable[..., list[tuple[int, ...]]]) -> None:
    vertices = {a: i for i, a in enumerate(permutations(range(5)))}
    expected = {frozenset((i, vertices[b])) for a, i in vertices.items() for b in neighbours(a)}
    graph = cavalcade.MoveGraph.of(f"{kind}:5")
    assert {frozenset(pair) for pair in graph.pairs()} == expected
    assert graph.edge_count == 120 * 4 // 2


def test_johnson_graphs() -> None:
    sets = list(combinations(range(7), 3))
    expected = {(i, j) for (i, a), (j, b) in combinations(enumerate(sets), 2) if len({*a} & {*b}) == 2}
    assert set(cavalcade.MoveGraph.of("johnson:7,3").pairs()) == expected
    assert cavalcade.MoveGraph.of("johnson:5,5").edge_count == 0


def test_the_graph_of_hanoi_has_the_legal_moves() -> None:
    """A disc moves if no smaller disc is on its peg or on the other."""
    vertices = list(product(range(3), repeat=4))  # the largest disc first
    expected = set()
    for (i, a), (j, b) in combinations(enumerate(vertices), 2):
        moved = [disc for disc in range(4) if a[disc] != b[disc]]
        if len(moved) == 1 and not {*a[moved[0] + 1 :]} & {a[moved[0]], b[moved[0]]}:
            expected.add((i, j))
    assert set(cavalcade.MoveGraph.of("hanoi:4").pairs()) == expected
    assert len(expected) == 3 * (3**4 - 1) // 2


def test_a_large_kneser_graph() -> None:
    graph = cavalcade.MoveGraph.of("kneser:15,7")
    assert (graph.size, set(graph.degrees.tolist())) == (6435, {8})


@pytest.mark.parametrize(
    "name",
    [
        "hypercube:60",
        "star:99",
        "hanoi:60",
        "johnson:999,99",
        "complete:999999",
        "kneser:999999,999",
        "grid:99999x99999",
    ],
)
def test_graphs_beyond_memory_are_refused(name: str) -> None:
    with pytest.raises(cavalcade.CavalcadeError, match="needs about"):
        cavalcade.MoveGraph.of(name)


def test_no_graph_has_the_name_of_a_family_of_boards() -> None:
    assert not GRAPHS.keys() & FAMILIES.keys()
