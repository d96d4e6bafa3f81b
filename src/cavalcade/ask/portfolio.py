"""The portfolio: engines are asked one after the other, see `schedule`, and the first answer counts.

`prove` asks for reasons before any search, without any cases; so does `tour` on large thin boards, where the
search would take longer. An engine gets the question and gives plain data: the cells of a tour, a proof, or
why it has neither. What it gives is checked here before it becomes a verdict: a tour by `checking.tours`, a
proof by `checking.certificates`.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from cavalcade.answers.certificate import AtMost, Certificate, PositionProof, SatProof, StepProof
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Effort, Fewest, Found, Impossible, Undecided, Verdict
from cavalcade.ask.schedule import EXHAUSTIVE, UNPROVED, EngineTask, lines, schedule
from cavalcade.checking.constraints import unmet
from cavalcade.checking.geometry import is_flat
from cavalcade.checking.tours import check
from cavalcade.ground.budget import limits
from cavalcade.ground.errors import CavalcadeError, FormatError, seconds_of, whole
from cavalcade.ground.kernels import seconds_compiling
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.answers.certificate import Proof
    from cavalcade.ask.schedule import Answer, Engine, Turn
    from cavalcade.checking.tours import Checked
    from cavalcade.question.constraints import Constraints
    from cavalcade.question.graph import BoardLike
    from cavalcade.question.pieces import PieceLike

SWEPT = 2_000_000  # cells from which the check of arrays is faster, its kernels included
GRACE = 0.1  # seconds, and a tenth of the limit, that what has begun may take to end
LOOK = 2e-7  # seconds a cell to look at a board at all: no engine begins with less
CHECKED = 1.2e-6  # seconds for each edge to check a proof by a few steps, and to put it in words
REPLAYED = 3e-5  # seconds for each edge to state the formula of a SAT proof, to trim it and to check it
REPLAYED_LETTER = 1e-7  # and for each letter of such a proof


def tour(
    board: BoardLike | Question,
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
        board: a board, its spec, a move graph (without a piece), or a whole `Question`.
        piece: a piece or its spec; by default the knight.
        open: find an open tour, which need not close.
        start: the first cell, by name or number.
        end: the last cell of an open tour.
        seed: of the random choices.
        time_limit: seconds, by default ten, with `fewest` sixty. Time to build the graph, or the tour by
            template, and to load compiled code for the first time may come on top.
        engine: ask this engine alone: `template`, `join`, `local`, `reasons` or `sat`.
        construct: the same as `engine="template"`; see `cavalcade.construct` for tours that are too large to
            be held.
        style: of a tour by template: `plain` or `random`.
        fewest: `turns` or `crossings`: a tour with as few as can be found in the time, and a proof how few
            there can be; `verdict.fewest` says both.
        constraints: what else is asked of the tour, see `cavalcade.question.constraints`.

    Raises:
        CavalcadeError: an invalid spec, name or number, ends that contradict each other, an unknown
            engine, a board too large for this machine.

    Time: milliseconds for boards of a thousand cells, about a second for a million; see `refute.fewest`.
    """
    question = Question.of(board, piece=piece, open=open, start=start, end=end, **constraints)
    usual = 10.0 if fewest is None else 60.0
    limit = usual if time_limit is None else seconds_of(time_limit)
    request = _Request(question, whole(seed, "seed"), limit, style)
    if fewest is not None:
        if engine is not None or construct or style != "plain":
            raise CavalcadeError(
                f"fewest {fewest} has engines of its own: leave out engine, construct and style"
            )
        return request.fewest(fewest)
    return request.answer(schedule(question, "template" if construct else engine))


