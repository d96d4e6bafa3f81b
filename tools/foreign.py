"""Write the corpus of foreign files, `tests/data/foreign`: small graphs, each file written by another tool.

    python -m venv DIRECTORY
    DIRECTORY/bin/pip install networkx==3.6.1 igraph==1.0.0 pandas==3.1.1 openpyxl==3.1.5 pyarrow==26.0.1 \
        polars==2.1.0 pyreadstat==1.3.7 scipy==1.17.1 rustworkx==0.18.1 \
        pydot==4.0.1 networkit==11.3 tsplib95==0.7.1
    DIRECTORY/bin/pip install --no-deps networkx==3.6.1
    DIRECTORY/bin/python tools/foreign.py tests/data/foreign

The package is not imported. `expected.json` has for each file the tool that wrote it, the options with which
cavalcade must read it, and the edges of the graph that the tool wrote. Weights are listed if cavalcade must
read them. A file without edges is of a format that cavalcade refuses; `refused` has its name.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import igraph
import networkit as nk
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyreadstat
import rustworkx as rx
import scipy.io
import scipy.sparse as sp
import tsplib95

Row = tuple[str, str, float | None]

CITIES = nx.Graph()
CITIES.add_weighted_edges_from(
    [("New York", "Boston", 215), ("Boston", "Chicago", 983), ("Chicago", "New York", 790),
     ("S\u00e3o Paulo", "Chicago", 8400), ("New York", "S\u00e3o Paulo", 7680)]
)  # fmt: skip
CUBE = nx.convert_node_labels_to_integers(nx.hypercube_graph(3))
WEIGHED = nx.Graph()
WEIGHED.add_nodes_from(range(8))
WEIGHED.add_weighted_edges_from((a, b, (3 * a + 5 * b) % 7 + 1) for a, b in CUBE.edges)
ROUND = nx.DiGraph()
ROUND.add_weighted_edges_from([(0, 1, 4), (1, 2, 5), (2, 3, 6), (3, 0, 7), (0, 2, 8)])
LETTERS = nx.relabel_nodes(WEIGHED, dict(enumerate("abcdefgh")))
FRAME = pd.DataFrame(CITIES.edges(data="weight"), columns=["from", "to", "weight"])
POINTS = {1: [0, 0], 2: [3.5, 4], 3: [6, 1], 4: [2, 7.25], 5: [9, 9.5]}
DEGREES = {1: [16.47, 96.10], 2: [-16.47, 94.44], 3: [20.09, -92.54], 4: [22.39, 93.37]}
MATRIX = [[0, 3, 4, 2], [3, 0, 7, 1], [4, 7, 0, 6], [2, 1, 6, 0]]


def rows_of(graph: Any, *, weighted: bool = False, first: int = 0) -> list[Row]:
    """Return the edges of a graph of networkx."""
    return [
        (str(a + first if first else a), str(b + first if first else b), float(w) if weighted else None)
        for a, b, w in graph.edges(data="weight", default=1)
    ]


def text_of(writer: Callable[..., Any], graph: Any, **options: Any) -> bytes:
    """Return what a writer of networkx writes."""
    out = io.BytesIO()
    writer(graph, out, **options)
    return out.getvalue()


def by_igraph(graph: Any, form: str, **options: Any) -> bytes:
    """Return what igraph writes."""
    path = Path("/tmp/foreign")  # noqa: S108 - a file of this run
    converted = igraph.Graph.from_networkx(graph)
    converted.vs["name"] = [str(name) for name in graph]
    del converted.vs["_nx_name"]
    converted.write(str(path), form, **options)
    return path.read_bytes()


def by_networkit(graph: Any, form: Any) -> bytes:
    """Return what NetworKit writes."""
    path = "/tmp/foreign"  # noqa: S108 - as above
    converted = nk.nxadapter.nx2nk(graph, weightAttr="weight" if nx.is_weighted(graph) else None)
    nk.writeGraph(converted, path, form)
    return Path(path).read_bytes()


def by_rustworkx(graph: Any, writer: Callable[[Any, str], object]) -> bytes:
    """Return what rustworkx writes."""
    path = "/tmp/foreign"  # noqa: S108 - as above
    converted: Any = rx.PyDiGraph() if graph.is_directed() else rx.PyGraph()
    converted.add_nodes_from([{"label": str(node)} for node in graph])
    converted.add_edges_from([(a, b, {}) for a, b in graph.edges])
    writer(converted, path)
    return Path(path).read_bytes()


def saved(save: Callable[[str], object]) -> bytes:
    """Return the file that a function writes."""
    path = "/tmp/foreign.bin"  # noqa: S108 - as above
    save(path)
    return Path(path).read_bytes()


def by_tsplib95(**fields: Any) -> tuple[bytes, list[Row]]:
    """Return what tsplib95 writes, and its edges and weights."""
    problem = tsplib95.models.StandardProblem(comment="by tsplib95", **fields)
    text = problem.render()
    edges = {tuple(edge) if fields["type"] == "ATSP" else tuple(sorted(edge)) for edge in problem.get_edges()}
    weighted = fields["type"] != "HCP"
    first = 1 - min(problem.get_nodes())  # a matrix without points has rows from 0
    rows = [
        (str(a + first), str(b + first), float(problem.get_weight(a, b)) if weighted else None)
        for a, b in sorted(edges)
        if a != b
    ]
    return text.encode(), rows


def explicit(form: str, rows: Iterable[Iterable[int]], kind: str = "TSP") -> tuple[bytes, list[Row]]:
    """Return an instance with a matrix of weights."""
    fields = {"edge_weight_type": "EXPLICIT", "edge_weight_format": form, "dimension": 4}
    return by_tsplib95(name=form.lower(), type=kind, **fields, edge_weights=[list(row) for row in rows])


class Corpus:
    """The files and what is expected of them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.expected = folder, dict[str, Any]()

    def add(self, name: str, tool: str, data: bytes, rows: list[Row] | None, **options: Any) -> None:
        """Write a file; no rows stand for a format that is refused."""
        (self.folder / name).write_bytes(data)
        entry: dict[str, Any] = {
            "tool": tool if " " in tool else f"{tool} {version(tool)}",
            "options": options,
        }
        if rows is None:
            entry |= {"refused": options.pop("refused")}
        else:
            entry |= {"edges": sorted([list(row) for row in rows], key=str)}
        self.expected[name] = entry


