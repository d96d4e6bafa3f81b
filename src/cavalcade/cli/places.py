"""Boards that are typed in other ways: two sides as options, and chess positions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from cavalcade.cli.status import remark

# eight ranks of pieces and of numbers of empty squares; fields about the game may follow
POSITION = re.compile(
    r"\s*((?:[1-8pbrqkn*x#]{1,8}/){7}[1-8pbrqkn*x#]{1,8})(?: [wb] [^\n]*)?\s*", re.IGNORECASE
)
FILES = "abcdefgh"
# the sides of a board, typed as options: the number of rows, and of columns
SIDE_OPTIONS = {
    "--rows": "m", "--height": "m", "-h": "m", "--columns": "n", "--cols": "n", "--width": "n", "-w": "n",
}  # fmt: skip


def sized(args: Sequence[str], *option: str) -> Sequence[str]:
    """Replace options for both sides by the board: `--rows 6 --cols 8`, `-w 8 -h 6`.

    Args:
        args: the words after the name of the command.
        option: the option for the board, if the command has no argument for it.
    """
    words: list[str] = []
    for word in args:
        name, equals, value = word.partition("=")
        words += [name, value] if equals and name in SIDE_OPTIONS else [word]
    sides = {
        SIDE_OPTIONS[word]: index
        for index, word in enumerate(words)
        if word in SIDE_OPTIONS and "".join(words[index + 1 : index + 2]).isdecimal()
    }
    if len(sides) < 2:
        return args
    board = "x".join(words[sides[side] + 1] for side in "mn")
    taken = {index + k for index in sides.values() for k in (0, 1)}
    return [*option, board, *(word for index, word in enumerate(words) if index not in taken)]


def with_positions(args: Sequence[str]) -> list[str]:
    """Replace a position, `--fen` or a file .fen by its board and the start of its only knight.

    The notation is that of Forsyth and Edwards. Pieces other than knights are holes.

    Args:
        args: the words after the name of a command whose argument is a board.
    """
    words: list[str] = []
    for word in args:
        text = word.removeprefix("--fen=")
        if word.lower().endswith(".fen"):
            with suppress(OSError, UnicodeDecodeError):
                text = Path(word).read_text()
        position = POSITION.fullmatch(text) if "/" in text else None
        if position is None or not re.search("[a-z]", position[1].lower()):
            words.append(word)
            continue
        ranks = [re.sub("[1-8]", lambda empty: "." * int(empty[0]), rank) for rank in position[1].split("/")]
        pieces = [
            (piece, f"{file}{8 - row}")
            for row, rank in enumerate(ranks)
            for file, piece in zip(FILES, rank, strict=False)
            if piece != "."
        ]
        holes = ",".join(square for piece, square in pieces if piece not in "nN")
        knights = [square for piece, square in pieces if piece in "nN"]
        made = [f"8x8-{holes}" if holes else "8x8"]
        if len(knights) == 1 and {"--from", "--start", "--begin"}.isdisjoint(args):
            made += ["--from", knights[0]]
        if {"-q", "--quiet"}.isdisjoint(args):
            remark(f"the position is read as {' '.join(made)}")
        words = [*(before for before in words if before != "--fen"), *made]
    return words
