"""Weights of moves in the checker: as whole numbers, for the edges of the graph that proofs are about."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.checking.constraints import moves_of
from cavalcade.checking.geometry import Ints
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question
from cavalcade.question.statement import WeightLimit, decimal_text, graph_name, weights_name

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
        undirected = not question.directed
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
            weight[a, b] if question.directed else weight[min(a, b), max(a, b)]
            for a, b in zip(cells, following, strict=False)
        ),
        Decimal(0),
    )


def consequence(limit: WeightLimit) -> str:
    """State what follows if no tour weighs at most the limit, and why.

    The weight of a tour is a multiple of the greatest common divisor of all weights.
    """
    unit = _unit(limit)
    divisor = math.gcd(*(int(weight / unit) for weight in limit.weights)) * unit
    if not divisor:
        return "every tour weighs 0"
    least = (limit.most // divisor + (limit.most >= 0 or not limit.most % divisor)) * divisor
    most, step, bound = (decimal_text(number) for number in (limit.most, divisor, least))
    return f"every weight is a multiple of {step}, so a tour of more than {most} weighs at least {bound}"


def other_weights(question: Question, limit: WeightLimit, graph: MoveGraph, weights: list[Decimal]) -> str:
    """Why a proof about the weight of tours is not about a graph with these weights; empty if it is.

    A proof about the greatest weight is about the negated weights.

    Args:
        question: the question of the proof.
        limit: the limit of the proof, and its weights.
        graph: the graph.
        weights: weight of each edge, in the order of `graph.pairs()`.
    """
    if not question.board.plain or graph_name(graph) != graph_name(question.board):
        return "other nodes or links"
    in_order = [weight for _, weight in sorted(zip(graph.pairs(), weights, strict=True))]
    proved = weights_name(question, limit.weights)
    of_graph = Question.of(graph)
    for sign in (1, -1):
        if weights_name(of_graph, tuple(sign * weight for weight in in_order)) == proved:
            return ""
    return f"other weights: {weights_name(of_graph, tuple(in_order))}"
