"""An oracle for leapers on the surface of a box: six sheets of paper, and how their edges meet.

The sheets are the top (T), the four sides in a row (L, F, R, K) and the bottom (D), as the net shows them. A
heading is N, E, S or W on the sheet. `over` is written down edge by edge, by folding a real net.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cavalcade.boards import Board
    from cavalcade.question.pieces import Piece

Spot = tuple[str, int, int]  # a sheet, a row and a column on it
STEP = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
LEFT = {"N": "W", "W": "S", "S": "E", "E": "N"}
RIGHT = {way: back for back, way in LEFT.items()}


class Paper:
    """The net of a box of k levels of m rows and n columns."""

    def __init__(self, k: int, m: int, n: int) -> None:
        self.k, self.m, self.n = k, m, n
        self.corner = {
            "T": (0, m), "L": (m, 0), "F": (m, m), "R": (m, m + n), "K": (m, 2 * m + n), "D": (m + k, m),
        }  # fmt: skip
        self.size = {"T": (m, n), "L": (k, m), "F": (k, n), "R": (k, m), "K": (k, n), "D": (m, n)}

    def over(self, sheet: str, heading: str, i: int, j: int) -> tuple[Spot, str]:
        """The cell across an edge of a sheet, and the heading on the new sheet."""
        k, m, n = self.k, self.m, self.n
        table: dict[str, tuple[Spot, str]] = {
            "TN": (("K", 0, n - 1 - j), "S"), "TE": (("R", 0, m - 1 - i), "S"),
            "TS": (("F", 0, j), "S"), "TW": (("L", 0, i), "S"),
            "LN": (("T", j, 0), "E"), "LE": (("F", i, 0), "E"),
            "LS": (("D", m - 1 - j, 0), "E"), "LW": (("K", i, n - 1), "W"),
            "FN": (("T", m - 1, j), "N"), "FE": (("R", i, 0), "E"),
            "FS": (("D", 0, j), "S"), "FW": (("L", i, m - 1), "W"),
            "RN": (("T", m - 1 - j, n - 1), "W"), "RE": (("K", i, 0), "E"),
            "RS": (("D", j, n - 1), "W"), "RW": (("F", i, n - 1), "W"),
            "KN": (("T", 0, n - 1 - j), "S"), "KE": (("L", i, 0), "E"),
            "KS": (("D", m - 1, n - 1 - j), "N"), "KW": (("R", i, m - 1), "W"),
            "DN": (("F", k - 1, j), "N"), "DE": (("R", k - 1, i), "N"),
            "DS": (("K", k - 1, n - 1 - j), "N"), "DW": (("L", k - 1, m - 1 - i), "N"),
        }  # fmt: skip
        return table[sheet + heading]

    def walk(self, spot: Spot, heading: str, steps: int) -> tuple[Spot, str]:
        """Walk straight ahead, across edges of sheets."""
        for _ in range(steps):
            sheet, i, j = spot
            down, right = STEP[heading]
            rows, columns = self.size[sheet]
            if 0 <= i + down < rows and 0 <= j + right < columns:
                spot = sheet, i + down, j + right
            else:
                spot, heading = self.over(sheet, heading, i, j)
        return spot, heading

    def ends(self, spot: Spot, a: int, b: int) -> set[Spot]:
        """The cells that an (a, b) leaper reaches: one leg, a turn, the other leg."""
        spots = set()
        for heading in STEP:
            for first, second in ((a, b), (b, a)):
                corner, ahead = self.walk(spot, heading, first)
                spots |= {self.walk(corner, turned[ahead], second)[0] for turned in (LEFT, RIGHT)}
        return spots - {spot}

    def place(self, spot: Spot) -> tuple[int, int]:
        """The row and column of a cell on the net."""
        sheet, i, j = spot
        return self.corner[sheet][0] + i, self.corner[sheet][1] + j


def reach_unfolded(board: Board, piece: Piece) -> list[set[int]]:
    """The cells that the piece reaches from each cell."""
    k, m, n = board.sides * 3 if board.kind == "cube" else board.sides
    paper = Paper(k, m, n)
    number = {tuple(place): cell for cell, place in enumerate(board.coords.tolist())}
    reached: list[set[int]] = [set() for _ in number]
    for sheet, (rows, columns) in paper.size.items():
        for spot in ((sheet, i, j) for i in range(rows) for j in range(columns)):
            if (cell := number.get(paper.place(spot))) is not None:
                ends = {paper.place(end) for a, b in piece.leaps for end in paper.ends(spot, a, b)}
                reached[cell] = {number[end] for end in ends if end in number} - {cell}
    return reached
