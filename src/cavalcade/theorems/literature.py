"""Theorems on the existence of tours, from the literature and from computations.

m x n has m rows and n columns, i, j, k are the sides of a box, (p, q) is a leaper; all are at least 1. The
functions named after people are pure arithmetic. Each returns the condition that excludes a tour, "" if the
board has a tour, and None if the theorem does not apply. `theorems` applies them to a board and a piece:
boards may be transposed, and sides of length 1 besides two longer ones change nothing.

A theorem is an oracle for comparison, and a citation besides a tour or a certificate. It is never the proof.
`bibliography` says what each rests on and what was read of the publications that it cites.

By convention a board with one cell has a tour, which no theorem covers; two cells have no closed tour.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import gcd, prod
from operator import itemgetter

from cavalcade.boards import Board
from cavalcade.ground.wording import say
from cavalcade.question.graph import BoardLike, MoveGraph
from cavalcade.question.pieces import Piece, PieceLike
from cavalcade.question.question import Question
from cavalcade.question.words import validated
from cavalcade.theorems.bibliography import catalogue

Laws = Iterator[tuple[str, str | None]]  # a name in `laws`, and the condition that excludes a tour


@dataclass(frozen=True)
class Theorem:
    """A theorem, applied to one board.

    Args:
        exists: whether the board has a tour.
        because: the condition that excludes a tour; "" if there is none.
        name: name of the theorem.
        statement: statement for all boards of its family.
        citation: where it is published.
        status: begins with `cited`, `verified for` a range, `proved here` or `proved in Coq`.
    """

    exists: bool
    because: str
    name: str
    statement: str
    citation: str
    status: str


# ---- rectangles, knight


def schwenk(m: int, n: int) -> str:
    """Closed tours of rectangles."""
    m, n = sorted((m, n))
    if (m, n) == (1, 1):
        return ""
    if m % 2 and n % 2:
        return say("reason.odd")
    if m in {1, 2, 4}:
        return say("reason.side", side=m)
    return say("reason.sides", m=m, n=n) if m == 3 and n in {4, 6, 8} else ""


def chia_ong(m: int, n: int) -> str:
    """Open tours of rectangles."""
    m, n = sorted((m, n))
    if (m, n) == (1, 1):
        return ""
    if m in {1, 2}:
        return say("reason.side", side=m)
    return say("reason.sides", m=m, n=n) if (m, n) in {(3, 3), (3, 5), (3, 6), (4, 4)} else ""


# ---- boxes, knight


def demaio_mathew(*sides: int) -> str:
    """Closed tours of boxes with three sides of at least 2."""
    i, j, k = sorted(sides)
    if i % 2 and j % 2 and k % 2:
        return say("reason.all-odd")
    if i == j == 2:
        return say("reason.two")
    return "the sides are 2, 3 and 3" if (i, j, k) == (2, 3, 3) else ""


def erde(*sides: int) -> str:
    """Closed tours of boxes with three or more sides of at least 2."""
    return say("reason.all-odd") if prod(sides) % 2 else open_box(*sides)


def open_box(*sides: int) -> str:
    """Open tours of boxes with three or more sides of at least 2."""
    *_, second, longest = sorted(sides)
    if second == 2:
        return "all sides but one are 2"
    return "no side is longer than 3" if longest == 3 else ""


# ---- surfaces, knight

SURFACES = 45  # largest side of the surfaces that were computed


def cylinder(m: int, n: int) -> str:
    """Closed tours of cylinders of m rows; the n columns wrap."""
    if m == 1 and n > 1:
        return "there is one row"
    return f"there are {m} rows and an even number of columns" if m in {2, 4} and n % 2 == 0 else ""


def moebius(m: int, n: int) -> str | None:
    """Closed tours of Möbius strips of m rows, as far as computed."""
    if m > SURFACES or n > SURFACES:
        return None
    if m == 1:
        return "there is one row" if n > 1 else ""
    if (m == 2 and n % 2 == 0) or (m == 4 and n % 2):
        return f"there are {m} rows and an {'odd' if n % 2 else 'even'} number of columns"
    return f"(m, n) is ({m}, {n})" if (m, n) in {(3, 1), (3, 4), (5, 1)} else ""


# ---- rectangles with cells removed, knight


def miller_farnsworth(n: int, i: int, j: int) -> str:
    """Closed tours of 3 x n, n >= 3, without the cell in row i and column j."""
    if n % 2 == 0:
        return "n is even"
    if (i + j) % 2:
        return f"the cell ({i}, {j}) is of the rarer colour"
    if n == 5:
        return "n is 5"
    if n in {3, 7}:
        return "" if i == 2 and j in {2, n - 1} else f"n is {n} and the cell is ({i}, {j})"
    bad = {(1, 3), (2, 4), (3, 3), (1, n - 2), (2, n - 3), (3, n - 2)} | (
        {(2, 2), (2, 8)} if n == 9 else set()
    )
    return f"the cell is ({i}, {j})" if (i, j) in bad else ""


def odd_board(m: int, n: int, i: int, j: int) -> str | None:
    """Closed tours of odd x odd without the cell in row i and column j, as far as computed."""
    if (i + j) % 2:
        return f"the cell ({i}, {j}) is of the rarer colour"
    if (m, n) == (5, 5):
        return "" if {i, j} <= {1, 5} else f"the board is 5x5 and the cell, ({i}, {j}), is not a corner"
    return "" if max(m, n) <= 21 else None  # larger boards were not computed


def ring(m: int, n: int, r: int) -> str:
    """Closed tours of the ring of width r in m x n."""
    if (m, n, r) == (3, 3, 1) or r >= 3:  # m, n > 2r >= 6 then
        return ""
    return f"the ring is {r} wide"


# ---- hexagons, knight


def hexagon(side: int) -> str:
    """Tours, closed or open, of Gliński's hexagon."""
    return "no move leads from the centre" if side in {2, 3} else ""


