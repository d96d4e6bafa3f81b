"""Local search, exact: what a cycle cover is stuck at is decided in a ball of some hundred cells.

`find.join` ends with a cover of one long cycle and a few short ones, which no exchange of two or three edges
joins. Where there is a tour, nearly always the surroundings of a short cycle can be walked otherwise; where
there is none, it is often these surroundings that forbid it. So:

1. *Counting.* 2-cycles that are left show that the cells offer too few moves (Ore 1957, Tutte 1952, for
   2-factors). One search over alternating paths finds a set that says so, the rule `factor`.
2. *Mending.* Around a cycle that is left take a ball. What the cover walks outside is kept: each path there
   becomes one vertex between the two cells of the ball where it ends. A Hamiltonian cycle of this small graph
   makes one cycle of all that the ball touches. SAT with cuts decides whether there is one (`refute.sat`),
   in some milliseconds. If there is none, a ball twice as large is next.
3. *Refuting.* A ball that fails is looked at alone, whatever the cover does outside: if every choice of two
   edges at each of its cells closes a cycle in it, the graph has no Hamiltonian cycle at all. Its proof
   speaks of the ball alone.

n is the number of vertices; p and q are the two neighbours of each along its cycle.

Time: linear in n for each ball, 10 ms at a million cells, and what SAT takes.
"""

from __future__ import annotations

import heapq
import math
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from cavalcade.answers.certificate import SatProof, Step, StepProof
from cavalcade.answers.verdict import Undecided
from cavalcade.find.join import stuck_cover
from cavalcade.graph import MoveGraph
from cavalcade.kernels import Kernel, Tier
from cavalcade.problem import Problem
from cavalcade.refute.sat import sat, sat_alone

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cavalcade.kernels import Vector

    Cells = NDArray[np.int32]
    Cover = NDArray[np.int32]

SMALLEST, LARGEST = 40, 1_280  # cells of a ball
AGAIN = 4  # detours after which balls may be twice as large
ALONE = 150  # cells from which a ball that fails is looked at alone
SECONDS = 0.05  # for a ball of a hundred cells
FAR = 64  # neighbours from which a vertex is not part of any ball, as `*` of an open tour
STARTS = 8  # searches for a set with too few moves
STEPS = 20  # inner steps for each cell, for the choice of the tier


def local(
    problem: Problem, *, seed: int = 0, time_limit: float = 10.0, until: float = math.inf
) -> Cells | StepProof | SatProof | Undecided:
    """Decide whether there is a tour where joining cycles is stuck.

    Args:
        problem: the question; steps and symmetries are not looked at.
        seed: of the random choices.
        time_limit: seconds after which nothing new begins.
        until: the moment, of `time.perf_counter`, when a try to join breaks off.

    Returns:
        The cells of a tour, in order; or a proof that there is none, about a part of the graph; or why there
        is neither.
    """
    began = time.perf_counter()
    until = min(until, began + time_limit)
    graph = problem.as_cycle
    number = left = 0
    while time.perf_counter() < until:
        cover = stuck_cover(graph, seed=seed, number=number, until=until)
        number += 1
        if not len(cover):
            break
        surgery = _Surgery(graph, cover, seed, until)
        if (few := surgery.deficient_set()).size:
            return StepProof((Step("factor", tuple(few.tolist())),))
        if (proof := surgery.operate()) is not None:
            return proof
        left = surgery.count
        if left == 1:
            return problem.cut(surgery.cycle())
        if graph.size < 2 * ALONE:
            break
    many = "1 try" if number == 1 else f"{number:,} tries"
    reason = f"{left:,} cycles are left after {many}" if left else "there is no cycle cover to begin with"
    return Undecided(reason, "local", seed, time.perf_counter() - began)


