"""Input of all kinds: accepted in common notations, or refused in one line with the expected form."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING

import pytest

from conftest import Ran, one_error

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# ---- options


@pytest.mark.parametrize(
    ("line", "quoted"),
    [
        ("tour 8x8 --piece moves:99999999999,1", "moves:99999999999,1"),
        ("draw 8x8 --piece moves:1,2,3", "--piece moves:1,2,3 works only with a tour"),
        ("draw 8x8 --numbers", "--numbers works only with a tour"),
        ("count 3xn --upto 99999999999999999999", "expected 1 to 10,000"),
        *((f"{command} {'x'.join(['1'] * 64)}", "has 64 sides") for command in ("tour", "draw", "count")),
        ("degrees " + "x".join(["2"] * 31), "has 31 sides, expected 2 to 30"),
    ],
)
def test_refused_options(cli: Callable[..., Ran], line: str, quoted: str) -> None:
    one_error(cli(*line.split()), quoted)


def test_more_tours_than_there_are(cli: Callable[..., Ran]) -> None:
    assert cli("list", "5x6", "-n", "9" * 20).err == "8 closed tours of 5x6: all of them, counted twice\n"


def test_the_most_sides(cli: Callable[..., Ran]) -> None:
    wazir = ("--piece", "0,1")  # the wazir has the fewest moves
    for side, codes in (("1", {0}), ("2", {2, 3})):
        for command, *piece in (("tour",), ("degrees", *wazir), ("draw",), ("warnsdorff", *wazir)):
            ran = cli(command, "x".join([side] * 30), *piece)
            assert ran.code in codes, (command, side, ran.err)


# ---- files


def npy(head: str, data: bytes = bytes(480)) -> bytes:
    """Return a .npy file with a given header."""
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data


def described(shape: object, kind: object = "<i4") -> bytes:
    """Return a .npy file of zeros with a given shape."""
    return npy(f"{{'descr': {kind!r}, 'fortran_order': False, 'shape': {shape}, }}\n")


DAMAGED = {
    "no end": npy("{'descr': '<i4', 'shape': (5, 6)" + " " * 20 + "\n"),
    "open string": npy("{'descr': '<i4', 'shape': (5, 6), '''\n"),
    "bytes": npy("{b'descr': '<i4', 'fortran_order': False, 'shape': (5,6), }\n"),
    "deep": npy("(" * 9000 + ")" * 9000),
    "nothing": npy(""),
    "too large": described((10**20, 6)),
    "too large together": described((10**10, 10**13)),
    "larger than the file": described((50, 60)),
    "negative": described((-5, 6)),
    "twice negative": described((-5, -6)),
    "boolean": described((True, 6)),
    "empty": described((0, 6)),
    "no shape": described(()),
    "too many sides": described((1,) * 70),
    "sides": described((1,) * 33),
    "objects": described((5, 6), "|O"),
    "records": described((5, 6), [("a", "<i4")]),
    "no type": described((5, 6), "<q99"),
    "steps beyond 64 bits": npy(described((5, 6), "<u8")[10:-480].decode(), b"\xff" * 480),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_arrays(cli: Callable[..., Ran], tmp_path: Path, damage: str) -> None:
    path = tmp_path / "tour.npy"
    path.write_bytes(DAMAGED[damage])
    for command in ("convert", "draw", "check"):
        ran = cli(command, path)
        if command != "check" or ran.code != 1:  # `check` reports wrong steps with exit code 1
            one_error(ran)


@pytest.mark.parametrize("format_", ["text", "json", "csv", "tour", "wide"])
@pytest.mark.parametrize("piece", ["moves:1,2,3", "moves:99999999999,1"])
def test_a_piece_that_does_not_fit_its_board(
    cli: Callable[..., Ran], tmp_path: Path, format_: str, piece: str
) -> None:
    path = tmp_path / "tour"
    path.write_text(cli("tour", "5x6", "--format", format_).out.replace("knight", piece))
    whole = tmp_path / "whole.npy"
    cli("tour", "5x6", "-o", whole)
    for command in ("check", "convert", "draw"):
        one_error(cli(command, path))
        one_error(cli(command, whole, "--piece", piece))


def test_a_certificate_with_a_piece_that_does_not_fit(cli: Callable[..., Ran], tmp_path: Path) -> None:
    path = tmp_path / "no.proof"
    assert cli("prove", "4x4", "-o", path).code == 1
    text = path.read_text()
    for piece in ("moves:1,2,3", "moves:99999999999,1"):
        path.write_text(text.replace("tour of 4x4", f"tour of 4x4 by the piece {piece}"))
        one_error(cli("check", path))


# ---- boards that are too wide


@pytest.mark.parametrize("board", ["30x30", "10x10x10", "100x100", "torus:30x30"])
def test_too_wide(cli: Callable[..., Ran], board: str) -> None:
    for line in (["count"], ["count", "--open"], ["count", "--symmetry"], ["list", "-n", "1"], ["sample"]):
        ran = cli(line[0], board, *line[1:])
        assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1)
        assert ran.err.startswith("undecided: the board is too wide: at most ")


@pytest.mark.parametrize(
    "line",
    [
        "10x10",
        "8x8 --open",
        "8x8 --symmetry",
        "10x10 --symmetry half-turn",
        "8x8 --by slope",
        "8x8 --at 1=a1 --at 9=e5",
        "6xn",
        "6x400",
    ],
)
def test_a_count_ends_in_time(cli: Callable[..., Ran], line: str) -> None:
    ran = cli("count", *line.split(), "--time-limit", "0.05")
    assert (ran.code, ran.err.count("\n")) == (3, 1)
    assert line == "6xn" or not ran.out  # the first terms are printed
    assert ran.err.startswith("undecided: the time limit of 0.05 s is reached: ")


def test_a_count_in_time_is_the_count(cli: Callable[..., Ran]) -> None:
    assert cli("count", "6x6", "--time-limit", "600").out == "9862\n"
    one_error(cli("count", "6x6", "--time-limit", "0"), "0")


@pytest.mark.parametrize("line", ["2x10000", "2x10000 --open", "4x3000", "6x1000 --piece camel"])
def test_large_thin_boards_are_refuted_before_any_search(cli: Callable[..., Ran], line: str) -> None:
    ran = cli("tour", *line.split(), "--json")
    assert ran.code == 1
    assert {effort_row["engine"] for effort_row in json.loads(ran.out)["effort"]} <= {"template", "reasons"}


RING = "closed tour of 3x3, piece knight\n  a b c\n3 1 4 7\n2 6 # 2\n"


@pytest.mark.parametrize(
    ("name", "text", "answer"),
    [
        (
            "picture.txt",
            ". . .\n. # .\n. . .\n",
            RING,
        ),
        (
            "picture.txt",
            ".\t.\t.\n.\t#\t.\n.\t.\t.\n",
            RING,
        ),
        (
            "picture.csv",
            ".,.,.\n.,#,.\n.,.,.\n",
            RING,
        ),
        ("picture.txt", "...\n. .\n...\n", RING),
        ("picture.txt", "...\n.x.\n...\n", RING),
        ("picture.txt", "...\n.z.\n...\n", "line 2, column 2: 'z' is neither '.'"),
        ("picture.txt", ". . .\n.. .\n. . .\n", "line 2, column 2: no space"),
        ("cells.txt", "a1 c2 e3\n", "line 1, column 7, 'a1 c2 e3': a list of cells is a tour"),
        ("cells.txt", "a1\nc2\ne3\n", "a list of cells is a tour"),
        ("links.csv", "Id;Source;Target;Label\n1;a;b;x\n2;b;c;\n3;c;a;\n", "closed tour of graph:links"),
        ("links.csv", "Weight,To,From\n1,a,b\n2,b,c\n1,c,a\n", "closed tour of graph:links"),
        ("links.csv", "Id;Source;Target\n1;a;b\n2;b\n", "line 3, '2;b': 2 columns, expected 3"),
        ("links.csv", ",a,b\n,b,c\n", "line 1, ',a,b': column 1 is empty"),
    ],
)
def test_boards_in_common_notations(
    cli: Callable[..., Ran], tmp_path: Path, name: str, text: str, answer: str
) -> None:
    (tmp_path / name).write_text(text)
    ran = cli("tour", tmp_path / name)
    if ran.code:
        one_error(ran, answer)
    else:
        assert ran.out.startswith(f"; {answer}")


def test_tours_in_common_notations(cli: Callable[..., Ran], tmp_path: Path) -> None:
    grid = [line.split()[1:] for line in cli("tour", "5x6").out.splitlines()[2:]]
    names = sorted(
        (int(step), f"{'abcdef'[j]}{5 - i}") for i, row in enumerate(grid) for j, step in enumerate(row)
    )
    cells = [name for _, name in names]
    path = tmp_path / "tour.txt"
    for mark in (" ", "  ", ",", ", ", ";", "\t", '","'):
        for first in (0, 1):
            rows = [mark.join(str(int(step) - 1 + first) for step in row) for row in grid]
            path.write_text("\n".join(f'"{row}"' if '"' in mark else row for row in rows) + "\n")
            assert cli("check", path) == (0, "a closed tour of 5x6: 30 cells, each visited once\n", "")
        path.write_text((mark if '"' not in mark else "\n").join(cells))
        assert cli("check", path, "--board", "5x6").code == 0
    path.write_text("\n".join(" ".join(row) for row in grid).replace("17", "l7"))
    one_error(cli("check", path), "line ", "column ", "'l7' is not a step, expected a number")
    path.write_text(" ".join(cells).replace("c3", "c9"))
    column = f"line 1, column {1 + 3 * cells.index('c3')}"
    one_error(cli("check", path, "--board", "5x6"), column, "'c9' is not a cell of 5x6")
    one_error(cli("check", path), "--board")
    path.write_text("\n".join(",".join(row) for row in grid).replace("17", ""))
    one_error(cli("check", path), "an empty field")


# ---- output files


@pytest.mark.parametrize("command", ["tour", "list", "sample"])
def test_endings_select_formats_in_all_commands(
    cli: Callable[..., Ran], tmp_path: Path, command: str
) -> None:
    number = () if command == "tour" else ("-n", 1)
    for ending in ("txt", "csv", "parquet", "json", "tour", "wide", "npy"):
        path = tmp_path / f"some.{ending}"
        assert cli(command, "5x6", *number, "-o", path).code == 0
        assert cli("check", path).out == "a closed tour of 5x6: 30 cells, each visited once\n", ending
    for ending, first in (("svg", b"<svg"), ("png", b"\x89PNG")):
        path = tmp_path / f"some.{ending}"
        assert cli(command, "5x6", *number, "-o", path).code == 0
        assert path.read_bytes().startswith(first)
    assert cli(command, "5x6", *number, "-o", "-").out == cli(command, "5x6", *number).out
    one_error(cli(command, "5x6", "-o", tmp_path / "some.bmp"), "some.bmp'. Pictures: ")
    one_error(cli(command, "5x6", "-o", tmp_path / "nowhere" / "some.txt"), "nowhere")
    assert not (tmp_path / "some.bmp").exists()


def test_without_a_tour_no_file_is_written(cli: Callable[..., Ran], tmp_path: Path) -> None:
    for line in (["list", "4x4"], ["sample", "4x4"], ["tour", "4x4"]):
        assert cli(*line, "-o", tmp_path / "none.txt").code == 1
    assert not list(tmp_path.iterdir())


def test_unsupported_endings_are_refused(cli: Callable[..., Ran], tmp_path: Path) -> None:
    one_error(cli("list", "5x6", "-o", tmp_path / "all.npy"), "holds one tour", "-n 1")
    for ending in ("csv", "svg", "npy"):
        one_error(cli("reproduce", "gerlach2015", "-o", tmp_path / f"report.{ending}"), "expected .txt, .md")
    assert not list(tmp_path.iterdir())
    assert cli("draw", "5x6", "-o", "-").out.startswith("<svg")
