"""Hard graphs: what is published of their families, and the engines for them against brute force.

The generators are those of the benchmark, `benchmarks/hard_graphs.py`.
"""

from __future__ import annotations

import importlib.util
import random
import re
import sys
from collections import Counter
from itertools import combinations, islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cavalcade
from cavalcade.answers.certificate import Certificate, Step, StepProof, from_json
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible, Undecided
from cavalcade.checking.certificates import verify
from cavalcade.checking.present import PresentGraph
from cavalcade.checking.rules import RULES, cases, subject
from cavalcade.checking.tours import check
from cavalcade.explaining.sentences import sentences
from cavalcade.ground.budget import Budget
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question
from cavalcade.refute.apart import apart
from cavalcade.refute.contraction import contraction
from cavalcade.refute.sat import sat
from cavalcade.refute.sweep import STATE, sweep
from certified import dot_product, proved_by
from oracles import is_hamiltonian

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType


def _generators() -> ModuleType:
    path = Path(__file__).parent.parent / "benchmarks" / "hard_graphs.py"
    spec = importlib.util.spec_from_file_location("hard_graphs", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["hard_graphs"] = module
    spec.loader.exec_module(module)
    return module


hard = _generators()


def graph_of(edges: Any) -> MoveGraph:
    """A graph from a generator's edges, none of which may be twice there."""
    graph = MoveGraph.from_edges(edges)
    assert graph.edge_count == len(edges)
    return graph


def plain(edges: Any) -> nx.Graph:
    """The same for networkx."""
    return nx.Graph(edges)


def rng() -> random.Random:
    return random.Random(7)


def decided(graph: MoveGraph, *, seconds: float = 60.0) -> bool:
    """Whether there is a Hamiltonian cycle, by the whole portfolio."""
    verdict = cavalcade.tour(graph, time_limit=seconds)
    assert not isinstance(verdict, Undecided), verdict.reason
    return isinstance(verdict, Found)


# ---- the generators


def is_cubic(edges: Any) -> bool:
    return bool((graph_of(edges).degrees == 3).all())


@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("n", [9, 10, 11, 12, 17])
def test_generalized_petersen_graphs(n: int, k: int) -> None:
    """Alspach 1983: all are Hamiltonian but GP(n, 2) for n = 5 modulo 6."""
    edges = hard.petersen(n, k)
    graph = graph_of(edges)
    assert (graph.size, is_cubic(edges)) == (2 * n, True)
    assert decided(graph) == (not (k == 2 and n % 6 == 5))


def test_the_petersen_graph_and_its_sisters() -> None:
    assert nx.is_isomorphic(plain(hard.petersen(5, 2)), nx.petersen_graph())
    assert nx.is_isomorphic(plain(hard.petersen(10, 2)), nx.dodecahedral_graph())
    assert nx.is_isomorphic(plain(hard.petersen(8, 3)), nx.moebius_kantor_graph())
    assert nx.is_isomorphic(plain(hard.petersen(10, 3)), nx.desargues_graph())
    counts = [cavalcade.count(graph_of(hard.petersen(n, 2))).count for n in (9, 15, 11)]
    assert counts == [3, 3, 0]  # Schwenk 1989


def test_flower_snarks() -> None:
    for k in (5, 6, 7, 8, 9):
        edges = hard.flower(k)
        assert is_cubic(edges)
        assert nx.girth(plain(edges)) == min(k, 6)
        assert decided(graph_of(edges)) == (k % 2 == 0)  # Isaacs 1975
    for vertex in range(20):  # hypohamiltonian: Fiorini 1983
        assert is_hamiltonian(graph_of(hard.without(hard.flower(5), vertex)))


def test_dot_products_of_snarks_are_snarks() -> None:
    edges = hard.petersen(5, 2)
    for _ in range(3):
        edges = hard.dot_product(edges, hard.petersen(5, 2), rng())
        assert is_cubic(edges)
        assert not decided(graph_of(edges))
    assert graph_of(edges).size == 34
    assert nx.girth(plain(edges)) >= 5


@pytest.mark.parametrize("n", [4, 5, 6, 7, 8, 9, 12, 13])
def test_sheehan_graphs_have_one_cycle(n: int) -> None:
    graph = graph_of(hard.sheehan(n))
    assert (graph.size, graph.edge_count) == (n, n * n // 4 + 1)
    assert cavalcade.count(graph).count == 1


def test_random_cubic_graphs() -> None:
    for edges in (hard.random_cubic(40, rng()), hard.random_bipartite_cubic(40, rng())):
        assert is_cubic(edges)
        assert set(hard.ring(40)) <= set(edges)
    assert nx.is_bipartite(plain(edges))
    assert hard.random_cubic(40, rng()) == hard.random_cubic(40, rng())


def test_planar_cubic_graphs() -> None:
    for edges in (hard.planar_cubic(60, rng()), hard.barnette(60, rng()), hard.prism(8)):
        assert is_cubic(edges)
        assert nx.is_planar(plain(edges))
        assert nx.node_connectivity(plain(edges)) == 3
    assert graph_of(hard.planar_cubic(60, rng())).size == 60
    assert nx.is_bipartite(plain(hard.barnette(60, rng())))
    assert nx.is_bipartite(plain(hard.prism(8)))
    assert decided(graph_of(hard.barnette(60, rng())))


@pytest.mark.parametrize("name", ["Tutte", "Horton"])
def test_forcing_fragments(name: str) -> None:
    """No Hamiltonian path leads from the second end to the third, but some lead to the first."""
    fragment = hard.TUTTE if name == "Tutte" else hard.horton()
    assert fragment.size == {"Tutte": 15, "Horton": 31}[name]
    for one, two in ((0, 1), (0, 2), (1, 2)):
        closing = [(fragment.ends[one], fragment.size), (fragment.ends[two], fragment.size)]
        assert decided(graph_of([*fragment.edges, *closing])) == (one == 0)


def test_tutte_and_horton_graphs() -> None:
    complete = list(nx.complete_graph(4).edges)
    around = {i: (hard.TUTTE, [0, *(1 + (i + k) % 3 for k in (0, 1))]) for i in (1, 2, 3)}
    assert nx.is_isomorphic(plain(hard.replaced(complete, around)), nx.tutte_graph())
    assert not decided(graph_of(hard.starred(complete, 0, hard.TUTTE)))
    horton = hard.starred(list(nx.complete_bipartite_graph(3, 3).edges), 0, hard.horton())
    graph = plain(horton)
    assert (graph.order(), nx.is_bipartite(graph), nx.node_connectivity(graph)) == (96, True, 3)  # Horton's
    assert (nx.girth(graph), nx.diameter(graph)) == (6, 10)
    assert not decided(graph_of(horton))


def test_gadgets_of_parallel_edges() -> None:
    for n in (3, 4, 5, 6):
        edges = hard.xor_chain(n, odd=n % 2 == 1)
        assert graph_of(edges).size == 13 * n
        assert cavalcade.count(graph_of(edges)).count == (0 if n % 2 else 2)
    assert decided(graph_of(hard.one_in_three(6, 4, rng())))


def test_graphs_out_of_balance() -> None:
    for both in (False, True):
        graph = graph_of(hard.unbalanced(12, rng(), both=both))
        assert not nx.is_bipartite(plain(graph.edges().tolist()))
        assert not decided(graph)
    inflated = hard.inflated(hard.petersen(5, 2), 5, rng())
    assert (graph_of(inflated).size, is_cubic(inflated)) == (50, True)
    assert not decided(graph_of(inflated))


def test_required_edges_are_subdivided() -> None:
    edges = hard.subdivided(hard.random_cubic(20, rng()), hard.ring(20)[:7])
    assert np.bincount(graph_of(edges).degrees).tolist() == [0, 0, 7, 20]
    assert decided(graph_of(hard.knights(6, 0.4, rng())))


def test_every_sample_can_be_made() -> None:
    """The first two of every family; those that are known have what is said of them."""
    for family in hard.FAMILIES:
        for one, _ in zip(hard.sample(family), range(2), strict=False):
            assert 60 <= one.graph.size <= 450
            if one.graph.size < 100 and one.hamiltonian is not None:
                assert decided(one.graph) == one.hamiltonian, (family, one.name)


# ---- the engines, against brute force


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """A small graph of low degree, often cubic, with required and forbidden edges, closed or open."""
    n = draw(st.integers(4, 9))
    seed = draw(st.integers(0, 10**6))
    made = random.Random(seed)
    if draw(st.booleans()):
        edges = hard.random_cubic(2 * (n // 2) + 2, made)
        for _ in range(draw(st.integers(0, 2))):
            vertex = made.randrange(1 + max(map(max, edges)))
            rows = hard.rows_of(edges)
            if len(rows[vertex]) == 3:
                edges = hard.replaced(edges, {vertex: (hard.TRIANGLE, rows[vertex])})
        if draw(st.booleans()):
            edges = hard.without(edges, made.randrange(1 + max(map(max, edges))))
    else:
        pairs = [(a, b) for b in range(n) for a in range(b)]
        edges = made.sample(pairs, min(len(pairs), draw(st.integers(n, 2 * n))))
    graph = MoveGraph.from_edges(edges, max(n, 1 + max(map(max, edges))))
    some = made.sample(edges, draw(st.integers(0, 2)))
    names = [f"{graph.name(a)}-{graph.name(b)}" for a, b in some]
    return Question.of(graph, open=draw(st.booleans()), with_=names[:1], avoid=names[1:])


def judged(question: Question, answer: Any) -> bool | None:
    """An answer, checked: whether there is a tour."""
    if isinstance(answer, Undecided) or answer is None:
        return None
    if isinstance(answer, StepProof):
        certificate = Certificate(question, answer)
        assert verify(certificate), verify(certificate).message
        assert verify(from_json(certificate.to_json()))
        assert sentences(certificate)[-1].startswith(("So there is no", "So no "))
        return False
    assert check(Tour(question.board, answer, question.closed, question.piece))
    cells = [*answer.tolist(), *(answer[:1].tolist() if question.closed else [])]
    made = {frozenset(move) for move in pairwise(cells)}
    assert all(frozenset(move) in made for move in question.required)
    assert not any(frozenset(move) in made for move in question.forbidden)
    return True


@given(questions())
@settings(max_examples=120, deadline=None)
def test_engines_for_sparse_graphs_against_brute_force(question: Question) -> None:
    truth = is_hamiltonian(question.as_cycle)
    assert judged(question, sweep(question, Budget(), widest=40)) is truth
    for engine in (contraction, apart):
        said = judged(question, engine(question, Budget()))
        assert said is None or said is truth


def test_sweep_gives_up_on_wide_graphs() -> None:
    answer = sweep(Question(graph_of(hard.random_cubic(200, rng()))), Budget())
    assert isinstance(answer, Undecided)
    assert "frontier" in answer.reason
    late = sweep(Question(graph_of(hard.flower(41))), Budget(100_000))
    assert isinstance(late, Undecided)
    assert "states" in late.reason


def test_a_sweep_that_needs_far_more_than_it_has_ends_early() -> None:
    """After a quarter of its work; and it is paid in full, so that the engine is asked again with more."""
    question, whole = Question(graph_of(hard.petersen(401, 2))), Budget()
    assert judged(question, sweep(question, whole)) is False
    for share, early in ((0.1, True), (0.9, False)):
        budget = Budget(share * whole.spent)
        stopped = sweep(question, budget)
        assert isinstance(stopped, Undecided)
        states = int(re.sub(r"\D", "", stopped.reason))
        assert (STATE * states < 0.4 * budget.work) is early
        assert budget.over


def test_a_bridge_of_a_large_graph_is_seen() -> None:
    one, other = hard.random_cubic(3_000, rng()), hard.random_cubic(3_000, random.Random(8))
    bridged = [*one, (0, 3_000), *((a + 3_000, b + 3_000) for a, b in other)]
    verdict = cavalcade.prove(graph_of(bridged))
    assert isinstance(verdict, Impossible)
    assert verdict.method == "reasons"


def test_long_narrow_graphs_are_decided() -> None:
    for edges, truth in (
        (hard.petersen(401, 2), False), (hard.flower(101), False), (hard.petersen(201, 2), True),
        (hard.xor_chain(31, odd=True), False), (hard.xor_chain(32, odd=False), True),
    ):  # fmt: skip
        question = Question(graph_of(edges))
        assert judged(question, sweep(question, Budget())) is truth


def test_contraction_that_wants_more_work_says_so() -> None:
    """Its budget is over then, so that it is asked again: the work of one piece alone may have run out."""
    question = Question(graph_of(hard.unbalanced(40, rng(), both=False)))
    found = []
    for power in range(4, 26):
        budget = Budget(2**power)
        found.append(contraction(question, budget) is not None)
        assert found[-1] or budget.over
    assert found[-1]
    assert not found[0]


def test_contraction_finds_what_lies_behind_cuts() -> None:
    """Petersen's graph with random cubic graphs for its vertices; and a Hamiltonian graph with it inside."""
    inflated = Question(graph_of(hard.inflated(hard.petersen(5, 2), 41, rng())))
    assert judged(inflated, contraction(inflated, Budget())) is False
    base = hard.random_cubic(40, rng())
    inside = hard.without(hard.petersen(5, 2), 9)
    ends = [v for v, row in enumerate(hard.rows_of(inside)) if len(row) == 2]
    rows = hard.rows_of(base)
    hidden = hard.replaced(base, {7: (hard.Fragment(9, inside, tuple(ends)), rows[7])})
    assert decided(graph_of(base))
    question = Question(graph_of(hidden))
    answer = contraction(question, Budget())
    assert judged(question, answer) is False
    assert isinstance(answer, StepProof)
    assert answer.steps[0].rule == "contract"


def sets_behind_four(graph: nx.Graph) -> Iterator[tuple[set[int], list[tuple[int, int]]]]:
    """All sets that four edges with eight ends leave, with these edges, from inside to outside.

    Nothing in the sets hangs on none of the edges.
    """
    vertices = list(graph)
    for size in range(4, len(vertices) - 3):
        for one in map(set, combinations(vertices, size)):
            moves = [(a, b) for a in one for b in graph[a] if b not in one]
            if len(moves) == 4 and len({end for move in moves for end in move}) == 8:
                inside = graph.subgraph(one)
                if all(any(nx.has_path(inside, a, v) for a, _ in moves) for v in one):
                    yield one, moves


def test_whatever_is_taken_apart_has_no_hamiltonian_cycle() -> None:
    """At all four edges with eight ends, in all ways, of random graphs.

    The two graphs are put together here once more, from the words of the rule.
    """
    made, said = rng(), Counter[tuple[bool, bool]]()
    for _ in range(50):
        question = Question(dot_product(made))
        truth, graph = is_hamiltonian(question.as_cycle), nx.empty_graph(question.as_cycle.size)
        graph.add_edges_from(question.as_cycle.edges().tolist())
        for one, moves in sets_behind_four(graph):
            for pairing in ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)):
                (a, p), (b, q), (c, r), (d, s) = (moves[i] for i in pairing)
                with_two = nx.Graph(graph.subgraph(one))
                with_two.add_edges_from([(p, a), (p, b), (p, r), (r, c), (r, d)])
                outside = nx.Graph(graph.subgraph(set(graph) - one))
                outside.add_edges_from([(p, q), (r, s)])
                present, step = PresentGraph(question, str), Step("apart", (a, p, b, q, c, r, d, s))
                RULES[step.rule].check(present, subject(step))
                found = [(present.count, present.edges.tolist()) for _ in cases(step, present)]
                found.append((present.count, present.edges.tolist()))
                wanted = [(len(part), sorted(map(sorted, part.edges))) for part in (with_two, outside)]
                assert found == sorted(wanted, key=lambda part: part[0])
                neither = not any(map(has_cycle, (with_two, outside)))
                said[neither, truth] += 1
    assert not said[True, True]
    assert min(said[True, False], said[False, True], said[False, False]) > 30, said


def has_cycle(graph: nx.Graph) -> bool:
    """Whether a graph of networkx has a Hamiltonian cycle."""
    plain_ = nx.convert_node_labels_to_integers(graph)
    return is_hamiltonian(MoveGraph.from_edges(list(plain_.edges), len(plain_)))


def test_a_graph_with_a_hamiltonian_cycle_is_not_taken_apart() -> None:
    """The steps of a right proof, about its graph with one edge more that gives it a cycle."""
    refused = 0
    for one in islice(proved_by("apart", 5), 30):
        graph = one.question.as_cycle
        edges = [tuple(edge) for edge in graph.edges().tolist()]
        for edge in set(combinations(range(graph.size), 2)) - set(edges):
            more = Question(MoveGraph.from_edges([*edges, edge], graph.size))
            if is_hamiltonian(more.as_cycle):
                assert not verify(Certificate(more, one.proof))
                refused += 1
    assert refused > 10


def test_chains_of_snarks_are_taken_apart() -> None:
    """Dot products in all orders: of Petersen's graph, of flowers, and of Blanuša's snarks."""
    petersen, flower, made = hard.petersen(5, 2), hard.flower(5), rng()
    blanusa = hard.dot_product(petersen, petersen, made)
    for first, factor, many in (
        (petersen, petersen, 12), (flower, flower, 6), (flower, petersen, 6), (petersen, blanusa, 6),
    ):  # fmt: skip
        edges = first
        for _ in range(many):
            edges = hard.dot_product(edges, factor, made)
        question = Question(graph_of(edges))
        answer = apart(question, Budget())
        assert judged(question, answer) is False
        assert isinstance(answer, StepProof)
        assert len(answer.steps) > many
        assert apart(question, Budget(100_000)) is None
    chain = next(one for one in hard.sample("snarks") if "chain" in one.name)
    verdict = cavalcade.tour(chain.graph, time_limit=60)
    assert isinstance(verdict, Impossible)
    assert verdict.method == "apart"
    assert verdict.certificate is not None
    assert verdict.certificate.reason == "chain"
    assert "<svg" in verdict.certificate.svg()


def test_engines_by_name() -> None:
    snark = graph_of(hard.flower(7))
    verdict = cavalcade.prove(snark, engine="sweep")
    assert isinstance(verdict, Impossible)
    assert verdict.certificate is not None
    assert verdict.certificate.reason == "sweep"
    torn = graph_of(hard.unbalanced(30, rng(), both=True))
    verdict = cavalcade.tour(torn, engine="contract")
    assert isinstance(verdict, Impossible)
    assert verdict.certificate is not None
    assert "<svg" in verdict.certificate.svg()


def test_sat_without_joins_in_sparse_graphs() -> None:
    cubic = hard.random_cubic(60, rng())
    for edges in (cubic, hard.subdivided(cubic, hard.ring(60)[::4])):
        question = Question(graph_of(edges))
        assert judged(question, next(sat(question, Budget()))) is True
