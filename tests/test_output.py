"""Every command that writes files: which endings it writes, and which options of pictures it takes.

Each row of `LINES` is a command with the class of its answer. What a picture of the class takes, and what is
refused in which words, is stated here once, and not read from `cavalcade.cli.pictures`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import click
import pytest

import cavalcade
from cavalcade.cli import COMMANDS, group
from cavalcade.cli.pictures import PictureOptions
from conftest import Ran

Run = Callable[[str], Ran]

TOUR, WALK, PROOF, GRAPH, PUZZLE, TRACE, TABLE, SHEET, BOARD = (
    "tour", "walk", "proof", "graph", "puzzle", "trace", "table", "sheet or diagram", "board",
)  # fmt: skip
# a command line on a small board, what it answers, and an ending of data that it writes
LINES = [
    ("tour 5x6", TOUR, "csv"),
    ("list 3x10 -n 1", TOUR, "json"),
    ("sample 5x6 -n 2", TOUR, "csv"),
    ("decompose complete:5", TOUR, "json"),
    ("prove 4x4", PROOF, "proof"),
    ("warnsdorff 5x5", TOUR, "json"),
    ("warnsdorff 5x5 --from c5 --explain", WALK, "json"),
    ("warnsdorff 4x4 --all", SHEET, "txt"),
    pytest.param("continue walk.txt --open", WALK, "csv", marks=pytest.mark.slow),  # it compiles
    ("uncrossed 3x3 --open", TOUR, "json"),
    ("fewest turns 3x4 --open", TOUR, "csv"),
    ("best 3x3 --longest", TOUR, "json"),
    ("tsp 5x6", TOUR, "tour"),
    ("solve puzzle.txt", TOUR, "csv"),
    ("puzzle 5x6", PUZZLE, "html"),
    ("puzzle 5x6 --solution", TOUR, "txt"),
    ("roesselsprung verse.txt", PUZZLE, "txt"),
    ("trace walk.txt", TRACE, "csv"),
    ("convert tour.txt", TOUR, "json"),
    ("connected 3x3", TABLE, "json"),
    ("links 3x4", GRAPH, "csv"),
    ("glue tour.txt --levels 2", TOUR, "csv"),
    ("chain 5x5 --levels 2 --from a5", TOUR, "csv"),
    ("draw tour.txt", TOUR, ""),
    ("draw 4x4", BOARD, ""),
]
# the options of pictures with a value, and the answers whose pictures have them
MOVING = (TOUR, WALK)
OPTIONS = {
    "--style dark": (TOUR, WALK, PROOF, GRAPH, PUZZLE, TRACE, BOARD),
    "--no-labels": (TOUR, WALK, PROOF, GRAPH, PUZZLE, BOARD),
    "--legend": (TOUR, WALK, PROOF),
    "--numbers": MOVING,
    "--colour blue": MOVING,
    "--thin": MOVING,
    "--arrows": MOVING,
    "--size 300": (TOUR, WALK, PROOF, GRAPH, PUZZLE, TRACE, TABLE, SHEET, BOARD),
}
OTHERWISE = {"links": ("--no-labels",)}  # --labels of links names the cells
# how files of proofs begin, and endings without one
BEGINS = {
    "svg": b"<svg", "tex": b"% ", "tikz": b"% ", "json": b"{", "proof": b"{", "txt": b"Remove", "opb": b"*",
    "plain": b"",
}  # fmt: skip
FOREIGN = ("gif", "csv", "npy", "sas")
# files that the commands read
FILES = {
    "tour.txt": """\
; closed tour of 5x6, piece knight
 1 14 25  6 29 16
24  5 30 15 20  7
13  2 11 26 17 28
10 23  4 19  8 21
 3 12  9 22 27 18
""",
    "walk.txt": """\
; walk of 5x5, 17 of 25 cells, piece knight
13  .  1  6 11
 2  7 12  .  .
 . 14  . 10  5
 8  3 16  .  .
15  .  9  4 17
""",
    "puzzle.txt": """\
; closed puzzle of 5x6, piece knight
 .  .  . 14  .  .
 . 19 24  .  .  .
11  .  .  .  . 26
 .  .  .  5 16  .
 . 12  .  2 27  .
