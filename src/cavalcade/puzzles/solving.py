"""Solving puzzles: all tours with the given numbers, up to a bound, or the reason why there is none."""

from __future__ import annotations

import time
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.puzzles import Puzzle, Solved
from cavalcade.answers.tours import Tour
from cavalcade.checking.tours import check
from cavalcade.find.numbered import numbered
from cavalcade.ground.budget import assert_time, limits
from cavalcade.ground.errors import CavalcadeError, TooLargeError, seconds_of
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question
from cavalcade.refute.positions import positions

METHODS = ("search", "sat")


def solve(
    puzzle: Puzzle,
    *,
    most: int = 1000,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
    method: str = "search",
) -> Solved:
    """All solutions of a puzzle, up to a bound; each is checked.

    If there are fewer than `most` and `complete` is true, they are all; a single one is the only one.

    Args:
        puzzle: the board with the given numbers.
        most: stop after so many solutions.
        seed: of the random choices; another seed, another order of solutions.
        time_limit: seconds, by default sixty.
        memory: bytes, or text such as "4G"; by default what the machine has.
        method: `search`, by propagation and branching, or `sat`, a SAT solver with the position formula.

    Raises:
        CavalcadeError: an unknown method, or `most` below 1.

    Time: milliseconds for puzzles of up to 10x10 with one solution; exponential where little is given.

    Examples:
        >>> solve(puzzle("6x6")).unique
        True
    """
    if method not in METHODS:
        raise CavalcadeError(f"unknown method {method!r}, expected one of {', '.join(METHODS)}")
    if most < 1:
        raise CavalcadeError(f"{most} is not a number of solutions, expected 1 or more")
    began = time.perf_counter()
    seconds = 60.0 if time_limit is None else seconds_of(time_limit)

    def solved(tours: tuple[Tour, ...], reason: str, guesses: int = 0, *, complete: bool = True) -> Solved:
        took = time.perf_counter() - began
        return Solved(puzzle, tours, complete, reason, method, guesses, seed, took)

    try:
        with limits(seconds, memory):
            graph = Question.of(puzzle.board, piece=puzzle.piece, open=not puzzle.closed).graph
            if reason := contradiction(puzzle, graph):
                return solved((), reason)
            given = dict(puzzle.given)
            if method == "sat":
                found = positions(graph, given, closed=puzzle.closed, most=most, seed=seed)
            else:
                found = numbered(graph, given, closed=puzzle.closed, most=most, seed=seed)
    except TimeoutError:
        return solved((), f"not every numbering was tried in {seconds:g} s", complete=False)
    except TooLargeError as error:
        return solved((), str(error), complete=False)
    tours = tuple(_checked(puzzle, cells, method) for cells in found.tours)
    reason = ""
    if not found.complete:
        stopped = len(tours) == most
        many = "1 solution" if most == 1 else f"{most:,} solutions"
        reason = f"stopped after {many}" if stopped else f"not every numbering was tried in {seconds:g} s"
    elif not tours:
        guesses = "1 guess" if found.guesses == 1 else f"{found.guesses:,} guesses"
        reason = f"no {puzzle.kind} tour has these numbers: every numbering was tried, {guesses}"
    return solved(tours, reason, found.guesses, complete=found.complete)


def _checked(puzzle: Puzzle, cells: NDArray[np.int32], method: str) -> Tour:
    """A solution as a tour, checked."""
    tour = Tour(puzzle.board, cells, puzzle.closed, puzzle.piece)
    wrong = [step for step, cell in puzzle.given if cells[step - 1] != cell]
    if wrong or not (checked := check(tour)):
        what = f"step {wrong[0]} stands elsewhere" if wrong else checked.message
        raise AssertionError(f"the method {method} is wrong: {what}")
    return tour


def contradiction(puzzle: Puzzle, graph: MoveGraph) -> str:
    """Why no walk of so many moves joins two of the given numbers, or "".

    Breadth-first search finds the shortest walks of an even and of an odd number of moves, up to the number
    of moves between the two; so colours and distances are both reasons.
    """
    given = list(puzzle.given)
    n = graph.size
    pairs = list(pairwise(given))
    if puzzle.closed and len(given) > 1:
        pairs.append((given[-1], given[0]))
    for (s, a), (t, b) in pairs:
        assert_time("the walks between two numbers were measured")
        moves = (t - s) % n if puzzle.closed else t - s
        if _walks(graph, a, moves)[moves % 2, b] > moves:
            shortest = _walks(graph, a, 2 * n)[:, b]
            names = f"{s} on {puzzle.board.name(a)} and {t} on {puzzle.board.name(b)}"
            how = "1 move does" if moves == 1 else f"{moves} moves do"
            other = int(shortest[1 - moves % 2])
            if shortest[moves % 2] < n * 2:
                why = f"it takes {shortest[moves % 2]}"
            elif other < n * 2:
                why = f"any walk between them has an {('even', 'odd')[other % 2]} number of moves"
            else:
                why = "no moves lead from one to the other"
            return f"{names} exclude each other: {how} not lead from one to the other; {why}"
    return ""


def _walks(graph: MoveGraph, start: int, most: int) -> NDArray[np.int64]:
    """The lengths of the shortest even and odd walks to every cell, (2, n); 2n for those above `most`."""
    n = graph.size
    length = np.full((2, n), 2 * n, dtype=np.int64)
    length[0, start] = 0
    ring = [start]
    for moves in range(1, most + 1):
        near = {d for c in ring for d in graph.neighbours(c).tolist()}
        ring = [d for d in near if length[moves % 2, d] == 2 * n]
        if not ring:
            break
        length[moves % 2, ring] = moves
    return length
