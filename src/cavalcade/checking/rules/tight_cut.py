"""`tight_cut`: a set S whose removal leaves k - f parts. Rules out the edges inside S that are not forced.

Without S, and with all edges inside S that it uses, a tour falls into k paths less those edges. It needs one
path for each part, so that it uses no edge inside S but the f that are forced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.checking.present import OPEN, OUT, WrongError
from cavalcade.checking.rules.cut import roles
from cavalcade.checking.words import counted

if TYPE_CHECKING:
    from cavalcade.checking.geometry import Ints
    from cavalcade.checking.present import PresentGraph
    from cavalcade.checking.words import Words

__all__ = ("check", "roles", "sentence")


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the parts."""
    left = present.without(cells)
    if left.parts != left.able or not left.parts:
        raise WrongError(f"without {len(cells)} cells there are {left.parts} parts, not {left.able}")
    present.decide(left.inside[present.status[left.inside] == OPEN], OUT)


def sentence(words: Words, cells: Ints) -> str:
    """The set, the parts, and what is ruled out."""
    left = words.present.without(cells)
    gone = left.inside[words.present.status[left.inside] == OPEN]
    return (
        f"Without the {counted(len(cells), 'cell')} {words.cells(cells)} there are {left.parts:,} parts "
        f"({words.parts(left, cells)}): a tour needs all it can do with these cells to come from part to "
        f"part, and can use no other move between two of them. That rules out {words.moves(gone)}."
    )
