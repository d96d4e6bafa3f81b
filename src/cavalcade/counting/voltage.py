"""Hamiltonian cycles that an automorphism maps to themselves, counted on the graph folded up by it.

`folding` says what becomes of them there. Of voltages only residues modulo the primes in k matter, the order
of the automorphism. Modulo 2 a voltage has no sign, so one bit for the whole state holds it; modulo an odd
number every path carries its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from cavalcade.counting.residues import NONE, Pair, in_runs
from cavalcade.ground.budget import assert_time
from cavalcade.question.folding import Rows, folded
from cavalcade.question.graph import MoveGraph
from cavalcade.states.encoding import PLACES, WIDEST, Voltages, assert_narrow
from cavalcade.states.order import BEAM, frontier_widths, narrow_order
from cavalcade.states.search import FrontierSearch, Progress
from cavalcade.states.transition import Stage, stages

FOLDING = 3e-6  # seconds an edge
COMPILE_AGAIN = 100_000  # states in a run from which the runs after the first are compiled, about 1 s


class Fixed(NamedTuple):
    """How many tours a symmetry maps to themselves, keeping their direction or reversing it."""

    forward: int
    backward: int

    @property
    def total(self) -> int:
        """Both."""
        return self.forward + self.backward


def count_folded(
    rows: Rows,
    k: int = 1,
    *,
    last: int | None = None,
    compiled: bool | None = None,
    record: Progress | None = None,
    beam: int = BEAM,
) -> int:
    """The Hamiltonian cycles of a graph with parallel edges whose voltage is a unit modulo k.

    Args:
        rows: for each of three or more vertices its neighbours, each with the voltage of the way there;
            a pair that stands there twice is two edges. No loops.
        k: the voltages are numbers modulo k; with 1, every cycle counts.
        last: a vertex to take last.
        compiled: choose the tier of the kernel; None begins interpreted and changes when it gets large.
        record: told of every step.
        beam: the orders kept at a time when one is looked for.
    """
    odd = math.prod(p for p in range(3, k + 1) if k % p == 0 and all(p % d for d in range(2, p)))
    parity = int(k % 2 == 0)
    simple = MoveGraph.from_edges([(v, w) for v, row in enumerate(rows) for w, _ in row], len(rows))
    order = narrow_order(simple, last, beam=beam)
    width = 1 + max(frontier_widths(simple, order))
    assert_narrow(width, PLACES if odd > 1 else WIDEST, what="folded frontier")
    steps = stages([[w for w, _ in row] for row in rows], order)

    done: set[int] = set()
    for i, v in enumerate(order):
        done.add(v)
        ahead = [turn for w, turn in rows[v] if w not in done]
        flips, turns = [turn % 2 * parity for turn in ahead], [turn % odd for turn in ahead]
        steps[i] = replace(steps[i], voltages=Voltages(flips, turns, odd, odd.bit_length(), parity))
    return _count_stages(steps, compiled, record or Progress())


def _count_stages(steps: Sequence[Stage], compiled: bool | None, record: Progress) -> int:  # noqa: FBT001 - as everywhere else
    """The number of Hamiltonian cycles, by as many runs through all stages as its size takes."""

    def run(pair: Pair) -> tuple[int, bool]:
        again = (
            pair != NONE and record.peak_states * len(steps) > COMPILE_AGAIN
        )  # of all runs after the first
        record.vertices += len(steps)
        search = FrontierSearch(
            steps,
            compiled=True if compiled is None and again else compiled,
            modulus=math.prod(pair),
            rounding=True,
            record=record,
        )
        search.run()
        return search.cycles, not search.scale

    return in_runs(run)


def fixed_cycles(
    graph: MoveGraph, g: Sequence[int], record: Progress | None = None, *, beam: int = BEAM
) -> Fixed:
    """The number of Hamiltonian cycles that an automorphism g, not the identity, maps to themselves.

    That it is one is not checked. 8x8 turned by 180° takes some seconds, 10x10 by 90° half a second, and by
    180° three minutes and 1.4 GB. `record` and `beam` are as above.
    """
    if graph.size < 3:
        return Fixed(int(graph.size == 1), 0)
    assert_time("to fold the graph takes longer", FOLDING * graph.edge_count)
    found = {False: 0, True: 0}
    for one in folded(graph, g):
        if len(one.rows) < 3:
            found[one.backward] = sum(1 for _ in one.unfolded(range(len(one.rows))))
        else:
            found[one.backward] = count_folded(one.rows, one.modulus, last=one.apex, record=record, beam=beam)
    return Fixed(found[False], found[True])
