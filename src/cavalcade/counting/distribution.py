"""How many tours use exactly k moves of a kind, for every k: a frontier search that carries polynomials.

Give every move of the kind the weight x. A state then has a polynomial in place of its count: the coefficient
of x^k is the number of ways to it with k moves of the kind. No state is added, and every step from state to
state adds one polynomial to another, shifted by the moves of the kind that it makes. Coefficients are machine
words, modulo 2^64: exact, as none is larger than the number of all tours, which is counted beside.

The search makes the states of a stage first. Then its *links*, which state comes of which by which edges, are
written down once, and all kinds of moves follow them.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple, Unpack

import numpy as np

from cavalcade.answers.counts import Distribution
from cavalcade.counting.cycles import Progress
from cavalcade.counting.frontier import FrontierSearch
from cavalcade.counting.kinds import alike, kinds_of
from cavalcade.counting.limited import in_time, limited
from cavalcade.counting.order import frontier_widths, narrow_order
from cavalcade.counting.states import Scratch, WordLayout, column, given, new_scratch, pack, two_words, unpack
from cavalcade.counting.tables import Columns, assert_narrow, slot
from cavalcade.counting.total import conventions_of
from cavalcade.counting.transition import (
    Geometry,
    Successors,
    expand,
    neighbours,
    new_successors,
    stages,
)
from cavalcade.ground.budget import machine_memory
from cavalcade.ground.errors import CavalcadeError, TooLargeError
from cavalcade.ground.kernels import Kernel
from cavalcade.ground.threads import cores, spread
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cavalcade.counting.kinds import Edge
    from cavalcade.counting.tables import Table
    from cavalcade.counting.transition import Stage
    from cavalcade.ground.kernels import Tier, Vector
    from cavalcade.question.constraints import Constraints
    from cavalcade.question.graph import BoardLike
    from cavalcade.question.pieces import PieceLike

SHARE_FROM = 1 << 14  # states from which the work is shared out among the cores
BLOCK = 1 << 16  # links that are written down at a time
WORD = 1 << 64


class StateLinks(NamedTuple):
    """Which states come of which: their places in the old and the new layer, and v's new edges, or -1."""

    source: Vector
    target: Vector
    one: Vector
    two: Vector


class Polynomials(NamedTuple):
    """A polynomial for each state.

    Args:
        lowest: of each the lowest power of x.
        start: of each where its coefficients start, from that of the lowest power up to that of the highest;
            and where they end.
        coefficients: those of all, modulo 2**64.
    """

    lowest: Vector
    start: Vector
    coefficients: Vector


def _link(
    first: int,
    until: int,
    layer: Columns,
    geometry: Geometry,
    layout: WordLayout,
    scratch: Scratch,
    found: Successors,
    new: Columns,
    number: Vector,
    target: Vector,
) -> tuple[int, int]:
    """What comes of the states from `first` on, as long as there is room: where it stopped, and how many."""
    at, count = expand(
        first, until, layer.low, layer.high, geometry, layout, None, scratch, found, len(found.low)
    )
    mask = len(new.low) - 1
    two_keys = len(new.high) > 0
    for i in range(count):
        low, high = found.low[i], found.high[i]
        s = slot(low, high, mask)
        while new.low[s] != low or (two_keys and new.high[s] != high):
            s = (s + 1) & mask
        target[i] = number[s]
    return at, count


def _span(links: StateLinks, weight: Vector, old: Polynomials, lowest: Vector, highest: Vector) -> None:
    """Widen the powers of every new state. `weight[i + 1]` is that of the edge to place i."""
    for i in range(len(links.source)):
        s, t = links.source[i], links.target[i]
        more = old.lowest[s] + weight[links.one[i] + 1] + weight[links.two[i] + 1]
        lowest[t] = min(lowest[t], more)
        highest[t] = max(highest[t], more + old.start[s + 1] - old.start[s] - 1)


def _add_up(
    links: StateLinks, weight: Vector, old: Polynomials, new: Polynomials, first: int, until: int
) -> None:
    """Add along the links to the new states from `first` up to `until`."""
    for i in range(len(links.source)):
        t = links.target[i]
        if t < first or t >= until:
            continue
        s = links.source[i]
        more = weight[links.one[i] + 1] + weight[links.two[i] + 1]
        b = new.start[t] + old.lowest[s] + more - new.lowest[t]
        for a in range(old.start[s], old.start[s + 1]):
            new.coefficients[b] += old.coefficients[a]
            b += 1


link_kernel = Kernel(_link, uses=[slot, unpack, pack, expand])
span_kernel = Kernel(_span)
add_up_kernel = Kernel(_add_up)


