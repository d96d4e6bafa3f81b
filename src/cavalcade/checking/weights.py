"""Weights of moves in the checker: as whole numbers, for the edges of the graph that proofs are about."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.checking.constraints import moves_of
from cavalcade.checking.geometry import Ints
from cavalcade.question.question import Question
from cavalcade.question.statement import WeightLimit

# Largest absolute value of a weight in units of the last digit: sums over 2**20 edges fit into 62 bits.
LARGEST = 1 << 42


class Weights(NamedTuple):
    """The weights of edges, and a limit of their sum, as multiples of one unit.

    Attributes:
        values: the weight of each edge, shape (m,).
        most: the limit.
        unit: the unit, a power of ten of at most 1.
    """

    values: Ints
    most: int
    unit: Decimal


def unweighed(question: Question, limit: WeightLimit) -> str:
    """Why a limit of the weight does not fit a question; empty if it fits."""
    moves = len(moves_of(question))
    if len(limit.weights) != moves:
        return f"{len(limit.weights):,} weights for {moves:,} moves, expected one per move"
    if not all(number.is_finite() for number in (limit.most, *limit.weights)):
        return "a weight is not finite"
    if question.coils is not None:
        return "a proof is about the weight or about coils, not about both"
    unit = _unit(limit)
    if any(abs(number) >= LARGEST * unit for number in limit.weights):
        return f"a weight is {LARGEST:,} units or more"
    return ""


def _unit(limit: WeightLimit) -> Decimal:
    """The greatest power of ten, at most 1, that divides all weights and the limit."""
    digits = (int(number.as_tuple().exponent) for number in (limit.most, *limit.weights))
    return Decimal(1).scaleb(min(0, *digits))


def weights_of(question: Question, edges: Ints, limit: WeightLimit) -> Weights:
    """The weights of the edges of the closed graph, and the limit, as multiples of one unit.

    A move that goes both ways is an edge between its cells, and has its weight there. The three edges that
    replace a required move share its weight: the edge in the middle has it. A move that goes one way, from c
    to d, is the edge from `c>` to `>d`. All other edges weigh 0.

    Args:
        question: the question.
        edges: the edges (a, b), a < b, of `constraints.closed_graph`.
        limit: one weight per move, in the order of `constraints.moves_of`.
    """
    n, unit = question.board.size, _unit(limit)
    weight = {
        (a, b): int(number / unit)
        for (a, b), number in zip(moves_of(question).tolist(), limit.weights, strict=True)
    }
    if question.one_way:
        undirected = not question.board.directed
        tails, heads = edges[:, 1] - 2 * n, edges[:, 0] - n
        pairs = zip(tails.tolist(), heads.tolist(), strict=True)
        worth = [
            weight.get((a, b), weight.get((b, a), 0) if undirected else 0) if 0 <= a < n and 0 <= b < n else 0
            for a, b in pairs
        ]
    else:
        first = int(edges.max()) + 1 - 2 * len(question.required)
        middles = {(first + 2 * i, first + 2 * i + 1): move for i, move in enumerate(question.required)}
        worth = [weight.get(middles.get((a, b), (a, b)), 0) for a, b in map(tuple, edges.tolist())]
    return Weights(np.array(worth, dtype=np.int64), int(limit.most / unit), unit)


def weight_of(tour: Tour, question: Question, limit: WeightLimit) -> Decimal:
    """The total weight of the moves of a tour."""
    weight = dict(zip(map(tuple, moves_of(question).tolist()), limit.weights, strict=True))
    cells = tour.cells.tolist()
    following = cells[1:] + (cells[:1] if tour.closed and len(cells) > 1 else [])
    return sum(
        (
            weight[a, b] if question.board.directed else weight[min(a, b), max(a, b)]
            for a, b in zip(cells, following, strict=False)
        ),
        Decimal(0),
    )
