"""Tours with given cells at given steps: every one, by propagation and branching.

The rules of `find.domains` leave every cell the steps that it may still have. Where they stop, the step
with the fewest cells, or the cell with the fewest steps, is tried with its first value, and without it:
depth first, so that all solutions are found once. Hidato puzzles are solved so, and the number of their
solutions is exact when the search is complete.

Time: a puzzle of 8x8 with a third of its numbers 30 ms interpreted, 1.5 ms compiled; exponential where
little is given. Memory: n²/8 + 16m bytes a guess, n cells and m edges, and room for n guesses.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

import numpy as np

from cavalcade.answers.puzzles import Solutions
from cavalcade.answers.verdict import Undecided
from cavalcade.find.domains import (
    DEEPEST,
    DEPTH,
    DONE,
    GUESSES,
    HEAD,
    LEVELS,
    PER_GUESS,
    WAITING,
    WORK,
    Domains,
    domains,
    propagate,
    push_around,
    single,
)
from cavalcade.find.tiers import in_tiers, steps_per_call
from cavalcade.ground.budget import Budget, assert_time
from cavalcade.ground.errors import CavalcadeError, CellError
from cavalcade.ground.kernels import Cells, Tier, Vector
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question

FIRST_STEPS = 100  # for each cell and step, to choose the tier: boards of 123 cells are compiled at once
SOLUTIONS_PER_CALL = 256  # of a kernel
UNPROVED = "every tour was tried, and none fits; but there is no proof of it that can be checked"
SECONDS_A_PAIR = 5e-8  # of a cell and a step, for the first propagation


def _first(known: Domains, c: int) -> int:
    """The first step that a cell may have, from 0."""
    at, t = c * len(known.full), 0
    while not known.sets[at + t // known.bits] >> t % known.bits & 1:
        t += 1
    return t


def _choose(known: Domains) -> int:
    """The cell and step to try, as cell * n + step; -1 if every cell has one step."""
    sets, spare, bits = known.sets, known.spare, known.bits
    words, n = len(known.full), len(known.queued)
    fewest, cell = n + 1, -1
    for w in range(LEVELS * words):
        spare[w] = 0
    for c in range(n):
        count = 0
        for w in range(words):
            word = sets[c * words + w]
            for k in range((LEVELS - 1) * words + w, w, -words):
                spare[k] |= spare[k - words] & word
            spare[w] |= word
            while word and count < fewest:
                word &= word - 1
                count += 1
        if 1 < count < fewest:
            fewest, cell = count, c
    if cell < 0:
        return -1
    for k in range(1, min(LEVELS - 1, fewest)):  # steps with k + 1 cells
        for w in range(words):
            word = spare[k * words + w] & ~spare[(k + 1) * words + w]
            if word:
                b = 0
                while not word >> b & 1:
                    b += 1
                for c in range(n):
                    if sets[c * words + w] >> b & 1:
                        return c * n + w * bits + b
    return cell * n + _first(known, cell)


def _keep(known: Domains, depth: int) -> None:
    """Save what is known, in the place of this depth."""
    middle = depth * (len(known.sets) + len(known.edges)) + len(known.sets)
    known.saved[middle - len(known.sets) : middle] = known.sets
    known.saved[middle : middle + len(known.edges)] = known.edges


def _back(known: Domains, depth: int) -> None:
    """Know again what was saved there."""
    while known.marks[WAITING]:
        known.marks[WAITING] -= 1
        known.queued[known.queue[(known.marks[HEAD] + known.marks[WAITING]) % len(known.queue)]] = 0
    middle = depth * (len(known.sets) + len(known.edges)) + len(known.sets)
    known.sets[:] = known.saved[middle - len(known.sets) : middle]
    known.edges[:] = known.saved[middle : middle + len(known.edges)]


def _guess(known: Domains, c: int, t: int) -> None:
    """Give a cell this step."""
    words, bits = len(known.full), known.bits
    for w in range(words):
        known.sets[c * words + w] = 1 << t % bits if w == t // bits else 0
    push_around(known, c)


def _exclude(known: Domains, c: int, t: int) -> None:
    """Take this step from a cell."""
    known.sets[c * len(known.full) + t // known.bits] &= ~(1 << t % known.bits)
    push_around(known, c)


def _search(known: Domains, guesses: int, steps: int, found: Vector, room: int) -> int:
    """Continue the search for so many guesses and steps at most; returns how many solutions were found.

    Their cells, n each in the order of the steps, are in `found`, which has room for `room` solutions.
    """
    marks, n = known.marks, len(known.queued)
    count, end = 0, marks[WORK] + steps
    while count < room and guesses > 0 and marks[WORK] < end:
        if propagate(known):
            pick = _choose(known)
            if pick >= 0:
                guesses -= 1
                marks[WORK] += marks[PER_GUESS]
                _keep(known, marks[DEPTH])
                known.guessed[marks[DEPTH]] = pick
                marks[DEPTH] += 1
                marks[GUESSES] += 1
                marks[DEEPEST] = max(marks[DEEPEST], marks[DEPTH])
                _guess(known, pick // n, pick % n)
                continue
            for c in range(n):
                found[count * n + _first(known, c)] = c
            count += 1
        if marks[DEPTH] == 0:
            marks[DONE] = 1
            break
        marks[DEPTH] -= 1
        _back(known, marks[DEPTH])
        pick = known.guessed[marks[DEPTH]]
        _exclude(known, pick // n, pick % n)
    return count


def _probe(known: Domains) -> int:
    """Exclude all values that the rules refute at once, as long as there are any.

    Returns 0 if the rules alone leave every cell one step, 1 if that takes such values, 2 if they do not do.
    """
    bits, words, n = known.bits, len(known.full), len(known.queued)
    at = quiet = excluded = 0
    trying = False
    while True:
        fine = propagate(known)  # in one place: it is large, and compiled wherever it stands
        if trying:
            trying = False
            _back(known, 0)
            if not fine:
                excluded, quiet = 1, 0
                _exclude(known, at // n, at % n)
                continue
        elif not fine or _choose(known) < 0:
            return excluded
        while not trying:
            at = (at + 1) % (n * n)
            quiet += 1
            if quiet > n * n:
                return 2
            c, t = at // n, at % n
            trying = known.sets[c * words + t // bits] >> t % bits & 1 == 1 and not single(known, c)
        _keep(known, 0)
        _guess(known, at // n, at % n)


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
    compiled: bool | None = None,
) -> Solutions:
    """All tours with these cells at these steps, as sequences of cells.

    A tour and its reverse are two solutions, and so are closed tours that start elsewhere, where the given
    steps allow it. What was found before the budget or the time limit was reached is returned.

    Args:
        graph: the move graph, n cells.
        given: step, from 1 to n, to cell.
        budget: counted work; None for no limit but the clock's.
        closed: the cell of step n is next to that of step 1.
        most: stop after so many solutions; None for all.
        seed: another seed, another order in which solutions are found.
        most_guesses: stop after so many guesses.
        required: moves that the tours must use, in either direction.
        compiled: choose the tier of the kernels; None lets the work decide.

    Raises:
        CavalcadeError: a step outside 1 to n, a cell that is none, or a cell with two steps.
        TooLargeError: the board is too large for this machine's memory.
    """
    n = graph.size
    _assert_given(graph, given)
    if n < 3:
        steps = [[0], [0, 1], [1, 0]] if n < 2 or (not closed and graph.edge_count) else []
        fits = [one for one in steps if len(one) == n and all(one[t - 1] == c for t, c in given.items())]
        tours = np.array(fits[:most], dtype=np.int32).reshape(-1, n)
        return Solutions(tours, len(tours) == len(fits), guesses=0, depth=0)
    turns = n if closed and not given else 1
    wanted = None if most is None else -(-most // turns)
    order = np.random.default_rng(abs(seed)).permutation(n) if seed else np.arange(n)

    def search(tier: Tier, budget: Budget) -> Solutions:
        begun = {1: 0} if turns > 1 else given
        known = domains(graph, begun, tier, order, closed=closed, required=required)
        room = SOLUTIONS_PER_CALL if wanted is None else min(wanted, SOLUTIONS_PER_CALL)
        tours: list[Cells] = []
        total = 0
        with suppress(TimeoutError):
            for some in _batches(known, tier, budget, room, most_guesses):
                tours.append(order[some].astype(np.int32))
                total += len(some)
                if wanted is not None and total >= wanted:
                    break
        every, marks = np.concatenate(tours or [np.zeros((0, n), dtype=np.int32)]), known.marks
        done = bool(marks[DONE]) and (wanted is None or total <= wanted)
        return Solutions(every[:wanted], done, int(marks[GUESSES]), int(marks[DEEPEST]))

    answer = in_tiers(search, budget or Budget(), FIRST_STEPS * n * n, compiled=compiled)
    tours = answer.tours
    if turns > 1:
        around = (np.arange(n)[:, None] + np.arange(n)) % n
        tours = tours[:, around].reshape(-1, n)
    cut = most is not None and len(tours) > most
    return answer._replace(tours=tours[:most], complete=answer.complete and not cut)


def first_numbered(question: Question, budget: Budget, *, seed: int = 0) -> Cells | Undecided:
    """The first tour with its cells at their steps, of moves that go both ways: an engine."""
    found = numbered(
        question.allowed, question.given, budget, closed=question.closed, most=1, seed=seed,
        required=question.required,
    )  # fmt: skip
    if len(found.tours):
        cells: Cells = found.tours[0]
        return cells
    return Undecided(UNPROVED if found.complete else "not all numberings were tried", "numbered", seed)


def guess_depth(
    graph: MoveGraph, given: Mapping[int, int], *, closed: bool, compiled: bool | None = None
) -> int:
    """How many guesses deep the solution of a puzzle with one solution, of three cells or more, is.

    Returns:
        0 if the rules of `find.domains` solve it; 1 if they do as soon as all values are excluded that they
        refute, one guess at a time, again and again; 2 if that is not enough.

    Time: 8x8 up to 50 ms interpreted, 3 ms compiled.
    """
    tier = Tier(2.0 * graph.size**2 * len(given), compiled=compiled)
    known = domains(graph, given, tier, np.arange(graph.size), closed=closed)
    return int(tier(_probe)(known))


def _assert_given(graph: MoveGraph, given: Mapping[int, int]) -> None:
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
    known: Domains,
    tier: Tier,
    budget: Budget,
    room: int = SOLUTIONS_PER_CALL,
    most_guesses: float = math.inf,
) -> Iterator[Cells]:
    """All solutions, some at a time and sometimes none, (k, n), until the budget is over.

    Their cells are numbered in the order in which the search looks at them.
    """
    n, marks = len(known.queued), known.marks
    found, done = tier.full(room * n), False
    while not done and not marks[DONE] and marks[GUESSES] < most_guesses:
        guesses = int(min(most_guesses - marks[GUESSES], 2**31))
        steps, before = int(min(budget.left, steps_per_call(tier))), int(marks[WORK])
        count = tier(_search)(known, guesses, steps, found, room)
        yield np.array(found[: count * n], dtype=np.int32).reshape(-1, n)
        done = not budget.spend(int(marks[WORK]) - before)


def numbered_tours(
    graph: MoveGraph, given: Mapping[int, int], *, closed: bool, required: Iterable[tuple[int, int]] = ()
) -> Iterator[Cells]:
    """The same as `numbered`, one after the other, without holding all; some step of closed tours is given.

    Counting uses this one function of the engine.
    """
    _assert_given(graph, given)
    if graph.size < 3:
        yield from numbered(graph, given, closed=closed).tours
        return
    assert_time("the steps that each cell may have take longer", SECONDS_A_PAIR * graph.size**2)
    tier = Tier(0, compiled=True)
    known = domains(graph, given, tier, np.arange(graph.size), closed=closed, required=required)
    for some in _batches(known, tier, Budget()):
        yield from some
