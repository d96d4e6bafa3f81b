"""The finite check behind the theorem on rectangles: which of them have closed and open knight's tours.

Schwenk (1991) classified closed tours; Cull and De Curtins (1978) and Chia and Ong (2005) open ones. The
proof is in `docs/proofs/rectangles.md`; this module checks the facts that it takes from a list of tours. It
is pure Python and shares nothing but that list with the engines that found the tours. `formal/Schwenk.v` and
`formal/OpenTours.v` have the same proof in Coq.

A cell is (row, column), counted from 0. A *seam* is an edge by which tours are joined:

    enter   the edge of a closed tour by which the tour is appended at the right of another one
    leave   the edge of a tour to which another one is appended; its columns are counted from the right, -1
            is the last one

A board with sides of at least 5 grows by six columns: the closed tour of m x 6 is appended. It grows by six
rows in the same way, by the seams with rows and columns exchanged. A board with 3 or 4 rows grows by a
*strip* of four columns. In 3 x 4 one path, and in 4 x 4 a path and its mirror image, replace one edge each.

Time: half a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise, product
from typing import TypeAlias

from cavalcade.theorems.facts import Fault, assert_walk, has_tour, packaged, proved, read_cells

Cell: TypeAlias = tuple[int, int]
Edge: TypeAlias = tuple[Cell, Cell]
Walk: TypeAlias = list[Cell]

STATEMENT = (
    "An m x n board with m <= n and n > 1 has a closed knight's tour unless m and n are both odd, or m is 1, "
    "2 or 4, or m is 3 and n is 4, 6 or 8; and an open one unless m is 1 or 2, or m is 3 and n is 3, 5 or 6, "
    "or m and n are both 4."
)
# Boards whose tours are listed. Each larger board grows from one of them.
CLOSED_BASES = [(m, n) for m in range(5, 11) for n in range(m, 11) if m * n % 2 == 0] + [(3, 10), (3, 12)]
OPEN_BASES = [(5, 5), (5, 7), (5, 9), (7, 7), (7, 9), (9, 9), (3, 4), (3, 7), (3, 9)] + [
    (4, n) for n in range(5, 9)
]
NO_CLOSED_TOUR = [(3, 6), (3, 8)]  # the boards that no general argument excludes
NO_OPEN_TOUR = [(3, 3), (3, 5), (3, 6), (4, 4)]
BUILT_SIDES = range(1, 31)  # sides of the boards that are built and walked, as a test of the proof


class Width(IntEnum):
    """Columns by which a board grows.

    Attributes:
        BLOCK: columns of a closed tour that is appended: the fewest that have one for all m >= 5.
        STRIP: columns of a strip of 3 or 4 rows: the fewest that a path with a seam at its end covers.
    """

    BLOCK = 6
    STRIP = 4


@dataclass(frozen=True)
class RectangleTours:
    """The list of tours.

    Args:
        enter: the seam `enter`.
        leave: the seam `leave`, with columns counted from the right.
        closed: closed tours by the sides of their boards.
        open: open tours by the sides of their boards.
        strips: paths by the number of rows; the ends of a path are next to the ends of the seam `leave`.
    """

    enter: Edge
    leave: Edge
    closed: dict[Cell, Walk]
    open: dict[Cell, Walk]
    strips: dict[int, Walk]


def has_closed_tour(m: int, n: int) -> bool:
    """Whether a board with two or more cells has a closed tour, by the theorem."""
    m, n = sorted((m, n))
    return m * n % 2 == 0 and m not in {1, 2, 4} and (m, n) not in {(3, 4), (3, 6), (3, 8)}


def has_open_tour(m: int, n: int) -> bool:
    """Whether a board with two or more cells has an open tour, by the theorem."""
    m, n = sorted((m, n))
    return m not in {1, 2} and (m, n) not in {(3, 3), (3, 5), (3, 6), (4, 4)}


# ---- the check


@proved
def rectangles(text: str | None = None) -> Iterator[str]:
    """Check all facts behind the theorem.

    Args:
        text: the seams, tours and strips as JSON; by default the packaged ones.
    """
    tours = read(packaged("rectangles") if text is None else text)
    enter, leave = tours.enter, tours.leave
    for m, n in CLOSED_BASES:
        tour = _listed(tours.closed, m, n)
        assert_walk(f"{m} x {n}", tour, _cells(m, n), is_move)
        if m == 3:
            _assert_edges(f"{m} x {n}", pairwise(tour), [from_right(leave, n)])
        else:
            seams = [enter, crossed(enter), from_right(leave, n), crossed(from_right(leave, m))]
            _assert_edges(f"{m} x {n}", pairwise([*tour, tour[0]]), seams)
    yield (
        f"The {len(CLOSED_BASES)} boards {_names(CLOSED_BASES)} have closed tours with the seams: "
        f"{_shown(enter)} and {_shown(leave, 'n')}, and with rows and columns exchanged; on 3 rows only the "
        "second."
    )
    for m, n in OPEN_BASES:
        tour = _listed(tours.open, m, n)
        assert_walk(f"{m} x {n}", tour, _cells(m, n), is_move, closed=False)
        seams = [from_right(leave, n)]
        seams += [mirrored(seams[0])] if m == 4 else [crossed(from_right(leave, m))] if m > 4 else []
        _assert_edges(f"{m} x {n}", pairwise(tour), seams)
    yield (
        f"The {len(OPEN_BASES)} boards {_names(OPEN_BASES)} have open tours with the seam "
        f"{_shown(leave, 'n')}; on 4 rows also with its mirror image, on more rows also with rows and "
        "columns exchanged."
    )
    _assert_moves("the seams", from_right(leave, 0), enter)
    yield "Two moves lead from the ends of the second seam to those of the first one on the next columns."
    for rows, path in tours.strips.items():
        name = f"the strip of {rows} rows"
        paths = [path, [(rows - 1 - row, column) for row, column in path]] if rows == 4 else [path]
        cells = [cell for path in paths for cell in path]
        if sorted(cells) != _cells(rows, Width.STRIP):
            raise Fault(f"{name} does not have each cell of {rows} x {Width.STRIP} once")
        for a, b in pairwise(path):
            if not is_move(a, b):
                raise Fault(f"{name} steps from {a} to {b}, no knight's move")
        _assert_moves(name, from_right(leave, 0), (path[0], path[-1]))
        _assert_edges(name, pairwise(path), [from_right(leave, Width.STRIP)])
    if sorted(tours.strips) != [3, 4]:
        raise Fault("the strips do not have 3 and 4 rows")
    yield (
        "A path covers 3 x 4, and a path and its mirror image cover 4 x 4. Two moves lead from the ends of "
        "the second seam to those of the path, and the path has that seam again, four columns on."
    )
    for boards, closed in ((NO_CLOSED_TOUR, True), (NO_OPEN_TOUR, False)):
        for m, n in boards:
            if has_tour(_cells(m, n), is_move, closed=closed):
                raise Fault(f"{m} x {n} has {'a closed' if closed else 'an open'} tour")
        kind = "closed" if closed else "open"
        yield f"An exhaustive search finds no {kind} tour of {_names(boards)}."
    built = 0
    for m, n in product(BUILT_SIDES, repeat=2):
        for closed, exists in ((True, has_closed_tour(m, n)), (False, has_open_tour(m, n))):
            if m <= n and exists:
                assert_walk(
                    f"{m} x {n}", tour_of(m, n, tours, closed=closed), _cells(m, n), is_move, closed=closed
                )
                built += 1
    longest = BUILT_SIDES[-1]
    yield f"To test this: {built} tours, open and closed, of boards with sides up to {longest}, so joined."


def _listed(tours: dict[Cell, Walk], m: int, n: int) -> Walk:
    if (m, n) not in tours:
        raise Fault(f"the list has no tour of {m} x {n}")
    return tours[m, n]


def _assert_edges(name: str, steps: Iterator[Edge], seams: list[Edge]) -> None:
    """Assert that steps contain these edges, in any direction, and that the edges are different."""
    edges = set(map(frozenset, steps))
    for seam in seams:
        if frozenset(seam) not in edges:
            raise Fault(f"{name} has no edge {_shown(seam)}")
    if len(set(map(frozenset, seams))) < len(seams):
        raise Fault(f"{name} has two seams in one edge")


def _assert_moves(name: str, leaving: Edge, entered: Edge) -> None:
    """Assert that a move leads from each end of an edge to the corresponding end of another edge."""
    for a, b in zip(leaving, entered, strict=True):
        if not is_move(a, b):
            raise Fault(f"{name}: no move leads from {a} to {b}")


# ---- tours of boards of any size, as a test of the proof


def tour_of(m: int, n: int, tours: RectangleTours, *, closed: bool) -> Walk:
    """The tour of the proof.

    Raises:
        Fault: the board has none by the theorem.
    """
    if n < m:
        return list(map(_swapped, tour_of(n, m, tours, closed=closed)))
    if not closed and m != 4 and has_closed_tour(m, n):
        return tour_of(m, n, tours, closed=True)
    listed = tours.closed if closed else tours.open
    if (m, n) in listed:
        return listed[m, n]
    if n <= Width.BLOCK:
        raise Fault(f"no tour of the list grows to one of {m} x {n}")
    if m < 5:
        before = n - Width.STRIP
        walk = _inserted(tour_of(m, before, tours, closed=closed), tours, before, tours.strips[m])
        if m == 4:
            walk = [(3 - row, column) for row, column in walk]
            walk = _inserted(walk, tours, before, tours.strips[m])
        return walk
    before = n - Width.BLOCK
    block = tour_of(m, Width.BLOCK, tours, closed=True)
    # The closed tour of the block as a path from one end of the seam `enter` to the other.
    first = block.index(tours.enter[0])
    path = block[first:] + block[:first]
    path = path if path[-1] == tours.enter[1] else [path[0], *path[:0:-1]]
    walk = tour_of(m, before, tours, closed=closed)
    return _inserted(walk, tours, before, path)


def _inserted(walk: Walk, tours: RectangleTours, columns: int, path: Walk) -> Walk:
    """Replace the seam `leave` of a board by a path on the columns after it."""
    a, b = from_right(tours.leave, columns)
    moved = [(row, column + columns) for row, column in path]
    i = walk.index(a)
    if walk[i - 1] == b:  # the path is inserted before the cell, or at the end if the cell is the first one
        return walk[:i] + moved[::-1] + walk[i:] if i else walk + moved[::-1]
    return walk[: i + 1] + moved + walk[i + 1 :]


# ---- cells and the file


def is_move(a: Cell, b: Cell) -> bool:
    """Whether a knight's move leads from one cell to another."""
    return {abs(a[0] - b[0]), abs(a[1] - b[1])} == {1, 2}


