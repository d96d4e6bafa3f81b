"""Files, in and out: tours, boards, graphs, certificates and puzzles.

Each format is a line in `table` and a module, which is loaded when it is needed. A file is recognized by its
text, never by its name. Pictures and pages cannot be read back.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from cavalcade.formats.files import about, called, read_file, write_file
from cavalcade.formats.table import BY_NAME, EVERYTHING, FORMATS, READ, SHEETS, Format, format_of
from cavalcade.ground.errors import FormatError
from cavalcade.question.words import validated

if TYPE_CHECKING:
    from cavalcade.answers.certificate import Certificate
    from cavalcade.answers.puzzles import Puzzle, Roesselsprung
    from cavalcade.answers.receipts import Receipt
    from cavalcade.answers.tours import Tour
    from cavalcade.ask.connections import Connections
    from cavalcade.boards import Board
    from cavalcade.draw.shapes import Picture
    from cavalcade.question.graph import MoveGraph
    from cavalcade.question.pieces import Piece

    Thing: TypeAlias = Tour | Board | MoveGraph | Certificate | Puzzle | Roesselsprung | Picture | Connections

__all__ = ["about", "format_of", "read_file"]

Read = TypeVar("Read", bound="Board | MoveGraph")


# ---- writing


def write(thing: Thing | Sequence[Thing], format: str | None = None, **options: Any) -> str:
    """A tour, a board, a graph, a certificate or a puzzle as text.

    Args:
        thing: what to write; a list of several makes a sheet of pictures.
        format: one of `FORMATS`; by default text for a tour, a board or a puzzle, hcp for a graph
            (digraph6 for a directed one), json for a certificate.
        options: those of the format's writer, such as `header`, `labels` and `beside` of text.

    Raises:
        FormatError: there is no such format, it cannot express this, or it is not text: then use `save`.

    Examples:
        >>> write(board("3x4-b2")).splitlines()
        ['....', '.#..', '....']
    """
    data = rendered(thing, format, **options)
    if isinstance(data, bytes):
        raise FormatError(f"{format} is not text, expected it to be saved to a file")
    return data


def rendered(thing: Thing | Sequence[Thing], format: str | None = None, **options: Any) -> str | bytes:
    """What a file of this format holds, text or bytes; otherwise as `write`."""
    one = _format(thing, format)
    if one.files_only:
        raise FormatError(f"{one.name} is not text, expected it to be saved to a file")
    data: str | bytes = one.write(thing, **options)
    return data


def save(
    thing: Thing | Sequence[Thing], path: str | os.PathLike[str], format: str | None = None, **options: Any
) -> None:
    """Write a tour, a board, a graph, a certificate or a puzzle to a file, atomically.

    Args:
        thing: what to write; a list of several makes a sheet of pictures.
        path: the file.
        format: one of `FORMATS`; by default that of the name's ending.
        options: as for `write`; `holding` of npy, `seed` and `time_limit` of cnf.

    Raises:
        FormatError: as for `write`, or the file cannot be written.

    Examples:
        >>> save(tour("8x8").tour, "8x8.svg", numbers=True)
    """
    one = _format(thing, format or format_of(path))
    if one.files_only:
        one.write(thing, path, **options)
    else:
        write_file(path, one.write(thing, **options))


def _format(thing: Thing | Sequence[Thing], name: str | None) -> Format:
    """The format of this name, by default the usual one, if it can carry this thing.

    Raises:
        FormatError: this one cannot.
    """
    if isinstance(thing, list | tuple):
        if not thing or name not in SHEETS:
            raise FormatError(f"a list of {len(thing):,} is for a sheet, expected one of {', '.join(SHEETS)}")
        return {_format(one, name) for one in thing}.pop()
    kind = type(thing).__name__
    formats = [one for one in FORMATS if kind in one.holds]
    if not formats:
        raise FormatError(f"cannot write this {kind}, expected a {', '.join(EVERYTHING)}")
    for trait in ("directed", "fixed"):
        if getattr(thing, trait, False):
            kind, formats = f"{kind} that is {trait}", [one for one in formats if trait not in one.lacks]
    able = [one.name for one in formats]
    if name is None:
        name = next((usual for usual in ("hcp", "digraph6") if usual in able), able[0])
    if name not in able:
        what = f"cannot write a {kind} as {name!r}" if name in BY_NAME else f"unknown format {name!r}"
        raise FormatError(f"{what}, expected one of {', '.join(able)}")
    return BY_NAME[name]


# ---- reading


def read(
    path: str | os.PathLike[str],
    *,
    board: Board | MoveGraph | str | None = None,
    piece: Piece | str | None = None,
) -> Tour:
    """The tour in a file of any format that can be read.

    Args:
        path: the file; `-` is standard input.
        board: the board of the tour, if the file does not name it; it overrides the file.
        piece: the piece, likewise.

    Raises:
        FormatError: there is no tour in it; the message quotes the line that is wrong.

    Examples:
        >>> save(tour("6x6").tour, "mine.txt")
        >>> read("mine.txt")
        <Tour closed of 6x6 from a6 to b4, 36 cells>
    """
    from cavalcade.formats import npy
    from cavalcade.formats.header import Claim

    if npy.is_npy(path):
        return npy.read(path, Claim.of(board, piece))
    return parse(read_file(path), board=board, piece=piece, source=called(path))


read_tour = read


def parse(
    text: str,
    *,
    board: Board | MoveGraph | str | None = None,
    piece: Piece | str | None = None,
    source: str = "the text",
) -> Tour:
    """The tour in a text of any format; `source` is what errors call it.

    Raises:
        FormatError: there is none in it.
    """
    from cavalcade.formats.header import Claim

    claim = Claim.of(board, piece)
    with about(source):
        found: Tour = BY_NAME[detect(text, names=claim.names_allowed)].module.parse(text, claim)
    return found


def detect(text: str, *, names: bool = False) -> str:
    """The format of a tour's text.

    Args:
        text: the text.
        names: it may be a list of a plain graph's labels, which can look like anything.

    Raises:
        FormatError: it is a picture or a graph.
    """
    from cavalcade.formats.header import Look

    look = Look.at(text, names=names)
    if not names and look.first.startswith("<"):
        raise FormatError("it is a picture or a page, expected text, csv, json, tour or wide")
    sections = re.findall(r"^\s*(TOUR|EDGE_DATA)_SECTION", text, re.MULTILINE)
    if not names and sections and "TOUR" not in sections:
        raise FormatError("it is a graph, expected a tour")
    return _sniffed(look, "Tour", "text")


def _sniffed(look: Any, kind: str, usual: str) -> str:
    """The first format of the table that claims a text."""
    able = [one for one in FORMATS if kind in one.reads and one.name != usual]
    return next((one.name for one in able if one.claims(look)), usual)


@validated
def read_board(
    path: str | os.PathLike[str], format: str | None = None, *, directed: bool | None = None
) -> Board | MoveGraph:
    """The board in a file: its picture, or a graph that replaces it, like the BOARD of a command.

    Args:
        path: the file; `-` is standard input.
        format: that of a graph, as for `read_graph`.
        directed: of a graph, likewise.

    Raises:
        BoardError, FormatError: there is none in it; the message quotes the line that is wrong.

    Examples:
        >>> save(board("8x8-a1"), "corner.txt")
        >>> read_board("corner.txt")
        <Board 8x8-a1, 63 cells>
    """
    return _read(board_in, path, format, directed=directed)


def is_picture(text: str) -> bool:
    """Whether a text is the picture of a board, perhaps with a slip in it: most of it is `.` and `#`."""
    signs = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(";"))
    numbered = re.search(r"(?<!\S)[0-9]+(?!\S)", signs) is not None or _is_tour(text)
    return not numbered and 2 * len(re.findall("[.#]", signs)) >= len("".join(signs.split()))


def _is_tour(text: str) -> bool:
    return re.match(r"\s*;\s*(closed|open) (tour|puzzle|roesselsprung) of \S", text) is not None


@validated
def read_graph(
    path: str | os.PathLike[str], format: str | None = None, *, directed: bool | None = None
) -> MoveGraph:
    """The graph in a file of any format of graphs, such as TSPLIB, graph6 or a list of edges.

    Args:
        path: the file; `-` is standard input.
        format: its format, such as `edges`; by default the one that it shows.
        directed: whether edges go one way, where the format leaves that open: lists of edges, TGF, adjacency
            lists.

    Raises:
        FormatError: there is none in it, or several; it could be of two formats; or it says itself whether
            edges go one way. The message quotes the line that is wrong.
        MissingExtraError: GML or GraphML, and networkx is not installed.

    Examples:
        >>> save(move_graph("5x6"), "5x6.hcp")
        >>> read_graph("5x6.hcp")
        <MoveGraph 30 vertices, 62 edges>
    """
    return _read(parse_graph, path, format, directed=directed)


def _read(
    parsed: Callable[..., Read], path: str | os.PathLike[str], format: str | None, *, directed: bool | None
) -> Read:
    from cavalcade.question.graph import assert_directed

    found = parsed(read_file(path), format, directed=directed, source=called(path), name=Path(path).stem)
    assert_directed(found, directed)
    return found


def board_in(text: str, format: str | None = None, **words: Any) -> Board | MoveGraph:
    """The board whose picture a text is, or the graph in it; `words` as for `parse_graph`."""
    if format is None and is_picture(text):
        from cavalcade.boards.notation import parse_mask

        return parse_mask(text, words.get("source", "the text"))
    return parse_graph(text, format, **words)


def graph_format(text: str) -> str:
    """The format of a graph's text; a text that no other format claims is a list of edges."""
    from cavalcade.formats.header import Look

    return _sniffed(Look.at(text), "MoveGraph", "edges")