def networkx_files(corpus: Corpus) -> None:
    """Files of networkx."""
    directed = {"directed": True}
    plain, weighted = rows_of(CUBE), rows_of(WEIGHED, weighted=True)

    def add(name: str, data: bytes, rows: list[Row] | None, **options: Any) -> None:
        corpus.add(f"networkx-{name}", "networkx", data, rows, **options)

    add("cube.adjlist", text_of(nx.write_adjlist, CUBE), rows_of(nx.parse_adjlist(nx.generate_adjlist(CUBE))))
    add("round.adjlist", text_of(nx.write_adjlist, ROUND), rows_of(ROUND), **directed, format="adjlist")
    multiline = text_of(nx.write_multiline_adjlist, CUBE)
    add("cube.multiline", multiline, None, refused="multiline adjacency list")
    add("cube.edgelist", text_of(nx.write_edgelist, CUBE), plain)
    add("cube-bare.edgelist", text_of(nx.write_edgelist, CUBE, data=False), plain)
    add("cube-weighted.edgelist", text_of(nx.write_edgelist, WEIGHED), plain)
    add("letters.edgelist", text_of(nx.write_weighted_edgelist, LETTERS), rows_of(LETTERS, weighted=True))
    add(
        "cities.csv",
        text_of(nx.write_weighted_edgelist, CITIES, delimiter=","),
        rows_of(CITIES, weighted=True),
    )
    for name, graph in (("cities", CITIES), ("weighed", WEIGHED), ("round", ROUND)):
        rows = rows_of(graph, weighted=True)
        add(f"{name}.gml", text_of(nx.write_gml, graph), rows)
        add(f"{name}.graphml", text_of(nx.write_graphml_xml, graph), rows)
        add(f"{name}.gexf", text_of(nx.write_gexf, graph), rows)
        add(f"{name}.net", text_of(nx.write_pajek, graph), rows)
        add(f"{name}-node-link.json", json.dumps(nx.node_link_data(graph)).encode(), rows)
        add(f"{name}-adjacency.json", json.dumps(nx.adjacency_data(graph)).encode(), rows)
        add(f"{name}-cytoscape.json", json.dumps(nx.cytoscape_data(graph)).encode(), rows)
    add("cube.dot", nx.nx_pydot.to_pydot(CUBE).to_string().encode(), plain)
    add("cube.g6", text_of(nx.write_graph6, CUBE), plain)
    add("cube.s6", text_of(nx.write_sparse6, CUBE), plain)
    add("cube-lists.json", json.dumps(nx.to_dict_of_lists(CUBE)).encode(), plain)
    out = io.StringIO()
    np.savetxt(out, nx.to_numpy_array(CUBE, dtype=int), fmt="%d")
    add("cube-matrix.txt", out.getvalue().encode(), plain)
    out = io.StringIO()
    np.savetxt(out, nx.to_numpy_array(WEIGHED), delimiter=",")
    add("weighed-matrix.csv", out.getvalue().encode(), weighted)
    framed = nx.to_pandas_adjacency(CITIES, dtype=int).to_csv()
    add("cities-matrix.csv", framed.encode(), rows_of(CITIES, weighted=True))


