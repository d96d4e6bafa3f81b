"""Tours with given cells at given steps, for boards that are too large to branch on all steps.

The longest leg between given cells is left open. All other legs are walked at random, each with exactly the
moves between its steps. The tour must use the moves of these walks, and the engine `join` finds the rest. If
a walk or the join fails, the search starts again with other walks.

A walk continues to a neighbour from which its end can still be reached on the empty board in the remaining
moves; for each cell, the shortest walks of both parities are known. Among these neighbours it prefers one
with few free neighbours, so that no cell becomes hard to reach (Warnsdorff's rule). A stuck walk backtracks.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.find.join import join
from cavalcade.find.tiers import Tries
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Cells
from cavalcade.question.parts import Rows, broad, walks
from cavalcade.question.question import Question

# Moves, forward or back, after which a walk is abandoned, for each move of its length. More moves follow a
# bad start for longer.
TRIES_PER_MOVE = 50
# Work of one move of a walk, and of one distance between cells: 10 µs of interpreted code.
STEPS_PER_CELL = 1_000


class Leg(NamedTuple):
    """A part of the tour between given cells, or before the first or after the last of them.

    Args:
        moves: number of moves.
        role: `start` or `end` if the leg leads to this end of the tour, otherwise empty.
        first: first cell.
        last: last cell; None for any cell.
    """

    moves: int
    role: str
    first: int
    last: int | None


def join_steps(question: Question, budget: Budget, *, seed: int = 0) -> Cells | Undecided:
    """Search for a tour with its cells at their steps, on an undirected graph: an engine.

    There is at least one try. Time: linear in the moves that are walked, and the time of `join`. If much is
    given, most tries fail.
    """
    rng = random.Random(seed)  # noqa: S311 - games, not secrets
    graph = question.allowed
    rows, cover = [graph.neighbours(cell).tolist() for cell in range(graph.size)], walks(graph)
    for number in (tries := Tries(budget)):
        walked = _with_walks(question, rows, cover, rng, budget)
        if walked is None:
            continue
        answer = join(walked, tries.part(per_round=4), seed=seed + number + 1)
        if not isinstance(answer, Undecided):
            return answer
    wanted = f"{question.kind} tour{question.constraints}"
    return Undecided(f"no {wanted} found in {tries}", "join", seed)


def _with_walks(
    question: Question, rows: list[list[int]], cover: Rows, rng: random.Random, budget: Budget
) -> Question | None:
    """The question with the moves of random walks instead of given steps; None if a walk is stuck."""
    n, given = question.board.size, list(question.given.items())
    free = [True] * n
    for _, cell in given:
        free[cell] = False
    (first_step, first), (last_step, last) = given[0], given[-1]
    legs = [Leg(t - s, "", a, b) for (s, a), (t, b) in pairwise(given)]
    if question.closed:
        legs.append(Leg(n - last_step + first_step, "", last, first))
    else:
        legs += [Leg(first_step - 1, "start", first, None), Leg(n - last_step, "end", last, None)]
    legs.sort(key=lambda leg: leg.moves)
    moves = set(question.required)
    ends: dict[str, int] = {}
    for leg in legs[:-1]:
        walk = _walk(leg, rows, cover, free, rng, budget)
        if walk is None:
            return None
        moves |= {(min(move), max(move)) for move in pairwise(walk)}
        ends[leg.role] = walk[-1]
    start = first if question.closed else ends.get("start")
    return replace(question, start=start, end=ends.get("end"), steps=(), required=tuple(sorted(moves)))


def _walk(
    leg: Leg, rows: list[list[int]], cover: Rows, free: list[bool], rng: random.Random, budget: Budget
) -> list[int] | None:
    """A random walk along a leg over free cells; None if none was found. Its cells are no longer free."""
    if leg.moves == 0:
        return [leg.first] if leg.last in {None, leg.first} else None
    distances: list[list[int]] | None = None
    if leg.last is not None:
        # Shortest walks with an even and with an odd number of moves; unreachable cells are far away.
        lengths = broad(cover, leg.last)[2].reshape(2, -1)
        distances = np.where(lengths < 0, len(rows) ** 2, lengths).tolist()
        budget.spend(STEPS_PER_CELL * len(rows))
    walk = [leg.first]

    def candidates(cell: int, moves: int) -> list[int]:
        """The cells to try after a cell with this number of moves left, best last."""
        if moves == 1 and leg.last is not None:
            return [leg.last] if leg.last in rows[cell] else []
        keys = [
            (sum(free[after] for after in rows[neighbour]), rng.random(), neighbour)
            for neighbour in rows[cell]
            if free[neighbour] and (distances is None or distances[(moves - 1) % 2][neighbour] < moves)
        ]
        return [neighbour for *_, neighbour in sorted(keys, reverse=True)]

    untried = [candidates(leg.first, leg.moves)]
    for _ in range(TRIES_PER_MOVE * leg.moves):
        budget.spend(STEPS_PER_CELL)
        if not untried[-1]:
            # Backtrack. The walk is stuck if not even its first cell remains.
            untried.pop()
            free[walk.pop()] = True
            if not walk:
                return None
            continue
        walk.append(untried[-1].pop())
        free[walk[-1]] = False
        if len(walk) > leg.moves:
            return walk
        untried.append(candidates(walk[-1], leg.moves - len(walk) + 1))
    return None
