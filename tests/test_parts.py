"""Searches in graphs agree with SciPy's, in both tiers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, shortest_path

from cavalcade.ground.kernels import Tier
from cavalcade.question import parts
from cavalcade.question.graph import MoveGraph


@pytest.mark.parametrize("compiled", [False, True])
def test_random_digraphs(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001 - parametrized
    monkeypatch.setattr(Tier, "warm", compiled)
    draw = np.random.default_rng(7)
    for _ in range(300):
        n = int(draw.integers(1, 30))
        tails, heads = draw.integers(0, n, (2, int(draw.integers(0, 60)))).astype(np.int32)
        rows = parts.rows_from(n, tails, heads)
        matrix = csr_array((np.ones(len(tails)), (tails, heads)), shape=(n, n))
        for ours, kind in ((parts.components, "weak"), (parts.strong_components, "strong")):
            count, label = ours(rows)
            expected, theirs = connected_components(matrix, connection=kind)
            assert count == expected
            assert len({*zip(label.tolist(), theirs.tolist(), strict=True)}) == count
        far = shortest_path(matrix, unweighted=True, indices=[0])[0]
        order, above, steps = parts.broad(rows, 0)
        assert np.array_equal(np.where(steps < 0, np.inf, steps), far)
        assert (np.diff(steps[order]) >= 0).all()
        deep, tree = parts.deep(rows)
        for visited, parents_of in ((order, above), (deep, tree)):
            assert {*visited.tolist()} == {*np.flatnonzero(np.isfinite(far)).tolist()}
            place = {cell: i for i, cell in enumerate(visited.tolist())}
            for cell in visited[1:].tolist():
                assert place[int(parents_of[cell])] < place[cell]
                assert matrix[parents_of[cell], cell]


def test_parts_are_numbered_by_their_first_vertices() -> None:
    rows = parts.rows_from(6, np.array([5, 4, 3], dtype=np.int32), np.array([1, 2, 0], dtype=np.int32))
    count, label = parts.components(rows)
    assert (count, label.tolist()) == (3, [0, 1, 2, 0, 2, 1])
    assert [rows.T.indices.tolist(), rows.T.indptr.tolist()] == [[3, 5, 4], [0, 1, 2, 3, 3, 3, 3]]


@pytest.mark.parametrize("compiled", [False, True])
def test_sides_are_the_parts_of_the_double_cover(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001 - parametrized
    """Sides have the numbers of SciPy; colours exist unless a part has both sides of a vertex."""
    monkeypatch.setattr(Tier, "warm", compiled)
    draw = np.random.default_rng(8)
    coloured = 0
    for _ in range(400):
        n = int(draw.integers(3, 20))
        ends = draw.integers(0, n, (int(draw.integers(0, 25)), 2))
        if draw.integers(2):  # make the graph bipartite
            ends = ends[(ends.sum(axis=1) % 2 == 1)]
        edges = np.unique(np.sort(ends[ends[:, 0] != ends[:, 1]], axis=1), axis=0)
        one_way = bool(draw.integers(5) == 0)
        graph = MoveGraph.from_edges(edges, n, directed=one_way)
        a, b = (edges if one_way else np.concatenate([edges, edges[:, ::-1]])).T
        cover = csr_array((np.ones(len(a)), (a, n + b)), shape=(2 * n, 2 * n))
        count, label = connected_components(cover, directed=False)
        number_of_sides, side = parts.sides(graph)
        assert (number_of_sides, side.ravel().tolist()) == (count, label.tolist())
        if one_way:
            continue
        if (black := parts.two_colours(graph)) is not None:
            coloured += 1
            assert (black[a] != black[b]).all()
        assert (black is None) == bool((label[:n] == label[n:]).any())
    assert 100 < coloured < 300
