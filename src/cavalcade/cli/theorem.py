"""`cavalcade theorem`: check the finite list of facts behind a theorem proved here, or print its proof."""

from __future__ import annotations

import json
import textwrap

import click

from cavalcade.cli import FOUND, IMPOSSIBLE
from cavalcade.cli.common import format_for, log, read_text, show
from cavalcade.draw.writers import STILL
from cavalcade.ground.errors import FormatError

NAMES = ("glinski", "triangles", "parallelograms", "hexagons", "boxes")


@click.command()
@click.argument("name", type=click.Choice(NAMES))
@click.option("--proof", is_flag=True, help="Print the proof (Markdown) and check nothing.")
@click.option("--tours", metavar="FILE", help="Check this list of tours (JSON) instead of our own.")
@click.option("--json", "json_", is_flag=True, help="Print one JSON object, whatever the answer.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Draw the pieces of a hexagon and their joins (.svg, .png, .pdf, .tikz).",
)
@click.option(
    "--side", type=click.IntRange(4), default=14, show_default=True, help="The side of the hexagon drawn."
)
def command(name: str, *, proof: bool, tours: str | None, json_: bool, output: str | None, side: int) -> int:
    """Check the facts that a theorem rests on, with code that trusts nothing else, and list them.

    glinski: Gliński's hexagonal board of side n has a closed knight's tour for every n >= 4.

    triangles, parallelograms, hexagons: which of these boards of hexagonal cells have closed tours; the
    sides of the hexagons may be unequal, but none less than 4.

    boxes: which boxes with three or more sides have open tours, and which have closed ones.

    Exit code 0 if every fact holds, 1 if one does not (standard error names it), 2 for bad input.
    """
    if output is not None and name != "glinski":
        raise click.UsageError("-o draws the pieces of a hexagon: it goes with glinski only.")
    if output is not None and format_for(None, output) not in STILL:
        raise FormatError(f"{output!r} does not name a picture, expected .{', .'.join(STILL)}")
    from cavalcade.theorems import proved_here

    if proof:
        if tours is not None or json_ or output is not None:
            raise click.UsageError("--proof only prints the proof: leave out the other options.")
        show(proved_here.proof(name))
        return FOUND
    statement = proved_here.statement(name)
    text = None if tours is None else read_text(tours)
    proved = proved_here.theorem(name, tours=text)
    if json_:
        status = "proved" if proved else "faulty"
        answer = {"theorem": name, "statement": statement, "status": status, "facts": proved.facts}
        show(json.dumps(answer | {"fault": proved.fault or None}, ensure_ascii=False) + "\n")
    else:
        lines = [
            textwrap.fill(f"{number:2}. {fact}", 100, subsequent_indent="    ")
            for number, fact in enumerate(proved.facts, 1)
        ]
        if proved:
            lines += [
                f"So, by the proof that `cavalcade theorem {name} --proof` prints:",
                textwrap.fill(statement, 100),
            ]
        show("".join(f"{one}\n" for one in lines))
    if proved and output is not None:
        show(_picture(side, text, format_for(None, output)), output)
    if not proved:
        log(f"fault: {proved.fault}")
    return FOUND if proved else IMPOSSIBLE


def _picture(side: int, text: str | None, kind: str) -> str | bytes:
    """How the board of a side is cut and joined; small ones with the tours of the pieces."""
    from cavalcade.boards import Board
    from cavalcade.draw.blocks import blocks_picture
    from cavalcade.draw.ground import FINE
    from cavalcade.draw.writers import rendered
    from cavalcade.theorems.facts import packaged
    from cavalcade.theorems.glinski import built, read

    board = Board.hexagon(side)
    tours, joins = built(side, read(packaged("glinski") if text is None else text))
    return rendered(blocks_picture(board, tours, joins, tours=board.size <= FINE), kind)
