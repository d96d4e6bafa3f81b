"""The engines: each tour is checked by independent code, and both tiers agree."""

from __future__ import annotations

import gc
import itertools
import random
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cavalcade
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Undecided
from cavalcade.ask import portfolio
from cavalcade.boards.notation import parse_board
from cavalcade.cycles.exchange import Cycles, exchange, reconnect
from cavalcade.cycles.walking import Links, cycles_of
from cavalcade.find import cycle_cover, exchanges, tiers, untie
from cavalcade.find.adjacency import adjacency
from cavalcade.find.join import join
from cavalcade.find.warnsdorff import preference, walks
from cavalcade.formats import read_graph
from cavalcade.ground.budget import Budget, guard, limits, seconds_left, start_clock, stop_clock
from cavalcade.ground.errors import CavalcadeError, CellError
from cavalcade.ground.kernels import Tier
from cavalcade.question.graph import MoveGraph
from cavalcade.question.moves import move_graph
from cavalcade.question.parts import Rows
from cavalcade.question.question import Question
from cavalcade.question.words import TIES
from strategies import boards, edge_lists

if TYPE_CHECKING:
    from cavalcade.ask.engines import EngineName
    from cavalcade.boards import Board
    from cavalcade.find.untie import PathSearch
    from cavalcade.question.words import Ties


def tour_of(board: Board | MoveGraph | str, **options: Any) -> cavalcade.Tour:
    # The default limit of ten seconds would make these tests depend on what else the machine does.
    verdict = cavalcade.tour(board, **({"time_limit": 600} | options))
    assert isinstance(verdict, Found), verdict
    assert cavalcade.check(verdict.tour).ok
    return verdict.tour


def legal(board: Board, tour: cavalcade.Tour, leap: tuple[int, int]) -> bool:
    """A second checker, in plain Python, for flat boards."""
    coords = [tuple(row) for row in board.coords[tour.cells].tolist()]
    steps = list(itertools.pairwise(coords)) + ([(coords[-1], coords[0])] if tour.closed else [])
    legal_moves = all(
        sorted(abs(x - y) for x, y in zip(a, b, strict=True) if x != y) == list(leap) for a, b in steps
    )
    return legal_moves and len(set(coords)) == len(coords) == board.size


@pytest.mark.parametrize(
    "spec", ["8x8", "5x6", "3x10", "6x7", "20x20", "200x200", "4x8x8", "20x20x20", "3x4x4x4", "8x8-a1,b1"]
)
def test_closed_tours_of_boxes(spec: str) -> None:
    board = parse_board(spec)
    assert legal(board, tour_of(board), (1, 2))


@pytest.mark.parametrize("spec", ["torus:5x7", "cylinder:5x6", "klein:4x5", "mobius:6x5", "hex:200"])
def test_closed_tours_on_surfaces_and_hexagons(spec: str) -> None:
    tour_of(spec)


def test_hexagons_of_every_side() -> None:
    for side in range(4, 51):
        tour_of(f"hex:{side}")


@pytest.mark.parametrize(("piece", "leap"), [("1,4", (1, 4)), ("2,3", (2, 3))])
def test_giraffe_and_zebra(piece: str, leap: tuple[int, int]) -> None:
    board = parse_board("10x10")
    for seed in range(5):
        assert legal(board, tour_of(board, piece=piece, seed=seed), leap)


def test_antelope_on_the_smallest_board_of_willcocks() -> None:
    assert legal(parse_board("14x14"), tour_of("14x14", piece="antelope"), (3, 4))


def test_a_million_cells() -> None:
    assert len(tour_of("1000x1000")) == 10**6


def test_a_large_board_with_holes() -> None:
    rng = np.random.default_rng(2)
    board = parse_board("300x300")
    colour = board.coords.sum(axis=1) % 2
    removed = [rng.choice(np.flatnonzero(colour == c), 2250, replace=False) for c in (0, 1)]
    holed = board.without(np.concatenate(removed).tolist())
    assert move_graph(holed).degrees.min() > 1
    tour_of(holed)


