"""Fewest turns or crossings: SAT with a bound, from above and from below.

The formula of `refute.formula` gets a variable for every event, a turn or a crossing, and a totalizer that
allows so many of them (`refute.events`). Its solutions are cycle covers with few events; those of more than
one cycle are cut off as in `refute.sat`, but not joined, since that costs turns. A tour lowers the bound from
above; a refutation raises it from below, and with the cuts it is a proof that anyone can check.

Bounds far below the least number are refuted fast, those far above it reached fast, and it is slow between.
So the search comes from both ends by turns: in steps that double while they succeed and halve when a slice of
time ends first. A solver that was stopped goes on where it was. Cuts hold for all bounds.

Time: the 45 turns of 8x8 take a second or two, their proof included; 10x10 is open after minutes.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cavalcade.answers.certificate import AtMost, SatProof
from cavalcade.refute.events import bounded, events, happened
from cavalcade.refute.formula import Formula, edges_of
from cavalcade.refute.sat import cycles_of, look

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pysat.solvers import Solver

    from cavalcade.problem import Problem

MOST_EDGES = 4_000  # beyond, a template or a first tour is all there is
SLICE = 0.5  # seconds for one end
CONFLICTS = 1_000  # between looks at the clock


class Fewer(NamedTuple):
    """The best tour found, its number of events, the least number possible as far as proved, and that proof."""

    cells: NDArray[np.int32]
    count: int
    at_least: int
    proof: SatProof | None


def fewer(
    problem: Problem,
    what: str,
    cells: NDArray[np.int32],
    count: int,
    *,
    at_least: int = 0,
    seed: int = 0,
    time_limit: float = 10.0,
) -> Fewer:
    """Improve a tour, and prove how far it can be improved.

    Args:
        problem: the question, without required moves, steps or directions.
        what: `turns` or `crossings`.
        cells: a tour to begin with.
        count: how many turns or crossings it has.
        at_least: a number that no tour falls below.
        seed: of the solver's random choices.
        time_limit: seconds of the search.
    """
    until = time.perf_counter() + time_limit
    best = Fewer(cells, count, at_least, None)
    if problem.as_cycle.edge_count > MOST_EDGES:
        return best
    search = _Search(problem, what, seed)
    steps = {"down": 1, "up": 1}
    while best.at_least < best.count and time.perf_counter() < until:
        for side, step in steps.items():
            gap = best.count - best.at_least
            if gap == 0 or (gap == 1 and side == "up"):
                break
            most = best.count - min(step, gap) if side == "down" else best.at_least + min(step, gap) - 1
            found = search.decide(most, min(until, time.perf_counter() + SLICE))
            if found is None:
                steps[side] = max(step // 2, 1)
                continue
            steps[side] = 2 * step
            if isinstance(found, SatProof):
                best = best._replace(at_least=most + 1, proof=found)
            else:
                best = best._replace(cells=found[0], count=found[1])
            search.forget(best)
    return best


class _Search:
    """One question with many bounds, and a solver for each that is still open."""

    def __init__(self, problem: Problem, what: str, seed: int) -> None:
        self.problem, self.what, self.seed = problem, what, seed
        self.size = problem.as_cycle.size
        self.edges = edges_of(problem.as_cycle)
        self.formula = Formula(self.size, self.edges)
        self.events = events(problem, self.formula, what)
        self.cuts: dict[tuple[int, ...], None] = {}  # in the order in which they were found
        self.solvers: dict[int, tuple[Solver, int]] = {}  # for a bound, and how many cuts it has

    def forget(self, best: Fewer) -> None:
        """Close the solvers whose bounds are decided."""
        for most in [one for one in self.solvers if not best.at_least <= one < best.count]:
            self.solvers.pop(most)[0].delete()

    def decide(self, most: int, until: float) -> tuple[NDArray[np.int32], int] | SatProof | None:
        """A tour with at most so many events, and how many it has; a proof that there is none; or neither."""
        solver, known = self.solvers.pop(most, None) or (self._begun(most), 0)
        solver.append_formula([self.formula.cut(cut) for cut in list(self.cuts)[known:]])
        while time.perf_counter() < until:
            answer = look(solver, CONFLICTS)
            if answer is None:
                continue
            if not answer:
                proof = SatProof(tuple(self.cuts), tuple(solver.get_proof()), AtMost(self.what, most))
                solver.delete()
                return proof
            used = np.array(solver.get_model()[: len(self.edges)]) > 0
            cycles = cycles_of(self.edges[used])
            if len(cycles) == 1:
                solver.delete()
                count = happened(self.events, set((np.flatnonzero(used) + 1).tolist()))
                return self.problem.cut(np.array(cycles[0], dtype=np.int32)), count
            for cycle in cycles:
                inside = set(cycle)
                if 2 * len(inside) > self.size:
                    inside = set(range(self.size)) - inside
                cut = tuple(sorted(inside))
                if cut not in self.cuts:
                    self.cuts[cut] = None
                    solver.add_clause(self.formula.cut(cut))
        self.solvers[most] = solver, len(self.cuts)
        return None

    def _begun(self, most: int) -> Solver:
        """A solver that has the formula with a bound."""
        from pysat.solvers import Solver

        problem, formula = self.problem, self.formula
        solver = Solver("cadical195", with_proof=True)
        solver.configure({"inprocessing": 0, "seed": abs(self.seed) % 2_000_000_000})
        solver.append_formula(formula.degrees())
        if problem.symmetry is not None:
            solver.append_formula(formula.kept(problem.image(problem.symmetry.cells)))
        solver.append_formula(bounded(self.events, most, formula.variables + 1))
        return solver
