"""Longest walks, covers by paths, removed cells, revisits: brute force, published tables, damaged proofs."""

from __future__ import annotations

import json
import random
from collections import deque
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest

import cavalcade
from cavalcade import BestWalks, Impossible, MoveGraph, Question, Tour, Undecided, best
from cavalcade.answers.certificate import StepProof
from cavalcade.ask import best_files
from cavalcade.checking.optima import Case, Place, value_and_bound
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.reductions import path_cover

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from conftest import Ran

Arc = tuple[int, int]
Ends = tuple[int | None, int | None]

FOREIGN = json.loads(cavalcade.prove("3x3").certificate.to_json())  # type: ignore[union-attr]
SQUARE = MoveGraph.from_edges([(0, 1), (1, 2), (2, 3), (0, 3)])
ATLAS = nx.graph_atlas_g()[2:209]  # all graphs of at most six vertices, without those of no or one vertex
SAMPLE = range(0, len(ATLAS), 23)


# ---- plain searches


def heads_of(n: int, arcs: Sequence[Arc]) -> list[set[int]]:
    """Return the heads of the arcs from each vertex."""
    return [{b for a, b in arcs if a == v} for v in range(n)]


def longest(
    heads: list[set[int]], ends: Ends, weights: dict[Arc, int], *, least: int, must: Sequence[int] = ()
) -> int | None:
    """Return the greatest weight of a walk, or of a closed one of at least `least` cells, by trying all."""
    weight, stack = None, [([v], 0) for v in range(len(heads)) if ends[0] in {None, v}]
    while stack:
        walk, total = stack.pop()
        first, last = walk[0], walk[-1]
        if not {*must} <= {*walk}:
            pass
        elif least and first in heads[last] and len(walk) >= least:
            weight = max(weight or 0, total + weights[last, first])
        elif not least and ends[1] in {None, last}:
            weight = max(total if weight is None else weight, total)
        stack += [([*walk, v], total + weights[last, v]) for v in heads[last] if v not in walk]
    return weight


def fewest_paths(heads: list[set[int]]) -> int:
    """Return the fewest paths of a cover, from the fewest for each set of vertices and each last vertex."""
    n = len(heads)
    fewest = {(1 << v, v): 1 for v in range(n)}
    for visited in range(1, 1 << n):
        for last in range(n):
            for v in range(n) if (visited, last) in fewest else ():
                if not visited >> v & 1:
                    state, paths = (visited | 1 << v, v), fewest[visited, last] + (v not in heads[last])
                    fewest[state] = min(paths, fewest.get(state, n))
    return min(fewest[(1 << n) - 1, v] for v in range(n))


def fewest_revisits(heads: list[set[int]], ends: Ends, *, closed: bool) -> int | None:
    """Return the fewest revisits of a walk through all vertices: a search over visited sets; None if none."""
    n, lengths = len(heads), []
    for first in range(n) if ends[0] is None else [ends[0]]:
        queue, known = deque([(first, 1 << first, 0)]), {(first, 1 << first)}
        while queue:
            v, visited, moves = queue.popleft()
            if visited == (1 << n) - 1 and (v == first if closed else ends[1] in {None, v}):
                lengths.append(moves)
                break
            for head in heads[v]:
                if (state := (head, visited | 1 << head)) not in known:
                    known.add(state)
                    queue.append((*state, moves + 1))
    return min(lengths, default=None) if not lengths else min(lengths) - (n if closed else n - 1)


def compare(n: int, arcs: Sequence[Arc], ends: Ends = (None, None), *, directed: bool) -> None:
    """Compare the answers for a graph with the plain searches."""
    graph = MoveGraph.from_edges([(a, b) for a, b in arcs if directed or a < b], n, directed=directed)
    heads, ones = heads_of(n, arcs), dict.fromkeys(arcs, 1)
    names = [None if end is None else graph.names[end] for end in ends]
    words: dict[str, Any] = {"start": names[0], "end": names[1]}
    for closed in (True, False) if ends[1] is None else (False,):
        least = 0 if not closed else 2 if directed else 3
        about = dict(words, open=not closed)
        expect(best(graph, "longest", **about), longest(heads, ends, ones, least=least))
        expect(best(graph, "fewest revisits", **about), fewest_revisits(heads, ends, closed=closed))
    if ends == (None, None):
        expect(best(graph, "fewest paths"), fewest_paths(heads))


