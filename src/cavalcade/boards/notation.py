"""Specs and board files: text that describes a board.

A spec is `[kind:]sides[-holes]`: `8x8`, `4x8x8` (four levels of 8x8), `3x3x3x4`, or a name of
`families.FAMILIES` before the sides, as in `hex:6` and `torus:5x7`. Cells can be removed: `8x8-a1,b1`.
`Board.spec` writes what `parse_board` reads.

A board file is a picture of a board: one character per cell, `.` for a cell and `#` or a space for a hole,
one row per line, an empty line between levels. Lines that begin with `;` are comments; short lines are filled
with holes. Spaces, commas, semicolons or tabs may separate the signs of a file: `. . #`. Pictures on web
pages have other signs: `1` a cell and `0` a hole, `_` or `__` a cell, and `x` a hole beside cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from cavalcade.boards.board import Board
from cavalcade.boards.families import FAMILIES
from cavalcade.boards.family import Family, file_name
from cavalcade.ground.errors import BoardError, CellError

SEPARATOR = re.compile(r"(?<=[.#])[\t,;](?=[.#])")
SPACED_ROW = re.compile(r"[.#]( [.#])+")
NAMED = {"chessboard": "8x8", "chess": "8x8", "glinski": "hex:6"}
SIDE, BETWEEN = r"(?:\d+|n)", r"(?:\s*[x*,\N{MULTIPLICATION SIGN}]\s*|\s+by\s+|-by-|by|\s+)"
TYPED = re.compile(
    rf"(?:([a-z]+)(?:\s*:\s*|\s+|(?=[0-9])))?\(?\s*({SIDE}(?:{BETWEEN}{SIDE})*)\s*\)?(\s*-.*)?"
)
RELATIVE = re.compile(r"\{n([+-]\d{1,9})?\}")  # a column, row or level, counted from the last one
SEQUENCE = re.compile("a[0-9]{6}")  # of the OEIS
EXAMPLES = "try 8x8, 4x8x8, hex:6, torus:5x7, cube:4 or 8x8-a1,b1"


def parse_board(spec: str) -> Board:
    """Return the board that a spec describes.

    Args:
        spec: text such as `8x8`, `4x8x8`, `hex:6`, `torus:5x7` or `8x8-d4,e5`.

    Raises:
        BoardError: the text is not a spec; the message quotes it.
        CellError: a hole is not a cell of the board.

    Examples:
        >>> board("8x8-a1").size
        63
    """
    if not isinstance(spec, str):
        quoted = " ".join(repr(spec).split())[:60]
        raise BoardError(
            f"{quoted} is not text: {EXAMPLES}; for a mask, Board('box', mask.shape, mask), for sides "
            "Board.box(8, 8)"
        )
    text = spelled(spec)
    shape, dash, holes = text.partition("-")
    kind, colon, sides_text = shape.rpartition(":")
    kind = kind if colon else "box"
    quoted = repr(spec if len(spec) <= 60 else spec[:57] + "...")
    if SEQUENCE.fullmatch(text):
        raise BoardError(f"{quoted} is a sequence: try cavalcade count 3xn for A070030, nxn for A001230")
    if kind not in FAMILIES or kind + colon == "box:":
        raise BoardError(f"unknown kind of board in {quoted}: {EXAMPLES}")
    parts = sides_text.split(FAMILIES[kind].separator)
    if "n" in parts:
        theorem = " or cavalcade theorem schwenk" * (kind == "box")
        advice = f"try cavalcade count {text}{theorem} or sequence({text!r}) in Python"
        raise BoardError(f"{quoted} is a family of boards; for all: {advice}")
    if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        raise BoardError(f"{quoted} is not a board: {EXAMPLES}")
    least, most = FAMILIES[kind].side_count
    if not least <= len(parts) <= most:
        if len(parts) == 1:
            meant = shape[: -len(sides_text)] + FAMILIES[kind].separator.join(parts * least)
            raise BoardError(f"{quoted} has one side, but needs at least {least}. Did you mean {meant}?")
        expected = f"{least}" if least == most else f"{least} to {most}"
        raise BoardError(f"{quoted} has {len(parts)} sides, expected {expected}: {EXAMPLES}")
    sides = tuple(map(int, parts))
    if 0 in sides:
        raise BoardError(f"{quoted} has a side of 0, expected 1 or more: {EXAMPLES}")
    board = Board(kind, sides)
    if not dash:
        return board
    try:
        return board.without(split_names(holes))
    except CellError as error:
        separated = f", or {shape}-{holes.replace('-', ',')}" if "-" in holes else ""
        raise CellError(f"in {quoted}: {error}{separated}") from None


def spelled(spec: str) -> str:
    """Return a spec in its usual spelling: 8x8 for `8 x 8`, `8*8`, `8 by 8`, `(8, 8)`; hex:6 for `hex 6`."""
    text = spec.strip().lower().replace("ö", "o").replace("ń", "n")
    text = NAMED.get(text, text)
    if (typed := TYPED.fullmatch(text)) is None or (kind := typed[1] or "box") not in FAMILIES:
        return text
    separators = {separator.strip(" -") for separator in re.split(SIDE, typed[2])[1:-1]}
    if len(separators) > 1:
        return text
    sides = FAMILIES[kind].separator.join(re.findall(SIDE, typed[2]))
    return f"{typed[1] + ':' if typed[1] else ''}{sides}{(typed[3] or '').strip()}"


def grows(spec: str) -> bool:
    """Tell whether a side is n, as in 3xn or hex:n, to be replaced by 1, 2, 3 and so on."""
    return "n" in re.split("[x,]", spelled(spec).partition("-")[0].rpartition(":")[2])


def grown(spec: str, n: int) -> str:
    """Return the spec with its side n replaced by a number, and with the holes of that board."""
    shape, dash, holes = spec.partition("-")
    kind, colon, sides = shape.rpartition(":")
    return kind + colon + sides.replace("n", str(n)) + dash + grown_names(holes, spec, n)


def grown_names(text: str, spec: str, n: int) -> str:
    """Return text with the names of cells of one board, for `{n}1` or `a{n-1}`, which are relative to a side.

    A column is written in letters: `{n}1` is h1 for n = 8. Rows and levels are numbers.

    Args:
        text: names of cells, and anything else, which is not changed.
        spec: spec of the family.
        n: its side.
    """
    kind, colon, _ = spec.partition("-")[0].partition(":")
    letters = FAMILIES.get(kind if colon else "box", FAMILIES["box"]).letters
    return filled_names(RELATIVE, text, lambda match: n + int(match[1] or 0), letters)


def filled_names(
    braces: re.Pattern[str],
    text: str,
    value: Callable[[re.Match[str]], int | str],
    letters: str = Family.letters,
) -> str:
    """Return text with values for braces; a number in the place of a column is written in letters.

    Args:
        braces: what is replaced.
        text: names of cells, and anything else, which is not changed.
        value: the number or the word for a match.
        letters: the letters of columns.
    """

    def replaced(match: re.Match[str]) -> str:
        number = value(match)
        before, after = text[: match.start()], text[match.end() :]
        is_column = re.match("[0-9{]", after) and not re.search("[0-9a-z}]$", before)
        if is_column and isinstance(number, int) and number > 0:
            return file_name(number - 1, letters)
        return str(number)

    return braces.sub(replaced, text)


def split_names(text: str) -> list[str]:
    """Split cell names at commas: `d4,e5`.

    Raises:
        CellError: a name is empty.
    """
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise CellError(f"{text[:60]!r} is not a list of cells, expected names between commas, like d4,e5")
    return names


Rows = list[tuple[int, str]]  # line numbers, from 1, and lines of a board file


def parse_mask(text: str, source: str = "the board file") -> Board:
    """Return the board that a board file draws: `.` a cell, `#` a hole, an empty line between levels.

    Args:
        text: the contents of the file.
        source: name of the file in error messages.

    Raises:
        BoardError: an unknown character, levels of different sizes, or no cell; the message names the line.
    """
    levels = _levels(_usual_signs(text, source), source)
    rows = [row for level in levels for row in level]
    if not any("." in line for _, line in rows):
        raise BoardError(f"{source} has no cell, expected at least one '.'")
    if len(levels) > 1 and all(len(level) == 1 for level in levels):
        raise BoardError(f"{source}: each line is a level, expected an empty line only between levels")
    for k, level in enumerate(levels):
        if len(level) != len(levels[0]):
            sizes = f"level {k + 1} has {len(level)} lines, expected {len(levels[0])} as in level 1"
            raise BoardError(f"{source}, line {level[0][0]}: {sizes} (an empty line begins a new level)")
    indent, step = _spacing(rows, source)
    lines = [[line[indent::step] for _, line in level] for level in levels]
    mask = np.zeros(
        (len(lines), len(lines[0]), max(len(line) for level in lines for line in level)), np.bool_
    )
    for k, level_lines in enumerate(lines):
        for i, line in enumerate(level_lines):
            mask[k, i, : len(line)] = [character == "." for character in line]
    mask = mask[0] if len(levels) == 1 else mask
    return Board("box", mask.shape, mask)


# The signs of pictures, and their cells and holes; a blank is always a hole.
SIGNS = (
    ({"1", "0"}, "1", "0"),
    ({"1", "."}, "1", "."),
    ({".", "x", "X", "#"}, ".", "xX#"),
    ({"_", "x", "X", "#"}, "_", "xX#"),
    *(({sign}, sign, "") for sign in "#xXoO*@1"),
)


# Ranks in the notation of Forsyth and Edwards: numbers of cells, and signs of holes; other fields may follow.
RANKS = re.compile(r"\s*((?:[0-9]|[*#xX-])+(?:/(?:[0-9]|[*#xX-])+)+)(?: [wb] [^\n]*)?\s*")


def uses_signs(text: str) -> bool:
    """Return whether a text is a picture in signs other than `.` and `#`: 1 and 0, `_`, `x`, or ranks.

    A single sign is that of the cells if there are blanks between or beside them.
    """
    if RANKS.fullmatch(text):
        return True
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(";")]
    signs = set(re.sub(r"[\s,;]", "", "".join(lines)))
    if len(signs) == 1 and not signs & {".", "_"}:
        blank = (
            any(line.startswith(" ") or "  " in line.strip() for line in lines) or len({*map(len, lines)}) > 1
        )
        return len(lines) > 2 and blank and any(signs == row[0] for row in SIGNS)
    return (
        signs == {"0", "1"}
        or (signs == {"1", "."} and text.count("1") > 2)  # a single 1 is the first number of a puzzle
        or any("_" in signs and signs <= row[0] for row in SIGNS)
        or ({"."} < signs <= SIGNS[2][0])
    )


def _usual_signs(text: str, source: str) -> str:
    """Return a picture with `.` and `#` in place of other signs.

    Raises:
        BoardError: double signs do not stand in columns.
    """
    if not uses_signs(text):
        return text
    if ranks := RANKS.fullmatch(text):
        return _drawn_ranks(ranks[1].split("/"), source)
    lines = [line for line in text.splitlines() if not line.startswith(";")]
    signs = set("".join(lines)) - set(" \t,;")
    _, cells, holes = min((row for row in SIGNS if signs <= row[0]), key=lambda row: len(row[0]))
    if "__" in text and not re.search(r"(?<!_)(_|___+)(?!_)", text):
        lines = [_halved(line, number, source) for number, line in enumerate(lines, 1)]
    table = str.maketrans(dict.fromkeys(cells, ".") | dict.fromkeys(holes, "#"))
    return "\n".join(line.translate(table) for line in lines)


def _drawn_ranks(ranks: list[str], source: str) -> str:
    """Return the picture of ranks such as `3*4`: three cells, a hole, and four cells.

    Raises:
        BoardError: the ranks differ in length, or a number is too large.
    """
    drawn = []
    for number, rank in enumerate(ranks, 1):
        parts = re.findall(r"[0-9]+|[^0-9]", rank)
        if any(len(part) > 4 for part in parts):
            raise BoardError(f"{source}, rank {number}, {rank[:40]!r}: expected numbers below 10,000")
        drawn.append("".join("." * int(part) if part.isdigit() else "#" for part in parts))
        if len(drawn[-1]) != len(drawn[0]):
            sizes = f"{len(drawn[-1])} squares, expected {len(drawn[0])} as in the first rank"
            raise BoardError(f"{source}, rank {number}, {rank[:40]!r}: {sizes}")
    return "\n".join(drawn)


def _halved(line: str, number: int, source: str) -> str:
    """Return a line of signs such as `__`, three columns apart, as single signs two columns apart.

    Raises:
        BoardError: a sign is not in such a column.
    """
    line = line.rstrip()
    signs = re.findall("(...)", f"{line}   "[: len(line) + 3 - len(line) % 3])
    if not all(re.fullmatch("(__|  |##|xx|XX| [#xX]|[#xX] ) ", sign) for sign in signs):
        why = "the cells '__' do not line up, expected one in every third column"
        raise BoardError(f"{source}, line {number}, {line[:40]!r}: {why}")
    return " ".join(sign.strip()[:1] or " " for sign in signs).rstrip()


def _levels(text: str, source: str) -> list[Rows]:
    """Split a board file into levels; comments are dropped, other separators become spaces."""
    levels: list[Rows] = [[]]
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(";"):
            continue
        separated = len(SEPARATOR.findall(line)) == len(line) // 2
        row = (SEPARATOR.sub(" ", line) if separated else line).rstrip()
        for column, character in enumerate(row, 1):
            if character not in ".# ":
                raise BoardError(
                    f"{source}, line {number}, column {column}: {character!r} is neither '.' (a cell) "
                    "nor '#' (a hole)"
                )
        if row:
            levels[-1].append((number, row))
        elif levels[-1]:
            levels.append([])
    return [level for level in levels if level]


def _spacing(rows: Rows, source: str) -> tuple[int, int]:
    """Return the column of the first cell and the distance of two cells in a row, 1 or 2."""
    dense = re.search("[.#]{2}", "\n".join(line for _, line in rows))
    spaced = sum(SPACED_ROW.fullmatch(line.strip()) is not None for _, line in rows)
    if dense and 2 * spaced > len(rows):
        number, line = next((number, line) for number, line in rows if dense[0] in line)
        why = "no space, expected one between all cells, as in most lines (a hole is '#')"
        raise BoardError(f"{source}, line {number}, column {line.index(dense[0]) + 2}: {why}")
    if dense or not any(" " in line.strip() for _, line in rows):
        return 0, 1
    indent = min(len(line) - len(line.lstrip()) for _, line in rows)
    for number, line in rows:
        if line[indent + 1 :: 2].strip():
            why = "the cells do not line up, expected them below one another (a hexagon is hex:6)"
            raise BoardError(f"{source}, line {number}, {line[:40]!r}: {why}")
    return indent, 2


def format_mask(board: Board) -> str:
    """Return the board file of a box; `parse_mask` reads it back.

    Raises:
        BoardError: the board is not a box of two or three dimensions, or it has a single level or levels of a
            single row, so that its picture would describe another board.
    """
    if not board.is_box or board.dimensions > 3:
        raise BoardError(f"a board file shows boxes of two or three dimensions, not {board.title}")
    if board.dimensions == 3 and 1 in board.shape[:2]:
        raise BoardError(f"a board file cannot show {board.title}, with one level or one row per level")
    mask = np.ones(board.shape, dtype=np.bool_) if board.mask is None else board.mask
    levels = mask.reshape(-1, *board.shape[-2:])
    return "\n".join("".join("".join(".#"[not c] for c in row) + "\n" for row in level) for level in levels)
