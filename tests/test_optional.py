"""Walks that may leave out cells, counted by their number of moves: brute force and published numbers."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise, permutations
from typing import TYPE_CHECKING, Any

import pytest

import cavalcade
from cavalcade import MoveGraph, count_walks
from cavalcade.ground.errors import CavalcadeError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from conftest import Ran

Ends = tuple[int | None, int | None]
FREE: Ends = (None, None)


def by_moves(graph: Any, optional: Any = None, **words: Any) -> dict[int, int]:
    """Return the number of walks for each number of moves that occurs."""
    answer = count_walks(graph, optional, **words)
    assert answer.count == sum(answer.tours["walks"])
    return {k: number for k, number in enumerate(answer.tours["walks"]) if number}


def plainly(heads: list[set[int]], ends: Ends, must: Collection[int], *, closed: bool, directed: bool) -> Any:
    """Count the walks by trying all sequences of vertices, each walk in one of its forms."""
    walks: set[tuple[int, ...]] = set()
    for k in range(1, len(heads) + 1):
        for walk in permutations(range(len(heads)), k):
            if not {*must} <= {*walk} or any(b not in heads[a] for a, b in pairwise(walk)):
                continue
            if closed and k >= (2 if directed else 3) and walk[0] in heads[walk[-1]]:
                turned = walk[walk.index(min(walk)) :] + walk[: walk.index(min(walk))]
                walks.add(turned if directed else min(turned, (turned[0], *turned[:0:-1])))
            elif not closed and ends[0] in {None, walk[0]} and ends[1] in {None, walk[-1]}:
                walks.add(walk if directed or ends != FREE else min(walk, walk[::-1]))
    return dict(Counter(len(walk) - (not closed) for walk in walks))


@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(i, marks=pytest.mark.slow) for i in range(3, 300))])
def test_all_walks_of_random_graphs(seed: int) -> None:
    chance = random.Random(seed)
    n, directed = chance.randint(2, 6 if seed > 2 else 5), seed % 3 == 0
    pairs = [(a, b) for a in range(n) for b in range(n) if (a != b if directed else a < b)]
    arcs = [pair for pair in pairs if chance.random() < 0.5]
    graph = MoveGraph.from_edges(arcs, n, directed=directed)
    both = arcs if directed else arcs + [(b, a) for a, b in arcs]
    heads = [{b for a, b in both if a == v} for v in range(n)]
    start, end = chance.sample(range(n), 2)
    must = chance.sample(range(n), chance.randint(0, 2))
    optional = [graph.names[v] for v in range(n) if v not in must]
    for ends in (FREE, (start, None), (None, end), (start, end)):
        names = [None if v is None else graph.names[v] for v in ends]
        for closed in (True, False) if ends == FREE else (False,):
            found = by_moves(graph, optional, open=not closed, start=names[0], end=names[1])
            assert found == plainly(heads, ends, must, closed=closed, directed=directed)


@pytest.mark.parametrize(
    ("end", "number"),
    [("b2", 2), ("c3", 12), ("d4", 184), pytest.param("f6", 1262816, marks=pytest.mark.slow)],
)
def test_paths_from_corner_to_corner(end: str, number: int) -> None:
    """The numbers of A007764: paths of a rook's single steps."""
    n = end[1]
    assert count_walks(f"{n}x{n}", piece="wazir", open=True, start="a1", end=end).count == number


@pytest.mark.slow
def test_cycles_of_the_petersen_graph() -> None:
    assert by_moves("petersen") == {5: 12, 6: 10, 8: 15, 9: 20}


def test_a_single_cell_is_a_walk_without_moves() -> None:
    """`count` has one tour of such a board, `best` a walk of 0 moves, both open and closed."""
    for is_open in (True, False):
        assert by_moves("1x1", open=is_open) == {0: 1}
        assert cavalcade.count("1x1", open=is_open).count == 1


@pytest.mark.slow
def test_the_last_number_is_that_of_the_tours() -> None:
    walks = by_moves("3x4", open=True)
    assert walks[11] == cavalcade.count("3x4", open=True).count
    assert max(by_moves("3x5", open=True, start="a1")) == cavalcade.best("3x5", open=True, start="a1").value  # type: ignore[union-attr]


def test_the_option(cli: Callable[..., Ran], tmp_path: Path) -> None:
    ran = cli("count", "3x3", "--piece", "wazir", "--open", "--from", "a1", "--to", "c3", "--optional", "all")
    assert ran.out.split() == ["moves", "walks", "4", "6", "6", "4", "8", "2"]
    assert "open walks from a1 to c3, directed, 12 in all; counted twice" in ran.err
    assert cli("count", "3x3", "--optional", "all", "--by", "slope").code == 2
    assert cli("count", "3x3", "--optional", "all", "--directed").code == 2
    assert "leave them out" in cli("count", "4x4", "--optional", "all", "--through", "a4,d4").err
    assert "leave them out" in cli("best", "4x4", "--longest", "--open", "--at", "16=d4").err
    (tmp_path / "arcs.txt").write_text("a b\nb c\nc a\nb a\n")
    ran = cli("count", tmp_path / "arcs.txt", "--directed", "--optional", "all")
    assert ran.out.split() == ["moves", "walks", "2", "1", "3", "1"]
    assert (
        "petersen: closed walks, undirected, 57 in all" in cli("count", "petersen", "--optional", "all").err
    )
    assert "closed walks from a1, undirected" in cli("count", "4x4", "--from", "a1", "--optional", "all").err
    block = cli("best", "4x4", "--longest", "--optional", "a4:d4", "--json").out
    assert block == cli("best", "4x4", "--longest", "--optional", "a4,b4,c4,d4", "--json").out
    refused: list[dict[str, Any]] = [{"with_": "a1-b3"}, {"through": "a1,e5"}, {"open": True, "at": "25=a1"}]
    for words in refused:
        with pytest.raises(CavalcadeError, match="support ends, and moves to avoid: drop the rest"):
            count_walks("5x5", **words)
