"""Damaged and forged files: no wrong number is called right, nothing crashes, no internal error."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cavalcade as cv
from cavalcade.answers.receipts import sealed
from cavalcade.cli import main
from cavalcade.counting import checkpoints
from cavalcade.ground.errors import FormatError
from cavalcade.states.patterns import Patterns
from cavalcade.surveys import sharding, verifying
from conftest import one_error
from sealing import reseal_checkpoint, reseal_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Ran

TOURS = 9862  # closed tours of 6x6


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One right file or directory of each kind."""
    folder = tmp_path_factory.mktemp("originals")
    cv.count_in_shards("6x6", folder / "shards", 8)
    cv.count_in_shards("6x6", folder / "four", 4)
    cv.count_in_shards("6x6", folder / "other", 8, with_=["a1-b3", "c3-e4"])
    cv.count("5x6", receipt=folder / "receipt.json")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoints, "SAVE_EVERY", 0.0)

        def stop(progress: Any) -> None:
            if progress.taken == 18:
                raise KeyboardInterrupt

        with suppress(KeyboardInterrupt):
            cv.count("5x6", checkpoint=folder / "checkpoint", progress=stop)
    cv.count_in_shards("5x6", folder / "small", 3)
    cv.survey("3x{n} for n in 3..5", folder / "survey", verb="prove", keep=True, workers=1)
    cv.survey("{m}x{n} for m in 3..4, n in m..6", folder / "counts", verb="count", workers=1, batch=4)
    return folder


def copied(originals: Path, name: str, tmp_path: Path) -> Path:
    """Return a fresh copy of an original."""
    target = tmp_path / name
    if (originals / name).is_dir():
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(originals / name, target)
    else:
        shutil.copy(originals / name, target)
    return target


# ---- the table of damaged shards


def edited(old: str, new: str) -> Callable[[Path, Path], None]:
    def edit(rows: Path, _: Path) -> None:
        path = rows / "000003.csv"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    return edit


def rows_of_another(rows: Path, originals: Path) -> None:
    for number in range(4, 8):
        shutil.copy(originals / f"other/rows/{number:06}.csv", rows)


def cut(length: int) -> Callable[[Path, Path], None]:
    def shorten(rows: Path, _: Path) -> None:
        path = rows / "000003.csv"
        path.write_bytes(path.read_bytes()[:length])

    return shorten


