"""Tours of boards of hexagonal cells from the constructions of the proofs, checked cell by cell."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from cavalcade.construction.hexagonal import tour_of
from cavalcade.ground.errors import BoardError

Cells = set[tuple[int, int]]


def triangle(n: int) -> Cells:
    return {(q, r) for q in range(n) for r in range(n - q)}


def hexagon(a: int, b: int, c: int) -> Cells:
    return {(b - 1 + x - y, c - 1 + y - z) for x, y, z in product(range(a), range(b), range(c))}


def assert_tour(tour: list[tuple[int, int]], cells: Cells) -> None:
    """Assert that a tour visits every cell once, by knight's moves, and closes."""
    assert len(tour) == len(cells)
    assert set(tour) == cells
    for (q, r), (s, t) in pairwise([*tour, tour[0]]):
        assert sorted((s - q, t - r, q + r - s - t)) in ([-3, 1, 2], [-2, -1, 3])


def built(family: str, *sides: int) -> list[tuple[int, int]]:
    return [(q, r) for q, r in tour_of(family, *sides).tolist()]


def test_triangles() -> None:
    for n in [1, *range(8, 61)]:
        tour = built("triangle", n)
        if n > 1:
            assert_tour(tour, triangle(n))
    assert built("triangle", 1) == [(0, 0)]


@pytest.mark.parametrize(
    ("exhaustive_below", "stride"), [(16, 97), pytest.param(25, 7, marks=pytest.mark.slow)]
)
def test_parallelograms(exhaustive_below: int, stride: int) -> None:
    """All sizes below a limit, and every `stride`-th size up to 60."""
    for m, n in product(range(4, 61), repeat=2):
        if max(m, n) > 4 and (max(m, n) < exhaustive_below or (61 * m + n) % stride == 0):
            assert_tour(built("parallelogram", m, n), set(product(range(m), range(n))))


@pytest.mark.parametrize(
    ("exhaustive_below", "stride"), [(9, 17), pytest.param(16, 1, marks=pytest.mark.slow)]
)
def test_hexagons(exhaustive_below: int, stride: int) -> None:
    """All sizes below a limit, every `stride`-th size up to 15, and a few large sizes."""
    for a, b, c in product(range(4, 16), repeat=3):
        if max(a, b, c) < exhaustive_below or (144 * a + 12 * b + c) % stride == 0:
            assert_tour(built("hexagon", a, b, c), hexagon(a, b, c))
    for sides in ((4, 4, 60), (60, 4, 5), (31, 60, 42), (5, 60, 5), (60, 60, 60)):
        assert_tour(built("hexagon", *sides), hexagon(*sides))


@pytest.mark.parametrize("size", [250, pytest.param(1000, marks=pytest.mark.slow)])
def test_large_boards(size: int) -> None:
    """Large tours, checked with arrays, visit every cell once by moves."""
    for family, sides in (
        ("triangle", (1414 * size // 1000,)),
        ("parallelogram", (size, size + 1)),
        ("hexagon", (570 * size // 1000, 580 * size // 1000, 590 * size // 1000)),
    ):
        tour = tour_of(family, *sides).astype(np.int64)
        step = np.roll(tour, -1, axis=0) - tour
        sizes = np.sort(np.abs(np.column_stack([step, step.sum(axis=1)])), axis=1)
        assert (sizes == [1, 2, 3]).all()
        a, b, c = (*sides, 1, 1)[:3]
        inside = {
            "triangle": tour.sum(axis=1) < a,
            "parallelogram": (tour < [a, b]).all(axis=1),
            "hexagon": (tour < [a + b - 1, b + c - 1]).all(axis=1)
            & (tour.sum(axis=1) >= b - 1)
            & (tour.sum(axis=1) <= a + b + c - 3),
        }[family]
        assert inside.all()
        assert (tour >= 0).all()
        cells = {"triangle": a * (a + 1) // 2, "parallelogram": a * b}
        assert len(tour) == cells.get(family, a * b + b * c + c * a - a - b - c + 1)
        assert len(np.unique(tour @ [10**5, 1])) == len(tour)


@pytest.mark.parametrize(
    ("family", "sides"),
    [("triangle", (7,)), ("parallelogram", (4, 4)), ("parallelogram", (3, 9)), ("hexagon", (3, 5, 5)),
     ("triangle", (8, 8)), ("square", (8,))],
)  # fmt: skip
def test_boards_that_the_theorems_do_not_cover(family: str, sides: tuple[int, ...]) -> None:
    with pytest.raises(BoardError, match=r"give no closed tour|is not a family"):
        tour_of(family, *sides)
