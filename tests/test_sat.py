"""SAT with cut sets, and the checker of its proofs.

The oracles know nothing of watched literals: `naive` replays a proof by scanning all clauses again and again,
and says that it is right in so many words. Brute force decides random graphs.
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

import numpy as np
import pytest
from pysat.solvers import Solver, pysolvers

import cavalcade
import cavalcade.question.question as questions
import cavalcade.refute.formula as finders
import cavalcade.refute.sat as finder
from cavalcade.answers.certificate import Certificate, SatProof, StepProof, from_json
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Undecided
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
from cavalcade.refute.reasons import reasons
from cavalcade.refute.sat import sat
from oracles import is_hamiltonian
from test_proofs import any_board

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from cavalcade.boards import Board
    from cavalcade.question.pieces import Piece


def edges_of(graph: MoveGraph) -> NDArray[np.int64]:
    """All edges as the checker numbers them."""
    return closed_graph(Question(graph))[1]


def graph_of(case: str) -> MoveGraph:
    """The graph of a case like `9x12 zebra` or `3x5 open`; `petersen` and `snark` are graphs."""
    spec, *rest = case.split()
    if spec in {"petersen", "snark"}:
        # generalized Petersen graph P(5, 2); the flower snark J5
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
    """What is wrong with a proof that a graph has no closed tour."""
    try:
        return drup.fault(formula(size, edges, proof), proof.drup, compiled=compiled)
    except FormatError as error:
        return str(error)


NONE = (
    *("3x8", "3x6", "4x16", "4x20", "hex:2", "hex:3", "petersen", "snark", "2x3x3", "2x2x9", "mobius:4x7"),
    *("1x2", "6x6-a1,b2", "9x12 zebra", "10x12 zebra", "8x8 camel", "cylinder:4x6"),
    *("3x5 open", "3x6 open", "4x4 open", "3x3 open", "2x2x4 open", "hex:3 open", "8x8 zebra"),
)


def asked(
    graph: MoveGraph, budget: Budget | None = None, **options: Any
) -> NDArray[np.int32] | SatProof | Undecided:
    """What SAT says, trimmed and checked."""
    found = next(sat(Question(graph), budget or Budget(), **options))
    if isinstance(found, SatProof):
        least = trimmed(Question(graph), found)
        assert isinstance(least, SatProof)
        found = least
        assert fault(edges_of(graph), found, graph.size) == ""
    elif not isinstance(found, Undecided):
        assert check(Tour(graph, found, closed=True))
    return found


def decided(graph: MoveGraph, **options: Any) -> NDArray[np.int32] | SatProof:
    found = asked(graph, **options)
    assert not isinstance(found, Undecided), found.reason
    return found


def refuted(graph: MoveGraph) -> SatProof:
    found = decided(graph)
    assert isinstance(found, SatProof)
    return found


# ---- the formula, twice


def holds(clauses: Iterable[Sequence[int]], edges: int, used: Iterable[int]) -> bool:
    """Whether some values of the other variables make the clauses true with these edges."""
    chosen = set(used)
    fixed = [k if k in chosen else -k for k in range(1, edges + 1)]
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        return bool(solver.solve(assumptions=fixed))


@pytest.mark.parametrize("d", range(FEW + 4))
def test_exactly_two_edges(d: int) -> None:
    """The middle of a star, the clauses of its leaves left out: it has d edges."""
    star = np.array([(0, k) for k in range(1, d + 1)], dtype=np.int64).reshape(-1, 2)
    finder = Formula(1, star)
    variables, every = formula(d + 1, star, SatProof((), ()))
    checker = every[: len(every) - d]  # a leaf has one edge, and one clause, an empty one
    assert not any(every[len(checker) :])
    for size in range(min(d, 4) + 1):
        for used in combinations(range(1, d + 1), size):
            for simplified in (False, True):
                assert holds(finder.degrees(simplified=simplified), d, used) == (size == 2)
            assert holds(checker, d, used) == (size == 2)
    assert finder.variables == variables == d + (2 * d - 3 if d > FEW else 0)


def test_tours_and_only_covers_satisfy_the_formulas() -> None:
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
        inside = [len(set(cells) & {a, b}) == 1 for a, b in finder.edges]
        assert used & set(cut)
        assert sorted(cut) == sorted(finder.cut(cells)) == [k for k, out in enumerate(inside, 1) if out]
        assert variables == finder.variables
        for clauses in (checker, list(finder.degrees()), list(finder.degrees(simplified=True))):
            assert holds(clauses, len(finder.edges), used)
            assert not holds(clauses, len(finder.edges), used ^ {rng.randint(1, len(finder.edges))})
        assert {frozenset(one) for one in checker} == {frozenset(one) for one in finder.degrees()}


def lame_degrees(self: Formula, *, simplified: bool = False) -> Iterator[Sequence[int]]:
    """The first edge is never used."""
    yield [-1]
    yield from DEGREES(self, simplified=simplified)


def lame_cut(self: Formula, cells: Iterable[int]) -> list[int]:
    """All edges out of a set but one are forgotten."""
    return CUT(self, cells)[:1]


def lame_counter(row: list[int], free: int) -> Iterator[list[int]]:
    """The last edge of a cell with many is never used."""
    yield [-row[-1]]
    yield from COUNTER(row, free)


def lame_numbering(graph: MoveGraph) -> NDArray[np.integer[Any]]:
    """Edges are numbered by their second cells, so that the cuts mean other edges."""
    edges = EDGES(graph)
    return np.asarray(edges[np.lexsort((edges[:, 0], edges[:, 1]))])


def lame_graph(board: Board, piece: Piece) -> MoveGraph:
    """All moves of the first cell but one are forgotten."""
    graph = MOVES(board, piece)
    edges = graph.edges()
    lost = np.flatnonzero(edges[:, 0] == 0)[1:]
    return MoveGraph.from_edges(np.delete(edges, lost, axis=0), graph.size)


DEGREES, CUT, EDGES, MOVES = Formula.degrees, Formula.cut, finders.edges_of, move_graph
COUNTER = finders._counter  # noqa: SLF001 - lamed below
LAME: dict[str, tuple[object, str, object]] = {
    "degrees": (Formula, "degrees", lame_degrees),
    "cuts": (Formula, "cut", lame_cut),
    "counter": (finders, "_counter", lame_counter),
    "numbering": (finder, "edges_of", lame_numbering),
    "graph": (questions, "graph_of", lame_graph),
}


def test_a_proof_is_read_as_it_was_written_without_clauses_that_are_only_shortened() -> None:
    """Python-sat reads the same file byte by byte; with and without these lines it refutes the formula."""
    rng, left_out = random.Random(8), 0
    for _ in range(60):
        variables = rng.randint(1, 60)
        clauses = [
            [rng.choice((-1, 1)) * k for k in rng.sample(range(1, variables + 1), min(size, variables))]
            for size in rng.choices((1, 2, 3), (1, 8, 30), k=6 * variables)
        ]
        with Cadical() as solver:
            solver.state(clauses)
            if solver.solution(Budget(), 0) is None:
                lines, every = solver.proof(), solver.get_proof()
                rest = iter(every)
                assert all(line in rest for line in lines)
                left_out += len(every) - len(lines)
                for some in (lines, tuple(every)):
                    assert not drup.fault((variables, [tuple(one) for one in clauses]), some)
    assert left_out > 50


@pytest.mark.parametrize("what", LAME)
def test_a_lame_finder_never_gets_a_certificate(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The finder and the checker share nothing: what goes wrong in one, the other does not believe.

    All boards have tours. The finder may find one all the same, or an edge that is none; a proof is wrong.
    """
    owner, name, lame = LAME[what]
    monkeypatch.setattr(owner, name, lame)
    wrong = 0
    for case in ("3x10", "5x6", "6x6", "hex:4", "mobius:5x6", "4x5 open", "6x6 3,4+1,2", "torus:5x6 1,2+1,3"):
        spec, *rest = case.split()
        piece = parse_piece("knight" if not rest or rest == ["open"] else rest[0])
        question = Question(parse_board(spec), piece, closed=rest != ["open"])
        found = next(sat(question, Budget(5 * SECOND)))
        if isinstance(found, SatProof):
            wrong += 1
            assert not verify(Certificate(question, found)), case
            assert not verify(Certificate(question, trimmed(question, found))), case
    assert wrong or what == "numbering"


