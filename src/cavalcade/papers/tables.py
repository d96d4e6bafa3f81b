"""Printed tables: a parser for the grids, a comparison, and a verification of tours.

A data file is a list of sections: `[name]`, comment lines, then numbers, boards separated by a blank line.
"." is an empty square (0 here), "?" a number that the transcription lost (-1 here). Corrections are stored
separately in corrections.txt and never change the printed numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found
from cavalcade.ask.portfolio import tour
from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.checking.tours import check
from cavalcade.ground.errors import FormatError
from cavalcade.papers.items import Correction, Figure, Item, data, figures
from cavalcade.papers.summary import row
from cavalcade.question.moves import move_graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOST = -1


@dataclass(frozen=True)
class Printed:
    """A printed table.

    Attributes:
        paper: key of `papers.PAPERS`.
        name: name of the section in the data file.
        source: comment below the name: the number of the table, and how much of it is legible.
        boards: one grid of words per board.
    """

    paper: str
    name: str  # as in the data file
    source: str  # the comment below the name: which table, and how much of it is legible
    boards: tuple[tuple[tuple[str, ...], ...], ...]  # one grid of words a board

    @property
    def words(self) -> list[list[str]]:
        """The lines of all boards."""
        return [list(row) for board in self.boards for row in board]

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """The numbers, shape (rows, columns) or (boards, rows, columns)."""
        value = {".": 0, "?": LOST}
        grid = [[[value[w] if w in value else int(w) for w in row] for row in board] for board in self.boards]
        array = np.array(grid, dtype=np.int64)
        return array[0] if len(grid) == 1 else array

    @property
    def board(self) -> Board:
        """The board or stack that the table shows."""
        return Board.box(*self.numbers.shape)

    def figures(
        self, title: str, corrected: NDArray[np.int64] | None = None, *, tour: bool = False
    ) -> tuple[Figure, ...]:
        """Return the table as figures, with the correct value of each wrong number.

        The numbers of a `tour` are steps. Its first and last step, and steps that no move reaches, are
        marked, and the corrected tour is drawn if possible.
        """
        numbers = self.numbers
        right = numbers if corrected is None else corrected
        corrections_by_cell = {
            self.board.cell(name): str(value or ".") for name, _, value in differences(numbers, right)
        }
        if not tour:
            return figures(title, self.boards, corrections_by_cell)
        order = in_order(numbers).tolist()
        wrong = {cell for cells in faults(numbers).values() for cell in cells}
        boards = figures(
            title, self.boards, corrections_by_cell, {"wrong": wrong, "last": order[-1:], "first": order[:1]}
        )
        try:
            return (*boards, drawing(Tour.from_numbering(self.board, right, closed=False), title))
        except ValueError:
            return boards


def in_order(steps: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the cells of a numbering in the order of their steps, without empty and lost ones."""
    return np.argsort(steps, axis=None, kind="stable")[np.count_nonzero(steps <= 0) :]


def drawing(shown: Tour, title: str, *, numbers: bool = False) -> Figure:
    """Draw a tour as a line, closed if its ends are adjacent."""
    neighbours = move_graph(shown.board).neighbours(shown.end) if isinstance(shown.board, Board) else ()
    closed = len(shown) == shown.board.size > 2 and shown.start in neighbours
    line = Tour(shown.board, shown.cells, closed, shown.piece)
    return Figure(f"{title}, drawn", svg=partial(line.svg, numbers=numbers))


def ours(spec: str) -> tuple[Figure, ...]:
    """Return our closed tour of a board: its numbers and its line, layer by layer for a prism."""
    title, verdict = f"Our closed tour of {spec}", tour(spec)
    if not isinstance(verdict, Found):
        return ()
    if parse_board(spec).family.hexagonal:
        return (drawing(verdict.tour, title, numbers=True),)
    steps = verdict.tour.numbering
    layers = np.moveaxis(steps, -1, 0) if steps.ndim == 3 else steps[None]
    ends = {"last": len(verdict.tour), "first": 1}
    marks = {mark: np.flatnonzero(layers == step).tolist() for mark, step in ends.items()}
    words = [[[str(x or "") for x in row] for row in layer.tolist()] for layer in layers]
    drawn = (drawing(verdict.tour, title),) if steps.ndim == 2 else ()
    return (*figures(title, words, marks=marks), *drawn)


