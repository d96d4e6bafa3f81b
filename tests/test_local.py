"""Local search and local refutation in balls around the cycles of a cover.

The oracles do not use balls: brute force over choices of moves, and SAT on the whole board.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

import cavalcade
from cavalcade.answers.certificate import Certificate, SatProof, Step, StepProof, from_json
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Impossible
from cavalcade.ask.judging import trimmed
from cavalcade.boards.notation import parse_board
from cavalcade.checking.certificates import verify
from cavalcade.checking.tours import check
from cavalcade.cycles.walking import cycle_of_all
from cavalcade.explaining.sentences import sentences
from cavalcade.find.cycle_cover import cycle_cover
from cavalcade.find.join import stuck_cover
from cavalcade.find.two_factor import two_factor
from cavalcade.formats.cnf import save
from cavalcade.ground.budget import SECOND, Budget, limits
from cavalcade.ground.errors import TooLargeError
from cavalcade.ground.kernels import Tier
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import two_colours
from cavalcade.question.question import Question
from cavalcade.question.statement import AtMost
from cavalcade.refute.annealing import anneal
from cavalcade.refute.local import StuckCover, local
from cavalcade.refute.sat import sat, sat_alone
from strategies import edge_lists, positions

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
from hard_graphs import barnette, random_cubic
from holes import holes, moves

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


def blind_alley(n: int) -> MoveGraph:
    """Return Petersen's graph without a vertex, whose three neighbours lead into a ladder of n vertices.

    A tour would enter and leave the vertices 0 to 8 once and visit all nine in between. Then Petersen's graph
    would have a tour, too, which it has not.
    """
    ring = [(i, (i + 1) % 5) for i in range(5)]
    star = [(i + 5, (i + 2) % 5 + 5) for i in range(5)]
    petersen = [*ring, *((i, i + 5) for i in range(5)), *star]
    inside = [(a, b) for a, b in petersen if 9 not in (a, b)]
    doors = [a if b == 9 else b for a, b in petersen if 9 in (a, b)]
    ladder = [(a, b) for a in range(9, 9 + n) for b in (a + 1, a + 2, a + 3) if b < 9 + n]
    return MoveGraph.from_edges([*inside, *ladder, *((door, 9 + k) for k, door in enumerate(doors))])


def can_be_passed(graph: MoveGraph, cells: Iterable[int]) -> bool:
    """Return whether a choice of edges gives each of the cells two, and closes no cycle among them."""
    inner_cells = sorted(set(cells))
    touched = [(a, b) for a, b in graph.edges().tolist() if a in inner_cells or b in inner_cells]

    def go(k: int, chosen: list[tuple[int, int]]) -> bool:
        if k == len(inner_cells):
            return not any(is_cycle(part) for part in parts(chosen))
        mine = [edge for edge in touched if inner_cells[k] in edge]
        old = [edge for edge in mine if edge in chosen]
        new = [edge for edge in mine if edge not in chosen and not set(edge) & set(inner_cells[:k])]
        if len(old) > 2:
            return False
        return any(go(k + 1, [*chosen, *new_edges]) for new_edges in combinations(new, 2 - len(old)))

    def parts(chosen: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
        paths: list[list[tuple[int, int]]] = []
        for edge in chosen:  # paths are joined at inner cells only
            touching = [
                path
                for path in paths
                if any(set(edge) & set(path_edge) & set(inner_cells) for path_edge in path)
            ]
            paths = [path for path in paths if path not in touching] + [
                [edge, *(e for path in touching for e in path)]
            ]
        return paths

    def is_cycle(part: list[tuple[int, int]]) -> bool:
        return all(a in inner_cells and b in inner_cells for a, b in part)

    return go(0, [])


# ---- proofs about a set of cells


@settings(max_examples=60, deadline=None)
@given(edge_lists(most=9), st.data())
def test_alone_agrees_with_all_choices(graph: tuple[int, list[tuple[int, int]]], data: st.DataObject) -> None:
    size, edges = graph
    moves = MoveGraph.from_edges(edges, size)
    cells = data.draw(st.lists(st.integers(0, size - 1), min_size=1, max_size=min(size, 5), unique=True))
    if len(cells) == size:
        return
    proof = sat_alone(moves, cells, Budget(60 * SECOND))
    assert (proof is None) == can_be_passed(moves, cells)
    if proof is not None:
        assert verify(Certificate(Question(moves), proof))
        assert verify(Certificate(Question(moves), trimmed(Question(moves), proof)))


@settings(max_examples=60, deadline=None)
@given(positions(), st.integers(1, 30), st.sampled_from([True, False]))
def test_boards_refuted_by_a_set_of_cells_have_no_tour(
    position: tuple[cavalcade.Board, cavalcade.Piece],
    size: int,
    closed: bool,  # noqa: FBT001 - hypothesis draws it
) -> None:
    board, piece = position
    question = Question(board, piece, closed=closed)
    graph = question.as_cycle
    if graph.size < 4:
        return
    cells = range(min(size, graph.size - 1))
    proof = sat_alone(graph, cells, Budget(60 * SECOND))
    if proof is not None:
        assert verify(Certificate(question, proof))
        answer = next(sat(question, Budget(60 * SECOND)))
        assert not isinstance(answer, np.ndarray)


def certificate() -> Certificate:
    graph = blind_alley(40)
    proof = sat_alone(graph, range(9), Budget(60 * SECOND))
    assert proof is not None
    return Certificate(Question(graph), proof)


def test_a_proof_about_some_cells(tmp_path: Path) -> None:
    proved = certificate()
    assert verify(proved).message.endswith("lines checked")
    read_back = from_json(proved.to_json())
    assert read_back.proof == proved.proof
    assert verify(read_back)
    assert '"alone"' in proved.to_json()
    assert "Look only at 9 vertices" in " ".join(sentences(proved))
    picture = proved.svg()
    assert picture.count("<circle") == proved.svg(labels=False).count("<circle")
    assert picture.count('class="named"') == 9
    save(proved, tmp_path / "known.cnf")
    assert "edges at 9 of them" in (tmp_path / "known.cnf").read_text()


def test_a_picture_of_a_large_board_shows_the_surroundings_of_the_cells() -> None:
    board = parse_board("300x300")
    cells = tuple(board.cell(name) for name in ("a1", "c2", "d4", "g2"))
    picture = Certificate(Question(board), SatProof((), ("0",), cells=cells)).svg()
    assert len(picture) < 30_000
    assert picture.count('class="named"') == 4
    assert all(f">{name}<" in picture for name in ("a1", "c2", "d4", "g2"))
    small = Certificate(
        Question(parse_board("8x8"), closed=False), SatProof((), ("0",), cells=(0, 1, 64))
    ).svg()
    assert small.count('class="named"') == 2


def test_damaged_proofs_about_some_cells() -> None:
    proved = certificate()
    proof = proved.proof
    assert isinstance(proof, SatProof)
    assert proof.cells is not None
    lies = {
        "not a set of": replace(proof, cells=(*proof.cells, 100)),
        "speak of a set": replace(proof, cells=(*proof.cells, 0)),
        "no symmetry and no bound": replace(proof, at_most=AtMost("turns", 5)),
        "of which the proof does not speak": replace(proof, cuts=(*proof.cuts, (0, 20))),
        "follow": replace(proof, cells=proof.cells[:-1]),
        "contradiction": replace(proof, cells=(), cuts=(), drup=()),
    }
    for reason, lie in lies.items():
        message = verify(replace(proved, proof=lie)).message
        assert "not proved" in message, reason
    for k in range(len(proof.cuts)):
        assert not verify(replace(proved, proof=replace(proof, cuts=proof.cuts[:k] + proof.cuts[k + 1 :])))
    for text in ('"alone": 5', '"alone": ["a1"]', '"alone": [3]'):
        damaged = proved.to_json().replace('"alone": [', '"alon": [')
        with pytest.raises(cavalcade.CavalcadeError, match="not a certificate"):
            from_json(damaged.replace('"alon"', text + ', "alon"'))


# ---- counting


@settings(max_examples=150, deadline=None)
@given(edge_lists(most=10))
def test_no_two_factor_is_refuted_by_counting(graph: tuple[int, list[tuple[int, int]]]) -> None:
    """A deficient set, from any cover, proves that no 2-factor exists; the converse need not hold."""
    size, edges = graph
    moves = MoveGraph.from_edges(edges, size)
    successor = cycle_cover(moves.indptr, moves.indices)
    if size < 3 or (successor < 0).any():
        return
    predecessor = np.empty_like(successor)
    predecessor[successor] = np.arange(size, dtype=np.int32)
    cycles = StuckCover(moves, np.stack([successor, predecessor], axis=1), Budget(), 0)
    deficient = cycles.deficient_set()
    if deficient.size:
        proof = StepProof((Step("factor", tuple(deficient.tolist())),))
        assert verify(Certificate(Question(moves), proof))
        assert any("edges at each of" in line for line in sentences(Certificate(Question(moves), proof)))
        assert not has_two_factor(moves)


def has_two_factor(graph: MoveGraph) -> bool:
    """Return whether a choice of edges gives every vertex two."""
    edges = graph.edges().tolist()
    return any(
        all(sum(v in edge for edge in chosen) == 2 for v in range(graph.size))
        for chosen in combinations(edges, graph.size)
    )


# ---- joining


@pytest.mark.parametrize(
    ("m", "seed"),
    [(20, 0), (20, 1), (20, 2), (20, 3), (30, 0)]
    + [pytest.param(30, seed, marks=pytest.mark.slow) for seed in (1, 2, 3)],
)
def test_cycles_are_joined_from_any_cover(m: int, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Balls and detours alone, without the exchanges before them, join dozens of cycles into one.

    After each ball the records of the cycles equal the records of a cover numbered from scratch.
    """
    graph = Question(holes(m, 0.1, seed)).as_cycle
    moves = csr_array((np.ones(len(graph.indices)), graph.indices, graph.indptr))
    successor = maximum_bipartite_matching(moves)
    predecessor = np.empty_like(successor)
    predecessor[successor] = np.arange(graph.size, dtype=np.int32)
    cycles = StuckCover(graph, np.stack([successor, predecessor], axis=1), Budget(), seed)
    before = cycles.count
    assert before > 20
    join = cycles.joined

    def joined(ball: list[int]) -> bool | None:
        result = join(ball)
        anew = StuckCover(graph, np.array([cycles.p, cycles.q]).T, Budget(), seed)
        sizes = [[int(stuck.size[label]) for label in stuck.label] for stuck in (cycles, anew)]
        assert sizes[0] == sizes[1]
        assert len({*zip(cycles.label, anew.label, strict=True)}) == cycles.count == anew.count
        assert cycles.size[cycles.longest] == max(sizes[1])
        return result

    monkeypatch.setattr(cycles, "joined", joined)
    assert cycles.join() is None
    assert cycles.count == 1
    assert check(Tour(graph, cycle_of_all(cycles.p, cycles.q), closed=True))


