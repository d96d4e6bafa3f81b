"""The theorem on boxes with three sides: its check, and what damaged tours make it say."""

from __future__ import annotations

import copy
import json
import re
from itertools import pairwise, product
from typing import TYPE_CHECKING

import click
import numpy as np
import pytest
from click.testing import CliRunner

import cavalcade
from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.cli import theorem as command
from cavalcade.construction.blocks import Block, path
from cavalcade.construction.boxes import plan
from cavalcade.construction.chain import Chain
from cavalcade.pieces import KNIGHT
from cavalcade.theorems.boxes import AFTER, PARTS, Tours, boxes, found, twin_edges, twins
from cavalcade.theorems.literature import theorem

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(scope="module")
def tours() -> Tours:
    return found()


def test_the_theorem_is_checked(tours: Tours) -> None:
    proved = boxes(tours)
    assert proved, proved.fault
    assert len(proved.facts) == 4


def first_step(tours: Tours) -> tuple[tuple[int, int], tuple[int, int, int]]:
    return min(key for key, (_, after) in tours.steps.items() if after[0] != key[0][0])


def swap_cells(tours: Tours) -> None:
    tours.closed[5][3], tours.closed[5][4] = tours.closed[5][4], tours.closed[5][3]


def lose_a_cell(tours: Tours) -> None:
    del tours.closed[5][3]


def lose_a_block(tours: Tours) -> None:
    del tours.first[4, 5, 6]


def wrong_block(tours: Tours) -> None:
    tours.first[4, 5, 6] = tours.first[4, 4, 4]


def lose_a_step(tours: Tours) -> None:
    del tours.steps[first_step(tours)]


def same_edge(tours: Tours) -> None:
    state, step = next(key for key in sorted(tours.steps) if key[0][1] < len(tours.closed[key[0][0]]))
    tours.steps[state, step] = state[1], tours.steps[state, step][1]


def other_edge(tours: Tours) -> None:
    key = first_step(tours)
    u, (number, v) = tours.steps[key]
    tours.steps[key] = u, (number, (v + 1) % len(tours.closed[number]))


def nowhere(tours: Tours) -> None:
    key = first_step(tours)
    u, (number, _) = tours.steps[key]
    tours.steps[key] = u, (number, -1)


def wrong_neighbour(tours: Tours) -> None:
    key = first_step(tours)
    u, (number, v) = tours.steps[key]
    tours.steps[key] = u, (number + 1, v)


def lose_a_root(tours: Tours) -> None:
    del tours.roots[min(tours.roots)]


def broken_root(tours: Tours) -> None:
    cells, _ = tours.roots[min(tours.roots)]
    cells[5], cells[6] = cells[6], cells[5]


def ends_apart(tours: Tours) -> None:
    key = (5, 5, 5), (2, 1, 4)
    for seed in range(20):
        cells = path(Block((5, 5, 5), ""), (0, 0, 0), closed=False, seed=seed).cells.tolist()
        if cells[-1] not in ([0, 0, 2], [0, 2, 0], [2, 0, 0]):
            tours.roots[key] = [(i, j, k) for i, j, k in cells], tours.roots[key][1]
            return


def end_of_a_root(tours: Tours) -> None:
    key = min(tours.roots)
    cells, (_, after) = tours.roots[key]
    tours.roots[key] = cells, (len(cells) - 1, after)


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        (swap_cells, "tour 5 goes from"),
        (lose_a_cell, "tour 5 does not visit each cell"),
        (lose_a_block, "4x5x6 has no closed tour"),
        (wrong_block, "4x5x6 has no closed tour"),
        (lose_a_step, "is missing"),
        (same_edge, "uses that edge again"),
        (other_edge, "is missing|is no join"),
        (nowhere, "is missing|joins no edges|is no join"),
        (wrong_neighbour, "is missing|leads to a block|is no join"),
        (lose_a_root, "first block .* is missing"),
        (broken_root, "the open tour .* goes from"),
        (end_of_a_root, "begins with another tour"),
        (ends_apart, "5x5x5 has ends .* not two apart"),
    ],
)
def test_damage_is_noticed(tours: Tours, damage: Callable[[Tours], None], fault: str) -> None:
    damaged = copy.deepcopy(tours)
    damage(damaged)
    proved = boxes(damaged)
    assert not proved
    assert re.search(fault, proved.fault), proved.fault


