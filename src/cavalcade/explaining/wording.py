"""The vocabulary of proof sentences: nouns, names of cells and moves, and lists of both."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

import numpy as np

from cavalcade.checking.present import FORCED, OPEN, OUT, Ints, PresentGraph, Removal
from cavalcade.question.pieces import NAMED
from cavalcade.question.question import Question

MOST_LISTED = 16  # entries of a list in a sentence; three lines of text
MOST_IN_PART = 6  # cells of a part that a sentence names one by one


class Nouns(NamedTuple):
    """The words for the parts of a move graph."""

    cell: str
    cells: str
    move: str
    moves: str
    tour: str
    whole: str


SQUARES = Nouns("square", "squares", "move", "moves", "closed tour", "board")
CELLS = Nouns("cell", "cells", "move", "moves", "closed tour", "board")
VERTICES = Nouns("vertex", "vertices", "edge", "edges", "Hamiltonian cycle", "graph")


def nouns_of(question: Question) -> Nouns:
    """Squares on boards of square cells, vertices of a plain graph, and cells anywhere else."""
    board = question.board
    if board.plain:
        return VERTICES
    return SQUARES if board.dimensions == 2 and not board.family.hexagonal else CELLS


class Wording:
    """Names cells and moves of a present graph, with the nouns that fit its question.

    Args:
        present: the graph, as far as the steps of a proof have been applied.

    Attributes:
        in_case: whether the current step belongs to a case of a branch, so that "every closed tour" means
            every closed tour that satisfies the assumption of the case.
    """

    def __init__(self, present: PresentGraph) -> None:
        self.present = present
        self.nouns = nouns_of(present.question)
        self.in_case = False

    # ---- tours

    @property
    def every_tour(self) -> str:
        """The subject of a sentence about all tours."""
        return f"every {'such tour' if self.in_case else self.nouns.tour}"

    @property
    def no_tour(self) -> str:
        """The subject of a sentence that excludes something from all tours."""
        return f"no {'such tour' if self.in_case else self.nouns.tour}"

    @property
    def open_tour(self) -> str:
        """`an open tour`, `a Hamiltonian path`."""
        return "a Hamiltonian path" if self.present.question.board.plain else "an open tour"

    @property
    def left(self) -> str:
        """The word ` left` if some moves have been ruled out, else nothing."""
        return " left" if (self.present.status == OUT).any() else ""

    # ---- numbers

    def count_cells(self, count: int) -> str:
        """`1 square`, `2 squares`."""
        return f"{count:,} {self.nouns.cell if count == 1 else self.nouns.cells}"

    def count_moves(self, count: int) -> str:
        """`1 move`, `2 moves`."""
        return f"{count:,} {self.nouns.move if count == 1 else self.nouns.moves}"

    def name_moves(self, edges: Ints) -> str:
        """`the move a1-b3`, `the moves a1-b3 and c2-e1`."""
        return f"the {self.nouns.move if len(edges) == 1 else self.nouns.moves} {self.moves_named(edges)}"

    # ---- cells

    def cells_named(self, cells: Ints | list[int]) -> str:
        """The names of cells, as a list."""
        return listed([self.present.name(int(cell)) for cell in cells[:MOST_LISTED]], len(cells))

    def stops_named(self, vertices: Ints | list[int]) -> str:
        """The names of the cells to which vertices belong, as a list; `>c` and `c>` belong to c."""
        return listed([self.present.stop(int(vertex)) for vertex in vertices[:MOST_LISTED]], len(vertices))

    def only_moves(self, cell: int) -> str:
        """The present moves of a cell, as in `From a3 the knight can only go to c2 and b1`."""
        present = self.present
        ends = present.row(cell, OPEN, FORCED)
        name, names = present.name(cell), self.cells_named(ends) if ends else ""
        if len(ends) < present.offsets[cell + 1] - present.offsets[cell]:
            kind = self.nouns.move if len(ends) == 1 else self.nouns.moves
            return f"From {name} only the {kind} to {names} {'is' if len(ends) == 1 else 'are'} left"
        if present.question.board.plain or cell >= present.question.board.size:
            return f"{name} is joined only to {names}"
        return f"From {name} {self.piece} can only go to {names}"

    @property
    def piece(self) -> str:
        """`the knight`, or `the piece` if it has no name."""
        spec = piece_name(self.present.question)
        return f"the {spec or 'piece'}"

    # ---- moves

    def moves_named(self, edges: Ints) -> str:
        """The names of moves, as a list; a move that goes one way is named from tail to head."""
        return listed([self.move_named(int(edge)) for edge in edges[:MOST_LISTED]], len(edges))

    def move_named(self, edge: int) -> str:
        """The name of one move."""
        present = self.present
        a, b = present.edges[edge].tolist()
        if not present.one_way or a < present.ways:  # an edge from a cell c to `>c` or `c>` is no move
            return f"{present.name(a)}-{present.name(b)}"
        tail, head = (b, a) if a < 2 * present.ways else (a, b)
        return f"{present.stop(tail)}-{present.stop(head)}"

    def walk_named(self, vertices: list[int]) -> list[str]:
        """The names of the cells along a path, each once, in the direction of the tour."""
        present = self.present
        if not present.one_way:
            return [present.name(vertex) for vertex in vertices]
        ahead = vertices[1] in present.followers(np.array(vertices[:1]))
        return [name for name, _ in groupby(map(present.stop, vertices if ahead else vertices[::-1]))]

    def gate_named(self, vertex: int, *statuses: int) -> tuple[str, list[str]]:
        """Describe a vertex of a graph whose moves go one way, and name its moves of the given statuses.

        `>c` is "to c", with moves like a-c; `c>` is "from c", with moves like c-b; any other is "at c".
        """
        present = self.present
        edges = present.edge_of[present.offsets[vertex] : present.offsets[vertex + 1]].tolist()
        chosen = [edge for edge in edges if present.status[edge] in statuses]
        moves = [self.move_named(edge) for edge in chosen if present.edges[edge, 0] >= present.ways]
        side = "at" if vertex >= 3 * present.ways else "to" if vertex < 2 * present.ways else "from"
        return f"{side} {present.stop(vertex)}", moves

    # ---- parts

    def falls_apart(self, left: Removal, cut: Ints) -> str:
        """`falls into 3 parts with no move between them: d4, a1, and the other 12 squares`."""
        return (
            f"falls into {left.parts:,} parts with no {self.nouns.move}{self.left} between them: "
            f"{self.parts_named(left, cut)}"
        )

    def parts_named(self, left: Removal, cut: Ints) -> str:
        """The parts of the graph without a cut: single cells first, then the others by size."""
        root = left.root
        first, sizes = np.unique(root[~np.isin(root, cut)], return_counts=True)
        single, larger = first[sizes == 1], first[sizes > 1]
        larger = larger[np.argsort(sizes[sizes > 1], kind="stable")]
        if len(first) > MOST_LISTED:
            alone = [f"{self.cells_named(single)} each alone"] if single.size else []
            kinds = sorted(set(sizes[sizes > 1].tolist()))
            if len(kinds) == 1 and len(larger) > 1:
                return ", and ".join([*alone, f"{len(larger):,} of {kinds[0]:,} {self.nouns.cells} each"])
            others = [f"one of {size:,} {self.nouns.cells}" for size in sorted(sizes[sizes > 1].tolist())]
            return ", and ".join([*alone, *([listed(others)] if others else [])])
        groups = [np.flatnonzero(root == part) for part in larger]
        names = [
            self.cells_named(group)
            if len(group) <= MOST_IN_PART
            else f"{self.present.name(int(group[0]))} and {len(group) - 1:,} more {self.nouns.cells}"
            for group in groups
        ]
        if groups and len(groups[-1]) > MOST_IN_PART and (single.size or len(groups) > 1):
            names[-1] = f"the other {self.count_cells(len(groups[-1]))}"
        if len(groups) == 1 and single.size and len(groups[0]) > MOST_IN_PART:
            separate = [self.present.name(int(cell)) for cell in single]
            return f"{', '.join(separate)}{',' * (len(separate) > 1)} and {names[0]}"
        if single.size:
            names.insert(0, f"{self.cells_named(single)}{' each alone' * (len(single) > 1)}")
        return "; ".join(names)


def capitalized(text: str) -> str:
    """A text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def piece_name(question: Question) -> str:
    """The name of the piece, such as `knight`; nothing if it has none or moves along the edges of a graph."""
    return question.piece.spec if not question.board.plain and question.piece.spec in NAMED else ""


def listed(items: Iterable[str], total: int | None = None) -> str:
    """`a`, `a and b`, `a, b and c`; a list longer than `MOST_LISTED` is shortened and shows its length.

    Args:
        items: the entries, all of them or the first `MOST_LISTED`.
        total: the number of entries, by default the length of `items`.
    """
    entries = list(items)
    total = len(entries) if total is None else total
    if total > MOST_LISTED:
        return f"{', '.join(entries[: MOST_LISTED // 2])}, … ({total:,} in all)"
    return entries[0] if total == 1 else f"{', '.join(entries[:-1])} and {entries[-1]}"
