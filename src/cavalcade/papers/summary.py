"""PROC OPTGRAPH with the TSP statement: its options by their names, and the tables that it prints.

The tables follow J. DeMaio and M. S. Alam (Using the OPTGRAPH Procedure, 2020). OPTGRAPH reads links, so the
graph has a node for each cell with a move. `Nodes` and `Iterations` describe our search, not the search of
SAS. The table Performance Information is the last one here and the first one in SAS.
"""

from __future__ import annotations

import math
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.ask.salesman import LeastTour, WeightCallback, tsp
from cavalcade.ground.errors import BoardError, CavalcadeError
from cavalcade.question.moves import graph_of
from cavalcade.question.pieces import KNIGHT
from cavalcade.question.question import Question
from cavalcade.question.words import validated

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal
    from typing import Any

    from cavalcade.answers.tours import Tour
    from cavalcade.answers.verdict import Impossible, Undecided
    from cavalcade.boards import Board
    from cavalcade.question.graph import BoardLike, MoveGraph
    from cavalcade.question.pieces import Piece, PieceLike


#: Solution Status of each verdict without a tour.
STATUS = {"impossible": "Infeasible", "undecided": "Undecided"}
#: Options of the TSP statement that control SAS's own search or its output, and change nothing here.
IGNORED = {
    "conflictsearch", "cutoff", "cutstrategy", "emphasis", "heuristics", "logfreq", "logfrequency", "maxsols",
    "milp", "nodesel", "out", "probe", "strongiter", "stronglen", "target", "varsel",
}  # fmt: skip
#: Options of the TSP statement that limit the search.
LIMITS = ("maxtime", "maxnodes", "relobjgap", "absobjgap")
OPTION = re.compile(r"(\w+)\s*=\s*(\S+)")


@dataclass(frozen=True)
class OptgraphTables:
    """The numbers that the SAS procedure OPTGRAPH prints, and the tour.

    Attributes:
        nodes: number of nodes.
        links: number of links.
        directed: whether the links go one way.
        status: `Optimal`, `Infeasible`, or another state of knowledge.
        value: total weight of the tour; None without a tour.
        bound: lower bound of the weight of any tour; None if unknown.
        seconds: elapsed time of the search.
        cpu_seconds: processor time of the search.
        parts: nodes of the search tree: 0 if nothing had to be searched.
        iterations: pivots of the simplex method.
        ignored: options that are ignored, in capitals.
        verdict: `found`, `impossible` or `undecided`.
        tour: the tour, or None.

    Examples:
        >>> optgraph("5x6").links
        62
    """

    nodes: int
    links: int
    directed: bool
    status: str
    value: Decimal | None
    bound: Decimal | None
    seconds: float
    cpu_seconds: float
    parts: int = 0
    iterations: int = 0
    ignored: tuple[str, ...] = ()
    verdict: str = "found"
    tour: Tour | None = None

    @classmethod
    def of(
        cls,
        graph: MoveGraph,
        least: LeastTour | Impossible | Undecided,
        cpu_seconds: float,
        ignored: tuple[str, ...] = (),
    ) -> OptgraphTables:
        """Return the numbers of the answer to a question about the tours of a graph."""
        numbers = graph.size, graph.edge_count, graph.directed
        if not isinstance(least, LeastTour):
            status, seconds = STATUS[least.status], least.seconds
            return cls(*numbers, status, None, None, seconds, cpu_seconds, 0, 0, ignored, least.status)
        status = "Optimal" if least.exact else "Best found"
        columns = *numbers, status, least.weight, least.bound, least.seconds, cpu_seconds
        return cls(*columns, least.parts, least.iterations, ignored, tour=least.tour)

    def text(self) -> str:
        """Return the tables, one number per line."""
        problem: dict[str, object] = {
            "Input Type": "Graph",
            "Number of Nodes": self.nodes,
            "Number of Links": self.links,
            "Graph Direction": "Directed" if self.directed else "Undirected",
        }
        solution: dict[str, object] = {
            "Problem Type": "Traveling Salesman Problem",
            "Solution Status": self.status,
        }
        if self.value is not None and self.bound is not None:
            gap = abs(self.value - self.bound)
            relative = float(gap) / abs(float(self.bound)) if gap and self.bound else 0
            # The tour is checked: it uses whole links, as often as it must.
            infeasibility = dict.fromkeys(
                ("Primal Infeasibility", "Bound Infeasibility", "Integer Infeasibility"), 0
            )
            solution |= {
                "Objective Value": self.value,
                "Relative Gap": f"{relative:.4g}",
                "Absolute Gap": gap,
                **infeasibility,
                "Best Bound": self.bound,
                "Nodes": self.parts,
                "Iterations": self.iterations,
            }
        solution |= {"CPU Time": f"{self.cpu_seconds:.2f} s", "Real Time": f"{self.seconds:.2f} s"}
        parts = {
            "Problem Summary": problem,
            "Solution Summary": solution,
            "Performance Information": {"Execution Mode": "Single-Machine", "Number of Threads": 1},
        }
        return "\n".join(f"{title}\n{_rows(lines)}" for title, lines in parts.items())


