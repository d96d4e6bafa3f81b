"""Lower bounds for the weight of a tour: a linear program with inequalities of sets and odd sets on demand.

A tour is a point of a polytope: each edge has a number from 0 to 1, and the numbers of the edges at each
vertex add up to 2. The program minimizes the weight over the points that also satisfy, as far as they were
violated,

- *sets*: the edges that leave a set of vertices add up to at least 2 (G. B. Dantzig, D. R. Fulkerson and
  S. M. Johnson, Solution of a large-scale traveling-salesman problem, Operations Research 2, 1954);
- *odd sets*: let F be an odd number of the edges that leave a set. A tour leaves the set an even number of
  times, so if it uses all edges of F, it uses another. The edges outside F minus the edges of F add up to at
  least 1 - |F| (J. Edmonds, Maximum matching and a polyhedron with 0,1-vertices, 1965). With disjoint edges
  in F these are the 2-matching or blossom inequalities.

Dense graphs begin with the lightest edges of each vertex. Other edges enter the program when their reduced
costs are negative, so that the optimum is the optimum over all edges.

The dual optimum, multiplied and rounded to integers, is a proof: see `checking.rules.linear`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.certificate import Term
from cavalcade.ground.budget import Budget, seconds_left
from cavalcade.ground.kernels import Ints, Mask
from cavalcade.refute.linear import TINY, violated_sets
from cavalcade.refute.min_cuts import cut_tree
from cavalcade.refute.sets import mask_of

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    Floats = NDArray[np.float64]

# The program of a dense graph begins with the lightest edges of each vertex: of random points in the plane,
# a shortest tour consists of such edges, with few exceptions.
LIGHTEST = 8
# Multipliers of dual solutions that are tried before rounding. Nearly all optima of small programs have
# denominators up to 12; a large multiplier also serves a bound with a gap.
MULTIPLIERS = (*range(1, 13), 24, 60, 120, 1_000, 10_000, 100_000)


class Cut(NamedTuple):
    """An inequality of a set, or of an odd set.

    Attributes:
        cells: the vertices of the set, ascending.
        odd: numbers of an odd number of edges that leave the set; none for the inequality of a set.
    """

    cells: tuple[int, ...]
    odd: tuple[int, ...] = ()

    @property
    def demand(self) -> int:
        """The right side: how much the edges must add up to, at least."""
        return 1 - len(self.odd) if self.odd else 2


class Dual(NamedTuple):
    """A dual solution of the program.

    Attributes:
        vertices: number of each vertex, of any sign, shape (n,).
        cuts: pairs of a cut and its number, at least 0; cuts with the number 0 are left out.
    """

    vertices: Floats
    cuts: tuple[tuple[Cut, float], ...]


class Optimum(NamedTuple):
    """An optimum of the program.

    Attributes:
        value: the least weight; infinite if no point satisfies the inequalities.
        numbers: number of each edge, shape (m,).
        dual: the dual solution; if `value` is infinite, a solution of the homogeneous dual with positive
            value.
    """

    value: float
    numbers: Floats
    dual: Dual

    @property
    def fractional(self) -> Ints:
        """The edges whose numbers are neither 0 nor 1."""
        return fractional(self.numbers)


class Relaxation:
    """The program of a weighted graph, with the cuts found so far.

    Args:
        size: number n of vertices.
        edges: ends of the m edges, shape (m, 2).
        weights: weight of each edge, integers.

    Attributes:
        cuts: the inequalities of the program.
        active: mask of the edges in the program.
        pivots: number of pivots of the simplex method so far.
        lower, upper: bounds of the number of each edge; equal to 1 if the edge is forced, to 0 if it is ruled
            out.
    """

    def __init__(self, size: int, edges: Ints, weights: Ints) -> None:
        self.size, self.edges, self.weights = size, edges, weights
        self.cuts: list[Cut] = []
        self.pivots = 0
        self.lower, self.upper = np.zeros(len(edges)), np.ones(len(edges))
        self.active = lightest(size, edges, weights, LIGHTEST)
        self._potential = np.zeros(size)  # numbers of the vertices in the last dual solution
        self._lines: list[NDArray[np.int8]] = []  # coefficients of the active edges in each cut

    # ---- the program

    def activate(self, edges: Ints | Mask) -> None:
        """Add edges to the program."""
        if not self.active[edges].all():
            self.active[edges] = True
            self._state_again()

    def reduced_costs(self, dual: Dual) -> Floats:
        """Return the weights of the edges minus their values in a dual solution, shape (m,)."""
        return np.asarray(self.weights - self.values(dual))

    def narrow(self, reduced_costs: Floats, gap: float) -> None:
        """Remove the edges whose reduced costs exceed a gap; no tour within the gap uses them.

        Later programs are smaller. The edges return if their reduced costs become negative.
        """
        kept = reduced_costs <= gap + TINY
        if not kept[self.active].all():
            self.active &= kept
            self._state_again()

    def _state_again(self) -> None:
        """Compute the coefficients of all cuts for the active edges."""
        columns = np.flatnonzero(self.active)
        self._lines = [self.line(cut, columns) for cut in self.cuts]

    def add(self, cuts: list[Cut]) -> None:
        """Add inequalities to the program."""
        columns = np.flatnonzero(self.active)
        self.cuts += cuts
        self._lines += [self.line(cut, columns) for cut in cuts]

    def forget(self, optimum: Optimum) -> None:
        """Remove the inequalities that have the number 0 in an optimum, if they are more than half."""
        used = {cut for cut, _ in optimum.dual.cuts}
        if len(used) < len(self.cuts) / 2:
            kept = [k for k, cut in enumerate(self.cuts) if cut in used]
            self.cuts, self._lines = [self.cuts[k] for k in kept], [self._lines[k] for k in kept]

    def line(self, cut: Cut, columns: Ints) -> NDArray[np.int8]:
        """Return the coefficients of edges in an inequality: 1 if they leave the set, -1 if they are odd."""
        inside = mask_of(np.array(cut.cells), self.size)[self.edges[columns]]
        line = (inside[:, 0] != inside[:, 1]).astype(np.int8)
        odd = np.array(cut.odd, dtype=np.int64)
        places = np.minimum(np.searchsorted(columns, odd), len(columns) - 1)
        line[places[columns[places] == odd]] = -1
        return np.asarray(line)

    def solve(self, budget: Budget, *, priced: bool) -> Optimum:
        """Return the optimum of the program.

        Args:
            budget: charged with a step for each pair of a row and a column.
            priced: whether edges with negative reduced costs enter the program, until there are none.

        Raises:
            BudgetOverError: the budget is spent.
            TimeoutError: the time limit is reached.
        """
        while True:
            optimum = self._optimum(budget)
            if not priced or self.active.all():
                return optimum
            weights = self.weights if math.isfinite(optimum.value) else np.zeros_like(self.weights)
            reduced = weights - self.values(optimum.dual)
            negative = np.flatnonzero((reduced < -TINY) & ~self.active & (self.upper > 0))
            if not len(negative):
                return optimum
            self.activate(negative[np.argsort(reduced[negative], kind="stable")[: 2 * self.size]])

    def _optimum(self, budget: Budget) -> Optimum:
        """Return the optimum over the active edges."""
        from scipy.optimize import linprog
        from scipy.sparse import csr_matrix, hstack, identity

        columns = np.flatnonzero(self.active)
        n, count, lines = self.size, len(columns), len(self.cuts)
        # Setting up a program takes 6 ms; solving it takes about a step for each pair of a row and a column.
        budget.charge(600_000 + (n + lines) * count / 4)
        vertices = incidence(n, self.edges[columns])
        cuts = -csr_matrix(np.array(self._lines, dtype=np.float64).reshape(lines, count))
        demands = -np.array([cut.demand for cut in self.cuts], dtype=np.float64)
        limits = time_option()
        bounds = np.stack([self.lower[columns], self.upper[columns]], axis=1)
        # The solver starts without a basis. Costs reduced by the last numbers of the vertices save it half of
        # the pivots; presolving, which loses what these costs tell, is slower.
        potential = self._potential
        result = linprog(
            self.weights[columns] - potential[self.edges[columns]].sum(axis=1),
            A_eq=vertices, b_eq=np.full(n, 2.0), A_ub=cuts, b_ub=demands,
            bounds=bounds, method="highs-ds", options={"presolve": False, **limits},
        )  # fmt: skip
        self.pivots += int(result.nit)
        value, numbers = result.fun, result.x
        if result.status == 1:  # the solver reached its time limit
            raise TimeoutError("the time limit is reached")
        if result.x is None:  # minimize the violation instead: its dual proves that no point exists
            result = linprog(
                np.repeat([0.0, 1.0], [count, 2 * n + lines]),
                A_eq=hstack([vertices, identity(n), -identity(n), csr_matrix((n, lines))], format="csr"),
                b_eq=np.full(n, 2.0),
                A_ub=hstack([cuts, csr_matrix((lines, 2 * n)), -identity(lines)], format="csr"),
                b_ub=demands,
                bounds=np.concatenate([bounds, np.repeat([[0.0, np.inf]], 2 * n + lines, axis=0)]),
                method="highs-ds", options=limits,
            )  # fmt: skip
            if result.x is None:
                raise TimeoutError("the time limit is reached")
            value, numbers, potential = math.inf, np.zeros(count), np.zeros(n)
        else:
            value += 2 * potential.sum()
            self._potential = potential + result.eqlin.marginals
        dual = np.maximum(-result.ineqlin.marginals, 0)
        all_numbers = np.zeros(len(self.edges))
        all_numbers[columns] = numbers[:count]
        used = tuple((self.cuts[k], float(dual[k])) for k in np.flatnonzero(dual > TINY).tolist())
        return Optimum(value, all_numbers, Dual(potential + result.eqlin.marginals, used))

    # ---- duals

    def values(self, dual: Dual) -> Floats:
        """Return the sum of the numbers of a dual solution over the lines of each edge, shape (m,)."""
        a, b = self.edges.T
        values = dual.vertices[a] + dual.vertices[b]
        for cut, number in dual.cuts:
            inside = mask_of(np.array(cut.cells), self.size)
            values = values + number * (inside[a] != inside[b])
            values[list(cut.odd)] -= 2 * number
        return np.asarray(values)

    def terms(self, dual: Dual, most: int) -> tuple[Term, ...] | None:
        """Round a dual solution to a proof that no tour within the bounds weighs at most `most`.

        Returns:
            The terms of a step `linear`, or None if rounding spoils the proof.
        """
        for multiplier in MULTIPLIERS:
            vertices = np.rint(dual.vertices * multiplier)
            cuts = tuple(
                (cut, rounded) for cut, number in dual.cuts if (rounded := round(number * multiplier))
            )
            # Whole numbers of this size are exact as floating-point numbers.
            value = self.values(Dual(vertices, cuts))
            for price in (multiplier, 0):  # without weights, the numbers prove that no tour exists
                worth = value - price * self.weights
                supply = np.where(self.lower > 0, worth, np.maximum(worth, 0))[self.upper > 0].sum()
                demand = 2 * vertices.sum() + sum(cut.demand * number for cut, number in cuts)
                if demand - price * most > supply and abs(demand) + abs(supply) < 2**50:
                    return self._as_terms(vertices, cuts, price)
        return None

    def _as_terms(self, vertices: Floats, cuts: tuple[tuple[Cut, int], ...], price: int) -> tuple[Term, ...]:
        """Return integers for vertices, cuts and the weight as terms."""
        terms = [Term(int(vertices[v]), (v,)) for v in np.flatnonzero(vertices).tolist()]
        terms += [
            Term(
                number, cut.cells, tuple(sorted(tuple(sorted(self.edges[edge].tolist())) for edge in cut.odd))
            )
            for cut, number in cuts
        ]
        return (*terms, Term(-price, ())) if price else tuple(terms)

    # ---- separation

    def violated(self, numbers: Floats) -> list[Cut]:
        """Return inequalities that a solution violates; none if no minimum cut violates one."""
        cuts = [
            Cut(tuple(cells.tolist())) for cells in violated_sets(self.size, self.edges, numbers, Budget())
        ]
        present = set(self.cuts)
        candidates = dict.fromkeys([*cuts, *self._violated_odd(numbers)])
        return [cut for cut in candidates if cut not in present]

    def _violated_odd(self, numbers: Floats) -> list[Cut]:
        """Return violated inequalities of odd sets.

        A set violates the inequality with the best choice of F if the numbers min(x, 1 - x) of the edges that
        leave it add up to less than 1, corrected for the parity of F. The sets of a tree of minimum cuts for
        these numbers suffice (A. N. Letchford, G. Reinelt and D. O. Theis, Odd minimum cut sets and
        b-matchings revisited, SIAM Journal on Discrete Mathematics 22, 2008).
        """
        between = fractional(numbers)
        if not len(between):
            return []
        vertices, ends = np.unique(self.edges[between], return_inverse=True)
        ends = ends.reshape(-1, 2)
        capacity = np.minimum(numbers[between], 1 - numbers[between])
        support = np.flatnonzero(numbers > TINY)
        violations: dict[Cut, float] = {}
        units = np.maximum(np.rint(capacity / TINY), 1).astype(np.int64)
        for side in cut_tree(len(vertices), ends, units, Budget())[0]:
            cut, amount = self._best_odd(mask_of(vertices[side], self.size), support, numbers)
            if cut is not None and amount > 100 * TINY:
                violations[cut] = amount
        return sorted(violations, key=lambda cut: -violations[cut])

    def _best_odd(self, inside: Mask, support: Ints, numbers: Floats) -> tuple[Cut | None, float]:
        """Return the most violated inequality of an odd set for given vertices, and the violation."""
        leaving = support[inside[self.edges[support]].sum(axis=1) == 1]
        x = numbers[leaving]
        odd = x > 0.5
        total = np.minimum(x, 1 - x).sum()
        if np.count_nonzero(odd) % 2 == 0:  # move the edge into or out of F that costs least
            if not len(leaving):
                return None, 0
            costs = np.abs(1 - 2 * x)
            k = int(costs.argmin())
            odd[k] = not odd[k]
            total += costs[k]
        cells = np.flatnonzero(inside if 2 * np.count_nonzero(inside) <= self.size else ~inside)
        return Cut(tuple(cells.tolist()), tuple(leaving[odd].tolist())), 1 - float(total)


def fractional(numbers: Floats) -> Ints:
    """Return the indices of the numbers that are neither 0 nor 1."""
    return np.flatnonzero((numbers > TINY) & (numbers < 1 - TINY))


def incidence(size: int, edges: Ints) -> csr_matrix:
    """Return the matrix of vertices and edges: 1 where a vertex is an end of an edge."""
    from scipy.sparse import csr_matrix

    count = len(edges)
    return csr_matrix((np.ones(2 * count), (edges.ravel(), np.repeat(np.arange(count), 2))), (size, count))


def time_option() -> dict[str, float]:
    """Return the option that makes SciPy's solvers end at the time limit; none if there is no limit."""
    seconds = max(seconds_left(), 0.01)
    return {"time_limit": seconds} if math.isfinite(seconds) else {}


def lightest(size: int, edges: Ints, weights: Ints, count: int) -> Mask:
    """Return a mask of edges: those among the `count` lightest edges of a vertex."""
    ends = edges.ravel()
    order = np.lexsort([np.repeat(weights, 2), ends])
    first = np.searchsorted(ends[order], np.arange(size))
    rank = np.arange(len(order)) - first[ends[order]]
    mask = np.zeros(len(edges), dtype=np.bool_)
    mask[order[rank < count] // 2] = True
    return mask
