"""Random tours from two halves that need not meet: only the states of one side are kept.

As in `meeting`, a board that a half turn maps to itself is cut into two sides and a middle between them. A
tour consists of three sets of edges: of one side, of the other side, and inside the middle.
Draw three such sets in which every vertex of the middle gets two edges, all such triples with the same
probability. Together they form one cycle or several. One cycle is the tour; otherwise draw again (rejection
sampling, J. von Neumann 1951). So all tours have the same probability. 44 % of the triples of 6x8 are one
cycle, and 40 % of the triples of 8x8. If many triples contain no cycle, tours are counted, because the
board may have no tour.

The *pattern* of a side is the number of its edges at each vertex of the middle. A pattern is drawn with the
weight (ways of one side to have it) * (ways of the middle and the other side to supply the missing edges),
then a state with that pattern, then the way to that state, by `layers`. The ways of the middle and the other
side are summed edge by edge: with one more edge, a pattern is reached without that edge, or with it from the
pattern with one less at both its ends.
"""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cavalcade.counting.cycles import Forecast
from cavalcade.counting.meeting import Halves, count_in_halves
from cavalcade.ground.budget import assert_room
from cavalcade.ground.kernels import Ints, Tier
from cavalcade.question.graph import MoveGraph
from cavalcade.states.encoding import new_scratch, unpack
from cavalcade.states.layers import Layers, Moves
from cavalcade.states.search import Progress
from cavalcade.states.tables import Table
from cavalcade.states.transition import neighbours, stages

Numbers = NDArray[Any]  # int64, or Python's integers if they are larger

DRAWN = 32  # triples drawn at a time: of 8x8 about 13 are cycles
SORTED = "the table of both halves, sorted where they meet,"
COUNT_AFTER = 20_000  # triples without a cycle after which tours are counted: a count takes longer, but ends


