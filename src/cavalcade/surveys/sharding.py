"""A count in shards as a survey: each shard is a row, and the count is the sum of all."""

from __future__ import annotations

import os
from typing import Any, Unpack

from cavalcade.answers.counts import Count
from cavalcade.counting.shards import assert_shards
from cavalcade.counting.total import conventions_of
from cavalcade.ground.budget import bounded
from cavalcade.ground.errors import CavalcadeError, TooLargeError, bytes_of
from cavalcade.ground.threads import ProgressCallback
from cavalcade.question.graph import BoardLike, board_of
from cavalcade.question.question import Question
from cavalcade.question.words import QuestionWords, validated
from cavalcade.surveys.rows import DECIDED, METHOD
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
    progress: ProgressCallback | None = None,
    **words: Unpack[QuestionWords],
) -> Count:
    """The exact number of tours of a board, as the sum of counts that each take less memory.

    The counts are kept in a directory; the same call resumes an interrupted one.

    Args:
        board: a board, its spec, or a whole `Question`; one with a half turn takes far less work.
        directory: for the counts; it is made, or has some of them.
        shards: how many.
        directed: count both directions.
        memory: bytes for the tables of all shards under way; with a scheduler's address for those of each.
            By default half of the machine's memory.
        time_limit: seconds; by default none. The shards that are counted by then are kept.
        workers: shards under way at a time; by default one, as each uses all cores.
        scheduler: of a Dask cluster whose workers count instead, or `local:4` for four here, see `survey`.
        progress: called after every shard with the part that is done, from 0 to 1.
        words: what is asked of the tours, see `Question.of`.

    Raises:
        CavalcadeError: no board, too many shards, another survey in the directory, or shards of another
            version.
        FormatError: a count cannot be written; those before it are kept.
        TooLargeError: the time limit is reached, or a shard, which the message names, needs more memory. It
            is counted again by the next call.

    Time: see `counting.shards`, and `docs/shards.md`.

    Examples:
        >>> count_in_shards("6x6", "shards", 8).count
        9862
    """
    question = Question.of(board, **words)
    board_of(question.board, "to count in shards")
    assert_shards(question, shards)
    name, count = question.board.name, 1 if workers is None else workers
    asked: dict[str, Any] = {"shard": f"{{shard}}/{shards}", "moves": question.direction}
    ends = () if question.closed else (("start", question.start), ("end", question.end))
    asked |= {word: None if cell is None else name(cell) for word, cell in ends}
    for word, moves in (("with", question.required), ("avoid", question.forbidden)):
        asked[word] = [f"{name(a)}-{name(b)}" for a, b in moves] or None
    local = (scheduler or "").partition("local:")[2]
    share = int(local) if local.isdigit() else count
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
            progress=progress,
            **asked,
        )
    rows = {number: done.read(number)[0] for number in done.done}
    if undecided := [number for number, row in rows.items() if row["verdict"] not in DECIDED]:
        for number in undecided:
            done.forget(number)
        first = rows[undecided[0]]
        raise TooLargeError(f"shard {first['shard']} of {shards}: {first['reason']}")
    if any(row["method"] != METHOD for row in rows.values()):
        raise CavalcadeError(f"{directory} has shards of another version: choose another directory")
    total = sum(int(row["count"]) for row in rows.values())
    largest = max(int(row["bytes"]) for row in rows.values())
    seconds = sum(float(row["seconds"]) for row in rows.values())
    times, conventions = conventions_of(question, directed=directed)
    return Count(times * total, conventions, 0, largest, seconds)
