"""Mutation tests of the checker: each damaged line must change the outcome of some check.

A mutant of a module omits one refusal, or replaces one comparison by another. The corpus consists of valid
and damaged tours, arrays and proofs. A mutant survives if each check of the corpus gives the same outcome as
with the undamaged checker. Only the mutants in `HARMLESS` may survive, each for the reason given there.

`python tests/mutants.py`, a part of `make coverage`, prints the score and the survivors. It fails if a
survivor is not in `HARMLESS`, or if a module has no mutant.
"""

from __future__ import annotations

import ast
import importlib
import math
import random
import re
import signal
import sys
import time
from collections import Counter
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from decimal import Decimal
from functools import cache, partial
from itertools import pairwise, product
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cavalcade
from cavalcade import Board, MoveGraph
from cavalcade.answers import receipts
from cavalcade.answers.certificate import Certificate, PositionProof, SatProof, Step, StepProof, Term
from cavalcade.answers.receipts import Receipt, StageRow
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found
from cavalcade.boards.notation import parse_board
from cavalcade.checking import (
    arrays,
    certificates,
    constraints,
    counts,
    decompositions,
    drup,
    events,
    formula,
    geometry,
    hints,
    many,
    recount,
    rejoin,
    replay,
    second_count,
    tours,
    uncrossed,
    weights,
)
from cavalcade.checking.present import PresentGraph, WrongError
from cavalcade.checking.rules import RULES
from cavalcade.checking.rules.colours import board_colours
from cavalcade.explaining.sentences import sentences
from cavalcade.explaining.wording import MOST_LISTED
from cavalcade.find.many import tables
from cavalcade.ground.arrays import ArrayOnDisk
from cavalcade.ground.budget import Budget
from cavalcade.ground.errors import BoardError, CavalcadeError
from cavalcade.ground.kernels import Tier
from cavalcade.question.pieces import parse_piece
from cavalcade.question.question import Question, symmetries
from cavalcade.question.statement import MEASURES, AtMost, WeightLimit, graph_name
from cavalcade.question.symmetry import Symmetry
from cavalcade.refute.linear import linear
from cavalcade.refute.sat import sat_alone
from cavalcade.refute.uncrossed import long_walk
from strategies import reach
from test_constraints import onward
from test_directed import two_ways
from test_local import blind_alley
from test_proofs import RULES as CASES
from test_proofs import damaged, step
from test_receipts import in_halves
from test_sat import false_by_propagation
from test_tours import MESSAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import CodeType, FrameType, FunctionType, ModuleType

    from numpy.typing import NDArray

    from cavalcade.question.pieces import Piece

    Check = Callable[[], object]  # calls the checker once and returns its outcome

RETRY_SECONDS = 0.01  # seconds until `end_check` retries
# A mutant is lost after this much processor time in a check, plus five times that of the undamaged checker.
LEAST_SECONDS = 1

# ---- mutants

REPLACEMENTS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.GtE, ast.LtE),
    ast.LtE: (ast.Gt, ast.Lt),
    ast.Gt: (ast.LtE, ast.GtE),
    ast.GtE: (ast.Lt, ast.Gt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
NAMING = {"called", "stop", "cell_of", "counted"}  # functions that only name the subject of a message


def refuses(node: ast.stmt) -> bool:
    """Whether a statement refuses: it raises, records or returns an error, a wrong verdict or a clause."""
    if isinstance(node, ast.Raise):
        return True
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0]) == "wrong"
    if not isinstance(node, ast.Return) or node.value is None:
        return False
    text = ast.unparse(node.value)
    is_fault = isinstance(node.value, ast.JoinedStr | ast.Constant) and text not in {"''", "None"}
    return is_fault or "ok=False" in text or text.startswith(("wrong(", "self.wrong", "-1 - c"))


def mutants(tree: ast.stmt) -> Iterator[tuple[str, Callable[[], None], Callable[[], None]]]:
    """The mutants of a function or class: a description, a function that makes it, one that undoes it."""
    for function in [part for part in ast.walk(tree) if isinstance(part, ast.FunctionDef)]:
        if function.name in NAMING:
            continue
        for node in ast.walk(function):
            for body in (getattr(node, part, []) for part in ("body", "orelse", "handlers")):
                for k, line in enumerate(body if isinstance(body, list) else []):
                    if isinstance(line, ast.stmt) and refuses(line):
                        yield from [mutant(function, body, k, ast.Pass(), ast.unparse(line), "never")]
            if isinstance(node, ast.Compare):
                for k, operator in enumerate(node.ops):
                    for replacement in REPLACEMENTS[type(operator)]:
                        change = f"with {replacement.__name__}" + (f" at {k}" if k else "")
                        yield mutant(function, node.ops, k, replacement(), ast.unparse(node), change)


def mutant(
    function: ast.FunctionDef, parts: list[Any], k: int, replacement: ast.AST, text: str, change: str
) -> tuple[str, Callable[[], None], Callable[[], None]]:
    """The mutant that replaces one part in a list of parts of the tree."""
    old = parts[k]
    if isinstance(replacement, ast.stmt):
        ast.copy_location(replacement, old)
    return (
        f"{function.name}: {text[:90]}: {change}",
        lambda: parts.__setitem__(k, replacement),
        lambda: parts.__setitem__(k, old),
    )


def codes(code: CodeType, path: str = "") -> dict[str, CodeType]:
    """The code of every function and method of a module, by its name."""
    by_name = {}
    for constant in code.co_consts:
        if hasattr(constant, "co_name"):
            name = f"{path}{constant.co_name}"
            by_name[name] = constant
            by_name |= codes(constant, f"{name}.")
    return by_name


def functions(module: ModuleType) -> dict[str, FunctionType]:
    """The functions and methods of a module."""
    members: dict[str, Any] = {}
    for name, member in vars(module).items():
        if getattr(member, "__module__", "") == module.__name__:
            inner = vars(member) if isinstance(member, type) else {}
            plain = {k: v.fget if isinstance(v, property) else v for k, v in inner.items()}
            # A decorated function runs the code that it wraps; cached results would go stale.
            wrapped = getattr(member, "__wrapped__", member) if hasattr(member, "__code__") else member
            members |= {name: wrapped} | {
                f"{name}.{k}": getattr(v, "__wrapped__", v) for k, v in plain.items()
            }
    return {name: member for name, member in members.items() if hasattr(member, "__code__")}


@contextmanager
def changed(module: ModuleType, tree: ast.stmt) -> Iterator[None]:
    """Within the context, a function or class of the module runs the code of a changed tree."""
    future = ast.parse("from __future__ import annotations").body
    new = codes(compile(ast.Module([*future, tree], []), "mutant", "exec"))
    module_functions = functions(module)
    old = {name: function.__code__ for name, function in module_functions.items()}
    try:
        for name, function in module_functions.items():
            if name in new:
                function.__code__ = new[name]
        yield
    finally:
        for name, function in module_functions.items():
            function.__code__ = old[name]


class _LostError(Exception):
    """A mutant does not return."""


def outcome(check: Check) -> object:
    """The outcome of a check: its value, or the message or type of its exception."""
    try:
        return check()
    except _LostError:
        return "lost"
    except Exception as error:  # noqa: BLE001 - whatever a mutant runs into
        return type(error).__name__ if not isinstance(error, CavalcadeError) else str(error)


def end_check(_: int, frame: FrameType | None) -> None:
    """End a check; if coverage holds its lock now, retry soon, because the lock would never be released."""
    if frame is not None and frame.f_code.co_name in {"lock_data", "unlock_data"}:
        signal.setitimer(signal.ITIMER_PROF, RETRY_SECONDS)
    else:
        raise _LostError


def survivors(name: str) -> tuple[int, list[str], float]:
    """The number of mutants of a module, descriptions of the survivors, and the seconds of the run."""
    sys.settrace(None)  # coverage does not measure this process
    Tier.warm, Tier.interpreted = False, -math.inf  # compiled, a mutant could read beyond an array
    module, checks = importlib.import_module(f"cavalcade.checking.{name}"), corpus(CORPUS[name])
    expected, limits, began = [], [], time.process_time()
    for check in checks:
        before = time.process_time()
        expected.append(outcome(check))
        limits.append(LEAST_SECONDS + 5 * (time.process_time() - before))
    tree = ast.parse(Path(str(module.__file__)).read_text())
    alive, count = [], 0
    order = rare_first(expected)
    signal.signal(signal.SIGPROF, end_check)
    for part, (change, make, undo) in (
        (whole, mutation) for whole in tree.body for mutation in mutants(whole)
    ):
        count += 1
        make()
        with changed(module, part):
            killer = next((k for k in order if timed_outcome(checks[k], limits[k]) != expected[k]), None)
        undo()
        if killer is None:
            alive.append(change)
        else:  # this check probably notices the next mutant, too
            order.remove(killer)
            order.insert(0, killer)
    return count, alive, time.process_time() - began


def rare_first(outcomes: list[object]) -> list[int]:
    """An order of the checks in which each kind of outcome comes early, and rare kinds before repetitions."""
    seen: Counter[str] = Counter()
    rank = {}
    for k in random.Random(1).sample(range(len(outcomes)), len(outcomes)):
        kind = re.sub(r"\d+", "0", str(outcomes[k]))[:60]
        rank[k] = seen[kind]
        seen[kind] += 1
    return sorted(rank, key=rank.__getitem__)


