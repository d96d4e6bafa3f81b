"""Templates: the checker accepts every chain, and the boards of the theorems have a chain."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cavalcade
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Undecided
from cavalcade.ask import judging
from cavalcade.boards import Board
from cavalcade.construction.blocks import Block, Entry, NoTemplateError, cycle, joins, path
from cavalcade.construction.boxes import STYLES, TRIES, VARIETY, WIDTH, _Planner, chain
from cavalcade.construction.grid import Grid, evens
from cavalcade.construction.writing import write_steps
from cavalcade.find.join import join
from cavalcade.ground.budget import Budget
from cavalcade.ground.errors import CellError
from cavalcade.question.pieces import KNIGHT
from cavalcade.question.question import Question
from cavalcade.theorems.literature import theorem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.construction.chain import Chain

BOTH = (True, False)


def feasible(board: Board, *, closed: bool) -> bool:
    law = theorem(board, KNIGHT, closed)
    return board.size == 1 or (law is not None and law.exists)


def plan(board: Board, *, start: int | None = None, **options: Any) -> Chain | None:
    """Return the chain of blocks, or None if the board has no template."""
    place = None if start is None else tuple(int(i) for i in np.unravel_index(start, board.shape))
    with suppress(NoTemplateError):
        return chain(board, start=place, **options)
    return None


def built(board: Board, *, start: int | None = None, **options: Any) -> Chain:
    chain_of_blocks = plan(board, start=start, **options)
    assert chain_of_blocks is not None
    tour = Tour(board, chain_of_blocks.order(), chain_of_blocks.closed)
    checked = cavalcade.check(tour)
    assert checked.ok, checked.message
    assert chain_of_blocks.closed == options.get("closed", True)
    assert start is None or tour.start == start
    return chain_of_blocks


# ---- the boards of the theorems


@pytest.mark.parametrize("closed", BOTH)
def test_every_rectangle_that_has_a_tour(closed: bool) -> None:  # noqa: FBT001
    sides = [(m, n) for m in range(1, 13) for n in range(1, 13)]
    sides += [(3, n) for n in range(13, 41)] + [(n, 4) for n in range(13, 41)]
    for m, n in sides:
        board = Board.box(m, n)
        if feasible(board, closed=closed):
            built(board, closed=closed)
        else:
            assert plan(board, closed=closed) is None


@pytest.mark.slow
@pytest.mark.parametrize("closed", BOTH)
def test_every_rectangle_to_60(closed: bool) -> None:  # noqa: FBT001
    for m, n in product(range(1, 61), repeat=2):
        if feasible(board := Board.box(m, n), closed=closed):
            built(board, closed=closed)


@pytest.mark.parametrize("closed", BOTH)
def test_every_box_that_has_a_tour(closed: bool) -> None:  # noqa: FBT001
    sides_to_try = [2, 3, 5, 6, 9, 12]
    for i, j, k in [
        *combinations_with_replacement(sides_to_try, 3),
        (9, 2, 5),
        (7, 11, 3),
        (12, 3, 3),
        (11, 3, 3),
    ]:
        if feasible(board := Board.box(i, j, k), closed=closed):
            built(board, closed=closed)
        elif not closed:
            assert plan(board, closed=closed) is None


@pytest.mark.slow
@pytest.mark.parametrize("closed", BOTH)
def test_every_box_to_14(closed: bool) -> None:  # noqa: FBT001
    for sides in combinations_with_replacement(range(2, 15), 3):
        board = Board.box(*sides)
        law = theorem(board, KNIGHT, closed)
        if law is None or law.exists:  # no theorem covers large open boxes with all sides odd
            built(board, closed=closed)
            built(Board.box(*sides[::-1]), closed=closed)


@pytest.mark.parametrize(
    "sides", [(2, 3, 4, 5), (4, 4, 8, 9), (3, 3, 3, 4), (2, 2, 3, 12), (1, 9, 1, 10), (1, 1, 3, 10, 1)]
)
def test_more_dimensions(sides: tuple[int, ...]) -> None:
    built(Board.box(*sides))


@pytest.mark.parametrize("sides", [(3, 3, 5, 9), (5, 5, 5, 7), (1, 7, 9), (3, 4, 5, 3, 3)])
def test_more_dimensions_open(sides: tuple[int, ...]) -> None:
    built(Board.box(*sides), closed=False)


# ---- every size: each next block can be joined by an unused edge


@pytest.mark.slow
@pytest.mark.parametrize("d", [2, 3])
def test_every_size_has_its_chain(d: int) -> None:
    width = WIDTH[d]
    ends = range({2: 5, 3: 2}[d], 2 * width)
    after = {width: [part for part in ends if part >= width]}
    after |= {part: [width] for part in range(5, width + 5, 2)}
    planner = _Planner((width,) * d, True, None, 0, random=False)  # noqa: FBT003

    def steps(shape: tuple[int, ...]) -> Iterator[tuple[Block, tuple[int, ...]]]:
        for axis, part in enumerate(shape):
            forward = [(next_part, part) for next_part in after.get(part, [])]
            backward = [(next_part, -next_part) for next_part in after if part in after[next_part]]
            for next_part, distance in forward + backward:
                next_shape = (*shape[:axis], next_part, *shape[axis + 1 :])
                if math.prod(next_shape) % 2 == 0:
                    yield Block(next_shape, ""), tuple(distance * (i == axis) for i in range(d))

    shapes = [
        shape
        for shape in product(ends, repeat=d)
        if (width in shape or math.prod(shape) % 2) and sorted(shape)[-2] > 2 and max(shape) > 3
    ]
    todo = set()
    for shape in shapes:
        for block, offset in steps(shape):
            entries: list[Entry] = []
            for number in range(TRIES):
                tour = path(Block(shape, "", number), None, closed=math.prod(shape) % 2 == 0)
                for kind in planner.kinds(block)[:VARIETY]:
                    candidates = joins(tour, cycle(kind), offset)
                    entries += [join_at.entry(1, kind) for join_at in candidates if join_at.u < len(tour) - 1]
                if entries:
                    break
            assert entries, (shape, block)
            todo.add(entries[0])
    seen = set(todo)
    while todo:
        state = todo.pop()
        for block, offset in steps(state.kind.shape):
            _, entry = planner.options(state, block, offset)[0]  # raises if no option exists
            if entry not in seen:
                seen.add(entry)
                todo.add(entry)
    assert len(seen) > len(shapes)


# ---- starts


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_chains_begin_at_the_given_start(data: st.DataObject) -> None:
    sides = data.draw(
        st.one_of(
            st.tuples(st.integers(5, 30), st.integers(5, 30)),
            st.tuples(st.integers(2, 13), st.integers(3, 13), st.integers(5, 13)),
            st.tuples(st.just(3), st.integers(16, 50)),
            st.tuples(st.just(4), st.integers(11, 50)),
        )
    )
    board = Board.box(*data.draw(st.permutations(sides)))
    closed = data.draw(st.booleans())
    start = data.draw(st.integers(0, board.size - 1))
    style = data.draw(st.sampled_from(STYLES))
    seed = data.draw(st.integers(0, 5))
    place = np.unravel_index(start, board.shape)
    outer = min(sides) != 4 or len(sides) > 2 or place[board.shape.index(4)] in {0, 3}
    law = theorem(board, KNIGHT, closed)
    if (law is not None and not law.exists) or (board.size % 2 and sum(place) % 2) or not outer:
        assert plan(board, closed=closed, start=start, style=style, seed=seed) is None
    else:
        built(board, closed=closed, start=start, style=style, seed=seed)


@pytest.mark.slow
def test_every_start_to_13() -> None:
    for sides in product(range(5, 14), repeat=2):
        board = Board.box(*sides)
        for start in range(board.size):
            if board.size % 2 == 0 or sum(divmod(start, sides[1])) % 2 == 0:
                built(board, closed=False, start=start)


# ---- styles


def test_styles_and_seeds() -> None:
    board = Board.box(40, 50)
    tours = {
        (style, seed): built(board, style=style, seed=seed).order().tobytes()
        for style in STYLES
        for seed in (0, 1)
    }
    assert len(set(tours.values())) == 4
    assert built(board, style="random", seed=1).order().tobytes() == tours["random", 1]
    random_chain = built(board, style="random")
    compact = built(board)
    assert len(random_chain.roles) > len(compact.roles)
    with pytest.raises(ValueError, match="unknown style 'wild'"):
        plan(board, style="wild")


# ---- queries to a chain


SIDES = st.one_of(
    st.tuples(st.integers(5, 40), st.integers(5, 40)),
    st.tuples(st.integers(3, 12), st.integers(4, 12), st.integers(5, 12)),
    st.tuples(st.integers(7, 60), st.just(3)),
    st.tuples(st.just(4), st.integers(5, 60)),
)


@settings(deadline=None, max_examples=30)
@given(SIDES, st.sampled_from(STYLES), st.data())
def test_queries_agree_with_the_numbering(sides: tuple[int, ...], style: str, data: st.DataObject) -> None:
    board = Board.box(*sides)
    plan_of_board = plan(board, closed=feasible(board, closed=True), style=style)
    assert plan_of_board is not None
    numbering = write_steps(plan_of_board)
    assert plan_of_board.size == len(plan_of_board) == board.size
    assert sorted(numbering.ravel().tolist()) == list(range(1, board.size + 1))
    assert np.array_equal(numbering.ravel()[plan_of_board.order()], np.arange(1, board.size + 1))
    steps = np.arange(1, board.size + 1)
    places = plan_of_board.places(steps)
    assert np.array_equal(numbering[tuple(places.T)], steps)
    assert np.array_equal(plan_of_board.steps(places), steps)
    step = data.draw(st.integers(1, board.size))
    assert plan_of_board.steps(plan_of_board.places([step])) == step


def test_queries_outside_the_board_are_refused() -> None:
    plan_of_board = built(Board.box(20, 30))
    for step in (0, 601, -1):
        with pytest.raises(CellError, match="1 to 600"):
            plan_of_board.places([step])
    for place in ((-1, 0), (20, 0), (0, 30), (5, -7)):
        with pytest.raises(CellError, match="20x30"):
            plan_of_board.steps([place])


@pytest.mark.parametrize(
    ("sides", "closed"),
    [((31_622, 31_622), True), ((3, 1_000_002), True), ((1_001, 1_001), False), ((10**5, 10**5 - 1), True),
     ((400, 500, 600), True), ((60, 50, 70, 61), True), ((4, 10**5 + 1), False),
     pytest.param((10**6, 10**6 - 1), True, marks=pytest.mark.slow)],
)  # fmt: skip
def test_large_boards_answer(sides: tuple[int, ...], closed: bool) -> None:  # noqa: FBT001
    plan_of_board = plan(Board.box(*sides), closed=closed)
    assert plan_of_board is not None
    n = math.prod(sides)
    assert len(plan_of_board) == n
    rng = np.random.default_rng(1)
    steps = np.concatenate([rng.integers(1, n, 2000), [1, n - 1]])
    cells, next_cells = plan_of_board.places(steps), plan_of_board.places(steps + 1)
    assert (np.sort(np.abs(cells - next_cells), axis=1)[:, -2:] == [1, 2]).all()
    assert (np.abs(cells - next_cells).sum(axis=1) == 3).all()
    assert np.array_equal(plan_of_board.steps(cells), steps)
    ends = np.abs(np.subtract(*plan_of_board.places([1, n])))
    assert not closed or sorted(ends.tolist())[-2:] == [1, 2]


def test_large_answers_are_swept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "ARRAY_FROM", 1000)
    assert cavalcade.tour("100x110").method == "template"
    assert cavalcade.tour("101x111", open=True).method == "template"
    verdict = cavalcade.tour("81x91", open=True)
    assert isinstance(verdict, Found)
    assert judging.fault_in(verdict.tour) is None
    assert judging.fault_in(replace(verdict.tour, closed=True)) is not None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sides", "closed"),
    [((9_999, 10_000), True), ((3, 1_000_002), True), ((1_001, 1_001), False), ((400, 500, 600), True)],
)
def test_large_boards_are_tours(sides: tuple[int, ...], closed: bool) -> None:  # noqa: FBT001
    board = Board.box(*sides)
    tour = cavalcade.construct(board, open=not closed)
    assert not isinstance(tour, Undecided)
    checked = cavalcade.check_array(tour.numbering(), board)
    assert checked.ok, checked.message
    assert ("closed" in checked.message) == closed


# ---- the parts


@given(st.integers(0, 400), st.sampled_from([4, 6, 8, 10]))
def test_even_sides_are_cut_evenly(half: int, width: int) -> None:
    parts = evens(2 * half, width)
    assert sum(parts) == 2 * half
    assert all(part % 2 == 0 and part < 2 * width for part in parts)
    assert len(parts) < 2 or min(parts) >= width


@given(st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple), min_size=1, max_size=4))
def test_the_boustrophedon_goes_from_neighbour_to_neighbour(parts: list[tuple[int, ...]]) -> None:
    for axis in range(len(parts)):
        grid = Grid(tuple(parts), axis)
        indices = np.array([grid.index(i) for i in range(grid.size)])
        assert np.array_equal(grid.position(indices), np.arange(grid.size))
        assert (np.abs(np.diff(indices, axis=0)).sum(axis=1) == 1).all()


def test_joins_are_complete() -> None:
    first, second = cycle(Block((6, 6), "", 1)), cycle(Block((6, 7), "", 2))
    offset = (0, 6)

    def linked(a: int, b: int) -> bool:
        step = np.abs(first.cells[a % 36] - second.cells[b % 42] - offset)
        return sorted(step.tolist()) == [1, 2]

    expected = [
        (u, v, crossed)
        for u, v, crossed in product(range(36), range(42), (False, True))
        if (linked(u, v + 1) and linked(u + 1, v) if crossed else linked(u, v) and linked(u + 1, v + 1))
    ]
    assert joins(first, second, offset) == expected


# ---- templates in the portfolio


def test_the_portfolio_builds_large_boards() -> None:
    for spec, options, start, end in [
        ("100x102", {}, None, None),
        ("100x102", {"start": "c7"}, "c7", None),
        ("3x10000", {}, None, None),
        ("101x103", {"open": True, "end": "e5"}, None, "e5"),
        ("4x3000", {"open": True}, None, None),
        ("30x30x30", {}, None, None),
    ]:
        verdict = cavalcade.tour(spec, **options)  # type: ignore[arg-type]
        assert isinstance(verdict, Found)
        assert verdict.method == "template"
        assert start is None or verdict.tour.board.name(verdict.tour.start) == start
        assert end is None or verdict.tour.board.name(verdict.tour.end) == end
    assert cavalcade.tour("100x60", open=True, start="a1", end="a2").status == "found"
    assert cavalcade.tour("70x70").method == "join"
    assert cavalcade.tour("71x71").status == "impossible"


def test_the_portfolio_builds_on_request() -> None:
    assert cavalcade.tour("8x8").method == "join"
    for spec in ("8x8", "1x1", "3x10", "hex:5", "4x5x6", "torus:5x6", "klein:20x31"):
        verdict = cavalcade.tour(spec, construct=True)
        assert isinstance(verdict, Found)
        assert verdict.method == ("question" if spec == "1x1" else "template")
    for spec, message, options in [
        ("5x5", "even number of cells", {}),
        ("8x8-a1,h8", "holes", {}),
        ("torus:5x7", "even number of cells", {}),
        ("2x9", "too short for blocks", {}),
        ("10x10", "knights", {"piece": "zebra"}),
        ("9x9", "colour of the corners", {"open": True, "start": "a2"}),
        ("4x9", "outer square", {"open": True, "start": "a2"}),
        ("8x8", "one end", {"open": True, "start": "a1", "end": "a2"}),
    ]:
        verdict = cavalcade.tour(spec, construct=True, **options)  # type: ignore[arg-type]
        assert isinstance(verdict, Undecided)
        assert message in verdict.reason


def test_templates_and_search_agree() -> None:
    """Templates exist for exactly those small boards on which search finds a tour."""
    for m, n, closed in product(range(2, 7), range(2, 9), BOTH):
        board = Board.box(m, n)
        answer = join(Question(board, closed=closed), Budget(100_000))
        assert (plan(board, closed=closed) is None) == isinstance(answer, Undecided)


def test_the_docs_show_how_18x24_is_joined() -> None:
    pages = Path(__file__).parent.parent.joinpath("docs").glob("architecture*.md")
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    assert len(built(Board.box(12, 14)).roles) == 1
    board = Board.box(18, 24)
    planner = _Planner(board.shape, True, None, 0, random=False)  # noqa: FBT003
    chain, grid = planner.chain(), planner.grid
    blocks = [grid.shape(grid.index(i)) for i in range(grid.size)]
    first, second = ("x".join(map(str, shape)) for shape in (blocks[0], blocks[-1]))
    assert blocks == [blocks[0]] * 3 + [blocks[-1]] * 3
    assert f"\n {first}  → {first}  → {first}\n                ↓\n{second}  ← {second} ← {second}\n" in text
    places = chain.places(np.arange(1, 433))
    block = grid.position(grid.parts_of(places)).tolist()
    name = [board.name_at(tuple(place)) for place in places.tolist()]
    lines = [
        f"{'out ' if block[i] < block[i + 1] else 'back'} {i + 1:3d} {name[i]} → {name[i + 1]} {i + 2}".ljust(
            23
        )
        + f"  block {block[i] + 1} to block {block[i + 1] + 1}\n"
        for i in range(431)
        if block[i] != block[i + 1]
    ]
    assert len(lines) == 10
    assert "".join(lines) in text
    edges = {frozenset((name[i], name[i - 1])) for i in range(432)}
    assert {frozenset(("h12", "j11")), frozenset(("g14", "i13"))} <= edges
