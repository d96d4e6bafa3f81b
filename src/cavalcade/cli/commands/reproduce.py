"""`cavalcade reproduce`: a paper, recomputed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import click

from cavalcade.cli.command import option, verb
from cavalcade.cli.options import Output
from cavalcade.cli.writing import show, writable
from cavalcade.ground.errors import FormatError
from cavalcade.papers import PAPERS

ENDINGS = {"": "text", ".txt": "text", ".md": "markdown", ".html": "html", ".htm": "html"}


@verb()
def command(
    paper: Annotated[str, option(type=click.Choice(list(PAPERS)))],
    *,
    format_: Literal["text", "markdown", "html"] | None = None,
    output: Output | None = None,
) -> None:
    """Recompute everything that PAPER prints, and compare.

    The report gives every item with its evidence, then the errors in the printed paper, then a table.

    Options:
        format_: Format of the report (default: the ending of FILE sets it, otherwise text).
    """
    from cavalcade.papers import reproduce

    ending = Path(output).suffix.lower() if output else ""
    if format_ is None and ending not in ENDINGS:
        raise FormatError(f"{output!r} does not name a report, expected .txt, .md or .html, or --format")
    writable(output)
    show(reproduce(paper).render(format_ or ENDINGS[ending]), output)
