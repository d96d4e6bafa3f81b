"""Counting in two halves that meet: neither half ever holds the states of the whole.

Take a board that is its own image under the half turn, and a set of cells, the *middle*, without which it
falls into two sides, each the image of the other. A frontier search over one side leaves its states on the
middle; the states of the other side are their images, so half the work serves for both. Every edge inside
the middle is given to one of the sides. A state of the one and a state of the other make a Hamiltonian cycle
where every vertex of the middle gets two edges from both together, and where the paths of both together make
a single cycle (which `matchings` counts). The search is half as long, and ends where its states are few: 8x8
has 17,762,653 of them on its two middle rows, 91,766,664 with six of the twelve edges between these, and more
than 180 million in a search from top to bottom.
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

MIDDLE_COST = 1.0  # of a middle against a frontier of the search that is as wide
CELLS = 8  # of the middle that make the classes of a receipt: 6,561 of them
EDGE_COST = 0.5  # of an edge inside it: between 0 and 0.95 were measured on ten boards


@dataclass(frozen=True)
class Halves:
    """One side of a graph, as an order of its vertices, and the middle; the other side is its image.

    `image[v]` is the vertex that v is mapped to.
    """

    side: list[int]
    middle: list[int]
    image: list[int]
    cost: float


def halves(
    graph: MoveGraph, last: int | None = None, *, below: float = math.inf, meeting: bool = True
) -> Halves | None:
    """The best way that is found to cut a graph in halves, below a cost as of `order.cost_of`, or None.

    Where the halves are to meet, every edge inside the middle is a stage more on a wide frontier, and one
    that is its own image makes two tables of one.

    An engine sees no board, but the half turn of a board turns the numbers of its cells round, so that is
    what is tried. The vertex that joins the ends of open tours comes last, and must be in the middle.
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
        mine, own = _edges(graph, plan) if meeting else ([], [])
        stages = 1 + EDGE_COST * (len(mine) + 2 * len(own))
        whole = cost + MIDDLE_COST * stages * BASE ** len(middle)
        if whole < (best.cost if best else below):
            best = replace(plan, cost=whole)
    return best


def _edges(graph: MoveGraph, plan: Halves) -> tuple[Edges, Edges]:
    """The edges inside the middle that go to the first side, and those that are their own image.

    Of an edge and its image one goes to either side; connected ones to the same if that can be, which makes
    fewer states.
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
    mine: Edges = []
    own: Edges = []
    for u in order:
        for w in graph.neighbours(u).tolist():
            if w in inside and u < w:
                turned = (min(image[u], image[w]), max(image[u], image[w]))
                if turned == (u, w):
                    own.append(turned)
                elif turned not in mine:
                    mine.append((u, w))
    return mine, own


class Meeting:
    """A count in two halves, step by step."""

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
        mine, self.own = ([edge_stage(self.middle, edge) for edge in some] for some in edges)
        self.side = [*steps, *mine]
        widths = [len(stage.frontier) for stage in [*self.side, *self.own]]
        self.forecast = Forecast(widths, record, checkpoints.directory, len(words))
        record.vertices = self.forecast.searches * (len(self.side) + len(self.own) + 1)
        self.words = words
        self.cells: list[int] = []  # those of the middle that make the classes of a receipt
        if receipt:
            met_first = dict.fromkeys(v for step in steps for v in step.frontier if v in self.middle)
            self.cells = [*met_first][:CELLS]
            receipt.order, receipt.inner = plan.side, [edge for some in edges for edge in some]
            receipt.image, receipt.cells = plan.image, self.cells

    def count(self) -> int:
        """The number of cycles."""
        first, other = self.sides()
        classes = self.met(first, other, [self.middle.index(cell) for cell in self.cells])
        if self.receipt:
            self.receipt.classes = classes
        self.record.step(first.states, first.bytes, 0)
        return sum(classes)

    def values(self) -> list[int]:
        """The words of all cycles together."""
        found = []
        for words in batched(self.words, self.forecast.at_once):
            first, other = self.sides(words)
            found += met(
                first, other, len(self.middle), apex=self.apex, moduli=[word.prime for word in words]
            )
            self.record.step(first.states, first.bytes, 0)
        return found

    def sides(self, words: Sequence[Word] = ()) -> tuple[Patterns, Patterns]:
        """The states of both sides on the middle; of the other side the images of its states."""
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
        first = other = self.on_middle(search)
        if self.own:
            search.stages, search.held = [*self.side, *self.own], other.bytes
            search.run()
            first = self.on_middle(search)
        return first, other

    def met(self, first: Patterns, other: Patterns, cells: Sequence[int] = ()) -> list[int]:
        """How many cycles the states of both sides make, class by class, see `matchings.met`."""
        return met(first, other, len(self.middle), apex=self.apex, cells=cells)

    @property
    def apex(self) -> bool:
        """Whether the last place is its own image.

        The half turn turns the numbers of the vertices round, but for the apex of open tours, the last one.
        """
        return self.plan.image[self.middle[-1]] == self.middle[-1]

    def on_middle(self, search: PatternSearch) -> Patterns:
        """The states of a search on all places of the middle."""
        reached, table = search.stages[search.taken - 1].frontier, search.table
        new = [i for i, v in enumerate(self.middle) if v not in reached]
        return table.on(opened(table.keys, new)) if new else table

    def on_step(self, search: PatternSearch) -> None:
        """Look at a search after a step: whether it will fit, and whether it is time to save it."""
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
    """The number of Hamiltonian cycles of a graph, undirected, exact, as `cycles.count_cycles` counts them.

    A receipt notes what the count had after every stage, and the classes of cycles.
    """
    checkpoints, record = checkpoints or Checkpoints(), record or Progress()
    checkpoints.open(graph, [*plan.side, *plan.middle])
    meeting = Meeting(graph, plan, record=record, checkpoints=checkpoints, receipt=receipt)
    found = meeting.count()
    checkpoints.remove()
    return found
