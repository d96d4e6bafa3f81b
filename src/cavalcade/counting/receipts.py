"""Recording a receipt (see `answers.receipts`) during a count."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cavalcade.answers.receipts import PRIME, Receipt, StageRow, residue
from cavalcade.ground.errors import CavalcadeError
from cavalcade.ground.kernels import Tier, Vector
from cavalcade.ground.storage import assert_writable, write_file
from cavalcade.ground.system import cores
from cavalcade.ground.threads import spread
from cavalcade.question.question import Question
from cavalcade.states.pattern_search import PatternSearch
from cavalcade.states.patterns import StateColumns, number
from cavalcade.states.ranks import unrank


class Recorder:
    """Collects the receipt of one count.

    Args:
        path: file to write.
        question: the question that is counted.

    Raises:
        CavalcadeError: receipts do not support such a question.
        FormatError: the file cannot be written.
    """

    def __init__(self, path: Path, question: Question) -> None:
        if question.listed or question.symmetry is not None or question.board.size == 1:
            which = "of one cell, of tours with cells at steps, coils or a symmetry"
            raise CavalcadeError(f"there is no receipt of a count {which}: leave it out")
        self.path, self.question = path, question
        self.order: Sequence[int] = ()
        self.inner: Sequence[tuple[int, int]] = ()
        self.image: Sequence[int] = ()
        self.cells: Sequence[int] = ()
        self.classes: Sequence[int] = ()
        self._rows: list[StageRow] = []
        assert_writable(path)

    def after(self, search: PatternSearch) -> None:
        """Append the row of a stage that a search has just completed."""
        table, frontier = search.table, search.stages[search.taken - 1].frontier
        weights = [residue(min(v, w), max(v, w)) for v in frontier for w in frontier]
        tier = Tier(table.states)
        bounds = np.linspace(0, len(table.keys), cores() + 1).astype(np.int64).tolist()
        columns = StateColumns(*(tier.vector(np.asarray(column)) for column in table.columns))

        def part(i: int) -> tuple[int, int]:
            scratch = [tier.column(len(frontier) + 2) for _ in range(3)]
            states = (tier.vector(table.keys), columns, len(frontier), tier.words(weights), PRIME)
            digest, total = tier(_digest)(bounds[i], bounds[i + 1], *states, *scratch)
            return int(digest), int(total)

        digests, sums = zip(*spread(part, range(cores())), strict=True)
        self._rows.append(StageRow(table.states, sum(digests) % PRIME, sum(sums) % PRIME))

    def write(self, tours: int, cycles: int, *, directed: bool) -> None:
        """Write the file after the count.

        Args:
            tours: number of tours.
            cycles: number of Hamiltonian cycles.
            directed: whether both directions of each cycle were counted, or only one exists.
        """
        receipt = Receipt(
            self.question, tours, cycles, tuple(self.order), tuple(self._rows), directed, tuple(self.inner),
            tuple(self.image), tuple(self.cells), tuple(self.classes),
        )  # fmt: skip
        write_file(self.path, receipt.to_json())


def _digest(
    first: int,
    until: int,
    keys: Vector,
    states: StateColumns,
    width: int,
    weights: Vector,
    prime: int,
    ends: Vector,
    partner: Vector,
    digits: Vector,
) -> tuple[int, int]:
    """Compute the digest and the total number of ways of the states of some patterns.

    Args:
        first: index of the first pattern.
        until: index after the last pattern.
        keys: degree pattern, two bits per frontier vertex, one per pattern.
        states: encoded states of all patterns.
        width: number of frontier vertices.
        weights: r(v, w) for all frontier vertices v and w, flattened from shape (width, width).
        prime: modulus of digests and sums.
        ends: scratch space for the path ends of a pattern.
        partner: scratch space for `unrank`, the matching of the path ends.
        digits: scratch space for `unrank`.

    Returns:
        The digest and the sum, modulo `prime`; `answers.receipts` defines both.
    """
    digest, total = 0, 0
    for p in range(first, until):
        # All states of a pattern share the factor of the done vertices and the list of path ends.
        done, n = 1, 0
        for i in range(width):
            degree = (keys[p] >> (2 * i)) & 3
            if degree == 2:
                done = done * weights[i * width + i] % prime
            if degree == 1:
                ends[n] = i
                n += 1
        gap, payload = states.shape[p] >> 8, states.shape[p] & 255
        rank = -1
        for offset in range(states.starts[p], states.starts[p + 1], gap + payload):
            # A record is the increment of the rank, then the number of ways as a little-endian integer.
            rank += number(states.data, offset, gap)
            ways = 0
            for i in range(offset + gap + payload - 1, offset + gap - 1, -1):
                ways = (ways * 256 + states.data[i]) % prime
            total = (total + ways) % prime
            # The rank encodes the matching of the path ends; each pair contributes a factor.
            unrank(rank, n, partner, digits)
            ways = ways * done % prime
            for i in range(n):
                if partner[i] > i:
                    ways = ways * weights[ends[i] * width + ends[partner[i]]] % prime
            digest = (digest + ways) % prime
    return digest, total
