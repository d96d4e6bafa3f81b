"""Searches in graphs agree with SciPy's, in both tiers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, shortest_path

from cavalcade.ground.kernels import Tier
from cavalcade.question import parts


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
        for found, before in ((order, above), (deep, tree)):
            assert {*found.tolist()} == {*np.flatnonzero(np.isfinite(far)).tolist()}
            place = {cell: i for i, cell in enumerate(found.tolist())}
            for cell in found[1:].tolist():
                assert place[int(before[cell])] < place[cell]
                assert matrix[before[cell], cell]


def test_parts_are_numbered_by_their_first_vertices() -> None:
    rows = parts.rows_from(6, np.array([5, 4, 3], dtype=np.int32), np.array([1, 2, 0], dtype=np.int32))
    count, label = parts.components(rows)
    assert (count, label.tolist()) == (3, [0, 1, 2, 0, 2, 1])
    assert [rows.T.indices.tolist(), rows.T.indptr.tolist()] == [[3, 5, 4], [0, 1, 2, 3, 3, 3, 3]]
