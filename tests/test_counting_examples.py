"""The worked examples in docs/architecture-counting.md: recomputed and compared with the page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cavalcade.boards.notation import parse_board
from cavalcade.counting import meeting
from cavalcade.counting.distribution import distribution, move_types
from cavalcade.counting.halved import HalvedCycles
from cavalcade.counting.interpolation import Interpolation
from cavalcade.counting.listing import stages_of
from cavalcade.counting.matchings import met
from cavalcade.counting.voltage import count_folded, fixed_cycles
from cavalcade.ground.kernels import Tier
from cavalcade.question.moves import move_graph
from cavalcade.question.question import Question, symmetries
from cavalcade.states.encoding import Voltages, new_scratch, unpack
from cavalcade.states.layers import Layers
from cavalcade.states.pattern_search import PatternSearch
from cavalcade.states.search import FrontierSearch
from cavalcade.states.transition import neighbours, stages
from cavalcade.states.weights import Word
from sides import side_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

PAGE = (Path(__file__).parent.parent / "docs" / "architecture-counting.md").read_text(encoding="utf-8")
SENTENCES = " ".join(PAGE.split())
PLAIN = Tier(0, compiled=False)


def read(search: FrontierSearch, names: Sequence[str], voltages: Voltages | None = None) -> list[list[str]]:
    """The sorted states of the frontier: encoded word (not with voltages), mates, voltage and count."""
    frontier = search.stages[search.taken - 1].frontier
    turning = voltages is not None and len(frontier) > 1
    heads = [*([] if voltages else ["word"]), *(names[v] for v in frontier), *["voltage"] * turning, "count"]
    rows = []
    keys = search.table.layout.keys
    for *words, count in sorted(search.table.compact().records[:, : keys + 1].tolist()):
        low, high = [*words, 0][:2]
        scratch = new_scratch(PLAIN)
        untouched, done = unpack(low, high, len(frontier), voltages, scratch)
        mates = [
            "." if untouched >> i & 1 else "=" if done >> i & 1 else names[frontier[scratch.mate[i]]]
            for i in range(len(frontier))
        ]
        row = [*([] if voltages else [low]), *mates, *[scratch.turn[0]] * turning, count]
        rows.append([str(cell) for cell in row])
    return [heads, *rows]


def table(title: str, rows: list[list[str]]) -> str:
    """Format rows as on the page."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(f"{cell:>{w}}" for cell, w in zip(row, wide, strict=True)) for row in rows]
    return "\n".join([f"after {title}", *lines]) + "\n"


def test_a_table_of_states() -> None:
    question = Question.of("3x4", open=True)
    search = FrontierSearch(stages_of(question), compiled=False)
    names = [*question.board.names, "*"]
    shown = []
    for stage in search.stages:
        search.take()
        text = table(names[stage.vertex], read(search, names))
        if names[stage.vertex] in {"a3", "c2", "a1", "b2", "d1", "*"}:
            assert text in PAGE
            shown.append(text)
    assert len(shown) == 6
    assert search.cycles == 8


def test_two_halves() -> None:
    question = Question.of("4x6", piece="0,1")
    plan = meeting.halves(question.as_cycle)
    assert plan is not None
    search = FrontierSearch(stages(neighbours(question.graph), plan.side), compiled=False)
    for _ in plan.side:
        search.take()
    names = question.board.names
    assert table("ten cells", read(search, names)) in PAGE
    image = {names[v]: names[plan.image[v]] for v in plan.middle}
    assert image == {"b1": "e4", "c2": "d3", "d3": "c2", "e4": "b1"}
    assert meeting.count_in_halves(question.as_cycle, plan) == 37
    assert "The sum is 37, the number of Hamiltonian cycles" in SENTENCES
    assert int(HalvedCycles(question.as_cycle, plan).pairs[-1]) == 57
    assert "So there are 57 pairs, and `sample` draws" in SENTENCES


def test_degree_patterns() -> None:
    question = Question.of("4x6", piece="0,1")
    plan = meeting.halves(question.as_cycle)
    assert plan is not None
    search = PatternSearch(stages(neighbours(question.graph), plan.side, ascending=True), compiled=False)
    search.run()
    frontier, states = search.stages[-1].frontier, search.table
    rows = [[*(question.board.names[v] for v in frontier), "ranks", "counts", "bytes"]]
    for p, key in enumerate(states.keys.tolist()):
        degrees = [str(key >> 2 * i & 3) for i in range(len(frontier))]
        ranks, counts = states.read(p)
        data = states.data[states.starts[p] : states.starts[p + 1]]
        lists = [(", ", ranks.tolist()), (", ", counts), (" ", data.tolist())]
        rows.append([*degrees, *(separator.join(map(str, values)) for separator, values in lists)])
    assert table("ten cells", rows) in PAGE


