"""The options that several commands share: each with its spelling, its type and its help, once.

The options of a question and of its limits are made from the vocabulary, `cavalcade.question.words`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field, make_dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

import cavalcade
from cavalcade import formats
from cavalcade.ask import engines
from cavalcade.cli import completing, suggestions
from cavalcade.cli.bare_words import (
    CELL,
    COUNTED,
    RefusedWordError,
    choices_of,
    is_board,
    is_place,
    spellings_of,
)
from cavalcade.cli.command import option, refuse
from cavalcade.cli.refusals import LINE
from cavalcade.cli.status import remark
from cavalcade.formats.files import called
from cavalcade.formats.table import BY_NAME, PUZZLES, READ, format_of, names_of
from cavalcade.ground.errors import BoardError, FormatError
from cavalcade.question import words

if TYPE_CHECKING:
    from decimal import Decimal

    from cavalcade.question.graph import BoardLike
    from cavalcade.question.words import Constraints

    Place = cavalcade.Board | cavalcade.MoveGraph

# a part of a board that is typed with spaces
BOARD_PART = re.compile("[0-9nx*,\N{MULTIPLICATION SIGN}]+|by", re.IGNORECASE)
SEQUENCE = re.compile("a[0-9]{6}")  # of the OEIS
SEQUENCES = {
    "a001230": "nxn --upto 6", "a165134": "nxn --open --directed --upto 5", "a070030": "3xn --upto 10",
}  # fmt: skip
RANGE = re.compile(r"(\d+)x(\d+)(?:\.\.|-)(?:(\d+)x)?(\d+)")  # such as 3x4..12, 3x4..3x12 or 3x4-5x12
SURVEY = "cavalcade survey '{{m}}x{{n}} for m in {0}..{2}, n in {1}..{3}' -o DIR"
FORMAT = "cavalcade.format"  # key of the format of the answer in the context of a command
QUESTION = "cavalcade.question"  # key of the board and the words of the question
ALL = "all"  # all cells, in `--optional`; all symmetries, if `--symmetry` of `count` has no name


def _writable(context: click.Context, parameter: click.Parameter, file: str | None) -> str | None:
    """Refuse a file in a directory that does not exist, before the search and not after it."""
    if file is not None and not Path(file).parent.is_dir():
        raise FormatError(f"cannot write {file}: there is no directory {str(Path(file).parent)!r}")
    only_files = "DIR" not in (parameter.metavar or "")
    if file is not None and only_files and (file.endswith("/") or Path(file).is_dir()):
        drawn = any("pdf" in choices_of(option) for option in context.command.params)
        advice = f": try -o {file.rstrip('/')}.pdf" * drawn
        raise FormatError(f"cannot write {file}: it is a directory, expected a file{advice}")
    return file


def _file(context: click.Context, parameter: click.Parameter, output: str | None) -> str | None:
    """Return the file, or None for standard output."""
    if output is not None and output.startswith("-") and output != "-":
        raise click.BadParameter(f"{output!r} is an option, expected a file")
    return _writable(context, parameter, None if output == "-" else output)


def _text_file(context: click.Context, parameter: click.Parameter, output: str | None) -> str | None:
    """Return the file of an answer that is text, or None for standard output."""
    if output is not None and format_of(output) in names_of("Picture"):
        raise FormatError(
            f"cannot write {output!r}: this answer is text, so try {Path(output).with_suffix('.txt')}"
        )
    return _file(context, parameter, output)


def _spaced(context: click.Context, parameter: click.Parameter, parts: tuple[str, ...] | None) -> str | None:
    """Join the parts of a board that may be typed with spaces: 8 x 8, hex 6."""
    del parameter
    parts = parts or ()
    whole = [part for part in parts if is_place(part, on_board=True)]
    whole = [part for part in whole if "." not in part] or whole  # a file beside a board is none
    if len(whole) > 1 and "chessboard" in parts:  # such as a chessboard 20x20
        parts = tuple(part for part in parts if part != "chessboard")
        whole.remove("chessboard")
    if len(whole) > 1:
        spelled = spellings_of(context.command)
        pairs = pairwise(["", *context.meta.get(LINE, [])])
        rest = shlex.join(
            word
            for before, word in pairs
            if word not in whole
            and not any(
                typed.startswith("-") and typed.partition("=")[0] not in spelled for typed in (before, word)
            )
        )
        line = f"echo {' '.join(whole)} | xargs -n1 cavalcade {context.command.name} {rest}".rstrip()
        raise RefusedWordError(f"expected one board, not {len(whole)}; for each: try {line}", whole[-1])
    for part in parts:
        if SEQUENCE.fullmatch(part.lower()):
            meant = SEQUENCES.get(part.lower(), "3xn --upto 10")
            raise click.UsageError(f"{part!r} is a sequence of the OEIS: try cavalcade count {meant}")
    if parts:
        assert_no_range(parts[0])
    options = {option.opts[-1] for option in context.command.params}
    if len(parts) == 1 and parts[0].isdecimal() and (counted := options.intersection(COUNTED)):
        lines = f"{parts[0]}x{parts[0]}, or 8x8 {counted.pop()} {parts[0]}"
        raise click.UsageError(f"{parts[0]!r} has one side, and a board has at least two: try {lines}")
    if len(parts) > 1:
        from cavalcade.boards.families import FAMILIES
        from cavalcade.question.named import GRAPHS

        if parts[0] in GRAPHS and len(parts) == 2 and re.search(r"\d", parts[1]):
            return ":".join(parts)
        named = not whole or parts[0].lower() in FAMILIES
    for index, part in enumerate(parts):
        if (
            (BOARD_PART.fullmatch(part) and not whole)
            or part in whole
            or (index == 0 and (len(parts) == 1 or named))
        ):
            continue
        after = f"after {parts[0]!r}" if index else f"before {whole[0]!r}"
        message = f"unexpected argument {part!r} {after}{suggestions.option_for(part)}"
        raise RefusedWordError(message, part)
    if len(parts) == 1 and CELL.fullmatch(parts[0]) and not is_board(parts[0]):
        line = f"cavalcade {context.command.name} 8x8" + f" --from {parts[0]}" * ("--from" in options)
        raise click.UsageError(f"{parts[0]!r} is a cell, expected a board: try {line}")
    if len(parts) == 1 and re.fullmatch("[a-z]+", parts[0].lower()) and not is_board(parts[0]):
        advice = suggestions.option_for(parts[0]) or "; cavalcade help boards lists all"
        raise RefusedWordError(f"{parts[0]!r} is not a board{advice}", parts[0])
    return " ".join(parts) if parts else None


def assert_no_range(spec: str) -> None:
    """Refuse a range of boards, such as 3x3-8x8, with the survey of these boards."""
    if ends := RANGE.fullmatch(spec):
        m, n, last, upto = ends.groups()
        name = click.get_current_context().command.name
        line = SURVEY.format(m, n, last or m, upto) + (" --verb count" if name == "count" else "")
        if name == "count" and last in {None, m}:
            line = f"{m}xn --upto {upto}"
        raise click.UsageError(f"{spec!r} is a range of boards: try {line}")


def free_cells(cells: str | None) -> str | None:
    """Return the cells of `--optional`; None means all cells, which the option spells `all`."""
    return None if cells == ALL else cells


# ---- the vocabulary

# what click adds for a word: how its value completes, and the values that need no board to be validated
CLICK: dict[str, dict[str, Any]] = {
    "piece": {"shell_complete": completing.pieces},
    "symmetry": {"shell_complete": completing.symmetries, "is_flag": False, "flag_value": ALL},
    "engine": {"metavar": None, "choices": engines.NAMES},
}
TYPES: dict[words.Kind, tuple[Any, Any]] = {  # the type of a value, and its default
    words.BOOLEAN: (bool, False),
    words.NATURAL: (Annotated[int, option(type=click.IntRange(min=0))], 0),
    words.POSITIVE: (Annotated[int, option(type=click.IntRange(min=1))] | None, None),
}


def word(name: str) -> Any:
    """Declare the option of a word in the annotation of a parameter."""
    row = (words.ROWS | words.LIMITS)[name]
    row_words = {"metavar": row.kind.metavar or None, "needs": row.needs, "choices": row.kind.choices}
    spelling = row.option or words.spelling_of(name)
    return option(spelling, help=row.help, **row_words | CLICK.get(name, {}))


def group(name: str, rows: Iterable[str]) -> Any:
    """Make a dataclass with a field for each of these words: a group of options."""
    fields = []
    for row_name in rows:
        kind = (words.ROWS | words.LIMITS)[row_name].kind
        hint, default = (tuple[str, ...], ()) if kind.repeated else TYPES.get(kind, (str | None, None))
        fields.append((row_name, Annotated[hint, word(row_name)], field(default=default)))
    return make_dataclass(name, fields, frozen=True)


if TYPE_CHECKING:

    class ConstraintWords:
        """A dataclass with a field for each word."""

        def __init__(self, **values: Any) -> None: ...
        def __getattr__(self, name: str) -> Any: ...

    TourWords = ConstraintWords
else:
    ConstraintWords = group("ConstraintWords", words.CONSTRAINTS)
    TourWords = group("TourWords", [name for name in words.ROWS if name not in words.CONSTRAINTS])

PieceSpec = Annotated[str, word("piece")]
Open = Annotated[bool, word("open")]
Seed = Annotated[int, option(type=click.IntRange(min=0)), word("seed")]
Engine = Annotated[str, word("engine")]

# ---- values

Cell = Annotated[str, option(metavar="CELL")]
Move = Annotated[str, option(metavar="MOVE")]
File = Annotated[str, option(metavar="FILE", shell_complete=completing.files)]
NewFile = Annotated[File, option(callback=_writable)]
Directory = Annotated[str, option(metavar="DIR", shell_complete=completing.directories)]
Natural = Annotated[int, option(type=click.IntRange(min=0), metavar="N")]
Positive = Annotated[int, option(type=click.IntRange(min=1), metavar="N")]
BoardSpec = Annotated[
    str,
    option(
        metavar="BOARD",
        nargs=-1,
        callback=_spaced,
        shell_complete=completing.boards,
        help="Sides such as 8x8, a shape such as hex:4, a graph such as petersen, or a file; all are listed "
        "by `cavalcade help boards`.",
    ),
]
BoardOf = Annotated[
    str,
    option(
        metavar="BOARD",
        shell_complete=completing.boards,
        help="The board of the tour; needed if the file does not name it.",
    ),
]
OptionalCells = Annotated[str, option(metavar="CELLS")]
Without = Annotated[str, option(metavar="CELLS", help="Remove these cells from the board, such as d4,e5.")]
Ties = Annotated[
    words.Ties,
    option(help="Which cell to choose if several have equally few onward moves."),
]
TourFormat = Annotated[
    str,
    option(
        choices=names_of("Tour"),
        help="Format of the tour (default: the ending of FILE sets it, otherwise text).",
    ),
]
PuzzleFormat = Annotated[
    str,
    option(
        choices=names_of(*PUZZLES),
        help="Text, a picture, or a page to print with the solution upside down (default: text).",
    ),
]
Output = Annotated[
    File,
    option(
        "-o",
        "--output",
        callback=_file,
        help="Write to FILE, atomically; its ending sets the format. - is standard output.",
    ),
]
TextOutput = Annotated[Output, option(callback=_text_file)]
Beside = Annotated[bool, option(help="In text, put levels side by side, not one below another.")]
Json = Annotated[bool, option(help="Print JSON: an object, or one per line.")]
OrJson = Annotated[Json, option(excludes=["--format"])]
FormatJson = Annotated[bool, option(help="The same as --format json.", excludes=["--format"])]
Verbose = Annotated[bool, option(help="Log to standard error what was tried and how long it took.")]
Pick = Annotated[
    Literal["found", "impossible", "undecided"],
    option(
        help="With a file of one graph per line: print the lines of the graphs with this answer.",
        excludes=["--json"],
    ),
]


@dataclass(frozen=True)
class SearchOptions:
    """The seed and the time limit of a search; `vars` of it are keywords of the public functions."""

    seed: Seed = 0
    time_limit: float | None = None


@dataclass(frozen=True)
class ConstraintOptions:
    """The options that constrain tours.

    Options:
        constraints: Read constraints from FILE, one per line: with a1-b3, at 17=d5, symmetry half
            turn, ...
    """

    words: ConstraintWords = ConstraintWords()  # noqa: RUF009 - frozen
    constraints: File | None = None

    @property
    def steps_without_cell(self) -> list[int]:
        """The steps of `--at STEP`, whose cells are to be printed."""
        steps = [step.strip() for step in self.words.at if "=" not in step]
        for step in steps:
            if not re.fullmatch("[0-9]{1,18}", step):
                raise click.UsageError(f"--at {step}: {step!r} is not a step: try 17 or 17=d5")
        return [int(step) for step in steps]

    @property
    def keywords(self) -> Constraints:
        """The constraints of the options and of the file, as keywords of the public functions."""
        from cavalcade.formats.constraints import parse_constraints

        typed = vars(self.words) | {
            "at": [step for step in self.words.at if "=" in step],
            "symmetry": None if self.words.symmetry == ALL else self.words.symmetry,
        }
        merged: dict[str, Any] = {
            name: list(value) if isinstance(value, tuple) else value for name, value in typed.items() if value
        }
        if (file := self.constraints) is not None:
            for name, value in parse_constraints(formats.read_file(file), called(file)).items():
                if isinstance(value, list):
                    merged.setdefault(name, []).extend(value)
                elif merged.setdefault(name, value) != value:
                    typed_option = f"{words.spelling_of(name)} for {merged[name]}"
                    raise FormatError(f"{called(file)} asks for {name} {value}, and {typed_option}: drop one")
        return merged  # type: ignore[return-value]


@dataclass(frozen=True)
class GraphOptions:
    """The options that set how the file of a graph is read.

    Options:
        input_format: Format of the graph in the file of BOARD (default: recognized by its text).
        directed: Read the edges of a graph as one-way edges, if its format does not say so (lists of edges,
            TGF, adjacency lists). A count counts a tour and its reverse as two.
        columns: The columns of a table that hold the ends of the links and perhaps the weights: FROM,TO or
            FROM,TO,WEIGHT, by title or number from 1 (default: by well-known titles, such as from,to).
    """

    input_format: Annotated[str | None, option(choices=READ, metavar="FORMAT")] = None
    directed: bool | None = None
    columns: Annotated[str | None, option(metavar="FROM,TO,WEIGHT")] = None

    def parsed(self, text: formats.Text) -> Place:
        """Read the board or graph in the text of a file."""
        return formats.board_in(text, self.input_format, directed=self.directed, columns=self.columns)

    def weighted(self, file: str) -> tuple[Place, list[Decimal] | None]:
        """Read the board or graph in a file, and the weights of its edges.

        Returns:
            The board or graph, and the weights in the order of its edges; None if it has none.
        """
        text = formats.read_file(file)
        place = self.parsed(text)
        if not place.plain:
            return place, None
        return place, formats.read_weights(text, place, self.input_format, columns=self.columns)

    def board(
        self, text: str, without: str | None = None, *, counted: bool = False, place: Place | None = None
    ) -> Place:
        """Read the board or graph of a spec or a file, without some of its cells.

        Args:
            text: the spec, or the path of the file.
            without: names of the cells to remove.
            counted: whether tours are counted: then `--directed` is for any board.
            place: the board or graph in the file, if the file was read.
        """
        from cavalcade.boards.notation import split_names
        from cavalcade.question.graph import assert_directed, board_or_graph, is_path

        if is_path(text):
            board = self.parsed(formats.read_file(text)) if place is None else place
            if isinstance(board, cavalcade.Board) and board.kind == "box" and _is_shape_in_a_field(board):
                drawn = formats.read_file(text) if text != "-" else ""
                hole = next((sign for sign in "xX" if sign in drawn), "#")
                signs = f"{called(text)} has {board.size:,} cells (.) and {len(board.holes):,} holes ({hole})"
                name, source = click.get_current_context().command.name, f"< {text} " * (text != "-")
                remark(f"{signs}; if {hole} marks the cells: tr '.{hole}' '#.' {source}| cavalcade {name} -")
        else:
            refuse("input_format", "columns", why="works only with a file, with a dot or a slash in its name")
            board = board_or_graph(text)
        if not counted:
            assert_directed(board, self.directed)
        if view := click.get_current_context().params.get("view"):  # refused before the search
            from cavalcade.draw.layout import assert_view

            assert_view(view, board)
        if without is None:
            return board
        if board.plain:
            raise BoardError(f"{board.title} is a graph, and --without removes cells of boards: leave it out")
        return board.without(split_names(without))


def _is_shape_in_a_field(board: cavalcade.Board) -> bool:
    """Return whether the holes of a board, not its cells, may be the shape that was drawn."""
    mask = board.mask
    if mask is None or mask.ndim != 2 or len(board.holes) < len(mask):
        return False
    border = [*mask[0], *mask[-1], *mask[:, 0], *mask[:, -1]]
    return len(board.holes) > board.size or all(border)


def question_of(board: BoardLike, **words: Any) -> cavalcade.Question:
    """Make the question of a command, and refuse a format that cannot hold a tour of its board."""
    question = cavalcade.Question.of(board, **words)
    click.get_current_context().meta[QUESTION] = (board, words)
    assert_fits(question.board, question.piece)
    return question


def assert_fits(board: Place, piece: cavalcade.Piece) -> None:
    """Refuse the format of a command if it cannot hold a tour of a board."""
    if format_ := BY_NAME.get(click.get_current_context().meta.get(FORMAT, "")):
        format_.assert_fits(board, piece)


OF_FAMILIES = (*words.ROWS, "without", "constraints", "directed")  # options of boards that have a side n


@dataclass(frozen=True)
class QuestionOptions:
    """The options that make a question: which tours of which board."""

    board: BoardSpec
    words: TourWords = TourWords()  # noqa: RUF009 - frozen
    without: Without | None = None
    constrained: ConstraintOptions = ConstraintOptions()
    reading: GraphOptions = GraphOptions()

    def question(
        self, *, counted: bool = False, prints_steps: bool = False, complete: bool = True
    ) -> cavalcade.Question:
        """Return the question.

        Args:
            counted: whether tours are counted: then `--symmetry` needs no name, and `--directed` is for any
                board.
            prints_steps: whether `--at STEP` without a cell prints the cell of the step.
            complete: as in `of`.
        """
        self._assert_complete(counted=counted, prints_steps=prints_steps)
        return self.of(self.reading.board(self.board, self.without, counted=counted), complete=complete)

    @property
    def family(self) -> str:
        """The spec of the board, which may have a side n, with the cells to remove."""
        if self.without is None:
            return self.board
        return f"{self.board}{',' if '-' in self.board else '-'}{self.without}"

    def keywords(self) -> dict[str, Any]:
        """Return the words of the question besides its board, as keywords of the public functions."""
        self._assert_complete()
        return {**vars(self.words), **self.constrained.keywords}

    def _assert_complete(self, *, counted: bool = False, prints_steps: bool = False) -> None:
        """Refuse a symmetry without a name and a step without a cell, unless they mean something here."""
        if self.constrained.words.symmetry == ALL and not counted:
            raise click.UsageError("--symmetry expects a symmetry of the tour: try --symmetry half-turn")
        if not prints_steps and (steps := [step for step in self.constrained.words.at if "=" not in step]):
            raise click.UsageError(f"--at {steps[0]} has no cell: try --at 17=d5")

    def of(self, board: BoardLike, *, complete: bool = True) -> cavalcade.Question:
        """Return the same question about a board or a graph.

        Args:
            board: the board or graph.
            complete: whether the walks visit all cells. Others have no steps and no order: the question is
                about tours and would drop parts of them.
        """
        keywords = self.constrained.keywords
        if not complete and ("through" in keywords or "at" in keywords):
            raise click.UsageError("--at and --through work only for walks through all cells: leave them out")
        return question_of(board, **vars(self.words), **keywords)
