"""Join: a tour by joining the cycles of a cycle cover.

1. A *cycle cover* by a maximum matching of cells to successors: first pairs of neighbours (2-cycles
   count as cycles), then augmenting paths (Pothen & Fan 1990, depth first with lookahead).
2. Every two cycles that allow it are *joined* by an exchange of two edges: a-b of one and c-d of the
   other give way to a-c and b-d. A union-find knows which cells share a cycle. Cells are scanned in
   index order, which keeps the memory traffic local.
3. 2-cycles that are left are *untied*, each by the shortest alternating path between its two cells, and
   the joining goes on. This is what closes boards with many cells of two moves (holes, zebra, antelope).
4. The few cycles left even then are *mended* locally: joined by exchanges of two or three edges, or,
   where no exchange joins, moved elsewhere by one that does not (the smaller cycle swallows a piece of
   its neighbourhood and leaves another piece behind), until two of them meet.
5. What still fails begins again from a shuffled matching, seeded.

Patching the cycles of an assignment is Karp's (1979); the exchanges are those of local search for the
travelling salesman (Lin 1965), here between cycles instead of within a tour. Nothing is ever relabelled
as a whole: every step costs what it touches. The engine works on any graph and never claims that there
is no tour.

a, b, c, … are cells, n their number; `nxt` and `prv` are the neighbours along a cycle.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.kernels import Kernel, Tier, next_random, seed_state

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cavalcade.graph import MoveGraph
    from cavalcade.kernels import Vector
    from cavalcade.problem import Problem

STEPS_PER_CELL = 60  # inner steps of one try, for the choice of the tier
PATIENCE = 0.3  # seconds of interpreted tries before the kernels are compiled
BUDGET = 100  # cells scanned for each cycle in one round of mending, and every cell once
ROUNDS = 5  # of joining, mending and untying in one try


def _linked(indptr: Vector, indices: Vector, a: int, b: int) -> bool:
    """Whether a and b are neighbours; looks through the shorter row."""
    if indptr[a + 1] - indptr[a] > indptr[b + 1] - indptr[b]:
        a, b = b, a
    for e in range(indptr[a], indptr[a + 1]):
        if indices[e] == b:
            return True
    return False


def _cover(
    indptr: Vector,
    indices: Vector,
    order: Vector,
    state: int,
    nxt: Vector,
    prv: Vector,
    seen: Vector,
    here: Vector,
    ahead: Vector,
    stack: Vector,
) -> int:
    """Match cells to successors as far as they go; -1 in `nxt` where there is none. Returns how many.

    `order` is the order in which cells choose; `state` draws where in its row each begins to look, 0
    for the beginning.
    """
    n = len(indptr) - 1
    matched = 0
    for i in range(n):
        u = order[i]
        low = indptr[u]
        degree = indptr[u + 1] - low
        if nxt[u] >= 0 or degree == 0:
            continue
        shift = 0
        if state > 0:
            state = next_random(state)
            shift = state % degree
        for k in range(degree):
            v = indices[low + (k + shift) % degree]
            if nxt[v] < 0:
                nxt[u] = v
                nxt[v] = u
                prv[u] = v
                prv[v] = u
                matched += 2
                break
    for u in range(n):
        ahead[u] = indptr[u]
        seen[u] = 0
    phase = 0
    gained = 1
    while matched < n and gained > 0:
        phase += 1
        gained = 0
        for i in range(n):
            root = order[i]
            if nxt[root] >= 0:
                continue
            depth = 0
            stack[0] = root
            here[root] = indptr[root]
            while depth >= 0:
                u = stack[depth]
                end = indptr[u + 1]
                found = -1
                while ahead[u] < end:
                    v = indices[ahead[u]]
                    ahead[u] += 1
                    if prv[v] < 0:
                        found = v
                        break
                if found >= 0:  # flip the path: each on the stack takes what the one above it gives up
                    while depth >= 0:
                        u = stack[depth]
                        v = nxt[u]
                        nxt[u] = found
                        prv[found] = u
                        found = v
                        depth -= 1
                    gained += 1
                    break
                deeper = False
                while here[u] < end:
                    v = indices[here[u]]
                    here[u] += 1
                    if seen[v] != phase:
                        seen[v] = phase
                        depth += 1
                        stack[depth] = prv[v]
                        here[prv[v]] = indptr[prv[v]]
                        deeper = True
                        break
                if not deeper:
                    depth -= 1
        matched += gained
    return matched


def _root(parent: Vector, a: int) -> int:
    """The representative of a's cycle in the union-find; halves the path on the way."""
    while parent[a] != a:
        parent[a] = parent[parent[a]]
        a = parent[a]
    return a


