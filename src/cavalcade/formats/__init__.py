"""Read and write files: tours, boards, graphs, certificates, receipts and puzzles.

Each format is a row of `table` and a module that is loaded on first use. A file is recognized by its text,
not by its name. Pictures and pages cannot be read back.

Every reader takes a path, or a `Text` that was read already.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from cavalcade.formats.files import Text, about, read_file
from cavalcade.formats.recognizing import detect, graph_format, is_picture, is_tour
from cavalcade.formats.table import BY_NAME, FORMATS, READ, SHEETS, WRITABLE, Format, choices, format_of
from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.ground.storage import write_file
from cavalcade.question.words import validated

if TYPE_CHECKING:
    from decimal import Decimal

    from cavalcade.answers.certificate import Certificate
    from cavalcade.answers.puzzles import Puzzle, Roesselsprung
    from cavalcade.answers.receipts import Receipt
    from cavalcade.answers.tours import Tour, Tours
    from cavalcade.ask.connections import Connections
    from cavalcade.ask.wrong_turn import WrongTurn
    from cavalcade.boards import Board
    from cavalcade.draw.shapes import Picture
    from cavalcade.question.graph import BoardLike, MoveGraph
    from cavalcade.question.pieces import PieceLike

    Thing: TypeAlias = (
        Tour
        | Tours
        | Board
        | MoveGraph
        | Certificate
        | Puzzle
        | Roesselsprung
        | Picture
        | Connections
        | WrongTurn
    )

__all__ = ["Text", "detect", "format_of", "graph_format", "is_picture", "read_file"]

File: TypeAlias = str | os.PathLike[str]


# ---- writing


def write(thing: Thing | Sequence[Thing], format: str | None = None, **options: Any) -> str:
    """Write a tour, a board, a graph, a certificate or a puzzle as text.

    Args:
        thing: the object to write; a list of tours or puzzles makes a sheet of pictures.
        format: one of `FORMATS`; by default text for a tour, a board or a puzzle, hcp for a graph
            (digraph6 for a directed one), json for a certificate.
        options: options of the format's writer, such as `header`, `labels` and `beside` of text.

    Raises:
        FormatError: the format is unknown, cannot express the object, or is not text (use `save`).

    Examples:
        >>> write(board("3x4-b2")).splitlines()
        ['....', '.#..', '....']
    """
    data = rendered(thing, format, **options)
    if isinstance(data, bytes):
        raise FormatError(f"{format} is not text: save it to a file")
    return data


def rendered(thing: Thing | Sequence[Thing], format: str | None = None, **options: Any) -> str | bytes:
    """The contents of a file in a format, as text or bytes; otherwise like `write`."""
    row = _format(thing, format)
    if row.files_only:
        raise FormatError(f"{row.name} is not text: save it to a file")
    data: str | bytes = row.write(thing, **options)
    return data


def save(thing: Thing | Sequence[Thing], path: File, format: str | None = None, **options: Any) -> None:
    """Write a tour, a board, a graph, a certificate or a puzzle to a file, either whole or not at all.

    Args:
        thing: the object to write; a list of tours or puzzles makes a sheet of pictures.
        path: the file.
        format: one of `FORMATS`; by default the format of the file name's ending.
        options: as for `write`; `holding` of npy, `seed` and `time_limit` of cnf.

    Raises:
        FormatError: as for `write`, or the file cannot be written.

    Examples:
        >>> save(tour("8x8").tour, "8x8.svg", numbers=True)
    """
    row = _format(thing, format or format_of(path))
    if row.files_only:
        row.write(thing, path, **options)
    else:
        write_file(path, row.write(thing, **options))


def _format(thing: Thing | Sequence[Thing], name: str | None) -> Format:
    """The format of a name, by default the usual format of the object's class.

    Raises:
        FormatError: the format cannot express the object.
    """
    if isinstance(thing, list | tuple):
        if not thing or name not in SHEETS:
            raise FormatError(f"a list of {len(thing):,} makes a sheet of pictures. {choices(SHEETS)}")
        return {_format(part, name) for part in thing}.pop()
    kind = type(thing).__name__
    formats = [row for row in FORMATS if kind in row.holds]
    if not formats:
        raise FormatError(f"cannot write this {kind}, expected a {', '.join(WRITABLE)}")
    for trait in ("directed", "fixed"):
        if getattr(thing, trait, False):
            kind, formats = f"{kind} that is {trait}", [row for row in formats if trait not in row.lacks]
    names = [row.name for row in formats]
    if name is None:
        name = next((usual for usual in ("hcp", "digraph6") if usual in names), names[0])
    if name not in names:
        what = f"cannot write a {kind} as {name!r}" if name in BY_NAME else f"unknown format {name!r}"
        raise FormatError(f"{what}. {choices(names)}")
    return BY_NAME[name]


# ---- reading


@contextmanager
def _opened(file: File, kind: type[CavalcadeError] | None = FormatError) -> Iterator[Text]:
    """Read a file, unless it is a `Text`, and prefix errors about the text with the file's name.

    Args:
        file: the path, `-` for standard input, or a text.
        kind: the class of the raised errors; None keeps the class.
    """
    text = _text(file)
    with about(text.source, kind):
        yield text


def _text(file: File) -> Text:
    return file if isinstance(file, Text) else read_file(file)


def _text_of(text: str) -> Text:
    return text if isinstance(text, Text) else Text(text)


def read(path: File, *, board: BoardLike | None = None, piece: PieceLike | None = None) -> Tour:
    """Read a tour from a file in any readable format.

    Args:
        path: the file; `-` is standard input.
        board: the board of the tour, needed if the file does not name it; overrides the file.
        piece: the piece, under the same conditions.

    Raises:
        FormatError: the file holds no tour; the message quotes the wrong line.

    Examples:
        >>> save(tour("6x6").tour, "mine.txt")
        >>> read("mine.txt")
        <Tour closed of 6x6 from a6 to b4, 36 cells>
    """
    from cavalcade.formats import npy
    from cavalcade.formats.header import Claim, has_digest
    from cavalcade.formats.other_tables import usual_table

    if not isinstance(path, Text) and npy.is_npy(path):
        return npy.read(path, Claim.of(board, piece))
    claim = Claim.of(board, piece)
    with _opened(path) as text:
        usual = text if (names := claim.names_allowed or has_digest(text)) else usual_table(text)
        tour: Tour = BY_NAME[detect(usual, names=names)].module.parse(usual, claim)
    return tour


read_tour = read


def read_tours(path: File, *, board: BoardLike | None = None, piece: PieceLike | None = None) -> Tours:
    """Read the tours in a CSV or Parquet table, or the tour in any other file.

    Args:
        path: the file; `-` is standard input.
        board: the board of the tours, needed if the file does not name it; overrides the file.
        piece: the piece, under the same conditions.

    Raises:
        CavalcadeError: the file holds no tour, or tours of different lengths; the message quotes the wrong
            line.

    Examples:
        >>> save(Tours.of(sample("6x6", 3)), "three.csv")
        >>> read_tours("three.csv")
        <Tours 3 closed of 6x6>
    """
    from cavalcade.answers.tours import Tours
    from cavalcade.formats import npy
    from cavalcade.formats.header import Claim
    from cavalcade.formats.other_tables import usual_table

    if not isinstance(path, Text) and npy.is_npy(path):
        return Tours.of(read(path, board=board, piece=piece))
    claim = Claim.of(board, piece)
    with _opened(path) as text:
        usual = text if claim.names_allowed else usual_table(text)
        if (kind := detect(usual, names=claim.names_allowed)) in {"csv", "json"}:
            return Tours.of(BY_NAME[kind].module.parse_all(usual, claim))
    return Tours.of(read(text, board=board, piece=piece))


def parse(text: str, *, board: BoardLike | None = None, piece: PieceLike | None = None) -> Tour:
    """Read a tour from a text; see `read`."""
    return read(Text(text), board=board, piece=piece)


@validated
def read_board(
    path: File, format: str | None = None, *, directed: bool | None = None, columns: str | None = None
) -> Board | MoveGraph:
    """Read the board or the graph in a file, as a command does if its argument BOARD is a path.

    Args:
        path: the file; `-` is standard input.
        format: the format of a graph, as for `read_graph`.
        directed: whether a graph is directed, as for `read_graph`.
        columns: the columns of a table of links, as for `read_graph`.

    Raises:
        BoardError, FormatError: the file holds no board; the message quotes the wrong line.

    Examples:
        >>> save(board("8x8-a1"), "corner.txt")
        >>> read_board("corner.txt")
        <Board 8x8-a1, 63 cells>
    """
    from cavalcade.question.graph import assert_directed

    board = board_in(_text(path), format, directed=directed, columns=columns)
    assert_directed(board, directed)
    return board


@validated
def read_graph(
    path: File, format: str | None = None, *, directed: bool | None = None, columns: str | None = None
) -> MoveGraph:
    """Read the graph in a file of any graph format, such as TSPLIB, graph6 or a list of edges.

    Args:
        path: the file; `-` is standard input.
        format: its format, such as `edges`; by default the format that the text shows.
        directed: whether the graph is directed, if the format does not express it: lists of edges, TGF,
            adjacency lists.
        columns: the columns of a table that hold the ends of the links and perhaps the weights, by titles or
            numbers from 1, such as "City A,City B" or "1,2,4".

    Raises:
        FormatError: the file holds no graph or several, its format is ambiguous, or `directed` contradicts
            it. The message quotes the wrong line.
        MissingExtraError: the format is GML or GraphML, and networkx is not installed.

    Examples:
        >>> save(move_graph("5x6"), "5x6.hcp")
        >>> read_graph("5x6.hcp")
        <MoveGraph 30 vertices, 62 edges>
    """
    from cavalcade.question.graph import assert_directed

    graph = _graph_in(path, format, directed, columns)
    assert_directed(graph, directed)
    return graph


def board_in(
    text: str, format: str | None = None, *, directed: bool | None = None, columns: str | None = None
) -> Board | MoveGraph:
    """Read the board or the graph in a text; `directed` is ignored if the format expresses it."""
    from cavalcade.boards.notation import parse_mask
    from cavalcade.formats.other_tables import picture_of_cells

    text = _text_of(text)
    if format is None and columns is None:
        with about(text.source, None):
            drawn = is_picture(text)
        if drawn or (picture := picture_of_cells(text)):
            return parse_mask(text if drawn else picture, text.source)
    return parse_graph(text, format, directed=directed, columns=columns)


def parse_graph(
    text: str, format: str | None = None, *, directed: bool | None = None, columns: str | None = None
) -> MoveGraph:
    """Read a graph from a text; see `read_graph`. `directed` is ignored if the format expresses it."""
    return _graph_in(_text_of(text), format, directed, columns)


def _graph_in(
    file: File,
    format: str | None,
    directed: bool | None,  # noqa: FBT001 - as parsed
    columns: str | None,
) -> MoveGraph:
    with _opened(file, None) as text:
        row = _graph_row(text, format, columns)
        words: dict[str, Any] = {"directed": directed} if row.leaves_open else {}
        words |= _certain(row, format, columns)
        graph: MoveGraph = row.module.parse_graph(str(text), text.stem, **words)
    return graph


def _graph_row(text: Text, format: str | None, columns: str | None) -> Format:
    """Return the format of a graph's text.

    Raises:
        FormatError: the name of the format is unknown, or the text is a tour.
    """
    if format is not None and format not in READ:
        raise FormatError(f"{format!r} is not a format of graphs that can be read: {choices(READ)}")
    if columns is not None and format not in {None, "edges"}:
        raise FormatError(f"{format} is not a table, which alone has columns: leave them out")
    if is_tour(text):
        file = getattr(text, "source", "FILE")
        lines = f"try cavalcade measure {file}, or for a puzzle cavalcade solve {file}"
        raise FormatError(f"it is a tour, expected a board or a graph: {lines}")
    return BY_NAME[format or ("edges" if columns is not None else graph_format(text))]


def _certain(row: Format, format: str | None, columns: str | None) -> dict[str, Any]:
    """Return the options of the reader of tables; other readers have none."""
    return {"sure": format == "edges", "columns": columns} if row.name == "edges" else {}


def read_weights(
    path: File, graph: MoveGraph, format: str | None = None, *, columns: str | None = None
) -> list[Decimal] | None:
    """Read the weights of the edges of a graph from its file, in the order of `graph.edges()`.

    Args:
        path: the file from which `read_graph` made the graph.
        graph: the graph.
        format: its format, as for `read_graph`.
        columns: the columns of a table, as for `read_graph`.

    Returns:
        The weights, as decimal numbers for `cavalcade.tsp`; None if the file or its format has none.

    Raises:
        FormatError: as `read_graph`; an edge has no weight, or two different weights.
    """
    with _opened(path, None) as text:
        row = _graph_row(text, format, columns)
        if not hasattr(row.module, "weights"):
            return None
        weights: list[Decimal] | None = row.module.weights(str(text), graph, **_certain(row, format, columns))
    return weights


def read_certificate(
    path: File, *, board: BoardLike | None = None, piece: PieceLike | None = None
) -> Certificate:
    """Read a certificate; `cavalcade.verify` checks its proof.

    Args:
        path: the file; `-` is standard input. Next to a .cnf file there must be its .drat file.
        board: the board that the certificate must be about.
        piece: the piece that the certificate must be about.

    Raises:
        FormatError: the file holds no certificate, or one about another board or piece.

    Examples:
        >>> save(prove("4x4").certificate, "mine.proof")
        >>> read_certificate("mine.proof").claim
        'no closed tour of 4x4'
    """
    from cavalcade.answers.certificate import from_json
    from cavalcade.formats.header import Claim
    from cavalcade.question.statement import graph_digest

    claim = Claim.of(board, piece)
    with _opened(certificate_in(path)) as text:
        certificate = from_json(text)
        question = certificate.question
        stated = claim.board or question.board
        if stated.plain and question.board.plain:  # the names of files differ
            stated = question.board if graph_digest(stated) == graph_digest(question.board) else stated
        if (stated, claim.piece or question.piece) != (question.board, question.piece):
            raise FormatError(f"it proves that there is {certificate.claim}: leave out --board and --piece")
        return certificate


def certificate_in(path: File) -> Text:
    """The text of a file; for a formula that `save` wrote, the certificate made from it and its proof."""
    from cavalcade.formats import cnf

    with _opened(path) as text:
        return text if isinstance(path, Text) or not cnf.is_cnf(text) else text.of(cnf.as_json(text, path))


def read_receipt(path: File) -> Receipt:
    """Read a count's intermediate results (its *receipt*); `cavalcade.check_receipt` checks them.

    Args:
        path: the file; `-` is standard input.

    Raises:
        FormatError: the file holds no receipt.

    Examples:
        >>> count("6x6", receipt="6x6.json").count
        9862
        >>> read_receipt("6x6.json").claim
        '9862 closed tours of 6x6, undirected'
    """
    from cavalcade.answers.receipts import from_json

    with _opened(path) as text:
        return from_json(text)


@validated
def read_puzzle(
    path: File,
    *,
    board: BoardLike | None = None,
    piece: PieceLike | None = None,
    open: bool | None = None,
) -> Puzzle:
    """Read a puzzle from a text file, or from an object of `puzzle --json`.

    The text has numbers on a board, and `.` for each empty cell.

    Args:
        path: the file; `-` is standard input.
        board: the board of the puzzle, needed if the file does not name it; overrides the file.
        piece: the piece, under the same conditions.
        open: whether the solution is an open tour, under the same conditions; by default False.

    Raises:
        FormatError: the file holds no puzzle; the message quotes the wrong line.

    Examples:
        >>> made = puzzle("6x6")
        >>> save(made, "mine.txt")
        >>> read_puzzle("mine.txt") == made
        True
    """
    from cavalcade.formats import puzzle
    from cavalcade.formats.header import Claim
    from cavalcade.formats.other_tables import usual_table

    with _opened(path) as file:
        kind = detect(text := file.of(usual_table(file)))
        if kind == "json" and '"given"' in text:
            parsed = puzzle.parse_object(text, Claim.of(board, piece))
        elif kind in {"json", "tour", "wide"} or (kind == "csv" and "step" in text):
            raise FormatError(f"it is a tour as {kind}, expected numbers on a board as text")
        else:
            parsed = puzzle.parse(text, Claim.of(board, piece))
    return parsed if open is None else replace(parsed, closed=not open)


def read_roesselsprung(
    path: File, *, board: BoardLike | None = None, piece: PieceLike | None = None
) -> Roesselsprung:
    """Read a Rösselsprung with its solution from a text file.

    Args:
        path: the file; `-` is standard input.
        board: the board, needed if the file does not name it; overrides the file.
        piece: the piece, under the same conditions.

    Raises:
        FormatError: the file holds no Rösselsprung, or no solution.

    Examples:
        >>> save(roesselsprung("a b c d e f g h i j k l"), "verse.txt")
        >>> read_roesselsprung("verse.txt").text
        'a b c d e f g h i j k l'
    """
    from cavalcade.formats import puzzle
    from cavalcade.formats.header import Claim

    with _opened(path) as text:
        return puzzle.parse_roesselsprung(text, Claim.of(board, piece))
