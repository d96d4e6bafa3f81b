"""Answers as HTML, for notebooks: their words, and a picture where there is one.

The HTML needs no script, no style sheet and nothing from elsewhere. Words have the colours of the page, light
or dark, and pictures have no background. A picture is an image with a description; its ids and classes do not
meet others on the page. Pictures and lists that are too large are left out, and a sentence says so.
"""

from __future__ import annotations

import math
from collections import abc
from collections.abc import Iterable
from functools import singledispatch
from html import escape
from typing import Any, NamedTuple
from urllib.parse import quote

from cavalcade.answers.certificate import Certificate, SatProof, StepProof, flat
from cavalcade.answers.counts import Classes, Count, Distribution
from cavalcade.answers.puzzles import Puzzle, Roesselsprung, Solved
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible, Undecided
from cavalcade.boards import Board
from cavalcade.checking.certificates import verify
from cavalcade.checking.present import counted
from cavalcade.counting.sequence import Sequence
from cavalcade.draw.pictures import picture
from cavalcade.draw.svg import written
from cavalcade.explaining.sentences import MOST_STEPS, sentences
from cavalcade.explaining.wording import capitalized
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question
from cavalcade.question.statement import statement


class NotebookLimits(NamedTuple):
    """The size of an answer in a notebook; what exceeds it is left out."""

    cells: int = 10_000  # of a board that is drawn: 0.3 MB
    vertices: int = 300  # of a plain graph that is drawn
    sentences: int = 200  # of a proof
    unfolded: int = 12  # sentences of a proof that is shown at once, without a click
    letters: int = 2_000  # of a sentence or a name
    digits: int = 1_000  # of a number
    rows: int = 20  # of a table
    pixels: int = 560  # of the longer side of a picture


LIMITS = NotebookLimits()


def html(thing: Any) -> str:
    """A verdict, a tour, a certificate, a count, a puzzle, a board, a graph or a question as HTML."""
    return f'<div class="cavalcade">{_shown(thing)}</div>'


def paragraph(text: str, *, strong: bool = False) -> str:
    """A paragraph; long ones are cut."""
    words = escape(_cut(text))
    return f'<p style="margin:.4em 0">{f"<strong>{words}</strong>" if strong else words}</p>'


def table(heads: Iterable[str], rows: abc.Sequence[Iterable[object]], most: int = LIMITS.rows) -> str:
    """A table of at most `most` rows, numbers to the right; a sentence counts the omitted rows."""
    head = "".join(f'<th scope="col" style="text-align:left">{escape(title)}</th>' for title in heads)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows[:most])
    omitted = paragraph(f"{len(rows) - most:,} more rows are left out.") if len(rows) > most else ""
    return (
        '<div style="overflow-x:auto"><table style="color:inherit;font-variant-numeric:tabular-nums">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{omitted}"
    )


def _cut(text: str) -> str:
    return text if len(text) <= LIMITS.letters else f"{text[: LIMITS.letters]} …"


def _cell(value: object) -> str:
    """A cell of a table."""
    if isinstance(value, int) and not isinstance(value, bool):
        text = number(value)
    else:
        text = f"{value:.4g}" if isinstance(value, float) else _cut(str(value))
    side = "right" if isinstance(value, int | float) else "left"
    return f'<td style="text-align:{side}">{escape(text)}</td>'


def number(value: int) -> str:
    """A number, or the length of a very long one."""
    digits = math.ceil(value.bit_length() * math.log10(2))
    return f"{value:,}" if digits <= LIMITS.digits else f"a number of about {digits:,} digits"


def _image(thing: Any, board: Board | MoveGraph, alt: str = "", **options: Any) -> str:
    """The picture of something on a board, or why it is left out."""
    most = LIMITS.vertices if board.plain else LIMITS.cells
    if board.size > most:
        why = f"a notebook shows {most:,} {board.family.nouns} at most, and there are {board.size:,}"
        return paragraph(f"The picture is left out: {why}.")
    if not board.size:
        return ""
    drawn = picture(thing, **options)
    scale = drawn.scale(None, full=LIMITS.pixels, nice=2.4, tall=6)
    wide, high = (max(1, round(scale * side)) for side in (drawn.width, drawn.height))
    source = quote(written(drawn, scale), safe=" !$()*+,-./:;=?@_~")
    words = alt or f"{drawn.title}. {drawn.desc}"
    return (
        f'<img alt="{escape(_cut(words))}" width="{wide}" height="{high}" '
        f'style="max-width:100%;height:auto;background:none" src="data:image/svg+xml,{source}">'
    )


# ---- boards and graphs


@singledispatch
def _shown(board: Any) -> str:
    """A board or a graph; each other class has a function of its own."""
    caption = f"{board.title}: {board.size:,} {board.family.noun if board.size == 1 else board.family.nouns}"
    if board.plain:
        caption += f", {counted(board.edge_count, 'arc' if board.directed else 'edge')}"
    return _pictured(caption, board, board)


# ---- verdicts and proofs


@_shown.register
def _found(verdict: Found) -> str:
    tour = verdict.tour
    claim = capitalized(tour.title(tour.board.title))
    took = f"found by {verdict.method} in {verdict.seconds:.3g} s, seed {verdict.seed}."
    fewest = f" It has {verdict.fewest}." if verdict.fewest else ""
    return paragraph(f"{claim}, {took}{fewest}") + _image(tour, tour.board)


