"""The table of formats: what is known of each before its module is loaded."""

from __future__ import annotations

from typing import NamedTuple


class Format(NamedTuple):
    """A format: its module, its files and what it carries."""

    name: str
    endings: tuple[str, ...]  # of the files that have it
    holds: tuple[str, ...]  # the classes of what is written in it


EVERYTHING = ("Tour", "Board", "MoveGraph", "Certificate")
PUZZLES = ("Puzzle", "Roesselsprung")
FORMATS = (
    Format("text", ("txt", ""), ("Tour", "Board", *PUZZLES)),
    Format("json", ("json", "proof"), ("Tour", "Certificate")),
    Format("csv", ("csv",), ("Tour", "MoveGraph")),
    Format("tour", ("tour",), ("Tour",)),
    Format("wide", ("wide",), ("Tour",)),
    Format("sas", ("sas",), ("Tour", "MoveGraph")),
    Format("npy", ("npy",), ("Tour",)),
    Format("hcp", ("hcp",), ("MoveGraph",)),
    Format("edges", ("edges",), ("MoveGraph",)),
    Format("graph6", ("g6",), ("MoveGraph",)),
    Format("sparse6", ("s6",), ("MoveGraph",)),
    Format("digraph6", ("d6",), ("MoveGraph",)),
    Format("dimacs", ("col", "edge", "dimacs"), ("MoveGraph",)),
    Format("cnf", ("cnf",), ("Certificate",)),
    Format("html", ("html",), PUZZLES),
    Format("svg", ("svg",), (*EVERYTHING, *PUZZLES)),
    Format("png", ("png",), (*EVERYTHING, *PUZZLES)),
    Format("gif", ("gif",), ("Tour",)),
    Format("pdf", ("pdf",), (*EVERYTHING, *PUZZLES)),
    Format("tikz", ("tikz",), (*EVERYTHING, *PUZZLES)),
)
BINARY = ("npy", "png", "gif", "pdf", "cnf")  # a file or nothing
SHEETS = ("svg", "png", "pdf")  # pictures of several things
# traits of a graph, and the formats that have no word for them; of fixed edges only hcp has one
UNABLE = {
    "directed": ("hcp", "edges", "graph6", "sparse6", "dimacs"),
    "fixed": ("csv", "sas", "edges", "graph6", "sparse6", "digraph6", "dimacs"),
}
