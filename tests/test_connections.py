"""Pairs of cells that open tours connect, against complete lists and plain enumeration."""

from __future__ import annotations

import json
import random
import re
from itertools import combinations, pairwise, permutations
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import cavalcade
from cavalcade.ask import connections
from cavalcade.ground.errors import CavalcadeError, TooLargeError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.symmetry import Symmetry

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Ran


def joined(table: cavalcade.Connections) -> set[tuple[int, int]]:
    """All ordered pairs of cells that the table calls the ends of a tour."""
    n = table.question.board.size
    return {
        (a, b)
        for a in range(n)
        for b in range(n)
        if a != b and table.classes[table.of[a, b]].answer == "found"
    }


@pytest.mark.parametrize(
    ("board", "piece"),
    [("3x4", None), ("4x5", None), ("5x5", None), ("5x5-c3", None), ("3x7", None), ("torus:3x3", None),
     ("cylinder:4x3", None), ("triangle:5", None), ("3x3-b2", None), ("4x4", "wazir"), ("2x3x3", None)],
)  # fmt: skip
def test_the_ends_of_all_tours(board: str, piece: str | None) -> None:
    """Each pair has the right answer, although the search answers one pair of each class."""
    table = cavalcade.connected(board, piece=piece)
    ends = {
        (int(cells[i]), int(cells[i - 1]))
        for tour in cavalcade.list_tours(board, piece=piece, open=True)
        for cells, i in ((tour.cells, 0), (tour.cells[::-1], 0))
    }
    assert joined(table) == ends
    assert 2 * table.number == len(ends)
    n = table.question.board.size
    assert (
        sum(pair_class.size for pair_class in table.classes)
        == sum(table.reasons.values())
        == n * (n - 1) // 2
    )
    for pair_class in table.classes:
        if isinstance(pair_class.verdict, cavalcade.Found):
            assert {pair_class.verdict.tour.cells[0], pair_class.verdict.tour.cells[-1]} == {
                pair_class.start,
                pair_class.end,
            }


@pytest.mark.parametrize("directed", [False, True])
def test_random_graphs(directed: bool) -> None:  # noqa: FBT001 - a parameter
    rng = random.Random(5)
    for _ in range(40):
        n = rng.randint(2, 6)
        pairs = list(permutations(range(n), 2) if directed else combinations(range(n), 2))
        edges = np.array([pair for pair in pairs if rng.random() < 0.6], dtype=np.int32).reshape(-1, 2)
        graph = MoveGraph.from_edges(edges, size=n, directed=directed)
        arcs = {tuple(edge) for edge in edges.tolist()}
        arcs |= set() if directed else {(b, a) for a, b in arcs}
        ends = {
            (path[0], path[-1])
            for path in permutations(range(n))
            if all(step in arcs for step in pairwise(path))
        }
        assert joined(cavalcade.connected(graph)) == ends


