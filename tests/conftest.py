"""Shared fixtures and hooks: the command line in this process, Chromium, the site, coverage of the checker.

With `--measure-checker` the tests of `CHECKER` record which lines of `cavalcade.checking` they reach. Each
pytest-xdist worker writes one data file, for `coverage combine`. The rest of the suite runs at full speed.
"""

from __future__ import annotations

import fcntl
import gc
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import core, settings

from cavalcade.cli import main
from cavalcade.ground.kernels import COMPILE_FROM, Tier
from cavalcade.ground.system import cores
from quick import is_quick

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from running import Studio

settings.register_profile("untimed", deadline=None)  # no test asserts a time
settings.load_profile("untimed")

# Shells start background jobs with SIGINT ignored, and tests of Ctrl-C need it.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parent.parent
#: Test files that together reach every line of the checker.
CHECKER = (
    "test_best", "test_claims", "test_coils", "test_complete", "test_constraint_proofs", "test_directed",
    "test_local", "test_many", "test_proofs", "test_public_formats", "test_receipts", "test_tours",
    "test_tsp", "test_uncrossed",
)  # fmt: skip

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run")
QUIET = ("--disable-background-networking",)
# Features of Chromium that are off. A new page opens a window, and the first three load two pages for its
# address bar: half of the time of the page. Playwright turns the others off, too, but Chromium reads only the
# last list.
FEATURES_OFF = (
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
    "AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay",
    "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)  # fmt: skip


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--measure-checker", action="store_true", help="record the lines of the checker")
    parser.addoption("--without-quick", action="store_true", help="deselect the tests of `make quick`")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--measure-checker"):
        config.pluginmanager.register(CheckerCoverage(), "checker-coverage")
    os.environ.pop("COLUMNS", None)  # text would be wrapped to it
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # commands must not inherit that nohup ignores it


def tier_by_work(work: float, *, compiled: bool | None = None) -> Tier:
    """Return the tier that `Tier` chooses in a process that has not compiled anything yet."""
    return Tier(work, compiled=work >= COMPILE_FROM if compiled is None else compiled)


class CheckerCoverage:
    """Measure the lines of the checker during the tests of `CHECKER`.

    These tests draw the same examples in every run, so that the measured lines do not depend on chance. The
    tier of a kernel of the checker depends on its work alone, because coverage sees no line of a compiled
    kernel: otherwise the measured lines would depend on the tests that the worker ran before.
    """

    def __init__(self) -> None:
        from coverage import Coverage

        self.coverage = Coverage(data_suffix=True)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Trace a test if it belongs to `CHECKER`."""
        if item.path.stem not in CHECKER:
            return (yield)
        seed, core.global_force_seed = core.global_force_seed, 0  # type: ignore[assignment]
        self.coverage.start()
        try:
            from cavalcade.checking import arrays, replay  # not earlier: their lines are measured

            with pytest.MonkeyPatch.context() as patch:
                for module in (arrays, replay):
                    patch.setattr(module, "Tier", tier_by_work)
                return (yield)
        finally:
            self.coverage.stop()
            core.global_force_seed = seed

    def pytest_sessionfinish(self) -> None:
        """Write the data file of this process."""
        self.coverage.save()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return one worker more than cores, because some tests wait for other processes."""
    return cores() + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests of the checker, for `pytest -m checker`; deselect the tests of `make quick` if asked."""
    for item in items:
        if item.path.stem in CHECKER:
            item.add_marker("checker")
    if config.getoption("--without-quick"):
        config.hook.pytest_deselected(items=[item for item in items if is_quick(item.nodeid)])
        items[:] = [item for item in items if not is_quick(item.nodeid)]


def pytest_collection_finish() -> None:
    """Exempt the collected tests from garbage collection: they live as long as the process."""
    gc.collect()
    gc.freeze()


class Ran(NamedTuple):
    """Exit code, standard output and standard error of a command."""

    code: int
    out: str
    err: str


def one_error(ran: Ran, *quoted: str, as_json: bool = False) -> None:
    """Assert that a command printed one error line that quotes the input, and nothing else.

    Args:
        ran: what the command printed.
        quoted: parts of the error line.
        as_json: whether standard output has the error as an object.
    """
    assert ran.code == 2
    reason = ran.err.removeprefix("error: ").removesuffix("\n")
    assert (json.loads(ran.out) if as_json else ran.out) == (
        {"status": "error", "reason": reason} if as_json else ""
    )
    assert ran.err.startswith("error: ")
    assert ran.err.count("\n") == 1
    assert ran.err.endswith("\n")
    assert len(ran.err) < 400
    for text in quoted:
        assert text in ran.err


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Return a function that runs the command line in this process."""

    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Ran(code, *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Yield Debian's Chromium, driven by Playwright; skip the tests if either is missing."""
    driven = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is not installed: pip install --group browser"
    )
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: apt install chromium")
    with driven.sync_playwright() as driver:
        off = f"--disable-features={','.join(FEATURES_OFF)}"
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *QUIET, off])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def studio() -> Iterator[Studio]:
    """Yield a running studio, which the tests of a worker share."""
    from running import running  # not earlier: httpx is missing beside a bare wheel

    with running() as started:
        yield started


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, built without a warning by the first worker that needs it."""
    pytest.importorskip("mkdocs", reason="MkDocs is not installed: pip install --group site")
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent  # each worker has a folder of its own in it
    folder = shared / "site"
    with (shared / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            partial = shared / "site.partial"
            done = subprocess.run(
                [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", partial],
                cwd=ROOT,
                env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
            partial.rename(folder)
    return folder


@pytest.fixture(scope="session")
def folder(site: Path) -> Path:
    """Return the folder of the page without a server."""
    return site / "play"
