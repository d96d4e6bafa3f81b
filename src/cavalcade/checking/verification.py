"""The only functions that call an answer certified or counted twice.

Each function compares a claim with what the checker finds out by itself, and raises AssertionError if they
differ. An engine that is wrong thus ends the command with an internal error instead of a false claim.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import chain, pairwise, starmap

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.certificate import Certificate, SatProof
from cavalcade.answers.tours import Tour, Tours
from cavalcade.answers.verdict import Found, Impossible, Undecided
from cavalcade.answers.verification import Verification
from cavalcade.checking.certificates import verify
from cavalcade.checking.complete import CompleteList, assert_automorphisms
from cavalcade.checking.constraints import closed_graph, covers, nonsense, unmet, vertex_map
from cavalcade.checking.events import must_turn
from cavalcade.checking.geometry import Ints
from cavalcade.checking.optima import Case, Place, value_and_bound
from cavalcade.checking.recount import sweep
from cavalcade.checking.second_count import cycles_again
from cavalcade.checking.tours import Checked, check
from cavalcade.checking.uncrossed import check_uncrossed, longest_again
from cavalcade.checking.weights import weight_of
from cavalcade.ground.errors import TooLargeError
from cavalcade.ground.kernels import Tier
from cavalcade.question.question import Question
from cavalcade.question.symmetry import Symmetry

# States of the first count, added up over its steps, up to which a count is repeated. Both programs take less
# than half a second for them on a laptop of 2020.
REPEATED = 200_000
LISTED_AGAIN = 10_000  # tours up to which lists serve as second counts: 6x6 takes half a second
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
    fixed: Mapping[int, tuple[int, int]],
    alone: Mapping[int, int],
    symmetric: Callable[[Question], Iterable[Tours]],
    *,
    order: Sequence[int],
    work: int,
) -> Verification:
    """Compare the tours that each symmetry fixes, and the numbers of classes, with second counts.

    Args:
        question: the question, without a symmetry.
        group: the symmetries, the identity first.
        total: number of all tours, which is not counted again.
        classes: number of classes that the first program gave, by Burnside's lemma.
        fixed: number of tours that each symmetry fixes, by its index in the group, keeping and reversing
            their direction.
        alone: number of classes of tours with a symmetry and besides it only its powers, by its index.
        symmetric: lists the tours of a question with a symmetry.
        order: see `recounted`.
        work: states of the first count of symmetric tours, added up over its steps.

    Raises:
        AssertionError: the numbers differ.
    """
    if len(group) * work > REPEATED // 4 or sum(map(sum, fixed.values())) - total > LISTED_AGAIN:
        return Verification.UNCHECKED
    sum_fixed = total
    symmetries_of = defaultdict[bytes, set[int]](set)  # indices of the symmetries of each symmetric tour
    try:
        for i, symmetry in enumerate(group[1:], 1):
            about = replace(question, symmetry=symmetry)
            cycles, image = _cycles(about, order), symmetry.cells.astype(np.int64)
            symmetric_tours = CompleteList.of(question, symmetric(about) if cycles else (), cycles)
            if (kept := symmetric_tours.directions_kept(image)) != tuple(fixed[i]) or sum(kept) != cycles:
                words = f"tours whose direction the {symmetry.name} keeps and reverses"
                raise AssertionError(
                    f"{tuple(fixed[i])} {words} are counted, and {kept} of {cycles} are listed"
                )
            sum_fixed += cycles
            for tour in chain.from_iterable(starmap(symmetric_tours.keys, symmetric_tours.blocks)):
                symmetries_of[tour].add(i)
    except (TimeoutError, TooLargeError):
        return Verification.UNCHECKED
    for i, claimed in alone.items():
        order_of_powers, conjugates = _subgroup(group, i)
        # The symmetries of a tour are the powers of a conjugate if they contain it, and are equally many.
        tours = sum(
            len(indices) + 1 == order_of_powers and not conjugates.isdisjoint(indices)
            for indices in symmetries_of.values()
        )
        agreed(
            claimed * len(group),
            "by subtraction",
            (tours if i else total - len(symmetries_of)) * order_of_powers,  # one for each coset in a class
            "one by one",
            what=f"pairs of a symmetry and a tour whose only symmetries are powers of the {group[i].name}",
        )
    what = "tours fixed by all symmetries"
    return agreed(classes * len(group), "by the number of classes", sum_fixed, "one by one", what=what)


def _subgroup(group: Sequence[Symmetry], i: int) -> tuple[int, set[int]]:
    """Return the number of powers of a symmetry, and the indices of its conjugates."""
    maps = np.array([symmetry.cells for symmetry in group])
    number = {image.tobytes(): j for j, image in enumerate(maps)}
    conjugates = {number[image[maps[i, np.argsort(image)]].tobytes()] for image in maps}
    power, powers = maps[i], {maps[0].tobytes()}
    while power.tobytes() not in powers:
        powers.add(power.tobytes())
        power = maps[i, power]
    return len(powers), conjugates


def split(
    question: Question,
    tours: Iterable[Tours],
    total: int,
    by: str,
    numbers: Mapping[str, Sequence[int]],
    *,
    group: Sequence[Symmetry],
    directed: bool,
) -> Verification:
    """Count the tours with k events of a kind again, in a complete list.

    Args:
        question: the question, about a board of at least two cells.
        tours: a list of all tours; a tour and its reverse count as one.
        total: number of tours in this list, by a count.
        by: criterion of the kinds, see `answers.counts.Distribution`.
        numbers: the claimed numbers of tours for k = 0, 1, 2, …, by the name of the kind.
        group: the symmetries of the question.
        directed: whether a tour and its reverse count as two in the claimed numbers.

    Raises:
        AssertionError: the list is not complete, or a number differs.
    """
    maps = [symmetry.cells.astype(np.int64) for symmetry in group]
    assert_automorphisms(question, maps)
    complete = CompleteList.of(question, tours, total)
    factor = 2 if directed and not question.ends and not question.one_way and question.reversible else 1
    for name, claimed in numbers.items():
        listed = factor * np.trim_zeros(complete.numbers(by, name, maps), "b")
        if np.trim_zeros(np.array(claimed, dtype=object), "b").tolist() != listed.tolist():
            raise AssertionError(f"the numbers of tours by {by} {name} are not those in a list of all tours")
    return Verification.COUNTED_TWICE


def same_split(
    first: Mapping[str, Mapping[int, int]], second: Mapping[str, Mapping[int, int]]
) -> Verification:
    """Compare the numbers of tours with k moves of each kind that a program found in two orders.

    Raises:
        AssertionError: the numbers differ.
    """
    if first != second:
        raise AssertionError("the numbers of tours by their moves differ, counted in another order")
    return Verification.COUNTED_TWICE


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
    if walk.board.plain:
        raise TypeError("a graph does not lie in the plane")
    proved(check_uncrossed(walk))
    moves = len(walk) if walk.closed else len(walk) - 1
    most = longest_again(walk.board, walk.piece, closed=walk.closed, work=REPEATED)
    if most is None:
        return Verification.UNCHECKED
    return agreed(moves, "in the longest walk", most, "among all walks", what="moves")


def least_weight(
    question: Question, tour: Tour, weight: Decimal, certificate: Certificate | None
) -> Verification:
    """Check a tour and the proof that no tour weighs less.

    If a number divides all weights, it divides the weight of each tour. So if no tour weighs at most the
    weight of this tour minus such a number, no tour weighs less than this tour.

    Args:
        question: the question.
        tour: the tour.
        weight: weight of the tour.
        certificate: a proof about the weight of any tour; None if there is none.

    Raises:
        AssertionError: the tour or the proof is wrong, or the proof allows a lighter tour.
    """
    proved(check(tour))
    if fault := unmet(question, tour):
        raise AssertionError(fault)
    if certificate is None:
        return Verification.CERTIFIED if len(tour) == 1 else Verification.UNCHECKED
    try:
        proved(verify(certificate))
    except TimeoutError:  # the time limit is reached: the tour is right, and its bound was not checked
        return Verification.UNCHECKED
    limit = certificate.weight_limit
    if (
        certificate.question != question
        or limit is None
        or weight != weight_of(tour, question, limit)
        or any(number % (weight - limit.most) for number in limit.weights)
    ):
        raise AssertionError("a tour may weigh more than the limit of the proof and less than the best tour")
    return Verification.CERTIFIED


def optimum(
    place: Place, what: str, walks: Sequence[Tour], cases: Sequence[Case]
) -> tuple[Decimal, Decimal, Verification]:
    """Check walks and the proof of a bound, see `checking.optima`; return their value and the bound.

    If the time limit ends the check of the proof, the bound follows from the colours of the cells alone.

    Raises:
        AssertionError: a walk or a proof is wrong.
    """
    try:
        return *value_and_bound(place, what, walks, cases), Verification.CERTIFIED
    except TimeoutError:
        return *value_and_bound(place, what, walks, ()), Verification.CERTIFIED


def lightest(
    question: Question,
    tours: Iterable[Tours],
    total: int,
    weights: Sequence[Decimal],
    best: Sequence[Tour],
    number: int,
) -> Verification:
    """Compare the lightest tours with the weights of all tours.

    Args:
        question: the question, about a board of at least two cells.
        tours: a list of all tours.
        total: number of tours in this list, by a count.
        weights: weight of each move, in ascending order of the moves.
        best: the claimed lightest tours, lightest first.
        number: number of lightest tours that were wanted.

    Raises:
        AssertionError: the list is not complete, or other tours are lighter.
    """
    scale = 10 ** max(0, *(-int(weight.as_tuple().exponent) for weight in weights))
    scaled = np.array([int(weight * scale) for weight in weights], dtype=np.int64)
    all_weights = sorted(CompleteList.of(question, tours, total).weights(scaled))
    claimed = CompleteList.of(question, map(Tours.of, best), len(best)).weights(scaled)
    if claimed != all_weights[:number]:
        raise AssertionError("the lightest tours are not those in a list of all tours")
    return Verification.COUNTED_TWICE


def connections(
    question: Question,
    maps: Sequence[Ints],
    classes: Sequence[tuple[int, int, int, Found | Impossible | Undecided]],
    class_of: NDArray[np.int32],
) -> Verification:
    """Check the classes of pairs of cells, and the tour or the proof of each class.

    Args:
        question: the question about open tours with any ends.
        maps: the images of all cells under each symmetry.
        classes: a pair of cells of each class, the number of pairs, and the verdict on tours between them.
        class_of: index of the class of every two cells, shape (n, n); -1 on the diagonal.

    Raises:
        AssertionError: a tour or a proof is about other cells, or a pair is in another class.
    """
    assert_automorphisms(question, maps)
    reached, certified = class_of < 0, True
    both_ways = 1 if question.directed else 2
    if (np.bincount(class_of[~reached]) != [both_ways * size for _, _, size, _ in classes]).any():
        raise AssertionError("a class of pairs of cells has another size")
    for number, (start, end, _, verdict) in enumerate(classes):
        about = replace(question, start=start, end=end)
        if isinstance(verdict, Found):
            proved(check(verdict.tour))
            if fault := unmet(about, verdict.tour):
                raise AssertionError(fault)
        else:
            certified &= refuted(about, verdict) == Verification.CERTIFIED
        for image in [np.arange(question.board.size), *maps]:
            a, b = image[start], image[end]
            reached[a, b] |= class_of[a, b] == number
            reached[b, a] |= class_of[b, a] == number and not question.directed
    if not reached.all():
        raise AssertionError("a pair of cells is in a class whose tours do not join it")
    return Verification.CERTIFIED if certified else Verification.UNCHECKED


def continued(
    walk: Tour, question: Question, tour: Tour, kept: int, one_more: Found | Impossible | Undecided | None
) -> Verification:
    """Check a tour that keeps some first steps of a walk, and the proof that no tour keeps more.

    Args:
        walk: the walk.
        question: the question that the tour answers.
        tour: the tour.
        kept: number of first steps of the walk that the tour keeps.
        one_more: verdict on the tours that keep one more step; None if there is none.

    Raises:
        AssertionError: the tour does not keep the steps, or the proof is about something else.
    """
    proved(check(tour))
    cells = walk.cells[: kept + 1].tolist()
    if fault := unmet(question, tour):
        raise AssertionError(fault)
    if tour.cells[:kept].tolist() != cells[:kept]:
        raise AssertionError(f"the tour does not keep {kept:,} steps of the walk")
    steps = list(pairwise(cells))
    moves = steps if question.directed else [(min(move), max(move)) for move in steps]
    first_wrong = check(Tour(walk.board, walk.cells, closed=False, piece=walk.piece)).step
    if kept == len(walk) or kept + 1 == first_wrong or moves[-1] in question.forbidden:
        return Verification.CERTIFIED
    one_step_more = replace(
        question,
        start=cells[0],
        required=tuple(sorted({*moves, *question.required})),
        steps=tuple(sorted({*question.steps, *((2, cell) for cell in cells[1:2])})),
    )
    return refuted(one_step_more, one_more)


def why_not(question: Question, tour: Tour) -> str:
    """Return why a tour does not answer a question; empty if it does."""
    checked = check(tour)
    return unmet(question, tour) if checked else checked.message


def refuted(question: Question, verdict: Found | Impossible | Undecided | None) -> Verification:
    """Return how it was checked that a question has no tour; without a proof it is unchecked.

    A proof that was verified when its verdict was made is not verified again.

    Raises:
        AssertionError: the proof is wrong, or about something else.
    """
    if not isinstance(verdict, Impossible) or (certificate := verdict.certificate) is None:
        return Verification.UNCHECKED
    if not covers(certificate.question, question):
        raise AssertionError(f"the proof is about {certificate.claim}")
    if verdict.verification == Verification.CERTIFIED:
        return verdict.verification
    return proved(verify(certificate))


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
