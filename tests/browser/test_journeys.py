"""Journeys through the page, on six screens, in light and dark colours, by mouse, touch and keys.

A journey is a script: one verb and its argument per line, see `Journey`. After each line the status is on the
screen, nothing covers it, and nothing is wider than the screen; at the end axe finds no violation. CI runs
scripts on phones without axe, because other tests drive a wide page; `make journeys` runs all.
"""

from __future__ import annotations

import io
import re
import zlib
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import cavalcade
from cavalcade.formats import link, parse
from cavalcade.ground.wording import catalogue
from cavalcade.question.statement import read_statement
from visiting import Page

pytestmark = pytest.mark.browser
playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install --group browser"
)
SIZES = {
    "360": (360, 740), "390": (390, 844), "768": (768, 1024),
    "844": (844, 390), "1280": (1280, 800), "1920": (1920, 1080),
}  # fmt: skip
PHONES = ("360", "390", "844")
DAY = "2026-05-18T12:00:00"  # a Monday, whose puzzle is small
STATUS = """() => {
    const box = document.querySelector('#verdict').getBoundingClientRect();
    const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    const root = document.documentElement;
    return [
        document.querySelector('#verdict').textContent ? '' : 'the status is empty',
        box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight
            ? '' : 'it is off the screen',
        top && top.closest('#verdict') ? '' : `${top?.outerHTML.slice(0, 80)} covers it`,
        root.scrollWidth > innerWidth || root.scrollHeight > innerHeight
            ? `the page is larger than the screen: ${root.scrollWidth}x${root.scrollHeight}` : '',
    ].filter(Boolean);
}"""


class Screen(NamedTuple):
    """What a context of the browser depends on."""

    size: str
    scheme: str
    touch: bool
    locale: str = "en-GB"
    motion: str = "reduce"


