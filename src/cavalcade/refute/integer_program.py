"""A light tour by integer programs, over the few edges whose reduced costs are small.

A dual solution of the linear program gives each edge a reduced cost: the bound for tours that use the edge is
at least the bound of the program plus its reduced cost. Edges of small reduced cost therefore contain the
lightest tours. An integer program over these edges, with the cuts of the linear program, finds the lightest
cycle cover; if the cover consists of several cycles, the sets of their vertices are further cuts (G. B.
Dantzig, D. R. Fulkerson and S. M. Johnson, Solution of a large-scale traveling-salesman problem, Operations
Research 2, 1954).

HiGHS solves the programs (`scipy.optimize.milp`) with cuts of its own, which leave no proof. So only the tour
is used; `refute.least` proves how light a tour can be.

Time: with random weights from 1 to 100, eight programs for knight's moves of 50x50, each with 5,000
edges, take 16 seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.cycles.walking import cycle_of_all, neighbours_of
from cavalcade.ground.budget import SECOND, Budget
from cavalcade.ground.kernels import Cells, Ints
from cavalcade.question.parts import components, rows_from
from cavalcade.refute.linear import TINY
from cavalcade.refute.relaxation import Cut, Relaxation, incidence, time_option

if TYPE_CHECKING:
    from cavalcade.refute.relaxation import Floats


def lightest_cycle(
    relaxation: Relaxation,
    reduced_costs: Floats,
    count: int,
    most: float,
    budget: Budget,
    nodes: int = 100,
) -> Cells | None:
    """Return a light Hamiltonian cycle.

    The search is limited by a number of nodes and not by time, so that a busy machine finds the same cycle.

    Args:
        relaxation: the graph and the cuts.
        reduced_costs: reduced cost of each edge, shape (m,).
        count: number of edges in the program; edges of least reduced cost are chosen.
        most: greatest weight of interest.
        budget: charged for each program.
        nodes: number of nodes of the search trees, in all programs together. Knight's moves of 30x30, 40x40
            and 50x50 take one node for each of at most 8 programs; more nodes would delay the proof of graphs
            without such a cycle.

    Returns:
        The vertices of the cycle in order; None if the edges contain no cycle of this weight, or the
        programs find none within the nodes.

    Raises:
        BudgetOverError: the budget is spent.
        TimeoutError: the time limit is reached.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_matrix, vstack

    size = relaxation.size
    last = min(count, len(reduced_costs)) - 1
    threshold = max(float(np.partition(reduced_costs, last)[last]), 0)
    columns = np.flatnonzero(reduced_costs <= threshold)
    edges = relaxation.edges[columns]
    forced = (reduced_costs[columns] < -threshold).astype(np.float64)
    rows = [incidence(size, edges)]
    lower, upper = [2.0] * size, [2.0] * size
    cuts = relaxation.cuts
    while nodes > 0:
        if cuts:
            rows.append(
                csr_matrix(np.array([relaxation.line(cut, columns) for cut in cuts], dtype=np.float64))
            )
            lower += [cut.demand for cut in cuts]
            upper += [np.inf] * len(cuts)
        budget.charge(SECOND / 4 + size * len(columns))
        result = milp(
            relaxation.weights[columns],
            constraints=LinearConstraint(vstack(rows, format="csr"), lower, upper),
            integrality=np.ones(len(columns)),
            bounds=Bounds(forced, 1),
            options={"node_limit": nodes, **time_option()},
        )
        # There is no cycle cover, none within the limits, or none light enough. After the time limit, the
        # next charge raises TimeoutError.
        if result.x is None or result.mip_dual_bound > most + TINY:
            return None
        nodes -= max(int(result.mip_node_count), 1)
        used = edges[result.x > 0.5]
        parts, label = components(rows_from(size, *used.T))
        if parts == 1:
            return cycle_along(used)
        cuts = [Cut(tuple(np.flatnonzero(label == part).tolist())) for part in range(parts)]
    return None


def cycle_along(edges: Ints) -> Cells:
    """Return the vertices of the Hamiltonian cycle that consists of these edges, in order."""
    return cycle_of_all(*neighbours_of(edges.astype(np.int32)).T[::-1])
