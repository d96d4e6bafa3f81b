"""The server of the page and of the answers, for requests from this machine.

    GET /              the page with its style; the address that the command prints has ?token=… behind it
    GET /static/NAME   the script, a module or a picture of the page
    POST /ask          a question as JSON, see `message`; the response is lines of JSON: news, and last an
                       `answer` or `error`. Closing the connection stops the question.

The token is new in each session. The page takes it from the address, keeps it for its own origin and sends it
as a header with each question. A cookie would go to every server on 127.0.0.1, because cookies know no ports.
The page itself is the same for everybody and contains no secret, so it needs no token.

The server refuses a request if its Host is not this server, its Origin is another page, or a question comes
without the token. No part of a request is ever used as a file name.
"""

from __future__ import annotations

import asyncio
import gzip
import secrets
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from importlib import resources

from cavalcade.ground.budget import seconds_left
from cavalcade.ground.errors import CavalcadeError, MissingExtraError
from cavalcade.studio.bundle import digests, document, served
from cavalcade.studio.state_files import keep_port, last_port
from cavalcade.studio.workers import LIMITS, Workers

try:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import PlainTextResponse, Response, StreamingResponse
    from starlette.routing import Route

    from cavalcade.studio.connections import Connection
except ImportError as error:
    raise MissingExtraError(str(error.name), "studio") from None


HOST = "127.0.0.1"
TOKEN = "X-Cavalcade-Token"  # noqa: S105 - the name of a header; home.js sends it
# Headers of every response: they forbid the browser everything that the page does not need.
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; connect-src 'self'; img-src 'self' blob:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    f"script-src 'self' {digests('script')}; style-src {digests('style')}",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
TYPES = {"js": "text/javascript", "css": "text/css", "html": "text/html", "svg": "image/svg+xml"}


