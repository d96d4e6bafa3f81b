"""Tours of least weight: against brute force, printed optima and another program; and their proofs."""

from __future__ import annotations

import math
import random
import time
from dataclasses import replace
from decimal import Decimal
from itertools import combinations, pairwise, permutations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy import optimize

import cavalcade
from cavalcade import LeastTour, Question, lightest_tours, tsp, verify
from cavalcade.answers.certificate import Certificate, Step, StepProof, Term, flat, from_json
from cavalcade.checking.weights import consequence
from cavalcade.explaining.sentences import sentences
from cavalcade.ground import budget
from cavalcade.ground.budget import Budget
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.statement import WeightLimit
from cavalcade.refute.min_cuts import cut_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from conftest import Ran

    Cli = Callable[..., Ran]

Move = tuple[int, int]

#: The links of an example in SAS/OR's documentation of the TSP statement; the least weight is 16.
SAS_LINKS = """
A B 1 A C 1 A D 1.5 B C 2 B D 4 B E 3 C D 3 C F 3 C H 4 D E 1.5 D F 3 D G 4 E F 1 E G 1 F G 2 F H 4
H I 3 I J 1 C J 5 F J 3 F I 1 H J 1
"""
#: Instances of TSPLIB; its documentation prints the lengths of their shortest tours.
BURMA14 = """
16.47 96.10 16.47 94.44 20.09 92.54 22.39 93.37 25.23 97.24 22.00 96.05 20.47 97.02 17.20 96.29 16.30 97.38
14.05 98.12 16.53 97.38 21.52 95.59 19.41 97.13 20.09 94.55
"""
GR17 = """
0 633 0 257 390 0 91 661 228 0 412 227 169 383 0 150 488 112 120 267 0 80 572 196 77 351 63 0 134
530 154 105 309 34 29 0 259 555 372 175 338 264 232 249 0 505 289 262 476 196 360 444 402 495 0 353
282 110 324 61 208 292 250 352 154 0 324 638 437 240 421 329 297 314 95 578 435 0 70 567 191 27 346
83 47 68 189 439 287 254 0 211 466 74 182 243 105 150 108 326 336 184 391 145 0 268 420 53 239 199
123 207 165 383 240 140 448 202 57 0 246 745 472 237 528 364 332 349 202 685 542 157 289 426 483 0
121 518 142 84 297 35 29 36 236 390 238 301 55 96 153 336 0
"""


def weighted_graph(links: list[str]) -> tuple[MoveGraph, list[Decimal]]:
    """Return the graph of a list of ends and weights, and the weights in the order of its edges."""
    weight = {(a, b): Decimal(w) for a, b, w in zip(links[::3], links[1::3], links[2::3], strict=True)}
    graph = MoveGraph.from_pairs(list(weight), sorted({label for pair in weight for label in pair}))
    named = [(graph.names[a], graph.names[b]) for a, b in graph.pairs()]
    return graph, [weight.get((a, b)) or weight[b, a] for a, b in named]


def complete(matrix: np.ndarray[Any, Any]) -> tuple[MoveGraph, list[int]]:
    """Return the complete graph of a matrix, and its weights."""
    graph = MoveGraph.from_edges([(a, b) for a in range(len(matrix)) for b in range(a)], len(matrix))
    return graph, [int(matrix[a, b]) for a, b in graph.pairs()]


def points_in_the_plane(size: int, seed: int) -> tuple[MoveGraph, list[int]]:
    """Return a complete graph of random points, with distances rounded to integers."""
    points = np.random.default_rng(seed).integers(0, 1000, (size, 2))
    return complete(np.rint(np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))))


def least(board: Any, weights: Any = None, **words: Any) -> LeastTour:
    """Return the least tour, which must be proved."""
    answer = tsp(board, weights, time_limit=60, **words)
    assert isinstance(answer, LeastTour)
    assert answer.exact
    return answer


def certificate_of(board: Any, weights: Any, **words: Any) -> Certificate:
    """Return the certificate of the least tour."""
    certificate = least(board, weights, **words).certificate
    assert certificate is not None
    return certificate


def steps_of(certificate: Certificate) -> tuple[Step, ...]:
    assert isinstance(certificate.proof, StepProof)
    return certificate.proof.steps


# ---- printed optima