def distribution(
    board: BoardLike | Question,
    by: str = "slope",
    *,
    piece: PieceLike | None = None,
    open: bool = False,  # noqa: A002 - the field's word, and the command line's
    start: int | str | None = None,
    end: int | str | None = None,
    directed: bool = False,
    memory: int | None = None,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    **constraints: Unpack[Constraints],
) -> Distribution:
    """For each kind of moves how many tours use exactly k of them, for every k, exact.

    Args:
        board: a board, its spec, or a whole `Question`. A plain graph has no kinds of moves.
        by: `slope`, the slope of a move, ranks to files; `class`, its class under the symmetries of the
            board; `files`, the number of files that it goes.
        piece: a piece or its spec; by default the knight.
        open: open tours instead of closed ones.
        start: where open tours begin.
        end: where open tours end.
        directed: count both directions.
        memory: bytes the tables may take; by default half of the machine's memory.
        time_limit: seconds; by default none.
        progress: called after every cell.
        constraints: see `cavalcade.question.constraints`; no steps, no symmetry.

    Raises:
        CavalcadeError: as `count`, an unknown statistic, or one that says nothing about the board.
        TooLargeError: as `count`, or 2**64 tours or more.

    Kinds that a symmetry of the board maps to one another have the same numbers and are counted once. All
    others are counted together; or, if there is not memory enough, in two parts, and so on. Time: by slope
    6x6 takes 0.3 s, 6x8 5 s, 7x8 two minutes; see docs/counts.md.
    """
    began = time.perf_counter()
    memory = machine_memory() // 2 if memory is None else memory
    question = Question.of(board, piece=piece, open=open, start=start, end=end, **constraints)
    if question.stepwise or question.symmetry:
        raise CavalcadeError(
            f"there is no distribution of tours{question.constraints}: the states of the search know neither "
            "steps nor symmetries; list and measure them instead"
        )
    with limited(time_limit):
        kinds = kinds_of(question, by)
        first = alike(question, kinds)
        apart = list(dict.fromkeys(first.values()))
        search = _WeightedSearch(question, memory, progress)
        found = dict(
            zip(apart, search.tours([edges_of(question, kinds[name]) for name in apart]), strict=True)
        )
    times, conventions = conventions_of(question, directed=directed)
    moves = question.board.size - (0 if question.closed and question.board.size > 1 else 1)
    tours = {
        name: tuple(times * found[other].get(k, 0) for k in range(moves + 1)) for name, other in first.items()
    }
    seconds = time.perf_counter() - began
    return Distribution(
        by, tours, times * search.total, conventions, search.peak_states, search.peak_bytes, seconds
    )


def tours_by_moves(
    question: Question, kinds: Sequence[frozenset[Edge]], *, memory: int = 4 << 30
) -> list[dict[int, int]]:
    """For each set of moves the numbers of undirected tours by how many of these they use, zeros left out.

    Raises:
        TooLargeError: as `distribution`.
    """
    return _WeightedSearch(question, memory, None).tours([edges_of(question, kind) for kind in kinds])


def edges_of(question: Question, moves: frozenset[Edge]) -> frozenset[Edge]:
    """The edges of `question.as_cycle` that stand for some moves."""
    return frozenset(question.encoding.edge(a, b) for a, b in moves)


