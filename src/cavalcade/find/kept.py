"""Tours that a symmetry keeps: tours of the graph folded by it, found by joining cycles.

`folding` says which cycles of the folded graph unfold into one tour. Which one the engine `join` finds there
depends on its random choices; so it is asked again, with other seeds, until one unfolds.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.find.join import join
from cavalcade.question.folding import folded
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from numpy.typing import NDArray

SECONDS_PER_EDGE = 8e-6  # to fold a graph, and to unfold a tour
FIRST = 0.25  # seconds of the first try of each way to fold; then twice as many, and so on


def join_kept(
    question: Question, *, seed: int = 0, time_limit: float = 10.0, until: float = math.inf
) -> NDArray[np.int32] | Undecided:
    """Look for a tour that the question's symmetry keeps.

    Args:
        question: the question, with a symmetry.
        seed: of the random choices.
        time_limit: seconds after which no new try begins.
        until: the moment, of `time.perf_counter`, when a try that has begun breaks off, too.

    Returns:
        The cells of a tour, in order, or why there is none.

    Time: that of `join` on a board of a half or a quarter of the size, mostly two or three times.
    """
    began = time.perf_counter()
    graph = question.as_cycle
    if graph.size == 1:
        return np.zeros(1, dtype=np.int32)
    assert question.symmetry is not None  # noqa: S101 - for the type checker
    if began + graph.edge_count * SECONDS_PER_EDGE > until:
        many = f"{graph.edge_count:,} edges"
        return Undecided(f"to fold a graph of {many} takes more than {time_limit:.3g} s", "join", seed)
    g = question.encoding.image(question.symmetry.cells).tolist()
    ways = folded(graph, g) if graph.size > 2 else []
    tries = 0
    while ways and time.perf_counter() < (until if tries < len(ways) else began + time_limit):
        way, patience = ways[tries % len(ways)], FIRST * 2 ** min(tries // len(ways), 20)
        tries += 1
        cycle: NDArray[np.int32] | Undecided = np.arange(len(way.rows), dtype=np.int32)
        if len(way.rows) > 2:
            left = max(began + time_limit - time.perf_counter(), 0)
            patience = min(patience, left)
            cycle = join(Question(way.graph), seed=seed + tries, time_limit=patience, until=until)
        whole = None if isinstance(cycle, Undecided) else next(way.unfolded(cycle.tolist()), None)
        cells = None if whole is None else question.numbered(question.cut(whole))
        if cells is not None:
            return cells
    many = "1 try" if tries == 1 else f"{tries:,} tries"
    kept = f"{question.kind} tour kept by the {question.symmetry.name}"
    seconds = time.perf_counter() - began
    return Undecided(f"no {kept} found in {many} ({time_limit:.3g} s)", "join", seed, seconds)
