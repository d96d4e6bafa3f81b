"""`cavalcade sas`: the printed programs, calls of their macros, refusals, and the rules of SAS."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cavalcade.ground.errors import MissingExtraError
from cavalcade.papers import PAPERS, programs, tables
from cavalcade.papers.interpreter import datastep, expressions, macros, procedures, values
from cavalcade.papers.interpreter.refusals import refusals
from cavalcade.papers.interpreter.session import Session
from cavalcade.papers.interpreter.solver import least_tour
from cavalcade.papers.interpreter.source import SasError
from cavalcade.papers.interpreter.values import formatted

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Ran

FILES = {name: text for paper in PAPERS for name, text in programs(paper).items()}
PRINTED = (Path(__file__).parent / "data" / "printed.sas").read_text(encoding="utf-8")


def run(text: str, **settings: Any) -> Session:
    """Run a program that must not contain anything unsupported."""
    assert refusals(text, "program", FILES) == []
    return Session(solver=least_tour, files=FILES, settings=settings).run(text)


def numbers(ran: Session) -> np.ndarray:
    """Return the numbers of the listing, 0 for a missing one, in the shape (boards, 8, 8)."""
    words = [word for line in ran.listing for word in line.split()]
    return np.array([0 if word == "." else int(word) for word in words]).reshape(-1, 8, 8)


# ---- the papers

CALLS = "%knightmoves; %ktour(1,{0},{1}); %nxtcoord(1); %ktour(2,&r.,&c.); %nxtcoord(2); %ktour(3,&r.,&c.);"


def test_the_printed_macros_give_the_printed_boards() -> None:
    """The macros as the papers print them run unchanged; CALLS is Table 3 of 2019, which gives Appendix C."""
    ran = run(f"%let r = .; %let c = .; {PRINTED} {CALLS.format(1, 1)}")
    printed = tables.printed("gerlach2019")["appendix c 1"].numbers
    assert (numbers(ran) == printed).all()
    degrees = run(f"{PRINTED} %knightmoves; %ShowBoard(dsn=knightmoves, elements=&mvars.)")
    assert numbers(degrees)[0, 2].tolist() == [4, 6, 8, 8, 8, 8, 6, 4]
    shown = run(
        PRINTED + " %knightmoves; %macro three; %local level; data solution; set knightmoves; "
        "array m{64} &mvars.; array s{192} %gen_vars(s,3); do i = 1 to 192; s{i} = i; end; run; %mend; "
        "%three %Show_Boards(dsn=solution, title=Knight Tour);"
    )
    assert shown.output.startswith("Knight Tour\nLevel")
    assert shown.listing[2].split() == ["1", *map(str, range(1, 9))]
    assert shown.listing[3].split() == [*map(str, range(9, 17))]  # the level is printed once
    assert shown.listing[11].split()[0] == "2"


@pytest.mark.parametrize("start", [(1, 1), (5, 4), (8, 8)])
def test_calls_of_the_printed_macros_run_with_ours(start: tuple[int, int]) -> None:
    """The same calls give the same boards with our macros."""
    calls = CALLS.format(*start)
    ours, theirs = run(f'%include "knight.sas"; {calls}'), run(f"%let r = .; %let c = .; {PRINTED} {calls}")
    assert (numbers(ours) == numbers(theirs)).all()


def test_the_printed_signatures() -> None:
    """Names and order of the parameters that the papers print are those of our macros."""
    ours, theirs = (Session(files=FILES).run(text) for text in ('%include "knight.sas";', PRINTED))
    for name in ("gen_vars", "showboard", "show_boards", "ktour", "nxtcoord", "knightmoves"):
        printed = list(theirs.processor.macros[name].parameters)
        assert list(ours.processor.macros[name].parameters)[: len(printed)] == printed, name
    assert list(ours.processor.macros["glue"].parameters)[:3] == ["board", "r", "c"]
    names = run('%include "knight.sas"; %put %gen_vars(s,3); %put &svars.;').log
    assert [len(line.split()) for line in names] == [192, 64]
    assert (names[0].split()[-1], names[1].split()[-1]) == ("s388", "s88")
    wide = run('%let rows = 3; %let columns = 12; %include "knight.sas"; %put %gen_vars(m);').log
    assert wide[0].split()[-1] == "m3_12"


def test_the_program_of_2020_as_printed() -> None:
    """The 5x6 program with its statements on separate lines, comments and a library."""
    text = """
    data board; rows = 5; columns = 6;
    do i = 1 to rows; do j = 1 to columns; origin = (i||j);
    /* up 2 right 1 */
    if i>=3 and j<= columns-1 then do destination = (i-2||j+1); output; end;
    if i>=2 and j<= columns-2 then do destination = (i-1||j+2); output; end;
    if i<=rows-1 and j<= columns-2 then do destination = (i+1||j+2); output; end;
    if i<=rows-2 and j<= columns-1 then do destination = (i+2||j+1); output; end;
    end; end; run;
    proc optgraph data_links = board;
    *create graph from variables;
    data_links_var from = origin to = destination;
    tsp out = closed_knights_tour;
    run;
    proc print data=work.closed_knights_tour; run;
    """.replace("then do destination", "then do; destination")
    ran = run(text)
    assert ran.log[-1] == "Solution Status: Optimal"
    assert len(ran.listing) == 31
    assert ran.listing[0].split() == ["Obs", "origin", "destination"]


CAS_ACTION = """proc cas;
  loadactionset 'optNetwork';
  action optNetwork.tsp /
    direction='undirected'
    links={name='links', caslib='casuser'}
    linksVar={from='origin', to='destination'}
    out={name='closed_tour', caslib='casuser', replace=true};
