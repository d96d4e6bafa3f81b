"""The independent checker of certificates. It trusts nobody: it shares no code with what finds proofs.

It builds the graph from the board by itself, by `geometry`, and where the graph of an open tour has extra
vertices it puts them there. Then it takes the steps one by one, each in time linear in the edges that the
step looks at, and believes nothing that it has not counted. `rules` says what the steps claim, and why that
follows; `drup` checks SAT proofs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.certificate import SatProof
from cavalcade.checking.geometry import all_moves
from cavalcade.checking.present import FORCED, OUT, PresentGraph, WrongError
from cavalcade.checking.rules import DEDUCTIONS, RULES
from cavalcade.checking.tours import Checked
from cavalcade.graph import MoveGraph

if TYPE_CHECKING:
    from cavalcade.answers.certificate import Certificate, Step
    from cavalcade.checking.geometry import Ints
    from cavalcade.problem import Problem


def verify(certificate: Certificate) -> Checked:
    """Whether a certificate proves that there is no tour; if not, the first thing that is wrong.

    Args:
        certificate: a proof, with the problem that it is about.

    Raises:
        PieceError: the moves of its piece do not fit its board.
    """
    problem, proof = certificate.problem, certificate.proof
    what = f"no {problem.kind} tour of {problem.board.title}"
    step = None
    if not (wrong := _no_question(problem)):
        size, edges = closed_graph(problem)
        if isinstance(proof, SatProof):
            from cavalcade.checking.drup import fault

            wrong = fault(size, edges, proof)
            done = f"{len(proof.cuts):,} cuts and {len(proof.drup):,} lines"
        else:
            present = PresentGraph(size, edges, certificate.name)
            try:
                follow(present, proof.steps)
            except WrongError as error:
                step = present.steps
                wrong = f"step {step} is wrong: {error}"
            except RecursionError:
                wrong = "its branches are nested too deeply"
            done = "1 step" if present.steps == 1 else f"{present.steps:,} steps"
    if wrong:
        return Checked(ok=False, message=f"{what}: not proved: {wrong}", step=step)
    return Checked(ok=True, message=f"{what}: {done} checked")


def _no_question(problem: Problem) -> str:
    """What is wrong with the problem itself."""
    n, ends = problem.board.size, [cell for cell in (problem.start, problem.end) if cell is not None]
    if n == 1:
        return "one cell is a tour by itself"
    if problem.closed and ends:
        return "a closed tour has no ends"
    if not all(0 <= cell < n for cell in ends) or len(set(ends)) < len(ends):
        return "its ends are not two different cells of the board"
    return ""


def closed_graph(problem: Problem) -> tuple[int, Ints]:
    """The graph whose closed tours are wanted: its size, and its edges (a, b), a < b, ascending."""
    board, n = problem.board, problem.board.size
    if isinstance(board, MoveGraph):
        tails = np.repeat(np.arange(n, dtype=np.int64), np.diff(board.indptr))
        edges = np.stack([tails, board.indices.astype(np.int64)], axis=1)
    else:
        edges = all_moves(board, problem.piece)
    size = n
    if not problem.closed:
        ends = [cell for cell in (problem.start, problem.end) if cell is not None]
        last = [cell for cell in range(n) if cell not in ends] if len(ends) == 1 else ends or range(n)
        more = [(cell, n) for cell in last] + ([(ends[0], n + 1), (n, n + 1)] if len(ends) == 1 else [])
        edges = np.concatenate([edges, np.array(more, dtype=np.int64).reshape(-1, 2)])
        size = n + 1 + (len(ends) == 1)
    edges = np.sort(edges, axis=1)
    keys = np.sort(edges[:, 0] * size + edges[:, 1])
    keys = keys[np.append(True, keys[1:] != keys[:-1])] if keys.size else keys
    return size, np.stack([keys // size, keys % size], axis=1)


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
    if step.rule not in RULES:
        raise WrongError(f"there is no rule {step.rule[:40]!r}")
    if len(step.cases) != (2 if step.rule == "branch" else 0):
        raise WrongError("a branch has two cases, and other rules have none")
    RULES[step.rule].check(present, cells)
    for case, status in zip(step.cases, (FORCED, OUT), strict=False):
        since = present.assume(present.edge(cells), status)
        follow(present, case)
        present.take_back(since)
