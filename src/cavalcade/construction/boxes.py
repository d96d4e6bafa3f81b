"""Tours of boxes of any dimension and size: blocks, joined to a chain.

The board is cut into a grid of blocks (`construction.grid`). The chain runs through it boustrophedon, and an
edge of each block's tour is joined with an edge of the next one's, near the border (`construction.blocks`).

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
`tests/test_tile.py` asks it for rectangles and boxes, `theorems.boxes` for boxes again.

Time: some milliseconds for each shape of block, and linear in the blocks of the lines that differ, and in the
lines. A step is looked up in logarithmic time (`chain.Chain`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise, product

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

STYLES = ("plain", "random")
WIDTH = {2: 8, 3: 6}  # of blocks, by dimensions; 4 from four dimensions on
STRIP = {3: 8, 4: 6}  # likewise, along the long side of a board of 3 or 4 rows
VARIETY = 4  # tours of a shape that the random style draws from
TRIES = 30  # tours of a shape, before it is taken to have no joins
CUTS = 50  # of a board, before it is given up
MOST_RANDOM = 2**19  # blocks in random lines; beyond, lines are drawn again, so a plan stays small
LONG_ROW = 8  # blocks in a row from which lines run along the last dimension: then memory is written in order
LINE_BYTES = 600  # of a plan, for each of its lines


def chain(
    board: Board,
    *,
    closed: bool = True,
    start: Shape | None = None,
    seed: int = 0,
    style: str = "plain",
) -> Chain:
    """A knight's tour of a box as a chain of blocks, however large the box; `construct` has the arguments.

    The board is a whole box of any dimension, or a surface; it may have more cells than can be numbered.

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
    """Whether there are blocks for tours of a box of these sides, in ascending order and without ones.

    They are the boxes that have tours: Schwenk (1991) and Chia & Ong (2005) for rectangles, and Erde, Golénia
    & Golénia (2012) for boxes; `docs/open-boxes.md` for their open tours.
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
    """A board on the way to its chain."""

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
        """The chain, with the first cut of the board that works."""
        if self.start is not None and not self.turned:
            self.assert_start(self.start)
        question = NoTemplateError("its sides cannot be cut so that the first block holds the start")
        for parts, index in islice(self.cut(), CUTS):
            try:
                return self.joined(parts, index)
            except NoTemplateError as error:
                question = error
        raise question

    def assert_start(self, start: Shape) -> None:
        """Refuse a start from which there is no open tour."""
        if math.prod(self.shape) % 2 and sum(start) % 2:
            raise NoTemplateError("a tour of an odd board begins on the colour of the corners")
        if self.strip == 4 and start[self.shape.index(4)] in {1, 2}:
            raise NoTemplateError("a tour of 4 x n begins on an outer square")

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
        self.numbers: dict[tuple[Entry, int], int] = {}  # of roles
        self.known: dict[
            tuple[object, ...], list[tuple[int, Entry | None]]
        ] = {}  # lines, by what they are like
        self.lines: list[Line] = []
        self.placed: list[tuple[int, Shape]] = []  # each line's kind and origin
        self.drawn = 0  # blocks in lines
        last = len(self.shape) - 1
        longest = max(range(last, -1, -1), key=lambda i: len(parts[i]))
        grid = self.grid = Grid(parts, last if len(parts[last]) >= LONG_ROW else longest)
        assert_room(LINE_BYTES * (grid.size // grid.row), "the plan of the tour")
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
        finder = partial(grid.find, root, max(1, len(exits)), places)
        line, origins = (np.array(one) for one in zip(*self.placed, strict=True))
        return Chain(self.shape, self.closed, self.roles, self.lines, line, origins, np.array(ways), finder)

    def root(self, root: int, branches: list[tuple[int, str]]) -> tuple[Cells, list[tuple[int, int, Entry]]]:
        """The root's tour; for each chain that leaves it, in order, the edge, which one, and the entry."""
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
        raise NoTemplateError(f"the first block, {sides}, does not join the next ones")

    def block(self, index: Shape, part: str) -> Block:
        """The requirements on a tour of a block of the grid."""
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
        """The number of the line through these blocks, and how the block after it is entered."""
        grid, axis, thread = self.grid, self.grid.axis, state.kind.part
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
        entry: Entry | None = None
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

    def step(self, state: Entry, block: Block, offset: Shape) -> tuple[int, Entry]:
        """The role of a block so entered, the next one being this and there; and how that is entered."""
        options = self.steps.get((state, block, offset))
        if options is None:
            options = self.steps[state, block, offset] = self.options(state, block, offset)
        out, entry = options[self.draw(len(options)) if self.random else 0]
        return self.role(state, out), entry

    def options(self, state: Entry, block: Block, offset: Shape) -> list[tuple[int, Entry]]:
        """All ways to go on, or just one in the plain style: cells on the way out, and the next entry."""
        many = len(cycle(state.kind))
        found: list[tuple[int, Entry]] = []
        for i, kind in enumerate(self.kinds(block)):
            if found and (not self.random or i >= VARIETY):
                break
            for one in block_joins(state.kind, kind, offset):
                if one.u != state.edge:
                    last = one.u if state.way == 1 else (one.u + 1) % many
                    out = (last - state.cell) * state.way % many + 1
                    found.append((out, one.entry(state.way, kind)))
                    if not self.random:
                        break
        if not found:
            a, b = ("x".join(map(str, sides)) for sides in (state.kind.shape, block.shape))
            raise NoTemplateError(f"blocks {a} and {b} do not join")
        return found

    def kinds(self, block: Block) -> list[Block]:
        """The tours of a block that may be used."""
        return [block._replace(seed=self.seed * TRIES + number) for number in range(TRIES)]

    def role(self, state: Entry, out: int) -> int:
        """The number of the role of a block so entered, so many cells on the way out."""
        number = self.numbers.setdefault((state, out), len(self.roles))
        if number == len(self.roles):
            cells = cycle(state.kind).cells
            self.roles.append(Role(cells[(state.cell + state.way * np.arange(len(cells))) % len(cells)], out))
        return number

    def draw(self, many: int) -> int:
        """A random choice; the first in the plain style."""
        return int(self.rng.integers(many)) if self.random else 0
