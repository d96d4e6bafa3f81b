"""Exact local search where joining cycles is stuck: balls of some hundred cells are decided.

`find.join` ends with a cover of one long cycle and a few short ones that no exchange of two or three edges
joins. If there is a tour, another walk through the surroundings of a short cycle nearly always joins it.
If there is none, these surroundings often forbid one. So the search has three parts:

1. *Counting.* If 2-cycles remain, some cells may have too few moves (Ore 1957, Tutte 1952, for 2-factors).
   Where moves change colours, a maximum flow unties all 2-cycles or shows such cells. Elsewhere a search
   along alternating paths finds a set of such cells, for the rule `factor`. If most 2-cycles can be untied,
   the search may miss the others, so it also looks at a second cover, which begins with pairs.
2. *Repair.* Take a ball around a short cycle. The edges of the cover outside the ball stay, and each path of
   them becomes one vertex between its two ends in the ball. A Hamiltonian cycle of this small graph joins all
   cycles that the ball touches. SAT with cuts (`refute.sat`) decides whether one exists in some milliseconds,
   once edges that are in no cover are removed; that takes counting, which SAT cannot do. If none exists, the
   next ball is twice as large. If no ball helps, an alternating path breaks the cycle up, and the search
   begins again.
3. *Refutation.* A ball that fails is examined again, without the cover outside. If every choice of two edges
   at each of its cells closes a cycle in it, the graph has no Hamiltonian cycle. The proof is about the ball
   only.

n is the number of vertices; p and q list the two neighbours along the cycles of the cover, see
`cycles.walking`.

Time: linear in n for each ball, 10 ms at a million cells, and the time of SAT.
"""

from __future__ import annotations

import heapq

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
from cavalcade.refute.sat import is_sparse, sat, sat_alone
from cavalcade.refute.sets import PASS

# Vertices of a graph below which nothing is done: SAT decides it as a whole just as fast.
SMALL = 300
# Cells of the first ball around a cycle and of the largest ball; sizes double in between.
# Small balls are decided in milliseconds; beyond the largest, a detour and new small balls cost less.
SMALLEST, LARGEST = 40, 1_280
# Counted work after which SAT leaves a ball undecided, for each of its cells: 0.5 ms.
SAT_PER_CELL = 50_000
# Attempts to refute a subset of a refuted ball: more attempts give shorter proofs, at one call of SAT each.
SHORTER = 60
# Vertices at which a search for a deficient set begins, or edges at which a detour may leave a cycle.
STARTS = 16


def local(question: Question, budget: Budget, *, seed: int = 0) -> Cells | StepProof | SatProof | Undecided:
    """Decide whether there is a tour if joining cycles is stuck: an engine. Its proofs are about a part.

    Args:
        question: the question.
        budget: the work that may be done.
        seed: of the random choices.
    """
    graph = question.as_cycle
    if question.symmetry is not None:
        return Undecided("local search does not support symmetric tours", "local", seed)
    if graph.size < SMALL:
        return Undecided(f"with {graph.size} vertices a ball is as large as the graph", "local", seed)
    black = two_colours(graph)
    compiled = is_sparse(graph) or None  # annealing is compiled, and loads numba in any case
    rounds = None if black is None else 1
    cover = stuck_cover(graph, budget, seed=seed, compiled=compiled, rounds=rounds)
    if not len(cover):
        return Undecided("there is no cycle cover to begin with", "local", seed)
    deficient: Cells = np.zeros(0, dtype=np.int32)
    if black is not None:
        if (cover[:, 0] == cover[:, 1]).any():
            cover, deficient = two_factor(graph, black, cover, budget)
        if deficient.size:
            return _too_few_moves(deficient)
        cover = rejoined(graph, cover, budget, seed=seed)
    stuck = StuckCover(graph, cover, budget, seed + 1)
    if black is None and stuck.waiting().size:
        deficient = stuck.deficient_set()
        if not deficient.size:
            # Many 2-cycles that can be untied hide a few that cannot: also look at a cover made of pairs.
            pairs = stuck_cover(graph, budget, seed=seed, paired=True)
            if len(pairs):
                deficient = StuckCover(graph, pairs, budget, seed).deficient_set()
        if deficient.size:
            return _too_few_moves(deficient)
    if (proof := stuck.join()) is not None:
        return proof
    if stuck.count == 1:
        return question.cut(cycle_of_all(stuck.p, stuck.q))
    return Undecided(f"{stuck.count:,} cycles remain", "local", seed)


