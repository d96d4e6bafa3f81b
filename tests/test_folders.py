"""Folders that other users can write: numba unpickles its cache, so none of them holds it."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cavalcade.ground import kernels
from cavalcade.ground.folders import is_private

NOBODY = 65534
KERNEL = "from cavalcade.ground.kernels import compiled, next_random; print(compiled(next_random)(5))"


def test_who_can_write_to_a_folder(tmp_path: Path) -> None:
    outer, inner = tmp_path / "outer", tmp_path / "outer" / "inner"
    inner.mkdir(parents=True)
    link = tmp_path / "link"
    link.symlink_to(inner)

    def private(outer_mode: int, inner_mode: int) -> bool:
        outer.chmod(outer_mode)
        inner.chmod(inner_mode)
        is_private.cache_clear()
        assert is_private(link) == is_private(inner)
        return is_private(inner)

    assert private(0o755, 0o755)
    assert private(0o700, 0o500)
    assert not private(0o755, 0o777)
    assert not private(0o755, 0o1777), "others can add files to a sticky folder"
    assert not private(0o777, 0o700), "others can replace the inner folder"
    assert private(0o1777, 0o700), "others cannot replace it in a sticky folder such as /tmp"
    missing = inner / "made later" / "cache"
    assert is_private(missing)
    inner.chmod(0o1777)
    is_private.cache_clear()
    assert not is_private(missing), "others can make it first"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_folders_of_others(tmp_path: Path) -> None:
    for folder in (mine := tmp_path / "mine", theirs := tmp_path / "theirs", grouped := tmp_path / "grouped"):
        folder.mkdir()
    os.chown(theirs, NOBODY, -1)
    os.chown(grouped, -1, NOBODY)
    for folder in (mine, grouped):
        folder.chmod(0o775)
    assert [is_private(folder) for folder in (mine, theirs, theirs / "new", grouped)] == [
        True,
        False,
        False,
        False,
    ]


def test_the_first_private_folder_is_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder that is configured, or numba's own choice, or a folder for temporary files, or none."""
    configured, own, temporary = (tmp_path / name for name in ("configured", "own", "temporary"))
    config, none = SimpleNamespace(CACHE_DIR=str(configured)), SimpleNamespace(cache_path=None)
    numba: Any = SimpleNamespace(
        config=config, core=SimpleNamespace(caching=SimpleNamespace(NullCache=lambda: none))
    )
    monkeypatch.setattr(kernels, "_refused", [])
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    function: Any = SimpleNamespace()

    def enable() -> None:
        place = str(Path(config.CACHE_DIR or own) / "kernels_1")
        function._cache = SimpleNamespace(cache_path=place)  # noqa: SLF001

    function.enable_caching = enable
    chosen = []
    for folder in (configured, own, temporary):
        folder.mkdir()
    for opened in (None, configured, own, temporary):
        if opened is not None:
            opened.chmod(0o777)
        is_private.cache_clear()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            kernels._enable_cache(numba, function)  # noqa: SLF001
        chosen.append((function._cache.cache_path, len(caught)))  # noqa: SLF001
        assert str(configured) == config.CACHE_DIR, "numba's setting is that of the host program"
    private = temporary / f"cavalcade-{os.geteuid()}" / "kernels_1"
    assert chosen == [
        (str(configured / "kernels_1"), 0), (str(own / "kernels_1"), 1), (str(private), 0), (None, 0)
    ]  # fmt: skip


def test_an_installed_package_keeps_compiled_code_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cache beside the modules would outlive them, as an empty package: pip removes only its files."""
    config = SimpleNamespace(CACHE_DIR="")
    function: Any = SimpleNamespace()

    def enable() -> None:
        function._cache = SimpleNamespace(cache_path=config.CACHE_DIR or "beside the module")  # noqa: SLF001

    function.enable_caching = enable
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kernels._enable_cache(SimpleNamespace(config=config), function)  # noqa: SLF001
    assert function._cache.cache_path == "beside the module"  # noqa: SLF001
    monkeypatch.setattr(kernels, "__file__", "/x/site-packages/cavalcade/ground/kernels.py")
    kernels._enable_cache(SimpleNamespace(config=config), function)  # noqa: SLF001
    assert function._cache.cache_path.endswith("cavalcade")  # noqa: SLF001
    assert not config.CACHE_DIR


def run(cache: Path, temporary: Path) -> tuple[str, str, list[str]]:
    """Compile a kernel; return the output, the warning and the names in the folder of the cache."""
    settings = os.environ | {"NUMBA_CACHE_DIR": str(cache), "TMPDIR": str(temporary)}
    done = subprocess.run(
        [sys.executable, "-c", KERNEL], env=settings, capture_output=True, text=True, check=True
    )
    return done.stdout, done.stderr, [path.name for path in cache.rglob("*.nbc")]


@pytest.mark.slow
def test_a_cache_that_others_can_write_is_not_used(tmp_path: Path) -> None:
    cache, temporary = tmp_path / "cache", tmp_path / "temporary"
    for folder in (cache, temporary):
        folder.mkdir()
    assert run(cache, temporary)[:2] == ("241355\n", "")
    assert [*cache.rglob("*.nbc")], "a private folder is used"
    for path in cache.rglob("*"):
        path.chmod(0o777)
    before = {path: path.stat().st_mtime_ns for path in cache.rglob("*")}
    out, errors, _ = run(cache, temporary)
    assert out == "241355\n"
    assert f"other users can write to {cache}" in errors
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*")} == before
