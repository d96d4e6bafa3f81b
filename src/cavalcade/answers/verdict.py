"""Verdicts: what an engine can say. There is no fourth answer, and never None for "not found"."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, TypeAlias

if TYPE_CHECKING:
    from cavalcade.answers.certificate import Certificate
    from cavalcade.answers.tours import Tour
    from cavalcade.boards import Board
    from cavalcade.pieces import Piece


@dataclass(frozen=True)
class Effort:
    """What one rung of the ladder tried, what came of it, and how many seconds it took."""

    rung: str
    outcome: str
    seconds: float


@dataclass(frozen=True)
class Found:
    """There is a tour: this one.

    `method` names the engine, `seed` what its random choices began with, `seconds` its wall time, and
    `effort` what was tried on the way.
    """

    tour: Tour
    method: str
    seed: int = 0
    seconds: float = 0.0
    effort: tuple[Effort, ...] = ()
    status: ClassVar[str] = "found"

    def on(self, board: Board, piece: Piece) -> Found:
        """The same tour, told as one of a board instead of its move graph."""
        from cavalcade.answers.tours import Tour

        return replace(self, tour=Tour(board, self.tour.cells, self.tour.closed, piece))


@dataclass(frozen=True)
class Impossible:
    """There is no tour: `reason` says why, and `certificate` proves it."""

    reason: str
    method: str
    seed: int = 0
    seconds: float = 0.0
    certificate: Certificate | None = field(default=None, repr=False)
    effort: tuple[Effort, ...] = ()
    status: ClassVar[str] = "impossible"


@dataclass(frozen=True)
class Undecided:
    """No tour was found and nothing was proved; `reason` says what was tried.

    `partial` is how far a walk got, where the engine walks.
    """

    reason: str
    method: str
    seed: int = 0
    seconds: float = 0.0
    partial: Tour | None = field(default=None, repr=False)
    effort: tuple[Effort, ...] = ()
    status: ClassVar[str] = "undecided"


Verdict: TypeAlias = Found | Impossible | Undecided
