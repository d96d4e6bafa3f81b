"""graph6, DIMACS, Matrix Market, fixed edges: files of other programs, and commands that filter lines."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cavalcade
from cavalcade import formats
from cavalcade.formats.graph6 import are_graphs, parse_line, sixes, size_first, size_written
from cavalcade.formats.table import FORMATS
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.graph import MoveGraph
from conftest import Ran, one_error
from strategies import edge_lists

if TYPE_CHECKING:
    from collections.abc import Callable

F: Any = cavalcade
Edge = tuple[int, int]
DATA = Path(__file__).parent / "data"
PETERSEN = "IheA@GUAo"


# ---- the formats


def test_the_examples_of_the_description() -> None:
    """McKay's description of the formats gives these examples."""
    for n, text in ((1, "@"), (30, "]"), (12_345, "~B?x"), (460_175_067, "~~?ZZZZZ")):
        assert size_written(n) == text
        assert size_first(sixes(text))[0] == n
    for line, n, edges in (
        ("DQc", 5, [(0, 2), (0, 4), (1, 3), (3, 4)]),
        (":Fa@x^", 7, [(0, 1), (0, 2), (1, 2), (5, 6)]),
        ("&DI?AO?", 5, [(0, 2), (0, 4), (3, 1), (3, 4)]),
    ):
        graph = parse_line(line)
        assert (graph.size, list(map(tuple, graph.edges().tolist()))) == (n, edges)
        assert formats.write(graph, {":": "sparse6", "&": "digraph6"}.get(line[0], "graph6")) == f"{line}\n"


@given(edge_lists(most=70), st.booleans())
def test_networkx_reads_and_writes_the_same_lines(
    given_edges: tuple[int, list[Edge]],
    directed: bool,  # noqa: FBT001
) -> None:
    n, edges = given_edges
    ours = MoveGraph.from_edges(edges, n)
    theirs = nx.empty_graph(n)
    theirs.add_edges_from(edges)
    assert formats.write(ours, "graph6").encode() == nx.to_graph6_bytes(theirs, header=False)
    line = nx.to_sparse6_bytes(theirs, header=directed).decode()
    assert formats.parse_graph(line).edges().tolist() == ours.edges().tolist()
    back = nx.from_sparse6_bytes(formats.write(ours, "sparse6").strip().encode())
    assert nx.utils.graphs_equal(nx.Graph(back), theirs)
    arcs = MoveGraph.from_edges(edges, n, directed=directed)
    parsed = formats.parse_graph(formats.write(arcs, "digraph6"))
    assert parsed.directed
    assert nx.utils.graphs_equal(parsed.to_networkx(), arcs.to_networkx().to_directed())


def test_padding_bits_encode_no_loop() -> None:
    """If n is a power of two and the last vertex has no edge, padding with ones would encode a loop."""
    for edges, n in (([(0, 1), (0, 2), (1, 2)], 4), ([(0, 5), (1, 6), (2, 6)], 8), ([(0, 1), (13, 14)], 16)):
        line = formats.write(MoveGraph.from_edges(edges, n), "sparse6").strip()
        assert sorted(map(sorted, nx.from_sparse6_bytes(line.encode()).edges())) == sorted(map(list, edges))


PLAIN = [format_entry.name for format_entry in FORMATS if format_entry.holds == ("MoveGraph",)]


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("n", [1, 2, 3, 16, 62, 63, 64, 130])
def test_graphs_are_read_back(name: str, n: int) -> None:
    for share in (0.0, 0.1, 1.0):
        theirs = nx.gnp_random_graph(n, share, seed=n)
        ours = MoveGraph.from_networkx(theirs)
        parsed = formats.parse_graph(formats.write(ours, name), "adjlist" if name == "adjlist" else None)
        assert np.array_equal(parsed.indptr, ours.indptr), f"{name}: another graph is read than was written"
        assert np.array_equal(parsed.indices, ours.indices), f"{name}: another graph is read than was written"


