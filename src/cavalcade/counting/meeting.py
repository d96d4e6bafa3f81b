"""Counting in two halves that meet: the search never holds the states of the whole board.

If a half turn maps a board to itself, select a set of cells, the *middle*, without which the board falls into
two sides, each the image of the other. A frontier search over one side yields its states on the middle. The
states of the other side are their images, so one search serves both sides. Every edge inside the middle is
assigned to one of the sides. Two states form a Hamiltonian cycle if every vertex of the middle gets two edges
in all, and if the paths of both sides form a single cycle (`matchings` counts these pairs). The search is
half as long, and its last tables are small: 8x8 has 17,762,653 states on its two middle rows, 91,766,664 with
six of the twelve edges between these rows, and more than 180 million in a search from top to bottom.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cavalcade.counting.checkpoints import Checkpoints
from cavalcade.counting.cycles import Forecast
from cavalcade.counting.matchings import WIDEST_MIDDLE, met
from cavalcade.question.graph import MoveGraph
from cavalcade.states.order import BASE, half_order
from cavalcade.states.pattern_search import PatternSearch
from cavalcade.states.patterns import Patterns, opened
from cavalcade.states.search import Progress
from cavalcade.states.transition import edge_stage, neighbours, stages
from cavalcade.states.weights import Word, batched

if TYPE_CHECKING:
    from cavalcade.counting.receipts import Recorder

Edges = list[tuple[int, int]]

CELLS = 8  # cells of the middle whose degrees divide the cycles of a receipt into classes: 3**8 = 6,561
EDGE_COST = 0.5  # cost of an edge of the middle in stages of its width; 0 to 0.95 were measured on ten boards


@dataclass(frozen=True)
class Halves:
    """A division of a graph into two sides and a middle.

    Args:
        side: vertices of the first side, in the order in which they are taken.
        middle: vertices of the middle.
        image: images of the vertices under the half turn, which maps the first side to the other one.
        cost: estimated cost of a count, see `order.cost_of`.
    """

    side: list[int]
    middle: list[int]
    image: list[int]
    cost: float


def halves(
    graph: MoveGraph, last: int | None = None, *, below: float = math.inf, meeting: bool = True
) -> Halves | None:
    """Search for a cheap division of a graph into halves.

    The half turn of a board reverses the numbers of its cells, so only this automorphism is tried.

    Args:
        graph: any graph.
        last: the vertex that joins the ends of open tours, which must have the largest number, or None.
        below: upper limit for the cost, see `order.cost_of`.
        meeting: whether the halves will meet. Then each edge inside the middle is one more stage on a wide
            frontier; an edge that is its own image doubles the tables.

    Returns:
        The halves, or None if the graph has no such automorphism or no division is cheap enough.
    """
    n = graph.size if last is None else graph.size - 1
    image = [n - 1 - v for v in range(n)] + list(range(n, graph.size))
    rows = neighbours(graph)
    same = all(sorted(image[w] for w in rows[v]) == sorted(rows[image[v]]) for v in range(graph.size))
    if last not in {None, n} or not same:
        return None
    best: Halves | None = None
    for side, cost in half_order(graph, image):
        taken = {*side, *(image[v] for v in side)}
        middle = [v for v in range(graph.size) if v not in taken]
        if len(middle) > WIDEST_MIDDLE:
            continue
        plan = Halves(side, middle, image, cost)
        assigned, fixed = _edges(graph, plan) if meeting else ([], [])
        stages = 1 + EDGE_COST * (len(assigned) + 2 * len(fixed))
        total_cost = cost + stages * BASE ** len(middle)
        if total_cost < (best.cost if best else below):
            best = replace(plan, cost=total_cost)
    return best


def _edges(graph: MoveGraph, plan: Halves) -> tuple[Edges, Edges]:
    """Return the edges of the middle assigned to the first side, and the edges that are their own image.

    An edge and its image are assigned to different sides. Edges with a common vertex are assigned to the same
    side if possible, which makes fewer states.
    """
    inside, image = set(plan.middle), plan.image
    order: dict[int, None] = {}
    for v in plan.middle:
        stack = [v]
        while stack:
            u = stack.pop()
            if u not in order:
                order[u] = None
                stack += [w for w in graph.neighbours(u).tolist() if w in inside]
    assigned: Edges = []
    fixed: Edges = []
    for u in order:
        for w in graph.neighbours(u).tolist():
            if w in inside and u < w:
                image_edge = (min(image[u], image[w]), max(image[u], image[w]))
                if image_edge == (u, w):
                    fixed.append(image_edge)
                elif image_edge not in assigned:
                    assigned.append((u, w))
    return assigned, fixed


class Meeting:
    """A count in two halves.

    Args:
        graph: any graph.
        plan: its halves.
        record: receives steps and peaks.
        checkpoints: the checkpoint file.
        receipt: receives the states after every stage, if a receipt is wanted.
        words: words to sum over all cycles instead of counting the cycles.

    Attributes:
        side: stages of the first side and of the edges of the middle that are assigned to it.
        own: stages of the edges of the middle that are their own image.
        middle: vertices of the middle, ascending.
        cells: vertices of the middle whose degrees divide the cycles of a receipt into classes.
    """

    def __init__(
        self,
        graph: MoveGraph,
        plan: Halves,
        *,
        record: Progress,
        checkpoints: Checkpoints,
        receipt: Recorder | None = None,
        words: Sequence[Word] = (),
    ) -> None:
        self.plan, self.checkpoints, self.record, self.receipt = plan, checkpoints, record, receipt
        steps = stages(neighbours(graph), plan.side, ascending=True)
        self.middle = sorted({*steps[-1].frontier, *plan.middle})
        edges = _edges(graph, plan)
        assigned, self.own = ([edge_stage(self.middle, edge) for edge in group] for group in edges)
        self.side = [*steps, *assigned]
        widths = [len(stage.frontier) for stage in [*self.side, *self.own]]
        self.forecast = Forecast(widths, record, checkpoints.directory, len(words))
        record.vertices = self.forecast.searches * (len(self.side) + len(self.own) + 1)
        self.words = words
        self.cells: list[int] = []
        if receipt:
            reached = dict.fromkeys(v for step in steps for v in step.frontier if v in self.middle)
            self.cells = [*reached][:CELLS]
            receipt.order, receipt.inner = plan.side, [edge for group in edges for edge in group]
            receipt.image, receipt.cells = plan.image, self.cells

    def count(self) -> int:
        """Count the cycles."""
        first, second = self.sides()
        classes = self.met(first, second, [self.middle.index(cell) for cell in self.cells])
        if self.receipt:
            self.receipt.classes = classes
        self.record.step(first.states, first.bytes, 0)
        return sum(classes)

    def values(self) -> list[int]:
        """Sum each word over all cycles."""
        values = []
        for words in batched(self.words, self.forecast.at_once):
            first, second = self.sides(words)
            values += self.met(first, second, moduli=[word.prime for word in words])
            self.record.step(first.states, first.bytes, 0)
        return values

    def sides(self, words: Sequence[Word] = ()) -> tuple[Patterns, Patterns]:
        """Search one side; return the states of the sides on the middle, before one side is turned."""
        search = PatternSearch(
            self.side,
            compiled=True,
            words=words,
            record=self.record,
            on_step=self.on_step,
            directory=self.checkpoints.directory,
        )
        self.checkpoints.resume(search)
        search.run()
        first = second = self.on_middle(search)
        if self.own:
            search.stages, search.held = [*self.side, *self.own], second.bytes
            search.run()
            first = self.on_middle(search)
        return first, second

    def met(
        self, first: Patterns, second: Patterns, cells: Sequence[int] = (), moduli: Sequence[int] = ()
    ) -> list[int]:
        """Count the cycles that the states of both sides form, see `matchings.met`."""
        # The half turn reverses the numbers of the vertices, except for the vertex that joins open tours.
        apex = self.plan.image[self.middle[-1]] == self.middle[-1]
        return met(first, second, len(self.middle), apex=apex, cells=cells, moduli=moduli)

    def on_middle(self, search: PatternSearch) -> Patterns:
        """Extend the states of a search to all places of the middle."""
        reached, table = search.stages[search.taken - 1].frontier, search.table
        new = [i for i, v in enumerate(self.middle) if v not in reached]
        return replace(table, keys=opened(table.keys, new)) if new else table

    def on_step(self, search: PatternSearch) -> None:
        """Update the forecast and the receipt after a step, and save the states when due."""
        self.forecast.update(search)
        if self.receipt:
            self.receipt.after(search)
        if search.taken <= len(self.side):
            self.checkpoints.save_if_due(search, now=search.taken >= len(self.plan.side))


def count_in_halves(
    graph: MoveGraph,
    plan: Halves,
    *,
    record: Progress | None = None,
    checkpoints: Checkpoints | None = None,
    receipt: Recorder | None = None,
) -> int:
    """Count the Hamiltonian cycles of a graph in two halves, undirected and exact.

    Args:
        graph: any graph.
        plan: its halves.
        record: receives steps and peaks, and reports them after every stage.
        checkpoints: the file to which the tables are saved, and from which an interrupted count continues.
        receipt: receives the states after every stage, and the cycles of each class.
    """
    checkpoints, record = checkpoints or Checkpoints(), record or Progress()
    with checkpoints.opened(graph, [*plan.side, *plan.middle]):
        return Meeting(graph, plan, record=record, checkpoints=checkpoints, receipt=receipt).count()
