"""Count the pairs of states of two halves that form a single cycle: perfect matchings, contracted.

Both halves have states on the same vertices, the middle; a state is stored with the number of ways to reach
it (see `meeting`). A state fits a state of the other half if every vertex of the middle gets two edges in
all, and if the paths of both halves form a single cycle. Each degree pattern is a separate problem. The 2k
vertices with one edge from each half are the ends of paths in both halves. A state matches them in pairs, in
one of (2k - 1)!! ways. Testing all pairs of matchings takes too long (40 thousand million pairs for 8x8).
Instead, vertices are contracted one at a time: if a vertex has the partner b in our matching and c in the
matching of the other half, then b and c become partners in the other half. For all matchings of the other
half this takes 2k - 2 additions each, and leaves a smaller problem for every b that occurs.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from cavalcade.counting.pairing import BATCH, GroupPairs, PairingScratch, Tables, add_counts, pair_up
from cavalcade.counting.residues import combined, primes_for
from cavalcade.ground.budget import assert_time, memory_limit
from cavalcade.ground.kernels import Ints, Mask, compiled
from cavalcade.ground.system import cores
from cavalcade.ground.threads import spread
from cavalcade.states.pattern_search import TABLES
from cavalcade.states.patterns import Patterns, ends_of
from cavalcade.states.ranks import MATCHINGS, Change, number_of, reversal, table
from cavalcade.states.weights import AT_ONCE

# Vertices of a middle: the ranks of its matchings, and so the tables of contractions, need 31 bits.
WIDEST_MIDDLE = 2 * int(np.searchsorted(MATCHINGS, 1 << 31) - 1)
PAIRS_PER_TASK = 1e7  # pairs of states that one task tests; the clock is checked between tasks, about 0.1 s
WRAP = 1 << np.iinfo(np.uint64).bits  # modulus of sums that wrap around in a word; kernels denote it by 0


@functools.cache
def _tables(most_pairs: int) -> Tables:
    """Build the tables of contractions for up to `most_pairs` pairs of ends, without the sums."""
    matchings = MATCHINGS[: most_pairs + 1]
    joined_sizes = np.maximum(0, 2 * np.arange(most_pairs + 1) - 1) * matchings
    joined_start, turned_start, sums_start = (
        np.cumsum(sizes) - sizes for sizes in (joined_sizes, 2 * matchings, matchings)
    )
    joined = np.empty(joined_sizes.sum(), dtype=np.int32)
    turned = np.zeros(2 * matchings.sum(), dtype=np.int32)
    for k in range(1, most_pairs + 1):
        n, size, reversed_ranks = 2 * k, matchings[k], reversal(2 * k)
        assert_time("matchings were put into tables")
        for b in range(1, n):
            joined[joined_start[k] + (b - 1) * size :][:size] = table(Change.JOIN, n, 0, b)
        with_fixed_end = table(Change.MOVE, n, 0, n - 1)[reversed_ranks]
        turned[turned_start[k] :][: 2 * size] = np.concatenate([reversed_ranks, with_fixed_end])
    return Tables(joined, joined_start, turned, turned_start, np.empty(0, dtype=np.int64), sums_start)


def _most_contracted(ends: Ints, worthwhile: Mask) -> int:
    """Return the largest number of pairs of ends that are contracted.

    The tables must fit in the memory that is not reserved for the tables of the searches.
    """
    most = int(np.max(ends, where=worthwhile, initial=0)) // 2
    while most and 4 * (2 * most + 1) * number_of(2 * most) > (1 - TABLES) * memory_limit():
        most -= 1
    return most


def _fitting_patterns(first: Patterns, second: Patterns, width: int, *, apex: bool) -> tuple[Ints, Ints]:
    """Return the indices of the patterns of both halves that fit each other and have ends of paths."""
    required = np.zeros_like(first.keys)
    for i in range(width):
        j = i if apex and i == width - 1 else width - 1 - apex - i
        required += (2 - (first.keys >> 2 * i & 3)) << 2 * j
    index = np.minimum(np.searchsorted(second.keys, required), max(0, len(second.keys) - 1))
    fits = (second.keys[index] == required) & (ends_of(first.keys) > 0) if len(second.keys) else required < 0
    return np.flatnonzero(fits), index[fits]


def met(
    first: Patterns,
    second: Patterns,
    width: int,
    *,
    apex: bool = False,
    cells: Sequence[int] = (),
    moduli: Sequence[int] = (),
) -> list[int]:
    """Count the cycles that the states of both halves form.

    Args:
        first: states of one half.
        second: states of the other half, before they are mapped to their images. If both are the same object,
            half of the work is enough.
        width: number of places of the middle. The image of a place has the same distance from the other end.
        apex: whether the last place is its own image, and only the others are reversed.
        cells: places whose degrees in the first half divide the cycles into classes. The class is a number in
            base 3; its least significant digit is the degree of the first place.
        moduli: moduli of the words of the states; empty if the states have counts.

    Returns:
        The number of cycles of each class; or the sum of each word over all cycles, modulo its modulus.
    """
    ours, theirs = _fitting_patterns(first, second, width, apex=apex)
    same = first is second
    if same:
        once = ours <= theirs
        ours, theirs = ours[once], theirs[once]
    if not len(ours):
        return [0] * (len(moduli) or 3 ** len(cells))
    total, mirrored = (
        sum(((keys >> 2 * place & 3) * 3**i for i, place in enumerate(cells)), np.zeros_like(keys))
        for keys in (first.keys[ours], second.keys[theirs])
    )
    mirrored = np.where(same & (ours < theirs), mirrored, -1)
    ends = ends_of(first.keys[ours])
    matchings = MATCHINGS[ends // 2]
    pairs = first.sizes(ours) * second.sizes(theirs).astype(float)
    worthwhile = pairs > 2.0 * ends * matchings
    tables = _tables(most_pairs := _most_contracted(ends, worthwhile))
    by_pairs = (ends // 2 > most_pairs) | ~worthwhile
    # A contraction takes about as long as testing 50 pairs for each matching.
    work = np.where(by_pairs, pairs, np.minimum(pairs, 50.0 * matchings))
    # Divide large pairs of groups into shares of whole batches, and put them last.
    batches = np.minimum(pairs / PAIRS_PER_TASK, first.sizes(ours) / BATCH)
    shares = np.where(by_pairs, np.maximum(1, np.ceil(batches)), 1).astype(np.int64)
    order = np.argsort(shares > 1, kind="stable")
    index = np.repeat(order, shares[order])
    starts = np.cumsum(shares[order]) - shares[order]
    share = np.arange(len(index)) - np.repeat(starts, shares[order])
    group_pairs = GroupPairs(
        ours[index], theirs[index], ends[index], total[index], mirrored[index], share, shares[index]
    )
    # Cut the list into tasks of equal work, many for each core.
    work = np.cumsum((work / shares)[index])
    tasks = min(len(index), max(64 * cores(), int(work[-1] / PAIRS_PER_TASK)))
    cuts = np.searchsorted(work, np.linspace(0, work[-1], tasks + 1)[1:-1])
    bounds = sorted({0, len(index), *cuts.tolist()})
    kernel, fixed_place = compiled(pair_up), width - 1 if apex else width

    def meet(*moduli: int, first_word: int = -1) -> list[int]:
        size = len(moduli)

        def run_task(i: int) -> Ints:
            assert_time(f"{i / (len(bounds) - 1):.0%} of the states of one half met those of the other")
            sums = (int(tables.sums_start[-1]) + number_of(2 * most_pairs)) * size
            sizes = (*4 * [WIDEST_MIDDLE], size, size, BATCH * WIDEST_MIDDLE, BATCH * size, sums)
            *scratch, sums_of_task = (np.zeros(entries, dtype=np.int64) for entries in sizes)
            totals = np.zeros(3 ** len(cells) * size, dtype=np.int64)
            kernel(
                bounds[i],
                bounds[i + 1],
                group_pairs,
                first.keys,
                first.columns,
                second.columns,
                fixed_place,
                first_word,
                moduli,
                tables._replace(sums=sums_of_task),
                PairingScratch(*scratch),
                totals,
            )
            return totals

        totals = spread(run_task, range(len(bounds) - 1))
        return [sum(map(int, column)) for column in zip(*totals, strict=True)]

    if moduli:
        words = (meet(*moduli[i : i + AT_ONCE], first_word=i) for i in range(0, len(moduli), AT_ONCE))
        return [value % modulus for value, modulus in zip(chain(*words), moduli, strict=True)]
    bits = bits_of(first, second, ours, theirs, 2 if same else 1)
    primes = primes_for(bits - math.log2(WRAP)) if bits >= math.log2(WRAP) else []
    return combined(zip(meet(0), *map(meet, primes), strict=True), [WRAP, *primes])


def bits_of(first: Patterns, second: Patterns, ours: Ints, theirs: Ints, times: int) -> float:
    """Bound the bits of the number of cycles: every state forms a cycle with every state that fits it.

    Args:
        first: states of one half.
        second: states of the other half.
        ours: indices of patterns of the first half.
        theirs: index of the pattern of the other half that fits, for each of them.
        times: number of cycles that a pair of states stands for.
    """

    def count_sums(side: Patterns) -> NDArray[np.float64]:
        """Sum the counts of each pattern, in units of the largest count that the width allows."""
        sums = np.zeros(len(side.keys))
        bounds = np.linspace(0, len(sums), 8 * cores() + 1).astype(np.int64).tolist()
        columns, scale = side.columns, 256.0**-side.widest

        def run_task(i: int) -> None:
            compiled(add_counts)(columns, bounds[i], bounds[i + 1], scale, sums)

        spread(run_task, range(len(bounds) - 1))
        return sums

    our_sums = count_sums(first)
    their_sums = our_sums if first is second else count_sums(second)
    bound = float(np.sum(our_sums[ours] * their_sums[theirs] * times))
    return math.log2(bound) + 8 * (first.widest + second.widest) + 0.01  # allows for rounding
