"""Common parts of the finite checks of theorems: facts, tours and joins of pieces, the packaged lists.

A check yields the facts that it has verified, one sentence each, and raises `Fault` at the first fact that
does not hold. It validates the list of tours that it reads from `cavalcade/data`; `SHA256SUMS` there has the
digests of the lists of the proofs, in the format of `sha256sum`.

A cell is a tuple of integers. A *join* is a pair of edges a-b and d-c of two tours, which give way to a-c
and b-d. Like the checks, this module is pure Python and shares nothing with the engines.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
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


class Fault(Exception):  # noqa: N818 - a result of the check, not an error of the package
    """A fact that the theorem needs does not hold."""


@dataclass(frozen=True)
class Proved:
    """The facts that hold, as sentences, and the first one that does not, or an empty text."""

    facts: tuple[str, ...]
    fault: str = ""

    def __bool__(self) -> bool:
        return not self.fault


def proved(check: Callable[[str | None], Iterable[str]]) -> Callable[..., Proved]:
    """Decorate a check of a list: collect the facts that it yields, and its fault."""

    @wraps(check)
    def checked(text: str | None = None) -> Proved:
        facts: list[str] = []
        try:
            with reading():
                facts.extend(check(text))  # keeps the facts before a fault
        except Fault as fault:
            return Proved(tuple(facts), str(fault))
        return Proved(tuple(facts))

    return checked


@contextmanager
def reading() -> Iterator[None]:
    """Turn errors of reading a list into a fault."""
    errors = (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
    try:
        yield
    except errors as error:
        reason = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise Fault(f"the list of tours cannot be read: {reason}") from None


def packaged(name: str) -> str:
    """A packaged list as JSON: the name of a `.json` file in `cavalcade/data`.

    Raises:
        Fault: its digest is not that of the list in the proof.
    """
    data = files("cavalcade") / "data"
    text = (data / f"{name}.json").read_text(encoding="utf-8")
    sums = (data / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    if f"{sha256(text.encode()).hexdigest()}  {name}.json" not in sums:
        raise Fault(f"the SHA-256 digest of {name}.json is not the one in SHA256SUMS")
    return text


def read_cells(text: str) -> Any:
    """The content of a JSON text, with lists of integers as cells.

    Raises:
        TypeError, ValueError: the text is not JSON, or contains numbers that are not integers.
    """
    return _with_cells(json.loads(text))


def _with_cells(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _with_cells(value) for key, value in data.items()}
    if not isinstance(data, list):
        return data
    if all(isinstance(value, list) for value in data):
        return [_with_cells(value) for value in data]
    if any(type(x) is not int for x in data):
        raise TypeError(f"expected integers, not {str(data)[:40]}")
    return tuple(data)


# ---- tours and joins


def assert_walk(
    name: str, tour: list[Cell], shape: Collection[Cell], is_move: IsMove[Cell], *, closed: bool = True
) -> None:
    """Assert that a tour visits each cell once and no other cell, by moves; if closed, back to the first."""
    if len(set(tour)) != len(tour):
        twice = next(cell for cell in tour if tour.count(cell) > 1)
        raise Fault(f"the tour of {name} visits {twice} twice")
    if different := set(tour) ^ set(shape):
        cell = min(different)
        raise Fault(f"the tour of {name} {'leaves out' if cell in shape else 'visits'} {cell}")
    for a, b in pairwise([*tour, tour[0]] if closed else tour):
        if not is_move(a, b):
            raise Fault(f"the tour of {name} steps from {a} to {b}, no knight's move")


def has_tour(cells: Sequence[Cell], is_move: IsMove[Cell], *, closed: bool = True) -> bool:
    """Whether an exhaustive depth-first search finds a tour; for boards of some twenty cells."""
    neighbours = {a: [b for b in cells if is_move(a, b)] for a in cells}
    least = 2 if closed else 1  # moves that an unvisited cell needs
    starts = [min(cells, key=lambda cell: len(neighbours[cell]))] if closed else cells
    for start in starts:
        # `walk` is the walk so far; each entry of `stack` iterates over the cells that may follow on it.
        walk, stack, ahead = [start], [iter(neighbours[start])], set(cells) - {start}
        while stack:
            if not ahead and (not closed or is_move(walk[-1], start)):
                return True
            cell = next((cell for cell in stack[-1] if cell in ahead), None)
            if cell is None:
                stack.pop()
                ahead.add(walk.pop())
                continue
            # The previous cell is used up. Each unvisited neighbour of it still needs moves to other cells.
            usable = ahead | {cell, start} if closed else ahead | {cell}
            previous = walk[-1]
            walk.append(cell)
            ahead.remove(cell)
            starved = any(
                len(usable.intersection(neighbours[unvisited])) < least
                for unvisited in ahead.intersection(neighbours[previous])
            )
            stack.append(iter(() if starved else neighbours[cell]))
    return False


def matched(what: str, leaving: Edge[Cell], entered: Edge[Cell], is_move: IsMove[Cell]) -> Join[Cell]:
    """Two edges as a join, with the ends of the second edge in the order that fits.

    Args:
        what: subject of the message if there is no join.
        leaving: the edge of the first tour.
        entered: the edge of the second tour.
        is_move: whether a move leads from one cell to another.
    """
    (a, b), (c, d) = leaving, entered
    for beside_a, beside_b in ((c, d), (d, c)):
        if is_move(a, beside_a) and is_move(b, beside_b):
            return leaving, (beside_b, beside_a)
    raise Fault(f"{what} has no two moves between {a}-{b} and {c}-{d}")


def joined(edges: Iterable[Edge[Cell]], joins: Iterable[Join[Cell]]) -> list[Cell]:
    """The cells in order, from the first edge on, after all joins."""
    neighbours: dict[Cell, set[Cell]] = {}
    for a, b in edges:
        neighbours.setdefault(a, set()).add(b)
        neighbours.setdefault(b, set()).add(a)
    for (a, b), (d, c) in joins:
        for cell, old, new in ((a, b, c), (b, a, d), (c, d, a), (d, c, b)):
            neighbours[cell].remove(old)
            neighbours[cell].add(new)
    start = next(iter(neighbours))
    walk, previous, cell = [start], start, min(neighbours[start])
    while cell != start and len(walk) <= len(neighbours):
        walk.append(cell)
        previous, cell = cell, next(iter(neighbours[cell] - {previous}), start)
    return walk
