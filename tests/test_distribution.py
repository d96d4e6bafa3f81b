"""Distributions of moves, compared with lists of all tours, random sets of moves, and known totals."""

from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cavalcade import Found, tour
from cavalcade.boards.notation import parse_board
from cavalcade.counting import cycles, interpolation, measuring, total
from cavalcade.counting.distribution import distribution, move_types, tours_by_moves
from cavalcade.counting.interpolation import Interpolation
from cavalcade.counting.listing import list_arrays, list_tours
from cavalcade.counting.meeting import Meeting
from cavalcade.counting.total import count
from cavalcade.ground.errors import BoardError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question
from cavalcade.states.search import Progress
from cavalcade.states.weights import AT_ONCE, Word
from oracles import every_tour
from strategies import edge_lists

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable, Sequence

    from cavalcade.answers.counts import By
    from cavalcade.states.patterns import Patterns
    from conftest import Ran


def listed(tours: Iterable[Iterable[tuple[int, int]]], kind: set[tuple[int, int]]) -> Counter[int]:
    """The number of tours, given as lists of moves, with k moves of a kind, by k."""
    return Counter(sum((a, b) in kind or (b, a) in kind for a, b in moves) for moves in tours)


def moves_of(cells: Iterable[int], *, closed: bool) -> list[tuple[int, int]]:
    path = list(cells)
    return list(zip(path, [*path[1:], path[0]], strict=True))[: len(path) - (not closed)]


def as_counter(numbers: Iterable[int]) -> Counter[int]:
    return Counter({k: n for k, n in enumerate(numbers) if n})


@pytest.mark.parametrize(
    ("spec", "expected"), [pytest.param("6x6", 9862, marks=pytest.mark.slow), ("5x6-a1,b1", 302)]
)
def test_slopes_by_names(spec: str, expected: int) -> None:
    """Slopes computed from the names of cells: c3-d5 goes one file and two ranks up."""
    result = distribution(spec, "slope")
    slopes = [Counter(map(slope_of, t.names, [*t.names[1:], t.names[0]])) for t in list_tours(spec)]
    assert list(result.tours) == ["-2", "-1/2", "1/2", "2"]
    for slope, tours in result.tours.items():
        assert as_counter(tours) == Counter(tour_slopes[slope] for tour_slopes in slopes)
        assert (len(tours), sum(tours)) == (len(parse_board(spec)) + 1, result.count)
    assert result.count == len(slopes) == expected


@cache
def slope_of(a: str, b: str) -> str:
    """The slope of a move, from the names of its cells."""
    return str(Fraction(int(b[1]) - int(a[1]), ord(b[0]) - ord(a[0])))


@pytest.mark.parametrize(
    ("spec", "piece", "words"),
    [
        ("5x6", "knight", {}),
        ("3x10", "knight", {}),
        ("5x6-a5,f1", "knight", {}),
        ("5x5", "knight", {"open": True}),
        ("4x5", "knight", {"open": True, "start": "a1"}),
        ("4x5", "knight", {"open": True, "start": "a1", "end": "d3"}),
        ("4x4-c3", "1,2+0,1", {"open": True, "end": "a1"}),
        ("4x4", "0,1", {}),
        ("2x2x4", "0,1", {}),
        ("hex:3-c3", "knight", {}),
        ("torus:3x3", "knight", {}),
        ("6x6", "knight", {"moves": "counterclockwise"}),
        ("5x6", "knight", {"avoid": ["b5-c3"]}),
        ("5x6-a5,f1", "knight", {"with_": ["b2-c4"]}),
    ],
)
def test_every_kind_against_lists(spec: str, piece: str, words: dict[str, object]) -> None:
    question = Question.of(spec, piece=piece, **words)  # type: ignore[arg-type]
    lists = [moves_of(t.cells.tolist(), closed=question.closed) for t in list_tours(question)]
    statistics = []
    for by in ("slope", "class", "files"):
        try:
            kinds = move_types(question, by)
        except BoardError:
            continue
        result = distribution(question, by)
        assert sorted(result.tours) == sorted(kinds)
        assert sum(map(len, kinds.values())) == question.graph.edge_count
        for name, kind in kinds.items():
            assert as_counter(result.tours[name]) == listed(lists, set(kind))
        assert result.count == len(lists)
        statistics.append(by)
    assert statistics == words_for(spec)


