"""The finite check behind the theorem on tours with few turns and crossings (`docs/proofs/lines.md`).

A pattern gives each cell of a board of h rows and w columns the two directions in which a tour leaves it.
`data/lines.json` has the pattern of the inside, of the four edges and of the four corners. The place of a
cell is (x, y), the column from the left and the row from the bottom, and its *slice* is x - y // 2. Inside,
the moves stay in their slice. Only moves near the edges lead from one slice to others.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple, TypeAlias

from cavalcade.theorems.facts import Fault, packaged, proved

Place: TypeAlias = tuple[int, int]
Pattern: TypeAlias = dict[str, list[list[Place]]]  # the digits of each cell, by part
Label: TypeAlias = tuple[
    str, str, Place, Place
]  # side of the run, edge of the board, and both ends of a move

STATEMENT = (
    "A board of h rows and w columns, h even, h >= 18 and w >= 17, has a closed knight's tour with "
    "4(h + w) - 7 turns and 6.5h + 3w + 20 crossings."
)
STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))  # (right, up) by direction
LOCAL = range(18, 31, 2), range(17, 29)  # the h and w that have every window of 5 x 5 cells of larger boards
NARROW = range(29)  # min(h/2, w) of boards whose first or last run may be too short to lose slices
LEAN = range(27)  # |w - h/2| of boards whose middle run may be too short to lose slices
RUN_LENGTHS = range(8, 12)  # slices of the shortest runs whose kind is that of longer ones
# By the edges that the lines of a run end in: h and w of a board, and the first slice of the run.
RUNS = {
    "left to top": (100, 60, -35),
    "bottom to top": (60, 100, 20),
    "left to right": (200, 40, -40),
    "bottom to right": (100, 100, 60),
}


class PatternBoard(NamedTuple):
    """A board with the moves of the pattern.

    Args:
        height: number of rows.
        width: number of columns.
        moves: the places that the two moves of each place lead to.
    """

    height: int
    width: int
    moves: dict[Place, tuple[Place, Place]]


def read(text: str) -> Pattern:
    """Read the parts of the pattern."""
    parts = json.loads(text)
    return {
        name: [[(int(cell[0]), int(cell[1])) for cell in row.split()] for row in rows]
        for name, rows in parts.items()
    }


def board(pattern: Pattern, height: int, width: int) -> PatternBoard:
    """The board of a size, with the moves of the pattern."""
    rows = [[pattern["inside"][0][0]] * width for _ in range(height)]
    for row in range(height):
        rows[row][:3] = pattern["left"][row % 2]
        rows[row][-3:] = pattern["right"][row % 2]
    for row in range(2):
        rows[row] = pattern["top"][row] * width
        rows[row - 2] = pattern["bottom"][row] * width
    for name in ("top_left", "top_right", "bottom_left", "bottom_right"):
        corner = pattern[name]
        first_row = 0 if name.startswith("top") else height - len(corner)
        first_column = 0 if name.endswith("left") else width - len(corner[0])
        for row, cells in enumerate(corner, first_row):
            rows[row][first_column : first_column + len(cells)] = cells
    moves = {}
    for row, cells in enumerate(rows):
        y = height - 1 - row
        for x, (one_way, other_way) in enumerate(cells):
            moves[x, y] = (
                (x + STEPS[one_way][0], y + STEPS[one_way][1]),
                (x + STEPS[other_way][0], y + STEPS[other_way][1]),
            )
    return PatternBoard(height, width, moves)


@proved
def lines(text: str | None = None) -> Iterator[str]:
    """Check all facts behind the theorem.

    Args:
        text: the parts of the pattern, as JSON; by default the packaged ones.
    """
    pattern = read(packaged("lines") if text is None else text)
    heights, widths = LOCAL
    for height in heights:
        for width in widths:
            _check_local(board(pattern, height, width))
    yield (
        f"On the boards with h from {heights[0]} to {heights[-1]} and w from {widths[0]} to {widths[-1]} "
        "each cell has two moves to cells of the board, which lead back; the tour turns at 4(h + w) - 7 "
        "cells; and 6.5h + 3w + 20 pairs of moves cross. These boards have every window of 5 x 5 cells of "
        "larger boards."
    )
    for edges, (height, width, first) in RUNS.items():
        large = board(pattern, height, width)
        for length in RUN_LENGTHS:
            if _kind(large, first, length) != _kind(large, first, length + 4):
                raise Fault(f"{length} and {length + 4} slices from {edges} join their ends differently")
    yield (
        f"Four kinds of slices, by the edges in which their lines end: {', '.join(RUNS)}. A run of "
        f"{RUN_LENGTHS[0]} to {RUN_LENGTHS[-1]} slices of each kind contains no cycle, and joins its ends as "
        "a run with 4 more does."
    )
    sizes = [
        (2 * half, width)
        for half in range(heights[0] // 2, NARROW[-1] + LEAN[-1] + 1)
        for width in range(widths[0], NARROW[-1] + LEAN[-1] + 1)
        if min(half, width) in NARROW and abs(width - half) in LEAN
    ]
    for height, width in sizes:
        moves = board(pattern, height, width).moves
        if (length := _cycle_length(moves)) != len(moves):
            raise Fault(f"the cycle of {height} x {width} has {length} of {len(moves)} cells")
    bounds = f"min(h/2, w) <= {NARROW[-1]} and |w - h/2| <= {LEAN[-1]}"
    yield f"On all {len(sizes)} boards with {bounds} the moves are one cycle."


def _check_local(layout: PatternBoard) -> None:
    """Check the moves of each cell, the number of turns and the number of crossings."""
    height, width, moves = layout
    turns = 0
    for place, ends in moves.items():
        for end in ends:
            if place not in moves.get(end, ()):
                raise Fault(f"on {height} x {width} no move leads back from {end} to {place}")
        if ends[0] == ends[1]:
            raise Fault(f"on {height} x {width} both moves of {place} lead to {ends[0]}")
        # the tour goes straight on if the cell is in the middle between the ends of its moves
        turns += any(a + b != 2 * middle for a, b, middle in zip(*ends, place, strict=True))
    if turns != 4 * (height + width) - 7:
        raise Fault(f"{height} x {width} has {turns} turns")
    crossings = _crossings(layout)
    if 2 * crossings != 13 * height + 6 * width + 40:
        raise Fault(f"{height} x {width} has {crossings} crossings")


def _crossings(layout: PatternBoard) -> int:
    """The number of pairs of moves that cross."""
    by_square: dict[Place, list[tuple[Place, Place]]] = {}
    for place, ends in layout.moves.items():
        for end in ends:
            if place < end:
                # two moves that cross have a unit square of their bounding boxes in common
                for x in range(place[0], end[0]):
                    for y in range(min(place[1], end[1]), max(place[1], end[1])):
                        by_square.setdefault((x, y), []).append((place, end))
    pairs = {pair for moves in by_square.values() for pair in combinations(sorted(moves), 2)}
    return sum(_cross(*first, *second) for first, second in pairs)


def _cross(a: Place, b: Place, c: Place, d: Place) -> bool:
    """Whether the segments a-b and c-d meet in a point inside both."""
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _side(a: Place, b: Place, c: Place) -> int:
    """Positive, negative or zero: on which side of the line through a and b the place c is."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _kind(layout: PatternBoard, first: int, length: int) -> Counter[frozenset[Label]]:
    """The pairs of ends that the paths in a run of slices join."""
    inside = {place for place in layout.moves if first <= place[0] - place[1] // 2 < first + length}
    ends = [(outer, inner) for inner in inside for outer in layout.moves[inner] if outer not in inside]
    pairs: Counter[frozenset[Label]] = Counter()
    visited: set[Place] = set()
    for outer, inner in ends:
        previous, place = outer, inner
        while place in inside:
            visited.add(place)
            previous, place = place, _next(layout.moves[place], previous)
        pairs[
            frozenset({_label(layout, first, length, *end) for end in ((outer, inner), (place, previous))})
        ] += 1
    if visited != inside:
        raise Fault(f"{length} slices from {first} on have a cycle of their own")
    return pairs


def _label(layout: PatternBoard, first: int, length: int, outer: Place, inner: Place) -> Label:
    """Name a move out of a run, relative to where the end of the run meets an edge of the board."""
    height, width, _ = layout
    side, slice_ = ("before", first) if outer[0] - outer[1] // 2 < first else ("after", first + length)
    lower = inner[1] < 8 or inner[0] < 8
    if lower:
        edge, origin = ("bottom", (slice_, 0)) if slice_ > 0 else ("left", (0, -2 * slice_))
    elif slice_ + height // 2 < width:
        edge, origin = "top", (slice_ + height // 2, height)
    else:
        edge, origin = "right", (width, 2 * (width - slice_))
    x, y = origin
    return side, edge, (outer[0] - x, outer[1] - y), (inner[0] - x, inner[1] - y)


def _cycle_length(moves: dict[Place, tuple[Place, Place]]) -> int:
    """The number of cells of the cycle through the bottom left corner."""
    start = (0, 0)
    previous, place, length = start, moves[start][0], 1
    while place != start and length <= len(moves):
        previous, place = place, _next(moves[place], previous)
        length += 1
    return length


def _next(ends: tuple[Place, Place], previous: Place) -> Place:
    """The end of the move of a cell that does not lead back to the previous cell."""
    return ends[1] if ends[0] == previous else ends[0]
