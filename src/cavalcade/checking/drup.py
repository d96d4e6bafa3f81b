"""SAT proofs that there is no tour: what they claim, their checker, and files for other checkers.

The formula. Variable k is the k-th edge (from 1), edges (a, b) with a < b in ascending order; it is true
when the tour uses the edge. Every vertex has exactly two edges. For every *cut*, a set S of some vertices
but not all, some edge leaves S: one clause, its edges between S and the rest. A tour makes all of it true,
so a refutation proves that there is none. (In a tour at least two edges leave S. To say so takes a clause
for each edge, and on no board that we measured did it help.)

Exactly two of d edges: up to `PLAIN` edges every d - 1 hold one that is used and every three one that is
not. Above, a sequential counter (Sinz 2005) with 2d - 3 further variables, numbered on from the edges in
the order of the vertices: `one[i]` and `two[i]` say that at least one, at least two, of the first i + 1
edges are used; linear in d where the plain clauses are cubic.

The proof. A list of clauses in the DRUP format, each of which follows from the formula and the clauses
before it by *unit propagation*: were all its literals false, clauses with one literal left would force that
literal, and so on, until some clause had none (Goldberg & Novikov 2003; Van Gelder 2008). The last clause
is empty. A line `d` deletes a clause, which never makes a wrong proof right, and makes the replay faster.

`fault` replays a proof forwards, line by line. `trim` replays it backwards from the contradiction, checks
only the clauses that are needed on the way (those known to be needed propagate first), and leaves out the
others (Heule, Hunt & Wetzler 2013; Wetzler, Heule & Hunt 2014). Both rebuild all clauses of the formula
from the edges.

c is a clause, e an event (a clause comes or goes); a literal is 2v or, negated, 2v + 1, for variable v from
0. A clause watches its first two literals (Moskewicz et al. 2001) by two nodes, 2c and 2c + 1, in the linked
lists of those literals: each literal has one for the clauses known to be needed and one for the others.

Time: what the propagation takes; about half a second for a million literals on boards of 50 to 400 cells.
"""

from __future__ import annotations

import re
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cavalcade.answers.certificate import SatProof
from cavalcade.errors import FormatError
from cavalcade.kernels import Kernel, Tier

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from cavalcade.graph import MoveGraph
    from cavalcade.kernels import Vector

    Edges: TypeAlias = NDArray[np.integer[Any]]

LINE = re.compile(r"(d )?(-?[1-9][0-9]{0,8} )*0")
PLAIN = 9  # degrees up to which exactly two is said without further variables
STEPS_PER_LITERAL = 40  # inner steps of a replay, for the choice of the tier
WATCHED, DELETED = 1, 2  # states of a clause; 0 when it has no two literals left that are not false


class Formula:
    """What a proof is about: exactly two edges at every vertex, and some edge out of every cut.

    Args:
        size: the number of vertices.
        edges: all edges (a, b), a < b, in ascending order.
    """

    def __init__(self, size: int, edges: Edges) -> None:
        self.size = size
        self.edges: list[list[int]] = edges.tolist()
        self.rows: list[list[int]] = [[] for _ in range(size)]  # the edges of every vertex
        for k, (a, b) in enumerate(self.edges, 1):
            self.rows[a].append(k)
            self.rows[b].append(k)
        self.variables = len(self.edges) + sum(2 * len(row) - 3 for row in self.rows if len(row) > PLAIN)

    def degrees(self) -> Iterator[Sequence[int]]:
        """The clauses that give every vertex exactly two edges."""
        free = len(self.edges) + 1
        for row in self.rows:
            if len(row) <= PLAIN:
                yield from combinations(row, max(len(row) - 1, 0))
                yield from combinations([-k for k in row], 3)
            else:
                yield from _counter(row, free)
                free += 2 * len(row) - 3

    def cut(self, cells: Iterable[int]) -> list[int]:
        """The clause of a cut: some edge leaves these vertices."""
        inside = set(cells)
        return [k for cell in inside for k in self.rows[cell] if not inside.issuperset(self.edges[k - 1])]

    def clauses(self, cuts: Iterable[Iterable[int]]) -> Iterator[Sequence[int]]:
        """All clauses, those of the cuts last."""
        return chain(self.degrees(), map(self.cut, cuts))


