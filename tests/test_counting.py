"""Counts against published numbers, against a second method, and against themselves in other orders."""

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
from typing import TYPE_CHECKING

import numpy as np
import pytest

from cavalcade import __version__
from cavalcade.boards.notation import parse_board
from cavalcade.counting import checkpoints, cycles, matchings, meeting
from cavalcade.counting.cycles import count_cycles
from cavalcade.counting.listing import list_tours
from cavalcade.counting.magic import magic_tours
from cavalcade.counting.residues import pairs
from cavalcade.counting.sampling import sample
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

PUBLISHED = [
    row
    for row in csv.DictReader((Path(__file__).parent / "data" / "count_oracles.csv").read_text().splitlines())
    if row["board"] != "8x8"
]


@cache
def terms(strip: str, *, is_open: bool = False) -> tuple[int, ...]:
    """The counts of a strip, from its matrix: once for all tests here."""
    return sequence(strip, 220, open=is_open).terms


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: f"{row['board']} {row['kind']}")
def test_published_counts(row: dict[str, str]) -> None:
    found = count(row["board"], piece=row["piece"], open=row["kind"] == "open")
    assert found.count == int(row["count"])


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
    """Also over primes, as for numbers beyond one word, and with the narrowest middle."""
    graph = move_graph(parse_board(spec))
    graph = Question(graph, closed=closed).as_cycle
    last = None if closed else graph.size - 1
    known = count_cycles(graph, last=last)
    for base in (BASE, 1e3):  # a large one prefers narrow middles
        monkeypatch.setattr(meeting, "BASE", base)
        plan = meeting.halves(graph, last)
        assert plan is not None, "it has a half turn"
        assert meeting.count_in_halves(graph, plan) == known
        with monkeypatch.context() as patch:
            patch.setattr(matchings, "bits_of", lambda *_: 70.0)
            assert meeting.count_in_halves(graph, plan) == known


def test_halves_go_on_from_any_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped after every fourth step, also where the edges of the middle are joined on."""
    monkeypatch.setattr(checkpoints, "SAVE_EVERY", 0.0)
    graph = move_graph(parse_board("6x7"))
    plan = meeting.halves(graph)
    assert plan is not None
    file = tmp_path / "half.npz"
    runs: list[list[int]] = []

    def stop(now: Progress) -> None:
        runs[-1].append(now.taken)
        if len(runs[-1]) == 4 and len(runs) < 100:
            raise KeyboardInterrupt

    while True:
        runs.append([])
        try:
            found = meeting.count_in_halves(
                graph, plan, record=Progress(stop), checkpoints=checkpoints.Checkpoints(file)
            )
        except KeyboardInterrupt:
            continue
        break
    assert found == 1067638
    assert len(runs) < 100
    assert runs[-1][0] > len(plan.side) + 1, "it began with the edges of the middle"
    assert not file.exists()


def test_halves_of_wide_and_of_long_boards() -> None:
    """Against a published number, and against the matrix of the strip, another program."""
    graph = move_graph(parse_board("6x8"))
    plan = meeting.halves(graph)
    assert plan is not None
    assert meeting.count_in_halves(graph, plan) == 55488142  # OEIS A193055
    question = Question.of("3x80", open=True)
    plan = meeting.halves(question.as_cycle, question.apex)
    assert plan is not None
    found = meeting.count_in_halves(question.as_cycle, plan)
    assert found == terms("3xn", is_open=True)[79] > 2**130


@pytest.mark.slow
def test_halves_of_larger_boards() -> None:
    """As above."""
    for spec, known in (("6x8", 55488142), ("6x12", 964730606632516)):  # OEIS A175881 and the oracles
        graph = move_graph(parse_board(spec))
        plan = meeting.halves(graph)
        assert plan is not None
        assert meeting.count_in_halves(graph, plan) == known
    found = count("4x80", open=True).count
    assert found > 2**150
    assert found == sequence("4xn", 80, open=True).terms[-1]


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
    """Against the matrix of the strip, which puts numbers together from other primes."""
    question = Question.of(board, open=open_)
    found = count_cycles(question.as_cycle, last=question.apex, compiled=compiled)
    assert found == terms(strip, is_open=open_)[n - 1]
    assert found > 2**118  # more than two words hold exactly: it takes three runs


def test_bounds_are_hardly_larger() -> None:
    """Where counts were rounded up, the number of primes is decided by what comes of them."""
    graph = move_graph(parse_board("3x200"))
    known = terms("3xn")[199]
    steps = stages(neighbours(graph), narrow_order(graph))
    search = FrontierSearch(steps, rounding=True)
    while search.taken < graph.size:
        search.take()
    assert search.scale >= 180
    assert known < search.cycles < known + (known >> 40)
    assert math.prod(map(math.prod, pairs(known))) > known > math.prod(map(math.prod, pairs(known)[1:]))


def test_halves_of_any_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With remainders from both sides, and interrupted every 500 steps, in whatever run that is."""
    monkeypatch.setattr(checkpoints, "SAVE_EVERY", 0.0)
    known = terms("3xn")[159]
    assert known > 2**240
    graph = move_graph(parse_board("3x160"))
    plan = meeting.halves(graph)
    assert plan is not None
    for file in (None, tmp_path / "half.npz"):
        steps = itertools.count(1)

        def stop(_: Progress, steps: Iterator[int] = steps, file: Path | None = file) -> None:
            if file and next(steps) % 500 == 0:
                raise KeyboardInterrupt

        for _ in range(20):
            with suppress(KeyboardInterrupt):
                kept = checkpoints.Checkpoints(file)
                assert meeting.count_in_halves(graph, plan, record=Progress(stop), checkpoints=kept) == known
                break
        else:
            pytest.fail("it did not come to an end")


