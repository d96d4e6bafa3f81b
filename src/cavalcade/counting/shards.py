"""Counting in shards: a count as a sum of independent counts that take less memory.

If a half turn maps the board to itself, the count proceeds in halves (see `meeting`). Some vertices of the
middle are selected, each with its image. In a Hamiltonian cycle each of them has 0, 1 or 2 edges from the
first side, its *digit*; the digits determine the *class* of the cycle. Vertices are preferred whose last edge
from the side is decided early, while there are few states to split. States with different digits never merge
later, so all classes together take about as long as one search. Consecutive classes of a shard share the
beginnings of their searches. Digits that all of them have in common discard states from the start. A class
with digits d meets the class with the complementary digits of the images, and vice versa: both have equally
many cycles, and one shard counts both.

On other boards the states of the whole search are split by their order as soon as there are enough. Their
successors merge again, so the total time grows with the number of shards.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np

from cavalcade.counting.checkpoints import Checkpoints
from cavalcade.counting.meeting import Halves, Meeting, halves
from cavalcade.ground.errors import CavalcadeError, TooLargeError
from cavalcade.question.question import Question
from cavalcade.question.statement import statement
from cavalcade.states.choices import Allowed
from cavalcade.states.encoding import WIDEST
from cavalcade.states.order import narrow_order
from cavalcade.states.pattern_search import PatternSearch
from cavalcade.states.patterns import Patterns
from cavalcade.states.search import Progress
from cavalcade.states.transition import Stage, neighbours, stages

Pair = tuple[int, int]
Digits = tuple[Pair, ...]  # digits of a class, one pair per pair of selected vertices

MOST = 1 << 16  # shards: each is one row of a survey and one file
FINE = 1.5  # minimum number of classes per shard: more classes make shards more alike, fewer save time
SPLIT = 16  # patterns per shard before the states of a whole search are split, so that shards are alike
LATER = 3  # penalty, in stages, for each undecided edge of the middle at a selected vertex
DEGREES = tuple(Allowed)
WEIGHTS = [math.comb(2, digit) for digit in range(3)]  # approximate shares of the states by digit
_last: dict[tuple[str, int], _Classes] = {}  # classes of the question and number of shards counted last


def count_shard(question: Question, number: int, shards: int, record: Progress | None = None) -> int:
    """Count one shard. The sum over all shards is the number of undirected tours.

    Args:
        question: the question.
        number: index of the shard, from 0.
        shards: number of shards.
        record: receives the effort of the count.

    Raises:
        CavalcadeError: the board cannot be split into this number of shards.
        TooLargeError: the question needs a list of tours or has a symmetry, or the board is too wide.
    """
    record, key = record or Progress(), (statement(question), shards)
    if key not in _last:
        _last.clear()
        plan = assert_shards(question, shards)
        if plan is None:
            return _part_of_whole(question, number, shards, record)
        _last[key] = _Classes(question, plan)
        _last[key].split(shards)
    classes = _last[key]
    classes.record = record
    cycles = sum(map(classes.count, classes.of_shard(number)))
    if number == shards - 1:
        _last.clear()
    return cycles


def assert_shards(question: Question, shards: int) -> Halves | None:
    """Validate the number of shards; return the two halves of the board, or None if it has none.

    Raises:
        CavalcadeError, TooLargeError: as `count_shard`.
    """
    if question.listed or question.symmetry:
        tours = "tours with cells at steps, coils or a symmetry"
        raise TooLargeError(f"{tours} are not counted in shards: leave out --shards")
    plan = halves(question.as_cycle, question.apex)
    most = MOST if plan is None else min(MOST, _Classes(question, plan).most)
    if not 1 <= shards <= most:
        raise CavalcadeError(f"{shards:,} shards, expected at most {most:,} on {question.board.title}")
    return plan


class _Classes:
    """The classes of the cycles of a board with two halves.

    Attributes:
        record: receives the effort of the searches.
        pairs: selected vertices, each with its image.
        decided: number of stages of the side after which no edge from the side to each vertex of the middle
            is open.
        inner: edges of the middle in the order of their stages.
        kept: tables that later classes of a shard can start from, by the next pair to split and the digits so
            far.
        remaining: edges of the middle that are undecided after each of their stages, counted by vertex.
    """

    def __init__(self, question: Question, plan: Halves) -> None:
        graph = question.as_cycle
        self.record, self.plan = Progress(), plan
        self.kept: dict[tuple[int, Digits], Patterns] = {}
        self.meeting = meeting = Meeting(graph, plan, record=self.record, checkpoints=Checkpoints())
        self.stages = meeting.side
        self.inner = inner = [
            {stage.vertices[i] for i in stage.geometry.later} for stage in meeting.side[len(plan.side) :]
        ]
        fixed = {stage.vertices[i] for stage in meeting.own for i in stage.geometry.later}
        rows = [set(row) for row in neighbours(graph)]
        self.decided = decided = {
            v: max((i for i, u in enumerate(plan.side, 1) if u in rows[v]), default=0) for v in plan.middle
        }
        open_edges = {v: sum(v in edge for edge in inner) for v in plan.middle}

        def lateness(pair: Pair) -> int:
            return max(decided[v] + LATER * open_edges[v] for v in pair)

        pairs = sorted({(min(v, w), max(v, w)) for v in plan.middle if (w := plan.image[v]) != v})
        self.pairs = sorted((pair for pair in pairs if fixed.isdisjoint(pair)), key=lateness)
        self.remaining = [Counter(v for edge in inner[i:] for v in edge) for i in range(1, len(inner) + 1)]

    @property
    def most(self) -> int:
        """Largest number of shards: classes, where two complementary classes count as one."""
        return int(9 ** len(self.pairs) + 1) // 2

    def split(self, shards: int) -> None:
        """Select pairs for a number of shards, and assign one of two complementary classes to each shard."""
        chosen = 0
        while 9**chosen < 2 * FINE * shards and chosen < len(self.pairs):
            chosen += 1
        self.pairs = sorted(self.pairs[:chosen], key=lambda pair: max(self.decided[v] for v in pair))
        pair_digits: list[Pair] = [(a, b) for a in range(3) for b in range(3)]
        all_digits = product(pair_digits, repeat=chosen)
        self.classes = [digits for digits in all_digits if digits <= self.complement(digits)]
        weights = [np.prod([WEIGHTS[a] * WEIGHTS[b] for a, b in digits]) for digits in self.classes]
        middles = np.cumsum(weights) - np.array(weights) / 2
        self.shard = (middles * shards // sum(weights)).astype(int)

    def of_shard(self, number: int) -> list[Digits]:
        """Return the classes of a shard; all shards have about the same weight."""
        return [self.classes[i] for i in np.flatnonzero(self.shard == number)]

    @staticmethod
    def complement(digits: Digits) -> Digits:
        """Return the digits of the class that meets a class: the images supply the missing edges."""
        return tuple((2 - b, 2 - a) for a, b in digits)

    def count(self, digits: Digits) -> int:
        """Count the cycles of a class and of its complement."""
        complement = self.complement(digits)
        for key in [*self.kept]:
            prefix = key[1]
            if prefix not in {digits[: len(prefix)], complement[: len(prefix)]}:
                del self.kept[key]
        theirs = self.searched(complement)
        ours = theirs if complement == digits else self.searched(digits, held=theirs.table.bytes)
        second = first = self.meeting.on_middle(theirs)
        if self.meeting.own or complement != digits:
            ours.stages = [*ours.stages, *self.meeting.own]
            ours.run()
            first = self.meeting.on_middle(ours)
        cycles = sum(self.meeting.met(first, second))
        return cycles if complement == digits else 2 * cycles

    def searched(self, digits: Digits, held: int = 0) -> PatternSearch:
        """Search the side for the states that end with some digits, starting from a kept table if possible.

        Args:
            digits: the digits.
            held: bytes of other tables in memory.
        """
        search = PatternSearch(self.allowed(digits), compiled=True, record=self.record)
        search.held = held + sum(table.bytes for table in self.kept.values())
        all_stages = search.stages
        for level, pair in enumerate(self.pairs):
            taken = max(self.decided[v] for v in pair)
            key = (level, digits[:level])
            if key in self.kept:
                search.table, search.taken = self.kept[key], taken
            else:
                search.stages = all_stages[:taken]
                search.run()
                self.kept[key] = search.table
            search.table = self.chosen(search.table, all_stages[taken - 1].frontier, pair, digits[level])
        search.stages = all_stages
        search.run()
        return search

    def allowed(self, digits: Digits) -> list[Stage]:
        """Return the stages of the side; stages of the middle discard states that cannot reach the digits."""
        digit_of = {
            v: digit
            for pair, pair_digits in zip(self.pairs, digits, strict=True)
            for v, digit in zip(pair, pair_digits, strict=True)
        }
        allowed = self.stages[: len(self.plan.side)]
        for stage, remaining in zip(self.stages[len(allowed) :], self.remaining, strict=True):
            masks = {v: _degrees(digit, remaining[v]) for v, digit in digit_of.items()}
            allowed.append(replace(stage, allowed=masks))
        return allowed

    def chosen(self, table: Patterns, frontier: list[int], pair: Pair, digits: Pair) -> Patterns:
        """Select the states from which a pair of vertices can reach its digits by edges of the middle."""
        fits = table.keys >= 0
        for v, digit in zip(pair, digits, strict=True):
            mask = _degrees(digit, sum(v in edge for edge in self.inner))
            degree = table.keys >> 2 * frontier.index(v) & 3 if v in frontier else np.zeros_like(table.keys)
            fits &= np.array([mask & bit > 0 for bit in DEGREES])[degree]
        return table.chosen(fits)


def _degrees(digit: int, remaining: int) -> int:
    """Return the degrees, as a mask, from which a vertex can reach a digit with the remaining edges."""
    return sum(DEGREES[degree] for degree in range(max(0, digit - remaining), digit + 1))


def _part_of_whole(question: Question, number: int, shards: int, record: Progress) -> int:
    """Count the cycles from one shard of the states, split as soon as there are enough patterns."""
    graph = question.as_cycle
    order = narrow_order(graph, question.apex, widest=WIDEST)
    search = PatternSearch(stages(neighbours(graph), order, ascending=True), record=record)
    while search.taken < len(search.stages) and len(search.table.keys) < SPLIT * shards:
        search.take()
    if search.taken == len(search.stages):  # there never were enough patterns
        return 0 if number else search.cycles
    cumulative = np.cumsum(search.table.sizes(slice(None)))
    search.table = search.table.chosen((cumulative - 1) * shards // cumulative[-1] == number)
    search.run()
    return search.cycles
