"""Files of graphs: files of other libraries are read correctly, and damage is noticed or harmless.

The graphs are random; other libraries write and read them. A damaged file is refused, or read as the library
of its format or a plain parser in this file reads it.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import sys
import warnings
from functools import partial
from itertools import pairwise, permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import igraph
import networkx as nx
import numpy as np
import pytest
import rustworkx as rx
import scipy.io
import scipy.sparse as sp

from cavalcade import MoveGraph, formats
from cavalcade.formats.table import READ
from cavalcade.ground.errors import CavalcadeError
from conftest import Ran, one_error

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # pydot uses old names of pyparsing
    import pydot.dot_parser

if TYPE_CHECKING:
    from collections.abc import Callable

Edges: TypeAlias = set[Any]
# Numbers of random graphs for each writer, and of damaged texts for each reader.
GRAPHS_PER_WRITER, DAMAGED_TEXTS = 200, 400


def edges_of(graph: MoveGraph) -> Edges:
    """Return the edges of a graph by names: pairs if directed, sets of two otherwise."""
    kind: Any = tuple if graph.directed else frozenset
    return {kind((graph.names[a], graph.names[b])) for a, b in graph.pairs()}


def networkx_edges(graph: Any) -> Edges:
    """Return the edges of a graph of networkx by names, without loops."""
    kind: Any = tuple if graph.is_directed() else frozenset
    return {kind((str(a), str(b))) for a, b in graph.edges() if a != b}


def random_graph(rng: random.Random, *, directed: bool) -> Any:
    """Return a random graph of networkx without isolated vertices, which some formats lose."""
    n = rng.randrange(2, 12)
    graph = nx.gnp_random_graph(n, rng.uniform(0.1, 1), seed=rng.randrange(2**32), directed=directed)
    graph.add_edges_from((node, (node + 1) % n) for node in [*graph] if not nx.degree(graph, node))
    return graph


# ---- writers


def by_networkx(writer: Callable[..., Any], graph: Any) -> str:
    out = io.BytesIO()
    writer(graph, out)
    return out.getvalue().decode()


def by_igraph(writer: str, graph: Any, path: Path) -> str:
    converted = igraph.Graph(len(graph), list(graph.edges), directed=graph.is_directed())
    converted.vs["name"] = list(map(str, range(len(graph))))
    converted.write(str(path), writer, **({"weights": None} if writer == "ncol" else {}))
    return path.read_text()


def by_rustworkx(writer: Callable[..., Any], graph: Any, path: Path) -> str:
    converted: Any = rx.PyDiGraph() if graph.is_directed() else rx.PyGraph()
    converted.add_nodes_from([{"label": str(node)} for node in graph])
    converted.add_edges_from([(a, b, {}) for a, b in graph.edges])
    writer(converted, str(path))
    return path.read_text()


def by_scipy(graph: Any) -> str:
    out = io.BytesIO()
    scipy.io.mmwrite(
        out, sp.coo_array(nx.to_scipy_sparse_array(graph, nodelist=sorted(graph), dtype=np.int8))
    )
    return out.getvalue().decode()


def metis(graph: Any) -> str:
    rows = [" ".join(str(b + 1) for b in graph[node]) for node in sorted(graph)]
    return "\n".join([f"{len(graph)} {graph.number_of_edges()}", *rows, ""])


def tgf(graph: Any) -> str:
    nodes = [f"{node} node {node}" for node in graph]
    return "\n".join([*nodes, "#", *(f"{a} {b} some label" for a, b in graph.edges), ""])


def rows(graph: Any, form: str) -> str:
    return "".join(form.format(a, b) for a, b in graph.edges)


def dimacs(graph: Any) -> str:
    return f"p edge {len(graph)} {graph.number_of_edges()}\n" + "".join(
        f"e {a + 1} {b + 1}\n" for a, b in graph.edges
    )


WRITERS: dict[str, Callable[[Any, Path], str]] = {
    "networkx edgelist": lambda graph, _: by_networkx(nx.write_edgelist, graph),
    "networkx weighted": lambda graph, _: by_networkx(nx.write_weighted_edgelist, weighted(graph)),
    "networkx adjlist": lambda graph, _: "\n".join([*nx.generate_adjlist(graph), ""]),
    "networkx gml": lambda graph, _: by_networkx(nx.write_gml, graph),
    "networkx graphml": lambda graph, _: by_networkx(nx.write_graphml_xml, graph),
    "networkx pajek": lambda graph, _: by_networkx(nx.write_pajek, graph),
    "networkx dot": lambda graph, _: nx.nx_pydot.to_pydot(graph).to_string(),
    "networkx graph6": lambda graph, _: by_networkx(nx.write_graph6, graph),
    "networkx sparse6": lambda graph, _: by_networkx(nx.write_sparse6, graph),
    "networkx json": lambda graph, _: json.dumps(nx.node_link_data(graph)),
    "networkx adjacency": lambda graph, _: json.dumps(nx.adjacency_data(graph)),
    "networkx gexf": lambda graph, _: by_networkx(nx.write_gexf, graph),
    "networkx dict": lambda graph, _: json.dumps(nx.to_dict_of_lists(graph)),
    "igraph edgelist": partial(by_igraph, "edgelist"),
    "igraph ncol": partial(by_igraph, "ncol"),
    "igraph gml": partial(by_igraph, "gml"),
    "igraph dot": partial(by_igraph, "dot"),
    "igraph graphml": partial(by_igraph, "graphml"),
    "igraph pajek": partial(by_igraph, "pajek"),
    "rustworkx graphml": partial(by_rustworkx, rx.write_graphml),
    "rustworkx dot": partial(by_rustworkx, lambda graph, path: Path(path).write_text(graph.to_dot())),
    "rustworkx json": partial(
        by_rustworkx, lambda graph, path: rx.node_link_json(graph, path=path, node_attrs=lambda node: node)
    ),
    "scipy mtx": lambda graph, _: by_scipy(graph),
    "metis": lambda graph, _: metis(graph),
    "tgf": lambda graph, _: tgf(graph),
    "dimacs": lambda graph, _: dimacs(graph),
    "arrows": lambda graph, _: rows(graph, "{} -> {}\n" if graph.is_directed() else "{} -- {}\n"),
    "csv": lambda graph, _: "source;target\n" + rows(graph, "{};{}\n"),
}  # fmt: skip
UNDIRECTED = {"networkx graph6", "networkx sparse6", "metis", "dimacs", "networkx dict"}
SILENT = {
    "networkx edgelist",
    "networkx weighted",
    "networkx adjlist",
    "igraph edgelist",
    "igraph ncol",
    "tgf",
    "csv",
}


def weighted(graph: Any) -> Any:
    """Return a copy of a graph with weights."""
    copy = graph.copy()
    for i, (a, b) in enumerate(graph.edges):
        copy[a][b]["weight"] = i / 4
    return copy


@pytest.mark.parametrize("writer", WRITERS)
def test_files_of_other_libraries(writer: str, tmp_path: Path) -> None:
    rng = random.Random(writer)
    read = 0
    for i in range(GRAPHS_PER_WRITER):
        directed = i % 2 == 1 and writer not in UNDIRECTED
        graph = random_graph(rng, directed=directed)
        text = WRITERS[writer](graph, tmp_path / "graph")
        options: dict[str, Any] = {"directed": True} if directed and writer in SILENT else {}
        if writer == "networkx adjlist":
            options["format"] = "adjlist"
        try:
            parsed = formats.parse_graph(text, **options)
        except CavalcadeError as error:
            assert "--input-format edges" in str(error), text  # noqa: PT017 - refusing an ambiguous file is right, too
            assert writer.endswith(("list", "weighted", "ncol", "csv")), text
            parsed = formats.parse_graph(text, "edges", **options)
        read += 1
        first = 1 if writer in {"scipy mtx", "metis", "dimacs"} else 0
        named = {str(node): str(node + first) for node in graph}
        if writer == "tgf":
            named = {str(node): f"node {node}" for node in graph}
        if writer.endswith("graphml") and not writer.startswith("networkx"):
            named = {str(node): f"n{node}" for node in graph} if parsed.names[0] == "n0" else named
        if writer == "scipy mtx" and all(graph.has_edge(b, a) for a, b in graph.edges):
            directed = False  # a symmetric matrix is read as undirected
        edge_type: Any = tuple if directed else frozenset
        assert edges_of(parsed) == {edge_type((named[str(a)], named[str(b)])) for a, b in graph.edges}, text
    assert read == GRAPHS_PER_WRITER


def dot_of(text: str) -> Any:
    graphs = pydot.graph_from_dot_data(text)
    return graphs and graphs[0]


BACK: dict[str, Callable[[str], Any]] = {
    "gml": nx.parse_gml,
    "graphml": nx.parse_graphml,
    "gexf": lambda text: nx.read_gexf(io.BytesIO(text.encode())),
    "dot": lambda text: nx.nx_pydot.from_pydot(dot_of(text)),
    "pajek": nx.parse_pajek,
    "json": lambda text: nx.node_link_graph(json.loads(text)),
    "adjlist": lambda text: nx.parse_adjlist(text.splitlines()),
    "edges": lambda text: nx.parse_edgelist(text.splitlines()),
    "mtx": lambda text: nx.relabel_nodes(
        nx.from_scipy_sparse_array(scipy.io.mmread(io.BytesIO(text.encode()))), lambda node: node + 1
    ),
    "graph6": lambda text: nx.from_graph6_bytes(text.strip().encode()),
    "sparse6": lambda text: nx.from_sparse6_bytes(text.strip().encode()),
}


@pytest.mark.filterwarnings(
    "ignore:.*spmatrix:DeprecationWarning"
)  # of SciPy 1.18, whose default will change
@pytest.mark.parametrize("name", BACK)
def test_other_libraries_read_what_we_write(name: str) -> None:
    rng = random.Random(name)
    for _ in range(50):
        graph = random_graph(rng, directed=False)
        ours = MoveGraph.from_networkx(graph)
        first = 1 if name == "mtx" else 0
        back = BACK[name](formats.write(ours, name))
        assert {frozenset((int(a) - first, int(b) - first)) for a, b in back.edges()} == numeric_edges(graph)
        parsed = formats.parse_graph(formats.write(ours, name), name if name in READ else None)
        assert parsed.edges().tolist() == ours.edges().tolist()


def numeric_edges(graph: Any) -> Edges:
    return {frozenset(edge) for edge in graph.edges()}


# ---- damage

SCRAPS = "0123456789 \n\t#%*,;:.-->{}[]\"'abepxX&~?@\\/<>=|é"


def damaged(rng: random.Random, text: str) -> str:
    """Return a text with one to three random edits."""
    for _ in range(rng.randrange(1, 4)):
        lines = text.splitlines(keepends=True) or [""]
        line, second_line = rng.randrange(len(lines)), rng.randrange(len(lines))
        place = rng.randrange(len(text) + 1)
        match rng.randrange(7):
            case 0:
                del lines[line]
                text = "".join(lines)
            case 1:
                text = "".join([*lines[:line], lines[second_line], *lines[line:]])
            case 2:
                lines[line], lines[second_line] = lines[second_line], lines[line]
                text = "".join(lines)
            case 3:
                text = text[:place] + text[place + rng.choice([1, 1, 2, 9]) :]
            case 4:
                text = text[:place] + rng.choice(SCRAPS) + text[place + 1 :]
            case 5:
                text = text[:place] + rng.choice(SCRAPS) + text[place:]
            case 6:
                text = text[:place] if rng.random() < 0.3 else text.removeprefix(lines[0])
    return text


def plain(text: str, signs: str = "") -> Edges:
    """Parse a list of pairs, one per line."""
    rows = [line.partition("#")[0].strip() for line in text.splitlines()]
    sign = next((sign for sign in signs if any(sign in row for row in rows)), None)
    pairs = [[end.strip() for end in row.split(sign)[:2]] for row in rows]
    return {frozenset(pair) for pair in pairs if len(pair) == 2}


def plain_neighbours(text: str) -> Edges:
    rows = [line.partition("#")[0].split() for line in text.splitlines()]
    rows = [[row[0].removesuffix(":"), *row[1:]] for row in rows if row]
    return {frozenset((head, neighbour)) for head, *neighbours in rows for neighbour in neighbours}


def plain_pajek(text: str) -> Edges:
    nodes, _, edges = text.partition("*edges")
    named = [line.split()[:2] for line in nodes.splitlines()[1:] if line.strip()]
    labels: Any = {int(row[0]): row[-1] for row in named}
    if len({*labels.values()}) < len(labels):
        labels = {number: str(number) for number in labels}
    pairs = [line.split()[:2] for line in edges.splitlines() if line.strip() and line.strip()[0] not in "*%"]
    return {frozenset(labels[int(end)] for end in pair) for pair in pairs}


def plain_metis(text: str) -> Edges:
    head, *rows = [line.split() for line in text.splitlines() if not line.startswith("%")]
    rows = rows if len(rows) == int(head[0]) else [row for row in rows if row]
    assert len(rows) <= int(head[0])
    assert len(" ".join(map(" ".join, rows)).split()) == 2 * int(head[1])
    return {frozenset((str(i), word)) for i, row in enumerate(rows, 1) for word in row}


def plain_matrix(text: str) -> Edges:
    entries = [line.split()[:2] for line in text.splitlines() if line.strip() and line[0] != "%"][1:]
    return {frozenset(entry) for entry in entries if entry[0] != entry[1]}


def plain_tgf(text: str) -> Edges:
    nodes, _, edges = text.partition("\n#\n")
    labels_of_nodes = {
        line.split()[0]: " ".join(line.split()[1:]) for line in nodes.splitlines() if line.strip()
    }
    if len({*labels_of_nodes.values()}) < len(labels_of_nodes) or "" in labels_of_nodes.values():
        labels_of_nodes = {node: node for node in labels_of_nodes}
    pairs = [line.split()[:2] for line in edges.splitlines() if line.strip()]
    return {frozenset(labels_of_nodes[node] for node in pair) for pair in pairs}


def plain_dimacs(text: str) -> Edges:
    return {frozenset(line.split()[1:3]) for line in text.splitlines() if line.split()[:1] == ["e"]}


def plain_arrows(text: str) -> Edges:
    rows = [line.partition("#")[0].split() for line in text.splitlines()]
    return {frozenset(row[:3:2]) for row in rows if row}


def plain_dot(text: str) -> Edges:
    """Parse with pydot; if it fails, as on negative numbers and `1--2`, collect the pairs around `--`."""
    with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
        graph = nx.nx_pydot.from_pydot(dot_of(text))
        return networkx_edges(nx.relabel_nodes(graph, {node: node.strip('"') for node in graph}))
    body = re.sub(r"/\*.*?\*/|//[^\n]*|\[[^]]*\]", " ", text, flags=re.DOTALL)
    return {frozenset(pair) for pair in re.findall(r"(-?[\w.]+)\s*--\s*(?=(-?[\w.]+))", body)}


def by_sparse6(text: str) -> Edges:
    line = text.strip().removeprefix(">>sparse6<<").encode()
    return networkx_edges(nx.from_sparse6_bytes(line) if line[:1] == b":" else nx.from_graph6_bytes(line))


def by_id(text: str) -> Edges:
    graph = nx.parse_gml(text, label="id")
    labels = {node: label for node, label in graph.nodes(data="label") if isinstance(label, str | int)}
    return networkx_edges(
        nx.relabel_nodes(graph, labels) if len({*map(str, labels.values())}) == len(graph) else graph
    )


READERS: dict[str, Callable[[str], Edges]] = {
    "networkx edgelist": plain,
    "networkx adjlist": plain_neighbours,
    "networkx gml": by_id,
    "networkx graphml": lambda text: networkx_edges(nx.parse_graphml(text)),
    "networkx pajek": plain_pajek,
    "networkx dot": plain_dot,
    "igraph dot": plain_dot,
    "networkx graph6": lambda text: networkx_edges(nx.from_graph6_bytes(text.strip().encode())),
    "networkx sparse6": by_sparse6,
    "networkx json": lambda text: networkx_edges(nx.node_link_graph(json.loads(text))),
    "networkx adjacency": lambda text: networkx_edges(nx.adjacency_graph(json.loads(text), multigraph=False)),
    "networkx gexf": lambda text: networkx_edges(nx.read_gexf(io.BytesIO(text.encode()))),
    "scipy mtx": plain_matrix,
    "metis": plain_metis,
    "tgf": plain_tgf,
    "dimacs": plain_dimacs,
    "arrows": plain_arrows,
}
# Marks that identify a format; a text without its mark may be read as a list of edges.
MARKS = {"tgf": "\n#\n", "dimacs": "p edge", "scipy mtx": "%%", "networkx pajek": "*", "arrows": " -- "}
MARKS |= {"networkx json": "{", "networkx dot": "{", "igraph dot": "{", "networkx edgelist": "never"}


def readings(writer: str, text: str) -> list[Edges]:
    """Return the acceptable readings of a text: by its format, or as a list of edges if no mark remains."""
    edges = []
    with contextlib.suppress(Exception):
        edges.append(READERS[writer](text))
    if writer == "networkx adjacency" and "{" not in text:  # a short remainder may be valid graph6
        with contextlib.suppress(Exception):
            edges.append(networkx_edges(nx.from_graph6_bytes(text.strip().encode())))
    if writer not in MARKS or MARKS[writer] in text:
        return edges if edges or writer != "metis" else [plain(text), plain(text, ";,\t")]
    return [*edges, plain(text), plain(text, "\t;,")]


@pytest.mark.parametrize("writer", READERS)
def test_damage_is_refused_or_read_by_its_format(writer: str, tmp_path: Path) -> None:
    rng = random.Random(f"damaged {writer}")
    accepted = 0
    for _ in range(DAMAGED_TEXTS):
        text = damaged(rng, WRITERS[writer](random_graph(rng, directed=False), tmp_path / "graph"))
        try:
            parsed = formats.parse_graph(text, "adjlist" if writer == "networkx adjlist" else None)
        except CavalcadeError as error:
            assert "\n" not in str(error)  # noqa: PT017 - either outcome is right
            continue
        accepted += 1
        assert edges_of(parsed) in readings(writer, text), text
    assert 0 < accepted < DAMAGED_TEXTS


# ---- on the command line

TRIANGLES = {
    "0 -> 1\n1 -> 2\n2 -> 0\n": "",
    "0 -- 1\n1 -- 2\n2 -- 0\n": "",
    "1 A\n2 B\n3 C\n#\n1 2\n2 3\n3 1\n": "",
    "1: 2 3\n2: 1 3\n3: 1 2\n": "",
    "3 3\n2 3\n1 3\n1 2\n": "",
    "[[0, 1], [1, 2], [2, 0]]": "",
    "graph { a -- b -- c -- a }": "",
    'strict digraph G {\n# a comment\na -> b [label="c -> a"]; b -> c:port:n; c -> a }': "",
    'graph "a b" { node [shape=box]; rankdir=LR; a -- {b "\\"c\\""; b -- "\\"c\\""} }': "",
    "graph { subgraph x { a; b; a -- b } -- c }": "",
    "*vertices 3\n*edges 1 2\n2 3\n3 1\n": "line 2, '*edges 1 2': expected nothing after *edges",
    "graph { a -> b }": "line 1, '->': expected '--'",
    "graph {\na -- b; b -- node }": "line 2, 'node': expected a name",
    "graph { 1a -- b }": "line 1, 'a': expected a space before it",
    "graph { a -- <b> }": "line 1, '<b> }': expected a name, -- or ->",
    "graph { a -- b": "line 1, '': expected a name",
    "graph { a -- b } b -- c": "line 1, 'b': expected the end, as the graph is closed",
    "graph" + " { a --" * 200: "at most 100 subgraphs in one another",
    "e 1 2\ne 2 3\ne 3 1\n": "'e' may be a vertex, or a keyword before an edge: expected titles",
    "edge 1 2\nedge 2 3\nedge 3 1\n": "'edge' may be a vertex, or a keyword",
    "1 2\n2 3\n3 1\n#\n1 3\n": "line 4, '#': between nodes and edges, or a comment?",
    "0 1 2\n1 2 0\n2 0 1\n": "three labels or two and a weight?",
    "1: 2\n2: 3\n3: 1\n": "'1' has the neighbour '2', which does not have '1': expected directed=True",
}


@pytest.mark.parametrize("text", TRIANGLES)
def test_a_triangle_is_never_called_impossible(cli: Callable[..., Ran], tmp_path: Path, text: str) -> None:
    path = tmp_path / "triangle.txt"
    path.write_text(text)
    if refused := TRIANGLES[text]:
        one_error(cli("tour", path), refused)
    else:
        assert cli("tour", path).out.startswith("; closed tour of graph:triangle, digest ")


def test_a_row_of_titles_has_no_arrows() -> None:
    parsed = formats.parse_graph("a -- b\n1 -- 2\n2 -- 3\n")
    assert edges_of(parsed) == {frozenset("ab"), frozenset("12"), frozenset("23")}
    for text in ("1- 4{}\n2 3\n", "\u00e9>>,graph6<<A_\n"):
        with pytest.raises(CavalcadeError):
            formats.parse_graph(text)


def test_the_format_and_the_direction_can_be_given(cli: Callable[..., Ran], tmp_path: Path) -> None:
    path = tmp_path / "links.txt"
    path.write_text("0 1\n1 2\n0 2\n")
    assert [cli("tour", path, *options).code for options in ((), ("--directed",))] == [0, 1]
    assert cli("convert", path, "--directed", "--format", "edges").out.endswith("0 -> 1\n0 -> 2\n1 -> 2\n")
    path.write_text("0 1\n1 2\n2 0\n")
    assert [cli("count", path, *options).out for options in ((), ("--directed",))] == ["1\n", "1\n"]
    assert [cli("count", "5x6", *options).out for options in ((), ("--directed",))] == ["8\n", "16\n"]
    path.write_text("0 1 2\n1 2\n2\n")
    assert cli("tour", path, "--input-format", "adjlist").code == 0
    path.write_text("1 2\n2 3\n3 1\n#\n1 3\n")
    assert cli("degrees", path, "--input-format", "edges").out == "1 2\n2 2\n3 2\n"
    assert cli("degrees", path, "--input-format", "tgf").out == "2 1\n3 0\n1 1\n"
    path.write_text("p edge 3 3\ne 1 2\ne 2 3\ne 3 1\n")
    one_error(cli("tour", path, "--directed"), "graph:links is undirected: leave out --directed")
    one_error(cli("tour", path, "--input-format", "pajek"), "expected *Vertices with their number")
    one_error(cli("tour", "8x8", "--directed"), "8x8 is a board: leave out --directed")
    one_error(cli("tour", "8x8", "--input-format", "edges"), "works only with a file")


def test_without_networkx_the_extra_is_named(cli: Callable[..., Ran], tmp_path: Path) -> None:
    for name in ("gml", "graphml", "gexf"):
        formats.save(MoveGraph.from_edges([(0, 1), (1, 2), (2, 0)]), tmp_path / f"ring.{name}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "networkx", None)
        for name in ("gml", "graphml", "gexf"):
            one_error(
                cli("tour", tmp_path / f"ring.{name}"),
                "networkx (extra networkx) is not installed",
                "pip install networkx",
            )


def test_other_commands_read_the_same_graphs(cli: Callable[..., Ran], tmp_path: Path) -> None:
    path = tmp_path / "links.txt"
    path.write_text("a b c\nb c a\nc a b\n")
    for verb in ("tsp", "warnsdorff"):
        one_error(cli(verb, path), "expected two labels and a number")
        assert cli(verb, path, "--input-format", "adjlist").out.startswith(
            "; closed tour of graph:links, digest "
        )
    directed = cli("warnsdorff", path, "--input-format", "adjlist", "--directed")
    one_error(directed, "is directed, expected a graph")
    assert "3 cells" in cli("draw", path, "--input-format", "adjlist").out


def test_weights_are_read_from_files_of_any_name(cli: Callable[..., Ran], tmp_path: Path) -> None:
    """Weights in a .txt file are read; the only tour of a 4-cycle needs no solver."""
    path = tmp_path / "links.txt"
    path.write_text("a b 3\nb c 2\nc d 2\nd a 1.5\n")
    assert "weight 8.5: the least" in cli("tsp", path).err


# ---- files in commands


def prism() -> Any:
    """Return the graph of a prism, whose weights differ, so that two edges that are mixed up are noticed."""
    graph = nx.circular_ladder_graph(3)
    for k, (a, b) in enumerate(graph.edges):
        graph[a][b]["weight"] = 2**k
    return graph


def complete(graph: Any) -> Any:
    """Return the graph with its other pairs as heavy edges: a file of distances has all pairs."""
    whole = nx.complete_graph(len(graph))
    nx.set_edge_attributes(whole, 1000, "weight")
    whole.update(graph.edges(data=True))
    return whole


def as_json(data: Callable[[Any], Any]) -> Callable[[Any], str]:
    return lambda graph: json.dumps(data(graph))


def lines(form: str, head: str = "", tail: str = "", first: int = 0) -> Callable[[Any], str]:
    """Return a writer with a line per edge: its number k, its ends a and b, and its weight w."""
    return lambda graph: "".join(
        [
            head,
            *(
                form.format(k=k, a=a + first, b=b + first, w=w)
                for k, (a, b, w) in enumerate(graph.edges(data="weight"))
            ),
            tail,
        ]
    )


def tsplib(form: str) -> Callable[[Any], str]:
    """Return a writer of TSPLIB's matrices."""

    def write(graph: Any) -> str:
        n = len(graph)
        shape = re.fullmatch("(UPPER|LOWER)_(DIAG_)?(ROW|COL)", form)
        pairs = [(a, b) for a in range(n) for b in range(n)]
        if shape is not None:
            upper = (shape[1] == "UPPER") == (shape[3] == "ROW")
            pairs = [(a, b) for a, b in pairs if (a < b if upper else b < a) or (shape[2] and a == b)]
        numbers = " ".join(str(graph.edges[pair]["weight"] if pair in graph.edges else 0) for pair in pairs)
        return (
            f"TYPE : TSP\nDIMENSION : {n}\nEDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : {form}\n"
            f"EDGE_WEIGHT_SECTION\n{numbers}\nEOF\n"
        )

    return write


