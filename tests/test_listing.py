"""Lists of tours: comparison with counts and with plain search; samples: comparison with lists."""

from __future__ import annotations

import csv
import json
import random
import re
from collections import Counter
from functools import cache
from importlib import import_module
from itertools import combinations, islice, permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cavalcade
from cavalcade.boards.notation import parse_board
from cavalcade.checking.tours import check, check_all
from cavalcade.counting import halved
from cavalcade.counting.classes import classes
from cavalcade.counting.halved import HalvedCycles
from cavalcade.counting.listing import list_arrays, list_tours, stages_of, tours_of
from cavalcade.counting.meeting import halves
from cavalcade.counting.sampling import Sampler, sample
from cavalcade.counting.total import count
from cavalcade.formats import parse
from cavalcade.formats.table import BY_NAME
from cavalcade.ground.budget import limits
from cavalcade.ground.errors import BoardError, CavalcadeError, CellError, TooLargeError
from cavalcade.ground.kernels import Tier
from cavalcade.question.graph import MoveGraph
from cavalcade.question.moves import move_graph
from cavalcade.question.question import Question, symmetries
from cavalcade.states import depth_first
from cavalcade.states.layers import Layers
from oracles import Cells, edges_of, every_tour
from strategies import edge_lists

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from cavalcade.answers.tours import Tour, Tours
    from conftest import Ran

SMALL = ["3x4", "4x5", "torus:3x3", "cylinder:3x4", "mobius:3x4", "klein:3x3", "2x2x4", "hex:3", "5x5-c3"]


def cells_of(tours: Iterable[Tour]) -> list[Cells]:
    return [tuple(tour.cells.tolist()) for tour in tours]


@cache
def all_tours(spec: str, *, is_open: bool = False) -> list[Tour]:
    """Return all knight's tours of a board, cached for the tests of this file."""
    return list(list_tours(spec, open=is_open))


@pytest.mark.parametrize(
    ("spec", "is_open", "total"),
    [
        ("5x6", False, 8),
        ("6x6", False, 9862),
        pytest.param("5x8", False, 44202, marks=pytest.mark.slow),
        ("5x5", True, 864),
        ("3x10", True, 3048),
    ],
)
def test_lists_are_complete(spec: str, is_open: bool, total: int) -> None:  # noqa: FBT001
    tours = all_tours(spec, is_open=is_open)
    assert len(tours) == len(set(cells_of(tours))) == total == count(spec, open=is_open).count
    assert all(check(tour).ok and tour.closed is not is_open for tour in tours[:1000])
    cells = np.array([tour.cells for tour in tours])
    assert (
        np.sort(cells) == np.arange(cells.shape[1])
    ).all()  # check all tours, independently of the package
    rows, columns = np.divmod(cells, int(spec.partition("x")[2]))
    steps = abs((rows - np.roll(rows, 1, axis=1)) * (columns - np.roll(columns, 1, axis=1)))
    assert (steps[:, int(is_open) :] == 2).all()
    if is_open:
        assert (cells[:, 0] < cells[:, -1]).all()
    else:
        assert (cells[:, 0] == 0).all()
        assert (cells[:, 1] < cells[:, -1]).all()


@pytest.mark.parametrize("spec", SMALL)
def test_lists_equal_plain_search(spec: str) -> None:
    graph = move_graph(parse_board(spec))
    for closed in (True, False):
        if graph.size < 19 or closed:
            assert sorted(cells_of(list_tours(spec, open=not closed))) == sorted(
                every_tour(graph, closed=closed)
            )


def test_lists_with_ends() -> None:
    directed_tours = cells_of(list_tours("4x5", open=True))
    directed_tours += [path[::-1] for path in directed_tours]
    pairs = list(permutations(range(20), 2))[::7]
    assert any((path[0], path[-1]) in pairs for path in directed_tours)
    for start, end in pairs:
        listed = cells_of(list_tours("4x5", open=True, start=start, end=end))
        assert sorted(listed) == sorted(
            path for path in directed_tours if (path[0], path[-1]) == (start, end)
        )
    for cell in range(20):
        listed = cells_of(list_tours("4x5", open=True, start=cell))
        assert sorted(listed) == sorted(path for path in directed_tours if path[0] == cell)
        assert sorted(path[::-1] for path in listed) == sorted(
            cells_of(list_tours("4x5", open=True, end=cell))
        )