def test_the_example_of_sas() -> None:
    graph, weights = weighted_graph(SAS_LINKS.split())
    answer = least(graph, weights)
    assert answer.weight == 16
    assert answer.certificate is not None
    assert ", of weight at most 15.5 by weights:" in answer.certificate.claim


def test_burma14() -> None:
    """Fourteen cities of Burma: 3,323 km, by TSPLIB's definition of distances on the earth."""
    points = np.array(BURMA14.split(), dtype=float).reshape(-1, 2)
    degrees = np.trunc(points)
    latitude, longitude = (3.141592 * (degrees + 5 * (points - degrees) / 3) / 180).T
    q1 = np.cos(longitude[:, None] - longitude[None])
    q2 = np.cos(latitude[:, None] - latitude[None])
    q3 = np.cos(latitude[:, None] + latitude[None])
    matrix = np.trunc(6378.388 * np.arccos(np.clip(0.5 * ((1 + q1) * q2 - (1 - q1) * q3), -1, 1)) + 1)
    assert least(*complete(matrix)).weight == 3323


def test_gr17() -> None:
    matrix = np.zeros((17, 17))
    matrix[np.tril_indices(17)] = list(map(int, GR17.split()))
    assert least(*complete(matrix + matrix.T)).weight == 2085


def test_weights_by_pairs_of_cells() -> None:
    """A mapping has no order that could be mistaken."""
    rows = SAS_LINKS.split()
    weight = {(b, a): float(w) for a, b, w in zip(rows[::3], rows[1::3], rows[2::3], strict=True)}
    assert least(list(weight), weight).weight == 16
    assert least([*reversed(weight)], weight).weight == 16
    tens = {(10, 20): 1, (20, 30): 2, (30, 40): 3, (40, 10): 4, (10, 30): 0, (20, 40): 0}
    assert least(list(tens), tens).weight == 4
    with pytest.raises(CavalcadeError, match="the move B-A has no weight"):
        tsp(list(weight), {("B", "C"): 1})
    with pytest.raises(CavalcadeError, match="'AB' is not a pair of cells"):
        tsp(list(weight), {"AB": 1})  # type: ignore[dict-item]


@pytest.mark.parametrize("directed", [False, True])
def test_the_weights_that_a_graph_carries(*, directed: bool) -> None:
    """Against all permutations, for a graph of each library and as plain data."""
    nx, igraph, rustworkx, sparse = map(
        pytest.importorskip, ("networkx", "igraph", "rustworkx", "scipy.sparse")
    )
    n, rng = 5, random.Random(3)
    matrix = np.array([[rng.randint(2, 99) if a != b else 0 for b in range(n)] for a in range(n)])
    matrix = matrix if directed else np.triu(matrix) + np.triu(matrix).T
    cycles = ([0, *rest, 0] for rest in permutations(range(1, n)))
    weight = min(sum(int(matrix[a, b]) for a, b in pairwise(cycle)) for cycle in cycles)
    pairs = permutations(range(n), 2) if directed else combinations(range(n), 2)
    triples = [(a, b, int(matrix[a, b])) for a, b in pairs]
    graph = (nx.DiGraph if directed else nx.Graph)()
    graph.add_weighted_edges_from(triples)
    rust = (rustworkx.PyDiGraph if directed else rustworkx.PyGraph)()
    rust.add_nodes_from(range(n))
    rust.add_edges_from(triples)
    carriers = (
        graph,
        rust,
        igraph.Graph.TupleList(triples, directed=directed, weights=True),
        sparse.csr_array(matrix),
        matrix,
        matrix.tolist(),
    )
    assert {least(carrier).weight for carrier in carriers} == {weight}
    assert directed or least(triples).weight == weight
    assert least(graph, dict.fromkeys(graph.edges, 1)).weight == n
    assert lightest_tours(graph, number=1).weights == (Decimal(weight),)


def test_no_edge_is_infinitely_long_and_parallel_edges_are_short() -> None:
    """A ring of four cities with a road that is closed, and with a second road."""
    far = float("inf")
    ring = np.array([[0, 0, far, 3], [0, 0, 2, far], [far, 2, 0, 5], [3, far, 5, 0]])
    assert least(ring).weight == 10
    assert least([(0, 1, 4), (1, 2, 4), (2, 0, 4), (1, 0, 1)]).weight == 9