def expect(answer: BestWalks | Impossible | Undecided, value: int | None) -> None:
    """Check that an answer has a value and a proof that it is the best; or that there is no walk."""
    if value is None:
        assert isinstance(answer, Impossible)
    else:
        assert isinstance(answer, BestWalks)
        assert (answer.value, answer.bound, answer.exact) == (value, value, True)


@pytest.mark.parametrize("index", [*SAMPLE])
def test_small_graphs(index: int) -> None:
    edges = [*ATLAS[index].edges()]
    compare(len(ATLAS[index]), edges + [(b, a) for a, b in edges], directed=False)


@pytest.mark.slow
@pytest.mark.parametrize("index", [index for index in range(len(ATLAS)) if index not in SAMPLE])
def test_all_small_graphs(index: int) -> None:
    test_small_graphs(index)


@pytest.mark.parametrize(
    "seed", [*range(6), *(pytest.param(i, marks=pytest.mark.slow) for i in range(6, 150))]
)
def test_digraphs_and_ends(seed: int) -> None:
    chance = random.Random(seed)
    n, directed = chance.randint(2, 6), seed % 3 > 0
    pairs = [(a, b) for a in range(n) for b in range(n) if directed or a < b]
    arcs = [pair for pair in pairs if pair[0] != pair[1] and chance.random() < 0.4]
    start, end = chance.sample(range(n), 2)
    ends = chance.choice([(None, None), (start, None), (start, end)])
    compare(n, arcs if directed else arcs + [(b, a) for a, b in arcs], ends, directed=directed)


@pytest.mark.parametrize("seed", [0, 2, *(pytest.param(i, marks=pytest.mark.slow) for i in range(3, 300))])
def test_cells_that_may_be_left_out(seed: int) -> None:
    """Compare with all walks through the other cells, on graphs and digraphs, with ends and without."""
    chance = random.Random(seed)
    n, directed = chance.randint(3, 6), seed % 3 == 0
    pairs = [(a, b) for a in range(n) for b in range(n) if directed or a < b]
    arcs = [pair for pair in pairs if pair[0] != pair[1] and chance.random() < 0.5]
    graph = MoveGraph.from_edges(arcs, n, directed=directed)
    heads = heads_of(n, arcs if directed else arcs + [(b, a) for a, b in arcs])
    ones = {(a, b): 1 for a in range(n) for b in heads[a]}
    start, end = chance.sample(range(n), 2)
    for ends in ((None, None), (start, None), (start, end)):
        must = chance.sample(range(n), chance.randint(0, 4 if n > 4 else 2))
        optional = [graph.names[cell] for cell in range(n) if cell not in must]
        for closed in (True, False) if ends[1] is None else (False,):
            least = 0 if not closed else 2 if directed else 3
            names = [None if cell is None else graph.names[cell] for cell in ends]
            answer = best(graph, optional=optional, open=not closed, start=names[0], end=names[1])
            expect(answer, longest(heads, ends, ones, least=least, must=must))


def test_optional_cells_are_refused_without_meaning() -> None:
    with pytest.raises(CavalcadeError, match="fewest paths leaves out no cell: drop the optional cells"):
        best("4x4", "fewest paths", optional="a1")
    with pytest.raises(CavalcadeError, match="z9"):
        best("4x4", optional="z9")
    assert isinstance(best("3x3", optional="a1"), Impossible)
    expect(best("3x3", optional="b2"), 8)


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(i, marks=pytest.mark.slow) for i in range(3, 60))]
)
def test_weights(seed: int) -> None:
    chance = random.Random(seed)
    n = chance.randint(3, 6)
    edges = {(a, b): chance.randint(-3, 9) for a in range(n) for b in range(a) if chance.random() < 0.6}
    edges = {(b, a): weight for (a, b), weight in sorted(edges.items())} or {(0, 1): 1}
    graph = MoveGraph.from_edges([*edges], n)
    weights = edges | {(b, a): weight for (a, b), weight in edges.items()}
    answer = best(graph, "longest", weights=[edges[move] for move in graph.pairs()], open=True)
    expect(answer, longest(heads_of(n, [*weights]), (None, None), weights, least=0))