def test_interrupted_with_large_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every 50 steps, of 240: the file has counts of any size."""
    monkeypatch.setattr(checkpoints, "SAVE_EVERY", 0.0)
    # a clock of its own, so that how fast the disk is does not matter
    monkeypatch.setattr(checkpoints, "time", SimpleNamespace(perf_counter=itertools.count().__next__))
    file = tmp_path / "long.npz"
    taken: list[int] = []

    def stop(now: Progress) -> None:
        taken.append(now.taken)
        if len(taken) % 50 == 0:
            raise KeyboardInterrupt

    for _ in range(20):
        with suppress(KeyboardInterrupt):
            assert count("3x80", progress=stop, checkpoint=file).count == terms("3xn")[79]
            break
    else:
        pytest.fail("it did not come to an end")
    assert set(taken) == set(range(1, 241))
    assert len(taken) < 2 * 240, "it went on from where it was"


def test_folded_numbers_of_any_size() -> None:
    """With no voltages at all, a folded graph is a graph."""
    graph = move_graph(parse_board("3x100"))
    rows = [[(w, 0) for w in graph.neighbours(v).tolist()] for v in range(graph.size)]
    assert count_folded(rows) == terms("3xn")[99] > 2**150


def forecasts(spec: str, *, is_open: bool = False) -> tuple[list[float], Progress]:
    """The states expected at the peak, before a count and after each step; and the record of the count."""
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
def test_forecasts_against_what_is_counted(spec: str, is_open: bool) -> None:  # noqa: FBT001
    """An upper bound at first, then what the search shows: from half of its steps on within a factor of 3."""
    expected, record = forecasts(spec, is_open=is_open)
    assert expected[0] >= record.peak_states
    half = [states / record.peak_states for states in expected[record.vertices // 2 :]]
    assert 1 / 3 < min(half) <= max(half) < 3
    assert half[-1] < 1.01
    assert record.expected_bytes < 3 * record.peak_bytes


def test_what_will_not_fit_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(now: Progress) -> None:
        assert now.expected_bytes < 2e9
        if now.states > 1_000_000:
            raise KeyboardInterrupt

    said = r"needs about .* MB for .* states, and about .* s; it may use 134.2 MB of memory; the rest goes to"
    with pytest.warns(RuntimeWarning, match=said), pytest.raises(KeyboardInterrupt):
        count("8x8", memory=1 << 27, progress=stop)
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=10_000_000))
    with pytest.raises(TooLargeError, match=r"where 10.0 MB are free: expected a smaller board, more room"):
        count("8x8", memory=1 << 27)


@pytest.mark.parametrize("halved", [False, True])
def test_from_the_disk(halved: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001
    """Interrupted every nine steps, with a memory that holds none of the larger tables."""
    monkeypatch.setattr(checkpoints, "SAVE_EVERY", 0.0)
    graph = move_graph(parse_board("6x7"))
    on_disk: list[int] = []

    def stop(now: Progress) -> None:
        on_disk.append(now.disk)
        if len(on_disk) % 9 == 0:
            raise KeyboardInterrupt

    kept = tmp_path / "half.npz"
    plan = meeting.halves(graph)
    assert plan is not None
    for _ in range(20):
        with limits(memory=100_000), suppress(KeyboardInterrupt):
            file, record = checkpoints.Checkpoints(kept), Progress(stop)
            if halved:
                found = meeting.count_in_halves(graph, plan, record=record, checkpoints=file)
            else:
                found = count_cycles(graph, record=record, checkpoints=file)
            break
    else:
        pytest.fail("it did not come to an end")
    assert found == 1067638
    assert max(on_disk) > 30_000
    assert not list(tmp_path.iterdir()), "nothing stays"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full")
def test_a_full_disk_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/full").open("wb", buffering=0) as full:
        monkeypatch.setattr("tempfile.TemporaryFile", lambda **_: full)
        with pytest.raises(TooLargeError, match=r"not fit into memory, and .* cannot hold them: No space"):
            count("6x7", memory=100_000)


@pytest.mark.slow
def test_eight_by_eight() -> None:
    """B. D. McKay, Knight's tours of an 8x8 chessboard, 1997."""
    assert count("8x8", memory=12_000_000_000).count == 13267364410532


