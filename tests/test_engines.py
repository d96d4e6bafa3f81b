"""The table of engines: each row is complete, and what it says holds; what is missing is named."""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cavalcade
from cavalcade.answers.verdict import Found, Undecided
from cavalcade.ask import portfolio
from cavalcade.ask.engines import (
    COILS,
    ENGINES,
    NAMES,
    ONE_WAY,
    STEPS,
    SYMMETRY,
    Engine,
    asked_of,
    function_of,
    row_for,
)
from cavalcade.ask.judging import judged
from cavalcade.ask.schedule import Turn, schedule
from cavalcade.checking.constraints import unmet
from cavalcade.find.subsets import subsets
from cavalcade.find.TEMPLATE import template
from cavalcade.ground.budget import Budget, limits
from cavalcade.ground.errors import TooLargeError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question
from strategies import edge_lists

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cavalcade.question.words import QuestionWords

SOURCE = Path(cavalcade.__file__).parent


TEMPLATE = Engine("TEMPLATE", "find.TEMPLATE:template", "A file to copy.")


@pytest.mark.parametrize("engine", [*ENGINES, TEMPLATE], ids=lambda engine: engine.function)
def test_a_row_is_complete(engine: Engine) -> None:
    module, _, name = engine.function.partition(":")
    assert (SOURCE / f"{module.replace('.', '/')}.py").exists(), f"{engine.function}: there is no such file"
    assert hasattr(import_module(f"cavalcade.{module}"), name), f"{module} has no function {name}"
    parameters = [*inspect.signature(function_of(engine)).parameters.values()]
    assert [one.name for one in parameters[:2]] == ["question", "budget"], f"{name} takes other arguments"
    options = {one.name: one for one in parameters[2:]}
    assert "seed" in options, f"{name} takes no seed"
    assert all(one.kind is one.KEYWORD_ONLY and one.default is not one.empty for one in options.values()), (
        name
    )
    assert not options.keys() & {"time_limit", "until"}, f"{name} keeps time, and should spend its budget"
    assert engine.sentence.endswith("."), f"the sentence of {name} has no end"
    assert {ONE_WAY, STEPS, SYMMETRY, COILS}.issuperset((*engine.knows, *engine.needs))
    assert set(engine.needs) <= set(engine.knows), f"{name} does not know what it needs"


def test_every_engine_has_a_row() -> None:
    """An engine is known by its parameters."""
    rows = {engine.function for engine in (*ENGINES, TEMPLATE)}
    for path in (
        path for room in ("find", "refute", "construction") for path in (SOURCE / room).glob("*.py")
    ):
        for one in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(one, ast.FunctionDef) and not one.name.startswith("_"):
                engine = [arg.arg for arg in one.args.args] == ["question", "budget"]
                function = f"{path.parent.name}.{path.stem}:{one.name}"
                assert not engine or function in rows, f"{function} has no line in ask/engines.py"


def test_the_template_is_an_engine() -> None:
    for spec, closed, status in (
        ("3x10", True, "found"),
        ("3x4", False, "found"),
        ("4x4", True, "undecided"),
    ):
        question = Question.of(spec, open=not closed)
        assert judged(question, template(question, Budget()), "TEMPLATE", 0).status == status
    short = template(Question.of("8x8"), Budget(100))
    assert isinstance(short, Undecided)
    assert short.reason == "not all paths were tried"


