"""Counts, compared with published numbers, with a second method, and in different orders of cells."""

from __future__ import annotations

import csv
import itertools
import json
import math
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pytest

from cavalcade import __version__
from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.counting import checkpoints, cycles, matchings, meeting
from cavalcade.counting.cycles import count_cycles
from cavalcade.counting.listing import list_tours
from cavalcade.counting.magic import magic_tours
from cavalcade.counting.residues import pairs
from cavalcade.counting.sampling import Sampler, sample
from cavalcade.counting.sequence import sequence
from cavalcade.counting.total import count, order_and_halves
from cavalcade.counting.voltage import count_folded
from cavalcade.ground.budget import assert_time, limits, memory_limit
from cavalcade.ground.errors import CellError, FormatError, TooLargeError
from cavalcade.ground.kernels import Tier
from cavalcade.ground.threads import spread
from cavalcade.question.graph import MoveGraph
from cavalcade.question.moves import move_graph
from cavalcade.question.question import Question
from cavalcade.states import tables
from cavalcade.states.order import BASE, frontier_widths, narrow_order
from cavalcade.states.search import FrontierSearch, Progress
from cavalcade.states.transition import neighbours, stages
from sides import side_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, BinaryIO

    from conftest import Ran

T = TypeVar("T")

PUBLISHED = [
    row
    for row in csv.DictReader((Path(__file__).parent / "data" / "count_oracles.csv").read_text().splitlines())
    if row["board"] != "8x8"
]


@cache
def terms(strip: str, *, is_open: bool = False) -> tuple[int, ...]:
    """The counts of a strip from its transfer matrix, computed once for all tests."""
    return sequence(strip, 220, open=is_open).terms


def halves_of(graph: MoveGraph, last: int | None = None) -> meeting.Halves:
    """The two halves of a graph with a half turn."""
    plan = meeting.halves(graph, last)
    assert plan is not None, "it has a half turn"
    return plan


def resumed(attempt: Callable[[], T]) -> T:
    """The result of a count that is started again after each interruption, at most 20 times."""
    for _ in range(20):
        with suppress(KeyboardInterrupt):
            return attempt()
    pytest.fail("the count did not end")


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: f"{row['board']} {row['kind']}")
def test_published_counts(row: dict[str, str]) -> None:
    result = count(row["board"], piece=row["piece"], open=row["kind"] == "open")
    assert result.count == int(row["count"])


def paths(moves: dict[int, set[int]], *, is_open: bool, ends: tuple[int | None, int | None]) -> int:
    """The number of Hamiltonian paths between two ends, or of directed cycles, by backtracking."""
    start, end = ends

    def below(path: list[int]) -> int:
        if len(path) == len(moves):
            return end in {None, path[-1]} if is_open else path[0] in moves[path[-1]]
        return sum(below([*path, cell]) for cell in moves[path[-1]].difference(path))

    starts = [0] if not is_open else [*moves] if start is None else [start]
    return sum(below([cell]) for cell in starts)


def test_unequal_colours_against_backtracking() -> None:
    """Nothing is counted if squares of a chessboard have unequal colours; then backtracking finds no tour."""
    random = np.random.default_rng(46)
    refuted = 0
    for _ in range(250):
        rows, columns = (int(side) for side in random.integers(3, 5, size=2))
        board = Board("box", (rows, columns), random.random((rows, columns)) < 0.9)
        is_open, piece = bool(random.random() < 0.7), str(random.choice(["knight", "wazir"]))
        if board.size < 4:
            continue
        first, last = random.choice(board.size, 2, replace=False).tolist()
        start, end = (cell if is_open and random.random() < 0.5 else None for cell in (first, last))
        graph = move_graph(board, piece)
        moves = {cell: set(graph.neighbours(cell).tolist()) for cell in range(board.size)}
        tours = paths(moves, is_open=is_open, ends=(start, end))
        result = count(board, piece=piece, open=is_open, directed=True, start=start, end=end)
        assert result.count == tours, (board.spec, piece, is_open, start, end)
        light = board.coords.sum(axis=1) % 2
        more = light == (2 * light.sum() > board.size)
        excess = 2 * np.count_nonzero(more) - board.size
        # The ends of an open tour have the colour of more squares, or the two colours if these are equal.
        fits = excess <= is_open and all(more[cell] for cell in (start, end) if cell is not None and excess)
        if not excess and None not in {start, end}:
            fits = light[start] != light[end]
        if not fits:
            refuted += 1
            assert (result.peak_states, str(result.verification)) == (0, "certified"), board.spec
    assert refuted > 50


