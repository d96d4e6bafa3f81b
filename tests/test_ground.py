"""Budgets against a plain model, limits, and kernels that compute the same in both tiers."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cavalcade.ground.budget import (
    Budget,
    BudgetOverError,
    assert_room,
    assert_time,
    limits,
    memory_limit,
    start_clock,
    stop_clock,
)
from cavalcade.ground.errors import TooLargeError
from cavalcade.ground.kernels import Tier, next_random, seed_state

PRIME = 2**31 - 1  # modulus of the minimal standard generator


@given(st.integers(0, 1000), st.lists(st.tuples(st.integers(0, 400), st.lists(st.integers(0, 300)))))
def test_parts_of_a_budget_pay_from_the_whole(total: int, parts: list[tuple[int, list[int]]]) -> None:
    """The whole pays for all work that a part begins, up to the work of that part."""
    whole, paid = Budget(total), 0
    for work, payments in parts:
        part = whole.part(work)
        allowed = min(work, max(total - paid, 0)) if paid <= total else total - paid
        assert part.work == allowed
        spent = 0
        for payment in payments:
            paid += min(payment, max(allowed - spent, 0))
            spent += payment
            assert part.spend(payment) == (spent < allowed)
        assert (part.spent, whole.spent) == (spent, paid)


def test_a_charge_beyond_the_budget_ends_the_engine() -> None:
    budget = Budget(10)
    budget.charge(9)
    with pytest.raises(BudgetOverError):
        budget.charge(1)
    budget.refill(5)
    budget.charge(4)
    assert budget.spent == 14


def test_inner_limits_never_extend_outer_ones() -> None:
    with limits(1000, 5_000_000), limits(2000, 9_000_000):
        assert memory_limit() == 5_000_000
        with pytest.raises(TooLargeError, match=r"a table needs about 6\.0 MB, the memory limit is 5\.0 MB"):
            assert_room(6_000_000, "a table")
        assert_time("there is time", 500)
        with pytest.raises(TimeoutError, match="too long"):
            assert_time("too long", 1500)


def test_the_clock_stops_while_a_kernel_is_compiled() -> None:
    with limits(0.05):
        stop_clock()
        time.sleep(0.1)
        start_clock()
        assert_time("compiling does not count")
        time.sleep(0.1)
        with pytest.raises(TimeoutError):
            assert_time("but work does")


def sum_of_draws(state: int, draws: int, low: object) -> int:
    """Draw numbers and keep the smallest one in `low[0]`; a kernel that both tiers run."""
    total = 0
    for _ in range(draws):
        state = next_random(state)
        total += state
        low[0] = min(low[0], state)  # type: ignore[index]
    return total


@given(st.integers() | st.integers(0, 2**400))
def test_states_come_from_the_sequences_of_numpy(seed: int) -> None:
    first = int(np.random.SeedSequence(abs(seed)).generate_state(1)[0])
    assert seed_state(seed) == first % (PRIME - 1) + 1


@pytest.mark.parametrize("seed", [0, 1, -5, 2**70])
def test_both_tiers_draw_the_same_numbers(seed: int) -> None:
    state = seed_state(seed)
    assert 0 < state < PRIME
    results = []
    for compiled in (False, True):
        tier = Tier(0, compiled=compiled)
        low = tier.words([PRIME])
        results.append((int(tier(sum_of_draws)(state, 1000, low)), int(low[0])))
    powers = [state * pow(48271, k, PRIME) % PRIME for k in range(1, 1001)]
    assert results == [(sum(powers), min(powers))] * 2


def test_small_work_is_interpreted_until_it_adds_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tier, "warm", False)
    monkeypatch.setattr(Tier, "interpreted", 0.0)
    tiers = [Tier(400_000).compiled for _ in range(12)]
    assert tiers[:9] == [False] * 9
    assert tiers[-1]
    assert Tier(1e9).compiled


def test_vectors_are_lists_or_arrays() -> None:
    array = np.arange(5, dtype=np.int32)
    interpreted, compiled = Tier(0, compiled=False), Tier(0, compiled=True)
    assert interpreted.vector(array) == interpreted.read_only(array) == [0, 1, 2, 3, 4]
    assert compiled.vector(array) is array
    assert not compiled.read_only(array).flags.writeable  # type: ignore[union-attr]
    assert interpreted.full(3, 7) == [7, 7, 7]
    assert compiled.full(3, 7).dtype == np.int32  # type: ignore[union-attr]
    assert compiled.column(3).dtype == np.int64  # type: ignore[union-attr]
