"""A trail of decisions on the edges, and their immediate consequences.

Edges are numbered as in certificates, from 0. An edge is OPEN, IN (forced) or OUT (ruled out). The *trail*
lists the decisions in order, each with the rule that made it and what the rule was about, so that they can
be undone, and explained.

Every deduction costs a constant, or the degree of a cell: a fixpoint is reached in linear time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from cavalcade.ground.kernels import Cells, Tier, Vector
from cavalcade.question.graph import MoveGraph

OPEN, IN, OUT = 0, 1, 2
FORCED, SATURATED, SUBTOUR, SET, CASE = range(5)  # the rules of the trail; SET: a tight set or cut
NOTHING, DEGREE, THREE, CYCLE, TOUR = range(5)  # outcomes of a decision
TOP, HEAD, WHAT, WHERE, COUNT, MARKS = range(6)  # in the marks: see below


class Known(NamedTuple):
    """The graph and all decisions, for kernels."""

    indptr: Vector  # the graph's rows
    indices: Vector  # the neighbours
    number: Vector  # the number of the edge in each place of `indices`
    ends: Vector  # of edge e: its cells, at 2e and 2e + 1
    status: Vector  # OPEN, IN or OUT
    left: Vector  # of a cell: how many edges are not OUT
    used: Vector  # and how many are IN
    other: Vector  # of an end of a path of forced edges: the other end
    length: Vector  # and how many cells the path has
    trail: Vector  # of decision t: the edge
    rules: Vector  # the rule
    about: Vector  # the rule's subject
    joined: Vector  # if it joined two paths: the ends of the new one at 2t and 2t + 1, else -1
    marks: Vector  # the trail's length, how much of it is propagated, the outcome, its place; all decisions


def _decide(known: Known, e: int, status: int, rule: int, about: int) -> bool:
    """Force an edge or rule it out.

    False if a cell has too few edges left, or three that are forced, or if a cycle of forced edges closes.
    """
    a, b = known.ends[2 * e], known.ends[2 * e + 1]
    top = known.marks[TOP]
    known.trail[top], known.rules[top], known.about[top] = e, rule, about
    known.status[e] = status
    known.joined[2 * top] = -1
    known.marks[TOP] = top + 1
    known.marks[COUNT] += 1
    if status == OUT:
        known.left[a] -= 1
        known.left[b] -= 1
        if known.left[a] < 2 or known.left[b] < 2:
            known.marks[WHAT] = DEGREE
            known.marks[WHERE] = a if known.left[a] < 2 else b
            return False
        return True
    known.used[a] += 1
    known.used[b] += 1
    if known.used[a] > 2 or known.used[b] > 2:
        known.marks[WHAT] = THREE
        known.marks[WHERE] = a if known.used[a] > 2 else b
        return False
    if known.other[a] == b:
        known.marks[WHAT] = TOUR if known.length[a] == len(known.left) else CYCLE
        known.marks[WHERE] = e
        return False
    x, y = known.other[a], known.other[b]
    known.joined[2 * top], known.joined[2 * top + 1] = x, y
    known.other[x], known.other[y] = y, x
    known.length[x] = known.length[y] = known.length[x] + known.length[y]
    return True


def _undo(known: Known, down_to: int) -> None:
    """Undo all decisions from number `down_to` on."""
    for t in range(known.marks[TOP] - 1, down_to - 1, -1):
        e = known.trail[t]
        a, b = known.ends[2 * e], known.ends[2 * e + 1]
        if known.status[e] == OUT:
            known.left[a] += 1
            known.left[b] += 1
        else:
            known.used[a] -= 1
            known.used[b] -= 1
            if known.joined[2 * t] >= 0:
                x, y = known.joined[2 * t], known.joined[2 * t + 1]
                known.other[x] = a
                known.other[a] = x
                known.other[y] = b
                known.other[b] = y
                known.length[x] = 1 if x == a else known.length[a]
                known.length[y] = 1 if y == b else known.length[b]
        known.status[e] = OPEN
    known.marks[TOP] = down_to
    known.marks[HEAD] = min(known.marks[HEAD], down_to)
    known.marks[WHAT] = NOTHING


def _force_both(known: Known, c: int) -> bool:
    """The cell has two edges left: force them."""
    for k in range(known.indptr[c], known.indptr[c + 1]):
        e = known.number[k]
        if known.status[e] == OPEN and not _decide(known, e, IN, FORCED, c):
            return False
    return True


def _propagate(known: Known) -> bool:
    """Apply the rules forced, saturated and subtour to a fixpoint; False for a contradiction."""
    n = len(known.left)
    while known.marks[HEAD] < known.marks[TOP]:
        t = known.marks[HEAD]
        known.marks[HEAD] = t + 1
        e = known.trail[t]
        for i in range(2):
            c = known.ends[2 * e + i]
            if known.status[e] == OUT:
                if known.left[c] == 2 and known.used[c] < 2 and not _force_both(known, c):
                    return False
            elif known.used[c] == 2 and known.left[c] > 2:
                for k in range(known.indptr[c], known.indptr[c + 1]):
                    other = known.number[k]
                    if known.status[other] == OPEN and not _decide(known, other, OUT, SATURATED, c):
                        return False
        if known.status[e] == IN and known.joined[2 * t] >= 0:
            x, y = known.joined[2 * t], known.joined[2 * t + 1]
            if known.used[x] == 1 and known.used[y] == 1 and known.other[x] == y and known.length[x] < n:
                for k in range(known.indptr[x], known.indptr[x + 1]):
                    if known.indices[k] == y and known.status[known.number[k]] == OPEN:
                        if not _decide(known, known.number[k], OUT, SUBTOUR, x):
                            return False
                        break
    return True


def _begin(known: Known) -> bool:
    """Force the edges of all cells with two edges, before any decision."""
    for c in range(len(known.left)):
        if known.left[c] < 2:
            known.marks[WHAT] = DEGREE
            known.marks[WHERE] = c
            return False
    for c in range(len(known.left)):
        if known.left[c] == 2 and not _force_both(known, c):
            return False
    return True


def _look_ahead(known: Known, most: int, found: Vector) -> int:
    """The edge to branch on: of the most promising edges, both cases are propagated. -1 if no edge is open.

    `found` gets the number of decisions in either case of the edge that is returned, negative where they end
    in a contradiction. A tour counts as a contradiction, and stops the search.
    """
    best, best_score, tried = -1, -1.0, 0
    base = known.marks[TOP]
    for e in range(len(known.status)):
        if known.status[e] != OPEN:
            continue
        a, b = known.ends[2 * e], known.ends[2 * e + 1]
        if known.left[a] > 3 and known.left[b] > 3 and known.used[a] + known.used[b] == 0 and tried >= most:
            continue
        tried += 1
        score = 1.0
        one = two = 0
        for case in range(2):
            fine = _decide(known, e, IN if case == 0 else OUT, CASE, e) and _propagate(known)
            count = known.marks[TOP] - base
            if known.marks[WHAT] == TOUR:
                _undo(known, base)
                found[0], found[1] = (0, 1) if case == 0 else (1, 0)
                return e
            _undo(known, base)
            if case == 0:
                one = count if fine else -count
            else:
                two = count if fine else -count
            # a contradiction is worth more than any number of decisions, and more if it is near
            score *= 1.0 + count if fine else 1000.0 + 200.0 / count
        if score > best_score:
            best, best_score = e, score
            found[0], found[1] = one, two
    return best


def _numbered(graph: MoveGraph) -> tuple[Cells, Cells]:
    """The ends of all edges, in ascending order, and the number of the edge in each place of `indices`."""
    tails, heads = graph.tails, graph.indices
    low, high = np.minimum(tails, heads), np.maximum(tails, heads)
    order = np.argsort(low.astype(np.int64) * graph.size + high)  # either end of an edge, side by side
    number = np.empty(len(order), dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32) // 2
    return np.stack([low[order[::2]], high[order[::2]]], axis=1), number


class Decisions:
    """The trail for one graph, in one of the kernels' tiers."""

    def __init__(self, graph: MoveGraph, *, compiled: bool | None = None) -> None:
        n = graph.size
        self.graph = graph
        self.ends, number = _numbered(graph)
        self.edge_count = m = len(self.ends)
        self.tier = tier = Tier(60 * n, compiled=compiled)
        self.known = Known(
            indptr=tier.read_only(graph.indptr),
            indices=tier.read_only(graph.indices),
            number=tier.read_only(number),
            ends=tier.read_only(self.ends.ravel()),
            status=tier.full(m),
            left=tier.vector(graph.degrees.astype(np.int32)),
            used=tier.full(n),
            other=tier.vector(np.arange(n, dtype=np.int32)),
            length=tier.full(n, 1),
            trail=tier.full(m),
            rules=tier.full(m),
            about=tier.full(m),
            joined=tier.full(2 * m),
            marks=tier.full(MARKS),
        )

    def compile(self) -> None:
        """Continue in the compiled tier."""
        if not self.tier.compiled:
            self.tier = Tier(0, compiled=True)
            known = Known(*(np.array(vector, dtype=np.int32) for vector in self.known))
            read = ("indptr", "indices", "number", "ends")
            self.known = known._replace(**{name: self.tier.read_only(getattr(known, name)) for name in read})

    @property
    def top(self) -> int:
        """How many decisions there are."""
        return int(self.known.marks[TOP])

    @property
    def what(self) -> int:
        """The outcome of the last decision."""
        return int(self.known.marks[WHAT])

    @property
    def where(self) -> int:
        """The cell or edge of that outcome."""
        return int(self.known.marks[WHERE])

    @property
    def status(self) -> Cells:
        """OPEN, IN or OUT, for every edge."""
        return np.asarray(self.known.status, dtype=np.int32)

    def count(self) -> int:
        """The number of decisions since the last call, undone ones included."""
        made = int(self.known.marks[COUNT])
        self.known.marks[COUNT] = 0
        return made

    def begin(self) -> bool:
        """Decide what the graph itself forces, to a fixpoint; False for a contradiction, as below."""
        return bool(self.tier(_begin)(self.known)) and self.propagate()

    def propagate(self) -> bool:
        """Decide everything that follows from the decisions."""
        return bool(self.tier(_propagate)(self.known))

    def decide(self, edge: int, status: int, rule: int, about: int) -> bool:
        """Decide that every tour uses an edge, IN, or that none does, OUT; False for a contradiction."""
        return bool(self.tier(_decide)(self.known, edge, status, rule, about))

    def undo(self, down_to: int) -> None:
        """Undo the decisions from this number on."""
        self.tier(_undo)(self.known, down_to)

    def look_ahead(self, most: int) -> tuple[int, int, int]:
        """The edge to branch on, and the numbers of decisions in its two cases."""
        found = self.tier.full(2)
        edge = int(self.tier(_look_ahead)(self.known, most, found))
        return edge, int(found[0]), int(found[1])

    def row(self, cell: int) -> Iterator[tuple[int, int]]:
        """The neighbours of a cell in the graph, each with the number of the edge."""
        known = self.known
        for k in range(known.indptr[cell], known.indptr[cell + 1]):
            yield int(known.indices[k]), int(known.number[k])
