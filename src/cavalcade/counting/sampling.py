"""Tours drawn at random, each with exactly the same chance: a sweep forward, then its layers backward.

A *layer* is the table after a round: its states, and for each in how many ways it is reached. To draw a
tour, draw a number below the count. The state after the last round stands for all tours; the states before
it share them in the order of their words, each taking as many numbers as it has ways, and one of them gets
the number drawn. What is left of it is a number below that state's ways, and so on, back to the first
round. Numbers and tours correspond one to one. All are integers; nothing is rounded.

Layers are gone through once for many tours, so that the second tour costs next to nothing.
"""

from __future__ import annotations

import random
import time
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.counting.frontier import Progress
from cavalcade.counting.tables import LIMB, PLACES, Table, add, assert_narrow, slot
from cavalcade.counting.transitions import Question, _expand, packed_layout
from cavalcade.errors import TooLargeError
from cavalcade.kernels import Kernel, Tier
from cavalcade.pieces import KNIGHT, Piece

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cavalcade.answers.tours import Tour
    from cavalcade.boards import Board
    from cavalcade.counting.transitions import Moves, Round, Shape
    from cavalcade.graph import MoveGraph
    from cavalcade.kernels import Vector

FULLEST = 0.6  # of a hash table
COMPILE_FROM = 2_000  # states in a layer: interpreted, each takes about 30 µs
LINKS = 1 << 16  # numbers the kernel tells at a time
AT_ONCE = 10_000  # tours whose way back is looked for together
MOST_WAYS = 1 << 120  # what two words hold


def _spread(
    first: int,
    low: Vector,
    high: Vector,
    ways_low: Vector,
    ways_high: Vector,
    shape: Shape,
    layout: Shape,
    scratch: Shape,
    found: Vector,
    new_low: Vector,
    new_high: Vector,
    new_ways_low: Vector,
    new_ways_high: Vector,
    told: Vector,
    room: int,
) -> int:
    """Add to a table what comes of the states of a layer, from `first` on; returns where it stopped.

    `told` gets the number of new states, and what went wrong: 1 too many paths, 2 a number of ways that
    one word does not hold.
    """
    fresh = 0
    for s in range(first, len(low)):
        told[0] = fresh
        if fresh >= room:
            return s
        states = _expand(low[s], high[s] if len(high) > 0 else 0, shape, layout, scratch, found)
        if states < 0:
            told[1] = 1
            return s
        for i in range(0, 4 * states, 4):
            new = add(
                found[i], found[i + 1], ways_low[s], ways_high[s] if len(ways_high) > 0 else 0,
                new_low, new_high, new_ways_low, new_ways_high,
            )  # fmt: skip
            if new < 0:
                told[1] = 2
                return s
            fresh += new
    told[0] = fresh
    return len(low)


def _sources(
    first: int,
    low: Vector,
    high: Vector,
    shape: Shape,
    layout: Shape,
    scratch: Shape,
    found: Vector,
    wanted_low: Vector,
    wanted_high: Vector,
    wanted_number: Vector,
    links: Vector,
    told: Vector,
) -> int:
    """From which states of a layer, from `first` on, those in a table come; returns where it stopped.

    `links` gets, and told[0] counts, quadruples: the state's place in the layer, the wanted one's number,
    and the places where v's moves go.
    """
    count = 0
    mask = len(wanted_low) - 1
    for s in range(first, len(low)):
        told[0] = count
        if 4 * count + len(found) > len(links):
            return s
        states = _expand(low[s], high[s] if len(high) > 0 else 0, shape, layout, scratch, found)
        for i in range(0, 4 * states, 4):
            t = slot(found[i], found[i + 1], mask)
            while wanted_low[t] >= 0:
                if wanted_low[t] == found[i] and (len(wanted_high) == 0 or wanted_high[t] == found[i + 1]):
                    links[4 * count] = s
                    links[4 * count + 1] = wanted_number[t]
                    links[4 * count + 2] = found[i + 2]
                    links[4 * count + 3] = found[i + 3]
                    count += 1
                    break
                t = (t + 1) & mask
    told[0] = count
    return len(low)


