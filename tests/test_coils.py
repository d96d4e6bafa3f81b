"""Tours in a given number of coils about the centre, against all tours and the angles of their moves."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest

import cavalcade
from cavalcade import Board, Question
from cavalcade.answers.certificate import Certificate, Step, StepProof, from_json
from cavalcade.ask.judging import certified
from cavalcade.boards.notation import parse_board
from cavalcade.checking.certificates import verify
from cavalcade.checking.constraints import unmet
from cavalcade.find.coils import coiled
from cavalcade.formats.opb import export
from cavalcade.formats.plain import write
from cavalcade.ground.budget import Budget
from cavalcade.ground.errors import FormatError
from cavalcade.refute.linear import linear

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Ran

REFUTED = (12, 14, 20, 22, 28, 30, 36, 38, 44)  # n x n in n/2 coils has no cycle cover, arXiv 2605.04603
COVERED = (16, 18, 24, 26, 32, 42)  # n x n in n/2 coils has a cycle cover
WAZIR_AND_KNIGHT = "0,1+1,2"
CASES = [
    ("6x6", "1,2"), ("4x4", WAZIR_AND_KNIGHT), ("4x6", "0,1+1,1"), ("4x5-b2", WAZIR_AND_KNIGHT),
    ("hex:3-c3", WAZIR_AND_KNIGHT), ("hex:3-c3", "0,1+1,1"), ("5x5-c3", "1,2"),
]  # fmt: skip
MISTAKES = {
    "tour 8x8 --coils 3": "--coils 3 works only with --moves: add it",
    "tour 8x8 --open --moves clockwise --coils 3": "an open tour has no coils",
    "tour 1x1 --moves clockwise --coils 3": "the tour of one cell has no coils",
    "tour 8x8 --moves clockwise --coils 0": "0 is not in the range x>=1",
    "sample 6x6 --moves clockwise --coils 5": "in 5 coils cannot be drawn at random",
    "count 6x6 --moves clockwise --coils 5 --by slope": "there is no distribution of tours",
    "count 6x6 --moves clockwise --coils 5 --symmetry": "in 5 coils are not counted up to",
}


def places(board: Board) -> list[complex]:
    """The positions of the cells relative to the centre, in a drawing of the board."""
    m, n = board.shape
    if board.kind == "hex":  # each file of hexagons starts half a hexagon lower than the previous file
        return [complex(math.sqrt(3) / 2 * q, -(r + q / 2)) for q, r in board.coords.tolist()]
    return [complex(column - (n - 1) / 2, (m - 1) / 2 - row) for row, column in board.coords.tolist()]


def angle(a: complex, b: complex) -> float:
    """The fraction of a full turn that a move makes about the centre, counterclockwise."""
    rotation = a.conjugate() * b
    return math.atan2(rotation.imag, rotation.real) / (2 * math.pi)


def rounds(board: Board, cells: list[int]) -> float:
    """The winding number of a closed tour about the centre."""
    positions = places(board)
    return sum(angle(positions[a], positions[b]) for a, b in pairwise([*cells, cells[0]]))


def every_tour(question: Question) -> Counter[int]:
    """Count tours with all moves counterclockwise by coils, by enumerating all paths from the first cell."""
    board, graph = question.board, question.graph
    assert isinstance(board, Board)
    positions = places(board)
    onward = [
        [b for b in graph.neighbours(a).tolist() if 1e-9 < angle(positions[a], positions[b]) < 0.5 - 1e-9]
        for a in range(board.size)
    ]
    counts: Counter[int] = Counter()

    def go(path: list[int]) -> None:
        if len(path) == board.size:
            counts[round(rounds(board, path))] += path[0] in onward[path[-1]]
            return
        for b in onward[path[-1]]:
            if b not in path:
                go([*path, b])

    go([0])
    return +counts


@pytest.mark.parametrize(("spec", "piece"), CASES)
def test_tours_by_coils_against_all_tours(spec: str, piece: str) -> None:
    counts = every_tour(Question.of(spec, piece=piece))
    for coils in range(1, max(counts, default=3) + 2):
        ways: tuple[Literal["counterclockwise", "clockwise"], ...] = ("counterclockwise", "clockwise")
        for way in ways[: 1 + (coils == 2)]:
            question = Question.of(spec, piece=piece, moves=way, coils=coils)
            assert cavalcade.count(question).count == counts[coils]
            assert len(list(cavalcade.list_tours(question))) == counts[coils]
            if counts[coils]:
                verdict = cavalcade.tour(question, time_limit=20)
                assert isinstance(verdict, cavalcade.Found)
                turned = rounds(parse_board(spec), verdict.tour.cells.tolist())
                assert turned == pytest.approx(coils if way == "counterclockwise" else -coils)
            assert not (counts[coils] and linear(question, Budget()))


@pytest.mark.parametrize("n", REFUTED)
def test_whirling_tours_that_are_refuted(n: int) -> None:
    """The proof is summed here: weights for leaving and entering cells and for moves that begin a coil."""
    question = Question.of(f"{n}x{n}", moves="counterclockwise", coils=n // 2)
    proof = linear(question, Budget())
    assert isinstance(proof, StepProof)
    certificate = json.loads(certified(question, proof, "linear")[0].to_json())
    assert certificate["statement"] == f"closed tour of {n}x{n}, all moves counterclockwise in {n // 2} coils"
    board = parse_board(f"{n}x{n}")
    positions, number = places(board), {}
    for term in certificate["steps"][0]["terms"]:
        number["".join(term["cells"])] = term["number"]  # the weight of the number of coils has the key ""
    owed, bound = n // 2 * number[""], 0
    for a, name in enumerate(board.names):
        leave, arrive, inside = (number.get(label, 0) for label in (f"{name}>", f">{name}", name))
        assert inside >= max(-leave, -arrive) or not inside  # so that the weights cancel
        owed += 2 * (leave + arrive + inside)
        bound += max(inside + leave, 0) + max(inside + arrive, 0)
        for b in question.graph.neighbours(a).tolist():
            if angle(positions[a], positions[b]) > 0:
                begins = positions[a].imag < 0 < positions[b].imag
                bound += max(leave + number.get(f">{board.name(b)}", 0) + begins * number[""], 0)
    assert bound < owed


@pytest.mark.parametrize("n", COVERED)
def test_whirling_tours_with_a_cover(n: int) -> None:
    question = Question.of(f"{n}x{n}", moves="counterclockwise", coils=n // 2)
    assert n > 32 or linear(question, Budget()) is None
    cells = coiled(question, Budget(), compiled=False)
    assert not isinstance(cells, cavalcade.Undecided)
    assert sorted(cells.tolist()) == list(range(n * n))
    assert rounds(parse_board(f"{n}x{n}"), cells.tolist()) == pytest.approx(n // 2)


def test_a_damaged_proof_is_refused() -> None:
    rng, question = random.Random(1), Question.of("12x12", moves="clockwise", coils=6)
    proof = linear(question, Budget())
    assert isinstance(proof, StepProof)
    certificate = Certificate(question, proof)
    assert verify(certificate)
    terms = proof.steps[0].terms
    for wrong in (None, 8, 10, 12):
        assert not verify(replace(certificate, question=replace(question, coils=wrong)))
    for changed in (replace(question, direction=None), replace(question, closed=False)):
        assert "coils are of closed tours" in verify(replace(certificate, question=changed)).message
    for k in rng.sample(range(len(terms)), 20):
        damaged = (*terms[:k], terms[k]._replace(number=-terms[k].number), *terms[k + 1 :])
        for kept in (damaged, terms[:k] + terms[k + 1 :]):
            assert not verify(Certificate(question, StepProof((Step("linear", terms=kept),))))
    assert from_json(certificate.to_json()) == certificate


@pytest.mark.parametrize(
    ("spec", "piece"), [("7x7-d4", "1,2"), ("hex:4-d4", WAZIR_AND_KNIGHT), ("6x7", "1,2")]
)
def test_a_cell_on_a_level_with_the_centre(spec: str, piece: str) -> None:
    """SciPy's integer program gives the least number of coils of a cover; smaller numbers are refuted."""
    from scipy.optimize import milp
    from scipy.sparse import csr_array, vstack

    question = Question.of(spec, piece=piece, moves="counterclockwise", coils=1)
    assert isinstance(question.board, Board)
    positions, arcs = places(question.board), question.encoding.digraph.edges()
    share = np.array([angle(positions[a], positions[b]) for a, b in arcs.tolist()])
    rows = [csr_array((np.ones(len(arcs)), (arcs[:, side], np.arange(len(arcs))))) for side in (0, 1)]
    fewest = round(milp(share, constraints=(vstack(rows), 1, 1), integrality=np.ones(len(arcs))).fun)
    for coils in range(1, fewest + 1):
        bounded = replace(question, coils=coils)
        proof = linear(bounded, Budget())
        assert (proof is not None) == (coils < fewest)
        assert proof is None or verify(certified(bounded, proof, "linear")[0])


