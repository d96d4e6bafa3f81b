"""The SAS programs of the package, run by the interpreter `sas`, give the printed and the computed results.

The tests do not need SAS. The last section tests the rules of SAS that the programs need.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cavalcade
from cavalcade import formats
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found
from cavalcade.boards import Board
from cavalcade.checking.tours import check
from cavalcade.construction.glue import glue
from cavalcade.find.warnsdorff import walks
from cavalcade.ground.errors import CavalcadeError
from cavalcade.papers import PAPERS, gerlach2015, optgraph, programs, solution3, stacks, tables
from cavalcade.papers.interpreter.session import Session
from cavalcade.papers.interpreter.source import SasError
from cavalcade.papers.interpreter.values import formatted
from cavalcade.papers.summary import without_idle_cells
from cavalcade.question.graph import MoveGraph
from cavalcade.question.moves import links, move_graph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from cavalcade.papers.interpreter.state import Link
    from conftest import Ran

FILES = {name: text for paper in PAPERS for name, text in programs(paper).items()}


def closed_tour(links: list[Link]) -> tuple[str, list[tuple[str, str]]]:
    """Find the links of a closed tour, as OPTGRAPH does."""
    pairs = [(a, b) for a, b, _ in links]
    labels = list(dict.fromkeys(label for link in pairs for label in link))
    graph = MoveGraph.from_edges([(labels.index(a), labels.index(b)) for a, b in pairs])
    verdict = cavalcade.tour(graph)
    if not isinstance(verdict, Found):
        return "Infeasible", []
    cells = [labels[cell] for cell in verdict.tour.cells.tolist()]
    return "Optimal", list(zip(cells, [*cells[1:], cells[0]], strict=True))


def session(text: str, files: Mapping[str, str] = FILES, **settings: Any) -> Session:
    """Run a program that must not depend on AND skipping its second side."""
    return Session(solver=closed_tour, short_circuit=False, files=files, settings=settings).run(text)


def knight(text: str, files: Mapping[str, str] = FILES, **sizes: int) -> Session:
    """Run the macros of `knight.sas` on a board of a given size."""
    lets = "".join(f"%let {name} = {value}; " for name, value in sizes.items())
    return session(f'{lets} %include "knight.sas"; {text}', files)


def boards(ran: Session) -> list[list[list[int]]]:
    """Parse the boards of a listing; 0 stands for a missing square."""
    blocks = "\n".join(ran.listing).split("\n\n")
    rows = [
        [line.replace(".", "0").split() for line in block.splitlines()] for block in blocks if block.strip()
    ]
    return [[[int(word) for word in row] for row in block] for block in rows]


def numbering(board: Board, path: np.ndarray) -> list[list[list[int]]]:
    """Return the step numbers of a walk in the layout of `boards`."""
    steps = np.zeros(board.shape, dtype=np.int64)
    steps.flat[path] = np.arange(1, len(path) + 1)
    levels: list[list[list[int]]] = steps.reshape(-1, *board.shape[-2:]).tolist()
    return levels


def square(board: Board, cell: int) -> str:
    """Return the numbers of a cell, from 1: level, row, column."""
    return "_".join(str(x + 1) for x in board.coords[cell].tolist())


# ---- the programs and this package

Files = dict[str, str]


def tours_right(rows: int, columns: int, tie: str, files: Files) -> bool:
    """tours.sas prints the tour from every square, and names the squares without a tour."""
    board, ties = Board.box(rows, columns), {"lt": "first", "le": "last"}[tie]
    paths = list(walks(move_graph(board), range(board.size), ties=ties, count_start=False))
    ran = session(files["tours.sas"], files, rows=rows, columns=columns, tie=tie)
    whole = [numbering(board, path)[0] for path in paths if len(path) == board.size]
    stuck = [square(board, path[0]) for path in paths if len(path) < board.size]
    return boards(ran) == whole and ran.log == [f"NOTE: no tour from {' '.join(stuck)}".strip()]


def counted_right(files: Files) -> bool:
    """%ktour with COUNT=1 is Warnsdorff's rule; it sets SOLVED and CLOSED."""
    board = Board.box(5, 6)
    for start in (0, 8, 13, 20):
        (path,) = walks(move_graph(board), [start])
        row, column = square(board, start).split("_")
        ran = knight(
            f"%knightmoves %ktour(1, {row}, {column}, count=1)",
            files,
            rows=5,
            columns=6,
        )
        full = len(path) == board.size
        closed = full and start in move_graph(board).neighbours(int(path[-1])).tolist()
        if boards(ran) != numbering(board, path) or [ran.value("solved"), ran.value("closed")] != [
            str(int(full)),
            str(int(closed)),
        ]:
            return False
    return True


