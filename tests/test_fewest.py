"""Fewest turns, crossings and angles, their proofs, and the tours of long lines.

The oracles count by definition: turns and angles from three consecutive cells, crossings from pairs of moves.
"""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cavalcade
import cavalcade.refute.fewest as finder
from cavalcade.answers.certificate import Certificate, SatProof, from_json
from cavalcade.answers.verdict import Found
from cavalcade.checking.certificates import verify
from cavalcade.checking.constraints import closed_graph
from cavalcade.checking.events import count, events_of, must_turn
from cavalcade.checking.formula import formula
from cavalcade.cli import main
from cavalcade.construction.lines import LEAST, directions, lines, no_template
from cavalcade.cycles.walking import cycles_of, neighbours_of
from cavalcade.ground.budget import Budget
from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.statement import MEASURES, AtMost
from cavalcade.refute.formula import Formula, counted, edges_of, events

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cavalcade.answers.tours import Tour
    from cavalcade.question.statement import Minimized

    Place = tuple[int, ...]

# least values of `MEASURES` over all tours, verified by `test_no_tour_on_the_list_has_fewer`
FEWEST = {
    "3x10": (26, 55, 18, 4, 8),
    "5x6": (28, 49, 8, 8, 12),
    "6x6": (32, 52, 4, 4, 9),
    "6x6 half turn": (32, 52, 4, 4, 10),
    "3x4 open": (10, 20, 8, 2, 0),
    "5x5 open": (20, 34, 4, 6, 8),
    "5x5 open a1": (20, 34, 4, 6, 8),
    "5x5 open a1 e5": (20, 34, 4, 6, 9),
    "hexagon:2,3,4 open": (16, 40, 14, 0, 0),
}


def problem_of(case: str) -> cavalcade.Question:
    """The question of a case like `5x5 open a1`."""
    spec, *words = case.split()
    if "half" in words:
        return cavalcade.Question.of(spec, symmetry="half turn")
    start, end = [*words[1:], None, None][:2]
    return cavalcade.Question.of(spec, open="open" in words, start=start, end=end)


def places(tour: Tour) -> list[Place]:
    """The cells of a tour; a closed tour repeats its first cell at the end."""
    cells = [tuple(place) for place in tour.coords.tolist()]
    return [*cells, cells[0]] if tour.closed else cells


def straight(a: Place, b: Place, c: Place) -> bool:
    """Whether b lies between a and c on a line."""
    (u, v), (x, y) = ([q - p for p, q in zip(*pair, strict=True)] for pair in ((a, b), (b, c)))
    return u * y == v * x and u * x + v * y > 0


def meet(a: Place, b: Place, c: Place, d: Place) -> bool:
    """Whether the segments ab and cd have one point in common, inside both."""
    (p, q), (r, s) = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1])
    if not (whole := p * s - q * r):
        return False
    x, y = c[0] - a[0], c[1] - a[1]
    return 0 < Fraction(x * s - y * r, whole) < 1 and 0 < Fraction(x * q - y * p, whole) < 1


def angle(a: Place, b: Place, c: Place, *, hexagonal: bool) -> str:
    """The kind of angle at b, by comparing the square of the opposite side with the sum of the others."""

    def square(p: Place, q: Place) -> int:
        offsets = [y - x for x, y in zip(p, q, strict=True)]
        return sum(x * x for x in offsets) + hexagonal * offsets[0] * offsets[1]

    difference = square(a, c) - square(a, b) - square(b, c)
    return "acute angles" if difference < 0 else "obtuse angles" if difference else "right angles"


def plainly(tour: Tour, measure: Minimized) -> int:
    """The turns, crossings or angles of a tour, counted by definition."""
    way = places(tour)
    if measure == "crossings":
        return sum(meet(*first, *second) for first, second in combinations(pairwise(way), 2))
    way = [*way, way[1]] if tour.closed else way
    if measure != "turns":
        threes = zip(way, way[1:], way[2:], strict=False)
        hexagonal = tour.board.title.startswith("hex")
        return sum(angle(*three, hexagonal=hexagonal) == measure for three in threes)
    return sum(not straight(*three) for three in zip(way, way[1:], way[2:], strict=False))