SCRIPTS = {
    "welcome": ("", """
        says every square once
        cells b1 d2 f1
        walk b1 d2 f1
    """),
    "walk": ("#board=5x5&open=1", """
        press #try
        cells a1 b3 c5
        press #walk-undo
        walk a1 b3
        press #walk-hint
        says keeps a tour possible
        press #walk-restart
        walk
        says Click a square to start.
    """),
    "refused": ("#board=5x5&open=1", """
        press #try
        cells a1 b2
        shows #bubble
        walk a1
        cells b3 c3
        walk a1 b3
    """),
    "stuck": ("#board=3x3&open=1", """
        press #try
        cells a1 b3 c1 a2 c3 b1 a3 c2
        says Stuck on c2: no move leads to an unvisited square. 1 square remains: b2.
    """),
    "wrong turn": ("#board=5x5&open=1", """
        press #try
        cells a1 b3 c5 a4 c3
        press #walk-hint
        says The wrong turn was step 5, c3
        press #walk-back
        walk a1 b3 c5 a4
    """),
    "tours": ("#board=6x6", """
        press #ask-tour
        says A closed tour of 6x6
        tour
        press #ask-tour
        says A closed tour of 6x6
        tour
        press #try
        hides #player
        says Click a square to start.
        open ask
        says A closed tour of 6x6
        tour
    """),
    "player": ("#board=5x6", """
        press #ask-tour
        says A closed tour of 5x6
        press #first
        steps 1
        press #forward
        press #forward
        steps 3
        press #back
        steps 2
        press #last
        tour
    """),
    "motion": ("#board=6x6", """
        press #ask-tour
        shows #play[data-icon=pause]
        press #play
        shows #play[data-icon=play]
        press #last
        tour
    """),
    "proof": ("#board=3x8", """
        open ask
        press #ask-prove
        shows .story li
        says Impossible
        press #why-forward
        press #why-back
        says Impossible
    """),
    "count refused": ("#board=9x10", """
        open ask
        press #ask-count
        says cavalcade count 9x10
        hides .count
    """),
    "known count": ("", """
        open ask
        press #ask-count
        says 13,267,364,410,532 closed tours: B. D. McKay
    """),
    "puzzle": ("#board=5x6", """
        open walk
        press #new-puzzle
        says exactly one tour has them
        solve
        says The puzzle is solved.
    """),
    "zip": ("#ask=open+tour+of+3x3+by+the+piece+0,1+from+a1+to+c1,+without+a2-b2,+b2-b3,+through+b3,+b1", """
        open walk
        cells b1
        shows #bubble
        cells a2 a3 b3 c3 c2 b2 b1 c1
        says The puzzle is solved.
    """),
    "daily": ("", """
        open walk
        press #daily
        says The puzzle of May 18, 2026: 5x5, open, easy.
        reload
        solve
        says The puzzle is solved.
        file #card png
    """),
    "lesson": ("", """
        open learn
        press [data-lesson='0']
        cells b3 b5 c2 c6 e2 e6 f3 f5
        says Right
        press #lesson-next
        says a1
    """),
    "holes": ("#board=6x6", """
        open board
        cells a6 b6
        word b6, removed
        says 34 squares
        press #undo
        word b6
        press #redo
        word b6, removed
        press #ask-tour
        says A closed tour of 6x6-a6,b6
        tour
    """),
    "ends and a move that is avoided": ("#board=6x6", """
        open board
        tick input[name=tool][value=start]
        cells a1
        word a1, start
        tick input[name=tool][value=end]
        cells a2
        word a2, end
        tick input[name=tool][value=avoid]
        cells c4 d6
        shows .chips li:has-text('without c4-d6')
        press #ask-tour
        says An open tour of 6x6 from a1 to a2, without c4-d6
        tour
    """),
    "board as text": ("", """
        open board
        type #part-board input[type=text] >> nth=0 = 9y9
        says is not a board
        type #part-board input[type=text] >> nth=0 = 4x5
        says 4x5: 20 squares
        pick #part-board select:has(option[value=camel]) = camel
        says 20 squares
    """),
    "files": ("#board=6x6", """
        press #ask-tour
        says A closed tour of 6x6
        open save
        file [data-file='tour.text'] text
        file [data-file='board.text'] board
        file [data-file='shown.svg'] svg
    """),
    "proof file": ("#board=4x4", """
        open ask
        press #ask-prove
        shows .story li
        open save
        file [data-file='certificate.json'] certificate
    """),
    "print": ("#ask=closed+tour+of+5x6&tour=a5.hBIaKGAJNZSA7BA.1", """
        open watch
        printed 30
    """),
    "link": ("#board=5x6", """
        press #ask-tour
        says A closed tour of 5x6
        open save
        follow [aria-label='Copy: Link']
        tour
    """),
    "box": ("#board=3x4x6", """
        press #ask-tour
        says A closed tour of 3x4x6
        tour
        press #in-space
        press #turn-left
        press #turn-up
        shows #slide
    """),
    "surface": ("#board=torus:5x6", """
        press #ask-tour
        says A closed tour of torus:5x6
        tour
        press #in-space
        press #turn-down
    """),
    "hexagons": ("#board=hex:4", """
        press #try
        cells a4 b2
        walk a4 b2
        press #walk-undo
        walk a4
    """),
    "reload": ("#board=5x6", """
        press #try
        cells a1 b3 c5
        reload
        walk a1 b3 c5
        press #walk-undo
        walk a1 b3
    """),
    "enlarged": ("#board=20x20", """
        press #try
        press #zoom-in
        press #zoom-in
        shows #map
        cells d4 e6
        walk d4 e6
        press #zoom-out
        press #zoom-out
        hides #map
    """),
    "rule": ("#board=6x6&start=a1", """
        open watch
        press #walk-rule
        shows #part-watch .status:has-text('Step 1, a1.')
        press #forward
        shows #part-watch .status:has-text('Step 2')
    """),
    "German": ("#board=5x5", """
        says 5x5: 25 Felder, 48 Züge.
        press #try
        cells a1 b3
        says Schritt 2, b3: 5 Züge zur Wahl
        press #walk-undo
    """),
    "Spanish": ("#board=5x5", """
        text #ask-tour ask.tour
        press #try
        cells a1 b3
        text #walk-undo walk.undo
        text #walk-hint walk.hint
    """),
    # with a server
    "count": ("#board=5x6", """
        open ask
        press #ask-count
        says There are exactly 8 tours.
    """),
    "too wide to count": ("#board=20x20", """
        open ask
        press #ask-count
        says too wide
    """),
    "every picture": ("#board=5x6", """
        press #ask-tour
        says A closed tour of 5x6
        open save
        file [data-file='tour.svg'] svg
        file [data-file='tour.png'] png
        file [data-file='tour.pdf'] pdf
        file [data-file='tour.gif'] gif
        file [data-file='tour.json'] text
    """),
    "large": ("#board=200x200", """
        says 200x200: 40,000 squares
        press #ask-tour
        says A closed tour of 200x200
        press #zoom-in
        press #zoom-in
        shows #map
    """),
}  # fmt: skip
#: Scripts that need the studio's server; the others run in a folder, with the network off.
SERVED = ("count", "too wide to count", "every picture", "large")
COMBINATIONS = {
    "welcome": "360 light touch, 844 dark touch, 1920 light mouse",
    "walk": "390 dark touch, 360 light touch, 768 light touch, 844 light touch, 1280 dark keys",
    "refused": "390 light touch, 1280 dark mouse",
    "stuck": "844 light touch, 768 dark mouse, 1280 light keys",
    "wrong turn": "360 dark touch, 844 dark mouse, 1920 dark keys",
    "tours": "768 light mouse, 390 dark touch, 1280 light keys",
    "player": "390 light touch, 844 dark touch, 1920 light keys",
    "motion": "1280 dark mouse, 390 light touch",
    "proof": "390 dark touch, 768 dark touch, 1280 light keys",
    "count refused": "360 light touch",
    "known count": "844 dark touch",
    "puzzle": "390 light touch, 1920 dark mouse",
    "zip": "360 dark touch, 1280 light keys",
    "daily": "390 dark touch, 1280 light mouse",
    "lesson": "768 dark touch, 1920 light keys",
    "holes": "360 light touch, 1280 dark keys",
    "ends and a move that is avoided": "844 light touch, 1920 dark mouse",
    "board as text": "390 light keys, 1280 dark mouse",
    "files": "768 light touch, 1280 dark mouse",
    "proof file": "1920 dark mouse",
    "print": "1280 dark mouse, 360 dark touch",
    "link": "1280 light keys",
    "box": "390 dark touch, 1920 light mouse",
    "surface": "844 dark touch",
    "hexagons": "360 light touch, 1280 dark mouse",
    "reload": "390 light touch",
    "enlarged": "390 dark touch, 1280 light mouse",
    "rule": "768 dark mouse",
    "German": "360 light touch, 1280 dark mouse",
    "Spanish": "390 dark touch",
    "count": "360 dark touch",
    "too wide to count": "768 light keys",
    "every picture": "1920 light mouse",
    "large": "1280 dark mouse",
}
LOCALES = {"German": "de-AT", "Spanish": "es-ES"}
SIGNATURES = {"png": b"\x89PNG", "pdf": b"%PDF", "gif": b"GIF8"}


