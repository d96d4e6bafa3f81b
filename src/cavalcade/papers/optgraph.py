"""Interpreter for the SAS programs of the 2020 paper, as printed or corrected, and our answer for a board.

A Data step writes the moves of a board as links of a graph. PROC OPTGRAPH counts nodes and links, and answers
`Optimal`, with a closed tour, or `Infeasible`. Here `cavalcade.tour` gives that answer, and the checker must
accept it. A *place* is a tuple as printed: (row, column), (row, column, layer), or (r, q) on a hexagon. A
*link* is a pair of places.

In SAS `||` joins two texts, and `|` is the logical "or". The transcription contains both, and `| |`. Every
bar is read as `||`, the only reading that gives places, except for the moves in `bars`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.verdict import Found, Impossible
from cavalcade.ask.portfolio import tour
from cavalcade.boards import Board
from cavalcade.checking.certificates import verify
from cavalcade.papers.tables import corrections, printed
from cavalcade.question.moves import move_graph

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import TypeVar

    from numpy.typing import NDArray

    from cavalcade.answers.verdict import Verdict

    Place = tuple[int, ...]
    Link = tuple[Place, Place]
    Node = TypeVar("Node", int, Place)

PAPER = "demaio2020"

TERM = re.compile(r"([+-]?)(?:(\d+)\*)?(\w+)")


@dataclass(frozen=True)
class Statement:
    """`if TESTS then do; destination = (...); output; end;`."""

    tests: tuple[tuple[str, str, str], ...]  # left side, `<=` or `>=`, right side
    destination: tuple[str, ...]  # a sum for each coordinate
    single: bool = False  # between the sums stands a single bar

    def destination_from(self, variables: dict[str, int]) -> Place | None:
        """Return the destination of the move, or None if a test fails."""
        for lhs, sign, rhs in self.tests:
            if (value(lhs, variables) - value(rhs, variables)) * (1 if sign == ">=" else -1) < 0:
                return None
        return tuple(value(text, variables) for text in self.destination)


def value(text: str, variables: dict[str, int]) -> int:
    """Evaluate a sum such as 2*n-1 or r+q."""
    return sum(times * (variables[name] if name else 1) for times, name in terms(text))


@cache
def terms(text: str) -> tuple[tuple[int, str], ...]:
    """Parse a sum into pairs of a coefficient and a variable; the variable of a constant is empty."""
    parsed = []
    for sign, times, name in TERM.findall(text):
        number = int(f"{sign}1") * int(times or 1)
        parsed.append((number * int(name), "") if name.isdigit() else (number, name))
    return tuple(parsed)


def program(name: str, *, mend: bool) -> list[Statement]:
    """Return a printed program (`rectangle`, `prism`, `hexagon`), as printed or corrected."""
    section = f"program {name}"
    lines = [" ".join(row) for row in printed(PAPER)[section].words]
    for correction in corrections(PAPER) if mend else ():
        if correction.item == section and correction.cell.startswith("move "):
            number = int(correction.cell.removeprefix("move ")) - 1
            lines[number] = lines[number].replace(correction.printed, correction.wanted)
    return [_statement(line) for line in lines]


def _statement(line: str) -> Statement:
    tests, _, destination = line.replace(" and ", "&").replace(" then ", "#").replace(" ", "").partition("#")
    parts = [re.split("(<=|>=)", test) for test in tests.split("&")]
    return Statement(
        tuple((a, sign, b) for a, sign, b in parts),
        tuple(re.split(r"\|+", destination)),
        single="|" in destination and "||" not in destination,
    )


def origins(name: str, *sizes: int) -> Iterator[tuple[Place, dict[str, int]]]:
    """Iterate over the loops around the statements: every place with the variables there."""
    if name == "hexagon":
        (n,) = (size - 1 for size in sizes)
        for r in range(2 * n + 1):
            for q in range(max(n - r, 0), min(2 * n, 3 * n - r) + 1):
                yield (r, q), {"r": r, "q": q, "n": n}
        return
    limits = dict(zip(("rows", "columns", "layers"), sizes, strict=False))
    for place in product(*(range(1, size + 1) for size in sizes)):
        yield place, dict(zip("ijk", place, strict=False)) | limits


@dataclass(frozen=True)
class Run:
    """Output of a program for a board: its links in order."""

    board: Board
    links: tuple[Link, ...]

    @property
    def nodes(self) -> int:
        """Number of places in the links. Places without a move are not nodes."""
        return len({place for link in self.links for place in link})

    @property
    def once(self) -> set[frozenset[Place]]:
        """The links without direction or repetition, as OPTGRAPH reads them."""
        return {frozenset(link) for link in self.links}

    @property
    def loose(self) -> int:
        """Number of nodes with a single link, which no tour can contain."""
        ends = Counter(place for link in self.once for place in link)
        return list(ends.values()).count(1)

    @property
    def off(self) -> int:
        """Number of places off the board."""
        places = {place for link in self.links for place in link}
        proper = [place for place in places if len(place) == self.board.dimensions]
        return len(places) - int(np.count_nonzero(locate(self.board, proper) >= 0))

    @property
    def right(self) -> bool:
        """Whether the links are exactly the knight's moves on the board."""
        if not self.links:
            return move_graph(self.board).edge_count == 0
        if self.off:
            return False
        ends = [locate(self.board, [link[side] for link in self.links]) for side in (0, 1)]
        pairs = {(a, b) if a < b else (b, a) for a, b in zip(*(e.tolist() for e in ends), strict=True)}
        return pairs == set(move_graph(self.board).pairs())

    @property
    def summary(self) -> str:
        """The Problem Summary in a sentence."""
        return f"{self.nodes} nodes, {len(self.once)} links"


