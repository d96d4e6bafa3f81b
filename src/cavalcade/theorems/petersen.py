"""The finite check behind the theorem on generalized Petersen graphs GP(n, 2) (`docs/proofs/petersen.md`).

GP(n, 2) has vertices u_i and v_i for i = 1, …, n and edges u_i u_i+1, u_i v_i and v_i v_i+2, modulo n. Its
columns are cut apart: between column i and the next there are three edges,

    0  u_i u_i+1        1  v_i-1 v_i+1        2  v_i v_i+2

A *strip* is a run of columns, cut at both ends: 0, 1, 2 are the ends of edges at its left, 3, 4, 5 the ends
at its right. A Hamiltonian cycle becomes *paths* in a strip, which visit all of its vertices; only the pairs
of ends that they join matter. A column has ten states. Either its spoke is not used, and the cycle passes
straight through u and v (0), or the spoke is used, with the edges of u and v that lead back and back (1),
back and on (2), on and back (3), or on and on (4). Independently, edge 2 of the left, which passes the column
as edge 1 of the right, is not used, or it is used (add 5). So a cycle is a word of n digits, one per column.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from cavalcade.theorems.facts import Fault, packaged, proved

Paths: TypeAlias = frozenset[tuple[int, int]]  # the two ends of each path, the smaller one first

STATEMENT = (
    "The generalized Petersen graph GP(n, 2), n >= 5, has a Hamiltonian cycle if and only if n is not 5 more "
    "than a multiple of 6."
)
LEAST = range(5, 11)  # the least n of each remainder modulo 6; the first one has no cycle
WALKED = range(5, 101)  # the n whose cycles are also walked, as a test of the proof
WAYS: list[list[tuple[int, int]]] = [[(0, 3), (1, 5)], [(0, 1)], [(0, 5)], [(1, 3)], [(3, 5)]]
COLUMNS: list[Paths] = [*map(frozenset, WAYS), *(frozenset([*way, (2, 4)]) for way in WAYS)]


@proved
def petersen(text: str | None = None) -> Iterator[str]:
    """Check all facts behind the theorem.

    Args:
        text: two words for each remainder of n with cycles, as JSON: a cycle, and a word that can be appended
            any number of times; by default the packaged ones.
    """
    words = json.loads(packaged("petersen") if text is None else text)
    without, period = LEAST[0], len(LEAST)
    for least in LEAST[1:]:
        start, repeat = words[str(least % period)]
        if (len(start), len(repeat)) != (least, period):
            raise Fault(f"the words for {least % period} do not have {least} and {period} columns")
        if (strip := _strip(start)) is None or not _closes(strip):
            raise Fault(f"{start} is not a cycle of GP({least}, 2)")
        if _strip(repeat, strip) != strip:
            raise Fault(f"{repeat} after {start} does not join the ends that {start} joins")
        yield (
            f"{start} is a cycle of GP({least}, 2), and {repeat}, put after it, changes nothing at its ends: "
            f"so GP(n, 2) has a cycle for n = {least}, {least + period}, {least + 2 * period}, …"
        )
    strips: list[set[Paths]] = [set(COLUMNS)]
    while len(strips) < without + period:
        longer = (joined(strip, column) for strip in strips[-1] for column in strips[0])
        strips.append({paths for paths in longer if paths is not None})
    if any(map(_closes, strips[without - 1])):
        raise Fault(f"GP({without}, 2) has a cycle")
    kinds = ", ".join(str(len(strip)) for strip in strips)
    yield (
        f"Strips of 1 to {len(strips)} columns have {kinds} kinds of "
        f"paths, and none of {without} columns closes to a cycle of GP({without}, 2)."
    )
    if strips[-1] != strips[without - 1]:
        raise Fault(f"strips of {without} and of {len(strips)} columns have not the same kinds of paths")
    yield (
        f"Those of {len(strips)} columns are those of {without}: so are those of any n that is {without} "
        f"more than a multiple of {period}, and GP(n, 2) has no cycle."
    )
    for n in WALKED:
        if n % period != without:
            start, repeat = words[str(n % period)]
            walk(n, start + repeat * ((n - len(start)) // period))
    yield f"To test this: the cycles of these words, for n to {WALKED[-1]}, are walked edge by edge."


def walk(n: int, word: str) -> None:
    """Assert that the edges of a word form a Hamiltonian cycle; u_i is vertex i - 1, v_i is n + i - 1."""
    neighbours: list[list[int]] = [[] for _ in range(2 * n)]

    def use(a: int, b: int) -> None:
        neighbours[a].append(b)
        neighbours[b].append(a)

    for i, digit in enumerate(word):
        column = int(digit) % 5
        if column:
            use(i, n + i)
        if column in {0, 3, 4}:
            use(i, (i + 1) % n)
        if column in {0, 2, 4}:
            use(n + i, n + (i + 2) % n)
    previous, vertex, seen = neighbours[0][0] if neighbours[0] else 0, 0, set[int]()
    while vertex not in seen and len(neighbours[vertex]) == 2:
        seen.add(vertex)
        previous, vertex = vertex, neighbours[vertex][neighbours[vertex][0] == previous]
    if vertex or len(seen) < 2 * n:
        raise Fault(f"the edges of {word} are not one cycle of GP({n}, 2)")


def _strip(word: str, before: Paths | None = None) -> Paths | None:
    """The paths of the columns of a word, appended to a strip if given; None if they do not fit."""
    for digit in word:
        column = COLUMNS[int(digit)]
        before = column if before is None else joined(before, column)
        if before is None:
            return None
    return before


def joined(first: Paths, second: Paths) -> Paths | None:
    """The paths of two adjacent strips, left and right; None if edges do not fit, or a cycle closes."""
    left = [tuple(end if end < 3 else end + 3 for end in path) for path in first]
    right = [tuple(end if end > 2 else end + 6 for end in path) for path in second]
    paths = _linked([*left, *right], (6, 7, 8))
    return None if paths is None else frozenset((min(a, b), max(a, b)) for a, b in paths)


def _linked(paths: Iterable[tuple[int, ...]], middles: Iterable[int]) -> list[tuple[int, ...]] | None:
    """Link paths at these ends; None if one of them is an end of only one path."""
    paths = list(paths)
    for middle in middles:
        meeting = [path for path in paths if middle in path]
        if not meeting:
            continue
        if len(meeting) != 2:
            return None
        ends = [end for path in meeting for end in path if end != middle]
        paths = [*(path for path in paths if middle not in path), tuple(ends)]
    return paths


def _closes(paths: Paths) -> bool:
    """Whether a strip becomes one cycle if its right end is joined to its left end."""
    ends = [(a % 3, b % 3) for a, b in paths]
    last = max((end for path in ends for end in path), default=0)
    linked = _linked(ends, range(last))
    return linked == [(last, last)]
