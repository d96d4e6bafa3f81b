"""Every long public function ends when its scope is cancelled, and calls `progress` while it runs."""

from __future__ import annotations

import inspect
import threading
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cavalcade
from cavalcade import CancelScope
from cavalcade.ground.errors import TooLargeError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PATIENCE = 60  # seconds after which a search ends that was not cancelled: the test then fails
BOARD = cavalcade.board("6x6")
CELLS = np.array([BOARD.cell(name) for name in ("a6", "b4", "c6", "a5")], dtype=np.int32)
WALK = cavalcade.Tour(BOARD, CELLS, closed=False)


def of_receipt(folder: Path, progress: Any) -> object:
    """Check the receipt of a count."""
    cavalcade.count("4x5", open=True, receipt=folder / "receipt.json")
    return cavalcade.check_receipt(cavalcade.read_receipt(folder / "receipt.json"), progress=progress)


def of_array(_: Path, progress: Any) -> object:
    """Check an array of a million steps."""
    made = cavalcade.construct("1000x1000")
    assert isinstance(made, cavalcade.Construction)
    return cavalcade.check_array(made.numbering(), threads=1, progress=progress)


# a call of each public function with `progress`: it takes more than one step
REPORTING: dict[str, Callable[[Path, Any], object]] = {
    "Sampler": lambda _, progress: cavalcade.Sampler("5x6", progress=progress).draw(1),
    "check_array": of_array,
    "check_receipt": of_receipt,
    "classes": lambda _, progress: cavalcade.classes("5x6", progress=progress),
    "connected": lambda _, progress: cavalcade.connected("3x4", progress=progress),
    "count": lambda _, progress: cavalcade.count("5x6", progress=progress),
    "count_in_shards": lambda folder, progress: cavalcade.count_in_shards(
        "4x5", folder / "shards", 2, open=True, workers=1, progress=progress
    ),
    "distribution": lambda _, progress: cavalcade.distribution("5x6", progress=progress),
    "magic_tours": lambda _, progress: list(cavalcade.magic_tours("4x4", progress=progress)),
    "reproduce": lambda _, progress: cavalcade.reproduce("gerlach2015", progress=progress),
    "sample": lambda _, progress: cavalcade.sample("5x6", progress=progress),
    "survey": lambda folder, progress: cavalcade.survey(
        "{m}x4 for m in 3..5", folder / "survey", workers=1, batch=1, progress=progress
    ),
    "prove": lambda _, progress: cavalcade.prove("6x6", progress=progress),
    "tour": lambda _, progress: cavalcade.tour("4x4", progress=progress),
    "tsp": lambda _, progress: cavalcade.tsp(
        "complete:12", [k * k % 67 for k in range(66)], progress=progress
    ),
    "uncrossed": lambda _, progress: cavalcade.uncrossed("4x4", progress=progress),
    "uncrossed_lengths": lambda _, progress: cavalcade.uncrossed_lengths("3xn", upto=4, progress=progress),
}
# calls of other long functions
SILENT: dict[str, Callable[[], object]] = {
    "hamiltonian_cycle": lambda: cavalcade.hamiltonian_cycle(cavalcade.move_graph("8x8")),
    "list_tours": lambda: list(cavalcade.list_tours("5x6")),
    "sequence": lambda: cavalcade.sequence("3xn"),
    "continue_walk": lambda: cavalcade.continue_walk(WALK).verdict,
    "decompose": lambda: cavalcade.decompose("complete:9"),
    "puzzle": lambda: cavalcade.puzzle("6x6"),
    "solve": lambda: cavalcade.solve(cavalcade.Puzzle(BOARD, ((1, 0), (36, 8)))),
    "roesselsprung": lambda: cavalcade.roesselsprung("a b c d e f g h i j k l"),
    "warnsdorff": lambda: cavalcade.warnsdorff("8x8"),
    "chain": lambda: cavalcade.chain("5x5", 4),
    "construct": lambda: cavalcade.construct("100x100"),
}


def ends_early(call: Callable[[], Any]) -> bool:
    """Return whether a call ends without an answer."""
    try:
        answer = call()
    except (TimeoutError, TooLargeError):
        return True
    if isinstance(answer, cavalcade.Connections):
        return "undecided" in answer.reasons
    if isinstance(answer, cavalcade.LeastTour):
        return not answer.exact
    return bool(answer.status == "undecided")


def test_every_function_with_progress_is_here() -> None:
    functions = [name for name in cavalcade.__all__ if callable(getattr(cavalcade, name))]
    takes = {
        name
        for name in functions
        if not issubclass(type(getattr(cavalcade, name)), type) or name == "Sampler"
        if "progress" in inspect.signature(getattr(cavalcade, name)).parameters
    }
    assert takes == set(REPORTING)


@pytest.mark.parametrize("name", REPORTING)
def test_cancelling_in_progress_ends_the_work(name: str, tmp_path: Path) -> None:
    calls = 0

    def progress(*_: object) -> None:
        nonlocal calls
        calls += 1
        scope.cancel()

    with CancelScope() as scope:
        assert ends_early(lambda: REPORTING[name](tmp_path, progress))
    assert calls


@pytest.mark.parametrize("name", SILENT)
def test_a_cancelled_scope_ends_the_work(name: str) -> None:
    assert not CancelScope().cancelled
    with CancelScope() as scope:
        scope.cancel()
        assert scope.cancelled
        assert ends_early(SILENT[name])


def test_another_thread_cancels() -> None:
    with CancelScope() as scope:
        threading.Timer(0.1, scope.cancel).start()
        with pytest.raises(TooLargeError, match=r"^cancelled: "):
            cavalcade.count("8x8", time_limit=PATIENCE)


def test_code_that_does_not_read_the_clock_is_interrupted() -> None:
    def wait(*_: object) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            pass

    with CancelScope() as scope:
        threading.Timer(0.1, scope.cancel).start()
        with pytest.raises(TimeoutError):
            cavalcade.count("4x4", progress=wait)
    assert cavalcade.count("4x4").count == 0


def test_scopes_are_nested_and_end() -> None:
    with CancelScope() as outer, CancelScope() as inner:
        inner.cancel()
        assert not outer.cancelled
        assert cavalcade.tour("5x6").status == "undecided"
    with CancelScope(), outer:
        outer.cancel()
        assert cavalcade.tour("5x6").status == "undecided"
    assert cavalcade.tour("5x6").status == "found"


def test_what_was_found_is_kept(tmp_path: Path) -> None:
    tours = []

    def collect(scope: CancelScope) -> None:
        for tour in cavalcade.list_tours("6x6"):
            tours.append(tour)
            scope.cancel()

    with CancelScope() as scope:
        with pytest.raises(TimeoutError):
            collect(scope)
        assert cavalcade.check(tours[0])
        with pytest.raises(TimeoutError):
            cavalcade.survey("{m}x4 for m in 3..5", tmp_path, workers=1)
    assert not list(cavalcade.read_survey(tmp_path).rows())
    resumed = cavalcade.survey("{m}x4 for m in 3..5", tmp_path, workers=1)
    assert {row["verdict"] for row in resumed.rows()} == {"impossible"}
