"""The kinds of puzzles that have names: the piece, what the numbers mean, and what else a puzzle gives.

Their tours are open. Puzzle magazines and web sites use these names; puzzles of other pieces and boards have
no name.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from cavalcade.ground.errors import CavalcadeError

if TYPE_CHECKING:
    from cavalcade.answers.puzzles import Puzzle
    from cavalcade.boards import Board
    from cavalcade.question.graph import MoveGraph


KindName: TypeAlias = Literal["hidato", "numbrix", "hopido", "holy-knight", "zip", "rikudo"]


@dataclass(frozen=True)
class PuzzleKind:
    """A kind of puzzles.

    Attributes:
        title: the name, with the article.
        piece: spec of the piece.
        gives: what makes the solution the only one: `steps`, more numbers; `walls` between cells that the
            tour does not cross; or `links`, moves that it makes.
        ordered: whether the numbers are the order in which the tour visits these cells, not its steps.
        hexagonal: whether the cells are hexagons.
        ends: whether the first and the last number are always given.
        share: by default one number in `share` is given. Zips and Rikudos need fewer numbers, because walls
            and links are added to them.
        visited: fraction of the cells of a board without holes that the tour visits; the rest become holes.
    """

    title: str
    piece: str
    gives: Literal["steps", "walls", "links"] = "steps"
    ordered: bool = False
    hexagonal: bool = False
    ends: bool = True
    share: int = 3
    visited: float = 1.0

    def board(self, board: Board | MoveGraph) -> Board:
        """Return the board of a puzzle; a Rikudo has no cell in the middle.

        Raises:
            CavalcadeError: the board is a graph, or has cells of another shape.
        """
        if board.plain or board.family.hexagonal != self.hexagonal:
            expected = "hexagonal cells, such as hex:4" if self.hexagonal else "square cells, such as 6x6"
            raise CavalcadeError(f"{self.title} has {expected}; {board.title} has none")
        if self.hexagonal and board.kind == "hex" and not board.holes and board.size > 1:
            return board.without([board.size // 2])  # cells are numbered row by row
        return board

    def includes(self, puzzle: Puzzle) -> bool:
        """Return whether a puzzle is of this kind."""
        from cavalcade.question.pieces import piece_of

        board = puzzle.board
        return (
            not board.plain
            and not puzzle.closed
            and puzzle.piece == piece_of(self.piece)
            and puzzle.ordered == self.ordered
            and board.family.hexagonal == self.hexagonal
            and (self.visited == 1 or bool(board.holes))
        )


KINDS: dict[KindName, PuzzleKind] = {
    "hidato": PuzzleKind("a Hidato", "0,1+1,1"),
    "numbrix": PuzzleKind("a Numbrix", "0,1"),
    "hopido": PuzzleKind("a Hopido", "0,3+2,2"),
    "holy-knight": PuzzleKind("a holy knight's tour", "1,2", ends=False, visited=0.7),
    "zip": PuzzleKind("a Zip", "0,1", "walls", ordered=True, share=5),
    "rikudo": PuzzleKind("a Rikudo", "0,1", "links", hexagonal=True, share=4),
}


def kind_named(name: KindName) -> PuzzleKind:
    """Return the kind with a name.

    Raises:
        CavalcadeError: there is none.
    """
    if name not in KINDS:
        raise CavalcadeError(f"unknown kind {name!r}, expected one of {', '.join(KINDS)}")
    return KINDS[name]


def kind_of(puzzle: Puzzle) -> KindName | Literal[""]:
    """Return the name of the kind of a puzzle; "" if it has none."""
    return next((name for name, kind in KINDS.items() if kind.includes(puzzle)), "")


def as_kind(puzzle: Puzzle, name: KindName) -> Puzzle:
    """Return the puzzle with the piece and the meaning of the numbers of a kind.

    Raises:
        CavalcadeError: the kind is unknown, or has another board.
    """
    from cavalcade.question.pieces import piece_of

    kind = kind_named(name)
    kind.board(puzzle.board)
    return replace(puzzle, piece=piece_of(kind.piece), closed=False, ordered=kind.ordered)