def _too_few_moves(deficient: Cells) -> StepProof:
    """The proof that too few moves lead to some vertices."""
    return StepProof((Step("factor", tuple(deficient.tolist())),))


class StuckCover:
    """A cover whose cycles are to be joined.

    Args:
        graph: the graph.
        cover: the two neighbours of each vertex, shape (n, 2).
        budget: the work that may be done.
        seed: of the random choices.

    Attributes:
        sparse: whether exchanges of two edges join few cycles, so that the cover is annealed.
        p, q: the two neighbours along the cycle through each vertex.
        label: the number of the cycle of each vertex.
        size: the number of vertices of each cycle.
        count: the number of cycles.
        labels: the number of labels; some are unused after cycles have been merged.
        longest: the label of the longest cycle.
        inside, beyond: scratch space for `_outside`.
    """

    def __init__(self, graph: MoveGraph, cover: Cells, budget: Budget, seed: int) -> None:
        self.graph, self.seed, self.budget = graph, seed, budget
        self.sparse, self.degrees = is_sparse(graph), graph.degrees
        self.random = np.random.default_rng(abs(seed))
        self.tier = tier = Tier(max(PASS * graph.size, steps_of(graph.size) if self.sparse else 0))
        self.p, self.q = (tier.vector(np.ascontiguousarray(side)) for side in cover.T)
        self.label, self.size = tier.full(graph.size), tier.full(graph.size)
        self.inside, self.beyond = tier.full(graph.size), tier.full(graph.size)
        self.relabel()

    def relabel(self) -> None:
        """Number the cycles, and find the longest one."""
        self.count = self.labels = int(self.tier(label_cycles)(self.p, self.q, self.label, self.size))
        self.longest = int(np.argmax(np.asarray(self.size[: self.count])))

    def merge(self, cycles: set[int]) -> None:
        """Give cycles that have become one cycle the label of the longest of them."""
        largest = max(sorted(cycles), key=self.size.__getitem__)
        renamed = np.arange(self.labels, dtype=np.int32)
        for cycle in cycles - {largest}:
            renamed[cycle] = largest
            self.size[largest] += self.size[cycle]
        self.label = self.tier.vector(renamed[np.asarray(self.label)])
        self.count -= len(cycles) - 1
        self.longest = int(np.argmax(np.asarray(self.size[: self.labels])))

    def heads(self) -> list[int]:
        """Select a vertex of each cycle, except of the longest cycle."""
        labels, first = np.unique(np.asarray(self.label), return_index=True)
        return [int(cell) for cell in first[labels != self.longest]]

    def along(self, cell: int, limit: int) -> list[int]:
        """The vertices of the cycle through a cell, at most `limit`."""
        path = self.tier.full(limit)
        size = self.tier(walk)(self.p, self.q, cell, path, 0)
        return [int(a) for a in path[:size]]

    # ---- counting

    def waiting(self) -> Cells:
        """The vertices of 2-cycles."""
        return np.flatnonzero(np.asarray(self.p) == np.asarray(self.q)).astype(np.int32)

    def paths(self) -> Rows | None:
        """The digraph of alternating paths, if the budget allows it."""
        if not self.budget.spend(PASS * self.graph.edge_count):
            return None
        p, q = (np.asarray(side, dtype=np.int32) for side in (self.p, self.q))
        return alternating_paths(self.graph, p, q)

    def deficient_set(self) -> Cells:
        """A set I of vertices to which fewer than 2|I| moves lead; empty if the search finds none.

        Follow alternating paths from a vertex a of a 2-cycle a=b: along edges that the cover does not use,
        and back along edges that it uses. Let I be the vertices from which such paths go on along unused
        edges. If no path arrives at b, I is deficient: both cover edges at a vertex where paths arrive lead
        to I, all edges from I to any other vertex are in the cover, and the cover has a=b twice.
        """
        n = self.graph.size
        waiting = self.waiting()
        deficient: Cells = np.zeros(0, dtype=np.int32)
        if not waiting.size or (paths := self.paths()) is None:
            return deficient
        for cell in self.random.permutation(waiting)[:STARTS]:
            if not self.budget.spend(PASS * self.graph.edge_count):
                break
            ends = reached(paths, cell)
            starts = np.sort(ends[ends < n]).astype(np.int32)
            arrives = (ends == self.p[cell] + n).any()
            if not arrives and (not deficient.size or len(starts) < len(deficient)):
                deficient = starts
        return deficient

    # ---- joining

    def join(self) -> SatProof | None:
        """Join cycles in balls, the smallest balls first, until the budget is over.

        Returns:
            A proof if a ball cannot be visited by any tour.
        """
        while self.count > 1 and not self.budget.over:
            if self.sparse:
                self.anneal()
            queue = [(SMALLEST, cell) for cell in self.heads()]
            while queue and self.count > 1 and not self.budget.over:
                limit, cell = heapq.heappop(queue)
                if self.label[cell] == self.longest:
                    continue
                ball = self.ball(cell, limit)
                joined = self.joined(ball)
                if joined is False and limit > SMALLEST and (proof := self.alone(ball)) is not None:
                    return proof
                if not joined and len(ball) == limit < LARGEST:
                    heapq.heappush(queue, (2 * limit, cell))
            if self.count > 1 and not (self.sparse or self.take_detour()):
                break
        return None

    def ball(self, cell: int, limit: int) -> list[int]:
        """The cycle of a cell, or a part of it, and the vertices nearest to it, by breadth-first search.

        A vertex with more neighbours than the ball has room for, such as `*` of an open tour, is left out:
        nearly all vertices would be near to it.

        Args:
            cell: a cell of the cycle.
            limit: the largest number of vertices of the ball.
        """
        ball = dict.fromkeys(self.along(cell, limit // 2))
        queue = list(ball)
        for a in queue:
            for b in self.graph.neighbours(a).tolist() if self.degrees[a] < limit else ():
                if b not in ball and self.degrees[b] < limit:
                    if len(ball) == limit:
                        return list(ball)
                    ball[b] = None
                    queue.append(b)
        return list(ball)

    def joined(self, ball: list[int]) -> bool | None:
        """Make one cycle of all cycles that a ball touches; False if impossible, None if undecided."""
        p, q = self.p, self.q
        in_ball = set(ball)
        # The other cells keep both of their moves.
        cells = [a for a in ball if p[a] in in_ball or q[a] in in_ball]
        cycles = {int(self.label[a]) for a in cells}
        if len(cycles) < 2:
            return None
        small, links = self.contracted(cells)
        answer = next(sat(Question(small), self.budget.part(SAT_PER_CELL * len(ball)), seed=self.seed))
        if isinstance(answer, Undecided):
            return None
        if isinstance(answer, SatProof):
            return False
        # -1 stands for a vertex that replaces a path outside: its neighbours keep their links to that path.
        path = [cells[k] if k < len(cells) else -1 for k in answer.tolist()]
        for before, a, after in zip(path[-1:] + path[:-1], path, path[1:] + path[:1], strict=True):
            if a >= 0:
                p[a], q[a] = (b if b >= 0 else links[a] for b in (before, after))
        self.merge(cycles)
        return True

    def contracted(self, cells: list[int]) -> tuple[MoveGraph, dict[int, int]]:
        """Replace each path of the cover outside some cells by one vertex.

        Args:
            cells: vertices, each with at least one cover neighbour among them.

        Returns:
            The small graph of the cells and a vertex for each path, without edges that are in no cover; and
            for each cell at the end of a path the first vertex of that path.
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
        """A proof that no tour can visit these vertices, whatever it does elsewhere; None without one.

        A proof about fewer vertices is easier to read, so blocks of half the ball, then a quarter, and so on
        are left out as long as the rest is still refuted.
        """

        def refuted(cells: list[int]) -> SatProof | None:
            return sat_alone(self.graph, cells, self.budget.part(SAT_PER_CELL * len(cells)), seed=self.seed)

        if (proof := refuted(ball)) is None:
            return None
        step, tried = len(ball) // 2, 0
        while step and tried < SHORTER:
            begin = len(ball) - step
            while begin >= 0 and tried < SHORTER:
                rest = ball[:begin] + ball[begin + step :]
                tried += 1
                if rest and (shorter := refuted(rest)) is not None:
                    ball, proof = rest, shorter
                begin -= step
            step //= 2
        return proof

    # ---- detours

    def anneal(self) -> None:
        """Change the cover along closed alternating paths, which joins cycles or moves them elsewhere."""
        rows = self.tier.vector(self.graph.indptr), self.tier.vector(self.graph.indices)
        state = seed_state(int(self.random.integers(2**31)))
        anneal(self.tier, rows, self.p, self.q, state, self.budget)
        self.relabel()

    def take_detour(self) -> bool:
        """Break up a short cycle by a closed alternating path of any length; False if none was found."""
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
                # Walk back from a to b, by turns along unused and used edges.
                path = [a]
                while path[-1] != b or len(path) % 2 == 1:
                    path.append(int(before[path[-1] + (len(path) % 2 == 0) * n]) % n)
                moves = list(zip(path, path[1:] + path[:1], strict=True))
                if len({frozenset(move) for move in moves}) == len(moves):  # no edge occurs twice
                    self.swap(moves)
                    return True
        return False

    def swap(self, moves: list[tuple[int, int]]) -> None:
        """Remove and add the edges of a closed alternating path by turns; the first one is removed."""
        p, q, size = self.p, self.q, len(moves)
        for k, (a, b) in enumerate(moves):
            if k % 2 == 0:
                replace_link(p, q, a, b, moves[k - 1][0])
                replace_link(p, q, b, a, moves[(k + 1) % size][1])
        self.relabel()


def alternating_paths(graph: MoveGraph, p: Cells, q: Cells) -> Rows:
    """The digraph of alternating paths: from a to n + b for an unused edge a-b, back for a used one."""
    n = graph.size
    tails = graph.tails
    free = (graph.indices != p[tails]) & (graph.indices != q[tails])
    vertices = np.arange(n, dtype=np.int32)
    rows = np.concatenate([tails[free], vertices + n, vertices + n])
    heads = np.concatenate([graph.indices[free] + n, p, q])
    return rows_from(2 * n, rows, heads)


def usable(graph: MoveGraph, p: Cells, q: Cells) -> MoveGraph:
    """The graph without edges that are in no cover.

    An edge that this cover does not use is in another cover only if an alternating path leads back from its
    end (Dulmage & Mendelsohn 1958; Régin 1994, for matchings). SAT cannot count: without this filter, balls
    of 300 cells take it a second, and balls of 600 cells do not end.
    """
    _, part = strong_components(alternating_paths(graph, p, q))
    tails, heads = graph.tails, graph.indices
    return graph.where((part[tails] == part[heads + graph.size]) | (heads == p[tails]) | (heads == q[tails]))


# ---- kernels


def _outside(p: Vector, q: Vector, inside: Vector, cells: Vector, beyond: Vector) -> None:
    """Find the other end of the path outside that begins at each of some cells.

    Args:
        p: one neighbour along the cycle through each vertex.
        q: the other neighbour.
        inside: 1 for the cells, 0 for all other vertices.
        cells: the cells, each with at least one neighbour inside.
        beyond: receives for each cell the cell at the other end of its path, -1 if it has no path outside.
    """
    for k in range(len(cells)):
        beyond[cells[k]] = -1
    for k in range(len(cells)):
        before = cells[k]
        # Step out of the cells. Skip a cell whose path is known from its other end, or that has no path.
        a = q[before] if inside[p[before]] else p[before]
        if beyond[before] >= 0 or inside[a]:
            continue
        while not inside[a]:
            after = q[a] if p[a] == before else p[a]
            before, a = a, after
        beyond[cells[k]] = a
        beyond[a] = cells[k]
