"""Graphs of other libraries and files: conversion, verdicts, and tours in the nodes of the caller.

The oracles are a plain search that shares no code with the package, and the numbers of Hamiltonian graphs on
n vertices, OEIS A003216.
"""

from __future__ import annotations

import doctest
import random
import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import igraph
import networkx as nx
import numpy as np
import pytest
import rustworkx as rx
import scipy.sparse as sp

import cavalcade
from cavalcade.ground.errors import CavalcadeError
from examples import renewed, timeless

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conftest import Ran

F: Any = cavalcade  # arguments are checked at run time, not by mypy
Edge = tuple[int, int]
DATA = Path(__file__).parent / "data"
HAMILTONIAN = (1, 0, 1, 3, 8, 48, 383, 6196)  # A003216: Hamiltonian connected graphs on 1, 2, … vertices


# ---- a plain search


class GraphQuestion(NamedTuple):
    """A question about a small graph whose nodes are 0 … n - 1."""

    n: int
    edges: set[Edge]
    required: set[Edge]
    forbidden: set[Edge]
    closed: bool = True
    start: int | None = None
    end: int | None = None
    directed: bool = False


def paths(question: GraphQuestion) -> Iterator[list[int]]:
    """Yield the Hamiltonian paths, from `start` if it is given, or from 0 for closed tours."""
    usable = question.edges - question.forbidden
    ways: list[list[int]] = [[] for _ in range(question.n)]
    for a, b in sorted(usable):
        ways[a].append(b)
        if not question.directed:
            ways[b].append(a)

    def onward(path: list[int], unvisited: set[int]) -> Iterator[list[int]]:
        if not unvisited:
            yield path
        for b in ways[path[-1]]:
            if b in unvisited:
                yield from onward([*path, b], unvisited - {b})

    starts = [0] if question.closed else range(question.n) if question.start is None else [question.start]
    for start in starts:
        yield from onward([start], set(range(question.n)) - {start})


def fits(question: GraphQuestion, path: list[int]) -> bool:
    """Return whether a list of nodes is a tour that satisfies the question."""
    steps = [*pairwise(path), *([(path[-1], path[0])] if question.closed and question.n > 1 else [])]
    made = {(a, b) if question.directed else (min(a, b), max(a, b)) for a, b in steps}
    return (
        sorted(path) == list(range(question.n))
        and (not question.closed or question.n != 2 or question.directed)
        and made <= question.edges - question.forbidden
        and made >= question.required
        and question.start in {None, path[0]}
        and question.end in {None, path[-1]}
    )


def agrees(question: GraphQuestion, verdict: Any) -> bool:
    """Return whether a verdict is right: its tour fits, or its proof holds and no tour fits."""
    if verdict.status == "found":
        return fits(question, verdict.tour.nodes) and bool(cavalcade.check(verdict.tour))
    assert verdict.status == "impossible"
    checked = verdict.certificate is not None and bool(cavalcade.verify(verdict.certificate))
    return checked and not any(fits(question, path) for path in paths(question))


def decided(question: GraphQuestion) -> Any:
    """Return the verdict of the package."""
    graph = cavalcade.MoveGraph.from_edges(sorted(question.edges), question.n, directed=question.directed)
    constraints = {"required": question.required, "forbidden": question.forbidden}
    if question.closed:
        return F.hamiltonian_cycle(graph, **constraints)
    return F.hamiltonian_path(graph, start=question.start, end=question.end, **constraints)


def random_question(seed: int) -> GraphQuestion:
    """Return a random question with required and forbidden edges."""
    die = random.Random(seed)
    n = die.randint(5, 9)
    share = die.choice((0.3, 0.5, 0.5, 0.7, 0.9))
    edges = [(a, b) for b in range(n) for a in range(b) if die.random() < share]
    odd = die.sample(edges, min(len(edges), die.choice((0, 1, 2, 3, 5))))
    cut = die.randint(0, len(odd))
    start, end = (
        (die.sample(range(n), 2) if die.random() < 0.6 else (None, None)) if seed % 2 else (None, None)
    )
    end = None if die.random() < 0.3 else end
    return GraphQuestion(n, set(edges), set(odd[:cut]), set(odd[cut:]), seed % 2 == 0, start, end)


