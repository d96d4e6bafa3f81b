"""Constraints on the command line: their effect, and one clear line for each mistake."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import cavalcade
from oracles import edges_of
from test_constraints import RING, does, full, wanted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Ran

THREE = ("--with", "d4-e6", "--with", "d4-c6", "--with", "d4-f5")
COLOUR = ("--from", "a1", "--at", "5=a2")
MISTAKES: list[tuple[list[str], str]] = [
    (["tour", "6x6", "--with", "a1-b3", "--avoid", "a1-b3"],
     "a1-b3 is both a move to use and a move to avoid"),
    (["list", "6x6", "--with", "a1-b4"], "a1-b4 is not a move of 6x6"),
    (["count", "6x6", "--avoid", "a1-z9"], "'z9' is not a cell of 6x6"),
    (["prove", "6x6", "--with", "a1"], "'a1' is not a move, expected two cells with a hyphen between them"),
    (["tour", "8x8", "--at", "0=a1"], "0 is not a step of a tour of 8x8, expected 1 to 64"),
    (["prove", "8x8", "--at", "65=a1"], "65 is not a step of a tour of 8x8, expected 1 to 64"),
    (["count", "8x8", "--at", "3=a1", "--at", "3=b1"], "step 3 cannot be on a1 and on b1"),
    (["list", "8x8", "--at", "3=a1", "--at", "5=a1"], "a1 cannot be at step 3 and at step 5"),
    (["tour", "8x8", "--at", "1=a1", "--from", "b1"], "step 1 cannot be on b1 and on a1"),
    (["tour", "8x8", "--at", "x"], "'x' is not a step"),
    (["prove", "8x8", "--at", "5"], "--at 5 has no cell: try --at 17=d5"),
    (["tour", "6x7", "--symmetry", "quarter-turn"], "'quarter-turn' is not a symmetry of 6x7, which has"),
    (["list", "6x6", "--symmetry"], "--symmetry expects a symmetry of the tour: try --symmetry half-turn"),
    (["tour", "5x5", "--open", "--from", "a1", "--to", "c3", "--symmetry", "half-turn"], "have these ends"),
    (["tour", "5x6", "--open", "--from", "a5", "--at", "3=f1", "--symmetry", "half-turn"],
     "f1 cannot be at step 30 and at step 3"),
    (["tour", "6x6", "--open", "--at", "2=a6", "--at", "36=a1", "--symmetry", "vertical"],
     "a6 cannot be at step 1 and at step 2"),
    (["sample", "6x6", "--at", "1=a1", "--at", "5=c4"], "cannot be drawn at random"),
    (["sample", "6x6", "--symmetry", "half-turn"], "cannot be drawn at random"),
    (["tour", "torus:5x5", "--moves", "clockwise"], "it is not a flat box or hexagon"),
    (["tour", "4x4x4", "--moves", "clockwise"], "it is not a flat box or hexagon"),
    (["tour", "6x6", "--moves", "widdershins"], "'widdershins'"),
    (["count", "5x6-a5,b5,c5,d5,e5,f5", "--moves", "clockwise", "--symmetry", "vertical"],
     "moves clockwise are not symmetric"),
    (["count", "3xn", "--with", "a1-b3", "--twice"], "--twice cannot be combined with a board that has a"),
    (["tour", "6x6", "--constraints", "none.txt"], "none.txt"),
    (["tour", "6x6", "--constraints", "bad.txt"], "bad.txt, line 3: 'wit a1-c2' is not a constraint"),
    (["tour", "6x6", "--constraints", "two.txt"], "two.txt, line 2: a second symmetry"),
    (["tour", "6x6", "--constraints", "cell.txt"], "'z9' is not a cell of 6x6"),
    (["tour", "6x6", "--constraints", "half.txt", "--symmetry", "horizontal"], "half.txt asks for symmetry"),
]  # fmt: skip


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Valid and invalid files of constraints in the directory of the test."""
    for name, text in {
        "bad": "# asked\nwith a1-b3\nwit a1-c2\n",
        "two": "symmetry half turn\nsymmetry quarter turn\n",
        "cell": "at 3=z9\n",
        "half": "symmetry half turn\n",
        "right": "; asked\n\nwith a1-b3, f6-e4\navoid c3-d5\nat 1=a1\nat 9=c3, 20=d1\n",
    }.items():
        (tmp_path / f"{name}.txt").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("arguments", "message"), MISTAKES, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_a_mistake_has_one_clear_line(cli: Callable[..., Ran], arguments: list[str], message: str) -> None:
    ran = cli(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.startswith("error: ")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (THREE, "d4"),
        (COLOUR, "no walk from a1 to a2 has an even number"),
        (("--symmetry", "quarter-turn"), "colours"),
    ],
)
def test_a_refutation_has_a_reason(
    cli: Callable[..., Ran], tmp_path: Path, options: tuple[str, ...], why: str
) -> None:
    for verb in ("tour", "prove"):
        ran = cli(verb, "8x8", *options)
        assert ran.code == 1
        output = " ".join((ran.out + ran.err).split())
        assert why in output
        assert "So no closed tour of 8x8 " in output
        assert "theorem there is" not in output  # theorems about other tours are not cited
    file = tmp_path / "no.proof"
    assert cli("prove", "8x8", *options, "-o", file).code == 1
    assert cli("check", file).code == 0
    shown = cli("prove", "8x8", *options, "--json")
    assert json.loads(shown.out)["certificate"] == json.loads(file.read_text())