def words_for(spec: str) -> list[str]:
    """The statistics that exist on a board."""
    board = parse_board(spec)
    if board.kind != "box":
        return ["class"]
    return ["slope", "class", "files"] if board.dimensions == 2 else ["class", "files"]


@settings(max_examples=100, deadline=None)
@given(edge_lists(8), st.sampled_from(["closed", "open"]), st.randoms(use_true_random=False))
def test_random_kinds_of_random_graphs(
    listed_graph: tuple[int, list[tuple[int, int]]], way: str, chance: random.Random
) -> None:
    closed = way == "closed"
    graph = MoveGraph.from_edges(listed_graph[1], listed_graph[0])
    question = Question(graph, closed=closed)
    edges = [(min(e), max(e)) for e in graph.edges().tolist()]
    kinds = [frozenset(e for e in edges if chance.random() < part) for part in (0.2, 0.7)]
    tour_moves = [moves_of(cells, closed=closed) for cells in every_tour(graph, closed=closed)]
    if graph.size > 2:
        for kind, tours in zip(
            kinds, tours_by_moves(question, kinds, len(tour_moves), Progress()), strict=True
        ):
            assert Counter(tours) == listed(tour_moves, set(kind))


@pytest.mark.parametrize("by", ["slope", "class"])
def test_two_halves_and_small_memory(by: By, monkeypatch: pytest.MonkeyPatch) -> None:
    """The result is equal in halves and as a whole, in one search and in many."""
    whole = distribution("6x6", by)
    searches = []
    sides = Meeting.sides

    def watched(self: Meeting, words: Sequence[Word] = ()) -> tuple[Patterns, Patterns]:
        searches.append(len(words))
        return sides(self, words)

    monkeypatch.setattr(Meeting, "sides", watched)
    monkeypatch.setattr(total, "WORTH_FROM", 0)
    assert distribution("6x6", by).tours == whole.tours
    assert searches[0] == 0, "the count of all tours"
    assert searches[1] > AT_ONCE
    searches.clear()
    monkeypatch.setattr(cycles, "MOST_WORDS", AT_ONCE)
    assert distribution("6x6", by).tours == whole.tours
    assert {*searches[1:]} == {AT_ONCE}
    assert len(searches) > 2
    monkeypatch.setattr(total, "WORTH_FROM", math.inf)
    assert distribution("6x6", by).tours == whole.tours


def test_matchings_of_remainders(monkeypatch: pytest.MonkeyPatch) -> None:
    """The distribution on 6x8 in halves, by matchings of remainders, equals that of the whole board."""
    whole = distribution("6x8")
    monkeypatch.setattr(total, "WORTH_FROM", 0)
    assert distribution("6x8").tours == whole.tours
    assert whole.tours["2"][14] != whole.tours["1/2"][14] > 0


