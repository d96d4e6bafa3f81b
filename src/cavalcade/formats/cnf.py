"""A proof that there is no tour, for public checkers: a DIMACS CNF formula, and next to it the proof.

The proof is there twice, as a DRAT file and as an LRAT file, which also has hints. Only a SAT solver's proof
is one of these: for a proof by reasons the solver finds another one, if it can. Comments of the formula have
the certificate without the lines of the proof, so that `check` reads both files again.
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
TRIED = 2 * SECOND  # work of the solver, where there is another proof already
LONGEST = 1000  # letters of the certificate in one comment


class UnprovedError(CavalcadeError):
    """The solver finds no proof in the time it has."""


def save(
    certificate: Certificate, path: str | os.PathLike[str], *, seed: int = 0, time_limit: float | None = None
) -> None:
    """Write the formula to a file, and the proof to two others, which end in `.drat` and `.lrat`.

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
    from cavalcade.checking.drup import dimacs, lrat
    from cavalcade.formats.files import write_file

    question, proof = certificate.question, certificate.proof
    if isinstance(proof, StepProof):
        proof = _solver_proof(question, seed, 60.0 if time_limit is None else time_limit)
    least = trimmed(question, proof)
    words, formula = _stated(question, least)
    write_file(Path(path).with_suffix(".lrat"), lrat(formula, least.drup))
    write_file(Path(path).with_suffix(".drat"), "\n".join([*least.drup, ""]))
    write_file(path, dimacs(words, formula))


def is_cnf(text: str) -> bool:
    """Whether a text is a formula."""
    return re.match(r"(c.*\n)*p cnf ", text) is not None


def as_json(text: str, path: str | os.PathLike[str]) -> str:
    """The certificate of a formula that `save` wrote, with the lines of the proof next to it.

    Raises:
        FormatError: it is another formula, or there is no proof.
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
    found = from_json(whole)
    proof = found.proof
    clauses = "" if isinstance(proof, StepProof) else dimacs(*_stated(found.question, proof))
    if clauses.splitlines() != text.splitlines():
        raise FormatError(f"its clauses are not those of which a proof shows that there is {found.claim}")
    return whole


def _stated(question: Question, proof: SatProof | PositionProof) -> tuple[list[str], Formula]:
    """The comments and the formula of a proof."""
    from cavalcade.checking.certificates import formula_of
    from cavalcade.checking.constraints import closed_graph

    words = ["Variable 1 + cn + (t - 1): cell c, from 0, has step t."]
    if isinstance(proof, SatProof):
        words = _words(*closed_graph(question), proof)
    known = Certificate(question, proof).to_dict()
    head = json.dumps({key: value for key, value in known.items() if key != "drup"})
    words += [f"certificate {head[i : i + LONGEST]}" for i in range(0, len(head), LONGEST)]
    return words, formula_of(question, proof)


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
        UnprovedError: the solver found none within its budget, or in this time.
    """
    from cavalcade.refute.sat import sat

    try:
        with limits(seconds):
            found = next(sat(question, Budget(TRIED), seed=seed))
    except TimeoutError as error:
        raise UnprovedError(f"the solver found no proof: {error}") from None
    if isinstance(found, Undecided):
        raise UnprovedError(f"the solver found no proof ({found.reason})")
    if not isinstance(found, SatProof):
        raise TypeError(f"a solver's tour contradicts the proof of {question.board.title}")
    return found
