"""Names, labels and messages from outside: on a terminal, and as fields of a table in a spreadsheet."""

from __future__ import annotations

import csv
import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cavalcade as cv
from cavalcade.cli.status import ERASED
from cavalcade.cli.streams import printable
from cavalcade.formats import rendered
from cavalcade.formats.edges import parse_graph
from cavalcade.formats.labels import field_of, label_of, labels_of
from cavalcade.question.graph import MoveGraph
from cavalcade.surveys.batches import Survey

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Ran

PACKAGE = Path(cv.__file__).parent
TITLE = "\x1b]0;owned\x07"  # sets the title of a window
BAD = TITLE + "\x9b31m\u202e\u2066\x7f\x00\r\u2028"
SHOWN = r"\u001b]0;owned\u0007\u009b31m\u202e\u2066\u007f\u0000\u000d\u2028"
FORMULAS = ["=1+1", "+a", "-b", "@c", "\tx", "'=d", "''@e", "'plain", "-5", "+0.5", "a=b"]


def test_control_characters_are_escaped() -> None:
    assert printable(BAD) == SHOWN
    plain = "Gliński ♞ … 5x6\té\r\nnext line\n"
    assert printable(plain) == plain
    assert all(printable(chr(code)) != chr(code) for code in [*range(9), *range(14, 32), *range(127, 160)])


def on_terminal(*words: str | Path, folder: Path) -> str:
    """Return what a command writes to a terminal."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "cavalcade", *map(str, words)]
    process = subprocess.Popen(command, stdout=theirs, stderr=theirs, stdin=theirs, cwd=folder)
    os.close(theirs)
    written = b""
    try:
        while part := os.read(ours, 65536):
            written += part
    except OSError:  # Linux reports the end of a terminal so
        pass
    os.close(ours)
    process.wait()
    return written.decode().replace(ERASED, "")


def test_a_terminal_gets_no_foreign_control_characters(tmp_path: Path) -> None:
    labels = [f"a{TITLE}", "b\x9b31m", "c\u202e"]
    graph = MoveGraph.from_edges([(0, 1), (1, 2), (2, 0)], 3, labels)
    named = tmp_path / f"graph{TITLE}.json"
    named.write_text(str(rendered(graph, "json")), encoding="utf-8")
    for words in (["tour", named], ["check", f"none{BAD.replace(chr(0), '')}.txt"]):
        shown = on_terminal(*words, folder=tmp_path)
        assert shown.strip(), words
        assert printable(shown) == shown, words


def test_messages_are_escaped_in_a_file_too(cli: Callable[..., Ran]) -> None:
    ran = cli("tour", f"8x8{TITLE}")
    assert ran.code == 2
    assert printable(ran.err) == ran.err
    assert "owned" in ran.err


def test_every_text_for_people_passes_the_stream_layer() -> None:
    """No other module writes to a standard stream, so that none can forget to escape."""
    writing = re.compile(
        r"^(?!.*(>>>|\.\.\. )).*\b(print\(|click\.s?echo|print_exc|std(out|err)\.(write|buffer))",
        re.MULTILINE,
    )
    writers = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if writing.search(path.read_text(encoding="utf-8"))
    }
    oeis = {"formats/oeis.py"}  # text of programs in other languages
    assert writers - oeis == {"cli/writing.py", "__main__.py"}


# ---- spreadsheets


@given(st.text())
def test_fields_give_labels_back(label: str) -> None:
    field = field_of(label)
    assert label_of(field) == label
    assert field[:1] not in {"=", "@", "\t", "\r"}
    assert field[:1] not in {"+", "-"} or field[1:].replace(".", "").isdecimal()


def test_tables_of_other_programs_keep_their_apostrophes() -> None:
    """With a raw formula beside it, an apostrophe belongs to the label: two labels never become one."""
    assert labels_of(["'=a", "=a"]) == ["'=a", "=a"]
    assert labels_of([*map(field_of, FORMULAS)]) == FORMULAS
    graph = parse_graph("from,to\n'=a,=a\n=a,b\nb,'=a\n")
    assert sorted(graph.names) == ["'=a", "=a", "b"]


def test_labels_in_tables_are_no_formulas(tmp_path: Path) -> None:
    labels = [label for label in FORMULAS if label.strip() == label]
    ring = [(i, (i + 1) % len(labels)) for i in range(len(labels))]
    graph = MoveGraph.from_edges(ring, len(labels), labels)
    table = str(rendered(graph, "csv"))
    for row in csv.reader(io.StringIO(table)):
        assert row[0] == field_of(label_of(row[0]))
    again = parse_graph(table)
    assert sorted(again.names) == sorted(labels)
    edges = {frozenset((again.names[a], again.names[b])) for a, b in again.pairs()}
    assert edges == {frozenset((labels[a], labels[b])) for a, b in ring}
    verdict = cv.tour(graph)
    assert isinstance(verdict, cv.Found)
    path = tmp_path / "tour.csv"
    cv.save(verdict.tour, path)
    assert "'=1+1" in path.read_text(encoding="utf-8")
    assert cv.read_tour(path, board=graph).names == verdict.tour.names


def test_rows_of_a_survey_are_no_formulas(tmp_path: Path) -> None:
    done = cv.survey("5x6", tmp_path / "survey", workers=1)
    row = next(iter(done.rows()))
    done.write(0, [row | {"reason": "=cmd|' /C calc'!A0"}], [""])
    (path,) = (tmp_path / "survey" / "rows").iterdir()
    assert "'=cmd" in path.read_text(encoding="utf-8")
    assert Survey.read(done, 0)[0]["reason"] == "=cmd|' /C calc'!A0"
    done.export(tmp_path / "table.csv")
    assert "'=cmd" in (tmp_path / "table.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("label", ["=2+3", "a,b", 'a"b'])
def test_degrees_of_a_graph_are_a_table(label: str, cli: Callable[..., Ran], tmp_path: Path) -> None:
    graph = MoveGraph.from_edges([(0, 1), (1, 2), (2, 0)], 3, [label, "b", "c"])
    path = tmp_path / "graph.json"
    path.write_text(str(rendered(graph, "json")), encoding="utf-8")
    ran = cli("degrees", path, "--format", "csv")
    rows = list(csv.reader(io.StringIO(ran.out)))
    assert rows == [["name", "degree"], [field_of(label), "2"], ["b", "2"], ["c", "2"]]