def triangle(n: int, *, closed: bool = True) -> str:
    """Tours of triangles of hexagonal cells."""
    if n in {2, 3, 4, 5}:
        return "the moves do not connect its cells"
    if n == 7 or (n == 6 and closed):
        return f"{3 if n == 6 else 13} of its cells leave {4 if n == 6 else 15} parts"
    return ""


def parallelogram(m: int, n: int, *, closed: bool = True) -> str | None:
    """Tours of parallelograms of hexagonal cells; no theorem covers open tours with three rows."""
    m, n = sorted((m, n))
    if n > 1 and (m < 3 or (m, n) == (4, 4)):
        return "the moves do not connect its cells"
    if m == 3:
        return "a side is 3" if closed else None
    return ""


def unequal_hexagon(*sides: int, closed: bool = True) -> str | None:
    """Tours of hexagons with sides a, b, c, a, b, c; None for some open tours of parallelograms, a = 1."""
    a, b, c = sorted(sides)
    if a == c:
        return hexagon(a)
    if a == 1:
        return parallelogram(b, c, closed=closed)
    if b == 2:
        return say("reason.two")
    without = {(2, 3, 3), (2, 3, 5), (2, 3, 6)} if closed else {(2, 3, 3)}
    return f"the sides are {a}, {b} and {c}" if (a, b, c) in without else ""


# ---- other leapers


def knuth(p: int, q: int, m: int, n: int) -> str:
    """The reason why the moves of a (p, q) leaper, 1 <= p <= q, do not connect m x n, 2 <= m, n."""
    m, n = sorted((m, n))
    if (d := gcd(p + q, q - p)) > 1:
        return f"{p + q} and {q - p} have the common divisor {d}"
    if n < 2 * q:
        return f"no side is {2 * q} or longer"
    return f"a side is shorter than {p + q}" if m < p + q else ""


def zebra(m: int, n: int) -> str | None:
    """Closed tours of the zebra on m x n, 2 <= m, n, as far as computed."""
    m, n = sorted((m, n))
    computed = n <= 45
    if m % 2 and n % 2:
        return say("reason.odd")
    if (narrow := next((side for side in (m, n) if side in {2, 3, 4, 6, 7, 8, 12}), 0)) and computed:
        return f"a side is {narrow}"
    if (m in {5, 9}) and n < 20 and (m, n) != (5, 16):
        return f"it is {m}x{n}"
    return "" if computed else None


# ---- boards and pieces


def theorem(board: Board | MoveGraph, piece: Piece, closed: bool) -> Theorem | None:  # noqa: FBT001 - the contract's
    """A theorem that decides whether a board has a tour; None if there is none."""
    return next(theorems(board, piece, closed), None)


def citation(question: Question) -> str:
    """A sentence that cites the theorem about a question; "" if there is none."""
    if not (cited := citations(question)):
        return ""
    best = cited[0]
    code = f"cite.{'tour' if best.exists else 'none'}.{question.kind}{'.as' * bool(best.because)}"
    return say(code, name=best.name, because=best.because, citation=best.citation, status=best.status)


@validated
def citations(
    board: BoardLike | Question, *, piece: PieceLike | None = None, open: bool = False
) -> list[Theorem]:
    """Return the theorems that decide whether a board has a tour, best-known theorems first.

    Args:
        board: a board, its spec, a move graph (which no theorem covers), or a whole `Question`.
        piece: a piece or its spec; by default the knight.
        open: open tours instead of closed ones.

    Raises:
        CavalcadeError: an invalid spec, or a piece that does not fit the board.

    Examples:
        >>> [(theorem.name, theorem.exists) for theorem in citations("4x6")]
        [("Schwenk's theorem", False)]
    """
    question = Question.of(board, piece=piece, open=open)
    applying = theorems(question.board, question.piece, question.closed)
    # Theorems do not cover conditions: a board with tours may have none that meets them.
    conditions = bool(question.ends or question.constraints)
    return [theorem for theorem in applying if not (theorem.exists and conditions)]


