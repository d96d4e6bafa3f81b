"""Puzzles: tours with most numbers taken away, or with syllables instead of numbers; and what solves them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.ground.above import shown
from cavalcade.ground.errors import CellError, boolean
from cavalcade.question.graph import MoveGraph
from cavalcade.question.pieces import KNIGHT, Piece

GOES_ON = "\N{HYPHEN}"  # U+2010; the hyphen of a keyboard belongs to the text


@dataclass(frozen=True, repr=False)
class Puzzle:
    """A tour to be found: its numbers stand on some cells, those of the others are wanted.

    Args:
        board: a board, or a move graph that stands for one, n cells.
        given: (step from 1, cell) for every number that stands there, by step.
        closed: step n is a move from step 1.
        piece: the piece; ignored on a plain graph.
        solution: the tour, where it is known.
        grade: how hard it is, one of `cavalcade.puzzles.grading.GRADES`, where that is known.
        seed: of the random choices that made it.

    Raises:
        CellError: a step outside 1 to n, a number that is not a cell, a step or a cell given twice.

    Examples:
        >>> puzzle("6x6", seed=1).grade
        'medium'
    """

    board: Board | MoveGraph
    given: tuple[tuple[int, int], ...]
    closed: bool = True
    piece: Piece = KNIGHT
    solution: Tour | None = field(default=None, compare=False)
    grade: str = field(default="", compare=False)
    seed: int = field(default=0, compare=False)
    status: ClassVar[str] = "found"

    def __post_init__(self) -> None:
        boolean(self.closed, "closed")
        n = self.board.size
        given = tuple(sorted((int(step), int(cell)) for step, cell in self.given))
        cell_of: dict[int, str] = {}
        step_of: dict[str, int] = {}
        for step, cell in given:
            name = self.board.name(cell)
            if not 1 <= step <= n:
                raise CellError(f"{step} on {name} is not a step of {self.board.title}, expected 1 to {n}")
            if step in cell_of:
                raise CellError(f"step {step} stands on two cells, {cell_of[step]} and {name}")
            if name in step_of:
                raise CellError(f"{name} has two steps, {step_of[name]} and {step}")
            cell_of[step], step_of[name] = name, step
        object.__setattr__(self, "given", given)

    def __repr__(self) -> str:
        return f"<Puzzle {self.kind} of {self.board.title}, {len(self.given)} of {self.board.size} numbers>"

    _repr_html_ = shown

    @property
    def kind(self) -> str:
        """`closed` or `open`."""
        return "closed" if self.closed else "open"

    def title(self, board: str) -> str:
        """What it is: `closed puzzle of BOARD`."""
        return f"{self.kind} puzzle of {board}"

    @property
    def task(self) -> str:
        """What is to be done, in a sentence or two."""
        n, piece = self.board.size, self.piece.spec
        move = f"{piece}'s move" if piece.isalpha() else f"move of {piece}"
        words = f"Write the numbers from 1 to {n} into the cells so that every step is a {move}."
        return words + (f" From {n} a move leads back to 1." if self.closed else "")

    @property
    def steps(self) -> NDArray[np.int32]:
        """The number on every cell, 0 where there is none."""
        steps = np.zeros(self.board.size, dtype=np.int32)
        for step, cell in self.given:
            steps[cell] = step
        return steps


@dataclass(frozen=True)
class Roesselsprung:
    """A text whose words or syllables stand along a tour, to be found by its sense.

    Args:
        tour: an open tour.
        parts: a word or a syllable for every step; one that ends in `GOES_ON` goes on with the next.
        seed: of the random choices that made it.

    Raises:
        CellError: there is not one part a step.

    Examples:
        >>> roesselsprung("a b c d e f g h i j k l").text
        'a b c d e f g h i j k l'
    """

    tour: Tour
    parts: tuple[str, ...]
    seed: int = 0
    status: ClassVar[str] = "found"

    def __post_init__(self) -> None:
        if len(self.parts) != len(self.tour):
            raise CellError(f"{len(self.parts):,} parts do not fit a tour of {len(self.tour):,} cells")

    _repr_html_ = shown

    @property
    def board(self) -> Board | MoveGraph:
        """The board."""
        return self.tour.board

    @property
    def piece(self) -> Piece:
        """The piece."""
        return self.tour.piece

    @property
    def text(self) -> str:
        """The parts along the tour as one line, words with spaces between them."""
        return "".join(
            part.removesuffix(GOES_ON) if part.endswith(GOES_ON) else f"{part} " for part in self.parts
        ).strip()

    @property
    def on_cells(self) -> list[str]:
        """The part on every cell."""
        on_cells = [""] * self.board.size
        for cell, part in zip(self.tour, self.parts, strict=True):
            on_cells[cell] = part
        return on_cells

    def title(self, board: str) -> str:
        """What it is: `open roesselsprung of BOARD`."""
        return f"{self.tour.kind} roesselsprung of {board}"


@dataclass(frozen=True)
class Solved:
    """What came of solving a puzzle.

    Args:
        puzzle: what was to be solved.
        tours: the solutions found, each checked.
        complete: they are all.
        reason: why there are none, or why they may not be all.
        method: `search` or `sat`.
        guesses: how often a value was tried.
        seed: of the random choices.
        seconds: wall time.

    Examples:
        >>> len(solve(puzzle("6x6")).tours)
        1
    """

    puzzle: Puzzle
    tours: tuple[Tour, ...]
    complete: bool
    reason: str
    method: str
    guesses: int
    seed: int
    seconds: float

    _repr_html_ = shown

    @property
    def status(self) -> str:
        """`found`, `impossible` or `undecided`."""
        return "found" if self.tours else "impossible" if self.complete else "undecided"

    @property
    def unique(self) -> bool:
        """There is exactly one solution."""
        return self.complete and len(self.tours) == 1


class Solutions(NamedTuple):
    """Sequences of cells that solve a question about steps.

    Args:
        tours: (k, n) the cells of each in the order of the steps, int32.
        complete: there are no others.
        guesses: how often a value was tried: 0 if the rules alone decided. Of a SAT solver its decisions.
        depth: how many guesses stood one upon another at most.
        proof: of a SAT solver that is complete: lines of DRUP that refute its formula together with the
            clauses that forbid the solutions found.
    """

    tours: NDArray[np.int32]
    complete: bool
    guesses: int = 0
    depth: int = 0
    proof: tuple[str, ...] = ()
