"""The table of formats: a line for each, and what follows from it. No format is loaded before it is used.

To add a format, write its module and add its line here. tests/test_formats.py lists what is missing, and
`python tools/reference.py` adds the format to the reference. The function that the line names is the writer:
it takes the object (and options) and returns text or bytes. A writer called `save` also takes a path, and
writes the file itself.

The module of a format that is read also has a recognizer and readers:

- `FIRST`, a pattern of the beginning of its texts; or, if a pattern is not enough, `sniff(look)`, which
  returns whether a text is of this format;
- `parse(text, claim)` for a tour, `parse_graph(text, name)` for a graph; `name` is used if the file does not
  name the graph. If the format does not express whether edges are directed, `parse_graph` takes `directed`.
  Both raise a FormatError that quotes the wrong line.

The recognizers are called in the order of the table, and raise a FormatError if the text is ambiguous. A tour
that no format recognizes is `text`; a graph is `edges`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from cavalcade.ground.errors import FormatError


class Format(NamedTuple):
    """A row of the table of formats.

    Args:
        name: the name of the format for `--format` and `write`.
        endings: the endings of file names, the usual ending first.
        holds: the names of the classes that can be written.
        writer: `module:function`; a module without dots is in `formats/`.
        reads: the names of the classes that can be read, `Tour`, `MoveGraph` or both.
        lacks: the traits of a graph that the format cannot express, `directed` and `fixed`.
        leaves_open: whether the format does not express if edges are directed.
        sheet: whether a list of tours can be written, as one picture.
    """

    name: str
    endings: tuple[str, ...]
    holds: tuple[str, ...]
    writer: str
    reads: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    leaves_open: bool = False
    sheet: bool = False

    @property
    def module(self) -> Any:
        """The module; the first access loads it."""
        name = self.writer.partition(":")[0]
        return import_module(name if "." in name else f"cavalcade.formats.{name}")

    @property
    def write(self) -> Callable[..., Any]:
        """The writer."""
        function: Callable[..., Any] = getattr(self.module, self.writer.partition(":")[2])
        return function

    def assert_fits(self, board: Any, piece: Any) -> None:
        """Refuse a board or a piece of which no tour can be written: `assert_fits` of the module decides.

        Raises:
            FormatError: no tour of the board can be written in this format.
        """
        writer = self.writer.partition(":")[2]
        check = getattr(self.module, f"assert_fits{writer.removeprefix('write').removeprefix('save')}", None)
        if check is not None:
            check(board, piece)

    def claims(self, look: Any) -> bool:
        """Whether the format recognizes a text, which is given as a `header.Look`."""
        first = getattr(self.module, "FIRST", None)
        return bool(self.module.sniff(look) if first is None else first.match(look.text))

    @property
    def is_picture(self) -> bool:
        """Whether the format is a picture, a printed page or a solid, which is never read."""
        return self.writer.startswith("cavalcade.draw.") or self.name in {"html", "stl", "glb"}

    @property
    def files_only(self) -> bool:
        """Whether the format can only be written to a file."""
        return self.writer.endswith(":save")


PUZZLES = ("Puzzle", "Roesselsprung")
WRITABLE = ("Tour", "Board", "MoveGraph", "Certificate", *PUZZLES)
DRAWN = (*WRITABLE, "Picture", "Connections", "WrongTurn")
GRAPH, TOUR, TOURS = ("MoveGraph",), ("Tour",), ("Tour", "Tours")
FIXED, BOTH = ("fixed",), ("directed", "fixed")
OPEN = True

FORMATS = (
    Format("text", ("txt", ""), ("Tour", "Board", *PUZZLES), "text:write", TOUR),
    Format(
        "json",
        ("json", "proof", "jsonl", "cert"),
        (*TOUR, "Certificate", *GRAPH),
        "json:write",
        TOUR + GRAPH,
        FIXED,
        OPEN,
    ),
    Format("tour", ("tour", "tou"), TOUR, "tsplib:write_tour", TOUR),
    Format("names", ("names",), TOUR, "walks:write_names"),
    Format("uci", ("uci",), TOUR, "walks:write_uci"),
    Format("pgn", ("pgn",), TOUR, "pgn:write", TOUR),
    Format("sas", ("sas",), TOUR + GRAPH, "cavalcade.papers.sas:write", TOUR + GRAPH, FIXED),
    Format("out", ("out",), TOUR, "cavalcade.papers.out:write", TOUR),
    Format("csv", ("csv",), TOURS + GRAPH, "csv:write", TOUR, FIXED),
    Format("parquet", ("parquet",), TOURS, "parquet:save"),
    Format("wide", ("wide",), TOUR, "cavalcade.papers.wide:write", TOUR),
    Format("npy", ("npy",), TOUR, "npy:save"),
    Format("dimacs", ("col", "edge", "dimacs", "gr"), GRAPH, "dimacs:write", GRAPH, BOTH),
    Format("graph6", ("g6",), GRAPH, "graph6:write", GRAPH, BOTH),
    Format("sparse6", ("s6",), GRAPH, "graph6:write_sparse", (), BOTH),
    Format("digraph6", ("d6",), GRAPH, "graph6:write_directed", (), FIXED),
    Format("hcp", ("hcp",), GRAPH, "tsplib:write", GRAPH, ("directed",)),
    Format("mtx", ("mtx",), GRAPH, "mtx:write", GRAPH, FIXED),
    Format("matrix", ("adj",), GRAPH, "matrix:write", GRAPH, FIXED, OPEN),
    Format("metis", ("metis", "graph"), GRAPH, "metis:write", GRAPH, BOTH),
    Format("pajek", ("net",), GRAPH, "pajek:write", GRAPH, FIXED),
    Format("tgf", ("tgf",), GRAPH, "tgf:write", GRAPH, FIXED, OPEN),
    Format("dot", ("dot", "gv"), GRAPH, "dot:write", GRAPH, FIXED),
    Format("gml", ("gml",), GRAPH, "gml:write", GRAPH, FIXED),
    Format("graphml", ("graphml",), GRAPH, "graphml:write", GRAPH, FIXED),
    Format("gexf", ("gexf",), GRAPH, "gexf:write", GRAPH, FIXED),
    Format("adjlist", ("adjlist",), GRAPH, "adjlist:write", GRAPH, FIXED, OPEN),
    Format("edges", ("edges", "edgelist"), GRAPH, "edges:write", GRAPH, FIXED, OPEN),
    Format("cnf", ("cnf",), ("Certificate",), "cnf:save"),
    Format("opb", ("opb",), ("Certificate",), "opb:save"),
    Format("plain", ("plain",), ("Certificate",), "plain:write"),
    Format("html", ("html",), PUZZLES, "html:write"),
    Format("svg", ("svg",), DRAWN, "cavalcade.draw.svg:svg", sheet=True),
    Format("png", ("png",), DRAWN, "cavalcade.draw.png:png", sheet=True),
    Format("gif", ("gif",), (*TOUR, "Picture", "WrongTurn"), "cavalcade.draw.png:gif"),
    Format("pdf", ("pdf",), DRAWN, "cavalcade.draw.pdf:pdf", sheet=True),
    Format("tikz", ("tikz", "tex"), DRAWN, "cavalcade.draw.tikz:tikz"),
    Format("stl", ("stl",), TOUR, "stl:write"),
    Format("glb", ("glb",), TOUR, "glb:write"),
)
BY_NAME = {row.name: row for row in FORMATS}
SHEETS = tuple(row.name for row in FORMATS if row.sheet)


def names_of(*kinds: str, files: bool = False) -> tuple[str, ...]:
    """The formats in which objects of some classes can be written.

    Args:
        kinds: the names of the classes.
        files: whether to include the formats that can only be written to a file.
    """
    return tuple(
        row.name for row in FORMATS if not {*kinds}.isdisjoint(row.holds) and (files or not row.files_only)
    )


READ = tuple(row.name for row in FORMATS if "MoveGraph" in row.reads)  # formats from which graphs are read
STILL = tuple(name for name in names_of("Picture") if name != "gif")  # formats without animation


def format_of(path: str | os.PathLike[str]) -> str:
    """The format of a file name's ending; an unknown ending is returned unchanged."""
    ending = Path(path).suffix.removeprefix(".").lower()
    return next((row.name for row in FORMATS if ending in row.endings), ending)


