"""Read the proof of a SAT solver backwards: the clauses that the contradiction depends on, with hints.

The solver writes binary LRAT (Cruz-Filipe et al. 2017): each clause that it learns has a number, literals,
and hints, the numbers of the clauses from which it follows by unit propagation, in order. So neither trimming
nor checking searches for these clauses, and both take time linear in the proof.

A record is the letter `a`, twice the number, the literals, 0, the hints, and 0; or the letter `d` and the
numbers of deleted clauses, and 0. Literal x is written as 2x, or -2x + 1 if x is negative, a hint as twice
its number. A number has seven bits a byte, lowest bits first, and its last byte is below 128.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.certificate import Antecedents
from cavalcade.ground.budget import assert_room, assert_time
from cavalcade.ground.kernels import Ints, Tier, Vector

ADDED = ord("a")  # the first letter of a record that adds a clause


class Refutation(NamedTuple):
    """What a solver has learnt, as far as a contradiction depends on it.

    Attributes:
        lines: lines of the DRUP format; a clause of two or more literals is deleted after its last use.
        stated: numbers of the clauses of the formula that are used, in ascending order, counted from 0 in the
            order in which they were stated.
        hints: the hints of the lines; a clause of the formula has its index in `stated` as number.
    """

    lines: tuple[str, ...]
    stated: Ints
    hints: Antecedents | None = None

    def hints_in(self, numbers: Ints, size: int) -> Antecedents | None:
        """The hints in the numbers of a certificate.

        Args:
            numbers: number in the formula of the certificate of each clause of `stated`.
            size: number of clauses of that formula.
        """
        if self.hints is None:
            return None
        clauses, count = self.hints.clauses, len(self.stated)
        is_stated = clauses < count
        renumbered = clauses + (size - count)
        renumbered[is_stated] = numbers[clauses[is_stated]]
        return self.hints._replace(clauses=renumbered)


def refutation(data: NDArray[np.uint8], stated: int, units: Sequence[int]) -> Refutation:
    """Trim the proof of a solver that has found a contradiction.

    The solver also learns copies of clauses without the literals that are false in every solution. Unit
    propagation sees no difference, so the original clauses stand for these copies.

    Args:
        data: the proof.
        stated: number of clauses that were stated. They are numbered together with the learnt clauses, in
            the order in which the solver got or learnt them.
        units: indices of the stated clauses that have one literal.

    Raises:
        TooLargeError: the lines do not fit into memory.
        TimeoutError: the time limit is reached.
    """
    late = "a proof was found, but no time is left to trim it"
    capacity = int(np.count_nonzero(data == 0)) + stated + 1
    tier = Tier(10 * len(data))
    contents, records = tier.read_only(data), tier.full(capacity, dtype=np.int64)
    is_unit, originals, users = (tier.full(capacity) for _ in range(3))
    last = int(tier(_index)(contents, records, is_unit))
    if records[last] == 0 or data[records[last]]:  # an empty clause was stated
        return Refutation(("0",), np.arange(stated))
    # The solver numbers stated and learnt clauses in one sequence; separate them.
    is_stated = np.asarray(records, dtype=np.int64)[: last + 1] == 0
    is_stated[0] = False
    stated_numbers = np.flatnonzero(is_stated)
    for number in stated_numbers[[k for k in units if k < len(stated_numbers)]].tolist():
        is_unit[number] = 1
    assert_time(late)
    sizes = tier(_mark)(contents, records, is_unit, originals, users, last)
    # A literal takes 8 bytes in a line and 8 in the arrays, a hint takes 8, and a line about 100.
    assert_room(16 * sizes[1] + 8 * sizes[2] + 100 * sizes[0], f"a proof of {sizes[0]:,} lines")
    literals, hints = (tier.column(size) for size in sizes[1:])
    stops, spans = (tier.column(sizes[0] + 1) for _ in range(2))
    assert_time(late)
    tier(_copy)(contents, records, originals, users, last, literals, stops, hints, spans)
    user = np.asarray(users, dtype=np.int64)[: last + 1]
    is_used = (user > 0) & (np.asarray(originals)[: last + 1] == 0)
    used, learnt = np.flatnonzero(is_stated & is_used), np.flatnonzero(~is_stated & is_used)
    renumbered = np.zeros(last + 1, dtype=np.int64)
    renumbered[used] = np.arange(len(used))
    renumbered[learnt] = len(used) + np.arange(len(learnt))
    last_uses = renumbered[user[learnt]] - len(used)
    lines = _lines(np.asarray(literals).tolist(), np.asarray(stops).tolist(), last_uses)
    antecedents = Antecedents(renumbered[np.asarray(hints)], np.asarray(spans))
    return Refutation(lines, np.searchsorted(stated_numbers, used), antecedents)


def _lines(literals: list[int], stops: list[int], last_uses: Ints) -> tuple[str, ...]:
    """The lines of a proof, with deletions of clauses of two and more literals.

    Args:
        literals: the literals of all clauses.
        stops: offsets of the clauses in `literals`, with its length at the end.
        last_uses: index of the last clause that uses each clause; of the contradiction its own index.
    """
    clauses = [" ".join(map(str, (*literals[i:j], 0))) for i, j in pairwise(stops)]
    unused: dict[int, list[int]] = {}
    for index, last in enumerate(last_uses.tolist()):
        if stops[index + 1] - stops[index] > 1:
            unused.setdefault(last, []).append(index)
    lines: list[str] = []
    for index, clause in enumerate(clauses):
        lines.append(clause)
        if index + 1 < len(clauses):
            lines += [f"d {clauses[i]}" for i in unused.get(index, ())]
    return tuple(lines)


# ---- the kernels


def _read(data: Vector, i: int) -> tuple[int, int]:
    """The number that begins at an offset, and the offset after it."""
    number = shift = 0
    while data[i] > 127:
        number |= (int(data[i]) & 127) << shift
        shift += 7
        i += 1
    return number | int(data[i]) << shift, i + 1


def _index(data: Vector, records: Vector, is_unit: Vector) -> int:
    """Find the records of the learnt clauses.

    Args:
        data: the proof.
        records: receives the offset of the literals of each learnt clause, by the numbers of the solver.
        is_unit: receives 1 for each learnt clause that has one literal.

    Returns:
        The number of the clause that was learnt last.
    """
    i = last = 0
    while i < len(data):
        ends = 2 if data[i] == ADDED else 1  # the zeros up to the end of the record
        number, i = _read(data, i + 1)
        if ends == 2:
            last = number >> 1
            records[last] = i
            if data[i] > 0 and data[_read(data, i)[1]] == 0:
                is_unit[last] = 1
        while ends > 0:
            if data[i] == 0:
                ends -= 1
            i += 1
    return last


def _mark(
    data: Vector, records: Vector, is_unit: Vector, originals: Vector, users: Vector, last: int
) -> tuple[int, int, int]:
    """Mark the clauses on which a clause depends, directly or not, the last one first.

    Args:
        data: the proof.
        records: the offset of the literals of each learnt clause.
        is_unit: 1 for each clause that has one literal.
        originals: receives the clause of which each used clause is a shorter copy, 0 if it is none.
        users: receives the number of the last clause that uses each clause, 0 if none does.
        last: the number of the clause, the contradiction.

    Returns:
        The numbers of learnt clauses that are used and no copies, of their literals and of their hints.
    """
    clauses = literals = hints = 0
    users[last] = last
    for c in range(last, 0, -1):
        if users[c] == 0 or records[c] == 0:
            continue
        size = count = others = original = 0
        number, i = _read(data, records[c])
        while number > 0:
            size += 1
            number, i = _read(data, i)
        first = i
        number, i = _read(data, first)
        while number > 0:
            count += 1
            if is_unit[number >> 1] == 0:
                others += 1
                original = number >> 1
            number, i = _read(data, i)
        # A copy follows from one clause and from literals that are true in every solution. What uses the copy
        # uses these clauses instead.
        if size > 1 and others == 1:
            originals[c] = original
            user = users[c]
        else:
            clauses += 1
            literals += size
            hints += count
            user = c
        number, i = _read(data, first)
        while number > 0:
            users[number >> 1] = max(users[number >> 1], user)
            number, i = _read(data, i)
    return clauses, literals, hints


def _copy(
    data: Vector,
    records: Vector,
    originals: Vector,
    users: Vector,
    last: int,
    literals: Vector,
    stops: Vector,
    hints: Vector,
    spans: Vector,
) -> None:
    """Copy the learnt clauses that are used, and their hints by the numbers of the solver.

    Args:
        data: the proof.
        records: the offset of the literals of each learnt clause.
        originals: the clause of which each used clause is a shorter copy, 0 if it is none.
        users: the number of the last clause that uses each clause, 0 if none does.
        last: the number of the contradiction.
        literals: receives the literals.
        stops: receives the offsets of the clauses in `literals`, with its length at the end.
        hints: receives the hints.
        spans: receives the offsets of the clauses in `hints`, with its length at the end.
    """
    clause = literal = hint = 0
    for c in range(1, last + 1):
        if users[c] == 0 or records[c] == 0 or originals[c] > 0:
            continue
        number, i = _read(data, records[c])
        while number > 0:
            literals[literal] = -(number >> 1) if number & 1 else number >> 1
            literal += 1
            number, i = _read(data, i)
        number, i = _read(data, i)
        while number > 0:
            number >>= 1
            while originals[number] > 0:
                number = originals[number]
            hints[hint] = number
            hint += 1
            number, i = _read(data, i)
        clause += 1
        stops[clause] = literal
        spans[clause] = hint
