"""Random boards of all families, pieces that fit them, plain graphs and walks; and an oracle, `reach`.

The oracle uses only the kind and the sides of a board and the coordinates of its cells, and shares no code
with the package. On a flat board it compares all pairs of cells. On a surface it walks each move one cell at
a time and keeps track of the orientation.
"""

from __future__ import annotations

from itertools import pairwise, product
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.boards.families import FAMILIES
from cavalcade.question.graph import MoveGraph
from cavalcade.question.pieces import Piece, with_opposites
from unfolded import reach_unfolded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import DrawFn

Place = tuple[int, ...]
SURFACES = ("cylinder", "torus", "mobius", "klein")
HEXAGONAL = ("hex", "triangle", "parallelogram", "hexagon")
#: A closed tour of 5x6 as a grid of steps.
CLOSED_5X6 = """
 1 14 25 10 29 16
24  5 30 15 20  9
13  2 11 26 17 28
 6 23  4 19  8 21
 3 12  7 22 27 18
"""


# ---- strategies


@st.composite
def boards(draw: DrawFn, kinds: tuple[str, ...] = tuple(FAMILIES), most: int = 120) -> Board:
    """Draw a board of a random kind, with holes half of the time."""
    kind = draw(st.sampled_from(kinds))
    least, longest = FAMILIES[kind].side_count
    sides = st.lists(st.integers(1, 9), min_size=least, max_size=min(longest, 4))
    board = draw(sides.map(lambda s: Board(kind, tuple(s))).filter(lambda board: board.size <= most))
    holes = draw(st.sets(st.integers(0, board.size - 1), max_size=min(6, board.size - 1)))
    return board.without(holes) if holes else board


LEAPS = st.tuples(st.integers(0, 4), st.integers(1, 5)).map(lambda leap: (min(leap), max(leap)))
KING = Piece(leaps=((0, 1), (1, 1)))


@st.composite
def pieces(draw: DrawFn, dimensions: int = 2) -> Piece:
    """Draw a leaper, a union of leapers, or single moves."""
    if draw(st.booleans()):
        return Piece(leaps=tuple(draw(st.lists(LEAPS, min_size=1, max_size=2, unique=True))))
    move = st.tuples(*[st.integers(-3, 3)] * dimensions).filter(any)
    moves = Piece(moves=tuple(draw(st.lists(move, min_size=1, max_size=3, unique=True))))
    return moves if draw(st.booleans()) else with_opposites(moves)


def pieces_on(board: Board) -> st.SearchStrategy[Piece]:
    """Draw a piece that fits a board: single moves have no direction on the surface of a box."""
    drawn = pieces(board.dimensions)
    return drawn.filter(lambda piece: not piece.moves) if board.kind in {"surface", "cube"} else drawn


@st.composite
def positions(draw: DrawFn) -> tuple[Board, Piece]:
    """Draw a board and a piece that fits it."""
    board = draw(boards())
    return board, draw(pieces_on(board))


@st.composite
def claims(draw: DrawFn) -> Tour:
    """Draw a random sequence of cells of a random board, labelled closed or open."""
    board, piece = draw(positions())
    cells = draw(st.permutations(range(board.size)))[: draw(st.integers(0, board.size))]
    return Tour(board, np.array(cells, dtype=np.int32), draw(st.booleans()), piece)


@st.composite
def edge_lists(draw: DrawFn, most: int = 12) -> tuple[int, list[tuple[int, int]]]:
    """Draw the number of vertices and the edges of a simple graph."""
    n = draw(st.integers(1, most))
    pairs = [(i, j) for j in range(n) for i in range(j)]
    return n, draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []


