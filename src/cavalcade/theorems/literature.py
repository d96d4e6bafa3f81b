"""Theorems: which boards have tours, as the literature says, and as has been computed.

m x n has m rows and n columns, i, j, k are the sides of a box, (p, q) is a leaper, all from 1. The
functions named after people are pure arithmetic. Each gives the condition that keeps a board from having
a tour, "" where it has one, and None where it does not say. `theorems` applies them to a board and a
piece, turned as they need it: boards are as good transposed, and sides of length 1 beside two longer ones
change nothing.

A theorem is an oracle to be compared with, and an answer to be cited beside a tour or a certificate. It
is never the proof. `status` says on what it rests: `literature`, `computed` and how far, or which command
prints the proof.

By convention a board of one cell has a tour, of which no theorem speaks; two cells have no closed one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import gcd, prod
from typing import TYPE_CHECKING

from cavalcade.boards import Board
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cavalcade.question.graph import BoardLike, MoveGraph
    from cavalcade.question.pieces import Piece, PieceLike

    Removed = tuple[list[int], list[int]]


@dataclass(frozen=True)
class Theorem:
    """A theorem, applied to one board.

    Args:
        exists: whether the board has a tour.
        because: the condition that the board falls under; "" where it falls under none.
        name: what the theorem is called.
        statement: what it says of all boards of its family.
        citation: where it stands.
        status: `literature`, `computed` and how far, or which command prints the proof.
    """

    exists: bool
    because: str
    name: str
    statement: str
    citation: str
    status: str = "literature"


def _printed(name: str) -> str:
    """Which command prints the proof of a theorem."""
    return f"`cavalcade theorem {name} --proof` prints a proof"


# ---- rectangles, knight

SCHWENK = partial(
    Theorem,
    name="Schwenk's theorem",
    statement="An m x n board with m <= n has a closed knight's tour unless m and n are both odd, or m is 1, "
    "2 or 4, or m is 3 and n is 4, 6 or 8.",
    citation="A. J. Schwenk, Which rectangular chessboards have a knight's tour?, Mathematics Magazine 64 "
    "(1991) 325-332",
)
CHIA_ONG = partial(
    Theorem,
    name="the theorem of Chia and Ong",
    statement="An m x n board with m <= n has an open knight's tour unless m is 1 or 2, or m is 3 and n is "
    "3, 5 or 6, or m and n are both 4.",
    citation="G. L. Chia and S.-H. Ong, Generalized knight's tours on rectangular chessboards, Discrete "
    "Applied Mathematics 150 (2005) 80-98",
)


def schwenk(m: int, n: int) -> str:
    """Closed tours of rectangles."""
    m, n = sorted((m, n))
    if (m, n) == (1, 1):
        return ""
    if m % 2 and n % 2:
        return "both sides are odd"
    if m in {1, 2, 4}:
        return f"a side is {m}"
    return f"the sides are 3 and {n}" if m == 3 and n in {4, 6, 8} else ""


def chia_ong(m: int, n: int) -> str:
    """Open tours of rectangles."""
    m, n = sorted((m, n))
    if (m, n) == (1, 1):
        return ""
    if m in {1, 2}:
        return f"a side is {m}"
    return f"the sides are {m} and {n}" if (m, n) in {(3, 3), (3, 5), (3, 6), (4, 4)} else ""


# ---- boxes, knight

DEMAIO_MATHEW = partial(
    Theorem,
    name="the theorem of DeMaio and Mathew",
    statement="An i x j x k box with 2 <= i <= j <= k has a closed knight's tour unless i, j and k are all "
    "odd, or i and j are both 2, or i is 2 and j and k are both 3.",
    citation="J. DeMaio and B. Mathew, Which chessboards have a closed knight's tour within the rectangular "
    "prism?, Electronic Journal of Combinatorics 18 (2011) P8",
)
ERDE = partial(
    Theorem,
    name="the theorem of Erde, Golénia and Golénia",
    statement="A box of three or more dimensions, all sides at least 2, has a closed knight's tour unless "
    "all sides are odd, or all but one are 2, or none is longer than 3.",
    citation="J. Erde, B. Golénia and S. Golénia, The closed knight tour problem in higher dimensions, "
    "Electronic Journal of Combinatorics 19 (2012) P9",
)
OPEN_BOX = partial(
    Theorem,
    name="a theorem on open boxes",
    statement="A box of three or more dimensions, all sides at least 2, has an open knight's tour unless all "
    "sides but one are 2, or none is longer than 3.",
    citation="no classification in print is known to us",
    status=_printed("boxes"),
)


def demaio_mathew(*sides: int) -> str:
    """Closed tours of boxes with three sides of at least 2."""
    i, j, k = sorted(sides)
    if i % 2 and j % 2 and k % 2:
        return "all sides are odd"
    if i == j == 2:
        return "two sides are 2"
    return "the sides are 2, 3 and 3" if (i, j, k) == (2, 3, 3) else ""


def demaio_alam_as_printed(*sides: int) -> str:
    """The same as DeMaio and Alam print it in 2020, for comparison: wrong for 2x2xk with k > 2."""
    if sorted(sides)[1] == 2 != max(sides):
        return ""
    return demaio_mathew(*sides)


def erde(*sides: int) -> str:
    """Closed tours of boxes with three or more sides of at least 2."""
    *_, second, longest = sorted(sides)
    if prod(sides) % 2:
        return "all sides are odd"
    if second == 2:
        return "all sides but one are 2"
    return "no side is longer than 3" if longest == 3 else ""


def open_box(*sides: int) -> str:
    """Open tours of boxes with three or more sides of at least 2."""
    *_, second, longest = sorted(sides)
    if second == 2:
        return "all sides but one are 2"
    return "no side is longer than 3" if longest == 3 else ""


# ---- surfaces, knight

WATKINS = partial(
    Theorem,
    citation="J. J. Watkins and R. L. Hoenigman, Knight's tours on a torus, Mathematics Magazine 70 (1997) "
    "175-184; J. J. Watkins, Across the Board (2004)",
)
TORUS = partial(
    WATKINS,
    name="the theorem of Watkins and Hoenigman",
    statement="Every torus has a closed knight's tour.",
)
CYLINDER = partial(
    WATKINS,
    name="Watkins's theorem",
    statement="A cylinder of m rows and n columns, the columns wrapping, has a closed knight's tour unless m "
    "is 1 and n > 1, or m is 2 or 4 and n is even.",
)
SURFACES = 9
MOEBIUS = partial(
    Theorem,
    name="a computation",
    statement=f"A Möbius strip of m rows and n columns, the columns wrapping with a flip, m, n <= {SURFACES} "
    "and at least three cells, has a closed knight's tour unless m is 1, or m is 2 and n is even, or m is 4 "
    "and n is odd, or (m, n) is (3, 1), (3, 4) or (5, 1).",
    citation="no classification in print is known to us",
    status=f"computed for m, n <= {SURFACES}",
)
KLEIN = partial(
    Theorem,
    name="a computation",
    statement=f"A Klein bottle of m rows and n columns, m, n <= {SURFACES} and at least three cells, has a "
    "closed knight's tour.",
    citation="no classification in print is known to us",
    status=f"computed for m, n <= {SURFACES}",
)


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

MILLER_FARNSWORTH = partial(
    Theorem,
    name="the theorem of Miller and Farnsworth",
    statement="A 3 x n board without its cell (i, j), in row i and column j, has a closed knight's tour "
    "unless n is even, or i + j is odd, or n is 3 and (i, j) is not (2, 2), or n is 5, or n is 7 and (i, j) "
    "is not (2, 2) or (2, 6), or n is 9 and (i, j) is (1, 3), (3, 3), (1, 7), (3, 7), (2, 2), (2, 4), (2, 6) "
    "or (2, 8), or n >= 11 and (i, j) is (1, 3), (2, 4), (3, 3), (1, n-2), (2, n-3) or (3, n-2).",
    citation="A. M. Miller and D. L. Farnsworth, Knight's tours on 3 x n chessboards with a single square "
    "removed, Open Journal of Discrete Mathematics 3 (2013) 56-59",
)
ODD_BOARDS = 21
ODD_BOARD = partial(
    Theorem,
    name="a computation",
    statement=f"An m x n board, m and n odd and from 5 to {ODD_BOARDS}, without one cell (i, j) has a closed "
    "knight's tour unless i + j is odd, or m and n are both 5 and (i, j) is not a corner.",
    citation="no classification in print is known to us",
    status=f"computed for m, n <= {ODD_BOARDS}",
)
RING = partial(
    Theorem,
    name="the theorem of Srichote, Boonklurb and Singhun",
    statement="An m x n board without its middle, so that a ring of width r is left, m, n > 2r, has a closed "
    "knight's tour exactly if m and n are both 3 and r is 1, or m, n >= 7 and r >= 3.",
    citation="W. Srichote, R. Boonklurb and S. Singhun, Closed knight's tours on (m, n, r)-ringboards, "
    "Symmetry 12 (2020) 1217",
)


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
    return "" if max(m, n) <= ODD_BOARDS else None


def ring(m: int, n: int, r: int) -> str:
    """Closed tours of the ring of width r in m x n."""
    if (m, n, r) == (3, 3, 1) or r >= 3:  # m, n > 2r >= 6 then
        return ""
    return f"the ring is {r} wide"


# ---- hexagons, knight

HEXAGON = partial(
    Theorem,
    statement="Gliński's hexagon of side n has a closed knight's tour for every n >= 4, and none for n = 2 "
    "and 3.",
    name="the theorem on Gliński's hexagon (DeMaio and Alam's conjecture)",
    citation="J. DeMaio and M. S. Alam, Using the OPTGRAPH procedure to construct closed knight's tours on "
    "standard and variant chessboards, SAS Global Forum 2020, paper 4156-2020",
    status=f"their conjecture; no proof before ours is known to us, and {_printed('glinski')}",
)
TRIANGLE = partial(
    Theorem,
    name="a theorem on triangles of hexagonal cells",
    statement="A triangle of hexagonal cells, n > 1 to a side, has a closed knight's tour exactly if n >= 8, "
    "and an open one exactly if n is 6 or n >= 8.",
    citation="J. J. Watkins, Knight's tours on triangular honeycombs, Congressus Numerantium 124 (1997) "
    "81-87, may have it; we could not read it",
    status=_printed("triangles"),
)
PARALLELOGRAM = partial(
    Theorem,
    name="a theorem on parallelograms of hexagonal cells",
    statement="A parallelogram of m x n hexagonal cells, m <= n and n > 1, has a closed knight's tour "
    "exactly if m >= 4 and it is not 4 x 4; on 1 x n, 2 x n and 4 x 4 there is no open one either.",
    citation="no classification in print is known to us",
    status=_printed("parallelograms"),
)
UNEQUAL_HEXAGON = partial(
    Theorem,
    name="a theorem on hexagons with unequal sides",
    statement="A hexagon with angles of 120 degrees and sides of a, b, c, a, b, c cells has a closed "
    "knight's tour if none of them is less than 4.",
    citation="no classification in print is known to us",
    status=_printed("hexagons"),
)


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
    """Tours of parallelograms of hexagonal cells; of open ones with three rows there is no theorem."""
    m, n = sorted((m, n))
    if n > 1 and (m < 3 or (m, n) == (4, 4)):
        return "the moves do not connect its cells"
    if m == 3:
        return "a side is 3" if closed else None
    return ""


def unequal_hexagon(*sides: int) -> str | None:
    """Tours of hexagons with sides a, b, c, a, b, c."""
    if len(set(sides)) == 1:
        return hexagon(sides[0])
    return "" if min(sides) >= 4 else None


# ---- other leapers

KNUTH = partial(
    Theorem,
    name="Knuth's theorem",
    statement="The moves of a (p, q) leaper, 1 <= p <= q, connect an m x n board, 2 <= m <= n, exactly if "
    "p + q and q - p have no common divisor, n >= 2q and m >= p + q; without that there is no tour.",
    citation="D. E. Knuth, Leaper graphs, Mathematical Gazette 78 (1994) 274-297",
)
BELUHOV = partial(
    Theorem,
    name="Beluhov's theorem (Willcocks's conjecture)",
    statement="A (p, q) leaper, p and q without a common divisor and p + q odd, has a closed tour of the "
    "square of side 2(p + q).",
    citation="N. Beluhov, arXiv 1708.05810",
)
ZEBRAS = 45
ZEBRA = partial(
    Theorem,
    name="a computation",
    statement=f"The zebra, a (2, 3) leaper, has a closed tour of m x n, 2 <= m <= n <= {ZEBRAS}, unless m "
    "and n are both odd, or m or n is 2, 3, 4, 6, 7, 8 or 12, or m is 5 and n < 20, but not 16, or m is 9 "
    "and n < 20.",
    citation="no classification in print is known to us",
    status=f"computed for m, n <= {ZEBRAS}",
)
GIRAFFE = partial(
    Theorem,
    name="Waldmann's computation",
    statement="The giraffe, a (1, 4) leaper, has no tour of 11x11, open or closed.",
    citation="J. Waldmann, The (1,4) leaper graph on 11 x 11 has no Hamiltonian path, a proof by a SAT "
    "solver, https://www.imn.htwk-leipzig.de/~waldmann/sat/leaper/",
    status="computed, with a checked proof",
)


def knuth(p: int, q: int, m: int, n: int) -> str:
    """Why the moves of a (p, q) leaper, 1 <= p <= q, do not connect m x n, 2 <= m, n."""
    m, n = sorted((m, n))
    if (d := gcd(p + q, q - p)) > 1:
        return f"{p + q} and {q - p} have the common divisor {d}"
    if n < 2 * q:
        return f"no side is {2 * q} or longer"
    return f"a side is shorter than {p + q}" if m < p + q else ""


def zebra(m: int, n: int) -> str | None:
    """Closed tours of the zebra on m x n, 2 <= m, n, as far as computed."""
    m, n = sorted((m, n))
    if m % 2 and n % 2:
        return "both sides are odd"
    if (narrow := next((side for side in (m, n) if side in {2, 3, 4, 6, 7, 8, 12}), 0)) and n <= ZEBRAS:
        return f"a side is {narrow}"
    if (m in {5, 9}) and n < 20 and (m, n) != (5, 16):
        return f"it is {m}x{n}"
    return "" if n <= ZEBRAS else None


# ---- boards and pieces


def theorem(board: Board | MoveGraph, piece: Piece, closed: bool) -> Theorem | None:  # noqa: FBT001 - the contract's
    """The theorem that says whether a board has a tour, None where none does."""
    return next(theorems(board, piece, closed), None)


def citation(board: Board | MoveGraph, piece: Piece, closed: bool) -> str:  # noqa: FBT001 - the contract's
    """One sentence that cites the theorem, "" where there is none."""
    if (found := theorem(board, piece, closed)) is None:
        return ""
    article = ("a" if closed else "an") if found.exists else "no"
    what = f"{article} {'closed' if closed else 'open'} tour"
    because = f", as {found.because}" if found.because else ""
    return f"By {found.name} there is {what}{because} ({found.citation}; {found.status})."


def citations(
    board: BoardLike | Question,
    *,
    piece: PieceLike | None = None,
    open: bool = False,  # noqa: A002 - the field's word, and the command line's
) -> list[Theorem]:
    """The theorems that say whether a board has a tour, the best known first; none where none does.

    Args:
        board: a board, its spec, a move graph (of which none speaks), or a whole `Question`.
        piece: a piece or its spec; by default the knight.
        open: open tours instead of closed ones.

    Raises:
        CavalcadeError: a spec that means nothing, or a piece that does not fit the board.
    """
    question = Question.of(board, piece=piece, open=open)
    known = theorems(question.board, question.piece, question.closed)
    narrow = bool(question.ends or question.constraints)
    return [one for one in known if not (one.exists and narrow)]  # tours, but perhaps not those asked for


def theorems(board: Board | MoveGraph, piece: Piece, closed: bool) -> Iterator[Theorem]:  # noqa: FBT001 - as above
    """All theorems that say something of a board, the best known first."""
    one_leap = len({tuple(sorted(leap)) for leap in piece.leaps}) == 1
    if not isinstance(board, Board) or not one_leap or board.size == 1:
        return
    p, q = sorted(piece.leaps[0])
    for family in FAMILIES:
        found = family(board, p, q, closed=closed)
        if found is not None:
            yield found
    if not closed:  # a closed tour, cut anywhere
        yield from (one for one in theorems(board, piece, closed=True) if one.exists)
    else:  # what has no open tour has no closed one
        yield from (one for one in _open(board, p, q) if not one.exists)


def _applied(law: Callable[..., Theorem], because: str | None) -> Theorem | None:
    return None if because is None else law(exists=not because, because=because)


def _sides(board: Board) -> list[int]:
    """The sides of a whole box that are longer than 1, two at least, in order; [] for other boards."""
    if not board.is_box or board.mask is not None:
        return []
    longer = [side for side in board.shape if side > 1]
    return [1] * (2 - len(longer)) + sorted(longer)


def _rectangle(board: Board, p: int, q: int, *, closed: bool) -> Theorem | None:
    if (p, q) != (1, 2) or len(sides := _sides(board)) != 2:
        return None
    return _applied(SCHWENK, schwenk(*sides)) if closed else _applied(CHIA_ONG, chia_ong(*sides))


def _box(board: Board, p: int, q: int, *, closed: bool) -> Theorem | None:
    if (p, q) != (1, 2) or len(sides := _sides(board)) != 3:
        return None
    return _applied(DEMAIO_MATHEW, demaio_mathew(*sides)) if closed else _applied(OPEN_BOX, open_box(*sides))


def _high_box(board: Board, p: int, q: int, *, closed: bool) -> Theorem | None:
    if (p, q) != (1, 2) or len(sides := _sides(board)) < 3 or (len(sides) == 3 and not closed):
        return None
    return _applied(ERDE, erde(*sides)) if closed else _applied(OPEN_BOX, open_box(*sides))


def _surface(board: Board, p: int, q: int, *, closed: bool) -> Theorem | None:
    if (p, q) != (1, 2) or not closed or board.mask is not None or board.size == 2:
        return None
    match board.kind:
        case "torus":
            return _applied(TORUS, "")
        case "klein":
            return _applied(KLEIN, "" if max(board.shape) <= SURFACES else None)
        case "cylinder":
            return _applied(CYLINDER, cylinder(*board.shape))
        case "mobius":
            return _applied(MOEBIUS, moebius(*board.shape))
    return None


def _honeycomb(board: Board, p: int, q: int, *, closed: bool) -> Theorem | None:
    """Whole boards of hexagonal cells."""
    if (p, q) != (1, 2) or not board.family.hexagonal or board.holes:
        return None
    sides: tuple[int, ...] = getattr(board, "sides", ())
    match board.kind:
        case "triangle":
            return _applied(TRIANGLE, triangle(*sides, closed=closed))
        case "parallelogram":
            return _applied(PARALLELOGRAM, parallelogram(*sides, closed=closed))
        case "hexagon":
            return _applied(UNEQUAL_HEXAGON, unequal_hexagon(*sides))
    return _applied(HEXAGON, hexagon(board.side))


def _removed(board: Board) -> tuple[int, int, Removed] | None:
    """Rows, columns, and the rows and columns of the holes of a flat box that has some."""
    sides = [side for side in board.shape if side > 1]
    if not board.is_box or board.mask is None or len(sides) != 2:
        return None
    rows, columns = (~board.mask.reshape(sides)).nonzero()
    return sides[0], sides[1], (rows.tolist(), columns.tolist())


def _one_removed(board: Board, p: int, q: int, *, closed: bool) -> Theorem | None:
    found = _removed(board)
    if (p, q) != (1, 2) or not closed or found is None or len(found[2][0]) != 1:
        return None
    m, n, ((row,), (column,)) = found
    i, j = row + 1, column + 1
    if m > n:
        m, n, i, j = n, m, j, i
    if m == 3:
        return _applied(MILLER_FARNSWORTH, miller_farnsworth(n, i, j))
    return _applied(ODD_BOARD, odd_board(m, n, i, j)) if m >= 5 and m % 2 and n % 2 else None


def _ring(board: Board, p: int, q: int, *, closed: bool) -> Theorem | None:
    found = _removed(board)
    if (p, q) != (1, 2) or not closed or found is None:
        return None
    m, n, (rows, columns) = found
    r = min(rows)
    middle = r > 0 and (max(rows), min(columns), max(columns)) == (m - 1 - r, r, n - 1 - r)
    whole = len(rows) == (m - 2 * r) * (n - 2 * r)
    return _applied(RING, ring(m, n, r)) if middle and whole else None


def _leaper(board: Board, p: int, q: int, *, closed: bool) -> Theorem | None:
    if len(sides := _sides(board)) != 2:
        return None
    m, n = sides
    if closed and p and gcd(p, q) == 1 and (p + q) % 2 and m == n == 2 * (p + q):
        return _applied(BELUHOV, "")
    if p and m > 1 and (because := knuth(p, q, m, n)):
        return _applied(KNUTH, because)
    if (p, q) == (2, 3) and closed and m > 1:
        return _applied(ZEBRA, zebra(m, n))
    return _applied(GIRAFFE, "it is 11x11") if (p, q, m, n) == (1, 4, 11, 11) else None


FAMILIES = (_rectangle, _box, _high_box, _surface, _honeycomb, _one_removed, _ring, _leaper)


def _open(board: Board, p: int, q: int) -> Iterator[Theorem]:
    """What the families say of open tours."""
    return (one for family in FAMILIES if (one := family(board, p, q, closed=False)) is not None)