def _counter(row: list[int], free: int) -> Iterator[list[int]]:
    """Exactly two of a vertex's edges, by a sequential counter; its variables are numbered from `free`."""
    one = [row[0], *range(free, free + len(row) - 2)]
    two = [0, *range(free + len(row) - 2, free + 2 * len(row) - 3)]
    for i, k in enumerate(row[1:], 1):
        if i < len(one):
            yield from ([-one[i - 1], one[i]], [-k, one[i]], [-one[i], one[i - 1], k])
        before = [two[i - 1]] if i > 1 else []
        yield from ([-k, -other] for other in before)
        yield from ([-other, two[i]] for other in before)
        yield from ([-one[i - 1], -k, two[i]], [-two[i], *before, one[i - 1]], [-two[i], *before, k])
    yield [two[-1]]


def edges_of(graph: MoveGraph) -> Edges:
    """The edges of a graph in the order that numbers the variables."""
    edges = graph.edges()
    return np.asarray(edges[np.lexsort((edges[:, 1], edges[:, 0]))])


def fault(size: int, edges: Edges, proof: SatProof, *, compiled: bool | None = None) -> str:
    """What is wrong with a proof that a graph has no closed tour; nothing if nothing is.

    Args:
        size: the number of vertices.
        edges: all edges (a, b), a < b, in ascending order.
        proof: the cuts and lines.
        compiled: choose the tier of the kernel; None lets the size decide.
    """
    for k, cells in enumerate(proof.cuts, 1):
        if not 0 < len(set(cells)) < size or not all(0 <= cell < size for cell in cells):
            return f"cut {k} is not a set of some of its {size} cells, but not of all"
    try:
        replay = Replay(Formula(size, edges), proof, eager=True, compiled=compiled)
    except FormatError as error:
        return str(error)
    if replay.wrong is not None:
        line = proof.drup[replay.wrong]
        return f"line {replay.wrong + 1}, {line[:60]!r}, does not follow from those before it"
    return "" if replay.refuted else "its lines do not end in a contradiction"


def trim(size: int, edges: Edges, proof: SatProof, *, compiled: bool | None = None) -> SatProof:
    """The part of a proof that its contradiction needs, replayed on the way.

    Every clause is deleted after the last one that needs it.

    Raises:
        FormatError: a line is no DRUP line, or a clause that is needed does not follow.
    """
    replay = Replay(Formula(size, edges), proof, eager=False, compiled=compiled)
    if not replay.refuted:
        raise FormatError(f"{len(proof.cuts)} cuts and {len(proof.drup)} lines are no proof")
    given, needed = replay.given, replay.needed
    last: list[list[str]] = [[] for _ in range(len(needed) + 2)]  # lines that no later clause needs
    lines = []
    for c, k in enumerate(replay.lines, given):
        if needed[c]:
            lines += [proof.drup[k], *last[c + 1]]
            last[needed[c]].append("d " + proof.drup[k])
    used = needed[given - len(proof.cuts) : given]
    cuts = tuple(cut for cut, stamp in zip(proof.cuts, used, strict=True) if stamp)
    return SatProof(cuts, tuple(lines if lines[-1:] == ["0"] else [*lines, "0"]))


def export(size: int, edges: Edges, proof: SatProof) -> tuple[str, str]:
    """The formula as a DIMACS CNF file and the proof as a DRAT file, for public checkers.

    Checkers of DRUP and DRAT proofs take them, drat-trim (Wetzler, Heule & Hunt 2014) for one, which also
    turns them into LRAT for the verified ones.

    Args:
        size: the number of vertices of the graph whose closed tours are asked for.
        edges: all its edges (a, b), a < b, in ascending order.
        proof: a proof that `fault` finds right.
    """
    formula = Formula(size, edges)
    clauses = [" ".join(map(str, (*clause, 0))) for clause in formula.clauses(proof.cuts)]
    head = [
        f"c Closed tours of a graph with {size} vertices; variables 1 to {len(formula.edges)} are its edges.",
        f"c Every vertex has exactly two edges; the last {len(proof.cuts)} clauses: some edge leaves a set.",
        f"p cnf {formula.variables} {len(clauses)}",
    ]
    return "\n".join([*head, *clauses, ""]), "\n".join([*proof.drup, ""])


