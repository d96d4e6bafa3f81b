"""Tables of other programs: numbers under variables, steps under other titles, and records of JSON.

Spreadsheets, statistics programs and data frames add what a table of ours lacks: a line of variables, a
column of row numbers, signs for missing values, and titles of their own. `usual_table` returns such a text
as `text`, `csv` and `puzzle` read it. Lines keep their numbers unless the text is JSON or its rows count
from the bottom.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import pairwise
from string import ascii_lowercase
from typing import Any

from cavalcade.boards.family import file_index, file_name
from cavalcade.boards.notation import format_mask, parse_board
from cavalcade.formats.header import separator
from cavalcade.ground import TEXT_WIDTH

MISSING = {"", ".", "nan", "na", "null", "none", "<na>"}
NUMBER = re.compile(r"-?[0-9]+(?:\.0*)?")
UNUSUAL = re.compile(r"(?i)\b(?:nan|na|null|none)\b|[0-9]\.0")  # among numbers without titles
LISTING = re.compile(r"(?i)(?:[^\n]*\n){0,9}?(?=[ \t]*Obs\b)")  # the lines above a listing of SAS
INDEX = {"", "obs", "row", "rank", "index", "id", "unnamed: 0"}  # titles of row numbers
# titles of the columns of steps, the best first, and of the pairs of columns of coordinates
STEPS = ("step", "move", "order", "index", "seq", "n", "t", "#", "")
NAMES = ("name", "cell", "square", "position", "pos", "field")
DOWN = (("row", "column"), ("row", "col"), ("r", "c"), ("i", "j"))  # the first row is at the top
UP = (("x", "y"), ("file", "rank"), ("column", "rank"), ("col", "rank"))  # the first row is at the bottom
READ = {"name", "square", "vertex", "node", "q", "level"}  # titles of a table that `csv` reads
CELL_LISTS = {"cells", "squares", "coords", "coordinates", "mask"}  # keys of a list of coordinates
OWN = re.compile('"(?:kind|status|given|claim|certificate)":')  # keys of objects of this package
ROW = re.compile("[;0-9 ]+")  # a row of a spreadsheet with semicolons, which is no comment
# keys of an object with the sides of a board and its holes
HEIGHTS, WIDTHS = ("height", "rows", "m"), ("width", "columns", "cols", "n")
GIVEN = ("givens", "clues", "numbers", "hints")  # keys of the numbers of a puzzle
BITMAP = re.compile(r"P1\s(?:#[^\n]*\n|\s)*([0-9]+)\s+([0-9]+)\s+([01\s]+)")  # a bitmap as text, of Netpbm
HOLES = ("holes", "removed", "blocked", "without", "missing")
LEFT_OUT = ";"  # a comment, in place of a line


def usual_table(text: str) -> str:
    """Return a table of another program as this package writes it; any other text as it is.

    Args:
        text: the text of a tour or a puzzle.
    """
    if text.lstrip()[:1] in {"{", "["}:
        if OWN.search(text[:1000]):
            return text
        rows = _records(text)
        return (rows and _steps(rows[0], rows[1:])) or _grid(text) or text
    listing = LISTING.match(text)
    lines = text.splitlines()
    filled = (k for k, line in enumerate(lines) if line.strip())
    top = text[: listing.end()].count("\n") if listing else next(filled, 0)
    below = next((k for k in filled if k > top), 0)
    if not below or (lines[top].lstrip().startswith(LEFT_OUT) and not ROW.fullmatch(lines[top])):
        return text
    mark = separator(lines[top]) or separator(lines[below])
    titles, first = ([field.lower() for field in _fields(lines[k], mark)] for k in (top, below))
    if mark and _are_steps(titles):
        return _steps(titles, (_fields(line, mark) for line in lines[top + 1 :] if line.strip())) or text
    indexed = len(first) > len(titles) or (titles[0] in INDEX and not _are_numbered(titles))
    if all(map(_is_number, titles)) and not (indexed and _are_numbered(titles[1:])):
        rows = [_fields(line, mark) for line in lines if line.strip()]
        steps = [*map(str, range(1, len(rows) + 1))]
        repeats = len({value for row in rows for value in row}) < sum(
            map(len, rows)
        )  # unlike numbers on a board
        if len(titles) == 3 and [row[0] for row in rows if len(row) == 3] == steps and repeats:
            return "\n".join(["step,row,column", *map(",".join, rows)])
        if not (UNUSUAL.search(text) or (mark == LEFT_OUT and any(line.startswith(mark) for line in lines))):
            return text
        indexed, below = False, top
    elif not (all(map(_is_number, first)) and _are_numbered(titles[len(titles) + indexed - len(first) :])):
        return text
    elif mark is None and titles[-1].isalpha():
        return text  # files above, and ranks to the left, as `text` reads them
    grid = [" ".join(map(_number, _fields(line, mark)[indexed:])) for line in lines[below:]]
    return "\n".join([*[LEFT_OUT] * below, *grid])


def _fields(line: str, mark: str | None) -> list[str]:
    """Return the values of a line, between marks or between blanks."""
    if mark is None:
        return line.split()
    with suppress(csv.Error):
        return [field.strip() for row in csv.reader([line], delimiter=mark) for field in row]
    return line.split(mark)


def _is_number(field: str) -> bool:
    """Whether a value is a number or missing."""
    return field.lower() in MISSING or NUMBER.fullmatch(field) is not None


def _number(field: str) -> str:
    """Return a number without decimals; a dot for a missing value."""
    return "." if field.lower() in MISSING else field.partition(".")[0]


def _are_numbered(titles: Sequence[str]) -> bool:
    """Whether titles name the columns of a board: `c1 c2 c3`, `0 1 2` or `a b c`."""
    stem = titles[0].rstrip("0123456789") if len(titles) > 2 else ""  # no tour has a side below 3
    numbered = ([f"{stem}{number}" for number in range(first, first + len(titles))] for first in (0, 1))
    return len(titles) > 2 and [*titles] in [*numbered, [*ascii_lowercase[: len(titles)]]]


def _are_steps(titles: Iterable[str]) -> bool:
    """Whether titles belong to a table of steps that `csv` does not read itself."""
    distinct = {*titles}
    own = not distinct.isdisjoint(READ) or any({*pair} <= distinct for pair in DOWN[:2])
    return not own and (not distinct.isdisjoint(NAMES) or any({*pair} <= distinct for pair in DOWN + UP))


def _steps(titles: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table of steps under the titles of `csv`, or nothing if there are no cells in it.

    Coordinates that count from the bottom become names, and the board is the box that the cells fill.

    Args:
        titles: the titles, in lower case.
        rows: the values.
    """
    columns: dict[str, Sequence[Any]] = dict(zip(titles, zip(*rows, strict=False), strict=False))
    name = next((title for title in NAMES if title in columns), None)
    pair = next((pair for pair in DOWN + UP if {*pair} <= columns.keys()), ())
    step = next((title for title in STEPS if title in columns), None)
    made: dict[str, Sequence[Any]] = {} if step is None else {"step": columns[step]}
    if name is not None:
        made["name"] = columns[name]
    elif pair in DOWN:
        made |= {"row": columns[pair[0]], "column": columns[pair[1]]}
    elif pair:
        try:
            files, ranks = (_from_one(columns[title]) for title in pair)
        except ValueError:
            return ""
        made["name"] = [
            f"{file_name(file - 1, ascii_lowercase)}{rank}" for file, rank in zip(files, ranks, strict=True)
        ]
        if len({*made["name"]}) == max(files) * max(ranks):
            made["board"] = [f"{max(ranks)}x{max(files)}"] * len(ranks)
    stated = [title for title in ("kind", "board", "piece", "tour") if title in columns]
    if not made.keys() & {"name", "row"}:
        return ""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    made |= {title: columns[title] for title in stated}
    table.writerow(made)
    table.writerows(zip(*made.values(), strict=True))
    return out.getvalue()