def solution1_right(levels: int, rows: int, columns: int, start: int, files: Files) -> bool:
    """solution1.sas prints board after board, and names the board where the tour gets stuck."""
    board = Board.box(rows, columns)
    levels_of_chain = cavalcade.chain(board, levels, start=start, step=stacks.nxtcoord, count_start=False)
    row, column = square(board, start).split("_")
    ran = session(files["solution1.sas"], files, rows=rows, columns=columns, boards=levels, r=row, c=column)
    expected = levels_of_chain.tour(1, len(levels_of_chain)).numbering.reshape(-1, rows, columns).tolist()
    stuck = (
        [] if levels_of_chain.complete else [f"NOTE: the tour of board {len(levels_of_chain)} gets stuck."]
    )
    return boards(ran) == expected and ran.log == stuck


def next_right(rows: int, columns: int, files: Files) -> bool:
    """%nxtcoord goes to the square of the printed macro, and with leave=both to the square of the text."""
    ran = knight("", files, rows=rows, columns=columns)
    for r, c in product(range(rows), range(columns)):
        squares = product(range(rows), range(columns))
        ran.data["board1"] = [{f"s{i + 1}{j + 1}": float((i, j) == (r, c)) for i, j in squares}]
        ran.run("%nxtcoord(1)")
        printed = stacks.nxtcoord(r, c, rows, columns)
        if printed and (ran.value("r"), ran.value("c")) != (str(printed[0] + 1), str(printed[1] + 1)):
            return False
        ran.run("%nxtcoord(1, leave=both)")
        options = [(r - 2, c), (r, c - 2), (r, c + 2), (r + 2, c)]
        first = next(((i + 1, j + 1) for i, j in options if 0 <= i < rows and 0 <= j < columns), (".", "."))
        if (ran.value("r"), ran.value("c")) != tuple(map(str, first)):
            return False
    return True


def solution2_right(rows: int, columns: int, start: int, files: Files) -> bool:
    """solution2.sas glues three boards of a closed tour."""
    board = Board.box(rows, columns)
    (path,) = walks(move_graph(board), [start], count_start=False)
    joined = glue(Tour(board, path, closed=True), levels=3)
    row, column = square(board, start).split("_")
    pivots = " ".join(square(board, board.cell(level.pivot)) for level in joined.levels[1:])
    ran = session(files["solution2.sas"], files, rows=rows, columns=columns, r=row, c=column, pivots=pivots)
    return boards(ran) == joined.tour.numbering.tolist() and not ran.log


def solution2_warns(files: Files) -> bool:
    """solution2.sas warns of a pivot that is not a move away, and of a tour that is not closed."""
    below = session(files["solution2.sas"], files, pivots="8_2")
    far = session(files["solution2.sas"], files, pivots="3_6")
    adjacent = session(files["solution2.sas"], files, pivots="8_1 6_4")
    open_ = session(files["solution2.sas"], files, r=8, c=5)
    warning = "NOTE: the step from board to board is not a knight's move."
    return (
        (far.log, len(boards(far)), len(adjacent.log), below.log) == ([warning], 2, 2, [])
        and open_.log == ["NOTE: the tour is not closed, and glue needs a closed one: try another start."]
        and not open_.listing
    )