def journeys(*, quick: bool) -> list[Any]:
    """Return the scripts whose first screen is a phone, or all combinations, as parameters of a test."""
    return [
        pytest.param(name, *row.split(), id=f"{name}, {row}")
        for name, combinations in COMBINATIONS.items()
        for row in combinations.split(", ")[: 1 if quick else None]
        if not quick or row.split()[0] in PHONES
    ]


class Traveller(Page):
    """A visitor with a mouse, a finger or keys."""

    def __init__(self, context: Any, address: str, mark: str, hand: str) -> None:
        self.hand = hand
        super().__init__(context, address, mark, part=None)

    def press(self, selector: str) -> None:
        """Press a button or tick a field."""
        element = self.page.locator(selector).first
        if self.hand == "mouse":
            element.click()
        elif self.hand == "touch":
            element.tap()
        else:
            element.focus()
            playwright.expect(element).to_be_focused()  # a hidden element has no focus
            button = element.evaluate("(field) => !/radio|checkbox/.test(field.type ?? '')")
            self.page.keyboard.press("Enter" if button else "Space")

    def open(self, part: str) -> None:
        """Go to a part of the page; keys go from tab to tab."""
        if self.hand != "keys":
            return self.press(f"#tab-{part}")
        self.page.locator("[role=tab][aria-selected=true]").focus()
        while self.page.locator(f"#tab-{part}").get_attribute("aria-selected") != "true":
            self.page.keyboard.press("ArrowRight")
        self.page.keyboard.press("Enter")  # on a small screen, show its fields
        return None

    def cells(self, *names: str) -> None:
        """Go to cells; keys go there by arrows from the cell that Tab reaches."""
        for name in names:
            if self.hand == "mouse":
                self.click(name)
            elif self.hand == "touch":
                self.page.touchscreen.tap(*self.middle(name))
            else:
                stop = self.page.locator("[data-cell][tabindex='0']")
                stop.focus()
                start = stop.get_attribute("data-cell")
                for steps, keys in (
                    (ord(name[0]) - ord(start[0]), ("ArrowLeft", "ArrowRight")),
                    (int(name[1:]) - int(start[1:]), ("ArrowDown", "ArrowUp")),
                ):
                    for _ in range(abs(steps)):
                        self.page.keyboard.press(keys[steps > 0])
                self.page.keyboard.press("Enter")