@pytest.mark.slow
def test_ten_by_ten_under_the_half_turn() -> None:
    """Five minutes; not in print, as far as we know. Under the quarter turn two make a class."""
    found = count("10x10", symmetry="half turn", twice=True).count
    assert found == 8_075_814_890_272
    assert (found - count("10x10", symmetry="quarter turn").count) % 4 == 0


@pytest.mark.parametrize("apex", [False, True])
def test_contractions_and_walks_agree(apex: bool) -> None:  # noqa: FBT001
    """All pairings of ten places against all: as many make a single cycle as theory says, either way."""
    key, ranks = sum(4**i for i in range(10)), np.arange(945)
    ones = side_of(key, ranks, np.ones(945))
    assert matchings.met(ones, ones, 10, apex=apex) == [945 * 384]  # of 945 partners 8 * 6 * 4 * 2
    side = side_of(key, ranks, ranks + 1)
    contracted = matchings.met(side, side, 10, apex=apex)
    few = [side_of(key, ranks[i : i + 9], ranks[i : i + 9] + 1) for i in range(0, 945, 9)]
    assert contracted == [sum(sum(matchings.met(one, side, 10, apex=apex)) for one in few)]


def test_pairings_of_sixteen_ends() -> None:
    """All against all by contraction; and some one by one, where there is no room for tables."""
    n, ranks = 16, np.arange(2027025)
    key = sum(4**i for i in range(n))
    ones = side_of(key, ranks, np.ones(len(ranks)))
    assert matchings.met(ones, ones, n) == [len(ranks) * 645120]  # 14 * 12 * 10 * 8 * 6 * 4 * 2
    some = np.random.default_rng(1).choice(ranks, 8_200, replace=False)
    side = side_of(key, np.sort(some), some)
    contracted = matchings.met(side, side, n)
    with limits(memory=1 << 26):
        assert matchings.met(side, side, n) == contracted


