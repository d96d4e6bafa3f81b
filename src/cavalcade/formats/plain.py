"""Certificates in the plain format of the proved checker, `out/formal/verify` of `make formal`.

A file contains a graph and a proof as words between spaces or newlines; `formal/README.md` describes the
format. The graph is built by the package's own checker.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np

from cavalcade.answers.certificate import Certificate, PositionProof, SatProof, Step, StepProof, Term, flat
from cavalcade.checking.geometry import Ints
from cavalcade.ground.errors import FormatError
from cavalcade.question.question import Question
from cavalcade.question.statement import WeightLimit


def write(certificate: Certificate) -> str:
    """Write a certificate.

    Raises:
        FormatError: the proved checker does not support the kind of proof, a step has the wrong number of
            cases, or the lines do not end in a contradiction.
    """
    from cavalcade.checking.constraints import closed_graph, moves_left, vertex_map

    question, proof = certificate.question, certificate.proof
    if isinstance(proof, PositionProof):
        if question.through:
            raise FormatError("the proved checker does not support an order of cells")
        return _text("graph", question.board.size, moves_left(question), _positions(question, proof))
    if isinstance(proof, StepProof) and [step.rule for step in proof.steps] == ["steps"]:
        return _text("graph", question.board.size, moves_left(question), _between(question, proof.steps[0]))
    size, edges = closed_graph(question)
    image = vertex_map(question, size)
    vertices = [] if image is None else [" ".join(["map", *map(str, (image + 1).tolist())])]
    if not isinstance(proof, StepProof):
        return _text("graph", size, edges, chain(vertices, _clauses(question, proof, size, edges)))
    if any(step.rule == "apart" for step in flat(proof.steps)):
        raise FormatError("the proved checker does not know the rule 'apart'")
    if question.coils and not all(term.cells for step in flat(proof.steps) for term in step.terms):
        raise FormatError("the proved checker does not know coils")
    weights = [] if proof.limit is None else [_weights(question, edges, proof.limit)]
    if question.one_way:
        # The layers of vertices are 0 for c, 1 for `>c`, 2 for `c>` and 3 for `*`. A tour goes from `>c` to
        # c, to `c>`, and on to another `>c` or to `*`. Turn the edges of layers 0-1, 1-2 and 1-3 around.
        tails, heads = edges.T // question.board.size
        back = np.isin(4 * tails + heads, (1, 6, 7))
        edges[back] = edges[back, ::-1]
    word = "digraph" if question.one_way else "graph"
    return _text(word, size, edges, chain(weights, vertices, _steps(proof.steps)))


def _text(word: str, size: int, edges: Ints, lines: Iterable[str]) -> str:
    """A graph, and the lines that follow it."""
    named = (f"{a + 1} {b + 1}" for a, b in edges.tolist())
    return "\n".join([f"{word} {size} {len(edges)}", *named, *lines, ""])


def _weights(question: Question, edges: Ints, limit: WeightLimit) -> str:
    """The largest weight of the tours, and the weight of each edge."""
    from cavalcade.checking.weights import unweighed, weights_of

    if wrong := unweighed(question, limit):
        raise FormatError(wrong)
    weights, most, _ = weights_of(question, edges, limit)
    return " ".join(map(str, ("weights", most, *weights.tolist())))


def _between(question: Question, step: Step) -> Iterator[str]:
    """Two vertices with given steps, and the number of moves between them."""
    number = {cell: number for number, cell in question.given.items()}
    if len(step.cells) != 2 or not set(step.cells) <= set(number):
        raise FormatError("a step is about two cells with given steps")
    a, b = step.cells
    if number[b] < number[a] and not question.closed:
        raise FormatError("an open tour does not go back")
    yield f"between {a + 1} {b + 1} {(number[b] - number[a]) % question.board.size}"


def _positions(question: Question, proof: PositionProof) -> Iterator[str]:
    """A proof by positions: the subject of its formula, and its lines as LRAT."""
    from cavalcade.checking.certificates import formula_of
    from cavalcade.checking.drup import lrat

    yield f"positions {'closed' if question.closed else 'open'}"
    yield f"given {len(question.given)}"
    yield from (f"{cell + 1} {step}" for step, cell in question.given.items())
    yield f"required {len(question.required)}"
    yield from (f"{a + 1} {b + 1}" for a, b in question.required)
    yield f"lrat\n{lrat(formula_of(question, proof), proof.drup)}"


def _steps(steps: tuple[Step, ...]) -> Iterator[str]:
    """A proof by steps."""
    yield f"proof {len(steps)}"
    for step in steps:
        if len(step.cases) != (2 if step.rule == "branch" else 0):
            raise FormatError("a branch has two cases, and other rules have none")
        if step.terms and step.rule != "linear":
            raise FormatError("the rule 'linear' has terms, and other rules have none")
        yield f"{step.rule} {_listed(step.cells)}"
        if step.rule == "linear":
            yield str(len(step.terms))
            yield from (f"{term.number} {_listed(term.cells)}{_odd(term)}" for term in step.terms)
        for case in step.cases:
            yield from _steps(case)


def _odd(term: Term) -> str:
    """The odd moves of a term, if it has any."""
    if not term.odd:
        return ""
    pairs = chain.from_iterable((a + 1, b + 1) for a, b in term.odd)
    return " ".join(map(str, (" odd", len(term.odd), *pairs)))


def _clauses(question: Question, proof: SatProof, size: int, edges: Ints) -> Iterator[str]:
    """A proof by SAT: the subject of its formula, and its lines as LRAT."""
    from cavalcade.checking.certificates import formula_of
    from cavalcade.checking.drup import lrat
    from cavalcade.checking.events import events_of

    yield f"sat\nabout {_listed(range(size) if proof.cells is None else sorted(proof.cells))}"
    if proof.at_most is not None:
        events = events_of(question, edges, proof.at_most)
        yield f"bound {proof.at_most.most} {len(events)}"
        for event in events:
            yield str(len(event))
            yield from (" ".join(map(str, (len(clause), *clause))) for clause in event)
    yield f"cuts {len(proof.cuts)}"
    yield from (_listed(sorted(set(cut))) for cut in proof.cuts)
    yield f"lrat\n{lrat(formula_of(question, proof), proof.drup)}"


def _listed(cells: Sequence[int]) -> str:
    """The number of vertices, and their numbers from 1."""
    return " ".join(map(str, (len(cells), *(cell + 1 for cell in cells))))
