"""Tours with cells at given steps or in a given order, for boards that are too large to branch on all steps.

The given cells cut a tour into *legs*. A try has three stages:

1. Short legs are walked at random, each with exactly the moves between its steps. Longer legs are walked on a
   shortest way. One leg is left open: the longest, or in an open tour those before the first and after the
   last given cell.
2. The tour must use the moves of these walks, and the engine `join` finds the rest: a tour that visits the
   given cells in the right order.
3. Pieces of a few cells are moved from leg to leg until each leg has its length, see `find.leg_lengths`.

If a stage fails, the next try makes other choices. Cells in a given order have no steps; a try places them
among the cells with steps at random.

A walk of exact length continues to a neighbour from which its end can still be reached on the empty board in
the remaining moves; for each cell, the shortest walks of both parities are known. Among these neighbours it
prefers one with few free neighbours, so that no cell becomes hard to reach (Warnsdorff's rule). A stuck walk
backtracks.
"""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.find.join import join
from cavalcade.find.leg_lengths import Targets, with_lengths
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
    """A part of the tour between consecutive anchors.

    Args:
        first: first cell; it may be the vertex for the ends of an open tour.
        last: last cell.
        moves: number of moves; None for a shortest way.
    """

    first: int
    last: int
    moves: int | None


def join_steps(question: Question, budget: Budget, *, seed: int = 0) -> Cells | Undecided:
    """Search for a tour with its cells at their steps and in order, on an undirected graph: an engine.

    There is at least one try. Time: linear in the moves that are walked, and the time of `join`. If much is
    given on a small board, most tries fail.
    """
    rng = random.Random(seed)  # noqa: S311 - games, not secrets
    graph = question.allowed
    rows, cover = [graph.neighbours(cell).tolist() for cell in range(graph.size)], walks(graph)
    is_two_coloured = broad(cover, 0)[2][graph.size] < 0
    for number in (tries := Tries(budget)):
        targets = _targets(question, rng)
        # Setting up a try takes 80 µs of processor time per anchor (measured with four anchors on a path),
        # even if its first walk fails at once.
        budget.spend(8 * STEPS_PER_CELL * len(targets.anchors))
        walked = _Walks(rows, cover, targets, rng, budget).of(question, _legs(targets, rng, graph.size))
        if walked is None:
            continue
        cells = join(walked, tries.part(per_round=4), seed=seed + number + 1)
        if isinstance(cells, Undecided):
            continue
        tour = with_lengths(question, cells, targets, budget, even=is_two_coloured, seed=seed + number)
        if tour is not None:
            return tour
    wanted = f"{question.kind} tour{question.constraints}"
    return Undecided(f"no {wanted} found in {tries}", "join", seed)


def _targets(question: Question, rng: random.Random) -> Targets:
    """Draw an order of all given cells, and return them with the lengths of the parts between given steps.

    In an open tour an extra vertex, whose number is the number of cells, comes before the first step and
    after the last one.
    """
    n, cell_at = question.board.size, dict(question.given)
    if not question.closed:
        cell_at[0] = n
    size = n + (not question.closed)
    step_of: dict[int, float] = {cell: step for step, cell in cell_at.items()}
    # Cells without a step get random steps, which rise between the steps of the cells before and after.
    fixed = [step_of.get(cell) for cell in question.through]
    for has_step, group in groupby(range(len(fixed)), key=lambda i: fixed[i] is not None):
        if not has_step:
            run = list(group)
            low = fixed[run[0] - 1] if run[0] else 1 if question.closed else 0
            high = fixed[run[-1] + 1] if run[-1] + 1 < len(fixed) else size
            assert low is not None and high is not None  # noqa: S101, PT018 - neighbours of a run have steps
            places = sorted(rng.uniform(low, high) for _ in run)
            step_of |= {question.through[i]: place for i, place in zip(run, places, strict=True)}
    anchors = sorted(step_of, key=step_of.__getitem__)
    steps = sorted(cell_at)
    lengths = [after - before for before, after in pairwise(steps)] + [size - steps[-1] + steps[0]]
    # A leg belongs to the part that begins at the last given step before it.
    parts = [(bisect(steps, step_of[anchor]) - 1) % len(steps) for anchor in anchors]
    return Targets(anchors, parts, lengths)


def _legs(
    targets: Targets, rng: random.Random, apex: int, short: tuple[int, ...] = (8, 24, 80)
) -> Iterator[Leg]:
    """Yield the legs to walk: legs of an exact number of moves first, short legs before long legs.

    Args:
        targets: the anchors and the lengths of the parts.
        rng: source of random choices.
        apex: the extra vertex of open tours.
        short: numbers of moves up to which a leg is walked with its exact length; each try draws one. Exact
            walks suit crowded boards, and shortest ways followed by a change of lengths suit long legs.
    """
    anchors, parts, lengths = targets
    exact = rng.choice(short)
    ends = zip(anchors, [*anchors[1:], anchors[0]], parts, strict=True)
    legs = [Leg(first, last, lengths[part]) for first, last, part in ends]
    moves = [lengths[part] for part in parts]
    # The legs that `join` completes: the long ones at the ends of an open tour, or else one of the longest.
    is_open = [count > exact and apex in leg[:2] for leg, count in zip(legs, moves, strict=True)]
    if not any(is_open):
        longest = [i for i, count in enumerate(moves) if count == max(moves)]
        is_open[rng.choice(longest)] = True
    counts = [parts.count(part) for part in range(len(lengths))]
    walked = [
        leg if lengths[part] <= exact and counts[part] == 1 else leg._replace(moves=None)
        for leg, part, skipped in zip(legs, parts, is_open, strict=True)
        if not skipped
    ]
    return iter(sorted(walked, key=lambda leg: apex * 2 if leg.moves is None else leg.moves))


