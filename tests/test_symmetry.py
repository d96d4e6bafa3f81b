"""Tours up to symmetry: comparison with lists of all tours, with published numbers, and with each other."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cavalcade.answers.verdict import Undecided
from cavalcade.boards.notation import parse_board
from cavalcade.cli import main
from cavalcade.counting.classes import classes, conjugates
from cavalcade.counting.listing import list_tours
from cavalcade.counting.voltage import count_folded, fixed_cycles
from cavalcade.find.symmetric import join_symmetric
from cavalcade.ground.budget import Budget
from cavalcade.ground.errors import BoardError, TooLargeError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.moves import move_graph
from cavalcade.question.pieces import KNIGHT, parse_piece
from cavalcade.question.question import Question, symmetries
from cavalcade.question.symmetry import Symmetry, symmetry_called
from conftest import one_error
from oracles import Cells, Edges, edges_of, every_tour
from strategies import boards, reach

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cavalcade.boards import Board
    from conftest import Ran

KING = parse_piece("0,1+1,1")


def tours(graph: MoveGraph, *, closed: bool) -> dict[Edges, Cells]:
    """Return all tours of a small graph by their edges."""
    return {edges_of(path, closed=closed): path for path in every_tour(graph, closed=closed)}


def moved(edges: Edges, g: Sequence[int]) -> Edges:
    return frozenset(frozenset(int(g[v]) for v in edge) for edge in edges)


def kept(all_tours: dict[Edges, Cells], g: Sequence[int]) -> tuple[int, int]:
    """Count the tours that g maps to themselves, forward and backward."""
    counts = [0, 0]
    for edges, walk in all_tours.items():
        if moved(edges, g) == edges:
            first, second = walk.index(int(g[walk[0]])), walk.index(int(g[walk[1]]))
            counts[len(walk) < 3 or (second - first) % len(walk) != 1] += 1
    return counts[0], counts[1]


def agree(board: Board, piece: str = "knight", *, closed: bool) -> None:
    """Compare all results of `classes` with the list of all tours."""
    mover = parse_piece(piece)
    group = [s.cells.tolist() for s in symmetries(board, mover)]
    all_tours = tours(move_graph(board, mover), closed=closed)
    answer = classes(board, piece=mover, open=not closed)
    assert (answer.count, answer.order) == (len(all_tours), len(group))
    orbits, remaining = [], set(all_tours)
    while remaining:
        edges = next(iter(remaining))
        orbits.append({moved(edges, g) for g in group})
        remaining -= orbits[-1]
    assert answer.classes == len(orbits)
    assert sum(kind.symmetries for kind in answer.fixed) == len(group)
    conjugacy_classes = conjugates(symmetries(board, mover))
    assert [len(members) for members in conjugacy_classes] == [kind.symmetries for kind in answer.fixed]
    for kind, members in zip(answer.fixed, conjugacy_classes, strict=True):
        for i in members[: 1 if len(group) > 32 else None]:
            assert (kind.forward, kind.backward) == (kept(all_tours, group[i]) if i else (len(all_tours), 0))
    kind_of = {i: k for k, members in enumerate(conjugacy_classes) for i in members}
    classes_by_kind: Counter[int] = Counter()
    for orbit in orbits:
        edges = next(iter(orbit))
        keep = [i for i, g in enumerate(group) if moved(edges, g) == edges]
        generators = [i for i in keep if order_of(group[i]) == len(keep)]
        assert generators or answer.fixed[0].classes is None
        classes_by_kind.update({kind_of[i] for i in generators})
    if answer.fixed[0].classes is not None:
        assert [classes_by_kind[k] for k in range(len(conjugacy_classes))] == [
            kind.classes for kind in answer.fixed
        ]


def order_of(g: Sequence[int]) -> int:
    power, order = list(g), 1
    while power != list(range(len(g))):
        power, order = [g[v] for v in power], order + 1
    return order


# ---- groups


@pytest.mark.parametrize(
    ("spec", "order"),
    [
        ("1x1", 1), ("1x5", 2), ("8x8", 8), ("5x6", 4), ("8x8-a1", 2), ("8x8-a1,h8", 4), ("8x8-a1,b1", 1),
        ("3x4-a1,a2,a3", 8), ("4x4x4", 48), ("2x3x4", 8), ("4x4x3", 16), ("2x2x2x2", 384), ("hex:3", 12),
        ("hex:3-a1", 2), ("torus:5x7", 140), ("torus:5x5", 200), ("cylinder:3x5", 20), ("cylinder:1x5", 10),
        ("mobius:3x5", 20), ("mobius:4x5", 20), ("mobius:2x3", 12),
    ],
)  # fmt: skip
def test_orders_of_groups(spec: str, order: int) -> None:
    board = parse_board(spec)
    assert len(symmetries(board, KING if board.size < 2 or spec == "1x5" else KNIGHT)) == order


def test_moves_break_symmetries() -> None:
    assert len(symmetries(parse_board("6x6"), parse_piece("moves:1,2;2,1+-"))) == 4
    assert len(symmetries(parse_board("6x6"), parse_piece("moves:1,2+-"))) == 2
    assert {s.name for s in symmetries(parse_board("6x6"), parse_piece("moves:1,2+-"))} == {
        "identity", "half turn",
    }  # fmt: skip


def test_names() -> None:
    square = np.arange(36).reshape(6, 6)
    named = {
        "identity": [square],
        "half turn": [np.rot90(square, 2)],
        "quarter turn": [np.rot90(square), np.rot90(square, 3)],
        "reflection, top to bottom": [square[::-1]],
        "reflection, left to right": [square[:, ::-1]],
        "reflection in a diagonal": [square.T, square[::-1, ::-1].T],
    }
    for s in symmetries(parse_board("6x6")):
        assert any(np.array_equal(s.cells, image.ravel()) for image in named[s.name])
    fixed = {s.name: int((s.cells == np.arange(37)).sum()) for s in symmetries(parse_board("hex:4"))}
    assert fixed == {
        "identity": 37, "turn by 60°": 1, "turn by 120°": 1, "half turn": 1,
        "reflection, axis through corners": 7, "reflection, axis through sides": 3,
    }  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(boards(most=30))
def test_every_symmetry_maps_moves_to_moves(board: Board) -> None:
    """The group is closed under products, and each member maps moves to moves."""
    if board.size > 40:
        return
    group = symmetries(board)
    images = {s.cells.tobytes() for s in group}
    assert group[0].name == "identity"
    assert len(images) == len(group)
    if len(group) <= 64:
        assert all(a.cells[b.cells].tobytes() in images for a in group for b in group)
    assert sorted(i for members in conjugates(group) for i in members) == list(range(len(group)))
    neighbours = reach(board, KNIGHT)
    for s in group:
        assert all(
            {int(s.cells[w]) for w in neighbours[v]} == neighbours[s.cells[v]] for v in range(board.size)
        )


# ---- tours that a symmetry fixes


@st.composite
def folded_graphs(draw: st.DrawFn) -> tuple[MoveGraph, list[int]]:
    """Draw a graph of at most eight vertices, the images of a few edges, and its automorphism."""
    n = draw(st.integers(2, 8))
    cycles = draw(
        st.sampled_from([[n]] + [[k] * (n // k) for k in range(2, n) if n % k == 0])
        | st.integers(0, n // 2).map(lambda twos: [2] * twos + [1] * (n - 2 * twos))
        | st.permutations(range(1, n + 1)).map(lambda sizes: sizes[:3])
    )
    g = list(range(n))
    start = 0
    for k in cycles:
        if start + k <= n:
            g[start : start + k] = [*range(start + 1, start + k), start]
            start += k
    pairs = list(itertools.combinations(range(n), 2))
    edges = set()
    for edge in draw(st.lists(st.sampled_from(pairs), min_size=min(3, len(pairs)), max_size=6, unique=True)):
        ends = edge
        for _ in range(order_of(g)):
            edges.add((min(ends), max(ends)))
            ends = (g[ends[0]], g[ends[1]])
    return MoveGraph.from_edges(sorted(edges), n), g


@settings(max_examples=80, deadline=None)
@given(folded_graphs(), st.booleans())
def test_tours_fixed_by_an_automorphism(folded: tuple[MoveGraph, list[int]], closed: bool) -> None:  # noqa: FBT001
    graph, g = folded
    if g != sorted(g):
        question = Question(graph, closed=closed)
        image = question.encoding.image(np.array(g)).tolist()
        all_tours = tours(graph, closed=closed)
        assert fixed_cycles(question.as_cycle, image) == kept(all_tours, g)
        listed = [
            edges_of(tour.cells.tolist(), closed=closed)
            for tour in list_tours(replace(question, symmetry=Symmetry("g", np.array(g))))
        ]
        assert len(listed) == len(set(listed))
        assert set(listed) == {edges for edges in all_tours if moved(edges, g) == edges}


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("200x200", "half-turn"),
        ("202x202", "quarter-turn"),
        ("101x202", "half-turn"),
        ("6x201", "vertical"),
    ],
)
def test_large_boards_within_a_count_of_work(spec: str, name: str) -> None:
    """A cycle of the folded graph unfolds into a symmetric tour within bounded work."""
    question = Question.of(spec, symmetry=name)
    edges = question.graph.edge_count
    for seed in range(3):
        budget = Budget()
        cells = join_symmetric(question, budget, seed=seed)
        assert not isinstance(cells, Undecided)
        assert np.array_equal(np.sort(cells), np.arange(question.board.size))
        tour_edges = set(map(frozenset, itertools.pairwise([*cells.tolist(), int(cells[0])])))
        image = question.symmetry.cells if question.symmetry is not None else cells
        assert {frozenset(image[list(edge)].tolist()) for edge in tour_edges} == tour_edges
        assert budget.spent < 300 * edges


@pytest.mark.parametrize("spec", ["4x4", "hex:3", "plus:2", "2x3x3", "torus:3x4", "mobius:3x4", "3x5-a1"])
def test_listed_names_are_accepted(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each name yields the symmetry of its line; with their inverses they are the whole group."""
    question = Question.of(spec)
    assert main(["symmetries", spec]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert main(["symmetries", spec, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["symmetries"]
    images = set()
    for row, line in zip(rows, lines, strict=True):
        cells = symmetry_called(row["name"], question.board, question.piece).cells
        assert row["order"] == order_of(cells.tolist())
        assert row["fixed"] == sum(i == cell for i, cell in enumerate(cells.tolist()))
        assert line.startswith(f"{row['name']} ")
        images |= {cells.tobytes(), np.argsort(cells).astype(np.int32).tobytes()}
    assert images == {symmetry.cells.tobytes() for symmetry in symmetries(question)[1:]}


def test_a_reflection_of_a_row_in_itself_is_no_symmetry(cli: Callable[..., Ran]) -> None:
    """It is the identity, which every tour has, and no proof by a symmetry holds for it."""
    one_error(
        cli("tour", "1x5", "--piece", "king", "--open", "--symmetry", "vertical"),
        "'vertical' is not a symmetry of 1x5, which has horizontal",
    )


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6, 7, 12, 15])
def test_complete_graphs_folded(k: int) -> None:
    """Count cycles on the complete graph of four vertices with every voltage on every edge."""
    m = 4
    rows = [[(w, turn) for w in range(m) if w != v for turn in range(k)] for v in range(m)]
    units = sum(math.gcd(x, k) == 1 for x in range(k))
    assert count_folded(rows, k) == 3 * k ** (m - 1) * units
    assert count_folded(rows, k, compiled=True) == 3 * k ** (m - 1) * units


@pytest.mark.parametrize(
    "spec",
    [
        "torus:3x3", "mobius:3x4", "cylinder:4x4", "hex:3-c3", "4x4-b2,b3,c2,c3", "5x5-c3", "4x6-a1,f1,a4,f4",
        "4x5-a1,e1", "3x3-b2", "torus:2x5", "klein:3x3", "mobius:3x3", "torus:2x6", "torus:1x9",
    ],
)  # fmt: skip
def test_closed_tours_against_a_list(spec: str) -> None:
    agree(parse_board(spec), closed=True)


@pytest.mark.parametrize(
    "spec",
    [
        "1x1", "3x4", "4x5", "torus:3x3", "mobius:2x5", "klein:3x3", "cylinder:3x4", "4x5-a1,e4", "2x2x3",
        "3x3-b2", "3x5-a1", "3x7", "torus:1x9", "hex:3-c1,c3,c5,a1,a2,a3",
    ],
)  # fmt: skip
def test_open_tours_against_a_list(spec: str) -> None:
    agree(parse_board(spec), closed=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "closed"),
    [("3x10", True), ("torus:3x4", True), ("klein:3x4", True), ("cylinder:3x6", True), ("hex:3", False)],
)
def test_longer_lists(spec: str, closed: bool) -> None:  # noqa: FBT001
    agree(parse_board(spec), closed=closed)


