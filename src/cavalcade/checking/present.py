"""The present graph: which edges are forced and which are ruled out, while the steps of a proof are followed.

Two sets of edges are kept: those *ruled out*, which no closed tour uses, and those *forced*, which every
closed tour uses. The *present graph* is what is not ruled out. All that a rule has to count is counted here.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cavalcade.checking.constraints import one_way
from cavalcade.checking.geometry import Ints as Ints  # noqa: PLC0414, TC001 - the rules take it from here

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from cavalcade.question.question import Question

OPEN, FORCED, OUT = 0, 1, 2


class WrongError(Exception):
    """A step that does not follow; the message says why not."""


class Removal(NamedTuple):
    """What is left of the present graph without a set of cells."""

    parts: int
    able: int  # into how many pieces, at most, a tour falls without them: k - f
    root: Ints  # for every cell the first one of its part
    inside: Ints  # the present edges inside the set


class PresentGraph:
    """A graph, and what is known of its edges.

    Args:
        size: the number of cells.
        edges: all edges (a, b), a < b, in ascending order.
        name: the name of a cell, for messages.
        question: the question that it comes from: whether moves go one way, and what some rules look at.
    """

    def __init__(self, size: int, edges: Ints, name: Callable[[int], str], question: Question) -> None:
        self.size, self.name, self.question = size, name, question
        self.one_way = one_way(question)
        self.ways = question.board.size if self.one_way else size
        self.count = size  # cells, those contracted to one as one
        self.block = np.arange(size)  # of every cell the one that it was contracted to
        self.mark = np.zeros(size, dtype=np.bool_)
        self.steps = 0  # that were taken
        self._begin(edges)

    def _begin(self, edges: Ints) -> None:
        """Begin with these edges, of which nothing is known."""
        size, self.edges = self.size, edges
        both = np.concatenate([edges, edges[:, ::-1]])
        order = np.argsort(both[:, 0], kind="stable")
        self.heads = both[order, 1]
        self.number = order % max(len(edges), 1)
        self.rows = np.searchsorted(both[order, 0], np.arange(size + 1))
        self.status = np.zeros(len(edges), dtype=np.int8)
        self.far = np.arange(size)  # at an end of a path of forced edges: its other end
        self.length = np.ones(size, dtype=np.int64)  # and how many cells it has
        self.used = np.zeros(size, dtype=np.int64)  # forced edges of a cell
        self.history: list[tuple[NDArray[Any], Ints, NDArray[Any]]] = []

    def contract(self, cells: Ints) -> None:
        """Let the first of these cells stand for all of them, with the edges that leave them.

        Raises:
            WrongError: some edges are decided already.
        """
        if self.history:
            raise WrongError("cells are contracted before anything else is done")
        self.mark[cells] = True
        self.block[self.mark[self.block]] = cells[0]
        self.mark[cells] = False
        self.count -= len(cells) - 1
        a, b = self.block[self.edges].T
        codes = np.unique((np.minimum(a, b) * self.size + np.maximum(a, b))[a != b])
        self._begin(np.stack([codes // self.size, codes % self.size], axis=1))

    # ---- decisions

    def assume(self, edge: int, status: int) -> int:
        """Begin a case of a branch; returns what `take_back` wants to know."""
        since = len(self.history)
        self.decide(np.array([edge]), status)
        return since

    def take_back(self, since: int) -> None:
        """End a case."""
        while len(self.history) > since:
            array, where, before = self.history.pop()
            array[where] = before

    def decide(self, edges: Ints, status: int) -> None:
        """Force edges, or rule them out. Paths of forced edges are joined."""
        edges = np.unique(edges[self.status[edges] != status])
        self._put(self.status, edges, status)
        if status == OUT:
            return
        for a, b in self.edges[edges].tolist():
            two = np.array([a, b])
            self._put(self.used, two, self.used[two] + 1)
            x, y = int(self.far[a]), int(self.far[b])
            if x != b and (self.used[two] <= 2).all():
                ends = np.array([x, y])
                self._put(self.length, ends, self.length[x] + self.length[y])
                self._put(self.far, ends, ends[::-1].copy())

    def _put(self, array: NDArray[Any], where: Ints, values: Ints | int) -> None:
        """Change an array so that a branch can take it back."""
        self.history.append((array, where, array[where].copy()))
        array[where] = values

    # ---- what is present

    def around(self, cells: Ints) -> tuple[Ints, Ints]:
        """The places (of `heads` and `number`) of the present edges of these cells, and whose each is."""
        counts = self.rows[cells + 1] - self.rows[cells]
        begins = np.cumsum(counts) - counts
        places = np.arange(counts.sum()) + np.repeat(self.rows[cells] - begins, counts)
        owner = np.repeat(np.arange(len(cells)), counts)
        present = self.status[self.number[places]] != OUT
        return places[present], owner[present]

    def edges_of(self, cells: Ints) -> Ints:
        """The numbers of the present edges of these cells."""
        return self.number[self.around(cells)[0]]

    def neighbours(self, cells: Ints) -> Ints:
        """The cells next to any of these."""
        return np.unique(self.heads[self.around(cells)[0]])

    @cached_property
    def onward(self) -> NDArray[np.bool_]:
        """For every place whether a tour may go from its cell to its head; all, if moves go both ways.

        Where moves go one way, a tour that goes from some `>c` over c to `c>` does so for every c: it goes
        from `a>` to `>b` or `*`, and from `*` to some `>b`.
        """
        if not self.one_way:
            return np.ones(len(self.heads), dtype=np.bool_)
        tails = np.repeat(np.arange(self.size), np.diff(self.rows))
        kind = np.arange(self.size) // self.ways  # cells, `>c`, `c>`, `*`
        after = np.zeros((4, 4), dtype=np.bool_)
        after[[1, 0, 2, 2, 3], [0, 2, 1, 3, 1]] = True
        return np.asarray(after[kind[tails], kind[self.heads]])

    def followers(self, cells: Ints) -> Ints:
        """The cells to which a tour may go from any of these."""
        places, _ = self.around(cells)
        return np.unique(self.heads[places[self.onward[places]]])

    def leaders(self, cells: Ints) -> Ints:
        """The cells from which a tour may come to any of these: the same ones if moves go both ways."""
        places, _ = self.around(cells)
        return np.unique(self.heads[places[self._backward[places]]])

    @cached_property
    def _backward(self) -> NDArray[np.bool_]:
        """For every place whether a tour may come from its head."""
        return np.asarray(~self.onward | self.onward.all())

    def row(self, cell: int, *statuses: int) -> list[int]:
        """The neighbours of a cell by edges of these statuses."""
        row = slice(self.rows[cell], self.rows[cell + 1])
        return [int(c) for c in self.heads[row][np.isin(self.status[self.number[row]], statuses)]]

    def leaving(self, cells: Ints, near: Ints) -> Ints:
        """The present edges by which a tour may come to cells `near` from those that are none of `cells`."""
        places, _ = self.around(near)
        places = places[self._backward[places]]
        self.mark[cells] = True
        outside = places[~self.mark[self.heads[places]]]
        self.mark[cells] = False
        return np.unique(self.number[outside])

    def without(self, cells: Ints) -> Removal:
        """What is left without these cells."""
        self.mark[cells] = True
        inside = self.mark[self.edges].all(axis=1)
        apart = self.mark[self.edges].any(axis=1) | (self.status == OUT)
        self.mark[cells] = False
        root = first_of_part(self.size, *self.edges[~apart].T)
        root = root[self.block]
        held = np.flatnonzero(inside & (self.status != OUT))
        parts = int(np.count_nonzero(root == np.arange(self.size))) - len(cells)
        able = len(cells) - int(np.count_nonzero(self.status[held] == FORCED))
        return Removal(parts, able, root, held)

    # ---- what a step names

    def only(self, cells: Ints) -> int:
        """The one cell that a step is about."""
        if len(cells) != 1:
            raise WrongError(f"it is about one cell, not {len(cells)}")
        return int(cells[0])

    def edge(self, cells: Ints) -> int:
        """The number of the edge between the two cells that a step is about."""
        if len(cells) == 2:
            a, b = cells.tolist()
            row = slice(self.rows[a], self.rows[a + 1])
            at = np.flatnonzero(self.heads[row] == b)
            if at.size:
                return int(self.number[row][at[0]])
        raise WrongError(f"there is no move {self.called(cells)}")

    def called(self, cells: Ints) -> str:
        """Some cells by name."""
        names = [self.name(cell) for cell in cells[:6].tolist()]
        return "-".join(names) + ("…" if len(cells) > 6 else "")


def first_of_part(size: int, a: Ints, b: Ints) -> Ints:
    """For every vertex the smallest one of its part, in the graph with the edges from a to b.

    Every vertex points to the smallest one it is known to hang together with, until no edge joins two.
    """
    root = np.arange(size)
    while True:
        low, high = np.minimum(root[a], root[b]), np.maximum(root[a], root[b])
        differ = low != high
        if not differ.any():
            return root
        a, b = a[differ], b[differ]
        np.minimum.at(root, high[differ], low[differ])
        while (root[root] != root).any():
            root = root[root]
