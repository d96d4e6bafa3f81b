"""Graphs by name: `petersen`, `gp:7,2`, `hypercube:10`, `grid:50x50`, `queen:8`.

They are graphs, not boards: no piece moves on them, and `--piece` is refused. A kind is a line in `GRAPHS`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from itertools import chain, combinations, permutations, product
from typing import NamedTuple

import numpy as np

from cavalcade.boards import Board
from cavalcade.ground.budget import assert_room
from cavalcade.ground.errors import BoardError
from cavalcade.ground.kernels import Ints, Mask

Pairs = Ints | Iterable[tuple[int, int]]
Numbers = tuple[int, ...]
# the notation of textbooks for complete and complete bipartite graphs, cycles and hypercubes
LETTERED = re.compile(r"^(K|C|Q)_?\{?(\d+)(,\d+)?\}?$")
CALLED = re.compile(r"([a-z-]+)\(([\d, ]+)\)")


class Named(NamedTuple):
    """A kind of graphs.

    Args:
        example: a name to try.
        least: the lower bound of each number in a name; the last bound also holds for all further numbers.
        most: the greatest number of numbers.
        size: a function of the numbers: the number of vertices and a bound on their degrees.
        edges: a function of the numbers: the edges between vertices, which are numbered from 0.
        labels: a function of the numbers: the labels of the vertices; None for 1, 2, ….
        directed: whether edges go one way.
    """

    example: str
    least: Numbers
    most: int
    size: Callable[..., tuple[int, int]]
    edges: Callable[..., Pairs]
    labels: Callable[..., list[str]] | None = None
    directed: bool = False


def spelled_out(name: str) -> str:
    """Replace the notation of textbooks, K5, K3,4, C7, Q4 or GP(7,2), by a name; keep other text.

    >>> spelled_out("K3,4")
    'bipartite:3,4'
    """
    if called := CALLED.fullmatch(name.lower()):
        return f"{called[1]}:{called[2]}" if called[1] in GRAPHS else name
    if (letter := LETTERED.match(name)) is None:
        return name
    kinds = {"K": "bipartite" if letter[3] else "complete", "C": "cycle", "Q": "hypercube"}
    return f"{kinds[letter[1]]}:{letter[2]}{letter[3] or ''}"


def named(text: str) -> tuple[Pairs, int, list[str] | None, bool] | None:
    """Make the graph of a name.

    Returns:
        The edges, the number of vertices, the labels or None, and whether edges go one way; None if `GRAPHS`
        does not have the kind.

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
        shapes = "a board of your own shape is a file, see cavalcade help boards"
        raise BoardError(f"{text[:60]!r} is no graph of the kind {kind}: try {row.example}; {shapes}")
    size, degree = row.size(*numbers)
    assert_room(40 * size * max(degree, 1), f"the graph {text}")
    return row.edges(*numbers), size, row.labels(*numbers) if row.labels else None, row.directed


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


def _six_bits(text: str) -> tuple[int, Ints]:
    """The number of vertices and the edges of a graph in graph6, with at most 62 vertices (McKay)."""
    n, *sextets = (ord(letter) - 63 for letter in text)
    bits = np.unpackbits(np.array(sextets, dtype=np.uint8)[:, np.newaxis], axis=1)[:, 2:].ravel()
    # The bits are the rows of the lower triangle of the adjacency matrix.
    lower: Ints = np.stack(np.tril_indices(n, -1), axis=1)
    return n, lower[bits[: len(lower)] == 1]


def _without(pairs: Pairs, kept: Mask) -> Pairs:
    """The edges between vertices that are kept, in the numbers of these vertices alone."""
    ends: Ints = np.asarray(pairs)
    number: Ints = np.cumsum(kept) - 1
    return number[ends[kept[ends].all(axis=1)]]


def _honeycomb_cells(m: int, n: int) -> Mask:
    """Which places of an array of n + 1 columns of 2m + 2 places are vertices of a honeycomb."""
    kept = np.ones((n + 1, 2 * m + 2), dtype=np.bool_)
    kept[0, -1] = kept[n, (2 * m + 1) * (n % 2)] = False
    return kept


def _honeycomb(m: int, n: int) -> Pairs:
    """The vertices and sides of m rows and n columns of hexagons."""
    kept = _honeycomb_cells(m, n)
    number = np.arange(kept.size).reshape(kept.shape)
    rungs = (np.add.outer(np.arange(n), np.arange(2 * m + 2)) % 2 == 0).ravel()
    edges = [_between(number[:, :-1], number[:, 1:]), _between(number[:-1], number[1:])[rungs]]
    return _without(np.concatenate(edges), kept.ravel())