@settings(max_examples=80, deadline=None)
@given(edge_lists(7), st.booleans())
def test_random_graphs(listed: tuple[int, list[tuple[int, int]]], closed: bool) -> None:  # noqa: FBT001
    graph = MoveGraph.from_edges(listed[1], listed[0])
    tours = cells_of(list_tours(graph, open=not closed))
    if graph.size > 1:
        assert sorted(tours) == sorted(every_tour(graph, closed=closed))
        layers = Layers(stages_of(Question(graph, closed=closed)))
        assert layers.total == len(tours)


def test_tiers_layouts_and_memory_limits_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    first = cells_of(list_tours("4x5", open=True))
    assert len(first) == 82
    for limit, capacity, packed in ((1, 1, 29), (1, 1, 0), (2000, 300, 29), (1 << 22, 1 << 22, 0)):
        monkeypatch.setattr(
            depth_first, "MOST", limit
        )  # the limits keep: the path to the last cycle alone, more states, all states
        monkeypatch.setattr(depth_first, "FIRST_CAPACITY", capacity)
        monkeypatch.setattr(depth_first, "WIDEST_PACKED", packed)
        for warm in (False, True):
            monkeypatch.setattr(Tier, "warm", warm)
            assert cells_of(list_tours("4x5", open=True)) == first


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
    assert {tour.names[0] for tour in list_tours("5x6", start="c3")} == {"c3"}
    with pytest.raises(CellError, match="same cell"):
        sample("5x5", open=True, start="a1", end="a1")


# ---- up to symmetry


@pytest.mark.parametrize(
    ("spec", "is_open"),
    [
        pytest.param("6x6", False, marks=pytest.mark.slow),
        ("5x6", False),
        ("5x5", True),
        ("3x10", False),
        ("torus:3x3", False),
        pytest.param("torus:3x4", False, marks=pytest.mark.slow),
        ("4x5-a1,e4", True),
        ("mobius:3x5", False),
    ],
)
def test_one_of_each_class(spec: str, is_open: bool) -> None:  # noqa: FBT001
    paths = cells_of(all_tours(spec, is_open=is_open))
    firsts = cells_of(list_tours(spec, open=is_open, up_to_symmetry=True))
    group = [symmetry.cells.tolist() for symmetry in symmetries(parse_board(spec))]
    edges = {edges_of(path, closed=not is_open): i for i, path in enumerate(paths)}
    covered: set[int] = set()
    for path in firsts:
        images = {edges[edges_of([g[c] for c in path], closed=not is_open)] for g in group}
        assert covered.isdisjoint(images)
        covered |= images
    assert len(covered) == len(paths)
    assert len(firsts) == classes(spec, open=is_open).classes
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
) -> tuple[Question, Layers]:
    question = Question.of(spec, open=is_open)
    with limits(memory=memory):
        return question, Layers(stages_of(question), compiled=compiled)


@pytest.mark.parametrize(
    ("spec", "is_open"),
    [("5x6", False), ("6x6", False), ("5x5", True), ("torus:3x3", False), ("hex:3", True)],
)
def test_numbers_and_tours_correspond(spec: str, is_open: bool) -> None:  # noqa: FBT001
    """Numbers below the count correspond one to one to tours, so uniform numbers give uniform tours."""
    question, layers = layers_of(spec, is_open=is_open)
    unranked = list(tours_of(question, layers.find(range(layers.total))))
    assert layers.total == count(spec, open=is_open).count
    assert sorted(cells_of(unranked)) == sorted(cells_of(all_tours(spec, is_open=is_open)))


