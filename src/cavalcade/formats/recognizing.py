"""Recognize the format of a text: of a tour, a graph, or the picture of a board."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cavalcade.formats.table import FORMATS
from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from cavalcade.formats.header import Look


def detect(text: str, *, names: bool = False) -> str:
    """The format of a tour's text.

    Args:
        text: the text.
        names: whether it may be a list of vertex labels, which can look like any format.

    Raises:
        FormatError: the text is a picture or a graph.
    """
    from cavalcade.formats.header import Look

    look = Look.at(text, names=names)
    if not names and look.first.startswith("<"):
        raise FormatError("it is a picture or a page, expected text, csv, json, tour or wide")
    sections = re.findall(r"^\s*(TOUR|EDGE_DATA)_SECTION", text, re.MULTILINE)
    if not names and sections and "TOUR" not in sections:
        raise FormatError("it is a graph, expected a tour")
    return _sniffed(look, "Tour", "text")


def _sniffed(look: Look, kind: str, usual: str) -> str:
    """The first format of the table that recognizes a text; `usual` if none does."""
    formats = (row for row in FORMATS if kind in row.reads and row.name != usual)
    return next((row.name for row in formats if row.claims(look)), usual)


def is_picture(text: str) -> bool:
    """Return whether a text is the picture of a board, perhaps with errors: most signs are `.` and `#`.

    A picture of 1 and 0 is a board, unless it is the adjacency matrix of a graph.
    """
    from cavalcade.boards.notation import RANKS, uses_signs

    signs = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(";"))
    if RANKS.fullmatch(signs):
        return True
    if uses_signs(signs):
        return not set(signs) >= {"0", "1"} or _is_mask(signs)
    numbered = re.search(r"(?<!\S)[0-9]+(?!\S)", signs) is not None or is_tour(text)
    return not numbered and 2 * len(re.findall("[.#]", signs)) >= len("".join(signs.split()))


def _is_mask(text: str) -> bool:
    """Return whether a text of 1 and 0 draws a board, and is not the matrix of a graph.

    Raises:
        FormatError: rows of digits without blanks may be either.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    pairs = [re.split(r"[\s,;]+", line) for line in lines]
    if all(len(pair) == 2 and len(pair[0]) > 1 for pair in pairs):
        links = {frozenset(pair) for pair in pairs}
        if len(links) == len(pairs) and all(len(link) == 2 for link in links):
            return False  # different links between labels such as 010, the vertices of a cube
    rows = [re.sub(r"[\s,;]+", "", line) for line in lines]
    square = {len(row) for row in rows} == {len(rows)}
    matrix = square and all(row[k] == "0" for k, row in enumerate(rows))
    if matrix and rows == lines and rows == ["".join(column) for column in zip(*rows, strict=True)]:
        raise FormatError(
            "it may be a board of squares (1) and holes (0), or an adjacency matrix: draw the board with '.' "
            "and '#', or separate the numbers of the matrix by blanks"
        )
    return len(rows) > 1 and len(rows[0]) > 2 and not (matrix and rows != lines)


def is_tour(text: str) -> bool:
    """Return whether a text begins with the header of a tour or a puzzle."""
    return re.match(r"\s*;\s*(closed|open) (tour|puzzle|roesselsprung) of \S", text) is not None


def is_puzzle(text: str) -> bool:
    """Return whether a text begins with the header of a puzzle of numbers."""
    return re.match(r"\s*;\s*(closed|open) puzzle of \S", text) is not None


def is_ordered_puzzle(text: str) -> bool:
    """Return whether a text is a puzzle whose numbers are an order of cells, and not their steps."""
    return is_puzzle(text) and re.search(r"^\s*;\s*order\s*$", text, re.MULTILINE) is not None


# Formats that are recognized in order to be refused by name, and a pattern of their beginning.
UNREAD = {
    "a LEDA graph": r"\s*(?:#[^\n]*\n\s*)*LEDA\.GRAPH\b",
    "an LGL file of igraph": r"(?:# \S+\n(?:[^#\s]\S*(?: \S+)?\n)*){3}",
    "a DIMACS flow problem": r"(?:c[^\n]*\n)*p (?:max|min) \d",
    "a SNAP file of NetworKit": r"p \d+ \d+ [ud] [uw] \d+\s*\n",
    "a DGS file of GraphStream": r"DGS00\d\b",
    "a multiline adjacency list of networkx": r"(?:#[^\n]*\n)*\S+ \d+\n\S+ \{",
    "a Mermaid diagram": r"\s*(?:graph|flowchart) (?:TD|TB|BT|LR|RL)\b",
    "a DL file of UCINET": r"\s*[dD][lL]\s+[nN]\s*=",
}


def graph_format(text: str) -> str:
    """Return the format of a graph's text; `edges` if no other format recognizes it.

    Raises:
        FormatError: the format is known and not supported, or the text is ambiguous.
    """
    from cavalcade.formats.header import Look

    if re.match(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)?<svg\b", text):
        raise FormatError("it is a picture, and pictures are only written")
    if unread := next((name for name, pattern in UNREAD.items() if re.match(pattern, text)), None):
        raise FormatError(
            f"it is {unread}, which is not read: convert it to GraphML, GML or a table of links"
        )
    return _sniffed(Look.at(text), "MoveGraph", "edges")
