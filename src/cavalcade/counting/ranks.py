"""The perfect matchings of n places, each by its number.

A matching is known by its *rank*: the partner of the smallest place first, then the rank of the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cavalcade.ground.kernels import Vector


def number_of(n: int) -> int:
    """How many ways there are to match n places, n even: 1 * 3 * 5 * ... * (n - 1)."""
    many = 1
    for i in range(n - 1, 1, -2):
        many *= i
    return many


def rank_of(mate: Vector, places: Vector, n: int, taken: Vector) -> int:
    """The rank of a matching of the first n of some places."""
    rank = 0
    left = n
    for i in range(n):
        taken[places[i]] = 0
    for i in range(n):
        here = places[i]
        if taken[here]:
            continue
        partner = mate[here]
        taken[here] = 1
        before = 0
        for j in range(i + 1, n):
            other = places[j]
            if other == partner:
                break
            if not taken[other]:
                before += 1
        taken[partner] = 1
        rank = rank * (left - 1) + before
        left -= 2
    return rank


def unrank(rank: int, n: int, partner: Vector, digits: Vector) -> None:
    """The matching of 0, …, n - 1 that has a rank."""
    for level in range(n // 2 - 1, -1, -1):
        choices = n - 1 - 2 * level
        digits[level] = rank % choices
        rank //= choices
    for i in range(n):
        partner[i] = -1
    level = 0
    for i in range(n):
        if partner[i] >= 0:
            continue
        skip = digits[level]
        level += 1
        for j in range(i + 1, n):
            if partner[j] < 0:
                if skip == 0:
                    partner[i] = j
                    partner[j] = i
                    break
                skip -= 1
