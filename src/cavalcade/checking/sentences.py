"""A proof in words: a paragraph for a teacher, every cell by its name.

The steps are taken again, as in `checking.certificates.verify`; each is put in words before it is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.certificate import PositionProof, SatProof, StepProof, flat
from cavalcade.checking.certificates import closed_graph, take
from cavalcade.checking.constraints import one_way
from cavalcade.checking.present import FORCED, OUT, PresentGraph
from cavalcade.checking.rules import RULES
from cavalcade.checking.words import Words, counted
from cavalcade.problem import EXTRA

if TYPE_CHECKING:
    from cavalcade.answers.certificate import Certificate, Step

# rules that call places by their cells
BY_CELLS = {"degree", "hall", "reach", "tight", "forced", "full", "three", "cycle", "early", "branch"}
LONG = 400  # steps; longer proofs are summed up


def sentences(certificate: Certificate) -> list[str]:
    """The sentences of a proof that `checking.certificates.verify` accepts. It takes as long as that."""
    problem = certificate.problem
    closed = problem.closed
    none = f"So there is {certificate.claim}."
    if isinstance(certificate.proof, PositionProof):
        return [_of_positions(certificate.proof), none]
    size, edges = closed_graph(problem)
    found: list[str] = []
    if not _speaks_of_cells_alone(certificate):
        found += _of_places(certificate)
    if isinstance(certificate.proof, SatProof):
        cuts, lines = len(certificate.proof.cuts), len(certificate.proof.drup)
        bound = f" {certificate.proof.at_most}" if certificate.proof.at_most else ""
        found.append(
            f"Every tour makes two of the moves of each cell, and leaves each of {counted(cuts, 'set')} of "
            f"cells: no choice among the {len(edges):,} moves does all of that{bound}. The proof has "
            f"{lines:,} lines, each of which follows from those before it by unit propagation: a machine "
            "reads it."
        )
    elif (count := sum(1 for _ in flat(certificate.proof.steps))) > LONG:
        cases = sum(1 for step in flat(certificate.proof.steps) if step.cases)
        of = f"distinguishes {cases + 1:,} cases, in" if cases else "has"
        found.append(f"The proof {of} {count:,} steps: a machine reads it.")
    else:
        hub_alone = not closed and not problem.ends
        words = Words(
            PresentGraph(size, edges, certificate.name, problem), problem.hub if hub_alone else None
        )
        found += _of_steps(words, certificate.proof.steps, "")
    return [*found, none]


def _of_places(certificate: Certificate) -> list[str]:
    """The places beside the cells that the proof speaks of."""
    problem, (hub, link) = certificate.problem, EXTRA
    found: list[str] = []
    arcs = one_way(problem)
    steps = flat(certificate.proof.steps) if isinstance(certificate.proof, StepProof) else ()
    if arcs and not (steps and all(step.rule in BY_CELLS for step in steps)):
        goes = f"Moves go {problem.way}" if problem.way else "Moves go from the tail of an edge to its head"
        found.append(
            f"{goes} only. Beside every cell c put a place >c, where a tour arrives, and a "
            "place c>, where it leaves, and let a move from a to b lead from a> to >b."
        )
    if not problem.closed:
        given = [certificate.name(c) for c in problem.ends]
        if arcs:
            begin, end = (
                "every cell" if cell is None else certificate.name(cell)
                for cell in (problem.start, problem.end)
            )
            found.append(f"Add a place {hub} beside the board, with moves to {begin} and from {end}")
        elif len(given) == 2:
            found.append(f"Add a place {hub} beside the board, next to {given[0]} and {given[1]} alone")
        elif given:
            found.append(
                f"Add two places beside the board: {hub}, next to every cell but {given[0]}, and {link} "
                f"between {given[0]} and {hub}"
            )
        else:
            found.append(f"Add a place {hub} beside the board, next to every cell")
        these = " with these ends" if given else ""
        found[-1] += f": an open tour of the board{these} is then a closed tour of all places."
    if problem.required and arcs:
        found.append(
            "Where a move from a to b has to be made, leave out the other moves from a and the others to b."
        )
    elif problem.required:
        found.append(
            "On every move from a to b that has to be made put two places, a-b and b-a: a tour of all places "
            "makes the move."
        )
    return found


def _of_positions(proof: PositionProof) -> str:
    """What the lines say together."""
    if len(proof.drup) == 1:
        return (
            "Say for every cell on which steps a tour may be there: not on one before or after which it can "
            "be on no cell a move away. Where that ends, some cell has no step left, or some step no cell."
        )
    return (
        "Every cell has one step, every step one cell, and the next step is one move away: no choice does "
        f"all of that. The proof has {len(proof.drup):,} lines, each of which follows from those before it "
        "by unit propagation: a machine reads it."
    )


def _speaks_of_cells_alone(certificate: Certificate) -> bool:
    """Whether a proof about open tours is one cut, which can be explained without an added place."""
    problem, proof = certificate.problem, certificate.proof
    if problem.closed and not problem.required and isinstance(proof, StepProof) and len(proof.steps) == 1:
        return proof.steps[0].rule in BY_CELLS
    if certificate.reason != "cut" or problem.ends or one_way(problem) or not isinstance(proof, StepProof):
        return False
    return problem.hub in proof.steps[0].cells


def _of_steps(words: Words, steps: tuple[Step, ...], case: str) -> list[str]:
    """The sentences of some steps; `case` numbers the case they belong to."""
    found: list[str] = []
    for step in steps:
        sentence = RULES[step.rule].sentence(words, np.array(step.cells, dtype=np.int64))
        if step.cases:
            return found + _cases(words, step, sentence, case)
        found.append(sentence)
        if step is not steps[-1]:
            take(words.present, step)
    return found


def _cases(words: Words, step: Step, move: str, case: str) -> list[str]:
    """Both cases of a branch."""
    found: list[str] = []
    edge = words.present.edge(np.array(step.cells))
    for k, (steps, status) in enumerate(zip(step.cases, (FORCED, OUT), strict=True), 1):
        label = f"{case}.{k}" if case else f"{k}"
        since = words.present.assume(edge, status)
        inner = _of_steps(words, steps, label)
        words.present.take_back(since)
        uses = "with" if status == FORCED else "without"
        found += [f"Case {label}, a tour {uses} {move}. {inner[0]}", *inner[1:]]
    return found