# ---- published

# The fewest squares to remove for a closed tour (J. DeMaio and T. Hippchen, Closed knight's tours with
# minimal square removal for all rectangular boards, Mathematics Magazine 82, 2009): none on the boards of
# Schwenk's theorem, one on boards of odd sides from 3, except 3x5.
ONE_REMOVED = ("3x3", "3x7", "5x5", "5x7", "7x7")
SLOW_ONES = ("3x9", "3x11", "5x9", "7x9", "9x9")


@pytest.mark.parametrize(
    "board", [*ONE_REMOVED, *(pytest.param(board, marks=pytest.mark.slow) for board in SLOW_ONES)]
)
def test_one_square_is_removed_from_boards_of_odd_sides(board: str) -> None:
    expect(best(board, "fewest removed"), 1)


@pytest.mark.parametrize(("board", "number"), [("3x4", 2), ("3x5", 3), ("4x4", 2), ("4x7", 2), ("6x6", 0)])
def test_more_squares_are_removed_from_other_boards(board: str, number: int) -> None:
    """Remove these squares from the board: the rest has a tour. With one fewer no rest has a tour."""
    answer = best(board, "fewest removed")
    expect(answer, number)
    assert isinstance(answer, BestWalks)
    assert len(answer.left_out) == number
    assert cavalcade.tour(board, avoid_cells=answer.left_out).status == "found"


@pytest.mark.slow
@pytest.mark.parametrize("board", ["3x4", "3x5", "4x4"])
def test_fewer_removed_squares_leave_no_tour(board: str) -> None:
    from itertools import combinations

    answer = best(board, "fewest removed")
    assert isinstance(answer, BestWalks)
    for names in combinations(cavalcade.board(board).names, int(answer.value) - 1):
        assert cavalcade.prove(board, avoid_cells=names).status == "impossible"


def test_the_petersen_graph_has_a_cycle_of_nine_vertices() -> None:
    expect(best("petersen", "longest"), 9)
    expect(best("petersen", "longest", open=True), 9)


def test_a_part_of_the_board_is_enough() -> None:
    """A camel stays on squares of one colour: the longest closed walk visits all 32 of them."""
    expect(best("8x8", "longest", piece="camel"), 32)
    expect(best("8x8", "fewest paths", piece="camel"), 2)
    answer = best("8x8", "fewest revisits", piece="camel")
    assert isinstance(answer, Impossible)
    assert "no walk leads from" in answer.reason


def test_a_guess_finds_a_walk_as_long_as_the_colours_allow() -> None:
    expect(best(cavalcade.board("8x8").without(["c1"]), "longest", piece="wazir"), 62)


def test_a_star_has_no_cycle_and_needs_many_paths() -> None:
    star = MoveGraph.from_edges([(0, leaf) for leaf in range(1, 14)])
    expect(best(star, "longest"), None)
    expect(best(star, "fewest paths"), 12)
    expect(best(star, "fewest revisits"), 12)
    expect(best("1x1", "longest"), 0)


# ---- wrong walks, wrong proofs


def place_of(board: str, **words: Any) -> Place:
    return Place(Question.of(board, **words))


def found(board: str, what: Any, **words: Any) -> BestWalks:
    answer = best(board, what, **words)
    assert isinstance(answer, BestWalks)
    return answer


@pytest.mark.parametrize(
    ("what", "cells", "message"),
    [
        ("longest", [0, 6, 0], "visits a cell twice"),
        ("longest", [0, 5], "is not a move"),
        ("paths", [0, 6, 15], "do not visit all cells"),
        ("revisits", [0, 6, 15], "do not visit all cells"),
    ],
)
def test_wrong_walks(what: str, cells: list[int], message: str) -> None:
    walk = Tour(cavalcade.board("4x4"), np.array(cells), closed=False)
    with pytest.raises(AssertionError, match=message):
        value_and_bound(place_of("4x4", open=True), what, [walk], ())


@pytest.mark.parametrize(("ends", "name"), [({"start": "a1"}, "a4, not a1"), ({"end": "a4"}, "c3, not a4")])
def test_wrong_ends(ends: dict[str, str], name: str) -> None:
    walk = Tour(cavalcade.board("4x4"), np.array([0, 6]), closed=False)
    with pytest.raises(AssertionError, match=f"a walk has the end {name}"):
        value_and_bound(place_of("4x4", open=True, **ends), "longest", [walk], ())