def _numbers(lines: Sequence[str], variables: int) -> NDArray[np.int64]:
    """The numbers of all lines, each line with the 0 at its end.

    Raises:
        FormatError: a line is no DRUP line, or has a literal that the formula has not.
    """
    for line in lines:
        if not LINE.fullmatch(line):
            raise FormatError(f"{line[:60]!r} is no line of a DRUP proof, expected one like '1 -2 0'")
    numbers = np.fromstring(" ".join(lines).replace("d ", ""), dtype=np.int64, sep=" ")
    if numbers.size and (most := int(np.abs(numbers).max())) > variables:
        raise FormatError(f"its lines speak of variable {most}, and there are {variables}")
    return numbers


class Replay:
    """A proof replayed, forwards (eager: every clause is checked) or backwards (those that are needed are).

    Attributes:
        given: how many clauses the formula has.
        lines: for every clause of the proof the number of its line, from 0.
        refuted: whether a contradiction was reached, and all that had to be checked was right.
        wrong: the number of the line of a clause that does not follow, if there is one.
        needed: for every clause c a stamp if the contradiction needs it (backwards only): d + 1 when clause d
            is the last one to need it, the number of clauses + 1 when that is the contradiction itself.

    Raises:
        FormatError: a line is no DRUP line.
    """

    def __init__(self, formula: Formula, proof: SatProof, *, eager: bool, compiled: bool | None) -> None:
        clauses = list(formula.clauses(proof.cuts))
        self.given = len(clauses)
        signed = np.fromiter(chain.from_iterable(clauses), dtype=np.int64)
        lengths = np.fromiter(map(len, clauses), dtype=np.int64)
        numbers = _numbers(proof.drup, formula.variables)
        stops = np.flatnonzero(numbers == 0)
        sizes = np.diff(stops, prepend=-1) - 1
        gone = np.array([line.startswith("d") for line in proof.drup], dtype=np.bool_)
        order = self._order(numbers, stops - sizes, gone)
        self.lines = np.flatnonzero(~gone)
        kept = np.repeat(~gone, sizes + 1) & (numbers != 0)
        signed = np.concatenate([signed, numbers[kept]])
        lengths = np.concatenate([lengths, sizes[~gone]])
        count, variables = len(lengths), formula.variables
        starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
        lits = (2 * np.abs(signed) - 2 + (signed < 0)).astype(np.int32)
        tier = Tier(STEPS_PER_LITERAL * len(lits), compiled=compiled)
        needed = tier.new(count)
        at = tier(replay_kernel)(
            tier.give(lits),
            tier.give(starts),
            tier.give(order),
            self.given,
            eager,
            tier.new(4 * variables, -1),  # heads
            tier.new(2 * count, -1),  # links
            tier.new(2 * count, -1),  # back
            tier.new(count),  # state
            tier.new(2 * variables),  # value
            tier.new(variables, -1),  # reason
            tier.new(variables),  # seen
            tier.new(variables + 1),  # trail
            tier.new(count),  # begins
            tier.new(variables + 1),  # stack
            needed,
        )
        self.refuted = 0 <= at < count
        self.wrong = int(self.lines[-1 - at - self.given]) if at < 0 else None
        self.needed: list[int] = np.asarray(needed).tolist()

    def _order(
        self, numbers: NDArray[np.int64], begins: NDArray[np.int64], gone: NDArray[np.bool_]
    ) -> NDArray[np.int32]:
        """The events: c when clause c comes, -1 - c when it goes.

        Clauses are known by a sum over their literals, in any order. Two that collide are harmless: it is
        always sound to delete a clause.
        """
        mixed = (numbers.astype(np.uint64) + np.uint64(2**40)) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        keys = np.add.reduceat(mixed ^ (mixed >> np.uint64(32)), begins) if len(begins) else mixed
        alive: dict[int, list[int]] = {}
        order = list(range(self.given))
        clause = self.given
        for key, deleted in zip(keys.tolist(), gone.tolist(), strict=True):
            if not deleted:
                alive.setdefault(key, []).append(clause)
                order.append(clause)
                clause += 1
            elif same := alive.get(key):
                order.append(-1 - same.pop())
        return np.array(order, dtype=np.int32)


