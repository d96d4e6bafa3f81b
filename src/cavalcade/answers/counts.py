"""Counts of tours: all tours, by their moves, and up to symmetry."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal, TypeAlias

from cavalcade.answers.attributes import no_attribute
from cavalcade.answers.verification import Verification
from cavalcade.ground.above import shown

Table = tuple[tuple[str, ...], list[tuple[object, ...]]]  # titles and rows

By: TypeAlias = Literal["slope", "class", "files", "turns", "angles", "crossings"]
OF_MOVES = ("slope", "class", "files")  # distributions by kinds of moves; all others measure whole tours


@dataclass(frozen=True)
class Count:
    """An exact number of tours.

    Args:
        count: number of tours.
        conventions: which tours were counted as different.
        peak_states: largest number of states held at once.
        peak_bytes: largest memory use of the states, in bytes.
        seconds: wall time.
        verification: whether a second count gave the same number.

    Examples:
        >>> count("6x6").conventions
        'closed tours, undirected, mirror images and rotations counted apart'
    """

    count: int
    conventions: str
    peak_states: int
    peak_bytes: int
    seconds: float
    verification: Verification = field(default=Verification.UNCHECKED, kw_only=True)

    def __int__(self) -> int:
        return self.count

    _repr_html_ = shown
    if not TYPE_CHECKING:
        __getattr__ = no_attribute

        def __add__(self, other: object) -> None:
            raise TypeError("a Count is no number: try .count or int(...)")

        __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __mod__ = __lt__ = __gt__ = __add__


@dataclass(frozen=True)
class Distribution(Count):
    """For each k, the number of tours with exactly k moves of a kind, or k turns, angles or crossings.

    Args:
        by: criterion that defines the kinds: `slope`, `class` or `files` of moves, or `turns`, `angles`,
            `crossings`; `moves` for walks by their number of moves.
        tours: name of each kind, with the numbers of tours that have exactly 0, 1, 2, … of it.

    Examples:
        >>> list(distribution("5x6", by="files").tours)
        ['1', '2']
    """

    by: str
    tours: dict[str, tuple[int, ...]]

    @property
    def table(self) -> Table:
        """One row for each k that occurs."""
        head = "moves" if self.by in {*OF_MOVES, "moves"} else "k"
        rows = enumerate(zip_longest(*self.tours.values(), fillvalue=0))
        return (head, *self.tours), [(k, *row) for k, row in rows if any(row)]


@dataclass(frozen=True)
class SymmetryClass:
    """A conjugacy class of symmetries of a board, and the tours that each of its members fixes.

    Args:
        name: name of one member.
        symmetries: number of members.
        order: order of the members in the group.
        forward: number of tours that one member maps to themselves, keeping their direction.
        backward: number of tours that one member maps to themselves, reversing their direction.
        classes: number of classes of tours with a symmetry from the group and besides it only its powers;
            None if unknown.
        terms: Jelliss's terms for tours of either direction, empty if he has none.
    """

    name: str
    symmetries: int
    order: int
    forward: int
    backward: int
    classes: int | None = None
    terms: tuple[str, str] = ("", "")

    @property
    def fixed(self) -> int:
        """Number of tours that one member maps to themselves."""
        return self.forward + self.backward

    @property
    def description(self) -> str:
        """The numbers of fixed tours with their terms: `78 Eulerian`."""
        parts = [(n, term) for n, term in zip((self.forward, self.backward), self.terms, strict=True) if n]
        return " + ".join(f"{n} {term}".strip() for n, term in parts) or "0"


@dataclass(frozen=True)
class Classes:
    """The number of tours, and the number of their classes under the symmetries of the board.

    Args:
        count: number of tours.
        classes: number of classes.
        order: order of the symmetry group.
        fixed: conjugacy classes of symmetries, the identity first.
        conventions: which tours were counted as different.
        verification: whether the numbers of classes were counted twice.

    Examples:
        >>> [symmetry.name for symmetry in classes("6x6").fixed if symmetry.fixed]
        ['identity', 'half turn', 'quarter turn']
    """

    count: int
    classes: int
    order: int
    fixed: tuple[SymmetryClass, ...]
    conventions: str
    verification: Verification = Verification.UNCHECKED

    _repr_html_ = shown

    @property
    def table(self) -> Table:
        """One row for the identity, then one for each kind of symmetry that a tour has."""
        heads = ("symmetry", "number", "tours symmetric", "classes with no other")
        return heads, [
            (kind.name, kind.symmetries, kind.description, "?" if kind.classes is None else kind.classes)
            for i, kind in enumerate(self.fixed)
            if kind.fixed or not i
        ]
