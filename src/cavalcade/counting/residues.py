"""Large counts from residues, by the Chinese remainder theorem.

If counts outgrow two words, a search continues with counts that are rounded up, and returns an upper bound
that is slightly larger than the number. The search is then repeated modulo products of two primes until the
product of the moduli exceeds the bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice

import numpy as np

from cavalcade.ground.budget import assert_time

Pair = tuple[int, int]


def primes(below: int) -> Iterator[int]:
    """Yield the primes below an even number in descending order, down to its square root."""
    root = math.isqrt(below)
    sieve = np.ones(root + 1, dtype=np.bool_)
    for d in range(2, math.isqrt(root) + 1):
        sieve[d * d :: d] = False
    small = np.flatnonzero(sieve)[2:]
    for n in range(below - 1, root, -2):
        if (n % small).all():
            yield n


def primes_for(bits: float) -> list[int]:
    """Return the largest 31-bit primes whose product exceeds 2**bits."""
    return list(islice(primes(1 << 31), 1 + int(bits / 30.99)))


def combined(rows: Iterable[Sequence[int]], moduli: Sequence[int]) -> list[int]:
    """Return the least number with the residues of each row; the moduli are pairwise coprime."""
    product = math.prod(moduli)
    weights = [product // m * pow(product // m, -1, m) for m in moduli]
    numbers = []
    for row in rows:
        assert_time("numbers were put together from their remainders")
        numbers.append(sum(residue * weight for residue, weight in zip(row, weights, strict=True)) % product)
    return numbers


@cache
def pairs(bound: int) -> tuple[Pair, ...]:
    """Return pairs of primes below 2**30 whose product exceeds a bound."""
    chosen: list[Pair] = []
    product, candidates = 1, primes(1 << 30)
    while product <= bound:
        chosen.append((next(candidates), next(candidates)))
        product *= math.prod(chosen[-1])
    return tuple(chosen)


def in_runs(run: Callable[[int], tuple[int, bool]]) -> int:
    """Count by one run, or if the result is an upper bound, by one more run for each pair of primes.

    Args:
        run: counts modulo a number; 0 means without a modulus. Returns the count and whether it is exact.
    """
    number, exact = run(0)
    if exact:
        return number
    moduli = [math.prod(pair) for pair in pairs(number)]
    return combined([[run(modulus)[0] for modulus in moduli]], moduli)[0]
