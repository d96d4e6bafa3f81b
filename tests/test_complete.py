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
from cavalcade.checking import certificates, optima, verification
from cavalcade.checking.complete import CompleteList, assert_automorphisms
from cavalcade.counting.listing import list_arrays
from cavalcade.explaining import sentences
from cavalcade.question.question import symmetries

if TYPE_CHECKING:
    from cavalcade.answers.certificate import Certificate
    from cavalcade.checking.tours import Checked


def rows_of(question: Question) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    """Return the cells of all tours, one row per tour."""
    none = np.empty((0, question.board.size), dtype=np.int32)
    return np.concatenate([none, *(block.cells for block in list_arrays(question))])


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
    answer = continue_walk(walk, open=True, time_limit=600)
    assert isinstance(answer.verdict, Found)
    question, tour = Question.of("8x8", open=True), answer.verdict.tour
    assert (answer.kept, answer.greatest, answer.verification) == (53, True, "certified")
    with pytest.raises(AssertionError, match="does not keep"):
        verification.continued(walk, question, tour, answer.kept + 1, None)
    assert verification.continued(walk, question, tour, answer.kept, None) == "unchecked"
    with pytest.raises(AssertionError, match="step 1 is a5, not a8"):
        verification.continued(walk, replace(question, start=0), tour, answer.kept, None)
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
    assert continue_walk(walk, open=True, time_limit=600).verification == "certified"
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


# ---- second counts


def test_a_second_count_is_compared() -> None:
    def compare(board: str, tours: int, work: int = 1000, **words: Any) -> Verification:
        question = Question.of(board, **words)
        order = range(question.board.size + (not question.closed))
        return verification.recounted(question, tours, order=order, work=work, directed=bool(tours % 2))

    assert compare("3x4", 8, open=True) == "counted twice"
    assert compare("1x2", 0) == compare("1x1", 1) == "counted twice"
    assert compare("2x2", 1, piece="wazir", open=True, start="a1", end="b1") == "counted twice"
    assert compare("3x4", 9, work=10**9, open=True) == "unchecked"
    half_turn: dict[str, Any] = {"open": True, "symmetry": "half turn"}
    symmetric = len(rows_of(Question.of("3x4", **half_turn)))
    assert compare("3x4", symmetric, **half_turn) == "counted twice"
    assert compare("3x4", 99, work=verification.REPEATED, **half_turn) == "unchecked"
    (diagonal, _) = (s for s in symmetries("4x4") if s.name == "reflection in a diagonal")
    question = replace(Question.of("4x4"), symmetry=diagonal)  # the checker cannot tell which diagonal
    assert verification.recounted(question, 99, order=range(16), work=1) == "unchecked"
    damaged: list[tuple[str, int, dict[str, Any]]] = [
        ("3x4", 10, {"open": True}), ("1x2", 2, {}), ("3x4", 2 + symmetric, half_turn)
    ]  # fmt: skip
    for board, tours, words in damaged:
        with pytest.raises(AssertionError, match=f"counted {tours}, and by the second program"):
            compare(board, tours, **words)


