"""Fewest turns, crossings or angles of a kind: SAT with a bound, from above and from below.

The formula (`refute.formula`) has a variable for every event, such as a turn, and a totalizer that bounds
the number of events. Its solutions are cycle covers with few events. Covers of more than one cycle are cut
off as in `refute.sat`, but their cycles are not joined, because that adds turns. A tour lowers the bound from
above. A refutation raises the bound from below, and is a proof together with the cuts.

A bound far below the least number is refuted fast, and a bound far above it is reached fast; bounds between
are slow. So the search alternates between both ends, in steps that double after a success and halve after too
many conflicts. A solver that was stopped resumes later. Cuts hold for all bounds.

Larger boards are improved window by window (large neighbourhood search, Shaw 1998): all moves outside a
random square are fixed, and the solver searches for fewer events inside.

Time: the 45 turns of 8x8 take a second or two, their proof included; 10x10 is open after minutes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cavalcade.answers.certificate import SatProof
from cavalcade.cycles.walking import cycles_of, neighbours_of
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Cells
from cavalcade.question.question import Question
from cavalcade.question.statement import AtMost
from cavalcade.refute.formula import Formula, counted, edges_of, events, happened

if TYPE_CHECKING:
    from cavalcade.refute.cadical import Cadical

MOST_CELLS = 1_000  # larger boards keep the tour of a template or the first tour
# Counted work for one bound before the search turns to another: 0.2 s, about 10,000 conflicts.
AT_A_BOUND = 20_000_000


class Fewer(NamedTuple):
    """The best tour of a search, and the proof of its bound.

    Attributes:
        cells: the tour.
        events: number of events of the tour.
        at_least: proved lower bound of the number of events of any tour.
        proof: the proof of that bound, if the search has raised it.
    """

    cells: Cells
    events: int
    at_least: int
    proof: SatProof | None


def fewer(
    question: Question,
    what: str,
    cells: Cells,
    count: int,
    budget: Budget,
    *,
    check: Callable[[SatProof], object],
    at_least: int = 0,
    seed: int = 0,
) -> Fewer:
    """Reduce the turns, crossings or angles of a tour, and prove a lower bound.

    The bounds may differ at the end if the budget or the time limit ends the search.

    Args:
        question: the question, without required moves, steps or directions.
        what: one of `question.statement.MEASURES`.
        cells: a tour.
        count: number of events of the tour.
        budget: the work that may be done.
        check: called with each proof before its bound counts. If it raises TimeoutError, the search ends
            with the previous bound.
        at_least: known lower bound of the number of events.
        seed: seed of the windows and of the solver.
    """
    best = Fewer(cells, count, at_least, None)
    if question.board.size > MOST_CELLS:
        return best
    steps = {"down": 1, "up": 1}
    try:
        search = BoundedSearch(question, what, best, seed, check)
    except TimeoutError:
        return best
    with closing(search), suppress(TimeoutError):
        while search.best.at_least < search.best.events and not budget.over:
            search.look_through_windows(budget)
            for side, step in steps.items():
                events, least = search.best.events, search.best.at_least
                if events == least or (events == least + 1 and side == "up"):
                    break
                most = max(events - step, least) if side == "down" else min(least + step, events) - 1
                decided = search.decide(most, budget)
                steps[side] = 2 * step if decided else max(step // 2, 1)
    return search.best


class BoundedSearch:
    """A question with an upper and a lower bound, and a solver for each undecided bound between them.

    Attributes:
        best: the best tour and the bounds.
        check: see `fewer`.
        edges: the edges of the graph, in the order of the variables.
        events: the events, as clauses.
        solvers: the solver of each undecided bound, and the number of cuts that it has.
        used: mask of the edges of the best tour.
        window: the solver of windows.
        outputs: the outputs of the totalizer of that solver.
    """

    def __init__(
        self, question: Question, what: str, best: Fewer, seed: int, check: Callable[[SatProof], object]
    ) -> None:
        self.question, self.what, self.best, self.check = question, what, best, check
        self.coords = question.board.coords
        self.size = question.as_cycle.size
        self.edges = edges_of(question.as_cycle)
        self.formula = Formula(self.size, self.edges)
        self.events = events(question, self.formula, what)
        self.solvers: dict[int, tuple[Cadical, int]] = {}
        self.random = np.random.default_rng(seed)
        cycle = question.encoding.cycle(best.cells).astype(np.int64)
        ends = np.sort(np.stack([cycle, np.roll(cycle, -1)]), axis=0)
        code = np.array([self.size, 1])
        self.used = np.isin(self.edges @ code, code @ ends)
        self.window, self.outputs = self._bounded(best.events, with_proof=False)

    def close(self) -> None:
        """Close the solvers."""
        for solver in (self.window, *(solver for solver, _ in self.solvers.values())):
            solver.delete()

    def decide(self, most: int, budget: Budget) -> bool:
        """Search for a tour with at most `most` events, or for a proof that there is none.

        Returns:
            Whether the search succeeded within `AT_A_BOUND`. If not, its solver is kept.
        """
        solver, stated = self.solvers.pop(most) if most in self.solvers else (self._bounded(most)[0], 0)
        self.formula.state_cuts(solver, list(self.formula.cuts)[stated:])
        if not self._find_tour(solver, budget.part(AT_A_BOUND)):
            if solver.status is not False:
                self.solvers[most] = solver, len(self.formula.cuts)
                return False
            proof = self.formula.refutation(solver, at_most=AtMost(self.what, most))
            self.check(proof)
            self.best = self.best._replace(at_least=most + 1, proof=proof)
        solver.delete()
        for bound in [k for k in self.solvers if not self.best.at_least <= k < self.best.events]:
            self.solvers.pop(bound)[0].delete()
        return True

    def look_through_windows(self, budget: Budget) -> None:
        """Improve the best tour inside random squares of the board, and keep the moves outside."""
        inside = np.ones(self.size, dtype=np.bool_)  # extra vertices are in every window
        for _ in range(100):  # windows between two bounds: a few seconds of work at most
            if budget.over or self.best.events == self.best.at_least:
                break
            # A window has its sides 2, 3 or 4 cells from its middle.
            middle, reach = self.coords[self.random.integers(len(self.coords))], self.random.choice((2, 3, 4))
            inside[: len(self.coords)] = np.abs(self.coords - middle).max(axis=1) <= reach
            fixed = np.flatnonzero(~inside[self.edges].all(axis=1))
            assumed = np.where(self.used[fixed], fixed + 1, -fixed - 1).tolist()
            assumed += [-output for output in self.outputs[self.best.events - 1 : self.best.events]]
            # Most windows are decided within 2,000 conflicts, a fifth of the work at a bound.
            self._find_tour(self.window, budget.part(AT_A_BOUND // 5), assumed)

    def _find_tour(self, solver: Cadical, budget: Budget, assumed: Sequence[int] = ()) -> bool:
        """Search for a better tour, which becomes the best; cut off the cycles of all other solutions.

        Args:
            solver: a solver of the formula with a bound.
            budget: the work that may be done.
            assumed: literals that hold in this search only.

        Returns:
            Whether there is a tour among the solutions.
        """
        while (used := solver.solution(budget, len(self.edges), assumed)) is not None:
            cycles = cycles_of(neighbours_of(self.edges[used].astype(np.int32)))
            if len(cycles) == 1:
                self.used = used
                events = happened(self.events, set((np.flatnonzero(used) + 1).tolist()))
                cells = self.question.cut(np.array(cycles[0], dtype=np.int32))
                self.best = self.best._replace(cells=cells, events=events)
                return True
            self.formula.cut_off(solver, cycles, self.size, again=True)
        return False

    def _bounded(self, most: int, *, with_proof: bool = True) -> tuple[Cadical, range]:
        """A solver of the formula with a bound, and the outputs of the totalizer."""
        solver = self.formula.stated(self.question, with_proof=with_proof)
        clauses, outputs = counted(self.events, most, self.formula.variables + 1)
        solver.state(clauses)
        solver.state([[-output] for output in outputs[most:]])
        return solver, outputs