run;
quit;
"""


def test_the_cas_action_is_pinned_and_not_run() -> None:
    """Nothing here can run a CAS action: the text is pinned, and the interpreter refuses it."""
    assert CAS_ACTION in FILES["closed_tour_cas.sas"]
    messages = [str(error) for error in refusals(FILES["closed_tour_cas.sas"], "c.sas", FILES)]
    assert any(message.startswith("c.sas, line 12: PROC CAS is not supported") for message in messages)


def test_least_weight() -> None:
    """The example of SAS's documentation of TSP: ten nodes, 22 links, optimum 16."""
    links = """A B 1.0 A C 1.0 A D 1.5 B C 2.0 B D 4.0 B E 3.0 C D 3.0 C F 3.0 C H 4.0 D E 1.5 D F 3.0 D G 4.0
    E F 1.0 E G 1.0 F G 2.0 F H 4.0 H I 3.0 I J 1.0 C J 5.0 F J 3.0 F I 1.0 H J 1.0"""
    text = (
        f"data l; input from $ to $ weight @@; datalines;\n{links}\n; run; "
        "proc optnet data_links=l; tsp out=t; run;"
    )
    try:
        ran = run(text)
    except MissingExtraError:
        pytest.skip("weights that differ need a solver")
    weight = {frozenset((row["from"], row["to"])): float(row["weight"]) for row in ran.data["l"]}
    assert all(row["weight"] == weight[frozenset((row["from"], row["to"]))] for row in ran.data["t"])
    assert sum(weight[frozenset((row["from"], row["to"]))] for row in ran.data["t"]) == 16


# ---- what is supported


