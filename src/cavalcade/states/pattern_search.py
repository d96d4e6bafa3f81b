"""The driver of a search by degree patterns: stage after stage, on all cores, slice by slice.

A stage writes down its choices, sorts them by the pattern they lead to, and adds up (see `choices` and
`sums`). Where there are many, it does so for one range of new patterns after the other, so that choices take
little memory: the new table grows at its end, in its order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.ground.arrays import distinct
from cavalcade.ground.budget import assert_room, assert_time, memory_limit
from cavalcade.ground.kernels import Cells, Ints, Tier
from cavalcade.ground.threads import cores, spread
from cavalcade.states.choices import Choices, Degrees, choose
from cavalcade.states.encoding import assert_narrow
from cavalcade.states.growing import Growing, spilled
from cavalcade.states.patterns import WORD, Patterns, StateColumns, ends_of
from cavalcade.states.ranks import MATCHINGS, PLACES, Changes, number_of
from cavalcade.states.search import Progress
from cavalcade.states.sums import Grouped, Sums, Weighing, add_up
from cavalcade.states.transition import Geometry, Stage
from cavalcade.states.weights import Word, factors

COMPILE_FROM_STATES = 2000  # interpreted, a step takes about 10 µs a state
SHARE_FROM = 1 << 14  # patterns or states from which the work is shared out among the cores
SLICE = 1 << 20  # choices that are written down at a time, or fewer where memory is short
LEAST = 1 << 8  # but no fewer
TABLES = 0.75  # of the memory, for tables that are not on the disk
SAMPLE = 1 << 12  # patterns whose choices tell how many there are in all
CHUNK = 1 << 16  # choices that a core writes down at a time
CHOICE = 48  # bytes of a choice while it is sorted
BLOCK = 1 << 19  # states that a core adds up at a time
DENSE = number_of(16)  # numbers in the vector of all matchings
FEW = 1 << 12  # the vector is used if it has at most so many numbers for each state to add
EVERY = 1 << 62  # above all patterns
KINDS = np.int64, np.int32, np.int32, np.int16  # of the columns of choices
BYTES = 256 ** np.arange(1, 8)  # of a rank below these, one byte, two, and so on


class Sorted(NamedTuple):
    """Choices, sorted by the patterns that they lead to.

    Args:
        keys: the patterns, ascending.
        starts: offsets of the choices of each pattern, shape (patterns + 1,).
        source: index of the predecessor pattern, one per choice.
        code: encoded change of the matching, one per choice.
        edges: encoded edges, one per choice, see `choices.Choices`.
        states: number of states of the predecessor pattern, one per choice.
    """

    keys: Ints
    starts: Ints
    source: Cells
    code: Cells
    edges: NDArray[np.int16]
    states: Ints


class PatternSearch:
    """A search by degree patterns: the stages done, and the states on the frontier after them.

    Args:
        stages: the stages to come, all of a graph or the first; places that are on the frontier both before
            and after a stage keep their order.
        compiled: chooses the tier of the kernels; None begins interpreted, unless numba is loaded already,
            and changes when the table gets large.
        words: words that are added up instead of counts, see `weights`.
        held: bytes in use besides the tables.
        record: receives the steps and peaks of the search.
        on_step: called after every vertex, for instance to save the search.
        directory: for files of tables that memory cannot hold; None is the system's own.
    """

    def __init__(
        self,
        stages: Sequence[Stage],
        *,
        compiled: bool | None = None,
        words: Sequence[Word] = (),
        held: int = 0,
        record: Progress | None = None,
        on_step: Callable[[PatternSearch], None] | None = None,
        directory: Path | None = None,
    ) -> None:
        assert_narrow(max((one.geometry.width for one in stages), default=0))
        self.stages, self.compiled, self.words = stages, compiled, words
        self.taken, self.held, self.on_step, self.directory = 0, held, on_step, directory
        self.record = record or Progress()
        self.table = Patterns.of_one(len(words))
        self.changes = Changes(Tier(0, compiled=compiled))
        self.rooms: SimpleQueue[Sums] = SimpleQueue()  # to add up in, once more

    def run(self) -> None:
        """Take all vertices that are left."""
        while self.taken < len(self.stages):
            self.take()

    def take(self) -> None:
        """Take the next vertex in every state."""
        compiled = self.compiled
        if compiled is None and self.table.states * (1 + len(self.words)) > COMPILE_FROM_STATES:
            compiled = True
        tier = Tier(0, compiled=compiled)
        if self.changes.tier.compiled != tier.compiled:
            self.changes, self.rooms = Changes(tier), SimpleQueue()
        if self.held + self.table.bytes > TABLES * memory_limit():
            self.table = spilled(self.table, self.directory)
        step = _Step(self, tier)
        self.table = table = step.table()
        self.taken += 1
        if self.on_step:
            self.on_step(self)
        self.record.step(table.states, self.held + table.bytes, step.peak, step.disk)

    @property
    def cycles(self) -> int:
        """The number of Hamiltonian cycles, once all vertices are taken: that of the one state left."""
        return self.table.total if len(self.stages) > 2 else 0

    @property
    def values(self) -> list[int]:
        """The words of that state."""
        return [self.cycles >> WORD * i & (1 << WORD) - 1 for i in range(len(self.words))]


class _Step:
    """One stage of a search."""

    def __init__(self, search: PatternSearch, tier: Tier) -> None:
        self.tier, self.old, self.held = tier, search.table, search.held
        self.changes, self.rooms = search.changes, search.rooms
        self.stage = stage = search.stages[search.taken]
        self.where = f"after {search.taken:,} of {len(search.stages):,} steps"
        before = set(search.stages[search.taken - 1].frontier if search.taken else [])
        more = [0] * len(stage.vertices)
        for i, k in enumerate(stage.geometry.keep):
            more[k] = 1 << 2 * i
        known = {i: stage.allowed[v] for i, v in enumerate(stage.frontier) if v in stage.allowed}
        self.opens = [i for i, v in enumerate(stage.vertices) if v not in before]
        self.more, self.known = more, known
        self.geometry: Geometry = stage.geometry_in(tier)
        self.keys = tier.vector(self.old.keys)
        self.columns = StateColumns(*(tier.vector(np.asarray(one)) for one in self.old.columns))
        self.limbs = (8 * self.old.widest + WORD - 1) // WORD
        self.weighing = Weighing(
            tier.words(factors(stage, search.words)), tier.words([word.prime for word in search.words])
        )
        self.most, self.directory = memory_limit(), search.directory
        self.slice = int(min(SLICE, max(LEAST, self.most * (1 - TABLES) / 2 / CHOICE)))
        self.peak = self.disk = 0

    def degrees(self) -> Degrees:
        """For a kernel."""
        words = self.tier.words
        return Degrees(
            words(self.opens),
            words(self.more),
            self.tier.column(len(self.more)),
            int(self.stage.optional),
            words(list(self.known)),
            words(list(self.known.values())),
        )

    def table(self) -> Patterns:
        """The table after it."""
        grown = Growing(self.directory)
        for low, high in self.slices():
            choices = self.sorted(self.choices(low, high))
            for first, found in self.added(choices):
                assert_time(f"{self.where} there are {self.old.states:,} states")
                at = first
                for some in found:
                    grown.add(choices.keys[at : at + len(some.shape)], some)
                    at += len(some.shape)
                tables = self.held + self.old.bytes + grown.bytes
                if tables > TABLES * self.most:
                    grown.spill()
                    tables = self.held + self.old.bytes + grown.bytes
                self.old.forget()
                needed = tables + CHOICE * len(choices.source) + 4 * len(self.changes.pool)
                assert_room(needed, f"{self.where} the table of {grown.states:,} states and more")
                self.peak, self.disk = max(self.peak, needed), self.old.disk + grown.disk
        return grown.table()

    # ---- choices

    def slices(self) -> list[tuple[int, int]]:
        """Ranges of new patterns, each with about as many choices as are written down at a time."""
        patterns = len(self.old.keys)
        if patterns * self.geometry.most <= self.slice:
            return [(0, EVERY)]
        every = max(1, patterns // SAMPLE)
        sample = self.written(self.old.keys[::every], 0, EVERY)
        targets = np.sort(np.concatenate([some.target for some in sample]))
        many = 1 + len(targets) * every // self.slice
        cuts = targets[np.linspace(0, len(targets), many + 1).astype(np.int64)[1:-1]]
        bounds = [0, *distinct(cuts).tolist(), EVERY]
        return list(pairwise(bounds))

    def written(self, keys: Ints, low: int, high: int) -> list[Choices]:
        """The choices in some patterns that lead to a range."""
        tier, kernel = self.tier, self.tier(choose)
        vector = tier.vector(keys)
        parts = 8 * cores() if tier.compiled and len(keys) >= SHARE_FROM else 1
        bounds = [len(keys) * i // parts for i in range(parts + 1)]

        def write(i: int) -> list[Choices]:
            assert_time(f"{self.where} there are {self.old.states:,} states")
            room = self.geometry.most + 1 + min(CHUNK, len(keys) * self.geometry.most)
            at, some = bounds[i], []
            while at < bounds[i + 1]:
                found = Choices(*(tier.full(room, 0, kind) for kind in KINDS))
                at, count = kernel(at, bounds[i + 1], vector, low, high, self.geometry, self.degrees(), found)
                some.append(Choices(*map(np.asarray, (one[:count] for one in found), KINDS)))
            return some

        return [one for some in spread(write, range(parts)) for one in some]

    def choices(self, low: int, high: int) -> Choices:
        """The same in one."""
        every = self.written(self.old.keys, low, high)
        if len(every) == 1:
            return every[0]
        none = Choices(*(np.zeros(0, kind) for kind in KINDS))
        return Choices(*map(np.concatenate, zip(none, *every, strict=True)))

    def sorted(self, choices: Choices) -> Sorted:
        """Choices, by the pattern they lead to."""
        target, source, code, edges = (np.asarray(one) for one in choices)
        bits = len(target).bit_length()
        if 2 * len(self.stage.frontier) + bits < 63:  # several times as fast as the other
            both = np.sort((target << bits) + np.arange(len(target)))
            target, order = both >> bits, both & ((1 << bits) - 1)
        else:
            order = np.argsort(target, kind="stable")
            target = target[order]
        source, code, edges = source[order], code[order], edges[order]
        new = np.ones(1 + len(target), dtype=np.bool_)
        new[1:-1] = target[1:] != target[:-1]
        starts, states = np.flatnonzero(new), self.old.sizes(source)
        return Sorted(target[starts[:-1]], starts, source, code, edges, states)

    # ---- adding up

    def added(self, choices: Sorted) -> Iterator[tuple[int, list[StateColumns]]]:
        """New states, some blocks of patterns at a time, with the first of these patterns."""
        tier, limbs = self.tier, self.limbs
        if not len(choices.keys):
            return
        states = np.add.reduceat(choices.states, choices.starts[:-1])
        matchings = MATCHINGS[ends_of(choices.keys) // 2]
        many = FEW if tier.compiled else 1
        dense = (matchings <= min(DENSE, self.most // 256) // limbs) & (matchings <= 64 + many * states)
        vectors, most = matchings * dense, np.minimum(states, matchings)
        size, few = max(1, int(vectors.max())), int(np.where(dense, most, states).max())
        self.changes.prepare(choices.code, choices.states, self.most // 64)
        columns = choices.starts, vectors, choices.source, choices.code, choices.edges
        grouped = Grouped(*map(tier.vector, columns))
        widths = np.searchsorted(BYTES, matchings) + WORD // 8 * (limbs - 1) + 9
        upto, room = states.cumsum(), (most * widths).cumsum()
        cuts = range(0, int(upto[-1]), max(1, min(BLOCK, self.most // 512)))
        bounds = sorted({0, *(int(upto.searchsorted(cut)) for cut in cuts[1:]), len(upto)})
        kernel, pool, tables = tier(add_up), self.changes.pool, self.changes.start

        def block(task: tuple[int, int]) -> StateColumns:
            first, until = task
            data = np.empty(int(room[until - 1] - (room[first - 1] if first else 0)), np.uint8)
            shape = tier.full(until - first, 0, np.int16)
            found = StateColumns(tier.column(until - first), shape, tier.vector(data))
            sums = self.room(size, few)
            end = kernel(first, until, grouped, self.columns, limbs, self.weighing, pool, tables, sums, found)
            self.rooms.put(sums)
            return StateColumns(found.starts, found.shape, np.array(found.data[:end], dtype=np.uint8))

        tasks = list(pairwise(bounds))
        batch = 4 * cores()
        for i in range(0, len(tasks), batch):
            some = tasks[i : i + batch]
            yield some[0][0], spread(block, some)

    def room(self, size: int, few: int) -> Sums:
        """Room to add up in, for vectors of so many matchings, and for so many states."""
        try:
            sums = self.rooms.get_nowait()
        except Empty:
            sums = None
        column, limbs = self.tier.column, self.limbs
        if sums and len(sums.top) == limbs and len(sums.used) > size // 64 and len(sums.ranks) >= few:
            return sums
        vectors = column((size // 64 + 1) * 64 * limbs), self.tier.full(size // 64 + 1)
        lists = (column(PLACES + 2) for _ in range(3))
        top, factors = column(limbs), column(limbs)
        return Sums(*vectors, column(few), column(few * limbs), column(few), top, factors, *lists)
