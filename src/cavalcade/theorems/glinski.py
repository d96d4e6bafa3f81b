"""The finite check behind the theorem: Gliński's hexagon of side n has a closed knight's tour if n >= 4.

DeMaio and Alam (2020) conjectured it. The proof is in `docs/glinski.md`; here are the facts that it takes
from a list of tours, checked as plainly as they are said. This is pure Python and shares nothing with what
found the tours (`find.join`) or builds boards from them (`find.hexagon`) but the file that it reads.

n is the side. A *cell* is (q, r), with -q - r its third coordinate; the *ring* of a cell is the largest of
the three without their signs. Rings 0, …, n - 1 make the board of side n. *Arm* 0 of ring R > 0 is the R
cells (R - p, p), 0 <= p < R; p is the *place*. Arm a is arm 0, turned a times by 60 degrees. Five rings
R, …, R + 4 are a *band*; the cell [i, j] of a *piece* that lies at place p of an arm is the one in ring R + i
at place p + j, so turned. n = r + 5M with 4 <= r <= 8, and band m = 0, …, M - 1 begins at R = r + 5m.

Time: about a second.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise, permutations
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

STATEMENT = "Gliński's hexagonal board of side n has a closed knight's tour for every n >= 4."
RESIDUES = (4, 5, 6, 7, 8)
DEPTH = 5
BUILT = 45  # sides below this one are built and walked, as a test of the words

Cell: TypeAlias = tuple[int, int]
Edge: TypeAlias = tuple[Cell, Cell]


class Fault(Exception):  # noqa: N818 - it is what is wrong with a proof, not an error of ours
    """A fact that the theorem needs and that does not hold."""


@dataclass(frozen=True)
class Proved:
    """What was checked, in sentences, and the first thing that is wrong, or nothing."""

    facts: tuple[str, ...]
    fault: str = ""

    def __bool__(self) -> bool:
        return not self.fault


@dataclass(frozen=True)
class Pieces:
    """The tours, each a cycle of cells, and the four edges at which they are joined."""

    rhombus: list[Cell]
    trapezoids: dict[int, list[Cell]]
    boards: dict[int, list[Cell]]
    entrance: Edge
    along: Edge
    inward: Edge
    corner: Edge  # its places are counted from the ends of the rows

    def corner_of(self, least: int) -> Edge:
        """The corner edge of the trapezoid whose rows have `least`, `least` + 1, … cells."""
        (i, j), (k, h) = self.corner
        return (i, least + i + j), (k, least + k + h)


def packaged() -> str:
    """The tours that cavalcade builds with, as JSON."""
    return (files("cavalcade") / "construction" / "hexagons.json").read_text(encoding="utf-8")


def glinski(text: str | None = None) -> Proved:
    """Check all that the theorem rests on.

    Args:
        text: the tours as JSON; those of the package, if not given.
    """
    return proved(lambda: _facts(read(packaged() if text is None else text)))


def proved(check: Callable[[], Iterable[str]]) -> Proved:
    """The facts that a check yields, up to its fault."""
    facts: list[str] = []
    try:
        facts.extend(check())  # those before a fault are kept
    except Fault as fault:
        return Proved(tuple(facts), str(fault))
    return Proved(tuple(facts))


def _facts(pieces: Pieces) -> Iterator[str]:
    """The facts, one after the other."""
    if {turned((q, r), 1) for q, r in moves()} != set(moves()):
        raise Fault("a turn by 60 degrees does not keep the knight's moves")
    yield "A turn by 60 degrees makes knight's moves of knight's moves: what holds in one arm holds in all."
    yield from _tours(pieces)
    yield from _joins(pieces)
    yield from _edges(pieces)
    yield from _filling(pieces)
    for side in range(min(RESIDUES), BUILT):
        _walk(side, pieces)
    yield (
        f"To test these words: on the boards of side {min(RESIDUES)} to {BUILT - 1} the pieces, so joined, "
        "are one cycle of knight's moves through every cell."
    )


# ---- the tours of the pieces


def _tours(pieces: Pieces) -> Iterator[str]:
    square = [(i, j) for i in range(DEPTH) for j in range(DEPTH)]
    assert_tour("the rhombus", [flat(c) for c in pieces.rhombus], [flat(c) for c in square])
    yield "The rhombus, 5 rows of 5 cells, has a closed tour."
    if tuple(pieces.trapezoids) != RESIDUES or tuple(pieces.boards) != RESIDUES:
        raise Fault(
            f"expected trapezoids and boards for {RESIDUES}, not {tuple(pieces.trapezoids)} and "
            f"{tuple(pieces.boards)}"
        )
    for least, tour in pieces.trapezoids.items():
        shape = [(i, j) for i in range(DEPTH) for j in range(least + i)]
        assert_tour(f"the trapezoid {least}", [flat(c) for c in tour], [flat(c) for c in shape])
        rows = ", ".join(str(least + i) for i in range(DEPTH - 1))
        yield f"The trapezoid {least}, rows of {rows} and {least + 4} cells, has a closed tour."
    for side, tour in pieces.boards.items():
        whole = hexagon(side)
        assert_tour(f"the board of side {side}", tour, whole)
        yield f"The board of side {side}, {len(whole)} cells, has a closed tour."


def assert_tour(name: str, tour: list[Cell], shape: list[Cell]) -> None:
    """Every cell once, nothing else, and every step a knight's move, the last back to the first too."""
    if len(set(tour)) != len(tour):
        twice = next(cell for cell in tour if tour.count(cell) > 1)
        raise Fault(f"the tour of {name} visits (q, r) = {twice} twice")
    if set(tour) != set(shape):
        wrong = min(set(tour) ^ set(shape))
        raise Fault(f"the tour of {name} {'leaves out' if wrong in shape else 'visits'} (q, r) = {wrong}")
    for a, b in pairwise([*tour, tour[0]]):
        if not is_move(a, b):
            raise Fault(f"the tour of {name} steps from (q, r) = {a} to {b}, no knight's move")