def test_an_avoided_move_has_a_weight_of_its_own() -> None:
    """All weights but that of the avoided move are even; the proof is about the weights of all moves."""
    even = {("a", "b"): 2, ("b", "c"): 4, ("c", "d"): 8, ("d", "a"): 2, ("a", "c"): 5, ("b", "d"): 6}
    assert least(list(even), even, avoid=[("a", "c")]).weight == 16
    assert least(list(even), even).weight == 16


# ---- a second program


def least_by_integer_program(size: int, edges: list[Move], weights: list[int]) -> float:
    """Return the least weight of a closed tour, by integer programs with more and more sets of vertices."""
    from scipy.optimize import LinearConstraint, milp
    from scipy.sparse.csgraph import connected_components

    rows = [[float(v in edge) for edge in edges] for v in range(size)]
    low, high = [2.0] * size, [2.0] * size
    while True:
        limits = LinearConstraint(np.array(rows), low, high)
        optimum = milp(weights, constraints=limits, integrality=np.ones(len(edges)), bounds=(0, 1))
        used = [edge for edge, x in zip(edges, optimum.x, strict=True) if x > 0.5]
        adjacency = np.zeros((size, size))
        adjacency[tuple(np.array(used).T)] = 1
        parts, label = connected_components(adjacency, directed=False)
        if parts == 1:
            return float(optimum.fun)
        for part in range(parts):
            rows.append([float((label[a] == part) != (label[b] == part)) for a, b in edges])
            low.append(2.0)
            high.append(math.inf)


@pytest.mark.parametrize("spec", ["6x6", "8x8", "10x10"])
def test_knights_with_random_weights(spec: str) -> None:
    question, rng = Question.of(spec), random.Random(spec)
    weights = [rng.randint(1, 100) for _ in range(question.graph.edge_count)]
    expected = least_by_integer_program(question.board.size, list(question.graph.pairs()), weights)
    assert least(spec, weights).weight == pytest.approx(expected)


def test_the_heaviest_tour_is_the_lightest_of_negated_weights() -> None:
    rng = random.Random(5)
    weights = [rng.randint(1, 100) for _ in range(Question.of("6x6").graph.edge_count)]
    heaviest = least("6x6", weights, maximize=True)
    assert heaviest.weight == -least("6x6", [-weight for weight in weights]).weight
    assert heaviest.weight == heaviest.bound > least("6x6", weights).weight


# ---- brute force


def small_questions(count: int, seed: int) -> Iterator[tuple[MoveGraph, list[Decimal], dict[str, Any]]]:
    """Yield random graphs and digraphs of 3 to 6 vertices, with weights and constraints."""
    rng = random.Random(seed)
    for _ in range(count):
        n, directed, density = rng.randint(3, 6), rng.random() < 0.4, rng.choice([0.6, 0.8, 1])
        pairs = [(a, b) for a in range(n) for b in range(n) if a != b and (directed or a < b)]
        edges = [pair for pair in pairs if rng.random() < density]
        graph = MoveGraph.from_edges(edges, n, [f"v{i}" for i in range(n)], directed=directed)
        lowest, unit = rng.choice([-20, 0]), rng.choice([1, 1, 10])
        weights = [Decimal(rng.randint(lowest, 30)) / unit for _ in graph.pairs()]
        words: dict[str, Any] = {"open": rng.random() < 0.5}
        ends = rng.sample(range(n), 2)
        if rng.random() < 0.3:
            words["start"] = f"v{ends[0]}"
        if words["open"] and rng.random() < 0.3:
            words["end"] = f"v{ends[1]}"
        draws = {pair: rng.random() for pair in graph.pairs()}
        words["with_"] = [(f"v{a}", f"v{b}") for (a, b), draw in draws.items() if draw < 0.05]
        words["avoid"] = [(f"v{a}", f"v{b}") for (a, b), draw in draws.items() if draw > 0.93]
        yield graph, weights, words