# ---- the kernel


def _link(node: int, place: int, heads: Vector, links: Vector, back: Vector) -> None:
    """Put a node first in the list at this place."""
    links[node] = heads[place]
    back[node] = -1 - place
    if heads[place] >= 0:
        back[heads[place]] = node
    heads[place] = node


def _unlink(node: int, heads: Vector, links: Vector, back: Vector) -> None:
    """Take a node out of its list."""
    if back[node] < 0:
        heads[-1 - back[node]] = links[node]
    else:
        links[back[node]] = links[node]
    if links[node] >= 0:
        back[links[node]] = back[node]


def _watch(
    c: int, lits: Vector, starts: Vector, heads: Vector, links: Vector, back: Vector, needed: Vector
) -> None:
    """Let a clause watch its first two literals."""
    for k in range(2):
        place = 2 * lits[starts[c] + k] + (1 if needed[c] > 0 else 0)
        _link(2 * c + k, place, heads, links, back)


def _set(literal: int, cause: int, value: Vector, reason: Vector, trail: Vector, top: int) -> int:
    """Make a literal true; returns the new end of the trail."""
    value[literal] = top + 1
    value[literal ^ 1] = -top - 1
    reason[literal >> 1] = cause
    trail[top] = literal
    return top + 1


def _take_back(value: Vector, trail: Vector, top: int, base: int) -> None:
    """Unset what stands on the trail from `base` on."""
    for i in range(base, top):
        value[trail[i]] = 0
        value[trail[i] ^ 1] = 0


def _propagate(
    lits: Vector,
    starts: Vector,
    heads: Vector,
    links: Vector,
    back: Vector,
    value: Vector,
    reason: Vector,
    trail: Vector,
    done: int,
    top: int,
) -> tuple[int, int]:
    """Unit propagation of the trail from `done` on; clauses known to be needed come first.

    Returns a clause that is false, -1 if none is, and the end of the trail.
    """
    ahead = done
    while done < top:
        if ahead < top:
            false, kind = trail[ahead] ^ 1, 1
            ahead += 1
        else:
            false, kind = trail[done] ^ 1, 0
            done += 1
        node = heads[2 * false + kind]
        while node >= 0:
            after = links[node]
            c = node >> 1
            here = starts[c] + (node & 1)
            other = lits[starts[c] + 1 - (node & 1)]
            if value[other] <= 0:
                moved = False
                for i in range(starts[c] + 2, starts[c + 1]):
                    if value[lits[i]] >= 0:
                        lits[here], lits[i] = lits[i], false
                        _unlink(node, heads, links, back)
                        _link(node, 2 * lits[here] + kind, heads, links, back)
                        moved = True
                        break
                if not moved:
                    if value[other] < 0:
                        return c, top
                    top = _set(other, c, value, reason, trail, top)
            node = after
    return -1, top


def _blame(
    c: int,
    stamp: int,
    lits: Vector,
    starts: Vector,
    heads: Vector,
    links: Vector,
    back: Vector,
    state: Vector,
    reason: Vector,
    seen: Vector,
    stack: Vector,
    needed: Vector,
) -> None:
    """Mark a false clause, and the clauses that made it false, as needed (with a stamp, if not before)."""
    stack[0] = c
    depth = 1
    while depth > 0:
        depth -= 1
        c = stack[depth]
        if needed[c] == 0:
            needed[c] = stamp
            if state[c] == WATCHED:
                _unlink(2 * c, heads, links, back)
                _unlink(2 * c + 1, heads, links, back)
                _watch(c, lits, starts, heads, links, back, needed)
        for i in range(starts[c], starts[c + 1]):
            v = lits[i] >> 1
            if seen[v] != stamp:
                seen[v] = stamp
                if reason[v] >= 0:
                    stack[depth] = reason[v]
                    depth += 1


