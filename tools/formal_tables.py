"""Print the tables of `formal/Tables.v`, from the list of tours that the package uses.

    python tools/formal_tables.py > formal/Tables.v

`tests/test_formal.py` compares the file with this output.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from textwrap import fill

LIST = Path(__file__).parent.parent / "src/cavalcade/data/glinski.json"
HEAD = """\
(* Printed by tools/formal_tables.py from src/cavalcade/data/glinski.json: do not edit. docs/glinski.md has
   the same tours as pictures. Cells of pieces are [row, place]; of the edge that is called corner the places
   are counted from the ends of the rows. Cells of boards are (q, r). *)

From Coq Require Import ZArith List.
Import ListNotations.
Open Scope Z_scope.
"""


def tables() -> str:
    """Return the text of the file."""
    data = json.loads(LIST.read_text(encoding="utf-8"))
    parts = [HEAD]
    for name, (first, second) in data["edges"].items():
        parts.append(f"Definition {name} : (Z * Z) * (Z * Z) := ({_cell(first)}, {_cell(second)}).\n")
    parts.append(_tour("rhombus", data["rhombus"]))
    for kind in ("trapezoid", "board"):
        parts += [_tour(f"{kind}_{size}", cells) for size, cells in data[f"{kind}s"].items()]
    return "\n".join(parts)


def _tour(name: str, cells: list[list[int]]) -> str:
    words = "; ".join(_cell(cell).replace(" ", "~") for cell in cells)
    rows = fill(words, 108, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    return f"Definition {name} : list (Z * Z) := [\n{rows.replace('~', ' ')}\n].\n"


def _cell(cell: list[int]) -> str:
    return f"({cell[0]}, {cell[1]})"


if __name__ == "__main__":
    sys.stdout.write(tables())
