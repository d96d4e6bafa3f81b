"""The only functions that call an answer certified or counted twice.

Each function compares a claim with what the checker finds out by itself, and raises AssertionError if they
differ. An engine that is wrong thus ends the command with an internal error instead of a false claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from cavalcade.answers.certificate import Certificate, SatProof
from cavalcade.answers.tours import Tour
from cavalcade.answers.verification import Verification
from cavalcade.checking.constraints import closed_graph, nonsense, unmet, vertex_map
from cavalcade.checking.events import must_turn
from cavalcade.checking.recount import sweep
from cavalcade.checking.second_count import cycles_again
from cavalcade.checking.tours import Checked
from cavalcade.checking.uncrossed import check_uncrossed, longest_again
from cavalcade.ground.errors import TooLargeError
from cavalcade.ground.kernels import Tier
from cavalcade.question.question import Question
from cavalcade.question.symmetry import Symmetry

# States of the first count, added up over its steps, up to which a count is repeated. Both programs take less
# than half a second for them on a laptop of 2020.
REPEATED = 200_000
MODULUS = (1 << 61) - 1  # a prime: the second program in compiled code counts modulo a number below 2**62


def agreed(
    first: int, first_method: str, second: int, second_method: str, *, what: str = "tours"
) -> Verification:
    """Compare two numbers that different methods have given; `what` is what they count.

    Raises:
        AssertionError: the numbers differ.
    """
    if first != second:
        raise AssertionError(f"{first_method} there are {first} {what}, and {second_method} {second}")
    return Verification.COUNTED_TWICE


def recounted(
    question: Question, tours: int, *, order: Sequence[int], work: int, directed: bool = False
) -> Verification:
    """Count the tours of a question again by the second program, if the first count was small.

    Args:
        question: the question, without steps and coils.
        tours: the number of tours that the first program gave.
        order: vertices of the closed graph in the order in which the second program takes them.
        work: states of the first count, added up over its steps.
        directed: whether a tour and its reverse count as two.

    Raises:
        AssertionError: the numbers differ.
    """
    if work > (REPEATED if question.symmetry is None else REPEATED // 40):
        return Verification.UNCHECKED
    if question.board.size > 1 and nonsense(question):  # the checker has no such symmetry, or several
        return Verification.UNCHECKED
    try:
        cycles = 1 if question.board.size == 1 else _cycles(question, order)
    except (TimeoutError, TooLargeError):
        return Verification.UNCHECKED
    one_way = bool(question.ends) or question.one_way
    expected = cycles * (2 if directed and not one_way and question.board.size > 1 else 1)
    if (tours - expected) % MODULUS:
        what = f"the number of {question.kind} tours of {question.board.title}{question.constraints}"
        raise AssertionError(f"{what} is wrong: counted {tours}, and by the second program {expected}")
    return Verification.COUNTED_TWICE


def classified(
    question: Question,
    group: Sequence[Symmetry],
    total: int,
    classes: int,
    *,
    order: Sequence[int],
    work: int,
) -> Verification:
    """Compare a number of classes of tours with the tours that each symmetry fixes, by Burnside's lemma.

    Args:
        question: the question, without a symmetry.
        group: the symmetries, the identity first.
        total: number of all tours, which is not counted again.
        classes: number of classes that the first program gave.
        order: see `recounted`.
        work: states of the first count of symmetric tours, added up over its steps.

    Raises:
        AssertionError: the numbers differ.
    """
    if len(group) * work > REPEATED // 4:
        return Verification.UNCHECKED
    fixed = total
    try:
        for symmetry in group[1:]:
            fixed += _cycles(replace(question, symmetry=symmetry), order)
    except (TimeoutError, TooLargeError):
        return Verification.UNCHECKED
    what = "tours fixed by all symmetries"
    return agreed(classes * len(group), "by the number of classes", fixed, "one by one", what=what)


def bounded_below(
    question: Question, what: str, events: int, at_least: int, certificate: Certificate | None
) -> Verification:
    """Compare a lower bound on the turns, crossings or angles of all tours with what is proved.

    Args:
        question: the question.
        what: one of `MEASURES`.
        events: number of events of a tour.
        at_least: the claimed lower bound.
        certificate: a verified proof that no tour has fewer events; None if there is no proof.

    Raises:
        AssertionError: the proof, or without one the moves of single cells, give another bound, or the tour
            has fewer events.
    """
    proved = must_turn(question) if what == "turns" else 0
    if certificate is not None:
        bound = certificate.proof.at_most if isinstance(certificate.proof, SatProof) else None
        about = replace(question.relaxed, symmetry=question.symmetry)
        if bound is None or bound.what != what or certificate.question != about:
            raise AssertionError(f"the proof of a bound on {what} is about something else")
        proved = bound.most + 1
    if at_least != proved:
        raise AssertionError(f"at least {at_least} {what} are claimed, and at least {proved} are proved")
    if events < proved:
        raise AssertionError(f"a tour has {events} {what}, and at least {proved} are proved")
    return Verification.CERTIFIED


def longest(walk: Tour) -> Verification:
    """Compare a longest walk without a crossing with all walks of its board in the plane, if these are few.

    Raises:
        AssertionError: the walk is wrong, or another walk is longer.
    """
    proved(check_uncrossed(walk))
    if walk.board.plain:
        raise TypeError("a graph does not lie in the plane")
    moves = len(walk) if walk.closed else len(walk) - 1
    most = longest_again(walk.board, walk.piece, closed=walk.closed, work=REPEATED)
    if most is None:
        return Verification.UNCHECKED
    return agreed(moves, "in the longest walk", most, "among all walks", what="moves")


def proved(checked: Checked) -> Verification:
    """Return that a claim is certified, from the outcome of a check of its proof.

    Raises:
        AssertionError: the proof is wrong.
    """
    if not checked:
        raise AssertionError(checked.message)
    return Verification.CERTIFIED


def selected(question: Question, tours: Iterable[Tour], total: int, claimed: int) -> Verification:
    """Select the tours that meet the requirements of a question from a list of more tours.

    Args:
        question: the question.
        tours: all tours without its steps, symmetry and coils; a tour and its reverse count as one.
        total: number of these tours, which was counted twice.
        claimed: number of tours that the first program gave.

    Raises:
        AssertionError: the list has another length, or the numbers of selected tours differ.
    """
    length = matches = 0
    for tour in tours:
        length += 1
        ways = sum(not unmet(question, numbered) for numbered in _numberings(question, tour))
        matches += min(ways, 1) if question.reversible else ways
    agreed(total, "by a count", length, "in a list")
    return agreed(claimed, "by the first search", matches, "among all tours")


def _numberings(question: Question, tour: Tour) -> Iterator[Tour]:
    """Yield a tour in each direction in which it has the given steps, a closed tour rotated accordingly."""
    for direction in (1,) if question.one_way else (1, -1):
        cells = tour.cells.tolist()[::direction]
        if tour.closed and question.given:
            step, cell = next(iter(question.given.items()))
            shift = cells.index(cell) - step + 1
            cells = cells[shift:] + cells[:shift]
        if all(cells[step - 1] == cell for step, cell in question.given.items()):
            yield replace(tour, cells=np.array(cells, dtype=np.int32))


def _cycles(question: Question, order: Sequence[int]) -> int:
    """Count the Hamiltonian cycles of the closed graph that the symmetry keeps, modulo `MODULUS`."""
    size, edges = closed_graph(question)
    if size < 3:
        return 0
    neighbours: list[set[int]] = [set() for _ in range(size)]
    for a, b in edges.tolist():
        neighbours[a].add(b)
        neighbours[b].add(a)
    image = vertex_map(question, size)
    if image is None and Tier.warm:
        *_, last = sweep(neighbours, order, [], {}, MODULUS)
        return sum(last.ways.tolist())
    return cycles_again(neighbours, order, range(size) if image is None else image.tolist()) % MODULUS
