"""Answers for many small graphs at once, each checked by `checking.many`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.certificate import Step, StepProof
from cavalcade.ask.judging import certified
from cavalcade.checking.many import are_cuts, are_cycles, are_tables, have_low_degrees
from cavalcade.find.many import CUT, DEGREE, FOUND, KINDS, LEFT, MOST, SUBSETS, TABLED, Many, many, tables
from cavalcade.ground.kernels import Tier
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question
from cavalcade.question.statement import graph_name

__all__ = ("FOUND", "KINDS", "LEFT", "MOST", "SUBSETS", "answers", "reasons")

STEPS_PER_ENTRY = 4  # inner steps per entry of the matrices, the mean of connected graphs with nine vertices
TABLE_ENTRIES = 2**22  # entries of the tables that are built and then checked at once: 8 MB


def answers(graphs: NDArray[np.uint8], *, open_: bool = False, compiled: bool | None = None) -> Many:
    """Return the answers of `find.many`, checked.

    Args:
        graphs: adjacency matrices of undirected graphs, shape (m, n, n), for n from 3 to `find.many.MOST`, or
            one less for open tours.
        open_: search for open tours: closed tours of the graph with one more vertex, joined to all others.
        compiled: tier of the kernels, as for `Tier`.

    Raises:
        AssertionError: an answer is wrong.
    """
    if open_:
        graphs = np.pad(graphs, ((0, 0), (0, 1), (0, 1)), constant_values=1)
        graphs[:, -1, -1] = 0
    tier = Tier(STEPS_PER_ENTRY * graphs.size, compiled=compiled)
    kinds, places = many(graphs, tier)
    cycles, low, cuts, undecided = (np.flatnonzero(kinds == kind) for kind in (FOUND, DEGREE, CUT, LEFT))
    _assert_all(FOUND, are_cycles(graphs[cycles], places[cycles]))
    _assert_all(DEGREE, have_low_degrees(graphs[low]))
    _assert_all(CUT, are_cuts(graphs[cuts], places[cuts]))
    n, entries = graphs.shape[-1], len(undecided) << graphs.shape[-1]
    for part in np.array_split(undecided, -(-entries // TABLE_ENTRIES)) if n <= TABLED and entries else ():
        proofs = tables(graphs[part], tier)
        kinds[part[are_tables(graphs[part], proofs)]] = SUBSETS
    if open_:
        # A path is the cycle from the added vertex on, without that vertex. A cut also removes that vertex.
        after = np.argmax(places[cycles] == n - 1, axis=1)[:, None] + np.arange(1, n)
        paths = np.take_along_axis(places[cycles], after % n, axis=1)
        places = places[:, :-1]
        places[cycles] = paths
    return Many(kinds, places)


def reasons(
    graphs: NDArray[np.uint8], answered: Many, cache: dict[bytes, str], *, open_: bool = False
) -> list[str]:
    """Return the reason in words for each graph with a low degree or a cut, and "" for other graphs.

    The words are the explanation of a checked certificate, without the name of the graph. They depend only on
    the neighbours of the vertex, or on the parts, so graphs with the same neighbours or parts share them.

    Args:
        graphs: adjacency matrices, as for `answers`.
        answered: answers about these graphs.
        cache: words so far, by kind and neighbours or parts; new entries are added.
        open_: whether the answers are about open tours.
    """
    n = graphs.shape[-1]
    low = np.argmax(graphs.sum(axis=2) + open_ < 2, axis=1)
    row = graphs[np.arange(len(graphs)), low]
    row[np.arange(len(graphs)), low] = 2
    grounds = np.where(answered.kinds[:, None] == CUT, answered.places, row).astype(np.uint8)
    keys = np.column_stack([answered.kinds, grounds])
    words = [""] * len(graphs)
    for i in np.flatnonzero((answered.kinds == DEGREE) | (answered.kinds == CUT)).tolist():
        if (key := keys[i].tobytes()) not in cache:
            cells = [int(low[i])]
            if answered.kinds[i] == CUT:
                cells = [*np.flatnonzero(answered.places[i] == 0).tolist(), *[n] * open_]
            graph = MoveGraph.from_edges(np.argwhere(np.triu(graphs[i])), n, range(n))
            proof = StepProof((Step(KINDS[answered.kinds[i]], tuple(cells)),))
            _, reason, _ = certified(Question.of(graph, open=open_), proof, "many")
            cache[key] = reason.replace(f" of {graph_name(graph)}", "")
        words[i] = cache[key]
    return words


def _assert_all(kind: int, right: NDArray[np.bool_]) -> None:
    """Assert that all answers of a kind are right.

    Raises:
        AssertionError: an answer is wrong.
    """
    if not right.all():
        raise AssertionError(f"the engine many is wrong: {KINDS[kind]}")
