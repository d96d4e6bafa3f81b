"""The terms of a sequence once more, by other methods: each tour listed, each board searched."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from cavalcade.boards.notation import grown
from cavalcade.counting.listing import list_tours
from cavalcade.counting.sequence import Sequence
from cavalcade.counting.total import count
from cavalcade.ground.budget import limits
from cavalcade.ground.errors import TooLargeError

LISTED = 10_000  # tours of a board that are listed


def verified(found: Sequence, seconds: float) -> dict[str, int]:
    """For each method, in words, the last n up to which it gave the terms; as far as the seconds last.

    Args:
        found: the sequence.
        seconds: for each of the methods that go board by board.

    Raises:
        AssertionError: two methods disagree.
    """
    words: dict[str, Any] = {"piece": found.piece, "open": found.conventions.startswith("open")}
    directed = ", directed," in found.conventions

    def listed(n: int) -> int | None:
        if found.terms[n - 1] > LISTED:
            return None
        return sum(1 for _ in list_tours(grown(found.spec, n), **words)) * (
            2 if directed and found.terms[n - 1] > 1 else 1
        )

    def searched(n: int) -> int:
        return count(grown(found.spec, n), directed=directed, **words).count

    methods = {
        "listing every tour": _last(listed, found.terms, seconds),
        "a search of each board, cell by cell with a frontier": _last(searched, found.terms, seconds),
    }
    if found.states:
        by_matrix = found.fraction is not None and found.fraction.proved
        methods["a transfer matrix" + ", and by the recurrence that follows" * by_matrix] = len(found.terms)
    return {method: last for method, last in methods.items() if last}


def _last(method: Callable[[int], int | None], terms: tuple[int, ...], seconds: float) -> int:
    """The last n up to which a method gives these terms in the time."""
    until = time.monotonic() + seconds
    for n, term in enumerate(terms, 1):
        try:
            with limits(max(until - time.monotonic(), 0)):
                again = method(n)
        except (TimeoutError, TooLargeError):
            return n - 1
        if again is None:
            return n - 1
        if again != term:
            raise AssertionError(f"n = {n}: {term} and {again} tours, by two methods")
    return len(terms)
