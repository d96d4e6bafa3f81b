"""The SAS programs that the papers of 2015 and 2019 print: their slips, and their utilities.

There is no SAS here: the programs were read, not run. The utilities are compared with what this package
writes.
"""

from __future__ import annotations

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.formats import parse, write
from cavalcade.papers.items import Item, item
from cavalcade.papers.wide import numbers_wide

#: The items on the Data null step of 2015 and the loop around it.
COMPLETING = ("RESOLVED and SOLVED", "The comma in symput", "&run")


def show_board(tours: tuple[Tour, ...]) -> list[Item]:
    """%ShowBoard of 2015: one observation of 64 variables, shown as a board."""
    whole = [tour for tour in tours if len(tour) == 64]
    back = [parse(write(tour, "wide")) for tour in whole]
    same = all(a.cells.tolist() == b.cells.tolist() for a, b in zip(whole, back, strict=True))
    names = write(whole[0], "wide", header=False).split()[:64]
    s35, s27 = (Board.box(8, 8).name(names.index(variable)) for variable in ("s35", "s27"))
    return [
        item(
            "The variables S11 to S88 and the board",
            same and (s35, s27) == ("e6", "g7"),
            names=names,
            tours=len(whole),
            same_="the same" if same else "not the same",
            s35=s35,
            s27=s27,
        ),
        item("%ShowBoard, title="),
    ]


def utilities() -> list[Item]:
    """%gen_vars and %Show_Boards of 2019, for any number of boards."""
    found = {boards: _variables(boards) for boards in (1, 3, 4, 9, 12)}
    # the printed macro: three loops
    macro = {
        n: [f"s{k}{r}{c}" for k in range(1, n + 1) for r in range(1, 9) for c in range(1, 9)] for n in found
    }
    same = [boards for boards in found if found[boards] == macro[boards]]
    stacks = {boards: _shown(boards) for boards in found}
    return [
        item(
            "%gen_vars",
            all(len(set(names)) == 64 * boards for boards, names in macro.items()),
            variables=", ".join(str(len(one)) for one in macro.values()),
            same_=", ".join(map(str, same)),
            three=found[3],
            nine=found[9],
        ),
        item(
            "%Show_Boards",
            all(lines == 8 * boards for boards, lines in stacks.items()),
            rows=", ".join(f"{lines} rows for {boards}" for boards, lines in stacks.items()),
        ),
    ]


def _variables(boards: int) -> list[str]:
    board = Board.box(boards, 8, 8)
    return numbers_wide(board, [1] * board.size).split()[: board.size]


def _shown(boards: int) -> int:
    """How many rows of eight numbers the text of a stack has."""
    board = Board.box(boards, 8, 8)
    lines = write(Tour(board, np.arange(board.size, dtype=np.int32), closed=False), header=False).splitlines()
    return sum(len(line.split()) == 9 and ":" not in line for line in lines)