# ---- the joins


def _joins(pieces: Pieces) -> Iterator[str]:
    """The edge that a piece is left by, and the entrance of the next, are a pair of moves apart.

    The same is added to both edges for every band and place, so it is left out here: ring R and place p of
    the piece that is left count as 0.
    """
    assert_join("along", edge_of(pieces.along), edge_of(pieces.entrance, place=DEPTH))
    yield f"Along an arm, {say(pieces.along, pieces.entrance)} 5 places on."
    # in row i of the band, ring R + i, the last place is R + i - 1: [i, j] from its end is (-j, R + i + j)
    (i, j), (k, h) = pieces.corner
    assert_join("around a corner", ((-j, i + j), (-h, k + h)), edge_of(pieces.entrance, arm=1))
    yield (
        f"Around a corner, {say(pieces.corner, pieces.entrance)} at place 0 of the next arm. (The places of "
        "the first edge are counted from the ends of the rows.)"
    )
    assert_join("inward", edge_of(pieces.inward), edge_of(pieces.entrance, ring=-DEPTH))
    yield f"Inward, {say(pieces.inward, pieces.entrance)} 5 rings further in."


def assert_join(kind: str, left: Edge, entered: Edge) -> None:
    """The two edges a-b, c-d can give way to a-c, b-d: the entrance is walked from d to c."""
    (a, b), (d, c) = left, entered
    for one, other in ((a, c), (b, d)):
        if not is_move(one, other):
            raise Fault(f"the join {kind} has no move from {one} to {other}")


# ---- the edges


def _edges(pieces: Pieces) -> Iterator[str]:
    """Every edge that is needed is in the tour, and no two that one piece may need are the same."""
    assert_edges("the rhombus", pieces.rhombus, pieces.entrance, pieces.along, pieces.inward)
    yield "The tour of the rhombus has the entrance and the edges along and inward, three different ones."
    for least, tour in pieces.trapezoids.items():
        corner = pieces.corner_of(least)
        assert_edges(f"the trapezoid {least}", tour, pieces.entrance, corner, pieces.inward)
    yield "The tour of each trapezoid has the entrance and the edges corner and inward, three different ones."
    for side, tour in pieces.boards.items():
        assert_edges(f"the board of side {side}", tour, _entrance(side, pieces))
    yield "The tour of each board of side r has the entrance of a piece at place 0 of arm 0, ring r - 5."


