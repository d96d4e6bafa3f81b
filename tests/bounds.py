"""Run a small set of questions with all kernels compiled with bounds checks: `make bounds`.

NUMBA_BOUNDSCHECK makes an index outside an array an error, where compiled code otherwise reads or writes
whatever is there. `bounds.py CACHE` compiles into a cache of its own, because numba does not distinguish the
two. It fails if no question has reached some kernel.
"""

from __future__ import annotations

import ast
import os
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

CACHE = Path(sys.argv[1])
os.environ |= {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(CACHE / "kernels")}

import numpy as np  # noqa: E402

import cavalcade as cv  # noqa: E402
from cavalcade.ask.portfolio import answer  # noqa: E402
from cavalcade.counting import checkpoints, meeting, total  # noqa: E402
from cavalcade.find.cycle_cover import cycle_cover  # noqa: E402
from cavalcade.find.numbered import guess_depth  # noqa: E402
from cavalcade.ground import kernels  # noqa: E402
from cavalcade.ground.budget import Budget  # noqa: E402
from cavalcade.ground.kernels import Tier  # noqa: E402
from cavalcade.question.question import Question  # noqa: E402
from cavalcade.refute.annealing import anneal  # noqa: E402
from cavalcade.refute.local import StuckCover  # noqa: E402

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
from holes import holes  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable


def checked_bounds() -> None:
    """Make sure that an index outside an array is an error here."""
    import numba

    try:
        numba.njit(lambda numbers, i: numbers[i])(np.arange(3), 3)
    except IndexError:
        return
    raise AssertionError("bounds are not checked")


def in_halves(question: Question) -> tuple[list[int], meeting.Halves | None]:
    """Count every board in halves; small boards are not otherwise."""
    return [], meeting.halves(question.as_cycle, question.apex)


def kernel_names() -> set[str]:
    """Return the names of all kernels: calls `tier(NAME)`, `Tier(...)(NAME)` and `compiled(NAME)`."""
    names = set()
    for file in Path(cv.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and len(node.args) == 1 and isinstance(node.args[0], ast.Name):
                maker = ast.unparse(node.func).removeprefix("self.")
                if maker in {"tier", "compiled"} or maker.startswith("Tier("):
                    names.add(node.args[0].id)
    return names - {"kernel", "plain"}  # parameters


def run() -> None:
    """Ask questions that use every kind of kernel; `Tier.warm` has them all compiled."""
    Tier.warm = True
    checked_bounds()
    assert cv.count("5x6", twice=True).count == 8
    assert cv.count("5x5", open=True).count == 864
    assert cv.count("6x6", symmetry="half-turn").count
    assert cv.count("6x6", receipt=CACHE / "a.json").count == 9862
    assert cv.check_receipt(cv.read_receipt(CACHE / "a.json"))
    with patch.object(total, "order_and_halves", in_halves):
        assert cv.count("6x6", receipt=CACHE / "b.json").count == 9862
    assert cv.check_receipt(cv.read_receipt(CACHE / "b.json"))
    assert cv.count_in_shards("6x6", CACHE / "shards", 3).count == 9862
    assert cv.distribution("5x6", "slope").count == 8
    assert sum(1 for _ in cv.list_tours("5x6")) == 8
    assert len(list(cv.sample("6x6", 3, seed=1))) == 3
    checkpoints.SAVE_EVERY = 0.0

    class StopError(Exception):
        pass

    def stop(progress: object) -> None:
        if progress.taken == 15:  # type: ignore[attr-defined]
            raise StopError

    try:
        cv.count("5x6", checkpoint=CACHE / "ck", progress=stop)
    except StopError:
        assert cv.count("5x6", checkpoint=CACHE / "ck").count == 8
    for spec, words in (
        ("8x8", {}), ("20x20", {}), ("3x4x5", {}), ("hex:5", {}), ("torus:5x6", {}), ("7x7", {"open": True}),
        ("8x8", {"symmetry": "half-turn"}), ("40x40", {}), ("8x8", {"with_": ["a1-b3"]}),
    ):  # fmt: skip
        assert cv.tour(spec, seed=1, **words).status in {"found", "impossible"}, spec
    for spec in ("4x4", "5x5", "3x6", "4x10", "3x8", "8x8-a1,b1,c1"):
        assert cv.prove(spec, time_limit=20).status, spec
    assert cv.warnsdorff("8x8", "a1").status
    built = cv.construct("50x60")
    assert isinstance(built, cv.Construction)
    built.save(CACHE / "moves.npy", "moves")
    built.save(CACHE / "steps.npy")
    assert cv.tour("5x6", fewest="turns", time_limit=20).status == "found"
    ask_for_graphs()
    ask_for_numbers()


def ask_for_graphs() -> None:
    """Ask about digraphs, graphs with weights and without tours, and boards with holes."""
    chance = random.Random(1)
    for size in (600, 2000):
        ring = {(a, (a + 1) % size) for a in range(size)}
        arcs = {(a, b) for a in range(size) for b in chance.sample(range(size), 2) if a != b}
        digraph = Question(cv.MoveGraph.of(sorted(ring | arcs), directed=True))
        assert answer(digraph, 0, engine="join").status == "found"
    pairs = [(a, b) for b in range(60) for a in range(b)]
    assert cv.tsp(cv.MoveGraph.of(pairs), [chance.randrange(1, 1000) for _ in pairs], time_limit=5)
    assert cv.decompose("torus:5x5").status == "found"
    for engine, status in (("reasons", "impossible"), ("linear", "undecided"), ("contract", "undecided")):
        assert answer(Question.of("petersen"), 0, engine=engine).status == status, engine
    graph = Question(holes(20, 0.1, 0)).as_cycle
    successor = cycle_cover(graph.indptr, graph.indices)
    cycles = StuckCover(graph, np.stack([successor, np.argsort(successor)], axis=1), Budget(), 0)
    assert cycles.take_detour()
    assert cycles.join() is None
    anneal(Tier(0), (graph.indptr, graph.indices), cycles.p, cycles.q, 1, Budget())


def ask_for_numbers() -> None:
    """Ask for tours with cells at their steps, for measures of a tour, and for a walk without a crossing."""
    first = next(iter(cv.list_tours("6x6")))
    given = {step: int(first.cells[step - 1]) for step in range(1, 36, 2)}
    assert any(tour == first for tour in cv.list_tours("6x6", at=given))
    assert guess_depth(Question.of("6x6").graph, given, closed=True) in {0, 1, 2}
    assert first.measure().crossings
    assert cv.uncrossed("6x6").length == 12


if __name__ == "__main__":
    with_helpers = vars(kernels)["_with_helpers"]
    reached: set[str] = set()

    def recorded(plain: Callable[..., object]) -> object:
        reached.add(plain.__name__)
        return with_helpers(plain)

    with patch.object(kernels, "_with_helpers", recorded):
        run()
    sys.stdout.write(f"{len(reached)} kernels stayed inside their arrays\n")
    if missed := sorted(kernel_names() - reached):
        sys.exit(f"not reached, so ask a question that reaches them: {', '.join(missed)}")
