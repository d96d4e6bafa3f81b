"""Tours up to symmetry: how many tours each symmetry of a board maps to itself, and Burnside's lemma.

Tours are in one class if a symmetry of the board maps one to the other. The number of classes is the mean,
over all symmetries, of how many tours each maps to itself (Burnside 1897, who names Frobenius). Symmetries
that are conjugate map equally many to themselves; so one of each conjugacy class is enough.

The words for tours are Jelliss's (Knight's Tour Notes, 2019). A symmetry that keeps a closed tour may keep
its direction or reverse it. A half turn that keeps it is Eulerian, one that reverses it is Bergholtian (the
tour runs through the centre, twice); a reflection that keeps it is Sulian, one that reverses it Murraian
(the tour meets the axis in two places). A quarter turn is quaternary, and always keeps the direction.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Unpack

import numpy as np

from cavalcade.answers.counts import Classes, SymmetryClass
from cavalcade.counting.total import count
from cavalcade.counting.voltage import Fixed, fixed_cycles
from cavalcade.ground.budget import bounded, memory_limit
from cavalcade.ground.errors import BoardError, CavalcadeError, CellError
from cavalcade.question.graph import BoardLike
from cavalcade.question.question import Question, symmetries
from cavalcade.question.symmetry import Symmetry
from cavalcade.question.words import QuestionWords, validated
from cavalcade.states.search import Progress

TERMS = {
    "half turn": ("Eulerian", "Bergholtian"),
    "reflection": ("Sulian", "Murraian"),
    "quarter turn": ("quaternary", ""),
}


def conjugates(group: list[Symmetry]) -> list[list[int]]:
    """The conjugacy classes of a group, the identity's first. Time |group| * cells for each class."""
    every = np.array([s.cells for s in group])
    back = np.argsort(every, axis=1)
    number = {cells.tobytes(): i for i, cells in enumerate(every)}
    found: list[list[int]] = []
    seen: set[int] = set()
    for i, cells in enumerate(every):
        if i not in seen:
            conjugates = np.take_along_axis(every, cells[back], axis=1)
            found.append(sorted({number[c.tobytes()] for c in conjugates}))
            seen.update(found[-1])
    return found


@validated
def classes(
    board: BoardLike | Question,
    *,
    total: int | None = None,
    memory: int | str | None = None,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    **words: Unpack[QuestionWords],
) -> Classes:
    """The number of tours up to symmetry, and how many tours each symmetry maps to itself.

    Args:
        board: a board, its spec, or a whole `Question`. A plain graph has no shape, and so no symmetry.
        total: the number of all tours, where it is known; then it is not counted again.
        memory: bytes the tables may take; half of what the machine has, if not given.
        time_limit: seconds; by default none.
        progress: called after every cell while all tours are counted.
        words: what is asked of the tours, see `Question.of`; no ends, no symmetry.

    Raises:
        CavalcadeError: an invalid spec, a plain graph, ends, or a symmetry of its own.
        TooLargeError: the board has too many symmetries to try, is too wide, or needs more memory or time.

    Time: counting all tours takes most of it. 8x8 with its total given takes a few seconds.

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
        group = symmetries(question)
        number = {s.cells.tobytes(): i for i, s in enumerate(group)}
        powers = [_powers(number, s) for s in group]
        every = conjugates(group)
        fixed: dict[int, Fixed] = {}
        for members in every[1:]:
            if members[0] not in fixed:
                g = question.encoding.image(group[members[0]].cells).tolist()
                found = fixed_cycles(question.as_cycle, g)
                generators = {i for i in powers[members[0]] if powers[i] == powers[members[0]]}
                for same in every:  # what generates the same subgroup fixes the same tours
                    if not generators.isdisjoint(same):
                        fixed.update(dict.fromkeys(same, found))
        if total is None:
            total = count(question, memory=memory_limit(), progress=progress).count
    fixed[0] = Fixed(total, 0)
    mean, rest = divmod(sum(f.total for f in fixed.values()), len(group))
    if rest:
        raise BoardError(
            f"{question.board.title} cannot have {total} tours: the number of classes would not be whole"
        )
    alone = _with_no_other(group, powers, fixed)
    described = []
    for members in every:
        i, subgroups = members[0], {powers[j] for j in members}
        name = group[i].name
        own = None if alone is None else sum(alone[h] * len(h) for h in subgroups) // len(group)
        terms = [words for start, words in TERMS.items() if name.startswith(start) and question.closed]
        described.append(
            SymmetryClass(name, len(members), len(powers[i]), *fixed[i], own, *(terms or [("", "")]))
        )
    what = f"{question.kind} tours{question.constraints}"
    conventions = f"{what}, undirected, up to the {len(group)} symmetries of the board"
    return Classes(total, mean, len(group), tuple(described), conventions)


def _powers(number: dict[bytes, int], s: Symmetry) -> frozenset[int]:
    """The numbers of the powers of a symmetry."""
    found, at = [0], s.cells
    while number[at.tobytes()]:
        found.append(number[at.tobytes()])
        at = s.cells[at]
    return frozenset(found)


def _with_no_other(
    group: list[Symmetry], powers: list[frozenset[int]], fixed: dict[int, Fixed]
) -> dict[frozenset[int], int] | None:
    """For each cyclic subgroup the tours that are symmetric under it and under nothing else.

    The symmetries of a tour shift it along itself or reverse it. The shifts are the powers of one. So, unless
    there are two reversals, whose product is a shift, all are powers of one, and the tours of the larger
    cyclic subgroups can be subtracted from those of the smaller. None where that cannot be ruled out.
    """
    number = {s.cells.tobytes(): i for i, s in enumerate(group)}
    reversals = [i for i in fixed if fixed[i].backward]
    for i, j in itertools.combinations(reversals, 2):
        if fixed[number[group[i].cells[group[j].cells].tobytes()]].forward:
            return None
    left: dict[frozenset[int], int] = {}
    for i in sorted(fixed, key=lambda i: -len(powers[i])):
        larger = sum(tours for subgroup, tours in left.items() if subgroup > powers[i])
        left[powers[i]] = fixed[i].total - larger
    return left
