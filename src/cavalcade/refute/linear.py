"""Numbers for cells and sets of cells that demand more than all moves supply: the rule `linear`.

A tour is a point of a polytope: each edge has a number from 0 to 1. The numbers of the edges at each cell add
up to 2, and the numbers of the edges that leave a set of cells to at least 2. If the polytope is empty, the
dual program proves it (G. B. Dantzig, D. R. Fulkerson and S. M. Johnson, Solution of a large-scale
traveling-salesman problem, Operations Research 2, 1954). The dual optimum gives each cell and each set a
number. Most dual optima have a small common denominator, which makes the numbers integers.

There are too many sets to put all of them into the program. It starts without sets, and each solution adds
the sets that its edges leave less than twice: parts of the graph of its edges, or minimum cuts after the
edges with the number 1 are contracted (M. Padberg and G. Rinaldi, An efficient algorithm for the minimum
capacity cut problem, Mathematical Programming 47, 1990).

Odd sets, the other inequalities of 2-factors (J. Edmonds, Maximum matching and a polyhedron with
0,1-vertices, 1965), are not in the program. Of 1,300 random graphs, most of them odd cycles joined by paths,
223 had no 2-factor and a solution; the rule `parity` refuted 222 of these without cases.

If a tour must have k coils, the program has one more line: the numbers of the edges that begin a coil add up
to k. The numbers of this line and of the cells are the potentials of an assignment, which shows the least or
the greatest number of coils of any cycle cover (H. W. Kuhn, The Hungarian method for the assignment problem,
1955).

Time: some 20 ms for a program of a thousand cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.certificate import Step, StepProof, Term
from cavalcade.ground.budget import Budget, BudgetOverError
from cavalcade.question.parts import components, rows_from
from cavalcade.question.question import Question
from cavalcade.refute.min_cuts import cut_tree
from cavalcade.refute.sets import mask_of

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    Cells = NDArray[np.integer]
    Mask = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Terms = tuple[Term, ...]

# Largest denominator of a dual solution that is tried. Of 850 random graphs 828 needed 1, the others 2 or 3.
FRACTION = 24
TINY = 1e-6  # tolerance of floating-point solutions


def linear(question: Question, budget: Budget, *, seed: int = 0) -> StepProof | None:
    """A proof of one step, or None if the linear program, with sets on demand, has a solution: an engine."""
    del seed
    graph = question.as_cycle
    try:
        terms = _terms(graph.size, graph.edges(), _coils(question), budget)
    except BudgetOverError:
        return None
    return None if terms is None else StepProof((Step("linear", terms=terms),))


def _coils(question: Question) -> tuple[int, Mask] | None:
    """The required number of coils, and a mask of the edges that begin a coil; None without such a number."""
    if question.coils is None:
        return None
    n, (heads, tails) = question.board.size, question.as_cycle.edges().T
    begin = tails >= 2 * n  # from `c>` to `>d`; other edges are inside a cell
    moves = np.stack([tails[begin] - 2 * n, heads[begin] - n], axis=1)
    begin[begin] = question.rising(moves)
    return question.coils, begin


def _terms(n: int, edges: Cells, coils: tuple[int, Mask] | None, budget: Budget) -> Terms | None:
    """The terms of a proof: sets of cells with their numbers. The line of the coils has the empty set."""
    from scipy.sparse import csr_matrix, vstack

    count = len(edges)
    ones = np.ones(2 * count, dtype=np.int64)
    rows = csr_matrix((ones, (edges.ravel(), np.repeat(np.arange(count), 2))), shape=(n, count))
    sets: list[Cells] = [np.array([cell]) for cell in range(n)]
    exact = np.full(n, 2)
    if coils is not None:
        rows = vstack([rows, csr_matrix(coils[1].astype(np.int64))], format="csr")
        sets.append(np.zeros(0, dtype=np.int64))
        exact = np.append(exact, coils[0])
    while True:
        # Setting up a linear program takes 6 ms; solving it takes a step for each pair of rows and columns.
        budget.charge(600_000 + (count + len(sets)) ** 2 / 2)
        solution, dual = _solved(rows, exact)
        if solution is None:
            demand = np.append(exact, np.full(len(sets) - len(exact), 2))
            if (numbers := _whole(rows, demand, dual)) is None:
                return None
            numbers = _reduced(rows, demand, numbers)
            return tuple(
                Term(int(numbers[k]), tuple(sets[k].tolist())) for k in np.flatnonzero(numbers).tolist()
            )
        if not (violated := violated_sets(n, edges, solution, budget)):
            return None
        sets += violated
        leaving = [mask_of(cells, n)[edges].sum(axis=1) == 1 for cells in violated]
        rows = vstack([rows, csr_matrix(np.array(leaving, dtype=np.int64))], format="csr")


def _solved(rows: csr_matrix, exact: Cells) -> tuple[Floats | None, Floats]:
    """Solve the linear program.

    The program minimizes the amount by which the lines are violated. If the minimum is positive, the dual
    solution proves it.

    Args:
        rows: matrix of the lines: the edges at each cell, the edges that begin a coil, the edges that leave
            each set. The columns are the edges.
        exact: number of edges that a tour uses, for each of the first lines. Each of the other lines needs at
            least 2.

    Returns:
        A number for each edge that satisfies all lines, or None; and the dual solution in that case.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix, hstack, identity

    n, (lines, count) = len(exact), rows.shape
    sets = lines - n
    cells = hstack([rows[:n], identity(n), -identity(n), csr_matrix((n, sets))], format="csr")
    leave = hstack([-rows[n:], csr_matrix((sets, 2 * n)), -identity(sets)], format="csr")
    optimum = linprog(
        np.repeat([0.0, 1.0], [count, lines + n]),
        A_eq=cells, b_eq=exact.astype(np.float64), A_ub=leave, b_ub=np.full(sets, -2.0),
        bounds=np.repeat([[0, 1], [0, np.inf]], [count, lines + n], axis=0), method="highs-ds",
    )  # fmt: skip
    if optimum.fun is None or optimum.fun <= TINY:
        return optimum.x[:count], np.zeros(0)
    return None, np.concatenate([optimum.eqlin.marginals, np.maximum(-optimum.ineqlin.marginals, 0)])


