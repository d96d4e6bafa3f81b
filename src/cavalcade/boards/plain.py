"""Plain graphs where a board is expected: vertices in a row, with neither moves of a piece nor a shape."""

from __future__ import annotations

from cavalcade.boards.family import Family


class Plain(Family):
    """What a plain graph of n vertices, (n,), answers where a board's family is asked. No spec names it."""

    name = "graph"
    how_many = (1, 1)
    noun = "vertex"
    nouns = "vertices"

    @property
    def axes(self) -> list[str]:
        """A vertex has its number."""
        return ["vertex"]

    @property
    def flat(self) -> bool:
        """Its edges are no vectors."""
        return False

    @property
    def centre(self) -> None:
        """There is no centre."""