# ---- refutations, and their checker


def false_by_propagation(clauses: Sequence[Sequence[int]], true: set[int]) -> bool:
    """Whether unit propagation makes some clause false."""
    while True:
        units = set()
        for clause in clauses:
            if not any(one in true for one in clause):
                left = {one for one in clause if -one not in true}
                if not left:
                    return True
                if len(left) == 1:
                    units |= left
        if not units:
            return False
        true |= units
        if any(-one in true for one in units):
            return True


def naive(graph: MoveGraph, proof: SatProof) -> bool:
    """Whether a proof is right, without any cleverness; deletions are not even read."""
    clauses = [list(clause) for clause in formula(graph.size, edges_of(graph), proof)[1]]
    for line in proof.drup:
        if line.startswith("d"):
            continue
        clause = [int(word) for word in line.split()[:-1]]
        if not false_by_propagation(clauses, {-one for one in clause}):
            return False
        if not clause:
            return True
        clauses.append(clause)
    return false_by_propagation(clauses, set())


@pytest.mark.parametrize("case", [*NONE, pytest.param("12x14 zebra", marks=pytest.mark.slow)])
def test_sat_alone_refutes(case: str) -> None:
    graph = graph_of(case)
    proof = refuted(graph)
    assert proof.drup[-1] == "0"
    if len(proof.drup) < 60:
        assert naive(graph, proof)
    for tier in (False, True):
        assert fault(edges_of(graph), proof, graph.size, compiled=tier) == ""


