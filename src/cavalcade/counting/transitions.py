"""One round of a sweep, state by state: what becomes of a state when a vertex is taken, and by which moves.

`frontier` adds up whole tables and forgets the way; listing and sampling need it. A state is written as
there, in one or two words. Here it is read into two arrays: the *degree* of every vertex on the frontier, 0
untouched, 1 the end of a path, 2 done, and its *mate*, the other end of its path; an untouched vertex is a
path by itself and its own mate. v is the vertex taken, k a place on the frontier.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.counting.order import narrow_order
from cavalcade.counting.tables import PLACES, given, word_layout
from cavalcade.errors import CellError
from cavalcade.kernels import Kernel
from cavalcade.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from cavalcade.boards import Board
    from cavalcade.graph import MoveGraph
    from cavalcade.kernels import Tier, Vector
    from cavalcade.pieces import Piece

    Shape = tuple[Vector, ...]
    Moves = list[tuple[int, int, int]]


def _expand(low: int, high: int, shape: Shape, layout: Shape, scratch: Shape, found: Vector) -> int:
    """The states that come of one when v is taken: `found` gets four numbers of each, returns how many.

    The numbers are the two words of the new state and the places where v's new moves go, -1 where there is
    none. `shape` is that of a `Round`; `layout` says where each place has its bits, how many places the first
    word has, and how many names for paths there are. When a circle closes, which it may only where it is a
    tour, all that is left is done; so the one state after the last round stands for all tours. -1: too many
    paths.
    """
    head, later, keep, outside, need_start, need = shape
    shift, bits, limits = layout
    degree, mate, name = scratch
    place, may_close = head[0], head[1]
    first_word, most_names = limits[0], limits[1]
    for x in range(len(name)):
        name[x] = -1
    for k in range(len(outside)):
        x = ((low if k < first_word else high) >> shift[k]) & bits[k]
        degree[k] = 0 if x == 0 else (2 if x == 1 else 1)
        mate[k] = k
        if x > 1:
            if name[x] < 0:
                name[x] = k
            else:
                mate[k] = name[x]
                mate[name[x]] = k
    here = degree[place]
    states = 0
    for p in range(len(later) if here == 0 else 1):
        one = later[p] if here == 0 else -1
        if one >= 0 and degree[one] == 2:
            continue
        for q in range(p + 1 if here == 0 else 0, len(later) if here < 2 else 1):
            two = later[q] if here < 2 else -1
            if two >= 0 and degree[two] == 2:
                continue
            a, b, mate_a, mate_b, closes = -1, -1, -1, -1, False
            if two >= 0:  # v joins two paths, whose far ends are a and b
                a, b = mate[one] if one >= 0 else mate[place], mate[two]
                closes = a == two
                if closes and may_close == 0:
                    continue
                mate_a, mate_b = mate[a], mate[b]
                mate[a], mate[b] = b, a
                degree[two] += 1
            if one >= 0:
                degree[one] += 1
            alive = True
            for m in range(len(keep)):
                k = keep[m]
                missing = 2 - degree[k]
                if missing > 0:
                    if closes:
                        alive = False
                        break
                    missing -= outside[k]
                    for e in range(need_start[k], need_start[k + 1]):
                        if missing <= 0:
                            break
                        if degree[need[e]] < 2:
                            missing -= 1
                    if missing > 0:
                        alive = False
                        break
            if alive:
                new_low, new_high, paths = 0, 0, 2
                for k in range(len(outside)):
                    name[k] = 0
                for m in range(len(keep)):
                    k = keep[m]
                    x = 0 if degree[k] == 0 else 1
                    if degree[k] == 1:
                        if name[k] == 0:
                            name[k] = paths
                            name[mate[k]] = paths
                            paths += 1
                        x = name[k]
                    if m < first_word:
                        new_low |= x << shift[m]
                    else:
                        new_high |= x << shift[m]
                if paths > most_names:
                    return -1
                found[4 * states] = new_low
                found[4 * states + 1] = new_high
                found[4 * states + 2] = one
                found[4 * states + 3] = two
                states += 1
            if one >= 0:
                degree[one] -= 1
            if two >= 0:
                degree[two] -= 1
                mate[a], mate[b] = mate_a, mate_b
    return states


expand_kernel = Kernel(_expand)


@dataclass(frozen=True)
class Round:
    """What a round has to know: who is on the frontier when v is taken, v and its neighbours among them.

    Args:
        vertex: v.
        everyone: the vertices by their places.
        shape: v's place and whether a circle may close; the places of v's neighbours still to come; those
            that stay on the frontier, in their new order; for each place how many neighbours beyond the
            frontier it has; and where those on it begin in the last list, and that list.
    """

    vertex: int
    everyone: list[int]
    shape: tuple[list[int], ...]

    @property
    def width(self) -> int:
        """How many vertices are on the frontier, v among them."""
        return len(self.everyone)

    def given(self, tier: Tier, layout: list[list[int]]) -> tuple[Shape, Shape, Shape, Vector]:
        """All that `_expand` wants besides a state, in the containers of a tier."""
        choices = len(self.shape[1])
        scratch = [[0] * max(self.width + 1, 16) for _ in range(3)]
        found = [0] * 4 * max(choices, choices * (choices - 1) // 2, 1)
        lists = [tuple(given(tier, numbers) for numbers in some) for some in (self.shape, layout, scratch)]
        return lists[0], lists[1], lists[2], given(tier, found)


def packed_layout() -> list[list[int]]:
    """States in two words, as `frontier` has them: at most 32 places, and 14 paths."""
    return [*word_layout(), [PLACES, 16]]


def loose_layout(width: int) -> list[list[int]]:
    """States in one number as long as it has to be: interpreted kernels only."""
    return [[16 * k for k in range(width)], [0xFFFF] * width, [width, 0xFFFF]]


def rounds(graph: MoveGraph, order: Iterable[int]) -> list[Round]:
    """All rounds of a sweep."""
    rows = [graph.neighbours(i).tolist() for i in range(graph.size)]
    taken: set[int] = set()
    frontier: list[int] = []
    found = []
    for v in order:
        taken.add(v)
        everyone = list(dict.fromkeys([*frontier, v, *(w for w in rows[v] if w not in taken)]))
        places = {u: k for k, u in enumerate(everyone)}
        frontier = [u for u in everyone if u != v]
        outside, need_start, need = [], [0], []
        for u in everyone:
            free = [w for w in rows[u] if w not in taken]
            inside = [places[w] for w in free if w in places]
            outside.append(len(free) - len(inside))
            need += inside
            need_start.append(len(need))
        may_close = int(len(taken) + len(frontier) == graph.size)
        later = [places[w] for w in rows[v] if w not in taken]
        keep = [places[u] for u in frontier]
        found.append(Round(v, everyone, ([places[v], may_close], later, keep, outside, need_start, need)))
    return found


@dataclass(frozen=True)
class Question:
    """Which tours are asked for. An open tour is a circle of the `graph` through the vertices added to it.

    Every tour has one way to be told: a closed one begins in the first cell and goes on to the smaller of
    its two neighbours there; an open one begins at `start` or ends at `end` where they are given, and else
    begins at the smaller of its ends.
    """

    board: Board | MoveGraph
    piece: Piece
    closed: bool
    start: int | None
    end: int | None
    graph: MoveGraph

    @classmethod
    def of(
        cls,
        board: Board | MoveGraph | str,
        piece: Piece | str,
        *,
        closed: bool,
        start: int | str | None,
        end: int | str | None,
    ) -> Question:
        """The question about a board.

        Raises:
            CavalcadeError: a spec or name that means nothing, or ends of closed tours.
        """
        if closed and start is not None:
            raise CellError("closed tours have no ends; ask for open ones")
        problem = Problem.of(board, piece=piece, open=not closed, start=start, end=end)
        return cls(problem.board, problem.piece, closed, problem.start, problem.end, problem.as_cycle)

    def only(self) -> Tour:
        """The tour of a board of one cell."""
        return Tour(self.board, np.zeros(1, dtype=np.int32), self.closed, self.piece)

    def rounds(self) -> list[Round]:
        """The rounds of a narrow sweep; the vertex that joins the ends of open tours comes last."""
        hub = None if self.closed else self.board.size
        return rounds(self.graph, narrow_order(self.graph, hub))

    def tour(self, moves: Moves) -> Tour:
        """The tour of a circle, given by each round's vertex and those it moves to, -1 for none."""
        near: list[list[int]] = [[] for _ in range(self.graph.size)]
        for v, one, two in moves:
            for w in (one, two):
                if w >= 0:
                    near[v].append(w)
                    near[w].append(v)
        n = self.board.size
        before, at = (near[0][0], 0) if self.closed else (n, next(w for w in near[n] if w < n))
        cells = [at]
        for _ in range(n - 1):
            a, b = near[at]
            before, at = at, b if a == before else a
            cells.append(at)
        told = self.told(np.array([cells], dtype=np.int32))
        return Tour(self.board, told[0], self.closed, self.piece)

    def told(self, rows: NDArray[np.int32]) -> NDArray[np.int32]:
        """Tours, one a row, each as it is to be told; those without the ends asked for are left out."""
        if self.closed:
            turns = np.arange(rows.shape[1]) + rows.argmin(axis=1)[:, None]
            rows = np.take_along_axis(rows, turns % rows.shape[1], axis=1)
            backwards = rows[:, 1:2] > rows[:, -1:]
            return np.where(backwards, np.roll(rows[:, ::-1], 1, axis=1), rows)
        if self.start is not None:
            backwards = rows[:, :1] != self.start
        elif self.end is not None:
            backwards = rows[:, -1:] != self.end
        else:
            backwards = rows[:, :1] > rows[:, -1:]
        rows = np.where(backwards, rows[:, ::-1], rows)
        right = np.ones(len(rows), dtype=np.bool_)
        for cell, at in ((self.start, 0), (self.end, -1)):
            if cell is not None:
                right &= rows[:, at] == cell
        return rows[right]