def test_a_closed_walk_of_two_cells_is_no_cycle() -> None:
    walk = Tour(cavalcade.board("4x4"), np.array([0, 6]), closed=True)
    with pytest.raises(AssertionError, match="too few cells"):
        value_and_bound(place_of("4x4"), "longest", [walk], ())


@pytest.fixture(scope="module")
def closed_case() -> tuple[Place, tuple[Case, ...]]:
    """The cases of a graph without two colours, so that certificates prove the bound, and not the colours."""
    wheel = [(0, leaf) for leaf in range(1, 7)] + [(1, 2), (3, 4), (5, 6)]
    graph = MoveGraph.from_edges(wheel)
    answer = best(graph, "longest")
    assert isinstance(answer, BestWalks)
    assert (answer.value, answer.exact) == (3, True)
    assert any(case.root is not None for case in answer.cases)
    return Place(Question.of(graph)), answer.cases


def test_the_bound_needs_its_cases(closed_case: tuple[Place, tuple[Case, ...]]) -> None:
    place, cases = closed_case
    assert value_and_bound(place, "longest", (), cases)[1] == 3
    assert value_and_bound(place, "longest", (), ())[1] > 3
    assert value_and_bound(place, "longest", (), [case for case in cases if case.root is None])[1] > 3


def damaged(case: Case) -> list[Case]:
    """Return copies of a case, each with one error."""
    about, proof = case.certificate, case.certificate.proof
    assert isinstance(proof, StepProof)
    copies = [
        case._replace(root=next(cell for cell in case.cells if cell != case.root)),
        case._replace(root=None),
        case._replace(cells=case.cells[1:]),
        case._replace(cells=case.cells[::-1]),
        case._replace(certificate=replace(about, question=replace(about.question, closed=False))),
        case._replace(certificate=replace(about, question=Question.of("4x4"))),
    ]
    if (limit := proof.limit) is not None:
        limits = [
            replace(limit, most=limit.most + 2),
            replace(limit, weights=(limit.weights[0] - 1, *limit.weights[1:])),
            replace(limit, weights=tuple(2 * weight for weight in limit.weights)),
        ]
        copies += [
            case._replace(certificate=replace(about, proof=replace(proof, limit=changed)))
            for changed in limits
        ]
    return copies


def test_damaged_cases_are_refused(closed_case: tuple[Place, tuple[Case, ...]]) -> None:
    place, cases = closed_case
    index = next(i for i, case in enumerate(cases) if case.root is not None)
    assert cases[index].certificate.weight_limit is not None
    for case in damaged(cases[index]):
        with pytest.raises(AssertionError):
            value_and_bound(place, "longest", (), [*cases[:index], case, *cases[index + 1 :]])


def test_a_certificate_about_more_paths_than_cells_proves_nothing() -> None:
    question = Question.of("3x3", open=True)
    verdict = cavalcade.prove(path_cover(question, 10))
    assert isinstance(verdict, Impossible)
    assert verdict.certificate is not None
    with pytest.raises(AssertionError, match="more paths than cells"):
        value_and_bound(Place(question), "paths", (), [Case(verdict.certificate)])


def test_proofs_for_another_question_are_refused(closed_case: tuple[Place, tuple[Case, ...]]) -> None:
    """Proofs that bound another value, each valid by itself."""
    limited = next(case for case in closed_case[1] if case.certificate.weight_limit is not None)
    star = MoveGraph.from_edges([(0, leaf) for leaf in range(1, 12)])
    verdict = cavalcade.prove(star)
    assert isinstance(verdict, Impossible)
    assert verdict.certificate is not None
    unlimited = Case(verdict.certificate)
    few = Case(replace(limited.certificate, question=Question.of(star)))
    sized = Place(Question.of(cavalcade.board("3x4")))
    for place, what, case, message in (
        (place_of("3x3", open=True), "paths", limited, "a certificate about paths has a bound"),
        (sized, "revisits", unlimited, "has no limit of the weight"),
        (sized, "revisits", few, "does not have all pairs"),
        (place_of("5x5", open=True, start="a2"), "longest", limited, "not about a connected part"),
    ):
        with pytest.raises(AssertionError, match=message):
            value_and_bound(place, what, (), [case])