def mutations(rng: random.Random, proof: SatProof, lines: int) -> Iterable[SatProof]:
    """Damaged copies: a cut less or another, and so many times a line or a literal less or another."""
    cuts, drup = list(proof.cuts), list(proof.drup)
    for k in range(len(cuts)):
        yield SatProof((*cuts[:k], *cuts[k + 1 :]), proof.drup)
        yield SatProof((*cuts[:k], cuts[k][1:], *cuts[k + 1 :]), proof.drup)
    for _ in range(lines):
        k = rng.randrange(len(drup))
        yield SatProof(proof.cuts, (*drup[:k], *drup[k + 1 :]))
        words = drup[k].split()
        if words[0] != "d" and len(words) > 1:
            at = rng.randrange(len(words) - 1)
            for word in ([], [str(-int(words[at]))], [str(int(words[at]) % 9 + 1)]):
                line = " ".join([*words[:at], *word, *words[at + 1 :]])
                yield SatProof(proof.cuts, (*drup[:k], line, *drup[k + 1 :]))


DAMAGED = {"3x8": 20, "petersen": 20, "3x5 open": 10, "4x4 open": 5, "snark": 5, "4x16": 12}


@pytest.mark.parametrize(
    ("case", "lines"),
    [*DAMAGED.items(), *(pytest.param(case, 25, marks=pytest.mark.slow) for case in DAMAGED)],
)
def test_damaged_proofs(case: str, lines: int) -> None:
    """The checker and the oracle agree on each; on short proofs most damage is fatal."""
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
            without = SatProof(damaged.cuts, tuple(one for one in damaged.drup if one[0] != "d"))
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


def test_lies() -> None:
    """Nothing that is handed in is believed."""
    graph = graph_of("6x6")  # has a tour: whatever the proof, it is wrong
    edges = edges_of(graph)
    lies = {
        "does not follow": SatProof((), ("1 0", "0")),
        "not a line": SatProof((), ("1 x 0",)),
        "expected one like": SatProof((), ("1 2",)),
        "is not a line": SatProof((), ("1 0 2 0",)),
        "lines use variable": SatProof((), ("500 0", "0")),
        "cut 1": SatProof(((),), ("0",)),
        "cut 2": SatProof(((0,), tuple(range(36))), ("0",)),
        "not a set": SatProof(((0, 36),), ("0",)),
        "but not of all": SatProof(((-1,),), ("0",)),
        "contradiction": SatProof(((0, 1),), ()),
        "line 1": SatProof(((3, 4),), ("0",)),
    }
    for said, proof in lies.items():
        assert said in fault(edges, proof, graph.size)
        with pytest.raises(FormatError):
            drup.trim(formula(graph.size, edges, SatProof((), ())), proof.drup)


def test_trimming_keeps_a_proof_and_drops_the_rest() -> None:
    graph = graph_of("4x16")
    edges = edges_of(graph)
    proof = refuted(graph)
    stuffed = SatProof(((0,), *proof.cuts, (5, 6, 7)), proof.drup)
    stated = formula(graph.size, edges, stuffed)
    tiers = [drup.trim(stated, stuffed.drup, compiled=tier) for tier in (False, True)]
    assert tiers[0] == tiers[1]
    results = [trimmed(Question(graph), stuffed)]
    assert isinstance(results[0], SatProof)
    assert results[0].drup == tiers[0][0]
    assert set(results[0].cuts) <= set(proof.cuts)
    assert len(results[0].drup) <= len(proof.drup)
    assert fault(edges, results[0], graph.size) == ""
    alive: set[tuple[str, ...]] = set()
    for line in results[0].drup:
        words = line.split()
        if words[0] == "d":
            alive.remove(tuple(words[1:]))
        else:
            alive.add(tuple(words))
    assert len(alive) < 20


