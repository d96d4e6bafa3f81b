"""Answering a survey: workers answer batch after batch, and this process writes the rows as they arrive.

What is written stays, however the process ends; the next call answers the rest. Workers are the processes of
a pool on this machine, or those of a Dask cluster. A batch is a list of questions; a worker returns its rows.
It needs no disk, and if it dies, only its batch is asked again.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from itertools import chain, count, islice
from multiprocessing import connection
from pathlib import Path
from types import ModuleType
from typing import Any

from cavalcade.ground.budget import machine_memory, seconds_left
from cavalcade.ground.errors import CavalcadeError, FormatError, bytes_of, optional, seconds_of, whole
from cavalcade.ground.threads import ProgressCallback, cores
from cavalcade.question.words import validated
from cavalcade.surveys.batches import ENDINGS, Survey, read_survey
from cavalcade.surveys.families import OF_WALKS, Member, family
from cavalcade.surveys.rows import VERBS, Asking, Row, answer, question_of, walking

Answers = list[tuple[Row, str]]
Task = tuple[int, list[Member]]

BATCH = 1000  # questions per file; in larger families a thousandth of them, up to the next number
LARGEST = 10_000
COUNTED = 20  # questions per file if each is a count, or many walks
ATTEMPTS = 3  # attempts at a batch that ends the process answering it
AHEAD = 2  # batches per worker that are submitted in advance


@validated
def survey(
    text: str,
    directory: str | os.PathLike[str],
    *,
    verb: str = "tour",
    pieces: Sequence[str] = (),
    kinds: Sequence[str] = (),
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
    keep: bool = False,
    batch: int | None = None,
    rows: str = "csv",
    workers: int | None = None,
    scheduler: str | None = None,
    progress: ProgressCallback | None = None,
    **words: Any,
) -> Survey:
    """Ask one question about every board of a family, and write the answers to a directory.

    The same call resumes an interrupted survey, however it was interrupted: the batches written stay.

    Args:
        text: the family in one line, see `cavalcade.surveys.families`, or a file that ends in `.toml`; or "",
            to resume the survey in the directory.
        directory: for the rows; it is made, or has the same survey.
        verb: `tour`, `prove`, `count`, `measure`: find a tour and measure it; or `warnsdorff`: walk from
            every cell where an open tour may begin, and count the tours.
        pieces: their specs, which may have names of the family in braces; by default the knight.
        kinds: `closed`, `open` or both; by default closed.
        seed: of the random choices.
        time_limit: seconds for each board; by default 10, for counts and walks none.
        memory: bytes for each board; by default the workers share half of the machine's.
        keep: keep the tours and certificates, for `check_survey`.
        batch: boards per file; by default 1,000 or more, of counts and walks 20.
        rows: `csv` or `parquet`.
        workers: processes on this machine; by default one for each core. With 1 this process answers.
        scheduler: the address of a Dask scheduler whose workers answer instead, or `local:4` to start
            four workers here.
        progress: called after every batch with the part that is done, from 0 to 1.
        words: other constraints: `start`, `end`, `avoid`, `symmetry`, … and `with_`; for `warnsdorff` `ties`,
            `count_start` and `walks`, from how many cells, drawn at random.

    Raises:
        CavalcadeError: a family that is none, is empty or too large, another survey in the directory,
            or a batch that ends every process that answers it.
        FormatError: rows cannot be written.

    Examples:
        >>> rows = survey("{m}x5 for m in 5..6", "fives", workers=1).rows()
        >>> [(row["board"], row["verdict"]) for row in rows]
        [('5x5', 'impossible'), ('6x5', 'found')]
    """
    limit = None if time_limit is None else seconds_of(time_limit)
    asking = Asking(verb, limit, whole(seed, "seed"), None if memory is None else bytes_of(memory), keep)
    begun = _begun(text, Path(directory), pieces, kinds, batch, rows, words, asking)
    many = cores() if workers is None else whole(workers, "workers", least=1)
    asking = begun.asking
    if asking.memory is None:
        asking = replace(asking, memory=machine_memory() // (2 * many))
    with begun.alone():
        known, asked = set(begun.done), 0
        finished, most = len(known), max(1, -(-begun.family.most // begun.batch))
        failed: FormatError | None = None

        def tasks() -> Iterator[Task]:
            nonlocal asked
            members = begun.family.questions()
            for number in count():
                batch = list(islice(members, begun.batch))
                if failed is not None or not batch:
                    return
                asked += len(batch)
                if number not in known:
                    yield number, batch

        if scheduler is not None:
            answered = _by_dask(tasks(), asking, scheduler)
        elif many > 1:
            answered = _by_pool(tasks(), asking, many)
        else:
            answered = ((number, _answer_batch(members, asking)) for number, members in tasks())
        for number, answers in answered:
            try:
                begun.write(number, [row for row, _ in answers], [kept for _, kept in answers])
            except FormatError as error:  # those under way may still be written
                failed = failed or error
            else:
                finished += 1
            if progress is not None:
                progress(min(finished / most, 1.0))
        if failed is not None:
            raise failed
        done = replace(begun, questions=asked)
        done.save()
    return done


def _begun(
    text: str, directory: Path, pieces: Sequence[str], kinds: Sequence[str], batch: int | None, rows: str,
    words: dict[str, Any], asking: Asking,
) -> Survey:  # fmt: skip
    """The survey in a directory, or a new one there.

    Raises:
        CavalcadeError: it is not a survey, or the directory has another.
    """
    if asking.verb not in VERBS:
        raise CavalcadeError(f"unknown verb {asking.verb[:40]!r}, expected {', '.join(VERBS)}")
    if rows not in ENDINGS:
        raise CavalcadeError(f"unknown format of rows {rows[:40]!r}, expected {' or '.join(ENDINGS)}")
    there = (directory / "survey.json").exists()
    if not text.strip():
        if not there:
            raise CavalcadeError(f"there is no survey in {directory} to resume, expected a family")
        return read_survey(directory)
    plain = {key.removesuffix("_"): value for key, value in words.items() if value is not None}
    found = family(text, pieces=pieces, kinds=kinds, words=plain)
    if batch is None:
        few = asking.verb in {"count", "warnsdorff"}
        batch = COUNTED if few else min(max(BATCH, found.most // 1000), LARGEST)
    new = Survey(directory, found, asking, whole(batch, "batch", least=1), rows)
    if there:
        old = read_survey(directory)
        same = replace(old.asking, memory=asking.memory) == asking
        if (old.family.keys, old.ending) != (found.keys, rows) or not same:
            raise CavalcadeError(
                f"{directory} has another survey, of {old.family.keys['boards']!r}: choose another directory"
            )
        return replace(old, asking=asking)
    question_of(next(found.questions()))
    if asking.verb == "warnsdorff":
        walking(next(found.questions()))
    elif unheeded := [word for word in OF_WALKS if word in found.keys]:
        raise CavalcadeError(f"{unheeded[0]!r} is for the verb warnsdorff, not for {asking.verb}")
    try:
        directory.mkdir(exist_ok=True)
    except OSError as error:
        raise FormatError(f"cannot write {directory}: {error.strerror}") from None
    new.save()
    return new


# ---- workers


def _answer_batch(questions: list[Member], asking: Asking) -> Answers:
    """The rows of some questions; workers run this."""
    return [answer(question, asking) for question in questions]


def _answers(
    executor: Executor,
    tasks: Iterator[Task],
    asking: Asking,
    under_way: dict[Any, Task],
    ahead: Callable[[], int],
) -> Iterator[tuple[int, Answers]]:
    """The answers of an executor, as they come; those under way are in a dictionary of the caller."""
    while True:
        while len(under_way) < ahead() and (task := next(tasks, None)) is not None:
            under_way[executor.submit(_answer_batch, task[1], asking)] = task
        if not under_way:
            return
        left = seconds_left()
        done = wait(under_way, None if math.isinf(left) else max(left, 0.0), FIRST_COMPLETED).done
        if not done:
            raise TimeoutError("what is answered is kept, the rest is asked when the survey is resumed")
        for future in done:
            answers = future.result()
            number, _ = under_way.pop(future)
            yield number, answers


class _Pool(ProcessPoolExecutor):
    """Processes that do not run the caller's script again, which would have to guard its calls from it."""

    def submit(self, *task: Any, **named: Any) -> Future[Any]:
        """Submit a task; this may start a process, which would import `__main__` if it came from a file."""
        script, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
        try:
            return super().submit(*task, **named)
        finally:
            sys.modules["__main__"] = script


