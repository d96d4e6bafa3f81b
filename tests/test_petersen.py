"""The theorem on generalized Petersen graphs GP(n, 2): its check, its list of words and its page."""

from __future__ import annotations

import json
from itertools import chain, product
from pathlib import Path

import pytest

import cavalcade
from cavalcade.theorems import petersen as proof
from cavalcade.theorems.facts import Fault, packaged

WORDS: dict[str, list[str]] = json.loads(packaged("petersen"))
PAGE = (Path(__file__).parents[1] / "docs" / "proofs" / "petersen.md").read_text(encoding="utf-8")


def kinds(m: int) -> set[frozenset[tuple[int, int]]]:
    """Return the pairings of ends by paths that visit all vertices of m columns, from all sets of edges."""
    u, v = [("u", i) for i in range(m)], [("v", i) for i in range(m)]
    edges = [(0, u[0]), *((u[i], u[i + 1]) for i in range(m - 1)), (u[-1], 3), *zip(u, v, strict=True)]
    inner: list[object] = [
        1,
        2,
        *v,
        4,
        5,
    ]  # the ends 1 and 2 stand for v_(-2) and v_(-1), and 4 and 5 for v_m and v_(m+1)
    edges += [(a, b) for a, b in zip(inner, inner[2:], strict=False)]
    path_kinds = set()
    for used in product((False, True), repeat=len(edges)):
        neighbours: dict[object, list[object]] = {}
        for (a, b), is_used in zip(edges, used, strict=True):
            if is_used:
                neighbours.setdefault(a, []).append(b)
                neighbours.setdefault(b, []).append(a)
        if any(len(neighbours.get(x, [])) != 2 for x in [*u, *v]):
            continue
        paths, seen = set(), set()
        for end in range(6):
            if end in neighbours and end not in seen:
                previous: object = end
                current = neighbours[end][0]
                seen |= {end, current}
                while not isinstance(current, int):
                    previous, current = current, neighbours[current][neighbours[current][0] == previous]
                    seen.add(current)
                paths.add((end, current))
        if seen == set(neighbours):  # the edges contain no cycle
            path_kinds.add(frozenset(paths))
    return path_kinds


@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_the_kinds_of_short_strips_equal_a_plain_search(m: int) -> None:
    strips = set(proof.COLUMNS)
    for _ in range(m - 1):
        strips = {paths for a in strips for b in proof.COLUMNS if (paths := proof.joined(a, b)) is not None}
    assert strips == kinds(m)


def test_the_theorem_is_checked_and_the_page_has_its_list() -> None:
    proved = proof.petersen()
    assert proved, proved.fault
    assert len(proved.facts) == 8
    table = [line.strip("|").split("|") for line in PAGE.splitlines() if line.startswith("| 6k")]
    assert [[cell.strip() for cell in row[1:]] for row in table] == [WORDS[str(k)] for k in range(5)]
    sizes = next(line for line in PAGE.splitlines() if line.startswith("| kinds"))
    assert ", ".join(cell.strip() for cell in sizes.strip("|").split("|")[1:]) in proved.facts[5]


def is_cycle(n: int, word: str) -> bool:
    """Return whether the edges of a word form one cycle of GP(n, 2), edge by edge."""
    edges = set()
    for i, digit in enumerate(map(int, word)):
        shape, passing = digit % 5, digit > 4
        edges |= {frozenset((("u", i), ("v", i)))} if shape else set()
        edges |= {frozenset((("u", i), ("u", (i + 1) % n)))} if shape in {0, 3, 4} else set()
        edges |= {frozenset((("u", i), ("u", (i - 1) % n)))} if shape in {0, 1, 2} else set()
        edges |= {frozenset((("v", i), ("v", (i + 2) % n)))} if shape in {0, 2, 4} else set()
        edges |= {frozenset((("v", i), ("v", (i - 2) % n)))} if shape in {0, 1, 3} else set()
        if passing != (int(word[(i + 1) % n]) % 5 in {0, 1, 3}):
            return False
    graph = sorted(tuple(sorted(edge)) for edge in edges)
    if len(graph) != 2 * n:
        return False
    reached, fresh = {("u", 0)}, [("u", 0)]
    while fresh:
        current = fresh.pop()
        adjacent = {x for edge in graph if current in edge for x in edge} - reached
        reached |= adjacent
        fresh += adjacent
    endpoints = list(chain.from_iterable(graph))
    return len(reached) == 2 * n and all(endpoints.count(x) == 2 for x in reached)


def test_damaged_words_are_refused_unless_they_are_right_too() -> None:
    refused = 0
    for rest, which in product(WORDS, (0, 1)):
        for index, digit in product(range(len(WORDS[rest][which])), "0123456789"):
            words = {key: list(value) for key, value in WORDS.items()}
            words[rest][which] = words[rest][which][:index] + digit + words[rest][which][index + 1 :]
            start, repeat = words[rest]
            right = all(is_cycle(len(start) + 6 * k, start + repeat * k) for k in range(4))
            assert bool(proof.petersen(json.dumps(words))) == right, words
            refused += not right
    assert refused > 500


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ({}, "it has no '0'"),
        (WORDS | {"1": ["0781478", "07807"]}, "do not have 7 and 6 columns"),
        (WORDS | {"2": ["29555563" + "295563", "295563"]}, "do not have 8 and 6 columns"),
        (WORDS | {"0": ["295x63", "295563"]}, "cannot be read"),
        (WORDS | {"3": ["078078079", "078078"]}, "078078079 is not a cycle of GP(9, 2)"),
        (WORDS | {"0": ["555555", "555555"]}, "555555 is not a cycle of GP(6, 2)"),
        (WORDS | {"3": ["078078078", "078079"]}, "does not join the ends"),
        ([], "cannot be read"),
    ],
)
def test_faults_are_named(words: object, fault: str) -> None:
    assert fault in proof.petersen(json.dumps(words)).fault


@pytest.mark.parametrize(
    ("column", "fault"),
    [
        (
            [(0, 3)],
            "GP(5, 2) has a cycle",
        ),  # the cycle omits a vertex: Petersen's graph minus a vertex is Hamiltonian
        ([(2, 4)], "strips of 5 and of 11 columns have not the same kinds of paths"),
    ],
)
def test_an_extra_column_is_detected(
    column: list[tuple[int, int]], fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "COLUMNS", [*proof.COLUMNS, frozenset(column)])
    assert proof.petersen().fault == fault


def test_words_that_are_not_cycles_are_refused() -> None:
    for word in ("555555", "078078078"[:6], "1" * 6, "295564"):
        with pytest.raises(Fault, match="not one cycle"):
            proof.walk(6, word)


def test_the_theorem_agrees_with_the_engines() -> None:
    for n in range(5, 31):
        verdict = cavalcade.tour(f"gp:{n},2", time_limit=20)
        assert verdict.status == ("impossible" if n % 6 == 5 else "found")