@pytest.mark.parametrize("room", ["find", "refute"])
def test_no_engine_keeps_time(room: str) -> None:
    """The clock is asked by `ground.budget` alone."""
    for engine in ENGINES:
        if (module := engine.function.partition(":")[0]).startswith(room):
            text = (SOURCE / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
            assert "time_limit" not in text, f"{module} takes a time limit"
            assert "perf_counter" not in text, f"{module} looks at the clock"


def test_the_row_that_knows_most_answers() -> None:
    plain, steps = Question.of("6x6"), Question.of("6x6", at={1: "a1", 9: "c4"})
    turned, both = Question.of("6x6", symmetry="half-turn"), Question.of("6x6", moves="clockwise")
    rows = {name: [row_for(name, one) for one in (plain, steps, turned, both)] for name in NAMES}
    found = [row.function.partition(":")[2] for row in rows["join"] if row]
    assert found == ["join", "join_steps", "join_symmetric", "directed"]
    assert rows["numbered"][0] is None
    assert [asked_of(one) for one in (plain, steps, turned, both)] == [set(), {STEPS}, {SYMMETRY}, {ONE_WAY}]


@pytest.mark.parametrize("name", NAMES)
def test_every_engine_is_asked_by_name(name: str) -> None:
    """One that finds nothing ends; one that finds a tour is its method."""
    for question in (Question.of("6x6"), Question.of("5x6", open=True, at={3: "f1"})):
        verdict = cavalcade.tour(question, engine=name, time_limit=5)
        assert verdict.method == name or not isinstance(verdict, Found)


@pytest.mark.parametrize("engine", [None, *NAMES])
@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("18x18", {"start": "a1", "at": "40=e4"}),  # too large for the position formula of `sat`
        ("24x24", {"start": "a1", "at": "300=e4"}),
        ("15x15", {"open": True, "start": "a1", "at": "41=e5"}),
        ("10x10", {"moves": "clockwise", "start": "a1", "at": "5=c1"}),
        ("16x16", {"symmetry": "half-turn", "at": "3=c5,9=d8"}),
    ],
)
def test_no_engine_returns_a_tour_that_ignores_a_constraint(
    engine: str | None, spec: str, words: QuestionWords
) -> None:
    """An engine that cannot enforce a constraint on a board of this size is undecided, never wrong."""
    verdict = cavalcade.tour(spec, engine=engine, time_limit=60 if engine is None else 1, **words)
    if isinstance(verdict, Found):
        assert not unmet(Question.of(spec, **words), verdict.tour)
    if engine is None and set(words) == {"start", "at"}:
        assert verdict.status == "found"


@given(edge_lists(most=7), st.data())
def test_subsets_decides_small_graphs(drawn: tuple[int, list[tuple[int, int]]], data: st.DataObject) -> None:
    """As `prove` does, closed and open, with a required move or without, and in both tiers."""
    n, edges = drawn
    graph = MoveGraph.from_edges(edges, n, directed=data.draw(st.booleans()))
    closed, required = data.draw(st.tuples(st.booleans(), st.booleans()))
    question = Question(graph, closed=closed, required=tuple(edges[: int(required)]))
    answer = judged(question, subsets(question, Budget()), "subsets", 0)
    assert (answer.status == "found") == (cavalcade.prove(question).status == "found")
    both = [subsets(question, Budget(), compiled=tier) for tier in (False, True)]
    assert repr(both[0]) == repr(both[1])


def test_subsets_begins_nothing_too_large() -> None:
    for spec, work, why in (("5x6", 1e9, "30 vertices are not 3 to 24"), ("4x5", 10, "sets are more than")):
        budget = Budget(work)
        answer = subsets(Question.of(spec), budget)
        assert isinstance(answer, Undecided)
        assert why in answer.reason
    with limits(memory=1_000_000), pytest.raises(TooLargeError, match="sets needs about"):
        subsets(Question.of("4x5"), Budget())


def test_rounds_end_where_nothing_is_left_to_try() -> None:
    ended: set[tuple[object, ...]] = set()
    turns = []
    for turn in schedule(Question.of("6x6"), None, ended):
        turns.append(turn.what)
        ended.add(turn.what)
    assert len(turns) == len(set(turns)) == 9  # `join` once, quickly, as it had nothing more to try