def parse_graph(
    text: str,
    format: str | None = None,
    *,
    directed: bool | None = None,
    source: str = "the text",
    name: str = "",
) -> MoveGraph:
    """The graph in a text; `source` is what errors call it, `name` what the graph is called.

    Where the format says whether edges go one way, `directed` is not used.

    Raises:
        FormatError, MissingExtraError: as for `read_graph`.
    """
    if format is not None and format not in READ:
        raise FormatError(
            f"{format!r} is no format of graphs that is read, expected one of {', '.join(READ)}"
        )
    with about(source, None):
        if _is_tour(text):
            raise FormatError("it is a tour, expected a board or a graph")
        one = BY_NAME[format or graph_format(text)]
        words = {"directed": directed} if one.leaves_open else {}
        words |= {"sure": True} if format == "edges" else {}
        graph: MoveGraph = one.module.parse_graph(text, name, **words)
    return graph


def read_certificate(
    path: str | os.PathLike[str],
    *,
    board: Board | MoveGraph | str | None = None,
    piece: Piece | str | None = None,
) -> Certificate:
    """The certificate in a file; its proof is checked by `cavalcade.verify`.

    Args:
        path: the file; `-` is standard input. Next to a .cnf file there must be its .drat file.
        board: the board that the certificate must be about, if given.
        piece: the piece, likewise.

    Raises:
        FormatError: there is none in it, or it is about another board or piece.

    Examples:
        >>> save(prove("4x4").certificate, "mine.proof")
        >>> read_certificate("mine.proof").claim
        'no closed tour of 4x4'
    """
    return parse_certificate(certificate_in(path), board=board, piece=piece, source=called(path))