@pytest.mark.parametrize(
    ("spec", "is_open", "draws", "seed"),
    [
        ("5x6", False, 4000, 1),
        ("5x5", True, 6000, 2),
        ("torus:3x3", False, 5000, 3),
        pytest.param("6x6", False, 30000, 4, marks=pytest.mark.slow),
    ],
)
def test_all_tours_are_equally_likely(spec: str, is_open: bool, draws: int, seed: int) -> None:  # noqa: FBT001
    """Pearson's chi-square is within three standard deviations of its mean (normal approximation)."""
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


def test_tiers_draw_the_same() -> None:
    for spec in ("5x6", "3x30"):
        question, compiled = layers_of(spec, compiled=True)
        _, interpreted = layers_of(spec, compiled=False)
        assert compiled.total == interpreted.total == count(spec).count
        numbers = [random.Random(i).randrange(compiled.total) for i in range(20)]
        assert compiled.find(numbers) == interpreted.find(numbers)
        assert all(check(tour).ok for tour in tours_of(question, compiled.find(numbers)))
    assert Tier.warm


@pytest.mark.parametrize("compiled", [True, False])
def test_numbers_of_two_words(compiled: bool) -> None:  # noqa: FBT001 - a parameter
    question, layers = layers_of("3x50", compiled=compiled)
    assert layers.total == count("3x50").count > 2**64
    ends = [0, 1, 2**60, layers.total - 1]
    tours = list(tours_of(question, layers.find(ends)))
    assert len(set(cells_of(tours))) == 4
    assert all(map(check, tours))
    with pytest.raises(TooLargeError, match=r"the counts exceed 2\*\*120"):
        layers_of("3x100", compiled=compiled)


class InTurn(random.Random):
    """A generator that returns 0, 1, 2 and so on."""

    number = -1

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """Return the next number."""
        del stop, step
        self.number = (self.number + 1) % start
        return self.number


def halved_of(spec: str, *, is_open: bool = False, memory: int = 4 << 30) -> tuple[Question, HalvedCycles]:
    question = Question.of(spec, open=is_open)
    plan = halves(question.as_cycle, question.board.size if is_open else None)
    assert plan
    with limits(memory=memory):
        return question, HalvedCycles(question.as_cycle, plan)


@pytest.mark.parametrize(
    ("spec", "is_open", "triples"),
    [
        ("5x6", False, 286),
        pytest.param("6x6", False, 15551, marks=pytest.mark.slow),
        ("5x5", True, 1854),
        ("3x7", True, 134),
    ],
)
def test_halves_hold_every_tour_once(spec: str, is_open: bool, triples: int) -> None:  # noqa: FBT001
    """Drawing every number of each triple once gives each tour once, so uniform draws are uniform."""
    question, cycles = halved_of(spec, is_open=is_open)
    assert int(cycles.pairs[-1]) == triples
    total = count(spec, open=is_open).count
    tours = cells_of(tours_of(question, cycles.draw(total, InTurn())))
    assert cycles.tries - triples < halved.DRAWN
    assert sorted(tours) == sorted(cells_of(all_tours(spec, is_open=is_open)))