def test_the_same_seed_gives_the_same_proof() -> None:
    assert refuted(graph_of("4x16")) == refuted(graph_of("4x16"))


def test_exported_files_say_what_was_proved() -> None:
    for case in ("4x16", "4x4 open", "hex:2", "petersen"):
        graph = graph_of(case)
        proof = refuted(graph)
        cnf = drup.dimacs(["words"], formula_of(Question(graph), proof))
        head, *lines = [line for line in cnf.splitlines() if not line.startswith("c ")]
        clauses = [[int(word) for word in line.split()[:-1]] for line in lines]
        variables, wanted = formula(graph.size, edges_of(graph), proof)
        assert head == f"p cnf {variables} {len(clauses)}"
        assert clauses == [list(clause) for clause in wanted]
        with Solver("glucose4", bootstrap_with=clauses) as solver:
            assert not solver.solve()


@pytest.mark.parametrize("spec", ["4x16", "3x5 open", "petersen"])
def test_certificates_go_through_files(spec: str) -> None:
    closed = not spec.endswith("open")
    plain = spec == "petersen"
    board = graph_of(spec) if plain else parse_board(spec.split(maxsplit=1)[0])
    proof = refuted(graph_of(spec))
    certificate = Certificate(Question(board, closed=closed), proof)
    again = from_json(certificate.to_json())
    assert again.proof == proof
    assert verify(again)
    assert not verify(replace(again, question=replace(again.question, closed=not closed)))
    assert not verify(replace(again, proof=SatProof(proof.cuts[1:], ("0",))))


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
    """What SAT says about a random board, which has to be so.

    It may run out of time on a counting argument alone, where a reason is known at once.
    """
    _, graph, closed = any_board(rng, 24)
    ring = Question(graph, closed=closed).as_cycle
    known = ring.size == 1 or is_hamiltonian(ring)
    found = asked(ring, Budget(3 * SECOND))
    if isinstance(found, Undecided):
        assert not known
        assert isinstance(reasons(Question(ring), Budget(), cases=0), StepProof)
        return "counting"
    assert isinstance(found, SatProof) != known
    return "tour" if known else "none"


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


# ---- when it takes long


def test_the_budget_holds() -> None:
    budget = Budget(SECOND // 4)
    found = next(sat(Question(graph_of("7x7")), budget))  # parity is not for SAT
    assert isinstance(found, Undecided)
    assert "no answer" in found.reason
    assert SECOND // 4 <= budget.spent < SECOND // 3
    found = next(sat(Question(graph_of("200x200")), Budget(SECOND // 2)))
    assert isinstance(found, Undecided)
    assert "beyond the budget" in found.reason


def test_it_goes_on_where_it_was() -> None:
    """A search in turns is the search in one go: the same work, the same cuts, the same clauses learnt."""
    question, whole = Question(graph_of("4x24")), Budget()
    at_once = next(sat(question, whole))
    part = Budget(whole.spent / 8)
    answers, turns = sat(question, part), 1
    while isinstance(found := next(answers), Undecided):
        part.refill(whole.spent / 8)
        turns += 1
    assert isinstance(found, SatProof)
    assert (found, part.spent) == (at_once, whole.spent)
    assert turns > 2


def test_the_clock_ends_the_whole() -> None:
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
first = next(sat(easy, Budget()))  # also imports what is imported late, which is not our matter here
while input() == "on":
    try:
        print("asked", flush=True)
        print(next(sat(hard, Budget())))
    except KeyboardInterrupt:
        print("interrupted", flush=True)
assert (next(sat(easy, Budget())) == first).all()
"""


def test_it_can_be_interrupted() -> None:
    command = [sys.executable, "-c", INTERRUPTED]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for after in range(0, 15, 2):  # the solver, and what is between its calls
            print("on", file=running.stdin, flush=True)
            assert running.stdout.readline() == "asked\n"
            time.sleep(after / 100)
            running.send_signal(signal.SIGINT)
            assert running.stdout.readline() == "interrupted\n"
        assert running.communicate("off\n", timeout=60)[0] == ""
    assert running.returncode == 0


def test_a_solver_is_freed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    freed = []

    def freeing(*what: object) -> None:
        freed.append(what)
        raise KeyboardInterrupt

    monkeypatch.setattr(pysolvers, "cadical195_del", freeing)
    with pytest.raises(KeyboardInterrupt), Cadical() as solver:
        assert solver.look(1)
    solver.delete()
    assert len(freed) == 1
