"""The second program that counts tours: given a receipt, it counts again, and says what that shows.

It shares nothing with the first except the words of `answers.receipts`. It has its own geometry, decides one
edge at a time instead of taking a vertex, and writes a state as a row of bytes (`recount`). It puts halves
together in its own way (`rejoin`).

All is counted modulo two primes: that of receipts, and one that is drawn when the check begins. A wrong
number passes only if the prime divides its difference from the right one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from cavalcade.answers.receipts import PRIME, Receipt, StageRow
from cavalcade.checking.constraints import closed_graph, nonsense
from cavalcade.checking.recount import Edge, Recounted, sweep
from cavalcade.checking.rejoin import OnMiddle, met
from cavalcade.checking.tours import Checked
from cavalcade.ground.threads import ProgressCallback

WIDEST_MIDDLE = 39  # vertices, so that their degrees make a word
WHOLE = 40_000_000  # states in all stages up to which a count in halves is counted again in full
EARLY = 2_000_000  # and up to which its first stages are in any case
SAMPLES = 100  # classes counted again where there are more states
PRIMES_OF_31_BITS = 50_697_537  # those between 2**30 and 2**31


class _WrongError(Exception):
    """What is wrong with a receipt."""


def check_receipt(
    receipt: Receipt,
    *,
    samples: int | None = None,
    seed: int | None = None,
    progress: ProgressCallback | None = None,
) -> Checked:
    """Whether a second program counts what a receipt says; if not, the first thing that is wrong.

    A count of the whole board is counted again in full, and each of its stages compared. So is a count in
    halves, up to 40 million states in all stages. Of a larger one the first stages are compared, and some
    classes of tours, drawn at random, are counted again.

    Args:
        receipt: what a count has written.
        samples: how many classes of a count in halves are counted again; as many as there are, or more, for
            all. By default 100 where all would take long.
        seed: of the random choices; by default from the system, so that a forger cannot predict them.
        progress: called with the part that is done, from 0 to 1.

    Raises:
        TooLargeError: it takes more memory than there is.

    Time: 7x8 in halves takes 15 s and 1.2 GB, and a class of 8x8 0.3 s.

    Examples:
        >>> count("6x6", receipt="6x6.json").count
        9862
        >>> check_receipt(read_receipt("6x6.json")).message[:61]
        '9862 closed tours of 6x6: all 36 stages, 11,345 states, count'
    """
    chance = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311
    if not (wrong := nonsense(receipt.question)):
        try:
            shown = _Replay(receipt, _prime(chance), progress).run(samples, chance)
        except _WrongError as error:
            wrong = str(error)
    return Checked(ok=not wrong, message=f"{receipt.claim}: {f'wrong: {wrong}' if wrong else shown}")


def _prime(chance: random.Random) -> int:
    """A prime between 2**30 and 2**31, each as likely."""
    divisors = np.arange(3, 46_342, 2)
    while True:
        number = chance.randrange(2**30 + 1, 2**31, 2)
        if number != PRIME and (number % divisors).all():
            return number


class _Replay:
    """The count of one receipt once more.

    Args:
        receipt: the receipt.
        prime: modulo which numbers are counted.
        progress: called with the part that is done.
    """

    def __init__(self, receipt: Receipt, prime: int, progress: ProgressCallback | None) -> None:
        self.receipt, self.prime, self.progress = receipt, prime, progress
        self.size, edges = closed_graph(receipt.question)
        self.near: list[set[int]] = [set() for _ in range(self.size)]
        for a, b in edges.tolist():
            self.near[a].add(b)
            self.near[b].add(a)
        self.edges = {(a, b) for a, b in edges.tolist()}
        self._assert_claims()
        self.image, self.both = list(receipt.image), 0
        if receipt.image:
            self._assert_halves()
        elif sorted(receipt.order) != list(range(self.size)):
            raise _WrongError("its order does not have every vertex once")

    def _assert_claims(self) -> None:
        """The number of tours, from that of cycles."""
        one, question = self.receipt, self.receipt.question
        both = not question.ends and not question.one_way
        if one.tours != one.cycles and not (both and one.tours == 2 * one.cycles):
            raise _WrongError(f"{one.cycles} cycles are not {one.tours} tours")

    def _assert_halves(self) -> None:
        """Every edge is in one of the two parts, and in one only."""
        one, image = self.receipt, self.image
        turned = [_edge((image[a], image[b])) for a, b in one.inner]
        own = [edge == there for edge, there in zip(map(_edge, one.inner), turned, strict=True)]
        if own != sorted(own):
            raise _WrongError("the inner edges that are their own image do not come last")
        side = set(one.order)
        touching = {edge for edge in self.edges if not side.isdisjoint(edge)}
        mine = [*touching, *map(_edge, one.inner)]
        theirs = [_edge((image[a], image[b])) for a, b in touching]
        theirs += [there for there, same in zip(turned, own, strict=True) if not same]
        if sorted([*mine, *theirs]) != sorted(self.edges):
            raise _WrongError("its two parts do not have every edge once")
        self.both = len(one.inner) - sum(own)  # inner edges of which the other part has the images
        self.middle = [v for v in range(self.size) if v not in side and v not in {image[u] for u in side}]
        if len(self.middle) > WIDEST_MIDDLE:
            raise _WrongError("its middle is too wide")
        if not {*one.cells, *sum(one.inner, ())} <= set(self.middle):
            raise _WrongError("a cell of a class or of an inner edge is not in the middle")
        if sum(one.classes) != one.cycles:
            raise _WrongError(f"its classes have {sum(one.classes)} cycles, not {one.cycles}")

    def run(self, samples: int | None, chance: random.Random) -> str:
        """Count again, and say what that shows."""
        one, sizes = self.receipt, [row.states for row in self.receipt.stages]
        if not one.image or (samples is None and sum(sizes) <= WHOLE):
            self._whole()
            return f"all {len(sizes)} stages, {sum(sizes):,} states, {self._again}"
        early = 0
        while early < len(one.order) and sum(sizes[: early + 1]) <= EARLY:
            early += 1
        for number, states in enumerate(islice(self._sweep({}, one.inner), early)):
            self._compare_stage(number, states)
        many = len(one.classes)
        drawn = sorted(chance.sample(range(many), min(many, SAMPLES if samples is None else samples)))
        for i, number in enumerate(drawn, 1):
            cycles = self._class(number)
            self._compare(one.classes[number], cycles, f"class {number}")
            self._report(i / len(drawn))
        said = f"{early} of {len(sizes)} stages and {len(drawn):,} of {many:,} classes of tours"
        if len(drawn) == many:
            return f"{said}, {self._again}"
        missed, alone = 0.9 ** len(drawn), 1 - len(drawn) / many
        return (
            f"{said}, drawn at random, counted again by a second program. Were a tenth of the classes wrong, "
            f"this would not show with a chance of {missed:.2g}; were one class alone, {alone:.4g}"
        )

    @property
    def _again(self) -> str:
        """What a recount in full shows: of two numbers up to 2**edges few primes divide the difference."""
        likely = PRIMES_OF_31_BITS // -(-len(self.edges) // 30)
        by = f"counted again by a second program, modulo {self.prime}, a prime drawn at random"
        return f"{by}. A wrong number would pass with a chance of less than 1 in {likely:,}"

    def _report(self, part: float) -> None:
        if self.progress:
            self.progress(min(part, 1.0))

    def _whole(self) -> None:
        """Count again in full."""
        one, done = self.receipt, 0
        every = max(1, sum(row.states for row in one.stages))
        states = first = None
        for number, states in enumerate(self._sweep({}, one.inner)):
            self._compare_stage(number, states)
            if number + 1 == len(one.order) + self.both:
                first = states
            done += one.stages[number].states
            self._report(done / every)
        if not one.image:
            found = 0 if states is None or self.size < 3 else sum(states.ways.tolist())
            self._compare(one.cycles, found, "its number")
        elif states is not None and first is not None:
            found_in = self._met(states, first)
            for number, cycles in enumerate(one.classes):
                self._compare(cycles, found_in.get(number, 0), f"class {number}")

    def _class(self, number: int) -> int:
        """The cycles of one class, counted again."""
        one = self.receipt
        digits = {cell: number // 3**i % 3 for i, cell in enumerate(one.cells)}
        turned = {self.image.index(cell): 2 - digit for cell, digit in digits.items()}
        *_, states = self._sweep(digits, one.inner)
        *_, first = self._sweep(turned, one.inner[: self.both])
        return self._met(states, first).get(number, 0)

    def _compare(self, said: int, again: int, what: str) -> None:
        """Compare a number of the receipt with one that was counted again."""
        if said % self.prime != again % self.prime:
            raise _WrongError(f"{what} is {said:,}, and counted again another")

    def _compare_stage(self, number: int, states: Recounted) -> None:
        """Compare what the receipt says of a stage, from 0, with the states counted again."""
        for key, one, other in zip(StageRow._fields, self.receipt.stages[number], states.row, strict=True):
            if one != other:
                stage = f"after stage {number + 1} of {len(self.receipt.stages)}"
                raise _WrongError(f"{stage}, {key}: {one:,}, and counted again {other:,}")

    def _sweep(self, digits: Mapping[int, int], inner: Sequence[Edge]) -> Iterator[Recounted]:
        """The states after each stage, for given final degrees of some vertices."""
        return sweep(self.near, self.receipt.order, inner, digits, PRIME * self.prime)

    def _met(self, states: Recounted, first: Recounted) -> dict[int, int]:
        """The cycles that states of our part make with the images of states of the other, class by class."""
        ours = OnMiddle.of(states, self.middle, range(self.size), self.prime)
        theirs = OnMiddle.of(first, self.middle, self.image, self.prime)
        return met(ours, theirs, [self.middle.index(cell) for cell in self.receipt.cells], self.prime)


def _edge(edge: Edge) -> Edge:
    """An edge with its smaller end first."""
    return min(edge), max(edge)
