"""What a question asks beside board and ends, as the checker reads it: it shares no code with the engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.checking.geometry import all_moves, image_called, turning
from cavalcade.graph import MoveGraph

if TYPE_CHECKING:
    from cavalcade.answers.tours import Tour
    from cavalcade.checking.geometry import Ints
    from cavalcade.problem import Problem


def unmet(problem: Problem, tour: Tour) -> str:
    """The first thing that a problem asks for and a tour does not do; nothing if it does all.

    Args:
        problem: what is asked.
        tour: a tour of its board that `checking.tours.check` finds right.
    """
    cells, name, n = tour.cells.astype(np.int64), problem.board.name, problem.board.size
    onward = np.stack([cells, np.roll(cells, -1)], axis=1)[: None if tour.closed else -1]

    def code(moves: Ints) -> Ints:
        """A number for each move, whichever way it goes; on a directed graph the way counts."""
        if has_arcs(problem):
            return np.asarray(moves[:, 0] * n + moves[:, 1])
        return np.asarray(moves.min(axis=1) * n + moves.max(axis=1))

    made = (
        code(onward) if problem.required or problem.forbidden or problem.symmetry else np.zeros(0, np.int64)
    )
    for some, wanted, does in (
        (problem.required, True, "does not make"),
        (problem.forbidden, False, "makes"),
    ):
        if some:
            unlike = np.isin(code(np.array(some, dtype=np.int64)), made) != wanted
            if unlike.any():
                a, b = some[int(np.flatnonzero(unlike)[0])]
                return f"it {does} the move {name(a)}-{name(b)}"
    ends = ((1, problem.start), (len(cells), problem.end))
    for step, cell in (*ends, *problem.steps):
        if cell is not None and cells[step - 1] != cell:
            return f"step {step} is {name(int(cells[step - 1]))}, not {name(cell)}"
    if problem.symmetry is not None:
        if fault := _no_symmetry(problem):
            return fault
        images = problem.symmetry.cells.astype(np.int64)[onward]
        wrong = ~np.isin(code(images), made)
        if wrong.any():
            one, other = ("-".join(map(name, some[wrong][0].tolist())) for some in (onward, images))
            return f"the {problem.symmetry.name} takes the move {one} to {other}, which it does not make"
    if problem.way is not None and not isinstance(problem.board, MoveGraph):
        wrong = turning(problem.board, onward) != (1 if problem.way == "counterclockwise" else -1)
        if wrong.any():
            a, b = onward[wrong][0].tolist()
            return f"the move {name(a)}-{name(b)} does not go {problem.way}"
    return ""


def nonsense(problem: Problem) -> str:
    """What is wrong with the constraints of a problem themselves; nothing if nothing is."""
    n = problem.board.size
    asked = problem.required or problem.forbidden or problem.symmetry
    known = {tuple(move) for move in moves_of(problem).tolist()} if asked else set()
    for a, b in (*problem.required, *problem.forbidden):
        if (a, b) not in known:
            return f"{a}-{b} is not a move, in numbers of cells"
    if list(problem.required) != sorted(set(problem.required)):
        return "its required moves are not in ascending order"
    if set(problem.required) & set(problem.forbidden):
        return "a required move is forbidden"
    places = [step for step, _ in problem.steps]
    if any(not 1 <= step <= n for step in places) or len(set(places)) < len(places):
        return "its steps are not different steps of a tour"
    if any(end is not None and step in places for step, end in ((1, problem.start), (n, problem.end))):
        return "its ends stand among its steps, too"
    if problem.symmetry is not None:
        if wrong := _no_symmetry(problem):
            return wrong
        image = problem.symmetry.cells.tolist()
        for some in (known, set(problem.required), set(problem.forbidden)):
            taken = {(image[a], image[b]) for a, b in some}
            if (taken if has_arcs(problem) else {(min(move), max(move)) for move in taken}) != some:
                return f"the {problem.symmetry.name} does not keep the moves"
        if {image[end] for end in problem.ends} != set(problem.ends):
            return f"the {problem.symmetry.name} does not keep the ends"
    return ""


def _no_symmetry(problem: Problem) -> str:
    """Why the symmetry of a problem is none: no exchange of the cells, or not what its name says."""
    assert problem.symmetry is not None  # noqa: S101 - for the type checker
    image, title = problem.symmetry.cells, problem.board.title
    if len(image) != problem.board.size or (np.sort(image) != np.arange(len(image))).any():
        return f"the {problem.symmetry.name} does not exchange the cells of {title}"
    if isinstance(problem.board, MoveGraph):
        return ""
    named = image_called(problem.board, problem.symmetry.name)
    if named and not any(np.array_equal(image, one) for one in named):
        return f"the map of the cells of {title} is not the {problem.symmetry.name}"
    return ""


def vertex_map(problem: Problem, size: int) -> Ints | None:
    """Where the symmetry of a problem takes each vertex of its closed graph; None without a symmetry."""
    if problem.symmetry is None:
        return None
    n, image = problem.board.size, problem.symmetry.cells.astype(np.int64)
    found = np.arange(size)
    if one_way(problem):
        return np.concatenate([image, image + n, image + 2 * n, found[3 * n :]])
    found[:n] = image
    first = size - 2 * len(problem.required)
    at = {move: first + 2 * i for i, move in enumerate(problem.required)}
    for (a, b), i in at.items():
        c, d = int(image[a]), int(image[b])
        j = at[min(c, d), max(c, d)]
        found[i], found[i + 1] = (j, j + 1) if c < d else (j + 1, j)
    return found


def has_arcs(problem: Problem) -> bool:
    """Whether the board is a directed graph, so that (a, b) is a move from a to b."""
    return isinstance(problem.board, MoveGraph) and bool(problem.board.directed)


def one_way(problem: Problem) -> bool:
    """Whether moves go one way only."""
    return problem.way is not None or has_arcs(problem)


def moves_left(problem: Problem) -> Ints:
    """The moves that are not forbidden, as `moves_of` gives them."""
    n, moves = problem.board.size, moves_of(problem)
    if problem.forbidden:
        gone = [a * n + b for a, b in problem.forbidden]
        moves = moves[~np.isin(moves[:, 0] * n + moves[:, 1], gone)]
    return moves


def moves_of(problem: Problem) -> Ints:
    """All moves (a, b) of a board or plain graph, ascending; a < b, but for the arcs of a directed graph."""
    board = problem.board
    if isinstance(board, MoveGraph):
        tails = np.repeat(np.arange(board.size, dtype=np.int64), np.diff(board.indptr))
        moves = np.stack([tails, board.indices.astype(np.int64)], axis=1)
        return np.unique(moves, axis=0) if has_arcs(problem) else ascending(moves, board.size)
    return ascending(all_moves(board, problem.piece), board.size)


def ascending(edges: Ints, size: int) -> Ints:
    """Each edge once, smaller end first, in ascending order."""
    a, b = edges.T
    keys = np.sort(np.minimum(a, b) * size + np.maximum(a, b))
    keys = keys[np.append(True, keys[1:] != keys[:-1])] if keys.size else keys
    return np.stack([keys // size, keys % size], axis=1)
