"""Words of `cycle`."""

from __future__ import annotations

from cavalcade.checking.present import Ints
from cavalcade.explaining.wording import Wording

MOST_ON_WALK = 40  # cells of a cycle that are all named; a longer one is shortened


def sentence(words: Wording, cells: Ints) -> str:
    """The cycle, and how many cells it misses."""
    present, nouns = words.present, words.nouns
    walk = words.walk_named([*cells.tolist(), int(cells[0])])
    length = len(walk) - 1
    names = "-".join(walk if length <= MOST_ON_WALK else [*walk[:20], "…", *walk[-11:]])
    total = len({present.cell_of(c) for c in range(present.size)}) if present.one_way else present.count
    missed = total - length
    return (
        f"But {words.every_tour} would then use the {nouns.moves} {names}, which form a loop of "
        f"{words.count_cells(length)} and miss the other {'one' if missed == 1 else f'{missed:,}'}."
    )
