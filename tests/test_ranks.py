"""The numbers of tours: there and back for all tours of small boards; draws without replacement."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cavalcade
from cavalcade import MoveGraph, Sampler, Tour
from cavalcade.ground.errors import CavalcadeError, TooLargeError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Ran

SMALL: list[Any] = [
    ("1x1", {}),
    ("3x10", {}),
    ("5x6", {}),
    ("4x4", {}),
    ("3x4", {"open": True}),
    ("3x4", {"open": True, "start": "a3"}),
    ("3x7", {"open": True, "start": "a1", "avoid": ["b3-c1"]}),
    ("5x6", {"with_": ["c3-d5"]}),
    ("petersen", {"open": True, "start": "1"}),
    ("hex:2", {"piece": "wazir"}),
    pytest.param("5x5", {"open": True}, marks=pytest.mark.slow),
    pytest.param("6x6", {}, marks=pytest.mark.slow),
    pytest.param("4x5", {"open": True}, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("board", "words"), SMALL)
def test_all_tours_there_and_back(board: str, words: dict[str, Any]) -> None:
    round_trip(board, words)


def round_trip(board: Any, words: dict[str, Any]) -> None:
    """Compare the tours of all ranks with the list of all tours, and the rank of each with its place."""
    sampler = Sampler(board, ranked=True, **words)
    listed = {tuple(tour.cells.tolist()) for tour in cavalcade.list_tours(board, **words)}
    assert sampler.total == len(listed)
    ranks = range(1, len(listed) + 1)
    tours = sampler.tours(ranks)
    assert {tuple(row) for row in tours.cells.tolist()} == listed
    assert [sampler.rank(tour) for tour in tours] == [*ranks]


# All tours of two boards in the order of their numbers, in the names of their cells.
PINNED = {
    ("5x6", False): [
        "a5c4e5f3e1d3c5a4b2d1f2e4d2f1e3f5d4b5a3b1c3a2c1e2f4d5b4c2a1b3",
        "a5c4e5f3e1d3c5a4b2d1f2e4d2f1e3f5d4b5a3b1c3d5f4e2c1a2b4c2a1b3",
        "a5c4b2d1f2e4c5a4c3b5a3b1d2f1e3f5d4e2c1a2b4d5f4d3e5f3e1c2a1b3",
        "a5c4b2d1f2e4c5a4c3b5a3b1d2f1e3f5d4e2f4d5b4a2c1d3e5f3e1c2a1b3",
        "a5c4e5f3e1d3f2d1b2a4c5e4d2f1e3f5d4b5a3b1c3a2c1e2f4d5b4c2a1b3",
        "a5c4e5f3e1d3f2d1b2a4c5e4d2f1e3f5d4b5a3b1c3d5f4e2c1a2b4c2a1b3",
        "a5c4b2a4c5e4f2d1c3b5a3b1d2f1e3f5d4e2c1a2b4d5f4d3e5f3e1c2a1b3",
        "a5c4b2a4c5e4f2d1c3b5a3b1d2f1e3f5d4e2f4d5b4a2c1d3e5f3e1c2a1b3",
    ],
    ("3x4", True): [
        "d3b2d1c3a2c1b3a1c2a3b1d2",
        "d3b2d1c3a2c1b3d2b1a3c2a1",
        "a2c1d3b2d1c3b1a3c2a1b3d2",
        "a3c2a1b3d2b1c3d1b2d3c1a2",
        "a2c3d1b2d3c1b3a1c2a3b1d2",
        "a2c3d1b2d3c1b3d2b1a3c2a1",
        "d2b3a1c2a3b1c3a2c1d3b2d1",
        "a3c2a1b3d2b1c3a2c1d3b2d1",
    ],
}


@pytest.mark.parametrize(("board", "is_open"), [*PINNED])
def test_the_order_of_ranks_does_not_change(board: str, *, is_open: bool) -> None:
    """The numbers of tours are promised for all releases 0.2: a change of the order of cells changes them."""
    sampler = Sampler(board, ranked=True, open=is_open)
    tours = sampler.tours(range(1, int(sampler.total or 0) + 1))
    assert ["".join(tour.names) for tour in tours] == PINNED[board, is_open]


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(i, marks=pytest.mark.slow) for i in range(4, 60))]
)
def test_random_graphs(seed: int) -> None:
    chance = random.Random(seed)
    n, directed = chance.randint(4, 7), seed % 2 == 1
    edges = [(a, b) for a in range(n) for b in range(n) if a != b and chance.random() < 0.5]
    graph = MoveGraph.from_edges(edges, n, directed=directed)
    round_trip(graph, {"open": chance.random() < 0.5})


def test_a_tour_has_its_number_in_either_direction_and_from_any_cell() -> None:
    sampler = Sampler("5x6", ranked=True)
    (tour,) = sampler.tours([5])
    for cells in (tour.cells[::-1], np.roll(tour.cells, 7)):
        assert sampler.rank(Tour(tour.board, cells, closed=True)) == 5


def test_draws_without_replacement() -> None:
    sampler = Sampler("5x6", seed=3, ranked=True)
    some = [tuple(tour.cells.tolist()) for tour in sampler.draw(3, distinct=True)]
    rest = [tuple(tour.cells.tolist()) for tour in sampler.draw(99, distinct=True)]
    assert len({*some, *rest}) == len(some) + len(rest) == 8
    drawn = cavalcade.sample("5x6", 8, seed=3, distinct=True)
    assert [tuple(tour.cells.tolist()) for tour in drawn] == some + rest


def test_each_order_is_as_likely() -> None:
    """The first two of the 8 tours are each of the 56 pairs about 25 times in 1,400 draws."""
    sampler = Sampler("5x6", ranked=True)
    counts: dict[tuple[int, ...], int] = {}
    for seed in range(1400):
        sampler._chance, sampler._shuffled, sampler._dealt = random.Random(seed), {}, 0  # noqa: SLF001
        pair = tuple(sampler._deal(2))  # noqa: SLF001
        counts[pair] = counts.get(pair, 0) + 1
    assert len(counts) == 56
    assert sum((number - 25) ** 2 / 25 for number in counts.values()) < 55 + 5 * (2 * 55) ** 0.5


def test_other_tours_and_numbers_are_refused() -> None:
    sampler = Sampler("5x6", ranked=True, avoid=["c3-d5"])
    others = [tour for tour in cavalcade.list_tours("5x6") if "c3-d5" in moves(tour)]
    with pytest.raises(CavalcadeError, match="makes the move"):
        sampler.rank(others[0])
    stuck = Tour(others[0].board, others[0].cells[:20], closed=True)
    with pytest.raises(CavalcadeError, match="not among the closed tours"):
        sampler.rank(stuck)
    with pytest.raises(CavalcadeError, match="is about"):
        sampler.rank(next(cavalcade.list_tours("3x10")))
    for rank in (0, int(sampler.total or 0) + 1):
        with pytest.raises(CavalcadeError, match="there is no tour number"):
            sampler.tours([rank])


def moves(tour: Tour) -> set[str]:
    """Return the moves of a closed tour by the names of their cells, in both directions."""
    names = tour.names
    pairs = list(zip(names, names[1:] + names[:1], strict=True))
    return {f"{a}-{b}" for a, b in pairs} | {f"{b}-{a}" for a, b in pairs}


def test_a_board_that_needs_far_too_much_memory_is_refused_early() -> None:
    peaks: list[int] = []
    with pytest.raises(TooLargeError, match=r"all steps need about .* GB, the memory limit is 2.1 GB"):
        Sampler("10x10", memory=1 << 31, progress=lambda record: peaks.append(record.peak_bytes))
    assert peaks[-1] < 100_000_000


def test_command(cli: Callable[..., Ran], tmp_path: Path) -> None:
    assert cli("sample", "6x6", "--rank", "4,321").out == cli("sample", "6x6", "--rank", "4321").out
    assert cli("sample", "6x6", "--rank", "1,2").err.endswith("for several numbers repeat --rank\n")
    file = tmp_path / "tour.json"
    ran = cli("sample", "5x6", "--rank", 7, "-o", file)
    assert (ran.code, ran.err) == (0, "1 closed tour of 5x6: number 7 of 8, counted twice\n")
    ran = cli("sample", "5x6", "--rank-of", file)
    assert (ran.out, ran.err) == ("7\n", "tour number 7 of 8 closed tours of 5x6, counted twice\n")
    answer = json.loads(cli("sample", "5x6", "--rank-of", file, "--json").out)
    assert (answer["rank"], answer["total"]) == (7, 8)
    ran = cli("sample", "5x6", "--rank", "2-5", "--rank", 8, "--json")
    assert len(ran.out.splitlines()) == 5
    assert "number 2, 3, 4, … of 8" in ran.err
    assert len(cli("sample", "5x6", "--distinct", "-n", 100, "--json").out.splitlines()) == 8
    assert cli("sample", "4x4", "--rank", 1).code == 1
    ran = cli("sample", "6x8", "--rank", 1, "--memory", "1M")
    assert ran.code == 3
    assert "numbers and distinct tours need the tables of the whole board, random tours fewer: try" in ran.err
    for rank in ("0", "9", "x", "5-2"):
        assert cli("sample", "5x6", "--rank", rank).code == 2
    assert cli("sample", "5x6", "--rank", 1, "--distinct").code == 2