@cache
def run(name: str, *sizes: int, mend: bool = True, bars: tuple[int, ...] = ()) -> Run:
    """Run a program for a board.

    Args:
        name: `rectangle`, `prism` or `hexagon`.
        sizes: sizes of the board.
        mend: whether to apply the corrections.
        bars: numbers, from 1, of the moves whose single bar is the logical "or": 1 if any of the sums is not
            zero. DESTINATION has the type of its first value: if that is a number, a text becomes missing,
            here ().
    """
    statements, links = program(name, mend=mend), list[tuple[tuple[int, ...], tuple[int, ...]]]()
    for place, variables in origins(name, *sizes):
        for number, statement in enumerate(statements, 1):
            target = statement.destination_from(variables)
            if target is not None and number in bars:
                target = (int(any(target)),)
            elif target is not None and 1 in bars:
                target = ()
            if target is not None:
                links.append((place, target))
    return Run(Board.hexagon(*sizes) if name == "hexagon" else Board.box(*sizes), tuple(links))


def locate(board: Board, places: Iterable[Place]) -> NDArray[np.int32]:
    """Return the cells of places of the paper; -1 off the board."""
    array = np.array(list(places), dtype=np.int64)
    return board.locate(array[:, ::-1] - (board.side - 1) if board.family.hexagonal else array - 1)


def word(board: Board, cell: int) -> str:
    """Return a cell as the paper prints it: (2,1)."""
    return f"({','.join(str(x + 1) for x in board.coords[cell].tolist())})"


# ---- tables of links


def cycle_through(neighbours: Mapping[Node, Sequence[Node]], start: Node) -> list[Node]:
    """Return the cycle through a node, in order; empty if a node on it does not have two neighbours."""
    path = [start]
    while len(neighbours[path[-1]]) == 2:
        first, second = neighbours[path[-1]]
        successor = second if path[-2:-1] == [first] else first
        if successor == start:
            return path
        path.append(successor)
    return []


def printed_links(rows: Iterable[Iterable[str]]) -> list[Link]:
    """Return the ends of the links in a table: a row has a number, then half of its words for each end."""
    return [
        (tuple(map(int, words[: len(words) // 2])), tuple(map(int, words[len(words) // 2 :])))
        for _, *words in rows
    ]


def walk(rows: Iterable[Iterable[str]]) -> tuple[list[Place], list[str]]:
    """Return the places of a table of links in cyclic order, and the faults if they form no cycle."""
    neighbours: dict[Place, list[Place]] = defaultdict(list)
    for a, b in printed_links(rows):
        neighbours[a].append(b)
        neighbours[b].append(a)
    faults = [
        f"{place} has {len(targets)} links"
        for place, targets in sorted(neighbours.items())
        if len(targets) != 2
    ]
    path = [] if faults else cycle_through(neighbours, next(iter(neighbours)))
    if not faults and len(path) < len(neighbours):
        faults = [f"a cycle of {len(path)} places of {len(neighbours)}"]
    return path, faults


# ---- our answers


@cache
def decide(board: Board) -> Verdict:
    """Find a closed tour of the board, or a proof that none exists."""
    return tour(board)


def solution(board: Board) -> tuple[str, str]:
    """Return our Solution Summary: the status and its grounds."""
    verdict = decide(board)
    if isinstance(verdict, Found):
        return "Optimal", f"objective value {board.size}: a closed tour, which the checker accepts"
    if isinstance(verdict, Impossible) and verdict.certificate and verify(verdict.certificate):
        return "Infeasible", f"the checker accepts the proof: {verdict.reason}"
    return "undecided", verdict.reason