def test_random_graphs_with_required_and_forbidden_edges() -> None:
    statuses = []
    for question in map(random_question, range(200)):
        verdict = decided(question)
        assert agrees(question, verdict), question
        statuses.append(verdict.status)
    assert min(map(statuses.count, ("found", "impossible"))) > 40


@pytest.mark.slow
def test_ten_thousand_random_graphs() -> None:
    for seed in range(10_000):
        question = random_question(seed)
        assert agrees(question, decided(question)), question


@pytest.mark.slow
def test_every_directed_graph_on_four_nodes() -> None:
    arcs = [(a, b) for a in range(4) for b in range(4) if a != b]
    for code in range(1 << len(arcs)):
        edges = {arc for i, arc in enumerate(arcs) if code >> i & 1}
        for closed in (True, False):
            question = GraphQuestion(4, edges, set(), set(), closed, directed=True)
            assert agrees(question, decided(question)), question


# ---- all small graphs


def test_all_connected_graphs_up_to_seven_vertices() -> None:
    atlas = [graph for graph in nx.graph_atlas_g()[1:] if nx.is_connected(graph)]
    hamiltonian_counts = [0] * 7
    for graph in atlas:
        n = len(graph)
        question = GraphQuestion(n, {(min(e), max(e)) for e in graph.edges}, set(), set())
        verdict = F.hamiltonian_cycle(graph)
        assert agrees(question, verdict) or n == 1
        hamiltonian_counts[n - 1] += verdict.status == "found"
    assert tuple(hamiltonian_counts) == HAMILTONIAN[:7]


@pytest.mark.slow
def test_all_connected_graphs_on_eight_vertices(cli: Callable[..., Ran]) -> None:
    """`geng -c 8` wrote the file, which contains 11,117 different graphs."""
    ran = cli("tour", DATA / "connected8.g6")
    answers = [line.split("\t") for line in ran.out.splitlines()]
    assert len({graph for graph, _, _ in answers}) == 11_117
    assert [status for _, status, _ in answers].count("found") == HAMILTONIAN[7]
    for line, status, detail in answers:
        graph = nx.from_graph6_bytes(line.encode())
        question = GraphQuestion(8, {(min(e), max(e)) for e in graph.edges}, set(), set())
        if status == "found":
            assert fits(question, list(map(int, detail.split())))
        else:
            assert not any(fits(question, path) for path in paths(question)), line


# ---- objects of other libraries

PRISM = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)]
NAMES: list[Any] = [1, "1", (2, 3), frozenset({4}), 5.5, "six"]


def prism_with_odd_nodes(kind: Any) -> Any:
    """Return the prism in networkx with unusual nodes, every edge twice, and loops."""
    graph = kind([(NAMES[a], NAMES[b]) for a, b in PRISM + PRISM])
    graph.add_edges_from((node, node) for node in NAMES[:3])
    return graph


def prism_after_removal() -> Any:
    """Return the prism in rustworkx after the removal of a node."""
    graph = rx.PyGraph()
    graph.add_nodes_from(["gone", *NAMES])
    graph.remove_node(0)
    graph.add_edges_from_no_data([(a + 1, b + 1) for a, b in PRISM])
    return graph


def matrix(kind: Any) -> Any:
    """Return the prism as a sparse matrix with entries on the diagonal."""
    dense = np.diag([1, 0, 0, 2, 0, 0])
    for a, b in PRISM:
        dense[a, b] = dense[b, a] = 7
    return kind(dense)


class Frame:
    """The common interface of data frames of pandas and polars."""

    def __init__(self, **columns: list[Any]) -> None:
        self.columns, self._data = list(columns), columns
        self.shape = (len(next(iter(columns.values()))), len(columns))

    def __getitem__(self, name: str) -> Iterator[Any]:
        return iter(self._data[name])


