"""Words of `forced`."""

from __future__ import annotations

from cavalcade.checking.present import FORCED, OPEN, Ints
from cavalcade.explaining.wording import MOST_LISTED, Wording, capitalized, listed


def sentence(words: Wording, cells: Ints) -> str:
    """The cells that have only two moves; one that never had more is an example for all like it."""
    present, nouns = words.present, words.nouns
    if present.one_way:
        return _one_way(words, cells)
    degree = present.offsets[cells + 1] - present.offsets[cells]
    simple, reduced = cells[degree == 2], cells[degree > 2]
    text = []
    if simple.size:
        text.append(f"{words.only_moves(int(simple[0]))}, so {words.every_tour} uses both {nouns.moves}.")
    if len(simple) > 1:
        text.append(f"The same holds at {words.cells_named(simple[1:])}.")
    if reduced.size:
        names = [
            f"from {present.name(cell)} to {words.cells_named(present.row(cell, OPEN, FORCED))}"
            for cell in reduced[:MOST_LISTED].tolist()
        ]
        also = "also " if simple.size else ""
        if len(reduced) == 1:
            where = words.only_moves(int(reduced[0]))
            text.append(f"{where}, so {words.every_tour} {also}uses both.")
        else:
            more = "; …" if len(reduced) > MOST_LISTED else ""
            text.append(
                f"Only two {nouns.moves} are left at each of these {nouns.cells}: {'; '.join(names)}{more}. "
                f"So {words.every_tour} {also}uses them all."
            )
    return " ".join(text)


def _one_way(words: Wording, cells: Ints) -> str:
    """The only moves to a cell, and from it."""
    gates = [words.gate_named(vertex, OPEN, FORCED) for vertex in cells.tolist()]
    rows = [f"the only {words.nouns.move} {gate} is {listed(moves)}" for gate, moves in gates if moves]
    if not rows:
        return f"A {words.nouns.tour} must enter and leave every {words.nouns.cell}."
    text = "; ".join([*rows[:MOST_LISTED], "…"] if len(rows) > MOST_LISTED else rows)
    return f"{capitalized(text)}. So {words.every_tour} uses {'it' if len(rows) == 1 else 'them all'}."
