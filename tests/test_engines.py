"""The table of engines: each row is complete and true, and a failure names the missing part."""

from __future__ import annotations

import ast
import inspect
import json
import random
from collections import defaultdict
from importlib import import_module
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cavalcade
from cavalcade.answers.certificate import Certificate, Step, StepProof
from cavalcade.answers.verdict import Found, Impossible, Undecided
from cavalcade.ask import policy, portfolio
from cavalcade.ask.engines import (
    COILS,
    ENGINES,
    NAMES,
    ONE_WAY,
    STEPS,
    SYMMETRY,
    Engine,
    features,
    function_of,
    row_for,
)
from cavalcade.ask.judging import judged
from cavalcade.ask.policy import (
    GROWTH,
    Turn,
    turns,
)
from cavalcade.checking.constraints import unmet
from cavalcade.find.subsets import subsets
from cavalcade.find.TEMPLATE import template
from cavalcade.ground.budget import Budget, limits
from cavalcade.ground.errors import TooLargeError
from cavalcade.question.colours import has_unequal_colours
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question
from strategies import edge_lists

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cavalcade.ask.engines import EngineName
    from cavalcade.question.words import QuestionWords

SOURCE = Path(cavalcade.__file__).parent


TEMPLATE = Engine("TEMPLATE", "find.TEMPLATE:template", "A file to copy.")


@pytest.mark.parametrize("engine", [*ENGINES, TEMPLATE], ids=lambda engine: engine.function)
def test_a_row_is_complete(engine: Engine) -> None:
    module, _, name = engine.function.partition(":")
    assert (SOURCE / f"{module.replace('.', '/')}.py").exists(), f"{engine.function}: there is no such file"
    assert hasattr(import_module(f"cavalcade.{module}"), name), f"{module} has no function {name}"
    parameters = [*inspect.signature(function_of(engine)).parameters.values()]
    assert [parameter.name for parameter in parameters[:2]] == ["question", "budget"], (
        f"{name} takes other arguments"
    )
    options = {parameter.name: parameter for parameter in parameters[2:]}
    assert "seed" in options, f"{name} takes no seed"
    assert all(
        parameter.kind is parameter.KEYWORD_ONLY and parameter.default is not parameter.empty
        for parameter in options.values()
    ), name
    assert not options.keys() & {"time_limit", "until"}, f"{name} keeps time, and should spend its budget"
    assert engine.sentence.endswith("."), f"the sentence of {name} has no end"
    assert {ONE_WAY, STEPS, SYMMETRY, COILS}.issuperset((*engine.supports, *engine.requires))
    assert set(engine.requires) <= set(engine.supports), f"{name} does not support what it requires"


def test_every_engine_has_a_row() -> None:
    """A function with the parameters of an engine is an engine."""
    rows = {engine.function for engine in (*ENGINES, TEMPLATE)}
    for path in (
        path for folder in ("find", "refute", "construction") for path in (SOURCE / folder).glob("*.py")
    ):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                engine = [arg.arg for arg in node.args.args] == ["question", "budget"]
                function = f"{path.parent.name}.{path.stem}:{node.name}"
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


@pytest.mark.parametrize("folder", ["find", "refute"])
def test_no_engine_keeps_time(folder: str) -> None:
    """Only `ground.budget` reads the clock."""
    for engine in ENGINES:
        if (module := engine.function.partition(":")[0]).startswith(folder):
            text = (SOURCE / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
            assert "time_limit" not in text, f"{module} takes a time limit"
            assert "perf_counter" not in text, f"{module} looks at the clock"


def test_the_most_capable_row_answers() -> None:
    plain, steps = Question.of("6x6"), Question.of("6x6", at={1: "a1", 9: "c4"})
    turned, one_way = Question.of("6x6", symmetry="half-turn"), Question.of("6x6", moves="clockwise")
    rows = {name: [row_for(name, question) for question in (plain, steps, turned, one_way)] for name in NAMES}
    functions = [row.function.partition(":")[2] for row in rows["join"] if row]
    assert functions == ["join", "join_steps", "join_symmetric", "directed"]
    assert rows["numbered"][0] is None
    assert [features(question) for question in (plain, steps, turned, one_way)] == [
        set(),
        {STEPS},
        {SYMMETRY},
        {ONE_WAY},
    ]


@pytest.mark.parametrize("name", NAMES)
def test_every_engine_runs_by_name(name: EngineName) -> None:
    """An engine named in a question ends, and a tour that it finds names it as the method."""
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
    engine: EngineName | None, spec: str, words: QuestionWords
) -> None:
    """An engine that cannot enforce a constraint on a board of this size is undecided, never wrong."""
    must_be_found = engine is None and set(words) == {"start", "at"}
    verdict = cavalcade.tour(spec, engine=engine, time_limit=60 if must_be_found else 1, **words)
    if isinstance(verdict, Found):
        assert not unmet(Question.of(spec, **words), verdict.tour)
    if must_be_found:
        assert verdict.status == "found"


