"""Decompositions into Hamiltonian cycles: small graphs against all cycles, known families, damage."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

import cavalcade
from cavalcade.ask.decomposition import Decomposition
from cavalcade.checking.decompositions import check_decomposition
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conftest import Ran


def steps_of(m: int) -> MoveGraph:
    """The Cayley digraph of Z_m x Z_m x Z_m with the three unit vectors as generators."""
    cells = list(product(range(m), repeat=3))
    ahead = [[tuple((x + (i == j)) % m for j, x in enumerate(cell)) for i in range(3)] for cell in cells]
    pairs = [(cell, successor) for cell, row in zip(cells, ahead, strict=True) for successor in row]
    return MoveGraph.of(pairs, directed=True)


def complete(n: int) -> MoveGraph:
    return MoveGraph.of([(i, j) for j in range(n) for i in range(j)])


def used(decomposition: Decomposition, *, directed: bool) -> Counter[object]:
    """The number of uses of each edge."""
    pairs = [
        pair
        for tour in decomposition.tours
        for pair in zip(tour.cells.tolist(), np.roll(tour.cells, -1).tolist(), strict=True)
    ]
    return Counter(pairs if directed else map(frozenset, pairs))


@pytest.mark.parametrize(
    "board",
    [
        *("torus:4x4", "torus:5x5", "torus:5x7", "torus:6x6", "torus:10x10", "hypercube:4", "hypercube:6"),
        *(complete(n) for n in (3, 5, 7, 9, 31)),
        *(steps_of(m) for m in (3, 4, 5)),
    ],
    ids=str,
)
def test_every_move_is_in_one_tour(board: str | MoveGraph) -> None:
    decomposition = cavalcade.decompose(board, seed=1)
    graph = Question.of(board).graph
    assert decomposition.status == "found"
    assert len(decomposition.tours) == graph.edge_count // graph.size
    assert all(cavalcade.check(tour) and tour.closed for tour in decomposition.tours)
    edges = map(tuple, graph.edges().tolist())
    expected = Counter(edges) if graph.directed else Counter(map(frozenset, edges))
    assert used(decomposition, directed=graph.directed) == expected
    repeated = cavalcade.decompose(board, seed=1)
    assert [tour.cells.tolist() for tour in repeated.tours] == [
        tour.cells.tolist() for tour in decomposition.tours
    ]


def walks(arcs: list[tuple[int, int]], walk: list[int], n: int) -> Iterator[list[int]]:
    """All Hamiltonian cycles that start with a walk."""
    if len(walk) == n and (walk[-1], walk[0]) in arcs:
        yield walk
    for a, b in arcs:
        if a == walk[-1] and b not in walk:
            yield from walks(arcs, [*walk, b], n)


def split(edges: frozenset[object], cycles: Sequence[frozenset[object]]) -> bool:
    """Whether a subset of the cycles partitions the edges."""
    if not edges:
        return True
    first = min(edges, key=str)
    return any(split(edges - cycle, cycles) for cycle in cycles if first in cycle and cycle <= edges)


@pytest.mark.parametrize("directed", [False, True])
def test_small_graphs_against_all_their_cycles(directed: bool) -> None:  # noqa: FBT001 - a parameter
    """Unions of random cycles, not all of them Hamiltonian, as graphs and digraphs."""
    rng, seen = random.Random(5), Counter[str]()
    while sum(seen.values()) < 150:
        n, k = rng.randint(3, 7), rng.randint(1, 3)
        edges: set[tuple[int, int]] = set()
        for _ in range(k):
            order = rng.sample(range(n), n)
            parts = [order] if n < 6 or rng.random() < 0.5 else [order[:3], order[3:]]
            edges |= {pair for part in parts for pair in zip(part, [*part[1:], part[0]], strict=True)}
        if not directed:
            edges = {(min(pair), max(pair)) for pair in edges}
        graph = MoveGraph.from_edges(sorted(edges), n, directed=directed)
        kind = tuple if directed else frozenset
        cycles = [
            frozenset(kind(pair) for pair in zip(walk, [*walk[1:], walk[0]], strict=True))
            for walk in walks(sorted(edges if directed else edges | {pair[::-1] for pair in edges}), [0], n)
        ]
        exists = split(frozenset(map(kind, edges)), cycles)
        decomposition = cavalcade.decompose(graph)
        assert decomposition.status == ("found" if exists else "impossible"), (edges, decomposition)
        seen[decomposition.status] += 1
    assert min(seen.values()) > 20


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        ("8x8", "b8 has 3 moves, an odd number"),
        ("hypercube:5", "has 5 moves, an odd number"),
        ("petersen", "has 3 moves"),
        (MoveGraph.of([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)]), "0 has 2 moves and 2 has 4"),
        (MoveGraph.of([(0, 1), (1, 2), (2, 0), (1, 0)], directed=True), "1 leave and 2 enter"),
        (steps_of(2), "No 3 closed tours make every move once: all were tried"),
        (
            MoveGraph.of(
                [(i + 9 * j, (i + s) % 9 + 9 * j) for i in range(9) for s in (1, 2) for j in (0, 1)]
            ),
            "",
        ),
    ],
    ids=str,
)
def test_reasons_for_no_decomposition(board: str | MoveGraph, reason: str) -> None:
    decomposition = cavalcade.decompose(board)
    assert decomposition.status == "impossible"
    assert reason in decomposition.reason
    assert not decomposition


def test_damaged_decompositions_are_refused() -> None:
    question = Question.of("torus:5x5")
    tours = cavalcade.decompose(question).tours
    assert check_decomposition(question, tours)
    swapped = tours[0].cells.copy()
    swapped[[3, 4]] = swapped[[4, 3]]
    wrong = {
        "is not made": tours[1:],
        "is made twice": (*tours, tours[0]),
        "tour 1 is not a closed tour": (replace(tours[0], closed=False), *tours[1:]),
        "tour 2: step": (tours[1], replace(tours[0], cells=swapped), *tours[2:]),
    }
    for message, damaged in wrong.items():
        assert message in check_decomposition(question, damaged).message
    assert "tour 1 is not" in check_decomposition(Question.of("torus:5x7"), tours).message


def test_a_wrong_finder_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    from cavalcade.find import decomposition

    right = decomposition.decomposition

    def twice(*arguments: object, **words: object) -> object:
        cycles = right(*arguments, **words)  # type: ignore[arg-type]
        assert isinstance(cycles, list)
        return [cycles[0], *cycles[:-1]]

    monkeypatch.setattr("cavalcade.ask.decomposition.decomposition", twice)
    with pytest.raises(AssertionError, match="made twice"):
        cavalcade.decompose("torus:5x5")


def test_the_command(cli: Callable[..., Ran]) -> None:
    code, out, err = cli("decompose", "torus:5x5")
    assert (code, out.count("closed tour of torus:5x5")) == (0, 4)
    assert "4 closed tours that make every move of torus:5x5 once" in err
    assert cli("decompose", "8x8")[0] == 1
    assert "undecided: no decomposition" in cli("decompose", "torus:40x40", "--time-limit", "0.3")[2]
    with pytest.raises(CavalcadeError, match="without conditions"):
        cavalcade.decompose(Question.of("torus:5x5", avoid=["a1-c2"]))


def test_one_cell(cli: Callable[..., Ran]) -> None:
    """A regression test: a board without moves raised an internal error."""
    decomposition = cavalcade.decompose("1x1")
    assert (decomposition.status, [tour.names for tour in decomposition.tours]) == ("found", [["a1"]])
    assert cli("decompose", "1x1").code == 0
