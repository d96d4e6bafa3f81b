"""SAT with cut sets, and the checker of its proofs.

The oracles are independent of watched literals: `naive` replays a proof by scanning all clauses repeatedly.
Brute force decides random graphs.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from pysat.solvers import Solver, pysolvers

import cavalcade
import cavalcade.question.question as questions
import cavalcade.refute.formula as finders
import cavalcade.refute.sat as finder
from cavalcade.answers.certificate import Certificate, SatProof, StepProof, from_json
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Fewest, Found, Impossible, Undecided
from cavalcade.ask.judging import trimmed
from cavalcade.boards.notation import parse_board
from cavalcade.checking import drup
from cavalcade.checking.certificates import formula_of, verify
from cavalcade.checking.constraints import closed_graph
from cavalcade.checking.formula import FEW, formula
from cavalcade.checking.tours import check
from cavalcade.ground.budget import SECOND, Budget, limits
from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.moves import move_graph
from cavalcade.question.pieces import parse_piece
from cavalcade.question.question import Question
from cavalcade.refute.cadical import Cadical
from cavalcade.refute.formula import Formula
from cavalcade.refute.lrat import _decoded
from cavalcade.refute.reasons import reasons
from cavalcade.refute.sat import sat
from oracles import is_hamiltonian
from test_proofs import any_board, graph_with_lost_moves

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray


def edges_of(graph: MoveGraph) -> NDArray[np.int64]:
    """Return all edges in the numbering of the checker."""
    return closed_graph(Question(graph))[1]


def graph_of(case: str) -> MoveGraph:
    """Return the graph of a case such as `9x12 zebra`, `3x5 open`, `petersen` or `snark`."""
    spec, *rest = case.split()
    if spec in {"petersen", "snark"}:
        # the generalized Petersen graph P(5, 2), or the flower snark J5
        k = 5
        ring = [(i, (i + 1) % k) for i in range(k)]
        if spec == "petersen":
            return MoveGraph.from_edges(
                [*ring, *((i, i + k) for i in range(k)), *((a + k, (a + 2) % k + k) for a, _ in ring)]
            )
        spokes = [(i, i + k * j) for i in range(k) for j in (1, 2, 3)]
        long = [*range(2 * k, 3 * k), *range(3 * k, 4 * k)]
        return MoveGraph.from_edges(
            [*spokes, *((a + k, b + k) for a, b in ring), *pairwise(long), (long[-1], long[0])]
        )
    ends = rest[:1] == ["open"]
    graph = move_graph(parse_board(spec), parse_piece("knight" if ends or not rest else rest[0]))
    return Question(graph, closed=not ends).as_cycle


def fault(edges: NDArray[np.int64], proof: SatProof, size: int, *, compiled: bool | None = None) -> str:
    """Return the first fault in a proof that a graph has no closed tour; "" if there is none."""
    try:
        return drup.fault(formula(size, edges, proof), proof.drup, compiled=compiled)
    except FormatError as error:
        return str(error)


IMPOSSIBLE = (
    *("3x8", "3x6", "4x16", "4x20", "hex:2", "hex:3", "petersen", "snark", "2x3x3", "2x2x9", "mobius:4x7"),
    *("1x2", "6x6-a1,b2", "9x12 zebra", "10x12 zebra", "8x8 camel", "cylinder:4x6"),
    *("3x5 open", "3x6 open", "4x4 open", "3x3 open", "2x2x4 open", "hex:3 open", "8x8 zebra"),
)


def checked_answer(
    graph: MoveGraph, budget: Budget | None = None, **options: Any
) -> NDArray[np.int32] | SatProof | Undecided:
    """Return the answer of SAT, after trimming and checking."""
    result = next(sat(Question(graph), budget or Budget(), **options))
    if isinstance(result, SatProof):
        shorter = trimmed(Question(graph), result)
        assert isinstance(shorter, SatProof)
        result = shorter
        assert fault(edges_of(graph), result, graph.size) == ""
    elif not isinstance(result, Undecided):
        assert check(Tour(graph, result, closed=True))
    return result


def decided(graph: MoveGraph, **options: Any) -> NDArray[np.int32] | SatProof:
    answer = checked_answer(graph, **options)
    assert not isinstance(answer, Undecided), answer.reason
    return answer


def refuted(graph: MoveGraph) -> SatProof:
    proof = decided(graph)
    assert isinstance(proof, SatProof)
    return proof


# ---- the formula, twice


def holds(clauses: Iterable[Sequence[int]], edges: int, used: Iterable[int]) -> bool:
    """Return whether the clauses can be satisfied when exactly the given edges are used."""
    chosen = set(used)
    fixed = [k if k in chosen else -k for k in range(1, edges + 1)]
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        return bool(solver.solve(assumptions=fixed))


@pytest.mark.parametrize("d", range(FEW + 4))
def test_exactly_two_edges(d: int) -> None:
    """The centre of a star has d edges; the clauses of its leaves are removed."""
    star = np.array([(0, k) for k in range(1, d + 1)], dtype=np.int64).reshape(-1, 2)
    finder = Formula(1, star)
    variables, all_clauses = formula(d + 1, star, SatProof((), ()))
    checker = all_clauses[: len(all_clauses) - d]  # a leaf has one edge, and its only clause is empty
    assert not any(all_clauses[len(checker) :])
    for size in range(min(d, 4) + 1):
        for used in combinations(range(1, d + 1), size):
            assert holds(finder.degrees(), d, used) == (size == 2)
            assert holds(checker, d, used) == (size == 2)
    assert finder.variables == variables == d + (2 * d - 3 if d > FEW else 0)


def test_tours_and_no_other_sets_satisfy_the_formulas() -> None:
    rng = random.Random(5)
    for _ in range(60):
        n = rng.randint(4, 16)
        order = rng.sample(range(n), n)
        tour = {(min(pair), max(pair)) for pair in pairwise([*order, order[0]])}
        pairs = list(combinations(range(n), 2))
        graph = MoveGraph.from_edges(sorted(tour | set(rng.sample(pairs, rng.randint(0, len(pairs))))), n)
        finder = Formula(n, edges_of(graph))
        cells = rng.sample(range(n), rng.randint(1, n - 1))
        variables, checker = formula(n, edges_of(graph), SatProof((tuple(cells),), ()))
        cut = checker.pop()
        assert edges_of(graph).tolist() == sorted(finder.edges)
        used = {k for k, (a, b) in enumerate(finder.edges, 1) if (a, b) in tour}
        crosses = [len(set(cells) & {a, b}) == 1 for a, b in finder.edges]
        assert used & set(cut)
        assert (
            sorted(cut)
            == sorted(finder.cut(cells))
            == [k for k, crossing in enumerate(crosses, 1) if crossing]
        )
        assert variables == finder.variables
        for clauses in (checker, list(finder.degrees())):
            assert holds(clauses, len(finder.edges), used)
            assert not holds(clauses, len(finder.edges), used ^ {rng.randint(1, len(finder.edges))})
        assert {frozenset(clause) for clause in checker} == {frozenset(clause) for clause in finder.degrees()}


def degrees_without_first_edge(self: Formula) -> Iterator[Sequence[int]]:
    """Add a clause that forbids the first edge."""
    yield [-1]
    yield from DEGREES(self)


def cut_of_one_edge(self: Formula, cells: Iterable[int]) -> list[int]:
    """Return a cut with only the first of its edges."""
    return CUT(self, cells)[:1]


def counter_without_last_edge(row: list[int], free: int) -> Iterator[list[int]]:
    """Add a clause that forbids the last edge of a vertex of high degree."""
    yield [-row[-1]]
    yield from COUNTER(row, free)


def edges_by_second_cell(graph: MoveGraph) -> NDArray[np.integer[Any]]:
    """Number the edges by their second cells, so that cuts name other edges."""
    edges = EDGES(graph)
    return np.asarray(edges[np.lexsort((edges[:, 0], edges[:, 1]))])


DEGREES, CUT, EDGES = Formula.degrees, Formula.cut, finders.edges_of
COUNTER = finders.counter
BROKEN: dict[str, tuple[object, str, object]] = {
    "degrees": (Formula, "degrees", degrees_without_first_edge),
    "cuts": (Formula, "cut", cut_of_one_edge),
    "counter": (finders, "counter", counter_without_last_edge),
    "numbering": (finder, "edges_of", edges_by_second_cell),
    "graph": (questions, "graph_of", graph_with_lost_moves),
}


def test_the_solver_says_which_clauses_it_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines follow by the hints alone, from the clauses that they use, and also without hints.

    Damaged lines have the same error with hints and without: hints never make a wrong proof right.
    """
    rng, refutations, damaged = random.Random(8), 0, 0
    for compiled in (False, True) * 30:
        variables = rng.randint(10, 50)
        clauses = [
            [rng.choice((-1, 1)) * k for k in rng.sample(range(1, variables + 1), size)]
            for size in rng.choices((1, 2, 3), (1, 20, 300), k=5 * variables)
        ]
        with Cadical() as solver:
            solver.state(clauses)
            if solver.solution(Budget(), 0) is not None:
                continue
            proof = solver.proof()
        refutations += 1
        whole = variables, [tuple(clause) for clause in clauses]
        used = variables, [whole[1][k] for k in proof.stated]
        hints = proof.hints_in(proof.stated, len(clauses))
        assert not drup.fault(used, proof.lines)
        with monkeypatch.context() as patch:
            patch.delattr(drup, "replay")
            assert not drup.fault(used, proof.lines, proof.hints, compiled=compiled)
            assert not drup.fault(whole, proof.lines, hints, compiled=compiled)
        for k in rng.sample(range(len(proof.lines)), min(len(proof.lines), 5)):
            for lines in (
                (*proof.lines[:k], *proof.lines[k + 1 :]),
                (*proof.lines[:k], "1 0", *proof.lines[k:]),
            ):
                error = drup.fault(used, lines)
                assert drup.fault(used, lines, proof.hints) == error
                damaged += bool(error)
    assert refutations > 20
    assert damaged > 20


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (nx.barabasi_albert_graph(50, 3, seed=2), {"engine": "sat"}),  # one vertex has 17 edges
        ("4x9", {"engine": "sat"}),
        ("6x6", {"engine": "sat", "symmetry": "vertical"}),
        ("4x4", {"engine": "sat", "open": True}),
        ("5x6", {"fewest": "turns"}),
    ],
    ids=["counter", "board", "symmetry", "open", "bound"],
)
def test_hints_alone_prove(place: Any, words: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Solver and checker number the clauses alike: no clause has to be searched for."""
    monkeypatch.delattr(drup, "replay")
    verdict = cavalcade.tour(place, time_limit=60, **words)
    proved = verdict.fewest if isinstance(verdict, Found) else verdict
    assert isinstance(proved, Fewest | Impossible)
    assert proved.certificate is not None
    assert isinstance(proved.certificate.proof, SatProof)
    assert proved.certificate.proof.hints is not None


def test_the_numbers_of_a_proof_are_read_piece_by_piece() -> None:
    rng = random.Random(9)
    numbers = [rng.randrange(2 ** rng.randint(1, 31)) for _ in range(1_000)]
    data = bytearray()
    for number in numbers:
        while number > 127:
            data.append(number % 128 + 128)
            number //= 128  # noqa: PLW2901 - seven bits are written
        data.append(number)
    contents = np.frombuffer(data, dtype=np.uint8)
    for per_step in (5, 64, len(data)):
        assert _decoded(contents, per_step=per_step).tolist() == numbers


def test_the_time_limit_holds_between_hints() -> None:
    proof = next(sat(Question(graph_of("4x16")), Budget()))
    assert isinstance(proof, SatProof)
    clauses = formula(64, edges_of(graph_of("4x16")), proof)
    with limits(0), pytest.raises(TimeoutError, match="no time is left to check the proof"):
        drup.fault(clauses, proof.drup, proof.hints)


@pytest.mark.parametrize("part", BROKEN)
def test_a_broken_finder_never_gets_a_certificate(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker shares no code with the finder, so it rejects what a broken finder proves.

    All boards have tours, so every proof is wrong. A broken finder may also find a tour.
    """
    owner, name, broken = BROKEN[part]
    monkeypatch.setattr(owner, name, broken)
    wrong = 0
    for case in ("3x10", "5x6", "6x6", "hex:4", "mobius:5x6", "4x5 open", "6x6 3,4+1,2", "torus:5x6 1,2+1,3"):
        spec, *rest = case.split()
        piece = parse_piece("knight" if not rest or rest == ["open"] else rest[0])
        question = Question(parse_board(spec), piece, closed=rest != ["open"])
        answer = next(sat(question, Budget(5 * SECOND)))
        if isinstance(answer, SatProof):
            wrong += 1
            assert not verify(Certificate(question, answer)), case
            assert not verify(Certificate(question, trimmed(question, answer))), case
    assert wrong or part == "numbering"


# ---- refutations, and their checker


def false_by_propagation(clauses: Sequence[Sequence[int]], true: set[int]) -> bool:
    """Return whether unit propagation makes a clause false."""
    while True:
        units = set()
        for clause in clauses:
            if not any(literal in true for literal in clause):
                open_literals = {literal for literal in clause if -literal not in true}
                if not open_literals:
                    return True
                if len(open_literals) == 1:
                    units |= open_literals
        if not units:
            return False
        true |= units
        if any(-literal in true for literal in units):
            return True


def naive(graph: MoveGraph, proof: SatProof) -> bool:
    """Return whether a proof is right, by plain propagation; deletions are ignored."""
    clauses = [list(clause) for clause in formula(graph.size, edges_of(graph), proof)[1]]
    for line in proof.drup:
        if line.startswith("d"):
            continue
        clause = [int(word) for word in line.split()[:-1]]
        if not false_by_propagation(clauses, {-literal for literal in clause}):
            return False
        if not clause:
            return True
        clauses.append(clause)
    return false_by_propagation(clauses, set())


@pytest.mark.parametrize("case", [*IMPOSSIBLE, pytest.param("12x14 zebra", marks=pytest.mark.slow)])
def test_sat_alone_refutes(case: str) -> None:
    graph = graph_of(case)
    proof = refuted(graph)
    assert proof.drup[-1] == "0"
    if len(proof.drup) < 60:
        assert naive(graph, proof)
    for tier in (False, True):
        assert fault(edges_of(graph), proof, graph.size, compiled=tier) == ""


def mutations(rng: random.Random, proof: SatProof, lines: int) -> Iterable[SatProof]:
    """Yield damaged copies: each cut removed or changed, then `lines` random lines or literals."""
    cuts, drup = list(proof.cuts), list(proof.drup)
    for k in range(len(cuts)):
        yield SatProof((*cuts[:k], *cuts[k + 1 :]), proof.drup)
        yield SatProof((*cuts[:k], cuts[k][1:], *cuts[k + 1 :]), proof.drup)
    for _ in range(lines):
        k = rng.randrange(len(drup))
        yield SatProof(proof.cuts, (*drup[:k], *drup[k + 1 :]))
        words = drup[k].split()
        if words[0] != "d" and len(words) > 1:
            position = rng.randrange(len(words) - 1)
            for word in ([], [str(-int(words[position]))], [str(int(words[position]) % 9 + 1)]):
                line = " ".join([*words[:position], *word, *words[position + 1 :]])
                yield SatProof(proof.cuts, (*drup[:k], line, *drup[k + 1 :]))


DAMAGED = {"3x8": 20, "petersen": 20, "3x5 open": 10, "4x4 open": 5, "snark": 5, "4x16": 12}


@pytest.mark.parametrize(
    ("case", "lines"),
    [*DAMAGED.items(), *(pytest.param(case, 25, marks=pytest.mark.slow) for case in DAMAGED)],
)
def test_damaged_proofs(case: str, lines: int) -> None:
    """The checker and the oracle agree on each damaged proof, and reject more than a quarter."""
    rng = random.Random(9)
    graph = graph_of(case)
    edges = edges_of(graph)
    proof = refuted(graph)
    rejected = total = 0
    for damaged in mutations(rng, proof, lines):
        if not all(damaged.cuts):
            assert "cut" in fault(edges, damaged, graph.size)
            continue
        total += 1
        wrong = fault(edges, damaged, graph.size)
        rejected += bool(wrong)
        if len(proof.drup) < 80:
            without = SatProof(damaged.cuts, tuple(line for line in damaged.drup if line[0] != "d"))
            holds = naive(graph, damaged)
            assert bool(fault(edges, without, graph.size)) != holds
            assert holds or wrong
    assert rejected > total // 4


def test_a_proof_of_one_board_proves_no_other() -> None:
    proof = refuted(graph_of("4x16"))
    for case in ("4x18", "8x8", "6x12"):
        graph = graph_of(case)
        assert fault(edges_of(graph), proof, graph.size)
    for extra in ([0, 1], [30, 33], [62, 63]):
        edges = np.unique(np.concatenate([edges_of(graph_of("4x16")), [extra]]), axis=0)
        assert fault(edges, proof, 64)


def test_malformed_proofs() -> None:
    """Malformed and wrong proofs are rejected with a reason."""
    graph = graph_of("6x6")  # has a tour: whatever the proof, it is wrong
    edges = edges_of(graph)
    lies = {
        "does not follow": SatProof((), ("1 0", "0")),
        "not a line": SatProof((), ("1 x 0",)),
        "expected one like": SatProof((), ("1 2",)),
        "is not a line": SatProof((), ("1 0 2 0",)),
        r"'1 0\n2 0' is not": SatProof((), ("1 0\n2 0",)),
        "lines use variable": SatProof((), ("500 0", "0")),
        "cut 1": SatProof(((),), ("0",)),
        "cut 2": SatProof(((0,), tuple(range(36))), ("0",)),
        "not a set": SatProof(((0, 36),), ("0",)),
        "but not of all": SatProof(((-1,),), ("0",)),
        "contradiction": SatProof(((0, 1),), ()),
        "line 1": SatProof(((3, 4),), ("0",)),
    }
    for message, proof in lies.items():
        assert message in fault(edges, proof, graph.size)
        with pytest.raises(FormatError):
            drup.trim(formula(graph.size, edges, SatProof((), ())), proof.drup)


def test_trimming_keeps_a_proof_and_drops_the_rest() -> None:
    graph = graph_of("4x16")
    edges = edges_of(graph)
    proof = refuted(graph)
    stuffed = SatProof(((0,), *proof.cuts, (5, 6, 7)), proof.drup)
    clauses = formula(graph.size, edges, stuffed)
    tiers = [drup.trim(clauses, stuffed.drup, compiled=tier) for tier in (False, True)]
    assert tiers[0] == tiers[1]
    trimmed_proofs = [trimmed(Question(graph), stuffed)]
    assert isinstance(trimmed_proofs[0], SatProof)
    assert trimmed_proofs[0].drup == tiers[0][0]
    assert set(trimmed_proofs[0].cuts) <= set(proof.cuts)
    assert len(trimmed_proofs[0].drup) <= len(proof.drup)
    assert fault(edges, trimmed_proofs[0], graph.size) == ""
    alive: set[tuple[str, ...]] = set()
    for line in trimmed_proofs[0].drup:
        words = line.split()
        if words[0] == "d":
            alive.remove(tuple(words[1:]))
        else:
            alive.add(tuple(words))
    assert len(alive) < 20


def test_the_same_seed_gives_the_same_proof() -> None:
    assert refuted(graph_of("4x16")) == refuted(graph_of("4x16"))


def test_exported_files_state_the_proved_formula() -> None:
    for case in ("4x16", "4x4 open", "hex:2", "petersen"):
        graph = graph_of(case)
        proof = refuted(graph)
        cnf = drup.dimacs(["words"], formula_of(Question(graph), proof))
        head, *lines = [line for line in cnf.splitlines() if not line.startswith("c ")]
        clauses = [[int(word) for word in line.split()[:-1]] for line in lines]
        variables, expected = formula(graph.size, edges_of(graph), proof)
        assert head == f"p cnf {variables} {len(clauses)}"
        assert clauses == [list(clause) for clause in expected]
        with Solver("glucose4", bootstrap_with=clauses) as solver:
            assert not solver.solve()


@pytest.mark.parametrize("spec", ["4x16", "3x5 open", "petersen"])
def test_certificates_go_through_files(spec: str) -> None:
    closed = not spec.endswith("open")
    plain = spec == "petersen"
    board = graph_of(spec) if plain else parse_board(spec.split(maxsplit=1)[0])
    proof = refuted(graph_of(spec))
    certificate = Certificate(Question(board, closed=closed), proof)
    read_back = from_json(certificate.to_json())
    assert read_back.proof == proof
    assert verify(read_back)
    assert not verify(replace(read_back, question=replace(read_back.question, closed=not closed)))
    assert not verify(replace(read_back, proof=SatProof(proof.cuts[1:], ("0",))))


# ---- tours


@pytest.mark.parametrize(
    "case",
    [
        "5x6",
        "3x10",
        "8x8",
        "20x20",
        "hex:10",
        "6x6x6",
        "10x10 zebra",
        "30x30 3,4",
        "9x10 giraffe",
        "5x5 open",
    ],
)
def test_tours_are_found(case: str) -> None:
    assert not isinstance(decided(graph_of(case)), SatProof)


@pytest.mark.slow
@pytest.mark.parametrize("case", ["hex:50", "100x100", "20x20x20", "200x200"])
def test_large_tours_are_found(case: str) -> None:
    assert not isinstance(decided(graph_of(case)), SatProof)


def test_one_vertex_is_a_tour_by_itself() -> None:
    verdict = cavalcade.tour(MoveGraph.from_edges([], 1), engine="sat")
    assert isinstance(verdict, cavalcade.Found)
    assert verdict.tour.cells.tolist() == [0]


def agree(rng: random.Random) -> str:
    """Decide a random board by SAT and by brute force, and return the kind of the answer.

    SAT may exceed its budget only if a counting argument refutes the board.
    """
    _, graph, closed = any_board(rng, 24)
    ring = Question(graph, closed=closed).as_cycle
    has_tour = ring.size == 1 or is_hamiltonian(ring)
    answer = checked_answer(ring, Budget(3 * SECOND))
    if isinstance(answer, Undecided):
        assert not has_tour
        assert isinstance(reasons(Question(ring), Budget(), cases=0), StepProof)
        return "counting"
    assert isinstance(answer, SatProof) != has_tour
    return "tour" if has_tour else "none"


def test_random_graphs_agree_with_brute_force() -> None:
    rng = random.Random(1)
    kinds = Counter(agree(rng) for _ in range(200))
    assert min(kinds["tour"], kinds["none"]) > 30
    assert kinds["counting"] < 5


@pytest.mark.slow
def test_ten_thousand_random_graphs_agree_with_brute_force() -> None:
    rng = random.Random(2)
    kinds = Counter(agree(rng) for _ in range(10_000))
    assert min(kinds["tour"], kinds["none"]) > 1000
    assert kinds["counting"] < 50


# ---- budgets, limits and interrupts


@pytest.mark.parametrize("patience", [0, 2_000, 1_000_000])
def test_a_second_solver_decides_the_same(patience: int) -> None:
    """The second solver has the cuts of the first, and its proof names them."""
    impossible = {"petersen", "coxeter", "tutte", "gp:11,2", "gp:17,2"}
    for name in impossible | {"desargues", "dodecahedron", "gp:12,2", "frucht"}:
        question = Question.of(name)
        result = next(sat(question, Budget(), patience=patience))
        if name in impossible:
            assert isinstance(result, SatProof)
            assert verify(Certificate(question, result)), name
        else:
            assert isinstance(result, np.ndarray)
            assert check(Tour(question.board, result, closed=True)), name


def test_the_budget_holds() -> None:
    budget = Budget(SECOND // 4)
    answer = next(sat(Question(graph_of("7x7")), budget))  # the reason is parity, which SAT cannot use
    assert isinstance(answer, Undecided)
    assert "no answer" in answer.reason
    assert SECOND // 4 <= budget.spent < SECOND // 3
    answer = next(sat(Question(graph_of("200x200")), Budget(SECOND // 2)))
    assert isinstance(answer, Undecided)
    assert "beyond the budget" in answer.reason


@pytest.mark.parametrize("case", ["4x24", "tutte"])
def test_a_search_continues_in_turns(case: str) -> None:
    """A search in turns equals the search in one go: the same work, cuts and learnt clauses."""
    question, unlimited = Question.of(case), Budget()
    at_once = next(sat(question, unlimited, patience=2_000))
    budget = Budget(unlimited.spent / 8)
    answers, turns = sat(question, budget, patience=2_000), 1
    while isinstance(answer := next(answers), Undecided):
        budget.refill(unlimited.spent / 8)
        turns += 1
    assert isinstance(answer, SatProof)
    assert (answer, budget.spent) == (at_once, unlimited.spent)
    assert turns > 2


def test_a_time_limit_ends_the_search() -> None:
    with limits(0.3), pytest.raises(TimeoutError, match="time limit"):
        next(sat(Question(graph_of("7x7")), Budget()))
    with limits(0.3), pytest.raises(TimeoutError, match="formula"):
        next(sat(Question(graph_of("200x200")), Budget()))


INTERRUPTED = """
import signal
from cavalcade.boards.notation import parse_board
from cavalcade.question.moves import move_graph
from cavalcade.question.pieces import parse_piece
from cavalcade.question.question import Question
from cavalcade.ground.budget import Budget
from cavalcade.refute.sat import sat
signal.signal(signal.SIGINT, signal.default_int_handler)
hard, easy = (Question(move_graph(parse_board(board), parse_piece("knight"))) for board in ("7x7", "6x6"))
first = next(sat(easy, Budget()))  # also runs the late imports
while input() == "on":
    try:
        print("asked", flush=True)
        print(next(sat(hard, Budget())))
    except KeyboardInterrupt:
        print("interrupted", flush=True)
assert (next(sat(easy, Budget())) == first).all()
"""


def test_the_search_can_be_interrupted() -> None:
    command = [sys.executable, "-c", INTERRUPTED]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for delay in range(0, 15, 2):  # inside the solver, and between its calls
            print("on", file=running.stdin, flush=True)
            assert running.stdout.readline() == "asked\n"
            time.sleep(delay / 100)
            running.send_signal(signal.SIGINT)
            assert running.stdout.readline() == "interrupted\n"
        assert running.communicate("off\n", timeout=60)[0] == ""
    assert running.returncode == 0


def test_a_solver_is_freed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    freed = []

    def freeing(*arguments: object) -> None:
        freed.append(arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(pysolvers, "cadical195_del", freeing)
    with pytest.raises(KeyboardInterrupt), Cadical() as solver:
        assert solver.look(1)
    solver.delete()
    assert len(freed) == 1
