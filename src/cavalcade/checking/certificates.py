"""The independent checker of certificates. It shares no code with the engines that find proofs.

It builds the graph from the board by itself, with `geometry`, and adds the extra vertices of open tours. Then
it applies the steps one by one, each in time linear in the edges that the step looks at, and counts
everything that a step claims. `rules` states what the steps claim, and why that follows; `drup` checks SAT
proofs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np

from cavalcade.answers.certificate import Certificate, PositionProof, SatProof, Step, StepProof
from cavalcade.answers.receipts import DIRECTIONS, Receipt
from cavalcade.answers.tours import Tour
from cavalcade.checking.constraints import closed_graph, nonsense, unmet, vertex_map
from cavalcade.checking.drup import fault
from cavalcade.checking.events import count, events_of, why_uncounted
from cavalcade.checking.formula import Formula, formula, positions
from cavalcade.checking.present import PresentGraph, WrongError, counted
from cavalcade.checking.rules import CASES, DEDUCTIONS, RULES, cases, subject
from cavalcade.checking.rules.colours import board_colours
from cavalcade.checking.tours import Checked
from cavalcade.checking.weights import unweighed
from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question
from cavalcade.question.statement import WeightLimit, graph_name, read_statement, statement, weights_name

# The steps of a proof, each yielded before it is applied, with the name of the case that it belongs to.
Applied: TypeAlias = Iterator[tuple[Step, str]]
# What an answer is called, and whether the first word of a claim fits it.
KINDS: dict[type, tuple[str, Callable[[str], bool]]] = {
    Tour: ("a tour", {"a", "an"}.__contains__),
    Certificate: ("a proof that there is no tour", {"no"}.__contains__),
    Receipt: ("a number of tours", str.isdecimal),
}


def verify(certificate: Certificate) -> Checked:
    """Check whether a certificate proves its claim; if not, report the first error.

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
    return verified(certificate, lambda _, applied: applied)


def verified(
    certificate: Certificate, on_steps: Callable[[PresentGraph, Applied], Iterator[object]]
) -> Checked:
    """Check a certificate, and let a caller look at each step before it is applied.

    Args:
        certificate: a proof, with the question that it is about.
        on_steps: for proofs by steps, called once with the present graph and the steps. The iterator that it
            returns is exhausted; it must exhaust the steps.
    """
    question, proof = certificate.question, certificate.proof
    step = None
    try:
        claim = certificate.claim
        bound = certificate.at_most
        wrong = nonsense(question) or (
            unweighed(question, bound) if isinstance(bound, WeightLimit) else why_uncounted(question, bound)
        )
    except CavalcadeError as error:
        claim, wrong = "this", str(error)
    if not wrong and board_colours(certificate):
        done = counted(1, "step")
    elif not wrong and isinstance(proof, StepProof):
        present = PresentGraph(question, certificate.name, proof.limit)
        try:
            deque(on_steps(present, follow(present, proof.steps)), maxlen=0)
        except WrongError as error:
            step = present.steps
            wrong = f"step {step} is wrong: {error}"
        except RecursionError:
            wrong = "its branches are nested too deeply"
        done = counted(present.steps, "step")
    elif not wrong and not isinstance(proof, StepProof):
        try:
            wrong = fault(formula_of(question, proof), proof.drup, proof.hints)
        except FormatError as error:
            wrong = str(error)
        cuts = f"{counted(len(proof.cuts), 'cut')} and " if isinstance(proof, SatProof) else ""
        done = f"{cuts}{counted(len(proof.drup), 'line')}"
    if wrong:
        return Checked(ok=False, message=f"{claim}: not proved: {wrong}", step=step)
    return Checked(ok=True, message=f"{claim}: {done} checked")


def formula_of(question: Question, proof: SatProof | PositionProof) -> Formula:
    """Build the formula that the lines of a proof refute.

    Raises:
        FormatError: the proof does not fit the question.
    """
    if isinstance(proof, PositionProof):
        return positions(question)
    size, edges = closed_graph(question)
    return formula(size, edges, proof, vertex_map(question, size), events_of(question, edges, proof.at_most))


