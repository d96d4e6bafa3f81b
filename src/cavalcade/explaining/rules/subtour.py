"""Words of `subtour`."""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import FORCED, Ints
from cavalcade.explaining.rules.cycle import MOST_ON_WALK
from cavalcade.explaining.wording import Wording, capitalized


def sentence(words: Wording, cells: Ints) -> str:
    """The move, and the path whose ends it joins."""
    present, nouns = words.present, words.nouns
    a, b = cells.tolist()
    path = [a]
    while path[-1] != b and len(path) <= MOST_ON_WALK:
        path.append(next(c for c in present.row(path[-1], FORCED) if c not in path[-2:]))
    names = "-".join(words.walk_named(path)) + ("" if path[-1] == b else f"-…-{present.stop(b)}")
    move = words.name_moves(np.array([present.edge(cells)]))
    return (
        f"{capitalized(words.every_tour)} uses the path {names}. "
        f"{capitalized(move)} would close it to a loop before all {nouns.cells} are visited, so "
        f"{words.no_tour} uses this {nouns.move}."
    )
