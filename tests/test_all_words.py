"""All words of a question together, on small boards and graphs: every function against brute force.

The oracle, `tours_of`, extends paths cell by cell and compares them with the words by the names of their
cells. The moves of a board are those of `strategies.reach`, which shares no code with the package.
"""

from __future__ import annotations

import cmath
import math
import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import cavalcade
from cavalcade import (
    Board,
    CavalcadeError,
    Found,
    Impossible,
    MoveGraph,
    Puzzle,
    Question,
    Sampler,
    Undecided,
)
from cavalcade.answers.certificate import Certificate, from_json
from cavalcade.checking.certificates import verify
from cavalcade.question.pieces import parse_piece
from strategies import reach
from test_best import expect, fewest_paths, fewest_revisits
from test_constraints import image_of, onward

if TYPE_CHECKING:
    from collections.abc import Iterator

Names = tuple[str, ...]
Words = dict[str, Any]
Canonical = frozenset[Any]  # the moves of a tour: pairs if moves go one way, otherwise sets of two cells

BOARDS = ("1x1", "1x2", "1x5", "2x2", "2x3", "2x4", "3x3", "3x3-b2", "3x3-b2", "3x4", "4x4-b2,b3,c2,c3",
          "2x2x2", "hex:2", "triangle:3", "parallelogram:2x4", "hexagon:1,2,2", "torus:2x4", "torus:3x3",
          "cylinder:3x3", "mobius:2x4", "klein:3x3", "surface:1x1x1", "cube:1", "plus:1", "frame:3x3x1",
          "4x4-a1,a2,b1,c4,d4,d3,a4,d1", "3x5-b2,d2,c1,c3,a1,e3")  # fmt: skip
PIECES = ("wazir", "king", "knight", "0,1+0,2", "1,1+0,2", "1,2+0,1", "camel", "moves:0,1;1,0;-1,-1",
          "moves:0,1;1,0;0,-2;-2,0;-1,-1", "moves:1,2;-2,1;0,1;1,0;-1,-1")  # fmt: skip
DROPPED = frozenset({"with_", "avoid", "at", "start", "end", "through", "symmetry", "moves", "coils"})
REFLECTIONS = ("half turn", "horizontal", "vertical")
SUPPORTED = ("open", "start", "end", "avoid", "piece", "moves", "avoid_cells")  # by `best`


class Case(NamedTuple):
    """A board or graph with words, and its tours.

    Args:
        place: the board or graph.
        words: the words, with cells by name.
        names: names of the cells that tours visit.
        heads: the cells that a move reaches from each of these cells, by name.
        one_way: whether the moves of the piece or graph go one way.
        tours: every tour, in each of its numberings that fits the words.
    """

    place: Board | MoveGraph
    words: Words
    names: Names
    heads: dict[str, set[str]]
    one_way: bool
    tours: list[Names]

    @property
    def closed(self) -> bool:
        """Whether its tours are closed."""
        return not self.words.get("open")

    def canonical(self, cells: Names) -> Canonical:
        """Return the moves of a tour, the same for both directions if moves go both ways."""
        moves = [*pairwise(cells), *([(cells[-1], cells[0])] if self.closed and len(cells) > 1 else [])]
        return frozenset(moves if self.one_way else map(frozenset, moves))


# ---- random cases


