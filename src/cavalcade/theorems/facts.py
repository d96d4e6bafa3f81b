"""What the finite checks of theorems have in common: facts, tours and joins of pieces, the packaged lists.

A check yields the facts that it has seen to, one sentence each, and raises `Fault` at the first thing that
does not hold. It reads a list of tours, which it does not trust, in `cavalcade/data`; `SHA256SUMS` there
says which lists are those of the proofs, in the format of `sha256sum`.

A cell is a tuple of integers. A *join* is a pair of edges a-b and d-c of two tours, which give way to a-c
and b-d. Like the checks, this is pure Python that shares nothing with the engines.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from importlib.resources import files
from itertools import pairwise
from typing import Any, TypeAlias, TypeVar

Cell = TypeVar("Cell", bound=tuple[int, ...])
Edge: TypeAlias = tuple[Cell, Cell]
Join: TypeAlias = tuple[Edge[Cell], Edge[Cell]]
IsMove: TypeAlias = "Callable[[Cell, Cell], bool]"


class Fault(Exception):  # noqa: N818 - it is what is wrong with a proof, not an error of ours
    """A fact that the theorem needs and that does not hold."""


@dataclass(frozen=True)
class Proved:
    """What was checked, in sentences, and the first thing that is wrong, or nothing."""

    facts: tuple[str, ...]
    fault: str = ""

    def __bool__(self) -> bool:
        return not self.fault


def proved(check: Callable[[str | None], Iterable[str]]) -> Callable[..., Proved]:
    """The facts that a check of a list yields, up to its fault."""

    @wraps(check)
    def checked(text: str | None = None) -> Proved:
        facts: list[str] = []
        try:
            with reading():
                facts.extend(check(text))  # those before a fault are kept
        except Fault as fault:
            return Proved(tuple(facts), str(fault))
        return Proved(tuple(facts))

    return checked


@contextmanager
def reading() -> Iterator[None]:
    """Turn what keeps a list from being read into a fault."""
    errors = (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
    try:
        yield
    except errors as error:
        what = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise Fault(f"the list of tours cannot be read: {what}") from None


def packaged(name: str) -> str:
    """A list of the package, as JSON: `glinski`, `hexagonal`, `boxes` or `petersen`.

    Raises:
        Fault: it is another list than the one of which the proof speaks.
    """
    data = files("cavalcade") / "data"
    text = (data / f"{name}.json").read_text(encoding="utf-8")
    sums = (data / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    if f"{sha256(text.encode()).hexdigest()}  {name}.json" not in sums:
        raise Fault(f"the SHA-256 digest of {name}.json is not the one in SHA256SUMS")
    return text


def read_cells(text: str) -> Any:
    """What a JSON text holds, with each list of integers as a cell.

    Raises:
        TypeError, ValueError: it is no JSON, or has numbers that are no integers.
    """
    return _with_cells(json.loads(text))


def _with_cells(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _with_cells(value) for key, value in data.items()}
    if not isinstance(data, list):
        return data
    if all(isinstance(one, list) for one in data):
        return [_with_cells(one) for one in data]
    if any(type(x) is not int for x in data):
        raise TypeError(f"expected integers, not {str(data)[:40]}")
    return tuple(data)


# ---- tours and joins


def assert_walk(
    name: str, tour: list[Cell], shape: Collection[Cell], is_move: IsMove[Cell], *, closed: bool = True
) -> None:
    """Every cell once, nothing else, and every step a move, if closed the last back to the first too."""
    if len(set(tour)) != len(tour):
        twice = next(cell for cell in tour if tour.count(cell) > 1)
        raise Fault(f"the tour of {name} visits {twice} twice")
    if wrong := set(tour) ^ set(shape):
        cell = min(wrong)
        raise Fault(f"the tour of {name} {'leaves out' if cell in shape else 'visits'} {cell}")
    for a, b in pairwise([*tour, tour[0]] if closed else tour):
        if not is_move(a, b):
            raise Fault(f"the tour of {name} steps from {a} to {b}, no knight's move")


def matched(what: str, left: Edge[Cell], entered: Edge[Cell], is_move: IsMove[Cell]) -> Join[Cell]:
    """The two edges as a join, the ends of the second in one of their orders."""
    (a, b), (c, d) = left, entered
    for one, other in ((c, d), (d, c)):
        if is_move(a, one) and is_move(b, other):
            return left, (other, one)
    raise Fault(f"{what} has no two moves between {a}-{b} and {c}-{d}")


def joined(edges: Iterable[Edge[Cell]], joins: Iterable[Join[Cell]]) -> list[Cell]:
    """The cells in order from the first edge on, after the edges of all joins have been exchanged."""
    neighbours: dict[Cell, set[Cell]] = {}
    for a, b in edges:
        neighbours.setdefault(a, set()).add(b)
        neighbours.setdefault(b, set()).add(a)
    for (a, b), (d, c) in joins:
        for one, other, new in ((a, b, c), (b, a, d), (c, d, a), (d, c, b)):
            neighbours[one].remove(other)
            neighbours[one].add(new)
    start = next(iter(neighbours))
    walk, before, here = [start], start, min(neighbours[start])
    while here != start and len(walk) <= len(neighbours):
        walk.append(here)
        before, here = here, next(iter(neighbours[here] - {before}), start)
    return walk
