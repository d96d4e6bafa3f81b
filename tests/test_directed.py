"""Directed graphs against plain search, and against what is known of digraphs."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cavalcade
from cavalcade import Found, Impossible, MoveGraph, Question
from cavalcade.answers.certificate import Certificate, Step, StepProof, flat, from_json
from cavalcade.answers.tours import Tour
from cavalcade.checking.certificates import verify
from cavalcade.checking.constraints import unmet
from cavalcade.explaining.sentences import sentences
from cavalcade.ground.budget import Budget
from cavalcade.ground.errors import CavalcadeError, CellError, FormatError, GraphError
from cavalcade.refute.reasons import reasons

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Arc = tuple[int, int]
Asked = dict[str, Any]


def plain(n: int, arcs: set[Arc], asked: Asked) -> list[tuple[int, ...]]:
    """All directed tours, by trying; closed ones begin with cell 0."""
    closed = not asked.get("open", False)
    must, avoid = set(asked.get("with_", ())), set(asked.get("avoid", ()))
    after = [[b for b in range(n) if (a, b) in arcs and (a, b) not in avoid] for a in range(n)]
    found = []

    def walk(path: list[int]) -> None:
        if len(path) == n:
            made = set(itertools.pairwise(path)) | ({(path[-1], path[0])} if closed else set())
            if (
                (not closed or path[0] in after[path[-1]])
                and must <= made
                and asked.get("end") in {None, path[-1]}
            ):
                found.append(tuple(path))
            return
        for b in after[path[-1]]:
            if b not in path:
                walk([*path, b])

    starts = [0] if closed else [asked["start"]] if asked.get("start") is not None else range(n)
    for start in starts:
        walk([start])
    return found


def digraph(n: int, arcs: set[Arc]) -> MoveGraph:
    return MoveGraph.from_edges(sorted(arcs), n, directed=True)


def draw(rng: random.Random, n: int, arcs: set[Arc]) -> Asked:
    """A kind of tours, ends, arcs to make and arcs to avoid."""
    asked: Asked = {"open": rng.random() < 0.6}
    if asked["open"]:
        ends = rng.sample(range(n), 2)
        asked |= {key: end for key, end in zip(("start", "end"), ends, strict=True) if rng.random() < 0.4}
    some = rng.sample(sorted(arcs), min(len(arcs), rng.choice([0, 0, 1, 2, 3])))
    cut = rng.randint(0, len(some))
    return asked | {"with_": some[:cut], "avoid": some[cut:]}


def agrees(n: int, arcs: set[Arc], asked: Asked, *, counted: bool) -> None:
    """What is found, proved and counted is what trying finds."""
    graph, right = digraph(n, arcs), plain(n, arcs, asked)
    for engine in (None, "sat") if counted else (None,):
        verdict = cavalcade.tour(graph, engine=engine, **asked)
        if right:
            assert isinstance(verdict, Found), (n, arcs, asked)
            cells = verdict.tour.cells.tolist()
            at = 0 if asked.get("open") else cells.index(0)
            assert tuple(cells[at:] + cells[:at]) in right
        else:
            assert isinstance(verdict, Impossible), (n, arcs, asked, verdict)
            assert verdict.certificate is not None
            assert verify(from_json(verdict.certificate.to_json()))
    if counted:
        assert cavalcade.count(graph, **asked).count == len(right), (n, arcs, asked)
        assert sorted(tuple(one.cells.tolist()) for one in cavalcade.list_tours(graph, **asked)) == right


def labelled(number: int) -> set[Arc]:
    """A digraph on 4 vertices."""
    pairs = itertools.permutations(range(4), 2)
    return {arc for i, arc in enumerate(pairs) if number >> i & 1}


def some_digraphs(rng: random.Random, many: int) -> Iterator[tuple[int, set[Arc]]]:
    """Digraphs on 5 to 9 vertices around the share of arcs at which tours appear."""
    for _ in range(many):
        n = rng.randint(5, 9)
        share = rng.uniform(1, math.log(n) + 2) / n
        arcs = {arc for arc in itertools.permutations(range(n), 2) if rng.random() < share}
        if rng.random() < 0.5:  # a tour is there
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
        both = MoveGraph.from_edges(np.concatenate([edges, edges[:, ::-1]]), graph.size, directed=True)
        once, twice = (cavalcade.count(one, open=open_) for one in (graph, both))
        assert twice.count == 2 * once.count > 0
        assert "directed" in twice.conventions.split(", ")
        assert cavalcade.count(both, open=open_, directed=True).count == twice.count


def test_tournaments_have_an_odd_number_of_paths() -> None:
    """Rédei 1934; and a cycle if they are strongly connected (Camion 1959)."""
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
    right = plain(n, arcs, {})
    drawn = {tuple(one.cells.tolist()) for one in cavalcade.sample(digraph(n, arcs), n=40 * len(right))}
    assert drawn == set(right)


# ---- words


RING = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]


def test_a_tour_walked_backwards_is_none() -> None:
    verdict = cavalcade.tour(MoveGraph.from_edges(RING, labels="abcd", directed=True))
    assert isinstance(verdict, Found)
    assert cavalcade.check(verdict.tour)
    assert not cavalcade.check(verdict.tour.reversed())
    assert not cavalcade.check(verdict.tour.reversed().opened())
    wanted = Question.of(verdict.tour.board, with_="b-c", avoid="a-c")
    assert not unmet(wanted, verdict.tour)
    assert unmet(Question.of(verdict.tour.board, avoid="a-b"), verdict.tour) == "it makes the move a-b"


def test_arcs_are_asked_for_in_their_direction() -> None:
    graph = MoveGraph.from_edges([*RING, (2, 0)], labels="abcd", directed=True)
    with pytest.raises(CellError, match="b-a is not a move of graph"):
        Question.of(graph, with_="b-a")
    with pytest.raises(CavalcadeError, match="c-a is both a move to use and a move to avoid"):
        Question.of(graph, with_="c-a", avoid="c-a")
    both = Question.of(graph, with_="c-a", avoid="a-c")
    assert both.required == ((2, 0),)
    assert both.forbidden == ((0, 2),)
    verdict = cavalcade.prove(both)
    assert isinstance(verdict, Impossible)
    assert verdict.reason.endswith(" uses the edge c-a and avoids the edge a-c.")


def test_networkx_gets_a_digraph() -> None:
    pytest.importorskip("networkx")
    graph = MoveGraph.from_edges(RING, labels="abcd", directed=True).to_networkx()
    assert graph.is_directed()
    assert sorted(graph.edges) == [("a", "b"), ("a", "c"), ("b", "c"), ("c", "d"), ("d", "a")]


REASONS: list[tuple[int, list[Arc], Asked, str]] = [
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


@pytest.mark.parametrize(("n", "arcs", "asked", "words"), REASONS)
def test_reasons_in_the_words_of_the_graph(n: int, arcs: list[Arc], asked: Asked, words: str) -> None:
    verdict = cavalcade.prove(digraph(n, set(arcs)), **asked)
    assert isinstance(verdict, Impossible)
    assert verdict.certificate is not None
    assert words in verdict.reason
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
    over = np.stack([rng.integers(0, n // 2, n), rng.integers(n // 2, n, n)], axis=1)
    every = np.concatenate([arcs[arcs[:, 0] != arcs[:, 1]], rings, over])
    verdict = cavalcade.tour(MoveGraph.from_edges(every, n, directed=True))
    assert isinstance(verdict, Impossible)
    assert verdict.certificate is not None
    assert verdict.certificate.reason == "reach"
    assert "lead to 2,000 of the 4,000 vertices" in verdict.reason


def test_what_knows_no_directions_says_so(tmp_path: Path) -> None:
    graph = MoveGraph.from_edges(RING, labels="abcd", directed=True)
    assert repr(graph) == "<MoveGraph 4 vertices, 5 arcs>"
    assert cavalcade.degrees(graph).tolist() == [2, 1, 1, 1]
    for ask in (
        lambda: cavalcade.tsp(graph),
        lambda: cavalcade.warnsdorff(graph),
    ):
        with pytest.raises(GraphError, match="graph is directed, expected a graph whose edges go both ways"):
            ask()
    with pytest.raises(CavalcadeError, match="cannot write a MoveGraph that is directed as 'hcp'"):
        cavalcade.save(graph, tmp_path / "graph.hcp")
    with pytest.raises(CavalcadeError, match="do not go clockwise"):
        cavalcade.tour(graph, moves="clockwise")


def test_a_walk_goes_on_in_its_direction() -> None:
    graph = MoveGraph.from_edges([*RING, (2, 1), (1, 3), (3, 1)], labels="abcd", directed=True)
    walk = Tour(graph, np.array([0, 2, 1]), closed=False)
    found = cavalcade.continue_walk(walk, open=False).verdict
    assert isinstance(found, Found)
    assert found.tour.names == ["a", "c", "b", "d"]


def test_steps_of_a_digraph() -> None:
    rng = random.Random(7)
    for n, arcs in some_digraphs(rng, 18):
        steps = dict(zip(rng.sample(range(1, n + 1), 2), rng.sample(range(n), 2), strict=True))
        for open_ in (False, True):
            every = plain(n, arcs, {"open": open_})
            turned = [one[i:] + one[:i] for one in every for i in range(1 if open_ else n)]
            right = {one for one in turned if all(one[step - 1] == cell for step, cell in steps.items())}
            graph = digraph(n, arcs)
            assert cavalcade.count(graph, open=open_, at=steps).count == len(right)
            verdict = cavalcade.tour(graph, open=open_, at=steps)
            assert isinstance(verdict, Found) == bool(right)
            assert not isinstance(verdict, Found) or tuple(verdict.tour.cells.tolist()) in right


# ---- damage


def damages(found: dict[str, Any], rng: random.Random) -> Iterator[dict[str, Any]]:
    """The certificate about another digraph, or with a step less."""
    edges, names = found["edges"], found["labels"]
    for i in range(len(edges)):
        yield found | {"edges": [*edges[:i], edges[i][::-1], *edges[i + 1 :]]}
    for _ in range(10):
        yield found | {"edges": [*edges, rng.sample(range(len(names)), 2)]}
    yield found | {"directed": False}
    yield {key: value for key, value in found.items() if key != "directed"}
    for key in ("with", "avoid"):
        some = found.get(key, [])
        for i in range(len(some)):
            yield found | {key: some[:i] + some[i + 1 :]}
            yield found | {key: [*some[:i], some[i][::-1], *some[i + 1 :]]}
    for key in ("start", "end"):
        yield from (found | {key: one} for one in (None, rng.choice(names), rng.choice(names)))
    steps = found.get("steps", [])
    for i in range(len(steps)):
        yield found | {"steps": steps[:i] + steps[i + 1 :]}
        for k in range(len(steps[i]["cells"])):
            less = steps[i] | {"cells": steps[i]["cells"][:k] + steps[i]["cells"][k + 1 :]}
            yield found | {"steps": [*steps[:i], less, *steps[i + 1 :]]}
        for rule in ("reach", "hall", "tight", "degree", "sign"):
            yield found | {"steps": [*steps[:i], steps[i] | {"rule": rule}, *steps[i + 1 :]]}
    for i in range(len(found.get("drup", []))):
        yield found | {"drup": found["drup"][:i] + found["drup"][i + 1 :]}


def test_damaged_certificates_prove_nothing_that_is_wrong() -> None:
    rng = random.Random(3)
    tried = accepted = 0
    rules: set[str] = set()
    for i, (n, every) in enumerate(some_digraphs(rng, 36)):
        arcs, asked = every, draw(rng, n, every)
        if i % 3 == 0:  # nothing leads back
            arcs, asked = {(a, b) for a, b in arcs if not a < 3 <= b}, {}
        verdict = cavalcade.prove(digraph(n, arcs), engine="sat" if i % 4 == 0 else None, **asked)
        if not isinstance(verdict, Impossible):
            continue
        assert verdict.certificate is not None
        assert sentences(verdict.certificate)
        found = verdict.certificate.to_dict()
        rules |= {step["rule"] for step in found.get("steps", [])}
        for other in damages(found, rng):
            if other == found:
                continue
            tried += 1
            try:
                read = from_json(json.dumps(other))
            except FormatError:
                continue
            if verify(read) and other.get("directed", False):
                accepted += 1
                question = read.question
                assert isinstance(question.board, MoveGraph)
                words = {
                    "open": not question.closed, "start": question.start, "end": question.end,
                    "with_": question.required, "avoid": question.forbidden,
                }  # fmt: skip
                left = {(a, b) for a, b in question.board.edges().tolist()}
                assert not plain(n, left, words), other
    assert tried > 300
    assert accepted < tried * 0.8
    assert {"reach", "hall", "degree"} <= rules


# ---- signs


def covers(n: int, arcs: set[Arc]) -> Iterator[int]:
    """The number of cycles of every cover, by trying all permutations along arcs."""
    after = [[b for b in range(n) if (a, b) in arcs] for a in range(n)]
    for image in itertools.product(*after):
        if len(set(image)) == n:
            left, cycles = set(range(n)), 0
            while left:
                cycles += 1
                cell = left.pop()
                while (cell := image[cell]) in left:
                    left.remove(cell)
            yield cycles


def two_ways(rng: random.Random) -> tuple[int, set[Arc]]:
    """A digraph of the arcs of two permutations that differ by odd cycles more often than by chance."""
    while True:
        n = rng.randint(3, 8)
        one, other, places = rng.sample(range(n), n), list(range(n)), rng.sample(range(n), n)
        while places:
            k = rng.choice((1, 3, 3, 5)) if rng.random() < 0.8 else rng.randint(1, n)
            group, places = places[:k], places[k:]
            for a, b in zip(group, group[1:] + group[:1], strict=True):
                other[a] = one[b]
        if all(a not in pair for a, pair in enumerate(zip(one, other, strict=True))):
            return n, {*enumerate(one), *enumerate(other)}


def in_groups(rng: random.Random) -> tuple[int, set[Arc], bool]:
    """A digraph of two permutations that differ by a few large cycles; whether a cover is one cycle.

    Each group of cells has its successors of one permutation or of the other.
    """
    n, many = rng.randint(20, 200), rng.randint(2, 7)
    one, places = rng.sample(range(n), n), rng.sample(range(n), n)
    stops = [0, *sorted(rng.sample(range(1, n), many - 1)), n]
    groups = [places[i:j] for i, j in itertools.pairwise(stops)]
    other = {a: one[b] for group in groups for a, b in zip(group, group[1:] + group[:1], strict=True)}
    arcs = {(a, b) for a in range(n) for b in (one[a], other[a]) if a != b}

    def is_tour(chosen: tuple[int, ...]) -> bool:
        after = {a: (one[a], other[a])[k] for group, k in zip(groups, chosen, strict=True) for a in group}
        cell, length = after[0], 1
        while cell != 0:
            cell, length = after[cell], length + 1
        return length == n

    return n, arcs, any(map(is_tour, itertools.product((0, 1), repeat=many)))


def test_sparse_digraphs_against_all_their_covers() -> None:
    """What forced arcs or SAT refute; a proof by SAT has but the lines that matter."""
    rng = random.Random(22)
    seen: Counter[bool] = Counter()
    for _ in range(24):
        n, arcs, right = in_groups(rng)
        for engine in (None, "sat"):
            verdict = cavalcade.tour(digraph(n, arcs), engine=engine)
            assert isinstance(verdict, Found if right else Impossible)
            if isinstance(verdict, Impossible):
                assert verdict.certificate is not None
                assert verify(from_json(verdict.certificate.to_json()))
                proof = verdict.certificate.proof
                assert isinstance(proof, StepProof) or len(proof.drup) < 3 * 2**7
        seen[right] += 1
    assert min(seen[False], seen[True]) > 2


def signs_agree(rng: random.Random, many: int) -> Counter[tuple[bool, bool]]:
    """How often all covers have an even number of cycles, and a tour is among them."""
    seen: Counter[tuple[bool, bool]] = Counter()
    for _ in range(many):
        n, arcs = two_ways(rng)
        question, counts = Question(digraph(n, arcs)), set(covers(n, arcs))
        even = all(count % 2 == 0 for count in counts)
        assert verify(Certificate(question, StepProof((Step("sign"),)))).ok == even
        seen[even, 1 in counts] += 1
        proof = reasons(question, Budget(), cases=0)
        if even:  # and nothing but signs may be wrong
            assert isinstance(proof, StepProof)
            assert proof.steps[-1].rule in {"sign", "reach", "cut", "colours"}, (n, arcs)
        elif isinstance(proof, StepProof):
            assert proof.steps != (Step("sign"),)
            assert 1 not in counts
    return seen


def test_signs_refute_what_they_say_and_nothing_else() -> None:
    seen = signs_agree(random.Random(1948), 1000)
    assert not seen[True, True]
    assert min(seen[True, False], seen[False, True], seen[False, False]) > 10, seen


@pytest.mark.slow
def test_signs_of_ten_thousand_digraphs() -> None:
    assert not signs_agree(random.Random(2), 10_000)[True, True]


def test_signs_once_some_arcs_are_ruled_out() -> None:
    """Among arcs that are in no cover, in cases, and with ends; a proof rests on its steps."""
    rng = random.Random(1886)
    signs = tried = accepted = 0
    for i in range(800):
        n, arcs = two_ways(rng)
        arcs |= {(a, b) for a, b in itertools.permutations(range(n), 2) if rng.random() < 0.8 / n}
        asked: Asked = {"open": True, "start": 0, "end": n - 1} if i % 4 == 0 else {}
        right = plain(n, arcs, asked)
        proof = reasons(Question.of(digraph(n, arcs), **asked), Budget(), cases=200)
        assert isinstance(proof, StepProof) == (not right)
        if not isinstance(proof, StepProof) or all(step.rule != "sign" for step in flat(proof.steps)):
            continue
        signs += 1
        certificate = Certificate(Question.of(digraph(n, arcs), **asked), proof)
        assert verify(certificate)
        assert all(sentences(certificate))
        for k in range(len(proof.steps)):
            fewer = StepProof(proof.steps[:k] + proof.steps[k + 1 :])
            tried += 1
            accepted += bool(verify(replace(certificate, proof=fewer)))
    assert signs > 20
    assert accepted < 0.1 * tried  # what a step rules out is sometimes ruled out by a later one, too


def cayley(*generators: str) -> MoveGraph:
    """The rows that some changes lead to, from each an arc for each change; each is written as a row."""
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
    """From x1 ... xn to x2 ... xn x1 and to x2 ... xn (x1 + 1), modulo m."""
    every = list(itertools.product(range(m), repeat=n))
    arcs = {(one, (*one[1:], (one[0] + more) % m)) for one in every for more in (0, 1)}
    number = {one: i for i, one in enumerate(every)}
    return digraph(len(every), {(number[a], number[b]) for a, b in arcs if a != b})


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


def test_a_digraph_with_an_arc_more_has_no_sign() -> None:
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
    """Or with one leader: a step that names two places, before what takes the whole graph is looked at."""
    n = 40
    others = [(a, b) for a in range(n) for b in range(n) if a != b and a not in {3, 7}]
    no_way_back = [(0, n), (n, n + 1), (n + 1, n)]
    arcs = [*others, (3, 11), (7, 11), *no_way_back]
    verdict = cavalcade.tour(MoveGraph.from_edges([arc[::ahead] for arc in arcs], n + 2, directed=True))
    assert isinstance(verdict, Impossible)
    assert verdict.certificate is not None
    assert isinstance(verdict.certificate.proof, StepProof)
    (step,) = verdict.certificate.proof.steps
    assert (step.rule, {cell % (n + 2) for cell in step.cells}) == ("hall", {3, 7})