@st.composite
def walks(draw: DrawFn) -> Tour:
    """Draw a walk between nonsense and a tour: by fewest onward moves, with an occasional illegal leap."""
    if draw(st.integers(0, 3)):
        board = draw(boards())
        piece = draw(pieces_on(board) | st.just(KING))
        walk = Tour(board, np.zeros(1, dtype=np.int32), draw(st.booleans()), piece)
    else:
        n, edges = draw(edge_lists())
        walk = Tour(MoveGraph.from_edges(edges, n), np.zeros(1, dtype=np.int32), draw(st.booleans()))
    ways, size = ways_of(walk), walk.board.size
    random = draw(st.randoms(use_true_random=False))
    wild = draw(st.sampled_from([0.0, 0.0, 0.05]))
    cells = [random.randrange(size)]
    while len(cells) < size:
        fresh = [(len(ways[cell].difference(cells)), cell) for cell in ways[cells[-1]].difference(cells)]
        if not fresh and not wild:
            break
        leap = not fresh or random.random() < wild
        cells.append(random.randrange(size) if leap else min(fresh)[1])
    return Tour(walk.board, np.array(cells), walk.closed, walk.piece)


# ---- the oracle


def reach(board: Board, piece: Piece) -> list[set[int]]:
    """Return the cells that the piece reaches from each cell."""
    places = {tuple(place): cell for cell, place in enumerate(board.coords.tolist())}
    if board.kind in {"surface", "cube"}:
        return reach_unfolded(board, piece)
    if board.kind in SURFACES:
        everywhere = [{places.get(end) for end in _ant(board, piece, place)} for place in places]
        return [{end for end in ends if end is not None and end != i} for i, ends in enumerate(everywhere)]
    return [{j for b, j in places.items() if a != b and _is_move(board, piece, a, b)} for a in places]


def _is_move(board: Board, piece: Piece, a: Place, b: Place) -> bool:
    step = tuple(y - x for x, y in zip(a, b, strict=True))
    if piece.moves:
        return step in piece.moves
    if board.kind in HEXAGONAL:
        q, r = step
        ways: set[tuple[int, ...]] = {tuple(sorted((q, r, -q - r))), tuple(sorted((-q, -r, q + r)))}
        return any(tuple(sorted((i, j, -i - j))) in ways for i, j in piece.leaps)
    zeros = [0] * (board.dimensions - 2)
    return any(sorted(map(abs, step)) == sorted([*zeros, i, j]) for i, j in piece.leaps)


def _ant(board: Board, piece: Piece, place: Place) -> Iterator[Place]:
    rows, columns = board.shape
    flips = board.kind in {"mobius", "klein"}
    vectors = set(piece.moves)
    for i, j in piece.leaps:
        vectors |= {(x * s, y * t) for x, y in ((i, j), (j, i)) for s, t in product((1, -1), repeat=2)}
    for down, right in vectors:
        # on a one-sided surface both orientations are possible, so a move is read in both
        for upright in (1, -1) if flips else (1,):
            row, column = place
            heading = upright
            for _ in range(abs(right)):
                column += 1 if right > 0 else -1
                if not 0 <= column < columns:
                    column %= columns
                    if flips:
                        row, heading = rows - 1 - row, -heading
            row += heading * down
            if board.kind in {"torus", "klein"}:
                row %= rows
            if 0 <= row < rows:
                yield row, column


def is_tour(tour: Tour, ways: list[set[int]]) -> bool:
    """Return whether a tour satisfies its definition, clause by clause."""
    cells = tour.cells.tolist()
    return (
        sorted(cells) == list(range(tour.board.size))
        and all(b in ways[a] for a, b in pairwise(cells))
        and (not tour.closed or len(cells) == 1 or (len(cells) > 2 and cells[0] in ways[cells[-1]]))
    )


def ways_of(tour: Tour) -> list[set[int]]:
    """Return the moves from each cell of a tour's own board or graph."""
    if isinstance(tour.board, MoveGraph):
        ways: list[set[int]] = [set() for _ in range(tour.board.size)]
        for a, b in tour.board.edges().tolist():
            ways[a].add(b)
            ways[b].add(a)
        return ways
    return reach(tour.board, tour.piece)