def _from_one(values: Sequence[Any]) -> list[int]:
    """Return coordinates from 1, which may be letters of files or count from 0.

    Raises:
        ValueError: a value is neither a number nor a letter.
    """
    texts = [str(value).lower() for value in values]
    if all(text.isalpha() and text.isascii() for text in texts):
        return [file_index(text, ascii_lowercase) + 1 for text in texts]
    numbers = [int(_number(text)) for text in texts]
    return [number + (min(numbers) == 0) for number in numbers]


def _records(text: str) -> list[list[Any]]:
    """Return the titles and rows of a table in JSON, in the forms of data frames; or nothing.

    They are objects in a list or on lines, an object of columns, titles and rows as `columns` and `data`, or
    an object with a list of coordinates.
    """
    with suppress(ValueError, RecursionError):
        if re.match(r"\{[^{}\[\]]*\}\s*\n\s*\{", text.lstrip()):
            data: Any = [json.loads(line) for line in text.splitlines() if line.strip()]
        else:
            data = json.loads(text)
        if isinstance(data, dict) and len(data) == 1 and not CELL_LISTS.isdisjoint(data):
            cells = next(iter(data.values()))
            return [["row", "column"], *cells] if all(isinstance(cell, list) for cell in cells) else []
        if isinstance(data, dict) and {"columns", "data"} <= data.keys():
            return [[str(title).lower() for title in data["columns"]], *data["data"]]
        if (
            isinstance(data, dict)
            and data
            and all(isinstance(column, list | dict) for column in data.values())
        ):
            columns = [
                [*(column.values() if isinstance(column, dict) else column)] for column in data.values()
            ]
            titles = [title.lower() for title in data]
            if len({len(column) for column in columns}) == 1 and (
                _are_steps(titles) or {"row", "col"} & {*titles}
            ):
                return [titles, *map(list, zip(*columns, strict=True))]
        if (
            isinstance(data, list)
            and data
            and all(isinstance(row, dict) and row.keys() == data[0].keys() for row in data)
        ):
            return [[title.lower() for title in data[0]], *([*row.values()] for row in data)]
    return []


