"""Lists of all tours, and the claims that the checker compares with them or with proofs."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cavalcade
from cavalcade import Found, Impossible, MoveGraph, Question
from cavalcade.answers.tours import Tour, Tours
from cavalcade.answers.verification import Verification
from cavalcade.ask.continuation import continue_walk
from cavalcade.boards.notation import parse_board
from cavalcade.checking import certificates, verification
from cavalcade.checking.complete import CompleteList, assert_automorphisms
from cavalcade.counting.listing import list_arrays
from cavalcade.explaining import sentences
from cavalcade.question.question import symmetries

if TYPE_CHECKING:
    from cavalcade.answers.certificate import Certificate
    from cavalcade.checking.tours import Checked


def rows_of(question: Question) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    """Return the cells of all tours, one row per tour."""
    return np.concatenate([block.cells for block in list_arrays(question)])


def block_of(question: Question, rows: object) -> list[Tours]:
    cells = np.array(rows, dtype=np.int32)
    return [Tours(question.board, cells, question.closed, question.piece)]


def test_damaged_lists_are_refused() -> None:
    question = Question.of("5x6")
    rows = rows_of(question)
    assert len(CompleteList.of(question, block_of(question, rows), 8).blocks) == 1
    rotated = np.roll(rows[0][::-1], 5)
    swapped = rows[0].copy()
    swapped[:2] = swapped[1::-1]
    for damaged, total in (
        (rows[1:], 8),
        (rows, 7),
        ([*rows[1:], rows[1]], 8),
        ([*rows[:7], rotated], 8),
        ([*rows[:7], swapped], 8),
        ([*rows[:7], np.zeros(30)], 8),
    ):
        with pytest.raises(AssertionError, match=r"listed|no tour"):
            CompleteList.of(question, block_of(question, damaged), total)
    with pytest.raises(AssertionError, match="does not make the move"):
        CompleteList.of(replace(question, required=((2, 10),)), block_of(question, rows), 8)
    assert len(rows_of(Question.of("5x6", avoid="c3-d5"))) < 8
    with pytest.raises(AssertionError, match="no tour"):
        CompleteList.of(Question.of("5x6", avoid="c3-d5"), block_of(question, rows), 8)


@pytest.mark.parametrize(
    ("spec", "closed", "by", "measure"),
    [
        ("5x6", True, "slope", "slopes"),
        ("5x6", True, "class", "classes"),
        ("5x6", True, "turns", "turns"),
        ("5x6", True, "angles", "angles"),
        ("3x4", False, "angles", "angles"),
        ("3x4", False, "crossings", "crossings"),
        ("5x6", True, "crossings", "crossings"),
    ],
)
def test_numbers_agree_with_the_measures_of_each_tour(
    spec: str,
    closed: bool,  # noqa: FBT001
    by: str,
    measure: str,
) -> None:
    question = Question.of(spec, open=not closed)
    rows = rows_of(question)
    complete = CompleteList.of(question, block_of(question, rows), len(rows))
    maps = [symmetry.cells.astype(np.int64) for symmetry in symmetries(question)]
    values = [tour.measure().to_dict()[measure] for tour in chain(*block_of(question, rows))]
    values = [value if isinstance(value, dict) else {by: value} for value in values]
    for name in {name for value in values for name in value}:
        expected = np.bincount([value.get(name, 0) for value in values])
        assert complete.numbers(by, name, maps).tolist() == expected.tolist(), name


def test_files_and_upright_moves() -> None:
    question = Question.of("3x4", open=True, piece="0,1")
    complete = CompleteList.of(question, list_arrays(question), 62)
    upright = complete.numbers("slope", "vertical", [])
    assert upright.tolist() == complete.numbers("files", "0", []).tolist()
    assert upright.sum() == 62


def test_directions_of_symmetric_tours() -> None:
    """All 78 tours of 6x6 with a half turn are Eulerian; a symmetric open tour is reversed."""
    half = symmetries("6x6")[1:]
    (turn,) = (symmetry for symmetry in half if symmetry.name == "half turn")
    question = Question.of("6x6")
    symmetric = replace(question, symmetry=turn)
    complete = CompleteList.of(question, list_arrays(symmetric), 78)
    assert complete.directions_kept(turn.cells.astype(np.int64)) == (78, 0)
    question = Question.of("3x4", open=True)
    complete = CompleteList.of(question, list_arrays(question), 8)
    kept = [complete.directions_kept(symmetry.cells.astype(np.int64)) for symmetry in symmetries(question)]
    assert kept[0] == (8, 0)
    assert all(forward == 0 for forward, _ in kept[1:])
    assert any(backward for _, backward in kept[1:])


def test_only_automorphisms_are_symmetries() -> None:
    question = Question.of("3x4")
    assert_automorphisms(question, [np.arange(12)[::-1]])
    for image in (np.zeros(12, dtype=np.int64), np.roll(np.arange(12), 1)):
        with pytest.raises(AssertionError, match="does not map the moves to moves"):
            assert_automorphisms(question, [image])


def test_splits_are_compared() -> None:
    question = Question.of("5x6")
    right = {name: list(row) for name, row in cavalcade.distribution("5x6", "turns").tours.items()}
    wrong = {"turns": [*right["turns"][:-1], 3]}

    def split(claimed: dict[str, list[int]], *, directed: bool = False) -> Verification:
        tours = list_arrays(question)
        return verification.split(question, tours, 8, "turns", claimed, group=[], directed=directed)

    assert split(right) == "counted twice"
    assert split({"turns": [2 * number for number in right["turns"]]}, directed=True) == "counted twice"
    for claimed, directed in ((wrong, False), (right, True)):
        with pytest.raises(AssertionError, match="not those in a list of all tours"):
            split(claimed, directed=directed)
    assert verification.same_split({"1": {2: 3}}, {"1": {2: 3}}) == "counted twice"
    with pytest.raises(AssertionError, match="in another order"):
        verification.same_split({"1": {2: 3}}, {"1": {2: 4}})


def test_the_lightest_tours_are_compared() -> None:
    question = Question.of("3x4", open=True)
    moves = sorted(question.graph.pairs())
    weights = [Decimal(2**i) / 4 for i in range(len(moves))]  # no two tours weigh the same

    def weight(tour: cavalcade.Tour) -> int:
        return sum(2 ** moves.index((min(move), max(move))) for move in pairwise(tour.cells.tolist()))

    ascending = sorted(chain.from_iterable(list_arrays(question)), key=weight)

    def compare(best: list[cavalcade.Tour]) -> Verification:
        return verification.lightest(question, list_arrays(question), 8, weights, best, 3)

    assert compare(ascending[:3]) == "counted twice"
    for order in ([0, 1], [1, 2, 3], [1, 0, 2], [0, 0, 1]):
        with pytest.raises(AssertionError, match=r"the lightest tours are not|listed"):
            compare([ascending[i] for i in order])


def test_pairs_of_cells_are_compared() -> None:
    answer = cavalcade.connected("3x4")
    assert answer.verification == "certified"
    maps = [symmetry.cells.astype(np.int64) for symmetry in symmetries("3x4")]
    rows = [(pairs.start, pairs.end, pairs.size, pairs.verdict) for pairs in answer.classes]
    found = next(row for row in rows if isinstance(row[3], Found))
    impossible = next(row for row in rows if isinstance(row[3], Impossible))

    def with_row(i: int, row: tuple[int, int, int, cavalcade.Verdict]) -> list[object]:
        return [*rows[:i], row, *rows[i + 1 :]]

    others = [i for i, row in enumerate(rows) if row not in (found, impossible)]
    first = rows[others[0]]
    for wrong, message in (
        (with_row(others[0], (*first[:3], found[3])), "step"),
        (with_row(others[0], (*first[:3], impossible[3])), "the proof is about"),
        (with_row(others[0], (*first[:2], first[2] + 1, first[3])), "another size"),
    ):
        with pytest.raises(AssertionError, match=message):
            verification.connections(answer.question, maps, wrong, answer.of)  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="whose tours do not join it"):
        verification.connections(answer.question, [], rows, answer.of)
    assert isinstance(impossible[3], Impossible)
    unproved = with_row(rows.index(impossible), (*impossible[:3], replace(impossible[3], certificate=None)))
    how = verification.connections(answer.question, maps, unproved, answer.of)  # type: ignore[arg-type]
    assert how == Verification.UNCHECKED


def test_continued_walks_are_compared() -> None:
    walk = cavalcade.warnsdorff("8x8", "a5").partial  # type: ignore[union-attr]
    assert walk is not None
    answer = continue_walk(walk, open=True)
    assert isinstance(answer.verdict, Found)
    question, tour = Question.of("8x8", open=True), answer.verdict.tour
    assert (answer.kept, answer.greatest, answer.verification) == (53, True, "certified")
    with pytest.raises(AssertionError, match="does not keep"):
        verification.continued(walk, question, tour, answer.kept + 1, None)
    assert verification.continued(walk, question, tour, answer.kept, None) == "unchecked"
    other = cavalcade.tour("5x5", open=True, start="a2")
    assert isinstance(other, Impossible)
    with pytest.raises(AssertionError, match="the proof is about"):
        verification.continued(walk, question, tour, answer.kept, other)


def test_each_proof_is_verified_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proofs of `connected`, `continue` and `decompose`; a verdict that was not verified is verified."""
    claims: list[str] = []
    check = certificates.verified

    def counted(certificate: Certificate, on_steps: Any) -> Checked:
        claims.append(certificate.claim)
        return check(certificate, on_steps)

    for module in (certificates, sentences):
        monkeypatch.setattr(module, "verified", counted)
    connections = cavalcade.connected("3x4")
    assert connections.verification == "certified"
    assert len(claims) == sum(isinstance(pairs.verdict, Impossible) for pairs in connections.classes) > 1
    claims.clear()
    walk = Tour(parse_board("3x4"), np.array([7, 1, 10, 3, 5, 11, 2], dtype=np.int32), closed=False)
    assert continue_walk(walk, open=True).verification == "certified"
    assert len(claims) == len(set(claims)) > 0
    claims.clear()
    rings = MoveGraph.of([(i, 9 * (i // 9) + (i + 1) % 9) for i in range(18)])
    assert cavalcade.decompose(rings).verification == "certified"
    assert len(claims) == 1
    verdict = cavalcade.tour("4x6")
    assert isinstance(verdict, Impossible)
    assert verdict.verification == "certified"
    question = Question.of("4x6")
    claims.clear()
    assert verification.refuted(question, verdict) == "certified"
    assert not claims
    assert (
        verification.refuted(question, replace(verdict, verification=Verification.UNCHECKED)) == "certified"
    )
    assert claims == ["no closed tour of 4x6"]
    with pytest.raises(AssertionError, match="the proof is about no closed tour of 4x6"):
        verification.refuted(Question.of("4x8"), verdict)


def test_a_proof_about_other_weights_is_refused() -> None:
    least = cavalcade.tsp("5x6")
    assert isinstance(least, cavalcade.LeastTour)
    question = Question.of("5x6")
    check = verification.least_weight
    assert check(question, least.tour, least.weight, least.certificate) == "certified"
    assert check(question, least.tour, least.weight, None) == "unchecked"
    for about, weight in ((Question.of("5x6", avoid="a1-b3"), Decimal(30)), (question, Decimal(31))):
        with pytest.raises(AssertionError, match=r"makes the move|may weigh more"):
            check(about, least.tour, weight, least.certificate)
    one = cavalcade.tsp("1x1")
    assert isinstance(one, cavalcade.LeastTour)
    assert one.verification == "certified"
