"""The command line: its output, its exit codes, and one clear line for each error."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cavalcade.answers.tours import Tour
from cavalcade.boards.notation import parse_board
from cavalcade.cli import COMMANDS
from cavalcade.formats import read
from cavalcade.question.pieces import parse_piece
from cavalcade.question.words import TIES
from conftest import Ran, one_error
from examples import renewed, timeless
from strategies import is_tour, ways_of

if TYPE_CHECKING:
    from collections.abc import Callable


sys.path.append(str(Path(__file__).parent.parent / "benchmarks"))

import verbs

CAVALCADE = [sys.executable, "-c", "import sys; from cavalcade.cli import main; sys.exit(main())"]
READABLE = ("text", "json", "csv", "tour", "wide")


Cli = "Callable[..., Ran]"


def start(*arguments: object, **options: Any) -> subprocess.Popen[bytes]:
    """Start the command line in a process of its own."""
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([*CAVALCADE, *map(str, arguments)], **(streams | options))


CONTROL_C = """
import os, signal, sys
from cavalcade.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGPROF, lambda *_: os.kill(os.getpid(), signal.SIGINT))
signal.setitimer(signal.ITIMER_PROF, float(sys.argv[1]))
sys.exit(main(sys.argv[2:]))
"""


def interrupted(seconds: float, *arguments: object) -> Ran:
    """Run the command line in a process of its own, with Ctrl-C after some seconds of its processor time."""
    command = [sys.executable, "-c", CONTROL_C, str(seconds), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    return Ran(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def ring(tmp_path: Path) -> Path:
    """A text file of a board: a ring of eight cells."""
    path = tmp_path / "ring.txt"
    path.write_text("; around the middle\n...\n.#.\n...\n")
    return path


@pytest.fixture
def petersen(tmp_path: Path) -> Path:
    """A file of the Petersen graph, which has a Hamiltonian path but no Hamiltonian cycle."""
    path = tmp_path / "petersen.edges"
    outer = [f"o{i} o{(i + 1) % 5}\no{i} i{i}\ni{i} i{(i + 2) % 5}\n" for i in range(5)]
    path.write_text("".join(outer))
    return path


# ---- tour


@pytest.mark.parametrize(
    "arguments",
    [
        ["8x8"],
        ["5x6"],
        ["3x10"],
        ["6x7", "--seed", "5"],
        ["4x8x8"],
        ["3x4x4x4"],
        ["hex:4"],
        ["hex:6", "--from", "f11"],
        ["torus:5x7"],
        ["cylinder:5x6"],
        ["klein:4x4"],
        ["mobius:3x5"],
        ["8x8", "--without", "a1,b1"],
        ["10x10", "--piece", "1,4"],
        ["10x10", "--piece", "zebra"],
        ["5x5", "--open"],
        ["7x7", "--open", "--from", "a1"],
        ["8x8", "--open", "--from", "a1", "--to", "h7"],
        ["8x8", "--open", "--to", "c3"],
    ],
    ids=" ".join,
)
def test_tour_as_json_is_one_valid_object(cli: Callable[..., Ran], arguments: list[str]) -> None:
    ran = cli("tour", *arguments, "--json")
    assert (ran.code, ran.err) == (0, "")
    answer = json.loads(ran.out)
    assert ran.out.count("\n") == 1
    keys = ["board", "piece", "kind", "status", "cells", "coords", "method", "seed", "seconds", "effort"]
    assert list(answer) == keys
    options = dict(pairwise(arguments[1:]))
    board, piece = parse_board(answer["board"]), parse_piece(answer["piece"])
    without = options.get("--without")
    assert board == (parse_board(arguments[0] + (f"-{without}" if without else "")))
    assert piece == parse_piece(options.get("--piece", "knight"))
    assert answer["kind"] == ("open" if "--open" in arguments else "closed")
    assert (answer["status"], answer["seed"]) == ("found", int(options.get("--seed", 0)))
    assert answer["cells"][0] == options.get("--from", answer["cells"][0])
    assert answer["cells"][-1] == options.get("--to", answer["cells"][-1])
    tour = Tour.from_names(board, answer["cells"], closed=answer["kind"] == "closed", piece=piece)
    assert is_tour(tour, ways_of(tour))
    assert answer["coords"] == board.coords[tour.cells].tolist()


def test_a_large_tour_by_its_coordinates_alone(cli: Callable[..., Ran]) -> None:
    coords = json.loads(cli("tour", "200x200", "--json").out)["coords"]
    assert sorted(coords) == [[row, column] for row in range(200) for column in range(200)]
    assert all(
        sorted((abs(a - c), abs(b - d))) == [1, 2] for (a, b), (c, d) in pairwise([*coords, coords[0]])
    )


def test_the_same_seed_gives_the_same_tour(cli: Callable[..., Ran]) -> None:
    first, second = (cli("tour", "5x6", "--seed", 3, "--format", "tour").out for _ in range(2))
    assert first == second != ""


def test_no_tour_as_json_is_one_object(cli: Callable[..., Ran]) -> None:
    ran = cli("tour", "3x3", "--json", "--time-limit", 2)
    answer = json.loads(ran.out)
    assert (ran.code, answer["status"]) in {(1, "impossible"), (3, "undecided")}
    assert answer["reason"]
    assert not answer["cells"]
    plain = cli("tour", "3x3", "--time-limit", 2)
    assert (plain.code, plain.out) == (ran.code, "")
    assert plain.err.startswith(f"{answer['status']}: {answer['reason']} By Schwenk's theorem")
    assert plain.err.count("\n") == 1


@pytest.mark.parametrize("board", ["6x6", "2x3x4", "hex:4", "torus:3x4", "6x6-a1,b1"])
def test_every_format_is_written_read_and_converted(
    cli: Callable[..., Ran], tmp_path: Path, board: str
) -> None:
    first = tmp_path / "first.json"
    assert cli("tour", board, "--open", "-o", first) == (0, "", "")
    tour = read(first)
    for format_ in READABLE:
        printed = cli("convert", first, "--format", format_)
        assert (printed.code, printed.err) == (0, "")
        path = tmp_path / f"copy.{format_}"
        path.write_text(printed.out)
        assert read(path, board=board) == tour
        checked = cli("check", path, "--board", board)
        assert (checked.code, checked.err) == (0, "")
        assert f"{len(tour)} cells, each visited once" in checked.out
    for ending, begins in (("svg", b"<svg"), ("png", b"\x89PNG")):
        picture = tmp_path / f"tour.{ending}"
        assert cli("convert", first, "-o", picture) == (0, "", "")
        assert picture.read_bytes().startswith(begins)


def test_the_text_is_the_board_and_levels_may_lie_side_by_side(cli: Callable[..., Ran]) -> None:
    below = cli("tour", "2x4x4", "--open").out
    beside = cli("tour", "2x4x4", "--open", "--beside").out
    assert below.count("\n") > beside.count("\n")
    assert sorted(below.replace("|", "").split()) != []
    assert " | 2:" in beside
    text = cli("tour", "8x8").out
    numbers = sorted(int(word) for line in text.splitlines()[-8:] for word in line.split()[1:])
    assert numbers == list(range(1, 65))


def test_boards_from_files(cli: Callable[..., Ran], ring: Path, petersen: Path, tmp_path: Path) -> None:
    assert json.loads(cli("tour", ring, "--json").out)["board"] == "3x3-b2"
    ran = cli("tour", petersen, "--open", "--from", "o1", "--json")
    answer = json.loads(ran.out)
    assert (answer["piece"], answer["cells"][0], len(set(answer["cells"]))) == (None, "o1", 10)
    assert cli("tour", petersen, "--time-limit", 0.2).code in {1, 3}
    cycle = tmp_path / "cycle.hcp"
    cycle.write_text(
        "NAME : c\nTYPE : HCP\nDIMENSION : 4\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n"
        "1 2\n2 3\n3 4\n4 1\n-1\nEOF\n"
    )
    out = tmp_path / "cycle.tour"
    assert cli("tour", cycle, "-o", out) == (0, "", "")
    assert cli("check", out, "--board", cycle).code == 0


def test_files_as_spreadsheets_and_editors_write_them(cli: Callable[..., Ran], tmp_path: Path) -> None:
    links = tmp_path / "triangle.csv"
    links.write_bytes(b"\xef\xbb\xbfSource;Target;Weight\r\na;b;1,5\r\nb;c;2\r\nc;a;0,5\r\n")
    header, *rows = cli("tour", links).out.splitlines()
    assert header.startswith("; closed tour of graph:triangle, digest ")
    assert rows == ["a", "b", "c"]
    proof = tmp_path / "proof.json"
    assert cli("prove", "4x4", "-o", proof).code == 1
    proof.write_text(json.dumps(json.loads(proof.read_text()), indent=1))
    assert cli("check", proof).code == 0
    proof.write_text('{"certificate": 1}')
    one_error(cli("check", proof), f"{proof}: ")
    one_error(cli("tour", proof), f"{proof} holds a proof: try cavalcade check")
    cli("tour", "5x6", "-o", tour := tmp_path / "tour.txt")
    one_error(cli("tour", tour), "tour.txt: it is a tour, expected a board or a graph")


def test_verbose_output_goes_to_standard_error(cli: Callable[..., Ran]) -> None:
    ran = cli("tour", "8x8", "--verbose", "--json")
    assert json.loads(ran.out)["status"] == "found"
    assert "8x8, 64 cells" in ran.err


# ---- check, degrees, warnsdorff, draw, reproduce


def test_check_accepts_a_tour_and_refuses_a_damaged_one(cli: Callable[..., Ran], tmp_path: Path) -> None:
    path = tmp_path / "tour.csv"
    cli("tour", "8x8", "-o", path)
    assert cli("check", path).out == "a closed tour of 8x8: 64 cells, each visited once\n"
    assert cli("check", path, "--piece", "camel").code == 1
    lines = path.read_text().splitlines()
    lines[10], lines[20] = (
        ",".join([lines[i].split(",")[0], *lines[j].split(",")[1:]]) for i, j in ((10, 20), (20, 10))
    )
    path.write_text("\n".join(lines) + "\n")
    ran = cli("check", path)
    assert (ran.code, ran.err) == (1, "")
    assert "is not a knight move" in ran.out


def test_check_reads_standard_input(cli: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    expected = "a closed tour of 8x8: 64 cells, each visited once\n"
    for format_ in READABLE:
        stdin = io.BytesIO(cli("tour", "8x8", "--format", format_).out.encode())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(stdin)))
        assert cli("check", "-") == Ran(0, expected, "")
    with start("tour", "8x8") as tour, start("check", "-", stdin=tour.stdout) as check:
        out, err = check.communicate()
        assert (check.returncode, out.decode(), err) == (0, expected, b"")


def test_degrees(cli: Callable[..., Ran]) -> None:
    assert cli("degrees", "3x4").out.split("\n")[1:4] == ["3 2 3 3 2", "2 2 2 2 2", "1 2 3 3 2"]
    assert cli("degrees", "3x3", "--format", "wide").out == (
        "m11 m12 m13 m21 m22 m23 m31 m32 m33\n2 2 2 2 0 2 2 2 2\n"
    )
    assert cli("degrees", "2x3", "--format", "csv").out == "name,degree\na2,1\nb2,0\nc2,1\na1,1\nb1,0\nc1,1\n"
    table = json.loads(cli("degrees", "hex:6", "--format", "json").out)
    assert dict(zip(table["cells"], table["degrees"], strict=True))["f6"] == 12


@pytest.mark.parametrize(("ties", "fails"), [("first", "g6 g3 f2 g2 g1"), ("last", "b8 b7 c7 b6 b3")])
def test_warnsdorff_fails_where_the_paper_says(cli: Callable[..., Ran], ties: str, fails: str) -> None:
    ran = cli("warnsdorff", "8x8", "--all", "--ties", ties, "--as-printed")
    le = "with LT" if ties == "first" else "with LE for LT"
    note = f"as printed in Gerlach 2015 (Completing the tour) and 2019 (%ktour), {le}\n"
    assert (ran.code, ran.err) == (0, note)
    title, *lines = ran.out.splitlines()
    assert "59 of 64 starts succeed, 92.2 %" in title
    assert sorted(line.split()[0] for line in lines) == sorted(fails.split())


def test_a_stuck_walk_is_printed(cli: Callable[..., Ran]) -> None:
    good = cli("warnsdorff", "8x8")
    assert (good.code, good.err) == (0, "")
    assert "64" in good.out.split()
    stuck = cli("warnsdorff", "8x8", "--from", "g6", "--as-printed")
    assert stuck.code == 3
    assert "stuck on f4 after 60 of 64 cells" in stuck.err
    assert stuck.out.startswith("; walk of 8x8, 60 of 64 cells, piece knight\n")
    assert "." in stuck.out.split()


@pytest.mark.parametrize(
    "words",
    [["2x4x4x4", "--all"], ["hex:4"], ["8x8", "--ties", "pohl"], ["8x8", "--piece", "camel"], ["8x8-a1"]],
)
def test_as_printed_is_refused_outside_the_papers_program(cli: Callable[..., Ran], words: list[str]) -> None:
    ran = cli("warnsdorff", *words, "--as-printed")
    assert (ran.code, ran.out) == (2, "")
    assert "it needs a rectangle such as 8x8, the knight and --ties first or last, not" in ran.err


def test_the_papers_program_is_an_order_and_a_start_not_counted(cli: Callable[..., Ran]) -> None:
    """`--ties last` is `--ties first` with reversed moves; other options reproduce --as-printed."""
    printed = cli("warnsdorff", "10x12", "--ties", "last", "--as-printed", "--all").out
    own = cli("warnsdorff", "10x12", "--no-count-start", "--order", "87654321", "--all").out
    assert printed.splitlines()[1:] == own.splitlines()[1:]
    assert printed != cli("warnsdorff", "10x12", "--ties", "last", "--all").out
    assert "as printed in" in cli("warnsdorff", "10x12", "--as-printed").err


def test_ties_of_every_kind(cli: Callable[..., Ran]) -> None:
    for ties in TIES:
        ran = cli("warnsdorff", "10x10", "--ties", ties)
        assert ran.code in {0, 3}, ties
        assert ran.out


def test_draw(cli: Callable[..., Ran], tmp_path: Path, ring: Path) -> None:
    tour = tmp_path / "tour.txt"
    cli("tour", "6x6", "-o", tour)
    empty, drawn, plain = (
        cli("draw", "6x6", "--empty"),
        cli("draw", tour, "--numbers"),
        cli("draw", tour, "--no-numbers"),
    )
    for ran in (empty, drawn, plain, cli("draw", ring), cli("draw", "hex:3", "--empty")):
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.startswith("<svg")
    assert cli("draw", "6x6").err == "an empty board (--empty); with a tour: cavalcade tour 6x6 -o tour.svg\n"
    assert len(empty.out) < len(plain.out) < len(drawn.out)
    picture = tmp_path / "tour.png"
    assert cli("draw", tour, "-o", picture) == (0, "", "")
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_reproduce(cli: Callable[..., Ran], tmp_path: Path) -> None:
    ran = cli("reproduce", "gerlach2015")
    assert (ran.code, ran.err) == (0, "")
    assert "KNIGHTMOVES" in ran.out
    page = tmp_path / "report.html"
    assert cli("reproduce", "gerlach2015", "-o", page).code == 0
    assert page.read_text().startswith("<!doctype html>")
    report = json.loads(cli("reproduce", "gerlach2015", "--format", "json").out)
    assert sum(report["outcomes"].values()) == len(report["items"])
    for item in report["items"][::9]:
        shown = cli("reproduce", "gerlach2015", "--item", item["name"]).out
        assert shown.startswith(
            f"[printed {item['outcome']}, meant {item['meant']}] {item['name']}, {item['place']}\n"
        )
        assert " ".join(item["recomputed"].split()) in " ".join(shown.split())
    for bad in (
        [],
        ["all"],
        ["all", "--item", "no such item"],
        ["gerlach2015", "--list", "--item", "Table 1"],
        ["gerlach2015", "--item", "moves of", "--json"],
        ["story"],
        ["story", "--json"],
        ["story", "-o", "s.txt"],
    ):
        one_error(cli("reproduce", *bad), as_json="--json" in bad)


def test_only_what_writes_directories_takes_a_directory(cli: Callable[..., Ran], tmp_path: Path) -> None:
    one_error(cli("tour", "6x6", "-o", f"{tmp_path}/"), "a directory, expected a file", f"-o {tmp_path}.pdf")
    one_error(cli("reproduce", "--list", "-o", tmp_path), "Is a directory")  # `all` would write there
    assert cli("count", "6x6", "--shards", "2", "-o", tmp_path).out == "9862\n"


# ---- each error is one clear line


@pytest.mark.parametrize(
    ("arguments", "quoted"),
    [
        (["tour", "8x"], "'8x'"),
        (["tour", "moon:8x8"], "'moon:8x8'"),
        (["tour", "8x8", "--without", "z9"], "'z9'"),
        (["tour", "8x8", "--without", "a1,,b1"], "'a1,,b1'"),
        (["tour", "1x1", "--without", "a1"], "no"),
        (["tour", "8x8", "--piece", "pawn"], "'pawn'"),
        (["tour", "4x4x4", "--piece", "moves:1,2"], "4x4x4"),
        (["tour", "8x8", "--from", "i9"], "'i9'"),
        (["tour", "8x8", "--open", "--from", "a1", "--to", "a1"], "same"),
        (["tour", "8x8", "--to", "a1"], "--to a1 works only with --open: add it"),
        (["tour", "8x8", "--seed", "x"], "'x'"),
        (["tour", "8x8", "--time-limit", "nan"], "nan"),
        (["tour", "8x8", "--time-limit", "-1"], "-1"),
        (["tour", "8x8", "--format", "bmp"], "'bmp'"),
        (["tour", "8x8", "--json", "--format", "csv"], "csv"),
        (["tour", "8x8", "-o", "tour.bmp"], "'tour.bmp'"),
        (["tour", "8x8", "-o", "nowhere/tour.svg"], "nowhere"),
        (["tour", "nowhere.txt"], "nowhere.txt"),
        (["tour", "nowhere.hcp"], "nowhere.hcp"),
        (["tour"], "BOARD"),
        (["tour", "8x8", "--fast"], "--fast"),
        (["tour", "8x8", "9x9"], "9x9"),
        (["gallop"], "'gallop'"),
        (["check", "nowhere.csv"], "nowhere.csv"),
        (["warnsdorff", "8x8", "--ties", "best"], "'best'"),
        (["warnsdorff", "8x8", "--all", "--from", "a1"], "--from a1"),
        (["reproduce", "gerlach2014"], "'gerlach2014'"),
        (["draw", "8x"], "'8x'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input(
    cli: Callable[..., Ran],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    quoted: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    one_error(cli(*arguments), quoted, as_json="--json" in arguments)
    assert not list(tmp_path.iterdir())


def test_ends_of_the_wrong_colour(cli: Callable[..., Ran]) -> None:
    ran = cli("tour", "8x8", "--open", "--from", "a1", "--to", "h8", "--time-limit", 0.2)
    assert ran.code in {1, 3}
    assert (ran.out, ran.err.count("\n")) == ("", 1)


@pytest.mark.parametrize(
    ("name", "content", "quoted"),
    [
        ("empty.txt", b"", "empty.txt"),
        ("holes.txt", b"##\n##\n", "no cell"),
        ("odd.txt", b"...\n..z\n", "line 2"),
        ("binary.txt", b"\x89PNG\r\n\x1a\n\x00\xff", "binary.txt"),
        ("zeros.txt", bytes(1000), "zeros.txt"),
        ("cut.hcp", b"NAME : c\nTYPE : HCP\nDIMENSION : 4\nEDGE_DATA_SECTION\n1 2\n2 3\n", "cut.hcp"),
        ("loop.edges", b"1 2\n2 3\n3 3\n", "line 3"),
        ("odd.edges", b"1 2\n2 3 4\n", "line 2"),
    ],
)
def test_bad_board_files(
    cli: Callable[..., Ran], tmp_path: Path, name: str, content: bytes, quoted: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    one_error(cli("tour", path), quoted)


@pytest.mark.parametrize("format_", READABLE)
def test_a_truncated_file_is_never_a_tour(cli: Callable[..., Ran], tmp_path: Path, format_: str) -> None:
    whole = cli("tour", "6x6", "--format", format_).out
    path = tmp_path / "cut"
    for kept in range(0, len(whole) - 6, max(len(whole) // 25, 1)):
        path.write_text(whole[:kept])
        ran = cli("check", path, "--board", "6x6")
        if ran.code != 1:  # a complete number of rows is a walk, and the checker reports missing cells
            one_error(ran, "cut")


def test_unreadable_and_unwritable_files(cli: Callable[..., Ran], tmp_path: Path) -> None:
    one_error(cli("check", tmp_path), str(tmp_path))
    one_error(cli("tour", "5x6", "-o", f"{tmp_path}/"), str(tmp_path))
    binary = tmp_path / "binary"
    binary.write_bytes(bytes(range(256)))
    one_error(cli("check", binary), "binary")
    one_error(cli("check", "\0"), "\\x00")
    assert list(tmp_path.iterdir()) == [binary]


@pytest.mark.skipif(os.geteuid() == 0, reason="everything is permitted to root")
def test_permission_denied(cli: Callable[..., Ran], tmp_path: Path) -> None:
    shut = tmp_path / "shut.txt"
    shut.write_text("..")
    shut.chmod(0)
    one_error(cli("tour", shut), "shut.txt")
    tmp_path.chmod(0o500)
    one_error(cli("tour", "5x6", "-o", tmp_path / "new.txt"), "new.txt")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk(cli: Callable[..., Ran]) -> None:
    one_error(cli("tour", "5x6", "-o", "/dev/full", "--format", "text"), "/dev/full", "No space left")
    with Path("/dev/full").open("wb") as full, start("tour", "5x6", stdout=full) as ran:
        err = ran.communicate()[1].decode()
    one_error(Ran(ran.returncode, "", err), "No space left")


def test_not_enough_memory() -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))\n"
    command = [sys.executable, "-c", limit + CAVALCADE[2], "tour", "10000x10000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("undecided: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("board", ["40000x40000", "100000x100000", "999999998x999999999"])
def test_too_large_is_undecided(cli: Callable[..., Ran], board: str) -> None:
    ran = cli("tour", board, "--memory", "4G")
    assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1)
    assert ran.err.startswith("undecided: ")
    assert board in ran.err


def test_control_c_leaves_nothing_behind(cli: Callable[..., Ran], tmp_path: Path) -> None:
    target, snark = tmp_path / "tour.txt", tmp_path / "snark.edges"
    target.write_text("as it was")
    star, turn = "a{0} b{0}\na{0} c{0}\na{0} d{0}\n", "b{0} b{1}\nc{0} c{1}\nd{0} d{1}\n"
    lines = [star.format(i) + (turn.format(i - 1, i) if i else "b42 b0\nc42 d0\nd42 c0\n") for i in range(43)]
    snark.write_text("".join(lines))  # Isaacs' flower snark: it has no tour, and no simple rule refutes it
    assert cli("tour", snark, "--engine", "sat", "--time-limit", 0.5).code in {
        1,
        3,
    }  # this run compiles the kernels
    stopped = interrupted(1.0, "tour", snark, "--engine", "sat", "--time-limit", 60, "-o", target)
    assert (stopped.code, stopped.out, stopped.err) == (130, "", "error: interrupted\n")
    assert target.read_text() == "as it was"
    assert set(tmp_path.iterdir()) == {target, snark}


def test_control_c_keeps_the_walks_that_were_done(cli: Callable[..., Ran]) -> None:
    assert "starts succeed" in cli("warnsdorff", "20x20", "--all").out  # this run compiles the kernel
    stopped = interrupted(2.0, "warnsdorff", "150x150", "--all")
    assert stopped.code == 130
    assert stopped.err.startswith("interrupted after ")
    assert "starts succeed" in stopped.out


def test_a_closed_pipe_is_quiet() -> None:
    with start("degrees", "600x600") as running:
        assert running.stdout
        assert running.stderr
        running.stdout.read(10)
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 141


def test_progress_appears_on_terminals_only() -> None:
    """Progress appears after two seconds, and only on a terminal."""
    with start("warnsdorff", "10x10", "--all") as piped:
        out, err = piped.communicate()
    assert (piped.returncode, err) == (0, b"")
    assert b"\x1b" not in out
    ours, theirs = pty.openpty()
    with start("warnsdorff", "100x100", "--all", "--time-limit", "6", stderr=theirs) as watched:
        watched.communicate()
    os.close(theirs)
    assert b"walking" in os.read(ours, 100_000)
    os.close(ours)


# ---- documentation


ROOT = Path(__file__).parent.parent
PAGES = [
    "README.md",
    "docs/constraints.md",
    *sorted(f"docs/commands/{page.name}" for page in ROOT.glob("docs/commands/*.md")),
]


@pytest.mark.parametrize("name", PAGES)
def test_the_documented_output_is_real(name: str) -> None:
    page = (ROOT / name).read_text(encoding="utf-8")
    assert timeless(renewed(page)) == timeless(page)


def test_no_arguments_show_the_help(cli: Callable[..., Ran]) -> None:
    bare, explicit = cli(), cli("--help")
    assert bare == explicit
    assert all(f"  {name} " in bare.out for name in COMMANDS)
    listed = [line for line in bare.out.partition("\nAsk:\n")[2].splitlines() if line.startswith("  ")]
    assert [line.split()[0] for line in listed] == list(COMMANDS)  # no summary needs a second line
    assert "\n  cavalcade count 6x6 " in bare.out  # each example is a line
    assert cli("--version").out.startswith("cavalcade ")


def test_a_board_is_a_command(cli: Callable[..., Ran]) -> None:
    for board in ("5x6", "torus:3x4", "8x8-a1,b1"):
        assert cli(board, "--quiet")[:2] == cli("tour", board, "--quiet")[:2]
    one_error(cli("moon:5x5"), "'moon:5x5'")
    one_error(cli("8"), "there is no command '8'")


@pytest.mark.parametrize(
    "words", ["--title x.txt", "--coordinates c.csv", "--proof x.proof", "--palette p.json"]
)
def test_no_other_option_is_taken_for_output(
    words: str, cli: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    one_error(cli("tour", "6x6", *words.split()), f"no option '{words.split(maxsplit=1)[0]}'")
    assert not list(tmp_path.iterdir())


def test_an_example_writes_over_no_file(
    cli: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli("tour", "6x6", "-o", "tour.txt").code == 0
    assert cli("tour", "6x6", "-o", "new1.txt").code == 0
    one_error(cli("convert", "tour.txt", "-o"), "for example: cavalcade convert tour.txt -o new2.txt")


def test_an_error_of_a_line_with_help(cli: Callable[..., Ran]) -> None:
    """The line is tried without showing its help, and a long line word by word is no endless recursion."""
    one_error(cli("tour", "6x6", "--nonsense", "--help"), "no option '--nonsense'")
    one_error(cli("prov", "6x6", "--help"), "there is no command 'prov'")
    one_error(cli(*["frob"] * 500), "there is no command 'frob'")


def test_help_imports_no_command() -> None:
    script = (
        "import sys; from cavalcade.cli import main; main(['--help']); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "cavalcade.cli.menu" in done.stderr
    assert "cavalcade.cli.commands." not in done.stderr


# ---- limits


@pytest.mark.parametrize("verb", ["tour", "count", "list", "puzzle", "magic", "tsp", "links", "warnsdorff"])
def test_a_verb_ends_within_its_limits(verb: str) -> None:
    """A sample of benchmarks/verbs.py; the time limit has a margin because the machine may be busy."""
    outcome = verbs.ended(verb, 1000, 1, "300M")
    assert outcome.code in {0, 1, 3}, outcome.error
    assert outcome.seconds < 8