def all_weights(graph: MoveGraph, weights: list[Decimal], words: dict[str, Any]) -> list[Decimal]:
    """Return the weights of all tours in ascending order; a tour and its reverse are one."""
    weight = dict(zip(graph.pairs(), weights, strict=True))
    required, avoided = ({(int(a[1:]), int(b[1:])) for a, b in words[key]} for key in ("with_", "avoid"))
    start, end = (None if words.get(key) is None else int(words[key][1:]) for key in ("start", "end"))
    tours: dict[frozenset[Move], Decimal] = {}
    for order in permutations(range(graph.size)):
        if words["open"] and (start not in {None, order[0]} or end not in {None, order[-1]}):
            continue
        moves = list(pairwise(order if words["open"] else (*order, order[0])))
        if not graph.directed:
            moves = [(min(move), max(move)) for move in moves]
        if required <= set(moves) and all(move in weight and move not in avoided for move in moves):
            tours[frozenset(moves)] = sum((weight[move] for move in moves), Decimal(0))
    return sorted(tours.values())


@pytest.mark.parametrize(
    ("count", "seed"), [(150, 1), pytest.param(2_000, 2, marks=pytest.mark.slow)], ids=["150", "2000"]
)
def test_against_all_permutations(count: int, seed: int) -> None:
    decided = {"impossible": 0, "found": 0}
    for graph, weights, words in small_questions(count, seed):
        expected = min(all_weights(graph, weights, words), default=None)
        answer = tsp(graph, weights, **words)
        if expected is None:
            assert answer.status == "impossible"  # type: ignore[union-attr]
            decided["impossible"] += 1
            continue
        assert isinstance(answer, LeastTour)
        assert (answer.weight, answer.bound) == (expected, expected)
        decided["found"] += 1
    assert min(decided.values()) > count / 10


def test_minimum_cuts_against_networkx() -> None:
    """Between any two vertices, one of the cuts of the tree has the value of a minimum cut."""
    nx = pytest.importorskip("networkx")
    rng = random.Random(3)
    for _ in range(60):
        n = rng.randint(2, 8)
        edges = [(a, b) for a in range(n) for b in range(a) if rng.random() < 0.5] or [(0, 1)]
        capacity = np.array([rng.randint(1, 9) for _ in edges])
        sides, values = cut_tree(n, np.array(edges), capacity, Budget())
        network = nx.Graph()
        network.add_nodes_from(range(n))
        for (a, b), amount in zip(edges, capacity.tolist(), strict=True):
            network.add_edge(a, b, capacity=amount)
        for side, value in zip(sides, values, strict=True):
            assert capacity[side[np.array(edges)].sum(axis=1) == 1].sum() == value
        for a in range(n):
            for b in range(a):
                assert min(values[sides[:, a] != sides[:, b]]) == nx.minimum_cut_value(network, a, b)


# ---- certificates


def damaged(certificate: Certificate) -> Iterator[Certificate]:
    """Yield certificates with a higher limit, other weights, or other numbers, sets and odd moves."""
    proof, limit = certificate.proof, certificate.weight_limit
    assert isinstance(proof, StepProof)
    assert limit is not None
    for higher in (1, 5):
        yield replace(certificate, proof=replace(proof, limit=replace(limit, most=limit.most + higher)))
    lighter = tuple(weight - 1 for weight in limit.weights)
    yield replace(certificate, proof=replace(proof, limit=replace(limit, weights=lighter)))
    yield replace(certificate, proof=replace(proof, limit=None))

    def changed(step: Step, change: Any) -> Step:
        cases = tuple(tuple(changed(inner, change) for inner in case) for case in step.cases)
        return replace(step, cases=cases, terms=tuple(change(term) for term in step.terms))

    for change in (
        lambda term: term._replace(number=-term.number) if not term.cells else term,
        lambda term: term._replace(odd=term.odd[1:]),
        lambda term: term._replace(odd=(*term.odd, *term.odd[:2])),
        lambda term: term._replace(cells=term.cells[1:]) if len(term.cells) > 1 else term,
        lambda term: term._replace(number=-term.number) if len(term.cells) > 1 else term,
    ):
        steps = tuple(changed(step, change) for step in proof.steps)
        if steps != proof.steps:
            yield replace(certificate, proof=replace(proof, steps=steps))


@pytest.mark.parametrize(("size", "seed"), [(20, 1), (60, 3)])
def test_damaged_proofs_are_refused(size: int, seed: int) -> None:
    certificate = certificate_of(*points_in_the_plane(size, seed))
    assert verify(certificate)
    variants = list(damaged(certificate))
    assert len(variants) >= 5
    for variant in variants:
        assert not verify(variant), variant.claim