def defaults_right(files: Files) -> bool:
    """Without sizes the macros work on 8x8; SVARS, MVARS, the defaults and SHOW=0 are those of the papers."""
    three = "data solution; array s{*} %gen_vars(s, 3); do i = 1 to dim(s); s{i} = i; end; run; %Show_Boards"
    ran = session(f'%include "knight.sas"; %put &svars.; %put &mvars.; %put %gen_vars(s,3); {three}', files)
    squares = [f"{row}{column}" for row, column in product(range(1, 9), repeat=2)]
    expected = [
        [f"s{square}" for square in squares],
        [f"m{square}" for square in squares],
        [f"s{level}{square}" for level in range(1, 4) for square in squares],
    ]
    one = "data solution; array s{*} &svars.; do i = 1 to dim(s); s{i} = i; end; run; %ShowBoard"
    shown = session(f'%include "knight.sas"; {one}', files)
    hidden = session('%include "knight.sas"; %knightmoves %ktour(1,1,1,show=0) %glue(2,3,2,show=0)', files)
    numbers = np.arange(1, 193).reshape(3, 8, 8)
    large = session(
        '%let rows = 3; %let columns = 10; %include "knight.sas"; %put &svars. %gen_vars(m,10);', files
    )
    names = large.log[0].split()
    return (
        [line.split() for line in ran.log] == expected
        and boards(ran) == numbers.tolist()
        and boards(shown) == numbers[:1].tolist()
        and not hidden.listing
        and (names[0], names[-1], len(names)) == ("s1_1", "m10_3_10", 330)
    )


def shown_right(spec: str, files: Files) -> bool:
    """%show_boards prints a tour from `--format sas` so that it is read back; %knightmoves has degrees."""
    verdict = cavalcade.tour(spec, open=True)
    assert isinstance(verdict, Found)
    *levels, rows, columns = verdict.tour.board.shape
    text = cavalcade.write(verdict.tour, "sas")
    elements = f"%gen_vars(s, {levels[0]})" if levels else "%gen_vars(s)"
    show = f"{text} %knightmoves %Show_Boards(dsn=solution, elements={elements})"
    ran = knight(show, files, rows=rows, columns=columns)
    right = [*ran.data["knightmoves"][0].values()] == move_graph(f"{rows}x{columns}").degrees.tolist()
    same = formats.parse("\n".join(ran.listing), board=verdict.tour.board) == verdict.tour
    return right and same and len(ran.listing[0]) == 5 * columns


MISTAKES = ("stale_level", "one_for_two", "none_on_four", "flat_table")


def solution3_right(sides: tuple[int, int, int], start: int, fixes: set[int], files: Files) -> bool:
    """solution3.sas prints the walk of the program with its mistakes, or without the corrected ones."""
    stack = Board.box(*sides)
    table = solution3.initial_degrees(stack, fixes)
    (path,) = solution3.data_step(table, [start], fixes=fixes)
    switches = {name: int(number not in fixes) for number, name in enumerate(MISTAKES, 1)}
    level, row, column = square(stack, start).split("_")
    size = {
        "boards": sides[0],
        "rows": sides[1],
        "columns": sides[2],
        "level": level,
        "row": row,
        "col": column,
    }
    ran = session(files["solution3.sas"], files, **size, **switches)
    stuck = ["NOTE: the tour gets stuck."] if len(path) < stack.size else []
    degrees = [*ran.data["knightmoves"][0].values()]
    return boards(ran) == numbering(stack, path) and ran.log == stuck and degrees == table.ravel().tolist()


def optgraph_right(name: str, sizes: tuple[int, ...], files: Files, procedure: str = "optgraph") -> bool:
    """A program of 2020 prints the links in the order of the paper; the checker accepts its tour."""
    words = ["dim"] if name == "hexagon" else ["rows", "columns", "layers"]
    ran = session(files[f"{name}.sas"], files, proc=procedure, **dict(zip(words, sizes, strict=False)))
    expected = [
        tuple("_".join(map(str, place)) for place in link) for link in optgraph.run(name, *sizes).links
    ]
    rows_of_links = [(row["origin"], row["destination"]) for row in ran.data["links"]]
    right = rows_of_links == expected
    if name == "hexagon":  # the paper writes each link from both of its ends
        once = set(map(frozenset, expected))
        right = len(rows_of_links) == len(once) and set(map(frozenset, rows_of_links)) == once
    if ran.log[0] == "Solution Status: Infeasible":
        return right and not ran.data["closed_tour"]
    board = without_idle_cells(optgraph.run(name, *sizes).board)
    tour = formats.parse("\n".join(ran.listing), board=board)
    return right and bool(check(tour)) and tour.closed


