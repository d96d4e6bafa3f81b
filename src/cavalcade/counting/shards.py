"""Counts in shards: a count as a sum of counts that know nothing of one another and take less memory.

A count in halves (see `meeting`) ends in the middle, where its states are most. Some vertices of the middle
are chosen. In every Hamiltonian cycle each of them either is *shared*, with one edge from each side, or has
both its edges from one side. So with k of them the cycles fall into 2**k classes, and each class is counted
by itself: states in which a vertex cannot become what it has to be are dropped as soon as that is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.counting.meeting import count_in_halves, halves
from cavalcade.ground.errors import CavalcadeError, TooLargeError

if TYPE_CHECKING:
    from cavalcade.counting.cycles import CycleCount
    from cavalcade.counting.meeting import Halves
    from cavalcade.question.question import Question


def count_shard(question: Question, number: int, shards: int) -> CycleCount:
    """One of the counts whose sum is that of all tours, undirected.

    Args:
        question: what is counted.
        number: which of them, from 0.
        shards: how many there are, a power of two.

    Raises:
        CavalcadeError: the number of shards is no power of two, or too large for the board.
        TooLargeError: the board cannot be cut in halves, or the memory limit is too small.
        TimeoutError: the time limit is reached.
    """
    plan = _plan(question)
    chosen = _chosen(plan, shards)
    shared = {v: bool(number >> i & 1) for i, v in enumerate(chosen)}
    return count_in_halves(question.as_cycle, plan, shared=shared)


def assert_shards(question: Question, shards: int) -> None:
    """Refuse a number of shards into which a count cannot be split.

    Raises:
        CavalcadeError, TooLargeError: as `count_shard`.
    """
    _chosen(_plan(question), shards)


def _plan(question: Question) -> Halves:
    plan = None if question.stepwise or question.symmetry else halves(question.as_cycle, question.apex)
    if plan is None:
        what = f"{question.board.title}: only boards that a half turn maps to themselves"
        raise TooLargeError(f"{what}, and not too wide, can be counted in shards")
    return plan


def _chosen(plan: Halves, shards: int) -> list[int]:
    """The vertices of the middle that tell the shards apart: a vertex and its image, then another.

    Raises:
        CavalcadeError: there are not so many.
    """
    count = shards.bit_length() - 1
    if shards < 1 or shards != 1 << count:
        raise CavalcadeError(f"{shards} shards, expected a power of two")
    if count > len(plan.middle):
        raise CavalcadeError(f"{shards:,} shards, expected at most {1 << len(plan.middle):,}")
    pairs = [v for u in plan.middle for v in (u, plan.image[u])]
    return list(dict.fromkeys(pairs))[:count]
