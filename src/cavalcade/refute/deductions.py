"""A trail of decisions about edges, and their immediate consequences.

Edges are numbered as in certificates, from 0. An edge is OPEN, IN (forced) or OUT (ruled out). The *trail*
lists the decisions in order, each with the rule that made it and the subject of the rule, so that decisions
can be undone and explained.

Every deduction takes constant time, or time proportional to the degree of a cell, so a fixpoint is reached in
linear time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from cavalcade.ground.kernels import Cells, Tier, Vector
from cavalcade.question.graph import MoveGraph

OPEN, IN, OUT = range(3)  # the status of an edge
FORCED, SATURATED, SUBTOUR, SET, CASE = range(5)  # rules; SET is a tight set or cut, CASE an assumption
NOTHING, DEGREE, THREE, CYCLE, TOUR = range(5)  # outcomes of a decision
# Counted work of a decision and its immediate consequences: about eight neighbours of each end are looked at.
DECISION = 30


class DecisionTrail(NamedTuple):
    """A graph with n cells and m edges, and all decisions, for kernels.

    Attributes:
        indptr: offsets of the neighbours of each cell, shape (n + 1,).
        indices: the neighbours, shape (2m,).
        edge_of: number of the edge to each neighbour, shape (2m,).
        ends: the cells of edge e at 2e and 2e + 1, shape (2m,).
        status: OPEN, IN or OUT for each edge.
        degree: number of edges at each cell that are not OUT.
        forced: number of edges at each cell that are IN.
        other_end: for each end of a path of forced edges, its other end.
        length: for each end of a path of forced edges, the number of its cells.
        edges: edge of each decision, shape (m,).
        rules: rule of each decision, shape (m,).
        subjects: subject of the rule of each decision, shape (m,).
        joined: ends of the path that decision t made, at 2t and 2t + 1; -1 at 2t if it joined no paths.
        top: number of decisions, shape (1,).
        head: number of decisions whose consequences are known, shape (1,).
        outcome: outcome of the last decision, shape (1,).
        place: cell or edge of that outcome, shape (1,).
        made: number of decisions, including undone ones, shape (1,).
    """

    indptr: Vector
    indices: Vector
    edge_of: Vector
    ends: Vector
    status: Vector
    degree: Vector
    forced: Vector
    other_end: Vector
    length: Vector
    edges: Vector
    rules: Vector
    subjects: Vector
    joined: Vector
    top: Vector
    head: Vector
    outcome: Vector
    place: Vector
    made: Vector


def _decide(trail: DecisionTrail, e: int, status: int, rule: int, subject: int) -> bool:
    """Force an edge or rule it out.

    Returns:
        False if a cell keeps fewer than two edges or gets a third forced edge, or if forced edges close a
        cycle; `outcome` and `place` then say which.
    """
    a, b = trail.ends[2 * e], trail.ends[2 * e + 1]
    t = trail.top[0]
    trail.edges[t], trail.rules[t], trail.subjects[t] = e, rule, subject
    trail.status[e] = status
    trail.joined[2 * t] = -1
    trail.top[0] = t + 1
    trail.made[0] += 1
    if status == OUT:
        trail.degree[a] -= 1
        trail.degree[b] -= 1
        if trail.degree[a] < 2 or trail.degree[b] < 2:
            trail.outcome[0] = DEGREE
            trail.place[0] = a if trail.degree[a] < 2 else b
            return False
        return True
    trail.forced[a] += 1
    trail.forced[b] += 1
    if trail.forced[a] > 2 or trail.forced[b] > 2:
        trail.outcome[0] = THREE
        trail.place[0] = a if trail.forced[a] > 2 else b
        return False
    # a and b are ends of paths (a cell without forced edges is a path of one cell). Of one path?
    if trail.other_end[a] == b:
        trail.outcome[0] = TOUR if trail.length[a] == len(trail.degree) else CYCLE
        trail.place[0] = e
        return False
    # Join the two paths. The entries of a and b, which are inside now, are kept for `_undo`.
    x, y = trail.other_end[a], trail.other_end[b]
    trail.joined[2 * t], trail.joined[2 * t + 1] = x, y
    trail.other_end[x], trail.other_end[y] = y, x
    trail.length[x] = trail.length[y] = trail.length[x] + trail.length[y]
    return True


def _undo(trail: DecisionTrail, down_to: int) -> None:
    """Undo all decisions from number `down_to` on, the last one first."""
    for t in range(trail.top[0] - 1, down_to - 1, -1):
        e = trail.edges[t]
        a, b = trail.ends[2 * e], trail.ends[2 * e + 1]
        if trail.status[e] == OUT:
            trail.degree[a] += 1
            trail.degree[b] += 1
        else:
            trail.forced[a] -= 1
            trail.forced[b] -= 1
            if trail.joined[2 * t] >= 0:
                # Split the path x ... a - b ... y. If x is not a, the length stored at a has not changed.
                x, y = trail.joined[2 * t], trail.joined[2 * t + 1]
                trail.other_end[x] = a
                trail.other_end[a] = x
                trail.other_end[y] = b
                trail.other_end[b] = y
                trail.length[x] = 1 if x == a else trail.length[a]
                trail.length[y] = 1 if y == b else trail.length[b]
        trail.status[e] = OPEN
    trail.top[0] = down_to
    trail.head[0] = min(trail.head[0], down_to)
    trail.outcome[0] = NOTHING


def _force_both(trail: DecisionTrail, c: int) -> bool:
    """Force the open edges of a cell that has two edges left; False for a contradiction."""
    for k in range(trail.indptr[c], trail.indptr[c + 1]):
        e = trail.edge_of[k]
        if trail.status[e] == OPEN and not _decide(trail, e, IN, FORCED, c):
            return False
    return True


def _propagate(trail: DecisionTrail) -> bool:
    """Apply the rules forced, saturated and subtour to a fixpoint; False for a contradiction."""
    n = len(trail.degree)
    while trail.head[0] < trail.top[0]:
        t = trail.head[0]
        trail.head[0] = t + 1
        e = trail.edges[t]
        for i in range(2):
            c = trail.ends[2 * e + i]
            if trail.status[e] == OUT:
                # forced: the cell has lost an edge, and only two are left.
                if trail.degree[c] == 2 and trail.forced[c] < 2 and not _force_both(trail, c):
                    return False
            elif trail.forced[c] == 2 and trail.degree[c] > 2:
                # saturated: the cell has two forced edges.
                for k in range(trail.indptr[c], trail.indptr[c + 1]):
                    other = trail.edge_of[k]
                    if trail.status[other] == OPEN and not _decide(trail, other, OUT, SATURATED, c):
                        return False
        if trail.status[e] == IN and trail.joined[2 * t] >= 0:
            # subtour: the edge made a path. Rule out the edge between its ends, if they are still its ends.
            x, y = trail.joined[2 * t], trail.joined[2 * t + 1]
            are_ends = trail.forced[x] == 1 and trail.forced[y] == 1 and trail.other_end[x] == y
            if are_ends and trail.length[x] < n:
                for k in range(trail.indptr[x], trail.indptr[x + 1]):
                    if trail.indices[k] == y and trail.status[trail.edge_of[k]] == OPEN:
                        if not _decide(trail, trail.edge_of[k], OUT, SUBTOUR, x):
                            return False
                        break
    return True


def _begin(trail: DecisionTrail) -> bool:
    """Force the edges of all cells with two edges, before any other decision; False for a contradiction."""
    for c in range(len(trail.degree)):
        if trail.degree[c] < 2:
            trail.outcome[0] = DEGREE
            trail.place[0] = c
            return False
    for c in range(len(trail.degree)):
        if trail.degree[c] == 2 and not _force_both(trail, c):
            return False
    return True


def _look_ahead(trail: DecisionTrail, limit: int, counts: Vector) -> int:
    """Choose the edge to branch on by propagating both cases of the most promising edges.

    A tour counts as a contradiction, and stops the search.

    Args:
        trail: the decisions so far, at a fixpoint.
        limit: the number of edges to try, besides those at a cell with three edges or with a forced one.
        counts: receives the number of decisions in each case of the chosen edge, shape (2,); negative for
            a case that ends in a contradiction.

    Returns:
        The edge, or -1 if no edge is open.
    """
    best, best_score, tried = -1, -1.0, 0
    base = trail.top[0]
    for e in range(len(trail.status)):
        if trail.status[e] != OPEN:
            continue
        a, b = trail.ends[2 * e], trail.ends[2 * e + 1]
        is_plain = trail.degree[a] > 3 and trail.degree[b] > 3 and trail.forced[a] + trail.forced[b] == 0
        if is_plain and tried >= limit:
            continue
        tried += 1
        score = 1.0
        first = second = 0
        for case in range(2):
            consistent = _decide(trail, e, IN if case == 0 else OUT, CASE, e) and _propagate(trail)
            count = trail.top[0] - base
            is_tour = trail.outcome[0] == TOUR
            _undo(trail, base)
            if is_tour:
                counts[0], counts[1] = (0, 1) if case == 0 else (1, 0)
                return e
            if case == 0:
                first = count if consistent else -count
            else:
                second = count if consistent else -count
            # A contradiction is worth more than any number of decisions, and more if it is near.
            score *= 1.0 + count if consistent else 1000.0 + 200.0 / count
        if score > best_score:
            best, best_score = e, score
            counts[0], counts[1] = first, second
    return best


def _numbered(graph: MoveGraph) -> tuple[Cells, Cells]:
    """Number the edges of a graph.

    Returns:
        The ends of all edges in ascending order, shape (m, 2), and the number of the edge of each entry of
        `graph.indices`, shape (2m,).
    """
    tails, heads = graph.tails, graph.indices
    low, high = np.minimum(tails, heads), np.maximum(tails, heads)
    order = np.argsort(low.astype(np.int64) * graph.size + high)  # the two entries of an edge are adjacent
    number = np.empty(len(order), dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32) // 2
    return np.stack([low[order[::2]], high[order[::2]]], axis=1), number


class Decisions:
    """The trail for one graph, in either tier of the kernels.

    Args:
        graph: the graph.
        compiled: the tier of the kernels; None chooses by the size of the graph.
    """

    def __init__(self, graph: MoveGraph, *, compiled: bool | None = None) -> None:
        n = graph.size
        self.graph = graph
        self.ends, number = _numbered(graph)
        self.edge_count = m = len(self.ends)
        self.tier = tier = Tier(2 * DECISION * n, compiled=compiled)  # a tour leaves two edges at a cell
        self.trail = DecisionTrail(
            indptr=tier.read_only(graph.indptr),
            indices=tier.read_only(graph.indices),
            edge_of=tier.read_only(number),
            ends=tier.read_only(self.ends.ravel()),
            status=tier.full(m),
            degree=tier.vector(graph.degrees.astype(np.int32)),
            forced=tier.full(n),
            other_end=tier.vector(np.arange(n, dtype=np.int32)),
            length=tier.full(n, 1),
            edges=tier.full(m),
            rules=tier.full(m),
            subjects=tier.full(m),
            joined=tier.full(2 * m),
            top=tier.full(1),
            head=tier.full(1),
            outcome=tier.full(1),
            place=tier.full(1),
            made=tier.full(1),
        )

    def compile(self) -> None:
        """Continue in the compiled tier."""
        if not self.tier.compiled:
            self.tier = Tier(0, compiled=True)
            trail = DecisionTrail(*(np.array(vector, dtype=np.int32) for vector in self.trail))
            fixed = ("indptr", "indices", "edge_of", "ends")
            self.trail = trail._replace(**{name: self.tier.read_only(getattr(trail, name)) for name in fixed})

    @property
    def top(self) -> int:
        """The number of decisions."""
        return int(self.trail.top[0])

    @property
    def outcome(self) -> int:
        """The outcome of the last decision: NOTHING, DEGREE, THREE, CYCLE or TOUR."""
        return int(self.trail.outcome[0])

    @property
    def place(self) -> int:
        """The cell (DEGREE, THREE) or edge (CYCLE, TOUR) of the outcome."""
        return int(self.trail.place[0])

    @property
    def status(self) -> Cells:
        """OPEN, IN or OUT for each edge."""
        return np.asarray(self.trail.status, dtype=np.int32)

    def work(self) -> int:
        """The counted work of the decisions since the last call, including undone ones."""
        made = int(self.trail.made[0])
        self.trail.made[0] = 0
        return DECISION * made

    def begin(self) -> bool:
        """Decide everything that the graph itself forces; False for a contradiction."""
        return bool(self.tier(_begin)(self.trail)) and self.propagate()

    def propagate(self) -> bool:
        """Decide everything that follows from the decisions; False for a contradiction."""
        return bool(self.tier(_propagate)(self.trail))

    def decide(self, edge: int, status: int, rule: int, subject: int) -> bool:
        """Force an edge (IN) or rule it out (OUT); False for a contradiction."""
        return bool(self.tier(_decide)(self.trail, edge, status, rule, subject))

    def undo(self, down_to: int) -> None:
        """Undo the decisions from number `down_to` on."""
        self.tier(_undo)(self.trail, down_to)

    def look_ahead(self, limit: int) -> tuple[int, int, int]:
        """The edge to branch on, and the number of decisions in each of its cases."""
        counts = self.tier.full(2)
        edge = int(self.tier(_look_ahead)(self.trail, limit, counts))
        return edge, int(counts[0]), int(counts[1])

    def row(self, cell: int) -> Iterator[tuple[int, int]]:
        """Yield the neighbours of a cell in the graph, each with the number of the edge."""
        trail = self.trail
        for k in range(trail.indptr[cell], trail.indptr[cell + 1]):
            yield int(trail.indices[k]), int(trail.edge_of[k])
