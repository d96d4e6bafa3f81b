"""The formula of positions, as the checker builds it: from the words of the certificate format alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.checking.constraints import moves_left

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.checking.formula import Clause, Formula
    from cavalcade.question.question import Question


def positions(question: Question) -> Formula:
    """How many variables there are, and all clauses."""
    n = question.board.size
    near: list[set[int]] = [set() for _ in range(n)]
    for a, b in moves_left(question).tolist():
        near[a].add(b)
        near[b].add(a)
    around = question.closed and n >= 3
    return n * n, [
        *(tuple(_at(n, c, t) for t in range(1, n + 1)) for c in range(n)),
        *(tuple(_at(n, c, t) for c in range(n)) for t in range(1, n + 1)),
        *((-_at(n, c, s), -_at(n, c, t)) for c in range(n) for s in range(1, n) for t in range(s + 1, n + 1)),
        *((-_at(n, c, t), -_at(n, d, t)) for t in range(1, n + 1) for c in range(n) for d in range(c + 1, n)),
        *_goes_on(n, near, range(1, n), 1),
        *_goes_on(n, near, range(2, n + 1), -1),
        *(_goes_on(n, near, [n], 1 - n) if around else ()),
        *(_goes_on(n, near, [1], n - 1) if around else ()),
        *((_at(n, c, t),) for t, c in sorted(_given(question))),
        *(
            (-_at(n, a, t), *(_at(n, b, s) for s in _beside(n, t, around=around)))
            for a, b in question.required
            for t in range(1, n + 1)
        ),
    ]


def _at(n: int, cell: int, step: int) -> int:
    return cell * n + step


def _goes_on(n: int, near: list[set[int]], steps: list[int] | range, by: int) -> Iterator[Clause]:
    for cell in range(n):
        for step in steps:
            yield (-_at(n, cell, step), *(_at(n, other, step + by) for other in sorted(near[cell])))


def _given(question: Question) -> Iterator[tuple[int, int]]:
    yield from question.steps
    if question.start is not None:
        yield 1, question.start
    if question.end is not None:
        yield question.board.size, question.end


def _beside(n: int, step: int, *, around: bool) -> list[int]:
    before, after = step - 1, step + 1
    if around:
        return [before or n, after if after <= n else 1]
    return [other for other in (before, after) if 1 <= other <= n]
