"""What a data file says about an item, done: its command run, its function called, its verdict reached."""

from __future__ import annotations

import contextlib
import hashlib
import io
import re
import shlex
import sys
import tempfile
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
from cavalcade.papers.items import Item, data, entries, item, stated
from cavalcade.papers.report import Report
from cavalcade.papers.tables import compare, corrections, grid, ours, printed, summary, verify

if TYPE_CHECKING:
    from cavalcade.papers.items import ItemEntry

INTERRUPTED = 130


def output(commands: str, folder: str | None = None) -> str:
    """What commands print, one after the other, run in this process in a folder, or in an empty one.

    Args:
        commands: one per line; each begins with `cavalcade`.
        folder: where they read and write files.
    """
    if folder is None:
        with tempfile.TemporaryDirectory() as empty:
            return output(commands, empty)
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="utf-8", write_through=True)
    for command in commands.splitlines():
        with patch.multiple(sys, stdout=stream, stderr=stream), contextlib.chdir(folder):
            code = above("command_line")(shlex.split(command)[1:])
        if code == INTERRUPTED:
            raise KeyboardInterrupt
        assert_time("recomputing the paper")
    stream.flush()
    return written.getvalue().decode()


kept = cache(output)


def made(paper: str, entry: ItemEntry) -> Item:
    """An item of a paper, recomputed as its entry says."""
    name, command = entry["name"], entry.get("command", "")
    ran = kept(command) if command else ""
    one = _judged(paper, entry, ran)
    if any(words not in ran for words in entry.get("expect", [])):
        one = replace(one, same="no")
    texts = {
        key: getattr(one, key) or entry.get(key, "").format(**one.values)  # type: ignore[attr-defined]
        for key in ("printed", "recomputed", "why")
    }
    if "ours" in entry:
        one = replace(one, figures=ours(entry["ours"]))
    quoted = f'"{name}"' if "'" in name else shlex.quote(name)
    return replace(
        one,
        **texts,
        name=name,
        place=_place(entry["line"], stated(paper)["pages"]),
        command=command or f"cavalcade reproduce {paper} --item {quoted}",
        output="\n".join(line for line in ran.splitlines() if re.search(entry.get("shows", ""), line)),
        shown="table" in entry,
    )


def _place(line: int, pages: list[int]) -> str:
    """Where an item stands: the line, and the page that it is on, where pages are known."""
    page = bisect_right(pages, line)
    return f"line {line}, page {page}" if page < len(pages) else f"line {line}"


def _judged(paper: str, entry: ItemEntry, ran: str) -> Item:
    """The verdict, by the one of the ways that the entry names."""
    module = import_module(f"cavalcade.papers.{paper}")
    name = entry["name"]
    if "by" in entry:
        found: Item = getattr(module, entry["by"])(*entry.get("given", []))
        return found
    tables = printed(paper)
    if "tour" in entry:
        return verify(name, tables[entry["tour"]], entry.get("steps"), closed=entry.get("closed", False))
    if "summary" in entry:
        return summary(tables[entry["summary"]], entry["shows"], ran)
    if "table" in entry:
        table = tables[entry["table"]]
        numbers = grid(ran, table.numbers.shape, entry.get("board", 1))
        one = compare(name, table, numbers, entry.get("why", ""), steps="degrees" not in entry["command"])
        return module.fitted(one, table.name) if entry.get("fitted") else one
    return item(entry.get("same", True))


def only(paper: str, name: str) -> Item:
    """One item of a paper, the only one that is recomputed.

    Raises:
        CavalcadeError: there is no item of this name.
    """
    every = entries(paper)
    if name not in every:
        near = get_close_matches(name, every, 3, 0.4) or [*every][:3]
        raise CavalcadeError(f"no item {name[:60]!r}, expected one of {len(every)} such as {', '.join(near)}")
    return made(paper, every[name])


def report(paper: str, title: str) -> Report:
    """A paper, recomputed: all its items."""
    began, known = time.perf_counter(), stated(paper)
    sections = {name: [made(paper, one) for one in section] for name, section in known["sections"].items()}
    read = {f"transcription {letter}": digest for letter, digest in known["transcriptions"].items()}
    tables = hashlib.sha256(data(f"{paper}.txt").encode()).hexdigest()
    return Report(
        paper,
        title,
        sections,
        corrections(paper),
        known["story"],
        known["obstacles"],
        read | {"its tables": tables},
        datetime.now(tz=UTC).date(),
        time.perf_counter() - began,
    )
