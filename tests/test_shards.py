"""Counts in shards: each shard equals the list of its tours, and interruptions do not change the sum."""

from __future__ import annotations

import os
import signal
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

import cavalcade as cv
from cavalcade.counting import shards as sharding
from cavalcade.counting.listing import list_tours
from cavalcade.counting.shards import count_shard
from cavalcade.ground import storage
from cavalcade.ground.errors import FormatError, TooLargeError
from cavalcade.question.question import Question
from conftest import one_error
from sealing import reseal_rows

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Ran

TOURS_OF_8X8 = 13267364410532


@pytest.mark.parametrize(
    ("spec", "words", "shards"),
    [
        ("5x6", {}, 4),
        ("6x6", {}, 9),
        ("4x5", {"open": True}, 4),
        ("4x6", {"open": True}, 12),
    ],
)
def test_shards_are_classes_of_tours(spec: str, words: Any, shards: int) -> None:
    """Each shard counts the tours of its classes, by the moves of some cells to the first side."""
    question = Question.of(spec, **words)
    plan = sharding.assert_shards(question, shards)
    assert plan is not None
    classes = sharding._Classes(question, plan)  # noqa: SLF001
    classes.split(shards)
    of_shard = {shard_class: i for i in range(shards) for shard_class in classes.of_shard(i)}
    side = set(plan.side)
    inside = {
        frozenset(stage.vertices[i] for i in stage.geometry.later)
        for stage in [*classes.stages[len(plan.side) :], *classes.meeting.own]
    }
    counts: Counter[int] = Counter()
    for tour in list_tours(question):
        cells = [*tour.cells.tolist(), *([] if question.closed else [question.apex])]
        edges = [frozenset(edge) for edge in zip(cells, [*cells[1:], cells[0]], strict=True)]
        first = [edge for edge in edges if not side.isdisjoint(edge) or edge in inside]
        digits = tuple(tuple(sum(v in edge for edge in first) for v in pair) for pair in classes.pairs)
        counts[of_shard[min(digits, classes.complement(digits))]] += 1  # type: ignore[arg-type]
    assert [count_shard(question, i, shards) for i in range(shards)] == [counts[i] for i in range(shards)]
    assert spec != "6x6" or sum(map(bool, counts.values())) > 5


@pytest.mark.parametrize(
    ("spec", "words", "shards"),
    [
        ("5x5-a1", {"open": True}, 3), ("5x6-a1,b1", {"open": True}, 5), ("6x6-a1,a2", {}, 4), ("4x4", {}, 2),
        ("5x6", {"with_": ["c3-d5"]}, 3), ("5x5", {"open": True, "start": "a1"}, 4),
        ("5x6-a1,b1", {"open": True}, 30), ("6x7-a1,a2", {}, 4),
    ],
)  # fmt: skip
def test_shards_of_any_board_add_up(spec: str, words: Any, shards: int) -> None:
    question = Question.of(spec, **words)
    parts = [count_shard(question, i, shards) for i in range(shards)]
    assert sum(parts) == cv.count(question).count
    assert sum(parts) < 1000 or sum(map(bool, parts)) > 1


# ---- interruptions


def test_a_worker_is_killed(tmp_path: Path) -> None:
    dask: Any = pytest.importorskip("dask.distributed")
    with dask.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        workers = [worker.pid for worker in cluster.workers.values()]

        def killing(part: float) -> None:
            if part < 1 and workers:
                os.kill(workers.pop(), signal.SIGKILL)

        result = cv.count_in_shards(
            "6x7", tmp_path, 24, scheduler=cluster.scheduler_address, progress=killing
        )
        assert not workers
    assert result.count == 1067638
    assert len([*(tmp_path / "rows").iterdir()]) == 24


