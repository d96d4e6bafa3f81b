"""The longest walks without a crossing: published lengths, plain search, and wrong walks."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cavalcade
from cavalcade.checking import uncrossed as checker
from cavalcade.find import front, uncrossed_bound
from cavalcade.ground.errors import BoardError, CavalcadeError, PieceError, TooLargeError
from cavalcade.ground.kernels import Tier
from cavalcade.question.pieces import parse_piece
from cavalcade.refute import uncrossed as finder
from cavalcade.refute.uncrossed import crossing_moves, long_walk
from cavalcade.states import tables
from verdicts import tour_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from cavalcade.answers.certificate import SatProof
    from cavalcade.checking.geometry import Ints
    from conftest import Ran

Cell = tuple[int, int]

CLOSED = {4: 4, 5: 8, 6: 12, 7: 24, 8: 32, 9: 42, 10: 54}  # OEIS A157416
OPEN = {3: 2, 4: 5, 5: 10, 6: 17, 7: 24, 8: 35, 9: 47}  # OEIS A003192
SLOW = {("closed", 9), ("closed", 10), ("open", 7), ("open", 8), ("open", 9)}


@pytest.mark.parametrize(
    ("kind", "side", "length"),
    [
        pytest.param(kind, side, length, marks=[pytest.mark.slow] if (kind, side) in SLOW else [])
        for kind, table in (("closed", CLOSED), ("open", OPEN))
        for side, length in table.items()
    ],
)
def test_squares_have_the_published_lengths(kind: str, side: int, length: int) -> None:
    answer = cavalcade.uncrossed(f"{side}x{side}", open=kind == "open", memory=12 << 30)
    assert (answer.length, answer.walk.kind) == (length, kind)
    assert crossings(answer.walk) == 0
    assert answer.walk.measure()["crossings"] == 0


@pytest.mark.parametrize("rows", [5, pytest.param(6, marks=pytest.mark.slow)])
def test_the_lengths_on_the_page_equal_the_strips(rows: int) -> None:
    page = (Path(__file__).parent.parent / "docs" / "commands" / "uncrossed.md").read_text()
    line = next(line for line in page.splitlines() if re.match(rf"\| {rows}xn \|.*\d, \d", line))
    shown = [tuple(map(int, cell.split(", "))) for cell in line.split("|")[2:-1] if cell.strip()]
    columns = [cavalcade.uncrossed_lengths(f"{rows}xn", open=o, upto=10).terms for o in (False, True)]
    assert shown == list(zip(*columns, strict=True))[rows - 1 :]


def crossings(walk: cavalcade.Tour) -> int:
    """Count the pairs of moves that cross, in exact fractions."""
    points = [tuple(map(Fraction, first)) for first in walk.coords.tolist()]
    moves = list(pairwise([*points, points[0]] if walk.closed else points))
    return sum(meet(*first, *second) for first, second in combinations(moves, 2))


def meet(
    a: tuple[Fraction, ...], b: tuple[Fraction, ...], c: tuple[Fraction, ...], d: tuple[Fraction, ...]
) -> bool:
    (x, y), (u, v) = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1])
    across = x * v - y * u
    if across == 0:
        return False
    s = ((c[0] - a[0]) * v - (c[1] - a[1]) * u) / across
    t = ((c[0] - a[0]) * y - (c[1] - a[1]) * x) / across
    return 0 < s < 1 and 0 < t < 1


def plain(cells: list[Cell], leaps: list[Cell], *, closed: bool) -> int:
    """Return the greatest length by trying every walk."""
    best = 0
    free = set(cells)

    def crosses(a: Cell, b: Cell, path: list[Cell]) -> bool:
        start, stop = ((Fraction(p[0]), Fraction(p[1])) for p in (a, b))
        return any(
            meet(start, stop, (Fraction(c[0]), Fraction(c[1])), (Fraction(d[0]), Fraction(d[1])))
            for c, d in pairwise(path)
        )

    def extend(path: list[Cell]) -> None:
        nonlocal best
        end = path[-1]
        if not closed:
            best = max(best, len(path) - 1)
        for down, right in leaps:
            target = (end[0] + down, end[1] + right)
            if (
                closed
                and target == path[0]
                and len(path) > 2
                and len(path) > best
                and not crosses(end, target, path)
            ):
                best = len(path)
            if target in free and not crosses(end, target, path):
                free.remove(target)
                extend([*path, target])
                free.add(target)

    for cell in cells:
        free.remove(cell)
        extend([cell])
        if not closed:
            free.add(cell)  # a closed walk: every cycle through the cell has been tried
    return best


def leaper(*kinds: Cell) -> list[Cell]:
    return sorted(
        {(s * x, t * y) for a, b in kinds for x, y in ((a, b), (b, a)) for s in (1, -1) for t in (1, -1)}
    )


PIECES = {"knight": (1, 2), "camel": (1, 3), "0,1": (0, 1), "1,1": (1, 1)}


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_boards_with_holes_against_every_walk(data: st.DataObject) -> None:
    shape = data.draw(st.sampled_from([(3, 4), (3, 5), (4, 4), (2, 7), (5, 3), (4, 3)]))
    piece = data.draw(st.sampled_from([*PIECES]))
    if piece in {"0,1", "1,1"}:
        shape = (3, 4)
    board = cavalcade.board("x".join(map(str, shape)))
    holes = data.draw(st.lists(st.sampled_from(board.names), max_size=4, unique=True))
    board = board.without(holes) if holes else board
    cells = [(row, column) for row, column in board.coords.tolist()]
    for closed in (True, False):
        answer = cavalcade.uncrossed(board, piece=piece, open=not closed)
        assert answer.length == plain(cells, leaper(PIECES[piece]), closed=closed)


@pytest.mark.parametrize("spec", ["3x4", "3x5-b1", "4x4-a1,d3", "5x3-c2,a5"])
def test_the_bound_is_attained_by_a_path_and_cycles(spec: str) -> None:
    """Compare with all sets of moves that do not cross, at most two at a cell."""
    board = cavalcade.board(spec)
    mask = np.ones(board.shape, dtype=np.bool_) if board.mask is None else board.mask
    edges = cavalcade.move_graph(board).edges().tolist()
    points = [tuple(map(Fraction, place)) for place in board.coords.tolist()]
    apart = [[not meet(points[a], points[b], points[c], points[d]) for c, d in edges] for a, b in edges]
    longest = {0: 0, 2: 0}  # by the number of ends of paths

    def choose(k: int, chosen: list[int], degrees: list[int]) -> None:
        if k == len(edges):
            ends = degrees.count(1)
            if ends in longest:
                longest[ends] = max(longest[ends], len(chosen))
            return
        choose(k + 1, chosen, degrees)
        a, b = edges[k]
        if degrees[a] < 2 and degrees[b] < 2 and all(apart[k][j] for j in chosen):
            next_degrees = degrees.copy()
            next_degrees[a] += 1
            next_degrees[b] += 1
            choose(k + 1, [*chosen, k], next_degrees)

    choose(0, [], [0] * board.size)
    vectors = np.array(leaper((1, 2)))
    for ends, length in longest.items():
        bound = uncrossed_bound.Beyond(mask, vectors, lambda _: None, closed=ends == 0)
        assert bound.most == length


@pytest.mark.parametrize(
    ("spec", "is_open", "states"),
    [("6x6", False, 4_184), ("6x6", True, 34_543), ("4x60", False, 210), ("7x7", False, 75_357)],
)
def test_numbers_of_states(spec: str, is_open: bool, states: int) -> None:  # noqa: FBT001
    assert cavalcade.uncrossed(spec, open=is_open).states == states


def test_unions_and_hexagons() -> None:
    cells = [(i, j) for i in range(3) for j in range(3)]
    assert cavalcade.uncrossed("3x3", piece="king").length == 9
    assert plain(cells, leaper((0, 1), (1, 1)), closed=True) == 9
    small = cavalcade.board("hex:2")
    around = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, -1), (-1, 1)]
    cells_of_hexagon = [(q, r) for q, r in small.coords.tolist()]
    assert {(q - t, r - u) for q, r in cells_of_hexagon for t, u in cells_of_hexagon} > set(around)
    for closed in (True, False):
        answer = cavalcade.uncrossed(small, piece="0,1", open=not closed)
        assert answer.length == plain(cells_of_hexagon, around, closed=closed)


def test_both_tiers_and_small_tables_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = [("5x5", True), ("5x5", False), ("3x9-b2", True), ("6x4-a1,b3", False)]
    walks_by_setting = []
    for warm, load in ((False, 0.75), (True, 0.01), (True, 0.75)):
        monkeypatch.setattr(Tier, "warm", warm)
        monkeypatch.setattr(tables, "FULLEST", load)
        walks_by_setting.append(
            [cavalcade.uncrossed(spec, open=is_open).walk.names for spec, is_open in boards]
        )
    assert walks_by_setting[0] == walks_by_setting[2]
    shapes = [[len(walk) for walk in walks] for walks in walks_by_setting]
    assert shapes[0] == shapes[1]


def test_the_longer_side_may_be_either() -> None:
    assert cavalcade.uncrossed("4x12").length == cavalcade.uncrossed("12x4").length
    assert cavalcade.uncrossed("3x7", open=True).length == cavalcade.uncrossed("7x3", open=True).length


# Moves of the longest closed and open walk, found by a separate search of every walk, in C, with crossings
# computed by cross products; the last by a search of 8,390,091 walks.
BOXES = {"2x2x3": (4, 3), "2x3x3": (8, 9), "2x3x4": (12, 14), "2x4x4": (20, 23), "3x3x3": (18, 18)}
BOX_SLOW = {"2x4x4", "3x3x3"}


def meet_in_space(a: Ints, b: Ints, c: Ints, d: Ints) -> bool:
    """Whether two segments have a point in common that is not an end of both, by fractions."""
    u, w, r = (b - a).tolist(), (d - c).tolist(), (c - a).tolist()
    axes = [(x, y) for x in range(3) for y in range(x) if u[x] * w[y] != u[y] * w[x]]
    if not axes:  # parallel moves of a knight have one length, and overlap only if they are one move
        return False
    x, y = axes[0]
    area = u[x] * w[y] - u[y] * w[x]
    s = Fraction(r[x] * w[y] - r[y] * w[x], area)
    t = Fraction(r[x] * u[y] - r[y] * u[x], area)
    is_common = all(s * u[k] == r[k] + t * w[k] for k in range(3))
    return is_common and 0 <= s <= 1 and 0 <= t <= 1 and not (s in {0, 1} and t in {0, 1})


def test_moves_that_cross_in_space() -> None:
    """The finder looks offsets up, the checker projects, and this test solves the equations in fractions."""
    board, mover = cavalcade.board("3x4x3"), parse_piece("knight")
    edges, coords = cavalcade.move_graph(board).edges(), board.coords.astype(np.int64)
    crossing = {
        (i, j)
        for i, j in combinations(range(len(edges)), 2)
        if meet_in_space(*coords[edges[i]], *coords[edges[j]])
    }
    listed = [*crossing_moves(coords, mover.vectors(board), edges)]
    assert set(listed) == crossing
    assert len(listed) == len(crossing) > 100
    a, b = coords[edges[:, 0]], coords[edges[:, 1]]
    checked = {
        (i, j)
        for i in range(len(edges))
        for j in np.flatnonzero(checker._meet(a[i], b[i], a, b)).tolist()  # noqa: SLF001
        if i < j
    }
    assert checked == crossing


@pytest.mark.parametrize(
    "spec", [pytest.param(spec, marks=[pytest.mark.slow] if spec in BOX_SLOW else []) for spec in BOXES]
)
def test_boxes_have_the_lengths_of_a_search_of_every_walk(spec: str) -> None:
    for length, is_open in zip(BOXES[spec], (False, True), strict=True):
        answer = cavalcade.uncrossed(spec, open=is_open)
        assert (answer.length, answer.at_most, answer.walk.closed) == (length, None, not is_open)
        places = answer.walk.coords.astype(np.int64)
        moves = list(pairwise([*places, places[0]] if answer.walk.closed else places))
        assert not any(meet_in_space(*first, *second) for first, second in combinations(moves, 2))


def test_a_flat_box_is_a_rectangle() -> None:
    """The search in a plane and the search by SAT agree on boards of one level."""
    for is_open in (False, True):
        for sides in ("3x5", "4x4", "3x6"):
            flat, box = (cavalcade.uncrossed(spec, open=is_open) for spec in (sides, f"1x{sides}"))
            assert (flat.length, None) == (box.length, box.at_most)


def test_a_damaged_proof_in_a_box_is_refused() -> None:
    board, mover = cavalcade.board("2x3x3"), parse_piece("knight")
    coords, vectors = board.coords.astype(np.int64), mover.vectors(board)
    walk = long_walk(cavalcade.move_graph(board), coords, vectors, closed=True)
    proof = walk.proof
    assert proof is not None
    assert len(walk.cells) == 8

    def check(proof: SatProof, cells: int = 9) -> bool:
        return bool(checker.check_longest(board, mover, proof, cells=cells, closed=True))

    assert check(proof)
    assert not check(proof, cells=8)
    assert not check(replace(proof, cuts=()))
    assert not check(replace(proof, cuts=(*proof.cuts, tuple(range(9)))))
    assert not check(replace(proof, drup=("0",)))
    assert not check(replace(proof, drup=proof.drup[: len(proof.drup) // 2]))


def test_a_search_in_a_box_that_ignores_crossings_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finder, "crossing_moves", lambda *_: iter(()))
    with pytest.raises(AssertionError, match="cross"):
        cavalcade.uncrossed("2x3x4", open=True)


def test_a_box_at_the_time_limit(cli: Callable[..., Ran]) -> None:
    done = cli("uncrossed", "4x4x4", "--time-limit", "2")
    if done.code == 3:  # a busy machine has no walk after 2 s
        assert done.err.startswith("undecided: ")
    else:
        assert done.code == 0
        assert "none has more than 64" in done.err


def test_wrong_walks_are_refused() -> None:
    right = cavalcade.uncrossed("6x6").walk
    assert cavalcade.check_uncrossed(right)
    cells = right.cells
    swapped = cells.copy()
    swapped[[2, 3]] = swapped[[3, 2]]
    crossing = tour_of("6x6")
    cases = {
        "visits a cell twice": np.append(cells, cells[0]),
        "a step is not a move": swapped,
        "cross": crossing.cells,
        "two cells make no cycle": cells[:2],
    }
    for message, wrong in cases.items():
        checked = cavalcade.check_uncrossed(replace(right, cells=wrong))
        assert not checked
        assert message in checked.message
    with pytest.raises(BoardError, match="neither a board in the plane nor a box"):
        cavalcade.check_uncrossed(tour_of("torus:5x5"))
    overlap = cavalcade.Tour(
        cavalcade.board("1x4"), np.array([0, 2, 1]), closed=False, piece=parse_piece("0,1+0,2")
    )
    assert not cavalcade.check_uncrossed(overlap)
    assert cavalcade.check_uncrossed(replace(overlap, cells=np.array([0, 1, 3])))


def test_the_checker_counts_crossings_as_fractions_do() -> None:
    chance = random.Random(5)
    for _ in range(300):
        graph = cavalcade.move_graph("5x5")
        path = [chance.randrange(25)]
        while len(path) < 9 and (
            unvisited := [v for v in graph.neighbours(path[-1]).tolist() if v not in path]
        ):
            path.append(chance.choice(unvisited))
        walk = cavalcade.Tour(cavalcade.board("5x5"), np.array(path), closed=False)
        assert bool(cavalcade.check_uncrossed(walk)) == (crossings(walk) == 0)


def test_a_search_that_ignores_crossings_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "moves_cross", lambda a, _, c, __: np.zeros((len(a), len(c)), dtype=np.bool_))
    with pytest.raises(AssertionError, match="cross"):
        cavalcade.uncrossed("4x5", open=True)


def test_what_is_refused_and_limits(cli: Callable[..., Ran]) -> None:
    for board, piece, error in (
        ("torus:5x5", "knight", BoardError),
        ("torus:3x3x3", "knight", BoardError),
        ("petersen", None, BoardError),
        ("5x5", "2,2", PieceError),
        ("8x8", "1,2+1,3+2,3+1,4+3,4", PieceError),
    ):
        with pytest.raises(error):
            cavalcade.uncrossed(board, piece=piece)
    with pytest.raises(TooLargeError, match="memory limit"):
        cavalcade.uncrossed("9x9", memory=10_000_000)
    with pytest.raises(TooLargeError, match="time limit"):
        cavalcade.uncrossed("9x9", time_limit=1)
    assert cli("uncrossed", "9x9", "--time-limit", "1").code == 3


def test_the_command(cli: Callable[..., Ran]) -> None:
    done = cli("uncrossed", "5x6")
    assert done.code == 0
    expected = r"^\d+ moves: no closed walk of 5x6 without a crossing has more, counted twice$"
    assert re.search(expected, done.err, re.MULTILINE)
    answer = json.loads(cli("uncrossed", "4x4", "--open", "--json").out)
    assert (answer["moves"], len(answer["cells"])) == (5, 6)
    for words in (["3x3"], ["1x1", "--open"], ["2x9"]):
        assert cli("uncrossed", *words).code == 1


@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_strips_against_their_boards(width: int, is_open: bool) -> None:  # noqa: FBT001
    sequence = cavalcade.uncrossed_lengths(f"{width}xn", open=is_open, upto=24)
    assert sequence == replace(
        cavalcade.uncrossed_lengths(f"nx{width}", open=is_open, upto=24), spec=sequence.spec
    )
    assert sequence.rule is not None
    for n in [*range(1, 13), 30, 41]:
        assert sequence.at(n) == cavalcade.uncrossed(f"{width}x{n}", open=is_open).length


def test_rules_of_strips() -> None:
    """The wazir on two rows is counted by hand; other rules are documented; short sequences have no rule."""
    wazir = cavalcade.uncrossed_lengths("2xn", piece="0,1", upto=12)
    assert wazir.terms == (0, *(2 * n for n in range(2, 13)))
    assert wazir.at(10**9) == 2 * 10**9
    rules = {"3xn": (6, 4, 4), "4xn": (8, 3, 6), "5xn": (12, 10, 26)}
    assert {spec: cavalcade.uncrossed_lengths(spec).rule for spec in rules} == rules
    assert (
        cavalcade.uncrossed_lengths("4xn", upto=11).rule == rules["4xn"]
    )  # eleven terms suffice for the rule
    assert cavalcade.uncrossed_lengths("4xn", upto=10).rule is None
    none = cavalcade.uncrossed_lengths("5xn", upto=9)
    assert none.rule is None
    with pytest.raises(CavalcadeError, match="n = 10 is not among the 9 terms"):
        none.at(10)
    for spec in ("nxn", "5x5", "3x4xn", "torus:3xn", "hex:n", "0xn"):
        with pytest.raises(BoardError, match="one side n"):
            cavalcade.uncrossed_lengths(spec)


def test_the_command_for_strips(cli: Callable[..., Ran]) -> None:
    done = cli("uncrossed", "4xn", "--terms", "14")
    assert done.code == 0
    assert done.out.splitlines()[3:5] == ["4 4", "5 6"]
    assert "# a(n + 3) = a(n) + 6 from n = 8 on" in done.out
    assert json.loads(cli("uncrossed", "4xn", "--terms", "3", "--json").out)["rule"] is None
    assert cli("uncrossed", "8x8", "--terms", "3").code == 2
    assert cli("uncrossed", "4xn", "--without", "a1").code == 2