class Journey:
    """The verbs of the scripts.

    Attributes:
        traveller: who travels; another page after `follow`.
    """

    def __init__(self, traveller: Traveller) -> None:
        self.traveller = traveller

    @property
    def page(self) -> Any:
        """The page that is open."""
        return self.traveller.page

    def press(self, selector: str) -> None:
        """Press a button."""
        self.traveller.press(selector)

    tick = press

    def open(self, part: str) -> None:
        """Go to a part of the page."""
        self.traveller.open(part)

    def cells(self, names: str) -> None:
        """Go to cells."""
        self.traveller.cells(*names.split())

    def says(self, text: str) -> None:
        """Wait until the status contains a text."""
        self.traveller.verdict(text)

    def shows(self, selector: str) -> None:
        """Wait until an element is visible."""
        playwright.expect(self.page.locator(selector).first).to_be_visible()

    def hides(self, selector: str) -> None:
        """Wait until an element is hidden."""
        playwright.expect(self.page.locator(selector)).to_be_hidden()

    def text(self, words: str) -> None:
        """Wait until an element has the text of a code in the language of the page."""
        selector, code = words.split()
        texts = catalogue(self.page.evaluate("document.documentElement.lang"))
        playwright.expect(self.page.locator(selector)).to_have_text(texts[code])

    def word(self, words: str) -> None:
        """Wait until the label of a cell is its name and a word."""
        name, comma, rest = words.partition(",")
        self.traveller.is_word(name, comma + rest)

    def walk(self, names: str) -> None:
        """Wait until the cells have these steps, and no others."""
        wanted = names.split()
        for step, name in enumerate(wanted, 1):
            playwright.expect(self.page.locator(f"[data-cell='{name}']")).to_have_attribute(
                "aria-label", re.compile(f"{name}, step {step}\\b")
            )
        assert self.traveller.tour() == wanted

    def steps(self, count: str) -> None:
        """Wait until the player is at a step."""
        playwright.expect(self.page.locator("#step-words")).to_have_text(re.compile(rf"^{count} /"))
        assert len(self.traveller.tour()) == int(count)

    def tour(self, _: str) -> None:
        """The tour on the board is one of the question in the address."""
        question, _closed = read_statement(self.traveller.mark())
        names = self.traveller.tour()
        ends = (question.start, question.end)
        assert cavalcade.check(names, question.board, open=not question.closed)
        assert all(end is None or question.board.name(end) in {names[0], names[-1]} for end in ends)

    def solve(self, _: str) -> None:
        """Walk the only tour that has the numbers of the puzzle in the address."""
        question, _tour = link.read(self.page.url)
        puzzle = cavalcade.Puzzle(question.board, tuple(question.given.items()), question.closed)
        (solution,) = cavalcade.solve(puzzle).tours
        self.traveller.cells(*solution.names[1:])  # the puzzle gives its first step

    def type(self, words: str) -> None:
        """Fill a field and press Enter."""
        selector, text = words.rsplit(" = ", 1)
        field = self.page.locator(selector)
        field.fill(text)
        field.press("Enter")

    def pick(self, words: str) -> None:
        """Choose an option."""
        selector, value = words.rsplit(" = ", 1)
        self.page.locator(selector).select_option(value)

    def file(self, words: str) -> None:
        """Save a file and read it."""
        selector, form = words.rsplit(" ", 1)
        with self.page.expect_download() as waiting:
            self.press(selector)
        path = Path(waiting.value.path())
        data = path.read_bytes()
        if form == "text":
            assert parse(data.decode()).names == self.traveller.tour()
        elif form == "board":
            assert data.decode().count(".") == 36
        elif form == "svg":
            count = (
                "(text) => new DOMParser().parseFromString(text, 'image/svg+xml')"
                ".querySelectorAll('path').length"
            )
            assert self.page.evaluate(count, data.decode()) > 20
        elif form == "certificate":
            assert cavalcade.verify(cavalcade.read_certificate(path))
        else:
            assert data.startswith(SIGNATURES[form])

    def printed(self, moves: str) -> None:
        """The printed page paints at least so many lines in colours."""
        streams = re.findall(rb"stream\r?\n(.*?)endstream", self.page.pdf(), re.DOTALL)
        painted = io.BytesIO()
        for stream in streams:
            with suppress(zlib.error):
                painted.write(zlib.decompressobj().decompress(stream))
        colours = re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) RG", painted.getvalue())
        assert len({colour for colour in colours if len(set(colour)) > 1}) >= int(moves)

    def reload(self, _: str) -> None:
        """Reload the page."""
        self.page.reload()
        self.page.wait_for_selector("[data-ready]")

    def follow(self, selector: str) -> None:
        """Copy a link and open it in another page."""
        self.page.evaluate("() => navigator.clipboard.writeText('')")
        self.press(selector)
        self.page.wait_for_function("async () => (await navigator.clipboard.readText()).includes('#')")
        copied = self.page.evaluate("() => navigator.clipboard.readText()")
        address, _, mark = copied.partition("#")
        self.traveller = Traveller(self.page.context, address, f"#{mark}", self.traveller.hand)