def test_a_full_disk_and_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new_file, written = storage.new_file, iter(range(100))

    def full(path: Any, *arguments: Any, **keywords: Any) -> Any:
        if "rows" in str(path) and next(written) >= 3:
            raise FormatError(f"cannot write {path}: No space left on device")
        return new_file(path, *arguments, **keywords)

    with monkeypatch.context() as patch:
        patch.setattr(storage, "new_file", full)
        with pytest.raises(cv.CavalcadeError, match="No space left"):
            cv.count_in_shards("6x6", tmp_path, 8)
    kept = {path: path.read_bytes() for path in (tmp_path / "rows").iterdir()}
    assert len(kept) == 3
    counted_shards: list[int] = []
    count = sharding.count_shard

    def counted(question: Question, number: int, *arguments: Any) -> int:
        counted_shards.append(number)
        return count(question, number, *arguments)

    monkeypatch.setattr(sharding, "count_shard", counted)
    assert cv.count_in_shards("6x6", tmp_path, 8).count == 9862
    assert counted_shards == [3, 4, 5, 6, 7]
    assert all(path.read_bytes() == before for path, before in kept.items())


def test_limits_lose_no_shard(tmp_path: Path) -> None:
    with pytest.raises(TooLargeError, match=r"the time limit of 0\.01 s is reached"):
        cv.count_in_shards("6x7", tmp_path, 6, time_limit=0.01)
    assert not [*tmp_path.glob("rows/*")]
    with pytest.raises(TooLargeError, match=r"shard 0 of 6: .*memory limit"):
        cv.count_in_shards("6x7", tmp_path, 6, memory=20_000)
    assert not [*tmp_path.glob("rows/*")]
    assert cv.count_in_shards("6x7", tmp_path, 6, memory=10**9).count == 1067638
    with pytest.raises(TooLargeError, match="is reached"):
        cv.count_in_shards("6x7", tmp_path / "two", 6, time_limit=0.05, workers=2)
    assert cv.count_in_shards("6x7", tmp_path / "two", 6, directed=True).count == 2 * 1067638


def test_the_command(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    out = tmp_path / "out"
    assert cli("count", "6x6", "--shards", "8", "-o", out).out == "9862\n"
    (out / "rows" / "000005.csv").unlink()
    ran = cli("check", out)
    assert (ran.code, ran.out) == (1, "batch 000005 is missing\n")
    assert cli("count", "6x6", "--shards", "8", "-o", out, "--workers", "1").out == "9862\n"
    row = out / "rows" / "000002.csv"
    row.write_text(row.read_text(encoding="utf-8").replace(",class,", ",count,"), encoding="utf-8")
    one_error(cli("count", "6x6", "--shards", "8", "-o", out), "its seal does not fit")
    reseal_rows(out)
    one_error(cli("count", "6x6", "--shards", "8", "-o", out), "has shards of another version")
    for arguments, message in (
        (["6x6", "--shards", "1048576", "-o", tmp_path / "a"], "1,048,576 shards, expected at most"),
        (["5x5-a1", "--open", "--shards", "70000", "-o", tmp_path / "a"], "expected at most 65,536"),
        (["6x6", "--scheduler", "local:2"], "--scheduler"),
        (["6x6", "--shards", "2", "-o", out, "--workers", "2", "--scheduler", "local:2"], "excludes"),
    ):  # fmt: skip
        one_error(cli("count", *arguments), message)
    ran = cli("count", "4x5", "--open", "--at", "1=a1", "--at", "3=c1", "--shards", "4", "-o", tmp_path / "a")
    assert (ran.code, "not counted in shards" in ran.err) == (3, True)
    assert not (tmp_path / "a").exists()


@pytest.mark.slow
def test_8x8_by_four_processes_twice_killed(tmp_path: Path) -> None:
    """Finished shards survive the death of two workers and of the whole cluster."""
    dask: Any = pytest.importorskip("dask.distributed")
    finished: list[int] = []
    for kills in (2, 0):
        with dask.LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as cluster:
            workers = [worker.pid for worker in cluster.workers.values()]

            def killing(part: float, workers: list[int] = workers, kills: int = kills) -> None:
                if kills and part > 0.1 * (5 - len(workers)):
                    if len(workers) == 2:
                        raise KeyboardInterrupt
                    os.kill(workers.pop(), signal.SIGKILL)

            try:
                result = cv.count_in_shards(
                    "8x8", tmp_path, 64, scheduler=cluster.scheduler_address, progress=killing, memory=1 << 30
                )
            except KeyboardInterrupt:
                finished.append(len([*(tmp_path / "rows").iterdir()]))
    assert 0 < finished[0] < 64
    assert result.count == TOURS_OF_8X8
