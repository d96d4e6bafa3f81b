"""Verdicts: the answer of an engine, checked by `checking`, which shares no code with any engine."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.certificate import Certificate, PositionProof, Proof, SatProof, StepProof
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible, Undecided, Verdict
from cavalcade.answers.verification import Verification
from cavalcade.checking.constraints import unmet
from cavalcade.checking.tours import Checked, fault
from cavalcade.ground.budget import assert_time
from cavalcade.ground.errors import FormatError
from cavalcade.ground.watchdog import TIMING
from cavalcade.question.colours import has_unequal_colours
from cavalcade.question.question import Question

Answer: TypeAlias = NDArray[np.int32] | Proof | Undecided | None

# Cells from which a tour on a flat board is checked as an array: that takes less memory, and is faster even
# if its kernels must be loaded first.
ARRAY_FROM = 2_000_000
# Seconds to check a character of a SAT proof. With `FORMULA` and `STEPS` it predicts whether there is time to
# check a proof.
CHARACTER_SECONDS = 1e-7
# Time to build the formula of a SAT proof and to start the check, and to check and explain a proof by a few
# steps: characters per edge.
FORMULA, STEPS = 300, 10


def judged(question: Question, answer: Answer, engine: str, seed: int, *, by_luck: bool = False) -> Verdict:
    """Check the answer of an engine, and return it as a verdict.

    Args:
        question: the question.
        answer: the answer.
        engine: name of the engine.
        seed: seed of the random choices.
        by_luck: whether the engine ignores some constraints, so that its tours may violate them.

    Raises:
        AssertionError: the answer is wrong.
        TimeoutError: there is not enough time to check a proof.
    """
    if answer is None:
        return Undecided("no proof", engine, seed)
    if isinstance(answer, StepProof | SatProof | PositionProof):
        return _refuted(question, answer, engine, seed)
    if isinstance(answer, Undecided):
        return answer
    numbered = question.numbered(answer)
    cells = answer if numbered is None else numbered
    tour = Tour(question.board, cells, question.closed, question.piece)
    if (damage := fault_in(tour)) is not None:
        raise AssertionError(f"the engine {engine} is wrong: {damage.message}")
    if not (wrong := unmet(question, tour)):
        return Found(tour, engine, seed)
    if by_luck:
        return Undecided(f"a tour, but {wrong}", engine, seed)
    raise AssertionError(f"the engine {engine} is wrong: {wrong}")


def fault_in(tour: Tour) -> Checked | None:
    """Return the error that the checker finds in a tour, or None."""
    board = tour.board
    if board.size < ARRAY_FROM or board.plain or not board.family.flat:
        return fault(tour)
    from cavalcade.checking.arrays import check_array

    result = check_array(tour.numbering, board, piece=tour.piece)
    if result and tour.closed and not result.message.startswith("a closed tour"):
        return replace(result, ok=False)
    return None if result else result


def _refuted(question: Question, proof: Proof, engine: str, seed: int) -> Impossible:
    """Check a proof and return it as a verdict.

    Raises:
        TimeoutError: the time until the deadline does not suffice.
    """
    if not has_unequal_colours(question):
        edges = question.as_cycle.edge_count
        characters = (
            STEPS * edges if isinstance(proof, StepProof) else FORMULA * edges + sum(map(len, proof.drup))
        )
        seconds = CHARACTER_SECONDS * characters
        if seconds > TIMING.grace:
            assert_time(f"a proof was found, but no time is left to check it: {seconds:.3g} s", seconds)
    certificate, reason, verification = certified(question, proof, engine)
    return Impossible(reason, engine, seed, certificate=certificate, verification=verification)


def certified(question: Question, proof: Proof, engine: str) -> tuple[Certificate, str, Verification]:
    """Check a proof; return it with the question that it decides, in words, and how it was checked."""
    from cavalcade.checking.certificates import verify
    from cavalcade.checking.verification import proved
    from cavalcade.explaining.sentences import verified_in_words

    about = question.relaxed
    rule = proof.steps[-1].rule if isinstance(proof, StepProof) else ""
    if isinstance(proof, SatProof) or rule == "symmetry":
        about = replace(about, symmetry=question.symmetry)
    elif isinstance(proof, PositionProof) or rule == "steps":
        about = replace(question, symmetry=None, through=question.through if rule != "steps" else ())
    elif rule == "linear" and not all(term.cells for term in proof.steps[-1].terms):
        about = replace(about, coils=question.coils)
    certificate = Certificate(about, proof)
    if isinstance(proof, PositionProof) and len(proof.drup) > 1:
        # The solver learns clauses also where unit propagation suffices, which a reader can follow.
        bare = Certificate(about, PositionProof(("0",)))
        certificate = bare if verify(bare) else certificate
    result, words = verified_in_words(certificate)
    if not result:
        raise AssertionError(f"the engine {engine} is wrong: {result.message}")
    return certificate, " ".join(words), proved(result)


def trimmed(question: Question, proof: SatProof | PositionProof) -> SatProof | PositionProof:
    """Return the lines of a solver's proof that its contradiction depends on; a wrong proof is unchanged."""
    from cavalcade.checking.certificates import formula_of
    from cavalcade.checking.drup import trim

    try:
        lines, needed = trim(formula_of(question, proof), proof.drup)
    except FormatError:
        return proof  # `verify` will report the error
    if isinstance(proof, PositionProof):
        return PositionProof(lines)
    cuts = zip(proof.cuts, needed[len(needed) - len(proof.cuts) :], strict=True)
    return replace(proof, cuts=tuple(cut for cut, stamp in cuts if stamp), drup=lines)
