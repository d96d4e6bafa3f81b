"""Counts: how many tours there are, all of them and up to symmetry."""

from __future__ import annotations

from dataclasses import dataclass

from cavalcade.ground.above import shown


@dataclass(frozen=True)
class Count:
    """An exact number of tours, what was counted, and the memory (bytes) and time (seconds) it took."""

    count: int
    conventions: str
    peak_states: int
    peak_bytes: int
    seconds: float

    _repr_html_ = shown


@dataclass(frozen=True)
class Distribution:
    """For each kind of moves how many tours use exactly k of them, and what it took to count them.

    Args:
        by: what makes the kinds: `slope`, `class` or `files`.
        tours: for each kind, by its name, the numbers of tours with exactly 0, 1, 2, … of its moves.
        count: the number of all tours.
        conventions: what was counted.
        peak_states: the most states at a time.
        peak_bytes: the most memory in use, in bytes.
        seconds: the time it took.
    """

    by: str
    tours: dict[str, tuple[int, ...]]
    count: int
    conventions: str
    peak_states: int
    peak_bytes: int
    seconds: float

    _repr_html_ = shown


@dataclass(frozen=True)
class SymmetryClass:
    """Symmetries that are conjugate, and the tours that each of them maps to itself.

    Args:
        name: of one of them.
        symmetries: how many there are.
        order: how often one has to be repeated until every cell is back.
        forward: the tours that one of them maps to themselves, keeping their direction.
        backward: and those whose direction it reverses.
        classes: how many classes of tours have one of these symmetries and, but for its powers, no other;
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
    """Tours, all of them and up to the symmetries of the board, of which there are `order`."""

    count: int
    classes: int
    order: int
    fixed: tuple[SymmetryClass, ...]
    conventions: str

    _repr_html_ = shown
