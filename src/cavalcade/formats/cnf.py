"""A proof that there is no tour, for public checkers: a DIMACS CNF formula, and next to it the proof.

The proof is written in two forms: a DRAT file, and an LRAT file, which also has hints. Only a SAT solver's
proof can be written. If the certificate has a proof by reasons, the solver searches for another proof.
Comments of the formula contain the certificate without the lines of the proof, so that `check` can read the
formula and the DRAT file again.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.certificate import Certificate, PositionProof, SatProof, StepProof
from cavalcade.answers.verdict import Undecided
from cavalcade.ground.budget import SECOND, Budget, limits
from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from cavalcade.checking.formula import Formula


MARK = "c certificate "
# Budget of the solver if the certificate has a proof by reasons. It bounds the time of an attempt that may
# end without a file.
SOLVER_WORK = 2 * SECOND


class UnprovedError(CavalcadeError):
    """The solver found no proof within its budget or the time limit."""


def save(
    certificate: Certificate, path: str | os.PathLike[str], *, seed: int = 0, time_limit: float | None = None
) -> None:
    """Write the formula to a file, and the proof to two more files that end in `.drat` and `.lrat`.

    Args:
        certificate: a proof that `verify` accepts.
        path: the file of the formula.
        seed: the seed of the solver's random choices.
        time_limit: the time limit of the solver in seconds; by default 60.

    Raises:
        UnprovedError: the solver found no proof in this time.
        FormatError: the proof limits the weight of tours, or a file cannot be written.
    """
    from cavalcade.ask.judging import trimmed
    from cavalcade.checking.drup import dimacs, lrat
    from cavalcade.ground.storage import write_file

    question, proof = certificate.question, certificate.proof
    if isinstance(proof, StepProof):
        if proof.limit is not None:
            raise FormatError("the clauses of a formula do not state weights: try .json or .plain")
        proof = _solver_proof(question, seed, 60.0 if time_limit is None else time_limit)
    proof = trimmed(question, proof)
    comments, formula = _stated(question, proof)
    write_file(Path(path).with_suffix(".lrat"), lrat(formula, proof.drup))
    write_file(Path(path).with_suffix(".drat"), "\n".join([*proof.drup, ""]))
    write_file(path, dimacs(comments, formula))


def is_cnf(text: str) -> bool:
    """Whether a text is a formula."""
    return re.match(r"(c.*\n)*p cnf ", text) is not None


def as_json(text: str, path: str | os.PathLike[str]) -> str:
    """The certificate of a formula that `save` wrote, with the lines of the proof next to it.

    Raises:
        FormatError: cavalcade did not write the formula, or there is no proof next to it.
    """
    from cavalcade.answers.certificate import from_json
    from cavalcade.checking.drup import dimacs
    from cavalcade.formats.files import read_file

    head = "".join(line.removeprefix(MARK) for line in text.splitlines() if line.startswith(MARK))
    if not head:
        raise FormatError("it is a formula, but no comment says of which tours: cavalcade did not write it")
    drat = Path(path).with_suffix(".drat")
    if not drat.is_file():
        raise FormatError(f"its proof is not here, expected {str(drat)!r}")
    lines = read_file(drat).splitlines()
    try:
        whole = json.dumps(json.loads(head) | {"drup": lines}, ensure_ascii=False)
    except (ValueError, TypeError):
        raise FormatError("its comments are not what a certificate begins with") from None
    certificate = from_json(whole)
    proof = certificate.proof
    clauses = "" if isinstance(proof, StepProof) else dimacs(*_stated(certificate.question, proof))
    if clauses.splitlines() != text.splitlines():
        raise FormatError(
            f"its clauses are not those of which a proof shows that there is {certificate.claim}"
        )
    return whole


def _stated(question: Question, proof: SatProof | PositionProof) -> tuple[list[str], Formula]:
    """The comments and the formula of a proof."""
    from cavalcade.checking.certificates import formula_of
    from cavalcade.checking.constraints import closed_graph

    words = ["Variable 1 + cn + (t - 1): cell c, from 0, has step t."]
    if isinstance(proof, SatProof):
        words = _words(*closed_graph(question), proof)
    certificate = Certificate(question, proof).to_dict()
    head = json.dumps({key: value for key, value in certificate.items() if key != "drup"})
    width = 1000  # characters of the certificate per comment line, to keep lines readable
    words += [f"certificate {head[i : i + width]}" for i in range(0, len(head), width)]
    return words, formula_of(question, proof)


def _words(size: int, edges: NDArray[np.int64], proof: SatProof) -> list[str]:
    """The sentences that explain the formula of a graph."""
    variables, vertices = f"variables 1 to {len(edges)} are its edges", "Every vertex"
    if proof.cells is not None:
        variables = f"the first variables are its edges at {len(proof.cells)} of them, in ascending order"
        vertices = "Each of these"
    return [
        f"Closed tours of a graph with {size} vertices; {variables}.",
        f"{vertices} has exactly two edges; the last {len(proof.cuts)} clauses: some edge leaves a set.",
    ]


def _solver_proof(question: Question, seed: int, seconds: float) -> SatProof:
    """Let the SAT solver prove again that there is no tour.

    Raises:
        UnprovedError: the solver found no proof within its budget or the time limit.
    """
    from cavalcade.refute.sat import sat

    try:
        with limits(seconds):
            outcome = next(sat(question, Budget(SOLVER_WORK), seed=seed))
    except TimeoutError as error:
        raise UnprovedError(f"the solver found no proof: {error}") from None
    if isinstance(outcome, Undecided):
        raise UnprovedError(f"the solver found no proof ({outcome.reason})")
    if not isinstance(outcome, SatProof):
        raise TypeError(f"a solver's tour contradicts the proof of {question.board.title}")
    return outcome