RIGHT: dict[str, list[Callable[[Files], bool]]] = {
    "knight.sas": [
        *(partial(shown_right, spec) for spec in ("3x4", "10x3", "3x10", "2x4x5", "10x3x4")),
        counted_right,
        defaults_right,
        *(partial(solution2_right, *case) for case in ((5, 6, 20), (5, 6, 21), (6, 6, 7), (6, 6, 14))),
        partial(solution1_right, 3, 5, 6, 3),
        partial(next_right, 3, 3),
        partial(next_right, 5, 4),
        solution2_warns,
        partial(tours_right, 5, 5, "lt"),
        partial(tours_right, 5, 5, "le"),
    ],
    "tours.sas": [partial(tours_right, 4, 5, "lt"), partial(tours_right, 5, 4, "le")],
    "solution1.sas": [partial(solution1_right, 4, 5, 6, 1), partial(solution1_right, 3, 5, 6, 3)],
    "solution2.sas": [partial(solution2_right, 5, 6, 20), solution2_warns],
    "solution3.sas": [
        partial(solution3_right, (3, 4, 5), 7, {1}),
        partial(solution3_right, (4, 4, 5), 42, set()),
        partial(solution3_right, (4, 5, 5), 70, set()),
        partial(solution3_right, (5, 4, 4), 3, {2}),
        partial(solution3_right, (5, 4, 4), 20, {3}),
        partial(solution3_right, (6, 4, 4), 50, {1, 2, 3, 4}),
    ],
    "rectangle.sas": [partial(optgraph_right, "rectangle", sizes) for sizes in ((5, 6), (3, 3), (4, 3))],
    "prism.sas": [
        partial(optgraph_right, "prism", sizes) for sizes in ((4, 4, 3), (2, 4, 3), (3, 5, 4), (2, 2, 4))
    ],
    "hexagon.sas": [partial(optgraph_right, "hexagon", (dim,)) for dim in (3, 4, 5)],
    "closed_tour.sas": [
        partial(optgraph_right, "rectangle", sizes, procedure=procedure)
        for sizes in ((5, 6), (3, 3))
        for procedure in ("optgraph", "optnet", "optnetwork")
    ],
}
# nothing here runs CAS actions
NOT_RUN = {"closed_tour_cas.sas"}


@pytest.mark.parametrize("name", RIGHT)
def test_each_program_does_what_we_compute(name: str) -> None:
    assert all(right(FILES) for right in RIGHT[name])


def test_every_program_states_that_sas_did_not_run_it() -> None:
    assert RIGHT.keys() | NOT_RUN == FILES.keys()
    for name, text in FILES.items():
        assert text.startswith("/*")
        assert "no SAS" in text or "knight.sas" in text
        assert max(map(len, text.splitlines())) <= 120, name


# ---- the programs and the papers


def test_tours_of_2015() -> None:
    """Appendix A is reproduced, and LT and LE get stuck from the printed squares."""
    printed = tables.printed("gerlach2015")
    for number in range(1, 10):
        printed_numbers = printed[f"appendix a {number}"].numbers
        row, column = (np.argwhere(printed_numbers == 1)[0] + 1).tolist()
        ran = knight(f"%knightmoves %ktour(1, {row}, {column})", rows=8, columns=8)
        numbers = np.array(boards(ran)[0])
        assert (numbers[printed_numbers > 0] == printed_numbers[printed_numbers > 0]).all()
        assert ran.value("solved") == "1"
    for tie, ties in (("lt", "first"), ("le", "last")):
        for name in gerlach2015.FAILS[ties]:
            row, column = (gerlach2015.CHESS.coords[gerlach2015.CHESS.cell(name)] + 1).tolist()
            ran = knight(f"%knightmoves %ktour(1, {row}, {column}, tie={tie})", rows=8, columns=8)
            assert ran.value("solved") == "0"


@pytest.mark.slow
@pytest.mark.parametrize("tie", ["lt", "le"])
def test_all_tours_of_2015(tie: str) -> None:
    assert tours_right(8, 8, tie, FILES)


def test_tables_of_2019() -> None:
    """Solutions #1 and #2 give Tables 2, 3, 5 and 7 and Appendix C."""
    printed = tables.printed("gerlach2019")
    assert boards(session(FILES["solution1.sas"])) == printed["appendix c 1"].numbers.tolist()
    assert boards(session(FILES["solution2.sas"])) == printed["table 5"].numbers.tolist()
    seven = session(FILES["solution2.sas"], r=8, c=2, pivots="7_2")
    assert boards(seven) == printed["table 7"].numbers.tolist()
    three = session(FILES["solution2.sas"], r=7, c=1, pivots="7_2 3_1")
    assert boards(three) == printed["appendix c 2"].numbers.tolist()


