"""A proof in words: a paragraph for a teacher, every cell by its name.

Each step is put in words before it is taken, as in `checking.certificates.verify`: while a proof is checked,
or again for one that was.
"""

from __future__ import annotations

from collections.abc import Iterator

from cavalcade.answers.certificate import Certificate, PositionProof, SatProof, Step, StepProof, flat
from cavalcade.checking.certificates import Taken, follow, verified, verify
from cavalcade.checking.constraints import closed_graph
from cavalcade.checking.present import MOST, PresentGraph, counted, listed
from cavalcade.checking.rules import DEDUCTIONS, RULES, subject
from cavalcade.checking.tours import Checked
from cavalcade.question.as_graph import EXTRA

Sentence = tuple[str, Step | None, PresentGraph | None]

# rules that call places by their cells
BY_CELLS = {
    "degree", "hall", "reach", "sign", "tight", "forced", "saturated", "three", "cycle", "subtour", "branch",
}  # fmt: skip
LONG = 400  # steps; longer proofs are summed up


def sentences(certificate: Certificate) -> list[str]:
    """The sentences of a proof that `checking.certificates.verify` accepts. Takes as long as `verify`."""
    return [sentence for sentence, _, _ in with_steps(certificate)]


def verified_in_words(certificate: Certificate) -> tuple[Checked, list[str]]:
    """What `checking.certificates.verify` says of a proof, and its sentences, which a wrong one has not.

    A proof by steps is followed once for both.
    """
    said: list[str] = []

    def told(present: PresentGraph, taken: Taken) -> Iterator[object]:
        said.extend(sentence for sentence, _, _ in _told(certificate, present, taken))
        yield from taken  # those that were not put in words

    try:
        if checked := verified(certificate, told):
            return checked, said or sentences(certificate)
    except Exception as error:  # the words of a step that is wrong can fail in any way
        if isinstance(error, (TimeoutError, MemoryError)):
            raise
    checked = verify(certificate)
    return checked, sentences(certificate) if checked else []


def with_steps(certificate: Certificate) -> Iterator[Sentence]:
    """The sentences one by one, each with the step that it states and what is known before that step.

    Sentences of no step come with None. What is known changes with the next sentence.
    """
    if isinstance(certificate.proof, StepProof):
        present = PresentGraph(certificate.question, certificate.name)
        return _told(certificate, present, follow(present, certificate.proof.steps))
    return _told(certificate, None, iter(()))


def _told(certificate: Certificate, present: PresentGraph | None, taken: Taken) -> Iterator[Sentence]:
    """The same, given the graph and the steps of a proof by steps, of which the last may not be taken."""
    proof = certificate.proof
    if not isinstance(proof, PositionProof) and not _speaks_of_cells_alone(certificate):
        yield from ((sentence, None, None) for sentence in _of_places(certificate))
    if not isinstance(proof, StepProof):
        yield _of_lines(certificate, proof), None, None
    elif (count := sum(1 for _ in flat(proof.steps))) > LONG:
        cases = sum(1 for step in flat(proof.steps) if step.rule == "branch")
        of = f"distinguishes {cases + 1:,} cases, in" if cases else "has"
        yield f"The proof {of} {count:,} steps and is meant for a program to check.", None, None
    elif present is not None:
        yield from _of_steps(present, proof.steps, taken)
    yield f"So there is {certificate.claim}.", None, None


def _of_places(certificate: Certificate) -> list[str]:
    """The places beside the cells that the proof speaks of."""
    question, (hub, link) = certificate.question, EXTRA
    found: list[str] = []
    arcs = question.one_way
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
            "For every move from a to b that must be made, leave out the other moves from a, and those to b."
        )
    elif question.required:
        found.append(
            "Put two extra places, a-b and b-a, on every move from a to b that must be made: a tour of all "
            "places then makes the move."
        )
    return found


def _of_lines(certificate: Certificate, proof: SatProof | PositionProof) -> str:
    """What the lines of a SAT proof say together, and of which cells."""
    if isinstance(proof, PositionProof) and len(proof.drup) == 1:
        return (
            "Say for every cell on which steps a tour may be there: not on one before or after which it can "
            "be on no cell a move away. Where that ends, some cell has no step left, or some step no cell."
        )
    if isinstance(proof, PositionProof):
        said = (
            "Every cell has one step, every step one cell, and the next step is one move away: no choice "
            "does all of that."
        )
    else:
        alone, cuts = proof.cells, counted(len(proof.cuts), "set")
        if alone is None:
            _, moves = closed_graph(certificate.question)
            bound = f" {proof.at_most}" if proof.at_most else ""
            said = (
                f"Every tour makes two of the moves of each cell, and leaves each of {cuts} of cells: no "
                f"choice among the {len(moves):,} moves does all of that{bound}."
            )
        else:
            which = listed([certificate.name(cell) for cell in alone[:MOST]], len(alone))
            said = (
                f"Look at {counted(len(alone), 'cell')} alone: {which}. Every tour makes two of the moves "
                f"of each, and leaves each of {cuts} of them: whatever it does elsewhere, no choice of moves "
                "does all of that."
            )
    return (
        f"{said} The proof has {len(proof.drup):,} lines, each of which follows from those before it by unit "
        "propagation, and is meant for a program to check."
    )


def _speaks_of_cells_alone(certificate: Certificate) -> bool:
    """Whether a proof about open tours is one cut, which can be explained without an added place."""
    question, proof = certificate.question, certificate.proof
    if question.closed and not question.required and isinstance(proof, StepProof) and len(proof.steps) == 1:
        return proof.steps[0].rule in BY_CELLS
    if certificate.reason != "cut" or question.ends or question.one_way or not isinstance(proof, StepProof):
        return False
    return question.apex in proof.steps[0].cells


def _of_steps(present: PresentGraph, steps: tuple[Step, ...], taken: Taken) -> Iterator[Sentence]:
    """The sentences of all steps; each case begins with the move that the tour uses there, or does not.

    Outside all cases the steps after a contradiction are about the other graph of a step `apart`.
    """
    opening, before, ended = "", "", False
    moves: dict[str, str] = {}  # of every case that ends in a branch: the move that distinguishes its cases
    for step, case in taken:
        if ended and not case:
            opening = f"Now take the other graph, of {present.count:,} cells. "
        elif case != before:
            outer, _, k = case.rpartition(".")
            opening += f"Case {case}: the tour {'uses' if k == '1' else 'does not use'} {moves[outer]}. "
        before, ended = case, step.rule not in DEDUCTIONS
        sentence = RULES[step.rule].sentence(present, subject(step))
        if step.rule == "branch":
            moves[case] = sentence
            continue
        yield opening + sentence, step, present
        opening = ""
        if step is steps[-1]:  # nothing follows from it, and a sweep takes long
            return