def case_of(seed: int) -> Case:
    """Return the random case of a seed: most words are true of a random tour, if there is one."""
    chance = random.Random(seed)
    place: Board | MoveGraph
    words: Words = {"open": True} if chance.random() < 0.6 else {}
    if chance.random() < 0.5:
        place = board_of(chance, words)
        piece = parse_piece(words["piece"])
        names = tuple(map(place.name, range(place.size)))
        rows = reach(place, piece)
        one_way = bool(piece.moves)
        avoided: list[str] = []
        if place.size > 3 and chance.random() < 0.25:
            words["avoid_cells"] = avoided = chance.sample(names, chance.randint(1, 2))
        heads = {a: {names[b] for b in row} - {*avoided} for a, row in zip(names, rows, strict=True)}
        heads = {a: row for a, row in heads.items() if a not in avoided}
    else:
        place, one_way = graph_of(chance)
        names = tuple(map(place.name, range(place.size)))
        heads = {a: set[str]() for a in names}
        for a, b in place.edges().tolist():
            heads[names[a]].add(names[b])
            if not one_way:
                heads[names[b]].add(names[a])
    names = tuple(name for name in names if name in heads)
    case = Case(place, words, names, heads, one_way, [])
    numberings = list(tours_of(case))
    add_maps(chance, case)
    fitting = [cells for cells in numberings if fits(case, cells)] or numberings
    add_words(chance, case, chance.choice(fitting) if fitting else None)
    return case._replace(tours=[cells for cells in numberings if fits(case, cells)])


def board_of(chance: random.Random, words: Words) -> Board:
    """Return a small board, and add a piece that has few enough tours."""
    while True:
        board = cavalcade.board(chance.choice(BOARDS))
        assert isinstance(board, Board)
        words["piece"] = chance.choice(PIECES)
        piece = parse_piece(words["piece"])
        if piece.moves and (board.dimensions != 2 or board.kind in {"mobius", "klein"}):
            continue
        if sum(map(len, reach(board, piece))) <= (46 if board.size < 8 else 32):
            return board


def graph_of(chance: random.Random) -> tuple[MoveGraph, bool]:
    """Return a random graph or digraph, and whether it is directed."""
    n, one_way = chance.randint(1, 8), chance.random() < 0.5
    pairs = [(a, b) for a in range(n) for b in range(n) if (a != b if one_way else a < b)]
    edges = {pair for pair in pairs if chance.random() < chance.choice([0.3, 0.5, 0.8])}
    cells = chance.sample(range(n), n)
    planted = [*pairwise(cells)] + [(cells[-1], cells[0])] * (n > 2)
    if chance.random() < 0.6:
        edges |= {(a, b) if one_way or a < b else (b, a) for a, b in planted}
    most = (25 if one_way else 15) if n > 6 else 30
    kept = chance.sample(sorted(edges), min(len(edges), most))
    labels = [f"v{v}" for v in range(n)] if chance.random() < 0.3 else None
    return MoveGraph.from_edges(sorted(kept), n, directed=one_way, labels=labels), one_way


def add_words(chance: random.Random, case: Case, tour: Names | None) -> None:
    """Add random words to a case, three in four times such that this tour fits them."""
    words, names, closed, n = case.words, case.names, case.closed, len(case.names)
    wild = tour is None or chance.random() < 0.25
    cells = tuple(chance.sample(names, n)) if wild or tour is None else tour
    moves = [(a, b) for a in names for b in case.heads[a]]
    made = [*pairwise(cells), *([(cells[-1], cells[0])] if closed else [])]
    made = [move for move in made if move in moves] if not wild else moves
    others = [move for move in moves if wild or not {move, move if case.one_way else move[::-1]} & {*made}]

    def drawn(pool: Any, most: int) -> Any:
        return chance.sample(pool, min(chance.randint(1, most), len(pool)))

    if made and chance.random() < 0.3:
        words["with_"] = ["-".join(move) if chance.random() < 0.5 else move for move in drawn(made, 2)]
    if others and chance.random() < 0.3:
        words["avoid"] = drawn(others, 3)
    if chance.random() < 0.3:
        words["at"] = {step: cells[step - 1] for step in drawn(range(1, n + 1), 3)}
    if chance.random() < 0.3:
        words["start"] = cells[0]
    if not closed and n > 1 and chance.random() < 0.3:
        words["end"] = cells[-1]
    if chance.random() < 0.3:
        places = sorted(drawn(range(n), 4))
        if closed and "at" in words and "start" not in words:
            words["at"] |= {1: cells[0]}
        words["through"] = [cells[place] for place in places]