def _rows(lines: Mapping[str, object]) -> str:
    """Return the rows of a table."""
    return "".join(f"{row(name, value)}\n" for name, value in lines.items())


def row(name: str, value: object) -> str:
    """Return a row of a table."""
    return f"  {name:<23}{value}"


def without_idle_cells(board: Board, piece: Piece = KNIGHT) -> Board:
    """Return the board without the cells that have no move; unchanged if no cell has a move."""
    idle = np.flatnonzero(graph_of(board, piece).degrees == 0).tolist()
    return board if len(idle) in {0, board.size} else board.without(idle)


@validated
def optgraph(
    board: BoardLike,
    weights: Sequence[Decimal | float] | Mapping[tuple[Any, Any], Decimal | float] | None = None,
    *,
    options: str = "",
    piece: PieceLike | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    progress: WeightCallback | None = None,
) -> OptgraphTables:
    """Solve a travelling salesman problem and return the numbers that the SAS procedure OPTGRAPH prints.

    Args:
        board: a board, its spec, or a move graph. Cells of a board that have no move are left out, because
            they are in no link.
        weights: weight of each link, as for `tsp`; by default 1.
        options: options of the TSP statement, such as "maxtime=60 relobjgap=0.01". MAXTIME (seconds),
            MAXNODES (nodes of the search tree), RELOBJGAP and ABSOBJGAP (gaps at which the search ends)
            limit the search. Other options of the statement are ignored and listed in `ignored`.
        piece: the piece, by default the knight.
        seed: seed of the random choices.
        time_limit: seconds, by default ten; MAXTIME is used instead if it is less.
        progress: called with the weight of the lightest tour and the bound, as for `tsp`.

    Raises:
        CavalcadeError: as `tsp`; or the TSP statement has no such option.
        BoardError: no cell has a move.

    Examples:
        >>> optgraph("5x6").value
        Decimal('30')
        >>> optgraph("5x6", options="maxnodes=100 heuristics=none").ignored
        ('HEURISTICS',)
    """
    limits, ignored = _limits(options)
    question = Question.of(board, piece=piece)
    place = question.board
    if not place.plain and weights is None:
        place = without_idle_cells(place, question.piece)
    graph = graph_of(place, question.piece)
    if idle := int(np.count_nonzero(graph.degrees == 0)):
        raise BoardError(
            f"{place.title} has no moves from {idle} of its {place.size} cells: no links to sum up"
        )
    seconds = min(10.0 if time_limit is None else time_limit, limits.get("maxtime", math.inf))
    began = time.process_time()
    least = tsp(
        place, weights, piece=question.piece, seed=seed, time_limit=seconds, progress=progress,
        max_parts=limits.get("maxnodes"), relative_gap=limits.get("relobjgap", 0),
        absolute_gap=limits.get("absobjgap", 0),
    )  # fmt: skip
    cpu_seconds = time.process_time() - began
    return OptgraphTables.of(graph, least, cpu_seconds, ignored)


def _limits(options: str) -> tuple[dict[str, float], tuple[str, ...]]:
    """Return the values of the options that limit the search, and the names of ignored options.

    Raises:
        CavalcadeError: the text contains anything else.
    """
    limits, ignored = dict[str, float](), list[str]()
    if rest := OPTION.sub("", options).strip():
        raise CavalcadeError(f"{rest[:60]!r} is not an option, expected NAME=VALUE such as maxtime=60")
    for name, value in OPTION.findall(options):
        if name.lower() in IGNORED:
            ignored.append(name.upper())
            continue
        if name.lower() not in LIMITS:
            raise CavalcadeError(
                f"TSP has no option {name.upper()}, expected {', '.join(LIMITS).upper()} or an ignored one"
            )
        try:
            limits[name.lower()] = float(value)
        except ValueError:
            limits[name.lower()] = -1
        if not limits[name.lower()] >= 0:
            raise CavalcadeError(f"{name.upper()}={value}: expected a number of at least 0")
    return limits, tuple(ignored)
