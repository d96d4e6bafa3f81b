"""Tours with given cells at given steps, on boards that are too large to try all numberings.

All but the longest leg between given cells are walked at random, each in exactly the moves between its steps;
the tour must use the moves of these walks, and the engine `join` finds the rest. What fails begins again,
with other walks.

A walk continues to a neighbour from which its remaining moves can still lead to its end on the empty board
(the shortest walks of either parity are known for every cell). Of these neighbours it prefers one with few
free neighbours, so that no cell is left that is hard to reach (Warnsdorff's rule). If it is stuck, it
backtracks.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.find.join import join
from cavalcade.find.tiers import Tries
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Cells
from cavalcade.question.parts import Rows, broad, walks
from cavalcade.question.question import Question

Lists = list[list[int]]
# which end of the tour it leads to, if any, from a cell, to another or anywhere, in so many moves
Leg = tuple[str, int, int | None, int]

TRIES_PER_MOVE, TRIES_BESIDES = 30, 100  # steps forward or back before a walk is given up
WALK_STEPS = 2_000  # for a step of a walk: 20 µs
DISTANCE_STEPS = 100  # for each entry of the graph, to find all distances from a cell
FIRST_TRY = 10_000_000  # steps of the first four tries to join the rest; then twice as many, and so on


def join_steps(question: Question, budget: Budget, *, seed: int = 0) -> Cells | Undecided:
    """Look for a tour with its cells at their steps, on moves that go both ways: an engine.

    It tries once at least. Time: linear in the moves that are walked, and that of `join`; where much is
    given, mostly in vain.
    """
    chance = random.Random(seed)  # noqa: S311 - games, not secrets
    graph = question.allowed
    rows, cover = [graph.neighbours(cell).tolist() for cell in range(graph.size)], walks(graph)
    for number in (tries := Tries(budget)):
        work = FIRST_TRY * 2 ** min(number // 4, 20)
        walked = _walked(question, rows, cover, chance, budget)
        if walked is None:
            continue
        answer = join(walked, budget.part(work), seed=seed + number + 1)
        if not isinstance(answer, Undecided):
            return answer
    wanted = f"{question.kind} tour{question.constraints}"
    return Undecided(f"no {wanted} found in {tries}", "join", seed)


def _walked(
    question: Question, rows: Lists, cover: Rows, chance: random.Random, budget: Budget
) -> Question | None:
    """The question whose required moves are walks between given cells; None if some walk got stuck."""
    n, given = question.board.size, list(question.given.items())
    free = [True] * n
    for _, cell in given:
        free[cell] = False
    (first, begin), (last, end) = given[0], given[-1]
    legs: list[Leg] = [("", a, b, t - s) for (s, a), (t, b) in pairwise(given)]
    if question.closed:
        legs.append(("", end, begin, n - last + first))
    else:
        legs += [("start", begin, None, first - 1), ("end", end, None, n - last)]
    legs.sort(key=lambda leg: leg[3])
    moves = set(question.required)
    ends: dict[str, int] = {}
    for role, a, b, count in legs[:-1]:
        walk = _walk(rows, cover, free, a, b, count, chance, budget)
        if walk is None:
            return None
        moves |= {(min(move), max(move)) for move in pairwise(walk)}
        ends[role] = walk[-1]
    start = begin if question.closed else ends.get("start")
    return replace(question, start=start, end=ends.get("end"), steps=(), required=tuple(sorted(moves)))


def _walk(
    rows: Lists,
    cover: Rows,
    free: list[bool],
    a: int,
    b: int | None,
    count: int,
    chance: random.Random,
    budget: Budget,
) -> list[int] | None:
    """A walk of so many moves over free cells from a to b, or to any free cell; None if none was found.

    Its cells are free no more.
    """
    if count == 0:
        return [a] if b in {None, a} else None
    far: list[list[int]] | None = None
    if b is not None:
        moves = broad(cover, b)[2].reshape(2, -1)
        far = np.where(moves < 0, len(rows) ** 2, moves).tolist()
    budget.spend(DISTANCE_STEPS * sum(map(len, rows)))
    walk = [a]

    def onward(cell: int, left: int) -> list[int]:
        """Where to go from a cell with so many moves left, the best last."""
        if left == 1 and b is not None:
            return [b] if b in rows[cell] else []
        found = [
            (sum(free[after] for after in rows[other]), chance.random(), other)
            for other in rows[cell]
            if free[other] and (far is None or far[(left - 1) % 2][other] < left)
        ]
        return [other for *_, other in sorted(found, reverse=True)]

    untried = [onward(a, count)]
    for _ in range(TRIES_PER_MOVE * count + TRIES_BESIDES):
        budget.spend(WALK_STEPS)
        if not untried[-1]:
            untried.pop()
            free[walk.pop()] = True
            if not walk:
                return None
            continue
        walk.append(untried[-1].pop())
        free[walk[-1]] = False
        if len(walk) > count:
            return walk
        untried.append(onward(walk[-1], count - len(walk) + 1))
    return None