def test_boards_of_unequal_colours_are_not_searched(cli: Callable[..., Ran]) -> None:
    """A search of 9x9 takes a minute, and no search of the other boards ends within the time limit."""
    for board, *options in (
        ["9x9"],
        ["9x9", "--symmetry"],
        ["9x9", "--twice"],
        ["99x101"],
        ["9x9x3"],
        ["20x20-a1,c1", "--open"],
        ["20x20", "--open", "--from", "a1", "--to", "c1"],
        ["21x21", "--open", "--from", "b1"],
        ["21x21", "--open", "--from", "a1", "--to", "b1"],
        ["21x21", "--moves", "clockwise"],
    ):
        code, out, err = cli("count", board, *options, "--time-limit", "20")
        assert (code, out.partition("\n")[0]) == (0, "0")
        assert "; certified" in err
    for verb in ("list", "sample"):
        assert cli(verb, "21x21", "--time-limit", "20")[0] == 1


HALF_TURNS = [
    "5x6",
    "6x6",
    "6x7",
    "3x10",
    "torus:4x4",
    "mobius:4x4",
    "klein:3x4",
    "2x3x4",
    "hex:3",
    "5x7-d3",
    "4x4x2",
    "3x6",
    "4x6",
    "5x5",
]
LARGE = {("6x7", True), ("4x4x2", True), ("6x6", False)}


