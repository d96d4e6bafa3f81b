"""What is known of the edges, and what follows from it at once: the engine's notebook.

Edges are numbered as in certificates, from 0. An edge is OPEN, IN (forced) or OUT (ruled out). The *trail*
lists the decisions in order, each with the rule that made it and what the rule was about, so that they can
be undone, and explained.

Every deduction costs a constant, or the degree of a cell: a fixpoint is reached in linear time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.kernels import Kernel, Tier

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cavalcade.graph import MoveGraph
    from cavalcade.kernels import Vector

OPEN, IN, OUT = 0, 1, 2
FORCED, FULL, EARLY, SET, CASE = 0, 1, 2, 3, 4  # the rules of the trail; SET is tight or spent
NOTHING, DEGREE, THREE, CYCLE, TOUR = 0, 1, 2, 3, 4  # what may come of a decision
TOP, HEAD, WHAT, WHERE, STATE = 0, 1, 2, 3, 4  # in MARKS: see below

# what a kernel gets, a tuple of vectors:
INDPTR, INDICES, NUMBER = 0, 1, 2  # the graph's rows; the number of the edge in each place of INDICES
ENDS, STATUS = 3, 4  # of edge e: its cells at 2e and 2e + 1; OPEN, IN or OUT
LEFT, USED = 5, 6  # of a cell: how many edges are not OUT, how many are IN
OTHER, LENGTH = 7, 8  # of an end of a path of forced edges: the other end, how many cells it has
TRAIL, RULES, ABOUT = 9, 10, 11  # of decision t: the edge, the rule, the rule's subject
JOINED = 12  # of decision t, if it joined two paths: the ends of the new one at 2t and 2t + 1, else -1
MARKS = 13  # the trail's length, how much of it is worked off, what came of it, where


def _out(s: tuple[Vector, ...], e: int, rule: int, about: int) -> bool:
    """Rule an edge out; False if a cell has too few left."""
    s[STATUS][e] = OUT
    top = s[MARKS][TOP]
    s[TRAIL][top] = e
    s[RULES][top] = rule
    s[ABOUT][top] = about
    s[MARKS][TOP] = top + 1
    fine = True
    for i in range(2):
        c = s[ENDS][2 * e + i]
        s[LEFT][c] -= 1
        if s[LEFT][c] < 2 and fine:
            s[MARKS][WHAT] = DEGREE
            s[MARKS][WHERE] = c
            fine = False
    return fine


def _in(s: tuple[Vector, ...], e: int, rule: int, about: int) -> bool:
    """Force an edge; False if a cell has three now, or if a cycle closes."""
    a, b = s[ENDS][2 * e], s[ENDS][2 * e + 1]
    s[STATUS][e] = IN
    top = s[MARKS][TOP]
    s[TRAIL][top] = e
    s[RULES][top] = rule
    s[ABOUT][top] = about
    s[JOINED][2 * top] = -1
    s[MARKS][TOP] = top + 1
    s[USED][a] += 1
    s[USED][b] += 1
    if s[USED][a] > 2 or s[USED][b] > 2:
        s[MARKS][WHAT] = THREE
        s[MARKS][WHERE] = a if s[USED][a] > 2 else b
        return False
    if s[OTHER][a] == b:
        s[MARKS][WHAT] = TOUR if s[LENGTH][a] == len(s[LEFT]) else CYCLE
        s[MARKS][WHERE] = e
        return False
    x, y = s[OTHER][a], s[OTHER][b]
    both = s[LENGTH][x] + s[LENGTH][y]
    s[JOINED][2 * top] = x
    s[JOINED][2 * top + 1] = y
    s[OTHER][x] = y
    s[OTHER][y] = x
    s[LENGTH][x] = both
    s[LENGTH][y] = both
    return True


def _undo(s: tuple[Vector, ...], down_to: int) -> None:
    """Take back all decisions from number `down_to` on."""
    for t in range(s[MARKS][TOP] - 1, down_to - 1, -1):
        e = s[TRAIL][t]
        a, b = s[ENDS][2 * e], s[ENDS][2 * e + 1]
        if s[STATUS][e] == OUT:
            s[LEFT][a] += 1
            s[LEFT][b] += 1
        else:
            s[USED][a] -= 1
            s[USED][b] -= 1
            if s[JOINED][2 * t] >= 0:
                x, y = s[JOINED][2 * t], s[JOINED][2 * t + 1]
                s[OTHER][x] = a
                s[OTHER][a] = x
                s[OTHER][y] = b
                s[OTHER][b] = y
                s[LENGTH][x] = 1 if x == a else s[LENGTH][a]
                s[LENGTH][y] = 1 if y == b else s[LENGTH][b]
        s[STATUS][e] = OPEN
    s[MARKS][TOP] = down_to
    s[MARKS][HEAD] = min(s[MARKS][HEAD], down_to)
    s[MARKS][WHAT] = NOTHING


def _force_both(s: tuple[Vector, ...], c: int) -> bool:
    """The cell has two edges left: force them."""
    for k in range(s[INDPTR][c], s[INDPTR][c + 1]):
        e = s[NUMBER][k]
        if s[STATUS][e] == OPEN and not _in(s, e, FORCED, c):
            return False
    return True


def _propagate(s: tuple[Vector, ...]) -> bool:
    """Work the trail off: forced, full and early, to a fixpoint. False if there is a contradiction."""
    n = len(s[LEFT])
    while s[MARKS][HEAD] < s[MARKS][TOP]:
        t = s[MARKS][HEAD]
        s[MARKS][HEAD] = t + 1
        e = s[TRAIL][t]
        for i in range(2):
            c = s[ENDS][2 * e + i]
            if s[STATUS][e] == OUT:
                if s[LEFT][c] == 2 and s[USED][c] < 2 and not _force_both(s, c):
                    return False
            elif s[USED][c] == 2 and s[LEFT][c] > 2:
                for k in range(s[INDPTR][c], s[INDPTR][c + 1]):
                    if s[STATUS][s[NUMBER][k]] == OPEN and not _out(s, s[NUMBER][k], FULL, c):
                        return False
        if s[STATUS][e] == IN and s[JOINED][2 * t] >= 0:
            x, y = s[JOINED][2 * t], s[JOINED][2 * t + 1]
            if s[USED][x] == 1 and s[USED][y] == 1 and s[OTHER][x] == y and s[LENGTH][x] < n:
                for k in range(s[INDPTR][x], s[INDPTR][x + 1]):
                    if s[INDICES][k] == y and s[STATUS][s[NUMBER][k]] == OPEN:
                        if not _out(s, s[NUMBER][k], EARLY, x):
                            return False
                        break
    return True


def _begin(s: tuple[Vector, ...]) -> bool:
    """Force what cells with two edges force, before anything is known."""
    for c in range(len(s[LEFT])):
        if s[LEFT][c] < 2:
            s[MARKS][WHAT] = DEGREE
            s[MARKS][WHERE] = c
            return False
    for c in range(len(s[LEFT])):
        if s[LEFT][c] == 2 and not _force_both(s, c):
            return False
    return True


def _look(s: tuple[Vector, ...], most: int, found: Vector) -> int:
    """The edge to branch on: try both cases of the most promising ones, see how much follows.

    `found` gets what came of the two cases of the edge that is returned: for each how many decisions, or
    minus that many where they end in a contradiction (a tour counts as one, and stops the search). -1 if
    no edge is open.
    """
    best, best_score, tried = -1, -1.0, 0
    base = s[MARKS][TOP]
    for e in range(len(s[STATUS])):
        if s[STATUS][e] != OPEN:
            continue
        a, b = s[ENDS][2 * e], s[ENDS][2 * e + 1]
        if s[LEFT][a] > 3 and s[LEFT][b] > 3 and s[USED][a] + s[USED][b] == 0 and tried >= most:
            continue
        tried += 1
        score = 1.0
        one = two = 0
        for case in range(2):
            fine = _in(s, e, CASE, e) if case == 0 else _out(s, e, CASE, e)
            fine = fine and _propagate(s)
            count = s[MARKS][TOP] - base
            if s[MARKS][WHAT] == TOUR:
                _undo(s, base)
                found[0], found[1] = (0, 1) if case == 0 else (1, 0)
                return e
            _undo(s, base)
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


HELPERS = [_out, _in, _undo, _force_both, _propagate]
out_kernel = Kernel(_out)
in_kernel = Kernel(_in)
undo_kernel = Kernel(_undo)
propagate_kernel = Kernel(_propagate, uses=[_out, _in, _force_both])
begin_kernel = Kernel(_begin, uses=[_in, _force_both])
look_kernel = Kernel(_look, uses=[_out, _in, _undo, _force_both, _propagate])


class State:
    """The notebook for one graph, in one of the kernels' tiers."""

    def __init__(self, graph: MoveGraph, *, compiled: bool | None = None) -> None:
        n = graph.size
        self.graph = graph
        tails = np.repeat(np.arange(n, dtype=np.int64), graph.degrees)
        keys = np.minimum(tails, graph.indices) * n + np.maximum(tails, graph.indices)
        known, number = np.unique(keys, return_inverse=True)
        self.ends = np.stack([known // n, known % n], axis=1).astype(np.int32)
        self.edge_count = m = len(known)
        self.tier = tier = Tier(60 * n, compiled=compiled)
        every = np.arange(n, dtype=np.int32)
        self.vectors: tuple[Vector, ...] = (
            *(tier.give(a) for a in (graph.indptr, graph.indices, number.astype(np.int32))),
            tier.give(self.ends.ravel()),
            tier.new(m),
            *(tier.give(a) for a in (graph.degrees.astype(np.int32), 0 * every, every, 0 * every + 1)),
            *(tier.new(m) for _ in range(3)),
            tier.new(2 * m),
            tier.new(4),
        )

    def compile(self) -> None:
        """Go on in the compiled tier."""
        if not self.tier.compiled:
            self.tier = Tier(0, compiled=True)
            self.vectors = tuple(np.array(vector, dtype=np.int32) for vector in self.vectors)

    @property
    def top(self) -> int:
        """How many decisions there are."""
        return int(self.vectors[MARKS][TOP])

    @property
    def what(self) -> int:
        """What came of the last decision."""
        return int(self.vectors[MARKS][WHAT])

    @property
    def where(self) -> int:
        """The cell or edge where it came."""
        return int(self.vectors[MARKS][WHERE])

    @property
    def status(self) -> NDArray[np.int32]:
        """OPEN, IN or OUT, for every edge."""
        return np.asarray(self.vectors[STATUS], dtype=np.int32)

    def begin(self) -> bool:
        """What the graph itself forces, to a fixpoint; False for a contradiction, as below."""
        return bool(self.tier(begin_kernel)(self.vectors)) and self.propagate()

    def propagate(self) -> bool:
        """Everything that follows from the decisions."""
        return bool(self.tier(propagate_kernel)(self.vectors))

    def rule_out(self, edge: int, rule: int, about: int) -> bool:
        """Decide that no tour uses an edge."""
        return bool(self.tier(out_kernel)(self.vectors, edge, rule, about))

    def force(self, edge: int, rule: int, about: int) -> bool:
        """Decide that every tour uses an edge."""
        return bool(self.tier(in_kernel)(self.vectors, edge, rule, about))

    def undo(self, down_to: int) -> None:
        """Take back the decisions from this number on."""
        self.tier(undo_kernel)(self.vectors, down_to)

    def look(self, most: int) -> tuple[int, int, int]:
        """The edge to branch on, and what comes of its two cases."""
        found = self.tier.new(2)
        edge = int(self.tier(look_kernel)(self.vectors, most, found))
        return edge, int(found[0]), int(found[1])

    def row(self, cell: int) -> Iterator[tuple[int, int]]:
        """The neighbours of a cell in the graph, each with the number of the edge."""
        v = self.vectors
        for k in range(v[INDPTR][cell], v[INDPTR][cell + 1]):
            yield int(v[INDICES][k]), int(v[NUMBER][k])
