"""Branches and loops of the DATA step: IF, SELECT and DO.

The function of a statement returns None, or a signal that ends the enclosing statements: `leave`, `continue`,
`delete` or `stop`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from cavalcade.papers.interpreter.expressions import Expressions, Getter
from cavalcade.papers.interpreter.source import Located, SasError
from cavalcade.papers.interpreter.state import SessionState
from cavalcade.papers.interpreter.values import comparison, number, true

Run: TypeAlias = Callable[[], "str | None"]


class ControlFlow(Expressions):
    """A compiler of branches and loops.

    Attributes:
        statements: the statements of the step, without the first.
        position: index of the statement that is compiled next.
        assigned: variables that an assignment or a loop sets.
    """

    def __init__(self, state: SessionState, statements: list[Located]) -> None:
        super().__init__(state, statements[0])
        self.statements = statements[1:]
        self.position = 0
        self.assigned: set[str] = set()

    def _action(self) -> Run:
        """Compile the statement whose tokens remain; `DataStep` has the table of statements."""
        raise NotImplementedError

    def _statement(self) -> Run:
        """Compile the next statement, including nested statements."""
        self._begin(self.statements[self.position])
        self.position += 1
        return self._action()

    @staticmethod
    def _run(block: list[Run]) -> str | None:
        return next(filter(None, (statement() for statement in block)), None)

    def _more(self) -> bool:
        return self.position < len(self.statements)

    def _next_word(self) -> str:
        return (self.statements[self.position].split() or [""])[0].lower() if self._more() else ""

    def _if_statement(self) -> Run:
        condition = self._value().get
        if not self.tokens:
            # a subsetting IF ends the iteration without output
            return lambda: None if true(condition()) else "delete"
        self._expect("then")
        first = self._action() if self.tokens else (lambda: None)
        second: Run | None = None
        if self._next_word() == "else":
            self._begin(self.statements[self.position])
            self.position += 1
            self._expect("else")
            second = self._action() if self.tokens else None

        def choose() -> str | None:
            if true(condition()):
                return first()
            return second() if second else None

        return choose

    def _select_statement(self) -> Run:
        chosen = None
        if self._accept("("):
            chosen = self._value().get
            self._expect(")")
        self._finish()
        branches, otherwise = list[tuple[list[Getter], Run]](), None
        statement = self.statement
        while (word := self._next_word().partition("(")[0]) in {"when", "otherwise"}:
            self._begin(self.statements[self.position])
            self.position += 1
            self._expect(word)
            values = list[Getter]()
            if word == "when":
                self._expect("(")
                values = [self._value().get]
                while self._accept(","):
                    values.append(self._value().get)
                self._expect(")")
            action = self._action() if self.tokens else (lambda: None)
            if word == "when":
                branches.append((values, action))
            else:
                otherwise = action
        if self._next_word() != "end":
            raise SasError("SELECT has no END after its WHEN and OTHERWISE statements", statement)
        self.position += 1

        def select() -> str | None:
            value = chosen() if chosen else None
            for values, action in branches:
                tests = (get() for get in values)
                if any(true(test) if value is None else comparison("eq", value, test) for test in tests):
                    return action()
            if otherwise is None:
                raise SasError("no WHEN holds, and SELECT has no OTHERWISE", statement)
            return otherwise()

        return select

    def _do_statement(self) -> Run:
        if not self.tokens:
            block = self._block()
            return lambda: self._run(block)
        if self.tokens[:1] in (["while"], ["until"]) and self.tokens[1:2] == ["("]:
            return self._conditional_loop()
        name = self._name()
        self._expect("=")
        self._declare(name, 0)
        self.assigned.add(name)
        statement = self.statement
        # triples of the first value, the last value and the step
        parts = list[tuple[Getter, Getter | None, Getter]]()
        while True:
            first = self._value().get
            last = self._value().get if self._accept("to") else None
            step = self._value().get if last and self._accept("by") else lambda: 1.0
            parts.append((first, last, step))
            if not self._accept(","):
                break
        block = self._block()

        def loop() -> str | None:
            for first, last, step in parts:
                self.row[name] = number(first())
                end = number(self.row[name]) if last is None else number(last())
                stride = number(step())
                if not true(stride):
                    raise SasError("the loop counts by 0 or by a missing number", statement)
                while (number(self.row[name]) - end) * stride <= 0:
                    signal = self._run(block)
                    if signal and signal != "continue":
                        return None if signal == "leave" else signal
                    if last is None:
                        break
                    self.row[name] = number(self.row[name]) + stride
            return None

        return loop

    def _conditional_loop(self) -> Run:
        word = self.tokens.pop(0)
        condition = self._value().get
        block = self._block()

        def loop() -> str | None:
            # UNTIL tests after the block, so that the block runs at least once
            while true(condition()) if word == "while" else True:
                signal = self._run(block)
                if signal and signal != "continue":
                    return None if signal == "leave" else signal
                if word == "until" and true(condition()):
                    break
            return None

        return loop

    def _block(self) -> list[Run]:
        """Compile the statements up to `end`."""
        statement = self.statement
        self._finish()
        block = list[Run]()
        while self._more() and self.statements[self.position].lower() != "end":
            block.append(self._statement())
        if not self._more():
            raise SasError("DO has no END", statement)
        self.position += 1
        self.tokens = []
        return block