def test_a_false_symmetry_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison with complete lists detects classes that are too large."""

    def wrong(question: cavalcade.Question) -> list[Symmetry]:
        cells = np.arange(question.board.size, dtype=np.int32)
        return [Symmetry("identity", cells), Symmetry("shift", np.roll(cells, 1))]

    monkeypatch.setattr(connections, "symmetries", wrong)
    with pytest.raises(AssertionError):
        test_the_ends_of_all_tours("4x5", None)


@pytest.mark.parametrize("spec", ["4x5", "hex:2", "digraph"])
def test_a_table_has_a_square_for_every_pair(spec: str, tmp_path: Path) -> None:
    """Each square names its cells and its answer; squares of one answer have the colour of the legend."""
    arcs = [(0, 1), (1, 2), (2, 0), (0, 2), (2, 3), (3, 1)]
    table = cavalcade.connected(MoveGraph.from_edges(arcs, directed=True) if spec == "digraph" else spec)
    cavalcade.save(table, tmp_path / "table.svg")
    page = ET.parse(tmp_path / "table.svg")  # noqa: S314 - our own
    around = {element: group for group in page.iter() for element in group}
    answers: dict[tuple[str, str], str] = {}
    colours: dict[str, set[str | None]] = {}
    for square in page.iter("{http://www.w3.org/2000/svg}rect"):
        note = square.findtext("{http://www.w3.org/2000/svg}title")
        if note is None:
            continue
        start, end, word = re.fullmatch(r"start (.+), end (.+): (\w+)", note).groups()  # type: ignore[union-attr]
        answers[start, end] = word
        colours.setdefault(word, set()).add(square.get("fill") or around[square].get("fill"))
    names = table.question.board.names
    assert answers == {
        (a, b): table.classes[table.of[i, j]].answer for (i, a), (j, b) in permutations(enumerate(names), 2)
    }
    assert set(colours) == set(table.reasons)
    assert len({*map(frozenset, colours.values())}) == len(colours)
    assert all(len(element) == 1 for element in colours.values())


def test_tables_that_cannot_be_drawn(tmp_path: Path) -> None:
    with pytest.raises(TooLargeError, match="more than 200 cells"):
        cavalcade.save(cavalcade.connected("3x70", time_limit=0.01), tmp_path / "table.png")
    with pytest.raises(CavalcadeError, match="no two cells"):
        cavalcade.save(cavalcade.connected("1x1"), tmp_path / "table.svg")
    with pytest.raises(CavalcadeError, match="Pictures: svg png pdf tikz"):
        cavalcade.save(cavalcade.connected("3x3"), tmp_path / "table.csv")


def test_the_command_draws_a_table(cli: Callable[..., Ran], tmp_path: Path) -> None:
    for ending, begin in (("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("txt", b"a3  b3")):
        assert cli("connected", "3x4", "-o", tmp_path / f"table.{ending}").code == 0
        assert (tmp_path / f"table.{ending}").read_bytes().startswith(begin)


def test_colours_decide_on_the_chessboard() -> None:
    """Tours connect all pairs of one black and one white cell, and no other pairs."""
    table = cavalcade.connected("8x8")
    assert table.reasons == {"found": 32 * 32, "colours": 32 * 31}
    assert table.between("a1", "h8").status == "impossible"
    assert table.between("a1", "h7").status == "found"


@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_the_table_of_the_documentation(step: int) -> None:
    text = (Path(__file__).parent.parent / "docs" / "commands" / "connected.md").read_text(encoding="utf-8")
    table = text[text.index("| joined by a tour |") :].partition("\n\n")[0].splitlines()[2:]
    assert len(table) == 42
    for line in table[::step]:
        board, *numbers = line.strip("| ").split(" | ")
        pairs, tours, colours, rest = (int(number.replace(",", "")) for number in numbers)
        reasons = cavalcade.connected(board).reasons
        assert reasons.pop("found", 0) == tours, board
        assert reasons.pop("colours", 0) == colours
        assert "undecided" not in reasons
        assert sum(reasons.values()) == rest == pairs - tours - colours


def test_refusals_and_time_limits() -> None:
    with pytest.raises(TooLargeError, match="40x40 has more than 1,000 cells"):
        cavalcade.connected("40x40")
    with pytest.raises(CavalcadeError, match="all ends are tried"):
        cavalcade.connected(cavalcade.Question.of("5x5", open=True, start="a1"))
    with pytest.raises(CavalcadeError, match="cannot begin and end on a1"):
        cavalcade.connected("3x4").between("a1", "a1")
    late = cavalcade.connected("8x8", time_limit=1e-6)
    assert late.reasons == {"undecided": 64 * 63 // 2}
    assert cavalcade.connected("1x1").classes == ()


def test_the_command(cli: Callable[..., Ran]) -> None:
    ran = cli("connected", "3x4")
    assert ran.code == 0
    assert ran.out.splitlines()[:2] == ["a3  b3  4  cut", "a3  c3  4  colours"]
    assert ran.err == (
        "3x4: 7 of 66 pairs of cells are the ends of an open tour; 2 by chain, 30 by colours, 18 by cut, "
        "9 by hall are not; certified\n"
    )
    rows = [json.loads(line) for line in cli("connected", "3x4", "--json").out.splitlines()]
    assert sum(row["pairs"] for row in rows if row["status"] == "found") == 7
    for row in rows:
        assert ("tour" in row) == (row["status"] == "found")
        statement = row.get("certificate", {}).get("statement", "open tour of 3x4 from {from} to {to}")
        assert statement.format(**row) == f"open tour of 3x4 from {row['from']} to {row['to']}"
    late = cli("connected", "8x8", "--time-limit", "0.01")
    assert late.code == 3
    assert "undecided" in late.out + late.err  # the limit may end the search before the first pair