def timed_outcome(check: Check, seconds: float) -> object:
    """The outcome of a check, or "lost" after `seconds` of processor time."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return outcome(check)
    except _LostError:
        return "lost"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


# ---- the corpus


def boards() -> Iterator[tuple[str, str]]:
    yield from product(("3x4", "2x3-a1", "2x2x3", "hex:2", "1x3"), ("knight", "0,1", "1,1+1,2"))
    yield from product(
        ("cylinder:3x4", "torus:2x3", "torus:4x4", "mobius:3x3", "klein:3x4", "klein:2x3-a1", "mobius:1x5"),
        ("knight", "0,1", "moves:1,1", "moves:1,1+-", "moves:1,2;0,1;2,0;0,3+-"),
    )
    yield from product(
        ("triangle:4", "triangle:4-b1", "parallelogram:2x4", "hexagon:2,3,2"), ("knight", "0,1")
    )
    yield from product(("hexagon:3,1,2", "hexagon:1,2,3", "hexagon:2,3,2", "hex:3-c3"), ("0,1",))
    yield from product(("cube:1", "cube:2", "cube:2-c3", "surface:1x2x3"), ("knight", "0,1"))
    yield from product(("surface:2x3x1", "surface:3x1x2", "surface:2x3x4-d8"), ("knight",))
    yield from product(("plus:1", "plus:2-c1"), ("knight", "0,1"))
    yield from product(("frame:4x5x1", "frame:5x5x2"), ("knight", "0,1"))


def board_with(spec: str, change: Callable[[NDArray[np.bool_]], None]) -> Board:
    """A board with a mask that its family does not have."""
    board = parse_board(spec)
    assert not board.holes  # so that the board does not compute its mask again
    mask = np.ones(board.shape, dtype=np.bool_) if board.mask is None else board.mask.copy()
    change(mask)
    object.__setattr__(board, "mask", mask)
    return board


def take_out(mask: NDArray[np.bool_]) -> None:
    mask[tuple(np.argwhere(mask)[-1])] = False


def put_in(mask: NDArray[np.bool_]) -> None:
    mask[tuple(np.argwhere(~mask)[-1])] = True


def swap(mask: NDArray[np.bool_]) -> None:
    take_out(mask)
    mask[tuple(np.argwhere(~mask)[0])] = True


def all_moves(board: Board, piece: Piece) -> object:
    """All moves of a piece, as a list."""
    return geometry.all_moves(board, piece).tolist()


def moves_of(board: Board, piece: Piece, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> object:
    """The geometry of a board by the checker: which pairs are moves, all moves, and flatness."""
    edges = geometry.all_moves(board, piece)
    once = sorted({(int(a), int(b)) for a, b in edges})
    return geometry.is_move(board, piece, starts, ends).tolist(), once, geometry.is_flat(board)


def by_geometry() -> Iterator[Check]:
    """All pairs of cells; the oracle does not use the package."""
    for spec, mover in boards():
        board, piece = parse_board(spec), parse_piece(mover)
        neighbours = reach(board, piece)
        n = board.size
        starts, ends = (np.array(side) for side in zip(*product(range(n), repeat=2), strict=True))
        is_neighbour = [b in neighbours[a] for a, b in product(range(n), repeat=2)]
        one_way = mover.startswith("moves:") and not mover.endswith("+-")
        pairs = sorted({(a, b) for a in range(n) for b in neighbours[a] if a < b or (one_way and a != b)})

        right = (is_neighbour, pairs, spec.startswith(("hex", "tri", "par", "plus", "frame", *"123")))
        assert moves_of(board, piece, starts, ends) == right
        yield partial(moves_of, board, piece, starts, ends)
    yield partial(geometry.vectors, parse_board("3x3"), parse_piece("moves:1,2,3"))
    yield partial(all_moves, parse_board("cube:1"), parse_piece("moves:1,2"))
    for spec, change in product(
        ("triangle:3", "hexagon:2,2,1", "hex:2", "cube:1", "surface:1x2x1"), (take_out, put_in, swap)
    ):
        board = board_with(spec, change)
        yield partial(all_moves, board, parse_piece("0,1"))
        with pytest.raises(BoardError, match="does not have the cells"):
            geometry.all_moves(board, parse_piece("0,1"))


def by_geometry_and_constraints() -> Iterator[Check]:
    """Geometry, also of constraints and of symmetries."""
    yield from by_geometry()
    for spec in ("3x4", "hex:2", "triangle:3", "2x2x3"):
        yield partial(listed, geometry.points_of, parse_board(spec))
    yield from by_constraints()
    yield from by_maps()


def by_tours() -> Iterator[Check]:
    cases = [tour for tour, _, _ in MESSAGES]
    graph = MoveGraph.from_edges([(0, 1), (1, 2), (2, 3)])
    for n, edges in ((4, graph), (2, MoveGraph.from_edges([(0, 1)])), (3, MoveGraph.from_edges([], 3))):
        cells = [list(range(n)), list(range(n - 1)), [0], [], [1, 0], [*range(n), 0], [0, 0], [n - 1, n - 2]]
        cases += [Tour(edges, np.array(walk, dtype=np.int32), c) for walk in cells for c in (True, False)]
    square = MoveGraph.from_edges([(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)])
    for fixed, order in product((((0, 2),), ((0, 1), (2, 3))), ([0, 1, 2, 3], [1, 2, 0, 3])):
        cases += [Tour(replace(square, fixed=fixed), np.array(order), c) for c in (True, False)]
    rng = random.Random(4)
    for tour in [case for case in cases if isinstance(case.board, Board)][:4]:
        for _ in range(12):
            cells = tour.cells.tolist()
            i, j = (rng.randrange(len(cells)) for _ in range(2))
            cells[i] = cells[j]
            cases.append(Tour(tour.board, np.array(cells), tour.closed))
    yield from (partial(tours.check, tour) for tour in cases)
    ring = ["a1", "c2", "a3", "b1", "c3", "a2", "c1", "b3"]
    calls: list[tuple[Any, dict[str, Any]]] = [
        (ring, {"board": "3x3-b2"}),
        (ring, {"board": "3x3-b2", "open": True}),
        (ring[:3], {"board": "3x3-b2", "piece": "knight"}),
        (ring, {}),
        ("a1", {"board": "3x3"}),
        (cases[0], {"board": "3x3"}),
        (cases[0], {"piece": "knight"}),
        (cases[0], {"open": True}),
    ]
    yield from (partial(tours.check, walk, **words) for walk, words in calls)
    yield from blocks_of_tours()


def blocks_of_tours() -> Iterator[Check]:
    """Small and large blocks of valid and damaged tours, on boards and on graphs."""
    rng = np.random.default_rng(5)
    for spec, is_open in (("3x3-b2", False), ("3x4", True), ("5x6", False), ("1x1", True)):
        board = parse_board(spec)
        all_rows = np.concatenate([block.cells for block in cavalcade.list_arrays(board, open=is_open)])
        graph = cavalcade.move_graph(board)
        fixed = replace(graph, fixed=tuple(map(tuple, graph.edges()[:1].tolist())))
        for place, rows in product(
            (board, graph, fixed), (all_rows, all_rows[:1], np.tile(all_rows, (40, 1)))
        ):
            block = cavalcade.Tours(place, rows, closed=not is_open)
            yield partial(tours.check_all, block)
            yield partial(tours.check_all, replace(block, closed=is_open))
            yield partial(tours.check_all, replace(block, cells=rows[:, :-1]))
            for low, high in ((-1, board.size), (0, board.size + 1), (0, board.size)):
                damaged = rows.copy()
                damaged[rng.integers(len(rows)), rng.integers(board.size)] = rng.choice([low, high - 1])
                block_with_damage = copy(block)
                object.__setattr__(block_with_damage, "cells", damaged)  # past the validation of `Tours`
                yield partial(tours.check_all, block_with_damage)
            twice = rows.copy()
            twice[-1] = twice[-1, :1]
            yield partial(tours.check_all, replace(block, cells=twice))
    edge = cavalcade.Tours(MoveGraph.from_edges([(0, 1)]), np.array([[0, 1], [1, 0]]), closed=True)
    yield from (partial(tours.check_all, replace(edge, closed=closed)) for closed in (True, False))


def by_walks() -> Iterator[Check]:
    """All short walks of small boards, with moves that overlap, cross, touch and repeat."""
    boards = [("3x4", "knight", 5), ("1x4", "0,1+0,2", 4), ("3x3", "king", 4), ("4x1", "0,1+0,2", 4)]
    boards += [("2x3x3", "knight", 4), ("3x3x2", "0,1+0,2", 4), ("2x2x3", "1,1+0,1", 4)]
    boards += [("3x3x3", "1,1+1,2", 4)]
    for spec, piece, longest in (*boards, ("hex:2", "0,1", 4), ("3x3", "0,2+1,1", 3)):
        board, mover = parse_board(spec), parse_piece(piece)
        neighbours: list[list[int]] = [[] for _ in range(board.size)]
        for a, b in cavalcade.move_graph(board, mover).edges().tolist():
            neighbours[a].append(b)
            neighbours[b].append(a)
        paths = [[a] for a in range(board.size)]
        for _ in range(longest):
            paths += [
                [*path, b] for path in paths if len(path) == len(paths[-1]) for b in neighbours[path[-1]]
            ]
        rng = random.Random(7)
        for path in [[], [0, 0], *rng.sample(paths, min(len(paths), 150))]:
            for closed in (True, False):
                walk = Tour(board, np.array(path, dtype=np.int32), closed, mover)
                yield partial(uncrossed.check_uncrossed, walk)
    for spec in ("torus:3x3", "3x3x2", "petersen"):
        board_or_graph = cavalcade.board(spec) if spec != "petersen" else MoveGraph.from_edges([(0, 1)])
        yield partial(
            uncrossed.check_uncrossed, Tour(board_or_graph, np.array([0], dtype=np.int32), closed=False)
        )


def by_longest_walks() -> Iterator[Check]:
    """Proofs that no walk is longer, whole and damaged; and counts of all walks of small boards."""
    yield from by_walks()
    for spec, piece in (("2x3", "knight"), ("3x3", "knight"), ("2x2", "0,1"), ("2x2-a1", "king")):
        board, mover = parse_board(spec), parse_piece(piece)
        for closed in (True, False):
            for work in (*range(60), 100_000):
                yield partial(uncrossed.longest_again, board, mover, closed=closed, work=work)
    for spec, closed in (("2x3x3", True), ("2x2x3", True), ("2x2x3", False), ("1x1x1", False)):
        board, mover = parse_board(spec), parse_piece("knight")
        coords = board.coords.astype(np.int64)
        walk = long_walk(cavalcade.move_graph(board), coords, mover.vectors(board), closed=closed)
        proof, cells, n = walk.proof, len(walk.cells) + 1, board.size
        if proof is None:
            proof = SatProof((), ("0",))
        cuts = [(), (-1,), (0,), (n - 1,), (n,), (n + 1,), tuple(range(cells - 1)), tuple(range(cells))]
        cuts += [(*range(cells - 1), n), (*range(cells - 2), n), (0, 1), (0, n)]
        proofs = [replace(proof, cuts=(*proof.cuts, cut)) for cut in cuts]
        proofs += [replace(proof, cuts=proof.cuts[:k]) for k in range(len(proof.cuts))]
        proofs += [replace(proof, drup=("0",)), replace(proof, drup=proof.drup[: len(proof.drup) // 2])]
        for changed in (proof, *proofs):
            for least in (cells - 1, cells, cells + 1):
                yield partial(uncrossed.check_longest, board, mover, changed, cells=least, closed=closed)


ENDS = ((0, 5), (5, None), (None, 4), (4, 4), (0, 9), (-1, 5), (5, -1), (6, None), (None, 6))


def graph_of(question: Question) -> str:
    """The graph whose closed tours answer a question, as text."""
    size, edges = constraints.closed_graph(question)
    return f"{size}: {edges.tolist()}"


def by_steps() -> Iterator[Check]:
    proofs: list[Certificate] = []
    for edges, steps, _ in CASES:
        graph = MoveGraph.from_edges(edges)
        proofs.append(Certificate(Question(graph), StepProof(tuple(step(*line) for line in steps))))
    for spec, closed in (("3x4", True), ("3x3-b2,a1", True), ("mobius:3x4", True), ("3x3", False)):
        proof = reason(spec, closed=closed)
        question = Question(parse_board(spec), closed=closed)
        damaged_proofs = list(damaged(proof.steps))
        damaged_proofs = random.Random(2).sample(damaged_proofs, min(len(damaged_proofs), 25))
        proofs += [Certificate(question, StepProof(steps)) for steps in [proof.steps, *damaged_proofs]]
        proofs.append(Certificate(Question(parse_board("5x6"), closed=closed), proof))
    last = StepProof((Step("degree", (0,)),))
    three = parse_board("2x3")
    for question in (
        Question(parse_board("1x1")),
        *(Question(three, closed=False, start=a, end=b) for a, b in ENDS),
        Question(three, start=0),
        Question(MoveGraph.from_edges([], 3)),
    ):
        proofs += [Certificate(question, last), Certificate(question, StepProof((Step("cut"),)))]
        yield partial(graph_of, question)
    full = [(i, j) for j in range(45) for i in range(j)]
    deep = last.steps
    for edge in full:  # too deep for Python
        deep = (Step("branch", edge, (deep, deep)),)
    proofs.append(Certificate(Question(MoveGraph.from_edges(full)), StepProof(deep)))
    small = Question(MoveGraph.from_edges([(0, 1), (1, 2)]))
    proofs += [Certificate(small, SatProof((), lines)) for lines in (("0",), ("1 x 0",), ())]
    for certificate in [*proofs, *one_way_proofs(), *weighted_proofs(), *proofs_with_odd_moves()]:
        yield partial(certificates.verify, certificate)
        if certificates.verify(certificate):
            yield partial(sentences, certificate)


def one_way_proofs() -> Iterator[Certificate]:
    """Proofs about a digraph: a directed ring and a source with an arc to each vertex of the ring."""
    ring, n = list(range(MOST_LISTED + 2)), MOST_LISTED + 3
    arcs = [*pairwise([*ring, 0]), *((n - 1, b) for b in ring)]
    question = Question(MoveGraph.from_edges(arcs, n, directed=True))
    to, from_ = [n + c for c in range(n)], [2 * n + c for c in range(n)]
    along_ring, onward, dead_end = ("forced", ring), ("forced", from_[:-1]), ("degree", to[-1:])
    tables: list[list[Any]] = [
        *([("forced", from_[:many]), dead_end] for many in (1, 2, MOST_LISTED, MOST_LISTED + 1)),
        *(
            [along_ring, onward, ("saturated", to[:many]), dead_end]
            for many in (1, 2, MOST_LISTED, MOST_LISTED + 1)
        ),
        [along_ring, onward, ("saturated", from_[:2]), dead_end],
        [("contract", [0, 1]), dead_end],
        [("contract", to[:2]), dead_end],
        [("apart", [*to[:4], *from_[:4]], [[dead_end]]), dead_end],
        [("hall", to[-1:])],
        [("hall", [*from_[:-1], to[-1]])],
        [("hall", from_[:-1])],
        [("reach", [0, n - 1])],
        [("reach", [n - 1, 0])],
        [("reach", [0])],
        [along_ring, onward, ("cycle", [place for c in ring for place in (to[c], c, from_[c])])],
    ]
    yield from (Certificate(question, StepProof(tuple(step(*line) for line in table))) for table in tables)
    yield from (Certificate(question, StepProof((Step("sign", cells),))) for question, cells in signs())
    yield from (Certificate(question, proof) for question, proof in coiled())


def signs() -> Iterator[tuple[Question, tuple[int, ...]]]:
    """Digraphs to which the rule `sign` applies, and digraphs that it refuses, each for one reason."""
    rings = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]
    over = [(0, 4), (1, 5), (2, 3), (3, 1), (4, 2), (5, 0)]
    for arcs in (
        rings,
        rings[:5],
        [*rings[:5], (5, 4)],
        [*rings[:3], (3, 4), (4, 3)],
        [*rings[:3], (3, 4), (4, 5), (5, 6), (6, 3)],
        [*rings, *over],
        [*rings, *over[:1]],
        [*rings, *over, (0, 3)],
        [*rings, (0, 4), (3, 1)],
        [*rings, (0, 4), (1, 5), (3, 2)],
        [*rings, (0, 4), (3, 5), (4, 1)],
        *(sorted(two_ways(random.Random(seed))[1]) for seed in range(40)),
    ):
        graph = MoveGraph.from_edges(arcs, directed=True)
        for cells in ((), (0,)):
            yield Question(graph), cells
            yield Question(graph, closed=False), cells
        yield Question(MoveGraph.from_edges(arcs)), ()


@cache
def reason(spec: str, *, closed: bool) -> StepProof:
    from cavalcade.refute.reasons import reasons

    proof = reasons(Question(parse_board(spec), closed=closed), Budget(), cases=1000, sets=spec != "3x4")
    assert isinstance(proof, StepProof)
    return proof


def by_sat() -> Iterator[Check]:
    from cavalcade.refute.sat import sat

    yield from by_some_cells()
    rng = random.Random(6)
    stars = [[(0, k) for k in range(1, d + 1)] for d in (1, 2, 3, 9, 10, 11)]
    for edges in (*stars, [(i, j) for j in range(12) for i in range(j)]):
        array = np.array(sorted(edges), dtype=np.int64)
        n = int(array.max()) + 1
        yield partial(formula.formula, n, array, SatProof(((0,), (0, 1), (n - 1,))[: n - 1], ()))
        swapped = np.array([0, *range(n - 1, 0, -1)])  # a symmetry of stars and of complete graphs
        yield partial(formula.formula, n, array, SatProof(((0,),), ()), swapped)
        for counted, limit in product(range(8), (0, 1, 2, 9, None)):
            events_ = [[(-1, -2), (-1,)][: 1 + k % 2] for k in range(counted)]
            bound = None if limit is None else AtMost("turns", limit)
            yield partial(formula.formula, n, array, SatProof(((0,),), (), bound), events=events_)
    refutations: tuple[tuple[str, ...], ...] = ((), ("0",), ("1 0",))
    for drup_lines in refutations:  # the first clause is empty
        yield partial(refuted, 3, np.array([(0, 1), (1, 2)]), SatProof((), drup_lines))
    for k in range(400):
        yield some_replay(random.Random(k))
    yield moved_nodes
    snark = [(i, (i + 1) % 5) for i in range(5)]
    snark += [(i, i + 5) for i in range(5)] + [(i + 5, (i + 2) % 5 + 5) for i in range(5)]
    for graph in (MoveGraph.from_edges(snark), parse_board("3x6"), parse_board("2x2x3"), parse_board("4x5")):
        proof = next(sat(Question(graph), Budget()))
        assert isinstance(proof, SatProof)
        size, edges_ = constraints.closed_graph(Question(graph))
        lines = list(proof.drup)
        proofs = [proof, SatProof(proof.cuts[1:], proof.drup), SatProof(proof.cuts, ())]
        for _ in range(12):
            k = rng.randrange(len(lines))
            words = lines[k].split()
            words[0] = str(-int(words[0])) if words[0] not in {"0", "d"} else words[0]
            proofs += [
                SatProof(proof.cuts, (*lines[:k], *replacement, *lines[k + 1 :]))
                for replacement in ([], [" ".join(words)], [f"d {lines[k]}"], [lines[k], f"d {lines[k]}"])
            ]
        proofs += [
            SatProof(((), *proof.cuts), proof.drup), SatProof((tuple(range(size)),), proof.drup),
            SatProof(((0, size),), proof.drup), SatProof(((-1, 1),), proof.drup),
            SatProof((), ("1 x 0",)), SatProof((), ("1 0 2 0",)), SatProof((), ("999 0", "0")),
            SatProof((), (f"{len(edges_)} 0",)), SatProof((), (f"{len(edges_) + 1} 0",)),
            SatProof(proof.cuts, ("1 -1 0", "2 -2 3 0", *proof.drup)), SatProof((), ("0",)), SatProof((), ()),
        ]  # fmt: skip
        yield partial(drup.dimacs, ["a comment"], formula.formula(size, edges_, proof))
        yield partial(retried, size, edges_, proof)
        whole = tuple(range(size))
        proofs += [
            replace(proof, cells=cells)
            for cells in (
                whole,
                whole[1:],
                (*whole, size),
                (-1, *whole),
                (*whole, 0),
                whole[:-1],
                (),
            )
        ]
        proofs += [replace(proof, cells=whole, at_most=AtMost("turns", 3))]
        for changed in proofs:
            yield partial(refuted, size, edges_, changed)
            yield partial(trimmed, size, edges_, changed)
        yield partial(refuted, size, edges_, proof, image=np.roll(np.arange(size), 1))


def refuted(size: int, edges: NDArray[np.int64], proof: SatProof, **words: Any) -> str:
    stated = formula.formula(size, edges, proof, **words)
    return drup.fault(stated, proof.drup) + drup.fault(stated, proof.drup, proof.hints)


def trimmed(size: int, edges: NDArray[np.int64], proof: SatProof) -> object:
    refuted_ = formula.formula(size, edges, proof)
    return drup.trim(refuted_, proof.drup), drup.lrat(refuted_, proof.drup)


def retried(size: int, edges: NDArray[np.int64], proof: SatProof) -> object:
    """The hints of a replay that has too little space for them at first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replay, "first_capacity", lambda _: 2)
        return drup.lrat(formula.formula(size, edges, proof), proof.drup)


