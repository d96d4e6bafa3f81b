"""What a question asks, as the checker reads it: what a tour must do, and the graph that proofs are about.

It shares no code with the engines.
"""

from __future__ import annotations

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.checking.geometry import Ints, all_moves, ascending, maps_called, rising, turning
from cavalcade.ground.errors import BoardError
from cavalcade.ground.kernels import Mask
from cavalcade.question.question import Question


def unmet(question: Question, tour: Tour) -> str:
    """The first requirement of a question that a tour does not meet; nothing if it meets all.

    Args:
        question: what is asked.
        tour: a tour of its board that `checking.tours.check` finds right.
    """
    name, n = question.board.name, question.board.size
    for step, cell in question.given.items():
        if tour.cells[step - 1] != cell:
            return f"step {step} is {name(int(tour.cells[step - 1]))}, not {name(cell)}"
    if not (question.required or question.forbidden or question.symmetry or question.direction):
        return ""
    cells = tour.cells.astype(np.int64)
    onward = np.stack([cells, np.roll(cells, -1)], axis=1)[: None if tour.closed and n > 1 else -1]

    def code(moves: Ints) -> Ints:
        """A number for each move, whichever way it goes; on a directed graph the way counts."""
        a, b = moves.T if question.board.directed else (moves.min(axis=1), moves.max(axis=1))
        return np.asarray(a * n + b)

    made = code(onward)
    for some, wanted, does in (
        (question.required, True, "does not make"),
        (question.forbidden, False, "makes"),
    ):
        if some:
            unlike = np.isin(code(np.array(some, dtype=np.int64)), made) != wanted
            if unlike.any():
                a, b = some[int(np.flatnonzero(unlike)[0])]
                return f"it {does} the move {name(a)}-{name(b)}"
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
        coils = int(rising(question.board, onward).sum())
        if question.coils not in {None, coils}:
            return f"it has {coils} coils, not {question.coils}"
    return ""


def nonsense(question: Question) -> str:
    """What is wrong with a question itself; nothing if nothing is."""
    n, ends = question.board.size, [cell for cell in (question.start, question.end) if cell is not None]
    if n == 1:
        return "one cell is a tour by itself"
    if question.closed and question.end is not None:
        return "a closed tour has no end"
    if question.coils is not None and (question.direction is None or not question.closed):
        return "coils are of closed tours whose moves all go round the centre in one direction"
    if not all(0 <= cell < n for cell in ends) or len(set(ends)) < len(ends):
        return "its ends are not two different cells of the board"
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
            if (taken if question.board.directed else {(min(move), max(move)) for move in taken}) != some:
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


def closed_graph(question: Question) -> tuple[int, Ints]:
    """The graph whose closed tours are wanted: its size, and its edges (a, b), a < b, ascending.

    `question` says which vertices it has, and in which order. Steps and symmetries are not in it.
    """
    if question.one_way:
        return _one_way_graph(question)
    size, moves, ends = question.board.size, moves_left(question), question.ends
    made = [a * size + b for a, b in question.required]
    moves = moves[~np.isin(moves[:, 0] * size + moves[:, 1], made)]
    more: list[tuple[int, int]] = []
    if not question.closed:
        near = ends if len(ends) == 2 else [cell for cell in range(size) if cell not in ends]
        more += [(cell, size) for cell in near]
        if len(ends) == 1:
            more += [(ends[0], size + 1), (size, size + 1)]
        size += 1 + (len(ends) == 1)
    for a, b in question.required:
        more += [(a, size), (size, size + 1), (size + 1, b)]
        size += 2
    return size, ascending(np.concatenate([moves, np.array(more, dtype=np.int64).reshape(-1, 2)]), size)


def _one_way_graph(question: Question) -> tuple[int, Ints]:
    """The same where moves go one way."""
    n, moves = question.board.size, moves_left(question)
    wanted = set(question.required)
    if question.direction is not None:
        if question.board.plain:
            raise BoardError("a plain graph has no centre for moves to go about")
        ways = turning(question.board, moves) * (1 if question.direction == "counterclockwise" else -1)
        moves = np.concatenate([moves[ways > 0], moves[ways < 0][:, ::-1]])
        wanted |= {(b, a) for a, b in wanted}
    if not question.closed:  # the place beside the board is a place n to come from and to go to
        first = [(n, cell) for cell in range(n) if question.start in {None, cell}]
        last = [(cell, n) for cell in range(n) if question.end in {None, cell}]
        moves = np.concatenate([moves, np.array(first + last, dtype=np.int64)])
    must = np.isin(moves[:, 0] * (n + 1) + moves[:, 1], [a * (n + 1) + b for a, b in wanted])
    left, reached = (np.bincount(moves[must, side], minlength=n + 1)[moves[:, side]] for side in (0, 1))
    moves = moves[(left == must) & (reached == must)]
    cells = np.arange(n)
    over = [np.stack([cells, cells + layer], axis=1) for layer in (n, 2 * n)]
    arcs = np.stack([moves[:, 0] + 2 * n, np.where(moves[:, 1] < n, moves[:, 1] + n, 3 * n)], axis=1)
    size = 3 * n + (not question.closed)
    return size, ascending(np.concatenate([*over, arcs]), size)


def of_coils(question: Question, edges: Ints) -> Mask:
    """Which edges (a, b), a < b, of a question's closed graph are moves that begin a coil; see `rising`."""
    assert isinstance(question.board, Board)  # noqa: S101 - a graph has no coils
    n = question.board.size
    heads, tails = edges[:, 0] - n, edges[:, 1] - 2 * n  # from `c>` to `>d`
    moves = (heads >= 0) & (heads < n) & (tails >= 0) & (tails < n)
    moves[moves] = rising(question.board, np.stack([tails, heads], axis=1)[moves])
    return np.asarray(moves)


def vertex_map(question: Question, size: int) -> Ints | None:
    """Where the symmetry of a question takes each vertex of its closed graph; None without a symmetry."""
    if question.symmetry is None:
        return None
    n, image = question.board.size, question.symmetry.cells.astype(np.int64)
    found = np.arange(size)
    if question.one_way:
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
    """1 if a map keeps the direction of all moves, -1 if it reverses all of them, else 0."""
    if question.board.plain:
        return 1
    moves = moves_left(question)
    here, there = turning(question.board, moves), turning(question.board, image[moves])
    return 1 if np.array_equal(here, there) else -1 if np.array_equal(here, -there) else 0


def moves_left(question: Question) -> Ints:
    """The moves that are not forbidden, as `moves_of` gives them."""
    n, moves = question.board.size, moves_of(question)
    if question.forbidden:
        gone = [a * n + b for a, b in question.forbidden]
        moves = moves[~np.isin(moves[:, 0] * n + moves[:, 1], gone)]
    return moves


def moves_of(question: Question) -> Ints:
    """All moves (a, b) of a board or plain graph, ascending; a < b, except for arcs of a directed graph."""
    board = question.board
    if board.plain:
        tails = np.repeat(np.arange(board.size, dtype=np.int64), np.diff(board.indptr))
        moves = np.stack([tails, board.indices.astype(np.int64)], axis=1)
        return ascending(moves, board.size, one_way=question.board.directed)
    return ascending(all_moves(board, question.piece), board.size)
