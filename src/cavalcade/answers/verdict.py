"""Verdicts: found, impossible or undecided. There is no fourth, and never None for "not found"."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from cavalcade.ground.above import shown

if TYPE_CHECKING:
    from cavalcade.answers.certificate import Certificate
    from cavalcade.answers.tours import Tour


def _no_truth(verdict: object) -> bool:
    """A verdict has three values: as a truth value it would say of an undecided board that it has no tour.

    Raises:
        TypeError: always.
    """
    raise TypeError(
        f"{type(verdict).__name__} is not true or false: ask for .status, or isinstance(verdict, Found)"
    )


@dataclass(frozen=True)
class Effort:
    """What one engine of the portfolio tried, what came of it, and how many seconds it took."""

    engine: str
    outcome: str
    seconds: float


@dataclass(frozen=True)
class Fewest:
    """How many turns, crossings or angles (`what`) a tour has, and how few there can be as far as proved.

    `certificate` proves that no tour has fewer than `at_least`; where it is None, that many cells have no two
    moves in opposite directions, or nothing is proved (`at_least` is 0).
    """

    what: str
    count: int
    at_least: int
    certificate: Certificate | None = field(default=None, repr=False)

    @property
    def proved(self) -> bool:
        """Whether no tour has fewer."""
        return self.count == self.at_least

    def __str__(self) -> str:
        if self.proved:
            return f"{self.count:,} {self.what}: no tour has fewer"
        return f"{self.count:,} {self.what}; every tour has at least {self.at_least:,}"


@dataclass(frozen=True)
class Found:
    """There is a tour: this one.

    `method` is the engine's name, `seed` that of its random choices, `seconds` its wall time, and
    `effort` lists what was tried. `fewest` says how good the tour is, if one with few turns or crossings was
    asked for.

    Examples:
        >>> tour("6x6").tour
        <Tour closed of 6x6 from a6 to b4, 36 cells>
    """

    tour: Tour
    method: str
    seed: int = 0
    seconds: float = 0.0
    effort: tuple[Effort, ...] = ()
    fewest: Fewest | None = None
    status: ClassVar[Literal["found"]] = "found"

    __bool__ = _no_truth
    _repr_html_ = shown


@dataclass(frozen=True)
class Impossible:
    """There is no tour: `reason` says why, and `certificate` proves it.

    Examples:
        >>> tour("4x4").certificate.reason
        'cut'
    """

    reason: str
    method: str
    seed: int = 0
    seconds: float = 0.0
    certificate: Certificate | None = field(default=None, repr=False)
    effort: tuple[Effort, ...] = ()
    status: ClassVar[Literal["impossible"]] = "impossible"

    __bool__ = _no_truth
    _repr_html_ = shown


@dataclass(frozen=True)
class Undecided:
    """No tour was found and nothing was proved; `reason` says what was tried.

    `partial` is how far a walk got, where the engine walks.

    Examples:
        >>> warnsdorff("8x8", "a5").partial.closed
        False
    """

    reason: str
    method: str
    seed: int = 0
    seconds: float = 0.0
    partial: Tour | None = field(default=None, repr=False)
    effort: tuple[Effort, ...] = ()
    status: ClassVar[Literal["undecided"]] = "undecided"

    __bool__ = _no_truth
    _repr_html_ = shown


Verdict: TypeAlias = Found | Impossible | Undecided