def by_some_cells() -> Iterator[Check]:
    """Proofs that use only some vertices of a graph."""
    graph = blind_alley(30)
    size, edges = constraints.closed_graph(Question(graph))
    proof = sat_alone(graph, range(9), Budget())
    assert proof is not None
    image = np.arange(size)
    cells = proof.cells
    assert cells is not None
    proofs = [
        proof, replace(proof, cells=cells[::-1]), replace(proof, cells=cells[1:]),
        replace(proof, cells=(*cells, 9)), replace(proof, cells=(*cells, 0)),
        replace(proof, cells=(*cells[1:], size)),
        replace(proof, cells=(-1, *cells[1:])), replace(proof, cells=None),
        replace(proof, cuts=(*proof.cuts, (0, 12))), replace(proof, cuts=(*proof.cuts, (12,))),
        replace(proof, cuts=(*proof.cuts, cells)), replace(proof, cuts=proof.cuts[1:]),
        replace(proof, at_most=AtMost("turns", 3)), replace(proof, cells=(), drup=("0",)),
    ]  # fmt: skip
    for changed in proofs:
        yield partial(refuted, size, edges, changed)
        yield partial(refuted, size, edges, changed, image=image)
        yield partial(trimmed, size, edges, changed)
    for subset in (cells, (3, 4), ()):
        yield partial(
            formula.formula, size, edges, SatProof((subset[:2],) if subset else (), (), cells=subset)
        )


def moved_nodes() -> list[list[int]]:
    """The lists of watching nodes after nodes have moved between them."""
    rng, nodes = random.Random(1), 4
    watches = replay.Watches([-1] * 3, [-1] * nodes, [-1] * nodes)
    for node in range(nodes):
        replay._link(node, 0, watches)  # noqa: SLF001 - the lists of the replay
    for _ in range(40):
        node = rng.randrange(nodes)
        replay._unlink(node, watches)  # noqa: SLF001 - the lists of the replay
        replay._link(node, rng.randrange(3), watches)  # noqa: SLF001 - the lists of the replay
    return [list(column) for column in watches]


