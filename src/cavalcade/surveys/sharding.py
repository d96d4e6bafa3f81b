"""A count in shards as a survey: each shard is a row, and the count is the sum of all."""

from __future__ import annotations

import os
from typing import Any, Unpack

from cavalcade.answers.counts import Count
from cavalcade.counting.meeting import assert_shards
from cavalcade.counting.total import conventions_of
from cavalcade.ground.errors import TooLargeError
from cavalcade.ground.threads import ProgressCallback
from cavalcade.question.constraints import QuestionWords
from cavalcade.question.graph import BoardLike, board_of
from cavalcade.question.question import Question
from cavalcade.surveys.rows import DECIDED
from cavalcade.surveys.running import survey


def count_in_shards(
    board: BoardLike | Question,
    directory: str | os.PathLike[str],
    shards: int,
    *,
    directed: bool = False,
    memory: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    progress: ProgressCallback | None = None,
    **words: Unpack[QuestionWords],
) -> Count:
    """The exact number of tours of a board, as the sum of counts that each take less memory.

    The counts are kept in a directory; the same call resumes an interrupted one.

    Args:
        board: a board with a half turn, its spec, or a whole `Question`.
        directory: for the counts; it is made, or has some of them.
        shards: how many, a power of two.
        directed: count both directions.
        memory: bytes for the tables of all shards under way; by default half of the machine's memory.
        workers: shards under way at a time; by default one, as each uses all cores.
        scheduler: of a Dask cluster whose workers count instead, see `survey`.
        progress: called after every shard with the part that is done, from 0 to 1.
        words: what is asked of the tours, see `Question.of`.

    Raises:
        CavalcadeError: no board, a number of shards that is no power of two or too large, or another
            survey in the directory.
        TooLargeError: the board is not cut in halves by a half turn, or a shard, which the message names,
            needs more memory.

    Time: 7x8 in 16 shards takes 4.4 times as long as in one piece, and a twelfth of the memory.

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
    done = survey(
        f"{question.board.spec} for shard in 0..{shards - 1}",
        directory,
        verb="count",
        pieces=[question.piece.spec],
        kinds=[question.kind],
        memory=None if memory is None else memory // count,
        batch=1,
        workers=count,
        scheduler=scheduler,
        progress=progress,
        **asked,
    )
    rows = list(done.rows())
    for row in rows:
        if row["verdict"] not in DECIDED:
            raise TooLargeError(f"shard {row['shard']} of {shards}: {row['reason']}")
    times, conventions = conventions_of(question, directed=directed)
    total = times * sum(int(row["count"]) for row in rows)
    largest, seconds = max(int(row["bytes"]) for row in rows), sum(float(row["seconds"]) for row in rows)
    return Count(total, conventions, 0, largest, seconds)