def test_halves_without_tours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Triples whose edges never form a single cycle: the sampler counts tours after `COUNT_AFTER` tries."""
    monkeypatch.setattr(halved, "COUNT_AFTER", 100)
    for spec, is_open, triples in (("4x8", False, 110), ("3x6", True, 0), ("4x4", True, 80)):
        _, cycles = halved_of(spec, is_open=is_open)
        assert int(cycles.pairs[-1]) == triples
        assert cycles.draw(3, random.Random(0)) == []
    _, cycles = halved_of("5x6")  # one triple in 36 is a tour
    assert len(cycles.draw(5, random.Random(0))) == 5


def test_halves_of_many_tours() -> None:
    """Numbers of more than one word are drawn, and tables beyond the memory limit are refused."""
    question = Question.of("4x60", piece="0,1")
    plan = halves(question.as_cycle)
    assert plan
    cycles = HalvedCycles(question.as_cycle, plan)
    assert int(cycles.pairs[-1]) > count(question).count > 2**64
    tours = list(tours_of(question, cycles.draw(200, random.Random(1))))
    assert all(map(check, tours))
    assert len(set(cells_of(tours))) == 200
    with pytest.raises(TooLargeError, match=r"steps the table of .* needs about"):
        halved_of("6x8", memory=1 << 20)
    with pytest.raises(TooLargeError, match="the table of both halves, sorted where they meet, needs about"):
        halved_of("6x8", memory=5 << 20)


def by_slopes(tour: Tour, place: dict[Cells, int]) -> tuple[int, int]:
    """Return the number of moves by two files, and the number of these that go up to the right."""
    del place
    rows, columns = np.divmod(tour.cells, 6)
    dx, dy = np.roll(columns, -1) - columns, np.roll(rows, -1) - rows
    return int((abs(dx) == 2).sum()), int((dx == -2 * dy).sum())


def by_position(tour: Tour, place: dict[Cells, int]) -> tuple[int, int]:
    """Return the block of a hundred positions of the list that contains the tour."""
    return place[tuple(tour.cells.tolist())] // 100, 0


def test_open_tours_drawn_by_halves_are_equally_likely() -> None:
    """Pearson's chi-square over the 864 tours of 5x5, as above."""
    question, cycles = halved_of("5x5", is_open=True)
    drawn = Counter(cells_of(tours_of(question, cycles.draw(6000, random.Random(11)))))
    assert set(drawn) <= set(cells_of(all_tours("5x5", is_open=True)))
    statistic = sum(n * n for n in drawn.values()) * 864 / 6000 - 6000
    assert abs(statistic - 863) < 3 * (2 * 863) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("method", ["layers", "halves"])
def test_ten_thousand_draws_of_6x6(method: str) -> None:
    """Compare draws with the list of all 9,862 tours, by slopes and by position in the list."""
    from scipy.stats import chisquare  # imports for a second

    all_of_6x6 = all_tours("6x6")
    place = {tuple(tour.cells.tolist()): i for i, tour in enumerate(all_of_6x6)}
    if method == "layers":
        drawn = sample("6x6", 10_000, seed=11)
    else:
        question, cycles = halved_of("6x6")
        drawn = list(tours_of(question, cycles.draw(10_000, random.Random(11))))
    for bin_of in (by_slopes, by_position):
        expected, drawn_counts = (
            Counter(bin_of(tour, place) for tour in all_of_6x6),
            Counter(bin_of(t, place) for t in drawn),
        )
        common = [bin_key for bin_key in expected if expected[bin_key] >= 20]
        probabilities = [expected[bin_key] / len(all_of_6x6) for bin_key in common]
        frequencies = [drawn_counts[bin_key] for bin_key in common]
        if len(common) < len(expected):  # merge the rare bins
            probabilities, frequencies = (
                [*probabilities, 1 - sum(probabilities)],
                [*frequencies, len(drawn) - sum(frequencies)],
            )
        assert len(frequencies) > 15
        assert chisquare(frequencies, [len(drawn) * part for part in probabilities]).pvalue > 0.001


def test_a_sampler_continues() -> None:
    for spec in ("5x6", "6x8", "1x1"):
        sampler = Sampler(spec, seed=3)
        assert sampler.draw() + sampler.draw(7) + sampler.draw(0) + sampler.draw(40) == sample(
            spec, 48, seed=3
        )
    assert Sampler("3x8").draw(2) == []
    assert all(check(tour) for tour in sample("7x7-d4", 50))


@pytest.mark.slow
def test_8x8_is_drawn_in_3_gb() -> None:
    sampler = Sampler("8x8", memory=3 << 30)
    tours = sampler.draw(3000)
    assert len(set(cells_of(tours))) == 3000
    assert all(map(check, tours))


