"""Worker processes: each answers one question at a time, and is killed to stop it.

A question and its answers pass through the standard streams of the process as frames: one byte that announces
the next frame, four bytes for the length, and JSON. A worker stays for the next question, with the code that
it has loaded, and one worker is always ready.
"""

from __future__ import annotations

import asyncio
import json
import struct
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator
from contextlib import aclosing, nullcontext, suppress
from typing import NamedTuple

from cavalcade.ground.errors import CavalcadeError
from cavalcade.ground.system import kill

HEAD = struct.Struct(">BI")  # what follows, and the length of the frame in bytes
MORE, LAST, GONE = range(3)  # another frame, the next question, nothing: the process ends


class StudioLimits(NamedTuple):
    """Limits of the studio on questions and on the processes that answer them.

    Attributes:
        question_bytes: bytes per question; a tour of a million cells fits.
        questions: questions at a time; each can use a core and `memory`.
        memory: bytes of address space of a worker, with the libraries.
        retained: bytes of memory above which a worker exits after its answer, because it may not return them.
        beat: seconds between signs of life and reports of progress; a closed connection is noticed no later.
        grace: seconds beyond its own limit that a question may use, to compile kernels for the first time.
        connections: connections at a time; a browser opens six, and a process often has 256 descriptors.
        head: seconds for the head of a request.
        body: seconds for the text of a question; a local browser sends the longest one in less than one.
        cheap: cheap questions at a time, not counted in `questions`; further ones wait.
        cheap_seconds: limit of a cheap question; the largest board is described in a few seconds.
        seconds: the largest limit that a question may set, and the limit of a question without one.
    """

    question_bytes: int = 16_000_000
    questions: int = 4
    memory: int = 4 << 30
    retained: int = 1 << 30
    beat: float = 0.25
    grace: float = 15.0
    connections: int = 64
    head: float = 10.0
    body: float = 30.0
    cheap: int = 2
    cheap_seconds: float = 60.0
    seconds: float = 3600.0


LIMITS = StudioLimits()


CHEAP = {"start", "board", "mask", "check"}  # questions that read their words and describe a board


class BusyError(CavalcadeError):
    """The maximum number of questions is running."""


