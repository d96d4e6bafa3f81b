"""Expressions of the DATA step, compiled to Python functions.

`1 le x le 8` means `1 le x and x le 8`. A subscript outside an array ends the program. The second side of
`and` is evaluated only if the first holds: printed programs test a subscript in the condition that uses it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import NamedTuple, TypeAlias

from cavalcade.papers.interpreter.source import Located, SasError, numbered_range
from cavalcade.papers.interpreter.state import SessionState
from cavalcade.papers.interpreter.values import (
    COMPARE,
    LENGTHS,
    MISSING,
    NUMERIC,
    TEXT,
    Row,
    Value,
    as_text,
    comparison,
    formatted,
    missing,
    number,
    power,
    quotient,
    true,
)

Getter: TypeAlias = Callable[[], Value]
Operation: TypeAlias = Callable[[Value, Value], Value]

#: Functions that `Expressions` evaluates itself; `values` has the other functions.
SPECIAL = frozenset({"dim", "put"})

TOKEN = re.compile(
    r"\s*((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\.(?!\w)|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?|'[^']*'|\"[^\"]*\""
    r"|\|\||\*\*|<=|>=|\^=|[-+*/(){}\[\]<>=,|@:$])"
)
SIGNS = {"=": "eq", "<": "lt", ">": "gt", "<=": "le", ">=": "ge", "^=": "ne"}
CLOSING = {"{": "}", "(": ")", "[": "]"}
NAME = re.compile(r"[A-Za-z_]\w*")


class Typed(NamedTuple):
    """A compiled expression.

    Attributes:
        get: function that evaluates the expression.
        length: length of the text; 0 for a number.
    """

    get: Getter
    length: int = 0

    @property
    def text_length(self) -> int:
        """The length as a text."""
        return self.length or LENGTHS["number"]


def joined(lhs: Typed, rhs: Typed) -> Typed:
    """Concatenate two texts; a number has 12 characters."""
    return Typed(lambda: as_text(lhs.get()) + as_text(rhs.get()), lhs.text_length + rhs.text_length)


SUM: dict[str, Operation] = {
    "+": lambda a, b: number(a) + number(b),
    "-": lambda a, b: number(a) - number(b),
}
PRODUCT: dict[str, Operation] = {"*": lambda a, b: number(a) * number(b), "/": quotient}


class Expressions:
    """A compiler of expressions, and the variables and arrays that they use.

    Attributes:
        state: the state of the session.
        row: the values of the variables in the current iteration.
        lengths: the variables in order, with the length of a text or 0 for a number.
        arrays: sizes and variables of each array.
        used: first statement that reads each variable.
        iteration: number of the iteration of the step, `_N_`.
        statement: the statement that is compiled.
        tokens: the tokens of this statement that remain.
    """

    def __init__(self, state: SessionState, statement: Located) -> None:
        self.state = state
        self.row: Row = {}
        self.lengths: dict[str, int] = {}
        self.arrays: dict[str, tuple[tuple[int, ...], list[str]]] = {}
        self.used: dict[str, Located] = {}
        self.iteration = 0.0
        self.tokens: list[str] = []
        self.statement = statement

    # tokens

    def _error(self, message: str) -> SasError:
        return SasError(message, self.statement)

    def _begin(self, statement: Located) -> None:
        self.statement = statement
        self.tokens, offset = [], 0
        while statement[offset:].strip():
            match = TOKEN.match(statement, offset)
            if not match:
                raise self._error(f"cannot read {statement[offset:].strip()!r}")
            self.tokens.append(match[1] if match[1][0] in "'\"" else match[1].lower())
            offset = match.end()

    def _accept(self, *words: str) -> str:
        return self.tokens.pop(0) if self.tokens and self.tokens[0] in words else ""

    def _expect(self, *words: str) -> str:
        if not (token := self._accept(*words)):
            rest = " ".join(self.tokens) or "the end"
            raise self._error(f"expected {' or '.join(words)} before {rest}")
        return token

    def _name(self) -> str:
        if not self.tokens or not NAME.fullmatch(self.tokens[0]):
            raise self._error(f"expected a name before {' '.join(self.tokens) or 'the end'}")
        return self.tokens.pop(0)

    def _finish(self) -> None:
        if self.tokens:
            raise self._error(f"unexpected {' '.join(self.tokens)!r}")

    def _variables(self) -> list[str]:
        """Return the names of a variable list, with ranges s11-s18 and prefixes m:."""
        names = list[str]()
        while self.tokens and NAME.fullmatch(self.tokens[0]):
            names += self._range()
        return names

    def _range(self) -> list[str]:
        """Return the names of one entry of a variable list."""
        name = self._name()
        if self._accept("-"):
            return numbered_range(f"{name}-{self._name()}")
        return [name + self._accept(":")]

    def _constant(self) -> float:
        sign = -1 if self._accept("-") else 1
        if not self.tokens or number(self.tokens[0]) != number(self.tokens[0]):
            if self._accept("."):
                return MISSING
            raise self._error(f"expected a number before {' '.join(self.tokens) or 'the end'}")
        return sign * number(self.tokens.pop(0))

    def _declare(self, name: str, length: int) -> None:
        self.lengths.setdefault(name, length)

    # expressions: each method returns a compiled expression

    def _value(self) -> Typed:
        operand = self._conjunction()
        while self._accept("or", "|"):
            operand = self._decided(operand.get, self._conjunction().get, decisive=True)
        return operand

    def _conjunction(self) -> Typed:
        operand = self._comparison()
        while self._accept("and"):
            operand = self._decided(operand.get, self._comparison().get, decisive=False)
        return operand

    def _decided(self, first: Getter, second: Getter, *, decisive: bool) -> Typed:
        """Combine two conditions by OR or AND: the first one decides if it is true or false, respectively."""
        skip = self.state.short_circuit

        def decide() -> float:
            decided = true(first()) is decisive
            if decided and not skip:
                second()
            return float(decisive if decided else true(second()))

        return Typed(decide)

    def _sum(self) -> Typed:
        return self._operations(SUM, self._product)

    def _product(self) -> Typed:
        return self._operations(PRODUCT, self._leaf)

    def _operations(self, operations: dict[str, Operation], part: Callable[[], Typed]) -> Typed:
        operand = part()
        while word := self._accept(*operations):
            operand = self._applied(operand.get, part().get, operations[word])
        return operand

    @staticmethod
    def _applied(first: Getter, second: Getter, operation: Operation) -> Typed:
        return Typed(lambda: operation(first(), second()))

    def _concatenation(self) -> Typed:
        operand = self._sum()
        while self._accept("||"):
            operand = joined(operand, self._sum())
        return operand

    def _comparison(self) -> Typed:
        lhs = operand = self._concatenation()
        tests, words = list[Getter](), list[str]()
        while word := self._accept(*COMPARE, *SIGNS, "in"):
            if word == "in":
                return self._membership(lhs.get)
            words.append(SIGNS.get(word, word))
            rhs = self._concatenation()
            tests.append(self._applied(lhs.get, rhs.get, partial(comparison, words[-1])).get)
            lhs = rhs
        if not tests:
            return operand
        if len(tests) > 1 and not {*words} <= {"lt", "le", "gt", "ge"}:
            raise self._error("a chain of comparisons with EQ or NE is not supported: use AND")
        return Typed(lambda: min(number(test()) for test in tests))

    def _membership(self, get: Getter) -> Typed:
        self._expect("(")
        values = [self._leaf().get]
        while self._accept(",") or self.tokens[:1] != [")"]:
            values.append(self._leaf().get)
        self._expect(")")

        def test() -> float:
            value = get()
            return float(any(comparison("eq", value, member()) for member in values))

        return Typed(test)

    def _leaf(self) -> Typed:
        base = self._primary()
        if self._accept("**"):
            return self._applied(base.get, self._leaf().get, power)
        return base

    def _primary(self) -> Typed:
        word = self.tokens.pop(0) if self.tokens else "the end"
        if word in {"-", "+"}:
            # ** binds more tightly than the sign before it
            inner, sign = self._leaf().get, -1 if word == "-" else 1
            return Typed(lambda: sign * number(inner()))
        if word in {"not", "^"}:
            inner = self._leaf().get
            return Typed(lambda: float(not true(inner())))
        if word == "(":
            value = self._value()
            self._expect(")")
            return value
        if word[0] in "'\"":
            text = word[1:-1]
            return Typed(lambda: text, max(1, len(text)))
        if word == "." or word[0].isdigit() or (word[0] == "." and word[1].isdigit()):
            literal = MISSING if word == "." else float(word)
            return Typed(lambda: literal)
        if not NAME.fullmatch(word):
            raise self._error(f"expected a value before {word}")
        if self.tokens[:1] and self.tokens[0] in CLOSING:
            if word in self.arrays:
                cell = self._cell(word)
                return Typed(lambda: self.row[cell()])
            return self._function(word)
        if word == "_n_":
            return Typed(lambda: self.iteration)
        self._declare(word, 0)
        self.used.setdefault(word, self.statement)
        if length := self.lengths[word]:
            # blanks pad the value of a variable to its length
            return Typed(lambda: str(self.row[word]).ljust(length), length)
        return Typed(lambda: self.row[word])

    def _function(self, name: str) -> Typed:
        if name not in NUMERIC and name not in TEXT and name not in SPECIAL:
            raise self._error(f"{name.upper()} is neither an array nor a function that is supported")
        self._expect("(")
        if name == "put":
            return self._put_function()
        parts, whole = list[Typed](), list[str]()
        if name == "dim" or self._accept("of"):
            array = self._name()
            if name != "dim":
                close = CLOSING[self._expect(*CLOSING)]
                self._expect("*")
                self._expect(close)
            if array not in self.arrays:
                raise self._error(f"there is no array {array.upper()}")
            whole = self.arrays[array][1]
        else:
            parts.append(self._value())
            while self._accept(","):
                parts.append(self._value())
        self._expect(")")
        if name == "dim":
            size = float(len(whole))
            return Typed(lambda: size)
        getters = [part.get for part in parts]
        try:
            signature(TEXT.get(name) or NUMERIC[name]).bind(*getters, *whole)
        except TypeError:
            count = len(getters) + len(whole)
            raise self._error(f"{name.upper()} has {count} arguments") from None
        if name in TEXT:
            length = LENGTHS.get(name) or parts[0].text_length
            text_function = TEXT[name]
            return Typed(
                lambda: text_function(*(get() for get in getters), *(self.row[part] for part in whole)),
                length,
            )
        function = NUMERIC[name]
        return Typed(lambda: function(*(get() for get in getters), *(self.row[part] for part in whole)))

    def _put_function(self) -> Typed:
        value = self._value().get
        self._expect(",")
        if not self.tokens or not re.fullmatch(r"\d+\.?", self.tokens[0]):
            raise self._error("PUT supports formats of a width alone, such as 8.")
        width = int(self.tokens.pop(0).rstrip("."))
        self._expect(")")
        return Typed(lambda: fixed(number(value()), width), width)

    def _cell(self, name: str) -> Callable[[], str]:
        """Return a function that gives the name of the variable behind an array element."""
        if name not in self.arrays:
            raise self._error(f"there is no array {name.upper()}")
        sizes, names = self.arrays[name]
        close = CLOSING[self.tokens.pop(0)]
        parts = [self._value().get]
        while not self._accept(close):
            self._expect(",")
            parts.append(self._value().get)
        if len(parts) != len(sizes):
            raise self._error(f"array {name} has {len(sizes)} subscripts, not {len(parts)}")
        statement = self.statement

        def element() -> str:
            index = 0
            for part, size in zip(parts, sizes, strict=True):
                subscript = number(part())
                if not 1 <= subscript <= size:
                    message = f"array subscript out of range: {name}, {formatted(subscript)} of {size}"
                    raise SasError(message, statement)
                index = index * size + int(subscript) - 1
            return names[index]

        return element


def fixed(value: float, width: int) -> str:
    """Format a number by w., right-aligned: rounded to a whole number, a period if missing."""
    # SAS rounds halves away from zero
    rounded = value if missing(value) else math.copysign(math.floor(abs(value) + 0.5), value) + 0.0
    text = formatted(rounded)
    return text.rjust(width) if len(text) <= width else "*" * width
