"""A proof that there is no tour, for public checkers: a DIMACS CNF formula, and next to it a DRAT proof.

Only a SAT solver's proof is a DRAT proof: for a proof by reasons the solver finds another one.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cavalcade.answers.certificate import PositionProof, SatProof
from cavalcade.answers.verdict import Undecided
from cavalcade.ground.budget import Budget, limits
from cavalcade.ground.errors import CavalcadeError

if TYPE_CHECKING:
    import os

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
    from cavalcade.checking.certificates import closed_graph
    from cavalcade.checking.constraints import moves_of, vertex_map
    from cavalcade.checking.drup import dimacs, export
    from cavalcade.checking.events import events_of
    from cavalcade.checking.positions import positions
    from cavalcade.formats.files import write_file

    question, proof = certificate.question, certificate.proof
    if isinstance(proof, PositionProof):
        variables, clauses = positions(question, moves_of(question))
        comment = "Variable 1 + cn + (t - 1): cell c, from 0, has step t."
        formula, drat = dimacs([comment], variables, clauses, proof.drup)
    else:
        if not isinstance(proof, SatProof):
            proof = _solver_proof(question, seed, 60.0 if time_limit is None else time_limit)
        least = trimmed(question, proof)
        assert isinstance(least, SatProof)  # noqa: S101 - for the type checker
        size, edges = closed_graph(question)
        events = events_of(question, edges, least.at_most)
        formula, drat = export(size, edges, least, vertex_map(question, size), events)
    write_file(Path(path).with_suffix(".drat"), drat)
    write_file(path, formula)


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
