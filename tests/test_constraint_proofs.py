"""Damaged proofs about constraints: a proof that the checker accepts still proves a true statement."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

import cavalcade
from cavalcade import Impossible, Question
from cavalcade.answers.certificate import Certificate, PositionProof, SatProof, StepProof, from_json
from cavalcade.checking.certificates import verify
from cavalcade.ground.errors import FormatError
from certified import accepted_certificate
from test_constraints import Words, full, wanted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.ask.engines import EngineName


def words_of(question: Question) -> Words | None:
    """The words of a question for the plain implementation; None if two cells share a step."""
    ends = ((1, question.start), (question.board.size, question.end))
    given_ends = [(step, cell) for step, cell in ends if cell is not None]
    words: Words = {"with_": question.required, "avoid": question.forbidden}
    if len(dict([*question.steps, *given_ends])) < len(question.steps) + len(given_ends):
        return None
    if question.steps or given_ends:
        words["at"] = dict([*question.steps, *given_ends])
    if question.symmetry is not None:
        words["symmetry"] = question.symmetry.cells.tolist()
    return words | ({"moves": question.direction} if question.direction else {})


REFUTED: list[tuple[str, bool, Words, EngineName | None, type]] = [
    ("6x6", True, {"with_": "a1-b3,b3-c1,b3-d4"}, None, StepProof),
    ("5x6", True, {"with_": "c3-e4", "avoid": "b2-c4"}, "sat", SatProof),
    ("6x6", True, {"at": {1: "a1", 5: "a2"}}, None, StepProof),
    ("5x5", False, {"at": {2: "a2"}, "start": "a1"}, None, StepProof),
    ("5x6", True, {"symmetry": "vertical"}, None, StepProof),
    ("6x6", True, {"symmetry": "horizontal", "with_": "c3-d5", "avoid": "c1-d3"}, None, StepProof),
    ("5x6", True, {"symmetry": "half turn", "with_": "c3-e2", "avoid": "b2-c4"}, "sat", SatProof),
    ("6x6", True, {"symmetry": "quarter turn", "with_": "c3-d5,c4-e5"}, "sat", SatProof),
    ("5x6", True, {"at": {1: "a1", 8: "b1", 15: "c1"}, "with_": "c3-d5"}, "sat", PositionProof),
    ("3x10", True, {"at": {3: "d2", 9: "e1"}, "avoid": "a1-b3"}, "sat", PositionProof),
    ("6x6", True, {"moves": "clockwise", "with_": "c2-e3"}, None, StepProof),
    ("6x6", True, {"moves": "clockwise", "avoid": "a1-b3"}, "sat", SatProof),
    ("3x4", False, {"with_": "b2-d3,b2-d1", "start": "b2"}, None, StepProof),
]


@cache
def refuted(number: int) -> Certificate:
    """The certificate of a question of `REFUTED`."""
    spec, closed, words, engine, kind = REFUTED[number]
    verdict = cavalcade.prove(spec, open=not closed, engine=engine, **words)
    assert isinstance(verdict, Impossible), verdict
    assert verdict.certificate
    assert isinstance(verdict.certificate.proof, kind)
    return verdict.certificate


def damages(certificate: dict[str, Any], names: list[str], rng: random.Random) -> Iterator[dict[str, Any]]:
    """Copies of a certificate with one constraint removed, changed or added."""

    def cell() -> str:
        return rng.choice(names)

    moves = [[a, b] for a in names for b in names if a < b and sorted(
        (abs(ord(a[0]) - ord(b[0])), abs(int(a[1:]) - int(b[1:])))) == [1, 2]]  # fmt: skip
    for key in ("with", "avoid"):
        pairs = certificate.get(key, [])
        for i in range(len(pairs)):
            yield certificate | {key: pairs[:i] + pairs[i + 1 :]}
            yield certificate | {key: [*pairs[:i], rng.choice(moves), *pairs[i + 1 :]]}
            yield certificate | {key: [*pairs[:i], [cell(), cell()], *pairs[i + 1 :]]}
            yield certificate | {key: [*pairs, pairs[i]]}
            yield certificate | {key: [*pairs[:i], pairs[i][::-1], *pairs[i + 1 :]]}
        yield from (certificate | {key: [*pairs, rng.choice(moves)]} for _ in range(3))
        yield certificate | {"with": certificate.get("avoid", []), "avoid": certificate.get("with", [])}
    fixed = certificate.get("at", {})
    for step in fixed:
        yield certificate | {"at": {k: v for k, v in fixed.items() if k != step}}
        yield from (certificate | {"at": fixed | {step: cell()}} for _ in range(3))
        for place in (0, 1, len(names), len(names) + 1, rng.randint(1, len(names))):
            yield certificate | {"at": {k if k != step else str(place): v for k, v in fixed.items()}}
    yield from (certificate | {"at": fixed | {str(rng.randint(1, len(names))): cell()}} for _ in range(3))
    for key in ("start", "end"):
        yield from (certificate | {key: end} for end in (None, cell(), cell()))
    if "symmetry" in certificate:
        images = certificate["symmetry"]["images"]
        yield {k: v for k, v in certificate.items() if k != "symmetry"}
        for symmetry in (
            "half turn",
            "quarter turn",
            "reflection, left to right",
            "reflection, top to bottom",
            "g",
        ):
            yield certificate | {"symmetry": {"name": symmetry, "images": images}}
        for _ in range(3):
            i, j = rng.sample(range(len(names)), 2)
            swapped = list(images)
            swapped[i], swapped[j] = swapped[j], swapped[i]
            yield certificate | {
                "symmetry": {"name": rng.choice(["g", certificate["symmetry"]["name"]]), "images": swapped}
            }
            yield certificate | {
                "symmetry": {"name": "g", "images": [*images[:i], images[j], *images[i + 1 :]]}
            }
        yield certificate | {"symmetry": {"name": "g", "images": names}}
        yield certificate | {"symmetry": {"name": "g", "images": names[::-1]}}
    yield certificate | {"symmetry": {"name": "half turn", "images": names[::-1]}}
    for way in ("clockwise", "counterclockwise"):
        yield certificate | {"moves": way}
    yield {k: v for k, v in certificate.items() if k != "moves"}


@pytest.mark.parametrize(
    ("number", "limit"),
    [
        *((number, 18) for number in range(len(REFUTED))),
        *(pytest.param(number, 1000, marks=pytest.mark.slow) for number in range(len(REFUTED))),
    ],
)
def test_damaged_constraints_prove_only_true_statements(number: int, limit: int) -> None:
    original = refuted(number)
    spec, closed, *_ = REFUTED[number]
    assert verify(from_json(original.to_json()))
    document = original.to_dict()
    board = original.question.board
    tried = accepted = 0
    rng = random.Random(number)
    damaged_documents = list(damages(document, board.names, rng))
    for damaged in rng.sample(damaged_documents, min(limit, len(damaged_documents))):
        if damaged == document:
            continue
        tried += 1
        if (certificate := accepted_certificate(damaged)) is not None:
            accepted += 1
            words = words_of(certificate.question)
            assert words is None or not wanted(board, full(spec, closed=closed), words, closed=closed), (
                damaged
            )
    assert tried > 12
    assert accepted < tried * 0.8


ODD: list[Any] = [
    None, True, -1, 1.5, "", "x", "a1", "clockwise", [], {}, [[]], [1], [None], [["a1"]], [["a1", "a1"]],
    [["a1", "b3", "c5"]], {"²": "a1"}, {"-1": "a1"},
    [["a1", "z9"]], [["a1", 5]], [[["a1"], "b3"]], {"1": "z9"}, {"1": 5}, {"x": "a1"}, {"": "a1"},
    {"9" * 30: "a1"}, {"1": ["a1"]}, {"name": "g"}, {"name": 5, "images": []}, {"name": "g", "images": []},
    {"name": "g", "images": ["a1"] * 36}, {"name": "g", "images": 5}, {"name": "g", "images": [5]},
    {"name": "g", "images": [], "more": 1},
]  # fmt: skip


@pytest.mark.parametrize("number", [0, 3, 6, 8, 10])
def test_any_json_value_is_read_or_refused(number: int) -> None:
    document = refuted(number).to_dict()
    for key in (*document, "with", "avoid", "at", "symmetry", "moves"):
        for value in ODD:
            accepted = accepted_certificate(document | {key: value})
            # a question with more constraints keeps its answer and its proof
            assert accepted is None or not value or key == "moves" or accepted == refuted(number)
        without = {k: v for k, v in document.items() if k != key}
        if key not in {"with", "avoid", "at", "symmetry", "moves"}:
            with pytest.raises(FormatError):
                from_json(json.dumps(without))
