"""Work shared among the cores: threads, for kernels and NumPy loops that let one another run."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextvars import copy_context
from typing import TypedDict, TypeVar

ProgressCallback = Callable[[float], None]  # called with the part that is done, from 0 to 1

Task = TypeVar("Task")
Result = TypeVar("Result")


class Sharing(TypedDict, total=False):
    """How work is shared: so many `threads`, by default one for each core; `progress` is called meanwhile."""

    threads: int | None
    progress: ProgressCallback | None


def cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not everywhere
        return os.cpu_count() or 1


def spread(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    *,
    threads: int | None = None,
    progress: ProgressCallback | None = None,
) -> list[Result]:
    """The results of the tasks, in their order; all cores work at once.

    Each runs within the limits of the caller (see `ground.budget`). An exception, also Ctrl-C, comes out
    when the tasks under way are done; the others are not begun. So tasks should be short, some milliseconds.
    """
    count = min(cores() if threads is None else threads, len(tasks))
    if count < 2:
        results = []
        for i, task in enumerate(tasks):
            results.append(work(task))
            if progress is not None:
                progress((i + 1) / len(tasks))
        return results
    from concurrent.futures import ThreadPoolExecutor, as_completed

    pool = ThreadPoolExecutor(count)
    try:
        futures = [pool.submit(copy_context().run, work, task) for task in tasks]
        for i, future in enumerate(as_completed(futures)):
            future.result()
            if progress is not None:
                progress((i + 1) / len(tasks))
    finally:
        pool.shutdown(cancel_futures=True)
    return [future.result() for future in futures]
