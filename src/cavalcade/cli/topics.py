"""`cavalcade help TOPIC`: what can be written in place of BOARD, --piece, --symmetry and --format.

The texts are generated from the tables of families, graphs, pieces and formats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click

from cavalcade.cli.writing import aligned, show


def boards() -> str:
    """List the families of boards, the graphs by name, and files."""
    from cavalcade.boards.families import FAMILIES
    from cavalcade.question.named import GRAPHS

    families = []
    for name, family in FAMILIES.items():
        summary = (family.__doc__ or "").partition("\n")[0].rstrip(".")
        shape = "Rows and columns; 4x8x8 is four levels, 3x3x3x4 has four dimensions"
        spec = "8x8" if name == "box" else f"{name}:{family.example}"
        families.append((spec, shape if name == "box" else summary))
    holes = [
        ("8x8-a1,b1", "8x8 without the cells a1 and b1"),
        ("8x8-c3:f6", "8x8 without the block between the corners c3 and f6"),
        ("3xn, hex:n", "every n, for commands such as count --upto"),
        ("board.txt", "a picture: . a cell, # a hole, an empty line between levels"),
        ("graph.g6", "a graph in a file; cavalcade help formats lists the formats"),
    ]
    graphs = ", ".join(row.example for row in GRAPHS.values())
    return f"{_section('Boards', families + holes)}\n{_text('Graphs by name', graphs)}"


def pieces() -> str:
    """List the names of pieces and the other ways to write one."""
    from cavalcade.question.pieces import ALSO, BETZA, NAMED

    named = {name: f"{a},{b}" for name, (a, b) in NAMED.items()} | ALSO
    rows = [(name, named.get(leaps, leaps)) for name, leaps in named.items()]
    letters = [(letter, leaps) for letter, leaps in BETZA.items()]
    forms = [
        ("1,4", "the leaper that moves 1 along one axis and 4 along another"),
        ("1,2+1,3", "a union of leapers; names can be joined, too: knight+camel"),
        ("NC, WF, NAD", "the letters of Betza's notation, in capitals"),
        ("moves:1,2;2,1+-", "moves in rows and columns, and their opposites"),
        ("moves:0,1;1,0", "moves that cannot be taken back"),
    ]
    return "\n".join(
        [_section("Pieces", rows), _section("Betza's letters", letters), _section("Forms", forms)]
    )


def symmetries() -> str:
    """List the names of symmetries on some boards, and other names of them."""
    from cavalcade.question.question import Question
    from cavalcade.question.symmetry import ALIASES, symmetries_of

    rows = []
    for spec in ("8x8", "hex:4", "4x4x4", "torus:6x6"):
        question = Question.of(spec)
        names = dict.fromkeys(symmetry.name for symmetry in symmetries_of(question.board, question.piece)[1:])
        rows.append((spec, "; ".join([*names][:6]) + "; ..." * (len(names) > 6)))
    also = [(alias, name) for alias, name in ALIASES.items()]
    also.append(("eulerian", "half turn, on boards where no move is turned into itself"))
    also.append(("axial", "a reflection, if the board has only one"))
    listing = "cavalcade symmetries BOARD lists all symmetries of a board. Hyphens may replace spaces.\n"
    return "\n".join([_section("Symmetries", rows), _section("Other names", also), listing])


def formats() -> str:
    """List the formats of files: endings, and whether each is read or written."""
    from cavalcade.formats.table import FORMATS

    kinds: dict[str, list[tuple[str, ...]]] = {"Tours and proofs": [], "Graphs": [], "Pictures and pages": []}
    for row in FORMATS:
        kind = "Pictures and pages" if row.is_picture else "Tours and proofs"
        if "MoveGraph" in row.holds and "Tour" not in row.holds and not row.is_picture:
            kind = "Graphs"
        endings = " ".join(f".{ending}" for ending in row.endings if ending)
        use = "read and written" if row.reads else "written"
        kinds[kind].append((row.name, endings, use))
    return "\n".join(_section(title, rows) for title, rows in kinds.items())


def _section(title: str, rows: Iterable[tuple[str, ...]]) -> str:
    table = [*rows]
    lines = aligned(table, "<" * len(table[0])).splitlines()
    return "\n".join([f"{title}:", *(f"  {line}" for line in lines), ""])


def _text(title: str, text: str) -> str:
    return click.wrap_text(f"{title}: {text}", 80, subsequent_indent="  ") + "\n"


TOPICS: dict[str, Callable[[], str]] = {
    "boards": boards,
    "pieces": pieces,
    "symmetries": symmetries,
    "formats": formats,
}


@click.command("help", hidden=True)
@click.argument("topic", type=click.Choice([*TOPICS]))
def command(topic: str) -> None:
    """Print what can be written in place of BOARD, --piece, --symmetry or --format."""
    show(TOPICS[topic]())