def measured(tour: Tour, measure: Minimized) -> int:
    """The turns, crossings or angles of a tour by `Tour.measure`."""
    if measure in {"turns", "crossings"}:
        return int(getattr(tour.measure(), measure))
    low, high = {"acute angles": (-1, 89.99), "right angles": (90, 90), "obtuse angles": (90.01, 180)}[
        measure
    ]
    angles = tour.measure().angles or {}
    return sum(number for degrees, number in angles.items() if low <= float(degrees) <= high)


def found(board: str, measure: Minimized, **words: Any) -> Found:
    verdict = cavalcade.tour(board, fewest=measure, **words)
    assert isinstance(verdict, Found)
    return verdict


@pytest.fixture(scope="module")
def six() -> dict[str, Certificate]:
    """Proofs that each tour of 6x6 has at least 32 turns, and each tour of 5x6 at least 49 crossings."""
    proofs = {"turns": found("6x6", "turns"), "crossings": found("5x6", "crossings")}
    certificates = {
        measure: verdict.fewest and verdict.fewest.certificate for measure, verdict in proofs.items()
    }
    return {measure: certificate for measure, certificate in certificates.items() if certificate}


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    "case", ["6x6", "8x8", "7x8 open", "5x6-a1,f5 open", "hex:4", "10x10 zebra", "8x8 knight+zebra"]
)
def test_three_ways_to_count(case: str, measure: Minimized) -> None:
    spec, *words = case.split()
    piece = next((word for word in words if word != "open"), None)
    piece = "1,2+2,3" if piece == "knight+zebra" else piece
    for seed in range(3):
        tour = cavalcade.tour(spec, piece=piece, open="open" in words, seed=seed).tour  # type: ignore[union-attr]
        assert count(tour, measure) == plainly(tour, measure) == measured(tour, measure)


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[pytest.mark.slow] * (case == "6x6")) for case in FEWEST]
)
def test_no_tour_on_the_list_has_fewer(case: str) -> None:
    question = problem_of(case)
    _, edges = closed_graph(replace(question, symmetry=None))
    place = question.board.coords.tolist()
    inner = [edge for edge in edges.tolist() if max(edge) < len(place)]
    number = {frozenset(edge): k for k, edge in enumerate(inner)}
    crossing = np.zeros((len(inner), len(inner)), dtype=np.int64)
    for i, j in combinations(range(len(inner)), 2):
        crossing[i, j] = meet(*(place[cell] for cell in (*inner[i], *inner[j])))
    best = dict.fromkeys(MEASURES, len(inner) ** 2)
    for tour in cavalcade.list_tours(question):
        cells = tour.cells.tolist()
        moves = zip(cells, cells[1:] + cells[: int(tour.closed)], strict=False)
        used = np.zeros(len(inner), dtype=np.int64)
        used[[number[frozenset(move)] for move in moves]] = 1
        best["crossings"] = min(best["crossings"], int(used @ crossing @ used))
        best |= {
            measure: min(best[measure], plainly(tour, measure))
            for measure in MEASURES
            if measure != "crossings"
        }
    assert tuple(best.values()) == FEWEST[case]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=[pytest.mark.slow] * (case == "5x5 open"))
        for case in FEWEST
        if case not in {"6x6", "6x6 half turn"}
    ],
)
def test_the_least_value_is_found_and_proved(case: str, measure: Minimized) -> None:
    question = problem_of(case)
    verdict = cavalcade.tour(question, fewest=measure)
    assert isinstance(verdict, Found)
    assert verdict.fewest is not None
    least = FEWEST[case][MEASURES.index(measure)]
    assert (verdict.fewest.count, verdict.fewest.at_least) == (least, least)
    assert verdict.fewest.proved
    assert plainly(verdict.tour, measure) == least
    assert cavalcade.check(verdict.tour)
    if verdict.fewest.certificate is not None:
        checked = verify(verdict.fewest.certificate)
        assert checked
        assert checked.message.startswith(verdict.fewest.certificate.claim)
        assert verdict.fewest.certificate.claim.endswith(f"with at most {least - 1} {measure}")


def test_6x6_needs_32_turns(six: dict[str, Certificate]) -> None:
    assert six["turns"].proof.at_most == AtMost("turns", 31)  # type: ignore[union-attr]
    assert str(found("6x6", "turns").fewest) == "32 turns: no tour has fewer, certified"
    half = found("6x6", "turns", symmetry="half turn")
    assert str(half.fewest) == "32 turns: no tour has fewer, certified"