def from_right(edge: Edge, columns: int) -> Edge:
    """An edge whose columns are counted from the right, on a board with some number of columns."""
    (i, j), (k, h) = edge
    return (i, j + columns), (k, h + columns)


def crossed(edge: Edge) -> Edge:
    """An edge with rows and columns exchanged."""
    return _swapped(edge[0]), _swapped(edge[1])


def mirrored(edge: Edge) -> Edge:
    """The mirror image of an edge on a board with four rows: top and bottom are exchanged."""
    (i, j), (k, h) = edge
    return (3 - i, j), (3 - k, h)


def _swapped(cell: Cell) -> Cell:
    return cell[1], cell[0]


def _cells(m: int, n: int) -> list[Cell]:
    return list(product(range(m), range(n)))


def _names(boards: list[Cell]) -> str:
    return ", ".join(f"{m}x{n}" for m, n in boards)


def _shown(edge: Edge, origin: str = "") -> str:
    return "-".join(f"({row}, {origin}{column})" for row, column in edge)


def read(text: str) -> RectangleTours:
    """The list in a JSON text: `seams`, `closed` and `open` tours by name such as `5x6`, and `strips`."""
    data = read_cells(text)
    seams = data["seams"]
    closed, opened = (
        {(int(m), int(n)): list(tour) for name, tour in data[kind].items() for m, n in [name.split("x")]}
        for kind in ("closed", "open")
    )
    strips = {int(rows): list(path) for rows, path in data["strips"].items()}
    return RectangleTours(_edge(seams["enter"]), _edge(seams["leave"]), closed, opened, strips)


def _edge(cells: list[Cell]) -> Edge:
    (i, j), (k, h) = cells
    return (i, j), (k, h)
