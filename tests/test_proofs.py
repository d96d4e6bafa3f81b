"""Proofs that a board has no tour: search on every family, check, sentences, pictures; damaged proofs.

`python tests/test_proofs.py` prints the number of impossible boards by family and kind of proof.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from importlib import import_module
from itertools import combinations, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cavalcade
import cavalcade.question.question as questions
import cavalcade.refute.sets as sets_of_cells
from cavalcade import KNIGHT, ZEBRA, Board, CavalcadeError, MoveGraph, Piece
from cavalcade.answers.certificate import (
    Certificate,
    SatProof,
    Step,
    StepProof,
    Term,
    flat,
    from_json,
    is_certificate,
)
from cavalcade.answers.verdict import Found, Impossible, Undecided
from cavalcade.ask import judging
from cavalcade.boards.notation import parse_board
from cavalcade.checking.certificates import verify
from cavalcade.checking.constraints import closed_graph
from cavalcade.checking.rules import CONTRADICTIONS, DEDUCTIONS
from cavalcade.cli import main
from cavalcade.explaining.sentences import conclusion, sentences, verified_in_words
from cavalcade.formats import cnf
from cavalcade.ground.budget import Budget
from cavalcade.ground.errors import CellError, FormatError
from cavalcade.question import moves
from cavalcade.question.moves import move_graph
from cavalcade.question.question import Question
from cavalcade.question.statement import statement
from cavalcade.refute.reasons import reasons
from cavalcade.refute.sets import SuccessorMatching
from oracles import is_hamiltonian
from strategies import positions
from verdicts import proof_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.ask.engines import EngineName

Case = tuple[Board, Piece, bool]  # board, piece, whether tours are closed


# ---- families of boards


def rectangles() -> Iterator[Case]:
    for m in range(1, 13):
        yield from ((Board.box(m, n), KNIGHT, True) for n in range(m, 13))


def open_rectangles() -> Iterator[Case]:
    for m in range(1, 10):
        yield from ((Board.box(m, n), KNIGHT, False) for n in range(m, 10))


def large() -> Iterator[Case]:
    for spec in ("4x100", "4x10000", "101x101", "301x301", "5x5x5", "3x3x3", "2x3x3", "2x2x9", "2x2x20"):
        yield parse_board(spec), KNIGHT, True


def hexagons() -> Iterator[Case]:
    for side in (1, 2, 3):
        yield from ((Board.hexagon(side), KNIGHT, closed) for closed in (True, False))


def surfaces() -> Iterator[Case]:
    for kind in ("cylinder", "mobius"):
        for m in range(1, 10):
            yield from ((Board.surface(kind, m, n), KNIGHT, True) for n in range(1, 10) if m * n > 2)


def minus_one() -> Iterator[Case]:
    for n in range(3, 16):
        board = Board.box(3, n)
        yield from ((board.without([cell]), KNIGHT, True) for cell in range(board.size))


def zebras() -> Iterator[Case]:
    for m in range(1, 10):
        yield from ((Board.box(m, n), ZEBRA, True) for n in range(1, 13))


def rings() -> Iterator[Case]:
    for m in range(5, 13):
        for n in range(m, 13):
            mask = np.ones((m, n), dtype=np.bool_)
            mask[2:-2, 2:-2] = False
            yield Board("box", (m, n), mask), KNIGHT, True


def far_leapers() -> Iterator[Case]:
    yield parse_board("20x20"), cavalcade.ANTELOPE, True
    yield parse_board("11x11"), cavalcade.GIRAFFE, False


FAMILIES = {
    f.__name__: f
    for f in (
        rectangles,
        open_rectangles,
        large,
        hexagons,
        surfaces,
        minus_one,
        zebras,
        rings,
        far_leapers,
    )
}


# Families of which only one board in n is decided without `-m slow`.
THINNED = {"minus_one": 5, "surfaces": 3, "zebras": 4, "rings": 4, "rectangles": 2}


def survey(family: str, stride: int = 1) -> Counter[str]:
    """Decide every `stride`-th board of a family; count the tours, and the proofs of each kind."""
    kinds: Counter[str] = Counter()
    for board, piece, closed in islice(FAMILIES[family](), 0, None, stride):
        verdict = cavalcade.prove(board, piece=piece, open=not closed, time_limit=20)
        if isinstance(verdict, Found):
            kinds["tour"] += 1
            continue
        assert isinstance(verdict, Impossible), (board, piece.spec, closed)
        assert verdict.certificate is not None
        assert verify(verdict.certificate)
        kinds[verdict.certificate.reason] += 1
        assert 20 < len(verdict.reason) < 20_000
        if board.size < 2_000:
            assert from_json(verdict.certificate.to_json()) == verdict.certificate
            ET.fromstring(verdict.certificate.svg())  # noqa: S314 - our own picture
    return kinds


@pytest.mark.parametrize(
    ("family", "stride"),
    [
        *((family, THINNED.get(family, 1)) for family in FAMILIES),
        *(pytest.param(family, 1, marks=pytest.mark.slow) for family in THINNED),
    ],
)
def test_every_impossibility_has_a_structural_reason(family: str, stride: int) -> None:
    kinds = survey(family, stride)
    refuted = kinds.total() - kinds["tour"]
    assert refuted > 0
    assert kinds["sat"] <= 0.1 * refuted
    assert kinds["cases"] <= 0.1 * refuted


@pytest.mark.parametrize("spec", ["4x100", "4x10000"])
def test_four_rows_are_refuted_by_one_cut(spec: str) -> None:
    verdict = cavalcade.prove(spec)
    assert isinstance(verdict, Impossible)
    assert verdict.certificate is not None
    assert verdict.certificate.reason == "cut"
    assert verdict.method == "reasons"


# ---- plain graphs


def edges_of(text: str) -> list[tuple[int, int]]:
    return [(int(a), int(b)) for a, b in (pair.split("-") for pair in text.split())]


PETERSEN = [e for i in range(5) for e in ((i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5))]
PLAIN = {
    "petersen": PETERSEN,
    "K2,3": [(i, j) for i in range(2) for j in range(2, 5)],
    "bowtie": edges_of("0-1 1-2 2-0 0-3 3-4 4-0"),
    "theta": edges_of("0-1 1-2 2-5 0-3 3-4 4-5 0-6 6-7 7-5"),
    "two triangles": edges_of("0-1 1-2 2-0 3-4 4-5 5-3"),
    "path": edges_of("0-1 1-2"),
    "one edge": [(0, 1)],
    "flower": [
        edge
        for i in range(5)
        for edge in (
            *((i, i + k) for k in (5, 10, 15)),
            (i + 5, (i + 1) % 5 + 5),
            *((10 + i, 11 + i), (15 + i, 16 + i)) * (i < 4),
            *((14, 15), (19, 10)) * (i == 4),
        )
    ],
}


@pytest.mark.parametrize("name", PLAIN)
def test_plain_graphs_without_a_tour(name: str) -> None:
    graph = MoveGraph.from_edges(PLAIN[name])
    read_back = from_json(proof_of(graph).to_json())
    assert verify(read_back)
    assert read_back.question.board.names == graph.names
    assert not is_hamiltonian(graph)


# ---- against brute force


def any_board(rng: random.Random, max_size: int) -> tuple[Board | MoveGraph, MoveGraph, bool]:
    """Return a random sparse graph or board with holes, its move graph, and whether tours are closed."""
    closed = rng.random() < 0.7
    if rng.random() < 0.5:
        n = rng.randint(3, max_size)
        pairs = list(combinations(range(n), 2))
        edges = set(rng.sample(pairs, min(len(pairs), round(rng.uniform(1.2, 2.3) * n))))
        if rng.random() < 0.4:  # nearly cubic: no vertex of degree 2
            edges = set()
            for _ in range(3):
                order = rng.sample(range(n), n)
                edges |= {(min(pair), max(pair)) for pair in zip(order[::2], order[1::2], strict=False)}
        graph = MoveGraph.from_edges(sorted(edges), n)
        return graph, graph, closed
    board = Board.box(rng.randint(3, 6), rng.randint(3, 8))
    if rng.random() < 0.3:
        kind = rng.choice(["cylinder", "torus", "mobius", "klein"])
        board = Board.surface(kind, rng.randint(2, 5), rng.randint(2, 6))
    min_holes = max(board.size - max_size, 0)
    holes = rng.randint(min_holes, max(min_holes, board.size - 4))
    board = board.without(rng.sample(range(board.size), holes)) if holes else board
    return board, move_graph(board), closed


def agree(rng: random.Random, max_size: int) -> str:
    """Decide a random board by proof and by brute force; return the kind of the proof."""
    board, graph, closed = any_board(rng, max_size)
    verdict = cavalcade.prove(board, open=not closed)
    ring = Question(graph, closed=closed).as_cycle
    has_tour = graph.size == 1 or is_hamiltonian(ring)
    assert verdict.status == ("found" if has_tour else "impossible"), (board.spec, graph.edges().tolist())
    if not isinstance(verdict, Impossible):
        return "tour"
    assert verdict.certificate is not None
    if not isinstance(verdict.certificate.proof, StepProof):
        return "sat"
    # The same proof about a graph with a tour must be rejected.
    n = ring.size
    order = rng.sample(range(n), n)
    tour = [(a, b) for a, b in zip(order, order[1:] + order[:1], strict=True) if a != b]
    edges = [tuple(edge) for edge in ring.edges().tolist()]
    with_tour = MoveGraph.from_edges([*edges, *tour], n)
    if n > 2:
        assert not verify(certify(with_tour, verdict.certificate.proof))
    return verdict.certificate.reason


def test_random_boards_agree_with_brute_force() -> None:
    rng = random.Random(3)
    kinds = Counter(agree(rng, 16) for _ in range(250))
    assert kinds["tour"] > 40
    assert len(kinds) > 5


@pytest.mark.slow
def test_ten_thousand_random_boards_agree_with_brute_force() -> None:
    rng = random.Random(24)
    kinds = Counter(agree(rng, 24) for _ in range(10_000))
    assert kinds.total() == 10_000
    assert kinds["sat"] == 0


@pytest.mark.parametrize("sets", [True, False])
def test_cases_alone_decide_small_graphs(sets: bool) -> None:  # noqa: FBT001 - a parameter
    rng = random.Random(11)
    for _ in range(60):
        _, graph, closed = any_board(rng, 12)
        ring = Question(graph, closed=closed).as_cycle
        if ring.size > 2:
            proof = reasons(Question(ring), Budget(), cases=100_000, sets=sets)
            assert isinstance(proof, StepProof) != is_hamiltonian(ring)


# ---- the checker


@given(positions(), st.booleans(), st.data())
@settings(max_examples=60, deadline=None)
def test_the_checker_builds_the_same_graph_independently(
    position: tuple[Board, Piece],
    closed: bool,  # noqa: FBT001 - drawn
    data: st.DataObject,
) -> None:
    board, piece = position
    start = end = None
    closed = closed or board.size == 1
    if not closed:
        start, end = (data.draw(st.none() | st.integers(0, board.size - 1)) for _ in range(2))
        end = None if start == end else end
    question = Question(board, piece, closed, start, end)
    ring = question.as_cycle
    size, edges = closed_graph(question)
    assert size == ring.size
    assert edges.tolist() == sorted(ring.edges().tolist())


def certify(
    board: Board | MoveGraph, proof: StepProof | SatProof, *, closed: bool = True, start: int | None = None
) -> Certificate:
    return Certificate(Question(board, KNIGHT, closed, start), proof)


@cache
def proofs() -> list[Certificate]:
    """Return proofs of several steps that together use most rules of the checker."""
    boards: list[Board | MoveGraph | str] = [
        "3x8", "3x9-a2", "mobius:3x4", "hex:3", "5x7", "2x3x3", MoveGraph.from_edges(PETERSEN),
        MoveGraph.from_edges(PLAIN["theta"]), "3x3-b2,a1",
        MoveGraph.from_edges([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3)], directed=True),
        MoveGraph.from_edges(FIVE_WAYS),
    ]  # fmt: skip
    cases_of_rules = [Question.of(board) for board in boards]
    cases_of_rules.append(Question.of("8x8", symmetry="quarter turn"))
    cases_of_rules.append(Question.of("8x8", at="33=d5", start="a1"))
    cases_of_rules.append(Question.of("7x7-d4", with_="a1-b3", avoid="a1-c2", moves="counterclockwise"))
    certificates = [proof_of(question) for question in cases_of_rules]
    for board in [parse_board("3x6"), parse_board("3x8"), parse_board("3x4"), parse_board("4x6")]:
        proof = reasons(Question(board), Budget(), cases=1000, sets=False)
        assert isinstance(proof, StepProof)
        certificates.append(certify(board, proof))
    return certificates


def damaged(steps: tuple[Step, ...], rule_stride: int = 1) -> Iterator[tuple[Step, ...]]:
    """Yield the steps with one step missing, two steps swapped, or one step changed.

    Every `rule_stride`-th rule replaces each step; the cases of a step use every third rule.
    """
    for i, step in enumerate(steps):
        yield steps[:i] + steps[i + 1 :]
        if i:
            yield (*steps[: i - 1], step, steps[i - 1], *steps[i + 1 :])
        for rule in (*DEDUCTIONS, *CONTRADICTIONS, "nonsense")[i % rule_stride :: rule_stride]:
            if rule != step.rule:
                yield (*steps[:i], replace(step, rule=rule), *steps[i + 1 :])
        for k, term in enumerate(step.terms):
            fewer, smaller = term._replace(number=term.number - 1), term._replace(cells=term.cells[1:])
            for changed in ((), (fewer,), (smaller,)):
                yield (
                    *steps[:i],
                    replace(step, terms=(*step.terms[:k], *changed, *step.terms[k + 1 :])),
                    *steps[i + 1 :],
                )
        for k in range(len(step.cells)):
            yield (*steps[:i], replace(step, cells=step.cells[:k] + step.cells[k + 1 :]), *steps[i + 1 :])
        for k, case in enumerate(step.cases):
            for damaged_case in damaged(case, rule_stride=3):
                cases = (*step.cases[:k], damaged_case, *step.cases[k + 1 :])
                yield (*steps[:i], replace(step, cases=cases), *steps[i + 1 :])


def test_a_rule_has_checker_sentence_entry_and_search() -> None:
    """A new rule has a checker, a sentence, an entry in the table, and a search that finds it."""
    checking, refute = (Path(cavalcade.__file__).parent / folder for folder in ("checking/rules", "refute"))
    finders = "".join(path.read_text(encoding="utf-8") for path in refute.glob("*.py"))
    registered, missing = {*DEDUCTIONS, *CONTRADICTIONS, "branch"}, []
    for name in {path.stem for path in checking.glob("*.py")} - {"__init__"}:
        for folder, function in (("checking", "check"), ("explaining", "sentence")):
            file = f"{folder}/rules/{name}.py"
            if not (Path(cavalcade.__file__).parent / file).exists():
                missing.append(f"there is no {file}")
            elif not hasattr(import_module(f"cavalcade.{folder}.rules.{name}"), function):
                missing.append(f"{file} has no function {function}")
        missing += [f"{name} has no line in checking/rules/__init__.py"] * (name not in registered)
        missing += [f"nothing in refute/ finds the rule {name}"] * (f'"{name}"' not in finders)
    assert not missing, "; ".join(missing)


def test_damaged_proofs_are_rejected() -> None:
    rules: Counter[str] = Counter()
    tried = accepted = 0
    for certificate in proofs():
        assert isinstance(certificate.proof, StepProof)
        assert verify(certificate)
        steps = certificate.proof.steps
        rules.update(step.rule for step in flat(steps))
        for damaged_steps in damaged(steps):
            tried += 1
            wrong = replace(certificate, proof=StepProof(damaged_steps))
            accepted += bool(verdict := verify(wrong))
            assert verified_in_words(wrong) == (verdict, sentences(wrong) if verdict else [])
        for i in range(len(steps)):
            assert not verify(replace(certificate, proof=StepProof(steps[:i] + steps[i + 1 :])))
        assert not verify(replace(certificate, proof=StepProof(())))
        assert not verify(replace(certificate, proof=StepProof((*steps, steps[-1]))))
    assert tried > 700
    # Some damage is harmless: deductions in another order, or a cell too many in a set.
    assert accepted < 0.1 * tried
    assert {*DEDUCTIONS, *CONTRADICTIONS, "branch"} - set(rules) <= {
        "tight",
        "tight_cut",
        "three",
        "subtour",
        "hall",
        "sign",
        "linear",
        "factor",
        "sweep",
        "contract",
        "apart",
    }


@pytest.mark.parametrize("limit", [TimeoutError, MemoryError])
def test_a_limit_ends_a_check_with_sentences(limit: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is not mistaken for a failure of the sentences, after which the proof alone is checked."""
    certificate, raised = proof_of("4x4"), []

    def wait(*_: object) -> None:
        raised.append(limit)
        raise limit

    monkeypatch.setattr("cavalcade.explaining.rules.cut.sentence", wait)
    with pytest.raises(limit):
        verified_in_words(certificate)
    assert raised == [limit]


