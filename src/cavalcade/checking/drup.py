"""The checker of SAT proofs that there is no tour, and files for other checkers.

`answers.certificate` defines the proofs, `formula` builds the clauses that a proof refutes, and `replay`
follows its lines: forwards, all lines, for `fault`; backwards, only the needed lines, for `trim`.
"""

from __future__ import annotations

import re
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from cavalcade.checking.formula import Formula
from cavalcade.checking.replay import replay
from cavalcade.ground.errors import FormatError

LINE = re.compile(r"(d )?(-?[1-9][0-9]{0,8} )*0")


def fault(refuted: Formula, lines: tuple[str, ...], *, compiled: bool | None = None) -> str:
    """The first error in lines that should refute a formula; nothing if they are right.

    Args:
        refuted: the number of variables, and the clauses.
        lines: lines of DRUP; the last one is the empty clause.
        compiled: choose the tier of the kernel; None lets the size decide.
    """
    try:
        at, needed, which, _ = _replayed(refuted, lines, eager=True, compiled=compiled)
    except FormatError as error:
        return str(error)
    if at < 0:
        k = which[-1 - at - len(refuted[1])]
        return f"line {k + 1}, {lines[k][:60]!r}, does not follow from those before it"
    return "" if at < len(needed) else "its lines do not end in a contradiction"


def trim(
    refuted: Formula, lines: tuple[str, ...], *, compiled: bool | None = None
) -> tuple[tuple[str, ...], list[int]]:
    """The lines that a refutation needs, and a positive number for each needed clause.

    The lines delete every clause after its last use. See `fault` for the arguments.

    Raises:
        FormatError: a line is not a DRUP line, or a clause that is needed does not follow.
    """
    needed, which, _ = _backwards(refuted, lines, hinted=False, compiled=compiled)
    given = len(refuted[1])
    kept, last = [], _last_needed(needed)
    for c, k in enumerate(which, given):
        if needed[c]:
            gone = (f"d {lines[which[d - given]]}" for d in last.get(c, ()) if d >= given)
            kept += [lines[k], *gone]
    return tuple(kept if kept[-1:] == ["0"] else [*kept, "0"]), needed[:given]


def dimacs(words: list[str], refuted: Formula) -> str:
    """A formula as a DIMACS CNF file that begins with some words."""
    variables, clauses = refuted
    head = [*(f"c {line}" for line in words), f"p cnf {variables} {len(clauses)}"]
    written = [" ".join(map(str, (*clause, 0))) for clause in clauses]
    return "\n".join([*head, *written, ""])


def lrat(refuted: Formula, lines: tuple[str, ...]) -> str:
    """The lines that a refutation needs, as an LRAT file (Cruz-Filipe et al. 2017).

    Each clause is followed by hints: the numbers of the clauses from which it follows by unit propagation, in
    order. Verified checkers need them.

    Raises:
        FormatError: as for `trim`.
    """
    needed, which, hints = _backwards(refuted, lines, hinted=True)
    given, last = len(refuted[1]), _last_needed(needed)
    number = [*range(1, given + 1), *([0] * (len(which) + 1))]  # of each clause, and of the contradiction
    clauses = [*(lines[k] for k in which), "0"]
    now, written = given, []
    for c, clause in enumerate(clauses, given):
        if c == len(needed) or needed[c]:
            now += 1
            number[c] = now
            written.append(_line(now, clause, hints[c], number))
            written += [_line(now, "d", last[c], number)] if c in last and c < len(needed) else []
    return "\n".join([*written, ""])


def _line(at: int, what: str, clauses: list[int], number: list[int]) -> str:
    return " ".join(map(str, (at, what, *(number[d] for d in clauses), 0)))


def _last_needed(needed: list[int]) -> dict[int, list[int]]:
    """The clauses whose last use is in a clause or in the contradiction, by the number of that clause."""
    last: dict[int, list[int]] = {}
    for d, stamp in enumerate(needed):
        if stamp:
            last.setdefault(stamp - 1, []).append(d)
    return last


def _backwards(
    refuted: Formula, lines: tuple[str, ...], *, hinted: bool, compiled: bool | None = None
) -> tuple[list[int], list[int], list[list[int]]]:
    """Replay backwards: which clauses are needed, the line of each clause of the proof, and hints.

    Raises:
        FormatError: as for `trim`.
    """
    at, needed, which, hints = _replayed(refuted, lines, eager=False, hinted=hinted, compiled=compiled)
    if not 0 <= at < len(needed):
        raise FormatError(f"{len(lines)} lines do not prove anything")
    return needed, which, hints


def _replayed(
    refuted: Formula, lines: tuple[str, ...], *, eager: bool, hinted: bool = False, compiled: bool | None
) -> tuple[int, list[int], list[int], list[list[int]]]:
    """Replay: the results of `replay`, and before the hints the line number of each clause, from 0.

    Raises:
        FormatError: a line is not a DRUP line, or has a literal that the formula does not have.
    """
    variables, clauses = refuted
    for line in lines:
        if not LINE.fullmatch(line):
            raise FormatError(f"{line[:60]!r} is not a line of a DRUP proof, expected one like '1 -2 0'")
    # the numbers of all lines, each line with the 0 at its end
    numbers = np.fromstring(" ".join(lines).replace("d ", ""), dtype=np.int64, sep=" ")
    if numbers.size and (most := int(np.abs(numbers).max())) > variables:
        raise FormatError(f"its lines use variable {most}, but there are only {variables}")
    stops = np.flatnonzero(numbers == 0)
    sizes = np.diff(stops, prepend=-1) - 1
    gone = np.array([line.startswith("d") for line in lines], dtype=np.bool_)
    order = _events(len(clauses), numbers, stops - sizes, gone)
    kept = np.repeat(~gone, sizes + 1) & (numbers != 0)
    signed = np.concatenate([np.fromiter(chain.from_iterable(clauses), dtype=np.int64), numbers[kept]])
    lengths = np.concatenate([np.fromiter(map(len, clauses), dtype=np.int64), sizes[~gone]])
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    lits = (2 * np.abs(signed) - 2 + (signed < 0)).astype(np.int32)
    at, needed, hints = replay(
        lits, starts, order, len(clauses), variables, eager=eager, hinted=hinted, compiled=compiled
    )
    return at, needed, np.flatnonzero(~gone).tolist(), hints


def _events(
    given: int, numbers: NDArray[np.int64], begins: NDArray[np.int64], gone: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """The events of a replay: c when clause c is added, -1 - c when it is deleted.

    Clauses are identified by a hash that does not depend on the order of literals. A collision is harmless,
    because deleting a clause is always sound.
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
