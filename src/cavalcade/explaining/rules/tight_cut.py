"""Words of `tight_cut`; its signs are the same as in `cut`."""

from __future__ import annotations

from cavalcade.checking.present import FORCED, OPEN, Ints
from cavalcade.explaining.rules.cut import roles
from cavalcade.explaining.wording import Wording

__all__ = ("roles", "sentence")


def sentence(words: Wording, cells: Ints) -> str:
    """The set, the parts, and the moves that are ruled out."""
    present, nouns = words.present, words.nouns
    left = present.without(cells)
    held, out = (left.inside[present.status[left.inside] == status] for status in (FORCED, OPEN))
    but = f" but {words.moves_named(held)}" if held.size else ""
    return (
        f"Remove {words.cells_named(cells)}. The rest of the {nouns.whole} {words.falls_apart(left, cells)}. "
        f"Removing {words.count_cells(len(cells))} from a {nouns.tour} leaves at most {len(cells):,} "
        f"path{'s' * (len(cells) != 1)}, and one fewer for each {nouns.move} that the tour uses between two "
        f"of them. Each part needs a path, so the tour can use no such {nouns.move}{but}. That rules out "
        f"{words.name_moves(out)}."
    )