def prove(
    board: BoardLike | Question,
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
        board: a board, its spec, a move graph (without a piece), or a whole `Question`.
        piece: a piece or its spec; by default the knight.
        open: no open tour either.
        start: no open tour from this cell.
        end: no open tour that ends here.
        seed: of the random choices.
        time_limit: seconds, by default sixty.
        engine: ask this engine alone, as for `tour`.
        constraints: no such tour, see `cavalcade.question.constraints`.

    Raises:
        CavalcadeError: as `tour`.

    Time: milliseconds where the moves, the colours or a tight set decide, as on 4 x n, at any size.
    """
    question = Question.of(board, piece=piece, open=open, start=start, end=end, **constraints)
    limit = 60.0 if time_limit is None else seconds_of(time_limit)
    request = _Request(question, whole(seed, "seed"), limit)
    return request.answer(schedule(question, engine, reasons_first=True))


class _Request:
    """One question on its way from engine to engine."""

    def __init__(self, question: Question, seed: int, limit: float, style: str = "plain") -> None:
        self.question, self.seed, self.limit = question, seed, limit
        self.began = time.perf_counter()
        self.until = self.began + 1.1 * limit + GRACE
        self.task = EngineTask(question, seed, self.until, style)
        self.compiling = seconds_compiling()

    @property
    def seconds(self) -> float:
        """The time since the beginning."""
        return time.perf_counter() - self.began

    @property
    def compiled(self) -> float:
        """The seconds for which kernels were compiled and the limit was not extended."""
        return seconds_compiling() - self.compiling

    def extend(self, seconds: float) -> None:
        """Take no time from the limit for what is done once on a machine."""
        self.compiling += seconds
        self.limit += seconds
        self.until += seconds
        self.task = replace(self.task, until=self.until)

    def answer(self, schedule: Iterator[Turn]) -> Verdict:
        """Ask one engine after the other."""
        effort: list[Effort] = []
        failed: Undecided | None = None
        spent: set[Engine] = set()  # engines that more time would not help
        for name, engine, share, most in schedule:
            if engine in spent:
                continue
            left = self.limit - self.seconds
            if effort and left <= min(LOOK * self.question.board.size, 0.3):
                break
            began = time.perf_counter()
            seconds = max(min(share * left, most), 0)
            verdict = self.asked(name, engine, seconds)
            while isinstance(verdict, Undecided) and (compiled := self.compiled):
                self.extend(compiled)
                verdict = self.asked(name, engine, seconds)
            if name in EXHAUSTIVE and time.perf_counter() - began < 0.9 * seconds:
                spent.add(engine)
            outcome = verdict.reason if isinstance(verdict, Undecided) else verdict.status
            effort.append(Effort(name, outcome, time.perf_counter() - began))
            if not isinstance(verdict, Undecided):
                return replace(verdict, effort=tuple(effort), seconds=self.seconds)
            failed = verdict if name == "join" or failed is None else failed
            if verdict.reason == UNPROVED and (self.question.symmetry or self.question.one_way):
                return replace(verdict, seconds=self.seconds, effort=tuple(effort))
        if failed is None:
            raise AssertionError("no engine was asked")
        if len(effort) > 1:
            kind = "a closed tour" if self.question.closed else "an open tour"
            reason = f"neither {kind} nor a proof that there is none in {self.seconds:.3g} s: {failed.reason}"
            failed = Undecided(reason, "portfolio", self.seed)
        return replace(failed, seconds=self.seconds, effort=tuple(effort))

    def asked(self, name: str, engine: Engine, seconds: float) -> Verdict:
        """What an engine answers."""
        try:
            with limits(self.until - time.perf_counter()):
                return self.judged(engine(self.task, seconds), name)
        except TimeoutError as error:
            return Undecided(str(error), name, self.seed)

    def fewest(self, what: str) -> Verdict:
        """A tour with few turns or crossings, and how few there can be."""
        from cavalcade.checking.events import count, must_turn, uncountable
        from cavalcade.construction.lines import misfit
        from cavalcade.refute.fewest import fewer

        question = self.question
        wrong = "no cells at steps are known to it" if question.steps else ""
        if wrong := wrong or uncountable(question, AtMost(what, 0)):
            raise CavalcadeError(f"fewest {what}: {wrong}")
        by_lines: Turn = ("lines", lines, 1, math.inf)
        verdict = self.answer(schedule(question, None) if misfit(question) else iter([by_lines]))
        if not isinstance(verdict, Found) or len(verdict.tour) == 1:
            return verdict
        began = time.perf_counter()
        first = count(verdict.tour, what)
        least = must_turn(question) if what == "turns" else 0
        left = max(self.limit - self.seconds, 0.0)
        best = fewer(
            question, what, verdict.tour.cells, first, at_least=least, seed=self.seed, time_limit=left
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
        numbered = self.question.numbered(answer)
        cells = answer if numbered is None else numbered
        found = Tour(self.question.board, cells, self.question.closed, self.question.piece)
        if not (checked := self.checked(found)):
            raise AssertionError(f"the engine {engine} is wrong: {checked.message}")
        if not (wrong := unmet(self.question, found)):
            return Found(found, engine, self.seed)
        if self.question.stepwise or self.question.symmetry:  # of which not every engine knows
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

        seconds = self.question.as_cycle.edge_count * CHECKED
        if not isinstance(proof, StepProof):
            letters = sum(map(len, proof.drup))
            seconds = self.question.as_cycle.edge_count * REPLAYED + letters * REPLAYED_LETTER
        if seconds > GRACE and time.perf_counter() + seconds > self.until:
            return Undecided(
                f"a proof was found, but no time is left to check it: {seconds:.3g} s", engine, self.seed
            )
        certificate = self.certified(proof, engine)
        return Impossible(" ".join(sentences(certificate)), engine, self.seed, certificate=certificate)

    def certified(self, proof: Proof, engine: str) -> Certificate:
        """A proof with what it is about, checked."""
        from cavalcade.checking.certificates import verify

        question = self.question.relaxed
        rule = proof.steps[-1].rule if isinstance(proof, StepProof) else ""
        if isinstance(proof, SatProof) or rule == "symmetry":
            question = replace(question, symmetry=self.question.symmetry)
        elif isinstance(proof, PositionProof) or rule == "steps":
            question = replace(self.question, symmetry=None)
        proof = proof if isinstance(proof, StepProof) else trimmed(question, proof)
        certificate = Certificate(question, proof)
        if not (checked := verify(certificate)):
            raise AssertionError(f"the engine {engine} is wrong: {checked.message}")
        return certificate


def trimmed(question: Question, proof: SatProof | PositionProof) -> SatProof | PositionProof:
    """The part of a solver's proof that its contradiction needs; as it is if it is wrong."""
    from cavalcade.checking import drup
    from cavalcade.checking.certificates import closed_graph
    from cavalcade.checking.constraints import moves_of, vertex_map
    from cavalcade.checking.events import events_of
    from cavalcade.checking.positions import positions

    try:
        if isinstance(proof, PositionProof):
            return PositionProof(drup.trimmed(*positions(question, moves_of(question)), proof.drup)[0])
        size, edges = closed_graph(question)
        events = events_of(question, edges, proof.at_most)
        return drup.trim(size, edges, proof, image=vertex_map(question, size), events=events)
    except FormatError:
        return proof  # `verify` will name the error
