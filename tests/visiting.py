"""Page object of the studio, for tests in the browser."""

from __future__ import annotations

import re
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

import cavalcade
from cavalcade.question.statement import read_statement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WIDE, NARROW = (1280, 900), (390, 844)
LARGE = pytest.param((*WIDE, "light"), id="wide-light")
SMALL = pytest.param((*NARROW, "dark"), id="narrow-dark")
#: Screens of a fixture `visit`: CI drives the large one, and both in the tests marked
#: `on_both_screens`; `make journeys` drives both.
SCREENS = [LARGE, pytest.param(*SMALL.values, id=SMALL.id, marks=pytest.mark.slow)]
#: Marks tests whose outcome depends on the screen: CI drives both.
on_both_screens = pytest.mark.parametrize("visit", [LARGE, SMALL], indirect=True)


@contextmanager
def visiting(
    chromium: Any, screen: Any, address: str, *, offline: bool = False, shared: bool = True
) -> Iterator[Callable[..., Page]]:
    """Yield a function that opens pages; assert at the end that no page logged an error.

    Chromium takes a second of processor time for a new context, as long as for the page itself. Therefore
    the visits of one screen share a context, and each visit removes at its end what its pages stored.

    Args:
        chromium: the browser.
        screen: width and height in pixels, and the colour scheme.
        address: address of the page, without the part after the hash sign.
        offline: whether the network is off.
        shared: whether to share the context; False if the visit sets the clock, or needs an empty cache.
    """
    screened = chromium, screen, offline
    context = shared_context(*screened) if shared else new_context(*screened)
    pages: list[Page] = []

    def opened(mark: str = "") -> Page:
        pages.append(Page(context, address, mark))
        return pages[-1]

    try:
        yield opened
        assert [page.faults for page in pages if page.faults] == []
    finally:
        if shared:
            remaining = [page.page for page in pages if not page.page.is_closed()]
            remaining = remaining or [Page(context, address).page]
            for page in remaining[:-1]:
                page.close()
            remaining[-1].evaluate("() => localStorage.clear()")
            remaining[-1].close()
        else:
            context.close()


def new_context(chromium: Any, screen: Any, offline: bool) -> Any:  # noqa: FBT001 - a key of the cache
    """Return a new context of the browser, which shares nothing with others; see `visiting`."""
    width, height, scheme = screen
    context = chromium.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce",
        has_touch=width < 500, accept_downloads=True, offline=offline,
    )  # fmt: skip
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    return context


shared_context = cache(new_context)


class Page:
    """A page of the studio and the actions of a user."""

    def __init__(self, context: Any, address: str, mark: str = "", part: str | None = "board") -> None:
        self.faults: list[str] = []
        self.page = context.new_page()
        self.page.on("console", lambda line: self.faults.append(line.text) if line.type == "error" else None)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.goto(address + mark)
        self.page.wait_for_selector("[data-ready]")
        if part is not None:
            self.open(part)

    def open(self, part: str) -> None:
        """Go to a part of the page."""
        self.page.click(f"#tab-{part}")

    def middle(self, name: str) -> tuple[float, float]:
        """The centre of a cell on the screen."""
        cell = self.page.locator(f"[data-cell='{name}']")
        cell.scroll_into_view_if_needed()
        box = cell.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click(self, *names: str) -> None:
        """Click cells, one after the other."""
        for name in names:
            self.page.mouse.click(*self.middle(name))

    def drag(self, *names: str) -> None:
        """Drag over cells."""
        self.page.mouse.move(*self.middle(names[0]))
        self.page.mouse.down()
        for name in names[1:]:
            self.page.mouse.move(*self.middle(name), steps=4)
        self.page.mouse.up()

    def tool(self, name: str) -> None:
        """Choose what a click on the board does."""
        self.page.check(f"input[name=tool][value={name}]")

    def words(self) -> dict[str, str]:
        """The text of a screen reader after the name of each cell."""
        descriptions: dict[str, str] = self.page.evaluate(
            "() => Object.fromEntries([...document.querySelectorAll('[data-cell]')].map((cell) =>"
            " [cell.dataset.cell, cell.getAttribute('aria-label').slice(cell.dataset.cell.length)]))"
        )
        return descriptions

    def is_word(self, name: str, word: str) -> None:
        """Wait until the label of a cell is its name and a word."""
        from playwright.sync_api import expect

        cell = self.page.locator(f"[data-cell='{name}']")
        expect(cell).to_have_attribute("aria-label", f"{name}{word}")

    def tour(self) -> list[str]:
        """The cells in the order of the steps in their labels."""
        steps = {
            int(match[1]): name
            for name, word in self.words().items()
            if (match := re.search(r", step (\d+)(?:,|$)", word))
        }
        return [steps[step] for step in sorted(steps)]

    def verdict(self, text: str) -> str:
        """Wait until the message under the board contains a text, and return the message."""
        from playwright.sync_api import expect

        place = self.page.locator("#verdict")
        expect(place).to_contain_text(text, timeout=30_000)
        message: str = place.inner_text()
        return message

    def mark(self) -> str:
        """The statement in the address."""
        read = "() => new URLSearchParams(location.hash.slice(1)).get('ask')"
        statement: str = self.page.evaluate(read)
        return statement

    def picture(self) -> bytes:
        """A screenshot of the board."""
        image: bytes = self.page.locator("#frame").screenshot()
        return image


