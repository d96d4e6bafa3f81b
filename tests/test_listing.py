"""Lists against counts, against every walk there is, and against themselves; samples against lists."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import combinations, islice
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cavalcade
from cavalcade.boards.notation import parse_board
from cavalcade.checking.tours import check
from cavalcade.counting import listing, sampling
from cavalcade.counting.canonical import stages_of, tour_of
from cavalcade.counting.classes import classes
from cavalcade.counting.listing import list_tours
from cavalcade.counting.sampling import Layers, sample
from cavalcade.counting.total import count
from cavalcade.errors import BoardError, CavalcadeError, CellError, TooLargeError
from cavalcade.formats import parse
from cavalcade.graph import MoveGraph, move_graph
from cavalcade.kernels import Tier
from cavalcade.pieces import parse_piece
from cavalcade.problem import Problem, symmetries
from oracles import Cells, edges_of, every_tour
from strategies import edge_lists

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from cavalcade.answers.tours import Tour
    from conftest import Ran

SMALL = ["3x4", "4x5", "torus:3x3", "cylinder:3x5", "mobius:3x4", "klein:3x3", "2x2x4", "hex:3", "5x5-c3"]


def cells_of(tours: Iterable[Tour]) -> list[Cells]:
    return [tuple(tour) for tour in tours]


@pytest.mark.parametrize(
    ("spec", "is_open", "known"),
    [
        ("5x6", False, 8),
        ("6x6", False, 9862),
        ("5x8", False, 44202),
        ("5x5", True, 864),
        ("3x10", True, 3048),
    ],
)
def test_lists_are_whole(spec: str, is_open: bool, known: int) -> None:  # noqa: FBT001
    tours = list(list_tours(spec, open=is_open))
    assert len(tours) == len(set(cells_of(tours))) == known == count(spec, open=is_open).count
    assert all(check(tour).ok and tour.closed is not is_open for tour in tours)
    cells = np.array([tour.cells for tour in tours])
    if is_open:
        assert (cells[:, 0] < cells[:, -1]).all()
    else:
        assert (cells[:, 0] == 0).all()
        assert (cells[:, 1] < cells[:, -1]).all()


@pytest.mark.parametrize("spec", SMALL)
def test_lists_hold_what_every_walk_finds(spec: str) -> None:
    graph = move_graph(parse_board(spec))
    for closed in (True, False):
        if graph.size < 19 or closed:
            assert sorted(cells_of(list_tours(spec, open=not closed))) == sorted(
                every_tour(graph, closed=closed)
            )


def test_lists_with_ends() -> None:
    every = cells_of(list_tours("4x5", open=True))
    every += [path[::-1] for path in every]
    for start, end in combinations(range(20), 2):
        found = cells_of(list_tours("4x5", open=True, start=start, end=end))
        assert sorted(found) == sorted(path for path in every if (path[0], path[-1]) == (start, end))
    for cell in range(20):
        found = cells_of(list_tours("4x5", open=True, start=cell))
        assert sorted(found) == sorted(path for path in every if path[0] == cell)
        assert sorted(path[::-1] for path in found) == sorted(
            cells_of(list_tours("4x5", open=True, end=cell))
        )


@settings(max_examples=100, deadline=None)
@given(edge_lists(9), st.booleans())
def test_random_graphs(listed: tuple[int, list[tuple[int, int]]], closed: bool) -> None:  # noqa: FBT001
    graph = MoveGraph.from_edges(listed[1], listed[0])
    tours = cells_of(list_tours(graph, open=not closed))
    if graph.size > 1:
        assert sorted(tours) == sorted(every_tour(graph, closed=closed))
        layers = Layers(stages_of(Problem(graph, closed=closed)))
        assert layers.total == len(tours)


def test_tiers_layouts_and_forgetting_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    first = cells_of(list_tours("5x5", open=True))
    monkeypatch.setattr(listing, "REMEMBERED", 50)
    assert cells_of(list_tours("5x5", open=True)) == first
    monkeypatch.setattr(listing, "PACKED", 0)
    assert cells_of(list_tours("5x5", open=True)) == first
    monkeypatch.undo()
    monkeypatch.setattr(listing, "COMPILE_FROM", 100)
    assert cells_of(list_tours("5x5", open=True)) == first


@pytest.mark.parametrize("spec", ["8x8", "12x12", "4x4x4", "hex:5", "torus:6x6", "3x50"])
def test_the_first_tours_come_at_once(spec: str) -> None:
    tours = list(islice(list_tours(spec), 5))
    assert len(set(cells_of(tours))) == 5
    assert all(map(check, tours))


def test_trivial_boards() -> None:
    for is_open in (False, True):
        assert cells_of(list_tours("1x1", open=is_open)) == cells_of(sample("1x1", open=is_open)) == [(0,)]
        assert cells_of(list_tours("1x1", open=is_open, up_to_symmetry=True)) == [(0,)]
        assert cells_of(list_tours("1x2", open=is_open)) == sample("1x2", open=is_open) == []
    edge = MoveGraph.from_edges([(0, 1)])
    assert cells_of(list_tours(edge, open=True)) == cells_of(sample(edge, open=True)) == [(0, 1)]
    assert cells_of(list_tours(edge)) == sample(edge) == []
    assert list(list_tours("3x8")) == sample("3x8", 5) == []
    with pytest.raises(CellError, match="closed tours have no ends"):
        list_tours("8x8", start="a1")
    with pytest.raises(CellError, match="same cell"):
        sample("5x5", open=True, start="a1", end="a1")


# ---- up to symmetry


@pytest.mark.parametrize(
    ("spec", "piece", "is_open"),
    [
        ("6x6", "knight", False),
        ("5x6", "knight", False),
        ("5x5", "knight", True),
        ("3x10", "knight", False),
        ("torus:3x4", "knight", False),
        ("5x5-a1,e5", "knight", True),
        ("mobius:3x5", "knight", False),
    ],
)
def test_one_of_each_class(spec: str, piece: str, is_open: bool) -> None:  # noqa: FBT001
    every = cells_of(list_tours(spec, piece=piece, open=is_open))
    firsts = cells_of(list_tours(spec, piece=piece, open=is_open, up_to_symmetry=True))
    group = [one.cells.tolist() for one in symmetries(parse_board(spec), parse_piece(piece))]
    edges = {edges_of(path, closed=not is_open): i for i, path in enumerate(every)}
    covered: set[int] = set()
    for path in firsts:
        images = {edges[edges_of([g[c] for c in path], closed=not is_open)] for g in group}
        assert covered.isdisjoint(images)
        covered |= images
    assert len(covered) == len(every)
    assert len(firsts) == classes(spec, piece=piece, open=is_open).classes
    assert spec != "6x6" or len(firsts) == 1245


def test_symmetry_with_ends() -> None:
    corner = cells_of(list_tours("5x5", open=True, start="a1", up_to_symmetry=True))
    assert all(path[0] == 20 for path in corner)
    anywhere = list_tours("5x5", open=True, up_to_symmetry=True)
    assert len(corner) == sum(not {0, 4, 20, 24}.isdisjoint({t.start, t.end}) for t in anywhere)
    with pytest.raises(BoardError, match="plain graph"):
        list_tours(MoveGraph.from_edges([(0, 1), (1, 2), (2, 0)]), up_to_symmetry=True)


# ---- sampling


def layers_of(
    spec: str, *, is_open: bool = False, compiled: bool | None = None, memory: int = 4 << 30
) -> tuple[Problem, Layers]:
    problem = Problem.of(spec, open=is_open)
    return problem, Layers(stages_of(problem), compiled=compiled, memory=memory)


@pytest.mark.parametrize(
    ("spec", "is_open"),
    [("5x6", False), ("6x6", False), ("5x5", True), ("torus:3x4", False), ("hex:3", True)],
)
def test_numbers_and_tours_correspond(spec: str, is_open: bool) -> None:  # noqa: FBT001
    """Every number below the count belongs to another tour; so a fair number is a fair tour."""
    problem, layers = layers_of(spec, is_open=is_open)
    every = [tour_of(problem, moves) for moves in layers.find(range(layers.total))]
    assert layers.total == count(spec, open=is_open).count
    assert sorted(cells_of(every)) == sorted(cells_of(list_tours(spec, open=is_open)))


@pytest.mark.parametrize(
    ("spec", "is_open", "draws", "seed"),
    [
        ("5x6", False, 4000, 1),
        ("5x5", True, 20000, 2),
        ("torus:3x3", False, 5000, 3),
        ("6x6", False, 30000, 4),
    ],
)
def test_all_tours_are_equally_likely(spec: str, is_open: bool, draws: int, seed: int) -> None:  # noqa: FBT001
    """Pearson's chi-square, by its normal approximation: within three standard deviations."""
    drawn = Counter(cells_of(sample(spec, draws, seed=seed, open=is_open)))
    total = count(spec, open=is_open).count
    expected = draws / total
    statistic = sum((n - expected) ** 2 for n in drawn.values()) / expected
    statistic += (total - len(drawn)) * expected
    assert abs(statistic - (total - 1)) < 3 * (2 * (total - 1)) ** 0.5