def test_formats_without_coils_refuse_them() -> None:
    question = Question.of("12x12", moves="clockwise", coils=6)
    proof = linear(question, Budget())
    assert isinstance(proof, StepProof)
    for convert in (write, export):
        with pytest.raises(FormatError, match="coils"):
            convert(Certificate(question, proof))
    tour = next(cavalcade.list_tours("6x6", moves="clockwise"))
    bounded = Question.of("6x6", moves="clockwise", coils=3)
    assert unmet(bounded, tour) == "it has 5 coils, not 3"
    assert unmet(replace(bounded, coils=5), tour) == ""


@pytest.mark.parametrize("command", MISTAKES)
def test_mistakes(cli: Callable[..., Ran], command: str) -> None:
    ran = cli(*command.split())
    assert ran.code == 2
    assert MISTAKES[command] in ran.err
    assert ran.err.count("\n") == 1


def test_coils_on_the_command_line(cli: Callable[..., Ran], tmp_path: Any) -> None:
    (tmp_path / "asked.txt").write_text("moves clockwise\ncoils 5\n")
    constraints = ("--constraints", str(tmp_path / "asked.txt"))
    assert cli("count", "6x7", *constraints).out == "18\n"
    assert cli("count", "6x7", "--moves", "clockwise", "--coils", "4").out == "0\n"
    assert "and --coils for 4" in cli("tour", "6x6", "--moves", "clockwise", "--coils", "4", *constraints).err
    proof = tmp_path / "whirl.proof"
    assert cli("prove", "12x12", "--moves", "clockwise", "--coils", "6", "-o", str(proof)).code == 1
    assert cli("check", str(proof)).out.startswith("no closed tour of 12x12, all moves clockwise in 6 coils")
