"""The finite checks behind more theorems on boards of hexagonal cells: triangles, parallelograms, hexagons.

The pieces and joins of `proofs.glinski` serve here too, and so does its language; `docs/glinski.md` has the
proofs. In the terms of arm 0, ring R is here a *row* of cells (R - p, p), p the place in it.

    triangle of side n         rows 1, …, n, with R cells in row R
    parallelogram m x n        rows 0, …, m - 1, with n cells each
    hexagon a, b, c            x A + y B + z C with 0 <= x < a, 0 <= y < b, 0 <= z < c; A = (1, 0), and B, C
                               are A turned by 120 and 240 degrees. As A + B + C = 0, it is a x b and, turned
                               and moved, b x (c - 1) and (c - 1) x (a - 1)

A *strip* is five rows, or the h rows that are left; it is a row of pieces, and the first pieces, at place 0,
are joined inward. So the pieces form a comb instead of a chain.

Time: about a second.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING

from cavalcade.theorems.glinski import (
    DEPTH,
    Cell,
    Edge,
    Fault,
    Pieces,
    Proved,
    assert_edges,
    assert_join,
    assert_tour,
    assert_whole,
    edge_of,
    flat,
    is_move,
    lay,
    moves,
    packaged,
    proved,
    read,
    read_cells,
    turned,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TRIANGLES = (
    "The triangular board of hexagonal cells with n > 1 to a side has a closed knight's tour if and only if "
    "n >= 8."
)
PARALLELOGRAMS = (
    "The parallelogram of m x n hexagonal cells, 1 <= m <= n and n > 1, has a closed knight's tour if and "
    "only if m >= 4 and it is not 4 x 4."
)
HEXAGONS = (
    "The hexagonal board with angles of 120 degrees and sides a, b, c, a, b, c has a closed knight's tour if "
    "none of them is less than 4."
)
CORNERS = (8, 9, 10, 11, 12)  # triangles that the strips begin with
PARTS = (5, 6, 7, 8, 9)  # what rows and places are cut into, after fives
BUILT = 41
FOUR = 4

# cells whose removal leaves more parts than there are of them: so there is no closed tour
CUTS_OF_TRIANGLES: dict[int, list[Cell]] = {
    2: [],
    3: [],
    4: [],
    5: [],
    6: [(3, 1), (2, 2), (3, 2)],
    7: [
        (2, 1),
        (4, 0),
        (3, 1),
        (2, 2),
        (1, 3),
        (4, 1),
        (3, 2),
        (2, 3),
        (5, 1),
        (4, 2),
        (3, 3),
        (2, 4),
        (4, 3),
    ],
}
# cells [row, place] of m x n, n >= m, and all that they reach: no more others, so that they are a cut
ALONE: dict[int, tuple[list[Cell], list[Cell]]] = {
    1: ([(0, 0)], []),
    2: ([(1, 0)], [(0, 2)]),
    3: ([(2, 1), (1, 0), (0, 0)], [(2, 3), (1, 3), (0, 2)]),
}


@dataclass(frozen=True)
class Tours:
    """The pieces of the hexagon, and those that the other shapes need besides.

    Args:
        pieces: the hexagon's.
        corners: closed tours of triangles by their side.
        blocks: closed tours of h x w cells [i, j], the outermost row 4; of 4 x w with rows from 0.
        entrance: of the blocks of four rows.
        along: of them as well.
        centre: of all others, two edges of the block at row 0 and place 0, with rows counted from the first.
        corner: the same of blocks of four rows, five edges; the last one of 4 x 5 only.
        layer: a tour of what lies between the hexagons 4, 4, c and 4, 4, c + 5, but for c C.
        layers: its entrance and its edge inward.
        hexagons: closed tours of hexagons by their sides.
    """

    pieces: Pieces
    corners: dict[int, list[Cell]]
    blocks: dict[tuple[int, int], list[Cell]]
    entrance: Edge
    along: Edge
    centre: list[Edge]
    corner: list[Edge]
    layer: list[Cell]
    layers: tuple[Edge, Edge]
    hexagons: dict[str, list[Cell]]


def packaged_shapes() -> str:
    """The tours of triangles and blocks, as JSON."""
    return (files("cavalcade") / "theorems" / "hexagonal.json").read_text(encoding="utf-8")


def triangles(text: str | None = None) -> Proved:
    """Check all that the theorem on triangles rests on.

    Args:
        text: the tours as JSON; those of the package, if not given.
    """
    return proved(lambda: _triangles(_read(text)))


def parallelograms(text: str | None = None) -> Proved:
    """Check all that the theorem on parallelograms rests on; the argument is as above."""
    return proved(lambda: _parallelograms(_read(text)))


def hexagons(text: str | None = None) -> Proved:
    """Check all that the theorem on hexagons with unequal sides rests on; the argument is as above."""
    return proved(lambda: _hexagons(_read(text)))


# ---- triangles


def _triangles(tours: Tours) -> Iterator[str]:
    pieces = tours.pieces
    for side, cut in CUTS_OF_TRIANGLES.items():
        yield _no_tour(f"the triangle of side {side}", _triangle(side), cut)
    yield from _rhombus(pieces)
    for least, tour in pieces.trapezoids.items():
        shape = [(i, j) for i in range(DEPTH) for j in range(least + i)]
        assert_tour(f"the trapezoid {least}", [flat(c) for c in tour], [flat(c) for c in shape])
        assert_edges(f"the trapezoid {least}", tour, pieces.entrance)
    yield "The trapezoids 4 to 8 have closed tours with the entrance."
    if tuple(tours.corners) != CORNERS:
        raise Fault(f"expected triangles of side {CORNERS}, not {tuple(tours.corners)}")
    for side, tour in tours.corners.items():
        assert_tour(f"the triangle of side {side}", tour, _triangle(side))
        assert_edges(f"the triangle of side {side}", tour, _entrance_of(side, pieces))
    yield "The triangles of side 8 to 12 have closed tours with the entrance of a piece in their last 5 rows."
    yield from _joined(pieces)
    for side in range(min(CORNERS), BUILT):
        _whole_triangle(side, tours)
    yield f"To test this: the triangles of side {min(CORNERS)} to {BUILT - 1}, so joined, have closed tours."


def _triangle(side: int) -> list[Cell]:
    return [(row - p, p) for row in range(1, side + 1) for p in range(row)]


def _entrance_of(side: int, pieces: Pieces) -> Edge:
    return edge_of(pieces.entrance, ring=side + 1 - DEPTH)


def _whole_triangle(side: int, tours: Tours) -> None:
    """Strip m begins with row corner + 1 + 5m, has m + 1 rhombi and the trapezoid with r = corner - 4."""
    pieces = tours.pieces
    strips, corner = divmod(side - min(CORNERS), DEPTH)
    corner += min(CORNERS)
    cells = [tours.corners[corner]]
    joins: list[tuple[Edge, Edge]] = []
    for m in range(strips):
        ring = corner + 1 + DEPTH * m
        row = [pieces.rhombus] * (m + 1) + [pieces.trapezoids[corner - 4]]
        cells += [[lay(c, ring=ring, place=DEPTH * k) for c in tour] for k, tour in enumerate(row)]
        joins += _row_of_joins(pieces.along, pieces.entrance, ring, m + 1)
        # piece or corner: the entrance lies at the same place
        joins.append((edge_of(pieces.inward, ring=ring), edge_of(pieces.entrance, ring=ring - DEPTH)))
    assert_whole(f"the triangle of side {side}", cells, joins, _triangle(side))


# ---- parallelograms


def _parallelograms(tours: Tours) -> Iterator[str]:
    for m, (alone, cut) in ALONE.items():
        _assert_alone(m, alone, cut)
        yield (
            f"On {m} x n, n >= {max(m, 2)}, at most {len(cut)} cells keep {len(alone)} apart from each other "
            "and from the rest: there is no closed tour."
        )
    yield _no_tour("4 x 4", _rows(4, 4), [])
    yield from _blocks(tours)
    for m in range(FOUR, BUILT):
        for n in range(max(m, DEPTH), BUILT, 1 if m < 20 else 7):
            _whole_parallelogram(m, n, tours)
    yield f"To test this: parallelograms with sides up to {BUILT - 1}, so joined, have closed tours."


def _blocks(tours: Tours) -> Iterator[str]:
    pieces = tours.pieces
    yield from _rhombus(pieces)
    shapes = {(h, w) for h in (FOUR, *PARTS) for w in PARTS} - {(DEPTH, DEPTH)}
    if set(tours.blocks) != shapes:
        raise Fault(f"expected blocks of 4 to 9 x 5 to 9, not {sorted(tours.blocks)}")
    for (h, w), tour in tours.blocks.items():
        name = f"the block {h} x {w}"
        shape = [(i, j) for i in _block_rows(h) for j in range(w)]
        assert_tour(name, [flat(c) for c in tour], [flat(c) for c in shape])
        entrance, along = (tours.entrance, tours.along) if h == FOUR else (pieces.entrance, pieces.along)
        more = [along] if w == DEPTH else [pieces.inward] if h == DEPTH else []
        more += [_centre(edge, h) for edge in tours.centre] if h != FOUR else []
        assert_edges(name, tour, entrance, *more)
        if h == FOUR:  # the first block of four rows has these; its entrance is not used
            assert_edges(name, tour, *more, *tours.corner[: 5 if w == DEPTH else 4])
    rhombus = pieces.entrance, pieces.along, pieces.inward, *tours.centre
    assert_edges("the rhombus", pieces.rhombus, *rhombus)
    yield (
        "The blocks of 4 to 9 rows and 5 to 9 places have closed tours with the entrance, and more edges: "
        "with 5 places the one along, with 5 rows and more places the one inward, and others near row 0 and "
        "place 0; all different, but for the entrance of blocks of 4 rows."
    )
    yield from _joined(pieces)
    assert_join("along four rows", edge_of(tours.along), edge_of(tours.entrance, place=DEPTH))
    yield "In four rows the edge along can be joined with the entrance of a block 5 places on."


def _assert_alone(m: int, alone: list[Cell], cut: list[Cell]) -> None:
    """On m rows that go on for ever, the moves from these cells lead to the cut; on m x n, to some of it.

    Without the cut there are then more parts than it has cells: these, and the rest of at least one cell.
    """
    for row, place in alone:
        for q, r in moves():
            i, j = row + q + r, place + r
            if 0 <= i < m and j >= 0 and (i, j) not in cut:
                raise Fault(f"on {m} x n a move leads from {[row, place]} to {[i, j]}")
    if len(alone) < max(len(cut), 1) or m * max(m, 2) <= len(alone) + len(cut) or set(alone) & set(cut):
        raise Fault(f"on {m} x n, {cut} are no cut")


def _rows(m: int, n: int) -> list[Cell]:
    return [(row - p, p) for row in range(m) for p in range(n)]


def _block_rows(height: int) -> range:
    return range(FOUR) if height == FOUR else range(DEPTH - height, DEPTH)


def _cut(length: int) -> tuple[int, int]:
    """How many fives, and what is left, from 5 to 9."""
    fives, rest = divmod(length - DEPTH, DEPTH)
    return fives, rest + DEPTH


def _whole_parallelogram(m: int, n: int, tours: Tours) -> None:
    cells, joins = _laid(m, n, tours)
    assert_whole(f"{m} x {n}", cells, joins, _rows(m, n))


def _laid(m: int, n: int, tours: Tours) -> tuple[list[list[Cell]], list[tuple[Edge, Edge]]]:
    """The tours of the blocks and the joins, the block at row 0 and place 0 first.

    Strip t = 0 has the h rows that are left, the others five; their outermost rows have the number 4.
    """
    pieces = tours.pieces
    entrance, along = (tours.entrance, tours.along) if m == FOUR else (pieces.entrance, pieces.along)
    strips, height = (0, FOUR) if m == FOUR else _cut(m)
    fives, width = _cut(n)
    blocks = tours.blocks | {(DEPTH, DEPTH): pieces.rhombus}
    cells: list[list[Cell]] = []
    joins: list[tuple[Edge, Edge]] = []
    for t in range(strips + 1):
        h = DEPTH if t else height
        ring = 0 if m == FOUR else height - DEPTH + DEPTH * t
        row = [blocks[h, DEPTH]] * fives + [blocks[h, width]]
        cells += [[lay(c, ring=ring, place=DEPTH * k) for c in tour] for k, tour in enumerate(row)]
        joins += _row_of_joins(along, entrance, ring, fives)
        if t:
            joins.append((edge_of(pieces.inward, ring=ring), edge_of(entrance, ring=ring - DEPTH)))
    return cells, joins


# ---- hexagons


def _hexagons(tours: Tours) -> Iterator[str]:
    yield from _blocks(tours)
    for name, tour in tours.hexagons.items():
        a, b, c = map(int, name.split(","))
        assert_tour(f"the hexagon {name}", tour, _hexagon(a, b, c))
    if tuple(tours.hexagons) != ("4,4,4", "4,4,5", "4,4,6", "4,4,7", "4,4,8", "4,5,5", "5,5,5"):
        raise Fault(f"expected the hexagons 4, 4, 4 to 8, 4, 5, 5 and 5, 5, 5, not {list(tours.hexagons)}")
    yield "The hexagons with sides 4, 4 and 4 to 8; 4, 5, 5; and 5, 5, 5 have closed tours."
    shape = [_sum(i, j, k) for k in range(DEPTH) for i in range(FOUR) for j in range(FOUR) if i * j == 0]
    assert_tour("the layer", tours.layer, sorted(set(shape)))
    entrance, inward = tours.layers
    assert_edges("the layer", tours.layer, entrance, inward)
    _matched(inward, _up(entrance, -DEPTH))
    for longest in range(FOUR, FOUR + DEPTH):
        tour = tours.hexagons[f"4,4,{longest}"]
        assert_edges(f"the hexagon 4, 4, {longest}", tour, _up(entrance, longest - DEPTH))
    yield "The layer between 4, 4, c and 4, 4, c + 5 has one too, which can be joined with the layer before."
    for name in ("a >= 5, b >= 6", "5, 5, c", "a = 4, b >= 6", "4, 5, c"):
        for one, left, two, entered in _centre_joins(name, tours):
            _matched(_placed_edge(left, one, name), _placed_edge(entered, two, name))
        yield f"The three parallelograms of a hexagon with {name} >= 6 can be joined.".replace("6 >= 6", "6")
    sides = [(a, b, c) for a in range(4, 13) for b in range(a, 17) for c in range(b, 21, 1 if b < 8 else 3)]
    for a, b, c in sides:
        _whole_hexagon(a, b, c, tours)
    yield f"To test this: {len(sides)} hexagons with sides up to 20, so joined, have closed tours."


def _centre(edge: Edge, height: int) -> Edge:
    """An edge whose rows are counted from the first, in a block whose last row is row 4."""
    (i, j), (k, h) = edge
    return (i + DEPTH - height, j), (k + DEPTH - height, h)


def _sum(i: int, j: int, k: int) -> Cell:
    """The cell i A + j B + k C."""
    return i - j, j - k


def _hexagon(a: int, b: int, c: int) -> list[Cell]:
    return sorted({_sum(i, j, k) for i in range(a) for j in range(b) for k in range(c)})


def _up(edge: Edge, k: int) -> Edge:
    """An edge moved by k C."""
    (q, r), (s, t) = edge
    return (q, r - k), (s, t - k)


def _matched(left: Edge, entered: Edge) -> tuple[Edge, Edge]:
    """The two edges, the ends of the second so that a-b and d-c can give way to a-c and b-d."""
    (a, b), (d, c) = left, entered
    ends = (d, c) if is_move(a, c) and is_move(b, d) else (c, d)
    assert_join("at the centre", left, ends)
    return left, ends


# which parallelograms have four places instead of four rows, so that their blocks lie the other way
ACROSS = {"a >= 5, b >= 6": (), "5, 5, c": (2,), "a = 4, b >= 6": (0,), "4, 5, c": (0, 2)}


def _centre_joins(name: str, tours: Tours) -> list[tuple[int, Edge, int, Edge]]:
    """Two joins: a parallelogram and its edge, another and its edge."""
    f, g = tours.centre
    u, v, w, x, y = tours.corner
    return {
        "a >= 5, b >= 6": [(0, f, 1, g), (1, f, 2, g)],
        "5, 5, c": [(0, f, 1, g), (0, g, 2, x)],
        "a = 4, b >= 6": [(0, u, 1, v), (1, w, 2, g)],
        "4, 5, c": [(0, u, 1, v), (0, y, 2, u)],
    }[name]


def _placed(cell: Cell, part: int, name: str) -> Cell:
    """A cell of parallelogram 0, 1 or 2 where it lies: turned, and moved by 0, C or C + A."""
    if part in ACROSS[name]:
        cell = -cell[0], cell[0] + cell[1]  # rows and places exchanged
    (q, r), (x, y) = turned(cell, 2 * part), ((0, 0), (0, -1), (1, -1))[part]
    return q + x, r + y


def _placed_edge(edge: Edge, part: int, name: str) -> Edge:
    """An edge of the block at row 0 and place 0, where it lies."""
    return _placed(flat(edge[0]), part, name), _placed(flat(edge[1]), part, name)


def _whole_hexagon(a: int, b: int, c: int, tours: Tours) -> None:
    """The hexagon with these sides, a <= b <= c."""
    what, cells = f"the hexagon {a}, {b}, {c}", list[list[Cell]]()
    joins: list[tuple[Edge, Edge]] = []
    if a == b == FOUR:
        entrance, inward = tours.layers
        least = FOUR + (c - FOUR) % DEPTH
        cells.append(tours.hexagons[f"4,4,{least}"])
        for k in range(least, c, DEPTH):
            cells.append([(q, r - k) for q, r in tours.layer])
            joins.append(_matched(_up(inward, k), _up(entrance, k - DEPTH)))
        assert_whole(what, cells, joins, _hexagon(a, b, c))
        return
    if f"{a},{b},{c}" in tours.hexagons:
        return
    name = "5, 5, c" if (a, b) == (5, 5) else "4, 5, c" if (a, b) == (4, 5) else "a = 4, b >= 6"
    name = "a >= 5, b >= 6" if a > FOUR and b > DEPTH else name
    for part, (m, n) in enumerate(((b, a), (a, c - 1), (c - 1, b - 1))):
        laid, inside = _laid(n, m, tours) if part in ACROSS[name] else _laid(m, n, tours)
        cells += [[_placed(cell, part, name) for cell in tour] for tour in laid]
        for one, other in inside:
            ends = [(_placed(p, part, name), _placed(q, part, name)) for p, q in (one, other)]
            joins.append((ends[0], ends[1]))
    for first, left, second, entered in _centre_joins(name, tours):
        joins.append(_matched(_placed_edge(left, first, name), _placed_edge(entered, second, name)))
    assert_whole(what, cells, joins, _hexagon(b, a, c))


# ---- what all need


def _rhombus(pieces: Pieces) -> Iterator[str]:
    square = [(i, j) for i in range(DEPTH) for j in range(DEPTH)]
    assert_tour("the rhombus", [flat(c) for c in pieces.rhombus], [flat(c) for c in square])
    assert_edges("the rhombus", pieces.rhombus, pieces.entrance, pieces.along, pieces.inward)
    yield "The rhombus has a closed tour with the edges entrance, along and inward, three different ones."


def _joined(pieces: Pieces) -> Iterator[str]:
    assert_join("along", edge_of(pieces.along), edge_of(pieces.entrance, place=DEPTH))
    yield "The edge along can be joined with the entrance of a piece 5 places on."
    assert_join("inward", edge_of(pieces.inward), edge_of(pieces.entrance, ring=-DEPTH))
    yield "The edge inward can be joined with the entrance of a piece 5 rows further in."


def _row_of_joins(along: Edge, entrance: Edge, ring: int, count: int) -> Iterable[tuple[Edge, Edge]]:
    """The joins of `count` + 1 pieces, each with the next."""
    places = [DEPTH * k for k in range(count + 1)]
    for one, other in pairwise(places):
        yield edge_of(along, ring=ring, place=one), edge_of(entrance, ring=ring, place=other)


def _no_tour(name: str, cells: list[Cell], cut: list[Cell]) -> str:
    """A closed tour passes a cell of the cut between any two parts that it leaves: it needs as many."""
    left = set(cells) - set(cut)
    if len(left) + len(cut) != len(cells):
        raise Fault(f"{name} has not all the cells {cut}")
    parts = 0
    while left:
        parts += 1
        reached = [left.pop()]
        while reached:
            q, r = reached.pop()
            beside = {(q + a, r + b) for a, b in moves()} & left
            left -= beside
            reached += beside
    if parts <= max(len(cut), 1):
        raise Fault(f"without {cut}, {name} falls into {parts} parts, no more than a tour could connect")
    if not cut:
        return f"The moves do not connect all cells of {name}: it has no closed tour."
    few = "1 cell" if len(cut) == 1 else f"{len(cut)} cells"
    return f"Without {few}, {name} falls into {parts} parts: it has no closed tour."


def _read(text: str | None) -> Tours:
    pieces = read(packaged())
    try:
        data = json.loads(packaged_shapes() if text is None else text)
        along, entrance = (_pair(data["four"][name]) for name in ("along", "entrance"))
        return Tours(
            pieces,
            {int(side): read_cells(tour) for side, tour in data["triangles"].items()},
            {
                (int(name.split("x")[0]), int(name.split("x")[1])): read_cells(tour)
                for name, tour in data["blocks"].items()
            },
            entrance,
            along,
            [_pair(data["centre"][name]) for name in ("left", "entered")],
            [_pair(edge) for edge in data["four"]["corner"]],
            read_cells(data["bent"]["tour"]),
            (_pair(data["bent"]["entrance"]), _pair(data["bent"]["inward"])),
            {sides: read_cells(tour) for sides, tour in data["hexagons"].items()},
        )
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        raise Fault(f"the list of tours cannot be read: {error}") from None


def _pair(pairs: list[list[int]]) -> Edge:
    a, b = read_cells(pairs)
    return a, b
