"""Local search, exact: where joining cycles is stuck, a ball of some hundred cells is decided.

`find.join` ends with a cover of one long cycle and a few short ones, which no exchange of two or three edges
joins. If there is a tour, another walk through the surroundings of a short cycle nearly always joins it; if
there is none, these surroundings often forbid it. So:

1. *Counting.* If 2-cycles remain, some cells may have too few moves (Ore 1957, Tutte 1952, for 2-factors).
   Where moves change colours, a maximum flow unties all 2-cycles or shows such cells. Elsewhere a search
   along alternating paths finds a set of such cells, for the rule `factor`; if most 2-cycles can be untied,
   the remaining ones may not show it, and a second cover, which begins with pairs, is searched.
2. *Mending.* Take a ball around a short cycle. The edges of the cover outside the ball stay, and each path of
   them becomes one vertex between its two ends in the ball. A Hamiltonian cycle of this small graph joins all
   cycles that the ball touches. SAT with cuts decides whether one exists (`refute.sat`), in some
   milliseconds, once edges that are in no cover are removed: this is counting, which SAT cannot do. If none
   exists, the next ball is twice as large. If no ball helps, an alternating path of any length breaks the
   cycle up, and the search begins again.
3. *Refuting.* A ball that fails is examined again, without the cover outside: if every choice of two edges at
   each of its cells closes a cycle in it, the graph has no Hamiltonian cycle. The proof is about the ball
   only.

n is the number of vertices; p and q are the two neighbours of each along its cycle, see `cycles.walking`.

Time: linear in n for each ball, 10 ms at a million cells, and what SAT takes.
"""

from __future__ import annotations

import heapq
import math

import numpy as np

from cavalcade.answers.certificate import SatProof, Step, StepProof
from cavalcade.answers.verdict import Undecided
from cavalcade.cycles.walking import cycle_of_all, label_cycles, replace_link, walk
from cavalcade.find.join import rejoined, stuck_cover
from cavalcade.find.two_factor import two_factor
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Cells, Tier, Vector, seed_state
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import Rows, broad, reached, rows_from, strong_components, two_colours
from cavalcade.question.question import Question
from cavalcade.refute.annealing import anneal, steps_of
from cavalcade.refute.sat import sat, sat_alone

SMALL = 300  # vertices up to which SAT decides the whole graph as fast
FEW = 2_000  # vertices up to which there is one try
SMALLEST, LARGEST = 40, 1_280  # cells of a ball, to begin with
SPARSE = 2  # edges a vertex below which covers are annealed
SPARSE_LARGEST = 640  # cells of a ball there
DETOURS = 16  # for one cover, or times that it is annealed
AGAIN = 4  # detours after which balls may be twice as large
ALONE = 80  # cells from which a ball that fails is looked at alone
SAT_CELL = 50_000  # work of SAT, for each cell of a ball
FEWER = 60  # attempts to refute fewer of them
FAR = 64  # neighbours from which a vertex is not part of any ball, as `*` of an open tour
STARTS = 8  # searches for the smallest set with too few moves, or for a detour from one cycle
MOST = 32  # searches for any such set
SEARCH = 50  # work for each edge, of a search along alternating paths
STEPS = 20  # inner steps for each vertex, for the choice of the tier


def local(
    question: Question, budget: Budget, *, seed: int = 0, tries: int | None = None
) -> Cells | StepProof | SatProof | Undecided:
    """Decide whether there is a tour where joining cycles is stuck: an engine.

    Its proof is about a part of the graph. It begins with `tries` covers at most; by default with one on
    small graphs, else with as many as the budget allows.
    """
    graph = question.as_cycle
    if question.symmetry is not None:
        return Undecided("local search does not support symmetric tours", "local", seed)
    if graph.size < SMALL:
        return Undecided(f"with {graph.size} vertices a ball is as large as the graph", "local", seed)
    number = left = 0
    most = tries or (1 if graph.size <= FEW else math.inf)
    black = two_colours(graph)
    compiled = is_sparse(graph) or None  # as what follows there is
    while not budget.over and number < most:
        rounds = None if black is None else 1
        cover = stuck_cover(graph, budget, seed=seed, number=number, compiled=compiled, rounds=rounds)
        number += 1
        if not len(cover):
            return Undecided("there is no cycle cover to begin with", "local", seed)
        few = np.zeros(0, dtype=np.int32)
        if black is not None:
            if (cover[:, 0] == cover[:, 1]).any():
                cover, few = two_factor(graph, black, cover, budget)
            if not few.size:
                cover = rejoined(graph, cover, budget, seed=seed)
        if few.size:
            return factor(few)
        stuck = StuckCover(graph, cover, budget, seed + number)
        if black is None and stuck.waiting().size:
            few = stuck.deficient_set()
            if number == 1 and not few.size:  # what can be untied hides what cannot
                pairs = stuck_cover(graph, budget, seed=seed, paired=True)
                few = StuckCover(graph, pairs, budget, seed).deficient_set() if len(pairs) else few
            if few.size:
                return factor(few)
        if (proof := stuck.join()) is not None:
            return proof
        left = stuck.count
        if left == 1:
            return question.cut(cycle_of_all(stuck.p, stuck.q))
    many = "1 try" if number == 1 else f"{number:,} tries"
    return Undecided(f"{left:,} cycles remain after {many}", "local", seed)


