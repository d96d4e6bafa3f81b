"""The table in docs/counts.md: every count by two independent ways.

`python benchmarks/count_table.py docs/counts.md` counts again and writes the table between its two marks;
with boards after the file only their lines. The ways:

- A: `cavalcade count`: a frontier search in the order that the beam search finds, or two halves that meet;
- B: a search in the order found for the cells renumbered at random, which meets other states;
- M: the matrix of a strip (`cavalcade count 5xn`), another program.

A line that the two ways disagree on stops everything.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import numpy as np

from cavalcade import board, citations, move_graph
from cavalcade.counting.cycles import count_cycles
from cavalcade.counting.sequence import sequence
from cavalcade.counting.total import count
from cavalcade.ground.budget import limits
from cavalcade.question.graph import MoveGraph
from cavalcade.question.pieces import parse_piece
from cavalcade.question.question import Question
from cavalcade.states.order import narrow_order
from cavalcade.theorems.sequences import in_print

MEMORY = 6 << 30
# second way, piece, and boards with the source of what is in print
LINES: dict[tuple[str, str, str], dict[str, str]] = {
    ("closed", "knight", "M"): {
        "3x10": "OEIS A070030", "3x20": "OEIS A070030", "5x6": "OEIS A175855", "5x8": "OEIS A175855",
        "5x10": "OEIS A175855", "6x6": "OEIS A001230", "6x7": "OEIS A175881", "6x8": "OEIS A193055",
        "cylinder:4x3": "", "cylinder:5x3": "", "cylinder:6x3": "", "cylinder:5x4": "", "cylinder:6x4": "",
    },
    ("open", "knight", "M"): {
        "3x10": "OEIS A169696", "4x8": "OEIS A079137", "5x5": "OEIS A083386", "5x6": "OEIS A083386",
    },
    ("closed", "knight", "B"): {
        "2x3x4": "", "2x3x5": "", "2x3x6": "", "2x4x4": "", "2x4x5": "", "3x3x4": "",
        "hex:4": "", "7x8": "TdZdd counts the same, see docs/benchmarks.md",
        "torus:4x4": "",
        "torus:3x3": "", "torus:3x4": "", "torus:3x5": "", "torus:3x6": "", "torus:4x5": "",
        "torus:5x5": "", "torus:5x6": "", "cylinder:5x5": "", "cylinder:5x6": "", "cylinder:6x5": "",
        "mobius:3x5": "", "mobius:4x4": "", "mobius:4x6": "", "mobius:5x5": "", "mobius:5x6": "",
        "klein:3x3": "", "klein:3x4": "", "klein:4x4": "", "klein:4x5": "", "klein:5x5": "", "klein:5x6": "",
        "3x3-b2": "the graph is a cycle", "7x7-d4": "", "6x8-c3,c4,d3,d4,e3,e4,f3,f4": "",
    },
    ("open", "knight", "B"): {
        "6x6": "OEIS A306281", "2x3x4": "", "2x3x5": "", "2x4x4": "", "3x3x3": "",
        "hex:3": "", "hex:4": "", "torus:3x3": "", "torus:4x4": "",
        "torus:4x5": "", "mobius:4x4": "",
        "mobius:5x5": "", "klein:4x4": "", "klein:4x5": "", "5x5-c3": "", "6x6-c3,c4,d3,d4": "",
    },
    ("closed", "zebra+knight", "B"): {"4x6": "", "5x6": ""},
    ("closed", "camel+knight", "B"): {"4x5": "", "4x6": ""},
    ("closed", "giraffe+knight", "B"): {"4x6": "", "5x6": ""},
}  # fmt: skip


@cache
def _growing(strip: str, piece: str, kind: str) -> tuple[int, ...]:
    return sequence(strip, 20, piece=piece, open=kind == "open").terms


def second(spec: str, piece: str, kind: str, way: str) -> int:
    """The count by way B or M."""
    if way == "M":
        head, colon, sides = spec.rpartition(":")
        rows, columns = sides.split("x")
        strip, n = (f"{head}:nx{columns}", rows) if colon else (f"{rows}xn", columns)
        return _growing(strip, piece, kind)[int(n) - 1]
    graph = move_graph(board(spec), parse_piece(piece))
    hub = graph.size if kind == "open" else None
    if hub is not None:
        graph = Question(graph, closed=False).as_cycle
    names = np.random.default_rng(1).permutation(graph.size)
    shuffled = MoveGraph.from_edges(names[graph.edges()], graph.size)
    cells = narrow_order(shuffled, None if hub is None else int(names[hub]))
    order = np.argsort(names)[cells].tolist()
    with limits(memory=MEMORY):
        return count_cycles(graph, order=order)


def known(spec: str, piece: str, kind: str, count: int) -> str:
    """The packaged sequences that have the count, or the theorem by which there is no tour."""
    question = Question.of(spec, piece=piece, open=kind == "open")
    if not count and (cited := citations(question)):
        return f"no tour, by {cited[0].name}"
    return "; ".join(map(str, in_print(question)))


def command(spec: str, piece: str, kind: str) -> str:
    """What to type for it."""
    options = f"{'' if piece == 'knight' else f' --piece {piece}'}{' --open' * (kind == 'open')}"
    return f"`{spec}{options}`"


def line(spec: str, piece: str, kind: str, way: str, source: str) -> str:
    """One line of the table."""
    result = count(spec, piece=piece, open=kind == "open", memory=MEMORY)
    second_count = second(spec, piece, kind, way)
    if second_count != result.count:
        raise SystemExit(f"{spec} {piece} {kind}: {result.count} by A, {second_count} by {way}")
    cells = [
        command(spec, piece, kind),
        f"{result.count:,}",
        f"A, {way}",
        source or known(spec, piece, kind, result.count) or "none known",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Count, and write the lines that were asked for; the others stay."""
    page, *specs = sys.argv[1:]
    path = Path(page)
    head, rest = path.read_text(encoding="utf-8").split("<!-- counts -->\n")
    old, tail = rest.split("<!-- end of counts -->")
    title, rule, *lines = old.strip().splitlines()
    lines_by_command = {entry.split(" | ")[0]: entry for entry in lines}
    entries = [
        (spec, piece, kind, way, source)
        for (kind, piece, way), boards in LINES.items()
        for spec, source in boards.items()
    ]
    for spec, piece, kind, way, source in entries:
        if not specs or spec in specs:
            new = line(spec, piece, kind, way, source)
            print(new, flush=True)
            lines_by_command[new.split(" | ")[0]] = new
            rows = [
                lines_by_command[f"| {command(*entry[:3])}"]
                for entry in entries
                if f"| {command(*entry[:3])}" in lines_by_command
            ]
            table = "\n".join([title, rule, *rows])
            path.write_text(f"{head}<!-- counts -->\n{table}\n<!-- end of counts -->{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
