"""Which engine is asked when, and for how long.

    template   blocks with known tours: knights on boards of 5,000 cells or more without holes
    join       one quick try, or as many as fit into 20 ms, on small boards less

Then in rounds, for a second each at most, then for five, then for shares of the time that is left; reasons,
sweep and contract are not asked again if they were through before their time was over:

    reasons    forced moves, tight sets, cuts, and a few cases: a proof that people can read
    local      where joining is stuck, SAT in small surroundings: a tour, or a proof about these alone
    sat        SAT with cut sets: a tour, or a proof that machines can check
    join       with restarts, but not in sparse graphs
    sweep      every way to take the cells one by one, where few cells are at the edge at a time
    contract   reasons again, in what is left when all that lies behind three edges is one cell
    cases      reasons again, with as many cases as it takes: in the last round only

Boards of 5,000 cells or more have their first try in `local`, which goes on where it is stuck, and longer
rounds; in sparse graphs, as cubic ones, `local` comes before reasons with cases, but large ones are looked
at for reasons without cases first.

    lines      tours of long lines, and
    sat        with a bound on turns or crossings: only where few of them are asked for

Where cells are given at steps: reasons, every numbering of the cells for a second, join, SAT, and again.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.certificate import PositionProof
from cavalcade.answers.verdict import Undecided
from cavalcade.find.join import join
from cavalcade.ground.errors import CavalcadeError, TooLargeError
from cavalcade.question.graph import MoveGraph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from cavalcade.answers.certificate import Proof
    from cavalcade.answers.solutions import Solutions
    from cavalcade.question.question import Question

    Answer = NDArray[np.int32] | Proof | Undecided | None
    Engine = Callable[["EngineTask", float], Answer]  # what is asked, and the seconds that it may take

LARGE = 5_000  # cells from which a template is faster than join, its imports included
QUICK = 0.02  # seconds of the first try, and
PAIRED = 1e-5  # for each two cells at most: of a small graph without a tour a reason is found as fast
SPARSE_CELL = 5e-4  # seconds of the first try of `local` for each cell of a sparse graph
# seconds for each engine at most, for every 5,000 cells, before the rest of the time is shared
ROUNDS = (1.0, 5.0)
POSITIONS = 200  # cells up to which steps are given to the solver: a million clauses for every hundred
CASES = 60  # the cases that a proof may distinguish before others are asked
MOST_CASES = 200_000
UNPROVED = "every tour was tried, and none fits; but there is no proof of it that can be checked"


@dataclass(frozen=True)
class EngineTask:
    """What an engine is asked.

    Args:
        question: the question.
        seed: of the random choices.
        until: the moment, of `time.perf_counter`, when to break off.
        style: of a tour by template.
    """

    question: Question
    seed: int
    until: float
    style: str


def _template(asked: EngineTask, seconds: float) -> Answer:
    """Build the tour of blocks."""
    del seconds
    from cavalcade.construction.plan import template

    return template(asked.question, style=asked.style, seed=asked.seed)


def lines(asked: EngineTask, seconds: float) -> Answer:
    """Build the tour of long lines."""
    del seconds
    from cavalcade.construction.lines import lines as long_lines

    return long_lines(asked.question)


def _join(asked: EngineTask, seconds: float) -> Answer:
    """Join the cycles of a cover."""
    question = asked.question
    if question.symmetry is not None:
        from cavalcade.find.kept import join_kept

        return join_kept(question, seed=asked.seed, time_limit=seconds, until=asked.until)
    if question.stepwise and not question.one_way:
        from cavalcade.find.stepwise import join_steps

        return join_steps(question, seed=asked.seed, time_limit=seconds, until=asked.until)
    if question.one_way:
        from cavalcade.find.directed import directed

        return directed(question, seed=asked.seed, time_limit=seconds, until=asked.until)
    return join(question, seed=asked.seed, time_limit=seconds, until=asked.until)


def _reasons(asked: EngineTask, seconds: float, *, cases: int = MOST_CASES) -> Answer:
    """Look for a reason."""
    from cavalcade.refute.reasons import reasons

    return reasons(asked.question, cases=cases, time_limit=seconds, seed=asked.seed, until=asked.until)


def _sweep(asked: EngineTask, seconds: float) -> Answer:
    """Follow every way through a narrow graph."""
    from cavalcade.refute.sweep import sweep

    return sweep(asked.question, time_limit=seconds)


def _contract(asked: EngineTask, seconds: float) -> Answer:
    """Look for a reason in what is left after contraction."""
    from cavalcade.refute.contraction import contraction

    return contraction(asked.question, time_limit=seconds, seed=asked.seed)


def _sat(asked: EngineTask, seconds: float) -> Answer:
    """Ask a SAT solver, if there is one."""
    try:
        from cavalcade.refute.positions import positions
        from cavalcade.refute.sat import sat
    except ImportError as error:
        return Undecided(str(error), "sat")
    question = asked.question
    if not question.stepwise or question.one_way or question.symmetry or question.board.size > POSITIONS:
        return sat(question, seed=asked.seed, time_limit=seconds)
    found = positions(
        question.allowed, question.given, closed=question.closed, most=1, time_limit=seconds, seed=asked.seed,
        required=question.required,
    )  # fmt: skip
    if len(found.tours):
        return _first(found)
    if found.complete:
        return PositionProof(found.proof)
    return Undecided(f"SAT found no answer in {seconds:.3g} s", "sat", asked.seed)


def _local(asked: EngineTask, seconds: float, *, tries: int | None = None) -> Answer:
    """Join the cycles of a cover, and decide the surroundings of those that are left."""
    from cavalcade.refute.local import local

    return local(asked.question, seed=asked.seed, tries=tries, time_limit=seconds, until=asked.until)


def _first(found: Solutions) -> NDArray[np.int32]:
    """The cells of the first of several."""
    cells: NDArray[np.int32] = found.tours[0]
    return cells


def _numbered(asked: EngineTask, seconds: float, *, compiled: bool | None = None) -> Answer:
    """Give the cells their steps, every way there is."""
    question = asked.question
    if not question.stepwise:
        return Undecided("no cells are given at steps", "numbered", asked.seed)
    if not question.one_way and question.symmetry is None:
        from cavalcade.find.numbered import numbered

        try:
            found = numbered(
                question.allowed, question.given, closed=question.closed, most=1, time_limit=seconds,
                seed=asked.seed, required=question.required, compiled=compiled,
            )  # fmt: skip
        except TooLargeError as error:
            return Undecided(str(error), "numbered", asked.seed)
        if len(found.tours):
            return _first(found)
        complete = found.complete
    else:
        from cavalcade.counting.listing import list_tours

        until = time.perf_counter() + seconds
        complete = True
        for tour in list_tours(
            replace(question, start=None if question.closed else question.start, steps=())
        ):
            if question.numbered(tour.cells) is not None:
                return tour.cells
            if time.perf_counter() > until:
                complete = False
                break
    return Undecided(UNPROVED if complete else f"none was found in {seconds:.3g} s", "numbered", asked.seed)


ENGINES: dict[str, Engine] = {
    "template": _template, "join": _join, "local": _local, "reasons": _reasons, "sat": _sat,
    "sweep": _sweep, "contract": _contract, "numbered": _numbered,
}  # fmt: skip

# ---- which engine is asked when

Turn = tuple[str, "Engine", float, float]  # a name, the engine, a share of the time left, the most seconds

with_cases = partial(_reasons, cases=CASES)
ROUND: tuple[tuple[str, Engine, float], ...] = (
    ("reasons", with_cases, 0.2),
    ("local", _local, 0.5),
    ("sat", _sat, 0.5),
    ("join", _join, 0.25),
    ("sweep", _sweep, 0.4),
    ("contract", _contract, 0.15),
)
SPARSE_ROUND = (ROUND[1], ROUND[0], ROUND[2], *ROUND[4:])

EXHAUSTIVE = frozenset({"reasons", "sweep", "contract"})  # asked once, if that ends before their time

LAST: tuple[Turn, ...] = (
    ("local", _local, 0.4, np.inf),
    ("sweep", _sweep, 0.3, np.inf),
    ("sat", _sat, 0.7, np.inf),
    ("cases", _reasons, 0.5, np.inf),
    ("join", _join, 1, np.inf),
)

STEPS: tuple[Turn, ...] = (
    ("numbered", partial(_numbered, compiled=False), 1, 0.25),  # to compile takes ten seconds, once
    ("numbered", _numbered, 1, ROUNDS[0]),
    ("join", _join, 1, 0.3),
    ("sat", _sat, 0.4, np.inf),
    ("numbered", _numbered, 0.7, np.inf),
    ("join", _join, 1, np.inf),
)


def schedule(question: Question, engine: str | None, *, reasons_first: bool = False) -> Iterator[Turn]:
    """The engines in turn; or one engine alone."""
    if engine is not None:
        if engine not in ENGINES:
            raise CavalcadeError(f"unknown engine {engine!r}, expected one of {', '.join(ENGINES)}")
        yield engine, ENGINES[engine], 1, np.inf
        return
    if question.board.size >= LARGE:
        from cavalcade.construction.plan import misfit

        if not misfit(question):
            yield "template", _template, 1, np.inf
    quick: Turn = ("join", _join, 1, min(QUICK, PAIRED * question.board.size**2))
    if question.board.size == 1:
        yield quick
        return
    if question.stepwise:
        yield "reasons", partial(_reasons, cases=0), 0.1, np.inf
        yield from STEPS
        return
    large, sparse = question.board.size >= LARGE, _is_sparse(question)
    if reasons_first or (large and (sparse or _is_thin(question))):
        # of large ones none are told apart, so that the same engine is not asked twice
        yield "reasons", with_cases if large else partial(_reasons, cases=0), 1, np.inf
    if large and question.symmetry is None and not question.one_way:
        longest = SPARSE_CELL * question.board.size if sparse else np.inf
        yield "local", partial(_local, tries=1), 0.8, longest
    else:
        yield quick
    for most in ROUNDS:
        for name, asked, share in SPARSE_ROUND if sparse else ROUND:
            yield name, asked, share, most * max(1, question.board.size / LARGE)
    yield from LAST


def _is_thin(question: Question) -> bool:
    """Whether a side of the board is no longer than two leaps: most such boards have no tour."""
    board, leaps = question.board, question.piece.leaps or question.piece.moves
    if isinstance(board, MoveGraph):
        return bool((board.degrees < (1 if board.directed else 2)).any())
    return min(board.shape) <= 2 * max(abs(x) for leap in leaps for x in leap)


def _is_sparse(question: Question) -> bool:
    """Whether a plain graph, as a cubic one, has hardly any exchange by which cycles could be joined."""
    return isinstance(question.board, MoveGraph) and question.as_cycle.edge_count < 2 * question.as_cycle.size