def _join(indptr: Vector, indices: Vector, p: Vector, q: Vector, parent: Vector) -> int:
    """Join cycles by two-edge exchanges until no more allow it; returns how many are left.

    p and q are the two neighbours of each cell along its cycle, in no order.
    """
    n = len(indptr) - 1
    cycles = n
    for a in range(n):
        parent[a] = a
    for a in range(n):
        for t in range(2):
            r, s = _root(parent, a), _root(parent, p[a] if t == 0 else q[a])
            if r != s:
                parent[max(r, s)] = min(r, s)
                cycles -= 1
    changed = True
    while changed and cycles > 1:
        changed = False
        for a in range(n):
            r = _root(parent, a)
            side = 0
            while side < 2:
                b = p[a] if side == 0 else q[a]
                joined = False
                for e in range(indptr[a], indptr[a + 1]):
                    c = indices[e]
                    s = _root(parent, c)
                    if s == r:
                        continue
                    for t in range(2):
                        d = p[c] if t == 0 else q[c]
                        if _linked(indptr, indices, b, d):
                            if side == 0:
                                p[a] = c
                            else:
                                q[a] = c
                            if p[b] == a:
                                p[b] = d
                            else:
                                q[b] = d
                            if t == 0:
                                p[c] = a
                            else:
                                q[c] = a
                            if p[d] == c:
                                p[d] = b
                            else:
                                q[d] = b
                            parent[max(r, s)] = min(r, s)
                            r = min(r, s)
                            cycles -= 1
                            joined = True
                            break
                    if joined:
                        break
                if joined:
                    changed = True
                    if cycles == 1:
                        return 1
                else:
                    side += 1
    return cycles


def _orient(p: Vector, q: Vector, nxt: Vector, prv: Vector, label: Vector, size: Vector, head: Vector) -> int:
    """Walk every cycle once: give it a direction, a label, a size and a head. Returns their number."""
    cycles = 0
    for a in range(len(p)):
        label[a] = -1
    for first in range(len(p)):
        if label[first] >= 0:
            continue
        a, b = first, p[first]
        length = 0
        while length == 0 or a != first:
            nxt[a] = b
            prv[b] = a
            label[a] = cycles
            length += 1
            c = q[b] if p[b] == a else p[b]
            a, b = b, c
        head[cycles] = first
        size[cycles] = length
        cycles += 1
    return cycles


def _turn(nxt: Vector, prv: Vector, first: int, last: int) -> None:
    """Reverse the piece from first to last along `nxt`; its outer links are the caller's to set."""
    a = first
    while True:
        b = nxt[a]
        nxt[a] = prv[a]
        prv[a] = b
        if a == last:
            break
        a = b


def _absorb(nxt: Vector, label: Vector, size: Vector, head: Vector, x: int, y: int) -> int:
    """Give the smaller of the cycles x and y (y, if equal, stays) the label of the larger: the answer."""
    if size[x] > size[y]:
        x, y = y, x
    a = head[x]
    for _ in range(size[x]):
        label[a] = y
        a = nxt[a]
    size[y] += size[x]
    size[x] = 0
    return y


def _link(nxt: Vector, prv: Vector, a: int, b: int) -> None:
    nxt[a] = b
    prv[b] = a