def test_a_proof_about_other_distances_is_refused() -> None:
    case = found("4x4", "fewest revisits").cases[-1]
    proof = case.certificate.proof
    assert isinstance(proof, StepProof)
    assert proof.limit is not None
    assert value_and_bound(place_of("4x4"), "revisits", (), [case])[1] == 2
    heavier = tuple(weight + 1 for weight in proof.limit.weights)
    for weights in (heavier, tuple(weight + Decimal("0.5") for weight in proof.limit.weights)):
        limit = replace(proof.limit, weights=weights)
        other = Case(replace(case.certificate, proof=replace(proof, limit=limit)))
        with pytest.raises(AssertionError, match=r"exceeds the length|whole number"):
            value_and_bound(place_of("4x4"), "revisits", (), [other])
    with pytest.raises(AssertionError, match="not about walks of this board"):
        value_and_bound(place_of("3x4"), "revisits", (), [case])


def test_a_limit_keeps_the_bound_true() -> None:
    """The answer at a time limit is a walk with a bound that is proved, or undecided."""
    answer = best("4x12", "fewest removed", time_limit=0.001)
    if isinstance(answer, BestWalks):
        assert answer.bound <= 2 <= answer.value
    else:
        assert isinstance(answer, Undecided)


# ---- questions and the command


@pytest.mark.parametrize(
    ("what", "words", "message"),
    [
        ("longest", {"symmetry": "half turn"}, "supports ends"),
        ("longest", {"with_": ["a1-b3"]}, "supports ends"),
        ("longest", {"through": ["a4", "d4"]}, "supports ends"),  # a walk need not visit both, as a tour does
        ("longest", {"open": True, "at": {16: "d4"}}, "supports ends"),  # nor have so many steps
        ("fewest paths", {"open": True, "start": "a1"}, "any ends"),
        ("fewest paths", {"weights": [1] * 24}, "drop the weights"),
        ("longest", {"weights": [1] * 24}, "open walks"),
        ("best", {}, "expected"),
    ],
)
def test_other_questions_are_refused(what: Any, words: dict[str, Any], message: str) -> None:
    with pytest.raises((CavalcadeError, TypeError), match=message):
        best("4x4", what, **words)


def test_a_question_with_an_order_is_refused() -> None:
    ordered = cavalcade.Question.of("4x4", open=True, through=["a4", "d4", "b1"])
    for ask in (best, cavalcade.count_walks):
        with pytest.raises(CavalcadeError, match="ends, and moves to avoid: drop the rest"):
            ask(ordered)


def test_command(cli: Callable[..., Ran]) -> None:
    ran = cli("best", "4x4", "--fewest-paths", "--json")
    answer = json.loads(ran.out)
    assert (ran.code, answer["value"], answer["bound"], answer["exact"]) == (0, 2, 2, True)
    assert sorted(cell for path in answer["paths"] for cell in path) == sorted(cavalcade.board("4x4").names)
    assert answer["proof"][0]["certificate"]["statement"] == "open tour of 4x4"
    ran = cli("best", "3x3", "--longest")
    assert "closed walk of 3x3, 8 of 9 cells" in ran.out
    assert "8 of 9 cells; no closed walk of 3x3 has more, certified" in ran.err
    ran = cli("best", "3x4", "--fewest-revisits", "--piece", "wazir")
    head, line = ran.out.splitlines()
    assert head == "; closed walk of 3x4, 12 of 12 cells, piece 0,1"
    walk = line.split()
    assert all(abs(ord(a[0]) - ord(b[0])) + abs(int(a[1]) - int(b[1])) == 1 for a, b in pairwise(walk))
    for options in ((), ("--longest", "--fewest-paths")):
        assert cli("best", "3x4", *options).code == 2
    assert "reads weights from a file" in cli("best", "hex:2", "--longest", "--open", "--weighted").err