def some_replay(rng: random.Random) -> Check:
    """Random axioms, then clauses, mostly implied, that are added and deleted; the oracle scans them all."""
    variables = rng.randint(1, 8)
    axioms = rng.choice([0, rng.randint(1, 5), *(variables * k for k in range(2, 8))])
    hard, steady = rng.random() < 0.7, rng.choice((0.5, 0.9, 1))

    def clause(weights: tuple[int, ...] = (1, 8, 30, 50, 20)) -> list[int]:
        size = rng.choices((0, 1, 2, 3, 4), weights)[0]
        return [k * rng.choice((-1, 1)) for k in rng.sample(range(1, variables + 1), min(size, variables))]

    clauses = [clause((0, 0, 20, 80, 10) if hard else (1, 5, 30, 50, 20)) for _ in range(axioms)]
    alive = dict(enumerate(clauses))
    events, expected = list(range(axioms)), None
    for c in range(axioms):
        if expected is None and false_by_propagation(clauses[: c + 1], set()):
            expected = c
    for c in range(axioms, axioms + rng.randint(0, 12)):
        current = list(alive.values())
        candidates = [*(clause() for _ in range(8)), []]
        implied = [literal for literal in candidates if false_by_propagation(current, {-k for k in literal})]
        clauses.append(rng.choice(implied) if implied and rng.random() < steady else candidates[0])
        if (
            expected is None
            and clauses[-1] not in implied
            and not false_by_propagation(current, {-k for k in clauses[-1]})
        ):
            expected = -1 - c
        events.append(c)
        alive[c] = clauses[-1]
        if expected is None and false_by_propagation(list(alive.values()), set()):
            expected = c
        if rng.random() < 0.4:
            deleted = rng.choice(list(alive))
            if len(alive[deleted]) > 1:
                del alive[deleted]
                events.append(-1 - deleted)
    lits = np.array(
        [2 * abs(literal) - 2 + (literal < 0) for clause in clauses for literal in clause], dtype=np.int32
    )
    starts = np.cumsum([0, *map(len, clauses)]).astype(np.int32)
    order = np.array(events, dtype=np.int32)

    def check() -> list[object]:
        replayed = partial(replay.replay, lits, starts, order, axioms, variables)
        return [replayed(eager=True), replayed(eager=False), replayed(eager=False, hinted=True), follow()]

    def follow() -> list[bool]:
        """Check the clauses with all earlier clauses as hints, twice over, and with damaged hints."""
        rows = [np.tile(np.arange(c), 2) for c in range(axioms, len(clauses))]
        spans = np.cumsum([0, *map(len, rows)])
        numbers = np.concatenate([*rows, np.zeros(0, dtype=np.int64)]).astype(np.int64)
        follows = partial(hints.follows_hints, lits, starts, axioms, variables)
        return [
            follows(numbers, spans), follows(numbers, spans, per_call=1), follows(numbers, spans[:-1]),
            follows(numbers[: len(numbers) // 2], np.minimum(spans, len(numbers) // 2)),
            follows(-1 - numbers, spans),
            follows(numbers[:-1], spans), follows(numbers + 1, spans), follows(numbers, spans[::-1]),
            follows(numbers, np.maximum(spans, 1)),
        ]  # fmt: skip

    outcome = check()[0]
    assert isinstance(outcome, tuple)
    assert outcome[0] == (len(clauses) if expected is None else expected)
    return check


def checked_in_tiles(array: Any, board: Board, piece: Any, tile: int) -> object:
    """The verdict on an array that is checked in tiles of `tile` places."""
    old, arrays.TILE = arrays.TILE, tile
    try:
        return arrays.check_array(array, board, piece=piece, threads=1)
    finally:
        arrays.TILE = old


def on_disk(steps: NDArray[Any]) -> object:
    """The verdict on an array that is read from a file, in tiles."""
    with TemporaryDirectory() as directory:
        file = Path(directory) / "steps"
        file.write_bytes(steps.tobytes())
        array = ArrayOnDisk(file, 0, steps.shape, steps.dtype)
        return checked_in_tiles(array, parse_board("x".join(map(str, steps.shape))), parse_piece("knight"), 4)


def followed(array: NDArray[Any], piece: str) -> object:
    """The verdict on an array of moves, and the progress of its check."""
    progress: list[float] = []
    return arrays.check_array(array, piece=piece, threads=1, progress=progress.append), progress


def by_arrays() -> Iterator[Check]:
    found = cavalcade.tour("5x6")
    assert isinstance(found, Found)
    for shift in (0, 1):
        yield partial(on_disk, np.roll(found.tour.numbering, shift).astype(np.int64))
    no_way_back = np.ones((1, 128), dtype=np.uint8)  # all cells lead to the last two, which have no mark
    no_way_back[0, -1] = 0
    yield partial(followed, no_way_back, "moves:0,-1;0,1")
    yield partial(followed, np.ones((1, 4), dtype=np.uint8), "moves:0,-1;0,1")
    rng = np.random.default_rng(5)
    for spec, piece in (("3x4", "knight"), ("3x3-b2", "knight"), ("1x4", "0,1"), ("hex:2-b2", "0,1")):
        board, mover = parse_board(spec), parse_piece(piece)
        for open_ in (True, False):
            verdict = cavalcade.tour(board, piece=mover, open=open_)
            if not isinstance(verdict, Found):
                continue
            steps = verdict.tour.numbering
            vectors = [tuple(vector) for vector in geometry.vectors(board, mover)]
            places = [np.unravel_index(p, board.shape) for p in np.argsort(steps.ravel(), kind="stable")]
            places = places[-board.size :]
            moves = np.full(board.shape, 255, dtype=np.uint8)
            for a, b in pairwise(places if open_ else [*places, places[0]]):
                moves[a] = vectors.index(tuple(int(y) - int(x) for x, y in zip(a, b, strict=True)))
            for right in (steps.astype(np.int16), steps.astype(np.int64), moves):
                cases = [right]
                for index in range(right.size if right.itemsize < 8 else 0):
                    for value in (
                        0,
                        1,
                        2,
                        board.size,
                        board.size + 1,
                        len(vectors) - 1,
                        len(vectors),
                        254,
                        255,
                    ):
                        cases.append(right.copy())
                        cases[-1].flat[index] = value
                for _ in range(20):
                    cases.append(right.copy())
                    i, j = rng.integers(0, right.size, 2)
                    cases[-1].flat[[i, j]] = cases[-1].flat[[j, i]]
                yield from (partial(checked_in_tiles, array, board, mover, 2**17) for array in cases)
                yield from (partial(checked_in_tiles, array, board, mover, 2) for array in cases[::5])
    for rows in ([[1]], [[2]], [[1, 2]], [[2, 1]], [1, 2], [[1.0]]):
        yield partial(arrays.check_array, np.array(rows), piece="0,1")
    for rows in ([[255]], [[1]], [[2, 1]], [[1, 2]], [[2, 255]], [[255, 1]], [[255, 255]], [[2, 2, 255]]):
        yield partial(arrays.check_array, np.array(rows, dtype=np.uint8), piece="0,1")
    ring = np.array([[1, 2, 3, 4]])
    for place in ("cylinder:1x4", "torus:1x4", "cylinder:1x5", "1x4"):
        for array in (ring, ring[:, [1, 0, 2, 3]], ring[:, [0, 2, 1, 3]], ring.astype(np.uint8)):
            yield partial(arrays.check_array, array, place, piece="0,1")
            yield partial(arrays.check_array, array, place, piece="0,1", open=True)
            yield partial(arrays.check_array, array, place, piece="0,1", open=False)
    yield partial(
        arrays.check_array, np.array([[1, 2, 3], [5, 6, 4]]), "cylinder:2x3", piece="0,1"
    )  # an open tour
    # Cells 1 and 2 lead to each other, and neither is a mark.
    circle = np.array([0, 0, 1], dtype=np.uint8), np.array([1, -1]), 1, 3, 0
    yield partial(arrays._walk, *circle, 5)  # noqa: SLF001 - the interpreted kernel, in whatever tier tests ran
    for n in (126, 127, 128, 300):
        array = np.arange(1, n + 1).astype(np.int8).reshape(1, -1)
        yield partial(arrays.check_array, array, piece="0,1")


def small_problems() -> Iterator[Question]:
    """Valid and invalid questions on a board of twelve cells and on a graph."""
    board, graph = parse_board("3x4"), MoveGraph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)])
    half = Symmetry("half turn", np.arange(12)[::-1].astype(np.int32))
    mirrored = np.arange(12, dtype=np.int32).reshape(3, 4)[:, ::-1].ravel()
    across = Symmetry("reflection, left to right", mirrored)
    swap_ends = Symmetry("g", np.array([11, *range(1, 11), 0]))
    wrong = [
        Symmetry("half turn", across.cells),
        Symmetry("g", across.cells[:-1]),
        swap_ends,
        Symmetry("half turn", np.zeros(12, dtype=np.int32)),
        Symmetry("g", across.cells),
    ]
    for closed in (True, False):
        for required, forbidden in product(
            ((), ((0, 6),), ((0, 6), (3, 5)), ((3, 5), (0, 6)), ((0, 6), (0, 6)), ((0, 1),), ((6, 0),)),
            ((), ((5, 8), (6, 11)), ((0, 6),), ((0, 1),)),
        ):
            yield Question(board, closed=closed, required=required, forbidden=forbidden)
            yield Question(board, closed=closed, required=required, forbidden=forbidden, symmetry=across)
        for symmetry in (half, across, *wrong):
            yield Question(board, closed=closed, symmetry=symmetry)
            yield Question(board, closed=closed, symmetry=symmetry, required=((0, 6),))
            for required in (((0, 6), (5, 11)), ((0, 9), (2, 11)), ((0, 9), (2, 11), (3, 5), (6, 8))):
                yield Question(board, closed=closed, symmetry=symmetry, required=required)
        for steps in (
            ((2, 3),),
            ((1, 0), (12, 5)),
            ((0, 3),),
            ((13, 3),),
            ((2, 3), (2, 4)),
            ((12, 3),),
            ((4, 0), (6, 1)),
        ):
            yield Question(board, closed=closed, steps=steps)
            yield Question(board, closed=closed, start=4, steps=steps)
        for way in ("clockwise", "counterclockwise"):
            yield from (
                Question(board, direction=way, closed=False, start=a, end=b)
                for a, b in ((0, None), (None, 3), (0, 3))
            )
            yield Question(board, closed=closed, direction=way)
            yield Question(board, closed=closed, direction=way, required=((0, 6),), symmetry=half)
            yield Question(board, closed=closed, direction=way, forbidden=((0, 6),))
        yield Question(graph, closed=closed, required=((0, 1),), forbidden=((2, 3),))
        yield Question(graph, closed=closed, symmetry=Symmetry("half turn", np.array([2, 1, 0, 3])))
        yield Question(graph, closed=closed, direction="clockwise", steps=((2, 1),))
    for start, end in ((0, 11), (0, None), (0, 3), (3, 0), (5, 6)):
        for symmetry in (half, across):
            yield Question(board, closed=False, start=start, end=end, symmetry=symmetry)
        yield Question(board, closed=False, start=start, end=end, steps=((5, 7),))


def listed(function: Callable[..., Any], *arguments: Any) -> object:
    """The value of a call, as a list or as text."""
    value = function(*arguments)
    return value.tolist() if isinstance(value, np.ndarray) else repr(value)


