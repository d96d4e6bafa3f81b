"""The SAT solver CaDiCaL 1.9.5 of python-sat, with Ctrl-C left to Python.

In the main thread, python-sat answers SIGINT with a handler of its own, which jumps out of the solver half
done; what is called next may crash, and the handler stays. In another thread it has none, but a Ctrl-C that
the main thread hears while it waits lets it free the solver that the other one is about to use. So the solver
runs in the thread that asks, without that handler: Python raises KeyboardInterrupt when a call has returned.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise, repeat

import numpy as np
from numpy.typing import NDArray
from pysat.solvers import Cadical195, pysolvers

from cavalcade.ground.budget import Budget, assert_time
from cavalcade.ground.kernels import Mask

# Work of a propagation, of a conflict, of a variable of a solution, and of a clause each time that the solver
# resumes; measured from 4x30 to 100x100.
PROPAGATION, CONFLICT, VARIABLE, CLAUSE = 50, 500, 100, 5
SLICE = 2_000_000  # conflicts times variables between two checks of the clock
FEWEST, MOST = 20, 500  # conflicts between two checks of the clock, whatever the number of variables
ADDED, GONE = 1 << 60, -1 << 60  # markers at the start of each line of a proof; no literal is as large
CLAUSES = 20_000  # clauses added between two checks of the clock


class Cadical(Cadical195):  # type: ignore[misc]
    """A solver, without inprocessing."""

    cadical: object = None  # also if Ctrl-C comes before there is one
    done = 0  # work so far
    units: set[int]  # literals stated to be true

    def __init__(self, *, seed: int = 0, with_proof: bool = True) -> None:
        """Create a solver with an empty formula."""
        super().__init__(with_proof=with_proof)
        self.units = set()
        self.configure({"inprocessing": 0, "seed": abs(seed) % 2_000_000_000})

    def state(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses, some thousands between looks at the clock.

        Python-sat would call two functions of its own for each.
        """
        clauses = iter(clauses)
        while some := list(islice(clauses, CLAUSES)):
            assert_time("the time limit is reached while the formula is stated")
            deque(map(pysolvers.cadical195_add_cl, repeat(self.cadical), some), maxlen=0)
            self.units.update(clause[0] for clause in some if len(clause) == 1)

    def proof(self) -> tuple[str, ...]:
        """The clauses that the solver has learnt and the clauses that it has deleted, as lines of DRUP.

        The solver also writes down each clause anew without the literals that are false in every solution,
        and deletes the longer one. Unit propagation sees no difference, and to check these lines takes most
        of the time, so they are left out.
        """
        numbers = self._proof_numbers()
        stops = np.flatnonzero(numbers == 0).tolist()
        words, literals = list(map(str, numbers.tolist())), numbers.tolist()
        known, lines, skip = set(self.units), [], False
        begin = 0
        for stop, after in pairwise([*stops, 0]):
            first, begin = begin, stop + 1
            if skip:
                skip = False
                continue
            if literals[first] == GONE:
                lines.append("d " + " ".join(words[first + 1 : begin]))
                continue
            if after - stop > stop - first > 1 and literals[begin] == GONE:
                clause, longer = set(literals[first + 1 : stop]), literals[begin + 1 : after]
                if clause.issubset(longer) and all(-x in known for x in longer if x not in clause):
                    skip = True
                    continue
            if stop - first == 2:
                known.add(literals[first + 1])
            lines.append(" ".join(words[first + 1 : begin]))
        return tuple(lines)

    def _proof_numbers(self) -> NDArray[np.int64]:
        """The proof so far: of each line ADDED or GONE, the literals, and 0.

        The solver writes a letter, `a` or `d`, and literal x as 2x or -2x + 1, seven bits a byte, lowest
        first, the last byte below 128.
        """
        pysolvers.flushpr(self.prfp)
        self.prfile.seek(0)
        code = np.frombuffer(self.prfile.read(), dtype=np.uint8).astype(np.int64)
        ends = np.flatnonzero(code < 128)
        starts = np.append(0, ends[:-1] + 1)
        numbers = np.zeros(len(ends), dtype=np.int64)
        for k in range(int((ends - starts).max(initial=-1)) + 1):
            longer = starts + k <= ends
            numbers[longer] |= (code[starts[longer] + k] & 127) << 7 * k
        stops = np.flatnonzero(numbers == 0)
        letters = np.append(0, stops + 1)[: len(stops)]
        gone = numbers[letters] == ord("d")
        numbers = np.where(numbers % 2, -(numbers // 2), numbers // 2)
        numbers[letters] = np.where(gone, GONE, ADDED)
        return numbers

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
