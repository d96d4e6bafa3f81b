"""A tour as a game of chess in PGN: White has one piece on an empty board, and Black passes.

The tag `FEN` has the first cell, and the tag `Event` the header of the tour. Black's moves are null moves,
`--`, which python-chess, Scid and ChessBase read. There are no kings, because the tour visits their squares.
Boards up to 8x8 lie in the corner at a1; holes are empty squares that are never visited.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import replace

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.formats.header import Claim, describe, facts
from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.moves import are_moves
from cavalcade.question.pieces import Piece

FIRST = re.compile(r'\s*\[Event "')
LETTERS = {"knight": "N", "0,1+1,1": "K"}  # the letter of each piece of chess that is a leaper
TAG = re.compile(r'^\s*\[(\w+)\s+"([^"\n]*)"\]\s*$', re.MULTILINE)
IGNORED = re.compile(r"\{[^}]*\}|;[^\n]*|\$[0-9]+|\b[0-9]+\.+|--|\bZ0\b|(?:1-0|0-1|1/2-1/2|\*)\s*$")
MOVE = re.compile(r"[NK][a-h]?[1-8]?([a-h][1-8])[+#]?[!?]*")


def write(tour: Tour) -> str:
    """Write a tour of a flat board of at most 8x8 as a game.

    Raises:
        FormatError: the board or the piece is not one of a chessboard, or a step is not a move of the piece.
    """
    board, letter = tour.board, LETTERS.get(tour.piece.spec, "")
    assert_fits(board, tour.piece)
    if not len(tour):
        raise FormatError(f"cannot write {tour.title(board.title)} in PGN: it visits no cell")
    cells = np.append(tour.cells, tour.cells[: tour.closed])
    wrong = np.flatnonzero(~are_moves(board, tour.piece, cells[:-1], cells[1:]))
    if wrong.size:
        raise FormatError(f"step {wrong[0] + 1} to {wrong[0] + 2} is not a move: use csv or json")
    first, *others = map(board.name, cells.tolist())
    file = ord(first[0]) - ord("a")
    ranks = ["8"] * 8
    ranks[8 - int(first[1])] = f"{file or ''}{letter}{7 - file or ''}"
    tags = {
        "Event": describe(tour), "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?",
        "Result": "*", "SetUp": "1", "FEN": f"{'/'.join(ranks)} w - - 0 1",
    }  # fmt: skip
    lines = [f'[{name} "{value}"]' for name, value in tags.items()]
    moves = " -- ".join(f"{i}. {letter}{name}" for i, name in enumerate(others, 1))
    return "\n".join([*lines, "", *textwrap.wrap(f"{moves} *".lstrip(), 79), ""])


def assert_fits(board: Board | MoveGraph, piece: Piece) -> None:
    """Refuse a board or a piece of which no tour can be written.

    Raises:
        FormatError: the board or the piece is not one of a chessboard.
    """
    fits = not board.plain and board.is_rectangle and max(board.shape) <= 8 and piece.spec in LETTERS
    if not fits:
        what = f"a tour of {', '.join(filter(None, [board.title, piece.spec_on(board)]))}"
        raise FormatError(f"cannot write {what} in PGN, which holds knights and kings on boards up to 8x8")


def parse(text: str, claim: Claim) -> Tour:
    """Read the moves of the only piece in a game.

    Raises:
        FormatError: there are other pieces, variations, several games, or moves that are not understood.
    """
    tags = dict(TAG.findall(text))
    if len(FIRST.findall(text)) > 1 or text.count("[Event ") > 1:
        raise FormatError("several games, expected one")
    pieces = re.sub("[0-9]", lambda digit: "." * int(digit[0]), tags.get("FEN", "").partition(" ")[0])
    ranks = pieces.split("/")
    if [*map(len, ranks)] != [8] * 8 or len(re.findall("[^./]", pieces)) != 1:
        raise FormatError("a game of chess, expected one piece alone: its square in the tag FEN")
    row = next(i for i, rank in enumerate(ranks) if rank.strip("."))
    names = [f"{'abcdefgh'[re.search('[^.]', ranks[row]).start()]}{8 - row}"]  # type: ignore[union-attr]
    for word in IGNORED.sub(" ", TAG.sub("", text)).split():
        if (move := MOVE.fullmatch(word)) is None:
            raise FormatError(f"{word[:40]!r} is not a move of a piece alone, such as Nb3")
        names.append(move[1])
    claim = claim.filled(**facts(tags.get("Event", "")))
    if claim.board is None:
        claim = replace(claim, board=parse_board("8x8"))
    if claim.closed is not False and len(names) > 2 and names[0] == names[-1]:
        return replace(claim, closed=True).tour_of_names(names[:-1])
    return claim.tour_of_names(names)
