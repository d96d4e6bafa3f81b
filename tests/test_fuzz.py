"""Damaged files and odd command lines: an answer or one clear line, and never a partial file.

The suite runs a fixed number of examples. `CAVALCADE_FUZZ=20000 pytest tests/test_fuzz.py` runs more.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cavalcade
from cavalcade.cli import COMMANDS, main

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

EXAMPLES = int(os.environ.get("CAVALCADE_FUZZ", "50"))
fuzzed = settings(
    max_examples=EXAMPLES, deadline=None, derandomize=EXAMPLES <= 50, database=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
WRITTEN = "written"
FOREIGN = Path(__file__).parent / "data" / "foreign"


def run(*arguments: str) -> tuple[int, str]:
    """Run a command in this process; return its exit code and its standard error."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True), io.StringIO()
    streams = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = io.TextIOWrapper(io.BufferedReader(io.BytesIO())), out, err
    try:
        code = main(arguments)
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
    return code, err.getvalue()


def assert_answered(home: Path, *arguments: str) -> None:
    """Assert that a command in a directory gives an answer or one line of error."""
    working_directory, files_before = Path.cwd(), set(home.iterdir())
    os.chdir(home)
    try:
        code, err = run(*arguments)
    finally:
        os.chdir(working_directory)
    assert code in {0, 1, 2, 3}, (arguments, err)
    assert "Traceback" not in err
    if code == 2:
        assert err.startswith("error: "), (arguments, err)
        assert err.count("\n") == 1, (arguments, err)
    new = {path for path in home.iterdir() if path not in files_before}
    assert all(path.suffix != ".part" and path.stat().st_size for path in new), (arguments, new)
    assert not (new and code == 2), (arguments, new)
    for path in new:
        path.unlink()


# ---- files

FILES: dict[str, list[bytes]] = {}
TOURS = ("text", "json", "csv", "tour", "wide")


def seeds(kind: str) -> list[bytes]:
    """Return undamaged files of a kind."""
    if not FILES:
        verdicts: list[Any] = [cavalcade.tour(board) for board in ("5x6", "hex:4", "2x5x6", "torus:3x5")]
        for format_ in TOURS:
            FILES[format_] = [cavalcade.write(verdict.tour, format_).encode() for verdict in verdicts]
        proofs: list[Any] = [*map(cavalcade.prove, ("4x4", "3x8")), cavalcade.prove("3x5", engine="sat")]
        FILES["proof"] = [cavalcade.write(verdict.certificate).encode() for verdict in proofs]
        FILES["picture"] = [b"....\n.#..\n....\n", b". . .\n. # .\n", b"...\n...\n\n..#\n...\n"]
        graph = cavalcade.move_graph("3x4")
        links = b"Source;Target;Weight\na;b;1,5\nb;c;2\nc;a;0,5\n"
        FILES["graph"] = [
            cavalcade.write(graph, "hcp").encode(),
            cavalcade.write(graph, "edges").encode(),
            links,
        ]
        FILES["foreign"] = [
            path.read_bytes()
            for path in sorted(FOREIGN.iterdir())
            if path.name not in {"expected.json", "README.md"}
        ]
        FILES["npy"] = []
        for dtype in (np.int32, np.uint8, np.int64):
            out = io.BytesIO()
            np.save(out, np.arange(1, 31, dtype=dtype).reshape(5, 6))
            FILES["npy"].append(out.getvalue())
    return FILES[kind]


SCRAPS = [
    b"0", b"-1", b"99999999999999999999", b"1e9", b"nan", b"\n", b"\n\n", b";", b",", b"\t", b"#", b".", b"x",
    b"\xff", b"\0", b"\xef\xbb\xbf", b"[", b"}", b'"', b"a1", b"hex:99999", b"moves:1,2,3", b"8x8", b":",
    b"True", "\u2028".encode(), "é".encode(),
]  # fmt: skip


@st.composite
def damaged(draw: DrawFn, kind: str) -> bytes:
    """Draw a file with pieces removed, doubled or replaced by scraps, sometimes truncated."""
    data = draw(st.sampled_from(seeds(kind)))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        until = min(len(data), start + draw(st.sampled_from([0, 1, 1, 2, 5, 40])))
        piece = draw(st.sampled_from([b"", data[start:until] * 2, *SCRAPS]))
        data = data[:start] + piece + data[until:]
    return data[: draw(st.integers(0, len(data)))] if draw(st.integers(0, 4)) == 0 else data


