"""The SAT solver CaDiCaL 1.9.5 of python-sat, with Ctrl-C left to Python.

In the main thread, python-sat answers SIGINT with a handler of its own, which jumps out of the solver half
done; what is called next may crash, and the handler stays. In another thread it has none, but a Ctrl-C that
the main thread hears while it waits lets it free the solver that the other one is about to use. So the solver
runs in the thread that asks, without that handler: Python raises KeyboardInterrupt when a call has returned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysat.solvers import Cadical195, pysolvers

if TYPE_CHECKING:
    from collections.abc import Sequence


class Cadical(Cadical195):  # type: ignore[misc]
    """A solver, without inprocessing."""

    cadical: object = None  # also if Ctrl-C comes before there is one

    def __init__(self, *, seed: int = 0, with_proof: bool = True) -> None:
        """Begin with an empty formula, and write a proof if asked."""
        super().__init__(with_proof=with_proof)
        self.configure({"inprocessing": 0, "seed": abs(seed) % 2_000_000_000})

    def look(self, conflicts: int, assumed: Sequence[int] = ()) -> bool | None:
        """Whether the formula has a solution, with these literals; None if so many conflicts do not tell."""
        self.conf_budget(conflicts)
        found = pysolvers.cadical195_solve_lim(self.cadical, assumed, False)  # noqa: FBT003 - no handler
        self.status = None if found == 0 else found > 0
        return self.status

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
