"""The finite check behind the theorem: Gliński's hexagon of side n has a closed knight's tour if n >= 4.

DeMaio and Alam (2020) conjectured it. The proof is in `docs/proofs/glinski.md`; this module checks the facts
that it takes from a list of tours. It is pure Python and shares nothing but that list with the engine that
found the tours (`find.join`) and the code that builds boards from them (`construction.hexagons`).

n is the side. A *cell* is (q, r); its third coordinate is -q - r. Around a hexagon with sides of s_0, …, s_5
cells lies a *band* of five rings. Its *arm* 0 begins with the cell `start` just outside a corner; in row i =
0, …, 4 it has the s_0 + i cells `start` + (i - p, p), where p from 0 is the *place*. Arm 1 is rotated by 60
degrees and begins at `start` + (-s_0, s_0), and so on. The cell [i, j] of a *piece* at place p of an arm is
the cell in row i at place p + j. On Gliński's board of side n, all s are n and `start` is (n, 0).

Time: about a second.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, permutations
from typing import TypeAlias

from cavalcade.theorems.facts import Fault, assert_walk, joined, packaged, proved, read_cells

STATEMENT = "Gliński's hexagonal board of side n has a closed knight's tour for every n >= 4."
RESIDUES = (4, 5, 6, 7, 8)  # sides of the central boards: one for each remainder modulo the depth of a band
DEPTH = len(RESIDUES)  # rings in a band
SIDES = range(4, 45)  # sides of the boards that are built and walked, as a test of the proof
BUILT = SIDES

Cell: TypeAlias = tuple[int, int]
Edge: TypeAlias = tuple[Cell, Cell]
Tour: TypeAlias = list[Cell]
Join: TypeAlias = tuple[Edge, Edge]  # a-b and d-c, which give way to a-c and b-d


@dataclass(frozen=True)
class Pieces:
    """Tours of the pieces, as cycles of cells, and the four edges by which they are joined."""

    rhombus: Tour
    trapezoids: dict[int, Tour]
    boards: dict[int, Tour]
    entrance: Edge
    along: Edge
    inward: Edge
    corner: Edge  # places are counted from the ends of the rows

    def corner_of(self, least: int) -> Edge:
        """The corner edge of the trapezoid whose rows have `least`, `least` + 1, … cells."""
        (i, j), (k, h) = self.corner
        return (i, least + i + j), (k, least + k + h)


@proved
def glinski(text: str | None = None) -> Iterator[str]:
    """Check all facts behind the theorem.

    Args:
        text: the tours as JSON; by default the packaged ones.
    """
    pieces = read(packaged("glinski") if text is None else text)
    yield from assert_pieces(pieces)
    for side, tour in pieces.boards.items():
        cells = hexagon(side)
        assert_tour(f"the board of side {side}", tour, cells)
        assert_edges(f"the board of side {side}", tour, edge_of(pieces.entrance, start=(side - DEPTH, 0)))
        yield f"The board of side {side}, {len(cells)} cells, has a closed tour with its entrance."
    yield from assert_joins(pieces)
    # Counted from the end of row i, which has s + i cells, [i, j] is (-j, i + j) from the start of arm 1.
    (i, j), (k, h) = pieces.corner
    assert_join("around a corner", ((-j, i + j), (-h, k + h)), edge_of(pieces.entrance, arm=1))
    yield (
        f"Around a corner, {_join(pieces.corner, pieces.entrance)} at place 0 of the next arm. (The places "
        "of the first edge are counted from the ends of the rows.)"
    )
    for side in BUILT:
        assert_whole(f"the board of side {side}", *built(side, pieces), hexagon(side))
    yield (
        f"To test these words: on the boards of side {SIDES[0]} to {SIDES[-1]} the pieces, so joined, "
        "are one cycle of knight's moves through every cell."
    )


# ---- the pieces


def assert_rhombus(pieces: Pieces) -> str:
    """Assert that the rhombus has a tour with the required edges."""
    square = [(i, j) for i in range(DEPTH) for j in range(DEPTH)]
    assert_tour("the rhombus", [flat(c) for c in pieces.rhombus], [flat(c) for c in square])
    assert_edges("the rhombus", pieces.rhombus, pieces.entrance, pieces.along, pieces.inward)
    return (
        "The rhombus, 5 rows of 5 cells, has a closed tour with the edges entrance, along and inward, three "
        "different ones."
    )


def assert_pieces(pieces: Pieces) -> Iterator[str]:
    """Assert that the rhombus and the trapezoids have tours with the required edges."""
    yield assert_rhombus(pieces)
    for least, tour in pieces.trapezoids.items():
        name = f"the trapezoid {least}"
        shape = [(i, j) for i in range(DEPTH) for j in range(least + i)]
        assert_tour(name, [flat(c) for c in tour], [flat(c) for c in shape])
        assert_edges(name, tour, pieces.entrance, pieces.corner_of(least), pieces.inward)
        rows = ", ".join(str(least + i) for i in range(DEPTH - 1))
        yield (
            f"The trapezoid {least}, rows of {rows} and {least + 4} cells, has a closed tour with entrance, "
            "corner and inward, three different ones."
        )


def assert_edges(name: str, tour: Tour, *edges: Edge) -> None:
    """Assert that a tour has these edges, and that they are different."""
    steps = {frozenset(step) for step in pairwise([*tour, tour[0]])}
    for edge in edges:
        if frozenset(edge) not in steps:
            raise Fault(f"the tour of {name} has no edge {show(edge)}")
    if len({frozenset(edge) for edge in edges}) < len(edges):
        raise Fault(f"two joins of {name} use the same edge")


# ---- the joins


def assert_joins(pieces: Pieces) -> Iterator[str]:
    """Assert that two moves connect the edge by which a piece is left with the entrance of the next piece.

    Both edges are shifted equally for all bands and places, so that `start` and p are taken as 0.
    """
    assert_join("along", edge_of(pieces.along), edge_of(pieces.entrance, place=DEPTH))
    yield f"Along an arm, {_join(pieces.along, pieces.entrance)} 5 places on."
    assert_join("inward", edge_of(pieces.inward), edge_of(pieces.entrance, start=(-DEPTH, 0)))
    yield f"Inward, {_join(pieces.inward, pieces.entrance)} 5 rows further in."


def assert_join(kind: str, leaving: Edge, entered: Edge) -> None:
    """Assert that edges a-b and d-c can give way to a-c and b-d."""
    (a, b), (d, c) = leaving, entered
    for tail, head in ((a, c), (b, d)):
        if not is_move(tail, head):
            raise Fault(f"the join {kind} has no move from {tail} to {head}")


# ---- whole boards


def in_a_row(
    pieces: list[Tour], along: Edge, entrance: Edge, *, arm: int = 0, start: Cell = (0, 0)
) -> tuple[list[Tour], list[Join]]:
    """The tours of pieces along an arm from place 0, and the joins between neighbouring pieces."""
    places = range(0, DEPTH * len(pieces), DEPTH)
    laid = zip(pieces, places, strict=True)
    tours = [[lay(cell, arm=arm, start=start, place=p) for cell in tour] for tour, p in laid]
    leaving, entered = (
        [edge_of(edge, arm=arm, start=start, place=p) for p in places] for edge in (along, entrance)
    )
    return tours, list(zip(leaving, entered[1:], strict=False))


def band(sides: Iterable[int], start: Cell, pieces: Pieces) -> tuple[list[Tour], list[Join]]:
    """The tours of the pieces around a hexagon, and the joins between neighbouring pieces.

    Args:
        sides: numbers of cells of the sides of the hexagon, in order.
        start: first cell of arm 0.
        pieces: tours of the pieces.
    """
    tours, joins, corner = list[Tour](), list[Join](), None
    for arm, side in enumerate(sides):
        count, least = divmod(side - RESIDUES[0], DEPTH)
        least += RESIDUES[0]
        arm_tours = [pieces.rhombus] * count + [pieces.trapezoids[least]]
        laid, along = in_a_row(arm_tours, pieces.along, pieces.entrance, arm=arm, start=start)
        joins += [(corner, edge_of(pieces.entrance, arm=arm, start=start))] if corner else []
        corner = edge_of(pieces.corner_of(least), arm=arm, start=start, place=DEPTH * count)
        tours += laid
        joins += along
        (q, r), (x, y) = start, turned((-side, side), arm)
        start = q + x, r + y
    return tours, joins


def inward(start: Cell, pieces: Pieces) -> Join:
    """The join of the first piece of a band with the next band inward, or with the central board."""
    return edge_of(pieces.inward, start=start), edge_of(pieces.entrance, start=(start[0] - DEPTH, start[1]))


def built(side: int, pieces: Pieces) -> tuple[list[Tour], list[Join]]:
    """The tours of the pieces of Gliński's board, from the centre outward, and all joins."""
    bands, least = divmod(side - RESIDUES[0], DEPTH)
    least += RESIDUES[0]
    tours, joins = [pieces.boards[least]], list[Join]()
    for size in range(least, least + DEPTH * bands, DEPTH):
        ring_tours, along = band([size] * 6, (size, 0), pieces)
        tours += ring_tours
        joins += [inward((size, 0), pieces), *along]
    return tours, joins