def _follows(
    c: int,
    lits: Vector,
    starts: Vector,
    heads: Vector,
    links: Vector,
    back: Vector,
    value: Vector,
    reason: Vector,
    trail: Vector,
    top: int,
) -> tuple[int, int]:
    """Assume a clause's literals false and propagate.

    Returns a clause that this contradicts, -2 if the clause holds by itself, -1 if it does not follow; and
    the end of the trail, for the caller to take back.
    """
    base = top
    for i in range(starts[c], starts[c + 1]):
        if value[lits[i]] > 0:
            cause = reason[lits[i] >> 1]
            return (cause if cause >= 0 else -2), top
        if value[lits[i]] == 0:
            top = _set(lits[i] ^ 1, -1, value, reason, trail, top)
    return _propagate(lits, starts, heads, links, back, value, reason, trail, base, top)


def _latest_first(c: int, lits: Vector, starts: Vector, value: Vector) -> None:
    """Put those two literals of a clause first that are not set, or else were set last."""
    for k in range(starts[c], starts[c] + 2):
        best = k
        for i in range(k + 1, starts[c + 1]):
            here, there = abs(value[lits[i]]), abs(value[lits[best]])
            if there != 0 and (here == 0 or here > there):
                best = i
        lits[k], lits[best] = lits[best], lits[k]


def _replay(
    lits: Vector,
    starts: Vector,
    order: Vector,
    given: int,
    eager: bool,  # noqa: FBT001 - kernels take plain arguments
    heads: Vector,
    links: Vector,
    back: Vector,
    state: Vector,
    value: Vector,
    reason: Vector,
    seen: Vector,
    trail: Vector,
    begins: Vector,
    stack: Vector,
    needed: Vector,
) -> int:
    """Add clause after clause, in the order given (-1 - c deletes c), until they contradict each other.

    Eager, every clause from `given` on is checked before it is added. Else those that the contradiction
    needs are checked afterwards, last first, each against the clauses that stood before it; the trail is
    then what it was before the clause came (`begins`), so that watched literals stay right.

    Returns the clause that completed the contradiction, their number if none did, or -1 - c when clause c
    does not follow.
    """
    count = len(starts) - 1
    top = 0
    last = -1
    for e in range(len(order)):
        c = order[e]
        if c < 0:
            c = -1 - c
            if state[c] == WATCHED:
                _unlink(2 * c, heads, links, back)
                _unlink(2 * c + 1, heads, links, back)
                state[c] = DELETED
            continue
        if eager and c >= given:
            false, end = _follows(c, lits, starts, heads, links, back, value, reason, trail, top)
            _take_back(value, trail, end, top)
            if false == -1:
                return -1 - c
        begins[c] = top
        free = starts[c]
        for i in range(starts[c], starts[c + 1]):  # the literals that are not false, two at most, go first
            if value[lits[i]] >= 0 and free < starts[c] + 2:
                lits[free], lits[i] = lits[i], lits[free]
                free += 1
        false = -1
        if free == starts[c] + 2:
            state[c] = WATCHED
            _watch(c, lits, starts, heads, links, back, needed)
        elif free == starts[c]:
            false = c
        elif value[lits[starts[c]]] == 0:
            top = _set(lits[starts[c]], c, value, reason, trail, top)
            false, top = _propagate(lits, starts, heads, links, back, value, reason, trail, top - 1, top)
        if false >= 0:
            last = e
            break
    if last < 0:
        return count
    if eager:
        return order[last]
    _blame(false, count + 1, lits, starts, heads, links, back, state, reason, seen, stack, needed)
    for e in range(last, -1, -1):
        c = order[e]
        if c < 0:
            c = -1 - c
            if state[c] == DELETED:
                _latest_first(c, lits, starts, value)
                state[c] = WATCHED
                _watch(c, lits, starts, heads, links, back, needed)
            continue
        if c < given:
            break
        if state[c] == WATCHED:
            _unlink(2 * c, heads, links, back)
            _unlink(2 * c + 1, heads, links, back)
        _take_back(value, trail, top, begins[c])
        top = begins[c]
        if needed[c] > 0:
            false, end = _follows(c, lits, starts, heads, links, back, value, reason, trail, top)
            if false >= 0:
                _blame(false, c + 1, lits, starts, heads, links, back, state, reason, seen, stack, needed)
            _take_back(value, trail, end, top)
            if false == -1:
                return -1 - c
    return order[last]


replay_kernel = Kernel(
    _replay, uses=(_link, _unlink, _watch, _set, _take_back, _propagate, _blame, _follows, _latest_first)
)