@pytest.mark.parametrize("seed", range(6))
def test_a_detour_keeps_a_cover(seed: int) -> None:
    graph = Question(holes(16, 0.1, seed)).as_cycle
    cover = stuck_cover(graph, Budget())
    cycles = StuckCover(graph, cover, Budget(), seed)
    for _ in range(10):
        taken = cycles.count > 1 and cycles.take_detour()
        links = np.array([cycles.p, cycles.q])
        assert (np.sort(links, axis=None) == np.repeat(np.arange(graph.size), 2)).all()
        neighbours = [
            set(graph.indices[graph.indptr[a] : graph.indptr[a + 1]].tolist()) for a in range(graph.size)
        ]
        assert all({int(p), int(q)} <= neighbours[a] for a, (p, q) in enumerate(links.T))
        assert sum(list(cycles.size)[: cycles.count]) == graph.size
        if not taken:
            break


@pytest.mark.parametrize("seed", range(3))
def test_a_second_search_starts_from_two_cycles(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on boards of a million cells, where only part of the 2-cycles can be removed."""
    two_cycles, deficient_set = [], StuckCover.deficient_set

    def empty_at_first(self: StuckCover) -> NDArray[np.int32]:
        two_cycles.append(int((np.asarray(self.p) == np.asarray(self.q)).sum()))
        return deficient_set(self) if len(two_cycles) > 1 else np.zeros(0, dtype=np.int32)

    monkeypatch.setattr(StuckCover, "deficient_set", empty_at_first)
    monkeypatch.setattr(
        "cavalcade.refute.local.two_colours", lambda _: None
    )  # as if the graph were not bipartite
    question = Question(holes(80, 0.3, 0))
    proof = local(question, Budget(20 * SECOND), seed=seed)
    assert isinstance(proof, StepProof)
    assert [step.rule for step in proof.steps] == ["factor"]
    assert verify(Certificate(question, proof))
    assert len(two_cycles) == 2
    assert 0 < two_cycles[0] < two_cycles[1]


# Boards that joining, reasons and SAT do not decide within a second.
HARD = (30, 0.3, 22), (60, 0.3, 3), (60, 0.3, 14), (60, 0.3, 43)


@pytest.mark.parametrize(("m", "p", "seed"), HARD)
def test_boards_with_holes_are_decided(m: int, p: float, seed: int) -> None:
    question = Question(holes(m, p, seed))
    answer = local(question, Budget(30 * SECOND))
    if isinstance(answer, np.ndarray):
        assert check(Tour(question.board, answer, closed=True))
    else:
        assert isinstance(answer, StepProof | SatProof)
        assert verify(Certificate(question, answer))


def test_a_refutation_is_found_at_the_stuck_cycles() -> None:
    """The obstacle has 9 of 3,000 vertices; no other engine finds it in ten times the time."""
    verdict = cavalcade.tour(blind_alley(3_000), engine="local", time_limit=30)
    assert isinstance(verdict, Impossible)
    assert verdict.certificate is not None
    proof = verdict.certificate.proof
    assert isinstance(proof, SatProof)
    assert proof.cells is not None
    assert set(range(9)) <= set(proof.cells)
    assert len(proof.cells) < 60


def test_open_tours_have_balls_too() -> None:
    verdict = cavalcade.tour(holes(60, 0.3, 43), open=True, engine="local", time_limit=30)
    assert verdict.status == "found"


# ---- the boards


def test_holes() -> None:
    for m, p, seed in ((20, 0.05, 0), (30, 0.25, 1), (40, 0.2, 2)):
        board = holes(m, p, seed)
        assert board == holes(m, p, seed)
        assert board != holes(m, p, seed + 1)
        assert board.mask is not None
        assert board.size < (1 - p) * m * m + 1
        black = np.add.outer(np.arange(m), np.arange(m)) % 2 == 1
        assert 2 * np.count_nonzero(board.mask & black) == board.size
        degrees = cavalcade.degrees(board)
        assert (moves(board.mask)[board.mask] == degrees).all()
        assert np.count_nonzero(degrees < 3) < 10


# ---- annealing


def cycles_of(p: Iterable[int], q: Iterable[int]) -> int:
    """Count the cycles of a cover with networkx."""
    graph = nx.Graph([*enumerate(p), *enumerate(q)])
    return int(nx.number_connected_components(graph))


@settings(max_examples=12, deadline=None)
@given(st.integers(4, 20), st.integers(0, 2**30), st.sampled_from([False, True]))
def test_annealing_gives_covers(
    half: int,
    seed: int,
    compiled: bool,  # noqa: FBT001 - hypothesis draws it
) -> None:
    n = 2 * half
    graph = MoveGraph.from_edges(random_cubic(n, random.Random(seed)), n)
    successor = cycle_cover(graph.indptr, graph.indices)
    tier = Tier(0, compiled=compiled)
    p, q = (tier.vector(side.astype(np.int32)) for side in (successor, np.argsort(successor)))
    before = cycles_of(p, q)
    remaining = anneal(
        tier, (tier.vector(graph.indptr), tier.vector(graph.indices)), p, q, seed + 1, Budget()
    )
    assert cycles_of(p, q) == remaining <= max(before, n // 2)
    used = Counter(frozenset(map(int, edge)) for side in (p, q) for edge in enumerate(side))
    assert set(used) <= {frozenset(edge) for edge in graph.edges().tolist()}
    assert Counter(int(a) for side in (p, q) for a in side) == dict.fromkeys(range(n), 2)


def test_annealing_joins_the_cycles_of_planar_cubic_graphs() -> None:
    edges = barnette(480, random.Random(3))
    graph = MoveGraph.from_edges(edges, 480)
    successor = cycle_cover(graph.indptr, graph.indices)
    tier = Tier(0, compiled=False)
    p, q = (tier.vector(side.astype(np.int32)) for side in (successor, np.argsort(successor)))
    rows = tier.vector(graph.indptr), tier.vector(graph.indices)
    counts = [cycles_of(p, q), *(anneal(tier, rows, p, q, state, Budget()) for state in range(1, 6))]
    assert min(counts) < counts[0] / 8


# ---- 2-factors of bipartite graphs


def test_two_factors_against_a_flow_of_networkx() -> None:
    """On 250 boards with random holes, a maximum flow agrees that a 2-factor exists or not."""
    chance, decided = random.Random(3), Counter[str]()
    while decided.total() < 250:
        m, n = chance.randint(4, 9), chance.randint(4, 9)
        cells = parse_board(f"{m}x{n}")
        board = cells.without(chance.sample(cells.names, chance.randint(1, m * n // 3)))
        graph = cavalcade.move_graph(board)
        nxt = cycle_cover(graph.indptr, graph.indices)
        if (nxt < 0).any():
            continue
        before = np.empty_like(nxt)
        before[nxt] = np.arange(graph.size)
        black = two_colours(graph)
        assert black is not None
        cover, deficient = two_factor(graph, black, np.stack([nxt, before], axis=1), Budget())
        edges = {frozenset(edge) for edge in graph.edges().tolist()}
        if deficient.size:
            neighbours = Counter(v for a in deficient.tolist() for v in graph.neighbours(a).tolist())
            assert sum(min(2, number) for number in neighbours.values()) < 2 * len(deficient)
        else:
            assert {frozenset((a, b)) for a, row in enumerate(cover.tolist()) for b in row} <= edges
            assert (cover[:, 0] != cover[:, 1]).all()
            assert (np.bincount(cover.ravel()) == 2).all()
        network = nx.DiGraph()
        for a in range(graph.size):
            network.add_edge(*(("s", a) if black[a] else (a, "t")), capacity=2)
            network.add_edges_from(
                ((a, b) for b in graph.neighbours(a).tolist()) if black[a] else (), capacity=1
            )
        flow = nx.maximum_flow_value(network, "s", "t")
        assert (flow == graph.size) == (not deficient.size)
        decided["none" if deficient.size else "found"] += 1
    assert min(decided.values()) > 25


@pytest.mark.slow
@pytest.mark.parametrize(
    ("share", "seed", "status"), [(0.1, 5, "found"), (0.15, 0, "impossible"), (0.15, 2, "found")]
)
def test_a_million_cells_with_holes(share: float, seed: int, status: str) -> None:
    """Removing 2-cycles one at a time left these boards undecided after a minute."""
    verdict = cavalcade.tour(holes(1000, share, seed), time_limit=120)
    assert verdict.status == status


def test_a_two_factor_that_does_not_fit_its_limits() -> None:
    graph = cavalcade.move_graph(holes(100, 0.1, 1))
    black = two_colours(graph)
    assert black is not None
    cover = np.zeros((graph.size, 2), dtype=np.int32)
    with limits(memory=1_000_000), pytest.raises(TooLargeError, match="2-factor"):
        two_factor(graph, black, cover, Budget())
    with limits(0.0), pytest.raises(TimeoutError):
        two_factor(graph, black, cover, Budget())
