"""Solving puzzles: all tours with the given numbers, up to a limit, or the reason why there is none."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any, Literal

from cavalcade.answers.puzzles import Puzzle, Solved
from cavalcade.answers.tours import Tour
from cavalcade.answers.verification import Verification
from cavalcade.ask.portfolio import TurnCallback, reporting
from cavalcade.checking.constraints import unmet
from cavalcade.checking.tours import check
from cavalcade.checking.verification import REPEATED, agreed
from cavalcade.find.numbered import numbered
from cavalcade.ground.budget import assert_time, because, limits
from cavalcade.ground.errors import CavalcadeError, TooLargeError, seconds_of
from cavalcade.ground.kernels import Cells
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import broad, walks
from cavalcade.question.words import validated
from cavalcade.refute.positions import positions

METHODS = ("search", "sat")


@validated
def solve(
    puzzle: Puzzle,
    *,
    most: int = 1000,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
    method: Literal["search", "sat"] = "search",
    progress: TurnCallback | None = None,
) -> Solved:
    """Find all solutions of a puzzle, but at most `most` solutions, and check each solution.

    If `complete` is true, there are no other solutions.

    Args:
        puzzle: the board with the given numbers.
        most: maximum number of solutions.
        seed: seed of the random choices, which determine the order of the solutions.
        time_limit: seconds, by default sixty.
        memory: limit in bytes or as text such as "4G"; by default all memory of the machine.
        method: `search` (propagation and branching) or `sat` (a SAT solver with the position formula).
        progress: called with an `Effort` while the method works.

    Raises:
        CavalcadeError: the method is unknown, or `most` is below 1.

    Time: milliseconds for puzzles of up to 10x10 with one solution; exponential if few numbers are given.

    Examples:
        >>> solve(puzzle("6x6")).unique
        True
    """
    if not isinstance(puzzle, Puzzle):
        raise CavalcadeError(f"{str(puzzle)[:60]!r} is not a puzzle: read_puzzle(file) reads one")
    if method not in METHODS:
        raise CavalcadeError(f"unknown method {method!r}, expected one of {', '.join(METHODS)}")
    if most < 1:
        raise CavalcadeError(f"{most} is not a number of solutions, expected 1 or more")
    began = time.perf_counter()
    seconds = 60.0 if time_limit is None else seconds_of(time_limit)

    def solved(tours: tuple[Tour, ...], reason: str, guesses: int = 0, *, complete: bool = True) -> Solved:
        verification = Verification.UNCHECKED
        if complete:
            with limits(seconds - (time.perf_counter() - began), memory):
                verification = _again(puzzle, len(tours), guesses, method)
        took = time.perf_counter() - began
        return Solved(puzzle, tours, complete, reason, method, guesses, seed, took, verification)

    try:
        with limits(seconds, memory, progress):
            question = puzzle.question
            graph = question.allowed
            graph.assert_undirected("puzzles")
            if reason := "" if puzzle.ordered else contradiction(puzzle, graph):
                return solved((), reason)
            options: dict[str, Any] = {"most": most, "seed": seed, "closed": puzzle.closed}
            options |= {
                "required": question.required,
                "through": question.through,
                "budget": reporting(method),
            }
            solutions = (positions if method == "sat" else numbered)(graph, question.given, **options)
    except TimeoutError:
        return solved((), because("not every numbering was tried", seconds), complete=False)
    except TooLargeError as error:
        return solved((), str(error), complete=False)
    tours = tuple(_checked(puzzle, cells, method) for cells in solutions.tours)
    reason = ""
    if not solutions.complete:
        stopped = len(tours) == most
        counted = "1 solution" if most == 1 else f"{most:,} solutions"
        reason = f"stopped after {counted}" if stopped else because("not every numbering was tried", seconds)
    elif not tours:
        guesses = "1 guess" if solutions.guesses == 1 else f"{solutions.guesses:,} guesses"
        what = "visits these cells in order" if puzzle.ordered else "has these numbers"
        reason = f"no {puzzle.kind} tour {what}: every numbering was tried, {guesses}"
    return solved(tours, reason, solutions.guesses, complete=solutions.complete)


def _again(puzzle: Puzzle, number: int, guesses: int, method: str) -> Verification:
    """Compare the number of all solutions with that of the other method, if the puzzle is easy.

    Args:
        puzzle: the puzzle.
        number: number of solutions.
        guesses: number of values that the first method tried.
        method: the first method.

    Raises:
        AssertionError: the numbers differ.
    """
    question, most = puzzle.question, number + 1
    options: dict[str, Any] = {"most": most, "closed": puzzle.closed}
    options |= {"required": question.required, "through": question.through}
    try:
        if method == "sat":
            solutions = numbered(question.allowed, question.given, most_guesses=REPEATED // 200, **options)
        elif puzzle.board.size**4 * (1 + guesses) <= 400 * REPEATED:
            # The formula has a variable for each cell and step. The SAT solver takes up to half a second.
            solutions = positions(question.allowed, question.given, **options)
        else:
            return Verification.UNCHECKED
    except (TimeoutError, TooLargeError):
        return Verification.UNCHECKED
    if not solutions.complete and len(solutions.tours) <= number:
        return Verification.UNCHECKED
    ways = {"search": "by propagation and branching", "sat": "by a SAT solver"}
    second = "search" if method == "sat" else "sat"
    return agreed(number, ways[method], len(solutions.tours), ways[second], what="solutions")


def _checked(puzzle: Puzzle, cells: Cells, method: str) -> Tour:
    """Return a solution as a checked tour."""
    tour = Tour(puzzle.board, cells, puzzle.closed, puzzle.piece)
    checked = check(tour)
    if wrong := unmet(puzzle.question, tour) if checked else checked.message:
        raise AssertionError(f"the method {method} is wrong: {wrong}")
    return tour


def contradiction(puzzle: Puzzle, graph: MoveGraph) -> str:
    """Return why two given numbers exclude each other, or "".

    Breadth-first search finds the lengths of the shortest even and odd walks between consecutive given
    numbers. So the reason is a distance or a colour.
    """
    numbers = list(puzzle.given)
    n = graph.size
    pairs = list(pairwise(numbers))
    if puzzle.closed and len(numbers) > 1:
        pairs.append((numbers[-1], numbers[0]))
    cover = walks(graph)
    for (s, a), (t, b) in pairs:
        assert_time("walks between two numbers were measured")
        moves = (t - s) % n if puzzle.closed else t - s
        even, odd = broad(cover, a)[2].reshape(2, n)[:, b].tolist()  # -1 if there is no such walk
        length, other_parity = (odd, even) if moves % 2 else (even, odd)
        if not 0 <= length <= moves:
            names = f"{s} on {puzzle.board.name(a)} and {t} on {puzzle.board.name(b)}"
            counted = "1 move does" if moves == 1 else f"{moves} moves do"
            if length >= 0:
                why = f"it takes {length}"
            elif other_parity >= 0:
                why = f"any walk between them has an {('even', 'odd')[other_parity % 2]} number of moves"
            else:
                why = "no moves lead from one to the other"
            return f"{names} exclude each other: {counted} not lead from one to the other; {why}"
    return ""
