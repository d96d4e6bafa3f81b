"""Contributions to the OEIS: published terms, programs that run, methods that agree."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import cavalcade
from cavalcade.counting.verifying import verified
from cavalcade.formats.oeis import entry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Ran

# Numbers of closed tours of 3 x 2n, OEIS A070030 (N. D. Elkies and D. E. Knuth 1994).
A070030 = (0, 0, 0, 0, 16, 176, 1536, 15424, 147728, 1448416, 14060048, 136947616, 1332257856, 12965578752)


def programs(draft: str) -> dict[str, str]:
    """Return the programs of an entry by language."""
    lines = re.findall(r"^%o A000000 (.*)$", draft, re.MULTILINE)
    index = lines.index("(Python)")
    return {"PARI": lines[0].removeprefix("(PARI) "), "Python": "\n".join(lines[index + 1 :])}


def test_the_files_of_a_contribution(cli: Callable[..., Ran], tmp_path: Path) -> None:
    ran = cli("count", "3xn", "--upto", 28, "-o", tmp_path / "new")
    assert ran.code == 0
    rows = [line.split() for line in (tmp_path / "new" / "b000000.txt").read_text().splitlines()]
    assert [int(n) for n, _ in rows] == list(range(1, 29))
    terms = [int(term) for _, term in rows]
    assert tuple(terms[1::2]) == A070030
    assert not any(terms[::2])
    draft = (tmp_path / "new" / "entry.txt").read_text()
    assert {line[:2] for line in draft.splitlines()} == {f"%{letter}" for letter in "SNCDFoYKOA"}
    assert "%N A000000 Number of undirected closed knight's tours on a 3 X n board.\n" in draft
    assert "%O A000000 1,10\n" in draft
    done = subprocess.run(
        [sys.executable, "-c", programs(draft)["Python"]], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{terms}\n"


def test_the_program_in_pari(tmp_path: Path) -> None:
    if shutil.which("gp") is None:
        pytest.skip("PARI is not installed: apt install pari-gp")
    sequence = cavalcade.sequence("3xn", 28)
    program = programs(entry(sequence, {}))["PARI"]
    (tmp_path / "a.gp").write_text(f"{program}\nfor(n=1,28,print(a(n)))\n")
    done = subprocess.run(
        ["gp", "-q", tmp_path / "a.gp"], capture_output=True, text=True, check=True, input=""
    )
    assert tuple(map(int, done.stdout.split())) == sequence.terms


def test_a_sequence_without_a_recurrence_names_a_program_that_gives_it() -> None:
    sequence = cavalcade.sequence("nxn", 5, open=True, directed=True)
    draft = entry(sequence, verified(sequence, 60)[0])
    assert "a(1) = 1 is the board of one cell" in draft
    assert "%N A000000 Number of directed open knight's tours on an n X n board.\n" in draft
    assert "a(1)-a(5) found by listing every tour." in draft
    done = subprocess.run(
        [sys.executable, "-c", programs(f"%o A000000 -\n{draft}")["Python"]],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == f"{sequence.terms}\n" == "(1, 0, 0, 0, 1728)\n"


def test_disagreeing_methods_are_detected() -> None:
    sequence = cavalcade.sequence("nxn", 6)
    wrong = cavalcade.Sequence(
        sequence.spec, sequence.piece, (*sequence.terms[:5], 9861), sequence.conventions, 0, None, 0.0
    )
    with pytest.raises(AssertionError, match="9861 and 9862"):
        verified(wrong, 60)


def test_a_side_n_in_any_family() -> None:
    boards = {"nxn": "{0}x{0}", "torus:nxn": "torus:{0}x{0}", "triangle:n": "triangle:{0}", "nx4": "{0}x4"}
    for spec, board in boards.items():
        terms = cavalcade.sequence(spec, 4).terms
        assert terms == tuple(cavalcade.count(board.format(n)).count for n in range(1, 5)), spec
    for spec in ("8x8", "moon:n", "n"):
        with pytest.raises(cavalcade.CavalcadeError):
            cavalcade.sequence(spec, 3)


def test_a_long_board_is_a_term_of_its_strip() -> None:
    whole = cavalcade.sequence("3xn", 120).terms
    for n in (50, 52, 120):
        assert cavalcade.count(f"3x{n}").count == cavalcade.count(f"{n}x3").count == whole[n - 1]
    ends = cavalcade.count("4x50", open=True)
    by_frontier = cavalcade.count(cavalcade.move_graph("4x50"), open=True)  # a graph has no strip
    assert ends.count == by_frontier.count
    assert cavalcade.count("3x50", with_="c1-e2").count < whole[49]


def test_the_tour_of_one_cell_is_counted_once() -> None:
    undirected, directed = cavalcade.count("1x1"), cavalcade.count("1x1", directed=True)
    assert (undirected.count, directed.count) == (1, 1)
    assert ", undirected," in undirected.conventions
    assert ", directed," in directed.conventions
    assert (
        cavalcade.sequence("1xn", 3).terms == cavalcade.sequence("1xn", 3, directed=True).terms == (1, 0, 0)
    )