def titles_only(rows: Path, _: Path) -> None:
    path = rows / "000003.csv"
    path.write_text(path.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")


DAMAGES: dict[str, Callable[[Path, Path], Any]] = {
    "an extra file": lambda rows, _: shutil.copy(rows / "000002.csv", rows / "000008.csv"),
    "the same number again": lambda rows, _: shutil.copy(rows / "000002.csv", rows / "0000002.csv"),
    "a number edited": edited(",834,", ",1834,"),
    "a number edited by much": edited(",834,", ",999834,"),
    "a negative number": edited(",834,", ",-834,"),
    "a shard of another split": lambda rows, originals: shutil.copy(originals / "four/rows/000002.csv", rows),
    "rows of another question": rows_of_another,
    "a row over another": lambda rows, _: shutil.copy(rows / "000002.csv", rows / "000003.csv"),
    "an empty file": cut(0),
    "titles only": titles_only,
    "cut after 60 bytes": cut(60),
    "cut in the row": cut(200),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("forged", [False, True])
def test_damaged_shards(
    damage: str,
    forged: bool,  # noqa: FBT001
    originals: Path,
    tmp_path: Path,
    cli: Callable[..., Ran],
) -> None:
    """Refused by the count, and wrong for `check`, even if the forger seals the rows anew."""
    directory = copied(originals, "shards", tmp_path)
    DAMAGES[damage](directory / "rows", originals)
    if forged:
        try:
            reseal_rows(directory)
        except (cv.CavalcadeError, KeyError, AttributeError):
            pytest.skip("no row to seal")
    ran = cli("check", directory)
    assert ran.code == 1, ran
    assert "000" in ran.out or "add up to" in ran.out
    one_error(cli("count", "6x6", "--shards", "8", "-o", directory), str(directory))


def test_forged_shards_of_a_large_board_are_unchecked(
    originals: Path, tmp_path: Path, cli: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a count of the whole board takes too long, nothing says that the sum is right."""
    monkeypatch.setattr(sharding, "REPEATED", 0)
    monkeypatch.setattr(verifying, "RECOUNTED", 0)
    directory = copied(originals, "shards", tmp_path)
    DAMAGES["a number edited"](directory / "rows", originals)
    reseal_rows(directory)
    ran = cli("count", "6x6", "--shards", "8", "-o", directory)
    assert f"; unchecked: `cavalcade check {directory}` counts again; " in ran.err
    assert json.loads(cli("count", "6x6", "--shards", "8", "-o", directory, "--json").out)[
        "verification"
    ] == ("unchecked")
    ran = cli("check", directory)
    assert (ran.code, ran.out) == (
        4,
        "every shard has its row; not checked: their sum, the board is too large to count again\n",
    )


def test_a_shard_without_a_count_is_missing(originals: Path, tmp_path: Path, cli: Callable[..., Ran]) -> None:
    """A run that a limit has ended is not called a complete count."""
    directory = copied(originals, "shards", tmp_path)
    path = directory / "rows/000003.csv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(",counted,", ",undecided,"), encoding="utf-8")
    reseal_rows(directory)
    ran = cli("check", directory)
    assert (ran.code, "batch 000003, row 1, 6x6: it has no count" in ran.out) == (1, True)


def test_a_damaged_shard_is_counted_again(originals: Path, tmp_path: Path, cli: Callable[..., Ran]) -> None:
    """The advice of the error works."""
    directory = copied(originals, "shards", tmp_path)
    path = directory / "rows/000003.csv"
    path.write_text("nonsense", encoding="utf-8")
    one_error(cli("count", "6x6", "--shards", "8", "-o", directory), "remove this file, and resume")
    path.unlink()
    assert cli("count", "6x6", "--shards", "8", "-o", directory).out == f"{TOURS}\n"
    ran = cli("check", directory)
    assert (ran.code, ran.out) == (
        0,
        "every shard has its row, and a count of the whole board gives their sum\n",
    )


def test_a_shard_without_tours_is_a_count(originals: Path) -> None:
    rows = list(cv.read_survey(originals / "other").rows())
    assert {row["verdict"] for row in rows} == {"counted"}
    assert "0" in {row["count"] for row in rows}
    assert rows[3]["statement"].endswith(", undirected; shard 3 of 8")  # type: ignore[union-attr]


def test_what_was_not_kept_is_not_checked(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    cv.survey("{m}x{n} for m in 3..4, n in m..5", tmp_path / "s", verb="prove", workers=1)
    ran = cli("check", tmp_path / "s", "--json")
    assert (ran.code, json.loads(ran.out)["ok"]) == (4, None)
    assert "0 tours and certificates checked; not checked: 5" in ran.out
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cavalcade.surveys.verifying.RECOUNTED", 10)
        cv.count_in_shards("6x6", tmp_path / "shards", 3)
        ran = cli("check", tmp_path / "shards")
    assert (ran.code, "not checked: their sum, the board is too large" in ran.out) == (4, True)


# ---- damaged checkpoints


def test_damaged_checkpoints(originals: Path, tmp_path: Path, cli: Callable[..., Ran]) -> None:
    """Columns that would crash a kernel, all sealed by the forger, are refused before a kernel sees them."""
    with np.load(originals / "checkpoint") as file:
        keys, starts, shape, data = (file[name] for name in ("keys", "starts", "shape", "data"))
    chance = np.random.default_rng(0)
    far = starts.copy()
    far[-1] = 2**40
    descending = starts.copy()
    descending[1] = starts[2] + 1
    for change in (
        {"starts": far}, {"starts": descending}, {"starts": starts[:-1]}, {"starts": -starts},
        {"shape": shape[:-1]}, {"shape": shape * 0}, {"shape": shape + 256}, {"shape": shape + 9 * 256},
        {"shape": shape.astype(np.int64)}, {"data": np.full_like(data, 255)}, {"data": data[:-1]},
        {"data": np.zeros_like(data)}, {"keys": chance.integers(-(2**62), 2**62, len(keys))},
        {"keys": keys[::-1].copy()}, {"keys": keys | 3}, {"keys": keys[:, None]}, {"taken": 0}, {"taken": 99},
        {"taken": "x"}, {"keys": keys[:0], "starts": starts[:1] * 0, "shape": shape[:0]},
    ):  # fmt: skip
        path = copied(originals, "checkpoint", tmp_path)
        reseal_checkpoint(path, **change)
        ran = cli("count", "5x6", "--checkpoint", path)
        assert ran.code == 2, change
        one_error(ran, "is a damaged checkpoint")
    path = copied(originals, "checkpoint", tmp_path)
    reseal_checkpoint(path)
    assert cli("count", "5x6", "--checkpoint", path).out == "8\n"


def test_states_without_a_matching() -> None:
    """A rank beyond the matchings of its pattern would index beyond the tables."""
    table = Patterns(
        np.array([0b0101]), np.array([0, 2]), np.array([257], np.int16), np.array([1, 5], np.uint8)
    )
    assert checkpoints.fault(table, 2) == ""
    table.data = np.array([2, 5], np.uint8)
    assert "no matching" in checkpoints.fault(table, 2)
    table.keys = np.array([0b0001])
    assert "one end" in checkpoints.fault(table, 2)


# ---- random damage


def damaged(raw: bytes, chance: random.Random) -> bytes:
    """Change a file at random: bytes, digits, lengths, lines."""
    kind, length = chance.randrange(7), len(raw)
    if kind == 0:
        return raw[: chance.randrange(length)]
    if kind == 1 or not length:
        return raw + chance.randbytes(chance.randrange(1, 50))
    changed = bytearray(raw)
    if kind == 2:
        start = chance.randrange(length)
        changed[start : start + chance.randrange(1, 1000)] = b"\xff" * chance.randrange(1, 1000)
    elif kind in {3, 4}:
        digits = [i for i, byte in enumerate(raw) if 48 <= byte < 58]
        for i in chance.sample(digits, min(len(digits), chance.choice((1, 1, 1, 3)))):
            changed[i] = chance.choice(b"0123456789")
    elif kind == 5:
        for _ in range(chance.choice((1, 1, 5, 50))):
            changed[chance.randrange(length)] = chance.randrange(256)
    else:
        lines = raw.split(b"\n")
        lines[chance.randrange(len(lines))] = chance.choice(lines)
        changed = bytearray(b"\n".join(lines))
    return bytes(changed)


def forged_receipt(path: Path, chance: random.Random) -> None:
    """Change a number of a receipt, and seal it."""
    keys: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    key = chance.choice(["tours", "cycles", "stages", "direction", "order"])
    if key == "stages":
        row = chance.choice(keys[key])
        row[chance.randrange(3)] += chance.choice([1, -1, 2**31 - 1, 10**9])
    elif key == "direction":
        keys[key] = "directed"
    elif key == "order":
        chance.shuffle(keys[key])
    else:
        keys[key] += chance.choice([1, 10, 2**31 - 1])
    path.write_text(json.dumps(sealed(keys)), encoding="utf-8")


def forged_rows(directory: Path, chance: random.Random) -> None:
    """Change a digit of a count, and seal all rows."""
    path = chance.choice(sorted(directory.glob("rows/*.csv")))
    lines = path.read_text(encoding="utf-8").splitlines()
    i = chance.randrange(1, len(lines))
    fields = lines[i].split(",")
    numbers = [k for k in range(9, len(fields) - 4) if fields[k].isdigit()]
    if numbers:
        k = numbers[0]
        fields[k] = str(int(fields[k]) + chance.choice([1, 2, 1000]))
    lines[i] = ",".join(fields)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    reseal_rows(directory)


def attack(originals: Path, tmp_path: Path, seed: int) -> str:
    """Damage a file at random; return what was accepted: "" if nothing wrong was."""
    chance = random.Random(seed)
    name = chance.choice(["small", "receipt.json", "checkpoint", "survey", "counts"])
    target = copied(originals, name, tmp_path)
    forge = chance.random() < 0.2 and name in {"small", "receipt.json", "counts"}
    victim = target
    if target.is_dir():
        victim = chance.choice([path for path in sorted(target.rglob("*")) if path.is_file()])
    before = victim.read_bytes()
    if forge:
        (forged_receipt if name == "receipt.json" else forged_rows)(target, chance)
    else:
        victim.write_bytes(damaged(before, chance))
    changed = forge or victim.read_bytes() != before
    if name == "checkpoint":
        code = main(["count", "5x6", "--checkpoint", str(target), "-q"])
        allowed = {0, 2} if not changed else {2}
        if len(victim.read_bytes() if victim.exists() else b"") == 0:
            allowed.add(0)  # an empty file is a count from the beginning
    else:
        code = main(["check", str(target)])
        allowed = {1, 2} if changed else {0}
    if code in allowed:
        return ""
    # Damage without a meaning, such as another space or the year of a version, may be accepted.
    harmless = code == 0 and not forge and meaning(victim, victim.read_bytes()) == meaning(victim, before)
    return "" if harmless else f"seed {seed}: {name}, {victim.name}, forged: {forge}: exit code {code}"


def meaning(path: Path, raw: bytes) -> Any:
    """What a file says, however it is written."""
    text = raw.decode("utf-8-sig", "replace")
    if path.suffix == ".json":
        with suppress(ValueError):
            return json.loads(text)
    if path.suffix == ".jsonl":
        with suppress(ValueError):
            return [json.loads(line) for line in text.splitlines()]
    return [line.split(",") for line in text.split("\n") if line]


@pytest.mark.parametrize("cases", [100, pytest.param(20_000, marks=pytest.mark.slow)])
def test_random_damage(
    cases: int, originals: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    accepted = []
    for seed in range(cases):
        accepted += [wrong] if (wrong := attack(originals, tmp_path, seed)) else []
        if seed % 100 == 0:
            capsys.readouterr()
    assert accepted == []


def test_version_2_is_refused(originals: Path, tmp_path: Path, cli: Callable[..., Ran]) -> None:
    directory = copied(originals, "survey", tmp_path)
    description = directory / "survey.json"
    keys = json.loads(description.read_text(encoding="utf-8")) | {"survey": 2}
    description.write_text(json.dumps(keys), encoding="utf-8")
    one_error(cli("check", directory), "is a survey by another version of cavalcade")
    with pytest.raises(FormatError, match="by another version"):
        cv.read_survey(directory)


# ---- kernels


@pytest.mark.slow
def test_kernels_stay_inside_their_arrays(tmp_path: Path) -> None:
    """All kernels, compiled with bounds checks, in an own cache, over a small set of questions."""
    script = Path(__file__).parent / "bounds.py"
    done = subprocess.run([sys.executable, script, tmp_path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
