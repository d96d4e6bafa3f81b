"""All magic knight's tours of a board with few rows.

The board is read cell by cell, column by column. A *state* holds all that matters of the cells behind:
the pieces of the tour that reach cells ahead, each with its direction and its length, and equations between
the steps on which they begin, one for each column that is complete: its steps add up to what they ought to.
To join two pieces is to put the step of the second in terms of the first. A state whose equations cannot hold
is dropped: they contradict one another, have no solution in whole numbers of the right colour, or need steps
that there are not. As states know no steps but only how they depend on one another, most walks share them:
with four rows their number grows in proportion to the columns, that of the tours more than twofold with each.

Step 0 and step N + 1 stand for cells of their own, from which and to which the tour leads; so its ends are
cells like others. On the way back states that no tour passes are dropped; on the way forth again tours are
put together, and their rows added up.

The method is our own, in the manner of frontiers (D. E. Knuth, The Art of Computer Programming, 7.1.4).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import gcd
from typing import NamedTuple

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.ground.budget import assert_room, assert_time, bounded_items
from cavalcade.ground.errors import BoardError, TooLargeError
from cavalcade.ground.kernels import Ints
from cavalcade.ground.threads import ProgressCallback
from cavalcade.question.words import validated
from cavalcade.states.objects import next_level, prune

Form = tuple[int, tuple[tuple[int, int], ...]]  # a constant, and unknowns with their coefficients
Step = tuple[int, int]  # the cells before and after a cell on the tour
Link = tuple[int, Step, int]  # a state, a step, and the next state

START, END = -1, -2  # the cells of step 0 and step N + 1
MOST_STATES = 300_000  # at a time; a board that has more is given up
STATE, LINK = 2_000, 100  # bytes, of a state under way and a link that is kept: twice what 4x10 was traced at
ZERO: Form = (0, ())


class _Span(NamedTuple):
    """A directed piece of the tour; its first cell names the unknown step on which it begins."""

    first: int
    last: int
    length: int


@validated
def magic_tours(
    board: Board | str,
    *,
    columns: bool = False,
    memory: int | str | None = None,
    time_limit: float | None = None,
    progress: ProgressCallback | None = None,
) -> Iterator[Tour]:
    """Every knight's tour of a rectangle with equal sums of all rows and of all columns, up to reflections.

    As open tours, from 1 on; the reverse of a tour is another one. Boards of up to four rows; 4x18 takes a
    minute of processor time, 6x6 is too much.

    Args:
        board: a rectangle, or its spec.
        columns: equal sums of the columns are enough.
        memory: bytes that states and links may take; by default half of the machine's memory.
        time_limit: seconds; by default none. Tours found until then are yielded.
        progress: called with the part that is done, from 0 to 1.

    Raises:
        BoardError: it is not a rectangle without holes.
        TooLargeError: there are more than 300,000 states, or a limit is reached.

    Examples:
        >>> list(magic_tours("3x6", columns=True))
        []
    """

    def tours() -> Iterator[Tour]:
        rectangle = parse_board(board) if isinstance(board, str) else board
        if not rectangle.is_rectangle or rectangle.holes:
            raise BoardError(f"magic tours are sought on rectangles without holes, not on {rectangle.title}")
        m, n = rectangle.shape
        if m * (m * n + 1) % 2 or (not columns and n * (m * n + 1) % 2):
            return
        for path in _paths(_Strip(m, n).layers(progress)):
            tour = Tour(rectangle, (path % m) * n + path // m, closed=False)
            rows = tour.numbering.sum(axis=1)
            if (columns or (rows == rows[0]).all()) and _is_first(path, m, n):
                yield tour

    return bounded_items(tours, memory=memory, time_limit=time_limit)


def _is_first(path: Ints, m: int, n: int) -> bool:
    """Whether a tour comes before its reflections, of those that begin on the colour of cell 0."""
    row, column = path % m, path // m
    images = [
        (rows + columns * m).tolist()
        for rows in (row, m - 1 - row)
        for columns in (column, n - 1 - column)
        if (rows[0] + columns[0]) % 2 == 0
    ]
    return bool(path.tolist() == min(images))


class _State(NamedTuple):
    """All that matters of the cells behind.

    `inside` are the cells ahead that have both their moves, as bits, and `sums` the steps on them, for each
    column from this one on.
    """

    pieces: tuple[_Span, ...]
    inside: int
    equations: tuple[Form, ...]
    sums: tuple[Form, ...]


class _Strip:
    """A board of m rows and n columns; its cells are numbered column by column."""

    def __init__(self, m: int, n: int) -> None:
        self.m, self.n, self.size = m, n, m * n
        self.wanted = m * (m * n + 1) // 2

    def odd(self, x: int) -> bool:
        """Whether a cell has an odd step: a tour begins on the colour of cell 0."""
        return sum(divmod(x, self.m)) % 2 == 0

    def later(self, x: int) -> list[int]:
        """The neighbours of a cell that come after it."""
        column, row = divmod(x, self.m)
        return sorted(
            (column + right) * self.m + row + down
            for down, right in ((-2, 1), (2, 1), (-1, 2), (1, 2))
            if 0 <= row + down < self.m and column + right < self.n
        )

    def layers(self, progress: ProgressCallback | None) -> list[list[Link]]:
        """The links between states for each cell, without those that lead to no tour."""
        states: dict[_State, int] = {
            _State((_Span(END, END, 1), _Span(START, START, 1)), 0, (), (ZERO,) * 3): 0
        }
        layers: list[list[Link]] = []
        kept = 0
        for x in range(self.size):
            later, count = self.later(x), len(states)

            def successors(
                state: _State, x: int = x, later: list[int] = later
            ) -> Iterator[tuple[Step, _State]]:
                for before, after in self._choices(state, x, later):
                    if successor := self._after(state, x, before, after):
                        yield (before, after), successor

            def on_block(_: int, links: int, x: int = x, count: int = count, kept: int = kept) -> None:
                what = f"magic tours of {self.m}x{self.n}, after {x} of {self.size:,} cells"
                assert_time(f"{what}: {count:,} states")
                needed = STATE * (count + links) + LINK * (kept + links)
                assert_room(needed, f"the table of {what},")

            states, links = next_level(states, successors, all_links=True, on_block=on_block)
            if len(states) > MOST_STATES:
                where = f"{self.m}x{self.n}, after {x + 1} of {self.size:,} cells"
                raise TooLargeError(f"magic tours of {where}: more than {MOST_STATES:,} states")
            layers.append(links)
            kept += len(links)
            if progress:
                progress((x + 1) / self.size)
        prune(layers)
        return layers

    def _choices(self, state: _State, x: int, later: list[int]) -> Iterator[tuple[int, int]]:
        """The cells ahead before and after a cell; the cell itself where that neighbour lies behind."""
        if state.inside >> x & 1:
            yield x, x
            return
        firsts = {piece.first: piece for piece in state.pieces}
        lasts = {piece.last: piece for piece in state.pieces}
        free = [y for y in later if not state.inside >> y & 1]
        before = [y for y in free if y in lasts or y not in firsts]
        after = [y for y in free if y in firsts or y not in lasts]
        if START in lasts and self.odd(x):
            before.append(START)
        if END in firsts and self.odd(x) == self.size % 2:
            after.append(END)
        for y in [x] if x in lasts else before:
            for z in [x] if x in firsts else after:
                if y != z or y == x:
                    yield y, z

    def _after(self, state: _State, x: int, before: int, after: int) -> _State | None:
        """The next state, when the tour leads to x from one cell and on to another."""
        pieces = {piece.first: piece for piece in state.pieces}
        inside, forms = state.inside, [*state.sums, *state.equations]
        column = x // self.m
        for p, q in ((before, x), (x, after)):
            if p == q:
                continue
            left = next((piece for piece in pieces.values() if piece.last == p), _Span(p, p, 1))
            right = pieces.pop(q, _Span(q, q, 1))
            if right is left:
                return None
            pieces.pop(left.first, None)
            joined = _Span(left.first, right.last, left.length + right.length)
            pieces[joined.first] = joined
            base: Form = (0, ((joined.first, 1),))
            if joined.first == START:
                base = ZERO
                if joined.last == END and joined.length != self.size + 2:
                    return None
                forms = _begun(forms, q, left.length)
            elif joined.last == END:
                base = (self.size + 2 - joined.length, ())
                forms = _begun(forms, joined.first, base[0])
            else:
                forms = _begun(forms, q, left.length, joined.first)
            for cell, piece, place in ((p, left, left.length - 1), (q, right, left.length)):
                if cell >= 0 and piece.length > 1:
                    inside |= 1 << cell
                    at = cell // self.m - column
                    forms[at] = _sum(forms[at], 1, (base[0] + place, base[1]), 1)
        sums, equations = forms[:3], forms[3:]
        if (x + 1) % self.m == 0:
            equations.append((sums[0][0] - self.wanted, sums[0][1]))
            sums = [*sums[1:], ZERO]
        reduced: tuple[Form, ...] | None = tuple(equations)
        if reduced != state.equations:
            reduced = _reduced(equations)
        kept = tuple(sorted(pieces.values()))
        if reduced is None or not self._may_hold(kept, reduced):
            return None
        return _State(kept, inside & ~(1 << x), reduced, tuple(sums))

    def _may_hold(self, pieces: Iterable[_Span], equations: Iterable[Form]) -> bool:
        """Whether each equation alone may hold, and pieces whose steps are known are apart."""
        length = {piece.first: piece.length for piece in pieces}
        spans = []
        for constant, terms in equations:
            least = most = odd = constant
            for unknown, times in terms:
                ends = times, times * (self.size + 1 - length[unknown])
                least, most = least + min(ends), most + max(ends)
                odd += times * self.odd(unknown)
            if least > 0 or most < 0 or odd % 2:
                return False
            if len(terms) == 1:
                begin = -constant // terms[0][1]
                spans.append((begin, begin + length[terms[0][0]]))
        for piece in pieces:
            if piece.first == START:
                spans.append((0, piece.length))
            elif piece.last == END:
                spans.append((self.size + 2 - piece.length, self.size + 2))
        return all(one[1] <= two[0] for one, two in pairwise(sorted(spans)))


# ---- linear forms


def _sum(one: Form, times: int, two: Form, often: int) -> Form:
    """`times` one form and `often` another."""
    total = {unknown: coefficient * times for unknown, coefficient in one[1]}
    for unknown, coefficient in two[1]:
        total[unknown] = total.get(unknown, 0) + often * coefficient
    return one[0] * times + two[0] * often, tuple(sorted([term for term in total.items() if term[1]]))


def _reduced(equations: Iterable[Form]) -> tuple[Form, ...] | None:
    """The same equations, form = 0, in reduced echelon form; None if they contradict one another."""
    kept: dict[int, Form] = {}  # by their first unknown
    for equation in equations:
        form = equation
        for lead, other in kept.items():
            form = _without(form, lead, other)
        if not form[1]:
            if form[0]:
                return None
            continue
        first = form[1][0][0]
        rows = {lead: _without(other, first, form) for lead, other in kept.items()} | {first: form}
        kept = {}
        for lead, row in rows.items():
            common = gcd(*(times for _, times in row[1]))
            if row[0] % common:
                return None
            common *= 1 if row[1][0][1] > 0 else -1
            kept[lead] = (row[0] // common, tuple((unknown, times // common) for unknown, times in row[1]))
    return tuple(sorted(kept.values(), key=lambda form: form[1]))


def _begun(forms: Iterable[Form], unknown: int, step: int, after: int | None = None) -> list[Form]:
    """Forms in which an unknown is a step, or so many steps after another unknown."""
    value: Form = -step, ((unknown, 1),) if after is None else ((unknown, 1), (after, -1))
    return [_without(form, unknown, value) for form in forms]


def _without(form: Form, unknown: int, other: Form) -> Form:
    """A form from which an unknown is eliminated by another one, which has it."""
    times = dict(form[1]).get(unknown, 0)
    return _sum(form, dict(other[1])[unknown], other, -times) if times else form


# ---- tours


def _paths(layers: list[list[Link]]) -> Iterator[Ints]:
    """The tours that the links make, as cells in order."""
    size = len(layers)
    onward: list[dict[int, list[Link]]] = []
    for links in layers:
        onward.append(defaultdict(list))
        for link in links:
            onward[-1][link[0]].append(link)
    successor = [0] * (size + 1)  # the last entry belongs to START, which is -1
    stack = [iter(onward[0][0])]
    while stack:
        x = len(stack) - 1
        if (next_link := next(stack[-1], None)) is None:
            stack.pop()
            continue
        _, (before, after), state = next_link
        # A cell itself stands for a neighbour that lies behind, whose link says the same.
        if before != x:
            successor[before] = x
        if after != x:
            successor[x] = after
        if x + 1 < size:
            stack.append(iter(onward[x + 1][state]))
            continue
        assert_time("tours were put together")
        path = [successor[START]]
        while len(path) < size:
            path.append(successor[path[-1]])
        yield np.array(path, dtype=np.int64)
