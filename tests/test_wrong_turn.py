"""The wrong turn of a walk, compared with plain backtracking that shares no code with the package."""

from __future__ import annotations

import json
import random
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import cavalcade
from cavalcade import Tour, Undecided, board, wrong_turn
from cavalcade.draw.pictures import picture
from cavalcade.draw.shapes import Polyline
from cavalcade.draw.wrong_turn import wrong_turn_picture
from cavalcade.question.moves import move_graph
from test_continuation import random_walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from cavalcade.question.words import Ties
    from conftest import Ran

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
Squares = dict[str, list[str]]
#: The ten failed walks of Gerlach 2015: the wrong step, the tied squares, and the squares that save the tour.
FAILED = {
    ("first", "g6"): (59, "h5 e4", "e4"),
    ("first", "g3"): (56, "c6 b3", "b3"),
    ("first", "f2"): (60, "d7 e4 d3", "e4 d3"),
    ("first", "g2"): (59, "h5 e4", "e4"),
    ("first", "g1"): (59, "d4 h4", "h4"),
    ("last", "b8"): (59, "a5 e5", "a5"),
    ("last", "b7"): (59, "d5 a4", "d5"),
    ("last", "c7"): (60, "e6 d5 e2", "e6 d5"),
    ("last", "b6"): (56, "g6 f3", "g6"),
    ("last", "b3"): (59, "d5 a4", "d5"),
}


@cache
def knight_moves(ranks: int, files: int) -> Squares:
    """Return the squares a knight's move away from each square, by name."""
    steps = {(sign * a, other * b) for a, b in permutations((1, 2)) for sign in (1, -1) for other in (1, -1)}
    names = {(x, y): f"{chr(97 + x)}{y + 1}" for x in range(files) for y in range(ranks)}
    return {
        name: [names[x + a, y + b] for a, b in sorted(steps) if (x + a, y + b) in names]
        for (x, y), name in names.items()
    }


def completes(moves: Squares, walk: list[str], *, closed: bool) -> bool:
    """Return whether a walk can be completed to a tour, by backtracking."""
    free = [square for square in moves if square not in walk]
    if not free:
        return not closed or walk[0] in moves[walk[-1]]
    ends = {walk[-1], walk[0]} if closed else {walk[-1]}
    # A free square needs two neighbours that are free or an end of the walk, the last square only one.
    exits = [sum(near in free or near in ends for near in moves[square]) for square in free]
    if min(exits) < 1 or exits.count(1) > (0 if closed else 1):
        return False
    return any(
        completes(moves, [*walk, square], closed=closed)
        for square in sorted(moves[walk[-1]], key=lambda square: sum(near in free for near in moves[square]))
        if square in free
    )


def expected(moves: Squares, walk: list[str], *, closed: bool) -> tuple[int, set[str]]:
    """Return the greatest number of steps that a tour keeps, and the squares that continue it."""
    kept = max(k for k in range(1, len(walk) + 1) if completes(moves, walk[:k], closed=closed))
    ahead = [square for square in moves[walk[kept - 1]] if square not in walk[:kept]]
    return kept, {square for square in ahead if completes(moves, [*walk[:kept], square], closed=closed)}


@pytest.mark.parametrize(("ties", "start"), FAILED)
def test_the_failed_walks_of_the_paper(ties: Ties, start: str) -> None:
    """In all ten walks the wrong turn is a tie, and another tied square leads to a tour."""
    verdict = cavalcade.warnsdorff("8x8", start, ties=ties, count_start=False)
    assert isinstance(verdict, Undecided)
    assert verdict.partial is not None
    turn = wrong_turn(verdict.partial, open=True, count_start=False, time_limit=60)
    step, tied, saving = FAILED[ties, start]
    assert (turn.step, turn.tied, turn.saving) == (step, tied.split(), saving.split())
    assert turn.is_tie
    assert turn.continuation.greatest
    # The second method: every move after the kept steps, by backtracking.
    walk, moves = verdict.partial.names, knight_moves(8, 8)
    assert not completes(moves, walk[:step], closed=False)
    good = {
        square
        for square in moves[walk[step - 2]]
        if square not in walk[: step - 1] and completes(moves, [*walk[: step - 1], square], closed=False)
    }
    assert good == {*saving.split()}
    for choice in turn.choices:
        if choice.saves:
            tour = choice.verdict.tour  # type: ignore[union-attr]
            assert cavalcade.check(tour)
            assert tour.names[:step] == [*walk[: step - 1], choice.name]


