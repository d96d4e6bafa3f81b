"""A proof in words: a paragraph for a teacher, every cell by its name.

The steps are taken again, as in `checking.certificates.verify`; each is put in words before it is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.certificate import PositionProof, SatProof, StepProof, flat
from cavalcade.checking.certificates import closed_graph, take
from cavalcade.checking.constraints import one_way
from cavalcade.checking.present import FORCED, OUT, PresentGraph
from cavalcade.checking.rules import RULES
from cavalcade.checking.words import MOST, counted, listed
from cavalcade.question.as_graph import EXTRA

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.answers.certificate import Certificate, Step

    Sentence = tuple[str, Step | None, PresentGraph | None]

# rules that call places by their cells
BY_CELLS = {"degree", "hall", "reach", "tight", "forced", "saturated", "three", "cycle", "subtour", "branch"}
LONG = 400  # steps; longer proofs are summed up


def sentences(certificate: Certificate) -> list[str]:
    """The sentences of a proof that `checking.certificates.verify` accepts. Takes as long as `verify`."""
    return [sentence for sentence, _, _ in with_steps(certificate)]


def with_steps(certificate: Certificate) -> Iterator[Sentence]:
    """The sentences one by one, each with the step that it states and what is known before that step.

    Sentences of no step come with None. What is known changes with the next sentence.
    """
    question = certificate.question
    none = f"So there is {certificate.claim}."
    if isinstance(certificate.proof, PositionProof):
        yield _of_positions(certificate.proof), None, None
        yield none, None, None
        return
    size, edges = closed_graph(question)
    if not _speaks_of_cells_alone(certificate):
        yield from ((sentence, None, None) for sentence in _of_places(certificate))
    if isinstance(certificate.proof, SatProof):
        yield _of_sat(certificate, certificate.proof, len(edges)), None, None
    elif (count := sum(1 for _ in flat(certificate.proof.steps))) > LONG:
        cases = sum(1 for step in flat(certificate.proof.steps) if step.cases)
        of = f"distinguishes {cases + 1:,} cases, in" if cases else "has"
        yield f"The proof {of} {count:,} steps and is meant for a program to check.", None, None
    else:
        present = PresentGraph(size, edges, certificate.name, question)
        yield from _of_steps(present, certificate.proof.steps, "")
    yield none, None, None


def _of_places(certificate: Certificate) -> list[str]:
    """The places beside the cells that the proof speaks of."""
    question, (hub, link) = certificate.question, EXTRA
    found: list[str] = []
    arcs = one_way(question)
    steps = flat(certificate.proof.steps) if isinstance(certificate.proof, StepProof) else ()
    if arcs and not (steps and all(step.rule in BY_CELLS for step in steps)):
        goes = (
            f"Moves go {question.direction}"
            if question.direction
            else "Moves go from the tail of an edge to its head"
        )
        found.append(
            f"{goes} only. Beside every cell c put a place >c, where a tour arrives, and a "
            "place c>, where it leaves, and let a move from a to b lead from a> to >b."
        )
    if not question.closed:
        given = [certificate.name(c) for c in question.ends]
        if arcs:
            begin, end = (
                "every cell" if cell is None else certificate.name(cell)
                for cell in (question.start, question.end)
            )
            found.append(f"Add a place {hub} beside the board, with moves to {begin} and from {end}")
        elif len(given) == 2:
            found.append(f"Add a place {hub} beside the board, next to {given[0]} and {given[1]} alone")
        elif given:
            found.append(
                f"Add two places beside the board: {hub}, next to every cell but {given[0]}, and {link} "
                f"between {given[0]} and {hub}"
            )
        else:
            found.append(f"Add a place {hub} beside the board, next to every cell")
        these = " with these ends" if given else ""
        found[-1] += f": an open tour of the board{these} is then a closed tour of all places."
    if question.required and arcs:
        found.append(
            "Where a move from a to b has to be made, leave out the other moves from a and the others to b."
        )
    elif question.required:
        found.append(
            "On every move from a to b that has to be made put two places, a-b and b-a: a tour of all places "
            "makes the move."
        )
    return found


def _of_sat(certificate: Certificate, proof: SatProof, moves: int) -> str:
    """What the lines say together, and of which cells."""
    cuts, alone = counted(len(proof.cuts), "set"), proof.cells
    bound = f" {proof.at_most}" if proof.at_most else ""
    if alone is None:
        said = (
            f"Every tour makes two of the moves of each cell, and leaves each of {cuts} of cells: no choice "
            f"among the {moves:,} moves does all of that{bound}."
        )
    else:
        which = listed([certificate.name(cell) for cell in alone[:MOST]], len(alone))
        said = (
            f"Look at {counted(len(alone), 'cell')} alone: {which}. Every tour makes two of the moves of "
            f"each, and leaves each of {cuts} of them: whatever it does elsewhere, no choice of moves does "
            "all of that."
        )
    return (
        f"{said} The proof has {len(proof.drup):,} lines, each of which follows from those before it by unit "
        "propagation, and is meant for a program to check."
    )


def _of_positions(proof: PositionProof) -> str:
    """What the lines say together."""
    if len(proof.drup) == 1:
        return (
            "Say for every cell on which steps a tour may be there: not on one before or after which it can "
            "be on no cell a move away. Where that ends, some cell has no step left, or some step no cell."
        )
    return (
        "Every cell has one step, every step one cell, and the next step is one move away: no choice does "
        f"all of that. The proof has {len(proof.drup):,} lines, each of which follows from those before it "
        "by unit propagation, and is meant for a program to check."
    )


def _speaks_of_cells_alone(certificate: Certificate) -> bool:
    """Whether a proof about open tours is one cut, which can be explained without an added place."""
    question, proof = certificate.question, certificate.proof
    if question.closed and not question.required and isinstance(proof, StepProof) and len(proof.steps) == 1:
        return proof.steps[0].rule in BY_CELLS
    if certificate.reason != "cut" or question.ends or one_way(question) or not isinstance(proof, StepProof):
        return False
    return question.apex in proof.steps[0].cells


def _of_steps(present: PresentGraph, steps: tuple[Step, ...], case: str) -> Iterator[Sentence]:
    """The sentences of some steps; `case` numbers the case they belong to."""
    for step in steps:
        sentence = RULES[step.rule].sentence(present, np.array(step.cells, dtype=np.int64))
        if step.cases:
            yield from _cases(present, step, sentence, case)
            return
        yield sentence, step, present
        if step is not steps[-1]:
            take(present, step)


def _cases(present: PresentGraph, step: Step, move: str, case: str) -> Iterator[Sentence]:
    """Both cases of a branch."""
    edge = present.edge(np.array(step.cells))
    for k, (steps, status) in enumerate(zip(step.cases, (FORCED, OUT), strict=True), 1):
        label = f"{case}.{k}" if case else f"{k}"
        uses = "uses" if status == FORCED else "does not use"
        opening = f"Case {label}: the tour {uses} {move}. "
        since = present.assume(edge, status)
        for sentence, inner, known in _of_steps(present, steps, label):
            yield opening + sentence, inner, known
            opening = ""
        present.take_back(since)
