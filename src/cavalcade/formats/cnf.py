"""A proof that there is no tour, for public checkers: a DIMACS CNF formula, and next to it a DRAT proof.

Only a SAT solver's proof is a DRAT proof: for a proof by reasons the solver finds another one.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cavalcade.answers.certificate import SatProof, StepProof
from cavalcade.answers.verdict import Undecided
from cavalcade.ground.budget import Budget, limits
from cavalcade.ground.errors import CavalcadeError

if TYPE_CHECKING:
    import os

    import numpy as np
    from numpy.typing import NDArray

    from cavalcade.answers.certificate import Certificate
    from cavalcade.question.question import Question


class UnprovedError(CavalcadeError):
    """The solver finds no proof in the time it has."""


def save(
    certificate: Certificate, path: str | os.PathLike[str], *, seed: int = 0, time_limit: float | None = None
) -> None:
    """Write the formula to a file, and the proof to a second one that ends in `.drat`.

    Args:
        certificate: a proof that `verify` finds right.
        path: the file of the formula.
        seed: of the solver's random choices.
        time_limit: seconds that the solver may take; by default sixty.

    Raises:
        UnprovedError: the solver found no proof in this time.
        FormatError: a file cannot be written.
    """
    from cavalcade.ask.judging import trimmed
    from cavalcade.checking.certificates import closed_graph, formula_of
    from cavalcade.checking.drup import export
    from cavalcade.formats.files import write_file

    question, proof = certificate.question, certificate.proof
    if isinstance(proof, StepProof):
        proof = _solver_proof(question, seed, 60.0 if time_limit is None else time_limit)
    least = trimmed(question, proof)
    words = ["Variable 1 + cn + (t - 1): cell c, from 0, has step t."]
    if isinstance(least, SatProof):
        words = _words(*closed_graph(question), least)
    formula, drat = export(words, formula_of(question, least), least.drup)
    write_file(Path(path).with_suffix(".drat"), drat)
    write_file(path, formula)


def _words(size: int, edges: NDArray[np.int64], proof: SatProof) -> list[str]:
    """What the formula of a graph with these edges says."""
    which, every = f"variables 1 to {len(edges)} are its edges", "Every vertex"
    if proof.cells is not None:
        which = f"the first variables are its edges at {len(proof.cells)} of them, in ascending order"
        every = "Each of these"
    return [
        f"Closed tours of a graph with {size} vertices; {which}.",
        f"{every} has exactly two edges; the last {len(proof.cuts)} clauses: some edge leaves a set.",
    ]


def _solver_proof(question: Question, seed: int, seconds: float) -> SatProof:
    """A proof by the SAT solver of what is proved already.

    Raises:
        UnprovedError: the solver found none in this time.
    """
    from cavalcade.refute.sat import sat

    try:
        with limits(seconds):
            found = sat(question, Budget(), seed=seed)
    except TimeoutError as error:
        raise UnprovedError(f"the solver found no proof: {error}") from None
    if isinstance(found, Undecided):
        raise UnprovedError(f"the solver found no proof ({found.reason})")
    if not isinstance(found, SatProof):
        raise TypeError(f"a solver's tour contradicts the proof of {question.board.title}")
    return found
