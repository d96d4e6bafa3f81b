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


STEPS_OF_ENTRY = 4  # on average, of connected graphs of nine vertices
ENTRIES = 2**22  # of tables made before they are checked


def answers(graphs: NDArray[np.uint8], *, open_: bool = False, compiled: bool | None = None) -> Many:
    """What `find.many` finds, checked.

    Args:
        graphs: adjacency matrices of undirected graphs, (m, n, n), for n from 3 to `find.many.MOST`, less one
            if open.
        open_: open tours, which are the cycles with one more vertex that is joined to all others.
        compiled: choose the tier.

    Raises:
        AssertionError: an answer is wrong.
    """
    if open_:
        graphs = np.pad(graphs, ((0, 0), (0, 1), (0, 1)), constant_values=1)
        graphs[:, -1, -1] = 0
    tier = Tier(STEPS_OF_ENTRY * graphs.size, compiled=compiled)
    kinds, places = many(graphs, tier)
    cycles, low, cuts, left = (np.flatnonzero(kinds == kind) for kind in (FOUND, DEGREE, CUT, LEFT))
    _assert_all(FOUND, are_cycles(graphs[cycles], places[cycles]))
    _assert_all(DEGREE, have_low_degrees(graphs[low]))
    _assert_all(CUT, are_cuts(graphs[cuts], places[cuts]))
    n, entries = graphs.shape[-1], len(left) << graphs.shape[-1]
    for some in np.array_split(left, -(-entries // ENTRIES)) if n <= TABLED and entries else ():
        made = tables(graphs[some], tier)
        kinds[some[are_tables(graphs[some], made)]] = SUBSETS
    if open_:
        after = np.argmax(places[cycles] == n - 1, axis=1)[:, None] + np.arange(1, n)
        paths = np.take_along_axis(places[cycles], after % n, axis=1)
        places = places[:, :-1]  # a cut removes the vertex that was added
        places[cycles] = paths
    return Many(kinds, places)


def reasons(
    graphs: NDArray[np.uint8], found: Many, known: dict[bytes, str], *, open_: bool = False
) -> list[str]:
    """The reason in words for each graph with a low degree or a cut; "" for the others.

    The words are those of a certificate, which is checked too, but do not name the graph. They depend on
    nothing else than the neighbours of the vertex, or the parts, so graphs that agree in these share them.

    Args:
        graphs: as for `answers`.
        found: its answers.
        known: the words so far, by what they depend on; new ones are added.
        open_: as for `answers`.
    """
    n = graphs.shape[-1]
    low = np.argmax(graphs.sum(axis=2) + open_ < 2, axis=1)
    row = graphs[np.arange(len(graphs)), low]
    row[np.arange(len(graphs)), low] = 2
    on = np.where(found.kinds[:, None] == CUT, found.places, row).astype(np.uint8)
    keys = np.column_stack([found.kinds, on])
    words = [""] * len(graphs)
    for i in np.flatnonzero((found.kinds == DEGREE) | (found.kinds == CUT)).tolist():
        if (key := keys[i].tobytes()) not in known:
            cells = [int(low[i])]
            if found.kinds[i] == CUT:
                cells = [*np.flatnonzero(found.places[i] == 0).tolist(), *[n] * open_]
            graph = MoveGraph.from_edges(np.argwhere(np.triu(graphs[i])), n, range(n))
            proof = StepProof((Step(KINDS[found.kinds[i]], tuple(cells)),))
            _, reason = certified(Question.of(graph, open=open_), proof, "many")
            known[key] = reason.replace(f" of {graph_name(graph)}", "")
        words[i] = known[key]
    return words


def _assert_all(kind: int, right: NDArray[np.bool_]) -> None:
    """All answers of a kind are right.

    Raises:
        AssertionError: one is not.
    """
    if not right.all():
        raise AssertionError(f"the engine many is wrong: {KINDS[kind]}")