spread_kernel = Kernel(_spread, uses=[slot, add, _expand])
sources_kernel = Kernel(_sources, uses=[slot, _expand])


def sample(
    board: Board | MoveGraph | str,
    n: int = 1,
    *,
    seed: int = 0,
    piece: Piece | str = KNIGHT,
    open: bool = False,  # noqa: A002 - the field's word, and the command line's
    start: int | str | None = None,
    end: int | str | None = None,
    memory: int = 4 << 30,
    progress: Callable[[Progress], None] | None = None,
) -> list[Tour]:
    """Tours of a board drawn at random, independently, each with exactly the same chance.

    The same seed gives the same tours, and the first of many are those of few. A tour and its reverse are
    one; it is told as `list_tours` does. No tour of a board is drawn where it has none: the list is empty.

    Args:
        board: a board, its spec, or a move graph (which knows no piece).
        n: how many.
        seed: what the drawing begins with.
        piece: a piece or its spec.
        open: open tours instead of closed ones.
        start: where open tours begin.
        end: where open tours end.
        memory: bytes that layers and tables may take together.
        progress: called after every cell of the sweep forward.

    Raises:
        CavalcadeError: a spec or name that means nothing, or ends of closed tours.
        TooLargeError: the board is too wide, or the layers do not fit.

    Time: about that of two counts, see `counting.frontier.count_cycles`, plus 0.1 ms a tour. Memory: 16
    bytes a state of every layer, 8 more where the frontier is wider than 17, 8 more for each from 2**60 on.
    """
    asked = Question.of(board, piece, closed=not open, start=start, end=end)
    return [tour for some in draw(asked, n, seed=seed, memory=memory, progress=progress) for tour in some]


def draw(
    asked: Question,
    n: int,
    *,
    seed: int = 0,
    memory: int = 4 << 30,
    progress: Callable[[Progress], None] | None = None,
) -> Iterator[list[Tour]]:
    """As `sample`, some thousand at a time."""
    if asked.board.size == 1:
        yield [asked.only()] * n
        return
    layers = Layers(asked.rounds(), memory=memory, progress=progress)
    chance = random.Random(seed)  # noqa: S311 - games, not secrets
    while layers.total and n > 0:
        numbers = [chance.randrange(layers.total) for _ in range(min(n, AT_ONCE))]
        yield [asked.tour(moves) for moves in layers.find(numbers)]
        n -= len(numbers)