@cache
def context(chromium: Any, screen: Screen, *, offline: bool) -> Any:
    """Return the context of a screen, which its journeys share."""
    width, height = SIZES[screen.size]
    made = chromium.new_context(
        viewport={"width": width, "height": height}, color_scheme=screen.scheme, has_touch=screen.touch,
        reduced_motion=screen.motion, locale=screen.locale, offline=offline, accept_downloads=True,
        bypass_csp=True,  # axe is a script of the test
    )  # fmt: skip
    made.grant_permissions(["clipboard-read", "clipboard-write"])
    return made


@pytest.fixture
def travel(chromium: Any, request: pytest.FixtureRequest) -> Any:
    """Return a function that makes a journey, and whose end is that of its pages."""
    opened: list[Any] = []

    def made(name: str, size: str, scheme: str, hand: str) -> Journey:
        served = name in SERVED
        screen = Screen(size, scheme, hand == "touch", LOCALES.get(name, "en-GB"))
        if name == "motion":
            screen = screen._replace(motion="no-preference")
        if served:
            studio = request.getfixturevalue("studio")
            address = f"{studio.address}?token={studio.token}"
        else:
            address = f"{request.getfixturevalue('folder').as_uri()}/index.html"
        shared = context(chromium, screen, offline=not served)
        opened.append(shared)
        mark, script = SCRIPTS[name]
        if name == "daily":
            shared.clock.set_fixed_time(DAY)
        journey = Journey(Traveller(shared, address, mark, hand))
        faults = journey.traveller.faults
        for line in filter(None, map(str.strip, script.splitlines())):
            verb, _, argument = line.partition(" ")
            getattr(journey, verb)(argument)
            assert (line, journey.page.evaluate(STATUS)) == (line, [])
        assert faults == []
        return journey

    yield made
    for shared in opened:
        for page in shared.pages[1:]:
            page.close()
        for page in shared.pages:
            page.evaluate("() => localStorage.clear()")
            page.close()


@pytest.mark.parametrize(("name", "size", "scheme", "hand"), journeys(quick=True))
def test_a_journey_on_a_phone(travel: Any, name: str, size: str, scheme: str, hand: str) -> None:
    travel(name, size, scheme, hand)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "size", "scheme", "hand"), journeys(quick=False))
def test_a_journey_has_no_fault(travel: Any, name: str, size: str, scheme: str, hand: str) -> None:
    """The journey, and no violation of any rule of axe where it ends."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    violations = axe.run(travel(name, size, scheme, hand).page).response["violations"]
    assert [(rule["id"], [node["html"][:120] for node in rule["nodes"][:3]]) for rule in violations] == []


def test_the_journeys_are_sixty() -> None:
    """Every script has a combination, and every size has both schemes and a hand without a mouse."""
    rows = [row.split() for line in COMBINATIONS.values() for row in line.split(", ")]
    assert COMBINATIONS.keys() == SCRIPTS.keys()
    assert len(rows) >= 60
    assert {(size, scheme) for size, scheme, _ in rows} == {(a, b) for a in SIZES for b in ("light", "dark")}
    assert {hand for _, _, hand in rows} == {"mouse", "touch", "keys"}
