"""The theorem on rectangles: its list of tours, what damages it, and a plain search of small boards."""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from cavalcade.theorems import proved_here, rectangles
from cavalcade.theorems.facts import packaged
from cavalcade.theorems.literature import chia_ong, schwenk
from oracles import has_tour_from

LIST: dict[str, Any] = json.loads(packaged("rectangles"))
TOURS = [(kind, name) for kind in ("closed", "open", "strips") for name in LIST[kind]]


def fault(data: dict[str, Any]) -> str:
    return proved_here.theorem("rectangles", tours=json.dumps(data)).fault


def copied() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(packaged("rectangles"))
    return data


def test_the_facts_hold() -> None:
    result = proved_here.theorem("rectangles")
    assert result
    assert len(result.facts) == 7
    assert len(LIST["closed"]) + len(LIST["open"]) == 30


# ---- damage


@pytest.mark.parametrize(("kind", "name"), TOURS)
def test_damaged_tours_are_refused(kind: str, name: str) -> None:
    """Two cells exchanged, a cell left out, a cell twice, a cell beside the board, a tour left out."""
    random = Random(f"{kind} {name}")
    damaged = [copied() for _ in range(5)]
    lists = [data[kind][name] for data in damaged]
    first = random.randrange(len(lists[0]) - 1)
    lists[0][first], lists[0][first + 1] = lists[0][first + 1], lists[0][first]
    del lists[1][random.randrange(len(lists[1]))]
    lists[2][first] = lists[2][first + 1]
    lists[3][first] = [lists[3][first][0] + 40, lists[3][first][1]]
    del damaged[4][kind][name]
    for data in damaged:
        assert fault(data)


@pytest.mark.parametrize("name", ["3x10", "5x6", "6x7"])
def test_closed_tours_without_a_seam_are_refused(name: str) -> None:
    """The tour upside down is a tour, but its seam `enter` is at another corner; or its ends are a seam."""
    data = copied()
    rows, columns = map(int, name.split("x"))
    if rows == 3:
        tour = data["closed"][name]
        i = next(i for i, cell in enumerate(tour) if cell == [0, columns - 1])
        ends = tour[i:] + tour[:i]  # the edge between the ends of the list cannot take a strip
        data["closed"][name] = ends if ends[-1] == [2, columns - 2] else [*ends[1:], ends[0]]
        assert "has no edge" in fault(data)
    else:
        data["closed"][name] = [[rows - 1 - i, j] for i, j in data["closed"][name]]
        assert "has no edge" in fault(data)


@pytest.mark.parametrize(
    ("seam", "cells", "words"),
    [
        ("enter", [[3, 0], [1, 1]], "the seams: no move leads"),
        ("enter", [[0, 0], [1, 2]], "the seams: no move leads"),
        ("enter", [[1, 1], [3, 1]], "has no edge"),
        ("leave", [[0, -1], [1, -3]], "has no edge"),
        ("leave", [[2, -2], [0, -1]], "the seams: no move leads"),
        ("leave", [[0, -2], [2, -1]], "has no edge"),
    ],
)
def test_wrong_seams_are_refused(seam: str, cells: list[list[int]], words: str) -> None:
    data = copied()
    data["seams"][seam] = cells
    assert words in fault(data)


@pytest.mark.parametrize("rows", ["3", "4"])
def test_wrong_strips_are_refused(rows: str) -> None:
    backwards, rotated, mirrored = copied(), copied(), copied()
    path = LIST["strips"][rows]
    backwards["strips"][rows] = path[::-1]
    assert "no move leads" in fault(backwards)
    mirrored["strips"][rows] = [[int(rows) - 1 - i, j] for i, j in path]
    assert "no move leads" in fault(mirrored)
    rotated["strips"][rows] = [[i, 3 - j] for i, j in path]
    assert "no move leads" in fault(rotated)


def test_a_wrong_statement_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tour of a board that is said to have none is found; one that is said to have a tour is not built."""
    monkeypatch.setattr(rectangles, "NO_OPEN_TOUR", [(3, 5), (3, 4)])
    assert proved_here.theorem("rectangles").fault == "3 x 4 has an open tour"
    monkeypatch.undo()
    monkeypatch.setattr(rectangles, "has_open_tour", lambda m, n: min(m, n) > 2)
    assert proved_here.theorem("rectangles").fault == "no tour of the list grows to one of 3 x 3"


# ---- the statement and a search that shares nothing


def has_tour(m: int, n: int, *, closed: bool) -> bool:
    """Whether a rectangle has a tour, by a search from one cell, or for open tours from each."""
    moves = [
        [
            (i + a) * n + j + b
            for a, b in ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
            if 0 <= i + a < m and 0 <= j + b < n
        ]
        for i in range(m)
        for j in range(n)
    ]
    return any(has_tour_from(start, moves, closed=closed) for start in range(1 if closed else m * n))


@pytest.mark.parametrize(
    ("m", "n"), [(m, n) for m in range(1, 6) for n in range(m, 9) if n > 1 and m * n <= 24] + [(3, 9)]
)
def test_small_boards_by_brute_force(m: int, n: int) -> None:
    assert rectangles.has_closed_tour(m, n) == has_tour(m, n, closed=True)
    assert rectangles.has_open_tour(n, m) == has_tour(m, n, closed=False)


def test_the_statement_is_that_of_the_literature() -> None:
    for m in range(1, 50):
        for n in range(1, 50):
            if m * n > 1:
                assert rectangles.has_closed_tour(m, n) == (schwenk(m, n) == "")
                assert rectangles.has_open_tour(m, n) == (chia_ong(m, n) == "")


def test_larger_boards_than_the_check_builds() -> None:
    """The tours of the proof for boards with a side from 31 on, judged without the code of the check."""
    tours = rectangles.read(packaged("rectangles"))
    for m, n, closed in (
        (3, 77, False),
        (3, 90, True),
        (4, 61, False),
        (31, 46, True),
        (47, 33, False),
        (53, 52, True),
    ):
        walk = rectangles.tour_of(m, n, tours, closed=closed)
        assert sorted(walk) == [(i, j) for i in range(m) for j in range(n)]
        steps = [*pairwise(walk)] + [(walk[-1], walk[0])] * closed
        assert all((a - c) ** 2 + (b - d) ** 2 == 5 for (a, b), (c, d) in steps)
