"""`cavalcade theorem`: check the finite list of facts behind a theorem proved here, or print its proof."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

import click

import cavalcade
from cavalcade import formats
from cavalcade.cli import ExitCode
from cavalcade.cli.command import option, refuse, verb
from cavalcade.cli.options import File, Json, NewFile
from cavalcade.cli.status import filled
from cavalcade.cli.writing import log, show, show_json
from cavalcade.formats.table import STILL, chosen
from cavalcade.ground.errors import FormatError


@verb()
def command(
    name: Literal["glinski", "triangles", "parallelograms", "hexagons", "boxes", "petersen"],
    *,
    proof: Annotated[bool, option(excludes=["--tours", "--json", "--output"])] = False,
    tours: File | None = None,
    json_: Json = False,
    output: Annotated[NewFile | None, option("-o", "--output")] = None,
    side: Annotated[int, option(type=click.IntRange(4))] = 14,
) -> int:
    """Check the facts on which a theorem rests, by independent code, and list them.

    glinski: Gliński's hexagonal board of side n has a closed knight's tour for every n >= 4.

    triangles, parallelograms, hexagons: which of these boards of hexagonal cells have closed tours; the
    sides of the hexagons may be unequal, but none may be below 4.

    boxes: which boxes with three or more sides have open tours, and which have closed ones.

    petersen: which generalized Petersen graphs GP(n, 2) have a Hamiltonian cycle.

    Exit codes: 0 every fact holds, 1 one does not (standard error names it), 2 bad input.

    Options:
        proof: Print the proof (Markdown) and check nothing.
        tours: Check this list of tours (JSON) instead of the packaged one.
        output: For glinski: draw the blocks of a hexagon and their joins (.svg, .png, .pdf, .tikz).
        side: The side of the hexagon drawn.
    """
    if name != "glinski":
        refuse("output", "side", why="works only with glinski")
    kind = chosen(None, output, "Certificate")
    if output is not None and kind not in STILL:
        raise FormatError(f"{output!r} does not name a picture, expected .{', .'.join(STILL)}")
    from cavalcade.theorems import proved_here

    if proof:
        show(proved_here.proof(name))
        return ExitCode.FOUND
    statement = proved_here.statement(name)
    text = None if tours is None else formats.read_file(tours)
    proved = proved_here.theorem(name, tours=text)
    if json_:
        status = "proved" if proved else "faulty"
        answer = {"theorem": name, "statement": statement, "status": status, "facts": proved.facts}
        show_json(answer | {"fault": proved.fault or None})
    else:
        facts = (f"{number:2}. {fact}" for number, fact in enumerate(proved.facts, 1))
        listing = "".join(filled(fact, sys.stdout, "    ") for fact in facts)
        if proved:
            listing += f"Hence, by the proof that `cavalcade theorem {name} --proof` prints:\n"
            listing += filled(statement, sys.stdout)
        show(listing)
    if proved and output is not None:
        show(_picture(side, text, kind), output)
    if not proved:
        log(f"fault: {proved.fault}")
    return ExitCode.FOUND if proved else ExitCode.IMPOSSIBLE


def _picture(side: int, text: str | None, kind: str) -> str | bytes:
    """Draw how a hexagon is cut into blocks and joined; small hexagons with the tours of the blocks."""
    from cavalcade.draw.blocks import blocks_picture
    from cavalcade.draw.board import FINE
    from cavalcade.theorems.facts import packaged
    from cavalcade.theorems.glinski import built, read

    board = cavalcade.Board.hexagon(side)
    tours, joins = built(side, read(packaged("glinski") if text is None else text))
    return formats.rendered(blocks_picture(board, tours, joins, tours=board.size <= FINE), kind)
