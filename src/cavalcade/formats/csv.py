"""A tour as comma-separated values: one row per step, with the cell's name and its coordinates.

The first line names the columns: step, name and the coordinates, zero-based: `level,row,column` on boxes
(`level_1,level_2,…` in more dimensions), `q,r` on hexagons, `vertex` on plain graphs. Three columns say what
the tour is of, on the first row only: `kind,board,piece`, or `kind,board,digest` on plain graphs. A file that
is read needs names or coordinates; if it has both, they must agree. The columns may come in any order,
separated by commas, semicolons or tabs. A header in a comment above the titles is read, too, and so are the
titles `col` and `square`, and rows and columns from 1.

A label that a spreadsheet would run as a formula has an apostrophe in front, see `labels`.

A graph is a table of links, `from,to,weight`, each link once; `edges` reads this table.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.tours import Tour, Tours
from cavalcade.boards import Board
from cavalcade.formats.header import (
    Claim,
    Look,
    TextLine,
    describe,
    facts,
    filled_sides,
    integers,
    misnamed,
    separator,
    split_comments,
)
from cavalcade.formats.labels import field_of, labels_of
from cavalcade.formats.letters import (
    BLOCK,
    Letters,
    joined,
    naming,
    numbers_in,
    of_numbers,
    of_texts,
    repeated,
)
from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.words import validated

INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
TITLES = {"step", "name", "row", "q", "vertex", "order", "node"}
OTHER_TITLES = {"col": "column", "square": "name"}
OF_CYCLES = {"cycle": "tour", "order": "step", "node": "name"}  # titles of the cycles of PROC OPTGRAPH
CELLS = re.compile(r"[0-9.#,;\"\s]+|([0-9]+:)*[A-Za-z]+[0-9]+|[A-Za-z][1-9][0-9]*(_[0-9]+)*")
STATED = ("kind", "board", "piece", "digest")
AXES = ("row", "column", "q", "r", "vertex")


@validated
def write(
    thing: Tour | Tours | MoveGraph, *, header: bool = True, weights: Sequence[Decimal] | None = None
) -> str:
    """Write a tour or several, one row per step; or a graph, one row per link.

    Args:
        thing: the tour, the tours or the graph.
        header: whether to write the columns that say what the tour is of.
        weights: the weights of the links, in the order of `edges()`; by default 1.

    Raises:
        FormatError: the walk visits no cell, so that no row can say what it is of.
    """
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    if isinstance(thing, MoveGraph):
        return _links(thing, weights)
    if isinstance(thing, Tours):
        return write_rows(thing, 1)
    about = facts(describe(thing)) if header else {}
    if not len(thing):
        raise FormatError("a walk without cells has no rows: use text or json")
    rows.writerow(["step", "name", *thing.board.family.axes, *about])
    if thing.board.plain:  # labels may contain any character, so the csv module quotes them
        fields = [field_of(name) for name in thing.names]
        empty = [""] * len(about)
        numbered = enumerate(zip(fields, thing.cells.tolist(), strict=True), 1)
        rows.writerows([i, *cell, *(about.values() if i == 1 else empty)] for i, cell in numbered)
        return out.getvalue()
    names = naming(thing.board)
    for begin in range(0, len(thing), BLOCK):
        cells = thing.cells[begin : begin + BLOCK]
        steps = np.arange(begin, begin + len(cells), dtype=np.int32) + 1
        text = _rows(thing.board, names(cells), cells, steps, empty=len(about))
        out.write(_with_first(text, about) if not begin else text)
    return out.getvalue()


def _links(graph: MoveGraph, weights: Sequence[Decimal] | None) -> str:
    """Write the links of a graph, one row per link."""
    fields = [field_of(name) for name in graph.names]
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["from", "to", "weight"])
    if weights is None and re.fullmatch(r"[\w.:;\n-]*", "\n".join(fields), re.ASCII) and all(fields):
        # nothing to quote
        names, edges = np.array(fields, dtype=bytes), graph.edges()
        for begin in range(0, len(edges), BLOCK):
            ends = edges[begin : begin + BLOCK].T
            comma, weight = (repeated(text, ends.shape[1]) for text in (",", ",1\n"))
            out.write(joined([of_texts(names[ends[0]]), comma, of_texts(names[ends[1]]), weight]))
    else:
        rows.writerows(
            [fields[a], fields[b], weight]
            for (a, b), weight in zip(graph.pairs(), weights or [Decimal(1)] * graph.edge_count, strict=True)
        )
    return out.getvalue()


def _with_first(text: str, about: dict[str, str]) -> str:
    """Fill the last columns of the first row, which are empty."""
    first, _, rest = text.partition("\n")
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(about.values())
    return f"{first[: len(first) - len(about)]},{out.getvalue()}{rest}" if about else text


def write_rows(tours: Tours, number: int) -> str:
    """Write a part of a list of tours: each row begins with the number of its tour.

    Args:
        tours: the tours of the part.
        number: the number of the first of them in the whole list, from 1.
    """
    board, (k, n) = tours.board, tours.cells.shape
    about = facts(describe(next(iter(tours))))
    empty = len(about)
    if board.plain:
        tables = ((i, write(tour, header=False).split("\n", 1)[1]) for i, tour in enumerate(tours, number))
        text = "".join(f"{i},{row}{',' * empty}\n" for i, table in tables for row in table.splitlines())
    else:
        cells = tours.cells.ravel()
        numbers = np.repeat(np.arange(number, number + k, dtype=np.int64), n)
        steps = np.tile(np.arange(1, n + 1), k)
        text = _rows(board, naming(board)(cells), cells, numbers, steps, empty=empty)
    if number > 1:
        return text
    titles = ",".join(["tour", "step", "name", *board.family.axes, *about])
    return f"{titles}\n{_with_first(text, about)}"


def _rows(
    board: Board,
    names: Letters,
    cells: NDArray[np.int32],
    *numbers: NDArray[np.integer],
    empty: int,
) -> str:
    """The rows of some cells: columns of numbers, names and coordinates, and empty columns."""
    columns = [*map(of_numbers, numbers), names, *map(of_numbers, board.coords[cells].T)]
    signs = [","] * (len(columns) - 1) + ["," * empty + "\n"]
    separators = (repeated(sign, len(cells)) for sign in signs)
    return joined(list(chain.from_iterable(zip(columns, separators, strict=True))))


def write_levels(levels: Iterable[Tour], stack: Board, *, header: str = "") -> Iterator[str]:
    """Write the tour of a stack level by level, with the same rows as `write`.

    Args:
        levels: the walks on the levels, from the lowest.
        stack: the whole board.
        header: the header, from which the last columns are made; empty for none.
    """
    about = facts(header)
    yield ",".join(["step", "name", *stack.family.axes, *about]) + "\n"
    step = 0
    for k, walk in enumerate(levels):
        rows = []
        for name, coords in zip(walk.names, walk.coords.tolist(), strict=True):
            step += 1
            rows.append(f"{step},{k + 1}:{name},{k},{','.join(map(str, coords))}{',' * len(about)}\n")
        yield "".join(rows) if k else _with_first("".join(rows), about)


def sniff(look: Look) -> bool:
    """Whether the first line names columns, or has commas and neither numbers nor cells."""
    titles = {title.strip('" ').lower() for title in re.split(r"[,;\t]", look.first[:200])}
    if len(titles & TITLES) > look.names:  # one title may be a label, such as Q
        return True
    return not look.names and "," in look.first and not CELLS.fullmatch(look.words[0])


def parse(text: str, claim: Claim) -> Tour:
    """Read a tour.

    Raises:
        FormatError: the table has several tours, or is no table of a tour.
    """
    tours = parse_all(text, claim)
    tour = next(tours)
    if next(tours, None) is not None:
        raise FormatError("several tours, expected one: `check` and read_tours read all")
    return tour


def _as_written(text: str, claim: Claim) -> Tour | None:
    """Read a tour on a board from a table of `write`, without a Python object for each cell.

    Only the coordinates are parsed. The tour is then written again and compared with the text. None for any
    other text, and for a text with an error.
    """
    head, _, below = text.partition("\n")
    first, _, below = below.partition("\n")
    try:
        titles, values = csv.reader([head, first], strict=True)
        stated = dict(zip(titles, values, strict=True))
        claim = claim.filled(**{title: stated[title] or None for title in STATED if title in stated})
        board = claim.needs_board()
        axes = board.family.axes
        if board.plain or titles[: 2 + len(axes)] != ["step", "name", *axes]:
            return None
        numbers = numbers_in(below, "\n").reshape(-1, 2 * len(axes))  # names contain numbers, too
        coords = np.vstack([[int(stated[axis]) for axis in axes], numbers[:, len(axes) :]])
        cells = board.locate(coords)
        tour = None if (cells < 0).any() else claim.tour(cells)
        return tour if tour is not None and write(tour) == text else None
    except (AttributeError, CavalcadeError, KeyError, ValueError, csv.Error):
        return None  # the general reader explains it


def parse_all(text: str, claim: Claim) -> Iterator[Tour]:
    """Read one tour, or the tours that a column `tour` numbers; a tour ends where the number changes."""
    if (tour := _as_written(text, claim)) is not None:
        yield tour
        return
    lines = text.rstrip().splitlines()
    above = next(i for i, line in enumerate(lines) if line.strip() and not line.lstrip().startswith(";"))
    claim, _ = split_comments("\n".join(lines[:above]), claim)

    def line(row: int) -> TextLine:  # row 0 has the titles
        return TextLine(above + row + 1, lines[above + row])

    top = line(0)
    mark = separator(top.text) or ","
    rows = csv.reader(lines[above:], delimiter=mark, strict=True)
    try:
        titles = [OTHER_TITLES.get(title, title) for title in (title.strip().lower() for title in next(rows))]
    except csv.Error as error:
        raise top.error(f"the line cannot be split into values: {error}") from None
    cycles = {*OF_CYCLES} <= {*titles}
    if cycles:
        titles = [OF_CYCLES.get(title, title) for title in titles]
    levels = sorted((title for title in titles if title.startswith("level")), key=lambda t: (len(t), t))
    axes = [*levels, *(title for title in AXES if title in titles)]
    if "name" not in titles and not axes:
        raise top.error("expected the names of the columns, like step,name,row,column")
    if repeat := next((title for i, title in enumerate(titles) if title and title in titles[:i]), ""):
        raise top.error(f"two columns are called {repeat!r}")
    columns: dict[str, list[str]] = {title: [] for title in titles}
    try:
        for i, row in enumerate(rows, 1):
            if len(row) != len(titles):
                raise line(i).error(f"{len(row)} values, expected {len(titles)}")
            for title, value in zip(titles, row, strict=True):
                columns[title].append(value)
    except csv.Error as error:
        raise line(rows.line_num - 1).error(f"the line cannot be split into values: {error}") from None
    claim = claim.filled(**{title: _only(columns[title], title, line) for title in STATED if title in titles})
    numbers = columns.pop("tour", [])
    changes = [row for row in range(1, len(numbers)) if numbers[row] != numbers[row - 1]]
    for first, last in pairwise([0, *changes, len(columns[titles[-1]])]):
        part = {title: values[first:last] for title, values in columns.items() if title not in STATED}
        if cycles and part["name"][0] == part["name"][-1]:
            part, claim = {title: values[:-1] for title, values in part.items()}, replace(claim, closed=True)
        yield _tour(part, axes, claim, top, partial(_line_below, line, first))


def _tour(
    columns: dict[str, list[str]],
    axes: list[str],
    claim: Claim,
    top: TextLine,
    line: Callable[[int], TextLine],
) -> Tour:
    """Make a tour of the columns of a table.

    Args:
        columns: texts by the titles of columns, one per step.
        axes: titles of the coordinates.
        claim: what the table says that the tour is of.
        top: the line of the titles.
        line: function that returns the line of a row of the tour, from 1.
    """
    if "step" in columns:
        odd = np.flatnonzero(np.diff(_integers(columns["step"], line)) != 1)
        if odd.size:
            raise line(int(odd[0]) + 2).error("expected the step after the one above")
    coords = None
    if axes:
        coords = np.stack([_integers(columns[axis], line) for axis in axes], axis=1)
    if claim.board is None:
        if coords is not None and coords.size and "q" not in columns and (coords.min(axis=0) == 1).all():
            coords -= 1  # a complete tour visits the first row and column, so the table is one-based
        filled = filled_sides(columns["name"]) if coords is None else ""
        claim = claim.filled(filled or spanned(coords, hexagon="q" in columns))
    if axes and axes != (expected := claim.needs_board().family.axes):
        raise top.error(f"expected the coordinates {','.join(expected)}")
    if coords is not None and _is_from_one(coords, claim.needs_board()):
        coords -= 1
    if coords is not None and "name" not in columns:
        return claim.tour(cells_at(claim.needs_board(), coords))
    names = labels_of(columns["name"])
    try:
        tour = claim.tour_of_names(names)
    except CavalcadeError as error:
        named = ((line(i), name) for i, name in enumerate(names, 1))
        raise misnamed(claim.needs_board(), named) or error from None
    if coords is not None:
        if axes == ["row", "column"]:  # the rows of a table with names may count from the bottom
            bottom = claim.needs_board().coords[:, 0].max()
            turned = np.stack([bottom - coords[:, 0], coords[:, 1]], axis=1)
            coords = turned if (turned == tour.coords).all() else coords
        odd = np.flatnonzero((coords != tour.coords).any(axis=1))
        if odd.size:
            correct = ",".join(map(str, tour.coords[odd[0]].tolist()))
            raise line(int(odd[0]) + 1).error(f"{names[odd[0]]} lies at {correct}")
    return tour


def _is_from_one(coords: NDArray[np.int64], board: Board | MoveGraph) -> bool:
    """Whether coordinates are one-based: all are positive, and some exceed the largest zero-based one."""
    return bool(coords.size and coords.min() > 0 and (coords > board.coords.max(axis=0)).any())


def _line_below(line: Callable[[int], TextLine], first: int, row: int) -> TextLine:
    """Return the line of a row of a tour whose first row is number `first`, from 0, of the table."""
    return line(first + row)


def spanned(coords: NDArray[np.int64] | None, *, hexagon: bool) -> str:
    """The spec of the box or hexagon that coordinates fill.

    Raises:
        FormatError: the coordinates fill neither.
    """
    if coords is not None and coords.size and coords.shape[1] > 1:
        if hexagon:
            side = int(np.abs(coords).max()) + 1
            size, spec = 3 * side * (side - 1) + 1, f"hex:{side}"
        else:
            sides = (coords.max(axis=0) + 1).tolist()
            size, spec = math.prod(sides), "x".join(map(str, sides))
        if size == len(coords):
            return spec
    if coords is None:
        raise FormatError("no column names the board, give the board or the file of links (--board)")
    raise FormatError("the cells do not fill a box or a hexagon, give the board (--board)")


def cells_at(board: Board | MoveGraph, coords: NDArray[np.int64]) -> NDArray[np.int32]:
    """The cells at some coordinates, which must lie within the sides of the board, on surfaces too.

    Raises:
        FormatError: some coordinates are off the board.
    """
    cells = board.locate(coords)
    inside = (board.coords[cells] == coords).all(axis=1) & (cells >= 0)
    if not inside.all():
        bad = coords[np.flatnonzero(~inside)[0]].tolist()
        raise FormatError(f"the coordinates {bad} are off {board.title}")
    return cells.astype(np.int32)


def _only(column: list[str], title: str, line: Callable[[int], TextLine]) -> str | None:
    """The value of a column that has one value, perhaps not in every row; None if all rows are empty."""
    distinct = {*column} - {""}
    if len(distinct) > 1:
        first = next(filter(None, column))
        second = next(row for row, value in enumerate(column, 1) if value not in {"", first})
        raise line(second).error(f"a second {title}, expected one tour per file")
    return next(iter(distinct), None)


def _integers(column: list[str], line: Callable[[int], TextLine]) -> NDArray[np.int64]:
    """The integers in a column; the error about another value quotes its line."""
    if (numbers := integers(column)) is not None:
        return numbers
    bad = next(i for i, value in enumerate(column) if not INTEGER.fullmatch(value.strip()))
    raise line(bad + 1).error(f"{column[bad][:40]!r} is not a number")
