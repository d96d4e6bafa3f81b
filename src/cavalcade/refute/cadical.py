"""The SAT solver CaDiCaL 1.9.5 of python-sat, with Ctrl-C left to Python.

In the main thread, python-sat handles SIGINT itself by a jump out of the running solver. The next call may
crash, and the handler stays. In another thread there is no such handler, but Ctrl-C makes the waiting main
thread free the solver that the other thread is about to use. So the solver runs in the calling thread without
that handler: Python raises KeyboardInterrupt when a call has returned.
"""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import islice, repeat

import numpy as np
from pysat.solvers import Cadical195, pysolvers

from cavalcade.ground.budget import Budget, assert_time
from cavalcade.ground.kernels import Mask
from cavalcade.ground.storage import nameless_file
from cavalcade.ground.system import close_c_stream
from cavalcade.ground.watchdog import undisturbed
from cavalcade.refute.lrat import Refutation, refutation

# Counted work of a propagation and of a conflict, of a clause each time that the solver resumes, and of a
# variable of a solution; measured from 4x30 to 100x100.
WORK = {"propagations": 50, "conflicts": 500, "clauses": 5, "variables": 100}
# Clauses to state, or conflicts of the first run of the solver, between two checks of the clock. Each check
# of a search ends a run, after which the solver begins again at its root; so the runs become longer.
BATCH = 500
# Conflicts times variables between two checks of the clock, a quarter of a second: a conflict takes time
# proportional to the variables, 65 µs for 2,000 of them.
SLICE = 8_000_000


class Cadical(Cadical195):  # type: ignore[misc]
    """A solver that writes a proof with hints.

    Attributes:
        status: whether the formula has a solution, None if unknown.
        stated: number of the clauses of the formula.
        units: indices of the stated clauses that have one literal.
        cuts: the cuts that were stated last, one per clause.
        descriptor: the descriptor of the C stream to which the proof is written; None without a proof.
        conflicts: the conflicts of the next run.
        work_done: counted work of all runs.
    """

    cadical: object = None  # so that `delete` works if Ctrl-C interrupts the constructor
    descriptor: int | None = None
    work_done = 0
    conflicts = BATCH
    stated = 0
    units: list[int]
    cuts: list[tuple[int, ...]]

    def __init__(self, *, seed: int = 0, with_proof: bool = True, stable: bool = False) -> None:
        """Create a solver with an empty formula; a `stable` one restarts seldom from the beginning."""
        super().__init__()
        self.units, self.cuts = [], []
        # With hints the solver takes a third longer, and its proof is checked in a tenth of the time.
        self.configure({"lrat": 1, "seed": abs(seed) % 2_000_000_000, "stabilizeonly": int(stable)})
        if with_proof:
            self.prfile = nameless_file()  # `delete` closes it
            # python-sat never closes the C stream of a proof, 4.5 kB with its buffer. `delete` closes it and
            # with it its descriptor, which therefore is a copy.
            self.descriptor = os.dup(self.prfile.fileno())
            self.prfp = pysolvers.cadical195_tracepr(self.cadical, self.descriptor)

    def state(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses to the formula.

        The method of python-sat would make two Python calls for each clause.
        """
        clauses = iter(clauses)
        while batch := list(islice(clauses, BATCH)):
            assert_time("the time limit is reached while the formula is stated")
            deque(map(pysolvers.cadical195_add_cl, repeat(self.cadical), batch), maxlen=0)
            self.units += [k for k, clause in enumerate(batch, self.stated) if len(clause) == 1]
            self.stated += len(batch)

    def proof(self) -> Refutation:
        """What the solver has learnt, as far as the contradiction that it has found depends on it."""
        pysolvers.flushpr(self.prfp)
        self.prfile.seek(0)
        return refutation(np.frombuffer(self.prfile.read(), dtype=np.uint8), self.stated, self.units)

    def solution(
        self, budget: Budget, count: int, assumed: Sequence[int] = (), *, most: float = math.inf
    ) -> Mask | None:
        """Search for a solution, a few conflicts at a time because the clock is checked in between.

        Args:
            budget: the work that may be done.
            count: number of variables to return.
            assumed: literals that are true in this call only.
            most: `work_done` at which the search ends.

        Returns:
            The values of the first variables; None if there is no solution, and then `status` is False, or if
            the budget is over or `most` is reached.
        """
        self.status = None
        longest = max(1, SLICE // max(self.nof_vars(), 1))
        while not budget.over and self.work_done < most:
            self.conf_budget(min(self.conflicts, longest))
            result = pysolvers.cadical195_solve_lim(self.cadical, assumed, False)  # noqa: FBT003 - no handler
            self.status = None if result == 0 else result > 0
            stats = self.accum_stats()
            work_done = sum(WORK[name] * stats[name] for name in ("propagations", "conflicts"))
            resumed = WORK["clauses"] * self.nof_clauses() + (WORK["variables"] * count if result > 0 else 0)
            budget.spend(work_done - self.work_done + resumed)
            self.work_done = work_done
            if result > 0:
                return np.array(self.get_model()[:count]) > 0
            if result < 0:
                break
            self.conflicts = min(2 * self.conflicts, longest)
        return None

    @undisturbed
    def delete(self) -> None:
        """Free the solver once, even if Ctrl-C interrupts this method."""
        cadical, self.cadical = self.cadical, None
        if cadical is None:
            return
        try:
            pysolvers.cadical195_del(cadical, self.descriptor)  # releases the object that `tracepr` has held
        finally:
            if self.prfp is not None:
                close_c_stream(self.prfp)
            if self.prfile is not None:
                self.prfile.close()