def assert_whole(name: str, tours: list[Tour], joins: list[Join], shape: list[Cell]) -> None:
    """Assert that joined tours are a tour of the whole board."""
    edges = (edge for tour in tours for edge in pairwise([*tour, tour[0]]))
    assert_tour(name, joined(edges, joins), shape)


# ---- cells


def turned(cell: Cell, times: int) -> Cell:
    """A cell rotated `times` times by 60 degrees: once, arm 0 becomes arm 1."""
    q, r = cell
    for _ in range(times):
        q, r = -r, q + r
    return q, r


def flat(cell: Cell) -> Cell:
    """The cell [i, j] of a piece at place 0 of arm 0, relative to the start of the arm."""
    return cell[0] - cell[1], cell[1]


def lay(cell: Cell, *, arm: int = 0, start: Cell = (0, 0), place: int = 0) -> Cell:
    """The cell [i, j] of a piece at a place of an arm that begins at `start`."""
    i, j = cell
    q, r = turned((i - place - j, place + j), arm)
    return start[0] + q, start[1] + r


def edge_of(edge: Edge, *, arm: int = 0, start: Cell = (0, 0), place: int = 0) -> Edge:
    """The ends of an edge of a piece at a place of an arm that begins at `start`."""
    a, b = (lay(cell, arm=arm, start=start, place=place) for cell in edge)
    return a, b