def test_open_tours_and_their_ends() -> None:
    assert not tour_of("5x5", open=True).closed
    assert tour_of("7x7", open=True, start="a1").names[0] == "a1"
    assert tour_of("7x7", open=True, end="a1").names[-1] == "a1"
    for start, end in [("a1", "h7"), ("a1", "g8"), ("d4", "d5"), ("h8", "g8")]:
        names = tour_of("8x8", open=True, start=start, end=end).names
        assert (names[0], names[-1]) == (start, end)
    assert tour_of("8x8", start="e4").names[0] == "e4"


def test_open_tours_exist_as_chia_and_ong_prove() -> None:
    for m, n in itertools.combinations_with_replacement(range(3, 10), 2):
        if (m, n) not in {(3, 3), (3, 5), (3, 6), (4, 4)}:
            tour_of(f"{m}x{n}", open=True)


def test_closed_tours_exist_as_schwenk_proves() -> None:
    for m, n in itertools.combinations_with_replacement(range(3, 13), 2):
        if m * n % 2 == 0 and m != 4 and (m, n) not in {(3, 4), (3, 6), (3, 8)}:
            tour_of(f"{m}x{n}")


def test_join_finds_no_tour_where_none_exists() -> None:
    for spec in ("4x4", "3x8", "7x7", "2x2x5", "hex:3", "2x9"):
        assert isinstance(join(Question(parse_board(spec)), Budget(100_000)), Undecided)


def test_ends_that_contradict_each_other() -> None:
    with pytest.raises(CellError, match="begin and end on the same"):
        cavalcade.tour("8x8", open=True, start="a1", end="a1")
    with pytest.raises(CellError, match="closed tour has no end"):
        cavalcade.tour("8x8", end="a1")
    with pytest.raises(CellError, match="64 is not a cell of 8x8"):
        cavalcade.tour("8x8", start=64)


def test_a_single_cell_is_a_trivial_tour() -> None:
    assert tour_of("1x1").names == ["a1"]
    assert tour_of("1x1", open=True).names == ["a1"]


def test_plain_graphs(tmp_path: Path) -> None:
    nx = pytest.importorskip("networkx")
    tour = tour_of(MoveGraph.from_networkx(nx.dodecahedral_graph()))
    assert sorted(tour.names, key=int) == [str(i) for i in range(20)]
    tour_of(MoveGraph.from_networkx(nx.hypercube_graph(7)))
    tour_of(MoveGraph.from_networkx(nx.petersen_graph()), open=True)
    tour_of(MoveGraph.from_networkx(nx.random_regular_graph(3, 2000, seed=1)))
    file = tmp_path / "prism.hcp"
    file.write_text(
        "NAME : prism\nTYPE : HCP\nDIMENSION : 6\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n"
        "1 2\n2 3\n3 1\n4 5\n5 6\n6 4\n1 4\n2 5\n3 6\n-1\nEOF\n"
    )
    assert len(tour_of(read_graph(str(file)))) == 6


@settings(max_examples=70, deadline=None)
@given(boards(), st.booleans(), st.integers(0, 5))
def test_join_on_random_boards(board: Board, closed: bool, seed: int) -> None:  # noqa: FBT001
    question = Question(board, closed=closed)
    plain, compiled = (join(question, Budget(0), seed=seed, compiled=tier) for tier in (False, True))
    if isinstance(plain, Undecided):
        assert isinstance(compiled, Undecided)
    else:
        assert not isinstance(compiled, Undecided)
        assert np.array_equal(plain, compiled)
        assert cavalcade.check(Tour(board, plain, closed)).ok


@settings(max_examples=70, deadline=None)
@given(edge_lists(), st.booleans())
def test_join_on_random_graphs(listed: tuple[int, list[tuple[int, int]]], closed: bool) -> None:  # noqa: FBT001
    size, edges = listed
    graph = MoveGraph.from_edges(edges, size)
    cells = join(Question(graph, closed=closed), Budget(30_000))
    if not isinstance(cells, Undecided):
        assert cavalcade.check(Tour(graph, cells, closed)).ok


def test_planted_cycles_are_found() -> None:
    rng = random.Random(7)
    for n in (10, 50, 400):
        order = rng.sample(range(n), n)
        edges = list(itertools.pairwise([*order, order[0]]))
        edges += [(a, b) for a, b in (rng.sample(range(n), 2) for _ in range(n))]
        tour_of(MoveGraph.from_edges(edges, n))


