"""Every way in: what is read as meant, and what is refused, with one line that says what was expected."""

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
        ("draw 8x8 --piece moves:1,2,3", "--piece is for tours"),
        ("draw 8x8 --numbers", "--numbers is for tours"),
        ("count 3xn --upto 99999999999999999999", "expected 1 to 10,000"),
        *((f"{command} {'x'.join(['1'] * 64)}", "has 64 sides") for command in ("tour", "draw", "count")),
        ("degrees " + "x".join(["2"] * 31), "has 31 sides and needs 2 to 30"),
    ],
)
def test_refused_options(cli: Callable[..., Ran], line: str, quoted: str) -> None:
    one_error(cli(*line.split()), quoted)


def test_more_tours_than_there_are(cli: Callable[..., Ran]) -> None:
    assert cli("list", "5x6", "-n", "9" * 20).err == "8 closed tours of 5x6: all there are\n"


def test_the_most_sides(cli: Callable[..., Ran]) -> None:
    for side, code in (("1", 0), ("2", 2)):
        for command in ("tour", "degrees", "draw", "warnsdorff"):
            ran = cli(command, "x".join([side] * 30))
            assert ran.code == code, (command, side, ran.err)


# ---- files


def npy(head: str, data: bytes = bytes(480)) -> bytes:
    """A .npy file with this header."""
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data


def described(shape: object, kind: object = "<i4") -> bytes:
    """A .npy file of zeros of this shape."""
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
        if command != "check" or ran.code != 1:  # a wrong step is for check to name
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
        path.write_text(text.replace("knight", piece))
        one_error(cli("check", path))


# ---- too wide is said at once


@pytest.mark.parametrize("board", ["30x30", "10x10x10", "100x100", "torus:30x30"])
def test_too_wide(cli: Callable[..., Ran], board: str) -> None:
    for line in (["count"], ["count", "--open"], ["count", "--symmetry"], ["list", "-n", "1"], ["sample"]):
        ran = cli(line[0], board, *line[1:])
        assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1)
        assert ran.err.startswith("undecided: the board is too wide: at most ")


@pytest.mark.parametrize("line", ["2x10000", "2x10000 --open", "4x3000", "6x1000 --piece camel"])
def test_large_thin_boards_are_refuted_before_any_search(cli: Callable[..., Ran], line: str) -> None:
    ran = cli("tour", *line.split(), "--json")
    assert ran.code == 1
    assert [one["engine"] for one in json.loads(ran.out)["effort"]] == ["reasons"]
