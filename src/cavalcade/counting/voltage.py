"""Hamiltonian cycles that an automorphism maps to themselves, counted on the graph folded up by it.

`folding` says what becomes of them there. Of voltages only residues modulo the primes in k matter, the order
of the automorphism. Modulo 2 a voltage has no sign, so one bit for the whole state holds it; modulo an odd
number every path carries its own.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from cavalcade.counting.cycles import count_stages
from cavalcade.frontier.order import frontier_widths, narrow_order
from cavalcade.frontier.search import Record
from cavalcade.frontier.states import PLACES, WIDEST, Voltages, words
from cavalcade.frontier.tables import assert_narrow
from cavalcade.frontier.transition import stages
from cavalcade.ground.budget import assert_time
from cavalcade.question.folding import folded
from cavalcade.question.graph import MoveGraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cavalcade.ground.kernels import Tier
    from cavalcade.question.folding import Folded, Rows

FOLDING = 3e-6  # seconds an edge


class Fixed(NamedTuple):
    """How many tours a symmetry maps to themselves, keeping their direction or reversing it."""

    forward: int
    backward: int

    @property
    def total(self) -> int:
        """Both."""
        return self.forward + self.backward


def count_folded(rows: Rows, k: int = 1, *, last: int | None = None, compiled: bool | None = None) -> int:
    """The Hamiltonian cycles of a graph with parallel edges whose voltage is a unit modulo k.

    Args:
        rows: for each of three or more vertices its neighbours, each with the voltage of the way there;
            a pair that stands there twice is two edges. No loops.
        k: the voltages are numbers modulo k; with 1, every cycle counts.
        last: a vertex to take last.
        compiled: choose the tier of the kernel; None begins interpreted and changes when it gets large.

    Raises:
        TooLargeError: the frontier, the paths on it or the tables get too large.

    Time and memory as in `cycles.count_cycles`: exponential in the width of the frontier.
    """
    odd = math.prod(p for p in range(3, k + 1) if k % p == 0 and all(p % d for d in range(2, p)))
    parity = int(k % 2 == 0)
    simple = MoveGraph.from_edges([(v, w) for v, row in enumerate(rows) for w, _ in row], len(rows))
    order = narrow_order(simple, last)
    width = 1 + max(frontier_widths(simple, order))
    assert_narrow(width, PLACES if odd > 1 else WIDEST, what="folded frontier")
    steps = stages([[w for w, _ in row] for row in rows], order)

    def voltages(number: int, tier: Tier) -> Voltages:
        """Of the edges of a stage, in the order of its geometry."""
        done = {*order[: number + 1]}
        ahead = [turn for w, turn in rows[order[number]] if w not in done]
        flips, turns = [turn % 2 * parity for turn in ahead], [turn % odd for turn in ahead]
        return Voltages(words(tier, flips), words(tier, turns), odd, odd.bit_length(), parity)

    return count_stages(steps, Record(), voltages=voltages, two_keys=odd > 1, compiled=compiled)


def fixed_cycles(graph: MoveGraph, g: Sequence[int]) -> Fixed:
    """The number of Hamiltonian cycles that an automorphism g, not the identity, maps to themselves.

    Args:
        graph: any graph.
        g: the image of each vertex; that it is an automorphism is not checked.

    Raises:
        TooLargeError: the folded graph is too wide, or more memory would be needed.
        TimeoutError: the deadline would come before the graph is folded.

    8x8 turned by 180° takes some seconds, 10x10 by 90° half a second.
    """
    if graph.size < 3:
        return Fixed(int(graph.size == 1), 0)
    assert_time("to fold the graph takes longer", FOLDING * graph.edge_count)
    found = {one.backward: _cycles(one) for one in folded(graph, g)}
    return Fixed(found.get(False, 0), found.get(True, 0))


def _cycles(small: Folded) -> int:
    if len(small.rows) < 3:
        return sum(1 for _ in small.unfolded(range(len(small.rows))))
    return count_folded(small.rows, small.modulus, last=small.apex)
