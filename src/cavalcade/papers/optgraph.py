"""The SAS programs of the 2020 paper, run as printed or mended, and the answer of PROC OPTGRAPH for a board.

A Data step writes the moves of a board as the links of a graph. PROC OPTGRAPH counts its nodes and links,
and answers `Optimal`, with a closed tour, or `Infeasible`. Here `cavalcade.tour` gives that answer, and the
checker has to accept it. A *place* is what the paper prints: (row, column), (row, column, layer), or (r, q)
on a hexagon. A *link* is a pair of places.

In SAS `||` joins two texts, and `|` is the logical "or". The transcription prints both, and `| |`. Two
readings are run: every bar as `||`, which alone gives places, or (`literal`) a single bar as "or".
"""

from __future__ import annotations

import re
from collections import Counter
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
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from cavalcade.answers.verdict import Verdict

    Place = tuple[int, ...]
    Link = tuple[Place, Place]

PAPER = "demaio2020"

TERM = re.compile(r"([+-]?)(?:(\d+)\*)?(\w+)")


@dataclass(frozen=True)
class Statement:
    """`if TESTS then do; destination = (...); output; end;`.

    Args:
        tests: left side, `<=` or `>=`, right side.
        destination: a sum for each coordinate.
        single: between the sums stands a single bar.
    """

    tests: tuple[tuple[str, str, str], ...]
    destination: tuple[str, ...]
    single: bool = False

    def destination_from(self, at: dict[str, int], *, literal: bool = False) -> Place | None:
        """Where the move leads, None where the tests fail.

        With `literal` a single bar is SAS's "or": 1 if any of the sums is not zero.
        """
        for left, sign, right in self.tests:
            if (value(left, at) - value(right, at)) * (1 if sign == ">=" else -1) < 0:
                return None
        place = tuple(value(text, at) for text in self.destination)
        return (int(any(place)),) if literal and self.single else place


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
    """What a program writes for a board: its links, in their order.

    Args:
        board: the board that is meant.
        links: origin and destination.
    """

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
        return pairs == {(a, b) for a, b in move_graph(self.board).edges().tolist()}

    @property
    def summary(self) -> str:
        """The Problem Summary in a sentence."""
        return f"{self.nodes} nodes, {len(self.once)} links"


@cache
def run(name: str, *sizes: int, mend: bool = True, literal: bool = False) -> Run:
    """A program for a board of these sizes, as printed or mended; `literal` as in `Statement`."""
    statements = program(name, mend=mend)
    links = [
        (place, to)
        for place, at in origins(name, *sizes)
        for statement in statements
        if (to := statement.destination_from(at, literal=literal)) is not None
    ]
    return Run(Board.hexagon(*sizes) if name == "hexagon" else Board.box(*sizes), tuple(links))


def locate(board: Board, places: Iterable[Place]) -> NDArray[np.int32]:
    """The cells of the paper's places, -1 off the board."""
    at = np.array(list(places), dtype=np.int64)
    return board.locate(at[:, ::-1] - (board.side - 1) if board.family.hexagonal else at - 1)


def word(board: Board, cell: int) -> str:
    """A cell as the paper prints it: (2,1)."""
    return f"({','.join(str(x + 1) for x in board.coords[cell].tolist())})"


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