""",
    "verse.txt": "a b c d e f g h i j k l",
    "wrong.txt": "1 2 3\n4 5 6\n7 8 9\n",
}


@pytest.fixture
def run(cli: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs a command line in a folder with `FILES`."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    return lambda line: cli(*line.split())


def refused(ran: Ran, *phrases: str) -> None:
    """Assert that a command was refused in one line with these phrases, and wrote nothing."""
    assert ran.code == 2
    assert not ran.out or json.loads(ran.out)["status"] == "error"  # an object with --json
    assert not [*Path().glob("x.*")]
    for phrase in phrases:
        assert phrase in ran.err


def options_of(name: str) -> dict[str, click.Parameter]:
    command = group.get_command(click.Context(group), name)
    assert command
    return {spelling: parameter for parameter in command.params for spelling in parameter.opts}


def test_every_command_that_writes_pictures_has_their_options() -> None:
    spellings = {f"--{field.name.replace('_', '-')}" for field in fields(PictureOptions)}
    drawing = set()
    for name in COMMANDS:
        options = options_of(name)
        if "svg" in getattr(getattr(options.get("--format"), "type", None), "choices", ()):
            drawing.add(name)
            assert spellings <= {*options}, name
            assert {"-o", "--output"} <= {*options}, name
    lines = [str(getattr(row, "values", row)[0]) for row in LINES]
    assert drawing == {line.split()[0] for line in lines} | {"magic", "theorem"}


@pytest.mark.parametrize(("line", "answer", "data"), LINES)
def test_options_of_pictures(line: str, answer: str, data: str, run: Run) -> None:
    """The options that the picture has are honoured, all others refused, and all with a file of data."""
    name = line.split(maxsplit=1)[0]
    refused(run(f"{line} -o x.xyz"), "cannot write 'x.xyz'. Pictures: .")
    refused(run(f"{line} -o x.svg --per-page 2"), "--per-page 2 works only with pdf, not with svg: leave it")
    if name not in {"prove", "draw"}:  # these print an object beside the file
        refused(run(f"{line} -o x.svg --json"), "--json writes JSON", "or write to 'x.json'")
    options = {option: OPTIONS[option] for option in OPTIONS if option not in OTHERWISE.get(name, ())}
    for option, answers in options.items():
        if data:
            ending = "json" if data == "proof" else {"txt": "text"}.get(data, data)
            refused(
                run(f"{line} -o x.{data} {option}"),
                f"{option} is for pictures, and x.{data} is {ending}: try -o x.svg",
            )
        if answer not in answers:
            refused(run(f"{line} -o x.svg {option}"), f"{option} works only with a ", f"not with a {answer}:")
    works = [option for option, answers in options.items() if answer in answers]
    ran = run(f"{line} -o x.svg {' '.join(works)}")
    picture = Path("x.svg").read_text(encoding="utf-8")
    size = re.search(r'width="([0-9]+)" height="([0-9]+)"', picture)
    assert size
    assert max(map(int, size.groups())) == 300, ran.err
    assert ("#14161b" in picture) == (answer in OPTIONS["--style dark"])


@pytest.mark.parametrize(("line", "answer", "data"), LINES)
def test_files_of_data(line: str, answer: str, data: str, run: Run) -> None:
    ran = run(f"{line} -o x.{data}") if data else run(line)
    assert ran.code != 2, answer
    assert Path(f"x.{data}").stat().st_size if data else ran.out


@pytest.mark.parametrize("ending", [*BEGINS, *FOREIGN])
def test_endings_of_proofs(ending: str, run: Run) -> None:
    ran = run(f"prove 4x4 -o x.{ending}")
    if ending in FOREIGN:
        refused(ran, f"cannot write 'x.{ending}'. Pictures: .svg .png .pdf .tikz. Data: .txt .json")
        return
    assert ran.code == 1
    assert Path(f"x.{ending}").read_bytes().startswith(BEGINS[ending])


def test_prove_writes_to_standard_output(run: Run) -> None:
    ran = run("prove 4x4 -o -")
    Path("proof.json").write_text(ran.out, encoding="utf-8")
    assert cavalcade.verify(cavalcade.read_certificate("proof.json"))
    assert "Remove b3 and c2." in ran.err
    assert run("prove 4x4 -o - --format svg").out.startswith("<svg")
    assert run("prove 4x4 -o x.txt -q") == (1, "", "")
    assert "Remove b3 and c2." in Path("x.txt").read_text(encoding="utf-8")
    assert run("prove 5x6 -o -") == (0, "", "there is a tour: a proof was not written\n")
    assert run("prove 4x4 -o x.json --json").out.startswith('{"board": "4x4"')


def test_animation_and_sheets(run: Run) -> None:
    assert run("tour 5x6 -o x.svg --animate").code == 0
    assert "@keyframes" in Path("x.svg").read_text(encoding="utf-8")
    run("list 3x10 -o y.svg --numbers --style plain")
    assert Path("y.svg").read_text(encoding="utf-8").count(">30</text>") == 16
    one = "error: 'z.gif' holds one tour, and there are more: add -n 1\n"
    assert run("list 3x10 -o z.gif").err == one


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("sample 60x60 -n 2 -o z.gif", ["'z.gif' holds one tour", "add -n 1"]),
        ("sample 60x60 -n 2 -o z.svg --animate", ["--animate works only with a single tour (-n 1)"]),
        ("list 60x60 -o z.svg --animate", ["--animate works only with a single tour (-n 1)"]),
        ("warnsdorff 60x60 --all -o z.svg --animate", ["--animate works only with a tour"]),
        ("tour 60x60 -o z.svg --view space", ["the view in space is for boxes of 3 or more dimensions"]),
        ("puzzle 60x60 -o z.svg --numbers", ["--numbers works only with a tour", "not with a puzzle"]),
        ("count 60x60 -o z.svg", ["cannot write 'z.svg'. Data: .txt .json .csv"]),
        ("count 60x60 -o z.csv --json", ["--json writes JSON", "or write to 'z.json'"]),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_search(
    line: str, words: list[str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for search in ("tour", "sample", "list_tours", "puzzle", "count", "distribution"):
        monkeypatch.delattr(cavalcade, search, raising=False)
    refused(run(line), *words)
    assert not Path("z.svg").exists()


@pytest.mark.parametrize(
    ("options", "csv", "text"),
    [
        ("", "board,piece,kind,count\n5x6,knight,closed,8\n", "8\n"),
        ("--by turns", "k,turns\n28,2\n29,4\n30,2\n", None),
        ("--symmetry", None, "3\nsymmetry"),
    ],
)
def test_a_count_is_written_to_a_file(options: str, csv: str | None, text: str | None, run: Run) -> None:
    plain = run(f"count 5x6 {options}").out
    for ending in ("txt", "json", "csv"):
        assert run(f"count 5x6 {options} -o x.{ending}").out == ""
    assert Path("x.txt").read_text(encoding="utf-8") == plain
    assert plain.startswith(text or "")
    assert json.loads(Path("x.json").read_text(encoding="utf-8"))["count"] == 8
    written = Path("x.csv").read_text(encoding="utf-8")
    assert written == csv or (csv is None and written.startswith("symmetry,number,"))


def test_the_style_of_tour_is_the_style_of_pictures(run: Run) -> None:
    old = "--style random is deprecated since 0.2: use --blocks random\n"
    random = run("tour 12x12 --style random --seed 4")
    assert random == (0, run("tour 12x12 --blocks random --seed 4").out, old)
    assert run("tour 5x6 --style plain").err == old.replace("random", "plain")
    assert run("tour 5x6 -o x.svg --style plain") == (0, "", "")
    assert 'fill="#e2e2e2"' in Path("x.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "report"),
    [
        ("tour 5x6 -o x.csv", r"wrote x.csv: closed tour of 5x6, 30 cells, [0-9,]+ bytes"),
        ("tour 5x6 -o x.npy", r"wrote x.npy: closed tour of 5x6, 30 cells, [0-9,]+ bytes"),
        ("prove 4x4 -o x.svg", r"wrote x.svg: proof that there is no closed tour of 4x4, [0-9,]+ bytes"),
        ("draw tour.txt -o x.pdf", r"wrote x.pdf: closed tour of 5x6, 30 cells, 1 page, [0-9,]+ bytes"),
        ("links 3x4 -o x.csv", r"wrote x.csv: [0-9]+ bytes"),
        ("chain 5x5 --levels 2 --from a5 -o x.txt", r"wrote x.txt: [0-9]+ bytes"),
    ],
)
def test_a_terminal_shows_what_was_written(
    line: str, report: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "pdf" in line:
        pytest.importorskip("fpdf")
    assert "wrote" not in run(line).err
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert re.search(f"^{report}$", run(line).err, re.MULTILINE)
    assert "wrote" not in run(f"{line} -q").err


@pytest.mark.parametrize("format_", ["text", "tour", "sas", "out", "wide"])
def test_convert_does_not_call_a_wrong_walk_a_tour(format_: str, run: Run) -> None:
    ran = run(f"convert wrong.txt --format {format_}")
    assert ran.code == 0
    assert ran.err == "not a tour: step 1 to step 2, a3 to b3, is not a knight move\n"
    assert "walk of 3x3, 9 of 9 cells" in ran.out
    assert "open tour" not in ran.out
    Path("again.txt").write_text(ran.out, encoding="utf-8")
    assert run("check again.txt").code == 1
    assert "closed tour of 5x6" in run("convert tour.txt").out


@pytest.mark.parametrize("format_", ["json", "csv"])
def test_a_table_does_not_call_a_walk_a_tour(format_: str, run: Run) -> None:
    for line in ("convert wrong.txt", "warnsdorff 3x3"):
        text = run(f"{line} --format {format_}").out
        assert "walk" in text
        assert "open" not in text
        Path("again").write_text(text, encoding="utf-8")
        assert run("check again").code == 1
    Path("again").write_text(text.replace("walk", "stroll"), encoding="utf-8")
    refused(run("check again"), "the kind is 'stroll', expected 'closed', 'open', 'closed walk' or 'walk'")


def test_a_walk_that_cannot_be_converted_has_one_line_of_errors(run: Run) -> None:
    Path("twice.csv").write_text("name,board\na3,3x3\nb1,\na3,\n" + "c2,\n" * 6, encoding="utf-8")
    error = "error: the walk visits a cell twice, which this format cannot express: use csv or json\n"
    assert run("convert twice.csv").err == error
    assert run("convert twice.csv --format csv").err.startswith("not a tour: step 3 visits a3 again")


def test_the_picture_of_a_wrong_walk_does_not_call_it_a_tour(run: Run) -> None:
    run("draw wrong.txt -o x.svg")
    assert "walk of 3x3, 9 of 9 cells" in Path("x.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("tour 300000x30000", "try -o tour.npy, which writes it to a file, or --at 17 or --when a1"),
        ("tour 300000x30000 --json", "try -o tour.npy"),
        ("prove 300000x30000", "try cavalcade tour 300000x30000 -o tour.npy"),
        ("sample 30x30", "`cavalcade tour` finds one"),
        ("draw 600x600 -o x.svg", "only tours of squares may have more, as .png or .svg"),
    ],
)
def test_what_is_too_large_says_which_smaller_output_works(line: str, advice: str, run: Run) -> None:
    ran = run(line)
    assert ran.code == 3
    assert advice in ran.out + ran.err
    assert "--memory" not in ran.err


@pytest.mark.parametrize("line", ["optgraph 5x6", "schema", "sas program.sas"])
def test_answers_that_are_text_are_not_written_as_pictures(line: str, run: Run) -> None:
    refused(run(f"{line} -o x.svg"), "cannot write 'x.svg': this answer is text, so try x.txt")


@pytest.mark.parametrize("command", ["tour", "fewest turns"])
@pytest.mark.parametrize("board", ["hex:5", "9x10"])
def test_what_a_format_cannot_hold_is_refused_before_the_search(
    command: str, board: str, cli: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cavalcade.ask.portfolio.answer", lambda *_, **__: pytest.fail("searched"))
    ran = cli(*command.split(), board, "-o", "tour.pgn")
    assert (ran.code, ran.out) == (2, "")
    assert f"cannot write a tour of {board}" in ran.err
