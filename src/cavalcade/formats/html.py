"""A page to print: a puzzle, how to solve it, and below its solution, upside down.

The page needs no other file; a browser prints it on one sheet of A4 or Letter paper.
"""

from __future__ import annotations

from html import escape

from cavalcade.answers.puzzles import Puzzle, Roesselsprung
from cavalcade.draw.svg import svg

STYLE = """
@page { margin: 15mm }
body { font-family: ui-sans-serif, system-ui, Helvetica, Arial, sans-serif; color: #3d362d; margin: 0 auto;
  max-width: 180mm; text-align: center }
h1 { font-size: 16pt; margin: 4mm 0 }
p { font-size: 11pt; margin: 3mm auto; max-width: 150mm }
svg { max-width: 100%; height: auto }
.puzzle svg { width: 145mm; max-height: 150mm }
.solution { margin-top: 6mm; transform: rotate(180deg); break-inside: avoid }
.solution svg { width: 55mm; max-height: 55mm }
.solution p { font-size: 8pt }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark }
  body { color: #e8e6e0; background: #15181e }
}
"""


def write(puzzle: Puzzle | Roesselsprung) -> str:
    """The page of a puzzle, with its solution if it has one."""
    if isinstance(puzzle, Puzzle):
        title, picture, solution = f"{puzzle.kind} tour", svg(puzzle), puzzle.solution
        words, grade = puzzle.task, puzzle.grade
    else:
        words = (
            f"Read by the moves of a {puzzle.piece.spec}, from one cell with a ring to the other, "
            "each cell once; a hyphen means that the word continues."
        )
        title, picture, solution = "Rösselsprung", svg(puzzle), puzzle.tour
        grade = ""
    title = title[0].upper() + title[1:]
    below = ""
    if solution is not None:
        text = "" if isinstance(puzzle, Puzzle) else f"<p>{escape(puzzle.text)}</p>\n"
        below = f'<div class="solution">\n{svg(solution, numbers=True)}{text}</div>\n'
    name = f"{title}, {puzzle.board.title}" + (f", {grade}" if grade else "")
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(name)}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n<h1>{escape(name)}</h1>\n<p>{escape(words)}</p>\n"
        f'<div class="puzzle">\n{picture}</div>\n{below}</body>\n</html>\n'
    )
