"""The Problem Summary and Solution Summary that PROC OPTGRAPH prints with its TSP option.

The layout follows J. DeMaio and M. S. Alam (Using the OPTGRAPH Procedure, 2020). OPTGRAPH reads links, so the
graph has a node for each cell with a move. The lines about its own search are omitted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.verdict import Found
from cavalcade.ask.portfolio import tour
from cavalcade.ground.errors import BoardError
from cavalcade.question.moves import graph_of
from cavalcade.question.pieces import KNIGHT
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from decimal import Decimal

    from cavalcade.answers.verdict import Verdict
    from cavalcade.boards import Board
    from cavalcade.question.graph import BoardLike
    from cavalcade.question.pieces import Piece, PieceLike


#: The Solution Status where there is no tour, by our verdict.
STATUS = {"impossible": "Infeasible", "undecided": "Undecided"}


@dataclass(frozen=True)
class Summary:
    """Numbers of both summaries.

    Attributes:
        nodes: number of nodes.
        links: number of links.
        status: `Optimal`, `Infeasible`, or another state of knowledge.
        value: total weight of the tour; None without a tour.
        bound: lower bound of the weight of any tour; None if unknown.
        seconds: time of the search.
    """

    nodes: int
    links: int
    status: str  # `Optimal`, `Infeasible`, or what else is known
    value: int | Decimal | None  # the total weight of the tour, None without one
    bound: int | Decimal | None  # no tour weighs less
    seconds: float  # the time that it took

    def text(self) -> str:
        """Return both summaries, one number per line."""
        problem: dict[str, object] = {
            "Input Type": "Graph",
            "Number of Nodes": self.nodes,
            "Number of Links": self.links,
            "Graph Direction": "Undirected",
        }
        solution: dict[str, object] = {
            "Problem Type": "Traveling Salesman Problem",
            "Solution Status": self.status,
        }
        if self.value is not None and self.bound is not None:
            gap = self.value - self.bound
            relative = float(gap) / abs(float(self.bound)) if gap and self.bound else 0
            solution |= {
                "Objective Value": self.value,
                "Relative Gap": f"{relative:.4g}",
                "Absolute Gap": gap,
                "Best Bound": self.bound,
            }
        solution["Real Time"] = f"{self.seconds:.2f} s"
        parts = {"Problem Summary": problem, "Solution Summary": solution}
        return "\n".join(
            f"{title}\n" + "".join(f"  {name:<17}{value}\n" for name, value in lines.items())
            for title, lines in parts.items()
        )


def without_idle_cells(board: Board, piece: Piece = KNIGHT) -> Board:
    """Return the board without the cells that have no move; unchanged if no cell has a move."""
    idle = np.flatnonzero(graph_of(board, piece).degrees == 0).tolist()
    return board if len(idle) in {0, board.size} else board.without(idle)


def summary(
    board: BoardLike,
    *,
    piece: PieceLike | None = None,
    seed: int = 0,
    time_limit: float | None = None,
) -> tuple[Summary, Verdict]:
    """Return both summaries of a board and the verdict; arguments and errors as for `cavalcade.tour`.

    The moves of the piece are links of weight 1.

    Raises:
        BoardError: the board has cells without moves and cannot omit them.
    """
    question = Question.of(board, piece=piece)
    place = question.board
    if not place.plain:
        place = without_idle_cells(place, question.piece)
    graph = graph_of(place, question.piece)
    if idle := int(np.count_nonzero(graph.degrees == 0)):
        raise BoardError(
            f"{place.title} has no moves from {idle} of its {place.size} cells: no links to sum up"
        )
    verdict = tour(place, piece=question.piece, seed=seed, time_limit=time_limit)
    has_tour = isinstance(verdict, Found)
    status = "Optimal" if has_tour else STATUS[verdict.status]
    value = graph.size if has_tour else None
    return Summary(graph.size, graph.edge_count, status, value, value, verdict.seconds), verdict