def test_a_generator_goes_on_in_its_next_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that began anew would never have the work that it needs; a function begins anew, with as much."""
    begun = []

    def patient(
        question: Question, budget: Budget, *, seed: int = 0
    ) -> Iterator[NDArray[np.int32] | Undecided]:
        begun.append("patient")
        while budget.spent < 250:
            budget.spend(50)
            if budget.over:
                yield Undecided("patience", "sat", seed)
        yield template(question, Budget())

    def forgetful(_: Question, budget: Budget, *, seed: int = 0) -> Undecided:
        begun.append("forgetful")
        assert budget.left == 100
        budget.spend(100)
        return Undecided("nothing", "join", seed)

    functions = {"sat": patient, "join": forgetful}
    monkeypatch.setattr(portfolio, "function_of", lambda row: functions[row.name])
    monkeypatch.setattr(
        portfolio, "schedule", lambda *_, **__: 9 * [Turn("join", (), 100), Turn("sat", (), 100)]
    )
    verdict = portfolio.answer(Question.of("3x10"), 0)
    assert isinstance(verdict, Found)
    assert (verdict.method, begun) == ("sat", ["forgetful", "patient", "forgetful", "forgetful"])


def test_sat_is_asked_early_about_sparse_graphs() -> None:
    """After a quick try and near reasons, before `sweep`, `contract` and `apart`; and with more work later.

    Dense graphs and `prove` have the rounds at once.
    """
    ring = [(i, (i + 1) % 60) for i in range(60)]
    sparse = Question(MoveGraph.from_edges([*ring, *((i, i + 30) for i in range(30))]))
    dense = Question(MoveGraph.from_edges([(a, b) for a in range(60) for b in range(a)]))
    names = [
        [turn.name for turn in islice(schedule(one, None, set(), reasons_first=first), 3)]
        for one, first in ((sparse, False), (dense, False), (sparse, True))
    ]
    assert names == [["join", "reasons", "sat"], ["join", "reasons", "local"], ["reasons", "join", "local"]]
    turns = list(islice(schedule(sparse, None, set()), 30))
    assert [turn.name for turn in turns[3:6]] == ["sweep", "contract", "apart"]
    local, sat = ([turn.work for turn in turns if turn.name == name] for name in ("local", "sat"))
    assert sat[1:3] == [8 * work for work in local[1:3]], "none in the first round"


def test_near_reasons_and_sat_precede_the_slow_engines_on_large_sparse_graphs() -> None:
    """With up to seven edges at a vertex, and where arcs go one way.

    What three forced neighbours refute is refuted before any search.
    """
    n = 6_000
    ring = [(i, (i + 1) % n) for i in range(n)]
    cubic = MoveGraph.from_edges([*ring, *((i, i + n // 2) for i in range(n // 2))])
    arcs = MoveGraph.from_edges([*ring, *((i, (i + 3) % n) for i in range(n))], directed=True)
    more = np.random.default_rng(1).integers(n, size=(2 * n, 2)).tolist()
    six = MoveGraph.from_edges([*ring, *((a, b) for a, b in more if a != b)])
    for graph in (cubic, six, arcs):
        turns = [turn.name for turn in islice(schedule(Question.of(graph), None, set()), 3)]
        assert turns == ["reasons", "sat", "local"]
        _, first, second = islice(
            (turn.work for turn in schedule(Question.of(graph), None, set()) if turn.name == "sat"), 3
        )
        assert second == 16 * first
    knights = MoveGraph.from_edges(cavalcade.move_graph("5x1200").edges())
    assert next(schedule(Question.of(knights), None, set())).name == "local", "where exchanges join cycles"
    pairs = [(a, b) for a in range(300) for b in range(a)]
    three = MoveGraph.from_edges(
        [*pairs, *((0, 300 + i) for i in range(3)), *((i + 1, 300 + i) for i in range(3))]
    )
    assert next(schedule(Question.of(three), None, set())).name == "reasons"
    verdict = cavalcade.tour(three)
    assert (verdict.status, verdict.method) == ("impossible", "reasons")


def test_each_round_has_more_work() -> None:
    turns = [
        turn.work for turn in islice(schedule(Question.of("6x6"), None, set()), 30) if turn.name == "sat"
    ]
    assert len(turns) >= 4
    assert all(after == 4 * before for before, after in pairwise(turns))
