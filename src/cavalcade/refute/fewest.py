"""Fewest turns, crossings or angles of a kind: SAT with a bound, from above and from below.

The formula (`refute.formula`) has a variable for every event, such as a turn, and a totalizer that
bounds their number. Its solutions are cycle covers with few events; those of more than one cycle are cut off
as in `refute.sat`, but not joined, since that costs turns. A tour lowers the bound from above; a refutation
raises it from below, and with the cuts it is a proof that anyone can check.

Bounds far below the least number are refuted fast, those far above it reached fast, and it is slow between.
So the search comes from both ends by turns: in steps that double while they succeed and halve when too many
conflicts come first. A solver that was stopped goes on where it was. Cuts hold for all bounds.

Larger boards are improved window by window (large neighbourhood search, Shaw 1998): all moves but those
inside a random square stay, and the solver is asked for fewer events there.

Time: the 45 turns of 8x8 take a second or two, their proof included; 10x10 is open after minutes.
"""

from __future__ import annotations

from collections.abc import Sequence
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

MOST_CELLS = 1_000  # beyond, a template or a first tour is all there is
AT_A_BOUND = 20_000_000  # work at a time for one bound, some ten thousand conflicts
WINDOWS = 100  # at a time
REACH = (2, 3, 4)  # of windows, from their middle
IN_A_WINDOW = 4_000_000  # work, some two thousand conflicts


class Fewer(NamedTuple):
    """The best tour found, its events, how few are possible as far as proved, and that proof."""

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
    at_least: int = 0,
    seed: int = 0,
) -> Fewer:
    """Improve a tour with so many turns, crossings or angles, and prove how far it can be improved.

    The question has no required moves, steps or directions, and no tour has fewer than `at_least`. Where the
    budget is over before the bounds meet, or the clock ends the search, they are as near as they came.
    """
    best = Fewer(cells, count, at_least, None)
    if question.board.size > MOST_CELLS:
        return best
    steps = {"down": 1, "up": 1}
    try:
        search = BoundedSearch(question, what, best, seed)
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
    """One question with many bounds, and a solver for each that is still open."""

    def __init__(self, question: Question, what: str, best: Fewer, seed: int) -> None:
        self.question, self.what, self.best = question, what, best
        self.coords = question.board.coords
        self.size = question.as_cycle.size
        self.edges = edges_of(question.as_cycle)
        self.formula = Formula(self.size, self.edges)
        self.events = events(question, self.formula, what)
        self.solvers: dict[int, tuple[Cadical, int]] = {}  # for a bound, and how many cuts it has
        self.random = np.random.default_rng(seed)
        cycle = question.encoding.cycle(best.cells).astype(np.int64)
        ends = np.sort(np.stack([cycle, np.roll(cycle, -1)]), axis=0)
        code = np.array([self.size, 1])
        self.used = np.isin(self.edges @ code, code @ ends)  # which edges the best tour makes
        self.window, self.outputs = self._bounded(best.events, with_proof=False)  # for windows

    def close(self) -> None:
        """Close the solvers."""
        for solver in (self.window, *(solver for solver, _ in self.solvers.values())):
            solver.delete()

    def decide(self, most: int, budget: Budget) -> bool:
        """Whether a tour with at most so many events, or a proof that there is none, is found in a while."""
        solver, known = self.solvers.pop(most) if most in self.solvers else (self._bounded(most)[0], 0)
        solver.state([self.formula.cut(cut) for cut in list(self.formula.cuts)[known:]])
        found = self._tour(solver, budget.part(AT_A_BOUND))
        if not found and solver.status is not False:
            self.solvers[most] = solver, len(self.formula.cuts)
            return False
        if not found:
            proof = SatProof(tuple(self.formula.cuts), solver.proof(), AtMost(self.what, most))
            self.best = self.best._replace(at_least=most + 1, proof=proof)
        solver.delete()
        for one in [one for one in self.solvers if not self.best.at_least <= one < self.best.events]:
            self.solvers.pop(one)[0].delete()
        return True

    def look_through_windows(self, budget: Budget) -> None:
        """Improve the best tour in squares of the board, one after the other, and leave all else as it is."""
        inside = np.ones(self.size, dtype=np.bool_)  # as vertices are that are no cells
        for _ in range(WINDOWS):
            if budget.over or self.best.events == self.best.at_least:
                break
            middle = self.coords[self.random.integers(len(self.coords))]
            inside[: len(self.coords)] = np.abs(self.coords - middle).max(axis=1) <= self.random.choice(REACH)
            fixed = np.flatnonzero(~inside[self.edges].all(axis=1))
            assumed = np.where(self.used[fixed], fixed + 1, -fixed - 1).tolist()
            assumed += [-output for output in self.outputs[self.best.events - 1 : self.best.events]]
            self._tour(self.window, budget.part(IN_A_WINDOW), assumed)

    def _tour(self, solver: Cadical, budget: Budget, assumed: Sequence[int] = ()) -> bool:
        """Whether a solution is a tour, which is the best then; the cycles of all others are cut off."""
        while (used := solver.solution(budget, len(self.edges), assumed)) is not None:
            cycles = cycles_of(neighbours_of(self.edges[used].astype(np.int32)))
            if len(cycles) == 1:
                self.used = used
                events = happened(self.events, set((np.flatnonzero(used) + 1).tolist()))
                cells = self.question.cut(np.array(cycles[0], dtype=np.int32))
                self.best = self.best._replace(cells=cells, events=events)
                return True
            for cycle in cycles:
                self.formula.cut_off(solver, cycle, self.size, again=True)
        return False

    def _bounded(self, most: int, *, with_proof: bool = True) -> tuple[Cadical, range]:
        """A solver that has the formula with a bound, and the outputs of the totalizer."""
        solver = self.formula.stated(self.question, with_proof=with_proof)
        clauses, outputs = counted(self.events, most, self.formula.variables + 1)
        solver.state(clauses)
        solver.state([[-output] for output in outputs[most:]])
        return solver, outputs
