"""Pictures of a walk with its wrong turn: the wrong step, and the moves that save the tour.

The line of the walk ends at the last good step. From there a bold line leads to the cell of the wrong step, a
square with a cross, and to the cells with which a tour is possible, discs with a tick. Small discs mark the
other cells that were possible. The rest of the walk is a thin dashed line; or, with `tour=True`, the line of
a tour that begins with the good steps goes on to its end. In a moving picture the signs appear after the last
good step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found
from cavalcade.ask.wrong_turn import WrongTurn
from cavalcade.draw.board import Ground, cross
from cavalcade.draw.layout import UNIT
from cavalcade.draw.line import TourLine
from cavalcade.draw.shapes import Disc, Picture, Plate, Polyline, Shape
from cavalcade.draw.sheet import LegendEntry, assert_sheet, grid, with_legend
from cavalcade.draw.styles import GREEN, Style, style_of
from cavalcade.draw.tour import tour_picture
from cavalcade.ground.kernels import Cells
from cavalcade.question.words import validated


@validated
def wrong_turn_picture(
    turn: WrongTurn,
    *,
    style: str = "colour",
    labels: bool = True,
    legend: bool = True,
    tour: bool = False,
    view: str = "flat",
    **looks: Any,
) -> Picture:
    """A picture of a walk with its wrong turn.

    Args:
        turn: what is drawn; a walk without a wrong turn is drawn as any walk.
        style: one of `styles.STYLES`.
        labels: files and ranks, or the names of the vertices of a plain graph.
        legend: add a legend and the explanation below.
        tour: draw the tour that continues the walk instead of the rest of the walk.
        view: `flat`, or `space`: the levels of a box one above another.
        looks: `numbers`, `colour`, `thin` and `arrows`, as for `tour.tour_picture`.

    Raises:
        TooLargeError: the board has more than `board.MOST` cells.
        CavalcadeError: an unknown style or view.
    """
    looks |= {"style": style, "labels": labels, "view": view}
    walk, look, verdict = turn.walk, style_of(style), turn.continuation.verdict
    if not turn.choices or not isinstance(verdict, Found):
        picture = tour_picture(walk, **looks)
        return with_legend(picture, [], look, words=str(turn)) if legend else picture
    kept = turn.continuation.kept
    ground = Ground.of(walk.board, look, labels=labels, view=view)

    def part(cells: Cells) -> Tour:
        return Tour(walk.board, cells, closed=False, piece=walk.piece)

    picture = tour_picture(verdict.tour if tour else part(walk.cells[:kept]), **looks)
    shapes: list[Shape] = []
    if not tour:
        rest = TourLine(part(walk.cells[kept:]), ground, look.text, thin=True)
        shapes += [replace(stroke, dash=(0.15 * UNIT, 0.15 * UNIT)) for stroke in rest.strokes()]
    last = int(walk.cells[kept - 1])
    signs: list[Shape] = []
    for choice in turn.choices:
        role = "wrong" if choice.name == turn.cell else "saving" if choice.saves else "possible"
        x, y = ground.layout.centres[choice.cell].tolist()
        if role != "possible":
            ink = look.alarm if role == "wrong" else look.moves or GREEN
            bold = TourLine(part(np.array([last, choice.cell], dtype=np.int32)), ground, ink)
            shapes += [replace(stroke, role=role, width=2 * stroke.width) for stroke in bold.strokes()]
        signs += _sign(role, x, y, look)
    x, y = ground.layout.centres[last].tolist()
    signs.append(Disc("last-good", x, y, 0.24 * UNIT, look.disc, look.text, 0.09 * UNIT))
    alone = f"walk of {walk.board.title}, wrong turn at step {turn.step}"
    title = f"{picture.title}, with the wrong turn of a walk" if tour else alone
    added = [replace(shape, step=kept - 1) for shape in (*shapes, *signs)]
    picture = replace(picture, title=title, desc=str(turn), shapes=[*picture.shapes, *added])
    return with_legend(picture, _entries(turn, look), look, words=str(turn)) if legend else picture


def wrong_turns_picture(turns: Sequence[WrongTurn]) -> Picture:
    """A sheet of walks on one board with their wrong turns, at least one.

    Raises:
        TooLargeError: the boards have more cells together than are drawn.
    """
    board = turns[0].walk.board
    assert_sheet(len(turns), board.size * len(turns))
    captions = [
        f"from {turn.walk.cell_at(1)}" + (f", step {turn.step:,}: {turn.cell}" if turn.choices else "")
        for turn in turns
    ]
    drawings = [wrong_turn_picture(turn, legend=False) for turn in turns]
    title = f"the wrong turns of {len(turns):,} walks of {board.title}"
    return grid(drawings, title, captions=captions, shape=1.5)


def _sign(role: str, x: float, y: float, look: Style) -> list[Shape]:
    """The sign on a cell to which the walk could go at the wrong turn."""
    u = UNIT
    if role == "wrong":
        a = 0.3 * u
        plate = Plate(role, x - a, y - a, 2 * a, 2 * a, 0.08 * u, look.alarm)
        return [plate, Polyline("cross", cross(x, y, 0.15 * u), look.disc, 0.08 * u)]
    if role == "saving":
        tick = [[(x - 0.15 * u, y), (x - 0.04 * u, y + 0.12 * u), (x + 0.16 * u, y - 0.12 * u)]]
        return [Disc(role, x, y, 0.32 * u, look.moves or GREEN), Polyline("tick", tick, look.disc, 0.08 * u)]
    return [Disc(role, x, y, 0.17 * u, look.disc, look.alarm, 0.06 * u)]


def _entries(turn: WrongTurn, look: Style) -> list[LegendEntry]:
    """The legend."""
    x = 0.9 * UNIT
    step, kept = turn.step or 0, turn.continuation.kept
    last = Disc("key", x, 0, 0.24 * UNIT, look.disc, look.text, 0.09 * UNIT)
    entries = [
        LegendEntry([last], f"step {kept:,}, {turn.walk.cell_at(kept)}: the last good step"),
        LegendEntry(_sign("wrong", x, 0, look), f"step {step:,}, {turn.cell}: the wrong turn"),
    ]
    failing = [choice.name for choice in turn.choices if not choice.saves and choice.name != turn.cell]
    for role, names, meaning in (
        ("saving", turn.saving, "a tour is possible"),
        ("possible", failing, "no tour was found"),
    ):
        if names:
            entries.append(LegendEntry(_sign(role, x, 0, look), f"{', '.join(names)}: {meaning}"))
    return entries
