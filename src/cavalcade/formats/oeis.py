"""Drafts of entries in the On-Line Encyclopedia of Integer Sequences, in its internal format.

Each line has one field: %S the terms, %N the name, %C comments, %F formulas, %o programs, %D references, %K
keywords, %O the first n and the position of the first term above 1. The number and the author are
placeholders.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from cavalcade.counting.sequence import MAX_ORDER, Fraction, Sequence, polynomial
from cavalcade.ground import __version__
from cavalcade.question.pieces import NAMED

ORDER = "SNCDFoYKOA"  # the order of the fields
TERMS_LENGTH = 260  # characters of the terms; the encyclopedia recommends this length
PLACES = {
    "cylinder": "cylinder",
    "torus": "torus",
    "hex": "hexagonal board of Glinski with side",
    "cube": "cube",
}
PYTHON = """def a(n, P={numerator}, Q={denominator}):
    c = []
    for k in range(n + 1):
        c.append((P[k] if k < len(P) else 0) - sum(q * c[k - i] for i, q in enumerate(Q) if 0 < i <= k))
    return c[n]
print([a(n) for n in range(1, {last})])"""
CALL = """import cavalcade
print(cavalcade.sequence({spec!r}, {last}{words}).terms)"""


def entry(sequence: Sequence, verified: Mapping[str, int]) -> str:
    """Write the draft of an entry.

    Args:
        sequence: the terms, and their generating function if there is one.
        verified: the last n for which each method computed the term, by the description of the method.
    """
    lines = sorted(_lines(sequence, verified), key=lambda line: ORDER.index(line[0]))
    return "".join(f"%{letter} A000000 {text}\n" for letter, text in lines)


def _lines(sequence: Sequence, verified: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """The lines of an entry as pairs of a field's letter and a text."""
    shown = ""
    for term in sequence.terms:
        if len(shown) + len(str(term)) > TERMS_LENGTH and shown:
            break
        shown += f"{term},"
    yield "S", shown.removesuffix(",")
    directed = ", directed," in sequence.conventions
    kind, _, named = sequence.conventions.partition(f", {'' if directed else 'un'}directed,")[0].partition(
        " tours"
    )
    name = next((name for name, leap in NAMED.items() if (leap,) == sequence.piece.leaps), "")
    mover = f"{name}'s tours" if name else f"tours of the leaper {sequence.piece.spec}"
    way = "directed " if directed else "undirected "
    reverse = ", and so do a tour and its reverse" if directed else "; a tour and its reverse count as one"
    if {"start", "end"} & sequence.words.keys():  # the ends tell a tour from its reverse
        way = reverse = ""
    yield "N", f"Number of {way}{kind} {mover} on {_board(sequence.spec)}{named}."
    yield "C", f"Rotations and reflections of a tour count as different tours{reverse}."
    if sequence.terms[:1] == (1,):
        yield "C", "a(1) = 1 is the board of one cell, whose tour has no move and only one direction."
    for method, last in verified.items():
        yield "C", f"a(1)-a({last}) found by {method}."
    yield "D", "D. E. Knuth, The Art of Computer Programming, Vol. 4A, section 7.1.4 (frontiers)."
    if sequence.states:
        yield (
            "D",
            "R. P. Stanley, Enumerative Combinatorics, Vol. 1, section 4.7 (the transfer-matrix method).",
        )
    fraction = sequence.fraction if sequence.fraction and sequence.fraction.order <= MAX_ORDER else None
    if fraction is not None:
        yield from _formulas(fraction)
    yield from _programs(sequence, fraction)
    if kind == "closed" and name == "knight" and not directed and not named and "-" not in sequence.spec:
        yield "Y", "Cf. A001230 (2n X 2n boards), A070030 (3 X 2n boards)."
    yield "K", "nonn,easy" if sequence.fraction and sequence.fraction.proved else "nonn,more"
    yield "O", f"1,{next((n for n, term in enumerate(sequence.terms, 1) if term > 1), 1)}"
    yield "A", f"_Your Name_, with cavalcade {__version__}"


def _board(spec: str) -> str:
    """The board in words, such as `a 3 X n board`."""
    shape, _, holes = spec.partition("-")
    if holes:
        return f"{_board(shape)} without {holes.replace(',', ', ')}"
    family, _, sides = spec.rpartition(":")
    size = sides.replace("x", " X ").replace(",", ", ")
    if family:
        return f"a {PLACES.get(family, family)} {size}"
    return f"{'an' if size[0] == 'n' else 'a'} {size} board"


def _formulas(fraction: Fraction) -> Iterator[tuple[str, str]]:
    sure = "" if fraction.proved else " (conjectured)"
    yield "F", f"G.f.{sure}: {_quotient(fraction)}."
    lines = fraction.describe()
    yield "F", f"{_starred(lines[1].partition(':')[0])} for n >= {fraction.valid_from}{sure}."
    if fraction.proved:
        compared = f"({fraction.guessed + fraction.checked} were compared)"
        why = "the transfer matrix bounds its degrees, so enough equal terms are all terms"
        yield "C", f"The g.f. is proved: {why} {compared}."


def _quotient(fraction: Fraction) -> str:
    return _starred(f"({polynomial(fraction.numerator)})/({polynomial(fraction.denominator)})")


def _starred(formula: str) -> str:
    """A formula with explicit multiplication, as computer algebra systems expect it: 6*x^2."""
    return re.sub(r"(\d)([xa])", r"\1*\2", formula)


def _programs(sequence: Sequence, fraction: Fraction | None) -> Iterator[tuple[str, str]]:
    """The programs of an entry: by the generating function, or else by a call of cavalcade."""
    last = len(sequence.terms)
    keywords = dict(sequence.words) | {"piece": sequence.piece.spec}
    if ", directed," in sequence.conventions and not {"start", "end"} & keywords.keys():
        keywords["directed"] = True
    words = "".join(f", {name}={value!r}" for name, value in keywords.items() if value != "knight")
    if fraction is not None:
        yield "o", f"(PARI) a(n) = polcoef({_quotient(fraction)} + O(x^(n+1)), n)"
        numbers = {"numerator": list(fraction.numerator), "denominator": list(fraction.denominator)}
        program = PYTHON.format(last=min(last, 40) + 1, **numbers)
    else:
        program = CALL.format(spec=sequence.spec, last=last, words=words)
    yield "o", "(Python)"
    yield from (("o", line) for line in program.splitlines())
