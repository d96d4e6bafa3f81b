"""Counting tours up to symmetry by Burnside's lemma.

Two tours are in one class if a symmetry of the board maps one to the other. The number of classes is the mean
number of tours that a symmetry fixes, over all symmetries (Burnside 1897, who credits Frobenius). Conjugate
symmetries fix equally many tours, so one member of each conjugacy class is enough.

The terms for symmetric tours are Jelliss's (Knight's Tour Notes, 2019). A symmetry that fixes a closed tour
keeps or reverses its direction. A tour is Eulerian if a half turn keeps its direction, Bergholtian if a half
turn reverses it (the tour passes through the centre twice), Sulian if a reflection keeps it, and Murraian if
a reflection reverses it (the tour meets the axis in two places). With a quarter turn, which always keeps the
direction, it is quaternary.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Unpack

import numpy as np

from cavalcade.answers.counts import Classes, Count, SymmetryClass
from cavalcade.answers.verification import Verification
from cavalcade.checking.verification import classified
from cavalcade.counting.colours import refuted_by_colours
from cavalcade.counting.listing import list_arrays
from cavalcade.counting.total import count
from cavalcade.counting.voltage import Fixed, fixed_cycles
from cavalcade.ground.budget import bounded, memory_limit
from cavalcade.ground.errors import BoardError, CavalcadeError, CellError
from cavalcade.question.graph import BoardLike
from cavalcade.question.question import Question, symmetries
from cavalcade.question.symmetry import Symmetry
from cavalcade.question.words import QuestionWords, validated
from cavalcade.states.order import narrow_order
from cavalcade.states.search import Progress

TERMS = {
    "half turn": ("Eulerian", "Bergholtian"),
    "reflection": ("Sulian", "Murraian"),
    "quarter turn": ("quaternary", ""),
}


def conjugates(group: list[Symmetry]) -> list[list[int]]:
    """Return the conjugacy classes of a group as lists of indices, that of the identity first.

    Time: |group| * cells for each class.
    """
    maps = np.array([symmetry.cells for symmetry in group])
    inverses = np.argsort(maps, axis=1)
    number = {cells.tobytes(): i for i, cells in enumerate(maps)}
    conjugacy_classes: list[list[int]] = []
    classified: set[int] = set()
    for i, cells in enumerate(maps):
        if i not in classified:
            members = np.take_along_axis(maps, cells[inverses], axis=1)  # g s g^-1 for all g
            conjugacy_classes.append(sorted({number[member.tobytes()] for member in members}))
            classified.update(conjugacy_classes[-1])
    return conjugacy_classes


@validated
def classes(
    board: BoardLike | Question,
    *,
    total: int | Count | None = None,
    memory: int | str | None = None,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    **words: Unpack[QuestionWords],
) -> Classes:
    """Count the tours up to symmetry, and the tours that each symmetry fixes.

    Args:
        board: a board, its spec, or a complete `Question`. A plain graph has no symmetries of a shape.
        total: the count of all tours, if known; then they are not counted again.
        memory: limit for the tables, in bytes or as text such as "4G"; by default half of the machine's
            memory.
        time_limit: seconds; by default none.
        progress: called after every step of a count: of symmetric tours, then of all tours.
        words: other properties of the tours, see `Question.of`; ends and symmetries are not supported.

    Raises:
        CavalcadeError: the spec is invalid, the board is a plain graph, or the question has ends or a
            symmetry.
        TooLargeError: the board has too many symmetries, is too wide, or needs more memory or time.

    Time: counting all tours takes most of the time. 8x8 with its total given takes a few seconds.

    Examples:
        >>> classes("6x6").classes
        1245
    """
    with bounded(time_limit, memory):
        question = Question.of(board, **words)
        if question.ends:
            raise CellError("classes are of tours between any ends; ask without start and end")
        if question.symmetry is not None or question.coils is not None:
            what = f"tours{question.constraints} are not counted up to the other symmetries"
            raise CavalcadeError(f"{what}; list them with up_to_symmetry instead")
        question.piece.assert_both_ways(question.board, "tours up to symmetry")
        group = symmetries(question)
        number = {s.cells.tobytes(): i for i, s in enumerate(group)}
        powers = [_powers(number, s) for s in group]
        conjugacy_classes = conjugates(group)
        refuted = refuted_by_colours(question) is not None
        fixed = dict.fromkeys(range(len(group)), Fixed(0, 0)) if refuted else dict[int, Fixed]()
        record = Progress(progress)
        for representative, *_ in conjugacy_classes[1:]:
            if representative not in fixed:
                image = question.encoding.image(group[representative].cells).tolist()
                fixed_tours = fixed_cycles(question.as_cycle, image, record)
                # Symmetries that generate the same subgroup fix the same tours, and so do their conjugates.
                subgroup = powers[representative]
                generators = {i for i in subgroup if powers[i] == subgroup}
                for members in conjugacy_classes:
                    if not generators.isdisjoint(members):
                        fixed.update(dict.fromkeys(members, fixed_tours))
        from_caller = isinstance(total, int)
        if total is None:
            total = count(question, memory=memory_limit(), progress=progress)
        verification = total.verification if isinstance(total, Count) else Verification.UNCHECKED
        total = total.count if isinstance(total, Count) else total
        fixed[0] = Fixed(total, 0)
        mean, rest = divmod(sum(f.total for f in fixed.values()), len(group))
        if rest:
            reason = f"{total} tours of {question.board.title} do not fall into a whole number of classes"
            raise BoardError(reason) if from_caller else AssertionError(reason)
        exact = _exactly(group, powers, fixed)
        alone: dict[int, int] = {}
        if exact is not None:
            for members in conjugacy_classes:
                subgroups = {powers[j] for j in members}
                alone[members[0]] = sum(exact[h] * len(h) for h in subgroups) // len(group)
        if verification != Verification.UNCHECKED and not refuted:
            order = narrow_order(question.as_cycle, question.apex)
            verification = classified(
                question, group, total, mean, fixed, alone, list_arrays, order=order, work=record.work
            )
    described = []
    for members in conjugacy_classes:
        i, name = members[0], group[members[0]].name
        terms = [words for start, words in TERMS.items() if name.startswith(start) and question.closed]
        described.append(
            SymmetryClass(name, len(members), len(powers[i]), *fixed[i], alone.get(i), *(terms or [("", "")]))
        )
    what = f"{question.kind} tours{question.constraints}"
    conventions = f"{what}, undirected, up to the {len(group)} symmetries of the board"
    return Classes(total, mean, len(group), tuple(described), conventions, verification)


def _powers(number: dict[bytes, int], s: Symmetry) -> frozenset[int]:
    """Return the indices of the powers of a symmetry, the identity being 0."""
    powers, cells = [0], s.cells
    while number[cells.tobytes()]:
        powers.append(number[cells.tobytes()])
        cells = s.cells[cells]
    return frozenset(powers)


def _exactly(
    group: list[Symmetry], powers: list[frozenset[int]], fixed: dict[int, Fixed]
) -> dict[frozenset[int], int] | None:
    """Count the tours whose symmetries are exactly a cyclic subgroup, for each cyclic subgroup.

    A symmetry of a tour shifts the tour along itself or reverses it. The shifts are powers of a single shift.
    So if a tour does not have two reversals, whose product is a shift, its symmetries form a cyclic group,
    and the numbers follow from subtracting the tours of the larger cyclic subgroups. Returns None if a tour
    can have a shift and two reversals.
    """
    number = {s.cells.tobytes(): i for i, s in enumerate(group)}
    reversals = [i for i in fixed if fixed[i].backward]
    for i, j in itertools.combinations(reversals, 2):
        if fixed[number[group[i].cells[group[j].cells].tobytes()]].forward:
            return None
    exact: dict[frozenset[int], int] = {}
    for i in sorted(fixed, key=lambda i: -len(powers[i])):
        larger = sum(tours for subgroup, tours in exact.items() if subgroup > powers[i])
        exact[powers[i]] = fixed[i].total - larger
    return exact