def is_sparse(graph: MoveGraph) -> bool:
    """Whether exchanges of two edges join few cycles, so that covers are annealed, in compiled code."""
    return graph.edge_count < SPARSE * graph.size


def factor(few: Cells) -> StepProof:
    """The proof that these vertices have too few moves."""
    return StepProof((Step("factor", tuple(few.tolist())),))


class StuckCover:
    """A cover whose cycles are to be joined.

    Args:
        graph: the graph.
        cover: (n, 2) the two neighbours of each vertex.
        budget: of the work.
        seed: of the random choices.
    """

    def __init__(self, graph: MoveGraph, cover: Cells, budget: Budget, seed: int) -> None:
        self.graph, self.seed, self.budget = graph, seed, budget
        self.sparse, self.far = is_sparse(graph), graph.degrees > FAR
        self.random = np.random.default_rng(abs(seed))
        self.tier = tier = Tier(max(STEPS * graph.size, steps_of(graph.size) if self.sparse else 0))
        self.p, self.q = (tier.vector(np.ascontiguousarray(side)) for side in cover.T)
        self.label, self.size = tier.full(graph.size), tier.full(graph.size)
        self.inside, self.beyond = tier.full(graph.size), tier.full(graph.size)
        self.relabel()

    def relabel(self) -> None:
        """Number the cycles, and see which is the longest."""
        self.count = self.numbers = int(self.tier(label_cycles)(self.p, self.q, self.label, self.size))
        self.main = int(np.argmax(np.asarray(self.size[: self.count])))

    def merge(self, cycles: set[int]) -> None:
        """Number these cycles, which have become one, as the longest of them: no cycle is walked along."""
        longest = max(sorted(cycles), key=self.size.__getitem__)
        names = np.arange(self.numbers, dtype=np.int32)
        for cycle in cycles - {longest}:
            names[cycle] = longest
            self.size[longest] += self.size[cycle]
        self.tier(_rename)(self.label, self.tier.vector(names))
        self.count -= len(cycles) - 1
        self.main = int(np.argmax(np.asarray(self.size[: self.numbers])))

    def heads(self) -> list[int]:
        """One cell of each cycle but the longest."""
        labels, first = np.unique(np.asarray(self.label), return_index=True)
        return [int(cell) for cell in first[labels != self.main]]

    def along(self, cell: int, most: int) -> list[int]:
        """The cycle through a cell, or so many cells of it."""
        path = self.tier.full(most)
        size = self.tier(walk)(self.p, self.q, cell, path, 0)
        return [int(a) for a in path[:size]]

    # ---- counting

    def waiting(self) -> Cells:
        """The vertices of 2-cycles."""
        return np.flatnonzero(np.asarray(self.p) == np.asarray(self.q)).astype(np.int32)

    def paths(self) -> Rows | None:
        """The digraph of alternating paths, if the budget allows it."""
        if not self.budget.spend(SEARCH * self.graph.edge_count):
            return None
        p, q = (np.asarray(side, dtype=np.int32) for side in (self.p, self.q))
        return alternating_paths(self.graph, p, q)

    def deficient_set(self) -> Cells:
        """A set I of vertices to which fewer than 2|I| moves lead; empty if no 2-cycle shows one.

        Follow alternating paths from a vertex a of a 2-cycle a=b: along edges that the cover does not use,
        and back along those that it does. If none arrives at b, the vertices where the paths set out from
        are such a set I. Both edges at a vertex where some arrive lead to I; all edges from I to another
        vertex are in the cover, and one of these is a=b, in which the cover has it twice.
        """
        n = self.graph.size
        waiting = self.waiting()
        found: Cells = np.zeros(0, dtype=np.int32)
        if not waiting.size or (paths := self.paths()) is None:
            return found
        for k, cell in enumerate(self.random.permutation(waiting)[:MOST]):
            if (found.size and k >= STARTS) or not self.budget.spend(SEARCH * self.graph.edge_count):
                break
            ends = reached(paths, cell)
            near = np.sort(ends[ends < n]).astype(np.int32)
            if not (ends == self.p[cell] + n).any() and (not found.size or len(near) < len(found)):
                found = near
        return found

    # ---- joining

    def join(self) -> SatProof | None:
        """Join what can be joined, the smallest balls first; a proof if one of them says that nothing can."""
        largest = SPARSE_LARGEST if self.sparse else LARGEST
        for detour in range(1, DETOURS + 1):
            if self.sparse and self.count > 1:
                self.anneal()
            queue = [(SMALLEST, cell) for cell in self.heads()]
            while queue and self.count > 1 and not self.budget.over:
                most, cell = heapq.heappop(queue)
                if self.label[cell] == self.main:
                    continue
                ball = self.ball(cell, most)
                joined = self.joined(ball)
                if joined is False and len(ball) >= ALONE and (proof := self.alone(ball)) is not None:
                    return proof
                if not joined and len(ball) == most and 2 * most <= largest:
                    heapq.heappush(queue, (2 * most, cell))
            if self.count == 1 or self.budget.over or not (self.sparse or self.take_detour()):
                break
            largest *= 2 if detour % AGAIN == 0 else 1
        return None

    def ball(self, cell: int, most: int) -> list[int]:
        """The cycle of a cell, or a part of it, and the vertices nearest to it, the nearest first."""
        found = dict.fromkeys(self.along(cell, most // 2))
        layer = list(found)
        while layer:
            after = []
            for a in layer:
                for b in () if self.far[a] else self.graph.neighbours(a).tolist():
                    if b not in found and not self.far[b]:
                        if len(found) == most:
                            return list(found)
                        found[b] = None
                        after.append(b)
            layer = after
        return list(found)

    def joined(self, ball: list[int]) -> bool | None:
        """Make one cycle of all that the ball touches; False if nothing does, None if it is not known."""
        p, q = self.p, self.q
        near = set(ball)
        cells = [a for a in ball if p[a] in near or q[a] in near]  # the others keep both of their moves
        cycles = {int(self.label[a]) for a in cells}
        if len(cycles) < 2:
            return None
        small, links = self.contracted(cells)
        found = next(sat(Question(small), self.budget.part(SAT_CELL * len(ball)), seed=self.seed))
        if isinstance(found, Undecided):
            return None
        if isinstance(found, SatProof):
            return False
        path = [cells[k] if k < len(cells) else -1 for k in found.tolist()]
        for before, a, after in zip(path[-1:] + path[:-1], path, path[1:] + path[:1], strict=True):
            if a >= 0:
                p[a], q[a] = (b if b >= 0 else links[a] for b in (before, after))
        self.merge(cycles)
        return True

    def contracted(self, cells: list[int]) -> tuple[MoveGraph, dict[int, int]]:
        """The small graph: these cells, and a vertex for each path outside; and the first cells of the paths.

        Of each cell one neighbour in the cover is among the cells, at least.
        """
        p, q, inside, beyond = self.p, self.q, self.inside, self.beyond
        for a in cells:
            inside[a] = 1
        self.tier(_outside)(p, q, inside, self.tier.vector(np.array(cells, dtype=np.int32)), beyond)
        for a in cells:
            inside[a] = 0
        number = {a: k for k, a in enumerate(cells)}
        rows = {a: self.graph.neighbours(a).tolist() for a in cells}
        edges = [(number[a], number[b]) for a, row in rows.items() for b in row if a < b and b in number]
        cover = [[number.get(int(p[a]), -1), number.get(int(q[a]), -1)] for a in cells]
        links = {a: int(q[a] if p[a] in number else p[a]) for a in cells if beyond[a] >= 0}
        for a in links:
            b = int(beyond[a])
            if a < b:
                for end in (number[a], number[b]):
                    edges.append((end, len(cover)))
                    cover[end][cover[end].index(-1)] = len(cover)
                cover.append([number[a], number[b]])
        small = MoveGraph.from_edges(edges, len(cover))
        return usable(small, *np.array(cover, dtype=np.int32).T), links

    def alone(self, ball: list[int]) -> SatProof | None:
        """A proof that these vertices, or some of them, cannot be passed, whatever is outside."""

        def refuted(cells: list[int]) -> SatProof | None:
            return sat_alone(self.graph, cells, self.budget.part(SAT_CELL * len(cells)), seed=self.seed)

        if (proof := refuted(ball)) is None:
            return None
        step, tried = len(ball) // 2, 0
        while step and tried < FEWER:  # the fewer, the better to read: leave out what is not needed
            at = len(ball) - step
            while at >= 0 and tried < FEWER:
                rest = ball[:at] + ball[at + step :]
                tried += 1
                if rest and (found := refuted(rest)) is not None:
                    ball, proof = rest, found
                at -= step
            step //= 2
        return proof

    # ---- detours

    def anneal(self) -> None:
        """Join cycles along closed alternating paths, and move those that do not join elsewhere."""
        rows = self.tier.vector(self.graph.indptr), self.tier.vector(self.graph.indices)
        state = seed_state(int(self.random.integers(2**31)))
        anneal(self.tier, rows, self.p, self.q, state, self.budget)
        self.relabel()

    def take_detour(self) -> bool:
        """Break a short cycle up by a closed alternating path of any length, where no ball does."""
        n, label = self.graph.size, self.label
        if (paths := self.paths()) is None:
            return False
        cell = int(self.random.choice(self.heads()))
        cells = self.along(cell, n)
        leaving = [(a, b) for a in cells for b in self.graph.neighbours(a).tolist() if label[b] != label[a]]
        for k in self.random.permutation(len(leaving))[:STARTS]:
            a, b = leaving[k]
            _, before, _ = broad(paths, n + b)
            if before[a] >= 0:
                path = [a]
                while path[-1] != b or len(path) % 2 == 1:
                    path.append(int(before[path[-1] + (len(path) % 2 == 0) * n]) % n)
                moves = list(zip(path, path[1:] + path[:1], strict=True))
                if len({frozenset(move) for move in moves}) == len(moves):
                    self.swap(moves)
                    return True
        return False

    def swap(self, moves: list[tuple[int, int]]) -> None:
        """Along a closed alternating path, edges go and come by turns; the first one goes."""
        p, q, size = self.p, self.q, len(moves)
        for k, (a, b) in enumerate(moves):
            if k % 2 == 0:
                replace_link(p, q, a, b, moves[k - 1][0])
                replace_link(p, q, b, a, moves[(k + 1) % size][1])
        self.relabel()


def alternating_paths(graph: MoveGraph, p: Cells, q: Cells) -> Rows:
    """The digraph of alternating paths: from a to n + b if the cover does not use a-b, back if it does."""
    n = graph.size
    tails = graph.tails
    free = (graph.indices != p[tails]) & (graph.indices != q[tails])
    every = np.arange(n, dtype=np.int32)
    rows = np.concatenate([tails[free], every + n, every + n])
    heads = np.concatenate([graph.indices[free] + n, p, q])
    return rows_from(2 * n, rows, heads)


def usable(graph: MoveGraph, p: Cells, q: Cells) -> MoveGraph:
    """The graph without edges that are in no cover by longer cycles.

    An edge that this cover does not use is in another only if an alternating path leads back from its end
    (Dulmage & Mendelsohn 1958; Régin 1994, for matchings). SAT cannot count so far by itself: balls of 300
    cells take it a second without this, balls of 600 for ever.
    """
    _, part = strong_components(alternating_paths(graph, p, q))
    tails, heads = graph.tails, graph.indices
    return graph.where((part[tails] == part[heads + graph.size]) | (heads == p[tails]) | (heads == q[tails]))


# ---- kernels


def _rename(label: Vector, names: Vector) -> None:
    """Change all numbers."""
    for a in range(len(label)):
        label[a] = names[label[a]]


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
