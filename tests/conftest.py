"""What the tests share: the command line, run in this process, a Ctrl-C that is heard, and Chromium."""

from __future__ import annotations

import gc
import shutil
import signal
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import settings

from cavalcade.cli import main
from cavalcade.ground.threads import cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

settings.register_profile("untimed", deadline=None)  # no test asserts a time
settings.load_profile("untimed")

# tests in the background begin with it ignored
signal.signal(signal.SIGINT, signal.default_int_handler)

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run")
QUIET = ("--disable-background-networking",)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than cores: some tests wait for other processes."""
    return cores() + 1


def pytest_collection_finish() -> None:
    """What is there stays: the garbage collector need not look at thousands of tests again and again."""
    gc.collect()
    gc.freeze()


class Ran(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str


def one_error(ran: Ran, *quoted: str) -> None:
    """Bad input: one line on standard error that quotes what was given, nothing else, no traceback."""
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("error: ")
    assert ran.err.count("\n") == 1
    assert ran.err.endswith("\n")
    assert len(ran.err) < 400
    for text in quoted:
        assert text in ran.err


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run the command line in this process."""

    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Ran(code, *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Debian's Chromium, driven by Playwright; where one is missing the tests say so and are skipped."""
    driven = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is not installed: pip install 'cavalcade[browser]'"
    )
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: apt install chromium")
    with driven.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *QUIET])
        yield browser
        browser.close()