def _two(nxt: Vector, prv: Vector, a: int, b: int, c: int, d: int) -> None:
    """Join two cycles: a-b of one and c→d of the other give way to c→a and b→d."""
    if prv[a] != b:
        _turn(nxt, prv, b, a)
    _link(nxt, prv, c, a)
    _link(nxt, prv, b, d)


def _near(nxt: Vector, c: int, d: int, e: int, f: int, reach: int) -> bool:
    """Whether one of the pieces d … f and e … c, along `nxt`, has at most `reach` cells."""
    for _ in range(reach):
        if d == f or e == c:
            return True
        d = nxt[d]
        e = nxt[e]
    return False


def _three(nxt: Vector, prv: Vector, a: int, b: int, c: int, d: int, e: int, f: int) -> None:
    """Join two cycles: a-b of one, c→d and f→e of the other give way to a-c, b-f and d-e.

    The other cycle runs c→d … f→e … c; the shorter of its two pieces is reversed.
    """
    u, v = d, e
    while u != f and v != c:
        u = nxt[u]
        v = nxt[v]
    if u == f:
        if prv[a] != b:
            _turn(nxt, prv, b, a)
        _turn(nxt, prv, d, f)
        _link(nxt, prv, c, a)
        _link(nxt, prv, b, f)
        _link(nxt, prv, d, e)
    else:
        if nxt[a] != b:
            _turn(nxt, prv, a, b)
        _turn(nxt, prv, e, c)
        _link(nxt, prv, f, b)
        _link(nxt, prv, a, c)
        _link(nxt, prv, e, d)


def _three_cycles(nxt: Vector, prv: Vector, a: int, b: int, c: int, d: int, e: int, f: int) -> None:
    """Join three cycles: a-b, c→d and e-f of one each give way to c→a, b-f and e→d."""
    if prv[a] != b:
        _turn(nxt, prv, b, a)
    if nxt[e] != f:
        _turn(nxt, prv, e, f)
    _link(nxt, prv, c, a)
    _link(nxt, prv, b, f)
    _link(nxt, prv, e, d)


def _move(
    nxt: Vector,
    prv: Vector,
    label: Vector,
    size: Vector,
    head: Vector,
    a: int,
    b: int,
    c: int,
    d: int,
    e: int,
    f: int,
    reach: int,
) -> None:
    """Move a cycle: it joins another, c→d … e→f …, and leaves a piece of that behind as the new cycle.

    a-b, c→d and e→f give way to c→a, b→f and e→d. The shorter piece, if it has at most `reach` cells,
    takes the label of the small cycle; else nothing happens.
    """
    x, y = label[a], label[c]
    u, v = d, f
    length = 1
    while u != e and v != c and length <= reach:
        u = nxt[u]
        v = nxt[v]
        length += 1
    if length > reach:
        return
    if prv[a] != b:
        _turn(nxt, prv, b, a)
    _link(nxt, prv, c, a)
    _link(nxt, prv, b, f)
    _link(nxt, prv, e, d)
    if u == e:  # d … e is the new small cycle, and the old one belongs to the other
        v = a
        for _ in range(size[x]):
            label[v] = y
            v = nxt[v]
        first, grown = d, length - size[x]
        size[x] = length
    else:  # the small cycle has taken f … c
        first, grown = f, length
        size[x] += length
    size[y] -= grown
    v = first
    for _ in range(length):
        label[v] = x
        v = nxt[v]
    head[x] = first
    head[y] = f if u == e else d


