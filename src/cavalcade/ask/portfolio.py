"""The portfolio: engines are asked one after the other, see `schedule`, and the first answer counts.

`prove` asks for reasons before any search, without any cases; so does `tour` on large thin boards, where the
search would take longer. An engine gets the question and a budget, and gives plain data: the cells of a tour,
a proof, or why it has neither. `judging` checks that before it becomes a verdict.

Which answer comes out is decided by counted work: the same question with the same seed has the same answer
on any machine. The clock ends the whole, which is then undecided; so does the memory.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Unpack

from cavalcade.answers.verdict import Effort, Fewest, Found, Undecided, Verdict
from cavalcade.ask.engines import asked_of, function_of, row_for
from cavalcade.ask.judging import certified, judged
from cavalcade.ask.schedule import Turn, schedule
from cavalcade.find.numbered import UNPROVED
from cavalcade.ground.budget import Budget, limits
from cavalcade.ground.errors import CavalcadeError, TooLargeError, seconds_of, whole
from cavalcade.question.graph import BoardLike
from cavalcade.question.question import Question
from cavalcade.question.statement import AtMost
from cavalcade.question.words import QuestionWords, validated

NO_ROOM = "there is not enough memory"  # what the system's own refusal does not say


@validated
def tour(
    board: BoardLike | Question,
    *,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
    engine: str | None = None,
    construct: bool = False,
    style: str = "plain",
    fewest: str | None = None,
    **words: Unpack[QuestionWords],
) -> Verdict:
    """A checked tour of a board, or a checked proof that there is none.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Question`.
        seed: of the random choices.
        time_limit: seconds, by default ten, with `fewest` sixty. What is compiled once on a machine takes
            nothing from them.
        memory: bytes, or text such as "4G"; by default what the machine has.
        engine: ask this engine alone, one of `ask.engines.NAMES`.
        construct: the same as `engine="template"`; see `cavalcade.construct` for tours that are too large to
            be held.
        style: of a tour by template: `plain` or `random`.
        fewest: `turns`, `crossings`, `acute angles`, `right angles` or `obtuse angles`: a tour with as few
            as can be found in the time, and a proof how few there can be; `verdict.fewest` says both.
        words: what is asked of the tour, see `Question.of`.

    Raises:
        CavalcadeError: an invalid spec, name or number, ends that contradict each other, an unknown
            engine. A board too large for the memory is undecided.

    Time: milliseconds for boards of a thousand cells, about a second for a million; see `refute.fewest`.

    Examples:
        >>> verdict = tour("8x8", open=True, start="a1")
        >>> verdict.status, verdict.tour.names[0]
        ('found', 'a1')
    """
    whole(seed, "seed")
    usual = 10.0 if fewest is None else 60.0
    with limits(usual if time_limit is None else seconds_of(time_limit), memory):
        try:
            question = Question.of(board, **words)
            if fewest is None:
                return answer(question, seed, engine="template" if construct else engine, style=style)
            if engine is not None or construct or style != "plain":
                raise CavalcadeError(
                    f"fewest {fewest} has engines of its own: leave out engine, construct and style"
                )
            return _with_fewest(question, fewest, seed)
        except (TimeoutError, TooLargeError, MemoryError) as error:
            return Undecided(str(error) or NO_ROOM, "portfolio", seed)


@validated
def prove(
    board: BoardLike | Question,
    *,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
    engine: str | None = None,
    **words: Unpack[QuestionWords],
) -> Verdict:
    """A checked proof that a board has no tour, or the checked tour that it has after all.

    A reason why there is no tour is looked for first.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Question`.
        seed: of the random choices.
        time_limit: seconds, by default sixty.
        memory: bytes, or text such as "4G"; by default what the machine has.
        engine: ask this engine alone, as for `tour`.
        words: what is asked of the tours, see `Question.of`.

    Raises:
        CavalcadeError: as `tour`.

    Time: milliseconds where the moves, the colours or a tight set decide, as on 4 x n, at any size.

    Examples:
        >>> verdict = prove("4x4")
        >>> verdict.status, verdict.certificate.reason
        ('impossible', 'cut')
    """
    whole(seed, "seed")
    with limits(60.0 if time_limit is None else seconds_of(time_limit), memory):
        try:
            question = Question.of(board, **words)
            return answer(question, seed, engine=engine, reasons_first=True)
        except (TimeoutError, TooLargeError, MemoryError) as error:
            return Undecided(str(error) or NO_ROOM, "portfolio", seed)


def answer(
    question: Question,
    seed: int,
    *,
    engine: str | None = None,
    budget: Budget | None = None,
    style: str = "plain",
    reasons_first: bool = False,
) -> Verdict:
    """Ask one engine after the other, within the limits around.

    Args:
        question: the question.
        seed: of the random choices.
        engine: ask this engine alone.
        budget: of all engines together; by default without end.
        style: of a tour by template.
        reasons_first: look for a reason before any search.
    """
    began = time.perf_counter()
    whole_budget = Budget() if budget is None else budget
    ended: set[tuple[object, ...]] = set()
    effort: list[Effort] = []
    failed: Undecided | None = None
    late = False
    under_way: dict[tuple[object, ...], tuple[Budget, Iterator[Verdict]]] = {}
    for turn in schedule(question, engine, ended, style=style, reasons_first=reasons_first):
        since = time.perf_counter()
        if turn.what not in under_way:
            part = whole_budget.part(0)
            under_way[turn.what] = part, _answers(question, turn, part, seed)
        part, answers = under_way[turn.what]
        part.refill(turn.work)
        verdict: Verdict
        try:
            verdict = next(answers)
        except (TimeoutError, MemoryError) as error:
            late = True
            verdict = Undecided(str(error) or NO_ROOM, turn.name, seed)
        if not part.over:
            ended.add(turn.what)
        outcome = verdict.reason if isinstance(verdict, Undecided) else verdict.status
        effort.append(Effort(turn.name, outcome, time.perf_counter() - since))
        if not isinstance(verdict, Undecided):
            return replace(verdict, effort=tuple(effort), seconds=time.perf_counter() - began)
        failed = verdict if failed is None or (turn.name == "join" and not late) else failed
        unproved = verdict.reason == UNPROVED and (question.symmetry or question.one_way)
        if late or unproved or whole_budget.over:
            failed = verdict if unproved else failed
            break
    if failed is None:
        raise AssertionError("no engine was asked")
    if len(effort) > 1 and failed.reason != UNPROVED:
        within = " within the limits" if late else ""
        kind = "a closed tour" if question.closed else "an open tour"
        reason = f"neither {kind} nor a proof that there is none{within}: {failed.reason}"
        failed = Undecided(reason, "portfolio", seed)
    return replace(failed, seconds=time.perf_counter() - began, effort=tuple(effort))


def first_engine(question: Question, engine: str | None = None) -> str:
    """Return the name of the engine that gets the first turn; no graph is built for it."""
    return next(schedule(question, engine, set())).name


def _answers(question: Question, turn: Turn, budget: Budget, seed: int) -> Iterator[Verdict]:
    """What an engine answers, one turn after the other: a generator goes on where it was, others begin anew.

    Raises:
        TimeoutError: the clock has ended the whole.
    """
    row = row_for(turn.name, question)
    if row is None:
        yield Undecided(f"no cells are given at steps, as {turn.name} needs", turn.name, seed)
        return
    by_luck = not asked_of(question).issubset(row.knows)
    while True:
        try:
            found = function_of(row)(question, budget, seed=seed, **dict(turn.options))
            for one in found if isinstance(found, Generator) else (found,):
                yield judged(question, one, turn.name, seed, by_luck=by_luck)
        except (ImportError, TooLargeError) as error:
            yield Undecided(str(error), turn.name, seed)


def _with_fewest(question: Question, what: str, seed: int) -> Verdict:
    """A tour with few turns or the like, and how few there can be."""
    from cavalcade.checking.events import count, must_turn, why_uncounted
    from cavalcade.refute.fewest import fewer

    began = time.perf_counter()
    wrong = "no cells at steps are known to it" if question.steps else ""
    if wrong := wrong or why_uncounted(question, AtMost(what, 0)):
        raise CavalcadeError(f"fewest {what}: {wrong}")
    verdict = answer(question, seed, engine="lines")
    verdict = answer(question, seed) if isinstance(verdict, Undecided) else verdict
    if not isinstance(verdict, Found) or len(verdict.tour) == 1:
        return verdict
    since = time.perf_counter()
    first = count(verdict.tour, what)
    least = must_turn(question) if what == "turns" else 0
    best = fewer(question, what, verdict.tour.cells, first, Budget(), at_least=least, seed=seed)
    certificate = None if best.proof is None else certified(question, best.proof, "sat")[0]
    if best.events < first:
        improved = judged(question, best.cells, "sat", seed)
        if not isinstance(improved, Found) or count(improved.tour, what) != best.events:
            raise AssertionError(f"the engine sat is wrong: its tour does not have {best.events} {what}")
        verdict = replace(verdict, tour=improved.tour, method="sat")
    found = Fewest(what, best.events, best.at_least, certificate)
    effort = [*verdict.effort, Effort("fewest", str(found), time.perf_counter() - since)]
    return replace(verdict, seconds=time.perf_counter() - began, effort=tuple(effort), fewest=found)
