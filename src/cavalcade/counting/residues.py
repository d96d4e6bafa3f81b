"""Numbers of any size, from a count in words of a fixed size.

Where counts outgrow two words, the count goes on with counts rounded up, and so ends with an upper bound,
which is hardly larger than the number. Then all is counted again modulo products of two primes, one after
the other, until the product of all exceeds the bound; the Chinese remainder theorem puts the remainders
together.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Pair = tuple[int, int]

NONE = (0, 0)  # in place of two primes: no remainders, the number itself


def modulus_of(pair: Pair) -> int:
    """Their product, 0 of `NONE`."""
    return math.prod(pair)


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


def combined(residues: Iterable[tuple[int, int]]) -> int:
    """The least number with these remainders: pairs of a modulus, prime to all others, and a remainder."""
    found, product = 0, 1
    for modulus, residue in residues:
        found += product * ((residue - found) * pow(product, -1, modulus) % modulus)
        product *= modulus
    return found


@cache
def pairs(bound: int) -> tuple[Pair, ...]:
    """Pairs of primes below 2**30, as many as it takes for the product of all to exceed a bound."""
    found: list[Pair] = []
    product, several = 1, primes(1 << 30)
    while product <= bound:
        found.append((next(several), next(several)))
        product *= modulus_of(found[-1])
    return tuple(found)


class Runs:
    """The runs of one count: the first, and one for each pair of primes if that is not enough.

    Args:
        done: what earlier runs of an interrupted count found: the bound, then the remainders.
    """

    def __init__(self, done: list[int]) -> None:
        self.done = done

    @property
    def expected(self) -> int:
        """How many runs it takes, as far as is known."""
        return 1 + len(pairs(self.done[0])) if self.done else 1

    def number(self, run: Callable[[Pair], tuple[int, bool]]) -> int:
        """The number itself.

        Args:
            run: counts modulo the product of a pair of primes; without remainders for `NONE`, and then says
                whether the number is exact or an upper bound.
        """
        if not self.done:
            number, exact = run(NONE)
            if exact:
                return number
            self.done.append(number)
        chosen = pairs(self.done[0])
        for pair in chosen[len(self.done) - 1 :]:
            self.done.append(run(pair)[0])
        return combined(zip(map(modulus_of, chosen), self.done[1:], strict=True))
