"""The studio in a cell of a notebook: `cavalcade.widget`.

The modules of the page run in the cell. Their questions arrive as messages of the widget, and worker
processes answer them, as in the studio. A thread waits for the workers, so the notebook stays free.
"""

from __future__ import annotations

import asyncio
import json
import threading
from concurrent.futures import Future
from contextlib import aclosing
from functools import cache
from typing import Any, ClassVar

from cavalcade.answers.certificate import from_json
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible, Undecided, Verdict
from cavalcade.boards import Board
from cavalcade.ground.errors import MissingExtraError
from cavalcade.question.pieces import parse_piece
from cavalcade.studio.bundle import bundle
from cavalcade.studio.message import board_of, cells_of, numbers_of
from cavalcade.studio.workers import Workers

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise MissingExtraError(str(error.name), "notebook") from None


ABOUT_TOURS = {"tour", "prove", "count", "warnsdorff", "finish"}  # questions whose answers are kept
MOST_LETTERS = 16_000_000  # of a question: a tour of a million cells


class StudioWidget(anywidget.AnyWidget):
    """A studio in a cell, with its last question and answer.

    `question` is the question of the cell, in the words of the command line; setting it changes the board on
    the screen. `verdict` is the last verdict, `tour` the last tour or walk on the screen, `count` the number
    of tours; each is None until it is known, and again after the question changes. `answered` counts the
    answers, so that marimo runs cells that read them again.
    """

    _esm: ClassVar[str] = bundle()
    question = traitlets.Dict().tag(sync=True)
    shown = traitlets.Dict().tag(sync=True)  # with what link the page shows which question
    verdict = traitlets.Any(None, allow_none=True)
    tour = traitlets.Any(None, allow_none=True)
    count = traitlets.Any(None, allow_none=True)
    answered = traitlets.Int(0).tag(sync=True)

    def __init__(self, **words: Any) -> None:
        self.asked: dict[str, Future[None]] = {}
        super().__init__(**words)
        self.on_msg(StudioWidget._heard)

    @property
    def link(self) -> str:
        """What the cell shows, as the end of a link: pages of the studio, `draw` and `widget` read it."""
        return str(self.shown["link"]) if self.shown.get("question") == self.question else ""

    @property
    def board(self) -> Board:
        """The board that the cell shows."""
        return board_of(self.question["board"])

    def stop(self) -> None:
        """End all running questions."""
        for work in list(self.asked.values()):
            work.cancel()

    def close(self) -> None:
        """End all running questions, and remove the widget."""
        self.stop()
        super().close()

    @traitlets.observe("question")
    def _changed(self, change: Any) -> None:
        del change
        self.verdict = self.tour = self.count = None

    def _heard(self, content: Any, buffers: Any) -> None:
        """A message of the page: a question, or the end of one."""
        del buffers
        if not isinstance(content, dict):
            return
        if (work := self.asked.get(str(content.get("stop")))) is not None:
            work.cancel()
        number, question = content.get("ask"), content.get("question")
        if isinstance(number, str) and isinstance(question, str) and len(question) <= MOST_LETTERS:
            there = background()
            answering = self._answer(there.workers, number, question)
            work = asyncio.run_coroutine_threadsafe(answering, there.loop)
            self.asked[number] = work
            work.add_done_callback(lambda _: self.asked.pop(number, None))

    async def _answer(self, workers: Workers, number: str, question: str) -> None:
        """Send news, and finally the answer."""
        async with aclosing(workers.replies(question.encode())) as replies:
            async for line in replies:
                if line is None:
                    continue
                kept = False
                try:
                    kept = line.startswith(b'{"type": "answer"') and self._note(json.loads(question), line)
                finally:
                    self.send({"id": number, "kept": kept}, [line])

    def _note(self, asked: dict[str, Any], line: bytes) -> bool:
        """Keep an answer if it is still about the question of the cell; whether it is."""
        if asked["ask"] not in ABOUT_TOURS or asked["question"] != self.question:
            return False
        found = json.loads(line)
        if asked["ask"] == "count":
            self.count = int(found["count"])
            return True
        board, piece = self.board, parse_piece(self.question["piece"])
        tour = None
        if "cells" in found:
            cells = numbers_of(board)[cells_of(found["cells"])]
            tour = Tour(board, cells, found["closed"], piece)
        with self.hold_trait_notifications():
            self.tour = tour
            if asked["ask"] in {"tour", "prove"}:
                self.verdict = _verdict(found, tour)
        return True


def _verdict(found: dict[str, Any], tour: Tour | None) -> Verdict:
    """A verdict from the data of a worker."""
    said = {key: found[key] for key in ("method", "seed", "seconds")}
    if tour is not None:
        return Found(tour, **said)
    if found["status"] == "undecided":
        return Undecided(found["reason"], **said)
    proof = found.get("certificate")
    return Impossible(found["reason"], certificate=None if proof is None else from_json(proof), **said)


class Background:
    """A thread with an event loop, and the worker processes that all widgets share."""

    def __init__(self) -> None:
        self.loop, self.workers = asyncio.new_event_loop(), Workers()
        threading.Thread(target=self.loop.run_forever, name="cavalcade-studio", daemon=True).start()


background = cache(Background)  # that of this kernel
