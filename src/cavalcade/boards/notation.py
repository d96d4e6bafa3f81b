"""What a person writes, and the board it means.

A spec is `[kind:]sides[-holes]`: `8x8`, `4x8x8` (four levels of 8x8), `3x3x3x4`, or `hex:6`, `torus:5x7` and
so on with the name of a family (`families.FAMILIES`), and any of them with cells removed: `8x8-a1,b1`.
`Board.spec` writes what `parse_board` reads.

A board file is the picture of a board: one character per cell, `.` for a cell and `#` or a space for a hole,
one row per line, an empty line between levels. Lines that begin with `;` are comments; short lines are
filled with holes. Spaces, commas, semicolons or tabs may separate the signs of a file: `. . #`.
"""

from __future__ import annotations

import re

import numpy as np

from cavalcade.boards.board import Board
from cavalcade.boards.families import FAMILIES
from cavalcade.ground.errors import BoardError, CellError

MARKED = re.compile(r"(?<=[.#])[\t,;](?=[.#])")
SPACED = re.compile(r"[.#]( [.#])+")
NAMED = {"chessboard": "8x8", "glinski": "hex:6"}
SIDE, BETWEEN = r"(?:\d+|n)", r"(?:\s*[x*,\N{MULTIPLICATION SIGN}]\s*|\s+by\s+|-by-|by|\s+)"
TYPED = re.compile(rf"(?:([a-z]+)(?:\s*:\s*|\s+))?\(?\s*({SIDE}(?:{BETWEEN}{SIDE})*)\s*\)?(\s*-.*)?")
EXAMPLES = "try 8x8, 4x8x8, hex:6, torus:5x7, cube:4 or 8x8-a1,b1"


def parse_board(spec: str) -> Board:
    """The board that a spec describes.

    Args:
        spec: as `8x8`, `4x8x8`, `hex:6`, `torus:5x7` or `8x8-d4,e5`.

    Raises:
        BoardError: the text is not a spec; the message quotes it.
        CellError: a hole is not a cell of the board.

    Examples:
        >>> board("8x8-a1").size
        63
    """
    text = spelled(spec)
    shape, dash, holes = text.partition("-")
    kind, colon, sides_text = shape.rpartition(":")
    kind = kind if colon else "box"
    quoted = repr(spec if len(spec) <= 60 else spec[:57] + "...")
    if kind not in FAMILIES or kind + colon == "box:":
        raise BoardError(f"unknown kind of board in {quoted}: {EXAMPLES}")
    parts = sides_text.split(FAMILIES[kind].between)
    if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        raise BoardError(f"{quoted} is not a board: {EXAMPLES}")
    least, most = FAMILIES[kind].how_many
    if not least <= len(parts) <= most:
        count = f"{least}" if least == most else f"{least} to {most}"
        tries = f"try {text}x{text}" if text.isdigit() else EXAMPLES
        raise BoardError(
            f"{quoted} has {len(parts)} side{'s' * (len(parts) != 1)}, expected {count}: {tries}"
        )
    sides = tuple(map(int, parts))
    if 0 in sides:
        raise BoardError(f"{quoted} has a side of 0, expected 1 or more: {EXAMPLES}")
    board = Board(kind, sides)
    if not dash:
        return board
    try:
        return board.without(split_names(holes))
    except CellError as error:
        raise CellError(f"in {quoted}: {error}") from None


def spelled(spec: str) -> str:
    """A spec in its usual spelling: `8 x 8`, `8*8`, `8 by 8`, `(8, 8)` are 8x8, and `hex 6` is hex:6."""
    text = spec.strip().lower().replace("ö", "o").replace("ń", "n")
    text = NAMED.get(text, text)
    if (found := TYPED.fullmatch(text)) is None or (kind := found[1] or "box") not in FAMILIES:
        return text
    if len({one.strip(" -") for one in re.split(SIDE, found[2])[1:-1]}) > 1:  # between sides
        return text
    sides = FAMILIES[kind].between.join(re.findall(SIDE, found[2]))
    return f"{found[1] + ':' if found[1] else ''}{sides}{(found[3] or '').strip()}"


