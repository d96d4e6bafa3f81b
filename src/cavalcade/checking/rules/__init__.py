"""The rules of structural proofs: what each step claims about the closed tours of a graph, and why.

One module per rule. Its docstring states what the rule claims and why that follows; `check` verifies it and
records what follows; `sentence` puts it in words, before that is recorded; `roles`, if there is one, names
what a picture shows, and `LEGEND`, if there is one, what these roles mean. In all of them N(I) are the cells
next to a cell of I in the present graph; k is the size of S, f the number of forced edges inside S.

A proof is a list of deductions with a contradiction at its end, or a branch of which both cases end in one.
A rule whose steps have cases has a function `cases`, which begins and ends them.
To add a rule: write its module, and put it into the table here.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, Protocol, cast

import numpy as np

from cavalcade.answers.certificate import Step
from cavalcade.checking.present import Ints, PresentGraph

SIGNS = {  # of a picture: what cells in a role are, where a rule has no words of its own
    "named": "where it fails",
    "beside": "cells next to them",
    "parts": "another part",
    "counted": "cells whose moves are counted",
}


class Rule(Protocol):
    """What each module of this package has; `cells` are what `subject` returns."""

    def check(self, present: PresentGraph, cells: Any, /) -> None:
        """Check that a step about these cells follows, and record what it decides.

        Raises:
            WrongError: it does not.
        """

    def sentence(self, present: PresentGraph, cells: Any, /) -> str:
        """The step in words, before anything of it is recorded.

        Of a step that does not follow it may raise anything.
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
CASES = {"branch": 2, "apart": 1}  # of the steps that have some


def subject(step: Step) -> Any:
    """What a rule is given: the cells of a step as an array, or its terms, numbers with such arrays."""
    if step.terms:
        return [(number, np.array(cells, dtype=np.int64)) for number, cells in step.terms]
    return np.array(step.cells, dtype=np.int64)


def cases(step: Step, present: PresentGraph) -> Iterator[str]:
    """The names of the cases of a step: each begins when it is taken, and ends when the next one is."""
    begun: Iterator[str] = getattr(RULES[step.rule], "cases", lambda *_: iter(()))(present, subject(step))
    return begun


def roles(step: Step, present: PresentGraph) -> dict[str, list[Ints]]:
    """What a picture of a step shows, as `draw.proof` paints it, what is named last on top.

    `counted`, `named` and `beside` are groups of cells, `parts` are too, but one colour each; `moves` are
    numbers of edges. Where a rule has no `roles`, the cells of its step are shown.
    """
    if found := getattr(RULES[step.rule], "roles", None):
        shown: dict[str, list[Ints]] = found(present, subject(step))
        return shown
    return {"counted" if step.rule in DEDUCTIONS else "named": [subject(step)]}


def meanings(rule: str) -> dict[str, str]:
    """The meaning of each role in a picture of a proof that ends with this rule."""
    return SIGNS | getattr(RULES[rule], "LEGEND", {})
