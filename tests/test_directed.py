"""Directed graphs, tested against plain search and against theorems about digraphs."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cavalcade
from cavalcade import Found, Impossible, MoveGraph, Question, formats
from cavalcade.answers.certificate import Certificate, Step, StepProof, flat, from_json
from cavalcade.answers.tours import Tour
from cavalcade.checking.certificates import verify
from cavalcade.checking.constraints import moves_of, unmet
from cavalcade.explaining.sentences import sentences
from cavalcade.ground.budget import Budget
from cavalcade.ground.errors import CavalcadeError, CellError, GraphError
from cavalcade.refute.reasons import reasons
from certified import accepted_certificate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cavalcade.answers.counts import By

Arc = tuple[int, int]
Conditions = dict[str, Any]  # the keywords of a question


def plain(n: int, arcs: set[Arc], words: Conditions) -> list[tuple[int, ...]]:
    """All directed tours by backtracking; closed tours start at cell 0."""
    closed = not words.get("open", False)
    must, avoid = set(words.get("with_", ())), set(words.get("avoid", ()))
    successors = [[b for b in range(n) if (a, b) in arcs and (a, b) not in avoid] for a in range(n)]
    tours = []

    def walk(path: list[int]) -> None:
        if len(path) == n:
            used = set(itertools.pairwise(path)) | ({(path[-1], path[0])} if closed else set())
            if (
                (not closed or path[0] in successors[path[-1]])
                and must <= used
                and words.get("end") in {None, path[-1]}
            ):
                tours.append(tuple(path))
            return
        for b in successors[path[-1]]:
            if b not in path:
                walk([*path, b])

    starts = [0] if closed else [words["start"]] if words.get("start") is not None else range(n)
    for start in starts:
        walk([start])
    return tours


def digraph(n: int, arcs: set[Arc]) -> MoveGraph:
    return MoveGraph.from_edges(sorted(arcs), n, directed=True)


def draw(rng: random.Random, n: int, arcs: set[Arc]) -> Conditions:
    """Random conditions: open or closed, ends, arcs to use and arcs to avoid."""
    words: Conditions = {"open": rng.random() < 0.6}
    if words["open"]:
        ends = rng.sample(range(n), 2)
        words |= {key: end for key, end in zip(("start", "end"), ends, strict=True) if rng.random() < 0.4}
    chosen = rng.sample(sorted(arcs), min(len(arcs), rng.choice([0, 0, 1, 2, 3])))
    cut = rng.randint(0, len(chosen))
    return words | {"with_": chosen[:cut], "avoid": chosen[cut:]}


def agrees(n: int, arcs: set[Arc], words: Conditions, *, counted: bool) -> None:
    """Assert that the package finds, proves and counts the same tours as backtracking."""
    graph, expected = digraph(n, arcs), plain(n, arcs, words)
    for engine in (None, "sat") if counted else (None,):
        verdict = cavalcade.tour(graph, engine=engine, **words)
        if expected:
            assert isinstance(verdict, Found), (n, arcs, words)
            cells = verdict.tour.cells.tolist()
            first = 0 if words.get("open") else cells.index(0)
            assert tuple(cells[first:] + cells[:first]) in expected
        else:
            assert isinstance(verdict, Impossible), (n, arcs, words, verdict)
            assert verdict.certificate is not None
            assert verify(from_json(verdict.certificate.to_json()))
    if counted:
        assert cavalcade.count(graph, **words).count == len(expected), (n, arcs, words)
        assert sorted(tuple(tour.cells.tolist()) for tour in cavalcade.list_tours(graph, **words)) == expected


def labelled(number: int) -> set[Arc]:
    """The arcs of the digraph on 4 vertices with this number."""
    pairs = itertools.permutations(range(4), 2)
    return {arc for i, arc in enumerate(pairs) if number >> i & 1}


def some_digraphs(rng: random.Random, number: int) -> Iterator[tuple[int, set[Arc]]]:
    """Random digraphs on 5 to 9 vertices with densities around the threshold of Hamiltonicity."""
    for _ in range(number):
        n = rng.randint(5, 9)
        share = rng.uniform(1, math.log(n) + 2) / n
        arcs = {arc for arc in itertools.permutations(range(n), 2) if rng.random() < share}
        if rng.random() < 0.5:  # plant a tour
            cells = rng.sample(range(n), n)
            arcs |= set(zip(cells, cells[1:] + cells[:1], strict=True))
        yield n, arcs


def test_some_digraphs_on_four_vertices() -> None:
    rng = random.Random(4)
    for number in rng.sample(range(4096), 44):
        arcs = labelled(number)
        agrees(4, arcs, {}, counted=number % 4 == 0)
        agrees(4, arcs, draw(rng, 4, arcs), counted=number % 4 == 0)


def test_some_larger_digraphs() -> None:
    rng = random.Random(9)
    for i, (n, arcs) in enumerate(some_digraphs(rng, 70)):
        agrees(n, arcs, draw(rng, n, arcs), counted=i % 5 == 0)


@pytest.mark.slow
def test_all_digraphs_on_four_vertices() -> None:
    rng = random.Random(0)
    for number in range(4096):
        arcs = labelled(number)
        agrees(4, arcs, {}, counted=True)
        agrees(4, arcs, {"open": True}, counted=True)
        agrees(4, arcs, draw(rng, 4, arcs), counted=True)


@pytest.mark.slow
def test_ten_thousand_larger_digraphs() -> None:
    rng = random.Random(1)
    for i, (n, arcs) in enumerate(some_digraphs(rng, 10_000)):
        agrees(n, arcs, draw(rng, n, arcs), counted=i % 5 == 0)


def test_complete_digraphs() -> None:
    for n in range(2, 8):
        graph = digraph(n, set(itertools.permutations(range(n), 2)))
        assert cavalcade.count(graph).count == math.factorial(n - 1)
        assert cavalcade.count(graph, open=True).count == math.factorial(n)
        assert cavalcade.count(graph, open=True, start=0).count == math.factorial(n - 1)


def test_a_graph_given_as_a_symmetric_digraph_has_each_tour_twice() -> None:
    for spec, open_ in (("3x10", False), ("4x5", True), ("3x4", True)):
        graph = cavalcade.move_graph(spec)
        edges = graph.edges()
        doubled = MoveGraph.from_edges(np.concatenate([edges, edges[:, ::-1]]), graph.size, directed=True)
        undirected, directed = (cavalcade.count(place, open=open_) for place in (graph, doubled))
        assert directed.count == 2 * undirected.count > 0
        assert "directed" in directed.conventions.split(", ")
        assert cavalcade.count(doubled, open=open_, directed=True).count == directed.count


def test_tournaments_have_an_odd_number_of_paths() -> None:
    """Rédei 1934; a strongly connected tournament also has a Hamiltonian cycle (Camion 1959)."""
    rng = random.Random(0)
    for n in range(3, 9):
        arcs = {(a, b) if rng.random() < 0.5 else (b, a) for a, b in itertools.combinations(range(n), 2)}
        graph = digraph(n, arcs)
        assert cavalcade.count(graph, open=True).count % 2 == 1
        verdict = cavalcade.prove(graph)
        reason = verdict.certificate.reason if isinstance(verdict, Impossible) and verdict.certificate else ""
        assert isinstance(verdict, Found) or reason in {"reach", "degree"}


def test_samples_are_tours_of_the_digraph() -> None:
    rng = random.Random(3)
    n, arcs = 9, {arc for arc in itertools.permutations(range(9), 2) if rng.random() < 0.4}
    expected = plain(n, arcs, {})
    drawn = {tuple(tour.cells.tolist()) for tour in cavalcade.sample(digraph(n, arcs), n=40 * len(expected))}
    assert drawn == set(expected)


# ---- words


RING = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]


def test_a_reversed_tour_is_not_a_tour() -> None:
    verdict = cavalcade.tour(MoveGraph.from_edges(RING, labels="abcd", directed=True))
    assert isinstance(verdict, Found)
    assert cavalcade.check(verdict.tour)
    assert not cavalcade.check(verdict.tour.reversed())
    assert not cavalcade.check(verdict.tour.reversed().opened())
    question = Question.of(verdict.tour.board, with_="b-c", avoid="a-c")
    assert not unmet(question, verdict.tour)
    assert unmet(Question.of(verdict.tour.board, avoid="a-b"), verdict.tour) == "it makes the move a-b"


def test_required_arcs_have_a_direction() -> None:
    graph = MoveGraph.from_edges([*RING, (2, 0)], labels="abcd", directed=True)
    with pytest.raises(CellError, match="b-a is not a move of graph"):
        Question.of(graph, with_="b-a")
    with pytest.raises(CavalcadeError, match="c-a is both a move to use and a move to avoid"):
        Question.of(graph, with_="c-a", avoid="c-a")
    question = Question.of(graph, with_="c-a", avoid="a-c")
    assert question.required == ((2, 0),)
    assert question.forbidden == ((0, 2),)
    verdict = cavalcade.prove(question)
    assert isinstance(verdict, Impossible)
    assert verdict.reason.endswith(" uses the edge c-a and avoids the edge a-c.")


def test_networkx_gets_a_digraph() -> None:
    pytest.importorskip("networkx")
    graph = MoveGraph.from_edges(RING, labels="abcd", directed=True).to_networkx()
    assert graph.is_directed()
    assert sorted(graph.edges) == [("a", "b"), ("a", "c"), ("b", "c"), ("c", "d"), ("d", "a")]


REASONS: list[tuple[int, list[Arc], Conditions, str]] = [
    (4, [(0, 1), (1, 2), (2, 0), (2, 3)], {}, "There is no edge from 4"),
    (4, [(0, 1), (1, 2), (2, 0), (3, 0)], {}, "There is no edge to 4"),
    (
        6,
        [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)],
        {},
        "From 4 the edges lead to 3 of the 6 vertices, counting 4 itself, but never to 1",
    ),
    (
        6,
        [(a, b) for a in range(6) for b in range(6) if a != b and (a > 2 or b > 3)],
        {},
        "From the 3 vertices 1, 2 and 3, every edge leads to one of only 2 vertices: 5 and 6",
    ),
    (
        6,
        [(b, a) for a in range(6) for b in range(6) if a != b and (a > 2 or b > 3)],
        {},
        "To the 3 vertices 1, 2 and 3, every edge comes from one of only 2 vertices: 5 and 6",
    ),
    (3, [(0, 1), (0, 2)], {"open": True}, "From the 2 vertices 2 and 3, every edge leads to only *"),
]


@pytest.mark.parametrize(("n", "arcs", "conditions", "sentence"), REASONS)
def test_reasons_in_the_words_of_the_graph(
    n: int, arcs: list[Arc], conditions: Conditions, sentence: str
) -> None:
    verdict = cavalcade.prove(digraph(n, set(arcs)), **conditions)
    assert isinstance(verdict, Impossible)
    assert verdict.certificate is not None
    assert sentence in verdict.reason
    assert ">" not in verdict.reason
    assert "<svg" in verdict.certificate.svg()


def test_a_step_that_rules_out_nothing_says_so() -> None:
    question = Question(digraph(4, {(0, 1), (1, 2), (2, 0), (3, 0)}))  # c> of cell c is 8 + c, >c is 4 + c
    proof = StepProof(
        (Step("forced", (0,)), Step("forced", (8,)), Step("saturated", (8,)), Step("degree", (7,)))
    )
    assert verify(Certificate(question, proof))
    assert sentences(Certificate(question, proof))[:3] == [
        "A Hamiltonian cycle must enter and leave every vertex.",
        "The only edge from 1 is 1-2. So every Hamiltonian cycle uses it.",
        "The edges that must be used rule out no others here.",
    ]


def test_a_large_digraph_that_is_not_strongly_connected_is_refuted_at_once() -> None:
    n = 4_000
    rng = np.random.default_rng(0)
    arcs = rng.integers(0, n // 2, (8 * n, 2)) + rng.integers(0, 2, 8 * n)[:, None] * (n // 2)
    ring = np.arange(n)
    rings = np.stack([ring, (ring + 1) % (n // 2) + ring // (n // 2) * (n // 2)], axis=1)
    forward = np.stack([rng.integers(0, n // 2, n), rng.integers(n // 2, n, n)], axis=1)
    all_arcs = np.concatenate([arcs[arcs[:, 0] != arcs[:, 1]], rings, forward])
    verdict = cavalcade.tour(MoveGraph.from_edges(all_arcs, n, directed=True))
    assert isinstance(verdict, Impossible)
    assert verdict.certificate is not None
    assert verdict.certificate.reason == "reach"
    assert "lead to 2,000 of the 4,000 vertices" in verdict.reason


def test_undirected_functions_refuse_digraphs(tmp_path: Path) -> None:
    graph = MoveGraph.from_edges(RING, labels="abcd", directed=True)
    assert repr(graph) == "<MoveGraph 4 vertices, 5 arcs>"
    assert cavalcade.degrees(graph).tolist() == [2, 1, 1, 1]
    with pytest.raises(GraphError, match="graph is directed, expected a graph whose edges go both ways"):
        cavalcade.warnsdorff(graph)
    with pytest.raises(CavalcadeError, match="cannot write a MoveGraph that is directed as 'hcp'"):
        cavalcade.save(graph, tmp_path / "graph.hcp")
    with pytest.raises(CavalcadeError, match="do not go clockwise"):
        cavalcade.tour(graph, moves="clockwise")


def test_a_walk_continues_in_its_direction() -> None:
    graph = MoveGraph.from_edges([*RING, (2, 1), (1, 3), (3, 1)], labels="abcd", directed=True)
    walk = Tour(graph, np.array([0, 2, 1]), closed=False)
    verdict = cavalcade.continue_walk(walk, open=False).verdict
    assert isinstance(verdict, Found)
    assert verdict.tour.names == ["a", "c", "b", "d"]


def test_steps_of_a_digraph() -> None:
    rng = random.Random(7)
    for n, arcs in some_digraphs(rng, 18):
        steps = dict(zip(rng.sample(range(1, n + 1), 2), rng.sample(range(n), 2), strict=True))
        for open_ in (False, True):
            tours = plain(n, arcs, {"open": open_})
            rotations = [order[i:] + order[:i] for order in tours for i in range(1 if open_ else n)]
            expected = {
                order for order in rotations if all(order[step - 1] == cell for step, cell in steps.items())
            }
            graph = digraph(n, arcs)
            assert cavalcade.count(graph, open=open_, at=steps).count == len(expected)
            verdict = cavalcade.tour(graph, open=open_, at=steps)
            assert isinstance(verdict, Found) == bool(expected)
            assert not isinstance(verdict, Found) or tuple(verdict.tour.cells.tolist()) in expected


# ---- damage


def damages(certificate: dict[str, Any], rng: random.Random) -> Iterator[dict[str, Any]]:
    """Copies of a certificate with another digraph, other conditions, or a step changed or omitted."""
    edges, names = certificate["edges"], certificate["labels"]
    for i in range(len(edges)):
        yield certificate | {"edges": [*edges[:i], edges[i][::-1], *edges[i + 1 :]]}
    for _ in range(10):
        yield certificate | {"edges": [*edges, rng.sample(range(len(names)), 2)]}
    yield certificate | {"directed": False}
    yield {key: value for key, value in certificate.items() if key != "directed"}
    for key in ("with", "avoid"):
        moves = certificate.get(key, [])
        for i in range(len(moves)):
            yield certificate | {key: moves[:i] + moves[i + 1 :]}
            yield certificate | {key: [*moves[:i], moves[i][::-1], *moves[i + 1 :]]}
    for key in ("start", "end"):
        yield from (certificate | {key: name} for name in (None, rng.choice(names), rng.choice(names)))
    steps = certificate.get("steps", [])
    for i in range(len(steps)):
        yield certificate | {"steps": steps[:i] + steps[i + 1 :]}
        for k in range(len(steps[i]["cells"])):
            shortened = steps[i] | {"cells": steps[i]["cells"][:k] + steps[i]["cells"][k + 1 :]}
            yield certificate | {"steps": [*steps[:i], shortened, *steps[i + 1 :]]}
        for rule in ("reach", "hall", "tight", "degree", "sign"):
            yield certificate | {"steps": [*steps[:i], steps[i] | {"rule": rule}, *steps[i + 1 :]]}
    for i in range(len(certificate.get("drup", []))):
        yield certificate | {"drup": certificate["drup"][:i] + certificate["drup"][i + 1 :]}


def test_damaged_certificates_prove_only_true_statements() -> None:
    rng = random.Random(3)
    tried = accepted = 0
    rules: set[str] = set()
    for i, (n, all_arcs) in enumerate(some_digraphs(rng, 36)):
        arcs, conditions = all_arcs, draw(rng, n, all_arcs)
        if i % 3 == 0:  # no arc leaves the first three vertices
            arcs, conditions = {(a, b) for a, b in arcs if not a < 3 <= b}, {}
        verdict = cavalcade.prove(digraph(n, arcs), engine="sat" if i % 4 == 0 else None, **conditions)
        if not isinstance(verdict, Impossible):
            continue
        assert verdict.certificate is not None
        assert sentences(verdict.certificate)
        document = verdict.certificate.to_dict()
        rules |= {step["rule"] for step in document.get("steps", [])}
        for damaged in damages(document, rng):
            if damaged == document:
                continue
            tried += 1
            certificate = accepted_certificate(damaged)
            if certificate is not None and damaged.get("directed", False):
                accepted += 1
                question = certificate.question
                assert isinstance(question.board, MoveGraph)
                words = {
                    "open": not question.closed, "start": question.start, "end": question.end,
                    "with_": question.required, "avoid": question.forbidden,
                }  # fmt: skip
                remaining = {(a, b) for a, b in question.board.edges().tolist()}
                assert not plain(n, remaining, words), damaged
    assert tried > 300
    assert accepted < tried * 0.8
    assert {"reach", "hall", "degree"} <= rules


# ---- signs


def covers(n: int, arcs: set[Arc]) -> Iterator[int]:
    """The number of cycles of each cycle cover, by enumerating all permutations along arcs."""
    successors = [[b for b in range(n) if (a, b) in arcs] for a in range(n)]
    for image in itertools.product(*successors):
        if len(set(image)) == n:
            unvisited, cycles = set(range(n)), 0
            while unvisited:
                cycles += 1
                cell = unvisited.pop()
                while (cell := image[cell]) in unvisited:
                    unvisited.remove(cell)
            yield cycles


def two_ways(rng: random.Random) -> tuple[int, set[Arc]]:
    """A union of two random permutations, biased so that they differ by cycles of odd length."""
    while True:
        n = rng.randint(3, 8)
        first, second, remaining = rng.sample(range(n), n), list(range(n)), rng.sample(range(n), n)
        while remaining:
            k = rng.choice((1, 3, 3, 5)) if rng.random() < 0.8 else rng.randint(1, n)
            group, remaining = remaining[:k], remaining[k:]
            for a, b in zip(group, group[1:] + group[:1], strict=True):
                second[a] = first[b]
        if all(a not in pair for a, pair in enumerate(zip(first, second, strict=True))):
            return n, {*enumerate(first), *enumerate(second)}


def in_groups(rng: random.Random) -> tuple[int, set[Arc], bool]:
    """A union of two permutations that differ by a few large cycles, and whether it has a tour.

    All cells of a group take their successors from the same permutation.
    """
    n, group_count = rng.randint(20, 200), rng.randint(2, 7)
    first, order = rng.sample(range(n), n), rng.sample(range(n), n)
    stops = [0, *sorted(rng.sample(range(1, n), group_count - 1)), n]
    groups = [order[i:j] for i, j in itertools.pairwise(stops)]
    second = {a: first[b] for group in groups for a, b in zip(group, group[1:] + group[:1], strict=True)}
    arcs = {(a, b) for a in range(n) for b in (first[a], second[a]) if a != b}

    def is_tour(chosen: tuple[int, ...]) -> bool:
        successor = {
            a: (first[a], second[a])[k] for group, k in zip(groups, chosen, strict=True) for a in group
        }
        cell, length = successor[0], 1
        while cell != 0:
            cell, length = successor[cell], length + 1
        return length == n

    return n, arcs, any(map(is_tour, itertools.product((0, 1), repeat=group_count)))


def test_sparse_digraphs_against_all_their_covers() -> None:
    """Refutations by forced arcs or SAT; a proof by SAT keeps only the lines that it needs."""
    rng = random.Random(22)
    seen: Counter[bool] = Counter()
    for _ in range(24):
        n, arcs, has_tour = in_groups(rng)
        for engine in (None, "sat"):
            verdict = cavalcade.tour(digraph(n, arcs), engine=engine)
            assert isinstance(verdict, Found if has_tour else Impossible)
            if isinstance(verdict, Impossible):
                assert verdict.certificate is not None
                assert verify(from_json(verdict.certificate.to_json()))
                proof = verdict.certificate.proof
                assert isinstance(proof, StepProof) or len(proof.drup) < 3 * 2**7
        seen[has_tour] += 1
    assert min(seen[False], seen[True]) > 2


def signs_agree(rng: random.Random, number: int) -> Counter[tuple[bool, bool]]:
    """Count digraphs by whether all covers have an even number of cycles, and whether one is a tour."""
    seen: Counter[tuple[bool, bool]] = Counter()
    for _ in range(number):
        n, arcs = two_ways(rng)
        question, counts = Question(digraph(n, arcs)), set(covers(n, arcs))
        even = all(count % 2 == 0 for count in counts)
        assert verify(Certificate(question, StepProof((Step("sign"),)))).ok == even
        seen[even, 1 in counts] += 1
        proof = reasons(question, Budget(), cases=0)
        if even:  # signs may be the only obstruction
            assert isinstance(proof, StepProof)
            assert proof.steps[-1].rule in {"sign", "reach", "cut", "colours"}, (n, arcs)
        elif isinstance(proof, StepProof):
            assert proof.steps != (Step("sign"),)
            assert 1 not in counts
    return seen


def test_signs_refute_exactly_the_even_digraphs() -> None:
    seen = signs_agree(random.Random(1948), 1000)
    assert not seen[True, True]
    assert min(seen[True, False], seen[False, True], seen[False, False]) > 10, seen


@pytest.mark.slow
def test_signs_of_ten_thousand_digraphs() -> None:
    assert not signs_agree(random.Random(2), 10_000)[True, True]


def test_signs_after_arcs_are_ruled_out() -> None:
    """Signs after arcs in no cover are ruled out, in cases, and with ends; a proof needs its steps."""
    rng = random.Random(1886)
    signs = tried = accepted = 0
    for i in range(800):
        n, arcs = two_ways(rng)
        arcs |= {(a, b) for a, b in itertools.permutations(range(n), 2) if rng.random() < 0.8 / n}
        conditions: Conditions = {"open": True, "start": 0, "end": n - 1} if i % 4 == 0 else {}
        expected = plain(n, arcs, conditions)
        proof = reasons(Question.of(digraph(n, arcs), **conditions), Budget(), cases=200)
        assert isinstance(proof, StepProof) == (not expected)
        if not isinstance(proof, StepProof) or all(step.rule != "sign" for step in flat(proof.steps)):
            continue
        signs += 1
        certificate = Certificate(Question.of(digraph(n, arcs), **conditions), proof)
        assert verify(certificate)
        assert all(sentences(certificate))
        for k in range(len(proof.steps)):
            fewer = StepProof(proof.steps[:k] + proof.steps[k + 1 :])
            tried += 1
            accepted += bool(verify(replace(certificate, proof=fewer)))
    assert signs > 20
    assert accepted < 0.1 * tried  # a later step sometimes makes an omitted step redundant


def cayley(*generators: str) -> MoveGraph:
    """The Cayley digraph of permutations, each written as the row of its images."""
    rows = {"".join(sorted(generators[0])): 0}
    queue, arcs = list(rows), []
    for row in queue:
        for generator in generators:
            new = "".join(row[int(place) - 1] for place in generator)
            if new not in rows:
                rows[new] = len(rows)
                queue.append(new)
            arcs.append((rows[row], rows[new]))
    return MoveGraph.from_edges(arcs, len(rows), labels=list(rows), directed=True)


def words(m: int, n: int) -> MoveGraph:
    """The digraph of words with arcs from x1 ... xn to x2 ... xn x1 and x2 ... xn (x1 + 1), modulo m."""
    vertices = list(itertools.product(range(m), repeat=n))
    arcs = {(word, (*word[1:], (word[0] + increment) % m)) for word in vertices for increment in (0, 1)}
    index = {word: i for i, word in enumerate(vertices)}
    return digraph(len(vertices), {(index[a], index[b]) for a, b in arcs if a != b})


SIGNS = [
    (cayley("1253746", "1752634"), 360),  # Grandsire Triples of plain and bob leads: W. H. Thompson, 1886
    (cayley("2341", "2134"), 24),  # Nijenhuis & Wilf, Combinatorial Algorithms, 1975: not for even n > 2
    (cayley("234561", "213456"), 720),
    (
        cayley("31245", "51234"),
        60,
    ),  # Holroyd, Perfect snake-in-the-box codes for rank modulation, 2017: n = 5
    *((words(m, n), m**n) for m, n in ((3, 4), (3, 6), (7, 4))),  # arXiv 2605.09489
]


@pytest.mark.parametrize(("graph", "size"), SIGNS)
def test_known_digraphs_have_covers_of_one_sign(graph: MoveGraph, size: int) -> None:
    assert graph.size == size
    verdict = cavalcade.prove(graph)
    assert isinstance(verdict, Impossible)
    certificate = verdict.certificate
    assert certificate is not None
    assert isinstance(certificate.proof, StepProof)
    assert [step.rule for step in certificate.proof.steps][-1] == "sign"
    assert all(not step.cases for step in certificate.proof.steps)
    assert verify(from_json(certificate.to_json()))


def test_one_changed_arc_destroys_the_sign() -> None:
    graph = cayley("2341", "2134")
    arcs = {(a, b) for a, b in graph.edges().tolist()}
    proof = StepProof((Step("sign"),))
    assert verify(Certificate(Question(graph), proof))
    assert "there are 8 groups, of 3 vertices each" in sentences(Certificate(Question(graph), proof))[0]
    assert "one choice decides all" in Certificate(Question(graph), proof).svg()
    assert not verify(Certificate(Question(graph), StepProof((Step("sign", (0,)),))))
    for arc in set(itertools.permutations(range(24), 2)) - arcs:
        assert not verify(Certificate(Question(digraph(24, arcs | {arc})), proof))
    for arc in arcs:
        assert not verify(Certificate(Question(digraph(24, arcs - {arc})), proof))


@pytest.mark.parametrize("ahead", [1, -1])
def test_two_vertices_with_one_follower_are_the_whole_reason(ahead: int) -> None:
    """Also with one common predecessor: the short step is found before any step about the whole graph."""
    n = 40
    dense = [(a, b) for a in range(n) for b in range(n) if a != b and a not in {3, 7}]
    no_way_back = [(0, n), (n, n + 1), (n + 1, n)]
    arcs = [*dense, (3, 11), (7, 11), *no_way_back]
    verdict = cavalcade.tour(MoveGraph.from_edges([arc[::ahead] for arc in arcs], n + 2, directed=True))
    assert isinstance(verdict, Impossible)
    assert verdict.certificate is not None
    assert isinstance(verdict.certificate.proof, StepProof)
    (step,) = verdict.certificate.proof.steps
    assert (step.rule, {cell % (n + 2) for cell in step.cells}) == ("hall", {3, 7})


# ---- pieces that cannot take a move back


def arcs_of_moves(sides: tuple[int, ...], moves: set[Arc], *, around: bool = False) -> set[Arc]:
    """The arcs of a piece on a rectangle or a torus, from the coordinates of its squares."""
    m, n = sides
    arcs = set()
    for row, column in itertools.product(range(m), range(n)):
        for down, right in moves:
            end = (row + down, column + right)
            end = (end[0] % m, end[1] % n) if around else end
            if 0 <= end[0] < m and 0 <= end[1] < n and end != (row, column):
                arcs.add((row * n + column, end[0] * n + end[1]))
    return arcs


def some_pieces(rng: random.Random, number: int) -> Iterator[tuple[str, tuple[int, int], set[Arc]]]:
    """Random sets of moves on small boards, flat and round, most of which go one way."""
    steps = [(a, b) for a in range(-2, 3) for b in range(-2, 3) if (a, b) != (0, 0)]
    for _ in range(number):
        sides = rng.choice([(2, 3), (3, 2), (1, 5), (3, 3), (2, 4), (3, 4)])
        yield rng.choice(["", "torus:"]), sides, set(rng.sample(steps, rng.randint(1, 7)))


def agrees_with_a_piece(kind: str, sides: tuple[int, int], moves: set[Arc], rng: random.Random) -> None:
    """Assert that a piece with exactly these moves has the tours of a plain search."""
    board = cavalcade.board(f"{kind}{sides[0]}x{sides[1]}")
    piece = cavalcade.Piece(moves=tuple(rng.sample(sorted(moves), len(moves))))
    arcs = arcs_of_moves(sides, moves, around=bool(kind))
    question = Question.of(board, piece=piece)
    assert cavalcade.piece(piece.spec).spec == piece.spec
    assert set(map(tuple, question.graph.arcs().tolist())) == arcs
    assert question.directed is not all((-a, -b) in moves for a, b in moves)
    assert set(map(tuple, moves_of(question).tolist())) == {
        arc for arc in arcs if question.directed or arc[0] < arc[1]
    }
    for closed in (True, False):
        words: Conditions = {"piece": piece, "open": not closed}
        expected = plain(board.size, arcs, words)
        if not question.directed:  # a tour and its reverse are one
            expected = [tour for tour in expected if tour[:: -1 if tour[-1] < tour[0] else 1] == tour]
            expected = expected if not closed else [tour for tour in expected if tour[1] < tour[-1]]
        verdict = cavalcade.tour(board, **words)
        if not expected:
            assert isinstance(verdict, Impossible), (board, piece, closed)
            assert verdict.certificate is None or verify(from_json(verdict.certificate.to_json()))
        else:
            assert isinstance(verdict, Found), (board, piece, closed)
            text = formats.write(verdict.tour, rng.choice(["json", "text", "csv"]))
            assert formats.parse(text) == verdict.tour
        assert cavalcade.count(board, **words).count == len(expected), (board, piece, closed)
        assert sum(map(len, cavalcade.list_arrays(board, **words))) == len(expected), (board, piece, closed)


def test_pieces_that_cannot_go_back() -> None:
    rng = random.Random(3)
    for kind, sides, moves in some_pieces(rng, 8):
        agrees_with_a_piece(kind, sides, moves, rng)


@pytest.mark.slow
def test_two_thousand_pieces_that_cannot_go_back() -> None:
    rng = random.Random(4)
    for kind, sides, moves in some_pieces(rng, 2_000):
        agrees_with_a_piece(kind, sides, moves, rng)


def test_monotone_walks_are_counted() -> None:
    assert cavalcade.count("1x6", piece="moves:0,1;1,0", open=True).count == 1
    assert cavalcade.count("3x2", piece="moves:0,1;1,0", open=True).count == 0
    assert (
        cavalcade.count("3x2", piece="moves:0,1;1,0;0,-1", open=True).count == 2
    )  # each row in either direction
    assert cavalcade.count("3x2", piece="moves:0,1;1,0+-", open=True).count == 8


def test_moves_in_one_direction_round_the_centre() -> None:
    """A piece that cannot go back, whose moves must also go counterclockwise."""
    rng = random.Random(8)
    places = list(itertools.product(range(3), range(3)))
    for _ in range(20):
        moves = {(a, b) for a, b in itertools.product(range(-2, 3), repeat=2) if (a, b) != (0, 0)}
        moves = set(rng.sample(sorted(moves), 14))
        arcs = {
            (a, b)
            for a, b in arcs_of_moves((3, 3), moves)
            for (r, c), (s, d) in [(places[a], places[b])]
            if (c - 1) * (1 - s) - (1 - r) * (d - 1) > 0
        }
        words: Conditions = {"open": True, "piece": cavalcade.Piece(moves=tuple(moves))}
        verdict = cavalcade.tour("3x3", **words, moves="counterclockwise")
        assert isinstance(verdict, Found) is bool(plain(9, arcs, {"open": True}))
        if isinstance(verdict, Impossible):
            assert verdict.certificate is not None
            assert verify(from_json(verdict.certificate.to_json()))


def test_files_from_before_one_way_pieces_keep_their_meaning() -> None:
    """`moves:` in a file has always meant both ways; a piece that goes one way has another word."""
    found = cavalcade.tour("3x4", piece="moves:0,1;1,0+-")
    assert isinstance(found, Found)
    for name in ("json", "text", "csv"):
        text = formats.write(found.tour, name)
        assert "moves:0,1;1,0+-" in text
        assert formats.parse(text.replace("+-", "")) == found.tour
    refuted = cavalcade.tour("3x3", piece="moves:0,1;1,0+-")
    assert isinstance(refuted, Impossible)
    assert refuted.certificate is not None
    text = refuted.certificate.to_json()
    assert verify(from_json(text.replace("+-", "")))
    assert from_json(text.replace("+-", "")).question == refuted.certificate.question
    assert from_json(text.replace("moves:0,1;1,0+-", "exactly:0,1;1,0")).question.directed


@pytest.mark.parametrize(
    "ask",
    [
        lambda piece: cavalcade.warnsdorff("3x3", piece=piece),
        lambda piece: cavalcade.uncrossed("3x3", piece=piece),
        lambda piece: cavalcade.sequence("3xn", 4, piece=piece),
        lambda piece: cavalcade.classes("3x3", piece=piece),
        lambda piece: cavalcade.tour("3x3", piece=piece, symmetry="half turn"),
        lambda piece: cavalcade.tour("3x3", piece=piece, fewest="turns"),
        lambda piece: cavalcade.puzzle("3x3", piece=piece),
    ],
)
def test_what_needs_both_directions_refuses_the_piece_by_name(ask: Callable[[str], object]) -> None:
    with pytest.raises(CavalcadeError, match=r"exactly:0,1;1,0 .*expected .* both ways"):
        ask("moves:0,1;1,0")


@pytest.mark.parametrize("by", ["slope", "class", "turns", "angles", "crossings"])
def test_distributions_of_a_piece_that_cannot_go_back(by: By) -> None:
    """A distribution agrees with the measures of all tours, one by one."""
    piece = "moves:0,1;1,0;-1,0;0,-1;1,1;2,1"
    expected: dict[str, Counter[int]] = {}
    for tour in cavalcade.list_tours("3x4", piece=piece):
        value = cavalcade.measure(tour)[{"slope": "slopes", "class": "classes"}.get(by, by)]
        for kind, number in value.items() if isinstance(value, dict) else [(by, value)]:
            expected.setdefault(kind, Counter())[number] += 1
    counted = cavalcade.distribution("3x4", by, piece=piece)
    assert counted.count == 14
    assert {kind: +Counter(dict(enumerate(row))) for kind, row in counted.tours.items()} == expected