def assert_edges(name: str, tour: list[Cell], *edges: Edge) -> None:
    """The tour has these edges, and they are different."""
    steps = {frozenset(step) for step in pairwise([*tour, tour[0]])}
    for edge in edges:
        if frozenset(edge) not in steps:
            raise Fault(f"the tour of {name} has no edge {show(edge)}")
    if len({frozenset(edge) for edge in edges}) < len(edges):
        raise Fault(f"two joins of {name} use the same edge")


def _entrance(side: int, pieces: Pieces) -> Edge:
    return edge_of(pieces.entrance, ring=side - DEPTH)


# ---- the pieces fill the rings


def _filling(pieces: Pieces) -> Iterator[str]:
    """Every cell of the new rings lies in one piece, in the first bands; docs/glinski.md says why in all."""
    for least in RESIDUES:
        for m in range(4):
            ring = least + DEPTH * m
            found = [cell for piece in _band(least, m, pieces) for cell in piece.cells]
            wanted = set(hexagon(ring + DEPTH)) - set(hexagon(ring))
            if len(found) != len(wanted) or set(found) != wanted:
                raise Fault(f"the pieces do not fill the rings {ring} to {ring + DEPTH - 1}")
    yield (
        "Row i of an arm of band m has r + 5m + i cells: m rhombi of 5 and r + i of the trapezoid. "
        "(Compared cell by cell for every r and m < 4.)"
    )


@dataclass(frozen=True)
class _Piece:
    """A piece where it lies: its tour, its entrance, and the edge by which it is left."""

    cells: list[Cell]
    entrance: Edge
    left: Edge


def _band(least: int, m: int, pieces: Pieces) -> Iterator[_Piece]:
    """The pieces of band m in the order of the chain."""
    ring = least + DEPTH * m
    for arm in range(6):
        last = m == 0 and arm == 5
        leaving = pieces.inward if last else pieces.corner_of(least)
        yield _laid(pieces.trapezoids[least], pieces.entrance, leaving, arm, ring, DEPTH * m)
        following = (arm + 1) % 6
        for k in range(m):
            last = following == 0 and k == m - 1
            leaving = pieces.inward if last else pieces.along
            yield _laid(pieces.rhombus, pieces.entrance, leaving, following, ring, DEPTH * k)


def _laid(tour: list[Cell], entrance: Edge, leaving: Edge, arm: int, ring: int, place: int) -> _Piece:
    at = {"arm": arm, "ring": ring, "place": place}
    return _Piece([lay(c, **at) for c in tour], edge_of(entrance, **at), edge_of(leaving, **at))


# ---- whole boards


def _walk(side: int, pieces: Pieces) -> None:
    """Lay the pieces of a whole board, join them one after the other, and walk through all cells."""
    bands, least = divmod(side - min(RESIDUES), DEPTH)
    least += min(RESIDUES)
    chain = [piece for m in range(bands - 1, -1, -1) for piece in _band(least, m, pieces)]
    entrance = _entrance(least, pieces)
    board = [turned(c, 5) for c in pieces.boards[least]]  # the last piece lies in arm 5
    chain.append(_Piece(board, (turned(entrance[0], 5), turned(entrance[1], 5)), entrance))
    joins = [(piece.left, following.entrance) for piece, following in pairwise(chain)]
    assert_whole(f"the board of side {side}", [piece.cells for piece in chain], joins, hexagon(side))


