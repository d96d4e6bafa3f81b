"""The pages with the proofs: their tables are the checked lists, and the wheel contains them."""

from __future__ import annotations

import importlib.util
import json
import re
import tomllib
from pathlib import Path
from typing import Any, TypeAlias

import click
import pytest
from click.testing import CliRunner

from cavalcade.cli.commands import theorem
from cavalcade.theorems import boxes, literature, proved_here
from cavalcade.theorems.facts import packaged

ROOT = Path(__file__).parent.parent
PAGES = {
    name: (ROOT / "docs" / "proofs" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("glinski", "box-tours")
}
TABLES = re.compile(r"(?<=^```text\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
HEXAGON, SHAPES, BOXES = (json.loads(packaged(name)) for name in ("glinski", "hexagonal", "boxes"))
Rows: TypeAlias = list[list[tuple[int, int]]]


def test_tables_are_current() -> None:
    path = ROOT / "tools" / "print_tours.py"
    spec = importlib.util.spec_from_file_location("print_tours", path)
    assert spec
    assert spec.loader
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    for page in PAGES.values():
        assert tool.printed(page) == page


def read(page: str) -> dict[str, list[list[int]]]:
    """Return the rows of numbers of the tables of a page by the titles of the tables."""
    parts = [part.split("\n") for table in TABLES.findall(page) for part in table.strip("\n").split("\n\n")]
    return {name: [[int(n) for n in row.split()] for row in rows] for name, *rows in parts}


def has_order(list_: list[list[int]], rows: list[list[int]], cells: Rows) -> bool:
    """Return whether a list has the cells in the order of the numbers of a table."""
    assert list(map(len, rows)) == list(map(len, cells))
    steps = {
        n: cell for row, line in zip(rows, cells, strict=True) for n, cell in zip(row, line, strict=True)
    }
    return [tuple(cell) for cell in list_] == [steps[n] for n in range(1, len(steps) + 1)]


def across(cells: set[tuple[int, int]]) -> Rows:
    """Group cells (q, r) by rows of equal r."""
    return [sorted(cell for cell in cells if cell[1] == r) for r in sorted({r for _, r in cells})]


def test_the_tours_on_the_page_of_hexagonal_boards() -> None:
    """The 11 + 43 + 52 tables equal the lists; the test computes the places of their cells independently."""
    tables = read(PAGES["glinski"])
    assert len(tables) == 11 + 43 + 52
    assert has_order(HEXAGON["rhombus"], tables["rhombus"], [[(i, j) for j in range(5)] for i in range(5)])
    for r in range(4, 9):
        trapezoid = [[(i, j) for j in range(r + i)] for i in range(5)]
        assert has_order(HEXAGON["trapezoids"][str(r)], tables[f"trapezoid {r}"], trapezoid)
        board = {(q, s) for q in range(1 - r, r) for s in range(1 - r, r) if abs(q + s) < r}
        assert has_order(HEXAGON["boards"][str(r)], tables[f"board of side {r}"], across(board))
    triangles = {str(n): SHAPES["triangles"][str(n)] for n in range(8, 13)}
    for name, cells in (triangles | {"6, an open tour": SHAPES["open"]["6"]}).items():
        rows = range(1, int(name.split(",")[0]) + 1)
        assert has_order(
            cells, tables[f"triangle {name}"], [[(row - p, p) for p in range(row)] for row in rows]
        )
    for name, cells in SHAPES["blocks"].items():
        h, w = map(int, name.split("x"))
        rows = range(4) if h == 4 else range(5 - h, 5)
        assert has_order(cells, tables[f"block {h} x {w}"], [[(i, j) for j in range(w)] for i in rows])
    for name, cells in SHAPES["hexagons"].items():
        a, b, c = map(int, name.split(","))
        hexagon = {(i - j, j - k) for i in range(b) for j in range(a) for k in range(c)}
        assert has_order(cells, tables[f"hexagon {name}"], across(hexagon))
    opened = {f"{sides}, an open tour": cells for sides, cells in SHAPES["narrow"]["open"].items()}
    for name, cells in (SHAPES["narrow"]["hexagons"] | opened).items():
        a, b, c = map(int, name.split(",")[:3])
        hexagon = {(i - j, j - k) for i in range(a) for j in range(b) for k in range(c)}
        assert has_order(cells, tables[f"hexagon {name}"], across(hexagon))
    for name, cells in SHAPES["narrow"]["layers"].items():
        a, b = map(int, name.split(","))
        layer = {(i - j, j - k) for i in range(a) for j in range(b) for k in range(5) if not i or not j}
        assert has_order(cells, tables[f"layer of {name}"], across(layer))
    layer = {(i - j, j - k) for i in range(4) for j in range(4) for k in range(5) if not i or not j}
    assert has_order(SHAPES["bent"]["tour"], tables["layer"], across(layer))


def test_the_tours_and_joins_on_the_page_of_boxes() -> None:
    list_ = boxes.read(packaged("boxes"))
    tables = read(PAGES["box-tours"].split("## Joins", maxsplit=1)[0])
    for number, ((i, j, k), cells) in enumerate(zip(list_.blocks, list_.tours, strict=True)):
        rows = tables[f"tour {number}: {i} x {j} x {k}"]
        steps = {rows[y][x * k + z]: (x, y, z) for x in range(i) for y in range(j) for z in range(k)}
        assert [steps[n] for n in range(1, len(cells) + 1)] == cells
    joins = []
    for line in TABLES.findall(PAGES["box-tours"])[1].strip().split("\n"):
        state, *ways = line.split("  ")
        number, edge = state.rstrip(":").split(".")
        for way in ways:
            match = re.fullmatch(r"([xyz])([+-])(\d) (\d+)/(\d+)\.(\d+) ([xyz]{3})", way)
            assert match
            axis, sign, part, u, other_tour, v, axes = match.groups()
            turn = boxes.TURNS.index(("xyz".index(axes[0]), "xyz".index(axes[1]), "xyz".index(axes[2])))
            begins = [int(number), -1 if edge == "none" else int(edge), "xyz".index(axis), int(f"{sign}1")]
            joins.append([*begins, int(part), int(u), turn, int(other_tour), int(v)])
    assert joins == BOXES["joins"]


@pytest.mark.parametrize("name", proved_here.THEOREMS)
def test_the_proof_is_printed(name: str) -> None:
    page = proved_here.THEOREMS[name][2]
    done = CliRunner().invoke(theorem.command, [name, "--proof"], standalone_mode=False)
    assert done.return_value == 0
    assert done.stdout == (ROOT / "docs" / "proofs" / f"{page}.md").read_text(encoding="utf-8")
    settings: Any = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = settings["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["force-include"][f"docs/proofs/{page}.md"] == f"cavalcade/docs/{page}.md"


def test_citations_name_files_of_the_wheel() -> None:
    laws = literature.laws()
    assert len(laws) == 22
    for law in laws.values():
        words = " ".join(law.values())
        assert "docs/" not in words
        assert set(re.findall("cavalcade theorem ([a-z]+) --proof", words)) <= set(proved_here.THEOREMS)


def test_printing_a_proof_excludes_other_options() -> None:
    for options in (["--json"], ["--tours", "a.json"], ["-o", "a.svg"]):
        with pytest.raises(
            click.UsageError, match=r"--proof excludes --(json|tours a.json|output a.svg): drop one"
        ):
            CliRunner().invoke(
                theorem.command,
                ["glinski", "--proof", *options],
                standalone_mode=False,
                catch_exceptions=False,
            )


def test_theorems_by_name() -> None:
    argument = next(parameter for parameter in theorem.command.params if parameter.name == "name")
    completed = {item.value for item in argument.shell_complete(click.Context(theorem.command), "")}
    assert completed == {*proved_here.THEOREMS, *literature.laws()}
    assert proved_here.theorem("glinski")
    assert "proof" in proved_here.proof("boxes").lower()
    with pytest.raises(ValueError, match="unknown theorem 'fermat', expected one of glinski"):
        proved_here.theorem("fermat")
