"""Files, in and out: tours, boards, graphs, certificates and puzzles.

Each format is a module of this name, loaded when it is needed, and a line in `table`. The module says what
the format looks like and has `write`; `npy` and `cnf`, which are not one text, have `save`. What is in a
file is told by the file itself, never by its name. `svg`, `png`, `gif`, `pdf` and `tikz` are pictures and
`html` is a page, which cannot be read back.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from cavalcade.formats.table import BINARY, EVERYTHING, FORMATS, PUZZLES, SHEETS, UNABLE
from cavalcade.ground.errors import CavalcadeError, FormatError

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from cavalcade.answers.certificate import Certificate
    from cavalcade.answers.puzzles import Puzzle, Roesselsprung
    from cavalcade.answers.tours import Tour
    from cavalcade.answers.verdict import Verdict
    from cavalcade.boards import Board
    from cavalcade.question.graph import MoveGraph
    from cavalcade.question.pieces import Piece

    Thing: TypeAlias = Tour | Board | MoveGraph | Certificate | Puzzle | Roesselsprung


DATA_STEP = re.compile(r"\s*(/\*.*?\*/\s*)*data\s[^;=]*;", re.DOTALL | re.IGNORECASE)  # of SAS


def write(thing: Thing | Sequence[Thing], format: str | None = None, **options: Any) -> str:  # noqa: A002, ANN401 - as in the command line
    """A tour, a board, a graph, a certificate or a puzzle as text.

    Args:
        thing: what to write; a list of several makes a sheet of pictures.
        format: one of `FORMATS`; by default text for a tour, a board or a puzzle, hcp for a graph
            (digraph6 for a directed one), json for a certificate.
        options: those of the format's `write`, as `header`, `labels` and `beside` of text.

    Raises:
        FormatError: there is no such format, or it cannot carry this; those of `BINARY` are for `save`.
    """
    format = _format(thing, format)  # noqa: A001
    if format in BINARY:
        raise FormatError(f"{format} is not text, expected it to be saved to a file")
    return str(import_module(f"cavalcade.formats.{format}").write(thing, **options))


def save(
    thing: Thing | Sequence[Thing],
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002 - as in the command line
    **options: Any,  # noqa: ANN401
) -> None:
    """Write a tour, a board, a graph, a certificate or a puzzle to a file, whole or not at all.

    Args:
        thing: what to write; a list of several makes a sheet of pictures.
        path: the file.
        format: one of `FORMATS`; without it the name's ending tells it.
        options: as for `write`; `holding` of npy, `seed` and `time_limit` of cnf.

    Raises:
        FormatError: as for `write`, or the file cannot be written.
    """
    format = _format(thing, format or format_of(path))  # noqa: A001
    module = import_module(f"cavalcade.formats.{format}")
    if format in {"npy", "cnf"}:
        module.save(thing, path, **options)
    else:
        save_data(path, module.write(thing, **options))


def format_of(path: str | os.PathLike[str]) -> str:
    """The format of a file name's ending; an unknown ending is returned as it is."""
    ending = Path(path).suffix.removeprefix(".").lower()
    return next((format_.name for format_ in FORMATS if ending in format_.endings), ending)


def _format(thing: Thing | Sequence[Thing], name: str | None) -> str:
    """The name of a format that can carry this thing.

    Raises:
        FormatError: this one cannot.
    """
    if isinstance(thing, list | tuple):
        if not thing or name not in SHEETS:
            raise FormatError(f"a list of {len(thing):,} is for a sheet, expected one of {', '.join(SHEETS)}")
        return {_format(one, name) for one in thing}.pop()
    kind = type(thing).__name__
    able = [format_.name for format_ in FORMATS if kind in format_.holds]
    if not able:
        raise FormatError(f"cannot write this {kind}, expected a {', '.join(EVERYTHING + PUZZLES)}")
    for trait, unable in UNABLE.items():
        if getattr(thing, trait, False):
            kind, able = f"{kind} that is {trait}", [one for one in able if one not in unable]
    if name is None:
        return "hcp" if "hcp" in able else "digraph6" if "digraph6" in able else able[0]
    if name not in able:
        what = (
            f"cannot write a {kind} as {name!r}"
            if name in {f.name for f in FORMATS}
            else f"unknown format {name!r}"
        )
        raise FormatError(f"{what}, expected one of {', '.join(able)}")
    return name