def _between(tails: Ints, heads: Ints) -> Ints:
    """The edges between equal places of two arrays."""
    return np.stack([tails.ravel(), heads.ravel()], axis=1)


def _triangular(n: int) -> Pairs:
    """The corners and sides of the triangles into which a triangle of side n falls."""
    number = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
    edges = [
        _between(number[:-1], number[1:]),
        _between(number[:, :-1], number[:, 1:]),
        _between(number[:-1, 1:], number[1:, :-1]),
    ]
    places = np.arange(n + 1)
    return _without(np.concatenate(edges), (np.add.outer(places, places) <= n).ravel())


def _middle_levels(k: int) -> Pairs:
    """The sets of k and of k + 1 of 2k + 1 elements, with an edge if one contains the other (Havel 1983)."""
    n = 2 * k + 1
    sets = _subsets(n, k)
    supersets = [
        _ranks([*np.sort(np.column_stack([sets, column]), axis=1).T], n) for column in _complements(sets, n).T
    ]
    tails = np.arange(len(sets))
    return np.concatenate([np.stack([tails, len(sets) + heads], axis=1) for heads in supersets])


def _de_bruijn(k: int, n: int) -> Pairs:
    """The words of n letters out of k, from each to the words with its end at their beginning (1946)."""
    words = np.arange(k**n)
    return np.concatenate([np.stack([words, words * k % k**n + letter], axis=1) for letter in range(k)])


def _words(k: int, n: int) -> list[str]:
    """The words of n letters out of k: digits, with dots between them if there are more than ten."""
    letters = [str(letter) for letter in range(k)]
    return [("." * (k > 10)).join(word) for word in product(letters, repeat=n)]


def _disjoint(n: int, k: int, without: tuple[Numbers, ...] = ()) -> Pairs:
    """The k-subsets of n elements, with an edge between disjoint sets (Kneser 1955)."""
    sets = _subsets(n, k)
    choices = _subsets(max(n - k, 0), k)
    if not len(choices):
        return np.empty((0, 2), dtype=np.int64)
    others = _complements(sets, n)
    block = 1 + 2**20 // len(sets)  # choices at a time, so that scratch arrays have about 2^20 numbers
    blocks = [choices[i : i + block] for i in range(0, len(choices), block)]
    pairs: Ints = np.concatenate([_ascending(_ranks([others[:, i] for i in part.T], n)) for part in blocks])
    if not without:
        return pairs
    return _without(pairs, ~np.isin(np.arange(len(sets)), _ranks([*np.array(without).T], n)))


def _johnson(n: int, k: int) -> Pairs:
    """The k-subsets of n elements, with an edge if all elements but one are common."""
    sets = _subsets(n, k)
    if not len(sets) or k == n:
        return np.empty((0, 2), dtype=np.int64)
    others = _complements(sets, n)
    edges = []
    for position in range(k):  # replace this element by each element outside the set
        kept = np.delete(sets, position, axis=1)
        for column in others.T:
            subsets = np.sort(np.column_stack([kept, column]), axis=1)
            edges.append(_ascending(_ranks([*subsets.T], n)[:, np.newaxis]))
    return np.concatenate(edges)


def _subsets(n: int, k: int) -> Ints:
    """The k-subsets of 0 … n - 1 in lexicographic order, one per row."""
    return np.fromiter(chain.from_iterable(combinations(range(n), k)), dtype=np.int64).reshape(-1, k)


def _complements(sets: Ints, n: int) -> Ints:
    """The elements of 0 … n - 1 that each of these sets lacks, in ascending order, one set per row."""
    lacking = np.ones((len(sets), n), dtype=np.bool_)
    lacking[np.arange(len(sets))[:, np.newaxis], sets] = False
    return np.nonzero(lacking)[1].reshape(len(sets), n - sets.shape[1])


def _ranks(columns: list[Ints], n: int) -> Ints:
    """The indices of subsets of 0 … n - 1 in lexicographic order.

    Args:
        columns: the smallest elements of all subsets, the second smallest elements, and so on.
        n: the number of elements.
    """
    k = len(columns)
    # The subsets after a given one first differ from it at some position j, where they have a larger element:
    # they choose k - j elements among those above element j.
    after = np.zeros_like(columns[0])
    for j, column in enumerate(columns):
        above = [math.comb(n - 1 - element, k - j) if element >= j else 0 for element in range(n)]
        after += np.array(above)[column]
    return math.comb(n, k) - 1 - after


def _ascending(heads: Ints) -> Ints:
    """The edges from each row number to the vertices in the row, without those to a smaller number."""
    tails = np.repeat(np.arange(len(heads)), heads.shape[1])
    pairs = np.stack([tails, heads.ravel()], axis=1)
    return pairs[pairs[:, 0] < pairs[:, 1]]