@pytest.mark.slow
@pytest.mark.parametrize(("board", "measure", "least"), [("8x8", "turns", 45), ("6x6", "crossings", 52)])
def test_8x8_needs_45_turns(board: str, measure: Minimized, least: int) -> None:
    """45 is in Knuth, The Art of Computer Programming, pre-fascicle 8A (draft), 2025."""
    assert_least(board, measure, least)


@pytest.mark.parametrize(
    ("measure", "least"), [("acute angles", 4), ("right angles", 2), ("obtuse angles", 4)]
)
def test_8x8_has_few_angles_of_a_kind(measure: Minimized, least: int) -> None:
    """Each corner forces an acute angle, so there are at least four; four obtuse angles are Knuth's (8A)."""
    assert_least("8x8", measure, least)


def test_one_tour_of_8x8_has_four_obtuse_angles() -> None:
    """Uniqueness up to symmetry (Knuth, 8A): after excluding the tour and its images, none remains."""
    question = cavalcade.Question.of("8x8")
    edges = edges_of(question.as_cycle)
    numbers = {frozenset(edge): k for k, edge in enumerate(edges.tolist(), 1)}
    own = Formula(64, edges)
    solver = own.stated(question, with_proof=False)
    clauses, outputs = counted(events(question, own, "obtuse angles"), 4, own.variables + 1)
    solver.state([*clauses, *([-output] for output in outputs[4:])])
    cells, images = np.arange(64).reshape(8, 8), []
    while (used := solver.solution(Budget(), len(edges), ())) is not None:
        cycles = cycles_of(neighbours_of(edges[used].astype(np.int32)))
        if len(cycles) > 1:
            own.cut_off(solver, cycles, 64, again=True)
            continue
        tour = cavalcade.Tour(question.board, np.array(cycles[0], dtype=np.int32), closed=True)
        assert plainly(tour, "obtuse angles") == 4
        for board in (cells, cells.T):
            for turns in range(4):
                image = np.rot90(board, turns).ravel()
                images.append(frozenset(numbers[frozenset(image[edge].tolist())] for edge in edges[used]))
                solver.state([[-k for k in images[-1]]])
    assert solver.status is False
    assert (len(images), len(set(images))) == (8, 4)
    solver.delete()


def assert_least(board: str, measure: Minimized, least: int) -> None:
    """Assert that the least value of a measure on a board is found and proved."""
    verdict = found(board, measure, time_limit=600)
    assert verdict.fewest is not None
    assert (plainly(verdict.tour, measure), verdict.fewest.at_least) == (least, least)


# ---- proofs


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    "case", ["5x6", "6x6-c3", "3x4 open", "4x5 open a4", "4x5 open a4 e1", "hex:3", "4x4"]
)
@pytest.mark.parametrize("limit", [0, 1, 5, 100])
def test_the_checker_builds_the_same_formula(case: str, measure: Minimized, limit: int) -> None:
    question = problem_of(case)
    size, edges = closed_graph(question)
    bound = AtMost(measure, limit)
    stated = SatProof((), (), bound)
    variables, expected = formula(size, edges, stated, events=events_of(question, edges, bound))
    own = Formula(size, edges)
    clauses, outputs = counted(events(question, own, measure), limit, own.variables + 1)
    stated_clauses = [*own.degrees(), *clauses, *([-output] for output in outputs[limit:])]
    assert sorted(map(sorted, stated_clauses)) == sorted(map(sorted, expected))
    assert max(abs(x) for clause in stated_clauses for x in clause) == variables


def test_certificates_are_read_back(six: dict[str, Certificate]) -> None:
    for certificate in six.values():
        assert from_json(certificate.to_json()) == certificate
        assert verify(certificate)


