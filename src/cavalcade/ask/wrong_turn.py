"""The wrong turn of a walk: the first step after which no tour is possible, and the moves that save the tour.

`ask.continuation` finds the greatest number of first steps that a tour can keep. The next step of the walk is
the wrong turn. Each move that was possible at that step is one more question: is there a tour that begins
with the kept steps and this move? The moves are compared by Warnsdorff's rule: a *tie* is a step at which
several cells have the fewest onward moves, so that the rule itself does not decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible, Undecided, Verdict
from cavalcade.ask.continuation import Continuation, WalkSearch
from cavalcade.ask.portfolio import TurnCallback
from cavalcade.ground.budget import limits
from cavalcade.ground.errors import CavalcadeError, seconds_of
from cavalcade.question.words import QuestionWords, validated


@dataclass(frozen=True)
class Choice:
    """A cell to which the walk could go at the wrong turn.

    Attributes:
        cell: number of the cell.
        name: name of the cell.
        onward: number of onward moves that Warnsdorff's rule counts for the cell.
        verdict: verdict on the tours that begin with the kept steps and this cell.
    """

    cell: int
    name: str
    onward: int
    verdict: Verdict

    @property
    def saves(self) -> bool:
        """Whether a tour continues with this cell."""
        return isinstance(self.verdict, Found)


@dataclass(frozen=True)
class WrongTurn:
    """The first step of a walk after which no tour is possible.

    Attributes:
        closed: whether closed tours count, instead of open ones.
        continuation: the tour that keeps the greatest number of steps, see `continue_walk`.
        choices: the possible moves at the wrong turn, in the order of the moves of the piece; empty if the
            walk has no wrong turn, if no tour begins with its first cell, or if that is undecided.

    Examples:
        >>> turn = wrong_turn(warnsdorff("8x8", "a5").partial, open=True)
        >>> turn.step, turn.cell, turn.tied, turn.saving
        (54, 'b3', ['b3', 'f1'], ['f1'])
    """

    closed: bool
    continuation: Continuation
    choices: tuple[Choice, ...] = ()

    @property
    def walk(self) -> Tour:
        """The walk."""
        return self.continuation.walk

    @property
    def step(self) -> int | None:
        """Number of the wrong step, from 1; None if there is none, or none is known."""
        kept, verdict = self.continuation.kept, self.continuation.verdict
        if isinstance(verdict, Impossible):
            return kept
        return kept + 1 if isinstance(verdict, Found) and kept < len(self.walk) else None

    @property
    def cell(self) -> str | None:
        """Name of the cell of the wrong step."""
        return None if self.step is None else self.walk.cell_at(self.step)

    @property
    def tied(self) -> list[str]:
        """Names of the cells with the fewest onward moves: at least two if the step is a tie."""
        fewest = min((choice.onward for choice in self.choices), default=0)
        return [choice.name for choice in self.choices if choice.onward == fewest]

    @property
    def is_tie(self) -> bool:
        """Whether the walk chose its cell among several with the fewest onward moves."""
        return len(self.tied) > 1 and self.cell in self.tied

    @property
    def saving(self) -> list[str]:
        """Names of the cells that continue to a tour."""
        return [choice.name for choice in self.choices if choice.saves]

    def to_dict(self) -> dict[str, Any]:
        """Return the object that --json prints; `tour` is null for a move that is undecided."""
        if self.step is None:
            return {"step": None, "verification": self.continuation.verification, "message": str(self)}
        return {
            "step": self.step,
            "cell": self.cell,
            "proved": self.continuation.greatest or not self.choices,
            "verification": self.continuation.verification,
            "tie": self.is_tie,
            "choices": [
                {
                    "cell": choice.name,
                    "onward": choice.onward,
                    "tour": None if isinstance(choice.verdict, Undecided) else choice.saves,
                }
                for choice in self.choices
            ],
            "message": str(self),
        }

    def __str__(self) -> str:
        """Explain the wrong turn in a few sentences."""
        verdict = self.continuation.verdict
        kind = "a closed" if self.closed else "an open"
        step, cell = self.step, self.cell
        if isinstance(verdict, Undecided):
            return f"It is undecided which step was wrong: {verdict.reason}."
        if step is None or cell is None:
            return f"No step was wrong: {kind} tour begins with this walk."
        if isinstance(verdict, Impossible):
            return f"Step {step:,}, {cell}, was wrong: no {kind.split()[1]} tour begins with it."
        return " ".join(_sentences(self, step, cell, kind))


def _sentences(turn: WrongTurn, step: int, cell: str, kind: str) -> list[str]:
    """Explain a wrong turn after at least one step."""
    kept = turn.continuation.kept
    steps = "1 step" if kept == 1 else f"{kept:,} steps"
    limit = f"not {step:,}" if turn.continuation.greatest else f"and no tour with {step:,} was found"
    sentences = [f"Step {step:,}, {cell}, was the wrong turn: {kind} tour can keep {steps}, {limit}."]
    chosen = next((choice for choice in turn.choices if choice.name == cell), None)
    tied, fewest = turn.tied, min((choice.onward for choice in turn.choices), default=0)
    by_rule = chosen is not None and chosen.onward == fewest
    if chosen is None:
        sentences.append(f"The step to {cell} is not allowed.")
    elif turn.is_tie:
        sentences.append(f"It was a tie: {_listed(tied)} have {_moves(fewest)} each.")
    elif by_rule:
        sentences.append(f"It was no tie: only {cell} has as few as {_moves(fewest)}.")
    else:
        have = f"which has {_moves(fewest)}" if len(tied) == 1 else f"which have {_moves(fewest)} each"
        sentences.append(
            f"Warnsdorff's rule would choose {_listed(tied, 'or')}, {have}; {cell} has {chosen.onward}."
        )
    instead = [name for name in turn.saving if name in tied or not by_rule]
    against = [name for name in turn.saving if name not in instead]
    if instead:
        sentences.append(f"With {_listed(instead, 'or')} instead, a tour is possible.")
    if against:
        if len(against) == 1:
            leads = "A move against the rule also leads" if instead else "Only a move against the rule leads"
        else:
            leads = "Moves against the rule also lead" if instead else "Only moves against the rule lead"
        sentences.append(f"{leads} to a tour: {_listed(against)}.")
    undecided = [
        choice.name
        for choice in turn.choices
        if choice.name != cell and isinstance(choice.verdict, Undecided)
    ]
    if undecided:
        sentences.append(f"Whether a tour continues with {_listed(undecided, 'or')} is undecided.")
    return sentences


def _moves(count: int) -> str:
    """Return a number of onward moves in words."""
    return f"{count} onward move" if count == 1 else f"{count} onward moves"


def _listed(names: Sequence[str], conjunction: str = "and") -> str:
    """Return a list of names in words."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {conjunction} {names[-1]}"


