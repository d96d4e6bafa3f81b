"""Which engine is asked when, and for how much work: decided by work alone, see `ground.budget`.

    template   blocks with known tours: knights on boards of more than 10,000 cells without holes
    join       one quick try, or as many as cost little, on small boards less

Then in rounds, each with four times as much work for every engine; one that ended a round before its work
was done has nothing more to try, and is left out:

    reasons    forced moves, tight sets, cuts, and a few cases: a proof that people can read
    local      where joining is stuck, SAT in small surroundings: a tour, or a proof about these alone
    linear     numbers for cells and sets of cells: a proof that anyone can add up
    sat        SAT with cut sets: a tour, or a proof that machines can check
    join       with restarts, but not in sparse graphs
    sweep      every way to take the cells one by one, where few cells are at the edge at a time
    contract   reasons again, in the graph in which all cells behind two or three edges are one cell
    apart      `sweep` and reasons in two smaller graphs, one for each side of four edges
    cases      reasons again, with as many cases as it takes: from the third round on

Plain graphs in which a vertex has fewer than two edges, or three neighbours with two edges each, are looked
at for reasons before anything else: they have no tour.

Plain graphs of 50 vertices or more with fewer than 3.75 edges each, and digraphs with fewer than 5.5 arcs,
are first looked at for near reasons, and then SAT has a turn of its own, with which it decides most of them
before any kernel is loaded. It goes on where it was: in large graphs its work grows sixteen times from one
round to the next; in others it is not asked in the first round, has eight times as much work as the other
engines in those after it, and its first turn is followed by `sweep`, `contract` and `apart`, which end at
once where frontiers are wide and small cuts are few. `join` is quick on the small ones of these only, and on
those with more edges or arcs that are not large. `prove` leaves this out, since it asks for reasons that
people can read; so do large graphs with 2.5 edges or more that have many cycles of four, by which cycles are
joined.

Boards of 5,000 cells or more have their first try in `local`, which goes on where it is stuck, or in `join`
where a symmetry is asked for or a template may fit, and larger rounds; in sparse graphs, as cubic ones,
`local` comes before reasons with cases, but large ones are looked at for reasons without cases first.

Where cells are given at steps: reasons without cases, and then in rounds every numbering of the cells, join
and SAT.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

from cavalcade.ask.engines import NAMES
from cavalcade.construction.fitting import no_template
from cavalcade.ground.budget import SECOND
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import crowded
from cavalcade.question.question import Question

LARGE = 5_000  # cells from which a try of `join` takes longer than to load what `local` needs
JOINED = 10_000  # cells up to which it does not take longer than to plan a template
QUICK = 100_000  # work of the first try: interpreted some 20 ms, and
QUICK_PAIR = 50  # for each two cells at most: of a small graph without a tour a reason is found as fast
SPARSE_CELL = 50_000  # work of the first try of `local` for each cell of a sparse graph
FIRST = SECOND // 4  # work of an engine in the first round,
FIRST_CELLS = 2_000  # for every so many cells
GROWTH = 4  # each round to the one before
SAT_FROM = 50  # the fewest vertices with which SAT is asked early,
SAT_EDGES = (3.75, 2.5)  # and edges for each, of graphs and, encoded, of digraphs
QUICK_SPARSE = 500  # cells of such a graph from which a try of `join` takes longer,
NEAR = 600  # work for each edge, of the look at near reasons before it
SAT_EARLY = 6 * FIRST  # work of its first turn,
SAT_SPARSE_CELLS = 20_000  # for every so many cells: of large sparse graphs, and
SAT_CELLS = FIRST_CELLS, 1_500  # of other graphs and of digraphs, in which `local` joins little,
SAT_MORE = (0, 8), (1, 4, 16, 64)  # times as much work as other engines in each round; in large graphs, and
# work of each engine after it that ends at once where it has no chance
NEXT_EARLY = {"sweep": 1.25 * FIRST, "contract": 2 * FIRST, "apart": 4 * FIRST}
SAMPLE, SQUARES = 200, 0.2  # edges that are looked at, and the share on cycles of four that are many
JOIN_EDGES = 2.5  # edges for each cell from which a try of `join` finds many cycles of graphs, and
JOIN_ARCS = (3.5, 2.5)  # arcs for each from which it finds most directed cycles; on small ones
LATE = 2  # rounds before as many cases are distinguished as it takes
FIRST_STEPS = 1_000_000  # work to number the cells before anything is compiled, which takes ten seconds, once
CASES = 60  # the cases that a proof may distinguish before others are asked
MOST_CASES = 200_000


class Turn(NamedTuple):
    """An engine's turn.

    Args:
        name: of the engine, in `engines`.
        options: of its function.
        work: that it may do.
    """

    name: str
    options: tuple[tuple[str, Any], ...] = ()
    work: float = math.inf

    @property
    def what(self) -> tuple[object, ...]:
        """The turn without its work: one that has ended is not asked again."""
        return self[:2]


REASONS, REASONS_ALONE = Turn("reasons", (("cases", CASES),)), Turn("reasons", (("cases", 0),))
CASES_AT_LAST = Turn("reasons", (("cases", MOST_CASES),))
LOCAL, LINEAR, SAT, JOIN, SWEEP, CONTRACT, APART, NUMBERED = map(
    Turn, ("local", "linear", "sat", "join", "sweep", "contract", "apart", "numbered")
)
ROUND = (REASONS, LOCAL, LINEAR, SAT, JOIN, SWEEP, CONTRACT, APART)
SPARSE_ROUND = (LOCAL, REASONS, LINEAR, SWEEP, SAT, CONTRACT, APART)
STEPS_ROUND = (NUMBERED, JOIN, SAT)


def schedule(
    question: Question,
    engine: str | None,
    ended: set[tuple[object, ...]],
    *,
    style: str = "plain",
    reasons_first: bool = False,
) -> Iterator[Turn]:
    """The turns of the engines; or of one engine alone.

    Args:
        question: the question.
        engine: the name of one engine, or None for all.
        ended: what turns ended before their work was done, added by the caller as it happens.
        style: of a tour by template.
        reasons_first: look for a reason before any search.

    Raises:
        CavalcadeError: an unknown engine.
    """
    template = Turn("template", (("style", style),))
    if engine is not None:
        if engine not in NAMES:
            raise CavalcadeError(f"unknown engine {engine!r}, expected one of {', '.join(NAMES)}")
        yield {"template": template, "reasons": CASES_AT_LAST}.get(engine, Turn(engine))
        return
    n = question.board.size
    large, sparse, scale = n >= LARGE, _is_sparse(question), max(1, n / FIRST_CELLS)
    try_work = 10 * FIRST * scale
    quick = JOIN._replace(work=try_work if large and question.symmetry else min(QUICK, QUICK_PAIR * n**2))
    if large and not question.board.plain:
        if n <= JOINED and not (_is_thin(question) or no_template(question)):
            yield quick
        yield template
    if n == 1:
        yield quick
        return
    if question.stepwise:
        yield REASONS_ALONE
        yield NUMBERED._replace(work=FIRST_STEPS)
        yield from _rounds(STEPS_ROUND, scale, ended)
        return
    looked = (large and sparse) or ((large or question.board.plain) and _is_thin(question))
    if reasons_first or looked:
        # of large ones no cases are distinguished, so that the same engine is not asked twice
        yield REASONS if large else REASONS_ALONE
    early = not reasons_first and _is_for_sat(question)
    at_once = large and question.symmetry is None and not question.one_way
    if not at_once and (not early or _is_for_join(question)):
        yield quick
    if early:
        if not looked:
            yield REASONS_ALONE._replace(work=NEAR * question.as_cycle.edge_count)
        for_cells = n / SAT_SPARSE_CELLS if at_once and sparse else max(1, n / SAT_CELLS[question.one_way])
        yield SAT._replace(work=SAT_EARLY * for_cells)
    if at_once:
        yield Turn("local", (("tries", 1),), SPARSE_CELL * n if sparse else try_work)
    elif early and not large:
        yield from (Turn(engine, work=work * scale) for engine, work in NEXT_EARLY.items())
    yield from _rounds(SPARSE_ROUND if sparse else ROUND, scale, ended, SAT_MORE[large] if early else (1,))


def _rounds(
    turns: tuple[Turn, ...], scale: float, ended: set[tuple[object, ...]], sat: tuple[int, ...] = (1,)
) -> Iterator[Turn]:
    """One round after the other, each with more work, until all turns have ended.

    Args:
        turns: the engines of a round, in their order.
        scale: of the work, for the size of the question.
        ended: as above.
        sat: how many times as much work SAT has in each round, and after the last one that is named.
    """
    for number in count():
        if number == LATE and REASONS in turns:
            turns = (*turns, CASES_AT_LAST)
        left = [turn for turn in turns if turn.what not in ended]
        if not left and (number > LATE or REASONS not in turns):
            return
        for turn in left:
            if more := sat[min(number, len(sat) - 1)] if turn == SAT else 1:
                yield turn._replace(work=FIRST * scale * GROWTH**number * more)


def _is_thin(question: Question) -> bool:
    """Whether a side of the board is no longer than two leaps: most such boards have no tour.

    Of a plain graph, whether a vertex has too few edges, or too many next to it have two.
    """
    board, leaps = question.board, question.piece.leaps or question.piece.moves
    if board.plain:
        return bool((question.as_cycle.degrees < 2).any()) or crowded(question.as_cycle)
    return min(board.shape) <= 2 * max(abs(x) for leap in leaps for x in leap)


def _is_for_sat(question: Question) -> bool:
    """Whether SAT decides most plain graphs with so few edges before other engines are loaded."""
    n, m = question.as_cycle.size, question.as_cycle.edge_count
    few = question.board.plain and n >= SAT_FROM and m < SAT_EDGES[question.one_way] * n
    return few and (m < JOIN_EDGES * n or question.board.size < LARGE or not _has_squares(question.as_cycle))


def _has_squares(graph: MoveGraph) -> bool:
    """Whether many edges are on cycles of four, as exchanges need: of knights, but hardly in random ones."""
    some = graph.edges()[:: max(1, graph.edge_count // SAMPLE)].tolist()
    near = {a: set(graph.neighbours(a)) for a in {a for edge in some for a in edge}}
    on_square = sum(
        any(not near[a].isdisjoint({*graph.neighbours(c)} - {b}) for c in near[b] - {a}) for a, b in some
    )
    return on_square > SQUARES * len(some)


def _is_for_join(question: Question) -> bool:
    """Whether a quick try of `join` is quick, and has a chance, in a graph for SAT."""
    n = question.board.size
    if question.one_way:
        return question.encoding.digraph.edge_count >= JOIN_ARCS[n < QUICK_SPARSE] * n
    return n < QUICK_SPARSE or question.as_cycle.edge_count >= JOIN_EDGES * n


def _is_sparse(question: Question) -> bool:
    """Whether a plain graph, as a cubic one, has hardly any exchange by which cycles could be joined."""
    return question.board.plain and question.as_cycle.edge_count < 2 * question.as_cycle.size