def test_the_way_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lookups when the search goes back over a1 in state 38."""
    steps = stages_of(Question.of("3x4", open=True))
    below = Layers(steps[:3], compiled=False)
    paths = below.back([(38, 0)] * 2, [0, 1])
    monkeypatch.setattr(below, "stages", steps[2:3])
    monkeypatch.setattr(below, "layers", below.layers[2:])
    names = [*Question.of("3x4").board.names, "*", ""]
    shown = [{names[a], names[b]} for moves in below.back([(38, 0)] * 2, [0, 1]) for _, a, b in moves]
    assert shown == [{"b3", "*"}, {"b3", ""}], "from 10 and from 38"
    assert len(paths[0]) == len(paths[1]) == 3


def test_values_of_a_polynomial(monkeypatch: pytest.MonkeyPatch) -> None:
    question = Question.of("3x4", open=True)
    names = [*question.board.names, "*"]
    moves = frozenset(question.encoding.edge(*move) for move in move_types(question, "files")["2"])
    order = [stage.vertex for stage in stages_of(question)]
    steps = stages(neighbours(question.as_cycle), order, ascending=True)
    search = PatternSearch(steps, words=[Word(2, 10007, moves)], compiled=False)
    shown = []
    for stage in search.stages:
        search.take()
        frontier = search.stages[search.taken - 1].frontier
        rows = [[*(names[v] for v in frontier), "value"]]
        for p, key in enumerate(search.table.keys.tolist()):
            degrees = [str(key >> 2 * i & 3) for i in range(len(frontier))]
            rows.append([*degrees, *map(str, search.table.read(p)[1])])
        shown.append(table(names[stage.vertex], rows) in PAGE)
    assert sum(shown) == 3
    assert search.values == [1152]
    values = Interpolation.values
    words: list[Word] = []

    def watched(self: Interpolation, requested: Sequence[Word]) -> list[int]:
        words.extend(requested)
        return values(self, requested)

    monkeypatch.setattr(Interpolation, "values", watched)
    assert distribution("3x4", "files", open=True).tours["2"][6:9] == (2, 4, 2)
    assert [word.x for word in words if word.edges == moves] == [-1, 2]


def test_matchings() -> None:
    pattern = sum(4**i for i in range(4))  # four ends, three ranks
    assert met(side_of(pattern, [0], [1]), side_of(pattern, range(3), [5, 7, 11]), 4) == [18]
    assert "in 7 + 11 = 18 ways. Our path 23 closes" in SENTENCES
    six = sum(4**i for i in range(6))
    all_sides = side_of(six, range(15), [1] * 15)
    for rank in range(15):
        assert met(side_of(six, [rank], [1]), all_sides, 6) == [8]


def test_voltages(monkeypatch: pytest.MonkeyPatch) -> None:
    board = parse_board("torus:3x3")
    graph = move_graph(board)
    shift = next(s for s in symmetries(board) if s.name == "(row, column + 1)")
    assert fixed_cycles(graph, shift.cells.tolist()) == (6, 0)
    rows = [
        [(neighbour, turn) for neighbour in range(3) if neighbour != row for turn in (1, 2)]
        for row in range(3)
    ]
    edges = [[(w // 3, (w - v) % 3) for w in graph.neighbours(v).tolist()] for v in (0, 3, 6)]
    assert [sorted(row) for row in edges] == rows, "two moves from each row to each other"
    shown = []
    take = FrontierSearch.take

    def watched(search: FrontierSearch) -> None:
        take(search)
        if search.taken < 3:
            empty = PLAIN.words([])
            shown.append(table("ABC"[search.taken - 1], read(search, "ABC", Voltages(empty, empty, 3, 2, 0))))

    monkeypatch.setattr(FrontierSearch, "take", watched)
    assert count_folded(rows, 3, compiled=False) == 6
    assert count_folded(rows, 1, compiled=False) == 8
    assert all(text in PAGE for text in shown[:2]), shown
