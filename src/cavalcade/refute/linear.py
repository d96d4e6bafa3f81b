"""Numbers for cells and sets of cells that demand more than all moves supply: the rule `linear`.

A tour is a point of a polytope: a number from 0 to 1 for each edge, 2 in all at every cell, 2 or more out of
every set of cells. If the polytope is empty, the dual program says why (G. B. Dantzig, D. R. Fulkerson and
S. M. Johnson, Solution of a large-scale traveling-salesman problem, Operations Research 2, 1954). Its optimum
gives each cell and each set a number. Most are multiples of one fraction, which makes them whole.

Not all sets are in the program, which would be too many, but those that a solution so far leaves too seldom:
parts of the graph of its edges, or minimum cuts (M. Padberg and G. Rinaldi, An efficient algorithm for the
minimum capacity cut problem, Mathematical Programming 47, 1990: the shrinking of edges with the number 1).

Odd sets, the other inequalities of 2-factors (J. Edmonds, Maximum matching and a polyhedron with
0,1-vertices, 1965), are not in the program. Of 1,300 random graphs, most of them odd cycles joined by paths,
223 had no 2-factor and a solution; the rule `parity` refuted 222 of these without cases.

Where a tour is to have k coils, that is one line more: k in all on the edges that begin a coil. Its number
and those of the cells are then the potentials of an assignment, which shows the least or the most coils of
any cover by cycles (H. W. Kuhn, The Hungarian method for the assignment problem, 1955).

Time: some 20 ms for a program of a thousand cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.certificate import Step, StepProof
from cavalcade.ground.budget import Budget, BudgetOverError
from cavalcade.question.parts import Rows, components, reached, rows_from
from cavalcade.question.question import Question
from cavalcade.refute.sets import mask_of

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    Cells = NDArray[np.integer]
    Mask = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Terms = tuple[tuple[int, tuple[int, ...]], ...]

CUTS = 30  # sets added after one solution: more sets make fewer but larger programs
FRACTION = 24  # the largest denominator that is tried; of 850 random graphs 828 needed 1, the others 2 or 3
TINY = 1e-6  # the tolerance of floating-point solutions
CALL = 600_000  # work to set up a linear program
PROGRAM = 0.4  # work of a linear program for each pair of its rows and columns
FLOW = 30  # work of a minimum cut between two cells for each edge
SCALE = 1 << 24  # capacities of a minimum cut are integers: fractions times this


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
    """How many coils are wanted, and which edges begin one; None if any number will do."""
    if question.coils is None:
        return None
    n, (heads, tails) = question.board.size, question.as_cycle.edges().T
    begin = tails >= 2 * n  # from `c>` to `>d`; other edges are inside a cell
    moves = np.stack([tails[begin] - 2 * n, heads[begin] - n], axis=1)
    begin[begin] = question.rising(moves)
    return question.coils, begin


def _terms(n: int, edges: Cells, coils: tuple[int, Mask] | None, budget: Budget) -> Terms | None:
    """Sets of cells, each with its number; none of them for the coils."""
    from scipy.sparse import csr_matrix, vstack

    count = len(edges)
    both, every = edges.ravel(), np.repeat(np.arange(count), 2)
    rows = csr_matrix((np.ones(2 * count, dtype=np.int64), (both, every)), shape=(n, count))
    sets: list[Cells] = [np.array([cell]) for cell in range(n)]
    exact = np.full(n, 2)
    if coils is not None:
        rows = vstack([rows, csr_matrix(coils[1].astype(np.int64))], format="csr")
        sets.append(np.zeros(0, dtype=np.int64))
        exact = np.append(exact, coils[0])
    while True:
        budget.charge(PROGRAM * (count + len(sets)) ** 2 + CALL)
        solution, numbers = _solved(rows, exact)
        if solution is None:
            owed = np.append(exact, np.full(len(sets) - len(exact), 2))
            if (whole := _whole(rows, owed, numbers)) is None:
                return None
            whole = _fewer(rows, owed, whole)
            return tuple((int(whole[k]), tuple(sets[k].tolist())) for k in np.flatnonzero(whole).tolist())
        if not (more := _left_too_seldom(n, edges, solution, budget)):
            return None
        sets += more
        leaving = [mask_of(cells, n)[edges].sum(axis=1) == 1 for cells in more]
        rows = vstack([rows, csr_matrix(np.array(leaving, dtype=np.int64))], format="csr")


def _solved(rows: csr_matrix, exact: Cells) -> tuple[Floats | None, Floats]:
    """A number for each edge, so that all lines are fulfilled; or none, and the dual solution that says why.

    The program looks for the least by which the lines fail, and the dual solution shows that it is not less.

    Args:
        rows: which edges leave each cell, begin a coil, and leave each set.
        exact: how many a tour uses of the first of these; of the others, two or more.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix, hstack, identity

    n, (lines, count) = len(exact), rows.shape
    sets = lines - n
    cells = hstack([rows[:n], identity(n), -identity(n), csr_matrix((n, sets))], format="csr")
    leave = hstack([-rows[n:], csr_matrix((sets, 2 * n)), -identity(sets)], format="csr")
    found = linprog(
        np.repeat([0.0, 1.0], [count, lines + n]),
        A_eq=cells, b_eq=exact.astype(np.float64), A_ub=leave, b_ub=np.full(sets, -2.0),
        bounds=np.repeat([[0, 1], [0, np.inf]], [count, lines + n], axis=0), method="highs-ds",
    )  # fmt: skip
    if found.fun is None or found.fun <= TINY:
        return found.x[:count], np.zeros(0)
    return None, np.concatenate([found.eqlin.marginals, np.maximum(-found.ineqlin.marginals, 0)])


