"""The finite check behind the theorem: which boxes with three or more sides have open and closed tours.

Closed tours are the theorem of DeMaio and Mathew (2011) and of Erde, Golénia and Golénia (2012), here proved
anew; for open ones we know no classification in print. The proof is in `docs/open-boxes.md`; here are the
facts that it takes from a list of tours and joins. This is pure Python, knows what a knight's move is, and
does not trust the list. It shares nothing with the engines that found the tours; the script that found the
joins, `tools/find_box_tours.py`, asks it which are needed.

A side is cut into *parts* (`cut`), and a *block* is a box whose sides are parts, 2 to 7. Blocks are listed
with their sides in order, and lie in a box with their axes permuted. A block with an even number of cells has
a closed tour, one with an odd number an open one. Edge u of a tour runs from its u-th cell, counted from 0,
to the next. A *state* is a tour and the edge of it that is used up, -1 for none. A *step* leads from a block
along an axis, forwards (1) or backwards (-1), to a block of the same sides but along that axis. *Twins* are
two edges of a tour, the one being the other moved by 2 along an axis.

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
    "2, or none is longer than 3; and a closed one if it has an open one and an even number of cells."
)
SIDES = range(2, 41)  # longer ones have no other parts, and the same next to one another
TWINS = 3  # one may lose an edge to the next block, two are for the layers before and after
TURNS = list(permutations(range(3)))  # cell c, turned, is c[turn[0]], c[turn[1]], c[turn[2]]

Cell: TypeAlias = tuple[int, ...]  # three of them
Step: TypeAlias = tuple[int, int, int]  # axis, 1 or -1, the part that it leads to
State: TypeAlias = tuple[int, int]  # number of a tour, edge
# edge of the one, how the other is turned, and the other's new state
Join: TypeAlias = tuple[int, int, State]


@dataclass(frozen=True)
class BoxTours:
    """A list of tours and joins.

    Args:
        blocks: the sides of the block of each tour.
        tours: its cells, in order.
        joins: for states and steps, a join.
    """

    blocks: list[Cell]
    tours: list[list[Cell]]
    joins: dict[tuple[State, Step], Join]

    @property
    def first(self) -> dict[Cell, int]:
        """The number of the first tour of each block."""
        return {block: number for number, block in reversed(list(enumerate(self.blocks)))}


# ---- which facts are needed


def cut(side: int) -> list[int]:
    """The parts of a side."""
    if side < 4:
        return [side]
    fours = [4] * (side // 4 - 1)
    return [*fours, 4 + side % 4] if side % 2 == 0 else [4 + side % 4, *fours]


def has_tour(sides: Sequence[int]) -> bool:
    """Whether the theorem gives a box a tour, open or closed."""
    *_, second, longest = sorted(sides)
    return second > 2 and longest > 3


def needed() -> tuple[set[Cell], dict[Cell, set[Step]]]:
    """The first blocks of all boxes with a tour; and of all their blocks the steps to those beside them."""
    kinds: dict[frozenset[tuple[int, int]], int] = {}
    for side in SIDES:  # what matters of a side is which parts follow which, and which comes first
        kinds.setdefault(frozenset(pairwise([0, *cut(side)])), side)
    first: set[Cell] = set()
    steps: dict[Cell, set[Step]] = {}
    for ways in product(kinds, repeat=3):
        if not has_tour([kinds[way] for way in ways]):
            continue
        for follows in product(*ways):  # one block: in every dimension the part before, and its own
            axes = sorted(range(3), key=lambda axis: follows[axis][1])
            i, j, k = (follows[axis][1] for axis in axes)
            if all(before == 0 for before, _ in follows):
                first.add((i, j, k))
            block = steps.setdefault((i, j, k), set())
            for at, axis in enumerate(axes):
                others = i * j * k // follows[axis][1]
                for one, two in ways[axis]:
                    if one == follows[axis][1]:
                        block.add((at, 1, two))
                    # only the first block of a box has odd sides alone, and it is not entered again
                    if one and two == follows[axis][1] and one * others % 2 == 0:
                        block.add((at, -1, one))
    return first, steps


# ---- the check


@proved
def boxes(text: str | None = None) -> Iterator[str]:
    """Check all that the theorem rests on.

    Args:
        text: the tours and joins as JSON; those of the package, if not given.
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
    wanted = {(state, step) for state in states for step in steps.get(tours.blocks[state[0]], ())}
    if missing := wanted - tours.joins.keys():
        (number, edge), step = min(missing)
        raise Fault(f"the step {step} from tour {number} without edge {edge} is missing")
    for key in sorted(wanted & tours.joins.keys()):
        _assert_join(tours, *key)
    yield (
        f"In {len(states)} states, a tour and its used edge (or none), each of the {len(wanted)} steps that "
        "a box may need is a join by another edge, and leads to one of these states."
    )

    for sides in BUILT:
        _assert_tour("the box ", sides, built(sides, tours))
    yield f"To test this: {len(BUILT)} boxes with sides up to {SOME[-1]}, so joined, have such tours."


def _assert_tour(what: str, sides: Cell, cells: list[Cell]) -> None:
    """A tour of a box, closed if the number of its cells is even."""
    every = set(product(*map(range, sides)))
    assert_walk(f"{what}{_sides(sides)}", cells, every, _move, closed=len(every) % 2 == 0)


