"""The table of formats: a line for each, and what follows from it. No format is loaded before it is used.

To add a format, write its module and add its line here; tests/test_formats.py says what is missing, and
`python tools/reference.py` writes it into the reference. The function that the line names writes: it takes
the thing (and options), and returns text or bytes. One called `save` takes a path as well and writes the
file itself.

A format that is read also has, in the same module, `FIRST`, a pattern of how its texts begin, or where that
is not enough `sniff(look)`, whether a text is of this format; and `parse(text, claim)` for a tour,
`parse_graph(text, name)` for a graph, which is called `name` if the file does not name it. Both raise a
FormatError where there is none in it, and quote the line that is wrong. Where the format leaves open whether
edges go one way, `parse_graph` also takes `directed`. Formats claim a text in the order of the table, and
raise a FormatError where it could be of two; a text that no format claims is `text`, or a graph in `edges`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from cavalcade.ground.errors import FormatError


class Format(NamedTuple):
    """A format.

    Args:
        name: what `--format` and `write` call it.
        endings: of the names of its files.
        holds: the classes of what is written in it.
        writer: `module:function`, the module in `formats/` unless it is dotted.
        reads: `Tour`, `MoveGraph` or both.
        lacks: traits that a graph may have and that it cannot express.
        leaves_open: whether edges go one way is not said in it.
        sheet: a list of several tours is one picture.
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
        """The module, loaded now."""
        name = self.writer.partition(":")[0]
        return import_module(name if "." in name else f"cavalcade.formats.{name}")

    @property
    def write(self) -> Callable[..., Any]:
        """The function that writes."""
        function: Callable[..., Any] = getattr(self.module, self.writer.partition(":")[2])
        return function

    def claims(self, look: Any) -> bool:
        """Whether a text that is looked at is of this format."""
        first = getattr(self.module, "FIRST", None)
        return bool(self.module.sniff(look) if first is None else first.match(look.text))

    @property
    def is_picture(self) -> bool:
        """Whether it is a picture or a printed page, which is never read."""
        return self.writer.startswith("cavalcade.draw.") or self.name == "html"

    @property
    def files_only(self) -> bool:
        """Whether it is written to files alone."""
        return self.writer.endswith(":save")


PUZZLES = ("Puzzle", "Roesselsprung")
WRITABLE = ("Tour", "Board", "MoveGraph", "Certificate", *PUZZLES)
DRAWN = (*WRITABLE, "Picture", "Connections")
GRAPH, TOUR = ("MoveGraph",), ("Tour",)
FIXED, BOTH = ("fixed",), ("directed", "fixed")
OPEN = True

FORMATS = (
    Format("text", ("txt", ""), ("Tour", "Board", *PUZZLES), "text:write", TOUR),
    Format(
        "json", ("json", "proof"), (*TOUR, "Certificate", *GRAPH), "json:write", TOUR + GRAPH, FIXED, OPEN
    ),
    Format("tour", ("tour",), TOUR, "tsplib:write_tour", TOUR),
    Format("sas", ("sas",), TOUR + GRAPH, "cavalcade.papers.sas:write", TOUR + GRAPH, FIXED),
    Format("csv", ("csv",), TOUR + GRAPH, "csv:write", TOUR, FIXED),
    Format("wide", ("wide",), TOUR, "cavalcade.papers.wide:write", TOUR),
    Format("out", ("out",), TOUR, "cavalcade.papers.out:write", TOUR),
    Format("npy", ("npy",), TOUR, "npy:save"),
    Format("dimacs", ("col", "edge", "dimacs"), GRAPH, "dimacs:write", GRAPH, BOTH),
    Format("graph6", ("g6",), GRAPH, "graph6:write", GRAPH, BOTH),
    Format("sparse6", ("s6",), GRAPH, "graph6:write_sparse", (), BOTH),
    Format("digraph6", ("d6",), GRAPH, "graph6:write_directed", (), FIXED),
    Format("hcp", ("hcp",), GRAPH, "tsplib:write", GRAPH, ("directed",)),
    Format("mtx", ("mtx",), GRAPH, "mtx:write", GRAPH, FIXED),
    Format("metis", ("metis", "graph"), GRAPH, "metis:write", GRAPH, BOTH),
    Format("pajek", ("net",), GRAPH, "pajek:write", GRAPH, FIXED),
    Format("tgf", ("tgf",), GRAPH, "tgf:write", GRAPH, FIXED, OPEN),
    Format("dot", ("dot", "gv"), GRAPH, "dot:write", GRAPH, FIXED),
    Format("gml", ("gml",), GRAPH, "gml:write", GRAPH, FIXED),
    Format("graphml", ("graphml",), GRAPH, "graphml:write", GRAPH, FIXED),
    Format("gexf", ("gexf",), GRAPH, "gexf:write", GRAPH, FIXED),
    Format("adjlist", ("adjlist",), GRAPH, "adjlist:write", GRAPH, FIXED, OPEN),
    Format("edges", ("edges",), GRAPH, "edges:write", GRAPH, FIXED, OPEN),
    Format("cnf", ("cnf",), ("Certificate",), "cnf:save"),
    Format("opb", ("opb",), ("Certificate",), "opb:save"),
    Format("plain", ("plain",), ("Certificate",), "plain:write"),
    Format("html", ("html",), PUZZLES, "html:write"),
    Format("svg", ("svg",), DRAWN, "cavalcade.draw.svg:svg", sheet=True),
    Format("png", ("png",), DRAWN, "cavalcade.draw.png:png", sheet=True),
    Format("gif", ("gif",), TOUR, "cavalcade.draw.png:gif"),
    Format("pdf", ("pdf",), DRAWN, "cavalcade.draw.pdf:pdf", sheet=True),
    Format("tikz", ("tikz", "tex"), DRAWN, "cavalcade.draw.tikz:tikz"),
)
BY_NAME = {one.name: one for one in FORMATS}
SHEETS = tuple(one.name for one in FORMATS if one.sheet)


def names_of(*kinds: str, files: bool = False) -> tuple[str, ...]:
    """The formats that hold one of these classes; `files` also has those written to files alone."""
    return tuple(
        one.name for one in FORMATS if not {*kinds}.isdisjoint(one.holds) and (files or not one.files_only)
    )


READ = tuple(one.name for one in FORMATS if "MoveGraph" in one.reads)  # of graphs
STILL = names_of("Picture")  # those of pictures that do not move


def format_of(path: str | os.PathLike[str]) -> str:
    """The format of a file name's ending; an unknown ending is returned as it is."""
    ending = Path(path).suffix.removeprefix(".").lower()
    return next((one.name for one in FORMATS if ending in one.endings), ending)


def chosen(
    given: str | None, output: str | None, kind: str | tuple[str, ...] = "Tour", usual: str = "text"
) -> str:
    """The format asked for, or that of a file's ending, or the usual one.

    Args:
        given: what `--format` says.
        output: the file, if there is one.
        kind: the class of what is written, or several.
        usual: where neither says anything.

    Raises:
        FormatError: the ending is not that of a format for this.
    """
    if given is not None or output is None:
        return given or usual
    names = names_of(*([kind] if isinstance(kind, str) else kind), files=True)
    if (name := format_of(output)) not in names:
        raise FormatError(f"cannot write {output!r}. {choices(names, endings=True)}")
    return name


def choices(names: Iterable[str], *, endings: bool = False) -> str:
    """Formats as an error message offers them: `Pictures: .svg .png. Data: .json .csv`.

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
