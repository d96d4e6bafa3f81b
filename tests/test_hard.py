"""Hard graphs: published properties of their families, and their engines compared with brute force.

The generators come from the benchmark `benchmarks/hard_graphs.py`.
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
    """Return the graph of a generator's edges, which must be distinct."""
    graph = MoveGraph.from_edges(edges)
    assert graph.edge_count == len(edges)
    return graph


def plain(edges: Any) -> nx.Graph:
    """Return the graph of some edges in networkx."""
    return nx.Graph(edges)


def rng() -> random.Random:
    return random.Random(7)


def decided(graph: MoveGraph, *, seconds: float = 60.0) -> bool:
    """Return whether the portfolio finds a Hamiltonian cycle; it must decide."""
    verdict = cavalcade.tour(graph, time_limit=seconds)
    assert not isinstance(verdict, Undecided), verdict.reason
    return isinstance(verdict, Found)


# ---- the generators


def is_cubic(edges: Any) -> bool:
    return bool((graph_of(edges).degrees == 3).all())


@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("n", [9, 10, 11, 12, 17])
def test_generalized_petersen_graphs(n: int, k: int) -> None:
    """Alspach 1983: all are Hamiltonian except GP(n, 2) for n = 5 modulo 6."""
    edges = hard.petersen(n, k)
    graph = graph_of(edges)
    assert (graph.size, is_cubic(edges)) == (2 * n, True)
    assert decided(graph) == (not (k == 2 and n % 6 == 5))


def test_named_generalized_petersen_graphs() -> None:
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
    """Hamiltonian paths lead from the first end to the two others, but not between those two."""
    fragment = hard.TUTTE if name == "Tutte" else hard.horton()
    assert fragment.size == {"Tutte": 15, "Horton": 31}[name]
    for first, second in ((0, 1), (0, 2), (1, 2)):
        closing = [(fragment.ends[first], fragment.size), (fragment.ends[second], fragment.size)]
        assert decided(graph_of([*fragment.edges, *closing])) == (first == 0)


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
    for two_sided in (False, True):
        graph = graph_of(hard.unbalanced(12, rng(), both=two_sided))
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
    """The first two graphs of every family have the stated verdict, if the family states one."""
    for family in hard.FAMILIES:
        for example, _ in zip(hard.sample(family), range(2), strict=False):
            assert 60 <= example.graph.size <= 450
            if example.graph.size < 100 and example.hamiltonian is not None:
                assert decided(example.graph) == example.hamiltonian, (family, example.name)


