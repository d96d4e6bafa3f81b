"""Strips: boards that grow in one direction, and their transfer matrices.

A slab has s cells (a column of 3xn), and a move crosses at most r slabs.

An endless strip is swept slab by slab and cell by cell. At each cell all its edges to later cells are chosen.
The states after a slab do not depend on n. So the numbers of ways from each state to the states after the
next slab form a matrix, which is computed once. A cycle that closes when the first n slabs are complete and
the later slabs untouched is a tour of the board with n slabs.

Cells that a question names, such as the ends of open tours, make a few slabs different from the others: the
first ones, the last ones, or both. Then the states between slabs have *levels*: one for each of the different
slabs, and one for all slabs in the middle, from which the sweep may go on in the middle or enter the last
slabs. `counting.families` finds the different slabs.

A state contains the *mate* of every place: the place itself while it is untouched, DONE once it has both
edges, otherwise the other end of its path. Tables of states are processed as arrays. The program is
independent of `counting.cycles`, so that each verifies the other.
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

States = NDArray[np.uint8]  # one state per row

DONE = np.iinfo(np.uint8).max
ROWS = 1 << 18  # approximate number of states within a slab that are expanded together; sorting takes 0.1 s
COPIES = 4  # copies of the states within a slab while they are sorted; 3.3 were traced
STATE_BYTES = 300  # memory of a state between slabs, in the dictionary and in the queue


@dataclass(frozen=True)
class Strip:
    """An endless strip, seen through a window of r + 1 slabs.

    Args:
        slab: number s of cells in a slab.
        reach: number r of slabs that a move crosses at most.
        neighbours: neighbours per place of the window; neighbours in later slabs lie beyond the window.
        joined: whether an additional place joins the ends of open tours.
        mirrored: whether reversing the cells in each slab maps the strip to itself.
        ends: for each place of the window, whether it is adjacent to the additional place; by default all.
        required: edges (place of the window, later place or the additional place) that tours must use.
        holes: cells of a slab that do not exist in the last slab of the window.
        remaining: number of slabs of the board after the first one of the window; None if the strip is
            endless, so that any slab may be the last.
    """

    slab: int
    reach: int
    neighbours: tuple[tuple[int, ...], ...]
    joined: bool
    mirrored: bool
    ends: tuple[bool, ...] = ()
    required: tuple[tuple[int, int], ...] = ()
    holes: tuple[int, ...] = ()
    remaining: int | None = None

    @property
    def window(self) -> int:
        """Number of places of the window, without the place that joins the ends."""
        return self.slab * (self.reach + 1)


def strip_of(spec: str, piece: Piece = KNIGHT, *, joined: bool = False) -> Strip:
    """Return the strip of a spec with a side n: 3xn, nx5, 2x3xn, cylinder:nx5.

    Raises:
        BoardError: not exactly one side is n, there are holes, or the growing side closes upon itself.
        TooLargeError: the window has too many places.
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
    # Number the cells slab by slab. The window begins at slab r, so that its cells have all their neighbours.
    place = np.empty(long.size, dtype=np.int64)
    place[np.argsort(slabs, kind="stable")] = np.arange(long.size) - reach * s
    rows: list[tuple[int, ...]] = [()] * (s * (reach + 1))
    for cell in np.flatnonzero((slabs >= reach) & (slabs <= 2 * reach)).tolist():
        rows[place[cell]] = tuple(sorted(place[graph.neighbours(cell)].tolist()))
    if len(rows) + joined > DONE:
        raise TooLargeError(
            f"{spec} with a {piece.spec}: {len(rows)} places in the window, at most {DONE - joined}"
        )
    images = [tuple(sorted(p // s * s + s - 1 - p % s for p in rows[s - 1 - c])) for c in range(s)]
    return Strip(s, reach, tuple(rows), joined, images == rows[:s])


# ---- the matrix


@dataclass(frozen=True)
class Automaton:
    """The transfer matrix of a strip.

    Args:
        ways: sparse matrix; entry (i, j) is the number of ways from state i to state j by one slab. In state
            0 everything is untouched.
        ends: entry (i, j) is the number of ways to close a cycle during the next slab that covers this slab
            and exactly j more.
        first: the first terms, which the matrix does not give: a single cell is a tour by itself, and a board
            may be too short for the different slabs at its ends.
    """

    ways: Any
    ends: Ints
    first: tuple[int, ...] = ()

    @property
    def states(self) -> int:
        """Number of states after complete slabs."""
        return len(self.ends)

    @property
    def order(self) -> int:
        """Upper bound for the order of the recurrence of the terms."""
        return int(self.states + self.ends.shape[1] - 1 + len(self.first))


Steps = list[tuple[Strip, int]]  # the slabs that may come next, each with the level after it


def automaton(strip: Strip) -> Automaton:
    """Compute the transfer matrix of an endless strip: see `of_levels`."""
    start = np.arange(strip.window - strip.slab + strip.joined, dtype=np.uint8)
    first = (1,) if strip.slab == 1 else ()
    return of_levels([[(strip, 0)]], start, first)


def of_levels(levels: list[Steps], start: NDArray[np.uint8], first: tuple[int, ...]) -> Automaton:
    """Compute a transfer matrix: the reachable states from which a tour can be completed.

    Args:
        levels: for each level, the slabs that may come next; a level that is not in the list is the end of
            the board, after which no cycle can close.
        start: the state before the first slab, at level 0.
        first: the first terms, see `Automaton`.

    Raises:
        TooLargeError: the states do not fit in memory.

    Time: 3xn has 75 states and takes 0.1 s, 5xn 16,832 (2 s), 6xn 250,567 (75 s), open 5xn 88,472 (30 s).
    """
    from scipy import sparse

    numbers = {(0, start.tobytes()): 0}
    pending: list[list[int]] = [[0], *([] for _ in levels[1:])]  # numbers of states to expand, by level
    states = [start]
    entries: list[tuple[Ints, Ints, Ints]] = []  # rows, columns and values of the matrix
    closing: list[tuple[Ints, Ints]] = []  # numbers of states, and their rows of `Automaton.ends`
    held, batch_size = 0, 1
    while any(pending):
        level = next(i for i, waiting in enumerate(pending) if waiting)
        batch = np.array(pending[level][:batch_size])
        del pending[level][:batch_size]
        for strip, after in levels[level]:
            rows = np.array([states[number] for number in batch])
            successors, ways, closed, peak = _slab(strip, rows, STATE_BYTES * len(numbers) + held)
            batch_size = max(1, ROWS * len(batch) // peak)
            closing.append((batch, closed))
            if after == len(levels):
                continue
            columns = np.empty(len(successors), dtype=np.int64)
            for i, state in enumerate(successors):
                columns[i] = numbers.setdefault((after, state.tobytes()), len(numbers))
                if columns[i] == len(states):
                    states.append(state)
                    pending[after].append(int(columns[i]))
            ways = ways.tocoo()
            entries.append((batch[ways.row], columns[ways.col], ways.data))
            held += sum(part.nbytes for part in entries[-1])
    ends = np.zeros((len(states), closing[0][1].shape[1]), dtype=np.int64)
    for batch, closed in closing:
        ends[batch] += closed  # the numbers of a batch are distinct
    sources, targets, values = (np.concatenate(parts) for parts in zip(*entries, strict=True))
    matrix = sparse.coo_array((values, (sources, targets)), shape=(len(states), len(states))).tocsr()
    return _trimmed(matrix, ends, first)


def _trimmed(ways: Any, ends: Ints, first: tuple[int, ...]) -> Automaton:
    """Remove the states from which no cycle can close."""
    alive = np.asarray(ends.any(axis=1))
    alive[0] = True
    while True:
        extended = alive | (ways @ alive.astype(np.int64) > 0)
        if (extended == alive).all():
            break
        alive = extended
    return Automaton(ways[alive][:, alive], ends[alive], first)


def _slab(strip: Strip, states: States, held: int) -> tuple[States, Any, Ints, int]:
    """Expand states by one slab.

    Args:
        strip: the strip.
        states: states before the slab.
        held: bytes of other data in memory.

    Returns:
        The states after the slab; a matrix of the ways from each state to each successor; the cycles that
        close, as in `Automaton.ends`; and the largest number of states within the slab.

    Raises:
        TooLargeError: the states within the slab do not fit in memory.
    """
    slab, window = strip.slab, strip.window
    count, head = len(states), window - slab
    width = window + strip.joined
    mates = np.empty((count, width), dtype=np.uint8)
    mates[:, :head] = states[:, :head]
    mates[:, head:window] = np.arange(head, window)
    mates[:, [head + hole for hole in strip.holes]] = DONE
    if strip.joined:  # the additional place is the last one, in states and in the window
        joint = states[:, head]
        mates[:, :head][states[:, :head] == head] = window
        mates[:, window] = np.where(joint == head, window, joint)
    ways = _one_way_each(np.arange(count), np.arange(count), (count, count))
    closed = np.zeros((count, strip.reach + 1), dtype=np.int64)
    peak = 1
    for cell in range(slab):
        sources, tables = [], []
        size = 0
        for source, rows, closes in _choices(strip, mates, cell):
            assert_time(f"the states of a slab of {slab} cells were looked for, {size:,} so far")
            size += len(rows)
            needed = held + COPIES * (width * (size + len(rows)) + 8 * size)
            assert_room(needed, f"the table of states of a slab of {slab} cells")
            # Count the cycles that close here by the last slab that they cover.
            last = _last_slab(strip, rows[closes], cell)
            for j in range(strip.reach + 1):
                cycles = np.bincount(source[closes][last == j], minlength=len(mates))
                closed[:, j] += ways @ cycles
            # Keep the other states if their paths can be completed.
            remaining = ~closes
            remaining[remaining] = _alive(strip, rows[remaining], cell)
            sources.append(source[remaining])
            tables.append(rows[remaining])
        peak = max(peak, size)
        mates, target = _distinct(np.concatenate(tables))
        ways = ways @ _one_way_each(np.concatenate(sources), target, (ways.shape[1], len(mates)))
    # Move the window by one slab.
    successors = mates[:, slab:].copy()
    successors[successors != DONE] -= np.uint8(slab)
    if strip.mirrored:
        successors = _mirrored(strip, successors)
    successors, target = _distinct(successors)
    merge = _one_way_each(np.arange(len(target)), target, (len(target), len(successors)))
    return successors, ways @ merge, closed, peak


def _one_way_each(source: Ints, target: Ints, shape: tuple[int, int]) -> Any:
    """Return the matrix with one way from each source to its target."""
    from scipy import sparse

    return sparse.csr_array((np.ones(len(source), dtype=np.int64), (source, target)), shape=shape)


def _choices(strip: Strip, mates: States, cell: int) -> Iterator[tuple[Ints, States, Mask]]:
    """Yield the ways to choose the edges of a cell: indices of states, new states, where a cycle closes."""
    later = [p for p in strip.neighbours[cell] if cell < p < strip.window]
    if strip.joined and (not strip.ends or strip.ends[cell]):
        later.append(strip.window)
    required = {place for first, place in strip.required if first == cell}
    state = mates[:, cell]
    missing = np.where(state == DONE, 0, np.where(state == cell, 2, 1))
    for edges in range(3):
        fits = missing == edges
        for chosen in combinations(later, edges):
            if not required.issubset(chosen):
                continue
            fit = fits & (mates[:, list(chosen)] != DONE).all(axis=1)
            source = np.flatnonzero(fit)
            rows = mates[source]
            closes = np.zeros(len(rows), dtype=np.bool_)
            for neighbour in chosen:
                closes |= _link(rows, cell, neighbour)
            yield source, rows, closes


def _link(mates: States, a: int, b: int) -> Mask:
    """Add an edge to every state in place; return where it closes a cycle."""
    far_a, far_b = mates[:, a].copy(), mates[:, b].copy()
    index = np.arange(len(mates))
    mates[index, far_a] = far_b
    mates[index, far_b] = far_a
    inner_a, inner_b = far_a != a, far_b != b
    mates[inner_a, a] = DONE
    mates[inner_b, b] = DONE
    return np.asarray(far_a == b)


def _last_slab(strip: Strip, mates: States, cell: int) -> Ints:
    """Return j for each closed cycle that covers exactly the slabs up to j of the window; -1 for others.

    Args:
        strip: the strip.
        mates: states after a cycle closed.
        cell: the last cell whose edges were chosen.
    """
    if strip.remaining is not None:  # places beyond the end of the board and holes are done from the start
        whole = strip.remaining <= strip.reach and all(place <= cell for place, _ in strip.required)
        return np.where((mates == DONE).all(axis=1) & whole, min(strip.remaining, strip.reach), -1)
    shape = (len(mates), strip.reach + 1, strip.slab)
    inside = mates[:, : strip.window]
    done = (inside == DONE).reshape(shape).all(axis=2)
    untouched = (inside == np.arange(strip.window)).reshape(shape).all(axis=2)
    last = done.sum(axis=1) - 1
    right = (done.cumprod(axis=1).sum(axis=1) - 1 == last) & (untouched.sum(axis=1) == strip.reach - last)
    if strip.joined:
        right &= mates[:, strip.window] == DONE
    return np.where(right, last, -1)


def _alive(strip: Strip, mates: States, cell: int) -> Mask:
    """Return whether every place that must be visited can still get its edges.

    The board contains at least all slabs up to the last one that a path touches.
    """
    window = strip.window
    beyond = np.array([sum(p >= window for p in row) for row in strip.neighbours])
    adjacent = np.zeros((window, window), dtype=np.float32)
    for p, row in enumerate(strip.neighbours):
        adjacent[[q for q in row if cell < q < window], p] = 1
    inside = mates[:, :window]
    done, untouched = inside == DONE, inside == np.arange(window)
    # Number of later neighbours of each place that can take one more edge.
    available = (~done).astype(np.float32) @ adjacent + beyond
    if strip.joined:
        at_end = np.array(strip.ends or [True] * window)
        available += (mates[:, window] != DONE)[:, None] & at_end
    slabs = (~untouched).reshape(len(mates), strip.reach + 1, strip.slab).any(axis=2)
    reached = np.logical_or.accumulate(slabs[:, ::-1], axis=1)[:, ::-1]
    needed = np.repeat(reached, strip.slab, axis=1) & ~done
    return np.asarray((~needed | (available >= np.where(untouched, 2, 1))).all(axis=1))


def _distinct(rows: States) -> tuple[States, Ints]:
    """Return the distinct rows, and the index of each row among them."""
    packed = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.shape[1]))).ravel()
    _, first, index = np.unique(packed, return_index=True, return_inverse=True)
    return rows[first], index


def _mirrored(strip: Strip, states: States) -> States:
    """Replace each state by its mirror image if that is lexicographically smaller."""
    s, width = strip.slab, states.shape[1]
    place = np.arange(width)
    cells = place[: width - strip.joined]
    place[: len(cells)] = cells // s * s + s - 1 - cells % s
    mates = np.full(256, DONE, dtype=np.uint8)
    mates[:width] = place
    images = mates[states[:, place]]
    index = np.arange(len(states))
    first_difference = (states != images).argmax(axis=1)
    swap = images[index, first_difference] < states[index, first_difference]
    return np.where(swap[:, None], images, states)
