"""Enumerate the magic knight's tours of a board with few rows.

The board is swept cell by cell, column by column. A *state* contains what matters of the cells swept so far:
the pieces of the tour that reach later cells, each with its direction and its length, and linear equations
between the unknown steps on which the pieces begin. Each complete column adds one equation: its steps add up
to the magic sum. Joining two pieces expresses the step of the second by that of the first. A state is
discarded if its equations contradict each other, have no integer solution of the right parity, or need steps
outside the tour. Because states contain relations between steps instead of the steps, many walks share a
state. With four rows, the number of states grows linearly with the columns, and the number of tours more than
doubles with each column.

Step 0 and step N + 1 are on two additional cells before and after the tour, so its ends are like other cells.
A backward pass discards states that no tour passes. A forward pass then assembles the tours and tests the
sums of their rows.

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

Form = tuple[int, tuple[tuple[int, int], ...]]  # a constant, and pairs of an unknown and its coefficient
Step = tuple[int, int]  # the cells before and after a cell on the tour
Link = tuple[int, Step, int]  # a state, a step, and the next state

START = -1  # the additional cell of step 0
END = START - 1  # the additional cell of step N + 1
MOST_STATES = 300_000  # states after a cell; a board with more would take hours


def _constant(value: int) -> Form:
    """Return the form without unknowns that has a value."""
    return value, ()


class _Span(NamedTuple):
    """A directed piece of the tour; its first cell denotes the unknown step on which it begins."""

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
    """Yield every magic tour of a rectangle: all rows, and all columns, have equal sums of step numbers.

    Tours are open and numbered from 1. Of a tour and its reflections one is yielded; the reverse of a tour
    counts as another tour. The method is for boards of up to five rows.

    Args:
        board: a rectangle, or its spec.
        columns: only require equal sums of the columns.
        memory: limit for states and links in bytes; by default half of the machine's memory.
        time_limit: seconds; by default none. Tours found within the limit are yielded.
        progress: called with the finished fraction, from 0 to 1.

    Raises:
        BoardError: the board is not a rectangle without holes.
        TooLargeError: there are more than 300,000 states, or a limit is reached.

    Time: a minute of processor time for 4x18; 6x6 is too large.

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
        if min(m, n) > 5:  # even 6x6 has more than MOST_STATES
            raise TooLargeError(
                f"{rectangle.title} is too wide for magic tours: expected at most five rows, as in 4x7"
            )
        for path in _paths(_Strip(m, n).layers(progress)):
            tour = Tour(rectangle, (path % m) * n + path // m, closed=False)
            rows = tour.numbering.sum(axis=1)
            if (columns or (rows == rows[0]).all()) and _is_first(path, m, n):
                yield tour

    return bounded_items(tours, memory=memory, time_limit=time_limit)


def _is_first(path: Ints, m: int, n: int) -> bool:
    """Return whether a tour precedes its reflections that begin on the colour of cell 0."""
    row, column = path % m, path // m
    images = [
        (rows + columns * m).tolist()
        for rows in (row, m - 1 - row)
        for columns in (column, n - 1 - column)
        if (rows[0] + columns[0]) % 2 == 0
    ]
    return bool(path.tolist() == min(images))


class _State(NamedTuple):
    """State after some cells.

    Args:
        pieces: pieces of the tour, ascending.
        inside: bit set of the later cells that have both moves.
        equations: forms that must be zero, in reduced echelon form.
        sums: sums of the known steps in this column and in the next two, one form per column.
    """

    pieces: tuple[_Span, ...]
    inside: int
    equations: tuple[Form, ...]
    sums: tuple[Form, ...]


class _Strip:
    """The states of a board with m rows and n columns; cells are numbered column by column."""

    def __init__(self, m: int, n: int) -> None:
        self.m, self.n, self.size = m, n, m * n
        self.wanted = m * (m * n + 1) // 2

    def odd(self, x: int) -> bool:
        """Return whether the step of a cell is odd; a tour begins on the colour of cell 0."""
        return sum(divmod(x, self.m)) % 2 == 0

    def later(self, x: int) -> list[int]:
        """Return the neighbours of a cell that are later in the sweep."""
        column, row = divmod(x, self.m)
        return sorted(
            (column + right) * self.m + row + down
            for down, right in ((-2, 1), (2, 1), (-1, 2), (1, 2))
            if 0 <= row + down < self.m and column + right < self.n
        )

    def layers(self, progress: ProgressCallback | None) -> list[list[Link]]:
        """Return the links between states for each cell, without the links that lead to no tour."""
        states: dict[_State, int] = {
            _State((_Span(END, END, 1), _Span(START, START, 1)), 0, (), (_constant(0),) * 3): 0
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
                stage = f"magic tours of {self.m}x{self.n}, after {x} of {self.size:,} cells"
                assert_time(f"{stage}: {count:,} states")
                # Memory per state of the present levels, and per link kept: twice the traced memory of 4x10.
                state_bytes, link_bytes = 2_000, 100
                needed = state_bytes * (count + links) + link_bytes * (kept + links)
                assert_room(needed, f"the table of {stage},")

            states, links = next_level(states, successors, all_links=True, on_block=on_block)
            if len(states) > MOST_STATES:
                stage = f"{self.m}x{self.n}, after {x + 1} of {self.size:,} cells"
                raise TooLargeError(f"magic tours of {stage}: more than {MOST_STATES:,} states")
            layers.append(links)
            kept += len(links)
            if progress:
                progress((x + 1) / self.size)
        prune(layers)
        return layers

    def _choices(self, state: _State, x: int, later: list[int]) -> Iterator[tuple[int, int]]:
        """Yield the possible later neighbours before and after a cell; x itself stands for an earlier one."""
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
        """Return the next state if the tour passes `before`, x, `after`; None if that is impossible."""
        pieces = {piece.first: piece for piece in state.pieces}
        inside, forms = state.inside, [*state.sums, *state.equations]
        column = x // self.m
        for p, q in ((before, x), (x, after)):
            if p == q:
                continue
            left = next((piece for piece in pieces.values() if piece.last == p), _Span(p, p, 1))
            right = pieces.pop(q, _Span(q, q, 1))
            if right is left:  # a closed piece
                return None
            pieces.pop(left.first, None)
            joined = _Span(left.first, right.last, left.length + right.length)
            pieces[joined.first] = joined
            # Replace the unknown step of `right` by that of the joined piece, which is known at an end.
            base: Form = (0, ((joined.first, 1),))
            if joined.first == START:
                base = _constant(0)
                if joined.last == END and joined.length != self.size + 2:
                    return None
                forms = _begun(forms, q, left.length)
            elif joined.last == END:
                base = _constant(self.size + 2 - joined.length)
                forms = _begun(forms, joined.first, base[0])
            else:
                forms = _begun(forms, q, left.length, joined.first)
            # Add the steps of the cells that now have both moves to the sums of their columns.
            for cell, piece, place in ((p, left, left.length - 1), (q, right, left.length)):
                if cell >= 0 and piece.length > 1:
                    inside |= 1 << cell
                    index = cell // self.m - column
                    forms[index] = _sum(forms[index], 1, (base[0] + place, base[1]), 1)
        sums, equations = forms[:3], forms[3:]
        if (x + 1) % self.m == 0:  # the column is complete
            equations.append((sums[0][0] - self.wanted, sums[0][1]))
            sums = [*sums[1:], _constant(0)]
        reduced: tuple[Form, ...] | None = tuple(equations)
        if reduced != state.equations:
            reduced = _reduced(equations)
        kept = tuple(sorted(pieces.values()))
        if reduced is None or not self._may_hold(kept, reduced):
            return None
        return _State(kept, inside & ~(1 << x), reduced, tuple(sums))

    def _may_hold(self, pieces: Iterable[_Span], equations: Iterable[Form]) -> bool:
        """Return whether each equation has a solution by itself, and pieces with known steps are disjoint."""
        length = {piece.first: piece.length for piece in pieces}
        spans = []
        for constant, terms in equations:
            # Bound the form by the possible steps of the unknowns, and compute its parity.
            least = most = parity = constant
            for unknown, coefficient in terms:
                bounds = coefficient, coefficient * (self.size + 1 - length[unknown])
                least, most = least + min(bounds), most + max(bounds)
                parity += coefficient * self.odd(unknown)
            if least > 0 or most < 0 or parity % 2:
                return False
            if len(terms) == 1:
                begin = -constant // terms[0][1]
                spans.append((begin, begin + length[terms[0][0]]))
        for piece in pieces:
            if piece.first == START:
                spans.append((0, piece.length))
            elif piece.last == END:
                spans.append((self.size + 2 - piece.length, self.size + 2))
        return all(earlier[1] <= later[0] for earlier, later in pairwise(sorted(spans)))


# ---- linear forms


def _sum(a: Form, a_factor: int, b: Form, b_factor: int) -> Form:
    """Return `a_factor` * a + `b_factor` * b."""
    total = {unknown: coefficient * a_factor for unknown, coefficient in a[1]}
    for unknown, coefficient in b[1]:
        total[unknown] = total.get(unknown, 0) + b_factor * coefficient
    return a[0] * a_factor + b[0] * b_factor, tuple(sorted([term for term in total.items() if term[1]]))


def _reduced(equations: Iterable[Form]) -> tuple[Form, ...] | None:
    """Bring equations, form = 0, to reduced echelon form; None if they have no integer solution."""
    kept: dict[int, Form] = {}  # equations by their first unknown
    for equation in equations:
        form = equation
        for lead, pivot in kept.items():
            form = _without(form, lead, pivot)
        if not form[1]:
            if form[0]:
                return None
            continue
        first = form[1][0][0]
        rows = {lead: _without(pivot, first, form) for lead, pivot in kept.items()} | {first: form}
        kept = {}
        for lead, row in rows.items():
            # Divide by the common factor of the coefficients, so that the first one is positive.
            common = gcd(*(coefficient for _, coefficient in row[1]))
            if row[0] % common:
                return None
            common *= 1 if row[1][0][1] > 0 else -1
            terms = tuple((unknown, coefficient // common) for unknown, coefficient in row[1])
            kept[lead] = (row[0] // common, terms)
    return tuple(sorted(kept.values(), key=lambda form: form[1]))


def _begun(forms: Iterable[Form], unknown: int, step: int, after: int | None = None) -> list[Form]:
    """Substitute a step for an unknown in forms, or `step` plus another unknown, `after`."""
    value: Form = -step, ((unknown, 1),) if after is None else ((unknown, 1), (after, -1))
    return [_without(form, unknown, value) for form in forms]


def _without(form: Form, unknown: int, pivot: Form) -> Form:
    """Eliminate an unknown from a form by another form that contains it."""
    coefficient = dict(form[1]).get(unknown, 0)
    return _sum(form, dict(pivot[1])[unknown], pivot, -coefficient) if coefficient else form


# ---- tours


def _paths(layers: list[list[Link]]) -> Iterator[Ints]:
    """Yield the tours along the links as cells in order."""
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
        # A neighbour equal to x is earlier in the sweep; its own link has set this successor.
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
