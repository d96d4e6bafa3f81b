"""How well time limits are kept: `python benchmarks/limits.py [SECONDS ...] [--only WORD]`.

Tours, proofs and counts of boards of all families, whole and with holes, open and closed, each under every
limit, in one process whose kernels are compiled. Printed is what took longer than the limit, a tenth of it
and 0.2 s more, beside the time to state the problem: to build its graph, which no limit can stop.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from typing import TYPE_CHECKING

import cavalcade
from cavalcade.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BOARDS = (
    "7x7", "8x8", "30x30", "31x31", "100x100", "101x101", "300x300", "1000x1000",
    "2x1000", "2x100000", "3x100", "3x5000", "3x100001", "4x60", "4x5000", "4x100000", "5x20000", "6x50000",
    "30x30-a1", "31x31-b1,c1", "100x100-a1,b2", "200x200-c3,j7",
    "hex:6", "hex:30", "hex:100", "triangle:9", "triangle:100", "parallelogram:5x9", "parallelogram:3x3000",
    "hexagon:5,5,5", "hexagon:60,60,60",
    "cylinder:4x31", "cylinder:3x3000", "torus:7x7", "torus:2x5000", "torus:300x301", "mobius:5x8",
    "mobius:3x3001", "klein:6x7", "klein:200x200", "surface:3x4x5", "surface:1x1x900", "surface:30x40x50",
    "cube:7", "cube:60", "2x3x4", "3x3x3", "3x3x2000", "10x10x10", "40x40x40", "2x2x5000", "3x3x3x3",
)  # fmt: skip
PIECED = (
    ("30x30", "camel"), ("31x31", "zebra"), ("100x100", "giraffe"), ("200x200", "antelope"),
    ("400x400", "zebra"), ("100x100", "moves:0,1;1,0;5,5"), ("16x16", "3,7"),
)  # fmt: skip
LIMITS = (0.05, 0.2, 1.0, 5.0)


def questions() -> Iterator[tuple[str, Callable[[], Problem]]]:
    """Every question with its name."""
    for spec in BOARDS:
        for open_ in (False, True):
            yield f"{spec}{' --open' * open_}", partial(Problem.of, spec, open=open_)
    for spec, piece in PIECED:
        yield f"{spec} {piece}", partial(Problem.of, spec, piece=piece)
    for spec in ("60x60", "4x3000"):
        yield f"graph of {spec}", partial(Problem.of, cavalcade.move_graph(spec))
    for spec, symmetry in (("30x30", "half turn"), ("300x300", "half turn"), ("6x1001", "half turn")):
        yield (
            f"{spec} {symmetry}",
            partial(Problem.of, spec, symmetry=symmetry),
        )
    for spec in ("8x8", "20x20", "60x60"):
        yield f"{spec} steps", partial(Problem.of, spec, at={1: "a1", 30: "c4", 51: "e6"})
    for spec in ("20x20", "300x300", "4x5000"):
        yield f"{spec} required", partial(Problem.of, spec, with_=["a1-b3", "c2-d4"])
    yield "8x8 way", partial(Problem.of, "8x8", moves="clockwise")
    yield "60x60 way", partial(Problem.of, "60x60", moves="clockwise")


def main(words: list[str]) -> None:
    """Ask every question under every limit."""
    only = words.pop(words.index("--only") + 1) if "--only" in words else ""
    limits = [float(word) for word in words if word != "--only"] or LIMITS
    for warm in ("6x6", "2000x20", "31x31", "3x8", "2x300"):
        for ask in (cavalcade.tour, cavalcade.prove):
            ask(warm, time_limit=3)
            ask(warm, time_limit=3, open=True)
    asked = late = 0
    for name, state in questions():
        if only not in name:
            continue
        for ask in (cavalcade.tour, cavalcade.prove):
            for limit in limits:
                began = time.perf_counter()
                _ = state().as_cycle
                again = time.perf_counter()
                verdict = ask(state(), time_limit=limit)
                taken, stated = time.perf_counter() - again, again - began
                asked += 1
                if taken > limit * 1.1 + 0.2 + stated:
                    late += 1
                    effort = ", ".join(f"{one.engine} {one.seconds:.2f}" for one in verdict.effort)
                    print(
                        f"{ask.__name__:5} {name:28} limit {limit:5.2f} took {taken:6.2f} s, stated in "
                        f"{stated:5.2f} s, {verdict.status}: {effort}",
                        flush=True,
                    )
    print(f"{asked:,} asked, {late:,} late", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