def test_samples_are_reproducible() -> None:
    tours = sample("6x6", 20, seed=7)
    assert sample("6x6", 5, seed=7) == tours[:5]
    assert sample("6x6", 20, seed=8) != tours
    assert all(map(check, tours))
    between = sample("5x5", 30, open=True, start="a1", end="e5")
    assert {(tour.start, tour.end) for tour in between} == {(20, 4)}


def test_tiers_draw_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "LINKS", 64)
    for spec in ("6x6", "3x40"):
        problem, compiled = layers_of(spec, compiled=True)
        _, interpreted = layers_of(spec, compiled=False)
        assert compiled.total == interpreted.total == count(spec).count
        numbers = [random.Random(i).randrange(compiled.total) for i in range(20)]
        assert compiled.find(numbers) == interpreted.find(numbers)
        assert all(check(tour_of(problem, moves)).ok for moves in compiled.find(numbers))
    assert Tier.warm


@pytest.mark.parametrize("compiled", [True, False])
def test_numbers_of_two_words(compiled: bool) -> None:  # noqa: FBT001 - a parameter
    problem, layers = layers_of("3x60", compiled=compiled)
    assert layers.total == count("3x60").count > 2**64
    ends = [0, 1, 2**60, layers.total - 1]
    tours = [tour_of(problem, moves) for moves in layers.find(ends)]
    assert len(set(cells_of(tours))) == 4
    assert all(map(check, tours))
    with pytest.raises(TooLargeError, match=r"the counts exceed 2\*\*120"):
        layers_of("3x200", compiled=compiled)