def test_odd_sets_are_used_and_explained() -> None:
    certificate = certificate_of(*points_in_the_plane(60, 3))
    assert any(term.odd for step in flat(steps_of(certificate)) for term in step.terms)
    text = " ".join(sentences(certificate))
    assert "because it leaves the set an even number of times" in text
    assert "minus" in text


#: Two triangles joined by three edges.
PRISM = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (0, 3), (1, 4), (2, 5)]


@pytest.mark.parametrize(
    ("odd", "message"),
    [
        (((0, 3), (1, 4), (2, 5)), ""),
        (((0, 3), (1, 4)), "an odd number"),
        (((0, 3), (1, 4), (1, 4)), "expected different ones"),
        (((0, 3), (1, 4), (0, 1)), "does not leave the set"),
        (((0, 3), (1, 4), (2, 4)), "there is no move"),
    ],
)
def test_the_rule_for_odd_moves(odd: tuple[Move, ...], message: str) -> None:
    """A closed tour of a prism uses two of the three edges between the triangles, not three."""
    graph = MoveGraph.from_edges(PRISM)
    weights = tuple(Decimal(-1 if a < 3 <= b else 0) for a, b in graph.pairs())
    proof = StepProof((Step("linear", terms=(Term(1, (0, 1, 2), odd), Term(-1, ()))),))
    limit = WeightLimit(Decimal(-3), weights)
    verdict = verify(Certificate(Question(graph), replace(proof, limit=limit)))
    assert bool(verdict) == (not message)
    assert message in verdict.message


def test_certificates_are_written_and_read() -> None:
    rng = random.Random(7)
    weights = [Decimal(rng.randint(1, 1000)) / 10 for _ in range(Question.of("5x6").graph.edge_count)]
    certificate = certificate_of("5x6", weights, open=True)
    text = certificate.to_json()
    assert from_json(text) == certificate
    first = f'"{weights[0]}"'
    for wrong in (
        text.replace(first, '"0.1"', 1),
        text.replace(f"{first}, ", "", 1),
        text.replace(first, "7", 1),
    ):
        with pytest.raises(CavalcadeError, match="not a certificate"):
            from_json(wrong)


# ---- the command


def test_the_command_writes_a_proof(cli: Cli, tmp_path: Path) -> None:
    words = SAS_LINKS.split()
    rows = zip(words[::3], words[1::3], words[2::3], strict=True)
    links = tmp_path / "links.csv"
    links.write_text("".join(["from,to,weight\n", *(f"{','.join(row)}\n" for row in rows)]))
    ran = cli("tsp", links, "--proof", tmp_path / "least.proof")
    assert (ran.code, "weight 16.0: the least, certified" in ran.err) == (0, True)
    checked = cli("check", tmp_path / "least.proof")
    assert (checked.code, "of weight at most 15.5" in checked.out) == (0, True)
    claim = checked.out.split(": ")[0]
    assert cli("check", tmp_path / "least.proof", "--claims", claim).code == 0
    other = claim.replace("at most 15.5", "at most 16")
    assert cli("check", tmp_path / "least.proof", "--claims", other).code == 1
    assert cli("draw", tmp_path / "least.proof", "-o", tmp_path / "least.svg").code == 0
    assert cli("tsp", links, "--from", "A", "--open", "--json").code == 0
    assert cli("tsp", links, "--at", "3=B").code == 2


def test_check_compares_the_links_and_weights(cli: Cli, tmp_path: Path) -> None:
    """The same file in another order agrees; another weight, another node and a board do not."""
    rows = list(zip(*[iter(SAS_LINKS.split())] * 3, strict=True))

    def written(name: str, rows: list[tuple[str, ...]]) -> Path:
        (tmp_path / name).write_text("from,to,weight\n" + "".join(f"{','.join(row)}\n" for row in rows))
        return tmp_path / name

    links, proof = written("links.csv", rows), tmp_path / "least.proof"
    assert cli("tsp", links, "--proof", proof).code == 0
    agreed = cli("check", proof, "--board", written("turned.csv", [(b, a, w) for a, b, w in rows[::-1]]))
    assert (agreed.code, "the links and weights are those of" in agreed.out) == (0, True)
    assert "multiple of 0.5, so a tour of more than 15.5 weighs at least 16" in agreed.out
    for changed, message in (
        ([*rows[:-1], ("H", "J", "1.5")], "which has other weights: weights:"),
        ([*rows[:-1], ("H", "K", "1")], "which has other nodes or links"),
        (rows[:-1], "which has other nodes or links"),
    ):
        differs = cli("check", proof, "--board", written("changed.csv", changed))
        assert (differs.code, message in differs.out) == (1, True)
        assert "those of" not in differs.out
    (tmp_path / "board.txt").write_text("....\n....\n....\n....\n")
    assert cli("check", proof, "--board", tmp_path / "board.txt").code == 2
    heaviest = tmp_path / "heaviest.proof"
    assert cli("tsp", links, "--maximize", "--proof", heaviest).code == 0
    assert cli("check", heaviest, "--board", links).code == 0