@validated
def wrong_turn(
    walk: Tour,
    *,
    keep: int | None = None,
    degrees: ArrayLike | None = None,
    count_start: bool = True,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
    progress: TurnCallback | None = None,
    **words: Unpack[QuestionWords],
) -> WrongTurn:
    """Find the first step of a walk after which no tour is possible, and better moves for this step.

    Args:
        walk: a walk that got stuck or was begun by hand.
        keep: least number of steps that a tour keeps; by default one, the start.
        degrees: initial degrees by which ties are found, one per cell, as in `warnsdorff`.
        count_start: whether the start reduces the degrees of its neighbours, as in `warnsdorff`.
        seed: seed of the random choices.
        time_limit: seconds in all; by default ten.
        memory: limit in bytes or as text such as "4G"; by default all memory of the machine.
        progress: called with an `Effort` after every run of an engine.
        words: constraints of the tours, see `Question.of`; with `open=True` open tours count.

    Raises:
        CavalcadeError: as `continue_walk`, or the number of degrees is wrong.

    Examples:
        >>> walk = warnsdorff("8x8", "g6", count_start=False).partial
        >>> turn = wrong_turn(walk, open=True, count_start=False)
        >>> turn.step, turn.tied, turn.saving
        (59, ['h5', 'e4'], ['e4'])
    """
    search = WalkSearch(walk, seed, 10.0 if time_limit is None else seconds_of(time_limit), words)
    question = search.question
    table = question.graph.degrees if degrees is None else np.asarray(degrees).reshape(-1)
    if len(table) != question.graph.size:
        raise CavalcadeError(f"{len(table)} degrees for {question.graph.size} cells, expected one per cell")
    with limits(search.seconds, memory, progress):
        continuation = search.continuation(keep)
        kept = continuation.kept
        if not isinstance(continuation.verdict, Found) or kept == len(walk):
            return WrongTurn(question.closed, continuation)
        return WrongTurn(
            question.closed, continuation, _choices(search, continuation, table, count_start=count_start)
        )


def _choices(
    search: WalkSearch, continuation: Continuation, degrees: Any, *, count_start: bool
) -> tuple[Choice, ...]:
    """Decide for each possible move after the kept steps whether a tour continues with it."""
    walk, question, graph = search.walk, search.question, search.question.graph
    cells = walk.cells[: continuation.kept].tolist()
    visited = set(cells)
    counted = visited if count_start else visited - {cells[0]}
    choices = []
    for cell in graph.neighbours(cells[-1]).tolist():
        move = (cells[-1], cell) if graph.directed else (min(cells[-1], cell), max(cells[-1], cell))
        if cell in visited or move in question.forbidden:
            continue
        onward = int(degrees[cell]) - sum(w in counted for w in graph.neighbours(cell).tolist())
        verdict = continuation.verdict
        if not isinstance(verdict, Found) or int(verdict.tour.cells[len(cells)]) != cell:
            verdict = search.beginning([*cells, cell])
        choices.append(Choice(cell, walk.board.name(cell), onward, verdict))
    return tuple(choices)
