"""`cavalcade studio`: the page in the browser."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Annotated

import click

from cavalcade.cli.command import option, verb
from cavalcade.cli.options import Json
from cavalcade.cli.streams import Terminated
from cavalcade.cli.writing import log, show_json


@verb()
def command(
    *,
    port: Annotated[int, option(type=click.IntRange(0, 65535))] = 0,
    no_browser: bool = False,
    json_: Json = False,
) -> None:
    """Open the studio: draw a board, ask, watch the piece move, see a proof, walk yourself.

    The page is served on this machine only, to users with the token in its address, new each time. The studio
    reads and writes no file but its own port, and a page with the address for the browser, which only you can
    read. Ctrl-C ends it. Needs the extra studio.

    Options:
        port: Port to serve it at (default: that of the last time, or any free port).
        no_browser: Only print the address.
    """
    from cavalcade.studio.server import serve
    from cavalcade.studio.state_files import opening

    files = ExitStack()

    def opened(address: str) -> None:
        if json_:
            show_json({"address": address})
        log(f"the studio is at {address} (Ctrl-C ends it)")
        if not no_browser:
            import webbrowser

            webbrowser.open(files.enter_context(opening(address)))

    try:
        with files:
            serve(port, opened=opened)
    except Terminated:
        raise
    except KeyboardInterrupt:  # the way to end it
        log("the studio is closed")