def _by_pool(tasks: Iterator[Task], asking: Asking, workers: int) -> Iterator[tuple[int, Answers]]:
    """The answers of a pool of processes, as they come.

    Raises:
        CavalcadeError: a batch ends every process that answers it.
    """
    attempts: dict[int, int] = {}

    def ahead() -> int:
        """One batch alone shows whether it ends the process."""
        return 1 if attempts else AHEAD * workers

    while True:
        pool = _Pool(workers, multiprocessing.get_context("spawn"), _follow_parent)
        under_way: dict[Any, Task] = {}
        try:
            for number, answers in _answers(pool, tasks, asking, under_way, ahead):
                attempts.pop(number, None)
                yield number, answers
        except BrokenProcessPool:
            for number, _ in under_way.values():
                attempts[number] = attempts.get(number, 0) + 1
            worst = max(attempts, key=attempts.__getitem__)
            if attempts[worst] >= ATTEMPTS:
                why = "the process answering it ended three times: is there enough memory?"
                raise CavalcadeError(f"batch {worst}: {why}") from None
            tasks = chain(under_way.values(), tasks)
        else:
            return
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()


def _follow_parent() -> None:
    """End this process when its parent ends, even if that is killed; Ctrl-C is for the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None  # noqa: S101 - this runs in a child

    def follow() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


def _by_dask(tasks: Iterator[Task], asking: Asking, scheduler: str) -> Iterator[tuple[int, Answers]]:
    """The answers of a Dask cluster, as they come.

    Raises:
        CavalcadeError: there is no such scheduler.
        MissingExtraError: Dask is not installed.
    """
    dask = optional("dask.distributed", "survey", otherwise="; or leave out the scheduler")
    kind, _, number = scheduler.partition(":")
    cluster = None
    if kind == "local":
        if not number.isdigit() or not 0 < int(number) < 10_000:
            raise CavalcadeError(f"{scheduler!r} is not a cluster on this machine, expected one like local:4")
        cluster = dask.LocalCluster(n_workers=int(number), threads_per_worker=1, dashboard_address=None)
    try:
        client = dask.Client(cluster or scheduler, timeout=10)
    except (OSError, ValueError, TimeoutError) as error:
        raise CavalcadeError(f"no Dask scheduler answers at {scheduler!r}: {error}") from None
    try:
        ahead = 2 * AHEAD * max(1, len(client.scheduler_info()["workers"]))
        executor = client.get_executor(pure=False, retries=ATTEMPTS)
        yield from _answers(executor, tasks, asking, {}, lambda: ahead)
    finally:
        client.close()
        if cluster is not None:
            cluster.close()
