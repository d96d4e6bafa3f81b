"""Many small graphs at once: every graph of up to seven vertices, and the checker of whole arrays."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest

import cavalcade
from cavalcade.ask.many import answers
from cavalcade.checking.many import are_cuts, are_cycles, are_tables, have_low_degrees
from cavalcade.find.many import CUT, DEGREE, FOUND, LEFT, SUBSETS, tables
from cavalcade.ground.kernels import Tier
from cavalcade.question.graph import MoveGraph
from oracles import every_tour

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from conftest import Ran

F: Any = cavalcade


def by_size(graphs: list[Any]) -> Iterator[tuple[list[Any], NDArray[np.uint8]]]:
    """Group graphs of at least three vertices by size, and yield them with their matrices."""
    for n, group in groupby(sorted(graphs, key=len), len):
        if n >= 3:
            graphs_of_size = list(group)
            yield (
                graphs_of_size,
                np.array([nx.to_numpy_array(graph, dtype=np.uint8) for graph in graphs_of_size]),
            )


def matrix(graph: Any) -> NDArray[np.uint8]:
    return np.array([nx.to_numpy_array(graph, nodelist=sorted(graph), dtype=np.uint8)])


@pytest.mark.parametrize("open_", [False, True])
def test_all_graphs_on_seven_vertices(*, open_: bool) -> None:
    """Compare all graphs of Read and Wilson's atlas with a search of all paths."""
    seen = set()
    for graphs, matrices in by_size(nx.graph_atlas_g()):
        kinds, places = answers(matrices, open_=open_, compiled=False)
        for graph, kind, cells in zip(graphs, kinds.tolist(), places.tolist(), strict=True):
            edges = list(graph.edges)
            tours = set(every_tour(MoveGraph.from_edges(edges, len(graph)), closed=not open_))
            assert (kind == FOUND) == bool(tours), edges
            if tours:
                assert sorted(cells) == list(range(len(graph)))
                assert nx.is_path(graph, cells if open_ else [*cells, cells[0]])
            seen.add(kind)
        for repeated in (answers(matrices, open_=open_, compiled=True), one_at_a_time(matrices, open_=open_)):
            assert np.array_equal(repeated[0], kinds)
            assert np.array_equal(repeated[1], places)
    assert seen == {FOUND, DEGREE, CUT, SUBSETS}


