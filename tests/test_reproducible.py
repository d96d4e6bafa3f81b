"""The same question with the same seed has the same answer, on a busy machine too; or it is undecided."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

import cavalcade
from cavalcade.answers.verdict import Found, Impossible, Undecided
from cavalcade.ground import kernels
from cavalcade.question.graph import MoveGraph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BUSY = 4  # processes


def petersen(n: int, k: int) -> MoveGraph:
    """The generalized Petersen graph, of 2n vertices."""
    outer = [(i, (i + 1) % n) for i in range(n)]
    inner = [(n + i, n + (i + k) % n) for i in range(n)]
    return MoveGraph.from_edges([*outer, *((i, n + i) for i in range(n)), *inner])


def ask(*place: Any, **options: Any) -> Callable[[], Any]:
    return lambda: cavalcade.tour(*place, **options)


def walk(names: str) -> Any:
    return cavalcade.Tour.from_names(cavalcade.board("6x6"), names.split(), closed=False)


# name: the question, and whether it is decided within its limit on an idle machine
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
    "fewest turns": (ask("6x6", fewest="turns", seed=1, time_limit=60), True),
    "continued": (lambda: cavalcade.continue_walk(walk("a1 b3 a5 c6 e5"), seed=1).verdict, True),
    "the limit is reached": (ask("8x8-a1,c3", engine="sat", seed=1, time_limit=0.3), False),
    "the limit is reached in rounds": (ask("10x10", piece="3,4", seed=1, time_limit=1.0), False),
}
QUICK = [
    "joined or by SAT", "symmetric", "steps", "about the centre", "holes, impossible",
    "a sparse graph without", "the limit is reached",
]  # fmt: skip


def shown(verdict: Any) -> str | None:
    """All that a verdict says but for times; None if it is undecided."""
    if isinstance(verdict, Found):
        return f"{verdict.method} {verdict.tour.cells.tolist()} {verdict.fewest}"
    if isinstance(verdict, Impossible):
        assert verdict.certificate is not None
        return f"{verdict.method} {verdict.reason} {verdict.certificate.to_json()}"
    assert isinstance(verdict, Undecided)
    return None


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Other processes that take all the time they get."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def assert_same(name: str, times: int) -> None:
    question, decided = QUESTIONS[name]
    alone = [shown(question()) for _ in range(times)]
    with busy(BUSY):
        beside = [shown(question()) for _ in range(times)]
    answers = {answer for answer in (*alone, *beside) if answer is not None}
    assert len(answers) <= 1, name
    assert not decided or answers, name


def test_there_are_twenty_questions() -> None:
    assert len(QUESTIONS) == 20
    assert set(QUICK) < set(QUESTIONS)


@pytest.mark.parametrize("name", QUICK)
def test_the_same_answer_alone_and_beside_others(name: str) -> None:
    assert_same(name, 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_same_answer_again_and_again(name: str) -> None:
    assert_same(name, 5)


def test_the_tier_of_the_kernels_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once numba is loaded it is used for everything: that makes the same tours, only faster."""
    for name in ("joined or by SAT", "symmetric", "about the centre"):
        answers = []
        for warm in (False, True):
            monkeypatch.setattr(kernels.Tier, "warm", warm)
            answers.append(shown(QUESTIONS[name][0]()))
        assert answers[0] == answers[1], name


@pytest.mark.slow
def test_the_same_tour_twelve_times() -> None:
    """Ten were by `join`, and two others by `sat`, when engines had shares of the time."""
    tours = {shown(cavalcade.tour("12x12", piece="1,4", seed=3)) for _ in range(12)} - {None}
    assert len(tours) == 1
