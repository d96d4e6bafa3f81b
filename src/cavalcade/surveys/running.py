"""Answering a survey: workers answer batches of questions, and this process writes the rows as they arrive.

Written batches persist however the process ends; the next call answers the rest. Workers are processes on
this machine or in a Dask cluster. A worker receives a list of questions and returns their rows. It does not
use the disk, and if it dies, only its batch is repeated.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from itertools import chain, count, islice
from multiprocessing import connection
from pathlib import Path
from types import ModuleType
from typing import Any

from cavalcade.ground.budget import assert_time, machine_memory, seconds_left
from cavalcade.ground.errors import CavalcadeError, FormatError, boolean, bytes_of, seconds_of, whole
from cavalcade.ground.storage import locked
from cavalcade.ground.system import cores
from cavalcade.ground.threads import ProgressCallback
from cavalcade.ground.watchdog import TIMING
from cavalcade.question.words import validated
from cavalcade.surveys.batches import ENDINGS, Survey, read_survey
from cavalcade.surveys.cluster import cluster, local_workers
from cavalcade.surveys.families import OF_WALKS, Member, family
from cavalcade.surveys.rows import VERBS, Asking, Row, answer, question_of, walking

Answers = list[tuple[Row, str]]
Task = tuple[int, list[Member]]

BATCH = 1000  # questions per file, up to 10,000 in large families: few files against work lost by a crash
ATTEMPTS = 3  # attempts at a batch that kills its worker
AHEAD = 2  # batches per worker that are submitted in advance, so that workers never wait


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
    insecure_scheduler: bool = False,
    progress: ProgressCallback | None = None,
    **words: Any,
) -> Survey:
    """Answer one question about every board of a family, and write the answers to a directory.

    The same call resumes an interrupted survey; written batches are kept.

    Args:
        text: the family in one line, see `cavalcade.surveys.families`, or the name of a `.toml` file; ""
            resumes the survey in the directory.
        directory: directory of the rows; it is created, or contains the same survey.
        verb: `tour`, `prove`, `count`, `measure` (find a tour and measure it) or `warnsdorff` (walk from
            every cell where an open tour may begin, and count the tours).
        pieces: specs of pieces, which may contain names of the family in braces; by default the knight.
        kinds: `closed`, `open` or both; by default closed.
        seed: seed of the random choices.
        time_limit: seconds for each board; by default 10, or no limit with counts and walks.
        memory: bytes for each board; by default the workers share half of the machine's memory.
        keep: store tours and certificates, for `check_survey`.
        batch: boards per file; by default 1,000 or more, or 20 with counts and walks.
        rows: `csv` or `parquet`.
        workers: processes on this machine; by default one per core. With 1, this process answers.
        scheduler: address of a Dask scheduler whose workers answer, as `tls://HOST:8786`; `local:4` is the
            same as `workers=4`.
        insecure_scheduler: accept an address without TLS. Whoever reaches the scheduler can run code as you.
        progress: called after every batch with the finished fraction, from 0 to 1.
        words: other constraints: `start`, `end`, `avoid`, `symmetry`, … and `with_`; with `warnsdorff`:
            `ties`, `count_start` and `walks`, the number of start cells, drawn at random.

    Raises:
        CavalcadeError: the family is invalid, empty or too large, the directory has another survey, or a
            batch kills every worker.
        FormatError: rows cannot be written.

    Examples:
        >>> rows = survey("{m}x5 for m in 5..6", "fives", workers=1).rows()
        >>> [(row["board"], row["verdict"]) for row in rows]
        [('5x5', 'impossible'), ('6x5', 'found')]
    """
    if not isinstance(text, str):
        raise CavalcadeError(f"{text!r} is not a family, expected a text such as '{{n}}x{{n}} for n in 5..9'")
    limit = None if time_limit is None else seconds_of(time_limit)
    asking = Asking(verb, limit, whole(seed, "seed"), None if memory is None else bytes_of(memory), keep)
    begun = _begun(text, Path(directory), pieces, kinds, batch, rows, words, asking)
    if (local := local_workers(scheduler)) is not None:
        workers, scheduler = local, None
    processes = cores() if workers is None else whole(workers, "workers", least=1)
    asking = begun.asking
    if asking.memory is None:
        asking = replace(asking, memory=machine_memory() // (2 * processes))
    with locked(begun.directory, "is answering the survey in"):
        # Finished batches are read first, so that damage is found before hours of work.
        done, questions = {number: len(begun.read(number)) for number in begun.done}, 0
        finished, most = len(done), max(1, -(-begun.family.most // begun.batch))
        failed: FormatError | None = None

        def tasks() -> Iterator[Task]:
            nonlocal questions
            members = begun.family.questions()
            for number in count():
                batch = list(islice(members, begun.batch))
                if failed is not None or not batch:
                    return
                questions += len(batch)
                if number not in done:
                    yield number, batch
                elif done[number] != len(batch):
                    raise FormatError(f"batch {number:06} of {directory} has {done[number]:,} rows")

        if scheduler is not None:
            answered = _by_dask(
                tasks(), asking, scheduler, insecure=boolean(insecure_scheduler, "insecure_scheduler")
            )
        elif processes > 1:
            answered = _by_pool(tasks(), asking, processes)
        else:
            answered = ((number, _answer_batch(members, asking)) for number, members in tasks())
        for number, answers in answered:
            try:
                begun.write(number, [row for row, _ in answers], [kept for _, kept in answers])
            except FormatError as error:  # batches in progress may still be written
                failed = failed or error
            else:
                finished += 1
            if progress is not None:
                progress(min(finished / most, 1.0))
        if failed is not None:
            raise failed
        answered_survey = replace(begun, questions=questions)
        answered_survey.save()
    return answered_survey


def _begun(
    text: str, directory: Path, pieces: Sequence[str], kinds: Sequence[str], batch: int | None, rows: str,
    words: dict[str, Any], asking: Asking,
) -> Survey:  # fmt: skip
    """Open the survey in a directory, or create it.

    Raises:
        CavalcadeError: the survey is invalid, or the directory has another survey.
    """
    if asking.verb not in VERBS:
        raise CavalcadeError(f"unknown verb {asking.verb[:40]!r}, expected {', '.join(VERBS)}")
    if rows not in ENDINGS:
        raise CavalcadeError(f"unknown format of rows {rows[:40]!r}, expected {' or '.join(ENDINGS)}")
    exists = (directory / "survey.json").exists()
    if not text.strip():
        if not exists:
            raise CavalcadeError(f"there is no survey in {directory} to resume, expected a family")
        return read_survey(directory)
    constraints = {key.removesuffix("_"): value for key, value in words.items() if value is not None}
    questions = family(text, pieces=pieces, kinds=kinds, words=constraints)
    if batch is None:
        slow = asking.verb in {"count", "warnsdorff"}  # a count or many walks take longer than a tour
        batch = BATCH // 50 if slow else min(max(BATCH, questions.most // 1000), 10 * BATCH)
    new = Survey(directory, questions, asking, whole(batch, "batch", least=1), rows)
    if exists:
        old = read_survey(directory)
        same = replace(old.asking, memory=asking.memory) == asking
        if (old.family.keys, old.ending) != (questions.keys, rows) or not same:
            raise CavalcadeError(
                f"{directory} has another survey, of {old.family.keys['boards']!r}: choose another directory"
            )
        return replace(old, asking=asking)
    question_of(next(questions.questions()))
    if asking.verb == "warnsdorff":
        walking(next(questions.questions()))
    elif misplaced := [word for word in OF_WALKS if word in questions.keys]:
        raise CavalcadeError(f"{misplaced[0]!r} is for the verb warnsdorff, not for {asking.verb}")
    try:
        directory.mkdir(exist_ok=True)
    except OSError as error:
        raise FormatError(f"cannot write {directory}: {error.strerror}") from None
    new.save()
    return new


# ---- workers


def _answer_batch(questions: list[Member], asking: Asking) -> Answers:
    """Answer some questions; runs in the workers."""
    return [answer(question, asking) for question in questions]


def _answers(
    executor: Executor,
    tasks: Iterator[Task],
    asking: Asking,
    running: dict[Any, Task],
    ahead: Callable[[], int],
) -> Iterator[tuple[int, Answers]]:
    """Yield the answers of an executor as they arrive.

    Args:
        executor: runs the batches.
        tasks: the batches.
        asking: options for each question.
        running: receives the submitted batches by their futures, so that the caller sees them after a
            failure.
        ahead: returns the number of batches that may be submitted at a time.
    """
    while True:
        while len(running) < ahead() and (task := next(tasks, None)) is not None:
            running[executor.submit(_answer_batch, task[1], asking)] = task
        if not running:
            return
        # Another thread may cancel the survey at any time: do not wait for longer than the watchdog does.
        done = wait(running, max(min(seconds_left(), TIMING.period), 0.0), FIRST_COMPLETED).done
        if not done:
            assert_time("finished answers are kept; resume the survey to answer the rest")
        for future in done:
            answers = future.result()
            number, _ = running.pop(future)
            yield number, answers


class _Pool(ProcessPoolExecutor):
    """A pool whose processes do not import the caller's script, which would need a guard for `__main__`."""

    def submit(self, *task: Any, **named: Any) -> Future[Any]:
        """Submit a task. A new process would import `__main__` if that came from a file, so hide it."""
        script, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
        try:
            return super().submit(*task, **named)
        finally:
            sys.modules["__main__"] = script


