"""`cavalcade.widget`: it is there without anywidget, which is needed when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.formats.link import is_link
from cavalcade.formats.link import read as read_link
from cavalcade.question.graph import BoardLike
from cavalcade.question.pieces import PieceLike
from cavalcade.question.question import Question
from cavalcade.question.words import Moves, validated
from cavalcade.studio.message import words_of

if TYPE_CHECKING:
    from cavalcade.studio.widget import StudioWidget


@validated
def widget(
    board: BoardLike = "8x8",
    *,
    piece: PieceLike | None = None,
    open: bool = False,
    start: int | str | None = None,
    end: int | str | None = None,
    with_: Moves | None = None,
    avoid: Moves | None = None,
    symmetry: str | None = None,
) -> StudioWidget:
    """Show the studio (the page of `cavalcade studio`) in a notebook of Jupyter or marimo.

    Args:
        board: a board, its spec, or the path of a file; or a link of the studio.
        piece: a piece or its spec; by default the knight.
        open: open tours instead of closed ones.
        start: the first cell, by name or number.
        end: the last cell of an open tour.
        with_: moves to make, as in `tour`.
        avoid: moves not to make, as in `tour`.
        symmetry: a symmetry of the tours.

    Raises:
        CavalcadeError: an invalid spec, name or number, or a board that the studio does not show.
        MissingExtraError: anywidget is not installed.

    Time: that of `import anywidget`; the questions are answered by worker processes.

    Examples:
        >>> cell = widget("6x6", open=True)
        >>> cell.board
        <Board 6x6, 36 cells>
        >>> cell.close()
    """
    from cavalcade.studio.widget import StudioWidget

    if isinstance(board, str) and is_link(board):
        words = words_of(read_link(board)[0])
        return StudioWidget(question=words, shown={"question": words, "link": f"#{board.partition('#')[2]}"})
    question = Question.of(
        board, piece=piece, open=open, start=start, end=end, with_=with_, avoid=avoid, symmetry=symmetry
    )
    return StudioWidget(question=words_of(question))
