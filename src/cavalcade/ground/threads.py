"""Threads for kernels and NumPy loops, which release the interpreter lock."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
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
        progress: called with the fraction done whenever the next task has ended.
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
    results: list[Result] = []
    with closing(stream(work, tasks, ahead=len(tasks), threads=threads)) as arriving:
        for result in arriving:
            results.append(result)
            _report(progress, len(results), len(tasks))
    return results


def stream(
    work: Callable[[Task], Result], tasks: Sequence[Task], *, ahead: int, threads: int | None = None
) -> Generator[Result, None, None]:
    """Yield the results of tasks in their order, while other threads run the next tasks.

    Args:
        work: called with each task, within the limits of the caller.
        tasks: the tasks. As with `spread`, they should take only some milliseconds.
        ahead: number of tasks that are done or run while the caller uses a result.
        threads: see `Sharing`.
    """
    count = min(cores() if threads is None else threads, len(tasks))
    if count < 2:
        yield from map(work, tasks)
        return
    from concurrent.futures import Future, ThreadPoolExecutor

    pool, running = ThreadPoolExecutor(count), deque[Future[Result]]()
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
