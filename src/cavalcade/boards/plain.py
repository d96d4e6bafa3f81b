"""The family of plain graphs: vertices without geometry, in place of a board's family."""

from __future__ import annotations

from cavalcade.boards.family import Family


class Plain(Family):
    """A graph with n vertices, sides (n,). No spec names this family."""

    name = "graph"
    side_count = (1, 1)
    noun = "vertex"
    nouns = "vertices"

    @property
    def axes(self) -> list[str]:
        """The single coordinate is the number of the vertex."""
        return ["vertex"]

    @property
    def flat(self) -> bool:
        """Edges of a graph are not vectors."""
        return False

    @property
    def centre(self) -> None:
        """A graph has no centre."""
