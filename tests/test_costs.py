"""Costs grow in proportion to the size: work is counted, not timed, at two sizes, and an exponent is fitted.

Work is the number of calls of Python, and the number of elements of arrays that come of the cells of the tour
and of the coordinates of the board. Both are the same on any machine.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable
from functools import partial

import numpy as np
import pytest

import cavalcade
from cavalcade import formats
from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.formats.table import BY_NAME, READ, names_of
from cavalcade.question.moves import move_graph
from cavalcade.question.pieces import parse_piece

WAZIR = parse_piece("wazir")
LARGEST_EXPONENT = 1.2
SIDES = (12, 36)


class Counted(np.ndarray):
    """An array that adds its size, and those of all arrays that come of it, to `elements`."""

    elements = 0

    def __array_finalize__(self, source: object) -> None:
        Counted.elements += self.size


def tour_of(side: int) -> Tour:
    """Return an open tour of a wazir on a square, along one row and back along the next."""
    board = Board.box(side, side)
    cells = np.arange(side * side, dtype=np.int32).reshape(side, side)
    cells[1::2] = cells[1::2, ::-1]
    tour = Tour(board, cells.ravel(), closed=False, piece=WAZIR)
    board.__dict__["coords"] = board.coords.view(Counted)
    object.__setattr__(tour, "cells", tour.cells.view(Counted))
    return tour


def work_of(function: Callable[[], object]) -> int:
    """Return the work of a call."""
    calls, before = 0, Counted.elements

    def count(frame: object, event: str, argument: object) -> None:
        del frame, argument
        nonlocal calls
        calls += event in {"call", "c_call"}

    earlier = sys.getprofile()
    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(earlier)
    return calls + Counted.elements - before


def exponent(jobs: Iterable[tuple[int, Callable[[], object]]]) -> float:
    """Return the exponent with which work grows from the first job to the second, once both have run.

    Args:
        jobs: two pairs of a size and a function.
    """
    (small, less), (large, more) = [(size, (job(), work_of(job))[1]) for size, job in jobs]
    return math.log(more / less) / math.log(large / small)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let both sizes have many blocks: work that is done once per block on the whole is seen."""
    for module in ("csv", "json"):
        monkeypatch.setattr(f"cavalcade.formats.{module}.BLOCK", 32)


# PGN holds boards up to 8x8; PNG, GIF and PDF are written by other libraries, from the shapes of SVG.
TOURS = [name for name in names_of("Tour") if name not in {"pgn", "png", "gif", "pdf"}]
# The text of a matrix is as long as the square of the vertices; that of graph6 too, but in arrays.
GRAPHS = [name for name in READ if name != "matrix"]


@pytest.mark.parametrize("name", TOURS)
def test_files_of_tours(name: str) -> None:
    tours = [tour_of(side) for side in SIDES]
    writing = [(len(tour), partial(formats.rendered, tour, name)) for tour in tours]
    assert exponent(writing) < LARGEST_EXPONENT
    if not BY_NAME[name].is_picture:
        texts = [formats.write(tour, name) for tour in tours]
        assert exponent((len(text), partial(formats.parse, text)) for text in texts) < LARGEST_EXPONENT


@pytest.mark.parametrize("name", GRAPHS)
def test_files_of_graphs(name: str) -> None:
    graphs = [move_graph(Board.box(side, side), WAZIR) for side in SIDES]
    texts = [formats.write(graph, name) for graph in graphs]
    writing = [(graph.size, partial(formats.write, graph, name)) for graph in graphs]
    assert exponent(writing) < LARGEST_EXPONENT
    reading = [(len(text), partial(formats.parse_graph, text, name)) for text in texts]
    assert exponent(reading) < LARGEST_EXPONENT


VERBS: dict[str, Callable[[Tour], object]] = {
    "check": cavalcade.check,
    "measure": cavalcade.measure,
    "links": lambda tour: formats.write(cavalcade.links(tour.board, piece=WAZIR), "csv"),
    "symmetries": lambda tour: cavalcade.symmetries(tour.board, WAZIR),
}


@pytest.mark.parametrize("verb", VERBS)
def test_verbs(verb: str) -> None:
    tours = [tour_of(side) for side in SIDES]
    assert exponent((len(tour), partial(VERBS[verb], tour)) for tour in tours) < LARGEST_EXPONENT


def test_work_that_grows_as_the_square_is_seen() -> None:
    """The coordinates of the whole tour are made once per block, as JSON was written before."""

    def write(tour: Tour) -> None:
        for begin in range(0, len(tour), 32):
            tour.coords[begin : begin + 32].tolist()

    assert exponent((len(tour), partial(write, tour)) for tour in map(tour_of, SIDES)) > 1.8
