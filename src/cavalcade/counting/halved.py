"""Tours drawn at random from two halves that need not meet: only the states of one side are kept.

As in `meeting`, a board that is its own image under the half turn is cut into two sides and a middle between
them. A tour is three sets of edges: those of one side, those of the other, and those inside the middle. Draw
three such sets so that every vertex of the middle gets two edges, all such triples with the same chance.
Together they are one cycle or several. If it is one, that is the tour; if not, draw again (rejection, J. von
Neumann 1951). So every tour has exactly the same chance. Of the triples of 6x8 44 % are one cycle, of 8x8
40 %; where none is for long, tours are counted, in case there is none.

How many edges a side gives to each vertex of the middle is its *pattern*. A pattern is drawn with the weight
(ways of one side to have it) * (ways of the middle and the other side to have what is missing to two), then
a state with that pattern, then the way to that state, by `layers`. The ways of the middle and the other side
are summed up edge by edge: with one edge more, a pattern is had without that edge, or, from the pattern with
one less at both its ends, with it.
"""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cavalcade.counting.meeting import Halves, count_in_halves
from cavalcade.ground.budget import assert_room
from cavalcade.ground.kernels import Ints, Tier
from cavalcade.question.graph import MoveGraph
from cavalcade.states.encoding import new_scratch, unpack
from cavalcade.states.layers import Layers, Moves
from cavalcade.states.search import Progress
from cavalcade.states.tables import LIMB, Table
from cavalcade.states.transition import neighbours, stages

Numbers = NDArray[Any]  # int64, or Python's integers where they are larger

DRAWN = 32  # triples that are drawn at a time
SORTED = "the table of both halves, sorted where they meet,"
DOUBTED = 20_000  # triples without a cycle after which tours are counted, in case there is none


