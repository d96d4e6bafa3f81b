"""Every long public function ends when its scope is cancelled, and calls `progress` while it runs."""

from __future__ import annotations

import inspect
import multiprocessing
import threading
import time
from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING, Any

import pytest

import cavalcade
from cavalcade import CancelScope
from cavalcade.ground.errors import TooLargeError
from cavalcade.surveys.rows import Asking
from cavalcade.surveys.running import _answers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PATIENCE = 60  # seconds after which a search ends that was not cancelled: the test then fails
BOARD = cavalcade.board("6x6")
WALKED = cavalcade.warnsdorff("8x8", "a5")
assert isinstance(WALKED, cavalcade.Undecided)
assert WALKED.partial is not None
STUCK = WALKED.partial  # 60 steps
FEW_NUMBERS = cavalcade.Puzzle(BOARD, ((1, 0), (36, 8)))


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
    "count_walks": lambda _, progress: cavalcade.count_walks("3x4", progress=progress),
    "distribution": lambda _, progress: cavalcade.distribution("5x6", progress=progress),
    "magic_tours": lambda _, progress: list(cavalcade.magic_tours("4x4", progress=progress)),
    "reproduce": lambda _, progress: cavalcade.reproduce("gerlach2015", progress=progress),
    "sample": lambda _, progress: cavalcade.sample("5x6", progress=progress),
    "survey": lambda folder, progress: cavalcade.survey(
        "{m}x4 for m in 3..5", folder / "survey", workers=1, batch=1, progress=progress
    ),
    "best": lambda _, progress: cavalcade.best("5x5", progress=progress),
    "continue_walk": lambda _, progress: cavalcade.continue_walk(STUCK, open=True, progress=progress).verdict,
    "decompose": lambda _, progress: cavalcade.decompose("complete:9", progress=progress),
    "hamiltonian_cycle": lambda _, progress: cavalcade.hamiltonian_cycle(
        cavalcade.move_graph("3x4"), progress=progress
    ),
    "hamiltonian_path": lambda _, progress: cavalcade.hamiltonian_path(
        cavalcade.move_graph("4x4"), progress=progress
    ),
    "lightest_tours": lambda _, progress: cavalcade.lightest_tours(
        "complete:6", range(15), number=3, progress=progress
    ),
    "list_arrays": lambda _, progress: list(cavalcade.list_arrays("6x6", progress=progress)),
    "list_tours": lambda _, progress: list(cavalcade.list_tours("6x6", progress=progress)),
    "optgraph": lambda _, progress: cavalcade.optgraph(
        "complete:12", [k * k % 67 for k in range(66)], progress=progress
    ),
    "puzzle": lambda _, progress: cavalcade.puzzle("6x6", progress=progress),
    "roesselsprung": lambda _, progress: cavalcade.roesselsprung("a " * 16, board="4x4", progress=progress),
    "sequence": lambda _, progress: cavalcade.sequence("3xn", progress=progress),
    "solve": lambda _, progress: cavalcade.solve(FEW_NUMBERS, progress=progress),
    "wrong_turn": lambda _, progress: cavalcade.wrong_turn(STUCK, open=True, progress=progress),
    "prove": lambda _, progress: cavalcade.prove("6x6", progress=progress),
    "tour": lambda _, progress: cavalcade.tour("4x4", progress=progress),
    "tsp": lambda _, progress: cavalcade.tsp(
        "complete:12", [k * k % 67 for k in range(66)], progress=progress
    ),
    "uncrossed": lambda _, progress: cavalcade.uncrossed("4x4", progress=progress),
    "uncrossed_lengths": lambda _, progress: cavalcade.uncrossed_lengths("3xn", upto=4, progress=progress),
}
# calls of other functions with a time limit: their time is linear in the cells, or in the moves of a repair
SILENT: dict[str, Callable[[], object]] = {
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
    if isinstance(answer, cavalcade.LeastTour | cavalcade.BestWalks):
        return not answer.exact
    if isinstance(answer, cavalcade.LightestTours | cavalcade.Solved):
        return not answer.complete
    if isinstance(answer, cavalcade.Sequence):
        return "cancelled" in answer.reason
    if isinstance(answer, cavalcade.OptgraphTables):
        return answer.status == "Best found"
    if isinstance(answer, cavalcade.WrongTurn):
        answer = answer.continuation.verdict
    return bool(answer.status == "undecided" and answer.reason.startswith("cancelled"))


def test_every_function_with_a_time_limit_has_progress() -> None:
    parameters = {
        name: inspect.signature(getattr(cavalcade, name)).parameters
        for name in cavalcade.__all__
        if inspect.isfunction(getattr(cavalcade, name)) or name == "Sampler"
    }
    reporting = {name for name, accepted in parameters.items() if "progress" in accepted}
    limited = {name for name, accepted in parameters.items() if "time_limit" in accepted}
    assert reporting == set(REPORTING)
    assert limited - reporting == set(SILENT)


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (lambda: cavalcade.tour("30x30"), "cancelled"),
        (lambda: cavalcade.prove("6x6"), "cancelled"),
        (lambda: cavalcade.decompose("complete:9"), "cancelled"),
        (lambda: cavalcade.solve(FEW_NUMBERS), "cancelled: not every numbering was tried"),
    ],
)
def test_a_cancelled_answer_says_so(ask: Callable[[], Any], reason: str) -> None:
    with CancelScope() as scope:
        scope.cancel()
        assert ask().reason == reason


