"""`cavalcade studio`: the page in the browser."""

from __future__ import annotations

import click

from cavalcade.cli.common import log
from cavalcade.cli.streams import Terminated


@click.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Where to serve it (default: any free port)."
)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
def command(port: int, *, no_browser: bool) -> None:
    """Open the studio: draw a board, ask, watch the piece go, see why not, walk yourself.

    It is served on this machine alone, and reads and writes no file. Ctrl-C ends it. Needs the extra studio.
    """
    from cavalcade.studio.server import serve

    def opened(address: str) -> None:
        log(f"the studio is at {address} (Ctrl-C ends it)")
        if not no_browser:
            import webbrowser

            webbrowser.open(address)

    try:
        serve(port, opened=opened)
    except Terminated:
        raise
    except KeyboardInterrupt:  # the way to end it
        log("the studio is closed")