READERS: dict[str, list[list[str]]] = {
    **{
        kind: [["check"], ["check", "--board", "5x6"], ["draw"], ["convert", "-o", f"{WRITTEN}.csv"]]
        for kind in (*TOURS, "npy")
    },
    "proof": [["check"], ["check", "--board", "4x4"], ["draw"]],
    "foreign": [["degrees"], ["tsp", "--time-limit", "0.05"], ["check"]],
    "picture": [["degrees"], ["tour", "--time-limit", "0.05"], ["draw", "-o", f"{WRITTEN}.svg"]],
    "graph": [
        ["degrees", "--format", "json"], ["tour", "--time-limit", "0.05"], ["count", "--time-limit", "0.5"]
    ],
}  # fmt: skip


@pytest.mark.parametrize("kind", READERS)
def test_damaged_files(kind: str, tmp_path: Path) -> None:
    home = Path(tempfile.mkdtemp(dir=tmp_path))

    @fuzzed
    @given(damaged(kind), st.sampled_from(READERS[kind]))
    def damage(data: bytes, words: list[str]) -> None:
        path = home / "file.txt"
        path.write_bytes(data)
        assert_answered(home, words[0], str(path), *words[1:])

    damage()


# ---- command lines

BOARDS = [
    "5x6", "3x4", "1x1", "hex:3", "torus:3x4", "mobius:3x4", "cube:2", "3x4x2", "4x4-a1", "3xn", "nxn", "0x3",
    "8x", "-", "", "x", "99999x99999", "hex:0", "5x6-z9", "5x6-a1,,b1", "surface:1x2x3", "2x2x2x2",
    "triangle:5", "nowhere.txt", "a\0b", "\u00d6", "1" * 400, "30x30",
]  # fmt: skip
SMALL = ["3x4", "1x1", "torus:3x3", "4x4-a1", "0x3", "8x", "", "30x30"]
VALUES = [
    "0", "1", "-1", "3", "99999999999999999999", "nan", "inf", "1e-9", "x", "", "a1", "z9", "a1,b3", "camel",
    "1,4", "moves:1,2,3", "moves:9999999999,1", "0,0", "\u00e9", "1M", f"{WRITTEN}.txt", f"{WRITTEN}.svg",
    f"{WRITTEN}.npy", f"{WRITTEN}.gif", "nowhere/x.txt", "text", "json", "csv", "-", "a1-b3", "5:a1",
]  # fmt: skip
BOUNDED = {
    "tour": ["--time-limit", "0.05"], "prove": ["--time-limit", "0.05"], "count": ["--time-limit", "0.5"],
    "list": ["-n", "2"], "sample": ["--memory", "1M"], "check": [], "convert": [], "draw": [], "degrees": [],
    "warnsdorff": [],
}  # fmt: skip


def options_of(command: str) -> list[str]:
    """Return the options of a command, except options that set the amount of work."""
    import click

    from cavalcade.cli import group

    subcommand = group.get_command(click.Context(group), command)
    assert subcommand
    long = ("--number", "--upto", "--threads")  # options that set the amount of work
    names = [
        name
        for parameter in subcommand.params
        if isinstance(parameter, click.Option)
        for name in parameter.opts
    ]
    return [name for name in names if name not in {*long, "-n", "--memory", "--time-limit", "--checkpoint"}]


@st.composite
def lines(draw: DrawFn) -> list[str]:
    """Draw a command, a board, and options with values that may be nonsense."""
    command: Any = draw(st.sampled_from(sorted(BOUNDED.keys() & COMMANDS)))
    # `list` gets small boards, because it has no time limit here
    words = [command, draw(st.sampled_from(SMALL if command == "list" else BOARDS))]
    options = st.sampled_from([*options_of(command), "--nothing"])
    for _ in range(draw(st.integers(0, 3))):
        words.append(draw(options))
        if draw(st.booleans()):
            words.append(draw(st.sampled_from(VALUES)))
    return [*words, *BOUNDED[command]]


def test_odd_command_lines(tmp_path: Path) -> None:
    home = Path(tempfile.mkdtemp(dir=tmp_path))

    @fuzzed
    @given(lines())
    def line(words: list[str]) -> None:
        assert_answered(home, *words)

    line()
