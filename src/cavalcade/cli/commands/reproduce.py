"""`cavalcade reproduce`: a paper, recomputed."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Annotated, Literal

import click

import cavalcade
from cavalcade.cli.command import option, refuse, verb
from cavalcade.cli.options import Directory, FormatJson, Output
from cavalcade.cli.writing import show
from cavalcade.ground.errors import FormatError
from cavalcade.papers import PAPERS, programs

ENDINGS = {"": "text", ".txt": "text", ".md": "markdown", ".html": "html", ".htm": "html", ".json": "json"}


@verb()
def command(
    paper: Annotated[str, option(choices=[*PAPERS, "story", "all"])],
    *,
    item: Annotated[str | None, option(metavar="NAME")] = None,
    sas: Annotated[Directory | None, option(excludes=["--item", "--format", "--output", "--json"])] = None,
    format_: Literal["text", "markdown", "html", "json"] | None = None,
    output: Output | None = None,
    json_: Annotated[FormatJson, option(excludes=["--format", "--item"])] = False,
) -> None:
    """Recompute everything that PAPER prints, and compare.

    The report gives every item with its command and its evidence, then the errors in the printed paper.
    `story` is the story of the three papers; its pictures are written to a subdirectory. `all` with -o DIR
    writes all reports and the story to a directory.

    Options:
        item: Print this item of the report alone, as text; nothing else is recomputed.
        sas: Write the corrected SAS programs of PAPER to DIR instead, for boards of any size.
        format_: Format of the report (default: the ending of FILE sets it, otherwise text).
    """
    format_ = "json" if json_ else format_
    if paper == "story":
        refuse("sas", why="needs a paper, or all")
    if sas is not None:
        Path(sas).mkdir(parents=True, exist_ok=True)
        for name in PAPERS if paper == "all" else [paper]:
            for file, text in programs(name).items():
                show(text, str(Path(sas, file)))
        return
    if paper in {"all", "story"}:
        refuse("item", why=f"needs one paper, not {paper}")
    if paper == "all":
        if output is None:
            raise click.UsageError("'all' writes a report for each paper, expected a directory: -o DIR")
        kind = format_ or "html"
        suffix = next(ending for ending, name in ENDINGS.items() if ending and name == kind)
        Path(output).mkdir(parents=True, exist_ok=True)
        for name in PAPERS:
            show(cavalcade.reproduce(name).render(kind), str(Path(output, name + suffix)))
        _write_story(str(Path(output, "story.html" if kind == "html" else "story.md")))
        return
    ending = Path(output).suffix.lower() if output else ""
    if format_ is None and ending not in ENDINGS:
        expected = ".txt, .md, .html or .json, or --format"
        raise FormatError(f"{output!r} does not name a report, expected {expected}")
    if paper == "story":
        refuse("format_", "json_", why="cannot be combined with story: the ending of FILE sets the format")
        if ending not in {".md", ".html"}:
            raise click.UsageError("'story' is a page with pictures, expected -o FILE.md or -o FILE.html")
        _write_story(str(output))
        return
    width = shutil.get_terminal_size().columns if output is None and sys.stdout.isatty() else 100
    if item is not None:
        refuse("format_", why="cannot be combined with --item, which prints text")
        from cavalcade.papers.recompute import recompute_item
        from cavalcade.papers.report import alone

        show(alone(recompute_item(paper, item), width), output)
        return
    show(cavalcade.reproduce(paper).render(format_ or ENDINGS[ending], width), output)


def _write_story(output: str) -> None:
    """Write the story to a file, and its pictures to the same directory."""
    from cavalcade.papers.story import story

    show(story(Path(output).parent, ENDINGS[Path(output).suffix.lower()]), output)
