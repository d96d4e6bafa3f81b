"""A path that absorbs the cycles of a cover, on undirected graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import cavalcade
from cavalcade.find.adjacency import adjacency
from cavalcade.find.cycle_cover import cycle_cover
from cavalcade.find.directed import tour_by_path
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Tier
from cavalcade.question.graph import MoveGraph

if TYPE_CHECKING:
    from numpy.typing import NDArray


def random_graph(n: int, seed: int) -> MoveGraph:
    """Return a random Hamiltonian graph of average degree 17."""
    rng = np.random.default_rng(seed)
    edges = rng.integers(0, n, (17 * n // 2, 2))
    around = np.stack([np.arange(n), np.roll(np.arange(n), 1)], axis=1)
    edges = np.concatenate([edges[edges[:, 0] != edges[:, 1]], around])
    return MoveGraph.from_edges(np.unique(np.sort(edges, axis=1), axis=0), n)


def grown(graph: MoveGraph, cover: NDArray[np.int32], *, compiled: bool) -> list[int]:
    tier = Tier(0, compiled=compiled)
    rows = adjacency(tier, graph.indptr, graph.indices)
    cells: list[int] = tour_by_path(tier, rows, rows, tier.vector(cover.copy()), 1, Budget()).tolist()
    return cells


def is_cycle(graph: MoveGraph, cells: list[int]) -> bool:
    neighbours = [set(graph.neighbours(v).tolist()) for v in range(graph.size)]
    return sorted(cells) == list(range(graph.size)) and all(
        b in neighbours[a] for a, b in zip(cells, [*cells[1:], cells[0]], strict=True)
    )


@pytest.mark.parametrize("seed", range(5))
def test_random_graphs(seed: int) -> None:
    graph = random_graph(300, seed)
    cover = cycle_cover(graph.indptr, graph.indices)
    cells = grown(graph, cover, compiled=True)
    assert is_cycle(graph, cells)
    assert cells == grown(graph, cover, compiled=False)


def test_a_graph_without_a_tour_is_given_up() -> None:
    """Two complete graphs with one vertex in common."""
    ends = [(a, b) for part in (range(5), range(4, 9)) for a in part for b in part if a < b]
    graph = MoveGraph.from_edges(ends, 9)
    cover = np.array([1, 0, 3, 2, 5, 6, 4, 8, 7], dtype=np.int32)
    assert not grown(graph, cover, compiled=True)


def test_a_large_random_graph_is_found() -> None:
    graph = random_graph(5_000, 1)
    verdict = cavalcade.tour(graph, time_limit=60)
    assert isinstance(verdict, cavalcade.Found)
    assert is_cycle(graph, verdict.tour.cells.tolist())
