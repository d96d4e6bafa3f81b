"""What a question asks beside board and ends, as the checker reads it: it shares no code with the engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.checking.geometry import all_moves, ascending, turning
from cavalcade.checking.maps import maps_called

if TYPE_CHECKING:
    from cavalcade.answers.tours import Tour
    from cavalcade.checking.geometry import Ints
    from cavalcade.question.question import Question


def unmet(question: Question, tour: Tour) -> str:
    """The first thing that a question asks for and a tour does not do; nothing if it does all.

    Args:
        question: what is asked.
        tour: a tour of its board that `checking.tours.check` finds right.
    """
    cells, name, n = tour.cells.astype(np.int64), question.board.name, question.board.size
    onward = np.stack([cells, np.roll(cells, -1)], axis=1)[: None if tour.closed else -1]

    def code(moves: Ints) -> Ints:
        """A number for each move, whichever way it goes; on a directed graph the way counts."""
        if has_arcs(question):
            return np.asarray(moves[:, 0] * n + moves[:, 1])
        return np.asarray(moves.min(axis=1) * n + moves.max(axis=1))

    made = (
        code(onward)
        if question.required or question.forbidden or question.symmetry
        else np.zeros(0, np.int64)
    )
    for some, wanted, does in (
        (question.required, True, "does not make"),
        (question.forbidden, False, "makes"),
    ):
        if some:
            unlike = np.isin(code(np.array(some, dtype=np.int64)), made) != wanted
            if unlike.any():
                a, b = some[int(np.flatnonzero(unlike)[0])]
                return f"it {does} the move {name(a)}-{name(b)}"
    ends = ((1, question.start), (len(cells), question.end))
    for step, cell in (*ends, *question.steps):
        if cell is not None and cells[step - 1] != cell:
            return f"step {step} is {name(int(cells[step - 1]))}, not {name(cell)}"
    if question.symmetry is not None:
        if fault := _no_symmetry(question):
            return fault
        images = question.symmetry.cells.astype(np.int64)[onward]
        wrong = ~np.isin(code(images), made)
        if wrong.any():
            one, other = ("-".join(map(name, some[wrong][0].tolist())) for some in (onward, images))
            return f"the {question.symmetry.name} takes the move {one} to {other}, which it does not make"
    if question.direction is not None and not question.board.plain:
        wrong = turning(question.board, onward) != (1 if question.direction == "counterclockwise" else -1)
        if wrong.any():
            a, b = onward[wrong][0].tolist()
            return f"the move {name(a)}-{name(b)} does not go {question.direction}"
    return ""


def nonsense(question: Question) -> str:
    """What is wrong with the constraints of a question themselves; nothing if nothing is."""
    n = question.board.size
    asked = question.required or question.forbidden or question.symmetry
    known = {tuple(move) for move in moves_of(question).tolist()} if asked else set()
    for a, b in (*question.required, *question.forbidden):
        if (a, b) not in known:
            return f"{a}-{b} is not a move, in numbers of cells"
    if list(question.required) != sorted(set(question.required)):
        return "its required moves are not in ascending order"
    if set(question.required) & set(question.forbidden):
        return "a required move is forbidden"
    places = [step for step, _ in question.steps]
    if any(not 1 <= step <= n for step in places) or len(set(places)) < len(places):
        return "its steps are not different steps of a tour"
    if any(end is not None and step in places for step, end in ((1, question.start), (n, question.end))):
        return "its ends stand among its steps, too"
    if question.symmetry is not None:
        if wrong := _no_symmetry(question):
            return wrong
        image = question.symmetry.cells.tolist()
        for some in (known, set(question.required), set(question.forbidden)):
            taken = {(image[a], image[b]) for a, b in some}
            if (taken if has_arcs(question) else {(min(move), max(move)) for move in taken}) != some:
                return f"the {question.symmetry.name} does not keep the moves"
        if question.direction is not None and not _turned(question, question.symmetry.cells.astype(np.int64)):
            return f"moves {question.direction} are not symmetric under the {question.symmetry.name}"
        if {image[end] for end in question.ends} != set(question.ends):
            return f"the {question.symmetry.name} does not keep the ends"
    return ""


def _no_symmetry(question: Question) -> str:
    """Why the map of a question's symmetry is not the only one of its name; nothing if it is."""
    assert question.symmetry is not None  # noqa: S101 - for the type checker
    board, name, image = question.board, question.symmetry.name, question.symmetry.cells
    known = [] if board.plain else maps_called(board, question.piece, name)
    if not known:
        return f"{board.title} has no symmetry that is called {name[:60]!r}"
    same = [np.array_equal(image, one) for one in known]
    if not any(same):
        return f"the map of the cells of {board.title} is not the {name}"
    undone = [np.array_equal(image[one], np.arange(len(one))) for one in known]
    return "" if all(map(any, zip(same, undone, strict=True))) else f"{board.title} has more than one {name}"


def vertex_map(question: Question, size: int) -> Ints | None:
    """Where the symmetry of a question takes each vertex of its closed graph; None without a symmetry."""
    if question.symmetry is None:
        return None
    n, image = question.board.size, question.symmetry.cells.astype(np.int64)
    found = np.arange(size)
    if one_way(question):
        to, away = (image + n, image + 2 * n)[:: _turned(question, image) or 1]
        return np.concatenate([image, to, away, found[3 * n :]])
    found[:n] = image
    first = size - 2 * len(question.required)
    at = {move: first + 2 * i for i, move in enumerate(question.required)}
    for (a, b), i in at.items():
        c, d = int(image[a]), int(image[b])
        j = at[min(c, d), max(c, d)]
        found[i], found[i + 1] = (j, j + 1) if c < d else (j + 1, j)
    return found


def _turned(question: Question, image: Ints) -> int:
    """1 if a map leaves the direction of all moves as it is, -1 if it turns all round, 0 if neither is so."""
    if question.board.plain:
        return 1
    moves = moves_left(question)
    here, there = turning(question.board, moves), turning(question.board, image[moves])
    return 1 if np.array_equal(here, there) else -1 if np.array_equal(here, -there) else 0


def has_arcs(question: Question) -> bool:
    """Whether the board is a directed graph, so that (a, b) is a move from a to b."""
    return question.board.plain and bool(question.board.directed)


def one_way(question: Question) -> bool:
    """Whether moves go one way only."""
    return question.direction is not None or has_arcs(question)


def moves_left(question: Question) -> Ints:
    """The moves that are not forbidden, as `moves_of` gives them."""
    n, moves = question.board.size, moves_of(question)
    if question.forbidden:
        gone = [a * n + b for a, b in question.forbidden]
        moves = moves[~np.isin(moves[:, 0] * n + moves[:, 1], gone)]
    return moves


def moves_of(question: Question) -> Ints:
    """All moves (a, b) of a board or plain graph, ascending; a < b, but for the arcs of a directed graph."""
    board = question.board
    if board.plain:
        tails = np.repeat(np.arange(board.size, dtype=np.int64), np.diff(board.indptr))
        moves = np.stack([tails, board.indices.astype(np.int64)], axis=1)
        return np.unique(moves, axis=0) if has_arcs(question) else ascending(moves, board.size)
    return ascending(all_moves(board, question.piece), board.size)
