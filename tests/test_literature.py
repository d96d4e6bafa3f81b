"""The theorems: comparison with each other, with a plain search, and with the portfolio.

A case is the spec of a board, the spec of a piece, and whether the tour is closed.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from math import prod
from typing import TYPE_CHECKING

import pytest

from cavalcade.answers.verdict import Found, Impossible
from cavalcade.ask.portfolio import tour
from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.checking.certificates import verify
from cavalcade.checking.tours import check
from cavalcade.papers import demaio2020
from cavalcade.question.graph import MoveGraph
from cavalcade.question.moves import move_graph
from cavalcade.question.pieces import KNIGHT, parse_piece
from cavalcade.question.question import Question
from cavalcade.theorems import literature as theorems
from cavalcade.theorems.literature import citation, theorem
from strategies import SURFACES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cavalcade.answers.verdict import Verdict

    Case = tuple[str, str, bool]


# ---- the families


def closed_and_open(specs: Iterable[str], piece: str = "knight") -> Iterator[Case]:
    """Yield the cases of closed and open tours."""
    return ((spec, piece, closed) for spec in specs for closed in (True, False))


def rectangles(most: int) -> Iterator[str]:
    return (f"{m}x{n}" for m in range(1, most + 1) for n in range(m, most + 1))


def boxes(dimensions: int, longest: int, volume: int) -> Iterator[str]:
    for sides in combinations_with_replacement(range(2, longest + 1), dimensions):
        if prod(sides) <= volume:
            yield "x".join(map(str, sides))


def surfaces(most: int) -> Iterator[str]:
    sizes = list(product(range(1, most + 1), repeat=2))
    return (f"{kind}:{m}x{n}" for kind in SURFACES for m, n in sizes)


def one_removed(sizes: Iterable[tuple[int, int]]) -> Iterator[str]:
    return (f"{m}x{n}-{name}" for m, n in sizes for name in Board.box(m, n).names)


def rings(widths: range, wider: int) -> Iterator[str]:
    for r in widths:
        for m, n in combinations_with_replacement(range(2 * r + 1, 2 * r + wider + 1), 2):
            middle = [n * i + j for i in range(r, m - r) for j in range(r, n - r)]
            yield Board.box(m, n).without(middle).spec


def leapers(longest: int, most: int) -> Iterator[Case]:
    for p, q in combinations_with_replacement(range(1, longest + 1), 2):
        for m, n in combinations_with_replacement(range(2, most + 1), 2):
            yield from closed_and_open([f"{m}x{n}"], f"{p},{q}")


def squares(longest: int) -> Iterator[Case]:
    """Yield the squares of Willcocks's conjecture."""
    for q in range(2, longest + 1):
        for p in range(1, q):
            yield f"{2 * (p + q)}x{2 * (p + q)}", f"{p},{q}", True


def odd_sizes(least: int, most: int) -> list[tuple[int, int]]:
    return list(combinations_with_replacement(range(least, most + 1, 2), 2))


QUICK: dict[str, list[Case]] = {
    "rectangles": [*closed_and_open(rectangles(8)), ("4x40", "knight", True), ("3x30", "knight", True)],
    "boxes": [*closed_and_open(boxes(3, 6, 60)), *closed_and_open(boxes(4, 4, 64))],
    "surfaces": list(closed_and_open(surfaces(4))),
    "3xn minus one": [(spec, "knight", True) for spec in one_removed((3, n) for n in range(3, 10))],
    "odd minus one": [(spec, "knight", True) for spec in one_removed([(5, 5), (5, 7)])],
    "rings": [(spec, "knight", True) for spec in rings(range(1, 4), 3)],
    "hexagons": list(closed_and_open(f"hex:{side}" for side in range(1, 9))),
    "leapers": list(leapers(4, 6)),
    "squares": list(squares(4)),
    "zebra": [
        (spec, "zebra", True)
        for spec in ("5x6", "5x16", "6x10", "7x8", "8x10", "9x10", "10x12", "11x14", "12x13")
    ],
}
SLOW: dict[str, list[Case]] = {
    "rectangles": [*closed_and_open(rectangles(25)), *((spec, "knight", True) for spec in rectangles(45))],
    "thin rectangles": list(closed_and_open(f"{m}x{n}" for m in (3, 4, 5, 6) for n in range(26, 201))),
    "boxes": [*closed_and_open(boxes(3, 12, 500)), *((spec, "knight", False) for spec in boxes(3, 12, 1728))],
    "high boxes": [
        *closed_and_open(boxes(4, 7, 700)),
        *closed_and_open(boxes(5, 6, 700)),
        *closed_and_open(boxes(6, 4, 500)),
    ],
    "surfaces": [(spec, "knight", True) for spec in surfaces(45)],
    "3xn minus one": [(s, "knight", True) for s in one_removed((3, n) for n in range(3, 42))],
    "odd minus one": [(spec, "knight", True) for spec in one_removed(odd_sizes(5, 21))],
    "rings": [(spec, "knight", True) for spec in rings(range(1, 9), 10)],
    "hexagons": list(closed_and_open(f"hex:{side}" for side in range(1, 101))),
    "leapers": list(leapers(8, 20)),
    "squares": list(squares(10)),
    "zebra": [(spec, "zebra", True) for spec in rectangles(45)],
}