def test_weights_of_a_file(cli: Callable[..., Ran], tmp_path: Any) -> None:
    file = tmp_path / "links.csv"
    file.write_text("from,to,weight\na,b,5\nb,c,1\nb,d,4\nc,d,7\n")
    ran = cli("best", str(file), "--longest", "--open", "--weighted", "--json")
    answer = json.loads(ran.out)
    assert (ran.code, answer["value"], answer["cells"]) == (0, "16", ["a", "b", "d", "c"])


def test_a_refused_tour_names_the_command(cli: Callable[..., Ran]) -> None:
    assert "cavalcade best 4x4 --open" in cli("tour", "4x4", "--open").err
    assert "cavalcade best" not in cli("tour", "5x6").err


# ---- files


@pytest.mark.parametrize(
    ("board", "what", "words"),
    [
        ("4x4", "longest", {"open": True}),
        ("4x4", "fewest paths", {}),
        ("3x5", "fewest removed", {"optional": "a3,e2,e1,c2"}),
        ("3x4", "fewest revisits", {}),
        ("petersen", "longest", {}),
        (SQUARE, "longest", {"open": True, "weights": [2, 3, -1, 4]}),
    ],
)
def test_damaged_files_of_walks_are_refused(board: Any, what: Any, words: dict[str, Any]) -> None:
    answer = best(board, what, **words)
    assert isinstance(answer, BestWalks)
    text = best_files.write(answer)
    checked = best_files.check_file(text)
    assert checked.ok, checked.message
    assert checked.message.endswith(f": {answer.value}, which is best")
    whole = json.loads(text)
    damaged: list[dict[str, Any]] = [
        whole | {"value": str(answer.value + 1)},
        whole | {"bound": str(answer.bound + 1)},
        whole | {"walks": [whole["walks"][0][:1]]},
        whole | {"walks": [[*whole["walks"][0], whole["walks"][0][0]]]},
        whole | {"visited": answer.left_out} if answer.left_out else whole | {"value": "0"},
    ]
    if whole["cases"]:
        damaged.append(whole | {"cases": whole["cases"][:-1]})
        damaged.append(whole | {"cases": [whole["cases"][0] | {"certificate": FOREIGN}]})
    for other in damaged:
        assert best_files.check_file(json.dumps(other)).ok is False, other


def test_a_file_of_walks_is_checked_by_the_command(cli: Callable[..., Ran], tmp_path: Path) -> None:
    file = tmp_path / "walk.proof"
    cli("best", "3x3", "--fewest-removed", "--proof", str(file))
    assert cli("check", str(file)).out == "fewest removed (closed tour of 3x3): 1, which is best\n"
    text = file.read_text()
    file.write_text(text.replace("tour of 3x3", "tour of 3x3, symmetric under the half turn"))
    assert "the statement has other constraints" in cli("check", str(file)).err
    file.write_text(text.replace('"value": "1"', '"value": "0"'))
    ran = cli("check", str(file))
    assert (ran.code, ran.out) == (
        1,
        "wrong: the value for fewest removed (closed tour of 3x3) is 1, not 0\n",
    )
    for broken in ('{"best": 9}', text.replace('"what"', '"which"'), text[:-9]):
        file.write_text(broken)
        assert cli("check", str(file)).code == 2


def test_a_file_of_paths(cli: Callable[..., Ran], tmp_path: Path) -> None:
    """Several paths are text, a table or an object; other formats are refused before the search."""
    for ending in ("txt", "csv", "json"):
        assert cli("best", "4x4", "--fewest-paths", "-o", str(tmp_path / f"paths.{ending}")).code == 0
    title, *rows = (tmp_path / "paths.csv").read_text().splitlines()
    whole = json.loads((tmp_path / "paths.json").read_text())
    listed = [f"{i},{k},{name}" for i, path in enumerate(whole["paths"], 1) for k, name in enumerate(path, 1)]
    assert (title, rows) == ("path,step,cell", listed)
    assert sorted(row.split(",")[2] for row in rows) == sorted(cavalcade.board("4x4").names)
    assert (tmp_path / "paths.txt").read_text().count("; walk of 4x4, ") == len(whole["paths"]) == 2
    ran = cli("best", "4x4", "--fewest-paths", "-o", "paths.npy")
    assert (ran.code, ran.out) == (2, "")
    assert "cannot write several paths as npy. Pictures: .svg .png .pdf. Data: .txt .csv .json" in ran.err