def _mend(
    indptr: Vector,
    indices: Vector,
    nxt: Vector,
    prv: Vector,
    label: Vector,
    size: Vector,
    head: Vector,
    cycles: int,
    budget: int,
    state: int,
) -> int:
    """Join the cycles that are left by local exchanges; returns how many remain when the budget ends.

    `budget` counts cells whose surroundings are scanned. x is the small cycle's label; a-b is an edge
    of it, c-d one of another cycle with a~c, and e-f any third one with d~e and f~b.
    """
    left = cycles
    main = 0
    for x in range(cycles):
        if size[x] > size[main]:
            main = x
    x = -1
    idle = 0
    reach = 1000  # how long a piece may be that is reversed; longer ones wait until nothing else helps
    far = False
    while left > 1 and budget > 0:
        if idle > 2 * (len(nxt) - size[main]):
            if not far:
                break
            reach *= 8
            idle = 0
            far = False
        x = (x + 1) % cycles
        while size[x] == 0 or x == main:
            x = (x + 1) % cycles
        a = head[x]
        idle += min(size[x], 256)
        budget -= min(size[x], 256)
        y = -1  # the label of what x has been joined to
        choices = 0
        ka = kb = kc = kd = ke = kf = 0
        for _ in range(min(size[x], 256)):
            for side in range(2):
                b = nxt[a] if side == 0 else prv[a]
                for g in range(indptr[a], indptr[a + 1]):
                    c = indices[g]
                    z = label[c]
                    if z == x:
                        continue
                    for t in range(2):
                        d = nxt[c] if t == 0 else prv[c]
                        if _linked(indptr, indices, b, d):
                            y = _absorb(nxt, label, size, head, x, z)
                            if t == 0:
                                _two(nxt, prv, a, b, c, d)
                            else:
                                _two(prv, nxt, a, b, c, d)
                            left -= 1
                            break
                        for h in range(indptr[d], indptr[d + 1]):
                            e = indices[h]
                            if e == c or e == a or e == b:
                                continue
                            w = label[e]
                            for s in range(2):
                                f = nxt[e] if s == 0 else prv[e]
                                if f == d or f == a or f == b or not _linked(indptr, indices, f, b):
                                    continue
                                if w == z and s == t:
                                    choices += 1
                                    state = next_random(state)
                                    if state % choices == 0:
                                        ka, kb, kc, kd, ke, kf = a, b, c, d, e, f
                                elif w == z:
                                    if t == 0:
                                        near = _near(nxt, c, d, e, f, reach)
                                    else:
                                        near = _near(prv, c, d, e, f, reach)
                                    if not near:
                                        far = True
                                        continue
                                    y = _absorb(nxt, label, size, head, x, z)
                                    if t == 0:
                                        _three(nxt, prv, a, b, c, d, e, f)
                                    else:
                                        _three(prv, nxt, a, b, c, d, e, f)
                                elif w == x and s == side:
                                    y = _absorb(nxt, label, size, head, x, z)
                                    if side == 0:
                                        _three(nxt, prv, c, d, a, b, f, e)
                                    else:
                                        _three(prv, nxt, c, d, a, b, f, e)
                                elif w != x:
                                    y = z if size[z] >= size[x] else x
                                    y = w if size[w] > size[y] else y
                                    if y != x:
                                        _absorb(nxt, label, size, head, x, y)
                                    if y != z:
                                        _absorb(nxt, label, size, head, z, y)
                                    if y != w:
                                        _absorb(nxt, label, size, head, w, y)
                                    left -= 1
                                    if y == w:  # keep the largest as it is, turn the others
                                        if s == 0:
                                            _three_cycles(nxt, prv, d, c, e, f, b, a)
                                        else:
                                            _three_cycles(prv, nxt, d, c, e, f, b, a)
                                    elif t == 0:
                                        _three_cycles(nxt, prv, a, b, c, d, e, f)
                                    else:
                                        _three_cycles(prv, nxt, a, b, c, d, e, f)
                                if y >= 0:
                                    left -= 1
                                    break
                            if y >= 0:
                                break
                        if y >= 0:
                            break
                    if y >= 0:
                        break
                if y >= 0:
                    break
            if y >= 0:
                break
            a = nxt[a]
        if y < 0:
            head[x] = a  # a long cycle is scanned a part at a time
        if y >= 0:
            idle = 0
            if size[y] > size[main] or size[main] == 0:
                main = y
        elif choices > 0:
            idle = 0
            if nxt[kc] == kd:
                _move(nxt, prv, label, size, head, ka, kb, kc, kd, ke, kf, 1000)
            else:
                _move(prv, nxt, label, size, head, ka, kb, kc, kd, ke, kf, 1000)
    return left