@pytest.mark.parametrize(
    ("weights", "most", "bound"), [("2 4 6", "9", "10"), ("2 4 6", "10", "12"), ("0.5 1 2.5", "-1.2", "-1")]
)
def test_what_follows_from_a_limit(weights: str, most: str, bound: str) -> None:
    """The least multiple of the divisor that exceeds the limit."""
    limit = WeightLimit(Decimal(most), tuple(map(Decimal, weights.split())))
    assert consequence(limit).endswith(f"a tour of more than {most} weighs at least {bound}")


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("5x6", {}),
        ("5x5", {"open": True}),
        ("8x8", {"open": True, "start": "a1"}),
        ("8x8", {"open": True, "start": "a1", "end": "h7"}),
        ("6x6", {"with_": [("a1", "b3"), ("d4", "e6")], "avoid": [("c1", "d3")]}),
        ("6x6", {"moves": "clockwise"}),
    ],
)
def test_equal_weights_have_a_proof(spec: str, words: dict[str, Any]) -> None:
    """The number of moves, added up, is a proof; a limit that a tour keeps to has none."""
    answer = least(spec, None, **words)
    certificate = answer.certificate
    assert certificate is not None
    assert answer.parts == 0
    assert certificate.weight_limit is not None
    assert certificate.weight_limit.most == answer.weight - 1
    raised = replace(certificate.weight_limit, most=answer.weight)
    assert isinstance(certificate.proof, StepProof)
    assert not verify(replace(certificate, proof=replace(certificate.proof, limit=raised)))


def test_optgraph_takes_weights_and_options(cli: Cli, tmp_path: Path) -> None:
    """Weights of a file count; options limit the search, are ignored by name, or are refused."""
    rows = zip(*[iter(SAS_LINKS.split())] * 3, strict=True)
    links = tmp_path / "links.csv"
    links.write_text("from,to,weight\n" + "".join(f"{','.join(row)}\n" for row in rows))
    printed = cli("optgraph", links, "--tsp", "MAXTIME=60 heuristics=none").out
    assert "Objective Value        16\n" in printed.replace("16.0", "16")
    assert len([line for line in printed.splitlines() if line.startswith("  ")]) == 19
    assert "ignored: HEURISTICS" in cli("optgraph", "5x6", "--tsp", "heuristics=none").err
    for wrong in ("foo=3", "maxtime", "maxnodes=-1", "relobjgap=x"):
        assert cli("optgraph", "5x6", "--tsp", wrong).code == 2
    graph, weights = points_in_the_plane(40, 3)
    assert cavalcade.optgraph(graph, weights, options="maxnodes=0").status == "Best found"
    assert cavalcade.optgraph(graph, weights, options="absobjgap=100000", time_limit=60).parts <= 1
    assert cavalcade.optgraph(graph, weights, time_limit=60).status == "Optimal"


def test_directed_links_and_other_formats(cli: Cli, tmp_path: Path) -> None:
    """Each arc has its own weight; a format whose weights are not read says so."""
    (tmp_path / "arcs.csv").write_text("from,to,weight\nA,B,1\nB,C,1\nC,A,1\nB,A,5\nA,C,5\nC,B,5\n")
    assert "weight 3: the least" in cli("tsp", tmp_path / "arcs.csv", "--directed").err
    (tmp_path / "u.tgf").write_text("A\nB\nC\n#\nA B road\nB C rail\nC A sea\n")
    assert "every edge has weight 1" in cli("tsp", tmp_path / "u.tgf").err