class _Patterns:
    """Patterns, sorted, and in how many ways each is had."""

    def __init__(self, patterns: Ints, ways: Numbers) -> None:
        self.patterns, self.ways = patterns, ways

    @classmethod
    def summed(cls, patterns: Ints, ways: Numbers) -> _Patterns:
        """From patterns that may come in any order and more than once."""
        order = np.argsort(patterns, kind="stable")
        patterns = patterns[order]
        starts = np.flatnonzero(np.diff(patterns, prepend=-1))
        return cls(patterns[starts], np.add.reduceat(ways[order], starts))

    def of(self, patterns: Ints) -> Numbers:
        """Those of these patterns, 0 for those that cannot be had."""
        at = np.minimum(np.searchsorted(self.patterns, patterns), len(self.patterns) - 1)
        return np.asarray(np.where(self.patterns[at] == patterns, self.ways[at], 0))

    def with_edge(self, i: int, j: int) -> _Patterns:
        """With one edge more, which may be taken or not."""
        room = (self.patterns // 3**i % 3 < 2) & (self.patterns // 3**j % 3 < 2)
        more = self.patterns[room] + (3**i + 3**j)
        return _Patterns.summed(
            np.concatenate([self.patterns, more]), np.concatenate([self.ways, self.ways[room]])
        )

    @property
    def bytes(self) -> int:
        """What they take; Python's integers some 40 bytes each."""
        return self.patterns.nbytes + len(self.ways) * (8 if self.ways.dtype == np.int64 else 48)


class HalvedCycles:
    """The Hamiltonian cycles of a graph that is cut in halves, to be drawn at random.

    Args:
        graph: any graph.
        plan: how it is cut, from `meeting.halves`.
        record: what the search of one side takes is added to it.
    """

    def __init__(self, graph: MoveGraph, plan: Halves, record: Progress | None = None) -> None:
        self.graph, self.plan = graph, plan
        steps = stages(neighbours(graph), plan.side)
        self.layers = Layers(steps, record=record)
        self.middle = list(dict.fromkeys([*steps[-1].frontier, *plan.middle]))
        turned = [self.middle.index(plan.image[v]) for v in self.middle]
        self.edges = [
            (i, j)
            for i, j in combinations(range(len(self.middle)), 2)
            if self.middle[j] in graph.neighbours(self.middle[i])
        ]
        self.turned = turned
        self.scratch = new_scratch(Tier(0, compiled=False))
        self.accepted: list[tuple[int, int, int, int, tuple[int, ...]]] = []
        self.tries = self.found = 0
        self._sort()
        self._sum_up()

    def _sort(self) -> None:
        """Sort the last layer by patterns, so that those of one stand together."""
        last = self.layers.last
        assert_room(self.layers.bytes + last.bytes + 3 * 8 * last.states, SORTED)
        patterns = _patterns(last, len(self.middle))
        order = np.argsort(patterns, kind="stable")
        patterns = patterns[order]
        self.layers.layers[-1] = last.chosen(order)
        *_, low, high = self.layers.last.columns
        self.counts = _exact(np.asarray(low, np.int64), np.asarray(high, np.int64))
        self.upto = np.cumsum(self.counts)
        self.first = np.flatnonzero(np.diff(patterns, prepend=-1))
        self.patterns = patterns[self.first]

    def _sum_up(self) -> None:
        """Sum up the ways of the other side with the edges of the middle, and with those of this side."""
        mine = np.add.reduceat(self.counts, self.first)
        if float(mine.sum()) * 2.0 ** len(self.edges) > 2.0**62:
            mine = mine.astype(object)
        digits = [self.patterns // 3**i % 3 for i in range(len(self.middle))]
        image = sum(digit * 3**i for digit, i in zip(digits, self.turned, strict=True))
        self.ways = [_Patterns.summed(np.asarray(image), mine)]
        self.back = np.argsort(np.asarray(image))
        size = self.layers.bytes
        for i, j in self.edges:
            self.ways.append(self.ways[-1].with_edge(i, j))
            size += self.ways[-1].bytes
            assert_room(size, SORTED)
        self.all = 3 ** len(self.middle) - 1  # two edges at every vertex
        self.theirs = self.ways[-1].of(self.all - self.patterns)
        if float(np.dot(mine.astype(float), self.theirs.astype(float))) > 2.0**62:
            mine = mine.astype(object)
        self.pairs = np.cumsum(mine * self.theirs)
        self.bytes = size

    def draw(self, n: int, chance: random.Random) -> list[Moves]:
        """The next n cycles, each as the edges from its vertices; none if the graph has none.

        Time: 0.5 ms for each on 8x8 where there are many, 2 to 12 ms for one alone.
        """
        while len(self.accepted) < n and self._any():
            self._propose([chance.randrange(int(self.pairs[-1])) for _ in range(DRAWN)])
        drawn, self.accepted = self.accepted[:n], self.accepted[n:]
        if not drawn:
            return []
        at = [one[0] for one in drawn] + [one[2] for one in drawn]
        low, high, *_ = self.layers.last.columns
        states = [(int(low[s]), int(high[s]) if len(high) else 0) for s in at]
        ways = self.layers.back(states, [one[1] for one in drawn] + [one[3] for one in drawn])
        image = [*self.plan.image, -1]
        moves = []
        for mine, theirs, (*_, taken) in zip(ways[:n], ways[len(drawn) :], drawn, strict=True):
            turned = [(image[v], image[a], image[b]) for v, a, b in theirs]
            inner = [(self.middle[i], self.middle[j], -1) for i, j in (self.edges[e] for e in taken)]
            moves.append(mine + turned + inner)
        return moves

    def _any(self) -> bool:
        """Whether there is a cycle; counted if there is reason to doubt it."""
        if not len(self.pairs) or not self.pairs[-1]:
            return False
        if not self.found and self.tries >= DOUBTED:
            self.found = count_in_halves(self.graph, self.plan)
            return self.found > 0
        return True

    def _propose(self, numbers: list[int]) -> None:
        """Look at the triples of these numbers, and accept those that are one cycle."""
        rest = np.array(numbers, dtype=self.pairs.dtype)
        p = np.searchsorted(self.pairs, rest, side="right")
        rest = rest - np.where(p > 0, self.pairs[p - 1], 0)
        mine, rest = rest // self.theirs[p], rest % self.theirs[p]
        missing = self.all - self.patterns[p]
        taken = np.zeros((len(numbers), len(self.edges)), dtype=np.bool_)
        for e in range(len(self.edges) - 1, -1, -1):
            i, j = self.edges[e]
            without = self.ways[e].of(missing)
            taken[:, e] = rest >= without
            rest = rest - np.where(taken[:, e], without, 0)
            missing = missing - taken[:, e] * (3**i + 3**j)
        q = self.back[np.searchsorted(self.ways[0].patterns, missing)]
        for (s, x), (t, y), row in zip(self._states(p, mine), self._states(q, rest), taken, strict=True):
            inner = tuple(np.flatnonzero(row).tolist())
            if self._is_one(s, t, inner):
                self.accepted.append((s, x, t, y, inner))
                self.found += 1
        self.tries += len(numbers)

    def _states(self, patterns: Ints, numbers: Numbers) -> list[tuple[int, int]]:
        """For a number below the ways to have a pattern: the state, and a number below its ways."""
        first = self.first[patterns]
        number = numbers + np.where(first > 0, self.upto[first - 1], 0)
        at = np.searchsorted(self.upto, number, side="right")
        rest = number - (self.upto[at] - self.counts[at])
        return list(zip(at.tolist(), rest.tolist(), strict=True))

    def _is_one(self, s: int, t: int, inner: tuple[int, ...]) -> bool:
        """Whether a state, the image of another and some edges of the middle are one cycle together."""
        paths = [
            *self._paths(s),
            *((self.turned[i], self.turned[j]) for i, j in self._paths(t)),
            *(self.edges[e] for e in inner),
        ]
        part = list(range(len(self.middle)))
        for i, j in paths:
            part = [part[i] if one == part[j] else one for one in part]
        return len({part[i] for i, _ in paths}) == 1

    def _paths(self, s: int) -> list[tuple[int, int]]:
        """The pairs of places that a state of the last layer joins by a path."""
        low, high, *_ = self.layers.last.columns
        words = int(low[s]), int(high[s]) if len(high) else 0
        unpack(*words, len(self.middle), None, self.scratch)
        return [(i, j) for i, j in enumerate(self.scratch.mate[: len(self.middle)]) if i < j]


def _patterns(table: Table, width: int) -> Ints:
    """The pattern of each state on `width` places."""
    low, high, scratch = *(np.asarray(one, np.int64) for one in table.columns[:2]), new_scratch(table.tier)
    found = np.zeros(len(low), dtype=np.int64)
    for i in range(width):
        digit = (low if i < scratch.places else high) >> scratch.shift[i] & scratch.mask[i]
        found += np.array([0, 2, 1])[np.minimum(digit, 2)] * 3**i
    return found


def _exact(low: Ints, high: Ints) -> Numbers:
    """Counts in one word if their sum fits, else as Python's integers."""
    exact: Numbers = low
    if len(high):
        exact = low.astype(object) + LIMB * high.astype(object)
    elif float(low.sum(dtype=np.float64)) > 2.0**62:
        exact = low.astype(object)
    return exact