def _swap(p: Vector, q: Vector, a: int, old: int, new: int) -> None:
    """In a's two links, put new where old was."""
    if p[a] == old:
        p[a] = new
    else:
        q[a] = new


def _untie(
    indptr: Vector,
    indices: Vector,
    p: Vector,
    q: Vector,
    state: int,
    seen: Vector,
    via: Vector,
    came: Vector,
    queue: Vector,
) -> int:
    """Make 2-cycles parts of longer ones; returns how many.

    A 2-cycle a=b uses its edge twice. Breadth first, the shortest alternating path from a to b (an edge
    not in the cover, one in it, and so on) is found and flipped, and one copy of a-b stays. Cells u, w
    on the path wait for an edge, cells v give one up: `via[v]` is the u before v, `came[w]` the v before
    w; `seen` holds, for 2a and 2a + 1, the search that last reached a in either role.
    """
    untied = 0
    for i in range(len(seen)):
        seen[i] = -1
    for a in range(len(p)):
        b = p[a]
        if b != q[a]:
            continue
        seen[2 * a] = a
        queue[0] = a
        head, tail, last = 0, 1, -1
        while head < tail and last < 0:
            u = queue[head]
            head += 1
            low = indptr[u]
            degree = indptr[u + 1] - low
            state = next_random(state)
            for k in range(degree):
                v = indices[low + (k + state) % degree]
                if v == b and u != a:
                    last = u
                    break
                if v == p[u] or v == q[u] or v == a or seen[2 * v + 1] == a:
                    continue
                seen[2 * v + 1] = a
                via[v] = u
                for t in range(2):
                    w = p[v] if t == 0 else q[v]
                    if seen[2 * w] != a and w != b:
                        seen[2 * w] = a
                        came[w] = v
                        queue[tail] = w
                        tail += 1
        if last < 0:
            continue
        w = last
        while w != a:  # mark what waits on the path; where the graph is not bipartite, a cell may do both
            seen[2 * w] = -2 - a
            w = via[came[w]]
        clean = True
        w = last
        while w != a:
            clean = clean and seen[2 * came[w]] != -2 - a
            w = via[came[w]]
        if not clean:
            continue
        _swap(p, q, b, a, last)
        w, x = last, b
        while w != a:
            v = came[w]
            _swap(p, q, w, v, x)
            _swap(p, q, v, w, via[v])
            w, x = via[v], v
        _swap(p, q, a, b, x)
        untied += 1
    return untied


def _trace(p: Vector, q: Vector, path: Vector) -> None:
    """Write the cycle through cell 0 into `path`."""
    a, b = 0, p[0]
    for k in range(len(path)):
        path[k] = a
        c = q[b] if p[b] == a else p[b]
        a, b = b, c


trace_kernel = Kernel(_trace)
cover_kernel = Kernel(_cover, uses=[next_random])
join_kernel = Kernel(_join, uses=[_linked, _root])
orient_kernel = Kernel(_orient)
untie_kernel = Kernel(_untie, uses=[next_random, _swap])
mend_kernel = Kernel(
    _mend,
    uses=[next_random, _linked, _near, _link, _turn, _absorb, _two, _three, _three_cycles, _move],
)


