"""Tours drawn at random, each with exactly the same chance: a frontier search forward, its layers backward.

A *layer* is the table after a stage: its states, and for each in how many ways it is reached. To draw a
tour, draw a number below the count. The state after the last stage stands for all tours; the states before
it share them in the order of their words, each taking as many numbers as it has ways, and one of them gets
the number drawn. What is left of it is a number below that state's ways, and so on, back to the first
stage. Numbers and tours correspond one to one. All are integers; nothing is rounded.

The layers are read once for many tours, so that the second tour costs next to nothing.
"""

from __future__ import annotations

import random
import time
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Unpack

from cavalcade.counting.canonical import only_tour, question, stages_of, tour_of
from cavalcade.counting.cycles import Progress
from cavalcade.counting.frontier import FrontierSearch
from cavalcade.counting.states import (
    PLACES,
    Scratch,
    WordLayout,
    column,
    new_scratch,
    pack,
    two_words,
    unpack,
)
from cavalcade.counting.tables import LIMB, Columns, Table, assert_narrow, slot
from cavalcade.counting.transition import Geometry, Successors, expand, new_successors
from cavalcade.errors import CavalcadeError, TooLargeError
from cavalcade.kernels import Kernel
from cavalcade.memory import machine_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cavalcade.answers.tours import Tour
    from cavalcade.boards import Board
    from cavalcade.constraints import Constraints
    from cavalcade.counting.transition import Stage
    from cavalcade.graph import MoveGraph
    from cavalcade.kernels import Vector
    from cavalcade.pieces import Piece
    from cavalcade.problem import Problem

LINKS = 1 << 16  # states that are made at a time
AT_ONCE = 10_000  # tours whose way back is looked for together


def _sources(
    first: int,
    layer: Columns,
    geometry: Geometry,
    layout: WordLayout,
    scratch: Scratch,
    found: Successors,
    wanted: Columns,
    number: Vector,
) -> tuple[int, int]:
    """From which states of a layer, from `first` on, those in a table come, as many as are found at once.

    Returns where it stopped and how many there are. Those of `found` that are wanted come first, `number`
    says which of the wanted each is.
    """
    at, count = expand(
        first, len(layer.low), layer.low, layer.high, geometry, layout, None, scratch, found, len(found.low)
    )
    mask = len(wanted.low) - 1
    kept = 0
    for i in range(count):
        low, high = found.low[i], found.high[i]
        s = slot(low, high, mask)
        while wanted.low[s] >= 0:
            if wanted.low[s] == low and (len(wanted.high) == 0 or wanted.high[s] == high):
                number[kept] = wanted.count_low[s]
                found.source[kept] = found.source[i]
                found.one[kept] = found.one[i]
                found.two[kept] = found.two[i]
                kept += 1
                break
            s = (s + 1) & mask
    return at, kept


sources_kernel = Kernel(_sources, uses=[slot, unpack, pack, expand])


def sample(
    board: Board | MoveGraph | Problem | str,
    n: int = 1,
    *,
    piece: Piece | str | None = None,
    open: bool = False,  # noqa: A002 - the field's word, and the command line's
    start: int | str | None = None,
    end: int | str | None = None,
    seed: int = 0,
    memory: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    **constraints: Unpack[Constraints],
) -> list[Tour]:
    """Tours of a board drawn at random, independently, each with exactly the same chance.

    The same seed gives the same tours; a larger n begins with the same ones. A tour and its reverse are
    one, written as by `list_tours`. Where a board has no tour the list is empty.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Problem`.
        n: how many.
        piece: a piece or its spec; by default the knight.
        open: open tours instead of closed ones.
        start: where open tours begin.
        end: where open tours end.
        seed: of the random choices.
        memory: bytes that layers and tables may take together; half of what the machine has, if not given.
        progress: called after every cell of the search forward.
        constraints: what else is asked of the tours, see `cavalcade.constraints`; no steps, no symmetry.

    Raises:
        CavalcadeError: an invalid spec or name, or ends of closed tours.
        TooLargeError: the board is too wide, or the layers do not fit.

    Time: about that of two counts, see `counting.cycles.count_cycles`, plus 0.1 ms a tour. Memory: 16
    bytes a state of every layer, 8 more where the frontier is wider than 17, 8 more for each from 2**60 on.
    """
    memory = machine_memory() // 2 if memory is None else memory
    problem = question(board, piece=piece, open=open, start=start, end=end, **constraints)
    batches = draw(problem, n, seed=seed, memory=memory, progress=progress)
    return [tour for some in batches for tour in some]


