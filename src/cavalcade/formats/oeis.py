"""The draft of an entry in the On-Line Encyclopedia of Integer Sequences, in its internal format.

Each line says one thing: %S the terms, %N the name, %C comments, %F formulas, %o programs, %D where the
methods are from, %K keywords, %O the first n and the place of the first term above 1. The number and the
author are left to be filled in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from cavalcade.counting.sequence import Fraction, Sequence, polynomial
from cavalcade.ground import __version__
from cavalcade.question.pieces import NAMED

ORDER = "SNCDFoYKOA"  # of the lines
SHOWN = 260  # characters of terms in an entry
LONGEST = 60  # of a recurrence that is printed
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
ASKED = """import cavalcade
print(cavalcade.sequence({spec!r}, {last}{words}).terms)"""


def entry(found: Sequence, verified: Mapping[str, int]) -> str:
    """The draft of the entry.

    Args:
        found: the terms, with their generating function where one is proved.
        verified: for each method, in words, the last n whose term it gave.
    """
    lines = sorted(_lines(found, verified), key=lambda line: ORDER.index(line[0]))
    return "".join(f"%{letter} A000000 {text}\n" for letter, text in lines)


def _lines(found: Sequence, verified: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    shown = ""
    for term in found.terms:
        if len(shown) + len(str(term)) > SHOWN and shown:
            break
        shown += f"{term},"
    yield "S", shown.removesuffix(",")
    directed = ", directed," in found.conventions
    kind, _, _ = found.conventions.partition(" ")
    name = next((name for name, leap in NAMED.items() if (leap,) == found.piece.leaps), "")
    mover = f"{name}'s tours" if name else f"tours of the leaper {found.piece.spec}"
    way = "directed" if directed else "undirected"
    yield "N", f"Number of {way} {kind} {mover} on {_board(found.spec)}."
    yield (
        "C",
        "Rotations and reflections of a tour count as different tours"
        + (", and so do a tour and its reverse." if directed else "; a tour and its reverse count as one."),
    )
    if found.terms[:1] == (1,):
        yield "C", "a(1) = 1 is the board of one cell, whose tour has no move and only one direction."
    for method, last in verified.items():
        yield "C", f"a(1)-a({last}) found by {method}."
    yield "D", "D. E. Knuth, The Art of Computer Programming, Vol. 4A, section 7.1.4 (frontiers)."
    if found.states:
        yield (
            "D",
            "R. P. Stanley, Enumerative Combinatorics, Vol. 1, section 4.7 (the transfer-matrix method).",
        )
    fraction = found.fraction if found.fraction and found.fraction.order <= LONGEST else None
    if fraction is not None:
        yield from _formulas(fraction)
    yield from _programs(found, fraction)
    if kind == "closed" and name == "knight" and not directed:
        yield "Y", "Cf. A001230 (2n X 2n boards), A070030 (3 X 2n boards)."
    yield "K", "nonn,easy" if found.fraction and found.fraction.proved else "nonn,more"
    yield "O", f"1,{next((n for n, term in enumerate(found.terms, 1) if term > 1), 1)}"
    yield "A", f"_Your Name_, with cavalcade {__version__}"


def _board(spec: str) -> str:
    """The board in words: a 3 X n board, a torus of n X n cells."""
    family, _, sides = spec.rpartition(":")
    size = sides.replace("x", " X ").replace(",", ", ")
    if family:
        return f"a {PLACES.get(family, family)} {size}"
    return f"{'an' if size[0] == 'n' else 'a'} {size} board"


def _formulas(fraction: Fraction) -> Iterator[tuple[str, str]]:
    sure = "" if fraction.proved else " (conjectured)"
    yield "F", f"G.f.{sure}: {_quotient(fraction)}."
    lines = fraction.describe(LONGEST)
    yield "F", f"{_starred(lines[1].partition(':')[0])} for n >= {fraction.valid_from}{sure}."
    if fraction.proved:
        compared = f"({fraction.guessed + fraction.checked} were compared)"
        why = "the transfer matrix bounds its degrees, so enough equal terms are all terms"
        yield "C", f"The g.f. is proved: {why} {compared}."


def _quotient(fraction: Fraction) -> str:
    return _starred(f"({polynomial(fraction.numerator)})/({polynomial(fraction.denominator)})")


def _starred(formula: str) -> str:
    """A formula as programs read it: 6*x^2."""
    return re.sub(r"(\d)([xa])", r"\1*\2", formula)


def _programs(found: Sequence, fraction: Fraction | None) -> Iterator[tuple[str, str]]:
    last = len(found.terms)
    words = "".join(
        [
            f", piece={found.piece.spec!r}" * (found.piece.spec != "knight"),
            ", open=True" * found.conventions.startswith("open"),
            ", directed=True" * (", directed," in found.conventions),
        ]
    )
    if fraction is not None:
        yield "o", f"(PARI) a(n) = polcoef({_quotient(fraction)} + O(x^(n+1)), n)"
        numbers = {"numerator": list(fraction.numerator), "denominator": list(fraction.denominator)}
        program = PYTHON.format(last=min(last, 40) + 1, **numbers)
    else:
        program = ASKED.format(spec=found.spec, last=last, words=words)
    yield "o", "(Python)"
    yield from (("o", line) for line in program.splitlines())
