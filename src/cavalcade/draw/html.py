"""Answers as HTML, for notebooks: their words, and a picture where there is one.

It stands alone: no script, no style sheet, nothing from elsewhere. Words have the colours of the page, light
or dark, and the pictures no paper. A picture is an image with a text instead of it; its ids and classes are
its own, and meet no others on the page. What is too large to be seen is left out, and the words say so.
"""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from cavalcade.answers.certificate import Certificate, SatProof, StepProof, flat
from cavalcade.answers.counts import Classes, Count, Distribution
from cavalcade.answers.puzzles import Puzzle, Roesselsprung, Solved
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible, Undecided
from cavalcade.checking.certificates import verify
from cavalcade.checking.sentences import LONG, sentences
from cavalcade.checking.words import counted
from cavalcade.counting.sequence import Sequence
from cavalcade.draw.pictures import picture
from cavalcade.draw.svg import written
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cavalcade.boards import Board
    from cavalcade.question.graph import MoveGraph

CELLS = 10_000  # of a board up to which a picture is shown: 0.3 MB
VERTICES = 300  # of a plain graph
SENTENCES = 200  # of a proof
OPEN = 12  # sentences up to which they are unfolded
LETTERS = 2_000  # of a sentence or a name
DIGITS = 1_000  # of a number
ROWS = 20  # of a table
LEAST, MOST = 160, 560  # pixels of a picture


def html(thing: Any) -> str:  # noqa: ANN401 - the table says which
    """A verdict, a tour, a certificate, a count, a puzzle, a board, a graph or a question as HTML."""
    write = next((write for kind, write in KINDS.items() if isinstance(thing, kind)), _board)
    return f'<div class="cavalcade">{write(thing)}</div>'


def paragraph(text: str, *, strong: bool = False) -> str:
    """A paragraph; long ones are cut."""
    words = escape(_cut(text))
    return f'<p style="margin:.4em 0">{f"<strong>{words}</strong>" if strong else words}</p>'


def table(heads: Iterable[str], rows: Iterable[Iterable[object]], more: str = "") -> str:
    """A table, numbers to the right, with a word on what is left out."""
    cells = [
        "".join(f'<td style="text-align:{_side(one)}">{escape(_value(one))}</td>' for one in row)
        for row in rows
    ]
    head = "".join(f'<th scope="col" style="text-align:left">{escape(one)}</th>' for one in heads)
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    return (
        '<div style="overflow-x:auto"><table style="color:inherit;font-variant-numeric:tabular-nums">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{paragraph(more) if more else ''}"
    )


def is_small(board: Board | MoveGraph) -> bool:
    """Whether a notebook shows a picture of it."""
    return board.size <= (VERTICES if board.plain else CELLS)


def _side(value: object) -> str:
    return "right" if isinstance(value, int | float) else "left"


def _cut(text: str) -> str:
    return text if len(text) <= LETTERS else f"{text[:LETTERS]} …"


def _value(value: object) -> str:
    """What stands in a table."""
    if isinstance(value, int) and not isinstance(value, bool):
        return number(value)
    return f"{value:.4g}" if isinstance(value, float) else _cut(str(value))


def number(value: int) -> str:
    """A number; of a very long one, how long it is."""
    digits = math.ceil(value.bit_length() * math.log10(2))
    return f"{value:,}" if digits <= DIGITS else f"a number of about {digits:,} digits"


def _image(
    thing: Any,  # noqa: ANN401 - as for `picture`
    board: Board | MoveGraph,
    alt: str = "",
    **options: Any,  # noqa: ANN401 - likewise
) -> str:
    """The picture of something on a board, or why it is left out."""
    if not is_small(board):
        what, most = ("vertices", VERTICES) if board.plain else ("cells", CELLS)
        why = f"a notebook shows {most:,} {what} at most, and there are {board.size:,}"
        return paragraph(f"The picture is left out: {why}.")
    if not board.size:
        return ""
    drawn = picture(thing, **options)
    scale = drawn.scale(None, full=MOST, nice=2.4, tall=6)
    wide, high = (max(1, round(scale * side)) for side in (drawn.width, drawn.height))
    source = quote(written(drawn, scale), safe=" !$()*+,-./:;=?@_~")
    words = alt or f"{drawn.title}. {drawn.desc}"
    return (
        f'<img alt="{escape(_cut(words))}" width="{wide}" height="{high}" '
        f'style="max-width:100%;height:auto;background:none" src="data:image/svg+xml,{source}">'
    )


# ---- verdicts and proofs


def _found(verdict: Found) -> str:
    tour = verdict.tour
    said = _capital(tour.title(tour.board.title))
    took = f"found by {verdict.method} in {verdict.seconds:.3g} s, seed {verdict.seed}."
    fewest = f" It has {verdict.fewest}." if verdict.fewest else ""
    return paragraph(f"{said}, {took}{fewest}") + _image(tour, tour.board)


def _impossible(verdict: Impossible) -> str:
    took = f"By {verdict.method} in {verdict.seconds:.3g} s, seed {verdict.seed}."
    if verdict.certificate is None:
        return paragraph("There is no such tour.", strong=True) + paragraph(f"{verdict.reason} {took}")
    certificate = verdict.certificate
    return paragraph(f"There is {certificate.claim}.", strong=True) + _proof(certificate) + paragraph(took)