def _grid(text: str) -> str:
    """Return the only array of numbers in a JSON text if `null` or an object is around it, or nothing."""
    with suppress(ValueError, RecursionError):
        data = json.loads(text)
        if isinstance(data, dict) and (grid := _numbered_cells(data)):
            return grid
        values = [*data.values()] if isinstance(data, dict) else [data]
        grids = [
            rows for rows in values if isinstance(rows, list) and len(rows) > 2 and all(map(_is_row, rows))
        ]
        if len(grids) == 1 and len({*map(len, grids[0])}) == 1 and (isinstance(data, dict) or "null" in text):
            return "\n".join(" ".join("." if cell is None else str(cell) for cell in row) for row in grids[0])
    return ""


def _is_row(row: object) -> bool:
    """Whether a value of JSON is a row of numbers, of which some may be missing."""
    return (
        isinstance(row, list) and len(row) > 2 and all(cell is None or isinstance(cell, int) for cell in row)
    )


def _sides(fields: dict[str, Any]) -> list[int]:
    """Return the numbers of rows and columns in an object of JSON; nothing without both, or if too large."""
    sides = [next((fields[key] for key in keys if key in fields), 0) for keys in (HEIGHTS, WIDTHS)]
    return sides if all(isinstance(side, int) and 0 < side <= TEXT_WIDTH for side in sides) else []


def _numbered_cells(fields: dict[str, Any]) -> str:
    """Return the grid of an object with sides and numbers by name, as `"givens": {"a1": 1}`, or nothing."""
    sides = _sides(fields)
    named: dict[str, Any] = next((fields[key] for key in GIVEN if isinstance(fields.get(key), dict)), {})
    if not named or not sides:
        return ""
    files = [file_name(k, ascii_lowercase) for k in range(sides[1])]
    grid = [[named.get(f"{file}{rank}", ".") for file in files] for rank in range(sides[0], 0, -1)]
    return "\n".join(" ".join(map(str, row)) for row in grid)


def picture_of_cells(text: str) -> str:
    """Return the picture of the board of these cells, or nothing if the text is no list of coordinates.

    Args:
        text: an object with `cells`, or a table whose columns are coordinates and nothing else.
    """
    if bitmap := BITMAP.fullmatch(text):  # 1 is black, a cell
        bits, width = "".join(bitmap[3].split()), int(bitmap[1])
        rows = [bits[k : k + width] for k in range(0, len(bits), width)] if width else []
        drawn = {*map(len, rows)} == {width} and len(rows) == int(bitmap[2])
        return "\n".join(rows).replace("0", "#").replace("1", ".") if drawn else ""
    titles: Sequence[str]
    cells: Sequence[Any]
    if text.lstrip()[:1] in {"{", "["}:
        if sized := _sides_and_holes(text):
            return sized
        titles, *cells = _records(text) or [[]]
    else:
        first, _, below = text.partition("\n")
        mark = separator(first)
        titles = [field.lower() for field in _fields(first, mark)]
        cells = [_fields(line, mark) for line in below.splitlines() if line.strip()]
    pair = next((pair for pair in DOWN + UP if {*titles} == {*pair}), ())
    if pair and all(_is_move(a, b) for a, b in pairwise(cells)):
        return ""  # a walk
    places = {
        tuple(int(value) for value in (cell if [*titles] == [*pair] else reversed(cell)))
        for cell in cells
        if pair and _is_pair(cell)
    }
    if not places or len(places) < len(cells):
        return ""
    if pair in UP:
        places = {(-up, across) for across, up in places}
    sides = [range(min(side), max(side) + 1) for side in zip(*places, strict=True)]
    if len(sides[0]) * len(sides[1]) > len(places) ** 2:  # too wide for moves between the cells
        return ""
    return "\n".join("".join(".#"[(row, column) not in places] for column in sides[1]) for row in sides[0])


def _sides_and_holes(text: str) -> str:
    """Return the picture of a board such as `{"width": 8, "height": 6, "holes": ["d4"]}`, or nothing.

    Raises:
        BoardError: a hole is no cell of the board.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    fields: dict[str, Any] = {key.lower(): data[key] for key in data} if isinstance(data, dict) else {}
    sides = _sides(fields)
    holes = [*next((fields[key] for key in HOLES if isinstance(fields.get(key), list)), [])]
    if not sides:
        return ""
    for k, hole in enumerate(holes):
        if _is_pair(hole):  # a row and a column
            holes[k] = f"{file_name(hole[1], ascii_lowercase)}{sides[0] - hole[0]}"
    spec = "x".join(map(str, sides)) + "-" * bool(holes) + ",".join(map(str, holes))
    return format_mask(parse_board(spec))


def _is_move(first: Any, second: Any) -> bool:
    """Whether a knight's move leads from one cell to the next, given by coordinates."""
    if not (_is_pair(first) and _is_pair(second)):
        return False
    return {abs(int(a) - int(b)) for a, b in zip(first, second, strict=True)} == {1, 2}


def _is_pair(value: object) -> bool:
    """Whether a value is two whole numbers."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        return False
    return all(re.fullmatch(r"-?[0-9]{1,9}", str(number)) for number in value)