@pytest.mark.parametrize(
    ("spec", "closed"),
    [
        pytest.param(spec, closed, marks=[pytest.mark.slow] * ((spec, closed) in LARGE))
        for spec in HALF_TURNS
        for closed in (True, False)
        if closed or spec not in {"6x7", "4x4x2"}
    ],
)
def test_halves_and_sweeps_agree(spec: str, closed: bool, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001
    """Also modulo primes, as for counts of several words, and with the narrowest middle."""
    graph = move_graph(parse_board(spec))
    graph = Question(graph, closed=closed).as_cycle
    last = None if closed else graph.size - 1
    expected = count_cycles(graph, last=last)
    for base in (BASE, 1e3):  # a large base prefers narrow middles
        monkeypatch.setattr(meeting, "BASE", base)
        plan = halves_of(graph, last)
        assert meeting.count_in_halves(graph, plan) == expected
        with monkeypatch.context() as patch:
            patch.setattr(matchings, "bits_of", lambda *_: 70.0)
            assert meeting.count_in_halves(graph, plan) == expected


def test_halves_resume_from_any_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted after every fourth step, also while the edges of the middle are added."""
    monkeypatch.setattr(checkpoints, "SAVE_EVERY", 0.0)
    graph = move_graph(parse_board("6x7"))
    plan = halves_of(graph)
    file = tmp_path / "half.npz"
    runs: list[list[int]] = []

    def stop(progress: Progress) -> None:
        runs[-1].append(progress.taken)
        if len(runs[-1]) == 4 and len(runs) < 100:
            raise KeyboardInterrupt

    while True:
        runs.append([])
        try:
            total = meeting.count_in_halves(
                graph, plan, record=Progress(stop), checkpoints=checkpoints.Checkpoints(file)
            )
        except KeyboardInterrupt:
            continue
        break
    assert total == 1067638
    assert len(runs) < 100
    assert runs[-1][0] > len(plan.side) + 1, "it began with the edges of the middle"
    assert not file.exists()


@pytest.mark.parametrize(
    ("spec", "expected"),
    [("6x8", 55488142), pytest.param("6x12", 964730606632516, marks=pytest.mark.slow)],
)
def test_halves_of_wide_boards(spec: str, expected: int) -> None:
    """The numbers are published: OEIS A193055, A175881 and the file of oracles."""
    graph = move_graph(parse_board(spec))
    assert meeting.count_in_halves(graph, halves_of(graph)) == expected


def test_halves_of_long_boards() -> None:
    """Compared with the transfer matrix of the strip."""
    question = Question.of("3x80", open=True)
    plan = halves_of(question.as_cycle, question.apex)
    total = meeting.count_in_halves(question.as_cycle, plan)
    assert total == terms("3xn", is_open=True)[79] > 2**130


@pytest.mark.slow
def test_count_of_a_long_board() -> None:
    """Compared with the transfer matrix of the strip."""
    total = count("4x80", open=True).count
    assert total > 2**150
    assert total == sequence("4xn", 80, open=True).terms[-1]


@pytest.mark.parametrize(
    ("strip", "board", "n", "open_", "compiled"),
    [
        ("3xn", "3x80", 80, False, False),
        ("3xn", "3x100", 100, False, True),
        ("3xn", "3x80", 80, True, True),
        ("cylinder:nx3", "cylinder:30x3", 30, False, True),
    ],
)
def test_numbers_of_any_size(strip: str, board: str, n: int, open_: bool, compiled: bool) -> None:  # noqa: FBT001
    """Compared with the transfer matrix of the strip, which uses other primes."""
    question = Question.of(board, open=open_)
    total = count_cycles(question.as_cycle, last=question.apex, compiled=compiled)
    assert total == terms(strip, is_open=open_)[n - 1]
    assert total > 2**118  # exceeds two words: the count needs three runs


def test_bounds_by_rounded_counts_are_tight() -> None:
    """The search with rounded counts gives a tight upper bound, which decides the number of primes."""
    graph = move_graph(parse_board("3x200"))
    exact = terms("3xn")[199]
    steps = stages(neighbours(graph), narrow_order(graph))
    search = FrontierSearch(steps, rounding=True)
    while search.taken < graph.size:
        search.take()
    assert search.scale >= 180
    assert exact < search.cycles < exact + (exact >> 40)
    assert math.prod(map(math.prod, pairs(exact))) > exact > math.prod(map(math.prod, pairs(exact)[1:]))


def test_halves_of_any_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With remainders on both sides, and interrupted every 500 steps in any of the runs."""
    monkeypatch.setattr(checkpoints, "SAVE_EVERY", 0.0)
    expected = terms("3xn")[159]
    assert expected > 2**240
    graph = move_graph(parse_board("3x160"))
    plan = halves_of(graph)
    for file in (None, tmp_path / "half.npz"):
        steps = itertools.count(1)

        def stop(_: Progress, steps: Iterator[int] = steps, file: Path | None = file) -> None:
            if file and next(steps) % 500 == 0:
                raise KeyboardInterrupt

        def attempt(file: Path | None = file) -> int:
            kept = checkpoints.Checkpoints(file)
            return meeting.count_in_halves(graph, plan, record=Progress(stop), checkpoints=kept)

        assert resumed(attempt) == expected


def test_interrupted_with_large_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted every 50 of 240 steps; the checkpoint stores counts of any size."""
    monkeypatch.setattr(checkpoints, "SAVE_EVERY", 0.0)
    # a fake clock, so that the speed of the disk does not matter
    monkeypatch.setattr(checkpoints, "time", SimpleNamespace(perf_counter=itertools.count().__next__))
    file = tmp_path / "long.npz"
    taken: list[int] = []

    def stop(progress: Progress) -> None:
        taken.append(progress.taken)
        if len(taken) % 50 == 0:
            raise KeyboardInterrupt

    total = resumed(lambda: count("3x80", progress=stop, checkpoint=file).count)
    assert total == terms("3xn")[79]
    assert set(taken) == set(range(1, 241))
    assert len(taken) < 2 * 240, "it went on from where it was"


def test_folded_numbers_of_any_size() -> None:
    """Without voltages, a folded graph is a plain graph."""
    graph = move_graph(parse_board("3x100"))
    rows = [[(w, 0) for w in graph.neighbours(v).tolist()] for v in range(graph.size)]
    assert count_folded(rows) == terms("3xn")[99] > 2**150


def forecasts(spec: str, *, is_open: bool = False) -> tuple[list[float], Progress]:
    """Forecasts of the peak number of states, before a count and after each step; and its record."""
    question = Question.of(spec, open=is_open)
    order, plan = order_and_halves(question)
    expected: list[float] = []
    made: list[cycles.Forecast] = []
    record = Progress(lambda _: expected.append(made[0].states))

    class Watched(cycles.Forecast):
        def __init__(self, *args: Any, **words: Any) -> None:
            super().__init__(*args, **words)
            made.append(self)
            expected.append(self.states)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cycles, "Forecast", Watched)
        patch.setattr(meeting, "Forecast", Watched)
        if plan:
            meeting.count_in_halves(question.as_cycle, plan, record=record)
        else:
            count_cycles(question.as_cycle, order=order, record=record)
    return expected, record


@pytest.mark.parametrize(
    ("spec", "is_open"), [("6x8", False), ("5x10", True), ("hex:4", False), ("klein:5x5", False)]
)
def test_forecasts_against_counted_states(spec: str, is_open: bool) -> None:  # noqa: FBT001
    """The first forecast is an upper bound; after half of the steps forecasts are within a factor of 3."""
    expected, record = forecasts(spec, is_open=is_open)
    assert expected[0] >= record.peak_states
    half = [states / record.peak_states for states in expected[record.vertices // 2 :]]
    assert 1 / 3 < min(half) <= max(half) < 3
    assert half[-1] < 1.01
    assert record.expected_bytes < 3 * record.peak_bytes


@pytest.mark.parametrize(("spec", "is_open"), [("6x7", True), ("6x10", False)])
def test_forecasts_of_kept_tables_against_the_tables(spec: str, is_open: bool) -> None:  # noqa: FBT001
    """No forecast is three times what the search takes, so a search that fits is not refused."""
    expected: list[float] = []
    Sampler(spec, open=is_open, progress=lambda record: expected.append(record.expected_bytes))
    assert 0 < max(expected) < 3 * expected[-1]


def test_random_tours_that_take_far_too_long_are_refused_early() -> None:
    """8x10 takes several minutes; its time limit is not reached."""
    with pytest.raises(TooLargeError, match=r"take about .* s of the time limit are left"):
        Sampler("8x10", time_limit=30)


def test_a_count_that_does_not_fit_warns_early(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(progress: Progress) -> None:
        assert progress.expected_bytes < 2e9
        if progress.states > 1_000_000:
            raise KeyboardInterrupt

    warning = (
        r"needs about .* MB for .* states, and about .* s; it may use 134.2 MB of memory; the rest goes to"
    )
    with pytest.warns(RuntimeWarning, match=warning), pytest.raises(KeyboardInterrupt):
        count("8x8", memory=1 << 27, progress=stop)
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=10_000_000))
    with pytest.raises(TooLargeError, match=r"where 10.0 MB are free: expected a smaller board, more room"):
        count("8x8", memory=1 << 27)


@pytest.mark.parametrize("halved", [False, True])
def test_from_the_disk(halved: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001
    """Interrupted every nine steps, with too little memory for the larger tables."""
    monkeypatch.setattr(checkpoints, "SAVE_EVERY", 0.0)
    graph = move_graph(parse_board("6x7"))
    on_disk: list[int] = []

    def stop(progress: Progress) -> None:
        on_disk.append(progress.disk)
        if len(on_disk) % 9 == 0:
            raise KeyboardInterrupt

    kept = tmp_path / "half.npz"
    plan = halves_of(graph)

    def attempt() -> int:
        with limits(memory=100_000):
            file, record = checkpoints.Checkpoints(kept), Progress(stop)
            if halved:
                return meeting.count_in_halves(graph, plan, record=record, checkpoints=file)
            return count_cycles(graph, record=record, checkpoints=file)

    assert resumed(attempt) == 1067638
    assert max(on_disk) > 30_000
    assert not list(tmp_path.iterdir()), "nothing stays"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full")
def test_a_full_disk_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/full").open("wb", buffering=0) as full:
        monkeypatch.setattr("cavalcade.states.growing.nameless_file", lambda _: full)
        with pytest.raises(TooLargeError, match=r"not fit into memory, nor on the disk of .*: No space"):
            count("6x7", memory=100_000)


@pytest.mark.slow
def test_eight_by_eight() -> None:
    """B. D. McKay, Knight's tours of an 8x8 chessboard, 1997."""
    assert count("8x8", memory=12_000_000_000).count == 13267364410532


@pytest.mark.slow
def test_ten_by_ten_under_the_half_turn() -> None:
    """Takes five minutes; the number is unpublished. Tours without the quarter turn have orbits of 4."""
    total = count("10x10", symmetry="half turn", twice=True).count
    assert total == 8_075_814_890_272
    assert (total - count("10x10", symmetry="quarter turn").count) % 4 == 0


@pytest.mark.parametrize("apex", [False, True])
def test_contractions_and_walks_agree(apex: bool) -> None:  # noqa: FBT001
    """All pairs of pairings of ten places: the number of single cycles is the known one, by both methods."""
    key, ranks = sum(4**i for i in range(10)), np.arange(945)
    ones = side_of(key, ranks, np.ones(945))
    assert matchings.met(ones, ones, 10, apex=apex) == [
        945 * 384
    ]  # each pairing has 8 * 6 * 4 * 2 partners of 945
    side = side_of(key, ranks, ranks + 1)
    contracted = matchings.met(side, side, 10, apex=apex)
    parts = [side_of(key, ranks[i : i + 9], ranks[i : i + 9] + 1) for i in range(0, 945, 9)]
    assert contracted == [sum(sum(matchings.met(part, side, 10, apex=apex)) for part in parts)]


def test_pairings_of_sixteen_ends() -> None:
    """All pairs by contraction, and some one by one if memory does not suffice for tables."""
    n, ranks = 16, np.arange(2027025)
    key = sum(4**i for i in range(n))
    ones = side_of(key, ranks, np.ones(len(ranks)))
    assert matchings.met(ones, ones, n) == [len(ranks) * 645120]  # 14 * 12 * 10 * 8 * 6 * 4 * 2
    chosen = np.random.default_rng(1).choice(ranks, 8_200, replace=False)
    side = side_of(key, np.sort(chosen), chosen)
    contracted = matchings.met(side, side, n)
    with limits(memory=1 << 26):
        assert matchings.met(side, side, n) == contracted


@pytest.mark.parametrize("seed", [0, 1])
def test_unchanged_states_reach_all_trays(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """The states are read in table order. If a step keeps that order, it fills one tray after another."""
    monkeypatch.setattr(tables, "PART", 1 << 10)
    states, partners = np.random.default_rng(seed).integers(1 << 60, size=(2, 48_000)).tolist()
    partner = dict(zip(states, partners, strict=True))
    tier = Tier(0, compiled=False)
    layout = tables.counts()
    old = tables.Table.empty(tier, 1 << 16, layout)
    records = [word for low in states for word in (low, 3)]
    old.states = sum(
        tables.insert(records, i, old.rows, layout, old.places - 1, old.multiplier)
        for i in range(0, len(records), 2)
    )
    rounds = 0

    def stay_and_bring_another(trays: tables.Trays, first: int, until: int) -> int:
        nonlocal rounds
        rounds += 1
        for i in range(first, until):
            low, ways = old.rows[2 * i : 2 * i + 2]
            if low < 0:
                continue
            if max(trays.fill) + 2 > trays.depth:
                return i
            for successor in (low, partner[low]):
                tables.put([successor, ways], trays)
        return until

    new, _ = tables.transform(old, stay_and_bring_another, layout=layout, most=2, held=0, where="")
    low, ways = new.compact().records.T.tolist()
    assert sorted(low) == sorted(states + partners)
    assert set(ways) == {3}
    assert rounds < 40  # 12 rounds, because the trays hold an eighth of a growing table


def plain_beam(graph: MoveGraph, kept: int) -> list[int]:
    """The order found by a beam search that stores all prefixes and then keeps the best."""
    neighbour_sets = [set(row) for row in neighbours(graph)]
    layer: list[tuple[float, int, list[int]]] = [(0.0, 0, [])]
    for _ in range(graph.size):
        candidates: dict[int, tuple[float, int, list[int]]] = {}
        for cost, taken, order in layer:
            frontier = {w for v in order for w in neighbour_sets[v]} - set(order)
            for v in sorted(frontier or set(range(graph.size)) - set(order)):
                now, wide = taken | 1 << v, (frontier | neighbour_sets[v]) - {*order, v}
                if now not in candidates or cost + 3.0 ** len(wide) < candidates[now][0]:
                    candidates[now] = cost + 3.0 ** len(wide), now, [*order, v]
        layer = sorted(candidates.values())[:kept]
    return layer[0][2]


def test_the_beam_stores_only_prefixes_that_may_be_kept() -> None:
    """On boards and disconnected random graphs; a beam for small graphs stores less but finds the same."""
    rng = np.random.default_rng(3)
    graphs = [move_graph(spec) for spec in ("3x10", "4x9", "5x8", "6x7", "hex:4", "torus:5x5")]
    for n in range(8, 40, 3):
        pairs = rng.integers(n, size=(n + n // 2, 2)).tolist()
        graphs.append(MoveGraph.from_edges([(a, b) for a, b in pairs if a != b], n))
    for graph in graphs:
        for kept in (3, 20):
            assert narrow_order(graph, beam=kept) == plain_beam(graph, kept)
    for h, w in [(3, 10), (3, 12), (4, 9), (5, 7), (6, 6)]:
        assert narrow_order(move_graph(f"{h}x{w}")) == plain_beam(move_graph(f"{h}x{w}"), 64)


def test_narrow_orders() -> None:
    graph = move_graph(parse_board("6x12"))
    assert max(frontier_widths(graph, narrow_order(graph))) <= 13
    assert max(frontier_widths(graph, list(range(graph.size)))) > 20
    assert narrow_order(graph, last=5)[-1] == 5


def test_limits_are_in_messages() -> None:
    complete = MoveGraph.from_edges(list(itertools.combinations(range(40), 2)), 40)
    with pytest.raises(TooLargeError, match="too wide: at most 32"):
        count(complete)
    with pytest.raises(TooLargeError, match=r"table of .* states and more needs about"):
        count("6x7", memory=1 << 13)
    assert count("5x6", start="a1").count == count("5x6", at={1: "a1"}).count == count("5x6").count == 8
    with pytest.raises(CellError, match="same cell"):
        count("5x5", open=True, start="a1", end="a1")


def test_limits_reach_threads() -> None:
    with limits(60, 1 << 20):
        assert set(spread(lambda _: memory_limit(), range(8), threads=4)) == {1 << 20}
    with limits(0), pytest.raises(TimeoutError, match="so far"):
        spread(lambda _: assert_time("so far"), range(8), threads=4)


@pytest.mark.parametrize(
    ("find", "limit", "least"),
    [
        (lambda limit: list_tours("8x8", time_limit=limit), 2.5, 1),
        (lambda limit: magic_tours("4x40", time_limit=limit), 0.7, 0),
        (lambda limit: iter(sample("8x8", time_limit=limit)), 0.7, 0),
    ],
)
def test_results_before_the_limit_are_kept(
    find: Callable[[float], Iterator[object]], limit: float, least: int
) -> None:
    results: list[object] = []
    with pytest.raises(TooLargeError, match=rf"the time limit of {limit} s is reached"):
        results.extend(find(limit))
    assert len(results) >= least


def test_terms_before_the_limit_are_kept() -> None:
    reported: list[int] = []
    result = sequence("12xn", time_limit=2, memory=200 << 20, found=lambda _, term: reported.append(term))
    assert result.terms == tuple(reported)
    assert result.terms[:3] == (0, 0, 176)[: len(reported)]
    assert result.reason
    assert result.bfile == "".join(f"{n} {term}\n" for n, term in enumerate(reported, 1))


def test_trivial_boards() -> None:
    assert count("1x1").count == count("1x1", open=True).count == 1
    assert count("1x2").count == count("1x2", open=True).count == 0
    assert count(MoveGraph.from_edges([(0, 1)]), open=True).count == 1
    assert count(MoveGraph.from_edges([(0, 1)])).count == 0


def test_the_command(cli: Callable[..., Ran]) -> None:
    code, out, err = cli("count", "5x5", "--open", "--directed", "--json")
    answer = json.loads(out)
    assert (code, answer["count"], answer["kind"], answer["board"]) == (0, 1728, "open", "5x5")
    assert set(answer) == {
        "status", "board", "piece", "kind", "count", "conventions", "seconds", "peak_states", "peak_bytes",
            "verification",
    }  # fmt: skip
    code, out, err = cli("count", "6x6")
    assert (code, out) == (0, "9862\n")
    assert "1,279 states" in err
    assert err.endswith(f"cavalcade {__version__}\n")
    code, out, err = cli("count", "6x7", "--memory", "0.02M")
    assert (code, out) == (3, "")
    assert "undecided: after" in err
    assert "the memory limit is 21.0 kB" in err
    assert cli("count", "6x6", "--memory", "lots")[0] == 2
    assert cli("count", "6x6", "--to", "a1")[0] == 2


def test_a_count_over_its_time_limit_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "SAVE_EVERY", 0.0)
    file = tmp_path / "five.npz"
    with pytest.raises(
        TooLargeError, match=r"the time limit of 0.5 s is reached: after \d+ of 30 steps there are"
    ):
        count("5x6", time_limit=0.5, checkpoint=file, progress=lambda _: time.sleep(0.2))
    assert file.exists()
    steps: list[int] = []
    assert count("5x6", checkpoint=file, progress=lambda now: steps.append(now.taken)).count == 8
    assert steps[0] > 1
    assert not file.exists()


def test_a_killed_count_resumes(tmp_path: Path) -> None:
    """A process killed during a count: the second run resumes from the checkpoint and is right."""
    file = tmp_path / "six.npz"
    script = (
        "import sys; from pathlib import Path\n"
        "from cavalcade.counting import checkpoints; from cavalcade import count\n"
        "checkpoints.SAVE_EVERY = 0.0\n"
        "def show(p):\n"
        "    print(p.taken, flush=True)\n"
        "    if p.taken == 16: sys.stdin.read()\n"  # the first run waits here until it is killed
        "print('count', count('6x7', progress=show, checkpoint=Path(sys.argv[1])).count)"
    )
    command = [sys.executable, "-c", script, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout
        for line in first.stdout:
            if int(line) >= 16:
                first.kill()
    assert file.exists()
    second = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    ).stdout.split()
    assert int(second[0]) > 1
    assert second[-2:] == ["count", "1067638"]
    assert list(tmp_path.iterdir()) == []


def test_checkpoints_of_other_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "five.npz"
    monkeypatch.setattr("cavalcade.counting.checkpoints.SAVE_EVERY", 0.0)

    def stop(progress: Progress) -> None:
        if progress.taken == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        count("5x6", progress=stop, checkpoint=file)
    with pytest.raises(FormatError, match="checkpoint of another count, closed tour of 5x6: remove it"):
        count("5x8", checkpoint=file)
    assert count("5x6", checkpoint=file).count == 8
    file.write_bytes(b"PK nonsense")
    with pytest.raises(FormatError, match="is not a checkpoint"):
        count("5x6", checkpoint=file)
    file.unlink()
    for path in (tmp_path / "nowhere" / "five.npz", tmp_path):
        with pytest.raises(FormatError, match=r"cannot write .*(No such file|Is a directory)"):
            count("5x6", checkpoint=path)


def test_a_checkpoint_that_fails_does_not_end_the_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Callable[..., Ran]
) -> None:
    def full(file: BinaryIO, **_: object) -> None:
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoints, "SAVE_EVERY", 0.0)
    monkeypatch.setattr(np, "savez", full)
    ran = cli("count", "5x6", "--checkpoint", tmp_path / "five.npz")
    assert (ran.code, ran.out) == (0, "8\n")
    assert "warning: " in ran.err
    assert "five.npz: No space left on device; make room on this disk" in ran.err
    assert "the count continues, and the previous checkpoint is kept" in ran.err
    assert not list(tmp_path.iterdir())
