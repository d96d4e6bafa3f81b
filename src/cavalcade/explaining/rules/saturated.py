"""Words of `saturated`."""

from __future__ import annotations

from cavalcade.checking.present import FORCED, OPEN, Ints
from cavalcade.explaining.wording import MOST_LISTED, Wording, capitalized, listed


def sentence(words: Wording, cells: Ints) -> str:
    """The two forced moves of each cell, and the moves that they rule out."""
    present, nouns = words.present, words.nouns
    rows: list[str] = []
    for cell in cells[:MOST_LISTED].tolist():
        if present.one_way:
            moves, others = (words.gate_named(cell, status)[1] for status in (FORCED, OPEN))
            if others:
                rows.append(f"{listed(moves)} rule{'s' * (len(moves) == 1)} out {listed(others)}")
            continue
        used, excluded = present.row(cell, FORCED), present.row(cell, OPEN)
        text = f"at {present.name(cell)} these are the {nouns.moves} to {words.cells_named(used)}"
        if excluded:
            kind = nouns.move if len(excluded) == 1 else nouns.moves
            text += f", which rules out the {kind} to {words.cells_named(excluded)}"
        rows.append(text)
    if not rows:
        return f"The {nouns.moves} that must be used rule out no others here."
    more = "; …" if len(cells) > MOST_LISTED else ""
    if present.one_way:
        return f"{'; '.join(rows)}{more}."
    text = "; ".join(rows)
    uses = f"A {nouns.tour} uses exactly two {nouns.moves} at each {nouns.cell}"
    return f"{uses}. {capitalized(text)}{more}."
