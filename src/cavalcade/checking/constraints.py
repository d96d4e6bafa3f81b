"""The requirements of a question as the checker reads them, and the graph that proofs are about.

It shares no code with the engines.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.checking.geometry import Ints, all_moves, ascending, is_one_way, maps_called, rising, turning
from cavalcade.ground.errors import BoardError
from cavalcade.ground.kernels import Mask
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question


def unmet(question: Question, tour: Tour) -> str:
    """The first requirement of a question that a tour does not meet; empty if it meets all.

    Args:
        question: the question.
        tour: a tour of the board of the question that `checking.tours.check` accepts.
    """
    name, n = question.board.name, question.board.size
    for step, cell in question.given.items():
        if tour.cells[step - 1] != cell:
            return f"step {step} is {name(int(tour.cells[step - 1]))}, not {name(cell)}"
    step_of = {int(cell): step for step, cell in enumerate(tour.cells, 1)} if question.through else {}
    for before, after in pairwise(question.through):
        if step_of[before] > step_of[after]:
            return f"it visits {name(after)} before {name(before)}"
    if not (question.required or question.forbidden or question.symmetry or question.direction):
        return ""
    cells = tour.cells.astype(np.int64)
    onward = np.stack([cells, np.roll(cells, -1)], axis=1)[: None if tour.closed and n > 1 else -1]

    def code(moves: Ints) -> Ints:
        """A number for each move, equal for both directions unless the graph is directed."""
        a, b = moves.T if question.directed else (moves.min(axis=1), moves.max(axis=1))
        return np.asarray(a * n + b)

    made = code(onward)
    for moves, expected, verb in (
        (question.required, True, "does not make"),
        (question.forbidden, False, "makes"),
    ):
        if moves:
            differs = np.isin(code(np.array(moves, dtype=np.int64)), made) != expected
            if differs.any():
                return f"it {verb} the move {_joined(question, moves[int(np.flatnonzero(differs)[0])])}"
    if question.symmetry is not None:
        if fault := _no_symmetry(question):
            return fault
        images = question.symmetry.cells.astype(np.int64)[onward]
        wrong = ~np.isin(code(images), made)
        if wrong.any():
            move, image = (_joined(question, moves[wrong][0].tolist()) for moves in (onward, images))
            return f"the {question.symmetry.name} takes the move {move} to {image}, which it does not make"
    if question.direction is not None and not question.board.plain:
        wrong = turning(question.board, onward) != _sign(question)
        if wrong.any():
            move = _joined(question, onward[wrong][0].tolist())
            return f"the move {move} does not go {question.direction}"
        coils = int(rising(question.board, onward).sum())
        if question.coils not in {None, coils}:
            return f"it has {coils} coils, not {question.coils}"
    return ""


def _joined(question: Question, move: Sequence[int]) -> str:
    """The name of a move."""
    return "-".join(map(question.board.name, move))


def _sign(question: Question) -> int:
    """The sign that `turning` gives to moves in the required direction."""
    return 1 if question.direction == "counterclockwise" else -1


def nonsense(question: Question) -> str:
    """What is wrong with a question itself; empty if nothing is."""
    n, ends = question.board.size, [cell for cell in (question.start, question.end) if cell is not None]
    if n == 1:
        return "one cell is a tour by itself"
    if question.closed and question.end is not None:
        return "a closed tour has no end"
    if question.coils is not None and (question.direction is None or not question.closed):
        return "coils are of closed tours whose moves all go round the centre in one direction"
    if not all(0 <= cell < n for cell in ends) or len(set(ends)) < len(ends):
        return "its ends are not two different cells of the board"
    required, forbidden = set(question.required), set(question.forbidden)
    moves: set[tuple[int, ...]] = set()
    if required or forbidden or question.symmetry:
        moves = set(map(tuple, moves_of(question).tolist()))
    for a, b in (*question.required, *question.forbidden):
        if (a, b) not in moves:
            return f"{a}-{b} is not a move, in numbers of cells"
    if list(question.required) != sorted(required):
        return "its required moves are not in ascending order"
    if required & forbidden:
        return "a required move is forbidden"
    steps = [step for step, _ in question.steps]
    if any(not 1 <= step <= n for step in steps) or len(set(steps)) < len(steps):
        return "its steps are not different steps of a tour"
    if any(end is not None and step in steps for step, end in ((1, question.start), (n, question.end))):
        return "its ends stand among its steps, too"
    order = set(question.through)
    if (
        len(order) < len(question.through)
        or not all(0 <= cell < n for cell in order)
        or (order and question.closed and question.start is None)
    ):
        return "its order is not one of different cells of the board, after the first cell of a closed tour"
    if question.symmetry is not None:
        if wrong := _no_symmetry(question):
            return wrong
        image = question.symmetry.cells.tolist()
        for kept in (moves, required, forbidden):
            images = {(image[a], image[b]) for a, b in kept}
            if not question.directed:
                images = {(min(move), max(move)) for move in images}
            if images != kept:
                return f"the {question.symmetry.name} does not keep the moves"
        if question.direction is not None and not _turned(question, question.symmetry.cells.astype(np.int64)):
            return f"moves {question.direction} are not symmetric under the {question.symmetry.name}"
        if {image[end] for end in question.ends} != set(question.ends):
            return f"the {question.symmetry.name} does not keep the ends"
    return ""


def _no_symmetry(question: Question) -> str:
    """Why the map of the symmetry of a question is not the only map of its name; empty if it is."""
    assert question.symmetry is not None  # noqa: S101 - for the type checker
    board, name, image = question.board, question.symmetry.name, question.symmetry.cells
    maps = [] if board.plain else maps_called(board, question.piece, name)
    if not maps:
        return f"{board.title} has no symmetry that is called {name[:60]!r}"
    same = [np.array_equal(image, candidate) for candidate in maps]
    if not any(same):
        return f"the map of the cells of {board.title} is not the {name}"
    # The inverse of a map may share its name: a quarter turn in either direction is the same requirement.
    inverse = [np.array_equal(image[candidate], np.arange(len(candidate))) for candidate in maps]
    return "" if all(map(any, zip(same, inverse, strict=True))) else f"{board.title} has more than one {name}"


def covers(proved: Question, question: Question) -> bool:
    """Tell whether the proof that one question has no tour also proves it for another question."""
    same = (proved.board, proved.piece, proved.closed) == (question.board, question.piece, question.closed)
    free = all(
        getattr(proved, name) in {None, getattr(question, name)}
        for name in ("start", "end", "symmetry", "direction", "coils")
    )
    parts = all(
        set(getattr(proved, name)) <= set(getattr(question, name))
        for name in ("required", "forbidden", "steps")
    )
    return same and free and parts and proved.through in {(), question.through}


def closed_graph(question: Question) -> tuple[int, Ints]:
    """The graph whose closed tours answer a question: its size, and its edges (a, b), a < b, ascending.

    `question` defines the vertices and their order. The graph does not express steps and symmetries.
    """
    if question.one_way:
        return _one_way_graph(question)
    size, moves, ends = question.board.size, moves_left(question), question.ends
    if question.required:
        required = [a * size + b for a, b in question.required]
        moves = moves[~np.isin(moves[:, 0] * size + moves[:, 1], required)]
    extra: list[tuple[int, int]] = []
    if not question.closed:
        # An extra vertex joins the ends of an open tour; a second one fixes a single given end.
        joined = ends if len(ends) == 2 else [cell for cell in range(size) if cell not in ends]
        extra += [(cell, size) for cell in joined]
        if len(ends) == 1:
            extra += [(ends[0], size + 1), (size, size + 1)]
        size += 1 + (len(ends) == 1)
    for a, b in question.required:
        # Two extra vertices subdivide a required move: a closed tour must pass through both.
        extra += [(a, size), (size, size + 1), (size + 1, b)]
        size += 2
    return size, ascending(np.concatenate([moves, np.array(extra, dtype=np.int64).reshape(-1, 2)]), size)


def _one_way_graph(question: Question) -> tuple[int, Ints]:
    """`closed_graph` for moves that go one way: cells c, then the vertices `>c`, `c>` and perhaps `*`."""
    n, moves = question.board.size, moves_left(question)
    required = set(question.required)
    if question.direction is not None:
        if question.board.plain:
            raise BoardError("a plain graph has no centre for moves to go about")
        directions = turning(question.board, moves) * _sign(question)
        back = moves[(directions < 0) & (not question.directed)][:, ::-1]
        moves = np.concatenate([moves[directions > 0], back])
        required |= set() if question.directed else {(b, a) for a, b in required}
    if not question.closed:  # an extra square n, before the first cell and after the last one
        first = [(n, cell) for cell in range(n) if question.start in {None, cell}]
        last = [(cell, n) for cell in range(n) if question.end in {None, cell}]
        moves = np.concatenate([moves, np.array(first + last, dtype=np.int64)])
    # A required move rules out the other moves from its first cell and to its second.
    must = np.isin(moves[:, 0] * (n + 1) + moves[:, 1], [a * (n + 1) + b for a, b in required])
    out, into = (np.bincount(moves[must, side], minlength=n + 1)[moves[:, side]] for side in (0, 1))
    moves = moves[(out == must) & (into == must)]
    cells = np.arange(n)
    over = [np.stack([cells, cells + layer], axis=1) for layer in (n, 2 * n)]
    arcs = np.stack([moves[:, 0] + 2 * n, np.where(moves[:, 1] < n, moves[:, 1] + n, 3 * n)], axis=1)
    size = 3 * n + (not question.closed)
    return size, ascending(np.concatenate([*over, arcs]), size)


def of_coils(question: Question, edges: Ints) -> Mask:
    """Which edges (a, b), a < b, of the closed graph are moves that begin a coil, see `rising`."""
    assert isinstance(question.board, Board)  # noqa: S101 - a graph has no coils
    n = question.board.size
    heads, tails = edges[:, 0] - n, edges[:, 1] - 2 * n  # from `c>` to `>d`
    moves = (heads >= 0) & (heads < n) & (tails >= 0) & (tails < n)
    moves[moves] = rising(question.board, np.stack([tails, heads], axis=1)[moves])
    return np.asarray(moves)


def vertex_map(question: Question, size: int) -> Ints | None:
    """Images of the vertices of the closed graph under the symmetry of a question; None without one."""
    if question.symmetry is None:
        return None
    n, image = question.board.size, question.symmetry.cells.astype(np.int64)
    images = np.arange(size)
    if question.one_way:
        to, away = (image + n, image + 2 * n)[:: _turned(question, image) or 1]
        return np.concatenate([image, to, away, images[3 * n :]])
    images[:n] = image
    # The last vertices are two per required move (a, b): first the neighbour of a, then that of b.
    first = size - 2 * len(question.required)
    middles = {move: first + 2 * i for i, move in enumerate(question.required)}
    for (a, b), i in middles.items():
        c, d = int(image[a]), int(image[b])
        j = middles[min(c, d), max(c, d)]
        images[i], images[i + 1] = (j, j + 1) if c < d else (j + 1, j)
    return images


def _turned(question: Question, image: Ints) -> int:
    """1 if a map keeps the direction of all moves, -1 if it reverses all of them, else 0.

    The symmetry of an open tour swaps its ends, so the result is 0 if it does not reverse the moves.
    """
    if question.board.plain:
        return 1
    moves = moves_left(question)
    before, after = turning(question.board, moves), turning(question.board, image[moves])
    if question.closed and np.array_equal(before, after):
        return 1
    return -1 if np.array_equal(before, -after) else 0


def moves_left(question: Question) -> Ints:
    """All moves that are not forbidden, in the order of `moves_of`."""
    n, moves = question.board.size, moves_of(question)
    if question.forbidden:
        forbidden = [a * n + b for a, b in question.forbidden]
        moves = moves[~np.isin(moves[:, 0] * n + moves[:, 1], forbidden)]
    return moves


def moves_of(question: Question) -> Ints:
    """All moves (a, b) of a board or plain graph, ascending; a < b, except for arcs of a directed graph."""
    board = question.board
    if board.plain:
        return ascending(arcs_of(board), board.size, one_way=board.directed)
    return ascending(all_moves(board, question.piece), board.size, one_way=is_one_way(board, question.piece))


def arcs_of(graph: MoveGraph) -> Ints:
    """All arcs (a, b) of a plain graph; an undirected graph has both directions of each edge."""
    tails = np.repeat(np.arange(graph.size, dtype=np.int64), np.diff(graph.indptr))
    return np.stack([tails, graph.indices.astype(np.int64)], axis=1)
