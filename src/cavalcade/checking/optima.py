"""Longest walks, covers by paths and walks with revisits: the walks, and bounds that certificates prove.

`question.reductions` describes graphs whose tours stand for walks. A certificate about such a graph proves a
bound for the walks. The checker makes these graphs from the description, without the code that made them, and
compares them with the graph of each certificate.

*The longest walk.* The walks are divided into cases. A case is a connected part of the remaining cells. If
walks are open, the certificate of a case covers all walks in the part, and its cells are removed. If walks
are closed, it covers all walks in the part through the root, and the root is removed. A certificate that the
board has no tour covers all walks: none visits every cell. Other walks stay in a connected part of the cells
that remain at the end. There a walk has no more moves than cells. If every move changes the colour of the
cell, a closed walk visits equally many cells of both colours, and an open walk at most one more of one of
them.

*Fewest paths.* A cover by fewer paths can be divided into k paths, as far as there are k cells. So a
certificate that k paths do not cover the board proves that fewer do not. Each connected part needs a path; if
every move changes the colour of the cell, it needs as many as it has more cells of one colour.

*Fewest revisits.* Numbers d(a, b) for two cells each are lower bounds for the length of a walk from a to b if
d(a, b) is at most 1 for every move, and d(a, c) at most d(a, b) + 1 for every move from b to c. The weight of
the edge between a and b must be such a number, less 1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from math import gcd
from typing import NamedTuple

import numpy as np

from cavalcade.answers.certificate import Certificate
from cavalcade.answers.tours import Tour
from cavalcade.checking.certificates import verify
from cavalcade.checking.constraints import covers, moves_left, moves_of
from cavalcade.checking.geometry import turning
from cavalcade.checking.tours import Checked
from cavalcade.question.question import Question

Move = tuple[int, int]


class Case(NamedTuple):
    """A part of a proof that no walk is better.

    Args:
        certificate: a proof about a graph of `question.reductions`, or that the board has no tour.
        cells: for longest walks, the cells of the walks of this case, ascending.
        root: for longest closed walks, a cell that the walks of this case visit.
    """

    certificate: Certificate
    cells: tuple[int, ...] = ()
    root: int | None = None


class Place:
    """The cells of a board and the moves between them, as the checker sees them.

    Args:
        question: which walks are meant; only its moves, its ends and whether it is closed.
        weights: weight of each move (tail, head), in both directions if moves go both ways; by default 1.
        visited: cells that every walk visits, besides the given ends.
    """

    def __init__(
        self,
        question: Question,
        weights: Mapping[Move, Decimal] | None = None,
        visited: Iterable[int] = (),
    ) -> None:
        self.question, self.one_way = question, question.one_way
        self.visited = frozenset(visited) | {
            cell for cell in (question.start, question.end) if cell is not None
        }
        moves = moves_left(question)
        back = moves[:, ::-1]
        if question.direction is not None and not question.board.plain:
            sign = turning(question.board, moves) * (1 if question.direction == "counterclockwise" else -1)
            moves, back = moves[sign > 0], back[(sign < 0) & (not question.directed)]
        elif question.directed:
            back = back[:0]
        self.arcs = set(map(tuple, np.concatenate([moves, back]).tolist()))
        self.weights = weights
        self.onward: dict[int, set[int]] = defaultdict(set)
        self.backward: dict[int, set[int]] = defaultdict(set)
        for a, b in self.arcs:
            self.onward[a].add(b)
            self.backward[b].add(a)

    def weight(self, a: int, b: int) -> Decimal:
        """The weight of a move."""
        return Decimal(1) if self.weights is None else self.weights[a, b]

    def parts(self, cells: Iterable[int]) -> Iterator[set[int]]:
        """Divide cells into the parts that a walk cannot leave.

        A closed walk returns to each of its cells: if moves go one way, it stays in a strong component.
        """
        remaining = set(cells)
        while remaining:
            cell = min(remaining)
            if self.question.closed:
                part = _reached(cell, remaining, [self.onward]) & _reached(cell, remaining, [self.backward])
            else:
                part = _reached(cell, remaining, [self.onward, self.backward])
            yield part
            remaining -= part

    def sides(self, part: set[int]) -> tuple[set[int], set[int]] | None:
        """The two colours of the cells of a part, the smaller one first; None if a move keeps the colour."""
        colour, queue = {min(part): False}, [min(part)]
        for cell in queue:
            for neighbour in (self.onward[cell] | self.backward[cell]) & part:
                if neighbour not in colour:
                    colour[neighbour] = not colour[cell]
                    queue.append(neighbour)
                elif colour[neighbour] == colour[cell]:
                    return None
        first = {cell for cell, dark in colour.items() if dark}
        return (first, part - first) if 2 * len(first) <= len(part) else (part - first, first)

    def most(self, part: set[int]) -> Decimal:
        """An upper bound for the weight of a walk in a part, -1 if there is none; by default its moves."""
        closed = self.question.closed
        if not self.visited <= part:
            return Decimal(-1)
        moves = [(a, b) for a in part for b in self.onward[a] & part if self.one_way or a < b]
        if closed and (len(part) == 1 or (not self.one_way and len(moves) < len(part))):
            return Decimal(-1)
        cells, sides = len(part), self.sides(part)
        if sides is not None:
            cells = min(cells, 2 * len(sides[0]) + (not closed))
        heaviest = sorted((max(self.weight(a, b), Decimal(0)) for a, b in moves), reverse=True)
        return sum(heaviest[: cells - (not closed)], Decimal(0))

    def step(self, part: set[int]) -> Decimal:
        """A number that divides the weight of every walk of a part."""
        if self.weights is None:
            return Decimal(2 if self.question.closed and self.sides(part) is not None else 1)
        numbers = [self.weight(a, b) for a in part for b in self.onward[a] & part]
        unit = Decimal(1).scaleb(min(0, *(int(number.as_tuple().exponent) for number in numbers)))
        return (gcd(*(int(number / unit) for number in numbers)) or 1) * unit


def _reached(cell: int, cells: set[int], ways: Sequence[Mapping[int, set[int]]]) -> set[int]:
    """The cells that moves reach from a cell without leaving a set."""
    part, queue = {cell}, [cell]
    for tail in queue:
        for head in set().union(*(way.get(tail, set()) for way in ways)) & cells - part:
            part.add(head)
            queue.append(head)
    return part


def check_walk(place: Place, walk: Tour) -> Checked:
    """Check that consecutive cells of a walk are moves, and that it has the given ends."""
    question, cells = place.question, walk.cells.tolist()
    onward = [*pairwise(cells), *([(cells[-1], cells[0])] if walk.closed and len(cells) > 1 else [])]
    for step, move in enumerate(onward, 1):
        if move not in place.arcs:
            names = "-".join(map(question.board.name, move))
            return Checked(ok=False, message=f"step {step} of a walk, {names}, is not a move", step=step)
    for cell, expected in ((cells[0], question.start), (cells[-1], None if walk.closed else question.end)):
        if expected not in {None, cell}:
            name = question.board.name
            return Checked(ok=False, message=f"a walk has the end {name(cell)}, not {name(int(expected))}")
    return Checked(ok=True, message=f"a walk of {len(onward):,} moves")


def weight_of_walk(place: Place, walk: Tour) -> Decimal:
    """The weight of the moves of a walk that visits no cell twice.

    Raises:
        AssertionError: it visits a cell twice, or makes a move there and back again, which is no cycle.
    """
    cells = walk.cells.tolist()
    if len(set(cells)) < len(cells):
        raise AssertionError("a longest walk visits a cell twice")
    if not place.visited <= set(cells):
        raise AssertionError("a walk does not visit a cell that every walk visits")
    if walk.closed and len(cells) < (2 if place.one_way else 3):
        raise AssertionError("a closed walk has too few cells")
    return sum(
        (place.weight(a, b) for a, b in pairwise([*cells, *cells[: walk.closed]])),
        Decimal(0),
    )


# ---- longest walks


def longest_bound(place: Place, cases: Sequence[Case]) -> Decimal:
    """Return a weight that no walk exceeds; -1 if there is no walk.

    Raises:
        AssertionError: a case is not about a part of the remaining cells, or its proof is wrong.
    """
    question = place.question
    remaining, bound, overall = set(range(question.board.size)), Decimal(-1), Decimal("Infinity")
    for case in cases:
        about, cells = case.certificate, set(case.cells)
        if about.at_most is None and covers(about.question, question):
            _assert_proved(about)
            if place.weights is None:
                cells_of_all = list(place.parts(range(question.board.size)))
                longest = Decimal(question.board.size - (not question.closed))
                overall = _less(longest, min(map(place.step, cells_of_all)))
            continue
        if list(case.cells) != sorted(cells) or cells not in list(place.parts(remaining)):
            raise AssertionError("a case is not about a connected part of the remaining cells")
        if (case.root is None) == question.closed or (case.root is not None and case.root not in cells):
            raise AssertionError(
                "a closed walk has a root among the cells of the case, an open walk has none"
            )
        edges = _skipping_edges(place, case)
        _assert_about(about, edges, one_way=place.one_way)
        if (limit := about.weight_limit) is not None:
            if limit.weights != tuple(edges[edge] for edge in sorted(edges)):
                raise AssertionError("the weights of a certificate are not those of the walks")
            bound = max(bound, _less(-limit.most, place.step(cells)))
        remaining -= cells if case.root is None else {case.root}
        if case.root in place.visited:
            remaining = set()
    bound = max(bound, *map(place.most, place.parts(remaining)), Decimal(-1))
    least_cycle = 2 if place.one_way else 3
    if question.closed and place.weights is None and bound < least_cycle:
        return Decimal(-1)
    return min(bound, overall)


def _less(number: Decimal, step: Decimal) -> Decimal:
    """The greatest multiple of a step below a number."""
    multiple = number // step * step
    return multiple - step if multiple >= number else multiple


def _assert_proved(certificate: Certificate) -> None:
    checked = verify(certificate)
    if not checked:
        raise AssertionError(checked.message)


def _assert_about(certificate: Certificate, edges: Iterable[Move], *, one_way: bool) -> None:
    """Verify a certificate about closed tours of a graph with these edges, in any order.

    Raises:
        AssertionError: it is about something else, or wrong.
    """
    question = certificate.question
    if not question.board.plain or question.from_to or question.constraints:
        raise AssertionError("a certificate is not about the tours of a graph without conditions")
    if (
        not question.closed
        or question.directed != one_way
        or moves_of(question).tolist() != [list(edge) for edge in sorted(edges)]
    ):
        raise AssertionError("a certificate is about another graph")
    _assert_proved(certificate)


def _skipping_edges(place: Place, case: Case) -> dict[Move, Decimal]:
    """The edges and weights of the graph that stands for the walks of a case, see `question.reductions`."""
    question, cells, k = place.question, case.cells, len(case.cells)
    index = {cell: i for i, cell in enumerate(cells)}
    fixed = place.visited | ({case.root} if case.root is not None else set())
    skipped = [index[cell] for cell in cells if cell not in fixed]
    edges: dict[Move, Decimal] = {}

    def add(a: int, b: int, weight: Decimal = Decimal(0)) -> None:
        edges[(a, b) if place.one_way or a < b else (b, a)] = weight

    for a in cells:
        for b in place.onward[a] & index.keys():
            if b == case.root:
                add(index[a], k, -place.weight(a, b))
            if b != case.root or not place.one_way:
                add(index[a], index[b], -place.weight(a, b))
    last = k + len(skipped) if place.one_way else k + 2
    for cell in cells:
        if case.root is None and question.end in {None, cell}:
            add(index[cell], k)
        if cell == case.root or (case.root is None and question.start in {None, cell}):
            add(last, index[cell])
    if place.one_way:
        for i, v in enumerate(skipped, k):
            add(i, i + 1)
            add(i, v)
            add(v, i + 1)
    else:
        add(k, k + 1)
        for i, v in enumerate(skipped):
            p = k + 3 * (i + 1)
            add(k + 1 if i == 0 else p - 1, p)
            add(p, p + 1)
            add(p, v)
            add(p + 1, v)
            add(p + 1, p + 2)
        add(last, k + 3 * len(skipped) + 2 if skipped else k + 1)
    return edges


# ---- covers by paths, and walks with revisits


def paths_bound(place: Place, cases: Sequence[Case]) -> int:
    """Return a number of paths such that fewer do not cover the board.

    Raises:
        AssertionError: a certificate is not about covers by paths of this board, or wrong.
    """
    n = place.question.board.size
    sides = map(place.sides, place.parts(range(n)))
    bound = sum(1 if colours is None else max(1, len(colours[1]) - len(colours[0])) for colours in sides)
    for case in cases:
        question = case.certificate.question
        if covers(question, place.question) and case.certificate.at_most is None:
            _assert_proved(case.certificate)
            bound = max(bound, 2)
            continue
        paths = question.board.size - n
        edges = {move for move in place.arcs if place.one_way or move[0] < move[1]}
        extra = {(cell, n + i) for cell in range(n) for i in range(paths)}
        edges |= extra | ({(b, a) for a, b in extra} if place.one_way else set())
        if case.certificate.at_most is not None or paths > n:
            raise AssertionError("a certificate about paths has a bound, or more paths than cells")
        _assert_about(case.certificate, edges, one_way=place.one_way)
        bound = max(bound, paths + 1)
    return bound


def revisits_bound(place: Place, cases: Sequence[Case]) -> int:
    """Return a number of revisits such that no walk through all cells has fewer.

    Raises:
        AssertionError: a certificate is not about walks of this board, or wrong.
    """
    walk_question, bound = place.question, 0
    for case in cases:
        question, limit = case.certificate.question, case.certificate.weight_limit
        if case.certificate.at_most is None and covers(question, walk_question):
            _assert_proved(case.certificate)
            bound = max(bound, 1)
            continue
        same_ends = (question.closed, question.start, question.end) == (
            walk_question.closed,
            walk_question.start,
            walk_question.end,
        )
        same_size = question.board.plain and question.board.size == walk_question.board.size
        if not same_size or not same_ends or question.constraints:
            raise AssertionError("a certificate is not about walks of this board")
        if limit is None or question.directed != place.one_way:
            raise AssertionError("a certificate about revisits has no limit of the weight")
        n = walk_question.board.size
        if any(weight != int(weight) for weight in limit.weights):
            raise AssertionError("the weight of a pair of cells is not a whole number")
        length = np.zeros((n, n), dtype=np.int64)
        pairs = moves_of(question)
        if len(pairs) != n * (n - 1) // (1 if place.one_way else 2):
            raise AssertionError("a certificate about revisits does not have all pairs of cells")
        length[tuple(pairs.T)] = [int(weight) + 1 for weight in limit.weights]
        if not place.one_way:
            length = np.maximum(length, length.T)
        for b, c in place.arcs:
            if length[b, c] > 1 or (length[:, c] > length[:, b] + 1).any():
                raise AssertionError("the weight of a pair of cells exceeds the length of a walk")
        _assert_proved(case.certificate)
        bound = max(bound, int(limit.most // 1) + 1)
    return bound


def value_and_bound(
    place: Place, what: str, walks: Sequence[Tour], cases: Sequence[Case]
) -> tuple[Decimal, Decimal]:
    """Check walks, and return their value and a bound for it that the cases prove.

    Args:
        place: the board; for paths with an open question.
        what: `longest`, `paths` or `revisits`.
        walks: one walk, or the paths of a cover; none if a closed walk does not exist.
        cases: the proof.

    Raises:
        AssertionError: a walk or a proof is wrong.
    """
    n = place.question.board.size
    for walk in walks:
        checked = check_walk(place, walk)
        if not checked:
            raise AssertionError(checked.message)
    visited = [cell for walk in walks for cell in walk.cells.tolist()]
    if what == "longest":
        value = max((weight_of_walk(place, walk) for walk in walks), default=Decimal(-1))
        return value, longest_bound(place, cases)
    if walks and (set(visited) != set(range(n)) or (what == "paths" and len(visited) != n)):
        raise AssertionError("the walks do not visit all cells, or paths have a cell in common")
    if what == "paths":
        return Decimal(len(walks)), Decimal(paths_bound(place, cases))
    return Decimal(len(visited) - n), Decimal(revisits_bound(place, cases))