def test_twins(tours: Tours, monkeypatch: pytest.MonkeyPatch) -> None:
    ring = [
        (0, 0, 0),
        (1, 2, 0),
        (2, 0, 0),
        (1, 0, 2),
        (0, 2, 2),
        (0, 0, 1),
    ]  # no tour, but 3 edges of a walk
    assert twins(ring) == 0
    assert twins([(0, 0, 0), (1, 2, 0), (2, 0, 0), (3, 2, 0), (9, 9, 9)]) == 1
    monkeypatch.setattr("cavalcade.theorems.boxes.TWINS", 100)
    assert "fewer than 100 pairs of twins" in boxes(tours).fault


def layers(*sides: int) -> list[tuple[int, ...]]:
    """The cells of a box in the order in which each differs from the one before by a single step."""
    walk: list[tuple[int, ...]] = [()]
    for side in sides:
        walk = [
            (*at, i) for k, at in enumerate(walk) for i in (range(side) if k % 2 == 0 else range(side)[::-1])
        ]
    return walk


def test_layers_make_open_tours(tours: Tours) -> None:
    for shape, sides in [((3, 3, 5), (3, 3)), ((3, 5, 7), (5,)), ((5, 3, 3), (7,))]:
        key = next(key for key in tours.roots if key[0] == shape)
        cells = [(*cell, *layer) for layer in layers(*sides) for cell in tours.roots[key][0]]
        board = Board.box(*shape, *sides)
        tour = Tour(board, np.ravel_multi_index(np.array(cells).T, board.shape), closed=False)
        assert cavalcade.check(tour)


def test_layers_make_closed_tours(tours: Tours) -> None:
    for shape, sides in [((2, 3, 4), (2, 3)), ((4, 5, 6), (5,)), ((2, 3, 5), (2, 2, 2))]:
        tour = tours.closed[tours.first[shape]]
        pairs = list(twin_edges(tour))[:2]
        edges: set[frozenset[tuple[int, ...]]] = set()
        walk = layers(*sides)
        for layer in walk:
            edges |= {frozenset({(*a, *layer), (*b, *layer)}) for a, b in pairwise([*tour, tour[0]])}
        for i, (one, two) in enumerate(pairwise(walk)):
            (a, b), (c, d) = pairs[i % 2]
            edges -= {frozenset({(*a, *one), (*b, *one)}), frozenset({(*c, *two), (*d, *two)})}
            edges |= {frozenset({(*a, *one), (*c, *two)}), frozenset({(*b, *one), (*d, *two)})}
        beside: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
        for e, f in map(tuple, edges):
            beside.setdefault(e, set()).add(f)
            beside.setdefault(f, set()).add(e)
        cells = [(0,) * (3 + len(sides))]
        before: tuple[int, ...] = ()
        while True:
            after = min(beside[cells[-1]] - {before})
            if after == cells[0]:
                break
            before = cells[-1]
            cells.append(after)
        board = Board.box(*shape, *sides)
        flat = np.ravel_multi_index(np.array(cells).T, board.shape)
        assert cavalcade.check(Tour(board, flat, closed=True))


def test_sides_are_cut_as_the_proof_says() -> None:
    for n in range(2, 200):
        if n < 4:
            parts = [n]
        else:
            rest = {0: [], 2: [6], 1: [5], 3: [7]}[n % 4]
            fours = [4] * ((n - sum(rest)) // 4)
            parts = fours + rest if n % 2 == 0 else rest + fours
        assert sum(parts) == n
        assert set(parts) <= set(PARTS)
        assert all(b in AFTER[a] for a, b in pairwise(parts))


def test_the_theorem_agrees_with_the_program() -> None:
    for i, j, k in product(range(2, 8), repeat=3):
        board = Board.box(i, j, k)
        law = theorem(board, KNIGHT, closed=False)
        assert law is not None
        assert law.exists == isinstance(plan(board, closed=False), Chain)
        if not law.exists and board.size < 60:
            assert cavalcade.tour(board, open=True).status == "impossible"


def test_the_command() -> None:
    done = CliRunner().invoke(command.command, ["boxes"], standalone_mode=False)
    assert done.return_value == 0
    assert "by the proof in docs/open-boxes.md" in done.output
    told = json.loads(CliRunner().invoke(command.command, ["boxes", "--json"], standalone_mode=False).output)
    assert (told["theorem"], told["status"], told["fault"]) == ("boxes", "proved", None)
    with pytest.raises(click.UsageError, match="glinski"):
        CliRunner().invoke(
            command.command, ["boxes", "-o", "a.svg"], standalone_mode=False, catch_exceptions=False
        )
