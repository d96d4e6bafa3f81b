"""What a search for tours with given cells at given steps found: several tours, or that there are no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Solutions(NamedTuple):
    """Sequences of cells that solve a question about steps.

    Args:
        tours: (k, n) the cells of each in the order of the steps, int32.
        complete: there are no others.
        guesses: how often a value was tried: 0 if the rules alone decided. Of a SAT solver its decisions.
        depth: how many guesses stood one upon another at most.
        proof: of a SAT solver that is complete: lines of DRUP that refute its formula together with the
            clauses that forbid the solutions found.
    """

    tours: NDArray[np.int32]
    complete: bool
    guesses: int = 0
    depth: int = 0
    proof: tuple[str, ...] = ()
