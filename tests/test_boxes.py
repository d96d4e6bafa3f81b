"""The theorem on boxes with three sides: its check, its wording, and its messages for faulty lists."""

from __future__ import annotations

import json
import re
from itertools import pairwise, permutations, product
from typing import TYPE_CHECKING

import click
import numpy as np
import pytest
from click.testing import CliRunner

import cavalcade
from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.cli.commands import theorem as command
from cavalcade.construction.plan import Construction, construct
from cavalcade.question.pieces import KNIGHT
from cavalcade.theorems import boxes as proof
from cavalcade.theorems.facts import packaged
from cavalcade.theorems.literature import theorem

if TYPE_CHECKING:
    from pathlib import Path

    from cavalcade.theorems.boxes import Cell

TOURS = proof.read(packaged("boxes"))


def test_the_theorem_is_checked() -> None:
    proved = proof.boxes()
    assert proved, proved.fault
    assert len(proved.facts) == 4


@pytest.mark.parametrize(
    ("list_", "fault"),
    [
        ({"tours": [], "joins": []}, "has no tour"),
        ({"tours": json.loads(packaged("boxes"))["tours"], "joins": []}, "is missing"),
        ({"tours": [], "joins": [[0] * 9]}, "cannot be read"),
        ({"joins": []}, "it has no 'tours'"),
        ([], "cannot be read"),
    ],
)
def test_shortened_lists(list_: object, fault: str, tmp_path: Path) -> None:
    assert fault in proof.boxes(json.dumps(list_)).fault
    file = tmp_path / "tours.json"
    file.write_text(json.dumps(list_), encoding="utf-8")
    done = CliRunner().invoke(command.command, ["boxes", "--tours", str(file)], standalone_mode=False)
    assert done.return_value == 1
    assert fault in done.stderr


# ---- the words


