"""The independent verifier of certificates. It trusts nobody: it shares no code with what finds proofs.

It builds the graph from the board by itself, by `geometry`, and where the graph of an open tour has extra
vertices it puts them there. Then it takes the steps one by one, each in time linear in the edges that the
step looks at, and believes nothing that it has not counted. `language` says what the rules claim, and why
that follows.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from cavalcade.answers.certificate import SatProof
from cavalcade.checking.geometry import all_moves
from cavalcade.checking.tours import Checked
from cavalcade.graph import MoveGraph

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from cavalcade.answers.certificate import Certificate, Step
    from cavalcade.problem import Problem

    Ints = NDArray[np.int64]

OPEN, FORCED, OUT = 0, 1, 2


class _WrongError(Exception):
    """A step that does not follow; the message says why not."""


def verify(certificate: Certificate) -> Checked:
    """Whether a certificate proves that there is no tour; if not, the first thing that is wrong."""
    problem = certificate.problem
    board, n = problem.board, problem.board.size
    what = f"no {problem.kind} tour of {board.title}"
    ends = [cell for cell in (problem.start, problem.end) if cell is not None]
    wrong = ""
    if n == 1:
        wrong = "one cell is a tour by itself"
    elif problem.closed and ends:
        wrong = "a closed tour has no ends"
    elif not all(0 <= cell < n for cell in ends) or len(set(ends)) < len(ends):
        wrong = "its ends are not two different cells of the board"
    if wrong:
        return Checked(ok=False, message=f"{what}: not proved, for {wrong}")
    size, edges = closed_graph(problem)
    if isinstance(certificate.proof, SatProof):
        from cavalcade.checking.drup import fault

        wrong = fault(size, edges, certificate.proof)
        if wrong:
            return Checked(ok=False, message=f"{what}: not proved, for {wrong}")
        count = f"{len(certificate.proof.cuts):,} cuts and {len(certificate.proof.drup):,} lines"
        return Checked(ok=True, message=f"{what}: {count} checked")
    steps = Steps(size, edges, certificate.name)
    try:
        steps.follow(certificate.proof.steps)
    except _WrongError as error:
        return Checked(
            ok=False, message=f"{what}: not proved, step {steps.count} is wrong: {error}", step=steps.count
        )
    except RecursionError:
        return Checked(ok=False, message=f"{what}: not proved, its branches go too deep")
    many = "1 step" if steps.count == 1 else f"{steps.count:,} steps"
    return Checked(ok=True, message=f"{what}: {many} checked")


# ---- the graph


def closed_graph(problem: Problem) -> tuple[int, Ints]:
    """The graph whose closed tours are asked for: its size, and its edges (a, b), a < b, ascending."""
    board, n = problem.board, problem.board.size
    if isinstance(board, MoveGraph):
        tails = np.repeat(np.arange(n, dtype=np.int64), np.diff(board.indptr))
        edges = np.stack([tails, board.indices.astype(np.int64)], axis=1)
    else:
        edges = all_moves(board, problem.piece)
    size = n
    if not problem.closed:
        ends = [cell for cell in (problem.start, problem.end) if cell is not None]
        last = [cell for cell in range(n) if cell not in ends] if len(ends) == 1 else ends or range(n)
        more = [(cell, n) for cell in last] + ([(ends[0], n + 1), (n, n + 1)] if len(ends) == 1 else [])
        edges = np.concatenate([edges, np.array(more, dtype=np.int64).reshape(-1, 2)])
        size = n + 1 + (len(ends) == 1)
    edges = np.sort(edges, axis=1)
    keys = np.sort(edges[:, 0] * size + edges[:, 1])
    keys = keys[np.append(True, keys[1:] != keys[:-1])] if keys.size else keys
    return size, np.stack([keys // size, keys % size], axis=1)


# ---- the steps


class Steps:
    """What is ruled out and what is forced, while the steps are followed."""

    def __init__(self, size: int, edges: Ints, name: Callable[[int], str]) -> None:
        self.size, self.edges, self.name = size, edges, name
        both = np.concatenate([edges, edges[:, ::-1]])
        order = np.argsort(both[:, 0], kind="stable")
        self.heads = both[order, 1]
        self.number = order % max(len(edges), 1)
        self.rows = np.searchsorted(both[order, 0], np.arange(size + 1))
        self.status = np.zeros(len(edges), dtype=np.int8)
        self.far = np.arange(size)  # at an end of a path of forced edges: its other end
        self.length = np.ones(size, dtype=np.int64)  # and how many cells it has
        self.used = np.zeros(size, dtype=np.int64)  # forced edges of a cell
        self.mark = np.zeros(size, dtype=np.bool_)
        self.history: list[tuple[NDArray[Any], Ints, NDArray[Any]]] = []
        self.count = 0
        self.rules: dict[str, Callable[[Ints], None]] = {
            "forced": self.forced,
            "full": self.full,
            "early": self.early,
            "tight": self.tight,
            "spent": self.spent,
        }
        self.ends: dict[str, Callable[[Ints], None]] = {
            "degree": self.degree,
            "three": self.three,
            "cycle": self.cycle,
            "colours": self.colours,
            "hall": self.hall,
            "cut": self.cut,
        }

    def follow(self, steps: tuple[Step, ...]) -> None:
        """Take the steps, and be sure that the last is a contradiction."""
        if not steps:
            raise _WrongError("there is no step")
        for step in steps[:-1]:
            if step.rule not in self.rules:
                raise _WrongError(f"{step.rule[:40]!r} is no deduction, and more steps follow")
            self.take(step)
        if steps[-1].rule in self.rules:
            raise _WrongError(f"{steps[-1].rule!r} is no contradiction, and the last step")
        self.take(steps[-1])

    def take(self, step: Step) -> None:
        """Take one step."""
        self.count += 1
        cells = np.array(step.cells, dtype=np.int64)
        if cells.size and (cells.min() < 0 or cells.max() >= self.size):
            raise _WrongError(f"there is no cell {int(cells.max())}")
        if len(set(step.cells)) < len(step.cells):
            raise _WrongError("it names a cell twice")
        if step.rule == "branch":
            edge = self.edge(cells)
            if self.status[edge] != OPEN or len(step.cases) != 2:
                raise _WrongError("a branch has two cases, on an edge that is neither forced nor ruled out")
            for case, status in zip(step.cases, (FORCED, OUT), strict=True):
                since = self.assume(edge, status)
                self.follow(case)
                self.take_back(since)
        elif step.cases:
            raise _WrongError("only a branch has cases")
        elif step.rule in self.rules or step.rule in self.ends:
            (self.rules | self.ends)[step.rule](cells)
        else:
            raise _WrongError(f"there is no rule {step.rule[:40]!r}")

    def assume(self, edge: int, status: int) -> int:
        """Begin a case of a branch; returns what `take_back` wants to know."""
        since = len(self.history)
        self.decide(np.array([edge]), status)
        return since

    def take_back(self, since: int) -> None:
        """End a case."""
        while len(self.history) > since:
            array, where, before = self.history.pop()
            array[where] = before

    # ---- what the graph looks like

    def put(self, array: NDArray[Any], where: Ints, values: Ints | int) -> None:
        """Change an array so that a branch can take it back."""
        self.history.append((array, where, array[where].copy()))
        array[where] = values

    def decide(self, edges: Ints, status: int) -> None:
        """Force edges, or rule them out. Paths of forced edges are joined."""
        edges = np.unique(edges[self.status[edges] != status])
        self.put(self.status, edges, status)
        if status == OUT:
            return
        for a, b in self.edges[edges].tolist():
            two = np.array([a, b])
            self.put(self.used, two, self.used[two] + 1)
            x, y = int(self.far[a]), int(self.far[b])
            if x != b:
                ends = np.array([x, y])
                self.put(self.length, ends, self.length[x] + self.length[y])
                self.put(self.far, ends, ends[::-1].copy())

    def around(self, cells: Ints) -> tuple[Ints, Ints]:
        """The places of the edges of these cells that are not ruled out, and whose each is."""
        counts = self.rows[cells + 1] - self.rows[cells]
        begins = np.cumsum(counts) - counts
        places = np.arange(counts.sum()) + np.repeat(self.rows[cells] - begins, counts)
        owner = np.repeat(np.arange(len(cells)), counts)
        present = self.status[self.number[places]] != OUT
        return places[present], owner[present]

    def edge(self, cells: Ints) -> int:
        """The number of the edge between two cells."""
        if len(cells) == 2:
            a, b = cells.tolist()
            row = slice(self.rows[a], self.rows[a + 1])
            at = np.flatnonzero(self.heads[row] == b)
            if at.size:
                return int(self.number[row][at[0]])
        raise _WrongError(f"{self.called(cells)} is no edge")

    def called(self, cells: Ints) -> str:
        """Some cells by name."""
        names = [self.name(cell) for cell in cells[:6].tolist()]
        return "-".join(names) + ("…" if len(cells) > 6 else "")

    def neighbours(self, cells: Ints) -> Ints:
        """The cells next to any of these."""
        return np.unique(self.heads[self.around(cells)[0]])

    def parts_without(self, cells: Ints) -> tuple[Ints, Ints]:
        """For every cell the first one of its part without these cells; the edges inside these cells.

        Every cell points to the smallest cell it is known to hang together with, until no edge joins two.
        """
        self.mark[cells] = True
        inside = self.mark[self.edges].all(axis=1)
        apart = self.mark[self.edges].any(axis=1) | (self.status == OUT)
        self.mark[cells] = False
        a, b = self.edges[~apart].T
        root = np.arange(self.size)
        while True:
            low, high = np.minimum(root[a], root[b]), np.maximum(root[a], root[b])
            differ = low != high
            if not differ.any():
                break
            a, b = a[differ], b[differ]
            np.minimum.at(root, high[differ], low[differ])
            while (root[root] != root).any():
                root = root[root]
        return root, np.flatnonzero(inside & (self.status != OUT))

    def counted(self, cells: Ints) -> tuple[int, int, Ints, Ints]:
        """How many parts are left without these cells, how many they can serve, and `parts_without`."""
        root, inside = self.parts_without(cells)
        parts = int(np.count_nonzero(root == np.arange(self.size))) - len(cells)
        return parts, len(cells) - int(np.count_nonzero(self.status[inside] == FORCED)), root, inside

    # ---- deductions

    def forced(self, cells: Ints) -> None:
        """Cells with two edges left."""
        places, owner = self.around(cells)
        counts = np.bincount(owner, minlength=len(cells))
        if (counts != 2).any():
            bad = int(np.flatnonzero(counts != 2)[0])
            raise _WrongError(f"{self.called(cells[bad : bad + 1])} has {counts[bad]} moves left, not 2")
        self.decide(self.number[places], FORCED)

    def full(self, cells: Ints) -> None:
        """Cells with two forced edges."""
        if (self.used[cells] != 2).any():
            bad = int(np.flatnonzero(self.used[cells] != 2)[0])
            raise _WrongError(
                f"{self.called(cells[bad : bad + 1])} has {self.used[cells[bad]]} forced moves, not 2"
            )
        edges = self.number[self.around(cells)[0]]
        self.decide(edges[self.status[edges] == OPEN], OUT)

    def early(self, cells: Ints) -> None:
        """The ends of a forced path."""
        edge = self.edge(cells)
        a, b = cells.tolist()
        if self.used[a] != 1 or self.used[b] != 1 or self.far[a] != b or self.status[edge] == FORCED:
            raise _WrongError(f"{self.called(cells)} are not the ends of a path of forced moves")
        if self.length[a] >= self.size:
            raise _WrongError(f"the path between {self.called(cells)} visits every cell")
        self.decide(np.array([edge]), OUT)

    def tight(self, cells: Ints) -> None:
        """A set with as many neighbours as members."""
        near = self.neighbours(cells)
        if len(near) != len(cells):
            raise _WrongError(f"{len(cells)} cells have {len(near)} neighbours, not as many")
        places, _ = self.around(near)
        self.mark[cells] = True
        outside = places[~self.mark[self.heads[places]]]
        self.mark[cells] = False
        self.decide(self.number[outside], OUT)

    def spent(self, cells: Ints) -> None:
        """A set that leaves as many parts as it can serve."""
        parts, able, _, inside = self.counted(cells)
        if parts != able or not parts:
            raise _WrongError(f"without {len(cells)} cells there are {parts} parts, not {able}")
        self.decide(inside[self.status[inside] == OPEN], OUT)

    # ---- contradictions

    def only(self, cells: Ints) -> int:
        """The one cell that a step is about."""
        if len(cells) != 1:
            raise _WrongError(f"it is about one cell, not {len(cells)}")
        return int(cells[0])

    def degree(self, cells: Ints) -> None:
        """A cell with fewer than two edges."""
        cell = self.only(cells)
        if len(self.around(cells)[0]) >= 2:
            raise _WrongError(f"{self.name(cell)} has {len(self.around(cells)[0])} moves left")

    def three(self, cells: Ints) -> None:
        """A cell with three forced edges."""
        cell = self.only(cells)
        if self.used[cell] < 3:
            raise _WrongError(f"{self.name(cell)} has {self.used[cell]} forced moves")

    def cycle(self, cells: Ints) -> None:
        """Forced edges that close too early."""
        if not 3 <= len(cells) < self.size:
            raise _WrongError(f"a cycle through {len(cells)} of {self.size} cells is no contradiction")
        for a, b in pairwise([*cells.tolist(), int(cells[0])]):
            pair = np.array([a, b])
            if self.status[self.edge(pair)] != FORCED:
                raise _WrongError(f"{self.called(pair)} is not forced")

    def colours(self, cells: Ints) -> None:
        """A part with two colours of different sizes."""
        side = np.full(self.size, -1)
        front, colour, sizes = np.array([self.only(cells)]), 0, [0, 0]
        while front.size:
            side[front] = colour
            sizes[colour] += len(front)
            colour = 1 - colour
            near = self.neighbours(front)
            if (side[near] == 1 - colour).any():
                raise _WrongError("the cells cannot be coloured with two colours")
            front = near[side[near] < 0]
        if sizes[0] == sizes[1]:
            raise _WrongError(f"both colours have {sizes[0]} cells")

    def hall(self, cells: Ints) -> None:
        """A set with fewer neighbours than members."""
        near = len(self.neighbours(cells))
        if near >= len(cells):
            raise _WrongError(f"{len(cells)} cells have {near} neighbours, not fewer")

    def cut(self, cells: Ints) -> None:
        """A set that leaves more parts than it can serve."""
        parts, able, _, _ = self.counted(cells)
        if parts <= max(able, 0 if len(cells) else 1):
            raise _WrongError(f"without {len(cells)} cells there are {parts} parts, not more than {able}")