@pytest.mark.parametrize("number", [0, 5])
def test_a_wrong_value_is_detected(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    values = Interpolation.values

    def wrong(self: Interpolation, words: Sequence[Word]) -> list[int]:
        changed = values(self, words)
        changed[number] += 1
        return changed

    monkeypatch.setattr(Interpolation, "values", wrong)
    with pytest.raises(AssertionError, match="add up to"):
        distribution("5x6")


def test_types_that_the_half_turn_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves on one side of the board: the halves have different weights, so the whole board is searched."""
    question = Question.of("6x6")
    edges = [(min(e), max(e)) for e in question.graph.edges().tolist()]
    kind = frozenset(edge for edge in edges if edge[1] < 18)
    monkeypatch.setattr(total, "WORTH_FROM", 0)
    monkeypatch.setattr(Meeting, "values", None)
    (numbers,) = tours_by_moves(question, [kind], 9862, Progress())
    lists = [moves_of(t.cells.tolist(), closed=True) for t in list_tours(question)]
    assert Counter(numbers) == listed(lists, set(kind))


def test_more_than_one_prime(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wazir's move crosses one file or none, so the two distributions are mirror images."""
    monkeypatch.setattr(interpolation, "WIDEST", 12)
    result = distribution("4x24", "files", piece="0,1")
    assert result.count == count("4x24", piece="0,1").count > 1 << 24
    assert result.tours["0"] == result.tours["1"][::-1]
    assert sum(result.tours["0"]) == result.count


def test_moves_of_all_kinds_sum_to_all_moves() -> None:
    """The number of moves of a closed tour is the number of cells, so the means of all kinds sum to it."""
    for by in ("slope", "class", "files"):
        result = distribution("5x8", by)
        assert sum(k * n for tours in result.tours.values() for k, n in enumerate(tours)) == 40 * 44_202
    twice = distribution("5x6", "files", directed=True)
    assert twice.count == 16
    assert twice.tours["1"] == tuple(2 * n for n in distribution("5x6", "files").tours["1"])


def test_trivial_boards_and_refusals() -> None:
    assert distribution("1x1").tours == {}
    assert distribution("3x8").tours["2"] == (0,) * 25
    assert distribution("2x3", open=True).count == 0
    for spec, by, match in (
        ("6x6", "colour", "unknown statistic 'colour', expected one of slope, class, files"),
        ("torus:5x5", "slope", "have no slope, expected a board of squares: try class"),
        ("2x3x4", "slope", "have no slope"),
        ("hex:3", "files", "have no files"),
    ):
        with pytest.raises(BoardError, match=match):
            distribution(spec, cast("By", by))
    with pytest.raises(BoardError, match="is a plain graph: its moves have no class"):
        distribution(MoveGraph.from_edges([(0, 1), (1, 2), (2, 0)]), "class")


def test_the_command(cli: Callable[..., Ran]) -> None:
    code, out, err = cli("count", "5x6", "--by", "slope")
    assert code == 0
    assert out.splitlines() == [
        "moves  -2  -1/2  1/2  2",
        "    6   0     4    4  0",
        "    7   4     0    0  4",
        "    8   0     4    4  0",
        "    9   4     0    0  4",
    ]
    assert "8 in all, by slope of their moves" in err
    answer = json.loads(cli("count", "5x6", "--by", "files", "--json")[1])
    assert answer["tours"] == {name: list(row) for name, row in distribution("5x6", "files").tours.items()}
    assert answer["count"] == count("5x6").count
    code, out, err = cli("count", "7x8", "--by", "slope", "--time-limit", "2")
    assert (code, out, err.startswith("undecided: ")) == (3, "", True)
    assert cli("count", "6x6", "--by", "slope", "--symmetry")[0] == 2
    assert cli("count", "3xn", "--by", "slope")[0] == 2
    assert cli("count", "hex:4", "--by", "slope")[0] == 2


@pytest.mark.slow
def test_slopes_of_7x8() -> None:
    result = distribution("7x8", memory=6 << 30)
    assert [sum(tours) for tours in result.tours.values()] == [34_524_432_316] * 4
    assert result.tours["2"] == result.tours["-2"] != result.tours["1/2"]
    assert sum(k * n for tours in result.tours.values() for k, n in enumerate(tours)) == 56 * result.count


# ---- measures of tours


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("5x6", {}),
        ("5x5", {"open": True, "start": "a1"}),
        ("6x6", {"symmetry": "half turn"}),
        ("4x4", {"piece": "king", "at": {3: "b3", 9: "d4"}}),
        ("3x4", {"open": True}),
        ("3x2x2", {"piece": "0,1", "open": True}),
        ("hex:3-c3", {}),
        ("1x1", {}),
        ("3x5", {}),
    ],
)
def test_measures_of_all_tours(spec: str, words: dict[str, Any]) -> None:
    question = Question.of(spec, **words)
    lists = [tour.measure() for tour in list_tours(question)]
    assert len(lists) == count(question).count
    angles = distribution(question, "angles")
    for name, numbers in angles.tours.items():
        assert as_counter(numbers) == Counter((measures.angles or {}).get(name, 0) for measures in lists)
    assert as_counter(distribution(question, "turns").tours["turns"]) == Counter(
        measures.turns for measures in lists
    )
    if question.board.dimensions == 2:
        crossings = distribution(question, "crossings", directed=True)
        twice = crossings.count // max(len(lists), 1)
        expected = Counter(measures.crossings for measures in lists)
        assert as_counter(crossings.tours["crossings"]) == Counter(
            {k: twice * n for k, n in expected.items()}
        )