def igraph_files(corpus: Corpus) -> None:
    """Files of igraph."""

    def add(name: str, data: bytes, rows: list[Row] | None, **options: Any) -> None:
        corpus.add(f"igraph-{name}", "igraph", data, rows, **options)

    add("cube.edgelist", by_igraph(CUBE, "edgelist"), rows_of(CUBE))
    add("letters.ncol", by_igraph(LETTERS, "ncol", weights="weight"), rows_of(LETTERS, weighted=True))
    add("letters.lgl", by_igraph(LETTERS, "lgl", weights="weight"), None, refused="LGL")
    add("weighed.gml", by_igraph(WEIGHED, "gml"), rows_of(WEIGHED, weighted=True))
    add(
        "round.graphml",
        by_igraph(ROUND, "graphml"),
        [(f"n{a}", f"n{b}", w) for a, b, w in rows_of(ROUND, weighted=True)],
    )
    add("cube.net", by_igraph(CUBE, "pajek"), rows_of(CUBE))
    add("cube.dot", by_igraph(CUBE, "dot"), rows_of(CUBE))
    add("weighed.leda", by_igraph(WEIGHED, "leda", names="name", weights="weight"), None, refused="LEDA")
    flow = saved(lambda path: igraph.Graph.from_networkx(ROUND).write_dimacs(path, 0, 3, capacity="weight"))
    add("round.max", flow, None, refused="DIMACS flow")


def table_files(corpus: Corpus) -> None:
    """Tables of pandas, polars and pyreadstat."""
    rows = rows_of(CITIES, weighted=True)

    def add(name: str, tool: str, data: bytes, edges: list[Row] | None = rows, **options: Any) -> None:
        corpus.add(f"{tool}-{name}", tool, data, edges, **options)

    add("cities.csv", "pandas", FRAME.to_csv(index=False).encode())
    add("cities-index.csv", "pandas", FRAME.to_csv().encode())
    add("cities.tsv", "pandas", FRAME.to_csv(index=False, sep="\t").encode())
    add(
        "cities-semicolons.csv",
        "pandas",
        FRAME.astype({"weight": float}).to_csv(index=False, sep=";", decimal=",").encode(),
    )
    add("cities-utf16.csv", "pandas", saved(lambda path: FRAME.to_csv(path, index=False, encoding="utf-16")))
    add("cities-quoted.csv", "pandas", FRAME.to_csv(index=False, quoting=1).encode())
    more = FRAME.assign(road=["I-95", "I-90", "I-80", "", "flight, 2 stops"], year=2026).rename(
        columns={"weight": "miles", "from": "origin", "to": "destination"}
    )
    add(
        "roads.csv",
        "pandas",
        more[["road", "destination", "year", "origin", "miles"]].to_csv(index=False).encode(),
    )
    add("cities.xlsx", "pandas", excel(FRAME))
    add("roads.xlsx", "pandas", excel(more))
    add("headless.xlsx", "pandas", excel(FRAME, header=False))
    add("cities.parquet", "pandas", saved(FRAME.to_parquet))
    odd = FRAME.set_axis(["A", "B", "C"], axis=1).assign(D=1)
    add("columns.csv", "pandas", odd.to_csv(index=False).encode(), columns="A,B,C")
    records = FRAME.to_json(orient="records", force_ascii=False)
    add("records.json", "pandas", records.encode())
    polars = pl.from_pandas(FRAME)
    add("cities.csv", "polars", polars.write_csv().encode())
    add("cities.parquet", "polars", saved(polars.write_parquet))
    plain = FRAME.rename(columns={"from": "origin", "to": "dest"})
    add(
        "cities.xpt",
        "pyreadstat",
        saved(lambda path: pyreadstat.write_xport(plain, path, file_format_version=5)),
    )


def excel(frame: Any, **options: Any) -> bytes:
    """Return a workbook of one sheet."""
    out = io.BytesIO()
    frame.to_excel(out, index=False, **options)
    return out.getvalue()