def neighbours(edges: list[Edge], nodes: list[Any], *, one_way: bool = False) -> dict[Any, list[Any]]:
    """Return a dict from each node to its neighbours."""
    arcs = [*edges, *(() if one_way else ((b, a) for a, b in edges))]
    return {node: [nodes[b] for a, b in arcs if a == i] for i, node in enumerate(nodes)}


OBJECTS: dict[str, tuple[Callable[[], Any], list[Any]]] = {
    "networkx Graph": (lambda: prism_with_odd_nodes(nx.Graph), NAMES),
    "networkx MultiGraph": (lambda: prism_with_odd_nodes(nx.MultiGraph), NAMES),
    "rustworkx PyGraph": (prism_after_removal, list(range(1, 7))),
    "igraph Graph": (lambda: igraph.Graph(PRISM + PRISM[:3]), list(range(6))),
    "csr_array": (lambda: matrix(sp.csr_array), list(range(6))),
    "coo_matrix": (lambda: matrix(sp.coo_matrix), list(range(6))),
    "lil_array": (lambda: matrix(sp.lil_array), list(range(6))),
    "edge array": (lambda: np.array(PRISM, dtype=np.uint8), list(range(6))),
    "list of pairs": (lambda: [(NAMES[a], NAMES[b]) for a, b in PRISM], NAMES),
    "generator of pairs": (lambda: ((NAMES[a], NAMES[b]) for a, b in PRISM), NAMES),
    "dict of lists": (lambda: neighbours(PRISM, NAMES), NAMES),
    "dict of dicts": (lambda: nx.to_dict_of_dicts(nx.Graph(PRISM)), list(range(6))),
    "matrix of lists": (lambda: nx.to_numpy_array(nx.Graph(PRISM), dtype=int).tolist(), list(range(6))),
    "dense array": (lambda: nx.to_numpy_array(nx.Graph(PRISM)), list(range(6))),
    "frame": (lambda: Frame(u=[NAMES[a] for a, _ in PRISM], v=[NAMES[b] for _, b in PRISM]), NAMES),
    "MoveGraph": (lambda: cavalcade.MoveGraph.from_edges(PRISM), list(range(6))),
    "MoveGraph with labels": (lambda: cavalcade.MoveGraph.from_edges(PRISM, labels=NAMES), NAMES),
}


@pytest.mark.parametrize("kind", OBJECTS)
def test_nodes_of_tours_are_the_nodes_of_the_caller(kind: str) -> None:
    made, nodes = OBJECTS[kind]
    n = nodes
    tour = F.hamiltonian_cycle(made()).tour
    assert [(type(node), node) for node in tour.nodes] == [(type(n[i]), n[i]) for i in tour.cells]
    assert set(tour.nodes) == set(nodes)
    edges = {frozenset((n[a], n[b])) for a, b in PRISM}
    assert edges > {frozenset(edge) for edge in pairwise([*tour.nodes, tour.nodes[0]])}
    required, forbidden = [(n[2], n[0])], [(n[3], n[0])]
    path = F.hamiltonian_path(made(), start=n[1], end=n[3], required=required, forbidden=forbidden).tour
    assert path.nodes == [n[1], n[0], n[2], n[5], n[4], n[3]]  # the only path
    verdict = F.hamiltonian_cycle(made(), required=[(n[0], n[3]), (n[1], n[4]), (n[2], n[5])])
    assert verdict.status == "impossible"  # a cycle crosses three edges an even number of times
    assert cavalcade.verify(verdict.certificate).ok
    with pytest.raises(CavalcadeError, match="'nowhere' is not a node"):
        F.hamiltonian_path(made(), start="nowhere")


def test_proofs_use_the_node_names_of_the_caller() -> None:
    star = nx.Graph([(10, "10"), (10, 20), (10, 30)])
    assert F.hamiltonian_cycle(star).reason.startswith("'10' is joined only to 10")
    assert F.hamiltonian_cycle(np.array([(0, 1), (0, 2), (0, 3)])).reason.startswith("1 is joined only to 0")
    claw = cavalcade.MoveGraph.from_edges([(0, 1), (0, 2), (0, 3)])
    assert F.hamiltonian_cycle(claw).reason.startswith("1 is joined only to 0")
    assert F.hamiltonian_path(star, start=10).status == "impossible"
    claim = F.hamiltonian_path(star, start="10", end=20).certificate.claim
    assert claim.startswith("no open tour of graph:")
    assert claim.endswith(""" from "'10'" to 20""")


