"""Lengths of the legs of a tour, changed until given cells have their steps.

The given cells, the *anchors*, cut a tour into legs, and stay where they are. A *piece* of a few cells x … y
between u and v is taken out of one leg, where u-v becomes a move, and put between adjacent cells a and b of
another leg, where a-x and b-y become moves. Only the links of six cells change, so the order of the anchors
stays, and one leg becomes shorter by the cells of the piece, the other one longer. A piece may also be
exchanged with another one between a and b. On a board of two colours the lengths change by even numbers.

The excess of a part is the difference between its moves and the moves that it must have. A random piece is
moved if that does not increase the sum of the squares of the excesses. Like heat, it flows from leg to leg,
also through legs of the right length, until none is left. Moves within a leg and exchanges of equal pieces
keep the legs from becoming so straight that no piece can leave them.

Time: 2 to 5 µs for each piece, compiled; mostly below a second for 100x100 with ten given steps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cavalcade.cycles.walking import Links, cycle_of_all, neighbours_along
from cavalcade.find.adjacency import adjacency, is_arc
from cavalcade.find.tiers import in_tiers, state_of, steps_per_call
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Cells, Tier, Vector, next_random
from cavalcade.question.parts import Rows
from cavalcade.question.question import Question


class SearchLimits(NamedTuple):
    """How far the search goes; measured on squares of 30x30 to 100x100 with two to ten given steps.

    Args:
        longest_piece: cells of a piece that is moved, at most. With 30, a tour of 100x100 took six times as
            long; with 8, most tours of 50x50 got stuck.
        longest_exchanged: cells of pieces that are exchanged, at most; longer ones fit rarely.
        anywhere: one cell in this number is tried although no part with another excess is next to it.
        piece_work: inner steps to try a piece.
        patience: pieces that are tried for each cell of the board before the search gives up.
    """

    longest_piece: int = 100
    longest_exchanged: int = 8
    anywhere: int = 8
    piece_work: int = 100
    patience: int = 500


LIMITS = SearchLimits()


class Targets(NamedTuple):
    """The lengths that the parts of a tour must have.

    Args:
        anchors: given cells in the order of the tour. In an open tour the first one is an extra vertex, which
            joins its ends; its number is the number of cells.
        parts: part of the tour to which the leg after each anchor belongs.
        lengths: number of moves of each part.
    """

    anchors: list[int]
    parts: list[int]
    lengths: list[int]


class MovingTour(NamedTuple):
    """A tour whose pieces are moved, in the containers of a tier.

    Args:
        links: the two neighbours per vertex along the tour.
        required: vertices to which each vertex must stay linked, two per vertex, -1 for none.
        leg: leg of each vertex; -1 - i for anchor i, which begins leg i.
        moves: number of moves of each leg.
        part: part of each leg.
        excess: number of moves that each part has too many.
        near_u: number of the latest try in which each vertex was a neighbour of u.
        near_x: the same for x.
        tries: one entry, the number of tries so far.
    """

    links: Links
    required: Links
    leg: Vector
    moves: Vector
    part: Vector
    excess: Vector
    near_u: Vector
    near_x: Vector
    tries: Vector


def with_lengths(
    question: Question, cells: Cells, targets: Targets, budget: Budget, *, even: bool, seed: int = 0
) -> Cells | None:
    """Return a tour in which the parts between anchors have their lengths, made from another tour.

    Args:
        question: the question, on an undirected graph, without a symmetry.
        cells: a tour that visits the anchors in their order or in the reverse.
        targets: anchors and lengths.
        budget: counted work; the search takes at most `LIMITS.patience` pieces per cell of it.
        even: whether every closed walk has an even number of moves, so that an odd excess stays odd.
        seed: seed of the random choices.

    Returns:
        The cells in order, from the first anchor of a closed tour on, or None if the anchors are in another
        order, or if the lengths were not reached within the budget.
    """
    anchors, size = targets.anchors, question.board.size
    tour = cells if question.closed else np.append(cells, size)
    for way in (tour, tour[::-1]):
        way = np.roll(way, -int(np.flatnonzero(way == anchors[0])[0]))  # noqa: PLW2901
        index = np.argsort(way)[anchors].astype(np.int32)
        if (np.diff(index) > 0).all():
            break
    else:
        return None
    moves = np.diff([*index, len(way)])
    excess = np.bincount(targets.parts, moves).astype(np.int64) - targets.lengths
    if even and (excess % 2).any():
        return None
    if excess.any():

        def search(tier: Tier, budget: Budget) -> Cells | None:
            return _balanced(question, way, index, moves, excess, targets, tier, budget, seed)

        part = budget.part(LIMITS.patience * LIMITS.piece_work * len(way))
        balanced = in_tiers(search, part, LIMITS.piece_work * len(way))
        if balanced is None:
            return None
        way = balanced
    return way if question.closed else way[1:]


def _balanced(
    question: Question,
    way: Cells,
    index: Cells,
    moves: Cells,
    excess: Cells,
    targets: Targets,
    tier: Tier,
    budget: Budget,
    seed: int,
) -> Cells | None:
    """Move pieces until no part has an excess; see `with_lengths`."""
    n, size = question.board.size, len(way)
    edges, kept = question.allowed.edges(), list(question.required)
    if not question.closed:  # the extra vertex joins any two ends
        edges = np.concatenate([edges, np.stack([np.arange(n), np.full(n, n)], axis=1)])
        kept += [(end, n) for end in question.ends]
    tails, heads = np.concatenate([edges, edges[:, ::-1]]).T
    indptr = np.concatenate([[0], np.cumsum(np.bincount(tails, minlength=size))])
    rows = adjacency(tier, indptr, heads[np.argsort(tails, kind="stable")])
    leg = np.empty(size, dtype=np.int32)
    leg[way] = np.repeat(np.arange(len(index)), moves)
    leg[way[index]] = -1 - np.arange(len(index))
    required = np.full((size, 2), -1, dtype=np.int32)
    for move in kept:
        for a, b in (move, move[::-1]):
            required[a, int(required[a, 0] >= 0)] = b
    pieces = MovingTour(
        links=Links(*(tier.vector(side.copy()) for side in neighbours_along(way).T)),
        required=Links(*(tier.vector(side.copy()) for side in required.T)),
        leg=tier.vector(leg),
        moves=tier.words(moves.tolist()),
        part=tier.words(targets.parts),
        excess=tier.words(excess.tolist()),
        near_u=tier.column(size),
        near_x=tier.column(size),
        tries=tier.column(1),
    )
    apex = -1 if question.closed else n
    state, tries = state_of(seed, 0), steps_per_call(tier) // LIMITS.piece_work
    while any(pieces.excess):
        state = tier(_move_pieces)(rows, pieces, apex, state, tries)
        if not budget.spend(LIMITS.piece_work * tries) and any(pieces.excess):
            return None
    cycle = cycle_of_all(*pieces.links)
    if np.flatnonzero(cycle == targets.anchors[1])[0] > np.flatnonzero(cycle == targets.anchors[-1])[0]:
        cycle = cycle[::-1]
    return np.roll(cycle, -int(np.flatnonzero(cycle == way[0])[0]))


# ---- kernels


def _move_pieces(rows: Rows, pieces: MovingTour, apex: int, state: int, tries: int) -> int:
    """Try random pieces until no part has an excess; returns the state of the random numbers."""
    links, leg, part, excess = pieces.links, pieces.leg, pieces.part, pieces.excess
    required = pieces.required
    wrong = 0
    for i in range(len(excess)):
        wrong += excess[i] != 0
    for _ in range(tries):
        if wrong == 0:
            break
        state = next_random(state)
        x = state % len(leg)
        state = next_random(state)
        u = links.p[x] if state & 1 else links.q[x]
        # The extra vertex of an open tour has too many neighbours to mark.
        if leg[x] < 0 or u == apex or _is_required(required, u, x):
            continue
        source = part[leg[x]]
        # Look only at cells next to a part with another excess, and now and then at any cell.
        state = next_random(state)
        is_useful = state % LIMITS.anywhere == 0
        for e in range(rows.indptr[x], rows.indptr[x + 1]):
            neighbour = leg[rows.indices[e]]
            is_useful |= neighbour < 0 or excess[part[neighbour]] != excess[source]
        if not is_useful:
            continue
        target, change = _moved(rows, pieces, u, x, state)
        if change != 0 and target != source:
            wrong -= (excess[source] != 0) + (excess[target] != 0)
            excess[source] -= change
            excess[target] += change
            wrong += (excess[source] != 0) + (excess[target] != 0)
    return state


def _moved(rows: Rows, pieces: MovingTour, u: int, x: int, state: int) -> tuple[int, int]:
    """Move a piece that begins with x, which follows u, or exchange it; try short pieces first.

    Returns:
        The part to which the piece went, and the number of cells that it gained; 0 if no piece fits.
    """
    links, leg, required, near_u, near_x = (
        pieces.links,
        pieces.leg,
        pieces.required,
        pieces.near_u,
        pieces.near_x,
    )
    pieces.tries[0] += 1
    number = pieces.tries[0]
    for e in range(rows.indptr[u], rows.indptr[u + 1]):
        near_u[rows.indices[e]] = number
    for e in range(rows.indptr[x], rows.indptr[x + 1]):
        near_x[rows.indices[e]] = number
    before, y, exchanged = u, x, 1 + state // LIMITS.anywhere % LIMITS.longest_exchanged
    for length in range(1, LIMITS.longest_piece + 1):
        v = _other(links, y, before)
        if leg[y] < 0 or v == u or links.p[u] == v or links.q[u] == v:
            break  # an anchor, or the piece is all of the tour but one or two cells
        if not _is_required(required, y, v):
            target, gained = -1, 0
            if near_u[v] == number:
                target, gained = _inserted(rows, pieces, u, x, y, v, length, state)
            if gained == 0 and length == exchanged:
                target, gained = _exchanged(rows, pieces, u, x, y, v, length, state)
            if target >= 0:
                return target, gained
        before, y = y, v
    return -1, 0


def _is_downhill(pieces: MovingTour, source: int, target: int, change: int) -> bool:
    """Whether `change` cells may go from one part to another.

    They may if the sum of the squares of the excesses s and t does not increase: (s - k)² + (t + k)² <=
    s² + t² if and only if k (s - t - k) >= 0.
    """
    difference = pieces.excess[source] - pieces.excess[target]
    return source == target or change * (difference - change) >= 0


def _inserted(
    rows: Rows, pieces: MovingTour, u: int, x: int, y: int, v: int, length: int, state: int
) -> tuple[int, int]:
    """Take the piece x … y from between u and v, and put it between adjacent cells a and b.

    Returns:
        The part of the move a-b, -1 if there is none; and the length of the piece.
    """
    links, required, source = pieces.links, pieces.required, pieces.part[pieces.leg[x]]
    begin, degree = rows.indptr[x], rows.indptr[x + 1] - rows.indptr[x]
    for k in range(2 * degree):
        a = rows.indices[begin + (k // 2 + state) % degree]
        b = links.p[a] if k & 1 else links.q[a]
        if not is_arc(rows, rows, b, y) or _is_required(required, a, b):
            continue
        # The moves at the ends of the piece, and those inside it, are no places.
        if _is_inside(links, x, y, u, a) or _is_inside(links, x, y, u, b):
            continue
        leg = _leg_of(pieces, a, b)
        target = pieces.part[leg]
        if _is_downhill(pieces, source, target, length):
            pieces.moves[pieces.leg[x]] -= length
            pieces.moves[leg] += length
            _relabel(pieces, x, y, u, leg)
            _relink(links, u, x, v)
            _relink(links, v, y, u)
            _relink(links, a, b, x)
            _relink(links, b, a, y)
            _relink(links, x, u, a)
            _relink(links, y, v, b)
            return target, length
    return -1, 0


def _exchanged(
    rows: Rows, pieces: MovingTour, u: int, x: int, y: int, v: int, length: int, state: int
) -> tuple[int, int]:
    """Exchange the piece x … y between u and v with a piece c … d between a and b of another leg.

    Returns:
        The part of the other piece, -1 if there is none; and the number of cells that this part gained.
    """
    links, leg, part, required = pieces.links, pieces.leg, pieces.part, pieces.required
    own_leg, near_x, number = leg[x], pieces.near_x, pieces.tries[0]
    begin, degree = rows.indptr[u], rows.indptr[u + 1] - rows.indptr[u]
    for k in range(2 * degree):
        c = rows.indices[begin + (k // 2 + state) % degree]
        a = links.p[c] if k & 1 else links.q[c]
        other_leg = leg[c]
        if other_leg < 0 or other_leg == own_leg:
            continue
        if near_x[a] != number or _is_required(required, a, c):
            continue
        before, d = a, c
        for other_length in range(1, LIMITS.longest_exchanged + 1):
            b = _other(links, d, before)
            if leg[d] < 0:
                break
            change = length - other_length
            if (
                is_arc(rows, rows, d, v)
                and is_arc(rows, rows, b, y)
                and not _is_required(required, d, b)
                and _is_downhill(pieces, part[own_leg], part[other_leg], change)
            ):
                pieces.moves[own_leg] -= change
                pieces.moves[other_leg] += change
                _relabel(pieces, x, y, u, other_leg)
                _relabel(pieces, c, d, a, own_leg)
                _relink(links, u, x, c)
                _relink(links, v, y, d)
                _relink(links, a, c, x)
                _relink(links, b, d, y)
                _relink(links, x, u, a)
                _relink(links, y, v, b)
                _relink(links, c, a, u)
                _relink(links, d, b, v)
                return part[other_leg], change
            before, d = d, b
    return -1, 0


def _relabel(pieces: MovingTour, x: int, y: int, before: int, leg: int) -> None:
    """Set the leg of the cells from x, which follows `before`, to y."""
    cell = x
    while cell != y:
        pieces.leg[cell] = leg
        before, cell = cell, _other(pieces.links, cell, before)
    pieces.leg[y] = leg


def _is_inside(links: Links, x: int, y: int, before: int, cell: int) -> bool:
    """Whether a cell lies on the piece from x, which follows `before`, to y."""
    current = x
    while current != cell:
        if current == y:
            return False
        before, current = current, _other(links, current, before)
    return True


def _leg_of(pieces: MovingTour, a: int, b: int) -> int:
    """The leg of a move of the tour. A move between two anchors is a leg of its own."""
    leg = pieces.leg
    if leg[a] >= 0:
        return leg[a]
    if leg[b] >= 0:
        return leg[b]
    first, second, count = -1 - leg[a], -1 - leg[b], len(pieces.moves)
    return first if (first + 1) % count == second and pieces.moves[first] == 1 else second


def _relink(links: Links, cell: int, before: int, after: int) -> None:
    """Replace a neighbour of a cell by another."""
    if links.p[cell] == before:
        links.p[cell] = after
    else:
        links.q[cell] = after


def _other(links: Links, cell: int, neighbour: int) -> int:
    """The neighbour of a cell along the tour besides this one."""
    return links.q[cell] if links.p[cell] == neighbour else links.p[cell]


def _is_required(required: Links, a: int, b: int) -> bool:
    """Whether the tour must use a move."""
    return bool(required.p[a] == b or required.q[a] == b)
