"""What a receipt says of a count (see `answers.receipts`), written down while it is counted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cavalcade.answers.receipts import PRIME, Receipt, StageRow, residue
from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.ground.kernels import Tier, Vector
from cavalcade.ground.threads import cores, spread
from cavalcade.question.question import Question
from cavalcade.states.pattern_search import PatternSearch
from cavalcade.states.patterns import StateColumns, number
from cavalcade.states.ranks import unrank


class Recorder:
    """The receipt of one count, as it comes about.

    Args:
        path: the file for it.
        question: what is counted.

    Raises:
        CavalcadeError: of such a count there is no receipt.
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
        self._write("")  # now, not after an hour

    def after(self, search: PatternSearch) -> None:
        """Note the states of a search after a stage."""
        table, frontier = search.table, search.stages[search.taken - 1].frontier
        weights = [residue(min(v, w), max(v, w)) for v in frontier for w in frontier]
        tier = Tier(table.states)
        bounds = np.linspace(0, len(table.keys), cores() + 1).astype(np.int64).tolist()
        columns = StateColumns(*(tier.vector(np.asarray(one)) for one in table.columns))

        def part(i: int) -> tuple[int, int]:
            scratch = [tier.column(len(frontier) + 2) for _ in range(3)]
            about = (tier.vector(table.keys), columns, len(frontier), tier.words(weights), PRIME, *scratch)
            digest, total = tier(_digest)(bounds[i], bounds[i + 1], *about)
            return int(digest), int(total)

        digests, sums = zip(*spread(part, range(cores())), strict=True)
        self._rows.append(StageRow(table.states, sum(digests) % PRIME, sum(sums) % PRIME))

    def write(self, tours: int, cycles: int) -> None:
        """Write the file: the count is done."""
        receipt = Receipt(
            self.question, tours, cycles, tuple(self.order), tuple(self._rows), tuple(self.inner),
            tuple(self.image), tuple(self.cells), tuple(self.classes),
        )  # fmt: skip
        self._write(receipt.to_json())

    def _write(self, text: str) -> None:
        """Write the file atomically; without a text only see whether it can be."""
        part = self.path.with_name(self.path.name + ".part")
        try:
            part.write_text(text, encoding="utf-8")
            if text:
                part.replace(self.path)
            else:
                part.unlink()
        except OSError as error:
            part.unlink(missing_ok=True)
            raise FormatError(f"cannot write {self.path}: {error.strerror or error}") from None


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
    """The digest of the states of some patterns, and the sum of the ways; see `answers.receipts`."""
    digest, total = 0, 0
    for p in range(first, until):
        done, n = 1, 0
        for i in range(width):
            degree = (keys[p] >> (2 * i)) & 3
            if degree == 2:
                done = done * weights[i * width + i] % prime
            if degree == 1:
                ends[n] = i
                n += 1
        gap, wide = states.shape[p] >> 8, states.shape[p] & 255
        rank = -1
        for at in range(states.starts[p], states.starts[p + 1], gap + wide):
            rank += number(states.data, at, gap)
            ways = 0
            for i in range(at + gap + wide - 1, at + gap - 1, -1):
                ways = (ways * 256 + states.data[i]) % prime
            total = (total + ways) % prime
            unrank(rank, n, partner, digits)
            ways = ways * done % prime
            for i in range(n):
                if partner[i] > i:
                    ways = ways * weights[ends[i] * width + ends[partner[i]]] % prime
            digest = (digest + ways) % prime
    return digest, total