def test_limits_are_told() -> None:
    complete = MoveGraph.from_edges(list(combinations(range(40), 2)), 40)
    with pytest.raises(TooLargeError, match="40 vertices wide, and at most 32"):
        sample(complete)
    with pytest.raises(TooLargeError, match="the tables need more than 1 MiB"):
        sample("6x7", memory=1 << 20)
    used = layers_of("6x7")[1].peak_bytes
    assert used < 1 << 22
    assert layers_of("6x7", memory=used)[1].total == 1067638
    with pytest.raises(TooLargeError):
        layers_of("6x7", memory=used - 1)


# ---- the commands


def test_formats_follow_one_another(cli: Callable[..., Ran]) -> None:
    tours = list(list_tours("5x6"))
    code, out, err = cli("list", "5x6")
    assert (code, err) == (0, "8 closed tours of 5x6: all there are\n")
    assert [parse(text) for text in out.split("\n\n")] == tours
    lines = cli("list", "5x6", "--format", "json")[1].splitlines()
    assert [parse(line) for line in lines] == tours
    blocks = cli("list", "5x6", "--format", "tour")[1].split("EOF\n")[:-1]
    assert [parse(block + "EOF\n") for block in blocks] == tours
    head, titles, *lines = cli("list", "5x6", "--format", "wide")[1].splitlines()
    assert [parse(f"{head}\n{titles}\n{line}\n") for line in lines] == tours
    head, titles, *lines = cli("list", "5x6", "--format", "csv")[1].splitlines()
    assert (titles, len(lines)) == ("tour,step,name,row,column", 240)
    assert [int(line.split(",")[0]) for line in lines] == [i // 30 + 1 for i in range(240)]
    assert [line.split(",")[2] for line in lines] == [name for tour in tours for name in tour.names]


def test_the_list_command(cli: Callable[..., Ran], tmp_path: Path) -> None:
    assert cli("list", "6x6", "-n", "3")[2] == "3 closed tours of 6x6\n"
    assert cli("list", "5x6", "--up-to-symmetry")[2].startswith("3 closed tours of 5x6 up to symmetry")
    code, out, err = cli("list", "3x8")
    assert (code, out, err.startswith("impossible: there is no closed tour of 3x8")) == (1, "", True)
    path = tmp_path / "all.csv"
    assert cli("list", "5x6", "--format", "csv", "-o", str(path))[1] == ""
    assert path.read_text() == cli("list", "5x6", "--format", "csv")[1]
    assert cli("list", "5x6", "-o", str(tmp_path / "none" / "x"))[0] == 2
    assert cli("list", "6x6", "--from", "a1")[0] == 2
    assert cli("list", "6x6", "-n", "0")[0] == 2
    assert cli("list", "6x6", "--format", "png")[0] == 2


def test_the_sample_command(cli: Callable[..., Ran]) -> None:
    code, out, _ = cli("sample", "6x6", "-n", "3", "--seed", "5", "--format", "json")
    assert code == 0
    assert [parse(line) for line in out.splitlines()] == cavalcade.sample("6x6", 3, seed=5)
    assert json.loads(out.splitlines()[0])["kind"] == "closed"
    code, out, err = cli("sample", "8x8", "--memory", "4M")
    assert (code, out, err.startswith("undecided: after")) == (3, "", True)
    assert cli("sample", "3x8")[:2] == (1, "")
    assert cli("sample", "6x6", "--to", "a1")[0] == 2


def test_one_question_for_all() -> None:
    """A whole `Problem` in place of a board and words; and no words beside it."""
    problem = Problem.of("5x5", open=True, start="a1")
    assert cavalcade.count(problem).count == 304
    assert len(list(list_tours(problem))) == 304
    assert sample(problem, 3) == sample("5x5", 3, open=True, start="a1")
    assert classes(Problem.of("5x6")) == classes("5x6")
    for ask in (cavalcade.count, list_tours, sample, classes):
        with pytest.raises(CavalcadeError, match="a Problem is complete, but open came with it"):
            ask(problem, open=True)
    with pytest.raises(CellError, match="any ends"):
        classes(problem)
