"""The finite check behind the theorem: which boxes with three or more sides have open and closed tours.

Closed tours are the theorem of DeMaio and Mathew (2011) and of Erde, Golénia and Golénia (2012), proved here
in another way; there is no published classification for open tours that we found. The proof is in
`docs/proofs/open-boxes.md`; this module checks the facts that it takes from a list of tours and joins. It is
pure Python, validates the whole list, and shares nothing with the engines that found the tours.
`tools/find_box_tours.py`, which found the joins, takes from it which joins are needed.

A side is cut into *parts* (`cut`), and a *block* is a box whose sides are parts, 2 to 7. Blocks are listed
with ascending sides, and lie in a box with permuted axes. A block with an even number of cells has a closed
tour, a block with an odd number an open one. Edge u of a tour runs from its u-th cell, counted from 0, to the
next. A *state* is a tour and one of its edges that is already used, -1 for none. A *step* leads from a block
along an axis, forwards (1) or backwards (-1), to a block with the same sides except along that axis. *Twins*
are two edges of a tour, one of which is the other one shifted by 2 along an axis.

Time: half a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, pairwise, permutations, product
from typing import TypeAlias

from cavalcade.theorems.facts import Edge, Fault, assert_walk, joined, matched, packaged, proved, read_cells

STATEMENT = (
    "A box with three or more sides, all at least 2, has an open knight's tour unless all sides but one are "
    "2, or no side is longer than 3; and a closed one if it has an open one and an even number of cells."
)
SIDES = range(2, 41)  # longer sides have no other parts and no other neighbouring parts
TWINS = 3  # pairs needed: the next block may use an edge of one; the layers before and after need two
TURNS = list(permutations(range(3)))  # a turn permutes a cell c to c[turn[0]], c[turn[1]], c[turn[2]]

Cell: TypeAlias = tuple[int, ...]  # three coordinates
Step: TypeAlias = tuple[int, int, int]  # axis, direction (1 or -1), part to which it leads
State: TypeAlias = tuple[int, int]  # number of a tour, used edge
# Edge of the first tour, index of the turn of the second block, and the state of the second tour afterwards.
Join: TypeAlias = tuple[int, int, State]


@dataclass(frozen=True)
class BoxTours:
    """A list of tours and joins.

    Args:
        blocks: sides of the block of each tour.
        tours: cells of each tour in order.
        joins: a join for each pair of a state and a step.
    """

    blocks: list[Cell]
    tours: list[list[Cell]]
    joins: dict[tuple[State, Step], Join]

    @property
    def first(self) -> dict[Cell, int]:
        """Number of the first tour of each block."""
        return {block: number for number, block in reversed(list(enumerate(self.blocks)))}


# ---- the facts that are needed


def cut(side: int) -> list[int]:
    """The parts into which a side is cut."""
    if side < 4:
        return [side]
    fours = [4] * (side // 4 - 1)
    return [*fours, 4 + side % 4] if side % 2 == 0 else [4 + side % 4, *fours]


def has_tour(sides: Sequence[int]) -> bool:
    """Whether a box has a tour, open or closed, by the theorem."""
    *_, second, longest = sorted(sides)
    return second > 2 and longest > 3


def needed() -> tuple[set[Cell], dict[Cell, set[Step]]]:
    """The first blocks of all boxes with a tour, and the steps to neighbouring blocks from each block."""
    # Of a side, only the pairs of neighbouring parts matter; 0 stands before the first part.
    side_with: dict[frozenset[tuple[int, int]], int] = {}
    for side in SIDES:
        side_with.setdefault(frozenset(pairwise([0, *cut(side)])), side)
    first: set[Cell] = set()
    steps: dict[Cell, set[Step]] = {}
    for pairs in product(side_with, repeat=3):
        if not has_tour([side_with[axis_pairs] for axis_pairs in pairs]):
            continue
        for position in product(*pairs):  # of a block: in each dimension the part before, and its own part
            axes = sorted(range(3), key=lambda axis: position[axis][1])
            i, j, k = (position[axis][1] for axis in axes)
            if all(before == 0 for before, _ in position):
                first.add((i, j, k))
            block = steps.setdefault((i, j, k), set())
            for block_axis, axis in enumerate(axes):
                part = position[axis][1]
                area = i * j * k // part
                for before, after in pairs[axis]:
                    if before == part:
                        block.add((block_axis, 1, after))
                    # Only the first block of a box has an odd number of cells, and it is not entered again.
                    if before and after == part and before * area % 2 == 0:
                        block.add((block_axis, -1, before))
    return first, steps


# ---- the check


@proved
def boxes(text: str | None = None) -> Iterator[str]:
    """Check all facts behind the theorem.

    Args:
        text: the tours and joins as JSON; by default the packaged ones.
    """
    tours = read(packaged("boxes") if text is None else text)
    first, steps = needed()
    for number, (block, cells) in enumerate(zip(tours.blocks, tours.tours, strict=True)):
        _assert_tour(f"block {number}, ", block, cells)
        if len(cells) % 2 and not _two_apart(cells[0], cells[-1]):
            raise Fault(f"tour {number} has the ends {cells[0]} and {cells[-1]}, not two apart along an axis")
    yield (
        f"Each of {len(tours.tours)} tours of blocks visits all cells once, by knight's moves. Those with an "
        "even number of cells are closed, the ends of the others are two apart along an axis."
    )

    numbers = {block: number for block, number in tours.first.items() if block in first}
    if len(numbers) < len(first):
        raise Fault(f"the block {_sides(min(first - numbers.keys()))} has no tour")
    for block, number in numbers.items():
        if len(tours.tours[number]) % 2 == 0 and len(list(twin_edges(tours.tours[number]))) < TWINS:
            raise Fault(f"the first tour of the block {_sides(block)} has fewer than {TWINS} pairs of twins")
    yield (
        f"The boxes with sides from {SIDES[0]} to {SIDES[-1]} begin with one of {len(first)} blocks, its "
        f"axes permuted. Each has such a tour, and if it is closed, it has {TWINS} pairs of edges two apart "
        "along an axis, all different."
    )

    states = {(number, -1) for number in numbers.values()} | {state for _, _, state in tours.joins.values()}
    keys = {(state, step) for state in states for step in steps.get(tours.blocks[state[0]], ())}
    if missing := keys - tours.joins.keys():
        (number, edge), step = min(missing)
        raise Fault(f"the step {step} from tour {number} without edge {edge} is missing")
    for key in sorted(keys & tours.joins.keys()):
        _assert_join(tours, *key)
    yield (
        f"In {len(states)} states, a tour and its used edge (or none), each of the {len(keys)} steps that "
        "a box may need is a join by another edge, and leads to one of these states."
    )

    for sides in BUILT:
        _assert_tour("the box ", sides, built(sides, tours))
    yield f"To test this: {len(BUILT)} boxes with sides up to {SOME[-1]}, so joined, have such tours."


def _assert_tour(what: str, sides: Cell, cells: list[Cell]) -> None:
    """Assert that cells are a tour of a box, closed if the number of cells is even."""
    shape = set(product(*map(range, sides)))
    assert_walk(f"{what}{_sides(sides)}", cells, shape, _move, closed=len(shape) % 2 == 0)


def _assert_join(tours: BoxTours, state: State, step: Step) -> None:
    """Assert that two moves connect edge u of a tour with edge v of the next tour, placed at its offset."""
    (number, edge), (axis, way, part) = state, step
    u, turn, (second, v) = tours.joins[state, step]
    block, cells = tours.blocks[number], tours.tours[number]
    where = f"the step {step} from tour {number} without edge {edge}"
    there = added(block, along(axis, part - block[axis]))
    if turned(tours.blocks[second], turn) != there:
        raise Fault(f"{where} does not lead to a block {_sides(there)}")
    if not (0 <= u < len(cells) - len(cells) % 2 and 0 <= v < len(tours.tours[second])):
        raise Fault(f"{where} joins no edges")
    if u == edge:
        raise Fault(f"{where} uses that edge again")
    far = along(axis, block[axis] if way == 1 else -part)
    c, d = (added(turned(cell, turn), far) for cell in edge_at(tours.tours[second], v))
    matched(where, edge_at(cells, u), (c, d), _move)


def twin_edges(cells: list[Cell]) -> Iterator[tuple[tuple[Cell, Cell], tuple[Cell, Cell]]]:
    """Disjoint pairs of twins of a closed tour, with corresponding ends."""
    edges = {(min(edge), max(edge)) for edge in pairwise([*cells, cells[0]])}
    used: set[tuple[Cell, Cell]] = set()
    for a, b in sorted(edges):
        for axis in range(3):
            twin = added(a, along(axis, 2)), added(b, along(axis, 2))
            if twin in edges and not used & {(a, b), twin}:
                used |= {(a, b), twin}
                yield (a, b), twin


# ---- whole boxes, as a test of the proof

SOME = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15)
BUILT = [sides for sides in combinations_with_replacement(SOME, 3) if has_tour(sides)]


def built(sides: Cell, tours: BoxTours) -> list[Cell]:
    """The tour of a box with three sides: the tours of its blocks, joined one after the other."""
    parts = [cut(side) for side in sides]
    grid = layers(*map(len, parts))
    edges, joins = list[Edge[Cell]](), list[tuple[Edge[Cell], Edge[Cell]]]()
    number = turn = edge = -1
    last: list[Cell] = []
    for index, position in enumerate(grid):
        leaving: Edge[Cell] | None = None
        if index == 0:
            block = tuple(side_parts[0] for side_parts in parts)
            number = tours.first[tuple(sorted(block))]
            turn = next(turn for turn in range(6) if turned(tours.blocks[number], turn) == block)
        else:
            before = grid[index - 1]
            axis = next(axis for axis in range(3) if position[axis] != before[axis])
            step = TURNS[turn][axis], position[axis] - before[axis], parts[axis][position[axis]]
            u, by, (number, v) = tours.joins[(number, edge), step]
            leaving, edge = edge_at(last, u), v
            turn = TURNS.index(turned(TURNS[by], turn))
        corner = tuple(sum(side_parts[:i]) for side_parts, i in zip(parts, position, strict=True))
        last = [added(turned(cell, turn), corner) for cell in tours.tours[number]]
        edges += pairwise(last if len(last) % 2 else [*last, last[0]])
        if leaving:
            joins.append(matched("the step", leaving, edge_at(last, edge), _move))
    return joined(edges, joins)


def layers(*sides: int) -> list[Cell]:
    """The cells of a box in boustrophedon order: neighbours differ by 1 in one coordinate."""
    walk: list[Cell] = [()]
    for side in sides:
        ways = range(side), range(side)[::-1]
        walk = [(*cell, i) for k, cell in enumerate(walk) for i in ways[k % 2]]
    return walk


# ---- cells


def turned(cell: Cell, turn: int) -> Cell:
    """A cell with permuted axes."""
    i, j, k = TURNS[turn]
    return cell[i], cell[j], cell[k]


def added(cell: Cell, by: Cell) -> Cell:
    """The sum of two cells."""
    return cell[0] + by[0], cell[1] + by[1], cell[2] + by[2]


def edge_at(cells: list[Cell], u: int) -> tuple[Cell, Cell]:
    """The ends of edge u of a tour."""
    return cells[u], cells[(u + 1) % len(cells)]


def along(axis: int, by: int) -> Cell:
    """The vector of length `by` along an axis."""
    return by * (axis == 0), by * (axis == 1), by * (axis == 2)


def _two_apart(a: Cell, b: Cell) -> bool:
    return sorted(abs(x - y) for x, y in zip(a, b, strict=True)) == [0, 0, 2]


def _move(a: Cell, b: Cell) -> bool:
    return sorted(abs(x - y) for x, y in zip(a, b, strict=True)) == [0, 1, 2]


def _sides(block: Cell) -> str:
    return "x".join(map(str, block))


# ---- the file


def read(text: str) -> BoxTours:
    """The list in a JSON text.

    Its `tours` are pairs of three sides i, j, k and the numbers of the cells in order; cell (x, y, z) has the
    number (x j + y) k + z. Its `joins` are rows of nine numbers: tour and edge of the state; axis, direction
    and part of the step; edge, turn (an index in `TURNS`), tour and edge of the join.
    """
    data = read_cells(text)
    blocks, tours = list[Cell](), list[list[Cell]]()
    for (i, j, k), cells in data["tours"]:
        blocks.append((i, j, k))
        tours.append([(n // (j * k), n // k % j, n % k) for n in cells])
    joins: dict[tuple[State, Step], Join] = {}
    for number, edge, axis, way, part, u, turn, second, v in data["joins"]:
        joins[(number, edge), (axis, way, part)] = u, range(6)[turn], (range(len(tours))[second], v)
    return BoxTours(blocks, tours, joins)