def _by_pool(tasks: Iterator[Task], asking: Asking, workers: int) -> Iterator[tuple[int, Answers]]:
    """Yield the answers of a pool of processes as they arrive.

    Raises:
        CavalcadeError: a batch kills every process that answers it.
    """
    attempts: dict[int, int] = {}

    def ahead() -> int:
        """After a failure, run one batch at a time to find the batch that kills its process."""
        return 1 if attempts else AHEAD * workers

    while True:
        pool = _Pool(workers, multiprocessing.get_context("spawn"), _follow_parent)
        running: dict[Any, Task] = {}
        try:
            for number, answers in _answers(pool, tasks, asking, running, ahead):
                attempts.pop(number, None)
                yield number, answers
        except BrokenProcessPool:
            for number, _ in running.values():
                attempts[number] = attempts.get(number, 0) + 1
            worst = max(attempts, key=attempts.__getitem__)
            if attempts[worst] >= ATTEMPTS:
                why = "the process answering it ended three times: is there enough memory?"
                raise CavalcadeError(f"batch {worst}: {why}") from None
            tasks = chain(running.values(), tasks)
        else:
            return
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()


def _follow_parent() -> None:
    """Exit when the parent process exits, even if it is killed; leave Ctrl-C to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None  # noqa: S101 - this runs in a child

    def follow() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


def _by_dask(
    tasks: Iterator[Task], asking: Asking, scheduler: str, *, insecure: bool
) -> Iterator[tuple[int, Answers]]:
    """Yield the answers of a Dask cluster as they arrive.

    Raises:
        CavalcadeError: as `cluster`.
        MissingExtraError: Dask is not installed.
    """
    with cluster(scheduler, ATTEMPTS, insecure=insecure) as (executor, workers):
        for attempt in range(1, ATTEMPTS + 1):
            running: dict[Any, Task] = {}
            try:
                yield from _answers(executor, tasks, asking, running, lambda: 2 * AHEAD * max(1, workers))
            except (ValueError, CancelledError):  # of Dask, if batches are cancelled as all workers are lost
                if attempt == ATTEMPTS:
                    raise
                tasks = chain(running.values(), tasks)
            else:
                return
