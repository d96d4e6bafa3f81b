"""Boards with random holes: how many are decided, and how fast.

    python benchmarks/holes.py [--sides 30,100,300] [--shares 0.05,0.1,0.2,0.25] [--seeds 5] [--limit 30]
                               [--processor]

The question is whether each board has a closed knight's tour, under a limit in seconds; every answer is
checked. `make bench` runs the 60 boards of the defaults; for the large ones:

    python benchmarks/holes.py --sides 1000 --shares 0.05,0.1 --seeds 4 --limit 120

`holes` removes cells of an m x m board in three steps: a share p at random, half of it of each colour; then
repeatedly the cells with fewer than three moves; then, once, random cells of the larger colour until the
colours are even. A few cells may have fewer than three moves in the end.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import TYPE_CHECKING

import numpy as np

import cavalcade
from cavalcade.boards import Board
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAPS = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]


def holes(m: int, p: float, seed: int = 0) -> Board:
    """An m x m board with random holes.

    Args:
        m: rows and columns.
        p: share of the cells that the first step removes, from 0 to 1.
        seed: seed of the random choices.
    """
    random = np.random.default_rng([seed, m, round(1000 * p)])
    black = np.add.outer(np.arange(m), np.arange(m)) % 2 == 1
    mask = np.ones((m, m), dtype=np.bool_)
    for colour in (black, ~black):
        mask.flat[random.choice(np.flatnonzero(colour), round(p / 2 * m * m), replace=False)] = False
    while (few := mask & (moves(mask) < 3)).any():
        mask &= ~few
    surplus = int(np.count_nonzero(mask & ~black)) - int(np.count_nonzero(mask & black))
    larger = np.flatnonzero(mask & (~black if surplus > 0 else black))
    mask.flat[random.choice(larger, abs(surplus), replace=False)] = False
    return Board("box", (m, m), mask)


def moves(mask: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return the number of knight's moves from each place to cells of the board, shape (m, n)."""
    m, n = mask.shape
    wide = np.pad(mask.astype(np.int8), 2)
    return np.asarray(sum(wide[2 + a : 2 + a + m, 2 + b : 2 + b + n] for a, b in LEAPS), dtype=np.int8)


def main() -> None:
    """Decide each board, and print the times."""
    parser = argparse.ArgumentParser(description="Boards with random holes: how many are decided.")
    parser.add_argument("--sides", default="30,100,300")
    parser.add_argument("--shares", default="0.05,0.1,0.2,0.25")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--limit", type=float, default=30.0, help="seconds for each board")
    parser.add_argument("--processor", action="store_true", help="limits and times in processor time")
    options = parser.parse_args()
    if options.processor:  # on a machine that is busy otherwise
        time.perf_counter = time.process_time
    decided = boards = 0
    for m in map(int, options.sides.split(",")):
        for p in map(float, options.shares.split(",")):
            taken, results = [], []
            for seed in range(options.seeds):
                question = Question.of(holes(m, p, seed))
                _ = question.as_cycle
                began = time.perf_counter()
                verdict = cavalcade.tour(question, time_limit=options.limit)
                taken.append(time.perf_counter() - began)
                results.append(f"{verdict.status} by {verdict.method}, {taken[-1]:.2f} s")
                decided += verdict.status != "undecided"
                boards += 1
            print(
                f"{m}x{m}, p = {p:g}: median {statistics.median(taken):.2f} s; {'; '.join(results)}",
                flush=True,
            )
    print(f"{decided} of {boards} decided")


if __name__ == "__main__":
    main()
