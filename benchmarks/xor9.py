"""Balanced xor9 graphs beside a loop of forty lines around the same SAT solver: docs/benchmarks.md.

    python benchmarks/xor9.py [--gadgets 20,40,60,80] [--seeds 10] [--limit SECONDS]

A graph has k gadgets of nine vertices, and random edges between the gadgets that make parity decide about a
cycle. Each tool gets each graph in its own process, cold and warm as in `sparse.py`. The loop is `sat_loop`
in `peers.py`; it writes no proof. Ours checks its cycle or its proof. Times are processor time.
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
from itertools import pairwise

import sparse
from peers import sat_loop

TIES = {1: 3, 3: 3, 7: 2, 9: 2}  # edges to other gadgets of a vertex of a gadget, in random order
INSIDE = [*pairwise(range(1, 10)), (1, 6), (4, 9)]


def xor9(gadgets: int, seed: int) -> list[tuple[int, int]]:
    """The edges of a random balanced xor9 graph, vertices numbered from 0."""
    rng = random.Random(seed)
    while True:
        stubs = []
        for gadget in range(gadgets):
            degrees = list(TIES.values())
            rng.shuffle(degrees)
            stubs += [(gadget, v) for v, degree in zip(TIES, degrees, strict=True) for _ in range(degree)]
        rng.shuffle(stubs)
        pairs = [*zip(stubs[::2], stubs[1::2], strict=True)]
        # Exchange ends at random while an edge stays in a gadget, or two edges join the same gadgets.
        for _ in range(20_000):
            seen: set[frozenset[int]] = set()
            wrong = next((i for i, pair in enumerate(pairs) if not _is_new(pair, seen)), None)
            if wrong is None:
                inner = [(9 * g + a, 9 * g + b) for g in range(gadgets) for a, b in INSIDE]
                outer = [(9 * g + v, 9 * h + w) for (g, v), (h, w) in pairs]
                return [(a - 1, b - 1) for a, b in inner + outer]
            other = rng.randrange(len(pairs))
            if other != wrong:
                (a, b), (c, d) = pairs[wrong], pairs[other]
                pairs[wrong], pairs[other] = (a, d), (c, b)


def _is_new(pair: tuple[tuple[int, int], tuple[int, int]], seen: set[frozenset[int]]) -> bool:
    """Whether an edge joins two gadgets that no earlier edge joins, which are noted."""
    ends = frozenset(gadget for gadget, _ in pair)
    is_new = len(ends) > 1 and ends not in seen
    seen.add(ends)
    return is_new


def main() -> None:
    """Print a line in Markdown for each number of gadgets."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gadgets", default="20,30,40,50,60,70,80", help="numbers of gadgets")
    parser.add_argument("--seeds", type=int, default=10, help="graphs for each number of gadgets")
    parser.add_argument("--limit", type=float, default=120.0, help="processor seconds per graph and tool")
    options = parser.parse_args()
    sparse.LIMIT, sparse.REPEATS = options.limit, 2
    gc.freeze()
    heads = ["vertices", "no cycle", "decided", "by the loop"]
    heads += [f"{what}, {when}" for when in ("cold", "warm") for what in ("ours", "loop", "ratio of sums")]
    print(f"| {' | '.join(heads)} |\n{'|---:' * len(heads)}|", flush=True)
    for gadgets in map(int, options.gadgets.split(",")):
        rows = []
        for seed in range(1, options.seeds + 1):
            graph = 9 * gadgets, xor9(gadgets, seed)
            rows.append([sparse.measured(tool, *graph, directed=False) for tool in (sparse.ours, sat_loop)])
            if len({row.status for row in rows[-1]} - {"undecided"}) > 1:
                raise AssertionError(f"contradicting answers for {gadgets} gadgets, seed {seed}")
        refuted = sum("impossible" in {row.status for row in pair} for pair in rows)
        columns = list(zip(*rows, strict=True))
        decided = [sum(row.status != "undecided" for row in column) for column in columns]
        cells = [9 * gadgets, refuted, *decided]
        for when in ("cold", "warm"):
            times = [[getattr(row, when) for row in column] for column in columns]
            cells += [f"{statistics.median(column):.3f} s" for column in times]
            cells.append(sparse.show(sum(times[0]) / sum(times[1])))
        print(f"| {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    main()