def test_questions_of_a_callback_do_not_report_to_it() -> None:
    turns: list[object] = []

    def progress(turn: object) -> None:
        turns.append(turn)
        assert cavalcade.tour("5x6").status == "found"

    cavalcade.tour("8x8", progress=progress)
    assert len(turns) == 1


@pytest.mark.parametrize("error", [TimeoutError, TooLargeError, MemoryError, KeyError])
@pytest.mark.parametrize("name", sorted(REPORTING))
def test_what_a_callback_raises_reaches_its_caller(name: str, error: type[Exception], tmp_path: Path) -> None:
    raised = error("of the caller")

    def progress(*_: object) -> None:
        raise raised

    with pytest.raises(error) as caught:
        REPORTING[name](tmp_path, progress)
    assert caught.value is raised


@pytest.mark.parametrize("board", ["5x6", "6x6"])
def test_the_finished_part_of_a_list_grows_to_its_end(board: str) -> None:
    parts: list[float] = []
    list(cavalcade.list_arrays(board, progress=parts.append))
    assert parts == sorted(parts)
    assert parts[-1] == 1
    assert parts[0] < 1


class NeverDone(Executor):
    """An executor whose tasks never end."""

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        """Return a future that nobody completes."""
        return Future()


def test_a_cancelled_count_raises_an_error_of_this_package() -> None:
    with CancelScope() as scope, pytest.raises(TooLargeError, match=r"^cancelled"):
        cavalcade.count("6x6", progress=lambda _: scope.cancel())


def test_a_survey_does_not_wait_for_workers_once_it_is_cancelled() -> None:
    asking = Asking("tour", None, 0, None, keep=False)
    with CancelScope() as scope:
        threading.Timer(0.1, scope.cancel).start()
        with pytest.raises(TimeoutError, match=r"^cancelled: finished answers are kept"):
            list(_answers(NeverDone(), iter([(0, [])]), asking, {}, lambda: 1))


@pytest.mark.slow
def test_worker_processes_end_when_the_survey_is_cancelled(tmp_path: Path) -> None:
    with CancelScope() as scope:
        threading.Timer(3, scope.cancel).start()
        with pytest.raises(TimeoutError, match=r"^cancelled: "):
            cavalcade.survey("{m}x8 for m in 8..9", tmp_path, verb="count", workers=2, batch=1)
    assert not multiprocessing.active_children()


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
