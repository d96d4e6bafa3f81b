"""Is a number of tours in print? Move graphs compared with the graphs of known sequences.

A count of tours is new only if no table of another name has it: the move graph of a 5 x 5 torus is the rook
graph of 5 x 5, whose Hamiltonian cycles are in the OEIS. `sequences.toml` has the terms. A graph is compared
with each listed graph of its size, up to isomorphism: by invariants of the vertices, then by a search for a
bijection that keeps them and the edges.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from cavalcade.question.question import Question

if TYPE_CHECKING:
    from cavalcade.question.graph import MoveGraph

Neighbours = list[set[int]]


@dataclass(frozen=True)
class PrintedTerm:
    """A term of a sequence.

    Args:
        sequence: its number in the OEIS.
        index: the index of the term, such as `3,3`.
        title: the name of the graphs in the OEIS.
        graph: the graph, as a board and a piece or a graph by name.
        closed: whether the term counts cycles instead of paths.
        count: the number of undirected cycles or paths.
        directed: whether the printed term is twice this number.
    """

    sequence: str
    index: str
    title: str
    graph: str
    closed: bool
    count: int
    directed: bool

    def __str__(self) -> str:
        half = "/2" * self.directed
        return f"OEIS {self.sequence}({self.index}){half}, the {self.title}"


def in_print(question: Question) -> list[PrintedTerm]:
    """The terms of the packaged sequences that count the tours of a question.

    Examples:
        >>> [str(term) for term in in_print(Question.of("torus:5x5"))]
        ['OEIS A269562(5,5), the rook graph']
    """
    sizes = {len(_listed(term.graph)[0]) for term in terms()}
    if question.ends or question.constraints or question.graph.size not in sizes:
        return []
    neighbours = _neighbours(question.graph)
    signature = _signature(neighbours)
    return [
        term
        for term in terms()
        if term.closed == question.closed
        and _listed(term.graph)[1] == signature
        and isomorphic(neighbours, _listed(term.graph)[0])
    ]


@cache
def terms() -> tuple[PrintedTerm, ...]:
    """All terms of the packaged sequences."""
    text = files("cavalcade.theorems").joinpath("sequences.toml").read_text(encoding="utf-8")
    return tuple(
        PrintedTerm(
            sequence, index, row["title"], graph, row["counts"] == "cycles", count // (1 + directed), directed
        )
        for sequence, row in tomllib.loads(text).items()
        for directed in [row["counts"] == "directed paths"]
        for graph, index, count in row["terms"]
    )


def question_of(term: PrintedTerm) -> Question:
    """The question whose tours a term counts."""
    board, _, piece = term.graph.partition(" ")
    return Question.of(board, piece=piece or None, open=not term.closed)


def isomorphic(first: Neighbours, second: Neighbours) -> bool:
    """Whether a bijection of the vertices of two graphs maps edges to edges, and no others to them."""
    colours = _refined(first), _refined(second)
    if Counter(colours[0]) != Counter(colours[1]):
        return False
    # Vertices of rare colours first, then neighbours of placed vertices: few images remain for each.
    rarity = Counter(colours[0])
    order: list[int] = []
    while len(order) < len(first):
        placed = set(order)
        order.append(
            min(
                (vertex for vertex in range(len(first)) if vertex not in placed),
                key=lambda vertex: (-len(first[vertex] & placed), rarity[colours[0][vertex]], vertex),
            )
        )
    image: dict[int, int] = {}

    def images(vertex: int) -> Iterator[int]:
        """The free vertices of the second graph that fit a vertex and the images placed before."""
        mapped = {image[neighbour] for neighbour in first[vertex] if neighbour in image}
        taken = set(image.values())
        for candidate in range(len(second)):
            fits = colours[1][candidate] == colours[0][vertex] and second[candidate] & taken == mapped
            if fits and candidate not in taken:
                yield candidate

    # Depth-first search; a stack of iterators, as deep as there are vertices.
    stack = [images(order[0])] if order else []
    while stack:
        vertex = order[len(stack) - 1]
        image.pop(vertex, None)
        candidate = next(stack[-1], None)
        if candidate is None:
            stack.pop()
            continue
        image[vertex] = candidate
        if len(image) == len(order):
            return True
        stack.append(images(order[len(stack)]))
    return not order


def _neighbours(graph: MoveGraph) -> Neighbours:
    neighbours: Neighbours = [set() for _ in range(graph.size)]
    for a, b in graph.edges().tolist():
        neighbours[a].add(b)
        neighbours[b].add(a)
    return neighbours


@cache
def _listed(graph: str) -> tuple[Neighbours, tuple[object, ...]]:
    """The neighbours and the signature of a listed graph."""
    board, _, piece = graph.partition(" ")
    neighbours = _neighbours(Question.of(board, piece=piece or None).graph)
    return neighbours, _signature(neighbours)


def _signature(neighbours: Neighbours) -> tuple[object, ...]:
    """How many vertices have each degree and number of triangles: the same in isomorphic graphs."""
    return tuple(sorted(Counter(_triangles(neighbours)).items()))


def _triangles(neighbours: Neighbours) -> list[tuple[int, int]]:
    """Degree and number of triangles of each vertex."""
    return [
        (len(around), sum(len(around & neighbours[vertex]) for vertex in around) // 2)
        for around in neighbours
    ]


def _refined(neighbours: Neighbours) -> list[int]:
    """Colours of the vertices, refined by the colours of their neighbours until they are stable."""
    colours = [hash(pair) for pair in _triangles(neighbours)]
    # A round splits a class of colours or leaves all as they are, so there are fewer rounds than vertices.
    for _ in neighbours:
        refined = [
            hash((colour, tuple(sorted(colours[neighbour] for neighbour in around))))
            for colour, around in zip(colours, neighbours, strict=True)
        ]
        if len(set(refined)) == len(set(colours)):
            break
        colours = refined
    return colours
