"""The server of the page and of the answers, for requests from this machine that carry the token.

    GET /?token=…      sets a cookie and redirects to /; the part of the address after # stays
    GET /              the page
    GET /static/NAME   a module or the style of the page
    POST /ask          a question as JSON, see `message`; the response is lines of JSON: news, and last an
                       `answer` or `error`. Closing the connection stops the question.

The server refuses a request if its Host is not this server, its Origin is another page, or the token is
missing. No part of a request is ever used as a file name.
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from importlib import resources

from starlette.requests import Request

from cavalcade.ground.errors import CavalcadeError, MissingExtraError
from cavalcade.studio import kept
from cavalcade.studio.workers import LIMITS, Workers

try:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import ClientDisconnect
    from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
    from starlette.routing import Route
except ImportError as error:
    raise MissingExtraError(str(error.name), "studio") from None


HOST = "127.0.0.1"
# Headers of every response: they forbid the browser everything that the page does not need.
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
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
        token: secret that the page must send.
        port: port of the server, as in the Host of a request.
        workers: processes that answer.
    """
    pages = {
        file.name: file.read_bytes()
        for file in resources.files("cavalcade.studio").joinpath("static").iterdir()
        if file.name.rpartition(".")[2] in TYPES
    }
    hosts = {f"{HOST}:{port}", f"localhost:{port}"}
    cookie = f"cavalcade-{port}"

    def refusal(request: Request) -> Response | None:
        """Return the refusal of a request, or None to accept it."""
        if request.headers.get("host") not in hosts:
            return PlainTextResponse("This is not the address of the studio.", 421)
        origin = request.headers.get("origin")
        if origin is not None and origin.removeprefix("http://") not in hosts:
            return PlainTextResponse("The request comes from another page.", 403)
        if not secrets.compare_digest(request.cookies.get(cookie, "").encode(), token.encode()):
            words = "Open the address that `cavalcade studio` printed: it has a token in it."
            return PlainTextResponse(words, 403)
        return None

    def page(request: Request) -> Response:
        candidate = request.query_params.get("token", "")
        authorised = secrets.compare_digest(candidate.encode(), token.encode())
        if authorised and request.headers.get("host") in hosts:
            answer: Response = RedirectResponse("/", 303)
            # lax: links come from other pages; they may only look, as the Origin of a question is checked
            answer.set_cookie(cookie, token, httponly=True, samesite="lax")
            return answer
        return refusal(request) or Response(pages["index.html"], media_type="text/html")

    def static(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in pages:
            return PlainTextResponse("There is no such file.", 404)
        return refusal(request) or Response(pages[name], media_type=TYPES[name.rpartition(".")[2]])

    async def ask(request: Request) -> Response:
        if (refused := refusal(request)) is not None:
            return refused
        if request.headers.get("content-type", "").partition(";")[0] != "application/json":
            return PlainTextResponse("A question is JSON.", 415)
        body = bytearray()
        with suppress(ClientDisconnect):
            async for chunk in request.stream():
                body += chunk
                if len(body) > LIMITS.question_bytes:
                    return PlainTextResponse("The question is too long.", 413)
        return StreamingResponse(
            _lines(workers, bytes(body), request.is_disconnected), media_type="application/x-ndjson"
        )

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        workers.get_ready()
        try:
            yield
        finally:
            await workers.close()

    routes = [Route("/", page), Route("/static/{name}", static), Route("/ask", ask, methods=["POST"])]
    return Starlette(routes=routes, lifespan=lifespan)


async def _lines(
    workers: Workers, question: bytes, is_gone: Callable[[], Awaitable[bool]]
) -> AsyncIterator[bytes]:
    """Yield the answers to a question, one per line; a line without news shows that the work continues."""
    async with aclosing(workers.replies(question)) as replies:
        async for reply in replies:
            if await is_gone():
                return
            yield (reply or b'{"type": "alive"}') + b"\n"


def serve(port: int = 0, *, opened: Callable[[str], object] = print) -> None:
    """Serve the studio on this machine until Ctrl-C.

    Args:
        port: port to use; 0 for the port of the last run, or any if that is taken.
        opened: called with the address as soon as the server answers.

    Raises:
        CavalcadeError: the port is invalid or in use.
        MissingExtraError: Starlette or uvicorn is not installed.
    """
    if not 0 <= port < 65536:
        raise CavalcadeError(f"{port} is not a port, expected a number from 0 to 65535")
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        last = kept.read()
        try:
            listener.bind((HOST, port or last.port))
        except OSError as error:
            if port:
                raise CavalcadeError(f"port {port} cannot be used: {error.strerror}") from None
            listener.bind((HOST, 0))
        port = listener.getsockname()[1]
        token, workers = last.token, Workers()
        if not last.port:
            kept.keep(kept.Kept(port, token))
        config = uvicorn.Config(
            application(token, port, workers), log_level="warning", access_log=False, server_header=False,
            headers=list(HEADERS.items()), timeout_graceful_shutdown=1, ws="none", http="h11",
        )  # fmt: skip
        server = _Server(config, workers, lambda: opened(f"http://{HOST}:{port}/?token={token}"))
        server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """A server that reports when it answers, and ends all questions when it ends."""

    def __init__(self, config: uvicorn.Config, workers: Workers, opened: Callable[[], object]) -> None:
        super().__init__(config)
        self.workers, self.opened = workers, opened

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.opened()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.workers.close()
        await super().shutdown(sockets)