def assert_whole(
    name: str, tours: list[list[Cell]], joins: list[tuple[Edge, Edge]], shape: list[Cell]
) -> None:
    """Exchange the edges of all joins, a-b and d-c for a-c and b-d, one after the other, and walk around."""
    neighbours: dict[Cell, set[Cell]] = {}
    for tour in tours:
        for a, b in pairwise([*tour, tour[0]]):
            neighbours.setdefault(a, set()).add(b)
            neighbours.setdefault(b, set()).add(a)
    for (a, b), (d, c) in joins:
        for one, other in ((a, b), (c, d)):
            if other not in neighbours.get(one, ()):
                raise Fault(f"on {name}, {one} to {other} is no edge any more")
            neighbours[one].remove(other)
            neighbours[other].remove(one)
        for one, other in ((a, c), (b, d)):
            neighbours[one].add(other)
            neighbours[other].add(one)
    start = tours[0][0]
    walk, before, here = [start], start, min(neighbours[start])
    while here != start and len(walk) <= len(neighbours):
        walk.append(here)
        before, here = here, next(iter(neighbours[here] - {before}), start)
    assert_tour(name, walk, shape)


# ---- cells


def turned(cell: Cell, times: int) -> Cell:
    """A cell turned by 60 degrees, so many times: arm 0 becomes arm 1."""
    q, r = cell
    for _ in range(times):
        q, r = -r, q + r
    return q, r


def flat(cell: Cell) -> Cell:
    """The cell [i, j] of a piece, but for what all its cells have in common."""
    return cell[0] - cell[1], cell[1]


def lay(cell: Cell, *, arm: int = 0, ring: int = 0, place: int = 0) -> Cell:
    """The cell [i, j] of a piece, where the piece lies at a place of an arm, in a band from this ring on."""
    i, j = cell
    return turned((ring + i - place - j, place + j), arm)


def edge_of(edge: Edge, *, arm: int = 0, ring: int = 0, place: int = 0) -> Edge:
    """Both ends of an edge of a piece, where the piece lies."""
    a, b = (lay(cell, arm=arm, ring=ring, place=place) for cell in edge)
    return a, b


def moves() -> list[Cell]:
    """The twelve moves, as what they add to a cell."""
    return [(s * q, s * r) for q, r, _ in permutations((1, 2, -3)) for s in (1, -1)]


def is_move(a: Cell, b: Cell) -> bool:
    """The differences of the three coordinates are 1, 2 and -3 in some order, or -1, -2 and 3."""
    q, r = b[0] - a[0], b[1] - a[1]
    return sorted((q, r, -q - r)) in ([-3, 1, 2], [-2, -1, 3])


def hexagon(side: int) -> list[Cell]:
    """The cells of the board of a side."""
    across = range(1 - side, side)
    return [(q, r) for q in across for r in across if abs(q + r) < side]


def show(edge: Edge) -> str:
    """An edge as text."""
    return f"{list(edge[0])}-{list(edge[1])}"


def say(left: Edge, entered: Edge) -> str:
    """That two edges can be joined."""
    return f"the edge {show(left)} can be joined with the entrance {show(entered)} of a piece"


# ---- the file


def read(text: str) -> Pieces:
    """The tours that a JSON text holds.

    Raises:
        Fault: it holds something else.
    """
    try:
        data: dict[str, Any] = json.loads(text)
        edges = {name: read_cells(data["edges"][name]) for name in ("entrance", "along", "inward", "corner")}
        if any(len(edge) != 2 for edge in edges.values()):
            raise Fault("an edge has two ends")
        return Pieces(
            read_cells(data["rhombus"]),
            {int(least): read_cells(tour) for least, tour in data["trapezoids"].items()},
            {int(side): read_cells(tour) for side, tour in data["boards"].items()},
            **{name: (edge[0], edge[1]) for name, edge in edges.items()},
        )
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        what = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise Fault(f"the list of tours cannot be read: {what}") from None


def read_cells(pairs: list[list[int]]) -> list[Cell]:
    """Pairs of integers; a TypeError for anything else."""
    if not pairs or not all(type(x) is int for pair in pairs for x in pair):
        raise TypeError(f"expected pairs of integers, not {str(pairs)[:40]}")
    return [(a, b) for a, b in pairs]