def test_least_turns_and_crossings_agree_with_the_proofs() -> None:
    for by in ("turns", "crossings"):
        verdict = tour("6x6", fewest=by, time_limit=120)
        assert isinstance(verdict, Found)
        assert verdict.fewest is not None
        assert (
            verdict.fewest.at_least
            <= min(as_counter(distribution("6x6", by).tours[by]))
            <= verdict.fewest.count
        )


def test_a_truncated_list_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "list_arrays", lambda question: islice(list_arrays(question), 2))
    with pytest.raises(AssertionError, match="3 tours are listed of 8"):
        distribution("5x6", "turns")


def test_boards_without_angles_or_crossings() -> None:
    for spec, by in (("torus:3x3", "turns"), ("2x2x4", "crossings"), ("petersen", "angles")):
        with pytest.raises(BoardError, match=f"have no {by}"):
            distribution(spec, cast("By", by))


def test_no_tour_of_8x8_has_two_moves_of_each_class() -> None:
    """The argument in docs/counts.md, from coordinates alone, and in some tours."""
    cells = [(x, y) for x in range(8) for y in range(8)]
    moves = {
        frozenset([(x, y), (x + a, y + b)]) for x, y in cells for a, b in [(1, 2), (2, 1), (-1, 2), (-2, 1)]
    }
    moves = {move for move in moves if move <= set(cells)}

    def images(move: frozenset[tuple[int, int]]) -> frozenset[frozenset[tuple[int, int]]]:
        mirrored = [[(x, y), (7 - x, y), (x, 7 - y), (7 - x, 7 - y)] for x, y in move]
        straight = [frozenset(orbit) for orbit in zip(*mirrored, strict=True)]
        return frozenset(straight) | frozenset(frozenset((y, x) for x, y in orbit) for orbit in straight)

    classes = {images(move) for move in moves}
    assert len(classes) == 21
    assert {len(orbit) for orbit in classes} == {8}
    eight = {(x, y) for x, y in cells if sorted([min(x, 7 - x), min(y, 7 - y)]) == [1, 2]}
    meet = [orbit for orbit in classes if any(move & eight for move in orbit)]
    assert len(eight) == 8
    assert all(len(move & eight) == 1 for orbit in meet for move in orbit)
    corner = images(frozenset([(0, 0), (1, 2)]))
    assert corner in meet
    assert len(meet) == 6
    assert 2 * len(eight) - len(corner) < 2 * (len(meet) - 1)
    for seed in range(5):
        verdict = tour("8x8", seed=seed)
        assert isinstance(verdict, Found)
        path = [verdict.tour.board.coords[cell].tolist() for cell in verdict.tour.cells]
        used = [frozenset([tuple(a), tuple(b)]) for a, b in zip(path, [*path[1:], path[0]], strict=True)]
        assert sum(images(move) in meet for move in used) == 16
