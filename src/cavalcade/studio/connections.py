"""The connections of the studio's server: a quota, and a time limit for the head of a request.

Every program on this machine can connect. A connection costs a file descriptor, of which a process often has
256, so a stranger with 300 silent connections would lock the owner out. At the quota a new connection
therefore takes the place of the oldest one that is not answering a question of the owner.
"""

from __future__ import annotations

import asyncio
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol

from cavalcade.studio.workers import LIMITS


class Connection(H11Protocol):
    """A connection that sends the head of each request in time, and gives way at the quota.

    The application keeps the addresses of the clients whose questions it answers in `state.answering`.

    Attributes:
        began: time of the event loop when the connection was accepted.
        head: timer that closes the connection while it sends the head of a request; else None.
    """

    began = 0.0
    head: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer, and at the quota close another connection."""
        super().connection_made(transport)
        self.began = self.loop.time()
        self._await_head()
        if len(self.connections) > LIMITS.connections:
            self._make_space()

    def data_received(self, data: bytes) -> None:
        """Stop the timer when the head of a request is complete."""
        if self.head is None and (self.cycle is None or self.cycle.response_complete):
            self._await_head()
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._head_is_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._head_is_complete()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        self.head = self.loop.call_later(LIMITS.head, self.transport.abort)

    def _head_is_complete(self) -> None:
        if self.head is not None:
            self.head.cancel()
            self.head = None

    def _make_space(self) -> None:
        """Close the oldest other connection without a request, or else the oldest that answers no question.

        This connection is new and has no request yet. It is closed only if all others answer questions.
        """
        answering = self.config.app.state.answering  # type: ignore[union-attr]
        evictable = [
            connection
            for connection in cast("set[Connection]", self.connections)
            if connection is not self
            and connection.client not in answering
            and not connection.transport.is_closing()
        ]
        oldest = min(
            evictable,
            key=lambda connection: (connection.cycle is not None, connection.began),
            default=self,
        )
        oldest.transport.abort()
