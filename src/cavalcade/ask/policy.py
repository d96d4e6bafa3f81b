"""The policy: which engine gets the next turn, and how much work it may do in that turn.

Quick turns of the cheapest engines precede the rounds. In a round each engine of an order that has not ended
gets `GROWTH` times the work of the previous round. The table in `ask.engines` has its sizes and its share.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from cavalcade.ask.engines import Engine, features, row_for
from cavalcade.construction.fitting import no_template
from cavalcade.ground.budget import SECOND
from cavalcade.question.colours import has_unequal_colours
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import has_overfull_vertex
from cavalcade.question.question import Question

# Cells above which the work per round grows: the proof about open camel tours of 60x60 takes 3 s, not 11 s.
# Sparse graphs with fewer have a quick turn of SAT, because a long path needs compiled code, which takes
# longer to load.
CELLS = 2_000
# Ratio of the work of consecutive rounds, see docs/decisions/0009-counted-work.md.
GROWTH = 4
# Work of a turn in the first round. Less means more rounds, in each of which most engines begin again.
FIRST = SECOND // GROWTH
# Edges per vertex of a plain graph below which exchanges join few cycles: SAT is first, and loads no kernel.
SPARSE = 3.5

# Vertices of a sparse graph below which SAT decides before a longer path pays.
SMALL = 100


class Turn(NamedTuple):
    """A turn of an engine: its name, as in `ask.engines`, and the counted work that it may do."""

    engine: str
    work: float = math.inf


class Order(NamedTuple):
    """The quick turns, and the names of the engines with a turn in every round.

    Attributes:
        quick: turns with their work per edge. The reasons that take linear time (degrees, colours, separate
            parts, tight sets, cuts around them) need 350, up to 700 with the short search for cuts on
            more than 2,000 vertices; the searches after them need ten times this.
            Of 124 named graphs of at most 3,000 vertices whose cycle a path finds for less than 3,000, 86
            percent need less than 25, and 97 percent less than 200. On sparse graphs of more than 2,000
            vertices the reasons load compiled code, which takes as long as work of 250 to 400 on a path. So a
            path comes first, with the work that 12 of 19 such graphs need. SAT states its formula for 1,000,
            and decides sparse graphs of 100 to 1,000 vertices that need longer paths for 1,100 to 7,500, in
            half the time of a path or a sweep. Narrow graphs such as flower snarks are swept for 1,700 to
            12,000. Linear programs refute a graph of 41 parts behind 40 vertices with 6,511 edges for 39,000.
            On random digraphs of 200 to 5,000 vertices with six arcs a vertex, `join` finds a cycle in about
            a twentieth to a fortieth of the time of SAT, and hardly delays the answer where there is none.
        rounds: names of the engines with a turn in every round; a repeated name has several turns. On
            balanced xor9 graphs of 540 vertices, which SAT alone decides, four turns of SAT instead of one
            save up to six sevenths of the time. `local` finds tours of GP(899, 4) and GP(999, 5), which SAT
            alone does not find in ten times as long.
    """

    quick: tuple[Turn, ...]
    rounds: tuple[str, ...]


CHEAP_PROOFS = ("linear", "sweep", "contract", "apart")
JOIN, REASONS, PATH, LINEAR, SAT, SWEEP = (
    Turn("join", 400), Turn("reasons", 400), Turn("rotations", 25), Turn("linear", 40_000),
    Turn("sat", 8_000), Turn("sweep", 12_800),
)  # fmt: skip
BOARDS = Order((JOIN, REASONS), ("local", "reasons", *CHEAP_PROOFS, "sat", "join"))
GRAPHS = Order((PATH, JOIN, REASONS, PATH._replace(work=400), LINEAR), ("rotations", *BOARDS.rounds))
SPARSE_GRAPHS = Order(
    (PATH._replace(work=110), REASONS._replace(work=800), PATH._replace(work=400)),
    ("rotations", "sat", *CHEAP_PROOFS[1:], "local", "reasons", "linear", "join"),
)
MIDDLE_GRAPHS = Order(
    (PATH, REASONS, PATH, SAT, PATH._replace(work=200), SWEEP),
    ("sat", "rotations", *SPARSE_GRAPHS.rounds[2:]),
)
CUBIC_GRAPHS = MIDDLE_GRAPHS._replace(quick=(PATH, REASONS, PATH._replace(work=200), SAT, SWEEP))
FORCED_GRAPHS = Order((PATH, REASONS, SAT, SWEEP), ("sat",) * 3 + MIDDLE_GRAPHS.rounds)
DIGRAPHS = Order((JOIN, REASONS, SAT, SWEEP), MIDDLE_GRAPHS.rounds)
LARGE_DIGRAPHS = Order((JOIN, REASONS._replace(work=800)), SPARSE_GRAPHS.rounds)
SMALL_GRAPHS = MIDDLE_GRAPHS._replace(quick=(PATH, REASONS, Turn("sweep", 25_600)))
PROOFS = Order((REASONS, JOIN), ("reasons", "local", *CHEAP_PROOFS, "sat", "join"))
WITH_STEPS = Order((REASONS, Turn("numbered", 400)), ("numbered", "join", "sat"))


def turns(question: Question, ended: set[str], *, proof: bool = False) -> Iterator[Turn]:
    """Iterate over the turns of the engines until all have ended.

    Args:
        question: the question.
        ended: names of the engines that have nothing more to try. The caller adds to this set between turns.
        proof: whether a proof is expected rather than a tour.
    """
    if has_unequal_colours(question):
        yield Turn("reasons")
    if begins_with_template(question):
        yield Turn("template")
    if (question.as_cycle.degrees < 2).any() or has_overfull_vertex(question.as_cycle):
        yield Turn("reasons")
    order = _order(question, proof=proof)
    for name, work in order.quick:
        if _row(name, question):
            yield Turn(name, work * question.as_cycle.edge_count)
    rows = [row for name in order.rounds if (row := _row(name, question))]
    work = FIRST * max(1, question.board.size / CELLS)
    while rows := [row for row in rows if row.name not in ended]:
        yield from (Turn(row.name, work * row.share) for row in rows)
        work *= GROWTH


def begins_with_template(question: Question) -> bool:
    """Whether the engine `template`, which builds no graph, gets the first turn."""
    if question.board.plain or not _row("template", question):
        return False
    return not (no_template(question) or has_unequal_colours(question))


def _order(question: Question, *, proof: bool) -> Order:
    """Return the order of the engines for a question."""
    if question.stepwise:
        return WITH_STEPS
    sparse = question.board.plain and question.as_cycle.edge_count < SPARSE * question.as_cycle.size
    if proof:
        return PROOFS._replace(quick=PROOFS.quick[:1]) if sparse and not question.one_way else PROOFS
    if question.board.mask is not None and not _row("join", question):
        return BOARDS._replace(quick=())  # on large boards with holes `local` is faster than `reasons`
    if sparse:
        size = question.as_cycle.size
        if question.one_way:
            return DIGRAPHS if size < CELLS else LARGE_DIGRAPHS
        if size < SMALL:
            return SMALL_GRAPHS
        if size <= 5 * CELLS and _has_many_forced_edges(question.as_cycle):
            return FORCED_GRAPHS
        if size >= CELLS:
            return SPARSE_GRAPHS
        # With three edges at a vertex, a long path takes 1 to 4 ms where SAT takes 6 to 36, and costs less
        # than 1 ms where there is no cycle. With more edges it costs up to a fifth of the proof by SAT.
        return CUBIC_GRAPHS if 2 * question.as_cycle.edge_count <= 3 * size else MIDDLE_GRAPHS
    return GRAPHS if question.board.plain else BOARDS


def _has_many_forced_edges(graph: MoveGraph) -> bool:
    """Whether more than an eighth of the vertices have two edges: a path ignores that both are forced.

    Of the named graphs, chains of xor gadgets, balanced xor9 graphs, and hidden cycles with few other edges
    have at least a fifth; those whose cycle a longer path finds have at most 4 percent. SAT finds hidden
    cycles of 2,500 to 10,000 vertices in a fifth to two thirds of the time of longer paths. Larger
    graphs were not measured.
    """
    return int(np.count_nonzero(graph.degrees == 2)) * 8 > graph.size


def _row(name: str, question: Question) -> Engine | None:
    """Return the row of an engine in the table, or None if it is not worth a turn."""
    if name == "rotations" and features(question):  # paths that ignore a feature would have it by luck alone
        return None
    row = row_for(name, question)
    return row if row and row.fits(question) else None
