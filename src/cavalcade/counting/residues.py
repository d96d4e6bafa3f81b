"""Numbers of any size, from a count in words of a fixed size.

Where counts outgrow two words, the count goes on with counts rounded up, and so ends with an upper bound,
which is hardly larger than the number. Then all is counted again modulo products of two primes, one after
the other, until the product of all exceeds the bound; the Chinese remainder theorem puts the remainders
together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice

import numpy as np

from cavalcade.ground.budget import assert_time

Pair = tuple[int, int]

NONE = (0, 0)  # in place of two primes: no remainders, the number itself


def primes(below: int) -> Iterator[int]:
    """The primes below an even number, down to its square root, the largest first."""
    root = math.isqrt(below)
    sieve = np.ones(root + 1, dtype=np.bool_)
    for d in range(2, math.isqrt(root) + 1):
        sieve[d * d :: d] = False
    small = np.flatnonzero(sieve)[2:]
    for n in range(below - 1, root, -2):
        if (n % small).all():
            yield n


def primes_for(bits: float) -> list[int]:
    """The largest primes of 31 bits, with a product of more than 2**bits."""
    return list(islice(primes(1 << 31), 1 + int(bits / 30.99)))


def combined(rows: Iterable[Sequence[int]], moduli: Sequence[int]) -> list[int]:
    """For each row of remainders the least number with them; no two moduli have a common factor."""
    product = math.prod(moduli)
    weights = [product // m * pow(product // m, -1, m) for m in moduli]
    found = []
    for row in rows:
        assert_time("numbers were put together from their remainders")
        found.append(sum(r * weight for r, weight in zip(row, weights, strict=True)) % product)
    return found


@cache
def pairs(bound: int) -> tuple[Pair, ...]:
    """Pairs of primes below 2**30, as many as it takes for the product of all to exceed a bound."""
    found: list[Pair] = []
    product, more = 1, primes(1 << 30)
    while product <= bound:
        found.append((next(more), next(more)))
        product *= math.prod(found[-1])
    return tuple(found)


def in_runs(run: Callable[[Pair], tuple[int, bool]]) -> int:
    """A number, by one run, or if that is not enough by one more for each pair of primes.

    Args:
        run: counts modulo the product of a pair of primes; without remainders for `NONE`, and then says
            whether the number is exact or an upper bound.
    """
    number, exact = run(NONE)
    if exact:
        return number
    chosen = pairs(number)
    return combined([[run(pair)[0] for pair in chosen]], [math.prod(pair) for pair in chosen])[0]
