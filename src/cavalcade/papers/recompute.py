"""Recompute the items of a paper as their entries in the data file prescribe."""

from __future__ import annotations

import contextlib
import hashlib
import io
import re
import shlex
import signal
import sys
import time
from bisect import bisect_right
from dataclasses import replace
from datetime import UTC, datetime
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING
from unittest.mock import patch

from cavalcade.ground.above import above
from cavalcade.ground.budget import assert_time
from cavalcade.ground.errors import CavalcadeError
from cavalcade.ground.storage import temporary_directory
from cavalcade.papers.items import Item, data, entries, item, paper_data
from cavalcade.papers.report import Report
from cavalcade.papers.tables import compare, corrections, grid, ours, printed, summary, verify

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cavalcade.ground.threads import ProgressCallback
    from cavalcade.papers.items import ItemEntry

INTERRUPTED = 128 + signal.SIGINT  # exit code of a command after Ctrl-C, as in shells


def output(commands: str, folder: str | None = None) -> str:
    """Run commands in this process and return their output.

    Args:
        commands: one command per line, each beginning with `cavalcade`.
        folder: working directory; by default an empty temporary directory.
    """
    if folder is None:
        with temporary_directory() as empty:
            return output(commands, str(empty))
    buffer = io.BytesIO()
    stream = io.TextIOWrapper(buffer, encoding="utf-8", write_through=True)
    for command in commands.splitlines():
        with patch.multiple(sys, stdout=stream, stderr=stream), contextlib.chdir(folder):
            code = above("command_line")(shlex.split(command)[1:])
        if code == INTERRUPTED:
            raise KeyboardInterrupt
        assert_time("recomputing the paper")
    return buffer.getvalue().decode()


cached_output = cache(output)


def recomputed_item(paper: str, entry: ItemEntry) -> Item:
    """Recompute an item and fill in its texts."""
    name, command = entry["name"], entry.get("command", "")
    printed_output = cached_output(command) if command else ""
    result = _judge(paper, entry, printed_output)
    if any(words not in printed_output for words in entry.get("expect", [])):
        result = replace(result, same="no")
    texts = {
        key: getattr(result, key) or entry.get(key, "").format(**result.values)  # type: ignore[attr-defined]
        for key in ("printed", "recomputed", "why")
    }
    if "ours" in entry:
        result = replace(result, figures=ours(entry["ours"]))
    shown = entry.get("shows", "")
    return replace(
        result,
        **texts,
        name=name,
        place=_place(entry["line"], paper_data(paper)["pages"]),
        command=item_command(paper, entry),
        judged=entry.get("meant", "") or result.judged,
        output="\n".join(line for line in printed_output.splitlines() if re.search(shown, line)),
        shown="table" in entry,
    )


def _place(line: int, pages: list[int]) -> str:
    """Return the line of an item, and its page if the pages are known."""
    page = bisect_right(pages, line)
    return f"line {line}, page {page}" if page < len(pages) else f"line {line}"


def _judge(paper: str, entry: ItemEntry, printed_output: str) -> Item:
    """Return the verdict on an item, by the method that its entry selects."""
    module = import_module(f"cavalcade.papers.{paper}")
    name = entry["name"]
    if "by" in entry:
        result: Item = getattr(module, entry["by"])(*entry.get("given", []))
        return result
    tables = printed(paper)
    if "tour" in entry:
        return verify(name, tables[entry["tour"]], entry.get("steps"), closed=entry.get("closed", False))
    if "summary" in entry:
        return summary(tables[entry["summary"]], entry["shows"], printed_output)
    if "table" in entry:
        table = tables[entry["table"]]
        numbers = grid(printed_output, table.numbers.shape, entry.get("board", 1))
        steps = "degrees" not in entry["command"]
        result = compare(name, table, numbers, entry.get("why", ""), steps=steps)
        return module.fitted(result, table.name) if entry.get("fitted") else result
    return item(entry.get("same", True))


def find_items(papers: Sequence[str], text: str) -> list[tuple[str, ItemEntry]]:
    """Return the items whose names, or else the headings of whose sections, contain a text, in any case.

    A name that equals the text excludes other names, and a name that contains the text as whole words
    excludes names that contain it as a part of a word: `table 1` does not find Table 10.

    Returns:
        Pairs of a paper and an item.

    Raises:
        CavalcadeError: no name and no heading contains the text.
    """
    items = [(paper, entry) for paper in papers for entry in entries(paper).values()]
    headed = [
        (paper, entry)
        for paper in papers
        for heading, section in paper_data(paper)["sections"].items()
        if text.lower() in heading.lower()
        for entry in section
    ]
    pattern = re.escape(text)
    for expression in (rf"\A{pattern}\Z", rf"(?<!\w){pattern}(?!\w)", pattern):
        matches = [
            (paper, entry) for paper, entry in items if re.search(expression, entry["name"], re.IGNORECASE)
        ]
        if matches:
            return matches
    if headed:
        return headed
    names = [entry["name"] for _, entry in items]
    similar = get_close_matches(text, names, 3, 0.4) or names[:3]
    raise CavalcadeError(f"no item {text[:60]!r}, expected one of {len(names)} such as {', '.join(similar)}")


def item_command(paper: str, entry: ItemEntry) -> str:
    """Return the commands that recompute an item, one per line."""
    name = entry["name"]
    quoted = f'"{name}"' if "'" in name else shlex.quote(name)
    return entry.get("command") or f"cavalcade reproduce {paper} --item {quoted}"


def report(paper: str, title: str, progress: ProgressCallback | None = None) -> Report:
    """Recompute all items of a paper; `progress` is called with the fraction that is done, 0 to 1."""
    start, content = time.perf_counter(), paper_data(paper)
    total, sections = len(entries(paper)), dict[str, list[Item]]()
    for name, section in content["sections"].items():
        sections[name] = []
        for entry in section:
            sections[name].append(recomputed_item(paper, entry))
            if progress is not None:
                progress(sum(map(len, sections.values())) / total)
    digests = {f"transcription {name}": digest for name, digest in content["transcriptions"].items()}
    tables = hashlib.sha256(data(f"{paper}.txt").encode()).hexdigest()
    return Report(
        paper,
        title,
        sections,
        corrections(paper),
        content["story"],
        content["obstacles"],
        digests | {"its tables": tables},
        datetime.now(tz=UTC).date(),
        time.perf_counter() - start,
    )


def listing(titles: Mapping[str, str]) -> str:
    """List all items by name, with the first command of each; nothing is recomputed.

    Args:
        titles: titles of the papers to list, by key.
    """
    lines = []
    for paper, title in titles.items():
        lines.append(f"{paper}: {title}")
        for section, entries_of_section in paper_data(paper)["sections"].items():
            lines.append(f"  {section}")
            for entry in entries_of_section:
                command, *following = item_command(paper, entry).splitlines()
                lines.append(f"    {entry['name']}: {command}{' …' * bool(following)}")
    return "".join(f"{line}\n" for line in lines)
