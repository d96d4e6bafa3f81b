"""The present graph: which edges are forced and which are ruled out, while the steps of a proof are followed.

Two sets of edges are kept: those *ruled out*, which no closed tour uses, and those *forced*, which every
closed tour uses. The *present graph* is what is not ruled out. Everything that a rule counts is counted here,
and what it speaks of is named here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.checking.constraints import closed_graph
from cavalcade.checking.geometry import Ints as Ints  # noqa: PLC0414 - the rules take it from here
from cavalcade.checking.geometry import ascending
from cavalcade.ground.arrays import distinct
from cavalcade.ground.kernels import Mask
from cavalcade.question.question import Question

OPEN, FORCED, OUT = 0, 1, 2
MOST = 16  # cells, moves or parts that one list names


class WrongError(Exception):
    """A step that does not follow; the message says why not."""


class Removal(NamedTuple):
    """What is left of the present graph without a set of cells."""

    parts: int
    able: int  # into how many pieces, at most, a tour falls without them: k - f
    root: Ints  # for every cell the first one of its part
    inside: Ints  # the present edges inside the set


class PresentGraph:
    """The graph of a question, and what is known of its edges.

    Args:
        question: whose steps, symmetry or board some rules need.
        name: the name of a cell, for messages.
    """

    def __init__(self, question: Question, name: Callable[[int], str]) -> None:
        size, edges = closed_graph(question)
        self.size, self.name, self.question, self.one_way = size, name, question, question.one_way
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
        self.onward = self._onward()  # for every place whether a tour may go from its cell to its head,
        self.backward = ~self.onward | self.onward.all()  # and whether it may come from there

    def contract(self, cells: Ints) -> None:
        """Let the first of these cells stand for all of them, with the edges that leave them.

        Raises:
            WrongError: some edges are decided already.
        """
        self._merge(cells)
        ends = self.block[self.edges]
        self._begin(ascending(ends[ends[:, 0] != ends[:, 1]], self.size))

    def take_part(self, cells: Ints, more: Ints) -> None:
        """Keep these cells alone, the edges between them, and some more edges.

        The first cell of the first of these stands for all others.

        Raises:
            WrongError: some edges are decided already.
        """
        self.mark[cells] = True
        kept = self.mark[self.edges].all(axis=1)
        others = np.flatnonzero(~self.mark)
        self.mark[cells] = False
        self._merge(np.concatenate([more[0, :1], others]))
        self._begin(ascending(np.concatenate([self.edges[kept], more]), self.size))

    def _merge(self, cells: Ints) -> None:
        """From here on the first of these cells stands for all of them."""
        if self.history:
            raise WrongError("the graph is changed before anything else is done")
        self.block = np.where(np.isin(self.block, cells), cells[0], self.block)
        self.count = int(np.count_nonzero(self.block == np.arange(self.size)))

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
        edges = distinct(edges[self.status[edges] != status])
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

    def _onward(self) -> Mask:
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
        return distinct(self.heads[places[self.onward[places]]])

    def leaders(self, cells: Ints) -> Ints:
        """The cells from which a tour may come to any of these: the same ones if moves go both ways."""
        places, _ = self.around(cells)
        return distinct(self.heads[places[self.backward[places]]])

    def row(self, cell: int, *statuses: int) -> list[int]:
        """The neighbours of a cell by edges of these statuses."""
        row = slice(self.rows[cell], self.rows[cell + 1])
        return [int(c) for c in self.heads[row][np.isin(self.status[self.number[row]], statuses)]]

    def leaving(self, cells: Ints, near: Ints) -> Ints:
        """The present edges by which a tour may come to cells `near` from those that are none of `cells`."""
        places, _ = self.around(near)
        places = places[self.backward[places]]
        self.mark[cells] = True
        outside = places[~self.mark[self.heads[places]]]
        self.mark[cells] = False
        return distinct(self.number[outside])

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

    def walks(self) -> tuple[Ints, Ints]:
        """Of every cell two numbers: cells an even number of moves apart share them, others swap them.

        Every cell c is there twice, as c and as c + n, and an edge a-b leads from a to b + n and from a + n
        to b. So a walk from c ends at d after an even number of edges, and at d + n after an odd number, and
        the numbers are those of the parts. A cell with one number twice is in a part with an odd cycle.
        """
        n, (a, b) = self.size, self.edges[self.status != OUT].T
        root = first_of_part(2 * n, np.concatenate([a, a + n]), np.concatenate([b + n, b]))
        return root[:n], root[n:]

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

    # ---- in words

    def cells_named(self, cells: Ints | list[int]) -> str:
        """Cells by name."""
        return listed([self.name(int(c)) for c in cells[:MOST]], len(cells))

    def stops_named(self, cells: Ints | list[int]) -> str:
        """Cells by name; where moves go one way, `>c` and `c>` are also called c."""
        return listed([self.stop(int(c)) for c in cells[:MOST]], len(cells))

    def stop(self, place: int) -> str:
        """The name of the cell of one place."""
        return self.name(self.cell_of(place))

    def cell_of(self, place: int) -> int:
        """Where moves go one way, the cell c of a place `>c` or `c>`; any other is its own."""
        return place % self.ways if self.one_way and place < 3 * self.ways else place

    def walk_named(self, places: list[int]) -> list[str]:
        """The cells along a path of places by name, each once, in the order in which a tour goes."""
        if not self.one_way:
            return [self.name(place) for place in places]
        ahead = places[1] in self.followers(np.array(places[:1]))
        return [name for name, _ in groupby(map(self.stop, places if ahead else places[::-1]))]

    def gate_named(self, place: int, *statuses: int) -> tuple[str, list[str]]:
        """What a place stands for where moves go one way, and its moves of these statuses.

        `>c` is "to c", with moves like a-c, and `c>` is "from c", with moves like c-b.
        """
        edges = self.number[self.rows[place] : self.rows[place + 1]].tolist()
        some = [e for e in edges if self.status[e] in statuses]
        moves = [self.move_named(e) for e in some if self.edges[e, 0] >= self.ways]
        side = "at" if place >= 3 * self.ways else "to" if place < 2 * self.ways else "from"
        return f"{side} {self.stop(place)}", moves

    def moves_named(self, numbers: Ints) -> str:
        """Moves by the names of their cells; those that go one way from tail to head."""
        return listed([self.move_named(int(edge)) for edge in numbers[:MOST]], len(numbers))

    def move_named(self, edge: int) -> str:
        """One move likewise."""
        a, b = self.edges[edge].tolist()
        if not self.one_way or a < self.ways:  # from a cell c to `>c` or `c>` is no move
            return f"{self.name(a)}-{self.name(b)}"
        one, two = (b, a) if a < 2 * self.ways else (a, b)
        return f"{self.stop(one)}-{self.stop(two)}"

    def parts_named(self, left: Removal, cut: Ints) -> str:
        """The parts that are left without a cut."""
        first, sizes = np.unique(left.root[~np.isin(left.root, cut)], return_counts=True)
        single = first[sizes == 1]
        alone = [f"{self.cells_named(single)} alone"] if single.size else []
        if len(first) > MOST:
            larger = [f"one of {size:,} cells" for size in sizes[sizes > 1].tolist()]
            return ", and ".join([*alone, *([listed(larger)] if larger else [])])
        for part in first[np.argsort(sizes, kind="stable")[len(single) :]].tolist():
            group = np.flatnonzero(left.root == part)
            few = len(group) <= 6
            alone.append(
                self.cells_named(group) if few else f"{self.name(part)} and {len(group) - 1:,} more cells"
            )
        return "; ".join(alone)


def counted(number: int, what: str) -> str:
    """`1 cell`, `2 cells`."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def listed(items: Iterable[str], total: int | None = None) -> str:
    """`a`, `a and b`, `a, b and c`; long lists break off and give their length."""
    known = list(items)
    total = len(known) if total is None else total
    if total > MOST:
        return f"{', '.join(known[: MOST // 2])}, … ({total:,} in all)"
    return known[0] if total == 1 else f"{', '.join(known[:-1])} and {known[-1]}"


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
