"""How an answer that says exact, all, only or least was checked."""

from __future__ import annotations

from enum import StrEnum


class Verification(StrEnum):
    """How an answer that says exact, all, only or least was checked.

    Only functions of `cavalcade.checking` return `CERTIFIED` and `COUNTED_TWICE`, after they have checked a
    proof or compared two numbers. An architecture test ensures that.

    Attributes:
        CERTIFIED: a proof was verified by code that shares nothing with the program that found it.
        COUNTED_TWICE: two programs, or one program in two orders, gave the same number.
        UNCHECKED: one program gave the answer, and nothing has confirmed it.

    Examples:
        >>> str(count("6x6").verification)
        'counted twice'
    """

    CERTIFIED = "certified"
    COUNTED_TWICE = "counted twice"
    UNCHECKED = "unchecked"
