"""Every tour once: a frontier search, depth first, in a graph of states that grows on the way.

A state is expanded when it is first met, and those that come of it are remembered; one from which no tour
comes is struck out. So no dead end is entered twice, and once all states are known the work is linear in the
output. When too many are remembered, all are forgotten. Compare the diagrams of Knuth, TAOCP 7.1.4,
which hold all tours before the first is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.counting.canonical import canonical, cycle_of, only_tour, stages_of, tour_along
from cavalcade.counting.states import column, new_scratch, one_long_word, two_words
from cavalcade.counting.transition import Successors, expand_kernel, new_successors
from cavalcade.find.numbered import numbered_tours
from cavalcade.ground.budget import assert_time
from cavalcade.ground.kernels import Tier
from cavalcade.question.folding import folded
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cavalcade.counting.transition import Stage
    from cavalcade.question.constraints import Constraints
    from cavalcade.question.graph import BoardLike
    from cavalcade.question.pieces import PieceLike

    Way = tuple[int, int, int, int]  # where v moves to, and the two words of the state that comes of it

REMEMBERED = 300_000  # states at a time, some 500 bytes each
COMPILE_FROM = 30_000  # states expanded: 30 µs each interpreted, 5 µs compiled
PACKED = 29  # vertices on the frontier: no more than 14 paths cross it


def list_tours(
    board: BoardLike | Question,
    *,
    piece: PieceLike | None = None,
    open: bool = False,  # noqa: A002 - the field's word, and the command line's
    start: int | str | None = None,
    end: int | str | None = None,
    up_to_symmetry: bool = False,
    **constraints: Unpack[Constraints],
) -> Iterator[Tour]:
    """Every tour of a board once, as it is found; a tour and its reverse are one.

    Their order is always the same: the search takes cell after cell and decides its moves to cells not yet
    taken, so tours that agree on the first cells follow one another. A closed tour begins in the first cell
    and goes on to the smaller of its two neighbours there; an open one begins at its smaller end, or as
    `start` and `end` require.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Question`.
        piece: a piece or its spec; by default the knight.
        open: open tours instead of closed ones.
        start: where open tours begin.
        end: where open tours end.
        up_to_symmetry: of tours that a symmetry of the board maps to one another, list only the one whose
            cells come first, compared one by one as numbers.
        constraints: what else is asked of the tours, see `cavalcade.question.constraints`.

    Raises:
        CavalcadeError: an invalid spec or name, ends of closed tours, or symmetries of a graph.
        TooLargeError: the board is too wide.

    Time: all of 6x6 0.6 s, of 5x8 2 s; the first of 8x8 after 0.1 s, then some 5,000 a second.
    """
    question = Question.of(board, piece=piece, open=open, start=start, end=end, **constraints)
    every = _tours(question)
    return _firsts(every, question) if up_to_symmetry else every


def _tours(question: Question) -> Iterator[Tour]:
    if question.board.size == 1:
        return iter([only_tour(question)])
    if question.stepwise and question.symmetry is None and not question.one_way:
        return (Tour(question.board, cells, question.closed, question.piece) for cells in _numbered(question))
    every = _cycles(question) if question.symmetry is None else _kept_cycles(question)
    if question.stepwise:
        every = (cycle for cycle in every if question.numbered(question.cut(cycle)) is not None)
    return (tour_along(question, cycle) for cycle in every)


def either_way(question: Question) -> bool:
    """Whether a tour with its cells at their steps has them there in the other direction, too."""
    n, given = question.board.size, question.given
    first = min(given, default=1)
    return all((2 * (step - first)) % n == 0 if question.closed else 2 * step == n + 1 for step in given)


def _numbered(question: Question) -> Iterator[NDArray[np.int32]]:
    """Every tour with its cells at their steps; if it has them in both directions, in one of them."""
    given, both = question.given, either_way(question)
    first = min(given)
    for cells in numbered_tours(question.allowed, given, closed=question.closed, required=question.required):
        if both:
            back = np.roll(cells[::-1], 2 * first - 1) if question.closed else cells[::-1]
            if back.tolist() < cells.tolist():
                continue
        yield cells


def _cycles(question: Question) -> Iterator[NDArray[np.int32]]:
    """Every Hamiltonian cycle of `as_cycle`, once."""
    size = question.as_cycle.size
    return (cycle_of(moves, size) for moves in cycles(stages_of(question)))


def _kept_cycles(question: Question) -> Iterator[NDArray[np.int32]]:
    """Those that the question's symmetry keeps, by folding; each once."""
    assert question.symmetry is not None  # noqa: S101 - for the type checker
    graph = question.as_cycle
    if graph.size < 3:
        return
    for way in folded(graph, question.encoding.image(question.symmetry.cells).tolist()):
        few = len(way.rows) < 3
        every = iter([np.arange(len(way.rows))]) if few else _cycles(Question(way.graph))
        for cycle in every:
            yield from way.unfolded(cycle.tolist())


def _firsts(tours: Iterator[Tour], question: Question) -> Iterator[Tour]:
    """Those tours that come first, cell by cell, among their images in the board's symmetries.

    Images without the ends asked for do not count. 40 µs a tour for 8 symmetries.
    """
    from cavalcade.question.question import symmetries

    group = np.array([one.cells for one in symmetries(question)])
    if question.board.size == 1:
        return tours
    return (
        tour
        for tour in tours
        if _is_first(tour.cells, canonical(question, question.onward(group[:, tour.cells])))
    )


def _is_first(cells: NDArray[np.int32], images: NDArray[np.int32]) -> bool:
    """Whether no row of an array comes before these cells."""
    differs = images != cells
    at = differs.argmax(axis=1)
    rows = np.arange(len(images))
    return not bool((images[rows, at] < cells[at]).any())


def cycles(steps: list[Stage]) -> Iterator[list[tuple[int, int, int]]]:
    """Every Hamiltonian cycle once, as each stage's vertex and the two it moves to, -1 for none."""
    states = _StateGraph(steps)
    path = [states.after(0, 0, 0)] if len(steps) > 2 else []
    chosen = [-1]
    while path:
        chosen[-1] += 1
        ways, at = path[-1], chosen[-1]
        if at == len(ways):
            path.pop()
            chosen.pop()
            if not ways and path:  # a dead end: strike out what led here
                del path[-1][chosen[-1]]
                chosen[-1] -= 1
        elif len(path) == len(steps):
            yield [(one.vertex, *ways[i][:2]) for one, ways, i in zip(steps, path, chosen, strict=True)]
        else:
            path.append(states.after(len(path), *ways[at][2:]))
            chosen.append(-1)


class _StateGraph:
    """What comes of every state met so far, for every stage."""

    def __init__(self, steps: list[Stage]) -> None:
        self.stages = steps
        self.width = max((one.geometry.width for one in steps), default=0)
        self.expanded = 0
        self.use(Tier(0, compiled=False))

    def use(self, tier: Tier) -> None:
        """Expand by the kernel of this tier from here on."""
        self.layout = two_words(tier) if self.width <= PACKED else one_long_word(self.width)
        self.scratch = new_scratch(tier, self.width)
        self.low, self.high = column(tier, 1), column(tier, 1)
        room = max((one.geometry.most for one in self.stages), default=0)
        self.block = np.zeros((5, room), dtype=np.int64) if tier.compiled else None
        self.found = new_successors(tier, room) if self.block is None else Successors(*self.block)
        self.geometries = [one.given(tier) for one in self.stages]
        self.names = [[*one.everyone, -1] for one in self.stages]
        step: Any = tier(expand_kernel)
        self.step = step
        if tier.compiled:  # numba looks at the types of named tuples for 50 µs a call: once is enough
            self.expand(0, 0, 0)
            self.step = step.get_overload(step.signatures[-1])
        self.known: list[dict[tuple[int, int], list[Way]]] = [{} for _ in self.stages]

    def expand(self, level: int, low: int, high: int) -> int:
        """Put what comes of a state into `found`; returns how many states that is."""
        self.low[0], self.high[0] = low, high
        geometry, room = self.geometries[level], len(self.found.low)
        _, count = self.step(
            0, 1, self.low, self.high, geometry, self.layout, None, self.scratch, self.found, room
        )
        return int(count)

    def after(self, level: int, low: int, high: int) -> list[Way]:
        """The ways on from a state; whoever finds that one leads nowhere may delete it."""
        ways = self.known[level].get((low, high))
        if ways is not None:
            return ways
        if self.expanded == COMPILE_FROM and self.width <= PACKED:
            self.use(Tier(0, compiled=True))
        elif self.expanded % REMEMBERED == 0:
            for states in self.known:
                states.clear()
        assert_time(f"{self.expanded:,} states were looked at")
        self.expanded += 1
        count = self.expand(level, low, high)
        names = self.names[level]
        if self.block is None:
            rows = zip(*(some[:count] for some in self.found), strict=True)
        else:
            rows = self.block[:, :count].T.tolist()
        ways = [(names[one], names[two], x, y) for x, y, _, one, two in rows]
        self.known[level][low, high] = ways
        return ways
