"""`cavalcade theorem`: check the finite list of facts behind a theorem of ours."""

from __future__ import annotations

import json
import textwrap
from importlib import import_module
from typing import TYPE_CHECKING

import click

from cavalcade.cli import FOUND, IMPOSSIBLE
from cavalcade.cli.common import format_for, read_text, say, show
from cavalcade.errors import FormatError

if TYPE_CHECKING:
    from cavalcade.theorems.glinski import Proved


# where the function of this name and its statement are, and the proof
THEOREMS = {
    "glinski": ("glinski", "STATEMENT", "glinski"),
    "triangles": ("hexagonal", "TRIANGLES", "glinski"),
    "parallelograms": ("hexagonal", "PARALLELOGRAMS", "glinski"),
    "hexagons": ("hexagonal", "HEXAGONS", "glinski"),
    "boxes": ("boxes", "STATEMENT", "open-boxes"),
}


@click.command()
@click.argument("name", type=click.Choice(list(THEOREMS)))
@click.option("--tours", metavar="FILE", help="Check this list of tours (JSON) instead of our own.")
@click.option("--json", "json_", is_flag=True, help="One object, whatever comes.")
@click.option(
    "-o", "--output", metavar="FILE", help="Draw the pieces of a hexagon and their joins (.svg, .png)."
)
@click.option(
    "--side", type=click.IntRange(4), default=14, show_default=True, help="The side of the hexagon drawn."
)
def command(name: str, *, tours: str | None, json_: bool, output: str | None, side: int) -> int:
    """Check the facts that a theorem rests on, with code that trusts nothing else, and say what was checked.

    glinski: Gliński's hexagonal board of side n has a closed knight's tour for every n >= 4. The proof is in
    docs/glinski.md.

    triangles, parallelograms, hexagons: which of these boards of hexagonal cells have closed tours; the
    sides of the hexagons may be unequal, but none less than 4. The proofs are there too.

    boxes: which boxes with three or more sides have open tours, and which closed ones. The proof is in
    docs/open-boxes.md; its tours are searched for anew.

    Exit code 0 if every fact holds, 1 if one does not, which is named, 2 for bad input.
    """
    if name == "boxes" and tours is not None:
        raise click.UsageError("--tours is for lists of tours; those of boxes are found anew.")
    if output is not None and (name != "glinski" or tours is not None):
        raise click.UsageError(
            "-o draws our own tours of the hexagon: it goes with glinski, without --tours."
        )
    if output is not None and format_for(None, output) not in {"svg", "png"}:
        raise FormatError(f"{output!r} is the name of no picture, expected .svg or .png")
    module, constant, page = THEOREMS[name]
    home = import_module(f"cavalcade.theorems.{module}")
    statement: str = getattr(home, constant)
    proved: Proved = getattr(home, name)(*([] if tours is None else [read_text(tours)]))
    if json_:
        status = "proved" if proved else "faulty"
        answer = {"theorem": name, "statement": statement, "status": status, "facts": proved.facts}
        show(json.dumps(answer | {"fault": proved.fault or None}, ensure_ascii=False) + "\n")
    else:
        told = [
            textwrap.fill(f"{number:2}. {fact}", 100, subsequent_indent="    ")
            for number, fact in enumerate(proved.facts, 1)
        ]
        if proved:
            told += [f"So, by the proof in docs/{page}.md:", textwrap.fill(statement, 100)]
        show("".join(f"{one}\n" for one in told))
    if proved and output is not None:
        show(_picture(side, png=output.lower().endswith("png")), output)
    if not proved:
        say(f"fault: {proved.fault}")
    return FOUND if proved else IMPOSSIBLE


def _picture(side: int, *, png: bool) -> str | bytes:
    """How the board of a side is cut and joined; small ones with the tours of the pieces."""
    from cavalcade.boards import Board
    from cavalcade.construction.hexagons import chain
    from cavalcade.draw.blocks import blocks_svg
    from cavalcade.draw.png import render
    from cavalcade.draw.svg import FINE

    board = Board.hexagon(side)
    svg = blocks_svg(board, chain(side), tours=board.size <= FINE, font=not png, size=1200 if png else None)
    return render(svg) if png else svg