def _excess(rows: csr_matrix, demand: Cells, numbers: Cells) -> int:
    """Demand of the lines, weighted by their numbers, minus supply; positive if the numbers refute."""
    return int(demand @ numbers - np.maximum(rows.T @ numbers, 0).sum())


def _whole(rows: csr_matrix, demand: Cells, dual: Floats) -> Cells | None:
    """Integers that refute, in the proportions of a dual solution, with the smallest denominator."""
    for fraction in range(1, FRACTION + 1):
        numbers = np.rint(dual * fraction).astype(np.int64)
        if _excess(rows, demand, numbers) > 0:
            return numbers
    return None


def _reduced(rows: csr_matrix, demand: Cells, numbers: Cells) -> Cells:
    """Set numbers to 0 while the others refute: outside one connected part, then one after another."""
    from scipy.sparse import diags

    before = -1
    while before != (before := int(np.count_nonzero(numbers))):
        used = diags((numbers != 0).astype(np.float64)) @ rows
        shared = (used @ used.T).tocoo()
        _, part = components(rows_from(len(numbers), shared.row, shared.col))
        parts = [np.where(part == k, numbers, 0) for k in np.unique(part[numbers != 0])]
        numbers = min((p for p in parts if _excess(rows, demand, p) > 0), key=np.count_nonzero)
        for k in np.flatnonzero(numbers)[::-1].tolist():
            fewer = numbers.copy()
            fewer[k] = 0
            if _excess(rows, demand, fewer) > 0:
                numbers = fewer
    return np.asarray(numbers // np.gcd.reduce(numbers))


def violated_sets(n: int, edges: Cells, solution: Floats, budget: Budget) -> list[Cells]:
    """Sets of cells that the edges of a solution leave less than twice, at most n / 2 cells each.

    Raises:
        BudgetOverError: the budget is spent.
        TimeoutError: the time limit is reached.
    """

    def half(cells: Mask) -> Cells:
        return np.flatnonzero(cells if 2 * np.count_nonzero(cells) <= n else ~cells)

    # If the edges of the solution connect only parts of the graph, no edge leaves a part.
    parts, label = components(rows_from(n, *edges[solution > TINY].T))
    if parts > 1:
        by_size = np.argsort(np.bincount(label), kind="stable")
        return [half(label == k) for k in by_size[:-1].tolist()]
    # Otherwise contract the edges with the number 1, and compute minimum cuts between all other parts.
    parts, label = components(rows_from(n, *edges[solution > 1 - TINY].T))
    inner = (label[edges[:, 0]] != label[edges[:, 1]]) & (solution > TINY)
    # Capacities are integers, in multiples of TINY.
    units = np.rint(solution[inner] / TINY).astype(np.int64)
    sides, values = cut_tree(parts, label[edges[inner]], units, budget)
    violated = np.flatnonzero(values * TINY < 2 - 10 * TINY)
    order = violated[np.argsort(values[violated], kind="stable")]
    return [half(side[label]) for side in sides[order]]
