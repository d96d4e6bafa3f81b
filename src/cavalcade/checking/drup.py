"""SAT proofs that there is no tour: their checker, and files for other checkers.

`answers.certificate` says what a proof is, `formula` builds the clauses that it is about, `replay` follows
its lines: forwards and all of them for `fault`, backwards and only those that are needed for `trim`.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.checking.replay import replay
from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cavalcade.checking.formula import Formula

LINE = re.compile(r"(d )?(-?[1-9][0-9]{0,8} )*0")


def fault(refuted: Formula, lines: tuple[str, ...], *, compiled: bool | None = None) -> str:
    """What is wrong with lines that should refute a formula; nothing if nothing is.

    Args:
        refuted: how many variables it has, and its clauses.
        lines: clauses that follow one by one, the last one empty.
        compiled: choose the tier of the kernel; None lets the size decide.
    """
    try:
        done = _Replayed(refuted, lines, eager=True, compiled=compiled)
    except FormatError as error:
        return str(error)
    if done.wrong is not None:
        line = lines[done.wrong]
        return f"line {done.wrong + 1}, {line[:60]!r}, does not follow from those before it"
    return "" if done.refuted else "its lines do not end in a contradiction"


def trim(
    refuted: Formula, lines: tuple[str, ...], *, compiled: bool | None = None
) -> tuple[tuple[str, ...], list[int]]:
    """The lines that a refutation needs, and for each clause a number above 0 if it is needed.

    Every clause is deleted after the last one that needs it. The arguments are those of `fault`.

    Raises:
        FormatError: a line is not a DRUP line, or a clause that is needed does not follow.
    """
    done = _Replayed(refuted, lines, eager=False, compiled=compiled)
    if not done.refuted:
        raise FormatError(f"{len(lines)} lines do not prove anything")
    given, needed = done.given, done.needed
    last: list[list[str]] = [[] for _ in range(len(needed) + 2)]  # lines that no later clause needs
    kept = []
    for c, k in enumerate(done.lines, given):
        if needed[c]:
            kept += [lines[k], *last[c + 1]]
            last[needed[c]].append("d " + lines[k])
    return tuple(kept if kept[-1:] == ["0"] else [*kept, "0"]), needed[:given]


def export(words: list[str], refuted: Formula, lines: tuple[str, ...]) -> tuple[str, str]:
    """The formula as a DIMACS CNF file that begins with some words, and the proof as a DRAT file.

    Checkers of DRUP and DRAT proofs take them, drat-trim (Wetzler, Heule & Hunt 2014) for one, which also
    turns them into LRAT for the verified ones.
    """
    variables, clauses = refuted
    head = [*(f"c {line}" for line in words), f"p cnf {variables} {len(clauses)}"]
    written = [" ".join(map(str, (*clause, 0))) for clause in clauses]
    return "\n".join([*head, *written, ""]), "\n".join([*lines, ""])


def _numbers(lines: Sequence[str], variables: int) -> NDArray[np.int64]:
    """The numbers of all lines, each line with the 0 at its end.

    Raises:
        FormatError: a line is not a DRUP line, or has a literal that the formula does not have.
    """
    for line in lines:
        if not LINE.fullmatch(line):
            raise FormatError(f"{line[:60]!r} is not a line of a DRUP proof, expected one like '1 -2 0'")
    numbers = np.fromstring(" ".join(lines).replace("d ", ""), dtype=np.int64, sep=" ")
    if numbers.size and (most := int(np.abs(numbers).max())) > variables:
        raise FormatError(f"its lines use variable {most}, but there are only {variables}")
    return numbers


class _Replayed:
    """A proof after its replay, forwards (eager) or backwards.

    Attributes:
        given: how many clauses the formula has.
        lines: for every clause of the proof the number of its line, from 0.
        refuted: whether a contradiction was reached, and all that had to be checked was right.
        wrong: the number of the line of a clause that does not follow, if there is one.
        needed: for every clause a stamp if the contradiction needs it (`replay` says which).

    Raises:
        FormatError: a line is not a DRUP line.
    """

    def __init__(
        self, refuted: Formula, lines: tuple[str, ...], *, eager: bool, compiled: bool | None
    ) -> None:
        variables, clauses = refuted
        self.given = len(clauses)
        signed = np.fromiter(chain.from_iterable(clauses), dtype=np.int64)
        lengths = np.fromiter(map(len, clauses), dtype=np.int64)
        numbers = _numbers(lines, variables)
        stops = np.flatnonzero(numbers == 0)
        sizes = np.diff(stops, prepend=-1) - 1
        gone = np.array([line.startswith("d") for line in lines], dtype=np.bool_)
        order = _events(self.given, numbers, stops - sizes, gone)
        self.lines = np.flatnonzero(~gone)
        kept = np.repeat(~gone, sizes + 1) & (numbers != 0)
        signed = np.concatenate([signed, numbers[kept]])
        lengths = np.concatenate([lengths, sizes[~gone]])
        starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
        lits = (2 * np.abs(signed) - 2 + (signed < 0)).astype(np.int32)
        at, self.needed = replay(lits, starts, order, self.given, variables, eager=eager, compiled=compiled)
        self.refuted = 0 <= at < len(lengths)
        self.wrong = int(self.lines[-1 - at - self.given]) if at < 0 else None


def _events(
    given: int, numbers: NDArray[np.int64], begins: NDArray[np.int64], gone: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """The events: c when clause c comes, -1 - c when it goes.

    Clauses are known by a sum over their literals, in any order. Two that collide are harmless: it is
    always sound to delete a clause.
    """
    mixed = (numbers.astype(np.uint64) + np.uint64(2**40)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = np.add.reduceat(mixed ^ (mixed >> np.uint64(32)), begins) if len(begins) else mixed
    alive: dict[int, list[int]] = {}
    events = list(range(given))
    clause = given
    for key, deleted in zip(keys.tolist(), gone.tolist(), strict=True):
        if not deleted:
            alive.setdefault(key, []).append(clause)
            events.append(clause)
            clause += 1
        elif same := alive.get(key):
            events.append(-1 - same.pop())
    return np.array(events, dtype=np.int32)
