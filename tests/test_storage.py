"""The storage layer: who writes, what is locked, and what remains of a process that is killed."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import cavalcade as cv
from cavalcade.checking.arrays import check_array
from cavalcade.formats import npy
from cavalcade.ground import storage
from cavalcade.ground.arrays import ArrayOnDisk
from cavalcade.ground.errors import FormatError
from conftest import one_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conftest import Ran

SOURCE = Path(cv.__file__).parent
# Calls that open a file for writing, rename, remove, lock or map one, or make a temporary one.
WRITERS = {
    "write_text", "write_bytes", "touch", "symlink_to", "hardlink_to", "unlink", "rename", "mkstemp",
    "mkdtemp", "NamedTemporaryFile", "TemporaryFile", "TemporaryDirectory", "SpooledTemporaryFile", "flock",
    "lockf", "save", "savetxt", "savez_compressed", "tofile", "open_memmap", "copyfile", "copytree", "copy2",
    "rmtree", "truncate",
}  # fmt: skip
# Owners of functions called `save` that write no file themselves: they call the storage layer, or write to
# memory. The last is numba, which writes its cache.
SAVERS = {"formats", "cavalcade", "tour", "flat[0]", "answered_survey", "new", ""}


def calls(module: Path) -> Iterator[tuple[ast.Call, str, str]]:
    """Calls in a module: the call, the name of the function, and what it is an attribute of."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            function = node.func
            name = getattr(function, "attr", getattr(function, "id", ""))
            owner = ast.unparse(function.value) if isinstance(function, ast.Attribute) else ""
            yield node, name, owner


def writes(call: ast.Call, name: str, owner: str) -> bool:
    """Whether a call may write a file."""
    words = [argument.value for argument in ast.walk(call) if isinstance(argument, ast.Constant)]
    arguments = ast.unparse(call)
    if name == "open" and owner == "os":
        return "O_RDONLY" not in arguments and "os.devnull" not in arguments
    if name in {"open", "fdopen"} and owner not in {"self._file", "webbrowser"}:
        descriptor = name == "fdopen"  # of a stream that is already open
        modes = [word for word in words if isinstance(word, str) and set(word) <= set("rwxabt+")]
        return not descriptor and any(set(mode) & set("wxa+") for mode in modes)
    if name in {"replace", "remove"} and owner == "os":
        return True
    return name in WRITERS and not (name == "save" and owner in SAVERS)


def test_nothing_else_writes_files() -> None:
    found = [
        f"{module.relative_to(SOURCE)}:{call.lineno}: {ast.unparse(call)[:80]}"
        for module in sorted(SOURCE.rglob("*.py"))
        if module not in {SOURCE / "ground/storage.py", SOURCE / "ground/system.py"}  # the latter has `lock`
        for call, name, owner in calls(module)
        if writes(call, name, owner)
    ]
    assert found == []
    assert any(writes(*call) for call in calls(SOURCE / "ground/storage.py"))
    for text in ("open('a', 'w')", "Path('a').open(mode='xb')", "p.write_text('a')", "os.replace(a, b)"):
        (call,) = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and (
            ast.unparse(node) == text))  # fmt: skip
        function = call.func
        name = getattr(function, "attr", getattr(function, "id", ""))
        assert writes(call, name, ast.unparse(function.value) if isinstance(function, ast.Attribute) else "")


# ---- temporary files


def test_strangers_and_links_are_left_alone(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    stranger = tmp_path / "ck.part"
    stranger.write_text("precious")
    assert cli("count", "5x6", "--checkpoint", tmp_path / "ck").out == "8\n"
    assert cli("count", "5x6", "--receipt", tmp_path / "ck").out == "8\n"
    assert stranger.read_text() == "precious"
    # A link of a temporary name is neither followed nor replaced, even if the name is guessed.
    other = tmp_path / "other"
    other.write_text("precious")
    link = tmp_path / "t.txt.cavalcade-0000000000000000.part"
    link.symlink_to(other)
    storage._swept.discard(str(tmp_path))  # noqa: SLF001
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "urandom", bytes)
        with pytest.raises(FormatError, match="File exists"):
            storage.write_file(tmp_path / "t.txt", "text")
    assert (other.read_text(), link.is_symlink(), (tmp_path / "t.txt").exists()) == ("precious", True, False)


