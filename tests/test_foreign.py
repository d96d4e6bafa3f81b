"""Files of other tools: each file of the corpus has the edges and weights that its tool reads.

`tools/foreign.py` wrote the corpus; it does not import the package.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from cavalcade import MoveGraph, formats
from cavalcade.cli import main
from cavalcade.ground.errors import CavalcadeError, MissingExtraError, TooLargeError

FOLDER = Path(__file__).parent / "data" / "foreign"
EXPECTED: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))


def test_every_file_is_expected() -> None:
    files = {path.name for path in FOLDER.iterdir()} - {"expected.json", "README.md"}
    assert files == set(EXPECTED)
    assert len(files) >= 60


@pytest.mark.parametrize("name", EXPECTED)
def test_a_foreign_file_is_read_as_its_tool_reads_it(name: str) -> None:
    if name.endswith(".xlsx"):
        pytest.importorskip("openpyxl")
    expected, path = EXPECTED[name], FOLDER / name
    options = expected["options"]
    columns = {"columns": options.get("columns")}
    if "refused" in expected:
        with pytest.raises(CavalcadeError) as refused:
            formats.read_graph(path, **options)
        assert expected["refused"].lower() in str(refused.value).removeprefix(str(path)).lower()
        return
    graph = formats.read_graph(path, **options)
    assert edges_of(graph) == {edge_of(graph, row[:2]) for row in expected["edges"]}
    if expected["edges"][0][2] is None:
        return
    weights = formats.read_weights(path, graph, options.get("format"), **columns)
    assert weights is not None
    named = zip(graph.pairs(), map(float, weights), strict=True)
    ours = {edge_of(graph, [graph.name(a), graph.name(b)]): weight for (a, b), weight in named}
    assert ours == {edge_of(graph, row[:2]): row[2] for row in expected["edges"]}


@pytest.mark.parametrize(
    "name", ["pandas-cities.xlsx", "pandas-cities.parquet", "pyreadstat-cities.xpt", "sas-labels.sas7bdat"]
)
def test_a_table_that_needs_pandas_names_the_extra(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(
        MissingExtraError, match=r"^pandas \(extra tables\) is not installed: .* -m pip install"
    ):
        formats.read_graph(FOLDER / name)


def test_what_pandas_prints_about_a_damaged_table_is_not_an_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = bytearray((FOLDER / "sas-labels.sas7bdat").read_bytes())
    data[130_248] = 173  # the number of columns
    (tmp_path / "x.sas7bdat").write_bytes(data)
    assert main(["convert", str(tmp_path / "x.sas7bdat"), "--columns", "ID,SEXA", "--format", "edges"]) == 2
    assert capsys.readouterr().out == ""


def test_a_table_too_large_for_memory_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged number of rows lets pandas ask for petabytes."""

    def read_sas(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("pandas.read_sas", read_sas)
    with pytest.raises(TooLargeError, match=r"sas-labels.*the table of sas7bdat does not fit into memory"):
        formats.read_graph(FOLDER / "sas-labels.sas7bdat")


def test_lines_of_gml_end_where_networkx_ends_them(tmp_path: Path) -> None:
    text = (FOLDER / "networkx-cities.gml").read_text(encoding="utf-8").replace("New York", "New\rYork")
    (path := tmp_path / "x.gml").write_text(text, encoding="utf-8", newline="")
    assert {*formats.read_graph(path).names} == {*nx.read_gml(path)}


PAGE = (Path(__file__).parents[1] / "docs" / "graphs.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", re.findall(r"\| `cavalcade (\w+ tests/data/foreign/[^`]+)` \|", PAGE))
def test_commands_in_the_table_of_inputs(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if command.endswith(".xlsx"):
        pytest.importorskip("openpyxl")
    monkeypatch.chdir(FOLDER.parents[2])
    assert main(command.split()) == 0


def edge_of(graph: MoveGraph, ends: list[str]) -> Any:
    """Return an edge as a pair if the graph is directed, otherwise as a set."""
    return tuple(ends) if graph.directed else frozenset(ends)


def edges_of(graph: MoveGraph) -> set[Any]:
    """Return the edges of a graph by names."""
    return {edge_of(graph, [graph.name(a), graph.name(b)]) for a, b in graph.pairs()}
