"""`cavalcade reproduce`: a paper, recomputed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import click

import cavalcade
from cavalcade.cli.command import option, refuse, verb
from cavalcade.cli.options import Directory, FormatJson, Output
from cavalcade.cli.status import width_of
from cavalcade.cli.writing import progress, show
from cavalcade.ground import TEXT_WIDTH
from cavalcade.ground.errors import FormatError
from cavalcade.papers import PAPERS, programs

ENDINGS = {"": "text", ".txt": "text", ".md": "markdown", ".html": "html", ".htm": "html", ".json": "json"}


@verb()
def command(
    paper: Annotated[str | None, option(choices=[*PAPERS, "story", "all"])] = None,
    *,
    list_: bool = False,
    item: Annotated[str | None, option(metavar="TEXT", excludes=["--list"])] = None,
    full: Annotated[bool, option(excludes=["--list", "--item"])] = False,
    sas: Annotated[
        Directory | None,
        option(excludes=["--list", "--item", "--full", "--format", "--output", "--json"]),
    ] = None,
    format_: Literal["text", "markdown", "html", "json"] | None = None,
    output: Annotated[Output | None, option(metavar="FILE|DIR")] = None,
    json_: Annotated[FormatJson, option(excludes=["--format", "--item", "--list"])] = False,
) -> None:
    """Recompute everything that PAPER prints, and compare.

    Prints one line for each item, with two verdicts: on the claim as printed, and as meant. With --full, or
    as Markdown, HTML or JSON, the report gives every item with its command and its evidence, then the errors
    in the printed paper. `story` is the story of the three papers; its pictures go to a subdirectory. `all`
    with -o DIR writes all reports and the story to a directory.

    Options:
        list_: Print the name and the command of every item of PAPER, or of all papers; nothing is recomputed.
        item: Print the items whose names contain TEXT, in any case, with command and evidence; nothing else
            is recomputed. If no name does, the items below a heading that contains it. Without PAPER, search
            all papers.
        full: Print the report with every item in detail, not the page that fits a screen.
        sas: Write the corrected SAS programs of PAPER to DIR instead, for boards of any size.
        format_: Format of the report (default: the ending of FILE sets it, otherwise text).
    """
    format_ = "json" if json_ else format_
    searched = list(PAPERS) if paper in {None, "all"} else [str(paper)]
    if list_ or item is not None:
        refuse("format_", why="cannot be combined with --list or --item, which print text")
        if paper == "story":
            refuse("item", "list_", why="needs a paper, not story")
    if list_:
        from cavalcade.papers.recompute import listing

        show(listing({name: PAPERS[name] for name in searched}), output)
        return
    width = width_of(sys.stdout) if output is None else TEXT_WIDTH
    if item is not None:
        from cavalcade.papers.recompute import find_items, recomputed_item
        from cavalcade.papers.report import alone

        show("\n".join(alone(recomputed_item(*match), width) for match in find_items(searched, item)), output)
        return
    if paper is None:
        raise click.UsageError(f"missing PAPER, expected one of {', '.join(PAPERS)}, story, all; or --list")
    if paper == "story":
        refuse("sas", why="needs a paper, or all")
    if sas is not None:
        Path(sas).mkdir(parents=True, exist_ok=True)
        for name in searched:
            for file, text in programs(name).items():
                show(text, str(Path(sas, file)))
        return
    if paper == "all":
        if output is None:
            raise click.UsageError("'all' writes a report for each paper, expected a directory: -o DIR")
        kind = format_ or "html"
        suffix = next(ending for ending, name in ENDINGS.items() if ending and name == kind)
        Path(output).mkdir(parents=True, exist_ok=True)
        for name in PAPERS:
            with progress(f"recomputing {name}") as report_progress:
                report = cavalcade.reproduce(name, progress=report_progress)
            show(report.render(kind), str(Path(output, name + suffix)))
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
    with progress(f"recomputing {paper}") as report_progress:
        report = cavalcade.reproduce(paper, progress=report_progress)
    form = format_ or ENDINGS[ending]
    show(report.overview(width) if form == "text" and not full else report.render(form, width), output)


def _write_story(output: str) -> None:
    """Write the story to a file, and its pictures to the same directory."""
    from cavalcade.papers.story import story

    show(story(Path(output).parent, ENDINGS[Path(output).suffix.lower()]), output)