METIS_MANUAL = """% Figure 2(b) of the manual of METIS 5.1
7 11 001
5 1 3 2 2 1
1 1 3 2 4 1
5 3 4 2 2 2 1 2
2 1 3 2 6 2 7 5
1 1 3 3 6 2
5 2 4 2 7 6
6 6 4 5
"""


@pytest.mark.parametrize(
    ("name", "text", "weights"),
    [
        ("a.metis", METIS_MANUAL, "1 2 1 2 1 2 3 2 5 2 6"),
        ("a.metis", METIS_MANUAL.replace("5 1 3 2", "5 9 3 2"), "the edge 1-5 has the weights 9 and 1"),
        ("a.metis", "3 3 011 1\n7 2 5 3 6\n7 1 5 3 7\n7 1 6 2 7\n", "5 6 7"),
        ("a.net", "*Vertices 3\n*Edges\n1 2 2.5\n2 3 -1\n*Edges :2\n1 3 4\n", "2.5 4 -1"),
        ("a.net", "*Vertices 3\n*Arcs\n1 2 5\n*Edges\n2 3 1\n1 3 2\n", "5 2 1 2 1"),
        ("a.net", "*Vertices 3\n*Matrix\n0 1 2\n3 0 4\n5 6 0\n", "1 2 3 4 5 6"),
        ("a.net", "*Vertices 3\n*Edges\n1 2 5\n2 3\n1 3 2\n", "the edge 2-3 has no weight, but other edges"),
        ("a.net", "*Vertices 3\n*Edgeslist\n1 2 3\n2 3\n", "None"),
        ("a.dot", "graph { A -- B [weight=5]; B -- C [weight=6]; C -- A [weight=7]; }", "5 7 6"),
        (
            "a.dot",
            "digraph { edge [weight=2]; a -> b -> c [weight=3]; { edge [weight=4]; c -> a } b -> a }",
            "3 2 3 4",
        ),
        (
            "a.dot",
            'graph { edge [color=red] a -- b [label=x, weight="2.5"][weight=-1]; b -- c }',
            "the edge b-c has no",
        ),
        ("a.dot", "graph { a -- b [weight=heavy] }", "'heavy' is not a weight"),
        ("a.dot", "graph { a -- b -- c -- a }", "None"),
    ],
)
def test_weights_in_files_of_graphs(name: str, text: str, weights: str, tmp_path: Path) -> None:
    """Weights of METIS, Pajek and DOT, in the order of the edges."""
    (tmp_path / name).write_text(text)
    assert weights in weights_read(tmp_path / name)


def weights_read(path: Path) -> str:
    """Return the weights in a file as text, or the error."""
    try:
        numbers = cavalcade.formats.read_weights(path, cavalcade.formats.read_graph(path))
    except cavalcade.CavalcadeError as error:
        return str(error)
    return "None" if numbers is None else " ".join(map(str, numbers))


def test_an_early_end_keeps_the_tour_and_the_bound() -> None:
    graph, weights = points_in_the_plane(150, 1)
    reports: list[tuple[Decimal, Decimal]] = []
    answer = tsp(graph, weights, time_limit=3, progress=lambda *values: reports.append(values))
    assert isinstance(answer, LeastTour)
    assert cavalcade.check(answer.tour)
    assert answer.bound <= answer.weight
    assert answer.exact or answer.certificate is None
    assert reports == sorted(reports, key=lambda report: report[1])