def grows(spec: str) -> bool:
    """Whether a side is n, as in 3xn or hex:n, for 1, 2, 3 and so on."""
    return "n" in re.split("[x,]", spelled(spec).rpartition(":")[2])


def grown(spec: str, n: int) -> str:
    """The spec of a board with a side n, as 3xn or hex:n, for one n."""
    kind, colon, sides = spec.rpartition(":")
    return kind + colon + sides.replace("n", str(n))


def split_names(text: str) -> list[str]:
    """Cell names between commas: `d4,e5`.

    Raises:
        CellError: there is nothing between two commas.
    """
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise CellError(f"{text[:60]!r} is not a list of cells, expected names between commas, like d4,e5")
    return names


def parse_mask(text: str, source: str = "the board file") -> Board:
    """The board drawn in a text: `.` a cell, `#` a hole, an empty line between levels.

    Raises:
        BoardError: another character, levels of different sizes, or no cell; the message names the line.
    """
    levels: list[list[tuple[int, str]]] = [[]]
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(";"):
            continue
        row = (MARKED.sub(" ", line) if len(MARKED.findall(line)) == len(line) // 2 else line).rstrip()
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
    levels = [level for level in levels if level]
    if not any("." in row for level in levels for _, row in level):
        raise BoardError(f"{source} has no cell, expected at least one '.'")
    if len(levels) > 1 and all(len(level) == 1 for level in levels):
        raise BoardError(f"{source}: each line is a level, expected an empty line only between levels")
    odd = next((k for k, level in enumerate(levels) if len(level) != len(levels[0])), 0)
    if odd:
        sizes = f"level {odd + 1} has {len(levels[odd])} lines, expected {len(levels[0])} as in level 1"
        raise BoardError(f"{source}, line {levels[odd][0][0]}: {sizes} (an empty line begins a new level)")
    every = [row for level in levels for row in level]
    spaced = [at for at, row in every if SPACED.fullmatch(row.strip())]
    if 2 * len(spaced) > len(every) and (dense := re.search("[.#]{2}", "\n".join(row for _, row in every))):
        at, row = next((at, row) for at, row in every if dense[0] in row)
        why = "no space, expected one between all cells, as in most lines (a hole is '#')"
        raise BoardError(f"{source}, line {at}, column {row.index(dense[0]) + 2}: {why}")
    step, indent = 1, 0
    if any(" " in row.strip() for _, row in every) and not any(re.search("[.#]{2}", row) for _, row in every):
        step, indent = 2, min(len(row) - len(row.lstrip()) for _, row in every)
        for number, row in every:
            if row[indent + 1 :: 2].strip():
                why = "the cells do not line up, expected them below one another (a hexagon is hex:6)"
                raise BoardError(f"{source}, line {number}, {row[:40]!r}: {why}")
    drawn = [[row[indent::step] for _, row in level] for level in levels]
    mask = np.zeros((len(drawn), len(drawn[0]), max(len(row) for level in drawn for row in level)), np.bool_)
    for k, rows in enumerate(drawn):
        for i, row in enumerate(rows):
            mask[k, i, : len(row)] = [character == "." for character in row]
    mask = mask[0] if len(levels) == 1 else mask
    return Board("box", mask.shape, mask)


def format_mask(board: Board) -> str:
    """The board file of a box; `parse_mask` reads it back.

    Raises:
        BoardError: the board is not a box of two or three dimensions, or it has a single level, or levels
            of a single row, whose picture would be that of another board.
    """
    if not board.is_box or board.dimensions > 3:
        raise BoardError(f"a board file shows boxes of two or three dimensions, not {board.title}")
    if board.dimensions == 3 and 1 in board.shape[:2]:
        raise BoardError(f"a board file cannot show {board.title}, with one level or one row a level")
    mask = np.ones(board.shape, dtype=np.bool_) if board.mask is None else board.mask
    levels = mask.reshape(-1, *board.shape[-2:])
    return "\n".join("".join("".join(".#"[not c] for c in row) + "\n" for row in level) for level in levels)
