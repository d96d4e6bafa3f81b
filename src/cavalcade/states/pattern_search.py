"""A search by degree patterns: stage by stage, on all cores, slice by slice.

A stage writes its choices, sorts them by the pattern that they lead to, and adds up the counts (see `choices`
and `sums`). If there are many choices, a stage handles one range of new patterns at a time, so that choices
take little memory: the new table grows at its end, in the order of the patterns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.ground.arrays import distinct
from cavalcade.ground.budget import assert_room, assert_time, memory_limit
from cavalcade.ground.kernels import Cells, Ints, Tier
from cavalcade.ground.system import cores
from cavalcade.ground.threads import spread, stream
from cavalcade.states.choices import Choices, Degrees, choose
from cavalcade.states.encoding import WIDEST
from cavalcade.states.growing import Growing, spilled
from cavalcade.states.patterns import WORD, Patterns, StateColumns, ends_of
from cavalcade.states.ranks import MATCHINGS, Changes, number_of
from cavalcade.states.search import StageSearch
from cavalcade.states.sums import WIDE, Grouped, Sums, Weighing, add_up, eight_bytes
from cavalcade.states.tables import COMPILE_FROM_STATES
from cavalcade.states.transition import Stage
from cavalcade.states.weights import Word, factors

TABLES = 0.75  # share of the memory limit for tables in memory; beyond, they go to files
SLICE = 1 << 20  # choices that all cores sort at a time: about 50 MB, or less if memory is short
CHUNK = 1 << 16  # choices that a core writes at a time: 1.2 MB
BLOCK = 1 << 19  # states that a core adds up at a time, so that the cores finish together
# Greatest number of accumulators for each state that is added up. The states of other patterns are sorted,
# because it takes longer to scan many accumulators for few states.
SPARSE_FROM = 1 << 12
MOST_ACCUMULATORS = number_of(16)  # of one core: 16 MB for each word of a count
TYPES = np.int64, np.int32, np.int32, np.int16  # of the columns of `Choices`
CHOICE_BYTES = 3 * sum(np.dtype(kind).itemsize for kind in TYPES)  # a choice as written, in order, and sorted
UNBOUNDED = np.iinfo(np.int64).max  # above all patterns
RANK_LIMITS = 256 ** np.arange(1, 8)  # ranks below these take 1, 2, 3, ... bytes


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


@dataclass(eq=False, repr=False)
class PatternSearch(StageSearch[Patterns]):
    """A search by degree patterns: the stages done, and the states on the frontier after them.

    Places that are on the frontier both before and after a stage keep their order.

    Attributes:
        words: words that are added up instead of counts, see `weights`.
        directory: for files of tables that memory cannot hold; None is the default of the system.
    """

    words: Sequence[Word] = ()
    directory: Path | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.table = Patterns.of_one(len(self.words))
        self._use(Tier(0, compiled=self.compiled))

    def _use(self, tier: Tier) -> None:
        """Begin with a tier: tables of changes and scratch space belong to it."""
        self.changes = Changes(tier)
        self.scratch: SimpleQueue[Sums] = SimpleQueue()  # scratch space that no thread uses

    def after(self, stage: Stage) -> tuple[Patterns, int, int]:
        """Return the table after a stage, the bytes in memory at the peak, and the bytes on the disk."""
        compiled = self.compiled
        if compiled is None and self.table.states * (1 + len(self.words)) > COMPILE_FROM_STATES:
            compiled = True
        tier = Tier(0, compiled=compiled)
        if self.changes.tier.compiled != tier.compiled:
            self._use(tier)
        if self.held + self.table.bytes > TABLES * memory_limit():
            self.table = spilled(self.table, self.directory)
        return _Step(self, stage, tier).run()

    @property
    def values(self) -> list[int]:
        """The words of the only state after all vertices are taken."""
        return [self.cycles >> WORD * i & (1 << WORD) - 1 for i in range(len(self.words))]


class _Step:
    """One stage of a search.

    Args:
        search: the search before the stage.
        stage: the stage.
        tier: tier of the kernels.
    """

    def __init__(self, search: PatternSearch, stage: Stage, tier: Tier) -> None:
        self.search, self.stage, self.tier, self.old = search, stage, tier, search.table
        self.changes, self.where, self.memory = search.changes, search.where, memory_limit()
        before = set(search.stages[search.taken - 1].frontier if search.taken else [])
        self.opens = [i for i, v in enumerate(stage.vertices) if v not in before]
        self.increment = [0] * len(stage.vertices)
        for i, k in enumerate(stage.geometry.keep):
            self.increment[k] = 1 << 2 * i
        self.allowed = {i: stage.allowed[v] for i, v in enumerate(stage.frontier) if v in stage.allowed}
        self.geometry = stage.geometry_in(tier)
        self.columns = StateColumns(*(tier.vector(np.asarray(column)) for column in self.old.columns))
        self.wide = eight_bytes(self.columns.data)
        self.slicers = cores() if tier.compiled else 1  # threads that sort slices
        self.limbs = -(-8 * self.old.widest // WORD)
        weights = factors(stage, search.words), [word.prime for word in search.words]
        self.weighing = Weighing(*map(tier.words, weights))
        self.slice_size = int(min(SLICE, self.memory * (1 - TABLES) / 2 / CHOICE_BYTES) / self.slicers)

    def degrees(self) -> Degrees:
        """The changes of degree patterns, with scratch space for one thread."""
        words, scratch = self.tier.words, self.tier.column(len(self.increment))
        restricted, allowed = words(list(self.allowed)), words(list(self.allowed.values()))
        optional = int(self.stage.optional)
        return Degrees(words(self.opens), words(self.increment), scratch, optional, restricted, allowed)

    def run(self) -> tuple[Patterns, int, int]:
        """Return the table after the stage, the bytes in memory at the peak, and the bytes on the disk."""
        grown, peak, disk = Growing(self.search.directory), 0, 0
        slices = self.slices()
        for choices in stream(self.sorted_choices, slices, ahead=self.slicers - 1):
            for first, columns in self.added(choices):
                assert_time(f"{self.where} there are {self.old.states:,} states")
                grown.append(choices.keys[first : first + len(columns.shape)], columns)
                held = self.search.held + self.old.bytes
                if held + grown.bytes > TABLES * self.memory:
                    grown.spill()
                self.old.forget()
                sliced = CHOICE_BYTES * len(choices.source) * min(len(slices), self.slicers)
                needed = held + grown.bytes + sliced + 4 * len(self.changes.pool)
                assert_room(needed, f"{self.where} the table of {grown.states:,} states and more")
                peak, disk = max(peak, needed), self.old.disk + grown.disk
        return grown.table(), peak, disk

    # ---- choices

    def slices(self) -> list[tuple[int, int]]:
        """Ranges of new patterns, each with about `slice_size` choices."""
        patterns, most = len(self.old.keys), self.geometry.most
        if patterns * most <= self.slice_size:
            return [(0, UNBOUNDED)]
        # Estimate the distribution of new patterns from a sample of the old ones: about a chunk of choices.
        every = 1 + patterns * most // CHUNK
        targets = np.sort(self.choices(self.old.keys[::every], 0, UNBOUNDED).target)
        slices = 1 + len(targets) * every // max(1, self.slice_size)
        cuts = targets[np.linspace(0, len(targets), slices + 1).astype(np.int64)[1:-1]]
        return list(pairwise([0, *distinct(cuts).tolist(), UNBOUNDED]))

    def sorted_choices(self, patterns: tuple[int, int]) -> Sorted:
        """Return the choices that lead to a range of new patterns, sorted by their pattern."""
        return self.sorted(self.choices(self.old.keys, *patterns))

    def choices(self, keys: Ints, low: int, high: int) -> Choices:
        """Return the choices in some patterns that lead to patterns from `low` to below `high`."""
        tier, kernel, most = self.tier, self.tier(choose), self.geometry.most
        vector = tier.vector(keys)
        # Each thread gets at least a chunk of choices. With several slices, each thread has one of them.
        is_whole = tier.compiled and high == UNBOUNDED and not low
        parts = max(1, min(8 * cores(), len(keys) * most // CHUNK)) if is_whole else 1
        bounds = [len(keys) * i // parts for i in range(parts + 1)]
        capacity = most + 1 + min(CHUNK, len(keys) * most)

        def write(i: int) -> list[Choices]:
            assert_time(f"{self.where} there are {self.old.states:,} states")
            position, until, chunks = bounds[i], bounds[i + 1], list[Choices]()
            while position < until:
                chunk = Choices(*(tier.full(capacity, 0, kind) for kind in TYPES))
                position, count = kernel(
                    position, until, vector, low, high, self.geometry, self.degrees(), chunk
                )
                chunks.append(Choices(*(np.asarray(x[:count], t) for x, t in zip(chunk, TYPES, strict=True))))
            return chunks

        chunks = [chunk for part in spread(write, range(parts)) for chunk in part]
        if len(chunks) == 1:
            return chunks[0]
        empty = Choices(*(np.zeros(0, kind) for kind in TYPES))
        return Choices(*map(np.concatenate, zip(empty, *chunks, strict=True)))

    def sorted(self, choices: Choices) -> Sorted:
        """Sort choices by the pattern that they lead to."""
        target, source, code, edges = (np.asarray(column) for column in choices)
        bits = len(target).bit_length()
        if 2 * len(self.stage.frontier) + bits < 63:
            # Sort numbers made of pattern and index: several times as fast as `argsort`.
            numbers = np.sort((target << bits) + np.arange(len(target)))
            target, order = numbers >> bits, numbers & ((1 << bits) - 1)
        else:
            order = np.argsort(target, kind="stable")
            target = target[order]
        source, code, edges = source[order], code[order], edges[order]
        is_start = np.ones(1 + len(target), dtype=np.bool_)
        is_start[1:-1] = target[1:] != target[:-1]
        starts = np.flatnonzero(is_start)
        return Sorted(target[starts[:-1]], starts, source, code, edges, self.old.sizes(source))

    # ---- adding up

    def added(self, choices: Sorted) -> Iterator[tuple[int, StateColumns]]:
        """Yield the new states in blocks, each with the index of its first pattern."""
        tier, limbs = self.tier, self.limbs
        if not len(choices.keys):
            return
        # Choose accumulators or sorting for each pattern.
        states = np.add.reduceat(choices.states, choices.starts[:-1])
        matchings = MATCHINGS[ends_of(choices.keys) // 2]
        for_each_state = SPARSE_FROM if tier.compiled else 1
        dense = matchings <= min(MOST_ACCUMULATORS, self.memory // 256) // limbs
        dense &= matchings <= 64 + for_each_state * states
        vectors, most = matchings * dense, np.minimum(states, matchings)
        size, unmerged = max(1, int(vectors.max())), int(np.where(dense, most, states).max())
        self.changes.prepare(choices.code, choices.states, self.memory // 64)
        columns = choices.starts, vectors, choices.source, choices.code, choices.edges
        grouped = Grouped(*map(tier.vector, columns))
        # The blocks get about equal numbers of states, and bytes for the widest records that they may need.
        widths = np.searchsorted(RANK_LIMITS, matchings) + WORD // 8 * (limbs - 1) + 9
        states_until, bytes_until = states.cumsum(), (most * widths).cumsum()
        cuts = range(0, int(states_until[-1]), max(1, min(BLOCK, self.memory // 512)))
        bounds = sorted({0, *(int(states_until.searchsorted(cut)) for cut in cuts[1:]), len(states)})
        kernel, pool, tables = tier(add_up), self.changes.pool, self.changes.start

        def block(task: tuple[int, int]) -> StateColumns:
            first, until = task
            length = int(bytes_until[until - 1] - (bytes_until[first - 1] if first else 0))
            data = tier.vector(np.empty(length + WIDE.itemsize, np.uint8))
            shape = tier.full(until - first, 0, np.int16)
            result = StateColumns(tier.column(until - first), shape, data)
            sums = self.sums(size, unmerged)
            inputs = grouped, self.columns, limbs, self.weighing, pool, tables
            end = kernel(first, until, *inputs, sums, result, self.wide, eight_bytes(data))
            self.search.scratch.put(sums)
            return StateColumns(result.starts, shape, np.array(result.data[:end], dtype=np.uint8))

        tasks = list(pairwise(bounds))
        yield from zip(bounds, stream(block, tasks, ahead=4 * cores()), strict=False)

    def sums(self, size: int, unmerged: int) -> Sums:
        """Return scratch space for `size` accumulators and for `unmerged` sorted states."""
        column, limbs = self.tier.column, self.limbs
        try:
            sums = self.search.scratch.get_nowait()
        except Empty:
            sums = None
        if sums and len(sums.top) == limbs and len(sums.used) > size // 64 and len(sums.ranks) >= unmerged:
            return sums
        vectors = column((size // 64 + 1) * 64 * limbs), self.tier.full(size // 64 + 1)
        lists = (column(WIDEST + 2) for _ in range(3))
        states = column(unmerged), column(unmerged * limbs), column(unmerged)
        return Sums(*vectors, *states, column(limbs), column(limbs), *lists)
