"""The engines: a table of who answers, how, and what each knows. It is read; it imports nothing heavy.

An engine is a function `engine(question, budget, *, seed=0)`. It gives plain data: the cells of a tour in
order, a proof, `Undecided` or None. It spends its budget as it works, and ends when that is over. One that
ends before has nothing more to try.

Several rows may have one name: then the row that knows most of what is asked answers, of equals the first.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from cavalcade.question.question import Question

ONE_WAY, STEPS, SYMMETRY = "moves that go one way", "cells given at steps", "a symmetry"


class Engine(NamedTuple):
    """One method.

    Args:
        name: what `--engine` and `engine=` call it.
        sentence: what it does.
        function: its module and its function.
        knows: what its tours heed; without it, a tour that it finds fits by luck alone.
        needs: what is asked of each question that it answers.
        proves: whether it may also prove that there is no tour.
    """

    name: str
    sentence: str
    function: str
    knows: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    proves: bool = False


_one_way, _steps, _symmetry = frozenset({ONE_WAY}), frozenset({STEPS}), frozenset({SYMMETRY})
ENGINES = (
    Engine(
        "template",
        "Build the tour of blocks with known tours.",
        "cavalcade.construction.plan:template",
    ),
    Engine(
        "lines",
        "Build a tour of long straight lines, which has few turns.",
        "cavalcade.construction.lines:lines",
    ),
    Engine(
        "join",
        "Join the cycles of a cycle cover by exchanges of edges.",
        "cavalcade.find.join:join",
    ),
    Engine(
        "join",
        "Patch the cycles of an assignment of successors, and let a path take in the rest.",
        "cavalcade.find.directed:directed",
        knows=_one_way,
        needs=_one_way,
    ),
    Engine(
        "join",
        "Walk between the given cells at random, and join the rest.",
        "cavalcade.find.stepwise:join_steps",
        knows=_steps,
        needs=_steps,
    ),
    Engine(
        "join",
        "Join the cycles of a cover of the graph folded by the symmetry.",
        "cavalcade.find.symmetric:join_symmetric",
        knows=_one_way | _steps | _symmetry,
        needs=_symmetry,
    ),
    Engine(
        "local",
        "Where joining is stuck, decide the surroundings of the cycles left by SAT.",
        "cavalcade.refute.local:local",
        knows=_one_way,
        proves=True,
    ),
    Engine(
        "reasons",
        "Look for forced moves, tight sets, cuts and a few cases: a proof that people can read.",
        "cavalcade.refute.reasons:reasons",
        knows=_one_way,
        proves=True,
    ),
    Engine(
        "sat",
        "Ask a SAT solver, and cut off each cycle of its cycle covers: a tour, or a proof for machines.",
        "cavalcade.refute.sat:sat",
        knows=_one_way | _symmetry,
        proves=True,
    ),
    Engine(
        "sat",
        "Ask a SAT solver which cell has which step.",
        "cavalcade.refute.positions:sat_by_positions",
        knows=_steps,
        needs=_steps,
        proves=True,
    ),
    Engine(
        "sweep",
        "Take the cells one by one with all states of the frontier, where few cells are on it.",
        "cavalcade.refute.sweep:sweep",
        knows=_one_way,
        proves=True,
    ),
    Engine(
        "contract",
        "Look for reasons once all cells behind two or three edges are one cell.",
        "cavalcade.refute.contraction:contraction",
        proves=True,
    ),
    Engine(
        "numbered",
        "Try the steps that each cell may still have, by propagation and branching.",
        "cavalcade.find.numbered:first_numbered",
        knows=_steps,
        needs=_steps,
    ),
    Engine(
        "numbered",
        "List all tours until one has the given steps.",
        "cavalcade.ask.listed:first_listed",
        knows=_one_way | _steps | _symmetry,
        needs=_steps,
    ),
)
NAMES = tuple(dict.fromkeys(engine.name for engine in ENGINES))


def asked_of(question: Question) -> frozenset[str]:
    """What a question asks that not every engine knows."""
    asked = {ONE_WAY: question.one_way, STEPS: question.stepwise, SYMMETRY: question.symmetry is not None}
    return frozenset(one for one, is_asked in asked.items() if is_asked)


def row_for(name: str, question: Question) -> Engine | None:
    """The row of this name that knows most of what is asked; None if all need more than that."""
    asked = asked_of(question)
    rows = [engine for engine in ENGINES if engine.name == name and engine.needs <= asked]
    return max(rows, key=lambda engine: len(engine.knows & asked), default=None)


def function_of(engine: Engine) -> Callable[..., Any]:
    """The function, whose module is imported now.

    Raises:
        ImportError: a library that it needs is missing.
    """
    module, _, name = engine.function.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function
