"""Verdicts: found, impossible or undecided. There is no fourth, and never None for "not found"."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, TypeAlias

if TYPE_CHECKING:
    from cavalcade.answers.certificate import Certificate
    from cavalcade.answers.tours import Tour


@dataclass(frozen=True)
class Effort:
    """What one engine of the portfolio tried, what came of it, and how many seconds it took."""

    engine: str
    outcome: str
    seconds: float


@dataclass(frozen=True)
class Found:
    """There is a tour: this one.

    `method` is the engine's name, `seed` that of its random choices, `seconds` its wall time, and
    `effort` lists what was tried.
    """

    tour: Tour
    method: str
    seed: int = 0
    seconds: float = 0.0
    effort: tuple[Effort, ...] = ()
    status: ClassVar[str] = "found"


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