class _Patterns:
    """Sorted patterns, and the number of ways to reach each."""

    def __init__(self, patterns: Ints, ways: Numbers) -> None:
        self.patterns, self.ways = patterns, ways

    @classmethod
    def summed(cls, patterns: Ints, ways: Numbers) -> _Patterns:
        """Sort patterns, and add up the ways of equal ones."""
        order = np.argsort(patterns, kind="stable")
        patterns = patterns[order]
        starts = np.flatnonzero(np.diff(patterns, prepend=-1))
        return cls(patterns[starts], np.add.reduceat(ways[order], starts))

    def ways_of(self, patterns: Ints) -> Numbers:
        """Number of ways to reach each pattern; 0 if unreachable."""
        index = np.minimum(np.searchsorted(self.patterns, patterns), len(self.patterns) - 1)
        return np.asarray(np.where(self.patterns[index] == patterns, self.ways[index], 0))

    def with_edge(self, i: int, j: int) -> _Patterns:
        """The patterns with one more edge, which may be used or not."""
        extensible = (self.patterns // 3**i % 3 < 2) & (self.patterns // 3**j % 3 < 2)
        extended = self.patterns[extensible] + (3**i + 3**j)
        return _Patterns.summed(
            np.concatenate([self.patterns, extended]), np.concatenate([self.ways, self.ways[extensible]])
        )

    @property
    def bytes(self) -> int:
        """Memory of the arrays; Python's integers take about 40 bytes each."""
        return self.patterns.nbytes + len(self.ways) * (8 if self.ways.dtype == np.int64 else 48)


class HalvedCycles:
    """The Hamiltonian cycles of a graph that is cut in halves, to be drawn at random.

    Args:
        graph: any graph.
        plan: the halves, from `meeting.halves`.
        record: receives the steps and peaks of the search of one side.
    """

    def __init__(self, graph: MoveGraph, plan: Halves, record: Progress | None = None) -> None:
        self.graph, self.plan = graph, plan
        steps = stages(neighbours(graph), plan.side)
        record = record or Progress()
        forecast = Forecast([len(stage.frontier) for stage in steps], record, keeps_all=True)
        self.layers = Layers(steps, record=record, on_step=forecast.update)
        self.middle = list(dict.fromkeys([*steps[-1].frontier, *plan.middle]))
        self.edges = [
            (i, j)
            for i, j in combinations(range(len(self.middle)), 2)
            if self.middle[j] in graph.neighbours(self.middle[i])
        ]
        self.turned = [self.middle.index(plan.image[v]) for v in self.middle]
        self.scratch = new_scratch(Tier(0, compiled=False))
        self.accepted: list[tuple[int, int, int, int, tuple[int, ...]]] = []
        self.tries = self.cycles = 0
        self._sort()
        self._sum_up()

    def _sort(self) -> None:
        """Sort the last layer by patterns, so that the states of one pattern are contiguous."""
        last = self.layers.last
        assert_room(self.layers.bytes + last.bytes + 3 * 8 * last.states, SORTED)
        patterns = _patterns(last, len(self.middle))
        order = np.argsort(patterns, kind="stable")
        patterns = patterns[order]
        self.layers.layers[-1] = last = last.chosen(order)
        self.counts = _exact(last.records[:, last.layout.keys :])
        self.ends = np.cumsum(self.counts)  # of the numbers of each state's ways
        self.first = np.flatnonzero(np.diff(patterns, prepend=-1))
        self.patterns = patterns[self.first]

    def _sum_up(self) -> None:
        """Sum the ways of the other side with the edges of the middle, and with the ways of this side."""
        ours = np.add.reduceat(self.counts, self.first)
        if float(ours.sum()) * 2.0 ** len(self.edges) > 2.0**62:
            ours = ours.astype(object)
        digits = [self.patterns // 3**i % 3 for i in range(len(self.middle))]
        image = sum(digit * 3**i for digit, i in zip(digits, self.turned, strict=True))
        self.ways = [_Patterns.summed(np.asarray(image), ours)]
        self.back = np.argsort(np.asarray(image))
        size = self.layers.bytes
        for i, j in self.edges:
            self.ways.append(self.ways[-1].with_edge(i, j))
            size += self.ways[-1].bytes
            assert_room(size, SORTED)
        self.complete = 3 ** len(self.middle) - 1  # the pattern with two edges at every vertex
        self.theirs = self.ways[-1].ways_of(self.complete - self.patterns)
        if float(np.dot(ours.astype(float), self.theirs.astype(float))) > 2.0**62:
            ours = ours.astype(object)
        self.pairs = np.cumsum(ours * self.theirs)

    def draw(self, n: int, chance: random.Random) -> list[Moves]:
        """The next n cycles, each as the edges from its vertices; none if the graph has none.

        Time: 0.5 ms for each on 8x8 in large numbers, 2 to 12 ms for a single one.
        """
        while len(self.accepted) < n and self._has_cycle():
            self._propose([chance.randrange(int(self.pairs[-1])) for _ in range(DRAWN)])
        drawn, self.accepted = self.accepted[:n], self.accepted[n:]
        if not drawn:
            return []
        last = self.layers.last
        rows = last.records[[row for s, _, t, *_ in drawn for row in (s, t)]]
        states = [(low, high if last.layout.keys > 1 else 0) for low, high, *_ in rows.tolist()]
        ways = self.layers.back(states, [number for _, x, _, y, _ in drawn for number in (x, y)])
        image = [*self.plan.image, -1]
        moves = []
        for ours, theirs, (*_, taken) in zip(ways[::2], ways[1::2], drawn, strict=True):
            turned = [(image[v], image[a], image[b]) for v, a, b in theirs]
            inner = [(self.middle[i], self.middle[j], -1) for i, j in (self.edges[e] for e in taken)]
            moves.append(ours + turned + inner)
        return moves

    def _has_cycle(self) -> bool:
        """Whether the graph has a cycle; counted if many triples contained none."""
        if not len(self.pairs) or not self.pairs[-1]:
            return False
        if not self.cycles and self.tries >= COUNT_AFTER:
            self.cycles = count_in_halves(self.graph, self.plan)
            return self.cycles > 0
        return True

    def _propose(self, numbers: list[int]) -> None:
        """Decode the triples of these numbers, and accept the triples that form one cycle."""
        rest = np.array(numbers, dtype=self.pairs.dtype)
        p = np.searchsorted(self.pairs, rest, side="right")
        rest = rest - np.where(p > 0, self.pairs[p - 1], 0)
        ours, rest = rest // self.theirs[p], rest % self.theirs[p]
        missing = self.complete - self.patterns[p]
        taken = np.zeros((len(numbers), len(self.edges)), dtype=np.bool_)
        # Undo the edges of the middle, the last one first: ways without an edge come before ways with it.
        for e in range(len(self.edges) - 1, -1, -1):
            i, j = self.edges[e]
            without = self.ways[e].ways_of(missing)
            taken[:, e] = rest >= without
            rest = rest - np.where(taken[:, e], without, 0)
            missing = missing - taken[:, e] * (3**i + 3**j)
        q = self.back[np.searchsorted(self.ways[0].patterns, missing)]
        for (s, x), (t, y), row in zip(self._states(p, ours), self._states(q, rest), taken, strict=True):
            inner = tuple(np.flatnonzero(row).tolist())
            if self._is_one_cycle(s, t, inner):
                self.accepted.append((s, x, t, y, inner))
                self.cycles += 1
        self.tries += len(numbers)

    def _states(self, patterns: Ints, numbers: Numbers) -> list[tuple[int, int]]:
        """For a number below the ways of a pattern: the row of a state, and a number below its ways."""
        first = self.first[patterns]
        number = numbers + np.where(first > 0, self.ends[first - 1], 0)
        rows = np.searchsorted(self.ends, number, side="right")
        rest = number - (self.ends[rows] - self.counts[rows])
        return list(zip(rows.tolist(), rest.tolist(), strict=True))

    def _is_one_cycle(self, s: int, t: int, inner: tuple[int, ...]) -> bool:
        """Whether a state, the image of another and some edges of the middle form one cycle."""
        paths = [
            *self._paths(s),
            *((self.turned[i], self.turned[j]) for i, j in self._paths(t)),
            *(self.edges[e] for e in inner),
        ]
        part = list(range(len(self.middle)))
        for i, j in paths:
            part = [part[i] if label == part[j] else label for label in part]
        return len({part[i] for i, _ in paths}) == 1

    def _paths(self, s: int) -> list[tuple[int, int]]:
        """The pairs of places that a state of the last layer joins by a path."""
        low, high, *_ = self.layers.last.records[s].tolist()
        if self.layers.last.layout.keys < 2:
            high = 0
        unpack(low, high, len(self.middle), None, self.scratch)
        return [(i, j) for i, j in enumerate(self.scratch.mate[: len(self.middle)]) if i < j]


def _patterns(table: Table, width: int) -> Ints:
    """The pattern of each state on `width` places."""
    records, scratch = table.records, new_scratch(table.tier)
    patterns = np.zeros(len(records), dtype=np.int64)
    for i in range(width):
        code = records[:, 0 if i < scratch.places else 1] >> scratch.shift[i] & scratch.mask[i]
        patterns += np.array([0, 2, 1])[np.minimum(code, 2)] * 3**i
    return patterns


def _exact(limbs: Ints) -> Numbers:
    """Counts in one word if their sum fits, else as Python's integers."""
    exact: Numbers = limbs[:, 0]
    if limbs.shape[1] > 1:
        exact = limbs[:, 0].astype(object) + (limbs[:, 1].astype(object) << 60)
    elif float(limbs.sum(dtype=np.float64)) > 2.0**62:
        exact = limbs[:, 0].astype(object)
    return exact