def test_limits_are_reported() -> None:
    complete = MoveGraph.from_edges(list(combinations(range(40), 2)), 40)
    with pytest.raises(TooLargeError, match="at most 32 vertices can be on the frontier"):
        sample(complete)
    with pytest.raises(TooLargeError, match=r"needs about .* MB, the memory limit is 1.0 MB"):
        sample("6x7", memory=1 << 20)
    used = layers_of("6x7")[1].record.peak_bytes
    assert used < 1 << 22
    assert layers_of("6x7", memory=used)[1].total == 1067638
    with pytest.raises(TooLargeError):
        layers_of("6x7", memory=used - 1)


# ---- the commands


def test_formats_follow_one_another(cli: Callable[..., Ran]) -> None:
    tours = list(list_tours("5x6"))
    code, out, err = cli("list", "5x6")
    assert (code, err) == (0, "8 closed tours of 5x6: all of them, counted twice\n")
    assert [parse(text) for text in out.split("\n\n")] == tours
    lines = cli("list", "5x6", "--format", "json")[1].splitlines()
    assert [parse(line) for line in lines] == tours
    blocks = cli("list", "5x6", "--format", "tour")[1].split("EOF\n")[:-1]
    assert [parse(block + "EOF\n") for block in blocks] == tours
    head, titles, *lines = cli("list", "5x6", "--format", "wide")[1].splitlines()
    assert [parse(f"{head}\n{titles}\n{line}\n") for line in lines] == tours
    titles, *lines = cli("list", "5x6", "--format", "csv")[1].splitlines()
    assert (titles, len(lines)) == ("tour,step,name,row,column,kind,board,piece", 240)
    assert [int(line.split(",")[0]) for line in lines] == [i // 30 + 1 for i in range(240)]
    assert [line.split(",")[2] for line in lines] == [name for tour in tours for name in tour.names]


def test_the_list_command(cli: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("list", "6x6", "-n", "3")[2] == "3 closed tours of 6x6\n"
    assert cli("list", "5x6", "--up-to-symmetry")[2].startswith("3 closed tours of 5x6 up to symmetry")
    code, out, err = cli("list", "3x8")
    assert (code, out, err.startswith("impossible: there is no closed tour of 3x8")) == (1, "", True)
    path = tmp_path / "all.csv"
    assert cli("list", "5x6", "--format", "csv", "-o", str(path))[1] == ""
    assert path.read_text() == cli("list", "5x6", "--format", "csv")[1]
    assert cli("list", "5x6", "-o", str(tmp_path / "none" / "x"))[0] == 2
    code, out, err = cli("list", "5x6", "--from", "c3", "--format", "json")
    assert (code, {json.loads(line)["cells"][0] for line in out.splitlines()}) == (0, {"c3"})
    assert err == "8 closed tours of 5x6: all of them, counted twice\n"
    assert cli("list", "6x6", "-n", "0")[0] == 2
    for name in ("pictures", "pixels", "wrong_turn"):  # they copy the constant when they are loaded
        import_module(f"cavalcade.draw.{name}")
    monkeypatch.setattr("cavalcade.draw.board.MOST", 200)
    ran = cli("list", "5x6", "--format", "png")
    assert (ran.code, ran.out) == (2, "")
    assert "a sheet shows at most 200 cells, and there are more tours: add -n" in ran.err


def test_the_sample_command(cli: Callable[..., Ran]) -> None:
    code, out, _ = cli("sample", "6x6", "-n", "3", "--seed", "5", "--format", "json")
    assert code == 0
    assert [parse(line) for line in out.splitlines()] == cavalcade.sample("6x6", 3, seed=5)
    assert json.loads(out.splitlines()[0])["kind"] == "closed"
    held = bytearray(1 << 29)  # memory allocated before does not count against the limit
    code, out, err = cli("sample", "8x8", "--memory", "4M")
    assert (code, out, err[:16], len(held)) == (3, "", "undecided: after", 1 << 29)
    assert cli("sample", "3x8")[:2] == (1, "")
    assert cli("sample", "6x6", "--to", "a1")[0] == 2


def test_one_question_for_all() -> None:
    """A `Question` replaces board and keywords, and excludes keywords."""
    question = Question.of("5x5", open=True, start="a1")
    assert cavalcade.count(question).count == 304
    assert len(list(list_tours(question))) == 304
    assert sample(question, 3) == sample("5x5", 3, open=True, start="a1")
    assert classes(Question.of("5x6")) == classes("5x6")
    for ask in (cavalcade.count, list_tours, sample, classes):
        with pytest.raises(CavalcadeError, match="a Question is complete, but open came with it"):
            ask(question, open=True)
    with pytest.raises(CellError, match="any ends"):
        classes(question)


# ---- blocks


@pytest.mark.parametrize("spec", ["5x6", "5x6-a1,b1", "2x3x4", "hex:4", "torus:3x3", "10x3"])
@pytest.mark.parametrize("name", ["text", "csv", "wide"])
def test_blocks_are_written_like_their_tours(spec: str, name: str) -> None:
    tours = list(islice(list_tours(spec, open=True), 20))
    block = cavalcade.Tours(tours[0].board, np.array([tour.cells for tour in tours]), closed=False)
    written = BY_NAME[name].module.write_rows(block, 1)
    if name == "text":
        assert written == "\n".join(cavalcade.write(tour) for tour in tours)
        return
    texts = [cavalcade.write(tour, name).splitlines() for tour in tours]
    if name == "wide":
        head, titles, *rows = written.splitlines()
        assert [[head, titles, row] for row in rows] == texts
    else:  # only the first row says what the tours are of
        text = "".join(cavalcade.write(tour, name).split("\n", 1)[1] for tour in tours)
        stated = list(csv.reader(text.splitlines()))
        numbered = [[str(i // len(tours[0]) + 1), *row] for i, row in enumerate(stated)]
        numbered[1:] = [[*row[:-3], "", "", ""] for row in numbered[1:]]
        titles, *rows = csv.reader(written.splitlines())
        assert (titles, rows) == (["tour", *texts[0][0].split(",")], numbered)


def test_a_million_tours() -> None:
    """The list of 6x7 has the published number of different tours."""
    blocks = list(list_arrays("6x7"))
    rows = np.concatenate([block.cells for block in blocks])
    assert len(rows) == 1_067_638
    assert len(np.unique(rows @ np.random.default_rng(1).integers(1 << 40, size=42))) == len(rows)
    assert all(check_all(block) for block in blocks)
    assert len(blocks[0]) == 1


def test_tours_found_before_the_limit_are_written(cli: Callable[..., Ran], tmp_path: Path) -> None:
    for name in ("all.txt", "all.json", "measures.csv"):
        written = tmp_path / name
        words = ["--measure"] if name == "measures.csv" else []
        for limit in (1, 4, 16, 64):  # on a busy machine a second may end before the first tour
            done = cli("list", "5x10", "--time-limit", limit, "-o", written, *words)
            assert done.code == 3
            if numbers := re.findall("([0-9,]+) tours? found before", done.err):
                break
        number = int(numbers[0].replace(",", ""))
        text = written.read_text()
        lines = len(text.splitlines()) - bool(words)
        assert number == (text.count("closed tour") if name == "all.txt" else lines)
        assert number > 0


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_a_limit_that_is_reached_while_tours_are_measured_keeps_those_before(
    ending: str, cli: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured, calls = cavalcade.Tours.measure, 0

    def measure(tours: Tours) -> object:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise TimeoutError("the time limit is reached")
        return measured(tours)

    monkeypatch.setattr(cavalcade.Tours, "measure", measure)
    file = tmp_path / f"measures.{ending}"
    done = cli("list", "6x6", "--measure", "-n", 30, "-o", file)
    assert done.code == 3
    assert "the time limit is reached; 7 tours found before" in done.err  # blocks of 1, 2 and 4 tours
    assert len(file.read_text().splitlines()) == 7 + (ending == "csv")
