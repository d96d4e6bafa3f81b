"""The studio in a cell of a notebook: `cavalcade.widget`.

The modules of the page run in the cell. Their questions arrive as messages of the widget, and worker
processes answer them, as in the studio. A thread waits for the workers, so that the notebook stays
responsive.
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
from cavalcade.studio.workers import LIMITS, Workers

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise MissingExtraError(str(error.name), "notebook") from None


ABOUT_TOURS = {"tour", "prove", "count", "warnsdorff", "finish"}  # questions whose answers are kept


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
        """The state of the cell as the end of a link, which pages of the studio, `draw` and `widget` read."""
        return str(self.shown["link"]) if self.shown.get("question") == self.question else ""

    @property
    def board(self) -> Board:
        """The board of the cell."""
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
        """Handle a message of the page: a question, or the end of one."""
        del buffers
        if not isinstance(content, dict):
            return
        if (work := self.asked.get(str(content.get("stop")))) is not None:
            work.cancel()
        number, question = content.get("ask"), content.get("question")
        if isinstance(number, str) and isinstance(question, str) and len(question) <= LIMITS.question_bytes:
            shared = background()
            answering = self._answer(shared.workers, number, question)
            work = asyncio.run_coroutine_threadsafe(answering, shared.loop)
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

    def _note(self, words: dict[str, Any], line: bytes) -> bool:
        """Store an answer if it is still about the question of the cell; return whether it is."""
        if words["ask"] not in ABOUT_TOURS or words["question"] != self.question:
            return False
        content = json.loads(line)
        if words["ask"] == "count":
            self.count = int(content["count"])
            return True
        board, piece = self.board, parse_piece(self.question["piece"])
        tour = None
        if "cells" in content:
            cells = numbers_of(board)[cells_of(content["cells"])]
            tour = Tour(board, cells, content["closed"], piece)
        with self.hold_trait_notifications():
            self.tour = tour
            if words["ask"] in {"tour", "prove"}:
                self.verdict = _verdict(content, tour)
        return True


def _verdict(content: dict[str, Any], tour: Tour | None) -> Verdict:
    """Return a verdict from the data of a worker."""
    common = {key: content[key] for key in ("method", "seed", "seconds")}
    if tour is not None:
        return Found(tour, **common)
    if content["status"] == "undecided":
        return Undecided(content["reason"], **common)
    proof = content.get("certificate")
    return Impossible(content["reason"], certificate=None if proof is None else from_json(proof), **common)


class Background:
    """A thread with an event loop, and the worker processes that all widgets share."""

    def __init__(self) -> None:
        self.loop, self.workers = asyncio.new_event_loop(), Workers()
        threading.Thread(target=self.loop.run_forever, name="cavalcade-studio", daemon=True).start()


background = cache(Background)  # that of this kernel