@pytest.mark.parametrize(
    ("code", "rows"),
    [
        ("retain x 5 y; x = x + 1;", [{"x": "6", "y": "."}]),
        ("do i = 5 to 1 by -2; output; end;", [{"i": "5"}, {"i": "3"}, {"i": "1"}]),
        ("i = 0; do while (i lt 3); i = i + 1; end;", [{"i": "3"}]),
        ("i = 9; do until (i gt 3); i = i + 1; end;", [{"i": "10"}]),
        ("do i = 1 to 5; if i eq 2 then continue; if i eq 4 then leave; n + 1; end;", [{"i": "4", "n": "2"}]),
        ("x = 3; select (x); when (1, 2) y = 1; when (3) do; y = 2; end; otherwise; end;", [{"y": "2"}]),
        ("x = 3; select; when (x lt 2) y = 1; otherwise y = 5; end;", [{"y": "5"}]),
        (
            "x = 7 / 2; y = 1 / 0; z = 2 ** 3 ** 1; w = -2 ** 2;",
            [{"x": "3.5", "y": ".", "z": "8", "w": "-4"}],
        ),
        ("x = 2 in (1, 2, 3); y = 5 in (1 2); z = not 0 eq 1;", [{"x": "1", "y": "0", "z": "1"}]),
        ("x = mod(-7, 3); y = int(-2.5); z = floor(-2.5);", [{"x": "-1", "y": "-2", "z": "-3"}]),
        ("x = left(put(5, 8.)); y = 'a'||trim(x)||'b';", [{"x": "5", "y": "a5b"}]),
        ("x = 'ab'; x = 'abcdef'; y = x||'c';", [{"x": "ab", "y": "abc"}]),  # the first text sets the length
        ("length x $ 4; x = 'ab'; y = x||'c';", [{"y": "ab  c"}]),  # and blanks pad it
        ("x = 1e400; y = put(2.5, 3.); z = 1e5 - .5e1;", [{"x": ".", "y": "  3", "z": "99995"}]),
        ("x = 2 ** 5000; y = 1e300 * 1e300;", [{"x": ".", "y": "."}]),
        ("input a $ b; datalines;\n x 1 9\n y\n 2\n;", [{"a": "x", "b": "1"}, {"a": "y", "b": "2"}]),
        ("input a @@; if a gt 1; datalines;\n 1 2\n 3\n;", [{"a": "2"}, {"a": "3"}]),
        (
            "input a; if a eq 2 then delete; if _n_ ge 4 then stop; datalines;\n1\n2\n3\n4\n;",
            [{"a": "1"}, {"a": "3"}],
        ),
        ("array q{*} a1-a3; do i = 1 to dim(q); q{i} = i; end; drop a2;", [{"a1": "1", "a3": "3", "i": "4"}]),
    ],
)
def test_the_rules_of_sas(code: str, rows: list[dict[str, str]]) -> None:
    ran = run(f"data one; {code} run;").data["one"]
    kept = [{name: formatted(row[name]) for name in rows[0]} for row in ran]
    assert kept == rows
    assert "a2" not in ran[0]


def test_and_skips_its_second_side() -> None:
    code = "data a; array q{2} x y; i = 3; if i le 2 and q{i} then z = 1; if i gt 2 or q{i} then z = 2; run;"
    assert run(code).data["a"][0]["z"] == 2
    with pytest.raises(SasError, match="subscript"):
        Session(short_circuit=False).run(code)


def test_set_reads_until_the_data_end() -> None:
    text = "data a; do x = 1 to 3; y = x * x; output; end; run; "
    ran = run(text + "data b; before + 1; set a(keep=x); after + 1; run; data c(drop=y); set a; run;")
    assert [tuple(row.values()) for row in ran.data["b"]] == [
        (1.0, 1.0, 1.0),
        (2.0, 2.0, 2.0),
        (3.0, 3.0, 3.0),
    ]
    assert [list(row) for row in ran.data["c"]] == [["x"]] * 3
    with pytest.raises(SasError, match="an iteration reads no data"):
        run(text + "data b; if 0 then set a; run;")


def test_macro_variables_and_scopes() -> None:
    text = """
    %macro inner(a); data _null_; call symput('x', left(put(&a., 8.))); call symputx('y', 7, 'g'); run; %mend;
    %macro outer; %local x; %inner(3) %put inner &x.; %mend;
    %let x = 1; %outer %put &x. &y.;
    %macro count; %do k = 6 %to 1 %by -2; %put &k.; %end;
    %do %until(&k. ge 2); %let k = %eval(&k. + 7 / 2); %end;
    %put %upcase(a&k.) %scan(a-b, 2, -); %mend; %count
    """
    assert [line.strip() for line in run(text).log] == ["inner 3", "1 7", "6", "4", "2", "A3 b"]


