"""Verification of a sequence by other methods: listing all tours, and searching each board."""

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

LISTED = 10_000  # tours up to which a term is verified by listing: a second or less


def verified(sequence: Sequence, seconds: float) -> dict[str, int]:
    """Return the last n up to which each method confirmed the terms, by the name of the method.

    Args:
        sequence: the sequence to verify.
        seconds: time limit for each method that counts board by board.

    Raises:
        AssertionError: two methods disagree.
    """
    words: dict[str, Any] = {"piece": sequence.piece, "open": sequence.conventions.startswith("open")}
    directed = ", directed," in sequence.conventions

    def listed(n: int) -> int | None:
        if sequence.terms[n - 1] > LISTED:
            return None
        return sum(1 for _ in list_tours(grown(sequence.spec, n), **words)) * (
            2 if directed and sequence.terms[n - 1] > 1 else 1
        )

    def searched(n: int) -> int:
        return count(grown(sequence.spec, n), directed=directed, **words).count

    methods = {
        "listing every tour": _last(listed, sequence.terms, seconds),
        "a search of each board, cell by cell with a frontier": _last(searched, sequence.terms, seconds),
    }
    if sequence.states:
        by_matrix = sequence.fraction is not None and sequence.fraction.proved
        methods["a transfer matrix" + ", and by the recurrence that follows" * by_matrix] = len(
            sequence.terms
        )
    return {method: last for method, last in methods.items() if last}


def _last(method: Callable[[int], int | None], terms: tuple[int, ...], seconds: float) -> int:
    """Return the last n up to which a method gives the terms within the time limit."""
    until = time.monotonic() + seconds
    for n, term in enumerate(terms, 1):
        try:
            with limits(max(until - time.monotonic(), 0)):
                recount = method(n)
        except (TimeoutError, TooLargeError):
            return n - 1
        if recount is None:
            return n - 1
        if recount != term:
            raise AssertionError(f"n = {n}: {term} and {recount} tours, by two methods")
    return len(terms)