class _WeightedSearch:
    """A frontier search with polynomials."""

    def __init__(self, question: Question, memory: int, progress: Callable[[Progress], None] | None) -> None:
        self.memory, self.progress = memory, progress
        self.total, self.peak_states, self.peak_bytes = 1, 1, 0
        self.steps: list[Stage] = []
        if question.board.size > 1:
            graph = question.as_cycle
            order = narrow_order(graph, question.apex)
            assert_narrow(1 + max(frontier_widths(graph, order), default=0))
            self.steps = stages(neighbours(graph), order)

    def tours(self, kinds: Sequence[frozenset[Edge]]) -> list[dict[int, int]]:
        """For each kind the numbers of tours by their moves of the kind, zeros left out.

        Raises:
            TooLargeError: there is not enough memory for a single kind.
        """
        if not self.steps:
            return [{0: 1} for _ in kinds]
        try:
            return self._together(kinds)
        except TooLargeError:
            if len(kinds) < 2:
                raise
        half = len(kinds) // 2
        return self.tours(kinds[:half]) + self.tours(kinds[half:])

    def _together(self, kinds: Sequence[frozenset[Edge]]) -> list[dict[int, int]]:
        began = time.perf_counter()
        search = FrontierSearch(self.steps, memory=self.memory)
        search.table = search.table.compact()
        tier = search.table.tier
        one = Polynomials(tier.full(1), given(tier, [0, 1]), given(tier, [1]))
        rows = [one for _ in kinds]
        for number, stage in enumerate(self.steps, 1):
            old = search.table = search.table.ready(None)
            rows = [_ready(row, old.tier) for row in rows]
            search.held = sum(map(_bytes, rows))
            search.take()
            self.peak_bytes = max(self.peak_bytes, search.peak_bytes)
            rows = self._step(stage, old, search.table, kinds, rows)
            search.table = search.table.compact()
            self.peak_states = max(self.peak_states, search.peak_states)
            if self.progress:
                states, size = search.table.states, search.table.bytes + sum(map(_bytes, rows))
                seconds = time.perf_counter() - began
                self.progress(Progress(number, len(self.steps), states, size, self.peak_states, seconds))
        self.total = search.cycles
        if self.total >= WORD:
            raise TooLargeError("there are 2**64 tours or more, too many for their distribution")
        return [_read(row) if self.total else {} for row in rows]

    def _step(
        self, stage: Stage, old: Table, new: Table, kinds: Sequence[frozenset[Edge]], rows: list[Polynomials]
    ) -> list[Polynomials]:
        """The polynomials after a stage; those before it are used up, one kind after the other."""
        tier, at = old.tier, stage.vertex
        held = old.bytes + new.bytes + sum(map(_bytes, rows))
        links = self._links(stage, old, new, held)
        held += sum(map(_bytes, links))
        shares = cores() if tier.compiled and new.states >= SHARE_FROM else 1
        bounds = [new.states * i // shares for i in range(shares + 1)]
        after: list[Polynomials] = []
        for edges in kinds:
            row = rows.pop(0)
            weight = given(tier, [0, *(int((min(at, w), max(at, w)) in edges) for w in stage.everyone)])
            lowest, highest = tier.full(new.states, 1 << 30), tier.full(new.states, -1)
            for some in links:
                tier(span_kernel)(some, weight, row, lowest, highest)
            start = np.zeros(new.states + 1, dtype=np.int64)
            np.cumsum(np.asarray(highest) - np.asarray(lowest) + 1, out=start[1:])
            size = int(start[-1])
            held += 8 * size + 12 * new.states
            self._assert_room(held, stage)
            made = Polynomials(lowest, tier.vector(start), column(tier, size))

            def add(
                i: int, made: Polynomials = made, row: Polynomials = row, weight: Vector = weight
            ) -> None:
                for some in links:
                    tier(add_up_kernel)(some, weight, row, made, bounds[i], bounds[i + 1])

            spread(add, range(shares), threads=shares, progress=in_time)
            after.append(made)
            held -= _bytes(row)
        return after

    def _links(self, stage: Stage, old: Table, new: Table, held: int) -> list[StateLinks]:
        """The links of a stage; `held` bytes are in use besides."""
        tier, most = old.tier, stage.geometry.most
        number = tier.vector((np.cumsum(np.asarray(new.columns.low) >= 0) - 1).astype(np.int32))
        shape, layout, kernel = stage.given(tier), two_words(tier), tier(link_kernel)
        shares = cores() if tier.compiled and old.states >= SHARE_FROM else 1
        bounds = [old.states * i // shares for i in range(shares + 1)]

        def link(i: int) -> list[StateLinks]:
            room = max(most, min(BLOCK, most * old.states))
            scratch, found, target = new_scratch(tier), new_successors(tier, room), tier.full(room)
            at, some = bounds[i], []
            while at < bounds[i + 1]:
                at, count = kernel(
                    at, bounds[i + 1], old.columns, shape, layout, scratch, found, new.columns, number, target
                )
                some.append(_kept(found, target, count))
                self._assert_room(held + 4 * new.places + shares * sum(map(_bytes, some)), stage)
            return some

        return [one for some in spread(link, range(shares), threads=shares, progress=in_time) for one in some]

    def _assert_room(self, needed: int, stage: Stage) -> None:
        if needed > self.memory:
            done = next(i for i, one in enumerate(self.steps) if one is stage)
            raise TooLargeError(
                f"after {done:,} of {len(self.steps):,} vertices the polynomials need more than "
                f"{self.memory / 2**20:,.0f} MiB, and more to come"
            )
        self.peak_bytes = max(self.peak_bytes, needed)


def _kept(found: Successors, target: Vector, count: int) -> StateLinks:
    """A copy of the links that were found, as narrow as they can be."""
    if isinstance(target, list):
        return StateLinks(found.source[:count], target[:count], found.one[:count], found.two[:count])
    source, one, two = (np.asarray(some[:count]) for some in (found.source, found.one, found.two))
    return StateLinks(
        source.astype(np.int32), target[:count].copy(), one.astype(np.int8), two.astype(np.int8)
    )


def _ready(row: Polynomials, tier: Tier) -> Polynomials:
    """The same for the kernels of this tier."""
    if not tier.compiled or not isinstance(row.lowest, list):
        return row
    return Polynomials(
        np.array(row.lowest, dtype=np.int32), given(tier, row.start), given(tier, row.coefficients)
    )


def _bytes(some: Polynomials | StateLinks) -> int:
    """What they take."""
    return sum(8 * len(one) if isinstance(one, list) else one.nbytes for one in some)


def _read(row: Polynomials) -> dict[int, int]:
    """The polynomial of the only state, as its powers and coefficients."""
    return {
        int(row.lowest[0]) + k: int(number) % WORD for k, number in enumerate(row.coefficients) if int(number)
    }
