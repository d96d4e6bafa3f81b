"""The same question with the same seed has the same answer, or it is undecided.

This holds with one core and with two, with and without compiled code, on idle and on busy machines.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cavalcade
from cavalcade.answers.verdict import Found, Impossible, Undecided
from cavalcade.ground import kernels
from cavalcade.question.graph import MoveGraph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BUSY = 4  # number of other processes that load the machine


def petersen(n: int, k: int) -> MoveGraph:
    """Return a generalized Petersen graph, with 2n vertices."""
    outer = [(i, (i + 1) % n) for i in range(n)]
    inner = [(n + i, n + (i + k) % n) for i in range(n)]
    return MoveGraph.from_edges([*outer, *((i, n + i) for i in range(n)), *inner])


def permutations(n: int, *, seed: int) -> MoveGraph:
    """Return the digraph of two random permutations."""
    rng = np.random.default_rng(seed)
    arcs = {(a, int(b)) for _ in range(2) for a, b in enumerate(rng.permutation(n)) if a != b}
    return MoveGraph.from_edges(sorted(arcs), n, directed=True)


def ask(*place: Any, **options: Any) -> Callable[[], Any]:
    return lambda: cavalcade.tour(*place, **{"time_limit": 60} | options)  # 60 s is never reached


def walk(names: str) -> Any:
    return cavalcade.Tour.from_names(cavalcade.board("6x6"), names.split(), closed=False)


# Questions by name, each with whether an idle machine decides it within its limit.
QUESTIONS: dict[str, tuple[Callable[[], Any], bool]] = {
    "closed": (ask("8x8", seed=5), True),
    "open, between two cells": (ask("9x9", open=True, start="a1", end="i9", seed=2), True),
    "joined or by SAT": (ask("12x12", piece="1,4", seed=3), True),
    "a proof by cuts": (ask("4x30", seed=1), True),
    "a proof by colours": (ask("7x7"), True),
    "reasons first": (lambda: cavalcade.prove("3x8", seed=4), True),
    "a proof by SAT": (lambda: cavalcade.prove("4x8", engine="sat", seed=4), True),
    "symmetric": (ask("6x6", symmetry="half-turn", seed=7), True),
    "steps": (ask("6x6", at={1: "a1", 10: "c4", 20: "e2"}, seed=1), True),
    "steps of an open tour": (ask("5x6", open=True, at={3: "f1"}, seed=9), True),
    "about the centre": (ask("6x6", moves="clockwise", seed=1), True),
    "with and without moves": (ask("8x8", with_="a1-b3,c5-d7", avoid="h8-g6", seed=1), True),
    "holes": (ask("8x8-a1,h8,d4,e4", seed=8), True),
    "holes, impossible": (ask("8x8-a1,c3", seed=8), True),
    "a sparse graph with a cycle": (ask(petersen(30, 3), seed=3), True),
    "a sparse graph without": (ask(petersen(23, 2), seed=3), True),
    "a digraph with a cycle": (ask(permutations(100, seed=1), seed=3), True),
    "a digraph without": (ask(permutations(100, seed=8), seed=3), True),
    "fewest turns": (ask("6x6", fewest="turns", seed=1), True),
    "continued": (lambda: cavalcade.continue_walk(walk("a1 b3 a5 c6 e5"), seed=1).verdict, True),
    "the limit is reached": (ask("8x8-a1,c3", engine="sat", seed=1, time_limit=0.3), False),
    "the limit is reached in rounds": (ask("10x10", piece="3,4", seed=1, time_limit=1.0), False),
}


def shown(verdict: Any) -> str | None:
    """Return a verdict as text without times, or None if it is undecided."""
    if isinstance(verdict, Found):
        return f"{verdict.method} {verdict.tour.cells.tolist()} {verdict.fewest}"
    if isinstance(verdict, Impossible):
        assert verdict.certificate is not None
        return f"{verdict.method} {verdict.reason} {verdict.certificate.to_json()}"
    assert isinstance(verdict, Undecided)
    return None


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Keep the machine busy with other processes."""
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def print_answers(cores: int, *, warm: bool) -> None:
    """Print the answers of a process that may use `cores` cores, one per line."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    for question, decided in QUESTIONS.values():
        if decided:
            kernels.Tier.warm = warm  # whether kernels count as compiled
            sys.stdout.write(f"{json.dumps(shown(question()))}\n")


def answers(cores: int, *, warm: bool) -> list[str | None]:
    """Return the answers of a new process."""
    code = f"import test_reproducible as t; t.print_answers({cores}, warm={warm})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parent, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs a system that binds to cores")
def test_the_same_answers_everywhere() -> None:
    """One idle core without compiled kernels and two busy cores with them give the same answers."""
    idle_answers = answers(1, warm=False)
    with busy(2):
        busy_answers = answers(2, warm=True)
    assert len(idle_answers) == sum(decided for _, decided in QUESTIONS.values()) == 20
    assert None not in idle_answers
    assert idle_answers == busy_answers


@pytest.mark.slow
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_same_answer_in_repeated_runs(name: str) -> None:
    question, decided = QUESTIONS[name]
    idle_answers = [shown(question()) for _ in range(5)]
    with busy(BUSY):
        busy_answers = [shown(question()) for _ in range(5)]
    distinct = {answer for answer in (*idle_answers, *busy_answers) if answer is not None}
    assert len(distinct) <= 1, name
    assert not decided or distinct, name


def test_a_loop_is_compiled_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small questions run interpreted until their steps add up; compilation does not change the tours."""
    questions = [(board, seed) for board in ("8x9", "10x10-a1,b1") for seed in range(6)]
    answers, steps = [], []
    for limit in (float("inf"), 20_000):
        monkeypatch.setattr(kernels, "COMPILE_AFTER", limit)
        monkeypatch.setattr(kernels.Tier, "warm", False)
        monkeypatch.setattr(kernels.Tier, "interpreted", 0)
        for board, seed in questions:
            answers.append(shown(cavalcade.tour(board, seed=seed)))
            steps.append(kernels.Tier.interpreted)
    first, then = steps[: len(questions)], steps[len(questions) :]
    assert answers[: len(questions)] == answers[len(questions) :]
    assert 0 < then[0] < then[-1] <= 20_000 < first[-1], "the last questions run compiled"


@pytest.mark.slow
def test_the_same_tour_twelve_times() -> None:
    """When engines had shares of the time, `join` gave ten of these tours and `sat` gave two others."""
    tours = {shown(cavalcade.tour("12x12", piece="1,4", seed=3)) for _ in range(12)} - {None}
    assert len(tours) == 1
