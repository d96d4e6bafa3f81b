"""Graphs by name: `petersen`, `gp:7,2`, `hypercube:10`, `grid:50x50`, `queen:8`.

They are graphs, not boards: no piece moves on them, and `--piece` is refused. A kind is a line in `GRAPHS`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import combinations
from typing import NamedTuple

import numpy as np

from cavalcade.boards import Board
from cavalcade.ground.budget import assert_room
from cavalcade.ground.errors import BoardError
from cavalcade.ground.kernels import Ints

Pairs = Ints | Iterable[tuple[int, int]]
Numbers = tuple[int, ...]


class Named(NamedTuple):
    """A kind of graphs.

    Args:
        example: a name to try.
        least: the lower bound of each number in a name; the last bound also holds for all further numbers.
        most: the greatest number of numbers.
        size: a function of the numbers: the number of vertices and a bound on their degrees.
        edges: a function of the numbers: the edges between vertices, which are numbered from 0.
        labels: a function of the numbers: the labels of the vertices; None for 1, 2, ….
    """

    example: str
    least: Numbers
    most: int
    size: Callable[..., tuple[int, int]]
    edges: Callable[..., Pairs]
    labels: Callable[..., list[str]] | None = None


def named(text: str) -> tuple[Pairs, int, list[str] | None] | None:
    """Make the graph of a name.

    Returns:
        The edges, the number of vertices, and the labels or None; None if `GRAPHS` does not have the kind.

    Raises:
        BoardError: the numbers in the name make no such graph.
        TooLargeError: the graph does not fit into memory.
    """
    kind, _, rest = text.strip().lower().partition(":")
    if kind not in GRAPHS:
        return None
    row = GRAPHS[kind]
    parts = rest.replace("\N{MULTIPLICATION SIGN}", "x").replace("x", ",").split(",") if rest else []
    numbers = tuple(int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 10)
    bounds = (*row.least, *row.least[-1:] * len(numbers))
    fits = len(row.least) <= len(numbers) == len(parts) <= row.most
    if not fits or any(number < bound for number, bound in zip(numbers, bounds, strict=False)):
        raise BoardError(f"{text[:60]!r} is no graph of the kind {kind}: try {row.example}")
    size, degree = row.size(*numbers)
    assert_room(40 * size * max(degree, 1), f"the graph {text}")
    return row.edges(*numbers), size, row.labels(*numbers) if row.labels else None


def _generalized_petersen(n: int, k: int) -> Pairs:
    """An outer cycle, spokes, and inner edges of step k (Watkins 1969)."""
    i = np.arange(n)
    ends = (i, (i + 1) % n), (i, n + i), (n + i, n + (i + k) % n)
    return np.concatenate([np.stack(pair, axis=1) for pair in ends])


def _circulant(n: int, *steps: int) -> Pairs:
    """Edges of given steps around a cycle."""
    i = np.arange(n)
    return np.concatenate([np.stack([i, (i + step) % n], axis=1) for step in steps])


def _cubic(jumps: list[int], times: int) -> Callable[[], Pairs]:
    """A Hamiltonian cycle with a chord at each vertex (the notation of Lederberg, Coxeter and Frucht)."""
    chords = jumps * times
    n = len(chords)
    return lambda: [(i, (i + jump) % n) for i in range(n) for jump in (1, chords[i])]


def _disjoint(n: int, k: int, without: tuple[Numbers, ...] = ()) -> Pairs:
    """The k-subsets of n elements, with an edge between disjoint sets (Kneser 1955)."""
    sets = [subset for subset in combinations(range(n), k) if subset not in without]
    return [(i, j) for (i, a), (j, b) in combinations(enumerate(sets), 2) if not {*a} & {*b}]


def _lines(*sides: int, reach: int | None = None, straight: bool = True, slant: bool = False) -> Pairs:
    """The moves of a sliding chess piece on a box.

    Args:
        sides: the sides of the box.
        reach: the greatest number of cells of a move; None for any number.
        straight: whether the piece moves along rows and columns.
        slant: whether the piece moves along diagonals.
    """
    cells = np.arange(math.prod(sides)).reshape(sides)
    edges = []
    for step in np.ndindex(*(3,) * len(sides)):
        way = np.array(step) - 1
        moving = np.count_nonzero(way)
        if not moving or way[way != 0][0] < 0 or (moving == 1 and not straight) or (moving > 1 and not slant):
            continue
        longest = min(side for side, axis in zip(sides, way, strict=True) if axis) - 1
        for length in range(1, min(longest, reach or longest) + 1):
            leap = list(zip(way * length, sides, strict=True))
            tails = cells[tuple(slice(max(0, -by), side - max(0, by)) for by, side in leap)]
            heads = cells[tuple(slice(max(0, by), side - max(0, -by)) for by, side in leap)]
            edges.append(np.stack([tails.ravel(), heads.ravel()], axis=1))
    return np.concatenate(edges) if edges else np.empty((0, 2), dtype=np.int64)


def _grid(*sides: int) -> Pairs:
    return _lines(*sides, reach=1)


def _king(m: int, n: int = 0) -> Pairs:
    return _lines(m, n or m, reach=1, slant=True)


def _rook(m: int, n: int = 0) -> Pairs:
    return _lines(m, n or m)


def _queen(m: int, n: int = 0) -> Pairs:
    return _lines(m, n or m, slant=True)


def _cells(*sides: int) -> list[str]:
    return Board.box(*(sides if len(sides) > 1 else sides * 2)).names


def _complete(n: int) -> Pairs:
    return np.stack(np.triu_indices(n, 1), axis=1)


def _bipartite(a: int, b: int) -> Pairs:
    return np.stack([np.repeat(np.arange(a), b), a + np.tile(np.arange(b), a)], axis=1)


def _sets(n: int, k: int) -> tuple[int, int]:
    if n > 1000:  # a lower bound that is quick to compute, far above any memory limit
        return math.comb(1000, min(k, n - k, 500)) if k <= n else 0, 1
    return math.comb(n, k), math.comb(max(n - k, 0), k)


def _bits(d: int) -> list[str]:
    return [f"{i:0{d}b}" for i in range(2**d)]


def _hypercube(d: int) -> Pairs:
    i = np.arange(2**d)
    ends = [(low, low + 2**k) for k in range(d) for low in (i[(i >> k) & 1 == 0],)]
    return np.concatenate([np.stack(pair, axis=1) for pair in ends])


FANO = ((0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5))
GRAPHS = {
    "petersen": Named("petersen", (), 0, lambda: (10, 3), lambda: _generalized_petersen(5, 2)),
    "heawood": Named("heawood", (), 0, lambda: (14, 3), _cubic([5, -5], 7)),
    "pappus": Named("pappus", (), 0, lambda: (18, 3), _cubic([5, 7, -7, 7, -7, -5], 3)),
    "desargues": Named("desargues", (), 0, lambda: (20, 3), lambda: _generalized_petersen(10, 3)),
    "dodecahedron": Named("dodecahedron", (), 0, lambda: (20, 3), lambda: _generalized_petersen(10, 2)),
    "coxeter": Named("coxeter", (), 0, lambda: (28, 3), lambda: _disjoint(7, 3, FANO)),
    "gp": Named("gp:7,2", (3, 1), 2, lambda n, _: (2 * n, 3), _generalized_petersen),
    "cycle": Named("cycle:7", (3,), 1, lambda n: (n, 2), lambda n: _circulant(n, 1)),
    "circulant": Named("circulant:13,1,5", (3, 1), 30, lambda n, *by: (n, 2 * len(by)), _circulant),
    "complete": Named("complete:6", (1,), 1, lambda n: (n, n), _complete),
    "bipartite": Named("bipartite:3,4", (1, 1), 2, lambda a, b: (a + b, max(a, b)), _bipartite),
    "kneser": Named("kneser:5,2", (1, 1), 2, _sets, _disjoint),
    "hypercube": Named("hypercube:4", (1,), 1, lambda d: (2 ** min(d, 62), d), _hypercube, _bits),
    "grid": Named("grid:50x50", (1, 1), 30, lambda *sides: (math.prod(sides), 2 * len(sides)), _grid, _cells),
    "king": Named("king:8", (1,), 2, lambda m, n=0: (m * (n or m), 8), _king, _cells),
    "rook": Named("rook:8", (1,), 2, lambda m, n=0: (m * (n or m), m + (n or m)), _rook, _cells),
    "queen": Named("queen:8", (1,), 2, lambda m, n=0: (m * (n or m), 3 * (m + (n or m))), _queen, _cells),
}
