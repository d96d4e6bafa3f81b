"""Hexagons with sides a, b, c, a, b, c and a = 2 or 3: the part of the finite check of `theorems.hexagonal`.

A hexagon has the cells iA + jB + kC with 0 <= i < a, 0 <= j < b, 0 <= k < c; A = (1, 0), and B, C are A
rotated by 120 and 240 degrees. Because A + B + C = 0, each cell is written once with min(i, j, k) = 0. A
*layer* has the cells with i = 0 or j = 0 and 0 <= k < 5: moved by cC, it makes a, b, c into a, b, c + 5. The
reflection that exchanges B and C makes a, b, c into a, c, b.

The *seams* of a layer are `enter`, where it is joined with the hexagon below, and `leave`, where the next
layer is joined. A layer grows along B by rhombi (`theorems.glinski`), whose entrance is joined with the last
seam. This last seam is the reflected seam `leave` of a hexagon.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from cavalcade.theorems.facts import Fault, has_tour, matched
from cavalcade.theorems.glinski import (
    DEPTH,
    Cell,
    Edge,
    Join,
    Pieces,
    Tour,
    assert_edges,
    assert_tour,
    assert_whole,
    is_move,
    moves,
)

Parts = tuple[list[Tour], list[Join]]

LAYER_SIDES = range(3, 8)  # b of the listed layers: one for each remainder modulo the length of a rhombus
SIDES = range(4, 9)  # b and c of the listed hexagons with b >= 4
LENGTHS = {2: (4, 7, 8, 10, 11), 3: SIDES}  # c of the listed hexagons with b = 3, by a
SHORTEST = list(LENGTHS)  # values of a
HEXAGONS = [(a, 3, c) for a in SHORTEST for c in LENGTHS[a]] + [
    (a, b, c) for a in SHORTEST for b in SIDES for c in SIDES if b <= c
]
NO_CLOSED_TOUR = [(2, 3, 3), (2, 3, 5), (2, 3, 6), (3, 3, 3)]
ONLY_OPEN = [(2, 3, 5), (2, 3, 6)]  # the boards of these four with an open tour
# Sets of three cells (i, j, k) of 2, 2, c; if c >= 4, the moves of each set lead to three cells.
TIGHT = [[(0, 0, 0), (0, 1, 1), (1, 0, 1)], [(0, 1, 0), (1, 1, 0), (1, 0, 0)]]
THICKNESSES = range(2, 11)  # c of the boards 2, 2, c that are checked; longer boards have the same ends
BUILT = [(a, b, c) for a in SHORTEST for b in range(3, 17) for c in range(b, 21)]


def has_closed_tour(a: int, b: int, c: int) -> bool:
    """Whether a hexagon with a = 2 or 3, the shortest side, has a closed tour, by the theorem."""
    b, c = sorted((b, c))
    return b > 2 and (a, b, c) not in NO_CLOSED_TOUR


def hexagon(a: int, b: int, c: int) -> list[Cell]:
    """The cells of a hexagon."""
    return sorted({cell_at(i, j, k) for i, j, k in product(range(a), range(b), range(c))})


def cell_at(i: int, j: int, k: int) -> Cell:
    """The cell i A + j B + k C."""
    return i - j, j - k


def up(edge: Edge, k: int) -> Edge:
    """An edge moved by k C."""
    (q, r), (s, t) = edge
    return (q, r - k), (s, t - k)


def narrow(pieces: Pieces, tours: dict[str, Any]) -> Iterator[str]:
    """Check the facts about hexagons with a = 2 and a = 3.

    Args:
        pieces: the pieces of Gliński's board.
        tours: `hexagons` and `layers`, closed tours by sides; `open`, open tours of hexagons without closed
            ones; the seams `enter` and `leave` of layers.
    """
    enter, leave = tours["enter"], tours["leave"]
    _matched(up(leave, -DEPTH), enter)
    _matched(last_seam(LAYER_SIDES[0], pieces), _rhombus_edge(pieces.entrance, LAYER_SIDES[0]))
    if set(last_seam(DEPTH, pieces)) != set(reflected(up(leave, 0))):
        raise Fault("the last seam of a layer is not the reflected seam of a hexagon")
    for a, b in product(SHORTEST, LAYER_SIDES):
        name = f"the layer of {a}, {b}"
        assert_tour(name, tours["layers"][f"{a},{b}"], layer(a, b))
        assert_edges(name, tours["layers"][f"{a},{b}"], enter, leave, last_seam(b, pieces))
    assert_edges(
        "the rhombus", _rhombus(pieces, 0), _rhombus_edge(pieces.entrance, 0), last_seam(DEPTH, pieces)
    )
    yield (
        f"The layers of a, b, for a = 2 and 3 and b from {LAYER_SIDES[0]} to {LAYER_SIDES[-1]}, have closed "
        "tours with three seams: one fits the layer below, one the layer above, one a rhombus, which has it "
        "again."
    )
    for a, b, c in HEXAGONS:
        name = f"the hexagon {a},{b},{c}"
        tour = tours["hexagons"][f"{a},{b},{c}"]
        assert_tour(name, tour, hexagon(a, b, c))
        seams = [up(leave, c - DEPTH)] + [reflected(up(leave, b - DEPTH))] * (b > SHORTEST[-1])
        assert_edges(name, tour, *seams)
    lengths = "; ".join(f"{a}, 3 and {', '.join(map(str, LENGTHS[a]))}" for a in SHORTEST)
    yield (
        f"The hexagons with sides {lengths}; and with a = 2 and 3 and {SIDES[0]} <= b <= c <= "
        f"{SIDES[-1]}, have closed tours with the seam of a layer, and if b > 3, also with the reflected one."
    )
    for c in THICKNESSES:
        _assert_no_tour(c)
    yield (
        "On 2, 2, c, c >= 4, there are four sets of three cells whose moves lead to three cells only. A "
        "tour without an end in such a set would visit these six cells alone; so there is no tour, open "
        "or closed. On 2, 2, 2 and 2, 2, 3 a cell has no move."
    )
    for sides in NO_CLOSED_TOUR:
        cells = hexagon(*sides)
        if has_tour(cells, is_move):
            raise Fault(f"the hexagon {sides} has a closed tour")
        if sides in ONLY_OPEN:
            name = "{},{},{}".format(*sides)
            assert_tour(f"the hexagon {name}", tours["open"][name], cells, closed=False)
        elif all(any(is_move(a, b) for b in cells) for a in cells):
            raise Fault(f"the hexagon {sides} has no cell without moves")
    names, opened = (
        "; ".join(", ".join(map(str, sides)) for sides in boards) for boards in (NO_CLOSED_TOUR, ONLY_OPEN)
    )
    yield (
        f"An exhaustive search finds no closed tour of {names}. Of these boards {opened} have an open tour; "
        "the other two have a cell without moves."
    )
    built = [sides for sides in BUILT if has_closed_tour(*sides)]
    for sides in built:
        assert_whole(
            "the hexagon {}, {}, {}".format(*sides), *parts_of(*sides, pieces, tours), hexagon(*sides)
        )
    yield f"To test this: {len(built)} hexagons with a = 2 and 3 and sides up to {BUILT[-1][-1]}, so joined."


def _assert_no_tour(c: int) -> None:
    """Assert that 2, 2, c has no tour: a cell has no moves, or each of four sets of cells needs an end."""
    board = set(hexagon(2, 2, c))
    sets = [{cell_at(*place) for place in cells} for cells in TIGHT]
    # The half turn of the board exchanges its ends.
    sets += [{(-q, 2 - c - r) for q, r in cells} for cells in sets]
    reached = [{(q + x, r + y) for q, r in cells for x, y in moves()} & board for cells in sets]
    if not all(cells <= board for cells in sets):
        raise Fault(f"a cell is not on 2, 2, {c}")
    if not all(reached):
        return
    for cells, ends in zip(sets, reached, strict=True):
        if len(ends) > len(cells) or len(cells | ends) == len(board):
            raise Fault(f"on 2, 2, {c}, moves from {len(cells)} cells lead to {len(ends)} cells")
    if len(set().union(*sets)) < sum(map(len, sets)):
        raise Fault(f"on 2, 2, {c}, the sets of cells overlap")


def parts_of(a: int, b: int, c: int, pieces: Pieces, tours: dict[str, Any]) -> Parts:
    """The tours and joins that make up the tour of a hexagon; a is 2 or 3.

    Raises:
        Fault: the hexagon has none by the theorem.
    """
    if b > c:
        laid, joins = parts_of(a, c, b, pieces, tours)
        return [[reflect(cell) for cell in tour] for tour in laid], [
            (reflected(leaving), reflected(entered)) for leaving, entered in joins
        ]
    if (a, b, c) in HEXAGONS:
        return [tours["hexagons"][f"{a},{b},{c}"]], []
    if c <= DEPTH:
        raise Fault(f"no tour of the list grows to one of the hexagon {a}, {b}, {c}")
    below = c - DEPTH
    laid, joins = parts_of(a, b, below, pieces, tours)
    layer, inside = _layer_parts(a, b, pieces, tours)
    laid += [[(q, r - below) for q, r in tour] for tour in layer]
    joins += [(up(leaving, below), up(entered, below)) for leaving, entered in inside]
    joins.append(_matched(up(tours["leave"], below - DEPTH), up(tours["enter"], below)))
    return laid, joins


def _layer_parts(a: int, b: int, pieces: Pieces, tours: dict[str, Any]) -> Parts:
    """The tours and joins of a layer: a listed one, and rhombi along B."""
    least = LAYER_SIDES[0] + (b - LAYER_SIDES[0]) % DEPTH
    laid, joins = [tours["layers"][f"{a},{least}"]], list[Join]()
    for place in range(least, b, DEPTH):
        laid.append(_rhombus(pieces, place))
        joins.append(_matched(last_seam(place, pieces), _rhombus_edge(pieces.entrance, place)))
    return laid, joins


def layer(a: int, b: int) -> list[Cell]:
    """The cells of a layer."""
    return sorted(
        {cell_at(i, j, k) for i, j, k in product(range(a), range(b), range(DEPTH)) if i == 0 or j == 0}
    )


def _rhombus(pieces: Pieces, place: int) -> Tour:
    """The rhombus at a place along B; row i has the height i in the layer."""
    return [cell_at(0, place + j, i) for i, j in pieces.rhombus]


def _rhombus_edge(edge: Edge, place: int) -> Edge:
    (i, j), (k, h) = edge
    return cell_at(0, place + j, i), cell_at(0, place + h, k)


def last_seam(b: int, pieces: Pieces) -> Edge:
    """The last seam of a layer: the edge `along` of a rhombus that ends where the layer ends."""
    return _rhombus_edge(pieces.along, b - DEPTH)


def reflect(cell: Cell) -> Cell:
    """The reflection that exchanges B and C."""
    return cell[0] + cell[1], -cell[1]


def reflected(edge: Edge) -> Edge:
    """The reflection of an edge."""
    return reflect(edge[0]), reflect(edge[1])


def _matched(leaving: Edge, entered: Edge) -> Join:
    return matched("the join of a layer", leaving, entered, is_move)