def test_printing() -> None:
    text = """title 'One'; data a; x = 5; t = 'ab'; run; proc print data=a noobs; var t x; run;
    title2 "Two"; data _null_; set a; file print; put x= t 'end'; put x 4. t; run; title; proc print; run;"""
    assert run(text).output == "One\nt  x\nab 5\n\nOne\nTwo\nx=5 ab end\n   5ab\nObs x t\n  1 5 ab\n"
    assert [formatted(x) for x in (1 / 3, 1e15, -0.5, 123456789012.0)] == [
        "0.3333333333",
        "1E15",
        "-0.5",
        "123456789012",
    ]


def test_a_variable_without_a_value_is_noted() -> None:
    assert run("data a;\n x = y + 1;\nrun;").log == ["NOTE: program, line 2: no statement gives Y a value"]


# ---- what is not


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("data a;\n x = 1;\n goto there;\nrun;", "line 3: the statement GOTO"),
        ("data a; if 1 then goto there; run;", "line 1: the statement GOTO"),
        ("data a; x = lag(1); run;", "the function LAG"),
        ("data a; call execute('x'); run;", "CALL EXECUTE"),
        ("proc sort data=a; by x; run;", "PROC SORT"),
        ("proc print data=a label; run;", "PROC PRINT with LABEL"),
        (
            "proc optgraph data_links=l; data_links_var from=a to=b; tsp out=t maxtime=5; run;",
            "TSP with MAXTIME",
        ),
        ("proc optgraph data_links=l; shortpath out=t; run;", "PROC OPTGRAPH with SHORTPATH"),
        ("%macro m; data a; merge b c; run; %mend;", "the statement MERGE"),
        ("%put %sysfunc(today());", "%SYSFUNC"),
        ("%sysexec ls;", "%SYSEXEC"),
        ("x 'ls';", "X outside a step"),
        ("libname a 'b';", "LIBNAME outside a step"),
        ("%include 'there.sas';", "there is no file 'there.sas'"),
    ],
)
def test_it_is_refused_before_anything_runs(code: str, message: str) -> None:
    (first, *_) = refusals("%put begin;" + code, "p.sas", {})
    assert message in str(first)
    assert str(first).startswith("p.sas, line ")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            "data a;\n array q{2} x y;\n q{3} = 1;\nrun;",
            "program, line 3: array subscript out of range: q, 3 of 2",
        ),
        ("data a;\n set b;\nrun;", "program, line 2: there is no data set B"),
        ("%put a;\n%put &b.;", "program, line 2: there is no macro variable B"),
        ("data a; x = 1 = 2 = 3; run;", "a chain of comparisons"),
        ("data a; set b; set c; run;", "there is no data set B"),
        ("data a; x = 1; run;\ndata b; set a; set a; run;", "line 2: a second SET"),
        ("data a; x = 1;", "DATA has no RUN"),
        ("data a; x = 1; run", "no semicolon: 'run'"),
        ("data a;\n x = 1 +;\nrun;", "line 2: expected a value before the end"),
        ("%macro m(a); %mend; %m(1, 2)", "%M has no parameter for '2'"),
        ("%let s = goto;\ndata a;\n &s. there;\nrun;", "line 3: the statement GOTO is not supported"),
        (
            "data l; from = 1; to = 2; weight = .; run; proc optnet data_links=l; tsp; run;",
            "missing end or weight",
        ),
        ("data a; x = abs(1, 2); run;", "ABS has 2 arguments"),
        ("data a; do i = 1 to 3 by 0; end; run;", "counts by 0"),
        ("data a; array q{.} x; run;", "not a size"),
        ("data a; x = 1; run; proc report data=a; columns z; run;", "no variable Z"),
        ("%macro m; %m %mend; %m", "too deeply"),
        ("data l; run; proc optnet data_links=l; tsp; run;", "no variable FROM"),
        ("%do i = 1 %to x; %end;", "'x' is not a whole number"),
    ],
)
def test_errors_name_the_line(code: str, message: str) -> None:
    with pytest.raises(SasError, match=re.escape(message)):
        Session(solver=least_tour).run(code)


