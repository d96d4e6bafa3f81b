"""Arguments of the public functions: accepted in every sensible form, or refused with a clear error."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest

import cavalcade
from cavalcade.ground.errors import CavalcadeError

if TYPE_CHECKING:
    from collections.abc import Callable

F: Any = cavalcade  # the tests pass arguments that a type checker rejects


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "ring.txt"
    path.write_text("...\n.#.\n...\n")
    return path


def test_boards_of_every_kind(picture: Path) -> None:
    for board in ((8, 8), [8, 8], np.array([8, 8]), cavalcade.board("8x8"), "8x8"):
        assert F.tour(board).tour.board == cavalcade.board("8x8")
        assert F.degrees(board).sum() == 336
    for path in (picture, str(picture), Path(picture)):
        assert F.tour(path).tour.board.spec == "3x3-b2"
        assert F.count(path).count == 1
    assert F.construct((18, 24)).board.spec == "18x24"
    assert F.move_graph([5, 6]).size == 30
    assert [tour.names for tour in F.list_tours((5, 6))] == [tour.names for tour in F.list_tours("5x6")]
    assert F.warnsdorff((8, 8)).tour.board.size == 64


def test_pieces_of_every_kind() -> None:
    for piece in ((1, 3), [3, 1], "camel", "1,3", cavalcade.CAMEL):
        assert F.tour("5x5", piece=piece).status == F.tour("5x5", piece="camel").status
        assert F.move_graph("5x5", piece).edge_count == F.move_graph("5x5", "camel").edge_count


def test_nodes_of_tours_are_the_nodes_of_the_caller() -> None:
    nodes: list[Any] = [1, "1", (2, 3), frozenset({4}), "b"]
    ring = nx.cycle_graph(5)
    graph = nx.relabel_nodes(ring, dict(enumerate(nodes)))
    for verdict in (F.tour(graph), F.tour(graph, open=True, start=(2, 3))):
        tour = verdict.tour
        assert set(tour.nodes) == set(nodes)
        assert all(graph.has_edge(a, b) for a, b in zip(tour.nodes, tour.nodes[1:], strict=False))
        assert len(set(tour.names)) == 5
    assert tour.nodes[0] == (2, 3)
    assert cavalcade.check(tour).ok
    assert F.count(graph).count == 1


def test_a_tour_is_a_sequence_of_names(tmp_path: Path) -> None:
    tour = F.tour("5x6").tour
    assert (tour[0], tour[-1], tour[:2], list(tour)) == ("a5", "c4", ["a5", "b3"], tour.names)
    assert tour.moves == list(zip(tour.names, [*tour.names[1:], "a5"], strict=True))
    assert len(tour.opened().moves) == len(tour) - 1
    assert str(tour) == F.write(tour)
    assert json.loads(tour.to_json())["cells"] == tour.names
    tour.save(tmp_path / "t.csv")
    assert F.read(tmp_path / "t.csv") == tour
    assert int(F.count("5x6")) == 8
    with pytest.raises(IndexError):
        tour[30]


def test_tours_are_tables_of_three_libraries() -> None:
    tours = F.Tours.of(F.list_tours("5x6"))
    assert (len(tours), tours[1], len(tours[2:])) == (8, list(F.list_tours("5x6"))[1], 6)
    table = tours.to_pandas()
    assert list(table.columns) == ["tour", "step", "name", "row", "column"]
    for number, tour in enumerate(tours, 1):
        rows = table[table["tour"] == number]
        assert rows["name"].tolist() == tour.names
        assert rows[["row", "column"]].to_numpy().tolist() == tour.coords.tolist()
        assert rows["step"].tolist() == list(range(1, 31))
    assert tours.to_arrow().to_pylist() == tours.to_polars().to_dicts() == table.to_dict("records")
    hexagon = F.Tours.of(F.tour("hex:3", piece="1,0", open=True).tour).to_pandas()
    assert list(hexagon.columns) == ["tour", "step", "name", "q", "r"]
    for wrong in (
        [],
        [F.tour("5x6").tour, F.tour("6x6").tour],
        [F.tour("6x6", open=True).tour, F.tour("6x6").tour],
    ):
        with pytest.raises(CavalcadeError):
            F.Tours.of(wrong)


def test_exceptions_are_public() -> None:
    with pytest.raises(F.BoardError):
        F.board("8y8")
    with pytest.raises(F.PieceError):
        F.tour("8x8", piece="kniht")
    assert issubclass(F.FormatError, F.CavalcadeError)


def test_check_takes_a_list_of_cells() -> None:
    tour = F.tour("5x6").tour
    assert F.check(tour.names, "5x6").ok
    assert F.check(list(tour), (5, 6)).ok
    assert F.check(tour.names[::-1], "5x6", open=True).message.startswith("an open tour")
    assert not F.check(tour.names, "5x6", piece="camel").ok
    for wrong in ((tour.names,), ("a1", "5x6"), (["z9"], "5x6"), (tour, "5x6"), ([1.5], "5x6")):
        with pytest.raises(CavalcadeError):
            F.check(*wrong)


HINTS: list[tuple[Callable[[], object], str]] = [
    (lambda: F.tour(8, 8), r"try tour\('8x8'\)"),
    (lambda: F.count(6), r"try count\('6x6'\)"),
    (lambda: F.tour("6x6", closed=True), "did you mean open=False"),
    (lambda: F.tour("6x6").save, r"try \.tour\.save\('tour.svg'\)"),
    (lambda: F.tour("6x6").crossings, r"try \.tour\.measure\(\)"),
    (lambda: list(F.tour("6x6")), r"try \.tour"),
    (lambda: F.count("5x6").value, r"try \.count"),
    (lambda: F.prove("4x4").verify, r"try \.certificate"),
    (lambda: F.tour("6x6").tour.plot, r"try \.save\('tour.svg'\)"),
    (lambda: F.solve("puzzle.txt"), r"read_puzzle"),
    (lambda: F.count("3xn"), r"sequence\('3xn'\)"),
    (lambda: F.Board("8x8"), r"board\('8x8'\)"),
    (lambda: F.check("t.txt"), r"try check\(read_tour\('t.txt'\)\)"),
]


@pytest.mark.parametrize(("ask", "hint"), HINTS)
def test_names_of_other_libraries_are_answered_with_ours(ask: Callable[[], object], hint: str) -> None:
    with pytest.raises((AttributeError, TypeError, CavalcadeError), match=hint):
        ask()


NONSENSE: dict[str, Callable[[], object]] = {
    "board None": lambda: F.tour(None),
    "board 8": lambda: F.tour(8),
    "board 8.0": lambda: F.tour((8.0, 8)),
    "board one side": lambda: F.tour((8,)),
    "board negative": lambda: F.tour((8, -8)),
    "board object": lambda: F.count(object()),
    "no file": lambda: F.tour("nowhere.txt"),
    "an empty graph": lambda: F.tour(nx.Graph()),
    "piece 7": lambda: F.tour("8x8", piece=7),
    "piece of three": lambda: F.tour("8x8", piece=(1, 2, 3)),
    "piece of a graph": lambda: F.tour(nx.cycle_graph(5), piece=(1, 3)),
    "start nan": lambda: F.tour("8x8", start=math.nan),
    "start list": lambda: F.tour("8x8", start=["a1"]),
    "seed -1": lambda: F.tour("8x8", seed=-1),
    "seed 1.5": lambda: F.tour("8x8", seed=1.5),
    "seed text": lambda: F.prove("4x4", seed="x"),
    "seed of sample": lambda: F.sample("5x6", seed=-1),
    "seed of construct": lambda: F.construct("18x24", seed=-1),
    "seed of warnsdorff": lambda: F.warnsdorff("8x8", ties="random", seed=-1),
    "n -1": lambda: F.sample("5x6", -1),
    "n nan": lambda: F.sample("5x6", math.nan),
    "upto 0": lambda: F.sequence("3xn", 0),
    "upto text": lambda: F.sequence("3xn", "x"),
    "strip of sides": lambda: F.sequence((3, 4)),
    "memory -1": lambda: F.count("5x6", memory=-1),
    "memory nan": lambda: F.count("5x6", memory=math.nan),
    "time_limit nan": lambda: F.tour("8x8", time_limit=math.nan),
    "time_limit -1": lambda: F.prove("4x4", time_limit=-1),
    "time_limit text": lambda: F.tour("8x8", time_limit="soon"),
    "engine": lambda: F.tour("8x8", engine="steam"),
    "style": lambda: F.tour("18x24", style="baroque", engine="template"),
    "moves that do not fit": lambda: cavalcade.piece("moves:1,2,3").vectors(cavalcade.board("8x8")),
}


@pytest.mark.parametrize("case", NONSENSE)
def test_invalid_arguments_are_refused(case: str) -> None:
    with pytest.raises(CavalcadeError) as raised:
        NONSENSE[case]()
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 300


def test_a_tour_cannot_be_changed() -> None:
    for board in ("5x6", "8x8-a1,b1", "torus:5x7"):
        tour = F.tour(board).tour
        for array in (tour.cells, tour.steps, tour.numbering):
            with pytest.raises(ValueError, match="read-only"):
                array.flat[0] = 7
            with pytest.raises(ValueError, match="WRITEABLE"):
                array.setflags(write=True)


def test_a_verdict_has_no_truth_value() -> None:
    for verdict in (F.tour("5x6"), F.tour("4x4"), F.tour("8x8", engine="reasons")):
        with pytest.raises(TypeError, match=r"ask for \.status"):
            bool(verdict)