def test_a_proof_is_valid_for_its_own_question_only() -> None:
    for certificate in proofs():
        if isinstance(certificate.question.board, Board):
            for change in ({"board": parse_board("6x6")}, {"board": parse_board("torus:5x7")}, {"end": 99}):
                changed = replace(certificate.question, **change)
                assert not verify(replace(certificate, question=changed))
    first = proofs()[0]
    three_by_eight = replace(first, question=replace(first.question, closed=False))
    assert isinstance(cavalcade.tour("3x8", open=True), Found)
    assert not verify(three_by_eight)


TRIANGLE = [(0, 1), (1, 2), (0, 2)]
SQUARE = [(0, 1), (1, 2), (2, 3), (3, 0)]
DIAGONAL = [*SQUARE, (0, 2)]
THREE_WAYS = [(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4)]
BRANCH_THREE = [[("three", [0])], [("three", [0])]]
TRIANGLES = edges_of("0-1 1-2 2-0 3-4 4-5 5-3")
EXPANDED = edges_of(
    "0-5 5-6 6-0 0-1 5-2 6-3 1-4 2-4 3-4"
)  # THREE_WAYS with a triangle in place of its first cell
COMPLETE = edges_of("0-1 0-2 0-3 1-2 1-3 2-3")
RING = edges_of("0-1 1-2 2-3 3-4 4-0")
LINKED = edges_of("0-1 1-2 2-0 3-4 4-5 5-3 0-3 0-4")
# Two complete graphs with six vertices, joined by five paths of two edges.
FIVE_WAYS = [(i + s, j + s) for s in (0, 6) for j in range(6) for i in range(j)]
FIVE_WAYS += [edge for i in range(5) for edge in ((i, 12 + i), (12 + i, 6 + i))]
BRIDGE = LINKED[:7]
EARS = edges_of("0-1 0-2 2-3 3-1 4-5 4-1 5-1")
CONTRACTED = ("contract", [0, 5, 6])
# Two sides of four vertices, joined by four edges; and the same graph with two more vertices.
SIDES = edges_of("0-1 2-3 0-4 1-5 2-6 3-7 4-6")
WIDER = [*SIDES, (4, 8), (7, 9), (8, 9)]
ENDS, MIRRORED = [0, 4, 1, 5, 2, 6, 3, 7], [4, 0, 5, 1, 6, 2, 7, 3]
LONE = [[("degree", [5])]]
LOOP = [("forced", [0, 1]), ("cycle", [0, 1, 4])]