def _gap(rows: csr_matrix, owed: Cells, numbers: Cells) -> int:
    """By how much the lines with these numbers ask for more than there is; above 0 if they refute."""
    return int(owed @ numbers - np.maximum(rows.T @ numbers, 0).sum())


def _whole(rows: csr_matrix, owed: Cells, numbers: Floats) -> Cells | None:
    """Whole numbers in the same proportions that refute, with the smallest denominator."""
    for fraction in range(1, FRACTION + 1):
        whole = np.rint(numbers * fraction).astype(np.int64)
        if _gap(rows, owed, whole) > 0:
            return whole
    return None


def _fewer(rows: csr_matrix, owed: Cells, numbers: Cells) -> Cells:
    """Some of the numbers that refute alone: of one connected part, without those that can be left out."""
    from scipy.sparse import diags

    before = -1
    while before != (before := int(np.count_nonzero(numbers))):
        used = diags((numbers != 0).astype(np.float64)) @ rows
        shared = (used @ used.T).tocoo()
        _, part = components(rows_from(len(numbers), shared.row, shared.col))
        parts = [np.where(part == k, numbers, 0) for k in np.unique(part[numbers != 0])]
        numbers = min((some for some in parts if _gap(rows, owed, some) > 0), key=np.count_nonzero)
        for k in np.flatnonzero(numbers)[::-1].tolist():
            less = numbers.copy()
            less[k] = 0
            if _gap(rows, owed, less) > 0:
                numbers = less
    return np.asarray(numbers // np.gcd.reduce(numbers))


def _left_too_seldom(n: int, edges: Cells, solution: Floats, budget: Budget) -> list[Cells]:
    """Sets that a solution leaves less than twice, each in its smaller half; none if there are none."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_flow

    def half(cells: Mask) -> Cells:
        return np.flatnonzero(cells if 2 * np.count_nonzero(cells) <= n else ~cells)

    parts, label = components(rows_from(n, *edges[solution > TINY].T))
    if parts > 1:
        smallest = np.argsort(np.bincount(label), kind="stable")[: min(CUTS, parts - 1)]
        return [half(label == k) for k in smallest.tolist()]
    parts, label = components(rows_from(n, *edges[solution > 1 - TINY].T))
    inner = (label[edges[:, 0]] != label[edges[:, 1]]) & (solution > TINY)
    capacity = np.rint(solution[inner] * SCALE).astype(np.int32)
    tails, heads = label[edges[inner]].T
    net = csr_matrix((capacity, (tails, heads)), shape=(parts, parts))
    net += net.T
    found: list[Cells] = []
    known = np.zeros(parts, dtype=np.bool_)  # in a set that was found
    for sink in range(1, parts):
        if known[sink]:
            continue
        budget.charge(FLOW * net.nnz)
        flow = maximum_flow(net, 0, sink)
        if flow.flow_value < (2 - 10 * TINY) * SCALE:
            rest = net - flow.flow
            rest.eliminate_zeros()
            side = np.ones(parts, dtype=np.bool_)
            side[reached(Rows(rest.indptr, rest.indices), 0)] = False
            known |= side
            found.append(half(side[label]))
            if len(found) == CUTS:
                break
    return found
