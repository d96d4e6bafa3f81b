"""The finite checks behind the theorems on triangles, parallelograms and hexagons of hexagonal cells.

They use the pieces, joins and terms of `theorems.glinski`; `docs/proofs/glinski.md` has the proofs. A *row* R
has the cells (R - p, p), where p is the place in the row.

    triangle of side n         rows 1, …, n, with R cells in row R
    parallelogram m x n        rows 0, …, m - 1, with n cells each
    hexagon a, b, c            x A + y B + z C with 0 <= x < a, 0 <= y < b, 0 <= z < c; A = (1, 0), and B, C
                               are A rotated by 120 and 240 degrees. Because A + B + C = 0, it consists of
                               a x b and, rotated and shifted, b x (c - 1) and (c - 1) x (a - 1)

A *strip* has five rows, or the h remaining rows. It is a row of pieces, and the first pieces, at place 0, are
joined inward. So the pieces form a comb, as on Gliński's board.

Time: about a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from cavalcade.theorems.facts import Fault, matched, packaged, proved, read_cells
from cavalcade.theorems.glinski import (
    DEPTH,
    Cell,
    Edge,
    Join,
    Pieces,
    Tour,
    assert_edges,
    assert_join,
    assert_joins,
    assert_pieces,
    assert_rhombus,
    assert_tour,
    assert_whole,
    edge_of,
    flat,
    in_a_row,
    inward,
    is_move,
    moves,
    read,
    turned,
)
from cavalcade.theorems.narrow import cell_at, hexagon, narrow, up

Tours: TypeAlias = dict[str, Any]

TRIANGLES = (
    "The triangular board of hexagonal cells with n > 1 to a side has a closed knight's tour if and only if "
    "n >= 8, and an open one if and only if n = 6 or n >= 8."
)
PARALLELOGRAMS = (
    "The parallelogram of m x n hexagonal cells, 1 <= m <= n and n > 1, has a closed knight's tour if and "
    "only if m >= 4 and it is not 4 x 4."
)
HEXAGONS = (
    "The hexagonal board with angles of 120 degrees and sides a, b, c, a, b, c, where a <= b <= c and c > 1, "
    "has a closed knight's tour unless a = 1 and b <= 3, or a = b = 2, or (a, b, c) is (1, 4, 4), (2, 3, 3), "
    "(2, 3, 5), (2, 3, 6) or (3, 3, 3); and if a >= 2, an open one unless a = b = 2, or (a, b, c) is "
    "(2, 3, 3) or (3, 3, 3)."
)
CORNERS = (8, 9, 10, 11, 12)  # sides of the triangles at the tips of larger ones
WITHOUT = (2, 3, 4, 5, 6, 7)  # sides of the triangles without a closed tour
PARTS = (5, 6, 7, 8, 9)  # lengths of the last part of rows and places; the other parts are fives
FOUR = 4  # rows of the narrowest parallelogram with a closed tour
BLOCKS = [(h, w) for h in (FOUR, *PARTS) for w in PARTS if (h, w) != (DEPTH, DEPTH)]
HEXAGON_SIDES = [(4, 4, 4), (4, 4, 5), (4, 4, 6), (4, 4, 7), (4, 4, 8), (4, 5, 5), (5, 5, 5)]
# Shapes that are built and walked, as a test of the proofs, with sides up to a limit.
LARGEST = 40
BUILT_TRIANGLES = range(CORNERS[0], LARGEST + 1)
BUILT_PARALLELOGRAMS = [
    (m, n) for m in range(FOUR, LARGEST + 1) for n in range(DEPTH, LARGEST + 1, 1 if m < 16 else 7)
]
BUILT_HEXAGONS = [
    (a, b, c) for a in range(4, 13) for b in range(a, 17) for c in range(b, 21, 1 if b < 8 else 3)
]


def _read(text: str | None) -> tuple[Pieces, Tours]:
    """The pieces of Gliński's board, and the list of the other shapes.

    cuts        cells of triangles without a tour, by side; their removal leaves more parts than a tour joins
    open        an open tour of the triangle of side 6
    three       for 3 x n: the cells [row, place] `apart`, and the `cut`, all cells that they reach
    triangles   closed tours by side
    blocks      closed tours of h x w cells [i, j], where the outermost row is 4; of 4 x w with rows from 0
    four        edges of blocks with four rows: `entrance`, `along`, and `corner`, five edges as in `centre`,
                the last one in 4 x 5 only
    centre      two edges of the other blocks at row 0 and place 0, with rows counted from the first one
    bent        a tour of the layer between the hexagons 4, 4, c and 4, 4, c + 5, shifted by -c C, with its
                edges `entrance` and `inward`
    hexagons    closed tours by sides a <= b <= c, laid as the hexagon b, a, c
    narrow      the tours of hexagons with a = 2 and 3, see `theorems.narrow`
    """
    return read(packaged("glinski")), read_cells(packaged("hexagonal") if text is None else text)


# ---- triangles


@proved
def triangles(text: str | None = None) -> Iterator[str]:
    """Check all facts behind the theorem on triangles.

    Args:
        text: the tours as JSON; by default the packaged ones.
    """
    pieces, tours = _read(text)
    for side in WITHOUT:
        cut = tours["cuts"][str(side)]
        yield _no_tour(f"the triangle of side {side}", _triangle(side), cut, closed=side == 6)
    assert_tour("the triangle of side 6", tours["open"]["6"], _triangle(6), closed=False)
    yield "The triangle of side 6 has an open tour."
    yield from assert_pieces(pieces)
    for side in CORNERS:
        tour = tours["triangles"][str(side)]
        assert_tour(f"the triangle of side {side}", tour, _triangle(side))
        assert_edges(f"the triangle of side {side}", tour, inward((side + 1, 0), pieces)[1])
    yield "The triangles of side 8 to 12 have closed tours with the entrance of a piece in their last 5 rows."
    yield from assert_joins(pieces)
    for side in BUILT_TRIANGLES:
        _whole_triangle(side, pieces, tours)
    yield f"To test this: the triangles of side {CORNERS[0]} to {LARGEST}, so joined, have closed tours."


def _triangle(side: int) -> list[Cell]:
    return [(row - p, p) for row in range(1, side + 1) for p in range(row)]


def _whole_triangle(side: int, pieces: Pieces, tours: Tours) -> None:
    """Strip m begins with row corner + 1 + 5m and has m + 1 rhombi and the trapezoid r = corner - 4."""
    strips, corner = divmod(side - min(CORNERS), DEPTH)
    corner += min(CORNERS)
    cells, joins = [tours["triangles"][str(corner)]], list[Join]()
    for m in range(strips):
        start = corner + 1 + DEPTH * m, 0
        strip = [pieces.rhombus] * (m + 1) + [pieces.trapezoids[corner - 4]]
        laid, along = in_a_row(strip, pieces.along, pieces.entrance, start=start)
        cells += laid
        joins += [*along, inward(start, pieces)]  # further in, a piece and the corner have the same entrance
    assert_whole(f"the triangle of side {side}", cells, joins, _triangle(side))


# ---- parallelograms


@proved
def parallelograms(text: str | None = None) -> Iterator[str]:
    """Check all facts behind the theorem on parallelograms; `text` is as for `triangles`."""
    pieces, tours = _read(text)
    yield _three(**tours["three"])
    yield _no_tour("4 x 4", _rows(4, 4), [])
    yield from _blocks(pieces, tours)
    for m, n in BUILT_PARALLELOGRAMS:
        assert_whole(f"{m} x {n}", *_laid(m, n, pieces, tours), _rows(m, n))
    yield f"To test this: parallelograms with sides up to {LARGEST}, so joined, have closed tours."


def _blocks(pieces: Pieces, tours: Tours) -> Iterator[str]:
    yield assert_rhombus(pieces)
    four, centre = tours["four"], list(tours["centre"].values())
    for h, w in BLOCKS:
        name, tour = f"the block {h} x {w}", tours["blocks"][f"{h}x{w}"]
        shape = [(i, j) for i in _block_rows(h) for j in range(w)]
        assert_tour(name, [flat(c) for c in tour], [flat(c) for c in shape])
        entrance, along = _ends(h, pieces, tours)
        edges = [along] if w == DEPTH else [pieces.inward] if h == DEPTH else []
        edges += [_centre(edge, h) for edge in centre] if h != FOUR else []
        assert_edges(name, tour, entrance, *edges)
        if h == FOUR:  # edges of the first block with four rows, whose entrance is not used
            assert_edges(name, tour, *edges, *four["corner"][: 5 if w == DEPTH else 4])
    assert_edges("the rhombus", pieces.rhombus, pieces.entrance, pieces.along, pieces.inward, *centre)
    yield (
        "The blocks of 4 to 9 rows and 5 to 9 places have closed tours with the entrance, and more edges: "
        "with 5 places the one along, with 5 rows and more places the one inward, and others near row 0 and "
        "place 0; all different, except the entrance of blocks of 4 rows."
    )
    yield from assert_joins(pieces)
    assert_join("along four rows", edge_of(four["along"]), edge_of(four["entrance"], place=DEPTH))
    yield "In four rows the edge along can be joined with the entrance of a block 5 places on."


def _ends(height: int, pieces: Pieces, tours: Tours) -> tuple[Edge, Edge]:
    """The edges entrance and along of blocks with `height` rows."""
    if height != FOUR:
        return pieces.entrance, pieces.along
    return tours["four"]["entrance"], tours["four"]["along"]


def _three(apart: list[Cell], cut: list[Cell]) -> str:
    """Assert that on 3 x n, n >= 3, without the cut, the cells `apart` are parts, and the rest at least one.

    All of them lie in the first three places. If n is small, some cells of the cut do not exist.
    """
    for row, place in apart:
        for q, r in moves():
            i, j = row + q + r, place + r
            if 0 <= i < 3 and j >= 0 and (i, j) not in cut:
                raise Fault(f"on 3 x n a move leads from {[row, place]} to {[i, j]}")
    cells = {(i, j) for i in range(3) for j in range(3)} - set(cut)
    if len(set(apart) & cells) + bool(cells - set(apart)) <= len(cut):
        raise Fault(f"on 3 x n, {cut} are not a cut")
    return (
        f"On 3 x n, n >= 3, at most {len(cut)} cells keep {len(apart)} apart from each other and from the "
        "rest: there is no closed tour."
    )


def _rows(m: int, n: int) -> list[Cell]:
    return [(row - p, p) for row in range(m) for p in range(n)]


def _block_rows(height: int) -> range:
    return range(FOUR) if height == FOUR else range(DEPTH - height, DEPTH)


def _cut(length: int) -> tuple[int, int]:
    """The number of fives in a length, and the remaining part from 5 to 9."""
    fives, rest = divmod(length - DEPTH, DEPTH)
    return fives, rest + DEPTH


def _laid(m: int, n: int, pieces: Pieces, tours: Tours) -> tuple[list[Tour], list[Join]]:
    """The tours of the blocks and the joins, the block at row 0 and place 0 first.

    Strip t = 0 has the h remaining rows, the others five; their outermost rows have the number 4.
    """
    entrance, along = _ends(m, pieces, tours)
    strips, height = (0, FOUR) if m == FOUR else _cut(m)
    fives, width = _cut(n)
    blocks = tours["blocks"] | {"5x5": pieces.rhombus}
    cells, joins = list[Tour](), list[Join]()
    for t in range(strips + 1):
        h = DEPTH if t else height
        start = 0 if m == FOUR else height - DEPTH + DEPTH * t, 0
        laid, inside = in_a_row(
            [blocks[f"{h}x5"]] * fives + [blocks[f"{h}x{width}"]], along, entrance, start=start
        )
        cells += laid
        joins += [*inside, inward(start, pieces)] if t else inside
    return cells, joins


# ---- hexagons


@proved
def hexagons(text: str | None = None) -> Iterator[str]:
    """Check all facts behind the theorem on hexagons; `text` is as for `triangles`."""
    pieces, tours = _read(text)
    yield from _blocks(pieces, tours)
    for a, b, c in HEXAGON_SIDES:
        assert_tour(f"the hexagon {a},{b},{c}", tours["hexagons"][f"{a},{b},{c}"], hexagon(b, a, c))
    yield "The hexagons with sides 4, 4 and 4 to 8; 4, 5, 5; and 5, 5, 5 have closed tours."
    shape = [cell_at(i, j, k) for k in range(DEPTH) for i in range(FOUR) for j in range(FOUR) if i * j == 0]
    layer, entrance, leaving = (tours["bent"][name] for name in ("tour", "entrance", "inward"))
    assert_tour("the layer", layer, sorted(set(shape)))
    assert_edges("the layer", layer, entrance, leaving)
    _matched(leaving, up(entrance, -DEPTH))
    for longest in range(FOUR, FOUR + DEPTH):
        tour = tours["hexagons"][f"4,4,{longest}"]
        assert_edges(f"the hexagon 4, 4, {longest}", tour, up(entrance, longest - DEPTH))
    yield "The layer between 4, 4, c and 4, 4, c + 5 has one too, which can be joined with the layer before."
    for name in ("a >= 5, b >= 6", "5, 5, c", "a = 4, b >= 6", "4, 5, c"):
        for first, leaving, second, entered in _centre_joins(name, tours):
            _matched(_placed_edge(leaving, first, name), _placed_edge(entered, second, name))
        yield f"The three parallelograms of a hexagon with {name} >= 6 can be joined.".replace("6 >= 6", "6")
    for a, b, c in BUILT_HEXAGONS:
        _whole_hexagon(a, b, c, pieces, tours)
    yield f"To test this: {len(BUILT_HEXAGONS)} hexagons with sides up to 20, so joined, have closed tours."
    yield from narrow(pieces, tours["narrow"])
    yield f"The hexagon 1, b, c is the parallelogram b x c. {_three(**tours['three'])}"
    yield _no_tour("4 x 4", _rows(4, 4), [])


def _centre(edge: Edge, height: int) -> Edge:
    """An edge with rows counted from the first one, in a block whose last row is row 4."""
    (i, j), (k, h) = edge
    return (i + DEPTH - height, j), (k + DEPTH - height, h)


def _matched(leaving: Edge, entered: Edge) -> Join:
    return matched("the join at the centre", leaving, entered, is_move)


ACROSS = {"a >= 5, b >= 6": (), "5, 5, c": (2,), "a = 4, b >= 6": (0,), "4, 5, c": (0, 2)}


def _centre_joins(name: str, tours: Tours) -> list[tuple[int, Edge, int, Edge]]:
    """Two joins, each as a parallelogram and its edge, then another one and its edge."""
    f, g = tours["centre"].values()
    u, v, w, x, y = tours["four"]["corner"]
    return {
        "a >= 5, b >= 6": [(0, f, 1, g), (1, f, 2, g)],
        "5, 5, c": [(0, f, 1, g), (0, g, 2, x)],
        "a = 4, b >= 6": [(0, u, 1, v), (1, w, 2, g)],
        "4, 5, c": [(0, u, 1, v), (0, y, 2, u)],
    }[name]


def _placed(cell: Cell, part: int, name: str) -> Cell:
    """A cell of parallelogram 0, 1 or 2 of a hexagon: rotated, and shifted by 0, C or C + A."""
    if part in ACROSS[name]:
        cell = -cell[0], cell[0] + cell[1]  # rows and places exchanged
    (q, r), (x, y) = turned(cell, 2 * part), ((0, 0), (0, -1), (1, -1))[part]
    return q + x, r + y


def _placed_edge(edge: Edge, part: int, name: str) -> Edge:
    """An edge of the block at row 0 and place 0 of a parallelogram of a hexagon."""
    return _placed(flat(edge[0]), part, name), _placed(flat(edge[1]), part, name)


def _whole_hexagon(a: int, b: int, c: int, pieces: Pieces, tours: Tours) -> None:
    """Assert that the joined pieces are a tour of the hexagon with sides a <= b <= c."""
    title, cells, joins = f"the hexagon {a}, {b}, {c}", list[Tour](), list[Join]()
    if a == b == FOUR:
        layer, entrance, leaving = (tours["bent"][name] for name in ("tour", "entrance", "inward"))
        least = FOUR + (c - FOUR) % DEPTH
        cells.append(tours["hexagons"][f"4,4,{least}"])
        for k in range(least, c, DEPTH):
            cells.append([(q, r - k) for q, r in layer])
            joins.append(_matched(up(leaving, k), up(entrance, k - DEPTH)))
        assert_whole(title, cells, joins, hexagon(a, b, c))
        return
    if (a, b, c) in HEXAGON_SIDES:
        return
    name = "5, 5, c" if (a, b) == (5, 5) else "4, 5, c" if (a, b) == (4, 5) else "a = 4, b >= 6"
    name = "a >= 5, b >= 6" if a > FOUR and b > DEPTH else name
    for part, (m, n) in enumerate(((b, a), (a, c - 1), (c - 1, b - 1))):
        laid, inside = _laid(*((n, m) if part in ACROSS[name] else (m, n)), pieces, tours)
        cells += [[_placed(cell, part, name) for cell in tour] for tour in laid]
        for pair in inside:
            leaving, entered = ((_placed(p, part, name), _placed(q, part, name)) for p, q in pair)
            joins.append((leaving, entered))
    for first, leaving, second, entered in _centre_joins(name, tours):
        joins.append(_matched(_placed_edge(leaving, first, name), _placed_edge(entered, second, name)))
    assert_whole(title, cells, joins, hexagon(b, a, c))


# ---- boards without tours


def _no_tour(name: str, cells: list[Cell], cut: list[Cell], *, closed: bool = False) -> str:
    """Assert that there is no tour: without k cells it has at most k + 1 parts; closed, k, or 1 if k is 0."""
    remaining, parts = set(cells) - set(cut), 0
    while remaining:
        parts += 1
        reached = [remaining.pop()]
        while reached:
            q, r = reached.pop()
            neighbours = {(q + a, r + b) for a, b in moves()} & remaining
            remaining -= neighbours
            reached += neighbours
    if parts <= (max(len(cut), 1) if closed else len(cut) + 1):
        raise Fault(f"without {cut}, {name} falls into {parts} parts, no more than a tour could connect")
    none = "no closed tour" if closed else "no tour, open or closed"
    if not cut:
        return f"The moves do not connect all cells of {name}: it has {none}."
    return f"Without {len(cut)} cells, {name} falls into {parts} parts: it has {none}."
