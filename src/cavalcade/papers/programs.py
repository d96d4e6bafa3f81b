"""The SAS programs that the papers of 2015 and 2019 print: their slips, and their utilities.

There is no SAS here: the programs were read, not run. The utilities are compared with what this package
writes.
"""

from __future__ import annotations

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.formats import parse, write
from cavalcade.papers.items import Item
from cavalcade.papers.wide import numbers_wide


def show_board(tours: tuple[Tour, ...]) -> list[Item]:
    """%ShowBoard of 2015: one observation of 64 variables, shown as a board."""
    whole = [tour for tour in tours if len(tour) == 64]
    back = [parse(write(tour, "wide")) for tour in whole]
    same = all(a.cells.tolist() == b.cells.tolist() for a, b in zip(whole, back, strict=True))
    names = write(whole[0], "wide", header=False).split()[:64]
    return [
        Item(
            "The variables S11 to S88 and the board",
            f"our `wide` format has {names[0]} to {names[-1]}; {len(whole)} tours written and read back are "
            + ("the same" if same else "not the same")
            + f"; s35 is {_named(names, 's35')}, s27 is {_named(names, 's27')}",
            same and (_named(names, "s35"), _named(names, "s27")) == ("e6", "g7"),
        ),
        Item("%ShowBoard, title="),
    ]


def _named(names: list[str], variable: str) -> str:
    return Board.box(8, 8).name(names.index(variable))


def completing() -> list[Item]:
    """The Data null step of 2015 and the loop around it."""
    return [
        Item("RESOLVED and SOLVED"),
        Item("The comma in symput"),
        Item("&run"),
    ]


def gluing() -> list[Item]:
    """The last statement of %glue of 2019."""
    return [Item("%glue, its last statement")]


def utilities() -> list[Item]:
    """%gen_vars and %Show_Boards of 2019, for any number of boards."""
    found = {boards: _variables(boards) for boards in (1, 3, 4, 9, 12)}
    macro = {boards: _gen_vars(boards) for boards in found}
    same = [boards for boards in found if found[boards] == macro[boards]]
    stacks = {boards: _shown(boards) for boards in found}
    return [
        Item(
            "%gen_vars",
            f"on 1, 3, 4, 9, 12 boards its loops give {', '.join(str(len(one)) for one in macro.values())} "
            f"variables; ours are the same for {', '.join(map(str, same))}: {found[3][0]} to {found[3][-1]}, "
            f"{found[9][0]} to {found[9][-1]}",
            all(len(set(names)) == 64 * boards for boards, names in macro.items()),
        ),
        Item(
            "%Show_Boards",
            "our text format shows N: "
            + ", ".join(f"{lines} rows for {boards}" for boards, lines in stacks.items())
            + "; `cavalcade convert` with `--beside` puts them side by side",
            all(lines == 8 * boards for boards, lines in stacks.items()),
        ),
    ]


def _variables(boards: int) -> list[str]:
    board = Board.box(boards, 8, 8)
    return numbers_wide(board, [1] * board.size).split()[: board.size]


def _gen_vars(boards: int) -> list[str]:
    """The printed macro: three loops."""
    return [f"s{k}{r}{c}" for k in range(1, boards + 1) for r in range(1, 9) for c in range(1, 9)]


def _shown(boards: int) -> int:
    """How many rows of eight numbers the text of a stack has."""
    board = Board.box(boards, 8, 8)
    lines = write(Tour(board, np.arange(board.size, dtype=np.int32), closed=False), header=False).splitlines()
    return sum(len(line.split()) == 9 and ":" not in line for line in lines)
