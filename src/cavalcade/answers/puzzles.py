"""Puzzles and their solutions: tours with most numbers removed, or with syllables instead of numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.certificate import Antecedents
from cavalcade.answers.tours import Tour
from cavalcade.answers.verification import Verification
from cavalcade.boards import Board
from cavalcade.ground.above import shown
from cavalcade.ground.errors import CellError, boolean
from cavalcade.question.graph import MoveGraph
from cavalcade.question.pieces import KNIGHT, Piece
from cavalcade.question.question import Question

GOES_ON = "\N{HYPHEN}"  # U+2010; a hyphen typed on a keyboard is part of the text


@dataclass(frozen=True, repr=False)
class Puzzle:
    """A board with the step numbers of some cells of a tour; a solution has the numbers of all cells.

    Args:
        board: a board, or a move graph that stands for one, with n cells.
        given: pairs (step, cell) of the given numbers, steps from 1, in ascending order.
        closed: whether step n is a move from step 1.
        piece: the piece; ignored on a plain graph.
        solution: the tour, if known.
        grade: difficulty, one of `cavalcade.puzzles.grading.GRADES`, or "" if unknown.
        seed: seed of the random choices that made the puzzle.
        required: moves that the tour uses, as pairs of cells: the links of a Rikudo.
        forbidden: moves that the tour does not use: the walls between cells.
        ordered: whether the numbers are not steps but the order in which the tour visits these cells, as in a
            Zip. An open tour begins in the first of them and ends in the last, if there are two.

    Raises:
        CellError: a step is outside 1 to n, a cell does not exist, or a step or a cell occurs twice.

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
    required: tuple[tuple[int, int], ...] = ()
    forbidden: tuple[tuple[int, int], ...] = ()
    ordered: bool = False
    status: ClassVar[str] = "found"

    def __post_init__(self) -> None:
        boolean(self.closed, "closed")
        boolean(self.ordered, "ordered")
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
        """Return the title: `closed puzzle of BOARD`."""
        return f"{self.kind} puzzle of {board}"

    @cached_property
    def question(self) -> Question:
        """The question whose answers are the solutions."""
        cells = [cell for _, cell in self.given]
        ends = cells if self.ordered and not self.closed else []
        return Question.of(
            self.board,
            piece=None if self.board.plain else self.piece,
            open=not self.closed,
            start=ends[0] if ends else None,
            end=ends[-1] if len(ends) > 1 else None,  # a single cell is the first one
            at={} if self.ordered else dict(self.given),
            through=cells if self.ordered else None,
            with_=self.required,
            avoid=self.forbidden,
        )

    @property
    def words(self) -> list[str]:
        """The lines below the header of a file: `order`, `with a1-b1`, `avoid c3-c4`."""
        moves = {"with": self.moves(self.required), "avoid": self.moves(self.forbidden)}
        lines = [f"{word} {','.join(names)}" for word, names in moves.items() if names]
        return ["order"] * self.ordered + lines

    def moves(self, pairs: Iterable[tuple[int, int]]) -> list[str]:
        """Return the names of moves, such as `a1-b1`."""
        return ["-".join(map(self.board.name, pair)) for pair in pairs]

    @property
    def task(self) -> str:
        """The instructions, in a sentence or two."""
        n, piece = self.board.size, self.piece.spec
        usual = f"{piece}'s move" if piece.isalpha() else f"move of {piece}"
        move = {"0,1": "move across a side", "0,1+1,1": "move to a touching cell"}.get(piece, usual)
        if self.ordered:
            back = ", and back to the first" if self.closed else ""
            words = f"Draw a way through all cells in the order of the numbers{back}. Every step is a {move}."
        else:
            words = f"Write the numbers from 1 to {n} into the cells so that every step is a {move}."
            words += f" From {n} a move leads back to 1." if self.closed else ""
        words += " A dot joins two cells that follow each other." if self.required else ""
        return words + (" No step crosses a wall." if self.forbidden else "")

    @property
    def steps(self) -> NDArray[np.int32]:
        """Given number of each cell, 0 if there is none."""
        steps = np.zeros(self.board.size, dtype=np.int32)
        for step, cell in self.given:
            steps[cell] = step
        return steps


@dataclass(frozen=True)
class Roesselsprung:
    """A puzzle that hides a text along a tour, one word or syllable per cell.

    Args:
        tour: an open tour.
        parts: one word or syllable per step; a syllable that ends in `GOES_ON` is joined to the next.
        seed: seed of the random choices that made the puzzle.

    Raises:
        CellError: the number of parts differs from the number of steps.

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
        """The text on one line, with spaces between words."""
        return "".join(
            part.removesuffix(GOES_ON) if part.endswith(GOES_ON) else f"{part} " for part in self.parts
        ).strip()

    @property
    def on_cells(self) -> list[str]:
        """The part on each cell; "" for cells that are not visited."""
        on_cells = [""] * self.board.size
        for cell, part in zip(self.tour.cells.tolist(), self.parts, strict=True):
            on_cells[cell] = part
        return on_cells

    def title(self, board: str) -> str:
        """Return the title: `open roesselsprung of BOARD`."""
        return f"{self.tour.kind} roesselsprung of {board}"


@dataclass(frozen=True)
class Solved:
    """The solutions of a puzzle.

    Args:
        puzzle: the puzzle.
        tours: solutions, each checked.
        complete: whether these are all solutions.
        reason: why there is no solution, or why there can be more.
        method: `search` or `sat`.
        guesses: number of values that were tried.
        seed: seed of the random choices.
        seconds: wall time.
        verification: whether a second method found the same number of solutions.

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
    verification: Verification = Verification.UNCHECKED

    _repr_html_ = shown

    @property
    def status(self) -> str:
        """`found`, `impossible` or `undecided`."""
        return "found" if self.tours else "impossible" if self.complete else "undecided"

    @property
    def unique(self) -> bool:
        """Whether it is proved that there is exactly one solution."""
        return self.complete and len(self.tours) == 1


class Solutions(NamedTuple):
    """The sequences of cells that solve a question about steps.

    Args:
        tours: cells in the order of the steps, one row per solution, int32, shape (k, n).
        complete: whether these are all solutions.
        guesses: number of values that were tried, 0 if the rules alone decided; decisions of a SAT solver.
        depth: largest number of nested guesses.
        proof: lines of a DRUP proof that refutes the formula together with clauses that forbid the solutions,
            if a SAT solver found all solutions.
        hints: hints for a quick check of the proof.
    """

    tours: NDArray[np.int32]
    complete: bool
    guesses: int = 0
    depth: int = 0
    proof: tuple[str, ...] = ()
    hints: Antecedents | None = None