def mismatch(case: Case) -> str:
    """Return how the portfolio contradicts the theorem or fails to decide; "" if they agree."""
    spec, mover, closed = case
    board, piece = parse_board(spec), parse_piece(mover)
    law = theorem(board, piece, closed)
    if law is None:
        return ""
    verdict = tour(board, piece=piece, open=not closed, time_limit=60)
    if verdict.status != ("found" if law.exists else "impossible"):
        return f"{case}: {law.name} says {law.exists} ({law.because}), the portfolio {verdict.status}"
    return "" if is_checked(verdict) else f"{case}: the certificate is refused"


def is_checked(verdict: Verdict) -> bool:
    if isinstance(verdict, Found):
        return bool(check(verdict.tour))
    return (
        isinstance(verdict, Impossible)
        and verdict.certificate is not None
        and bool(verify(verdict.certificate))
    )


@pytest.mark.parametrize("family", QUICK)
def test_theorems_and_portfolio_agree(family: str) -> None:
    assert [wrong for case in QUICK[family] if (wrong := mismatch(case))] == []


@pytest.mark.slow
@pytest.mark.parametrize("family", SLOW)
def test_theorems_and_portfolio_agree_on_large_families(family: str) -> None:
    assert [wrong for case in SLOW[family] if (wrong := mismatch(case))] == []


# ---- agreement of the theorems