def printed(paper: str) -> dict[str, Printed]:
    """Return the printed tables of a paper by name."""
    return parse(data(f"{paper}.txt"), paper)


@cache
def parse(text: str, paper: str = "") -> dict[str, Printed]:
    """Read the data file of a paper.

    Raises:
        FormatError: a section occurs twice, or there is none.
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
    """Return the corrections of a paper, with the evidence."""
    entries = []
    for line in data("corrections.txt").splitlines():
        if line and not line.startswith("#"):
            where, *fields = (field.strip() for field in line.split("|"))
            if where == paper:
                entries.append(Correction(*fields))
    return entries


def mended(table: Printed) -> NDArray[np.int64]:
    """Return the numbers of a table after the corrections of single squares."""
    array = table.numbers.copy()
    for correction in corrections(table.paper):
        if correction.item == table.name and correction.wanted.isdigit():
            array.ravel()[table.board.cell(correction.cell)] = int(correction.wanted)
    return array


def differences(table: NDArray[np.int64], compared: NDArray[np.int64]) -> list[tuple[str, int, int]]:
    """Return square, number here and number there, wherever two tables differ; lost numbers are skipped."""
    if table.shape != compared.shape:
        raise FormatError(f"tables of shapes {table.shape} and {compared.shape} cannot be compared")
    board = Board.box(*table.shape)
    cells = np.flatnonzero((table.ravel() != compared.ravel()) & (table.ravel() != LOST))
    return [(board.name(int(c)), int(table.flat[c]), int(compared.flat[c])) for c in cells]


def faults(steps: NDArray[np.int64]) -> dict[str, list[int]]:
    """Return everything that keeps a printed numbering from being a tour: sentences with cells to mark.

    The moves are looked up in the move graph; a numbering without faults should also pass the checker. The
    marked cells have a repeated step, or a step that no move reaches.
    """
    board = Board.box(*steps.shape)
    graph, names = move_graph(board), board.names
    cells_by_step: dict[int, list[int]] = {}
    for cell, step in enumerate(steps.ravel().tolist()):
        cells_by_step.setdefault(step, []).append(cell)
    faults_found: dict[str, list[int]] = {}
    cells_by_step.pop(LOST, None)
    if empty := cells_by_step.pop(0, []):
        faults_found[f"{len(empty)} squares are empty: {', '.join(names[cell] for cell in empty)}"] = []
    for step, cells in sorted(cells_by_step.items()):
        if len(cells) > 1:
            faults_found[f"step {step} stands on {' and '.join(names[cell] for cell in cells)}"] = cells
    if missing := [step for step in range(1, steps.size + 1) if step not in cells_by_step]:
        faults_found[f"no square has step {', '.join(map(str, missing))}"] = []
    for step, cells in sorted(cells_by_step.items()):
        next_cells = cells_by_step.get(step + 1, [])
        if next_cells and not any(b in graph.neighbours(a) for a in cells for b in next_cells):
            move = f"{names[cells[0]]} to {names[next_cells[0]]}"
            faults_found[f"step {step} to step {step + 1}, {move}, is not a knight's move"] = next_cells
    return faults_found


def is_tour(steps: NDArray[np.int64], *, closed: bool = False) -> bool:
    """Return whether the checker accepts a numbering, from any first step, as a tour."""
    try:
        return check(Tour.from_numbering(Board.box(*steps.shape), steps, closed=closed)).ok is True
    except ValueError:
        return False


def parities(steps: NDArray[np.int64]) -> list[int]:
    """Return the steps on the wrong colour relative to the first: every knight move changes the colour."""
    order = in_order(steps)
    numbers = steps.flat[order]
    colours = Board.box(*steps.shape).coords[order].sum(axis=1) + numbers
    wrong: list[int] = numbers[(colours - colours[0]) % 2 == 1].tolist()
    return wrong


ROW = re.compile(r" *\d+((?: +(?:\d+|[.#]))+) *")  # of a board that a command prints: rank, then numbers


def grid(text: str, shape: tuple[int, ...], first: int = 1) -> NDArray[np.int64]:
    """Return the boards of numbers in the output of a command, in the shape of a table.

    Args:
        text: output, with boards below one another.
        shape: (rows, columns) or (boards, rows, columns).
        first: first board to read, counted from 1.

    Raises:
        FormatError: the text has too few boards.
    """
    words = [word for line in text.splitlines() if (row := ROW.fullmatch(line)) for word in row[1].split()]
    begin, size = (first - 1) * shape[-1] * shape[-2], int(np.prod(shape))
    if len(words) < begin + size:
        raise FormatError(f"{len(words)} numbers, expected {begin + size}: {text[:60]!r}")
    return np.array([word.isdigit() and int(word) for word in words[begin : begin + size]]).reshape(shape)


def compare(name: str, table: Printed, ours: NDArray[np.int64], why: str = "", *, steps: bool) -> Item:
    """Compare a table, of steps or other numbers, with ours; equal tables need no further words."""
    differing, lost = differences(table.numbers, ours), int(np.count_nonzero(table.numbers == LOST))
    shown = table.figures(name, ours if differing or lost else None, tour=steps)
    size = table.numbers.size
    if not differing:
        summary_ = f"{lost} of {size} numbers are not legible; the others are the same" if lost else ""
        return Item(same=True, recomputed=summary_, why=why, figures=shown)
    named = ", ".join(f"{cell} {a or 'empty'} for {b or 'empty'}" for cell, a, b in differing[:8])
    summary_ = f"{len(differing)} of {size} numbers differ: {named}{', ...' if differing[8:] else ''}"
    judged = "no" if differences(mended(table), ours) else "yes"
    return Item(same=False, recomputed=summary_, why=why, figures=shown, judged=judged)


def summary(table: Printed, shows: str, ran: str) -> Item:
    """Compare a printed summary with the output of `optgraph`, on the lines that `shows` selects."""
    lines = [row(*" ".join(words).split(": ")) for words in table.words]
    claimed = [line for line in lines if re.search(shows, line)]
    printed = "; ".join(" ".join(line.split()) for line in claimed)
    return Item(set(claimed) <= set(ran.splitlines()), printed)


def verify(name: str, table: Printed, length: int | None = None, *, closed: bool = False) -> Item:
    """Check a printed tour move by move; `length` is its number of steps if it skips squares."""
    steps, whole, spec = table.numbers, table.numbers.size, table.board.spec
    faults_found = list(faults(steps))
    what, right = f"a tour of {spec}", "every step is a move, every square is visited once"
    if length is not None:
        what, right = f"a walk of {length} steps on {spec}", "every step is a move"
        if np.count_nonzero(steps) == length:
            empty = (f"{whole - length} squares are empty", "no square has")
            faults_found = [fault for fault in faults_found if not fault.startswith(empty)]
    if closed:
        what, right = what.replace("a ", "a closed ", 1), f"{right}, the last one leads back to the first"
        first, *_, last = in_order(steps)
        if first not in move_graph(table.board).neighbours(int(last)):
            faults_found.append("no move leads from the last step to the first")
    shown = table.figures(name, tour=True)
    if not faults_found and (length is not None or is_tour(steps)):
        return Item("verified", what, right, figures=shown)
    corrected, why = mended(table), list[str]()
    if changed := differences(steps, corrected):
        remaining = "; ".join(faults(corrected))
        so = "it is a tour" if is_tour(corrected) else f"there remain: {remaining}"
        why.append(f"with the {len(changed)} corrections {so}")
        shown = table.figures(name, corrected, tour=True)
    if (flipped := parities(steps)) and flipped[-1] - flipped[0] == len(flipped) - 1:
        span = f"steps {flipped[0]} to {flipped[-1]} stand on the wrong colour"
        why.append(f"{span}, so no exchange of two squares mends it")
    judged = "yes" if is_tour(corrected) else "no"
    return Item("refuted", what, "; ".join(faults_found), ". ".join(why), figures=shown, judged=judged)
