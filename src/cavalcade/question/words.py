"""The vocabulary: one row for each word of a question and for each limit of a search.

Everything that reads or writes these words is derived from the rows: the keywords of the public functions
(`validated`), the options of the command line (`cli.options`), the clauses of a statement
(`question.statement`), the lines of a constraints file (`formats.constraints`), the fields of a question in
JSON (`schema`, `studio.message`), and the table of words in the documentation. To add a word, add its row
here and its meaning in `question.question`.

This module is loaded before every command, so it imports neither NumPy nor the rest of the package.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import wraps
from itertools import takewhile
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    ParamSpec,
    TypeAlias,
    TypedDict,
    TypeVar,
    cast,
    get_args,
)

from cavalcade.ground.callbacks import Callback
from cavalcade.ground.errors import BoardError, boolean, bytes_of, seconds_of, whole

if TYPE_CHECKING:
    from cavalcade.question.pieces import PieceLike

Cell: TypeAlias = "int | str | tuple[int, ...]"
Cells: TypeAlias = "str | Iterable[Cell]"
Moves: TypeAlias = "str | Iterable[str | tuple[Cell, Cell]]"
Steps: TypeAlias = "str | Iterable[str] | Mapping[int, Cell]"
P = ParamSpec("P")
Result = TypeVar("Result")

DIRECTIONS = ("counterclockwise", "clockwise")
MOST_COILS = 10**9 - 1  # nine digits: more coils than any board that fits in memory has moves


@dataclass(frozen=True, eq=False)
class Kind:
    """A type of values.

    Args:
        name: the type, as the reference names it.
        metavar: the value in the usage of an option.
        schema: the JSON Schema of a value.
        validate: raises CavalcadeError for a wrong value, given the value and its keyword; None if only the
            board can decide.
        repeated: whether the value is a list, so that its option may be repeated.
        choices: the only values that are allowed, if they are few.
    """

    name: str
    metavar: str
    schema: Mapping[str, Any]
    validate: Callable[[Any, str], object] | None = None
    repeated: bool = False
    choices: tuple[str, ...] = ()


TEXTS = {"type": "array", "items": {"type": "string"}}
BOOLEAN = Kind("true or false", "", {"type": "boolean"}, boolean)
# The rules that choose among cells with equally few onward moves, see `find.warnsdorff`, which needs numpy.
Ties: TypeAlias = Literal[
    "first", "last", "random", "pohl", "lookahead", "roth", "squirrel-cull", "best-order"
]
TIES: tuple[Ties, ...] = get_args(Ties)

CELL = Kind("cell", "CELL", {"type": "string"})
MOVES = Kind("list of moves", "MOVE", TEXTS, repeated=True)
STEPS = Kind("list of steps", "STEP=CELL", TEXTS, repeated=True)
CELLS = Kind("list of cells", "CELLS", TEXTS, repeated=True)
PATH = Kind("list of cells in order", "CELLS", TEXTS, repeated=True)
PIECE = Kind("piece", "P", {"type": "string"})
NAME = Kind("name", "NAME", {"type": "string"})
DIRECTION = Kind("direction", "", {"enum": [*DIRECTIONS]}, choices=DIRECTIONS)
POSITIVE = Kind("whole number from 1", "N", {"type": "integer", "minimum": 1, "maximum": MOST_COILS})
NATURAL = Kind("whole number from 0", "N", {"type": "integer", "minimum": 0}, whole)
SECONDS = Kind("seconds", "S", {"type": "number", "minimum": 0}, seconds_of)
BYTES = Kind("bytes", "M", {"type": ["integer", "string"]}, bytes_of)
CALLBACK = Kind("function", "", {})


@dataclass(frozen=True)
class Row:
    """A row of the vocabulary.

    Args:
        kind: the type of the values.
        help: the meaning of the word, in sentences that `--help` prints.
        example: a value as text.
        option: the spelling of the option, with the opposite of a flag after a slash; by default the keyword.
        clause: the words of a statement around the value, `{}`; "" if the statement says it otherwise.
        default: the value of a word that is missing.
        aliases: keywords and options that people try instead.
        opposites: keywords and options that people try for the opposite of a flag.
        needs: options of which the option needs one.
    """

    kind: Kind
    help: str
    example: str = ""
    option: str = ""
    clause: str = ""
    default: object = None
    aliases: tuple[str, ...] = ()
    opposites: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


class Constraints(TypedDict, total=False):
    """The words that constrain tours: the lines of a constraints file."""

    with_: Annotated[
        "Moves | None",
        Row(
            MOVES,
            "A move to use, such as a1-b3, in either direction. Can be repeated.",
            example="a1-b3",
            clause=", with {}",
            aliases=("use", "require", "required"),
        ),
    ]
    avoid: Annotated[
        "Moves | None",
        Row(
            MOVES,
            "A move not to use. Can be repeated.",
            example="a1-b3",
            clause=", without {}",
            aliases=("forbid", "forbidden"),
        ),
    ]
    at: Annotated[
        "Steps | None",
        Row(
            STEPS,
            "The cell at a step, counted from 1, such as 17=d5. Can be repeated.",
            example="17=d5",
            clause=", {}",
            aliases=("steps", "step"),
        ),
    ]
    through: Annotated[
        "Cells | None",
        Row(
            PATH,
            "Cells that the tour visits in this order, at any steps, such as a1,d5,c2. A closed tour begins "
            "in the first of them, unless it begins elsewhere. Can be repeated.",
            example="a1,d5,c2",
            clause=", through {}",
            aliases=("via", "waypoints", "way_points", "order"),
        ),
    ]
    symmetry: Annotated[
        "str | None",
        Row(
            NAME,
            "The tour must be symmetric under half-turn, quarter-turn, horizontal, vertical, or another name "
            "that `symmetries BOARD` prints.",
            example="half turn",
            clause=", symmetric under the {}",
            aliases=("symmetric", "symmetries"),
        ),
    ]
    moves: Annotated[
        "Literal['clockwise', 'counterclockwise'] | None",
        Row(
            DIRECTION,
            "Every move goes round the centre in this direction.",
            example="clockwise",
            clause=", all moves {}",
            aliases=("direction",),
        ),
    ]
    coils: Annotated[
        "int | None",
        Row(
            POSITIVE,
            "Such a closed tour goes round the centre this many times.",
            example="5",
            clause=" in {}",
            needs=("--moves",),
        ),
    ]
    avoid_cells: Annotated[
        "Cells | None",
        Row(
            CELLS,
            "Cells that the tour does not visit, such as c3,d4: a tour of the board without them. Can be "
            "repeated.",
            example="c3,d4",
            aliases=("without_cells", "avoid_cell", "blocked"),
        ),
    ]


class QuestionWords(Constraints, total=False):
    """All words of a question besides its board; public functions take them as `**words`."""

    piece: Annotated[
        "PieceLike | None",
        Row(
            PIECE,
            "knight (the default), camel, zebra, giraffe, antelope, a leaper such as 1,4, a union such as "
            "1,2+1,3, or moves:1,2;2,1+-. Without +- the moves go one way: moves:0,1;1,0.",
            example="camel",
            default="knight",
            aliases=("leaper",),
        ),
    ]
    open: Annotated[
        bool,
        Row(
            BOOLEAN,
            "Open tours, or closed ones.",
            option="--open/--closed",
            default=False,
            aliases=("path",),
            opposites=("closed", "cyclic", "cycle"),
        ),
    ]
    start: Annotated[
        "Cell | None",
        Row(
            CELL,
            "The first cell; a closed tour is printed from it on.",
            example="a1",
            option="--from",
            clause=" from {}",
            aliases=("begin", "from_", "first"),
        ),
    ]
    end: Annotated[
        "Cell | None",
        Row(
            CELL,
            "The last cell.",
            example="c3",
            option="--to",
            clause=" to {}",
            aliases=("to", "last"),
            needs=("--open",),
        ),
    ]


class LimitWords(TypedDict, total=False):
    """The limits of a search; functions declare them as parameters of their own."""

    seed: Annotated[
        int,
        Row(
            NATURAL,
            "Seed of the random choices; the same seed gives the same answer on any machine.",
            default=0,
            aliases=("random_seed", "random_state", "rng"),
        ),
    ]
    time_limit: Annotated[
        "float | None",
        Row(
            SECONDS,
            "Stop after S seconds{each}, undecided (default: {time_limit}).",
            aliases=("timeout", "seconds"),
        ),
    ]
    memory: Annotated[
        "int | str | None",
        Row(
            BYTES,
            "Stop, undecided, if more than M bytes are needed{each}. M is a number such as 500M or 4G "
            "(default: {memory}).",
            aliases=("mem", "memory_limit"),
        ),
    ]
    engine: Annotated[
        "str | None",
        Row(
            NAME,
            "Use this engine only.",
            aliases=("method", "solver", "algorithm"),
        ),
    ]
    progress: Annotated[
        "Callable[..., None] | None",
        Row(
            CALLBACK,
            "A function that is called with the progress of the search.",
            aliases=("callback", "on_progress"),
        ),
    ]
    directed: Annotated[
        bool,
        Row(
            BOOLEAN,
            "Count a tour and its reverse as two; the edges of a graph go one way.",
            default=False,
        ),
    ]


def _rows(words: Any) -> dict[str, Row]:
    """The rows of a table by keyword, in the order of the table."""
    return {name: hint.__metadata__[0] for name, hint in words.__annotations__.items()}


CONSTRAINTS, LIMITS = _rows(Constraints), _rows(LimitWords)
ROWS = {name: row for name, row in _rows(QuestionWords).items() if name not in CONSTRAINTS} | CONSTRAINTS


def key_of(name: str) -> str:
    """The word in JSON and in files: the keyword without the `_` that Python needs after its own words."""
    return name.rstrip("_")


def spelling_of(name: str) -> str:
    """The option of a word, without its opposite."""
    option = (ROWS | LIMITS)[name].option or f"--{key_of(name).replace('_', '-')}"
    return option.partition("/")[0]


def schema() -> dict[str, Any]:
    """The JSON Schema of a question: an object with a board and the words of the table."""
    properties: dict[str, Any] = {
        "board": {"type": "string", "description": "A board, such as 8x8, hex:6 or 8x8-a1,b1."}
    }
    for name, row in ROWS.items():
        properties[key_of(name)] = {**row.kind.schema, "description": row.help}
        if row.example:
            example: object = row.example
            example = int(row.example) if row.kind is POSITIVE else example
            properties[key_of(name)]["examples"] = [[example] if row.kind.repeated else example]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A question of cavalcade",
        "type": "object",
        "properties": properties,
        "required": ["board"],
        "additionalProperties": False,
    }


# ---- the keywords of public functions


_EMPTY = inspect.Parameter.empty


def validated(function: Callable[P, Result]) -> Callable[P, Result]:
    """Decorate a public function to validate its keywords before it runs.

    The values of words in the tables are validated by their kind, and so are all other boolean parameters,
    which are recognized by their annotation, `bool` or `bool | None`: Python takes any text for true, so
    `open="no"` would ask for open tours. If the function takes `**words`, unknown keywords are refused.
    What `progress` raises ends the function, which raises it unchanged.

    Raises:
        CavalcadeError: by the decorated function, if a value has a wrong type.
        TypeError: by the decorated function, if a keyword is unknown; the message names the nearest.
    """
    parameters = inspect.signature(function).parameters
    name = function.__qualname__.removesuffix(".__init__")
    checks = {
        keyword: check for keyword in parameters if (check := _check_of(parameters[keyword])) is not None
    }
    keyword_only, either = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    accepted = [
        keyword
        for keyword, parameter in parameters.items()
        if parameter.kind is keyword_only or (parameter.kind is either and parameter.default is not _EMPTY)
    ]
    takes_words = any("QuestionWords" in str(parameter.annotation) for parameter in parameters.values())
    if takes_words:
        accepted += ROWS
        checks["open"] = boolean
    positions = {keyword: i for i, keyword in enumerate(parameters)}
    on_board = next(iter(parameters), "") == "board"

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> Result:
        if on_board and args and type(args[0]) is int:
            sides = "x".join(str(side) for side in takewhile(lambda side: type(side) is int, args))
            spec = sides if "x" in sides else f"{sides}x{sides}"
            raise BoardError(f"{args[0]} is not a board: try {name}({spec!r})")
        for keyword, check in checks.items():
            if keyword in kwargs:
                check(kwargs[keyword], keyword)
            elif positions.get(keyword, len(args)) < len(args):
                check(args[positions[keyword]], keyword)
        if takes_words and (unknown := kwargs.keys() - positions - ROWS.keys()):
            raise TypeError(_unexpected(name, min(unknown), accepted, kwargs))
        progress: Any = kwargs.get("progress")
        if progress is None or isinstance(progress, Callback):  # the latter from another public function
            return function(*args, **kwargs)
        kwargs["progress"] = callback = Callback(progress)
        with callback.deliver():
            result = function(*args, **kwargs)
        return cast("Result", callback.delivered(result)) if isinstance(result, Iterator) else result

    return checked


def _check_of(parameter: inspect.Parameter) -> Callable[[Any, str], object] | None:
    """The validation of a parameter's value, or None if there is nothing to validate."""
    row = LIMITS.get(parameter.name)
    check = row.kind.validate if row is not None else None
    if parameter.annotation in {"bool", "bool | None"}:
        check = boolean
    if check is None or parameter.default is not None:
        return check
    validate = check
    return lambda value, name: None if value is None else validate(value, name)


def _unexpected(function: str, word: str, accepted: list[str], words: Mapping[str, object]) -> str:
    """The message about an unknown keyword: it names the nearest accepted one, or lists all of them."""
    message = f"{function}() got an unexpected keyword argument {word!r}"
    rows = ROWS | LIMITS
    for name, row in rows.items():
        if word in row.opposites and name in accepted:
            return f"{message}, did you mean {name}={not words[word]}?"
    aliases = {alias: name for name, row in rows.items() for alias in row.aliases}
    nearest = [aliases[word]] if word in aliases else get_close_matches(word, accepted, 1)
    if word in LIMITS or not nearest or nearest[0] not in accepted:
        return f"{message}; its keywords are {', '.join(accepted)}"
    return f"{message}, did you mean {nearest[0]!r}?"