def test_a_sparse_graph_may_be_large() -> None:
    ring = MoveGraph.from_edges(np.stack([np.arange(300_000), np.roll(np.arange(300_000), -1)], axis=1))
    line = formats.write(ring, "sparse6")
    assert line.startswith(":~~")
    assert len(line) < 2_000_000
    assert np.array_equal(formats.parse_graph(line).indices, ring.indices)


def test_what_a_format_cannot_carry_is_refused() -> None:
    arcs = MoveGraph.from_edges([(0, 1), (1, 2), (2, 0)], directed=True)
    assert formats.write(arcs) == formats.write(arcs, "digraph6") == "&BP_\n"
    fixed = formats.parse_graph(FIXED.format("1 2\n"))
    for graph, name in (
        (arcs, "graph6"),
        (arcs, "hcp"),
        (fixed, "edges"),
        (fixed, "sparse6"),
        (fixed, "dimacs"),
    ):
        with pytest.raises(CavalcadeError, match=r"that is (directed|fixed) as"):
            formats.write(graph, name)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("D~", "not graph6: 1 characters after the number of vertices, expected 2"),
        ("D~{{", "not graph6: 3 characters after the number of vertices, expected 2"),
        ("D~ {", "not graph6: ' ' is not a character of it"),
        ("D~é", "not graph6: 'é' is not a character of it"),
        ("?", "not graph6: it has no vertex"),
        ("~?", "not graph6: it ends in its number of vertices"),
        (":", "not sparse6: it ends in its number of vertices"),
        ("&D~", "not digraph6: 1 characters after the number of vertices, expected 5"),
        (";Fa@x^", "incremental sparse6"),
        (":~~~~~~~~", "too many to number|vertices needs about"),
    ],
)
def test_a_damaged_line_is_quoted_with_its_number(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "some.g6"
    file.write_text(f"D~{{\n\n{line}\n", encoding="utf-8")
    graphs = cavalcade.read_graphs(file)
    assert next(graphs).size == 5
    with pytest.raises(CavalcadeError, match=rf"some\.g6: line 3.*({message})"):
        next(graphs)


def test_lines_of_graph6_are_recognised() -> None:
    for text in (
        PETERSEN,
        f"{PETERSEN}\r\nD~{{\n",
        ">>graph6<<",
        ":Fa@x^\n",
        "&DI?AO?\n",
        "~?@c" + "?" * 5000,
    ):
        assert are_graphs(text), text
    for text in ("", "a b\n", "a\nb\na b\n", "..#\n", "D~\n", "P x\n", "p edge 2 1\n", "8x8\n", "{}\n"):
        assert not are_graphs(text), text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p edge 3 1\np edge 3 1\n", "line 2, 'p edge 3 1': expected one problem line"),
        ("p edge 0 0\n", "line 1, 'p edge 0 0': expected one problem line"),
        ("p edge x 1\n", "expected one problem line"),
        ("p col 3 1\ne 1 4\n", "line 2, 'e 1 4': a number that is not a vertex, expected 1 to 3"),
        ("p col 3 1\ne 2 2\n", "line 2, 'e 2 2': a vertex is joined to itself"),
        ("p col 3 1\ne 1 2 x\n", "line 2, 'e 1 2 x': expected an edge, like 'e 1 2'"),
        ("p col 3 4\ne 1 2\n", "it has 1 edges, its problem line says 4"),
    ],
)
def test_damaged_dimacs_names_the_line(text: str, message: str) -> None:
    with pytest.raises(CavalcadeError, match=message):
        formats.parse_graph(text)


def test_dimacs_of_other_programs() -> None:
    text = "c\nc a triangle, each edge twice\np col 3 6\nn 1 5\ne 1 2\ne 2 1\ne 2 3\ne 3 2\ne 1 3\ne 3 1\n"
    graph = formats.parse_graph(text)
    assert (graph.edge_count, graph.labels) == (3, (1, 2, 3))
    assert formats.parse_graph(text.replace("3 6", "3 3")).edge_count == 3