def by_constraints() -> Iterator[Check]:
    three = parse_board("2x3")
    ends = [Question(three, closed=False, start=a, end=b) for a, b in ENDS]
    for question in (Question(parse_board("1x1")), Question(three), Question(three, end=1), *ends):
        yield partial(constraints.nonsense, question)
        yield partial(graph_of, question)
    some_words: list[dict[str, Any]] = [
        {}, {"open": True}, {"piece": "0,1"}, {"with_": ["a1-b3"]}, {"with_": ["a1-b3", "c1-d3"]},
        {"avoid": ["a1-b3"]}, {"at": {1: "a1"}}, {"moves": "clockwise"},
        *({"open": True, "start": cell} for cell in ("a1", "c1")), {"open": True, "start": "a1", "end": "b3"},
    ]  # fmt: skip
    narrower = [Question.of("3x4", **words) for words in some_words]
    for proved, question in product([*narrower, Question.of("4x4")], narrower):
        yield partial(constraints.covers, proved, question)
    questions = list(small_problems())
    for question in questions:
        yield partial(constraints.nonsense, question)
        yield partial(listed, constraints.moves_left, question)
        yield partial(graph_of, question)
        yield partial(certificates.verify, Certificate(question, StepProof((Step("symmetry"),))))
        if not constraints.nonsense(question):
            size, _ = (
                constraints.closed_graph(question)
                if not isinstance(question.board, MoveGraph) or (question.direction is None)
                else (0, None)
            )
            yield partial(listed, constraints.vertex_map, question, size)
        n = question.board.size
        tours = [list(range(n)), list(range(n))[::-1]]
        if n == 12:
            tours = [[0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4], [4, 10, 3, 5, 11, 2, 9, 7, 1, 8, 6, 0]]
            tours += [[8, 1, 7, 9, 2, 4, 10, 3, 5, 11, 6, 0], [3, 5, 11, 6, 0, 9, 2, 4, 10, 1, 7, 8]]
            tours += [walk.cells.tolist() for walk in cavalcade.list_tours("3x4", open=True)]
        for cells in tours:
            for turn in (0, 1, 3):
                tour = Tour(question.board, np.array(cells[turn:] + cells[:turn]), question.closed)
                yield partial(constraints.unmet, question, tour)
    open_tours = list(cavalcade.list_tours("3x4", open=True))
    for order in ((0, 1), (1, 0), (5, 3), (0, 11, 4), (3, 3), (12, 0), (0, 12), (0, -1), (-1, 0)):
        for closed, start in product((True, False), (None, 0)):
            question = Question(parse_board("3x4"), closed=closed, start=start, through=order)
            yield partial(constraints.nonsense, question)
        if all(0 <= cell < 12 for cell in order):
            question = Question(parse_board("3x4"), closed=False, through=order)
            yield from (partial(constraints.unmet, question, tour) for tour in open_tours)
    yield partial(listed, geometry.ascending, np.array([(3, 1), (1, 3), (0, 2), (0, 1), (2, 0)]), 4)
    yield partial(listed, geometry.ascending, np.zeros((0, 2), dtype=np.int64), 4)
    for spec in ("3x3-b2", "4x4", "4x5-e1,e2,e3,e4", "3x3-a3,b3"):
        for symmetry in symmetries(spec)[1:]:
            question = Question(parse_board(spec), symmetry=symmetry, direction="clockwise")
            yield partial(constraints.nonsense, question)
            yield partial(constraints.nonsense, replace(question, direction=None))
            yield partial(listed, constraints.vertex_map, question, 3 * question.board.size)
    arcs = MoveGraph.from_edges([(0, 1), (1, 2), (2, 0)], directed=True)
    around = Symmetry("g", np.array([1, 2, 0], dtype=np.int32))
    yield partial(listed, constraints.vertex_map, Question(arcs, symmetry=around), 9)
    for spec in ("6x6", "7x7-d4", "hex:3", "3x4", "3x3-a3,a2,a1"):
        board = parse_board(spec)
        edges = geometry.all_moves(board, parse_piece("knight"))
        seen = [
            onward(board, a, b, "counterclockwise") - onward(board, a, b, "clockwise")
            for a, b in edges.tolist()
        ]
        assert geometry.turning(board, edges).tolist() == seen
        yield partial(listed, geometry.turning, board, edges)
        yield partial(listed, geometry.rising, board, np.concatenate([edges, edges[:, ::-1]]))
    for question, _ in coiled():
        yield partial(constraints.nonsense, question)
        if not question.board.plain:
            yield partial(listed, constraints.of_coils, question, constraints.closed_graph(question)[1])
    for tour in cavalcade.list_tours("6x6", moves="clockwise"):
        for coils in (None, 4, 5):
            coiled_question = Question(tour.board, direction="clockwise", coils=coils)
            yield partial(constraints.unmet, coiled_question, tour)
    yield from beginnings_of_coils()


def beginnings_of_coils() -> Iterator[Check]:
    """All pairs of vertices, and a board of one cell, which has no move."""
    for spec in ("3x3-b2", "1x3"):
        question = Question(parse_board(spec), direction="counterclockwise", coils=1)
        size, _ = constraints.closed_graph(question)
        yield partial(listed, constraints.of_coils, question, np.argwhere(np.triu(np.ones((size, size)), 1)))
    cell = parse_board("1x1")
    question = Question(cell, direction="clockwise")
    yield partial(constraints.unmet, question, Tour(cell, np.array([0]), closed=True))


def coiled() -> Iterator[tuple[Question, StepProof]]:
    """Valid and invalid proofs of a lower bound on the number of coils."""
    for spec, coils in (("6x6", 3), ("7x7-d4", 1)):
        question = Question.of(spec, moves="clockwise", coils=coils)
        proof = linear(question, Budget())
        assert isinstance(proof, StepProof)
        terms, first = proof.steps[0].terms, proof.steps[0].terms[0]
        for steps in (
            (Step("linear", terms=terms),),
            (Step("linear", terms=(*terms, Term(1, ()))),),
            (Step("linear", terms=(first._replace(number=first.number + 1), *terms[1:])),),
            (Step("linear", terms=tuple(term for term in terms if term[1])),),
        ):
            for slack in (0, 1, 2, 3, 4, None):
                bound = None if slack is None else coils + slack
                yield replace(question, coils=bound), StepProof(steps)
        yield replace(question, closed=False), proof
        yield replace(question, direction=None), proof


def weighted_proofs() -> Iterator[Certificate]:
    """Proofs about weights whose sum is the same for all tours, with limits at that sum and below.

    Each vertex has a number, and the weight of a move is the sum of the numbers of its two cells.
    """
    board = parse_board("3x4")
    first, *_, last = constraints.moves_of(Question(board)).tolist()
    required = (tuple(first), tuple(last))
    for words in ({}, {"closed": False}, {"required": required}, {"direction": "clockwise"}):
        question = Question(board, **words)
        for scale in (1, Decimal("0.25"), -2):
            yield from _limited(question, [scale * (1 + cell % 5 * question.closed) for cell in range(12)])
    arcs = MoveGraph.from_edges(
        [(a, b) for a in range(5) for b in range(5) if (b - a) % 5 in {1, 3}], directed=True
    )
    yield from _limited(Question(arcs), [3, 1, 4, 1, 5])
    complete = MoveGraph.from_edges([(a, b) for b in range(6) for a in range(b)])
    for question, numbers in ((Question(complete), [2, 7, 1, 8, 2, 8]), (Question(complete), [0] * 6)):
        yield from _limited(question, numbers)


def _limited(question: Question, numbers: Sequence[Decimal | int]) -> Iterator[Certificate]:
    """Right and wrong proofs about the weights of given numbers."""
    n, (size, edges) = question.board.size, constraints.closed_graph(question)
    moves = constraints.moves_of(question).tolist()
    by_move = tuple(Decimal(numbers[a] + numbers[b]) for a, b in moves)
    total = Decimal(2 * sum(numbers)) - (0 if question.closed else 2 * numbers[0])
    unit = Decimal(1).scaleb(min(0, *(int(weight.as_tuple().exponent) for weight in by_move)))
    values = [int(number / unit) for number in map(Decimal, numbers)]
    before: tuple[Step, ...] = ()
    if question.one_way:
        before = (Step("forced", tuple(range(n))),)
        values = [0] * n + 2 * values
    elif question.required:
        before = (Step("forced", tuple(range(n, size))),)
    values += [-values[0] if not question.closed else 0] * (size - len(values))
    for most in (total - unit, total, total + unit, total - 7 * unit):
        for number in (-1, -2, 0, 1):
            terms = [Term(-number * value, (cell,)) for cell, value in enumerate(values)]
            proof = StepProof(
                (*before, Step("linear", terms=(*terms, Term(number, ())))), WeightLimit(most, by_move)
            )
            yield Certificate(question, proof)
            yield Certificate(question, StepProof(proof.steps))
            odd = tuple((a, b) for a, b in edges[:1].tolist())
            damaged_terms = (*terms, Term(number, (), odd))
            yield Certificate(question, replace(proof, steps=(*before, Step("linear", terms=damaged_terms))))
        swapped = replace(proof, limit=WeightLimit(most, by_move[::-1]))
        yield Certificate(question, swapped)


def proofs_with_odd_moves() -> Iterator[Certificate]:
    """Two triangles that three paths join: a tour would use all three paths."""
    paths = [(0, 6), (1, 7), (2, 8)]
    edges = [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), *paths, (3, 6), (4, 7), (5, 8)]
    question = Question(MoveGraph.from_edges(edges))
    for cells, odd in (
        ((0, 1, 2), paths),
        ((0, 1, 2), [(6, 0), (1, 7), (8, 2)]),
        ((0, 1, 2), paths[:2]),
        ((0, 1, 2), paths[:1]),
        ((0, 1, 2), [*paths[:2], (7, 1)]),
        ((0, 1, 2), [*paths[:2], (0, 1)]),
        ((0, 1, 2), [*paths[:2], (3, 4)]),
        ((0, 1, 2), [*paths[:2], (2, 6)]),
        ((0, 1, 2), [*paths[:2], (2, 2)]),
        ((0, 1, 2, 6, 7, 8), [(3, 6), (4, 7), (5, 8)]),
        ((0,), [(0, 1)]),
        ((0,), paths[:1]),
        ((), paths),
        (tuple(range(9)), paths),
    ):
        for number in (1, 3, 0, -1):
            linear_step = Step("linear", terms=(Term(number, cells, tuple(odd)),))
            for before in ((), (Step("forced", (6, 7, 8)),)):
                yield Certificate(question, StepProof((*before, linear_step)))