def damaged(certificate: Certificate) -> Iterator[SatProof]:
    """Copies of a proof with one part damaged."""
    proof = certificate.proof
    assert isinstance(proof, SatProof)
    assert proof.at_most is not None
    yield replace(proof, at_most=None)
    yield replace(proof, at_most=replace(proof.at_most, most=proof.at_most.most + 1))
    measure = "crossings" if proof.at_most.what == "turns" else "turns"
    yield replace(proof, at_most=replace(proof.at_most, what=measure))
    yield replace(proof, at_most=replace(proof.at_most, what="bends"))
    yield replace(proof, drup=proof.drup[:1])
    yield replace(proof, drup=("-1 0", *proof.drup))
    shorter = [replace(proof, drup=proof.drup[len(proof.drup) // 2 :]), replace(proof, cuts=())]
    shorter += [replace(proof, cuts=proof.cuts[:k] + proof.cuts[k + 1 :]) for k in range(len(proof.cuts))]
    for fewer in shorter:
        if not refuted_by_lines(certificate, fewer):  # the other clauses may suffice
            yield fewer


def refuted_by_lines(certificate: Certificate, proof: SatProof) -> bool:
    """Whether another solver derives each line by unit propagation, down to a contradiction."""
    from pysat.solvers import Solver

    assert proof.at_most is not None
    size, edges = closed_graph(certificate.question)
    counted_ = events_of(certificate.question, edges, proof.at_most)
    _, clauses = formula(size, edges, proof, events=counted_)
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        for line in proof.drup:
            if not line.startswith("d"):
                clause = [int(word) for word in line.split()[:-1]]
                if solver.propagate([-literal for literal in clause])[0]:
                    return False
                solver.add_clause(clause)
    return "0" in proof.drup


def test_damaged_proofs_are_rejected(six: dict[str, Certificate]) -> None:
    assert len(six["crossings"].proof.cuts) > 1  # type: ignore[union-attr]
    for certificate in six.values():
        for proof in damaged(certificate):
            assert not verify(replace(certificate, proof=proof))
        graph = cavalcade.move_graph("6x6")
        assert (
            "have no directions" in verify(replace(certificate, question=cavalcade.Question(graph))).message
        )


@pytest.mark.parametrize(
    "bound", ["", [], {"turns": -1}, {"turns": "31"}, {"bends": 3}, {"turns": 3, "crossings": 4}]
)
def test_invalid_bounds_are_refused(six: dict[str, Certificate], bound: object) -> None:
    text = json.dumps(json.loads(six["turns"].to_json()) | {"at_most": bound})
    with pytest.raises(FormatError, match="'at_most' is"):
        from_json(text)


def test_a_bound_without_time_for_its_check_is_not_claimed() -> None:
    """The search keeps the tour of 32 turns, the fewest, and the bound that it had before."""
    question, unchecked = cavalcade.Question.of("6x6"), list[SatProof]()

    def check(proof: SatProof) -> None:
        unchecked.append(proof)
        raise TimeoutError

    tour = cavalcade.tour(question).tour  # type: ignore[union-attr]
    best = finder.fewer(question, "turns", tour.cells, 36, Budget(), at_least=7, check=check)
    assert (best.events, best.at_least, best.proof) == (32, 7, None)
    assert [proof.at_most for proof in unchecked] == [AtMost("turns", 31)]


def test_a_sabotaged_search_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that counts a turn twice refutes 32 turns."""

    def wrong(event_groups: list[list[list[int]]], limit: int, free: int) -> tuple[list[list[int]], range]:
        clauses, outputs = counted(event_groups, limit, free)
        return [*clauses, [-outputs[limit - 1]]], outputs

    monkeypatch.setattr(finder, "counted", wrong)
    question = cavalcade.Question.of("6x6")
    tour = cavalcade.tour(question).tour  # type: ignore[union-attr]
    search = finder.BoundedSearch(question, "turns", finder.Fewer(tour.cells, 36, 0, None), 0, lambda _: None)
    assert search.decide(32, Budget())
    assert isinstance(search.best.proof, SatProof)
    assert search.best.at_least == 33
    assert "does not follow" in verify(Certificate(question, search.best.proof)).message
    with pytest.raises(AssertionError, match="the engine sat is wrong"):
        found("6x6", "turns")


def test_public_checkers_get_the_bound_too(six: dict[str, Certificate], tmp_path: Path) -> None:
    from pysat.formula import CNF
    from pysat.solvers import Solver

    cavalcade.save(six["turns"], tmp_path / "six.cnf")
    clauses = CNF(from_file=str(tmp_path / "six.cnf")).clauses
    with Solver("glucose4", bootstrap_with=clauses) as solver:
        assert not solver.solve()


# ---- long lines


@pytest.mark.parametrize("rows", [*range(17, 30), 41, 64])
def test_long_lines(rows: int) -> None:
    """All sizes of the template, including the smallest: turns and crossings match the formulas."""
    for columns in (17, 18, 19, 20, 21, 33):
        question = cavalcade.Question.of(f"{rows}x{columns}")
        short, long = sorted((rows, columns))
        fits = (rows % 2 == 0 or columns % 2 == 0) and long >= LEAST[0] and (short % 2 == 0 or long % 2 == 0)
        assert bool(no_template(question)) != fits
        if not fits:
            continue
        cells = lines(question, Budget())
        assert isinstance(cells, np.ndarray)
        tour = cavalcade.Tour(question.board, cells, closed=True)
        assert cavalcade.check(tour)
        assert tour.measure().turns == count(tour, "turns") == 4 * (rows + columns) - 7
        height = short if short % 2 == 0 and short >= LEAST[0] else long
        width = rows + columns - height
        assert count(tour, "crossings") == (6 * width + 13 * height + 40) // 2


def test_every_cell_of_the_corners_matters() -> None:
    """The patterns form a cycle cover: each direction occurs with its opposite."""
    ways = directions(*LEAST)
    steps = np.array(((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1)))
    for row, column in np.ndindex(*LEAST):
        for way in ways[row, column]:
            down, right = steps[way] + (row, column)
            assert (way + 4) % 8 in ways[down, right]


def test_large_boards_are_built() -> None:
    verdict = found("150x200", "turns", start="b7")
    assert (verdict.method, verdict.tour.names[0]) == ("lines", "b7")
    assert str(verdict.fewest) == f"{4 * 350 - 7:,} turns; every tour has at least 700, certified"
    opened = found("150x200", "turns", open=True)
    assert opened.fewest is not None
    assert opened.fewest.count == plainly(opened.tour, "turns") == 4 * 350 - 9


@pytest.mark.parametrize("board", ["5x6", "6x7-c3", "hex:4", "4x5"])
def test_cells_on_which_every_tour_turns(board: str) -> None:
    question = cavalcade.Question.of(board)
    graph, coords = question.graph, question.board.coords
    assert isinstance(graph, MoveGraph)
    steps = [[tuple(coords[b] - coords[a]) for b in graph.neighbours(a)] for a in range(graph.size)]
    turning = sum(not any((-x, -y) in row for x, y in row) for row in steps)
    assert must_turn(question) == turning
    assert must_turn(replace(question, closed=False)) == turning - 2


# ---- the words


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"board": "torus:6x6"}, "have no directions"),
        ({"board": "cube:3"}, "have no directions"),
        ({"board": cavalcade.move_graph("6x6")}, "have no directions"),
        ({"board": "2x4x6", "fewest": "crossings"}, "two dimensions"),
        ({"fewest": "bends"}, "'bends'"),
        ({"with_": "a1-b3"}, "moves to make"),
        ({"moves": "clockwise"}, "one way"),
        ({"at": "3=c3"}, "steps"),
        ({"engine": "sat"}, "engines of its own"),
        ({"construct": True}, "engines of its own"),
    ],
)
def test_impossible_combinations(words: dict[str, Any], message: str) -> None:
    with pytest.raises(CavalcadeError, match=message):
        cavalcade.tour(**({"board": "6x6", "fewest": "turns"} | words))


def test_fewest_on_boards_without_a_tour() -> None:
    assert cavalcade.tour("4x4", fewest="turns").status == "impossible"
    assert found("1x1", "turns").fewest is None


def test_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["tour", "6x6", "--fewest", "turns", "--proof", "six.proof", "-o", "six.txt"]) == 0
    assert capsys.readouterr().err == "32 turns: no tour has fewer, certified\n"
    assert main(["check", "six.proof"]) == 0
    assert capsys.readouterr().out.startswith("no closed tour of 6x6, with at most 31 turns: ")
    assert main(["tour", "20x20", "--fewest", "turns", "--time-limit", "0.01", "--proof", "no.proof"]) == 0
    assert "no.proof was not written" in capsys.readouterr().err
    assert main(["tour", "5x6", "--fewest", "crossings", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)["fewest"]
    assert (report["what"], report["count"], report["at_least"]) == ("crossings", 49, 49)
    assert verify(from_json(json.dumps(report["certificate"])))
    for wrong in (
        ["--proof", "x.proof"],
        ["--fewest", "turns", "--proof", "x.svg"],
        ["--fewest", "turns", "--construct"],
    ):
        assert main(["tour", "6x6", *wrong]) == 2
        assert capsys.readouterr().err.startswith("error: ")
