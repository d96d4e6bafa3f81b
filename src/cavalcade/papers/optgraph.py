"""The SAS programs of the 2020 paper, run as printed or mended, and the answer of PROC OPTGRAPH for a board.

A Data step writes the moves of a board as the links of a graph. PROC OPTGRAPH counts its nodes and links,
and answers `Optimal`, with a closed tour, or `Infeasible`. Here `cavalcade.tour` gives that answer, and the
checker must accept it. A *place* is what the paper prints: (row, column), (row, column, layer), or (r, q)
on a hexagon. A *link* is a pair of places.

In SAS `||` joins two texts, and `|` is the logical "or". The transcription prints both, and `| |`. Every bar
is read as `||`, which alone gives places, but those of the moves in `bars`: they are run as they are printed.
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

    def destination_from(self, at: dict[str, int]) -> Place | None:
        """Where the move leads, None where the tests fail."""
        for left, sign, right in self.tests:
            if (value(left, at) - value(right, at)) * (1 if sign == ">=" else -1) < 0:
                return None
        return tuple(value(text, at) for text in self.destination)


def value(text: str, at: dict[str, int]) -> int:
    """A sum like 2*n-1 or r+q."""
    return sum(times * (at[name] if name else 1) for times, name in terms(text))


@cache
def terms(text: str) -> tuple[tuple[int, str], ...]:
    """The terms of a sum: a number, and a variable or nothing."""
    found = []
    for sign, times, name in TERM.findall(text):
        number = int(f"{sign}1") * int(times or 1)
        found.append((number * int(name), "") if name.isdigit() else (number, name))
    return tuple(found)


def program(name: str, *, mend: bool) -> list[Statement]:
    """One of the printed programs (`rectangle`, `prism`, `hexagon`), as printed or with the corrections."""
    section = f"program {name}"
    lines = [" ".join(row) for row in printed(PAPER)[section].words]
    for one in corrections(PAPER) if mend else ():
        if one.item == section and one.cell.startswith("move "):
            number = int(one.cell.removeprefix("move ")) - 1
            lines[number] = lines[number].replace(one.printed, one.wanted)
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
    """The loops around the statements: every place, and the variables there."""
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
    """What a program writes for the board that is meant: its links, in their order."""

    board: Board
    links: tuple[Link, ...]

    @property
    def nodes(self) -> int:
        """How many places occur: places without a move are not nodes."""
        return len({place for link in self.links for place in link})

    @property
    def once(self) -> set[frozenset[Place]]:
        """The links, each once: what OPTGRAPH makes of them."""
        return {frozenset(link) for link in self.links}

    @property
    def loose(self) -> int:
        """How many nodes have a single link, and so are in no tour."""
        ends = Counter(place for link in self.once for place in link)
        return list(ends.values()).count(1)

    @property
    def off(self) -> int:
        """How many places lie off the board."""
        places = {place for link in self.links for place in link}
        whole = [place for place in places if len(place) == self.board.dimensions]
        return len(places) - int(np.count_nonzero(locate(self.board, whole) >= 0))

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
    """A program for a board of these sizes, as printed or mended.

    Args:
        name: `rectangle`, `prism` or `hexagon`.
        sizes: of the board.
        mend: with the corrections.
        bars: the moves, from 1, whose single bar is SAS's "or": 1 if any of the sums is not zero. DESTINATION
            has the type of its first value: if that is a number, a text for it becomes missing, here ().
    """
    statements, links = program(name, mend=mend), list[tuple[tuple[int, ...], tuple[int, ...]]]()
    for place, at in origins(name, *sizes):
        for number, statement in enumerate(statements, 1):
            to = statement.destination_from(at)
            if to is not None and number in bars:
                to = (int(any(to)),)
            elif to is not None and 1 in bars:
                to = ()
            if to is not None:
                links.append((place, to))
    return Run(Board.hexagon(*sizes) if name == "hexagon" else Board.box(*sizes), tuple(links))


def locate(board: Board, places: Iterable[Place]) -> NDArray[np.int32]:
    """The cells of the paper's places, -1 off the board."""
    at = np.array(list(places), dtype=np.int64)
    return board.locate(at[:, ::-1] - (board.side - 1) if board.family.hexagonal else at - 1)


def word(board: Board, cell: int) -> str:
    """A cell as the paper prints it: (2,1)."""
    return f"({','.join(str(x + 1) for x in board.coords[cell].tolist())})"


# ---- tables of links


def cycle_through(near: Mapping[Node, Sequence[Node]], start: Node) -> list[Node]:
    """The cycle through a node, in order; empty if a node on the way has not two neighbours."""
    path = [start]
    while len(near[path[-1]]) == 2:
        one, other = near[path[-1]]
        after = other if path[-2:-1] == [one] else one
        if after == start:
            return path
        path.append(after)
    return []


def printed_links(rows: Iterable[Iterable[str]]) -> list[Link]:
    """The ends of the links in a table: after the number of a row, half of its numbers each."""
    return [
        (tuple(map(int, words[: len(words) // 2])), tuple(map(int, words[len(words) // 2 :])))
        for _, *words in rows
    ]


def walk(rows: Iterable[Iterable[str]]) -> tuple[list[Place], list[str]]:
    """The places of a table of links in the order of their cycle, and the fault if they make none."""
    near: dict[Place, list[Place]] = defaultdict(list)
    for a, b in printed_links(rows):
        near[a].append(b)
        near[b].append(a)
    wrong = [f"{place} has {len(to)} links" for place, to in sorted(near.items()) if len(to) != 2]
    path = [] if wrong else cycle_through(near, next(iter(near)))
    if not wrong and len(path) < len(near):
        wrong = [f"a cycle of {len(path)} places of {len(near)}"]
    return path, wrong


# ---- our answers


@cache
def decide(board: Board) -> Verdict:
    """A closed tour of the board, or why there is none."""
    return tour(board)


def solution(board: Board) -> tuple[str, str]:
    """Our Solution Summary: status, and how it is known."""
    verdict = decide(board)
    if isinstance(verdict, Found):
        return "Optimal", f"objective value {board.size}: a closed tour, which the checker accepts"
    if isinstance(verdict, Impossible) and verdict.certificate and verify(verdict.certificate):
        return "Infeasible", f"the checker accepts the proof: {verdict.reason}"
    return "undecided", verdict.reason