def test_a_second_count_may_end_early(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> int:
        raise TimeoutError

    monkeypatch.setattr(verification, "_cycles", late)
    question = Question.of("3x4", open=True)
    assert verification.recounted(question, 9, order=range(13), work=1) == "unchecked"
    group = symmetries("6x6")
    how = verification.classified(
        Question.of("6x6"), group, 0, 0, {}, {}, lambda _: (), order=range(36), work=1
    )
    assert how == "unchecked"


def test_selected_tours_are_compared() -> None:
    for relaxed in (Question.of("3x4", open=True), Question.of("5x6")):
        tours = list(chain.from_iterable(list_arrays(relaxed)))
        step, cell = 4, int(tours[0].cells[3])
        question = replace(relaxed, steps=((1, 0), (step, cell)) if relaxed.closed else ((step, cell),))
        positions = [tour.cells.tolist().index(cell) for tour in tours]
        if question.closed:  # counted from a1, in either direction
            starts = [tour.cells.tolist().index(0) for tour in tours]
            matches = sum(
                (a - b) % 30 in {step - 1, 31 - step} for a, b in zip(positions, starts, strict=True)
            )
        else:
            matches = positions.count(step - 1) + positions.count(12 - step)
        assert matches > 0
        assert verification.selected(question, tours, 8, matches) == "counted twice"
        for listed, claimed in ((tours[1:], matches), (tours, matches + 1), (tours * 2, 2 * matches)):
            with pytest.raises(AssertionError, match=r"in a list|among all tours"):
                verification.selected(question, listed, 8, claimed)


def test_classes_are_compared() -> None:
    """The claims about tours with each symmetry, and with no other one: each damaged number is refused."""
    question = Question.of("5x5", open=True)
    group = symmetries(question)
    lists = {s.name: rows_of(replace(question, symmetry=s)) for s in group[1:]}
    (half,) = (i for i, s in enumerate(group) if s.name == "half turn")
    fixed = {i: (0, len(lists[s.name])) if i else (864, 0) for i, s in enumerate(group)}
    alone = {0: 104, half: 8}

    def compare(
        classes: int,
        fixed: dict[int, tuple[int, int]],
        alone: dict[int, int],
        *,
        lost: int = 0,
        work: int = 1,
    ) -> Verification:
        def symmetric(about: Question) -> list[Tours]:
            return block_of(about, lists[about.symmetry.name][lost:])  # type: ignore[union-attr]

        return verification.classified(
            question,
            group,
            864,
            classes,
            fixed,
            alone,
            symmetric,
            order=range(26),
            work=work,
        )

    assert compare(112, fixed, alone) == "counted twice"
    assert compare(113, fixed, alone, work=10**9) == "unchecked"
    for damaged in (
        (113, fixed, alone),
        (112, fixed | {half: (0, 31)}, alone),
        (112, fixed | {half: (32, 0)}, alone),
        (112, fixed, {0: 103}),
        (112, fixed, {half: 9}),
    ):
        with pytest.raises(AssertionError, match=r"there are|are counted"):
            compare(*damaged)
    with pytest.raises(AssertionError, match="are listed"):
        compare(112, fixed, alone, lost=1)


def test_lower_bounds_are_compared() -> None:
    verdict = cavalcade.tour("3x4", open=True, fewest="crossings")
    assert isinstance(verdict, Found)
    assert verdict.fewest is not None
    proof, least = verdict.fewest.certificate, verdict.fewest.count
    assert proof is not None
    question = Question.of("3x4", open=True)
    compare = verification.bounded_below
    assert compare(question, "crossings", least, least, proof) == "certified"
    assert compare(question, "crossings", 9, 0, None) == "certified"
    for about, what, events, at_least, certificate in (
        (question, "crossings", least, least + 1, proof),
        (question, "crossings", least, least - 1, proof),
        (question, "crossings", least - 1, least, proof),
        (question, "crossings", least, least, None),
        (question, "turns", least, least, proof),
        (Question.of("4x5", open=True), "crossings", least, least, proof),
    ):
        with pytest.raises(AssertionError, match=r"at least|about something else"):
            compare(about, what, events, at_least, certificate)


def test_late_proofs_leave_a_claim_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A time limit that ends the check of a proof takes the claim, never the check of the tour or walk."""
    least = cavalcade.tsp("5x6")
    walks = cavalcade.best("4x4", "longest")
    assert isinstance(least, cavalcade.LeastTour)
    assert isinstance(walks, cavalcade.BestWalks)

    def late(_: object) -> Checked:
        raise TimeoutError

    monkeypatch.setattr(verification, "verify", late)
    monkeypatch.setattr(optima, "verify", late)
    question, tour = Question.of("5x6"), least.tour
    assert verification.least_weight(question, tour, least.weight, least.certificate) == "unchecked"
    swapped = replace(tour, cells=np.array([*tour.cells[1::-1], *tour.cells[2:]]))
    with pytest.raises(AssertionError, match="step"):
        verification.least_weight(question, swapped, least.weight, least.certificate)
    place = optima.Place(Question.of("4x4"))
    value, bound, how = verification.optimum(place, "longest", walks.walks, walks.cases)
    assert value == walks.value
    assert bound == 16  # a walk has at most as many moves as cells
    assert how == "certified"
    crossing = cavalcade.tour("3x4", open=True)
    assert isinstance(crossing, Found)
    with pytest.raises(AssertionError, match="cross"):
        verification.longest(crossing.tour)
    uncrossed = cavalcade.uncrossed("4x4")
    assert verification.longest(uncrossed.walk) == "counted twice"
    monkeypatch.setattr(verification, "REPEATED", 0)
    assert verification.longest(uncrossed.walk) == "unchecked"
