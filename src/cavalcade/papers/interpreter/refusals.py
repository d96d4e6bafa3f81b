"""What a program contains that is not supported, found before anything runs.

The text is read once, in order, with every branch of every %IF. Statements that macro variables produce are
not visible here; `Session.run` refuses them when they are reached.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from cavalcade.papers.interpreter import datastep, expressions, macros, procedures
from cavalcade.papers.interpreter.source import Located, PieceCursor, SasError, pieces_of
from cavalcade.papers.interpreter.state import VARIABLE
from cavalcade.papers.interpreter.values import COMPARE, NUMERIC, TEXT

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Words before a parenthesis in a DATA step that are not functions.
OPERATORS = frozenset(
    {*COMPARE, "and", "or", "not", "then", "in", "of", "to", "by", "while", "until", "do", "if", "else"}
)
#: Advice about statements that SAS accepts between steps.
GLOBAL = {
    "options": "leave it out, because the listing has no pages and no line size",
    "libname": "leave it out, because all data sets are in WORK; read data with DATALINES",
    "filename": "leave it out; -o FILE writes the listing",
    "ods": "leave it out; -o FILE writes the listing",
}
CALLED = re.compile(r"([A-Za-z_]\w*)\s*\(")
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


class Reader:
    """Reads a program and collects refusals.

    Args:
        text: the program.
        file: its name.
        files: texts for %INCLUDE, by file name.
    """

    def __init__(self, text: str, file: str, files: Mapping[str, str]) -> None:
        self.files = files
        self.errors: list[SasError] = []
        self.macros: set[str] = set()
        self.arrays: set[str] = set()
        self.step = ""  # `data`, the name of a procedure, or nothing between steps
        self.in_macro = False
        self.included: set[str] = set()
        self.pieces = self._whole(pieces_of(text, file, 1))
        words = [piece.lower() for piece in self.pieces if not piece.isspace()]
        for word, following in pairwise(words):
            if word == "%macro":
                self.macros.add(following)
            elif word == "array":
                self.arrays.add(following)

    def _whole(self, pieces: list[Located]) -> list[Located]:
        """Return the pieces of a program with the files that it includes in their places."""
        cursor, whole = PieceCursor(pieces), list[Located]()
        while cursor.has_next:
            piece = cursor.take()
            if piece.lower() != "%include":
                whole.append(piece)
                continue
            name = "".join(cursor.until(";")).strip().strip("\"'")
            if name not in self.files:
                self.errors.append(SasError(f"%INCLUDE: there is no file {name!r}", piece))
            elif name not in self.included:
                self.included.add(name)
                whole += self._whole(pieces_of(self.files[name], name, 1))
        return whole

    def refusals(self) -> list[SasError]:
        """Return what is not supported, in the order of the program."""
        cursor, statement = PieceCursor(self.pieces), list[Located]()
        try:
            while cursor.has_next:
                piece = cursor.take()
                if piece.startswith("%") and len(piece) > 1:
                    self._macro_word(piece, cursor, statement)
                elif piece == ";":
                    self._statement(statement)
                    statement.clear()
                elif statement or not piece.isspace():
                    statement.append(piece)
        except SasError as error:
            self.errors.append(error)
        return self.errors

    def _refuse(self, message: str, piece: Located) -> None:
        self.errors.append(SasError(f"{message} is not supported", piece))

    def _macro_word(self, piece: Located, cursor: PieceCursor, statement: list[Located]) -> None:
        word = piece[1:].lower()
        if word == "macro":
            self.in_macro = True
            self._inner(cursor.until(";"))
        elif word == "mend":
            self.in_macro = False
            cursor.until(";")
        elif word in macros.STATEMENTS:
            self._inner(cursor.until(";"))
        elif word == "if":
            self._inner(cursor.until("%then"))
        elif word == "do":
            self._inner(cursor.until(";"))
        elif word in macros.FUNCTIONS or word in self.macros:
            if cursor.next_is("("):
                self._inner(cursor.bracket())
            if statement or word in macros.FUNCTIONS:
                # the text that the macro produces is not known before it runs
                statement.append(piece.with_text("&macro"))
        elif word not in macros.BLOCKS:
            self._refuse(f"%{word.upper()}, which is not a macro of the program,", piece)

    def _inner(self, pieces: list[Located]) -> None:
        """Check the macro words inside an argument or a condition."""
        for piece in pieces:
            word = piece[1:].lower()
            supported = word in macros.FUNCTIONS or word in self.macros or word in macros.BLOCKS
            if piece.startswith("%") and word and not supported:
                self._refuse(f"%{word.upper()}, which is not a macro of the program,", piece)

    def _statement(self, pieces: list[Located]) -> None:
        text = "".join(pieces).strip()
        if not text or text.startswith("*"):
            return
        statement = pieces[0].with_text(text)
        word = text.split()[0].lower()
        head = re.match(r"[a-z_]\w*", word)
        if self.step in {"datalines", "cards"}:
            self.step = "data"
        elif word in {"run", "quit"}:
            self.step = ""
        elif re.fullmatch(r"title\d*", word):
            pass
        elif word == "data":
            self.step = "data"
        elif word == "proc":
            self.step = [*text.split(), ""][1].lower()
            if "&" in self.step:
                return
            if self.step not in procedures.SYNTAX:
                self.errors.append(procedures.unknown(statement))
            else:
                self._procedure_statement(statement)
        elif head is None or word.startswith("&"):
            return  # known only when the program runs
        elif self.step == "data" or (not self.step and self.in_macro):
            self._data_statement(statement, head[0], text)
        elif self.step in procedures.SYNTAX:
            self._procedure_statement(statement)
        elif not self.step:
            advice = f": {GLOBAL[head[0]]}" if head[0] in GLOBAL else ""
            self.errors.append(
                SasError(f"{head[0].upper()} outside a step is not supported{advice}", statement)
            )

    def _data_statement(self, statement: Located, word: str, text: str) -> None:
        rest = text[len(word) :].lstrip()
        if rest[:1] in {"=", "+", "{", "["} or (rest[:1] == "(" and word in self.arrays):
            self._functions(statement, rest)
            return
        if word not in datastep.STATEMENTS and not self._of_a_procedure(word):
            self._refuse(f"the statement {word.upper()}", statement)
        elif word in {"datalines", "cards"}:
            self.step = word
        elif word == "call":
            routine = re.match(r"\w*", rest.lower())
            if routine is None or routine[0] not in datastep.CALLS:
                self._refuse(f"CALL {rest.split('(')[0].upper()}", statement)
            self._functions(statement, rest.partition("(")[2])
        elif word in {"if", "else", "when", "otherwise"}:
            self._functions(statement, rest)
            parts = re.split(r"\bthen\b", rest, maxsplit=1, flags=re.IGNORECASE)
            branch = parts[-1].strip() if len(parts) > 1 or word in {"else", "otherwise"} else ""
            head = re.match(r"[A-Za-z_]\w*", branch)
            if head is not None and "&" not in branch.split()[0]:
                self._data_statement(statement, head[0].lower(), branch)
        elif word == "do":
            self._functions(statement, rest)

    def _procedure_statement(self, statement: Located) -> None:
        """Check a statement of a procedure, with a name in the place of each macro variable."""
        try:
            procedures.options(self.step, statement.with_text(VARIABLE.sub("x", statement)))
        except SasError as error:
            self.errors.append(error)

    def _of_a_procedure(self, word: str) -> bool:
        """Whether a statement in a macro without a step of its own may belong to a procedure."""
        return not self.step and any(word in syntax for syntax in procedures.SYNTAX.values())

    def _functions(self, statement: Located, text: str) -> None:
        for name in CALLED.findall(QUOTED.sub("''", text)):
            word = name.lower()
            if not (
                word in NUMERIC or word in TEXT or word in expressions.SPECIAL or word in OPERATORS
                or word in self.arrays or word in datastep.STATEMENTS or word in datastep.CALLS
            ):  # fmt: skip
                self._refuse(f"the function {word.upper()}", statement)


def refusals(text: str, file: str, files: Mapping[str, str]) -> list[SasError]:
    """Return what a program contains that is not supported, in the order of the program."""
    return Reader(text, file, files).refusals()
