"""Tours where moves go one way: the cycles of an assignment, patched, and a path that takes in the others.

1. Every cell is matched with a successor (`find.cycle_cover`): a directed cycle cover.
2. Successors are *exchanged*: a->b and c->d give way to a->d and c->b. Where these are arcs and the two lie
   on different cycles, the cycles become one (Karp 1979; Karp & Steele 1985).
3. A cycle that is left is opened and becomes a path, from a first cell b to a last cell c. An arc from c to
   a cell outside takes in the cycle there. An arc from c to b closes the path, and another cycle is opened.
   Else the path is *turned over*: an arc from c back to a cell g splits g … c off as a cycle, and an arc from
   the cell before g to a cell x among these takes it in again, so that the path ends before x. There are as
   many ends to choose from as two arcs in a row lead to; one that closes the path or takes a cycle in is
   preferred, else one is drawn. Where there is none, the cycle stays split off (Angluin & Valiant 1979).
   Now and then the path is walked from its other end. Where moves go both ways and an exchange joins hardly
   any two of thousands of cycles, as in random graphs, `find.join` lets the same path grow.
4. What still fails begins again from another assignment, seeded.

`Encoding.digraph` is all that is seen, and it is never claimed that there is no tour. `find.join` would look
for a tour of `Question.as_cycle`, which has three vertices for each cell, and on random digraphs of 10,000 it
fails where this takes 0.04 s.

a, b, c, … are cells, n their number.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.cycles.exchange import root
from cavalcade.cycles.walking import Links, mark
from cavalcade.find.cycle_cover import STEPS_PER_CELL, adjacency, is_arc, match
from cavalcade.find.tiers import Tries, in_tiers, steps_per_call
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Cells, Tier, Vector, next_random, seed_state
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import Rows
from cavalcade.question.question import Question

STATE, LENGTH, LEFT, DRAWN_I, DRAWN_J, COUNTERS = range(6)  # indices of `walk`, and its length; see `_grow`
LOOKED_AT = 24  # arcs of a cell that are looked at for the next end
# cells rewritten before the path is walked from its other end, for each cell and besides
TURN_PER_CELL, TURN_BESIDES = 30, 1_000
TURNS = 60  # in one try
CELLS_PER_CALL = 100_000  # whose successors are exchanged before the clock is read


class Path(NamedTuple):
    """A path, and the cycles outside: `at` a place its cell, `place` of a cell or -1, `spare` room for cells.

    Outside the path `nxt` is the successor of a cell; on it, nothing.
    """

    at: Vector
    place: Vector
    nxt: Vector
    spare: Vector


def directed(
    question: Question, budget: Budget, *, seed: int = 0, compiled: bool | None = None
) -> Cells | Undecided:
    """Look for a tour where moves go one way: an engine. A try that has begun is finished."""
    graph = question.encoding.digraph
    if graph.size < 2:
        return np.zeros(1, dtype=np.int32)
    for number in (tries := Tries(budget)):
        state = seed_state(seed * 1_000_003 + number)
        steps = STEPS_PER_CELL * graph.size * (number + 1)
        matched, cycle = in_tiers(partial(one_try, graph, state, None), budget, steps, compiled=compiled)
        if len(cycle):
            return question.cut(cycle)
        if matched < graph.size:
            reason = f"there is no cycle cover to join: {matched:,} of {graph.size:,} cells can be matched"
            return Undecided(reason, "join", seed)
    return Undecided(f"no {question.kind} tour found in {tries}", "join", seed)


def one_try(
    graph: MoveGraph, state: int, cover: Cells | None, tier: Tier, budget: Budget
) -> tuple[int, Cells]:
    """One try: match, if no cover (the successor of each cell) is given, patch, grow.

    Returns how many cells could be matched, and the cycle or nothing.
    """
    n = graph.size
    rng = np.random.default_rng(state)
    tails = graph.tails
    order = np.lexsort((rng.random(len(tails)), tails))  # the arcs of each cell, shuffled
    heads = graph.indices[order]
    back = np.argsort(heads, kind="stable")
    into = np.searchsorted(heads[back], np.arange(n + 1))
    out_rows, in_rows = adjacency(tier, graph.indptr, heads), adjacency(tier, into, tails[back])
    if cover is not None:
        links = Links(tier.vector(cover), tier.vector(np.argsort(cover).astype(np.int32)))
    else:
        links = Links(tier.full(n, -1), tier.full(n, -1))
        first = tier.vector(rng.permutation(n).astype(np.int32))
        matched = match(tier, out_rows, first, 0, links, budget, back=in_rows)
        if matched < n:
            return matched, np.zeros(0, dtype=np.int32)
    parent, joined = tier.full(n, -1), 1
    while joined:
        joined = 0
        for begin in range(0, n, CELLS_PER_CALL):
            end = min(begin + CELLS_PER_CALL, n)
            joined += tier(_patch)(out_rows, in_rows, links, parent, begin, end)
            budget.spend(len(heads) * (end - begin) / n)
    return n, tour_by_path(tier, out_rows, in_rows, links.p, state, budget)


def tour_by_path(tier: Tier, out_rows: Rows, in_rows: Rows, nxt: Vector, state: int, budget: Budget) -> Cells:
    """A tour grown as a path that takes in the cycles of a cover one by one; none if it takes too long.

    Arcs lead out of each cell by `out_rows`, and into it by `in_rows`, the same rows where moves go both
    ways. `nxt` is the successor of each cell on its cycle, and is written over.
    """
    n, walk = len(nxt), tier.full(COUNTERS)
    walk[STATE] = state
    path = Path(tier.full(n), tier.full(n, -1), nxt, tier.full(n))
    for turn in range(TURNS):
        left = TURN_PER_CELL * n + TURN_BESIDES
        while left > 0:
            walk[LEFT] = before = min(left, steps_per_call(tier))
            found = tier(_grow)(out_rows, in_rows, path, walk)
            left -= before - int(walk[LEFT])
            budget.spend(before - int(walk[LEFT]))
            if found:
                return np.asarray(path.at, dtype=np.int32)[:: -1 if turn % 2 else 1]
        out_rows, in_rows = in_rows, out_rows
        tier(_turn_round)(path, walk[LENGTH])
    return np.zeros(0, dtype=np.int32)


def _patch(out_rows: Rows, in_rows: Rows, links: Links, parent: Vector, begin: int, end: int) -> int:
    """Exchange the successors of these cells where that joins two cycles; returns how many it joins.

    In the union-find, -1 stands for cells whose cycles have not been seen.
    """
    indptr, indices = out_rows
    nxt, prv = links
    joined = 0
    for a in range(begin, end):
        if parent[a] < 0:
            mark(nxt, prv, a, parent, a)
        r = root(parent, a)
        for e in range(indptr[a], indptr[a + 1]):
            d = indices[e]
            if parent[d] == r:
                continue
            if parent[d] < 0:
                mark(nxt, prv, d, parent, d)
            s = root(parent, d)
            b, c = nxt[a], prv[d]
            if s == r or not is_arc(out_rows, in_rows, c, b):
                continue
            nxt[a] = d
            prv[d] = a
            nxt[c] = b
            prv[b] = c
            parent[s] = r
            joined += 1
    return joined


def _grow(out_rows: Rows, in_rows: Rows, path: Path, walk: Vector) -> bool:
    """Grow the path until it is a tour, or the budget is spent; returns whether it is one.

    `walk` holds the state of the random numbers, the length of the path, how many cells may still be
    rewritten, and where the next turn splits and takes in again.
    """
    indptr, indices = out_rows
    at, place = path.at, path.place
    n = len(at)
    while walk[LEFT] > 0:
        if walk[LENGTH] == 0:
            _open_cycle(in_rows, path, walk)
        length = walk[LENGTH]
        c, b = at[length - 1], at[0]
        low = indptr[c]
        degree = indptr[c + 1] - low
        walk[STATE] = next_random(walk[STATE])
        walk[LEFT] -= degree
        taken = False
        if length < n:
            for k in range(degree):
                g = indices[low + (k + walk[STATE]) % degree]
                if place[g] < 0:
                    _take_in(path, walk, g)
                    taken = True
                    break
        if taken:
            continue
        if is_arc(out_rows, in_rows, c, b):
            if length == n:
                return True
            _close(path, walk)
            continue
        if not _next_end(out_rows, in_rows, path, walk):
            g = indices[low + walk[STATE] % degree]
            _split_off(path, walk, place[g])
        else:
            _turn_over(path, walk)
    return False


def _open_cycle(in_rows: Rows, path: Path, walk: Vector) -> None:
    """Make a cycle the path; of some of its cells that with the most arcs to it becomes the first."""
    nxt = path.nxt
    walk[STATE] = next_random(walk[STATE])
    best = a = walk[STATE] % len(nxt)
    for _ in range(8):
        a = nxt[a]
        if in_rows.indptr[a + 1] - in_rows.indptr[a] > in_rows.indptr[best + 1] - in_rows.indptr[best]:
            best = a
    _take_in(path, walk, best)


def _take_in(path: Path, walk: Vector, g: int) -> None:
    """Append the cycle of g, from g on."""
    at, place, nxt, _ = path
    length = walk[LENGTH]
    a = g
    while True:
        at[length] = a
        place[a] = length
        length += 1
        a = nxt[a]
        if a == g:
            break
    walk[LEFT] -= length - walk[LENGTH]
    walk[LENGTH] = length


def _split_off(path: Path, walk: Vector, i: int) -> None:
    """Make a cycle of the cells from place i on, whose last one leads to the first of them."""
    at, place, nxt, _ = path
    length = walk[LENGTH]
    for k in range(i, length):
        place[at[k]] = -1
        nxt[at[k]] = at[k + 1] if k + 1 < length else at[i]
    walk[LEFT] -= length - i
    walk[LENGTH] = i


def _close(path: Path, walk: Vector) -> None:
    """Make a cycle of the whole path, and go on from another one."""
    place, length, n = path.place, walk[LENGTH], len(path.place)
    walk[STATE] = next_random(walk[STATE])
    other = walk[STATE] % n
    while place[other] >= 0:
        other = (other + 1) % n
    _split_off(path, walk, 0)
    walk[LEFT] -= length
    _take_in(path, walk, other)


def _next_end(out_rows: Rows, in_rows: Rows, path: Path, walk: Vector) -> bool:
    """Draw a turn: arcs from the last cell to place i and from the one before it to a later place j.

    Returns whether there is any.
    """
    indptr, indices = out_rows
    at, place, _, _ = path
    length, n = walk[LENGTH], len(at)
    b, c = at[0], at[length - 1]
    low = indptr[c]
    degree = indptr[c + 1] - low
    seen = 0
    for k in range(min(degree, LOOKED_AT)):
        i = place[indices[low + (k + walk[STATE]) % degree]]
        if i < 1:
            continue
        h = at[i - 1]
        from_h = indptr[h]
        many = indptr[h + 1] - from_h
        for m in range(min(many, LOOKED_AT)):
            j = place[indices[from_h + (m + walk[STATE]) % many]]
            if j <= i:
                continue
            y = at[j - 1]
            walk[LEFT] -= 1
            if length == n and is_arc(out_rows, in_rows, y, b):
                walk[DRAWN_I], walk[DRAWN_J] = i, j
                return True
            if length < n:
                for e in range(indptr[y], min(indptr[y + 1], indptr[y] + LOOKED_AT)):
                    if place[indices[e]] < 0:
                        walk[DRAWN_I], walk[DRAWN_J] = i, j
                        return True
            seen += 1
            walk[STATE] = next_random(walk[STATE])
            if walk[STATE] % seen == 0:
                walk[DRAWN_I], walk[DRAWN_J] = i, j
    return seen > 0


def _turn_over(path: Path, walk: Vector) -> None:
    """Move the cells of places i to j - 1 to the end of the path."""
    at, place, _, spare = path
    i, j, length = walk[DRAWN_I], walk[DRAWN_J], walk[LENGTH]
    for k in range(i, j):
        spare[k] = at[k]
    for k in range(j, length):
        at[k - j + i] = at[k]
        place[at[k]] = k - j + i
    for k in range(i, j):
        at[k + length - j] = spare[k]
        place[spare[k]] = k + length - j
    walk[LEFT] -= length - i


def _turn_round(path: Path, length: int) -> None:
    """Walk the path and all cycles the other way."""
    at, place, nxt, spare = path
    for k in range(length // 2):
        a, b = at[k], at[length - 1 - k]
        at[k] = b
        at[length - 1 - k] = a
    for k in range(length):
        place[at[k]] = k
    for a in range(len(at)):
        if place[a] < 0:
            spare[nxt[a]] = a
    for a in range(len(at)):
        if place[a] < 0:
            nxt[a] = spare[a]