def _assert_join(tours: BoxTours, state: State, step: Step) -> None:
    """The ends of edge u of one tour and of edge v of the other, where it lies, are two moves apart."""
    (number, edge), (axis, way, part) = state, step
    u, turn, (other, v) = tours.joins[state, step]
    block, cells = tours.blocks[number], tours.tours[number]
    where = f"the step {step} from tour {number} without edge {edge}"
    there = added(block, along(axis, part - block[axis]))
    if turned(tours.blocks[other], turn) != there:
        raise Fault(f"{where} does not lead to a block {_sides(there)}")
    if not (0 <= u < len(cells) - len(cells) % 2 and 0 <= v < len(tours.tours[other])):
        raise Fault(f"{where} joins no edges")
    if u == edge:
        raise Fault(f"{where} uses that edge again")
    far = along(axis, block[axis] if way == 1 else -part)
    c, d = (added(turned(cell, turn), far) for cell in edge_at(tours.tours[other], v))
    matched(where, edge_at(cells, u), (c, d), _move)


def twin_edges(cells: list[Cell]) -> Iterator[tuple[tuple[Cell, Cell], tuple[Cell, Cell]]]:
    """Pairs of twins of a closed tour, all of different edges; their ends correspond."""
    edges = {(min(edge), max(edge)) for edge in pairwise([*cells, cells[0]])}
    used: set[tuple[Cell, Cell]] = set()
    for a, b in sorted(edges):
        for axis in range(3):
            twin = added(a, along(axis, 2)), added(b, along(axis, 2))
            if twin in edges and not used & {(a, b), twin}:
                used |= {(a, b), twin}
                yield (a, b), twin


# ---- whole boxes, as a test of the words

SOME = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15)
BUILT = [sides for sides in combinations_with_replacement(SOME, 3) if has_tour(sides)]


def built(sides: Cell, tours: BoxTours) -> list[Cell]:
    """The tour of a box with three sides: the blocks' tours, joined one after the other."""
    parts = [cut(side) for side in sides]
    grid = layers(*map(len, parts))
    edges, joins = list[Edge[Cell]](), list[tuple[Edge[Cell], Edge[Cell]]]()
    number = turn = edge = -1
    last: list[Cell] = []
    for index, at in enumerate(grid):
        left: Edge[Cell] | None = None
        if index == 0:
            block = tuple(one[0] for one in parts)
            number = tours.first[tuple(sorted(block))]
            turn = next(one for one in range(6) if turned(tours.blocks[number], one) == block)
        else:
            before = grid[index - 1]
            axis = next(axis for axis in range(3) if at[axis] != before[axis])
            step = TURNS[turn][axis], at[axis] - before[axis], parts[axis][at[axis]]
            u, by, (number, v) = tours.joins[(number, edge), step]
            left, edge = edge_at(last, u), v
            turn = TURNS.index(turned(TURNS[by], turn))
        corner = tuple(sum(one[:i]) for one, i in zip(parts, at, strict=True))
        last = [added(turned(cell, turn), corner) for cell in tours.tours[number]]
        edges += pairwise(last if len(last) % 2 else [*last, last[0]])
        if left:
            joins.append(matched("the step", left, edge_at(last, edge), _move))
    return joined(edges, joins)


def layers(*sides: int) -> list[Cell]:
    """The cells of a box in the order in which each differs from the one before by 1 in one coordinate."""
    walk: list[Cell] = [()]
    for side in sides:
        walk = [
            (*at, i) for k, at in enumerate(walk) for i in (range(side) if k % 2 == 0 else range(side)[::-1])
        ]
    return walk


# ---- cells


def turned(cell: Cell, turn: int) -> Cell:
    """A cell with its axes permuted."""
    i, j, k = TURNS[turn]
    return cell[i], cell[j], cell[k]


def added(cell: Cell, by: Cell) -> Cell:
    """The sum of two cells."""
    return cell[0] + by[0], cell[1] + by[1], cell[2] + by[2]


def edge_at(cells: list[Cell], u: int) -> tuple[Cell, Cell]:
    """The ends of edge u of a tour."""
    return cells[u], cells[(u + 1) % len(cells)]


def along(axis: int, by: int) -> Cell:
    """What leads so far along an axis."""
    return by * (axis == 0), by * (axis == 1), by * (axis == 2)


def _two_apart(a: Cell, b: Cell) -> bool:
    return sorted(abs(x - y) for x, y in zip(a, b, strict=True)) == [0, 0, 2]


def _move(a: Cell, b: Cell) -> bool:
    return sorted(abs(x - y) for x, y in zip(a, b, strict=True)) == [0, 1, 2]


def _sides(block: Cell) -> str:
    return "x".join(map(str, block))


# ---- the file


def read(text: str) -> BoxTours:
    """The list that a JSON text holds.

    Its `tours` are pairs of three sides i, j, k and the numbers of the cells in order; cell (x, y, z) has the
    number (x j + y) k + z. Its `joins` are rows of nine numbers: tour and edge, axis, direction and part;
    edge, turn (an index of the permutations of 0, 1, 2 in order), tour and edge.
    """
    data = read_cells(text)
    blocks, tours = list[Cell](), list[list[Cell]]()
    for (i, j, k), cells in data["tours"]:
        blocks.append((i, j, k))
        tours.append([(n // (j * k), n // k % j, n % k) for n in cells])
    joins: dict[tuple[State, Step], Join] = {}
    for number, edge, axis, way, part, u, turn, other, v in data["joins"]:
        joins[(number, edge), (axis, way, part)] = u, range(6)[turn], (range(len(tours))[other], v)
    return BoxTours(blocks, tours, joins)
