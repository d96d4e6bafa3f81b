"""Constraints in a file: one per line, a word and what it asks for.

    with a1-b3            a move that the tour must use
    avoid c4-d6           a move that it must not use
    at 17=d5              the cell of a step, from 1
    symmetry half turn    a symmetry that the tour must have
    moves clockwise       the direction of every move round the centre
    coils 5               how often such a closed tour goes round it

Lines that begin with `#` or `;`, and empty ones, are skipped. A line may have more than one move or
step, with commas between them.
"""

from __future__ import annotations

from cavalcade.ground.errors import FormatError

LISTS = {"with": "with_", "avoid": "avoid", "at": "at"}
EXPECTED = (
    "expected 'with a1-b3', 'avoid a1-b3', 'at 17=d5', 'symmetry half turn', 'moves clockwise' or 'coils 5'"
)
SINGLE = ("symmetry", "moves", "coils")


def parse_constraints(text: str, source: str = "text") -> dict[str, str | int | list[str]]:
    """The keywords for `cavalcade.tour` and others that a text asks for.

    Args:
        text: the lines.
        source: the name of the text in errors.

    Raises:
        FormatError: a line starts with another word, has nothing after it, or asks for a second symmetry.
    """
    found: dict[str, str | int | list[str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        word, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        if not word or word[0] in "#;":
            continue
        where = f"{source}, line {number}"
        if word not in (*LISTS, *SINGLE) or not rest:
            raise FormatError(f"{where}: {line.strip()[:60]!r} is not a constraint, {EXPECTED}")
        if word in SINGLE:
            if word == "coils" and not (rest.isascii() and rest.isdigit() and len(rest) < 10):
                raise FormatError(f"{where}: {rest[:60]!r} is not a number of coils, expected one like 5")
            one = int(rest) if word == "coils" else rest
            if found.setdefault(word, one) != one:
                raise FormatError(f"{where}: a second {word}, {rest[:60]!r}, after {found[word]!r}")
            continue
        some = found.setdefault(LISTS[word], [])
        assert isinstance(some, list)  # noqa: S101 - for the type checker
        some += [part.strip() for part in rest.split(",")]
    return found
