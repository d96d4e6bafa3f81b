"""Values of a polynomial instead of a count: how many cycles have exactly k edges of a type.

Give every edge of a type the weight x. All cycles together then weigh a_0 + a_1 x + a_2 x^2 + ..., where a_k
is the number of cycles with exactly k edges of the type. So a search that multiplies by x wherever it chooses
such an edge finds a value of this polynomial, and n values determine n unknown numbers a_k. Values
are remainders modulo primes. A search has a *word* for each value that it finds, in place of the count of a
state: its states and its choices are the same ones for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cavalcade.states.transition import Stage

AT_ONCE = 4  # words for which halves meet at a time; with more, the tables of sums would not fit into caches

Edge = tuple[int, int]  # the smaller end first


class Word(NamedTuple):
    """One value of a polynomial.

    Args:
        x: the point.
        prime: modulus of the value.
        edges: the edges of the type.
    """

    x: int
    prime: int
    edges: frozenset[Edge]


def batched(words: Sequence[Word], size: int) -> Iterator[list[Word]]:
    """Yield `size` words at a time; the last batch repeats its last word up to a multiple of `AT_ONCE`."""
    for i in range(0, len(words), size):
        batch = list(words[i : i + size])
        yield batch + batch[-1:] * (-len(batch) % AT_ONCE)


def factors(stage: Stage, words: Sequence[Word]) -> list[int]:
    """The factors of the edge to each place of a stage, one for each word."""
    ends = list(_edges(stage)) if words else []
    return [word.x if edge in word.edges else 1 for edge in ends for word in words]


def _edges(stage: Stage) -> Iterator[Edge]:
    """The edge to each place, from the vertex that is taken.

    A vertex in the middle of an edge, which has no number, stands for the edge: at the first of its ends.
    """
    ends = [stage.vertices[place] for place in stage.geometry.later]
    for place, vertex in enumerate(stage.vertices):
        if stage.vertex >= 0:
            yield min(stage.vertex, vertex), max(stage.vertex, vertex)
        else:
            yield (min(ends), max(ends)) if place == stage.geometry.later[0] else (vertex, vertex)
