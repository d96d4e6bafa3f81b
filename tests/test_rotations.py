"""Rotations: a path that takes in the cycles of a cover."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import cavalcade
from cavalcade.cycles.walking import Links
from cavalcade.find.cycle_cover import Adjacency, cycle_cover
from cavalcade.find.rotations import tour_by_rotations
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Tier
from cavalcade.question.graph import MoveGraph

if TYPE_CHECKING:
    from numpy.typing import NDArray


def random_graph(n: int, seed: int) -> MoveGraph:
    """A random graph with 17 edges at a vertex, on average, and at least two."""
    rng = np.random.default_rng(seed)
    edges = rng.integers(0, n, (17 * n // 2, 2))
    around = np.stack([np.arange(n), np.roll(np.arange(n), 1)], axis=1)
    edges = np.concatenate([edges[edges[:, 0] != edges[:, 1]], around])
    return MoveGraph.from_edges(np.unique(np.sort(edges, axis=1), axis=0), n)


def rotated(graph: MoveGraph, cover: NDArray[np.int32], *, compiled: bool) -> list[int] | None:
    tier = Tier(0, compiled=compiled)
    rows = Adjacency(tier.vector(graph.indptr), tier.vector(graph.indices))
    links = Links(*(tier.vector(np.ascontiguousarray(side)) for side in cover.T))
    found = tour_by_rotations(tier, rows, links, 1, Budget())
    return None if found is None else found.tolist()


def is_cycle(graph: MoveGraph, cells: list[int]) -> bool:
    near = [set(graph.neighbours(v).tolist()) for v in range(graph.size)]
    return sorted(cells) == list(range(graph.size)) and all(
        b in near[a] for a, b in zip(cells, [*cells[1:], cells[0]], strict=True)
    )


@pytest.mark.parametrize("seed", range(5))
def test_random_graphs(seed: int) -> None:
    graph = random_graph(300, seed)
    after = cycle_cover(graph.indptr, graph.indices)
    cover = np.stack([np.argsort(after), after], axis=1).astype(np.int32)
    cells = rotated(graph, cover, compiled=True)
    assert cells is not None
    assert is_cycle(graph, cells)
    assert cells == rotated(graph, cover, compiled=False)


def test_a_graph_without_a_tour_is_given_up() -> None:
    """Two complete graphs with one vertex in common."""
    ends = [(a, b) for part in (range(5), range(4, 9)) for a in part for b in part if a < b]
    graph = MoveGraph.from_edges(ends, 9)
    cover = np.array([(1, 1), (0, 0), (3, 3), (2, 2), (5, 6), (4, 6), (5, 4), (8, 8), (7, 7)], dtype=np.int32)
    assert rotated(graph, cover, compiled=True) is None


def test_a_large_random_graph_is_found() -> None:
    graph = random_graph(5_000, 1)
    verdict = cavalcade.tour(graph, time_limit=60)
    assert isinstance(verdict, cavalcade.Found)
    assert is_cycle(graph, verdict.tour.cells.tolist())
