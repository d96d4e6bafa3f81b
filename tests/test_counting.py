"""Counts against published numbers, against a second method, and against themselves in other orders."""

from __future__ import annotations

import csv
import itertools
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cavalcade.cli import main
from cavalcade.counting.ask import count
from cavalcade.counting.frontier import count_cycles
from cavalcade.counting.order import frontier_widths, narrow_order
from cavalcade.errors import CellError, FormatError, TooLargeError
from cavalcade.graph import MoveGraph, move_graph
from cavalcade.notation import parse_board
from strategies import boards, edge_lists

if TYPE_CHECKING:
    from collections.abc import Callable

    from cavalcade.boards import Board
    from cavalcade.counting.frontier import Progress

PUBLISHED = [
    row
    for row in csv.DictReader((Path(__file__).parent / "data" / "count_oracles.csv").read_text().splitlines())
    if row["board"] != "8x8"
]


def listed(graph: MoveGraph, *, closed: bool, start: int | None = None, end: int | None = None) -> int:
    """The second method: walk every path, and count the undirected tours (with ends: the directed)."""
    rows = [graph.neighbours(i).tolist() for i in range(graph.size)]
    found = 0
    for first in [0] if closed else range(graph.size) if start is None else [start]:
        stack = [(first, 1 << first)]
        while stack:
            at, seen = stack.pop()
            if seen.bit_count() == graph.size:
                found += (first in rows[at]) if closed else end in {None, at}
            stack += [(v, seen | 1 << v) for v in rows[at] if not seen >> v & 1]
    if closed:
        return found // 2 if graph.size > 2 else 0
    return found if start is not None or end is not None else found // 2


@pytest.fixture
def cli_run(capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        captured = capfd.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: f"{row['board']} {row['kind']}")
def test_published_counts(row: dict[str, str]) -> None:
    found = count(row["board"], piece=row["piece"], open=row["kind"] == "open")
    assert found.count == int(row["count"])


@pytest.mark.parametrize("spec", ["3x4", "4x5", "3x7", "torus:3x3", "cylinder:3x5", "mobius:3x4", "2x2x4"])
def test_a_second_method(spec: str) -> None:
    graph = move_graph(parse_board(spec))
    assert count(spec).count == listed(graph, closed=True)
    assert count(spec, open=True).count == listed(graph, closed=False)
    for start, end in ((0, graph.size - 1), (1, 2)):
        assert count(spec, open=True, start=start, end=end).count == listed(
            graph, closed=False, start=start, end=end
        )
        assert count(spec, open=True, start=start).count == listed(graph, closed=False, start=start)


def test_the_ends_of_open_tours_add_up() -> None:
    every = count("5x5", open=True).count
    assert sum(count("5x5", open=True, start=i).count for i in range(25)) == 2 * every == 1728
    assert sum(count("5x5", open=True, start=0, end=i).count for i in range(1, 25)) == 304
    assert count("5x5", open=True, directed=True).count == 1728


@settings(max_examples=80, deadline=None)
@given(edge_lists(), st.booleans())
def test_random_graphs(listing: tuple[int, list[tuple[int, int]]], closed: bool) -> None:  # noqa: FBT001
    size, edges = listing
    graph = MoveGraph.from_edges(edges, size)
    if size > 1:
        assert count(graph, open=not closed).count == listed(graph, closed=closed)


@settings(max_examples=40, deadline=None)
@given(boards(most=16), st.integers(0, 99))
def test_orders_and_tiers_agree(board: Board, seed: int) -> None:
    graph = move_graph(board)
    if graph.size > 16:
        return
    order = list(range(graph.size))
    random.Random(seed).shuffle(order)
    narrow = count_cycles(graph, compiled=False)
    assert narrow.cycles == count_cycles(graph, order=order, compiled=True).cycles
    assert narrow.peak_states == count_cycles(graph, compiled=True).peak_states


def test_complete_graphs_and_cubes() -> None:
    for n in (3, 4, 5, 6, 7, 8, 13):
        graph = MoveGraph.from_edges(list(itertools.combinations(range(n), 2)), n)
        factorial = 1
        for k in range(2, n):
            factorial *= k
        assert count(graph).count == factorial // 2
    for d, known in ((2, 1), (3, 6), (4, 1344), (5, 906545760)):  # OEIS A066037
        if d < 5:
            assert count(MoveGraph.from_networkx(nx.hypercube_graph(d))).count == known
    assert count(MoveGraph.from_networkx(nx.petersen_graph())).count == 0
    assert count(MoveGraph.from_networkx(nx.dodecahedral_graph())).count == 30


