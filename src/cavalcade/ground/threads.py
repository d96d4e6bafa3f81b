"""Threads for kernels and NumPy loops, which release the interpreter lock."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextvars import copy_context
from typing import TypedDict, TypeVar

from cavalcade.ground.budget import assert_time
from cavalcade.ground.system import cores

ProgressCallback = Callable[[float], None]  # called with the fraction done, from 0 to 1

Task = TypeVar("Task")
Result = TypeVar("Result")


class Sharing(TypedDict, total=False):
    """Options of parallel work.

    Attributes:
        threads: number of threads; by default one for each core.
        progress: called with the fraction done whenever a task ends.
    """

    threads: int | None
    progress: ProgressCallback | None


def spread(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    *,
    threads: int | None = None,
    progress: ProgressCallback | None = None,
) -> list[Result]:
    """Run tasks in parallel and return their results in the order of the tasks.

    Each task runs within the limits of the caller (see `ground.budget`). After an exception, Ctrl-C included,
    running tasks are finished and the others are discarded. So tasks should take only some milliseconds.
    """
    count = min(cores() if threads is None else threads, len(tasks))
    if count < 2:
        results = []
        for i, task in enumerate(tasks):
            results.append(work(task))
            _report(progress, i + 1, len(tasks))
        return results
    from concurrent.futures import ThreadPoolExecutor, as_completed

    pool = ThreadPoolExecutor(count)
    try:
        futures = [pool.submit(copy_context().run, work, task) for task in tasks]
        for i, future in enumerate(as_completed(futures)):
            future.result()
            _report(progress, i + 1, len(tasks))
    finally:
        pool.shutdown(cancel_futures=True)
    return [future.result() for future in futures]


def stream(work: Callable[[Task], Result], tasks: Sequence[Task], *, ahead: int) -> Iterator[Result]:
    """Yield the results of tasks in their order, while other threads run the next tasks.

    Args:
        work: called with each task, within the limits of the caller.
        tasks: the tasks. As with `spread`, they should take only some milliseconds.
        ahead: number of tasks that are done or run while the caller uses a result.
    """
    if min(cores(), len(tasks)) < 2:
        yield from map(work, tasks)
        return
    from concurrent.futures import Future, ThreadPoolExecutor

    pool, running = ThreadPoolExecutor(cores()), deque[Future[Result]]()
    try:
        for task in tasks:
            running.append(pool.submit(copy_context().run, work, task))
            if len(running) > ahead:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _report(progress: ProgressCallback | None, done: int, total: int) -> None:
    """Report that a task has ended, and stop at the time limit unless it was the last one."""
    if progress is not None:
        progress(done / total)
    if done < total:
        assert_time(f"{done:,} of {total:,} parts are done")