class Layers:
    """All layers of a sweep, and so all Hamiltonian cycles of its graph, numbered from 0.

    Args:
        sweep: the rounds.
        memory: bytes that layers and tables may take together.
        progress: called after every round.

    Raises:
        TooLargeError: the frontier is too wide, or more memory would be needed.
    """

    def __init__(
        self,
        sweep: Sequence[Round],
        *,
        memory: int = 4 << 30,
        progress: Callable[[Progress], None] | None = None,
    ) -> None:
        assert_narrow(max((one.width for one in sweep), default=0))
        self.sweep, self.layout = sweep, packed_layout()
        self.memory, self.bytes, self.peak_bytes = memory, 0, 0
        self.layers: list[list[Vector]] = [[[0], [], [1], []]]
        began = time.perf_counter()
        peak = 1
        for number, one in enumerate(sweep if len(sweep) > 2 else ()):
            self.layers.append(self._after(one))
            states = len(self.layers[-1][0])
            peak = max(peak, states)
            if progress:
                seconds = time.perf_counter() - began
                progress(Progress(number + 1, len(sweep), states, self.bytes, peak, seconds))
        low, _, ways, more = self.layers[-1]
        done = len(sweep) > 2 and len(low) == 1
        self.total = int(ways[0]) + (LIMB * int(more[0]) if len(more) else 0) if done else 0

    def _after(self, one: Round) -> list[Vector]:
        """The layer after the last one."""
        layer = self.layers[-1]
        states = len(layer[0])
        tier = Tier(0, compiled=not isinstance(layer[0], list) or states > COMPILE_FROM)
        layer = self.layers[-1] = _columns(tier, layer)
        if LIMB * float(np.sum(layer[3], dtype=np.float64)) > MOST_WAYS:  # a state may get them all
            raise TooLargeError("there are more than 2**120 tours: too many to number")
        given = one.given(tier, self.layout)
        table = self._table(tier, one, max(1 << 8, 1 << states.bit_length()), two_counts=len(layer[3]) > 0)
        at = 0
        while at < states:
            told = _columns(tier, [[0, 0]])[0]
            room = int(FULLEST * table.places) - table.states
            at = tier(spread_kernel)(at, *layer, *given, *table.columns, told, room)
            table.states += int(told[0])
            if told[1] == 1:
                raise TooLargeError("more than 14 paths cross the frontier at once: too many to handle")
            if told[1] == 2:  # the round again, with two words
                at, table = 0, self._table(tier, one, table.places, two_counts=True)
            elif at < states:
                self._hold(3 * table.bytes)
                table = table.copied(tier, 2 * table.places, two_counts=table.two_counts)
        new = table.compact()
        size = sum(8 * len(column) for column in new)
        self._hold(table.bytes + size)
        self.bytes += size
        return new

    def _table(self, tier: Tier, one: Round, places: int, *, two_counts: bool) -> Table:
        two_keys = one.width - 1 > PLACES
        self._hold(8 * places * (2 + two_keys + two_counts))
        return Table(tier, places, two_keys=two_keys, two_counts=two_counts)

    def _hold(self, more: int) -> None:
        """See whether there is room for so many bytes beside the layers."""
        if self.bytes + more > self.memory:
            states = sum(len(layer[0]) for layer in self.layers)
            raise TooLargeError(
                f"after {len(self.layers) - 1:,} of {len(self.sweep):,} vertices the layers need more than "
                f"{self.memory / 2**20:,.0f} MiB: {states:,} states, and more to come"
            )
        self.peak_bytes = max(self.peak_bytes, self.bytes + more)

    def find(self, numbers: Sequence[int]) -> list[Moves]:
        """The cycles of these numbers, each as every round's vertex and the two it moves to.

        Time: once through all layers, however many numbers there are, and some µs a number and round.
        """
        moves: list[Moves] = [[] for _ in numbers]
        rest = list(numbers)
        here = {(0, 0): list(range(len(rest)))}  # the tours whose way back has come to a state
        for number in range(len(self.sweep) - 1, -1, -1):
            one = self.sweep[number]
            before: dict[tuple[int, int], list[int]] = {}
            for tours, sources in zip(here.values(), self._sources(number, list(here)), strict=True):
                upto = list(accumulate(ways for *_, ways in sources))
                for tour in tours:
                    i = bisect_right(upto, rest[tour])
                    low, high, a, b, ways = sources[i]
                    rest[tour] -= upto[i] - ways
                    moves[tour].append((one.vertex, a, b))
                    before.setdefault((low, high), []).append(tour)
            here = before
        return moves

    def _sources(self, number: int, wanted: list[tuple[int, int]]) -> list[list[tuple[int, ...]]]:
        """For each of some states after a round those it comes from, sorted: words, moves and ways."""
        layer, one = self.layers[number], self.sweep[number]
        tier = Tier(0, compiled=not isinstance(layer[0], list))
        table = Table(tier, 2 << len(wanted).bit_length(), two_keys=one.width - 1 > PLACES, two_counts=False)
        for i, (low, high) in enumerate(wanted):
            table.put(low, high, i)
        given = one.given(tier, self.layout)
        links, told = _columns(tier, [[0] * max(LINKS, len(given[3])), [0]])
        names = [*one.everyone, -1]
        found: list[list[tuple[int, ...]]] = [[] for _ in wanted]
        at = 0
        while at < len(layer[0]):
            at = tier(sources_kernel)(at, *layer[:2], *given, *table.columns[:3], links, told)
            for i in range(0, 4 * int(told[0]), 4):
                s, state, a, b = map(int, links[i : i + 4])
                low, high, ways, more = (int(column[s]) if len(column) else 0 for column in layer)
                found[state].append((low, high, names[a], names[b], ways + LIMB * more))
        return [sorted(sources) for sources in found]


def _columns(tier: Tier, columns: Sequence[Vector]) -> list[Vector]:
    return [np.asarray(column, dtype=np.int64) if tier.compiled else column for column in columns]
