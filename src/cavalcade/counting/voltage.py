"""Count the Hamiltonian cycles that an automorphism maps to themselves, on the folded graph.

`folding` describes the folded graph. Only the residues of voltages modulo the prime factors of k matter,
where k is the order of the automorphism. Modulo 2 a voltage has no sign, so one bit per state is enough.
Modulo an odd number every path has its own voltage.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from cavalcade.counting.residues import in_runs
from cavalcade.ground.budget import assert_time
from cavalcade.question.folding import Rows, folded
from cavalcade.question.graph import MoveGraph
from cavalcade.states.encoding import PLACES, WIDEST, Voltages, assert_narrow
from cavalcade.states.order import frontier_widths, narrow_order
from cavalcade.states.search import FrontierSearch, Progress
from cavalcade.states.transition import stages


class Fixed(NamedTuple):
    """Numbers of tours that a symmetry maps to themselves.

    Args:
        forward: number of tours whose direction it keeps.
        backward: number of tours whose direction it reverses.
    """

    forward: int
    backward: int

    @property
    def total(self) -> int:
        """Number of tours fixed in either direction."""
        return self.forward + self.backward


def count_folded(
    rows: Rows,
    k: int = 1,
    *,
    last: int | None = None,
    compiled: bool | None = None,
    record: Progress | None = None,
) -> int:
    """Count the Hamiltonian cycles of a graph with parallel edges whose voltage is a unit modulo k.

    Args:
        rows: neighbours of each of three or more vertices, each with the voltage of the edge. Equal entries
            are parallel edges; there are no loops.
        k: modulus of the voltages; with 1, every cycle counts.
        last: a vertex to take last.
        compiled: chooses the tier of the kernel; None compiles once the work is large.
        record: receives the steps and peaks.
    """
    odd = math.prod(p for p in range(3, k + 1) if k % p == 0 and all(p % d for d in range(2, p)))
    parity = int(k % 2 == 0)
    simple = MoveGraph.from_edges([(v, w) for v, row in enumerate(rows) for w, _ in row], len(rows))
    order = narrow_order(simple, last)
    width = 1 + max(frontier_widths(simple, order))
    assert_narrow(width, PLACES if odd > 1 else WIDEST, what="folded frontier")
    steps = stages([[w for w, _ in row] for row in rows], order)

    record = record or Progress()

    taken: set[int] = set()
    for i, v in enumerate(order):
        taken.add(v)
        ahead = [voltage for w, voltage in rows[v] if w not in taken]
        flips, turns = [voltage % 2 * parity for voltage in ahead], [voltage % odd for voltage in ahead]
        steps[i] = replace(steps[i], voltages=Voltages(flips, turns, odd, odd.bit_length(), parity))

    def run(modulus: int) -> tuple[int, bool]:
        record.vertices += len(steps)
        search = FrontierSearch(steps, compiled=compiled, modulus=modulus, rounding=True, record=record)
        search.run()
        return search.cycles, not search.scale

    return in_runs(run)


def fixed_cycles(graph: MoveGraph, g: Sequence[int], record: Progress | None = None) -> Fixed:
    """Count the Hamiltonian cycles that an automorphism maps to themselves.

    Args:
        graph: any graph.
        g: image of each vertex. It is not checked to be an automorphism other than the identity.
        record: receives the steps and peaks.

    Time: 8x8 turned by 180° takes some seconds, 10x10 by 90° half a second, and by 180° three minutes and
    1.4 GB.
    """
    if graph.size < 3:
        return Fixed(int(graph.size == 1), 0)
    folding = 3e-6  # seconds per edge: a graph too large for the time limit is refused at once
    assert_time("to fold the graph takes longer", folding * graph.edge_count)
    cycles = {False: 0, True: 0}
    for part in folded(graph, g):
        if len(part.rows) < 3:
            number = sum(1 for _ in part.unfolded(range(len(part.rows))))
        else:
            number = count_folded(part.rows, part.modulus, last=part.apex, record=record)
        cycles[part.backward] = number
    return Fixed(cycles[False], cycles[True])