def test_zero_one_and_two_nodes() -> None:
    nothing: tuple[Any, ...] = (
        nx.Graph(), rx.PyGraph(), igraph.Graph(), sp.csr_array((0, 0)), np.zeros((0, 2), dtype=int),
    )  # fmt: skip
    for graph in nothing:
        with pytest.raises(CavalcadeError, match="without vertices"):
            F.hamiltonian_cycle(graph)
    single = nx.Graph([("a", "a")])
    assert F.hamiltonian_cycle(single).tour.nodes == F.hamiltonian_path(single).tour.nodes == ["a"]
    pair = nx.MultiGraph([(1, 2), (1, 2)])
    assert F.hamiltonian_cycle(pair).status == "impossible"
    assert F.hamiltonian_path(pair, start=2).tour.nodes == [2, 1]


DIRECTED: dict[str, Callable[[list[Edge]], Any]] = {
    "networkx": nx.DiGraph,
    "networkx, several": nx.MultiDiGraph,
    "igraph": lambda arcs: igraph.Graph(arcs, directed=True),
    "matrix": lambda arcs: sp.csr_array((np.ones(len(arcs)), np.array(arcs).T), shape=(5, 5)),
    "MoveGraph": lambda arcs: cavalcade.MoveGraph.from_edges(arcs, directed=True),
    "rustworkx": lambda arcs: two_lines(rx.PyDiGraph(), arcs),
}
RING = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (1, 0)]


def two_lines(graph: Any, arcs: list[Edge]) -> Any:
    """Add edges to a graph of rustworkx and return it."""
    graph.extend_from_edge_list(arcs)
    return graph


UNDIRECTED_DATA: dict[str, Callable[[list[Edge]], Any]] = {
    "pairs": lambda arcs: arcs,
    "array": np.array,
    "dict": lambda arcs: neighbours(arcs, list(range(5)), one_way=True),
    "dense matrix": lambda arcs: nx.to_numpy_array(nx.DiGraph(arcs), dtype=int),
    "sparse matrix": DIRECTED["matrix"],
    "frame": lambda arcs: Frame(u=[a for a, _ in arcs], v=[b for _, b in arcs]),
}


@pytest.mark.parametrize("kind", UNDIRECTED_DATA)
def test_ambiguous_data_needs_directed(kind: str) -> None:
    made = UNDIRECTED_DATA[kind](RING)
    one_way, undirected = (cavalcade.MoveGraph.of(made, directed=directed) for directed in (True, False))
    assert {(one_way.nodes[a], one_way.nodes[b]) for a, b in one_way.pairs()} == {*RING}
    assert {frozenset((undirected.nodes[a], undirected.nodes[b])) for a, b in undirected.pairs()} == {
        *map(frozenset, RING)
    }
    assert F.hamiltonian_path(made, start=1, end=2, directed=True).status == "impossible"
    assert F.hamiltonian_path(made, start=1, end=2, directed=False).status == "found"


@pytest.mark.parametrize("kind", DIRECTED)
def test_directions_are_kept(kind: str) -> None:
    from cavalcade.question.graph import board_or_graph

    graph = board_or_graph(DIRECTED[kind](RING))
    assert isinstance(graph, cavalcade.MoveGraph)
    assert graph.directed
    assert sorted(map(tuple, graph.edges().tolist())) == sorted(RING)


@pytest.mark.parametrize("kind", DIRECTED)
def test_directed_graphs_are_decided(kind: str) -> None:
    tour = F.hamiltonian_cycle(DIRECTED[kind](RING)).tour
    position = tour.nodes.index(0)
    assert tour.nodes[position:] + tour.nodes[:position] == [0, 1, 2, 3, 4]
    assert F.hamiltonian_path(DIRECTED[kind](RING), start=1, end=2).status == "impossible"
    assert F.hamiltonian_cycle(DIRECTED[kind]([*RING[:4], (0, 4)])).status == "impossible"