def other_files(corpus: Corpus) -> None:
    """Files of scipy, rustworkx and NetworKit."""
    matrix = nx.to_scipy_sparse_array(WEIGHED, dtype=int, format="coo")
    numbered = rows_of(WEIGHED, weighted=True, first=1)
    for name, options in (("symmetric", {"symmetry": "symmetric"}), ("general", {"symmetry": "general"})):
        out = io.BytesIO()
        scipy.io.mmwrite(out, sp.coo_matrix(matrix), **options)
        corpus.add(f"scipy-{name}.mtx", "scipy", out.getvalue(), numbered)
    out = io.BytesIO()
    scipy.io.mmwrite(out, nx.to_scipy_sparse_array(ROUND, dtype=float))
    corpus.add("scipy-round.mtx", "scipy", out.getvalue(), rows_of(ROUND, weighted=True, first=1))
    corpus.add(
        "rustworkx-cube.dot",
        "rustworkx",
        by_rustworkx(CUBE, lambda g, path: Path(path).write_text(g.to_dot())),
        rows_of(CUBE),
    )
    corpus.add("rustworkx-cube.graphml", "rustworkx", by_rustworkx(CUBE, rx.write_graphml), rows_of(CUBE))
    node_link = by_rustworkx(
        ROUND, lambda g, path: rx.node_link_json(g, path=path, node_attrs=lambda node: node)
    )
    corpus.add("rustworkx-round.json", "rustworkx", node_link, rows_of(ROUND))
    forms = nk.Format
    ones = rows_of(CUBE, first=1)
    corpus.add("networkit-cube.metis", "networkit", by_networkit(CUBE, forms.METIS), ones)
    corpus.add("networkit-cube.gml", "networkit", by_networkit(CUBE, forms.GML), rows_of(CUBE))
    corpus.add("networkit-cube.tabs", "networkit", by_networkit(CUBE, forms.EdgeListTabZero), rows_of(CUBE))
    corpus.add("networkit-cube.snap", "networkit", by_networkit(CUBE, forms.SNAP), None, refused="SNAP")
    corpus.add(
        "networkit-cube.graphml", "networkit", by_networkit(CUBE, forms.GraphML), None, refused="graphml"
    )
    corpus.add("networkit-cube.gexf", "networkit", by_networkit(CUBE, forms.GEXF), None, refused="GEXF")
    corpus.add("networkit-cube.dot", "networkit", by_networkit(CUBE, forms.GraphViz), rows_of(CUBE))


def tsplib_files(corpus: Corpus) -> None:
    """Files of tsplib95."""
    upper = [row[i + 1 :] for i, row in enumerate(MATRIX[:-1])]
    lower = [row[:i] for i, row in enumerate(MATRIX) if i]
    with_diagonal = [row[i:] for i, row in enumerate(MATRIX)]
    one_way = [[9999, 3, 4, 2], [5, 9999, 7, 1], [4, 8, 9999, 6], [2, 1, 3, 9999]]
    files = {
        "full.tsp": explicit("FULL_MATRIX", MATRIX),
        "upper.tsp": explicit("UPPER_ROW", upper),
        "lower.tsp": explicit("LOWER_ROW", lower),
        "upper-diagonal.tsp": explicit("UPPER_DIAG_ROW", with_diagonal),
        "lower-diagonal.tsp": explicit("LOWER_DIAG_ROW", [row[: i + 1] for i, row in enumerate(MATRIX)]),
        "columns.tsp": explicit("UPPER_COL", lower),
        "full.atsp": explicit("FULL_MATRIX", one_way, "ATSP"),
    }
    for kind in ("EUC_2D", "MAX_2D", "MAN_2D", "CEIL_2D", "ATT"):
        files[f"{kind.lower()}.tsp"] = by_tsplib95(
            name=kind, type="TSP", dimension=5, edge_weight_type=kind, node_coords=POINTS
        )
    files["geo.tsp"] = by_tsplib95(
        name="geo", type="TSP", dimension=4, edge_weight_type="GEO", node_coords=DEGREES
    )
    ring = [(1, 2), (2, 3), (3, 4), (1, 4), (1, 3)]
    files["ring.hcp"] = by_tsplib95(
        name="ring", type="HCP", dimension=4, edge_data_format="EDGE_LIST", edge_data=ring
    )
    for name, (data, rows) in files.items():
        corpus.add(f"tsplib95-{name}", "tsplib95", data, rows)


def sas_files(corpus: Corpus) -> None:
    """The file of SAS, which is in the folder already; pandas reads its rows."""
    data = (corpus.folder / "sas-labels.sas7bdat").read_bytes()
    frame = pd.read_sas(io.BytesIO(data), format="sas7bdat", encoding="utf-8")
    rows: list[Row] = [(label, f"{value:g}", None) for label, value in zip(frame.ID, frame.SEXA, strict=True)]
    corpus.add("sas-labels.sas7bdat", "SAS 9.4", data, rows, columns="ID,SEXA")


def main() -> None:
    """Write all files."""
    corpus = Corpus(Path(sys.argv[1]))
    for write in (networkx_files, igraph_files, table_files, other_files, tsplib_files, sas_files):
        write(corpus)
    text = json.dumps(corpus.expected, indent=1, sort_keys=True)
    (corpus.folder / "expected.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