@pytest.mark.parametrize(
    ("spec", "piece"),
    [
        ("4x4", "0,1"), ("3x4", "0,1"), ("3x3", "0,1+1,1"), ("2x4", "0,1+1,1"), ("hex:2", "0,1"),
        ("2x2x3", "0,1"), ("2x5", "0,1"), ("torus:3x3", "0,1"), ("4x4", "moves:1,2;2,1;1,0+-"),
        ("cylinder:2x6", "0,1"), ("1x2", "0,1"),
    ],
)  # fmt: skip
def test_other_pieces_against_a_list(spec: str, piece: str) -> None:
    agree(parse_board(spec), piece, closed=True)
    agree(parse_board(spec), piece, closed=False)


# ---- published numbers


def test_the_steps_of_symmetric_tours_are_reported() -> None:
    steps: list[tuple[int, int]] = []
    classes("6x6", total=9862, progress=lambda now: steps.append((now.taken, now.vertices)))
    assert len(steps) > 10, "all tours are not counted again"
    assert [taken for taken, _ in steps] == [*range(1, len(steps) + 1)]
    assert steps[-1] == (len(steps), len(steps))


def test_six_by_six() -> None:
    answer = classes("6x6")
    assert (answer.count, answer.classes, answer.order) == (9862, 1245, 8)
    assert {kind.name: kind.classes for kind in answer.fixed if kind.fixed} == {
        "identity": 1223, "half turn": 17, "quarter turn": 5,
    }  # fmt: skip