def test_a_slow_machine_gives_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that advances by half a minute in each program ends no program, unless it ends the search."""
    rng = random.Random(20)
    weights = [rng.randint(1, 100) for _ in range(Question.of("20x20").graph.edge_count)]

    def outcome() -> tuple[Any, ...]:
        answer = tsp("20x20", weights, time_limit=100_000, max_parts=2)
        assert isinstance(answer, LeastTour)
        return answer.tour.cells.tolist(), answer.bound, answer.parts, answer.iterations

    first = outcome()
    assert outcome() == first
    late, calls, clock = [0.0], list[str](), time.perf_counter
    monkeypatch.setattr(time, "perf_counter", lambda: clock() + late[0])

    def slowed(name: str) -> Callable[..., Any]:
        solve = getattr(optimize, name)

        def solver(*args: Any, **words: Any) -> Any:
            calls.append(name)
            assert words["options"]["time_limit"] >= 0.99 * budget.seconds_left()
            late[0] += 30
            return solve(*args, **words)

        return solver

    for name in ("milp", "linprog"):
        monkeypatch.setattr(optimize, name, slowed(name))
    assert outcome() == first
    assert set(calls) == {"milp", "linprog"}


# ---- the k lightest tours


def test_the_lightest_tours_against_all_permutations() -> None:
    several = 0
    for graph, weights, words in small_questions(20, 7):
        expected = all_weights(graph, weights, words)
        ours = cavalcade.lightest_tours(graph, weights, number=5, time_limit=60, **words)
        assert ours.complete
        assert list(ours.weights) == expected[:5]
        distinct = {tour.tour.cells.tobytes() for tour in ours.tours}
        assert len(distinct) == len(ours.tours)
        several += len(expected) > 2
    assert several > 5


def test_the_heaviest_tours_and_an_early_end() -> None:
    weights = [random.Random(4).randint(1, 100) for _ in range(10)]
    graph = MoveGraph.from_edges([(a, b) for a in range(5) for b in range(a)], 5)
    words: dict[str, Any] = {"open": False, "with_": [], "avoid": []}
    expected = all_weights(graph, [Decimal(weight) for weight in weights], words)
    assert list(cavalcade.lightest_tours(graph, weights, number=20, time_limit=60).weights) == expected
    heaviest = cavalcade.lightest_tours(graph, weights, number=3, maximize=True, time_limit=60)
    assert list(heaviest.weights) == expected[::-1][:3]
    ended = cavalcade.lightest_tours(*points_in_the_plane(60, 1), number=50, time_limit=1)
    assert not ended.complete
    assert all(tour.exact for tour in ended.tours)
    with pytest.raises(CavalcadeError, match="number is 0"):
        cavalcade.lightest_tours("5x6", number=0)


@pytest.mark.parametrize("small", ["0.000001", "999990"])
def test_weights_near_the_limit_have_a_proof(small: str) -> None:
    """The checker adds them up in 64 bits; six digits before and after the point need 40 of them."""
    edges = [("a", "b"), ("b", "c"), ("c", "a"), ("b", "d"), ("d", "a"), ("c", "d")]
    weights = [Decimal(text) for text in (small, "999999", "999995", "999998", "999991", "999994")]
    least = cavalcade.tsp(edges, dict(zip(edges, weights, strict=True)))
    assert isinstance(least, cavalcade.LeastTour)
    assert least.exact
    cost = {frozenset(edge): weight for edge, weight in zip(edges, weights, strict=True)}
    rounds = [["a", *rest, "a"] for rest in permutations("bcd")]
    assert least.weight == min(sum(cost[frozenset(move)] for move in pairwise(cells)) for cells in rounds)


def test_the_command_prints_several_tours(cli: Cli, tmp_path: Path) -> None:
    """A triangle has one tour; a square with diagonals has three."""
    pairs = {"AB": 1, "BC": 2, "CD": 4, "AD": 8, "AC": 16, "BD": 32}
    file = tmp_path / "k4.csv"
    file.write_text("from,to,weight\n" + "".join(f"{ends[0]},{ends[1]},{w}\n" for ends, w in pairs.items()))
    ran = cli("tsp", file, "-n", "2", "--format", "csv")
    assert (ran.code, ran.out.count("step,name")) == (0, 2)
    assert "weights 15, 53: the lightest, counted twice\n" in ran.err
    assert (
        "weights 15, 53, 58: the lightest; there are no others, counted twice"
        in cli("tsp", file, "-n", "9").err
    )
    assert "weights 58: the heaviest, counted twice" in cli("tsp", file, "-n", "1", "--maximize").err
    assert cli("tsp", "4x4", "-n", "2").code == 1
    assert cli("tsp", file, "-n", "2", "--summary").code == 2


def test_a_proof_that_is_not_checked_in_time_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time limit may come between the last bound and its check: the tour stays."""

    def late(_: object) -> None:
        raise TimeoutError("the time limit is reached")

    monkeypatch.setattr("cavalcade.checking.verification.verify", late)
    weights = [3, 5, 8, 9, 4, 7]
    answer = cavalcade.tsp(MoveGraph.from_edges([(a, b) for a in range(4) for b in range(a)], 4), weights)
    assert isinstance(answer, cavalcade.LeastTour)
    assert (answer.certificate, answer.exact, str(answer.verification)) == (None, False, "unchecked")