def by_rows(mark: str, form: str = "{}") -> Callable[[Any], str]:
    return lambda graph: "".join(
        mark.join(form.format(entry) for entry in row) + "\n"
        for row in nx.to_numpy_array(graph, dtype=int).tolist()
    )


def neighbours(form: str, first: int = 0) -> Callable[[Any], str]:
    return lambda graph: "".join(
        " ".join(form.format(b + first, graph[a][b]["weight"]) for b in sorted(graph[a])) + "\n"
        for a in graph
    )


HCP = "TYPE : HCP\nDIMENSION : 6\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n"
WEIGHTED: dict[str, Callable[[Any], str]] = {
    "dict.edgelist": partial(by_networkx, nx.write_edgelist),
    "comma.edgelist": partial(by_networkx, partial(nx.write_edgelist, delimiter=",")),
    "data.edgelist": partial(by_networkx, partial(nx.write_edgelist, data=["weight"])),
    "weighted.edgelist": partial(by_networkx, nx.write_weighted_edgelist),
    "two.edgelist": lines("{a} {b} {{'color': 'red', 'weight': {w}}}\n"),
    "size.txt": lines("{a} {b} {w}\n", head="6 9\n"),
    "gml.gml": partial(by_networkx, nx.write_gml),
    "graphml.graphml": partial(by_networkx, nx.write_graphml),
    "gexf.gexf": partial(by_networkx, nx.write_gexf),
    "pajek.net": lambda graph: by_networkx(nx.write_pajek, nx.relabel_nodes(graph, str)),
    "link.json": as_json(nx.node_link_data),
    "adjacency.json": as_json(nx.adjacency_data),
    "cytoscape.json": as_json(nx.cytoscape_data),
    "dicts.json": as_json(nx.to_dict_of_dicts),
    "triples.json": as_json(lambda graph: list(graph.edges(data="weight"))),
    "data.json": as_json(lambda graph: list(graph.edges(data=True))),
    "matrix.json": as_json(lambda graph: nx.to_numpy_array(graph).tolist()),
    "vis.json": as_json(
        lambda graph: {
            "nodes": [{"id": node} for node in graph],
            "edges": [{"from": a, "to": b, "weight": w} for a, b, w in graph.edges(data="weight")],
        }
    ),
    "dot.dot": lines("{a} -- {b} [weight={w}];\n", "graph g {\n", "}\n"),
    "col.col": lines("e {a} {b} {w}\n", "p edge 6 9\n", first=1),
    "arcs.gr": lines("a {a} {b} {w}\na {b} {a} {w}\n", "p sp 6 18\n", first=1),
    "metis.metis": lambda graph: "6 9 001\n" + neighbours("{} {}", 1)(graph),
    "tgf.tgf": lines("{a} {b} {w}\n", "".join(f"{k} node{k}\n" for k in range(6)) + "#\n"),
    "from.csv": lines("{a},{b},{w}\n", "from,to,weight\n"),
    "node.csv": lines("{a},{b},{w}\n", "node1,node2,distance\n"),
    "gephi.csv": lines("{a},{b},Undirected,{k},,{w}\n", "Source,Target,Type,Id,Label,Weight\n"),
    "pandas.csv": lines("{k},{a},{b},{w}\n", ",source,target,weight\n"),
    "matrix.csv": by_rows(","),
    "floats.txt": by_rows(" ", "{:.18e}"),
    "mtx.mtx": lambda graph: (
        "%%MatrixMarket matrix coordinate integer symmetric\n6 6 9\n" + lines("{b} {a} {w}\n", first=1)(graph)
    ),
    **{
        f"{form}.tsp": tsplib(form)
        for form in ("FULL_MATRIX", *(f"{a}_{b}" for a in ("UPPER", "LOWER") for b in ("ROW", "DIAG_COL")))
    },
}
PLAIN: dict[str, Callable[[Any], str]] = {
    "plain.edgelist": lines("{a} {b} {{}}\n"),
    "comma.csv": lines("{a},{b}\n"),
    "size.txt": lines("{a} {b}\n", head="6 9\n"),
    "lists.adjlist": partial(by_networkx, nx.write_adjlist),
    "graph.g6": partial(by_networkx, nx.write_graph6),
    "sparse.s6": partial(by_networkx, nx.write_sparse6),
    "lists.json": as_json(lambda graph: {str(a): list(map(str, graph[a])) for a in graph}),
    "nodes.json": as_json(lambda graph: {"nodes": list(graph), "edges": list(map(list, graph.edges))}),
    "hcp.hcp": lines("{a} {b}\n", HCP, "-1\nEOF\n", first=1),
    "col.col": lines("e {a} {b}\n", "p edge 6 9\n", first=1),
    "metis.metis": lambda graph: "6 9\n" + neighbours("{}", 1)(graph),
}


