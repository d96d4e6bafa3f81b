"""Every tour once: the rounds of a sweep, depth first, in a graph of states that grows on the way.

A state is expanded when it is first met, and those that come of it are remembered; one from which no tour
comes is struck out. So no dead end is entered twice, and once all states are known the work is linear in the
output. When too many are remembered, all are forgotten. Compare the diagrams of Knuth, TAOCP 7.1.4,
which hold all tours before the first is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.counting.transitions import Question, expand_kernel, loose_layout, packed_layout
from cavalcade.errors import BoardError
from cavalcade.graph import MoveGraph
from cavalcade.kernels import Tier
from cavalcade.pieces import KNIGHT, Piece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cavalcade.answers.tours import Tour
    from cavalcade.boards import Board
    from cavalcade.counting.transitions import Moves, Round

    Way = tuple[int, int, int, int]  # where v moves to, and the two words of the state that comes of it

REMEMBERED = 300_000  # states at a time, some 500 bytes each
COMPILE_FROM = 30_000  # states expanded: 30 µs each interpreted, 5 µs compiled
PACKED = 29  # vertices on the frontier: no more than 14 paths cross it


def list_tours(
    board: Board | MoveGraph | str,
    *,
    piece: Piece | str = KNIGHT,
    open: bool = False,  # noqa: A002 - the field's word, and the command line's
    start: int | str | None = None,
    end: int | str | None = None,
    up_to_symmetry: bool = False,
) -> Iterator[Tour]:
    """Every tour of a board once, as it is found; a tour and its reverse are one.

    The tours come in an order that is always the same: that of a sweep over the board which takes cell
    after cell and decides its moves to cells not yet taken. Tours that agree on the cells taken first come
    together. A closed tour is told from the first cell on, toward the smaller of its two neighbours there;
    an open one from its smaller end on, or as `start` and `end` say.

    Args:
        board: a board, its spec, or a move graph (which knows no piece).
        piece: a piece or its spec.
        open: open tours instead of closed ones.
        start: where open tours begin.
        end: where open tours end.
        up_to_symmetry: of tours that a symmetry of the board maps to one another, only that whose cells
            come first when they are compared one by one, as numbers.

    Raises:
        CavalcadeError: a spec or name that means nothing, ends of closed tours, or symmetries of a graph.

    Time: all of 6x6 0.6 s, of 5x8 2 s; the first of 8x8 after 0.1 s, then some 5,000 a second.
    """
    asked = Question.of(board, piece, closed=not open, start=start, end=end)
    every = _tours(asked)
    return _firsts(every, asked) if up_to_symmetry else every


def _tours(asked: Question) -> Iterator[Tour]:
    if asked.board.size == 1:
        return iter([asked.only()])
    return (asked.tour(moves) for moves in cycles(asked.rounds()))


def _firsts(tours: Iterator[Tour], asked: Question) -> Iterator[Tour]:
    """Those tours that come first, cell by cell, among their images in the board's symmetries.

    Images without the ends asked for do not count. 40 µs a tour for 8 symmetries.
    """
    from cavalcade.symmetry import symmetries

    if isinstance(asked.board, MoveGraph):
        raise BoardError(f"{asked.board.title} is a plain graph: it has no shape that could be symmetric")
    if asked.board.size == 1:
        return tours
    group = np.array([one.cells for one in symmetries(asked.board, asked.piece)])
    return (tour for tour in tours if _is_first(tour.cells, asked.told(group[:, tour.cells])))


def _is_first(cells: NDArray[np.int32], images: NDArray[np.int32]) -> bool:
    """Whether no row of an array comes before these cells."""
    differs = images != cells
    at = differs.argmax(axis=1)
    rows = np.arange(len(images))
    return not bool((images[rows, at] < cells[at]).any())


def cycles(sweep: list[Round]) -> Iterator[Moves]:
    """Every Hamiltonian cycle once, as each round's vertex and the two it moves to, -1 for none."""
    states = _States(sweep)
    path = [states.after(0, 0, 0)] if len(sweep) > 2 else []
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
        elif len(path) == len(sweep):
            yield [(one.vertex, *ways[i][:2]) for one, ways, i in zip(sweep, path, chosen, strict=True)]
        else:
            path.append(states.after(len(path), *ways[at][2:]))
            chosen.append(-1)


class _States:
    """What comes of every state met so far, a level a round."""

    def __init__(self, sweep: list[Round]) -> None:
        width = max((one.width for one in sweep), default=0)
        self.sweep = sweep
        self.may_compile = width <= PACKED
        self.layout = packed_layout() if self.may_compile else loose_layout(width)
        self.expanded = 0
        self.use(Tier(0, compiled=False))

    def use(self, tier: Tier) -> None:
        """Expand by the kernel of this tier from here on."""
        self.expand = tier(expand_kernel)
        self.given = [one.given(tier, self.layout) for one in self.sweep]
        self.names = [[*one.everyone, -1] for one in self.sweep]
        self.known: list[dict[tuple[int, int], list[Way]]] = [{} for _ in self.sweep]

    def after(self, level: int, low: int, high: int) -> list[Way]:
        """The ways on from a state; whoever finds that one leads nowhere may delete it."""
        ways = self.known[level].get((low, high))
        if ways is not None:
            return ways
        if self.expanded == COMPILE_FROM and self.may_compile:
            self.use(Tier(0, compiled=True))
        elif self.expanded % REMEMBERED == 0:
            for level_ in self.known:
                level_.clear()
        self.expanded += 1
        new = self.given[level][3]
        count = self.expand(low, high, *self.given[level])
        flat = new[: 4 * count] if isinstance(new, list) else new[: 4 * count].tolist()
        names, numbers = self.names[level], iter(flat)
        quadruples = zip(numbers, numbers, numbers, numbers, strict=True)
        ways = [(names[one], names[two], a, b) for a, b, one, two in quadruples]
        self.known[level][low, high] = ways
        return ways