def by_weights() -> Iterator[Check]:
    """Weights of moves, and the weight of tours."""
    for certificate in weighted_proofs():
        yield partial(certificates.verify, certificate)
    board, coils = Question(parse_board("5x6")), Question.of("6x6", moves="clockwise", coils=3)
    for question in (board, coils):
        moves = len(constraints.moves_of(question))
        for count in (moves, moves - 1, moves + 1):
            for weight in (
                0,
                1,
                weights.LARGEST - 1,
                weights.LARGEST,
                -weights.LARGEST,
                "0.5",
                "NaN",
                "Infinity",
            ):
                given = (*(Decimal(1),) * (count - 1), Decimal(weight))
                yield partial(weights.unweighed, question, WeightLimit(Decimal(3), given))
                yield partial(
                    weights.unweighed, question, WeightLimit(Decimal(weight), (Decimal(1),) * count)
                )
    for spec in ("5x6", "1x1", MoveGraph.from_edges([(0, 1), (1, 2), (2, 0)], directed=True)):
        for is_open in (True, False):
            tour = next(iter(cavalcade.list_tours(spec, open=is_open)), None)
            question = Question.of(spec, open=is_open)
            given = tuple(Decimal(k * k) for k in range(len(constraints.moves_of(question))))
            if tour is not None:
                yield partial(weights.weight_of, tour, question, WeightLimit(Decimal(0), given))
    for most, given_ in product((-5, -4, -1, 0, 1, 4, 5), ((0, 0), (4, 6), (-4, 2), ("0.5", 3))):
        limit = WeightLimit(Decimal(most), tuple(Decimal(str(weight)) for weight in given_))
        yield partial(weights.consequence, limit)
    links = MoveGraph.from_edges([(0, 1), (1, 2), (0, 2)])
    of_links = WeightLimit(Decimal(0), (Decimal(1), Decimal(2), Decimal(3)))
    for graph, signs in product(
        (links, MoveGraph.from_edges([(0, 1), (1, 2), (2, 3)])), ((1, 2, 3), (-1, -2, -3), (1, 2, 4))
    ):
        for question in (Question(links), Question(parse_board("1x4"), parse_piece("0,1"))):
            yield partial(weights.other_weights, question, of_links, graph, [Decimal(sign) for sign in signs])


def by_given_steps() -> Iterator[Check]:
    """The rule `steps`."""
    board = parse_board("3x4")
    for closed in (True, False):
        for steps in (
            ((2, 0), (4, 1)),
            ((2, 0), (5, 1)),
            ((1, 0), (12, 11)),
            ((3, 0), (4, 6)),
            ((3, 0), (4, 5)),
            ((3, 1), (9, 2)),
            ((2, 3), (8, 4), (10, 7)),
            ((2, 0), (12, 9)),
            ((1, 3), (11, 4)),
        ):
            conditions: list[dict[str, Any]] = [
                {},
                {"start": 8},
                {"forbidden": ((0, 6), (0, 9))},
                {"direction": "clockwise"},
            ]
            for words in conditions:
                question = Question(board, closed=closed, steps=steps, **words)
                for cells in (
                    (0, 1),
                    (1, 0),
                    (0, 6),
                    (0, 5),
                    (3, 4),
                    (4, 3),
                    (8, 4),
                    (0,),
                    (),
                    (0, 9),
                    (9, 0),
                    (0, 11),
                    (1, 2),
                    (2, 1),
                    (11, 0),
                    (4, 7),
                    (7, 4),
                    (3, 4, 7),
                    (0, 2),
                ):
                    yield partial(
                        certificates.verify, Certificate(question, StepProof((Step("steps", cells),)))
                    )
        for start, end in ((0, 1), (0, 11), (0, None), (None, 5)) if not closed else ():
            question = Question(board, closed=False, start=start, end=end, steps=((4, 7),))
            for cells in ((0, 1), (1, 0), (0, 11), (0, 7), (7, 5), (7, 0), (7, 1)):
                yield partial(certificates.verify, Certificate(question, StepProof((Step("steps", cells),))))
    plain = Certificate(Question(board), StepProof((Step("steps", (0, 1)),)))
    yield partial(certificates.verify, plain)


def by_symmetries() -> Iterator[Check]:
    """The rule `symmetry`."""
    for spec, piece in product(
        ("3x4", "4x4", "3x3-b2", "3x3", "2x2", "4x5", "5x6", "1x2", "1x3", "1x4", "2x4"),
        ("knight", "0,1", "1,1", "0,1+1,1"),
    ):
        place, mover = parse_board(spec), parse_piece(piece)
        for symmetry in symmetries(place, mover)[1:]:
            for closed, cells in ((True, ()), (False, ()), (True, (0,))):
                question = Question(place, mover, closed=closed, symmetry=symmetry)
                certificate = Certificate(question, StepProof((Step("symmetry", cells),)))
                yield partial(certificates.verify, certificate)
                if certificates.verify(certificate):
                    yield partial(sentences, certificate)
    for n in range(3, 9):
        for edges in (
            [(i, (i + 1) % n) for i in range(n)],
            [(i, i + 1) for i in range(n - 1)],
            [(i, j) for j in range(n) for i in range(j)],
            [(0, i) for i in range(1, n)],
            [(i, j) for j in range(n) for i in range(j) if (i + j) % 2],
            [],
        ):
            graph = MoveGraph.from_edges(edges, n)
            flip, turn = np.arange(n)[::-1].copy(), np.roll(np.arange(n), 1)
            transposition = np.array([1, 0, *range(2, n)])
            two_transpositions = np.array(
                [*[1, 0, 3, 2][: n if n > 3 else 2], *range(min(n, 4) if n > 3 else 2, n)]
            )
            yield partial(by_rule, Question(graph))
            for image in (
                flip,
                turn,
                turn[turn],
                transposition,
                two_transpositions,
                np.arange(n),
                turn[flip],
            ):
                yield partial(by_rule, Question(graph, symmetry=Symmetry("g", image.astype(np.int32))))


def by_rule(question: Question) -> str:
    """The message of the rule `symmetry` on a map without a name, which `verify` refuses."""
    present = PresentGraph(question, question.board.name)
    try:
        RULES["symmetry"].check(present, np.zeros(0, dtype=np.int64))
    except WrongError as error:
        return str(error)
    return ""


def by_maps() -> Iterator[Check]:
    """The maps that names of symmetries stand for, on a board of each family."""
    for spec in (
        "3x4", "4x4", "3x3-b2", "3x3-a3", "3x3-b3,c3", "4x4-a4,b4,c4,d4", "2x3x4", "2x2x2x2", "hex:2",
        "hex:3-c3", "triangle:4", "parallelogram:3x4", "hexagon:2,2,3", "torus:3x4", "torus:4x4-a1",
        "cylinder:4x3", "mobius:3x4", "klein:4x4", "surface:2x3x4", "cube:2-a3",
    ):  # fmt: skip
        board = parse_board(spec)
        for piece in ("knight", "0,1"):
            names = dict.fromkeys(symmetry.name for symmetry in symmetries(board, piece))
            ends = f" taking {board.name(0)} to {board.name(board.size - 1)}"
            for name in (
                *names,
                "g",
                "(row, row)",
                "(row, column, column)",
                "(row)",
                "(row + 9, column)",
                "row, column",
                "half turn",
            ):
                for suffix in ("", ends, " taking z9 to a1"):
                    yield partial(listed, geometry.maps_called, board, parse_piece(piece), name + suffix)


def by_formulas() -> Iterator[Check]:
    """Formulas over edges, and formulas over cells at steps."""
    yield from by_sat()
    yield from by_positions()


def by_positions() -> Iterator[Check]:
    """The formula of positions."""
    for edges, n in (
        ([(0, 1)], 2),
        ([(0, 1), (1, 2)], 3),
        ([(0, 1), (1, 2), (2, 0)], 3),
        ([(0, 1), (1, 2), (2, 3), (3, 0)], 4),
    ):
        words: list[dict[str, Any]] = [
            {},
            {"required": ((0, 1),)},
            {"forbidden": ((0, 1),)},
            {"steps": ((2, 1),)},
            {"start": 0, "steps": ((2, 0),)},
            {"end": 1},
            {"start": 1},
        ]
        for closed, word in product((True, False), words):
            if closed and "end" in word:
                continue
            question = Question(MoveGraph.from_edges(edges, n), closed=closed, **word)
            yield partial(listed, formula.positions, question)
            for lines in ((), ("0",), ("1 0", "0")):
                yield partial(certificates.verify, Certificate(question, PositionProof(lines)))


def by_events() -> Iterator[Check]:
    """Turns, crossings and angles: their clauses, their counts in tours, and where a tour must turn."""
    kinds = [
        ("4x4", "knight"), ("3x5-b2", "knight"), ("4x4", "0,1+1,1"), ("3x4", "0,2+0,1"), ("3x3x3", "knight"),
        ("3x3x3", "0,1"), ("hex:2", "1,0"), ("3x6", "0,1+1,2"), ("torus:3x4", "knight"),
    ]  # fmt: skip
    for (spec, mover), closed in product(kinds, (True, False)):
        board, piece = parse_board(spec), parse_piece(mover)
        for question in (
            Question(board, piece, closed),
            Question(board, piece, closed, required=((0, 1),)),
            *([Question(board, piece, closed, direction="clockwise")] if spec == "4x4" else []),
        ):
            for measure in (*MEASURES, "smiles"):
                bound = AtMost(measure, 3)
                yield partial(events.why_uncounted, question, bound)
                if not events.why_uncounted(question, bound):
                    _, edges = constraints.closed_graph(question)
                    yield partial(events.events_of, question, edges, bound)
        yield partial(events.why_uncounted, Question(board, piece, closed), None)
        _, edges = constraints.closed_graph(Question(board, piece, closed))
        yield partial(events.events_of, Question(board, piece, closed), edges, None)
        if spec[0] != "t":
            yield partial(events.must_turn, Question(board, piece, closed))
            verdict = cavalcade.tour(board, piece=piece, open=not closed, time_limit=1)
            tours_ = [verdict.tour] if isinstance(verdict, Found) else []
            for tour, measure in product(tours_, MEASURES):
                if measure != "crossings" or board.dimensions == 2:
                    yield partial(events.count, tour, measure)
    graph = MoveGraph.from_edges([(0, 1), (1, 2), (2, 0)])
    three = Tour(graph, np.arange(3, dtype=np.int32), closed=True)
    yield partial(events.why_uncounted, Question(graph), AtMost("turns", 1))
    yield partial(events.events_of, Question(graph), np.array([(0, 1)]), AtMost("turns", 1))
    yield partial(events.count, three, "turns")
    yield partial(events.must_turn, Question(graph))
    # b3 is on the way from a3 to c3
    touching = cavalcade.tour("3x4", piece="0,2+0,1", with_=["a3-c3", "b3-b2"])
    assert isinstance(touching, Found)
    yield partial(events.count, touching.tour, "crossings")
    for spec in ("6x6", "5x6", "3x10", "8x8"):
        verdict = cavalcade.tour(spec)
        assert isinstance(verdict, Found)
        yield partial(events.count, verdict.tour, "turns")
        yield partial(events.count, verdict.tour.opened(), "turns")
        yield partial(events.count, verdict.tour, "crossings")
        yield partial(events.count, verdict.tour.opened(), "crossings")


