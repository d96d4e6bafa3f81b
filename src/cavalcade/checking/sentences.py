"""A proof in words: a paragraph for a teacher, every cell by its name.

The steps are taken again, with `verify`'s own bookkeeping, and each says what it sees before it is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.certificate import SatProof
from cavalcade.checking.certificates import FORCED, OPEN, OUT, Steps, closed_graph
from cavalcade.checking.language import flat
from cavalcade.problem import EXTRA

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cavalcade.answers.certificate import Certificate, Step
    from cavalcade.checking.certificates import Ints

MOST = 16  # cells, moves or parts that one list names
LONG = 400  # steps; longer proofs are summed up


def sentences(certificate: Certificate) -> list[str]:
    """The sentences of a proof that `verify` accepts. Time: as `verify`."""
    problem = certificate.problem
    board, closed = problem.board, problem.closed
    size, edges = closed_graph(problem)
    told = []
    if not closed and not _speaks_of_cells_alone(certificate):
        given = [certificate.name(c) for c in problem.ends]
        hub, link = EXTRA
        if len(given) == 2:
            told.append(f"Add a place {hub} beside the board, next to {given[0]} and {given[1]} alone")
        elif given:
            told.append(
                f"Add two places beside the board: {hub}, next to every cell but {given[0]}, and {link} "
                f"between {given[0]} and {hub}"
            )
        else:
            told.append(f"Add a place {hub} beside the board, next to every cell")
        told[0] += f": an open tour of the board{' with these ends' if given else ''} is then a closed tour "
        told[0] += "of all places."
    if isinstance(certificate.proof, SatProof):
        cuts, lines = len(certificate.proof.cuts), len(certificate.proof.drup)
        told.append(
            f"Every tour makes two of the moves of each cell, and leaves each of {_count(cuts, 'set')} of "
            f"cells: no choice among the {len(edges):,} moves does all of that. The proof has {lines:,} "
            "lines, each of which follows from those before it by unit propagation: a machine reads it."
        )
    elif (count := sum(1 for _ in flat(certificate.proof.steps))) > LONG:
        cases = sum(1 for step in flat(certificate.proof.steps) if step.cases) + 1
        told.append(f"The proof distinguishes {cases:,} cases, in {count:,} steps: a machine reads it.")
    else:
        told += _Teller(size, edges, certificate).told(certificate.proof.steps, "")
    return [*told, f"So there is no {problem.kind} tour of {board.title}."]


def _speaks_of_cells_alone(certificate: Certificate) -> bool:
    """Whether a proof about open tours is one cut, which needs no place beside the board to be told."""
    if certificate.reason != "cut" or certificate.problem.ends or isinstance(certificate.proof, SatProof):
        return False
    return certificate.problem.board.size in certificate.proof.steps[0].cells


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _and(items: Iterable[str], total: int | None = None) -> str:
    """`a`, `a and b`, `a, b and c`; long lists break off, and say how much they hold."""
    known = list(items)
    total = len(known) if total is None else total
    if total > MOST:
        return f"{', '.join(known[: MOST // 2])}, … ({total:,} in all)"
    return known[0] if total == 1 else f"{', '.join(known[:-1])} and {known[-1]}"


class _Teller:
    """Takes the steps of one proof, and says what happens."""

    def __init__(self, size: int, edges: Ints, certificate: Certificate) -> None:
        self.steps = Steps(size, edges, certificate.name)
        problem = certificate.problem
        self.size, self.name, self.board = size, certificate.name, problem.board.size
        self.open = not problem.closed and not problem.ends

    def told(self, steps: tuple[Step, ...], case: str) -> list[str]:
        """The sentences of some steps; `case` numbers the case they belong to."""
        said: list[str] = []
        for step in steps:
            cells = np.array(step.cells, dtype=np.int64)
            if step.rule == "branch":
                return said + self.branch(step, cells, case)
            said.append(getattr(self, step.rule)(cells))
            if step is not steps[-1]:
                self.steps.take(step)
        return said

    def branch(self, step: Step, cells: Ints, case: str) -> list[str]:
        """Both cases."""
        edge, move = self.steps.edge(cells), "-".join(self.name(c) for c in step.cells)
        said: list[str] = []
        for steps, status, number in zip(step.cases, (FORCED, OUT), "12", strict=True):
            label = f"{case}.{number}" if case else number
            since = self.steps.assume(edge, status)
            inner = self.told(steps, label)
            self.steps.take_back(since)
            uses = "with" if status == FORCED else "without"
            said += [f"Case {label}, a tour {uses} {move}. {inner[0]}", *inner[1:]]
        return said

    # ---- what things are called

    def cells(self, cells: Ints | list[int]) -> str:
        """Cells by name."""
        return _and([self.name(int(c)) for c in cells[:MOST]], len(cells))

    def moves(self, numbers: Ints) -> str:
        """Moves by the names of their cells."""
        pairs = self.steps.edges[numbers[:MOST]].tolist()
        return _and([f"{self.name(a)}-{self.name(b)}" for a, b in pairs], len(numbers))

    def parts(self, root: Ints, cut: Ints) -> str:
        """The parts that a cut leaves."""
        first = np.setdiff1d(np.unique(root), cut)
        if len(first) > MOST:
            sizes = np.bincount(root)[first]
            lone = first[sizes == 1]
            rest = [f"one of {size:,} cells" for size in sizes[sizes > 1].tolist()]
            told = [f"{self.cells(lone)} alone"] if len(lone) else []
            return ", and ".join(told + ([_and(rest)] if rest else []))
        groups = sorted((np.flatnonzero(root == c) for c in first), key=len)
        single = [self.name(int(group[0])) for group in groups if len(group) == 1]
        larger = [self.part(group) for group in groups if len(group) > 1]
        return "; ".join(([f"{_and(single)} alone"] if single else []) + larger)

    def part(self, group: Ints) -> str:
        """A part."""
        if len(group) <= 6:
            return self.cells(group)
        return f"{self.name(int(group[0]))} and {len(group) - 1:,} more cells"

    def row(self, cell: int, status: tuple[int, ...]) -> list[int]:
        """The neighbours of a cell, by moves of these sorts."""
        s = self.steps
        row = slice(s.rows[cell], s.rows[cell + 1])
        return [int(c) for c in s.heads[row][np.isin(s.status[s.number[row]], status)]]

    # ---- the rules

    def degree(self, cells: Ints) -> str:
        """A cell with fewer than two moves."""
        cell = int(cells[0])
        name, left = self.name(cell), self.row(cell, (OPEN, FORCED))
        only = (
            f"{name} has only the move to {self.name(left[0])} left" if left else f"{name} has no move left"
        )
        if len(left) == int(self.steps.rows[cell + 1] - self.steps.rows[cell]):
            only = only.removesuffix(" left")
        return f"{only}, but a tour comes to every cell and goes on from it."

    def three(self, cells: Ints) -> str:
        """A cell with three forced moves."""
        cell = int(cells[0])
        return (
            f"Then a tour would make three moves of {self.name(cell)}, those to "
            f"{self.cells(self.row(cell, (FORCED,)))}, but it makes only two of each cell."
        )

    def cycle(self, cells: Ints) -> str:
        """A cycle of forced moves."""
        shown = [self.name(int(c)) for c in cells]
        names = "-".join(shown if len(shown) <= 40 else [*shown[:20], "…", *shown[-10:]])
        missed = self.size - len(cells)
        return (
            f"But the moves {names}-{self.name(int(cells[0]))} go around in a circle of {len(cells):,} "
            f"cells, and never come to the other {'one' if missed == 1 else f'{missed:,}'}."
        )

    def colours(self, cells: Ints) -> str:
        """Two colours of different sizes."""
        seen = {int(cells[0])}
        front, colour, sizes = np.array(list(seen)), 0, [0, 0]
        known = np.zeros(self.size, dtype=np.bool_)
        while front.size:
            known[front] = True
            sizes[colour] += len(front)
            colour = 1 - colour
            near = self.steps.neighbours(front)
            front = near[~known[near]]
        more = "more" if sizes[0] > sizes[1] else "fewer"
        return (
            f"The cells have two colours, and every move changes the colour: {max(sizes):,} cells have the "
            f"one and {min(sizes):,} the other ({self.name(int(cells[0]))} is one of the {more}). A tour "
            "takes the colours in turn, so that it would need as many of both."
        )

    def hall(self, cells: Ints) -> str:
        """A set with too few neighbours."""
        near = self.steps.neighbours(cells)
        if not near.size:
            return f"From {self.cells(cells)} there is no move at all."
        return (
            f"From the {len(cells):,} cells {self.cells(cells)} all moves lead to only {len(near):,}: "
            f"{self.cells(near)}. But in a tour each of the {len(cells):,} is followed by a cell of its own."
        )

    def cut(self, cells: Ints) -> str:
        """A cut."""
        parts, able, root, inside = self.steps.counted(cells)
        hub = self.open and self.board in cells and able == len(cells)
        shown = cells[cells != self.board] if hub else cells
        if not shown.size:
            left = " that are left" if (self.steps.status == OUT).any() else ""
            return (
                f"The moves{left} do not connect all cells: they fall into {parts:,} parts ("
                f"{self.parts(root, cells)}), and a tour cannot come from one to another."
            )
        told = (
            f"Take away {_count(len(shown), 'cell')}, {self.cells(shown)}: {parts:,} parts are left "
            f"({self.parts(root, cells)}). "
        )
        if hub:
            return (
                f"{told}Without {len(shown):,} of its cells an open tour falls into {able:,} pieces at most."
            )
        if able < len(cells):
            held = inside[self.steps.status[inside] == FORCED]
            return (
                f"{told}A tour comes from one part to another through cells that were taken away; but as it "
                f"makes {self.moves(held)}, it falls into at most {able:,} pieces without them."
            )
        return (
            f"{told}Between two parts a tour has to pass a cell that was taken away, so that it would need "
            f"{parts:,} of them, not {len(cells):,}."
        )

    def forced(self, cells: Ints) -> str:
        """Cells with two moves."""
        s = self.steps
        old = {c for c in cells.tolist() if s.rows[c + 1] - s.rows[c] == 2}
        rows = [
            f"{self.name(c)} has only the moves to {self.cells(self.row(c, (OPEN, FORCED)))}"
            + ("" if c in old else " left")
            for c in cells[:MOST].tolist()
        ]
        rows += ["…"] if len(cells) > MOST else []
        return f"{'; '.join(rows)}: every tour makes {'both' if len(cells) == 1 else 'them all'}."

    def full(self, cells: Ints) -> str:
        """Cells with two forced moves."""
        rows = []
        for c in cells[:MOST].tolist():
            more = self.row(c, (OPEN,))
            made = f"{self.name(c)} is used up by the moves to {self.cells(self.row(c, (FORCED,)))}"
            rows.append(made + (f", which rules out those to {self.cells(more)}" if more else ""))
        return f"{'; '.join(rows)}{'; …' if len(cells) > MOST else ''}."

    def early(self, cells: Ints) -> str:
        """The ends of a forced path."""
        a, b = cells.tolist()
        path = [a]
        while path[-1] != b and len(path) <= 40:
            on = [c for c in self.row(path[-1], (FORCED,)) if c not in path[-2:]]
            path.append(on[0])
        via = "-".join(self.name(c) for c in path) + ("" if path[-1] == b else f"-…-{self.name(b)}")
        return f"The move {self.name(a)}-{self.name(b)} would close {via} too early: it is ruled out."

    def tight(self, cells: Ints) -> str:
        """A tight set."""
        s = self.steps
        near = s.neighbours(cells)
        places, _ = s.around(near)
        gone = np.unique(s.number[places[~np.isin(s.heads[places], cells)]])
        return (
            f"From the {len(cells):,} cells {self.cells(cells)} all moves lead to just as many, "
            f"{self.cells(near)}: in a tour, whichever way it runs, these are followed by cells of the first "
            f"kind only. That rules out {self.moves(gone)}."
        )

    def spent(self, cells: Ints) -> str:
        """A spent set."""
        s = self.steps
        parts, _, root, inside = s.counted(cells)
        gone = inside[s.status[inside] == OPEN]
        return (
            f"Without the {_count(len(cells), 'cell')} {self.cells(cells)} there are {parts:,} parts "
            f"({self.parts(root, cells)}): a tour needs all it can do with these cells to come from part to "
            f"part, and has no move to waste between two of them. That rules out {self.moves(gone)}."
        )
