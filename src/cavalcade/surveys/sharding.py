"""Counts in shards as surveys: each shard is a row, and the count is the sum of all rows."""

from __future__ import annotations

import os
from typing import Any, Unpack

from cavalcade.answers.counts import Count
from cavalcade.answers.verification import Verification
from cavalcade.checking.verification import REPEATED, agreed
from cavalcade.counting.shards import assert_shards
from cavalcade.counting.total import conventions_of, count_within
from cavalcade.ground.budget import bounded
from cavalcade.ground.errors import CavalcadeError, TooLargeError, bytes_of
from cavalcade.ground.threads import ProgressCallback
from cavalcade.question.graph import BoardLike, board_of
from cavalcade.question.question import Question
from cavalcade.question.words import QuestionWords, validated
from cavalcade.surveys.cluster import local_workers
from cavalcade.surveys.rows import DECIDED, METHOD, statement_of
from cavalcade.surveys.running import survey


@validated
def count_in_shards(
    board: BoardLike | Question,
    directory: str | os.PathLike[str],
    shards: int,
    *,
    directed: bool = False,
    memory: int | str | None = None,
    time_limit: float | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    insecure_scheduler: bool = False,
    progress: ProgressCallback | None = None,
    **words: Unpack[QuestionWords],
) -> Count:
    """Count the tours of a board in parts that need less memory, and add the counts.

    The counts are stored in a directory; the same call resumes an interrupted count.

    Args:
        board: a board, its spec, or a complete `Question`; boards with a half turn take far less work.
        directory: directory of the counts; it is created, or contains the counts of an earlier call.
        shards: number of shards.
        directed: count both directions.
        memory: limit for the tables of all running shards, in bytes, or of each shard with a scheduler's
            address. By default half of the machine's memory.
        time_limit: seconds; by default none. Finished shards are kept.
        workers: number of shards that run at a time; by default one, because each shard uses all cores.
        scheduler: address of a Dask scheduler whose workers count, as `tls://HOST:8786`; `local:4` is the
            same as `workers=4`.
        insecure_scheduler: accept an address without TLS. Whoever reaches the scheduler can run code as you.
        progress: called after every shard with the finished fraction, from 0 to 1.
        words: other properties of the tours, see `Question.of`.

    Raises:
        CavalcadeError: there is no board, there are too many shards, the directory has another survey or
            shards of another version, or the shards do not add up to a count of the whole board. Small
            boards alone are counted as a whole; `check_survey` compares larger ones.
        FormatError: a count cannot be written; earlier counts are kept.
        TooLargeError: the time limit is reached, or a shard needs more memory; the message names the shard,
            and the next call counts it again.

    Time: see `counting.shards`, and `docs/shards.md`.

    Examples:
        >>> count_in_shards("6x6", "shards", 8).count
        9862
    """
    question = Question.of(board, **words)
    board_of(question.board, "to count in shards")
    assert_shards(question, shards)
    name, count = question.board.name, 1 if workers is None else workers
    constraints: dict[str, Any] = {"shard": f"{{shard}}/{shards}", "moves": question.direction}
    ends = () if question.closed else (("start", question.start), ("end", question.end))
    constraints |= {word: None if cell is None else name(cell) for word, cell in ends}
    for word, moves in (("with", question.required), ("avoid", question.forbidden)):
        constraints[word] = [f"{name(a)}-{name(b)}" for a, b in moves] or None
    share = local_workers(scheduler) or count
    with bounded(time_limit, None):
        done = survey(
            f"{question.board.spec} for shard in 0..{shards - 1}",
            directory,
            verb="count",
            pieces=[question.piece.spec],
            kinds=[question.kind],
            memory=None if memory is None else bytes_of(memory) // max(1, share),
            batch=1,
            workers=share,
            scheduler=scheduler,
            insecure_scheduler=insecure_scheduler,
            progress=progress,
            **constraints,
        )
    rows, members = {number: done.read(number)[0] for number in done.done}, [*done.family.questions()]
    if undecided := [number for number, row in rows.items() if row["verdict"] not in DECIDED]:
        for number in undecided:
            done.forget(number)
        first = rows[undecided[0]]
        raise TooLargeError(f"shard {first['shard']} of {shards}: {first['reason']}")
    for number, row in rows.items():
        if row["statement"] != statement_of(question, members[number], "count"):
            raise CavalcadeError(f"{directory} has a shard about a {row['statement']}: remove it")
    if [*rows] != [*range(shards)] or any(row["method"] != METHOD for row in rows.values()):
        raise CavalcadeError(f"{directory} has shards of another version: choose another directory")
    total = sum(int(row["count"]) for row in rows.values())
    largest = max(int(row["bytes"]) for row in rows.values())
    seconds = sum(float(row["seconds"]) for row in rows.values())
    times, conventions = conventions_of(question, directed=directed)
    whole = count_within(question, REPEATED)
    if whole is not None and whole.count != total:
        raise CavalcadeError(
            f"the shards in {directory} add up to {total}, and a count of the whole board is {whole.count}: "
            f"remove {directory} and count again"
        )
    names = "in shards", "on the whole board"
    verification = Verification.UNCHECKED if whole is None else agreed(total, names[0], whole.count, names[1])
    return Count(times * total, conventions, 0, largest, seconds, verification=verification)