def one_at_a_time(matrices: NDArray[np.uint8], *, open_: bool) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Answer each graph in a separate call."""
    one_by_one = [answers(matrices[i : i + 1], open_=open_, compiled=False) for i in range(len(matrices))]
    return np.concatenate([answer.kinds for answer in one_by_one]), np.concatenate(
        [answer.places for answer in one_by_one]
    )


def test_larger_graphs_agree_with_the_portfolio() -> None:
    random = np.random.default_rng(7)
    undecided = 0
    for n in (8, 11, 16, 17, 24, 40, 62):
        for seed in range(12):
            shares = (0.05, 2.5 / n, 3.5 / n, 0.4)
            graph = nx.gnp_random_graph(n, shares[seed % 4], seed=int(random.integers(2**31)))
            if seed % 4 == 1 and n % 2 == 0:
                graph = nx.random_regular_graph(3, n, seed=seed)
            kind = int(answers(matrix(graph)).kinds[0])
            undecided += kind == LEFT
            if kind != LEFT:
                assert (kind == FOUND) == (F.hamiltonian_cycle(graph).status == "found")
    assert undecided < 10


@pytest.mark.parametrize(
    ("graph", "kind"),
    [
        (nx.petersen_graph(), SUBSETS),
        (nx.star_graph(3), DEGREE),
        (nx.complete_bipartite_graph(3, 4), CUT),
        (nx.empty_graph(5), DEGREE),
        (nx.disjoint_union(nx.complete_graph(4), nx.complete_graph(5)), CUT),
        (nx.barbell_graph(4, 1), CUT),
        (nx.dodecahedral_graph(), FOUND),
        (nx.tutte_graph(), LEFT),  # planar, cubic, 46 vertices (Tutte 1946): left to the portfolio
        (nx.hypercube_graph(4), FOUND),
    ],
)
def test_well_known_graphs(graph: Any, kind: int) -> None:
    assert answers(matrix(graph)).kinds.tolist() == [kind]


def test_wrong_answers_are_refused() -> None:
    petersen, ring = matrix(nx.petersen_graph()), matrix(nx.cycle_graph(5))
    assert are_cycles(ring, np.array([[0, 1, 2, 3, 4]])).tolist() == [True]
    for wrong in ([0, 1, 2, 4, 3], [0, 1, 2, 1, 0], [0, 1, 2, 3, 5], [0, 1, 2, 3, -1]):
        assert not are_cycles(ring, np.array([wrong])).any()
    assert not have_low_degrees(ring).any()
    bowtie = matrix(nx.Graph([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)]))
    assert are_cuts(bowtie, np.array([[1, 1, 0, 2, 2]])).tolist() == [True]
    for wrong in (
        [1, 1, 0, 1, 1],
        [1, 3, 0, 2, 2],
        [1, 1, 0, 2, 3],
        [1, 1, 3, 2, 2],
        [0, 1, 0, 2, 2],
        [1] * 5,
    ):
        assert not are_cuts(bowtie, np.array([wrong])).any(), wrong
    right = tables(petersen, Tier(0, compiled=False))
    assert are_tables(petersen, right).all()
    held = [(s, v) for s in range(1, 2**9) for v in range(9) if right[0, s] >> v & 1]
    assert len(held) > 200
    for s, v in held:
        right[0, s] ^= 1 << v
        assert not are_tables(petersen, right).any(), (s, v)
        right[0, s] ^= 1 << v
    assert not are_tables(ring, tables(ring, Tier(0, compiled=False))).any()


def test_blocks_give_the_answers_of_single_lines(cli: Callable[..., Ran], tmp_path: Path) -> None:
    file, options = tmp_path / "some.g6", ((), ("--open",), ("--pick", "impossible"), ("--pick", "found"))
    graphs = [nx.gnp_random_graph(5 + seed % 6, 0.5, seed=seed) for seed in range(60)]
    lines = [nx.to_graph6_bytes(graph, header=False).decode() for graph in [*graphs, nx.petersen_graph()]]
    for words in options:
        file.write_text("".join(lines))
        output = cli("tour", file, *words).out
        answers_of_lines = []
        for line in lines:
            file.write_text(line)
            answers_of_lines.append(cli("tour", file, *words).out)
        assert output == "".join(answers_of_lines)
        assert output
    file.write_text("\n".join([lines[0].strip(), "", nx.to_sparse6_bytes(graphs[1], header=False).decode()]))
    assert [line.split("\t")[1] for line in cli("tour", file).out.splitlines()] == [
        F.tour(MoveGraph.from_networkx(graph)).status for graph in graphs[:2]
    ]


def test_blocks_prove_in_words(cli: Callable[..., Ran], tmp_path: Path) -> None:
    """Each sentence states a property of the graph on its line, which networkx confirms."""
    file, seen = tmp_path / "some.g6", set()
    graphs = [nx.gnp_random_graph(4 + seed % 6, 0.35, seed=seed) for seed in range(150)]
    graphs += [nx.petersen_graph(), nx.empty_graph(5), nx.complete_bipartite_graph(3, 4)]
    file.write_text("".join(nx.to_graph6_bytes(graph, header=False).decode() for graph in graphs))
    for words in ((), ("--open",)):
        answered = [line.split("\t") for line in cli("tour", file, *words).out.splitlines()]
        proved = [line.split("\t") for line in cli("prove", file, *words).out.splitlines()]
        for graph, (line, status, kind), (same_line, verdict, reason) in zip(
            graphs, answered, proved, strict=True
        ):
            assert (line, status) == (same_line, verdict)
            if status == "found":
                continue
            assert reason.endswith(f"So there is no {'open' if words else 'closed'} tour.")
            if low_degree := re.search(r"(\d+) (?:has no edge|is joined only to ([\d*]+)),", reason):
                neighbours = {str(v) for v in graph[int(low_degree[1])]} | ({"*"} if words else set())
                assert neighbours == {low_degree[2]} - {None}, reason
            elif cut := re.match(r"Remove ([^.]*)\. The rest of the graph falls into (\d+) parts", reason):
                removed = {int(v) for v in re.findall(r"\d+", cut[1])}
                parts = nx.number_connected_components(graph.subgraph(set(graph) - removed))
                assert parts == int(cut[2]) > len(removed) + bool(words), reason
            elif parts := re.match(r"The graph falls into (\d+) parts", reason):
                assert nx.number_connected_components(graph) == int(parts[1]) > 1, reason
            else:
                assert kind == "subsets", reason
            seen.add(kind)
    assert seen == {"degree", "cut", "subsets"}
