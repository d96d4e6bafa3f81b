"""Words of `steps`."""

from __future__ import annotations

from cavalcade.checking.present import Ints
from cavalcade.checking.rules.steps import shortest_walk
from cavalcade.explaining.wording import Wording


def sentence(words: Wording, cells: Ints) -> str:
    """The number of moves between the steps, and the number that a walk takes."""
    moves, least = shortest_walk(words.present, cells)
    a, b = (words.present.name(cell) for cell in cells.tolist())
    parity = "even" if moves % 2 == 0 else "odd"
    walk = f"no walk from {a} to {b} has an {parity} number of {words.nouns.moves}"
    if least is not None:
        walk = f"a walk from {a} to {b} with an {parity} number of {words.nouns.moves} has at least {least}"
    return f"The tour would have to get from {a} to {b} in exactly {words.count_moves(moves)}, but {walk}."