def add_maps(chance: random.Random, case: Case) -> None:
    """Add a random symmetry, a direction of the moves and a number of coils, if the board has a centre."""
    words = case.words
    flat = isinstance(case.place, Board) and case.place.kind in {"box", "hex"} and case.place.dimensions == 2
    if flat and "avoid_cells" not in words:
        name = chance.choice(REFLECTIONS[: 3 if case.place.kind == "box" else 1])  # type: ignore[union-attr]
        if not case.one_way and chance.random() < 0.7 and is_symmetric(case, name):
            words["symmetry"] = name
        if chance.random() < 0.5:
            words["moves"] = chance.choice(["counterclockwise", "clockwise"])
            if case.closed and len(case.names) > 1 and chance.random() < 0.7:
                words["coils"] = chance.choice([1, 3])


def is_symmetric(case: Case, name: str) -> bool:
    """Return whether a map of the plane permutes the cells and their moves."""
    assert isinstance(case.place, Board)
    try:
        image = dict(zip(case.names, (case.names[cell] for cell in image_of(case.place, name)), strict=True))
    except ValueError:
        return False
    return {*image.values()} == {*case.names} != {a for a in image if image[a] == a} and all(
        {image[b] for b in case.heads[a]} == case.heads[image[a]] for a in case.names
    )


# ---- the oracle


def tours_of(case: Case) -> Iterator[Names]:
    """Yield the tours in all their numberings, whatever the words besides the kind and the cells."""
    n = len(case.names)
    stack: list[Names] = [(name,) for name in case.names]
    while stack:
        cells = stack.pop()
        if len(cells) < n:
            stack += [(*cells, head) for head in sorted(case.heads[cells[-1]]) if head not in cells]
        elif not case.closed or returns(case, cells):
            yield cells


def returns(case: Case, cells: Names) -> bool:
    """Return whether a move leads back to the first cell, so that the walk is closed."""
    back = cells[0] in case.heads[cells[-1]] and len(cells) > (1 if case.one_way else 2)
    return back or len(case.names) == 1


def fits(case: Case, cells: Names) -> bool:
    """Return whether a numbered tour has all that the words ask for."""
    words, place, n = case.words, case.place, len(cells)
    moves = [*pairwise(cells), *([(cells[-1], cells[0])] if case.closed and n > 1 else [])]
    made = {*moves} if case.one_way else {*moves} | {move[::-1] for move in moves}

    def listed(word: str) -> set[tuple[str, ...]]:
        return {tuple(move.split("-")) if isinstance(move, str) else move for move in words.get(word, ())}

    through = words.get("through", [])
    first = words.get("start") or words.get("at", {}).get(1)
    if case.closed and through and not first and not words.get("at"):
        first = through[0]
    good = (
        first in {None, cells[0]}
        and words.get("start") in {None, cells[0]}
        and words.get("end") in {None, cells[-1]}
        and all(cells[step - 1] == cell for step, cell in words.get("at", {}).items())
        and [cell for cell in cells if cell in through] == [*through]
        and listed("with_") <= made
        and not listed("avoid") & made
    )
    if good and "symmetry" in words:
        image = dict(
            zip(case.names, (case.names[i] for i in image_of(place, words["symmetry"])), strict=True)
        )
        good = {frozenset(map(image.__getitem__, move)) for move in moves} == {*map(frozenset, moves)}
    if good and "moves" in words:
        numbers = [tuple(map(place.cell, move)) for move in moves]
        good = all(onward(place, a, b, words["moves"]) for a, b in numbers)
        if good and "coils" in words:
            good = coils(place, numbers) == words["coils"]
    return good


