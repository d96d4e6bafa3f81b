"""Pieces: leapers, unions of leapers, and pieces with given move vectors.

An (a, b) leaper changes exactly two coordinates, one by ±a and the other by ±b. On Gliński's hexagon,
in cube coordinates, it moves by the permutations of ±(a, b, -(a+b)); the knight is (1, 2) on both.

A piece given by its moves makes exactly these moves. If the opposite of one is missing, the piece is one-way:
its move graph is directed.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from cavalcade.boards import Board
from cavalcade.ground.errors import PieceError
from cavalcade.ground.kernels import Cells
from cavalcade.question.graph import MoveGraph

NAMED = {
    "knight": (1, 2),
    "camel": (1, 3),
    "zebra": (2, 3),
    "giraffe": (1, 4),
    "antelope": (3, 4),
}
# Other names, from chess problems and the notations of games.
ALSO = {
    "n": "knight", "springer": "knight", "cavalier": "knight", "horse": "knight",
    "king": "0,1+1,1", "k": "0,1+1,1", "wazir": "0,1", "ferz": "1,1",
    "fers": "1,1", "dabbaba": "0,2", "alfil": "2,2", "threeleaper": "0,3", "tripper": "3,3",
    "fourleaper": "0,4", "commuter": "4,4", "fiveleaper": "0,5+3,4", "flamingo": "1,6", "gnu": "1,2+1,3",
    "okapi": "1,2+2,3", "bison": "1,3+2,3", "squirrel": "0,2+1,2+2,2", "centaur": "0,1+1,1+1,2",
}  # fmt: skip
# The letters of Betza's notation, of which a piece is a union: NC is the gnu.
BETZA = {
    "W": "0,1", "F": "1,1", "D": "0,2", "N": "1,2", "A": "2,2", "H": "0,3", "C": "1,3", "L": "1,3",
    "Z": "2,3", "J": "2,3", "G": "3,3", "K": "0,1+1,1",
}  # fmt: skip
RIDERS = {
    "queen",
    "rook",
    "bishop",
    "nightrider",
    "amazon",
    "archbishop",
    "chancellor",
    "empress",
    "princess",
    "marshal",
}
LEAP = re.compile(r"\s*,\s*|\s+|-")  # between the two numbers of a leaper
FARTHEST = 10**6  # of a move, so that sums of coordinates stay within 32 bits
BOTH_WAYS = "+-"  # at the end of a list of moves: the opposite of every move, too; old files omit it
EXPECTED = (
    f"expected {', '.join(NAMED)}, king, a leaper like 1,4, a union like 1,2+1,3, or moves:1,2;2,1{BOTH_WAYS}"
)


@dataclass(frozen=True)
class Piece:
    """A leaper, a union of leapers, or a piece given by its move vectors.

    Args:
        leaps: pairs (a, b), for a leaper or a union of them; or a piece in words, as for `parse_piece`.
        moves: all move vectors in the coordinates of the board, in the order in which they are tried. A
            Möbius strip or Klein bottle has no left and right, so the mirror images are added there.

    Raises:
        PieceError: neither or both are given, or a move leads nowhere or farther than a million cells.

    Examples:
        >>> Piece(moves=((1, 2), (2, 1))).spec
        'exactly:1,2;2,1'
        >>> Piece("moves:1,2;2,1+-").moves
        ((1, 2), (2, 1), (-1, -2), (-2, -1))
    """

    leaps: tuple[tuple[int, int], ...] = ()
    moves: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.leaps, str):  # as in Piece("knight")
            named = parse_piece(self.leaps)
            object.__setattr__(self, "leaps", named.leaps)
            object.__setattr__(self, "moves", named.moves or self.moves)
        if bool(self.leaps) == bool(self.moves):
            raise PieceError("a piece has leaps or moves, one of the two")
        if any(min(leap) < 0 or max(leap) == 0 for leap in self.leaps):
            raise PieceError(f"leaps {self.leaps} lead nowhere, expected pairs such as (1, 2)")
        if any(not any(move) for move in self.moves):
            raise PieceError(f"moves {self.moves} lead nowhere, expected vectors such as (1, 2)")
        if len({len(move) for move in self.moves}) > 1:
            raise PieceError(f"moves {self.moves} differ in length")
        if max(abs(x) for move in self.leaps or self.moves for x in move) > FARTHEST:
            raise PieceError(f"{self.spec[:60]!r} leaps farther than {FARTHEST:,} cells")

    @property
    def spec(self) -> str:
        """The piece as text that `parse_piece` and `stated_piece` read back.

        For example `knight`, `1,5`, `1,2+1,3`, `moves:1,2;2,1+-`, and `exactly:0,1;1,0` if it is one-way.
        """
        if self.moves:
            moves, half = self.moves, self.moves[: len(self.moves) // 2]
            if moves == both_ways(half):
                return f"moves:{_listed(half)}{BOTH_WAYS}"
            return f"{'moves' if {*moves} == {*both_ways(moves)} else 'exactly'}:{_listed(moves)}"
        if len(self.leaps) == 1:
            for name, leap in NAMED.items():
                if leap == self.leaps[0]:
                    return name
        return "+".join(f"{a},{b}" for a, b in self.leaps)

    def vectors(self, board: Board) -> Cells:
        """The moves on a board, an array of shape (k, d), in the order in which they are tried.

        Leapers move in lexicographic order; on a flat board that is the papers' double loop over
        step1, step2 in -2, -1, 1, 2. Given moves keep their order.

        Raises:
            PieceError: the moves do not fit the board.
        """
        self.assert_fits(board)
        return np.array(self._moves_on(board), dtype=np.int32).reshape(-1, board.dimensions)

    def _moves_on(self, board: Board) -> list[tuple[int, ...]]:
        """Return the moves on a board, in the order in which they are tried."""
        return board.family.listed(self.moves) if self.moves else board.family.leaps(self.leaps)

    def one_way_on(self, board: Board | MoveGraph) -> bool:
        """Whether the opposite of a move is missing, so that the move graph is directed."""
        if board.plain or not self.moves:
            return board.directed
        moves = {*self._moves_on(board)}
        return moves != {*both_ways(tuple(moves))}

    def assert_both_ways(self, board: Board | MoveGraph, what: str) -> None:
        """Make sure that every move can be taken back.

        Raises:
            PieceError: the piece is one-way, which `what` does not support.
        """
        if not board.plain and self.one_way_on(board):
            raise PieceError(
                f"{self.spec} cannot take its moves back, expected moves both ways for {what}: "
                f"moves:{_listed(self.moves)}{BOTH_WAYS}"
            )

    def in_order(self, board: Board | MoveGraph, order: Sequence[int | str] | str) -> Piece:
        """The same moves, tried in another order.

        Args:
            board: the board.
            order: the numbers of the moves in `vectors`, from 1, each once: `[8, 7, 6, 5, 4, 3, 2, 1]`, or
                text such as `87654321` or, with commas, `12,11,10,9,8,7,6,5,4,3,2,1`.

        Raises:
            PieceError: the numbers are not 1 to k in some order, or the board is a plain graph.
        """
        vectors = [] if board.plain else self.vectors(board).tolist()
        if len({*map(tuple, vectors)}) < max(len(vectors), 1):
            raise PieceError(f"{board.title} has no directions to order the moves by: leave out {order!r}")
        words = order.split(",") if isinstance(order, str) and "," in order else list(order)
        numbers = [int(word) if str(word).isdecimal() else 0 for word in words]
        if sorted(numbers) != list(range(1, len(vectors) + 1)):
            moves = f"{self.spec} has {len(vectors)} moves on {board.title}"
            raise PieceError(f"{order!r} is not an order: {moves}, expected 1 to {len(vectors)}, each once")
        return Piece(moves=tuple(tuple(vectors[number - 1]) for number in numbers))

    def spec_on(self, board: Board | MoveGraph) -> str | None:
        """The spec, or None on a plain graph, which has no piece."""
        return None if board.plain else self.spec

    def assert_fits(self, board: Board | MoveGraph) -> None:
        """Check that move vectors fit a board; leaps fit every board.

        Raises:
            PieceError: the vectors have another number of coordinates, or no direction on the board.
        """
        if board.plain:
            return
        if self.moves and len(self.moves[0]) != board.dimensions:
            raise PieceError(
                f"moves of {len(self.moves[0])} coordinates do not fit {board.title}, "
                f"which has {board.dimensions}"
            )
        if self.moves:
            board.family.listed(self.moves)


def both_ways(moves: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Return moves followed by their opposites, each once."""
    return tuple(dict.fromkeys([*moves, *(tuple(-x for x in move) for move in moves)]))