@pytest.mark.parametrize("share", [3, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("family", SLOW)
def test_theorems_agree_with_each_other(family: str, share: int) -> None:
    """All applicable theorems agree, and a board with a closed tour also has an open one."""
    for spec, mover, closed in [*QUICK.get(family, []), *SLOW[family][::share]]:
        board, piece = parse_board(spec), parse_piece(mover)
        laws = list(theorems.theorems(board, piece, closed))
        assert len({law.exists for law in laws}) <= 1, (spec, mover, laws)
        assert all(bool(law.because) != law.exists for law in laws)
        if closed and laws and laws[0].exists:
            assert theorem(board, piece, closed=False).exists  # type: ignore[union-attr]


def test_every_case_of_the_quick_families_is_covered() -> None:
    """Theorems cover all closed knight's tours of these boards, except on one or two cells."""
    silent = [
        case
        for cases in QUICK.values()
        for case in cases
        if theorem(parse_board(case[0]), parse_piece(case[1]), case[2]) is None
    ]
    closed = [(spec, piece) for spec, piece, is_closed in silent if is_closed and piece == "knight"]
    assert sorted(spec for spec, _ in closed) == sorted(
        ["1x1", "hex:1"] + [f"{kind}:{s}" for kind in SURFACES for s in ("1x1", "1x2", "2x1")]
    )


def turned(board: Board, axes: tuple[int, ...]) -> Board:
    mask = None if board.mask is None else board.mask.transpose(axes)
    return Board(board.kind, tuple(board.shape[axis] for axis in axes), mask)


def test_theorems_do_not_depend_on_orientation() -> None:
    specs = [
        "4x9",
        "3x8",
        "3x10",
        "2x3x3",
        "2x2x7",
        "3x4x5",
        "3x9-a1",
        "3x9-c2",
        "3x11-d2",
        "5x7-b2",
        "9x7-d5",
    ]
    for spec in [*specs, *rings(range(1, 4), 2)]:
        board = parse_board(spec)
        assert (board.mask is None) == ("-" not in spec)
        for closed in (True, False):
            law = theorem(board, KNIGHT, closed)
            for image in (
                turned(board, tuple(reversed(range(board.dimensions)))),
                Board("box", (1, *board.shape), None if board.mask is None else board.mask[None]),
                Board("box", board.shape, None if board.mask is None else board.mask[::-1, ::-1]),
            ):
                law_of_image = theorem(image, KNIGHT, closed)
                assert (law_of_image and law_of_image.exists) == (law and law.exists), (spec, image)


# ---- comparison with a plain search


def has_tour(board: Board, *, closed: bool) -> bool:
    """Return whether a board has a tour, by search over bit sets of visited cells."""
    graph = move_graph(board)
    neighbours = [sum(1 << int(b) for b in graph.neighbours(a)) for a in range(graph.size)]
    full = (1 << graph.size) - 1
    ends = {(1 << a, 1 << a) for a in (range(1) if closed else range(graph.size))}
    for _ in range(graph.size - 1):
        ends = {
            (visited | 1 << b, 1 << b)
            for visited, current in ends
            for b in range(graph.size)
            if neighbours[current.bit_length() - 1] & ~visited & 1 << b
        }
    return any(
        not closed or (graph.size > 2 and neighbours[current.bit_length() - 1] & 1)
        for visited, current in ends
        if visited == full
    )


@pytest.mark.parametrize(
    ("closed", "max_size"), [(True, 16), (False, 12), pytest.param(False, 16, marks=pytest.mark.slow)]
)
def test_small_boards_by_trying_every_way(closed: bool, max_size: int) -> None:  # noqa: FBT001 - a parameter
    """Boxes and hexagons up to 16 cells; surfaces, which have more moves, up to `max_size` cells."""
    specs = [*rectangles(5), *boxes(3, 5, 20), *surfaces(4), "hex:2", "hex:3", *one_removed([(3, 3), (3, 5)])]
    checked = 0
    for spec in specs:
        board = parse_board(spec)
        law = theorem(board, KNIGHT, closed)
        if law is not None and board.size <= (max_size if board.kind in SURFACES else 16):
            assert has_tour(board, closed=closed) == law.exists, spec
            checked += 1
    assert checked > 50


# ---- citations


def test_the_printed_prism_theorem_is_wrong_exactly_on_2x2xk() -> None:
    wrong = [
        sides
        for sides in combinations_with_replacement(range(2, 12), 3)
        if bool(demaio2020.demaio_alam_as_printed(*sides)) != bool(theorems.demaio_mathew(*sides))
    ]
    assert wrong == [(2, 2, k) for k in range(3, 12)]


@pytest.mark.parametrize(
    ("spec", "piece", "closed", "words"),
    [
        (
            "4x10000",
            "knight",
            True,
            "Schwenk's theorem there is no closed tour, as a side is 4 (A. J. Schwenk",
        ),
        ("8x3", "knight", True, "no closed tour, as the sides are 3 and 8"),
        ("6x3", "knight", False, "Chia and Ong there is no open tour, as the sides are 3 and 6"),
        ("9x2x2", "knight", True, "DeMaio and Mathew there is no closed tour, as two sides are 2"),
        (
            "3x3x3x3",
            "knight",
            True,
            "Erde, Golénia and Golénia there is no closed tour, as all sides are odd",
        ),
        ("cylinder:4x6", "knight", True, "4 rows and an even number of columns"),
        ("torus:4x6", "knight", False, "Watkins and Hoenigman there is an open tour"),
        ("3x11-c1", "knight", True, "Miller and Farnsworth there is no closed tour, as the cell is (3, 3)"),
        (
            "9x9-e5,d5,f5,d4,e4,f4,d6,e6,f6",
            "knight",
            True,
            "Srichote, Boonklurb and Singhun there is a closed",
        ),
        ("hex:50", "knight", True, "Gliński's hexagon (DeMaio and Alam's conjecture) there is a closed tour"),
        (
            "8x8",
            "camel",
            False,
            "Knuth's theorem there is no open tour, as 4 and 2 have the common divisor 2",
        ),
        ("10x10", "giraffe", True, "Beluhov's theorem (Willcocks's conjecture) there is a closed tour"),
        ("11x11", "giraffe", False, "Waldmann's computation there is no open tour"),
        ("12x13", "zebra", True, "verified for"),
    ],
)
def test_citations(spec: str, piece: str, closed: bool, words: str) -> None:  # noqa: FBT001 - a parameter of pytest's
    text = citation(Question(parse_board(spec), parse_piece(piece), closed))
    assert words in text
    assert text.startswith("By ")
    assert text.endswith(").")


def test_boards_without_a_theorem_have_no_citation() -> None:
    graph = MoveGraph.from_edges([(0, 1), (1, 2), (2, 0)])
    assert citation(Question.of(graph)) == ""
    for spec, piece in [
        ("8x8-a1,b1", "knight"),
        ("8x8-a1", "zebra"),
        ("8x8", "1,2+1,3"),
        ("8x8", "moves:1,2;2,1+-"),
        ("hex:5", "camel"),
        ("hex:5-a1", "knight"),
        ("torus:5x5", "zebra"),
        ("mobius:5x46", "knight"),
        ("23x23-a1", "knight"),
        ("1x1", "knight"),
    ]:
        assert theorem(parse_board(spec), parse_piece(piece), closed=True) is None, spec