def by_certificates() -> Iterator[Check]:
    """All kinds of certificates, and the graphs that they are about."""
    ended = Certificate(Question(parse_board("3x4"), end=3), StepProof((Step("degree", (0,)),)))
    yield partial(certificates.verify, ended)
    misfit = Certificate(Question(parse_board("2x2")), SatProof((tuple(range(4)),), ("0",)))
    yield partial(certificates.verify, misfit)
    triangle = Question(MoveGraph.from_edges([(0, 1), (1, 2), (2, 0)]))
    counted = SatProof((), ("0",), AtMost("turns", 0))
    yield partial(certificates.verify, Certificate(triangle, counted))
    coils = Question.of("6x6", moves="clockwise", coils=3)
    limit = WeightLimit(Decimal(0), (Decimal(1),) * len(constraints.moves_of(coils)))
    yield partial(certificates.verify, Certificate(coils, StepProof((Step("cut"),), limit)))
    limited = list(weighted_proofs())[:60:15]
    assert isinstance(limited[0].proof, StepProof)
    unlimited = Certificate(limited[0].question, StepProof(limited[0].proof.steps))
    for certificate, other in product([*limited, unlimited], limited):
        yield partial(certificates.other_than, other.claim, certificate)
    no_certificate: Any = "3x4"
    yield partial(certificates.verify, no_certificate)
    yield from by_steps()
    yield from by_positions()
    yield from (partial(graph_of, question) for question in small_problems())
    yield from by_claims()


def by_colours() -> Iterator[Check]:
    """Boards with colours counted from the spec, and proofs and questions that need the graph."""
    one_step = StepProof((Step("colours", (0,)),))
    for spec, words in (
        ("3x3", {}),
        ("4x4", {}),
        ("3x3x3", {}),
        ("torus:3x3", {}),
        ("3x5-a1,b1", {}),
        ("3x3", {"open": True}),
        ("3x5", {"piece": "1,3"}),
        ("3x5", {"piece": "1,2+1,1"}),
    ):
        question = Question.of(spec, **words)
        for proof in (one_step, StepProof((Step("colours", (1,)),)), StepProof((Step("degree", (0,)),))):
            yield partial(board_colours, Certificate(question, proof))
    yield from by_steps()


def by_claims() -> Iterator[Check]:
    """Claims about tours, proofs and a receipt."""
    receipt = receipt_of("5x6")
    for claim in ("8 closed tour of 5x6", "7 closed tour of 5x6", "closed tour of 5x6", "closed tour of 5x5"):
        yield partial(certificates.other_than, claim, receipt)
        for way in ("undirected", "directed"):
            yield partial(certificates.other_than, f"{claim}, {way}", receipt)
    ring = ["a1", "c2", "a3", "b1", "c3", "a2", "c1", "b3"]
    square = MoveGraph.from_edges([(0, 1), (1, 2), (2, 3), (0, 3)])
    path = MoveGraph.from_edges([(0, 1), (1, 2)])
    colours = StepProof((Step("colours", (0,)),))
    answers: list[Tour | Certificate] = [
        Tour.from_names(parse_board("3x3-b2"), ring, closed=True),
        Tour.from_names(parse_board("3x3-b2"), ring, closed=False),
        Tour(square, np.arange(4, dtype=np.int32), closed=True),
        Certificate(Question(path), colours),
        Certificate(Question(parse_board("3x3")), colours),
        Certificate(Question(parse_board("3x3")), SatProof((), (), AtMost("turns", 7))),
    ]
    boards = ("3x3-b2", "3x3", *map(graph_name, (square, path)), "graph:8x8")
    suffixes = (
        "",
        " from a1",
        ", with a1-c2",
        ", without a1-c2",
        *(f", with at most {n} turns" for n in (6, 7, 8)),
    )
    for answer in answers:
        for article, kind, board, words in product(
            ("", "a ", "an ", "no "), ("closed", "open"), boards, suffixes
        ):
            yield partial(certificates.other_than, f"{article}{kind} tour of {board}{words}", answer)


def by_blocks() -> Iterator[Check]:
    """All graphs of three and four vertices, with all rows of places, and valid and damaged tables."""
    for n in (3, 4):
        pairs = [(a, b) for a in range(n) for b in range(a)]
        graphs = np.zeros((1 << len(pairs), n, n), dtype=np.uint8)
        for number, (a, b) in product(range(len(graphs)), pairs):
            graphs[number, a, b] = graphs[number, b, a] = number >> pairs.index((a, b)) & 1
        yield partial(listed, many.have_low_degrees, graphs)
        ends = tables(graphs, Tier(0, compiled=False))
        yield partial(listed, many.are_tables, graphs, ends)
        for number, bit in product(range(ends.shape[1]), range(n)):
            damaged = ends.copy()
            damaged[:, number] ^= 1 << bit
            yield partial(listed, many.are_tables, graphs, damaged)
        for places in product(range(n + 1), repeat=n):
            row = np.tile(np.array(places, dtype=np.int64), (len(graphs), 1))
            yield partial(listed, many.are_cuts, graphs, row)
            yield partial(listed, many.are_cycles, graphs, row - 1)


def receipt_of(spec: str | MoveGraph, *, in_two: bool = False, **words: Any) -> Receipt:
    """The receipt of a count, of the whole board or in halves."""
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as directory:
        if in_two:
            in_halves(patch)
        file = Path(directory) / "a.json"
        cavalcade.count(spec, receipt=file, **words)
        return receipts.from_json(file.read_text(encoding="utf-8"))


