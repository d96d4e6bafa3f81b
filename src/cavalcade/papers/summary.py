"""The Problem Summary and the Solution Summary that PROC OPTGRAPH prints with its TSP option.

As J. DeMaio and M. S. Alam show them (Using the OPTGRAPH Procedure, 2020). The graph has a node for each cell
with a move: OPTGRAPH knows no others, as it sees links only. The lines about its own search are left out.
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
    """The numbers of both summaries."""

    nodes: int
    links: int
    status: str  # `Optimal`, `Infeasible`, or what else is known
    value: int | Decimal | None  # the total weight of the tour, None without one
    bound: int | Decimal | None  # no tour weighs less
    seconds: float  # the time that it took

    def text(self) -> str:
        """Both summaries, a line a number."""
        problem: dict[str, object] = {
            "Input Type": "Graph",
            "Number of Nodes": self.nodes,
            "Number of Links": self.links,
            "Graph Direction": "Undirected",
        }
        found: dict[str, object] = {
            "Problem Type": "Traveling Salesman Problem",
            "Solution Status": self.status,
        }
        if self.value is not None and self.bound is not None:
            gap = self.value - self.bound
            relative = float(gap) / abs(float(self.bound)) if gap and self.bound else 0
            found |= {
                "Objective Value": self.value,
                "Relative Gap": f"{relative:.4g}",
                "Absolute Gap": gap,
                "Best Bound": self.bound,
            }
        found["Real Time"] = f"{self.seconds:.2f} s"
        parts = {"Problem Summary": problem, "Solution Summary": found}
        return "\n".join(
            f"{title}\n" + "".join(f"  {name:<17}{value}\n" for name, value in lines.items())
            for title, lines in parts.items()
        )


def without_idle_cells(board: Board, piece: Piece = KNIGHT) -> Board:
    """The board of the nodes: cells without a move left out, but where no cell has one."""
    idle = np.flatnonzero(graph_of(board, piece).degrees == 0).tolist()
    return board if len(idle) in {0, board.size} else board.without(idle)


def summary(
    board: BoardLike,
    *,
    piece: PieceLike | None = None,
    seed: int = 0,
    time_limit: float | None = None,
) -> tuple[Summary, Verdict]:
    """Both summaries of a board, and the answer behind them; arguments and errors as for `cavalcade.tour`.

    The piece's moves are links of weight 1.

    Raises:
        BoardError: the board has no moves at all.
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
    found = isinstance(verdict, Found)
    status = "Optimal" if found else STATUS[verdict.status]
    value = graph.size if found else None
    return Summary(graph.size, graph.edge_count, status, value, value, verdict.seconds), verdict
