"""The portfolio: which engine is asked, in what order, and for how long.

    template   blocks with known tours: knights on boards of 5,000 cells or more without holes
    join       one quick try, or as many as fit into 20 ms, on small boards less
    reasons    forced moves, tight sets, cuts, and a few cases: a proof that people can read
    sat        SAT with cut sets, for a second: a tour, or a proof that machines can check
    join       with restarts, for a quarter of the time
    sat        again, for half of it
    cases      reasons again, with as many cases as it takes
    join       until the time is up

    lines      tours of long lines, and
    sat        with a bound on turns or crossings: only where few of them are asked for

Where cells are given at steps: reasons, every numbering of the cells for a second, join, SAT, and again.

The first answer counts. `prove` asks for reasons before any search, without any cases; so does `tour` on
large thin boards, where the search would take longer. An engine gets the problem and gives plain data: the
cells of a tour, a proof, or why it has neither. What it gives is checked here before it becomes a verdict:
a tour by `checking.tours`, a proof by `checking.certificates`.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Unpack

import numpy as np

from cavalcade.answers.certificate import AtMost, Certificate, PositionProof, SatProof, StepProof
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Effort, Fewest, Found, Impossible, Undecided, Verdict
from cavalcade.checking.constraints import unmet
from cavalcade.checking.geometry import is_flat
from cavalcade.checking.tours import check
from cavalcade.errors import CavalcadeError, FormatError, TooLargeError, seconds_of, whole
from cavalcade.find.join import join
from cavalcade.graph import MoveGraph
from cavalcade.kernels import loaded_until
from cavalcade.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from cavalcade.answers.certificate import Proof
    from cavalcade.answers.solutions import Solutions
    from cavalcade.checking.tours import Checked
    from cavalcade.constraints import Constraints
    from cavalcade.graph import Place
    from cavalcade.pieces import PieceLike

    Answer = NDArray[np.int32] | Proof | Undecided | None
    Engine = Callable[["_Request", float], Answer]  # what is asked, and the seconds that it may take

LARGE = 5_000  # cells from which a template is faster than join, its imports included
QUICK = 0.02  # seconds of the first try, and
PAIRED = 1e-5  # for each two cells at most: of a small graph without a tour a reason is found as fast
SHORT = 1.0  # seconds of the first look of the solver, which settles what is small and odd
SWEPT = 2_000_000  # cells from which the check of arrays is faster, its kernels included
POSITIONS = 200  # cells up to which steps are given to the solver: a million clauses for every hundred
GRACE = 0.1  # seconds, and a tenth of the limit, that what has begun may take to end
CHECKED = 1.2e-6  # seconds for each edge to check a proof by a few steps, and to put it in words
REPLAYED = 3e-5  # seconds for each edge to state the formula of a SAT proof, to trim it and to check it
REPLAYED_LETTER = 1e-7  # and for each letter of such a proof
CASES = 60  # the cases that a proof may distinguish before others are asked
MOST_CASES = 200_000
UNPROVED = "every tour was tried, and none fits; but there is no proof of it that can be checked"


def tour(
    board: Place | Problem,
    *,
    piece: PieceLike | None = None,
    open: bool = False,  # noqa: A002 - the field's word, and the command line's
    start: int | str | None = None,
    end: int | str | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    engine: str | None = None,
    construct: bool = False,
    style: str = "plain",
    fewest: str | None = None,
    **constraints: Unpack[Constraints],
) -> Verdict:
    """A checked tour of a board, or a checked proof that there is none.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Problem`.
        piece: a piece or its spec; by default the knight.
        open: find an open tour, which need not close.
        start: the first cell, by name or number.
        end: the last cell of an open tour.
        seed: of the random choices.
        time_limit: seconds, by default ten, with `fewest` sixty. Time to build the graph, or the tour by
            template, and to load compiled code for the first time may come on top.
        engine: ask this engine alone: `template`, `join`, `reasons` or `sat`.
        construct: the same as `engine="template"`; see `cavalcade.construct` for tours that are too large to
            be held.
        style: of a tour by template: `plain` or `random`.
        fewest: `turns` or `crossings`: a tour with as few as can be found in the time, and a proof how few
            there can be; `verdict.fewest` says both.
        constraints: what else is asked of the tour, see `cavalcade.constraints`.

    Raises:
        CavalcadeError: an invalid spec, name or number, ends that contradict each other, an unknown
            engine, a board too large for this machine.

    Time: milliseconds for boards of a thousand cells, about a second for a million; see `refute.fewest`.
    """
    problem = Problem.of(board, piece=piece, open=open, start=start, end=end, **constraints)
    usual = 10.0 if fewest is None else 60.0
    limit = usual if time_limit is None else seconds_of(time_limit)
    request = _Request(problem, whole(seed, "seed"), limit, style)
    if fewest is not None:
        if engine is not None or construct or style != "plain":
            raise CavalcadeError(
                f"fewest {fewest} has engines of its own: leave out engine, construct and style"
            )
        return request.fewest(fewest)
    return request.answer(_schedule(problem, "template" if construct else engine))


def prove(
    board: Place | Problem,
    *,
    piece: PieceLike | None = None,
    open: bool = False,  # noqa: A002 - as above
    start: int | str | None = None,
    end: int | str | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    engine: str | None = None,
    **constraints: Unpack[Constraints],
) -> Verdict:
    """A checked proof that a board has no tour, or the checked tour that it has after all.

    A reason why there is no tour is looked for first.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Problem`.
        piece: a piece or its spec; by default the knight.
        open: no open tour either.
        start: no open tour from this cell.
        end: no open tour that ends here.
        seed: of the random choices.
        time_limit: seconds, by default sixty.
        engine: ask this engine alone, as for `tour`.
        constraints: no such tour, see `cavalcade.constraints`.

    Raises:
        CavalcadeError: as `tour`.

    Time: milliseconds where the moves, the colours or a tight set decide, as on 4 x n, at any size.
    """
    problem = Problem.of(board, piece=piece, open=open, start=start, end=end, **constraints)
    limit = 60.0 if time_limit is None else seconds_of(time_limit)
    request = _Request(problem, whole(seed, "seed"), limit)
    return request.answer(_schedule(problem, engine, reasons_first=True))


# ---- the engines


def _template(asked: _Request, seconds: float) -> Answer:
    """Build the tour of blocks."""
    del seconds
    from cavalcade.construction.plan import template

    return template(asked.problem, style=asked.style, seed=asked.seed)


def _lines(asked: _Request, seconds: float) -> Answer:
    """Build the tour of long lines."""
    del seconds
    from cavalcade.construction.lines import lines

    return lines(asked.problem)


def _join(asked: _Request, seconds: float) -> Answer:
    """Join the cycles of a cover."""
    problem = asked.problem
    if problem.symmetry is not None:
        from cavalcade.find.kept import join_kept

        return join_kept(problem, seed=asked.seed, time_limit=seconds, until=asked.until)
    if problem.stepwise and not problem.one_way:
        from cavalcade.find.stepwise import join_steps

        return join_steps(problem, seed=asked.seed, time_limit=seconds, until=asked.until)
    if problem.one_way:
        from cavalcade.find.directed import directed

        return directed(problem, seed=asked.seed, time_limit=seconds, until=asked.until)
    return join(problem, seed=asked.seed, time_limit=seconds, until=asked.until)


def _reasons(asked: _Request, seconds: float, *, cases: int = MOST_CASES) -> Answer:
    """Look for a reason."""
    from cavalcade.refute.reasons import reasons

    return reasons(asked.problem, cases=cases, time_limit=seconds, seed=asked.seed, until=asked.until)


def _sat(asked: _Request, seconds: float) -> Answer:
    """Ask a SAT solver, if there is one."""
    try:
        from cavalcade.refute.positions import positions
        from cavalcade.refute.sat import sat
    except ImportError as error:
        return Undecided(str(error), "sat")
    problem = asked.problem
    if not problem.stepwise or problem.one_way or problem.symmetry or problem.board.size > POSITIONS:
        return sat(problem, seed=asked.seed, time_limit=seconds)
    found = positions(
        problem.allowed, problem.given, closed=problem.closed, most=1, time_limit=seconds, seed=asked.seed,
        required=problem.required,
    )  # fmt: skip
    if len(found.tours):
        return _first(found)
    if found.complete:
        return PositionProof(found.proof)
    return Undecided(f"SAT found no answer in {seconds:.3g} s", "sat", asked.seed)


def _first(found: Solutions) -> NDArray[np.int32]:
    """The cells of the first of several."""
    cells: NDArray[np.int32] = found.tours[0]
    return cells


def _numbered(asked: _Request, seconds: float) -> Answer:
    """Give the cells their steps, every way there is."""
    problem = asked.problem
    if not problem.stepwise:
        return Undecided("no cells are given at steps", "numbered", asked.seed)
    if not problem.one_way and problem.symmetry is None:
        from cavalcade.find.numbered import numbered

        try:
            found = numbered(
                problem.allowed, problem.given, closed=problem.closed, most=1, time_limit=seconds,
                seed=asked.seed, required=problem.required,
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
        for tour in list_tours(replace(problem, start=None if problem.closed else problem.start, steps=())):
            if problem.numbered(tour.cells) is not None:
                return tour.cells
            if time.perf_counter() > until:
                complete = False
                break
    return Undecided(UNPROVED if complete else f"none was found in {seconds:.3g} s", "numbered", asked.seed)


ENGINES: dict[str, Engine] = {
    "template": _template, "join": _join, "reasons": _reasons, "sat": _sat, "numbered": _numbered,
}  # fmt: skip

# ---- which engine is asked when

Turn = tuple[str, "Engine", float, float]  # a name, the engine, a share of the time left, the most seconds

SCHEDULE: tuple[Turn, ...] = (
    ("reasons", partial(_reasons, cases=CASES), 0.2, np.inf),
    ("sat", _sat, 1, SHORT),
    ("join", _join, 0.25, np.inf),
    ("sat", _sat, 0.5, np.inf),
    ("cases", _reasons, 0.5, np.inf),
    ("join", _join, 1, np.inf),
)


STEPS: tuple[Turn, ...] = (
    ("numbered", _numbered, 1, SHORT),
    ("join", _join, 1, 0.3),
    ("sat", _sat, 0.4, np.inf),
    ("numbered", _numbered, 0.7, np.inf),
    ("join", _join, 1, np.inf),
)


def _schedule(problem: Problem, engine: str | None, *, reasons_first: bool = False) -> Iterator[Turn]:
    """The engines in turn; or one engine alone."""
    if engine is not None:
        if engine not in ENGINES:
            raise CavalcadeError(f"unknown engine {engine!r}, expected one of {', '.join(ENGINES)}")
        yield engine, ENGINES[engine], 1, np.inf
        return
    if problem.board.size >= LARGE:
        from cavalcade.construction.plan import misfit

        if not misfit(problem):
            yield "template", _template, 1, np.inf
    quick: Turn = ("join", _join, 1, min(QUICK, PAIRED * problem.board.size**2))
    if problem.board.size == 1:
        yield quick
        return
    if problem.stepwise:
        yield "reasons", partial(_reasons, cases=0), 0.1, np.inf
        yield from STEPS
        return
    if reasons_first or (problem.board.size >= LARGE and _is_thin(problem)):
        yield "reasons", partial(_reasons, cases=0), 1, np.inf
    yield quick
    yield from SCHEDULE


def _is_thin(problem: Problem) -> bool:
    """Whether a side of the board is no longer than two leaps: most such boards have no tour."""
    board, leaps = problem.board, problem.piece.leaps or problem.piece.moves
    if isinstance(board, MoveGraph):
        return bool((board.degrees < (1 if board.directed else 2)).any())
    return min(board.shape) <= 2 * max(abs(x) for leap in leaps for x in leap)


class _Request:
    """One problem on its way from engine to engine."""

    def __init__(self, problem: Problem, seed: int, limit: float, style: str = "plain") -> None:
        self.problem, self.seed, self.limit, self.style = problem, seed, limit, style
        self.began = time.perf_counter()
        self.until = self.began + 1.1 * limit + GRACE

    @property
    def seconds(self) -> float:
        """The time since the beginning."""
        return time.perf_counter() - self.began

    def answer(self, schedule: Iterator[Turn]) -> Verdict:
        """Ask one engine after the other."""
        effort: list[Effort] = []
        failed: Undecided | None = None
        for name, engine, share, most in schedule:
            left = self.limit - self.seconds
            if effort and left <= 0:
                break
            began = time.perf_counter()
            verdict = self.asked(name, engine, max(min(share * left, most), 0))
            outcome = verdict.reason if isinstance(verdict, Undecided) else verdict.status
            effort.append(Effort(name, outcome, time.perf_counter() - began))
            if not isinstance(verdict, Undecided):
                return replace(verdict, effort=tuple(effort), seconds=self.seconds)
            failed = verdict if name == "join" or failed is None else failed
            if verdict.reason == UNPROVED and (self.problem.symmetry or self.problem.one_way):
                return replace(verdict, seconds=self.seconds, effort=tuple(effort))
        if failed is None:
            raise AssertionError("no engine was asked")
        if len(effort) > 1:
            kind = "a closed tour" if self.problem.closed else "an open tour"
            reason = f"neither {kind} nor a proof that there is none in {self.seconds:.3g} s: {failed.reason}"
            failed = Undecided(reason, "portfolio", self.seed)
        return replace(failed, seconds=self.seconds, effort=tuple(effort))

    def asked(self, name: str, engine: Engine, seconds: float) -> Verdict:
        """What an engine answers."""
        try:
            with loaded_until(self.until):
                return self.judged(engine(self, seconds), name)
        except TimeoutError as error:
            return Undecided(str(error), name, self.seed)

    def fewest(self, what: str) -> Verdict:
        """A tour with few turns or crossings, and how few there can be."""
        from cavalcade.checking.events import count, must_turn, uncountable
        from cavalcade.construction.lines import misfit
        from cavalcade.refute.fewest import fewer

        problem = self.problem
        wrong = "no cells at steps are known to it" if problem.steps else ""
        if wrong := wrong or uncountable(problem, AtMost(what, 0)):
            raise CavalcadeError(f"fewest {what}: {wrong}")
        lines: Turn = ("lines", _lines, 1, np.inf)
        verdict = self.answer(_schedule(problem, None) if misfit(problem) else iter([lines]))
        if not isinstance(verdict, Found) or len(verdict.tour) == 1:
            return verdict
        began = time.perf_counter()
        first = count(verdict.tour, what)
        least = must_turn(problem) if what == "turns" else 0
        left = max(self.limit - self.seconds, 0.0)
        best = fewer(
            problem, what, verdict.tour.cells, first, at_least=least, seed=self.seed, time_limit=left
        )
        certificate = None if best.proof is None else self.certified(best.proof, "sat")
        if best.events < first:
            improved = self.judged(best.cells, "sat")
            if not isinstance(improved, Found) or count(improved.tour, what) != best.events:
                raise AssertionError(f"the engine sat is wrong: its tour does not have {best.events} {what}")
            verdict = replace(verdict, tour=improved.tour, method="sat")
        found = Fewest(what, best.events, best.at_least, certificate)
        effort = [*verdict.effort, Effort("fewest", str(found), time.perf_counter() - began)]
        return replace(verdict, seconds=self.seconds, effort=tuple(effort), fewest=found)

    def judged(self, answer: Answer, engine: str) -> Verdict:
        """An answer as a verdict on the board, checked."""
        if answer is None:
            return Undecided("no proof", engine, self.seed)
        if isinstance(answer, StepProof | SatProof | PositionProof):
            return self.refuted(answer, engine)
        if isinstance(answer, Undecided):
            return answer
        numbered = self.problem.numbered(answer)
        cells = answer if numbered is None else numbered
        found = Tour(self.problem.board, cells, self.problem.closed, self.problem.piece)
        if not (checked := self.checked(found)):
            raise AssertionError(f"the engine {engine} is wrong: {checked.message}")
        if not (wrong := unmet(self.problem, found)):
            return Found(found, engine, self.seed)
        if self.problem.stepwise or self.problem.symmetry:  # of which not every engine knows
            return Undecided(f"a tour, but {wrong}", engine, self.seed)
        raise AssertionError(f"the engine {engine} is wrong: {wrong}")

    def checked(self, found: Tour) -> Checked:
        """What the checker says; of large boards the one that takes less memory."""
        board = found.board
        if board.size < SWEPT or isinstance(board, MoveGraph) or not is_flat(board):
            return check(found)
        from cavalcade.checking.arrays import check_array

        checked = check_array(found.numbering, board, piece=found.piece)
        if checked and found.closed and not checked.message.startswith("a closed tour"):
            return replace(checked, ok=False)
        return checked

    def refuted(self, proof: Proof, engine: str) -> Impossible | Undecided:
        """A proof as a verdict, if there is time to check it."""
        from cavalcade.checking.sentences import sentences

        seconds = self.problem.as_cycle.edge_count * CHECKED
        if not isinstance(proof, StepProof):
            letters = sum(map(len, proof.drup))
            seconds = self.problem.as_cycle.edge_count * REPLAYED + letters * REPLAYED_LETTER
        if seconds > GRACE and time.perf_counter() + seconds > self.until:
            return Undecided(
                f"a proof was found, but no time is left to check it: {seconds:.3g} s", engine, self.seed
            )
        certificate = self.certified(proof, engine)
        return Impossible(" ".join(sentences(certificate)), engine, self.seed, certificate=certificate)

    def certified(self, proof: Proof, engine: str) -> Certificate:
        """A proof with what it is about, checked."""
        from cavalcade.checking.certificates import verify

        problem = self.problem.relaxed
        rule = proof.steps[-1].rule if isinstance(proof, StepProof) else ""
        if isinstance(proof, SatProof) or rule == "symmetry":
            problem = replace(problem, symmetry=self.problem.symmetry)
        elif isinstance(proof, PositionProof) or rule == "steps":
            problem = replace(self.problem, symmetry=None)
        proof = proof if isinstance(proof, StepProof) else trimmed(problem, proof)
        certificate = Certificate(problem, proof)
        if not (checked := verify(certificate)):
            raise AssertionError(f"the engine {engine} is wrong: {checked.message}")
        return certificate


def trimmed(problem: Problem, proof: SatProof | PositionProof) -> SatProof | PositionProof:
    """The part of a solver's proof that its contradiction needs; as it is if it is wrong."""
    from cavalcade.checking import drup
    from cavalcade.checking.certificates import closed_graph
    from cavalcade.checking.constraints import moves_of, vertex_map
    from cavalcade.checking.events import events_of
    from cavalcade.checking.positions import positions

    try:
        if isinstance(proof, PositionProof):
            return PositionProof(drup.trimmed(*positions(problem, moves_of(problem)), proof.drup)[0])
        size, edges = closed_graph(problem)
        events = events_of(problem, edges, proof.at_most)
        return drup.trim(size, edges, proof, image=vertex_map(problem, size), events=events)
    except FormatError:
        return proof  # `verify` will name the error
