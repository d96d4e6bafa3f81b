"""Program text with its places: pieces, statements, and errors that name a file and a line."""

from __future__ import annotations

import re
from functools import cache

from cavalcade.ground.errors import CavalcadeError

PIECE = re.compile(
    r"""/\*.*?\*/|%\*.*?;|'[^']*'|"[^"]*"|%\w+|&+\w+\.?|[;(),=]|\s+|[\w.]+|.""",
    re.DOTALL,
)


#: Macro statements that end with a semicolon.
SEMICOLON = frozenset({"%let", "%local", "%global", "%put", "%include"})


class SasError(CavalcadeError):
    """An error that SAS would report, or code that this interpreter does not support.

    Args:
        message: what is wrong.
        statement: the statement that contains the error, if its place is known.
    """

    def __init__(self, message: str, statement: Located | None = None) -> None:
        self.message, self.statement = message, statement
        super().__init__(f"{statement.place}: {message}" if statement is not None else message)


class Located(str):
    """A text from a program file.

    Attributes:
        file: name of the file.
        line: number of the line, from 1.
    """

    __slots__ = ("file", "line")
    file: str
    line: int

    @classmethod
    def at(cls, text: str, file: str, line: int) -> Located:
        """Return a text with its place."""
        located = cls(text)
        located.file, located.line = file, line
        return located

    def with_text(self, text: str) -> Located:
        """Return another text at the same place."""
        return Located.at(text, self.file, self.line)

    @property
    def place(self) -> str:
        """The file and the line."""
        return f"{self.file}, line {self.line}"


@cache
def pieces_of(text: str, file: str, line: int) -> list[Located]:
    """Split a text into pieces, without comments.

    Args:
        text: the text.
        file: name of the file that contains the text.
        line: number of the first line of the text.
    """
    pieces = list[Located]()
    for piece in PIECE.findall(text):
        if not piece.startswith(("/*", "%*")):
            pieces.append(Located.at(piece, file, line))
        line += piece.count("\n")
    return pieces


class PieceCursor:
    """A cursor over pieces of a program."""

    def __init__(self, pieces: list[Located]) -> None:
        self.pieces, self.position = pieces, 0

    @property
    def has_next(self) -> bool:
        """Whether pieces remain."""
        return self.position < len(self.pieces)

    def take(self) -> Located:
        """Return the next piece."""
        if not self.has_next:
            last = self.pieces[-1] if self.pieces else None
            raise SasError("the text ends within a statement", last)
        self.position += 1
        return self.pieces[self.position - 1]

    def skip(self) -> None:
        """Skip white space."""
        while self.has_next and self.pieces[self.position].isspace():
            self.position += 1

    def next_is(self, word: str) -> bool:
        """Whether the next piece after white space is a word."""
        self.skip()
        return self.has_next and self.pieces[self.position].lower() == word

    def skip_word(self, word: str) -> None:
        """Skip a word if it is the next piece."""
        if self.next_is(word):
            self.position += 1

    def until(self, *words: str) -> list[Located]:
        """Return the pieces before the first of these words outside parentheses, and skip the word."""
        taken, depth = list[Located](), 0
        while (piece := self.take()).lower() not in words or depth:
            depth += (piece == "(") - (piece == ")")
            taken.append(piece)
        return taken

    def bracket(self) -> list[Located]:
        """Return the pieces inside the parentheses at the current position."""
        self.skip()
        first = self.take()
        if first != "(":
            raise SasError("expected '('", first)
        taken, depth = list[Located](), 1
        while depth:
            piece = self.take()
            depth += (piece == "(") - (piece == ")")
            taken.append(piece)
        return taken[:-1]

    def body(self, begin: str, end: str) -> list[Located]:
        """Return the pieces before the matching end of a block, and skip the end."""
        taken, depth = list[Located](), 1
        while depth:
            piece = self.take()
            depth += (piece.lower() == begin) - (piece.lower() == end)
            taken.append(piece)
        return taken[:-1]

    def branch(self) -> list[Located]:
        """Return the pieces of a branch of %IF: a %DO block with its delimiters, or one statement.

        The semicolon after a branch is part of it only if it ends a macro statement such as %LET.
        """
        self.skip()
        begin = self.position
        if not self.next_is("%do"):
            if self.next_is("%if"):
                # a nested %IF is a branch with all of its own branches
                self.until("%then")
                self.branch()
                if self.next_is("%else"):
                    self.skip_word("%else")
                    self.branch()
            else:
                ends = self.has_next and self.pieces[self.position].lower() in SEMICOLON
                self.until(";")
                return self.pieces[begin : self.position - (not ends)]
            return self.pieces[begin : self.position]
        self.take()
        self.body("%do", "%end")
        end = self.position
        self.skip_word(";")
        return self.pieces[begin:end]


def split(pieces: list[Located]) -> list[list[Located]]:
    """Split arguments at commas outside parentheses."""
    arguments, depth = [list[Located]()], 0
    for piece in pieces:
        depth += (piece == "(") - (piece == ")")
        if piece == "," and not depth:
            arguments.append([])
        else:
            arguments[-1].append(piece)
    return arguments


def numbered_range(word: str) -> list[str]:
    """Return the names of a range such as s11-s18; a name alone stands for itself.

    Raises:
        SasError: the ends have different stems or are out of order.
    """
    first, dash, last = word.partition("-")
    if not dash:
        return [first]
    stem = first.rstrip("0123456789")
    low, high = first[len(stem) :], last[len(stem) :]
    if not last.startswith(stem) or not (low.isdigit() and high.isdigit() and int(low) <= int(high)):
        raise SasError(f"{word!r} is not a range of variables like s11-s18")
    return [f"{stem}{k:0{len(low)}}" for k in range(int(low), int(high) + 1)]
