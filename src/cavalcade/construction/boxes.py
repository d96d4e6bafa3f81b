"""Templates: boxes of any dimension cut into blocks, and the blocks' tours joined to a chain.

Every side is cut into parts, so the board becomes a grid of *blocks*, each the product of one part a
dimension. A closed tour of every block comes from `find.join`, in milliseconds and once for each shape. The
chain runs through the grid boustrophedon: along a row of blocks, then along the next one backwards. An edge
of one block's tour is joined with an edge of the next one's, found by looking at those near the border.

    part     an even number, so that all blocks have an even number of cells; of an odd side one part is odd
    root     the block where the tour begins; the chain leaves it on both sides. On a board with an odd number
             of cells it is the block whose sides are all odd, with an open tour

The families, m the shorter side of a rectangle, and why the blocks have tours:

    m >= 5       parts from 5 on: Schwenk (1991), and for odd x odd roots Cull & De Curtins (1978)
    m = 3        no closed tours of 3 x k join, but a block may also be covered by two paths, one out and one
                 back. Their ends lie on fixed squares beside the border, so that all blocks fit: 3 x 8 to
                 3 x 14, and 3 x 7 to 3 x 13 to begin an open tour of odd length. Schwenk's extension by
                 3 x 4 is of this kind
    m = 4        open tours only. An open tour of 4 x n changes once between two halves of the cells that the
                 moves do not otherwise connect: the outer squares of one colour with the inner ones of the
                 other. The root is a block 4 x 5 to 4 x 10 with an open tour, and two chains of 4 x 6 leave
                 it, one for each half, with a cycle of each half in every block
    boxes        parts 2 and 3 where the side is, else from 4 on: DeMaio & Mathew (2011), and Erde, Golénia &
                 Golénia (2012) for more dimensions. Sides of length 1 change nothing
    surfaces     as boxes of the same sides, whose moves they have
    small        boards of a single block

A given start of a tour is met by making the block that holds it the root: a closed tour is turned, an open
one of an odd board has its odd parts placed around the start.

Styles: `plain` takes for every block of a shape the same tour and the first join that fits, so few lines
differ; `random` draws each block's tour from several and each join from all that fit, seeded (Parberry's
obfuscation, 1997). Random lines are drawn until 2**19 blocks have been, and from those drawn afterwards.

That no size is left out is a finite question, as only the last block and the next one matter:
`tests/test_tile` asks it for rectangles and boxes, `proofs.boxes` for boxes again.

Time: some milliseconds for each shape of block, and linear in the blocks of the lines that differ, and in the
lines. A step is looked up in logarithmic time (`chain.Chain`).
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, pairwise, product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.boards import Board
from cavalcade.construction.chain import Chain, Line, Role
from cavalcade.find.join import join
from cavalcade.graph import MoveGraph, move_graph
from cavalcade.pieces import KNIGHT
from cavalcade.problem import Problem
from cavalcade.theorems.literature import theorem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cavalcade.construction.chain import Ints

    Shape = tuple[int, ...]
    Cells = NDArray[np.int32]

METHOD = "template"
STYLES = ("plain", "random")
WIDTH = {2: 8, 3: 6}  # what sides are cut into, by dimensions; 4 from four dimensions on
STRIP = {3: 8, 4: 6}  # what the long side of a strip is cut into
VARIETY = 4  # tours of a shape that the random style draws from
TRIES = 30  # tours of a shape that are looked at before its joins are said not to exist
REACH = 2  # of a knight
HALVES = ("0", "1")
# row and column of the two ends beside a border of 3 x k
BORDER = {"<": ((1, 1), (2, 1)), ">": ((0, -1), (1, -1))}
CUTS = 50  # ways to cut a board that are tried
MOST_RANDOM = 2**19  # blocks of random lines
LONG = 8  # blocks that make it worth while to run along the last dimension


class _NoTemplateError(Exception):
    """What cannot be built, and why."""


# ---- the question


def plan(
    board: Board,
    *,
    closed: bool = True,
    start: int | None = None,
    seed: int = 0,
    style: str = "plain",
) -> Chain | Undecided:
    """A knight's tour of a box as a chain of blocks, however large the box.

    Args:
        board: a whole box of any dimension, or a surface; it may have more cells than can be numbered.
        closed: whether the tour returns.
        start: the first cell, row-major.
        seed: what random choices begin with.
        style: `plain` or `random`.

    Returns:
        The chain, or why there is no template for this board.

    Raises:
        ValueError: an unknown style.

    Time: milliseconds; 0.1 s for a billion squares.
    """
    began = time.perf_counter()
    if style not in STYLES:
        raise ValueError(f"unknown style {style!r}, expected {' or '.join(STYLES)}")
    at = None if start is None else tuple(int(i) for i in np.unravel_index(start, board.shape))
    try:
        _assert_possible(board, closed=closed)
        return _Plan(board.shape, closed, at, seed, random=style == "random").chain()
    except _NoTemplateError as error:
        kind = "a closed tour" if closed else "an open tour"
        reason = f"no template for {kind} of {board.title}: {error}"
        return Undecided(reason, METHOD, seed, time.perf_counter() - began)


def _assert_possible(board: Board, *, closed: bool) -> None:
    if board.kind == "hex" or board.mask is not None:
        raise _NoTemplateError("it is no whole box")
    law = theorem(Board.box(*board.shape), KNIGHT, closed)
    if law is not None and not law.exists:
        raise _NoTemplateError(f"by {law.name} there is no such tour, as {law.because}")


# ---- tours of blocks, and joins between them


class Block(NamedTuple):
    """What a tour of a block has to be.

    `part` is empty for a closed tour of all cells; `0` or `1` for one of the halves of 4 x k; and on 3 x k it
    names the sides, `<` and `>`, that are open: there the two squares of `BORDER` count as neighbours.
    """

    shape: Shape
    part: str


class Kind(NamedTuple):
    """A tour of a block, and which one."""

    block: Block
    seed: int


class State(NamedTuple):
    """A block entered: its tour, the cell where it is entered, and whether it is walked on or backwards."""

    kind: Kind
    cell: int
    way: int  # 1 or -1

    @property
    def edge(self) -> int:
        """The edge that the entry takes away: edge u runs from cell u to cell u + 1."""
        return (self.cell - (self.way == 1)) % len(cycle(self.kind))


class Join(NamedTuple):
    """Edge u of one tour and edge v of the next; crossed if the one's first cell reaches the other's last."""

    u: int
    v: int
    crossed: bool

    def entry(self, way: int, kind: Kind) -> State:
        """How the next block is entered by one who walks edge u this way."""
        onward = way if self.crossed else -way
        return State(kind, (self.v + (onward == 1)) % len(cycle(kind)), onward)


@dataclass(frozen=True)
class Loop:
    """A tour of a block: its cells, (n, d), and the edges that are no moves and have to be joined."""

    cells: Cells
    gaps: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.cells)


@lru_cache(maxsize=4096)
def cycle(kind: Kind) -> Loop:
    """A closed tour of a block.

    Raises:
        _NoTemplateError: none was found.
    """
    (shape, part), seed = kind
    board = Board.box(*shape)
    if part in HALVES:  # the outer squares of one colour, the inner ones of the other
        across = board.coords[:, shape.index(4)]
        inner = (across == 1) | (across == 2)
        board = board.without(np.flatnonzero((board.coords.sum(axis=1) + inner) % 2 != int(part)).tolist())
        part = ""
    found = join(Problem(_graph(board, part)), seed=seed, time_limit=1)
    if isinstance(found, Undecided):
        raise _NoTemplateError(f"the block {board.title} has no closed tour that we could find")
    return _loop(board, found)


def path(block: Block, start: Shape | None, *, closed: bool, seed: int) -> Loop:
    """A tour of the first block, open or closed, from a given start or from any.

    Raises:
        _NoTemplateError: none was found.
    """
    board = Board.box(*block.shape)
    first = None if start is None else int(np.ravel_multi_index(start, block.shape))
    problem = Problem(_graph(board, block.part), closed=closed, start=first)
    cells = join(problem, seed=seed, time_limit=0.3)
    if isinstance(cells, Undecided):
        raise _NoTemplateError(f"the first block, {board.title}, has no tour that we could find")
    if closed and cells[-1] >= board.size:  # the gap must not be where the tour begins
        cells = np.concatenate([cells[:1], cells[:0:-1]])
    return _loop(board, cells)


def _graph(board: Board, part: str) -> MoveGraph:
    """The moves of a block. A side that is open has an extra vertex between its two border squares."""
    graph = move_graph(board)
    if not part:
        return graph
    long = 1 - board.shape.index(3)
    edges, n = graph.edges().tolist(), board.size
    for i, side in enumerate(part):
        for row, column in BORDER[side]:
            at = (row, column % board.shape[long])
            edges.append((n + i, int(np.ravel_multi_index(at if long else at[::-1], board.shape))))
    return MoveGraph.from_edges(edges, n + len(part))


def _loop(board: Board, cells: Cells) -> Loop:
    """The tour of a block without the extra vertices."""
    real = cells < board.size
    gaps = np.cumsum(real)[~real] - 1
    return Loop(np.asarray(board.coords[cells[real]], dtype=np.int32), frozenset(gaps.tolist()))


def joins(first: Loop, second: Loop, offset: Shape) -> list[Join]:
    """All joins of two tours, the second moved by an offset, in the order of the first."""
    one, other = first.cells, second.cells + np.array(offset, dtype=np.int32)
    close = [
        np.all((a >= b.min(axis=0) - REACH) & (a <= b.max(axis=0) + REACH), axis=1)
        for a, b in ((one, other), (other, one))
    ]
    rows, columns = (np.flatnonzero(c) for c in close)
    step = np.abs(one[rows][:, None] - other[columns])
    linked = ((step**2).sum(axis=2) == 5) & (step.max(axis=2) == REACH)
    us, vs = (np.flatnonzero(c & np.roll(c, -1)) for c in close)  # edges, both ends near the border
    u0, u1 = np.searchsorted(rows, us)[:, None], np.searchsorted(rows, (us + 1) % len(one))[:, None]
    v0, v1 = np.searchsorted(columns, vs), np.searchsorted(columns, (vs + 1) % len(other))
    straight = linked[u0, v0] & linked[u1, v1]
    crossed = linked[u0, v1] & linked[u1, v0]
    found = [
        Join(int(us[i]), int(vs[j]), c)
        for c, both in ((False, straight), (True, crossed))
        for i, j in np.argwhere(both)
    ]
    if first.gaps or second.gaps:
        found = [one for one in found if one.u in first.gaps and one.v in second.gaps]
    return sorted(found)


@lru_cache(maxsize=2**14)
def kind_joins(one: Kind, other: Kind, offset: Shape) -> list[Join]:
    """The same, of two blocks."""
    return joins(cycle(one), cycle(other), offset)


# ---- how sides are cut


def evens(side: int, width: int) -> list[int]:
    """A side cut into parts: all as wide as told but the last, which is up to twice as wide.

    An even side and width give even parts.
    """
    if side < 2 * width:
        return [side] if side else []
    return [width] * (side // width - 1) + [width + side % width]


def around(
    side: int, width: int, least: int, root: range, start: int | None
) -> Iterator[tuple[list[int], int]]:
    """Ways to cut a side such that one part, the root's, is of a length in `root`; and which part it is.

    The rest on either side is nothing, or at least `least`. With a start, the root holds it; without, the
    root is first and the others are as wide as told.
    """
    for part in root:
        if start is None:
            if part <= side and (side - part) % width == 0:
                yield [part] + [width] * ((side - part) // width), 0
            continue
        for before in range(0, start + 1, root.step):
            after = side - before - part
            if start < before + part and all(rest == 0 or rest >= least for rest in (before, after)):
                left = evens(before, width)
                yield [*left, part, *evens(after, width)], len(left)


@dataclass(frozen=True)
class Grid:
    """A board cut into blocks, and the boustrophedon through them.

    Args:
        parts: for every dimension the parts of its side.
        axis: the dimension along which the rows of blocks run.

    K is the number of blocks in a row. A *position* counts blocks in the order of the boustrophedon.
    """

    parts: tuple[tuple[int, ...], ...]
    axis: int

    @cached_property
    def cuts(self) -> list[Ints]:
        """Where the parts of every side begin, and the side."""
        return [np.concatenate([[0], np.cumsum(parts)]).astype(np.int64) for parts in self.parts]

    @cached_property
    def axes(self) -> list[int]:
        """The dimensions, the one that changes most slowly first."""
        return [*(i for i in range(len(self.parts)) if i != self.axis), self.axis]

    @property
    def row(self) -> int:
        """K."""
        return len(self.parts[self.axis])

    @cached_property
    def size(self) -> int:
        """How many blocks there are."""
        return math.prod(len(parts) for parts in self.parts)

    def index(self, position: int) -> Shape:
        """Which part of every side the block at a position is."""
        index = [0] * len(self.parts)
        rest = self.size
        for axis in self.axes:
            many = len(self.parts[axis])
            rest //= many
            turn, digit = divmod(position // rest, many)
            index[axis] = many - 1 - digit if turn % 2 else digit
        return tuple(index)

    def position(self, index: Ints) -> Ints:
        """The positions of blocks, (k, d)."""
        position = np.zeros(len(index), dtype=np.int64)
        for axis in self.axes:
            many = len(self.parts[axis])
            digit = np.where(position % 2 == 1, many - 1 - index[:, axis], index[:, axis])
            position = position * many + digit
        return position

    def at(self, places: Ints) -> Ints:
        """Which part of every side holds these places, (k, d)."""
        inside = [
            np.searchsorted(cuts, at, side="right") - 1 for cuts, at in zip(self.cuts, places.T, strict=True)
        ]
        return np.stack(inside, axis=1)

    def shape(self, index: Shape) -> Shape:
        """The sides of a block."""
        return tuple(parts[i] for parts, i in zip(self.parts, index, strict=True))

    def origin(self, index: Shape) -> Shape:
        """Where a block lies."""
        return tuple(int(cuts[i]) for cuts, i in zip(self.cuts, index, strict=True))


@dataclass(frozen=True)
class Finder:
    """In which lines and blocks of a chain places lie.

    Args:
        grid: the blocks.
        root: the position of the root.
        roots: how many lines it is.
        branches: for each chain that leaves the root its direction, 1 or -1, and its first line.
    """

    grid: Grid
    root: int
    roots: int
    branches: tuple[tuple[int, int], ...]

    def __call__(self, places: Ints, /) -> tuple[Ints, Ints]:
        """The lines and the blocks in them of (k, d) places: two (k, c) arrays."""
        inside = np.all((places >= 0) & (places < [cuts[-1] for cuts in self.grid.cuts]), axis=1)
        position = self.grid.position(self.grid.at(np.where(inside[:, None], places, 0)))
        row, column = np.divmod(position, self.grid.row)
        lines, blocks = [], []
        for i in range(self.roots):
            lines.append(np.where(position == self.root, i, -1))
            blocks.append(np.zeros_like(position))
        for direction, first in self.branches:
            first_row, first_column = divmod(self.root + direction, self.grid.row)
            from_row = np.where(row == first_row, first_column, 0 if direction == 1 else self.grid.row - 1)
            mine = (position - self.root) * direction > 0
            lines.append(np.where(mine, first + (row - first_row) * direction, -1))
            blocks.append(np.where(mine, (column - from_row) * direction, 0))
        found = np.where(inside[:, None], np.stack(lines, axis=1), -1)
        return found, np.stack(blocks, axis=1)


# ---- the plan


@dataclass
class _Plan:
    """A board on the way to its chain."""

    shape: Shape
    closed: bool
    start: Shape | None
    seed: int
    random: bool

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(abs(self.seed))
        self.steps: dict[tuple[State, Block, Shape], list[tuple[int, State]]] = {}
        self.sides = sorted(side for side in self.shape if side > 1)
        law = theorem(Board.box(*self.shape), KNIGHT, closed=True)
        self.turned = math.prod(self.shape) % 2 == 0 and law is not None and law.exists
        self.strip = self.sides[0] if len(self.sides) == 2 and self.sides[0] < 5 else 0
        self.threads = HALVES if self.strip == 4 else ("",)

    def chain(self) -> Chain:
        """The chain, with the first cut of the board that works."""
        if self.start is not None and not self.turned:
            self.assert_start(self.start)
        problem = _NoTemplateError("its sides cannot be cut so that the first block holds the start")
        for parts, index in islice(self.cut(), CUTS):
            try:
                return self.joined(parts, index)
            except _NoTemplateError as error:
                problem = error
        raise problem

    def assert_start(self, start: Shape) -> None:
        """Refuse a start from which there is no open tour."""
        if math.prod(self.shape) % 2 and sum(start) % 2:
            raise _NoTemplateError("on an odd board it begins on the colour of the corners")
        if self.strip == 4 and start[self.shape.index(4)] in {1, 2}:
            raise _NoTemplateError("on 4 x n it begins on an outer square")

    def cut(self) -> Iterator[tuple[tuple[tuple[int, ...], ...], Shape]]:
        """Ways to cut the sides, and the root's index."""
        choices = [list(self.cut_side(i)) for i in range(len(self.shape))]
        for choice in product(*choices):
            yield tuple(tuple(parts) for parts, _ in choice), tuple(root for _, root in choice)

    def cut_side(self, axis: int) -> Iterator[tuple[list[int], int]]:
        """Ways to cut one side, and which part is the root's."""
        side, start = self.shape[axis], None if self.start is None else self.start[axis]
        d = len(self.sides)
        width = STRIP[self.strip] if self.strip else WIDTH.get(d, 4)
        if side in {1, 2, 3, self.strip} or (self.strip == 3 and side < width):
            parts = [side]
        elif self.turned or (side % 2 == 0 and self.strip != 4):
            parts = evens(side, width)
        else:
            first, by = 7 if self.strip == 3 else 5, 1 if self.strip == 4 else 2
            least = {3: 8, 4: 5}.get(self.strip, 6 if d == 2 else 4)
            yield from around(side, width, least, range(first, first + 2 * width, by), start)
            return
        cuts = np.cumsum(parts)
        yield parts, 0 if start is None else int(np.searchsorted(cuts, start, side="right"))

    def joined(self, parts: tuple[tuple[int, ...], ...], index: Shape) -> Chain:
        """The chain of a board so cut."""
        self.numbers: dict[tuple[State, int], int] = {}  # of roles
        self.known: dict[
            tuple[object, ...], list[tuple[int, State | None]]
        ] = {}  # lines, by what they are like
        self.lines: list[Line] = []
        self.placed: list[tuple[int, Shape]] = []  # each line's kind and origin
        self.drawn = 0  # blocks in lines
        last = len(self.shape) - 1
        longest = max(range(last, -1, -1), key=lambda i: len(parts[i]))
        grid = self.grid = Grid(parts, last if len(parts[last]) >= LONG else longest)
        root = int(grid.position(np.array([index]))[0])
        branches = [(d, part) for d in (1, -1) if 0 <= root + d < grid.size for part in self.threads]
        cells, exits = self.root(root, branches)
        # the root plays as many roles as chains leave it, one at least
        edges = [u + 1 for u, _, _ in exits]
        ends = [*edges[1:], len(cells)] if edges else []
        first = Role(cells[: ends[0]], edges[0]) if exits else Role(cells, len(cells))
        self.roles: list[Role] = [first, *(Role(cells[a:b], 0) for a, b in pairwise(ends))]
        origin, zero = grid.origin(index), np.zeros((1, len(self.shape)), dtype=np.int32)
        for i in range(len(self.roles)):
            self.lines.append(Line.of(self.roles, [i], zero))
            self.placed.append((i, origin))
        ways, places = [0], []
        for i, (_, which, state) in enumerate(exits):
            begin = len(self.placed)
            self.branch(root, branches[which][0], state)
            several = range(begin, len(self.placed))
            ways += [*(2 * line for line in several), *(2 * line + 1 for line in reversed(several))]
            ways += [2 * i + 1] if i == 0 else [2 * i, 2 * i + 1]
            places.append((branches[which][0], begin))
        ways += [] if exits else [1]
        finder = Finder(grid, root, max(1, len(exits)), tuple(places))
        line, origins = zip(*self.placed, strict=True)
        return Chain.of(self.shape, self.roles, self.lines, line, origins, ways, finder, closed=self.closed)

    def root(self, root: int, branches: list[tuple[int, str]]) -> tuple[Cells, list[tuple[int, int, State]]]:
        """The root's tour; for each chain that leaves it, in order, the edge, which one, and the entry."""
        index = self.grid.index(root)
        block, origin = self.block(index, ""), self.grid.origin(index)
        start = None if self.start is None else tuple(a - b for a, b in zip(self.start, origin, strict=True))
        following = [self.grid.index(root + direction) for direction, _ in branches]
        for number in range(TRIES):
            tour = path(block, start, closed=self.turned, seed=self.seed * TRIES + number)
            exits: list[tuple[int, int, State]] = []
            for which, ((_, part), after) in enumerate(zip(branches, following, strict=True)):
                offset = tuple(b - a for a, b in zip(origin, self.grid.origin(after), strict=True))
                used = {len(tour) - 1, *(u for u, _, _ in exits)}
                options = [
                    (one.u, which, one.entry(1, kind))
                    for kind in self.kinds(self.block(after, part))[:VARIETY]
                    for one in joins(tour, cycle(kind), offset)
                    if one.u not in used
                ]
                if not options:
                    break
                exits.append(options[self.draw(len(options))])
            if len(exits) == len(branches):
                return tour.cells, sorted(exits)
        sides = "x".join(map(str, block.shape))
        raise _NoTemplateError(f"the first block, {sides}, does not join the next ones")

    def block(self, index: Shape, part: str) -> Block:
        """What a tour of a block of the grid has to be."""
        if self.strip == 3:
            i = index[self.grid.axis]
            part = "<" * (i > 0) + ">" * (i < self.grid.row - 1)
        return Block(self.grid.shape(index), part)

    def branch(self, root: int, direction: int, state: State) -> None:
        """Place the lines of the chain that leaves the root in one direction."""
        grid = self.grid
        position, k = root + direction, grid.row
        entry: State | None = state
        while entry is not None:
            row = position // k
            end = row * k + (k - 1 if direction == 1 else 0)
            index, last = grid.index(position), grid.index(end)
            after = grid.index(end + direction) if 0 <= end + direction < grid.size else None
            kind, entry = self.line(index, last, after, entry)
            origin = list(grid.origin(index))
            origin[grid.axis] = 0
            self.placed.append((kind, tuple(origin)))
            position = end + direction

    def line(self, index: Shape, last: Shape, after: Shape | None, state: State) -> tuple[int, State | None]:
        """The number of the line through these blocks, and how the block after it is entered."""
        grid, axis, thread = self.grid, self.grid.axis, state.kind.block.part
        turn: tuple[Block, Shape] | None = None
        if after is not None:
            here, there = grid.origin(last), grid.origin(after)
            turn = self.block(after, thread), tuple(b - a for a, b in zip(here, there, strict=True))
        key = (grid.shape(index), index[axis], last[axis], turn, state)
        known = self.known.setdefault(key, [])
        if known and (not self.random or self.drawn >= MOST_RANDOM):
            return known[self.draw(len(known))]
        way = 1 if last[axis] >= index[axis] else -1
        columns = range(index[axis], last[axis] + way, way)
        cuts = grid.cuts[axis].tolist()
        blocks: dict[tuple[int, bool, bool], Block] = {}
        offsets: dict[int, Shape] = {}
        roles = []
        entry: State | None = None
        for column in columns[1:]:
            looks = grid.parts[axis][column], column > 0, column < grid.row - 1
            if looks not in blocks:
                blocks[looks] = self.block((*index[:axis], column, *index[axis + 1 :]), thread)
            far = cuts[column] - cuts[column - way]
            if far not in offsets:
                offsets[far] = tuple(far * (i == axis) for i in range(len(index)))
            role, state = self.step(state, blocks[looks], offsets[far])
            roles.append(role)
        if turn is None:
            roles.append(self.role(state, len(cycle(state.kind))))
        else:
            role, entry = self.step(state, *turn)
            roles.append(role)
        origins = np.zeros((len(columns), len(index)), dtype=np.int32)
        origins[:, axis] = [cuts[column] for column in columns]
        self.lines.append(Line.of(self.roles, roles, origins))
        self.drawn += len(columns)
        known.append((len(self.lines) - 1, entry))
        return known[-1]

    def step(self, state: State, block: Block, offset: Shape) -> tuple[int, State]:
        """The role of a block so entered, the next one being this and there; and how that is entered."""
        options = self.steps.get((state, block, offset))
        if options is None:
            options = self.steps[state, block, offset] = self.options(state, block, offset)
        out, entry = options[self.draw(len(options)) if self.random else 0]
        return self.role(state, out), entry

    def options(self, state: State, block: Block, offset: Shape) -> list[tuple[int, State]]:
        """All ways to go on, or just one in the plain style: cells on the way out, and the next entry."""
        many = len(cycle(state.kind))
        found: list[tuple[int, State]] = []
        for i, kind in enumerate(self.kinds(block)):
            if found and (not self.random or i >= VARIETY):
                break
            for one in kind_joins(state.kind, kind, offset):
                if one.u != state.edge:
                    last = one.u if state.way == 1 else (one.u + 1) % many
                    out = (last - state.cell) * state.way % many + 1
                    found.append((out, one.entry(state.way, kind)))
                    if not self.random:
                        break
        if not found:
            a, b = ("x".join(map(str, sides)) for sides in (state.kind.block.shape, block.shape))
            raise _NoTemplateError(f"blocks {a} and {b} do not join")
        return found

    def kinds(self, block: Block) -> list[Kind]:
        """The tours of a block that may be used."""
        return [Kind(block, self.seed * TRIES + number) for number in range(TRIES)]

    def role(self, state: State, out: int) -> int:
        """The number of the role of a block so entered, so many cells on the way out."""
        number = self.numbers.setdefault((state, out), len(self.roles))
        if number == len(self.roles):
            cells = cycle(state.kind).cells
            self.roles.append(Role(cells[(state.cell + state.way * np.arange(len(cells))) % len(cells)], out))
        return number

    def draw(self, many: int) -> int:
        """A random choice; the first in the plain style."""
        return int(self.rng.integers(many)) if self.random else 0
