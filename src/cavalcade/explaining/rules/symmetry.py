"""Words of `symmetry`."""

from __future__ import annotations

from cavalcade.checking.present import Ints
from cavalcade.checking.rules.symmetry import Obstacle, reversal_obstacle, shift_obstacle
from cavalcade.explaining.wording import Wording


def sentence(words: Wording, _: Ints) -> str:
    """Why the symmetry neither shifts nor reverses a tour."""
    shift, reversal = shift_obstacle(words.present), reversal_obstacle(words.present)
    assert shift is not None  # noqa: S101 - the step is checked after it is put in words
    assert reversal is not None  # noqa: S101
    return (
        "A symmetry of a closed tour either shifts the tour along itself or reverses it. This one shifts no "
        f"tour: {_explained(words, shift)}. It reverses no tour: {_explained(words, reversal)}."
    )


def _explained(words: Wording, obstacle: Obstacle) -> str:
    """An obstacle in words."""
    nouns, name = words.nouns, words.present.name
    a, b = obstacle.numbers
    if obstacle.kind == "orbits":
        few, many = obstacle.cells
        times = "after 1 application" if a == 1 else f"after {a:,} applications"
        return (
            f"it brings {name(few)} back {times}, but {name(many)} only after {b:,}, while a shift brings "
            f"all {nouns.cells} back together"
        )
    if obstacle.kind == "colours":
        shift, does = ("keeps", "changes") if a % 2 == 0 else ("changes", "keeps")
        steps = f"{a:,} steps or an odd multiple"
        return f"it would be a shift by {steps}, which {shift} colours, but it {does} them"
    if obstacle.kind == "order":
        return f"applied twice, it does not bring every {nouns.cell} back"
    fixed = f"leaves {words.count_cells(a) if a else f'no {nouns.cell}'} in place"
    if obstacle.kind == "fixed":
        return f"it {fixed}"
    return f"it exchanges the ends of {words.count_moves(b) if b else f'no {nouns.move}'}, and {fixed}"