def chosen(
    option: str | None,
    output: str | None,
    names: tuple[str, ...],
    usual: str = "text",
    *,
    json: bool = False,
) -> str:
    """Choose the format of an output.

    Args:
        option: the value of `--format`, or None.
        output: the output file, or None.
        names: the formats that can be written.
        usual: the format if there is neither option nor file.
        json: the value of `--json`, which excludes `--format`.

    Raises:
        FormatError: the ending of the file is not one of a format for the object, or not one of JSON.
    """
    if json:
        if output is not None and format_of(output) in BY_NAME.keys() - {"text", "json"}:
            renamed = str(Path(output).with_suffix(".json"))
            why = f"--json writes JSON, and {output!r} has the ending of another format"
            raise FormatError(f"{why}: leave out --json, or write to {renamed!r}")
        return "json"
    row = BY_NAME.get(format_of(output)) if option and output else None
    if row is not None and option != row.name and (row.name not in names or row.is_picture):
        raise FormatError(f"{output!r} has the ending of {row.name}, not of {option}: leave out one")
    if option is not None or output is None:
        return option or usual
    if (name := format_of(output)) not in names:
        holds = BY_NAME[name].holds if name in BY_NAME else ()
        graph = holds == GRAPH or output.endswith(".tsp")
        links = f"; a tour as TSPLIB is {Path(output).with_suffix('.tour')}" * ("tour" in names)
        links += f". For the graph of a board: try cavalcade links 8x8 -o {Path(output).with_suffix('.hcp')}"
        proof = f". For a proof that there is no tour: try cavalcade prove 4x4 -o {output}"
        advice = links * graph + proof * (holds == ("Certificate",))
        raise FormatError(f"cannot write {output!r}. {choices(names, endings=True)}{advice}")
    return name


def choices(names: Iterable[str], *, endings: bool = False) -> str:
    """List formats for an error message: `Pictures: .svg .png. Data: .json .csv`.

    Args:
        names: the names of the formats.
        endings: whether to show the usual ending of a file name instead of the format's name.
    """
    shown = {name: f".{BY_NAME[name].endings[0]}" if endings else name for name in names}
    groups = {
        "Pictures": [text for name, text in shown.items() if BY_NAME[name].is_picture],
        "Data": [text for name, text in shown.items() if not BY_NAME[name].is_picture],
    }
    return ". ".join(f"{group}: {' '.join(texts)}" for group, texts in groups.items() if texts)