def draw(
    problem: Problem,
    n: int,
    *,
    seed: int = 0,
    memory: int = 4 << 30,
    progress: Callable[[Progress], None] | None = None,
) -> Iterator[list[Tour]]:
    """As `sample`, a few thousand at a time."""
    if problem.steps or problem.symmetry:
        raise CavalcadeError(
            f"tours{problem.constraints} cannot be drawn at random: the states of the search know neither "
            "steps nor symmetries; list them instead"
        )
    if problem.board.size == 1:
        yield [only_tour(problem)] * n
        return
    layers = Layers(stages_of(problem), memory=memory, progress=progress)
    chance = random.Random(seed)  # noqa: S311 - games, not secrets
    while layers.total and n > 0:
        numbers = [chance.randrange(layers.total) for _ in range(min(n, AT_ONCE))]
        yield [tour_of(problem, moves) for moves in layers.find(numbers)]
        n -= len(numbers)


class Layers:
    """All layers of a frontier search, and so all Hamiltonian cycles of its graph, numbered from 0.

    Args:
        steps: all stages.
        memory: bytes that layers and tables may take together.
        progress: called after every stage.
        compiled: as in `count_cycles`.

    Raises:
        TooLargeError: the frontier is too wide, or more memory would be needed.
    """

    def __init__(
        self,
        steps: Sequence[Stage],
        *,
        memory: int = 4 << 30,
        progress: Callable[[Progress], None] | None = None,
        compiled: bool | None = None,
    ) -> None:
        assert_narrow(max((one.geometry.width for one in steps), default=0))
        self.stages = steps
        search = FrontierSearch(steps, memory=memory, compiled=compiled)
        self.layers = [search.table.compact()]
        began = time.perf_counter()
        for number in range(len(steps)):
            search.take()
            layer = search.table.compact()
            self.peak_bytes = max(search.peak_bytes, search.held + search.table.bytes + layer.bytes)
            if self.peak_bytes > memory:
                raise TooLargeError(
                    f"after {number + 1:,} of {len(steps):,} vertices the tables need more than "
                    f"{memory / 2**20:,.0f} MiB: {layer.states:,} states, and more to come"
                )
            search.peak_bytes = self.peak_bytes
            search.table = layer
            search.held += self.layers[-1].bytes
            self.layers.append(layer)
            if progress:
                seconds = time.perf_counter() - began
                in_use = search.held + layer.bytes
                progress(Progress(number + 1, len(steps), layer.states, in_use, search.peak_states, seconds))
        self.total = search.cycles

    def find(self, numbers: Sequence[int]) -> list[list[tuple[int, int, int]]]:
        """The cycles of these numbers, each as every stage's vertex and the two it moves to.

        Time: once through all layers, however many numbers there are, and some µs a number and stage.
        """
        moves: list[list[tuple[int, int, int]]] = [[] for _ in numbers]
        rest = list(numbers)
        here = {(0, 0): list(range(len(rest)))}  # the tours whose way back has come to a state
        for number in range(len(self.stages) - 1, -1, -1):
            vertex = self.stages[number].vertex
            before: dict[tuple[int, int], list[int]] = {}
            for tours, sources in zip(here.values(), self._sources(number, list(here)), strict=True):
                upto = list(accumulate(ways for *_, ways in sources))
                for tour in tours:
                    i = bisect_right(upto, rest[tour])
                    low, high, a, b, ways = sources[i]
                    rest[tour] -= upto[i] - ways
                    moves[tour].append((vertex, a, b))
                    before.setdefault((low, high), []).append(tour)
            here = before
        return moves

    def _sources(self, number: int, wanted: list[tuple[int, int]]) -> list[list[tuple[int, ...]]]:
        """For each of some states after a stage those it comes from, sorted: words, moves and ways."""
        layer, stage = self.layers[number], self.stages[number]
        tier, most = layer.tier, stage.geometry.most
        two_keys = stage.geometry.width - 1 > PLACES
        table = Table.empty(tier, 2 << len(wanted).bit_length(), two_keys=two_keys, two_counts=False)
        for i, (low, high) in enumerate(wanted):
            table.put(low, high, i)
        shape, layout, scratch = stage.given(tier), two_words(tier), new_scratch(tier)
        successors = new_successors(tier, max(min(LINKS, layer.states * most), most))
        numbers = column(tier, len(successors.low))
        names = [*stage.everyone, -1]
        found: list[list[tuple[int, ...]]] = [[] for _ in wanted]
        at = 0
        while at < layer.states:
            at, count = tier(sources_kernel)(
                at, layer.columns, shape, layout, scratch, successors, table.columns, numbers
            )
            for i in range(count):
                s, a, b = int(successors.source[i]), names[successors.one[i]], names[successors.two[i]]
                low, high, ways, more = (int(some[s]) if len(some) else 0 for some in layer.columns)
                found[int(numbers[i])].append((low, high, a, b, ways + LIMB * more))
        return [sorted(sources) for sources in found]
