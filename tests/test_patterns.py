"""States by degree patterns: comparison with tables of words and with plain changes of matchings."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cavalcade.ground.kernels import Tier
from cavalcade.question.graph import MoveGraph
from cavalcade.states import pattern_search, ranks
from cavalcade.states.encoding import new_scratch, unpack
from cavalcade.states.pattern_search import PatternSearch
from cavalcade.states.ranks import Change, mates_of, number_of, rank_of
from cavalcade.states.search import FrontierSearch
from cavalcade.states.transition import neighbours, stages

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

PLAIN = Tier(0, compiled=False)


def after(kind: int, mate: Sequence[int], i: int, j: int) -> int:
    """Return the rank of a matching after a change, computed from its pairs."""
    n = len(mate)
    pairs = [{a, b} for a, b in enumerate(mate) if a < b]
    order = list(range(n))
    if kind == Change.JOIN:
        if mate[i] == j:
            return -1
        pairs = [pair for pair in pairs if not pair & {i, j}] + [{mate[i], mate[j]}]
        order = [x for x in order if x not in {i, j}]
    elif kind == Change.MOVE:
        order.remove(i)
        order.insert(j, i)
    else:
        order.insert(i, n)
        order.insert(j, n + 1)
        pairs.append({n, n + 1})
    mate_of = {a: b for pair in pairs for a, b in itertools.permutations(pair)}
    places = {x: k for k, x in enumerate(order)}
    return rank_of([places[mate_of[x]] for x in order], [*range(len(order))], len(order), [0] * 40)


@pytest.mark.parametrize("n", [0, 2, 4, 6, 8])
def test_changes_of_ranks(n: int) -> None:
    all_mates = mates_of(np.arange(number_of(n)), n).tolist()
    assert len({tuple(mate) for mate in all_mates}) == number_of(n)
    for rank, mate in enumerate(all_mates):
        assert all(mate[mate[x]] == x != mate[x] for x in range(n))
        assert rank_of(mate, list(range(n)), n, [0] * 40) == rank
    sampled_ranks = range(0, number_of(n), 1 + n // 8 * 12)
    cases = [(Change.JOIN, i, j) for i, j in itertools.combinations(range(n), 2)]
    cases += [(Change.MOVE, i, j) for i, j in itertools.product(range(n), repeat=2)]
    cases += [(Change.INSERT, i, j) for i, j in itertools.combinations(range(n + 2), 2)]
    for kind, i, j in cases:
        table, code = ranks.table(kind, n, i, j), ranks.code_of(kind, n, i, j)
        for rank in sampled_ranks:
            expected = after(kind, all_mates[rank], i, j)
            assert table[rank] == expected
            assert ranks.changed(rank, code, [0] * 40, [0] * 40, [0] * 40) == expected
    turned = ranks.reversal(n)
    for rank in sampled_ranks:
        mate = [n - 1 - x for x in all_mates[rank][::-1]]
        assert all_mates[turned[rank]] == mate


def by_words(search: FrontierSearch) -> dict[tuple[tuple[int, int], ...], int]:
    """Return the states of a table of words: the mate of each vertex, itself if untouched, -1 if done."""
    frontier = search.stages[search.taken - 1].frontier
    counts = {}
    keys = search.table.layout.keys
    for record in search.table.compact().records.tolist():
        low, high = [*record[:keys], 0][:2]
        scratch = new_scratch(PLAIN)
        _, done = unpack(int(low), int(high), len(frontier), None, scratch)
        mates = [-1 if done >> i & 1 else frontier[scratch.mate[i]] for i in range(len(frontier))]
        state = tuple(sorted(zip(frontier, mates, strict=True)))
        counts[state] = sum(limb << 60 * i for i, limb in enumerate(record[keys:]))
    return counts


def by_patterns(search: PatternSearch) -> dict[tuple[tuple[int, int], ...], int]:
    """Return the states of a table of patterns in the same form."""
    frontier = search.stages[search.taken - 1].frontier
    counts_by_state = {}
    for mates, counts in search.table.blocks(len(frontier), 5):
        for row, count in zip(mates.tolist(), counts, strict=True):
            state = tuple((v, frontier[x] if x >= 0 else -1) for v, x in zip(frontier, row, strict=True))
            assert state not in counts_by_state
            counts_by_state[state] = count
    return counts_by_state


@st.composite
def graphs(draw: st.DrawFn) -> MoveGraph:
    """Draw a graph of at most 11 vertices, usually with a Hamiltonian cycle."""
    n = draw(st.integers(3, 11))
    around = [(i, (i + 1) % n) for i in range(n)] if draw(st.integers(0, 4)) else []
    pair = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
    extra_edges = draw(st.lists(pair.filter(lambda p: p[0] != p[1]), max_size=2 * n + 8))
    return MoveGraph.from_edges([*around, *extra_edges] or [(0, 1)], n)


@pytest.mark.parametrize("way", ["plain", "compiled", "sorted", "changed", "slices"])
@given(graph=graphs(), seed=st.randoms(use_true_random=False))
def test_stage_by_stage(way: str, graph: MoveGraph, seed: Random) -> None:
    """States and counts agree after each stage, also without tables of changes, by sorting, and in slices."""
    order = list(range(graph.size))
    seed.shuffle(order)
    with pytest.MonkeyPatch.context() as patch:
        if way == "sorted":
            patch.setattr(pattern_search, "MOST_ACCUMULATORS", 0)
        elif way == "changed":
            patch.setattr(ranks, "POOL_ENTRIES", 0)
        elif way == "slices":
            patch.setattr(pattern_search, "SLICE", 3)
            patch.setattr(pattern_search, "BLOCK", 2)
        words = FrontierSearch(stages(neighbours(graph), order), compiled=False)
        patterns = PatternSearch(
            stages(neighbours(graph), order, ascending=True), compiled=way in {"compiled", "slices"}
        )
        for _ in order:
            words.take()
            patterns.take()
            assert by_patterns(patterns) == by_words(words)
            assert patterns.table.states == words.table.states
        assert patterns.cycles == words.cycles


def test_counts_of_any_size() -> None:
    """A chain of twelve complete graphs, joined by two edges each, has a count of several words."""
    rows: list[tuple[int, int]] = []
    n = 10
    blocks = [range(k * n, k * n + n) for k in range(12)]
    for block in blocks:
        rows += itertools.combinations(block, 2)
    for block_before, block_after in itertools.pairwise(blocks):
        rows += [(block_before[-1], block_after[0]), (block_before[-2], block_after[1])]
    graph = MoveGraph.from_edges(rows, 12 * n)
    paths = 40320  # Hamiltonian paths of a complete graph of ten vertices between two given ends: 8!
    for compiled in (False, True):
        search = PatternSearch(stages(neighbours(graph), range(12 * n), ascending=True), compiled=compiled)
        search.run()
        assert search.cycles == paths**2 * two_paths(n) ** 10


def two_paths(n: int) -> int:
    """Count the covers of a complete graph by two paths, each from one pair of ends to the other."""
    inner = n - 4
    ways = 1
    for k in range(2, inner + 1):
        ways *= k
    return 2 * (inner + 1) * ways


def test_wide_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled code reads and writes eight bytes at a time: here a rank and a count take nine together."""
    monkeypatch.setattr(ranks, "ENTRIES_PER_STATE", 1 << 20)
    monkeypatch.setattr(pattern_search, "SPARSE_FROM", 1 << 20)
    # Vertex 14 + i joins i to 13 - i, or to 12 - i for i > 0: the first ends are matched with the last ones,
    # so that ranks are high. The other edges form a cycle.
    edges = [(14 + i, end) for i in range(7) for end in ((i, 13 - i, 12 - i) if i else (0, 13))]
    edges += [(i, (i + 1) % 14) for i in range(14)]
    graph, order = MoveGraph.from_edges(edges, 21), [*range(14, 21), *range(14)]
    plain, compiled = (
        PatternSearch(stages(neighbours(graph), order, ascending=True), compiled=tier)
        for tier in (False, True)
    )
    # The table before the first stage: one state with a count of six bytes.
    for search in (plain, compiled):
        search.table.data = np.array([1, *(0x10203040506).to_bytes(6, "little")], np.uint8)
        search.table.shape[0], search.table.starts[1] = 256 + 6, 7
    widest = 0
    for _ in order:
        plain.take()
        compiled.take()
        assert by_patterns(compiled) == by_patterns(plain)
        widest = max(widest, *(sum(divmod(int(shape), 256)) for shape in compiled.table.shape))
    assert compiled.cycles == plain.cycles > 0
    assert widest == 9
