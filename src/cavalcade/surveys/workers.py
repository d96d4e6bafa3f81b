"""Workers: the processes of a pool on this machine, or those of a Dask cluster.

A batch is a list of questions; a worker returns its rows. It needs no disk, and if it dies, only its batch is
asked again.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import FIRST_COMPLETED, Executor, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from itertools import chain
from multiprocessing import connection
from typing import TYPE_CHECKING, Any

from cavalcade.ground.errors import CavalcadeError, MissingExtraError
from cavalcade.surveys.rows import Asking, answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cavalcade.surveys.families import Member
    from cavalcade.surveys.rows import Row

    Answers = list[tuple[Row, str]]
    Task = tuple[int, list[Member]]

ATTEMPTS = 3  # attempts at a batch that ends the process answering it
AHEAD = 2  # batches per worker that are submitted in advance


def answer_batch(questions: list[Member], asking: Asking) -> Answers:
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
            under_way[executor.submit(answer_batch, task[1], asking)] = task
        if not under_way:
            return
        for future in wait(under_way, return_when=FIRST_COMPLETED).done:
            answers = future.result()
            number, _ = under_way.pop(future)
            yield number, answers


def by_pool(tasks: Iterator[Task], asking: Asking, workers: int) -> Iterator[tuple[int, Answers]]:
    """The answers of a pool of processes, as they come.

    Raises:
        CavalcadeError: a batch ends every process that answers it.
    """
    attempts: dict[int, int] = {}

    def ahead() -> int:
        """One batch alone shows whether it ends the process."""
        return 1 if attempts else AHEAD * workers

    while True:
        pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _follow_parent)
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


def by_dask(tasks: Iterator[Task], asking: Asking, scheduler: str) -> Iterator[tuple[int, Answers]]:
    """The answers of a Dask cluster, as they come.

    Raises:
        CavalcadeError: there is no such scheduler.
        MissingExtraError: Dask is not installed.
    """
    try:
        dask: Any = import_module("dask.distributed")
    except ImportError:
        raise MissingExtraError("dask.distributed", "survey", "; or leave out the scheduler") from None
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