def numbers(*terms: tuple[int, list[int]]) -> tuple[Any, ...]:
    """Return a step of the rule `linear` for the table below."""
    return "linear", [], [], terms


RULES: list[tuple[list[tuple[int, int]], list[Any], str]] = [
    # Edges, steps, and the message of the checker; "" if the proof is right.
    ([(0, 1), (1, 2), (2, 0), (2, 3)], [("degree", [3])], ""),
    (SQUARE, [("degree", [0])], "1 has 2 moves left"),
    (SQUARE, [("forced", [0, 1, 2, 3]), ("cycle", [0, 1, 2, 3])], "4 of 4 cells contradicts nothing"),
    (DIAGONAL, [("forced", [0]), ("degree", [1])], "1 has 3 moves left, not 2"),
    (DIAGONAL, [("saturated", [0]), ("degree", [2])], "1 has 0 forced moves, not 2"),
    (SQUARE, [("forced", [0, 1, 2, 3]), ("three", [0])], "1 has 2 forced moves"),
    (SQUARE, [("cut", [0, 2])], "there are 2 parts, not more than 2"),
    (SQUARE, [("cut", [])], "there are 1 parts"),
    (SQUARE, [("hall", [0, 2])], "2 cells have 2 neighbours, not fewer"),
    (SQUARE, [("factor", [0, 2])], "4 moves can lead to 2 cells, not fewer than two each"),
    ([(a + i, b + i) for i in (0, 3) for a, b in TRIANGLE], [("sign", [])], ""),
    ([(a + i, b + i) for i in (0, 3, 6) for a, b in TRIANGLE], [("sign", [])], "by 3 cycles, an odd number"),
    (SQUARE, [("sign", [])], "1 is in a group of 2 cells, an even number"),
    (SQUARE, [("factor", [])], "0 moves can lead to 0 cells"),
    (DIAGONAL, [("factor", [0, 1])], "5 moves can lead to 2 cells"),
    (THREE_WAYS, [("factor", [1, 2, 3])], ""),
    (edges_of("0-1 1-2 2-0 2-3 3-4 4-5 5-3"), [("factor", [2, 3])], "6 moves can lead to 2 cells"),
    (edges_of("0-2 0-3 0-4 1-4 1-5 1-6 2-3 5-6 0-5"), [("factor", [0, 4, 1])], "moves can lead to 3 cells"),
    (edges_of("0-1 0-2 0-3 1-4 2-5 3-6 4-5 5-6 6-4"), [("factor", [1, 2, 3])], ""),
    (edges_of("0-3 0-4 1-3 1-4 2-3 2-5 5-6 6-3 5-4"), [("factor", [0, 1, 2])], ""),
    (THREE_WAYS, [numbers((1, [1]), (1, [2]), (1, [3]), (-1, [0]), (-1, [4]))], ""),
    (BRIDGE, [numbers((1, [0, 1, 2]))], ""),
    (BRIDGE, [numbers((3, [0, 1, 2]), (4, [5, 4, 3]))], ""),
    (LINKED, [numbers((1, [0, 1, 2]))], "moves worth 2 can be made, not fewer than 2"),
    (BRIDGE, [numbers((1, [*range(6)]))], "it has a set of 6 cells, of 6"),
    (BRIDGE, [numbers((1, []))], "it has a set of 0 cells, of 6"),
    (BRIDGE, [numbers((1, [0, 1, 2]), (0, [3]), (0, [3, 4]))], ""),
    (BRIDGE, [numbers((-1, [0, 1, 2]))], "a set of 3 cells has the number -1"),
    (BRIDGE, [numbers((1 << 58, [0, 1, 2]))], ""),
    (BRIDGE, [numbers((1 << 59, [0, 1, 2]))], "its numbers are too large to add them up in 64 bits"),
    (BRIDGE, [numbers((1, [0, 1, 1]))], "it names a cell twice"),
    (BRIDGE, [numbers((1, [0, 9]))], "there is no cell 9"),
    (BRIDGE, [("linear", [0, 1, 2])], "the rule 'linear' has terms, and other rules have none"),
    (BRIDGE, [("cut", [0], [], [(1, [0, 1, 2])])], "'linear' has terms, and other rules have none"),
    (EARS, [("forced", [0]), numbers((1, [2, 3]), (1, [4, 5]), (-1, [0]), (-1, [1]))], ""),
    (EARS, [numbers((1, [2, 3]), (1, [4, 5]), (-1, [0]), (-1, [1]))], "moves worth 0 can be made"),
    (LINKED, [("forced", [1]), ("subtour", [2, 0]), numbers((1, [2]))], ""),
    (LINKED, [("forced", [1]), numbers((1, [2]))], "moves worth 2 can be made, not fewer than 2"),
    (EXPANDED, [CONTRACTED, numbers((1, [1]), (1, [2]), (1, [3]), (-1, [0]), (-1, [4]))], ""),
    (EXPANDED, [CONTRACTED, numbers((1, [0, 1, 2, 3, 4]))], "it has a set of 5 cells, of 5"),
    (EXPANDED, [CONTRACTED, numbers((1, [0, 5]))], "names a cell that was contracted to another"),
    (SQUARE, [("colours", [0])], "both colours have 2 cells"),
    (DIAGONAL, [("colours", [0])], "two colours"),
    (SQUARE, [("tight", [0]), ("degree", [0])], "1 cells have 2 neighbours"),
    (DIAGONAL, [("tight", [1, 3]), ("degree", [0])], "1 has 2 moves left"),
    (DIAGONAL, [("tight_cut", [0, 2]), ("degree", [0])], "1 has 2 moves left"),
    (DIAGONAL, [("tight_cut", [0, 1]), ("degree", [0])], "there are 1 parts, not 2"),
    (DIAGONAL, [("subtour", [0, 2]), ("degree", [0])], "1-3 are not the ends of a path"),
    (DIAGONAL, [("forced", [1, 3]), ("subtour", [0, 2]), ("degree", [0])], "1-3 are not the ends of a path"),
    (SQUARE, [("forced", [0])], "the last step, but not a contradiction"),
    (SQUARE, [("degree", [0]), ("forced", [0])], "not a deduction, but more steps follow"),
    (SQUARE, [("forced", [9]), ("degree", [0])], "there is no cell 9"),
    (SQUARE, [("forced", [4]), ("degree", [0])], "there is no cell 4"),
    (SQUARE, [("forced", [1, 2]), ("subtour", [0, 3]), ("degree", [0])], "between 1-4 visits every cell"),
    (SQUARE, [("hall", [0, 0, 0])], "it names a cell twice"),
    (SQUARE, [("branch", [0, 1])], "a branch has two cases"),
    (SQUARE, [("branch", [0, 2], [[], []])], "there is no move 1-3"),
    (THREE_WAYS, [("forced", [1, 2, 3]), ("branch", [0, 1], BRANCH_THREE)], "1-2 is forced or ruled out"),
    (THREE_WAYS, [("branch", [0, 1], BRANCH_THREE)], "1 has 1 forced moves"),
    (THREE_WAYS, [("hall", [1, 2, 3], [[], []])], "other rules have none"),
    (THREE_WAYS, [("magic", [1, 2, 3])], "there is no rule 'magic'"),
    (THREE_WAYS, [("hall", [1, 2, 3])], ""),
    ([(0, 1), (2, 3)], [("hall", [2, 3, 1, 0]), ("degree", [0])], "not a deduction"),
    (EARS, [("forced", [0]), ("cut", [0, 1])], ""),
    (edges_of("0-1 1-2"), [*[("saturated", [])] * 401, ("degree", [0])], ""),
    (THREE_WAYS, [("forced", [1, 2, 3]), ("three", [0])], ""),
    (THREE_WAYS, [("cut", [0, 4])], ""),
    (LINKED, [("forced", [1, 2]), ("cycle", [0, 1, 2])], ""),
    (LINKED, [("forced", [1]), ("subtour", [2, 0]), ("degree", [2])], ""),
    (SQUARE, [("sweep", [0, 1, 2])], "it takes 3 of 4 cells"),
    (SQUARE, [("sweep", [0, 1, 2, 3])], "there is a tour"),
    (DIAGONAL, [("sweep", [3, 1, 0, 2])], "there is a tour"),
    (edges_of("0-1 1-2 2-3 3-4 4-5 5-0 0-3 1-4 2-5"), [("sweep", [0, 2, 4, 1, 3, 5])], "there is a tour"),
    (THREE_WAYS, [("sweep", [1, 0, 2, 4, 3])], ""),
    (TRIANGLES, [("sweep", [0, 1, 2, 3, 4, 5])], ""),
    (FIVE_WAYS, [("forced", [12, 13, 14, 15, 16]), ("parity", [0, 1, 2, 3, 4, 5])], ""),
    (FIVE_WAYS, [("forced", [12, 13, 14, 15]), ("parity", [0, 1, 2, 3, 4, 5])], "1 of the moves"),
    (FIVE_WAYS, [("forced", [12, 13, 14, 15, 16]), ("parity", [12])], "2 moves leave the 1 cells, an even"),
    (FIVE_WAYS, [("parity", [*range(17)])], "0 moves leave the 17 cells, an even number"),
    (PETERSEN, [("sweep", [0, 1, 4, 5, 2, 6, 3, 9, 7, 8])], ""),
    ([*PETERSEN, (0, 2)], [("sweep", [0, 1, 4, 5, 2, 6, 3, 9, 7, 8])], "there is a tour"),
    (EXPANDED, [("contract", [0, 5, 6]), ("hall", [1, 2, 3])], ""),
    (EXPANDED, [("contract", [0, 5, 6]), ("sweep", [0, 1, 2, 3, 4])], ""),
    (EXPANDED, [("contract", [0, 5, 6]), ("cut", [0, 4])], ""),
    (EXPANDED, [("contract", [0, 5, 6]), ("sweep", [0, 1, 2, 3, 4, 5, 6])], "that was contracted to another"),
    (EXPANDED, [("contract", [0, 5, 6]), ("degree", [5])], "names a cell that was contracted to another"),
    (EXPANDED, [("contract", [0]), ("hall", [1, 2, 3])], "1 cell cannot be contracted"),
    (EXPANDED, [("contract", [0, 5, 6])], "the last step, but not a contradiction"),
    (COMPLETE, [("contract", [0, 1]), ("degree", [2])], "4 moves leave the 2 cells"),
    (SQUARE, [("contract", [0, 1, 2]), ("degree", [3])], "only 2 cells would remain"),
    (DIAGONAL, [("contract", [0, 1]), ("degree", [2])], "3 has 2 moves left"),
    (DIAGONAL, [("forced", [1]), ("contract", [0, 1]), ("degree", [2])], "before anything else is done"),
    (SIDES, [("apart", ENDS, LONE), *LOOP], ""),
    (SIDES, [("apart", MIRRORED, [[("degree", [0])]]), ("degree", [5])], ""),
    (SIDES, [("apart", ENDS, [LOOP]), ("degree", [5])], "names a cell that was contracted to another"),
    (SIDES, [("apart", ENDS, LONE), ("forced", [0, 1]), ("degree", [5])], "step 4 is wrong: it"),
    (SIDES, [("apart", ENDS, LONE), ("sweep", [4, 0, 1, 2, 3, 6])], ""),
    (SIDES, [("apart", ENDS, LONE), ("symmetry", [])], "may shift a tour"),
    (SIDES, [("apart", ENDS, [[("degree", [4])]]), *LOOP], "5 has 2 moves left"),
    (SIDES, [("apart", ENDS, LONE), ("degree", [4])], "5 has 3 moves left"),
    (SIDES, [("apart", ENDS, [[("forced", [5])]]), *LOOP], "the last step, but not a contradiction"),
    (SIDES, [("apart", ENDS, LONE)], "the last step, but not a contradiction"),
    (SIDES, [("apart", ENDS), *LOOP], "'apart' has one"),
    (SIDES, [("apart", ENDS, [*LONE, *LONE]), *LOOP], "'apart' has one"),
    (SIDES, [("forced", [3]), ("apart", ENDS, LONE), *LOOP], "before anything else is done"),
    (SIDES, [("apart", ENDS[:6], LONE), *LOOP], "names 6 cells, not the 8 ends of four moves"),
    (SIDES, [("apart", [*ENDS[:7], 6], LONE), *LOOP], "it names a cell twice"),
    (SIDES, [("apart", [0, 5, 1, 4, *ENDS[4:]], LONE), *LOOP], "there is no move 1-6"),
    (SIDES, [("apart", [*ENDS[:6], 7, 3], LONE), *LOOP], "other moves lead to 4, too"),
    ([*SIDES, (0, 7)], [("apart", ENDS, LONE), *LOOP], "other moves lead to 8, too"),
    ([*SIDES, (0, 6), (1, 7)], [("apart", ENDS, LONE), *LOOP], "other moves lead to 5, 7, 8, too"),
    (WIDER, [("apart", ENDS, [LOOP]), ("degree", [5])], ""),
    (WIDER, [("apart", ENDS, LONE), *LOOP], "names a cell that was contracted to another"),
    (WIDER, [("apart", ENDS, [LOOP]), ("apart", ENDS, LONE), ("degree", [5])], "was contracted to another"),
    (RING, [("contract", [1, 0]), ("forced", [1, 2, 3, 4]), ("cycle", [1, 2, 3, 4])], "4 of 4 cells"),
    (RING, [("contract", [1, 0]), ("forced", [2, 3]), ("subtour", [1, 4]), ("degree", [1])], "visits every"),
]  # fmt: skip


