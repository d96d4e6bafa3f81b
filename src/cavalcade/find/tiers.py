"""Run one search in either tier, with the same answer and the same cost.

A search spends counted work from its budget, the same in both tiers. If interpreted code turns out to take
long, the search starts again in compiled code, and its work is paid once; so neither the answer nor its cost
depends on the tier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import COMPILE_FROM, Tier, seed_state

Answer = TypeVar("Answer")

# Inner steps of one call of a kernel, between two looks at the clock: some hundredths of a second.
SLICE, SLICE_INTERPRETED = 2_000_000, 50_000
# Work per try in the first round, a quarter of a second; it doubles after each round. Short tries find
# nothing, long tries follow a bad start.
FIRST_TRY = 25_000_000


class _TooLongError(Exception):
    """An interpreted search has reached the work from which compiling pays."""


class _Interpreted(Budget):
    """The rest of a budget, for interpreted work up to the point where compiling would have paid."""

    def __init__(self, budget: Budget) -> None:
        super().__init__(budget.left)
        self.done = 0.0

    def spend(self, work: float) -> bool:
        """Spend work, as `Budget.spend`.

        Raises:
            _TooLongError: compiled code would have been faster.
        """
        self.done += work
        remaining = super().spend(work)
        if remaining and self.done > COMPILE_FROM:
            raise _TooLongError
        return remaining


def in_tiers(
    search: Callable[[Tier, Budget], Answer], budget: Budget, steps: float, *, compiled: bool | None = None
) -> Answer:
    """Run a search interpreted and, if that takes too long, again from the start in compiled code.

    Args:
        search: the search; it must have no side effects, because it may run twice.
        budget: counted work.
        steps: estimate of the inner steps; if it is large, the search is compiled at once.
        compiled: True or False to choose the tier.
    """
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
    """Inner steps that one call of a kernel may take before the clock is read."""
    return SLICE if tier.compiled else SLICE_INTERPRETED


def state_of(seed: int, number: int) -> int:
    """State of the random numbers for the try of this number."""
    return seed_state(seed * 1_000_003 + number)


class Tries:
    """Iterator over the numbers of tries from 0: at least `least`, then until the budget is spent."""

    def __init__(self, budget: Budget, least: int = 1) -> None:
        self.budget, self.least, self.made = budget, least, 0

    def __iter__(self) -> Iterator[int]:
        while self.made < self.least or not self.budget.over:
            self.made += 1
            yield self.made - 1

    def part(self, per_round: int) -> Budget:
        """The budget of the current try, if work doubles after each round of this number of tries."""
        return self.budget.part(FIRST_TRY * 2 ** min((self.made - 1) // per_round, 20))

    def __str__(self) -> str:
        return "1 try" if self.made == 1 else f"{self.made:,} tries"
