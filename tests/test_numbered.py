"""Tours with given cells at given steps: comparison with full lists and with a plain search."""

from __future__ import annotations

import random
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cavalcade
from cavalcade.find.numbered import numbered
from cavalcade.ground.budget import Budget, limits
from cavalcade.question.graph import MoveGraph
from cavalcade.question.moves import move_graph
from cavalcade.refute.positions import forbidding, position_clauses, positions
from strategies import edge_lists

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypothesis.strategies import DrawFn

Sequences = set[tuple[int, ...]]


def listed(board: str, *, closed: bool) -> Sequences:
    """List every tour in both directions, and closed tours from every start, by the frontier search."""
    sequences: Sequences = set()
    for tour in cavalcade.list_tours(board, open=not closed):
        for cells in (tour.cells, tour.cells[::-1]):
            turns = range(len(cells)) if closed else (0,)
            sequences |= {tuple(np.roll(cells, k).tolist()) for k in turns}
    return sequences


def plain_search(graph: MoveGraph, steps: Mapping[int, int], *, closed: bool) -> Iterator[tuple[int, ...]]:
    """Yield the tours with the given steps by plain backtracking."""
    walk: list[int] = []

    def onward() -> Iterator[tuple[int, ...]]:
        if len(walk) == graph.size:
            if not closed or walk[0] in graph.neighbours(walk[-1]):
                yield tuple(walk)
            return
        for cell in graph.neighbours(walk[-1]).tolist() if walk else range(graph.size):
            if cell not in walk and steps.get(len(walk) + 1, cell) == cell:
                walk.append(cell)
                yield from onward()
                walk.pop()

    return onward()


def as_set(tours: np.ndarray[tuple[int, int], np.dtype[np.int32]]) -> Sequences:
    solutions = [tuple(cells) for cells in tours.tolist()]
    assert len(set(solutions)) == len(solutions), "no solution comes twice"
    return set(solutions)


@pytest.mark.parametrize(
    ("board", "closed", "guesses"),
    [
        ("5x5", False, 1851),
        ("3x7", False, 267),
        ("3x10", True, 33),
        ("5x6", True, 227),
        ("hex:3-c3", True, 2843),
        ("torus:3x3", True, 100),
    ],
)
def test_without_steps_all_tours_are_found(board: str, *, closed: bool, guesses: int) -> None:
    answer = numbered(move_graph(board), {}, closed=closed)
    assert answer.complete
    assert as_set(answer.tours) == listed(board, closed=closed)
    assert answer.guesses <= guesses, "the rules have become weaker"


def test_two_steps_of_6x6() -> None:
    """Compare with the tours among all 9,862, in both directions, that have a6 at 1 and c4 at 17."""
    board = cavalcade.board("6x6")
    steps = {1: board.cell("a6"), 17: board.cell("c4")}
    listed = np.array([tour.cells for tour in cavalcade.list_tours(board)])
    want = set()
    for cells in (listed, listed[:, ::-1]):
        first, second = ((cells == cell).argmax(axis=1) for cell in steps.values())
        right = (second - first) % 36 == 16
        want |= {tuple(np.roll(row, -k).tolist()) for row, k in zip(cells[right], first[right], strict=True)}
    answer = numbered(move_graph(board), steps, closed=True)
    assert answer.complete
    assert as_set(answer.tours) == want
    assert len(want) == 1496


@st.composite
def questions(draw: DrawFn) -> tuple[MoveGraph, dict[int, int], bool]:
    n, edges = draw(edge_lists(7))
    if draw(st.booleans()):  # dense enough for a tour
        edges = [edge for edge in combinations(range(n), 2) if edge not in edges]
    cells = draw(st.permutations(range(n)))
    steps = draw(st.sets(st.integers(1, n)))
    return MoveGraph.from_edges(edges, n), {step: cells[step - 1] for step in steps}, draw(st.booleans())


@given(questions(), st.integers(0, 3), st.sampled_from([True, False]))
@settings(max_examples=80, deadline=None)
def test_random_graphs(question: tuple[MoveGraph, dict[int, int], bool], seed: int, compiled: bool) -> None:  # noqa: FBT001
    graph, steps, closed = question
    answer = numbered(graph, steps, closed=closed, seed=seed, compiled=compiled)
    want = set(plain_search(graph, steps, closed=closed)) if graph.size > 2 or not closed else None
    assert answer.complete
    if want is not None:
        assert as_set(answer.tours) == want
    if not compiled:
        by_sat = positions(graph, steps, closed=closed, seed=seed)
        assert by_sat.complete
        assert as_set(by_sat.tours) == as_set(answer.tours)
    first_two = numbered(graph, steps, closed=closed, most=2, seed=seed, compiled=compiled)
    assert len(first_two.tours) == min(2, len(answer.tours))
    assert as_set(first_two.tours) <= as_set(answer.tours)
    assert first_two.complete or len(answer.tours) >= 2


