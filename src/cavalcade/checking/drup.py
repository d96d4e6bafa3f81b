"""The checker of SAT proofs that there is no tour, and files for other checkers.

`answers.certificate` defines the proofs, and `formula` builds the clauses that a proof refutes. `replay`
checks the lines: forwards all lines, for `fault`; backwards only the needed lines, for `trim` and `lrat`.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.certificate import Antecedents
from cavalcade.checking.formula import Formula
from cavalcade.checking.hints import follows_hints
from cavalcade.checking.replay import replay
from cavalcade.ground.errors import FormatError

LINE = re.compile(r"(?:d )?(?:-?[1-9][0-9]{0,8} )*+0")
LINES = re.compile(rf"(?:{LINE.pattern}\n)*+")  # possessive: without it, each line takes memory


def fault(
    refuted: Formula,
    lines: tuple[str, ...],
    hints: Antecedents | None = None,
    *,
    compiled: bool | None = None,
) -> str:
    """The first error in lines that should refute a formula; empty if there is none.

    Args:
        refuted: the number of variables, and the clauses.
        lines: lines of DRUP; the last line is the empty clause.
        hints: the clauses from which each clause follows. If a clause does not follow from its hints, all
            earlier clauses propagate.
        compiled: the tier of the kernel; None to decide by the size.
    """
    try:
        parsed = _parsed(refuted, lines)
        if hints is not None and follows_hints(
            parsed.lits, parsed.starts, len(refuted[1]), refuted[0], *hints, compiled=compiled
        ):
            return ""
        result, needed, which, _ = _replayed(refuted, parsed, eager=True, compiled=compiled)
    except FormatError as error:
        return str(error)
    if result < 0:
        k = which[-1 - result - len(refuted[1])]
        return f"line {k + 1}, {lines[k][:60]!r}, does not follow from those before it"
    return "" if result < len(needed) else "its lines do not end in a contradiction"


def trim(
    refuted: Formula, lines: tuple[str, ...], *, compiled: bool | None = None
) -> tuple[tuple[str, ...], list[int]]:
    """The lines that a refutation needs, and the stamps of the formula's clauses, positive if needed.

    The lines delete every clause after its last use. See `fault` for the arguments.

    Raises:
        FormatError: a line is not a DRUP line, or a clause that is needed does not follow.
    """
    needed, which, _ = _backwards(refuted, lines, hinted=False, compiled=compiled)
    first = len(refuted[1])  # the number of the first clause of the proof
    kept, last = [], _last_needed(needed)
    for c, k in enumerate(which, first):
        if needed[c]:
            deletions = (f"d {lines[which[d - first]]}" for d in last.get(c, ()) if d >= first)
            kept += [lines[k], *deletions]
    return tuple(kept if kept[-1:] == ["0"] else [*kept, "0"]), needed[:first]


def dimacs(comments: list[str], refuted: Formula) -> str:
    """A formula as a DIMACS CNF file that begins with comments."""
    variables, clauses = refuted
    head = [*(f"c {line}" for line in comments), f"p cnf {variables} {len(clauses)}"]
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
    first, last = len(refuted[1]), _last_needed(needed)
    # The number in the file of each clause, and of the contradiction.
    number = [*range(1, first + 1), *([0] * (len(which) + 1))]
    clauses = [*(lines[k] for k in which), "0"]
    largest, written = first, []
    for c, clause in enumerate(clauses, first):
        if c == len(needed) or needed[c]:
            largest += 1
            number[c] = largest
            written.append(_line(largest, clause, hints[c], number))
            written += [_line(largest, "d", last[c], number)] if c in last and c < len(needed) else []
    return "\n".join([*written, ""])


def _line(label: int, clause: str, clauses: list[int], number: list[int]) -> str:
    """One line of an LRAT file: the number and the literals of a clause, or `d`; then numbers of clauses."""
    return " ".join(map(str, (label, clause, *(number[d] for d in clauses), 0)))


def _last_needed(needed: list[int]) -> dict[int, list[int]]:
    """The clauses whose last use is in a clause or in the contradiction, by the number of the latter."""
    last: dict[int, list[int]] = {}
    for d, stamp in enumerate(needed):
        if stamp:
            last.setdefault(stamp - 1, []).append(d)
    return last


def _backwards(
    refuted: Formula, lines: tuple[str, ...], *, hinted: bool, compiled: bool | None = None
) -> tuple[list[int], list[int], list[list[int]]]:
    """Replay backwards.

    Returns:
        The stamps of all clauses, the lines of the clauses of the proof, and the hints, see `replay`.

    Raises:
        FormatError: as for `trim`.
    """
    parsed = _parsed(refuted, lines)
    result, needed, which, hints = _replayed(refuted, parsed, eager=False, hinted=hinted, compiled=compiled)
    if not 0 <= result < len(needed):
        raise FormatError(f"{len(lines)} lines do not prove anything")
    return needed, which, hints


class _Parsed(NamedTuple):
    """The clauses of a formula and the lines of a proof as arrays.

    Attributes:
        lits: the literals of all clauses, the formula first; 2v or, negated, 2v + 1.
        starts: the offset of each clause in `lits`, with the end as last entry.
        numbers: the numbers of all lines; each line ends with 0.
        begins: the offset of each line in `numbers`.
        deleted: whether each line deletes its clause.
    """

    lits: NDArray[np.int32]
    starts: NDArray[np.int32]
    numbers: NDArray[np.int64]
    begins: NDArray[np.int64]
    deleted: NDArray[np.bool_]


def _parsed(refuted: Formula, lines: tuple[str, ...]) -> _Parsed:
    """Parse lines.

    Raises:
        FormatError: a line is not a DRUP line, or has a literal that the formula does not have.
    """
    variables, clauses = refuted
    text = "\n".join([*lines, ""])
    if not LINES.fullmatch(text) or text.count("\n") > len(lines):  # one match of all lines: half the time
        line = next(line for line in lines if not LINE.fullmatch(line))
        raise FormatError(f"{line[:60]!r} is not a line of a DRUP proof, expected one like '1 -2 0'")
    numbers = np.fromstring(text.replace("d ", ""), dtype=np.int64, sep=" ")
    if numbers.size and (most := int(np.abs(numbers).max())) > variables:
        raise FormatError(f"its lines use variable {most}, but there are only {variables}")
    stops = np.flatnonzero(numbers == 0)
    sizes = np.diff(stops, prepend=-1) - 1
    deleted = np.array([line.startswith("d") for line in lines], dtype=np.bool_)
    kept = np.repeat(~deleted, sizes + 1) & (numbers != 0)
    signed = np.concatenate([np.fromiter(chain.from_iterable(clauses), dtype=np.int64), numbers[kept]])
    lengths = np.concatenate([np.fromiter(map(len, clauses), dtype=np.int64), sizes[~deleted]])
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    lits = (2 * np.abs(signed) - 2 + (signed < 0)).astype(np.int32)
    return _Parsed(lits, starts, numbers, stops - sizes, deleted)


def _replayed(
    refuted: Formula, parsed: _Parsed, *, eager: bool, hinted: bool = False, compiled: bool | None
) -> tuple[int, list[int], list[int], list[list[int]]]:
    """Replay lines.

    Returns:
        The results of `replay`; before the hints, the lines of the clauses of the proof, from 0.
    """
    lits, starts, numbers, begins, deleted = parsed
    variables, clauses = refuted
    order = _events(len(clauses), numbers, begins, deleted)
    result, needed, hints = replay(
        lits, starts, order, len(clauses), variables, eager=eager, hinted=hinted, compiled=compiled
    )
    return result, needed, np.flatnonzero(~deleted).tolist(), hints


def _events(
    formula_size: int, numbers: NDArray[np.int64], begins: NDArray[np.int64], deleted: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """The events of a replay: c if clause c is added, -1 - c if it is deleted.

    Clauses are identified by a hash that does not depend on the order of literals. A collision is harmless,
    because deleting a clause is always sound.

    Args:
        formula_size: the number of clauses of the formula.
        numbers: the numbers of all lines.
        begins: the offset of each line in `numbers`.
        deleted: whether each line deletes its clause.
    """
    mixed = (numbers.astype(np.uint64) + np.uint64(2**40)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = np.add.reduceat(mixed ^ (mixed >> np.uint64(32)), begins) if len(begins) else mixed
    alive: dict[int, list[int]] = {}
    events = list(range(formula_size))
    clause = formula_size
    for key, deletes in zip(keys.tolist(), deleted.tolist(), strict=True):
        if not deletes:
            alive.setdefault(key, []).append(clause)
            events.append(clause)
            clause += 1
        elif same := alive.get(key):
            events.append(-1 - same.pop())
    return np.array(events, dtype=np.int32)