def _listed(moves: Iterable[tuple[int, ...]]) -> str:
    """Return moves as text: `1,2;2,1`."""
    return ";".join(",".join(map(str, move)) for move in moves)


def leaper(a: int, b: int) -> Piece:
    """The (a, b) leaper: `leaper(1, 2)` is the knight.

    Args:
        a: the length of the leap along one axis.
        b: the length of the leap along another axis.

    Raises:
        PieceError: both lengths are 0, or a length is negative.

    Examples:
        >>> leaper(1, 4) == GIRAFFE
        True
    """
    return Piece(leaps=((min(a, b), max(a, b)),))


PieceLike: TypeAlias = "Piece | str | tuple[int, int]"  # a piece, its spec, or the two numbers of a leaper

KNIGHT = leaper(1, 2)
CAMEL = leaper(1, 3)
ZEBRA = leaper(2, 3)
GIRAFFE = leaper(1, 4)
ANTELOPE = leaper(3, 4)


def parse_piece(spec: str) -> Piece:
    """Read a piece from its spec.

    Args:
        spec: a name, `a,b`, a union `a,b+c,d`, letters of Betza's notation such as `NC`, or `moves:` and
            vectors. These vectors are all moves, unless `+-` or `±` at the end adds their opposites.
            `exactly:` is another spelling of `moves:`.

    Raises:
        PieceError: the text is none of these; the message quotes it.

    Examples:
        >>> piece("1,2+1,3").leaps
        ((1, 2), (1, 3))
    """
    text = spec.strip().lower()
    slides = text in RIDERS or (spec.isupper() and {*spec} <= {*BETZA, *"BQR"})
    why = "slides, and pieces here leap" if slides else "is not a piece"
    wrong = PieceError(f"{spec[:60]!r} {why}: {EXPECTED}")
    try:
        word, colon, listed = text.partition(":")
        if colon and word in {"moves", "exactly"}:
            listed = listed.replace("±", BOTH_WAYS)
            vectors = listed.removesuffix(BOTH_WAYS).split(";")
            moves = tuple(tuple(int(x) for x in vector.split(",")) for vector in vectors)
            return Piece(moves=both_ways(moves) if listed.endswith(BOTH_WAYS) else moves)
        letters = spec.strip()
        if BETZA.keys() >= {*letters} and len({*letters}) == len(letters):  # NN would be a rider
            text = "+".join(BETZA[letter] for letter in letters)
        text = "+".join(ALSO.get(part.strip(), part.strip()) for part in text.split("+"))
        leaps: list[tuple[int, int]] = []
        for part in text.split("+"):
            a, b = NAMED.get(part) or map(int, LEAP.split(part.strip("(){}")))
            leaps.append((min(a, b), max(a, b)))
        return Piece(leaps=tuple(leaps))
    except ValueError:
        raise wrong from None


def stated_piece(spec: str) -> Piece:
    """Read a piece as files and statements write it: `moves:` always means both ways, `exactly:` never.

    Files did not write one-way pieces before they had the word `exactly`, so an old `moves:1,2` is read with
    its old meaning.

    Raises:
        PieceError: the text is no piece.
    """
    piece = parse_piece(spec)
    return piece if spec.strip().lower().startswith("exactly:") else with_opposites(piece)


def with_opposites(piece: Piece) -> Piece:
    """Return the piece with the opposite of every move."""
    return Piece(moves=both_ways(piece.moves)) if piece.moves else piece


def piece_of(piece: object) -> Piece:
    """The piece for a piece, its spec, two numbers like (1, 2), or None for the knight.

    Raises:
        PieceError: the object is none of these.
    """
    if piece is None:
        return KNIGHT
    if isinstance(piece, Piece):
        return piece
    if isinstance(piece, str):
        return parse_piece(piece)
    try:
        a, b = (operator.index(number) for number in piece)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise PieceError(f"{str(piece)[:60]!r} is not a piece: {EXPECTED}, or (1, 2)") from None
    return leaper(a, b)
