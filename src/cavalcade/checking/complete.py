"""Lists of all tours of a question: the check that nothing is missing, and numbers read off them.

A list of different tours that meet a question contains every tour if it is as long as a count of the tours.
The numbers of tours with k moves of a kind, k turns, angles or crossings, with a symmetry or of a weight are
then read off the list. The engines that claim these numbers share no code with this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.tours import Tour, Tours
from cavalcade.checking.constraints import moves_left, moves_of, unmet
from cavalcade.checking.events import corners, crossing, turns_at
from cavalcade.checking.geometry import Ints, places_of, points_of
from cavalcade.ground.budget import assert_time
from cavalcade.ground.kernels import Mask
from cavalcade.question.question import Question

Rows: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True)
class CompleteList:
    """Every tour of a question once.

    Attributes:
        question: the question.
        blocks: the tours in blocks of some thousands: their cells, one tour per row, and their moves as
            indices in `moves_of`.
    """

    question: Question
    blocks: list[tuple[Rows, Rows]]

    @classmethod
    def of(cls, question: Question, blocks: Iterable[Tours], total: int) -> CompleteList:
        """Check that blocks of tours contain every tour once.

        Args:
            question: the question, about a board of at least two cells.
            blocks: the tours; a tour and its reverse count as one where the question allows it.
            total: number of tours by a count.

        Raises:
            AssertionError: a tour is wrong or listed twice, or the length is not the total.
        """
        n, closed, moves = question.board.size, question.closed, moves_of(question)
        index = np.full((n, n), -1)
        allowed = np.isin(moves @ [n, 1], moves_left(question) @ [n, 1])
        index[tuple(moves[allowed].T)] = np.flatnonzero(allowed)
        if not question.directed:
            index = np.maximum(index, index.T)
        complete, listed, different = cls(question, []), 0, set[bytes]()
        for block in blocks:
            assert_time("the list of all tours was checked")
            cells = block.cells
            made = index[cells, np.roll(cells, -1, axis=1)][:, : n if closed else n - 1]
            if (np.sort(cells, axis=1) != np.arange(n)).any() or (made < 0).any():
                raise AssertionError(f"after {listed:,} tours the list has a row that is no tour")
            if question.given or question.constraints:
                for row in cells:
                    if fault := unmet(question, Tour(question.board, row, closed, question.piece)):
                        raise AssertionError(f"a tour is listed, but {fault}")
            complete.blocks.append((cells, made))
            different |= set(complete.keys(cells, made))
            listed += len(cells)
        if not listed == len(different) == total:
            raise AssertionError(f"{len(different):,} tours are listed, and their count is {total:,}")
        return complete

    def keys(self, cells: Rows, moves: Rows) -> list[bytes]:
        """Return a key for each tour of a block: a tour and its reverse share a key if both are tours."""
        # The moves identify a tour and its reverse; the cells identify a tour with cells at given steps.
        return [row.tobytes() for row in (np.sort(moves, axis=1) if self.question.reversible else cells)]

    def numbers(self, by: str, name: str, maps: Sequence[Ints]) -> Ints:
        """Return the number of tours with exactly 0, 1, 2, … events of a kind.

        Args:
            by: `slope`, `class`, `files`, `turns`, `angles` or `crossings`.
            name: name of the kind, as `answers.counts.Distribution` has it.
            maps: the images of all cells under each symmetry, for `class`.
        """
        values = [np.zeros(0, dtype=np.int64)]
        kind = self._kind(by, name, maps) if by in {"slope", "class", "files"} else None
        for cells, moves in self.blocks:
            assert_time("the list of all tours was checked")
            values.append(self._events(by, name, cells, moves) if kind is None else kind[moves].sum(axis=1))
        return np.bincount(np.concatenate(values))

    def _events(self, by: str, name: str, cells: Rows, moves: Rows) -> Ints:
        """Return the number of turns, crossings or angles of some tours."""
        board, closed = self.question.board, self.question.closed
        if board.plain:
            raise TypeError("a graph has no directions")
        if by == "crossings":
            crosses = crossing(places_of(board), moves_of(self.question)).astype(np.float32)
            made = np.zeros((len(moves), len(crosses)), dtype=np.float32)  # exact for small numbers
            np.put_along_axis(made, moves, 1, axis=1)
            return np.asarray(((made @ crosses) * made).sum(axis=1).astype(np.int64) // 2)
        dots = corners(points_of(board)[cells], closed=closed)
        if by == "turns":
            return np.asarray(turns_at(dots).sum(axis=1))
        # The name is the angle in degrees, rounded. Moves that go straight on make an angle of 180 degrees.
        degrees = np.degrees(np.arccos(np.clip(-dots[0] / np.sqrt(dots[1] * dots[2]), -1, 1)))
        return np.asarray((np.round(degrees, len(name.partition(".")[2])) == float(name)).sum(axis=1))

    def _kind(self, by: str, name: str, maps: Sequence[Ints]) -> Mask:
        """Return which moves of `moves_of` are of a kind."""
        board, moves = self.question.board, moves_of(self.question)
        if board.plain:
            raise TypeError("a graph has no directions")
        if by == "class":
            names = [f"{board.name(a)}-{board.name(b)}" for a, b in moves.tolist()]
            names += [f"{board.name(b)}-{board.name(a)}" for a, b in moves.tolist()]
            first = moves[names.index(name) % len(moves)]
            # A move and the move back are in one class, also if the piece makes only one of them.
            images = np.sort([image[first] for image in maps], axis=1) @ [board.size, 1]
            return np.asarray(np.isin(np.sort(moves, axis=1) @ [board.size, 1], images))
        *_, rows, columns = np.diff(places_of(board)[moves], axis=1)[:, 0].T
        if by == "files":
            return np.asarray(np.abs(columns) == int(name))
        if name == "vertical":
            return np.asarray(columns == 0)
        slope = Fraction(name)
        return np.asarray((columns != 0) & (-rows * slope.denominator == columns * slope.numerator))

    def weights(self, weights: Ints) -> list[int]:
        """Add up the weights of the moves of each tour, in the order of the list."""
        return [int(weight) for _, moves in self.blocks for weight in weights[moves].sum(axis=1)]

    def directions_kept(self, image: Ints) -> tuple[int, int]:
        """Return how many tours a map of the cells fixes, keeping their direction and reversing it."""
        n, kept, reversed_ = self.question.board.size, 0, 0
        for before, _ in self.blocks:
            after = image[before]
            if not self.question.closed:
                forward, backward = after, after[:, ::-1]
            else:  # rotate each image so that it begins in the first cell of the tour
                shift = np.argmax(after == before[:, :1], axis=1)[:, None]
                forward, backward = (
                    np.take_along_axis(after, (shift + sign * np.arange(n)) % n, axis=1) for sign in (1, -1)
                )
            kept += int((forward == before).all(axis=1).sum())
            reversed_ += int((backward == before).all(axis=1).sum())
        return kept, reversed_


def assert_automorphisms(question: Question, maps: Sequence[Ints]) -> None:
    """Check that maps permute the cells and map moves to moves.

    Raises:
        AssertionError: a map does not.
    """
    n, moves = question.board.size, moves_of(question)
    codes = moves @ [n, 1]
    for image in maps:
        images = image[moves] if question.directed else np.sort(image[moves], axis=1)
        permuted = np.array_equal(np.sort(image), np.arange(n))
        if not permuted or not np.array_equal(np.sort(images @ [n, 1]), codes):
            raise AssertionError("a symmetry does not map the moves to moves")