class _Surgery:
    """One cover, whose cycles are joined.

    Args:
        graph: the graph.
        cover: (n, 2) the two neighbours of each vertex.
        seed: of the solver's random choices.
        until: the moment when to stop.
    """

    def __init__(self, graph: MoveGraph, cover: Cover, seed: int, until: float) -> None:
        self.graph, self.seed, self.until = graph, seed, until
        self.random = np.random.default_rng(abs(seed))
        self.tier = tier = Tier(STEPS * graph.size)
        self.p, self.q = (tier.give(np.ascontiguousarray(side)) for side in cover.T)
        self.label, self.size = tier.new(graph.size), tier.new(graph.size)
        self.inside, self.beyond = tier.new(graph.size), tier.new(graph.size, -1)
        self.relabel()

    def relabel(self) -> None:
        """Number the cycles."""
        self.count = int(self.tier(label_kernel)(self.p, self.q, self.label, self.size))
        self.main = int(np.argmax(np.asarray(self.size[: self.count])))

    def cycle(self) -> Cells:
        """The cells of the only cycle, in order."""
        path = [0, int(self.p[0])]
        while len(path) < self.graph.size:
            a, b = path[-2:]
            path.append(int(self.q[b] if self.p[b] == a else self.p[b]))
        return np.array(path, dtype=np.int32)

    def deficient_set(self) -> Cells:
        """A set I of vertices with fewer than 2|I| moves to offer; empty if no 2-cycle leads to one.

        Follow alternating paths from a vertex a of a 2-cycle a=b: along edges that the cover does not use,
        and back along those that it does. If none arrives at b, the vertices where the paths set out from
        are such a set I. Both edges at a vertex where some arrive lead to I; all edges from I to another
        vertex are in the cover, and one of these is a=b, in which the cover has it twice.
        """
        from scipy.sparse.csgraph import breadth_first_order

        n = self.graph.size
        p, q = np.asarray(self.p, dtype=np.int32), np.asarray(self.q, dtype=np.int32)
        waiting = np.flatnonzero(p == q)
        found: Cells = np.zeros(0, dtype=np.int32)
        if not waiting.size:
            return found
        paths = _alternating_paths(self.graph, p, q)
        for cell in self.random.permutation(waiting)[:STARTS]:
            if time.perf_counter() > self.until:
                break
            reached = breadth_first_order(paths, cell, return_predecessors=False)
            near = np.sort(reached[reached < n]).astype(np.int32)
            if not (reached == p[cell] + n).any() and (not found.size or len(near) < len(found)):
                found = near
        return found

    def operate(self) -> SatProof | None:
        """Join what can be joined, the smallest balls first; a proof if one of them says that nothing can."""
        largest, stuck = LARGEST, 0
        while self.count > 1 and time.perf_counter() < self.until:
            queue = [(SMALLEST, cell) for cell in self.heads()]
            while queue and time.perf_counter() < self.until:
                most, cell = heapq.heappop(queue)
                if self.label[cell] == self.main:
                    continue
                ball = self.ball(cell, most)
                joined = self.joined(ball)
                if joined is False and len(ball) >= ALONE and (proof := self.alone(ball)) is not None:
                    return proof
                if joined:
                    self.relabel()
                elif len(ball) == most and 2 * most <= largest:
                    heapq.heappush(queue, (2 * most, cell))
            if self.count == 1 or not self.reroute():
                break
            stuck += 1
            largest *= 2 if stuck % AGAIN == 0 else 1
        return None

    def heads(self) -> list[int]:
        """One cell of each cycle but the longest."""
        _, first = np.unique(np.asarray(self.label), return_index=True)
        return [int(cell) for label, cell in enumerate(first) if label != self.main]

    def reroute(self) -> bool:
        """Take an edge that leaves a short cycle into the cover, by the shortest alternating path."""
        from scipy.sparse.csgraph import breadth_first_order

        n, p, q = self.graph.size, self.p, self.q
        paths = _alternating_paths(self.graph, np.asarray(p, dtype=np.int32), np.asarray(q, dtype=np.int32))
        done = False
        for cell in self.heads():
            if self.label[cell] == self.main:
                continue
            cells = np.flatnonzero(np.asarray(self.label) == self.label[cell]).tolist()
            leaving = [(a, b) for a in cells for b in self.row(a) if self.label[b] != self.label[a]]
            for k in self.random.permutation(len(leaving))[:STARTS]:
                a, b = leaving[k]
                _, before = breadth_first_order(paths, n + b, return_predecessors=True)
                if before[a] < 0:
                    continue
                path = [a]
                while path[-1] != n + b:
                    path.append(int(before[path[-1]]))
                path = [node % n for node in path]  # a, and back to b: edges go and come by turns
                moves = [(min(one), max(one)) for one in zip(path, path[1:] + path[:1], strict=True)]
                if len(set(moves)) == len(moves):
                    self.swap(moves)
                    done = True
                    break
            if done:
                break
        self.relabel()
        return done

    def swap(self, moves: list[tuple[int, int]]) -> None:
        """Edges of an alternating closed path, the first of which goes."""
        p, q = self.p, self.q
        near = {a: [int(p[a]), int(q[a])] for a, _ in moves} | {b: [int(p[b]), int(q[b])] for _, b in moves}
        for k, (a, b) in enumerate(moves):
            if k % 2 == 0:
                near[a].remove(b)
                near[b].remove(a)
            else:
                near[a].append(b)
                near[b].append(a)
        for a, (b, c) in near.items():
            p[a], q[a] = b, c

    def ball(self, cell: int, most: int) -> list[int]:
        """The cycle of a cell, or a part of it, and the vertices nearest to it."""
        indptr, indices = self.graph.indptr, self.graph.indices
        found = {cell: None}
        a, b = cell, int(self.p[cell])
        while b not in found and len(found) < most // 2:
            found[b] = None
            a, b = b, int(self.q[b] if self.p[b] == a else self.p[b])
        layer = list(found)
        while layer:
            after = []
            for a in layer:
                if indptr[a + 1] - indptr[a] > FAR:
                    continue
                for b in indices[indptr[a] : indptr[a + 1]].tolist():
                    if b not in found and indptr[b + 1] - indptr[b] <= FAR:
                        if len(found) == most:
                            return list(found)
                        found[b] = None
                        after.append(b)
            layer = after
        return list(found)

    def joined(self, ball: list[int]) -> bool | None:
        """Make one cycle of all that the ball touches; False if nothing does, None if it is not known."""
        p, q, inside = self.p, self.q, self.inside
        for a in ball:
            inside[a] = 1
        kept = [a for a in ball if inside[p[a]] or inside[q[a]]]  # all moves of the others are outside
        for a in ball:
            inside[a] = 0
        for a in kept:
            inside[a] = 1
        self.tier(outside_kernel)(p, q, inside, self.tier.give(np.array(kept, dtype=np.int32)), self.beyond)
        size = len(kept)
        if len({self.label[a] for a in kept}) < 2:
            for a in kept:
                inside[a] = 0
            return None
        number = {a: k for k, a in enumerate(kept)}
        links = [(number[a], number[int(self.beyond[a])]) for a in kept if self.beyond[a] > a]
        edges = [(number[a], number[b]) for a in kept for b in self.row(a) if a < b and b in number]
        cover = np.array([[number.get(p[a], -1), number.get(q[a], -1)] for a in kept] + links, dtype=np.int32)
        for k, (a, b) in enumerate(links, size):
            edges += [(a, k), (b, k)]
            cover[a][cover[a] < 0] = cover[b][cover[b] < 0] = k
        for a in kept:
            inside[a] = 0
        small = _usable(MoveGraph.from_edges(edges, size + len(links)), cover)
        left = self.until - time.perf_counter()
        found = sat(Problem.of(small), seed=self.seed, time_limit=min(SECONDS * len(ball) / 100, left))
        if isinstance(found, Undecided):
            return None
        if isinstance(found, SatProof):
            return False
        path = [kept[k] if k < size else -1 for k in found.tolist()]
        for before, a, after in zip(path[-1:] + path[:-1], path, path[1:] + path[:1], strict=True):
            if a >= 0:
                kept_link = q[a] if p[a] in number else p[a]  # if there is a path outside
                p[a], q[a] = (b if b >= 0 else kept_link for b in (before, after))
        return True

    def alone(self, ball: list[int]) -> SatProof | None:
        """A proof that already these vertices cannot be passed, whatever is outside."""
        left = self.until - time.perf_counter()
        return sat_alone(self.graph, ball, seed=self.seed, time_limit=min(SECONDS * len(ball) / 100, left))

    def row(self, a: int) -> list[int]:
        """The neighbours of a vertex."""
        row: list[int] = self.graph.indices[self.graph.indptr[a] : self.graph.indptr[a + 1]].tolist()
        return row