@pytest.mark.parametrize(("ranks", "files", "closed"), [(3, 10, True), (5, 5, False), (4, 5, False)])
def test_random_walks_against_backtracking(ranks: int, files: int, closed: bool) -> None:  # noqa: FBT001
    chance = random.Random(2)
    moves = knight_moves(ranks, files)
    wrong = 0
    for _ in range(8):
        walk = random_walk(f"{ranks}x{files}", chance)
        if not completes(moves, walk.names[:1], closed=closed):
            turn = wrong_turn(walk, open=not closed, time_limit=60)
            assert (turn.step, turn.choices) == (1, ())
            continue
        kept, saving = expected(moves, walk.names, closed=closed)
        turn = wrong_turn(walk, open=not closed, time_limit=60)
        assert turn.continuation.kept == kept
        if kept == len(walk):
            assert (turn.step, turn.cell, turn.choices) == (None, None, ())
            continue
        wrong += 1
        assert (turn.step, turn.cell, {*turn.saving}) == (kept + 1, walk.names[kept], saving)
        free = {*moves} - {*walk.names[:kept]}
        onward = {
            square: len(free & {*moves[square]}) for square in moves[walk.names[kept - 1]] if square in free
        }
        assert {choice.name: choice.onward for choice in turn.choices} == onward
        assert {*turn.tied} == {square for square in onward if onward[square] == min(onward.values())}
    assert wrong


def test_other_boards_and_pieces() -> None:
    """Levels, hexagons, surfaces, a plain graph and another piece have sentences and pictures."""
    for spec, piece in (("2x4x4", None), ("hex:3", None), ("torus:4x5", None), ("10x10", "zebra")):
        walks = [
            cavalcade.warnsdorff(spec, cell, piece=piece, ties="last")
            for cell in range(min(20, move_graph(spec, piece=piece).size))
        ]
        partial = next((walk.partial for walk in walks if isinstance(walk, Undecided)), None)
        if partial is None:
            continue
        turn = wrong_turn(partial, open=True, time_limit=60)
        assert str(turn).startswith("Step ")
        picture = cavalcade.write(turn, "svg")
        assert ("the wrong turn" in picture) == bool(turn.choices)
    graph = cavalcade.MoveGraph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4), (1, 3)])
    turn = wrong_turn(Tour(graph, np.array([0, 1, 3]), closed=False), open=True)
    assert (turn.step, turn.saving) == (3, ["3"])
    assert "the wrong turn" in cavalcade.write(turn, "svg")


def test_sentences() -> None:
    walk = Tour.from_names(board("6x6"), "a1 c2 e1 f3 e5 c6 a5 b4".split(), closed=False)  # noqa: SIM905
    assert str(wrong_turn(walk)) == (
        "Step 8, b4, was the wrong turn: a closed tour can keep 7 steps, not 8. "
        "The step to b4 is not allowed. With c4 instead, a tour is possible."
    )
    assert str(wrong_turn(Tour.from_names(board("5x5"), ["b5"], closed=False), open=True)) == (
        "Step 1, b5, was wrong: no open tour begins with it."
    )
    verdict = cavalcade.warnsdorff("8x8", "b2")
    assert isinstance(verdict, Undecided)
    assert verdict.partial is not None
    assert str(wrong_turn(verdict.partial, open=True)) == (
        "Step 53, a3, was the wrong turn: an open tour can keep 52 steps, not 53. It was no tie: only a3 has "
        "as few as 3 onward moves. Only a move against the rule leads to a tour: d4."
    )
    whole = cavalcade.warnsdorff("8x8", "a1")
    assert whole.status == "found"
    assert str(wrong_turn(whole.tour, open=True)) == "No step was wrong: an open tour begins with this walk."
    with pytest.raises(cavalcade.CavalcadeError, match="3 degrees for 36 cells"):
        wrong_turn(walk, degrees=[1, 2, 3])