def test_each_word_in_each_verb(cli: Callable[..., Ran]) -> None:
    ring = cavalcade.board(RING)
    a3, c3, c4, d4, d5, d6, b5, e2 = map(ring.cell, ("a3", "c3", "c4", "d4", "d5", "d6", "b5", "e2"))
    for spec, options, words in (
        (RING, ("--with", "a3-b5", "--with", "c3-d5"), {"with_": [(a3, b5), (c3, d5)]}),
        (RING, ("--avoid", "c3-d5", "--avoid", "c4-d6"), {"avoid": [(c3, d5), (c4, d6)]}),
        (RING, ("--at", "2=c3", "--at", "12=d4"), {"at": {2: c3, 12: d4}}),
        (RING, ("--symmetry", "half-turn"), {"symmetry": "half turn"}),
        (
            RING,
            ("--symmetry", "Quarter turn", "--with", "c3-e2"),
            {"symmetry": "quarter turn", "with_": [(c3, e2)]},
        ),
        ("6x6", ("--moves", "clockwise"), {"moves": "clockwise"}),
    ):
        board = cavalcade.board(spec)
        if spec == RING:
            answers = wanted(board, full(RING, closed=True), words, closed=True)
            assert 0 < len(answers) < 818
        else:  # 6x6 has two, published in tests/data/constraints.json
            cycles = [tour.cells.tolist() for tour in cavalcade.list_tours(spec, moves="clockwise")]
            assert all(does(board, tuple(cells), words, closed=True) for cells in cycles)
            answers = {edges_of(cells, closed=True) for cells in cycles}
            assert len(answers) == 2
        counted = cli("count", spec, *options)
        assert (counted.code, counted.out) == (0, f"{len(answers)}\n")
        written = cli("tour", spec, *options, "--json")
        assert written.code == 0
        cells = [board.cell(name) for name in json.loads(written.out)["cells"]]
        assert edges_of(cells, closed=True) in answers
        assert cli("prove", spec, *options).code == 0
        listed = cli("list", spec, *options, "-n", 2, "--format", "json")
        assert listed.code == 0
        assert listed.out.count("\n") == min(2, len(answers))
        drawn = cli("sample", spec, *options, "--format", "json")
        assert drawn.code == (2 if {"at", "symmetry"} & set(words) else 0)


def test_constraints_in_a_file(cli: Callable[..., Ran], files: Path) -> None:
    options = [
        "--with",
        "a1-b3",
        "--with",
        "f6-e4",
        "--avoid",
        "c3-d5",
        "--at",
        "1=a1",
        "--at",
        "9=c3",
        "--at",
        "20=d1",
    ]
    for verb in ("tour", "prove", "list", "count"):
        from_file, from_options = (
            cli(verb, "6x6", "--constraints", files / "right.txt"),
            cli(verb, "6x6", *options),
        )
        assert from_file.code == from_options.code == 0
        assert from_file.out == from_options.out
    combined = cli("count", RING, "--constraints", files / "half.txt", "--with", "c3-d5")
    ring = cavalcade.board(RING)
    words = {"symmetry": "half turn", "with_": [(ring.cell("c3"), ring.cell("d5"))]}
    assert int(combined.out) == len(wanted(ring, full(RING, closed=True), words, closed=True)) > 0


def test_at_is_a_constraint_or_a_query(cli: Callable[..., Ran]) -> None:
    ran = cli("tour", "6x6", "--at", "9=c5", "--at", "9", "--at", "1", "--when", "c5", "--from", "a1")
    assert (ran.code, ran.out) == (0, "9 c5\n1 a1\n9 c5\n")


def test_symmetry_with_and_without_a_name(cli: Callable[..., Ran]) -> None:
    assert cli("count", "6x6", "--symmetry", "half-turn").out == "78\n"
    assert cli("count", "6x6", "--symmetry=half turn").out == "78\n"
    assert cli("count", "6x6", "--symmetry").out.startswith("1245\n")
    ran = cli("count", "6x6", "--symmetry", "--with", "a1-b3")
    assert ran.out.startswith("9862\n")  # both moves of the corner are required; no symmetry preserves a1-b3
    assert "closed tours, with a1-b3, undirected, up to the 1" in ran.err


def test_undecided(cli: Callable[..., Ran]) -> None:
    ran = cli("tour", "20x20", "--at", "200=a1", "--from", "a20", "--at", "31=t1", "--time-limit", 0.01)
    assert ran.code in {0, 3}
    assert ran.code == 0 or ran.err.startswith("undecided: ")


def test_constraints_from_a_pipe(tmp_path: Path) -> None:
    """A pipe can be read only once."""
    command = 'echo "with c4-e5" | "$PYTHON" -m cavalcade count 6x6 --constraints /dev/stdin'
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, env=os.environ | {"PYTHON": sys.executable}, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    assert int(done.stdout) == cavalcade.count("6x6", with_="c4-e5").count < 9862