def coils(board: Any, moves: list[Any]) -> int:
    """Return how often a closed tour goes round the centre, from the sum of its angles."""

    def point(cell: int) -> complex:
        first, second = board.coords[cell].tolist()
        if board.kind == "hex":
            return complex(1.5 * first, -(3**0.5) * (second + first / 2))
        rows, columns = board.shape
        return complex(second - (columns - 1) / 2, (rows - 1) / 2 - first)

    return abs(round(sum(cmath.phase(point(b) / point(a)) for a, b in moves) / (2 * math.pi)))


# ---- the functions


def named(tour: Any) -> Names:
    """Return the names of the cells of a tour."""
    return tuple(tour.names)


def compare(seed: int) -> str:
    """Compare all functions that take a question with brute force; return the status of `tour`."""
    case = case_of(seed)
    numberings = {*case.tours}
    answers = {case.canonical(cells) for cells in case.tours}
    try:
        question = Question.of(case.place, **case.words)
    except CavalcadeError:
        assert not answers
        return "contradictory"
    for function in (cavalcade.tour, cavalcade.prove)[: 1 + (seed % 3 == 0)]:
        verdict = function(question, time_limit=60)
        if isinstance(verdict, Found):
            assert named(verdict.tour) in numberings
        elif isinstance(verdict, Impossible):
            assert not answers
            if verdict.certificate:
                certificate = from_json(verdict.certificate.to_json())
                assert verify(certificate)
                assert_of_no_use(case, certificate)
        else:  # all tours were enumerated, which yields no certificate
            assert isinstance(verdict, Undecided)
            assert not answers
            assert {"symmetry", "moves"} & {*case.words} or question.one_way
    tours = [named(tour) for tour in cavalcade.list_tours(question)]
    assert {case.canonical(cells) for cells in tours} == answers
    assert len(tours) == len(answers)
    assert {*tours} <= numberings
    assert cavalcade.count(question).count == len(answers)
    if question.listed or question.symmetry:
        with pytest.raises(CavalcadeError, match="cannot be drawn at random"):
            Sampler(question)
    else:
        sampler = Sampler(question, ranked=True, seed=seed)
        assert sampler.total == len(answers)
        ranked = sampler.tours(range(1, len(answers) + 1))
        assert [sampler.rank(tour) for tour in ranked] == [*range(1, len(answers) + 1)]
        for drawn in (ranked, sampler.draw(9999, distinct=True)):
            assert {case.canonical(named(tour)) for tour in drawn} == answers
            assert len(drawn) == len(answers)
            assert {*map(named, drawn)} <= numberings
    as_puzzle(case, question)
    closest(case, random.Random(seed))
    return verdict.status


def assert_of_no_use(case: Case, certificate: Certificate) -> None:
    """Assert that the checker refuses a proof under a statement without a word, if that has tours."""
    for word in DROPPED.intersection(case.words):
        weaker = case._replace(words={key: case.words[key] for key in case.words if key != word})
        if any(fits(weaker, cells) for cells in tours_of(weaker)):
            with suppress(CavalcadeError):  # an order needs a first cell, and coils a direction
                assert not verify(replace(certificate, question=Question.of(case.place, **weaker.words)))


def as_puzzle(case: Case, question: Question) -> None:
    """Compare the solutions of the question as a puzzle, with both methods, if it is one."""
    through = [question.board.cell(name) for name in case.words.get("through", ())]
    solutions = {*case.tours}
    if case.one_way or {"symmetry", "moves"} & {*case.words} or len(case.names) < 3:
        return
    if through:  # the numbers are an order of cells, which has no steps and sets the ends
        if {"at", "start", "end"} & {*case.words}:
            return
        order = case.words["through"]
        last = {order[-1]} if len(order) > 1 and not case.closed else {*case.names}
        solutions = {cells for cells in solutions if cells[0] == order[0] and cells[-1] in last}
    elif case.closed and not question.given:
        return  # a closed tour has as many numberings as cells, in two directions
    puzzle = Puzzle(
        question.board,
        tuple(enumerate(through, 1)) if through else tuple(question.given.items()),
        case.closed,
        question.piece,
        required=question.required,
        forbidden=question.forbidden,
        ordered=bool(through),
    )
    for method in ("search", "sat"):
        solved = cavalcade.solve(puzzle, most=5000, method=method)
        assert solved.complete
        assert sorted(map(named, solved.tours)) == sorted(solutions)