@given(edge_lists(most=7), st.data())
def test_subsets_decides_small_graphs(drawn: tuple[int, list[tuple[int, int]]], data: st.DataObject) -> None:
    """`subsets` and `prove` agree, closed and open, with and without a required move, in both tiers."""
    n, edges = drawn
    assume(n > 2)  # `Question` itself answers smaller boards
    graph = MoveGraph.from_edges(edges, n, directed=data.draw(st.booleans()))
    closed, required = data.draw(st.tuples(st.booleans(), st.booleans()))
    question = Question(graph, closed=closed, required=tuple(edges[: int(required)]))
    answer = judged(question, subsets(question, Budget()), "subsets", 0)
    assert (answer.status == "found") == (cavalcade.prove(question).status == "found")
    answers = [subsets(question, Budget(), compiled=tier) for tier in (False, True)]
    assert repr(answers[0]) == repr(answers[1])


def test_subsets_refuses_large_boards() -> None:
    for spec, work, why in (("5x6", 1e9, "30 vertices are more than 24"), ("4x5", 10, "sets are more than")):
        budget = Budget(work)
        answer = subsets(Question.of(spec), budget)
        assert isinstance(answer, Undecided)
        assert why in answer.reason
    with limits(memory=1_000_000), pytest.raises(TooLargeError, match="sets needs about"):
        subsets(Question.of("4x5"), Budget())


def test_turns_end_when_all_engines_have_ended() -> None:
    ended: set[str] = set()
    order = []
    for turn in turns(Question.of("6x6"), ended):
        order.append(turn.engine)
        ended.add(turn.engine)
    assert set(order) >= {"join", "reasons", "sat"}
    assert max(map(order.count, order)) == 1, "an engine that has ended gets no further turn"


@pytest.mark.parametrize("proof", [False, True])
def test_each_round_has_more_work(proof: bool) -> None:  # noqa: FBT001
    """The work of all engines grows by the same factor per round, so no engine starves another."""
    works: dict[str, list[float]] = defaultdict(list)
    for turn in islice(turns(Question.of("6x6"), set(), proof=proof), 60):
        works[turn.engine].append(turn.work)
    rounds = [work[-4:] for work in works.values()]
    assert all(after == GROWTH * before for work in rounds for before, after in pairwise(work))


def test_every_engine_of_an_order_is_in_the_table() -> None:
    for order in (value for value in vars(policy).values() if isinstance(value, policy.Order)):
        assert {*(turn.engine for turn in order.quick), *order.rounds} <= set(NAMES)
        repeated = {name for name in order.rounds if order.rounds.count(name) > 1}
        assert repeated == ({"sat"} if order is policy.FORCED_GRAPHS else set())


@pytest.mark.parametrize("n", [30, 300, 1000])
def test_digraphs_with_few_arcs_do_not_wait_for_sat(n: int) -> None:
    """The patching of an assignment finds a cycle hidden among random arcs before SAT has a turn."""
    rng = random.Random(n)
    order = rng.sample(range(n), n)
    arcs = [*zip(order, order[1:] + order[:1], strict=True)]
    arcs += [(a, b) for a, b in (rng.sample(range(n), 2) for _ in range(5 * n))]
    verdict = cavalcade.tour(cavalcade.MoveGraph.from_edges(sorted({*arcs}), n, directed=True))
    assert verdict.status == "found"
    assert "sat" not in {turn.engine for turn in verdict.effort}


