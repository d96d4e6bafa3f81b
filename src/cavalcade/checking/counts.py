"""The second program that counts tours: it repeats the count of a receipt, and says what that shows.

It shares only the definitions of `answers.receipts` with the first program. It has its own geometry, decides
one edge at a time, and stores a state as a row of bytes (`recount`). It joins halves by its own algorithm
(`rejoin`).

All numbers are counted modulo two primes: the prime of receipts, and a prime drawn when the check begins. A
wrong number passes only if the prime divides its difference from the correct number.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from cavalcade.answers.receipts import PRIME, Receipt, StageRow
from cavalcade.checking.constraints import closed_graph, nonsense
from cavalcade.checking.recount import Edge, Recounted, sweep
from cavalcade.checking.rejoin import OnMiddle, met
from cavalcade.checking.tours import Checked
from cavalcade.ground.threads import ProgressCallback

WIDEST_MIDDLE = int(math.log(2**63, 3))  # vertices whose degrees, as ternary digits, fit into 63 bits
# States in all stages up to which a count in halves is repeated in full: about 15 s and 1.2 GB for 7x8.
WHOLE = 40_000_000
EARLY = WHOLE // 20  # states of the first stages that are compared before `samples` classes
SAMPLES = 100  # classes that are counted again in a sample: 30 s for 8x8


class _WrongError(Exception):
    """A receipt is wrong; the message says why."""


def check_receipt(
    receipt: Receipt,
    *,
    samples: int | None = None,
    seed: int | None = None,
    progress: ProgressCallback | None = None,
) -> Checked:
    """Recompute a count's intermediate results (its *receipt*) with a second program; report the first error.

    A count of the whole board is repeated in full, and all stages are compared. So is a count in halves, as
    long as the states counted again are at most 40 million in all stages. Beyond that a random sample of the
    classes of tours is counted again; if it is right, the result is that the receipt was not checked in full
    (`ok` is None). The receipt has no influence on how much is counted again.

    Args:
        receipt: the receipt of a count.
        samples: the number of classes of a count in halves to count again; at most all of them. By default
            all if there are few states, else 100.
        seed: seed of the random choices; by default from the system, so that a forger cannot predict them.
        progress: called with the finished fraction, from 0 to 1.

    Raises:
        TooLargeError: it needs more memory than the limit.

    Time: 7x8 in halves takes 15 s and 1.2 GB, and a class of 8x8 0.3 s.

    Examples:
        >>> count("6x6", receipt="6x6.json").count
        9862
        >>> check_receipt(read_receipt("6x6.json")).message[:73]
        '9862 closed tours of 6x6, undirected: all 36 stages, 11,345 states, count'
    """
    chance = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311
    if not (wrong := nonsense(receipt.question)):
        try:
            complete, shown = _Replay(receipt, _prime(chance), progress).run(samples, chance)
        except _WrongError as error:
            wrong = str(error)
    if wrong:
        return Checked(ok=False, message=f"{receipt.claim}: wrong: {wrong}")
    return Checked(ok=True if complete else None, message=f"{receipt.claim}: {shown}")


def _prime(chance: random.Random) -> int:
    """A uniformly random prime between 2**30 and 2**31, not the prime of receipts."""
    divisors = np.arange(3, 46_342, 2)
    while True:
        number = chance.randrange(2**30 + 1, 2**31, 2)
        if number != PRIME and (number % divisors).all():
            return number


class _Replay:
    """A repetition of the count of one receipt.

    Args:
        receipt: the receipt.
        prime: the random prime.
        progress: called with the finished fraction.

    Attributes:
        size: the number of vertices.
        neighbours: the neighbours of each vertex.
        edges: all edges (a, b), a < b.
        image: images of the vertices in the other part, for a count in halves.
        middle: the vertices in neither part.
        paired: the number of inner edges whose images belong to the other part.
    """

    def __init__(self, receipt: Receipt, prime: int, progress: ProgressCallback | None) -> None:
        self.receipt, self.prime, self.progress = receipt, prime, progress
        self.size, edges = closed_graph(receipt.question)
        self.edges = {(a, b) for a, b in edges.tolist()}
        self.neighbours: list[set[int]] = [set() for _ in range(self.size)]
        for a, b in self.edges:
            self.neighbours[a].add(b)
            self.neighbours[b].add(a)
        self._assert_claims()
        self.image, self.paired = list(receipt.image), 0
        if receipt.image:
            self._assert_halves()
        elif sorted(receipt.order) != list(range(self.size)):
            raise _WrongError("its order does not have every vertex once")

    def _assert_claims(self) -> None:
        """Compare the number of tours with the number of cycles: a cycle may be a tour in both directions."""
        receipt, question = self.receipt, self.receipt.question
        reversible = not question.ends and not question.one_way
        if receipt.tours != receipt.cycles * (1 + (receipt.directed and reversible)):
            raise _WrongError(f"{receipt.cycles} cycles are not {receipt.tours} {receipt.direction} tours")

    def _assert_halves(self) -> None:
        """Check that every edge is in exactly one of the two parts, and that the classes fit."""
        receipt, image = self.receipt, self.image
        inner = list(map(_edge, receipt.inner))
        images = [_edge((image[a], image[b])) for a, b in inner]
        fixed = [edge == image_edge for edge, image_edge in zip(inner, images, strict=True)]
        if fixed != sorted(fixed):
            raise _WrongError("the inner edges that are their own image do not come last")
        self.paired = len(inner) - sum(fixed)
        side = set(receipt.order)
        touching = {edge for edge in self.edges if not side.isdisjoint(edge)}
        other_part = [*(_edge((image[a], image[b])) for a, b in touching), *images[: self.paired]]
        if sorted([*touching, *inner, *other_part]) != sorted(self.edges):
            raise _WrongError("its two parts do not have every edge once")
        self.middle = [v for v in range(self.size) if v not in side and v not in {image[u] for u in side}]
        if len(self.middle) > WIDEST_MIDDLE:
            raise _WrongError("its middle is too wide")
        if not {*receipt.cells, *sum(inner, ())} <= set(self.middle):
            raise _WrongError("a cell of a class or of an inner edge is not in the middle")
        if sum(receipt.classes) != receipt.cycles:
            raise _WrongError(f"its classes have {sum(receipt.classes)} cycles, not {receipt.cycles}")

    def run(self, samples: int | None, chance: random.Random) -> tuple[bool, str]:
        """Count again; return whether that was everything, and what it shows."""
        receipt, total = self.receipt, len(self.receipt.classes)
        limit = math.inf if not receipt.image else WHOLE if samples is None else EARLY
        stages, states = self._compare_stages(limit, join=samples is None or not receipt.image)
        if stages == len(receipt.stages) and (samples is None or not receipt.image):
            self._report(1)
            return True, f"all {stages} stages, {states:,} states, {self._evidence}"
        drawn = sorted(chance.sample(range(total), min(total, SAMPLES if samples is None else samples)))
        for i, number in enumerate(drawn, 1):
            self._compare(receipt.classes[number], self._class(number), f"class {number}")
            self._report(0.5 + 0.5 * i / len(drawn))
        extent = f"{stages} of {len(receipt.stages)} stages and {len(drawn):,} of {total:,} classes of tours"
        if len(drawn) == total:
            return True, f"{extent}, {self._evidence}"
        missed, alone = 0.9 ** len(drawn), 1 - len(drawn) / total
        return False, (
            f"not checked in full: {extent}, drawn at random, counted again by a second program. "
            "Were a tenth of the classes wrong, "
            f"this would not show with a chance of {missed:.2g}; were one class alone, {alone:.4g}"
        )

    @property
    def _evidence(self) -> str:
        """What a full recount shows: the difference of two numbers up to 2**edges has few prime divisors."""
        primes = 50_697_537  # the number of primes between 2**30 and 2**31
        chances = primes // max(1, -(-len(self.edges) // 30))
        method = f"counted again by a second program, modulo {self.prime}, a prime drawn at random"
        return f"{method}. A wrong number would pass with a chance of less than 1 in {chances:,}"

    def _report(self, part: float) -> None:
        if self.progress:
            self.progress(min(part, 1.0))

    def _compare_stages(self, limit: float, *, join: bool) -> tuple[int, int]:
        """Count again, and compare stage by stage.

        Args:
            limit: number of states, in all stages, up to which states are counted again.
            join: whether to join the halves after the last stage, and to compare the classes.

        Returns:
            The number of stages compared, and of their states.
        """
        receipt, done, number = self.receipt, 0, 0
        ours = theirs = None
        for number, ours in enumerate(self._sweep({}, receipt.inner), 1):
            self._compare_stage(number - 1, ours)
            if number == len(receipt.order) + self.paired:
                theirs = ours  # the other part does not decide the edges that are their own image
            done += len(ours.ways)
            self._report(0.5 * number / len(receipt.stages))
            # A stage may double the states. They were counted here: no receipt can ask for a shorter check.
            if done + 2 * len(ours.ways) > limit and number < len(receipt.stages):
                return number, done
        if not receipt.image:
            cycles = 0 if ours is None or self.size < 3 else sum(ours.ways.tolist())
            self._compare(receipt.cycles, cycles, "its number")
        elif join and ours is not None and theirs is not None:
            by_class = self._met(ours, theirs)
            for index, cycles in enumerate(receipt.classes):
                self._compare(cycles, by_class.get(index, 0), f"class {index}")
        return number, done

    def _class(self, number: int) -> int:
        """The cycles of one class, counted again."""
        receipt = self.receipt
        degrees = {cell: number // 3**i % 3 for i, cell in enumerate(receipt.cells)}
        missing = {self.image.index(cell): 2 - degree for cell, degree in degrees.items()}
        *_, ours = self._sweep(degrees, receipt.inner)
        *_, theirs = self._sweep(missing, receipt.inner[: self.paired])
        return self._met(ours, theirs).get(number, 0)

    def _compare(self, claimed: int, recounted: int, what: str) -> None:
        """Compare a number of the receipt with a recounted number."""
        if claimed % self.prime != recounted % self.prime:
            raise _WrongError(f"{what} is {claimed:,}, and counted again another")

    def _compare_stage(self, number: int, states: Recounted) -> None:
        """Compare the row of a stage in the receipt, from 0, with the recounted states."""
        rows = self.receipt.stages[number], states.row
        for key, claimed, recounted in zip(StageRow._fields, *rows, strict=True):
            if claimed != recounted:
                stage = f"after stage {number + 1} of {len(self.receipt.stages)}"
                raise _WrongError(f"{stage}, {key}: {claimed:,}, and counted again {recounted:,}")

    def _sweep(self, degrees: Mapping[int, int], inner: Sequence[Edge]) -> Iterator[Recounted]:
        """The states after each stage, for fixed final degrees of some vertices."""
        return sweep(self.neighbours, self.receipt.order, inner, degrees, PRIME * self.prime)

    def _met(self, ours: Recounted, theirs: Recounted) -> dict[int, int]:
        """Count, by class, the cycles of states of the first part with images of states of the second."""
        return met(
            OnMiddle.of(ours, self.middle, range(self.size), self.prime),
            OnMiddle.of(theirs, self.middle, self.image, self.prime),
            [self.middle.index(cell) for cell in self.receipt.cells],
            self.prime,
        )


def _edge(edge: Edge) -> Edge:
    """An edge with its smaller end first."""
    return min(edge), max(edge)
