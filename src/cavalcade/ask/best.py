"""What comes closest to a tour: longest walks, covers by few paths, few removed cells, few revisits.

Each question becomes one about Hamiltonian cycles of another graph, see `question.reductions`. So the engines
that find and refute tours answer it, and branch and cut finds the best of several tours. A longest walk
leaves out the fewest cells; removed from the board, these cells leave a board with a tour.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import pairwise
from typing import Literal, TypeAlias, Unpack, get_args

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible, Undecided, Verdict
from cavalcade.answers.verification import Verification
from cavalcade.ask.portfolio import TurnCallback, answer
from cavalcade.ask.salesman import improved
from cavalcade.ask.weights import Weights, exact_weights
from cavalcade.checking.optima import Case, Place
from cavalcade.checking.verification import optimum
from cavalcade.ground.budget import SECOND, Budget, because, limits
from cavalcade.ground.errors import CavalcadeError, TooLargeError, seconds_of, whole
from cavalcade.ground.kernels import Cells
from cavalcade.question.constraints import cells_of
from cavalcade.question.graph import BoardLike, MoveGraph
from cavalcade.question.question import Question
from cavalcade.question.reductions import (
    asks_more_than_ends,
    closure,
    distances,
    path_cover,
    paths_of,
    skipping,
    tour_along,
    walk_of,
    with_detours,
)
from cavalcade.question.words import Cells as Listed
from cavalcade.question.words import QuestionWords, validated

Wanted: TypeAlias = Literal["longest", "fewest paths", "fewest removed", "fewest revisits"]
WANTED: tuple[Wanted, ...] = get_args(Wanted)


@dataclass(frozen=True)
class BestWalks:
    """The best walks of a board, or the best known walks with a bound.

    Args:
        what: what was wanted.
        walks: the walk, or the paths of a cover. A walk need not visit all cells, or may visit a cell twice.
        value: number of moves of the longest walk, or their weight; number of paths, of removed cells, or of
            revisits.
        bound: bound that is proved for the value of all walks: an upper bound for `longest`, else a lower
            bound.
        seconds: elapsed time.
        cases: the certificates that prove the bound. There are none if the number of cells of each colour
            does.
        verification: `CERTIFIED` if the checker has verified the walks and the bound.
        place: the cells, the moves and the weights, as the checker sees them.

    Examples:
        >>> best("4x4", "fewest paths").value
        2
        >>> best("5x5", "fewest removed").exact
        True
    """

    what: Wanted
    walks: tuple[Tour, ...]
    value: int | Decimal
    bound: int | Decimal
    seconds: float
    cases: tuple[Case, ...] = field(default=(), repr=False)
    verification: Verification = Verification.UNCHECKED
    place: Place | None = field(default=None, repr=False, compare=False)

    @property
    def exact(self) -> bool:
        """Whether it is proved that no other walk is better."""
        return self.value == self.bound and self.verification != Verification.UNCHECKED

    @property
    def walk(self) -> Tour:
        """The walk, or the first path."""
        return self.walks[0]

    @property
    def left_out(self) -> tuple[str, ...]:
        """Names of the cells that the walks do not visit."""
        board = self.walk.board
        visited = {cell for walk in self.walks for cell in walk.cells.tolist()}
        return tuple(board.name(cell) for cell in range(board.size) if cell not in visited)


@validated
def best(
    board: BoardLike | Question,
    what: Wanted = "longest",
    *,
    weights: Weights | None = None,
    optional: Listed | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
    progress: TurnCallback | None = None,
    **words: Unpack[QuestionWords],
) -> BestWalks | Impossible | Undecided:
    """Find a longest path or cycle, a smallest path cover or a similar optimum, and prove that it is optimal.

    Args:
        board: a board, its spec, a move graph, or a complete `Question`.
        what: `longest`: the longest walk that visits no cell twice; `fewest paths`: paths that together visit
            every cell once; `fewest removed`: the fewest cells to remove, so that the rest has a tour;
            `fewest revisits`: a walk that visits all cells, some of them repeatedly.
        weights: for `longest` open walks or on a directed graph, weight of each edge, as for `tsp`; by
            default 1.
        optional: for `longest` and `fewest removed`, the only cells that the walk may leave out, or that may
            be removed; by default all cells.
        seed: seed of the random choices.
        time_limit: seconds, by default sixty. At the limit the best walk so far is returned.
        memory: limit in bytes or as text such as "4G"; by default all memory of the machine.
        progress: called with an `Effort` after every run of an engine.
        words: see `Question.of`: the piece, ends, and moves to avoid. Walks are closed, or open with `open`;
            paths are always open, and have no given ends.

    Returns:
        The best walk; `Impossible` if there is no walk of this kind.

    Raises:
        CavalcadeError: an invalid spec, name or number, or another constraint.

    Time: 7x7 less than a second; boards of 10x10 to 12x12 seconds, or they end with a bound.

    Examples:
        >>> best("4x4", open=True).value
        14
    """
    began = time.perf_counter()
    whole(seed, "seed")
    seconds = 60.0 if time_limit is None else seconds_of(time_limit)
    with limits(seconds, memory, progress):
        question = Question.of(board, **words)
        assert_supported(question, words, what, weighted=weights is not None)
        if what == "fewest paths" or question.board.size == 1:  # one cell is a path, and no cycle
            question = replace(question, closed=False)
        exact = None if weights is None else _by_move(question, weights)
        must: set[int] = set()
        if optional is not None:
            if what not in {"longest", "fewest removed"}:
                raise CavalcadeError(f"{what} leaves out no cell: drop the optional cells")
            must = set(range(question.board.size)).difference(cells_of(question.board, optional))
        place = Place(question, exact, must)
        search = BestSearch(question, place, seed, seconds)
        with suppress(TimeoutError, TooLargeError):
            if what == "fewest paths":
                search.cover()
            elif what == "fewest revisits":
                search.revisit()
            else:
                search.lengthen()
    kind = kind_of_walks(what)
    value, bound, verification = optimum(place, kind, search.walks, search.cases)
    if kind == "longest" and bound < 0:
        missed = "visits a cell once" if optional is None else "leaves out only optional cells"
        return Impossible(f"no {question.kind} walk of {question.board.title} {missed}", "best", seed)
    if not search.walks:
        if search.reason:
            return Impossible(search.reason, "best", seed)
        return Undecided(because("no walk was found within the limits"), "best", seed)
    if what == "fewest removed":
        value, bound = removed(question, value), removed(question, bound)
    number = Decimal if weights is not None else int
    return BestWalks(
        what,
        search.walks,
        number(value),
        number(bound),
        time.perf_counter() - began,
        tuple(search.cases),
        verification,
        place,
    )


def kind_of_walks(what: str) -> str:
    """Return what the checker calls a wanted number: `longest`, `paths` or `revisits`."""
    return "longest" if what == "fewest removed" else what.removeprefix("fewest ")


def removed(question: Question, moves: Decimal) -> Decimal:
    """Return the number of cells that a walk of this many moves leaves out."""
    return question.board.size - (moves + (not question.closed))


def assert_supported(question: Question, words: QuestionWords, what: str, *, weighted: bool) -> None:
    """Refuse constraints that a reduction does not express.

    Args:
        question: the question.
        words: the words that the question was made of.
        what: as in `best`.
        weighted: whether the moves have weights.

    Raises:
        CavalcadeError: the question has such a constraint.
    """
    if what not in WANTED:
        raise CavalcadeError(f"{what!r} is not a question, expected one of {', '.join(WANTED)}")
    if asks_more_than_ends(question, words):
        raise CavalcadeError(f"{what} supports ends, and moves to avoid: drop the rest")
    if what == "fewest paths" and (question.start, question.end) != (None, None):
        raise CavalcadeError("the paths of a cover have any ends: drop the start and the end")
    if weighted and what != "longest":
        raise CavalcadeError(f"{what} counts cells, not weights: drop the weights")
    if weighted and question.closed and not question.one_way:
        raise CavalcadeError(
            "weights are supported for open walks, or on a directed graph: ask for an open one"
        )


def _by_move(question: Question, weights: Weights) -> dict[tuple[int, int], Decimal]:
    """Return the weight of each move, in both directions if moves go both ways."""
    exact = exact_weights(weights, question)
    by_move = dict(zip(question.graph.pairs(), exact, strict=True))
    if not question.directed:
        by_move |= {(b, a): weight for (a, b), weight in by_move.items()}
    return {(a, b): by_move[a, b] for a, b in question.moves.tolist()}


class BestSearch:
    """A search for the best walks of a board.

    Args:
        question: which walks.
        place: the same cells and moves, as the checker sees them.
        seed: seed of the random choices.
        seconds: time limit. A single question may take a quarter of the work that it allows.

    Attributes:
        walks: the best walk, or the best cover; empty until one is found.
        cases: certificates that no walk is better.
        reason: why there is no walk; empty unless that is certain.
        limit: length that no walk exceeds, from the number of cells of each colour, and the proof that the
            board has no tour.
    """

    def __init__(self, question: Question, place: Place, seed: int, seconds: float) -> None:
        self.question, self.place, self.seed = question, place, seed
        self.work = seconds * SECOND / 4
        self.walks: tuple[Tour, ...] = ()
        self.cases: list[Case] = []
        self.reason = ""
        self.limit = Decimal("Infinity")

    def _answer(self, question: Question) -> Verdict:
        """Answer a question, and keep the proof if the answer is no and the question is about the board."""
        verdict = answer(question, self.seed, budget=Budget(self.work))
        if isinstance(verdict, Impossible) and verdict.certificate and not question.is_small:
            self.cases.append(Case(verdict.certificate))
        return verdict

    def _keep(self, *walks: Cells) -> None:
        board, closed, piece = self.question.board, self.question.closed, self.question.piece
        self.walks = tuple(Tour(board, walk, closed, piece, claimed=False) for walk in walks)

    # ---- the longest walk

    def lengthen(self) -> None:
        """Find a longest walk, one part of the board after another, and the cases that prove it."""
        question, place = self.question, self.place
        if place.weights is None and isinstance(verdict := self._answer(question), Found):
            self._keep(verdict.tour.cells)
            return
        self.limit = optimum(place, "longest", (), self.cases)[1]
        remaining, longest = set(range(question.board.size)), Decimal(-1)
        if place.weights is None:
            longest = self._guess(max(place.parts(remaining), key=place.most))
        while remaining:
            part = max(place.parts(remaining), key=place.most)
            if min(place.most(part), self.limit) <= longest:
                return
            cells = sorted(part)
            root = self._root(part) if question.closed else None
            walk, case = self._longest_in(cells, root)
            if walk is not None:
                weight = sum((place.weight(a, b) for a, b in _moves(walk, question.closed)), Decimal(0))
                if weight > longest:
                    longest = weight
                    self._keep(walk)
            if case is None:
                return
            self.cases.append(case)
            remaining -= part if root is None else {root}
            if root in place.visited:
                return

    def _root(self, part: set[int]) -> int:
        """Return a cell that few closed walks of a part avoid: a required one, or one with many moves."""
        if self.place.visited:
            return min(self.place.visited) if self.question.start is None else self.question.start
        sides = self.place.sides(part)
        cells = part if sides is None else sides[0]
        visited = {cell for walk in self.walks for cell in walk.cells.tolist()}
        return max(sorted(cells & visited or cells), key=lambda cell: len(self.place.onward[cell]))

    def _longest_in(self, cells: Sequence[int], root: int | None) -> tuple[Cells | None, Case | None]:
        """Find a longest walk through some cells, and the proof that none is longer, within the limits."""
        place, question = self.place, self.question
        weights = {move: place.weight(*move) for move in map(tuple, question.moves.tolist())}
        if len(cells) == 1 and root is None:
            return np.array(cells, dtype=np.int32), None
        reduced = skipping(question, weights, cells, root, place.visited)
        start = self._start(reduced.question, cells, root)
        if start is None:
            verdict = answer(reduced.question, self.seed, budget=Budget(self.work))
            if isinstance(verdict, Impossible) and verdict.certificate:
                return None, Case(verdict.certificate, tuple(cells), root)
            if not isinstance(verdict, Found):
                return None, None
            start = verdict.tour
        step = place.step(set(cells))
        outcome = improved(
            reduced.question, reduced.weights, start, seed=self.seed, step=step, at_least=-self.limit
        )
        walk: Cells | None = walk_of(reduced.question, outcome.tour.cells, cells)
        if root is not None and not question.one_way and walk is not None and len(walk) < 3:
            walk = None  # a move there and back again: no cycle visits the root
        case = None if outcome.certificate is None else Case(outcome.certificate, tuple(cells), root)
        return walk, case

    def _start(self, question: Question, cells: Sequence[int], root: int | None) -> Tour | None:
        """Return the tour of a `skipping` graph for the longest walk; None if the walk is elsewhere."""
        if not self.walks or not {*self.walks[0].cells.tolist()} <= {*cells}:
            return None
        walk, kept = self.walks[0].cells, {root, *self.place.visited}
        if root is not None:
            index = np.flatnonzero(walk == root)
            if not len(index):
                return None
            walk = np.roll(walk, -int(index[0]))
        optional = [cell for cell in cells if cell not in kept]
        return Tour(question.board, tour_along(question, walk, cells, optional), closed=True)

    def _guess(self, part: set[int], tries: int = 12, least: int = 36) -> Decimal:
        """Look for a long walk: remove some cells of a part, and ask for a tour of the rest.

        Few moves lead to a good cell to remove. If every move changes the colour, the surplus cells of one
        colour are removed first, then equally many cells of both colours. Parts of fewer than `least` cells
        are left to branch and cut, which takes a fraction of a second for them.

        Returns:
            The number of moves of the longest walk; -1 if none was found.
        """
        question, place, chance = self.question, self.place, random.Random(self.seed)  # noqa: S311 - no secrets
        sides = place.sides(part) or (set(), part)
        is_open = not question.closed
        for attempt in range(tries if len(part) >= least else 0):
            order = sorted(
                part - place.visited, key=lambda cell: len(place.onward[cell]) + 3 * chance.random()
            )
            surplus = max(len(sides[1]) - len(sides[0]) - is_open, 0) if sides[0] else 1
            pairs = attempt * 3 // tries + (surplus == 0 and not is_open)
            surplus = max(surplus, is_open)
            dropped = [cell for cell in order if cell in sides[1]][: surplus + pairs]
            dropped += [cell for cell in order if cell in sides[0]][:pairs]
            cells = sorted(part.difference(dropped))
            number = {cell: i for i, cell in enumerate(cells)}
            arcs = [(number[a], number[b]) for a, b in place.arcs if a in number and b in number]
            if len(cells) < 3 or not arcs:
                break
            graph = MoveGraph.from_edges(arcs, len(cells), directed=question.one_way)
            start, end = (None if cell is None else number[cell] for cell in (question.start, question.end))
            rest = Question(graph, closed=question.closed, start=start, end=end)
            verdict = answer(rest, self.seed, budget=Budget(self.work / 10 / tries))
            if isinstance(verdict, Found):
                self._keep(np.array(cells, dtype=np.int32)[verdict.tour.cells])
                return Decimal(len(cells) - (not question.closed))
        return Decimal(-1)

    # ---- covers by paths

    def cover(self) -> None:
        """Find a cover by the fewest paths: try 1, 2, 4, … paths, then bisect."""
        fewest = optimum(self.place, "paths", self._single_cells(), ())[1]
        low, tried, high = int(fewest), 1, self.question.board.size + 1
        k = low
        while low < high:
            verdict = self._answer(path_cover(self.question, k))
            if isinstance(verdict, Found):
                high = k
                self._keep(*paths_of(verdict.tour.cells, self.question.board.size))
            else:
                low = k + 1
            tried *= 2
            k = min(low + tried - 1, (low + high) // 2) if not self.walks else (low + high) // 2

    def _single_cells(self) -> list[Tour]:
        """Return the cover by paths of one cell each."""
        question = self.question
        return [
            Tour(question.board, np.array([cell], dtype=np.int32), closed=False, piece=question.piece)
            for cell in range(question.board.size)
        ]

    # ---- walks with revisits

    def revisit(self) -> None:
        """Find a walk through all cells with the fewest revisits."""
        question, n = self.question, self.question.board.size
        if isinstance(verdict := self._answer(question), Found):
            self._keep(verdict.tour.cells)
            return
        length = distances(question)
        if question.closed and length.max(initial=0) == n * n:
            a, b = np.argwhere(length == n * n)[0].tolist()
            self.reason = f"no walk leads from {question.board.name(a)} to {question.board.name(b)}"
            return
        ends = (question.start, question.end)
        first, last = ([] if cell is None else [cell] for cell in ends)
        cells = np.array([*first, *(cell for cell in range(n) if cell not in ends), *last], dtype=np.int32)
        case = None
        if n > 2:
            reduced = closure(question, length)
            start = Tour(reduced.question.board, cells, question.closed)
            outcome = improved(reduced.question, reduced.weights, start, seed=self.seed)
            cells = outcome.tour.cells
            case = outcome.certificate and Case(outcome.certificate)
        if any(length[a, b] == n * n for a, b in _moves(cells, question.closed)):
            if n == 2 or case:
                self.reason = f"no walk of {question.board.title} visits all cells"
            return
        self._keep(with_detours(question, length, cells))
        self.cases += [case] if case else []


def _moves(walk: Cells, closed: bool) -> list[tuple[int, int]]:  # noqa: FBT001 - of a question
    """Return the moves of a walk."""
    cells = walk.tolist()
    return [*pairwise(cells), *([(cells[-1], cells[0])] if closed else [])]
