"""The printed tables: one parser for the grids, one comparison, one verification.

A data file is a list of sections: `[name]`, comment lines, then numbers, boards separated by a blank
line. "." is an empty square (0 here), "?" a number that the transcription lost (-1 here). Corrections
are kept apart, in corrections.txt: they never touch what is printed.

n is the number of squares of a table, faults are sentences.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.checking.tours import check
from cavalcade.ground.errors import FormatError
from cavalcade.papers.items import Correction, Figure, Item, data, figures
from cavalcade.question.moves import move_graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOST = -1


@dataclass(frozen=True)
class Printed:
    """A printed table.

    Args:
        paper: of which paper.
        name: as in the data file.
        source: the comment below the name: which table, and how much of it is legible.
        boards: one grid of words a board.
    """

    paper: str
    name: str
    source: str
    boards: tuple[tuple[tuple[str, ...], ...], ...]

    @property
    def words(self) -> list[list[str]]:
        """The lines, boards one after the other."""
        return [list(row) for board in self.boards for row in board]

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """The numbers, an array of (rows, columns) or of (boards, rows, columns)."""
        value = {".": 0, "?": LOST}
        grid = [[[value[w] if w in value else int(w) for w in row] for row in board] for board in self.boards]
        array = np.array(grid, dtype=np.int64)
        return array[0] if len(grid) == 1 else array

    @property
    def board(self) -> Board:
        """The board (or stack) that the table shows."""
        return Board.box(*self.numbers.shape)

    def figures(
        self, title: str, wanted: NDArray[np.int64] | None = None, *, tour: bool = False
    ) -> tuple[Figure, ...]:
        """The table as figures, with what is wanted beside each number that differs.

        Args:
            title: what it is.
            wanted: the numbers as they should be.
            tour: the numbers are steps: mark the first and the last, and those to which no move leads; and
                draw them, as they should be, where they can be drawn.
        """

        def at(cell: int) -> tuple[int, int, int]:
            row = self.board.coords[cell].tolist()
            return tuple([0] * (3 - len(row)) + row)

        marked = (
            {}
            if wanted is None
            else {
                at(self.board.cell(name)): str(there or ".")
                for name, _, there in differences(self.numbers, wanted)
            }
        )
        if not tour:
            return figures(title, self.boards, marked)
        flat = self.numbers.ravel()
        visited = np.flatnonzero(flat > 0)
        order = visited[np.argsort(flat[visited], kind="stable")].tolist()
        ends = {at(order[-1]): "last", at(order[0]): "first"} if order else {}
        wrong = {at(cell) for cell in unreached(self.numbers)}
        boards = figures(title, self.boards, marked, ends=ends, wrong=wrong)
        try:
            drawn = Tour.from_numbering(self.board, self.numbers if wanted is None else wanted, closed=False)
        except ValueError:
            return boards
        return (*boards, drawing(drawn, title))


def drawing(tour: Tour, title: str, *, numbers: bool = False) -> Figure:
    """A tour as a drawn line; a closed one closes."""
    near = move_graph(tour.board).neighbours(tour.end) if isinstance(tour.board, Board) else ()
    closed = len(tour) == tour.board.size > 2 and tour.start in near
    shown = Tour(tour.board, tour.cells, closed, tour.piece)
    return Figure(f"{title}, drawn", [], svg=partial(shown.svg, numbers=numbers))


def unreached(steps: NDArray[np.int64]) -> list[int]:
    """The cells with a step to which no move leads from the step before, or with a step that stands twice."""
    board = Board.box(*steps.shape)
    graph = move_graph(board)
    at: dict[int, list[int]] = {}
    for cell, step in enumerate(steps.ravel().tolist()):
        at.setdefault(step, []).append(cell)
    found = []
    for step, cells in at.items():
        before = at.get(step - 1, []) if step > 1 else []
        for cell in cells if step > 0 else ():
            near = set(graph.neighbours(cell).tolist())
            if len(cells) > 1 or (before and near.isdisjoint(before)):
                found.append(cell)
    return found


def printed(paper: str) -> dict[str, Printed]:
    """The printed tables of a paper, by name."""
    return parse(data(f"{paper}.txt"), paper)


def parse(text: str, paper: str = "") -> dict[str, Printed]:
    """Read the data file of a paper.

    Raises:
        FormatError: a section occurs twice, or numbers stand above the first.
    """
    tables: dict[str, Printed] = {}
    for part in ("\n" + text).split("\n[")[1:]:
        name, _, rest = part.partition("]\n")
        if name in tables:
            raise FormatError(f"section {name!r} occurs twice, expected each once")
        lines = rest.splitlines()
        source = " ".join(line[1:].strip() for line in lines if line.startswith("#"))
        grids = "\n".join(line for line in lines if not line.startswith("#")).strip("\n").split("\n\n")
        boards = tuple(tuple(tuple(row.split()) for row in grid.splitlines()) for grid in grids)
        tables[name] = Printed(paper, name, source, boards)
    if not tables:
        raise FormatError("no section in the text, expected lines like [table 1]")
    return tables


def corrections(paper: str) -> list[Correction]:
    """What cannot stand as printed, with the evidence."""
    found = []
    for line in data("corrections.txt").splitlines():
        if line and not line.startswith("#"):
            where, *fields = (field.strip() for field in line.split("|"))
            if where == paper:
                found.append(Correction(*fields))
    return found


def mended(table: Printed) -> NDArray[np.int64]:
    """The numbers with the corrections of single squares put in."""
    array = table.numbers.copy()
    for one in corrections(table.paper):
        if one.item == table.name and one.wanted.isdigit():
            array.ravel()[table.board.cell(one.cell)] = int(one.wanted)
    return array


def differences(table: NDArray[np.int64], other: NDArray[np.int64]) -> list[tuple[str, int, int]]:
    """Where two tables differ: square, number here, number there. Lost numbers differ from nothing."""
    if table.shape != other.shape:
        raise FormatError(f"tables of shapes {table.shape} and {other.shape} cannot be compared")
    board = Board.box(*table.shape)
    cells = np.flatnonzero((table.ravel() != other.ravel()) & (table.ravel() != LOST))
    return [(board.name(int(c)), int(table.flat[c]), int(other.flat[c])) for c in cells]


def faults(steps: NDArray[np.int64], first: int = 1) -> list[str]:
    """Everything that keeps a printed numbering from being a tour: twice, missing, empty, no move.

    The moves are looked up in the move graph; a numbering without faults should also pass the checker.
    """
    board = Board.box(*steps.shape)
    flat, last = steps.ravel(), first + steps.size - 1
    at: dict[int, list[int]] = {}
    for cell, step in enumerate(flat.tolist()):
        at.setdefault(step, []).append(cell)
    found = []
    if empty := at.pop(0, []):
        found.append(f"{len(empty)} squares are empty: {', '.join(board.name(c) for c in empty)}")
    found += [
        f"step {step} stands on {' and '.join(board.name(c) for c in cells)}"
        for step, cells in sorted(at.items())
        if len(cells) > 1
    ]
    if missing := [step for step in range(first, last + 1) if step not in at]:
        found.append(f"no square has step {', '.join(map(str, missing))}")
    graph = move_graph(board)
    for step, cells in sorted(at.items()):
        after = at.get(step + 1)
        if after and not any(b in graph.neighbours(a) for a in cells for b in after):
            a, b = board.name(cells[0]), board.name(after[0])
            found.append(f"step {step} to step {step + 1}, {a} to {b}, is not a knight's move")
    return found


def is_tour(steps: NDArray[np.int64], *, closed: bool = False) -> bool:
    """Whether the checker accepts a numbering (from any first step) as a tour."""
    try:
        tour = Tour.from_numbering(Board.box(*steps.shape), steps, closed=closed)
    except ValueError:
        return False
    return check(tour).ok


def parities(steps: NDArray[np.int64]) -> list[int]:
    """The steps that stand on the wrong colour: a knight changes colour with every move.

    The colour of the first step's square decides; the list is empty in a tour.
    """
    board = Board.box(*steps.shape)
    flat = steps.ravel()
    colours = board.coords.sum(axis=1) % 2
    visited = np.flatnonzero(flat > 0)
    first = visited[np.argmin(flat[visited])]
    expected = (colours[first] + flat[visited] - flat[first]) % 2
    return sorted(flat[visited][colours[visited] != expected].tolist())


def compare(
    name: str,
    table: Printed,
    recomputed: NDArray[np.int64] | Tour,
    what: str,
    why: str = "",
    *,
    steps: bool = False,
) -> Item:
    """An item for a table that was recomputed.

    Args:
        name: the item's name.
        table: as printed.
        recomputed: the same numbers, or the tour with these steps, from our engines.
        what: how they were made.
        why: the reason, when they differ or numbers are lost; by default that of the data file.
        steps: the numbers are steps, as those of a tour always are.
    """
    ours = recomputed.numbering.astype(np.int64) if isinstance(recomputed, Tour) else recomputed
    lost = int(np.count_nonzero(table.numbers == LOST))
    wrong = differences(table.numbers, ours)
    legible = f"{table.numbers.size} numbers" + (f", {lost} of them not legible" if lost else "")
    found = f"{what}: all {table.numbers.size - lost}{' legible' if lost else ''} numbers the same"
    if wrong:
        named = ", ".join(f"{cell} {a or 'empty'} for {b or 'empty'}" for cell, a, b in wrong[:8])
        more = ", ..." if wrong[8:] else ""
        found = f"{what}: {len(wrong)} of {table.numbers.size} differ: {named}{more}"
    steps = steps or isinstance(recomputed, Tour)
    shown = table.figures(name, ours if wrong or lost else None, tour=steps)
    return Item(name, found, not wrong, legible, why, shown)


def verify(name: str, table: Printed, *, length: int | None = None) -> Item:
    """An item for a printed tour that is checked move by move.

    Args:
        name: the item's name.
        table: as printed.
        length: how many steps there should be, where it is not every square.
    """
    steps, whole = table.numbers, table.numbers.size
    wrong, why = faults(steps), ""
    if length is not None and np.count_nonzero(steps) == length:
        wrong = [
            one
            for one in wrong
            if not one.startswith((f"{whole - length} squares are empty", "no square has"))
        ]
    what, right = f"a tour of {table.board.spec}", "every step is a move, every square is visited once"
    if length is not None:
        what, right = f"a walk of {length} steps on {table.board.spec}", "every step is a move"
    if not wrong and (length is not None or is_tour(steps)):
        return Item(name, right, "verified", what, figures=table.figures(name, tour=True))
    fixed = mended(table)
    if not np.array_equal(fixed, steps):
        mends = f" With the {len(differences(steps, fixed))} corrections "
        mends += "it is a tour." if is_tour(fixed) else f"there remain: {'; '.join(faults(fixed))}."
        why = (why + mends).strip()
    if (flipped := parities(steps)) and flipped[-1] - flipped[0] == len(flipped) - 1:
        span = f"Steps {flipped[0]} to {flipped[-1]} stand on the wrong colour"
        why = f"{why} {span}, so no exchange of two squares mends it.".strip()
    return Item(name, "; ".join(wrong), "refuted", what, why, table.figures(name, fixed, tour=True))