class Workers:
    """The worker processes of one server."""

    def __init__(self) -> None:
        self.alive: set[Process] = set()
        self.idle: list[Process] = []
        self.asked = 0
        self.cheap = asyncio.Semaphore(LIMITS.cheap)
        self.closed = False
        self.starting: asyncio.Task[None] | None = None

    def get_ready(self) -> asyncio.Task[None]:
        """Start a worker for the next question, if none is ready."""
        if self.starting is None or (self.starting.done() and not self.idle):
            self.starting = asyncio.create_task(self._start())
        return self.starting

    async def close(self) -> None:
        """End all workers; their questions end with an error."""
        self.closed = True
        if self.starting is not None:
            self.starting.cancel()
            with suppress(asyncio.CancelledError):
                await self.starting
        for worker in list(self.alive):
            await self._end(worker)

    async def replies(self, question: bytes) -> AsyncGenerator[bytes | None]:
        """Yield replies as `ask` does, within the time limit of the question; errors become replies."""
        cheap, seconds = _plan(question)
        try:
            async with (
                self.cheap if cheap else nullcontext(),
                aclosing(self.ask(question, seconds, counted=not cheap)) as answers,
            ):
                async for answer in answers:
                    yield answer
        except BusyError as error:
            yield _error(str(error))
        except TimeoutError:
            yield _error(f"stopped: it took longer than {seconds:g} s")
        except EOFError:
            ended = "the process that worked on this question has ended"
            why = "the studio was closed" if self.closed else "perhaps it needed more memory than it may use"
            yield _error(f"{ended}: {why}")

    async def ask(
        self, question: bytes, seconds: float, *, counted: bool = True
    ) -> AsyncGenerator[bytes | None]:
        """Yield the answers to a question as JSON, and None for each `LIMITS.beat` without one.

        Closing the generator ends the question and its process.

        Args:
            question: JSON.
            seconds: time limit, after which the process is killed.
            counted: whether the question counts towards `LIMITS.questions`.

        Raises:
            BusyError: too many questions are running, or the studio is closed.
            TimeoutError: the time limit is reached.
            EOFError: the process ended before it had answered.
        """
        if self.closed:
            raise BusyError("the studio is closed")
        if counted and self.asked >= LIMITS.questions:
            raise BusyError(f"{LIMITS.questions} questions are running, which is the maximum: stop one")
        self.asked += counted
        worker: Process | None = None
        reading: asyncio.Task[tuple[int, bytes]] | None = None
        try:
            worker = await self._take()
            reading = asyncio.create_task(_put(worker, question))
            until = asyncio.get_running_loop().time() + seconds
            while True:
                done, _ = await asyncio.wait({reading}, timeout=LIMITS.beat)
                if not done:
                    if asyncio.get_running_loop().time() > until:
                        raise TimeoutError
                    yield None
                    continue
                then, answer = reading.result()
                if then != MORE:
                    if then == LAST and len(self.idle) < LIMITS.questions:
                        self.idle.append(worker)
                        worker = None
                    yield answer
                    return
                yield answer
                reading = asyncio.create_task(_get(worker))
        finally:
            self.asked -= counted
            if reading is not None:
                reading.cancel()
            if worker is not None:
                await asyncio.shield(self._end(worker))

    async def _take(self) -> Process:
        """Return an idle worker, and start another one if it was the last."""
        while True:
            while self.idle:
                worker = self.idle.pop()
                if worker.returncode is None:
                    self.get_ready()
                    return worker
            await asyncio.shield(self.get_ready())

    async def _start(self) -> None:
        """Start a process in a session of its own, because Ctrl-C is for the server."""
        pipe = asyncio.subprocess.PIPE
        worker = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "cavalcade.studio.worker", stdin=pipe, stdout=pipe,
            stderr=asyncio.subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        self.alive.add(worker)
        self.idle.append(worker)

    async def _end(self, worker: Process) -> None:
        """Kill a worker, and wait until it is gone."""
        if worker in self.idle:
            self.idle.remove(worker)
        if worker.returncode is None:
            kill(worker.pid)  # its own `kill` would first look whether it has ended
        await worker.wait()
        self.alive.discard(worker)


def _plan(question: bytes) -> tuple[bool, float]:
    """Return whether a question is cheap, and its limit in seconds; the worker validates the question."""
    try:
        words = json.loads(question)
    except (ValueError, RecursionError):
        return True, LIMITS.cheap_seconds
    name, limit = (words.get("ask"), words.get("seconds")) if isinstance(words, dict) else (None, None)
    if isinstance(name, str) and name in CHEAP:
        return True, LIMITS.cheap_seconds
    missing = isinstance(limit, bool) or not isinstance(limit, int | float) or not 0 < limit <= LIMITS.seconds
    return False, LIMITS.seconds if missing else float(limit) + LIMITS.grace  # type: ignore[arg-type]  # it is a number here


def _error(message: str) -> bytes:
    return json.dumps({"type": "error", "message": message}).encode()


async def _put(worker: Process, question: bytes) -> tuple[int, bytes]:
    """Send a question, and read the first answer.

    Raises:
        EOFError: the process has ended.
    """
    assert worker.stdin is not None  # noqa: S101 - for the type checker
    with suppress(ConnectionError):  # it has ended: reading will report that
        worker.stdin.write(HEAD.pack(LAST, len(question)) + question)
        await worker.stdin.drain()
    return await _get(worker)


async def _get(worker: Process) -> tuple[int, bytes]:
    """Read the next answer.

    Raises:
        EOFError: the process has ended.
    """
    assert worker.stdout is not None  # noqa: S101 - for the type checker
    then, length = HEAD.unpack(await worker.stdout.readexactly(HEAD.size))
    return then, await worker.stdout.readexactly(length)