def application(token: str, port: int, workers: Workers) -> Starlette:
    """Return the server as an ASGI application.

    Args:
        token: secret that the page must send with each question.
        port: port of the server, as in the Host of a request.
        workers: processes that answer.
    """
    pages = {
        file.name: file.read_bytes()
        for file in resources.files("cavalcade.studio").joinpath("static").iterdir()
        if file.name.rpartition(".")[2] in TYPES
    } | {"index.html": document().encode(), "studio.js": served().encode()}
    hosts = {f"{HOST}:{port}", f"localhost:{port}"}

    def refusal(request: Request) -> Response | None:
        """Return the refusal of a request from another page or to another server, or None."""
        if request.headers.get("host") not in hosts:
            return PlainTextResponse("This is not the address of the studio.", 421)
        origin = request.headers.get("origin")
        if origin is not None and origin.removeprefix("http://") not in hosts:
            return PlainTextResponse("The request comes from another page.", 403)
        return None

    packed = {name: gzip.compress(content, compresslevel=6, mtime=0) for name, content in pages.items()}

    def file(request: Request, name: str) -> Response:
        """Return a file of the page, compressed if the client can read that: a third of the bytes."""
        zipped = "gzip" in request.headers.get("accept-encoding", "")
        headers = {"Vary": "Accept-Encoding"} | ({"Content-Encoding": "gzip"} if zipped else {})
        content = (packed if zipped else pages)[name]
        return Response(content, headers=headers, media_type=TYPES[name.rpartition(".")[2]])

    def page(request: Request) -> Response:
        return refusal(request) or file(request, "index.html")

    def static(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in pages:
            return PlainTextResponse("There is no such file.", 404)
        return refusal(request) or file(request, name)

    async def ask(request: Request) -> Response:
        if (refused := refusal(request)) is not None:
            return refused
        if not secrets.compare_digest(request.headers.get(TOKEN, "").encode(), token.encode()):
            words = "Open the address that `cavalcade studio` printed: it contains the token of this session."
            return PlainTextResponse(words, 403)
        if request.headers.get("content-type", "").partition(";")[0] != "application/json":
            return PlainTextResponse("A question is JSON.", 415)
        body = bytearray()
        with suppress(ClientDisconnect):
            try:
                async with asyncio.timeout(LIMITS.body):
                    async for chunk in request.stream():
                        body += chunk
                        if len(body) > LIMITS.question_bytes:
                            return PlainTextResponse("The question is too long.", 413)
            except TimeoutError:
                return PlainTextResponse("The question did not arrive in time.", 408)
        return StreamingResponse(answers(request, bytes(body)), media_type="application/x-ndjson")

    async def answers(request: Request, question: bytes) -> AsyncIterator[bytes]:
        """Yield the answers; the connection does not give way to others meanwhile."""
        client = request.client and tuple(request.client)
        app.state.answering.add(client)
        try:
            async with aclosing(_lines(workers, question, request.is_disconnected)) as lines:
                async for line in lines:
                    yield line
        finally:
            app.state.answering.discard(client)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        workers.get_ready()
        try:
            yield
        finally:
            await workers.close()

    routes = [Route("/", page), Route("/static/{name}", static), Route("/ask", ask, methods=["POST"])]
    app = Starlette(routes=routes, lifespan=lifespan)
    app.state.answering = set()
    return app


async def _lines(
    workers: Workers, question: bytes, is_gone: Callable[[], Awaitable[bool]]
) -> AsyncGenerator[bytes]:
    """Yield the answers to a question, one per line; a line without news shows that the work continues."""
    async with aclosing(workers.replies(question)) as replies:
        async for reply in replies:
            if await is_gone():
                return
            yield (reply or b'{"type": "alive"}') + b"\n"


def serve(port: int = 0, *, opened: Callable[[str], object] = print) -> None:
    """Serve the studio on this machine until Ctrl-C or the time limit.

    Args:
        port: port to use; 0 for the port of the last run, or any if that is taken.
        opened: called with the address as soon as the server answers.

    Raises:
        CavalcadeError: the port is invalid or in use.
        MissingExtraError: Starlette or uvicorn is not installed.
        TimeoutError: the time limit is reached.
    """
    if not 0 <= port < 65536:
        raise CavalcadeError(f"{port} is not a port, expected a number from 0 to 65535")
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        last = last_port()
        try:
            listener.bind((HOST, port or last))
        except OSError as error:
            if port:
                raise CavalcadeError(f"port {port} cannot be used: {error.strerror}") from None
            listener.bind((HOST, 0))
        port = listener.getsockname()[1]
        token, workers = secrets.token_urlsafe(24), Workers()
        if not last:
            keep_port(port)
        config = uvicorn.Config(
            application(token, port, workers), log_level="error", access_log=False, server_header=False,
            headers=list(HEADERS.items()), timeout_graceful_shutdown=1, ws="none", http=Connection,
            backlog=LIMITS.connections // 2,  # connections that are accepted before one can be closed
        )  # fmt: skip
        server = _Server(config, workers, lambda: opened(f"http://{HOST}:{port}/?token={token}"))
        server.run(sockets=[listener])
    if seconds_left() <= 0:
        raise TimeoutError("the time limit is reached, and the studio is closed")


class _Server(uvicorn.Server):
    """A server that reports when it answers, and ends all questions when it ends."""

    def __init__(self, config: uvicorn.Config, workers: Workers, opened: Callable[[], object]) -> None:
        super().__init__(config)
        self.workers, self.opened = workers, opened

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or ():
            # Connections that the system holds until they are accepted: a full queue costs a client a second.
            # The event loop still accepts only `backlog` of them at a time.
            listener.listen(8 * LIMITS.connections)
        self.opened()

    async def on_tick(self, counter: int) -> bool:
        """Whether to exit: uvicorn calls this ten times a second."""
        return await super().on_tick(counter) or seconds_left() <= 0

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.workers.close()
        await super().shutdown(sockets)