def _alternating_paths(graph: MoveGraph, p: Cells, q: Cells) -> Any:  # noqa: ANN401 - SciPy has no types
    """The digraph of alternating paths: from a to n + b for an edge a-b that is free, back for the others."""
    from scipy.sparse import csr_array

    n = graph.size
    tails = np.repeat(np.arange(n, dtype=np.int32), graph.degrees)
    free = (graph.indices != p[tails]) & (graph.indices != q[tails])
    every = np.arange(n, dtype=np.int32)
    rows = np.concatenate([tails[free], every + n, every + n])
    heads = np.concatenate([graph.indices[free] + n, p, q])
    return csr_array((np.ones(len(rows), dtype=np.int8), (rows, heads)), shape=(2 * n, 2 * n))


def _usable(graph: MoveGraph, cover: Cover) -> MoveGraph:
    """The graph without the edges that are in no cover, of a cover without 2-cycles.

    An edge that is free is in another cover only if an alternating path leads back from its end (Dulmage &
    Mendelsohn 1958; Régin 1994, for matchings). This is what SAT cannot count by itself.
    """
    from scipy.sparse.csgraph import connected_components

    p, q = cover.T
    _, part = connected_components(_alternating_paths(graph, p, q), connection="strong")
    tails = np.repeat(np.arange(graph.size, dtype=np.int32), graph.degrees)
    heads = graph.indices
    kept = (part[tails] == part[heads + graph.size]) | (heads == p[tails]) | (heads == q[tails])
    return MoveGraph.from_edges(np.stack([tails, heads], axis=1)[kept], graph.size)


# ---- kernels


def _label(p: Vector, q: Vector, label: Vector, size: Vector) -> int:
    """Number the cycles, and count the cells of each; returns how many there are."""
    for a in range(len(p)):
        label[a] = -1
    count = 0
    for first in range(len(p)):
        if label[first] >= 0:
            continue
        size[count] = 0
        before, a = first, first
        while label[a] < 0:
            label[a] = count
            size[count] += 1
            after = q[a] if p[a] == before else p[a]
            before, a = a, after
        count += 1
    return count


def _outside(p: Vector, q: Vector, inside: Vector, cells: Vector, beyond: Vector) -> None:
    """For each of these cells, the one at the other end of its path outside, -1 if it has none."""
    for k in range(len(cells)):
        beyond[cells[k]] = -1
    for k in range(len(cells)):
        before = cells[k]
        a = q[before] if inside[p[before]] else p[before]
        if beyond[before] >= 0 or inside[a]:
            continue
        while not inside[a]:
            after = q[a] if p[a] == before else p[a]
            before, a = a, after
        beyond[cells[k]] = a
        beyond[a] = cells[k]


label_kernel = Kernel(_label)
outside_kernel = Kernel(_outside)
