"""Constraints of a question other than board and ends, tested against complete lists of tours.

`wanted` filters a complete list by its own implementation of the constraints, from the coordinates of the
cells. A list is complete if its tours are distinct and valid, and their number is the published one or the
one that Held and Karp's method counts.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from contextlib import nullcontext
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest

import cavalcade
from cavalcade import Board, CavalcadeError, Found, Impossible, MoveGraph, Question, Tour, Undecided
from cavalcade.answers.certificate import from_json
from cavalcade.checking.certificates import verify
from cavalcade.question.moves import move_graph
from cavalcade.question.question import symmetries
from oracles import edges_of, every_tour, held_karp
from strategies import is_tour, ways_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from oracles import Cells, Edges

Place = Board | MoveGraph
Words = dict[
    str, Any
]  # with_, avoid: pairs of cells; at: step to cell; through: cells; symmetry, moves: words

RING = "6x6-b1,e1,a2,f2,a5,f5,b6,e6"  # as symmetric as 6x6
# Published number of tours, or the frontier's count, by board and whether tours are closed; None: count them
# by Held and Karp's method.
FULL: dict[tuple[str, bool], int | None] = {
    (RING, True): 818,
    ("3x10", True): 16, ("5x5", False): 864, ("5x6", True): 8, ("6x6", True): 9862, ("3x4", False): 8,
    ("hex:3-c3", True): None, ("torus:3x3", True): None, ("torus:2x5", True): None,
    ("cylinder:3x4", True): None,
}  # fmt: skip

MANY = {
    RING: 4,
    "6x6": 4,
    "5x5": 8,
    "3x10": 4,
    "5x6": 6,
}  # number of random questions per board; 12 on other boards

# ---- the plain implementation


@cache
def full(spec: str, *, closed: bool) -> list[tuple[Cells, Edges]]:
    """All tours of a board, each with its set of edges, after a check that the list is complete."""
    tours = list(cavalcade.list_tours(spec, open=not closed))
    neighbours = ways_of(tours[0])
    assert all(is_tour(tour, neighbours) for tour in tours)
    published = FULL[spec, closed]
    assert len(tours) == (held_karp([sorted(row) for row in neighbours]) if published is None else published)
    listed = [tuple(tour.cells.tolist()) for tour in tours]
    with_edges = [(cells, edges_of(cells, closed=closed)) for cells in listed]
    assert len({edges for _, edges in with_edges}) == len(tours)
    return with_edges


def numberings(cells: Cells, steps: dict[int, int], *, closed: bool) -> Iterator[Cells]:
    """A tour in both directions; a closed tour is rotated so that the first fixed step has its cell."""
    for order in (cells, cells[::-1]):
        step, cell = next(iter(steps.items()), (1, order[0]))
        k = (order.index(cell) - step + 1) % len(order) if closed else 0
        yield order[k:] + order[:k]


def first_steps(words: Words, *, closed: bool) -> dict[int, int]:
    """The fixed steps; a closed tour without any begins in the first of its cells in order."""
    steps: dict[int, int] = words.get("at", {})
    return steps or ({1: words["through"][0]} if closed and words.get("through") else {})


def image_of(board: Place, name: str) -> list[int]:
    """The image of each cell under a symmetry; for a turn, either direction serves."""
    assert isinstance(board, Board)
    places = [tuple(place) for place in board.coords.tolist()]
    if board.kind == "torus":  # like (row + 1, column)
        rows, columns = board.shape
        turned = [
            tuple(int(x) for x in eval(name, {}, {"row": row, "column": column}))  # noqa: S307 - our own
            for row, column in places
        ]
        return [places.index((row % rows, column % columns)) for row, column in turned]
    if board.kind == "hex":
        turns: dict[str, Callable[[int, int], tuple[int, int]]] = {
            "half turn": lambda q, r: (-q, -r), "turn by 60°": lambda q, r: (-r, q + r),
        }  # fmt: skip
    else:
        (first_row, last_row), (first_column, last_column) = (
            (min(side), max(side)) for side in zip(*places, strict=True)
        )
        turns = {
            "half turn": lambda i, j: (first_row + last_row - i, first_column + last_column - j),
            "quarter turn": lambda i, j: (first_row + j - first_column, first_column + last_row - i),
            "horizontal": lambda i, j: (i, first_column + last_column - j),
            "vertical": lambda i, j: (first_row + last_row - i, j),
        }
    return [places.index(turns[name](*place)) for place in places]


def onward(board: Place, a: int, b: int, moves: str) -> bool:
    """Whether a move turns in the given direction about the centre, in a drawing of the board."""
    assert isinstance(board, Board)
    points: list[tuple[float, float]]
    if board.kind == "hex":  # columns of hexagons
        points = [(1.5 * q, -(3**0.5) * (r + q / 2)) for q, r in board.coords[[a, b]].tolist()]
    else:
        middle = (np.array(board.shape) - 1) / 2
        points = [(j - middle[1], middle[0] - i) for i, j in board.coords[[a, b]].tolist()]
    turn = points[0][0] * points[1][1] - points[0][1] * points[1][0]
    return bool(turn > 1e-9 if moves == "counterclockwise" else turn < -1e-9)


def does(board: Place, cells: Cells, words: Words, *, closed: bool) -> bool:
    """Whether a numbered tour has the fixed cells at their steps and all moves in the required direction."""
    if any(cells[step - 1] != cell for step, cell in words.get("at", {}).items()):
        return False
    order = [cell for cell in cells if cell in words.get("through", ())]
    if order != [*words.get("through", ())]:
        return False
    moves = pairwise([*cells, *cells[: int(closed)]])
    return "moves" not in words or all(onward(board, a, b, words["moves"]) for a, b in moves)


def wanted(board: Place, tours: list[tuple[Cells, Edges]], words: Words, *, closed: bool) -> set[Edges]:
    """The edge sets of the tours of a complete list that satisfy the words in some numbering."""
    made, avoided = ({frozenset(move) for move in words.get(word, ())} for word in ("with_", "avoid"))
    name = words.get("symmetry", list(range(board.size)))
    image = image_of(board, name) if isinstance(name, str) else name
    return {
        edges
        for cells, edges in tours
        if made <= edges
        and not avoided & edges
        and any(does(board, numbered, words, closed=closed)
                for numbered in numberings(cells, first_steps(words, closed=closed), closed=closed))
        and ({frozenset(image[end] for end in edge) for edge in edges} == edges)
    }  # fmt: skip


# ---- all functions that take a question


def right(
    board: Place, tours: list[tuple[Cells, Edges]], words: Words, *, closed: bool, piece: Any = None
) -> str:
    """Compare all functions that take a question with the complete list; return the status of `tour`."""
    answers = wanted(board, tours, words, closed=closed)
    try:
        question = Question.of(board, piece=piece, open=not closed, **words)
    except CavalcadeError:
        assert not answers
        return "contradictory"
    given_steps = dict(words.get("at", {}))

    def fits(tour: Tour) -> bool:
        cells = tuple(tour.cells.tolist())
        return does(board, cells, words, closed=closed) and edges_of(cells, closed=closed) in answers

    statuses = []
    for function in (cavalcade.tour, cavalcade.prove)[: 1 + (len(answers) % 3 == 0)]:
        verdict = function(question, time_limit=60)
        statuses.append(verdict.status)
        if isinstance(verdict, Found):
            assert fits(verdict.tour)
        elif isinstance(verdict, Impossible):
            assert not answers
            assert verdict.certificate
            copy = from_json(verdict.certificate.to_json())
            assert copy.to_json() == verdict.certificate.to_json()
            assert verify(copy)
        else:  # all tours were enumerated, which yields no certificate
            assert isinstance(verdict, Undecided)
            assert not answers
            assert {"symmetry", "moves"} & set(words)
    if closed and set(given_steps) == {1}:
        return statuses[0]  # a closed tour has no first cell, so lists are not comparable
    listing = list(cavalcade.list_tours(question))
    listed = [edges_of(tour.cells.tolist(), closed=closed) for tour in listing]
    assert len(listed) == len(set(listed))
    assert set(listed) == answers
    assert all(fits(tour) for tour in listing)
    assert cavalcade.count(question).count == len(answers)
    if question.stepwise or "symmetry" in words:
        with pytest.raises(CavalcadeError, match="cannot be drawn at random"):
            cavalcade.sample(question)
    else:
        drawn = cavalcade.sample(question, 3, seed=1)
        assert len(drawn) == (3 if answers else 0)
        assert all(fits(tour) for tour in drawn)
    return statuses[0]


def drawn(rng: random.Random, board: Place, graph: MoveGraph, tour: Cells | None, *, closed: bool) -> Words:
    """Random constraints, most of which this tour satisfies, if a tour is passed."""
    names = {"box": ["half turn", "horizontal", "vertical"], "hex": ["half turn", "turn by 60°"],
             "torus": ["(row + 1, column)", "(-row, -column)"]}  # fmt: skip
    words: Words = {}
    edges = [tuple(edge) for edge in graph.edges().tolist()]
    made = [tuple(edge) for edge in edges_of(tour, closed=closed)] if tour else []
    remaining = [edge for edge in edges if frozenset(edge) not in set(map(frozenset, made))]
    wild = rng.random() < 0.25
    if edges and rng.random() < 0.5:
        pool = edges if wild or not made else made
        words["with_"] = rng.sample(pool, min(rng.randint(1, 3), len(pool)))
    if remaining and rng.random() < 0.5:
        words["avoid"] = rng.sample(edges if wild else remaining, min(rng.randint(1, 3), len(remaining)))
    if rng.random() < 0.4:
        numbered = list(range(board.size)) if tour is None else list(tour)
        turn = rng.randrange(board.size) if closed else 0
        numbered = numbered[turn:] + numbered[:turn]
        if wild:
            rng.shuffle(numbered)
        steps = rng.sample(range(1, board.size + 1), min(rng.randint(1, 4), board.size))
        words["at"] = {step: numbered[step - 1] for step in steps}
    if rng.random() < 0.4:
        turned = list(range(board.size)) if tour is None else list(tour)
        if closed and "at" in words:
            words["at"] |= {1: numbered[0]}
            turned = numbered
        if wild:
            rng.shuffle(turned)
        places = sorted(rng.sample(range(board.size), min(rng.randint(1, 5), board.size)))
        words["through"] = [turned[place] for place in places]
    if isinstance(board, Board) and rng.random() < 0.35 and board.kind in names:
        name = rng.choice(names[board.kind])
        try:
            Question.of(board, symmetry=name)
            words["symmetry"] = name
        except CavalcadeError:
            pass
    flat = isinstance(board, Board) and board.kind in {"box", "hex"} and board.dimensions == 2
    if flat and rng.random() < 0.1:
        words["moves"] = rng.choice(["counterclockwise", "clockwise"])
    return words


@pytest.mark.parametrize(
    ("spec", "closed"), [pytest.param(*case, marks=[pytest.mark.slow] * (case[0] == "6x6")) for case in FULL]
)
def test_every_constraint_alone_and_together_against_full_lists(spec: str, *, closed: bool) -> None:
    board, tours = cavalcade.board(spec), full(spec, closed=closed)
    graph = move_graph(board)
    rng = random.Random(7)
    statuses: Counter[str] = Counter()
    for _ in range(MANY.get(spec, 12)):
        words = drawn(rng, board, graph, rng.choice(tours)[0], closed=closed)
        statuses[right(board, tours, words, closed=closed)] += 1
    assert statuses["found"]


@pytest.mark.parametrize("symmetry", ["half turn", "horizontal"])
@pytest.mark.parametrize(("spec", "piece"), [("3x4", "1,2"), ("1x6", "1,1"), ("2x3", "0,1")])
def test_a_symmetric_open_tour_is_reversed_by_its_symmetry(spec: str, piece: str, symmetry: str) -> None:
    """A half turn keeps the direction of each move, a reflection reverses it; `1x6` has no moves at all."""
    board = cavalcade.board(spec)
    tours = [
        (cells, edges_of(cells, closed=False)) for cells in every_tour(move_graph(board, piece), closed=False)
    ]
    last = board.name(image_of(board, symmetry)[0])
    words = {"at": {1: board.cell(board.name(0)), board.size: board.cell(last)}, "symmetry": symmetry}
    for moves in ("clockwise", "counterclockwise"):
        right(board, tours, words | {"moves": moves}, closed=False, piece=piece)
    with (
        nullcontext()
        if symmetry == "horizontal" or spec == "1x6"
        else pytest.raises(CavalcadeError, match="under the half turn, which has to reverse an open tour")
    ):
        Question.of(spec, piece=piece, open=True, symmetry=symmetry, moves="clockwise")


# ---- sums


@pytest.mark.parametrize(
    ("spec", "words", "total"),
    [
        ("6x6", {}, 9862),
        ("3x10", {}, 16),
        ("hex:3-c3", {}, 816),
        ("torus:3x4", {}, 14934),
        ("6x6", {"symmetry": "half turn"}, None),
    ],
)
def test_a_required_move_s_alternatives_give_the_total(spec: str, words: Words, total: int | None) -> None:
    board = cavalcade.board(spec)
    graph = move_graph(board)
    whole = cavalcade.count(board, **words).count
    assert total in {None, whole}
    for cell in (0, board.size // 2):
        moves = [(cell, neighbour) for neighbour in graph.neighbours(cell).tolist()]
        made = [cavalcade.count(board, with_=[move], **words).count for move in moves]
        avoided = [cavalcade.count(board, avoid=[move], **words).count for move in moves]
        if not words:  # with a symmetry, avoiding a move avoids its images, too
            assert [a + b for a, b in zip(made, avoided, strict=True)] == [whole] * len(moves)
        assert sum(made) == 2 * whole


def test_the_cells_of_a_step_give_the_total() -> None:
    board = cavalcade.board("5x5")
    for step in (2, 13):
        counts = {
            name: cavalcade.count(board, open=True, start="a1", at={step: name}).count
            for name in board.names[: -1 if step == 2 else None]
            if name != "a1"
        }
        assert sum(counts.values()) == 304  # the directed tours from a corner
        assert step != 2 or {name for name, number in counts.items() if number} == {"b3", "c2"}


def test_directions_are_counted_where_a_tour_has_its_cells_in_both() -> None:
    for steps, closed, reversible in (
        ({2: "a1"}, True, True), ({2: "a1", 17: "f5"}, True, True), ({2: "a1", 4: "c1"}, True, False),
        ({13: "c3"}, False, True), ({12: "c4"}, False, False),
    ):  # fmt: skip
        board = "5x6" if closed else "5x5"
        undirected, directed = (
            cavalcade.count(board, open=not closed, at=steps, directed=x) for x in (False, True)
        )
        assert directed.count == undirected.count * (1 + reversible)
        assert (", undirected" in undirected.conventions) == reversible
        assert ", directed" in directed.conventions


# ---- classes


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (RING, {"avoid": [(10, 22), (17, 5)]}),
        (RING, {"symmetry": "half turn"}),
        (RING, {"symmetry": "quarter turn"}),
        pytest.param("6x6", {"avoid": [(14, 27)]}, marks=pytest.mark.slow),
        ("6x6", {"moves": "clockwise"}),
        ("5x5", {"avoid": [(7, 10), (13, 16)]}),
        ("5x6", {"with_": [(0, 8), (29, 21)]}),
    ],
)
def test_classes_are_orbits(spec: str, words: Words) -> None:
    closed = spec != "5x5"
    board = cavalcade.board(spec)
    question = Question.of(board, open=not closed, **words)
    if "moves" in words:  # 6x6 has two, published below
        cycles = [tuple(tour.cells.tolist()) for tour in cavalcade.list_tours(question)]
        tours = [(cells, edges_of(cells, closed=closed)) for cells in cycles]
    else:
        tours = full(spec, closed=closed)
    answers = wanted(board, tours, words, closed=closed)
    assert len(answers) > 1
    assert "moves" not in words or len(answers) == PUBLISHED["whirling tours"]["tours"][spec]
    half, across = image_of(board, "half turn"), image_of(board, "horizontal")
    group = {tuple(range(board.size))}
    maps = [half, across, *([image_of(board, "quarter turn")] if spec != "5x6" else [])]
    while bigger := {tuple(g[cell] for cell in image) for image in group for g in maps} - group:
        group |= bigger
    move_sets = [{frozenset(move) for move in moves} for moves in (question.required, question.forbidden)]
    cells = tours[0][0]
    kept = [
        g
        for g in group
        if all({frozenset(g[end] for end in move) for move in chosen} == chosen for chosen in move_sets)
    ]
    orbits = {frozenset(frozenset(frozenset(g[end] for end in edge) for edge in edges) for g in kept)
              for edges in answers}  # fmt: skip
    assert len(cells) == board.size
    if question.symmetry is None:
        classes = cavalcade.classes(question)
        assert (classes.classes, classes.count, classes.order) == (len(orbits), len(answers), len(kept))
    else:
        with pytest.raises(CavalcadeError, match="list them with up_to_symmetry"):
            cavalcade.classes(question)
    assert sum(1 for _ in cavalcade.list_tours(question, up_to_symmetry=True)) == len(orbits)


@pytest.mark.parametrize(
    ("spec", "closed"), [("3x3-b2", True), ("3x3-b2", False), ("6x6", True), ("6x7", True)]
)
@pytest.mark.parametrize("name", ["horizontal", "vertical", "half turn"])
def test_a_reflection_reverses_moves_that_go_one_way(spec: str, name: str, *, closed: bool) -> None:
    board, words = cavalcade.board(spec), {"symmetry": name, "moves": "clockwise"}
    tours = cavalcade.list_tours(board, open=not closed, moves="clockwise")
    full_list = [
        (cells, edges_of(cells, closed=closed)) for cells in (tuple(tour.cells.tolist()) for tour in tours)
    ]
    status = right(board, full_list, words, closed=closed)
    assert status == "found" or spec != "3x3-b2" or not closed


# ---- published numbers: tests/data/constraints.json says whose

PUBLISHED = json.loads((Path(__file__).parent / "data" / "constraints.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("rows", [3, 5, 6])
def test_partial_boards(rows: int) -> None:
    """Closed tours of the first 2k cells of a board with 3, 5 or 6 rows, column by column."""
    published = PUBLISHED["partial boards"][str(rows)]
    for k, tours in enumerate(published["tours"], published["from"]):
        columns, rest = -(-2 * k // rows), -2 * k % rows
        board = cavalcade.board(f"{rows}x{columns}")
        last = [int(board.locate([(row, columns - 1)])[0]) for row in range(rows - rest, rows)]
        if rows * columns > 36 and rows > 3:
            break
        assert cavalcade.count(board.without(last) if last else board).count == tours, 2 * k


def test_symmetric_tours_of_six_rows() -> None:
    for columns, axial, eulerian, bergholtian in PUBLISHED["symmetric tours of 6 x n"]["tours"]:
        spec = f"6x{columns}"
        assert cavalcade.count(spec, symmetry="vertical").count == axial
        assert cavalcade.count(spec, symmetry="horizontal").count == 0
        assert cavalcade.count(spec, symmetry="half turn").count == eulerian + bergholtian
    assert cavalcade.count("8x8", symmetry="half turn").count == PUBLISHED["8x8, half turn"]["tours"]
    assert cavalcade.count("6x6", symmetry="quarter turn").count == 10


def test_whirling_tours() -> None:
    """Both directions have equal counts. 7x7 is without its centre, which has no direction about itself."""
    ways: tuple[Literal["counterclockwise", "clockwise"], ...] = ("counterclockwise", "clockwise")
    for spec, tours in PUBLISHED["whirling tours"]["tours"].items():
        for way in ways[: 1 + (spec != "8x8")]:
            assert cavalcade.count(spec, moves=way).count == tours
    small = list(cavalcade.list_tours("6x7", moves="clockwise"))
    board = cavalcade.board("6x7")
    for tour in small:
        assert does(board, tuple(tour.cells.tolist()), {"moves": "clockwise"}, closed=True)
    assert len({tour.cells.tobytes() for tour in small}) == 18
    verdict = cavalcade.tour("7x7", moves="clockwise", open=True)
    assert verdict.status == "impossible"


RINGS = [
    ("3x3-b2", "knight", "reflection, left to right"), ("3x3-b2", "0,1", "horizontal"),
    ("3x3-b2", "0,1+1,1", "reflection in a diagonal"), ("4x4-b2,b3,c2,c3", "0,1+1,2", "vertical"),
    ("4x4-b2,b3,c2,c3", "0,1+1,1", "half turn"), ("3x5-c2", "0,1+1,2", "horizontal"),
    ("hex:2-b2", "0,1", "reflection, axis through corners"),
]  # fmt: skip
# The larger board has symmetric closed tours; its 162,583 open tours take ten seconds.
RINGS_BY_KIND = [("closed", *ring) for ring in [*RINGS, ("5x4-b1,c1", "0,1+1,1", "horizontal")]] + [
    ("open", *ring)
    for ring in [*RINGS, ("4x4-b1,c1", "0,1+1,1", "horizontal")]
    if ring[-1] != "half turn"  # an open tour would be reversed, but a half turn keeps directions
]


@pytest.mark.parametrize(("kind", "spec", "piece", "name"), RINGS_BY_KIND)
def test_a_reflection_reverses_a_direction(kind: str, spec: str, piece: str, name: str) -> None:
    """A tour with all moves counterclockwise can equal its reversed mirror image."""
    words: Words = {"moves": "counterclockwise"}
    closed = kind == "closed"
    tours = list(cavalcade.list_tours(spec, piece=piece, open=not closed))
    numbered = {}
    for tour in tours:
        cells = tuple(tour.cells.tolist())
        for order in (cells, cells[::-1]):
            if does(tour.board, order, words, closed=closed):
                numbered[edges_of(cells, closed=closed)] = order
    assert cavalcade.count(spec, piece=piece, open=not closed, **words).count == len(numbered)
    question = Question.of(spec, piece=piece, open=not closed, symmetry=name, **words)
    assert question.symmetry is not None
    image = question.symmetry.cells.tolist()
    kept = {edges for edges in numbered if {frozenset(image[end] for end in edge) for edge in edges} == edges}
    assert cavalcade.count(question).count == len(kept)
    assert {edges_of(tuple(t.cells.tolist()), closed=closed) for t in cavalcade.list_tours(question)} == kept
    verdict = cavalcade.tour(question)
    assert verdict.status == ("found" if kept else "impossible")
    if not kept:
        assert isinstance(verdict, Impossible)
        assert verdict.certificate is None or verify(verdict.certificate)
    free = Question.of(spec, piece=piece, open=not closed, **words)
    group = [order.cells.tolist() for order in symmetries(free)]
    orbits = {
        frozenset(frozenset(frozenset(g[end] for end in edge) for edge in edges) for g in group)
        for edges in numbered
    }
    assert sum(1 for _ in cavalcade.list_tours(free, up_to_symmetry=True)) == len(orbits)
