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
from cavalcade.ground.kernels import Cells, Ints, Tier, Vector

ADDED = ord("a")  # the first letter of a record that adds a clause
LATE = "a proof was found, but no time is left to trim it"


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
    assert_room(2 * len(data), f"a proof of {len(data):,} bytes")  # a number has two bytes there, four here
    numbers = _decoded(data)
    # The zeros end segments, which come in pairs for a learnt clause: its literals, then its hints. Only a
    # segment of literals begins with the letter, which is odd: hints and the other letter are even.
    ends = np.append(-1, np.flatnonzero(numbers == 0))
    added = np.flatnonzero(numbers[ends[:-1] + 1] == ADDED)
    learnt = numbers[ends[added] + 2] >> 1
    last = int(learnt[-1]) if len(learnt) else 0
    if last == 0 or ends[added[-1]] + 3 < ends[added[-1] + 1]:  # an empty clause was stated
        return Refutation(("0",), np.arange(stated))
    # The solver numbers stated and learnt clauses in one sequence.
    segments, is_unit = np.zeros(last + 1, dtype=np.int32), np.zeros(last + 1, dtype=np.int32)
    segments[learnt] = added + 1
    is_unit[learnt] = ends[added + 1] - ends[added] == 4
    stated_numbers = np.flatnonzero(segments[1:] == 0) + 1
    is_unit[stated_numbers[[k for k in units if k < len(stated_numbers)]]] = 1
    assert_time(LATE)
    tier = Tier(len(numbers))
    columns = [tier.vector(column) for column in (numbers, ends, segments, is_unit)]
    originals, users = tier.full(last + 1), tier.full(last + 1)
    tier(_mark)(*columns, originals, users)
    original, user = np.asarray(originals, dtype=np.int64), np.asarray(users, dtype=np.int64)
    is_used = (user > 0) & (original == 0)
    used, kept = np.flatnonzero(is_used & (segments == 0)), np.flatnonzero(is_used & (segments > 0))
    literals, stops = _gathered(numbers, ends[segments[kept] - 1] + 3, ends[segments[kept]])
    hints, spans = _gathered(numbers, ends[segments[kept]] + 1, ends[segments[kept] + 1])
    # A literal takes 8 bytes in a line and 8 in the arrays, a hint takes 8, and a line about 100.
    assert_room(16 * len(literals) + 8 * len(hints) + 100 * len(kept), f"a proof of {len(kept):,} lines")
    hints >>= 1
    while (is_copy := original[hints] > 0).any():
        hints[is_copy] = original[hints[is_copy]]
    renumbered = np.zeros(last + 1, dtype=np.int64)
    renumbered[used] = np.arange(len(used))
    renumbered[kept] = len(used) + np.arange(len(kept))
    assert_time(LATE)
    signed = np.where(literals & 1, -(literals >> 1), literals >> 1)
    lines = _lines(signed.tolist(), stops.tolist(), renumbered[user[kept]] - len(used))
    return Refutation(lines, np.searchsorted(stated_numbers, used), Antecedents(renumbered[hints], spans))


def _decoded(data: NDArray[np.uint8], *, per_step: int = 4_000_000) -> Cells:
    """The numbers of a proof, letters included.

    Args:
        data: the proof.
        per_step: bytes that are decoded at a time, in about twenty times the memory.

    Raises:
        TimeoutError: the time limit is reached.
    """
    numbers = np.zeros(int(np.count_nonzero(data < 128)), dtype=np.int32)
    start = count = 0
    while start < len(data):
        assert_time(LATE)
        part = data[start : start + per_step]
        ends = np.flatnonzero(part < 128)
        begins = np.append(0, ends[:-1] + 1)
        decoded = numbers[count : count + len(ends)]
        decoded[:] = part[begins] & 127
        longer, shift = np.flatnonzero(ends > begins), 0
        while len(longer):
            shift += 1
            offsets = begins[longer] + shift
            decoded[longer] |= (part[offsets] & 127).astype(np.int32) << 7 * shift
            longer = longer[offsets < ends[longer]]
        start, count = start + int(ends[-1]) + 1, count + len(ends)
    return numbers


def _gathered(numbers: Cells, begins: Ints, stops: Ints) -> tuple[Ints, Ints]:
    """The slices of an array, one after the other, and their offsets with the end as last entry."""
    offsets = np.append(0, np.cumsum(stops - begins))
    return numbers[np.repeat(begins - offsets[:-1], stops - begins) + np.arange(offsets[-1])], offsets


def _lines(literals: list[int], stops: list[int], last_uses: Ints) -> tuple[str, ...]:
    """The lines of a proof, with deletions of clauses of two and more literals.

    Args:
        literals: the literals of all clauses.
        stops: offsets of the clauses in `literals`, with its length at the end.
        last_uses: index of the last clause that uses each clause; of the contradiction its own index.
    """
    # Python counts negative indices from the end, so a literal is the index of its text.
    largest = max(map(abs, literals), default=0)
    texts = ["0", *map(str, range(1, largest + 1)), *map(str, range(-largest, 0))]
    words = [texts[literal] for literal in literals]
    clauses = [" ".join([*words[i:j], "0"]) for i, j in pairwise(stops)]
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


def _mark(
    numbers: Vector, ends: Vector, segments: Vector, is_unit: Vector, originals: Vector, users: Vector
) -> None:
    """Mark the clauses on which the contradiction, the last clause, depends, directly or not.

    Args:
        numbers: the numbers of the proof.
        ends: offsets of the zeros in `numbers`, after -1.
        segments: index in `ends` of the zero before the hints of each learnt clause; 0 for a stated clause.
        is_unit: 1 for each clause that has one literal.
        originals: receives the clause of which each used clause is a shorter copy, 0 if it is none.
        users: receives the number of the last clause that uses each clause, 0 if none does.
    """
    last = len(segments) - 1
    users[last] = last
    for c in range(last, 0, -1):
        segment = segments[c]
        if users[c] == 0 or segment == 0:
            continue
        hints = numbers[ends[segment] + 1 : ends[segment + 1]]
        user = c
        # A copy follows from one clause and from literals that are true in every solution. What uses the copy
        # uses these clauses instead.
        if ends[segment] - ends[segment - 1] > 4:  # it has more than one literal
            longer = original = 0  # hints with more than one literal, and the last of them
            for hint in hints:
                if is_unit[hint >> 1] == 0:
                    longer += 1
                    original = hint >> 1
                    if longer > 1:
                        break
            if longer == 1:
                originals[c] = original
                user = users[c]
        for hint in hints:
            if users[hint >> 1] < user:  # noqa: PLR1730 - twice as fast as max() without numba
                users[hint >> 1] = user
