"""The portfolio: engines take turns on a question, see `ask.policy`, and the first answer counts.

An engine takes the question and a budget of work, and returns plain data: the cells of a tour, a proof, or
why it has neither. `ask.judging` checks that data before it becomes a verdict. The time limit and the memory
limit end the whole search, which is then undecided.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from typing import Literal, Unpack

from cavalcade.answers.certificate import Certificate, SatProof
from cavalcade.answers.verdict import Effort, Fewest, Found, Undecided, Verdict
from cavalcade.ask.engines import NAMES, EngineName, features, function_of, row_for
from cavalcade.ask.judging import certified, judged
from cavalcade.ask.policy import Turn, turns
from cavalcade.find.numbered import UNPROVED
from cavalcade.ground.budget import Budget, because, limits, report
from cavalcade.ground.errors import CavalcadeError, TooLargeError, seconds_of, whole
from cavalcade.question.graph import BoardLike
from cavalcade.question.question import Question
from cavalcade.question.statement import AtMost, Minimized
from cavalcade.question.words import QuestionWords, validated

TurnCallback = Callable[[Effort], object]  # called after every run of an engine

LOGGER = logging.getLogger("cavalcade")  # quiet unless a program gives it a handler
LOGGER.addHandler(logging.NullHandler())
NO_MEMORY = "there is not enough memory"  # the message of a MemoryError is empty


@validated
def tour(
    board: BoardLike | Question,
    *,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
    engine: EngineName | None = None,
    construct: bool = False,
    style: Literal["plain", "random"] = "plain",
    fewest: Minimized | None = None,
    progress: TurnCallback | None = None,
    **words: Unpack[QuestionWords],
) -> Verdict:
    """Find a tour of a board, or prove that there is none; check the answer.

    Args:
        board: a board, its spec, a move graph (without a piece), or a complete `Question`.
        seed: seed of the random choices.
        time_limit: seconds, by default ten, with `fewest` sixty. The clock stops while kernels are compiled,
            which happens once per machine.
        memory: limit in bytes or as text such as "4G"; by default all memory of the machine.
        engine: use only this engine, one of `ask.engines.NAMES`.
        construct: the same as `engine="template"`; see `cavalcade.construct` for tours that do not fit into
            memory.
        style: style of a tour by template: `plain` or `random`.
        fewest: `turns`, `crossings`, `acute angles`, `right angles` or `obtuse angles`: find a tour with the
            fewest within the time limit, and prove a lower bound; `verdict.fewest` has both numbers.
        progress: called after every run of an engine with its `Effort`: `engine`, `outcome`, `seconds`.
        words: constraints of the tour, see `Question.of`.

    Raises:
        CavalcadeError: an invalid spec, name or number, ends that contradict each other, or an unknown
            engine. If the board does not fit into memory, the verdict is `Undecided`.

    Time: milliseconds for boards of a thousand cells, about a second for a million; see `refute.fewest`.

    Examples:
        >>> verdict = tour("8x8", open=True, start="a1")
        >>> verdict.status, verdict.tour.names[0]
        ('found', 'a1')
    """
    whole(seed, "seed")
    usual = 10.0 if fewest is None else 60.0
    with limits(usual if time_limit is None else seconds_of(time_limit), memory, progress):
        try:
            question = Question.of(board, **words)
            if fewest is None:
                name = "template" if construct else engine
                return answer(question, seed, engine=name, style=style)
            if engine is not None or construct or style != "plain":
                raise CavalcadeError(
                    f"fewest {fewest} has engines of its own: leave out engine, construct and style"
                )
            question.piece.assert_both_ways(question.board, f"the fewest {fewest}")
            return _with_fewest(question, fewest, seed)
        except (TimeoutError, TooLargeError, MemoryError) as error:
            return Undecided(str(error) or NO_MEMORY, "portfolio", seed)


@validated
def prove(
    board: BoardLike | Question,
    *,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
    engine: EngineName | None = None,
    progress: TurnCallback | None = None,
    **words: Unpack[QuestionWords],
) -> Verdict:
    """Prove that a board has no tour, or find a tour; check the answer.

    Engines that find proofs get the first turns.

    Args:
        board: a board, its spec, a move graph (without a piece), or a complete `Question`.
        seed: seed of the random choices.
        time_limit: seconds, by default sixty.
        memory: limit in bytes or as text such as "4G"; by default all memory of the machine.
        engine: use only this engine, as for `tour`.
        progress: called after every run of an engine, as for `tour`.
        words: constraints of the tours, see `Question.of`.

    Raises:
        CavalcadeError: as `tour`.

    Time: milliseconds if the moves, the colours or a tight set decide, as on 4 x n of any size.

    Examples:
        >>> verdict = prove("4x4")
        >>> verdict.status, verdict.certificate.reason
        ('impossible', 'cut')
    """
    whole(seed, "seed")
    with limits(60.0 if time_limit is None else seconds_of(time_limit), memory, progress):
        try:
            question = Question.of(board, **words)
            return answer(question, seed, engine=engine, proof=True)
        except (TimeoutError, TooLargeError, MemoryError) as error:
            return Undecided(str(error) or NO_MEMORY, "portfolio", seed)


def answer(
    question: Question,
    seed: int,
    *,
    engine: str | None = None,
    budget: Budget | None = None,
    style: str = "plain",
    proof: bool = False,
) -> Verdict:
    """Give the engines their turns until one of them answers, within the limits of the caller.

    Every turn is reported, see `ground.budget.report`.

    Args:
        question: the question.
        seed: seed of the random choices.
        engine: name of the only engine to use.
        budget: work of all engines together; unlimited by default.
        style: style of a tour by template.
        proof: whether a proof is expected rather than a tour.

    Raises:
        CavalcadeError: an unknown engine.
    """
    if engine is not None and engine not in NAMES:
        raise CavalcadeError(f"unknown engine {engine!r}, expected one of {', '.join(NAMES)}")
    began = time.perf_counter()
    if question.is_small and (cells := question.small_tour) is not None:
        verdict = judged(question, cells, "question", seed)
        return replace(verdict, seconds=time.perf_counter() - began)
    whole_budget = budget or Budget()
    started: dict[str, tuple[Budget, Iterator[Verdict]]] = {}
    ended: set[str] = set()
    effort: list[Effort] = []
    out_of_time = False
    for turn in _turns(question, engine, ended, proof=proof):
        since = time.perf_counter()
        if turn.engine not in started:
            options = {"style": style} if turn.engine == "template" else {}
            part = whole_budget.part(0)
            started[turn.engine] = part, _verdicts(question, turn.engine, part, seed, options)
        part, verdicts = started[turn.engine]
        part.refill(turn.work)
        try:
            verdict = next(verdicts)
        except (TimeoutError, MemoryError) as error:
            out_of_time = True
            verdict = Undecided(str(error) or NO_MEMORY, turn.engine, seed)
        if not part.over:
            ended.add(turn.engine)
        outcome = verdict.reason if isinstance(verdict, Undecided) else verdict.status
        effort.append(Effort(turn.engine, outcome, time.perf_counter() - since))
        LOGGER.debug("%s, %.3f s: %s", turn.engine, effort[-1].seconds, outcome)
        report(effort[-1])
        # No engine proves that no tour has both the steps and a symmetry or a direction.
        unprovable = outcome == UNPROVED and (question.symmetry is not None or question.one_way)
        if not isinstance(verdict, Undecided) or out_of_time or whole_budget.over or unprovable:
            break
    if isinstance(verdict, Undecided):
        verdict = _explained(question, verdict, effort, out_of_time=out_of_time)
    LOGGER.info("%s: %s, by %s, seed %s", verdict.status, question.board.title, verdict.method, seed)
    return replace(verdict, effort=tuple(effort), seconds=time.perf_counter() - began)


def reporting(engine: str, work: float = math.inf) -> Budget:
    """A budget whose spending is reported as turns of an engine that works outside a portfolio."""
    began = time.perf_counter()

    def on_spend(spent: float) -> None:
        report(Effort(engine, f"{spent:,.0f} steps of work", time.perf_counter() - began))

    return Budget(work, on_spend=on_spend)


def _turns(question: Question, engine: str | None, ended: set[str], *, proof: bool) -> Iterator[Turn]:
    """Return the turns of the engines, or of the named one; small boards with no tour only need a reason."""
    if question.is_small:
        return iter([Turn("reasons")])
    return turns(question, ended, proof=proof) if engine is None else iter([Turn(engine)])


def _verdicts(
    question: Question, engine: str, budget: Budget, seed: int, options: dict[str, str]
) -> Iterator[Verdict]:
    """Yield one verdict per turn of an engine: a generator resumes, a function starts again.

    Raises:
        TimeoutError: the time limit is reached.
    """
    row = row_for(engine, question)
    if row is None:
        yield Undecided(f"no cells are given at steps, as {engine} needs", engine, seed)
        return
    by_luck = not features(question).issubset(row.supports)
    while True:
        try:
            answers = function_of(row)(question, budget, seed=seed, **options)
            for given in answers if isinstance(answers, Generator) else (answers,):
                yield judged(question, given, engine, seed, by_luck=by_luck)
        except (ImportError, TooLargeError) as error:
            yield Undecided(str(error), engine, seed)


def _explained(
    question: Question, verdict: Undecided, effort: list[Effort], *, out_of_time: bool
) -> Undecided:
    """The verdict on a question that no engine answered, with what `join` or the first engine reported."""
    if len(effort) == 1 or verdict.reason == UNPROVED:
        return replace(verdict, reason=because(verdict.reason))
    turn = next((turn for turn in effort if turn.engine == "join"), effort[0])
    article = "a" if question.closed else "an"
    within = " within the limits" if out_of_time else ""
    reason = f"neither {article} {question.kind} tour nor a proof that there is none{within}: {turn.outcome}"
    return Undecided(because(reason), "portfolio", verdict.seed)


def _with_fewest(question: Question, what: str, seed: int) -> Verdict:
    """Find a tour with few turns or other events, and a lower bound on their number."""
    from cavalcade.checking.events import count, must_turn, why_uncounted
    from cavalcade.checking.verification import bounded_below
    from cavalcade.refute.fewest import fewer

    began = time.perf_counter()
    wrong = "cells at given steps are not supported" if question.steps else ""
    wrong = "an order of cells is not supported" if question.through else wrong
    if wrong := wrong or why_uncounted(question, AtMost(what, 0)):
        raise CavalcadeError(f"fewest {what}: {wrong}")
    verdict = answer(question, seed, engine="lines")
    verdict = answer(question, seed) if isinstance(verdict, Undecided) else verdict
    if not isinstance(verdict, Found) or len(verdict.tour) == 1:
        return verdict
    since = time.perf_counter()
    first = count(verdict.tour, what)
    least = must_turn(question) if what == "turns" else 0
    certificate: Certificate | None = None

    def check(proof: SatProof) -> None:
        """Check the proof of a bound while time is left: a bound that nothing has checked is not shown."""
        nonlocal certificate
        certificate = certified(question, proof, "sat")[0]

    best = fewer(question, what, verdict.tour.cells, first, Budget(), at_least=least, seed=seed, check=check)
    if best.events < first:
        improved = judged(question, best.cells, "sat", seed)
        if not isinstance(improved, Found) or count(improved.tour, what) != best.events:
            raise AssertionError(f"the engine sat is wrong: its tour does not have {best.events} {what}")
        verdict = replace(verdict, tour=improved.tour, method="sat")
    events = count(verdict.tour, what)
    verification = bounded_below(question, what, events, best.at_least, certificate)
    fewest = Fewest(what, events, best.at_least, certificate, verification)
    effort = [*verdict.effort, Effort("fewest", str(fewest), time.perf_counter() - since)]
    return replace(verdict, seconds=time.perf_counter() - began, effort=tuple(effort), fewest=fewest)
