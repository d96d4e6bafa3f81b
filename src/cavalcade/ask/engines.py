"""The table of engines. It is plain data and imports no engine.

An engine is a function `engine(question, budget, *, seed=0)`, perhaps with more options: `seed` determines
its random choices, and `compiled` chooses the tier of its kernels. It returns plain data: the cells of a tour
in order, a proof, `Undecided` or None. It ignores features of a question that it does not support, such as
cells at steps or a symmetry. It spends its budget as it works, and returns when the budget is spent; if it
returns earlier, it has nothing more to try. An engine may also be a generator: it yields an answer per turn,
and resumes after its budget was refilled.

If several rows have the same name, the row that supports most features of the question is used.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

if TYPE_CHECKING:
    from cavalcade.question.question import Question

ONE_WAY, STEPS, SYMMETRY = "moves that go one way", "cells at given steps or in a given order", "a symmetry"
COILS = "a number of coils"


class Engine(NamedTuple):
    """An engine.

    Args:
        name: name of the engine, as in `--engine` and `engine=`.
        function: module in this package and function, as `module:function`.
        sentence: description.
        supports: features of a question that its tours have by construction; other features only by luck.
        requires: features without which it does not apply to a question.
        sizes: smallest and largest number of cells for which the engine gets a turn.
        share: share of the work in a round, relative to other engines.
    """

    name: str
    function: str
    sentence: str
    supports: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    sizes: tuple[float, float] = (0, math.inf)
    share: float = 1

    def fits(self, question: Question) -> bool:
        """Whether the number of cells is within `sizes`."""
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
        supports=(ONE_WAY,), requires=(ONE_WAY,),
    ),
    Engine(
        "join", "find.stepwise:join_steps", "Walk between the given cells at random, and join the rest.",
        supports=(STEPS,), requires=(STEPS,),
    ),
    Engine(
        "join", "find.symmetric:join_symmetric", "Join cycles of the graph folded by the symmetry.",
        supports=(ONE_WAY, STEPS, SYMMETRY), requires=(SYMMETRY,),
    ),
    Engine(
        "join", "find.coils:coiled", "Join the cycles of an assignment with the wanted coils.",
        supports=(ONE_WAY, COILS), requires=(COILS,),
    ),
    Engine(
        "rotations", "find.rotations:rotations", "Grow a path, and rotate its end where it is stuck.",
        sizes=(0, 100_000), share=0.25,
    ),
    Engine(
        "subsets", "find.subsets:subsets",
        "Note where paths through each set of cells can end: decides up to 24 vertices, without proofs.",
        supports=(ONE_WAY,),
    ),
    Engine(
        "local", "refute.local:local",
        "Join cycles, and let SAT decide the surroundings of the remaining cycles.",
        supports=(ONE_WAY,), sizes=(300, math.inf), share=6,
    ),
    Engine(
        "reasons", "refute.reasons:reasons",
        "Look for forced moves, tight sets, cuts and a few cases: a proof that people can read.",
        supports=(ONE_WAY,),
    ),
    Engine(
        "linear", "refute.linear:linear",
        "Give cells and sets of cells numbers by a linear program: a proof that anyone can add up.",
        supports=(ONE_WAY,),
    ),
    Engine(
        "sat", "refute.sat:sat", "Let a SAT solver find cycle covers, and cut off their cycles one by one.",
        supports=(ONE_WAY, SYMMETRY), share=4,
    ),
    Engine(
        "sat", "refute.positions:sat_by_positions", "Let a SAT solver give each cell its step.",
        supports=(STEPS,), requires=(STEPS,), sizes=(0, 200),
    ),
    Engine(
        "sweep", "refute.sweep:sweep", "Take the cells one by one, with all states of a narrow frontier.",
        supports=(ONE_WAY,), share=2,
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
        supports=(STEPS,), requires=(STEPS,), sizes=(0, 1_000),
    ),
    Engine(
        "numbered", "ask.listed:first_listed", "List all tours until one has the given steps and order.",
        supports=(ONE_WAY, STEPS, SYMMETRY), requires=(STEPS,),
    ),
    Engine(
        "numbered", "ask.listed:first_listed", "List all tours until one has the wanted coils.",
        supports=(ONE_WAY, STEPS, SYMMETRY, COILS), requires=(COILS,),
    ),
)  # fmt: skip
# The names of the engines, for type checkers, which cannot read the table; a test compares them.
EngineName: TypeAlias = Literal[
    "template", "lines", "join", "rotations", "subsets", "local", "reasons", "linear", "sat", "sweep",
    "contract", "apart", "numbered",
]  # fmt: skip
NAMES: tuple[EngineName, ...] = get_args(EngineName)


def features(question: Question) -> set[str]:
    """Return the features of a question that not every engine supports."""
    present = {
        ONE_WAY: question.one_way,
        STEPS: question.stepwise,
        SYMMETRY: question.symmetry is not None,
        COILS: question.coils is not None,
    }
    return {feature for feature, is_present in present.items() if is_present}


def row_for(name: str, question: Question) -> Engine | None:
    """Return the row of an engine for a question, or None if each of its rows requires another feature.

    Rows for boards of this size come first, then rows that support more features.
    """
    present = features(question)
    rows = [engine for engine in ENGINES if engine.name == name and present.issuperset(engine.requires)]
    return max(
        rows,
        key=lambda engine: (engine.fits(question), len(present.intersection(engine.supports))),
        default=None,
    )


def function_of(engine: Engine) -> Callable[..., Any]:
    """Import the function of an engine.

    Raises:
        ImportError: a library that the engine requires is missing.
    """
    module, _, name = engine.function.partition(":")
    function: Callable[..., Any] = getattr(import_module(f"cavalcade.{module}"), name)
    return function
