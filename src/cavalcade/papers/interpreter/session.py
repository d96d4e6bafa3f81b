"""A session: a program, read statement by statement and executed step by step."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from cavalcade.papers.interpreter.datastep import DataStep
from cavalcade.papers.interpreter.macros import MacroProcessor
from cavalcade.papers.interpreter.procedures import run_procedure
from cavalcade.papers.interpreter.source import Located, PieceCursor, SasError, pieces_of
from cavalcade.papers.interpreter.state import SessionState

TITLE = re.compile(r"title\d*", re.IGNORECASE)


@dataclass
class Session(SessionState):
    """A SAS session: its state, and the files and settings of its programs.

    Attributes:
        files: texts for %INCLUDE, by file name.
        settings: values of macro variables, which replace %LET in open code.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.processor = MacroProcessor(self, self.files, self.settings)

    def run(self, text: str, file: str = "program") -> Session:
        """Execute a program.

        Args:
            text: the program.
            file: its name in messages.

        Raises:
            SasError: the program has an error, or contains code that is not supported.
        """
        try:
            return self._run(text, file)
        except RecursionError:
            raise SasError("macros call one another, or expressions nest, too deeply") from None

    def _run(self, text: str, file: str) -> Session:
        step, pieces = list[Located](), list[Located]()
        for piece in self.processor.expand(PieceCursor(pieces_of(text, file, 1))):
            in_data = bool(step) and step[-1].lower() in {"datalines", "cards"}
            if piece != ";":
                # white space before a statement is not part of it, but lines of data keep theirs
                if pieces or in_data or not piece.isspace():
                    pieces.append(piece)
                continue
            statement = pieces[0].with_text("".join(pieces).strip()) if pieces else piece.with_text("")
            pieces.clear()
            word = statement.split()[0].lower() if statement else ""
            if in_data:
                step.append(statement)
                continue
            if word in {"data", "proc"} and step:
                run_step(self, step)
                step = []
            if word.startswith("*"):
                continue  # a comment statement
            if word in {"run", "quit"}:
                if step:
                    run_step(self, step)
                step = []
            elif TITLE.fullmatch(word):
                self.set_title(statement)
            elif step or word in {"data", "proc"}:
                step += [statement] * bool(statement)
            elif word:
                raise SasError(
                    f"{word.upper()} is not a statement that is supported outside a step", statement
                )
        rest = "".join(pieces).strip()
        if rest:
            raise SasError(f"the last statement has no semicolon: {rest[:60]!r}", pieces[0])
        if step:
            raise SasError(f"{step[0].split()[0].upper()} has no RUN", step[0])
        return self


def run_step(session: Session, statements: list[Located]) -> None:
    """Execute a DATA step or a procedure; an error names the statement where it occurred."""
    try:
        if statements[0].split()[0].lower() == "proc":
            run_procedure(session, statements)
        else:
            DataStep(session, statements).run()
    except SasError as error:
        raise error if error.statement is not None else SasError(error.message, statements[0]) from None
