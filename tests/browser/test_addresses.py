"""The state in the address survives reloading, back and forward, and opens in the other homes."""

from __future__ import annotations

import json
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

import cavalcade
from cavalcade.formats import link
from running import wait_for
from visiting import WIDE, Page

if TYPE_CHECKING:
    from pathlib import Path

    from running import Studio

pytestmark = pytest.mark.browser
SIGNS = link.SIGNS
SHOWN = """() => JSON.stringify([
    [...document.querySelectorAll("[data-cell]")].map((cell) => cell.getAttribute("aria-label")),
    document.querySelector("[role=tab][aria-selected=true]").id, location.hash,
    document.querySelector("#verdict").dataset.kind,
])"""


def coded(board: str, cells: list[int]) -> str:
    """Encode a walk by signs, an independent implementation of the format of `formats/link.py`."""
    graph = cavalcade.move_graph(board)
    base = max(2, *graph.degrees.tolist())
    moves_per_sign = max(k for k in range(1, 7) if base**k <= 64)
    moves = [sorted(graph.neighbours(a).tolist()).index(b) for a, b in pairwise(cells)]
    groups = [moves[i : i + moves_per_sign] for i in range(0, len(moves), moves_per_sign)]
    signs = "".join(SIGNS[sum(move * base**k for k, move in enumerate(group))] for group in groups)
    rest = len(moves) % moves_per_sign
    return f"{cavalcade.board(board).name(cells[0])}.{signs}" + (f".{rest}" if rest else "")


def states() -> list[str]:
    """Return a hundred addresses with boards, ends, moves, numbers, walks, tours, proofs and counts."""
    addresses = []
    parts = ("ask", "board", "watch", "why", "walk", "save")
    boards = ("6x6", "5x6", "3x4x5", "6x6-a1,b1", "hex:4", "torus:5x6", "5x8", "3x10")
    for i, (board, kind) in enumerate(product(boards, range(10))):
        tour = cavalcade.tour(board, seed=i).tour  # type: ignore[union-attr]
        cells, names = tour.cells.tolist(), tour.names
        question = f"{'open' if kind in {3, 4} else 'closed'} tour of {board}"
        words = {"part": parts[i % 6]}
        if kind in {1, 3}:
            question += f" from {names[0]}"
        if kind == 4:
            question += f" from {names[0]} to {names[-1]}"
        if kind == 2:
            question += f", with {'-'.join(sorted(names[:2]))}"
        if kind == 5:
            question += f" from {names[0]}, {names[4]} at step 5, {names[8]} at step 9"
            words["notes"] = f"{names[20]}:17,{names[22]}:-3-5"
        if kind in {5, 6, 7}:
            words["walk"] = coded(board, cells[: kind - 1])
        if kind == 9:
            words["walk"] = coded(board, cells[:3])
        if kind in {7, 8, 9}:
            words["tour"] = coded(board, cells)
        addresses.append("#" + urlencode({"ask": question, **words}))
    proofs = product(("3x8", "4x10", "5x5", "4x4", "3x6"), ["prove"], ("why", "save"))
    counts = product(("8x8", "6x6", "5x6", "6x8", "torus:4x4"), ["count"], ("ask", "walk"))
    for board, then, part in (*proofs, *counts):
        addresses.append("#" + urlencode({"ask": f"closed tour of {board}", "then": then, "part": part}))
    return addresses


def shown(page: Any) -> str:
    """Return the content of the screen when no work is in progress."""
    page.wait_for_selector("[data-ready]")
    page.wait_for_timeout(180)  # work of more than 150 ms is shown
    page.wait_for_function("() => document.querySelector('#working').hidden")
    content: str = page.evaluate(SHOWN)
    return content


def test_states_survive(chromium: Any, folder: Path, studio: Studio) -> None:
    """Each state survives a reload; the pages are then visited by back and forward.

    Every seventh state: all boards and all kinds. Chromium remembers fifty pages.
    """
    context = chromium.new_context(viewport={"width": WIDE[0], "height": WIDE[1]}, reduced_motion="reduce")
    page = Page(context, f"{folder.as_uri()}/index.html").page
    installed = Page(context, f"{studio.address}?token={studio.token}").page
    pages = []
    marks = states()[::7]
    for i, mark in enumerate(marks):
        page.evaluate("(mark) => { location.hash = mark; }", mark)
        first = shown(page)
        page.reload()
        assert shown(page) == first, mark
        pages.append(first)
        if i % 2 == 0 and "then=count" not in mark:  # the studio computes counts, which takes longer
            installed.evaluate("(mark) => { location.hash = mark; }", mark)
            wait_for(lambda first=first: shown(installed) == first)
        question, tour = link.read(mark)
        assert (tour is None) == ("walk=" not in mark and "tour=" not in mark)
        assert question.board.size == mark_size(first)
    assert len(set(pages)) == len(marks)
    for before in reversed(pages[:-1]):
        page.go_back()
        assert shown(page) == before
    for after in pages[1:5]:
        page.go_forward()
        assert shown(page) == after
    context.close()


def mark_size(first: str) -> int:
    """Count the cells on a screen that are not removed."""
    return sum(", removed" not in label for label in json.loads(first)[0])


def test_the_puzzle_of_the_day_is_the_same_for_all(chromium: Any, folder: Path, studio: Studio) -> None:
    context = chromium.new_context(viewport={"width": WIDE[0], "height": WIDE[1]})
    homes = (f"{folder.as_uri()}/index.html", f"{studio.address}?token={studio.token}")
    pages = [Page(context, home) for home in homes]
    days = []
    for day in ("2026-05-17", "2026-05-18", "2026-05-22"):
        marks = []
        for page in pages:
            page.page.clock.set_fixed_time(f"{day}T12:00:00")
            page.open("walk")
            page.page.click("#daily")
            page.verdict(f"The puzzle of May {day[-2:]}, 2026: ")
            marks.append(page.mark())
        assert marks[0] == marks[1]
        question, _ = link.read(f"#ask={marks[0]}")
        puzzle = cavalcade.Puzzle(question.board, tuple(question.given.items()), question.closed)
        assert len(cavalcade.solve(puzzle).tours) == 1
        days.append(marks[0])
    assert len(set(days)) == 3
    context.close()
