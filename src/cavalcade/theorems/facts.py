"""What the finite checks of theorems have in common: facts, the fault that ends them, and the packaged lists.

A check yields the facts that it has seen to, one sentence each, and raises `Fault` at the first thing that
does not hold. It reads a list of tours, which it does not trust, in `cavalcade/data`; `SHA256SUMS` there
says which lists are those of the proofs, in the format of `sha256sum`.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Fault(Exception):  # noqa: N818 - it is what is wrong with a proof, not an error of ours
    """A fact that the theorem needs and that does not hold."""


@dataclass(frozen=True)
class Proved:
    """What was checked, in sentences, and the first thing that is wrong, or nothing."""

    facts: tuple[str, ...]
    fault: str = ""

    def __bool__(self) -> bool:
        return not self.fault


def proved(check: Callable[[], Iterable[str]]) -> Proved:
    """The facts that a check yields, up to its fault."""
    facts: list[str] = []
    try:
        facts.extend(check())  # those before a fault are kept
    except Fault as fault:
        return Proved(tuple(facts), str(fault))
    return Proved(tuple(facts))


def packaged(name: str) -> str:
    """A list of the package, as JSON: `glinski`, `hexagonal` or `boxes`.

    Raises:
        Fault: it is another list than the one of which the proof speaks.
    """
    data = files("cavalcade") / "data"
    text = (data / f"{name}.json").read_text(encoding="utf-8")
    sums = (data / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    if f"{sha256(text.encode()).hexdigest()}  {name}.json" not in sums:
        raise Fault(f"the SHA-256 digest of {name}.json is not the one in SHA256SUMS")
    return text