def test_the_chessboard() -> None:
    """McKay 1997, including the tours with a half turn; the total is an argument."""
    answer = classes("8x8", total=13267364410532)
    assert answer.classes == 1658420855433
    assert {kind.name: (kind.fixed, kind.classes) for kind in answer.fixed[1:] if kind.fixed} == {
        "half turn": (2432932, 608233)
    }


def test_ten_by_ten_with_a_quarter_turn() -> None:
    board = parse_board("10x10")
    turn = next(s for s in symmetries(board) if s.name == "quarter turn")
    assert fixed_cycles(move_graph(board), turn.cells.tolist()) == (2 * 415902, 0)


def test_rectangles() -> None:
    """OEIS A169768, closed 3 x n; A328341 and A328340, open 4 x n, all classes and the symmetric classes."""
    closed = {n: classes(f"3x{n}") for n in range(10, 22, 2)}
    assert [sum(k.classes or 0 for k in closed[n].fixed[1:]) for n in closed] == [4, 0, 24, 24, 276, 176]
    assert [closed[n].classes for n in (10, 12)] == [6, 44]
    opened = {n: classes(f"4x{n}", open=True) for n in range(1, 10)}
    assert [opened[n].classes for n in opened] == [0, 0, 3, 0, 22, 186, 1603, 7772, 47478]
    symmetric = [sum(k.classes or 0 for k in opened[n].fixed[1:]) for n in opened]
    assert symmetric == [0, 0, 2, 0, 3, 0, 17, 0, 112]
    assert classes("5x6").classes == 3