def _permuted(n: int, orders: list[list[int]]) -> Pairs:
    """The permutations of n numbers, each joined to its rearrangements in these orders.

    Args:
        n: the number of numbers.
        orders: rearrangements, each its own inverse: entry i is the old position of the number at i.
    """
    arrangements = np.array([*permutations(range(n))], dtype=np.int64).reshape(-1, n)
    powers = n ** np.arange(n - 1, -1, -1)  # the permutations are in the order of these codes
    codes = arrangements @ powers
    heads = [np.searchsorted(codes, arrangements[:, order] @ powers) for order in orders]
    return _ascending(np.stack(heads, axis=1))


def _star(n: int) -> Pairs:
    """The star graph: the first number is exchanged with another (Akers and Krishnamurthy 1989)."""
    return _permuted(n, [[i, *range(1, i), 0, *range(i + 1, n)] for i in range(1, n)])


def _pancake(n: int) -> Pairs:
    """The pancake graph: two or more numbers at the beginning are reversed."""
    return _permuted(n, [[*range(i, -1, -1), *range(i + 1, n)] for i in range(1, n)])


def _hanoi(d: int) -> Pairs:
    """The positions of d discs on three pegs: the digits of a number in base 3, the smallest disc last."""
    edges = []
    for disc in range(d):
        # Disc `disc` moves between two pegs while all smaller discs are on the third.
        unit = 3**disc
        above = 3 * unit * np.arange(3 ** (d - disc - 1))
        for peg in range(3):
            tail, head = (above + end * unit + peg * (unit - 1) // 2 for end in range(3) if end != peg)
            edges.append(np.stack([tail, head], axis=1))
    return np.concatenate(edges)


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


def _swaps(n: int, k: int) -> tuple[int, int]:
    return _sets(n, k)[0], k * max(n - k, 0)


def _arrangements(n: int) -> tuple[int, int]:
    return math.factorial(min(n, 20)), n - 1  # beyond 20 only a lower bound


def _bits(d: int) -> list[str]:
    return [f"{i:0{d}b}" for i in range(2**d)]


def _hypercube(d: int) -> Pairs:
    i = np.arange(2**d)
    ends = [(low, low + 2**k) for k in range(d) for low in (i[(i >> k) & 1 == 0],)]
    return np.concatenate([np.stack(pair, axis=1) for pair in ends])


FANO = ((0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5))
# Cubic graphs with a Hamiltonian cycle: the chords of a part of it, and how often that part is repeated.
CUBIC = {
    "bidiakis": ([6, 4, -4], 4), "cubical": ([3, -3], 4), "dyck": ([5, -5, 13, -13], 8),
    "f26a": ([-7, 7], 13), "foster": ([17, -9, 37, -37, 9, -17], 15), "franklin": ([5, -5], 6),
    "frucht": ([-5, -2, -4, 2, 5, -2, 2, 5, -2, -5, 4, 2], 1), "gray": ([-25, 7, -7, 13, -13, 25], 9),
    "heawood": ([5, -5], 7), "levi": ([-13, -9, 7, -7, 9, 13], 5), "mcgee": ([12, 7, -7], 8),
    "moebius-kantor": ([5, -5], 8), "nauru": ([5, -9, 7, -7, 9, -5], 4), "pappus": ([5, 7, -7, 7, -7, -5], 3),
    "truncated-cube": ([2, 9, -2, 2, -9, -2], 4), "truncated-octahedron": ([3, -7, 7, -3], 6),
    "truncated-tetrahedron": ([2, 6, -2], 4),
}  # fmt: skip
SMALL = {  # in graph6, as NetworkX and igraph have them
    "bull": "DyG",
    "chvatal": "KhdLA_hc?L_y",
    "diamond": "Cz",
    "folkman": "Ss_?GGC@@O?@?ASg?Iq_KSS?Ae@T?@Q_?",
    "grotzsch": "Js`JA?tH?u_",
    "herschel": "Js`_GHHK_u?",
    "hoffman-singleton": (
        "qsCSCA?_@GD?P@G?C?@??G?@GG?CO?AO??g??E??CAG?GC_?GD??CB?G?GOA?@A?O?CG@??GO?_AACGCD@AC?SACI@GAACGQ"
        "?_`Aa?AOI??GoD?@?P?I@@?aC?S?GS?Q?ODC?GEA??@AIA??G@GAB??OK?_GG?CGP?_O?DC?AHG????caO???_O_AQ??A@OO"
        "?Q??@AGG_@??A_"
    ),
    "house": "DrK",
    "housex": "D~K",
    "icosahedron": "KhFKFCrEk[n_",
    "kite": "IvUqwK@?G",
    "robertson": "RhcHGD@AGCa@P@?CaGK?P@GC_@KAGG",
    "sedgewick": "GOEXUO",
    "thomassen": (
        "apS?GG@?g??@?A??`?g????C??O??G?_SC???G?GC??oG?@C??@O???c???G?O?@??O?C?C??G?C_?G??C?C??G?@??@G?G"
    ),
    "tutte": (
        "msOGGC@?H?c??@??_GG?A??C??G_?G_????@???G??__??A???@????g???GC??G????CC???G????G???AC??_????_??G?"
        "????_A???@???A?????G??_?????G??G??@A???G_??_???c??W???O???O??C_??B???_????aO??"
    ),
    "walther": "XiGoOOA?G@?A?C?@A???D??G??O??GG??@?@??AO??@?@?@??_D",
}
GRAPHS = {
    "petersen": Named("petersen", (), 0, lambda: (10, 3), lambda: _generalized_petersen(5, 2)),
    **{
        name: Named(name, (), 0, lambda code=code: (len(code[0]) * code[1], 3), _cubic(*code))
        for name, code in CUBIC.items()
    },
    **{
        name: Named(
            name, (), 0, lambda text=text: (_six_bits(text)[0], 7), lambda text=text: _six_bits(text)[1]
        )
        for name, text in SMALL.items()
    },
    "octahedron": Named("octahedron", (), 0, lambda: (6, 4), lambda: _circulant(6, 1, 2)),
    "tetrahedron": Named("tetrahedron", (), 0, lambda: (4, 3), lambda: _complete(4)),
    "desargues": Named("desargues", (), 0, lambda: (20, 3), lambda: _generalized_petersen(10, 3)),
    "dodecahedron": Named("dodecahedron", (), 0, lambda: (20, 3), lambda: _generalized_petersen(10, 2)),
    "coxeter": Named("coxeter", (), 0, lambda: (28, 3), lambda: _disjoint(7, 3, FANO)),
    "gp": Named("gp:7,2", (3, 1), 2, lambda n, _: (2 * n, 3), _generalized_petersen),
    "prism": Named("prism:5", (3,), 1, lambda n: (2 * n, 3), lambda n: _generalized_petersen(n, 1)),
    "cycle": Named("cycle:7", (3,), 1, lambda n: (n, 2), lambda n: _circulant(n, 1)),
    "circulant": Named("circulant:13,1,5", (3, 1), 30, lambda n, *by: (n, 2 * len(by)), _circulant),
    "complete": Named("complete:6", (1,), 1, lambda n: (n, n), _complete),
    "bipartite": Named("bipartite:3,4", (1, 1), 2, lambda a, b: (a + b, max(a, b)), _bipartite),
    "kneser": Named("kneser:5,2", (1, 1), 2, _sets, _disjoint),
    "johnson": Named("johnson:5,2", (1, 1), 2, _swaps, _johnson),
    "middle": Named("middle:2", (1,), 1, lambda k: (2 * _sets(2 * k + 1, k)[0], k + 1), _middle_levels),
    "debruijn": Named(
        "debruijn:2,4", (2, 1), 2, lambda k, n: (k ** min(n, 62), k), _de_bruijn, _words, directed=True
    ),
    "honeycomb": Named("honeycomb:3,4", (1, 1), 2, lambda m, n: ((n + 1) * (2 * m + 2) - 2, 3), _honeycomb),
    "triangular": Named("triangular:5", (1,), 1, lambda n: ((n + 1) * (n + 2) // 2, 6), _triangular),
    "star": Named("star:4", (2,), 1, _arrangements, _star),
    "pancake": Named("pancake:4", (2,), 1, _arrangements, _pancake),
    "hanoi": Named("hanoi:3", (1,), 1, lambda d: (3 ** min(d, 39), 3), _hanoi),
    "hypercube": Named("hypercube:4", (1,), 1, lambda d: (2 ** min(d, 62), d), _hypercube, _bits),
    "grid": Named("grid:50x50", (1, 1), 30, lambda *sides: (math.prod(sides), 2 * len(sides)), _grid, _cells),
    "king": Named("king:8", (1,), 2, lambda m, n=0: (m * (n or m), 8), _king, _cells),
    "rook": Named("rook:8", (1,), 2, lambda m, n=0: (m * (n or m), m + (n or m)), _rook, _cells),
    "queen": Named("queen:8", (1,), 2, lambda m, n=0: (m * (n or m), 3 * (m + (n or m))), _queen, _cells),
}