def test_the_commands(cli: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sentence = (
        "Step 60, d7, was the wrong turn: an open tour can keep 59 steps, not 60. "
        "It was a tie: d7, e4 and d3 have 2 onward moves each. With e4 or d3 instead, a tour is possible."
    )
    code, out, err = cli("warnsdorff", "8x8", "--from", "f2", "--as-printed", "--explain")
    assert (code, err.splitlines()[-1]) == (3, sentence)
    (tmp_path / "walk.txt").write_text(out)
    code, out, err = cli("warnsdorff", "8x8", "--from", "f2", "--as-printed", "--explain", "--json")
    turn = json.loads(out)["wrong_turn"]
    assert (turn["step"], turn["tie"], turn["message"]) == (60, True, sentence)
    assert [(choice["cell"], choice["tour"]) for choice in turn["choices"]] == [
        ("d7", False),
        ("e4", True),
        ("d3", True),
    ]
    code, out, err = cli("continue", "walk.txt", "--open", "--no-count-start", "--json")
    assert (code, json.loads(out)["wrong_turn"]) == (0, turn)
    assert err.splitlines()[-1] == sentence
    # By the true degrees the same step is no tie.
    code, out, err = cli("continue", "walk.txt", "--open", "-o", "walk.svg")
    assert code == 0
    assert "Warnsdorff's rule would choose e4 or d3, which have 1 onward move each; d7 has 2." in err
    picture = (tmp_path / "walk.svg").read_text()
    assert "step 60, d7: the wrong turn" in picture
    assert "e4, d3: a tour is possible" in picture
    code, out, err = cli("warnsdorff", "8x8", "--all", "--as-printed", "--explain")
    assert out.splitlines()[-1] == (
        "of 5 wrong turns 5 are ties, and in 5 of these another tied cell leads to a tour"
    )
    assert f"    {sentence}" in out.splitlines()
    code, out, err = cli("warnsdorff", "8x8", "--all", "--as-printed", "--explain", "--json")
    turns = [json.loads(line).get("wrong_turn") for line in out.splitlines()]
    assert [turn["step"] for turn in turns if turn] == [59, 56, 60, 59, 59]
    # The pictures of docs/warnsdorff.md are new.
    cli("warnsdorff", "8x8", "--from", "g6", "--as-printed", "--explain", "-o", "wrong-turn.svg")
    cli("warnsdorff", "8x8", "--all", "--as-printed", "--explain", "-o", "wrong-turns.svg")
    assert "from g6, step 59: h5" in (tmp_path / "wrong-turns.svg").read_text()
    for name in ("wrong-turn.svg", "wrong-turns.svg"):
        assert (tmp_path / name).read_bytes() == (PICTURES / name).read_bytes()


def test_in_a_moving_picture_the_signs_come_after_the_last_good_step() -> None:
    verdict = cavalcade.warnsdorff("8x8", "g6", count_start=False)
    assert isinstance(verdict, Undecided)
    assert verdict.partial is not None
    turn = cavalcade.wrong_turn(verdict.partial, open=True, count_start=False)
    assert turn.step is not None
    picture = wrong_turn_picture(turn, legend=False)
    signs = {"wrong", "saving", "last-good", "tick"}
    for step, shown in ((turn.step - 3, set()), (turn.step - 2, signs)):
        roles = {getattr(shape, "role", "") for shape in picture.until(step).shapes}
        assert roles & signs == shown


def test_in_space_the_signs_cover_no_moves() -> None:
    """Each level of the box is painted once, below all moves."""
    cells = [0, 20, 13, 19, 5, 3, 10, 1, 7, 9, 23, 17, 15, 22, 8, 12, 21, 14, 16, 6]
    turn = wrong_turn(Tour(board("2x3x4"), np.array(cells, dtype=np.int32), closed=False), open=True)
    assert turn.saving == ["2:c2"]
    levels = [
        [shape for shape in drawn.shapes if isinstance(shape, Polyline) and len(shape.at) == 12]
        for drawn in (wrong_turn_picture(turn, view="space", legend=False), picture(turn.walk, view="space"))
    ]
    assert [shape.role for shape in levels[0]] == ["side", "side"]
    assert levels[0] == levels[1]
