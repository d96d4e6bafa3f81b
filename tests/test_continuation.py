"""Continued walks, compared with lists of all tours."""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

import cavalcade
from cavalcade import Found, Impossible, Tour, Undecided, board, continue_walk
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.moves import move_graph

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from conftest import Ran


@cache
def ways(spec: str, *, closed: bool) -> NDArray[np.int32]:
    """All tours of a board in both directions, one tour per row."""
    tours = np.array([tour.cells for tour in cavalcade.list_tours(spec, open=not closed)])
    return np.concatenate([tours, tours[:, ::-1]])


def most_kept(walk: Tour, *, closed: bool) -> int:
    """The longest prefix of a walk in any tour; a closed tour may start at any cell."""
    tours = ways(walk.board.spec, closed=closed)
    first = np.argmax(tours == walk.cells[0], axis=1) if closed else np.zeros(len(tours), dtype=np.int64)
    places = (first[:, None] + np.arange(len(walk.cells))) % tours.shape[1]
    same = np.take_along_axis(tours, places, axis=1) == walk.cells
    return int(np.cumprod(same, axis=1).sum(axis=1).max())


def random_walk(spec: str, chance: random.Random) -> Tour:
    """A random prefix of a random walk that visits new cells until it is stuck."""
    graph, place = move_graph(spec), board(spec)
    cells = [chance.randrange(place.size)]
    while free := [cell for cell in graph.neighbours(cells[-1]).tolist() if cell not in cells]:
        cells.append(chance.choice(free))
    return Tour(place, np.array(cells[: chance.randint(1, len(cells))]), closed=False)


@pytest.mark.parametrize(
    ("spec", "closed"),
    [
        ("3x12", True),
        ("4x5", False),
        ("3x10", True),
        pytest.param("6x6", True, marks=pytest.mark.slow),
        pytest.param("5x5", False, marks=pytest.mark.slow),
    ],
)
def test_the_greatest_number_of_steps_is_kept(spec: str, closed: bool) -> None:  # noqa: FBT001 - a parameter
    chance = random.Random(5)
    for _ in range(8):
        walk = random_walk(spec, chance)
        continuation = continue_walk(walk, open=not closed, time_limit=60)
        greatest = most_kept(walk, closed=closed)
        if greatest == 0:
            assert isinstance(continuation.verdict, Impossible)
            continue
        assert isinstance(continuation.verdict, Found)
        assert cavalcade.check(continuation.verdict.tour)
        assert continuation.verdict.tour.closed == closed
        assert (continuation.kept, continuation.greatest) == (greatest, True)
        assert continuation.verdict.tour.cells[:greatest].tolist() == walk.cells[:greatest].tolist()


def test_keep_and_constraints() -> None:
    place = board("6x6")
    walk = Tour.from_names(place, ["a1", "c2", "e1", "f3", "e5", "c6", "a5", "b4"], closed=False)
    moves = ["-".join(pair) for pair in pairwise(walk.names)]
    assert list(cavalcade.list_tours("6x6", with_=moves[:6]))
    with pytest.raises(CavalcadeError, match="a5-b4 is not a move"):
        list(cavalcade.list_tours("6x6", with_=moves))
    assert (
        str(continue_walk(walk))
        == "7 of 8 steps are kept, step 8 is c4, not b4; no tour keeps more, certified"
    )
    with pytest.raises(ValueError, match="9 steps of the walk cannot be kept, expected 1 to 7"):
        continue_walk(walk, keep=9)
    continuation = continue_walk(walk, avoid="f3-e5", at="36=b3")
    assert isinstance(continuation.verdict, Found)
    assert continuation.verdict.tour.names[:4] == ["a1", "c2", "e1", "f3"]
    assert (continuation.kept, continuation.verdict.tour.names[-1]) == (4, "b3")
    first_three = Tour.from_names(place, ["a1", "b3", "c5", "a6"], closed=False)
    assert isinstance(continue_walk(first_three, keep=4, with_="a1-b3,c5-a6").verdict, Found | Impossible)
    with pytest.raises(ValueError, match="the walk starts at a1, so step 1 cannot be b1"):
        continue_walk(walk, at={1: "b1"})
    with pytest.raises(ValueError, match="the walk is empty"):
        continue_walk(Tour(place, np.zeros(0, dtype=np.int32), closed=False))


def test_the_command(cli: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    walk = cavalcade.warnsdorff("8x8", "a5")
    assert isinstance(walk, Undecided)
    assert walk.partial is not None
    cavalcade.save(walk.partial, "stuck.txt")
    code, out, err = cli("tour", "--continue", "stuck.txt", "--open", "--time-limit", 60)
    assert code == 0
    kept, explained = err.splitlines()
    assert kept == "53 of 60 steps are kept, step 54 is f1, not b3; no tour keeps more, certified"
    assert explained == (
        "Step 54, b3, was the wrong turn: an open tour can keep 53 steps, not 54. "
        "It was a tie: b3 and f1 have 2 onward moves each. With f1 instead, a tour is possible."
    )
    (tmp_path / "went_on.txt").write_text(out)
    tour = cavalcade.read_tour("went_on.txt")
    assert cavalcade.check(tour)
    assert tour.names[:53] == walk.partial.names[:53]
    for arguments, message in (
        (["tour", "--keep", "3", "8x8"], "tour has no option '--keep'"),
        (["tour"], "missing argument 'BOARD'"),
        (["tour", "--continue", "stuck.txt", "--from", "a1"], "continue has no option '--from'"),
        (["tour", "--continue", "none.txt"], "none.txt"),
        (["tour", "--continue", "stuck.txt", "--keep", "61"], "61 steps of the walk cannot be kept"),
    ):
        code, out, err = cli(*arguments)
        assert (code, out) == (2, "")
        assert message in err