@pytest.mark.parametrize("name", [name for names in solution3.WALKS.values() for name in names])
def test_the_printed_walks_of_solution_3(name: str) -> None:
    """The unchanged file gives all 1,144 steps for the printed number of boards and start."""
    expected = tables.mended(tables.printed("gerlach2019")[name])
    level, row, column = (np.argwhere(expected == 1)[0] + 1).tolist()
    ran = session(FILES["solution3.sas"], boards=len(expected), level=level, row=row, col=column)
    assert boards(ran) == expected.tolist()


def test_solution_3_without_mistakes_is_the_rule() -> None:
    """On three boards it is Warnsdorff's rule, which does not count the start."""
    stack = Board.box(3, 5, 4)
    graph = move_graph(stack, stacks.ordered(0, -1, 1, -2, 2))
    off: dict[str, Any] = dict.fromkeys(MISTAKES, 0)
    for start in range(0, stack.size, 13):
        (path,) = walks(graph, [start], count_start=False)
        level, row, column = square(stack, start).split("_")
        size: dict[str, Any] = {
            "boards": 3,
            "rows": 5,
            "columns": 4,
            "level": level,
            "row": row,
            "col": column,
        }
        assert boards(session(FILES["solution3.sas"], **size, **off)) == numbering(stack, path)


LOOPS = {
    "rectangle": ("do i = 1 to 5; do j = 1 to 6;", "i||j", "end; end;"),
    "prism": ("do i = 1 to 2; do j = 1 to 4; do k = 1 to 3;", "i||j||k", "end; end; end;"),
    "hexagon": ("n = 3; do r = 0 to 2*n; do q = max(n - r, 0) to min(2*n, 3*n - r);", "r||q", "end; end;"),
}


@pytest.mark.parametrize("repair", [False, True])
@pytest.mark.parametrize(("name", "sizes"), [("rectangle", (5, 6)), ("prism", (2, 4, 3)), ("hexagon", (4,))])
def test_the_printed_programs_of_2020_run_with_their_bars(
    name: str,
    sizes: tuple[int, ...],
    repair: bool,  # noqa: FBT001
) -> None:
    """Run the printed tests and sums in SAS, with `||` for every bar, then with the printed single bars."""
    begin, origin, end = LOOPS[name]
    lines = [" ".join(row).split(" then ") for row in tables.printed("demaio2020")[f"program {name}"].words]
    whole = optgraph.program(name, mend=repair)
    for single in (False, True):
        moves = ""
        for (tests, sums), statement in zip(lines, whole, strict=True):
            bar = "|" if single and "|" in sums and "||" not in sums.replace(" ", "") else "||"
            condition = " and ".join(" ".join(test) for test in statement.tests) if repair else tests
            to = bar.join(statement.destination)
            moves += f"if {condition} then do; destination = ({to}); output; end;\n"
        words = zip(("rows", "columns", "layers"), sizes, strict=False)
        sizes_ = " ".join(f"{word} = {size};" for word, size in words)
        ran = session(f"data board; {sizes_} {begin} origin = ({origin}); {moves} {end} run;")
        links_ = [
            [formatted(row[word]).replace(".", "").split() for word in ("origin", "destination")]
            for row in ran.data["board"]
        ]
        read_links = [tuple(tuple(map(int, place)) for place in link) for link in links_]
        bars = tuple(k for k, printed_statement in enumerate(whole, 1) if printed_statement.single and single)
        assert read_links == list(optgraph.run(name, *sizes, mend=repair, bars=bars).links)


# ---- with the commands


@pytest.mark.parametrize("spec", ["5x6", "3x4", "3x4x4", "hex:4", "8x8-a1,h1"])
def test_links_that_we_write_are_answered(spec: str, cli: Callable[..., Ran]) -> None:
    """The output of `links --format sas` runs OPTGRAPH; its answer is read back as a tour of the board."""
    ran = session(cli("links", spec, "--format", "sas", "--labels", "i_j").out)
    written_links = {frozenset((row["from"], row["to"])) for row in ran.data["links"]}
    graph = links(spec, labels="i_j")
    names = graph.names
    assert written_links == {frozenset((names[a], names[b])) for a, b in graph.pairs()}
    if not ran.data["closed_tour"]:
        assert cavalcade.tour(spec).status == "impossible"
        return
    assert check(formats.parse("\n".join(ran.listing), board=cavalcade.board(spec)))


