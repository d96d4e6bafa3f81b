"""The engines: a table of who answers, how, and what each knows. It is read; it imports nothing heavy.

An engine is a function `engine(question, budget, *, seed=0)`, with more options or not. It gives plain data:
the cells of a tour in order, a proof, `Undecided` or None. What it does not know of a question, as cells at
steps or a symmetry, it ignores. It spends its budget as it works, and ends when that is over. One that ends
before has nothing more to try. The seed is of its random choices, if it makes any; `compiled` chooses the
tier of its kernels, None lets the work decide. An engine may also be a generator that yields such an answer,
and goes on where it was when it is asked again: then its budget has been refilled.

Several rows may have one name: then the row that knows most of what is asked answers, of equals the first.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from cavalcade.question.question import Question

ONE_WAY, STEPS, SYMMETRY = "moves that go one way", "cells given at steps", "a symmetry"
COILS = "a number of coils"


class Engine(NamedTuple):
    """One method.

    Args:
        name: what `--engine` and `engine=` call it.
        function: its module in this package, and its function.
        sentence: what it does.
        knows: which of these its tours satisfy by construction; the others they meet by luck alone.
        needs: which of these it answers questions about only.
        sizes: smallest and largest number of cells for which it is worth a turn.
        share: its share of the work of a round, relative to other engines.
    """

    name: str
    function: str
    sentence: str
    knows: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    sizes: tuple[float, float] = (0, math.inf)
    share: int = 1

    def fits(self, question: Question) -> bool:
        """Whether the board has one of the sizes."""
        return self.sizes[0] <= question.board.size <= self.sizes[1]


ENGINES = (
    Engine(
        "template", "construction.plan:template", "Build the tour of blocks with known tours.",
        sizes=(5_001, math.inf),
    ),
    Engine("lines", "construction.lines:lines", "Build a tour of long straight lines, with few turns."),
    Engine(
        "join", "find.join:join", "Join the cycles of a cycle cover by exchanges of edges.",
        sizes=(0, 5_000),
    ),
    Engine(
        "join", "find.directed:directed", "Patch the cycles of an assignment, and extend a path.",
        knows=(ONE_WAY,), needs=(ONE_WAY,),
    ),
    Engine(
        "join", "find.stepwise:join_steps", "Walk between the given cells at random, and join the rest.",
        knows=(STEPS,), needs=(STEPS,),
    ),
    Engine(
        "join", "find.symmetric:join_symmetric", "Join cycles of the graph folded by the symmetry.",
        knows=(ONE_WAY, STEPS, SYMMETRY), needs=(SYMMETRY,),
    ),
    Engine(
        "join", "find.coils:coiled", "Join the cycles of an assignment with the wanted coils.",
        knows=(ONE_WAY, COILS), needs=(COILS,),
    ),
    Engine(
        "subsets", "find.subsets:subsets",
        "Note where paths through each set of cells can end: decides up to 24 vertices, without proofs.",
        knows=(ONE_WAY,),
    ),
    Engine(
        "local", "refute.local:local", "Join cycles, and decide the surroundings of those left by SAT.",
        knows=(ONE_WAY,), sizes=(300, math.inf), share=6,
    ),
    Engine(
        "reasons", "refute.reasons:reasons",
        "Look for forced moves, tight sets, cuts and a few cases: a proof that people can read.",
        knows=(ONE_WAY,),
    ),
    Engine(
        "linear", "refute.linear:linear",
        "Give cells and sets of cells numbers by a linear program: a proof that anyone can add up.",
        knows=(ONE_WAY,),
    ),
    Engine(
        "sat", "refute.sat:sat", "Let a SAT solver find cycle covers, and cut off their cycles one by one.",
        knows=(ONE_WAY, SYMMETRY), share=6,
    ),
    Engine(
        "sat", "refute.positions:sat_by_positions", "Let a SAT solver give each cell its step.",
        knows=(STEPS,), needs=(STEPS,), sizes=(0, 200),
    ),
    Engine(
        "sweep", "refute.sweep:sweep", "Take the cells one by one, with all states of a narrow frontier.",
        knows=(ONE_WAY,), share=4,
    ),
    Engine(
        "contract", "refute.contraction:contraction",
        "Look for reasons once all cells behind two or three edges are one cell.",
        share=4,
    ),
    Engine(
        "apart", "refute.apart:apart", "Take the graph apart at four edges, as a chain of snarks.", share=4
    ),
    Engine(
        "numbered", "find.numbered:first_numbered", "Try the steps that each cell may have, and branch.",
        knows=(STEPS,), needs=(STEPS,),
    ),
    Engine(
        "numbered", "ask.listed:first_listed", "List all tours until one has the given steps.",
        knows=(ONE_WAY, STEPS, SYMMETRY), needs=(STEPS,),
    ),
    Engine(
        "numbered", "ask.listed:first_listed", "List all tours until one has the wanted coils.",
        knows=(ONE_WAY, STEPS, SYMMETRY, COILS), needs=(COILS,),
    ),
)  # fmt: skip
NAMES = tuple(dict.fromkeys(engine.name for engine in ENGINES))


def asked_of(question: Question) -> set[str]:
    """What a question asks that not every engine knows."""
    asked = {ONE_WAY: question.one_way, STEPS: question.stepwise, SYMMETRY: question.symmetry is not None}
    asked[COILS] = question.coils is not None
    return {one for one, is_asked in asked.items() if is_asked}


def row_for(name: str, question: Question) -> Engine | None:
    """The row of an engine for a question: of the rows for boards of this size the one that knows most.

    Returns:
        None if every row of this name needs more than is asked.
    """
    asked = asked_of(question)
    rows = [engine for engine in ENGINES if engine.name == name and asked.issuperset(engine.needs)]
    return max(
        rows,
        key=lambda engine: (engine.fits(question), len(asked.intersection(engine.knows))),
        default=None,
    )


def function_of(engine: Engine) -> Callable[..., Any]:
    """The function, whose module is imported now.

    Raises:
        ImportError: a library that it needs is missing.
    """
    module, _, name = engine.function.partition(":")
    function: Callable[..., Any] = getattr(import_module(f"cavalcade.{module}"), name)
    return function
