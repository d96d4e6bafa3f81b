"""How fast the studio's page is: `benchmarks/page.py [--slower 6] [--repeat 5] [--only …] [--address …]`.

Chromium divides the speed of the processor by `--slower`. Each measure is the best of the repetitions:
other work on the machine only adds time. Processor times are those of the main thread of the page.
`--address` opens a page that runs already, or one in a folder.

- `opening`: the first paint, that of an empty page, and the second frame in which the first tour moves;
- `playing`: frames per second while a tour of 8x8 is played;
- `panning`: the longest task and the longest gap between frames while a tour of 1000x1000 is dragged.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from collections.abc import Callable

PLAIN = "data:text/html,<!doctype html><p>plain"
PLAYED = 3_000  # milliseconds for which frames are counted
PANNED = 40  # frames
POLLED = 100  # milliseconds between two looks at whether the tour moves
PATIENCE = 120_000  # milliseconds that a slow page may take
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"
WATCH = """(() => {
    window.moved = [];
    window.tasks = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((task) => task.duration)))
        .observe({ type: 'longtask', buffered: true });
    let before = '';
    const look = () => {
        const knight = document.getElementById('knight');
        const place = knight && !knight.hasAttribute('hidden') ? knight.style.cssText : '';
        if (place && place !== before) moved.push(performance.now());
        before = place;
        if (moved.length < 2) requestAnimationFrame(look);
    };
    look();
})()"""
FRAMES = """(milliseconds) => new Promise((resolve) => {
    const times = [];
    const look = (now) => {
        times.push(now);
        if (now - times[0] < milliseconds) requestAnimationFrame(look);
        else resolve(times);
    };
    requestAnimationFrame(look);
})"""
PAN = """async (steps) => {
    const frame = document.getElementById('frame');
    let [before, gap] = [performance.now(), 0];
    tasks.length = 0;
    for (let k = 0; k < steps; k++) {
        frame.scrollLeft += 40;
        frame.scrollTop += 25;
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        [gap, before] = [Math.max(gap, now - before), now];
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { task: Math.max(0, ...tasks), gap };
}"""


class Slowed:
    """Pages of a browser whose processor is slowed down."""

    def __init__(self, browser: Any, address: str, slower: float) -> None:
        self.browser, self.address, self.slower = browser, address, slower

    def plain(self) -> dict[str, float]:
        """Return the first paint of an empty page."""
        with closing(self.browser.new_context()) as context:
            page = context.new_page()
            session = context.new_cdp_session(page)
            slow(session, self.slower)
            page.goto(PLAIN)
            while not value(session, "performance.getEntriesByName('first-contentful-paint').length"):
                page.wait_for_timeout(POLLED)
            return {"first paint of an empty page, ms": value(session, f"({PAINT})()")}

    def measure(self, mark: str, measured: Callable[[Any, Any, float], dict[str, float]]) -> dict[str, float]:
        """Open a page with nothing in the cache and return what is measured there."""
        with closing(self.browser.new_context(viewport={"width": 1280, "height": 900})) as context:
            page = context.new_page()
            page.set_default_timeout(PATIENCE)
            session = context.new_cdp_session(page)
            session.send("Performance.enable")
            slow(session, self.slower)
            page.add_init_script(WATCH)
            page.goto(self.address + mark, wait_until="commit")
            return measured(page, session, self.slower)


def slow(session: Any, factor: float) -> None:
    """Divide the speed of the processor."""
    session.send("Emulation.setCPUThrottlingRate", {"rate": factor})


def processor(session: Any) -> float:
    """Return the processor time of the main thread, in milliseconds."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(1000 * float(metric["value"]) for metric in metrics if metric["name"] == "ThreadTime")


def value(session: Any, expression: str) -> Any:
    """Evaluate an expression without Playwright's own script, which would run while the page opens."""
    answer = session.send("Runtime.evaluate", {"expression": expression, "returnByValue": True})
    return answer["result"].get("value")


def opening(page: Any, session: Any, _: float) -> dict[str, float]:
    """Measure the first paint and the first moves of the first tour."""
    while not value(session, "moved.length > 1"):
        page.wait_for_timeout(POLLED)
    spent = processor(session)
    return {
        "first paint, ms": value(session, f"({PAINT})()"),
        "tour moves, ms": value(session, "moved[1]"),
        "longest task while it opens, ms": value(session, "Math.max(0, ...tasks)"),
        "processor time until it moves, ms": spent,
    }


def playing(page: Any, session: Any, _: float) -> dict[str, float]:
    """Measure the frames while a tour of 8x8 is played."""
    page.wait_for_selector("[data-ready]")
    page.click("#ask-tour")
    page.wait_for_selector("#play[data-icon=pause]")
    before = processor(session)
    times = page.evaluate(FRAMES, PLAYED)
    spent, frames = processor(session) - before, len(times) - 1
    rate = 1000 * frames / (times[-1] - times[0])
    return {"frames per second": -rate, "processor time per frame, ms": spent / frames}


def panning(page: Any, session: Any, slower: float) -> dict[str, float]:
    """Measure the longest stall while a tour of 1000x1000 is panned, with cells of 5 and of 40 pixels."""
    slow(session, 1)  # opening and searching are not measured here
    page.wait_for_selector("[data-ready]")
    page.click("#ask-tour")
    page.wait_for_selector("#verdict[data-kind=found]")
    page.click("#last")
    stalls = {}
    for pixels in (5, 40):
        while page.evaluate("() => document.getElementById('board').clientWidth") < 1000 * pixels:
            page.click("#zoom-in")
        page.wait_for_timeout(500)
        slow(session, slower)
        before = processor(session)
        pan = page.evaluate(PAN, PANNED)
        stalls[f"processor time per frame at {pixels} px, ms"] = (processor(session) - before) / PANNED
        stalls[f"longest task at {pixels} px, ms"] = pan["task"]
        stalls[f"longest gap at {pixels} px, ms"] = pan["gap"]
        slow(session, 1)
    return stalls


def report(rounds: list[dict[str, float]]) -> None:
    """Print the best of the repetitions of each measure; the larger is better if it is negative."""
    for name in rounds[0]:
        best = abs(min(row[name] for row in rounds))
        print(f"{name}: {best:,.1f}  ({', '.join(f'{abs(row[name]):,.0f}' for row in rounds)})", flush=True)


def main() -> None:
    """Measure one page."""
    marks = {opening: "", playing: "#board=8x8", panning: "#board=1000x1000"}
    parser = argparse.ArgumentParser(description="How fast the studio's page is.")
    parser.add_argument("--slower", type=float, default=6)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--only", choices=[measured.__name__ for measured in marks])
    parser.add_argument("--address")
    chosen = parser.parse_args()
    command = [sys.executable, "-m", "cavalcade", "studio", "--no-browser"]
    with sync_playwright() as driver, subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as studio:
        address = re.search(r"http://\S+", studio.stderr.readline() if studio.stderr else "")
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        slowed = Slowed(browser, chosen.address or (address[0] if address else ""), chosen.slower)
        for measured, mark in marks.items():
            if chosen.only in {None, measured.__name__}:
                if measured is opening:
                    report([slowed.plain() for _ in range(chosen.repeat)])
                report([slowed.measure(mark, measured) for _ in range(chosen.repeat)])
        print(f"load average: {os.getloadavg()[0]:.1f}")
        browser.close()
        studio.terminate()


if __name__ == "__main__":
    main()