def test_the_tour_of_a_graph_is_written_as_links_and_read_back(
    cli: Callable[..., Ran], tmp_path: Path
) -> None:
    """As in the paper of 2020, two columns have any titles and no weights; OUT= keeps their names."""
    (tmp_path / "l.csv").write_text("origin,destination\na,b\nb,c\nc,d\nd,a\na,c\n")
    for command in ("tour", "tsp"):
        assert cli(command, tmp_path / "l.csv", "-o", tmp_path / "l.out").code == 0
        lines = (tmp_path / "l.out").read_text().splitlines()
        assert lines[1] == "Obs origin destination"
        assert {frozenset(line.split()[1:]) for line in lines[2:]} == {
            frozenset(x) for x in ("ab", "bc", "cd", "da")
        }
        read = cli("convert", tmp_path / "l.out", "--board", tmp_path / "l.csv", "--format", "out")
        assert read.out.splitlines() == lines
    (tmp_path / "l.out").write_text("Obs from to\n1 a b\n2 c\n")
    assert (
        "line 3, '2 c': expected a number and two names"
        in cli("check", tmp_path / "l.out", "--board", tmp_path / "l.csv").err
    )
    (tmp_path / "l.csv").write_text("from,to\na b,c\nc,d\nd,a b\n")
    assert (
        "the name 'a b' cannot stand between blanks" in cli("tour", tmp_path / "l.csv", "--format", "out").err
    )


def test_the_programs_are_written_by_reproduce(cli: Callable[..., Ran], tmp_path: Path) -> None:
    for paper in PAPERS:
        assert cli("reproduce", paper, "--sas", tmp_path / paper).code == 0
        written = {file.name: file.read_text() for file in (tmp_path / paper).iterdir()}
        assert written == programs(paper)
    assert cli("reproduce", "all", "--sas", tmp_path).code == 0
    assert {file.name for file in tmp_path.iterdir() if file.suffix} == FILES.keys()
    assert "--sas" in cli("reproduce", "gerlach2015", "--sas", tmp_path, "--item", "x").err
    with pytest.raises(CavalcadeError, match="unknown paper 'gerlach'"):
        programs("gerlach")


# ---- damage

CHANGES = {
    "lt": "gt",
    "le": "lt",
    "ge": "gt",
    "eq": "ne",
    "ne": "eq",
    "gt": "ge",
    "and": "or",
    "not": "",
    "+": "-",
    "-": "+",
    "*": "+",
    "leave": "",
    "else": "",
    "max": "min",
    "min": "max",
    "abs": "",
    "output": "",
    "undirected": "directed",
}
SKIPPED = r"/\*.*?\*/|\"[^\"]*\"|'[^']*'|^%let \w+ = \w+;|^ *length .*?;|title=[^)]*|\w+=|&\w+"
CODE = re.compile(rf"{SKIPPED}|\b\d+\b|[-+*]|\b[a-z]+\b", re.DOTALL | re.MULTILINE)
#: Damage without effect, in the order of the file: the line and the word.
HARMLESS = {
    "knight.sas": [
        # the list contains each move and its opposite, and counts both
        ("if 1 le r + jump{k, 1} le &rows. and 1 le c + jump{k, 2} le &columns. then", "+"),
        ("if 1 le r + jump{k, 1} le &rows. and 1 le c + jump{k, 2} le &columns. then", "+"),
        ("%macro ktour(board, row, col, tie=lt, count=0, show=1);", "1"),  # any number but 0
        ("i = r + jump{k, 1};", "+"),
        ("j = c + jump{k, 2};", "+"),
        ("pmoves = 9;", "9"),  # more than any number of moves
        ("%macro glue(board, r, c, show=1);", "1"),
        ("file print linesize=256;", "256"),  # nothing here wraps lines
    ],
    "solution3.sas": [
        ("if 1 le r + jump{k, 1} le &rows. and 1 le c + jump{k, 2} le &columns. then", "+"),
        ("if 1 le r + jump{k, 1} le &rows. and 1 le c + jump{k, 2} le &columns. then", "+"),
        ("there = 1 le level + up le &boards.;", "+"),
        ("if &flat_table. and &boards. ge 4 then there = up gt 0;", "gt"),  # UP is never 0
        ("if 1 le r + away le &rows. then moves{level, r, c} = moves{level, r, c} + 1;", "+"),
        ("if 1 le c + away le &columns. then moves{level, r, c} = moves{level, r, c} + 1;", "+"),
        # from the two lowest boards, -2 leads below the lowest board
        ("array order{2, 4} _temporary_ (-1, 1, 2, -2,  1, -1, -2, 2);", "2"),
        ("pmoves = 99;", "99"),
        ("i = r + jump{k, 1};", "+"),
        ("j = c + jump{k, 2};", "+"),
        ("if &none_on_four. and level ge 2 and up gt 0 and level + up ge 4 then there = 0;", "gt"),
    ],
    "hexagon.sas": [("do r = 0 to 2 * n;", "2")],  # rows without a cell
}