# ---- the engines and brute force


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """Draw a question about a small sparse graph, often cubic, with required and forbidden edges."""
    n = draw(st.integers(4, 9))
    seed = draw(st.integers(0, 10**6))
    rng_of_case = random.Random(seed)
    if draw(st.booleans()):
        edges = hard.random_cubic(2 * (n // 2) + 2, rng_of_case)
        for _ in range(draw(st.integers(0, 2))):
            vertex = rng_of_case.randrange(1 + max(map(max, edges)))
            rows = hard.rows_of(edges)
            if len(rows[vertex]) == 3:
                edges = hard.replaced(edges, {vertex: (hard.TRIANGLE, rows[vertex])})
        if draw(st.booleans()):
            edges = hard.without(edges, rng_of_case.randrange(1 + max(map(max, edges))))
    else:
        pairs = [(a, b) for b in range(n) for a in range(b)]
        edges = rng_of_case.sample(pairs, min(len(pairs), draw(st.integers(n, 2 * n))))
    graph = MoveGraph.from_edges(edges, max(n, 1 + max(map(max, edges))))
    chosen = rng_of_case.sample(edges, draw(st.integers(0, 2)))
    names = [f"{graph.name(a)}-{graph.name(b)}" for a, b in chosen]
    return Question.of(graph, open=draw(st.booleans()), with_=names[:1], avoid=names[1:])


def judged(question: Question, answer: Any) -> bool | None:
    """Check an answer; return whether it has a tour, or None if it is undecided."""
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
    moves_of_tour = {frozenset(move) for move in pairwise(cells)}
    assert all(frozenset(move) in moves_of_tour for move in question.required)
    assert not any(frozenset(move) in moves_of_tour for move in question.forbidden)
    return True


@given(questions())
@settings(max_examples=120, deadline=None)
def test_engines_for_sparse_graphs_against_brute_force(question: Question) -> None:
    truth = is_hamiltonian(question.as_cycle)
    assert judged(question, sweep(question, Budget(), widest=40)) is truth
    for engine in (contraction, apart):
        verdict = judged(question, engine(question, Budget()))
        assert verdict is None or verdict is truth


def test_sweep_gives_up_on_wide_graphs() -> None:
    answer = sweep(Question(graph_of(hard.random_cubic(200, rng()))), Budget())
    assert isinstance(answer, Undecided)
    assert "frontier" in answer.reason
    late = sweep(Question(graph_of(hard.flower(41))), Budget(100_000))
    assert isinstance(late, Undecided)
    assert "states" in late.reason


def test_a_sweep_far_beyond_its_budget_ends_early() -> None:
    """It ends after a quarter of its work and exhausts its budget, so that it is retried with more."""
    question, unlimited = Question(graph_of(hard.petersen(401, 2))), Budget()
    assert judged(question, sweep(question, unlimited)) is False
    for share, early in ((0.1, True), (0.9, False)):
        budget = Budget(share * unlimited.spent)
        stopped = sweep(question, budget)
        assert isinstance(stopped, Undecided)
        states = int(re.sub(r"\D", "", stopped.reason))
        assert (STATE * states < 0.4 * budget.work) is early
        assert budget.over


def test_a_bridge_of_a_large_graph_is_detected() -> None:
    first, second = hard.random_cubic(3_000, rng()), hard.random_cubic(3_000, random.Random(8))
    bridged = [*first, (0, 3_000), *((a + 3_000, b + 3_000) for a, b in second)]
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


def test_contraction_without_a_result_exhausts_its_budget() -> None:
    """Without a result its budget is over, so that it is retried; a single piece may exhaust the budget."""
    question = Question(graph_of(hard.unbalanced(40, rng(), both=False)))
    finished = []
    for power in range(4, 26):
        budget = Budget(2**power)
        finished.append(contraction(question, budget) is not None)
        assert finished[-1] or budget.over
    assert finished[-1]
    assert not finished[0]


def test_contraction_finds_obstacles_behind_cuts() -> None:
    """Contraction refutes an inflated Petersen graph, and a Hamiltonian graph that hides Petersen's graph."""
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
    """Yield the sets that exactly four edges with eight ends leave, and these edges from inside to outside.

    Every component of a set has an end of one of the edges.
    """
    vertices = list(graph)
    for size in range(4, len(vertices) - 3):
        for chosen in map(set, combinations(vertices, size)):
            moves = [(a, b) for a in chosen for b in graph[a] if b not in chosen]
            if len(moves) == 4 and len({end for move in moves for end in move}) == 8:
                inside = graph.subgraph(chosen)
                if all(any(nx.has_path(inside, a, v) for a, _ in moves) for v in chosen):
                    yield chosen, moves


def test_graphs_that_are_taken_apart_have_no_hamiltonian_cycle() -> None:
    """Check the rule at all cuts of four disjoint edges of random graphs, in all pairings.

    The test builds the two graphs independently, from the definition of the rule.
    """
    generator, counts = rng(), Counter[tuple[bool, bool]]()
    for _ in range(50):
        question = Question(dot_product(generator))
        truth, graph = is_hamiltonian(question.as_cycle), nx.empty_graph(question.as_cycle.size)
        graph.add_edges_from(question.as_cycle.edges().tolist())
        for chosen, moves in sets_behind_four(graph):
            for pairing in ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)):
                (a, p), (b, q), (c, r), (d, s) = (moves[i] for i in pairing)
                with_two = nx.Graph(graph.subgraph(chosen))
                with_two.add_edges_from([(p, a), (p, b), (p, r), (r, c), (r, d)])
                outside = nx.Graph(graph.subgraph(set(graph) - chosen))
                outside.add_edges_from([(p, q), (r, s)])
                present, step = PresentGraph(question, str), Step("apart", (a, p, b, q, c, r, d, s))
                RULES[step.rule].check(present, subject(step))
                parts_found = [(present.count, present.edges.tolist()) for _ in cases(step, present)]
                parts_found.append((present.count, present.edges.tolist()))
                expected = [(len(part), sorted(map(sorted, part.edges))) for part in (with_two, outside)]
                assert parts_found == sorted(expected, key=lambda part: part[0])
                neither = not any(map(has_cycle, (with_two, outside)))
                counts[neither, truth] += 1
    assert not counts[True, True]
    assert min(counts[True, False], counts[False, True], counts[False, False]) > 30, counts


def has_cycle(graph: nx.Graph) -> bool:
    """Return whether a graph of networkx has a Hamiltonian cycle."""
    plain_ = nx.convert_node_labels_to_integers(graph)
    return is_hamiltonian(MoveGraph.from_edges(list(plain_.edges), len(plain_)))


def test_a_graph_with_a_hamiltonian_cycle_is_not_taken_apart() -> None:
    """A proof is refused for its graph plus one edge that makes it Hamiltonian."""
    refused = 0
    for certificate in islice(proved_by("apart", 5), 30):
        graph = certificate.question.as_cycle
        edges = [tuple(edge) for edge in graph.edges().tolist()]
        for edge in set(combinations(range(graph.size), 2)) - set(edges):
            extended = Question(MoveGraph.from_edges([*edges, edge], graph.size))
            if is_hamiltonian(extended.as_cycle):
                assert not verify(Certificate(extended, certificate.proof))
                refused += 1
    assert refused > 10


def test_chains_of_snarks_are_taken_apart() -> None:
    """Refute dot products of Petersen's graph, of flower snarks, and of Blanuša's snarks."""
    petersen, flower, generator = hard.petersen(5, 2), hard.flower(5), rng()
    blanusa = hard.dot_product(petersen, petersen, generator)
    for first, factor, length in (
        (petersen, petersen, 12), (flower, flower, 6), (flower, petersen, 6), (petersen, blanusa, 6),
    ):  # fmt: skip
        edges = first
        for _ in range(length):
            edges = hard.dot_product(edges, factor, generator)
        question = Question(graph_of(edges))
        answer = apart(question, Budget())
        assert judged(question, answer) is False
        assert isinstance(answer, StepProof)
        assert len(answer.steps) > length
        assert apart(question, Budget(100_000)) is None
    chain = next(example for example in hard.sample("snarks") if "chain" in example.name)
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