def test_the_page_lists_what_is_supported() -> None:
    page = (Path(__file__).parent.parent / "docs" / "sas.md").read_text(encoding="utf-8")
    words = {
        *datastep.STATEMENTS,
        *expressions.SPECIAL,
        *datastep.CALLS,
        *values.NUMERIC,
        *values.TEXT,
        *(f"%{word}" for word in macros.STATEMENTS | {*macros.FUNCTIONS}),
        *procedures.SYNTAX,
    }
    listed = set(re.findall(r"`([^`]+)`", page.split("## What is supported")[1]))
    assert {word.upper() for word in words} <= listed


# ---- the command


def test_the_command(cli: Callable[..., Ran], tmp_path: Path) -> None:
    ran = cli("sas", "solution1.sas", "--let", "boards=1", "--let", "rows=5", "--let", "columns=5")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Knights Tour on Board #1\n")
    (tmp_path / "knight.sas").write_text("%macro m; %put ours; %mend;")
    (tmp_path / "p.sas").write_text('%include "knight.sas"; %m data a; x = 1; run; proc print; run;')
    ran = cli("sas", tmp_path / "p.sas")
    assert (ran.out, ran.err) == ("Obs x\n  1 1\n", "ours\n")
    assert cli("sas", tmp_path / "p.sas", "-o", tmp_path / "out.txt") == (0, "", "ours\n")
    assert (tmp_path / "out.txt").read_text() == "Obs x\n  1 1\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["knight.sas", "out.txt", "p.sas"]
    ran = cli("sas", tmp_path / "p.sas", "--check")
    assert (ran.code, ran.out) == (0, "")
    assert "every statement is supported" in ran.err


def test_the_command_refuses(cli: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "p.sas").write_text("%put begin;\nproc sort data=a; run;\ndata a; goto b; run;\n")
    ran = cli("sas", tmp_path / "p.sas", "-o", tmp_path / "out.txt")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines() == [
        f"{tmp_path / 'p.sas'}, line 2: PROC SORT is not supported: {procedures.INSTEAD['sort']}",
        f"{tmp_path / 'p.sas'}, line 3: the statement GOTO is not supported",
        "error: nothing ran: 2 statements or functions are not supported",
    ]
    (tmp_path / "p.sas").write_text("data a; x = 1; run; proc print; run;\ndata b; set c; run;")
    ran = cli("sas", tmp_path / "p.sas", "-o", tmp_path / "out.txt")
    assert (ran.code, ran.out) == (2, "Obs x\n  1 1\n")
    assert "line 2: there is no data set C" in ran.err
    assert not (tmp_path / "out.txt").exists()
    assert "expected NAME=VALUE" in cli("sas", "tours.sas", "--let", "rows").err
    assert cli("sas", "there.sas").code == 2


def test_refusals_say_what_to_do_instead(cli: Callable[..., Ran], tmp_path: Path) -> None:
    file = tmp_path / "p.sas"
    for statement, expected in {
        "proc ;": "PROC has no name, expected one of PRINT, REPORT",
        "proc means data=a;": "PROC MEANS is not supported: add up in a DATA step",
        "options ls=80;": "OPTIONS outside a step is not supported: leave it out",
        "proc optgraph data_links=a out_links=b;": "OUT_LINKS is not supported: OUT= of the statement TSP",
    }.items():
        file.write_text(f"{statement}\nrun;\n")
        done = cli("sas", str(file))
        assert (done.code, expected in done.err) == (2, True), done.err


def test_the_list_of_programs(cli: Callable[..., Ran]) -> None:
    names = [line.split()[0] for line in cli("sas", "--list").out.splitlines()]
    assert names == list(dict.fromkeys(name for paper in PAPERS for name in programs(paper)))
    assert "--list" in cli("sas").err
