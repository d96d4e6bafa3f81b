"""One search in both tiers: interpreted while that is quick, else compiled, with the same answer.

A search spends counted work from its budget, the same in either tier. A long search begins again in compiled
code, and its work is paid once; so neither the answer nor its cost depends on the tier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import COMPILE_FROM, Tier

Answer = TypeVar("Answer")

# steps of one call of a kernel, some hundredths of a second: then the clock is read
SLICE, SLICE_INTERPRETED = 2_000_000, 50_000


class _TooLongError(Exception):
    """An interpreted search that is better compiled."""


class _Interpreted(Budget):
    """What a budget has left, for interpreted work that ends where compiling would have paid."""

    def __init__(self, budget: Budget) -> None:
        super().__init__(budget.left)
        self.done = 0.0

    def spend(self, work: float) -> bool:
        """As `Budget.spend`.

        Raises:
            _TooLongError: compiled code would have been faster.
        """
        self.done += work
        left = super().spend(work)
        if left and self.done > COMPILE_FROM:
            raise _TooLongError
        return left


def in_tiers(
    search: Callable[[Tier, Budget], Answer], budget: Budget, steps: float, *, compiled: bool | None = None
) -> Answer:
    """What a search answers, which may be called twice; from so many steps on that it is compiled at once."""
    tier = Tier(steps, compiled=compiled)
    if tier.compiled or compiled is not None:
        return search(tier, budget)
    counted = _Interpreted(budget)
    try:
        answer = search(tier, counted)
    except _TooLongError:
        return search(Tier(steps, compiled=True), budget)
    Tier.interpreted += counted.done - steps
    budget.spend(counted.done)
    return answer


def steps_per_call(tier: Tier) -> int:
    """The steps that one call of a kernel may take before the clock is read."""
    return SLICE if tier.compiled else SLICE_INTERPRETED


class Tries:
    """Tries, numbered from 0: `least` of them at least, then more until the budget is over."""

    def __init__(self, budget: Budget, least: int = 1) -> None:
        self.budget, self.least, self.made = budget, least, 0

    def __iter__(self) -> Iterator[int]:
        while self.made < self.least or not self.budget.over:
            self.made += 1
            yield self.made - 1

    def __str__(self) -> str:
        return "1 try" if self.made == 1 else f"{self.made:,} tries"