@pytest.mark.parametrize("name", [*WEIGHTED, *(f"plain {name}" for name in PLAIN)])
def test_commands_read_the_files_of_graphs(cli: Callable[..., Ran], tmp_path: Path, name: str) -> None:
    """Commands read the edges and weights of networkx's graph, and say if a file has no weights."""
    graph = complete(prism()) if name.endswith(".tsp") else prism()
    path = tmp_path / name.removeprefix("plain ")
    plain_name = name.startswith("plain ")
    path.write_text((PLAIN if plain_name else WEIGHTED)[path.name](graph))
    if plain_name:
        nx.set_edge_attributes(graph, 1, "weight")
    closed = [
        sum(graph.edges[pair]["weight"] for pair in pairwise([0, *order, 0]))
        for order in permutations(range(1, 6))
        if order[0] < order[-1] and all(pair in graph.edges for pair in pairwise([0, *order, 0]))
    ]
    assert cli("count", path).out == f"{len(closed)}\n"
    least = cli("tsp", path).err
    assert re.search(rf"^weight {min(closed)}(\.0)?: the least", least, re.MULTILINE)
    assert ("no weights were read" in least) == plain_name
    titles, *links = cli("links", path).out.splitlines()
    read = nx.parse_edgelist(links, delimiter=",", data=[("weight", float)])
    assert titles == "from,to,weight"
    assert nx.is_isomorphic(read, graph, edge_match=lambda a, b: a["weight"] == b["weight"])
    assert cli("links", path, "--format", "graph6").err.count("without the weights of") == (not plain_name)
    assert nx.is_isomorphic(
        nx.from_graph6_bytes(cli("convert", path, "--format", "graph6").out.encode()[:-1]), graph
    )
    assert json.loads(cli("draw", path, "--json", "-o", tmp_path / "x.svg").out)["holds"] == "board"
    steps = [line for line in cli("path", path).out.splitlines() if not line.startswith(";")]
    assert len({*"\n".join(steps).split("\t")[-1].split()}) == 6
    for verb in ("check", "measure"):
        assert f"try cavalcade {'tsp' if path.suffix == '.tsp' else 'tour'} {path}" in cli(verb, path).err


def test_cycles_of_optgraph_are_checked(cli: Callable[..., Ran], tmp_path: Path) -> None:
    """The CYCLE statement writes several cycles, each of which ends in its first node."""
    links, cycles = tmp_path / "links.csv", tmp_path / "cycles.csv"
    links.write_text("from,to\na,b\nb,c\nc,d\nd,a\na,c\n")
    rows = [f"{k},{i},{node}" for k in (1, 2) for i, node in enumerate("abcda", 1)]
    cycles.write_text("\n".join(["cycle,order,node", *rows, ""]))
    assert "the same holds for all 2 tours" in cli("check", cycles, "--board", links).out
    cycles.write_text("\n".join(["cycle,order,node", *rows, ""]).replace("3,c", "3,d").replace("4,d", "4,c"))
    assert cli("check", cycles, "--links", links).code == 1
    one_error(cli("check", cycles), "give the board or the file of links (--board)")
