"""The independent checker of certificates. It trusts nobody: it shares no code with what finds proofs.

It builds the graph from the board by itself, by `geometry`, and where the graph of an open tour has extra
vertices it puts them there. Then it takes the steps one by one, each in time linear in the edges that the
step looks at, and believes nothing that it has not counted. `rules` says what the steps claim, and why that
follows; `drup` checks SAT proofs.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.certificate import PositionProof, SatProof, StepProof
from cavalcade.checking.constraints import moves_left, nonsense, one_way, vertex_map
from cavalcade.checking.events import events_of, why_uncounted
from cavalcade.checking.geometry import ascending, turning
from cavalcade.checking.present import FORCED, OUT, PresentGraph, WrongError
from cavalcade.checking.rules import DEDUCTIONS, RULES
from cavalcade.checking.tours import Checked
from cavalcade.checking.words import counted
from cavalcade.ground.errors import BoardError, CavalcadeError, FormatError

if TYPE_CHECKING:
    from cavalcade.answers.certificate import Certificate, Step
    from cavalcade.checking.formula import Formula
    from cavalcade.checking.geometry import Ints
    from cavalcade.question.question import Question


def verify(certificate: Certificate) -> Checked:
    """Whether a certificate proves that there is no tour; if not, the first thing that is wrong.

    Args:
        certificate: a proof, with the question that it is about.

    Raises:
        PieceError: the moves of its piece do not fit its board.
    """
    question, proof = certificate.question, certificate.proof
    step = None
    try:
        claim = certificate.claim
        wrong = _no_question(question) or why_uncounted(question, certificate.at_most)
    except CavalcadeError as error:
        claim, wrong = "this", str(error)
    if not wrong and isinstance(proof, StepProof):
        present = PresentGraph(*closed_graph(question), certificate.name, question)
        try:
            follow(present, proof.steps)
        except WrongError as error:
            step = present.steps
            wrong = f"step {step} is wrong: {error}"
        except RecursionError:
            wrong = "its branches are nested too deeply"
        done = counted(present.steps, "step")
    elif not wrong and not isinstance(proof, StepProof):
        from cavalcade.checking.drup import fault

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
        from cavalcade.checking.positions import positions

        return positions(question)
    from cavalcade.checking.formula import of_proof

    size, edges = closed_graph(question)
    return of_proof(size, edges, proof, vertex_map(question, size), events_of(question, edges, proof.at_most))


def _no_question(question: Question) -> str:
    """What is wrong with the question itself."""
    n, ends = question.board.size, [cell for cell in (question.start, question.end) if cell is not None]
    if n == 1:
        return "one cell is a tour by itself"
    if question.closed and question.end is not None:
        return "a closed tour has no end"
    if not all(0 <= cell < n for cell in ends) or len(set(ends)) < len(ends):
        return "its ends are not two different cells of the board"
    return nonsense(question)


def closed_graph(question: Question) -> tuple[int, Ints]:
    """The graph whose closed tours are wanted: its size, and its edges (a, b), a < b, ascending.

    `question` says which vertices it has, and in which order. Steps and symmetries are not in it.
    """
    if one_way(question):
        return _one_way_graph(question)
    size, moves = question.board.size, moves_left(question)
    ends = [cell for cell in (question.start, question.end) if cell is not None and not question.closed]
    more: list[tuple[int, int]] = []
    split = []
    if question.required:
        wanted = [a * size + b for a, b in question.required]
        hit = np.isin(moves[:, 0] * size + moves[:, 1], wanted)
        split, moves = moves[hit].tolist(), moves[~hit]
    if not question.closed:
        apart = [cell for cell in range(size) if cell not in ends] if len(ends) == 1 else ends or range(size)
        more += [(cell, size) for cell in apart]
        if len(ends) == 1:
            more += [(ends[0], size + 1), (size, size + 1)]
        size += 1 + (len(ends) == 1)
    for a, b in split:
        i = size + 2 * question.required.index((a, b))
        more += [(a, i), (i, i + 1), (i + 1, b)]
    size += 2 * len(question.required)
    return size, ascending(np.concatenate([moves, np.array(more, dtype=np.int64).reshape(-1, 2)]), size)


def _one_way_graph(question: Question) -> tuple[int, Ints]:
    """The same where moves go one way."""
    n, moves = question.board.size, moves_left(question)
    wanted = set(question.required)
    if question.direction is not None:
        if question.board.plain:
            raise BoardError("a plain graph has no centre for moves to go about")
        ways = turning(question.board, moves) * (1 if question.direction == "counterclockwise" else -1)
        moves = np.concatenate([moves[ways > 0], moves[ways < 0][:, ::-1]])
        wanted |= {(b, a) for a, b in wanted}
    arcs = [(a, b) for a, b in moves.tolist()]
    if not question.closed:  # the place beside the board is a place n to come from and to go to
        arcs += [(n, cell) for cell in range(n) if question.start in {None, cell}]
        arcs += [(cell, n) for cell in range(n) if question.end in {None, cell}]
    must = [arc for arc in arcs if arc in wanted]
    left, reached = (Counter(arc[side] for arc in must) for side in (0, 1))
    edges = [(cell, cell + layer) for cell in range(n) for layer in (n, 2 * n)]
    for a, b in arcs:
        if (left[a], reached[b]) == ((1, 1) if (a, b) in wanted else (0, 0)):
            edges.append((a + 2 * n, b + n if b < n else 3 * n))
    size = 3 * n + (not question.closed)
    return size, ascending(np.array(edges, dtype=np.int64), size)


def follow(present: PresentGraph, steps: tuple[Step, ...]) -> None:
    """Take the steps, and check that the last is a contradiction.

    Raises:
        WrongError: one of them does not follow, or they end in none.
    """
    if not steps:
        raise WrongError("there is no step")
    for step in steps[:-1]:
        if step.rule not in DEDUCTIONS:
            raise WrongError(f"{step.rule[:40]!r} is not a deduction, but more steps follow")
        take(present, step)
    if steps[-1].rule in DEDUCTIONS:
        raise WrongError(f"{steps[-1].rule!r} is the last step, but not a contradiction")
    take(present, steps[-1])


def take(present: PresentGraph, step: Step) -> None:
    """Take one step.

    Raises:
        WrongError: it does not follow.
    """
    present.steps += 1
    cells = np.array(step.cells, dtype=np.int64)
    if cells.size and (cells.min() < 0 or cells.max() >= present.size):
        raise WrongError(f"there is no cell {int(cells.max())}")
    if len(set(step.cells)) < len(step.cells):
        raise WrongError("it names a cell twice")
    if (present.block[cells] != cells).any():
        raise WrongError("it names a cell that was contracted to another")
    if step.rule not in RULES:
        raise WrongError(f"there is no rule {step.rule[:40]!r}")
    if len(step.cases) != (2 if step.rule == "branch" else 0):
        raise WrongError("a branch has two cases, and other rules have none")
    RULES[step.rule].check(present, cells)
    for case, status in zip(step.cases, (FORCED, OUT), strict=False):
        since = present.assume(present.edge(cells), status)
        follow(present, case)
        present.take_back(since)
