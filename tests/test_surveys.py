"""Surveys: families, and rows that survive the end of a process."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import cavalcade as cv
from cavalcade.boards import Board
from cavalcade.cli import main
from cavalcade.ground import storage
from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.surveys.arithmetic import evaluate
from cavalcade.surveys.families import family
from cavalcade.surveys.polyominoes import forms, polyominoes
from cavalcade.surveys.removals import removal_count, removals
from cavalcade.surveys.rows import digest
from cavalcade.surveys.showing import SizeTable, exceptions, heat_maps, summary, tables
from sealing import reseal_rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cavalcade.surveys.batches import Survey

SMALL = "{m}x{n} for m in 3..6, n in m..9"


def specs(text: str, **options: Any) -> list[str]:
    return [question.board for question in family(text, **options).questions()]


def untimed_rows(survey: Survey | Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows without the columns that depend on the clock."""
    rows = survey if isinstance(survey, list) else survey.rows()  # type: ignore[union-attr]
    hidden = {"seconds", "seal"}
    return [{key: value for key, value in row.items() if key not in hidden} for row in rows]


# ---- families


def test_families_in_one_line(tmp_path: Path) -> None:
    assert specs("{m}x{n} for m in 3..4, n in m..5") == ["3x3", "3x4", "3x5", "4x4", "4x5"]
    assert specs("'{2*n+1}x{k}' for n in 1..2, k in n..3 where (n + k) % 2 == 0") == ["3x1", "3x3", "5x2"]
    assert specs("{shape}:3x{n} for shape in torus klein, n in 4..4") == ["torus:3x4", "klein:3x4"]
    assert specs("8x8") == ["8x8"]
    assert specs("mxn for m in 3..4, n in m..4") == ["3x3", "3x4", "4x4"]
    assert specs("torus:3xn-{n}1,a2 for n in 26..27") == ["torus:3x26-z1,a2", "torus:3x27-aa1,a2"]
    assert specs("{n-1}x{n}-a{n-1} for n in 4..4") == ["3x4-a3"]
    [question] = family("nxn for n in 8..8", words={"start": "{n}{n}", "at": ["17={n-1}1"]}).questions()
    assert question.words == {"start": "h8", "at": ["17=g1"]}
    for name, picture in (("b", "...\n.#.\n"), ("a", "..\n")):
        (tmp_path / f"{name}.txt").write_text(picture)
    assert specs(f"boards in {tmp_path}") == ["1x2", "2x3-b1"]
    file = tmp_path / "leapers.toml"
    file.write_text(
        'boards = "{2*n+1}x{k}"\nfor = "n in 1..2, k in 2..3"\npieces = ["{n},{n+1}"]\nstart = "a{n}"\n'
    )
    questions = list(family(str(file)).questions())
    assert [(question.board, question.piece, question.words["start"]) for question in questions] == [
        ("3x2", "1,2", "a1"), ("3x3", "1,2", "a1"), ("5x2", "2,3", "a2"), ("5x3", "2,3", "a2"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{m}x{n} for m in 1..1000000, n in 1..1000000", "1,000,000,000,000 boards, expected at most"),
        ("{m}x{n} for m in 9..3, n in 1..2", "there is no board in"),
        ("{m}x2 for m in 1..9 where m > 99", "there is no board in"),
        ("nxn", "'nxn' has no range: try 'nxn for n in 1..9'"),
        ("{m}x{q} for m in 1..2", "'q' in '{m}x{q}' has no range, known names: m"),
        ("{m}x2 for n in m..3, m in 1..2", "'m' in 'n in m..3' has no range"),
        ("{m}x2 for m in 1..2, m in 1..2", "has two ranges for one name"),
        ("{m}x2 for m of 1..2", "'m of 1..2' is not a range, expected one like m in 3..20"),
        ("{m}x2 for m in 1..__import__('os')", "'__import__' in \"m in 1..__import__"),
        ("{m}x2 for m in 1..9**9", "is not an expression"),
        ("{m}x2 for m in 1..4//0", "divides by zero"),
        ("8x8 without 64 cells", "leaves no cell of 64"),
        ("8x8 without 3 balanced cells", "cannot be balanced, expected an even number"),
        ("hex:4 without 2 balanced cells", "no light and dark cells"),
        ("polyominoes of 99 cells", "expected 1 to 17 cells"),
        ("{kind}:3x3 for kind in torus klein", "'kind' is a column of every survey"),
        ("boards in nowhere", "there is no board in"),
        ("missing.toml", "cannot read missing.toml"),
    ],
)  # fmt: skip
def test_bad_families_have_one_line(text: str, message: str, tmp_path: Path, capsys: Any) -> None:
    assert main(["survey", text, "-o", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_expressions_agree_with_python() -> None:
    rng = random.Random(0)
    for _ in range(300):
        a, b, c = (rng.randint(-9, 9) for _ in range(3))
        text = rng.choice(
            ["m + {0} * n", "m * n % {1} == {2}", "not m > {0} or n <= {2}", "-(m // {1}) != n"]
        )
        text = text.format(a, b or 1, c)
        values = {"m": rng.randint(-9, 9), "n": rng.randint(-9, 9)}
        assert evaluate(text, values) == int(eval(text, {}, dict(values)))  # noqa: S307 - our own text


@pytest.mark.parametrize(
    ("spec", "number"), [("3x4", 3), ("4x4", 4), ("2x3x2", 2), ("hex:3", 2), ("torus:3x4", 2)]
)
def test_removals_are_one_of_each_class(spec: str, number: int) -> None:
    """Compare with all sets of cells, reduced to one set per class."""
    board = cv.board(spec)
    maps = [symmetry.cells.tolist() for symmetry in cv.symmetries(board)]
    classes = {
        min(tuple(sorted(image[cell] for cell in chosen)) for image in maps)
        for chosen in combinations(range(board.size), number)
    }
    listed = list(removals(board, number, balanced=False))
    assert len(listed) == len(set(listed)) == len(classes) == removal_count(board, number, balanced=False)
    holes = [tuple(sorted(board.cell(name) for name in cv.board(spec_).holes)) for spec_ in listed]
    where = [h for h in holes if len(h) == number] if board.holes == () else []
    assert {min(tuple(sorted(m[c] for c in h)) for m in maps) for h in where} == classes


def test_numbers_of_boards() -> None:
    """Polyominoes are OEIS A000105; Burnside's lemma and enumeration agree on removals from 8x8."""
    assert [len(forms(n)) for n in range(1, 11)] == [1, 1, 2, 5, 12, 35, 108, 369, 1285, 4655]
    assert list(polyominoes(3)) == ["1x3", "2x2-b1"]
    square = Board.box(8, 8)
    assert [removal_count(square, k, balanced=True) for k in (2, 4, 6)] == [136, 31072, 3076440]
    assert len(list(removals(square, 2, balanced=True))) == 136


# ---- rows


def test_a_survey_agrees_with_schwenk_and_is_checked(tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "out"
    arguments = [
        "survey",
        SMALL,
        "--verb",
        "prove",
        "--keep",
        "--kind",
        "closed",
        "--kind",
        "open",
        "-o",
        str(out),
    ]
    assert main([*arguments, "--batch", "9", "--workers", "2"]) == 0
    printed = capsys.readouterr().out
    assert "44 boards, all answered" in printed
    assert "in agreement with Schwenk's theorem: 22 boards" in printed
    assert main(["check", str(out)]) == 0
    assert capsys.readouterr().out == "every question has its row; 44 tours and certificates checked\n"
    survey = cv.read_survey(out)
    assert Counter(row["verdict"] for row in survey.rows()) == {"found": 24, "impossible": 20}
    odd = exceptions(survey, "kind == 'open' or m*n % 2 == 0 and m >= 5")
    assert [(row["board"], row["kind"]) for row in odd] == [
        (board, "open") for board in ("3x3", "3x5", "3x6", "4x4")
    ]
    assert "m 5   -+-+-" in str(tables(survey)[0])
    assert heat_maps(survey)[0].count("<title") == 23
    assert summary(survey).startswith("prove, {m}x{n} for m in 3..6")
    assert main(["survey", "show", str(out), "--map", str(tmp_path / "m.svg")]) == 0
    assert {path.name for path in tmp_path.glob("*.svg")} == {"m-1.svg", "m-2.svg"}


DAMAGES = "row batch certificate digest another tour kept method statement bound rule reason"


@pytest.mark.parametrize("damage", DAMAGES.split())
def test_a_damaged_survey_is_detected(damage: str, tmp_path: Path, finished: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(finished, out)
    assert main(["check", str(out)]) == 0
    rows, kept = out / "rows" / "000000.csv", out / "kept" / "000000.jsonl"
    lines = kept.read_text().splitlines()
    if damage == "row":
        rows.write_text(rows.read_text().replace(",3x5,", ",3x6,"))
    elif damage == "batch":
        (out / "rows" / "000001.csv").unlink()
    elif damage == "certificate":
        kept.write_text(kept.read_text().replace('"a1"', '"a2"', 1))
    elif damage == "digest":
        first = str(next(cv.read_survey(out).rows())["certificate"])
        rows.write_text(rows.read_text().replace(first, first[::-1]))
    elif damage == "another":  # a right certificate of another board, with its digest
        lines[0] = lines[1]
        kept.write_text("\n".join(lines) + "\n")
        first, second = (str(row["certificate"]) for row in list(cv.read_survey(out).rows())[:2])
        rows.write_text(rows.read_text().replace(first, second))
    elif damage == "tour":
        kept = out / "kept" / "000002.jsonl"
        lines = kept.read_text().splitlines()
        index = next(i for i, line in enumerate(lines) if line.startswith('{"tour"'))
        tour = json.loads(lines[index])["tour"]
        tour[0], tour[1] = tour[1], tour[0]
        lines[index] = json.dumps({"tour": tour})
        kept.write_text("\n".join(lines) + "\n")
    elif damage == "method":  # rows are checked whatever their method
        method = str(next(cv.read_survey(out).rows())["method"])
        rows.write_text(rows.read_text().replace(f",impossible,{method},", ",found,count,"))
    elif damage == "statement":
        rows.write_text(rows.read_text().replace("closed tour of 3x5", "open tour of 3x5"))
    elif damage == "rule":
        rule = str(next(cv.read_survey(out).rows())["rule"])
        rows.write_text(rows.read_text().replace(f",{rule},", ",hall branch,", 1))
    elif damage == "bound":  # a proof of a bound on turns does not prove that there is no tour
        survey = cv.survey("6x6", tmp_path / "one", verb="prove", keep=True, workers=1)
        few = cv.tour("6x6", fewest="turns")
        assert isinstance(few, cv.Found)
        assert few.fewest
        assert few.fewest.certificate
        proof = few.fewest.certificate.to_json().strip()
        row = next(survey.rows()) | {"verdict": "impossible", "certificate": digest(proof)}
        survey.write(0, [row], [proof])
        out = survey.directory
    elif damage == "reason":
        reason = str(next(cv.read_survey(out).rows())["reason"])
        rows.write_text(rows.read_text().replace(reason, "Remove 9 cells, c3, b2 and c1."))
    else:
        kept.unlink()
    assert main(["check", str(out)]) == 1
    reseal_rows(out)  # the seal of a row does not make it right
    assert main(["check", str(out)]) == 1


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("survey") / "out"
    cv.survey(SMALL, out, verb="prove", keep=True, batch=11, kinds=("closed", "open"), workers=1)
    return out


def killed(out: Path, arguments: list[str], seconds: float) -> None:
    """Start a survey in a new process, and kill it after some seconds."""
    command = [sys.executable, "-m", "cavalcade", *arguments, "-o", str(out)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    process.kill()
    process.wait()


@pytest.mark.parametrize("kills", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_a_survey_that_is_killed_ends_with_the_same_rows(kills: int, tmp_path: Path, finished: Path) -> None:
    arguments = ["survey", SMALL, "--verb", "prove", "--kind", "closed", "--kind", "open", "--batch", "3"]
    rng = random.Random(kills)
    out = tmp_path / "out"
    for _ in range(kills):
        killed(out, arguments, rng.uniform(0.8, 3.0))
        assert not [path for path in out.rglob("*.csv") if not path.read_text().endswith("\n")]
    assert main([*arguments, "-o", str(out)]) == 0
    assert untimed_rows(cv.read_survey(out)) == untimed_rows(cv.read_survey(finished))


def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    if not Path("/proc").exists():
        pytest.skip("needs /proc")
    killed(tmp_path / "out", ["survey", "{m}x{n} for m in 20..40, n in m..60", "--workers", "2"], 4.0)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and (remaining := _children_of_surveys(tmp_path)):
        time.sleep(0.2)
    assert not remaining


def _children_of_surveys(tmp_path: Path) -> list[str]:
    """Return the commands of surveys that name the folder of this test, or whose parent has ended."""
    commands = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            command = (path / "cmdline").read_bytes().decode().split("\0")
            parent = (path / "stat").read_text().rpartition(")")[2].split()[1]
        except (OSError, UnicodeDecodeError):
            continue
        spawned = any("multiprocessing.spawn" in part for part in command)
        if str(tmp_path) in " ".join(command) or (spawned and parent == "1"):
            commands.append(" ".join(command))
    return commands


def test_a_batch_that_cannot_be_written_loses_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch is retried after a disk that was full for a moment."""
    real = storage.write_file
    failed: list[Path] = []

    def full(path: Path, data: str) -> None:
        if path.name == "000002.csv" and not failed:
            failed.append(path)
            raise FormatError(f"cannot write {path}: No space left on device")
        real(path, data)

    monkeypatch.setattr("cavalcade.surveys.batches.write_file", full)
    options: dict[str, Any] = {"batch": 3, "workers": 2}
    with pytest.raises(FormatError, match="No space left"):
        cv.survey(SMALL, tmp_path, **options)
    assert 2 not in cv.read_survey(tmp_path).done
    assert {0, 1} <= set(cv.read_survey(tmp_path).done)
    done = cv.survey(SMALL, tmp_path, **options)
    assert (done.questions, done.missing) == (22, [])


def test_a_batch_that_ends_every_process_is_named(tmp_path: Path) -> None:
    """The error names the batch; worker processes do not run the calling script again."""
    code = (
        "import os, sys\n"
        "from cavalcade.surveys import running\n"
        "running.answer = lambda question, asking: os._exit(9) if question.board == '3x5' else ({}, '')\n"
    )
    module = tmp_path / "sitecustomize.py"
    module.write_text(code)
    script = tmp_path / "script.py"
    script.write_text("import cavalcade as c\nc.survey('3x{n} for n in 3..6', 'out', batch=1, workers=2)\n")
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 1
    assert "CavalcadeError: batch 2: the process answering it ended three times" in done.stderr


def test_a_directory_belongs_to_one_survey(tmp_path: Path, finished: Path, capsys: Any) -> None:
    assert main(["survey", "3x4", "-o", str(finished)]) == 2
    assert f"{finished} has another survey, of '{SMALL}'" in capsys.readouterr().err
    with storage.locked(finished, "is busy in"), pytest.raises(CavalcadeError, match="another process"):
        cv.survey("", finished)
    assert untimed_rows(cv.survey("", finished)) == untimed_rows(cv.read_survey(finished))
    with pytest.raises(CavalcadeError, match="no survey in"):
        cv.survey("", tmp_path)


def test_rows_in_parquet_and_counts(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    done = cv.survey("{m}x{n} for m in 5..6, n in 6..7", tmp_path, verb="count", rows="parquet", workers=1)
    assert [row["count"] for row in done.rows()] == ["8", "0", "9862", "1067638"]
    assert untimed_rows(done) == untimed_rows(cv.read_survey(tmp_path))
    measured = cv.survey("6x6", tmp_path / "m", verb="measure", workers=1)
    assert json.loads(str(next(measured.rows())["measures"]))["moves"] == 36


def test_counts_respect_the_time_limit(tmp_path: Path) -> None:
    done = cv.survey("{n}x{n} for n in 6..8", tmp_path, verb="count", time_limit=0.05, workers=1)
    assert [row["verdict"] for row in done.rows()][-1] == "undecided"
    assert str([*done.rows()][-1]["reason"]).startswith("no answer in 0.05 s: ")
    without = cv.survey("6x6", tmp_path / "without", verb="count", workers=1)
    assert [row["count"] for row in without.rows()] == ["9862"]


def test_a_list_of_boards_is_refused(tmp_path: Path) -> None:
    boards: Any = ["5x6", "4x4"]
    with pytest.raises(CavalcadeError, match="is not a family, expected a text"):
        cv.survey(boards, tmp_path / "survey")


def test_meaningless_boards_are_refused_row_by_row(tmp_path: Path) -> None:
    done = cv.survey("{shape}:{n} for shape in cube box, n in 2..3", tmp_path, workers=1)
    assert [row["verdict"] for row in done.rows()] == ["found", "found", "refused", "refused"]


@pytest.mark.slow
def test_dask_gives_the_same_rows_though_a_worker_is_killed(tmp_path: Path, finished: Path) -> None:
    dask: Any = pytest.importorskip("dask.distributed")
    with dask.LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as cluster:
        first = next(iter(cluster.workers.values()))
        os.kill(first.pid, signal.SIGKILL)
        options: dict[str, Any] = {"verb": "prove", "kinds": ("closed", "open"), "batch": 2}
        done = cv.survey(SMALL, tmp_path, scheduler=cluster.scheduler_address, **options)
    assert untimed_rows(done) == untimed_rows(cv.read_survey(finished))


def test_the_head_of_a_table_has_both_digits_of_each_column() -> None:
    """The tens stand above the columns 10, 20, …, 100; the last digits above every column."""
    rows: Any = {
        (3, n): {"verdict": "found" if n % 2 else "impossible"} for n in (8, 9, 10, 11, 20, 100, 110)
    }
    rows[12, 9] = {"verdict": "undecided"}
    lines = str(SizeTable("knight, closed", ("m", "n"), rows)).splitlines()
    assert lines == [
        "knight, closed",
        "   n   1 201",
        "     8901000",
        " m 3 -+-+---",
        "m 12  ?",
    ]


def test_undecided_boards_are_listed_by_their_size() -> None:
    """Size is the number of cells, not the order of the survey nor of the names."""
    rows = [
        {"board": board, "piece": "knight", "kind": "closed", "verdict": "undecided", "rule": ""}
        for board in ("10x3", "9x9", "2x14", "100x1")
    ]
    asking = SimpleNamespace(verb="tour")
    survey: Any = SimpleNamespace(rows=lambda: iter(rows), questions=4, missing=(), asking=asking)
    survey.family = SimpleNamespace(title="boards", keys={}, names=())
    listed = re.search(r"^undecided, the smallest first: (.*)$", summary(survey), re.MULTILINE)
    assert listed is not None
    assert re.findall(r"\d+x\d+", listed[1]) == ["2x14", "10x3", "9x9", "100x1"]
