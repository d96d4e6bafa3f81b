"""The DATA step, compiled to Python functions.

A variable has the type and the length of its first use.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from cavalcade.papers.interpreter.control import ControlFlow, Run
from cavalcade.papers.interpreter.expressions import CLOSING, NAME, Getter, fixed
from cavalcade.papers.interpreter.source import Located, SasError
from cavalcade.papers.interpreter.state import SessionState, dataset_name
from cavalcade.papers.interpreter.values import (
    LENGTHS,
    MISSING,
    Row,
    Value,
    as_text,
    formatted,
    missing,
    number,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Statements of the DATA step. Assignments and sums have no keyword.
STATEMENTS = frozenset(
    {
        *("array", "call", "cards", "continue", "datalines", "delete", "do", "drop", "else", "end", "file"),
        *("if", "input", "keep", "leave", "length", "otherwise", "output", "put", "retain", "select", "set"),
        *("stop", "when"),
    }
)
CALLS = frozenset({"symput", "symputx"})


class DataStep(ControlFlow):
    """A DATA step.

    Args:
        state: the state of the session.
        statements: the statements from DATA on.
    """

    def __init__(self, state: SessionState, statements: list[Located]) -> None:
        super().__init__(state, statements)
        self.retained: set[str] = set()
        self.keep: list[str] = []
        self.drop: list[str] = []
        self.rows: list[Row] = []
        self.input: list[str] = []
        self.hold_line = False
        self.words: list[str] = []  # words of the current line of data
        self.lines: list[list[str]] = []
        self.source: Iterator[Row] | None = None
        self.advanced = False  # whether SET or INPUT has read in this iteration
        self.line, self.printing, self.outputs = "", False, False
        self._begin(statements[0])
        self._expect("data")
        self.name = self._dataset()
        self._dataset_options(self.keep, self.drop)
        self._finish()
        body = list[Run]()
        while self.position < len(self.statements):
            body.append(self._statement())
        self.body = body
        elements = {name for _, names in self.arrays.values() for name in names}
        for name, statement in self.used.items():
            if name not in self.assigned | self.retained | elements | {*self.input}:
                state.log.append(f"NOTE: {statement.place}: no statement gives {name.upper()} a value")

    def run(self) -> None:
        """Execute the step: one iteration if it reads nothing, otherwise until the data end."""
        reads = self.source is not None or bool(self.input)
        while True:
            self.iteration += 1
            self.advanced = False
            for name in self.lengths.keys() - self.retained:
                self.row[name] = "" if self.lengths[name] else MISSING
            signal = self._run(self.body)
            if signal == "stop":
                break
            if signal != "delete" and not self.outputs:
                self._output()
            if not reads:
                break
            if not self.advanced:
                raise SasError("an iteration reads no data, so the step would never end", self.statement)
        if self.name != "_null_":
            self.state.data[self.name] = self.rows
            self.state.columns[self.name] = {name: self.lengths[name] for name in self._kept()}

    def _kept(self) -> list[str]:
        names = [name for name in self.lengths if not name.startswith("0") and name != "_n_"]
        return [
            name for name in names
            if (not self.keep or listed(name, self.keep)) and not listed(name, self.drop)
        ]  # fmt: skip

    def _output(self) -> None:
        self.rows.append({name: self.row[name] for name in self._kept()})

    def _dataset(self) -> str:
        if self.tokens and "." in self.tokens[0]:
            return dataset_name(self.tokens.pop(0))
        return self._name()

    def _dataset_options(self, keep: list[str], drop: list[str]) -> None:
        if not self._accept("("):
            return
        while not self._accept(")"):
            word = self._expect("keep", "drop")
            self._expect("=")
            (keep if word == "keep" else drop).extend(self._variables())

    # statements

    def _action(self) -> Run:
        word = self.tokens[0] if self.tokens else ""
        parse = getattr(self, f"_{word}_statement", None) if word in STATEMENTS else None
        assigned = self.tokens[1:2] == ["="] or (self.tokens[1:2] and word in self.arrays)
        action: Run
        if parse is not None and not assigned:
            self.tokens.pop(0)
            action = parse()
        elif word in STATEMENTS and not assigned:
            raise self._error(f"{word.upper()} has no place here")
        elif self.tokens[1:2] and self.tokens[1] in {"=", "+", *CLOSING}:
            action = self._assignment()
        else:
            raise self._error(f"the statement {word.upper()} is not supported in a DATA step")
        self._finish()
        return action

    def _assignment(self) -> Run:
        name = self._name()
        if self.tokens and self.tokens[0] in CLOSING:
            cell = self._cell(name)
            self._expect("=")
            value = self._value().get

            def to_cell() -> None:
                self._set(cell(), value())

            return to_cell
        if self._accept("+"):
            value = self._value().get
            self._declare(name, 0)
            self.retained.add(name)
            self.row.setdefault(name, 0.0)

            def add() -> None:
                # a sum statement skips missing values
                term = number(value())
                self.row[name] = number(self.row[name]) + (0.0 if missing(term) else term)

            return add
        self._expect("=")
        typed = self._value()
        self._declare(name, typed.length)
        self.assigned.add(name)

        def assign() -> None:
            self._set(name, typed.get())

        return assign

    def _set(self, name: str, value: Value) -> None:
        if length := self.lengths[name]:
            self.row[name] = as_text(value)[:length]
        else:
            self.row[name] = number(value)

    def _array_statement(self) -> Run:
        name = self._name()
        close = CLOSING[self._expect(*CLOSING)]
        sizes = list[int]()
        if not self._accept("*"):
            sizes.append(self._size())
            while self._accept(","):
                sizes.append(self._size())
        self._expect(close)
        count = math.prod(sizes)
        if self._accept("_temporary_"):
            names = [f"0{name}{k}" for k in range(count)]  # not a valid SAS name, so it cannot clash
            values = [MISSING] * count
            if self._accept("("):
                values = [self._constant()]
                while self._accept(",") or self.tokens[:1] != [")"]:
                    values.append(self._constant())
                self._expect(")")
            if len(values) != count:
                raise self._error(f"array {name} has {count} elements and {len(values)} initial values")
            for variable, value in zip(names, values, strict=True):
                self._declare(variable, 0)
                self.retained.add(variable)
                self.row[variable] = value
        else:
            names = self._variables()
            if not sizes:
                sizes = [len(names)]
            elif not names:
                names = [f"{name}{k}" for k in range(1, count + 1)]
            elif len(names) != count:
                raise self._error(f"array {name} has {count} elements and {len(names)} variables")
            for variable in names:
                self._declare(variable, 0)
        self.arrays[name] = tuple(sizes), names
        return lambda: None

    def _size(self) -> int:
        size = self._constant()
        if missing(size) or size < 1 or size != int(size):
            raise self._error(f"{formatted(size)} is not a size or a length")
        return int(size)

    def _length_statement(self) -> Run:
        while self.tokens:
            names = self._variables()
            text = self._accept("$")
            length = self._size()
            for name in names:
                self._declare(name, length if text else 0)
        return lambda: None

    def _retain_statement(self) -> Run:
        while self.tokens:
            names = self._variables()
            if not names:
                raise self._error(f"expected a variable before {' '.join(self.tokens)}")
            first: Value = MISSING
            if self.tokens and not NAME.fullmatch(self.tokens[0]):
                quoted = self.tokens[0][0] in "'\""
                first = self.tokens.pop(0)[1:-1] if quoted else self._constant()
            for name in names:
                self._declare(name, len(first) if isinstance(first, str) else 0)
                self.retained.add(name)
                self.row[name] = first
        return lambda: None

    def _set_statement(self) -> Run:
        statement = self.statement
        if self.source is not None or self.input:
            raise self._error("a second SET or INPUT in a DATA step is not supported")
        keep, drop = list[str](), list[str]()
        name = self._dataset()
        self._dataset_options(keep, drop)
        rows = self.state.rows(name, statement)
        columns = self.state.columns_of(name)
        names = [
            variable for variable in columns
            if (not keep or listed(variable, keep)) and not listed(variable, drop)
        ]  # fmt: skip
        for variable in names:
            self._declare(variable, columns[variable])
            self.retained.add(variable)
            self.row.setdefault(variable, "" if columns[variable] else MISSING)
        source = self.source = iter(rows)

        def read() -> str | None:
            row = next(source, None)
            if row is None:
                return "stop"
            self.advanced = True
            for variable in names:
                self.row[variable] = row[variable]
            return None

        return read

    def _keep_statement(self) -> Run:
        self.keep += self._variables()
        return lambda: None

    def _drop_statement(self) -> Run:
        self.drop += self._variables()
        return lambda: None

    def _file_statement(self) -> Run:
        if self._expect("print", "log") == "print":
            self.printing = True
            self.state.new_page()
        if self._accept("linesize", "ls"):
            self._expect("=")
            self._constant()
        return lambda: None

    def _put_statement(self) -> Run:
        # pairs of a getter and a width; no width means list output, which adds a blank
        parts = list[tuple[Getter, int | None]]()
        held = False
        while self.tokens:
            if self._accept("@"):
                held = True
            elif self.tokens[0][0] in "'\"":
                parts.append((constant(self.tokens.pop(0)[1:-1]), 0))
            else:
                name = self._name()
                if self.tokens[:1] and self.tokens[0] in CLOSING and name in self.arrays:
                    get = self._element(self._cell(name))
                else:
                    self._declare(name, 0)
                    self.used.setdefault(name, self.statement)
                    get = self._element(constant(name))
                    if self._accept("="):
                        parts.append((constant(f"{name}="), 0))
                width = None
                if self.tokens and re.fullmatch(r"\d+\.", self.tokens[0]):
                    width = int(self.tokens.pop(0)[:-1])
                parts.append((get, width))

        def write() -> None:
            for get, width in parts:
                value = get()
                if width is None:
                    self.line += formatted(value) + " "
                else:
                    self.line += value if isinstance(value, str) else fixed(value, width)
            if not held:
                (self.state.listing if self.printing else self.state.log).append(self.line.rstrip())
                self.line = ""

        return write

    def _element(self, cell: Callable[[], str]) -> Getter:
        return lambda: self.row[cell()]

    def _output_statement(self) -> Run:
        self.outputs = True
        return self._output

    def _leave_statement(self) -> Run:
        return lambda: "leave"

    def _continue_statement(self) -> Run:
        return lambda: "continue"

    def _delete_statement(self) -> Run:
        return lambda: "delete"

    def _stop_statement(self) -> Run:
        return lambda: "stop"

    def _call_statement(self) -> Run:
        routine = self._expect(*sorted(CALLS))
        self._expect("(")
        parts = [self._value().get]
        while self._accept(","):
            parts.append(self._value().get)
        self._expect(")")
        if not 2 <= len(parts) <= (2 if routine == "symput" else 3):
            raise self._error(f"CALL {routine.upper()} has {len(parts)} arguments")
        state = self.state

        def put() -> None:
            name, value, *table = (part() for part in parts)
            text = as_text(value) if routine == "symput" else formatted(value).strip()
            key = str(name).strip().lower()
            if [str(letter)[:1].lower() for letter in table] == ["g"]:
                state.variables[0][key] = text
            elif [str(letter)[:1].lower() for letter in table] == ["l"]:
                state.variables[-1][key] = text
            else:
                state.put(key, text)

        return put

    def _input_statement(self) -> Run:
        if self.source is not None or self.input:
            raise self._error("a second SET or INPUT in a DATA step is not supported")
        while self.tokens:
            if self._accept("@"):
                self._expect("@")
                self.hold_line = True
                continue
            names = self._range()
            text = self._accept("$")
            for name in names:
                self._declare(name, LENGTHS["input"] if text else 0)
            self.input += names

        def read() -> str | None:
            if not self.hold_line:
                self.words = []
            for k, name in enumerate(self.input):
                while not self.words and self.lines:
                    self.words = self.lines.pop(0)
                if not self.words:
                    if k:
                        self.state.log.append("NOTE: the data end within an observation")
                    return "stop"
                self._set(name, self.words.pop(0))
            self.advanced = True
            return None

        return read

    def _datalines_statement(self) -> Run:
        if self._more():
            self.lines = [line.split() for line in self.statements[self.position].splitlines()]
        self.position += 1
        self.tokens = []
        return lambda: None

    _cards_statement = _datalines_statement


def constant(text: str) -> Callable[[], str]:
    """Return a function that returns a text."""
    return lambda: text


def listed(name: str, patterns: list[str]) -> bool:
    """Whether a name is in a variable list with prefixes such as m:."""
    return any(name.startswith(word[:-1]) if word.endswith(":") else name == word for word in patterns)