def _undecided(verdict: Undecided) -> str:
    said = paragraph("Undecided.", strong=True) + paragraph(f"{_capital(verdict.reason.rstrip('.'))}.")
    if verdict.effort:
        rows = ((one.engine, one.outcome, one.seconds) for one in verdict.effort)
        said += table(("engine", "what came of it", "seconds"), rows)
    partial = verdict.partial
    return said if partial is None else said + _tour(partial)


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
    if board.size > CELLS:
        left_out = f"Its steps are left out: a notebook tells those of boards of up to {CELLS:,} cells."
        return paragraph(left_out)
    told = sentences(certificate)
    items = "".join(f'<li style="margin:.2em 0">{escape(_cut(one))}</li>' for one in told[:SENTENCES])
    rest = f"{len(told) - SENTENCES:,} more sentences are left out." if len(told) > SENTENCES else ""
    listed = f'<ol style="list-style:decimal;padding-left:2em">{items}</ol>'
    listed += paragraph(rest) if rest else ""
    if len(told) > OPEN:
        listed = f"<details><summary>The proof, in {len(told):,} sentences</summary>{listed}</details>"
    alone = isinstance(proof, SatProof) and bool(proof.cells)
    if not (alone or 0 < steps <= LONG):
        return listed
    alt = f"What the proof names, drawn on {board.title}"
    return _image(certificate, board, alt, words=False) + listed


# ---- tours, puzzles, boards


def _tour(tour: Tour) -> str:
    board = tour.board
    ends = (
        f", from {board.name(tour.start)} to {board.name(tour.end)}" if len(tour) and not tour.closed else ""
    )
    piece = "" if board.plain else f", {tour.piece.spec}"
    return paragraph(f"{_capital(tour.title(board.title))}{piece}{ends}.") + _image(tour, board)


def _puzzle(puzzle: Puzzle) -> str:
    n = puzzle.board.size
    given = f"{len(puzzle.given):,} of {counted(n, 'number')} are given"
    grade = f"; it is {puzzle.grade}" if puzzle.grade else ""
    said = f"{_capital(puzzle.title(puzzle.board.title))}: {given}{grade}."
    return paragraph(said) + _image(puzzle, puzzle.board)


def _roesselsprung(puzzle: Roesselsprung) -> str:
    return paragraph(f"{_capital(puzzle.title(puzzle.board.title))}.") + _image(puzzle, puzzle.board)


def _solved(solved: Solved) -> str:
    many = "The only solution" if solved.unique else f"{counted(len(solved.tours), 'solution')} found"
    took = f"by {solved.method} in {solved.seconds:.3g} s"
    reason = paragraph(_capital(solved.reason)) if solved.reason else ""
    first = "".join(_image(one, one.board, numbers=True) for one in solved.tours[:1])
    return paragraph(f"{many}, {took}.") + reason + first


def _board(board: Board | MoveGraph) -> str:
    if board.plain:
        edges = counted(board.edge_count, "arc" if board.directed else "edge")
        said = f"{board.title}: {board.size:,} {'vertex' if board.size == 1 else 'vertices'}, {edges}."
    else:
        said = f"{board.title}: {counted(board.size, 'cell')}."
    return paragraph(said) + _image(board, board)


def _problem(question: Question) -> str:
    board, name = question.board, question.board.name
    given = ((" from ", question.start), (" to ", question.end))
    ends = "".join(word + name(cell) for word, cell in given if cell is not None)
    piece = "" if board.plain else f"{question.piece.spec}, "
    said = f"{piece}{question.kind} tours of {board.title}{ends}{question.constraints}."
    return paragraph(_capital(said)) + _image(board, board)


# ---- counts


def _count(count: Count) -> str:
    big = f'<p style="margin:.2em 0;font-size:1.6em;overflow-wrap:anywhere">{number(count.count)}</p>'
    peak = f"{counted(count.peak_states, 'state')} at the peak, {count.peak_bytes / 1e6:,.3g} MB"
    return f"{big}{paragraph(f'{_capital(count.conventions)}. {count.seconds:.3g} s, {peak}.')}"


def _distribution(found: Distribution) -> str:
    kinds = list(found.tours)
    longest = max((len(tours) for tours in found.tours.values()), default=0)
    every = [
        (k, *(found.tours[kind][k] if k < len(found.tours[kind]) else 0 for kind in kinds))
        for k in range(longest)
    ]
    rows = [row for row in every if any(row[1:])]
    said = f"{number(found.count)} tours, by the {found.by} of their moves: how many use exactly k."
    said += f" {_capital(found.conventions)}."
    return paragraph(said) + table(("k", *kinds), rows[: 4 * ROWS], _rest(len(rows), 4 * ROWS))


def _classes(found: Classes) -> str:
    said = f"{number(found.classes)} classes of {number(found.count)} tours. {_capital(found.conventions)}."
    kept = [one for i, one in enumerate(found.fixed) if one.fixed or not i]
    rows = [
        (one.name, one.symmetries, one.description, "?" if one.classes is None else one.classes)
        for one in kept
    ]
    heads = ("symmetry", "number", "tours each keeps", "classes with no other")
    return paragraph(said) + table(heads, rows[:ROWS], _rest(len(rows), ROWS))


def _sequence(found: Sequence) -> str:
    said = f"{found.spec}, {found.piece.spec}: {found.conventions}."
    rows = [(n, term) for n, term in enumerate(found.terms, 1) if term]
    none = f" a(n) is 0 for all other n up to {len(found.terms):,}." if len(rows) < len(found.terms) else ""
    return paragraph(said + none) + table(("n", "a(n)"), rows[:ROWS], _rest(len(rows), ROWS))


def _rest(rows: int, most: int) -> str:
    return f"{rows - most:,} more rows are left out." if rows > most else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


KINDS: dict[type, Callable[[Any], str]] = {
    Found: _found,
    Impossible: _impossible,
    Undecided: _undecided,
    Certificate: _certificate,
    Tour: _tour,
    Puzzle: _puzzle,
    Roesselsprung: _roesselsprung,
    Solved: _solved,
    Count: _count,
    Distribution: _distribution,
    Classes: _classes,
    Sequence: _sequence,
    Question: _problem,
}
