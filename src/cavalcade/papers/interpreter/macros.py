"""The macro processor: expands a program up to the next statement, with macros, variables, %IF and %DO."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cavalcade.papers.interpreter.source import SEMICOLON, Located, PieceCursor, SasError, pieces_of, split
from cavalcade.papers.interpreter.state import SessionState
from cavalcade.papers.interpreter.values import COMPARE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: Macro statements.
STATEMENTS = frozenset({"macro", *(word[1:] for word in SEMICOLON)})
#: Macro functions, with the least and the largest number of arguments.
FUNCTIONS = {"eval": (1, 1), "scan": (2, 3), "upcase": (1, 1), "symexist": (1, 1), "str": (1, 1)}
#: Macro words that belong to a block.
BLOCKS = frozenset({"if", "then", "else", "do", "to", "by", "while", "until", "end", "mend"})

TERM = re.compile(r"\s*(\*\*|<=|>=|[-+*/()<>=|^]|[^\s\-+*/()<>=|^]+)")
WORDS = {"=": "eq", "<": "lt", ">": "gt", "<=": "le", ">=": "ge", "^": "not", "|": "or"}


@dataclass
class Macro:
    """A macro.

    Attributes:
        parameters: default of each parameter; None for a positional parameter.
        body: pieces of its text.
    """

    parameters: dict[str, str | None]
    body: list[Located]


class Evaluation:
    """%EVAL: integer arithmetic; if one side of a comparison is not an integer, both are compared as text."""

    def __init__(self, text: str) -> None:
        self.words = [WORDS.get(word, word) for word in TERM.findall(text)]

    def value(self) -> int | str:
        """Return the value of the expression."""
        value = self._or()
        if self.words:
            raise SasError(f"an operator is missing before {self.words[0]!r}")
        return value

    def _accept(self, *words: str) -> str:
        return self.words.pop(0).lower() if self.words and self.words[0].lower() in words else ""

    def _number(self, value: int | str) -> int:
        if isinstance(value, str):
            raise SasError(f"{value!r} in a macro expression is not a whole number")
        return value

    def _or(self) -> int | str:
        lhs = self._and()
        while self._accept("or"):
            lhs = int(bool(self._number(self._and())) | bool(lhs))
        return lhs

    def _and(self) -> int | str:
        lhs = self._comparison()
        while self._accept("and"):
            lhs = int(bool(self._number(self._comparison())) & bool(lhs))
        return lhs

    def _comparison(self) -> int | str:
        lhs = self._sum()
        while word := self._accept(*COMPARE):
            rhs = self._sum()
            operands = (lhs, rhs) if isinstance(lhs, type(rhs)) else (str(lhs), str(rhs))
            lhs = int(COMPARE[word](*operands))
        return lhs

    def _sum(self) -> int | str:
        lhs = self._product()
        while word := self._accept("+", "-"):
            rhs = self._number(self._product())
            lhs = self._number(lhs) + (rhs if word == "+" else -rhs)
        return lhs

    def _product(self) -> int | str:
        lhs = self._leaf()
        while word := self._accept("*", "/"):
            rhs = self._number(self._leaf())
            if word == "*":
                lhs = self._number(lhs) * rhs
            elif rhs:
                # %EVAL truncates towards zero
                size = abs(self._number(lhs)) // abs(rhs)
                lhs = size if (self._number(lhs) < 0) == (rhs < 0) else -size
            else:
                raise SasError("division by zero in a macro expression")
        return lhs

    def _leaf(self) -> int | str:
        if self._accept("not"):
            return int(not self._number(self._leaf()))
        if sign := self._accept("-", "+"):
            return self._number(self._leaf()) * (-1 if sign == "-" else 1)
        if self._accept("("):
            value = self._or()
            if not self._accept(")"):
                raise SasError("expected ')'")
            return value
        if not self.words or self.words[0].lower() in {*COMPARE, "and", "or", ")"}:
            return ""  # an empty operand is a text
        word = self.words.pop(0)
        return int(word) if re.fullmatch("[0-9]+", word) else word


@dataclass
class MacroProcessor:
    """Expands programs.

    Attributes:
        state: macro variables, and the log that %PUT writes to.
        files: texts for %INCLUDE, by file name.
        settings: values of macro variables, which replace %LET in open code.
        macros: macros defined so far, by name in lower case.
    """

    state: SessionState
    files: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
    macros: dict[str, Macro] = field(default_factory=dict)

    def text(self, pieces: list[Located]) -> str:
        """Expand pieces and strip white space."""
        plain = not any(piece[0] in '%&"' for piece in pieces)
        return "".join(pieces if plain else self.expand(PieceCursor(pieces))).strip()

    def true(self, pieces: list[Located]) -> bool:
        """Whether a condition holds."""
        value = self._evaluated(pieces)
        if isinstance(value, str):
            raise SasError(f"{value!r} is not a condition", pieces[0] if pieces else None)
        return bool(value)

    def expand(self, pieces: PieceCursor) -> Iterator[Located]:
        """Expand pieces lazily."""
        while pieces.has_next:
            piece = pieces.take()
            if piece.startswith("%") and len(piece) > 1:
                yield from self._percent(piece, pieces)
            elif piece.startswith("&") and len(piece) > 1:
                text = self._resolved(piece)
                if "%" in text or ";" in text:
                    yield from self.expand(PieceCursor(pieces_of(text, piece.file, piece.line)))
                else:
                    yield text
            elif piece.startswith('"'):
                yield self._resolved(piece)
            else:
                yield piece

    def _resolved(self, piece: Located) -> Located:
        try:
            return piece.with_text(self.state.resolved(piece))
        except SasError as error:
            raise SasError(error.message, piece) from None

    def _evaluated(self, pieces: list[Located]) -> int | str:
        text = self.text(pieces)
        try:
            return Evaluation(text).value()
        except SasError as error:
            raise SasError(error.message, pieces[0] if pieces else None) from None

    def _integer(self, pieces: list[Located]) -> int:
        value = self._evaluated(pieces)
        if isinstance(value, str):
            raise SasError(f"{value!r} is not a whole number", pieces[0] if pieces else None)
        return value

    def _percent(self, piece: Located, pieces: PieceCursor) -> Iterator[Located]:
        word = piece[1:].lower()
        if word == "include":
            name = self.text(pieces.until(";")).strip("\"'")
            if name not in self.files:
                raise SasError(f"%INCLUDE: there is no file {name!r}", piece)
            yield from self.expand(PieceCursor(pieces_of(self.files[name], name, 1)))
        elif word == "macro":
            self._define(piece, pieces)
        elif word in STATEMENTS:
            self._statement(word, piece, pieces.until(";"))
        elif word == "if":
            condition, first = pieces.until("%then"), pieces.branch()
            second = list[Located]()
            if pieces.next_is("%else"):
                pieces.skip_word("%else")
                second = pieces.branch()
            yield from self.expand(PieceCursor(first if self.true(condition) else second))
        elif word == "do":
            yield from self._do(piece, pieces)
        elif word in FUNCTIONS:
            yield piece.with_text(self._function(word, piece, split(pieces.bracket())))
        elif word in self.macros:
            yield from self._call(piece, pieces)
        else:
            raise SasError(f"%{word.upper()} is not a macro of the program, and not supported", piece)

    def _function(self, word: str, piece: Located, arguments: list[list[Located]]) -> str:
        least, largest = FUNCTIONS[word]
        if not least <= len(arguments) <= largest:
            raise SasError(f"%{word.upper()} has {len(arguments)} arguments, expected {largest}", piece)
        if word == "eval":
            return str(self._evaluated(arguments[0]))
        texts = [self.text(argument) for argument in arguments]
        if word == "symexist":
            return str(int(any(texts[0].lower() in scope for scope in self.state.variables)))
        if word != "scan":
            return texts[0].upper() if word == "upcase" else texts[0]
        delimiters = texts[2] if word == "scan" and len(texts) > 2 else " .,"
        parts = [part for part in re.split(f"[{re.escape(delimiters)}]", texts[0]) if part]
        k = self._integer(arguments[1])
        return parts[k - 1] if 1 <= k <= len(parts) else ""

    def _statement(self, word: str, piece: Located, tokens: list[Located]) -> None:
        state = self.state
        if word == "let":
            if "=" not in tokens:
                raise SasError("%LET has no '='", piece)
            equals = [*map(str, tokens)].index("=")
            name = self.text(tokens[:equals])
            # an option of the command replaces %LET in open code only: in macros, %LET computes
            overridden = len(state.variables) == 1 and name.lower() in self.settings
            replaced = str(self.settings.get(name.lower(), ""))
            state.put(name, replaced if overridden else self.text(tokens[equals + 1 :]))
        elif word in {"local", "global"}:
            scope = state.variables[-1 if word == "local" else 0]
            for name in self.text(tokens).lower().split():
                if word == "local" or name not in scope:
                    scope[name] = ""
        else:
            state.log.append(self.text(tokens))

    def _define(self, piece: Located, pieces: PieceCursor) -> None:
        pieces.skip()
        name, parameters = pieces.take().lower(), dict[str, str | None]()
        if pieces.next_is("("):
            for parameter in split(pieces.bracket()):
                key, equals, default = "".join(parameter).partition("=")
                parameters[key.strip().lower()] = default.strip() if equals else None
        pieces.until(";")
        body = pieces.body("%macro", "%mend")
        named = "".join(pieces.until(";")).strip().lower()
        if named not in {"", name}:
            raise SasError(f"%MEND {named.upper()} ends %MACRO {name.upper()}", piece)
        self.macros[name] = Macro(parameters, body)

    def _call(self, piece: Located, pieces: PieceCursor) -> Iterator[Located]:
        name = piece[1:].lower()
        macro = self.macros[name]
        scope = {parameter: default or "" for parameter, default in macro.parameters.items()}
        positional = [parameter for parameter, default in macro.parameters.items() if default is None]
        if macro.parameters and pieces.next_is("("):
            for k, argument in enumerate(split(pieces.bracket())):
                key = "".join(argument).partition("=")[0].strip().lower()
                if "=" in argument and key in scope:
                    scope[key] = self.text(argument[[*map(str, argument)].index("=") + 1 :])
                elif k < len(positional):
                    scope[positional[k]] = self.text(argument)
                elif "".join(argument).strip():
                    value = "".join(argument).strip()
                    raise SasError(f"%{name.upper()} has no parameter for {value!r}", piece)
        self.state.variables.append(scope)
        yield from self.expand(PieceCursor(macro.body))
        self.state.variables.pop()

    def _do(self, piece: Located, pieces: PieceCursor) -> Iterator[Located]:
        head, body = pieces.until(";"), pieces.body("%do", "%end")
        pieces.skip_word(";")
        words = [word.lower() for word in head]
        if not "".join(words).strip():
            yield from self.expand(PieceCursor(body))
            return
        if test := next((word for word in ("%while", "%until") if word in words), None):
            condition = head[words.index(test) + 1 :]
            # %UNTIL tests after the body, so that the body runs at least once
            while self.true(condition) if test == "%while" else True:
                yield from self.expand(PieceCursor(body))
                if test == "%until" and self.true(condition):
                    break
            return
        if "=" not in words or "%to" not in words:
            raise SasError("%DO has no %TO, %WHILE or %UNTIL", piece)
        equals, to = words.index("="), words.index("%to")
        by = words.index("%by") if "%by" in words else len(words)
        name = self.text(head[:equals])
        first, last = self._integer(head[equals + 1 : to]), self._integer(head[to + 1 : by])
        step = self._integer(head[by + 1 :]) if by < len(words) else 1
        if not step:
            raise SasError("%DO counts by 0", piece)
        self.state.put(name, str(first))
        while (int(self.state.value(name)) - last) * step <= 0:
            yield from self.expand(PieceCursor(body))
            self.state.put(name, str(int(self.state.value(name)) + step))
