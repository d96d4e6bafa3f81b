"""The check of a DRUP proof by hints: one clause after the other propagates, as the hints say.

Nothing is searched, so the time is linear in the literals of the hints: a tenth of that of `replay`, and no
more memory than the proof itself. Wrong hints never make a wrong proof right.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cavalcade.ground.budget import assert_time
from cavalcade.ground.kernels import Tier, Vector


def follows_hints(
    lits: NDArray[np.int32],
    starts: NDArray[np.int32],
    formula_size: int,
    variables: int,
    hints: NDArray[np.int64],
    spans: NDArray[np.int64],
    *,
    per_call: int = 3_000_000,
    compiled: bool | None = None,
) -> bool:
    """Whether every clause of a proof follows by its hints, and whether one of them is the empty clause.

    Args:
        lits: the literals of all clauses, one clause after the other.
        starts: the offset of each clause in `lits`, with the end as last entry.
        formula_size: the number of clauses of the formula; all later clauses are checked.
        variables: the number of variables.
        hints: numbers of the clauses that propagate, for one clause of the proof after the other.
        spans: offsets of the clauses of the proof in `hints`, with the end as last entry.
        per_call: literals between two checks of the clock, half a second of interpreted work.
        compiled: the tier of the kernel; None to decide by the size.

    Raises:
        TimeoutError: the time limit is reached.
    """
    count = len(starts) - 1
    fits = len(spans) == count - formula_size + 1 and spans[0] == 0 and spans[-1] == len(hints)
    if not fits or (np.diff(spans) < 0).any():
        return False
    # Inner steps: a hint of a learnt clause has three to four literals.
    tier = Tier(4 * len(hints) + len(lits), compiled=compiled)
    columns = tuple(tier.vector(column) for column in (lits, starts, hints, spans))
    value, order = tier.full(2 * variables), tier.full(variables + 1)
    c = 0
    while 0 <= c < count:
        assert_time("no time is left to check the proof")
        c = int(tier(_follow_hints)(*columns, value, order, formula_size, c, per_call))
    return c == count and bool((np.diff(starts[formula_size:]) == 0).any())


def _follow_hints(
    lits: Vector,
    starts: Vector,
    hints: Vector,
    spans: Vector,
    value: Vector,
    order: Vector,
    formula_size: int,
    c: int,
    budget: int,
) -> int:
    """Check clauses from c on for a while.

    Args:
        lits: see `follows_hints`.
        starts: see `follows_hints`.
        hints: see `follows_hints`.
        spans: see `follows_hints`.
        value: 1 for a true literal, -1 for a false one, else 0. The literals of clauses with one literal are
            true in all later checks.
        order: scratch space for the literals that become true.
        formula_size: the number of clauses of the formula.
        c: the first clause to check.
        budget: number of literals after which the call ends.

    Returns:
        The next clause to check, or -1 if a clause does not follow.
    """
    work = 0
    while c < len(starts) - 1 and work < budget:
        top = 0
        clause = lits[starts[c] : starts[c + 1]]
        if c >= formula_size:
            follows = False
            # Assume that the literals of the clause are false.
            for literal in clause:
                if value[literal] > 0:
                    follows = True
                elif value[literal] == 0:
                    value[literal], value[literal ^ 1] = -1, 1
                    order[top] = literal ^ 1
                    top += 1
            # Let one hint after the other propagate, until one of them is false.
            for d in hints[spans[c - formula_size] : spans[c - formula_size + 1]]:
                if follows or d < 0 or d >= c:
                    break
                work += starts[d + 1] - starts[d]
                not_false, unit = 0, 0
                for literal in lits[starts[d] : starts[d + 1]]:
                    if value[literal] >= 0:
                        not_false += 1
                        unit = literal
                if not_false == 0:
                    follows = True
                elif not_false == 1 and value[unit] == 0:
                    value[unit], value[unit ^ 1] = 1, -1
                    order[top] = unit
                    top += 1
            for literal in order[:top]:
                value[literal] = value[literal ^ 1] = 0
            if not follows:
                return -1
        if len(clause) == 1 and value[clause[0]] == 0:
            value[clause[0]], value[clause[0] ^ 1] = 1, -1
        work += 1
        c += 1
    return c
