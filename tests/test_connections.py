"""Which cells open tours connect, against full lists and plain enumeration."""

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


def joined(found: cavalcade.Connections) -> set[tuple[int, int]]:
    """All pairs of cells, in both directions, that are said to be the ends of a tour."""
    n = found.question.board.size
    return {
        (a, b)
        for a in range(n)
        for b in range(n)
        if a != b and found.classes[found.of[a, b]].answer == "found"
    }


@pytest.mark.parametrize(
    ("board", "piece"),
    [("3x4", None), ("4x5", None), ("5x5", None), ("5x5-c3", None), ("3x7", None), ("torus:3x3", None),
     ("cylinder:4x3", None), ("triangle:5", None), ("3x3-b2", None), ("4x4", "wazir"), ("2x3x3", None)],
)  # fmt: skip
def test_the_ends_of_all_tours(board: str, piece: str | None) -> None:
    """Each pair with its own answer, though one of each class is asked."""
    found = cavalcade.connected(board, piece=piece)
    ends = {
        (int(cells[i]), int(cells[i - 1]))
        for tour in cavalcade.list_tours(board, piece=piece, open=True)
        for cells, i in ((tour.cells, 0), (tour.cells[::-1], 0))
    }
    assert joined(found) == ends
    assert 2 * found.number == len(ends)
    n = found.question.board.size
    assert sum(one.size for one in found.classes) == sum(found.reasons.values()) == n * (n - 1) // 2
    for one in found.classes:
        if isinstance(one.verdict, cavalcade.Found):
            assert {one.verdict.tour.cells[0], one.verdict.tour.cells[-1]} == {one.start, one.end}


@pytest.mark.parametrize("directed", [False, True])
def test_random_graphs(directed: bool) -> None:  # noqa: FBT001 - a parameter
    rng = random.Random(5)
    for _ in range(40):
        n = rng.randint(2, 6)
        pairs = list(permutations(range(n), 2) if directed else combinations(range(n), 2))
        edges = np.array([pair for pair in pairs if rng.random() < 0.6], dtype=np.int32).reshape(-1, 2)
        graph = MoveGraph.from_edges(edges, size=n, directed=directed)
        known = {tuple(edge) for edge in edges.tolist()}
        known |= set() if directed else {(b, a) for a, b in known}
        ends = {
            (path[0], path[-1])
            for path in permutations(range(n))
            if all(step in known for step in pairwise(path))
        }
        assert joined(cavalcade.connected(graph)) == ends


def test_a_symmetry_that_is_none_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lists above see classes that are too large."""

    def wrong(question: cavalcade.Question) -> list[Symmetry]:
        every = np.arange(question.board.size, dtype=np.int32)
        return [Symmetry("identity", every), Symmetry("shift", np.roll(every, 1))]

    monkeypatch.setattr(connections, "symmetries", wrong)
    with pytest.raises(AssertionError):
        test_the_ends_of_all_tours("4x5", None)


@pytest.mark.parametrize("spec", ["4x5", "hex:2", "digraph"])
def test_a_table_has_a_square_for_every_pair(spec: str, tmp_path: Path) -> None:
    """Each says its cells and its answer; those of one answer have one colour, the one of the legend."""
    arcs = [(0, 1), (1, 2), (2, 0), (0, 2), (2, 3), (3, 1)]
    found = cavalcade.connected(MoveGraph.from_edges(arcs, directed=True) if spec == "digraph" else spec)
    cavalcade.save(found, tmp_path / "table.svg")
    page = ET.parse(tmp_path / "table.svg")  # noqa: S314 - our own
    around = {one: group for group in page.iter() for one in group}
    said: dict[tuple[str, str], str] = {}
    colours: dict[str, set[str | None]] = {}
    for square in page.iter("{http://www.w3.org/2000/svg}rect"):
        note = square.findtext("{http://www.w3.org/2000/svg}title")
        if note is None:
            continue
        start, end, word = re.fullmatch(r"start (.+), end (.+): (\w+)", note).groups()  # type: ignore[union-attr]
        said[start, end] = word
        colours.setdefault(word, set()).add(square.get("fill") or around[square].get("fill"))
    names = found.question.board.names
    assert said == {
        (a, b): found.classes[found.of[i, j]].answer for (i, a), (j, b) in permutations(enumerate(names), 2)
    }
    assert set(colours) == set(found.reasons)
    assert len({*map(frozenset, colours.values())}) == len(colours)
    assert all(len(one) == 1 for one in colours.values())


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
    """Every black cell is joined to every white one, and no others are."""
    found = cavalcade.connected("8x8")
    assert found.reasons == {"found": 32 * 32, "colours": 32 * 31}
    assert found.between("a1", "h8").status == "impossible"
    assert found.between("a1", "h7").status == "found"


@pytest.mark.parametrize("each", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_the_table_of_the_documentation(each: int) -> None:
    text = (Path(__file__).parent.parent / "docs" / "examples.md").read_text(encoding="utf-8")
    table = text[text.index("| joined by a tour |") :].partition("\n\n")[0].splitlines()[2:]
    assert len(table) == 42
    for line in table[::each]:
        board, *numbers = line.strip("| ").split(" | ")
        pairs, tours, colours, others = (int(number.replace(",", "")) for number in numbers)
        reasons = cavalcade.connected(board).reasons
        assert reasons.pop("found", 0) == tours, board
        assert reasons.pop("colours", 0) == colours
        assert "undecided" not in reasons
        assert sum(reasons.values()) == others == pairs - tours - colours


def test_what_is_refused_and_what_is_late() -> None:
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
        "9 by hall are not\n"
    )
    rows = [json.loads(line) for line in cli("connected", "3x4", "--json").out.splitlines()]
    assert sum(row["pairs"] for row in rows if row["status"] == "found") == 7
    for row in rows:
        assert ("tour" in row) == (row["status"] == "found")
        statement = row.get("certificate", {}).get("statement", "open tour of 3x4 from {from} to {to}")
        assert statement.format(**row) == f"open tour of 3x4 from {row['from']} to {row['to']}"
    late = cli("connected", "8x8", "--time-limit", "0.01")
    assert late.code == 3
    assert "undecided" in late.out