def step(rule: str, cells: list[int], cases: Any = (), terms: Any = ()) -> Step:
    """Build a step from an entry of the table above."""
    inner = tuple(tuple(step(*inner_step) for inner_step in case) for case in cases)
    return Step(
        rule,
        tuple(cells),
        inner,
        tuple(Term(number, tuple(cells_of_term)) for number, cells_of_term in terms),
    )


@pytest.mark.parametrize(("edges", "steps", "wrong"), RULES)
def test_the_rules_one_by_one(edges: list[Any], steps: list[Any], wrong: str) -> None:
    proof = StepProof(tuple(step(*arguments) for arguments in steps))
    certificate = certify(MoveGraph.from_edges(edges), proof)
    verdict = verify(certificate)
    assert verdict.ok == (not wrong), verdict.message
    assert wrong in verdict.message
    assert verified_in_words(certificate) == (verdict, sentences(certificate) if verdict else [])
    if verdict:
        words = sentences(certificate)
        last = proof.steps[-1]
        assert words[-1].startswith("So there is no closed tour of")
        named = last.terms[0][1] if last.terms else last.cells
        name = certificate.name(named[0]) if named else "even number of loops"  # `sign` names no vertex
        assert (name if len(proof.steps) < 400 else "has 402 steps") in words[-2]
        assert "<svg" in certificate.svg()


