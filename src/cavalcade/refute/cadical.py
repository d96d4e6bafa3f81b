"""The SAT solver CaDiCaL 1.9.5 of python-sat, with Ctrl-C left to Python.

In the main thread, python-sat answers SIGINT with a handler of its own, which jumps out of the solver half
done; what is called next may crash, and the handler stays. In another thread it has none, but a Ctrl-C that
the main thread hears while it waits lets it free the solver that the other one is about to use. So the solver
runs in the thread that asks, without that handler: Python raises KeyboardInterrupt when a call has returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

import numpy as np
from pysat.solvers import Cadical195, pysolvers

from cavalcade.ground.budget import Budget, assert_time
from cavalcade.ground.kernels import Mask

# work, as measured from 4x30 to 100x100: of the search, of a solution, and of each time that it goes on
PROPAGATION, CONFLICT, VARIABLE, CLAUSE = 50, 500, 100, 5
SLICE = 2_000_000  # conflicts times variables between looks at the clock, and of conflicts
FEWEST, MOST = 20, 500
CLAUSES = 20_000  # stated between looks at the clock


class Cadical(Cadical195):  # type: ignore[misc]
    """A solver, without inprocessing."""

    cadical: object = None  # also if Ctrl-C comes before there is one
    done = 0  # work so far

    def __init__(self, *, seed: int = 0, with_proof: bool = True) -> None:
        """Begin with an empty formula, and write a proof if asked."""
        super().__init__(with_proof=with_proof)
        self.configure({"inprocessing": 0, "seed": abs(seed) % 2_000_000_000})

    def state(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses, some thousands between looks at the clock."""
        clauses = iter(clauses)
        while some := list(islice(clauses, CLAUSES)):
            assert_time("the time limit is reached while the formula is stated")
            self.append_formula(some)

    def solution(self, budget: Budget, count: int, assumed: Sequence[int] = ()) -> Mask | None:
        """The values of the first `count` variables in a solution.

        None if there is none, and then `status` is False; or if the budget was over before that is known.
        The solver is asked a few conflicts at a time, so that the clock is looked at.
        """
        self.status = None
        conflicts = max(FEWEST, min(MOST, SLICE // max(self.nof_vars(), 1)))
        while not budget.over:
            self.conf_budget(conflicts)
            found = pysolvers.cadical195_solve_lim(self.cadical, assumed, False)  # noqa: FBT003 - no handler
            self.status = None if found == 0 else found > 0
            stats = self.accum_stats()
            done = PROPAGATION * stats["propagations"] + CONFLICT * stats["conflicts"]
            budget.spend(
                done - self.done + CLAUSE * self.nof_clauses() + (VARIABLE * count if found > 0 else 0)
            )
            self.done = done
            if found > 0:
                return np.array(self.get_model()[:count]) > 0
            if found < 0:
                break
        return None

    def delete(self) -> None:
        """Free the solver, and not again if Ctrl-C comes meanwhile."""
        cadical, self.cadical = self.cadical, None
        if cadical is None:
            return
        try:
            pysolvers.cadical195_del(cadical, self.prfile)
        finally:
            if self.prfile is not None:
                self.prfile.close()
