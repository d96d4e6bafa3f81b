"""The checker of walks that do not cross themselves: it compares every pair of moves, with integers.

In boxes it also checks proofs that no walk without a crossing visits a number of cells or more. The proof is
a list of cuts, sets of vertices with fewer cells, and lines of DRUP that refute this formula. An open walk
becomes a closed one by an extra vertex, numbered last, with an edge to each cell. Edges (a, b), a < b, are
numbered in ascending order from 1. Variable k is true if the walk uses edge k; the next variables, one for
each cell, are true if the cell is idle: the walk does not visit it. The clauses are:

1. Two edges at every vertex, as by the sequential counter of `answers.certificate`, whatever the degree. The
   variable of an idle cell is appended to the edges of the cell twice, so an idle cell has no edge.
2. The totalizer of `answers.certificate` counts the idle cells, with an output for each, and an event for
   each. The outputs for more idle cells than a walk can spare are false.
3. Not both of two edges that meet in a point other than a common end.
4. For each cut and each of its vertices: the vertex is idle, or an edge leaves the cut.

A walk with enough cells satisfies every clause: it has cells outside each cut.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from cavalcade.answers.certificate import SatProof
from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.checking.drup import fault
from cavalcade.checking.events import side
from cavalcade.checking.formula import Clause, counter, totalizer
from cavalcade.checking.geometry import Ints, all_moves, ascending, is_flat, is_move, places_of
from cavalcade.checking.tours import Checked, wrong
from cavalcade.ground.errors import BoardError
from cavalcade.ground.kernels import Mask
from cavalcade.question.pieces import Piece


def check_uncrossed(walk: Tour) -> Checked:
    """Check that a walk makes only legal moves, visits no cell twice, and does not cross or touch itself.

    It need not visit every cell. Two moves may share a cell at their ends, and no other point.

    Args:
        walk: the cells of the walk, closed or open.

    Raises:
        BoardError: moves on the board are no straight lines, as on a torus.

    Time and memory: quadratic in the moves.

    Examples:
        >>> bool(check_uncrossed(uncrossed("6x6").walk))
        True
    """
    board, cells = walk.board, walk.cells
    if board.plain or board.dimensions < 2 or not is_flat(board):
        raise BoardError(f"{board.title} is neither a board in the plane nor a box")
    if len(set(cells.tolist())) < len(cells):
        return wrong("it visits a cell twice")
    if walk.closed and 0 < len(cells) < 3:
        return wrong("it is not closed: two cells make no cycle")
    ends = np.append(cells[1:], cells[:1]) if walk.closed else cells[1:]
    starts = cells[: len(ends)]
    if not is_move(board, walk.piece, starts, ends).all():
        return wrong("a step is not a move")
    places = places_of(board)
    a, b = places[starts], places[ends]
    for i in range(len(starts) - 1):
        meeting = np.flatnonzero(_meet(a[i], b[i], a[i + 1 :], b[i + 1 :]))
        if meeting.size:
            j = i + 1 + int(meeting[0])
            moves = (f"{board.name(int(starts[k]))}-{board.name(int(ends[k]))}" for k in (i, j))
            return wrong(f"{' and '.join(moves)} cross", j + 2)
    number = f"{len(starts):,} move{'s' * (len(starts) != 1)}, and no two of them cross"
    return Checked(ok=True, message=f"{walk.title(board.title)}: {number}")


def check_longest(board: Board, piece: Piece, proof: SatProof, *, cells: int, closed: bool) -> Checked:
    """Check a proof that no walk without a crossing visits a number of cells or more.

    Args:
        board: a box.
        piece: the piece.
        proof: the cuts, and the lines of DRUP.
        cells: the number of cells.
        closed: whether the proof is about closed walks.
    """
    n = board.size
    size = n if closed else n + 1
    for k, cut in enumerate(proof.cuts, 1):
        # A walk does not fit into a cut, so it has cells outside.
        if not cut or min(cut) < 0 or max(cut) >= size or len(set(cut) - {n}) >= cells:
            return wrong(f"cut {k} is not a set of fewer than {cells} cells", k)
    moves = ascending(all_moves(board, piece), n)
    joined = np.stack([np.arange(n), np.full(n, n)], axis=1)
    edges = moves if closed else ascending(np.concatenate([moves, joined]), size)
    variables = len(edges) + n
    # The variable of each idle cell; the extra vertex has none.
    idle = [[variable] for variable in range(len(edges) + 1, variables + 1)] + [[]] * (size - n)
    clauses: list[Clause] = []
    for vertex in range(size):
        used = (np.flatnonzero((edges == vertex).any(axis=1)) + 1).tolist() + 2 * idle[vertex]
        if len(used) > 1:
            clauses += counter(used, variables)
            variables += 2 * len(used) - 3
    happened = list(range(variables + 1, variables + n + 1))
    clauses += ((-variable, event) for (variable,), event in zip(idle[:n], happened, strict=True))
    outputs, variables = totalizer(happened, n, variables + n, clauses)
    clauses += [(-output,) for output in outputs[n - cells :]]
    places = places_of(board)
    between_cells = np.flatnonzero(edges[:, 1] < n)
    a, b = places[edges[between_cells, 0]], places[edges[between_cells, 1]]
    for i, edge in enumerate(between_cells.tolist()):
        crossed = np.flatnonzero(_meet(a[i], b[i], a[i + 1 :], b[i + 1 :])) + i + 1
        clauses += ((-edge - 1, -crossing - 1) for crossing in between_cells[crossed].tolist())
    for cut in proof.cuts:
        inside = np.isin(edges, cut)
        leaving = (np.flatnonzero(inside[:, 0] != inside[:, 1]) + 1).tolist()
        clauses += ((*idle[vertex], *leaving) for vertex in cut)
    why = fault((variables, clauses), proof.drup)
    return wrong(why) if why else Checked(ok=True, message=f"no walk without a crossing has {cells:,} cells")


def longest_again(board: Board, piece: Piece, *, closed: bool, work: int) -> int | None:
    """The moves of a longest walk without a crossing, by trying all walks; None if there are too many.

    Args:
        board: a board in the plane.
        piece: the piece.
        closed: whether the walks return to their first cell, by three moves or more.
        work: largest number of walks to try.
    """
    places = places_of(board)
    edges = ascending(all_moves(board, piece), board.size)
    # For each cell and move from it: the other end, the move as a bit, and the moves that cross it.
    moves: list[list[tuple[int, int, int]]] = [[] for _ in range(board.size)]
    for i, (a, b) in enumerate(edges.tolist()):
        meeting = _meet(places[a], places[b], places[edges[:, 0]], places[edges[:, 1]])
        meeting[i] = True
        crossed = sum(1 << j for j in np.flatnonzero(meeting).tolist())
        moves[a].append((b, 1 << i, crossed))
        moves[b].append((a, 1 << i, crossed))
    most = 0
    for start in range(board.size):
        # A closed walk begins at its first cell in the order of the board, so it visits later cells only.
        visited = (1 << start + 1) - 1 if closed else 1 << start
        walks = [(start, visited, 0, 0)]  # last cell, cells that are barred, moves that are barred, length
        while walks:
            cell, visited, barred, length = walks.pop()
            work -= 1
            if work < 0:
                return None
            if not closed:
                most = max(most, length)
            for end, edge, crossed in moves[cell]:
                if barred & edge:
                    continue
                if closed and end == start and length >= 2:
                    most = max(most, length + 1)
                if not visited >> end & 1:
                    walks.append((end, visited | 1 << end, barred | crossed, length + 1))
    return most


def _meet(a: Ints, b: Ints, c: Ints, d: Ints) -> Mask:
    """Whether the segment from a to b meets each segment from c to d, except in an end that they share.

    In space, segments that meet lie in one plane. A projection along an axis that keeps them apart, or keeps
    them on a line, leaves the points of the plane distinct.

    Args:
        a: first end of the segment, shape (d,).
        b: its other end.
        c: first ends of the other segments, shape (k, d).
        d: their other ends.
    """
    if len(a) == 2:
        return _meet_in_plane(a, b, c, d)
    u, w, apart = b - a, d - c, c - a
    # All 3 x 3 minors vanish if and only if the three vectors lie in a plane.
    in_plane = np.ones(len(c), dtype=np.bool_)
    for x, y, z in combinations(range(len(a)), 3):
        minors = _minor(u, w, x, y) * apart[:, z] + _minor(u, w, y, z) * apart[:, x]
        in_plane &= minors + _minor(u, w, z, x) * apart[:, y] == 0
    meeting, decided = np.zeros_like(in_plane), ~in_plane
    # Project on two axes between which the vectors span an area; if they all lie on a line, on two axes in
    # which it is not a point.
    for spans in (lambda x, y: _minor(u, w, x, y) != 0, lambda x, y: _minor(u, apart, x, y) != 0, None):
        for x, y in combinations(range(len(a)), 2):
            faithful = spans(x, y) if spans else np.full(len(c), bool(u[x] or u[y]))
            chosen = faithful & ~decided
            axes = [x, y]
            meeting[chosen] = _meet_in_plane(a[axes], b[axes], c[chosen][:, axes], d[chosen][:, axes])
            decided |= chosen
    return np.asarray(meeting)


def _minor(u: Ints, w: Ints, x: int, y: int) -> Ints:
    """The minors of u and each of some vectors in two coordinates."""
    return np.asarray(u[x] * w[:, y] - u[y] * w[:, x])


def _meet_in_plane(a: Ints, b: Ints, c: Ints, d: Ints) -> Mask:
    """Whether the segment from a to b meets each segment from c to d, except in an end that they share.

    Two segments meet if neither has both ends strictly on one side of the other, unless they lie apart on one
    line.
    """
    opposite = (side(a, b, c) * side(a, b, d) <= 0) & (side(c, d, a) * side(c, d, b) <= 0)
    apart = np.zeros(len(c), dtype=np.bool_)
    for axis in (0, 1):
        low, high = np.minimum(c[:, axis], d[:, axis]), np.maximum(c[:, axis], d[:, axis])
        apart |= (low > max(a[axis], b[axis])) | (high < min(a[axis], b[axis]))
    # Segments that share an end meet elsewhere only if they lead from it in the same direction.
    touch = np.zeros(len(c), dtype=np.bool_)
    for end, far in ((a, b), (b, a)):
        for tail, head in ((c, d), (d, c)):
            same_way = (side(end, far, head) == 0) & ((head - end) @ (far - end) > 0)
            touch |= (tail == end).all(axis=1) & ~same_way
    return np.asarray(opposite & ~apart & ~touch)