def test_parity_is_found_directly() -> None:
    """Cases would enumerate thousands of ways through the two parts, and clauses cannot express parity."""
    proof = reasons(Question(MoveGraph.from_edges(FIVE_WAYS)), Budget(), cases=0)
    assert isinstance(proof, StepProof)
    assert [step.rule for step in proof.steps] == ["forced", "parity"]
    words = sentences(certify(MoveGraph.from_edges(FIVE_WAYS), proof))[1]
    assert words.startswith(
        "Of the edges that leave the 6 vertices 1, 2, 3, 4, 5 and 6, every Hamiltonian cycle uses exactly"
    )


def test_sentences_about_two_graphs() -> None:
    last = step("cycle", [0, 1, 4])
    proof = StepProof((step("apart", ENDS, LONE), step("forced", [0, 1]), last))
    split, first, second, *_ = sentences(certify(MoveGraph.from_edges(SIDES), proof))
    assert split == (
        "Only 1-5, 2-6, 3-7 and 4-8 lead out of the 4 vertices 1, 2, 3 and 4. A Hamiltonian cycle visits "
        "these vertices in one path or in two. If one path joins 1 to 2 or 3 to 4, or two paths join 1 to 2 "
        "and 3 to 4, then the other 4 vertices have a Hamiltonian cycle as soon as 5-6 and 7-8 are edges. "
        "In every other case the 4 vertices have a Hamiltonian cycle together with two vertices that are "
        "joined to each other: 5, joined to 1 and 2, and 7, joined to 3 and 4. But neither of the two "
        "graphs has a Hamiltonian cycle. Look at the graph of 4 vertices first."
    )
    assert first.startswith("6 is joined only to 5")
    assert second.startswith("Now look at the other graph, of 6 vertices. 1 is joined only to 2 and 5")


