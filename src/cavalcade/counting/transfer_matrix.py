"""Strips: boards that grow in one direction, and the matrix of what may happen from slab to slab.

s is the number of cells in a slab (a column of 3xn), r how many slabs a move crosses at most.

An endless strip is swept slab by slab, cell by cell, deciding for each cell all its edges to later cells. The
states after a slab do not depend on n: only what may still happen does. So the states and the ways from each
to those after the next slab are a matrix, found once; and a cycle that closes when the slabs up to n are done
and those beyond untouched is a tour of the board with n slabs.

A state is the *mate* of every place: itself while it is untouched, DONE when it has both edges, else the
other end of its path. Whole tables of states are treated at once, as arrays. That is another program than
`counting.cycles`, so that the two check one another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards.notation import parse_board
from cavalcade.ground.budget import assert_room, assert_time
from cavalcade.ground.errors import BoardError, TooLargeError
from cavalcade.ground.kernels import Ints, Mask
from cavalcade.question.moves import move_graph
from cavalcade.question.pieces import KNIGHT, Piece

DONE = 255
AT_ONCE = 1 << 14  # states that are expanded together: 5xn takes 1.0 s, 0.9 s with 2**12, 0.7 s with 2**16
ROWS = 1 << 18  # states within a slab at a time, about: sorting them, 19 bytes each, takes 0.1 s
BUSY = 4  # copies of the states within a slab while they are sorted; 3.3 were traced
STATE, ENTRY = 300, 24  # bytes of a state between slabs, and of an entry of the matrix


@dataclass(frozen=True)
class Strip:
    """An endless strip, seen through a window of r + 1 slabs.

    Args:
        slab: s.
        reach: r.
        near: the neighbours of every place of the window, as places; those of later slabs lie beyond it.
        joined: whether there is one more place, next to all others, that joins the ends of open tours.
        mirrored: whether the strip is its own image when the cells of each slab are reversed.
    """

    slab: int
    reach: int
    near: tuple[tuple[int, ...], ...]
    joined: bool
    mirrored: bool

    @property
    def window(self) -> int:
        """The places of the window, without the one that joins ends."""
        return self.slab * (self.reach + 1)


def strip_of(spec: str, piece: Piece = KNIGHT, *, joined: bool = False) -> Strip:
    """The strip of a spec with a side n: 3xn, nx5, 2x3xn, cylinder:nx5.

    Raises:
        BoardError: no side or more than one is n, there are holes, or that side closes upon itself.
    """
    kind, colon, text = spec.strip().lower().rpartition(":")
    sides = text.split("x")
    if sides.count("n") != 1 or "-" in text:
        raise BoardError(f"{spec[:60]!r} is not a strip, expected one side n, no holes, as in 3xn or 2x3xn")
    axis = sides.index("n")
    if kind not in {"", "cylinder"} or (kind and axis):
        raise BoardError(
            f"{spec[:60]!r} is not a strip: of the surfaces only cylinder:nx5 grows without closing"
        )

    def board(length: int) -> Any:
        return parse_board(kind + colon + "x".join(str(length) if side == "n" else side for side in sides))

    reach = int(abs(piece.vectors(board(1))[:, axis]).max())
    if not reach:
        raise BoardError(f"a {piece.spec} never leaves its slab of {spec}")
    long = board(3 * reach + 1)
    graph, slabs = move_graph(long, piece), long.coords[:, axis]
    s = long.size // (3 * reach + 1)
    number = np.empty(long.size, dtype=np.int64)  # slab by slab
    number[np.argsort(slabs, kind="stable")] = np.arange(long.size)
    # the window begins r slabs in, so that all its neighbours are there but those r slabs beyond it
    near: list[tuple[int, ...]] = [()] * (s * (reach + 1))
    for cell in range(long.size):
        if reach <= slabs[cell] <= 2 * reach:
            around = number[graph.neighbours(cell)] - reach * s
            near[number[cell] - reach * s] = tuple(sorted(around.tolist()))
    if len(near) + joined > DONE:
        raise TooLargeError(
            f"{spec} with a {piece.spec}: {len(near)} places in the window, at most {DONE - joined}"
        )
    upside_down = [sorted(p // s * s + s - 1 - p % s for p in near[s - 1 - c]) for c in range(s)]
    return Strip(s, reach, tuple(near), joined, all(tuple(upside_down[c]) == near[c] for c in range(s)))


# ---- the matrix


@dataclass(frozen=True)
class Automaton:
    """What may happen from slab to slab.

    Args:
        ways: a sparse matrix, entry (i, j) the ways from state i to state j by one slab. State 0 is the
            beginning, where everything is untouched.
        ends: entry (i, j) counts the cycles that close during that slab, with j slabs after it done too.
        one_cell: whether one slab is one cell, which is a tour by itself.
    """

    ways: Any
    ends: Ints
    one_cell: bool

    @property
    def states(self) -> int:
        """How many states there are after whole slabs."""
        return len(self.ends)

    @property
    def order(self) -> int:
        """No recurrence of the terms needs a higher one: the degree of a fraction they belong to."""
        return int(self.states + self.ends.shape[1] - 1)


def automaton(strip: Strip) -> Automaton:
    """All states that can be reached from the empty strip and from which a tour can end.

    New states only are expanded, until there are none. 3xn has 75, which takes 0.1 s, 5xn 16,832 (2 s),
    6xn 250,567 (75 s), open 5xn 88,472 (30 s).
    """
    from scipy import sparse

    width = strip.window - strip.slab + strip.joined
    start = np.arange(width, dtype=np.uint8)
    known = {start.tobytes(): 0}
    queue = [start]
    rows: list[Any] = []
    ends: list[Ints] = []
    at, entries, many = 0, 0, 1
    while at < len(queue):
        some = np.array(queue[at : at + many])
        at += len(some)
        after, ways, closed, widest = _slab(strip, some, STATE * len(known) + ENTRY * entries)
        many = max(1, min(AT_ONCE, ROWS * len(some) // widest))
        columns = np.empty(len(after), dtype=np.int64)
        for i, state in enumerate(after):
            key = state.tobytes()
            columns[i] = known.setdefault(key, len(known))
            if columns[i] == len(queue):
                queue.append(state)
        ways = ways.tocoo()
        rows.append(
            sparse.coo_array((ways.data, (ways.row, columns[ways.col])), shape=(len(some), 2**31 - 1))
        )
        ends.append(closed)
        entries += ways.nnz
    matrix = sparse.vstack(rows).tocsr()[:, : len(known)]
    return _trimmed(matrix, np.concatenate(ends), one_cell=strip.slab == 1)


def _trimmed(ways: Any, ends: Ints, *, one_cell: bool) -> Automaton:
    """Without the states from which no cycle can close."""
    alive = np.asarray(ends.any(axis=1))
    alive[0] = True
    while True:
        more = alive | (ways @ alive.astype(np.int64) > 0)
        if (more == alive).all():
            break
        alive = more
    return Automaton(ways[alive][:, alive], ends[alive], one_cell)


def _slab(strip: Strip, states: NDArray[np.uint8], held: int) -> tuple[NDArray[np.uint8], Any, Ints, int]:
    """One slab: the states after it, the ways to them from each given one, and the cycles that close.

    Last come the most states that there were within the slab; `held` bytes are in use besides.
    """
    from scipy import sparse

    slab, window = strip.slab, strip.window
    count, head = len(states), window - slab
    width = window + strip.joined
    mates = np.empty((count, width), dtype=np.uint8)
    mates[:, :head] = states[:, :head]
    mates[:, head:window] = np.arange(head, window)
    if strip.joined:  # it stands last, in states and in the window
        joint = states[:, head]
        mates[:, :head][states[:, :head] == head] = window
        mates[:, window] = np.where(joint == head, window, joint)
    ways = sparse.identity(count, dtype=np.int64, format="csr")
    closed = np.zeros((count, strip.reach + 1), dtype=np.int64)
    widest = 1
    for cell in range(slab):
        sources, found = [], []
        size = 0
        for source, rows, closes in _choices(strip, mates, cell):
            assert_time(f"the states of a slab of {slab} cells were looked for, {size:,} so far")
            size += len(rows)
            needed = held + BUSY * (width * (size + len(rows)) + 8 * size)
            assert_room(needed, f"the table of states of a slab of {slab} cells")
            ended = rows[closes]
            far = _last_slab(strip, ended)
            for j in range(strip.reach + 1):
                hits = np.bincount(source[closes][far == j], minlength=len(mates))
                closed[:, j] += ways @ hits
            goes_on = ~closes
            goes_on[goes_on] = _alive(strip, rows[goes_on], cell)
            sources.append(source[goes_on])
            found.append(rows[goes_on])
        widest = max(widest, size)
        mates, target = _distinct(np.concatenate(found))
        ways = ways @ _leading(np.concatenate(sources), target, (ways.shape[1], len(mates)))
    # the window moves on
    after = mates[:, slab:].copy()
    moved = after != DONE
    after[moved] -= np.uint8(slab)
    if strip.mirrored:
        after = _mirrored(strip, after)
    after, target = _distinct(after)
    merge = _leading(np.arange(len(target)), target, (len(target), len(after)))
    return after, ways @ merge, closed, widest


def _leading(source: Ints, target: Ints, shape: tuple[int, int]) -> Any:
    """The matrix of so many ways from each source to its target."""
    from scipy import sparse

    return sparse.csr_array((np.ones(len(source), dtype=np.int64), (source, target)), shape=shape)


def _choices(
    strip: Strip, mates: NDArray[np.uint8], cell: int
) -> Iterator[tuple[Ints, NDArray[np.uint8], Mask]]:
    """All ways to give a cell its edges: from which rows, to which mates, and where a cycle closes."""
    later = [p for p in strip.near[cell] if cell < p < strip.window]
    if strip.joined:
        later.append(strip.window)
    state = mates[:, cell]
    missing = np.where(state == DONE, 0, np.where(state == cell, 2, 1))
    for edges in range(3):
        fits = missing == edges
        for chosen in combinations(later, edges):
            fit = fits & (mates[:, list(chosen)] != DONE).all(axis=1)
            source = np.flatnonzero(fit)
            rows = mates[source]
            closes = np.zeros(len(rows), dtype=np.bool_)
            for other in chosen:
                closes |= _link(rows, cell, other)
            yield source, rows, closes


def _link(mates: NDArray[np.uint8], a: int, b: int) -> Mask:
    """Put an edge into every row; tells in which it closes a cycle."""
    far_a, far_b = mates[:, a].copy(), mates[:, b].copy()
    every = np.arange(len(mates))
    mates[every, far_a] = far_b
    mates[every, far_b] = far_a
    inner_a, inner_b = far_a != a, far_b != b
    mates[inner_a, a] = DONE
    mates[inner_b, b] = DONE
    return np.asarray(far_a == b)


def _last_slab(strip: Strip, mates: NDArray[np.uint8]) -> Ints:
    """Where a cycle has closed: j if the slabs up to j are done and the rest untouched, else -1."""
    shape = (len(mates), strip.reach + 1, strip.slab)
    inside = mates[:, : strip.window]
    done = (inside == DONE).reshape(shape).all(axis=2)
    untouched = (inside == np.arange(strip.window)).reshape(shape).all(axis=2)
    last = done.sum(axis=1) - 1
    right = (done.cumprod(axis=1).sum(axis=1) - 1 == last) & (untouched.sum(axis=1) == strip.reach - last)
    if strip.joined:
        right &= mates[:, strip.window] == DONE
    return np.where(right, last, -1)


def _alive(strip: Strip, mates: NDArray[np.uint8], cell: int) -> Mask:
    """Whether every place that must be done can still get its edges.

    Those are the places up to the last slab that is touched: the board may end there, and reaches so far.
    """
    window = strip.window
    free = np.array([sum(p >= window for p in near) + strip.joined for near in strip.near])
    touch = np.zeros((window, window), dtype=np.float32)
    for p, near in enumerate(strip.near):
        touch[[q for q in near if cell < q < window], p] = 1
    if strip.joined:
        free = free - 1
    inside = mates[:, :window]
    done, untouched = inside == DONE, inside == np.arange(window)
    have = (~done).astype(np.float32) @ touch + free
    if strip.joined:
        have += (mates[:, window] != DONE)[:, None]
    slabs = (~untouched).reshape(len(mates), strip.reach + 1, strip.slab).any(axis=2)
    reached = np.logical_or.accumulate(slabs[:, ::-1], axis=1)[:, ::-1]
    needed = np.repeat(reached, strip.slab, axis=1) & ~done
    return np.asarray((~needed | (have >= np.where(untouched, 2, 1))).all(axis=1))


def _distinct(rows: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], Ints]:
    """The different rows, and which of them each row is."""
    packed = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.shape[1]))).ravel()
    _, first, which = np.unique(packed, return_index=True, return_inverse=True)
    return rows[first], which


def _mirrored(strip: Strip, states: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Of each state and its image upside down the one that comes first in lexicographic order."""
    s, width = strip.slab, states.shape[1]
    place = np.arange(width)
    cells = place[: width - strip.joined]
    place[: len(cells)] = cells // s * s + s - 1 - cells % s
    mates = np.full(256, DONE, dtype=np.uint8)
    mates[:width] = place
    images = mates[states[:, place]]
    differ = states != images
    at = differ.argmax(axis=1)
    every = np.arange(len(states))
    swap = images[every, at] < states[every, at]
    return np.where(swap[:, None], images, states)
