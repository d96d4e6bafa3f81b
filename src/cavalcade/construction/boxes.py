"""Tours of boxes of any dimension and size: blocks, joined to a chain.

The board is cut into a grid of blocks (`construction.grid`). The chain follows the boustrophedon through the
grid, and the tours of consecutive blocks are joined by edges near their common border
(`construction.blocks`).

    part     an even length, so that all blocks have an even number of cells; an odd side has one odd part
    root     the block where the tour begins; the chain leaves it on both sides. On a board with an odd number
             of cells it is the block whose sides are all odd, and its tour is open

The families, m the shorter side of a rectangle, and why the blocks have tours:

    m >= 5       parts from 5 on: Schwenk (1991), and for odd x odd roots Cull & De Curtins (1978)
    m = 3        no closed tours of 3 x k join, but a block may also be covered by two paths, one on the way
                 out and one on the way back. Their ends lie on fixed squares at the border, so that all
                 blocks fit: 3 x 8 to 3 x 14, and 3 x 7 to 3 x 13 to begin an open tour of odd length.
                 Schwenk's extension by 3 x 4 is of this kind
    m = 4        open tours only. An open tour of 4 x n changes only once between two halves of the cells: the
                 outer squares of the first colour with the inner squares of the second, and the rest. The
                 root is a block 4 x 5 to 4 x 10 with an open tour. Two chains of blocks 4 x 6 leave it, one
                 for each half, and every block has a cycle of each half
    boxes        parts 2 and 3 if the side is 2 or 3, otherwise from 4 on: DeMaio & Mathew (2011), and Erde,
                 Golénia & Golénia (2012) for more dimensions. Sides of length 1 change nothing
    surfaces     as boxes with the same sides, all of whose moves they have
    small        boards of a single block

If a start is given, the block that contains it is the root: a closed tour is rotated, and the odd parts of an
open tour of an odd board lie around the start.

Styles: `plain` uses the same tour for all blocks of a shape, and the first join that fits, so that there are
few distinct lines. `random` draws the tour of each block from several and each join from all that fit, seeded
(Parberry's obfuscation, 1997). After 2**19 blocks in random lines, further lines are drawn from these.

That no size is left out is a finite question, because a join depends only on the last block and the next one.
`tests/test_tile.py` answers it for rectangles and boxes, `theorems.boxes` once more for boxes.

Time: some milliseconds for each shape of block, and linear in the number of lines and in the blocks of the
distinct lines. A step is found in logarithmic time (`chain.Chain`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise, product
from typing import Literal, TypeAlias, get_args

import numpy as np

from cavalcade.boards import Board
from cavalcade.construction.blocks import (
    HALVES,
    Block,
    Entry,
    NoTemplateError,
    Shape,
    block_joins,
    cycle,
    joins,
    path,
)
from cavalcade.construction.chain import Chain, Line, Role
from cavalcade.construction.grid import Grid, around, evens
from cavalcade.ground.budget import assert_room, assert_time
from cavalcade.ground.errors import CavalcadeError
from cavalcade.ground.kernels import Cells

BlockStyle: TypeAlias = Literal["plain", "random"]
STYLES: tuple[BlockStyle, ...] = get_args(BlockStyle)
WIDTH = {2: 8, 3: 6}  # width of blocks by the number of dimensions; 4 from four dimensions on
STRIP = {3: 8, 4: 6}  # width of blocks along the long side of a board with 3 or 4 rows
VARIETY = 4  # tours of a shape that the random style draws from; each is found in milliseconds
# Tours of a block that are tried until one joins the next block; ways to cut a board that are tried.
TRIES = 30
MOST_RANDOM = 2**19  # blocks in random lines before lines are repeated: bounds the memory of a plan
LONG_ROW = 8  # blocks in a row from which lines follow the last dimension, so that memory is written in order


def chain(
    board: Board,
    *,
    closed: bool = True,
    start: Shape | None = None,
    seed: int = 0,
    style: BlockStyle = "plain",
) -> Chain:
    """A knight's tour of a box of any size as a chain of blocks, with the arguments of `construct`.

    The board is a whole box of any dimension or a surface, with any number of cells.

    Raises:
        NoTemplateError: there is no template for this board.
        CavalcadeError: an unknown style.
    """
    if style not in STYLES:
        raise CavalcadeError(f"unknown style {style!r}, expected {' or '.join(STYLES)}")
    if board.mask is not None:
        raise NoTemplateError("it is not a whole box")
    if closed and math.prod(board.shape) % 2 and max(board.shape) > 1:
        raise NoTemplateError("closed tours from blocks need an even number of cells")
    if not has_blocks(sorted(side for side in board.shape if side > 1), closed=closed):
        raise NoTemplateError("the sides are too short for blocks")
    return _Planner(board.shape, closed, start, seed, random=style == "random").chain()


def has_blocks(sides: Sequence[int], *, closed: bool) -> bool:
    """Whether a box is built from blocks. Its sides are in ascending order, without sides of length 1.

    These are the boxes that have tours: Schwenk (1991) and Chia & Ong (2005) for rectangles, Erde, Golénia &
    Golénia (2012) for boxes, `docs/proofs/open-boxes.md` for their open tours.
    """
    if not sides:
        return True
    if closed and math.prod(sides) % 2:
        return False
    if len(sides) == 2:
        m, n = sides
        return m > 4 or (m == 3 and (n > 9 if closed else n == 4 or n > 6)) or (m == 4 < n and not closed)
    return len(sides) > 2 and sides[-2] > 2 and sides[-1] > 3


@dataclass
class _Planner:
    """Makes the chain of a board.

    Args:
        shape: sides of the board.
        closed: whether the tour is closed.
        start: place where the tour begins; None for any.
        seed: seed of the random choices.
        random: whether the style is `random`.
    """

    shape: Shape
    closed: bool
    start: Shape | None
    seed: int
    random: bool

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(abs(self.seed))
        self.steps: dict[tuple[Entry, Block, Shape], list[tuple[int, Entry]]] = {}
        self.sides = sorted(side for side in self.shape if side > 1)
        self.turned = bool(self.sides) and has_blocks(self.sides, closed=True)
        self.strip = self.sides[0] if len(self.sides) == 2 and self.sides[0] < 5 else 0
        self.threads = HALVES if self.strip == 4 else ("",)

    def chain(self) -> Chain:
        """The chain for the first way to cut the board that works."""
        if self.start is not None and not self.turned:
            self.assert_start(self.start)
        reason = NoTemplateError("its sides cannot be cut so that the first block contains the start")
        for parts, index in islice(self.cut(), TRIES):
            try:
                return self.joined(parts, index)
            except NoTemplateError as error:
                reason = error
        raise reason

    def assert_start(self, start: Shape) -> None:
        """Raise NoTemplateError if there is no open tour from a start."""
        if math.prod(self.shape) % 2 and sum(start) % 2:
            raise NoTemplateError("a tour of an odd board begins on the colour of the corners")
        if self.strip == 4 and start[self.shape.index(4)] in {1, 2}:
            raise NoTemplateError("a tour of 4 x n begins on an outer square")

    def cut(self) -> Iterator[tuple[tuple[tuple[int, ...], ...], Shape]]:
        """Ways to cut the sides, and the index of the root."""
        choices = [list(self.cut_side(i)) for i in range(len(self.shape))]
        for choice in product(*choices):
            yield tuple(tuple(parts) for parts, _ in choice), tuple(root for _, root in choice)

    def cut_side(self, axis: int) -> Iterator[tuple[list[int], int]]:
        """Ways to cut one side, and the index of the part of the root."""
        side, start = self.shape[axis], None if self.start is None else self.start[axis]
        dimensions = len(self.sides)
        width = STRIP[self.strip] if self.strip else WIDTH.get(dimensions, 4)
        if side in {1, 2, 3, self.strip} or (self.strip == 3 and side < width):
            parts = [side]
        elif self.turned or (side % 2 == 0 and self.strip != 4):
            parts = evens(side, width)
        else:
            first, by = 7 if self.strip == 3 else 5, 1 if self.strip == 4 else 2
            least = {3: 8, 4: 5}.get(self.strip, 6 if dimensions == 2 else 4)
            yield from around(side, width, least, range(first, first + 2 * width, by), start)
            return
        yield parts, 0 if start is None else int(np.searchsorted(np.cumsum(parts), start, side="right"))

    def joined(self, parts: tuple[tuple[int, ...], ...], index: Shape) -> Chain:
        """The chain of the board, cut into these parts, with the root at this index."""
        self.numbers: dict[tuple[Entry, int], int] = {}  # indices of roles
        # Index of each line, and entry of the block after it, by everything that determines the line.
        self.line_of: dict[tuple[object, ...], list[tuple[int, Entry | None]]] = {}
        self.lines: list[Line] = []
        self.placed: list[tuple[int, Shape]] = []  # lines on the board: index in `lines`, and origin
        self.drawn = 0  # blocks in lines so far
        last = len(self.shape) - 1
        longest = max(range(last, -1, -1), key=lambda i: len(parts[i]))
        grid = self.grid = Grid(parts, last if len(parts[last]) >= LONG_ROW else longest)
        assert_room(600 * (grid.size // grid.row), "the plan of the tour")  # 600 bytes per line
        root = int(grid.position(np.array([index]))[0])
        branches = [(d, part) for d in (1, -1) if 0 <= root + d < grid.size for part in self.threads]
        cells, exits = self.root(root, branches)
        # The root has one role for each chain that leaves it, and at least one.
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
            branch = range(begin, len(self.placed))
            ways += [*(2 * line for line in branch), *(2 * line + 1 for line in reversed(branch))]
            ways += [2 * i + 1] if i == 0 else [2 * i, 2 * i + 1]
            places.append((branches[which][0], begin))
        ways += [] if exits else [1]
        finder = partial(grid.find, root, max(1, len(exits)), places)
        line, origins = (np.array(column) for column in zip(*self.placed, strict=True))
        return Chain(self.shape, self.closed, self.roles, self.lines, line, origins, np.array(ways), finder)

    def root(self, root: int, branches: list[tuple[int, str]]) -> tuple[Cells, list[tuple[int, int, Entry]]]:
        """The tour of the root; for each chain that leaves it, its edge, its branch and the next entry."""
        index = self.grid.index(root)
        block, origin = self.block(index, ""), self.grid.origin(index)
        start = None if self.start is None else tuple(a - b for a, b in zip(self.start, origin, strict=True))
        following = [self.grid.index(root + direction) for direction, _ in branches]
        for kind in self.kinds(block):
            tour = path(kind, start, closed=self.turned)
            exits: list[tuple[int, int, Entry]] = []
            for which, ((_, part), after) in enumerate(zip(branches, following, strict=True)):
                offset = tuple(b - a for a, b in zip(origin, self.grid.origin(after), strict=True))
                used = {len(tour) - 1, *(u for u, _, _ in exits)}
                options = [
                    (pair.u, which, pair.entry(1, kind))
                    for kind in self.kinds(self.block(after, part))[:VARIETY]
                    for pair in joins(tour, cycle(kind), offset)
                    if pair.u not in used
                ]
                if not options:
                    break
                exits.append(options[self.draw(len(options))])
            if len(exits) == len(branches):
                return tour.cells, sorted(exits)
        sides = "x".join(map(str, block.shape))
        raise NoTemplateError(f"the first block, {sides}, does not join the next ones")

    def block(self, index: Shape, part: str) -> Block:
        """A block of the grid and the kind of tour that it needs."""
        if self.strip == 3:
            i = index[self.grid.axis]
            part = "<" * (i > 0) + ">" * (i < self.grid.row - 1)
        return Block(self.grid.shape(index), part)

    def branch(self, root: int, direction: int, state: Entry) -> None:
        """Place the lines of the chain that leaves the root in one direction."""
        grid = self.grid
        position, k = root + direction, grid.row
        entry: Entry | None = state
        while entry is not None:
            assert_time("the time limit is reached while the tour is planned")
            row = position // k
            end = row * k + (k - 1 if direction == 1 else 0)
            index, last = grid.index(position), grid.index(end)
            after = grid.index(end + direction) if 0 <= end + direction < grid.size else None
            kind, entry = self.line(index, last, after, entry)
            origin = list(grid.origin(index))
            origin[grid.axis] = 0
            self.placed.append((kind, tuple(origin)))
            position = end + direction

    def line(self, index: Shape, last: Shape, after: Shape | None, state: Entry) -> tuple[int, Entry | None]:
        """The index of the line from one block to another, and the entry of the block after it."""
        grid, axis, thread = self.grid, self.grid.axis, state.kind.part
        turn: tuple[Block, Shape] | None = None
        if after is not None:
            corners = zip(grid.origin(last), grid.origin(after), strict=True)
            turn = self.block(after, thread), tuple(b - a for a, b in corners)
        key = (grid.shape(index), index[axis], last[axis], turn, state)
        lines = self.line_of.setdefault(key, [])
        if lines and (not self.random or self.drawn >= MOST_RANDOM):
            return lines[self.draw(len(lines))]
        way = 1 if last[axis] >= index[axis] else -1
        columns = range(index[axis], last[axis] + way, way)
        cuts = grid.cuts[axis].tolist()
        blocks: dict[tuple[int, bool, bool], Block] = {}
        offsets: dict[int, Shape] = {}
        roles = []
        entry: Entry | None = None
        for column in columns[1:]:
            position = grid.parts[axis][column], column > 0, column < grid.row - 1
            if position not in blocks:
                blocks[position] = self.block((*index[:axis], column, *index[axis + 1 :]), thread)
            distance = cuts[column] - cuts[column - way]
            if distance not in offsets:
                offsets[distance] = tuple(distance * (i == axis) for i in range(len(index)))
            role, state = self.step(state, blocks[position], offsets[distance])
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
        lines.append((len(self.lines) - 1, entry))
        return lines[-1]

    def step(self, state: Entry, block: Block, offset: Shape) -> tuple[int, Entry]:
        """The role of a block entered like this, given the next block and its offset; and the next entry."""
        options = self.steps.get((state, block, offset))
        if options is None:
            options = self.steps[state, block, offset] = self.options(state, block, offset)
        out, entry = options[self.draw(len(options)) if self.random else 0]
        return self.role(state, out), entry

    def options(self, state: Entry, block: Block, offset: Shape) -> list[tuple[int, Entry]]:
        """The joins with the next block: number of cells on the way out, and the next entry.

        In the plain style only the first one.
        """
        size = len(cycle(state.kind))
        options: list[tuple[int, Entry]] = []
        for i, kind in enumerate(self.kinds(block)):
            if options and (not self.random or i >= VARIETY):
                break
            for pair in block_joins(state.kind, kind, offset):
                if pair.u != state.edge:
                    last = pair.u if state.way == 1 else (pair.u + 1) % size
                    out = (last - state.cell) * state.way % size + 1
                    options.append((out, pair.entry(state.way, kind)))
                    if not self.random:
                        break
        if not options:
            a, b = ("x".join(map(str, sides)) for sides in (state.kind.shape, block.shape))
            raise NoTemplateError(f"blocks {a} and {b} do not join")
        return options

    def kinds(self, block: Block) -> list[Block]:
        """The tours to try for a block."""
        return [block._replace(seed=self.seed * TRIES + number) for number in range(TRIES)]

    def role(self, state: Entry, out: int) -> int:
        """The index of the role of a block entered like this, with `out` cells on the way out."""
        number = self.numbers.setdefault((state, out), len(self.roles))
        if number == len(self.roles):
            cells = cycle(state.kind).cells
            self.roles.append(Role(cells[(state.cell + state.way * np.arange(len(cells))) % len(cells)], out))
        return number

    def draw(self, count: int) -> int:
        """A random index below `count`; 0 in the plain style."""
        return int(self.rng.integers(count)) if self.random else 0