def damages(text: str) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield copies of a text with one word of code changed, each with its line and word."""
    for match in CODE.finditer(text):
        word = match[0].lower()
        replacement = str(int(word) + 1) if word.isdigit() else CHANGES.get(word)
        if replacement is None:
            continue
        line = text[text.rfind("\n", 0, match.start()) + 1 : text.index("\n", match.end())].strip()
        yield (line, word), text[: match.start()] + replacement + text[match.end() :]


def noticed(name: str, damaged: str) -> bool:
    files = {**FILES, name: damaged}
    try:
        return not all(right(files) for right in RIGHT[name])
    except (SasError, CavalcadeError, KeyError, IndexError, ValueError, AttributeError):
        return True


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_damage_is_detected(name: str) -> None:
    all_damages = list(damages(FILES[name]))
    assert len(all_damages) > 2
    assert [where for where, text in all_damages if not noticed(name, text)] == HARMLESS.get(name, [])


# ---- the interpreter


@pytest.mark.parametrize(
    ("code", "values"),
    [
        ("x = 1 le 2 le 3; y = 3 le 2 le 3;", {"x": 1, "y": 0}),
        ("x = . lt -5; y = . eq .; z = . + 1 eq .;", {"x": 1, "y": 1, "z": 1}),
        ("do i = 1, 4, 2; x + i; end;", {"x": 7, "i": 2}),
        ("do i = 1 to 3; end;", {"i": 4}),
        ("do i = 1 to 3; do j = 1 to 3; n + 1; leave; end; end;", {"n": 3, "j": 1}),
        ("x = 2 + 3 * 4 - 1; y = -2 + 5; z = (2 + 3) * 4;", {"x": 13, "y": 3, "z": 20}),
        ("x = 1 | 0; y = 0 | 0; z = not 0 and 1;", {"x": 1, "y": 0, "z": 1}),
        ("x = 5||6;", {"x": "           5           6"}),
        ("x = 5|6; x = 5||6;", {"x": "."}),  # the first value makes it a number, and the text is not one
        ("x = 5||6; x = 5|6;", {"x": "           1"}),
        ("length x $ 9; x = catx('_', 1, 2 + 3);", {"x": "1_5"}),
        ("if 0 then x = 1; else if 2 then x = 2; else x = 3;", {"x": 2}),
        ("x = max(1, 5, .) - min(2, 4); y = n(1, ., 3); z = abs(-2);", {"x": 3, "y": 2, "z": 2}),
    ],
)
def test_the_interpreter_follows_sas(code: str, values: dict[str, object]) -> None:
    (row,) = session(f"data one; {code} run;").data["one"]
    for name, value in values.items():
        assert formatted(row[name]) == str(value)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("array a{3} x y z; i = 4; a{i} = 1;", "array subscript out of range: a, 4 of 3"),
        ("array a{3} x y;", "array a has 3 elements and 2 variables"),
        ("x = ranuni(2);", "RANUNI is neither an array nor a function"),
        ("do i = 1 to 3; x = i;", "program, line 1: DO has no END"),
        ("goto there;", "the statement GOTO is not supported"),
    ],
)
def test_unsupported_code_is_refused(code: str, message: str) -> None:
    with pytest.raises(SasError, match=message):
        session(f"data one; {code} run;")
