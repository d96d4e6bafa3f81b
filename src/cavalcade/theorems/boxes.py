"""The finite check behind the theorem: which boxes with three or more sides have open and closed tours.

Closed tours are the theorem of DeMaio and Mathew (2011) and of Erde, Golénia and Golénia (2012), here proved
anew; for open ones we know no classification in print. The proof is in `docs/open-boxes.md`; here are the
facts that it takes from a list of tours. The tours and joins come from the engine (`found`), in a second, and
are not trusted: the check is pure Python, knows what a knight's move is, and shares nothing with what found
them.

A *block* is a box whose sides are *parts*, 2 to 7. A *state* is a closed tour of a block and the edge of it
that is used up, if one is; edge u of a tour runs from its u-th cell, counted from 0, to the next. A *step*
leads from a block along an axis, forwards (1) or backwards (-1), to a block of the same sides but along that
axis. *Twins* are two edges of a tour, the one being the other moved by 2 along an axis.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import TYPE_CHECKING, TypeAlias

from cavalcade.theorems.glinski import Fault, Proved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.construction.blocks import Loop

STATEMENT = (
    "A box with three or more sides, all at least 2, has an open knight's tour unless all sides but one are "
    "2, or none is longer than 3; and a closed one if it has an open one and an even number of cells."
)
TWINS = 3  # one may lose an edge to the next block, two are for the layers before and after
PARTS = (2, 3, 4, 5, 6, 7)
AFTER = {4: (4, 6), 5: (4,), 7: (4,)}  # what may follow a part along a side, and so what may come before one
BEFORE = {4: (4, 5, 7), 6: (4,)}

Cell: TypeAlias = tuple[int, int, int]
Step: TypeAlias = tuple[int, int, int]  # axis, 1 or -1, the part that it leads to
State: TypeAlias = tuple[int, int]  # number of a tour, edge
Join: TypeAlias = tuple[int, State]  # edge of the one, and the state of the other that the join makes


@dataclass
class Tours:
    """What was found.

    Args:
        closed: closed tours of blocks.
        first: for each block, one closed tour, by number, with three twins.
        steps: for each state and step the join.
        roots: for each block with odd sides and step an open tour, its ends two apart, and the join.
    """

    closed: list[list[Cell]] = field(default_factory=list)
    first: dict[Cell, int] = field(default_factory=dict)
    steps: dict[tuple[State, Step], Join] = field(default_factory=dict)
    roots: dict[tuple[Cell, Step], tuple[list[Cell], Join]] = field(default_factory=dict)


# ---- which facts are needed


def blocks(*, odd: bool) -> Iterator[Cell]:
    """The blocks of boards that may have a tour: with odd sides the first ones, else all others."""
    for shape in product(PARTS, repeat=3):
        i, j, k = sorted(shape)
        if odd == bool(i * j * k % 2) and j > 2 and (i, j, k) not in {(2, 3, 3), (3, 3, 3)}:
            yield (shape[0], shape[1], shape[2])


def steps_from(shape: Cell) -> Iterator[tuple[Step, Cell]]:
    """The steps from a block that a board may need, and the blocks that they lead to."""
    for axis, part in enumerate(shape):
        for way, parts in ((1, AFTER), (-1, BEFORE)):
            for other in parts.get(part, ()):
                there = (*shape[:axis], other, *shape[axis + 1 :])
                if (
                    there[0] * there[1] * there[2] % 2 == 0
                ):  # the first block of an odd board is never entered
                    yield (axis, way, other), (there[0], there[1], there[2])


# ---- the check


def boxes(tours: Tours | None = None) -> Proved:
    """Check all that the theorem rests on.

    Args:
        tours: the tours; those that the engine finds now, if not given.

    Time: seconds, most of them to find the tours.
    """
    facts: list[str] = []
    try:
        _check(found() if tours is None else tours, facts)
    except Fault as fault:
        return Proved(tuple(facts), str(fault))
    return Proved(tuple(facts))


def _check(tours: Tours, facts: list[str]) -> None:
    shapes = [_tour(f"tour {i}", cells, closed=True) for i, cells in enumerate(tours.closed)]
    facts.append(f"{len(shapes)} closed tours of blocks visit each of their cells once, by knight's moves.")

    needed = list(blocks(odd=False))
    for shape in needed:
        number = tours.first.get(shape)
        if number is None or shapes[number] != shape:
            raise Fault(f"the block {_sides(shape)} has no closed tour")
        if twins(tours.closed[number]) < TWINS:
            raise Fault(f"the first tour of the block {_sides(shape)} has fewer than {TWINS} pairs of twins")
    facts.append(
        f"Each of the {len(needed)} blocks with sides from 2 to 7 and an even number of cells has one, but "
        f"for 2x2xk and 2x3x3; and it has {TWINS} pairs of edges two apart along an axis, all different."
    )

    states = {state for _, state in tours.steps.values()} | {state for _, (_, state) in tours.roots.values()}
    states |= {(number, len(tours.closed[number])) for number in tours.first.values()}
    checked = 0
    for number, edge in sorted(states):
        for step, there in steps_from(shapes[number]):
            where = f"the step {step} from tour {number} without edge {edge}"
            if ((number, edge), step) not in tours.steps:
                raise Fault(f"{where} is missing")
            u, after = tours.steps[(number, edge), step]
            if u == edge:
                raise Fault(f"{where} uses that edge again")
            if shapes[after[0]] != there:
                raise Fault(f"{where} leads to a block {_sides(shapes[after[0]])}, not {_sides(there)}")
            _joined(
                where,
                tours.closed[number],
                u,
                tours.closed[after[0]],
                after[1],
                _offset(step, shapes[number]),
            )
            checked += 1
    facts.append(
        f"In {len(states)} states, a tour and its used edge (or none), each of the {checked} steps that a "
        "board may need is a join by another edge, and leads to one of these states."
    )

    checked = 0
    odd = list(blocks(odd=True))
    for shape in odd:
        for step, there in steps_from(shape):
            where = f"the step {step} from the first block {_sides(shape)}"
            if (shape, step) not in tours.roots:
                raise Fault(f"{where} is missing")
            cells, (u, after) = tours.roots[shape, step]
            if _tour(f"the open tour for {where}", cells, closed=False) != shape or u >= len(cells) - 1:
                raise Fault(f"{where} begins with another tour")
            if not _two_apart(cells[0], cells[-1]):
                raise Fault(f"the open tour for {where} has ends {cells[0]} and {cells[-1]}, not two apart")
            if shapes[after[0]] != there:
                raise Fault(f"{where} leads to a block {_sides(shapes[after[0]])}, not {_sides(there)}")
            _joined(where, cells, u, tours.closed[after[0]], after[1], _offset(step, shape))
            checked += 1
    facts.append(
        f"Each of the {len(odd)} blocks with sides 3, 5 and 7 but 3x3x3 has an open tour whose ends are two "
        f"apart along an axis, and each of the {checked} steps that a board may need from it is a join and "
        "leads to one of these states."
    )


def _tour(what: str, cells: list[Cell], *, closed: bool) -> Cell:
    """The sides of the box whose cells a tour visits, each once."""
    i, j, k = (max(cell[axis] for cell in cells) + 1 for axis in range(3))
    if set(cells) != set(product(range(i), range(j), range(k))) or len(cells) != i * j * k:
        raise Fault(f"{what} does not visit each cell of {i}x{j}x{k} once")
    for a, b in pairwise(cells + cells[:1] if closed else cells):
        if not _move(a, b):
            raise Fault(f"{what} goes from {a} to {b}, which is no move")
    return i, j, k


def _joined(where: str, one: list[Cell], u: int, two: list[Cell], v: int, offset: Cell) -> None:
    """The ends of edge u of one tour and of edge v of the other, moved, are two moves apart."""
    if not (0 <= u < len(one) and 0 <= v < len(two)):
        raise Fault(f"{where} joins no edges")
    a, b = one[u], one[(u + 1) % len(one)]
    c, d = ((i + offset[0], j + offset[1], k + offset[2]) for i, j, k in (two[v], two[(v + 1) % len(two)]))
    if not ((_move(a, c) and _move(b, d)) or (_move(a, d) and _move(b, c))):
        raise Fault(f"{where} is no join: {a}-{b} and {c}-{d}")


def twins(cells: list[Cell]) -> int:
    """How many pairs of twins, all of different edges, a closed tour has at least."""
    return len(list(twin_edges(cells)))


def twin_edges(cells: list[Cell]) -> Iterator[tuple[tuple[Cell, Cell], tuple[Cell, Cell]]]:
    """Pairs of twins of a closed tour, all of different edges; their ends correspond."""
    edges = {(min(edge), max(edge)) for edge in pairwise(cells + cells[:1])}
    used: set[tuple[Cell, Cell]] = set()
    for a, b in sorted(edges):
        for x, y, z in ((2, 0, 0), (0, 2, 0), (0, 0, 2)):
            twin = (a[0] + x, a[1] + y, a[2] + z), (b[0] + x, b[1] + y, b[2] + z)
            if twin in edges and not used & {(a, b), twin}:
                used |= {(a, b), twin}
                yield (a, b), twin


def _two_apart(a: Cell, b: Cell) -> bool:
    return sorted(abs(x - y) for x, y in zip(a, b, strict=True)) == [0, 0, 2]


def _offset(step: Step, shape: Cell) -> Cell:
    """Where the next block lies, seen from a block."""
    axis, way, part = step
    far = shape[axis] if way == 1 else -part
    return (far * (axis == 0), far * (axis == 1), far * (axis == 2))


def _move(a: Cell, b: Cell) -> bool:
    return sorted(abs(x - y) for x, y in zip(a, b, strict=True)) == [0, 1, 2]


def _sides(shape: Cell) -> str:
    return "x".join(map(str, shape))


# ---- what is checked; from here on the engine is asked


def found() -> Tours:
    """Tours and joins that the check asks for, from the engine.

    Time: seconds.
    """
    from cavalcade.construction.blocks import Block, BlockTour, block_joins, cycle, joins
    from cavalcade.construction.boxes import TRIES

    tours = Tours()
    numbers: dict[BlockTour, int] = {}
    kinds: list[BlockTour] = []

    def number(kind: BlockTour) -> int:
        if kind not in numbers:
            numbers[kind] = len(kinds)
            kinds.append(kind)
            tours.closed.append([(i, j, k) for i, j, k in cycle(kind).cells.tolist()])
        return numbers[kind]

    seen: dict[State, Cell] = {}
    todo: list[State] = []

    def reached(state: State, shape: Cell) -> State:
        if state not in seen:
            seen[state] = shape
            todo.append(state)
        return state

    for shape in blocks(odd=False):
        for seed in range(TRIES):
            kind = BlockTour(Block(shape, ""), seed)
            if twins([(i, j, k) for i, j, k in cycle(kind).cells.tolist()]) >= TWINS:
                break
        tours.first[shape] = number(kind)
        reached((tours.first[shape], len(tours.closed[tours.first[shape]])), shape)
    for shape in blocks(odd=True):
        for step, there in steps_from(shape):
            for seed in range(TRIES):
                kind = BlockTour(Block(there, ""), seed % 3)
                tour = _open_tour(shape, seed)
                options = [
                    one for one in joins(tour, cycle(kind), _offset(step, shape)) if one.u < len(tour) - 1
                ]
                if options:
                    cells = [(i, j, k) for i, j, k in tour.cells.tolist()]
                    tours.roots[shape, step] = (
                        cells,
                        (options[0].u, reached((number(kind), options[0].v), there)),
                    )
                    break
    while todo:
        state = todo.pop()
        shape = seen[state]
        for step, there in steps_from(shape):
            for seed in range(TRIES):
                kind = BlockTour(Block(there, ""), seed)
                every = block_joins(kinds[state[0]], kind, _offset(step, shape))
                options = [one for one in every if one.u != state[1]]
                if options:
                    known = (one for one in options if (numbers.get(kind), one.v) in seen)
                    best = next(known, options[0])
                    tours.steps[state, step] = best.u, reached((number(kind), best.v), there)
                    break
    return tours


def _open_tour(shape: Cell, seed: int) -> Loop:
    """An open tour of a block whose ends are two apart."""
    from cavalcade.answers.verdict import Undecided
    from cavalcade.boards import Board
    from cavalcade.construction.blocks import Loop
    from cavalcade.find.join import join
    from cavalcade.graph import move_graph
    from cavalcade.problem import Problem

    board = Board.box(*shape)
    graph = move_graph(board)
    for start in range(0, board.size, 2):
        for axis in sorted(range(3), key=shape.__getitem__, reverse=True):
            end = board.coords[start] + [2 * (i == axis) for i in range(3)]
            if (last := int(board.locate(end))) >= 0:
                problem = Problem(graph, closed=False, start=start, end=last)
                cells = join(problem, seed=seed, time_limit=0.1)
                if not isinstance(cells, Undecided):
                    return Loop(board.coords[cells])
    raise AssertionError(f"no open tour of {board.spec} found with ends two apart")