def theorems(board: Board | MoveGraph, piece: Piece, closed: bool) -> Iterator[Theorem]:  # noqa: FBT001 - as above
    """All theorems that decide about a board, the best known first."""
    one_leap = len({tuple(sorted(leap)) for leap in piece.leaps}) == 1
    if board.plain or not one_leap or board.size == 1:
        return
    p, q = sorted(piece.leaps[0])
    yield from _known(board, p, q, closed=closed)
    # A closed tour becomes an open one without any of its moves; without open tours there are no closed ones.
    yield from (theorem for theorem in _known(board, p, q, closed=not closed) if theorem.exists != closed)


@cache
def laws() -> Mapping[str, Mapping[str, str]]:
    """The theorems by key: `name`, `statement`, `citation` and `status`."""
    fields = ("name", "statement", "citation", "status")
    return {key: {field: getattr(entry, field) for field in fields} for key, entry in catalogue().items()}


@cache
def known_counts() -> Mapping[str, tuple[int, str]]:
    """Published numbers of tours that take minutes to count, with their sources, by statement.

    Examples:
        >>> known_counts()["closed tour of 8x8"][0]
        13267364410532
    """
    text = files("cavalcade.theorems").joinpath("counts.toml").read_text(encoding="utf-8")
    return {statement: (row["count"], row["source"]) for statement, row in tomllib.loads(text).items()}


def _known(board: Board, p: int, q: int, *, closed: bool) -> Iterator[Theorem]:
    """The theorems of all families about one kind of tours."""
    knight = [law for family in FAMILIES if (p, q) == (1, 2) for law in family(board, closed=closed)]
    for law, because in (*knight, *_leaper(board, p, q, closed=closed)):
        if because is not None:
            yield Theorem(not because, because, **laws()[law])


# ---- families: each yields laws, with the condition that excludes a tour of the board


def _sides(board: Board) -> list[int]:
    """The sides of a whole box without ones, ascending, at least two; empty for other boards."""
    if not board.is_box or board.mask is not None:
        return []
    longer = [side for side in board.shape if side > 1]
    return [1] * (2 - len(longer)) + sorted(longer)


def _box(board: Board, *, closed: bool) -> Laws:
    sides = _sides(board)
    if len(sides) == 2:
        yield ("schwenk", schwenk(*sides)) if closed else ("chia_ong", chia_ong(*sides))
    if len(sides) == 3 and closed:
        yield "demaio_mathew", demaio_mathew(*sides)
    if len(sides) > 2:
        yield ("erde", erde(*sides)) if closed else ("open_box", open_box(*sides))


def _surface(board: Board, *, closed: bool) -> Laws:
    if not closed or board.mask is not None or board.size == 2:
        return
    match board.kind:
        case "torus":
            yield "torus", ""
        case "klein":
            yield "klein", "" if max(board.shape) <= SURFACES else None
        case "cylinder":
            yield "cylinder", cylinder(*board.shape)
        case "mobius":
            yield "moebius", moebius(*board.shape)


def _honeycomb(board: Board, *, closed: bool) -> Laws:
    """Whole boards of hexagonal cells."""
    if not board.family.hexagonal or board.holes:
        return
    match board.kind:
        case "triangle":
            yield "triangle", triangle(*board.sides, closed=closed)
        case "parallelogram":
            yield "parallelogram", parallelogram(*board.sides, closed=closed)
        case "hexagon":
            yield "unequal_hexagon", unequal_hexagon(*board.sides, closed=closed)
        case _:
            yield "hexagon", hexagon(board.side)


def _removed(board: Board, *, closed: bool) -> Laws:
    """Rectangles without one cell, or without their middle."""
    sides = [side for side in board.shape if side > 1]
    if not closed or not board.is_box or board.mask is None or len(sides) != 2:
        return
    m, n = sides
    rows, columns = (indices.tolist() for indices in (~board.mask.reshape(sides)).nonzero())
    if len(rows) == 1:
        (short, i), (long, j) = sorted(((m, rows[0] + 1), (n, columns[0] + 1)), key=itemgetter(0))
        if short == 3:
            yield "miller_farnsworth", miller_farnsworth(long, i, j)
        elif short >= 5 and short % 2 and long % 2:
            yield "odd_board", odd_board(short, long, i, j)
    r = min(rows)
    middle = r > 0 and (max(rows), min(columns), max(columns)) == (m - 1 - r, r, n - 1 - r)
    if middle and len(rows) == (m - 2 * r) * (n - 2 * r):
        yield "ring", ring(m, n, r)


def _leaper(board: Board, p: int, q: int, *, closed: bool) -> Laws:
    if len(sides := _sides(board)) != 2:
        return
    m, n = sides
    if closed and p and gcd(p, q) == 1 and (p + q) % 2 and m == n == 2 * (p + q):
        yield "beluhov", ""
    elif p and m > 1 and (because := knuth(p, q, m, n)):
        yield "knuth", because
    elif (p, q) == (2, 3) and closed and m > 1:
        yield "zebra", zebra(m, n)
    elif (p, q, m, n) == (1, 4, 11, 11):
        yield "giraffe", "it is 11x11"


FAMILIES = (_box, _surface, _honeycomb, _removed)