def closest(case: Case, chance: random.Random) -> None:
    """Compare `best` and `count_walks` with all walks, for the words that they support."""
    words, n = dict(case.words), len(case.names)
    if {"with_", "at", "through", "symmetry", "coils"} & {*words}:
        for function in (cavalcade.best, cavalcade.count_walks):
            with pytest.raises(CavalcadeError, match="drop the rest"):
                function(case.place, **words)
        words = {key: words[key] for key in SUPPORTED if key in words}
    case = case._replace(words=words, heads=allowed(case, words), one_way=case.one_way or "moves" in words)
    closed, ends = case.closed and n > 1, (words.get("start"), words.get("end"))  # one cell is an open walk
    optional = sorted(name for name in case.names if chance.random() < 0.6) if chance.random() < 0.5 else None
    must = set[str]() if optional is None else {*case.names}.difference(optional)
    lengths = walks_of(case, must, ends, closed=closed)
    longest = max(lengths, default=None)
    removed = None if longest is None else n - longest - (not closed)
    expect(cavalcade.best(case.place, "longest", optional=optional, **words), longest)
    expect(cavalcade.best(case.place, "fewest removed", optional=optional, **words), removed)
    if "moves" not in words:
        moves = cavalcade.count_walks(case.place, optional, **words).tours["walks"]
        assert {k: number for k, number in enumerate(moves) if number} == dict(lengths)
    heads = [{case.names.index(b) for b in case.heads[a]} for a in case.names]
    start, end = (None if name is None else case.names.index(name) for name in ends)
    revisits = fewest_revisits(heads, (start, end), closed=closed)
    expect(cavalcade.best(case.place, "fewest revisits", **words), revisits)
    without_ends = {key: word for key, word in words.items() if key not in {"start", "end"}}
    expect(cavalcade.best(case.place, "fewest paths", **without_ends), fewest_paths(heads))


def allowed(case: Case, words: Words) -> dict[str, set[str]]:
    """Return the heads of each cell by moves that the words do not forbid."""
    ways = (1,) if case.one_way else (1, -1)
    avoided = {move[::way] for move in words.get("avoid", ()) for way in ways}

    def goes(a: str, b: str) -> bool:
        turns = "moves" in words
        onwards = not turns or onward(case.place, case.place.cell(a), case.place.cell(b), words["moves"])
        return (a, b) not in avoided and onwards

    return {a: {b for b in row if goes(a, b)} for a, row in case.heads.items()}


def walks_of(case: Case, must: set[str], ends: Any, *, closed: bool) -> Counter[int]:
    """Count the walks that visit no cell twice, and some cells, by the number of their moves."""
    both_ways = not case.one_way and (closed or ends == (None, None))
    walks = set[tuple[Canonical, frozenset[str]]]()
    stack: list[Names] = [(name,) for name in case.names]
    while stack:
        cells = stack.pop()
        stack += [(*cells, head) for head in case.heads[cells[-1]] if head not in cells]
        if closed:
            ended = returns(case, cells) and ends[0] in {None, *cells}
        else:
            ended = ends[0] in {None, cells[0]} and ends[1] in {None, cells[-1]}
        if ended and must <= {*cells}:
            moves = [*pairwise(cells), *([(cells[-1], cells[0])] if closed else [])]
            walks.add((frozenset(map(frozenset, moves) if both_ways else moves), frozenset(cells)))
    return Counter(len(moves) for moves, _ in walks)


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(i, marks=pytest.mark.slow) for i in range(25, 5000, 25))]
)
def test_all_words_against_brute_force(first: int) -> None:
    statuses = Counter(compare(seed) for seed in range(first, first + 25))
    assert statuses["found"]