def solved_by_numbers(visit: Callable[..., Page], question: str) -> None:
    """Solve a puzzle by numbers and pencil marks, in any order, with a mistake on the way."""
    from playwright.sync_api import expect

    parsed, _ = read_statement(question)
    puzzle = cavalcade.puzzle(parsed, seed=3)
    assert isinstance(puzzle, cavalcade.Puzzle)
    (tour,) = cavalcade.solve(puzzle).tours
    solution = list(tour.names)
    clues = {step: solution[step - 1] for step, _ in puzzle.given}
    fixed = ",".join(f"{step}={name}" for step, name in clues.items() if step > 1)
    page = visit(f"#board={parsed.board.spec}&open={int(not parsed.closed)}&start={clues[1]}&at={fixed}")
    page.open("walk")
    numbers = {name: step for step, name in enumerate(solution, 1) if step not in clues}
    last, *remaining = sorted(numbers, key=lambda name: numbers[name] * 7 % 31)  # not one after the other
    field = page.page.get_by_label(f"Number on {remaining[0]}")
    page.page.check("input[name=entry][value=number]")
    page.click(remaining[0])
    field.fill(str(len(solution) + 1))
    field.press("Enter")
    expect(page.page.locator("#verdict")).to_contain_text(f"from 1 to {len(solution)}")
    page.click(remaining[0])
    page.page.keyboard.type(str(numbers[last]))
    page.page.click("#write")
    page.is_word(remaining[0], f", you wrote {numbers[last]}")
    page.page.click("#mistakes")
    page.verdict(f"In a solution of the puzzle, {remaining[0]} has another number.")
    assert ", another number in a solution" in page.words()[remaining[0]]
    page.page.check("input[name=entry][value=pencil]")
    page.click(last)
    marks = page.page.get_by_label(f"Pencil marks on {last}")
    marks.fill("3 5")
    marks.press("Enter")
    page.is_word(last, ", pencil marks 3, 5")
    page.page.reload()
    page.page.wait_for_selector("[data-ready]")
    page.is_word(last, ", pencil marks 3, 5")
    page.is_word(remaining[0], f", you wrote {numbers[last]}")
    for name in remaining:
        page.page.locator(f"[data-cell='{name}']").focus()
        for digit in str(numbers[name]):
            page.page.keyboard.press(digit)
        page.page.keyboard.press("Enter")
    page.page.click("#mistakes")
    page.verdict("No mistake so far: a tour has all these numbers.")
    page.page.locator(f"[data-cell='{last}']").focus()
    page.page.keyboard.type(str(numbers[last]))
    page.page.keyboard.press("Enter")
    page.verdict("The puzzle is solved.")
    assert page.tour() == solution


def read_code(rows: list[list[int]]) -> str:
    """The text of a QR code of level L, by the tables of segno."""
    from segno import consts, make

    size, version = len(rows), (len(rows) - 17) // 4
    form = sum(rows[8][x] << i for i, x in enumerate([*range(size - 1, size - 9, -1), 7, *range(5, -1, -1)]))
    masks: list[Callable[[int, int], bool]] = [
        lambda x, y: (x + y) % 2 == 0, lambda _, y: y % 2 == 0, lambda x, _: x % 3 == 0,
        lambda x, y: (x + y) % 3 == 0, lambda x, y: (x // 3 + y // 2) % 2 == 0,
        lambda x, y: x * y % 2 + x * y % 3 == 0, lambda x, y: (x * y % 2 + x * y % 3) % 2 == 0,
        lambda x, y: ((x + y) % 2 + x * y % 3) % 2 == 0,
    ]  # fmt: skip
    inverted = masks[(form ^ 0x5412) >> 10 & 7]
    template = make("x", version=version, error="l", micro=False, boost_error=False)
    data: list[list[Any]] = [list(row) for row in template.matrix_iter(border=0, verbose=True)]
    data[8][size - 9] = consts.TYPE_DATA_DARK  # segno classifies this module as format information
    bits = []
    columns = [*range(size - 1, 6, -2), *range(5, 0, -2)]
    for i, column in enumerate(columns):
        for y in range(size)[:: -1 if i % 2 == 0 else 1]:
            for x in (column, column - 1):
                if data[y][x] in {consts.TYPE_DATA_DARK, consts.TYPE_DATA_LIGHT}:
                    bits.append(rows[y][x] ^ inverted(x, y))  # noqa: PERF401 - three loops read better
    words = [int("".join(map(str, map(int, bits[i : i + 8]))), 2) for i in range(0, len(bits) - 7, 8)]
    table: Any = consts.ECC
    sizes = [
        entry.num_data for entry in table[version][consts.ERROR_LEVEL_L] for _ in range(entry.num_blocks)
    ]
    blocks: list[list[int]] = [[] for _ in sizes]
    taken = iter(words)
    for i in range(max(sizes)):
        for block, length in zip(blocks, sizes, strict=True):
            if i < length:
                block.append(next(taken))
    text = "".join(f"{word:08b}" for block in blocks for word in block)
    assert text[:4] == "0100"
    start = 12 if version < 10 else 20
    count = int(text[4:start], 2)
    return bytes(int(text[start + 8 * i : start + 8 * i + 8], 2) for i in range(count)).decode()