@pytest.mark.parametrize(
    ("words", "ending"),
    [
        ("closed tour of 3x4", "So there is no closed tour of 3x4."),
        ("open tour of 6x6 by the camel from a1", "So there is no open tour of 6x6 by the camel from a1."),
        ("closed tour of 8x8, without a1-b3", "So no closed tour of 8x8 avoids the move a1-b3."),
        (
            "open tour of 6x6 from a1, with b1-c3, d4-e6, without a2-b4, c5 at step 5",
            (
                "So no open tour of 6x6 from a1 uses all the moves b1-c3, d4-e6, avoids the move a2-b4 and "
                "has c5 at step 5."
            ),
        ),
        (
            "closed tour of 6x6, symmetric under the half turn, all moves clockwise in 7 coils",
            (
                "So no closed tour of 6x6 is symmetric under the half turn and makes all moves clockwise "
                "in 7 coils."
            ),
        ),
        ("closed tour of 5x6, with at most 20 turns", "So no closed tour of 5x6 has at most 20 turns."),
    ],
)
def test_conclusions(words: str, ending: str) -> None:
    assert conclusion(f"no {words}") == ending


def test_sentences_about_rare_proofs() -> None:
    lone = MoveGraph.from_edges([(0, 1), (0, 2), (1, 2)], 4)
    nowhere = certify(lone, StepProof((Step("hall", (3,)),)))
    assert verify(nowhere)
    assert sentences(nowhere)[0] == "From 4 there is no edge at all."
    machine = certify(lone, SatProof((), ("0",)))
    assert verify(machine).message.endswith("0 cuts and 1 line checked")
    assert "No choice among the 3 edges does all of this" in sentences(machine)[0]
    held = certify(MoveGraph.from_edges(RULES[-1][0]), StepProof(()))
    assert verify(held).message.endswith("there is no step")


# ---- independence of the checker


def graph_with_lost_moves(board: Board, piece: Piece) -> MoveGraph:
    """Return the move graph without all but one of the moves of the first cell."""
    edges = move_graph(board, piece).edges()
    return MoveGraph.from_edges(np.delete(edges, np.flatnonzero(edges[:, 0] == 0)[1:], axis=0), board.size)


class BrokenMatching(SuccessorMatching):
    """A matching that leaves the first cell without a successor."""

    def __init__(self, graph: MoveGraph) -> None:
        super().__init__(graph)
        self.unmatched = np.array([0])


BROKEN: dict[str, tuple[object, str, object]] = {
    "the graph": (questions, "graph_of", graph_with_lost_moves),
    "the matching": (sets_of_cells, "SuccessorMatching", BrokenMatching),
    "colours": (sets_of_cells, "colours", lambda *_: (Step("colours", (0,)), np.zeros(99, dtype=np.int32))),
    "separate parts": (sets_of_cells, "colours", lambda *_: (Step("cut"), np.zeros(99, dtype=np.int32))),
}


