"""Longest walks, covers by paths, and walks with revisits as Hamiltonian cycles of another graph.

*A walk through some cells of a graph* (`skipping`): the cells come first. A chain of extra vertices visits
the cells that the walk leaves out, one after the other, and leads from the end of the walk back to its start.
If moves go both ways, the vertices after the k cells are

- k, adjacent to every cell where the walk may end, and k + 1, which joins it to the chain;
- k + 2, adjacent to every cell where the walk may begin, and to the last vertex of the chain;
- for the i-th cell v that may be left out, from i = 0, the vertices p = k + 3 + 3i, q = p + 1 and r = p + 2,
  with the edges p-q, p-v, v-q and q-r. The vertex before p in the chain is r of the cell before, or k + 1.

Every r and k + 1 have two edges, so a Hamiltonian cycle uses both. Hence it goes from p to q either directly,
or over v, which is then left out. If moves go one way, the chain is the vertices k, …, k + m for the m cells
that may be left out, with arcs from each to the next and over the cell between them. Cells where the walk may
end have arcs to k, and k + m has arcs to cells where it may begin.

A closed walk has a *root*, a cell that it visits. It begins there and ends on a neighbour of the root, and
the edge that joins the neighbour to the chain has the weight of the move back.

*A cover by k paths* (`path_cover`): k extra vertices after the cells, adjacent to all cells.

*A walk with revisits* (`closure`): the same cells, all of them adjacent; the weight of an edge is the length
of a shortest walk between its cells, less 1. So the weight of a tour is the number of revisits.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from cavalcade.ground.arrays import distinct
from cavalcade.ground.budget import assert_room
from cavalcade.ground.kernels import Cells, Ints
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import rows_from
from cavalcade.question.question import Question
from cavalcade.question.words import QuestionWords

Move = tuple[int, int]


class Reduced(NamedTuple):
    """A question about another graph.

    Args:
        question: the tours of the graph.
        weights: weight of each edge, in the ascending order of the edges.
    """

    question: Question
    weights: tuple[Decimal, ...]


def asks_more_than_ends(question: Question, words: QuestionWords) -> bool:
    """Return whether a question has constraints besides ends, moves to avoid and a direction of the moves.

    The reductions express no others.

    Args:
        question: the question.
        words: the words that the question was made of. As it is about tours, it drops an order of two cells,
            and takes a last step for the end; walks that leave out cells need not satisfy these.
    """
    has_order = question.steps or question.through or words.get("through") or words.get("at")
    return bool(has_order or question.symmetry or question.required or question.coils is not None)


def skipping(
    question: Question,
    weights: Mapping[Move, Decimal],
    cells: Sequence[int],
    root: int | None,
    visited: Collection[int] = (),
) -> Reduced:
    """Return the question whose lightest tours are the heaviest walks through some of these cells.

    Args:
        question: which walks; its start and end apply to open walks, and are among the cells.
        weights: weight of each move (tail, head); moves in both directions occur twice.
        cells: cells that a walk may visit, in ascending order.
        root: cell that a closed walk visits; None for open walks.
        visited: cells that every walk visits, besides the root and the ends.
    """
    k, directed = len(cells), question.one_way
    number = {cell: i for i, cell in enumerate(cells)}
    edges = {
        (number[a], number[b]): -weight
        for (a, b), weight in weights.items()
        if a in number and b in number and (directed or a < b)
    }
    free = Decimal(0)
    starts, ends = (range(k) if cell is None else [number[cell]] for cell in (question.start, question.end))
    kept = {cell for cell in (root, question.start, question.end, *visited) if cell is not None}
    optional = [number[cell] for cell in cells if cell not in kept]
    finish, begin = k, k + len(optional) if directed else k + 2
    if root is None:
        edges |= {(end, finish): free for end in ends}
    else:
        starts = [number[root]]
        back = {tail: weight for (tail, head), weight in weights.items() if head == root and tail in number}
        edges |= {(number[tail], finish): -weight for tail, weight in back.items()}
        edges = {(a, b): w for (a, b), w in edges.items() if not (directed and b == number[root])}
    if directed:
        chain = range(k, begin + 1)
        passes = zip(optional, chain, chain[1:], strict=False)
        steps = [*pairwise(chain), *(arc for v, p, q in passes for arc in ((p, v), (v, q)))]
        steps += [(begin, start) for start in starts]
    else:
        joint, steps = k + 1, [(k, k + 1)]
        for i, v in enumerate(optional):
            p, q, r = range(k + 3 + 3 * i, k + 6 + 3 * i)
            steps += [(joint, p), (p, q), (v, p), (v, q), (q, r)]
            joint = r
        steps += [(begin, joint), *((start, begin) for start in starts)]
    edges |= dict.fromkeys(steps, free)
    size = begin + 1 if directed else k + 3 + 3 * len(optional)
    return _reduced(edges, size, directed=directed)


def passes(size: int, optional: int, *, directed: bool) -> list[Move]:
    """Return the edges of a `skipping` graph that pass a visited cell, one for each optional cell.

    Args:
        size: number of cells.
        optional: number of cells that may be left out.
        directed: whether moves go one way.
    """
    if directed:
        return [(size + i, size + i + 1) for i in range(optional)]
    return [(size + 3 + 3 * i, size + 4 + 3 * i) for i in range(optional)]


def _reduced(edges: Mapping[Move, Decimal], size: int, *, directed: bool) -> Reduced:
    """Return the closed tours of a graph with weighted edges."""
    ascending = {(a, b) if directed else (min(a, b), max(a, b)): weight for (a, b), weight in edges.items()}
    graph = MoveGraph.from_edges(list(ascending), size, directed=directed)
    return Reduced(Question.of(graph), tuple(ascending[edge] for edge in sorted(ascending)))


def walk_of(question: Question, tour: Cells, cells: Sequence[int]) -> Cells:
    """Return the walk through cells of a board that a tour of its `skipping` graph stands for."""
    k = len(cells)
    begin = question.board.size - 1 if question.directed else k + 2
    for way in (tour,) if question.directed else (tour, tour[::-1]):
        onward = np.roll(way, -1 - int(np.flatnonzero(way == begin)[0]))
        if onward[0] < k:
            break
    return np.array(cells, dtype=np.int32)[onward[: int(np.argmax(onward >= k))]]


def tour_along(question: Question, walk: Cells, cells: Sequence[int], optional: Sequence[int]) -> Cells:
    """Return the tour of a `skipping` graph that stands for a walk; a closed walk begins with the root.

    Args:
        question: the question about the graph.
        walk: cells of the walk.
        cells: cells that a walk may visit, in ascending order.
        optional: the cells that may be left out, in ascending order.
    """
    k, number = len(cells), {cell: i for i, cell in enumerate(cells)}
    visited = set(walk.tolist())
    tour = [number[cell] for cell in walk.tolist()]
    tour += [k] if question.directed else [k, k + 1]
    for i, cell in enumerate(optional):
        over = [] if cell in visited else [number[cell]]
        p = k + 3 + 3 * i
        tour += [*over, k + 1 + i] if question.directed else [p, *over, p + 1, p + 2]
    return np.array(tour if question.directed else [*tour, k + 2], dtype=np.int32)


def path_cover(question: Question, k: int) -> Question:
    """Return the question whose tours are covers of the board by k paths."""
    if k == 1:
        return replace(question, closed=False)
    n = question.board.size
    extra = np.stack(np.meshgrid(np.arange(n), np.arange(n, n + k)), axis=-1).reshape(-1, 2)
    edges = np.concatenate([question.moves, extra, extra[:, ::-1]])
    return Question.of(MoveGraph.from_edges(edges, n + k, directed=question.one_way))


def paths_of(tour: Cells, size: int) -> list[Cells]:
    """Return the paths into which the extra vertices divide a tour of a `path_cover`."""
    extra = np.flatnonzero(tour >= size)
    onward = np.roll(tour, -int(extra[0])) if len(extra) else tour
    paths = (list(run) for is_cell, run in groupby(onward.tolist(), lambda v: v < size) if is_cell)
    return [np.array(path, dtype=np.int32) for path in paths]


def distances(question: Question) -> Ints:
    """Return the number of moves of a shortest walk from each cell to each cell, or n * n, shape (n, n)."""
    n = question.board.size
    assert_room(600 * n * n, f"the distances between {n:,} cells")  # the arrays and the edges made of them
    rows = rows_from(n, *question.moves.T)
    length = np.full((n, n), n * n, dtype=np.int64)
    for cell in range(n):
        level, moves = np.array([cell]), 0
        while len(level):
            length[cell, level] = moves
            heads = np.concatenate(
                [rows.indices[rows.indptr[v] : rows.indptr[v + 1]] for v in level.tolist()]
            )
            level, moves = distinct(heads[length[cell, heads] == n * n]), moves + 1
    return length


def closure(question: Question, length: Ints) -> Reduced:
    """Return the question whose lightest tours are the walks through all cells with the fewest revisits."""
    n, directed = question.board.size, question.one_way
    pairs = np.argwhere(~np.eye(n, dtype=np.bool_) if directed else np.triu(np.ones((n, n)), 1) > 0)
    graph = MoveGraph.from_edges(pairs, n, directed=directed)
    weights = tuple(map(Decimal, (length[tuple(pairs.T)] - 1).tolist()))
    return Reduced(Question(graph, closed=question.closed, start=question.start, end=question.end), weights)


def with_detours(question: Question, length: Ints, tour: Cells) -> Cells:
    """Return the walk that makes a shortest walk between consecutive cells of a tour of the `closure`."""
    onward = [*tour.tolist(), *tour[: question.closed].tolist()]
    walk = onward[:1]
    rows = rows_from(question.board.size, *question.moves.T)
    for cell in onward[1:]:
        while walk[-1] != cell:
            heads = rows.indices[rows.indptr[walk[-1]] : rows.indptr[walk[-1] + 1]]
            walk.append(int(heads[np.argmin(length[heads, cell])]))
    return np.array(walk[: len(walk) - question.closed], dtype=np.int32)
