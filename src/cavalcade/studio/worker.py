"""One worker process: `python -m cavalcade.studio.worker`, started by `workers`.

It reads questions from standard input and exits when that is closed, because the server has then ended. Its
memory is limited. An idle worker loads the code that the first question probably needs.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
from typing import BinaryIO

from cavalcade.ground.system import limit_address_space, peak_memory, total_memory
from cavalcade.studio.workers import GONE, HEAD, LAST, LIMITS, MORE


def main() -> None:
    """Answer questions until standard input ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # printed text goes nowhere
    sys.set_int_max_str_digits(0)  # counts have more than 4,300
    _limit_memory()
    questions: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, questions), daemon=True).start()
    from cavalcade.studio.answering import LOADS, answered

    loads = list(LOADS)
    while True:
        try:
            question = questions.get(timeout=LIMITS.beat if loads else None)
        except queue.Empty:  # idle, so that loading code does not delay a question
            with contextlib.suppress(Exception):  # a question will report the error
                loads.pop(0)()
            continue
        final = answered(question, lambda data: _write(answers, MORE, data))
        last = GONE if peak_memory() > LIMITS.retained else LAST
        _write(answers, last, final)
        if last == GONE:
            return


def _write(stream: BinaryIO, then: int, data: bytes) -> None:
    stream.write(HEAD.pack(then, len(data)) + data)
    stream.flush()


def _listen(stream: BinaryIO, questions: queue.SimpleQueue[bytes]) -> None:
    """Read questions; exit at the end of the stream."""
    while len(head := stream.read(HEAD.size)) == HEAD.size:
        questions.put(stream.read(HEAD.unpack(head)[1]))
    os._exit(0)


def _limit_memory() -> None:
    """Limit the address space, if the system supports it."""
    limit_address_space(min(LIMITS.memory, total_memory()))


if __name__ == "__main__":
    main()
