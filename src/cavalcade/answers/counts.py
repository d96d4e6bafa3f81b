"""Counts: how many tours there are, all of them and up to symmetry."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from cavalcade.ground.above import shown

Table = tuple[tuple[str, ...], list[tuple[object, ...]]]  # titles and rows

OF_MOVES = ("slope", "class", "files")  # by what moves are sorted; all else is measured of a tour


@dataclass(frozen=True)
class Count:
    """An exact number of tours, what was counted, and the memory (bytes) and time (seconds) it took.

    Examples:
        >>> count("6x6").conventions
        'closed tours, undirected, mirror images and rotations counted apart'
    """

    count: int
    conventions: str
    peak_states: int
    peak_bytes: int
    seconds: float

    _repr_html_ = shown


@dataclass(frozen=True)
class Distribution(Count):
    """For each kind of moves, or of angles, how many tours have exactly k of them.

    Args:
        by: what makes the kinds: `slope`, `class` or `files` of moves; or `turns`, `angles`, `crossings`.
        tours: for each kind, by its name, the numbers of tours with exactly 0, 1, 2, … of it.

    Examples:
        >>> list(distribution("5x6", by="files").tours)
        ['1', '2']
    """

    by: str
    tours: dict[str, tuple[int, ...]]

    @property
    def table(self) -> Table:
        """A row for each number that occurs."""
        head = "moves" if self.by in OF_MOVES else "k"
        rows = enumerate(zip_longest(*self.tours.values(), fillvalue=0))
        return (head, *self.tours), [(k, *row) for k, row in rows if any(row)]


@dataclass(frozen=True)
class SymmetryClass:
    """Symmetries that are conjugate, and the tours that each of them maps to itself.

    Args:
        name: of one of them.
        symmetries: how many there are.
        order: the least number of times one is repeated until every cell is back.
        forward: the tours that one of them maps to themselves, keeping their direction.
        backward: and those whose direction it reverses.
        classes: how many classes of tours have one of these symmetries and no other except its powers;
            None where that is not known.
        terms: Jelliss's words for tours of either direction, empty where he has none.
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
        """The tours that one of them maps to themselves."""
        return self.forward + self.backward

    @property
    def description(self) -> str:
        """The same with the words for them: `78 Eulerian`."""
        parts = [(n, term) for n, term in zip((self.forward, self.backward), self.terms, strict=True) if n]
        return " + ".join(f"{n} {term}".strip() for n, term in parts) or "0"


@dataclass(frozen=True)
class Classes:
    """Tours, all of them and up to the symmetries of the board, of which there are `order`.

    Examples:
        >>> [one.name for one in classes("6x6").fixed if one.fixed]
        ['identity', 'half turn', 'quarter turn']
    """

    count: int
    classes: int
    order: int
    fixed: tuple[SymmetryClass, ...]
    conventions: str

    _repr_html_ = shown

    @property
    def table(self) -> Table:
        """A row for each symmetry that some tour has, after the identity."""
        heads = ("symmetry", "number", "tours symmetric", "classes with no other")
        return heads, [
            (one.name, one.symmetries, one.description, "?" if one.classes is None else one.classes)
            for i, one in enumerate(self.fixed)
            if one.fixed or not i
        ]