def join(
    problem: Problem, *, seed: int = 0, time_limit: float | None = None, compiled: bool | None = None
) -> NDArray[np.int32] | Undecided:
    """Look for a tour by joining the cycles of a cycle cover, again and again until the time is up.

    Args:
        problem: the question.
        seed: what the random choices begin with; with 0 the first try makes none.
        time_limit: seconds after which no new try begins; None for ten.
        compiled: choose the tier of the kernels; None lets the size decide.

    Returns:
        The cells of a tour, in order, or why there is none.

    Time: about 0.15 µs a cell for two-dimensional boards once compiled, memory 80 bytes a cell.
    """
    began = time.perf_counter()
    limit = 10.0 if time_limit is None else time_limit

    def undecided(reason: str) -> Undecided:
        return Undecided(reason, "join", seed, time.perf_counter() - began)

    graph = problem.as_cycle
    if graph.size == 1:
        return np.zeros(1, dtype=np.int32)
    tries = 0
    while True:
        if compiled is None and time.perf_counter() - began > PATIENCE:
            compiled = True
        matched, cycle = _try(graph, seed, tries, compiled=compiled)
        tries += 1
        if len(cycle):
            return problem.cut(cycle)
        if matched < graph.size or graph.size < 3:
            kind = "cycle cover" if problem.closed else "cover by cycles and one path"
            return undecided(
                f"there is no {kind} to join: {matched:,} of {graph.size:,} cells can be matched"
            )
        if time.perf_counter() - began > limit:
            many = "1 try" if tries == 1 else f"{tries:,} tries"
            return undecided(f"no {problem.kind} tour found in {many} ({limit:.3g} s)")


def cover(indptr: NDArray[np.int32], indices: NDArray[np.int32]) -> NDArray[np.int32]:
    """A maximum matching of cells to successors in a graph: each cell's successor, -1 where it has none."""
    n = len(indptr) - 1
    tier = Tier(STEPS_PER_CELL * n)
    nxt, prv = tier.new(n, -1), tier.new(n, -1)
    scratch = [tier.new(n) for _ in range(4)]
    order = tier.give(np.arange(n, dtype=np.int32))
    rows = tier.give(indptr.astype(np.int32)), tier.give(indices.astype(np.int32))
    tier(cover_kernel)(*rows, order, 0, nxt, prv, *scratch)
    return np.asarray(nxt, dtype=np.int32)


def _try(graph: MoveGraph, seed: int, number: int, *, compiled: bool | None) -> tuple[int, NDArray[np.int32]]:
    """One try: cover, join, untie, mend. Returns how many cells could be matched, and the tour or nothing.

    The first try takes cells in their order, and with seed 0 their neighbours too.
    """
    n = graph.size
    nothing = np.zeros(0, dtype=np.int32)
    tier = Tier(STEPS_PER_CELL * n, compiled=compiled)
    indptr, indices = tier.give(graph.indptr), tier.give(graph.indices)
    order = np.arange(n, dtype=np.int32)
    state = 0
    if seed or number:
        state = seed_state(seed * 1_000_003 + number)
    if number:
        np.random.default_rng([abs(seed), number]).shuffle(order)
    nxt, prv = tier.new(n, -1), tier.new(n, -1)
    a, b, c, d = (tier.new(n) for _ in range(4))
    matched = tier(cover_kernel)(indptr, indices, tier.give(order), state, nxt, prv, a, b, c, d)
    if matched < n or n < 3:
        return matched, nothing
    p, q, nxt, prv = nxt, prv, b, c
    label, seen = tier.new(n), tier.new(2 * n)
    for turn in range(ROUNDS):
        left = tier(join_kernel)(indptr, indices, p, q, a)
        state = next_random(state or 1)
        if left > 1 and turn > 0:
            cycles = tier(orient_kernel)(p, q, nxt, prv, label, a, d)
            budget = BUDGET * cycles + n
            left = tier(mend_kernel)(indptr, indices, nxt, prv, label, a, d, cycles, budget, state)
            p, q, nxt, prv = nxt, prv, p, q
        if left == 1:
            out = tier.new(n)
            tier(trace_kernel)(p, q, out)
            return matched, np.asarray(out, dtype=np.int32)
        untied = tier(untie_kernel)(indptr, indices, p, q, state, seen, a, d, label)
        if untied == 0 and turn > 0:
            break
    return matched, nothing