def moves() -> list[Cell]:
    """The twelve moves as vectors."""
    return [(s * q, s * r) for q, r, _ in permutations((1, 2, -3)) for s in (1, -1)]


def is_move(a: Cell, b: Cell) -> bool:
    """Whether the three coordinates differ by 1, 2 and -3 in any order, or by -1, -2 and 3."""
    q, r = b[0] - a[0], b[1] - a[1]
    return sorted((q, r, -q - r)) in ([-3, 1, 2], [-2, -1, 3])


assert_tour = partial(assert_walk, is_move=is_move)  # on hexagonal cells


def hexagon(side: int) -> list[Cell]:
    """The cells of Gliński's board."""
    across = range(1 - side, side)
    return [(q, r) for q in across for r in across if abs(q + r) < side]


def show(edge: Edge) -> str:
    """An edge as text."""
    return f"{list(edge[0])}-{list(edge[1])}"


def _join(leaving: Edge, entered: Edge) -> str:
    """A sentence stating that two edges can be joined."""
    return f"the edge {show(leaving)} can be joined with the entrance {show(entered)} of a piece"


# ---- the file


def read(text: str) -> Pieces:
    """The tours in a JSON text."""
    data = read_cells(text)
    return Pieces(
        data["rhombus"],
        {least: data["trapezoids"][str(least)] for least in RESIDUES},
        {side: data["boards"][str(side)] for side in RESIDUES},
        **{name: data["edges"][name] for name in ("entrance", "along", "inward", "corner")},
    )