# ---- limits and the command


def test_limits() -> None:
    with pytest.raises(BoardError, match="plain graph"):
        classes(MoveGraph.from_edges([(0, 1), (1, 2), (0, 2)]))
    with pytest.raises(BoardError, match="9861 tours of 6x6 do not fall into a whole number"):
        classes("6x6", total=9861)
    with pytest.raises(TooLargeError, match="8 dimensions have too many symmetries"):
        symmetries(parse_board("x".join("2" * 8)))
    with pytest.raises(TooLargeError, match="folded frontier would be 40 vertices wide, and at most"):
        count_folded([[(w, 0) for w in range(40) if w != v] for v in range(40)])
    with pytest.raises(TooLargeError, match="needs about"):
        classes("8x8", total=0, memory=1 << 16)


def test_the_command(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "3x10", "--symmetry"]) == 0
    out = capfd.readouterr().out.splitlines()
    assert out[0] == "6"
    assert any("4 Bergholtian" in line for line in out)
    assert any("4 Sulian" in line for line in out)
    assert main(["count", "6x6", "--symmetry", "--json"]) == 0
    answer = json.loads(capfd.readouterr().out)
    assert answer["count"] == 9862
    assert (answer["symmetry"]["classes"], answer["symmetry"]["group_order"]) == (1245, 8)
    assert {kind["name"]: kind["fixed"] for kind in answer["symmetry"]["fixed"]}["quarter turn"] == 10
    assert main(["count", "5x5", "--open", "--symmetry", "--directed"]) == 2
    assert "--directed cannot be combined with --symmetry" in capfd.readouterr().err
