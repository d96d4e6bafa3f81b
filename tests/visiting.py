"""A page of the studio as a person uses it: for the tests in the browser."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import cavalcade
from cavalcade.question.statement import read_statement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WIDE, NARROW = (1280, 900), (390, 844)
SCREENS = [(*WIDE, "light"), (*NARROW, "dark")]
SCREEN_NAMES = ["wide-light", "narrow-dark"]


@contextmanager
def visiting(
    chromium: Any, screen: Any, address: str, *, offline: bool = False
) -> Iterator[Callable[..., Page]]:
    """Opens pages; at the end none of them has found a fault."""
    width, height, scheme = screen
    context = chromium.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce",
        has_touch=width < 500, accept_downloads=True, offline=offline,
    )  # fmt: skip
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    pages: list[Page] = []

    def opened(mark: str = "") -> Page:
        pages.append(Page(context, address, mark))
        return pages[-1]

    yield opened
    assert [page.faults for page in pages if page.faults] == []
    context.close()


class Page:
    """A page of the studio, as a person uses it."""

    def __init__(self, context: Any, address: str, mark: str = "") -> None:
        self.faults: list[str] = []
        self.page = context.new_page()
        self.page.on("console", lambda line: self.faults.append(line.text) if line.type == "error" else None)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.goto(address + mark)
        self.page.wait_for_selector("[data-ready]")
        self.open("board")

    def open(self, part: str) -> None:
        """Go to a part of the page."""
        self.page.click(f"#tab-{part}")

    def middle(self, name: str) -> tuple[float, float]:
        """Where a cell is on the screen."""
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
        """What a screen reader says of each cell beside its name."""
        found: dict[str, str] = self.page.evaluate(
            "() => Object.fromEntries([...document.querySelectorAll('[data-cell]')].map((cell) =>"
            " [cell.dataset.cell, cell.getAttribute('aria-label').slice(cell.dataset.cell.length)]))"
        )
        return found

    def is_word(self, name: str, word: str) -> None:
        """Wait until something is said of a cell."""
        from playwright.sync_api import expect

        cell = self.page.locator(f"[data-cell='{name}']")
        expect(cell).to_have_attribute("aria-label", f"{name}{word}")

    def tour(self) -> list[str]:
        """The cells in the order of the steps that are said of them."""
        steps = {
            int(word.rsplit(" ", 1)[1]): name for name, word in self.words().items() if ", step " in word
        }
        return [steps[step] for step in sorted(steps)]

    def verdict(self, text: str) -> str:
        """Wait until the words under the board have a text; returns them."""
        from playwright.sync_api import expect

        place = self.page.locator("#verdict")
        expect(place).to_contain_text(text, timeout=30_000)
        found: str = place.inner_text()
        return found

    def mark(self) -> str:
        """The statement in the address."""
        read = "() => new URLSearchParams(location.hash.slice(1)).get('ask')"
        found: str = self.page.evaluate(read)
        return found

    def picture(self) -> bytes:
        """The board as it is drawn."""
        found: bytes = self.page.locator("#frame").screenshot()
        return found


def solved_by_numbers(visit: Callable[..., Page], question: str) -> None:
    """Solve a puzzle by numbers and pencil marks, in any order, with a mistake on the way."""
    from playwright.sync_api import expect

    asked, _ = read_statement(question)
    puzzle = cavalcade.puzzle(asked, seed=3)
    assert isinstance(puzzle, cavalcade.Puzzle)
    (tour,) = cavalcade.solve(puzzle).tours
    solution = list(tour.names)
    given = {step: solution[step - 1] for step, _ in puzzle.given}
    at = ",".join(f"{step}={name}" for step, name in given.items() if step > 1)
    page = visit(f"#board={asked.board.spec}&open={int(not asked.closed)}&start={given[1]}&at={at}")
    page.open("walk")
    numbers = {name: step for step, name in enumerate(solution, 1) if step not in given}
    last, *others = sorted(numbers, key=lambda name: numbers[name] * 7 % 31)  # not one after the other
    field = page.page.get_by_label(f"Number on {others[0]}")
    page.page.check("input[name=entry][value=number]")
    page.click(others[0])
    field.fill(str(len(solution) + 1))
    field.press("Enter")
    expect(page.page.locator("#walk-status")).to_contain_text(f"from 1 to {len(solution)}")
    page.click(others[0])
    page.page.keyboard.type(str(numbers[last]))
    page.page.click("#write")
    page.is_word(others[0], f", you wrote {numbers[last]}")
    page.page.click("#mistakes")
    page.verdict(f"In a solution of the puzzle, {others[0]} has another number.")
    assert ", another number in a solution" in page.words()[others[0]]
    page.page.check("input[name=entry][value=pencil]")
    page.click(last)
    marks = page.page.get_by_label(f"Pencil marks on {last}")
    marks.fill("3 5")
    marks.press("Enter")
    page.is_word(last, ", pencil marks 3, 5")
    page.page.reload()
    page.page.wait_for_selector("[data-ready]")
    page.is_word(last, ", pencil marks 3, 5")
    page.is_word(others[0], f", you wrote {numbers[last]}")
    for name in others:
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
