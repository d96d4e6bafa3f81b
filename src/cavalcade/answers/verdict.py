"""Verdicts: found, impossible or undecided. A verdict is never None."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from cavalcade.answers.attributes import no_attribute
from cavalcade.answers.verification import Verification
from cavalcade.ground.above import shown

if TYPE_CHECKING:
    from cavalcade.answers.certificate import Certificate
    from cavalcade.answers.tours import Tour


def _no_truth(verdict: object) -> bool:
    """Refuse the truth value of a verdict: an undecided board would look like a board without a tour.

    Raises:
        TypeError: always.
    """
    raise TypeError(
        f"{type(verdict).__name__} is not true or false: ask for .status, or isinstance(verdict, Found)"
    )


@dataclass(frozen=True)
class Effort:
    """One run of an engine: its name, its outcome in words, and its wall time in seconds."""

    engine: str
    outcome: str
    seconds: float


@dataclass(frozen=True)
class Fewest:
    """The number of turns, crossings or angles of a tour, and a proved lower bound.

    Args:
        what: what is counted: `turns`, `crossings`, …
        count: number that the tour has.
        at_least: lower bound for all tours; 0 if nothing is proved.
        certificate: proof of the bound; if None, the bound is the number of cells without two opposite moves,
            or 0.
        verification: `CERTIFIED` if the checker has found the same lower bound.
    """

    what: str
    count: int
    at_least: int
    certificate: Certificate | None = field(default=None, repr=False)
    verification: Verification = Verification.UNCHECKED

    @property
    def proved(self) -> bool:
        """Whether it is proved that no tour has fewer."""
        return self.count == self.at_least and self.verification != Verification.UNCHECKED

    def __str__(self) -> str:
        if self.proved:
            return f"{self.count:,} {self.what}: no tour has fewer, {self.verification}"
        return f"{self.count:,} {self.what}; every tour has at least {self.at_least:,}, {self.verification}"


@dataclass(frozen=True)
class Found:
    """A tour exists.

    Args:
        tour: the tour.
        method: name of the engine that found it.
        seed: seed of the random choices.
        seconds: wall time.
        effort: what the engines tried.
        fewest: how close the tour is to the optimum, if few turns, crossings or angles were requested.

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

    if not TYPE_CHECKING:  # else every attribute would have a type
        __getattr__ = no_attribute

        def __getitem__(self, index: object) -> None:
            raise TypeError("Found is not a sequence: try .tour, whose items are the names of its cells")

        def __len__(self) -> int:
            raise TypeError("Found has no length: try len(found.tour), the number of its cells")


@dataclass(frozen=True)
class Impossible:
    """No tour exists.

    Args:
        reason: the reason, in words.
        method: name of the engine that proved it.
        seed: seed of the random choices.
        seconds: wall time.
        certificate: the proof.
        effort: what the engines tried.
        verification: `CERTIFIED` if the checker has verified the certificate in this process.

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
    verification: Verification = field(default=Verification.UNCHECKED, repr=False)
    status: ClassVar[Literal["impossible"]] = "impossible"

    __bool__ = _no_truth
    _repr_html_ = shown
    if not TYPE_CHECKING:
        __getattr__ = no_attribute


@dataclass(frozen=True)
class Undecided:
    """No tour was found, and nothing was proved.

    Args:
        reason: what was tried, in words.
        method: name of the engine.
        seed: seed of the random choices.
        seconds: wall time.
        partial: the longest walk, if the engine walks.
        effort: what the engines tried.

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
    if not TYPE_CHECKING:
        __getattr__ = no_attribute


Verdict: TypeAlias = Found | Impossible | Undecided