@_shown.register
def _impossible(verdict: Impossible) -> str:
    took = f"By {verdict.method} in {verdict.seconds:.3g} s, seed {verdict.seed}."
    if verdict.certificate is None:
        return paragraph("There is no such tour.", strong=True) + paragraph(f"{verdict.reason} {took}")
    certificate = verdict.certificate
    return paragraph(f"There is {certificate.claim}.", strong=True) + _proof(certificate) + paragraph(took)


@_shown.register
def _undecided(verdict: Undecided) -> str:
    words = paragraph("Undecided.", strong=True) + paragraph(f"{capitalized(verdict.reason.rstrip('.'))}.")
    if verdict.effort:
        rows = [(attempt.engine, attempt.outcome, attempt.seconds) for attempt in verdict.effort]
        words += table(("engine", "outcome", "seconds"), rows, len(rows))
    partial = verdict.partial
    return words if partial is None else words + _tour(partial)


@_shown.register
def _certificate(certificate: Certificate) -> str:
    claim = f"Certificate: {certificate.claim}."
    try:
        return paragraph(claim, strong=True) + _proof(certificate)
    except Exception:  # noqa: BLE001 - it is a claim, and a wrong one can fail anywhere
        return paragraph(claim) + paragraph(f"It is wrong: {verify(certificate).message}", strong=True)


def _proof(certificate: Certificate) -> str:
    """The picture of a proof, and its sentences."""
    board, proof = certificate.question.board, certificate.proof
    steps = sum(1 for _ in flat(proof.steps)) if isinstance(proof, StepProof) else 0
    if board.size > LIMITS.cells:
        return paragraph(f"Its steps are left out: a notebook shows proofs on up to {LIMITS.cells:,} cells.")
    lines = sentences(certificate)
    items = [f'<li style="margin:.2em 0">{escape(_cut(line))}</li>' for line in lines[: LIMITS.sentences]]
    listed = f'<ol style="list-style:decimal;padding-left:2em">{"".join(items)}</ol>'
    if len(lines) > LIMITS.sentences:
        listed += paragraph(f"{len(lines) - LIMITS.sentences:,} more sentences are left out.")
    if len(lines) > LIMITS.unfolded:
        listed = f"<details><summary>The proof, in {len(lines):,} sentences</summary>{listed}</details>"
    alone = isinstance(proof, SatProof) and bool(proof.cells)
    if not (alone or 0 < steps <= MOST_STEPS):
        return listed
    alt = f"What the proof names, drawn on {board.title}"
    return _image(certificate, board, alt, words=False) + listed


# ---- tours, puzzles, questions


def _pictured(caption: str, thing: Any, board: Board | MoveGraph) -> str:
    return paragraph(f"{capitalized(caption)}.") + _image(thing, board)


@_shown.register
def _tour(tour: Tour) -> str:
    board = tour.board
    caption = tour.title(board.title) + ("" if board.plain else f", {tour.piece.spec}")
    if len(tour) and not tour.closed:
        caption += f", from {board.name(tour.start)} to {board.name(tour.end)}"
    return _pictured(caption, tour, board)


@_shown.register
def _puzzle(puzzle: Puzzle) -> str:
    n = puzzle.board.size
    grade = f"; it is {puzzle.grade}" if puzzle.grade else ""
    caption = f"{len(puzzle.given):,} of {counted(n, 'number')} are given{grade}"
    return _pictured(f"{puzzle.title(puzzle.board.title)}: {caption}", puzzle, puzzle.board)


@_shown.register
def _roesselsprung(puzzle: Roesselsprung) -> str:
    return _pictured(puzzle.title(puzzle.board.title), puzzle, puzzle.board)


@_shown.register
def _solved(solved: Solved) -> str:
    many = "The only solution" if solved.unique else f"{counted(len(solved.tours), 'solution')} found"
    took = f"by {solved.method} in {solved.seconds:.3g} s"
    reason = paragraph(capitalized(solved.reason)) if solved.reason else ""
    first = "".join(_image(tour, tour.board, numbers=True) for tour in solved.tours[:1])
    return paragraph(f"{many}, {took}.") + reason + first


@_shown.register
def _question(question: Question) -> str:
    return _pictured(statement(question), question.board, question.board)


# ---- counts


@_shown.register
def _count(count: Count) -> str:
    big = f'<p style="margin:.2em 0;font-size:1.6em;overflow-wrap:anywhere">{number(count.count)}</p>'
    peak = f"{counted(count.peak_states, 'state')} at the peak, {count.peak_bytes / 1e6:,.3g} MB"
    return f"{big}{paragraph(f'{capitalized(count.conventions)}. {count.seconds:.3g} s, {peak}.')}"


@_shown.register
def _distribution(distribution: Distribution) -> str:
    caption = f"{number(distribution.count)} tours, by the {distribution.by} of their moves"
    meaning = f"the number of tours that use exactly k. {capitalized(distribution.conventions)}"
    return paragraph(f"{caption}: {meaning}.") + table(*distribution.table, 4 * LIMITS.rows)


@_shown.register
def _classes(classes: Classes) -> str:
    caption = f"{number(classes.classes)} classes of {number(classes.count)} tours"
    return paragraph(f"{caption}. {capitalized(classes.conventions)}.") + table(*classes.table)


@_shown.register
def _sequence(sequence: Sequence) -> str:
    caption = f"{sequence.spec}, {sequence.piece.spec}: {sequence.conventions}."
    rows = [(n, term) for n, term in enumerate(sequence.terms, 1) if term]
    if len(rows) < len(sequence.terms):
        caption += f" a(n) is 0 for all other n up to {len(sequence.terms):,}."
    return paragraph(caption) + table(("n", "a(n)"), rows)
