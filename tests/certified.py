"""Right proofs in which a rule is used, about random boards and graphs: as many as one likes of each rule.

A deduction or a contradiction is tried on random sets until the package's checker accepts it. A deduction
is followed by the plainest proof there is, by cases until a cell has too few moves, or a path closes.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations, count
from typing import TYPE_CHECKING

import numpy as np

import cavalcade
from cavalcade import Board, MoveGraph
from cavalcade.answers.certificate import Certificate, Step, StepProof, flat
from cavalcade.checking.certificates import verify
from cavalcade.checking.present import FORCED, OPEN, OUT, PresentGraph, WrongError
from cavalcade.checking.rules import DEDUCTIONS, RULES, cases
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.question import Question, symmetries
from test_proofs import any_board

if TYPE_CHECKING:
    from collections.abc import Iterator

Cells = tuple[int, ...]


def proved_by(rule: str, seed: int) -> Iterator[Certificate]:
    """Right certificates with this rule, one after the other."""
    for k in count():
        rng = random.Random(f"{rule} {seed} {k}")
        try:
            question = asked(rule, rng)
            steps = tried(rule, question, rng)
        except CavalcadeError:
            continue
        if steps is not None and rule in {step.rule for step in flat(steps)}:
            certificate = Certificate(question, StepProof(steps))
            if verify(certificate):
                yield certificate


def asked(rule: str, rng: random.Random) -> Question:
    """A question for which the rule may be right."""
    if rule == "symmetry":
        board = Board.box(rng.randint(2, 6), rng.randint(2, 6))
        whole = rng.choice([one for one in symmetries(board) if one.name != "identity"])
        holes = set(rng.sample(range(board.size), rng.randint(0, 2)))
        holes |= {int(whole.cells[cell]) for cell in holes}
        holes |= {int(whole.cells[cell]) for cell in holes}
        holes |= {int(whole.cells[cell]) for cell in holes}
        return Question.of(board.without(holes) if holes else board, symmetry=whole.name)
    if rule == "steps":
        board = Board.box(rng.randint(3, 6), rng.randint(3, 6))
        steps, cells = rng.sample(range(1, board.size + 1), 2), rng.sample(range(board.size), 2)
        given = tuple(sorted(zip(steps, cells, strict=True)))
        return Question(board, closed=rng.random() < 0.5, steps=given)
    if rule == "sign" or (rule in {"hall", "reach", "tight"} and rng.random() < 0.3):
        n = rng.randint(4, 9)
        some = rng.sample(range(n), n), rng.sample(range(n), n)
        arcs = {(a, order[a]) for order in some for a in range(n) if a != order[a]}
        if rule != "sign":
            arcs = set(rng.sample(sorted(arcs), rng.randint(n, len(arcs)))) if len(arcs) > n else arcs
        graph = MoveGraph.from_edges(sorted(arcs), n, directed=True)
        return Question(graph, closed=rule == "sign" or rng.random() < 0.6)
    if rule == "contract":
        return Question(with_triangles(rng))
    if rule == "apart":
        return Question(dot_product(rng))
    if rule == "three":  # a star, some of whose rays are paths, and more
        n = rng.randint(5, 9)
        arms = [(hub, k) for k in range(2, n) for hub in (0, 1)]
        more = [(k, k + 1) for k in range(2, n - 1) if rng.random() < 0.2]
        return Question(MoveGraph.from_edges([*arms, *more], n))
    if rule in {"branch", "saturated"}:
        return Question(too_many(rng))
    if rule == "cycle" or rng.random() < 0.3:
        return Question(loops(rng), closed=rng.random() < 0.8)
    board_or_graph, _, closed = any_board(rng, 10)
    return Question(board_or_graph, closed=closed)


def dot_product(rng: random.Random) -> MoveGraph:
    """A graph in which four edges lead from one part to another, each of four to six vertices."""
    k, n = (rng.choice((4, 5, 6)) for _ in range(2))
    edges = [(i, k + i) for i in range(4)]
    for first, size in ((0, k), (k, n)):
        pairs = [(first + i, first + j) for j in range(size) for i in range(j)]
        edges += rng.sample(pairs, min(len(pairs), rng.randint(size - 2, 2 * size - 2)))
    return MoveGraph.from_edges(edges, k + n)


def too_many(rng: random.Random) -> MoveGraph:
    """Four or five vertices with the same three neighbours, or nearly, which may be joined."""
    n = rng.choice((7, 8))
    order = rng.sample(range(n), n)
    few, many = order[:3], order[3:]
    edges = [(a, b) for a in few for b in many if rng.random() < 0.95]
    edges += [pair for pair in combinations(few, 2) if rng.random() < 0.5]
    return MoveGraph.from_edges([(min(one), max(one)) for one in edges])


def loops(rng: random.Random) -> MoveGraph:
    """Some loops, and a few edges between all of their vertices."""
    order = iter(range(12))
    found = [[next(order) for _ in range(rng.randint(3, 5))] for _ in range(2)]
    edges = {(min(pair), max(pair)) for one in found for pair in zip(one, one[1:] + one[:1], strict=True)}
    n = next(order)
    pairs = [(i, j) for j in range(n) for i in range(j)]
    return MoveGraph.from_edges(sorted(edges | set(rng.sample(pairs, rng.randint(1, 5)))), n)


def with_triangles(rng: random.Random) -> MoveGraph:
    """A graph with few edges, some vertices of which with three edges became triangles."""
    n = rng.choice([4, 5, 6, 7])
    pairs = [(i, j) for j in range(n) for i in range(j)]
    edges = rng.sample(pairs, min(len(pairs), n + rng.randint(0, n // 2)))
    for vertex in range(n):
        at = [k for k, edge in enumerate(edges) if vertex in edge]
        if len(at) == 3 and rng.random() < 0.7:
            new = max(max(edge) for edge in edges) + 1
            for k, corner in zip(at, (vertex, new, new + 1), strict=True):
                (other,) = set(edges[k]) - {vertex}
                edges[k] = (other, corner)
            edges += [(vertex, new), (new, new + 1), (vertex, new + 1)]
    return MoveGraph.from_edges([(min(one), max(one)) for one in edges])


def tried(rule: str, question: Question, rng: random.Random) -> tuple[Step, ...] | None:
    """Steps with this rule among them, if one of some tries is right."""
    present = PresentGraph(question, str)
    if rule in {"symmetry", "sign"}:
        return (Step(rule),)
    if rule == "linear":
        verdict = cavalcade.prove(question, engine="linear")
        proof = getattr(getattr(verdict, "certificate", None), "proof", None)
        return proof.steps if isinstance(proof, StepProof) else None
    if rule == "steps":
        return (Step(rule, tuple(rng.sample([cell for _, cell in question.steps], 2))),)
    if rule == "apart":
        return taken_apart(present, rng)
    if rule in {"branch", "three", "cycle", "saturated"}:
        return finished(present, rng)
    before: list[Step] = []
    easy = [cell for cell in range(present.size) if len(present.row(cell, OPEN, FORCED)) == 2]
    if (
        rule != "contract"
        and easy
        and (rule in {"parity", "subtour", "cycle", "three"} or rng.random() < 0.6)
    ):
        before.append(taken(present, "forced", tuple(easy)))
    for _ in range(30):
        cells = picked(rule, present, rng)
        try:
            step = taken(present, rule, cells)
        except (WrongError, IndexError):
            continue
        if rule == "subtour" and present.forced_degree.max() > 2:  # no path, and another rule has its say
            return None
        if rule not in DEDUCTIONS:
            return (*before, step)
        after = finished(present, rng)
        return None if after is None else (*before, step, *after)
    return None


def taken_apart(present: PresentGraph, rng: random.Random) -> tuple[Step, ...] | None:
    """A graph of `dot_product` taken apart, and proofs about both graphs, if its parts have so many cells."""
    first = rng.choice((4, 5, 6))
    moves = [rng.sample((i, first + i), 2) for i in range(4)]
    if rng.random() < 0.9:  # from one side to the other
        inside = rng.choice((0, first))
        moves = [[inside + i, first - inside + i] for i in rng.sample(range(4), 4)]
    step = Step("apart", tuple(cell for move in moves for cell in move))
    try:
        RULES[step.rule].check(present, np.array(step.cells))
    except (WrongError, IndexError):
        return None
    (one,) = [finished(present, rng) for _ in cases(step, present)]
    two = finished(present, rng)
    return None if one is None or two is None else (replace(step, cases=(one,)), *two)


def taken(present: PresentGraph, rule: str, cells: Cells) -> Step:
    """A step, which is checked."""
    RULES[rule].check(present, np.array(cells, dtype=np.int64))
    return Step(rule, cells)


def picked(rule: str, present: PresentGraph, rng: random.Random) -> Cells:
    """Cells that the rule may name."""
    every = [cell for cell in range(present.size) if present.representative[cell] == cell]
    if rule in {"degree", "three", "colours"}:
        return (rng.choice(every),)
    if rule in {"reach", "subtour"}:
        return tuple(rng.sample(every, 2))
    if rule == "sweep":
        return tuple(rng.sample(every, len(every)))
    if rule == "parity":  # all moves between parts are forced
        groups: dict[int, set[int]] = {cell: {cell} for cell in every}
        for a, b in present.edges[present.status == OPEN].tolist():
            if groups[a] is not groups[b]:
                groups[a] |= groups[b]
                for cell in groups[b]:
                    groups[cell] = groups[a]
        parts = [*{id(one): one for one in groups.values()}.values()]
        some = rng.sample(parts, min(len(parts), rng.randint(1, 2)))
        return tuple(sorted(set().union(*some)))
    some_cells = rng.sample(every, rng.randint(1, max(1, len(every) // 2)))
    if rule in {"hall", "tight", "factor"}:  # cells all of whose neighbours are among some
        near = set(some_cells)
        found = [cell for cell in every if near.issuperset(present.followers(np.array([cell])).tolist())]
        more = rng.sample(every, 1) if rule == "factor" and rng.random() < 0.3 else []
        return tuple(sorted({*found, *more})[: len(near) + (rule != "tight")])
    if rule == "cycle":
        path = [rng.choice(every)]
        while onward := [cell for cell in present.row(path[-1], FORCED) if cell not in path]:
            path.append(onward[0])
        return tuple(path)
    if rule == "contract":
        first = rng.choice(every)
        near_first = present.row(first, OPEN)
        return (first, *rng.sample(near_first, min(len(near_first), rng.randint(1, 3))))
    return tuple(some_cells)


def finished(present: PresentGraph, rng: random.Random, deep: int = 3) -> tuple[Step, ...] | None:
    """A proof from here on, by so many cases in one another; None if there is a tour, or more are needed."""
    steps: list[Step] = []
    every = [cell for cell in range(present.size) if present.representative[cell] == cell]
    while True:
        left = {cell: len(present.row(cell, OPEN, FORCED)) for cell in every}
        if found := [cell for cell in every if present.forced_degree[cell] > 2]:
            return (*steps, Step("three", (rng.choice(found),)))
        if found := [cell for cell in every if left[cell] < 2]:
            return (*steps, Step("degree", (rng.choice(found),)))
        if (cycle := closed_path(present, every)) is not None:
            return None if len(cycle) == len(every) else (*steps, Step("cycle", cycle))
        forced = [cell for cell in every if left[cell] == 2 and present.forced_degree[cell] < 2]
        if forced:
            steps.append(taken(present, "forced", tuple(forced)))
            continue
        full = [cell for cell in every if present.forced_degree[cell] == 2 and present.row(cell, OPEN)]
        if full:
            steps.append(taken(present, "saturated", tuple(full)))
            continue
        edge = rng.choice(np.flatnonzero(present.status == OPEN).tolist())
        both = []
        for status in (FORCED, OUT):
            since = present.assume(edge, status)
            case = finished(present, rng, deep - 1) if deep else None
            present.take_back(since)
            if case is None:
                return None
            both.append(case)
        return (*steps, Step("branch", tuple(present.edges[edge].tolist()), tuple(both)))


def closed_path(present: PresentGraph, every: list[int]) -> Cells | None:
    """A cycle of forced moves, if there is one."""
    for first in every:
        path = [first, *present.row(first, FORCED)[:1]]
        while len(path) > 1 and (
            onward := [cell for cell in present.row(path[-1], FORCED) if cell != path[-2]]
        ):
            if onward[0] in path:
                return tuple(path[path.index(onward[0]) :])
            path.append(onward[0])
    return None
