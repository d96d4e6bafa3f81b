"""The independent checker of certificates. It trusts nobody: it shares no code with what finds proofs.

It builds the graph from the board by itself, by `geometry`, and where the graph of an open tour has extra
vertices it puts them there. Then it takes the steps one by one, each in time linear in the edges that the
step looks at, and believes nothing that it has not counted. `rules` says what the steps claim, and why that
follows; `drup` checks SAT proofs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np

from cavalcade.answers.certificate import Certificate, PositionProof, SatProof, Step, StepProof
from cavalcade.answers.receipts import Receipt
from cavalcade.answers.tours import Tour
from cavalcade.checking.constraints import closed_graph, nonsense, unmet, vertex_map
from cavalcade.checking.drup import fault
from cavalcade.checking.events import count, events_of, why_uncounted
from cavalcade.checking.formula import Formula, formula, positions
from cavalcade.checking.present import PresentGraph, WrongError, counted
from cavalcade.checking.rules import CASES, DEDUCTIONS, RULES, cases, subject
from cavalcade.checking.tours import Checked
from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.question.question import Question
from cavalcade.question.statement import graph_name, read_statement, statement

Taken: TypeAlias = Iterator[tuple[Step, str]]  # steps, each before it is taken, and the case it belongs to
KINDS: dict[
    type, tuple[str, Callable[[str], bool]]
] = {  # of an answer the words, and the first word of a claim
    Tour: ("a tour", {"a", "an"}.__contains__),
    Certificate: ("a proof that there is no tour", {"no"}.__contains__),
    Receipt: ("a number of tours", str.isdecimal),
}


def verify(certificate: Certificate) -> Checked:
    """Whether a certificate proves that there is no tour; if not, the first thing that is wrong.

    Args:
        certificate: a proof, with the question that it is about.

    Raises:
        CavalcadeError: not a certificate.
        PieceError: the moves of its piece do not fit its board.

    Examples:
        >>> verify(prove("4x6").certificate).message
        'no closed tour of 4x6: 1 step checked'
    """
    if not isinstance(certificate, Certificate):
        quoted = repr(certificate)[:60]
        raise CavalcadeError(f"{quoted} is not a certificate; check() checks a tour, and prove() proves")
    return verified(certificate, lambda _, taken: taken)


def verified(certificate: Certificate, told: Callable[[PresentGraph, Taken], Iterator[object]]) -> Checked:
    """The same; each step of a proof by steps goes to `told` before it is checked, with what is known."""
    question, proof = certificate.question, certificate.proof
    step = None
    try:
        claim = certificate.claim
        wrong = nonsense(question) or why_uncounted(question, certificate.at_most)
    except CavalcadeError as error:
        claim, wrong = "this", str(error)
    if not wrong and isinstance(proof, StepProof):
        present = PresentGraph(question, certificate.name)
        try:
            deque(told(present, follow(present, proof.steps)), maxlen=0)
        except WrongError as error:
            step = present.steps
            wrong = f"step {step} is wrong: {error}"
        except RecursionError:
            wrong = "its branches are nested too deeply"
        done = counted(present.steps, "step")
    elif not wrong and not isinstance(proof, StepProof):
        try:
            wrong = fault(formula_of(question, proof), proof.drup)
        except FormatError as error:
            wrong = str(error)
        cuts = f"{counted(len(proof.cuts), 'cut')} and " if isinstance(proof, SatProof) else ""
        done = f"{cuts}{counted(len(proof.drup), 'line')}"
    if wrong:
        return Checked(ok=False, message=f"{claim}: not proved: {wrong}", step=step)
    return Checked(ok=True, message=f"{claim}: {done} checked")


def formula_of(question: Question, proof: SatProof | PositionProof) -> Formula:
    """The formula that the lines of a proof refute.

    Raises:
        FormatError: the proof does not fit the question.
    """
    if isinstance(proof, PositionProof):
        return positions(question)
    size, edges = closed_graph(question)
    return formula(size, edges, proof, vertex_map(question, size), events_of(question, edges, proof.at_most))


def follow(present: PresentGraph, steps: tuple[Step, ...], case: str = "") -> Taken:
    """Take the steps one by one, and check that the last is a contradiction.

    Each is yielded before it is taken, with the case that it belongs to: `2.1` is the first case of a branch
    in the second case of another.

    Raises:
        WrongError: one of them does not follow, or they end in none.
    """
    if not steps:
        raise WrongError("there is no step")
    for more, step in zip(range(len(steps) - 1, -1, -1), steps, strict=True):
        if more and step.rule not in DEDUCTIONS:
            raise WrongError(f"{step.rule[:40]!r} is not a deduction, but more steps follow")
        if not more and step.rule in DEDUCTIONS:
            raise WrongError(f"{step.rule!r} is the last step, but not a contradiction")
        present.steps += 1
        for named in (step.cells, *(cells for _, cells in step.terms)):
            cells = np.array(named, dtype=np.int64)
            if cells.size and (cells.min() < 0 or cells.max() >= present.size):
                raise WrongError(f"there is no cell {int(cells.max())}")
            if len(set(named)) < len(named):
                raise WrongError("it names a cell twice")
            if (present.block[cells] != cells).any():
                raise WrongError("it names a cell for which another stands")
        if step.rule not in RULES:
            raise WrongError(f"there is no rule {step.rule[:40]!r}")
        if bool(step.terms) != (step.rule == "linear"):
            raise WrongError("the rule 'linear' has terms, and other rules have none")
        if len(step.cases) != CASES.get(step.rule, 0):
            raise WrongError("a branch has two cases, 'apart' has one, and other rules have none")
        yield step, case
        RULES[step.rule].check(present, subject(step))
        for name, inner in zip(cases(step, present), step.cases, strict=True):
            yield from follow(present, inner, f"{case}.{name}".strip("."))


def other_than(claim: str, found: Tour | Certificate | Receipt) -> str:
    """How an answer, found right, is about something else than a claim; nothing if it is about that.

    Args:
        claim: a statement, as `closed tour of 8x8, knight`; with `no` before it a proof is demanded, with `a`
            or `an` a tour, with a number a receipt of so many tours.
        found: a tour that `check` finds right, a certificate that `verify` finds right, or a receipt that
            `check_receipt` does. A tour is also about all that it does: its ends, its moves, its symmetry.

    Raises:
        CavalcadeError: the claim is no statement.
    """
    article, _, rest = claim.partition(" ")
    text = rest if article in {"a", "an", "no"} or article.isdecimal() else claim
    is_tour = isinstance(found, Tour)
    known = Question(found.board, found.piece, found.closed) if isinstance(found, Tour) else found.question
    board = known.board
    about = statement(known, found.at_most if isinstance(found, Certificate) else None)
    other = f"it is about the {about}, not the {text}"
    named = f"{text} ".split(" of ", 1)[-1].startswith("graph:")
    if named and (not board.plain or graph_name(board) not in text):
        return other
    question, bound = read_statement(text, board if board.plain and named else None)
    kind, fits = KINDS[type(found)]
    if text != claim and not fits(article):
        return f"it is {kind}, not {claim}"
    asked = Question(question.board, question.piece, question.closed) if is_tour else question
    if about != statement(asked, None if is_tour else bound):
        return other
    if isinstance(found, Receipt) and text != claim and int(article) != found.tours:
        return f"it counts {found.tours} tours, not {article}"
    if not isinstance(found, Tour):
        return ""
    if wrong := unmet(question, found) or why_uncounted(asked, bound):
        return wrong
    many = 0 if bound is None else count(found, bound.what)
    return f"it has {many} {bound.what}" if bound is not None and many > bound.most else ""
