"""The rule `linear` and the engine that finds its proofs, compared with plain enumeration."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import Any

import networkx as nx
import pytest

import cavalcade
from cavalcade import Impossible, MoveGraph, Question
from cavalcade.answers.certificate import Certificate, Step, StepProof, Term, from_json
from cavalcade.ask.policy import turns
from cavalcade.boards.notation import parse_board
from cavalcade.checking.certificates import verify
from cavalcade.explaining.sentences import sentences
from cavalcade.ground.budget import Budget
from cavalcade.ground.errors import FormatError
from cavalcade.refute.linear import linear
from cavalcade.refute.reasons import reasons

Arc = tuple[int, int]


def is_hamiltonian(n: int, arcs: set[Arc]) -> bool:
    """Return whether a digraph has a Hamiltonian cycle, by trying every path from vertex 0."""

    def can_close(path: list[int]) -> bool:
        if len(path) == n:
            return (path[-1], 0) in arcs
        return any(can_close([*path, b]) for b in range(1, n) if b not in path and (path[-1], b) in arcs)

    return can_close([0])


def random_question(rng: random.Random) -> tuple[int, set[Arc], Question]:
    """Return a sparse random graph or digraph of 5 to 9 vertices, its arcs, and the question about it."""
    while True:
        n, directed = rng.randint(5, 9), rng.random() < 0.5
        pairs = list(itertools.permutations(range(n), 2) if directed else itertools.combinations(range(n), 2))
        edges = rng.sample(pairs, min(len(pairs), round(rng.uniform(1.1, 1.9 if directed else 1.6) * n)))
        arcs = {*edges} if directed else {*edges, *((b, a) for a, b in edges)}
        min_degree = 1 if directed else 2
        if all(sum(a == c for a, _ in arcs) >= min_degree <= sum(b == c for _, b in arcs) for c in range(n)):
            return n, arcs, Question(MoveGraph.from_edges(edges, n, directed=directed))


def proofs_hold(rng: random.Random, number: int) -> tuple[int, int, int]:
    """Count random graphs that the engine refutes, that have no tour, and that have one; check each proof."""
    refuted = without = hamiltonian = 0
    for _ in range(number):
        n, arcs, question = random_question(rng)
        proof, has_tour = linear(question, Budget()), is_hamiltonian(n, arcs)
        hamiltonian += has_tour
        without += not has_tour
        if proof is None:
            continue
        refuted += 1
        assert not has_tour, (n, arcs)
        certificate = Certificate(question, proof)
        assert verify(from_json(certificate.to_json()))
        assert not verify(replace(certificate, question=with_a_tour(question, n, arcs, rng)))
    return refuted, without, hamiltonian


def with_a_tour(question: Question, n: int, arcs: set[Arc], rng: random.Random) -> Question:
    """Add random edges to a graph until it has a tour."""
    assert isinstance(question.board, MoveGraph)
    directed = question.board.directed
    edges = [(a, b) for a, b in question.board.edges().tolist()]
    pairs = itertools.permutations(range(n), 2) if directed else itertools.combinations(range(n), 2)
    missing = [pair for pair in pairs if pair not in arcs]
    rng.shuffle(missing)
    arcs = set(arcs)
    while not is_hamiltonian(n, arcs):
        a, b = missing.pop()
        edges.append((a, b))
        arcs |= {(a, b)} if directed else {(a, b), (b, a)}
    return Question(MoveGraph.from_edges(edges, n, directed=directed))


def test_a_graph_that_is_refuted_has_no_tour() -> None:
    refuted, without, hamiltonian = proofs_hold(random.Random(1954), 300)
    assert refuted > 0.8 * without > 50
    assert hamiltonian > 50


def test_a_sum_proves_what_other_rules_prove() -> None:
    """All rules except parity, signs and cases are consequences of the linear program."""
    rng = random.Random(3)
    seen: Counter[str] = Counter()
    boards = (
        Question(parse_board(f"{m}x{n}-{','.join(rng.sample(names_of(m, n), 1 + k))}"), closed=closed)
        for m, n, k, closed in itertools.product(range(3, 6), range(3, 7), range(2), (True, False))
    )
    for question in itertools.chain((random_question(rng)[2] for _ in range(200)), boards):
        proof = reasons(question, Budget(), cases=0)
        if isinstance(proof, StepProof) and not {"parity", "sign"} & {step.rule for step in proof.steps}:
            assert linear(question, Budget()) is not None
            seen.update(step.rule for step in proof.steps)
    assert set(seen) >= {"hall", "forced", "cut", "cycle", "three", "reach", "degree", "colours", "saturated"}


def names_of(m: int, n: int) -> list[str]:
    """Return the names of the cells of a rectangle."""
    return [f"{'abcdefgh'[i]}{j}" for i in range(n) for j in range(1, m + 1)]


@pytest.mark.slow
def test_ten_thousand_graphs_and_digraphs() -> None:
    refuted, without, hamiltonian = proofs_hold(random.Random(2), 10_000)
    assert refuted > 0.8 * without > 2_000
    assert hamiltonian > 2_000


@pytest.mark.parametrize(
    ("board", "words", "max_terms"),
    [
        ("3x4", {}, 4),
        ("3x6", {}, 8),
        ("3x8", {}, 15),
        ("4x4", {}, 8),
        ("4x12", {}, 24),
        ("5x5", {}, 25),
        ("3x5", {"open": True}, 12),
        ("4x4", {"open": True}, 11),
        ("8x8", {"piece": "zebra"}, 4),
        ("hex:3", {}, 1),
    ],
)
def test_boards_that_one_step_refutes(board: str, words: dict[str, Any], max_terms: int) -> None:
    verdict = cavalcade.prove(board, engine="linear", **words)
    assert isinstance(verdict, Impossible)
    assert verdict.certificate is not None
    proof = verdict.certificate.proof
    assert isinstance(proof, StepProof)
    assert len(proof.steps) == 1
    assert len(proof.steps[0].terms) <= max_terms
    assert "add up to only" in sentences(verdict.certificate)[-2]


def test_the_sentence_states_the_sum() -> None:
    """Two triangles are joined by one path, which a tour would have to use twice."""
    edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 6), (6, 4)]
    terms = (Term(-1, (3,)), Term(1, (2,)), Term(2, (0, 1, 2)), Term(1, (4, 5, 6)))
    proof = StepProof((Step("linear", terms=terms),))
    certificate = Certificate(Question(MoveGraph.from_edges(edges)), proof)
    assert verify(certificate)
    assert sentences(certificate)[0] == (
        "Give these numbers: 1 to 3; -1 to 4; 2 to the set of 3 vertices 1, 2 and 3; 1 to the set of 3 "
        "vertices 5, 6 and 7. The value of an edge is the sum of the numbers of its two ends and of the "
        "sets that it leaves. A Hamiltonian cycle uses two edges at every vertex, and leaves every set at "
        "least twice, so the values of its edges add up to at least 6. But all edges of positive value add "
        "up to only 4."
    )


@pytest.mark.parametrize("number", [True, 1.5, "1", None])
def test_a_number_in_a_certificate_is_whole(number: object) -> None:
    verdict = cavalcade.prove("3x4", engine="linear")
    assert isinstance(verdict, Impossible)
    assert verdict.certificate is not None
    text = verdict.certificate.to_dict()
    text["steps"][0]["terms"][0]["number"] = number
    with pytest.raises(FormatError, match=r"'number' is .*, expected a whole number"):
        from_json(json.dumps(text))


def test_parts_behind_few_vertices_have_an_early_turn() -> None:
    """Nine complete graphs behind eight vertices, which have no more neighbours than the others."""
    graph = nx.disjoint_union_all([nx.complete_graph(9)] * 9)
    rng = random.Random(1)
    for part in range(9):
        for vertex in {81 + part % 8, *rng.sample(range(81, 89), 2)}:
            graph.add_edge(vertex, 9 * part + rng.randrange(9))
    assert nx.is_connected(graph)
    assert nx.number_connected_components(graph.subgraph(range(81))) > 8
    verdict = cavalcade.hamiltonian_cycle(graph)
    assert isinstance(verdict, Impossible)
    assert verdict.certificate is not None
    assert verify(verdict.certificate)
    question = Question.of(MoveGraph.of(graph))
    early = [turn for turn in islice(turns(question, set()), 8) if turn.engine == "linear"]
    proof = linear(question, Budget(early[0].work))
    assert isinstance(proof, StepProof)
    assert verify(Certificate(question, proof))
