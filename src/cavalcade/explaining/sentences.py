"""A proof as sentences for a reader who has never seen one, with every cell by its name.

Each step is put in words before it is applied, either while `checking.certificates` checks the proof or
afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator

from cavalcade.answers.certificate import Certificate, PositionProof, SatProof, Step, StepProof, flat
from cavalcade.checking.certificates import Applied, follow, verified, verify
from cavalcade.checking.constraints import closed_graph
from cavalcade.checking.present import PresentGraph
from cavalcade.checking.rules import DEDUCTIONS
from cavalcade.checking.rules.colours import board_colours
from cavalcade.checking.tours import Checked
from cavalcade.explaining.rules import sentence
from cavalcade.explaining.rules.colours import board_sentence
from cavalcade.explaining.wording import MOST_LISTED, Nouns, Wording, capitalized, listed, nouns_of
from cavalcade.ground.wording import say
from cavalcade.question.as_graph import EXTRA
from cavalcade.question.question import Question
from cavalcade.question.statement import FORM

Sentence = tuple[str, Step | None, PresentGraph | None]

# Rules whose sentences name the cells of a graph with one-way moves, not its vertices `>c` and `c>`.
NAME_CELLS = {
    "degree", "hall", "reach", "sign", "tight", "forced", "saturated", "three", "cycle", "subtour", "branch",
}  # fmt: skip
# What a tour of a statement does, by the groups of `statement.FORM`.
CONDITIONS = {
    "with_": "uses {move} {}",
    "avoid": "avoids {move} {}",
    "at": "has {}",
    "through": "visits {} in this order",
    "symmetry": "is symmetric under the {}",
    "moves": "makes all {moves} {}{coils}",
    "most": "has at most {} {what}",
}
MOST_STEPS = 400  # a proof with more steps is summarized, because it would fill ten pages with sentences


def sentences(certificate: Certificate) -> list[str]:
    """The sentences of a proof that `checking.certificates.verify` accepts. Takes as long as `verify`."""
    if sizes := board_colours(certificate):
        return [board_sentence(certificate.question, *sizes), conclusion(certificate.claim)]
    return [text for text, _, _ in with_steps(certificate)]


def verified_in_words(certificate: Certificate) -> tuple[Checked, list[str]]:
    """Check a proof and put it in words, in one pass over its steps.

    Returns:
        The result of `checking.certificates.verify`, and the sentences of the proof; none if it is wrong.
    """
    texts: list[str] = []

    def explain(present: PresentGraph, applied: Applied) -> Iterator[object]:
        texts.extend(text for text, _, _ in _explained(certificate, present, applied))
        yield from applied  # the steps that have no sentence

    try:
        if checked := verified(certificate, explain):
            return checked, texts or sentences(certificate)
    except Exception as error:  # the sentence of a wrong step can fail in any way
        if isinstance(error, (TimeoutError, MemoryError)):
            raise
    checked = verify(certificate)
    return checked, sentences(certificate) if checked else []


def with_steps(certificate: Certificate) -> Iterator[Sentence]:
    """Yield each sentence with its step and the present graph before that step.

    Sentences that belong to no step come with None. The present graph changes when the next sentence is
    taken.
    """
    if isinstance(certificate.proof, StepProof):
        present = PresentGraph(certificate.question, certificate.name, certificate.weight_limit)
        return _explained(certificate, present, follow(present, certificate.proof.steps))
    return _explained(certificate, None, iter(()))


def conclusion(claim: str) -> str:
    """The last sentence of a proof.

    Args:
        claim: `no` and a statement, as `Certificate.claim`.

    Examples:
        >>> conclusion("no closed tour of 8x8, without a1-b3")
        'So no closed tour of 8x8 avoids the move a1-b3.'
    """
    text = claim.removeprefix("no ")
    form = FORM.fullmatch(text)
    assert form is not None  # noqa: S101 - a claim is a statement
    clauses = {word: value for word, value in form.groupdict().items() if word in CONDITIONS and value}
    if not clauses:
        kind, _, board = text.partition(" tour of ")
        return say("story.so", tour=say(f"tour.{kind}", board=board) if board else text)
    noun = "edge" if " of graph:" in text else "move"
    conditions = []
    for word, value in clauses.items():
        several = ", " in value
        move = f"{'all ' * (several and word == 'with_')}the {noun}{'s' * several}"
        coils = f" in {form['coils']}" if form["coils"] else ""
        conditions.append(
            CONDITIONS[word].format(value, move=move, moves=f"{noun}s", coils=coils, what=form["what"])
        )
    begins = [form.start(word) for word in clauses]
    tour = text[: text.rindex(", ", 0, min(begins))]
    return say("story.so-no", text=f"So no {tour} {listed(conditions)}.")


def _explained(
    certificate: Certificate, present: PresentGraph | None, applied: Applied
) -> Iterator[Sentence]:
    """Yield the sentences of a proof.

    Args:
        certificate: the proof.
        present: the graph to which the steps are applied; None if the proof has no steps.
        applied: the steps, each yielded before it is applied. The last ones may be left over.
    """
    proof = certificate.proof
    if not isinstance(proof, PositionProof) and not _is_about_cells(certificate):
        yield from ((say("story.extra", text=text), None, None) for text in _extra_vertices(certificate))
    if not isinstance(proof, StepProof):
        yield say("story.program", text=_refutation(certificate, proof)), None, None
    elif (count := sum(1 for _ in flat(proof.steps))) > MOST_STEPS:
        cases = sum(1 for step in flat(proof.steps) if step.rule == "branch")
        of = f"distinguishes {cases + 1:,} cases in" if cases else "has"
        text = f"The proof {of} {count:,} steps and is meant for a program to check."
        yield say("story.program", text=text), None, None
    elif present is not None:
        yield from _of_steps(present, proof.steps, applied)
    yield conclusion(certificate.claim), None, None


def _is_about_cells(certificate: Certificate) -> bool:
    """Whether the sentences of a proof name only cells, so that no other vertices need explaining."""
    question, proof = certificate.question, certificate.proof
    if question.closed and not question.required and isinstance(proof, StepProof) and len(proof.steps) == 1:
        return proof.steps[0].rule in NAME_CELLS
    if certificate.reason != "cut" or question.ends or question.one_way or not isinstance(proof, StepProof):
        return False
    return question.apex in proof.steps[0].cells


def _extra_vertices(certificate: Certificate) -> list[str]:
    """What the vertices are that the graph of the proof has besides the cells."""
    question, proof = certificate.question, certificate.proof
    nouns = nouns_of(question)
    texts: list[str] = []
    steps = flat(proof.steps) if isinstance(proof, StepProof) else ()
    if question.one_way and not (steps and all(step.rule in NAME_CELLS for step in steps)):
        goes = (
            f"{question.direction} only"
            if question.direction
            else "from the tail of an edge to its head only"
        )
        texts.append(
            f"{capitalized(nouns.moves)} go {goes}. Give every {nouns.cell} c two extra "
            f"{nouns.cells}: >c, where a tour arrives, and c>, where it leaves. A move from a to b joins a> "
            "to >b."
        )
    if not question.closed:
        texts.append(_apex_explained(certificate, question, nouns))
    if question.required and question.one_way:
        texts.append(
            f"For every {nouns.move} from a to b that must be used, drop all other {nouns.moves} from a and "
            "to b."
        )
    elif question.required:
        texts.append(
            f"Put two extra {nouns.cells}, a-b and b-a, on every {nouns.move} from a to b that must be used. "
            f"A {nouns.tour} visits them, so it uses the {nouns.move}."
        )
    return texts


def _apex_explained(certificate: Certificate, question: Question, nouns: Nouns) -> str:
    """How an open tour becomes a closed tour."""
    hub, link = EXTRA
    ends = [certificate.name(cell) for cell in question.ends]
    tour = "Hamiltonian path" if question.board.plain else "open tour"
    if question.one_way:
        first, last = (
            f"every {nouns.cell}" if cell is None else certificate.name(cell)
            for cell in (question.start, question.end)
        )
        text = f"Add one extra {nouns.cell}, {hub}, with {nouns.moves} to {first} and from {last}"
    elif len(ends) == 2:
        text = f"Add one extra {nouns.cell}, {hub}, joined only to {ends[0]} and {ends[1]}"
    elif ends:
        text = (
            f"Add two extra {nouns.cells}: {hub}, joined to every {nouns.cell} but {ends[0]}, and {link}, "
            f"joined to {ends[0]} and {hub}"
        )
    else:
        text = f"Add one extra {nouns.cell}, {hub}, joined to every {nouns.cell}"
    which = " with these ends" if ends else ""
    return (
        f"{text}. An {tour}{which} then becomes a {nouns.tour}." if tour[0] == "o"
        else f"{text}. A {tour}{which} then becomes a {nouns.tour}."
    )  # fmt: skip


def _refutation(certificate: Certificate, proof: SatProof | PositionProof) -> str:
    """What the clauses of a SAT proof say together, and the size of the proof."""
    nouns = nouns_of(certificate.question)
    if isinstance(proof, PositionProof) and len(proof.drup) == 1:
        return (
            f"For every {nouns.cell}, list the steps at which a tour may visit it, and strike out a step if "
            f"no {nouns.cell} one {nouns.move} away can have the step before it or after it. In the end some "
            f"{nouns.cell} has no step left, or some step no {nouns.cell}."
        )
    if isinstance(proof, PositionProof):
        text = (
            f"Every {nouns.cell} has one step, every step has one {nouns.cell}, and consecutive steps are "
            f"one {nouns.move} apart. No choice of steps satisfies all of this."
        )
    else:
        count = len(proof.cuts)
        cuts = f"{count:,} set{'s' * (count != 1)}"
        if proof.cells is None:
            _, moves = closed_graph(certificate.question)
            bound = f" {proof.at_most}" if proof.at_most else ""
            leaves = f", and leaves each of {cuts} of {nouns.cells}" if count else ""
            text = (
                f"A {nouns.tour} uses two {nouns.moves} at each {nouns.cell}{leaves}. No choice among the "
                f"{len(moves):,} {nouns.moves} does all of this{bound}."
            )
        else:
            number = len(proof.cells)
            size = f"{number:,} {nouns.cell if number == 1 else nouns.cells}"
            names = listed([certificate.name(cell) for cell in proof.cells[:MOST_LISTED]], number)
            text = (
                f"Look only at {size}: {names}. A {nouns.tour} uses two {nouns.moves} at each of them, and "
                f"leaves each of {cuts} of them. Whatever the tour does elsewhere, no choice of "
                f"{nouns.moves} does all of this."
            )
    lines = f"{len(proof.drup):,} line{'s' * (len(proof.drup) != 1)}"
    return (
        f"{text} The proof has {lines}, each of which follows from the lines before it by unit propagation; "
        "it is meant for a program to check."
    )


def _of_steps(present: PresentGraph, steps: tuple[Step, ...], applied: Applied) -> Iterator[Sentence]:
    """Yield the sentences of all steps. Each case begins with its assumption about a move.

    Outside of cases, the steps after a contradiction belong to the other graph of a step `apart`.
    """
    words = Wording(present)
    opening, before, ended = "", "", False
    moves: dict[str, str] = {}  # the move of the branch in each case that ends with a branch
    for step, case in applied:
        if ended and not case:
            opening = f"Now look at the other graph, of {words.count_cells(present.count)}. "
        elif case != before:
            outer, _, k = case.rpartition(".")
            uses = "uses" if k == "1" else "does not use"
            opening += f"Case {case}: suppose the tour {uses} the {words.nouns.move} {moves[outer]}. "
        before, ended = case, step.rule not in DEDUCTIONS
        words.in_case = bool(case)
        text = sentence(step, words)
        if step.rule == "branch":
            moves[case] = text
            continue
        yield opening + text, step, present
        opening = ""
        if step is steps[-1]:  # nothing follows from the last step, and to check a sweep takes long
            return
