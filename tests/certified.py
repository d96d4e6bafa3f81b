"""Generator of valid proofs that use a given rule, about random boards and graphs.

It applies a deduction or a contradiction to random sets until the checker of the package accepts it. After a
deduction follows a plain proof by cases, which ends when a cell has too few moves or a path closes.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import combinations, count
from typing import TYPE_CHECKING, Any

import numpy as np

import cavalcade
from cavalcade import Board, MoveGraph
from cavalcade.answers.certificate import Certificate, Step, StepProof, flat, from_json
from cavalcade.checking.certificates import verify
from cavalcade.checking.present import FORCED, OPEN, OUT, PresentGraph, WrongError
from cavalcade.checking.rules import DEDUCTIONS, RULES, cases
from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.question.question import Question, symmetries
from test_proofs import any_board

if TYPE_CHECKING:
    from collections.abc import Iterator

Cells = tuple[int, ...]


def proved_by(rule: str, seed: int) -> Iterator[Certificate]:
    """Yield valid certificates that use a rule."""
    for k in count():
        rng = random.Random(f"{rule} {seed} {k}")
        try:
            question = question_for(rule, rng)
            steps = steps_with(rule, question, rng)
        except CavalcadeError:
            continue
        if steps is not None and rule in {step.rule for step in flat(steps)}:
            certificate = Certificate(question, StepProof(steps))
            if verify(certificate):
                yield certificate


def accepted_certificate(document: dict[str, Any]) -> Certificate | None:
    """The certificate in a JSON document if it can be read and the checker accepts it, else None."""
    try:
        certificate = from_json(json.dumps(document))
    except FormatError:
        return None
    return certificate if verify(certificate) else None


def question_for(rule: str, rng: random.Random) -> Question:
    """A random question to which the rule may apply."""
    if rule == "symmetry":
        board = Board.box(rng.randint(2, 6), rng.randint(2, 6))
        whole = rng.choice([symmetry for symmetry in symmetries(board) if symmetry.name != "identity"])
        holes = set(rng.sample(range(board.size), rng.randint(0, 2)))
        holes |= {int(whole.cells[cell]) for cell in holes}
        holes |= {int(whole.cells[cell]) for cell in holes}
        holes |= {int(whole.cells[cell]) for cell in holes}
        return Question.of(board.without(holes) if holes else board, symmetry=whole.name)
    if rule == "steps":
        board = Board.box(rng.randint(3, 6), rng.randint(3, 6))
        steps, cells = rng.sample(range(1, board.size + 1), 2), rng.sample(range(board.size), 2)
        fixed = tuple(sorted(zip(steps, cells, strict=True)))
        return Question(board, closed=rng.random() < 0.5, steps=fixed)
    if rule == "sign" or (rule in {"hall", "reach", "tight"} and rng.random() < 0.3):
        n = rng.randint(4, 9)
        permutations = rng.sample(range(n), n), rng.sample(range(n), n)
        arcs = {(a, order[a]) for order in permutations for a in range(n) if a != order[a]}
        if rule != "sign":
            arcs = set(rng.sample(sorted(arcs), rng.randint(n, len(arcs)))) if len(arcs) > n else arcs
        graph = MoveGraph.from_edges(sorted(arcs), n, directed=True)
        return Question(graph, closed=rule == "sign" or rng.random() < 0.6)
    if rule == "contract":
        return Question(with_triangles(rng))
    if rule == "apart":
        return Question(dot_product(rng))
    if rule == "three":  # two hubs that share all other vertices, some of which are joined
        n = rng.randint(5, 9)
        arms = [(hub, k) for k in range(2, n) for hub in (0, 1)]
        chords = [(k, k + 1) for k in range(2, n - 1) if rng.random() < 0.2]
        return Question(MoveGraph.from_edges([*arms, *chords], n))
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
    """A graph in which four or five vertices have nearly the same three neighbours."""
    n = rng.choice((7, 8))
    order = rng.sample(range(n), n)
    few, many = order[:3], order[3:]
    edges = [(a, b) for a in few for b in many if rng.random() < 0.95]
    edges += [pair for pair in combinations(few, 2) if rng.random() < 0.5]
    return MoveGraph.from_edges([(min(edge), max(edge)) for edge in edges])


def loops(rng: random.Random) -> MoveGraph:
    """Two cycles, and a few random edges between their vertices."""
    order = iter(range(12))
    cycles = [[next(order) for _ in range(rng.randint(3, 5))] for _ in range(2)]
    edges = {
        (min(pair), max(pair)) for cycle in cycles for pair in zip(cycle, cycle[1:] + cycle[:1], strict=True)
    }
    n = next(order)
    pairs = [(i, j) for j in range(n) for i in range(j)]
    return MoveGraph.from_edges(sorted(edges | set(rng.sample(pairs, rng.randint(1, 5)))), n)


def with_triangles(rng: random.Random) -> MoveGraph:
    """A sparse graph in which some vertices of degree 3 are replaced by triangles."""
    n = rng.choice([4, 5, 6, 7])
    pairs = [(i, j) for j in range(n) for i in range(j)]
    edges = rng.sample(pairs, min(len(pairs), n + rng.randint(0, n // 2)))
    for vertex in range(n):
        indices = [k for k, edge in enumerate(edges) if vertex in edge]
        if len(indices) == 3 and rng.random() < 0.7:
            new = max(max(edge) for edge in edges) + 1
            for k, corner in zip(indices, (vertex, new, new + 1), strict=True):
                (neighbour,) = set(edges[k]) - {vertex}
                edges[k] = (neighbour, corner)
            edges += [(vertex, new), (new, new + 1), (vertex, new + 1)]
    return MoveGraph.from_edges([(min(edge), max(edge)) for edge in edges])


def steps_with(rule: str, question: Question, rng: random.Random) -> tuple[Step, ...] | None:
    """Steps that use the rule, or None if no attempt succeeds."""
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
        return splitting_steps(present, rng)
    if rule in {"branch", "three", "cycle", "saturated"}:
        return completed(present, rng)
    before: list[Step] = []
    easy = [cell for cell in range(present.size) if len(present.row(cell, OPEN, FORCED)) == 2]
    if (
        rule != "contract"
        and easy
        and (rule in {"parity", "subtour", "cycle", "three"} or rng.random() < 0.6)
    ):
        before.append(checked_step(present, "forced", tuple(easy)))
    for _ in range(30):
        cells = random_cells(rule, present, rng)
        try:
            step = checked_step(present, rule, cells)
        except (WrongError, IndexError):
            continue
        if rule == "subtour" and present.forced_degree.max() > 2:  # not a path: another rule applies
            return None
        if rule not in DEDUCTIONS:
            return (*before, step)
        after = completed(present, rng)
        return None if after is None else (*before, step, *after)
    return None


def splitting_steps(present: PresentGraph, rng: random.Random) -> tuple[Step, ...] | None:
    """Split a graph of `dot_product` at a guessed size, and prove both parts; None if that fails."""
    first = rng.choice((4, 5, 6))
    moves = [rng.sample((i, first + i), 2) for i in range(4)]
    if rng.random() < 0.9:  # consistently from one part to the other
        inside = rng.choice((0, first))
        moves = [[inside + i, first - inside + i] for i in rng.sample(range(4), 4)]
    step = Step("apart", tuple(cell for move in moves for cell in move))
    try:
        RULES[step.rule].check(present, np.array(step.cells))
    except (WrongError, IndexError):
        return None
    (inner,) = [completed(present, rng) for _ in cases(step, present)]
    outer = completed(present, rng)
    return None if inner is None or outer is None else (replace(step, cases=(inner,)), *outer)


def checked_step(present: PresentGraph, rule: str, cells: Cells) -> Step:
    """Apply a step to the graph and return it; raises if the rule does not allow it."""
    RULES[rule].check(present, np.array(cells, dtype=np.int64))
    return Step(rule, cells)


def random_cells(rule: str, present: PresentGraph, rng: random.Random) -> Cells:
    """Random cells for a step of the rule."""
    every_cell = [cell for cell in range(present.size) if present.representative[cell] == cell]
    if rule in {"degree", "three", "colours"}:
        return (rng.choice(every_cell),)
    if rule in {"reach", "subtour"}:
        return tuple(rng.sample(every_cell, 2))
    if rule == "sweep":
        return tuple(rng.sample(every_cell, len(every_cell)))
    if rule == "parity":  # cells joined by open moves are in one group
        groups: dict[int, set[int]] = {cell: {cell} for cell in every_cell}
        for a, b in present.edges[present.status == OPEN].tolist():
            if groups[a] is not groups[b]:
                groups[a] |= groups[b]
                for cell in groups[b]:
                    groups[cell] = groups[a]
        parts = [*{id(group): group for group in groups.values()}.values()]
        chosen = rng.sample(parts, min(len(parts), rng.randint(1, 2)))
        return tuple(sorted(set().union(*chosen)))
    some_cells = rng.sample(every_cell, rng.randint(1, max(1, len(every_cell) // 2)))
    if rule in {"hall", "tight", "factor"}:  # cells all of whose neighbours are in a random set
        neighbours = set(some_cells)
        enclosed = [
            cell for cell in every_cell if neighbours.issuperset(present.followers(np.array([cell])).tolist())
        ]
        extra = rng.sample(every_cell, 1) if rule == "factor" and rng.random() < 0.3 else []
        return tuple(sorted({*enclosed, *extra})[: len(neighbours) + (rule != "tight")])
    if rule == "cycle":
        path = [rng.choice(every_cell)]
        while onward := [cell for cell in present.row(path[-1], FORCED) if cell not in path]:
            path.append(onward[0])
        return tuple(path)
    if rule == "contract":
        first = rng.choice(every_cell)
        near_first = present.row(first, OPEN)
        return (first, *rng.sample(near_first, min(len(near_first), rng.randint(1, 3))))
    return tuple(some_cells)


def completed(present: PresentGraph, rng: random.Random, depth: int = 3) -> tuple[Step, ...] | None:
    """Complete a proof by nested cases up to `depth`; None if a tour exists or the depth does not suffice."""
    steps: list[Step] = []
    representatives = [cell for cell in range(present.size) if present.representative[cell] == cell]
    while True:
        degrees = {cell: len(present.row(cell, OPEN, FORCED)) for cell in representatives}
        if violated := [cell for cell in representatives if present.forced_degree[cell] > 2]:
            return (*steps, Step("three", (rng.choice(violated),)))
        if violated := [cell for cell in representatives if degrees[cell] < 2]:
            return (*steps, Step("degree", (rng.choice(violated),)))
        if (cycle := closed_path(present, representatives)) is not None:
            return None if len(cycle) == len(representatives) else (*steps, Step("cycle", cycle))
        forced = [cell for cell in representatives if degrees[cell] == 2 and present.forced_degree[cell] < 2]
        if forced:
            steps.append(checked_step(present, "forced", tuple(forced)))
            continue
        full = [
            cell for cell in representatives if present.forced_degree[cell] == 2 and present.row(cell, OPEN)
        ]
        if full:
            steps.append(checked_step(present, "saturated", tuple(full)))
            continue
        edge = rng.choice(np.flatnonzero(present.status == OPEN).tolist())
        branches = []
        for status in (FORCED, OUT):
            since = present.assume(edge, status)
            case = completed(present, rng, depth - 1) if depth else None
            present.take_back(since)
            if case is None:
                return None
            branches.append(case)
        return (*steps, Step("branch", tuple(present.edges[edge].tolist()), tuple(branches)))


def closed_path(present: PresentGraph, representatives: list[int]) -> Cells | None:
    """A cycle of forced moves, or None."""
    for first in representatives:
        path = [first, *present.row(first, FORCED)[:1]]
        while len(path) > 1 and (
            onward := [cell for cell in present.row(path[-1], FORCED) if cell != path[-2]]
        ):
            if onward[0] in path:
                return tuple(path[path.index(onward[0]) :])
            path.append(onward[0])
    return None