def test_counts_beyond_one_word() -> None:
    """3x50 has more closed tours than 64 bits hold; the recurrence of OEIS A070030 says how many."""
    terms = {n: count(f"3x{n}").count for n in (10, 12, 14, 16, 18, 20, 60)}
    assert [terms[n] for n in (10, 12, 14, 16, 18, 20)] == [16, 176, 1536, 15424, 147728, 1448416]
    assert terms[60] > 2**64


def test_counts_beyond_two_words_are_refused() -> None:
    assert count("4x40", open=True).count > 2**64
    with pytest.raises(TooLargeError, match="outgrow two words"):
        count("4x80", open=True)


def test_narrow_orders() -> None:
    graph = move_graph(parse_board("6x12"))
    assert max(frontier_widths(graph, narrow_order(graph))) <= 13
    assert max(frontier_widths(graph, list(range(graph.size)))) > 20
    assert narrow_order(graph, last=5)[-1] == 5


def test_limits_are_told() -> None:
    complete = MoveGraph.from_edges(list(itertools.combinations(range(40), 2)), 40)
    with pytest.raises(TooLargeError, match="40 vertices wide, and at most 32"):
        count(complete)
    with pytest.raises(TooLargeError, match="tables need more than"):
        count("6x7", memory=1 << 17)
    with pytest.raises(CellError, match="closed tours have no ends"):
        count("8x8", start="a1")
    with pytest.raises(CellError, match="same cell"):
        count("5x5", open=True, start="a1", end="a1")


def test_trivial_boards() -> None:
    assert count("1x1").count == count("1x1", open=True).count == 1
    assert count("1x2").count == count("1x2", open=True).count == 0
    assert count(MoveGraph.from_edges([(0, 1)]), open=True).count == 1
    assert count(MoveGraph.from_edges([(0, 1)])).count == 0


def test_the_command(cli_run: Callable[..., tuple[int, str, str]]) -> None:
    code, out, err = cli_run("count", "5x5", "--open", "--directed", "--json")
    answer = json.loads(out)
    assert (code, answer["count"], answer["kind"], answer["board"]) == (0, 1728, "open", "5x5")
    assert set(answer) == {
        "board", "piece", "kind", "count", "conventions", "seconds", "peak_states", "peak_bytes",
    }  # fmt: skip
    assert cli_run("count", "6x6")[:2] == (0, "9862\n")
    code, out, err = cli_run("count", "6x8", "--memory", "1M")
    assert (code, out) == (3, "")
    assert "undecided: after" in err
    assert "1 MiB" in err
    assert cli_run("count", "6x6", "--memory", "lots")[0] == 2
    assert cli_run("count", "6x6", "--from", "a1")[0] == 2


def test_a_killed_count_goes_on(tmp_path: Path) -> None:
    """Killed without warning in the middle; the second run begins behind the first and is right."""
    file = tmp_path / "six.npz"
    script = (
        "import sys; from pathlib import Path\n"
        "from cavalcade.counting import frontier; from cavalcade import count\n"
        "frontier.SAVE_EVERY = 0.0\n"
        "def told(p): print(p.taken, flush=True)\n"
        "print('count', count('6x8', progress=told, checkpoint=Path(sys.argv[1])).count)"
    )
    command = [sys.executable, "-c", script, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout
        for line in first.stdout:
            if int(line) >= 16:
                first.kill()
    assert file.exists()
    second = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert int(second[0]) > 4
    assert second[-2:] == ["count", "55488142"]
    assert list(tmp_path.iterdir()) == []


def test_checkpoints_of_something_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "five.npz"
    monkeypatch.setattr("cavalcade.counting.frontier.SAVE_EVERY", 0.0)

    def stop(now: Progress) -> None:
        if now.taken == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        count("5x6", progress=stop, checkpoint=file)
    with pytest.raises(FormatError, match="checkpoint of another count"):
        count("5x8", checkpoint=file)
    assert count("5x6", checkpoint=file).count == 8
    file.write_bytes(b"PK nonsense")
    with pytest.raises(FormatError, match="is no checkpoint"):
        count("5x6", checkpoint=file)
    file.unlink()
    with pytest.raises(OSError, match="No such file"):
        count("5x6", checkpoint=tmp_path / "nowhere" / "five.npz")
