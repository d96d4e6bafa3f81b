"""The theorem on boxes with three sides: its check, and what damaged tours make it say."""

from __future__ import annotations

import copy
import json
import re
from itertools import pairwise, product
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

import cavalcade
from cavalcade.boards import Board
from cavalcade.cli import theorem as command
from cavalcade.find.chain import Chain
from cavalcade.find.tile import plan
from cavalcade.pieces import KNIGHT
from cavalcade.proofs.boxes import AFTER, PARTS, Tours, boxes, found
from cavalcade.proofs.theorems import theorem

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
    cells[0], cells[2] = cells[2], cells[0]


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
    ],
)
def test_damage_is_noticed(tours: Tours, damage: Callable[[Tours], None], fault: str) -> None:
    damaged = copy.deepcopy(tours)
    damage(damaged)
    proved = boxes(damaged)
    assert not proved
    assert re.search(fault, proved.fault), proved.fault


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
