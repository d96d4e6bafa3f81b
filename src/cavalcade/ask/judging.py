"""The answer of an engine becomes a verdict, checked by `checking`, which shares no code with any engine."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.certificate import Certificate, PositionProof, Proof, SatProof, StepProof
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible, Undecided, Verdict
from cavalcade.checking.constraints import unmet
from cavalcade.checking.tours import Checked, fault
from cavalcade.ground.budget import assert_time
from cavalcade.ground.errors import FormatError
from cavalcade.question.question import Question
from cavalcade.refute.board_colours import has_unequal_colours

Answer: TypeAlias = NDArray[np.int32] | Proof | Undecided | None

SWEPT = 2_000_000  # cells from which the check of arrays is faster, its kernels included
CHECKED = 1.2e-6  # seconds for each edge to check a proof by a few steps, and to put it in words
REPLAYED = 3e-5  # seconds for each edge to state the formula of a SAT proof, to trim it and to check it
REPLAYED_LETTER = 1e-7  # and for each letter of such a proof
TRIMMED = 10  # letters for each edge from which a SAT proof is trimmed: to state the formula takes as long
SHORT = 0.1  # seconds: what takes less is checked at any rate


def judged(question: Question, answer: Answer, engine: str, seed: int, *, by_luck: bool = False) -> Verdict:
    """The answer of an engine as a verdict, checked.

    Args:
        question: the question.
        answer: what came of it.
        engine: the name of the engine.
        seed: of its random choices.
        by_luck: the engine does not know all that is asked, so its tours need not fit.

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
    found = Tour(question.board, cells, question.closed, question.piece)
    if (damage := fault_in(found)) is not None:
        raise AssertionError(f"the engine {engine} is wrong: {damage.message}")
    if not (wrong := unmet(question, found)):
        return Found(found, engine, seed)
    if by_luck:
        return Undecided(f"a tour, but {wrong}", engine, seed)
    raise AssertionError(f"the engine {engine} is wrong: {wrong}")


def fault_in(found: Tour) -> Checked | None:
    """What the checker finds wrong with a tour, or None; of large boards the one that takes less memory."""
    board = found.board
    if board.size < SWEPT or board.plain or not board.family.flat:
        return fault(found)
    from cavalcade.checking.arrays import check_array

    result = check_array(found.numbering, board, piece=found.piece)
    if result and found.closed and not result.message.startswith("a closed tour"):
        return replace(result, ok=False)
    return None if result else result


def _refuted(question: Question, proof: Proof, engine: str, seed: int) -> Impossible:
    """A proof as a verdict, if there is time to check it."""
    if not has_unequal_colours(question):
        seconds = question.as_cycle.edge_count * CHECKED
        if not isinstance(proof, StepProof):
            seconds = question.as_cycle.edge_count * REPLAYED + _letters(proof) * REPLAYED_LETTER
        if seconds > SHORT:
            assert_time(f"a proof was found, but no time is left to check it: {seconds:.3g} s", seconds)
    certificate, reason = certified(question, proof, engine)
    return Impossible(reason, engine, seed, certificate=certificate)


def certified(question: Question, proof: Proof, engine: str) -> tuple[Certificate, str]:
    """A proof with what it is about, checked, and in words."""
    from cavalcade.explaining.sentences import verified_in_words

    about = question.relaxed
    rule = proof.steps[-1].rule if isinstance(proof, StepProof) else ""
    if isinstance(proof, SatProof) or rule == "symmetry":
        about = replace(about, symmetry=question.symmetry)
    elif isinstance(proof, PositionProof) or rule == "steps":
        about = replace(question, symmetry=None)
    elif rule == "linear" and not all(cells for _, cells in proof.steps[-1].terms):
        about = replace(about, coils=question.coils)
    if not isinstance(proof, StepProof) and _letters(proof) > TRIMMED * question.as_cycle.edge_count:
        proof = trimmed(about, proof)
    certificate = Certificate(about, proof)
    result, words = verified_in_words(certificate)
    if not result:
        raise AssertionError(f"the engine {engine} is wrong: {result.message}")
    return certificate, " ".join(words)


def _letters(proof: SatProof | PositionProof) -> int:
    return sum(map(len, proof.drup))


def trimmed(question: Question, proof: SatProof | PositionProof) -> SatProof | PositionProof:
    """The part of a solver's proof that its contradiction needs; as it is if it is wrong."""
    from cavalcade.checking.certificates import formula_of
    from cavalcade.checking.drup import trim

    try:
        lines, needed = trim(formula_of(question, proof), proof.drup)
    except FormatError:
        return proof  # `verify` will name the error
    if isinstance(proof, PositionProof):
        return PositionProof(lines)
    cuts = zip(proof.cuts, needed[len(needed) - len(proof.cuts) :], strict=True)
    return replace(proof, cuts=tuple(cut for cut, stamp in cuts if stamp), drup=lines)
