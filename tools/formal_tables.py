"""Print the tables of `formal/Tables.v` or `formal/RectangleTables.v`, from the lists that the package uses.

    python tools/formal_tables.py glinski > formal/Tables.v
    python tools/formal_tables.py rectangles > formal/RectangleTables.v

`tests/test_formal.py` compares the files with this output.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from textwrap import fill

DATA = Path(__file__).parent.parent / "src/cavalcade/data"
HEADS = {
    "glinski": """\
(* Printed by tools/formal_tables.py from src/cavalcade/data/glinski.json: do not edit.
   docs/proofs/glinski.md has the same tours as pictures. Cells of pieces are [row, place]; of the edge
   that is called corner the places are counted from the ends of the rows. Cells of boards are (q, r). *)
""",
    "rectangles": """\
(* Printed by tools/formal_tables.py from src/cavalcade/data/rectangles.json: do not edit.
   docs/proofs/rectangles.md has the same tours as tables. Cells are (row, column); the columns of the edge
   leave are counted from the right, -1 is the last one. *)
""",
}
IMPORTS = """\
From Coq Require Import ZArith List.
Import ListNotations.
Open Scope Z_scope.
"""


def tables(name: str) -> str:
    """Return the text of a file."""
    data = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    parts = [HEADS[name], IMPORTS]
    for edge, (first, second) in data.get("edges", data.get("seams")).items():
        parts.append(f"Definition {edge} : (Z * Z) * (Z * Z) := ({_cell(first)}, {_cell(second)}).\n")
    if name == "glinski":
        parts.append(_tour("rhombus", data["rhombus"]))
    for group in ("trapezoids", "boards", "strips"):
        parts += [_tour(f"{group[:-1]}_{size}", cells) for size, cells in data.get(group, {}).items()]
    for kind in ("closed", "open"):
        parts += [_tour(f"{kind}_{sides}", cells) for sides, cells in data.get(kind, {}).items()]
    return "\n".join(parts)


def _tour(name: str, cells: list[list[int]]) -> str:
    words = "; ".join(_cell(cell).replace(" ", "~") for cell in cells)
    rows = fill(words, 108, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    return f"Definition {name} : list (Z * Z) := [\n{rows.replace('~', ' ')}\n].\n"


def _cell(cell: list[int]) -> str:
    return f"({cell[0]}, {cell[1]})"


if __name__ == "__main__":
    sys.stdout.write(tables(sys.argv[1]))
