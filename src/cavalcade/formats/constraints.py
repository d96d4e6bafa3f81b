"""Constraints in a file: one per line, a word of the vocabulary and its value.

    with a1-b3            a move that the tour must use
    avoid c4-d6           a move that the tour must not use
    at 17=d5              the cell of a step, counted from 1
    through a1,d5,c2      cells that the tour visits in this order, at any steps
    symmetry half turn    a symmetry that the tour must have
    moves clockwise       the direction of every move round the centre
    coils 5               how often such a closed tour goes round the centre
    avoid_cells c3,d4     cells that the tour does not visit

Empty lines and lines that begin with `#` or `;` are skipped. A line may list several moves or steps,
separated by commas.
"""

from __future__ import annotations

from cavalcade.ground.errors import FormatError
from cavalcade.question.words import CONSTRAINTS, MOST_COILS, POSITIVE, key_of

WORDS = {key_of(name): name for name in CONSTRAINTS}
EXAMPLES = [f"{word!r}" for word in (f"{key_of(name)} {row.example}" for name, row in CONSTRAINTS.items())]
EXPECTED = f"expected {', '.join(EXAMPLES[:-1])} or {EXAMPLES[-1]}"


def parse_constraints(text: str, source: str = "text") -> dict[str, str | int | list[str]]:
    """Read constraints, and return them as keywords of `cavalcade.tour` and other functions.

    Args:
        text: the lines.
        source: the name of the text in errors.

    Raises:
        FormatError: a line begins with another word, has no value, or repeats a word that can have only one
            value, such as a symmetry.

    Examples:
        >>> parse_constraints("with a1-b3")
        {'with_': ['a1-b3']}
    """
    constraints: dict[str, str | int | list[str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        word, _, value = line.strip().partition(" ")
        value = value.strip()
        if not word or word[0] in "#;":
            continue
        where = f"{source}, line {number}"
        if word not in WORDS or not value:
            raise FormatError(f"{where}: {line.strip()[:60]!r} is not a constraint, {EXPECTED}")
        name = WORDS[word]
        row = CONSTRAINTS[name]
        if row.kind.repeated:
            values = constraints.setdefault(name, [])
            assert isinstance(values, list)  # noqa: S101 - for the type checker
            values += [part.strip() for part in value.split(",")]
            continue
        if row.kind is POSITIVE and not (
            value.isascii() and value.isdigit() and len(value) <= len(str(MOST_COILS))
        ):
            expected = f"expected one like {row.example}"
            raise FormatError(f"{where}: {value[:60]!r} is not a number of {word}, {expected}")
        constraint = int(value) if row.kind is POSITIVE else value
        if constraints.setdefault(name, constraint) != constraint:
            raise FormatError(f"{where}: a second {word}, {value[:60]!r}, after {constraints[name]!r}")
    return constraints