MATRIX = "%%MatrixMarket matrix coordinate pattern"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            f"{MATRIX} symmetric\n3 3 2\n2 1\n3 4\n",
            "line 4, '3 4': a number that is not a vertex, expected 1 to 3",
        ),
        (f"{MATRIX} symmetric\n3 3 3\n2 1\n3 1\n", "there are 2 entries in it, its size says 3"),
        (f"{MATRIX} symmetric\nx\n", "there is no size in it"),
        (f"{MATRIX}\n", "expected one of pattern, integer"),
        (f"{MATRIX} general\n3 4 1\n1 4\n", "the matrix is 3x4, expected as many rows as columns"),
        (f"{MATRIX} general\n0 0 0\n", "a graph without vertices"),
        (f"{MATRIX} general\n3 3 999999999999\n1 2\n", "its size says 999,999,999,999"),
        (f"{MATRIX} general\n99999999999 99999999999 1\n1 2\n", "a graph of 99,999,999,999 vertices needs"),
        ("%%MatrixMarket matrix array real general\n2 2\n0\n1\n1\n0\n", "it is no matrix of coordinates"),
    ],
)
def test_a_damaged_matrix_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(CavalcadeError, match=message) as caught:
        formats.parse_graph(text)
    assert "\n" not in str(caught.value)


def test_matrices_of_other_programs() -> None:
    graph = formats.parse_graph(
        "%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 3\n1 1 7\n2 1 .5\n3 2 0\n"
    )
    assert (graph.edges().tolist(), graph.labels, graph.directed) == ([[0, 1], [1, 2]], (1, 2, 3), False)
    arcs = MoveGraph.from_edges([(0, 1), (1, 2), (2, 0)], directed=True)
    parsed = formats.parse_graph(formats.write(arcs, "mtx"))
    assert (parsed.directed, parsed.arcs().tolist()) == (True, arcs.arcs().tolist())


# ---- fixed edges

FIXED = (
    "NAME : prism\nTYPE : HCP\nDIMENSION : 6\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n"
    "1 2\n2 3\n3 1\n4 5\n5 6\n6 4\n1 4\n2 5\n3 6\n-1\nFIXED_EDGES_SECTION\n{}-1\nEOF\n"
)


