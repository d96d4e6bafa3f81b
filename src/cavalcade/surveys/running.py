"""Answering a survey: workers answer batch after batch, and this process writes the rows as they arrive.

What is written stays, however the process ends; the next call answers the rest.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cavalcade.ground.budget import machine_memory
from cavalcade.ground.errors import CavalcadeError, FormatError, seconds_of, whole
from cavalcade.ground.threads import cores
from cavalcade.surveys.batches import ENDINGS, Survey, read_survey
from cavalcade.surveys.families import family
from cavalcade.surveys.rows import VERBS, Asking, question_of
from cavalcade.surveys.workers import answer_batch, by_dask, by_pool

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from cavalcade.ground.threads import ProgressCallback
    from cavalcade.surveys.workers import Task

BATCH = 1000  # questions per file; in larger families a thousandth of them, up to the next number
LARGEST = 10_000
COUNTED = 20  # questions per file if each is a count


def survey(
    text: str,
    directory: str | os.PathLike[str],
    *,
    verb: str = "tour",
    pieces: Sequence[str] = (),
    kinds: Sequence[str] = (),
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | None = None,
    keep: bool = False,
    batch: int | None = None,
    rows: str = "csv",
    workers: int | None = None,
    scheduler: str | None = None,
    progress: ProgressCallback | None = None,
    **words: Any,  # noqa: ANN401 - as `cavalcade.question.constraints` has them
) -> Survey:
    """Ask one question about every board of a family, and write the answers to a directory.

    The same call resumes an interrupted survey, however it was interrupted: the batches written stay.

    Args:
        text: the family in one line, see `cavalcade.surveys.families`, or a file that ends in `.toml`; or "",
            to resume the survey in the directory.
        directory: for the rows; it is made, or has the same survey.
        verb: `tour`, `prove`, `count`, or `measure`: find a tour and measure it.
        pieces: their specs, which may have names of the family in braces; by default the knight.
        kinds: `closed`, `open` or both; by default closed.
        seed: of the random choices.
        time_limit: seconds for each board; by default 10, for counts none.
        memory: bytes for each board; by default the workers share half of the machine's.
        keep: keep the tours and certificates, for `check_survey`.
        batch: boards per file; by default 1,000 or more, of counts 20.
        rows: `csv` or `parquet`.
        workers: processes on this machine; by default one for each core. With 1 this process answers.
        scheduler: the address of a Dask scheduler whose workers answer instead, or `local:4` to start
            four workers here.
        progress: called after every batch with the part that is done, from 0 to 1.
        words: other constraints: `start`, `end`, `avoid`, `symmetry`, … and `with_`.

    Raises:
        CavalcadeError: a family that is none, is empty or too large, another survey in the directory,
            or a batch that ends every process that answers it.
        FormatError: rows cannot be written.
    """
    limit = None if time_limit is None else seconds_of(time_limit)
    begun = _begun(
        text, Path(directory), verb, pieces, kinds, batch, rows, words,
        Asking(verb, limit, whole(seed, "seed"), memory, keep),
    )  # fmt: skip
    count = cores() if workers is None else whole(workers, "workers", least=1)
    asking = begun.asking
    if asking.memory is None:
        asking = replace(asking, memory=machine_memory() // (2 * count))
    with begun.alone():
        known, asked = set(begun.done), 0
        finished, most = len(known), max(1, -(-begun.family.most // begun.batch))
        failed: FormatError | None = None

        def tasks() -> Iterator[Task]:
            nonlocal asked
            members = begun.family.questions()
            for number in itertools.count():
                batch = list(islice(members, begun.batch))
                if failed is not None or not batch:
                    return
                asked += len(batch)
                if number not in known:
                    yield number, batch

        if scheduler is not None:
            answered = by_dask(tasks(), asking, scheduler)
        elif count > 1:
            answered = by_pool(tasks(), asking, count)
        else:
            answered = ((number, answer_batch(members, asking)) for number, members in tasks())
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
    text: str, directory: Path, verb: str, pieces: Sequence[str], kinds: Sequence[str], batch: int | None,
    rows: str, words: dict[str, Any], asking: Asking,
) -> Survey:  # fmt: skip
    """The survey in a directory, or a new one there.

    Raises:
        CavalcadeError: it is not a survey, or the directory has another.
    """
    if verb not in VERBS:
        raise CavalcadeError(f"unknown verb {verb[:40]!r}, expected {', '.join(VERBS)}")
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
        batch = COUNTED if verb == "count" else min(max(BATCH, found.most // 1000), LARGEST)
    new = Survey(directory, found, asking, whole(batch, "batch", least=1), rows)
    if there:
        old = read_survey(directory)
        if (old.family.keys, old.asking, old.ending) != (found.keys, asking, rows):
            raise CavalcadeError(
                f"{directory} has another survey, of {old.family.keys['boards']!r}: choose another directory"
            )
        return old
    question_of(next(found.questions()))
    try:
        directory.mkdir(exist_ok=True)
    except OSError as error:
        raise FormatError(f"cannot write {directory}: {error.strerror}") from None
    new.save()
    return new
