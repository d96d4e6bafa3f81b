"""Colours of the cells: if each move changes the colour, the colours of a tour have nearly equal sizes."""

from __future__ import annotations

from math import gcd

import numpy as np

from cavalcade.ground.kernels import Cells
from cavalcade.question.parts import parts_without, sides
from cavalcade.question.question import Question


def has_unequal_colours(question: Question) -> bool:
    """Whether the spec of a rectangle shows that one colour has more cells than the other, without a graph.

    This is so if the number of cells is odd and every move changes the colour; then there is no closed tour.
    The piece must be a single leaper (r, s) on a board of at least (r + s) x 2s cells: the graph of its moves
    is connected (D. E. Knuth, Leaper graphs, 1994), so the proof also holds for the part of the graph around
    any cell.
    """
    board, leaps = question.board, question.piece.leaps
    if board.plain or not (question.closed and board.is_rectangle and board.mask is None and len(leaps) == 1):
        return False
    (r, s), (m, n) = sorted(leaps[0]), sorted(board.shape)
    connected = gcd(r, s) == 1 and (r + s) % 2 == 1 and m >= r + s and n >= 2 * s
    return connected and m % 2 == 1 and n % 2 == 1


def colour_reason(question: Question) -> tuple[str, Cells] | None:
    """Find a proof of one step that there is no tour, from the colours of the cells alone.

    A closed tour has equally many cells of each colour. Without the vertex that joins the ends of an open
    tour, the colours differ by at most one, and given ends have the colours that this number implies. All
    these conditions are cuts: a colour, perhaps with that vertex, whose removal leaves too many parts.

    Returns:
        The rule of the step and its cells; None if the colours allow a tour, or if there are no two colours.
    """
    if has_unequal_colours(question):
        return "colours", np.zeros(1, dtype=np.int32)
    graph, apex = question.as_cycle, question.apex
    joint = np.array([] if apex is None else [apex], dtype=np.int32)
    cells_only = graph.where(~np.isin(graph.tails, joint) & ~np.isin(graph.indices, joint))
    parts, (first, second) = sides(cells_only)
    if (first == second).any():
        return None
    if parts > 2 + 2 * len(joint):  # the cells are not connected
        return "cut", joint
    is_first = first < second
    colours = [
        np.setdiff1d(np.flatnonzero(colour), joint).astype(np.int32) for colour in (is_first, ~is_first)
    ]
    if abs(len(colours[0]) - len(colours[1])) <= len(joint) and not question.ends:
        return None
    cuts = [*colours, *(np.append(colour, joint) for colour in colours)]
    if question.encoding.linked:  # a cut with both vertices that join the ends has an edge inside
        cuts += [np.append(colour[colour != joint + 1], joint) for colour in colours]
    edges = graph.edges()
    return next((("cut", cut) for cut in cuts if parts_without(graph.size, edges, cut)[0] > len(cut)), None)
