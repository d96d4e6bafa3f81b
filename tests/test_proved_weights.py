"""The checker verified in Coq on certificates of tours of least weight, right and damaged."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import cavalcade
from cavalcade import MoveGraph
from cavalcade.answers.certificate import Certificate, Step, StepProof, Term, flat
from cavalcade.ask.salesman import LeastTour
from cavalcade.checking.weights import weight_of
from cavalcade.cli import main
from cavalcade.formats import plain
from cavalcade.ground.errors import FormatError
from cavalcade.question.question import Question
from cavalcade.question.statement import WeightLimit
from test_formal import ACCEPTED, MALFORMED, REFUSED, agreed, verified, with_verifier

KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "closed": ("8x8", {}),
    "open": ("5x6", {"open": True}),
    "with ends": ("5x6", {"open": True, "start": "a1"}),
    "with moves": ("6x6", {"with_": "c3-d5, d1-e3"}),
    "one way": ("digraph", {}),
    "one way, open": ("digraph", {"open": True}),
    "points": ("points", {}),
}


def graph_of(name: str) -> tuple[str | MoveGraph, list[float]]:
    """Return a board or a graph with weights of its moves."""
    rng = random.Random(5)
    if name == "points":  # the complete graph on random points of a square
        points = [(rng.random(), rng.random()) for _ in range(40)]
        moves = [(a, b) for a in range(40) for b in range(a + 1, 40)]
        weights = [round(math.dist(points[a], points[b]), 3) for a, b in moves]
        return MoveGraph.from_edges(moves), weights
    if name == "digraph":
        arcs = [(a, b) for a in range(9) for b in range(9) if a != b and rng.random() < 0.7]
        return MoveGraph.from_edges(arcs, directed=True), [rng.randint(1, 20) for _ in arcs]
    return name, [rng.randint(-3, 9) for _ in range(Question.of(name).graph.edge_count)]


@cache
def least(kind: str) -> tuple[LeastTour, Certificate, StepProof, WeightLimit]:
    """Return a tour of least weight, and the parts of its certificate."""
    name, words = KINDS[kind]
    board, weights = graph_of(name)
    answer = cavalcade.tsp(board, weights, time_limit=60, **words)
    assert isinstance(answer, LeastTour)
    assert answer.certificate is not None
    proof = answer.certificate.proof
    assert isinstance(proof, StepProof)
    assert proof.limit is not None
    return answer, answer.certificate, proof, proof.limit


@with_verifier
@pytest.mark.parametrize("kind", KINDS)
def test_no_tour_is_lighter(kind: str, tmp_path: Path) -> None:
    """Both checkers accept the certificate, and refuse it with a limit or weights that the tour satisfies."""
    answer, certificate, proof, limit = least(kind)
    assert limit.most < answer.weight
    assert agreed(certificate, tmp_path)
    raised = replace(proof, limit=replace(limit, most=answer.weight))
    assert not agreed(replace(certificate, proof=raised), tmp_path)
    assert not agreed(replace(certificate, proof=replace(proof, limit=None)), tmp_path)
    for k in range(0, len(limit.weights), 9):
        lighter = _lowered(limit, k, answer.weight - limit.most)
        if weight_of(answer.tour, certificate.question, lighter) <= limit.most:
            assert not agreed(replace(certificate, proof=replace(proof, limit=lighter)), tmp_path)


def _lowered(limit: WeightLimit, k: int, by: Decimal) -> WeightLimit:
    """Return the weights with one weight lowered."""
    return replace(limit, weights=(*limit.weights[:k], limit.weights[k] - by, *limit.weights[k + 1 :]))


def with_term(steps: tuple[Step, ...], rng: random.Random, change: Callable[[Term], list[Term]]) -> StepProof:
    """Return a proof in which one term of a step `linear` is changed."""
    linear = rng.choice([step for step in flat(steps) if step.terms])
    k = rng.randrange(len(linear.terms))
    changed = replace(linear, terms=(*linear.terms[:k], *change(linear.terms[k]), *linear.terms[k + 1 :]))

    def copied(steps: tuple[Step, ...]) -> tuple[Step, ...]:
        return tuple(
            changed if step is linear else replace(step, cases=tuple(map(copied, step.cases)))
            for step in steps
        )

    return StepProof(copied(steps))


@with_verifier
@pytest.mark.parametrize("kind", ["closed", "points"])
@pytest.mark.parametrize("count", [15, pytest.param(3_000, marks=pytest.mark.slow)])
def test_damaged_terms(kind: str, count: int, tmp_path: Path) -> None:
    rng, verdicts = random.Random(count), Counter[bool]()
    _, certificate, proof, limit = least(kind)
    changes: list[Callable[[Term], list[Term]]] = [
        lambda _: [],
        lambda term: [term._replace(number=term.number + rng.choice([-9, -1, 1, 9]))],
        lambda term: [term._replace(number=-term.number)],
        lambda term: [term._replace(cells=term.cells[1:])],
        lambda term: [term._replace(odd=term.odd[1:] if term.odd else ((0, 1),))],
    ]
    for _ in range(count):
        changed = replace(with_term(proof.steps, rng, rng.choice(changes)), limit=limit)
        verdicts[agreed(replace(certificate, proof=changed), tmp_path)] += 1
    assert verdicts[False] > count / 2


@with_verifier
def test_odd_moves(tmp_path: Path) -> None:
    """Without one odd move, with one twice, or with a move inside the set, a set has no odd moves."""
    _, certificate, proof, limit = least("points")
    odd = [step for step in flat(proof.steps) if any(term.odd for term in step.terms)]
    assert odd
    rng = random.Random(1)
    changes: list[Callable[[Term], list[Term]]] = [
        lambda term: [term._replace(odd=term.odd[1:])],
        lambda term: [term._replace(odd=(*term.odd[1:], term.odd[-1]))],
        lambda term: [term._replace(odd=(*term.odd[1:], (term.cells[0], term.cells[1])))],
        lambda term: [term._replace(odd=())],
        lambda term: [term._replace(number=-1)],
    ]
    for change in changes:
        changed = proof.steps
        while changed == proof.steps:
            changed = with_term(proof.steps, rng, lambda term: change(term) if term.odd else [term]).steps  # noqa: B023
        assert not agreed(replace(certificate, proof=StepProof(changed, limit)), tmp_path)


@with_verifier
def test_a_number_for_the_weight_has_no_odd_moves(tmp_path: Path) -> None:
    """Every closed tour of 6x6 weighs -36, so no proof refutes a weight of at most -30."""
    question = Question.of("6x6")
    limit = WeightLimit(Decimal(-30), (Decimal(-1),) * question.graph.edge_count)
    for odd in ((), ((0, 8),)):
        proof = StepProof((Step("linear", terms=(Term(-10, (), odd),)),), limit)
        assert not agreed(Certificate(question, proof), tmp_path)


@with_verifier
def test_weights_are_dropped_by_a_contraction(tmp_path: Path) -> None:
    """The complete graph on six vertices, with a triangle in place of one of them: every tour weighs 8."""
    spokes = [(0, 3), (1, 4), (2, 5)]
    graph = MoveGraph.from_edges([(0, 1), (0, 2), (1, 2), *spokes, (3, 4), (3, 5), (4, 5)])
    limit = WeightLimit(Decimal(5), (Decimal(1),) * 9)
    terms = (*(Term(1, (cell,)) for cell in range(6)), Term(-2, ()))
    direct = StepProof((Step("linear", terms=terms),), limit)
    assert agreed(Certificate(Question(graph), direct), tmp_path)
    kept = tuple(term for term in terms if term.cells not in {(1,), (2,)})
    contracted = StepProof((Step("contract", (0, 1, 2)), Step("linear", terms=kept)), limit)
    assert not agreed(Certificate(Question(graph), contracted), tmp_path)


def test_weights_that_do_not_fit_have_no_plain_form() -> None:
    _, certificate, proof, limit = least("closed")
    short = replace(proof, limit=replace(limit, weights=limit.weights[1:]))
    with pytest.raises(FormatError, match="167 weights for 168 moves"):
        plain.write(replace(certificate, proof=short))


@pytest.mark.parametrize("suffix", ["cnf", "opb"])
def test_formats_without_weights_refuse_them(suffix: str, tmp_path: Path) -> None:
    _, certificate, *_ = least("closed")
    with pytest.raises(FormatError, match="weights"):
        cavalcade.save(certificate, tmp_path / f"x.{suffix}")
    assert not list(tmp_path.iterdir())


@with_verifier
def test_check_verified_accepts_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, certificate, *_ = least("closed")
    (tmp_path / "x.proof").write_text(certificate.to_json(), encoding="utf-8")
    assert main(["check", str(tmp_path / "x.proof"), "--verified"]) == 0
    verdicts = capsys.readouterr().out.splitlines()
    assert ["of weight at most" in verdict for verdict in verdicts] == [
        True,
        False,
        True,
    ]  # why the bound holds


TRIANGLE = "graph 3 3 1 2 1 3 2 3"
TERMS, NEGATIVE = "1 1 1 1 1 2 1 1 3", "-1 1 1 -1 1 2 -1 1 3"  # 1 for each vertex, or -1
SUBDIVIDED = "graph 9 12 1 2 1 3 1 7 2 3 2 8 3 9 4 5 4 6 4 7 5 6 5 8 6 9 proof 2 forced 3 7 8 9 linear 0 1"
ODD_FILES = {
    "1 3 1 2 3 odd 3 1 7 2 8 3 9": ACCEPTED,  # two sides that three paths join, of which a tour must use all
    "1 3 1 2 3 odd 3 7 1 2 8 9 3": ACCEPTED,
    "0 3 1 2 3 odd 3 1 7 2 8 3 9": REFUSED,
    "-1 3 1 2 3 odd 3 1 7 2 8 3 9": REFUSED,
    "1 3 1 2 3": REFUSED,
    "1 3 1 2 3 odd 0": REFUSED,
    "1 3 1 2 3 odd 1 1 7": REFUSED,
    "1 3 1 2 3 odd 2 1 7 2 8": REFUSED,
    "1 3 1 2 3 odd 3 1 7 2 8 8 2": REFUSED,
    "1 3 1 2 3 odd 3 1 7 2 8 1 3": REFUSED,
    "1 0 odd 3 1 7 2 8 3 9": REFUSED,
    "1 3 1 2 3 odd 3 1 7 2 8": MALFORMED,
}
FILES = {
    f"{TRIANGLE} weights 5 2 2 2 proof 1 linear 0 4 {TERMS} -1 0": ACCEPTED,  # the cycle weighs 6
    f"{TRIANGLE} weights 6 2 2 2 proof 1 linear 0 4 {TERMS} -1 0": REFUSED,
    f"{TRIANGLE} weights 5 2 1 2 proof 1 linear 0 4 {TERMS} -1 0": REFUSED,
    f"{TRIANGLE} weights -7 -2 -2 -2 proof 1 linear 0 4 {NEGATIVE} -1 0": ACCEPTED,
    f"{TRIANGLE} weights -6 -2 -2 -2 proof 1 linear 0 4 {NEGATIVE} -1 0": REFUSED,
    f"{TRIANGLE} weights 5 2 2 2 proof 1 linear 0 3 {TERMS}": REFUSED,
    f"{TRIANGLE} weights 7 2 2 2 proof 1 linear 0 4 {NEGATIVE} 1 0": REFUSED,
    f"{TRIANGLE} proof 1 linear 0 4 {TERMS} -1 0": REFUSED,
    f"{TRIANGLE} weights 5 2 2 proof 1 linear 0 4 {TERMS} -1 0": MALFORMED,
    f"{TRIANGLE} weights 5 2 2 2 2 proof 1 linear 0 4 {TERMS} -1 0": MALFORMED,
    f"{TRIANGLE} weights 5 2 2 2 between 1 3 3": MALFORMED,
    f"{TRIANGLE} weights 5 2 2 2 sat about 0 cuts 0 lrat": MALFORMED,
    f"di{TRIANGLE} 2 1 weights 5 2 2 2 1 proof 1 linear 0 4 {TERMS} -1 0": MALFORMED,
    f"digraph 3 4 1 2 1 3 2 1 2 3 weights 5 2 2 1 2 proof 1 linear 0 4 {TERMS} -1 0": REFUSED,  # two weights
} | {f"{SUBDIVIDED} {term}": code for term, code in ODD_FILES.items()}


@with_verifier
@pytest.mark.parametrize("text", FILES)
def test_files(text: str, tmp_path: Path) -> None:
    assert verified(text, tmp_path) == FILES[text]