@pytest.mark.parametrize("seed", [0, 1])
def test_states_that_a_step_leaves_as_they_are_come_to_all_trays(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """They are read by their places. With the same places after the step they fill one tray after another."""
    monkeypatch.setattr(tables, "PART", 1 << 10)
    states, others = np.random.default_rng(seed).integers(1 << 60, size=(2, 48_000)).tolist()
    other = dict(zip(states, others, strict=True))
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
            for successor in (low, other[low]):
                tables.put([successor, ways], trays)
        return until

    new, _ = tables.transform(old, stay_and_bring_another, layout=layout, most=2, held=0, where="")
    low, ways = new.compact().records.T.tolist()
    assert sorted(low) == sorted(states + others)
    assert set(ways) == {3}
    assert rounds < 40  # 12, as the trays hold an eighth of a table that grows


def plain_beam(graph: MoveGraph, kept: int) -> list[int]:
    """The order of a beam search that writes down every beginning, and then keeps the best."""
    near = [set(row) for row in neighbours(graph)]
    layer: list[tuple[float, int, list[int]]] = [(0.0, 0, [])]
    for _ in range(graph.size):
        found: dict[int, tuple[float, int, list[int]]] = {}
        for cost, taken, order in layer:
            frontier = {w for v in order for w in near[v]} - set(order)
            for v in sorted(frontier or set(range(graph.size)) - set(order)):
                now, wide = taken | 1 << v, (frontier | near[v]) - {*order, v}
                if now not in found or cost + 3.0 ** len(wide) < found[now][0]:
                    found[now] = cost + 3.0 ** len(wide), now, [*order, v]
        layer = sorted(found.values())[:kept]
    return layer[0][2]


def test_what_is_not_written_down_is_never_kept() -> None:
    """On boards, and on random graphs of several parts; small ones keep fewer orders, and find the same."""
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


def test_limits_are_told() -> None:
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
def test_what_was_found_before_the_limit_is_kept(
    find: Callable[[float], Iterator[object]], limit: float, least: int
) -> None:
    found: list[object] = []
    began = time.perf_counter()
    with pytest.raises(TooLargeError, match=rf"the time limit of {limit} s is reached"):
        found.extend(find(limit))
    assert len(found) >= least
    assert time.perf_counter() - began < 10, "it ends soon, on a busy machine too"


def test_terms_before_the_limit_are_kept() -> None:
    told: list[int] = []
    found = sequence("12xn", time_limit=2, memory=200 << 20, found=lambda _, term: told.append(term))
    assert found.terms == tuple(told)
    assert found.terms[:3] == (0, 0, 176)[: len(told)]
    assert found.reason
    assert found.bfile == "".join(f"{n} {term}\n" for n, term in enumerate(told, 1))


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
        "board", "piece", "kind", "count", "conventions", "seconds", "peak_states", "peak_bytes",
    }  # fmt: skip
    code, out, err = cli("count", "6x6")
    assert (code, out) == (0, "9862\n")
    assert "1,279 states" in err
    assert err.endswith(f"cavalcade {__version__}\n")
    code, out, err = cli("count", "6x7", "--memory", "0.02M")
    assert (code, out) == (3, "")
    assert "undecided: after" in err
    assert "the memory limit is 0.0 MB" in err
    assert cli("count", "6x6", "--memory", "lots")[0] == 2
    assert cli("count", "6x6", "--to", "a1")[0] == 2


def test_a_count_that_takes_too_long_goes_on_another_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_a_killed_count_goes_on(tmp_path: Path) -> None:
    """Killed without warning in the middle; the second run begins behind the first and is right."""
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


def test_checkpoints_of_something_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "five.npz"
    monkeypatch.setattr("cavalcade.counting.checkpoints.SAVE_EVERY", 0.0)

    def stop(now: Progress) -> None:
        if now.taken == 20:
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
        with pytest.raises(FormatError, match=r"cannot keep a checkpoint in .*(No such file|Is a directory)"):
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
    assert "five.npz could not be saved: No space left on device; the count continues" in ran.err
    assert not list(tmp_path.iterdir())
