"""An interpreter for the subset of SAS that the programs in `share` use, so that tests run without SAS.

`Session.run` executes a program statement by statement, as SAS does: the macro processor expands only as far
as the next statement, and a step runs as soon as its last statement is read. So `%if &solved.` sees the
result of the previous step. A DATA step is compiled to Python functions. Unknown statements raise `SasError`.

As in SAS, a missing value is less than any number, and a sum with a missing value is missing. A variable has
the type of its first value. Text that is not a number becomes missing. `|` is the logical or, `||`
concatenates two texts. `1 le x le 8` means `1 le x and x le 8`. Both sides of `and` are evaluated. A
subscript outside an array ends the program.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Value: TypeAlias = float | str  # a missing number is NaN
Row: TypeAlias = dict[str, Value]
Run: TypeAlias = Callable[[], "str | None"]
Getter: TypeAlias = Callable[[], Value]
Action: TypeAlias = Callable[[Value, Value], Value]
Typed: TypeAlias = tuple[Getter, type]

MISSING = math.nan


class SasError(Exception):
    """An error that SAS would report, or a statement that this interpreter does not support."""


# ---- the macro processor

PIECE = re.compile(
    r"""/\*.*?\*/|%\*.*?;|'[^']*'|"[^"]*"|%\w+|&+\w+\.?|[;(),=]|\s+|[\w.]+|.""",
    re.DOTALL,
)
VARIABLE = re.compile(r"&(\w+)\.?")
ENDS = {"%end", "%mend"}


@dataclass
class Macro:
    """The parameters of a macro with their defaults, and the pieces of its body."""

    parameters: dict[str, str | None]
    body: list[str]


@cache
def pieces_of(text: str) -> list[str]:
    """Split a text into pieces, without comments."""
    return [piece for piece in PIECE.findall(text) if not piece.startswith(("/*", "%*"))]


class Pieces:
    """A cursor over the pieces of a text, without comments."""

    def __init__(self, pieces: list[str]) -> None:
        self.pieces, self.position = pieces, 0

    @classmethod
    def of(cls, text: str) -> Pieces:
        """The pieces of a text."""
        return cls(pieces_of(text))

    @property
    def has_next(self) -> bool:
        """Whether pieces remain."""
        return self.position < len(self.pieces)

    def take(self) -> str:
        """Return the next piece."""
        if not self.has_next:
            raise SasError("the text ends within a statement")
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

    def until(self, *words: str) -> list[str]:
        """Return the pieces before the first of these words outside parentheses, and skip the word."""
        taken, depth = list[str](), 0
        while (piece := self.take()).lower() not in words or depth:
            depth += (piece == "(") - (piece == ")")
            taken.append(piece)
        return taken

    def bracket(self) -> list[str]:
        """Return the pieces inside the parentheses at the current position."""
        self.skip()
        if self.take() != "(":
            raise SasError("expected '('")
        taken, depth = list[str](), 1
        while depth:
            piece = self.take()
            depth += (piece == "(") - (piece == ")")
            taken.append(piece)
        return taken[:-1]

    def block(self) -> list[str]:
        """Return the pieces of a branch: a `%do` block with its delimiters, or one statement."""
        self.skip()
        begin = self.position
        if self.pieces[begin].lower() != "%do":
            self.until(";")
            return self.pieces[begin : self.position]
        depth = 0
        while True:
            piece = self.take().lower()
            depth += (piece == "%do") - (piece == "%end")
            if not depth:
                break
        end = self.position
        self.skip_word(";")
        return self.pieces[begin:end]


def split(pieces: list[str]) -> list[list[str]]:
    """Split arguments at commas outside parentheses."""
    arguments, depth = [list[str]()], 0
    for piece in pieces:
        depth += (piece == "(") - (piece == ")")
        if piece == "," and not depth:
            arguments.append([])
        else:
            arguments[-1].append(piece)
    return arguments


EVAL = re.compile(r"\s*(\*\*|<=|>=|[-+*/()<>=|^]|[^\s\-+*/()<>=|^]+)")
WORDS = {"=": "eq", "<": "lt", ">": "gt", "<=": "le", ">=": "ge", "^": "not", "|": "or"}
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "gt": operator.gt,
    "le": operator.le,
    "ge": operator.ge,
}