def test_a_link_of_the_target_is_written_through(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    storage.write_file(link, "new")
    assert (target.read_text(), link.is_symlink(), target.stat().st_mode & 0o777) == ("new", True, 0o640)
    storage.write_file(target, "secret", private=True)
    assert target.stat().st_mode & 0o777 == 0o600


def test_a_signal_just_after_the_file_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = os.open

    def interrupted(path: Path, flags: int, mode: int = 0o777) -> int:
        file = opened(path, flags, mode)
        if flags & os.O_CREAT:
            os.close(file)
            raise KeyboardInterrupt
        return file

    monkeypatch.setattr(os, "open", interrupted)
    with pytest.raises(KeyboardInterrupt):
        storage.write_file(tmp_path / "tour.txt", "1 2 3")
    assert not list(tmp_path.iterdir())


def test_leftovers_of_dead_processes_are_removed(tmp_path: Path) -> None:
    """Leftovers of the dead go, files of the living and of strangers stay."""
    dead = tmp_path / "a.cavalcade-0123456789abcdef.part"
    dead.write_bytes(b"half")
    folder = tmp_path / "cavalcade-0123456789abcdef.part"
    folder.mkdir()
    (folder / "proof").write_text("half")
    strangers = [
        tmp_path / name for name in ("a.part", "a.123.part", "cavalcade-0123.part", "a.cavalcade-xyz.part")
    ]
    for stranger in strangers:
        stranger.write_text("precious")
    storage._swept.discard(str(tmp_path))  # noqa: SLF001
    with storage.new_file(tmp_path / "alive") as file:
        (living,) = tmp_path.glob("alive.*")
        assert not dead.exists()
        assert not folder.exists()
        storage._swept.discard(str(tmp_path))  # noqa: SLF001
        storage.write_file(tmp_path / "b", "text")
        assert living.exists()
        file.write(b"whole")
    assert sorted(tmp_path.iterdir()) == sorted([*strangers, tmp_path / "alive", tmp_path / "b"])


def test_a_full_disk_is_named(
    tmp_path: Path, cli: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 100}))
    ran = cli("tour", "40x40", "-o", tmp_path / "t.npy")
    assert "its disk has 0 MB free" in ran.err
    assert "--memory" not in ran.err
    monkeypatch.undo()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    one_error(cli("tour", "5x6", "-o", tmp_path / "t.txt"), "No space left on device; make room on this disk")
    assert list(tmp_path.iterdir()) == []


# ---- locks


def test_two_processes_on_one_checkpoint(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    file = tmp_path / "ck"
    script = (
        "import sys, cavalcade as cv\n"
        "def wait(p):\n    print('counting', flush=True)\n    sys.stdin.read()\n"
        f"print(cv.count('5x6', checkpoint={str(file)!r}, progress=wait).count)"
    )
    first = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert first.stdin
    assert first.stdout
    assert first.stdout.readline() == "counting\n"
    one_error(cli("count", "5x6", "--checkpoint", file), "another process is using")
    out, _ = first.communicate()
    assert out.endswith("8\n")
    assert cli("count", "5x6", "--checkpoint", file).out == "8\n"
    assert list(tmp_path.iterdir()) == []


# ---- arrays that shrink


def test_an_array_that_shrinks_is_an_error(tmp_path: Path) -> None:
    """The file is cut after the check began: with a memory map the process would die of SIGBUS."""
    path = tmp_path / "t.npy"
    found = cv.tour("40x40")
    assert isinstance(found, cv.Found)
    cv.save(found.tour, path)
    array = npy.array_on_disk(path)
    assert check_array(array, "40x40")
    os.truncate(path, 1000)
    with pytest.raises(FormatError, match="became shorter while it was read"):
        check_array(array, "40x40")
    with pytest.raises(FormatError, match=r"is not a whole \.npy file"):
        cv.read_tour(path)


@pytest.mark.parametrize("order", ["C", "F"])
def test_blocks_of_an_array(order: str, tmp_path: Path) -> None:
    array = np.asarray(np.arange(7 * 5 * 6 * 4).reshape(7, 5, 6, 4), order=order)  # type: ignore[call-overload]
    np.save(tmp_path / "a.npy", array)
    disk = npy.array_on_disk(tmp_path / "a.npy")
    chance = np.random.default_rng(0)
    assert (disk.shape, disk.dtype, disk.size) == (array.shape, array.dtype, array.size)
    assert (disk.whole() == array).all()
    for _ in range(200):
        box = tuple(
            slice(*sorted(chance.integers(0, side + 3, 2).tolist())) if chance.random() < 0.8 else int(
                chance.integers(side))
            for side in array.shape
        )  # fmt: skip
        assert np.array_equal(disk[box], array[box])
    assert isinstance(disk, ArrayOnDisk)


def test_steps_of_a_tour_in_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every tile needs its neighbours; an error is found wherever it is."""
    monkeypatch.setattr("cavalcade.checking.arrays.TILE", 50)
    for spec in ("12x13", "4x5x6", "hex:5"):
        found = cv.tour(spec)
        assert isinstance(found, cv.Found)
        path = tmp_path / "t.npy"
        cv.save(found.tour, path)
        assert check_array(npy.array_on_disk(path), spec)
        steps = np.array(npy.open_array(path))
        for shift in (-1, 1, 7):  # each number but the largest has the next number a move away
            np.save(path, np.where(steps > 0, steps + shift, 0))
            assert not check_array(npy.array_on_disk(path), spec)
        a, b = (np.unravel_index(i, steps.shape) for i in np.flatnonzero(steps)[[3, 40]])
        steps[a], steps[b] = steps[b], steps[a]
        np.save(path, steps)
        assert not check_array(npy.array_on_disk(path), spec)
