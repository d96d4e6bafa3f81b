"""`cavalcade theorem`: the theorems and their literature; the checks and proofs of those proved here."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import click

import cavalcade
from cavalcade import formats
from cavalcade.answers.status import AnswerStatus
from cavalcade.cli import ExitCode
from cavalcade.cli.bare_words import BOARD
from cavalcade.cli.command import option, refuse, refuse_all_but, typed_options, verb
from cavalcade.cli.options import File
from cavalcade.cli.status import filled
from cavalcade.cli.writing import Written, aligned, log, show, show_json
from cavalcade.formats.table import STILL
from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from cavalcade.draw.shapes import Picture
    from cavalcade.theorems.bibliography import CitedTheorem

OTHER_OUTPUT = ["--proof", "--tours", "--output"]


def _names(context: click.Context, parameter: click.Parameter, start: str) -> list[str]:
    """Complete the name of a theorem."""
    del context, parameter
    from cavalcade.theorems.bibliography import catalogue
    from cavalcade.theorems.proved_here import THEOREMS

    return [name for name in (*THEOREMS, *catalogue()) if name.startswith(start)]


def _joined(context: click.Context, parameter: click.Parameter, parts: tuple[str, ...]) -> str | None:
    """Join the words of a name, such as `chia ong`; refuse a board, which no theorem is named by."""
    del context, parameter
    from cavalcade.theorems.bibliography import catalogue

    for part in filter(BOARD.fullmatch, parts):
        line = f"theorem schwenk or cavalcade count {part}" if "n" in part else f"prove {part}"
        raise click.UsageError(f"{part!r} is a board, and a theorem is about many: try cavalcade {line}")
    words = [
        part.removesuffix("'s")
        for part in parts
        if part.casefold() not in {"theorem", "the", "of", "by", "and"}
    ]
    key = "_".join(words).casefold()
    return (key if key in catalogue() else " ".join(words)) or None


@dataclass(frozen=True)
class DiagramOptions(Written):
    """The options that set the format and the file of a diagram.

    Options:
        format_: Format of the picture (default: the ending of FILE sets it, otherwise svg).
        output: For glinski: draw the blocks of a hexagon and their joins (.svg, .png, .pdf, .tex); - is
            standard output.
    """

    format_: Annotated[str | None, option(choices=STILL, needs=["--output"])] = None
    kinds = ("Picture",)
    piped = "svg"
    json_beside = True


@verb()
def command(
    name: Annotated[
        str | None, option(metavar="[NAME]", nargs=-1, callback=_joined, shell_complete=_names)
    ] = None,
    *,
    list_: Annotated[bool, option("--list", excludes=OTHER_OUTPUT)] = False,
    bibliography: Annotated[bool, option(excludes=["--list", *OTHER_OUTPUT])] = False,
    proof: Annotated[bool, option(excludes=["--tours", "--json", "--output"])] = False,
    tours: File | None = None,
    written: DiagramOptions,
    side: Annotated[int, option(type=click.IntRange(4))] = 14,
) -> int:
    """Check the facts on which a theorem rests, or show the literature on it.

    NAME is a theorem proved here: its facts are checked by independent code, and listed.

    glinski: Gliński's hexagonal board of side n has a closed knight's tour for every n >= 4.

    rectangles: which rectangles have closed tours (Schwenk's theorem), and which have open ones.

    triangles, parallelograms, hexagons: which of these boards of hexagonal cells have closed tours; the
    sides of the hexagons may be unequal.

    boxes: which boxes with three or more sides have open tours, and which have closed ones.

    petersen: which generalized Petersen graphs GP(n, 2) have a Hamiltonian cycle.

    lines: tours with few turns and crossings, 8n - 7 and 9.5n + 20 on n x n, n even, n >= 18.

    Or NAME is any part of the name or the citation of a theorem, such as schwenk: the statement, the status
    and the sources of each such theorem are printed, and how much of each source was read.

    Exit codes: 0 every fact holds, 1 a fact does not hold (standard error names it), 2 bad input.

    Options:
        list_: List all theorems: name, status, and what each is called.
        bibliography: List all publications, and what was read of each (Markdown).
        proof: Print the proof (Markdown) and check nothing.
        tours: Check this list of tours (JSON) instead of the packaged one.
        side: The side of the hexagon drawn.
    """
    from cavalcade.theorems import proved_here
    from cavalcade.theorems.bibliography import catalogue, matching

    if name is None:
        if not list_ and not bibliography:
            raise click.UsageError("no theorem is named: try glinski, or --list")
        refuse_all_but("list_", "bibliography", "json_", why="needs the name of a theorem")
        if bibliography:
            _show_bibliography(as_json=written.json_)
        elif written.json_:
            show_json({"theorems": [entry.as_json for entry in catalogue().values()]})
        else:
            show(aligned(((entry.key, entry.basis, entry.name) for entry in catalogue().values()), "<<<"))
        return ExitCode.FOUND
    if list_ or bibliography:
        raise click.UsageError(f"{'--list' if list_ else '--bibliography'} lists all: leave {name!r} out")
    name = name.casefold() if name.casefold() in proved_here.THEOREMS else name
    if name not in proved_here.THEOREMS:
        entries = matching(name)
        checks = {entry.check for entry in entries}
        if not proof or len(checks) > 1 or not any(checks):
            refuse_all_but("json_", why=f"needs a theorem proved here: {', '.join(proved_here.THEOREMS)}")
            _show_entries(entries, as_json=written.json_)
            return ExitCode.FOUND
        name = checks.pop()
    return _checked(name, written, proof=proof, tours=tours, side=side)


def _show_entries(entries: list[CitedTheorem], *, as_json: bool) -> None:
    """Print the statement, the status and the sources of theorems."""
    if as_json:
        show_json({"theorems": [entry.as_json for entry in entries]})
        return
    paragraphs = []
    for entry in entries:
        lines = [f"{entry.key}: {entry.name}", entry.statement, f"status: {entry.status}"]
        lines += [f"literature: {entry.partly or entry.citation}"] * bool(entry.partly or not entry.sources)
        for source in entry.sources:
            lines += [source.citation, f"  read ({source.read}): {source.source}"]
        paragraphs.append("".join(filled(line, sys.stdout, "    ") for line in lines))
    show("\n".join(paragraphs))


def _show_bibliography(*, as_json: bool) -> None:
    """Print all publications with what was read of each."""
    from cavalcade.theorems.bibliography import bibliography

    sources = bibliography().values()
    if as_json:
        show_json({"publications": [vars(source) for source in sources]})
    else:
        show(
            "".join(f"- {source.citation}. *Read ({source.read}): {source.source}.*\n" for source in sources)
        )


def _checked(name: str, written: DiagramOptions, *, proof: bool, tours: str | None, side: int) -> int:
    """Check the facts of a theorem proved here and list them, or print its proof."""
    from cavalcade.theorems import proved_here

    if name != "glinski":
        refuse("output", "side", why="works only with glinski")
    draws = "output" in typed_options()
    if draws and written.format not in STILL:
        raise FormatError(f"the diagram does not move: try one of .{', .'.join(STILL)}")
    if proof:
        show(proved_here.proof(name))
        return ExitCode.FOUND
    statement = proved_here.statement(name)
    text = None if tours is None else formats.read_file(tours)
    proved = proved_here.theorem(name, tours=text)
    if written.json_:
        status = AnswerStatus.PROVED if proved else AnswerStatus.FAULTY
        answer = {"theorem": name, "statement": statement, "status": status, "facts": proved.facts}
        show_json(answer | {"fault": proved.fault or None})
    elif written.output or not draws:
        facts = (f"{number:2}. {fact}" for number, fact in enumerate(proved.facts, 1))
        listing = "".join(filled(fact, sys.stdout, "    ") for fact in facts)
        if proved:
            listing += f"Hence, by the proof that `cavalcade theorem {name} --proof` prints:\n"
            listing += filled(statement, sys.stdout)
        show(listing)
    if proved and draws:
        written.show(_picture(side, text))
    if not proved:
        log(f"fault: {proved.fault}")
    return ExitCode.FOUND if proved else ExitCode.IMPOSSIBLE


def _picture(side: int, text: str | None) -> Picture:
    """Draw how a hexagon is cut into blocks and joined; small hexagons with the tours of the blocks."""
    from cavalcade.draw.blocks import blocks_picture
    from cavalcade.draw.board import FINE
    from cavalcade.theorems.facts import packaged
    from cavalcade.theorems.glinski import built, read

    board = cavalcade.Board.hexagon(side)
    tours, joins = built(side, read(packaged("glinski") if text is None else text))
    return blocks_picture(board, tours, joins, tours=board.size <= FINE)
