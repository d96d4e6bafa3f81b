"""`cavalcade reproduce`: a paper, recomputed."""

from __future__ import annotations

from pathlib import Path

import click

from cavalcade.cli.common import output_option, show, writable
from cavalcade.ground.errors import FormatError
from cavalcade.papers import PAPERS

ENDINGS = {"": "text", ".txt": "text", ".md": "markdown", ".html": "html", ".htm": "html"}


@click.command()
@click.argument("paper", type=click.Choice(list(PAPERS)))
@click.option(
    "--format",
    "format_",
    type=click.Choice(("text", "markdown", "html")),
    help="Default: what the ending of --output sets, otherwise text.",
)
@output_option
def command(paper: str, format_: str | None, output: str | None) -> None:
    """Recompute everything that PAPER prints, and compare.

    The report gives every item with its evidence, then the errors in the print, then a table.
    """
    from cavalcade.papers import reproduce

    ending = Path(output).suffix.lower() if output else ""
    if format_ is None and ending not in ENDINGS:
        raise FormatError(f"{output!r} does not name a report, expected .txt, .md or .html, or --format")
    writable(output)
    implied = ENDINGS.get(ending, "text")
    show(reproduce(paper).render(format_ or implied), output)