def test_fixed_edges_are_required_everywhere(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    file = tmp_path / "prism.hcp"
    file.write_text(FIXED.format(""))
    assert cli("count", file).out == "3\n"
    file.write_text(FIXED.format("1 4\n"))
    assert cli("count", file).out == "2\n"
    assert F.count(file, with_=["2-5"]).count == 1
    nodes = F.hamiltonian_cycle(str(file)).tour.nodes
    position = nodes.index(1)
    assert 4 in {nodes[position - 1], nodes[(position + 1) % 6]}
    with pytest.raises(CavalcadeError, match="a move to use and a move to avoid"):
        F.hamiltonian_cycle(str(file), forbidden=[(4, 1)])
    assert F.check(["1", "4", "6", "5", "2", "3"], file).ok
    assert F.check(["1", "3", "6", "4", "5", "2"], file).message == "it does not make the move 1-4"
    written = formats.parse_graph(formats.write(formats.read_graph(file)))
    assert written.fixed == ((0, 3),)
    file.write_text(FIXED.format("1 4\n2 5\n3 6\n"))
    ran = cli("prove", file, "--json")
    assert ran.code == 1
    assert ", with 1-4, 2-5, 3-6" in json.loads(ran.out)["certificate"]["statement"]


# ---- filters


def feed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Replace standard input by a text."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(text.encode()))))


def test_one_line_per_answer(cli: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, f">>graph6<<D~{{\nD?{{\n{PETERSEN}\n:Fa@x^\n")
    ran = cli("tour", "-")
    rows = [line.split("\t") for line in ran.out.splitlines()]
    assert [row[:2] for row in rows] == [
        ["D~{", "found"], ["D?{", "impossible"], [PETERSEN, "impossible"], [":Fa@x^", "impossible"],
    ]  # fmt: skip
    assert sorted(rows[0][2].split()) == ["0", "1", "2", "3", "4"]
    assert rows[1][2] == "degree"
    assert ran.code == 0
    feed(monkeypatch, f"{PETERSEN}\n")
    ran = cli("prove", "-")
    assert ran.code == 1
    assert ran.out.startswith(f"{PETERSEN}\timpossible\t")
    assert ran.out.endswith("So there is no closed tour.\n")
    feed(monkeypatch, f"{PETERSEN}\n")
    ran = cli("tour", "-", "--open", "--from", "7", "--json")
    answer = json.loads(ran.out)
    assert (ran.code, answer["graph"], answer["status"], answer["cells"][0]) == (0, PETERSEN, "found", "7")
    feed(monkeypatch, f"{PETERSEN}\n")
    ran = cli("tour", "-", "--engine", "join", "--time-limit", "0.01")
    assert (ran.code, ran.out.split("\t")[1]) == (3, "undecided")


def test_lines_are_selected_by_status(cli: Callable[..., Ran], tmp_path: Path) -> None:
    lines = (DATA / "connected8.g6").read_text().splitlines()[::100]
    file = tmp_path / "some.g6"
    file.write_text("".join(f"{line}\n" for line in lines))
    status = {line: F.tour(graph).status for line, graph in zip(lines, F.read_graphs(file), strict=True)}
    for picked_status in ("found", "impossible", "undecided"):
        picked = cli("tour", file, "--pick", picked_status).out.splitlines()
        assert picked == [line for line in lines if status[line] == picked_status]
    assert set(status.values()) == {"found", "impossible"}


def test_an_answer_does_not_wait_for_the_next_graph() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "cavalcade", "tour", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as filter_:
        assert filter_.stdin is not None
        assert filter_.stdout is not None
        for line in ("D~{", "D?{"):
            filter_.stdin.write(f"{line}\n")
            filter_.stdin.flush()
            assert filter_.stdout.readline().startswith(f"{line}\t")
        filter_.stdin.close()
        assert filter_.wait() == 0


def test_options_that_exclude_lines(cli: Callable[..., Ran], tmp_path: Path) -> None:
    file = tmp_path / "some.g6"
    file.write_text(f"D~{{\n{PETERSEN}\n")
    one_error(cli("tour", file, "--beside"), "--beside cannot be combined with a file of one graph per line")
    one_error(
        cli("prove", file, "-o", tmp_path / "x.proof"), "cannot be combined with a file of one graph per line"
    )
    refused = cli("tour", file, "--pick", "found", "--json")
    one_error(refused, "--pick found excludes --json: drop one", as_json=True)
    one_error(cli("tour", "8x8", "--pick", "found"), "--pick found expects a file with one graph per line")
    one_error(cli("prove", "3x4", "--pick", "found"), "--pick found expects a file with one graph per line")
    one_error(cli("list", file), "there are 2 graphs in it, expected one: cavalcade tour answers each")
    one_error(cli("tour", tmp_path / "none.g6"), "No such file")
    ran = cli("tour", file, "--with", "0-6")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {file}: line 1, 'D~{{': '6' is not a vertex")
    with pytest.raises(CavalcadeError, match="no graph6 on its first line"):
        next(cavalcade.read_graphs(DATA / "constraints.json"))


def test_count_answers_each_graph(cli: Callable[..., Ran], tmp_path: Path) -> None:
    """The complete graph of 5 vertices has 4!/2 cycles and 5!/2 paths, and Petersen's graph has no cycle."""
    file = tmp_path / "some.g6"
    file.write_text(f"D~{{\n{PETERSEN}\n")
    assert cli("count", file).out == f"D~{{\t12\n{PETERSEN}\t0\n"
    file.write_text(f"D~{{\n{PETERSEN}")
    assert cli("count", file).out == f"D~{{\t12\n{PETERSEN}\t0\n"
    assert json.loads(cli("count", file, "--json").out.splitlines()[0]) == {
        "graph": "D~{", "count": 12, "status": "complete",
    }  # fmt: skip
    assert cli("count", file, "--open").out.startswith("D~{\t60\n")
    one_error(cli("count", file, "--twice"), "--twice cannot be combined with a file of several graphs")


def test_the_proof_of_one_graph_is_written(cli: Callable[..., Ran], tmp_path: Path) -> None:
    """A file of one graph has all options; the proof that is named is written beside its formula."""
    file = tmp_path / "one.g6"
    file.write_text(f"{PETERSEN}\n")
    for _ in range(2):
        assert cli("prove", file, "--cnf", tmp_path / "p.cnf", "--proof", tmp_path / "p.drat").code == 1
    assert (tmp_path / "p.drat").read_text().endswith("0\n")
    assert cli("check", tmp_path / "p.cnf", "--board", file).code == 0
    other = tmp_path / "other.g6"
    other.write_text("D~{\n")
    one_error(cli("check", tmp_path / "p.cnf", "--board", other), "it proves that there is no closed tour of")
    for ending in ("drat", "lrat"):
        refused = cli("check", tmp_path / f"p.{ending}")
        one_error(refused, f"checked with its formula: try cavalcade check {tmp_path / 'p.cnf'}")


def test_convert_writes_graphs(cli: Callable[..., Ran], tmp_path: Path) -> None:
    first = tmp_path / "petersen.g6"
    first.write_text(f"{PETERSEN}\n")
    before = first
    for ending in ("s6", "col", "hcp", "edges", "g6"):
        after = tmp_path / f"again.{ending}"
        assert cli("convert", before, "-o", after) == Ran(0, "", "")
        before = after
    assert before.read_text() == first.read_text()
    assert cli("convert", first, "--format", "digraph6").out == formats.write(
        next(cavalcade.read_graphs(first)), "digraph6"
    )
    assert cli("links", "3x4", "--format", "graph6").out == formats.write(F.move_graph("3x4"), "graph6")
    first.write_text(f"{PETERSEN}\nD~{{\n")
    assert cli("convert", first, "--format", "sparse6").out.count("\n:") == 1
    one_error(
        cli("convert", first, "--format", "hcp"), "has one graph per line, and hcp holds one: try graph6"
    )
    one_error(cli("convert", first, "--format", "sparse6", "--reverse"), "--reverse is for tours")
    picture = tmp_path / "board.txt"
    picture.write_text("...\n...\n")
    one_error(cli("convert", picture, "--format", "graph6"), "is the picture of a board")


@pytest.mark.parametrize("separator", [" ", "\t", ","])
def test_links_between_labels_of_bits(cli: Callable[..., Ran], tmp_path: Path, separator: str) -> None:
    """The labels of a cube's vertices look like squares and holes; a cube has 6 Hamiltonian cycles."""
    labels = [f"{i:03b}" for i in range(8)]
    edges = [(labels[i], labels[i ^ bit]) for i in range(8) for bit in (1, 2, 4) if i < i ^ bit]
    path = tmp_path / "cube.txt"
    path.write_text("\n".join(map(separator.join, edges)), encoding="utf-8")
    assert cli("count", path, "--quiet").out == "6\n"
    # A ring of squares about a hole, drawn by the same digits, is still a board.
    path.write_text(
        separator.join("111") + "\n" + separator.join("101") + "\n" + separator.join("111"), "utf-8"
    )
    assert cli("count", path, "--quiet").out == "1\n"