def certificate_in(path: str | os.PathLike[str]) -> str:
    """The text of a file; of a formula that `save` wrote, the certificate that it makes with its proof."""
    from cavalcade.formats import cnf

    text = read_file(path)
    with about(called(path)):
        return cnf.as_json(text, path) if cnf.is_cnf(text) else text


def parse_certificate(
    text: str,
    *,
    board: Board | MoveGraph | str | None = None,
    piece: Piece | str | None = None,
    source: str = "the text",
) -> Certificate:
    """The certificate in a text; `source` is what errors call it.

    Raises:
        FormatError: there is none in it, or it is about another board or piece.
    """
    from cavalcade.answers.certificate import from_json
    from cavalcade.formats.header import Claim

    claim = Claim.of(board, piece)
    with about(source):
        found = from_json(text)
        wanted = (claim.board or found.question.board, claim.piece or found.question.piece)
        if wanted != (found.question.board, found.question.piece):
            raise FormatError(f"it proves that there is {found.claim}: leave out --board and --piece")
        return found


def read_receipt(path: str | os.PathLike[str]) -> Receipt:
    """The receipt of a count in a file; `cavalcade.check_receipt` counts again.

    Args:
        path: the file; `-` is standard input.

    Raises:
        FormatError: there is none in it.

    Examples:
        >>> count("6x6", receipt="6x6.json").count
        9862
        >>> read_receipt("6x6.json").claim
        '9862 closed tours of 6x6'
    """
    return parse_receipt(read_file(path), source=called(path))


def parse_receipt(text: str, *, source: str = "the text") -> Receipt:
    """The receipt in a text; `source` is what errors call it.

    Raises:
        FormatError: there is none in it.
    """
    from cavalcade.answers.receipts import from_json

    with about(source):
        return from_json(text)


@validated
def read_puzzle(
    path: str | os.PathLike[str],
    *,
    board: Board | MoveGraph | str | None = None,
    piece: Piece | str | None = None,
    open: bool | None = None,
) -> Puzzle:
    """The puzzle in a text file: numbers on a board, `.` where they are wanted.

    Args:
        path: the file; `-` is standard input.
        board: the board of the puzzle, if the file does not name it; it overrides the file.
        piece: the piece, likewise.
        open: whether an open tour is wanted, likewise; by default a closed one.

    Raises:
        FormatError: there is none in it; the message quotes the line that is wrong.

    Examples:
        >>> made = puzzle("6x6")
        >>> save(made, "mine.txt")
        >>> read_puzzle("mine.txt") == made
        True
    """
    from cavalcade.formats import puzzle
    from cavalcade.formats.header import Claim

    text = read_file(path)
    with about(called(path)):
        kind = detect(text)
        if kind in {"json", "tour", "wide"} or (kind == "csv" and "step" in text):
            raise FormatError(f"it is a tour as {kind}, expected numbers on a board as text")
        found = puzzle.parse(text, Claim.of(board, piece))
    return found if open is None else replace(found, closed=not open)


def read_roesselsprung(
    path: str | os.PathLike[str],
    *,
    board: Board | str | None = None,
    piece: Piece | str | None = None,
) -> Roesselsprung:
    """The Rösselsprung in a text file, with its solution.

    Args:
        path: the file; `-` is standard input.
        board: the board, if the file does not name it; it overrides the file.
        piece: the piece, likewise.

    Raises:
        FormatError: there is none in it, or no solution.

    Examples:
        >>> save(roesselsprung("a b c d e f g h i j k l"), "verse.txt")
        >>> read_roesselsprung("verse.txt").text
        'a b c d e f g h i j k l'
    """
    from cavalcade.formats import puzzle
    from cavalcade.formats.header import Claim

    text = read_file(path)
    with about(called(path)):
        return puzzle.parse_roesselsprung(text, Claim.of(board, piece))