def test_both_tiers_make_the_same_guesses() -> None:
    graph = move_graph("8x8")  # a domain takes two words if compiled, one if interpreted
    cells = cavalcade.tour("8x8", seed=5).tour.cells  # type: ignore[union-attr]
    steps = {t: int(cells[t - 1]) for t in range(1, 65, 4)}
    interpreted, compiled_answer = (
        numbered(graph, steps, closed=True, compiled=compiled) for compiled in (False, True)
    )
    assert as_set(interpreted.tours) == as_set(compiled_answer.tours)
    assert interpreted[1:] == compiled_answer[1:]
    assert as_set(positions(graph, steps, closed=True).tours) == as_set(interpreted.tours)
    assert tuple(cells.tolist()) in as_set(interpreted.tours)


def test_time_and_bad_steps() -> None:
    graph = move_graph("8x8")
    with limits(0.01):
        assert not numbered(graph, {1: 0}, closed=True).complete
    interpreted_answer = numbered(graph, {1: 0}, Budget(10**6), closed=True, compiled=False)
    compiled_answer = numbered(graph, {1: 0}, Budget(10**6), closed=True, compiled=True)
    assert (interpreted_answer.complete, interpreted_answer.guesses) == (False, compiled_answer.guesses)
    for compiled in (False, True):
        limited = numbered(graph, {1: 0}, closed=True, most_guesses=9, compiled=compiled)
        assert (limited.complete, limited.guesses) == (False, 9)
    for steps, message in (
        ({0: 1}, "0 is not a step"),
        ({1: 64}, "64 is not a cell"),
        ({1: 3, 5: 3}, "two steps"),
    ):
        with pytest.raises(cavalcade.CavalcadeError, match=message):
            numbered(graph, steps, closed=True)


def test_the_proof_of_completeness_is_valid() -> None:
    """Each line follows by unit propagation from the formula, the clauses of solutions and earlier lines."""
    from pysat.solvers import Solver

    graph = move_graph("5x5")
    cells = cavalcade.tour("5x5", open=True).tour.cells  # type: ignore[union-attr]
    steps = {t: int(cells[t - 1]) for t in (1, 5, 9, 13, 17, 21, 25)}
    answer = positions(graph, steps, closed=False)
    assert answer.complete
    assert as_set(answer.tours) == set(plain_search(graph, steps, closed=False))
    with Solver("minisat22", bootstrap_with=position_clauses(graph, steps, closed=False)) as solver:
        for tour in answer.tours.tolist():
            assert solver.propagate([1 + c * 25 + t for t, c in enumerate(tour)])[0], (
                "the solution is a model"
            )
            solver.add_clause(forbidding(25, tour))
        for line in answer.proof:
            clause = [] if line.startswith("d") else [int(word) for word in line.split()[:-1]]
            if not line.startswith("d"):
                assert not solver.propagate([-literal for literal in clause])[0], line
                solver.add_clause(clause)
        assert "0" in answer.proof, "only deletions may follow the empty clause"


def test_tries_that_fail_at_once_end() -> None:
    """The order contradicts the only path 0-3-2-1; no try walks anything, and the proof comes by SAT."""
    graph = MoveGraph.from_edges([(1, 2), (0, 3), (2, 3)], 4)
    verdict = cavalcade.tour(graph, open=True, with_=[(1, 2)], through=[3, 0, 1], time_limit=60)
    assert verdict.status == "impossible"


# ---- boards of middle size


def fitting_steps(rng: random.Random, side: int, count: int) -> dict[int, int]:
    """Random cells of a square at steps of their colour, far enough from one another for knights."""
    steps: dict[int, int] = {}
    n = side * side
    while len(steps) < count:
        step, cell = rng.randint(1, n), rng.randrange(n)
        row, column = divmod(cell, side)
        if (
            cell not in steps.values()
            and (row + column + step) % 2 == 0
            and all(
                abs(row - other // side) + abs(column - other % side) + 6
                < 3 * min((step - t) % n, (t - step) % n)
                for t, other in steps.items()
            )
        ):
            steps[step] = cell
    return steps


@pytest.mark.parametrize(
    ("sides", "most", "cases"),
    [
        ((10,), 2, 2),
        pytest.param((8, 10, 14, 18, 24, 30, 40, 50, 64, 80, 100), 10, 100, marks=pytest.mark.slow),
    ],
)
def test_random_steps_on_squares(sides: tuple[int, ...], most: int, cases: int) -> None:
    """All but 5 of 100 sets are decided, and so is each of a few small ones."""
    rng = random.Random(cases)
    undecided = 0
    for case in range(cases):
        side, closed = rng.choice(sides), case % 2 == 0
        steps = fitting_steps(rng, side, rng.randint(1, most))
        verdict = cavalcade.tour(
            f"{side}x{side}", open=not closed, at=steps, engine="join" if cases < 5 else None, time_limit=60
        )
        undecided += verdict.status == "undecided"
        if verdict.status == "found":
            assert all(int(verdict.tour.cells[step - 1]) == cell for step, cell in steps.items())
    assert undecided <= cases // 20
