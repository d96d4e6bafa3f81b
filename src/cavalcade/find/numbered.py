"""All tours with given cells at given steps or in a given order, by propagation and branching.

The rules of `find.domains` remove steps from the domains of cells. When they stop, the search takes the step
with the fewest cells, or the cell with the fewest steps, and branches: depth first, first with its first
value, then without it. Each solution is found once. Hidato puzzles are solved in this way, and the number of
their solutions is exact if the search is complete.

Time: a puzzle of 8x8 with a third of its numbers 30 ms interpreted, 1.5 ms compiled; exponential if few
numbers are given. Memory: n²/8 + 16m bytes for each of at most n guesses, with n cells and m edges.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

import numpy as np

from cavalcade.answers.puzzles import Solutions
from cavalcade.answers.verdict import Undecided
from cavalcade.find.domains import (
    COUNTER,
    LEVELS,
    Domains,
    initial_domains,
    is_fixed,
    look_work,
    propagate,
    push_around,
)
from cavalcade.find.tiers import in_tiers, steps_per_call
from cavalcade.ground.budget import Budget
from cavalcade.ground.errors import CavalcadeError, CellError
from cavalcade.ground.kernels import Cells, Tier, Vector
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question

UNPROVED = "every tour was tried, and none fits; but there is no proof of it that can be checked"


def numbered(
    graph: MoveGraph,
    given: Mapping[int, int],
    budget: Budget | None = None,
    *,
    closed: bool,
    most: int | None = None,
    seed: int = 0,
    most_guesses: float = math.inf,
    required: Iterable[tuple[int, int]] = (),
    through: Iterable[int] = (),
    compiled: bool | None = None,
) -> Solutions:
    """All tours with given cells at given steps, as sequences of cells.

    A tour and its reverse are two solutions. So are two rotations of a closed tour, if both have the given
    steps. When the budget or the time limit is reached, the solutions found so far are returned.

    Args:
        graph: the move graph, n cells.
        given: cell of each given step, from 1 to n.
        budget: counted work; None for unlimited work.
        closed: whether the cell of step n must be next to the cell of step 1.
        most: greatest number of solutions; None for all.
        seed: seed of the order in which solutions are found.
        most_guesses: number of guesses after which the search stops.
        required: moves that the tours must use, in either direction.
        through: cells whose steps must rise in this order; a closed tour with such cells needs a given step.
        compiled: tier of the kernels; None to decide by the work.

    Raises:
        CavalcadeError: a step outside 1 to n, an unknown cell, or a cell with two steps.
        TooLargeError: the search does not fit into memory.
    """
    n = graph.size
    _assert_given(graph, given)
    if n == 1:
        return Solutions(np.zeros((1, 1), dtype=np.int32)[:most], complete=most != 0, guesses=0, depth=0)
    # Without given steps, closed tours are searched from cell 0 and then rotated.
    rotations = n if closed and not given else 1
    limit = None if most is None else -(-most // rotations)
    order = np.random.default_rng(abs(seed)).permutation(n) if seed else np.arange(n)

    def search(tier: Tier, budget: Budget) -> Solutions:
        start = {1: 0} if rotations > 1 else given
        domains = initial_domains(
            graph, start, tier, order, closed=closed, required=required, through=through
        )
        # n solutions take less memory than the copies for n guesses.
        capacity = n if limit is None else min(limit, n)
        batches: list[Cells] = []
        total = 0
        with suppress(TimeoutError):
            for batch in _batches(domains, tier, budget, capacity, most_guesses):
                batches.append(order[batch].astype(np.int32))
                total += len(batch)
                if limit is not None and total >= limit:
                    break
        tours, counters = np.concatenate(batches or [np.zeros((0, n), dtype=np.int32)]), domains.counters
        complete = bool(counters[COUNTER.DONE]) and (limit is None or total <= limit)
        return Solutions(
            tours[:limit], complete, int(counters[COUNTER.GUESSES]), int(counters[COUNTER.DEEPEST])
        )

    # One solution takes up to n guesses, and each guess examines most cells.
    answer = in_tiers(search, budget or Budget(), n * n * look_work(graph), compiled=compiled)
    tours = answer.tours
    if rotations > 1:
        tours = tours[:, (np.arange(n)[:, None] + np.arange(n)) % n].reshape(-1, n)
    is_cut = most is not None and len(tours) > most
    return answer._replace(tours=tours[:most], complete=answer.complete and not is_cut)


def first_numbered(question: Question, budget: Budget, *, seed: int = 0) -> Cells | Undecided:
    """Search for the first tour with its cells at their steps, on an undirected graph: an engine."""
    solutions = numbered(
        question.allowed, question.given, budget, closed=question.closed, most=1, seed=seed,
        required=question.required, through=question.through,
    )  # fmt: skip
    if len(solutions.tours):
        cells: Cells = solutions.tours[0]
        return cells
    return Undecided(UNPROVED if solutions.complete else "not all numberings were tried", "numbered", seed)


def guess_depth(
    graph: MoveGraph,
    given: Mapping[int, int],
    *,
    closed: bool,
    required: Iterable[tuple[int, int]] = (),
    through: Iterable[int] = (),
    compiled: bool | None = None,
) -> int:
    """The depth of guesses that solves a puzzle with one solution and at least three cells.

    Returns:
        0 if the rules of `find.domains` solve the puzzle. 1 if they solve it when each value that they refute
        in one guess is excluded, until no such value is left. 2 otherwise.

    Time: 8x8 up to 50 ms interpreted, 3 ms compiled.
    """
    tier = Tier(2.0 * graph.size**2 * len(given), compiled=compiled)
    order = np.arange(graph.size)
    domains = initial_domains(graph, given, tier, order, closed=closed, required=required, through=through)
    return int(tier(_probe)(domains))


def numbered_tours(
    graph: MoveGraph,
    given: Mapping[int, int],
    *,
    closed: bool,
    required: Iterable[tuple[int, int]] = (),
    through: Iterable[int] = (),
) -> Iterator[Cells]:
    """Yield the solutions of `numbered` one by one, without storing them; closed tours need a given step.

    Counting uses no other function of this engine.
    """
    _assert_given(graph, given)
    if graph.size < 3:
        yield from numbered(graph, given, closed=closed, required=required, through=through).tours
        return
    tier = Tier(0, compiled=True)
    order = np.arange(graph.size)
    domains = initial_domains(graph, given, tier, order, closed=closed, required=required, through=through)
    for batch in _batches(domains, tier, Budget(), graph.size, math.inf):
        yield from batch


def _assert_given(graph: MoveGraph, given: Mapping[int, int]) -> None:
    """Raise an error if steps or cells are out of range, or if a cell has two steps."""
    step_of: dict[int, int] = {}
    for step, cell in given.items():
        if not 1 <= step <= graph.size:
            raise CavalcadeError(f"{step} is not a step, expected 1 to {graph.size}")
        if not 0 <= cell < graph.size:
            raise CellError(f"{cell} is not a cell, expected 0 to {graph.size - 1}")
        if cell in step_of:
            raise CavalcadeError(f"cell {cell} is given two steps, {step_of[cell]} and {step}")
        step_of[cell] = step


def _batches(
    domains: Domains, tier: Tier, budget: Budget, capacity: int, most_guesses: float
) -> Iterator[Cells]:
    """Yield all solutions in batches, shape (k, n), until the budget is spent; a batch may be empty.

    Cells have the numbers of the search, see `order` in `initial_domains`.
    """
    n, counters = len(domains.is_queued), domains.counters
    solutions, is_over = tier.full(capacity * n), False
    while not is_over and not counters[COUNTER.DONE] and counters[COUNTER.GUESSES] < most_guesses:
        guesses = int(min(most_guesses - counters[COUNTER.GUESSES], 2**31))
        before = int(counters[COUNTER.WORK])
        stop = before + int(min(budget.left, steps_per_call(tier)))
        count = tier(_search)(domains, guesses, stop, solutions, capacity)
        yield np.array(solutions[: count * n], dtype=np.int32).reshape(-1, n)
        is_over = not budget.spend(int(counters[COUNTER.WORK]) - before)


# ---- kernels


def _search(domains: Domains, guesses: int, stop: int, solutions: Vector, capacity: int) -> int:
    """Continue the search; returns the number of solutions found.

    Args:
        domains: the state of the search.
        guesses: greatest number of guesses.
        stop: counted work at which the call ends.
        solutions: output, n cells per solution in the order of the steps.
        capacity: greatest number of solutions.
    """
    counters, n = domains.counters, len(domains.is_queued)
    count = 0
    while count < capacity and guesses > 0 and counters[COUNTER.WORK] < stop:
        if propagate(domains, stop):
            if counters[COUNTER.QUEUE_LENGTH] > 0:
                break  # the work is spent before the rules have finished
            branch = _choose(domains)
            if branch >= 0:
                # Save the state, and try the value.
                guesses -= 1
                counters[COUNTER.WORK] += n * domains.look_work
                depth = counters[COUNTER.DEPTH]
                _save(domains, depth)
                domains.guessed[depth] = branch
                counters[COUNTER.DEPTH] = depth + 1
                counters[COUNTER.GUESSES] += 1
                counters[COUNTER.DEEPEST] = max(counters[COUNTER.DEEPEST], depth + 1)
                _assign(domains, branch // n, branch % n)
                continue
            for cell in range(n):
                solutions[count * n + _first_step(domains, cell)] = cell
            count += 1
        # Backtrack: exclude the value of the last guess.
        if counters[COUNTER.DEPTH] == 0:
            counters[COUNTER.DONE] = 1
            break
        counters[COUNTER.DEPTH] -= 1
        depth = counters[COUNTER.DEPTH]
        _restore(domains, depth)
        _exclude(domains, domains.guessed[depth] // n, domains.guessed[depth] % n)
    return count


def _probe(domains: Domains) -> int:
    """Exclude all values that one guess refutes, as long as there are any; see `guess_depth`."""
    bits, words, n = domains.steps.bits, len(domains.full), len(domains.is_queued)
    value = unrefuted = depth = 0
    is_trying = False
    while True:
        # One call serves both cases, because numba inlines this large function wherever it is called.
        is_consistent = propagate(domains, 1 << 62)
        if is_trying:
            is_trying = False
            _restore(domains, 0)
            if not is_consistent:
                depth, unrefuted = 1, 0
                _exclude(domains, value // n, value % n)
                continue
        elif not is_consistent or _choose(domains) < 0:
            return depth
        # Find the next value, as cell * n + step, of a cell that is not fixed.
        while not is_trying:
            value = (value + 1) % (n * n)
            unrefuted += 1
            if unrefuted > n * n:
                return 2
            cell, step = value // n, value % n
            has_step = domains.sets[cell * words + step // bits] >> step % bits & 1 == 1
            is_trying = has_step and not is_fixed(domains, cell)
        _save(domains, 0)
        _assign(domains, value // n, value % n)


def _first_step(domains: Domains, cell: int) -> int:
    """The first step, from 0, that a cell can have."""
    begin, step = cell * len(domains.full), 0
    while not domains.sets[begin + step // domains.steps.bits] >> step % domains.steps.bits & 1:
        step += 1
    return step


def _choose(domains: Domains) -> int:
    """The value to branch on, as cell * n + step from 0; -1 if every cell has one step."""
    sets, levels, bits = domains.sets, domains.scratch, domains.steps.bits
    words, n = len(domains.full), len(domains.is_queued)
    fewest, best_cell = n + 1, -1
    # Level k is the set of steps that more than k cells can have.
    for w in range(LEVELS * words):
        levels[w] = 0
    for cell in range(n):
        count = 0
        for w in range(words):
            word = sets[cell * words + w]
            for k in range((LEVELS - 1) * words + w, w, -words):
                levels[k] |= levels[k - words] & word
            levels[w] |= word
            # Count the steps of the cell: each round clears the lowest bit.
            while word and count < fewest:
                word &= word - 1
                count += 1
        if 1 < count < fewest:
            fewest, best_cell = count, cell
    if best_cell < 0:
        return -1
    # Prefer a step that fewer cells can have than the best cell has steps.
    for k in range(1, min(LEVELS - 1, fewest)):
        for w in range(words):
            word = levels[k * words + w] & ~levels[(k + 1) * words + w]
            if word:
                bit = 0
                while not word >> bit & 1:
                    bit += 1
                for cell in range(n):
                    if sets[cell * words + w] >> bit & 1:
                        return cell * n + w * bits + bit
    return best_cell * n + _first_step(domains, best_cell)


def _save(domains: Domains, depth: int) -> None:
    """Save domains and edges before the guess at a depth."""
    size = len(domains.sets)
    begin = depth * (size + len(domains.edges))
    domains.saved[begin : begin + size] = domains.sets
    domains.saved[begin + size : begin + size + len(domains.edges)] = domains.edges


def _restore(domains: Domains, depth: int) -> None:
    """Restore the domains and edges before the guess at a depth, and clear the queue."""
    counters = domains.counters
    while counters[COUNTER.QUEUE_LENGTH] > 0:
        counters[COUNTER.QUEUE_LENGTH] -= 1
        end = counters[COUNTER.QUEUE_HEAD] + counters[COUNTER.QUEUE_LENGTH]
        domains.is_queued[domains.queue[end % len(domains.queue)]] = 0
    size = len(domains.sets)
    begin = depth * (size + len(domains.edges))
    domains.sets[:] = domains.saved[begin : begin + size]
    domains.edges[:] = domains.saved[begin + size : begin + size + len(domains.edges)]


def _assign(domains: Domains, cell: int, step: int) -> None:
    """Fix a cell to a step."""
    words, bits = len(domains.full), domains.steps.bits
    for w in range(words):
        domains.sets[cell * words + w] = 1 << step % bits if w == step // bits else 0
    push_around(domains, cell)


def _exclude(domains: Domains, cell: int, step: int) -> None:
    """Remove a step from the domain of a cell."""
    domains.sets[cell * len(domains.full) + step // domains.steps.bits] &= ~(1 << step % domains.steps.bits)
    push_around(domains, cell)
