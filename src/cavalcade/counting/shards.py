"""Counting in shards: a count as a sum of counts that know nothing of one another and take less memory.

Where a half turn maps a board to itself, the count is one in halves (see `meeting`). Some vertices of the
middle, each with its image, are chosen. In every Hamiltonian cycle each of them has 0, 1 or 2 edges from the
first side, its *digit*; the digits say to which *class* the cycle belongs. A vertex is chosen that has its
last edge from the side early. There the states are few, and are split by its digit: what comes of states with
different digits never becomes the same, so all classes together take about as long as one search. The classes
of a shard follow one another, so that they share the beginnings of their searches, and the digits that all of
them have drop states from the start. A class with the digits d meets one with the digits that its images
leave, and that meets the first: both have as many cycles, and one shard counts both.

On other boards the states of the whole search are split where they first are many, by their order. What
comes of them becomes the same again, so that all shards together take longer, the more there are.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np

from cavalcade.counting.checkpoints import Checkpoints
from cavalcade.counting.meeting import Halves, Meeting, halves
from cavalcade.ground.errors import CavalcadeError, TooLargeError
from cavalcade.question.question import Question
from cavalcade.question.statement import statement
from cavalcade.states.choices import DONE, END, UNTOUCHED
from cavalcade.states.encoding import WIDEST
from cavalcade.states.order import narrow_order
from cavalcade.states.pattern_search import PatternSearch
from cavalcade.states.patterns import Patterns
from cavalcade.states.search import Progress
from cavalcade.states.transition import Stage, neighbours, stages

Pair = tuple[int, int]
Digits = tuple[Pair, ...]  # of each pair of chosen vertices

MOST = 1 << 16  # shards
FINE = 1.5  # classes for each shard at least, so that shards are alike
SPLIT = 16  # patterns for each shard from which the states of a whole search are split
LATER = 3  # stages that an edge of the middle at a vertex is worth: it is decided after all of them
DEGREES = (UNTOUCHED, END, DONE)
WEIGHTS = (1, 2, 1)  # of the digits: about how many states have them
_last: dict[tuple[str, int], _Classes] = {}  # what a process has counted last


def count_shard(question: Question, number: int, shards: int, record: Progress | None = None) -> int:
    """One of the counts whose sum is that of all tours, undirected.

    Args:
        question: what is counted.
        number: which of them, from 0.
        shards: how many there are.
        record: what the count takes is added to it.

    Raises:
        CavalcadeError: there are more shards than the board can be split into.
        TooLargeError: tours that only a list tells, or symmetric ones, or a board that is too wide.
    """
    record, asked = record or Progress(), (statement(question), shards)
    if asked not in _last:
        _last.clear()
        plan = assert_shards(question, shards)
        if plan is None:
            return _part_of_whole(question, number, shards, record)
        _last[asked] = _Classes(question, plan)
        _last[asked].split(shards)
    classes = _last[asked]
    classes.record = record
    found = sum(map(classes.count, classes.of_shard(number)))
    if number == shards - 1:
        _last.clear()
    return found


def assert_shards(question: Question, shards: int) -> Halves | None:
    """Refuse a number of shards into which a count cannot be split; how the board is cut in halves, if it is.

    Raises:
        CavalcadeError, TooLargeError: as `count_shard`.
    """
    if question.listed or question.symmetry:
        what = "tours with cells at steps, coils or a symmetry"
        raise TooLargeError(f"{what} are not counted in shards: leave out --shards")
    plan = halves(question.as_cycle, question.apex)
    most = MOST if plan is None else min(MOST, _Classes(question, plan).most)
    if not 1 <= shards <= most:
        raise CavalcadeError(f"{shards:,} shards, expected at most {most:,} on {question.board.title}")
    return plan


class _Classes:
    """The classes of the cycles of a board in halves, and how each is counted."""

    def __init__(self, question: Question, plan: Halves) -> None:
        graph = question.as_cycle
        self.record, self.plan = Progress(), plan
        self.meeting = meeting = Meeting(graph, plan, record=self.record, checkpoints=Checkpoints())
        self.stages = meeting.side
        inner = [
            {stage.vertices[i] for i in stage.geometry.later} for stage in meeting.side[len(plan.side) :]
        ]
        fixed = {stage.vertices[i] for stage in meeting.own for i in stage.geometry.later}
        rows = [set(row) for row in neighbours(graph)]
        upto = {
            v: max((i for i, u in enumerate(plan.side, 1) if u in rows[v]), default=0) for v in plan.middle
        }
        left = {v: sum(v in edge for edge in inner) for v in plan.middle}

        def worth(pair: Pair) -> int:
            return max(upto[v] + LATER * left[v] for v in pair)

        pairs = sorted({(min(v, w), max(v, w)) for v in plan.middle if (w := plan.image[v]) != v})
        self.pairs = sorted((pair for pair in pairs if fixed.isdisjoint(pair)), key=worth)
        self.upto, self.inner = upto, inner
        self.kept: dict[tuple[int, Digits], Patterns] = {}  # by the next pair to split, and the digits known
        self.left = [Counter(v for edge in inner[i:] for v in edge) for i in range(1, len(inner) + 1)]

    @property
    def most(self) -> int:
        """How many classes there are, two that are counted together as one."""
        return int(9 ** len(self.pairs) + 1) // 2

    def split(self, shards: int) -> None:
        """Choose pairs for so many shards; of each two classes that are counted together a shard has one."""
        chosen = 0
        while 9**chosen < 2 * FINE * shards and chosen < len(self.pairs):
            chosen += 1
        self.pairs = sorted(self.pairs[:chosen], key=lambda pair: max(self.upto[v] for v in pair))
        two: list[Pair] = [(a, b) for a in range(3) for b in range(3)]
        every = product(two, repeat=chosen)
        self.classes = [digits for digits in every if digits <= self.other(digits)]
        weights = [np.prod([WEIGHTS[a] * WEIGHTS[b] for a, b in digits]) for digits in self.classes]
        middles = np.cumsum(weights) - np.array(weights) / 2
        self.shard = (middles * shards // sum(weights)).astype(int)

    def of_shard(self, number: int) -> list[Digits]:
        """The classes of a shard; those of all weigh the same."""
        return [self.classes[i] for i in np.flatnonzero(self.shard == number)]

    @staticmethod
    def other(digits: Digits) -> Digits:
        """The digits that the images of a class leave."""
        return tuple((2 - b, 2 - a) for a, b in digits)

    def count(self, digits: Digits) -> int:
        """The cycles of a class and of the other, if that is another."""
        other = self.other(digits)
        for key in [*self.kept]:
            if key[1] not in {digits[: len(key[1])], other[: len(key[1])]}:
                del self.kept[key]
        theirs = self.searched(other)
        ours = theirs if other == digits else self.searched(digits, held=theirs.table.bytes)
        second = first = self.meeting.on_middle(theirs)
        if self.meeting.own or other != digits:
            ours.stages = [*ours.stages, *self.meeting.own]
            ours.run()
            first = self.meeting.on_middle(ours)
        found = sum(self.meeting.met(first, second))
        return found if other == digits else 2 * found

    def searched(self, digits: Digits, held: int = 0) -> PatternSearch:
        """The states of the side that have some digits in the end, from where they part with those kept."""
        held += sum(table.bytes for table in self.kept.values())
        search = PatternSearch(self.allowed(digits), compiled=True, held=held, record=self.record)
        every = search.stages
        for level, pair in enumerate(self.pairs):
            at = max(self.upto[v] for v in pair)
            known = (level, digits[:level])
            if known in self.kept:
                search.table, search.taken = self.kept[known], at
            else:
                search.stages = every[:at]
                search.run()
                self.kept[known] = search.table
            search.table = self.chosen(search.table, every[at - 1].frontier, pair, digits[level])
        search.stages = every
        search.run()
        return search

    def allowed(self, digits: Digits) -> list[Stage]:
        """The stages of the side; those of edges of the middle drop states that cannot come to the digits."""
        found = self.stages[: len(self.plan.side)]
        for stage, left in zip(self.stages[len(found) :], self.left, strict=True):
            wanted = zip(self.pairs, digits, strict=True)
            masks = {v: _degrees(d, left[v]) for pair, two in wanted for v, d in zip(pair, two, strict=True)}
            found.append(replace(stage, allowed=masks))
        return found

    def chosen(self, table: Patterns, frontier: list[int], pair: Pair, two: Pair) -> Patterns:
        """The states in which two vertices may still come to have these digits, by edges of the middle."""
        fits = table.keys >= 0
        for v, digit in zip(pair, two, strict=True):
            mask = _degrees(digit, sum(v in edge for edge in self.inner))
            degree = table.keys >> 2 * frontier.index(v) & 3 if v in frontier else np.zeros_like(table.keys)
            fits &= np.array([mask & one > 0 for one in DEGREES])[degree]
        return table.chosen(fits)


def _degrees(digit: int, left: int) -> int:
    """The degrees, as a mask, from which a vertex may come to a digit by so many more edges."""
    return sum(DEGREES[degree] for degree in range(max(0, digit - left), digit + 1))


def _part_of_whole(question: Question, number: int, shards: int, record: Progress) -> int:
    """The cycles that come of one shard of the states, where there first are many."""
    graph = question.as_cycle
    order = narrow_order(graph, question.apex, widest=WIDEST)
    search = PatternSearch(stages(neighbours(graph), order, ascending=True), record=record)
    while search.taken < len(search.stages) and len(search.table.keys) < SPLIT * shards:
        search.take()
    if search.taken == len(search.stages):  # they never are
        return 0 if number else search.cycles
    upto = np.cumsum(search.table.sizes(slice(None)))
    search.table = search.table.chosen((upto - 1) * shards // upto[-1] == number)
    search.run()
    return search.cycles