def test_the_same_seed_gives_the_same_tour() -> None:
    first, second, third = (tour_of("8x8", seed=seed) for seed in (3, 3, 4))
    assert first == second
    assert first != third


@settings(max_examples=60, deadline=None)
@given(boards(), st.sampled_from(TIES), st.booleans(), st.integers(0, 9))
def test_walks_agree_in_both_tiers(board: Board, ties: str, count: bool, seed: int) -> None:  # noqa: FBT001
    graph = move_graph(board)
    try:
        preferred = preference(board, graph, ties)
    except CavalcadeError:
        return
    starts = range(0, graph.size, max(1, graph.size // 5))
    plain, compiled = (
        list(walks(graph, starts, ties=ties, count_start=count, seed=seed, preference=preferred, compiled=t))
        for t in (False, True)
    )
    for path, compiled_path in zip(plain, compiled, strict=True):
        assert np.array_equal(path, compiled_path)
        cells, length = path.tolist(), len(path)
        assert len(set(cells)) == length
        assert all(b in graph.neighbours(a) for a, b in itertools.pairwise(cells))
        assert length == graph.size or set(graph.neighbours(cells[-1]).tolist()) <= set(cells)


@settings(max_examples=40, deadline=None)
@given(boards(), st.sampled_from(["first", "last", "pohl", "lookahead"]), st.booleans(), st.randoms())
def test_the_rule_against_its_definition(
    board: Board,
    ties: Ties,
    count_start: bool,  # noqa: FBT001
    randoms: random.Random,
) -> None:
    """Each step goes to a free cell with the fewest free neighbours, and the rule breaks ties.

    The order of moves is random if they have directions. The start counts as visited or not.
    """
    vectors, coords, graph = cavalcade.KNIGHT.vectors(board).tolist(), board.coords, move_graph(board)
    rows, order = [graph.neighbours(i).tolist() for i in range(graph.size)], None
    if not board.family.wraps and board.kind not in {"cube", "surface"}:
        order = randoms.sample(range(1, len(vectors) + 1), len(vectors))
        for u, row in enumerate(rows):
            row.sort(key=lambda v: order.index(vectors.index((coords[v] - coords[u]).tolist()) + 1))
    verdict = cavalcade.warnsdorff(board, ties=ties, order=order, count_start=count_start)
    walk = verdict.tour if isinstance(verdict, Found) else verdict.partial
    assert walk is not None
    seen = {0}
    for a, b in itertools.pairwise(walk.cells.tolist()):
        visited = seen if count_start else seen - {0}
        free = {v: sum(w not in visited for w in rows[v]) for v in rows[a] if v not in seen}
        best = [v for v in free if free[v] == min(free.values())]
        ways = {v: [sum(x not in visited for x in rows[w]) for w in rows[v] if w not in seen] for v in best}
        if ties == "pohl":
            best = [v for v in best if sum(ways[v]) == min(map(sum, ways.values()))]
        if ties == "lookahead":
            low = {v: min(ways[v], default=1 << 30) for v in best}
            best = [v for v in best if low[v] == min(low.values())]
        assert b == (best[-1] if ties == "last" else best[0])
        seen.add(b)


def test_gerlach_2015_fails_exactly_where_the_paper_says() -> None:
    board = parse_board("8x8")
    for ties, failing in (("first", "g6 g3 f2 g2 g1"), ("last", "b8 b7 c7 b6 b3")):
        paths = walks(move_graph(board), range(64), ties=ties, count_start=False)
        assert [board.name(int(path[0])) for path in paths if len(path) < 64] == failing.split()


@pytest.mark.parametrize(
    "sides", [range(112, 120), pytest.param(range(120, 144), marks=pytest.mark.slow)], ids=["8", "24"]
)
def test_squirrel_and_cull_succeed_from_the_corner(sides: range) -> None:
    """Published for all squares of side 112 or more; the test takes one of each remainder modulo 8."""
    for m in sides:
        verdict = cavalcade.warnsdorff(f"{m}x{m}", ties="squirrel-cull")
        assert verdict.status == "found", m


def test_ties_that_do_not_fit_the_board() -> None:
    graph = MoveGraph.from_edges([(0, 1), (1, 2)])
    for ties in ("roth", "squirrel-cull"):
        with pytest.raises(CavalcadeError, match="need a board"):
            next(walks(graph, [0], ties=ties))
    with pytest.raises(CavalcadeError, match="'coin', expected one of first, last"):
        next(walks(graph, [0], ties="coin"))
    with pytest.raises(CavalcadeError, match="square boards, not 8x9"):
        cavalcade.warnsdorff("8x9", ties="squirrel-cull")
    with pytest.raises(CavalcadeError, match="for the knight, not 'zebra'"):
        cavalcade.warnsdorff("9x9", piece="zebra", ties="squirrel-cull")


def test_invalid_orders() -> None:
    for place, order, why in (
        (
            "8x8",
            "1234567",
            "'1234567' is not an order: knight has 8 moves on 8x8, expected 1 to 8, each once",
        ),
        ("8x8", [0, 1, 2, 3, 4, 5, 6, 7], "is not an order"),
        ("cube:4", "87654321", "cube:4 has no directions to order the moves by: leave out '87654321'"),
        (MoveGraph.from_edges([(0, 1)]), "21", "has no directions"),
    ):
        with pytest.raises(CavalcadeError, match=re.escape(why)):
            cavalcade.warnsdorff(place, order=order)


def test_a_stuck_walk_says_where() -> None:
    verdict = cavalcade.warnsdorff("8x8", "g6", count_start=False)
    assert isinstance(verdict, Undecided)
    assert verdict.partial is not None
    assert len(verdict.partial) == 60
    assert f"stuck on {verdict.partial.names[-1]} after 60 of 64 cells" in verdict.reason


@pytest.mark.parametrize("engine", ["template", "join", "reasons", "sat"])
def test_one_engine_runs_alone(engine: EngineName) -> None:
    verdict = cavalcade.tour("5x6", engine=engine)
    assert verdict.method == engine
    assert [effort.engine for effort in verdict.effort] == [engine]
    refutation = cavalcade.prove("4x6", engine=engine, time_limit=0.5)
    assert refutation.status == ("impossible" if engine in {"reasons", "sat"} else "undecided")
    assert refutation.method == engine


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(
        CavalcadeError, match=r"unknown engine 'steam', expected one of template, lines, join"
    ):
        cavalcade.tour("8x8", engine="steam")  # type: ignore[arg-type]


def test_a_problem_is_a_whole_question() -> None:
    question = Question.of("5x5", open=True, start="a5", end="c3")
    verdict = cavalcade.tour(question)
    assert isinstance(verdict, Found)
    assert (verdict.tour.names[0], verdict.tour.names[-1]) == ("a5", "c3")
    with pytest.raises(CavalcadeError, match="start came with it"):
        cavalcade.tour(question, start="a1")


@settings(max_examples=100, deadline=None)
@given(st.integers(4, 40), st.randoms(use_true_random=False))
def test_an_exchange_replaces_two_edges(n: int, rng: random.Random) -> None:
    """For each orientation, edges a-b and c-d are replaced by a-c and b-d, and the records stay valid."""
    order = list(range(n))
    rng.shuffle(order)
    cuts = sorted(rng.sample(range(2, n - 1, 2), min(2, n // 2 - 1)))
    parts = [order[i:j] for i, j in itertools.pairwise([0, *cuts, n]) if j - i > 1]
    cycles = Cycles(*([-1] * n for _ in range(5)))
    for number, part in enumerate(parts):
        cycles.head[number], cycles.size[number] = part[0], len(part)
        for a, b in itertools.pairwise([*part, part[0]]):
            cycles.nxt[a], cycles.prv[b], cycles.label[a] = b, a, number
    edges = {(a, int(cycles.nxt[a])) for part in parts for a in part}
    (a, b), (c, d) = (rng.choice([e, e[::-1]]) for e in rng.sample(sorted(edges), 2))
    if len({a, b, c, d}) < 4:
        return
    old = sorted(tuple(sorted(e)) for e in edges)
    for removed, added in (((a, b), (a, c)), ((c, d), (b, d))):
        old[old.index(tuple(sorted(removed)))] = tuple(sorted(added))
    created, _ = exchange(cycles, len(parts), a, b, c, d)
    edges_now = [(a, int(cycles.nxt[a])) for part in parts for a in part]
    assert sorted(tuple(sorted(e)) for e in edges_now) == sorted(old)
    assert all(cycles.prv[b] == a and cycles.label[a] == cycles.label[b] for a, b in edges_now)
    sizes = {x: sum(y == x for y in cycles.label if y >= 0) for x in set(cycles.label) if x >= 0}
    assert len(sizes) == len(parts) + created
    assert all(cycles.size[x] == size and cycles.label[cycles.head[x]] == x for x, size in sizes.items())


# ---- covers, and boards with holes


@st.composite
def holed(draw: st.DrawFn) -> MoveGraph:
    """The move graph of a board with random holes, in which each cell has at least two moves."""
    rows, columns = draw(st.integers(4, 12)), draw(st.integers(4, 12))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    edges = move_graph(f"{rows}x{columns}").edges()
    is_cell = rng.random(rows * columns) > draw(st.sampled_from((0.02, 0.1, 0.2)))
    while True:
        edges = edges[is_cell[edges].all(axis=1)]
        has_two_moves = np.bincount(edges.ravel(), minlength=len(is_cell)) >= 2
        if (has_two_moves | ~is_cell).all():
            assume(is_cell.sum() > 2)
            return MoveGraph.from_edges((np.cumsum(is_cell) - 1)[edges], int(is_cell.sum()))
        is_cell &= has_two_moves


@settings(max_examples=60, deadline=None)
@given(holed())
def test_tours_of_boards_with_holes_are_tours_in_both_tiers(graph: MoveGraph) -> None:
    """Joining, untying and patching give a Hamiltonian cycle, the same in both tiers."""
    rows = [set(graph.neighbours(i).tolist()) for i in range(graph.size)]
    for seed in range(2):
        answers: list[Any] = [
            join(Question(graph), Budget(0), seed=seed, compiled=compiled) for compiled in (False, True)
        ]
        assert type(answers[0]) is type(answers[1])
        if isinstance(answers[0], Undecided):
            continue
        assert np.array_equal(*answers)
        cells = answers[0].tolist()
        assert sorted(cells) == list(range(graph.size))
        assert all(b in rows[a] for a, b in zip(cells, cells[1:] + cells[:1], strict=True))


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 40), st.integers(0, 10**6), st.sampled_from((1.0, 2.0, 4.0)), st.booleans())
def test_matchings_are_as_large_as_scipy_says(n: int, seed: int, degree: float, directed: bool) -> None:  # noqa: FBT001
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    edges = np.random.default_rng(seed).integers(n, size=(int(degree * n / 2) + 1, 2))
    edges = edges[edges[:, 0] != edges[:, 1]]
    graph = MoveGraph.from_edges(edges, n, directed=directed)
    successor = cycle_cover.cycle_cover(graph.indptr, graph.indices, directed=directed)
    # A copy, because SciPy 1.13 refuses arrays that are read-only.
    rows = csr_array((np.ones(len(graph.indices)), graph.indices, graph.indptr), shape=(n, n), copy=True)
    assert np.count_nonzero(successor >= 0) == np.count_nonzero(maximum_bipartite_matching(rows) >= 0)
    taken = successor[successor >= 0]
    assert len(set(taken.tolist())) == len(taken)
    assert all(v in graph.neighbours(u) for u, v in enumerate(successor.tolist()) if v >= 0)


@settings(max_examples=60, deadline=None)
@given(edge_lists(), st.integers(0, 5), st.booleans(), st.randoms(use_true_random=False))
def test_paths_and_cycles_of_two_edges_a_cell(
    listed: tuple[int, list[tuple[int, int]]],
    state: int,
    compiled: bool,  # noqa: FBT001
    rng: random.Random,
) -> None:
    """Paths and cycles are directed, none has two cells, and no edge can be added."""
    n, edges = listed
    graph = MoveGraph.from_edges(edges, n)
    tier = Tier(0, compiled=compiled)
    rows = adjacency(tier, graph.indptr, graph.indices)
    order = np.array(rng.sample(range(n), n), dtype=np.int32)
    matching = Links(tier.full(n, 7), tier.full(n, 7))  # scratch memory with old values
    matched = tier(cycle_cover._link)(  # noqa: SLF001 - the kernel itself
        rows, tier.vector(order), state, matching
    )
    nxt, prv = ([int(v) for v in side] for side in matching)
    assert matched == sum(v >= 0 for v in nxt)
    assert all(prv[v] == u for u, v in enumerate(nxt) if v >= 0)
    assert all(nxt[v] == u for u, v in enumerate(prv) if v >= 0)
    assert all(v in graph.neighbours(u) and nxt[v] != u for u, v in enumerate(nxt) if v >= 0)
    ends = [u for u in range(n) if nxt[u] < 0 or prv[u] < 0]
    assert all(b in (nxt[a], prv[a]) for a in ends for b in ends if b in graph.neighbours(a))


# ---- the clock


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(
    ("spec", "piece"),
    [("30x30", "zebra"), ("20x20-a1,c4", "knight"), ("12x30-a1,b3", "knight")],
)
def test_clock_checks_do_not_change_the_tour(
    spec: str, piece: str, monkeypatch: pytest.MonkeyPatch, *, compiled: bool
) -> None:
    """The tour does not depend on the length of the slices in which an attempt patches and unties."""
    question = Question.of(spec, piece=piece)
    whole = [join(question, Budget(0), seed=seed, compiled=compiled) for seed in range(4)]
    for size in ("SLICE", "SLICE_INTERPRETED"):
        monkeypatch.setattr(tiers, size, 1)
    parts = [join(question, Budget(0), seed=seed, compiled=compiled) for seed in range(4)]
    assert any(isinstance(cells, np.ndarray) for cells in whole)
    for cells_whole, cells_sliced in zip(whole, parts, strict=True):
        if isinstance(cells_whole, Undecided) or isinstance(cells_sliced, Undecided):
            assert type(cells_whole) is type(cells_sliced)
        else:
            assert np.array_equal(cells_whole, cells_sliced)


def test_the_clock_ends_an_attempt_and_work_ends_all_attempts() -> None:
    zebra = Question.of("30x30", piece="zebra")
    graph = zebra.as_cycle
    with limits(0):
        for question in (zebra, Question.of("2x300", open=True)):
            with pytest.raises(TimeoutError):
                join(question, Budget())
        with pytest.raises(TimeoutError):
            cycle_cover.cycle_cover(graph.indptr, graph.indices)
    answer = join(Question.of("2x300", open=True), Budget(0))
    assert isinstance(answer, Undecided)
    assert answer.reason.endswith("can be matched") or answer.reason.endswith("found in 1 try")


@pytest.mark.parametrize(("spec", "piece"), [("12x12", "1,4"), ("20x20", "giraffe"), ("30x30", "zebra")])
def test_both_tiers_count_the_same_work(spec: str, piece: str) -> None:
    """Then the following turn does not depend on compilation."""
    question = Question.of(spec, piece=piece)
    for seed in range(3):
        work = []
        for compiled in (False, True, None):
            budget = Budget(3_000_000)
            join(question, budget, seed=seed, compiled=compiled)
            work.append(budget.left)
        assert work[0] == work[1] == work[2]


# ---- the worked example of the documentation


def drawn(links: Links) -> tuple[str, list[list[int]]]:
    """The board 5x6 with a letter per cycle, and the cycles."""
    cycles = cycles_of(np.stack(links, axis=1))
    letters = [next("ABCDEFGHIJ"[k] for k, cycle in enumerate(cycles) if a in cycle) for a in range(30)]
    return "\n".join(" ".join(letters[i : i + 6]) for i in range(0, 30, 6)), cycles


def test_the_docs_show_what_happens_on_5x6(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = Path(__file__).parent.parent.joinpath("docs").glob("architecture*.md")
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    board, graph = parse_board("5x6"), move_graph(parse_board("5x6"))
    name, transcript = board.names, list[str]()
    path = untie._alternating_path  # noqa: SLF001

    def replacement(a: int, b: int, c: int, d: int) -> str:
        w, x, y, z = (name[i] for i in (a, b, c, d))
        return f"{w}-{x} and {y}-{z} give way to {w}-{y} and {x}-{z}"

    def recorded_reconnect(p: list[int], q: list[int], a: int, side: int, c: int, t: int) -> None:
        transcript.append(replacement(a, (p, q)[side][a], c, (p, q)[t][c]))
        reconnect(p, q, a, side, c, t)

    def recorded_exchange(cycles: Cycles, free: int, a: int, b: int, c: int, d: int) -> tuple[int, int]:
        change, length = exchange(cycles, free, a, b, c, d)
        effect = {-1: "joins two cycles", 0: "reverses a piece"}[change]
        transcript.append(f"{replacement(a, b, c, d)}, which {effect}")
        return change, length

    def recorded_path(
        rows: Rows, links: Links, search: PathSearch, a: int, state: int, reach: int
    ) -> tuple[int, int, int]:
        last, state, work = path(rows, links, search, a, state, reach)
        way, w = name[links.p[a]], last
        while w != a:
            v = search.waiter_from[w]
            w, way = search.giver_from[v], f"{name[v]}={name[w]}-{way}"
        transcript.append(f"{name[a]}-{way}")
        return last, state, work

    monkeypatch.setattr(exchanges, "reconnect", recorded_reconnect)
    monkeypatch.setattr(exchanges, "exchange", recorded_exchange)
    monkeypatch.setattr(untie, "_alternating_path", recorded_path)
    counts = []
    kernels: list[tuple[Any, str]] = [(exchanges, "join_all"), (untie, "untie")]
    for module, called in kernels:
        kernel = getattr(module, called)

        def recorded_kernel(*arrays: Any, plain: Any = kernel) -> Any:
            counts.append(len(drawn(arrays[1])[1]))
            transcript.append(drawn(arrays[1])[0])
            return plain(*arrays)

        monkeypatch.setattr(module, called, recorded_kernel)
    cells = join(Question(graph), Budget(), seed=12, compiled=False)
    assert not isinstance(cells, Undecided)
    transcript.append(" ".join(name[cell] for cell in cells))
    assert counts == [5, 2, 2]  # "Five cycles", "two cycles are left", "again two cycles"
    assert len(transcript) == 10  # three boards, three exchanges, one path, two exchanges, the tour
    for lines in transcript:
        assert f"\n{lines}\n" in text, lines


def test_compilation_does_not_count_toward_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stops during compilation."""
    cells, remaining = tour_of("5x6").cells, []

    def engine(question: Question, budget: Budget, *, seed: int) -> Any:
        del question, budget, seed
        remaining.append(seconds_left())
        stop_clock()
        time.sleep(0.6)  # a kernel is compiled
        start_clock()
        remaining.append(seconds_left())
        return cells

    monkeypatch.setattr(portfolio, "function_of", lambda _: engine)
    assert isinstance(cavalcade.tour("5x6", time_limit=0.5), Found)
    assert 0.4 < remaining[1] <= remaining[0] < 0.5
    with guard(0.01):  # the alarm does not ring either
        stop_clock()
        time.sleep(0.8)
        start_clock()


class Slow:
    """An object with a slow finalizer."""

    def __del__(self) -> None:
        time.sleep(0.6)


def slow(*_: object) -> None:
    """A slow callback for the start and the end of garbage collection."""
    time.sleep(0.6)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of one that is raised again
@pytest.mark.parametrize("finalizer", [Slow, object])
def test_the_alarm_is_not_swallowed(finalizer: type) -> None:
    """The exception of the watchdog is lost neither in a finalizer nor in a callback of the collector."""
    if finalizer is object:
        gc.callbacks.append(slow)
    objects = [finalizer()]

    def work() -> None:
        objects.clear()
        gc.collect()
        time.sleep(60)

    try:
        with pytest.raises(TimeoutError), guard(0.01):
            work()
    finally:
        if slow in gc.callbacks:
            gc.callbacks.remove(slow)


def test_a_swallowed_alarm_rings_again() -> None:
    """Code that catches every exception does not escape the watchdog."""
    swallowed = []

    def work() -> None:
        end = time.perf_counter() + 60
        while time.perf_counter() < end:
            try:
                time.sleep(0.01)
            except TimeoutError as error:
                swallowed.append(error)
                if len(swallowed) > 2:
                    raise

    with pytest.raises(TimeoutError), guard(0.01):
        work()
    assert len(swallowed) == 3
