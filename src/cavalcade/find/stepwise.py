"""Tours with given cells at given steps, on boards that are too large to try every way.

All but the longest way between given cells is walked at random, each in exactly as many moves as are wanted;
the walks become moves that the tour has to make, and the engine `join` finds the rest. What fails begins
again, with other walks.

A walk goes on to a neighbour from which the rest of its moves can still lead to its end, as far as the board
alone decides (walks of either parity are known for every cell); of these to one with few free neighbours, so
that it leaves no cell behind that is hard to reach (Warnsdorff's rule). It goes back where it is stuck.
"""

from __future__ import annotations

import math
import random
import time
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from cavalcade.answers.verdict import Undecided
from cavalcade.find.join import join

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cavalcade.question.question import Question

    Rows = list[list[int]]
    # which end of the tour it leads to, if any, from a cell, to another or anywhere, in so many moves
    Way = tuple[str, int, int | None, int]

TRIES_PER_MOVE = 30  # steps forward or back, for each move of a walk, before it begins again
FIRST = 0.1  # seconds for the first try to join the rest; then twice as many, and so on


def join_steps(
    question: Question, *, seed: int = 0, time_limit: float = 10.0, until: float = math.inf
) -> NDArray[np.int32] | Undecided:
    """Look for a tour with its cells at their steps.

    Args:
        question: the question, with steps, on moves that go both ways.
        seed: of the random choices.
        time_limit: seconds after which no new try begins.
        until: the moment, of `time.perf_counter`, when a try that has begun breaks off, too.

    Returns:
        The cells of a tour, in order, or why there is none.

    Time: linear in the moves that are walked, and that of `join`; where much is given, mostly in vain.
    """
    began = time.perf_counter()
    chance = random.Random(seed)  # noqa: S311 - games, not secrets
    graph = question.allowed
    rows = [graph.neighbours(cell).tolist() for cell in range(graph.size)]
    tries = 0
    while not tries or time.perf_counter() < min(began + time_limit, until):
        left = began + time_limit - time.perf_counter()
        patience = min(FIRST * 2 ** min(tries // 4, 20), max(left, 0))
        tries += 1
        walked = _walked(question, rows, chance)
        if walked is None:
            continue
        answer = join(walked, seed=seed + tries, time_limit=patience, until=until)
        if not isinstance(answer, Undecided):
            return answer
    many = "1 try" if tries == 1 else f"{tries:,} tries"
    seconds = time.perf_counter() - began
    reason = f"no {question.kind} tour{question.constraints} found in {many} ({time_limit:.3g} s)"
    return Undecided(reason, "join", seed, seconds)


def _walked(question: Question, rows: Rows, chance: random.Random) -> Question | None:
    """The question whose required moves are walks between given cells; None if some walk got stuck."""
    n, given = question.board.size, list(question.given.items())
    free = [True] * n
    for _, cell in given:
        free[cell] = False
    (first, begin), (last, end) = given[0], given[-1]
    ways: list[Way] = [("", a, b, t - s) for (s, a), (t, b) in pairwise(given)]
    if question.closed:
        ways.append(("", end, begin, n - last + first))
    else:
        ways += [("start", begin, None, first - 1), ("end", end, None, n - last)]
    ways.sort(key=lambda way: way[3])
    moves = set(question.required)
    ends: dict[str, int] = {}
    for role, a, b, count in ways[:-1]:
        walk = _walk(rows, free, a, b, count, chance)
        if walk is None:
            return None
        moves |= {(min(move), max(move)) for move in pairwise(walk)}
        for cell in walk:
            free[cell] = False
        ends[role] = walk[-1]
    start = begin if question.closed else ends.get("start")
    return replace(question, start=start, end=ends.get("end"), steps=(), required=tuple(sorted(moves)))


def _walk(
    rows: Rows, free: list[bool], a: int, b: int | None, count: int, chance: random.Random
) -> list[int] | None:
    """A walk of so many moves over free cells from a to b, or to any free cell; None if none was found."""
    if count == 0:
        return [a] if b in {None, a} else None
    far = None if b is None else _distances(rows, b)
    walk, taken = [a], {a}
    untried = [_onward(rows, free, taken, a, b, count, far, chance)]
    for _ in range(TRIES_PER_MOVE * count + 100):
        if not untried[-1]:
            untried.pop()
            taken.discard(walk.pop())
            if not walk:
                return None
            continue
        cell = untried[-1].pop()
        walk.append(cell)
        taken.add(cell)
        left = count - len(walk) + 1
        if left == 0:
            return walk
        untried.append(_onward(rows, free, taken, cell, b, left, far, chance))
    return None


def _onward(
    rows: Rows,
    free: list[bool],
    taken: set[int],
    cell: int,
    b: int | None,
    left: int,
    far: list[list[int]] | None,
    chance: random.Random,
) -> list[int]:
    """Where to go from a cell with so many moves left, the best last."""
    found = []
    for other in rows[cell]:
        if left == 1 and b is not None:
            if other == b:
                return [b]
            continue
        if not free[other] or other in taken:
            continue
        if far is not None and far[(left - 1) % 2][other] > left - 1:
            continue
        onward = sum(free[next_] and next_ not in taken for next_ in rows[other])
        found.append((onward, chance.random(), other))
    found.sort(reverse=True)
    return [other for *_, other in found]


def _distances(rows: Rows, b: int) -> list[list[int]]:
    """The least number of moves from each cell to b, even and odd ones apart."""
    far = [[len(rows) * 2] * len(rows) for _ in range(2)]
    far[0][b] = 0
    front, moves = [(b, 0)], 0
    while front:
        moves += 1
        after = []
        for cell, parity in front:
            for other in rows[cell]:
                if far[1 - parity][other] > moves:
                    far[1 - parity][other] = moves
                    after.append((other, 1 - parity))
        front = after
    return far