class Evaluation:
    """%EVAL: integer arithmetic; if one side of a comparison is not an integer, both are compared as text."""

    def __init__(self, text: str) -> None:
        self.words = [WORDS.get(word, word) for word in EVAL.findall(text)]

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
        lhs = self._not()
        while self._accept("and"):
            lhs = int(bool(self._number(self._not())) & bool(lhs))
        return lhs

    def _not(self) -> int | str:
        if self._accept("not"):
            return int(not self._number(self._not()))
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
        while self._accept("*"):
            lhs = self._number(lhs) * self._number(self._leaf())
        return lhs

    def _leaf(self) -> int | str:
        if self._accept("-"):
            return -self._number(self._leaf())
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
class Session:
    """The state of a SAS session: macros, data sets, listing and log.

    Args:
        files: the texts for `%include`, by file name.
        tour: the solver behind PROC OPTGRAPH: maps links to the links of a closed tour, or to None if there
            is no tour.
        settings: values of macro variables that override `%let` in open code.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    tour: Callable[[list[tuple[str, str]]], list[tuple[str, str]] | None] | None = None
    settings: dict[str, object] = field(default_factory=dict)
    variables: list[dict[str, str]] = field(default_factory=lambda: [{}])
    macros: dict[str, Macro] = field(default_factory=dict)
    data: dict[str, list[Row]] = field(default_factory=dict)
    listing: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)

    def run(self, text: str) -> Session:
        """Execute a program."""
        step, statement = list[str](), ""
        for piece in self.expand(Pieces.of(text)):
            if piece != ";":
                statement += piece
                continue
            statement, done = "", statement.strip()
            word = done.split()[0].lower() if done else ""
            if word in {"data", "proc"} and step:
                run_step(self, step)
                step = []
            if step and step[-1].lower() in {"datalines", "cards"}:
                step.append(done)
            elif word in {"run", "quit"}:
                if step:
                    run_step(self, step)
                step = []
            elif step or word in {"data", "proc"}:
                step += [done] * bool(done)
            elif word and word != "title":
                raise SasError(f"{done!r} is no statement of ours outside a step")
        if statement.strip() or step:
            raise SasError(f"nothing runs {statement.strip() or step[0]!r}")
        return self

    # macro variables

    def value(self, name: str) -> str:
        """The value of a macro variable."""
        for scope in reversed(self.variables):
            if name.lower() in scope:
                return scope[name.lower()]
        raise SasError(f"there is no macro variable {name}")

    def put(self, name: str, value: str) -> None:
        """Set a macro variable in the innermost scope that has it, or in the current scope."""
        scopes = [scope for scope in self.variables if name.lower() in scope]
        (scopes or self.variables)[-1][name.lower()] = value

    def resolved(self, text: str) -> str:
        """Replace the macro variables in a text by their values."""
        while VARIABLE.search(text):
            text = VARIABLE.sub(lambda match: self.value(match[1]), text)
        return text

    # the macro processor

    def text(self, pieces: list[str]) -> str:
        """Expand pieces and strip white space."""
        plain = not any(piece[0] in '%&"' for piece in pieces)
        return "".join(pieces if plain else self.expand(Pieces(pieces))).strip()

    def true(self, pieces: list[str]) -> bool:
        """Whether a condition holds."""
        value = Evaluation(self.text(pieces)).value()
        if isinstance(value, str):
            raise SasError(f"{value!r} is no condition")
        return bool(value)

    def expand(self, pieces: Pieces) -> Iterator[str]:
        """Expand pieces lazily."""
        while pieces.has_next:
            piece = pieces.take()
            if piece.startswith("%") and len(piece) > 1:
                yield from self._percent(piece[1:].lower(), pieces)
            elif piece.startswith("&") and len(piece) > 1:
                text = self.resolved(piece)
                yield from self.expand(Pieces.of(text)) if "%" in text or ";" in text else [text]
            elif piece.startswith('"'):
                yield self.resolved(piece)
            else:
                yield piece

    def _percent(self, word: str, pieces: Pieces) -> Iterator[str]:
        if word in {"let", "local", "put"}:
            self._statement(word, pieces.until(";"))
        elif word == "include":
            yield from self.expand(Pieces.of(self.files[self.text(pieces.until(";")).strip("\"'")]))
        elif word == "macro":
            self._define(pieces)
        elif word == "if":
            condition, first = pieces.until("%then"), pieces.block()
            second = list[str]()
            if pieces.next_is("%else"):
                pieces.skip_word("%else")
                second = pieces.block()
            yield from self.expand(Pieces(first if self.true(condition) else second))
        elif word == "do":
            yield from self._do(pieces)
        elif word in {"eval", "scan"}:
            yield self._function(word, [self.text(argument) for argument in split(pieces.bracket())])
        elif word in self.macros:
            yield from self._call(self.macros[word], pieces)
        else:
            raise SasError(f"%{word} is not a macro, or not known here")

    def _function(self, word: str, arguments: list[str]) -> str:
        if word == "eval":
            return str(Evaluation(arguments[0]).value())
        parts = [
            part
            for part in re.split(f"[{arguments[2]}]" if len(arguments) > 2 else r"[ .,]", arguments[0])
            if part
        ]
        number = int(arguments[1])
        return parts[number - 1] if number <= len(parts) else ""

    def _statement(self, word: str, tokens: list[str]) -> None:
        if word == "let":
            equals = tokens.index("=")
            name = self.text(tokens[:equals])
            overridden = len(self.variables) == 1 and name in self.settings
            self.put(name, str(self.settings[name]) if overridden else self.text(tokens[equals + 1 :]))
        elif word == "local":
            self.variables[-1].update(dict.fromkeys(self.text(tokens).lower().split(), ""))
        else:
            self.log.append(self.text(tokens))

    def _define(self, pieces: Pieces) -> None:
        pieces.skip()
        name, parameters = pieces.take().lower(), dict[str, str | None]()
        if pieces.next_is("("):
            for parameter in split(pieces.bracket()):
                key, equals, default = "".join(parameter).partition("=")
                parameters[key.strip().lower()] = default.strip() if equals else None
        pieces.until(";")
        body = pieces.until("%mend")
        named = "".join(pieces.until(";")).strip().lower()
        if named not in {"", name}:
            raise SasError(f"%mend {named} ends %macro {name}")
        self.macros[name] = Macro(parameters, body)

    def _call(self, macro: Macro, pieces: Pieces) -> Iterator[str]:
        scope = {name: default or "" for name, default in macro.parameters.items()}
        order = list(scope)
        if macro.parameters and pieces.next_is("("):
            for k, argument in enumerate(split(pieces.bracket())):
                name = "".join(argument).partition("=")[0].strip().lower()
                keyed = "=" in argument and name in scope
                scope[name if keyed else order[k]] = self.text(
                    argument[argument.index("=") + 1 :] if keyed else argument
                )
        self.variables.append(scope)
        yield from self.expand(Pieces(macro.body))
        self.variables.pop()

    def _do(self, pieces: Pieces) -> Iterator[str]:
        head, depth, body = pieces.until(";"), 1, list[str]()
        while depth:
            piece = pieces.take()
            depth += (piece.lower() == "%do") - (piece.lower() == "%end")
            body.append(piece)
        body.pop()
        pieces.skip_word(";")
        words = [piece.lower() for piece in head]
        if not "".join(words).strip():
            yield from self.expand(Pieces(body))
            return
        if "%while" in words:
            while self.true(head[words.index("%while") + 1 :]):
                yield from self.expand(Pieces(body))
            return
        equals, to = words.index("="), words.index("%to")
        name = self.text(head[:equals])
        first, last = (
            int(Evaluation(self.text(piece)).value()) for piece in (head[equals + 1 : to], head[to + 1 :])
        )
        self.put(name, str(first))
        while int(self.value(name)) <= last:
            yield from self.expand(Pieces(body))
            self.put(name, str(int(self.value(name)) + 1))


# ---- steps


def run_step(session: Session, statements: list[str]) -> None:
    """Execute a DATA step or a supported procedure."""
    words = statements[0].replace("=", " = ").split()
    if words[0].lower() == "data":
        Step(session, statements).run()
        return
    options = {words[k - 1].lower(): words[k + 1].lower() for k, word in enumerate(words) if word == "="}
    if words[1].lower() == "optgraph":
        optgraph(session, options, statements[1:])
    elif words[1].lower() == "print":
        rows = session.data[options["data"]]
        session.listing.append(" ".join(["Obs", *rows[0]] if rows else []))
        session.listing += [
            " ".join([str(k), *map(formatted, row.values())]) for k, row in enumerate(rows, 1)
        ]
    else:
        raise SasError(f"PROC {words[1]} is not known here")


def optgraph(session: Session, options: dict[str, str], statements: list[str]) -> None:
    """PROC OPTGRAPH with TSP: write the links of a closed tour to a data set, or no rows if infeasible."""
    clauses = {
        statement.split()[0].lower(): dict(re.findall(r"(\w+)\s*=\s*(\w+)", statement.lower()))
        for statement in statements
    }
    if set(clauses) != {"data_links_var", "tsp"} or session.tour is None:
        raise SasError(f"OPTGRAPH with {', '.join(clauses)} is not known here")
    titles = clauses["data_links_var"]
    ends = titles["from"], titles["to"]
    links = [(str(row[ends[0]]), str(row[ends[1]])) for row in session.data[options["data_links"]]]
    cycle = session.tour(links)
    session.log.append(f"Solution Status: {'Infeasible' if cycle is None else 'Optimal'}")
    session.data[clauses["tsp"]["out"]] = [dict(zip(ends, link, strict=True)) for link in cycle or []]


TOKEN = re.compile(
    r"\s*(\d+\.?\d*|\.(?!\w)|[A-Za-z_]\w*|'[^']*'|\"[^\"]*\"|\|\||\*\*|<=|>=|[-+*/(){}<>=,|@:$/])"
)
SIGNS = {"=": "eq", "<": "lt", ">": "gt", "<=": "le", ">=": "ge"}


def missing(value: Value) -> bool:
    """Whether a value is a missing number."""
    return isinstance(value, float) and math.isnan(value)


def formatted(value: Value) -> str:
    """Format a number by BEST without blanks; return a text unchanged."""
    if isinstance(value, str):
        return value
    return "." if missing(value) else f"{value:.12g}"


def number(value: Value) -> float:
    """Convert a value to a number; a text that is not a number becomes missing."""
    if isinstance(value, str):
        return float(value) if re.fullmatch(r"\s*-?\d+\.?\d*\s*", value) else MISSING
    return value


def as_text(value: Value) -> str:
    """Convert a value to text as `||` does: numbers by BEST12., right-aligned."""
    return value if isinstance(value, str) else formatted(value).rjust(12)


def comparison(word: str, lhs: Value, rhs: Value) -> float:
    """Evaluate a comparison to 1 or 0."""
    if isinstance(lhs, str) and isinstance(rhs, str):
        return float(COMPARE[word](lhs.rstrip(), rhs.rstrip()))
    first, second = (-math.inf if missing(number(side)) else number(side) for side in (lhs, rhs))
    return float(COMPARE[word](first, second))


def true(value: Value) -> bool:
    """Whether a condition holds: neither 0 nor missing."""
    return not missing(value := number(value)) and value != 0


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "abs": lambda x: abs(number(x)),
    "n": lambda *all_: float(sum(not missing(x) for x in all_)),
    "max": lambda *all_: max((number(x) for x in all_ if not missing(x)), default=MISSING),
    "min": lambda *all_: min((number(x) for x in all_ if not missing(x)), default=MISSING),
    "catx": lambda between, *all_: str(between).join(
        formatted(x).strip() for x in all_ if formatted(x).strip()
    ),
}


OR: dict[str, Action] = {word: lambda a, b: float(true(a) | true(b)) for word in ("or", "|")}
AND: dict[str, Action] = {"and": lambda a, b: float(true(a) & true(b))}
JOIN: dict[str, Action] = {"||": lambda a, b: as_text(a) + as_text(b)}
SUM: dict[str, Action] = {
    "+": lambda a, b: number(a) + number(b),
    "-": lambda a, b: number(a) - number(b),
}
PRODUCT: dict[str, Action] = {"*": lambda a, b: number(a) * number(b)}


class Step:
    """A DATA step: its variables, and its statements as functions without arguments.

    The function of a statement returns None, or "leave" or "stop" to end the enclosing statements.
    """

    def __init__(self, session: Session, statements: list[str]) -> None:
        self.session = session
        self.name = statements[0].split()[1].lower()
        self.row: Row = {}
        self.types: dict[str, type] = {}
        self.widths: dict[str, int] = {}
        self.arrays: dict[str, tuple[tuple[int, ...], list[str]]] = {}
        self.fixed: set[str] = set()  # variables that are not reset to missing in the next iteration
        self.keep: list[str] = []
        self.rows: list[Row] = []
        self.input: list[str] = []
        self.read: list[Row] | None = None
        self.line, self.printing, self.outputs = "", False, False
        self.statements = statements[1:]
        self.position = 0
        self.tokens: list[str] = []
        body = list[Run]()
        while self.position < len(self.statements):
            body.append(self._statement())
        self.body = body

    def run(self) -> None:
        """Execute the step, one iteration per input row."""
        source = [{}] if self.read is None else self.read
        for row in source:
            for name in self.types.keys() - self.fixed:
                self.row[name] = MISSING if self.types[name] is float else ""
            self.given = row
            signal = next(filter(None, (statement() for statement in self.body)), None)
            if signal == "stop":
                break
            if not self.outputs:
                self._output()
        if self.name != "_null_":
            self.session.data[self.name] = self.rows

    def _output(self) -> None:
        names = [*self.types]
        if self.keep:
            names = [
                name for name in names
                if any(name.startswith(p[:-1]) if p.endswith(":") else name == p for p in self.keep)
            ]  # fmt: skip
        self.rows.append({name: self.row[name] for name in names if not name.startswith("0")})

    # tokens

    def _begin(self, text: str) -> None:
        self.tokens, offset = [], 0
        while text[offset:].strip():
            match = TOKEN.match(text, offset)
            if not match:
                raise SasError(f"{text[offset:].strip()!r} cannot be read")
            self.tokens.append(match[1] if match[1][0] in "'\"" else match[1].lower())
            offset = match.end()

    def _accept(self, *words: str) -> str:
        return self.tokens.pop(0) if self.tokens and self.tokens[0] in words else ""

    def _expect(self, *words: str) -> str:
        if not (token := self._accept(*words)):
            raise SasError(f"expected {' or '.join(words)} before {' '.join(self.tokens) or 'the end'}")
        return token

    # statements

    def _statement(self) -> Run:
        """Compile the next statement, including nested statements."""
        self._begin(self.statements[self.position])
        self.position += 1
        return self._action()

    def _action(self) -> Run:
        word = self.tokens[0]
        parse = getattr(self, f"_{word}_statement", None)
        if parse is not None and self.tokens[1:2] != ["="]:
            self.tokens.pop(0)
            action: Run = parse()
        else:
            action = self._assignment()
        if self.tokens:
            raise SasError(f"{' '.join(self.tokens)!r} stands after the end of a statement")
        return action

    def _assignment(self) -> Run:
        name = self.tokens.pop(0)
        if self.tokens and self.tokens[0] in "{(":
            cell = self._cell(name)
            self._expect("=")
            value, _ = self._value()

            def to_cell() -> None:
                self._set(cell(), value())

            return to_cell
        if self._accept("+"):
            value, _ = self._value()
            self._declare(name, float)
            self.fixed.add(name)
            self.row[name] = 0.0

            def add() -> None:
                self.row[name] = number(self.row[name]) + number(value())

            return add
        self._expect("=")
        value, kind = self._value()
        self._declare(name, kind)

        def assign() -> None:
            self._set(name, value())

        return assign

    def _declare(self, name: str, kind: type) -> None:
        self.types.setdefault(name, kind)

    def _set(self, name: str, value: Value) -> None:
        if self.types[name] is str:
            self.row[name] = as_text(value)[: self.widths.get(name)]
        else:
            self.row[name] = number(value)

    def _array_statement(self) -> Run:
        name = self.tokens.pop(0)
        close = {"{": "}", "(": ")"}[self._expect("{", "(")]
        sizes = [int(self.tokens.pop(0))]
        while not self._accept(close):
            self._expect(",")
            sizes.append(int(self.tokens.pop(0)))
        count = math.prod(sizes)
        if self._accept("_temporary_"):
            names = [f"0{name}{k}" for k in range(count)]  # not a valid SAS name, so it cannot clash
            self._expect("(")
            for variable in names:
                sign = -1 if self._accept("-") else 1
                self._declare(variable, float)
                self.fixed.add(variable)
                self.row[variable] = sign * float(self.tokens.pop(0))
                self._expect("," if variable != names[-1] else ")")
        else:
            names, self.tokens = self.tokens, []
            if len(names) != count:
                raise SasError(f"array {name} has {count} elements and {len(names)} variables")
            for variable in names:
                self._declare(variable, float)
        self.arrays[name] = tuple(sizes), names
        return lambda: None

    def _length_statement(self) -> Run:
        *names, _, width = self.tokens
        self.tokens = []
        for name in names:
            self._declare(name, str)
            self.widths[name] = int(width)
        return lambda: None

    def _set_statement(self) -> Run:
        name = "".join(self.tokens)
        self.tokens = []
        if name not in self.session.data:
            raise SasError(f"there is no data set {name}")
        self.read = self.session.data[name]
        for row in self.read:
            for variable, value in row.items():
                self._declare(variable, type(value))
                self.fixed.add(variable)
        return lambda: self.row.update(self.given)

    def _keep_statement(self) -> Run:
        while self.tokens:
            name = self.tokens.pop(0)
            self.keep.append(name + self._accept(":"))
        return lambda: None

    def _file_statement(self) -> Run:
        if " ".join(self.tokens) != "print linesize = 256":
            raise SasError(f"FILE {' '.join(self.tokens)} is not known here")
        self.tokens = []
        self.printing = True
        return lambda: None

    def _put_statement(self) -> Run:
        parts = list[Any]()
        held = False
        while self.tokens:
            if self._accept("@"):
                held = True
            elif self.tokens[0][0] in "'\"":
                parts.append((self.tokens.pop(0)[1:-1], 0))
            else:
                name = self.tokens.pop(0)
                cell = self._cell(name) if self.tokens[:1] in (["{"], ["("]) else (lambda name=name: name)
                width = self.tokens.pop(0) if self.tokens and re.fullmatch(r"\d+\.", self.tokens[0]) else "0."
                parts.append((cell, int(width[:-1])))

        def write() -> None:
            for content, width in parts:
                self.line += (
                    content if isinstance(content, str) else formatted(self.row[content()]).rjust(width)
                )
            if not held:
                (self.session.listing if self.printing else self.session.log).append(self.line)
                self.line = ""

        return write

    def _output_statement(self) -> Run:
        self.outputs = True
        return self._output

    def _leave_statement(self) -> Run:
        return lambda: "leave"

    def _stop_statement(self) -> Run:
        return lambda: "stop"

    def _call_statement(self) -> Run:
        self._expect("symputx")
        self._expect("(")
        parts = [self._value()[0]]
        while self._accept(","):
            parts.append(self._value()[0])
        self._expect(")")

        def put() -> None:
            name, value, *scope = (part() for part in parts)
            scopes = self.session.variables
            scopes[0 if scope == ["g"] else -1][str(name).lower()] = formatted(value).strip()

        return put

    def _if_statement(self) -> Run:
        condition, _ = self._value()
        self._expect("then")
        first = self._action()
        second: Run | None = None
        if (
            self.position < len(self.statements)
            and self.statements[self.position].split()[0].lower() == "else"
        ):
            self._begin(self.statements[self.position])
            self.position += 1
            self._expect("else")
            second = self._action()

        def choose() -> str | None:
            if true(condition()):
                return first()
            return second() if second else None

        return choose

    def _do_statement(self) -> Run:
        if not self.tokens:
            block = self._block()
            return lambda: next(filter(None, (statement() for statement in block)), None)
        name = self.tokens.pop(0)
        self._expect("=")
        self._declare(name, float)
        parts = list[tuple[Getter, "Getter | None"]]()
        while True:
            first, _ = self._value()
            parts.append((first, self._value()[0] if self._accept("to") else None))
            if not self._accept(","):
                break
        block = self._block()

        def loop() -> str | None:
            for first, last in parts:
                self.row[name] = number(first())
                end = self.row[name] if last is None else number(last())
                while self.row[name] <= end:  # type: ignore[operator]
                    signal = next(filter(None, (statement() for statement in block)), None)
                    if signal:
                        return None if signal == "leave" else signal
                    if last is None:
                        break
                    self.row[name] = number(self.row[name]) + 1
            return None

        return loop

    def _block(self) -> list[Run]:
        """Compile the statements up to `end`."""
        if self.tokens:
            raise SasError(f"{' '.join(self.tokens)!r} stands after the head of a loop")
        block = list[Run]()
        while self.position < len(self.statements) and self.statements[self.position].lower() != "end":
            block.append(self._statement())
        if self.position == len(self.statements):
            raise SasError("a loop has no end")
        self.position += 1
        return block

    def _input_statement(self) -> Run:
        for word in re.sub(r" ?([-$]) ?", r"\1", " ".join(self.tokens)).replace("$", "$ ").split():
            first, _, last = word.partition("-")
            kind = str if word.endswith("$") else float
            names = [first.rstrip("$")]
            if last:
                stem = first.rstrip("0123456789")
                names = [f"{stem}{k}" for k in range(int(first[len(stem) :]), int(last[len(stem) :]) + 1)]
            for name in names:
                self._declare(name, kind)
                self.input.append(name)
        self.tokens = []
        return lambda: self.row.update(self.given)

    def _datalines_statement(self) -> Run:
        words = self.statements[self.position].split() if self.position < len(self.statements) else []
        self.position += 1
        width = len(self.input)
        self.read = [
            {
                name: word if self.types[name] is str else number(word)
                for name, word in zip(self.input, words[k : k + width], strict=True)
            }
            for k in range(0, len(words), width)
        ]
        return lambda: None

    # expressions: each method returns a function and the type of its value

    def _value(self) -> Typed:
        return self._operations(OR, self._conjunction)

    def _conjunction(self) -> Typed:
        return self._operations(AND, self._comparison)

    def _concatenation(self) -> Typed:
        return self._operations(JOIN, self._sum)

    def _sum(self) -> Typed:
        return self._operations(SUM, self._product)

    def _product(self) -> Typed:
        return self._operations(PRODUCT, self._leaf)

    def _operations(self, actions: dict[str, Action], part: Callable[[], Typed]) -> Typed:
        operand, kind = part()
        while word := self._accept(*actions):
            operand, kind = self._applied(operand, part()[0], actions[word]), str if word == "||" else float
        return operand, kind

    @staticmethod
    def _applied(first: Getter, second: Getter, action: Action) -> Getter:
        return lambda: action(first(), second())

    def _comparison(self) -> Typed:
        if self._accept("not"):
            inner, _ = self._comparison()
            return (lambda: float(not true(inner()))), float
        lhs, kind = self._concatenation()
        tests = list[Getter]()
        while word := self._accept(*COMPARE, *SIGNS):
            rhs, _ = self._concatenation()
            tests.append(self._applied(lhs, rhs, partial(comparison, SIGNS.get(word, word))))
            lhs = rhs
        if not tests:
            return lhs, kind
        return (lambda: min(number(test()) for test in tests)), float

    def _leaf(self) -> Typed:
        word = self.tokens.pop(0) if self.tokens else ";"
        if word == "-":
            inner, _ = self._leaf()
            return (lambda: -number(inner())), float
        if word == "(":
            value = self._value()
            self._expect(")")
            return value
        if word[0] in "'\"":
            return (lambda: word[1:-1]), str
        if word == "." or word[0].isdigit():
            constant = MISSING if word == "." else float(word)
            return (lambda: constant), float
        if self.tokens[:1] in (["{"], ["("]):
            if word in self.arrays:
                cell = self._cell(word)
                return (lambda: self.row[cell()]), float
            return self._function(word)
        self._declare(word, float)
        return (lambda: self.row[word]), self.types[word]

    def _function(self, name: str) -> Typed:
        if name not in FUNCTIONS:
            raise SasError(f"{name} is neither an array nor a function known here")
        act, parts = FUNCTIONS[name], list[Getter]()
        self._expect("(")
        whole = list[str]()
        if self._accept("of"):
            array = self.tokens.pop(0)
            for sign in "{*}":
                self._expect(sign)
            whole = self.arrays[array][1]
        else:
            parts.append(self._value()[0])
            while self._accept(","):
                parts.append(self._value()[0])
        self._expect(")")
        kind = str if name == "catx" else float
        return (lambda: act(*(part() for part in parts), *(self.row[part] for part in whole))), kind

    def _cell(self, name: str) -> Callable[[], str]:
        """Return a function that gives the name of the variable behind an array element."""
        if name not in self.arrays:
            raise SasError(f"there is no array {name}")
        sizes, names = self.arrays[name]
        close = {"{": "}", "(": ")"}[self.tokens.pop(0)]
        parts = [self._value()[0]]
        while not self._accept(close):
            self._expect(",")
            parts.append(self._value()[0])
        if len(parts) != len(sizes):
            raise SasError(f"array {name} has {len(sizes)} subscripts, not {len(parts)}")

        def element() -> str:
            index = 0
            for part, size in zip(parts, sizes, strict=True):
                subscript = number(part())
                if not 1 <= subscript <= size:
                    raise SasError(f"Array subscript out of range: {name}, {formatted(subscript)} of {size}")
                index = index * size + int(subscript) - 1
            return names[index]

        return element
