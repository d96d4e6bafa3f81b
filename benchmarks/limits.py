"""How well time limits are kept: `benchmarks/limits.py [SECONDS ...] [--only WORD] [--cold] [--alone]`.

Tours, proofs and counts of boards of all families, whole and with holes, open and closed, each under every
limit, in one process whose kernels are loaded; with `--cold` each in its own process, which has to load the
kernels. A question is printed if it took longer than 1.1 times the limit plus 0.2 s plus the time to build
its graph, which no limit can stop. `--alone` measures processor time and applies the limits to it, for a
shared machine.

`--random N` takes N random questions instead: boards with random holes and random graphs of a hundred to a
million vertices, each under a limit drawn from 0.05 to 5 s.
"""

from __future__ import annotations

import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import cavalcade
from cavalcade.ground.errors import TooLargeError
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cavalcade.answers.verdict import Verdict

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
MEMORY = 2 * 2**30  # bytes for the tables of a count


def questions() -> Iterator[tuple[str, Callable[[], Question]]]:
    """Iterate over the questions with their names."""
    for spec in BOARDS:
        for open_ in (False, True):
            yield f"{spec}{' --open' * open_}", partial(Question.of, spec, open=open_)
    for spec, piece in PIECED:
        yield f"{spec} {piece}", partial(Question.of, spec, piece=piece)
    for spec in ("60x60", "4x3000"):
        yield f"graph of {spec}", partial(Question.of, cavalcade.move_graph(spec))
    for spec, symmetry in (("30x30", "half turn"), ("300x300", "half turn"), ("6x1001", "half turn")):
        yield (
            f"{spec} {symmetry}",
            partial(Question.of, spec, symmetry=symmetry),
        )
    for spec in ("8x8", "20x20", "60x60"):
        yield f"{spec} steps", partial(Question.of, spec, at={1: "a1", 30: "c4", 51: "e6"})
    for spec in ("20x20", "300x300", "4x5000"):
        yield f"{spec} required", partial(Question.of, spec, with_=["a1-b3", "c2-d4"])
    yield "8x8 way", partial(Question.of, "8x8", moves="clockwise")
    yield "60x60 way", partial(Question.of, "60x60", moves="clockwise")


class Measurement(NamedTuple):
    """The status of a question, its seconds, and the seconds to build its graph."""

    taken: float
    stated: float
    status: str
    effort: str


def measured_by_name(name: str, verb: str, limit: float, *, alone: bool) -> Measurement:
    """Measure one question by its name."""
    return measured(dict(questions())[name], verb, limit, alone=alone)


def measured(state: Callable[[], Question], verb: str, limit: float, *, alone: bool) -> Measurement:
    """Measure one question."""
    if alone:
        time.perf_counter = time.process_time
    began = time.perf_counter()
    _ = state().as_cycle
    stated = time.perf_counter()
    if verb == "count":
        try:
            status, reason = f"{cavalcade.count(state(), time_limit=limit, memory=MEMORY).count:,}", ""
        except TooLargeError as error:
            status, reason = "undecided", str(error)
        return Measurement(time.perf_counter() - stated, stated - began, status, reason)
    verdict: Verdict = getattr(cavalcade, verb)(state(), time_limit=limit)
    taken = time.perf_counter() - stated
    effort = ", ".join(f"{turn.engine} {turn.seconds:.2f}" for turn in verdict.effort)
    return Measurement(taken, stated - began, verdict.status, effort)


def random_questions(count: int) -> Iterator[tuple[str, Callable[[], Question], float]]:
    """Iterate over random questions with their names and limits, in seconds."""
    rng = random.Random(0)
    for i in range(count):
        limit = round(0.05 * 100 ** rng.random(), 2)
        open_ = rng.random() < 0.3
        if rng.random() < 0.6:
            side = int(10 * 100 ** rng.random())
            share = rng.choice((0.01, 0.05, 0.1, 0.2, 0.25))
            graph = cavalcade.move_graph(f"{side}x{side}")
            kept = np.random.default_rng(i).random(graph.size) > share
            number = np.cumsum(kept) - 1
            edges = number[graph.edges()[kept[graph.edges()].all(axis=1)]]
            name, size = f"{side}x{side} without {share:.0%}", int(np.count_nonzero(kept))
        else:
            size = int(100 * 1000 ** rng.random())
            degree = rng.choice((3, 4, 8))
            edges = np.random.default_rng(i).integers(size, size=(size * degree // 2, 2))
            edges = edges[edges[:, 0] != edges[:, 1]]
            ring = np.arange(size)
            if rng.random() < 0.5:  # a graph with a tour
                edges = np.concatenate([edges, np.stack([ring, np.roll(ring, 1)], axis=1)])
            name = f"random graph {size:,}, degree {degree}"
        place = cavalcade.MoveGraph.from_edges(edges, size)
        yield f"{name}{' --open' * open_}", partial(Question.of, place, open=open_), limit


def main(words: list[str]) -> None:
    """Measure every question under every limit, and print the late ones."""
    word = words.pop(words.index("--only") + 1) if "--only" in words else ""
    alone, cold = "--alone" in words, "--cold" in words
    random_count = int(words.pop(words.index("--random") + 1)) if "--random" in words else 0
    limits = [float(word) for word in words if not word.startswith("-")] or LIMITS
    for warm in () if cold else ("6x6", "2000x20", "31x31", "3x8", "2x300"):
        for ask in (cavalcade.tour, cavalcade.prove):
            ask(warm, time_limit=3)
            ask(warm, time_limit=3, open=True)
        cavalcade.count("6x8")
    questions_and_limits = ((name, state, limit) for name, state in questions() for limit in limits)
    verbs = ("tour", "prove") if random_count else ("tour", "prove", "count")
    count = late = undecided = 0
    for name, state, limit in random_questions(random_count) if random_count else questions_and_limits:
        for verb in verbs if word in name else ():
            count += 1
            if cold and not random_count:
                with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
                    result = fresh.submit(measured_by_name, name, verb, limit, alone=alone).result()
            else:
                result = measured(state, verb, limit, alone=alone)
            undecided += result.status == "undecided"
            if result.taken > limit * 1.1 + 0.2 + result.stated:
                late += 1
                print(
                    f"{verb:5} {name:28} limit {limit:5.2f} took {result.taken:6.2f} s, stated in "
                    f"{result.stated:5.2f} s, {result.status}: {result.effort}",
                    flush=True,
                )
    print(f"{count:,} asked, {late:,} late, {undecided:,} undecided", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
