"""Families of boards with constraints: `3xn` from a1 to `{n}1`, `4xn-{n}4`, the symmetric tours of `nxn`.

In the name of a cell, `{n}` and `{n-1}` stand for the last and the last but one column, row or level, so that
cells keep their place relative to either end of a board that grows. Cells that are named make some slabs at
the ends of the board different from the slabs in the middle. These slabs are found by comparing all slabs of
a concrete board, and then of the board that has one slab more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards.family import LETTERS
from cavalcade.boards.notation import grown, grown_names, parse_board
from cavalcade.counting.transfer_matrix import DONE, Automaton, Steps, Strip, of_levels
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.question import Question


def question_of(spec: str, words: Mapping[str, Any], n: int) -> Question | None:
    """The question about one board of a family; None if the board lacks a cell that is named, or a symmetry.

    Args:
        spec: spec with a side n; its holes may be named relative to n.
        words: the words of the question, in which names may be relative to n.
        n: the side.
    """
    try:
        return Question.of(grown(spec, n), **_grown_words(spec, words, n))
    except CavalcadeError:
        return None


def asked(spec: str, words: Mapping[str, Any], upto: int) -> None:
    """Make sure that the question makes sense for a board of the family.

    Raises:
        CavalcadeError: for no n up to `upto` or 26, the last column of one letter; the error is that of the
            last, with the spec in place of the title of the board.
    """
    last = max(upto, len(LETTERS))
    if all(question_of(spec, words, n) is None for n in range(1, last + 1)):
        board = grown(spec, last)
        try:
            Question.of(board, **_grown_words(spec, words, last))
        except CavalcadeError as error:
            raise type(error)(str(error).replace(board, spec)) from None


def _grown_words(spec: str, words: Mapping[str, Any], n: int) -> dict[str, Any]:
    """The words of a question, with the names of the cells of one board for names relative to n."""

    def replaced(value: Any) -> Any:
        if isinstance(value, str):
            return grown_names(value, spec, n)
        if isinstance(value, Mapping):
            return {step: replaced(cell) for step, cell in value.items()}
        return [replaced(part) for part in value] if isinstance(value, (list, tuple)) else value

    return {word: value if word == "piece" else replaced(value) for word, value in words.items()}


# ---- the slabs of a board


class Slabs(NamedTuple):
    """The slabs of a board.

    Args:
        strips: for each slab, the strip that begins with it.
        start: the state before the first slab.
    """

    strips: list[Strip]
    start: NDArray[np.uint8]


def matrix_of(
    spec: str, strip: Strip, words: Mapping[str, Any], first_terms: Callable[[int], list[int]]
) -> Automaton | None:
    """The transfer matrix of a family with constraints on cells and moves near its ends.

    Args:
        spec: spec with a side n.
        strip: the strip without the constraints.
        words: the words of the question.
        first_terms: returns the first terms, given their number; the matrix does not count short boards.

    Returns:
        The matrix, or None if the named cells are not near the ends of the board.

    Raises:
        TooLargeError: the states do not fit in memory.
    """
    shortest = 8 * (strip.reach + 1)
    for length in (shortest, 2 * shortest, 4 * shortest, 8 * shortest):  # the last takes a second for 10xn
        whole, longer = (_slabs_of(spec, strip, words, slabs) for slabs in (length, length + 1))
        if whole is not None and longer is not None:
            head, tail = _different(whole.strips)
            if (head, tail) == _different(longer.strips) and head + tail < length:
                return _levels(whole, head, tail, first_terms(head + tail - 1))
    return None


def _different(strips: list[Strip]) -> tuple[int, int]:
    """How many slabs at either end of a board differ from the slab in the middle.

    A cycle can close only in the last slabs, within reach of the end, so they count as different.
    """
    kinds = [replace(strip, remaining=None) for strip in strips]
    differs = [kind != kinds[len(kinds) // 2] for kind in kinds]
    head = max((i + 1 for i in range(len(differs) // 2) if differs[i]), default=0)
    tail = max((i + 1 for i in range(len(differs) // 2) if differs[-1 - i]), default=0)
    return head, max(tail, strips[0].reach + 1)


def _levels(slabs: Slabs, head: int, tail: int, first: list[int]) -> Automaton:
    """The transfer matrix: levels 0 to head - 1 are the beginning, level `head` the middle, then the end."""
    strips = slabs.strips
    levels: list[Steps] = [[(strips[k], k + 1)] for k in range(head)]
    levels.append([(strips[head], head), (strips[-tail], head + 1)])
    levels += [[(strips[k - tail], head + k + 1)] for k in range(1, tail)]
    return of_levels(levels, slabs.start, tuple(first))


def _slabs_of(spec: str, strip: Strip, words: Mapping[str, Any], length: int) -> Slabs | None:
    """The slabs of the board of a length; None if no question is about it."""
    if (question := question_of(spec, words, length)) is None:
        return None
    s, window = strip.slab, strip.window
    shape, _, _ = spec.partition("-")
    axis = shape.rpartition(":")[2].split("x").index("n")
    whole = parse_board(grown(shape, length))
    # Number the places slab by slab; the cells of the board are those places that are not holes.
    place = np.empty(whole.size, dtype=np.int64)
    place[np.argsort(whole.coords[:, axis], kind="stable")] = np.arange(whole.size)
    cells = place[[whole.cell(name) for name in question.board.names]]
    count = s * (length + strip.reach + 1)  # with empty slabs beyond the end
    hole = np.ones(count, dtype=np.bool_)
    hole[cells] = False
    at_end = np.zeros(count, dtype=np.bool_)
    if not question.closed:
        at_end[cells if len(question.ends) < 2 else cells[list(question.ends)]] = True
    adjacent: list[list[int]] = [[] for _ in range(count)]
    for a, b in cells[question.allowed.edges()].tolist():
        adjacent[a].append(b)
        adjacent[b].append(a)
    required = sorted(tuple(sorted(cells[list(move)].tolist())) for move in question.required)
    joined = [(int(cells[end]), -1) for end in question.ends]  # to the additional place
    strips = []
    for k in range(length):
        base = k * s
        seen = [(a, b) for a, b in required + joined if base <= a < base + window]
        strips.append(
            replace(
                strip,
                neighbours=tuple(tuple(sorted(b - base for b in adjacent[base + p])) for p in range(window)),
                mirrored=False,
                ends=tuple(at_end[base : base + window].tolist()),
                required=tuple((a - base, window if b < 0 else b - base) for a, b in seen),
                holes=tuple(np.flatnonzero(hole[base + window - s : base + window]).tolist()),
                remaining=length - 1 - k,
            )
        )
    start = np.arange(window - s + strip.joined, dtype=np.uint8)
    start[: window - s][hole[: window - s]] = DONE
    return Slabs(strips, start)