class _Walks:
    """Random disjoint walks along legs.

    Args:
        rows: the neighbours of each cell.
        cover: the double cover of the graph, see `question.parts.walks`.
        targets: the anchors, which other walks avoid.
        rng: source of random choices.
        budget: pays for moves and distances.
    """

    def __init__(
        self, rows: list[list[int]], cover: Rows, targets: Targets, rng: random.Random, budget: Budget
    ) -> None:
        self.rows, self.cover, self.rng, self.budget = rows, cover, rng, budget
        self.free = [True] * len(rows)
        self.anchors = set(targets.anchors)
        for cell in self.anchors - {len(rows)}:
            self.free[cell] = False

    def of(self, question: Question, legs: Iterator[Leg]) -> Question | None:
        """Return the question with the moves of walks instead of given steps; None if a walk is stuck."""
        apex = question.board.size
        moves, ends = set(question.required), {}
        for leg in legs:
            if leg.last == apex or leg.first == apex:
                first, role = (leg.first, "end") if leg.last == apex else (leg.last, "start")
                walk = self._walk(first, None, (leg.moves or 1) - 1)
                if walk is not None:
                    ends[role] = walk[-1]
            elif leg.moves is None:
                walk = self._way(leg.first, leg.last)
            else:
                walk = self._walk(leg.first, leg.last, leg.moves)
            if walk is None:
                return None
            moves |= {(min(move), max(move)) for move in pairwise(walk)}
        start = question.start if question.closed else ends.get("start")
        return replace(
            question, start=start, end=ends.get("end"), steps=(), through=(), required=tuple(sorted(moves))
        )

    def _way(self, first: int, last: int) -> list[int] | None:
        """Walk a shortest way over free cells, a random one; None if there is none.

        It keeps off cells with a neighbour that has only two moves, unless there is no other way.
        """
        rows, rng = self.rows, self.rng
        begin, finish = self._corner(first), self._corner(last)
        if len({*begin, *finish}) < len(begin) + len(finish):
            finish = [last]
        for spared in (2, 0):
            parent, front = dict(zip(begin, [-1, *begin], strict=False)), begin[-1:]
            last = finish[-1]
            while front and last not in parent:
                rng.shuffle(front)
                reached = []
                for cell in front:
                    for neighbour in rows[cell]:
                        if neighbour in parent or not (self.free[neighbour] or neighbour == last):
                            continue
                        if neighbour != last and min(len(rows[after]) for after in rows[neighbour]) <= spared:
                            continue
                        parent[neighbour] = cell
                        reached.append(neighbour)
                front = reached
            self.budget.spend(STEPS_PER_CELL * len(parent) // 10)
            if last in parent:
                way = finish.copy()
                while way[-1] != first:
                    way.append(parent[way[-1]])
                for cell in way[1:-1]:
                    self.free[cell] = False
                return way[::-1]
        return None

    def _corner(self, cell: int) -> list[int]:
        """Return the cell, and at random the way over a neighbour that has only two moves.

        A tour uses both moves of that neighbour, so one of the two legs at the cell goes over it.
        """
        for corner in self.rows[cell]:
            if len(self.rows[corner]) == 2 and self.free[corner] and self.rng.random() < 1 / 2:
                (behind,) = set(self.rows[corner]) - {cell}
                if self.free[behind]:
                    return [cell, corner, behind]
        return [cell]

    def _walk(self, first: int, last: int | None, moves: int) -> list[int] | None:
        """Walk a number of moves over free cells at random, to the last cell or, without one, anywhere.

        Returns:
            The cells of the walk, which are no longer free; None if none was found.
        """
        rows, free, rng = self.rows, self.free, self.rng
        if moves == 0:
            return [first] if last in {None, first} else None
        distances: list[list[int]] | None = None
        if last is not None:
            # Shortest walks with an even and with an odd number of moves; unreachable cells are far away.
            lengths = broad(self.cover, last)[2].reshape(2, -1)
            distances = np.where(lengths < 0, len(rows) ** 2, lengths).tolist()
            self.budget.spend(STEPS_PER_CELL * len(rows))
        walk = [first]

        def candidates(cell: int, moves: int) -> list[int]:
            """The cells to try after a cell with this number of moves left, best last."""
            if moves == 1 and last is not None:
                return [last] if last in rows[cell] else []
            keys = [
                (sum(free[after] for after in rows[neighbour]), rng.random(), neighbour)
                for neighbour in rows[cell]
                if free[neighbour] and (distances is None or distances[(moves - 1) % 2][neighbour] < moves)
            ]
            return [neighbour for *_, neighbour in sorted(keys, reverse=True)]

        untried = [candidates(first, moves)]
        for _ in range(TRIES_PER_MOVE * moves):
            self.budget.spend(STEPS_PER_CELL)
            if not untried[-1]:
                # Backtrack. The walk is stuck if not even its first cell remains.
                untried.pop()
                free[walk.pop()] = True
                if not walk:
                    return None
                continue
            walk.append(untried[-1].pop())
            free[walk[-1]] = False
            if len(walk) > moves:
                return walk
            untried.append(candidates(walk[-1], moves - len(walk) + 1))
        return None
