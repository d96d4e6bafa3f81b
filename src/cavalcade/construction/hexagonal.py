"""Tours of triangles, parallelograms and hexagons with any sides, in linear time.

`docs/proofs/glinski.md` proves that these boards of hexagonal cells have closed tours. Its proofs cut them
into pieces with closed tours and join them to a tree. A triangle and a parallelogram become a comb: *strips*
of pieces of five rows, in which each piece is joined with the next one, and whose first pieces are joined
inward. A hexagon becomes three parallelograms, joined at its centre. A *join* removes an edge of each of two
tours and adds two moves. This module lays all pieces of a kind at once, makes all joins of a kind at once,
and then walks the tour.

In the terms of the proofs, row R has the cells (R - p, p), p is the place in the row. A cell [i, j] of a
piece laid at (R, p) is the cell at place p + j of row R + i.

Time: linear, 0.1 to 0.3 µs per cell once the walk is compiled. Memory: about 50 bytes per cell at the peak.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from cavalcade.construction.hexagons import DEPTH, LEAST, TURN, pieces
from cavalcade.cycles.walking import cycle_of_all
from cavalcade.ground.budget import assert_room
from cavalcade.ground.errors import BoardError
from cavalcade.ground.kernels import Cells, Ints

Edge = list[list[int]]

FAMILIES = ("triangle", "parallelogram", "hexagon")
PLACED = np.array([[0, 0], [0, -1], [1, -1]])  # origins of the three parallelograms of a hexagon
ACROSS = np.array([[-1, 1], [0, 1]])  # exchanges rows and places: (q, r) becomes (-q, q + r)


def tour_of(family: str, *sides: int) -> Cells:
    """A closed tour of a board of hexagonal cells, as the proofs build it.

    Args:
        family: `triangle`, `parallelogram` or `hexagon`.
        sides: n for a triangle; m and n for a parallelogram; a, b and c for a hexagon.

    Returns:
        The coordinates (q, r) in the order of the tour, shape (cells, 2). A triangle has 0 <= q, 0 <= r and
        q + r < n; a parallelogram 0 <= q < m and 0 <= r < n; a hexagon the cells (b - 1 + x - y,
        c - 1 + y - z) with 0 <= x < a, 0 <= y < b and 0 <= z < c.

    Raises:
        BoardError: there is no such family, or its theorem gives no tour for these sides.
    """
    builders: dict[str, Callable[..., Cells]]
    builders = dict(zip(FAMILIES, (_triangle, _parallelogram, _hexagon), strict=True))
    if family not in FAMILIES or len(sides) != FAMILIES.index(family) + 1:
        raise BoardError(
            f"{family!r} with {len(sides)} sides is not a family, expected a triangle with 1 side, "
            "a parallelogram with 2 or a hexagon with 3"
        )
    if all(side == 1 for side in sides):
        return np.zeros((1, 2), dtype=np.int32)
    return builders[family](*sides)


def _assert_built(what: str, *, built: bool) -> None:
    if not built:
        raise BoardError(f"the theorems give no closed tour of {what}")


# ---- pieces and joins


class Laid(NamedTuple):
    """Copies of one piece: the number of their first cell, and the tour of each copy."""

    first: int
    tour: list[list[int]]

    def numbers(self, copies: ArrayLike, cell: list[int]) -> Ints:
        """The numbers of a cell of the piece in these copies."""
        return self.first + len(self.tour) * np.asarray(copies, dtype=np.int64) + self.tour.index(cell)


class Comb:
    """Pieces laid and joined: the place of each cell, and its two neighbours along its cycle."""

    def __init__(self, size: int) -> None:
        # Laying and joining the pieces takes 50 bytes of memory per cell.
        assert_room(50 * size, f"a tour of {size:,} cells")
        self.cells = np.empty((size, 2), dtype=np.int32)
        self.links = np.empty((2, size), dtype=np.int32)
        self.laid = 0  # number of cells laid so far

    def lay(self, tour: list[list[int]], rows: ArrayLike, places: ArrayLike) -> Laid:
        """Lay copies of a piece with cells [i, j] at these rows and places."""
        row, place = np.broadcast_arrays(np.asarray(rows), np.asarray(places))
        i, j = np.array(tour).T
        return self.put(tour, np.stack([row - place, place], 1), np.stack([i - j, j], 1))

    def put(self, tour: list[list[int]], shifts: ArrayLike = ((0, 0),), cells: Ints | None = None) -> Laid:
        """Lay copies of a piece, shifted by vectors, shape (k, 2).

        `cells` are the coordinates (q, r) of the tour, by default the tour itself.
        """
        shifts = np.asarray(shifts, dtype=np.int32)
        cells = np.array(tour) if cells is None else cells
        first, size = self.laid, len(cells)
        self.laid += size * len(shifts)
        new, begins = slice(first, self.laid), np.arange(first, self.laid, size, dtype=np.int32)[:, None]
        cycle = np.arange(size, dtype=np.int32)
        self.cells[new] = (shifts[:, None] + cells.astype(np.int32)).reshape(-1, 2)
        self.links[0, new] = (begins + np.roll(cycle, 1)).reshape(-1)
        self.links[1, new] = (begins + np.roll(cycle, -1)).reshape(-1)
        return Laid(first, tour)

    def join(
        self, first: Laid, copies: ArrayLike, edge: Edge, second: Laid, partners: ArrayLike, entered: Edge
    ) -> None:
        """Join copies of a piece by an edge with copies of another piece by another edge."""
        ends = [first.numbers(copies, cell) for cell in edge]
        self.exchange(*ends, *(second.numbers(partners, cell) for cell in entered))

    def exchange(self, a: Ints, b: Ints, d: Ints, c: Ints) -> None:
        """Exchange edges a-b and c-d for a-c and b-d or, if these are not moves, for a-d and b-c."""
        if not len(a):
            return
        q, r = np.abs(self.cells[c[0]] - self.cells[a[0]])
        third = abs((self.cells[c[0]] - self.cells[a[0]]).sum())
        if sorted((int(q), int(r), int(third))) != [1, 2, 3]:
            c, d = d, c
        for cell, old, new in ((a, b, c), (b, a, d), (c, d, a), (d, c, b)):
            side = (self.links[0, cell] != old).astype(np.int64)
            self.links[side, cell] = new

    def tour(self) -> Cells:
        """The cells in the order of the tour, once all pieces are joined."""
        return np.asarray(self.cells[cycle_of_all(*self.links)], dtype=np.int32)


# ---- the boards


def _triangle(n: int) -> Cells:
    """Strip m of M has m + 1 rhombi and a trapezoid; a tour of the triangle of side n - 5 M is stored."""
    _assert_built(f"triangle:{n}", built=n >= 8)
    strips, corner = (n - 8) // DEPTH, 8 + (n - 8) % DEPTH
    edges, comb = pieces()["edges"], Comb(n * (n + 1) // 2)
    stored = pieces("hexagonal")["triangles"][str(corner)]
    tip = comb.put(stored)
    m, k = np.tril_indices(strips)
    m_all, row = np.arange(strips), corner + 1 + DEPTH * np.arange(strips)
    rhombi = comb.lay(pieces()["rhombus"], row[m], DEPTH * k)
    ends = comb.lay(pieces()["trapezoids"][str(corner - 4)], row, DEPTH * (m_all + 1))
    inner, last, first = np.flatnonzero(k < m), np.flatnonzero(k == m), np.flatnonzero(k == 0)
    comb.join(rhombi, inner, edges["along"], rhombi, inner + 1, edges["entrance"])
    comb.join(rhombi, last, edges["along"], ends, m_all, edges["entrance"])
    comb.join(rhombi, first[1:], edges["inward"], rhombi, first[:-1], edges["entrance"])
    outer = corner + 1 - DEPTH
    entrance = [[outer + i - j, j] for i, j in edges["entrance"]]
    comb.join(rhombi, first[:1], edges["inward"], tip, 0 * first[:1], entrance)
    q, r = comb.tour().T
    return np.stack([q - 1, r], axis=1)


def _parallelogram(m: int, n: int) -> Cells:
    """Rows of cells (row - place, place) become files q of cells (q, r), with r from the other end."""
    _assert_built(f"parallelogram:{m}x{n}", built=min(m, n) >= LEAST and max(m, n) > LEAST)
    comb = Comb(m * n)
    _strips(comb, n, m) if n == LEAST else _strips(comb, m, n)
    q, r = comb.tour().T
    row, place = (r, q + r) if n == LEAST else (q + r, r)
    return np.stack([row, n - 1 - place], axis=1)


def _strips(comb: Comb, m: int, n: int) -> Laid:
    """Lay and join m rows of n places; returns the piece at row 0 and place 0."""
    own = pieces("hexagonal")["four"] if m == LEAST else pieces()["edges"]
    entrance, along, inward = own["entrance"], own["along"], pieces()["edges"]["inward"]
    strips = 0 if m == LEAST else (m - DEPTH) // DEPTH
    fives = (n - DEPTH) // DEPTH
    height, width = m - DEPTH * strips, n - DEPTH * fives
    top = 0 if m == LEAST else height - DEPTH
    blocks = pieces("hexagonal")["blocks"] | {f"{DEPTH}x{DEPTH}": pieces()["rhombus"]}
    k, t = np.arange(fives), np.arange(strips)
    firsts = []
    for h, rows in ((height, np.array([top])), (DEPTH, top + DEPTH * (t + 1))):
        number = np.arange(len(rows))
        row = comb.lay(blocks[f"{h}x{DEPTH}"], np.repeat(rows, fives), np.tile(DEPTH * k, len(rows)))
        ends = comb.lay(blocks[f"{h}x{width}"], rows, DEPTH * fives)
        copies = number[:, None] * fives + k
        comb.join(row, copies[:, :-1].ravel(), along, row, copies[:, 1:].ravel(), entrance)
        comb.join(row, copies[:, -1:].ravel(), along, ends, number if fives else number[:0], entrance)
        firsts.append((row, number * fives) if fives else (ends, number))
    (outer, zero), (first, copies) = firsts
    comb.join(first, copies[1:], inward, first, copies[:-1], entrance)
    comb.join(first, copies[:1], inward, outer, zero[: len(copies)], entrance)
    return outer


def _hexagon(*sides: int) -> Cells:
    """In the proof a <= b <= c, and the cells are x A + y B + z C with x < b, y < a and z < c."""
    a, b, c = sorted(sides)
    _assert_built(f"hexagon:{','.join(map(str, sides))}", built=a >= LEAST)
    comb, bounds = Comb(a * b + b * c + c * a - a - b - c + 1), [b, a, c]
    if a == b == LEAST:
        _layers(comb, c)
    elif f"{a},{b},{c}" in pieces("hexagonal")["hexagons"]:
        stored = pieces("hexagonal")["hexagons"][f"{a},{b},{c}"]
        comb.put(stored)
    else:
        _centre(comb, a, b, c)
    q, r = comb.tour().T
    xyz, free = [q, 0 * q, -r], [0, 1, 2]
    order = []
    for side in sides:  # find the coordinate of the proof, x, y or z, that runs along this side
        order.append(next(i for i in free if bounds[i] == side))
        free.remove(order[-1])
    x, y, z = (xyz[i] for i in order)
    return np.stack([sides[1] - 1 + x - y, sides[2] - 1 + y - z], axis=1)


def _layers(comb: Comb, c: int) -> None:
    """A board with sides 4, 4, `least`, and layers of five, each joined with the previous layer."""
    layer = pieces("hexagonal")["bent"]
    least = LEAST + (c - LEAST) % DEPTH
    stored = pieces("hexagonal")["hexagons"][f"4,4,{least}"]
    board = comb.put(stored)
    k = np.arange((c - least) // DEPTH)
    up = np.stack([0 * k, -least - DEPTH * k], axis=1)
    layers = comb.put(layer["tour"], up)
    comb.join(layers, k[1:], layer["inward"], layers, k[:-1], layer["entrance"])
    entrance = [[q, r + DEPTH - least] for q, r in layer["entrance"]]
    comb.join(layers, k[:1], layer["inward"], board, k[:1], entrance)


def _centre(comb: Comb, a: int, b: int, c: int) -> None:
    """Three parallelograms, b x a, a x (c - 1) and (c - 1) x (b - 1), rotated, shifted and joined."""
    f, g = (pieces("hexagonal")["centre"][name] for name in ("left", "entered"))
    u, v, w, x, y = pieces("hexagonal")["four"]["corner"]
    across: tuple[int, ...]
    if a > LEAST and b > DEPTH:
        across, joins = (), ((0, f, 1, g), (1, f, 2, g))
    elif a == DEPTH:
        across, joins = (2,), ((0, f, 1, g), (0, g, 2, x))
    elif b > DEPTH:
        across, joins = (0,), ((0, u, 1, v), (1, w, 2, g))
    else:
        across, joins = (0, 2), ((0, u, 1, v), (0, y, 2, u))
    firsts: list[Laid] = []
    for part, (m, n) in enumerate(((b, a), (a, c - 1), (c - 1, b - 1))):
        begin = comb.laid
        first = _strips(comb, n, m) if part in across else _strips(comb, m, n)
        # Edges at the centre count rows from the first row: in pieces of more than five rows it is negative.
        rows = min(i for i, _ in first.tour)
        firsts.append(Laid(first.first, [[i - rows, j] for i, j in first.tour]))
        turned = np.linalg.matrix_power(TURN, 2 * part)
        mapped = ACROSS @ turned if part in across else turned
        comb.cells[begin : comb.laid] = comb.cells[begin : comb.laid] @ mapped + PLACED[part]
    for i, edge, j, entered in joins:
        comb.join(firsts[i], [0], edge, firsts[j], [0], entered)