def parts_of(n: int) -> list[int]:
    """The parts of a side, by the rule in the proof."""
    if n < 4:
        return [n]
    rest = {0: [], 2: [6], 1: [5], 3: [7]}[n % 4]
    fours = [4] * ((n - sum(rest)) // 4)
    return fours + rest if n % 2 == 0 else rest + fours


def test_sides_are_cut_as_the_proof_says() -> None:
    """From 16 on, sides contribute no new pairs of adjacent parts."""
    seen: set[tuple[int, int]] = set()
    for n in range(2, 200):
        assert proof.cut(n) == parts_of(n)
        assert sum(parts_of(n)) == n
        pairs = set(pairwise([0, *parts_of(n)]))
        assert n < 16 or pairs <= seen
        seen |= pairs


def test_needed_contains_the_blocks_and_steps_of_all_boxes() -> None:
    """Enumerate the blocks and neighbouring blocks of all boxes with sides up to 16."""
    first, steps = proof.needed()
    required = {(block, block[axis], way, part) for block in steps for axis, way, part in steps[block]}
    begun, beside = set(), set()
    for sides in product(range(2, 17), repeat=3):
        if sorted(sides)[1] == 2 or max(sides) == 3:
            continue
        parts = [parts_of(n) for n in sides]
        begun.add(tuple(sorted(segments[0] for segments in parts)))
        for indices in product(*(range(len(segments)) for segments in parts)):
            block = [segments[i] for segments, i in zip(parts, indices, strict=True)]
            for axis, way in product(range(3), (1, -1)):
                to = indices[axis] + way
                if 0 <= to < len(parts[axis]):
                    there = [*block[:axis], parts[axis][to], *block[axis + 1 :]]
                    if 0 in {side % 2 for side in there}:
                        beside.add((tuple(sorted(block)), block[axis], way, parts[axis][to]))
    assert (first, required) == (begun, beside)
    assert set(steps) >= {block for block, *_ in beside}


@pytest.mark.parametrize("sides", [(5, 9, 11), (4, 6, 10), (8, 3, 7), (2, 21, 3), (13, 14, 15), (11, 2, 6)])
def test_boxes_built_from_the_list(sides: Cell) -> None:
    for turned in permutations(sides):
        board = Board.box(*turned)
        flat = np.ravel_multi_index(np.array(proof.built(turned, TOURS)).T, board.shape)
        assert cavalcade.check(Tour(board, flat, closed=board.size % 2 == 0))


def test_twins() -> None:
    ring: list[Cell] = [
        (0, 0, 0),
        (1, 2, 0),
        (2, 0, 0),
        (1, 0, 2),
        (0, 2, 2),
        (0, 0, 1),
    ]  # no tour, but 3 edges of a walk
    assert list(proof.twin_edges(ring)) == []
    walk: list[Cell] = [(0, 0, 0), (1, 2, 0), (2, 0, 0), (3, 2, 0), (9, 9, 9)]
    assert list(proof.twin_edges(walk)) == [(((0, 0, 0), (1, 2, 0)), ((2, 0, 0), (3, 2, 0)))]


def test_layers_make_open_tours() -> None:
    for shape, sides in [((3, 3, 5), (3, 3)), ((3, 5, 7), (5,)), ((5, 5, 5), (7,))]:
        tour = TOURS.tours[TOURS.first[shape]]
        cells = [(*cell, *layer) for layer in proof.layers(*sides) for cell in tour]
        board = Board.box(*shape, *sides)
        flat = np.ravel_multi_index(np.array(cells).T, board.shape)
        assert cavalcade.check(Tour(board, flat, closed=False))


def test_layers_make_closed_tours() -> None:
    for shape, sides in [((2, 3, 4), (2, 3)), ((4, 5, 6), (5,)), ((2, 3, 5), (2, 2, 2))]:
        tour = TOURS.tours[TOURS.first[shape]]
        pairs = list(proof.twin_edges(tour))[:2]
        edges: set[frozenset[Cell]] = set()
        walk = proof.layers(*sides)
        for layer in walk:
            edges |= {frozenset({(*a, *layer), (*b, *layer)}) for a, b in pairwise([*tour, tour[0]])}
        for i, (lower, upper) in enumerate(pairwise(walk)):
            (a, b), (c, d) = pairs[i % 2]
            edges -= {frozenset({(*a, *lower), (*b, *lower)}), frozenset({(*c, *upper), (*d, *upper)})}
            edges |= {frozenset({(*a, *lower), (*c, *upper)}), frozenset({(*b, *lower), (*d, *upper)})}
        beside: dict[Cell, set[Cell]] = {}
        for e, f in map(tuple, edges):
            beside.setdefault(e, set()).add(f)
            beside.setdefault(f, set()).add(e)
        cells: list[Cell] = [(0,) * (3 + len(sides))]
        before: Cell = ()
        while True:
            successor = min(beside[cells[-1]] - {before})
            if successor == cells[0]:
                break
            before = cells[-1]
            cells.append(successor)
        board = Board.box(*shape, *sides)
        flat = np.ravel_multi_index(np.array(cells).T, board.shape)
        assert cavalcade.check(Tour(board, flat, closed=True))


def test_the_theorem_agrees_with_the_program() -> None:
    for i, j, k in product(range(2, 8), repeat=3):
        board = Board.box(i, j, k)
        law = theorem(board, KNIGHT, closed=False)
        assert law is not None
        assert (
            law.exists == isinstance(construct(board, open=True), Construction) == proof.has_tour((i, j, k))
        )
        if not law.exists and board.size < 60:
            assert cavalcade.tour(board, open=True).status == "impossible"


def test_the_command() -> None:
    done = CliRunner().invoke(command.command, ["boxes"], standalone_mode=False)
    assert done.return_value == 0
    assert re.search("by the proof that `cavalcade theorem boxes --proof` prints", done.output)
    report = json.loads(
        CliRunner().invoke(command.command, ["boxes", "--json"], standalone_mode=False).output
    )
    assert (report["theorem"], report["status"], report["fault"]) == ("boxes", "proved", None)
    with pytest.raises(click.UsageError, match="glinski"):
        CliRunner().invoke(
            command.command, ["boxes", "-o", "a.svg"], standalone_mode=False, catch_exceptions=False
        )