def save_data(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Write any data to a file, whole or not at all: even an interrupt leaves what was there before.

    Raises:
        FormatError: it cannot be written.
    """
    from cavalcade.formats.files import write_file

    write_file(path, data)


# ---- reading


def read(
    path: str | os.PathLike[str],
    *,
    board: Board | MoveGraph | str | None = None,
    piece: Piece | str | None = None,
) -> Tour:
    """The tour in a file of any format that can be read.

    Args:
        path: the file.
        board: the board of the tour, if the file does not name it; it overrides the file.
        piece: the piece, likewise.

    Raises:
        FormatError: there is no tour in it; the message quotes the line that is wrong.
    """
    from cavalcade.formats import npy
    from cavalcade.formats.files import read_file

    if npy.is_npy(path):
        return npy.read(path, board, piece)
    return parse(read_file(path), board=board, piece=piece, source=str(path))


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
    from cavalcade.question.graph import MoveGraph

    claim = Claim.of(board, piece)
    try:
        module = import_module(f"cavalcade.formats.{detect(text, names=isinstance(claim.board, MoveGraph))}")
        tour: Tour = module.parse(text, claim)
    except CavalcadeError as error:
        raise FormatError(f"{source}: {error}") from None
    return tour


def detect(text: str, *, names: bool = False) -> str:
    """The format of a tour's text, from its first lines that are not comments.

    Args:
        text: the text.
        names: it may be a list of a plain graph's labels, which can look like anything.

    Raises:
        FormatError: it is a picture or a graph.
    """
    lines = (line[0].strip() for line in re.finditer(r"^(?!\s*;)[^\n]*\S[^\n]*$", text, re.MULTILINE))
    line, second = next(lines, ""), next(lines, "")
    words = re.split(r"[\s,;]+", line[:200])[:2]
    titles = {title.strip('" ').lower() for title in re.split(r"[,;\t]", line[:200])}
    if line.startswith(("{", "[")) and (not names or '"cells"' in text):
        return "json"
    if re.search(r"^\s*TOUR_SECTION", text, re.MULTILINE):
        return "tour"
    if DATA_STEP.match(text):
        return "sas"
    if len(titles & {"step", "name", "row", "q", "vertex"}) > names:  # a label may well be called Q
        return "csv"
    if names:
        return "text"
    if line.startswith("<"):
        raise FormatError("it is a picture or a page, expected text, csv, json, tour or wide")
    if re.search(r"^\s*EDGE_DATA_SECTION", text, re.MULTILINE):
        raise FormatError("it is a graph, expected a tour")
    if re.match(r"(NAME|TYPE|COMMENT|DIMENSION)\s*:", line):
        return "tour"
    if all(re.fullmatch(r"[A-Za-z][1-9][0-9]*(_[0-9]+)*", word) for word in words):
        return "wide" if second[:1] == "." or second[:1].isdigit() else "text"
    return (
        "csv"
        if "," in line and not re.fullmatch(r"[0-9.#,;\"\s]+|([0-9]+:)*[A-Za-z]+[0-9]+", words[0])
        else "text"
    )


def read_board(path: str | os.PathLike[str]) -> Board | MoveGraph:
    """The board in a file: its picture, or a graph that stands for one, like the BOARD of a command.

    Args:
        path: the file.

    Raises:
        BoardError, FormatError: there is none in it; the message quotes the line that is wrong.
    """
    from cavalcade.formats.files import read_file

    return board_in(read_file(path), source=str(path), name=Path(path).stem)


def board_in(text: str, *, source: str = "the text", name: str = "") -> Board | MoveGraph:
    """The board or the graph that a text shows; `source` and `name` as for `parse_graph`."""
    from cavalcade.boards.notation import parse_mask

    return parse_mask(text, source) if is_picture(text) else parse_graph(text, source=source, name=name)


def is_picture(text: str) -> bool:
    """Whether a text is the picture of a board, perhaps with a slip in it: most of it is `.` and `#`."""
    signs = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(";"))
    numbered = re.search(r"(?<!\S)[0-9]+(?!\S)", signs) is not None or _is_tour(text)
    return not numbered and 2 * len(re.findall("[.#]", signs)) >= len("".join(signs.split()))


def _is_tour(text: str) -> bool:
    return re.match(r"\s*;\s*(closed|open) (tour|puzzle|roesselsprung) of \S", text) is not None


def read_graph(path: str | os.PathLike[str]) -> MoveGraph:
    """The graph in a file of TSPLIB, DIMACS, graph6, sparse6 or digraph6, or in a list of edges.

    Args:
        path: the file.

    Raises:
        FormatError: there is none in it, or several; the message quotes the line that is wrong.
    """
    from cavalcade.formats.files import read_file

    return parse_graph(read_file(path), source=str(path), name=Path(path).stem)


def parse_graph(text: str, *, source: str = "the text", name: str = "") -> MoveGraph:
    """The graph in a text; `source` is what errors call it, `name` what the graph is called.

    Raises:
        FormatError: there is none in it.
    """
    from cavalcade.formats import dimacs, edges, graph_lines, hcp, sas

    if _is_tour(text) or text.lstrip().startswith("{"):
        what = "a tour" if _is_tour(text) else "JSON, as tours and certificates are"
        raise FormatError(f"{source}: it is {what}, expected a board or a graph")
    tsplib = re.search(r"^\s*(EDGE_DATA_SECTION|(TYPE|DIMENSION|EDGE_DATA_FORMAT)\s*:)", text, re.MULTILINE)
    try:
        if DATA_STEP.match(text):
            return edges.parse(sas.links(text), name)
        if graph_lines.are_graphs(text) or dimacs.is_dimacs(text):
            return dimacs.parse(text, name) if dimacs.is_dimacs(text) else graph_lines.parse(text, name)
        return hcp.parse(text, name) if tsplib else edges.parse(text, name)
    except CavalcadeError as error:
        raise type(error)(f"{source}: {error}") from None


def read_certificate(
    path: str | os.PathLike[str],
    *,
    board: Board | MoveGraph | str | None = None,
    piece: Piece | str | None = None,
) -> Certificate:
    """The certificate in a file; its proof is checked by `cavalcade.verify`.

    Args:
        path: the file.
        board: the board of the certificate, whatever the file says.
        piece: the piece, likewise.

    Raises:
        FormatError: there is none in it.
    """
    from cavalcade.formats.files import read_file

    return parse_certificate(read_file(path), board=board, piece=piece, source=str(path))


def parse_certificate(
    text: str,
    *,
    board: Board | MoveGraph | str | None = None,
    piece: Piece | str | None = None,
    source: str = "the text",
) -> Certificate:
    """The certificate in a text; `source` is what errors call it.

    Raises:
        FormatError: there is none in it.
    """
    from cavalcade.answers.certificate import from_json
    from cavalcade.formats.header import Claim

    claim = Claim.of(board, piece)
    try:
        return from_json(text, board=claim.board, piece=claim.piece)
    except CavalcadeError as error:
        raise FormatError(f"{source}: {error}") from None


def read_puzzle(
    path: str | os.PathLike[str],
    *,
    board: Board | MoveGraph | str | None = None,
    piece: Piece | str | None = None,
    open: bool | None = None,  # noqa: A002 - the field's word, and the command line's
) -> Puzzle:
    """The puzzle in a text file: numbers on a board, `.` where they are wanted.

    Args:
        path: the file.
        board: the board of the puzzle, if the file does not name it; it overrides the file.
        piece: the piece, likewise.
        open: whether an open tour is wanted, likewise; a closed one where neither says it.

    Raises:
        FormatError: there is none in it; the message quotes the line that is wrong.
    """
    from cavalcade.formats.files import read_file

    return parse_puzzle(read_file(path), board=board, piece=piece, open=open, source=str(path))


def parse_puzzle(
    text: str,
    *,
    board: Board | MoveGraph | str | None = None,
    piece: Piece | str | None = None,
    open: bool | None = None,  # noqa: A002 - as above
    source: str = "the text",
) -> Puzzle:
    """The puzzle in a text; `source` is what errors call it.

    Raises:
        FormatError: there is none in it.
    """
    from dataclasses import replace

    from cavalcade.formats import puzzle
    from cavalcade.formats.header import Claim

    try:
        kind = detect(text)
        if kind in {"json", "tour", "wide"} or (kind == "csv" and "step" in text):
            raise FormatError(f"it is a tour as {kind}, expected numbers on a board as text")
        found = puzzle.parse(text, Claim.of(board, piece))
    except CavalcadeError as error:
        raise FormatError(f"{source}: {error}") from None
    return found if open is None else replace(found, closed=not open)


def read_roesselsprung(
    path: str | os.PathLike[str],
    *,
    board: Board | str | None = None,
    piece: Piece | str | None = None,
) -> Roesselsprung:
    """The Rösselsprung in a text file, with its solution.

    Args:
        path: the file.
        board: the board, if the file does not name it; it overrides the file.
        piece: the piece, likewise.

    Raises:
        FormatError: there is none in it, or no solution.
    """
    from cavalcade.formats.files import read_file

    return parse_roesselsprung(read_file(path), board=board, piece=piece, source=str(path))


def parse_roesselsprung(
    text: str,
    *,
    board: Board | str | None = None,
    piece: Piece | str | None = None,
    source: str = "the text",
) -> Roesselsprung:
    """The Rösselsprung in a text; `source` is what errors call it.

    Raises:
        FormatError: there is none in it.
    """
    from cavalcade.formats import puzzle
    from cavalcade.formats.header import Claim

    try:
        return puzzle.parse_roesselsprung(text, Claim.of(board, piece))
    except CavalcadeError as error:
        raise FormatError(f"{source}: {error}") from None


# ---- what is written only


def verdict_json(verdict: Verdict, board: Board | MoveGraph, piece: Piece | None, kind: str) -> str:
    """A verdict as one JSON object on one line, described in `formats.json`.

    Args:
        verdict: found, impossible or undecided.
        board: what was asked about.
        piece: whose tour; without meaning on a plain graph.
        kind: `closed` or `open`.
    """
    from cavalcade.formats import json

    return json.verdict_json(verdict, board, piece, kind)


def numbers(board: Board | MoveGraph, values: ArrayLike, format: str = "text", **options: Any) -> str:  # noqa: A002, ANN401
    """Any integers, one a cell, on their board: as `text`, or as `wide` variables.

    Options are `labels` and `beside` of `text.numbers_text`, `letter` of `wide.numbers_wide`.

    Raises:
        FormatError: there is no such format, or not one integer a cell.
    """
    if format not in {"text", "wide"}:
        raise FormatError(f"unknown format {format!r} for numbers, expected text or wide")
    module = import_module(f"cavalcade.formats.{format}")
    return str(getattr(module, f"numbers_{format}")(board, values, **options))


def read_numbers(path: str | os.PathLike[str], board: Board | MoveGraph | str) -> NDArray[np.int64]:
    """Any integers, one a cell, from a file: as `numbers` or `cavalcade degrees` writes them.

    Args:
        path: the file.
        board: the board or its spec, or a graph.

    Raises:
        FormatError: it has not one number for each cell.
    """
    from cavalcade.boards.notation import parse_board
    from cavalcade.formats import integers
    from cavalcade.formats.files import read_file

    place = parse_board(board) if isinstance(board, str) else board
    text = read_file(path)
    try:
        return integers.parse(text, place)
    except CavalcadeError as error:
        raise FormatError(f"{path}: {error}") from None
