"""The rules of proofs by steps: what each step claims about the closed tours of a graph, and why it follows.

One module per rule. Its docstring states the claim and the argument. `check` verifies a step and records what
follows from it; a rule whose steps have cases also has a generator `cases`, which begins and ends each case.
`explaining.rules` has the sentences and the signs of pictures.

In the docstrings, N(I) is the set of neighbours of the set I in the present graph. For a set S of removed
cells, k is its size and f the number of forced edges inside it.

A proof is a list of deductions that ends with a contradiction, or with a branch whose two cases are proofs.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, Protocol, cast

import numpy as np

from cavalcade.answers.certificate import Step
from cavalcade.checking.present import PresentGraph
from cavalcade.checking.rules import linear


class Rule(Protocol):
    """The interface of a module of this package."""

    def check(self, present: PresentGraph, cells: Any, /) -> None:
        """Check that a step follows, and record what it decides.

        Args:
            present: the graph, with everything that the steps before have decided.
            cells: the cells of the step, or its terms; see `subject`.

        Raises:
            WrongError: the step does not follow.
        """


DEDUCTIONS = ("apart", "contract", "forced", "saturated", "subtour", "tight", "tight_cut")
CONTRADICTIONS = (
    "degree", "three", "cycle", "colours", "hall", "factor", "linear", "cut", "parity", "reach", "sign",
    "steps", "symmetry", "sweep",
)  # fmt: skip
RULES: dict[str, Rule] = {
    name: cast("Rule", import_module(f"{__name__}.{name}"))
    for name in (*DEDUCTIONS, *CONTRADICTIONS, "branch")
}
CASES = {"branch": 2, "apart": 1}  # the number of cases of a step; rules not listed have none


def subject(step: Step) -> Any:
    """The argument of `Rule.check`: an array of cells; for `linear`, pairs of a number and an array."""
    if step.terms:
        return [
            linear.ArrayTerm(
                number, np.array(cells, dtype=np.int64), np.array(odd, dtype=np.int64).reshape(-1, 2)
            )
            for number, cells, odd in step.terms
        ]
    return np.array(step.cells, dtype=np.int64)


def cases(step: Step, present: PresentGraph) -> Iterator[str]:
    """Yield the name of each case of a step. Advancing begins the next case and ends the previous case."""
    begun: Iterator[str] = getattr(RULES[step.rule], "cases", lambda *_: iter(()))(present, subject(step))
    return begun