def by_receipts() -> Iterator[Check]:
    """Valid and damaged receipts: the message of the second count, also after each stage."""
    for module in (recount, rejoin):
        vars(module)["compiled"] = lambda function: function  # interpreted, so that damage shows
    whole = [receipt_of("4x5", open=True), receipt_of("3x4", open=True, directed=True)]
    whole += [receipt_of("3x4", open=True, start="a1"), receipt_of("4x4", piece="0,1")]
    whole += [receipt_of(MoveGraph.of([(0, 1), (1, 2), (0, 2)])), receipt_of("1x2", piece="0,1", open=True)]
    halves = [receipt_of(*spec, in_two=True) for spec in (("4x4",), ("3x10",))]
    halves += [receipt_of("4x4", in_two=True, piece="0,1"), receipt_of("3x4", in_two=True, open=True)]
    for receipt in (*whole, *halves):
        yield partial(recount_message, receipt, None)
        rows = list(receipt.stages)
        for number, key in product((0, len(rows) // 2, len(rows) - 1), StageRow._fields):
            changed = rows[number]._replace(**{key: getattr(rows[number], key) + 1})
            stages = (*rows[:number], changed, *rows[number + 1 :])
            yield partial(recount_message, replace(receipt, stages=stages), None)
        for tours_, cycles in ((1, 0), (1, 1), (receipt.tours, 0), (-receipt.tours // 2, 0), (0, 1)):
            changed_ = replace(receipt, tours=receipt.tours + tours_, cycles=receipt.cycles + cycles)
            yield partial(recount_message, changed_, None)
        yield partial(recount_message, replace(receipt, order=receipt.order[::-1]), None)
        yield partial(
            recount_message, replace(receipt, order=receipt.order[1:], stages=receipt.stages[1:]), None
        )
    for receipt in halves:
        for samples in (None, 0, 3, *((81, 82) if len(receipt.classes) == 81 else ())):
            yield partial(recount_message, receipt, samples)
            yield partial(
                recount_message, replace(receipt, classes=receipt.classes[1:] + receipt.classes[:1]), samples
            )
        swapped = (receipt.image[1], receipt.image[0], *receipt.image[2:])
        yield partial(recount_message, replace(receipt, image=swapped), None)
        yield partial(recount_message, replace(receipt, image=tuple(range(len(receipt.image)))), None)
        yield partial(recount_message, replace(receipt, inner=receipt.inner[::-1]), None)
        yield partial(
            recount_message, replace(receipt, inner=receipt.inner[1:], stages=receipt.stages[1:]), None
        )
        yield partial(recount_message, replace(receipt, cells=(*receipt.order[:1], *receipt.cells[1:])), None)
        yield partial(
            recount_message, receipt, None, rejoin, PAIRS=0
        )  # all matchings are contracted, none is tried
    for receipt in halves[::2]:  # of the boards 4x4, without a tour and with tours
        states = sum(row.states for row in receipt.stages)
        rotated = replace(receipt, classes=receipt.classes[1:] + receipt.classes[:1])
        for offset in range(-2, 10):  # the limit is reached before the last stage, and at the last stage
            yield partial(recount_message, rotated, None, counts, WHOLE=states + offset, SAMPLES=1)
        yield partial(reported, receipt)
    yield partial(recount_message, receipt_of("3x3"), None)  # a cell without a move
    states = sum(row.states for row in halves[0].stages)
    for offset in (-1, 0):  # at the limit, and above it
        yield partial(recount_message, halves[0], None, counts, WHOLE=states + offset, SAMPLES=1)
        yield partial(recount_message, halves[0], 1, counts, EARLY=halves[0].stages[0].states + offset)
        yield partial(recount_message, halves[0], 1, counts, WIDEST_MIDDLE=8 + offset)
        yield partial(recount_message, whole[1], None, recount, WIDEST=5 + offset)
    yield from (partial(joined, n, pairs) for n in (0, 2, 4, 6) for pairs in (0, rejoin.PAIRS))


def joined(n: int, pairs: int) -> int:
    """The number of ways in which two matchings of n points form one cycle, each matching with a weight."""
    matchings = [
        row for row in product(range(n), repeat=n) if all(j != i == row[j] for i, j in enumerate(row))
    ]
    rows = np.array(matchings, dtype=np.uint8).reshape(len(matchings), n)
    ways = np.arange(1, len(matchings) + 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rejoin, "PAIRS", pairs)
        return rejoin._cycles(rows, ways, rows[::2], ways[::2], 10007)  # noqa: SLF001


def recount_message(receipt: Receipt, samples: int | None, module: Any = counts, **limits: int) -> str:
    """The message of the second count of a receipt, with changed limits of a module."""
    with pytest.MonkeyPatch.context() as patch:
        for name, limit in limits.items():
            patch.setattr(module, name, limit)
        return counts.check_receipt(receipt, samples=samples, seed=1).message


def reported(receipt: Receipt) -> list[float]:
    """The progress that the second count of a receipt reports."""
    progress: list[float] = []
    counts.check_receipt(receipt, seed=1, progress=progress.append)
    return progress


def why_none_within(question: Question, steps: int) -> str:
    """The reason why a board has no decomposition, from a search of at most `steps` steps."""
    old, decompositions.TRIED = decompositions.TRIED, steps
    try:
        return decompositions.why_none(question)
    finally:
        decompositions.TRIED = old


def by_decompositions() -> Iterator[Check]:
    """Valid and damaged decompositions of boards and graphs, and graphs without a decomposition."""
    for spec in ("torus:5x5", "torus:4x4"):
        question = Question.of(spec)
        tours_ = cavalcade.decompose(question).tours
        yield partial(decompositions.check_decomposition, question, tours_)
        yield partial(decompositions.why_none, question)
        walk = replace(tours_[0], closed=False)
        shifted = replace(tours_[0], cells=np.roll(tours_[0].cells, 1)[::-1].copy())
        king = replace(tours_[0], piece=parse_piece("0,1+1,1"))
        swapped = tours_[0].cells.copy()
        swapped[[0, 1]] = swapped[[1, 0]]
        for changed in (
            walk,
            shifted,
            king,
            replace(tours_[0], cells=swapped),
            tours_[1],
            *cavalcade.decompose("torus:5x4").tours,
        ):
            yield partial(decompositions.check_decomposition, question, (changed, *tours_[1:]))
        yield partial(decompositions.check_decomposition, question, tours_[1:])
    rng = random.Random(3)
    for n in range(3, 8):
        for k in range(1, 1 + (n - 1) // 2):
            for directed in (True, False):
                steps_ = sorted({1, *rng.sample(range(1, (n + 1) // 2 if not directed else n), k)})
                arcs = [(i, (i + step) % n) for i in range(n) for step in steps_]
                for edges in (
                    arcs,
                    arcs[1:],
                    [*arcs[1:], (0, 0 if n < 4 else 3)],
                    [*arcs, *[(a + n, b + n) for a, b in arcs]],
                ):
                    graph = MoveGraph.of(
                        [arc for arc in dict.fromkeys(edges) if arc[0] != arc[1]], directed=directed
                    )
                    question = Question(graph)
                    yield partial(decompositions.why_none, question)
                    listing = tuple(cavalcade.list_tours(question))
                    yield partial(decompositions.check_decomposition, question, listing[:2])
                    yield partial(decompositions.check_decomposition, question, (*listing[:2], *listing[:1]))
    cube = [(v, v ^ 1 << i) for v in range(8) for i in range(3)]
    yield partial(
        decompositions.why_none, Question(MoveGraph.of([edge for edge in cube if edge[0] < edge[1]]))
    )
    turns = [(v, (v & ~(1 << i)) | (~v & 1 << i)) for v in range(8) for i in range(3)]
    yield partial(decompositions.why_none, Question(MoveGraph.of(turns, directed=True)))
    bowtie = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)]
    for edges in (bowtie, [(i, 8 * (i // 8) + (i + 1) % 8) for i in range(16)]):
        yield partial(decompositions.why_none, Question(MoveGraph.of(edges)))
    both_ways = [pair for a, b in bowtie for pair in ((a, b), (b, a))]
    yield partial(decompositions.why_none, Question(MoveGraph.of(both_ways, directed=True)))
    turned = Question(MoveGraph.of(turns, directed=True))  # its search takes 101 steps
    yield from (partial(why_none_within, turned, steps) for steps in (3, 50, 101, 102))
    for n in (16, 17, 13):
        yield partial(
            decompositions.why_none,
            Question(MoveGraph.of([(i, (i + s) % n) for i in range(n) for s in (1, 2, 3)])),
        )


def second_counts() -> Iterator[tuple[list[set[int]], list[int], list[int]]]:
    """Small graphs, with orders of their vertices, and symmetries; some are wrong."""
    graphs = [
        Question(parse_board(spec), parse_piece(piece)) for spec, piece in (("3x4", "0,1"), ("2x3x2", "0,1"))
    ]
    graphs += [Question.of(spec) for spec in ("3x3-b2", "5x6-a1,b1", "petersen")]
    graphs += [
        Question(MoveGraph.from_edges([(a, b) for b in range(n) for a in range(b)], n)) for n in (3, 5)
    ]
    for question in graphs:
        size, edges = constraints.closed_graph(question)
        neighbours: list[set[int]] = [set() for _ in range(size)]
        for a, b in edges.tolist():
            neighbours[a].add(b)
            neighbours[b].add(a)
        images = [[*range(size)], [*range(1, size), 0]]
        if not question.board.plain:
            images += [symmetry.cells.tolist() for symmetry in symmetries(question.board, question.piece)[1:]]
        shuffled = random.Random(size).sample(range(size), size)
        orders = [list(range(size)), shuffled, shuffled[1:], [*shuffled, 0], shuffled[1:] + shuffled[1:2]]
        yield from product([neighbours], orders, images)
    for n in (600, 508):  # a frontier of more than 256 vertices, and one of 255
        ring = [{(i - 1) % n, (i + 1) % n} for i in range(n)]
        yield ring, [*range(0, n, 2), *range(1, n, 2)], list(range(n))


def by_second_counts() -> Iterator[Check]:
    """Cycles that symmetries map to themselves."""
    for neighbours, order, image in second_counts():
        yield partial(second_count.cycles_again, neighbours, order, image)


CORPUS: dict[str, Callable[[], Iterator[Check]]] = {f"rules.{name}": by_steps for name in RULES} | {
    "rules.colours": by_colours,
    "geometry": by_geometry_and_constraints,
    "constraints": by_constraints,
    "rules.steps": by_given_steps,
    "rules.symmetry": by_symmetries,
    "events": by_events,
    "many": by_blocks,
    "decompositions": by_decompositions,
    "counts": by_receipts,
    "recount": by_receipts,
    "rejoin": by_receipts,
    "tours": by_tours,
    "uncrossed": by_longest_walks,
    "arrays": by_arrays,
    "certificates": by_certificates,
    "present": by_steps,
    "formula": by_formulas,
    "drup": by_sat,
    "hints": by_sat,
    "replay": by_sat,
    "second_count": by_second_counts,
    "weights": by_weights,
}

HARMLESS: dict[str, str] = {
    "rules.linear.check: value * len(present.edges) >= limit: with Gt": "a sum of 2**62 fits into 64 bits",
    "uncrossed._meet_in_plane: (head - end) @ (far - end) > 0: with GtE": "on one line it is never 0",
    "constraints.nonsense: 0 <= cell < n: with LtE at 1": "cell n has no name, so there is no statement",
    "geometry.is_one_way: return False: never": "leapers go both ways, and other pieces have no moves there",
    "geometry._in_space: np.array(signs) > 0: with GtE": "a sign is not 0",
    "arrays.wrong_step: 1 <= step <= size: with Lt at 1": "step N needs no next, so that it is never wrong",
    "arrays.marks: len(marks) >= min(32, self.board.size): with Gt": "any marks do; how many is about speed",
    "drup._parsed: signed < 0: with GtE": "all variables are negated, in the formula and in the proof",
    "drup._parsed: signed < 0: with LtE": "no literal is 0",
    **dict.fromkeys(
        (
            "replay.replay: int(hints.free[0]) > capacity: with GtE",
            "replay._blame: len(hints.clauses) > 1: with GtE",
            "replay._hint: hints.free[0] < len(hints.clauses): with LtE",
        ),
        "hints are for other checkers, and decide nothing here: tests/test_public_formats.py follows them",
    ),
    "hints._follow_hints: work < budget: with LtE": "this is about the clock",
    "weights.consequence: limit.most >= 0: with Gt": "0 is a multiple of every divisor",
    "weights.weights_of: 0 <= a < n: with LtE at 1": "no move has the cell n, so the weight is 0",
    "weights.weights_of: 0 <= b < n: with LtE at 1": "no move has the cell n, so the weight is 0",
    "rules.linear.check: sum((abs(number) for number, *_ in terms)) * largest * "
    "max(len(present.edges), abs(most)) : with Gt": "a sum of 2**62 fits into 64 bits",
    "constraints.vertex_map: c < d: with LtE": "the ends of a move differ",
    "constraints.closed_graph: a < b: with LtE": "the ends of a move differ",
    "events._opposite: int(u @ v) < 0: with LtE": "what is at right angles is not parallel",
    "events.turns_at: dots[0] <= 0: with Lt": "what is at right angles is not parallel",
    "events._crossed: code > 0: with LtE": "of two opposite vectors either does",
    "events._crossed: code > 0: with GtE": "no move stays where it is",
    **dict.fromkeys(
        (
            "tours.check_all: n * n < rows.size: with GtE",
            "tours.check_all: n * n < rows.size: with LtE",
        ),
        "moves are looked up in a table or one by one: this is about speed",
    ),
    **dict.fromkeys(
        (
            "tours.check_all: rows >= 0: with Lt",
            "tours.check_all: rows >= 0: with Gt",
            "tours.check_all: rows < n: with GtE",
        ),
        "then each tour is checked by itself",
    ),
    "tours.check_all: np.sort(rows, axis=1) != np.arange(n): with Eq": "of sorted cells one is in its place, "
    "so that each tour is then checked by itself",
    **dict.fromkeys(
        (
            "recount.sweep: end[1] > end[3]: with LtE",
            "recount.sweep: end[1] > end[3]: with GtE",
            "recount.sweep: end[2] < 2: with GtE",
            "recount.sweep: end[2] < 2: with LtE",
        ),
        "states of other classes are left out early: this is about speed",
    ),
    "recount._adjacency: number < 2: with LtE": "with two neighbours beyond the frontier nothing is missing",
    "recount._advance: count + most <= len(new_rows): with Lt": "when the table grows is about speed",
    "recount._expand: step == 0: with NotEq": "two edges may be added in either order",
    "recount._merge: total >= modulus: with Gt": "numbers are compared modulo the modulus",
    **dict.fromkeys(
        (
            "rejoin._cycles: len(ours) * len(theirs) <= PAIRS: with Gt",
            "rejoin._cycles: len(ours) * len(theirs) <= PAIRS: with Lt",
        ),
        "matchings are tried one by one or contracted: this is about speed",
    ),
    "second_count.cycles_again: width < 255: with LtE": "the places are below the width",
    **dict.fromkeys(
        (
            "second_count._stages: (beyond := (len(ahead) - len(on_frontier))) < 2: with GtE",
            "second_count._stages: (beyond := (len(ahead) - len(on_frontier))) < 2: with LtE",
        ),
        "states without a way to a cycle are left out early: this is about speed",
    ),
    **dict.fromkeys(
        (
            "second_count._has_options: return False: never",
            "second_count._has_options: missing <= 0: with Lt",
        ),
        "states without a way to a cycle are left out early: this is about speed",
    ),
    "rules.sweep.check: rank[neighbour] > i: with GtE": "no cell is next to itself",
    "rules.steps.shortest_walk: step[b] < step[a]: with LtE": "two cells do not have one step",
}


@cache
def corpus(make: Callable[[], Iterator[Check]]) -> list[Check]:
    """The checks of a corpus, shared by its modules."""
    return list(make())


def main(names: Sequence[str]) -> bool:
    """Print the score of each module; return whether a mutant survives that is not in `HARMLESS`.

    In this process, which coverage observes, the undamaged checker runs each corpus. Then the mutants of each
    module run in a process of their own, one process per core at a time.
    """
    for make in {CORPUS[name]: None for name in names}:
        looks = corpus(make)
        Tier.warm, Tier.interpreted = False, -math.inf  # making the corpus may have loaded compiled code
        for look in looks:
            outcome(look)
    total = killed = 0
    alarming = False
    with get_context("fork").Pool(maxtasksperchild=1) as pool:
        for name, (count, alive, seconds) in zip(
            names, pool.imap(survivors, names, chunksize=1), strict=True
        ):
            total, killed = total + count, killed + count - len(alive)
            print(f"{name:16} {count - len(alive):4} of {count:4}  {seconds:.1f} s", flush=True)  # noqa: T201
            for change in alive:
                print("    ", HARMLESS.get(f"{name}.{change}", "ALIVE"), "|", change)  # noqa: T201
            alarming |= not count or any(f"{name}.{change}" not in HARMLESS for change in alive)
    print(f"{killed} of {total} mutants are noticed")  # noqa: T201
    return alarming


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(CORPUS)))