def follow(present: PresentGraph, steps: tuple[Step, ...], case: str = "") -> Applied:
    """Apply steps one by one, and check that the last one is a contradiction or a branch.

    Args:
        present: the graph to which the steps are applied.
        steps: the steps of a proof, or of a case.
        case: the name of the case: `2.1` is the first case of a branch in the second case of another branch.

    Yields:
        Each step before it is applied, and the name of its case.

    Raises:
        WrongError: a step does not follow, or the last step is a deduction.
    """
    if not steps:
        raise WrongError("there is no step")
    for remaining, step in zip(range(len(steps) - 1, -1, -1), steps, strict=True):
        if remaining and step.rule not in DEDUCTIONS:
            raise WrongError(f"{step.rule[:40]!r} is not a deduction, but more steps follow")
        if not remaining and step.rule in DEDUCTIONS:
            raise WrongError(f"{step.rule!r} is the last step, but not a contradiction")
        present.steps += 1
        for named in (step.cells, *(part for term in step.terms for part in (term.cells, *term.odd))):
            cells = np.array(named, dtype=np.int64)
            if cells.size and (cells.min() < 0 or cells.max() >= present.size):
                raise WrongError(f"there is no cell {int(cells.max())}")
            if len(set(named)) < len(named):
                raise WrongError("it names a cell twice")
            if (present.representative[cells] != cells).any():
                raise WrongError("it names a cell that was contracted to another")
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


def other_than(claim: str, answer: Tour | Certificate | Receipt) -> str:
    """Compare a correct answer with a claim.

    Args:
        claim: a statement, as `closed tour of 8x8`. With `no` before it a proof is expected, with `a` or `an`
            a tour, with a number a receipt of that number of tours; `, directed` at the end counts a tour and
            its reverse as two.
        answer: a tour that `check` accepts, a certificate that `verify` accepts, or a receipt that
            `check_receipt` accepts. A tour satisfies every claim about its ends, moves and symmetry.

    Returns:
        How the answer differs from the claim; nothing if it is about the claim.

    Raises:
        CavalcadeError: the claim is no statement.
    """
    stated = next((way for way in DIRECTIONS if claim.endswith(f", {way}")), "")
    if isinstance(answer, Receipt) and stated:
        claim = claim.removesuffix(f", {stated}")
    article, _, rest = claim.partition(" ")
    text = rest if article in {"a", "an", "no"} or article.isdecimal() else claim
    is_tour = isinstance(answer, Tour)
    question = (
        Question(answer.board, answer.piece, answer.closed) if isinstance(answer, Tour) else answer.question
    )
    board = question.board
    about = statement(question, answer.at_most if isinstance(answer, Certificate) else None)
    differs = f"it is about the {about}, not the {text}"
    names_graph = f"{text} ".split(" of ", 1)[-1].startswith("graph:")
    if names_graph and (not board.plain or graph_name(board) not in text):
        return differs
    limit = answer.weight_limit if isinstance(answer, Certificate) else None
    if " by weights:" in text and (limit is None or weights_name(question, limit.weights) not in text):
        return differs
    graph = board if isinstance(board, MoveGraph) and names_graph else None
    claimed, bound = read_statement(text, graph, None if limit is None else limit.weights)
    kind, fits = KINDS[type(answer)]
    if text != claim and not fits(article):
        return f"it is {kind}, not {claim}"
    # The ends, moves and symmetry that a tour must have are compared below.
    bare = Question(claimed.board, claimed.piece, claimed.closed) if is_tour else claimed
    if about != statement(bare, None if is_tour else bound):
        return differs
    one_way = bool(question.ends or question.one_way)
    if isinstance(answer, Receipt) and answer.direction != (stated or DIRECTIONS[one_way]):
        return f"it counts {answer.direction} tours, not {stated or DIRECTIONS[one_way]} ones"
    if isinstance(answer, Receipt) and text != claim and int(article) != answer.tours:
        return f"it counts {answer.tours} tours, not {article}"
    if not isinstance(answer, Tour):
        return ""
    if wrong := unmet(claimed, answer):
        return wrong
    if bound is None or isinstance(bound, WeightLimit):
        return ""
    if wrong := why_uncounted(bare, bound):
        return wrong
    number = count(answer, bound.what)
    return f"it has {number} {bound.what}" if number > bound.most else ""