def test_answers_and_proofs_of_graphs_of_every_sort() -> None:
    """Sparse and dense graphs and digraphs, with and without a cycle, are decided."""
    n = 6_000
    ring = [(i, (i + 1) % n) for i in range(n)]
    chords = [(i, i + n // 2) for i in range(n // 2)]
    random_pairs = np.random.default_rng(1).integers(n, size=(2 * n, 2)).tolist()
    clique = [(a, b) for a in range(300) for b in range(a)]
    spokes = [(0, 300 + i) for i in range(3)] + [(i + 1, 300 + i) for i in range(3)]
    graphs = {
        "cubic": MoveGraph.from_edges([*ring, *chords]),
        "six": MoveGraph.from_edges([*ring, *((a, b) for a, b in random_pairs if a != b)]),
        "arcs": MoveGraph.from_edges([*ring, *((i, (i + 3) % n) for i in range(n))], directed=True),
        "knights": MoveGraph.from_edges(cavalcade.move_graph("5x1200").edges()),
        "clique": MoveGraph.from_edges(clique),
        "three": MoveGraph.from_edges([*clique, *spokes]),  # three neighbours of vertex 0 have two edges
    }
    verdicts = {name: cavalcade.tour(graph, time_limit=60) for name, graph in graphs.items()}
    assert {name for name, verdict in verdicts.items() if verdict.status == "impossible"} == {"three"}
    assert all(verdict.status != "undecided" for verdict in verdicts.values())


def test_odd_boards_are_refuted_without_a_graph() -> None:
    """The two colours of a rectangle are counted from its spec, so its size has no limit."""
    for spec, words in (
        ("99999x100001", {}),
        ("3163x3163", {"memory": 500_000_000, "time_limit": 5}),
        ("7x7", {}),
        ("301x301", {"piece": "1,4", "with_": "a1-b5"}),
    ):
        verdict = cavalcade.prove(spec, **words)
        assert isinstance(verdict, Impossible), spec
        assert verdict.certificate is not None
        assert verdict.certificate.reason == "colours"
        assert cavalcade.verify(verdict.certificate), spec
        assert json.loads(verdict.certificate.to_json())["steps"][0]["rule"] == "colours"
    wrong = Certificate(Question.of("8x8"), StepProof((Step("colours", (0,)),)))
    assert not cavalcade.verify(wrong)
    undecided: tuple[tuple[str, dict[str, Any]], ...] = (
        ("5x5", {"open": True}),
        ("torus:7x7", {}),
        ("7x7-a1", {}),
        ("7x7", {"piece": "1,3"}),
    )
    for board, conditions in undecided:
        assert not has_unequal_colours(Question.of(board, **conditions)), board


@pytest.mark.parametrize("engine", [None, *NAMES])
def test_boards_of_one_and_two_cells(engine: EngineName | None) -> None:
    """The question answers them itself, whichever engine is named."""
    one_way = MoveGraph.from_edges([(0, 1)], directed=True)
    both_ways = MoveGraph.from_edges([(0, 1), (1, 0)], directed=True)
    for board, words, status in (
        ("1x1", {}, "found"),
        ("1x1", {"open": True}, "found"),
        ("1x2", {"piece": "0,1"}, "impossible"),
        ("1x2", {"piece": "0,1", "open": True, "start": "b1", "with_": "a1-b1"}, "found"),
        ("1x2", {"piece": "0,1", "open": True, "avoid": "a1-b1"}, "impossible"),
        ("1x2", {"piece": "0,1", "open": True, "moves": "clockwise"}, "impossible"),
        ("1x2", {"open": True}, "impossible"),
        (one_way, {"open": True, "start": 0}, "found"),
        (one_way, {"open": True, "start": 1}, "impossible"),
        (one_way, {}, "impossible"),
        (both_ways, {}, "found"),
    ):
        verdict = cavalcade.tour(board, engine=engine, **words)
        assert verdict.status == status, (board, words, verdict)


def test_a_generator_resumes_in_its_next_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A generator resumes in its next turn; a function starts again with the work of one turn."""
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
    monkeypatch.setattr(portfolio, "turns", lambda *_, **__: 9 * [Turn("join", 100), Turn("sat", 100)])
    verdict = portfolio.answer(Question.of("3x10"), 0)
    assert isinstance(verdict, Found)
    assert (verdict.method, begun) == ("sat", ["forgetful", "patient", "forgetful", "forgetful"])