def test_two_nodes_joined_both_ways_are_a_directed_cycle() -> None:
    assert set(F.hamiltonian_cycle(nx.DiGraph([("a", "b"), ("b", "a")])).tour.nodes) == {"a", "b"}
    assert F.hamiltonian_cycle(nx.DiGraph([("a", "b")])).status == "impossible"


NONSENSE: dict[str, Callable[[], object]] = {
    "a board": lambda: F.hamiltonian_cycle("8x8"),
    "a number": lambda: F.hamiltonian_cycle(7),
    "a matrix of floats": lambda: F.hamiltonian_cycle(np.eye(2)),
    "a matrix of weights": lambda: F.hamiltonian_cycle(7 * np.ones((5, 5), dtype=int)),
    "a matrix or two edges": lambda: F.hamiltonian_cycle([[1, 0], [0, 1]]),
    "half a matrix": lambda: F.hamiltonian_cycle([[0, 1, 1], [0, 0, 1], [0, 0, 0]]),
    "half a dict": lambda: F.hamiltonian_cycle({1: [2, 3], 2: [3]}),
    "neighbours or pairs": lambda: F.hamiltonian_cycle([[1, 3], [0, 2], [1, 3], [0, 2]]),
    "numbers from 1 in an array": lambda: F.hamiltonian_cycle(np.array([(1, 2), (2, 3), (3, 1)])),
    "a set": lambda: F.tour({8, 9}),
    "edges with weights": lambda: F.hamiltonian_cycle([(0, 1, 5), (1, 2, 5), (2, 0, 5)]),
    "words": lambda: F.hamiltonian_cycle(["ab", "bc", "ca"]),
    "neighbours in a word": lambda: F.hamiltonian_cycle({"a": "bc", "b": "ac", "c": "ab"}),
    "a list as an end": lambda: F.hamiltonian_cycle([([0], 1)]),
    "a frame of three columns": lambda: F.hamiltonian_cycle(Frame(a=[0], b=[1], c=[2])),
    "a frame with a gap": lambda: F.hamiltonian_cycle(Frame(a=[0, 1], b=[1, float("nan")])),
    "directions against the graph": lambda: F.hamiltonian_cycle(nx.cycle_graph(4), directed=True),
    "a directed board": lambda: F.hamiltonian_cycle("8x8", directed=True),
    "a matrix that is not square": lambda: F.hamiltonian_cycle(sp.csr_array((3, 4))),
    "negative nodes": lambda: F.hamiltonian_cycle(np.array([(0, -1)])),
    "too many nodes": lambda: F.hamiltonian_cycle(np.array([(0, 10**15)])),
    "an edge that is none": lambda: F.hamiltonian_cycle(nx.path_graph(4), required=[(0, 2)]),
    "an edge of three nodes": lambda: F.hamiltonian_cycle(nx.path_graph(4), required=[(0, 1, 2)]),
    "edges that are none": lambda: F.hamiltonian_cycle(nx.path_graph(4), forbidden=7),
    "a list as a node": lambda: F.hamiltonian_path(nx.path_graph(4), start=[0]),
    "one node twice": lambda: F.hamiltonian_path(nx.path_graph(4), start=1, end=1),
    "an edge both required and forbidden": lambda: F.hamiltonian_cycle(
        nx.cycle_graph(4), required=[(0, 1)], forbidden=[(1, 0)]
    ),
}


@pytest.mark.parametrize("case", NONSENSE)
def test_nonsense_is_refused(case: str) -> None:
    with pytest.raises(CavalcadeError) as raised:
        NONSENSE[case]()
    assert "\n" not in str(raised.value)


# ---- the page

PAGE = Path(__file__).parent.parent / "docs" / "graphs.md"


def test_the_commands_of_the_page_print_its_output() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert timeless(renewed(page)) == timeless(page)


def test_the_python_of_the_page_prints_its_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```pycon\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    session = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, PAGE.name, str(PAGE), 0)
    failed, tried = doctest.DocTestRunner(verbose=False).run(session)
    assert (failed, tried > 30) == (0, True)