@pytest.mark.parametrize("part", BROKEN)
def test_a_broken_engine_never_gets_a_certificate(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All boards have tours, so every proof is wrong: the search fails, or the checker rejects its proof."""
    owner, name, broken = BROKEN[part]
    monkeypatch.setattr(owner, name, broken)
    wrong = 0
    for spec, closed in (("3x10", True), ("5x6", True), ("6x6", True), ("hex:4", True), ("4x5", False)):
        question = Question(parse_board(spec), closed=closed)
        for sets in (True, False):
            try:
                proof = reasons(question, Budget(), cases=20, sets=sets)
            except (AssertionError, StopIteration, IndexError, ValueError):
                wrong += 1  # the search fails by itself
                continue
            if isinstance(proof, StepProof):
                wrong += 1
                assert not verify(Certificate(question, proof)), (part, spec)
    assert wrong


def test_the_checker_uses_no_engine_and_no_geometry_of_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    certificates = [certificate for certificate in proofs() if isinstance(certificate.question.board, Board)]
    closed_tour, open_tour = cavalcade.tour("6x6"), cavalcade.tour("torus:5x7", open=True)
    assert isinstance(closed_tour, Found)
    assert isinstance(open_tour, Found)

    def fail(*_: object) -> None:
        raise AssertionError("the checker calls the side of the engines")

    for owner, name in (
        (moves, "move_graph"), (questions, "graph_of"), (Piece, "vectors"), (Board, "locate"),
    ):  # fmt: skip
        monkeypatch.setattr(owner, name, fail)
    monkeypatch.setattr(Question, "as_cycle", property(fail))
    monkeypatch.setattr(Question, "graph", property(fail))
    for certificate in certificates:
        assert verify(certificate)
        assert sentences(certificate)
    for verdict in (closed_tour, open_tour):
        assert isinstance(verdict.tour.board, Board)
        assert cavalcade.check(verdict.tour)
        assert cavalcade.check_array(verdict.tour.numbering, verdict.tour.board)


def test_boards_of_one_and_two_cells() -> None:
    certificate = certify(parse_board("1x1"), StepProof((Step("degree", (0,)),)))
    assert not verify(certificate)
    assert cavalcade.prove("1x1").status == "found"
    assert cavalcade.prove("1x2").status == cavalcade.prove("1x2", open=True).status == "impossible"
    assert cavalcade.prove(MoveGraph.from_edges([(0, 1)]), open=True).status == "found"


# ---- certificates as text, words and pictures


def test_malformed_certificates_are_refused() -> None:
    good = json.loads(proofs()[2].to_json())
    assert is_certificate(json.dumps(good))
    wrong: list[tuple[str, Any]] = [
        ("certificate", 1), ("certificate", "2"), ("certificate", 2.0), ("certificate", True),
        ("statement", 8), ("statement", "closed tour of 8x"), ("statement", "ajar tour of 8x8"),
        ("statement", "closed tour of 8X8"), ("statement", "closed tour of 8x8 by the knight"),
        ("statement", "closed tour of 8x8, with at most 9 turns"), ("board", "8x8"), ("edges", []),
        ("directed", False), ("steps", {}), ("method", "magic"), ("steps", [3]),
        ("steps", [{"rule": "cut", "cells": ["z9"]}]),
        ("steps", [{"rule": 1, "cells": []}]), ("steps", [{"rule": "cut", "cells": 7}]),
    ]  # fmt: skip
    for key, value in wrong:
        with pytest.raises(FormatError):
            from_json(json.dumps(good | {key: value}))
    for key in set(good) - {"certificate"}:
        with pytest.raises(FormatError, match="is missing"):
            from_json(json.dumps({k: v for k, v in good.items() if k != key}))
    twice = json.dumps(good)[:-1] + ', "statement": "closed tour of 8x8"}'
    for text in ("", "[]", "{", '{"certificate": 2}', twice):
        with pytest.raises(FormatError):
            from_json(text)
    deep: list[Any] = []
    for _ in range(400):
        deep = [{"rule": "branch", "cells": ["a1", "b3"], "cases": [deep, deep]}]
        if len(json.dumps(deep)) > 10_000:
            break
    assert not verify(from_json(json.dumps(good | {"statement": "closed tour of 3x4", "steps": deep})))


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (Question.of("6x6", at="1=a1,10=f4,19=b1"), "list the steps at which a tour may visit it"),
        (
            Question.of("5x5", open=True, at="12=c4"),
            "satisfies all of this. The proof has",
        ),
        (
            Question.of("6x7", open=True, moves="clockwise", avoid="a1-b3,a1-c2"),
            "In a closed tour each of the 12 squares is followed by a different square",
        ),
        (Question.of("4x6", open=True, moves="clockwise"), "two extra squares: >c, where a tour arrives"),
        (
            Question.of("3x4", open=True, with_="a1-b3", avoid="a1-c2,a3-b1"),
            "Put two extra squares, a-b and b-a",
        ),
    ],
)
def test_proofs_with_constraints_in_words(question: Question, words: str) -> None:
    verdict = cavalcade.prove(question, engine="sat" if question.steps else None)
    assert isinstance(verdict, Impossible)
    assert words in verdict.reason
    assert verdict.reason.endswith(conclusion(f"no {statement(question)}"))


def test_a_proof_names_its_cells() -> None:
    cases = [*proofs()]
    for closed, start, end in (
        (False, None, None),
        (False, "b1", None),
        (False, "a1", "b3"),
        (True, None, None),
    ):
        cases.append(proof_of("3x5", open=not closed, start=start, end=end))
    for certificate in cases:
        text = " ".join(sentences(certificate))
        question = certificate.question
        ends = [question.board.name(cell) for cell in question.ends]
        assert f" no {question.kind} tour of {question.board.title}" in text
        assert text.endswith(conclusion(certificate.claim))
        assert all(f" {name}" in text[text.rindex("So ") :] for name in ends)
        assert isinstance(certificate.proof, StepProof)
        for step in flat(certificate.proof.steps):
            for cell in step.cells[:6]:
                assert certificate.name(cell).strip(">") in text or cell == question.board.size
        picture = ET.fromstring(certificate.svg())  # noqa: S314 - our own picture
        assert len(picture) > 2


def test_the_picture_of_a_cut_shows_the_cells_of_the_cut() -> None:
    circles = re.findall(r'class="named"', proof_of("3x6").svg())
    assert len(circles) == 4  # two removed, two isolated; the large part is not marked


def test_the_argument_of_the_paper_for_3x6() -> None:
    proof = reasons(Question(parse_board("3x6")), Budget(), sets=False)
    assert isinstance(proof, StepProof)
    assert {step.rule for step in flat(proof.steps)} <= {
        "forced",
        "saturated",
        "subtour",
        "degree",
        "three",
        "cycle",
    }


def test_sat_proofs_are_data_too() -> None:
    proof = SatProof(((0, 1), (2,)), ("1 -2 0", "0"))
    certificate = certify(parse_board("3x4"), proof, closed=False, start=1)
    assert from_json(certificate.to_json()) == certificate
    assert certificate.reason == certificate.method == "sat"


# ---- the ladder and the command line


def test_many_parts_without_a_single_cell() -> None:
    verdict = cavalcade.prove("20x20", piece="5,10")
    assert isinstance(verdict, Impossible)
    assert "falls into 25 parts with no move between them: 25 of 16 squares each" in verdict.reason


def test_verdicts_list_the_engines_that_were_tried() -> None:
    verdict = cavalcade.tour("4x7")
    assert verdict.status == "impossible"
    assert [trial.engine for trial in verdict.effort] == ["join", "reasons"]
    assert math.isclose(sum(trial.seconds for trial in verdict.effort), verdict.seconds, abs_tol=0.5)
    assert [trial.engine for trial in cavalcade.prove("8x8").effort] == ["reasons", "join"]
    with pytest.raises(CellError, match="closed tour has no end"):
        cavalcade.prove("8x8", end="a1")
    with pytest.raises(CellError, match="same cell"):
        cavalcade.prove("8x8", open=True, start="a1", end="a1")
    with pytest.raises(CavalcadeError):
        cavalcade.prove("8x")


@pytest.mark.parametrize(("start", "end"), [("a1", "h8"), ("a1", "a1"), ("b1", "b2"), (None, "c4")])
def test_tours_with_ends_have_these_ends(start: str | None, end: str | None) -> None:
    if start == end:
        start = None
    verdict = cavalcade.prove("5x5" if end != "h8" else "8x8", open=True, start=start, end=end)
    if isinstance(verdict, Found):
        assert start in {None, verdict.tour.names[0]}
        assert end in {None, verdict.tour.names[-1]}
    else:
        assert verdict.status == "impossible"


def test_prove_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    proof, picture = tmp_path / "a.proof", tmp_path / "a.svg"
    assert main(["prove", "3x8", "-o", str(proof)]) == 1
    printed = capsys.readouterr().out
    assert "At c2 these are the moves to a1 and a3" in " ".join(printed.split())
    assert "Schwenk" in printed
    assert main(["check", str(proof)]) == 0
    assert capsys.readouterr().out == "no closed tour of 3x8: 3 steps checked\n"
    assert main(["check", str(proof), "--board", "3x10"]) == 2
    capsys.readouterr()
    bad = json.loads(proof.read_text())
    bad["steps"][-1]["cells"].pop()
    proof.write_text(json.dumps(bad))
    assert main(["check", str(proof)]) == 1
    assert "step 3 is wrong" in capsys.readouterr().out
    assert main(["prove", "3x8", "-o", str(picture), "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["status"], answer["proof"], answer["theorems"][0]["name"]) == (
        "impossible",
        "chain",
        "Schwenk's theorem",
    )
    assert answer["certificate"]["steps"]
    assert answer["sentences"]
    assert answer["effort"]
    assert picture.read_text().startswith("<svg")
    assert main(["prove", "3x10", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "found"
    for wrong in (["-o", "a.gif"], ["--piece", "nobody"]):
        assert main(["prove", "3x8", *wrong]) == 2
    capsys.readouterr()
    formula = tmp_path / "b.cnf"
    assert main(["prove", "3x8", "-o", str(formula)]) == 1
    assert "p cnf " in formula.read_text()
    assert formula.with_suffix(".drat").read_text().splitlines()[-1] == "0"
    assert main(["check", str(formula)]) == 0
    formula.unlink()
    capsys.readouterr()
    monkeypatch.setattr(cnf, "SOLVER_WORK", 1)
    assert main(["prove", "8x8-a1,b1,c1,h8,g8,f8", "-o", str(formula)]) == 1
    printed = capsys.readouterr().err
    assert "b.cnf was not written: the solver found no proof" in printed
    assert "b.opb and b.pbp have one for VeriPB" in printed
    assert not formula.exists()
    assert formula.with_suffix(".opb").read_text().startswith("* #variable= ")
    assert main(["prove", "8x8", "--symmetry", "quarter turn", "-o", str(formula)]) == 3
    assert "was not written: the solver found no proof" in capsys.readouterr().err
    assert main(["prove", "4x6", "--engine", "sat", "-o", str(formula.with_suffix(".opb"))]) == 2
    assert "expected one by steps" in capsys.readouterr().err


if __name__ == "__main__":
    total: Counter[str] = Counter()
    columns = ("tour", *CONTRADICTIONS, "chain", "cases", "sat")
    print(f"{'family':16}" + "".join(f"{column:>8}" for column in columns))  # noqa: T201
    for name in FAMILIES:
        row = survey(name)
        total += row
        print(f"{name:16}" + "".join(f"{row[column]:8}" for column in columns))  # noqa: T201
    print(f"{'all':16}" + "".join(f"{total[column]:8}" for column in columns))  # noqa: T201


# ---- the clock


def test_reasons_skip_work_beyond_the_budget() -> None:
    for spec, work, proof in (
        ("4x20000", 10**6, None),
        ("4x60", 10**6, StepProof),
        ("2x90000", 0, StepProof),
    ):
        result = reasons(Question.of(spec), Budget(work))
        assert result is None if proof is None else isinstance(result, proof)


def test_a_proof_without_time_to_check_it_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    question = Question.of("4x60")
    assert isinstance(cavalcade.prove(question), Impossible)
    assert isinstance(cavalcade.prove("4x4", engine="sat"), Impossible)
    monkeypatch.setattr(judging, "CHARACTER_SECONDS", 10.0)
    cases: tuple[tuple[EngineName, str], ...] = (("reasons", "4x60"), ("sat", "4x4"))
    for engine, spec in cases:
        verdict = cavalcade.prove(spec, engine=engine)
        assert isinstance(verdict, Undecided)
        assert "a proof was found, but no time is left to check it" in verdict.reason


def test_any_integer_is_a_seed() -> None:
    assert isinstance(cavalcade.prove("5x6", seed=10**20), Found)
    assert isinstance(cavalcade.prove("5x6", seed=2**31 - 3), Found)
